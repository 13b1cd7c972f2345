//! Replays a certificate's evidence: a stack machine whose commands are the rules (`spec/calculus.md#replay`).
//!
//! Each derivation is a proof of its own that uses what templates say, not how they are derived. So they are dealt into as many shares as
//! whoever calls the kernel wants to have replayed at once.

use crate::error::{self, Failure, Where};
use crate::paths::{Graph, Reached, Unfolding};
use crate::{
    Arena, Budget, Configuration, Declined, Member, Place, Rejection, Setting, Unsupported, ensure,
};
use crate::{
    apply::Premises, decode::Rules, refute::Hints, rules, run, subsume, verdict::Counts, wellformed,
};
use alloc::{borrow::Cow, vec, vec::Vec};
use core::slice;
use goatherd_certificates::*;

/// Least and greatest k.
const K: core::ops::RangeInclusive<u32> = 1..=16;

/// How many ground runs a certificate may have for the vacuity flag.
const WITNESSES: usize = 4;

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

/// Replays everything, in file order. Gives the graph, if the claim is about one.
pub fn replay(
    certificate: &Certificate<Rules<'_>>,
    arena: &mut Arena,
    spread: Spread<'_>,
) -> Result<(Counts, Option<Graph>), Failure> {
    let statement = &certificate.statement;
    let assertions = statement
        .program
        .assertions
        .iter()
        .map(|location| (*location, false))
        .collect();
    let mut counts = Counts {
        assertions,
        ..Counts::default()
    };
    let before = arena.mark();
    let graph = match (&certificate.evidence, statement.claim) {
        (Evidence::Proof(proof), Claim::Safe) if is_bounded(statement) => {
            replay_safe(certificate, proof, arena, spread, &mut counts)?;
            None
        }
        (Evidence::Paths { proof, vertices }, Claim::Paths(ends)) => {
            let unfolding = replay_paths(certificate, proof, arena, &mut counts)?;
            let graph = unfolding.graph(&statement.program, ends, vertices);
            Some(graph.map_err(error::at(Where::Evidence))?)
        }
        (Evidence::Run(ground), Claim::Unsafe)
            if is_bounded(statement) && certificate.terms.is_empty() =>
        {
            let end = run::replay(arena, statement, ground, &mut counts)
                .map_err(error::at(Where::Run))?;
            ensure(end == Place::Failed, error::at(Where::Run)(Rejection::Run))?;
            None
        }
        _ => return Err(error::at(Where::Evidence)(Rejection::Claim)),
    };
    arena.return_to(&before);
    replay_witnesses(certificate, arena, &mut counts)?;
    Ok((counts, graph))
}

/// Are integers bounded as in C?
fn is_bounded(statement: &Statement) -> bool {
    statement.parameters.arithmetic == Arithmetic::C
}

/// Replays a proof that no execution fails: of the program, or of the one with the lemmas.
fn replay_safe(
    certificate: &Certificate<Rules<'_>>,
    proof: &Proof<Rules<'_>>,
    arena: &mut Arena,
    spread: Spread<'_>,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let statement = &certificate.statement;
    let at_evidence = error::at(Where::Evidence);
    ensure(K.contains(&proof.k), at_evidence(Rejection::Root))?;
    let mut program = Cow::Borrowed(&statement.program);
    if !proof.lemmas.is_empty() {
        // The copy takes less than all that has been read, and each lemma adds three instructions.
        let added = size_of::<[Instruction; 3]>();
        arena
            .budget
            .take(proof.lemmas.len().saturating_mul(added))?;
        arena.budget.take(arena.budget.held)?;
        wellformed::add_lemmas(program.to_mut(), &proof.lemmas)?;
    }
    let setting = Setting {
        program: &program,
        parameters: &statement.parameters,
        k: proof.k,
        sorts: &proof.sorts,
    };
    let evidence = (certificate.terms.as_slice(), proof);
    replay_proof(arena, setting, evidence, (None, spread), counts)
}

