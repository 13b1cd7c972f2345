//! Upper bounds of linear terms, from the bounds of differences.

use crate::{
    bounds::{Node, ZERO},
    context::{Context, Sum},
    facts::{Disequality, Equal, Equality, FactIndex, Ground, Part, Unequal},
    form::{Difference, Form},
};

/// Terms of more summands are only bounded as a whole, or where they become differences.
const MATCHED_SUMMANDS: usize = 6;

/// An upper bound, and the differences whose bounds add up to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Estimate {
    pub(super) bound: i128,
    pub(super) parts: Vec<Part>,
}

impl Estimate {
    /// Adds `multiplier * (from - to)`; none if that has no bound.
    fn add(&mut self, context: &Context, from: Node, to: Node, multiplier: i128) -> Option<()> {
        if from == to {
            return Some(());
        }
        let bound = context.bounds.get(from, to)?;
        self.bound = self.bound.checked_add(bound.checked_mul(multiplier)?)?;
        self.parts.push(Part { ground: Ground::Path { from, to, bound }, multiplier });
        Some(())
    }
}

impl Context {
    /// The greatest value of the form, as far as known.
    pub(super) fn upper(&self, form: &Form) -> Option<i128> {
        if let Some(Difference { from, to, factor }) = form.difference() {
            return if from == to {
                Some(form.constant)
            } else {
                self.bounds.get(from, to)?.checked_mul(factor)?.checked_add(form.constant)
            };
        }
        self.estimate(form, None).map(|estimate| estimate.bound)
    }

    pub(super) fn is_at_most(&self, form: &Form, bound: i128) -> bool {
        self.upper(form).is_some_and(|upper| upper <= bound)
    }

    pub(super) fn is_zero(&self, form: &Form) -> bool {
        self.is_at_most(form, 0) && form.negated().is_some_and(|opposite| self.is_at_most(&opposite, 0))
    }

    /// The best upper bound of the form; without the use of one node.
    pub(super) fn estimate(&self, form: &Form, without: Option<Node>) -> Option<Estimate> {
        let start = Estimate { bound: form.constant, parts: Vec::new() };
        let mut best: Option<Estimate> = None;
        let mut offer = |estimate: Option<Estimate>| {
            if let Some(estimate) = estimate
                && best.as_ref().is_none_or(|best| estimate.bound < best.bound)
            {
                best = Some(estimate);
            }
        };
        let of_difference = |start: &Estimate, form: &Form| {
            let Difference { from, to, factor } = self.known_shape(form)?;
            if [Some(from), Some(to)].contains(&without) {
                return None;
            }
            let mut estimate = start.clone();
            estimate.add(self, from, to, factor)?;
            Some(estimate)
        };
        offer(of_difference(&start, form));
        if form.difference().is_none()
            && let Some((normal, parts)) = self.normal_form(form)
        {
            let start = Estimate { bound: normal.constant, parts };
            if normal != *form {
                offer(of_difference(&start, &normal));
            }
            if normal.difference().is_none() {
                // Sums of equal nodes are related by edges already.
                let alike = if without.is_some() { Vec::new() } else { self.sums_like(&normal) };
                for (sum, factor, mut equal) in alike {
                    equal.bound += start.bound;
                    equal.parts.extend_from_slice(&start.parts);
                    let (from, to) = if factor > 0 { (sum, ZERO) } else { (ZERO, sum) };
                    if equal.add(self, from, to, factor.abs()).is_some() {
                        offer(Some(equal));
                    }
                }
                let contracted = if without.is_some() { None } else { self.contracted(&normal) };
                for form in [Some(&normal), contracted.as_ref()].into_iter().flatten() {
                    if form.summands.len() <= MATCHED_SUMMANDS {
                        offer(self.matched(&start, &form.summands));
                    }
                }
                if without.is_none()
                    && let Some((solved, parts)) = self.solved_form(form).filter(|(solved, _)| *solved != normal)
                {
                    offer(self.estimate_solved(&solved, parts));
                }
            }
        }
        best
    }

    /// The best upper bound of a solved form, which is less than another by what the parts bound.
    pub(super) fn estimate_solved(&self, solved: &Form, parts: Vec<Part>) -> Option<Estimate> {
        let is_small = solved.summands.len() <= MATCHED_SUMMANDS;
        is_small.then(|| self.matched(&Estimate { bound: solved.constant, parts }, &solved.summands)).flatten()
    }

