//! Pruning infeasible paths by the literals that refutations need (`spec/paths.md#analysis`): predicate abstraction with conjunctions, refined
//! by the shortest spurious paths, until none is left or a limit is reached. Every stop gives a complete graph.

use crate::{
    abstraction::{Abstraction, Unfolding},
    explain::{Explanation, GREATEST_MODULUS, Lessons, Preference, Unexplained},
    graph::{Graph, Vertex},
    precision::Precision,
    spurious::{Effort, spurious_paths},
    states::StateGraph,
    symbolic::Explorer,
};
use goatherd_logic::meter::Meter;
use goatherd_systems::{
    literal::{Literal, Residue, Variable, greatest_common_divisor},
    lts::{EdgeId, Lts, index},
};
use std::{cell::Cell, collections::BTreeSet, mem};

/// So many states there may be for each vertex of the minimised graph.
const STATES: usize = 40;

/// So often explanations by cases are tried in all.
const CASE_ATTEMPTS: usize = 400;

/// When to stop, and how hard to look.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Vertices of the minimised graph that comes out.
    pub vertices: usize,
    /// Work on graphs with more vertices on the way to one with fewer: what tells paths apart is often learned before what merges them.
    pub detour: usize,
    /// Spurious paths longer than this stay.
    pub length: Option<usize>,
    /// Rounds of refinement.
    pub rounds: usize,
    /// Work in all, in steps of a [`Meter`].
    pub work: usize,
    /// How spurious paths are looked for.
    pub effort: Effort,
    /// Disequalities on one term at one location from which on a bound is tracked instead.
    pub chain: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let effort = Effort { width: 24, configurations: 60_000, paths: 8 };
        Self { vertices: 400, detour: 20_000_000, length: None, rounds: 10_000, work: 100_000_000, effort, chain: 3 }
    }
}

impl Limits {
    /// The usual ones; a number of vertices that is given holds on the way, too.
    pub fn with_vertices(vertices: Option<usize>) -> Self {
        let default = Self::default();
        vertices.map_or(default, |vertices| Self { vertices, detour: 0, ..default })
    }
}

/// Why the analysis stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// No spurious path was found; `is_exhaustive` if nothing was passed over. Paths that symbolic execution does not refute may be infeasible.
    NoSpuriousPath {
        /// Has everything been looked at?
        is_exhaustive: bool,
    },
    /// The next spurious path that was found is longer than the limit.
    Length(usize),
    /// The next graph would have too many vertices, and so would those that were tried after it; a spurious path of that length stays.
    Vertices(usize),
    /// The limit of rounds.
    Rounds,
    /// The limit of work.
    Work,
}

/// What the analysis gives.
pub struct Outcome<'a> {
    /// The states, and what is tracked where.
    pub abstraction: Abstraction<'a>,
    /// The graph of states.
    pub unfolding: Unfolding,
    /// It minimised.
    pub minimised: Graph,
    /// By vertex of the graph of states: the vertex of the minimised graph.
    pub map: Vec<Option<Vertex>>,
    /// Why it stopped.
    pub stop: Stop,
    /// Rounds of refinement.
    pub rounds: usize,
    /// Spurious paths that were found, but not explained.
    pub unexplained: usize,
    /// Work that was done, as [`Limits::work`] counts it.
    pub spent: usize,
}

impl Outcome<'_> {
    /// The graph, for its certificate.
    pub fn states(&self) -> StateGraph {
        let states = || self.unfolding.states.iter().map(|state| self.abstraction.state(*state));
        StateGraph {
            graph: self.unfolding.graph.clone(),
            cases: states().map(|state| state.cases.iter().cloned().collect()).collect(),
            splits: states().map(|state| self.abstraction.precisions[index(state.location)].splits.clone()).collect(),
            map: self.map.clone(),
            safeguards: states().map(|_| Vec::new()).collect(),
            black: BTreeSet::new(),
        }
    }
}

/// The graph after so many rounds.
struct Stage {
    unfolding: Unfolding,
    minimised: Graph,
    map: Vec<Option<Vertex>>,
    rounds: usize,
}

/// Graphs that are too large, but may become small again.
struct Detour {
    /// The last graph that was small enough, and what is tracked for it.
    from: Stage,
    precisions: Vec<Precision>,
    /// How long the spurious paths were that the next one did without.
    length: usize,
    /// The work at which it ends.
    end: usize,
}

