//! From a program to a verdict: bounded search for a failing run, then for a proof; either is checked before anybody reads of it.

use crate::{
    counterexample::{self, Counterexample, Findings, Goal},
    descent::{
        emit,
        flow::Flow,
        folding, liveness,
        search::{Drops, Search, Strategy, Stuck},
        strategies::strategies,
    },
    encode,
    progress::Progress,
    solving::{Disagreement, Solver},
    terms,
};
use goatherd_certificates::{
    certificate::{Certificate, Claim, Evidence, GroundRun, Limits, Origin, Parameters, Position, Statement},
    configuration::Sort,
    program::Program,
    term::Term,
};
use goatherd_checker::{
    budget::Budget,
    configuration::Setting,
    error::{Declined, Failure},
    rejection::Rejection,
    term::Arena,
    verdict::Verdict,
};
use std::{
    fmt,
    num::NonZeroUsize,
    sync::Arc,
    thread::{self, available_parallelism},
};

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

/// How many steps strategies may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    /// Those that leave out elements of what is walked together: the most promising, and most fail early if they fail.
    pub walked: u64,
    /// All others.
    pub others: u64,
}

impl Steps {
    /// At most so many.
    fn limited(self, steps: u64) -> Self {
        Self { walked: self.walked.min(steps), others: self.others.min(steps) }
    }

    fn of(self, strategy: Strategy) -> u64 {
        match strategy.drops {
            Drops::Walked | Drops::Outer => self.walked,
            Drops::None | Drops::First | Drops::Joint | Drops::Apart | Drops::FirstOrLast | Drops::Together => self.others,
        }
    }
}

/// How hard to try. All budgets count steps, so that the answer is the same on every machine, with any number of threads.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Interpreter steps of the search for runs that halt, which show that a proof is not vacuous.
    pub witness_runs: u64,
    /// Interpreter steps of the searches for a failing run: one before each budget of the proof strategies is spent, one when no proof was
    /// found.
    pub runs: [u64; 4],
    /// Steps of each proof strategy: all are tried with the first budget, then those that it was too small for with the next, if that is greater.
    pub proof: [Steps; 3],
    /// The greatest k that is tried.
    pub greatest_k: u32,
    /// How many strategies are tried at a time.
    pub threads: NonZeroUsize,
}

impl Effort {
    /// At most so many steps for each strategy and, five times as many, for each of the interpreter's searches but the first.
    #[must_use]
    pub fn limited(self, steps: u64) -> Self {
        let [first, later @ ..] = self.runs;
        let [second, third, last] = later.map(|runs| runs.min(steps.saturating_mul(5)));
        Self { runs: [first, second, third, last], proof: self.proof.map(|budget| budget.limited(steps)), ..self }
    }
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            witness_runs: 60_000,
            runs: [15_000, 1_000_000, 4_000_000, 20_000_000],
            proof: [
                Steps { walked: 400_000, others: 20_000 },
                Steps { walked: 400_000, others: 200_000 },
                Steps { walked: 4_000_000, others: 4_000_000 },
            ],
            greatest_k: 3,
            threads: available_parallelism().unwrap_or(NonZeroUsize::MIN),
        }
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
    /// A thread of the search could not be started, or has not come to its end.
    Thread,
    /// The built-in reasoning and Z3 contradict each other.
    Disagreement(Disagreement),
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hint(rejection) => write!(formatter, "a derivation was found, but not the hints that it needs: {rejection:?}"),
            Self::Refused(failure) => write!(formatter, "the checker refuses the certificate: {failure:?}"),
            Self::Encoding => formatter.write_str("the certificate could not be encoded"),
            Self::Thread => formatter.write_str("a thread of the search could not be started, or has not come to its end"),
            Self::Disagreement(disagreement) => disagreement.fmt(formatter),
        }
    }
}

impl std::error::Error for Fault {}

/// The least memory that a certificate declares, in bytes, and the greatest: the checker needs less than the one for most proofs.
const LEAST_MEMORY: u64 = 1 << 20;
const GREATEST_MEMORY: u64 = 1 << 30;