    /// The sums that are `normal` divided by a factor, after replacing equal nodes: the node, the factor, and what bounds
    /// `normal - factor * sum` from above, constants of `normal` left out.
    fn sums_like(&self, normal: &Form) -> Vec<(Node, i128, Estimate)> {
        let mut found = Vec::new();
        for sum in &self.sums {
            let Some((other, _)) = self.normal_form(&sum.form) else { continue };
            let (Some((_, one)), Some((_, two))) = (normal.summands.first(), other.summands.first()) else { continue };
            let factor = one / two;
            let is_multiple = other.summands.len() == normal.summands.len()
                && other
                    .summands
                    .iter()
                    .zip(&normal.summands)
                    .all(|(left, right)| left.0 == right.0 && left.1.checked_mul(factor) == Some(right.1));
            if !is_multiple {
                continue;
            }
            // normal = factor * (normal form of the sum) + constant; its normal form is at most the sum, by the opposite parts.
            let Some((opposite, parts)) = sum.form.negated().and_then(|opposite| self.normal_form(&opposite)) else { continue };
            let (form, parts) = if factor > 0 {
                (opposite, parts)
            } else {
                match self.normal_form(&sum.form) {
                    Some((form, parts)) => (form, parts),
                    None => continue,
                }
            };
            let Some(bound) = form.constant.checked_mul(factor.abs()) else { continue };
            let scaled = parts.iter().map(|part| Some(Part { multiplier: part.multiplier.checked_mul(factor.abs())?, ..*part }));
            if let Some(parts) = scaled.collect() {
                found.push((sum.node, factor, Estimate { bound, parts }));
            }
        }
        found
    }

    /// The form with sums that have nodes in place of their summands, if there are any: `count + word - 2 * half` is `count` and what is
    /// left of `word`, which is 1 at most.
    fn contracted(&self, form: &Form) -> Option<Form> {
        let mut contracted = None;
        for sum in self.sums.iter().filter(|sum| sum.form.summands.len() < form.summands.len()) {
            let form = contracted.as_ref().unwrap_or(form);
            let Some(factor) = sum.form.factor_within(form) else { continue };
            let mut rest = form.plus(&sum.form, factor.checked_neg()?)?;
            rest.add_node(sum.node, factor)?;
            contracted = Some(rest);
        }
        contracted
    }

    /// Replaces nodes that are known to equal older ones, up to a constant; with what bounds `form - normal` by 0.
    pub(super) fn normal_form(&self, form: &Form) -> Option<(Form, Vec<Part>)> {
        let (mut normal, mut parts) = (Form { constant: form.constant, summands: Vec::with_capacity(form.summands.len()) }, Vec::new());
        for (node, coefficient) in &form.summands {
            let (older, constant) = self.bounds.oldest_equal(*node);
            normal.add_node(older, *coefficient)?;
            normal.constant = normal.constant.checked_add(constant.checked_mul(*coefficient)?)?;
            if older != *node {
                parts.push(Part::fixed(*node, older, constant, *coefficient)?);
            }
        }
        Some((normal, parts))
    }

    /// Also replaces nodes by the sums of older ones that they are known to equal; with what bounds `form - solved` by 0.
    pub(super) fn solved_form(&self, form: &Form) -> Option<(Form, Vec<Part>)> {
        let (mut solved, mut parts) = self.normal_form(form)?;
        // What stands for a node is older: this ends.
        while let Some((node, coefficient, (sum, sign, value))) =
            solved.summands.iter().rev().find_map(|(node, coefficient)| Some((*node, *coefficient, self.definition(*node)?)))
        {
            // The sum, which is `sign * node` and older nodes, has this value.
            let factor = coefficient.checked_mul(sign)?;
            solved = solved.plus(&sum.form, factor.checked_neg()?)?;
            solved.constant = solved.constant.checked_add(value.checked_mul(factor)?)?;
            parts.push(Part::fixed(sum.node, ZERO, value, factor)?);
            let (normal, equal) = self.normal_form(&solved)?;
            solved = normal;
            parts.extend(equal);
            debug_assert!(solved.summands.iter().all(|(other, _)| *other != node));
        }
        Some((solved, parts))
    }

    /// A sum of known value of which the node is the newest summand, taken once: the sum, its sign, and the value. So a converted value that
    /// lies in its type is known to be what was converted.
    pub(super) fn definition(&self, node: Node) -> Option<(&Sum, i128, i128)> {
        self.sums.iter().find_map(|sum| match sum.form.summands.last() {
            Some((newest, sign @ (1 | -1))) if *newest == node => Some((sum, *sign, self.bounds.fixed(sum.node, ZERO)?)),
            _ => None,
        })
    }

