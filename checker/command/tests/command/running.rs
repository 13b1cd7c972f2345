//! The command as a process of its own.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Runs the command on a file of this name with these bytes. Returns exit status, standard output and standard error.
pub fn run(name: &str, bytes: &[u8], arguments: &[&str]) -> (i32, String, String) {
    let path = file(name);
    fs::write(&path, bytes).unwrap();
    run_on(&path, arguments)
}

pub fn run_on(path: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_goatherd-check"))
        .arg(path)
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

pub fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Checks a certificate against a file of this name and text. Returns the exit status and all that is printed.
pub fn against(certificate: &[u8], name: &str, text: &str, arguments: &[&str]) -> (i32, String) {
    fs::write(file(name), text).unwrap();
    let path = file(name);
    let (status, verdict, errors) = run(
        &format!("{name}.cert"),
        certificate,
        &[&["--source", path.to_str().unwrap()], arguments].concat(),
    );
    (status, format!("{verdict}{errors}"))
}