/// Moduli worth trying: coefficients and moduli in guards and precondition, steps of counters.
fn moduli(lts: &Lts, precondition: &[Literal]) -> Vec<i128> {
    let mut moduli = BTreeSet::new();
    for literal in lts.edges.iter().flat_map(|edge| &edge.guard).chain(precondition) {
        moduli.extend(literal.term().iter().map(|(_, coefficient)| coefficient.abs()));
        if let Literal::Residue(Residue { modulus, .. }) = literal {
            moduli.insert(*modulus);
        }
    }
    for (variable, value) in lts.edges.iter().flat_map(|edge| &edge.assignments) {
        let steps = value.values().filter(|value| value.term == [(*variable, 1)]);
        moduli.extend(steps.map(|value| value.constant.saturating_abs()));
    }
    let own: Vec<i128> = moduli.iter().copied().collect();
    let pairs = own.iter().enumerate().flat_map(|(position, left)| own[position + 1..].iter().map(move |right| (*left, *right)));
    moduli.extend(pairs.map(|(left, right)| greatest_common_divisor(left, right)));
    moduli.into_iter().filter(|modulus| (2..=GREATEST_MODULUS).contains(modulus)).collect()
}

/// Analyses a transition system from a precondition.
pub fn analyse<'a>(lts: &'a Lts, precondition: &[Literal], limits: Limits) -> Outcome<'a> {
    let meter = Meter::new(usize::MAX);
    let mut abstraction = Abstraction::new(lts, precondition, &meter);
    let mut explorer = Explorer::new(lts, precondition, &meter);
    let moduli = moduli(lts, precondition);
    let attempts = Cell::new(CASE_ATTEMPTS);
    let mut unexplained: BTreeSet<Vec<EdgeId>> = BTreeSet::new();
    // The first graph has one state per location, and the initial one twice at most.
    let unfolding = abstraction.unfold(usize::MAX).unwrap_or_else(|| Unfolding { graph: Graph::default(), states: Vec::new() });
    meter.limit(limits.work);
    let (minimised, map) = unfolding.graph.minimised(&meter);
    let mut stage = Stage { unfolding, minimised, map, rounds: 0 };
    let mut rounds = 0;
    let mut detour: Option<Detour> = None;
    let stop = loop {
        if rounds >= limits.rounds {
            break Stop::Rounds;
        }
        if meter.is_exhausted() {
            break Stop::Work;
        }
        let relevant = relevant(&abstraction);
        let found = spurious_paths(&stage.unfolding.graph, &mut explorer, &relevant, &unexplained, limits.effort);
        if meter.is_exhausted() {
            break Stop::Work;
        }
        if found.paths.is_empty() {
            break Stop::NoSpuriousPath { is_exhaustive: found.is_exhaustive && unexplained.is_empty() };
        }
        if limits.length.is_some_and(|length| found.length > length) {
            break Stop::Length(found.length);
        }
        rounds += 1;
        let before = abstraction.precisions.clone();
        let mut has_learned = false;
        for path in &found.paths {
            let explanation = Explanation {
                lts,
                moduli: &moduli,
                precisions: &abstraction.precisions,
                chain: limits.chain,
                preference: Preference::Disequalities,
                attempts: &attempts,
                meter: &meter,
            };
            match explanation.explain(&mut explorer, path) {
                Ok(Lessons { literals, splits }) => {
                    for (location, literal) in literals {
                        has_learned |= abstraction.precisions[index(location)].learn(&literal);
                    }
                    for (location, bound) in splits {
                        has_learned |= abstraction.precisions[index(location)].split(&bound);
                    }
                }
                Err(Unexplained) => {
                    unexplained.insert(path.clone());
                }
            }
        }
        if !has_learned {
            unexplained.extend(found.paths);
            continue;
        }
        let most = limits.vertices.saturating_mul(STATES);
        let Some(refined) = abstraction.unfold(most) else {
            abstraction.track(before);
            break if meter.is_exhausted() { Stop::Work } else { Stop::Vertices(found.length) };
        };
        let (minimised, map) = refined.graph.minimised(&meter);
        let last = mem::replace(&mut stage, Stage { unfolding: refined, minimised, map, rounds });
        if stage.minimised.successors.len() <= limits.vertices {
            detour = None;
            meter.limit(limits.work);
        } else if detour.is_none() {
            let end = meter.spent().saturating_add(limits.detour).min(limits.work);
            meter.limit(end);
            detour = Some(Detour { from: last, precisions: before, length: found.length, end });
        }
    };
    let (stage, stop) = match detour {
        None => (Stage { rounds, ..stage }, stop),
        Some(Detour { from, precisions, length, end }) => {
            abstraction.track(precisions);
            (from, if end < limits.work { Stop::Vertices(length) } else { stop })
        }
    };
    let Stage { unfolding, minimised, map, rounds } = stage;
    Outcome { abstraction, unfolding, minimised, map, stop, rounds, unexplained: unexplained.len(), spent: meter.spent() }
}

/// The variables that some precision speaks about.
fn relevant(abstraction: &Abstraction<'_>) -> BTreeSet<Variable> {
    let precisions = abstraction.precisions.iter();
    let terms = precisions.flat_map(|precision| {
        let pairs = precision.disequalities.iter().chain(&precision.moduli).map(|(term, _)| term);
        precision.thresholds.keys().chain(pairs)
    });
    terms.flatten().map(|(variable, _)| *variable).collect()
}
