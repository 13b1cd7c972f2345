//! Random transition systems, and whether a certified graph of one is right, by running it.

use goatherd::certify::paths::{About, Uncertified, certify};
use goatherd_certificates::certificate::{Arithmetic, Ends, Origin, Parameters};
use goatherd_interpreter::Random;
use goatherd_paths::{
    analysis::{Limits, analyse},
    contract::{Contracted, contract},
    red_black::{
        self,
        parameters::{AbstractionMethod, DifferentPaths, LookAhead, Parameters as RedBlack, Restart},
    },
    states::StateGraph,
};
use goatherd_systems::{
    literal::{Linear, Literal, Overflow},
    lower::lower,
    lts::{Edge, EdgeId, Lts, LtsVariable, Value},
};
use std::collections::{BTreeMap, BTreeSet};

/// Steps of the runs that are tried.
const LENGTH: usize = 9;

/// Variables start with all values from -this to this.
const GREATEST: i128 = 4;

/// Steps of reasoning for one analysis: about half a second without optimisation.
const WORK: usize = 20_000_000;

/// A transition system over two or three variables.
pub fn random_lts(random: &mut Random) -> Lts {
    let count = 2 + random.below(2);
    let names = ["x", "y", "z"].into_iter().take(usize::try_from(count).unwrap_or(2));
    let variables: Vec<LtsVariable> = names.map(|name| LtsVariable { name: name.into(), range: None }).collect();
    let locations = 3 + u32::try_from(random.below(4)).unwrap_or(0);
    let mut lts = Lts { variables, initial: 0, finals: BTreeSet::from([locations]), ..Lts::default() };
    for source in 0..locations {
        let guard = random_literal(random, count);
        let targets = [source + 1, u32::try_from(random.below(u64::from(locations) + 1)).unwrap_or(0)];
        let both = if random.below(4) == 0 { [Vec::new(), Vec::new()] } else { [vec![guard.clone()], negation(&guard)] };
        for (target, guard) in targets.into_iter().zip(both) {
            let mut assignments = BTreeMap::new();
            for _ in 0..random.below(3) {
                let variable = u32::try_from(random.below(count)).unwrap_or(0);
                assignments.insert(variable, random_value(random, count));
            }
            lts.edges.push(Edge { source, target, guard, assignments: assignments.into_iter().collect() });
        }
    }
    lts
}

fn small(random: &mut Random) -> i128 {
    i128::from(random.below(5)) - 2
}

fn random_linear(random: &mut Random, count: u64) -> Linear {
    let (left, right) = (random.below(count), random.below(count));
    let variable = |number: u64| Linear::variable(u32::try_from(number).unwrap_or(0));
    let first = variable(left);
    let sum = match random.below(4) {
        0 if left != right => first.plus(&variable(right), -1),
        1 if left != right => first.plus(&variable(right), 1),
        _ => Ok(first),
    };
    sum.and_then(|sum| sum.plus(&Linear::constant(small(random)), 1)).unwrap_or_default()
}

fn random_value(random: &mut Random, count: u64) -> Value {
    match random.below(6) {
        0 => Value::Unknown,
        1 => Value::Exact(Linear::constant(small(random))),
        _ => Value::Exact(random_linear(random, count)),
    }
}

fn random_literal(random: &mut Random, count: u64) -> Literal {
    let Linear { term, constant } = random_linear(random, count);
    match random.below(5) {
        0 => Literal::differs(term, constant),
        1 => Literal::residue(term, 2, constant),
        _ => Literal::at_most(term, constant),
    }
}

/// What holds where the literal does not; nothing, where that is no conjunction.
fn negation(literal: &Literal) -> Vec<Literal> {
    match literal {
        Literal::AtMost(term, bound) => {
            vec![Literal::at_most(term.iter().map(|(variable, coefficient)| (*variable, -coefficient)).collect(), -bound - 1)]
        }
        Literal::Differs(term, value) => vec![
            Literal::at_most(term.clone(), *value),
            Literal::at_most(term.iter().map(|(variable, coefficient)| (*variable, -coefficient)).collect(), -value),
        ],
        Literal::Residue(residue) => vec![Literal::residue(residue.term.clone(), residue.modulus, residue.remainder + 1)],
        Literal::True | Literal::False => Vec::new(),
    }
}

/// How a transition system is analysed.
#[derive(Clone, Copy, Debug)]
pub enum Strategy {
    /// By the literals that refutations need, for at most so many vertices.
    NeededLiterals(usize),
    /// By the algorithms of the thesis.
    RedBlack(RedBlack),
}

