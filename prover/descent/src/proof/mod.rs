//! From a derivation to the rules of a certificate: replays it with the kernel's own functions and writes a hint for every obligation.

pub(crate) mod classes;
pub(crate) mod cover;
pub(crate) mod covers;
pub(crate) mod emitter;
pub(crate) mod facts;
pub(crate) mod footprint;
pub(crate) mod found;
pub(crate) mod join;
pub(crate) mod joins;
pub(crate) mod liveness;
pub(crate) mod needed;
pub(crate) mod plan;
pub(crate) mod relative;
pub(crate) mod sharing;
pub(crate) mod short;
pub(crate) mod splits;
pub(crate) mod trusting;

use crate::{
    search::derivation::Found,
    state::{
        consumption::consumes_less,
        herd::Herd,
        template::{
            Widened,
            arrival::Arrival,
            basis::{Basis, Direction},
            covering::Images,
        },
        twin::twin,
    },
};
use cover::Covers;
use emitter::{Emitter, Source, Unproved};
use facts::Facts;
use found::{length, templates};
use goatherd_certificates::{
    derivation::{Matching, MemberId, OutcomeId, Proof, Refutation, Rule, TemplateId},
    program::Location,
    term::{LinearId, Literal},
};
use goatherd_checker::{
    configuration::Configuration,
    outcome::{Obligations, Oracle},
    rejection::Rejection,
    rules,
    step::outcomes,
    substitution::Substitution,
    subsume,
    term::Arena,
    unfold::unfold,
};
use goatherd_logic::{Context, ContextOracle, Solver};
use join::Joins;
use needed::Demand;
use plan::{Action, Hidden, NodeId, Plan, Sharing, Term};
use relative::Homes;
use std::{collections::BTreeMap, sync::Arc};

/// The proof, in the terms of the arena. Where it is large, what is left to write where ways meet is written once; where it has many templates, no
/// more of their literals than are needed, and as few of them as that allows; of heaps, no more than is read, if that can be derived anew
/// (`spec/search.md#what-is-written`).
pub fn proof(arena: &mut Arena, basis: Basis<'_>, found: &mut Found, solver: &Arc<Solver>) -> Result<Proof, Rejection> {
    let basis = Basis { direction: Direction::Up, ..basis };
    let derivations = found.roots.iter().chain(found.templates.iter().map(|(_, _, derivation)| derivation));
    let size = derivations.map(length).sum::<usize>();
    if !basis.flow.is_linked && size >= LARGE {
        let shorter = shared(arena, basis, found, size, solver);
        if shorter.is_ok() {
            return shorter;
        }
    }
    let templates = templates(found);
    let plan = Plan::new(arena, basis, found, solver, Sharing::Apart, (&templates, &Covers::new()))?;
    let proof = Emitter::new(arena, basis, &plan, templates, solver, Sharing::Apart).whole()?;
    if !basis.flow.is_linked || proof.templates.len() < MANY {
        return Ok(proof);
    }
    Ok(footprint::cut_down(arena, basis.setting, &proof, solver).unwrap_or(proof))
}

/// The proof with what is left to write where ways meet written once.
fn shared(arena: &mut Arena, basis: Basis<'_>, found: &mut Found, size: usize, solver: &Arc<Solver>) -> Result<Proof, Rejection> {
    let (templates, plan) = if size < SMALL * found.templates.len() {
        leave_out(arena, basis, found, solver)?;
        let found_covers = covers::covers(arena, basis, solver, templates(found))?;
        classes::merged(arena, basis, found, solver, found_covers)?
    } else {
        let templates = templates(found);
        let plan = Plan::new(arena, basis, found, solver, Sharing::Alike, (&templates, &Covers::new()))?;
        (templates, plan)
    };
    Emitter::new(arena, basis, &plan, templates, solver, Sharing::Alike).whole()
}

/// Leaves out literals that are not needed, splits that are of no use then, and scapegoats that are blamed nowhere else.
fn leave_out(arena: &mut Arena, basis: Basis<'_>, found: &mut Found, solver: &Arc<Solver>) -> Result<(), Rejection> {
    let plan = Plan::new(arena, basis, found, solver, Sharing::Apart, (&templates(found), &Covers::new()))?;
    let mut emitter = Emitter::new(arena, basis, &plan, templates(found), solver, Sharing::Apart);
    emitter.keep_needed()?;
    for (source, (_, template, _)) in emitter.templates.into_iter().zip(&mut found.templates) {
        *template = source.template;
    }
    splits::leave_out(arena, basis, found, solver)?;
    *found = liveness::without_dead(std::mem::take(found));
    Ok(())
}

