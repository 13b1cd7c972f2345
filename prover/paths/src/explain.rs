//! Why a path is infeasible: the literals that some refutation of it needs, going backwards (`spec/paths.md#explanation`).

use crate::{
    abstraction::unknown_value,
    precision::Precision,
    symbolic::{Configuration, Explorer},
};
use goatherd_logic::{
    Rational,
    meter::Meter,
    paths::{
        conjunction::Conjunction,
        maximum::{Maximum, maximum},
    },
};
use goatherd_systems::{
    literal::{Linear, Literal, Overflow, Residue, Store, Term, Variable, common_divisor, greatest_common_divisor, negated, sum},
    lts::{EdgeId, Location, Lts, Value, index},
};
use std::{cell::Cell, collections::BTreeSet, rc::Rc};

/// Moduli beyond this one are not tried.
pub(super) const GREATEST_MODULUS: i128 = 64;

/// How often a bound is made one stronger in search of a reason.
const FUEL: usize = 6;

/// No refutation was found, or its numbers are too great.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unexplained;

impl From<Overflow> for Unexplained {
    fn from(_: Overflow) -> Self {
        Self
    }
}

/// What is to be tracked from now on, and where.
#[derive(Clone, Debug, Default)]
pub struct Lessons {
    /// Literals to keep where they hold.
    pub literals: Vec<(Location, Literal)>,
    /// Bounds that cases are told apart by.
    pub splits: Vec<(Location, Literal)>,
}

/// Of several reasons, which one is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preference {
    /// Disequalities before bounds, and sums as they are.
    Disequalities,
    /// Bounds before disequalities, and bounds of summands before those of sums: in one of several cases.
    Bounds,
}

/// What explanations are looked for with.
#[derive(Clone, Copy)]
pub struct Explanation<'a> {
    /// The system.
    pub lts: &'a Lts,
    /// Moduli worth trying.
    pub moduli: &'a [i128],
    /// By location: what is tracked already.
    pub precisions: &'a [Precision],
    /// So many disequalities on one term at one location are a chain: from there on a bound is tracked instead.
    pub chain: usize,
    /// Which reasons are given.
    pub preference: Preference,
    /// How often cases may still be tried.
    pub attempts: &'a Cell<usize>,
    /// What explanations are paid from.
    pub meter: &'a Meter,
}

/// A step of a path that is explained.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Along an edge.
    Edge(EdgeId),
    /// On the spot: the case in which the literal holds.
    Case(Literal),
}

