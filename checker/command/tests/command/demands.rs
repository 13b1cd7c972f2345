//! What is asked for beside the claim.

use crate::{
    certificates::{bytes, safe},
    made::certified_paths,
    running::run,
};
use goatherd::encode;
use goatherd_certificates::{
    certificate::{
        Allocation, Certificate, Evidence, GroundRun, InputValue, PointerFormation, Position,
        SignedOverflow,
    },
    derivation::Rule,
    program::{Instruction, Location},
};
use serde_json::json;

/// Beside each demand stands a certificate of which that alone is not so.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of demands")]
fn demands_are_compared_with_the_verdict() {
    let mut asked = safe();
    asked.statement.parameters.signed_overflow = SignedOverflow::Fails;
    asked.statement.parameters.pointer_formation = PointerFormation::InsideObject;
    asked.statement.program.instructions[2] = Instruction::CheckLeaks { roots: Vec::new() };
    asked.statement.program.instructions.push(Instruction::Halt);
    asked.positions.push(Position {
        file: 0,
        line: 1,
        column: 50,
    });
    let Evidence::Proof(proof) = &mut asked.evidence else {
        unreachable!("it is safe")
    };
    let step = || Rule::Step {
        refuted: Vec::new(),
    };
    proof.roots = vec![step(), Rule::End, step(), Rule::End];
    asked.witnesses = vec![GroundRun {
        inputs: vec![InputValue::Integer(1)],
        choices: Vec::new(),
        steps: 3,
    }];
    let digest = |certificate: &Certificate| {
        encode::program_digest(&certificate.statement.program)
            .unwrap()
            .map(|byte| format!("{byte:02X}"))
            .concat()
    };
    let digest_demand = format!("digest={}", digest(&asked));
    let all = [
        "vacuity-excluded,checks=overflow",
        "checks=pointer",
        "checks=leak",
        "allocation=may-fail",
        "entry=test",
        &digest_demand,
    ];
    let arguments: Vec<&str> = all
        .iter()
        .flat_map(|demand| ["--require", demand])
        .collect();
    let (status, verdict, errors) = run("asked", &bytes(&asked), &arguments);
    assert_eq!((status, errors.as_str()), (0, ""), "{verdict}");

    let unmet = |name: &str, change: &dyn Fn(&mut Certificate), difference: [&str; 3]| {
        let mut changed = asked.clone();
        change(&mut changed);
        let digest_demand = format!("digest={}", digest(&changed));
        let arguments: Vec<&str> = arguments
            .iter()
            .map(|argument| {
                if argument.starts_with("digest=") {
                    digest_demand.as_str()
                } else {
                    argument
                }
            })
            .collect();
        let (status, verdict, _) = run(
            name,
            &bytes(&changed),
            &[&["--json"], arguments.as_slice()].concat(),
        );
        let verdict: serde_json::Value = serde_json::from_str(&verdict).unwrap();
        let [what, asked, certificate] = difference;
        assert_eq!(status, 4, "{verdict}");
        assert_eq!(
            verdict["differences"],
            json!([{ "what": what, "asked": asked, "certificate": certificate }])
        );
        assert_eq!(verdict["expected"], false);
    };
    unmet(
        "demand-vacuity",
        &|certificate| certificate.witnesses.clear(),
        ["vacuity", "excluded", "not excluded"],
    );
    let overflow = |certificate: &mut Certificate| {
        certificate.statement.parameters.signed_overflow = SignedOverflow::Wraps;
    };
    unmet(
        "demand-overflow",
        &overflow,
        ["signed overflow", "fails", "is not checked"],
    );
    let pointer = |certificate: &mut Certificate| {
        certificate.statement.parameters.pointer_formation = PointerFormation::Anywhere;
    };
    unmet(
        "demand-pointer",
        &pointer,
        ["a pointer outside its object", "fails", "is not checked"],
    );
    let leak = |certificate: &mut Certificate| {
        certificate.statement.program.instructions[2] = Instruction::Jump {
            target: Location(3),
        }
    };
    unmet(
        "demand-leak",
        &leak,
        ["leaked memory", "fails", "is not checked"],
    );
    let allocation = |certificate: &mut Certificate| {
        certificate.statement.parameters.allocation = Allocation::Succeeds;
    };
    unmet(
        "demand-allocation",
        &allocation,
        ["allocation", "may-fail", "succeeds"],
    );
    let entry = |certificate: &mut Certificate| {
        certificate.statement.program.entry = String::from("helper");
    };
    unmet("demand-entry", &entry, ["entry", "test", "helper"]);

    let mut other = asked.clone();
    other.statement.program.registers[0].name = String::from("y");
    let (status, verdict, _) = run(
        "demand-digest",
        &bytes(&other),
        &["--require", &digest_demand],
    );
    assert_eq!(status, 4);
    assert!(verdict.contains("  differs     digest\n"), "{verdict}");
}

#[test]
fn paths_are_claimed_only_where_they_are_asked_for() {
    let certificate = certified_paths("unasked.c", "int test(int x) { return x < 3; }\n", "x >= 2");
    let (status, verdict, _) = run("unasked", &certificate, &[]);
    assert_eq!(status, 4, "{verdict}");
    assert!(
        verdict.contains("asked for    Safe or Invariant\n              certificate  Paths\n"),
        "{verdict}"
    );
    assert_eq!(run("asked-for", &certificate, &["--expect", "paths"]).0, 0);
    let (status, verdict, _) = run(
        "paths-vacuity",
        &certificate,
        &["--expect", "paths", "--require", "vacuity-excluded"],
    );
    assert_eq!(status, 4, "{verdict}");
    assert!(
        verdict.contains("certificate  not told of Paths\n"),
        "{verdict}"
    );
}
