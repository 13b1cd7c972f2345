//! From a derivation to the rules of a certificate: replays it with the kernel's own functions and writes a hint for every obligation.

use super::{
    search::{Derivation, End, Found, Leaf},
    sharing,
    template::Key,
};
use crate::solving::{HintRecorder, Solver};
use goatherd_certificates::derivation::{MemberId, OutcomeId, Proof, Refutation, Rule, TemplateId};
use goatherd_checker::{
    configuration::{Configuration, Setting},
    outcome::Oracle,
    rejection::Rejection,
    rules,
    step::outcomes,
    subsume,
    term::Arena,
    unfold::unfold,
};
use std::{collections::BTreeMap, sync::Arc};

/// The proof, in the terms of the arena.
pub fn proof(arena: &mut Arena, setting: Setting<'_>, found: &Found, solver: &Arc<Solver>) -> Result<Proof, Rejection> {
    let numbers: BTreeMap<&Key, TemplateId> = found.templates.iter().map(|(key, ..)| key).zip((0..).map(TemplateId)).collect();
    let mut emitter =
        Emitter { arena, setting, found, numbers, written: Vec::new(), recorder: HintRecorder::with_solver(Arc::clone(solver)) };
    for (class, derivation) in (0..).zip(&found.roots) {
        let root = rules::root(emitter.arena, setting, class)?.ok_or(Rejection::Root)?;
        emitter.derivation(root, derivation, vec![0])?;
    }
    let roots = std::mem::take(&mut emitter.written);
    let mut derivations = Vec::new();
    for (_, template, derivation) in &found.templates {
        let ahead = vec![0; template.configuration.members.len()];
        emitter.derivation(template.configuration.clone(), derivation, ahead)?;
        derivations.push(std::mem::take(&mut emitter.written));
    }
    let templates = found.templates.iter().map(|(_, template, _)| template.stored.clone()).collect();
    Ok(Proof { k: setting.k, lemmas: Vec::new(), sorts: setting.sorts.to_vec(), templates, roots, derivations })
}

struct Emitter<'a> {
    arena: &'a mut Arena,
    setting: Setting<'a>,
    found: &'a Found,
    numbers: BTreeMap<&'a Key, TemplateId>,
    written: Vec<Rule>,
    recorder: HintRecorder,
}