impl Strategy {
    /// The graph that is to be certified.
    pub fn states(self, lts: &Lts, precondition: &[Literal]) -> Result<StateGraph, Overflow> {
        self.refined(lts, precondition, usize::MAX).map(|(states, _)| states)
    }

    /// The graph after so many refinements, or as many as are usual, and how many there were.
    fn refined(self, lts: &Lts, precondition: &[Literal], most: usize) -> Result<(StateGraph, usize), Overflow> {
        match self {
            Self::NeededLiterals(vertices) => {
                let limits = Limits { vertices, rounds: most.min(200), work: WORK, ..Limits::default() };
                let outcome = analyse(lts, precondition, limits);
                Ok((outcome.states(), outcome.rounds))
            }
            Self::RedBlack(parameters) => {
                let parameters = RedBlack { refinements: most.min(parameters.refinements), ..parameters };
                red_black::analyse(lts, precondition, parameters).map(|outcome| (outcome.states, outcome.refinements))
            }
        }
    }
}

/// Red-black parameters: each value of each parameter, in combinations.
pub fn red_black_parameters() -> Vec<RedBlack> {
    let mut all = Vec::new();
    let futures = [LookAhead::Length(0), LookAhead::Length(2), LookAhead::LoopVisits(1)];
    let paths = [DifferentPaths::No, DifferentPaths::Forced, DifferentPaths::Natural, DifferentPaths::Isomorphic];
    for look_ahead in futures {
        for different_paths in paths {
            for abstraction in [AbstractionMethod::ConstraintRemoval, AbstractionMethod::StoreUpdate] {
                for (restart, maximal_red_length) in [(Restart::Enabled, 0), (Restart::Enabled, 6), (Restart::Disabled, 0)] {
                    all.push(RedBlack {
                        restart,
                        different_paths,
                        maximal_red_length,
                        look_ahead,
                        abstraction,
                        vertices: 120,
                        refinements: 30,
                        work: 100_000,
                    });
                }
            }
        }
    }
    all
}

/// Analyses a transition system, has the graph checked, and tries it. Says what is wrong; else how many paths of `LENGTH` steps or fewer
/// runs took, and how many the graph has; nothing where no hint was found for some mark. As the command does, the search then ends after half as
/// many refinements, again and again.
pub fn examine(lts: &Lts, strategy: Strategy) -> Result<Option<(usize, usize)>, String> {
    let realisation = lower(lts, &[], "random").map_err(|error| error.to_string())?;
    let origin = Origin { file: "random.lts".into(), digest: [0; 32], definitions: Vec::new(), includes: Vec::new(), waived: Vec::new() };
    let parameters = Parameters { arithmetic: Arithmetic::Unbounded, ..crate::forge::PARAMETERS };
    let about = About { parameters, ends: Ends::Complete, origin, files: Vec::new(), positions: Vec::new() };
    let mut most = usize::MAX;
    let (states, accepted) = loop {
        let (states, refinements) = strategy.refined(lts, &[], most).map_err(|Overflow| "overflow")?;
        match certify(&realisation, &states, &about) {
            Ok(accepted) => break (states, accepted),
            Err(Uncertified::Underivable(_)) if refinements == 0 => return Ok(None),
            Err(Uncertified::Underivable(_)) => most = refinements / 2,
            Err(fault) => return Err(fault.to_string()),
        }
    };
    let graph = accepted.verdict.graph.ok_or("no graph")?;
    let contracted = contract(&graph, &realisation, about.ends);
    is_trace_graph(lts, &contracted, &realisation.landmarks)?;
    let feasible = feasible_paths(lts);
    for path in &feasible {
        is_kept(&contracted, path)?;
    }
    let counts = contracted.graph.count_paths(&[LENGTH]);
    let expected = states.graph.count_paths(&[LENGTH]);
    // The checker may see that a path is infeasible where red-black has abstracted the reason away.
    if counts[0] > expected[0] {
        return Err(format!("{} paths are certified, {} were found", counts[0], expected[0]));
    }
    Ok(Some((feasible.len(), usize::try_from(&counts[0]).unwrap_or(usize::MAX))))
}