/// Replays the derivation of a graph, and records its nodes.
fn replay_paths(
    certificate: &Certificate<Rules<'_>>,
    proof: &Proof<Rules<'_>>,
    arena: &mut Arena,
    counts: &mut Counts,
) -> Result<Unfolding, Failure> {
    let statement = &certificate.statement;
    let at_evidence = error::at(Where::Evidence);
    ensure(
        certificate.witnesses.is_empty(),
        at_evidence(Rejection::Claim),
    )?;
    ensure(
        proof.k == 0 && proof.lemmas.is_empty(),
        at_evidence(Rejection::Root),
    )?;
    ensure(
        is_bounded(statement) || statement.program.objects.is_empty(),
        at_evidence(Rejection::Unsupported(Unsupported::Unbounded)),
    )?;
    let mut unfolding = Unfolding::default();
    let setting = Setting {
        program: &statement.program,
        parameters: &statement.parameters,
        k: 0,
        sorts: &proof.sorts,
    };
    // The nodes of a graph stand in the order of replay.
    let one = (Some(&mut unfolding), Spread::ONE);
    replay_proof(arena, setting, (&certificate.terms, proof), one, counts)?;
    Ok(unfolding)
}

/// Replays the runs that show what the claim is about.
fn replay_witnesses(
    certificate: &Certificate<Rules<'_>>,
    arena: &mut Arena,
    counts: &mut Counts,
) -> Result<(), Failure> {
    ensure(
        certificate.witnesses.len() <= WITNESSES,
        error::at(Where::Evidence)(Rejection::Run),
    )?;
    let before = arena.mark();
    for (position, ground) in (0u32..).zip(&certificate.witnesses) {
        let at_witness = error::at(Where::Witness(position));
        let end =
            run::replay(arena, &certificate.statement, ground, counts).map_err(&at_witness)?;
        ensure(end != Place::Failed, at_witness(Rejection::Run))?;
        arena.return_to(&before);
    }
    Ok(())
}

