//! Certified graphs of C programs beside runs on small inputs, which owe nothing to any analysis: no path that a run takes is lost, none is called
//! infeasible, and where a graph is called exact, the inputs found for each of its paths drive it in a run of its own.

use goatherd_certificates::{
    certificate::{Claim, Parameters, Statement},
    derivation::VertexId,
    program::{Instruction, Location, Program},
};
use goatherd_checker::{Budget, Limits};
use goatherd_claims::{Graph, Subject, decode, verify};
use goatherd_counterexample::{
    candidates::Candidates,
    inputs::{Drawing, Extent},
    source::{Enumeration, Source},
};
use goatherd_interpreter::{Environment, Event, InputShape, Machine, Random, Replay};
use goatherd_logic::{values::Deadline, z3};
use goatherd_paths::draw::{
    certified::Certified,
    confirm::{Bounds, confirm},
    driver::Driver,
    realise::{Drive, Realised},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

/// The sizes of inputs all of which are tried, each for an equal part of the steps; what is left goes to inputs at random.
const SIZES: [Extent; 5] = [
    Extent { longest: 0, variety: usize::MAX, skipped: 0 },
    Extent { longest: 1, variety: usize::MAX, skipped: 0 },
    Extent { longest: 2, variety: 8, skipped: 0 },
    Extent { longest: 3, variety: 4, skipped: 0 },
    Extent { longest: 4, variety: 2, skipped: 0 },
];

/// Inputs at random are of this size.
const AT_RANDOM: Extent = Extent { longest: 6, variety: usize::MAX, skipped: 0 };

/// Where random numbers begin.
const SEED: u64 = 0x7275_6e73;

/// A run of more steps is given up.
const LONGEST: usize = 2_000;

/// Checking a certificate takes so much memory at most.
const MEMORY: u64 = 4 << 30;

/// The complete paths that runs take: to the program's end, or to its own failure.
pub type Taken = BTreeSet<Vec<Location>>;

/// What was found out about a graph.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Compared {
    /// Paths that runs take.
    pub taken: usize,
    /// Paths of the graph that inputs drive, of those that were tried.
    pub driven: usize,
    /// Paths of it that the solver refutes.
    pub infeasible: usize,
    /// Paths of it of which nothing is known.
    pub unknown: usize,
    /// Does that make the graph exact, up to the length that was asked for?
    pub is_exact: bool,
}

/// Has the certificate checked, compares its graph with runs of so many steps together, and tries its paths until the deadline. Says what is wrong.
pub fn compare(certificate: &[u8], steps: usize, bounds: Bounds, deadline: Deadline) -> Result<Compared, String> {
    let (statement, graph, certified) = accepted(certificate)?;
    let taken = taken(&statement.program, statement.parameters, steps);
    if let Some(lost) = first_lost(&graph, &taken) {
        return Err(format!("a run takes the path {}, which is lost", words(lost)));
    }
    let driver = Driver::new(&statement, z3::start);
    driver.limit(deadline);
    let mut seen = BTreeSet::new();
    let mut wrong = None;
    let confirmation = confirm(&certified, bounds, &driver, |path, realised| {
        let path = certified.instructions(path);
        let verdict = match realised {
            Realised::Feasible(drive) if !drives(&statement, &path, drive) => Err("is not driven by its inputs"),
            Realised::Infeasible if taken.contains(&path) => Err("is called infeasible, and a run takes it"),
            _ if seen.contains(&path) => Err("comes twice"),
            _ => Ok(()),
        };
        if let Err(why) = verdict {
            wrong = Some(format!("the path {} {why}", words(&path)));
            return ControlFlow::Break(());
        }
        seen.insert(path);
        ControlFlow::Continue(())
    });
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    let is_exact = confirmation.is_exact(bounds.length);
    if is_exact && certified.graph.count_paths(&[bounds.length])[0] != seen.len().into() {
        return Err("exact is said of other paths than the graph has".to_owned());
    }
    Ok(Compared {
        taken: taken.len(),
        driven: confirmation.driven,
        infeasible: confirmation.infeasible,
        unknown: confirmation.unknown,
        is_exact,
    })
}

/// What an accepted certificate about paths claims, and its graph.
fn accepted(certificate: &[u8]) -> Result<(Statement, Graph, Certified), String> {
    let mut budget = Budget::new(MEMORY);
    let decoded = decode(certificate, &mut budget, Limits::of_memory(MEMORY), goatherd::encode::digest);
    let decoded = decoded.map_err(|failure| format!("the certificate is not accepted: {failure:?}"))?;
    let verdict = verify(&decoded, budget).map_err(|failure| format!("the certificate is not accepted: {failure:?}"))?;
    let (Claim::Paths(ends), Subject::Program(decoded), Some(graph)) = (verdict.claim, decoded, verdict.graph) else {
        return Err("the certificate claims something else".to_owned());
    };
    let statement = decoded.into_certificate().statement;
    let certified = Certified::new(&graph, &statement, ends).map_err(|unclear| unclear.to_string())?;
    Ok((statement, graph, certified))
}

