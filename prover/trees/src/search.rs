//! The search for an invariant: forward, depth first, with an abstraction that is refined until it suffices.

use crate::{
    abstraction::Abstraction,
    blame::{self, Blame},
    frame::{Frame, counted, is_included},
    model::Model,
    options::{Options, Places, Repair},
    trace::{self, Trace},
};
use goatherd_automata::{
    automaton::Automaton,
    emptiness, product,
    reduction::reduce,
    steps::{Exhausted, Steps},
    trim::trim,
};
use std::{collections::BTreeSet, rc::Rc};

/// What came out.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The configuration sets of the lines are an invariant without bad trees.
    Invariant(Vec<Automaton>),
    /// A run leads from Init to Bad.
    Error(Trace),
    /// Neither was found.
    Undecided(Reason),
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The bound on steps was met.
    Steps,
    /// A set is blamed that was blamed before, and that the abstraction did not bring in: no refinement excludes it.
    Cycle {
        /// The round in which it was blamed, from 1.
        round: usize,
    },
    /// A tree of the counterexample has too many nodes to be written down.
    Size,
}

/// A round: a search with one abstraction.
#[derive(Clone, Debug)]
pub struct Round {
    /// How fine the abstraction was: predicates, or height.
    pub abstraction: usize,
    /// How many configuration sets were computed.
    pub sets: usize,
    /// The configuration set of each line at its end.
    pub reached: Vec<Automaton>,
    /// The lines of the frames from the root to the bad configuration; empty if there was none.
    pub path: Vec<usize>,
    /// What the abstraction was then refined by.
    pub blame: Option<Blame>,
}

/// A search as far as it got.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What came out.
    pub answer: Answer,
    /// The rounds.
    pub rounds: Vec<Round>,
    /// How many steps were taken.
    pub steps: u64,
}

/// Searches a model. `observe` is told of every round when it ends.
pub fn search(model: &Model, options: &Options, observe: &mut dyn FnMut(&Round)) -> Outcome {
    let places = match options.places {
        Places::EveryLine => (0..model.lines.len()).collect(),
        Places::LoopHeads => model.loop_heads(),
    };
    let mut search = Search { model, options, places, steps: Steps::at_most(options.steps), rounds: Vec::new(), observe };
    let answer = search.run().unwrap_or(Answer::Undecided(Reason::Steps));
    Outcome { answer, rounds: search.rounds, steps: search.steps.taken() }
}

struct Search<'a> {
    model: &'a Model,
    options: &'a Options,
    places: BTreeSet<usize>,
    steps: Steps,
    rounds: Vec<Round>,
    observe: &'a mut dyn FnMut(&Round),
}

