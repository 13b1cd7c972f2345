//! Derivations are dealt into shares: none may be left out, and the verdict depends neither on how many shares there are nor on who replays them
//! when.

use crate::{Forge, PARAMETERS, Proof, Rejection, ZeroThenCheck, zero_then_check};
use goatherd::encode;
use goatherd_certificates::derivation::Rule;
use goatherd_checker::{
    Limits,
    budget::Budget,
    error::{Declined, Failure, Where},
    refute::Hints,
    replay::{Share, Spread},
    rules,
};
use goatherd_claims::{Verdict, decode, verify};
use goatherd_tests::forge::{MEMORY, WORK, check};

/// What the checker says of the proof of zero-then-check with 398 copies of its templates, with one change, and its shares replayed so.
fn spread(change: impl FnOnce(&mut Proof), shares: usize, replay: &dyn Fn(&mut [Share<'_>])) -> Result<Verdict, Failure> {
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
    let decoded = decode(&bytes, &mut budget, Limits::of_memory(MEMORY), encode::digest)?;
    verify(&decoded, budget, Spread { shares, replay })
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
    assert_eq!(spread(|_| {}, 8, &|_| {}), open);
    for left_out in 0..8 {
        let replay = |shares: &mut [Share<'_>]| {
            assert_eq!(shares.len(), 8);
            shares.iter_mut().enumerate().filter(|(position, _)| *position != left_out).for_each(|(_, share)| share.replay());
        };
        assert_eq!(spread(|_| {}, 8, &replay), open, "{left_out}");
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

/// Whoever has a share replayed twice learns nothing new.
#[test]
fn a_share_is_replayed_once() {
    let twice = |shares: &mut [Share<'_>]| {
        for share in shares {
            share.replay();
            share.replay();
        }
    };
    assert_eq!(spread(|_| {}, 3, &twice), spread(|_| {}, 1, &in_order));
}

#[test]
fn the_order_does_not_matter() {
    let verdict = spread(|_| {}, 1, &in_order).unwrap();
    assert_eq!(verdict.counts.templates, 400);
    assert_eq!(spread(|_| {}, 7, &|shares| shares.iter_mut().rev().for_each(Share::replay)), Ok(verdict.clone()));
    let at_once = |shares: &mut [Share<'_>]| {
        std::thread::scope(|scope| shares.iter_mut().for_each(|share| drop(scope.spawn(|| share.replay()))));
    };
    for shares in [0, 1, 2, 3, 5, 16, 1000] {
        assert_eq!(spread(|_| {}, shares, &at_once), Ok(verdict.clone()), "{shares}");
    }
}

#[test]
fn every_derivation_is_replayed() {
    for template in (0..400).step_by(7) {
        let rule = |rule| Where::Derivation { template, rule };
        let position = usize::try_from(template).unwrap();
        let answer = spread(|proof| proof.derivations[position].clear(), 3, &in_order);
        assert_eq!(answer, Err(rejected(rule(u32::MAX), Rejection::Open)), "{template}");
        let answer = spread(|proof| proof.derivations[position] = vec![Rule::End], 3, &in_order);
        assert_eq!(answer, Err(rejected(rule(0), Rejection::NotEnded)), "{template}");
    }
    assert!(spread(|proof| proof.roots.truncate(1), 3, &in_order).is_err());
}

/// Of several that fail, the first.
#[test]
fn one_failure_is_reported() {
    let change = |proof: &mut Proof| {
        for template in [8, 2, 301] {
            proof.derivations[template] = vec![Rule::End];
        }
    };
    let failure = Err(rejected(Where::Derivation { template: 2, rule: 0 }, Rejection::NotEnded));
    let reversed = |shares: &mut [Share<'_>]| shares.iter_mut().rev().for_each(Share::replay);
    for shares in [1, 2, 3, 5, 16] {
        assert_eq!(spread(change, shares, &in_order), failure, "{shares}");
        assert_eq!(spread(change, shares, &reversed), failure, "{shares}");
    }
}

/// The whole verdict, or the failure with its place, of every test vector.
#[test]
fn vectors_do_not_depend_on_shares() {
    for vector in goatherd_tests::vectors::all() {
        let check = |shares| {
            let (allowed, mut budget) = (Limits { memory: MEMORY, work: WORK }, Budget::new(MEMORY));
            let decoded = decode(&vector.bytes, &mut budget, allowed, encode::digest)?;
            verify(&decoded, budget, Spread { shares, replay: &in_order })
        };
        let alone = check(1);
        for shares in [2, 3, 5, 16] {
            assert_eq!(check(shares), alone, "{}, {shares} shares", vector.file);
        }
    }
}

/// No more work is done than is allowed, and how much is done does not depend on shares.
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
