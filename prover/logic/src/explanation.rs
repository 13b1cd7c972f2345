//! Writes the conflict of a context down as a refutation.
//!
//! First the facts that the conflict needs are collected, backwards, with the shortest paths through the edges that were known when each
//! fact was learned; then they are written in the order in which they were learned, so that premises come first.

use crate::{
    bounds::Node,
    context::Context,
    facts::{Equal, Equality, FactIndex, Ground, Origin, Parts, Unequal},
    form::common_divisor,
};
use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    term::{Array, ArrayStore, Atom, AtomId, Computation, LinearId, Literal, Sign},
};
use goatherd_checker::term::Arena;
use std::collections::{BTreeMap, BTreeSet};

/// Facts with their multipliers.
type Combination = BTreeMap<FactIndex, i128>;

/// No path costs more than this; reached only where the shortest path is very long.
const GREATEST_COST: usize = 4096;

/// Writes the conflict down; `literals` is how many the predicate and the assumptions are.
pub(super) fn explain(context: &Context, arena: &mut Arena, literals: usize) -> Option<Refutation> {
    let conflict = combine(context, context.conflict?, context.facts.len())?;
    let needed = collect(context, &conflict)?;
    let mut writer = Writer {
        context,
        arena,
        deductions: Vec::new(),
        next: u32::try_from(literals).ok()?,
        ids: BTreeMap::new(),
        axioms: BTreeMap::new(),
        bits: BTreeMap::new(),
        cases: Vec::new(),
        is_finished: false,
    };
    for fact in needed {
        writer.write(fact)?;
        if writer.is_finished {
            return Some(Refutation { deductions: writer.deductions });
        }
    }
    let is_written = only(&conflict).is_some_and(|(fact, _)| !matches!(context.facts[fact], Origin::Given { .. }));
    if !is_written {
        writer.sum(&conflict)?;
    }
    Some(Refutation { deductions: writer.deductions })
}

/// The parts as a sum of facts older than the limit; exact sums are replaced by what they are sums of.
fn combine(context: &Context, parts: Parts, limit: FactIndex) -> Option<Combination> {
    let mut combination = Combination::new();
    add_parts(context, &mut combination, parts, limit, 1)?;
    let mut below = limit;
    while let Some((fact, multiplier)) = combination.range(..below).next_back().map(|(fact, multiplier)| (*fact, *multiplier)) {
        below = fact;
        if let Origin::Sum { parts, is_rounded: false } = context.facts[fact] {
            combination.remove(&fact);
            add_parts(context, &mut combination, parts, fact, multiplier)?;
        }
    }
    combination.retain(|_, multiplier| *multiplier != 0);
    Some(combination)
}

fn add_parts(context: &Context, combination: &mut Combination, parts: Parts, limit: FactIndex, factor: i128) -> Option<()> {
    for part in &context.parts[parts.start..parts.end] {
        let multiplier = part.multiplier.checked_mul(factor)?;
        match part.ground {
            Ground::Fact(fact) => add_fact(combination, fact, multiplier)?,
            Ground::Path { from, to, bound } => {
                for edge in shortest_path(context, from, to, bound, limit)? {
                    let edge = context.edges[edge];
                    add_fact(combination, edge.fact, multiplier.checked_mul(edge.factor)?)?;
                }
            }
        }
    }
    Some(())
}

fn add_fact(combination: &mut Combination, fact: FactIndex, multiplier: i128) -> Option<()> {
    let entry = combination.entry(fact).or_insert(0);
    *entry = entry.checked_add(multiplier)?;
    Some(())
}

/// What the fact adds to a refutation that uses it.
fn cost(origin: Origin) -> usize {
    match origin {
        Origin::Given { .. } => 1,
        Origin::Lower(_) | Origin::Upper(_) => 2,
        Origin::Sum { parts, is_rounded } => (parts.end - parts.start) + usize::from(is_rounded),
        Origin::Tighten { .. } | Origin::Bits { .. } => 3,
        Origin::Divided { .. }
        | Origin::ReadSame { .. }
        | Origin::ReadOther { .. }
        | Origin::Convert { .. }
        | Origin::Congruence { .. }
        | Origin::Evaluate { .. } => 4,
    }
}

/// Of the paths of one cost, per node: the least bound and the last edge; none where a lower cost is as good.
type Layer = Vec<Option<(i128, Option<usize>)>>;

