//! The closure of a context under its rules.

use crate::{
    bounds::{Node, ZERO},
    context::{Application, Context, Function, Sum},
    estimate::Estimate,
    facts::{Edge, Equality, Ground, Origin, Part},
    form::{Difference, Form},
};
use goatherd_certificates::{
    program::{IntegerType, Operation},
    term::{Array, ArrayStore, Atom, AtomId, Computation, LinearId, Literal, Sign},
};
use goatherd_checker::{
    arithmetic::{range, width},
    term::{Arena, lies_in},
};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

/// Bounds can creep up by 1 for ever; after so many rounds the rest is left to other means.
const ROUNDS: usize = 12;

impl Context {
    /// Applies the rules until nothing new follows.
    pub(super) fn saturate(&mut self, arena: &mut Arena) {
        for _ in 0..ROUNDS {
            if self.is_saturated || self.conflict.is_some() || !self.meter.pay(self.steps_of_round()) {
                break;
            }
            self.is_saturated = true;
            self.tighten_disequalities();
            self.bound_sums();
            self.relate_definitions();
            self.read_stores(arena);
            self.equate_applications(arena);
            self.evaluate_applications(arena);
            self.equate_conversions(arena);
            self.bound_bits(arena);
        }
        self.is_saturated = true;
    }

    /// About how many pairs a round looks at: of sums, of the nodes of each sum, of applications.
    fn steps_of_round(&self) -> usize {
        let nodes: usize = self.sums.iter().map(|sum| sum.form.summands.len().pow(2)).sum();
        1 + self.disequalities.len() + self.reads.len() + nodes + self.sums.len().pow(2) + self.applications.len().pow(2)
    }

    /// `x <= y` and `x != y` give `x < y`.
    fn tighten_disequalities(&mut self) {
        for position in 0..self.disequalities.len() {
            let disequality = self.disequalities[position];
            let directions = [
                (disequality.from, disequality.to, disequality.constant.checked_neg()),
                (disequality.to, disequality.from, Some(disequality.constant)),
            ];
            for (from, to, bound) in directions {
                let Some(bound) = bound else { continue };
                if self.bounds.get(from, to) != Some(bound) {
                    continue;
                }
                let parts = self.add_parts(&[Part { ground: Ground::Path { from, to, bound }, multiplier: 1 }]);
                let fact = self.add_fact(Origin::Tighten { bound: parts, disequality: disequality.fact });
                self.add_edge(Edge { from, to, bound: bound - 1, fact, factor: 1 });
                if self.conflict.is_some() {
                    return;
                }
            }
        }
    }

    /// Relates the node of a sum to the nodes that it is the sum of.
    fn bound_sums(&mut self) {
        for position in 0..self.sums.len() {
            let (node, form) = (self.sums[position].node, Arc::clone(&self.sums[position].form));
            let signature = self.signature(node, &form);
            if signature == self.sums[position].seen {
                continue;
            }
            self.sums[position].seen = signature;
            let Some(opposite) = form.negated() else { continue };
            // The sum is at most what its summands are, and at least.
            if let Some(estimate) = self.estimate(&form, Some(node)) {
                self.learn(Edge { from: node, to: ZERO, bound: estimate.bound, fact: 0, factor: 1 }, &estimate.parts, false);
            }
            if let Some(estimate) = self.estimate(&opposite, Some(node)) {
                self.learn(Edge { from: ZERO, to: node, bound: estimate.bound, fact: 0, factor: 1 }, &estimate.parts, false);
            }
            self.bound_difference(node, &form, 1);
            self.bound_difference(node, &opposite, -1);
            self.divide(node, &form, &opposite);
            for (summand, coefficient) in &form.summands {
                self.bound_summand(node, &form, *summand, *coefficient);
                self.bound_summand(node, &opposite, *summand, -*coefficient);
            }
            self.equate_sums(node, &form);
            if self.conflict.is_some() {
                return;
            }
        }
    }

    /// Nodes that are sums of others are as far apart as these sums: `i + j < m + n` where `i < m` and `j < n`.
    fn relate_definitions(&mut self) {
        let newest = |sum: &Sum| sum.form.summands.last().map(|(node, _)| *node).filter(|node| self.definition(*node).is_some());
        let mut defined: Vec<Node> = self.sums.iter().filter_map(newest).collect();
        defined.sort_unstable();
        defined.dedup();
        for from in &defined {
            for to in defined.iter().filter(|to| *to != from) {
                let Some(difference) = Form::node(*from).plus(&Form::node(*to), -1) else { continue };
                let estimate = self.solved_form(&difference).and_then(|(solved, parts)| self.estimate_solved(&solved, parts));
                if let Some(Estimate { bound, parts }) = estimate {
                    self.learn(Edge { from: *from, to: *to, bound, fact: 0, factor: 1 }, &parts, false);
                }
            }
        }
    }

