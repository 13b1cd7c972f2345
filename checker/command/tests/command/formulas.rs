//! Formulas: which question of its script a certificate answers.

use crate::{
    certificates::{bytes, failing, safe, wrong},
    running::{against, file, run},
    validation::assert_valid,
};
use goatherd::certify::formulas::certify;
use goatherd_certificates::certificate::Origin;
use goatherd_queries::read;
use goatherd_satisfiability::{Decision, decide};
use std::fs;

/// Of three questions, the second and the third have no model.
const SCRIPT: &str =
    "(declare-const p Bool)\n(assert p)\n(check-sat)\n(assert (not p))\n(check-sat)\n(check-sat)\n";

/// A certificate for one of the questions of a script.
fn certified(name: &str, question: usize) -> Vec<u8> {
    let path = file(name);
    fs::write(&path, SCRIPT).unwrap();
    let read = read(&path).unwrap();
    let formula = read.script.formula(question).unwrap();
    let Decision::Unsatisfiable(evidence) = decide(&formula, 1000) else {
        panic!("question {question} has a model")
    };
    let origin = Origin {
        file: name.to_owned(),
        digest: read.digest,
        definitions: Vec::new(),
        includes: Vec::new(),
        waived: Vec::new(),
    };
    certify(&formula, &origin, evidence).unwrap().bytes
}

#[test]
fn a_verdict_says_which_question_it_answers() {
    for question in [2, 3] {
        let name = format!("questions-{question}.smt2");
        let certificate = certified(&name, question);
        let expected = ["--expect", "Unsatisfiable"];
        let (status, alone, _) = run("questions.goat", &certificate, &expected);
        let says =
            format!("  question    check-sat {question} of the script, as the certificate says\n");
        assert!(status == 0 && alone.contains(&says), "{alone}");
        let (status, compared) = against(&certificate, &name, SCRIPT, &expected);
        let says = format!("  question    check-sat {question} of 3\n");
        assert!(status == 0 && compared.contains(&says), "{compared}");
    }
}

#[test]
fn verdicts_are_as_the_schema_says() {
    let certificate = certified("schemas.smt2", 2);
    let script = file("schemas.smt2");
    let source = ["--json", "--source", script.to_str().unwrap()];
    for (bytes, options, verdict) in [
        (certificate.clone(), &["--json"][..], "accepted"),
        (certificate, &source, "accepted"),
        (bytes(&safe()), &["--json"], "accepted"),
        (bytes(&failing()), &["--json"], "accepted"),
        (bytes(&wrong()), &["--json"], "rejected"),
        (b"no certificate".to_vec(), &["--json"], "rejected"),
        (bytes(&safe()), &["--json", "--work", "1"], "declined"),
    ] {
        let (_, text, errors) = run("schemas.goat", &bytes, options);
        let report =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{errors}"));
        assert_valid("goatherd-check-2", &report);
        assert_eq!(report["verdict"], verdict, "{report:#}");
    }
}
