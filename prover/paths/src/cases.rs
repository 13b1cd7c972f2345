//! Explanations by cases (`spec/paths.md#cases`): where no conjunction of literals explains why a path is infeasible, or where there would be
//! ever longer sums, it may be infeasible for one reason where a bound holds, and for another where it does not.

use crate::{
    explain::{Explanation, Lessons, Preference, Step, Unexplained, run},
    symbolic::{Configuration, Explorer},
};
use goatherd_logic::paths::differences::difference;
use goatherd_systems::{
    literal::{Literal, Term, Variable, negated},
    lts::{Location, index},
};

/// Bounds that are told apart on one path, one within the other, and how many are tried for each.
const DEPTH: usize = 2;
const CANDIDATES: usize = 4;

/// So many sums of the same variables are growing, if they have coefficients beside 1.
const SUMS: usize = 3;

impl Explanation<'_> {
    /// The explanations of both cases of some bound, by cases in turn if need be.
    pub(super) fn by_cases(
        &self,
        explorer: &mut Explorer<'_>,
        configurations: &[Configuration],
        steps: &[Step],
    ) -> Result<Lessons, Unexplained> {
        Explanation { preference: Preference::Bounds, ..*self }.by_cases_of(explorer, configurations, steps, DEPTH)
    }

    fn by_cases_of(
        &self,
        explorer: &mut Explorer<'_>,
        configurations: &[Configuration],
        steps: &[Step],
        depth: usize,
    ) -> Result<Lessons, Unexplained> {
        if self.meter.is_exhausted() {
            return Err(Unexplained);
        }
        let depth = depth.checked_sub(1).ok_or(Unexplained)?;
        let left = self.attempts.get().checked_sub(1).ok_or(Unexplained)?;
        self.attempts.set(left);
        for (position, bound) in self.candidates(configurations, steps) {
            let halves = [bound.clone(), bound.opposite()?].map(|case| {
                let steps = [&steps[..position], &[Step::Case(case)], &steps[position..]].concat();
                let configurations = run(explorer, configurations[0].clone(), &steps)?;
                if configurations.len() > steps.len() {
                    return Err(Unexplained);
                }
                match self.backwards(&configurations, &steps) {
                    Ok(literals) if !self.is_growing(&literals) => Ok(Lessons { literals, splits: Vec::new() }),
                    _ => self.by_cases_of(explorer, &configurations, &steps, depth),
                }
            });
            if let [Ok(mut lessons), Ok(other)] = halves {
                lessons.literals.extend(other.literals);
                lessons.splits.extend(other.splits);
                lessons.splits.push((configurations[position].location, bound));
                return Ok(lessons);
            }
        }
        Err(Unexplained)
    }

    /// Bounds of which it is open whether they hold, and the position of the step before which they may be told apart: those beside
    /// disequalities that are tracked there, those that would refute the last edge, those beside other disequalities.
    fn candidates(&self, configurations: &[Configuration], steps: &[Step]) -> Vec<(usize, Literal)> {
        let mut candidates: Vec<(usize, Literal)> = Vec::new();
        let mut add = |position: usize, bound: Literal| {
            let at: &Configuration = &configurations[position];
            let is_open = bound.opposite().is_ok_and(|opposite| !at.entails(&bound) && !at.entails(&opposite));
            if is_open && candidates.len() < CANDIDATES && !candidates.iter().any(|(_, other)| *other == bound) {
                candidates.push((position, bound));
            }
        };
        // Before the first step there is nothing that a case could be told by.
        let positions = || (1..configurations.len()).filter(|position| matches!(steps[*position], Step::Edge(_)));
        let below = |term: &Term, value: i128| Literal::at_most(term.clone(), value.saturating_sub(1));
        for position in positions() {
            let tracked = &self.precisions[index(configurations[position].location)].disequalities;
            let mut tracked: Vec<&(Term, i128)> = tracked.iter().collect();
            tracked.sort_by_key(|(term, value)| (term.len(), value.unsigned_abs()));
            for (term, value) in tracked {
                if configurations[position].entails(&Literal::Differs(term.clone(), *value)) {
                    add(position, below(term, *value));
                }
            }
        }
        if let Some(position) = positions().next_back()
            && let Step::Edge(edge) = &steps[position]
        {
            for literal in &self.lts.edges[*edge].guard {
                if let Literal::AtMost(term, bound) = literal {
                    add(position, Literal::at_most(negated(term), bound.saturating_neg().saturating_sub(1)));
                }
            }
        }
        for position in positions() {
            let homes = configurations[position].homes();
            for (term, value) in configurations[position].facts.disequalities() {
                if term.iter().all(|(symbol, _)| homes.contains_key(symbol))
                    && let Ok(Literal::Differs(term, value)) = Literal::differs(term.clone(), *value).substitute(&homes)
                {
                    add(position, below(&term, value));
                }
            }
        }
        candidates
    }

    /// Would any of these be one more of ever longer sums?
    pub(super) fn is_growing(&self, literals: &[(Location, Literal)]) -> bool {
        literals.iter().any(|(location, literal)| self.is_growing_sum(*location, literal.term()))
    }

    /// Are there sums of the same variables already, with coefficients of their own?
    fn is_growing_sum(&self, location: Location, term: &[(Variable, i128)]) -> bool {
        let is_sum = |term: &[(Variable, i128)]| term.len() > 1 && term.iter().any(|(_, coefficient)| coefficient.abs() > 1);
        if !is_sum(term) {
            return false;
        }
        let precision = &self.precisions[index(location)];
        let variables = |term: &[(Variable, i128)]| term.iter().map(|(variable, _)| *variable).collect::<Vec<_>>();
        let own = variables(term);
        let tracked = precision.thresholds.keys().chain(precision.disequalities.iter().map(|(term, _)| term));
        let mut sums: Vec<&Term> = tracked.filter(|other| is_sum(other) && **other != term && variables(other) == own).collect();
        sums.dedup();
        sums.len() + 1 >= SUMS
    }

    /// Where a bound would be one more of ever longer sums, or bounds of summands are preferred: these, as weak as they may be.
    pub(super) fn bounds_of_growing_sum(&self, at: &Configuration, literal: &Literal) -> Option<Vec<Literal>> {
        let Literal::AtMost(term, bound) = literal else { return None };
        let is_preferred = self.preference == Preference::Bounds && term.len() > 1 && difference(term).is_none();
        if !is_preferred && !self.is_growing_sum(at.location, term) {
            return None;
        }
        let mut slack = *bound;
        let mut parts = Vec::new();
        // Variables without a bound go in pairs.
        let mut unbounded: Vec<(Variable, i128)> = Vec::new();
        for (variable, coefficient) in term {
            let mut part = vec![(*variable, coefficient.signum())];
            if at.greatest(&part).is_none() {
                let Some(other) = unbounded.iter().position(|(_, other)| *other == -coefficient) else {
                    unbounded.push((*variable, *coefficient));
                    continue;
                };
                let (other, _) = unbounded.remove(other);
                part.insert(0, (other, -coefficient.signum()));
            }
            let (greatest, weight) = (at.greatest(&part)?, coefficient.abs());
            slack = slack.checked_sub(greatest.checked_mul(weight)?)?;
            parts.push((part, greatest, weight));
        }
        if !unbounded.is_empty() || parts.len() < 2 {
            return None;
        }
        if slack < 0 {
            return None;
        }
        // A sign says it best: in a loop it may stay when numbers change.
        let bounds = parts.into_iter().map(|(part, greatest, weight)| {
            let is_free = |sign: &i128| *sign > greatest && (sign - greatest).checked_mul(weight).is_some_and(|cost| cost <= slack);
            let looser = [0, -1].into_iter().find(is_free).unwrap_or(greatest);
            slack -= (looser - greatest) * weight;
            Literal::at_most(part, looser)
        });
        Some(bounds.collect())
    }
}
