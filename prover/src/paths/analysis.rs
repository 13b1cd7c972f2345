//! Pruning infeasible paths by the literals that refutations need (`spec/paths.md#analysis`): predicate abstraction with conjunctions, refined
//! by the shortest spurious paths, until none is left or a limit is reached. Every stop gives a complete graph.

use super::{
    abstraction::{Abstraction, Unfolding},
    explain::{Explanation, GREATEST_MODULUS, Lessons, Preference, Unexplained},
    graph::{Graph, Vertex},
    literal::{Literal, Overflow, Residue, Variable, greatest_common_divisor},
    lts::{EdgeId, Lts, index},
    spurious::{Effort, spurious_paths},
    states::StateGraph,
    symbolic::Explorer,
};
use std::{cell::Cell, collections::BTreeSet};

/// So often explanations by cases are tried in all.
const CASE_ATTEMPTS: usize = 400;

/// When to stop, and how hard to look.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Vertices of the minimised graph.
    pub vertices: usize,
    /// Spurious paths longer than this stay.
    pub length: Option<usize>,
    /// Rounds of refinement.
    pub rounds: usize,
    /// Work in all, in units of [`Conjunction::effort`](super::conjunction::Conjunction::effort).
    pub work: usize,
    /// How spurious paths are looked for.
    pub effort: Effort,
    /// Disequalities on one term at one location from which on a bound is tracked instead.
    pub chain: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let effort = Effort { width: 24, configurations: 60_000, paths: 8 };
        Self { vertices: 400, length: None, rounds: 10_000, work: 80_000_000, effort, chain: 3 }
    }
}

/// Why the analysis stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// No spurious path was found; `is_exhaustive` if nothing was passed over: the graph is exact.
    NoSpuriousPath {
        /// Has everything been looked at?
        is_exhaustive: bool,
    },
    /// The next spurious path is longer than the limit: exact up to that length, if nothing was passed over before.
    Length(usize),
    /// The next graph would have too many vertices; a spurious path of that length stays.
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
pub fn analyse<'a>(lts: &'a Lts, precondition: &[Literal], limits: Limits) -> Result<Outcome<'a>, Overflow> {
    let mut abstraction = Abstraction::new(lts, precondition)?;
    let mut explorer = Explorer::new(lts, precondition)?;
    let moduli = moduli(lts, precondition);
    let (explaining, attempts) = (Cell::new(0), Cell::new(CASE_ATTEMPTS));
    let mut unexplained: BTreeSet<Vec<EdgeId>> = BTreeSet::new();
    // The first graph has one state per location, and the initial one twice at most.
    let mut unfolding =
        abstraction.unfold(usize::MAX, usize::MAX)?.unwrap_or_else(|| Unfolding { graph: Graph::default(), states: Vec::new() });
    let (mut minimised, mut map) = unfolding.graph.minimised();
    let mut rounds = 0;
    let stop = loop {
        if rounds >= limits.rounds {
            break Stop::Rounds;
        }
        if work(&abstraction, &explorer, &explaining) > limits.work {
            break Stop::Work;
        }
        let relevant = relevant(&abstraction);
        let found = spurious_paths(&unfolding.graph, &mut explorer, &relevant, &unexplained, limits.effort)?;
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
                work: &explaining,
                limit: limits.work.saturating_sub(abstraction.work.saturating_add(explorer.work)),
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
        let next = abstraction
            .unfold(limits.vertices.saturating_mul(40), limits.work.saturating_sub(explorer.work.saturating_add(explaining.get())))?
            .map(|unfolding| (unfolding.graph.minimised(), unfolding));
        match next {
            Some(((graph, vertices), refined)) if graph.successors.len() <= limits.vertices => {
                (unfolding, minimised, map) = (refined, graph, vertices);
            }
            _ => {
                for (precision, before) in abstraction.precisions.iter_mut().zip(before) {
                    let version = precision.version + 1;
                    *precision = before;
                    precision.version = version;
                }
                let has_worked = work(&abstraction, &explorer, &explaining) > limits.work;
                break if has_worked { Stop::Work } else { Stop::Vertices(found.length) };
            }
        }
    };
    Ok(Outcome { abstraction, unfolding, minimised, map, stop, rounds, unexplained: unexplained.len() })
}

/// What has been done so far.
fn work(abstraction: &Abstraction<'_>, explorer: &Explorer<'_>, explaining: &Cell<usize>) -> usize {
    abstraction.work.saturating_add(explorer.work).saturating_add(explaining.get())
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