    /// A number that changes with all that the bounds of the sum are derived from; a collision only loses an inference.
    pub(super) fn signature(&self, node: Node, form: &Form) -> u64 {
        let mut hasher = DefaultHasher::new();
        let nodes: Vec<Node> = form.summands.iter().map(|(node, _)| *node).chain([node, ZERO]).collect();
        for node in &nodes {
            self.bounds.oldest_equal(*node).hash(&mut hasher);
            self.definition(*node).map(|(sum, _, value)| (sum.node, value)).hash(&mut hasher);
        }
        self.bounds.total(&nodes).hash(&mut hasher);
        hasher.finish() | 1
    }

    /// Sums of equal nodes are equal.
    fn equate_sums(&mut self, node: Node, form: &Form) {
        let Some((normal, above)) = self.normal_form(form) else { return };
        for position in 0..self.sums.len() {
            let (other, other_form) = (self.sums[position].node, Arc::clone(&self.sums[position].form));
            if other == node || other_form.summands.len() < normal.summands.len() || self.bounds.fixed(node, other).is_some() {
                continue;
            }
            let Some((other_normal, other_above)) = self.normal_form(&other_form) else { continue };
            if other_normal.summands != normal.summands {
                continue;
            }
            let below = form.negated().and_then(|opposite| self.normal_form(&opposite));
            let other_below = other_form.negated().and_then(|opposite| self.normal_form(&opposite));
            let (Some((_, below)), Some((_, other_below))) = (below, other_below) else { continue };
            let Some(gap) = normal.constant.checked_sub(other_normal.constant) else { continue };
            // node <= normal <= other + gap, and the other way round.
            let edge = Edge { from: node, to: other, bound: gap, fact: 0, factor: 1 };
            self.learn(edge, &[above.as_slice(), &other_below].concat(), false);
            let edge = Edge { from: other, to: node, bound: -gap, fact: 0, factor: 1 };
            self.learn(edge, &[other_above, below].concat(), false);
        }
    }

    /// Where equal nodes make the form, which is `sign` times the sum, a difference, that is bounded like the sum.
    fn bound_difference(&mut self, node: usize, form: &Form, sign: i128) {
        // normal <= form, from -form <= -normal.
        let Some((opposite, parts)) = form.negated().and_then(|opposite| self.solved_form(&opposite)) else { return };
        let Some(normal) = opposite.negated() else { return };
        let Some(Difference { from, to, factor }) = normal.difference() else { return };
        if from == to {
            return;
        }
        if factor == 1 && to == ZERO && from != ZERO {
            // The sum is the node plus a constant: related to all others at once.
            let edge = |bound| {
                let (from, to) = if sign > 0 { (from, node) } else { (node, from) };
                Edge { from, to, bound, fact: 0, factor: 1 }
            };
            if sign > 0 {
                self.learn(edge(-normal.constant), &parts, false);
            }
            if sign > 0
                && let Some((_, parts)) = self.solved_form(form)
            {
                self.learn(Edge { from: node, to: from, bound: normal.constant, fact: 0, factor: 1 }, &parts, false);
            }
        }
        let (sum_from, sum_to) = if sign > 0 { (node, ZERO) } else { (ZERO, node) };
        let mut estimate = Estimate { bound: -normal.constant, parts };
        let Some(bound) = self.bounds.get(sum_from, sum_to) else { return };
        estimate.bound += bound;
        estimate.parts.push(Part { ground: Ground::Path { from: sum_from, to: sum_to, bound }, multiplier: 1 });
        let edge = Edge { from, to, bound: estimate.bound.div_euclid(factor), fact: 0, factor: 1 };
        self.learn(edge, &estimate.parts, factor != 1);
    }