/// So many rules are many: with fewer, finding out where ways meet saves little.
const LARGE: usize = 1000;
/// Derivations of fewer rules, on average, are small: with larger ones, finding out which templates could be one takes longer than that saves.
const SMALL: usize = 1000;
/// So many templates are many: with fewer, finding out what is needed takes longer than it saves.
const MANY: usize = 24;
/// How many templates are tried for a herd.
const TRIED: usize = 32;

/// The templates that stand at each location, those with the fewest literals first.
fn alike(templates: &[Source], positions: impl Iterator<Item = usize>) -> BTreeMap<Option<Location>, Vec<usize>> {
    let mut alike: BTreeMap<Option<Location>, Vec<usize>> = BTreeMap::new();
    for position in positions {
        let Source { template, node } = &templates[position];
        if node.is_some() {
            alike.entry(template.location()).or_default().push(position);
        }
    }
    for positions in alike.values_mut() {
        positions.sort_by_key(|position| templates[*position].template.stored.predicate.len());
    }
    alike
}

impl<'a> Emitter<'a> {
    fn new(
        arena: &'a mut Arena,
        basis: Basis<'a>,
        plan: &'a Plan,
        templates: Vec<Widened>,
        solver: &Arc<Solver>,
        sharing: Sharing,
    ) -> Self {
        let templates = templates.into_iter().zip(&plan.templates).map(|(template, node)| Source { template, node: *node }).collect();
        Self {
            arena,
            basis,
            plan,
            sharing,
            templates,
            joins: Joins::default(),
            alike: BTreeMap::new(),
            written_templates: Vec::new(),
            numbers: BTreeMap::new(),
            written: Vec::new(),
            facts: Facts::new(solver),
            solver: Arc::clone(solver),
            demand: None,
            unproved: Unproved::Refused,
            kept_indices: Vec::new(),
        }
    }

    /// Where a template's derivation begins.
    fn start(&mut self, position: usize) -> Option<(Configuration, NodeId)> {
        let Source { template, node } = &self.templates[position];
        self.kept_indices = template.kept_indices().to_vec();
        Some((template.configuration.clone(), (*node)?))
    }

    /// The configuration as what arrives at a template.
    fn arrival(&mut self, configuration: &Configuration, kept_indices: &[LinearId]) -> Result<Arrival, Rejection> {
        let herd = Herd { kept_indices: kept_indices.to_vec(), ..Herd::knowing(configuration.clone(), Context::new()) };
        Arrival::new(self.arena, self.basis, herd)
    }

    /// The whole proof.
    fn whole(mut self) -> Result<Proof, Rejection> {
        let count = self.templates.len();
        if self.sharing == Sharing::Alike {
            self.add_joins()?;
        }
        if count >= MANY || self.templates.len() > count {
            self.keep_needed()?;
        }
        if count >= MANY {
            self.alike = alike(&self.templates, (0..count).chain(self.joins.templates()));
        }
        self.proof()
    }

    /// Leaves out the literals of templates that are not needed.
    fn keep_needed(&mut self) -> Result<(), Rejection> {
        let demands = self.demands()?;
        for (source, literals) in self.templates.iter_mut().zip(needed::needed(&demands)) {
            source.template.keep_literals(&literals);
        }
        Ok(())
    }

    /// What each template's derivation uses of its literals.
    fn demands(&mut self) -> Result<Vec<Demand>, Rejection> {
        let joins = self.joins.templates();
        let count = self.plan.templates.len();
        let mut demands = Vec::new();
        for position in 0..self.templates.len() {
            let is_written = position < count || joins.contains(&position);
            demands.push(if is_written { self.template_demand(position)? } else { Demand::default() });
        }
        self.facts = Facts::new(&self.solver);
        Ok(demands)
    }

    /// What the template's derivation uses of its literals.
    fn template_demand(&mut self, position: usize) -> Result<Demand, Rejection> {
        self.demand = Some(Demand::default());
        let mut result = Ok(());
        if let Some((mut configuration, node)) = self.start(position) {
            self.facts.set_aside(std::mem::take(&mut configuration.predicate));
            result = self.go_on(configuration, node);
        }
        let used = self.facts.take_used();
        let mut demand = self.demand.take().unwrap_or_default();
        demand.own.extend(used);
        self.written.clear();
        result.map(|()| demand)
    }