impl Explanation<'_> {
    /// What to track so that the last edge of the infeasible path is marked. Only the shortest infeasible suffix matters: what comes before it
    /// is left open, which is what generalises.
    pub fn explain(&self, explorer: &mut Explorer<'_>, path: &[EdgeId]) -> Result<Lessons, Unexplained> {
        let (mut first, mut last) = (0, path.len().saturating_sub(1));
        while first < last {
            let middle = (first + last).div_ceil(2);
            let steps: Vec<Step> = path[middle..].iter().copied().map(Step::Edge).collect();
            let start = self.start(explorer, path, middle);
            if run(explorer, start, &steps)?.len() <= steps.len() {
                first = middle;
            } else {
                last = middle - 1;
            }
        }
        let steps: Vec<Step> = path[first..].iter().copied().map(Step::Edge).collect();
        let start = self.start(explorer, path, first);
        let configurations = run(explorer, start, &steps)?;
        if configurations.len() > steps.len() {
            return Err(Unexplained);
        }
        let literals = self.backwards(&configurations, &steps);
        if literals.as_ref().is_ok_and(|literals| !self.is_growing(literals)) {
            return literals.map(|literals| Lessons { literals, splits: Vec::new() });
        }
        let by_cases = self.by_cases(explorer, &configurations, &steps);
        by_cases.or_else(|Unexplained| literals.map(|literals| Lessons { literals, splits: Vec::new() }))
    }

    /// The first configuration of the path from that position: nothing is known, except at the start of the whole.
    fn start(&self, explorer: &mut Explorer<'_>, path: &[EdgeId], first: usize) -> Configuration {
        if first == 0 { explorer.get(0).as_ref().clone() } else { explorer.start(self.lts.edges[path[first]].source, &[]) }
    }

    /// What to track so that the last of these steps is refuted, before which the last of the configurations stands.
    pub(super) fn backwards(&self, configurations: &[Configuration], steps: &[Step]) -> Result<Vec<(Location, Literal)>, Unexplained> {
        let mut learned = Vec::new();
        let mut wanted = vec![Literal::False];
        for (configuration, step) in configurations.iter().zip(steps).rev() {
            match step {
                Step::Edge(edge) => {
                    wanted = self.before(configuration, *edge, &wanted)?;
                    learned.extend(wanted.iter().map(|literal| (configuration.location, literal.clone())));
                }
                // Cases are told apart before literals are kept: what tells them apart needs no literals.
                Step::Case(literal) => wanted = self.before_guard(configuration, std::slice::from_ref(literal), &wanted)?,
            }
            if wanted.is_empty() {
                break;
            }
        }
        Ok(learned)
    }

    /// What has to hold before the edge, so that the literals hold after it.
    fn before(&self, configuration: &Configuration, edge: EdgeId, wanted: &[Literal]) -> Result<Vec<Literal>, Unexplained> {
        let edge = &self.lts.edges[edge];
        let mut wanted = self.before_assignments(configuration, &edge.guard, &edge.assignments, wanted)?;
        if edge.guard.is_empty() {
            wanted = wanted.into_iter().flat_map(|literal| self.simpler(configuration, &literal).unwrap_or(vec![literal])).collect();
        } else {
            wanted = self.before_guard(configuration, &edge.guard, &wanted)?;
        }
        let mut seen = BTreeSet::new();
        wanted.retain(|literal| *literal != Literal::True && seen.insert(literal.clone()));
        Ok(wanted)
    }

    /// What has to hold before a guard, so that the literals hold after it.
    fn before_guard(&self, configuration: &Configuration, guard: &[Literal], wanted: &[Literal]) -> Result<Vec<Literal>, Unexplained> {
        let mut needed = Vec::new();
        for literal in wanted {
            needed.extend(match self.needed(configuration, guard, literal, FUEL) {
                Ok(literals) => literals,
                Err(Unexplained) => self.reduced(configuration, guard, literal)?,
            });
        }
        Ok(needed)
    }

    fn before_assignments(
        &self,
        configuration: &Configuration,
        guard: &[Literal],
        assignments: &[(Variable, Value)],
        wanted: &[Literal],
    ) -> Result<Vec<Literal>, Unexplained> {
        let mentioned: BTreeSet<Variable> = wanted.iter().flat_map(Literal::term).map(|(variable, _)| *variable).collect();
        let mut store = Store::new();
        let mut conditions = Vec::new();
        let known = configuration.facts.with(&configuration.over_symbols(guard));
        let is_known = |literal: &Literal| literal.substitute(&configuration.store).is_ok_and(|literal| known.entails(&literal));
        for (variable, value) in assignments.iter().filter(|(variable, _)| mentioned.contains(variable)) {
            let stored = value.known(is_known).map(|(linear, condition)| {
                conditions.extend(condition.iter().cloned());
                linear.clone()
            });
            store.insert(*variable, stored.unwrap_or_else(|| Linear::variable(unknown_value(self.lts, *variable))));
        }
        let mut before = wanted.iter().map(|literal| self.without_unknown(&literal.substitute(&store)?)).collect::<Result<Vec<_>, _>>()?;
        before.extend(conditions);
        Ok(before)
    }

    /// Values that nothing is known of have to be at their worst.
    fn without_unknown(&self, literal: &Literal) -> Result<Literal, Unexplained> {
        let count = unknown_value(self.lts, 0);
        if literal.term().iter().all(|(variable, _)| *variable < count) {
            return Ok(literal.clone());
        }
        let Literal::AtMost(term, bound) = literal else { return Err(Unexplained) };
        let mut store = Store::new();
        for (variable, coefficient) in term.iter().filter(|(variable, _)| *variable >= count) {
            let (least, greatest) = self.lts.variables[index(*variable - count)].range.ok_or(Unexplained)?;
            store.insert(*variable, Linear::constant(if *coefficient > 0 { greatest } else { least }));
        }
        Ok(Literal::at_most(term.clone(), *bound).substitute(&store)?)
    }

    /// Few and weak literals that hold in the configuration and that, with the guard, entail the literal.
    fn needed(&self, at: &Configuration, guard: &[Literal], wanted: &Literal, fuel: usize) -> Result<Vec<Literal>, Unexplained> {
        let is_false = *wanted == Literal::False;
        if *wanted == Literal::True || !is_false && self.alone(guard, wanted).entails(wanted) {
            return Ok(Vec::new());
        }
        if self.meter.is_exhausted() {
            return Err(Unexplained);
        }
        if !is_false && at.entails(wanted) {
            let chained = || vec![self.bound_of_chain(at, wanted).unwrap_or_else(|| wanted.clone())];
            return Ok(self.simpler(at, wanted).unwrap_or_else(chained));
        }
        let fuel = fuel.checked_sub(1).ok_or(Unexplained)?;
        if is_false && let Some(needed) = self.against(at, guard) {
            return Ok(needed);
        }
        match wanted {
            Literal::Residue(residue) => for_residue(at, guard, residue),
            Literal::Differs(term, value) => self.for_disequality(at, guard, term, *value, fuel),
            Literal::AtMost(term, bound) => self.for_bound(at, guard, term, *bound, fuel),
            Literal::True | Literal::False => self.for_bound(at, guard, &Term::new(), -1, fuel),
        }
    }

    /// The literals alone, with the ranges of all variables that these or the wanted one mention.
    fn alone<'a>(&self, literals: impl IntoIterator<Item = &'a Literal>, wanted: &'a Literal) -> Conjunction {
        let literals: Vec<&Literal> = literals.into_iter().collect();
        let mentioned = literals.iter().copied().chain([wanted]).flat_map(Literal::term).map(|(variable, _)| *variable);
        let mentioned: BTreeSet<Variable> = mentioned.collect();
        let ranges = mentioned.iter().filter_map(|variable| {
            self.lts.variables.get(index(*variable)).and_then(|declared| declared.range_of(&Linear::variable(*variable)).ok())
        });
        let ranges: Vec<Literal> = ranges.flatten().collect();
        Conjunction::metered(self.meter).with(ranges.iter().chain(literals))
    }

    /// A literal that contradicts the guard as a whole.
    fn against(&self, at: &Configuration, guard: &[Literal]) -> Option<Vec<Literal>> {
        let opposites = negations(guard);
        if let [opposite] = &*opposites
            && let Some(bound) = self.bound_beside(at, opposite)
        {
            return Some(vec![bound]);
        }
        for opposite in opposites.iter().filter(|opposite| at.entails(opposite)) {
            let Literal::Differs(term, value) = opposite else { continue };
            if let Some(literal) = self.residue_of_chain(at, opposite).or_else(|| self.bound_of_chain(at, opposite)) {
                return Some(vec![literal]);
            }
            // A residue says it more generally.
            let others = self.residues(at, term).find(|residue| value.rem_euclid(residue.modulus) != residue.remainder);
            return Some(vec![others.map_or_else(|| opposite.clone(), Literal::Residue)]);
        }
        let bounds = opposites.into_iter().filter(|opposite| !matches!(opposite, Literal::Differs(..)));
        bounds.filter(|opposite| at.entails(opposite)).map(|opposite| split(at, opposite)).next()
    }

    /// The residues of the term that hold, for the moduli worth trying.
    fn residues(&self, at: &Configuration, term: &Term) -> impl Iterator<Item = Residue> {
        self.moduli.iter().filter_map(move |modulus| residue(at, term, *modulus))
    }

    fn for_disequality(
        &self,
        at: &Configuration,
        guard: &[Literal],
        term: &Term,
        value: i128,
        fuel: usize,
    ) -> Result<Vec<Literal>, Unexplained> {
        let together = at.facts.with(&at.over_symbols(guard));
        for (term, value) in [(term.clone(), value), (negated(term), -value)] {
            let bound = Literal::at_most(term, value - 1);
            if together.entails(&bound.substitute(&at.store)?) {
                return self.needed(at, guard, &bound, fuel);
            }
        }
        let equalities = equalities(guard);
        for literal in guard {
            match literal {
                Literal::AtMost(other, bound) if !equalities.is_empty() => {
                    for sign in [1, -1] {
                        let shifted = Literal::differs(sum(term, other, -sign)?, value - sign * bound);
                        if at.entails(&shifted) {
                            return Ok(vec![shifted]);
                        }
                    }
                }
                // The same disequality, shifted by an equality.
                Literal::Differs(other, excluded) => {
                    for sign in [1, -1] {
                        let (shift, difference) = (sum(term, other, -sign)?, value - sign * excluded);
                        let equal = [Literal::at_most(shift.clone(), difference), Literal::at_most(negated(&shift), -difference)];
                        if equal.iter().all(|literal| at.entails(literal)) {
                            return Ok(equal.into_iter().filter(|literal| *literal != Literal::True).collect());
                        }
                    }
                }
                _ => {}
            }
        }
        Err(Unexplained)
    }

    fn for_bound(&self, at: &Configuration, guard: &[Literal], term: &Term, bound: i128, fuel: usize) -> Result<Vec<Literal>, Unexplained> {
        let wanted = Literal::at_most(term.clone(), bound);
        let together = at.facts.with(&at.over_symbols(guard));
        let follows = |literal: &Literal| literal.substitute(&at.store).is_ok_and(|literal| together.entails(&literal));
        for literal in guard {
            if let Literal::AtMost(other, limit) = literal {
                let rest = Literal::at_most(sum(term, other, -1)?, bound.checked_sub(*limit).ok_or(Unexplained)?);
                if at.entails(&rest) {
                    return Ok(split(at, rest));
                }
            }
        }
        let and = |first: Literal, guard: &[Literal], wanted: &Literal| {
            let mut needed = vec![first];
            needed.extend(self.needed(at, guard, wanted, fuel)?);
            Ok(needed)
        };
        for literal in guard {
            if let Literal::Differs(other, value) = literal {
                for (other, value) in [(other.clone(), *value), (negated(other), -value)] {
                    let limit = Literal::at_most(other.clone(), value);
                    if at.entails(&limit) {
                        return and(limit, &[Literal::at_most(other, value - 1)], &wanted);
                    }
                }
            }
        }
        if !term.is_empty() {
            for residue in self.residues(at, term) {
                let next = bound + 1;
                let top = next + (residue.remainder - next).rem_euclid(residue.modulus);
                let weaker = Literal::at_most(term.clone(), top - 1);
                if top > next && follows(&weaker) {
                    return and(Literal::Residue(residue), guard, &weaker);
                }
            }
            let excluded = Literal::differs(term.clone(), bound + 1);
            let weaker = Literal::at_most(term.clone(), bound + 1);
            if at.entails(&excluded) && follows(&weaker) {
                return and(excluded, guard, &weaker);
            }
        }
        for literal in guard {
            if let Literal::AtMost(other, limit) = literal {
                let excluded = Literal::differs(other.clone(), *limit);
                if at.entails(&excluded) {
                    return and(excluded, &[Literal::at_most(other.clone(), limit - 1)], &wanted);
                }
            }
        }
        combination(at, guard, term, bound, self.meter)
    }

    /// Everything that can be said over program variables, less what is not needed.
    fn reduced(&self, at: &Configuration, guard: &[Literal], wanted: &Literal) -> Result<Vec<Literal>, Unexplained> {
        let mut pool = self.everything(at, guard, wanted);
        let proves = |pool: &[Literal]| -> Result<bool, Unexplained> {
            let facts = self.alone(guard.iter().chain(pool), wanted);
            if self.meter.is_exhausted() {
                return Err(Unexplained);
            }
            Ok(if *wanted == Literal::False { facts.is_contradictory() } else { facts.entails(wanted) })
        };
        if !proves(&pool)? {
            return Err(Unexplained);
        }
        let mut order = pool.clone();
        let size = |literal: &Literal| match literal {
            Literal::AtMost(_, number) | Literal::Differs(_, number) => number.unsigned_abs(),
            _ => 0,
        };
        order.sort_by_key(|literal| std::cmp::Reverse((!matches!(literal, Literal::Residue(_)), literal.term().len(), size(literal))));
        for literal in order {
            let rest: Vec<Literal> = pool.iter().filter(|other| **other != literal).cloned().collect();
            if proves(&rest)? {
                pool = rest;
            }
        }
        Ok(pool)
    }

    fn everything(&self, at: &Configuration, guard: &[Literal], wanted: &Literal) -> Vec<Literal> {
        let variables: Vec<Variable> = at.store.keys().copied().collect();
        let mut terms: Vec<Term> = variables.iter().map(|variable| vec![(*variable, 1)]).collect();
        for (position, left) in variables.iter().enumerate() {
            for right in &variables[position + 1..] {
                terms.extend([1, -1].map(|sign| vec![(*left, 1), (*right, sign)]));
            }
        }
        terms.extend(guard.iter().chain([wanted]).map(|literal| literal.term().to_vec()).filter(|term| !term.is_empty()));
        let mut pool = Vec::new();
        for term in &terms {
            for term in [term.clone(), negated(term)] {
                if let Some(greatest) = at.greatest(&term) {
                    pool.push(Literal::at_most(term, greatest));
                }
            }
            pool.extend(self.residues(at, term).map(Literal::Residue));
        }
        let homes = at.homes();
        let facts = at.facts.disequalities().iter().map(|(term, value)| Literal::Differs(term.clone(), *value));
        let facts = facts.chain(at.facts.general().iter().map(|(term, bound)| Literal::AtMost(term.clone(), *bound)));
        let sayable = facts.filter(|literal| literal.term().iter().all(|(symbol, _)| homes.contains_key(symbol)));
        pool.extend(sayable.filter_map(|literal| literal.substitute(&homes).ok()));
        for literal in guard {
            if let Literal::AtMost(term, bound) = literal {
                pool.extend(Some(Literal::differs(term.clone(), *bound)).filter(|literal| at.entails(literal)));
            }
        }
        let mut seen = BTreeSet::new();
        pool.retain(|literal| *literal != Literal::True && seen.insert(literal.clone()));
        pool
    }

    /// Literals from which this one follows: bounds, where those are preferred or it would be one more of ever longer sums, or a residue, where
    /// it would be one more of ever more disequalities.
    fn simpler(&self, at: &Configuration, literal: &Literal) -> Option<Vec<Literal>> {
        let bounds = self.bounds_of_growing_sum(at, literal);
        bounds.or_else(|| self.bound_beside(at, literal).or_else(|| self.residue_of_chain(at, literal)).map(|literal| vec![literal]))
    }

    /// Where bounds are preferred: one beside a disequality.
    fn bound_beside(&self, at: &Configuration, literal: &Literal) -> Option<Literal> {
        let (Preference::Bounds, Literal::Differs(term, value)) = (self.preference, literal) else { return None };
        let bounds = [(term.clone(), *value), (negated(term), -value)].map(|(term, value)| Literal::at_most(term, value - 1));
        bounds.into_iter().find(|bound| at.entails(bound))
    }

    /// Where disequalities on one term have become a chain: the values that they exclude.
    fn chained(&self, at: &Configuration, term: &Term) -> Option<BTreeSet<i128>> {
        let tracked = &self.precisions[index(at.location)].disequalities;
        let values: BTreeSet<i128> = tracked.iter().filter(|(other, _)| other == term).map(|(_, value)| *value).collect();
        (values.len() >= self.chain).then_some(values)
    }

    /// Instead of one more disequality of a chain: a residue.
    fn residue_of_chain(&self, at: &Configuration, literal: &Literal) -> Option<Literal> {
        let Literal::Differs(term, value) = literal else { return None };
        self.chained(at, term)?;
        excluding_residue(self.lts, at, term, *value).map(Literal::Residue)
    }

    /// Instead of one more disequality of a chain: the strongest bound beside one of them that holds.
    fn bound_of_chain(&self, at: &Configuration, literal: &Literal) -> Option<Literal> {
        let Literal::Differs(term, value) = literal else { return None };
        let values = self.chained(at, term)?;
        let below = values.iter().copied().chain([*value]).filter(|other| other <= value).collect::<BTreeSet<_>>();
        let above = values.iter().copied().chain([*value]).filter(|other| other >= value).map(|other| -other).collect::<BTreeSet<_>>();
        let bounds = [(term.clone(), below), (negated(term), above)];
        let mut bounds =
            bounds.into_iter().flat_map(|(term, values)| values.into_iter().map(move |value| Literal::at_most(term.clone(), value - 1)));
        bounds.find(|bound| at.entails(bound))
    }
}

