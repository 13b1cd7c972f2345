//! The ways to search for a proof, tried in turn.

use crate::{
    certify::Fault,
    descent::{
        emit,
        folding::{Folds, Merging, States},
        lemmas::Strengthened,
        liveness,
        realisation::Realisation,
        refinement::{Lesson, Refinement},
        search::{Drops, Search, Strategy, Stuck},
        template::{Basis, Keys},
        witnesses,
    },
    progress::Progress,
};
use goatherd_certificates::{
    certificate::Parameters,
    configuration::Sort,
    derivation::{Lemma, Proof},
    program::Program,
    term::Term,
};
use goatherd_checker::{budget::Budget, configuration::Setting, rejection::Rejection, term::Arena};
use goatherd_flow::Flow;
use goatherd_logic::{Solver, terms};
use std::{cell::RefCell, num::NonZeroUsize, sync::Arc, thread};

/// How many steps strategies may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    /// Those that leave out elements of what is walked together, for k up to 2: the most promising, and most fail early if they fail. Blocks of them
    /// may take twice as many.
    pub walked: u64,
    /// All others.
    pub others: u64,
}

/// Following so many rounds of a loop is cheap.
const FEW_ROUNDS: u32 = 2;

impl Steps {
    /// At most so many.
    #[must_use]
    pub fn limited(self, steps: u64) -> Self {
        Self { walked: self.walked.min(steps), others: self.others.min(steps) }
    }

    /// For this strategy.
    pub fn of(self, strategy: Strategy) -> u64 {
        match strategy.drops {
            // Elements with cells of their own tell many templates apart.
            Drops::Walked if strategy.keys == Keys::Witnesses && strategy.k > 1 => self.walked.saturating_mul(2),
            Drops::Walked | Drops::Outer if strategy.k <= FEW_ROUNDS => self.walked,
            // There are many size classes for as many elements as a round takes, and for each choice of integers that are less scapegoats of their own.
            Drops::Blocks | Drops::Ends => self.walked.saturating_mul(2),
            // A way may end or part at, between and behind two nodes, each with what it leads on to on either side; scapegoats take most of the steps.
            Drops::Spare if strategy.k > 1 => self.others.saturating_mul(6),
            // A proof for one round is much smaller than one for two, which would be found before it.
            Drops::Spare => self.others.saturating_mul(2),
            // Where this fails, it mostly does so early.
            Drops::None if strategy.keys == Keys::Heads => self.others.max(self.walked / 4),
            Drops::Walked
            | Drops::Outer
            | Drops::None
            | Drops::First
            | Drops::Joint
            | Drops::Apart
            | Drops::FirstOrLast
            | Drops::Together
            | Drops::Passed
            | Drops::Recent
            | Drops::Rounds => self.others,
        }
    }
}

/// A proof with its table of terms.
pub struct Found {
    /// The proof.
    pub proof: Proof,
    /// What it mentions.
    pub terms: Vec<Term>,
    /// What the search was refined by, from the first one on.
    pub refinements: Vec<Refinement>,
}

/// Why a strategy has no proof.
pub enum Attempt {
    /// It gave up.
    Stuck(Stuck),
    /// A fault of the prover.
    Fault(Fault),
}

impl Attempt {
    /// A derivation that could not be written. What the search has found by other means than hints are found may be beyond these: another strategy may
    /// still find a proof.
    fn without_hint(rejection: Rejection) -> Self {
        match rejection {
            Rejection::NotRefuted => Self::Stuck(Stuck::Unshown),
            rejection => Self::Fault(Fault::Hint(rejection)),
        }
    }
}

/// The stack of a search: derivations are trees as deep as the program has branches on one path.
const STACK: usize = 512 << 20;

/// What all attempts share.
#[derive(Clone, Copy)]
pub struct Reasoning<'a> {
    /// How many strategies are tried at a time.
    pub threads: NonZeroUsize,
    /// Decides what is feasible.
    pub solver: &'a Solver,
    /// Is told what is tried.
    pub progress: &'a Progress,
}

/// Which strategies are tried.
#[derive(Clone, Copy)]
pub enum Part {
    /// Those that fold linked structures, leave out nodes and let scapegoats wait as most proofs do.
    Plain,
    /// Those that make the shapes of trees alike.
    Uniform,
    /// Those that find the states of trees while they search.
    States,
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
}