    /// Writes the derivations from the roots.
    fn write_roots(&mut self) -> Result<(), Rejection> {
        self.kept_indices.clear();
        for (class, node) in (0..).zip(&self.plan.roots) {
            let root = rules::root(self.arena, self.basis.setting, self.basis.lengths, class)?.ok_or(Rejection::Root)?;
            self.go_on(root, *node)?;
        }
        Ok(())
    }

    fn proof(mut self) -> Result<Proof, Rejection> {
        self.write_roots()?;
        let roots = std::mem::take(&mut self.written);
        let (mut templates, mut derivations) = (Vec::new(), Vec::new());
        while let Some(position) = self.written_templates.get(derivations.len()) {
            let position = *position;
            templates.push(self.templates[position].template.stored.clone());
            let (configuration, node) = self.start(position).ok_or(Rejection::Missing)?;
            self.go_on(configuration, node)?;
            derivations.push(std::mem::take(&mut self.written));
        }
        let setting = self.basis.setting;
        Ok(Proof {
            k: setting.k,
            lengths: self.basis.lengths,
            lemmas: Vec::new(),
            sorts: setting.sorts.to_vec(),
            templates,
            roots,
            derivations,
        })
    }

    /// Writes what is left at the node, unless that is written elsewhere.
    fn derivation(&mut self, configuration: Configuration, node: NodeId) -> Result<(), Rejection> {
        if self.meets(&configuration, node)? { Ok(()) } else { self.go_on(configuration, node) }
    }

    /// Writes what is left at the node.
    fn go_on(&mut self, mut configuration: Configuration, mut node: NodeId) -> Result<(), Rejection> {
        let plan = self.plan;
        loop {
            let children = &plan.nodes[node].children;
            let mut configurations = self.action(configuration, &plan.nodes[node].action)?;
            if configurations.len() != children.len() {
                return Err(Rejection::Outcomes);
            }
            let [child] = children.as_slice() else {
                let mut children = configurations.into_iter().zip(children);
                return children.try_for_each(|(configuration, child)| self.derivation(configuration, *child));
            };
            let Some(next) = configurations.pop() else { return Err(Rejection::Open) };
            if self.meets(&next, *child)? {
                return Ok(());
            }
            (configuration, node) = (next, *child);
        }
    }

    /// Writes a rule; gives what it leads to.
    fn action(&mut self, mut configuration: Configuration, action: &Action) -> Result<Vec<Configuration>, Rejection> {
        let setting = self.basis.setting;
        match action {
            Action::Step(open) => self.step(configuration, open),
            Action::Split(sign, term) => {
                let term = match term {
                    Term::Relative(term) => Homes::new(self.basis.flow, &configuration, &self.kept_indices).absolute(self.arena, term)?,
                    Term::Absolute(term) => *term,
                };
                let literal = Literal { sign: *sign, term };
                self.written.push(Rule::Split { literal });
                Ok(rules::split(self.arena, &configuration, literal)?.into())
            }
            Action::Unfold(tree, end) => {
                self.written.push(Rule::Unfold { tree: *tree, end: *end });
                unfold(self.arena, setting, &configuration, *tree, *end)
            }
            Action::Decided(member, outcome, choice) => {
                let is_alone = choice.is_none() && self.is_alone(&configuration, *member)?;
                configuration.change(self.arena, setting, *member).step_decided(*outcome, choice.as_ref(), &mut self.facts)?;
                let hints = self.facts.take_hints();
                if is_alone && hints.is_empty() {
                    self.write_step(*member);
                } else {
                    self.written.push(Rule::StepDecided { member: *member, outcome: *outcome, choice: choice.clone(), hints });
                }
                Ok(vec![configuration])
            }
            Action::Other(rule) => {
                let rule = self.other(&mut configuration, rule)?;
                self.written.push(rule);
                Ok(vec![configuration])
            }
            Action::Infeasible => {
                self.facts.refute(self.arena, &configuration.predicate, &[])?;
                let refutation = self.facts.take_hints().pop().unwrap_or_default();
                self.written.push(Rule::Infeasible { refutation });
                Ok(Vec::new())
            }
            Action::Ended => {
                self.written.push(Rule::End);
                Ok(Vec::new())
            }
            Action::Descent(member) => self.descent(&configuration, *member).map(|()| Vec::new()),
            Action::Twin(member) => {
                twin(self.arena, (setting, self.basis.flow), &configuration, *member)?;
                self.written.push(Rule::Twin { member: *member });
                Ok(Vec::new())
            }
            Action::Alone(own, leaf) => {
                if !self.facts.is_trusting() {
                    let matching = self.templates[*own].template.matching(self.arena, setting, &leaf.arrival)?;
                    let positions = self.templates[*own].template.positions().to_vec();
                    self.subsume(configuration, *own, &leaf.arrival, &positions, matching)?;
                }
                Ok(Vec::new())
            }
            Action::Subsume(own, hidden) => {
                if !self.facts.is_trusting() {
                    self.subsume_alike(configuration, *own, hidden)?;
                }
                Ok(Vec::new())
            }
        }
    }

