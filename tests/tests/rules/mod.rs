//! Every side condition of every rule, violated alone (`spec/calculus.md#rules`): one change to an accepted proof, one rejection.

mod deductions;
mod evaluations;
mod lemmas;
mod replay;
mod scapegoats;
mod templates;

use goatherd_certificates::{
    configuration::{Life, Slot, Template},
    derivation::{
        Choice, Deduction, DroppedElement, FactId, InputDrop, Matching, MemberId, OutcomeId, Proof, Refutation, Rule, TemplateId,
    },
    program::{FailKind, Instruction, IntegerType, Location, ObjectId, Operand, Operation, Program, RegisterId},
    term::{ArrayId, ArrayVariable, LinearId, Literal, Sign, Variable},
};
use goatherd_checker::{budget::Budget, configuration::Configuration, refute, rejection::Rejection, term::Arena};
use goatherd_tests::{
    forge::{Forge, PARAMETERS, rejection},
    programs::{self, HEADS, ZeroThenCheck},
    zero_then_check::{self, CHECKING, FILLING},
};

/// What the checker says of the proof of zero-then-check with one change.
pub(crate) fn changed(change: impl FnOnce(&mut Forge<'_>, &mut Proof)) -> Option<Rejection> {
    let program = ZeroThenCheck::new(0);
    let mut forge = Forge::new(&program.program, &PARAMETERS, 1);
    zero_then_check::prove(&mut forge, &program).unwrap();
    let mut proof = forge.proof();
    change(&mut forge, &mut proof);
    let answer = goatherd_tests::forge::check(&forge.certificate_of(&proof));
    assert_eq!(rejection(&answer).is_none(), answer.is_ok(), "{answer:?}");
    rejection(&answer)
}

/// Changes the first rule of the derivation from the long class that the change fits.
pub(crate) fn rooted(mut change: impl FnMut(&mut Forge<'_>, &mut Rule) -> bool) -> Option<Rejection> {
    changed(|forge, proof| assert!(proof.roots.iter_mut().any(|rule| change(forge, rule)), "the change fits"))
}

/// Changes the first rule of the derivation from the first template that the change fits.
pub(crate) fn filling(mut change: impl FnMut(&mut Forge<'_>, &mut Rule) -> bool) -> Option<Rejection> {
    changed(|forge, proof| {
        let rules = &mut proof.derivations[FILLING.index()];
        assert!(rules.iter_mut().any(|rule| change(forge, rule)), "the change fits");
    })
}

/// Changes the first template.
pub(crate) fn templated(change: impl FnOnce(&mut Forge<'_>, &mut Template)) -> Option<Rejection> {
    changed(|forge, proof| change(forge, &mut proof.templates[FILLING.index()]))
}

pub(crate) fn future(forge: &mut Forge<'_>) -> LinearId {
    forge.arena.variable(Variable { sort: None, number: 77 }).unwrap()
}

/// What the checker says of a derivation from the one class of a program without inputs, k = 1.
pub(crate) fn derived(
    instructions: &[Instruction],
    edit: impl FnOnce(&mut Program),
    derivation: impl FnOnce(&mut Forge<'_>, Configuration),
) -> Option<Rejection> {
    let mut program = programs::empty();
    programs::array(&mut program, "a", IntegerType::I8, IntegerType::U8);
    let register = programs::integer(&mut program, "x", IntegerType::I8);
    program.inputs.push(goatherd_certificates::program::Input::Integer { register });
    program.instructions = instructions.to_vec();
    edit(&mut program);
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    for class in 0..2 {
        let configuration = forge.root(class).unwrap();
        forge.auto(configuration);
    }
    let configuration = forge.root(2).unwrap();
    derivation(&mut forge, configuration);
    let answer = forge.check();
    assert_eq!(rejection(&answer).is_none(), answer.is_ok(), "{answer:?}");
    rejection(&answer)
}

pub(crate) const X: RegisterId = RegisterId(2);
pub(crate) const LENGTH: RegisterId = RegisterId(1);
pub(crate) const FIRST: [(u32, DroppedElement); 1] = [(0, DroppedElement::First(0))];

pub(crate) fn bare(rule: Rule) -> impl FnOnce(&mut Forge<'_>, Configuration) {
    move |forge, _| forge.rules.push(rule)
}

#[test]
fn the_proof_that_the_others_change_is_accepted() {
    assert_eq!(changed(|_, _| {}), None);
}

#[test]
fn root() {
    assert_eq!(changed(|_, proof| proof.k = 0), Some(Rejection::Root));
    assert_eq!(changed(|_, proof| proof.k = 17), Some(Rejection::Root));
    assert_eq!(changed(|_, proof| drop(proof.derivations.pop())), Some(Rejection::Root));
    assert_eq!(changed(|_, proof| drop(proof.templates.pop())), Some(Rejection::Root));
    // The last class is left out, or part of it.
    assert_eq!(changed(|_, proof| drop(proof.roots.pop())), Some(Rejection::Open));
    let end = |proof: &Proof| proof.roots.iter().rposition(|rule| matches!(rule, Rule::End)).unwrap();
    assert_eq!(changed(|_, proof| proof.roots.truncate(end(proof) + 1)), Some(Rejection::Open));
    assert_eq!(changed(|_, proof| proof.roots.push(Rule::End)), Some(Rejection::Open));
    assert_eq!(changed(|_, proof| proof.derivations[0].push(Rule::End)), Some(Rejection::Open));
    assert_eq!(changed(|_, proof| drop(proof.derivations[0].pop())), Some(Rejection::Open));
}

#[test]
fn step() {
    let with_refuted = |rule: &mut Rule, least: usize| match rule {
        Rule::Step { refuted } if refuted.len() >= least => Some(std::mem::take(refuted)),
        _ => None,
    };
    let refuting = |rule: &mut Rule, refuted| *rule = Rule::Step { refuted };
    assert_eq!(
        filling(|_, rule| with_refuted(rule, 2).is_some_and(|mut refuted| {
            refuted.reverse();
            refuting(rule, refuted);
            true
        })),
        Some(Rejection::Outcomes)
    );
    assert_eq!(
        filling(|_, rule| with_refuted(rule, 2).is_some_and(|mut refuted| {
            let first = refuted[0].clone();
            refuted.insert(0, first);
            refuting(rule, refuted);
            true
        })),
        Some(Rejection::Outcomes)
    );
    assert_eq!(
        filling(|_, rule| with_refuted(rule, 1).is_some_and(|mut refuted| {
            refuted.last_mut().unwrap().0 = OutcomeId(99);
            refuting(rule, refuted);
            true
        })),
        Some(Rejection::Outcomes)
    );
    assert_eq!(
        filling(|_, rule| with_refuted(rule, 1).is_some_and(|mut refuted| {
            refuted[0].1 = Refutation::default();
            refuting(rule, refuted);
            true
        })),
        Some(Rejection::NotRefuted)
    );
    // One outcome of two is claimed to be impossible.
    let wrong = |forge: &mut Forge<'_>, proof: &mut Proof| {
        let _ = forge;
        let refuted = vec![(OutcomeId(1), Refutation::default())];
        proof.derivations[FILLING.index()][0] = Rule::Step { refuted };
    };
    assert_eq!(changed(wrong), Some(Rejection::NotRefuted));
}

#[test]
fn the_literals_of_the_only_way_on_are_kept() {
    // Without element 0 less is known: the bound of the branch is what the scapegoat needs, although it is the only way on.
    let forgets = |rule: &mut Rule| match rule {
        Rule::StepDecided { hints, .. } => hints.first_mut().is_some_and(|hint| !std::mem::take(&mut hint.deductions).is_empty()),
        _ => false,
    };
    assert_eq!(filling(|_, rule| forgets(rule)), Some(Rejection::NotRefuted));
}
