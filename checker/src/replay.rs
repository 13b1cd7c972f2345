//! Replays a certificate's evidence: a stack machine whose commands are the rules (`spec/calculus.md#replay`).

use crate::error::{self, Failure, Where};
use crate::paths::{Graph, Reached, Unfolding};
use crate::refute::Hints;
use crate::verdict::Counts;
use crate::{Arena, Configuration, Oracle, Place, Rejection, Setting, Unsupported, ensure};
use crate::{rules, run, subsume, unfold, wellformed};
use alloc::{borrow::Cow, vec, vec::Vec};
use core::{iter::Peekable, iter::Zip, ops::RangeFrom, slice};
use goatherd_certificates::{
    Arithmetic, Certificate, Claim, Evidence, Instruction, MemberId, Parameters, Program, Proof, Refutation, Rule, TemplateId,
};

/// Least and greatest k.
const K: core::ops::RangeInclusive<u32> = 1..=16;

/// How many ground runs a certificate may have for the vacuity flag.
const WITNESSES: usize = 4;

/// Replays everything, in file order. Gives the graph, if the claim is about one.
pub fn replay(certificate: &Certificate, arena: &mut Arena) -> Result<(Counts, Option<Graph>), Failure> {
    let statement = &certificate.statement;
    let mut terms = (0u32..).zip(&certificate.terms);
    terms.try_for_each(|(position, term)| arena.define(term).map_err(error::at(Where::Term(position))))?;
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
                arena.budget.take(usize::try_from(arena.budget.peak()).unwrap_or(usize::MAX))?;
                wellformed::add_lemmas(program.to_mut(), &proof.lemmas)?;
            }
            replay_proof(arena, (&program, &statement.parameters), proof, None, &mut counts)?;
        }
        (Evidence::Paths { proof, vertices }, Claim::Paths(ends)) if certificate.witnesses.is_empty() => {
            ensure(proof.k == 0 && proof.lemmas.is_empty(), at_evidence(Rejection::Root))?;
            ensure(is_bounded || statement.program.objects.is_empty(), at_evidence(Rejection::Unsupported(Unsupported::Unbounded)))?;
            let mut unfolding = Unfolding::default();
            replay_proof(arena, (&statement.program, &statement.parameters), proof, Some(&mut unfolding), &mut counts)?;
            graph = Some(unfolding.graph(&statement.program, ends, vertices).map_err(&at_evidence)?);
        }
        (Evidence::Run(ground), Claim::Unsafe) if is_bounded => {
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

/// Replays a derivation, and records its nodes where somebody asks for them.
fn replay_proof(
    arena: &mut Arena,
    (program, parameters): (&Program, &Parameters),
    proof: &Proof,
    mut unfolding: Option<&mut Unfolding>,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let setting = Setting { program, parameters, k: proof.k, sorts: &proof.sorts };
    ensure(proof.derivations.len() == proof.templates.len(), error::at(Where::Evidence)(Rejection::Root))?;
    let templates = (0u32..).zip(&proof.templates);
    let template = |(position, template)| subsume::template(setting, template).map_err(error::at(Where::Template(position)));
    let templates = templates.map(template).collect::<Result<Vec<_>, _>>()?;
    if let Some(unfolding) = &mut unfolding {
        unfolding.templates(&mut arena.budget, &templates).map_err(error::at(Where::Evidence))?;
    }
    let mut machine = Machine { arena, setting, templates: &templates, unfolding, counts };
    let (mut class, mut derivation) = (0u64, (0u32..).zip(&proof.roots).peekable());
    loop {
        let at = |rule| Where::Root { class, rule };
        let first = derivation.peek().map_or(u32::MAX, |(position, _)| *position);
        let Some(root) = rules::root(machine.arena, setting, class).map_err(error::at(at(first)))? else { break };
        machine.derive(root, Reached::Entry, &mut derivation, at)?;
        class = class.saturating_add(1);
    }
    finish(derivation, |rule| Where::Root { class, rule })?;
    for (template, (root, derivation)) in (0u32..).zip(templates.iter().zip(&proof.derivations)) {
        let at = |rule| Where::Derivation { template, rule };
        let mut derivation = (0u32..).zip(derivation).peekable();
        machine.derive(root.clone(), Reached::Template(TemplateId(template)), &mut derivation, at)?;
        finish(derivation, at)?;
        machine.counts.templates = machine.counts.templates.saturating_add(1);
    }
    Ok(())
}

/// Rules with their positions.
type Rules<'a> = Peekable<Zip<RangeFrom<u32>, slice::Iter<'a, Rule>>>;

/// No rule is left over.
fn finish(mut rules: Rules<'_>, at: impl Fn(u32) -> Where) -> Result<(), Failure> {
    rules.next().map_or(Ok(()), |(position, _)| Err(error::at(at(position))(Rejection::Open)))
}

/// What rules are replayed with.
struct Machine<'a> {
    arena: &'a mut Arena,
    setting: Setting<'a>,
    templates: &'a [Configuration],
    unfolding: Option<&'a mut Unfolding>,
    counts: &'a mut Counts,
}