    /// Blames a scapegoat that has failed. Where it has to have consumed less, that must stand in the predicate.
    fn descent(&mut self, configuration: &Configuration, member: MemberId) -> Result<(), Rejection> {
        let literal = consumes_less(self.arena, configuration, member);
        let literal = literal.filter(|literal| self.arena.evident(*literal) != Some(true) && !configuration.predicate.contains(literal));
        self.written.extend(literal.map(|literal| Rule::Split { literal }));
        self.written.push(Rule::Descent { member });
        if let Some(literal) = literal {
            let [_, other] = rules::split(self.arena, configuration, literal)?;
            self.facts.refute(self.arena, &other.predicate, &[])?;
            let refutation = self.facts.take_hints().pop().unwrap_or_default();
            self.written.push(Rule::Infeasible { refutation });
        }
        Ok(())
    }

    /// A rule that adds or forgets a scapegoat, or names a term.
    fn other(&mut self, configuration: &mut Configuration, rule: &Rule) -> Result<Rule, Rejection> {
        match rule {
            Rule::AddScapegoat { drops, integers, .. } => {
                rules::add_scapegoat(self.arena, self.basis.setting, configuration, drops, integers, &mut self.facts)?;
                return Ok(Rule::AddScapegoat { drops: drops.clone(), integers: integers.clone(), hints: self.facts.take_hints() });
            }
            Rule::Drop { member } => rules::drop_member(configuration, *member)?,
            Rule::Let { term } => drop(rules::name(self.arena, configuration, *term)?),
            _ => return Err(Rejection::Open),
        }
        Ok(rule.clone())
    }

    /// The outcomes that are not open are refuted, but for those that are evidently impossible.
    fn step(&mut self, mut configuration: Configuration, open: &[OutcomeId]) -> Result<Vec<Configuration>, Rejection> {
        let all = outcomes(self.arena, self.basis.setting, configuration.member(MemberId(0))?)?;
        let refuted = (0..).map(OutcomeId).zip(&all);
        let refuted = refuted.filter(|(number, outcome)| !open.contains(number) && !rules::is_excluded(self.arena, outcome));
        let refuted: Vec<OutcomeId> = refuted.map(|(number, _)| number).collect();
        let mut children = Vec::new();
        if rules::step(self.arena, self.basis.setting, &mut configuration, refuted.iter().copied(), &mut self.facts, &mut children)? {
            children.push(configuration);
        }
        let refuted: Vec<(OutcomeId, Refutation)> = refuted.into_iter().zip(self.facts.take_hints()).collect();
        if refuted.is_empty() && children.len() == 1 {
            self.write_step(MemberId(0));
        } else {
            self.written.push(Rule::Step { refuted });
        }
        Ok(children)
    }

    /// Has the member's next instruction one outcome, whatever the variables are?
    fn is_alone(&mut self, configuration: &Configuration, member: MemberId) -> Result<bool, Rejection> {
        let all = outcomes(self.arena, self.basis.setting, configuration.member(member)?)?;
        Ok(all.iter().filter(|outcome| !rules::is_excluded(self.arena, outcome)).count() == 1)
    }

    /// Writes that the member takes an instruction that has one outcome: with those right before it, in one rule.
    fn write_step(&mut self, member: MemberId) {
        let most = self.basis.setting.program.instructions.len();
        match self.written.last_mut() {
            Some(Rule::Steps { member: other, count }) if *other == member && usize::try_from(*count).is_ok_and(|count| count < most) => {
                *count += 1;
            }
            _ => self.written.push(Rule::Steps { member, count: 1 }),
        }
    }

    /// A template covers the herd, of which is known what slots do not say.
    fn subsume_alike(&mut self, configuration: Configuration, own: usize, hidden: &Hidden) -> Result<(), Rejection> {
        let homes = Homes::new(self.basis.flow, &configuration, &self.kept_indices);
        let images = hidden.images(self.arena, &homes)?;
        let kept_indices = hidden.kept_indices(self.arena, &homes)?;
        let arrival = self.arrival(&configuration, &kept_indices)?;
        let matching = self.matching(own, &arrival, images)?;
        let positions: Vec<usize> = (0..configuration.members.len()).collect();
        self.subsume(configuration, own, &arrival, &positions, matching)
    }

