//! One way to search for a proof, tried: from a program to a proof with its table of terms.

use crate::{
    proof::{self as emit, liveness},
    search::{
        focus::{foci, within},
        lemmas::Strengthened,
        lesson::{Lesson, Refinement},
        progress::Progress,
        state::Search,
        stuck::Stuck,
        witnesses,
    },
    state::{
        folding::states::{Merging, States},
        template::{basis::Basis, key::Keys},
        wanted::Wanted,
    },
    ways::{
        steps::Steps,
        strategy::{Cells, Drops, Strategy},
    },
};
use goatherd_certificates::{
    certificate::Parameters,
    configuration::Sort,
    derivation::{Lemma, Proof},
    program::Program,
    term::Term,
};
use goatherd_checker::{budget::Budget, configuration::Setting, rejection::Rejection, term::Arena};
use goatherd_flow::{
    Flow,
    small::{INTEGER_CELLS, longest_small_array},
};
use goatherd_logic::{Solver, terms};
use std::{
    cell::RefCell,
    collections::BTreeMap,
    sync::{Arc, atomic::AtomicBool},
};

/// After how many lessons on what is wanted at a loop a search is not tried again.
const LESSONS: usize = 12;
/// After how many steps it is not tried again either, so that cost grows with the work: with all of them sixteen decisions in a row took 7.8 times as many
/// as eight.
const SHORT: u64 = 5_000;

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
    /// The search has found a derivation for which no hint could be written: a fault of the prover.
    Unhinted(Rejection),
}

impl Attempt {
    /// A derivation that could not be written. What the search has found by other means than hints are found may be beyond these: another strategy may
    /// still find a proof.
    fn without_hint(rejection: Rejection) -> Self {
        match rejection {
            Rejection::NotRefuted => Self::Stuck(Stuck::Unshown),
            rejection => Self::Unhinted(rejection),
        }
    }

    /// The same, of the program without the lemmas: where one of these has moved a failure, or fails, that is where it was, or stands.
    fn at_own_instruction(self, strengthened: &Strengthened) -> Self {
        match self {
            Self::Stuck(Stuck::Failure(mut failing)) => {
                failing.location = strengthened.own(failing.location);
                Self::Stuck(Stuck::Failure(failing))
            }
            attempt => attempt,
        }
    }
}

