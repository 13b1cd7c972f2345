//! Which pairs of tests show that each condition of a decision counts by itself, and how to come to those that are missing (MC/DC;
//! `spec/paths.md#conditions`).

use super::{
    certified::Certified,
    decisions::{Evaluation, SourceDecision, decisions},
};
use goatherd_certificates::program::{Location, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Position of a decision, and of one of its evaluations.
type Goal = (usize, usize);

/// What each failure to come to an evaluation counts, in steps of the run that was to be turned there.
const FAILURE: usize = 1_000;

/// What is known of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndependentEffect {
    /// These two tests show that it counts by itself.
    Shown([usize; 2]),
    /// Of each pair of evaluations that would show it, the certified graph excludes one.
    Dead,
    /// No pair was found, and so many turns of runs failed.
    Open(usize),
}

/// What tests have shown of conditions.
pub struct Independence<'a> {
    certified: &'a Certified,
    decisions: Vec<SourceDecision>,
    dead: BTreeSet<Goal>,
    /// By evaluation: the first test with it.
    observed: BTreeMap<Goal, usize>,
    failures: BTreeMap<Goal, usize>,
    /// Runs that may be turned.
    runs: Vec<Vec<Location>>,
    /// Beginnings of runs that were to be found, or are known.
    seen: BTreeSet<Vec<Location>>,
    /// What the last of these was to come to.
    asked: Option<Goal>,
}

impl<'a> Independence<'a> {
    /// Nothing is shown.
    pub fn new(program: &Program, certified: &'a Certified) -> Self {
        let decisions = decisions(program);
        let steps = certified.instruction_steps();
        let is_excluded = |evaluation: &Evaluation| evaluation.way.windows(2).any(|pair| !steps.contains(&(pair[0], pair[1])));
        let goals = decisions.iter().enumerate().flat_map(|(number, decision)| {
            let excluded = decision.evaluations.iter().enumerate().filter(|(_, evaluation)| is_excluded(evaluation));
            excluded.map(move |(position, _)| (number, position)).collect::<Vec<_>>()
        });
        let dead = goals.collect();
        let (observed, failures, seen) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        Self { certified, decisions, dead, observed, failures, runs: Vec::new(), seen, asked: None }
    }

    /// The evaluations on a path.
    fn evaluations_on(&self, path: &[Location]) -> BTreeSet<Goal> {
        let mut goals = BTreeSet::new();
        for (number, SourceDecision { conditions, evaluations }) in self.decisions.iter().enumerate() {
            for (start, _) in path.iter().enumerate().filter(|(_, at)| conditions.first() == Some(at)) {
                let is_taken = |evaluation: &Evaluation| path[start..].starts_with(&evaluation.way);
                goals.extend(evaluations.iter().position(is_taken).map(|position| (number, position)));
            }
        }
        goals
    }

    /// The pairs of evaluations that show a condition of the decision, without those that the graph excludes.
    fn pairs(&self, number: usize, condition: Location) -> Vec<[Goal; 2]> {
        let evaluations =
            || self.decisions[number].evaluations.iter().enumerate().filter(|(position, _)| !self.dead.contains(&(number, *position)));
        let mut pairs = Vec::new();
        for (left, one) in evaluations() {
            let others = evaluations().filter(|(right, other)| left < *right && one.shows(other, condition));
            pairs.extend(others.map(|(right, _)| [(number, left), (number, right)]));
        }
        pairs
    }

    fn effect(&self, number: usize, condition: Location) -> IndependentEffect {
        let pairs = self.pairs(number, condition);
        let test = |goal: &Goal| self.observed.get(goal).copied();
        match pairs.iter().find_map(|[left, right]| Some([test(left)?, test(right)?])) {
            Some(tests) => IndependentEffect::Shown(tests),
            None if pairs.is_empty() => IndependentEffect::Dead,
            None => IndependentEffect::Open(
                pairs.iter().flatten().collect::<BTreeSet<_>>().into_iter().filter_map(|goal| self.failures.get(goal)).sum(),
            ),
        }
    }

    /// By condition, with that of its decision that comes first: what is known of it.
    pub fn effects(&self) -> Vec<(Location, Location, IndependentEffect)> {
        let of_decision = |(number, decision): (usize, &SourceDecision)| {
            let first = decision.conditions.first().copied().unwrap_or_default();
            decision.conditions.iter().map(|condition| (*condition, first, self.effect(number, *condition))).collect::<Vec<_>>()
        };
        self.decisions.iter().enumerate().flat_map(of_decision).collect()
    }

    /// The evaluations that would show conditions of which nothing is shown yet, and have not been observed; how many more each takes to do so.
    fn wanted(&self) -> BTreeMap<Goal, usize> {
        let mut wanted = BTreeMap::new();
        for (number, decision) in self.decisions.iter().enumerate() {
            for condition in &decision.conditions {
                if !matches!(self.effect(number, *condition), IndependentEffect::Open(_)) {
                    continue;
                }
                for pair in self.pairs(number, *condition) {
                    let missing: Vec<Goal> = pair.into_iter().filter(|goal| !self.observed.contains_key(goal)).collect();
                    for goal in &missing {
                        let least = wanted.entry(*goal).or_insert(missing.len());
                        *least = missing.len().min(*least);
                    }
                }
            }
        }
        wanted
    }

    /// Would a test on this path help to show something?
    pub fn needs(&self, path: &[Location]) -> bool {
        let wanted = self.wanted();
        self.evaluations_on(path).iter().any(|goal| wanted.contains_key(goal))
    }

    /// A test on this path, by its number.
    pub fn add(&mut self, path: &[Location], test: usize) {
        for goal in self.evaluations_on(path) {
            self.observed.entry(goal).or_insert(test);
        }
    }

    /// A run that may be turned.
    pub fn turn(&mut self, path: &[Location]) {
        self.runs.push(path.to_vec());
    }

    /// The beginning of a run that is tried next, up to the end of an evaluation that is wanted; none where nothing is, or nothing is left to try.
    pub fn next_beginning(&mut self) -> Option<Vec<Location>> {
        let mut best: Option<(usize, Goal, Vec<Location>)> = None;
        for ((number, position), missing) in self.wanted() {
            let SourceDecision { conditions, evaluations } = &self.decisions[number];
            let failures = self.failures.get(&(number, position)).copied().unwrap_or(0);
            for run in &self.runs {
                for (start, _) in run.iter().enumerate().filter(|(_, at)| conditions.first() == Some(at)) {
                    let score = start + (failures + missing) * FAILURE;
                    if best.as_ref().is_some_and(|(least, ..)| *least <= score) {
                        break;
                    }
                    let path = [&run[..start], &evaluations[position].way].concat();
                    if !self.seen.contains(&path) && self.certified.begins(&path) {
                        best = Some((score, (number, position), path));
                    }
                }
            }
        }
        let (_, goal, path) = best?;
        self.seen.insert(path.clone());
        self.asked = Some(goal);
        Some(path)
    }

    /// There is no run, or none was found, with the last beginning.
    pub fn fail(&mut self) {
        if let Some(goal) = self.asked.take() {
            *self.failures.entry(goal).or_default() += 1;
        }
    }

    /// Is there a condition of which neither is known?
    pub fn is_open(&self) -> bool {
        !self.wanted().is_empty()
    }
}