impl Hunt {
    /// Nothing has been tried.
    pub fn new(strategies: Vec<Strategy>) -> Self {
        let (stuck, spent) = (vec![None; strategies.len()], vec![0; strategies.len()]);
        Self { strategies, stuck, spent }
    }

    /// Executions that searches have ended with: of failures that are feasible without folding.
    pub fn executions(&self) -> impl Iterator<Item = &Realisation> {
        self.stuck.iter().filter_map(|stuck| match stuck {
            Some(Stuck::Failure(failing)) => match &failing.lesson {
                Lesson::Feasible(execution) => execution.as_ref(),
                Lesson::Nothing | Lesson::Predicates(..) => None,
            },
            _ => None,
        })
    }

    /// Tries those strategies that may get further with these budgets.
    pub fn search(
        &mut self,
        steps: Steps,
        part: Part,
        reasoning: Reasoning<'_>,
        attempt: impl Fn(Strategy) -> Result<Found, Attempt> + Sync,
    ) -> Result<Option<(Strategy, Found)>, Fault> {
        let later = match part {
            Part::Plain => self.strategies.iter().position(|strategy| !strategy.is_plain()),
            Part::Promising => self.strategies.iter().position(|strategy| strategy.k > 1),
            Part::Uniform | Part::States | Part::Witnesses | Part::All => None,
        };
        let is_part = |number: &usize| match part {
            Part::Uniform => self.strategies[*number].folds == Folds::Uniform,
            Part::States => self.strategies[*number].merging != Merging::Links,
            Part::Witnesses => self.strategies[*number].keys == Keys::Witnesses,
            Part::Plain | Part::Promising | Part::All => true,
        };
        // The first proves most programs, and alone it is done sooner. Then as many at a time as there are threads; results are taken in
        // order, so that their number changes nothing.
        let is_open = |number: &usize| match self.stuck[*number] {
            None => true,
            Some(Stuck::Budget) => steps.of(self.strategies[*number]) > self.spent[*number],
            Some(_) => false,
        };
        let open: Vec<usize> = (0..later.unwrap_or(self.strategies.len())).filter(is_part).filter(is_open).collect();
        let (first, others) = open.split_at(open.len().min(1));
        for numbers in [first].into_iter().chain(others.chunks(reasoning.threads.get())) {
            let strategies: Vec<Strategy> = numbers.iter().map(|number| self.strategies[*number]).collect();
            reasoning.progress.enter(&strategies);
            let tried = beside_each_other(&strategies, &attempt);
            if let Some(disagreement) = reasoning.solver.disagreement() {
                return Err(Fault::Disagreement(disagreement.clone()));
            }
            for (number, result) in numbers.iter().zip(tried) {
                match result {
                    Ok(proof) => return Ok(Some((self.strategies[*number], proof))),
                    Err(Attempt::Stuck(why)) => {
                        self.stuck[*number] = Some(why);
                        self.spent[*number] = steps.of(self.strategies[*number]);
                    }
                    Err(Attempt::Fault(fault)) => return Err(fault),
                }
            }
        }
        Ok(None)
    }
}

/// Tries the strategies, each on a thread of its own; the results are in their order.
fn beside_each_other(strategies: &[Strategy], attempt: impl Fn(Strategy) -> Result<Found, Attempt> + Sync) -> Vec<Result<Found, Attempt>> {
    let (attempt, lost) = (&attempt, || Err(Attempt::Fault(Fault::Thread)));
    thread::scope(|scope| {
        let start = |strategy: &Strategy| {
            let strategy = *strategy;
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || attempt(strategy))
        };
        let threads: Vec<_> = strategies.iter().map(start).collect();
        threads.into_iter().map(|thread| thread.map_or_else(|_| lost(), |thread| thread.join().unwrap_or_else(|_| lost()))).collect()
    })
}

/// What is to be proved.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// What it is proved under.
    pub parameters: &'a Parameters,
    /// What is known of it beforehand.
    pub flow: &'a Flow,
    /// The sorts of trees that proofs may use.
    pub sorts: &'a [Sort],
}