/// Decides the task, and says meanwhile what it is at.
pub fn prove(task: &Task, effort: Effort, solver: &Solver, progress: &Progress) -> Result<Answer, Fault> {
    let [first_runs, later_runs @ ..] = effort.runs;
    let search = |goal, runs| counterexample::search(&task.program, task.parameters, goal, runs);
    let findings = search(Goal::Failure, first_runs);
    if let Some(counterexample) = smallest(&findings) {
        return confirm(task, counterexample);
    }
    let findings = search(Goal::Witnesses, effort.witness_runs);
    if let Some(counterexample) = smallest(&findings) {
        return confirm(task, counterexample);
    }
    let witnesses: Vec<GroundRun> = findings.witnesses.into_iter().map(|witness| witness.run).collect();
    let flow = Flow::new(&task.program);
    let sorts = folding::sorts(&task.program);
    let all = strategies(&task.program, &flow, effort.greatest_k);
    let mut stuck: Vec<Option<Stuck>> = all.iter().map(|_| None).collect();
    let mut spent = Steps { walked: 0, others: 0 };
    for (steps, runs) in effort.proof.into_iter().zip(later_runs) {
        // The first proves most programs, and alone it is done sooner. Then as many at a time as there are threads; results are taken in
        // order, so that their number changes nothing.
        let has_more = |number: &usize| steps.of(all[*number]) > spent.of(all[*number]);
        let is_open = |number: &usize| match stuck[*number] {
            None => true,
            Some(Stuck::Budget) => has_more(number),
            Some(_) => false,
        };
        let open: Vec<usize> = (0..all.len()).filter(is_open).collect();
        let (first, others) = open.split_at(open.len().min(1));
        for numbers in [first].into_iter().chain(others.chunks(effort.threads.get())) {
            let strategies: Vec<Strategy> = numbers.iter().map(|number| all[*number]).collect();
            let basis = Basis { task, flow: &flow, sorts: &sorts, steps, solver, progress };
            let tried = basis.attempts(&strategies);
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
        spent = steps;
        progress.enter(&[]);
        let findings = search(Goal::Failure, runs);
        if let Some(counterexample) = smallest(&findings) {
            return confirm(task, counterexample);
        }
    }
    Ok(Answer::Unknown { attempts: all.into_iter().zip(stuck.into_iter().flatten()).collect() })
}

/// The counterexample with the fewest steps among those that the checker can replay, or else among all.
fn smallest(findings: &Findings) -> Option<&Counterexample> {
    findings.counterexamples.iter().min_by_key(|counterexample| (counterexample.certificate.is_none(), counterexample.steps))
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

/// What every attempt starts from.
#[derive(Clone, Copy)]
struct Basis<'a> {
    task: &'a Task,
    flow: &'a Flow,
    /// The sorts of trees that proofs may use.
    sorts: &'a [Sort],
    /// Their budgets.
    steps: Steps,
    solver: &'a Solver,
    progress: &'a Progress,
}

impl Basis<'_> {
    /// Tries the strategies beside each other, each on a thread of its own; the results are in their order.
    fn attempts(self, strategies: &[Strategy]) -> Vec<Result<Proof, Attempt>> {
        self.progress.enter(strategies);
        let lost = || Err(Attempt::Fault(Fault::Thread));
        thread::scope(|scope| {
            let start = |strategy: &Strategy| {
                let strategy = *strategy;
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || self.attempt(strategy))
            };
            let threads: Vec<_> = strategies.iter().map(start).collect();
            threads.into_iter().map(|thread| thread.map_or_else(|_| lost(), |thread| thread.join().unwrap_or_else(|_| lost()))).collect()
        })
    }

    fn attempt(self, strategy: Strategy) -> Result<Proof, Attempt> {
        let Self { task, flow, sorts, steps, progress, .. } = self;
        let solver = Arc::new(self.solver.for_another_arena());
        let arena = Arena::new(&task.program.tables, Budget::new(u64::MAX));
        let mut arena = arena.map_err(|declined| Attempt::Fault(Fault::Hint(declined.into())))?;
        let setting = Setting { program: &task.program, parameters: &task.parameters, k: strategy.k, sorts };
        let search = Search::new(&mut arena, setting, flow, strategy, steps.of(strategy), Arc::clone(&solver), progress);
        let found = liveness::without_dead(search.run().map_err(Attempt::Stuck)?);
        let hint = |rejection| Attempt::Fault(Fault::Hint(rejection));
        let proof = emit::proof(&mut arena, setting, &found, &solver).map_err(hint)?;
        let (terms, proof) = terms::renumber(&arena, &proof).map_err(hint)?;
        Ok(Proof { proof, terms })
    }
}

/// Has the checker confirm a run that fails: the answer is `Unsafe` or `Unconfirmed`.
pub fn confirm(task: &Task, counterexample: &Counterexample) -> Result<Answer, Fault> {
    let counterexample = Box::new(counterexample.clone());
    let Some(run) = counterexample.certificate.clone() else { return Ok(Answer::Unconfirmed { counterexample, why: None }) };
    match certify(task, Claim::Unsafe, Vec::new(), Evidence::Run(run), Vec::new()) {
        Ok(accepted) => Ok(Answer::Unsafe { accepted, counterexample }),
        Err(Fault::Refused(Failure::Rejected { rejection: Rejection::Unsupported(_), .. })) => {
            Ok(Answer::Unconfirmed { counterexample, why: None })
        }
        Err(Fault::Refused(why)) => Ok(Answer::Unconfirmed { counterexample, why: Some(why) }),
        Err(fault) => Err(fault),
    }
}

/// Writes the certificate of the task and has it checked.
fn certify(task: &Task, claim: Claim, terms: Vec<Term>, evidence: Evidence, witnesses: Vec<GroundRun>) -> Result<Accepted, Fault> {
    let (origin, program) = (task.origin.clone(), task.program.clone());
    let statement = Statement { claim, parameters: task.parameters, landmarks: Vec::new(), origin, program };
    certify_statement(statement, (task.files.clone(), task.positions.clone()), terms, evidence, witnesses)
}

/// Writes a certificate and has it checked. The memory that it declares is doubled until that is enough for the check.
pub(crate) fn certify_statement(
    statement: Statement,
    (files, positions): (Vec<String>, Vec<Position>),
    terms: Vec<Term>,
    evidence: Evidence,
    witnesses: Vec<GroundRun>,
) -> Result<Accepted, Fault> {
    let mut certificate = Certificate { limits: Limits { memory: LEAST_MEMORY }, statement, files, positions, terms, evidence, witnesses };
    loop {
        let bytes = encode::certificate(&certificate).map_err(|_| Fault::Encoding)?;
        let limit = certificate.limits.memory;
        match goatherd_checker::check(&bytes, limit) {
            Ok(verdict) => return Ok(Accepted { bytes, verdict }),
            Err(Failure::Declined(Declined::Memory { .. })) if limit < GREATEST_MEMORY => certificate.limits.memory = limit * 2,
            Err(failure) => return Err(Fault::Refused(failure)),
        }
    }
}
