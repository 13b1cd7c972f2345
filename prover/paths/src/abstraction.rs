//! The graph of a transition system for given precisions: its states are locations with the tracked literals that hold there.

use crate::{graph::Graph, precision::Precision, states::Case};
use goatherd_logic::{meter::Meter, paths::conjunction::Conjunction};
use goatherd_systems::{
    literal::{Linear, Literal, Store, Variable},
    lts::{EdgeId, Location, Lts, Value, index},
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, hash_map::Entry};

/// Position among the states of an [`Abstraction`].
pub type StateId = usize;

/// A state has so many cases at most; beyond them it is known only what all have in common.
const CASES: usize = 8;

/// To look one successor up takes about as long as so many steps of reasoning.
const STEPS_OF_SUCCESSOR: usize = 16;

/// A location and what is known there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Where.
    pub location: Location,
    /// One of these holds. At least one, and none that another one follows from.
    pub cases: BTreeSet<Case>,
}

/// What holds after a guard, and the values that are stored then.
type After = (Conjunction, Store);

/// What happens along an edge.
#[derive(Clone, Debug)]
enum Successor {
    /// The guard contradicts the state.
    Marked,
    /// What holds after the guard in each case that it leaves, and the state for the precision of that version.
    State { cases: Vec<After>, version: u64, state: StateId },
}

/// States and their successors, remembered from one precision to the next.
pub struct Abstraction<'a> {
    lts: &'a Lts,
    outgoing: Vec<Vec<EdgeId>>,
    /// By location.
    live: Vec<BTreeSet<Variable>>,
    /// By location.
    pub precisions: Vec<Precision>,
    /// With what holds in each case, and the ranges of the variables.
    states: Vec<(State, Vec<Conjunction>)>,
    known: FxHashMap<State, StateId>,
    successors: FxHashMap<(StateId, EdgeId), Successor>,
    /// What reasoning is paid from.
    meter: Meter,
}

/// A graph, and the state of each of its vertices. Every vertex is reachable; the root has number 0.
#[derive(Clone, Debug)]
pub struct Unfolding {
    /// The graph, with all states at final locations final.
    pub graph: Graph,
    /// By vertex.
    pub states: Vec<StateId>,
}

impl<'a> Abstraction<'a> {
    /// Tracks nothing yet. State 0 is the precondition at the initial location.
    pub fn new(lts: &'a Lts, precondition: &[Literal], meter: &Meter) -> Self {
        let outgoing = lts.edges_by_source();
        let precisions = vec![Precision::default(); outgoing.len()];
        let live = lts.live_variables();
        let mut this = Self {
            lts,
            outgoing,
            live,
            precisions,
            states: Vec::new(),
            known: FxHashMap::default(),
            successors: FxHashMap::default(),
            meter: meter.clone(),
        };
        let entry: Case = precondition.iter().chain(&lts.entry).cloned().collect();
        this.intern(State { location: lts.initial, cases: BTreeSet::from([entry]) });
        this
    }

    /// Goes back to other precisions.
    pub fn track(&mut self, precisions: Vec<Precision>) {
        for (precision, other) in self.precisions.iter_mut().zip(precisions) {
            let version = precision.version + 1;
            *precision = Precision { version, ..other };
        }
    }

