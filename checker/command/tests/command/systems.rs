//! `--source FILE.lts`: the program of a transition system.

use crate::{
    certificates::failing,
    made::certified_paths_with,
    running::{against, file},
};
use goatherd::certify::paths::{About, certify};
use goatherd_certificates::certificate::{Arithmetic, Ends, Origin, Parameters};
use goatherd_paths::analysis::{Limits, analyse};
use goatherd_systems::{
    lower::lower,
    text::{read_condition, read_lts},
};
use std::fs;

/// Counts `x` down to 0 by twos.
const TEXT: &str =
    "variables x\ninitial 1\nfinal 3\n1 -> 2\n2 -> 2: [x > 0] x := x - 2\n2 -> 3: [x <= 0]\n";

fn certified(text: &str, precondition: &str, arithmetic: Arithmetic) -> Vec<u8> {
    let lts = read_lts(text).unwrap();
    let literals = if precondition.is_empty() {
        Vec::new()
    } else {
        read_condition(precondition, &lts.variables).unwrap()
    };
    let realisation = lower(&lts, &literals, "counter").unwrap();
    let about = About {
        parameters: Parameters {
            arithmetic,
            ..failing().statement.parameters
        },
        ends: Ends::Complete,
        origin: Origin {
            file: String::from("counter.lts"),
            digest: goatherd::encode::digest(text.as_bytes()),
            definitions: Vec::new(),
            includes: Vec::new(),
            waived: Vec::new(),
        },
        files: vec![String::from("counter.lts")],
        positions: realisation.positions(text, &lts),
    };
    let outcome = analyse(&lts, &literals, Limits::default());
    certify(&realisation, &outcome.states(), &about)
        .unwrap()
        .bytes
}

#[test]
fn a_transition_system_is_compared() {
    let certificate = certified(TEXT, "", Arithmetic::Unbounded);
    let ask = |name: &str, text: &str, more: &[&str]| {
        against(
            &certificate,
            name,
            text,
            &[&["--expect", "paths"], more].concat(),
        )
    };
    let (status, verdict) = ask("counter.lts", TEXT, &[]);
    assert_eq!(status, 0, "{verdict}");
    assert!(
        verdict.contains("counter.lts is this program (the file is unchanged)")
            && verdict.contains(", the reader of transition systems\n"),
        "{verdict}"
    );
    let (status, verdict) = ask("noted.lts", &format!("# A note.\n{TEXT}"), &[]);
    assert_eq!(status, 0, "{verdict}");
    assert!(verdict.contains("the file has changed since"), "{verdict}");
    let (status, verdict) = ask("other.lts", &TEXT.replace("x - 2", "x - 3"), &[]);
    assert_eq!(status, 4, "{verdict}");
    assert!(verdict.contains("differs     instruction "), "{verdict}");
    assert!(verdict.contains("other.lts:5:1"), "{verdict}");
    let (status, verdict) = ask("entry.lts", TEXT, &["--entry", "f"]);
    assert_eq!(status, 3, "{verdict}");
    let (status, verdict) = ask("wrong.lts", "initial 1\nfinal 2\n1 -> 2: y := 1\n", &[]);
    assert_eq!(status, 3, "{verdict}");
    assert!(
        verdict.contains("wrong.lts:3:9: `y` is not declared"),
        "{verdict}"
    );
    fs::remove_file(file("counter.lts")).unwrap();
}

#[test]
fn a_precondition_is_asked_for() {
    let certificate = certified(TEXT, "x >= 2 && 3*x <= 20", Arithmetic::Unbounded);
    let ask = |name: &str, demand: &[&str]| {
        against(
            &certificate,
            name,
            TEXT,
            &[&["--expect", "paths"], demand].concat(),
        )
    };
    let (status, verdict) = ask("unasked.lts", &[]);
    assert_eq!(status, 4, "{verdict}");
    assert!(
        verdict.contains("differs     precondition\n              asked for    none\n"),
        "{verdict}"
    );
    let (status, verdict) = ask(
        "asked.lts",
        &["--require", "precondition=x >= 2 && 3*x <= 20"],
    );
    assert_eq!(status, 0, "{verdict}");
    assert!(
        verdict.contains("under the precondition x >= 2 && 3*x <= 20"),
        "{verdict}"
    );
    let (status, verdict) = ask("asked-else.lts", &["--require", "precondition=x >= 3"]);
    assert_eq!(status, 4, "{verdict}");
    let (status, verdict) = ask("asked-ill.lts", &["--require", "precondition=z >= 3"]);
    assert_eq!(status, 3, "{verdict}");
    assert!(
        verdict.contains("--require precondition: column 1"),
        "{verdict}"
    );
}

#[test]
fn integers_are_those_of_the_source() {
    let of_c = certified(TEXT, "", Arithmetic::C);
    let (status, verdict) = against(&of_c, "of-c.lts", TEXT, &["--expect", "paths"]);
    assert_eq!(status, 4, "{verdict}");
    assert!(
        verdict.contains("differs     integers\n              asked for    unbounded"),
        "{verdict}"
    );
    let text = "int test(int x) {\n  if (x < 3) return 1;\n  return 0;\n}\n";
    let of_system = certified_paths_with("unbounded.c", text, "x >= 1", Arithmetic::Unbounded);
    let (status, verdict) = against(
        &of_system,
        "unbounded.c",
        text,
        &["--expect", "paths", "--require", "precondition=1 <= x"],
    );
    assert_eq!(status, 4, "{verdict}");
    assert!(
        verdict.contains("differs     integers\n              asked for    of their C types"),
        "{verdict}"
    );
}
