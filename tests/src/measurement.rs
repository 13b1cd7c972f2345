//! Times and peak memory of single runs of a command.
//!
//! The kernel reports only the largest peak of all children that a process has waited for: hence a process of its own for each run,
//! which is this very program again. A program that measures calls [`serve`] first.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// One run of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// Its exit code; nothing where it was killed, at the limit or otherwise.
    pub code: Option<i32>,
    /// Wall-clock time from start to end.
    pub elapsed: Duration,
    /// Peak resident memory in bytes.
    pub peak_bytes: u64,
}

const ASKED: &str = "--measure-one-run";

/// Runs a command without output, and kills it at the limit.
pub fn measure(program: &Path, arguments: &[&OsStr], limit: Duration) -> Result<Measured, String> {
    measure_into(program, arguments, limit, Path::new("/dev/null"))
}

/// The same, with standard output in a file.
pub fn measure_into(program: &Path, arguments: &[&OsStr], limit: Duration, output: &Path) -> Result<Measured, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(this);
    command.arg(ASKED).arg(limit.as_millis().to_string()).arg(output).arg(program).args(arguments).stdin(Stdio::null());
    let answer = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&answer.stdout);
    read(&said).ok_or_else(|| format!("{} was not measured: {}", program.display(), String::from_utf8_lossy(&answer.stderr)))
}

fn read(said: &str) -> Option<Measured> {
    let mut words = said.split_whitespace();
    let code = words.next()?.parse().ok();
    let elapsed = Duration::from_micros(words.next()?.parse().ok()?);
    Some(Measured { code, elapsed, peak_bytes: words.next()?.parse().ok()? })
}

/// Makes the measurement that this process was started for; nothing where it was started for something else.
pub fn serve() -> Option<ExitCode> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let (asked, rest) = arguments.split_first()?;
    if asked != ASKED {
        return None;
    }
    let [limit, output, program, rest @ ..] = rest else {
        return Some(ExitCode::FAILURE);
    };
    let limit = limit.to_str().and_then(|limit| limit.parse().ok()).map_or(Duration::ZERO, Duration::from_millis);
    match run(Command::new(program).args(rest), limit, Path::new(output)) {
        Ok(Measured { code, elapsed, peak_bytes }) => {
            let code = code.map_or_else(|| "killed".to_owned(), |code| code.to_string());
            println!("{code} {} {peak_bytes}", elapsed.as_micros());
            Some(ExitCode::SUCCESS)
        }
        Err(message) => {
            eprintln!("{message}");
            Some(ExitCode::FAILURE)
        }
    }
}

fn run(command: &mut Command, limit: Duration, output: &Path) -> Result<Measured, String> {
    let output = File::create(output).map_err(|error| error.to_string())?;
    let started = Instant::now();
    let mut child = command.stdout(output).stderr(Stdio::null()).spawn().map_err(|error| error.to_string())?;
    let process = i32::try_from(child.id()).map_err(|error| error.to_string())?;
    let (ended, watched) = channel::<()>();
    let watchdog = std::thread::spawn(move || {
        if watched.recv_timeout(limit).is_err() {
            // Not waited for, or this very moment: the number is still this child's.
            let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
        }
    });
    let status = child.wait().map_err(|error| error.to_string())?;
    let elapsed = started.elapsed();
    let _ = ended.send(());
    let _ = watchdog.join();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    // Linux counts in units of 1024 bytes.
    let peak_bytes = u64::try_from(usage.max_rss()).unwrap_or_default() * 1024;
    Ok(Measured { code: status.code(), elapsed, peak_bytes })
}