    /// Where equal nodes give the coefficients a common divisor, and the bounds leave one multiple of it, that is a sum of known value: the
    /// number of elements of an allocation of `(m + n) * sizeof(int)` bytes is `m + n`.
    fn divide(&mut self, node: Node, form: &Form, opposite: &Form) {
        let (Some((normal, below)), Some((_, above))) = (self.solved_form(form), self.solved_form(opposite)) else { return };
        let divisor = normal.divisor();
        let (Some(high), Some(low)) = (self.bounds.get(node, ZERO), self.bounds.get(ZERO, node)) else { return };
        if divisor <= 1 || normal.difference().is_some() {
            return;
        }
        let (most, least) = ((high - normal.constant).div_euclid(divisor), (low + normal.constant).div_euclid(divisor));
        if most + least != 0 {
            return;
        }
        let summands = normal.summands.iter().map(|(node, coefficient)| (*node, coefficient / divisor)).collect();
        let Some(Difference { from, to, .. }) = self.shape(&Form { constant: 0, summands }) else { return };
        let path = |from, to, bound| Part { ground: Ground::Path { from, to, bound }, multiplier: 1 };
        let (above, below) = ([above, vec![path(node, ZERO, high)]].concat(), [below, vec![path(ZERO, node, low)]].concat());
        self.learn(Edge { from, to, bound: most, fact: 0, factor: 1 }, &above, true);
        self.learn(Edge { from: to, to: from, bound: least, fact: 0, factor: 1 }, &below, true);
    }

    /// What the bound of the form, which is the sum of the node or its opposite, leaves for one of its summands.
    fn bound_summand(&mut self, node: usize, form: &Form, summand: usize, coefficient: i128) {
        let Some((_, leading)) = form.summands.first() else { return };
        let (from, to) = if *leading > 0 { (node, ZERO) } else { (ZERO, node) };
        let Some(bound) = self.bounds.get(from, to) else { return };
        // coefficient * summand = form - rest <= bound - rest
        let mut rest = form.clone();
        rest.summands.retain(|(other, _)| *other != summand);
        let Some(estimate) = rest.negated().and_then(|opposite| self.estimate(&opposite, Some(node))) else { return };
        let Some(total) = estimate.bound.checked_add(bound) else { return };
        let factor = coefficient.abs();
        let (from_summand, to_summand) = if coefficient > 0 { (summand, ZERO) } else { (ZERO, summand) };
        let edge = Edge { from: from_summand, to: to_summand, bound: total.div_euclid(factor), fact: 0, factor: 1 };
        if self.bounds.is_at_most(edge.from, edge.to, edge.bound) {
            return;
        }
        let mut parts = estimate.parts;
        parts.push(Part { ground: Ground::Path { from, to, bound }, multiplier: 1 });
        self.learn(edge, &parts, factor != 1);
    }

    /// Adds the edge if it is new, as the sum of the parts.
    fn learn(&mut self, edge: Edge, parts: &[Part], is_rounded: bool) {
        if self.conflict.is_some() || edge.from == edge.to && edge.bound >= 0 || self.bounds.is_at_most(edge.from, edge.to, edge.bound) {
            return;
        }
        let parts = self.add_parts(parts);
        let fact = self.add_fact(Origin::Sum { parts, is_rounded });
        self.add_edge(Edge { fact, ..edge });
    }

    /// Resolves reads of stores whose indices are known to be equal or different.
    fn read_stores(&mut self, arena: &mut Arena) {
        let mut position = 0;
        while position < self.reads.len() && self.conflict.is_none() {
            let (atom, gap) = (self.reads[position].atom, Arc::clone(&self.reads[position].gap));
            let read = match self.equal(&gap) {
                Some(Equality::Derived(index)) => Some((Origin::ReadSame { atom, index }, true)),
                Some(Equality::Identical) => None,
                None => self.unequal(&gap).map(|index| (Origin::ReadOther { atom, index }, false)),
            };
            let Some((origin, is_same)) = read else {
                position += 1;
                continue;
            };
            self.reads.swap_remove(position);
            if let Some(other) = read_value(arena, atom, is_same) {
                let fact = self.add_fact(origin);
                self.equate(arena, fact, atom, other);
            }
        }
    }

    /// Equal arguments give equal results.
    fn equate_applications(&mut self, arena: &mut Arena) {
        for later in 1..self.applications.len() {
            for earlier in 0..later {
                let (left, right) = (&self.applications[earlier], &self.applications[later]);
                if left.function != right.function || self.bounds.fixed(left.node, right.node) == Some(0) || !self.may_be_equal(left, right)
                {
                    continue;
                }
                let (left, right) = (left.clone(), right.clone());
                if let Some([first, second]) = self.equal_arguments(&left, &right) {
                    let fact = self.add_fact(Origin::Congruence { left: left.atom, right: right.atom, first, second });
                    if let Ok(other) = arena.of_atom(right.atom) {
                        self.equate(arena, fact, left.atom, other);
                    }
                }
                if self.conflict.is_some() {
                    return;
                }
            }
        }
    }