/// The edges of the cheapest path whose bounds add up to at most `bound`, by facts older than the limit; none where it cannot be paid for.
fn shortest_path(context: &Context, from: Node, to: Node, bound: i128, limit: FactIndex) -> Option<Vec<usize>> {
    if from == to && bound >= 0 {
        return Some(Vec::new());
    }
    let edges: Vec<(usize, usize)> = (0..context.edges.len())
        .filter(|edge| context.edges[*edge].fact < limit)
        .map(|edge| (edge, cost(context.facts[context.edges[edge].fact]).max(1)))
        .collect();
    let size = context.bounds.size();
    let mut layers: Vec<Layer> = Vec::new();
    let mut best: Vec<Option<i128>> = vec![None; size];
    let mut first = vec![None; size];
    first[from] = Some((0, None));
    best[from] = Some(0);
    layers.push(first);
    let mut idle = 0;
    let greatest_step = edges.iter().map(|(_, cost)| *cost).max().unwrap_or(0);
    for total in 1..GREATEST_COST {
        if !context.meter.pay(edges.len() + size) {
            return None;
        }
        let mut layer: Layer = vec![None; size];
        for (number, step) in &edges {
            let edge = context.edges[*number];
            let Some(Some((before, _))) = total.checked_sub(*step).and_then(|before| layers[before].get(edge.from)).copied() else {
                continue;
            };
            let sum = before + edge.bound;
            if layer[edge.to].is_none_or(|(known, _)| sum < known) && best[edge.to].is_none_or(|known| sum < known) {
                layer[edge.to] = Some((sum, Some(*number)));
            }
        }
        idle = if layer.iter().all(Option::is_none) { idle + 1 } else { 0 };
        for (best, entry) in best.iter_mut().zip(&layer) {
            if let Some((sum, _)) = entry {
                *best = Some(*sum);
            }
        }
        let is_found = layer[to].is_some_and(|(sum, _)| sum <= bound);
        layers.push(layer);
        if is_found {
            return Some(trace(context, &layers, to));
        }
        if idle > greatest_step {
            return None;
        }
    }
    None
}

/// Follows the last edges back.
fn trace(context: &Context, layers: &[Layer], to: Node) -> Vec<usize> {
    let (mut path, mut node, mut total) = (Vec::new(), to, layers.len() - 1);
    while let Some((_, Some(number))) = layers[total][node] {
        path.push(number);
        let edge = context.edges[number];
        total -= cost(context.facts[edge.fact]).max(1);
        node = edge.from;
    }
    path
}

/// The sums that the fact is derived from, in the order of the checker.
fn premises(origin: Origin) -> Vec<Parts> {
    let of_equal = |equal: Equal| [equal.low, equal.high];
    let of_equality = |equality| match equality {
        Equality::Identical => Vec::new(),
        Equality::Derived(equal) => of_equal(equal).to_vec(),
    };
    match origin {
        Origin::Given { .. } | Origin::Lower(_) | Origin::Upper(_) | Origin::Divided { .. } => Vec::new(),
        Origin::Sum { parts, .. } => vec![parts],
        Origin::Tighten { bound, .. } => vec![bound],
        Origin::ReadSame { index, .. } => of_equal(index).to_vec(),
        Origin::ReadOther { index, .. } => match index {
            Unequal::Bound { parts, .. } => vec![parts],
            Unequal::Stated(_) => Vec::new(),
            Unequal::Equivalent { same, .. } => of_equal(same).to_vec(),
        },
        Origin::Convert { low, high, .. } => low.into_iter().chain(high).collect(),
        Origin::Bits { left, right, .. } => left.into_iter().chain(right).collect(),
        Origin::Congruence { first, second, .. } => [first, second].into_iter().flat_map(of_equality).collect(),
        Origin::Evaluate { values, .. } => values.into_iter().flat_map(|(_, equality)| of_equality(equality)).collect(),
    }
}

/// Facts that the origin names directly.
fn named(origin: Origin) -> Option<FactIndex> {
    match origin {
        Origin::Tighten { disequality: fact, .. }
        | Origin::Divided { fact, .. }
        | Origin::ReadOther { index: Unequal::Stated(fact) | Unequal::Equivalent { fact, .. }, .. } => Some(fact),
        _ => None,
    }
}

/// The facts that the sum needs, in the order in which they were learned.
fn collect(context: &Context, conflict: &Combination) -> Option<BTreeSet<FactIndex>> {
    let mut needed = BTreeSet::new();
    let mut open: Vec<FactIndex> = conflict.keys().copied().collect();
    while let Some(fact) = open.pop() {
        if !needed.insert(fact) {
            continue;
        }
        let origin = context.facts[fact];
        open.extend(named(origin));
        for parts in premises(origin) {
            open.extend(combine(context, parts, fact)?.into_keys());
        }
    }
    Some(needed)
}

