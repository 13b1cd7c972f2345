//! What is to be written, rule by rule, and where it is alike.
//!
//! A derivation is a tree, and behind ways that come to the same what is left of it looks alike. Here it is a graph: a node is a rule with what
//! comes behind it, and alike nodes are one (`spec/search.md#what-is-written`).

use super::{
    cover::Covers,
    cover::images,
    facts::Facts,
    relative::{Homes, Relative, RelativeArray},
    sharing::{self, DecidedStep},
    short,
    trusting::Trusting,
};
use crate::{
    search::derivation::{Derivation, End, Found, Leaf},
    state::{
        herd::Herd,
        template::{Widened, arrival::Arrival, basis::Basis, covering::Images, key::Key},
    },
};
use goatherd_certificates::{
    configuration::TreeId,
    derivation::{Choice, Matching, MemberId, OutcomeId, Rule, SegmentEnd},
    program::Location,
    term::{ArrayVariable, LinearId, Sign, Variable},
};
use goatherd_checker::{
    configuration::{Configuration, Place},
    outcome::{Effect, Outcome},
    rejection::Rejection,
    rules,
    step::outcomes,
    term::Arena,
    unfold::unfold,
};
use goatherd_logic::{Context, Solver, terms};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// A node, by its number: that of a node is above those of its children.
pub type NodeId = usize;

/// A rule and what comes behind it.
pub struct Node {
    /// Where the members are ahead of it.
    pub places: Places,
    /// The rule.
    pub action: Action,
    /// One for each configuration that it leads to.
    pub children: Vec<NodeId>,
}

/// A rule without hints.
#[derive(Clone)]
pub enum Action {
    /// The primary takes a step; these outcomes are not refuted.
    Step(Vec<OutcomeId>),
    /// A scapegoat takes a step.
    Decided(MemberId, OutcomeId, Option<Choice>),
    /// A scapegoat is added or forgotten, or a term is named.
    Other(Rule),
    /// A split.
    Split(Sign, Term),
    /// A symbol is unfolded at an end.
    Unfold(TreeId, SegmentEnd),
    /// The predicate has no model.
    Infeasible,
    /// The primary has ended.
    Ended,
    /// A scapegoat has failed.
    Descent(MemberId),
    /// A scapegoat is in the primary's state.
    Twin(MemberId),
    /// A template covers the herd: which of those found, and what stands for the variables of which slots do not say it.
    Subsume(usize, Hidden),
    /// The same, where that is nowhere in the configuration: what the search knew.
    Alone(usize, Arc<Leaf>),
}

impl Action {
    /// What it has in common with alike ones; none where it is about terms of its own.
    pub fn looks(&self) -> Option<Looks> {
        Some(match self {
            Self::Step(open) => Looks::Step(open.clone()),
            Self::Decided(member, outcome, None) => Looks::Decided(*member, *outcome),
            Self::Other(Rule::Drop { member }) => Looks::Drop(*member),
            Self::Split(sign, Term::Relative(term)) => Looks::Split(*sign, term.clone()),
            Self::Infeasible => Looks::Infeasible,
            Self::Ended => Looks::Ended,
            Self::Descent(member) => Looks::Descent(*member),
            Self::Twin(member) => Looks::Twin(*member),
            Self::Subsume(position, hidden) => Looks::Subsume(*position, hidden.clone()),
            Self::Decided(_, _, Some(_)) | Self::Other(_) | Self::Split(..) | Self::Unfold(..) | Self::Alone(..) => return None,
        })
    }
}

/// What stands for variables of a template, integers and arrays.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Hidden {
    /// Where two arrays were found different.
    kept_indices: Vec<Relative>,
    integers: Vec<(Variable, Relative)>,
    arrays: Vec<(ArrayVariable, RelativeArray)>,
}

impl Hidden {
    /// In the configuration with these homes.
    pub fn images(&self, arena: &mut Arena, homes: &Homes) -> Result<Images, Rejection> {
        let mut images = Images::default();
        for (variable, relative) in &self.integers {
            images.integers.insert(*variable, homes.absolute(arena, relative)?);
        }
        for (variable, relative) in &self.arrays {
            images.arrays.insert(*variable, homes.absolute_array(arena, *relative)?);
        }
        Ok(images)
    }

