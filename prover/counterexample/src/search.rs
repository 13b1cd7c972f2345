//! What is run, and what is kept.

use crate::{
    candidates::Candidates,
    guide::Guide,
    inputs::{Drawing, Extent},
    shrink::{self, Shrunk},
    source::{Enumeration, Source},
};
use goatherd_certificates::{
    certificate::{GroundRun, Parameters},
    program::{Location, Program},
};
use goatherd_interpreter::{Failure, InputShape, InputValue, Machine, Outcome, Random, Replay, Run, TraceEntry, Tracing, run, run_machine};
use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
};

/// One run is given up after so many steps.
const RUN_LIMIT: u64 = 20_000;

/// Of each budget, this part goes to enumerating small runs; the rest to random and to guided ones, in turn.
const ENUMERATED: u64 = 2;

/// The sizes that are enumerated, each for an equal part of that.
const ENUMERATIONS: [Extent; 6] = [
    Extent { longest: 0, variety: usize::MAX, skipped: 0 },
    Extent { longest: 1, variety: usize::MAX, skipped: 0 },
    Extent { longest: 2, variety: 8, skipped: 0 },
    Extent { longest: 3, variety: 4, skipped: 0 },
    Extent { longest: 2, variety: usize::MAX, skipped: 0 },
    Extent { longest: 5, variety: 2, skipped: 0 },
];

/// Random runs that reach different sets of assertions are compared at the end; more of them are not kept.
const MOST_WITNESSES: usize = 64;

/// A certificate holds at most so many witnesses.
const WITNESSES: usize = 4;

/// When the search may end before its budget is spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// At the first failure.
    Failure,
    /// When four runs that halt pass all assertions (without assertions: when one accesses memory). Failures are kept as they come.
    Witnesses,
    /// Never: all failures are wanted.
    Everything,
}

/// A run that fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// One value per input.
    pub inputs: Vec<InputValue>,
    /// What the environment chose, as in a ground run.
    pub choices: Vec<i128>,
    /// How many instructions were executed, the failing one included.
    pub steps: u64,
    /// The failing instruction.
    pub location: Location,
    /// Why it fails.
    pub failure: Failure,
    /// Every step.
    pub trace: Vec<TraceEntry>,
    /// The run as the checker replays it; none where its rules do not reach (several objects of one declaration, linked inputs).
    pub certificate: Option<GroundRun>,
}

/// A run that halts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The run.
    pub run: GroundRun,
    /// The assertions that it passes.
    pub assertions: BTreeSet<Location>,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Findings {
    /// One counterexample per failing instruction and kind of failure, in the order in which they were found, each shrunk.
    pub counterexamples: Vec<Counterexample>,
    /// At most four runs that halt; together they pass as many assertions as was found possible.
    pub witnesses: Vec<Witness>,
    /// How many runs were tried.
    pub runs: u64,
    /// How many interpreter steps were spent, one more per run; may exceed the budget by one run.
    pub steps: u64,
}

/// Runs the [well-formed](goatherd_interpreter::well_formed) program on small inputs until the goal is reached or `budget` interpreter steps
/// are spent. The same arguments give the same findings.
pub fn search(program: &Program, parameters: Parameters, goal: Goal, budget: u64) -> Findings {
    let candidates = Candidates::of(program);
    let mut search = Search {
        program,
        parameters,
        goal,
        candidates,
        findings: Findings::default(),
        failed: BTreeSet::new(),
        halted: BTreeMap::new(),
        is_witnessed: false,
    };
    for (extent, part) in ENUMERATIONS.iter().zip(1..) {
        let share = budget / ENUMERATED / 6 * part;
        let mut source = Enumeration::new();
        while search.findings.steps < share && !search.is_done() {
            search.try_one(&mut source, *extent, Tracing::Off);
            if !source.advance() {
                break;
            }
        }
    }
    let mut source = Random::new(0x676f_6174);
    let mut guide = Guide::new(0x6865_7264);
    while search.findings.steps < budget && !search.is_done() {
        let grown = usize::try_from(search.findings.runs / 64).unwrap_or(usize::MAX);
        let extent = Extent {
            longest: 2 + source.pick(grown.min(14) + 1),
            variety: [2, 3, 5, usize::MAX][source.pick(4)],
            skipped: source.pick(64),
        };
        search.try_one(&mut source, extent, Tracing::Off);
        if !search.is_done() {
            guide.run(program, extent, |picks, extent| search.try_one(picks, extent, Tracing::On));
        }
    }
    search.finish()
}

/// The failing run with this input and these choices, made small; none if it does not fail.
pub fn retrace(program: &Program, parameters: Parameters, inputs: Vec<InputValue>, choices: &[i128]) -> Option<Counterexample> {
    let run = run(program, parameters, &inputs, &mut Replay::new(choices), RUN_LIMIT, Tracing::Off).ok()?;
    let has_failed = matches!(run.outcome, Outcome::Failed { .. });
    has_failed.then(|| shrink::shrink(program, parameters, inputs, run)).and_then(Counterexample::of)
}

