//! From a program to a verdict: bounded search for a failing run, then for a proof; either is checked before anybody reads of it.

use crate::{
    approximation::dependence,
    certify::{Accepted, Fault, certify_statement},
    engine::Engines,
    hunt::{Hunt, Part},
    task::Task,
};
use goatherd_certificates::{
    certificate::{Claim, Evidence, GroundRun, Statement},
    derivation::Lemma,
    program::{Location, Program},
    term::Term,
};
use goatherd_checker::{error::Failure, rejection::Rejection};
use goatherd_counterexample::{
    self as counterexample,
    search::{Counterexample, Findings, Goal},
};
use goatherd_descent::{
    Drops, Found, Progress, Realisation, Reasoning, Refinement, Selection, Steps, Strategy, Stuck, Subject, guess_lemmas, sorts, strategies,
};
use goatherd_flow::Flow;
use goatherd_frontend::lower::Lowered;
use goatherd_logic::Solver;
use std::{cell::LazyCell, num::NonZeroUsize, thread::available_parallelism};

/// How hard to try. All budgets count steps, so that the answer is the same on every machine, with any number of threads.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Interpreter steps of the search for runs that halt, which show that a proof is not vacuous.
    pub witness_runs: u64,
    /// Interpreter steps of the searches for a failing run: one beside the first ways to search for a proof, one before each
    /// greater budget of these is spent, one when no proof was found.
    pub runs: [u64; 4],
    /// Steps of each proof strategy: all are tried with the first budget, then those that it was too small for with the next, if that is greater.
    pub proof: [Steps; 3],
    /// The greatest k that is tried.
    pub greatest_k: u32,
    /// How many strategies are tried at a time.
    pub threads: NonZeroUsize,
    /// Whose strategies are tried.
    pub engines: Engines,
    /// Which of these.
    pub selection: Selection,
}

impl Effort {
    /// No search for failing runs, and few steps for each strategy: for one question among several.
    #[must_use]
    pub fn brief(&self) -> Self {
        let first = self.proof[0].limited(BRIEF);
        Self { runs: [0; 4], proof: [first; 3], ..self.clone() }
    }

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
            engines: Engines::default(),
            selection: Selection::default(),
        }
    }
}

/// How many steps each strategy may take of a task that is one among several.
const BRIEF: u64 = 20_000;

/// What came out.
#[derive(Debug)]
pub enum Answer {
    /// Proved: the checker has accepted the certificate.
    Proved {
        /// The certificate.
        accepted: Accepted,
        /// How it was found.
        strategy: Strategy,
        /// What the search was refined by, from the first one on.
        refinements: Vec<Refinement>,
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
        /// Why that is no answer.
        why: Doubt,
    },
    /// Neither was found.
    Unknown {
        /// Why each strategy gave up.
        attempts: Vec<(Strategy, Stuck)>,
    },
}

/// Why a run that fails in the interpreter is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// The kernel's rules do not reach it.
    Beyond,
    /// The kernel rejects it.
    Refused(Failure),
    /// At this instruction it depends on a value of which C says more than the program does.
    Approximate(Location),
}

/// What a proof may not let fail.
#[derive(Clone, Copy)]
enum Assertions {
    /// The program's own.
    Own,
    /// Lemmas too.
    Lemmas,
}

/// Told of a search while it goes on. Whatever it does, the answer is the same.
pub trait Aside {
    /// Nothing so far has decided the task: this is why each strategy that was tried has given up, of the task's own program or of another one that its
    /// source was lowered to.
    fn undecided(&mut self, other: Option<&Lowered>, attempts: &[(Strategy, Stuck)]);

    /// What is quick has been tried: there is time for a part of the task.
    ///
    /// # Errors
    ///
    /// A fault of the prover itself ends the search.
    fn pause(&mut self) -> Result<(), Fault>;
}

/// Nobody is told.
impl Aside for () {
    fn undecided(&mut self, _: Option<&Lowered>, _: &[(Strategy, Stuck)]) {}

