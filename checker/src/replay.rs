//! Replays a certificate's evidence: a stack machine whose commands are the rules (`spec/calculus.md#replay`).

use crate::configuration::{Configuration, Setting};
use crate::error::{Failure, Rejected, Where};
use crate::refute::Hints;
use crate::rejection::Rejection;
use crate::term::Arena;
use crate::verdict::Counts;
use crate::{rules, run, subsume};
use alloc::{vec, vec::Vec};
use goatherd_certificates::certificate::{Certificate, Claim, Evidence};
use goatherd_certificates::derivation::{OutcomeId, Proof, Rule};

/// Least and greatest k.
const K: core::ops::RangeInclusive<u32> = 1..=16;

/// How many ground runs a certificate may have for the vacuity flag.
const WITNESSES: usize = 4;

/// Replays everything, in file order.
pub fn replay(certificate: &Certificate, arena: &mut Arena) -> Result<Counts, Failure> {
    let statement = &certificate.statement;
    let fail = |place| move |rejection| Failure::Rejected(Rejected { place, rejection });
    for (position, term) in (0u32..).zip(&certificate.terms) {
        arena.define(term).map_err(fail(Where::Term(position)))?;
    }
    let mut counts = Counts::new(&statement.program);
    match (&certificate.evidence, statement.claim) {
        (Evidence::Proof(proof), Claim::Safe) => {
            let setting = Setting { program: &statement.program, parameters: &statement.parameters, k: proof.k };
            replay_proof(arena, setting, proof, &mut counts)?;
        }
        (Evidence::Run(ground), Claim::Unsafe) => {
            let end = run::replay(arena, &statement.program, &statement.parameters, ground, &mut counts);
            if end.map_err(fail(Where::Run))? != run::End::Failed {
                return Err(fail(Where::Run)(Rejection::Run));
            }
        }
        _ => return Err(fail(Where::Evidence)(Rejection::Claim)),
    }
    if certificate.witnesses.len() > WITNESSES {
        return Err(fail(Where::Evidence)(Rejection::Run));
    }
    for (position, ground) in (0u32..).zip(&certificate.witnesses) {
        let end = run::replay(arena, &statement.program, &statement.parameters, ground, &mut counts);
        if end.map_err(fail(Where::Witness(position)))? != run::End::Halted {
            return Err(fail(Where::Witness(position))(Rejection::Run));
        }
    }
    Ok(counts)
}

fn replay_proof(arena: &mut Arena, setting: Setting<'_>, proof: &Proof, counts: &mut Counts) -> Result<(), Failure> {
    let fail = |place| move |rejection| Failure::Rejected(Rejected { place, rejection });
    if !K.contains(&proof.k) || proof.derivations.len() != proof.templates.len() {
        return Err(fail(Where::Evidence)(Rejection::Root));
    }
    let mut templates = Vec::new();
    for (position, template) in (0u32..).zip(&proof.templates) {
        templates.push(subsume::template(arena, setting, template).map_err(fail(Where::Template(position)))?);
    }
    let mut machine = Machine { setting, templates: &templates, stack: Vec::new() };
    let (mut class, mut rules) = (0u64, (0u32..).zip(&proof.roots).peekable());
    loop {
        let at = |rule| Where::Root { class, rule };
        let first = rules.peek().map_or(u32::MAX, |(position, _)| *position);
        let Some(configuration) = rules::root(arena, setting, class).map_err(fail(at(first)))? else { break };
        machine.push(arena, configuration).map_err(fail(at(first)))?;
        while !machine.stack.is_empty() {
            let (position, rule) = rules.next().ok_or(Rejection::Open).map_err(fail(at(u32::MAX)))?;
            machine.apply(arena, rule).map_err(fail(at(position)))?;
            counts.rules = counts.rules.saturating_add(1);
        }
        class = class.saturating_add(1);
    }
    if let Some((rule, _)) = rules.next() {
        return Err(fail(Where::Root { class, rule })(Rejection::Open));
    }
    for (template, (configuration, derivation)) in (0u32..).zip(templates.iter().zip(&proof.derivations)) {
        let at = |rule| Where::Derivation { template, rule };
        machine.push(arena, configuration.clone()).map_err(fail(at(0)))?;
        for (position, rule) in (0u32..).zip(derivation) {
            machine.apply(arena, rule).map_err(fail(at(position)))?;
            counts.rules = counts.rules.saturating_add(1);
        }
        if !machine.stack.is_empty() {
            return Err(fail(at(u32::MAX))(Rejection::Open));
        }
        counts.templates = counts.templates.saturating_add(1);
    }
    Ok(())
}

/// The open configurations; a rule acts on the last one.
struct Machine<'a> {
    setting: Setting<'a>,
    templates: &'a [Configuration],
    stack: Vec<Configuration>,
}

impl Machine<'_> {
    fn push(&mut self, arena: &mut Arena, configuration: Configuration) -> Result<(), Rejection> {
        arena.budget.take(configuration.bytes())?;
        self.stack.push(configuration);
        Ok(())
    }

    fn pop(&mut self, arena: &mut Arena) -> Result<Configuration, Rejection> {
        let configuration = self.stack.pop().ok_or(Rejection::Open)?;
        arena.budget.release(configuration.bytes());
        Ok(configuration)
    }

    /// Takes the last configuration, and puts back what the rule leaves open of it, the first child last.
    fn apply(&mut self, arena: &mut Arena, rule: &Rule) -> Result<(), Rejection> {
        let mut configuration = self.pop(arena)?;
        let children = match rule {
            Rule::Step { refuted } => {
                let outcomes: Vec<OutcomeId> = refuted.iter().map(|(outcome, _)| *outcome).collect();
                let mut hints = Hints::new(refuted.iter().map(|(_, refutation)| refutation));
                rules::step(arena, self.setting, configuration, &outcomes, &mut hints)?
            }
            Rule::StepDecided { member, outcome, choice, hints } => {
                let mut hints = Hints::new(hints);
                let which = (*member, *outcome);
                rules::step_decided(arena, self.setting, &mut configuration, which, choice.as_ref(), &mut hints)?;
                hints.finish()?;
                vec![configuration]
            }
            Rule::Split { literal } => Vec::from(rules::split(arena, configuration, *literal)?),
            Rule::Infeasible { refutation } => {
                rules::infeasible(arena, &configuration, &mut Hints::new([refutation])).map(|()| Vec::new())?
            }
            Rule::AddScapegoat { drops, integers, hints } => {
                let mut hints = Hints::new(hints);
                rules::add_scapegoat(arena, self.setting, &mut configuration, drops, integers, &mut hints)?;
                hints.finish()?;
                vec![configuration]
            }
            Rule::Drop { member } => rules::drop_member(&mut configuration, *member).map(|()| vec![configuration])?,
            Rule::Subsume { template, integers, arrays, hints } => {
                let template = self.templates.get(template.index()).ok_or(Rejection::Missing)?;
                let mut hints = Hints::new(hints);
                subsume::subsume(arena, &configuration, template, integers, arrays, &mut hints)?;
                hints.finish()?;
                Vec::new()
            }
            Rule::Descent { member } => rules::descent(self.setting, &configuration, *member).map(|()| Vec::new())?,
            Rule::End => rules::end(self.setting, &configuration).map(|()| Vec::new())?,
            Rule::Let { term } => rules::name(arena, &mut configuration, *term).map(|_| vec![configuration])?,
        };
        children.into_iter().rev().try_for_each(|child| self.push(arena, child))
    }
}