    /// The state of that number.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id].0
    }

    fn intern(&mut self, state: State) -> StateId {
        match self.known.entry(state) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(vacant) => {
                let State { location, cases } = vacant.key().clone();
                let live = self.live[index(location)].iter();
                let ranges: Vec<Literal> =
                    live.flat_map(|variable| self.lts.variables[index(*variable)].known_range(&Linear::variable(*variable))).collect();
                let facts = cases.iter().map(|case| Conjunction::metered(&self.meter).with(case.iter().chain(&ranges))).collect();
                self.states.push((State { location, cases }, facts));
                *vacant.insert(self.states.len() - 1)
            }
        }
    }

    /// The successor along an edge; none where the guard contradicts the state.
    pub fn successor(&mut self, from: StateId, edge_id: EdgeId) -> Option<StateId> {
        let edge = &self.lts.edges[edge_id];
        let target = index(edge.target);
        let cases = match self.successors.get(&(from, edge_id)) {
            Some(Successor::Marked) => return None,
            Some(Successor::State { version, state, .. }) if *version == self.precisions[target].version => return Some(*state),
            Some(Successor::State { cases, .. }) => cases.clone(),
            None => {
                let mut cases = Vec::new();
                for before in &self.states[from].1 {
                    let facts = if edge.guard.is_empty() { before.clone() } else { before.with(&edge.guard) };
                    if !facts.is_contradictory() {
                        cases.push(self.assign(facts, &edge.assignments, edge.target));
                    }
                }
                if cases.is_empty() {
                    self.successors.insert((from, edge_id), Successor::Marked);
                    return None;
                }
                cases
            }
        };
        let precision = &self.precisions[target];
        let version = precision.version;
        let mut known = BTreeSet::new();
        for after in &cases {
            for (facts, store) in split(after, &precision.splits) {
                known.insert(precision.abstraction(&facts, &store));
            }
        }
        let state = self.intern(State { location: edge.target, cases: weakest(known) });
        self.successors.insert((from, edge_id), Successor::State { cases, version, state });
        Some(state)
    }

    /// The values of the variables that are live at the target after assignments, in terms of those before; unknown ones as new variables.
    fn assign(&self, mut facts: Conjunction, assignments: &[(Variable, Value)], target: Location) -> After {
        let mut store = Store::new();
        for (variable, value) in assignments.iter().filter(|(variable, _)| self.live[index(target)].contains(variable)) {
            let value = if let Some((linear, _)) = value.known(|literal| facts.entails(literal)) {
                linear.clone()
            } else {
                let unknown = Linear::variable(unknown_value(self.lts, *variable));
                facts = facts.with(&self.lts.variables[index(*variable)].known_range(&unknown));
                unknown
            };
            store.insert(*variable, value);
        }
        (facts, store)
    }

    /// The graph for the present precisions; none beyond so many states, or where it cannot be paid for.
    pub fn unfold(&mut self, limit: usize) -> Option<Unfolding> {
        let mut unfolding = Unfolding { graph: Graph { root: Some(0), ..Graph::default() }, states: vec![0] };
        let mut vertices = FxHashMap::from_iter([(0, 0)]);
        let mut next = 0;
        while let Some(state) = unfolding.states.get(next).copied() {
            let location = self.states[state].0.location;
            if self.lts.finals.contains(&location) {
                unfolding.graph.finals.insert(next);
            }
            let mut successors = BTreeMap::new();
            let outgoing = self.outgoing[index(location)].clone();
            if !self.meter.pay(STEPS_OF_SUCCESSOR * outgoing.len()) {
                return None;
            }
            for edge in outgoing {
                if let Some(target) = self.successor(state, edge) {
                    let vertex = *vertices.entry(target).or_insert(unfolding.states.len());
                    if vertex == unfolding.states.len() {
                        unfolding.states.push(target);
                    }
                    successors.insert(edge, vertex);
                }
            }
            if unfolding.states.len() > limit {
                return None;
            }
            unfolding.graph.successors.push(successors);
            next += 1;
        }
        (!self.meter.is_exhausted()).then_some(unfolding)
    }
}

/// One for each way in which the literals may hold or not, as far as nothing says which. A bound beyond 128 bits tells nothing apart.
fn split(after: &After, splits: &[Literal]) -> Vec<After> {
    let mut cases = vec![after.clone()];
    for literal in splits {
        let mut halves = Vec::new();
        for (facts, store) in cases {
            let bound = literal.substitute(&store);
            let (Ok(bound), Ok(opposite)) = (&bound, bound.as_ref().map_err(|overflow| *overflow).and_then(Literal::opposite)) else {
                halves.push((facts, store));
                continue;
            };
            if facts.entails(bound) || facts.entails(&opposite) {
                halves.push((facts, store));
                continue;
            }
            let both = [facts.with([bound]), facts.with([&opposite])];
            let is_empty = both.iter().all(Conjunction::is_contradictory);
            let open = both.into_iter().filter(|half| !half.is_contradictory()).chain(is_empty.then_some(facts));
            halves.extend(open.map(|half| (half, store.clone())));
        }
        cases = halves;
    }
    cases
}

/// The cases without those from which another one follows; beyond a number of them what all have in common.
fn weakest(cases: BTreeSet<Case>) -> BTreeSet<Case> {
    if cases.len() < 2 {
        return cases;
    }
    let is_implied = |case: &&Case| !cases.iter().any(|other| other != *case && other.is_subset(case));
    let weakest: BTreeSet<Case> = cases.iter().filter(is_implied).cloned().collect();
    if weakest.len() <= CASES {
        return weakest;
    }
    let common = weakest.iter().skip(1).fold(weakest.first().cloned().unwrap_or_default(), |common, case| &common & case);
    BTreeSet::from([common])
}

/// The variable that stands for the value that an assignment to `variable` stores without our knowing it.
pub fn unknown_value(lts: &Lts, variable: Variable) -> Variable {
    variable.saturating_add(u32::try_from(lts.variables.len()).unwrap_or(u32::MAX))
}