    /// Does it say what stands for a variable of one template, which others may call otherwise?
    pub const fn names_variables(&self) -> bool {
        !self.integers.is_empty() || !self.arrays.is_empty()
    }

    /// Where two arrays were found different, in the configuration with these homes.
    pub fn kept_indices(&self, arena: &mut Arena, homes: &Homes) -> Result<Vec<LinearId>, Rejection> {
        self.kept_indices.iter().map(|index| homes.absolute(arena, index)).collect()
    }
}

/// A term of a configuration.
#[derive(Clone)]
pub enum Term {
    /// By where it is.
    Relative(Relative),
    /// Itself.
    Absolute(LinearId),
}

/// What alike nodes have in common besides their children.
#[derive(PartialEq, Eq, Hash)]
pub enum Looks {
    Step(Vec<OutcomeId>),
    Decided(MemberId, OutcomeId),
    Drop(MemberId),
    Split(Sign, Relative),
    Infeasible,
    Ended,
    Descent(MemberId),
    Twin(MemberId),
    Subsume(usize, Hidden),
}

/// Where the members of a configuration are.
pub type Places = Vec<Option<Location>>;

/// Which nodes are one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// None.
    Apart,
    /// Those that look alike.
    Alike,
}

/// All that is to be written.
#[derive(Default)]
pub struct Plan {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// One per combination of size classes.
    pub roots: Vec<NodeId>,
    /// One per template; none where no herd comes there, since other templates cover it.
    pub templates: Vec<Option<NodeId>>,
}

impl Plan {
    /// Of these derivations.
    pub fn new(
        arena: &mut Arena,
        basis: Basis<'_>,
        found: &Found,
        solver: &Arc<Solver>,
        sharing: Sharing,
        (templates, covers): (&[Widened], &Covers),
    ) -> Result<Self, Rejection> {
        let positions = found.templates.iter().map(|(key, ..)| key).zip(0..).collect();
        let plan = Self { templates: vec![None; found.templates.len()], ..Self::default() };
        let (known, facts, reached, kept_indices) = (HashMap::new(), Facts::new(solver), BTreeSet::new(), Vec::new());
        let mentioned = templates.iter().map(|template| template.mentioned(arena)).collect::<Result<_, _>>()?;
        let mut planner =
            Planner { arena, basis, found, templates, mentioned, covers, positions, plan, known, facts, sharing, reached, kept_indices };
        for (class, derivation) in (0..).zip(&found.roots) {
            let root = rules::root(planner.arena, basis.setting, basis.lengths, class)?.ok_or(Rejection::Root)?;
            let node = planner.derivation(root, derivation, vec![0])?;
            planner.plan.roots.push(node);
        }
        while let Some(position) = planner.reached.pop_first() {
            let (_, template, derivation) = &found.templates[position];
            planner.kept_indices = template.kept_indices().to_vec();
            let node = planner.derivation(template.configuration.clone(), derivation, vec![0; template.tags.len()])?;
            planner.plan.templates[position] = Some(node);
        }
        Ok(planner.plan)
    }

    /// By node, in how many places it stands.
    pub fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.nodes.len()];
        for node in self.nodes.iter().flat_map(|node| &node.children).chain(&self.roots).chain(self.templates.iter().flatten()) {
            uses[*node] += 1;
        }
        uses
    }
}

struct Planner<'a> {
    arena: &'a mut Arena,
    basis: Basis<'a>,
    found: &'a Found,
    /// The templates with no more literals than are needed, and what they mention.
    templates: &'a [Widened],
    mentioned: Vec<Images>,
    covers: &'a Covers,
    positions: BTreeMap<&'a Key, usize>,
    plan: Plan,
    known: HashMap<(Places, Looks, Vec<NodeId>), NodeId>,
    facts: Facts,
    sharing: Sharing,
    /// Templates at which herds come, and whose derivations are still to come.
    reached: BTreeSet<usize>,
    /// Where two arrays had been found different where the derivation begins.
    kept_indices: Vec<LinearId>,
}