    fn pause(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// What is done next about a task.
#[derive(Clone, Copy)]
enum Action {
    /// Whoever waits may do something else.
    Pause,
    /// So many interpreter steps in search of a failing run.
    Run(u64),
    /// So many steps with each of these ways to search for a proof.
    Prove(Steps, Part, Assertions),
}

/// Where linked structures come from.
#[derive(Clone, Copy)]
enum Structures {
    /// The program makes all of them itself, of nothing that comes in.
    Built,
    /// Some come in, or depend on what does.
    Given,
}

/// Where those of the program come from, if it has any.
fn structures(program: &Program, flow: &Flow) -> Option<Structures> {
    flow.is_linked.then_some(if program.inputs.is_empty() { Structures::Built } else { Structures::Given })
}

/// What is done about a task, one after the other, until it is decided.
fn actions(effort: &Effort, structures: Option<Structures>) -> Vec<Action> {
    structures.map_or_else(|| of_arrays(effort), |structures| of_nodes(effort, structures))
}

/// Of the ways to search linked structures, one is quick for most programs, and it is mostly among the first. Those that are not may take longer than
/// all runs before they give up.
fn of_nodes(effort: &Effort, structures: Structures) -> Vec<Action> {
    let [first_runs, second_runs, _, last_runs] = effort.runs;
    let [first, second, third] = effort.proof;
    let first = first.limited(first.others);
    let (quick, more) = (first.limited(QUICK), second.limited(3 * first.others));
    let own = |steps, part| Action::Prove(steps, part, Assertions::Own);
    let mut actions = vec![
        Action::Run(first_runs),
        own(quick, Part::Plain),
        // Where it is the values of nodes that matter, or which children they have, these are done soon, and the others take all their steps.
        own(quick, Part::States),
        own(second, Part::Suited),
        own(first, Part::Plain),
        own(first, Part::States),
        Action::Pause,
        Action::Run(second_runs),
    ];
    actions.extend(match structures {
        // What the program builds of several kinds of nodes, or in several steps, takes more steps too, and no node of an input is left out of it.
        Structures::Built => vec![
            own(quick, Part::All),
            own(first, Part::Structural),
            own(second, Part::Structural),
            own(more, Part::States),
            own(first, Part::All),
            own(second, Part::States),
        ],
        // What is below a rotation takes more steps, but no other way.
        Structures::Given => vec![own(second, Part::Uniform), own(quick, Part::All), own(first, Part::All)],
    });
    actions.extend([
        // What is made of several inputs takes more steps too: each of their nodes may come next.
        own(second, Part::Plain),
        own(more, Part::All),
        Action::Run(last_runs),
        Action::Prove(first, Part::Promising, Assertions::Lemmas),
        own(second, Part::All),
        own(third, Part::All),
    ]);
    actions
}

/// Without linked structures.
fn of_arrays(effort: &Effort) -> Vec<Action> {
    let [first_runs, second_runs, third_runs, last_runs] = effort.runs;
    let [first, second, third] = effort.proof;
    vec![
        Action::Prove(first, Part::Promising, Assertions::Own),
        Action::Run(first_runs),
        Action::Prove(first, Part::Promising, Assertions::Lemmas),
        // A search that was compared with another one is seldom proved without lemmas.
        Action::Prove(first, Part::Witnesses, Assertions::Lemmas),
        Action::Pause,
        Action::Prove(first, Part::All, Assertions::Own),
        Action::Prove(first, Part::All, Assertions::Lemmas),
        Action::Run(second_runs),
        Action::Prove(second, Part::All, Assertions::Own),
        Action::Run(third_runs),
        Action::Prove(third, Part::All, Assertions::Own),
        Action::Run(last_runs),
    ]
}

/// How many steps each way to search linked structures may take at first.
const QUICK: u64 = 3_000;

/// Decides the task, and says meanwhile what it is at.
pub fn prove(task: &Task, effort: &Effort, solver: &Solver, progress: &Progress, aside: &mut dyn Aside) -> Result<Answer, Fault> {
    let findings = counterexample::search(&task.program, task.parameters, Goal::Witnesses, effort.witness_runs);
    if let Some(counterexample) = smallest(task, &findings) {
        return confirm(task, counterexample);
    }
    let witnesses: Vec<GroundRun> = findings.witnesses.into_iter().map(|witness| witness.run).collect();
    let flow = Flow::new(&task.program);
    let sorts = sorts(&task.program, &flow);
    let subject = Subject { program: &task.program, parameters: &task.parameters, flow: &flow, sorts: &sorts };
    let mut ways = strategies(&task.program, &flow, effort.greatest_k);
    ways.retain(|strategy| effort.engines.include(*strategy) && effort.selection.includes(*strategy));
    let mut plain = Hunt::new(ways, effort.threads);
    // Without scapegoats there are no smaller runs that could fail at a lemma.
    let mut strengthened =
        Hunt::new(plain.strategies.iter().copied().filter(|strategy| strategy.drops != Drops::None).collect(), effort.threads);
    let lemmas = LazyCell::new(|| guess_lemmas(&task.program, &flow, task.parameters));
    for action in actions(effort, structures(&task.program, &flow)) {
        let found = match action {
            Action::Pause => {
                aside.pause()?;
                None
            }
            Action::Run(steps) => {
                if let Some(answer) = refute(task, steps, progress)? {
                    return Ok(answer);
                }
                None
            }
            Action::Prove(steps, part, Assertions::Own) => {
                let attempt = |strategy: Strategy, reasoning: Reasoning<'_>| subject.attempt(strategy, steps, reasoning);
                let found = plain.search(steps, part, (solver, progress), attempt, |attempts| aside.undecided(None, attempts))?;
                let run = |Realisation { inputs, choices }: &Realisation| {
                    counterexample::retrace(&task.program, task.parameters, inputs.clone(), choices)
                };
                if found.is_none()
                    && let Some(counterexample) = plain.executions().find_map(run)
                {
                    return confirm(task, &counterexample);
                }
                found
            }
            Action::Prove(.., Assertions::Lemmas) if lemmas.is_empty() => None,
            Action::Prove(steps, part, Assertions::Lemmas) => {
                let lemmas: &[Lemma] = &lemmas;
                let attempt =
                    |strategy: Strategy, reasoning: Reasoning<'_>| subject.attempt_with_lemmas(strategy, steps, reasoning, lemmas);
                // Of the program's own assertions, this says nothing new.
                strengthened.search(steps, part, (solver, progress), attempt, |_| ())?
            }
        };
        if let Some((strategy, Found { proof, terms, refinements })) = found {
            let accepted = certify(task, Claim::Safe, terms, Evidence::Proof(proof), witnesses)?;
            return Ok(Answer::Proved { accepted, strategy, refinements });
        }
    }
    Ok(Answer::Unknown { attempts: plain.attempts() })
}

/// What a run of the task that fails says of it, if so many interpreter steps come to one.
///
/// # Errors
///
/// As [`confirm`].
pub fn refute(task: &Task, steps: u64, progress: &Progress) -> Result<Option<Answer>, Fault> {
    progress.enter(&[]);
    let findings = counterexample::search(&task.program, task.parameters, Goal::Failure, steps);
    smallest(task, &findings).map(|counterexample| confirm(task, counterexample)).transpose()
}

/// The counterexample with the fewest steps among those that C has and the checker can replay, or else among all.
fn smallest<'a>(task: &Task, findings: &'a Findings) -> Option<&'a Counterexample> {
    let doubts = |found: &Counterexample| (task.approximated(found).is_some(), found.certificate.is_none());
    findings.counterexamples.iter().min_by_key(|counterexample| (doubts(counterexample), counterexample.steps))
}

