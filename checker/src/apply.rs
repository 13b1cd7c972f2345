//! One rule of a derivation, applied to a configuration: the one place that knows which function is which rule (`spec/calculus.md#rules`).

use crate::{
    Arena, Configuration, Oracle, Rejection, Setting, entry, rules, subsume, twin, unfold,
};
use alloc::vec::Vec;
use goatherd_certificates::*;

/// What rules refer to.
#[derive(Clone, Copy)]
pub struct Premises<'a> {
    /// The program, and how it is read.
    pub setting: Setting<'a>,
    /// What Subsume may cover configurations with.
    pub templates: &'a [Configuration],
}

impl Premises<'_> {
    /// Applies the rule; does the configuration stay open, as the last of what the rule leaves open? The others become children. The oracle
    /// is asked for what is to be refuted, in the order of the rule's obligations.
    pub fn apply(
        self,
        arena: &mut Arena,
        configuration: &mut Configuration,
        rule: &Rule,
        oracle: &mut dyn Oracle,
        children: &mut Vec<Configuration>,
    ) -> Result<bool, Rejection> {
        let setting = self.setting;
        match rule {
            Rule::Step { refuted } => {
                let refuted = refuted.iter().map(|(outcome, _)| *outcome);
                return rules::step(arena, setting, configuration, refuted, oracle, children);
            }
            Rule::StepDecided {
                member,
                outcome,
                choice,
                ..
            } => {
                let (which, choice) = ((*member, *outcome), choice.as_ref());
                rules::step_decided(arena, setting, configuration, which, choice, oracle)?;
            }
            Rule::Steps { member, count } => {
                rules::steps(arena, setting, configuration, *member, *count)?;
            }
            Rule::AddScapegoat {
                drops, integers, ..
            } => rules::add_scapegoat(arena, setting, configuration, drops, integers, oracle)?,
            Rule::Drop { member } => rules::drop_member(configuration, *member)?,
            Rule::Let { term } => {
                rules::name(arena, configuration, *term)?;
            }
            Rule::Split { literal } => {
                children.extend(rules::split(arena, configuration, *literal)?);
            }
            Rule::Unfold { tree, end } => {
                children.extend(unfold::unfold(arena, setting, configuration, *tree, *end)?);
            }
            // No valuation satisfies the predicate (red-black graphs: marking).
            Rule::Infeasible { .. } => oracle.refute(arena, &configuration.predicate, &[])?,
            Rule::Subsume {
                template, matching, ..
            } => {
                let template = entry(self.templates, template.index())?;
                subsume::subsume(arena, setting, configuration, template, matching, oracle)?;
            }
            Rule::Descent { member } => rules::descent(arena, setting, configuration, *member)?,
            Rule::Twin { member } => twin::twin(arena, setting, configuration, *member)?,
            Rule::End => rules::end(setting, configuration)?,
        }
        Ok(!closes(rule))
    }
}

/// Does the rule close the configuration, or put its children in its place?
const fn closes(rule: &Rule) -> bool {
    match rule {
        Rule::StepDecided { .. }
        | Rule::Steps { .. }
        | Rule::AddScapegoat { .. }
        | Rule::Drop { .. }
        | Rule::Let { .. } => false,
        Rule::Step { .. }
        | Rule::Split { .. }
        | Rule::Unfold { .. }
        | Rule::Infeasible { .. }
        | Rule::Subsume { .. }
        | Rule::Descent { .. }
        | Rule::Twin { .. }
        | Rule::End => true,
    }
}
