//! Compilers that are asked about types in another's place.

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output, Stdio},
};

/// The command, run in a directory where this script is called `cc`.
pub fn with_compiler(directory: &Path, script: &str, arguments: &[&str]) -> Output {
    let path = env::var("PATH").expect("programs are found");
    let folder = directory.join("compiler");
    fs::create_dir_all(&folder).expect("a directory");
    let compiler = folder.join("cc");
    fs::write(&compiler, format!("#!/bin/sh\nPATH='{path}'\n{script}\n")).expect("a script");
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).expect("it is ours");
    Command::new(env!("CARGO_BIN_EXE_goatherd"))
        .args(arguments)
        .env("PATH", &folder)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .expect("the command")
}