/// The paths that runs on small inputs take: on all inputs of some sizes, then on some at random.
pub fn taken(program: &Program, parameters: Parameters, steps: usize) -> Taken {
    let mut running = Running { program, parameters, candidates: Candidates::of(program), steps: 0, taken: Taken::new() };
    for (extent, part) in SIZES.into_iter().zip(1..) {
        let mut source = Enumeration::new();
        while running.steps < steps / (SIZES.len() + 1) * part {
            running.run(&mut source, extent);
            if !source.advance() {
                break;
            }
        }
    }
    let mut source = Random::new(SEED);
    while running.steps < steps {
        running.run(&mut source, AT_RANDOM);
    }
    running.taken
}

/// Runs under way.
struct Running<'a> {
    program: &'a Program,
    parameters: Parameters,
    candidates: Candidates,
    steps: usize,
    taken: Taken,
}

impl Running<'_> {
    /// A run on the inputs that the source picks. It counts one step more than it takes, so that there is an end of runs that do not begin.
    fn run<S: Source>(&mut self, source: &mut S, extent: Extent) {
        let mut drawing = Drawing { program: self.program, candidates: &self.candidates, source, extent };
        let shapes: Vec<InputShape> = drawing.inputs();
        self.steps += 1;
        if let Ok(mut machine) = Machine::draw(self.program, self.parameters, &shapes) {
            let path = path_of(&mut machine, &mut drawing);
            self.steps += path.len();
            if is_complete(self.program, &machine) {
                self.taken.insert(path);
            }
        }
    }
}

/// The instructions of a run, the last one included.
fn path_of(machine: &mut Machine<'_>, environment: &mut dyn Environment) -> Vec<Location> {
    let mut path = vec![machine.location()];
    while path.len() < LONGEST && matches!(machine.step(environment), Event::Continued(_)) {
        path.push(machine.location());
    }
    path
}

/// Has the run come to an end of a complete path, without an answer about pointers that no input decides?
fn is_complete(program: &Program, machine: &Machine<'_>) -> bool {
    let last = program.instructions.get(machine.location().index());
    matches!(last, Some(Instruction::Halt | Instruction::Fail { .. })) && machine.comparisons().is_empty()
}

/// Does a run from these inputs take the path?
fn drives(statement: &Statement, path: &[Location], drive: &Drive) -> bool {
    let Ok(mut machine) = Machine::new(&statement.program, statement.parameters, &drive.inputs) else { return false };
    path_of(&mut machine, &mut Replay::new(&drive.choices)) == path && is_complete(&statement.program, &machine)
}

/// The first path that the graph does not have.
fn first_lost<'a>(graph: &Graph, taken: &'a Taken) -> Option<&'a [Location]> {
    let edges = graph.edges.iter().map(|(source, target)| ((*source, graph.vertices[target.index()]), *target));
    let successors: BTreeMap<(VertexId, Location), VertexId> = edges.collect();
    let is_lost = |path: &[Location]| {
        let root = graph.root.filter(|root| path.first() == Some(&graph.vertices[root.index()]));
        let step = |vertex: VertexId, location: &Location| successors.get(&(vertex, *location)).copied();
        root.and_then(|root| path[1..].iter().try_fold(root, step)).is_none()
    };
    taken.iter().map(Vec::as_slice).find(|path| is_lost(path))
}

/// A path as numbers of instructions.
fn words(path: &[Location]) -> String {
    path.iter().map(|location| location.0.to_string()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Taken, first_lost};
    use goatherd_certificates::{derivation::VertexId, program::Location};
    use goatherd_claims::Graph;

    #[test]
    fn a_path_is_lost_where_an_edge_of_it_is_missing() {
        let vertices = [0, 1, 2].map(Location).to_vec();
        let edges = [(0, 1), (1, 1), (1, 2)].map(|(source, target)| (VertexId(source), VertexId(target))).to_vec();
        let graph = Graph { root: Some(VertexId(0)), vertices, edges };
        let taken = |path: &[u32]| Taken::from([path.iter().copied().map(Location).collect()]);
        assert_eq!(first_lost(&graph, &taken(&[0, 1, 1, 2])), None);
        for path in [&[0, 2][..], &[1, 2], &[0, 1, 2, 2]] {
            assert!(first_lost(&graph, &taken(path)).is_some(), "{path:?}");
        }
        assert!(first_lost(&Graph { root: None, ..graph }, &taken(&[0])).is_some());
    }
}
