//! Replays a proof: a stack machine whose commands are the rules (`spec/calculus.md#replay`).
//!
//! Each derivation is a proof of its own that uses what templates say, not how they are derived.

use crate::apply::{Premises, Replayer};
use crate::decode::{Decoded, Rules};
use crate::error::{self, Failure, Where};
use crate::{Member, *};
use alloc::{borrow::Cow, vec, vec::Vec};
use goatherd_certificates::*;

/// Least and greatest k.
const K: core::ops::RangeInclusive<u32> = 1..=16;

/// No execution of the program from a valid input fails, unless it is ignored first: that has been proved. Only [`safe`] makes one.
#[derive(Debug)]
#[non_exhaustive]
pub struct Safe {
    /// How many rules were replayed.
    pub rules: u64,
    /// How many templates were proved.
    pub templates: u64,
}

/// An arena without terms, for a program that has a meaning.
pub fn arena(decoded: &Decoded<'_>, mut budget: Budget) -> Result<Arena, Failure> {
    let certificate = decoded.certificate();
    wellformed::certificate(certificate, &mut budget)?;
    Ok(Arena::new(&certificate.statement.program.tables, budget)?)
}

/// Replays a proof that no execution fails: of the program, or of the one with the lemmas. Gives back the arena, without terms.
pub fn safe(decoded: &Decoded<'_>, budget: Budget) -> Result<(Safe, Arena), Failure> {
    let certificate = decoded.certificate();
    let mut arena = arena(decoded, budget)?;
    let statement = &certificate.statement;
    let at_evidence = error::at(Where::Evidence);
    let (Evidence::Proof(proof), Claim::Safe, Arithmetic::C) = (
        &certificate.evidence,
        statement.claim,
        statement.parameters.arithmetic,
    ) else {
        return Err(at_evidence(Rejection::Claim));
    };
    ensure(K.contains(&proof.k), at_evidence(Rejection::Root))?;
    let before = arena.mark();
    let mut program = Cow::Borrowed(&statement.program);
    if !proof.lemmas.is_empty() {
        // The copy takes less than all that has been read, and each lemma adds three instructions, a register and an input at most.
        let each = size_of::<([Instruction; 3], Register, Input)>();
        arena.budget.take(each.saturating_mul(proof.lemmas.len()))?;
        arena.budget.take(arena.budget.held)?;
        wellformed::add_lemmas(program.to_mut(), &proof.lemmas)?;
    }
    let setting = Setting {
        program: &program,
        parameters: &statement.parameters,
        k: proof.k,
        sorts: &proof.sorts,
    };
    define(&mut arena, &certificate.terms)?;
    let templates = templates(&mut arena, setting, proof)?;
    let premises = Premises {
        setting,
        templates: &templates,
    };
    let mut rules = 0u64;
    let mut replay = |arena: &mut _, configuration: &mut _, rule: &_, children: &mut _| {
        premises.replay(arena, configuration, rule, children)
    };
    for number in 0..=templates.len() {
        let replayed = derivation(&mut arena, premises, proof, number, &mut replay)?;
        rules = rules.saturating_add(replayed.into());
    }
    arena.return_to(&before);
    let templates = u64::try_from(templates.len()).unwrap_or(u64::MAX);
    Ok((Safe { rules, templates }, arena))
}

/// Makes the terms of the certificate.
pub fn define(arena: &mut Arena, terms: &[Term]) -> Result<(), Failure> {
    for (position, term) in (0u32..).zip(terms) {
        arena
            .define(term)
            .map_err(error::at(Where::Term(position)))?;
    }
    Ok(())
}

/// The templates of a proof, each of which has a derivation. What a template does not list takes memory, too.
pub fn templates(
    arena: &mut Arena,
    setting: Setting<'_>,
    proof: &Proof<Rules<'_>>,
) -> Result<Vec<Configuration>, Failure> {
    ensure(
        proof.derivations.len() == proof.templates.len(),
        error::at(Where::Evidence)(Rejection::Root),
    )?;
    let mut templates = Vec::new();
    let size = Member::new(setting, Place::Failed, Slot::Forgotten).bytes();
    for (position, template) in (0u32..).zip(&proof.templates) {
        let members = template.members.len();
        arena.budget.take(members.saturating_mul(size))?;
        let made = subsume::template(arena, setting, template);
        templates.push(made.map_err(error::at(Where::Template(position)))?);
    }
    Ok(templates)
}

/// Replays the derivation with this number: 0 is the one from the size classes, those from the templates follow. Gives the number of rules. What
/// it comes to is a function of the certificate and the number: it begins with the certificate's terms alone, and leaves no others
/// (`spec/calculus.md#attacks` K1).
pub fn derivation(
    arena: &mut Arena,
    premises: Premises<'_>,
    proof: &Proof<Rules<'_>>,
    number: usize,
    replay: Replayer<'_>,
) -> Result<u32, Failure> {
    let start = arena.mark();
    let rules = if let Some(position) = number.checked_sub(1) {
        let missing = error::at(Where::Evidence)(Rejection::Open);
        let template = u32::try_from(position).map_err(|_| missing)?;
        let root = premises.templates.get(position);
        let (root, rules) = root.zip(proof.derivations.get(position)).ok_or(missing)?;
        let root = |_: &mut Arena, class| Ok((class == 0).then(|| root.clone()));
        let at = |_, rule| Where::Derivation { template, rule };
        derive(arena, *rules, root, replay, at)
    } else {
        let setting = premises.setting;
        let lengths = proof.lengths;
        let root = |arena: &mut Arena, class| rules::root(arena, setting, lengths, class);
        let at = |class, rule| Where::Root { class, rule };
        derive(arena, proof.roots, root, replay, at)
    }?;
    arena.return_to(&start);
    Ok(rules)
}

/// Takes rules until each root, by number as long as there is one, and all that it leads to, is closed. Gives their number.
fn derive(
    arena: &mut Arena,
    mut rules: Rules<'_>,
    root: impl Fn(&mut Arena, u64) -> Result<Option<Configuration>>,
    replay: Replayer<'_>,
    at: impl Fn(u64, u32) -> Where,
) -> Result<u32, Failure> {
    let mut class = 0;
    let mut position = 0u32;
    while let Some(root) = root(arena, class).map_err(error::at(at(class, position)))? {
        // The open configurations, each with the bytes that it takes; a rule acts on the last one, and leaves these open beside it.
        let mut stack = vec![(root.hold(&mut arena.budget)?, root)];
        let mut children = Vec::new();
        while let Some((bytes, configuration)) = stack.last_mut() {
            let held = arena.budget.held;
            let rule = rules
                .next(&mut arena.budget)?
                .ok_or(error::at(at(class, u32::MAX))(Rejection::Open))?;
            let read = arena.budget.held.saturating_sub(held);
            arena.budget.release(*bytes);
            let is_open = replay(arena, configuration, &rule, &mut children)
                .map_err(error::at(at(class, position)))?;
            if is_open {
                *bytes = configuration.hold(&mut arena.budget)?;
            } else {
                stack.pop();
            }
            while let Some(child) = children.pop() {
                stack.push((child.hold(&mut arena.budget)?, child));
            }
            arena.budget.release(read);
            position = position.saturating_add(1);
        }
        class = class.saturating_add(1);
    }
    // No rule is left over.
    let is_left = rules.next(&mut arena.budget)?.is_some();
    ensure(!is_left, error::at(at(class, position))(Rejection::Open))?;
    Ok(position)
}
