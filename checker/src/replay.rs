//! Replays a certificate's evidence: a stack machine whose commands are the rules (`spec/calculus.md#replay`).
//!
//! Each derivation is a proof of its own that uses what templates say, not how they are derived. So those of a large proof are dealt into
//! shares, which whoever calls the kernel may have replayed at once.

use crate::error::{self, Failure, Where};
use crate::paths::{Graph, Reached, Unfolding};
use crate::{Arena, Configuration, Member, Oracle, Place, Rejection, Setting, Unsupported, ensure};
use crate::{decode::Rules, refute::Hints, rules, run, subsume, unfold, verdict::Counts, wellformed};
use alloc::{borrow::Cow, vec, vec::Vec};
use core::slice;
use goatherd_certificates::*;

/// Least and greatest k.
const K: core::ops::RangeInclusive<u32> = 1..=16;

/// How many ground runs a certificate may have for the vacuity flag.
const WITNESSES: usize = 4;

/// How many templates a share is worth having for, and how many shares there are at most.
const SHARES: (usize, usize) = (96, 16);

/// Has each share replayed, one after the other or at once. One that is not replayed has failed.
pub type Spread<'a> = &'a dyn Fn(&mut [Share<'_>]);

/// Replays everything, in file order. Gives the graph, if the claim is about one.
pub fn replay(certificate: &Certificate<Rules<'_>>, arena: &mut Arena, spread: Spread<'_>) -> Result<(Counts, Option<Graph>), Failure> {
    let statement = &certificate.statement;
    let assertions = statement.program.assertions.iter().map(|location| (*location, false)).collect();
    let mut counts = Counts { assertions, ..Counts::default() };
    let mut graph = None;
    let at_evidence = error::at(Where::Evidence);
    let is_bounded = statement.parameters.arithmetic == Arithmetic::C;
    match (&certificate.evidence, statement.claim) {
        (Evidence::Proof(proof), Claim::Safe) if is_bounded => {
            ensure(K.contains(&proof.k), at_evidence(Rejection::Root))?;
            let mut program = Cow::Borrowed(&statement.program);
            if !proof.lemmas.is_empty() {
                // The copy takes less than all that has been read, and each lemma adds three instructions.
                arena.budget.take(proof.lemmas.len().saturating_mul(size_of::<[Instruction; 3]>()))?;
                arena.budget.take(arena.budget.held)?;
                wellformed::add_lemmas(program.to_mut(), &proof.lemmas)?;
            }
            let setting = Setting { program: &program, parameters: &statement.parameters, k: proof.k, sorts: &proof.sorts };
            replay_proof(arena, setting, (&certificate.terms, proof), (None, spread), &mut counts)?;
        }
        (Evidence::Paths { proof, vertices }, Claim::Paths(ends)) if certificate.witnesses.is_empty() => {
            ensure(proof.k == 0 && proof.lemmas.is_empty(), at_evidence(Rejection::Root))?;
            ensure(is_bounded || statement.program.objects.is_empty(), at_evidence(Rejection::Unsupported(Unsupported::Unbounded)))?;
            let mut unfolding = Unfolding::default();
            let setting = Setting { program: &statement.program, parameters: &statement.parameters, k: 0, sorts: &proof.sorts };
            replay_proof(arena, setting, (&certificate.terms, proof), (Some(&mut unfolding), spread), &mut counts)?;
            graph = Some(unfolding.graph(&statement.program, ends, vertices).map_err(&at_evidence)?);
        }
        (Evidence::Run(ground), Claim::Unsafe) if is_bounded && certificate.terms.is_empty() => {
            let end = run::replay(arena, statement, ground, &mut counts).map_err(error::at(Where::Run))?;
            ensure(end == Place::Failed, error::at(Where::Run)(Rejection::Run))?;
        }
        _ => return Err(at_evidence(Rejection::Claim)),
    }
    ensure(certificate.witnesses.len() <= WITNESSES, at_evidence(Rejection::Run))?;
    for (position, ground) in (0u32..).zip(&certificate.witnesses) {
        let end = run::replay(arena, statement, ground, &mut counts).map_err(error::at(Where::Witness(position)))?;
        ensure(end != Place::Failed, error::at(Where::Witness(position))(Rejection::Run))?;
    }
    Ok((counts, graph))
}

/// Replays derivations, and records their nodes where somebody asks for them.
fn replay_proof(
    arena: &mut Arena,
    setting: Setting<'_>,
    (terms, proof): (&[Term], &Proof<Rules<'_>>),
    (mut unfolding, spread): (Option<&mut Unfolding>, Spread<'_>),
    counts: &mut Counts,
) -> Result<(), Failure> {
    ensure(proof.derivations.len() == proof.templates.len(), error::at(Where::Evidence)(Rejection::Root))?;
    define(arena, terms)?;
    // What a template does not list takes memory, too.
    let (mut templates, size) = (Vec::new(), Member::new(setting, Place::Failed, Slot::Forgotten).bytes());
    for (position, template) in (0u32..).zip(&proof.templates) {
        arena.budget.take(template.members.len().saturating_mul(size))?;
        let made = subsume::template(setting, template).and_then(|made| made.check_scope(arena).map(|()| made));
        templates.push(made.map_err(error::at(Where::Template(position)))?);
    }
    if let Some(unfolding) = &mut unfolding {
        unfolding.templates(&mut arena.budget, &templates).map_err(error::at(Where::Evidence))?;
    }
    // The nodes of a graph stand in the order of replay.
    let count = if unfolding.is_some() { 1 } else { templates.chunks(SHARES.0).len().next_power_of_two().min(SHARES.1) };
    let (mut shares, budget) = (Vec::new(), arena.budget.part(count));
    for first in 0..count {
        let (dealt, arena, unfolding) = ((first, count), Arena::new(&setting.program.tables, budget.clone())?, unfolding.take());
        let result = Err(error::at(Where::Evidence)(Rejection::Open));
        shares.push(Share { dealt, terms, proof, templates: &templates, setting, arena, unfolding, result });
    }
    spread(&mut shares);
    for share in shares {
        counts.rules = counts.rules.saturating_add(share.result?.into());
        arena.budget.take(share.arena.budget.peak)?;
    }
    counts.templates = u64::try_from(templates.len()).unwrap_or(u64::MAX);
    Ok(())
}

/// Defines the certificate's terms.
fn define(arena: &mut Arena, terms: &[Term]) -> Result<(), Failure> {
    let mut terms = (0u32..).zip(terms);
    terms.try_for_each(|(position, term)| arena.define(term).map_err(error::at(Where::Term(position))))
}

/// The root of a derivation with this number, if there is one.
type Root<'a> = &'a dyn Fn(&mut Arena, u64) -> Result<Option<Configuration>, Rejection>;

/// Derivations, and what they are replayed with.
pub struct Share<'a> {
    /// The first of the templates whose derivations they are, and how many there are to the next. The first share also has those from the
    /// size classes.
    dealt: (usize, usize),
    terms: &'a [Term],
    proof: &'a Proof<Rules<'a>>,
    templates: &'a [Configuration],
    setting: Setting<'a>,
    arena: Arena,
    unfolding: Option<&'a mut Unfolding>,
    /// Of how many rules they are, if all have been replayed.
    result: Result<u32, Failure>,
}

/// The hints of a rule, in the order of its obligations.
fn hints(rule: &Rule) -> impl Iterator<Item = &Refutation> {
    let (refuted, hints): (&[_], &[_]) = match rule {
        Rule::Step { refuted } => (refuted, &[]),
        Rule::Infeasible { refutation } => (&[], slice::from_ref(refutation)),
        Rule::StepDecided { hints, .. } | Rule::AddScapegoat { hints, .. } | Rule::Subsume { hints, .. } => (&[], hints),
        // Where there is something to be shown, it is not without hints.
        _ => (&[], &[]),
    };
    refuted.iter().map(|(_, refutation)| refutation).chain(hints)
}

impl Share<'_> {
    /// Replays its derivations, in order, until one fails.
    pub fn replay(&mut self) {
        self.result = self.derivations();
    }

    fn derivations(&mut self) -> Result<u32, Failure> {
        let ((first, count), setting, mut rules) = (self.dealt, self.setting, 0u32);
        define(&mut self.arena, self.terms)?;
        if first == 0 {
            let root = |arena: &mut Arena, class| rules::root(arena, setting, class);
            rules = self.derive(self.proof.roots, Reached::Entry, &root, |class, rule| Where::Root { class, rule })?;
        }
        let all = (0u32..).zip(self.templates.iter().zip(&self.proof.derivations));
        for (template, (root, derivation)) in all.skip(first).step_by(count) {
            let (reached, root) = (Reached::Template(TemplateId(template)), |_: &mut Arena, class| Ok((class == 0).then(|| root.clone())));
            rules = rules.saturating_add(self.derive(*derivation, reached, &root, |_, rule| Where::Derivation { template, rule })?);
        }
        Ok(rules)
    }

    /// Takes rules until each root, and all that it leads to, is closed. Gives their number.
    fn derive(&mut self, mut rules: Rules<'_>, first: Reached, root: Root<'_>, at: impl Fn(u64, u32) -> Where) -> Result<u32, Failure> {
        let (mut class, mut position) = (0, 0u32);
        while let Some(root) = root(&mut self.arena, class).map_err(error::at(at(class, position)))? {
            // The open configurations, each with the bytes that it takes; a rule acts on the last one, and leaves these open beside it.
            let (mut stack, mut children) = (vec![(first, root.hold(&mut self.arena.budget)?, root)], Vec::new());
            while let Some((reached, bytes, configuration)) = stack.last_mut() {
                let (at_rule, held) = (error::at(at(class, position)), self.arena.budget.held);
                let rule = rules.next(&mut self.arena.budget)?.ok_or(error::at(at(class, u32::MAX))(Rejection::Open))?;
                let read = self.arena.budget.held.saturating_sub(held);
                self.arena.budget.release(*bytes);
                if let Some(unfolding) = &mut self.unfolding {
                    let place = configuration.member(MemberId(0)).map_err(&at_rule)?.place;
                    *reached = unfolding.visit(&mut self.arena.budget, *reached, place, &rule).map_err(&at_rule)?;
                }
                let next = *reached;
                if self.apply(configuration, &rule, &mut children).map_err(&at_rule)? {
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
        ensure(rules.next(&mut self.arena.budget)?.is_none(), error::at(at(class, position))(Rejection::Open)).map(|()| position)
    }

    /// Does the configuration stay open, as the last of what the rule leaves open? The others become children.
    fn apply(&mut self, configuration: &mut Configuration, rule: &Rule, children: &mut Vec<Configuration>) -> Result<bool, Rejection> {
        let (arena, setting, mut hints) = (&mut self.arena, self.setting, Hints::new(hints(rule)));
        let mut is_open = matches!(rule, Rule::StepDecided { .. } | Rule::AddScapegoat { .. } | Rule::Drop { .. } | Rule::Let { .. });
        match rule {
            Rule::Step { refuted } => {
                is_open = rules::step(arena, setting, configuration, refuted.iter().map(|(outcome, _)| *outcome), &mut hints, children)?;
            }
            Rule::StepDecided { member, outcome, choice, .. } => {
                rules::step_decided(arena, setting, configuration, (*member, *outcome), choice.as_ref(), &mut hints)?;
            }
            Rule::Split { literal } => children.extend(rules::split(arena, configuration.clone(), *literal)?),
            // No valuation satisfies the predicate (red-black graphs: marking).
            Rule::Infeasible { .. } => hints.refute(arena, &configuration.predicate, &[])?,
            Rule::AddScapegoat { drops, integers, .. } => {
                rules::add_scapegoat(arena, setting, configuration, drops, integers, &mut hints)?;
            }
            Rule::Drop { member } => rules::drop_member(configuration, *member)?,
            Rule::Subsume { template, matching, .. } => {
                let template = self.templates.get(template.index()).ok_or(Rejection::Missing)?;
                subsume::subsume(arena, setting, configuration, template, matching, &mut hints)?;
            }
            Rule::Unfold { tree, end } => children.extend(unfold::unfold(arena, setting, configuration, *tree, *end)?),
            Rule::Steps { member, count } => {
                is_open = true;
                let count = usize::try_from(*count).unwrap_or(usize::MAX);
                ensure(count <= setting.program.instructions.len(), Rejection::Outcomes)?;
                // What each may add to the configuration: an object, whose fields are paid for where they are made, and literals.
                let growth = count.saturating_mul(size_of::<(ObjectState, [Literal; 8])>());
                arena.budget.take(growth)?;
                (0..count).try_for_each(|_| rules::step_alone(arena, setting, configuration, *member))?;
                arena.budget.release(growth);
            }
            Rule::Descent { member } => rules::descent(arena, setting, configuration, *member)?,
            // A path of a graph may also end in a failure.
            Rule::End if self.unfolding.is_some() && rules::has_failed(setting, configuration.member(MemberId(0))?.place) => {}
            Rule::End => rules::end(setting, configuration)?,
            Rule::Let { term } => rules::name(arena, configuration, *term).map(|_| ())?,
        }
        hints.finish()?;
        Ok(is_open)
    }
}