/// What all attempts share.
#[derive(Clone, Copy)]
pub struct Reasoning<'a> {
    /// Decides what is feasible.
    pub solver: &'a Solver,
    /// Is told what is tried.
    pub progress: &'a Progress,
    /// Is set once a way that is preferred has found a proof: what this one would find is not wanted any more.
    pub superseded: &'a AtomicBool,
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
        if strategy.keys.have_focus() {
            return self.attempt_with_focus(strategy, left, reasoning);
        }
        if strategy.merging == Merging::Links {
            return self.search(strategy, left, reasoning, None);
        }
        let states = RefCell::new(States::new(self.program, self.flow, strategy.merging, strategy.bounds));
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
                    states.replace(States::refined(self.program, self.flow, strategy.merging, strategy.bounds, predicates.clone()));
                    left = failing.steps_left;
                }
                Err(attempt) => return Err(attempt),
                Ok(mut found) => {
                    refinements.append(&mut found.refinements);
                    return Ok(Found { refinements, ..found });
                }
            }
        }
    }

    /// Searches with these sorts, or those of the states that have been found; what a failure has shown to be wanted at a loop the next search tries to
    /// keep there.
    fn search(self, strategy: Strategy, steps: u64, reasoning: Reasoning<'_>, states: Option<&RefCell<States>>) -> Result<Found, Attempt> {
        let (mut wanted, mut refinements, mut left) = (Wanted::default(), Vec::new(), steps);
        loop {
            match self.search_once(strategy, left, reasoning, (states, &wanted)) {
                Err(Attempt::Stuck(Stuck::Failure(failing))) => {
                    let Lesson::Inequalities(inequalities) = &failing.lesson else { return Err(Attempt::Stuck(Stuck::Failure(failing))) };
                    let is_short = steps.saturating_sub(failing.steps_left) < SHORT;
                    let new = if is_short && refinements.len() < LESSONS { wanted.learn(inequalities) } else { BTreeMap::new() };
                    if new.is_empty() {
                        return Err(Attempt::Stuck(Stuck::Failure(failing)));
                    }
                    refinements.extend(new.into_iter().map(|(head, inequalities)| {
                        let learnt = inequalities.iter().map(|inequality| inequality.words(self.program)).collect();
                        Refinement { head, learnt }
                    }));
                    left = failing.steps_left;
                }
                Err(attempt) => return Err(attempt),
                Ok(found) => return Ok(Found { refinements, ..found }),
            }
        }
    }

    /// Searches once.
    fn search_once(
        self,
        strategy: Strategy,
        steps: u64,
        Reasoning { solver, progress, superseded }: Reasoning<'_>,
        (states, wanted): (Option<&RefCell<States>>, &Wanted),
    ) -> Result<Found, Attempt> {
        let Self { program, parameters, flow, sorts } = self;
        let solver = Arc::new(solver.for_another_arena());
        let arena = Arena::new(&program.tables, Budget::new(u64::MAX));
        let mut arena = arena.map_err(|declined| Attempt::Unhinted(declined.into()))?;
        let small = longest_small_array(program).filter(|_| strategy.cells == Cells::Small);
        let cells = small.map_or(strategy.k, |length| strategy.k.max(length).min(INTEGER_CELLS));
        let setting = Setting { program, parameters, k: cells, sorts };
        let (with_witnesses, with_modes);
        let flow = if (strategy.drops == Drops::None || strategy.keys == Keys::Witnesses) && !flow.is_linked {
            let mut known = witnesses::with_witnesses(program, flow, strategy.keys);
            known.told_apart = small;
            with_witnesses = known;
            &with_witnesses
        } else if strategy.keys == Keys::Modes {
            let mut known = flow.clone();
            known.modes = flow.modes(program);
            with_modes = known;
            &with_modes
        } else {
            flow
        };
        let basis = Basis {
            setting,
            flow,
            lengths: strategy.lengths,
            direction: strategy.direction,
            folds: strategy.folds,
            states,
            wanted: Some(wanted),
        };
        let search = Search::new(&mut arena, setting, flow, strategy, steps, Arc::clone(&solver), (progress, superseded))
            .finding(states)
            .wanting(wanted);
        let mut found = liveness::without_dead(search.run().map_err(Attempt::Stuck)?);
        let proof = emit::proof(&mut arena, basis, &mut found, &solver).map_err(Attempt::without_hint)?;
        let (terms, proof) = terms::renumber(&arena, &proof).map_err(Attempt::without_hint)?;
        Ok(Found { proof, terms, refinements: Vec::new() })
    }

    /// Asks about one element: about the one that the program itself asks about, if there is one, and then of failures that are about an element only those
    /// where that is the one that comes in.
    fn attempt_with_focus(self, strategy: Strategy, steps: u64, reasoning: Reasoning<'_>) -> Result<Found, Attempt> {
        let mut stuck = Stuck::Unshown;
        if !self.flow.focus.registers.is_empty() {
            match self.search(strategy, steps, reasoning, None) {
                Err(Attempt::Stuck(why)) => stuck = why,
                found => return found,
            }
        }
        let within = within(self.program);
        let foci = Strengthened::new(self.program, within.clone()).map(|bounded| foci(&bounded.program)).unwrap_or_default();
        let lemmas = within.into_iter().chain(foci.iter().map(|(lemma, ..)| *lemma)).collect();
        let Some(strengthened) = Strengthened::new(self.program, lemmas) else {
            return Err(Attempt::Unhinted(Rejection::Missing));
        };
        let mut flow = Flow::new(&strengthened.program);
        flow.focus.ask(foci.iter().map(|(_, register, failure)| (*register, *failure)));
        if flow.focus.registers.is_empty() {
            return Err(Attempt::Stuck(stuck));
        }
        let subject = Subject { program: &strengthened.program, flow: &flow, ..self };
        match subject.search(strategy, steps, reasoning, None) {
            // With more steps the first may get further.
            Err(Attempt::Stuck(_)) if matches!(stuck, Stuck::Budget) => Err(Attempt::Stuck(stuck)),
            Err(attempt) => Err(attempt.at_own_instruction(&strengthened)),
            Ok(found) => Ok(Found { proof: Proof { lemmas: strengthened.lemmas, ..found.proof }, ..found }),
        }
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
                return Err(Attempt::Unhinted(Rejection::Missing));
            };
            let flow = Flow::new(&strengthened.program);
            let subject = Subject { program: &strengthened.program, flow: &flow, ..self };
            let stuck = match subject.attempt(strategy, steps, reasoning) {
                Err(Attempt::Stuck(Stuck::Failure(failing))) => failing,
                Err(attempt) => return Err(attempt),
                Ok(mut found) => {
                    found.proof.lemmas.splice(0..0, strengthened.lemmas);
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
    use super::Attempt;
    use crate::search::stuck::Stuck;
    use goatherd_checker::rejection::Rejection;

    #[test]
    fn what_nothing_shows_ends_a_strategy_and_what_the_kernel_refuses_is_a_fault() {
        assert!(matches!(Attempt::without_hint(Rejection::NotRefuted), Attempt::Stuck(Stuck::Unshown)));
        assert!(matches!(Attempt::without_hint(Rejection::Shape), Attempt::Unhinted(Rejection::Shape)));
    }
}
