//! Programs, compiled by the system's compilers and run.

use std::path::Path;
use std::process::{Command, Stdio};

use super::test_program::TestProgram;

/// Compiled programs are given up after so many seconds.
const SECONDS: &str = "20";

/// Compiled programs are run with these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sanitizers {
    /// With none.
    Off,
    /// The compiler's own, for bad accesses and what else is undefined.
    Addresses,
    /// Clang's, for uninitialised values.
    Uninitialised,
}

/// How a compiled program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiled {
    /// With exit code 0.
    Well,
    /// With another one, or by a signal.
    Badly,
    /// Not in time.
    Slow,
}

/// How the compiled program ends; nothing where it cannot be built.
pub fn compiled(subject: &TestProgram, sanitizers: Sanitizers, work: &Path) -> Result<Option<Compiled>, String> {
    let program = work.join(format!("{}.exe", subject.name.replace('/', "_")));
    let (compiler, options): (_, &[&str]) = match sanitizers {
        Sanitizers::Off => ("cc", &[]),
        Sanitizers::Addresses => {
            ("cc", &["-g", "-fsanitize=address,undefined,pointer-compare,pointer-subtract", "-fno-sanitize-recover=all"])
        }
        Sanitizers::Uninitialised => ("clang", &["-g", "-fsanitize=memory", "-fno-sanitize-recover=all"]),
    };
    let mut command = Command::new(compiler);
    command.args(["-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing"]).args(options);
    command.args(subject.includes.iter().map(|folder| format!("-I{}", folder.display())));
    let built = command.arg("-o").arg(&program).arg(&subject.file).arg("-lm").output();
    if !built.is_ok_and(|built| built.status.success()) {
        return Ok(None);
    }
    let mut run = Command::new("timeout");
    run.arg(SECONDS).arg(&program).current_dir(work).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = run.env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1:detect_invalid_pointer_pairs=2").status();
    let code = status.map_err(|error| format!("timeout: {error}"))?.code();
    let _ = std::fs::remove_file(&program);
    Ok(Some(match code {
        Some(0) => Compiled::Well,
        // `timeout` says so.
        Some(124) => Compiled::Slow,
        _ => Compiled::Badly,
    }))
}