/// The configurations along the steps: one before each, as far as they are feasible, and the last one if all are.
pub(super) fn run(explorer: &mut Explorer<'_>, start: Configuration, steps: &[Step]) -> Result<Vec<Configuration>, Unexplained> {
    let mut configurations = vec![start];
    for step in steps {
        if explorer.meter.is_exhausted() {
            return Err(Unexplained);
        }
        let Some(last) = configurations.last() else { break };
        let next = match step {
            Step::Edge(edge) => explorer.execute(last, *edge),
            Step::Case(literal) => {
                let facts = last.facts.with(&[literal.substitute(&last.store)?]);
                (!facts.is_contradictory()).then(|| Configuration { facts: Rc::new(facts), ..last.clone() })
            }
        };
        let Some(next) = next else { break };
        configurations.push(next);
    }
    Ok(configurations)
}

/// What is known of the term modulo a number.
fn residue(at: &Configuration, term: &Term, modulus: i128) -> Option<Residue> {
    let value = Linear { term: term.clone(), constant: 0 }.substitute(&at.store).ok()?;
    let reduced: Term = value.term.iter().map(|(symbol, k)| (*symbol, k.rem_euclid(modulus))).filter(|(_, k)| *k != 0).collect();
    let remainder = at.facts.remainder_by(&reduced, modulus)?.checked_add(value.constant)?;
    if let Literal::Residue(residue) = Literal::residue(term.clone(), modulus, remainder) { Some(residue) } else { None }
}

