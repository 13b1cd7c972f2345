//! Random transition systems, and whether what is said of their paths is true: of each complete path that a graph keeps, the solver's word is
//! compared with runs in 128 bits that share nothing with program, solver or interpreter.

use crate::random_paths::{feasible_paths, holds, is_kept, random_lts, stored_one};
use goatherd::certify::{
    Accepted,
    paths::{About, Uncertified, certify, statement},
    refine::{PathRefinement, TriedPaths},
};
use goatherd_certificates::{
    certificate::{Arithmetic, Ends, Origin, Parameters, Statement},
    program::Location,
};
use goatherd_interpreter::{InputValue, Random};
use goatherd_logic::z3;
use goatherd_paths::{
    analysis::{Limits, analyse},
    contract::contract,
    draw::{
        certified::Certified,
        confirm::{Bounds, confirm},
        driver::Driver,
        realise::{Drive, Realised},
    },
};
use goatherd_systems::{
    literal::{Linear, Literal},
    lower::lower,
    lts::{Edge, EdgeId, Lts, LtsVariable, Value, index},
    realisation::Realisation,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

/// Paths of at most so many steps are tried; runs of the enumeration are as long.
const BOUNDS: Bounds = Bounds { length: 9, paths: 300 };

/// Steps of reasoning for one analysis: about half a second without optimisation.
const WORK: usize = 20_000_000;

/// What random systems look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generator {
    /// Two ways from each location, on a condition and its opposite.
    Branching,
    /// Chains and loops whose guards are remainders with different moduli, and whose steps have factors.
    Remainders,
    /// Edges anywhere, with guards that have nothing to do with each other.
    Unstructured,
}

impl Generator {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Branching, Self::Remainders, Self::Unstructured];

    /// The system of this number.
    pub fn system(self, seed: u64) -> Lts {
        let mut random = Random::new(seed);
        match self {
            Self::Branching => random_lts(&mut random),
            Self::Remainders => remainders(&mut random),
            Self::Unstructured => unstructured(&mut random),
        }
    }
}

fn number(random: &mut Random, bound: u64) -> u32 {
    u32::try_from(random.below(bound)).unwrap_or(0)
}

fn signed(random: &mut Random, greatest: u64) -> i128 {
    i128::from(random.below(2 * greatest + 1)) - i128::from(greatest)
}

fn linear(random: &mut Random, variables: u64, greatest: u64) -> Linear {
    let mut sum = Linear::constant(signed(random, greatest));
    for _ in 0..=random.below(2) {
        let variable = Linear::variable(number(random, variables));
        sum = sum.plus(&variable, signed(random, greatest)).unwrap_or_default();
    }
    sum
}

fn system(variables: u64, finals: u32) -> Lts {
    let names = ["a", "b", "c"].into_iter().take(usize::try_from(variables).unwrap_or(0));
    let variables = names.map(|name| LtsVariable { name: name.into(), range: None }).collect();
    Lts { variables, initial: 0, finals: BTreeSet::from([finals]), ..Lts::default() }
}

fn assignments(random: &mut Random, variables: u64, greatest: u64) -> Vec<(u32, Value)> {
    let mut assignments = BTreeMap::new();
    for _ in 0..random.below(3) {
        let target = number(random, variables);
        let value = if random.below(5) == 0 { Value::Unknown } else { Value::Exact(linear(random, variables, greatest)) };
        assignments.insert(target, value);
    }
    assignments.into_iter().collect()
}

fn remainders(random: &mut Random) -> Lts {
    let last = 2 + number(random, 3);
    let mut lts = system(2, last);
    let moduli = [2, 3, 4, 6, 9];
    for source in 0..last {
        for target in [source + 1, number(random, u64::from(source) + 1)] {
            let modulus = moduli[index(number(random, 5))];
            let Linear { term, constant } = linear(random, 2, 6);
            let guard = vec![Literal::residue(term, modulus, constant.rem_euclid(modulus))];
            lts.edges.push(Edge { source, target, guard, assignments: assignments(random, 2, 2) });
        }
    }
    lts
}

fn unstructured(random: &mut Random) -> Lts {
    let last = 3 + number(random, 4);
    let mut lts = system(2 + random.below(2), last);
    let variables = u64::try_from(lts.variables.len()).unwrap_or(0);
    for source in 0..last {
        for position in 0..=random.below(3) {
            let target = if position == 0 { source + 1 } else { number(random, u64::from(last) + 1) };
            let mut guard = Vec::new();
            for _ in 0..random.below(3) {
                let Linear { term, constant } = linear(random, variables, 3);
                guard.push(match random.below(6) {
                    0 => Literal::residue(term, 2 + i128::from(random.below(5)), constant),
                    1 => Literal::differs(term, constant),
                    _ => Literal::at_most(term, constant),
                });
            }
            lts.edges.push(Edge { source, target, guard, assignments: assignments(random, variables, 2) });
        }
    }
    lts
}

/// What was found out about the paths of one system.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tried {
    /// The graph has a certificate.
    pub certified: usize,
    /// It is said to be exact.
    pub exact: usize,
    /// Paths that inputs drive.
    pub driven: usize,
    /// Paths that are kept though the solver refutes them.
    pub infeasible: usize,
    /// Paths of which nothing is known.
    pub unknown: usize,
}