impl Search<'_> {
    /// Rounds until there is an answer (the paper's Fig. 2, whose `until` is to be read with `=`).
    fn run(&mut self) -> Result<Answer, Exhausted> {
        let Options { kind, scope, .. } = *self.options;
        let mut abstraction = Abstraction::new(kind, scope, self.model.lines.iter().map(|line| &line.bad.value));
        let mut sets = self.nothing();
        loop {
            if self.has(Repair::FreshRounds) {
                sets = self.nothing();
            }
            self.rounds.push(Round { abstraction: abstraction.size(), sets: 0, reached: Vec::new(), path: Vec::new(), blame: None });
            let found = self.forward(&abstraction, &mut sets);
            let round = self.rounds.len() - 1;
            self.rounds[round].reached = sets.iter().map(|set| Automaton::clone(set)).collect();
            let Some((frames, bad)) = found? else {
                return Ok(Answer::Invariant(sets.iter().map(|set| Automaton::clone(set)).collect()));
            };
            self.rounds[round].path = frames.iter().map(|frame| frame.line).collect();
            let analysis = blame::backward(self.model, self.options, &frames, &sets, bad, &mut self.steps)?;
            if let Some(initial) = analysis.initial {
                return Ok(match trace::extract(self.model, &initial, &analysis.layers, &mut self.steps)? {
                    Some(trace) => Answer::Error(trace),
                    None => Answer::Undecided(Reason::Size),
                });
            }
            let Some(blame) = analysis.blame else { return Ok(Answer::Undecided(Reason::Cycle { round: round + 1 })) };
            let before = self.blamed_before(&blame)?;
            let refined = blame.clone();
            self.rounds[round].blame = Some(blame);
            (self.observe)(&self.rounds[round]);
            if let Some(before) = before.filter(|_| !refined.is_abstraction) {
                return Ok(Answer::Undecided(Reason::Cycle { round: before }));
            }
            abstraction.refine(&refined.set, refined.line);
        }
    }

    fn has(&self, repair: Repair) -> bool {
        !self.options.without.contains(&repair)
    }

    /// No configurations at any line.
    fn nothing(&self) -> Vec<Rc<Automaton>> {
        let nothing = Rc::new(Automaton::empty());
        self.model.lines.iter().map(|_| Rc::clone(&nothing)).collect()
    }

    /// The round in which the same trees were blamed at the same line.
    fn blamed_before(&mut self, blame: &Blame) -> Result<Option<usize>, Exhausted> {
        for (number, round) in self.rounds.iter().enumerate() {
            if let Some(earlier) = round.blame.as_ref().filter(|earlier| earlier.line == blame.line)
                && is_included(&earlier.set, &blame.set, &mut self.steps)?
                && is_included(&blame.set, &earlier.set, &mut self.steps)?
            {
                return Ok(Some(number + 1));
            }
        }
        Ok(None)
    }

    /// Visits lines depth first (the paper's Fig. 3, whose line 3 is to be read with `not empty`). The frames at which bad trees were met, and
    /// these trees; none where the sets are closed without.
    fn forward(&mut self, abstraction: &Abstraction, sets: &mut [Rc<Automaton>]) -> Result<Option<(Vec<Frame>, Automaton)>, Exhausted> {
        let root = Rc::new(self.model.initial.value.clone());
        let set = if self.has(Repair::ExactRoot) { Rc::clone(&root) } else { Rc::new(self.abstracted(abstraction, &root, 0)?) };
        let tested = if self.has(Repair::AbstractedBad) { Rc::clone(&set) } else { Rc::clone(&root) };
        let mut frames = Vec::new();
        let mut visit = Some((Frame { line: 0, set, exact: root, taken: 0 }, tested));
        loop {
            if let Some((frame, tested)) = visit.take() {
                let bad = self.intersection(&tested, &self.model.lines[frame.line].bad.value)?;
                sets[frame.line] = Rc::clone(&frame.set);
                frames.push(frame);
                if let Some(round) = self.rounds.last_mut() {
                    round.sets += 1;
                }
                if !emptiness::is_empty(&bad) {
                    return Ok(Some((frames, bad)));
                }
            }
            let Some(frame) = frames.last_mut() else { return Ok(None) };
            let Some(action) = self.model.lines[frame.line].actions.get(frame.taken) else {
                frames.pop();
                continue;
            };
            frame.taken += 1;
            let new = trim(&counted(&mut self.steps, action.transducer.value.image(&frame.set).automaton)?).automaton;
            let known = &sets[action.next];
            if is_included(&new, known, &mut self.steps)? {
                continue;
            }
            let exact = reduce(&counted(&mut self.steps, product::union(known, &new))?);
            let set = Rc::new(self.abstracted(abstraction, &exact, action.next)?);
            let tested = if self.has(Repair::AbstractedBad) { Rc::clone(&set) } else { Rc::new(new) };
            visit = Some((Frame { line: action.next, set, exact: Rc::new(exact), taken: 0 }, tested));
        }
    }

    fn abstracted(&mut self, abstraction: &Abstraction, set: &Automaton, line: usize) -> Result<Automaton, Exhausted> {
        if !self.places.contains(&line) {
            return Ok(set.clone());
        }
        Ok(reduce(&counted(&mut self.steps, abstraction.apply(set, line))?))
    }

    fn intersection(&mut self, left: &Automaton, right: &Automaton) -> Result<Automaton, Exhausted> {
        Ok(trim(&counted(&mut self.steps, product::intersection(left, right).automaton)?).automaton)
    }
}