/// What is known of the term modulo the least number for which that excludes the value. The numbers divide the coefficients of its value, or
/// all by which edges change it that keep it but for a number.
fn excluding_residue(lts: &Lts, at: &Configuration, term: &Term, value: i128) -> Option<Residue> {
    let own = Linear { term: term.clone(), constant: 0 };
    let of_value = own.substitute(&at.store).map_or(0, |value| common_divisor(&value.term));
    let mut of_steps = 0;
    for edge in lts.edges.iter().filter(|edge| edge.assignments.iter().any(|(target, _)| term.iter().any(|(own, _)| own == target))) {
        let store: Option<Store> = edge.assignments.iter().map(|(target, value)| Some((*target, value.values().next()?.clone()))).collect();
        if let Some(after) = store.and_then(|store| own.substitute(&store).ok()).filter(|after| after.term == *term) {
            of_steps = greatest_common_divisor(of_steps, after.constant);
        }
    }
    let divides = |modulus: &i128| [of_value, of_steps].iter().any(|number| *number != 0 && number % modulus == 0);
    let residues = (2..=GREATEST_MODULUS).filter(divides).filter_map(|modulus| residue(at, term, modulus));
    residues.into_iter().find(|residue| (value - residue.remainder) % residue.modulus != 0)
}

fn for_residue(at: &Configuration, guard: &[Literal], residue: &Residue) -> Result<Vec<Literal>, Unexplained> {
    for (term, bound) in equalities(guard) {
        for factor in 1..residue.modulus {
            let shifted = sum(&residue.term, &term, -factor)?;
            let remainder = factor.checked_mul(bound).and_then(|shift| residue.remainder.checked_sub(shift)).ok_or(Unexplained)?;
            let literal = Literal::residue(shifted, residue.modulus, remainder);
            if at.entails(&literal) {
                return Ok(vec![literal]);
            }
        }
    }
    Err(Unexplained)
}

