//! From a derivation to the rules of a certificate: replays it with the kernel's own functions and writes a hint for every obligation.

mod facts;

use super::{
    needed::{self, Demand},
    search::{Derivation, End, Found, Leaf},
    sharing,
    template::{Key, Widened},
};
use crate::solving::{ContextOracle, Solver};
use facts::Facts;
use goatherd_certificates::{
    derivation::{Matching, MemberId, OutcomeId, Proof, Refutation, Rule, TemplateId},
    program::Location,
    term::Literal,
};
use goatherd_checker::{
    configuration::{Configuration, Setting},
    outcome::{Obligations, Oracle},
    rejection::Rejection,
    rules,
    step::outcomes,
    substitution::Substitution,
    subsume,
    term::Arena,
    unfold::unfold,
};
use std::{collections::BTreeMap, sync::Arc};

/// The proof, in the terms of the arena. Where it has many templates, no more of their literals than are needed, and as few of them as that
/// allows (`spec/search.md#what-is-written`).
pub fn proof(arena: &mut Arena, setting: Setting<'_>, mut found: Found, solver: &Arc<Solver>) -> Result<Proof, Rejection> {
    if found.templates.len() < MANY {
        return Emitter::new(arena, setting, &found, solver).proof();
    }
    let demands = Emitter::new(arena, setting, &found, solver).demands()?;
    for ((_, template, _), literals) in found.templates.iter_mut().zip(needed::needed(&demands)) {
        template.keep_literals(&literals);
    }
    Emitter { alike: alike(&found), ..Emitter::new(arena, setting, &found, solver) }.proof()
}

/// So many templates are many: with fewer, finding out what is needed takes longer than it saves.
const MANY: usize = 24;
/// How many templates are tried for a herd.
const TRIED: usize = 12;

/// The templates that stand at each location, those with the fewest literals first.
fn alike(found: &Found) -> BTreeMap<Option<Location>, Vec<usize>> {
    let mut alike: BTreeMap<Option<Location>, Vec<usize>> = BTreeMap::new();
    for (position, (_, template, _)) in found.templates.iter().enumerate() {
        alike.entry(template.location()).or_default().push(position);
    }
    for positions in alike.values_mut() {
        positions.sort_by_key(|position| found.templates[*position].1.stored.predicate.len());
    }
    alike
}

struct Emitter<'a> {
    arena: &'a mut Arena,
    setting: Setting<'a>,
    found: &'a Found,
    positions: BTreeMap<&'a Key, usize>,
    /// Templates that may cover each other's herds.
    alike: BTreeMap<Option<Location>, Vec<usize>>,
    /// The templates that are written, by their numbers, and under which number each is.
    written_templates: Vec<usize>,
    numbers: Vec<Option<TemplateId>>,
    written: Vec<Rule>,
    facts: Facts,
    /// What is used so that templates cover herds, where just that is asked.
    demand: Option<Demand>,
}

impl<'a> Emitter<'a> {
    fn new(arena: &'a mut Arena, setting: Setting<'a>, found: &'a Found, solver: &Arc<Solver>) -> Self {
        let positions = found.templates.iter().map(|(key, ..)| key).zip(0..).collect();
        let (alike, numbers) = (BTreeMap::new(), vec![None; found.templates.len()]);
        let (written_templates, written, facts) = (Vec::new(), Vec::new(), Facts::new(solver));
        Self { arena, setting, found, positions, alike, written_templates, numbers, written, facts, demand: None }
    }

    /// What each template's derivation uses of its literals.
    fn demands(mut self) -> Result<Vec<Demand>, Rejection> {
        let mut demands = Vec::new();
        for (_, template, derivation) in &self.found.templates {
            let mut configuration = template.configuration.clone();
            self.facts.set_aside(std::mem::take(&mut configuration.predicate));
            self.demand = Some(Demand::default());
            self.derivation(configuration, derivation, vec![0; template.tags.len()])?;
            let used = self.facts.take_used();
            let mut demand = self.demand.take().unwrap_or_default();
            demand.own.extend(used);
            demands.push(demand);
            self.written.clear();
        }
        Ok(demands)
    }