    /// What operations and tables give for arguments that are known to be constants.
    fn evaluate_applications(&mut self, arena: &mut Arena) {
        for position in 0..self.applications.len() {
            let application = &self.applications[position];
            if self.conflict.is_some()
                || !application.is_computed(arena)
                || self.evaluated.contains(&application.atom)
                || application.arguments.iter().any(|argument| self.constant(argument).is_none())
            {
                continue;
            }
            let application = application.clone();
            self.evaluated.push(application.atom);
            // None means that a term is too large: nothing is known of the result then.
            let _ = self.evaluate_application(arena, &application);
        }
    }

    fn evaluate_application(&mut self, arena: &mut Arena, Application { atom, arguments, .. }: &Application) -> Option<()> {
        let constants = arguments.iter().map(|argument| self.constant(argument)).collect::<Option<Vec<i128>>>()?;
        let mut values = [(0, Equality::Identical); 2];
        for ((argument, constant), value) in arguments.iter().zip(&constants).zip(&mut values) {
            let gap = argument.plus(&Form { constant: *constant, summands: Vec::new() }, -1)?;
            *value = (*constant, self.equal(&gap)?);
        }
        let terms = constants.into_iter().map(|constant| arena.constant(constant)).collect::<Result<Vec<_>, _>>().ok()?;
        let result = match *arena.atom(*atom).ok()? {
            Atom::Select { array, .. } => arena.select(array, *terms.first()?).ok()?,
            Atom::Apply(Computation { operation, kind, .. }) => arena.apply(operation, kind, *terms.first()?, *terms.get(1)?).ok()?,
            Atom::Variable(_) | Atom::Quotient { .. } => return None,
        };
        let fact = self.add_fact(Origin::Evaluate { atom: *atom, values });
        self.equate(arena, fact, *atom, result);
        Some(())
    }

    /// The value of the form, if its bounds leave one. Cheap: sums that have no node are not looked into.
    fn constant(&self, form: &Form) -> Option<i128> {
        if form.summands.is_empty() {
            return Some(form.constant);
        }
        let Difference { from, to, factor } = self.known_shape(form)?;
        self.bounds.fixed(from, to)?.checked_mul(factor)?.checked_add(form.constant)
    }

    /// A conversion is the value of its type that is equal modulo the period to its argument, or to the argument's conversion to a type at
    /// least as wide, where the bounds leave only one.
    fn equate_conversions(&mut self, arena: &mut Arena) {
        let conversions: Vec<(IntegerType, Application)> = self
            .applications
            .iter()
            .filter_map(|application| match application.function {
                Function::Apply(Operation::Add, kind) if application.arguments[1] == Form::default() => Some((kind, application.clone())),
                _ => None,
            })
            .collect();
        for (kind, conversion) in &conversions {
            let mut sources = vec![(conversion.arguments[0].clone(), None)];
            for (other, wide) in &conversions {
                if other != kind && width(*other) >= width(*kind) && wide.arguments == conversion.arguments {
                    sources.push((Form::node(wide.node), Some(wide.atom)));
                }
            }
            for (source, wide) in sources {
                if self.conflict.is_some() || self.equate_conversion(arena, *kind, conversion, &source, wide).is_some() {
                    break;
                }
            }
        }
    }

    /// Bounds of `|` and `^` on terms that are not negative.
    fn bound_bits(&mut self, arena: &Arena) {
        for position in 0..self.applications.len() {
            let Function::Apply(operation @ (Operation::Or | Operation::Xor), kind) = self.applications[position].function else {
                continue;
            };
            if self.conflict.is_none() && !self.bounded.contains(&self.applications[position].atom) {
                let application = self.applications[position].clone();
                self.bound_operation(arena, operation, kind, &application);
            }
        }
    }

