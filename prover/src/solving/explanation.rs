//! Writes the conflict of a context down as a refutation.
//!
//! First the facts that the conflict needs are collected, backwards, with the shortest paths through the edges that were known when each
//! fact was learned; then they are written in the order in which they were learned, so that premises come first.

use super::{
    bounds::Node,
    context::Context,
    facts::{Equal, FactIndex, Ground, Origin, Parts, Unequal},
};
use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    term::{Array, Atom, AtomId, LinearId, Literal, Sign},
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
    let mut writer = Writer { context, arena, deductions: Vec::new(), next: u32::try_from(literals).ok()?, ids: BTreeMap::new(), axioms: BTreeMap::new() };
    for fact in needed {
        writer.write(fact)?;
    }
    writer.sum(&conflict)?;
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
        Origin::Tighten { .. } => 3,
        Origin::ReadSame { .. } | Origin::ReadOther { .. } | Origin::Congruence { .. } => 4,
    }
}

/// The edges of the cheapest path whose bounds add up to at most `bound`, by facts older than the limit.
fn shortest_path(context: &Context, from: Node, to: Node, bound: i128, limit: FactIndex) -> Option<Vec<usize>> {
    if from == to && bound >= 0 {
        return Some(Vec::new());
    }
    let edges: Vec<(usize, usize)> = (0..context.edges.len())
        .filter(|edge| context.edges[*edge].fact < limit)
        .map(|edge| (edge, cost(context.facts[context.edges[edge].fact]).max(1)))
        .collect();
    let size = context.bounds.size();
    // Per cost, per node: the least bound of `from - node`, and the last edge; none where a lower cost is as good.
    let mut layers: Vec<Vec<Option<(i128, Option<usize>)>>> = Vec::new();
    let mut best: Vec<Option<i128>> = vec![None; size];
    let mut first = vec![None; size];
    first[from] = Some((0, None));
    best[from] = Some(0);
    layers.push(first);
    let mut idle = 0;
    let greatest_step = edges.iter().map(|(_, cost)| *cost).max().unwrap_or(0);
    for total in 1..GREATEST_COST {
        let mut layer: Vec<Option<(i128, Option<usize>)>> = vec![None; size];
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
fn trace(context: &Context, layers: &[Vec<Option<(i128, Option<usize>)>>], to: Node) -> Vec<usize> {
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
    match origin {
        Origin::Given { .. } | Origin::Lower(_) | Origin::Upper(_) => Vec::new(),
        Origin::Sum { parts, .. } => vec![parts],
        Origin::Tighten { bound, .. } => vec![bound],
        Origin::ReadSame { index, .. } => of_equal(index).to_vec(),
        Origin::ReadOther { index, .. } => match index {
            Unequal::Bound(parts) => vec![parts],
            Unequal::Stated(_) => Vec::new(),
            Unequal::Equivalent { same, .. } => of_equal(same).to_vec(),
        },
        Origin::Congruence { first, second, .. } => first.into_iter().chain(second).flat_map(of_equal).collect(),
    }
}

/// Facts that the origin names directly.
fn named(origin: Origin) -> Option<FactIndex> {
    match origin {
        Origin::Tighten { disequality, .. } => Some(disequality),
        Origin::ReadOther { index: Unequal::Stated(fact) | Unequal::Equivalent { fact, .. }, .. } => Some(fact),
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
}

impl Writer<'_> {
    /// Adds a deduction that makes so many facts; the first of them.
    fn push(&mut self, deduction: Deduction, facts: u32) -> Option<FactId> {
        let first = FactId(self.next);
        self.next = self.next.checked_add(facts)?;
        self.deductions.push(deduction);
        Some(first)
    }

    fn sum(&mut self, combination: &Combination) -> Option<FactId> {
        let parts = combination.iter().map(|(fact, multiplier)| Some((*self.ids.get(fact)?, *multiplier)));
        let mut parts: Vec<_> = parts.collect::<Option<_>>()?;
        parts.sort_unstable();
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

    fn equal(&mut self, equal: Equal, limit: FactIndex) -> Option<(FactId, FactId)> {
        Some((self.bound_or_equality(equal.low, limit)?, self.bound_or_equality(equal.high, limit)?))
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
            Origin::ReadSame { atom, index } => {
                let facts = self.equal(index, fact)?;
                self.push(Deduction::ReadSame { atom, facts }, 1)?
            }
            Origin::ReadOther { atom, index } => {
                let excluded = match index {
                    Unequal::Bound(parts) => self.bound(parts, fact)?,
                    Unequal::Stated(stated) => *self.ids.get(&stated)?,
                    Unequal::Equivalent { fact: stated, factor, same } => self.disequality(atom, stated, factor, same, fact)?,
                };
                self.push(Deduction::ReadOther { atom, fact: excluded }, 1)?
            }
            Origin::Congruence { left, right, first, second } => {
                let mut facts = Vec::new();
                for equal in first.into_iter().chain(second) {
                    facts.push(self.equal(equal, fact)?);
                }
                self.push(Deduction::Congruence { left, right, facts }, 1)?
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

    /// The index of the store is not that of the select, since a disequality of an equal term is known: by a case.
    fn disequality(&mut self, atom: AtomId, stated: FactIndex, factor: i128, same: Equal, limit: FactIndex) -> Option<FactId> {
        let term = gap(self.arena, atom)?;
        let before = self.next;
        let case = self.push(Deduction::Case(Literal { sign: Sign::Zero, term }), 1)?;
        // factor * gap <= stated, and the other way round.
        let mut bounds = Vec::new();
        for (parts, sign) in [(same.high, factor), (same.low, factor.checked_neg()?)] {
            let combination = combine(self.context, parts, limit)?;
            let summands = combination.iter().map(|(fact, multiplier)| Some((*self.ids.get(fact)?, *multiplier)));
            let mut summands: Vec<_> = summands.collect::<Option<_>>()?;
            summands.push((case, sign));
            bounds.push(summands);
        }
        let mut closing = bounds.pop()?;
        let bound = self.push(Deduction::Combine(bounds.pop()?), 1)?;
        let disequality = *self.ids.get(&stated)?;
        let tightened = self.push(Deduction::Tighten { bound, disequality }, 1)?;
        closing.push((tightened, 1));
        self.push(Deduction::Combine(closing), 1)?;
        // The case is closed: its facts are gone, its negation is there.
        self.next = before.checked_add(1)?;
        Some(FactId(before))
    }
}

/// The only fact of the combination.
fn only(combination: &Combination) -> Option<(FactIndex, i128)> {
    let (fact, multiplier) = combination.first_key_value()?;
    (combination.len() == 1).then_some((*fact, *multiplier))
}

/// Of a select from a store: index of the store minus index of the select.
fn gap(arena: &mut Arena, atom: AtomId) -> Option<LinearId> {
    let Atom::Select { array, index } = *arena.atom(atom).ok()? else { return None };
    let Array::Store { index: at, .. } = *arena.array(array).ok()? else { return None };
    arena.difference(at, index).ok()
}