/// Replays derivations, and records their nodes where somebody asks for them.
fn replay_proof(
    arena: &mut Arena,
    setting: Setting<'_>,
    (terms, proof): (&[Term], &Proof<Rules<'_>>),
    (mut unfolding, spread): (Option<&mut Unfolding>, Spread<'_>),
    counts: &mut Counts,
) -> Result<(), Failure> {
    ensure(
        proof.derivations.len() == proof.templates.len(),
        error::at(Where::Evidence)(Rejection::Root),
    )?;
    let (before, mut terms) = (arena.budget.held, (0u32..).zip(terms));
    terms.try_for_each(|(position, term)| {
        arena.define(term).map_err(error::at(Where::Term(position)))
    })?;
    let table = arena.budget.held.saturating_sub(before);
    let templates = templates(arena, setting, proof)?;
    if let Some(unfolding) = &mut unfolding {
        unfolding
            .templates(&mut arena.budget, &templates)
            .map_err(error::at(Where::Evidence))?;
    }
    let count = templates.len().saturating_add(1);
    // What each derivation has come to.
    arena
        .budget
        .take(count.saturating_mul(size_of::<Result<Closed, Failure>>()))?;
    let dealt = spread.shares.clamp(1, count);
    let mut shares = Vec::new();
    for first in 0..dealt {
        let (arena, unfolding) = (arena.copy(table)?, unfolding.take());
        shares.push(Share {
            dealt: (first, dealt),
            proof,
            templates: &templates,
            setting,
            arena,
            unfolding,
            outcomes: Vec::new(),
        });
    }
    (spread.replay)(&mut shares);
    gather(&shares, count, arena, counts)?;
    counts.templates = u64::try_from(templates.len()).unwrap_or(u64::MAX);
    Ok(())
}

/// The templates of a proof. What a template does not list takes memory, too.
fn templates(
    arena: &mut Arena,
    setting: Setting<'_>,
    proof: &Proof<Rules<'_>>,
) -> Result<Vec<Configuration>, Failure> {
    let mut templates = Vec::new();
    let size = Member::new(setting, Place::Failed, Slot::Forgotten).bytes();
    for (position, template) in (0u32..).zip(&proof.templates) {
        arena
            .budget
            .take(template.members.len().saturating_mul(size))?;
        let made = subsume::template(setting, template)
            .and_then(|made| made.check_scope(arena).map(|()| made));
        templates.push(made.map_err(error::at(Where::Template(position)))?);
    }
    Ok(templates)
}

/// Puts together what has become of the derivations, in the order of the file, whoever replayed what: of several that fail the first one is
/// reported. A share that stops has spent more than all may, so the work is too much before anything is missed.
fn gather(
    shares: &[Share<'_>],
    count: usize,
    arena: &mut Arena,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let spent = shares
        .iter()
        .flat_map(|share| &share.outcomes)
        .flatten()
        .fold(arena.budget.worked, |sum, closed| {
            sum.saturating_add(closed.work)
        });
    let dealt = shares.len();
    for position in 0..count {
        let share = position
            .checked_rem(dealt)
            .and_then(|share| shares.get(share));
        let outcome = share.and_then(|share| share.outcomes.get(position.checked_div(dealt)?));
        let Some(outcome) = outcome else {
            ensure(
                !arena.budget.is_above(spent),
                Declined::Work {
                    limit: arena.budget.work_limit,
                },
            )?;
            return Err(error::at(Where::Evidence)(Rejection::Open));
        };
        let Closed { rules, work, peak } = (*outcome)?;
        counts.rules = counts.rules.saturating_add(rules.into());
        arena.budget.spend(work)?;
        arena.budget.reach(peak);
    }
    Ok(())
}

/// What a derivation that is closed has taken.
#[derive(Clone, Copy)]
struct Closed {
    rules: u32,
    work: u64,
    peak: usize,
}

/// The root of a derivation with this number, if there is one.
type Root<'a> = &'a dyn Fn(&mut Arena, u64) -> Result<Option<Configuration>, Rejection>;

/// Derivations, and what they are replayed with.
pub struct Share<'a> {
    /// The first of the derivations, and how many there are to the next. Number 0 is the one from the size classes, those from the templates
    /// follow.
    dealt: (usize, usize),
    proof: &'a Proof<Rules<'a>>,
    templates: &'a [Configuration],
    setting: Setting<'a>,
    /// The certificate's terms and, while a derivation is replayed, those that it makes.
    arena: Arena,
    unfolding: Option<&'a mut Unfolding>,
    /// What became of the derivations, in order; nothing of those behind one that has failed.
    outcomes: Vec<Result<Closed, Failure>>,
}

/// The hints of a rule, in the order of its obligations.
fn hints(rule: &Rule) -> impl Iterator<Item = &Refutation> {
    let (refuted, hints): (&[_], &[_]) = match rule {
        Rule::Step { refuted } => (refuted, &[]),
        Rule::Infeasible { refutation } => (&[], slice::from_ref(refutation)),
        Rule::StepDecided { hints, .. }
        | Rule::AddScapegoat { hints, .. }
        | Rule::Subsume { hints, .. } => (&[], hints),
        // Where there is something to be shown, it is not without hints.
        _ => (&[], &[]),
    };
    refuted
        .iter()
        .map(|(_, refutation)| refutation)
        .chain(hints)
}

impl Share<'_> {
    /// Replays its derivations, in order, until one fails. What a derivation comes to is a function of the certificate and of its number: each
    /// begins with the certificate's terms alone (`spec/calculus.md#attacks` K1). What has been replayed is not replayed again.
    pub fn replay(&mut self) {
        if !self.outcomes.is_empty() {
            return;
        }
        let (first, count) = self.dealt;
        let (start, mut spent) = (self.arena.mark(), 0u64);
        for position in (first..=self.templates.len()).step_by(count) {
            self.arena.budget.start();
            let rules = self.derivation(position);
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
            spent = spent.saturating_add(work);
            if self.arena.budget.is_above(spent) {
                return;
            }
        }
    }

    /// Replays the derivation with this number; gives how many rules it has.
    fn derivation(&mut self, position: usize) -> Result<u32, Failure> {
        let setting = self.setting;
        let Some(position) = position.checked_sub(1) else {
            let lengths = self.proof.lengths;
            let root = |arena: &mut Arena, class| rules::root(arena, setting, lengths, class);
            return self.derive(self.proof.roots, Reached::Entry, &root, |class, rule| {
                Where::Root { class, rule }
            });
        };
        let missing = error::at(Where::Evidence)(Rejection::Open);
        let template = u32::try_from(position).map_err(|_| missing)?;
        let (root, derivation) = self
            .templates
            .get(position)
            .zip(self.proof.derivations.get(position))
            .ok_or(missing)?;
        let root = |_: &mut Arena, class| Ok((class == 0).then(|| root.clone()));
        let reached = Reached::Template(TemplateId(template));
        self.derive(*derivation, reached, &root, |_, rule| Where::Derivation {
            template,
            rule,
        })
    }

    /// Takes rules until each root, and all that it leads to, is closed. Gives their number.
    fn derive(
        &mut self,
        mut rules: Rules<'_>,
        first: Reached,
        root: Root<'_>,
        at: impl Fn(u64, u32) -> Where,
    ) -> Result<u32, Failure> {
        let (mut class, mut position) = (0, 0u32);
        while let Some(root) =
            root(&mut self.arena, class).map_err(error::at(at(class, position)))?
        {
            // The open configurations, each with the bytes that it takes; a rule acts on the last one, and leaves these open beside it.
            let (mut stack, mut children) = (
                vec![(first, root.hold(&mut self.arena.budget)?, root)],
                Vec::new(),
            );
            while let Some((reached, bytes, configuration)) = stack.last_mut() {
                let (at_rule, held) = (error::at(at(class, position)), self.arena.budget.held);
                let rule =
                    rules
                        .next(&mut self.arena.budget)?
                        .ok_or(error::at(at(class, u32::MAX))(Rejection::Open))?;
                let read = self.arena.budget.held.saturating_sub(held);
                self.arena.budget.release(*bytes);
                if let Some(unfolding) = &mut self.unfolding {
                    let place = configuration.member(MemberId(0)).map_err(&at_rule)?.place;
                    *reached = unfolding
                        .visit(&mut self.arena.budget, *reached, place, &rule)
                        .map_err(&at_rule)?;
                }
                let next = *reached;
                if self
                    .apply(configuration, &rule, &mut children)
                    .map_err(&at_rule)?
                {
                    *bytes = configuration.hold(&mut self.arena.budget)?;
                } else {
                    stack.pop();
                }
                while let Some(child) = children.pop() {
                    stack.push((next, child.hold(&mut self.arena.budget)?, child));
                }
                self.arena.budget.release(read);
                position = position.saturating_add(1);
            }
            class = class.saturating_add(1);
        }
        // No rule is left over.
        ensure(
            rules.next(&mut self.arena.budget)?.is_none(),
            error::at(at(class, position))(Rejection::Open),
        )
        .map(|()| position)
    }

    /// Applies a rule; does the configuration stay open, as the last of what the rule leaves open? The others become children.
    fn apply(
        &mut self,
        configuration: &mut Configuration,
        rule: &Rule,
        children: &mut Vec<Configuration>,
    ) -> Result<bool, Rejection> {
        let mut hints = Hints::new(hints(rule));
        // A path of a graph may also end in a failure.
        let may_fail = self.unfolding.is_some() && *rule == Rule::End;
        if may_fail && rules::has_failed(self.setting, configuration.member(MemberId(0))?.place) {
            return Ok(false);
        }
        let premises = Premises {
            setting: self.setting,
            templates: self.templates,
        };
        let is_open = premises.apply(&mut self.arena, configuration, rule, &mut hints, children)?;
        hints.finish()?;
        Ok(is_open)
    }
}