    /// The best sum of bounds of differences, over all ways to pair positive with negative summands, or with 0.
    fn matched(&self, start: &Estimate, summands: &[(Node, i128)]) -> Option<Estimate> {
        let mut best: Option<Estimate> = None;
        // Recursion by a work list; each entry has one summand less to pair than the one it comes from.
        let mut open = vec![(start.clone(), summands.to_vec())];
        while let Some((estimate, mut rest)) = open.pop() {
            let Some(position) = rest.iter().position(|(_, coefficient)| *coefficient > 0) else {
                let mut estimate = estimate;
                let bounded = rest.iter().try_for_each(|(node, coefficient)| estimate.add(self, ZERO, *node, coefficient.checked_neg()?));
                if bounded.is_some() && best.as_ref().is_none_or(|best| estimate.bound < best.bound) {
                    best = Some(estimate);
                }
                continue;
            };
            let (node, coefficient) = rest.remove(position);
            let mut alone = estimate.clone();
            if alone.add(self, node, ZERO, coefficient).is_some() {
                open.push((alone, rest.clone()));
            }
            for (partner, (other, opposite)) in rest.iter().enumerate().filter(|(_, (_, opposite))| *opposite < 0) {
                let amount = coefficient.min(-opposite);
                let mut paired = estimate.clone();
                if paired.add(self, node, *other, amount).is_none() {
                    continue;
                }
                let mut left = rest.clone();
                left[partner].1 += amount;
                if coefficient > amount {
                    left.push((node, coefficient - amount));
                }
                left.retain(|(_, coefficient)| *coefficient != 0);
                open.push((paired, left));
            }
        }
        best
    }

    /// Why the form is 0, where it is.
    pub(super) fn equal(&mut self, form: &Form) -> Option<Equality> {
        if form.summands.is_empty() {
            return (form.constant == 0).then_some(Equality::Identical);
        }
        let opposite = form.negated()?;
        if !self.is_at_most(form, 0) || !self.is_at_most(&opposite, 0) {
            return None;
        }
        let (low, high) = (self.estimate(form, None)?, self.estimate(&opposite, None)?);
        let (low, high) = (self.add_parts(&low.parts), self.add_parts(&high.parts));
        Some(Equality::Derived(Equal { low, high }))
    }

    /// Why the form is not 0, where that is known.
    pub(super) fn unequal(&mut self, form: &Form) -> Option<Unequal> {
        let opposite = form.negated()?;
        for (sign, form) in [(1, form), (-1, &opposite)] {
            if self.is_at_most(form, -1) {
                let parts = self.estimate(form, None)?.parts;
                return Some(Unequal::Bound { parts: self.add_parts(&parts), sign });
            }
        }
        let (fact, stated) = self.stated_disequality(form)?;
        for (factor, form) in [(1, form), (-1, &opposite)] {
            if stated == *form {
                return Some(Unequal::Stated(fact));
            }
            let gap = form.plus(&stated, -1)?;
            if self.is_zero(&gap) {
                let (low, high) = (self.estimate(&gap, None)?, self.estimate(&gap.negated()?, None)?);
                let same = Equal { low: self.add_parts(&low.parts), high: self.add_parts(&high.parts) };
                return Some(Unequal::Equivalent { fact, factor, same });
            }
        }
        None
    }

    /// A disequality of the form, or of one that equals it or its opposite.
    pub(super) fn stated_disequality(&self, form: &Form) -> Option<(FactIndex, Form)> {
        if let Some(Difference { from, to, factor: 1 }) = self.known_shape(form) {
            let equal = |left, right| if left == right { Some(0) } else { self.bounds.fixed(left, right) };
            // The difference of both is a constant where both pairs of nodes are at a fixed distance.
            let matches = |from, to, constant, stated: &Disequality| {
                let (above, below) = (equal(from, stated.from)?, equal(to, stated.to)?);
                (above - below + constant == stated.constant).then_some(())
            };
            let found = self
                .disequalities
                .iter()
                .find(|stated| matches(from, to, form.constant, stated).or_else(|| matches(to, from, -form.constant, stated)).is_some());
            if let Some(stated) = found {
                return Some((stated.fact, self.disequality_form(*stated)?));
            }
        }
        let (normal, opposite) = (self.normal_form(form)?.0, self.normal_form(&form.negated()?)?.0);
        let may_match = |stated: &&Disequality| self.is_sum(stated.from) || form.difference().is_none();
        for stated in self.disequalities.iter().filter(may_match) {
            let stated_form = self.disequality_form(*stated)?;
            let stated_normal = self.normal_form(&stated_form)?.0;
            if stated_normal == normal || stated_normal == opposite {
                return Some((stated.fact, stated_form));
            }
        }
        None
    }

    /// Is the node a sum of several atoms?
    fn is_sum(&self, node: Node) -> bool {
        self.sums.binary_search_by_key(&node, |sum| sum.node).is_ok()
    }

    pub(super) fn disequality_form(&self, disequality: Disequality) -> Option<Form> {
        let mut form = Form { constant: disequality.constant, summands: Vec::new() };
        for (node, factor) in [(disequality.from, 1), (disequality.to, -1)] {
            match self.sums.iter().find(|sum| sum.node == node) {
                Some(sum) => form = form.plus(&sum.form, factor)?,
                None => form.add_node(node, factor)?,
            }
        }
        Some(form)
    }
}
