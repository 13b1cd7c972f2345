//! The proof of zero-then-check (templates, Subsume, Descent), and one change to it each.

use super::Catalogue;
use crate::{
    forge::{Forge, PARAMETERS},
    programs::{HEADS, ZeroThenCheck},
    zero_then_check::{self, FILLING},
};
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{Life, Slot},
    derivation::{Matching, MemberId, OutcomeId, Proof, Refutation, Rule, TemplateId},
    program::{IntegerType, ObjectId},
    term::{ArrayId, ArrayVariable, LinearId, Variable},
};
use goatherd_checker::rejection::Rejection;

/// The proof with one change.
fn changed(change: impl FnOnce(&mut Forge<'_>, &mut Proof)) -> Certificate {
    let program = ZeroThenCheck::new(0);
    let mut forge = Forge::new(&program.program, &PARAMETERS, 1);
    zero_then_check::prove(&mut forge, &program).expect("the proof has a meaning");
    let mut proof = forge.proof();
    change(&mut forge, &mut proof);
    forge.certificate_of(&proof)
}

/// Adds so many copies of the first template, each with its derivation.
fn copy_first(proof: &mut Proof, count: usize) {
    proof.templates.extend(vec![proof.templates[FILLING.index()].clone(); count]);
    proof.derivations.extend(vec![proof.derivations[FILLING.index()].clone(); count]);
}

/// The derivation from the template at the head of the first loop.
fn filling(proof: &mut Proof) -> &mut Vec<Rule> {
    &mut proof.derivations[FILLING.index()]
}

/// The parts of a Subsume that a change edits.
struct Parts<'r> {
    template: &'r mut TemplateId,
    integers: &'r mut Vec<LinearId>,
    arrays: &'r mut Vec<ArrayId>,
    hints: &'r mut Vec<Refutation>,
}

/// Changes the Subsume of the derivation from the long class.
fn subsumed(change: impl FnOnce(&mut Forge<'_>, Parts<'_>)) -> Certificate {
    changed(|forge, proof| {
        let parts = proof.roots.iter_mut().find_map(|rule| match rule {
            Rule::Subsume { template, matching, hints } => {
                let Matching { integers, arrays, .. } = matching;
                Some(Parts { template, integers, arrays, hints })
            }
            _ => None,
        });
        change(forge, parts.expect("a Subsume"));
    })
}

/// A variable that no configuration has.
fn absent(forge: &mut Forge<'_>) -> LinearId {
    forge.arena.variable(Variable { sort: None, number: 77 }).expect("a variable")
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    let reason = "a proof by two templates, Subsume and Descent; the other files named zero- change it";
    vectors.accepted("zero-then-check-accepted", reason, &changed(|_, _| {}));
    subsume(vectors);
    template(vectors);
    members(vectors);
    many(vectors);
}

/// So many templates that one that is left out could be overlooked.
fn many(vectors: &mut Catalogue) {
    vectors.accepted(
        "many-accepted",
        "the proof by two templates, with 128 copies of the first one",
        &changed(|_, proof| copy_first(proof, 128)),
    );
    let certificate = changed(|_, proof| {
        copy_first(proof, 128);
        drop(proof.derivations.last_mut().and_then(Vec::pop));
    });
    vectors.rejected("many-open", Rejection::Open, "the derivation of the last of 130 templates lacks a rule", &certificate);
    let certificate = changed(|_, proof| {
        copy_first(proof, 128);
        drop(proof.roots.pop());
    });
    vectors.rejected("many-root-open", Rejection::Open, "a class of the proof with 130 templates lacks a rule", &certificate);
}