    fn proof(mut self) -> Result<Proof, Rejection> {
        for (class, derivation) in (0..).zip(&self.found.roots) {
            let root = rules::root(self.arena, self.setting, class)?.ok_or(Rejection::Root)?;
            self.derivation(root, derivation, vec![0])?;
        }
        let roots = std::mem::take(&mut self.written);
        let (mut templates, mut derivations) = (Vec::new(), Vec::new());
        while let Some(position) = self.written_templates.get(derivations.len()) {
            let (_, template, derivation) = &self.found.templates[*position];
            templates.push(template.stored.clone());
            self.derivation(template.configuration.clone(), derivation, vec![0; template.tags.len()])?;
            derivations.push(std::mem::take(&mut self.written));
        }
        Ok(Proof { k: self.setting.k, lemmas: Vec::new(), sorts: self.setting.sorts.to_vec(), templates, roots, derivations })
    }

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
                self.facts.refute(self.arena, &configuration.predicate, &[])?;
                let refutation = self.facts.take_hints().pop().unwrap_or_default();
                self.written.push(Rule::Infeasible { refutation });
            }
            End::Ended => self.written.push(Rule::End),
            End::Descent(member) => self.written.push(Rule::Descent { member: *member }),
            End::Subsume(leaf) => self.subsume(configuration, leaf)?,
        }
        Ok(())
    }

    /// A template covers the herd: that of the leaf, or one with which fewer are written.
    fn subsume(&mut self, mut configuration: Configuration, leaf: &Leaf) -> Result<(), Rejection> {
        let Leaf { key, arrival, .. } = leaf;
        let own = *self.positions.get(key).ok_or(Rejection::Missing)?;
        let (_, template, _) = &self.found.templates[own];
        if self.demand.is_some() {
            let matching = template.matching(self.arena, self.setting, arrival)?;
            return self.ask(&configuration, own, template, &matching);
        }
        let (position, dropped, matching) = self.cover(&configuration, leaf, own)?;
        for member in dropped {
            rules::drop_member(&mut configuration, member)?;
            self.written.push(Rule::Drop { member });
        }
        let (_, template, _) = &self.found.templates[position];
        subsume::subsume(self.arena, self.setting, &configuration, &template.configuration, &matching, &mut self.facts)?;
        let hints = self.facts.take_hints();
        let template = if let Some(number) = self.numbers[position] {
            number
        } else {
            let number = TemplateId(u32::try_from(self.written_templates.len()).map_err(|_| Rejection::Overflow)?);
            self.written_templates.push(position);
            self.numbers[position] = Some(number);
            number
        };
        self.written.push(Rule::Subsume { template, matching: matching.into(), hints });
        Ok(())
    }

    /// A template that covers the herd, the scapegoats that have to be forgotten for it, and under what: one that is written already, or one of
    /// few literals.
    fn cover(&mut self, configuration: &Configuration, leaf: &Leaf, own: usize) -> Result<(usize, Vec<MemberId>, Matching), Rejection> {
        let (_, template, _) = &self.found.templates[own];
        let alike = self.alike.get(&template.location()).into_iter().flatten().copied();
        let (mut candidates, others): (Vec<usize>, Vec<usize>) = alike.partition(|other| self.numbers[*other].is_some());
        candidates.extend(others);
        let mut context = None;
        let mut tried = 0;
        for position in candidates {
            if position == own || tried == TRIED {
                break;
            }
            let (_, candidate, _) = &self.found.templates[position];
            let Some((dropped, matching)) = candidate.covering(self.arena, template, &leaf.arrival)? else { continue };
            tried += 1;
            let mut smaller = configuration.clone();
            dropped.iter().try_for_each(|member| rules::drop_member(&mut smaller, *member))?;
            let context = context.get_or_insert_with(|| self.facts.context(self.arena, &configuration.predicate));
            let mut oracle = ContextOracle(context);
            if subsume::subsume(self.arena, self.setting, &smaller, &candidate.configuration, &matching, &mut oracle).is_ok() {
                return Ok((position, dropped, matching));
            }
        }
        Ok((own, Vec::new(), template.matching(self.arena, self.setting, &leaf.arrival)?))
    }

    /// Notes what is used to show each literal of the template, and that slots are equal.
    fn ask(&mut self, configuration: &Configuration, position: usize, template: &Widened, matching: &Matching) -> Result<(), Rejection> {
        let mut slots = template.configuration.clone();
        let predicate = std::mem::take(&mut slots.predicate);
        subsume::subsume(self.arena, self.setting, configuration, &slots, matching, &mut self.facts)?;
        let own = self.facts.take_used();
        let mut literals = Vec::new();
        for literal in predicate {
            let mut obligations = Obligations {
                arena: self.arena,
                scope: &configuration.scope,
                predicate: &configuration.predicate,
                oracle: &mut self.facts,
            };
            let mut theta = Substitution::new(&mut obligations, &slots.scope, matching)?;
            let term = theta.linear(obligations.arena, literal.term)?;
            obligations.entail(Literal { term, ..literal })?;
            literals.push(self.facts.take_used());
        }
        let Some(demand) = &mut self.demand else { return Ok(()) };
        demand.own.extend(own);
        demand.leaves.push(needed::Leaf { template: position, literals });
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
                if !literals.iter().all(|literal| self.facts.shows(self.arena, &configuration.predicate, *literal)) {
                    break;
                }
                let mut next = configuration.clone();
                let taken = rules::step_decided(self.arena, self.setting, &mut next, (member, outcome), choice, &mut self.facts);
                let hints = self.facts.take_hints();
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

    fn step(&mut self, mut configuration: Configuration, refuted: &[OutcomeId]) -> Result<Vec<Configuration>, Rejection> {
        let mut children = Vec::new();
        if rules::step(self.arena, self.setting, &mut configuration, refuted.iter().copied(), &mut self.facts, &mut children)? {
            children.push(configuration);
        }
        let refuted: Vec<(OutcomeId, Refutation)> = refuted.iter().copied().zip(self.facts.take_hints()).collect();
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
                rules::step_decided(self.arena, self.setting, &mut configuration, which, choice.as_ref(), &mut self.facts)?;
                Rule::StepDecided { member: *member, outcome: *outcome, choice: choice.clone(), hints: self.facts.take_hints() }
            }
            Rule::AddScapegoat { drops, integers, .. } => {
                rules::add_scapegoat(self.arena, self.setting, &mut configuration, drops, integers, &mut self.facts)?;
                Rule::AddScapegoat { drops: drops.clone(), integers: integers.clone(), hints: self.facts.take_hints() }
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