    /// Under what the template may cover what arrives, all members of which it has.
    fn matching(&mut self, position: usize, arrival: &Arrival, images: Images) -> Result<Matching, Rejection> {
        let template = &self.templates[position].template;
        let positions: Vec<usize> = (0..template.tags.len()).collect();
        let covering = template.covering(self.arena, &template.tags, &positions, arrival, images)?;
        covering.map(|(_, matching)| matching).ok_or(Rejection::Shape)
    }

    /// A template covers the herd: its own under this, or one with which fewer are written. Where in what arrives its members stand is given.
    fn subsume(
        &mut self,
        mut configuration: Configuration,
        own: usize,
        arrival: &Arrival,
        positions: &[usize],
        matching: Matching,
    ) -> Result<(), Rejection> {
        let (position, dropped, matching) =
            self.cover(&configuration, own, arrival, positions)?.unwrap_or_else(|| (own, Vec::new(), matching));
        for member in dropped {
            rules::drop_member(&mut configuration, member)?;
            self.written.push(Rule::Drop { member });
        }
        self.covered(&configuration, position, &matching)
    }

    /// Writes that the template covers the herd, if it does.
    fn covered(&mut self, configuration: &Configuration, position: usize, matching: &Matching) -> Result<(), Rejection> {
        if self.demand.is_some() {
            return self.ask(configuration, position, matching);
        }
        let template = &self.templates[position].template.configuration;
        let covered = subsume::subsume(self.arena, self.basis.setting, configuration, template, matching, &mut self.facts);
        let hints = self.facts.take_hints();
        covered?;
        let next = TemplateId(u32::try_from(self.written_templates.len()).map_err(|_| Rejection::Overflow)?);
        let template = *self.numbers.entry(position).or_insert(next);
        if template == next {
            self.written_templates.push(position);
        }
        self.written.push(Rule::Subsume { template, matching: matching.clone(), hints });
        Ok(())
    }

    /// Another template that covers the herd, the scapegoats that have to be forgotten for it, and under what: one that is written already, or one
    /// of few literals.
    fn cover(
        &mut self,
        configuration: &Configuration,
        own: usize,
        arrival: &Arrival,
        positions: &[usize],
    ) -> Result<Option<(usize, Vec<MemberId>, Matching)>, Rejection> {
        let template = &self.templates[own].template;
        let alike = self.alike.get(&template.location()).into_iter().flatten().copied();
        let (mut candidates, others): (Vec<usize>, Vec<usize>) = alike.partition(|other| self.numbers.contains_key(other));
        candidates.extend(others);
        let mut context = None;
        let mut tried = 0;
        for position in candidates {
            if position == own || tried == TRIED {
                break;
            }
            let candidate = &self.templates[position].template;
            let Some((dropped, matching)) = candidate.covering(self.arena, &template.tags, positions, arrival, Images::default())? else {
                continue;
            };
            tried += 1;
            let mut smaller = configuration.clone();
            dropped.iter().try_for_each(|member| rules::drop_member(&mut smaller, *member))?;
            let context = context.get_or_insert_with(|| self.facts.context(self.arena, &configuration.predicate));
            let mut oracle = ContextOracle(context);
            if subsume::subsume(self.arena, self.basis.setting, &smaller, &candidate.configuration, &matching, &mut oracle).is_ok() {
                return Ok(Some((position, dropped, matching)));
            }
        }
        Ok(None)
    }

    /// Notes what is used to show each literal of the template, and that slots are equal.
    fn ask(&mut self, configuration: &Configuration, position: usize, matching: &Matching) -> Result<(), Rejection> {
        let mut slots = self.templates[position].template.configuration.clone();
        let predicate = std::mem::take(&mut slots.predicate);
        subsume::subsume(self.arena, self.basis.setting, configuration, &slots, matching, &mut self.facts)?;
        // Whatever has been used before is among it, so it is noted even if the template does not cover the herd.
        let own = self.facts.take_used();
        self.demand.iter_mut().for_each(|demand| demand.own.extend(&own));
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
            let is_entailed = obligations.entail(Literal { term, ..literal });
            let used = self.facts.take_used();
            literals.push(match self.unproved {
                Unproved::Refused => Some(is_entailed.map(|()| used)?),
                Unproved::Noted => is_entailed.is_ok().then_some(used),
            });
        }
        let Some(demand) = &mut self.demand else { return Ok(()) };
        demand.leaves.push(needed::Leaf { template: position, literals });
        Ok(())
    }
}