/// Every path of the graph goes along edges of the system.
fn is_trace_graph(
    lts: &Lts,
    contracted: &Contracted,
    landmarks: &BTreeMap<goatherd_certificates::program::Location, u32>,
) -> Result<(), String> {
    let location = |vertex: usize| landmarks.get(&contracted.locations[vertex]).copied();
    let root = contracted.graph.root.map(location);
    if root.is_some_and(|root| root != Some(lts.initial)) {
        return Err("the root is not at the initial location".into());
    }
    for (vertex, successors) in contracted.graph.successors.iter().enumerate() {
        for (edge, target) in successors {
            let Edge { source, target: end, .. } = &lts.edges[*edge];
            if location(vertex) != Some(*source) || location(*target) != Some(*end) {
                return Err(format!("edge {edge} stands between other locations"));
            }
        }
    }
    let is_final = |vertex: &usize| location(*vertex).is_some_and(|location| lts.finals.contains(&location));
    if contracted.graph.finals.iter().all(is_final) { Ok(()) } else { Err("a path ends at a location that is not final".into()) }
}

/// Is the complete path one of the graph? Says so if not.
pub(crate) fn is_kept(contracted: &Contracted, path: &[EdgeId]) -> Result<(), String> {
    let lost = || format!("the path {path:?} is lost");
    let mut vertex = contracted.graph.root.ok_or_else(lost)?;
    for edge in path {
        vertex = *contracted.graph.successors[vertex].get(edge).ok_or_else(lost)?;
    }
    if contracted.graph.finals.contains(&vertex) { Ok(()) } else { Err(lost()) }
}

/// The complete paths that runs from small values take, with small values where any are stored.
pub(crate) fn feasible_paths(lts: &Lts) -> BTreeSet<Vec<EdgeId>> {
    let outgoing = lts.edges_by_source();
    let mut paths = BTreeSet::new();
    let mut inputs: Vec<Vec<i128>> = vec![Vec::new()];
    for _ in &lts.variables {
        let longer = |values: Vec<i128>| (-GREATEST..=GREATEST).map(move |value| [values.clone(), vec![value]].concat());
        inputs = inputs.into_iter().flat_map(longer).collect();
    }
    let mut open: BTreeSet<(u32, Vec<i128>, Vec<EdgeId>)> = inputs.into_iter().map(|values| (lts.initial, values, Vec::new())).collect();
    while let Some((location, values, path)) = open.pop_first() {
        if lts.finals.contains(&location) {
            paths.insert(path.clone());
        }
        for edge in outgoing.get(goatherd_systems::lts::index(location)).into_iter().flatten().filter(|_| path.len() < LENGTH) {
            let Edge { target, guard, assignments, .. } = &lts.edges[*edge];
            if guard.iter().all(|literal| holds(literal, &values)) {
                for after in stored(assignments, &values) {
                    open.insert((*target, after, [path.clone(), vec![*edge]].concat()));
                }
            }
        }
    }
    paths
}

fn sum(term: &[(u32, i128)], values: &[i128]) -> i128 {
    term.iter().map(|(variable, coefficient)| coefficient * values[goatherd_systems::lts::index(*variable)]).sum()
}

/// Does the literal hold for these values of the variables?
pub(crate) fn holds(literal: &Literal, values: &[i128]) -> bool {
    let value = sum(literal.term(), values);
    match literal {
        Literal::True => true,
        Literal::False => false,
        Literal::AtMost(_, bound) => value <= *bound,
        Literal::Differs(_, other) => value != *other,
        Literal::Residue(residue) => (value - residue.remainder).rem_euclid(residue.modulus) == 0,
    }
}

/// The values after the assignments, for -1 and 2 where any are stored.
pub(crate) fn stored(assignments: &[(u32, Value)], values: &[i128]) -> Vec<Vec<i128>> {
    let mut results = vec![values.to_vec()];
    for (variable, value) in assignments {
        let position = goatherd_systems::lts::index(*variable);
        let choices = match value {
            Value::Exact(linear) => vec![sum(&linear.term, values) + linear.constant],
            Value::Where(_) | Value::Unknown => vec![-1, 2],
        };
        let with = |result: Vec<i128>| {
            choices.clone().into_iter().map(move |choice| {
                let mut result = result.clone();
                result[position] = choice;
                result
            })
        };
        results = results.into_iter().flat_map(with).collect();
    }
    results
}

/// The values after the assignments, with the given ones, in order, where any are stored.
pub(crate) fn stored_one(assignments: &[(u32, Value)], values: &[i128], given: &mut impl Iterator<Item = i128>) -> Vec<i128> {
    let mut result = values.to_vec();
    for (variable, value) in assignments {
        result[goatherd_systems::lts::index(*variable)] = match value {
            Value::Exact(linear) => sum(&linear.term, values) + linear.constant,
            Value::Where(_) | Value::Unknown => given.next().unwrap_or(0),
        };
    }
    result
}