/// Writes deductions and counts the facts as the checker does.
struct Writer<'a> {
    context: &'a Context,
    arena: &'a mut Arena,
    deductions: Vec<Deduction>,
    next: u32,
    ids: BTreeMap<FactIndex, FactId>,
    /// The lower bounds of atoms; the upper bound is the next fact.
    axioms: BTreeMap<AtomId, FactId>,
    /// The same of the bounds of bit operations.
    bits: BTreeMap<AtomId, FactId>,
    /// Open cases.
    cases: Vec<(FactId, Literal)>,
    /// Closing a case was the contradiction: its negation is evidently false.
    is_finished: bool,
}

impl Writer<'_> {
    /// Adds a deduction that makes so many facts; the first of them.
    fn push(&mut self, deduction: Deduction, facts: u32) -> Option<FactId> {
        let first = FactId(self.next);
        if self.is_finished {
            return Some(first);
        }
        self.next = self.next.checked_add(facts)?;
        self.deductions.push(deduction);
        Some(first)
    }

    fn sum(&mut self, combination: &Combination) -> Option<FactId> {
        let parts = self.identified(combination)?;
        self.push(Deduction::Combine(parts), 1)
    }

    /// The parts as one fact `<= 0`: the only one that they are, or their sum.
    fn bound(&mut self, parts: Parts, limit: FactIndex) -> Option<FactId> {
        let combination = combine(self.context, parts, limit)?;
        match only(&combination) {
            Some((fact, 1)) if self.context.facts[fact].is_bound() => self.ids.get(&fact).copied(),
            _ => self.sum(&combination),
        }
    }

    /// The same, where an equality does as well.
    fn bound_or_equality(&mut self, parts: Parts, limit: FactIndex) -> Option<FactId> {
        let combination = combine(self.context, parts, limit)?;
        match only(&combination) {
            // Only equalities have negative multipliers.
            Some((fact, 1 | -1)) => self.ids.get(&fact).copied(),
            _ => self.sum(&combination),
        }
    }

    /// `gap <= 0` and `-gap <= 0`.
    fn equal(&mut self, equal: Equal, gap: LinearId, limit: FactIndex) -> Option<(FactId, FactId)> {
        if self.is_primitive(gap)? {
            return Some((self.bound_or_equality(equal.low, limit)?, self.bound_or_equality(equal.high, limit)?));
        }
        let opposite = self.arena.combine(0, &[(gap, -1)]).ok()?;
        Some((self.at_most(gap, 0, equal.low, limit)?, self.at_most(opposite, 0, equal.high, limit)?))
    }

    /// The coefficients have no common divisor, so that the checker does not divide sums that give this term.
    fn is_primitive(&self, term: LinearId) -> Option<bool> {
        let linear = self.arena.linear(term).ok()?;
        Some(linear.summands.iter().fold(0, |divisor, (_, coefficient)| common_divisor(divisor, *coefficient)) <= 1)
    }

    /// `term <= bound`, undivided, where the parts say so: by assuming the opposite.
    fn at_most(&mut self, term: LinearId, bound: i128, parts: Parts, limit: FactIndex) -> Option<FactId> {
        let opposite = self.arena.combine(bound.checked_add(1)?, &[(term, -1)]).ok()?;
        let summands = self.summands(parts, limit)?;
        let case = self.open(Literal { sign: Sign::AtMostZero, term: opposite })?;
        if self.is_open(case) {
            self.push(Deduction::Combine(with(summands, case, 1)), 1)?;
            self.close()?;
        }
        Some(case)
    }

    /// Assumes the literal; the id is then its fact, and that of its negation once the case is closed. An evidently false literal closes it.
    fn open(&mut self, literal: Literal) -> Option<FactId> {
        let case = self.push(Deduction::Case(literal), 1)?;
        self.cases.push((case, literal));
        if self.arena.evident(literal) == Some(false) {
            self.close()?;
        }
        Some(case)
    }

    fn is_open(&self, case: FactId) -> bool {
        self.cases.last().is_some_and(|(open, _)| *open == case)
    }

    /// The innermost case is closed: its facts are gone, its negation is there; if that is evidently false, so is the next case.
    fn close(&mut self) -> Option<()> {
        while let Some((case, literal)) = self.cases.pop() {
            self.next = case.0.checked_add(1)?;
            let negation = self.arena.negate(literal).ok()?;
            if self.arena.evident(negation) != Some(false) {
                return Some(());
            }
        }
        self.is_finished = true;
        Some(())
    }

    /// The parts as a sum of facts that are written.
    fn summands(&self, parts: Parts, limit: FactIndex) -> Option<Vec<(FactId, i128)>> {
        self.identified(&combine(self.context, parts, limit)?)
    }

    fn identified(&self, combination: &Combination) -> Option<Vec<(FactId, i128)>> {
        let parts = combination.iter().map(|(fact, multiplier)| Some((*self.ids.get(fact)?, *multiplier)));
        let mut parts: Vec<_> = parts.collect::<Option<_>>()?;
        parts.sort_unstable();
        Some(parts)
    }

    fn write(&mut self, fact: FactIndex) -> Option<()> {
        let id = match self.context.facts[fact] {
            Origin::Given { position, .. } => FactId(u32::try_from(position).ok()?),
            Origin::Lower(atom) => self.axiom(atom)?,
            Origin::Upper(atom) => FactId(self.axiom(atom)?.0.checked_add(1)?),
            Origin::Sum { parts, .. } => {
                let combination = combine(self.context, parts, fact)?;
                self.sum(&combination)?
            }
            Origin::Tighten { bound, disequality } => {
                let bound = self.bound(bound, fact)?;
                let disequality = *self.ids.get(&disequality)?;
                self.push(Deduction::Tighten { bound, disequality }, 1)?
            }
            Origin::Divided { fact, term, divisor } => self.divide(*self.ids.get(&fact)?, term, divisor)?,
            Origin::ReadSame { atom, index } => {
                let gap = gap(self.arena, atom)?;
                let facts = self.equal(index, gap, fact)?;
                self.push(Deduction::ReadSame { atom, facts }, 1)?
            }
            Origin::ReadOther { atom, index } => {
                let excluded = self.unequal(atom, index, fact)?;
                self.push(Deduction::ReadOther { atom, fact: excluded }, 1)?
            }
            Origin::Convert { atom, value, low, high } => {
                let (least, greatest) = self.arena.atom_range(atom)?;
                let mut bounds = [FactId(0), FactId(0)];
                for ((bound, parts), (sign, limit)) in bounds.iter_mut().zip([low, high]).zip([(-1, least.checked_neg()?), (1, greatest)]) {
                    let Some(parts) = parts else { continue };
                    let term = self.arena.combine(0, &[(value, sign)]).ok()?;
                    *bound = if self.is_primitive(term)? { self.bound(parts, fact)? } else { self.at_most(term, limit, parts, fact)? };
                }
                self.push(Deduction::Convert { atom, value, facts: (bounds[0], bounds[1]) }, 1)?
            }
            Origin::Bits { atom, number, left, right } => FactId(self.bits(atom, [left, right], fact)?.0.checked_add(number)?),
            Origin::Congruence { left, right, first, second } => {
                let (one, other) = (arguments(self.arena, left)?, arguments(self.arena, right)?);
                let mut facts = Vec::new();
                for ((one, other), equal) in one.into_iter().zip(other).zip([first, second]) {
                    if let Equality::Derived(equal) = equal {
                        let gap = self.arena.difference(one, other).ok()?;
                        facts.push(self.equal(equal, gap, fact)?);
                    }
                }
                self.push(Deduction::Congruence { left, right, facts }, 1)?
            }
            Origin::Evaluate { atom, values } => {
                let mut facts = Vec::new();
                for (argument, (value, equality)) in arguments(self.arena, atom)?.into_iter().zip(values) {
                    if let Equality::Derived(equal) = equality {
                        let value_term = self.arena.constant(value).ok()?;
                        let gap = self.arena.difference(argument, value_term).ok()?;
                        facts.push((value, self.equal(equal, gap, fact)?));
                    }
                }
                self.push(Deduction::Evaluate { atom, values: facts }, 1)?
            }
        };
        self.ids.insert(fact, id);
        Some(())
    }

    fn axiom(&mut self, atom: AtomId) -> Option<FactId> {
        if let Some(id) = self.axioms.get(&atom) {
            return Some(*id);
        }
        let id = self.push(Deduction::Axiom(atom), 2)?;
        self.axioms.insert(atom, id);
        Some(id)
    }

    /// The first of the bounds of a bit operation on terms that the parts show not to be negative.
    fn bits(&mut self, atom: AtomId, parts: [Option<Parts>; 2], limit: FactIndex) -> Option<FactId> {
        if let Some(id) = self.bits.get(&atom) {
            return Some(*id);
        }
        let mut bounds = [FactId(0), FactId(0)];
        for ((bound, parts), term) in bounds.iter_mut().zip(parts).zip(arguments(self.arena, atom)?) {
            let Some(parts) = parts else { continue };
            let term = self.arena.combine(0, &[(term, -1)]).ok()?;
            *bound = if self.is_primitive(term)? { self.bound(parts, limit)? } else { self.at_most(term, 0, parts, limit)? };
        }
        let id = self.push(Deduction::Bits { atom, facts: (bounds[0], bounds[1]) }, 4)?;
        self.bits.insert(atom, id);
        Some(id)
    }

    /// A fact that excludes that the index of the store is that of the select.
    fn unequal(&mut self, atom: AtomId, index: Unequal, limit: FactIndex) -> Option<FactId> {
        let gap = gap(self.arena, atom)?;
        match index {
            Unequal::Stated(stated) => self.ids.get(&stated).copied(),
            Unequal::Bound { parts, .. } if self.is_primitive(gap)? => self.bound(parts, limit),
            Unequal::Bound { parts, sign } => {
                let negative = self.arena.combine(0, &[(gap, sign)]).ok()?;
                self.at_most(negative, -1, parts, limit)
            }
            Unequal::Equivalent { fact: stated, factor, same } => {
                let stated = *self.ids.get(&stated)?;
                let (low, high) = (self.summands(same.low, limit)?, self.summands(same.high, limit)?);
                let case = self.open(Literal { sign: Sign::Zero, term: gap })?;
                if self.is_open(case) {
                    // The stated term is at most 0, therefore below 0, though it equals the gap.
                    let bound = self.push(Deduction::Combine(with(high, case, factor)), 1)?;
                    let tightened = self.push(Deduction::Tighten { bound, disequality: stated }, 1)?;
                    self.push(Deduction::Combine(with(with(low, case, factor.checked_neg()?), tightened, 1)), 1)?;
                    self.close()?;
                }
                Some(case)
            }
        }
    }

    /// `term / divisor != 0`, from `term != 0`.
    fn divide(&mut self, stated: FactId, term: LinearId, divisor: i128) -> Option<FactId> {
        let linear = self.arena.linear(term).ok()?.clone();
        let mut parts = Vec::new();
        for (atom, coefficient) in &linear.summands {
            parts.push((self.arena.of_atom(*atom).ok()?, coefficient.checked_div(divisor)?));
        }
        let divided = self.arena.combine(linear.constant.checked_div(divisor)?, &parts).ok()?;
        let is_zero = self.open(Literal { sign: Sign::Zero, term: divided })?;
        if self.is_open(is_zero) {
            let bound = self.open(Literal { sign: Sign::AtMostZero, term })?;
            if self.is_open(bound) {
                let tightened = self.push(Deduction::Tighten { bound, disequality: stated }, 1)?;
                self.push(Deduction::Combine(vec![(is_zero, divisor.checked_neg()?), (tightened, 1)]), 1)?;
                self.close()?;
            }
        }
        if self.is_open(is_zero) {
            self.push(Deduction::Combine(vec![(is_zero, divisor), (FactId(is_zero.0.checked_add(1)?), 1)]), 1)?;
            self.close()?;
        }
        Some(is_zero)
    }
}

/// Adds a summand.
fn with(mut summands: Vec<(FactId, i128)>, fact: FactId, factor: i128) -> Vec<(FactId, i128)> {
    summands.push((fact, factor));
    summands
}

/// What congruence compares.
fn arguments(arena: &Arena, atom: AtomId) -> Option<Vec<LinearId>> {
    Some(match *arena.atom(atom).ok()? {
        Atom::Variable(_) => return None,
        Atom::Select { index, .. } => vec![index],
        Atom::Quotient { argument, .. } => vec![argument],
        Atom::Apply(Computation { left, right, .. }) => vec![left, right],
    })
}

/// The only fact of the combination.
fn only(combination: &Combination) -> Option<(FactIndex, i128)> {
    let (fact, multiplier) = combination.first_key_value()?;
    (combination.len() == 1).then_some((*fact, *multiplier))
}

/// Of a select from a store: index of the store minus index of the select.
fn gap(arena: &mut Arena, atom: AtomId) -> Option<LinearId> {
    let Atom::Select { array, index } = *arena.atom(atom).ok()? else { return None };
    let Array::Store(ArrayStore { index: at, .. }) = *arena.array(array).ok()? else { return None };
    arena.difference(at, index).ok()
}
