//! One rule of a derivation, applied to a configuration: the one place that knows which function is which rule (`spec/calculus.md#rules`).

use crate::refute::Hints;
use crate::*;
use alloc::vec::Vec;
use core::slice;
use goatherd_certificates::{Refutation, Rule};

/// What rules refer to.
#[derive(Clone, Copy)]
pub struct Premises<'a> {
    /// The program, and how it is read.
    pub setting: Setting<'a>,
    /// What Subsume may cover configurations with.
    pub templates: &'a [Configuration],
}

/// How rules are replayed: by [`Premises::replay`], or by somebody who looks on.
pub type Replayer<'a> = &'a mut dyn FnMut(
    &mut Arena,
    &mut Configuration,
    &Rule,
    &mut Vec<Configuration>,
) -> Result<bool>;

impl Premises<'_> {
    /// Applies the rule with its own hints, as [`Self::apply`] does.
    pub fn replay(
        self,
        arena: &mut Arena,
        configuration: &mut Configuration,
        rule: &Rule,
        children: &mut Vec<Configuration>,
    ) -> Result<bool> {
        let mut hints = Hints::new(hints(rule));
        let is_open = self.apply(arena, configuration, rule, &mut hints, children)?;
        hints.finish().map(|()| is_open)
    }

    /// Applies the rule; does the configuration stay open, as the last of what the rule leaves open? The others become children. The oracle
    /// is asked for what is to be refuted, in the order of the rule's obligations. Every rule says what becomes of the configuration.
    pub fn apply(
        self,
        arena: &mut Arena,
        configuration: &mut Configuration,
        rule: &Rule,
        oracle: &mut dyn Oracle,
        children: &mut Vec<Configuration>,
    ) -> Result<bool> {
        let setting = self.setting;
        let (open, closed) = (|()| true, |()| false);
        match rule {
            Rule::Step { refuted } => {
                let refuted = refuted.iter().map(|(outcome, _)| *outcome);
                rules::step(arena, setting, configuration, refuted, oracle, children)
            }
            Rule::StepDecided {
                member,
                outcome,
                choice,
                ..
            } => configuration
                .change(arena, setting, *member)
                .step_decided(*outcome, choice.as_ref(), oracle)
                .map(open),
            Rule::Steps { member, count } => configuration
                .change(arena, setting, *member)
                .steps(*count)
                .map(open),
            Rule::AddScapegoat {
                drops, integers, ..
            } => rules::add_scapegoat(arena, setting, configuration, drops, integers, oracle)
                .map(open),
            Rule::Drop { member } => rules::drop_member(configuration, *member).map(open),
            Rule::Let { term } => rules::name(arena, configuration, *term).map(|_| true),
            Rule::Split { literal } => {
                children.extend(rules::split(arena, configuration, *literal)?);
                Ok(false)
            }
            Rule::Unfold { tree, end } => {
                children.extend(unfold::unfold(arena, setting, configuration, *tree, *end)?);
                Ok(false)
            }
            // No valuation satisfies the predicate (red-black graphs: marking).
            Rule::Infeasible { .. } => oracle
                .refute(arena, &configuration.predicate, &[])
                .map(closed),
            Rule::Subsume {
                template, matching, ..
            } => {
                let template = entry(self.templates, template.index())?;
                subsume::subsume(arena, setting, configuration, template, matching, oracle)
                    .map(closed)
            }
            Rule::Descent { member } => {
                rules::descent(arena, setting, configuration, *member).map(closed)
            }
            Rule::Twin { member } => twin::twin(arena, setting, configuration, *member).map(closed),
            Rule::End => rules::end(setting, configuration).map(closed),
        }
    }
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
