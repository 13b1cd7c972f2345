//! Certificates with flipped bits and mutated certificates: what is accepted is true.

use goatherd::encode;
use goatherd_certificates::{
    certificate::{Certificate, GroundRun, InputValue},
    program::{Instruction, IntegerType, Operand, Relation},
};
use goatherd_interpreter::Random;
use goatherd_paths::analysis::{Limits, analyse};
use goatherd_systems::text::read_lts;
use goatherd_tests::{
    forge::{Forge, PARAMETERS, certificate_of_run},
    mutants::{self, check, frame, is_true, repair, repair_trailer},
    path_experiments::Experiment,
    programs::{FAIL, ZeroThenCheck, array, branch, empty},
    zero_then_check,
};

fn encoded(certificate: &Certificate) -> Vec<u8> {
    encode::certificate(certificate).unwrap()
}

fn zero_then_check() -> Vec<u8> {
    let program = ZeroThenCheck::new(0);
    let mut forge = Forge::new(&program.program, &PARAMETERS, 1);
    zero_then_check::prove(&mut forge, &program).unwrap();
    encoded(&forge.certificate_of(&forge.proof()))
}

/// A run that fails for arrays of two elements.
fn failing_run() -> Vec<u8> {
    let program = ZeroThenCheck::new(1);
    let run = GroundRun { inputs: vec![InputValue::Array(vec![vec![0], vec![5]])], choices: Vec::new(), steps: 19 };
    encoded(&certificate_of_run(&program.program, PARAMETERS, run))
}

/// A few instructions: `if (n < 3) if (n > 3) fail`, with a template on the way.
fn small() -> Vec<u8> {
    let mut program = empty();
    let (_, length, _) = array(&mut program, "a", IntegerType::I8, IntegerType::U8);
    let (length, three) = (Operand::Register(length), Operand::Constant(3));
    program.instructions =
        vec![branch(Relation::Less, length, three, 1, 2), branch(Relation::Less, three, length, 3, 2), Instruction::Halt, FAIL];
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    for class in 0..2 {
        let root = forge.root(class).unwrap();
        forge.auto(root);
    }
    let root = forge.root(2).unwrap();
    let mut children = forge.step(root);
    let other = children.pop().unwrap();
    let short = children.pop().unwrap();
    forge.forge_template(&short, |_, _| {}, Forge::auto);
    forge.auto(other);
    encoded(&forge.certificate_of(&forge.proof()))
}

/// The graph of a loop, with marks, merging and templates.
fn paths() -> Vec<u8> {
    let text =
        "variables x y\ninitial 1\nfinal 4\n1 -> 2: [x >= 0 && x <= 2] y := 0\n2 -> 3: [y < x] y := y + 1\n3 -> 2\n2 -> 4: [y >= x]\n";
    let lts = read_lts(text).unwrap();
    let experiment = Experiment { system: String::from("loop"), precondition: None, lts, literals: Vec::new() };
    let outcome = analyse(&experiment.lts, &[], Limits::default());
    experiment.certify(&outcome.states()).unwrap().0.bytes
}

/// Flips every bit, lets the flipped bytes be repaired, and says how many are accepted.
fn flips(bytes: &[u8], positions: std::ops::Range<usize>, mut accepted: impl FnMut(&mut Vec<u8>)) {
    for position in positions {
        for bit in 0..8 {
            let mut flipped = bytes.to_vec();
            flipped[position] ^= 1 << bit;
            accepted(&mut flipped);
        }
    }
}

#[test]
fn no_flipped_bit_is_accepted() {
    for bytes in [small(), failing_run(), zero_then_check(), paths()] {
        check(&bytes).unwrap();
        flips(&bytes, 0..bytes.len(), |flipped| assert!(check(flipped).is_err()));
    }
}

#[test]
fn a_flipped_bit_under_a_right_trailer_leaves_the_statement_as_it_was() {
    for bytes in [small(), failing_run(), paths()] {
        let verdict = check(&bytes).unwrap();
        let end = bytes.len() - encode::digest(&[]).len();
        let mut count = 0;
        flips(&bytes, 0..end, |flipped| {
            repair_trailer(flipped);
            if let Ok(other) = check(flipped) {
                count += 1;
                assert_eq!(other.statement_digest, verdict.statement_digest);
                assert_eq!(other.claim, verdict.claim);
            }
        });
        println!("{count} of {} accepted", 8 * end);
    }
}

#[test]
fn a_flipped_statement_that_is_accepted_is_true() {
    let random = &mut Random::new(0);
    for bytes in [small(), failing_run(), paths()] {
        let verdict = check(&bytes).unwrap();
        let frame = frame(&bytes, &verdict).unwrap();
        let mut count = 0;
        flips(&bytes, frame.statement..frame.end, |flipped| {
            repair(flipped, frame);
            if check(flipped).is_ok() {
                count += 1;
                is_true(flipped, random).unwrap();
            }
        });
        println!("{count} of {} accepted", 8 * (frame.end - frame.statement));
        assert!(count > 0, "names may change");
    }
}

#[test]
fn mutants_that_are_accepted_are_true() {
    for (bytes, seed) in [(small(), 1), (failing_run(), 2), (zero_then_check(), 3), (paths(), 4)] {
        let counts = mutants::run(&bytes, 1500, seed).unwrap();
        println!("{counts:?}");
        assert!(counts.accepted > 0);
    }
}