impl Emitter<'_> {
    /// Writes the rules of a derivation. So many steps has each member taken ahead of it already.
    fn derivation(&mut self, mut configuration: Configuration, derivation: &Derivation, mut ahead: Vec<usize>) -> Result<(), Rejection> {
        for rule in &derivation.rules {
            match rule {
                Rule::StepDecided { member, .. } if ahead[member.index()] > 0 => {
                    ahead[member.index()] -= 1;
                    continue;
                }
                Rule::AddScapegoat { .. } => ahead.push(0),
                Rule::Drop { member } => drop(ahead.remove(member.index())),
                _ => {}
            }
            configuration = self.rule(configuration, rule)?;
        }
        if let End::Step(_, children) | End::Split(_, children) = &derivation.end {
            self.share(&mut configuration, children, &mut ahead)?;
        }
        match &derivation.end {
            End::Step(refuted, children) => {
                let configurations = self.step(configuration, refuted)?;
                if configurations.len() != children.len() {
                    return Err(Rejection::Outcomes);
                }
                for (configuration, child) in configurations.into_iter().zip(children) {
                    self.derivation(configuration, child, ahead.clone())?;
                }
            }
            End::Split(literal, children) => {
                self.written.push(Rule::Split { literal: *literal });
                let configurations = rules::split(self.arena, configuration, *literal)?;
                for (configuration, child) in configurations.into_iter().zip(children) {
                    self.derivation(configuration, child, ahead.clone())?;
                }
            }
            End::Unfold(tree, end, children) => {
                self.written.push(Rule::Unfold { tree: *tree, end: *end });
                let configurations = unfold(self.arena, self.setting, &configuration, *tree, *end)?;
                for (configuration, child) in configurations.into_iter().zip(children) {
                    self.derivation(configuration, child, ahead.clone())?;
                }
            }
            End::Infeasible => {
                self.recorder.refute(self.arena, &configuration.predicate, &[])?;
                let refutation = self.recorder.take().pop().ok_or(Rejection::NotRefuted)?;
                self.written.push(Rule::Infeasible { refutation });
            }
            End::Ended => self.written.push(Rule::End),
            End::Descent(member) => self.written.push(Rule::Descent { member: *member }),
            End::Subsume(leaf) => {
                let Leaf { key, arrival, .. } = leaf.as_ref();
                let id = *self.numbers.get(key).ok_or(Rejection::Missing)?;
                let (_, template, _) = &self.found.templates[id.index()];
                let matching = template.matching(self.arena, self.setting, arrival)?;
                subsume::subsume(self.arena, self.setting, &configuration, &template.configuration, &matching, &mut self.recorder)?;
                let hints = self.recorder.take();
                self.written.push(Rule::Subsume { template: id, matching, hints });
            }
        }
        Ok(())
    }

    /// Takes the steps of scapegoats that the children share, as far as they are decided here.
    fn share(&mut self, configuration: &mut Configuration, children: &[Derivation], ahead: &mut [usize]) -> Result<(), Rejection> {
        if self.found.has_own_values {
            return Ok(());
        }
        for (member, ahead) in (0..).map(MemberId).zip(ahead).skip(1) {
            for (outcome, choice) in sharing::shared_steps(children, member).into_iter().skip(*ahead) {
                let all = outcomes(self.arena, self.setting, configuration.member(member)?)?;
                let literals = &all.get(outcome.index()).ok_or(Rejection::Missing)?.literals;
                if !literals.iter().all(|literal| self.recorder.shows(self.arena, &configuration.predicate, *literal)) {
                    break;
                }
                let mut next = configuration.clone();
                let taken = rules::step_decided(self.arena, self.setting, &mut next, (member, outcome), choice, &mut self.recorder);
                let hints = self.recorder.take();
                if taken.is_err() {
                    break;
                }
                *configuration = next;
                self.written.push(Rule::StepDecided { member, outcome, choice: choice.cloned(), hints });
                *ahead += 1;
            }
        }
        Ok(())
    }

    fn step(&mut self, configuration: Configuration, refuted: &[OutcomeId]) -> Result<Vec<Configuration>, Rejection> {
        let children = rules::step(self.arena, self.setting, configuration, refuted, &mut self.recorder)?;
        let refuted: Vec<(OutcomeId, Refutation)> = refuted.iter().copied().zip(self.recorder.take()).collect();
        self.written.push(Rule::Step { refuted });
        Ok(children)
    }

    /// A rule with one child.
    fn rule(&mut self, mut configuration: Configuration, rule: &Rule) -> Result<Configuration, Rejection> {
        let written = match rule {
            Rule::Step { refuted } => {
                let refuted: Vec<OutcomeId> = refuted.iter().map(|(outcome, _)| *outcome).collect();
                return self.step(configuration, &refuted)?.pop().ok_or(Rejection::Open);
            }
            Rule::StepDecided { member, outcome, choice, .. } => {
                let which = (*member, *outcome);
                rules::step_decided(self.arena, self.setting, &mut configuration, which, choice.as_ref(), &mut self.recorder)?;
                Rule::StepDecided { member: *member, outcome: *outcome, choice: choice.clone(), hints: self.recorder.take() }
            }
            Rule::AddScapegoat { drops, integers, .. } => {
                rules::add_scapegoat(self.arena, self.setting, &mut configuration, drops, integers, &mut self.recorder)?;
                Rule::AddScapegoat { drops: drops.clone(), integers: integers.clone(), hints: self.recorder.take() }
            }
            Rule::Drop { member } => {
                rules::drop_member(&mut configuration, *member)?;
                rule.clone()
            }
            Rule::Let { term } => {
                rules::name(self.arena, &mut configuration, *term)?;
                rule.clone()
            }
            Rule::Split { .. }
            | Rule::Unfold { .. }
            | Rule::Infeasible { .. }
            | Rule::Subsume { .. }
            | Rule::Descent { .. }
            | Rule::End => {
                return Err(Rejection::Open);
            }
        };
        self.written.push(written);
        Ok(configuration)
    }
}