    fn bound_operation(
        &mut self,
        arena: &Arena,
        operation: Operation,
        kind: IntegerType,
        Application { atom, node, arguments, .. }: &Application,
    ) -> Option<()> {
        let Atom::Apply(Computation { left, right, .. }) = *arena.atom(*atom).ok()? else { return None };
        let mut reasons = [None; 2];
        for ((form, term), reason) in arguments.iter().zip([left, right]).zip(&mut reasons) {
            let evident = arena.range(term).filter(|_| lies_in(arena.range(term), kind))?;
            if evident.0 < 0 {
                let estimate = self.estimate(&form.negated()?, None).filter(|estimate| estimate.bound <= 0)?;
                *reason = Some(self.add_parts(&estimate.parts));
            }
        }
        let (result, [left, right]) = (Form::node(*node), arguments.first_chunk()?);
        let lost = if operation == Operation::Or { 0 } else { -1 };
        let bounds = [
            result.negated()?,
            result.plus(left, -1)?.plus(right, -1)?,
            left.plus(right, lost)?.plus(&result, -1)?,
            right.plus(left, lost)?.plus(&result, -1)?,
        ];
        self.bounded.push(*atom);
        for (number, bound) in (0..).zip(&bounds) {
            let fact = self.add_fact(Origin::Bits { atom: *atom, number, left: reasons[0], right: reasons[1] });
            self.bound(bound, fact, 1);
        }
        Some(())
    }

    /// The one shift of the source by periods that its bounds leave inside the type, if there is one.
    fn equate_conversion(
        &mut self,
        arena: &mut Arena,
        kind: IntegerType,
        conversion: &Application,
        source: &Form,
        wide: Option<AtomId>,
    ) -> Option<()> {
        let (least, greatest) = range(kind);
        let period = greatest - least + 1;
        let opposite = source.negated()?;
        let (high, low) = (self.upper(source)?, self.upper(&opposite)?.checked_neg()?);
        // The least shift that brings the lower bound into the type must keep the upper bound in it.
        let periods = least.checked_sub(low)?.checked_add(period - 1)?.div_euclid(period);
        let shift = periods.checked_mul(period)?;
        if high.checked_add(shift)? > greatest {
            return None;
        }
        let mut gap = Form::node(conversion.node).plus(source, -1)?;
        gap.constant = gap.constant.checked_sub(shift)?;
        if self.is_zero(&gap) {
            return Some(());
        }
        let Atom::Apply(Computation { left, .. }) = *arena.atom(conversion.atom).ok()? else { return None };
        let base = wide.map_or(Ok(left), |atom| arena.of_atom(atom)).ok()?;
        let value = arena.plus(base, shift).ok()?;
        let (evident_low, evident_high) = arena.range(value).map_or((false, false), |(low, high)| (low >= least, high <= greatest));
        let low = if evident_low { None } else { Some(self.estimate(&opposite, None)?.parts) };
        let high = if evident_high { None } else { Some(self.estimate(source, None)?.parts) };
        let (low, high) = (low.map(|parts| self.add_parts(&parts)), high.map(|parts| self.add_parts(&parts)));
        let fact = self.add_fact(Origin::Convert { atom: conversion.atom, value, low, high });
        self.equate(arena, fact, conversion.atom, value);
        Some(())
    }

    fn equal_arguments(&mut self, left: &Application, right: &Application) -> Option<[Equality; 2]> {
        let mut equal = [Equality::Identical; 2];
        for ((one, other), equal) in left.arguments.iter().zip(right.arguments.iter()).zip(&mut equal) {
            *equal = self.equal(&one.plus(other, -1)?)?;
        }
        Some(equal)
    }

    /// Could the applications be of equal arguments? Cheap, and wrong only where a sum is equal to another term.
    pub(super) fn may_be_equal(&self, left: &Application, right: &Application) -> bool {
        left.arguments.iter().zip(right.arguments.iter()).all(|(one, other)| match (one.as_node(), other.as_node()) {
            (Some((one, above)), Some((other, below))) => {
                one == other && above == below || self.bounds.fixed(one, other) == below.checked_sub(above)
            }
            _ => true,
        })
    }

    /// The atom equals the term, by the fact.
    fn equate(&mut self, arena: &mut Arena, fact: usize, atom: AtomId, other: LinearId) {
        let term = arena.of_atom(atom).and_then(|term| arena.difference(term, other));
        if let Ok(term) = term {
            // An error means that a term is too large: the fact is not used.
            let _ = self.assert(arena, fact, Literal { sign: Sign::Zero, term });
        }
    }
}

/// What a select from a store reads, given whether both are at the same index.
fn read_value(arena: &mut Arena, atom: AtomId, is_same: bool) -> Option<LinearId> {
    let Atom::Select { array, index } = *arena.atom(atom).ok()? else { return None };
    let Array::Store(ArrayStore { array: below, value, .. }) = *arena.array(array).ok()? else { return None };
    if is_same { Some(value) } else { arena.select(below, index).ok() }
}
