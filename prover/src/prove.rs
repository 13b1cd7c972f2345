//! From a program to a verdict: bounded search for a failing run, then for a proof; either is checked before anybody reads of it.

use crate::{
    counterexample::{self, Counterexample, Findings, Goal},
    descent::{
        emit,
        flow::Flow,
        search::{Drops, Integers, Search, Strategy, Stuck},
        template::{Direction, Keys},
    },
    encode,
    solving::{Disagreement, Solver},
    terms,
};
use goatherd_certificates::{
    certificate::{Certificate, Claim, Evidence, GroundRun, Limits, Origin, Parameters, Position, Statement},
    program::{Input, Program},
    term::Term,
};
use goatherd_checker::{budget::Budget, configuration::Setting, error::Failure, rejection::Rejection, term::Arena, verdict::Verdict};
use rayon::prelude::*;
use std::{fmt, sync::Arc};

/// What is to be proved, with everything that its certificate says besides.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program.
    pub program: Program,
    /// What it is proved under.
    pub parameters: Parameters,
    /// Where it came from.
    pub origin: Origin,
    /// The files that positions name.
    pub files: Vec<String>,
    /// One position per instruction.
    pub positions: Vec<Position>,
}

/// How hard to try. All budgets count steps, so that the answer is the same on every machine.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Interpreter steps of the first search for a failing run, before any proof is tried.
    pub first_runs: u64,
    /// Interpreter steps of the second one, after no proof was found.
    pub last_runs: u64,
    /// Steps of each proof strategy: all are tried with the first budget, then those that it was too small for with the next.
    pub proof: [u64; 3],
    /// The greatest k that is tried.
    pub greatest_k: u32,
}

impl Default for Effort {
    fn default() -> Self {
        Self { first_runs: 60_000, last_runs: 20_000_000, proof: [20_000, 200_000, 4_000_000], greatest_k: 3 }
    }
}

/// A certificate that the checker has accepted.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What the checker said of them.
    pub verdict: Verdict,
}

/// What came out.
#[derive(Debug)]
pub enum Answer {
    /// Proved: the checker has accepted the certificate.
    Proved {
        /// The certificate.
        accepted: Accepted,
        /// How it was found.
        strategy: Strategy,
    },
    /// A run fails; the checker has accepted it.
    Unsafe {
        /// The certificate.
        accepted: Accepted,
        /// The run.
        counterexample: Box<Counterexample>,
    },
    /// A run fails in the interpreter, but the kernel does not confirm it.
    Unconfirmed {
        /// The run.
        counterexample: Box<Counterexample>,
        /// What the kernel says; none where its rules do not reach.
        why: Option<Failure>,
    },
    /// Neither was found.
    Unknown {
        /// Why each strategy gave up.
        attempts: Vec<(Strategy, Stuck)>,
    },
}

/// A fault of the prover itself.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The search found a derivation for which no hint could be written.
    Hint(Rejection),
    /// The checker refuses a certificate that the prover has written.
    Refused(Failure),
    /// The certificate could not be encoded.
    Encoding,
    /// The built-in reasoning and Z3 contradict each other.
    Disagreement(Disagreement),
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hint(rejection) => write!(formatter, "a derivation was found, but not the hints that it needs: {rejection:?}"),
            Self::Refused(failure) => write!(formatter, "the checker refuses the certificate: {failure:?}"),
            Self::Encoding => formatter.write_str("the certificate could not be encoded"),
            Self::Disagreement(disagreement) => disagreement.fmt(formatter),
        }
    }
}

impl std::error::Error for Fault {}

/// Memory that the checker is given for a certificate that was just written, in bytes.
const CHECK_MEMORY: u64 = 1 << 30;
/// Declared limits are multiples of this, in bytes.
const MEMORY_UNIT: u64 = 1 << 20;

/// Decides the task.
pub fn prove(task: &Task, effort: Effort, solver: Solver) -> Result<Answer, Fault> {
    let solver = Arc::new(solver);
    let findings = counterexample::search(&task.program, task.parameters, Goal::Witnesses, effort.first_runs);
    if let Some(counterexample) = smallest(&findings) {
        return confirm(task, counterexample);
    }
    let witnesses: Vec<GroundRun> = findings.witnesses.into_iter().map(|witness| witness.run).collect();
    let flow = Flow::new(&task.program);
    let all = strategies(&task.program, &flow, effort);
    let mut stuck: Vec<Option<Stuck>> = all.iter().map(|_| None).collect();
    for steps in effort.proof {
        // The first proves most programs, and alone it is done sooner. Then as many at a time as there are threads; results are taken in
        // order, so that their number changes nothing.
        let open: Vec<usize> = (0..all.len()).filter(|number| matches!(stuck[*number], None | Some(Stuck::Budget))).collect();
        let (first, others) = open.split_at(open.len().min(1));
        for numbers in [first].into_iter().chain(others.chunks(rayon::current_num_threads())) {
            let tried: Vec<Result<Proof, Attempt>> =
                numbers.par_iter().map(|number| attempt(task, &flow, all[*number], steps, &solver)).collect();
            if let Some(disagreement) = solver.disagreement() {
                return Err(Fault::Disagreement(disagreement.clone()));
            }
            for (number, result) in numbers.iter().zip(tried) {
                match result {
                    Ok(found) => {
                        let evidence = Evidence::Proof(found.proof);
                        let accepted = certify(task, Claim::Safe, found.terms, evidence, witnesses)?;
                        return Ok(Answer::Proved { accepted, strategy: all[*number] });
                    }
                    Err(Attempt::Stuck(why)) => stuck[*number] = Some(why),
                    Err(Attempt::Fault(fault)) => return Err(fault),
                }
            }
        }
    }
    let findings = counterexample::search(&task.program, task.parameters, Goal::Failure, effort.last_runs);
    match smallest(&findings) {
        Some(counterexample) => confirm(task, counterexample),
        None => Ok(Answer::Unknown { attempts: all.into_iter().zip(stuck.into_iter().flatten()).collect() }),
    }
}

