//! The command from outside: exit statuses, verdicts, and what is refused.

mod certificates;
mod demands;
mod formulas;
mod limits;
mod linking;
mod made;
mod running;
mod second;
mod source;
mod systems;
// Laid out as the prover is.
#[rustfmt::skip]
#[path = "../../../../prover/tests/validation/mod.rs"]
mod validation;

use certificates::{bytes, failing, safe, wrong};
use goatherd::encode;
use made::{proved, with_definitions};
use running::{file, run, run_on};
use serde_json::json;
use std::process::Command;

#[test]
fn a_safe_certificate_is_accepted() {
    let (status, verdict, errors) = run("safe", &bytes(&safe()), &[]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(verdict.starts_with("accepted: Safe\n"), "{verdict}");
    assert!(
        verdict.contains("not excluded: no ground run reaches test.c:1:33"),
        "{verdict}"
    );
    assert!(verdict.contains("te\\u{1b}st.c"), "{verdict}");
}

#[test]
fn an_unsafe_certificate_is_another_claim_unless_it_is_expected() {
    let bytes = bytes(&failing());
    let (status, verdict, _) = run("unsafe", &bytes, &[]);
    assert_eq!(status, 4);
    assert!(
        verdict.starts_with("accepted, another claim: Unsafe\n  differs     claim\n"),
        "{verdict}"
    );
    assert!(
        verdict.contains("asked for    Safe or Invariant\n              certificate  Unsafe\n"),
        "{verdict}"
    );
    assert_eq!(run("unsafe-expected", &bytes, &["--expect", "Unsafe"]).0, 0);
    assert_eq!(
        run(
            "safe-unexpected",
            &self::bytes(&safe()),
            &["--expect", "unsafe"]
        )
        .0,
        4
    );
}

#[test]
fn a_rejection_names_place_rule_and_condition() {
    let (status, verdict, _) = run("wrong", &bytes(&wrong()), &[]);
    assert_eq!(status, 1);
    assert!(
        verdict.starts_with("rejected: Step: rule 0 from the roots, size class 0: "),
        "{verdict}"
    );
}

#[test]
fn verdicts_as_json() {
    let (status, text, _) = run("json", &bytes(&failing()), &["--json"]);
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(status, 4);
    assert_eq!(
        (&verdict["verdict"], &verdict["claim"], &verdict["expected"]),
        (&"accepted".into(), &"Unsafe".into(), &false.into())
    );
    assert_eq!(
        verdict["differences"],
        json!([{ "what": "claim", "asked": "Safe or Invariant", "certificate": "Unsafe" }])
    );
    assert_eq!(
        (&verdict["entry"], &verdict["inputs"]),
        (&"test".into(), &json!(["x is any value of unsigned char"]))
    );
    assert_eq!(
        (&verdict["origin"]["definitions"], &verdict["files"]),
        (&json!(["N=3"]), &json!(["test.c"]))
    );
    assert_eq!(
        verdict["vacuity"]["assertions"],
        json!([{ "location": 0, "file": 0, "line": 1, "column": 33, "reached": true }])
    );
    assert!(verdict["work"].as_u64() <= verdict["declared"]["work"].as_u64());
    assert_eq!(verdict["declared"]["memory"], failing().limits.memory);
    let program = encode::program_digest(&failing().statement.program).unwrap();
    assert_eq!(
        verdict["program_digest"],
        program.map(|byte| format!("{byte:02x}")).concat()
    );
    let (status, text, _) = run("json-wrong", &bytes(&wrong()), &["--json"]);
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(status, 1);
    assert_eq!(
        (&verdict["verdict"], &verdict["kind"], &verdict["rule"]),
        (&"rejected".into(), &"rule".into(), &"Step".into())
    );
}

#[test]
fn damaged_files_are_rejected_in_one_line() {
    let whole = bytes(&safe());
    for (name, bytes) in [
        ("empty", &[][..]),
        ("cut", &whole[..whole.len() / 2]),
        ("random", &[0x5a; 999][..]),
    ] {
        let (status, verdict, errors) = run(name, bytes, &[]);
        assert_eq!(
            (status, verdict.lines().count(), errors.as_str()),
            (1, 1, ""),
            "{name}: {verdict}"
        );
        assert!(verdict.starts_with("rejected: "), "{verdict}");
    }
}

#[test]
fn other_versions_and_too_much_memory_are_declined() {
    let mut newer = bytes(&safe());
    newer[8] = 200;
    let (status, verdict, _) = run("newer", &newer, &[]);
    assert_eq!(
        (status, verdict.as_str()),
        (
            2,
            "declined: format version 200 is not one that this checker reads\n"
        )
    );
    let (status, verdict, _) = run("limit", &bytes(&safe()), &["--memory", "512K"]);
    assert_eq!(
        (status, verdict.as_str()),
        (
            2,
            "declined: it declares 1048576 bytes of memory, 524288 are allowed\n"
        )
    );
    let mut large = bytes(&safe());
    large.resize(1 << 21, 0);
    let (status, verdict, _) = run("large", &large, &[]);
    assert_eq!(
        (status, verdict.as_str()),
        (
            2,
            "declined: checking it takes more than 1048576 bytes of memory\n"
        )
    );
}

#[test]
fn a_time_limit_of_0_is_none() {
    let (status, verdict, _) = run("unlimited", &bytes(&safe()), &["--timeout", "0"]);
    assert_eq!(status, 0, "{verdict}");
}

#[test]
fn wrong_usage_and_missing_files_exit_with_3() {
    let certificate = bytes(&safe());
    for arguments in [
        &["--memory", "64Q"][..],
        &["--timeout", "-1"],
        &["--require", "perfection"],
        &["--require", "entry=test,checks=all"],
        &["--expect", "Perfect"],
        &["--unknown"],
        &["--json", "--print"],
        &["-I", "."],
        &["-D", "N"],
        &["--entry", "f"],
    ] {
        let (status, _, errors) = run("usage", &certificate, arguments);
        assert_eq!(status, 3, "{arguments:?}");
        assert!(errors.starts_with("error: "), "{errors}");
    }
    let (status, _, errors) = run_on(&file("no-such-file"), &[]);
    assert_eq!(status, 3);
    assert!(errors.contains("no-such-file"), "{errors}");
    assert_eq!(run_on(&file("."), &[]).0, 3);
}

#[test]
fn a_certificate_is_printed_before_its_verdict() {
    for (name, certificate) in [("print-safe", safe()), ("print-unsafe", failing())] {
        let (_, text, _) = run(name, &bytes(&certificate), &["--print"]);
        assert!(text.starts_with("Claimed: "), "{text}");
        assert!(
            text.contains("0  test.c:1:33  if (x == 3) goto 1; else goto 2   (assertion)"),
            "{text}"
        );
        assert!(text.contains("\naccepted"), "{text}");
    }
}

/// What stands for a long term is said before it is used, and once.
#[test]
fn long_terms_are_printed_before_they_are_used() {
    let text = include_str!("../../../../examples/strcpy.c");
    let certificate = proved("print-terms.c", text, &with_definitions(&[]));
    let (_, text, _) = run("print-terms", &certificate, &["--print"]);
    let derivations = text
        .split_once("Template 0")
        .map_or("", |(_, derivations)| derivations);
    let is_name = |word: &str| {
        let number = word.strip_prefix(['a', 't', 'A']).unwrap_or_default();
        !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit())
    };
    let mut defined = Vec::new();
    for line in derivations.lines() {
        let line = line.trim();
        let (definition, used) = match line
            .strip_prefix("term ")
            .and_then(|line| line.split_once(" = "))
        {
            Some((name, text)) => (Some(name), text),
            None => (None, line),
        };
        let words =
            used.split(|character: char| !character.is_ascii_alphanumeric() && character != '.');
        for word in words.filter(|word| is_name(word)) {
            assert!(
                defined.contains(&word),
                "{word} is used before it is defined: {line}"
            );
        }
        if let Some(name) = definition {
            assert!(!defined.contains(&name), "{name} is defined twice");
            defined.push(name);
        }
    }
    assert!(!defined.is_empty(), "{text}");
}

#[test]
fn the_kernel_source_digest_is_that_of_the_source() {
    let (_, text, _) = run("trusted", &bytes(&safe()), &["--json"]);
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    let digest = verdict["trusted"]["kernel_source_digest"]
        .as_str()
        .unwrap()
        .to_owned();
    let script = "cd ../.. && LC_ALL=C && export LC_ALL && sha256sum certificates/src/*.rs checker/src/*.rs checker/claims/src/*.rs checker/claims/*/src/*.rs | sha256sum";
    let output = Command::new("sh")
        .args(["-c", script])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        format!("{digest}  -\n")
    );
}
