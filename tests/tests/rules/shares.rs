//! The derivations of a large proof are dealt into shares: none may be left out, and the verdict does not depend on who replays them when.

use crate::{Forge, PARAMETERS, Proof, Rejection, ZeroThenCheck, zero_then_check};
use goatherd::encode;
use goatherd_certificates::derivation::Rule;
use goatherd_checker::{
    budget::Budget,
    decode,
    error::{Declined, Failure, Where},
    replay::{Share, Spread},
    verdict::Verdict,
    verify,
};
use goatherd_tests::forge::{MEMORY, check};

/// What the checker says of the proof of zero-then-check with 398 copies of its templates, with one change, and its shares replayed so.
fn spread(change: impl FnOnce(&mut Proof), spread: Spread<'_>) -> Result<Verdict, Failure> {
    let program = ZeroThenCheck::new(0);
    let mut forge = Forge::new(&program.program, &PARAMETERS, 1);
    zero_then_check::prove(&mut forge, &program).unwrap();
    let mut proof = forge.proof();
    for _ in 0..199 {
        proof.templates.extend_from_within(..2);
        proof.derivations.extend_from_within(..2);
    }
    change(&mut proof);
    let bytes = encode::certificate(&forge.certificate_of(&proof)).unwrap();
    let mut budget = Budget::new(MEMORY);
    let decoded = decode::decode(&bytes, &mut budget, MEMORY, encode::digest)?;
    verify(&decoded, budget, spread)
}

fn in_order(shares: &mut [Share<'_>]) {
    shares.iter_mut().for_each(Share::replay);
}

fn rejected(place: Where, rejection: Rejection) -> Failure {
    Failure::Rejected { place, rejection }
}

#[test]
fn a_share_that_is_not_replayed_has_failed() {
    let open = Err(rejected(Where::Evidence, Rejection::Open));
    assert_eq!(spread(|_| {}, &|_| {}), open);
    // 400 templates: eight shares.
    for left_out in 0..8 {
        let replay = |shares: &mut [Share<'_>]| {
            assert_eq!(shares.len(), 8);
            shares.iter_mut().enumerate().filter(|(position, _)| *position != left_out).for_each(|(_, share)| share.replay());
        };
        assert_eq!(spread(|_| {}, &replay), open, "{left_out}");
    }
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

#[test]
fn the_order_does_not_matter() {
    let verdict = spread(|_| {}, &in_order).unwrap();
    assert_eq!(verdict.counts.templates, 400);
    assert_eq!(spread(|_| {}, &|shares| shares.iter_mut().rev().for_each(Share::replay)), Ok(verdict.clone()));
    let at_once = |shares: &mut [Share<'_>]| {
        std::thread::scope(|scope| shares.iter_mut().for_each(|share| drop(scope.spawn(|| share.replay()))));
    };
    assert_eq!(spread(|_| {}, &at_once), Ok(verdict));
}

#[test]
fn every_derivation_is_replayed() {
    for template in (0..400).step_by(7) {
        let rule = |rule| Where::Derivation { template, rule };
        let position = usize::try_from(template).unwrap();
        let answer = spread(|proof| proof.derivations[position].clear(), &in_order);
        assert_eq!(answer, Err(rejected(rule(u32::MAX), Rejection::Open)), "{template}");
        let answer = spread(|proof| proof.derivations[position] = vec![Rule::End], &in_order);
        assert_eq!(answer, Err(rejected(rule(0), Rejection::NotEnded)), "{template}");
    }
    assert!(spread(|proof| proof.roots.truncate(1), &in_order).is_err());
}

/// Of the first share that fails, the first.
#[test]
fn one_failure_is_reported() {
    let change = |proof: &mut Proof| {
        for template in [2, 8, 301] {
            proof.derivations[template] = vec![Rule::End];
        }
    };
    let place = Where::Derivation { template: 8, rule: 0 };
    assert_eq!(spread(change, &in_order), Err(rejected(place, Rejection::NotEnded)));
    let reversed = |shares: &mut [Share<'_>]| shares.iter_mut().rev().for_each(Share::replay);
    assert_eq!(spread(change, &reversed), Err(rejected(place, Rejection::NotEnded)));
}
