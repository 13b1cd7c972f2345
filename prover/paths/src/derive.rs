//! From a graph of states to a derivation (`spec/paths.md#certificates`): replays the program with the kernel's own functions, and writes a
//! hint for every obligation.

use crate::{
    generalise::{Indices, Manner, fact, generalise},
    graph::Vertex,
    pointees::Pointees,
    states::{Case, StateGraph},
};
use goatherd_certificates::{
    certificate::Ends,
    configuration::Template,
    derivation::{Lengths, OutcomeId, Proof, Refutation, Rule, TemplateId, VertexId},
    program::{Instruction, Location, RegisterId},
    term::Literal as Fact,
};
use goatherd_checker::{
    configuration::{Configuration, Place, Setting},
    outcome::{Effect, Oracle},
    rejection::Rejection,
    rules, step, subsume,
    term::Arena,
    unfold::unfold,
};
use goatherd_flow::{
    liveness::liveness,
    opening::{Opening, opening},
};
use goatherd_logic::{meter::Meter, paths::congruence::Recorder};
use goatherd_systems::{literal::Literal, realisation::Realisation};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A derivation, and the vertex of each of its nodes.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// With k = 0.
    pub proof: Proof,
    /// By node, in the checker's order.
    pub vertices: Vec<Option<VertexId>>,
}

/// Outcomes that cannot happen, with the reason of each.
type Refuted = Vec<(OutcomeId, Refutation)>;

/// No derivation could be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Underivable {
    /// The instruction at which the kernel's functions or the hints end.
    pub location: Location,
    /// Why.
    pub rejection: Rejection,
}

/// Steps of a [`Meter`] for one derivation; beyond them there is none.
const WORK: usize = 400_000_000;

/// Steps for a node, beside one for each literal of its predicate.
const STEPS_OF_NODE: usize = 100;

/// So many nodes stand below each other before a template is made: derivations are walked recursively, and replayed depth first.
const DEPTH: usize = 64;

/// So many templates of one vertex keep the indices of pointers that are numbers: a loop may move them without end.
const INDICES: usize = 2;

/// So many nodes of linked structures a template has at most beside those that are folded, while its vertex has no more than so many templates; then
/// none. So what is no tree, and grows, is forgotten at some point.
const NODES: usize = 12;
const SHAPES: usize = 100;

/// The derivation that shows a graph.
pub fn derive(
    arena: &mut Arena,
    setting: Setting<'_>,
    realisation: &Realisation,
    states: &StateGraph,
    ends: Ends,
) -> Result<Derivation, Underivable> {
    let graph = &states.graph;
    let mut entering = vec![0usize; graph.successors.len()];
    for vertex in graph.root.iter().chain(graph.successors.iter().flat_map(BTreeMap::values)) {
        entering[*vertex] += 1;
    }
    let meter = Meter::new(WORK);
    let mut deriver = Deriver {
        arena,
        setting,
        realisation,
        pointees: Pointees::new(&realisation.program),
        states,
        ends,
        live: liveness(&realisation.program),
        entering,
        templates: Vec::new(),
        known: HashMap::new(),
        rules: Vec::new(),
        nodes: Vec::new(),
        recorder: Recorder::new(&meter),
        meter,
        location: Location(0),
    };
    let proof = deriver.run().map_err(|rejection| Underivable { location: deriver.location, rejection })?;
    Ok(Derivation { proof, vertices: deriver.vertices() })
}

/// What nodes with the same vertex have in common: the class of the vertex of the graph that was passed last, and the location.
type Image = (Option<Vertex>, Location);

/// A template, and what it stands for.
struct Known {
    stored: Template,
    configuration: Configuration,
    vertex: Vertex,
}

struct Deriver<'a> {
    arena: &'a mut Arena,
    setting: Setting<'a>,
    realisation: &'a Realisation,
    pointees: Pointees,
    states: &'a StateGraph,
    ends: Ends,
    /// By location.
    live: Vec<BTreeSet<RegisterId>>,
    /// By vertex of the graph of states: how many edges lead to it, and one more for the root.
    entering: Vec<usize>,
    templates: Vec<Known>,
    /// By vertex.
    known: HashMap<Vertex, Vec<TemplateId>>,
    rules: Vec<Rule>,
    /// Of the nodes that are no template's.
    nodes: Vec<Option<Image>>,
    recorder: Recorder,
    /// What the derivation is paid from.
    meter: Meter,
    /// Where the derivation is, for messages.
    location: Location,
}