impl<'a> Planner<'a> {
    /// What is left to write of a derivation. So many steps has each member taken ahead of it already.
    fn derivation(
        &mut self,
        mut configuration: Configuration,
        derivation: &Derivation,
        mut ahead: Vec<usize>,
    ) -> Result<NodeId, Rejection> {
        let mut before: Vec<(Places, Action)> = Vec::new();
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
            let places = places(&configuration);
            let action = self.rule(&mut configuration, rule)?;
            before.push((places, action));
        }
        self.share(&mut configuration, &derivation.end, &mut ahead, &mut before)?;
        if let End::Subsume(leaf) = &derivation.end {
            if let Some(short) = self.short(leaf) {
                let ahead = vec![0; configuration.members.len()];
                // Some of the ways on may evidently be none here.
                if let Ok(node) = self.derivation(configuration.clone(), short, ahead) {
                    return Ok(self.before(before, node));
                }
            }
            let action = self.leaf(&mut configuration, leaf, &mut before)?;
            return Ok(self.behind(before, places(&configuration), action, Vec::new()));
        }
        let places = places(&configuration);
        let (action, configurations, children) = self.end(configuration, &derivation.end)?;
        if configurations.len() != children.len() {
            return Err(Rejection::Outcomes);
        }
        let mut nodes = Vec::new();
        for (configuration, child) in configurations.into_iter().zip(children) {
            nodes.push(self.derivation(configuration, child, ahead.clone())?);
        }
        Ok(self.behind(before, places, action, nodes))
    }

    /// The node, and those before it.
    fn behind(&mut self, before: Vec<(Places, Action)>, places: Places, action: Action, children: Vec<NodeId>) -> NodeId {
        let node = self.node(places, action, children);
        self.before(before, node)
    }

    /// The first of these nodes, which stand before one.
    fn before(&mut self, before: Vec<(Places, Action)>, mut node: NodeId) -> NodeId {
        for (places, action) in before.into_iter().rev() {
            node = self.node(places, action, vec![node]);
        }
        node
    }

    /// What is derived from the template, if that can be written where a herd comes to it, and takes no longer to check than that the template
    /// covers the herd.
    fn short(&self, leaf: &Leaf) -> Option<&'a Derivation> {
        let position = *self.positions.get(&leaf.key)?;
        let (_, _, derivation) = &self.found.templates[position];
        (self.basis.flow.is_linked && short::is_short(derivation)).then_some(derivation)
    }

    /// What the end of a derivation does, what it leads to, and how that goes on.
    fn end<'b>(&mut self, configuration: Configuration, end: &'b End) -> Result<(Action, Vec<Configuration>, &'b [Derivation]), Rejection> {
        Ok(match end {
            End::Step(refuted, children) => {
                let (open, configurations) = self.step(configuration, refuted)?;
                (Action::Step(open), configurations, children)
            }
            End::Split(literal, children) => {
                let term = self.term(&configuration, literal.term)?;
                let configurations = rules::split(self.arena, &configuration, *literal)?;
                (Action::Split(literal.sign, term), configurations.into(), children)
            }
            End::Unfold(tree, side, children) => {
                let configurations = unfold(self.arena, self.basis.setting, &configuration, *tree, *side)?;
                (Action::Unfold(*tree, *side), configurations, children)
            }
            End::Infeasible => (Action::Infeasible, Vec::new(), &[]),
            End::Ended => (Action::Ended, Vec::new(), &[]),
            End::Descent(member) => (Action::Descent(*member), Vec::new(), &[]),
            End::Twin(member) => (Action::Twin(*member), Vec::new(), &[]),
            End::Subsume(_) => return Err(Rejection::Open),
        })
    }

    /// What covers the herd; scapegoats are forgotten where another template does so than the search has found.
    fn leaf(
        &mut self,
        configuration: &mut Configuration,
        leaf: &Arc<Leaf>,
        before: &mut Vec<(Places, Action)>,
    ) -> Result<Action, Rejection> {
        let own = *self.positions.get(&leaf.key).ok_or(Rejection::Missing)?;
        if self.sharing == Sharing::Alike {
            let (_, template, _) = &self.found.templates[own];
            let matching = template.matching(self.arena, self.basis.setting, &leaf.arrival)?;
            if let Some(cover) = self.covers.get(&own) {
                let matching = cover.behind(self.arena, template, &matching, configuration)?;
                let mut smaller = configuration.clone();
                let mut drops = Vec::new();
                for member in cover.dropped.iter().copied() {
                    drops.push((places(&smaller), Action::Other(Rule::Drop { member })));
                    rules::drop_member(&mut smaller, member)?;
                }
                if let Some(hidden) = self.hidden(&smaller, cover.position, &matching)? {
                    before.extend(drops);
                    *configuration = smaller;
                    self.reach(cover.position);
                    return Ok(Action::Subsume(cover.position, hidden));
                }
            } else if let Some(hidden) = self.hidden(configuration, own, &matching)? {
                self.reach(own);
                return Ok(Action::Subsume(own, hidden));
            }
        }
        self.reach(own);
        Ok(Action::Alone(own, Arc::clone(leaf)))
    }

    /// A herd comes to the template.
    fn reach(&mut self, position: usize) {
        if self.plan.templates[position].is_none() {
            self.reached.insert(position);
        }
    }

    /// What stands for the variables of a template of which slots do not say it, where that is somewhere in the configuration.
    fn hidden(&mut self, configuration: &Configuration, position: usize, matching: &Matching) -> Result<Option<Hidden>, Rejection> {
        let template = &self.templates[position];
        if template.tags.len() != configuration.members.len() {
            return Ok(None);
        }
        let homes = Homes::new(self.basis.flow, configuration, &self.kept_indices);
        let mut hidden = Hidden::default();
        let kept_indices = images(self.arena, template, matching, configuration, template.kept_indices())?;
        for index in &kept_indices {
            let Some(relative) = homes.relative(self.arena, *index)? else { return Ok(None) };
            hidden.kept_indices.push(relative);
        }
        let herd = Herd { kept_indices, ..Herd::knowing(configuration.clone(), Context::new()) };
        let arrival = Arrival::new(self.arena, self.basis, herd)?;
        let positions: Vec<usize> = (0..template.tags.len()).collect();
        let covering = template.covering(self.arena, &template.tags, &positions, &arrival, Images::default())?;
        let Some((_, shown)) = covering else { return Ok(None) };
        let mentioned = &self.mentioned[position];
        let (integers, arrays) = terms::variables(&template.stored.scope);
        for (variable, (image, shown)) in integers.into_iter().zip(matching.integers.iter().zip(&shown.integers)) {
            if image != shown && mentioned.integers.contains_key(&variable) {
                let Some(relative) = homes.relative(self.arena, *image)? else { return Ok(None) };
                hidden.integers.push((variable, relative));
            }
        }
        for (variable, (image, shown)) in arrays.into_iter().zip(matching.arrays.iter().zip(&shown.arrays)) {
            if image != shown && mentioned.arrays.contains_key(&variable) {
                let Some(relative) = homes.relative_array(self.arena, *image)? else { return Ok(None) };
                hidden.arrays.push((variable, relative));
            }
        }
        Ok(Some(hidden))
    }

    /// The term by where it is, where alike nodes are one and it is somewhere.
    fn term(&self, configuration: &Configuration, term: LinearId) -> Result<Term, Rejection> {
        let relative = match self.sharing {
            Sharing::Alike => Homes::new(self.basis.flow, configuration, &self.kept_indices).relative(self.arena, term)?,
            Sharing::Apart => None,
        };
        Ok(relative.map_or(Term::Absolute(term), Term::Relative))
    }

    /// The node, or one that is alike.
    fn node(&mut self, places: Places, action: Action, children: Vec<NodeId>) -> NodeId {
        let looks = match self.sharing {
            Sharing::Alike => action.looks(),
            Sharing::Apart => None,
        };
        let node = self.plan.nodes.len();
        if let Some(looks) = looks {
            let known = *self.known.entry((places.clone(), looks, children.clone())).or_insert(node);
            if known < node {
                return known;
            }
        }
        self.plan.nodes.push(Node { places, action, children });
        node
    }

    /// Takes the steps of scapegoats that the ways on share, as far as they are decided here.
    fn share(
        &mut self,
        configuration: &mut Configuration,
        end: &End,
        ahead: &mut [usize],
        before: &mut Vec<(Places, Action)>,
    ) -> Result<(), Rejection> {
        if self.found.has_own_values {
            return Ok(());
        }
        for (member, ahead) in (0..).map(MemberId).zip(ahead).skip(1) {
            for step in sharing::shared_steps(end, member).into_iter().skip(*ahead) {
                let DecidedStep { outcome, choice, is_behind_unfolding } = step;
                // What a symbol stands for is not known before it is unfolded.
                let Ok(all) = outcomes(self.arena, self.basis.setting, configuration.member(member)?) else { break };
                let Some(Outcome { literals, effect, .. }) = all.get(outcome.index()) else { break };
                // An object that is made before a symbol is unfolded has another name than one that is made behind.
                if is_behind_unfolding && matches!(effect, Effect::Create(_)) {
                    break;
                }
                if !literals.iter().all(|literal| self.facts.shows(self.arena, &configuration.predicate, *literal)) {
                    break;
                }
                let mut next = configuration.clone();
                let mut change = next.change(self.arena, self.basis.setting, member);
                let taken = if choice.is_none() {
                    change.step_decided(outcome, choice, &mut Trusting)
                } else {
                    change.step_decided(outcome, choice, &mut self.facts)
                };
                self.facts.take_hints();
                if taken.is_err() {
                    break;
                }
                before.push((places(configuration), Action::Decided(member, outcome, choice.cloned())));
                *configuration = next;
                *ahead += 1;
            }
        }
        Ok(())
    }

    /// The outcomes that are not refuted, and what they lead to.
    fn step(&mut self, configuration: Configuration, refuted: &[OutcomeId]) -> Result<(Vec<OutcomeId>, Vec<Configuration>), Rejection> {
        let all = outcomes(self.arena, self.basis.setting, configuration.member(MemberId(0))?)?;
        let open = (0..).map(OutcomeId).zip(&all);
        let open = open.filter(|(number, outcome)| !refuted.contains(number) && !rules::is_excluded(self.arena, outcome));
        let open: Vec<_> = open.collect();
        let mut configurations = vec![configuration; open.len()];
        for (configuration, (_, outcome)) in configurations.iter_mut().zip(&open) {
            configuration.change(self.arena, self.basis.setting, MemberId(0)).follow(outcome)?;
        }
        Ok((open.into_iter().map(|(number, _)| number).collect(), configurations))
    }

    /// A rule with one child.
    fn rule(&mut self, configuration: &mut Configuration, rule: &Rule) -> Result<Action, Rejection> {
        match rule {
            Rule::Step { refuted } => {
                let refuted: Vec<OutcomeId> = refuted.iter().map(|(outcome, _)| *outcome).collect();
                let (open, configurations) = self.step(configuration.clone(), &refuted)?;
                let [next] = <[Configuration; 1]>::try_from(configurations).map_err(|_| Rejection::Outcomes)?;
                *configuration = next;
                return Ok(Action::Step(open));
            }
            Rule::StepDecided { member, outcome, choice, .. } => {
                let mut change = configuration.change(self.arena, self.basis.setting, *member);
                change.step_decided(*outcome, choice.as_ref(), &mut Trusting)?;
                return Ok(Action::Decided(*member, *outcome, choice.clone()));
            }
            Rule::AddScapegoat { drops, integers, .. } => {
                rules::add_scapegoat(self.arena, self.basis.setting, configuration, drops, integers, &mut Trusting)?;
            }
            Rule::Drop { member } => rules::drop_member(configuration, *member)?,
            Rule::Let { term } => drop(rules::name(self.arena, configuration, *term)?),
            Rule::Split { .. }
            | Rule::Unfold { .. }
            | Rule::Infeasible { .. }
            | Rule::Subsume { .. }
            | Rule::Steps { .. }
            | Rule::Descent { .. }
            | Rule::Twin { .. }
            | Rule::End => return Err(Rejection::Open),
        }
        Ok(Action::Other(rule.clone()))
    }
}

fn places(configuration: &Configuration) -> Places {
    let place = |place| if let Place::At(location) = place { Some(location) } else { None };
    configuration.members.iter().map(|member| place(member.place)).collect()
}