/// The hints of a rule, in the order of its obligations.
fn hints(rule: &Rule) -> impl Iterator<Item = &Refutation> {
    let (refuted, hints): (&[_], &[_]) = match rule {
        Rule::Step { refuted } => (refuted, &[]),
        Rule::Infeasible { refutation } => (&[], slice::from_ref(refutation)),
        Rule::StepDecided { hints, .. } | Rule::AddScapegoat { hints, .. } | Rule::Subsume { hints, .. } => (&[], hints),
        Rule::Split { .. } | Rule::Drop { .. } | Rule::Descent { .. } | Rule::End | Rule::Let { .. } | Rule::Unfold { .. } => (&[], &[]),
    };
    refuted.iter().map(|(_, refutation)| refutation).chain(hints)
}

impl Machine<'_> {
    /// Takes rules until the configuration, and all that it leads to, is closed.
    fn derive(&mut self, root: Configuration, reached: Reached, rules: &mut Rules<'_>, at: impl Fn(u32) -> Where) -> Result<(), Failure> {
        let bytes = root.hold(&mut self.arena.budget)?;
        // The open configurations, each with the bytes that it takes; a rule acts on the last one, and leaves these open beside it.
        let (mut stack, mut children) = (vec![(reached, bytes, root)], Vec::new());
        while let Some((reached, bytes, configuration)) = stack.last_mut() {
            let (position, rule) = rules.next().ok_or(Rejection::Open).map_err(error::at(at(u32::MAX)))?;
            self.arena.budget.release(*bytes);
            let at_rule = error::at(at(position));
            let next = self.visit(*reached, configuration, rule).map_err(&at_rule)?;
            if self.apply(configuration, rule, &mut children).map_err(&at_rule)? {
                (*reached, *bytes) = (next, configuration.hold(&mut self.arena.budget)?);
            } else {
                stack.pop();
            }
            while let Some(child) = children.pop() {
                stack.push((next, child.hold(&mut self.arena.budget)?, child));
            }
            self.counts.rules = self.counts.rules.saturating_add(1);
        }
        Ok(())
    }

    /// How the rule's children are reached.
    fn visit(&mut self, reached: Reached, configuration: &Configuration, rule: &Rule) -> Result<Reached, Rejection> {
        let Some(unfolding) = &mut self.unfolding else { return Ok(reached) };
        unfolding.visit(&mut self.arena.budget, reached, configuration.member(MemberId(0))?.place, rule)
    }

    /// Does the configuration stay open, as the last of what the rule leaves open? The others become children.
    fn apply(&mut self, configuration: &mut Configuration, rule: &Rule, children: &mut Vec<Configuration>) -> Result<bool, Rejection> {
        let (arena, setting, mut hints) = (&mut *self.arena, self.setting, Hints::new(hints(rule)));
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