/// A node under way: the vertex that was passed last, and how many nodes there are above.
#[derive(Clone, Copy)]
struct Way {
    vertex: Option<Vertex>,
    depth: usize,
}

/// An obligation whose hint has been recorded.
struct Recorded;

impl Oracle for Recorded {
    fn refute(&mut self, _: &mut Arena, _: &[Fact], _: &[Fact]) -> Result<(), Rejection> {
        Ok(())
    }
}

impl Deriver<'_> {
    fn run(&mut self) -> Result<Proof, Rejection> {
        let mut class = 0;
        while let Some(root) = rules::root(self.arena, self.setting, Lengths::Open, class)? {
            let is_landmark = self.realisation.landmarks.contains_key(&Location(0));
            let vertex = self.states.graph.root.filter(|_| is_landmark);
            let is_meeting = vertex.is_some_and(|vertex| self.is_meeting(vertex));
            self.arrive(root, Way { vertex, depth: 0 }, is_meeting)?;
            class += 1;
        }
        let roots = std::mem::take(&mut self.rules);
        let mut derivations = Vec::new();
        while let Some(template) = self.templates.get(derivations.len()) {
            let (configuration, vertex) = (template.configuration.clone(), template.vertex);
            self.open_root(configuration, Way { vertex: Some(vertex), depth: 0 })?;
            derivations.push(std::mem::take(&mut self.rules));
        }
        let templates = self.templates.iter().map(|template| template.stored.clone()).collect();
        Ok(Proof { k: self.setting.k, lengths: Lengths::Open, lemmas: Vec::new(), sorts: Vec::new(), templates, roots, derivations })
    }

    /// Vertices in the order in which nodes first mention them.
    fn vertices(&self) -> Vec<Option<VertexId>> {
        let templates = self.templates.iter().map(|template| {
            let location = template.stored.members.first().map(|member| member.location)?;
            self.image(Some(template.vertex), location)
        });
        let mut numbers: HashMap<Image, VertexId> = HashMap::new();
        let mut number = |image| {
            let next = VertexId(u32::try_from(numbers.len()).unwrap_or(u32::MAX));
            *numbers.entry(image).or_insert(next)
        };
        templates.chain(self.nodes.iter().copied()).map(|image| image.map(&mut number)).collect()
    }

    /// What a node at a vertex of the graph of states is mapped to, if it is kept.
    fn image(&self, vertex: Option<Vertex>, location: Location) -> Option<Image> {
        let class = vertex.map(|vertex| self.states.map[vertex]);
        if class == Some(None) { None } else { Some((class.flatten(), location)) }
    }

    /// Do several edges lead to the vertex, or is more known there than what the literals of one path say?
    fn is_meeting(&self, vertex: Vertex) -> bool {
        let mut literals = self.states.cases[vertex].iter().flatten();
        self.entering[vertex] > 1 || self.has_cases(vertex) || literals.any(|literal| matches!(literal, Literal::Residue(_)))
    }

    fn has_cases(&self, vertex: Vertex) -> bool {
        self.states.cases[vertex].len() > 1
    }

    /// Closes a configuration: by a template, or as a node of its own. Does it have a vertex?
    fn arrive(&mut self, configuration: Configuration, way: Way, is_meeting: bool) -> Result<bool, Rejection> {
        let Place::At(location) = configuration.member(goatherd_certificates::derivation::MemberId(0))?.place else {
            self.rules.push(Rule::End);
            return Ok(false);
        };
        self.location = location;
        if let Some(vertex) = way.vertex.filter(|_| is_meeting && self.realisation.landmarks.contains_key(&location)) {
            self.cover(configuration, vertex)?;
            return Ok(self.image(way.vertex, location).is_some());
        }
        if let Some(opening) = self.opening(&configuration) {
            let mut is_kept = false;
            for child in self.unfold(&configuration, opening)? {
                is_kept |= self.arrive(child, way, false)?;
            }
            return Ok(is_kept);
        }
        let node = self.nodes.len();
        self.nodes.push(None);
        let is_kept = self.expand(configuration, way)?;
        if is_kept {
            self.nodes[node] = self.image(way.vertex, location);
        }
        Ok(self.nodes[node].is_some())
    }

    /// What has to be unfolded for the next step.
    fn opening(&self, configuration: &Configuration) -> Option<Opening> {
        opening(self.setting, configuration.members.first()?)
    }

    /// The cases of a symbol, each of which is to be closed.
    fn unfold(&mut self, configuration: &Configuration, (tree, end): Opening) -> Result<Vec<Configuration>, Rejection> {
        self.rules.push(Rule::Unfold { tree, end });
        unfold(self.arena, self.setting, configuration, tree, end)
    }

    /// Closes the root of a template, whose node all cases of what is unfolded there share.
    fn open_root(&mut self, configuration: Configuration, way: Way) -> Result<(), Rejection> {
        let Some(opening) = self.opening(&configuration) else {
            return self.expand(configuration, way).map(drop);
        };
        self.unfold(&configuration, opening)?.into_iter().try_for_each(|child| self.open_root(child, way))
    }

    /// Closes a configuration at a vertex: by the template of a case that holds, or split into halves of which each is closed.
    fn cover(&mut self, configuration: Configuration, vertex: Vertex) -> Result<(), Rejection> {
        let mut open = vec![(configuration, 0)];
        while let Some((configuration, split)) = open.pop() {
            let Err(rejection) = self.subsume(&configuration, vertex) else { continue };
            if self.states.splits[vertex].is_empty() {
                return Err(rejection);
            }
            if self.recorder.refute(self.arena, &configuration.predicate, &[]).is_ok() {
                let refutation = self.recorder.take().pop().ok_or(Rejection::NotRefuted)?;
                self.rules.push(Rule::Infeasible { refutation });
                continue;
            }
            let literal = self.states.splits[vertex].get(split).ok_or(rejection)?;
            let member = configuration.members.first().ok_or(Rejection::Missing)?;
            match fact(self.arena, member, literal, &self.realisation.elements)? {
                Some(literal) => {
                    self.rules.push(Rule::Split { literal });
                    let halves = rules::split(self.arena, &configuration, literal)?;
                    open.extend(halves.into_iter().rev().map(|half| (half, split + 1)));
                }
                None => open.push((configuration, split + 1)),
            }
        }
        Ok(())
    }

    /// Closes a configuration by the template of a case that holds.
    fn subsume(&mut self, configuration: &Configuration, vertex: Vertex) -> Result<(), Rejection> {
        let cases = &self.states.cases[vertex];
        let mut result = Err(Rejection::Missing);
        for case in cases {
            result = self.subsume_by(configuration, vertex, case);
            if result.is_ok() {
                break;
            }
            self.recorder.take();
        }
        result
    }

    fn subsume_by(&mut self, configuration: &Configuration, vertex: Vertex, case: &Case) -> Result<(), Rejection> {
        let live = &self.live[self.location.index()];
        let literals = case.iter().collect::<Vec<_>>();
        let known = self.known.entry(vertex).or_default();
        let is_early = known.len() < INDICES * self.states.cases[vertex].len();
        let nodes = if known.len() < SHAPES { NODES } else { 0 };
        let manner = Manner { elements: &self.realisation.elements, nodes, meter: &self.meter };
        let (pointees, location) = (&self.pointees, self.location);
        let indices = |register| if is_early || pointees.index(location, register).is_some() { Indices::Kept } else { Indices::Any };
        let is_live = |register| live.contains(&register);
        let general = generalise(self.arena, self.setting, configuration, &literals, manner, indices, is_live)?;
        let made = known.iter().find(|id| self.templates[id.index()].stored == general.template).copied();
        let new = if made.is_some() { None } else { Some(subsume::template(self.arena, self.setting, &general.template)?) };
        let template = match (&new, made) {
            (None, Some(id)) => &self.templates[id.index()].configuration,
            (Some(template), _) => template,
            (None, None) => return Err(Rejection::Missing),
        };
        let matching = general.matching;
        subsume::subsume(self.arena, self.setting, configuration, template, &matching, &mut self.recorder)?;
        let hints = self.recorder.take();
        let id = TemplateId(u32::try_from(self.templates.len()).map_err(|_| Rejection::Overflow)?);
        if let Some(configuration) = new {
            self.templates.push(Known { stored: general.template, configuration, vertex });
            known.push(id);
        }
        self.rules.push(Rule::Subsume { template: made.unwrap_or(id), matching, hints });
        Ok(())
    }

    /// Writes the derivation from a node. Does a path go on from it that is to be kept?
    fn expand(&mut self, mut configuration: Configuration, way: Way) -> Result<bool, Rejection> {
        let primary = configuration.members.first().ok_or(Rejection::Missing)?;
        let Place::At(from) = primary.place else { return Err(Rejection::AtEnd) };
        self.location = from;
        if !self.meter.pay(STEPS_OF_NODE + configuration.predicate.len()) {
            return Err(Rejection::NotRefuted);
        }
        match self.setting.instruction(primary.place) {
            Some(Instruction::Halt | Instruction::Fail { .. }) => {
                self.rules.push(Rule::End);
                return Ok(true);
            }
            Some(Instruction::Ignore) => {
                self.rules.push(Rule::End);
                return Ok(false);
            }
            _ => {}
        }
        let (refuted, meetings) = self.outcomes(&configuration, from, way)?;
        let ids = refuted.iter().map(|(id, _)| *id);
        let mut children = Vec::new();
        if rules::step(self.arena, self.setting, &mut configuration, ids, &mut Recorded, &mut children)? {
            children.push(configuration);
        }
        self.rules.push(Rule::Step { refuted });
        let mut is_kept = self.ends == Ends::Anywhere;
        for (child, is_meeting) in children.into_iter().zip(meetings) {
            is_kept |= self.child(child, from, way, is_meeting)?;
        }
        Ok(is_kept)
    }

    /// The outcomes of the next instruction that are refuted, and of each of the others: does it lead where another one leads?
    fn outcomes(&mut self, configuration: &Configuration, from: Location, way: Way) -> Result<(Refuted, Vec<bool>), Rejection> {
        let primary = configuration.members.first().ok_or(Rejection::Missing)?;
        let all = step::outcomes(self.arena, self.setting, primary)?;
        let target = |effect| match effect {
            Effect::Goto(target) => Some(target),
            Effect::Fail => None,
            _ => Some(Location(from.0 + 1)),
        };
        let has_cases = way.vertex.is_some_and(|vertex| self.has_cases(vertex));
        let mut refuted = Vec::new();
        let mut open = Vec::new();
        for (id, outcome) in (0..).map(OutcomeId).zip(&all) {
            if rules::is_excluded(self.arena, outcome) {
                continue;
            }
            let to = target(outcome.effect);
            let is_marked = to.is_some_and(|to| self.successor(from, to, way.vertex) == Successor::Marked);
            let is_shared = to.is_some() && all.iter().filter(|other| target(other.effect) == to).count() > 1;
            if (is_marked || is_shared || has_cases)
                && !outcome.literals.is_empty()
                && self.recorder.refute(self.arena, &configuration.predicate, &outcome.literals).is_ok()
            {
                refuted.extend(self.recorder.take().into_iter().map(|hint| (id, hint)));
            } else {
                open.push(to);
            }
        }
        let meetings = open.iter().map(|to| open.iter().filter(|other| *other == to).count() > 1).collect();
        Ok((refuted, meetings))
    }

    fn successor(&self, from: Location, to: Location, vertex: Option<Vertex>) -> Successor {
        match (self.realisation.edges.get(&(from, to)), vertex) {
            (Some(edge), Some(vertex)) => {
                let target = self.states.graph.successors[vertex].get(edge);
                target.map_or(Successor::Marked, |target| Successor::Vertex(*target))
            }
            _ => Successor::None,
        }
    }

    fn child(&mut self, configuration: Configuration, from: Location, way: Way, is_meeting: bool) -> Result<bool, Rejection> {
        let place = configuration.members.first().ok_or(Rejection::Missing)?.place;
        let mut below = Way { depth: way.depth + 1, ..way };
        let mut is_meeting = is_meeting || below.depth > DEPTH;
        if let Place::At(to) = place
            && self.realisation.landmarks.contains_key(&to)
        {
            below.vertex = match (self.successor(from, to, way.vertex), way.vertex) {
                (Successor::Vertex(vertex), _) => Some(vertex),
                // The first landmark.
                (Successor::None, None) => self.states.graph.root,
                (Successor::Marked | Successor::None, _) => {
                    self.location = to;
                    self.recorder.refute(self.arena, &configuration.predicate, &[])?;
                    let refutation = self.recorder.take().pop().ok_or(Rejection::NotRefuted)?;
                    self.rules.push(Rule::Infeasible { refutation });
                    return Ok(false);
                }
            };
            is_meeting |= below.vertex.is_some_and(|vertex| self.is_meeting(vertex));
        }
        self.arrive(configuration, below, is_meeting)
    }
}

/// What the graph says of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Successor {
    /// It is part of every edge.
    None,
    /// It is part of an edge that the graph does not have.
    Marked,
    /// It is part of an edge to this vertex.
    Vertex(Vertex),
}