/// The bound less the guard's part in a combination of what is known and the guard (Farkas).
fn combination(at: &Configuration, guard: &[Literal], term: &Term, bound: i128, meter: &Meter) -> Result<Vec<Literal>, Unexplained> {
    let bounds: Vec<(&Term, i128)> =
        guard.iter().filter_map(|literal| if let Literal::AtMost(term, bound) = literal { Some((term, *bound)) } else { None }).collect();
    let mut rows = at.facts.rows();
    let known = rows.len();
    let mut own = Vec::new();
    for (term, bound) in bounds {
        if let Literal::AtMost(over_symbols, limit) = Literal::AtMost(term.clone(), bound).substitute(&at.store)? {
            rows.push((over_symbols, limit));
            own.push((term, bound));
        }
    }
    let goal = Linear { term: term.clone(), constant: 0 }.substitute(&at.store)?;
    let Maximum::Value(_, multipliers) = maximum(&rows, &goal.term, meter) else { return Err(Unexplained) };
    let scale =
        multipliers.values().try_fold(1i128, |scale, factor| least_common_multiple(scale, factor.denominator)).ok_or(Unexplained)?;
    let mut rest = sum(&[], term, scale)?;
    let mut limit = bound.checked_mul(scale).ok_or(Unexplained)?;
    for (position, (other, value)) in own.into_iter().enumerate() {
        let Some(factor) = multipliers.get(&(known + position)) else { continue };
        let factor = scaled(*factor, scale).ok_or(Unexplained)?;
        rest = sum(&rest, other, -factor)?;
        limit = factor.checked_mul(value).and_then(|part| limit.checked_sub(part)).ok_or(Unexplained)?;
    }
    let literal = Literal::at_most(rest, limit.checked_add(scale - 1).ok_or(Unexplained)?);
    if at.entails(&literal) { Ok(split(at, literal)) } else { Err(Unexplained) }
}