fn subsume(vectors: &mut Catalogue) {
    let mut rejected = |name: &str, rejection, reason, certificate: Certificate| vectors.rejected(name, rejection, reason, &certificate);
    let certificate = subsumed(|_, parts| *parts.template = TemplateId(2));
    rejected("zero-subsume-missing", Rejection::Missing, "Subsume names template 2, and there are two", certificate);
    let certificate = subsumed(|_, parts| *parts.template = zero_then_check::CHECKING);
    rejected("zero-subsume-location", Rejection::Shape, "Subsume by the template of another location", certificate);
    let certificate = subsumed(|_, parts| parts.integers.truncate(1));
    rejected("zero-subsume-substitution", Rejection::Substitution, "one term is given for two integer variables", certificate);
    let certificate = subsumed(|forge, parts| parts.integers[0] = absent(forge));
    rejected("zero-subsume-variable", Rejection::Variable, "the substitution mentions a variable that does not exist", certificate);
    let certificate = subsumed(|forge, parts| {
        parts.integers[1] = forge.constant(-1);
        parts.hints.insert(0, Refutation::default());
    });
    rejected("zero-subsume-sort", Rejection::NotRefuted, "a variable of sort U64 is replaced by -1", certificate);
    let certificate = subsumed(|forge, parts| {
        let zero = forge.constant(0);
        parts.arrays[0] = forge.arena.constant_array(zero).expect("an array");
    });
    rejected("zero-subsume-array", Rejection::Slot, "the substitution gives another array than the members hold", certificate);
    let certificate = subsumed(|_, parts| parts.hints.push(Refutation::default()));
    rejected("zero-subsume-hint-left", Rejection::Hints, "a hint without an obligation", certificate);
    let certificate = changed(|forge, proof| {
        let x = forge.arena.variable(Variable { sort: None, number: 0 }).expect("a variable");
        let y = forge.arena.variable(Variable { sort: Some(IntegerType::U64), number: 0 }).expect("a variable");
        let rest = forge.arena.array_variable(ArrayVariable { sort: IntegerType::I32, number: 0 }).expect("a variable");
        let objects = vec![vec![ObjectId(0)]; 2];
        let matching = Matching { integers: vec![x, y], arrays: vec![rest], objects, ..Matching::default() };
        let rule = Rule::Subsume { template: FILLING, matching, hints: Vec::new() };
        *filling(proof) = vec![rule];
    });
    rejected("zero-subsume-progress", Rejection::Progress, "a template subsumes itself without a step", certificate);
}

fn template(vectors: &mut Catalogue) {
    let mut rejected = |name: &str, rejection, reason, certificate: Certificate| vectors.rejected(name, rejection, reason, &certificate);
    let certificate = changed(|forge, proof| {
        let x = forge.arena.variable(Variable { sort: None, number: 0 }).expect("a variable");
        let two = forge.constant(2);
        let stronger = forge.arena.at_most(two, x).expect("small integers");
        proof.templates[FILLING.index()].predicate.push(stronger);
    });
    rejected("zero-template-literal", Rejection::Hints, "the template asks for 2 <= i, for which Subsume gives no hint", certificate);
    let certificate = changed(|_, proof| proof.templates[FILLING.index()].members[0].registers[0].1 = Slot::Null);
    rejected("zero-template-slot", Rejection::Slot, "the template asks for NULL where there is a pointer", certificate);
    let certificate = changed(|_, proof| proof.templates[FILLING.index()].members[0].objects[0].life = Life::Dead);
    rejected("zero-template-life", Rejection::Shape, "the template asks for a dead object where it is live", certificate);
    let certificate = changed(|_, proof| proof.templates[FILLING.index()].members[0].location = HEADS[1]);
    rejected("zero-template-location", Rejection::Shape, "the primary of the template is elsewhere", certificate);
    let certificate = changed(|_, proof| proof.templates[FILLING.index()].members.clear());
    rejected("zero-template-empty", Rejection::Shape, "a template without members", certificate);
    let certificate = changed(|_, proof| proof.templates[FILLING.index()].members[0].registers.swap(0, 1));
    rejected("zero-template-order", Rejection::Shape, "the registers of a template are not ascending", certificate);
    let certificate = changed(|_, proof| proof.templates[FILLING.index()].members[0].registers[2].1 = Slot::Null);
    rejected("zero-template-type", Rejection::Slot, "an integer register of a template holds NULL", certificate);
    let certificate = changed(|forge, proof| proof.templates[FILLING.index()].members[0].registers[2].1 = Slot::Integer(absent(forge)));
    rejected("zero-template-variable", Rejection::Variable, "a template mentions a variable outside its scope", certificate);
    let certificate =
        changed(|_, proof| proof.templates[FILLING.index()].members[0].registers.retain(|(register, _)| register.index() != 2));
    rejected(
        "zero-template-forgotten",
        Rejection::Forgotten,
        "the derivation branches on a register that the template forgets",
        certificate,
    );
}