impl Tried {
    /// Of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            certified: self.certified + other.certified,
            exact: self.exact + other.exact,
            driven: self.driven + other.driven,
            infeasible: self.infeasible + other.infeasible,
            unknown: self.unknown + other.unknown,
        }
    }
}

/// Analyses a system, has the graph checked, and tries its paths: of that graph, and of the one without those that are excluded with a proof. Says
/// what is wrong.
pub fn examine(lts: &Lts, rounds: usize) -> Result<[Tried; 2], String> {
    let realisation = lower(lts, &[], "random").map_err(|error| error.to_string())?;
    let origin = Origin { file: "random.lts".into(), digest: [0; 32], definitions: Vec::new(), includes: Vec::new(), waived: Vec::new() };
    let parameters = Parameters { arithmetic: Arithmetic::Unbounded, ..crate::forge::PARAMETERS };
    let about = About { parameters, ends: Ends::Complete, origin, files: Vec::new(), positions: Vec::new() };
    let limits = Limits { vertices: 60, rounds, work: WORK, ..Limits::default() };
    let outcome = analyse(lts, &[], limits);
    let mut states = outcome.states();
    let mut accepted = match certify(&realisation, &states, &about) {
        Ok(accepted) => accepted,
        Err(Uncertified::Underivable(_)) if rounds == 0 => return Ok([Tried::default(); 2]),
        Err(Uncertified::Underivable(_)) => return examine(lts, outcome.rounds.min(rounds) / 2),
        Err(fault) => return Err(fault.to_string()),
    };
    let statement = statement(&realisation, &about);
    let driver = Driver::new(&statement, z3::start);
    let examination = Examination { lts, realisation: &realisation, statement: &statement, runs: feasible_paths(lts), driver: &driver };
    let analysed = examination.graph(&accepted)?;
    let plain = analyse(lts, &[], Limits { rounds: 0, ..limits }).states();
    let refinement =
        PathRefinement { realisation: &realisation, about: &about, plain: &plain, driver: &driver, tried: TriedPaths::Every(BOUNDS) };
    refinement.run(&mut states, &mut accepted);
    Ok([analysed, examination.graph(&accepted)?])
}

/// What the graphs of a system are compared with.
struct Examination<'a> {
    lts: &'a Lts,
    realisation: &'a Realisation,
    statement: &'a Statement,
    runs: BTreeSet<Vec<EdgeId>>,
    driver: &'a Driver<'a>,
}

impl Examination<'_> {
    /// Tries the paths of a graph that the checker has derived.
    fn graph(&self, accepted: &Accepted) -> Result<Tried, String> {
        let Self { lts, realisation, statement, runs, driver } = self;
        let graph = accepted.verdict.graph.as_ref().ok_or("no graph")?;
        let contracted = contract(graph, realisation, Ends::Complete);
        runs.iter().try_for_each(|path| is_kept(&contracted, path))?;
        let certified = Certified::new(graph, statement, Ends::Complete).map_err(|unclear| unclear.to_string())?;
        let mut seen = BTreeSet::new();
        let mut wrong = None;
        let confirmation = confirm(&certified, BOUNDS, driver, |path, realised| {
            let edges = edges_of(realisation, &certified.instructions(path));
            let verdict = match realised {
                Realised::Feasible(drive) if !drives(lts, &edges, drive) => Err("is not driven by its inputs"),
                Realised::Infeasible if runs.contains(&edges) => Err("is called infeasible, and a run takes it"),
                _ if !seen.insert(edges.clone()) => Err("comes twice"),
                _ => Ok(()),
            };
            if let Err(why) = verdict {
                wrong = Some(format!("path {edges:?} {why}"));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        let exact = confirmation.is_exact(BOUNDS.length);
        if exact && contracted.graph.count_paths(&[BOUNDS.length])[0] != seen.len().into() {
            return Err("exact is said of other paths than the graph has".into());
        }
        Ok(Tried {
            certified: 1,
            exact: usize::from(exact),
            driven: confirmation.driven,
            infeasible: confirmation.infeasible,
            unknown: confirmation.unknown,
        })
    }
}

/// The edges of the system along a path of instructions.
fn edges_of(realisation: &Realisation, instructions: &[Location]) -> Vec<EdgeId> {
    let mut edges = Vec::new();
    let mut edge = None;
    for pair in instructions.windows(2) {
        edge = realisation.edges.get(&(pair[0], pair[1])).copied().or(edge);
        if realisation.landmarks.contains_key(&pair[1]) {
            edges.extend(edge.take());
        }
    }
    edges
}

/// Does a run from these inputs, with these values where any are stored, take the edges to a final location?
fn drives(lts: &Lts, edges: &[EdgeId], drive: &Drive) -> bool {
    let inputs = drive.inputs.iter().map(|input| if let InputValue::Integer(value) = input { Some(*value) } else { None });
    let Some(mut values) = inputs.collect::<Option<Vec<i128>>>() else { return false };
    let mut given = drive.values.iter().copied();
    let mut location = lts.initial;
    for edge in edges {
        let Edge { source, target, guard, assignments } = &lts.edges[*edge];
        // The quotient of each remainder is a value that is given.
        given.by_ref().take(guard.iter().filter(|literal| matches!(literal, Literal::Residue(_))).count()).for_each(drop);
        if *source != location || !guard.iter().all(|literal| holds(literal, &values)) {
            return false;
        }
        values = stored_one(assignments, &values, &mut given);
        location = *target;
    }
    lts.finals.contains(&location)
}
