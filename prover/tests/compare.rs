//! `goatherd compare` from outside: what tools say beside certificates, contradictions first, exit statuses, and certificates that can be replayed.

use crate::programs;

use programs::SAFE;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Neither proved nor refuted in a few steps.
const HARD: &str = "\
extern void __VERIFIER_assert(int condition);
void test(unsigned a, unsigned b)
{
    unsigned x = a * a * b + b;
    __VERIFIER_assert(x != 3123456789u || a != 77777u * b);
}
";

/// The first element is not zeroed.
fn faulty() -> String {
    SAFE.replacen("i = 0", "i = 1", 1)
}

fn folder(name: &str, results: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compare").join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(folder.join("sub")).unwrap();
    fs::write(folder.join("safe.c"), SAFE).unwrap();
    fs::write(folder.join("sub/faulty.c"), faulty()).unwrap();
    fs::write(folder.join("hard.c"), HARD).unwrap();
    fs::write(folder.join("results.csv"), results).unwrap();
    folder
}

fn compare(folder: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goatherd"));
    command.current_dir(folder).args(["compare", "results.csv"]).args(more).output().unwrap()
}

/// So many steps for each way to search.
const FEW: [&str; 4] = ["--", "--steps=2000", "--solver=builtin", "--no-confirm"];

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn contradictions_come_first_and_can_be_replayed() {
    let results = "file,One,Two\nsafe.c,true,unknown\nhard.c,true,false(reach)\nsub/faulty.c,true,FALSE\nabsent.c,,\n";
    let folder = folder("first", results);
    let output = compare(&folder, &FEW);
    let expected = "\
contradiction sub/faulty.c
  goatherd: unsafe: sub/faulty.c:8:9: false assertion
  One: true
  Two: FALSE
  certificate: compared/sub/faulty.c.goat
missing       absent.c
  goatherd: input: there is no file absent.c in . (--folder names another one)
open          hard.c
";
    assert!(text(&output).starts_with(expected), "{}", text(&output));
    let end = "\
4 programs: 1 contradiction, 1 missing, 1 open, 1 agreement
One: agrees 1, contradicted 1, verdict without certificate 1, certificate without verdict 0
Two: agrees 1, contradicted 0, verdict without certificate 1, certificate without verdict 1
";
    assert!(text(&output).ends_with(end), "{}", text(&output));
    assert_eq!(output.status.code(), Some(1));
    for (certificate, claim) in [("safe.c", "No execution of test"), ("sub/faulty.c", "An execution of test fails")] {
        let shown = Command::new(env!("CARGO_BIN_EXE_goatherd"))
            .current_dir(&folder)
            .arg("explain")
            .arg(format!("compared/{certificate}.goat"))
            .output();
        let shown = shown.unwrap();
        assert!(shown.status.success() && text(&shown).contains(claim), "{}", text(&shown));
    }
    let left: Vec<_> = fs::read_dir(folder.join("compared")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn the_exit_status_is_that_of_what_matters_most() {
    let status = |name: &str, results: &str| compare(&folder(name, results), &FEW).status.code();
    assert_eq!(status("agree", "file,One,Two\nsafe.c,true,\nsub/faulty.c,false,timeout\n"), Some(0));
    assert_eq!(status("open", "task,tool,verdict\nhard.c,One,true\nhard.c,Two,false\nsafe.c,One,true\n"), Some(2));
    assert_eq!(status("missing", "file,One\nabsent.c,true\nsafe.c,true\n"), Some(3));
    assert_eq!(status("alone", "file,One\nsafe.c,out of memory\nhard.c,true\n"), Some(0));
}

#[test]
fn the_answer_is_the_same_for_any_number_of_jobs() {
    let table = "tool\t\tOne 1.0\tTwo\nrun set\t\t\tfast\nsub/\t\tstatus\tstatus\nfaulty.c\tp\ttrue\tfalse\nsafe.c\tp\tfalse\ttrue\nhard.c\tp\tunknown\t\n";
    let folder = folder("jobs", table);
    let one = compare(&folder, &[&["--jobs=1", "--json"], &FEW[..]].concat());
    let three = compare(&folder, &[&["--jobs=3", "--json"], &FEW[..]].concat());
    assert_eq!(text(&one), text(&three));
    let report: Value = serde_json::from_slice(&one.stdout).unwrap();
    let programs = report["programs"].as_array().unwrap();
    let standings: Vec<_> =
        programs.iter().map(|program| (program["file"].as_str().unwrap(), program["standing"].as_str().unwrap())).collect();
    assert_eq!(standings, [("faulty.c", "contradiction"), ("safe.c", "contradiction"), ("hard.c", "nothing")]);
    assert_eq!(report["tools"][1]["name"], "Two (fast)");
    // The second run has put the certificates of the first one aside.
    assert!(folder.join("compared/faulty.c.goat.stale").is_file());
}

#[test]
fn wrong_usage_is_refused_before_anything_is_proved() {
    let folder = folder("usage", "file,One\nsafe.c,true\n");
    for (more, reason) in [
        (&["--", "--frobnicate"][..], "unexpected argument '--frobnicate'"),
        (&["--", "--timeout=3"], "--timeout"),
        (&["--", "-o", "x.goat"], "--out"),
    ] {
        let output = compare(&folder, more);
        assert_eq!(output.status.code(), Some(3));
        assert!(text(&output).contains(reason), "{}", text(&output));
        assert!(!folder.join("compared").exists());
    }
    fs::write(folder.join("results.csv"), "name,One\nsafe.c,true\n").unwrap();
    let output = compare(&folder, &[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output).starts_with("goatherd: cannot read results.csv as results of tools: the first line names no column `file`"),
        "{}",
        text(&output)
    );
}
