//! `--second`: another checker is asked about the same bytes. Scripts play it here; `make second-checker` runs the real one.

use crate::{
    certificates::{bytes, failing, safe},
    running::{file, run},
};
use serde_json::Value;
use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

/// A checker that reads standard input to its end and prints this.
fn checker(name: &str, says: &str) -> PathBuf {
    let path = file(name);
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = - ] && cat > '{}.read' && printf '%s\\n' '{says}'\n",
        path.display()
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// What comes of this certificate beside a checker that says this. Returns the exit status and all that is printed.
fn beside(name: &str, certificate: &[u8], says: &str, arguments: &[&str]) -> (i32, String) {
    let checker = checker(&format!("{name}.sh"), says);
    let asked = ["--second", checker.to_str().unwrap()];
    let (status, verdict, errors) = run(name, certificate, &[&asked, arguments].concat());
    (status, format!("{verdict}{errors}"))
}

#[test]
fn a_second_checker_that_agrees_is_named_in_the_verdict() {
    let certificate = bytes(&safe());
    let (status, verdict) = beside("second-agrees", &certificate, "-: accepted Safe", &[]);
    assert_eq!(status, 0, "{verdict}");
    assert!(
        verdict.contains("second-agrees.sh says accepted Safe\n"),
        "{verdict}"
    );
    // It has been given the very bytes.
    assert_eq!(
        fs::read(file("second-agrees.sh.read")).unwrap(),
        certificate
    );
    let (_, json) = beside("second-json", &certificate, "-: accepted Safe", &["--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["second"]["answer"], "accepted Safe");
}

#[test]
fn a_second_checker_that_rejects_what_the_kernel_accepts_is_an_internal_error() {
    let says = "-: rejected Template(0) NotRefuted";
    let (status, verdict) = beside("second-rejects", &bytes(&safe()), says, &[]);
    assert_eq!(status, 5, "{verdict}");
    assert!(
        verdict.starts_with("internal error: the kernel and the second checker disagree"),
        "{verdict}"
    );
    // As is one that accepts something else, and one that accepts what the kernel rejects.
    let (status, verdict) = beside("second-other", &bytes(&safe()), "-: accepted Unsafe", &[]);
    assert_eq!(status, 5, "{verdict}");
    let mut damaged = bytes(&safe());
    damaged.truncate(damaged.len() - 1);
    let (status, verdict) = beside("second-accepts", &damaged, "-: accepted Safe", &["--json"]);
    assert_eq!(status, 5, "{verdict}");
    assert!(verdict.contains("\"verdict\": \"internal\""), "{verdict}");
    let (status, verdict) = beside("second-too", &damaged, says, &[]);
    assert_eq!(status, 1, "{verdict}");
}

#[test]
fn a_second_checker_that_declines_leaves_something_unshown() {
    let says = "-: declined Version 9";
    let (status, verdict) = beside("second-declines", &bytes(&safe()), says, &[]);
    assert_eq!(status, 4, "{verdict}");
    assert!(
        verdict.contains("differs     second checker\n"),
        "{verdict}"
    );
    assert!(
        verdict.contains("certificate  declined Version 9\n"),
        "{verdict}"
    );
}

#[test]
fn a_failing_run_is_shown_to_the_second_checker_too() {
    let says = "-: accepted Unsafe";
    let expected = ["--expect", "unsafe"];
    let (status, verdict) = beside("second-unsafe", &bytes(&failing()), says, &expected);
    assert_eq!(status, 0, "{verdict}");
}

#[test]
fn what_is_no_checker_is_refused() {
    let (status, said) = beside("second-mute", &bytes(&safe()), "", &[]);
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("does not answer as"), "{said}");
    let (status, _, errors) = run(
        "second-none",
        &bytes(&safe()),
        &["--second", "/nowhere/at-all"],
    );
    assert_eq!(status, 3, "{errors}");
    assert!(errors.contains("/nowhere/at-all cannot be run"), "{errors}");
}