fn members(vectors: &mut Catalogue) {
    let mut rejected = |name: &str, rejection, reason, certificate: Certificate| vectors.rejected(name, rejection, reason, &certificate);
    let certificate = changed(|_, proof| *filling(proof) = vec![Rule::Descent { member: MemberId(0) }]);
    rejected("zero-descent-primary", Rejection::Primary, "Descent to the primary", certificate);
    let certificate = changed(|_, proof| *filling(proof) = vec![Rule::Descent { member: MemberId(1) }]);
    rejected("zero-descent-not-failed", Rejection::NotFailed, "Descent to a scapegoat that has not failed", certificate);
    let certificate = changed(|_, proof| *filling(proof) = vec![Rule::Descent { member: MemberId(2) }]);
    rejected("zero-descent-missing", Rejection::Missing, "Descent to a member that does not exist", certificate);
    let certificate = changed(|_, proof| *filling(proof) = vec![Rule::End]);
    rejected("zero-end", Rejection::NotEnded, "End in the middle of the program", certificate);
    let certificate = changed(|_, proof| filling(proof).insert(0, Rule::Drop { member: MemberId(0) }));
    rejected("zero-drop-primary", Rejection::Primary, "Drop of the primary", certificate);
    let certificate = changed(|_, proof| filling(proof).insert(0, Rule::Drop { member: MemberId(2) }));
    rejected("zero-drop-missing", Rejection::Missing, "Drop of a member that does not exist", certificate);
    let certificate = changed(|_, proof| {
        let position = filling(proof).iter().position(|rule| matches!(rule, Rule::Subsume { .. })).expect("a Subsume");
        filling(proof).insert(position, Rule::Drop { member: MemberId(1) });
    });
    rejected("zero-drop-needed", Rejection::Shape, "a scapegoat is dropped that the template asks for", certificate);
    let certificate = changed(|_, proof| {
        let add = proof.roots.iter().find(|rule| matches!(rule, Rule::AddScapegoat { .. })).cloned().expect("a scapegoat");
        filling(proof).insert(0, add);
    });
    rejected("zero-add-below-template", Rejection::EntryTerms, "AddScapegoat below a template", certificate);
    let refuting = |edit: fn(&mut Vec<(OutcomeId, Refutation)>)| {
        changed(|_, proof| {
            let refuted = filling(proof).iter_mut().find_map(|rule| match rule {
                Rule::Step { refuted } if refuted.len() >= 2 => Some(refuted),
                _ => None,
            });
            edit(refuted.expect("two refuted outcomes"));
        })
    };
    let certificate = refuting(|refuted| refuted.reverse());
    rejected("zero-step-order", Rejection::Outcomes, "the refuted outcomes of a Step are not ascending", certificate);
    let certificate = refuting(|refuted| refuted[1].0 = OutcomeId(99));
    rejected("zero-step-missing", Rejection::Outcomes, "a refuted outcome that does not exist", certificate);
    let certificate = refuting(|refuted| refuted[0].1 = Refutation::default());
    rejected("zero-step-no-refutation", Rejection::NotRefuted, "a refuted outcome with an empty refutation", certificate);
    decided(vectors);
}

/// `StepDecided` of the scapegoat with the branch of the loop.
fn decided(vectors: &mut Catalogue) {
    let edited = |edit: fn(&mut MemberId, &mut OutcomeId, &mut Vec<Refutation>)| {
        changed(|_, proof| {
            let step = filling(proof).iter_mut().find_map(|rule| match rule {
                Rule::StepDecided { member, outcome, hints, .. } if !hints.is_empty() => Some((member, outcome, hints)),
                _ => None,
            });
            let (member, outcome, hints) = step.expect("a step that is not evident");
            edit(member, outcome, hints);
        })
    };
    let mut rejected = |name: &str, rejection, reason, certificate: Certificate| vectors.rejected(name, rejection, reason, &certificate);
    let certificate = edited(|member, _, _| member.0 = 0);
    rejected("zero-decided-primary", Rejection::Primary, "StepDecided of the primary", certificate);
    let certificate = edited(|member, _, _| member.0 = 2);
    rejected("zero-decided-member", Rejection::Missing, "StepDecided of a member that does not exist", certificate);
    let certificate = edited(|_, outcome, _| outcome.0 = 99);
    rejected("zero-decided-outcome", Rejection::Missing, "StepDecided with an outcome that does not exist", certificate);
    let certificate = edited(|_, _, hints| drop(hints.pop()));
    rejected("zero-decided-hint-missing", Rejection::Hints, "StepDecided without the hint of its condition", certificate);
    let certificate = edited(|_, _, hints| hints.push(Refutation::default()));
    rejected("zero-decided-hint-left", Rejection::Hints, "StepDecided with a hint too many", certificate);
    let certificate = edited(|_, outcome, _| outcome.0 = 1);
    rejected("zero-decided-other-way", Rejection::NotRefuted, "StepDecided goes the other way of a decided branch", certificate);
}
