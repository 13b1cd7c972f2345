//! Replays a proof: a stack machine whose commands are the rules (`spec/calculus.md#replay`).
//!
//! Each derivation is a proof of its own that uses what templates say, not how they are derived. So they are dealt into as many shares as
//! whoever calls the kernel wants to have replayed at once.

use crate::error::{self, Failure, Where};
use crate::{Arena, Budget, Configuration, Member, Place, Rejection, Setting, ensure};
use crate::{
    apply::{Premises, Replayer},
    decode::{Decoded, Rules},
    rules, subsume, wellformed,
};
use alloc::{borrow::Cow, vec, vec::Vec};
use goatherd_certificates::*;

/// Least and greatest k.
const K: core::ops::RangeInclusive<u32> = 1..=16;

/// How derivations are replayed: each is a proof of its own, so they may be dealt into shares that are replayed at once.
#[derive(Clone, Copy)]
pub struct Spread<'a> {
    /// How many shares there are; at least one.
    pub shares: usize,
    /// Has each share replayed. One that is not has failed.
    pub replay: &'a dyn Fn(&mut [Share<'_>]),
}

impl Spread<'_> {
    /// All derivations, one after the other.
    pub const ONE: Self = Self {
        shares: 1,
        replay: &|shares| shares.iter_mut().for_each(Share::replay),
    };
}

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
pub fn safe(
    decoded: &Decoded<'_>,
    budget: Budget,
    spread: Spread<'_>,
) -> Result<(Safe, Arena), Failure> {
    let (certificate, mut arena) = (decoded.certificate(), arena(decoded, budget)?);
    let (statement, at_evidence) = (&certificate.statement, error::at(Where::Evidence));
    let parameters = &statement.parameters;
    let (Evidence::Proof(proof), Claim::Safe, Arithmetic::C) = (
        &certificate.evidence,
        statement.claim,
        parameters.arithmetic,
    ) else {
        return Err(at_evidence(Rejection::Claim));
    };
    ensure(K.contains(&proof.k), at_evidence(Rejection::Root))?;
    let before = arena.mark();
    let mut program = Cow::Borrowed(&statement.program);
    if !proof.lemmas.is_empty() {
        // The copy takes less than all that has been read, and each lemma adds three instructions.
        let added = size_of::<[Instruction; 3]>().saturating_mul(proof.lemmas.len());
        arena.budget.take(added)?;
        arena.budget.take(arena.budget.held)?;
        wellformed::add_lemmas(program.to_mut(), &proof.lemmas)?;
    }
    let setting = Setting {
        program: &program,
        parameters,
        k: proof.k,
        sorts: &proof.sorts,
    };
    let table = define(&mut arena, &certificate.terms)?;
    let templates = templates(&mut arena, setting, proof)?;
    let premises = Premises {
        setting,
        templates: &templates,
    };
    let rules = deal(&mut arena, (premises, proof), table, spread)?;
    arena.return_to(&before);
    let templates = u64::try_from(templates.len()).unwrap_or(u64::MAX);
    Ok((Safe { rules, templates }, arena))
}

/// Makes the terms of the certificate; how many bytes they take.
pub fn define(arena: &mut Arena, terms: &[Term]) -> Result<usize, Failure> {
    let before = arena.budget.held;
    for (position, term) in (0u32..).zip(terms) {
        arena
            .define(term)
            .map_err(error::at(Where::Term(position)))?;
    }
    Ok(arena.budget.held.saturating_sub(before))
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
        let made = subsume::template(setting, template)
            .and_then(|made| made.check_scope(arena).map(|()| made));
        templates.push(made.map_err(error::at(Where::Template(position)))?);
    }
    Ok(templates)
}

/// Deals the derivations into shares, has these replayed, and puts together what has become of them. Gives the number of rules.
fn deal(
    arena: &mut Arena,
    (premises, proof): (Premises<'_>, &Proof<Rules<'_>>),
    table: usize,
    spread: Spread<'_>,
) -> Result<u64, Failure> {
    let count = premises.templates.len().saturating_add(1);
    // What each derivation has come to.
    let outcomes = count.saturating_mul(size_of::<Result<Closed, Failure>>());
    arena.budget.take(outcomes)?;
    let dealt = spread.shares.clamp(1, count);
    let mut shares = Vec::new();
    for first in 0..dealt {
        shares.push(Share {
            dealt: (first, dealt),
            proof,
            premises,
            arena: arena.copy(table)?,
            outcomes: Vec::new(),
        });
    }
    (spread.replay)(&mut shares);
    gather(&shares, count, arena)
}

