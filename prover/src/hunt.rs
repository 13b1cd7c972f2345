//! The ways to search for a proof, tried in turn.

use crate::certify::Fault;
use goatherd_descent::{Attempt, Folds, Found, Keys, Lesson, Merging, Progress, Realisation, Reasoning, Steps, Strategy, Stuck};
use goatherd_logic::Solver;
use std::{
    num::NonZeroUsize,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

/// The stack of a search: derivations are trees as deep as the program has branches on one path.
const STACK: usize = 512 << 20;

/// Which strategies are tried.
#[derive(Clone, Copy)]
pub enum Part {
    /// Those that fold linked structures, leave out nodes and let scapegoats wait as most proofs do.
    Plain,
    /// Those that come first since the form of the program asks for them.
    Suited,
    /// Those that make the shapes of trees alike.
    Uniform,
    /// Those that find the states of trees while they search.
    States,
    /// Those that fold linked structures otherwise than most proofs do, leave out nothing, and tell nothing apart by what nodes hold.
    Structural,
    /// Those before the first for two rounds of a loop.
    Promising,
    /// Those that keep witnesses beside scapegoats.
    Witnesses,
    /// All.
    All,
}

/// Ways to search for a proof, and what has come of them.
pub struct Hunt {
    /// The most promising first.
    pub strategies: Vec<Strategy>,
    /// Why each gave up; none where it has not been tried.
    pub stuck: Vec<Option<Stuck>>,
    /// How many steps have been too few for each.
    spent: Vec<u64>,
    /// How many are tried at a time.
    threads: NonZeroUsize,
}

impl Hunt {
    /// Nothing has been tried.
    pub fn new(strategies: Vec<Strategy>, threads: NonZeroUsize) -> Self {
        let (stuck, spent) = (vec![None; strategies.len()], vec![0; strategies.len()]);
        Self { strategies, stuck, spent, threads }
    }

    /// The strategies that have been tried, and why each gave up.
    pub fn attempts(&self) -> Vec<(Strategy, Stuck)> {
        let of_tried = |(strategy, stuck): (&Strategy, &Option<Stuck>)| Some((*strategy, stuck.clone()?));
        self.strategies.iter().zip(&self.stuck).filter_map(of_tried).collect()
    }

    /// Executions that searches have ended with: of failures that are feasible without folding.
    pub fn executions(&self) -> impl Iterator<Item = &Realisation> {
        self.stuck.iter().filter_map(|stuck| match stuck {
            Some(Stuck::Failure(failing)) => match &failing.lesson {
                Lesson::Feasible(execution) => execution.as_ref(),
                Lesson::Nothing | Lesson::Predicates(..) | Lesson::Inequalities(..) => None,
            },
            _ => None,
        })
    }

    /// Tries those strategies that may get further with these budgets, and tells each time what has come of all, since a limit may end the process.
    pub fn search(
        &mut self,
        steps: Steps,
        part: Part,
        (solver, progress): (&Solver, &Progress),
        attempt: impl Fn(Strategy, Reasoning<'_>) -> Result<Found, Attempt> + Sync,
        mut tell: impl FnMut(&[(Strategy, Stuck)]),
    ) -> Result<Option<(Strategy, Found)>, Fault> {
        let later = match part {
            Part::Plain => self.strategies.iter().position(|strategy| !strategy.is_plain()),
            Part::Suited => self.strategies.iter().position(|strategy| !strategy.is_suited()),
            Part::Promising => self.strategies.iter().position(|strategy| strategy.k > 1),
            Part::Uniform | Part::States | Part::Structural | Part::Witnesses | Part::All => None,
        };
        let is_part = |number: &usize| match part {
            Part::Uniform => self.strategies[*number].folds == Folds::Uniform,
            Part::States => self.strategies[*number].merging != Merging::Links,
            Part::Structural => self.strategies[*number].is_structural(),
            Part::Witnesses => self.strategies[*number].keys == Keys::Witnesses,
            Part::Plain | Part::Suited | Part::Promising | Part::All => true,
        };
        // The first proves most programs, and alone it is done sooner, but for those that take all of their steps. Then as many at a time as there
        // are threads; results are taken in order, so that their number changes nothing.
        let is_open = |number: &usize| match self.stuck[*number] {
            None => true,
            Some(Stuck::Budget) => steps.of(self.strategies[*number]) > self.spent[*number],
            Some(_) => false,
        };
        let mut open: Vec<usize> = (0..later.unwrap_or(self.strategies.len())).filter(is_part).filter(is_open).collect();
        if matches!(part, Part::Structural) {
            // Where nodes branch, those by shapes take all of their steps, and these seldom do.
            open.sort_by_key(|number| self.strategies[*number].merging != Merging::Trees);
        }
        let (first, others) = open.split_at(open.len().min(usize::from(!matches!(part, Part::Structural))));
        for numbers in [first].into_iter().chain(others.chunks(self.threads.get())) {
            let strategies: Vec<Strategy> = numbers.iter().map(|number| self.strategies[*number]).collect();
            progress.enter(&strategies);
            let tried =
                beside_each_other(&strategies, |strategy, superseded| attempt(strategy, Reasoning { solver, progress, superseded }));
            if let Some(disagreement) = solver.disagreement() {
                return Err(Fault::Disagreement(disagreement.clone()));
            }
            for (number, result) in numbers.iter().zip(tried) {
                match result? {
                    Ok(proof) => return Ok(Some((self.strategies[*number], proof))),
                    Err(Attempt::Stuck(why)) => {
                        self.stuck[*number] = Some(why);
                        self.spent[*number] = steps.of(self.strategies[*number]);
                    }
                    Err(Attempt::Unhinted(rejection)) => return Err(Fault::Hint(rejection)),
                }
            }
            tell(&self.attempts());
        }
        Ok(None)
    }
}

/// Tries the strategies, each on a thread of its own; the results are in their order. Where one finds a proof, those behind it are ended: what becomes
/// of them is not looked at.
fn beside_each_other(
    strategies: &[Strategy],
    attempt: impl Fn(Strategy, &AtomicBool) -> Result<Found, Attempt> + Sync,
) -> Vec<Result<Result<Found, Attempt>, Fault>> {
    let attempt = &attempt;
    let superseded: Vec<AtomicBool> = strategies.iter().map(|_| AtomicBool::new(false)).collect();
    let superseded = &superseded;
    thread::scope(|scope| {
        let start = |(strategy, number): (&Strategy, usize)| {
            let (strategy, behind) = (*strategy, number + 1);
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let found = attempt(strategy, &superseded[number]);
                if found.is_ok() {
                    superseded.iter().skip(behind).for_each(|other| other.store(true, Ordering::Relaxed));
                }
                found
            })
        };
        let threads: Vec<_> = strategies.iter().zip(0..).map(start).collect();
        threads.into_iter().map(|thread| thread.ok().and_then(|thread| thread.join().ok()).ok_or(Fault::Thread)).collect()
    })
}