/// The failing run with this input and these choices as it is, of at most so many steps; none if it does not fail.
pub fn failing(program: &Program, parameters: Parameters, inputs: Vec<InputValue>, choices: &[i128], limit: u64) -> Option<Counterexample> {
    let run = run(program, parameters, &inputs, &mut Replay::new(choices), limit, Tracing::On).ok()?;
    Counterexample::of(Shrunk { inputs, run, spent: 0 })
}

impl Counterexample {
    fn of(small: Shrunk) -> Option<Self> {
        let Outcome::Failed { location, failure } = small.run.outcome else { return None };
        Some(Self {
            certificate: small.run.to_certificate(&small.inputs),
            inputs: small.inputs,
            choices: small.run.choices,
            steps: small.run.steps,
            location,
            failure,
            trace: small.run.trace,
        })
    }
}

struct Search<'p> {
    program: &'p Program,
    parameters: Parameters,
    goal: Goal,
    candidates: Candidates,
    findings: Findings,
    failed: BTreeSet<(Location, Failure)>,
    /// Per set of assertions, and whether memory was accessed, the first run that halts.
    halted: BTreeMap<(BTreeSet<Location>, bool), GroundRun>,
    /// Do they pass everything?
    is_witnessed: bool,
}

impl Search<'_> {
    /// Makes one run, and gives its trace if that is asked for.
    fn try_one<S: Source>(&mut self, source: &mut S, extent: Extent, tracing: Tracing) -> Vec<TraceEntry> {
        let mut drawing = Drawing { program: self.program, candidates: &self.candidates, source, extent };
        let shapes = drawing.inputs();
        self.findings.runs += 1;
        self.findings.steps += 1;
        // What is drawn for the program's inputs is valid, but for arrays of elements with pointers: nothing to run then.
        let Ok(mut machine) = Machine::draw(self.program, self.parameters, &shapes) else { return Vec::new() };
        let mut run = run_machine(&mut machine, &mut drawing, RUN_LIMIT, tracing);
        let trace = mem::take(&mut run.trace);
        self.findings.steps += run.steps;
        match run.outcome {
            Outcome::Failed { location, failure } if self.failed.insert((location, failure)) => {
                self.keep_failure(machine.inputs(&shapes), run);
            }
            Outcome::Halted if self.halted.len() < MOST_WITNESSES => {
                self.keep_witness(&machine, &shapes, &run);
            }
            _ => {}
        }
        trace
    }

    fn keep_failure(&mut self, inputs: Vec<InputValue>, run: Run) {
        let small = shrink::shrink(self.program, self.parameters, inputs, run);
        self.findings.steps += small.spent;
        self.findings.counterexamples.extend(Counterexample::of(small));
    }

    fn keep_witness(&mut self, machine: &Machine<'_>, shapes: &[InputShape], run: &Run) {
        let key = (run.assertions.clone(), run.accesses > 0);
        if self.is_witnessed || self.halted.contains_key(&key) {
            return;
        }
        if let Some(ground) = run.to_certificate(&machine.inputs(shapes)) {
            self.halted.insert(key, ground);
            let reached: usize = self.chosen().iter().map(|(_, added)| added).sum();
            let is_accessed = self.halted.keys().any(|(_, is_accessed)| *is_accessed);
            self.is_witnessed = if self.program.assertions.is_empty() { is_accessed } else { reached == self.program.assertions.len() };
        }
    }

    fn is_done(&self) -> bool {
        match self.goal {
            Goal::Failure => !self.findings.counterexamples.is_empty(),
            Goal::Witnesses => self.is_witnessed,
            Goal::Everything => false,
        }
    }

    /// At most four runs that pass many assertions together, each with the number that it adds.
    fn chosen(&self) -> Vec<(Witness, usize)> {
        let mut reached = BTreeSet::new();
        let mut chosen: Vec<(Witness, usize)> = Vec::new();
        while chosen.len() < WITNESSES {
            let gain = |assertions: &BTreeSet<Location>| assertions.difference(&reached).count();
            // The first of the best, those that access memory before the others.
            let best = self.halted.iter().rev().max_by_key(|((assertions, accesses), _)| (gain(assertions), *accesses));
            let Some(((assertions, _), run)) = best else { break };
            let added = gain(assertions);
            if added == 0 && !chosen.is_empty() {
                break;
            }
            reached.extend(assertions.iter().copied());
            chosen.push((Witness { run: run.clone(), assertions: assertions.clone() }, added));
        }
        chosen
    }

    fn finish(mut self) -> Findings {
        self.findings.witnesses = self.chosen().into_iter().map(|(witness, _)| witness).collect();
        self.findings
    }
}
