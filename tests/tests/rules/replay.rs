//! All derivations are replayed, in order, each from the terms of the certificate alone.

use super::{Forge, PARAMETERS, Proof, Rejection, ZeroThenCheck, zero_then_check};
use goatherd::encode;
use goatherd_certificates::{certificate::Evidence, derivation::Rule};
use goatherd_checker::{
    Limits,
    apply::Premises,
    budget::Budget,
    error::{Declined, Failure, Where},
    refute::Hints,
    replay::{arena, define, derivation, templates},
    rules,
};
use goatherd_claims::{Subject, Verdict, decode};
use goatherd_tests::forge::{MEMORY, check};

/// The certificate of the proof of zero-then-check with 398 copies of its templates, with one change; and what the checker says of it.
fn replayed(change: impl FnOnce(&mut Proof)) -> Result<Verdict, Failure> {
    let program = ZeroThenCheck::new(0);
    let mut forge = Forge::new(&program.program, &PARAMETERS, 1);
    zero_then_check::prove(&mut forge, &program).unwrap();
    let mut proof = forge.proof();
    for _ in 0..199 {
        proof.templates.extend_from_within(..2);
        proof.derivations.extend_from_within(..2);
    }
    change(&mut proof);
    check(&forge.certificate_of(&proof))
}

fn rejected(place: Where, rejection: Rejection) -> Failure {
    Failure::Rejected { place, rejection }
}

/// What a template does not list, no byte of the file pays for.
#[test]
fn templates_are_paid_for() {
    let mut program = ZeroThenCheck::new(0);
    let last = program.program.registers.last().cloned().unwrap();
    program.program.registers.resize(2_000, last);
    let mut forge = Forge::new(&program.program, &PARAMETERS, 1);
    zero_then_check::prove(&mut forge, &program).unwrap();
    let mut proof = forge.proof();
    let certificate = |proof: &Proof| check(&forge.certificate_of(proof));
    assert!(certificate(&proof).is_ok());
    for _ in 0..1_000 {
        proof.templates.extend_from_within(..2);
        proof.derivations.extend_from_within(..2);
    }
    assert_eq!(certificate(&proof), Err(Failure::Declined(Declined::Memory { limit: MEMORY })));
}

/// The children of Step and of Split are copies of a configuration, which may be large: no copy is made that cannot be paid for.
#[test]
fn copies_are_paid_for_in_advance() {
    let program = ZeroThenCheck::new(0);
    let mut forge = Forge::new(&program.program, &PARAMETERS, 1);
    let root = forge.root(2).unwrap();
    let bytes = u64::try_from(root.hold(&mut Budget::new(MEMORY)).unwrap()).unwrap();
    let (zero, one) = (forge.constant(0), forge.constant(1));
    let literal = forge.arena.less(zero, one).unwrap();
    let halves = |forge: &mut Forge<'_>, memory| {
        forge.arena.budget = Budget::new(memory);
        rules::split(&mut forge.arena, &root, literal).map(|_| ())
    };
    let declined = |limit| Err(Rejection::Declined(Declined::Memory { limit }));
    assert_eq!(halves(&mut forge, 2 * bytes - 1), declined(2 * bytes - 1));
    assert_eq!(halves(&mut forge, MEMORY), Ok(()));
    // Until the first branch there is one way; at it there are two, and one copy.
    forge.arena.budget = Budget::new(MEMORY);
    let (mut branch, mut children) = (root, Vec::new());
    loop {
        let mut next = branch.clone();
        let hints = &mut Hints::new(std::iter::empty());
        assert!(rules::step(&mut forge.arena, forge.setting, &mut next, [], hints, &mut children).unwrap());
        if !children.is_empty() {
            break;
        }
        branch = next;
    }
    let bytes = u64::try_from(branch.hold(&mut Budget::new(MEMORY)).unwrap()).unwrap();
    forge.arena.budget = Budget::new(bytes - 1);
    let hints = &mut Hints::new(std::iter::empty());
    assert_eq!(rules::step(&mut forge.arena, forge.setting, &mut branch, [], hints, &mut Vec::new()).map(|_| ()), declined(bytes - 1));
}

#[test]
fn every_derivation_is_replayed() {
    for template in (0..400).step_by(7) {
        let rule = |rule| Where::Derivation { template, rule };
        let position = usize::try_from(template).unwrap();
        let answer = replayed(|proof| proof.derivations[position].clear());
        assert_eq!(answer, Err(rejected(rule(u32::MAX), Rejection::Open)), "{template}");
        let answer = replayed(|proof| proof.derivations[position] = vec![Rule::End]);
        assert_eq!(answer, Err(rejected(rule(0), Rejection::NotEnded)), "{template}");
    }
    assert!(replayed(|proof| proof.roots.truncate(1)).is_err());
    assert_eq!(replayed(|_| {}).map(|verdict| verdict.counts.templates), Ok(400));
}

/// Of several that fail, the first.
#[test]
fn one_failure_is_reported() {
    let change = |proof: &mut Proof| {
        for template in [8, 2, 301] {
            proof.derivations[template] = vec![Rule::End];
        }
    };
    assert_eq!(replayed(change), Err(rejected(Where::Derivation { template: 2, rule: 0 }, Rejection::NotEnded)));
}

/// No more work is done than is allowed.
#[test]
fn work_is_limited() {
    let program = ZeroThenCheck::new(0);
    let mut forge = Forge::new(&program.program, &PARAMETERS, 1);
    zero_then_check::prove(&mut forge, &program).unwrap();
    let mut certificate = forge.certificate_of(&forge.proof());
    let work = check(&certificate).unwrap().work;
    certificate.limits.work = work;
    assert_eq!(check(&certificate).map(|verdict| verdict.work), Ok(work));
    certificate.limits.work = work - 1;
    assert_eq!(check(&certificate), Err(Failure::Declined(Declined::Work { limit: work - 1 })));
}

/// K1: what one derivation has made, the next does not see.
#[test]
fn a_derivation_leaves_no_terms() {
    let program = ZeroThenCheck::new(0);
    let mut forge = Forge::new(&program.program, &PARAMETERS, 1);
    zero_then_check::prove(&mut forge, &program).unwrap();
    let bytes = encode::certificate(&forge.certificate_of(&forge.proof())).unwrap();
    let mut budget = Budget::new(MEMORY);
    let decoded = decode(&bytes, &mut budget, Limits::of_memory(MEMORY), encode::digest).unwrap();
    let Subject::Program(decoded) = &decoded else { panic!("it is about a program") };
    let (decoded, certificate) = (decoded.decoded(), decoded.decoded().certificate());
    let Evidence::Proof(proof) = &certificate.evidence else { panic!("the evidence is a proof") };
    let mut arena = arena(decoded, budget).unwrap();
    define(&mut arena, &certificate.terms).unwrap();
    let templates = templates(&mut arena, forge.setting, proof).unwrap();
    let premises = Premises { setting: forge.setting, templates: &templates };
    // The first term behind the table, whatever has been replayed.
    let next = |arena: &mut goatherd_checker::term::Arena| {
        let start = arena.mark();
        let next = arena.constant(123_456_789).unwrap();
        arena.return_to(&start);
        next
    };
    let first = next(&mut arena);
    for number in 0..=templates.len() {
        let mut replay =
            |arena: &mut _, configuration: &mut _, rule: &_, children: &mut _| premises.replay(arena, configuration, rule, children);
        assert!(derivation(&mut arena, premises, proof, number, &mut replay).unwrap() > 0);
        assert_eq!(next(&mut arena), first, "{number}");
    }
}
