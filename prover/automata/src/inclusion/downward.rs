//! Inclusion from the final states downwards.
//!
//! A goal `(q, P)` claims that every tree that reaches `q` on the left reaches some state of `P` on the right. Goals are believed until they
//! are refuted, and what is believed at the end is true: a greatest fixpoint, computed for the goals that are asked for only. A goal that is
//! believed covers those of the same state with more states; one that is refuted refutes those with fewer. Believing where the simulation
//! says so costs nothing.

use super::{
    answer::{Inclusion, InclusionWitness},
    choice::uncovered_choice,
    problem::Problem,
};
use crate::{
    alphabet::Symbol,
    automaton::{Automaton, State},
    emptiness::smallest_rules,
    index::Index,
    steps::{Exhausted, Steps},
    tree::Tree,
};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// Decides the inclusion.
pub fn search(problem: &Problem, steps: &mut Steps) -> Result<Inclusion, Exhausted> {
    let mut search = Search::new(problem);
    let finals = search.right.finals().clone();
    let mut roots = Vec::new();
    for state in search.left.final_states() {
        roots.push(search.ask(state, finals.clone()));
    }
    loop {
        if let Some(root) = roots.iter().find(|root| search.goals[**root].refutation.is_some()) {
            return Ok(Inclusion::NotIncluded(search.tree(*root)));
        }
        let Some((goal, rule)) = search.waiting.pop_first() else {
            return Ok(Inclusion::Included(InclusionWitness::Covering(search.witness())));
        };
        search.consider(goal, rule, steps)?;
    }
}

#[derive(Debug)]
struct Goal {
    state: State,
    set: FixedBitSet,
    refutation: Option<Refutation>,
}

/// Why a goal is false.
#[derive(Clone, Debug)]
enum Refutation {
    /// No tree reaches a state of the empty set: any tree refutes it.
    Empty,
    /// Trees below this symbol refute goals that were refuted before.
    Rule(Symbol, Vec<usize>),
}

