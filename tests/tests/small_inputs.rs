//! The examples and test programs are what their names say: concrete runs on all small inputs.

use std::process::Command;

#[test]
fn good_programs_never_fail_and_buggy_twins_do() {
    let output = Command::new(env!("CARGO_BIN_EXE_small-inputs")).output().expect("the command starts");
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}");
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
}