/// Literals each of which contradicts the conjunction: the disequality where it is an equality, else the negation of one bound.
fn negations(guard: &[Literal]) -> Vec<Literal> {
    if let [Literal::AtMost(term, bound), _] = guard
        && equalities(guard).len() == 2
    {
        return vec![Literal::differs(term.clone(), *bound)];
    }
    let bounds = guard.iter().filter_map(|literal| match literal {
        Literal::AtMost(term, bound) => Some(Literal::at_most(negated(term), -bound - 1)),
        _ => None,
    });
    bounds.collect()
}

/// The guard's bounds, where its two literals make an equality.
fn equalities(guard: &[Literal]) -> Vec<(Term, i128)> {
    match guard {
        [Literal::AtMost(left, least), Literal::AtMost(right, greatest)] if *right == negated(left) && *greatest == -least => {
            vec![(left.clone(), *least), (right.clone(), *greatest)]
        }
        _ => Vec::new(),
    }
}

/// A bound on `(u - w) + (z - v)` as two bounds, where both parts are known.
fn split(at: &Configuration, literal: Literal) -> Vec<Literal> {
    if literal == Literal::True {
        return Vec::new();
    }
    if let Literal::AtMost(term, bound) = &literal
        && term.len() == 4
    {
        let side = |sign: i128| -> Vec<Variable> { term.iter().filter(|(_, k)| *k == sign).map(|(variable, _)| *variable).collect() };
        if let ([first, second], [third, fourth]) = (side(1).as_slice(), side(-1).as_slice()) {
            for (third, fourth) in [(third, fourth), (fourth, third)] {
                let part = |plus: &Variable, minus: &Variable| {
                    let mut term = vec![(*plus, 1), (*minus, -1)];
                    term.sort_unstable();
                    term
                };
                let (one, two) = (part(first, third), part(second, fourth));
                if let (Some(top), Some(rest)) = (at.greatest(&one), at.greatest(&two))
                    && top.checked_add(rest).is_some_and(|sum| sum <= *bound)
                {
                    return vec![Literal::at_most(one, top), Literal::at_most(two, bound - top)];
                }
            }
        }
    }
    vec![literal]
}

fn least_common_multiple(left: i128, right: i128) -> Option<i128> {
    left.checked_mul(right.checked_div(greatest_common_divisor(left, right))?)
}

fn scaled(factor: Rational, scale: i128) -> Option<i128> {
    factor.numerator.checked_mul(scale.checked_div(factor.denominator)?)
}