impl Subject<'_> {
    /// Searches for a proof in this way.
    pub fn attempt(self, strategy: Strategy, steps: Steps, reasoning: Reasoning<'_>) -> Result<Found, Attempt> {
        let mut left = steps.of(strategy);
        if strategy.merging == Merging::Links {
            return self.search(strategy, left, reasoning, None);
        }
        let states = RefCell::new(States::new(self.program, strategy.merging));
        let mut refinements = Vec::new();
        loop {
            let sorts = states.borrow().sorts.clone();
            let subject = Subject { program: self.program, parameters: self.parameters, flow: self.flow, sorts: &sorts };
            match subject.search(strategy, left, reasoning, Some(&states)) {
                Err(Attempt::Stuck(Stuck::Unlisted(steps))) => left = steps,
                Err(Attempt::Stuck(Stuck::Failure(failing))) => {
                    let Lesson::Predicates(head, predicates) = &failing.lesson else { return Err(Attempt::Stuck(Stuck::Failure(failing))) };
                    let learnt = predicates.words_since(&states.borrow().predicates);
                    if learnt.is_empty() {
                        return Err(Attempt::Stuck(Stuck::Failure(failing)));
                    }
                    refinements.push(Refinement { head: *head, learnt });
                    states.replace(States::refined(self.program, strategy.merging, predicates.clone()));
                    left = failing.steps_left;
                }
                Err(attempt) => return Err(attempt),
                Ok(found) => return Ok(Found { refinements, ..found }),
            }
        }
    }

    /// Searches with these sorts, or those of the states that have been found.
    fn search(
        self,
        strategy: Strategy,
        steps: u64,
        Reasoning { solver, progress, .. }: Reasoning<'_>,
        states: Option<&RefCell<States>>,
    ) -> Result<Found, Attempt> {
        let Self { program, parameters, flow, sorts } = self;
        let solver = Arc::new(solver.for_another_arena());
        let arena = Arena::new(&program.tables, Budget::new(u64::MAX));
        let mut arena = arena.map_err(|declined| Attempt::Fault(Fault::Hint(declined.into())))?;
        let setting = Setting { program, parameters, k: strategy.k, sorts };
        let with_witnesses;
        let flow = if (strategy.drops == Drops::None || strategy.keys == Keys::Witnesses) && !flow.is_linked {
            with_witnesses = witnesses::with_witnesses(program, flow, strategy.keys);
            &with_witnesses
        } else {
            flow
        };
        let basis = Basis { setting, flow, direction: strategy.direction, folds: strategy.folds, states };
        let search = Search::new(&mut arena, setting, flow, strategy, steps, Arc::clone(&solver), progress).finding(states);
        let mut found = liveness::without_dead(search.run().map_err(Attempt::Stuck)?);
        let proof = emit::proof(&mut arena, basis, &mut found, &solver).map_err(Attempt::without_hint)?;
        let (terms, proof) = terms::renumber(&arena, &proof).map_err(Attempt::without_hint)?;
        Ok(Found { proof, terms, refinements: Vec::new() })
    }

    /// The same with those lemmas that the strategy can prove: where it is stuck at one, it goes on without that one.
    pub fn attempt_with_lemmas(
        self,
        strategy: Strategy,
        steps: Steps,
        reasoning: Reasoning<'_>,
        lemmas: &[Lemma],
    ) -> Result<Found, Attempt> {
        let mut lemmas = lemmas.to_vec();
        loop {
            let Some(strengthened) = Strengthened::new(self.program, lemmas) else {
                return Err(Attempt::Fault(Fault::Hint(Rejection::Missing)));
            };
            let flow = Flow::new(&strengthened.program);
            let subject = Subject { program: &strengthened.program, flow: &flow, ..self };
            let stuck = match subject.attempt(strategy, steps, reasoning) {
                Err(Attempt::Stuck(Stuck::Failure(failing))) => failing,
                Err(attempt) => return Err(attempt),
                Ok(mut found) => {
                    found.proof.lemmas = strengthened.lemmas;
                    return Ok(found);
                }
            };
            let Some(unproved) = strengthened.lemma(stuck.location).filter(|_| strengthened.lemmas.len() > 1) else {
                return Err(Attempt::Stuck(Stuck::Failure(stuck)));
            };
            lemmas = strengthened.lemmas;
            lemmas.remove(unproved);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Attempt, Fault, Stuck};
    use goatherd_checker::rejection::Rejection;

    #[test]
    fn what_nothing_shows_ends_a_strategy_and_what_the_kernel_refuses_is_a_fault() {
        assert!(matches!(Attempt::without_hint(Rejection::NotRefuted), Attempt::Stuck(Stuck::Unshown)));
        assert!(matches!(Attempt::without_hint(Rejection::Shape), Attempt::Fault(Fault::Hint(Rejection::Shape))));
    }
}