struct Search<'a> {
    problem: &'a Problem,
    left: &'a Automaton,
    right: &'a Automaton,
    left_index: Index,
    right_index: Index,
    goals: Vec<Goal>,
    /// For each state on the left its goals that are believed, and those that are refuted.
    believed: Vec<Vec<usize>>,
    refuted: Vec<Vec<usize>>,
    /// Goals and rules of their states that are to be considered, again where a goal was refuted that they rest on.
    waiting: BTreeSet<(usize, usize)>,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem) -> Self {
        let (left, right) = (&problem.left.automaton, &problem.right.automaton);
        Self {
            problem,
            left,
            right,
            left_index: Index::new(left),
            right_index: Index::new(right),
            goals: Vec::new(),
            believed: vec![Vec::new(); left.state_count()],
            refuted: vec![Vec::new(); left.state_count()],
            waiting: BTreeSet::new(),
        }
    }

    /// Adds a goal that is not covered; believed, unless it is refuted already.
    fn ask(&mut self, state: State, set: FixedBitSet) -> usize {
        let refutation = if set.is_clear() {
            Some(Refutation::Empty)
        } else {
            self.refuter(state, &set).and_then(|refuted| self.goals[refuted].refutation.clone())
        };
        let number = self.goals.len();
        if refutation.is_none() {
            self.believed[state.index()].push(number);
            self.waiting.extend(self.left_index.reaching(state).iter().map(|rule| (number, *rule)));
        }
        self.goals.push(Goal { state, set, refutation });
        number
    }

    /// A refuted goal whose trees refute this one too.
    fn refuter(&self, state: State, set: &FixedBitSet) -> Option<usize> {
        self.refuted[state.index()].iter().copied().find(|refuted| set.is_subset(&self.goals[*refuted].set))
    }

    /// Is the goal true because of the simulation, or believed?
    fn is_covered(&self, state: State, set: &FixedBitSet) -> bool {
        !self.problem.simulation.row(state).is_disjoint(set)
            || self.believed[state.index()].iter().any(|believed| self.goals[*believed].set.is_subset(set))
    }

    /// Looks at one rule of a goal's state: asks for more goals until every choice is covered, or refutes the goal.
    fn consider(&mut self, goal: usize, rule: usize, steps: &mut Steps) -> Result<(), Exhausted> {
        if self.goals[goal].refutation.is_some() || !self.problem.simulation.row(self.goals[goal].state).is_disjoint(&self.goals[goal].set)
        {
            return Ok(());
        }
        let (left, right) = (self.left, self.right);
        let rule = left.rule(rule);
        let set = self.goals[goal].set.clone();
        let others = set.ones().flat_map(|other| self.right_index.reaching(State::new(other))).map(|other| right.rule(*other));
        let tuples: Vec<&[State]> = others.filter(|other| other.symbol == rule.symbol).map(|other| other.children).collect();
        loop {
            steps.take()?;
            let is_covered = |place: usize, chosen: &FixedBitSet| self.is_covered(rule.children[place], chosen);
            let Some(chosen) = uncovered_choice(&tuples, rule.children.len(), right.state_count(), is_covered, steps)? else {
                return Ok(());
            };
            // The place with the most states is the most likely one to be true.
            let places = (0..chosen.len())
                .filter(|place| !chosen[*place].is_clear() && self.refuter(rule.children[*place], &chosen[*place]).is_none());
            if let Some(place) = places.max_by_key(|place| chosen[*place].count_ones(..)) {
                self.ask(rule.children[place], chosen[place].clone());
                continue;
            }
            let refuting = rule.children.iter().zip(chosen).map(|(child, chosen)| self.ask(*child, chosen)).collect();
            self.refute(goal, &Refutation::Rule(rule.symbol, refuting));
            return Ok(());
        }
    }

    /// Refutes a goal, and those with fewer states: whatever may have rested on them is considered again.
    fn refute(&mut self, goal: usize, refutation: &Refutation) {
        let Self { goals, believed, refuted, .. } = self;
        let (state, set) = (goals[goal].state, goals[goal].set.clone());
        believed[state.index()].retain(|other| {
            let is_refuted = goals[*other].set.is_subset(&set);
            if is_refuted {
                goals[*other].refutation = Some(refutation.clone());
            }
            !is_refuted
        });
        refuted[state.index()].retain(|other| !goals[*other].set.is_subset(&set));
        refuted[state.index()].push(goal);
        for occurrence in self.left_index.occurrences(state) {
            let parents = &self.believed[self.left.rule(occurrence.rule).state.index()];
            self.waiting.extend(parents.iter().map(|parent| (*parent, occurrence.rule)));
        }
    }

    /// A tree that refutes a goal.
    fn tree(&self, goal: usize) -> Tree {
        // Vertices are the goals, then the states on the left, whose smallest trees refute goals without states.
        let smallest = smallest_rules(self.left);
        let count = self.goals.len();
        let vertex = |goal: usize| match self.goals[goal].refutation {
            Some(Refutation::Rule(..)) => goal,
            _ => count + self.goals[goal].state.index(),
        };
        Tree::unfold(vertex(goal), |number| {
            if let Some(Some(Refutation::Rule(symbol, children))) = self.goals.get(number).map(|goal| &goal.refutation) {
                return (*symbol, children.iter().map(|child| vertex(*child)).collect());
            }
            let (_, rule) = smallest[number - count].expect("every state of a trimmed automaton has a tree");
            let rule = self.left.rule(rule);
            (rule.symbol, rule.children.iter().map(|child| count + child.index()).collect())
        })
    }

    /// What is believed, with what the simulation shows, as states of the automata that were given.
    fn witness(&self) -> Vec<(State, Vec<State>)> {
        let mut pairs = BTreeSet::new();
        for goal in self.believed.iter().flatten().map(|goal| &self.goals[*goal]) {
            pairs.insert((self.problem.left.origins[goal.state.index()], self.problem.right_origins(&goal.set)));
        }
        // Nothing has to be shown of what no tree reaches.
        pairs.extend(self.problem.unreached.iter().map(|state| (*state, Vec::new())));
        // A simulation is closed as it is, and one state covers every larger set.
        for (q, r) in self.problem.simulation.pairs() {
            pairs.insert((self.problem.left.origins[q.index()], vec![self.problem.right.origins[r.index()]]));
        }
        pairs.into_iter().collect()
    }
}