/// The counterexample with the fewest steps among those that the checker can replay, or else among all.
fn smallest(findings: &Findings) -> Option<&Counterexample> {
    findings.counterexamples.iter().min_by_key(|counterexample| (counterexample.certificate.is_none(), counterexample.steps))
}

/// The ways to search, the cheapest first.
fn strategies(program: &Program, flow: &Flow, effort: Effort) -> Vec<Strategy> {
    let has_integers = program.inputs.iter().any(|input| matches!(input, Input::Integer { .. }));
    let counts_down = flow.loops.values().any(|around| around.counts_down);
    let mut strategies = Vec::new();
    for k in 1..=effort.greatest_k {
        let plain = Strategy { k, integers: Integers::Kept, drops: Drops::First, keys: Keys::Paths, direction: Direction::Up };
        strategies.push(plain);
        if k > 1 && counts_down {
            strategies.push(Strategy { direction: Direction::Down, ..plain });
        }
        if has_integers {
            strategies.push(Strategy { integers: Integers::Decremented, ..plain });
        }
        strategies.push(Strategy { keys: Keys::Differences, ..plain });
        strategies.push(Strategy { keys: Keys::Branches, ..plain });
        strategies.push(Strategy { drops: Drops::FirstOrLast, ..plain });
    }
    strategies
}

/// A proof with its table of terms.
struct Proof {
    proof: goatherd_certificates::derivation::Proof,
    terms: Vec<Term>,
}

/// Why a strategy has no proof.
enum Attempt {
    Stuck(Stuck),
    Fault(Fault),
}

/// The stack of a search: derivations are trees as deep as the program has branches on one path.
const STACK: usize = 512 << 20;

fn attempt(task: &Task, flow: &Flow, strategy: Strategy, steps: u64, solver: &Arc<Solver>) -> Result<Proof, Attempt> {
    let work = || {
        let arena = Arena::new(&task.program.tables, Budget::new(u64::MAX));
        let mut arena = arena.map_err(|declined| Attempt::Fault(Fault::Hint(declined.into())))?;
        let setting = Setting { program: &task.program, parameters: &task.parameters, k: strategy.k };
        let search = Search::new(&mut arena, setting, flow, strategy, steps, Arc::clone(solver));
        let found = search.run().map_err(Attempt::Stuck)?;
        let hint = |rejection| Attempt::Fault(Fault::Hint(rejection));
        let proof = emit::proof(&mut arena, setting, flow, &found, solver).map_err(hint)?;
        let (terms, proof) = terms::renumber(&arena, &proof).map_err(hint)?;
        Ok(Proof { proof, terms })
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let lost = || Attempt::Fault(Fault::Encoding);
        thread.map_err(|_| lost())?.join().map_err(|_| lost())?
    })
}

/// Has the checker confirm a run that fails: the answer is `Unsafe` or `Unconfirmed`.
pub fn confirm(task: &Task, counterexample: &Counterexample) -> Result<Answer, Fault> {
    let counterexample = Box::new(counterexample.clone());
    let Some(run) = counterexample.certificate.clone() else { return Ok(Answer::Unconfirmed { counterexample, why: None }) };
    match certify(task, Claim::Unsafe, Vec::new(), Evidence::Run(run), Vec::new()) {
        Ok(accepted) => Ok(Answer::Unsafe { accepted, counterexample }),
        Err(Fault::Refused(why)) => Ok(Answer::Unconfirmed { counterexample, why: Some(why) }),
        Err(fault) => Err(fault),
    }
}

/// Writes the certificate and has it checked: once to learn how much memory that takes, then as it is.
fn certify(task: &Task, claim: Claim, terms: Vec<Term>, evidence: Evidence, witnesses: Vec<GroundRun>) -> Result<Accepted, Fault> {
    let statement = Statement { claim, parameters: task.parameters, origin: task.origin.clone(), program: task.program.clone() };
    let mut certificate = Certificate {
        limits: Limits { memory: CHECK_MEMORY },
        statement,
        files: task.files.clone(),
        positions: task.positions.clone(),
        terms,
        evidence,
        witnesses,
    };
    let mut bytes = encode::certificate(&certificate).map_err(|_| Fault::Encoding)?;
    let verdict = goatherd_checker::check(&bytes, CHECK_MEMORY).map_err(Fault::Refused)?;
    // The declared limit is part of the file: leave room for it.
    certificate.limits.memory = (verdict.peak_memory / MEMORY_UNIT + 1) * MEMORY_UNIT;
    bytes = encode::certificate(&certificate).map_err(|_| Fault::Encoding)?;
    let verdict = goatherd_checker::check(&bytes, certificate.limits.memory).map_err(Fault::Refused)?;
    Ok(Accepted { bytes, verdict })
}
