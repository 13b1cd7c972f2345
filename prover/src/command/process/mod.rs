//! A proof in a process of its own, which is ended where it takes more than it may.
//!
//! The process keeps to its limits itself, and says then how far it has come. Here is who ends it, with all that it has started, where it does not.

pub mod told;

use std::{
    env,
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};
use told::{Told, Verdict};

/// What a proof may take.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Wall-clock time, if it is limited.
    pub time: Option<Duration>,
    /// Resident memory in bytes; 0 for any number.
    pub memory: u64,
    /// Threads of the search.
    pub threads: usize,
}

impl Allowance {
    /// The options that say so.
    fn words(self) -> [String; 3] {
        let time = self.time.map_or(0.0, |time| time.as_secs_f64());
        [format!("--timeout={time}"), format!("--memory={}", self.memory), format!("--threads={}", self.threads)]
    }
}

/// What a process said, and what it wrote.
#[derive(Debug)]
pub struct Reply {
    /// What it said.
    pub told: Told,
    /// The certificate.
    pub certificate: Option<Vec<u8>>,
    /// The failing run as C.
    pub counterexample: Option<Vec<u8>>,
}

/// Within its limits a process says how far it has come; it is given this long for that.
const GRACE: Duration = Duration::from_secs(2);
/// The longest time between two looks at the process.
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// Runs `goatherd prove` in a folder, with these words behind it; what is written goes to another one.
///
/// # Errors
///
/// The process cannot be started.
pub fn prove(root: &Path, words: &[OsString], allowance: Allowance, folder: &Path) -> io::Result<Reply> {
    let folder = std::path::absolute(folder)?;
    let [report, errors, certificate, counterexample] = ["report.json", "errors", "proof.goat", "run.c"].map(|name| folder.join(name));
    let mut command = Command::new(env::current_exe()?);
    command.args(["prove", "--json", "--with-parent"]).args(allowance.words()).args(words);
    command.arg("-o").arg(&certificate).arg("--counterexample").arg(&counterexample);
    command.current_dir(root).stdin(Stdio::null()).stdout(File::create(&report)?).stderr(File::create(&errors)?);
    // With what it has started it is a group, and ends as one.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    let told = match watch(&mut child, allowance)? {
        Err(limit) => Told::new(Verdict::Unknown, limit),
        Ok(status) => serde_json::from_slice(&fs::read(&report)?).unwrap_or_else(|_| {
            let said = String::from_utf8_lossy(&fs::read(&errors).unwrap_or_default()).trim().to_owned();
            Told::new(Verdict::Internal, format!("goatherd prove ended with {status} and no report: {said}"))
        }),
    };
    let written = |path: PathBuf| fs::read(path).ok();
    Ok(Reply { told, certificate: written(certificate), counterexample: written(counterexample) })
}

/// Waits until the process ends, or ends it: then, what it has taken too much of.
fn watch(child: &mut Child, allowance: Allowance) -> io::Result<Result<ExitStatus, String>> {
    let (start, mut nap) = (Instant::now(), Duration::from_millis(1));
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ok(status));
        }
        let is_late = allowance.time.is_some_and(|time| start.elapsed() > time.saturating_add(GRACE));
        // The process looks at the same number, and ends itself.
        let is_large = allowance.memory > 0 && resident(child.id()) > allowance.memory.saturating_add(allowance.memory / 4);
        if is_late || is_large {
            end(child)?;
            let what = if is_late { "time" } else { "memory" };
            return Ok(Err(format!("it took more {what} than it may, and was ended")));
        }
        thread::sleep(nap);
        nap = (nap * 2).min(LONGEST_NAP);
    }
}

/// The memory of a process, in bytes; 0 where that cannot be found out.
fn resident(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")).and_then(|number| number.trim().parse::<u64>().ok());
    kilobytes.unwrap_or_default().saturating_mul(1024)
}

/// Ends a process and what it has started.
fn end(child: &mut Child) -> io::Result<()> {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child.id()) {
        // It may have ended by now.
        let _ended = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group), nix::sys::signal::Signal::SIGKILL);
    }
    drop(child.kill());
    child.wait().map(drop)
}