impl Task {
    /// The first instruction at which a run depends on a value of which C says more.
    fn approximated(&self, counterexample: &Counterexample) -> Option<Location> {
        dependence(&self.program, &self.approximate, &counterexample.trace)
    }
}

/// Has the checker confirm a run that fails: the answer is `Unsafe` or `Unconfirmed`.
pub fn confirm(task: &Task, counterexample: &Counterexample) -> Result<Answer, Fault> {
    let counterexample = Box::new(counterexample.clone());
    if let Some(location) = task.approximated(&counterexample) {
        return Ok(Answer::Unconfirmed { counterexample, why: Doubt::Approximate(location) });
    }
    let Some(run) = counterexample.certificate.clone() else { return Ok(Answer::Unconfirmed { counterexample, why: Doubt::Beyond }) };
    match certify(task, Claim::Unsafe, Vec::new(), Evidence::Run(run), Vec::new()) {
        Ok(accepted) => Ok(Answer::Unsafe { accepted, counterexample }),
        Err(Fault::Refused(Failure::Rejected { rejection: Rejection::Unsupported(_), .. })) => {
            Ok(Answer::Unconfirmed { counterexample, why: Doubt::Beyond })
        }
        Err(Fault::Refused(why)) => Ok(Answer::Unconfirmed { counterexample, why: Doubt::Refused(why) }),
        Err(fault) => Err(fault),
    }
}

/// Writes the certificate of the task and has it checked.
fn certify(task: &Task, claim: Claim, terms: Vec<Term>, evidence: Evidence, witnesses: Vec<GroundRun>) -> Result<Accepted, Fault> {
    let (origin, program) = (task.origin.clone(), task.program.clone());
    let statement = Statement { claim, parameters: task.parameters, landmarks: Vec::new(), origin, program };
    certify_statement(statement, (task.files.clone(), task.positions.clone()), terms, evidence, witnesses)
}
