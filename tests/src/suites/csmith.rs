//! Programs out of Csmith: it makes programs without undefined behaviour, which show a checksum of all their global variables at their
//! end. The compiled program says which checksum that is, and the program is then one that ends well if it comes to the same.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::test_program::TestProgram;
use crate::workspace_root;

/// The folder of our own header for such programs, which is given to the compiler too.
fn header() -> PathBuf {
    workspace_root().join("tests/suites/csmith")
}

/// The program of a seed, written to the folder, with the checksum that it has to come to. Nothing where it does not end in time; an error
/// says what cannot be run.
pub fn generate(seed: u64, options: &[&str], work: &Path) -> Result<Option<TestProgram>, String> {
    let file = work.join(format!("{seed}.c"));
    // It writes a file about the platform to the current folder.
    let mut csmith = Command::new("csmith");
    csmith.current_dir(work);
    csmith.args(["--seed", &seed.to_string(), "--output"]).arg(&file).args(options).stdin(Stdio::null()).stdout(Stdio::null());
    let made = csmith.status().map_err(|error| format!("csmith: {error}"))?;
    if !made.success() {
        return Err(format!("csmith --seed {seed} fails"));
    }
    let program = work.join(format!("{seed}.exe"));
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-w", "-O0", "-fwrapv", "-I"]).arg(header()).arg("-o").args([&program, &file]).stdin(Stdio::null());
    let built = cc.output().map_err(|error| format!("cc: {error}"))?;
    if !built.status.success() {
        return Err(format!("cc refuses what csmith --seed {seed} makes: {}", String::from_utf8_lossy(&built.stderr)));
    }
    let run =
        Command::new("timeout").arg(SECONDS).arg(&program).stdin(Stdio::null()).output().map_err(|error| format!("timeout: {error}"))?;
    let _ = std::fs::remove_file(&program);
    let said = String::from_utf8_lossy(&run.stdout);
    let Some(checksum) = said.trim().strip_prefix("checksum ").filter(|_| run.status.success()) else { return Ok(None) };
    let checksum = format!("SUITE_CHECKSUM={checksum}");
    Ok(Some(TestProgram { name: format!("{seed}"), file, definitions: vec![checksum], includes: vec![header()] }))
}

/// Programs that do not end sooner are left out: Csmith does not say which ones end.
const SECONDS: &str = "2";