/// Puts together what has become of the derivations, in the order of the file, whoever replayed what: of several that fail the first one is
/// reported. A share that stops early has spent more than all may, which is seen before anything is missed. Gives the number of rules.
fn gather(shares: &[Share<'_>], count: usize, arena: &mut Arena) -> Result<u64, Failure> {
    // Nobody has replayed it.
    let missing = Err(error::at(Where::Evidence)(Rejection::Open));
    let (dealt, mut sum) = (shares.len(), 0u64);
    for number in 0..count {
        let share = shares.get(number.checked_rem(dealt).unwrap_or(0));
        let outcome = share.and_then(|share| share.outcomes.get(number.checked_div(dealt)?));
        let Closed { rules, work, peak } = (*outcome.unwrap_or(&missing))?;
        sum = sum.saturating_add(rules.into());
        arena.budget.spend(work)?;
        arena.budget.reach(peak);
    }
    Ok(sum)
}

/// What a derivation that is closed has taken.
#[derive(Clone, Copy)]
struct Closed {
    rules: u32,
    work: u64,
    peak: usize,
}

/// Derivations, and what they are replayed with.
pub struct Share<'a> {
    /// The first of the derivations, and how many there are to the next.
    dealt: (usize, usize),
    proof: &'a Proof<Rules<'a>>,
    premises: Premises<'a>,
    /// The certificate's terms and, while a derivation is replayed, those that it makes.
    arena: Arena,
    /// What became of the derivations, in order; nothing of those behind one that has failed.
    outcomes: Vec<Result<Closed, Failure>>,
}

impl Share<'_> {
    /// Replays its derivations, in order, until one fails. What a derivation comes to is a function of the certificate and of its number: each
    /// begins with the certificate's terms alone (`spec/calculus.md#attacks` K1). What has been replayed is not replayed again.
    pub fn replay(&mut self) {
        if !self.outcomes.is_empty() {
            return;
        }
        let (first, count) = self.dealt;
        let (start, mut all) = (self.arena.mark(), self.arena.budget.fork());
        let (mut premises, proof) = (self.premises, self.proof);
        for number in (first..=premises.templates.len()).step_by(count) {
            self.arena.budget.start();
            let rules = derivation(&mut self.arena, premises, proof, number, &mut premises);
            let Budget {
                worked: work, peak, ..
            } = self.arena.budget;
            let is_failed = rules.is_err();
            self.outcomes
                .push(rules.map(|rules| Closed { rules, work, peak }));
            if is_failed {
                return;
            }
            self.arena.return_to(&start);
            // What these have come to is more than all may: whatever the others do, the certificate is declined.
            if all.spend(work).is_err() {
                return;
            }
        }
    }
}

/// The root of a derivation with this number, if there is one.
type Root<'a> = &'a dyn Fn(&mut Arena, u64) -> Result<Option<Configuration>, Rejection>;

/// Replays the derivation with this number: 0 is the one from the size classes, those from the templates follow. Gives the number of rules.
pub fn derivation(
    arena: &mut Arena,
    premises: Premises<'_>,
    proof: &Proof<Rules<'_>>,
    number: usize,
    replay: &mut dyn Replayer,
) -> Result<u32, Failure> {
    let Premises { setting, templates } = premises;
    let Some(position) = number.checked_sub(1) else {
        let root = |arena: &mut Arena, class| rules::root(arena, setting, proof.lengths, class);
        let at = |class, rule| Where::Root { class, rule };
        return derive(arena, proof.roots, &root, replay, at);
    };
    let missing = error::at(Where::Evidence)(Rejection::Open);
    let template = u32::try_from(position).map_err(|_| missing)?;
    let (root, derivation) = templates
        .get(position)
        .zip(proof.derivations.get(position))
        .ok_or(missing)?;
    let root = |_: &mut Arena, class| Ok((class == 0).then(|| root.clone()));
    let at = |_, rule| Where::Derivation { template, rule };
    derive(arena, *derivation, &root, replay, at)
}

/// Takes rules until each root, and all that it leads to, is closed. Gives their number.
fn derive(
    arena: &mut Arena,
    mut rules: Rules<'_>,
    root: Root<'_>,
    replay: &mut dyn Replayer,
    at: impl Fn(u64, u32) -> Where,
) -> Result<u32, Failure> {
    let (mut class, mut position) = (0, 0u32);
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
            let is_open = replay
                .replay(arena, configuration, &rule, &mut children)
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
    ensure(
        rules.next(&mut arena.budget)?.is_none(),
        error::at(at(class, position))(Rejection::Open),
    )
    .map(|()| position)
}
