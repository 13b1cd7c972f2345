//! What a context would learn from literals, without a copy of it: most questions are decided, or seen to lead nowhere, by the bounds alone.

use crate::{
    bounds::{Change, ZERO},
    context::{Application, Context, Function},
    facts::Disequality,
    form::{Difference, Form},
};
use goatherd_certificates::{
    program::Operation,
    term::{Literal, Sign},
};
use goatherd_checker::term::Arena;
use std::sync::Arc;

/// What assuming literals leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Consequence {
    /// The bounds contradict them.
    Contradiction,
    /// Bounds change, and no other rule of the closure applies: there is no contradiction that it would find.
    Bounds,
    /// Another rule may apply.
    Open,
}

impl Context {
    /// What the literals lead to. Afterwards the context is as before.
    pub(super) fn probe(&mut self, arena: &mut Arena, literals: &[Literal]) -> Consequence {
        let mut forms = Vec::with_capacity(literals.len());
        for literal in literals {
            let Some(form) = self.form(arena, literal.term) else { return Consequence::Open };
            forms.push((literal.sign, form));
        }
        self.saturate(arena);
        let has_disequality = literals.iter().any(|literal| literal.sign == Sign::NotZero);
        if has_disequality && !self.reads.is_empty() {
            return Consequence::Open;
        }
        let (bounds, disequalities, watched) = (Arc::clone(&self.bounds), self.disequalities.len(), self.watched());
        let consequence = forms.iter().find_map(|(sign, form)| self.tighten(*sign, form));
        let consequence = consequence.unwrap_or_else(|| if self.is_settled(&watched) { Consequence::Bounds } else { Consequence::Open });
        self.bounds = bounds;
        self.disequalities.truncate(disequalities);
        consequence
    }

    /// Adds to bounds and disequalities what the form's sign says. A consequence, where there is no more to ask.
    fn tighten(&mut self, sign: Sign, form: &Form) -> Option<Consequence> {
        let Some(Difference { from, to, factor }) = self.known_shape(form) else { return Some(Consequence::Open) };
        let constant = form.constant;
        if from == to {
            let holds = match sign {
                Sign::AtMostZero => constant <= 0,
                Sign::Zero => constant == 0,
                Sign::NotZero => constant != 0,
            };
            return (!holds).then_some(Consequence::Contradiction);
        }
        let Some(opposite) = constant.checked_neg() else { return Some(Consequence::Open) };
        let edges = match sign {
            Sign::AtMostZero => [Some((from, to, opposite)), None],
            Sign::Zero => [Some((from, to, opposite)), Some((to, from, constant))],
            Sign::NotZero => {
                if constant % factor == 0 {
                    self.disequalities.push(Disequality { from, to, constant: constant / factor, fact: 0 });
                }
                [None, None]
            }
        };
        for (from, to, bound) in edges.into_iter().flatten() {
            if Arc::make_mut(&mut self.bounds).tighten(from, to, bound.div_euclid(factor), &self.meter) == Change::Contradiction {
                return Some(Consequence::Contradiction);
            }
        }
        None
    }

    /// The bounds on which rules depend that look at more than a pair of nodes.
    fn watched(&self) -> Vec<Option<i128>> {
        let mut watched = Vec::new();
        for read in &self.reads {
            watched.extend(self.extremes(&read.gap));
        }
        for Application { node, function, arguments, .. } in &self.applications {
            if matches!(function, Function::Apply(Operation::Add | Operation::Or | Operation::Xor, _)) {
                watched.extend(arguments.iter().flat_map(|argument| self.extremes(argument)));
                watched.extend([self.bounds.get(*node, ZERO), self.bounds.get(ZERO, *node)]);
            }
        }
        watched
    }

    /// What changes whenever the greatest or the least value of the form does.
    fn extremes(&self, form: &Form) -> [Option<i128>; 2] {
        match form.difference() {
            Some(Difference { from, to, .. }) => [self.bounds.get(from, to), self.bounds.get(to, from)],
            None => [self.upper(form), form.negated().and_then(|opposite| self.upper(&opposite))],
        }
    }

    /// Does no rule apply to the bounds as they are, given what was watched before they changed?
    fn is_settled(&self, watched: &[Option<i128>]) -> bool {
        let is_tight = |disequality: &Disequality| {
            let Disequality { from, to, constant, .. } = *disequality;
            self.bounds.get(from, to) == constant.checked_neg() || self.bounds.get(to, from) == Some(constant)
        };
        let may_become_equal = |left: &Application, right: &Application| {
            left.function == right.function && self.bounds.fixed(left.node, right.node) != Some(0) && self.may_be_equal(left, right)
        };
        !self.disequalities.iter().any(is_tight)
            && self.sums.iter().all(|sum| self.signature(sum.node, &sum.form) == sum.seen)
            && !self
                .applications
                .iter()
                .enumerate()
                .any(|(position, right)| self.applications[..position].iter().any(|left| may_become_equal(left, right)))
            && self.watched() == watched
    }
}

#[cfg(test)]
mod tests {
    use super::Consequence;
    use crate::context::Context;
    use goatherd_certificates::term::{Literal, Sign, Variable};
    use goatherd_checker::{budget::Budget, term::Arena};

    #[test]
    fn bounds_decide_and_disequalities_stay_open() {
        let mut arena = Arena::new(&[], Budget::new(1 << 20)).unwrap();
        let [x, y, z] = [0, 1, 2].map(|number| arena.variable(Variable { sort: None, number }).unwrap());
        let below = arena.less(x, y).unwrap();
        let equal = arena.equal(y, z).unwrap();
        let apart = Literal { sign: Sign::NotZero, ..equal };
        let mut context = Context::of(&mut arena, &[below, apart]);
        let (above, at_most, other) = (arena.at_most(y, x).unwrap(), arena.at_most(y, z).unwrap(), arena.at_most(x, z).unwrap());
        let opposite = arena.at_most(z, y).unwrap();
        assert_eq!(context.probe(&mut arena, &[above]), Consequence::Contradiction);
        assert_eq!(context.probe(&mut arena, &[other]), Consequence::Bounds);
        assert_eq!(context.probe(&mut arena, &[at_most]), Consequence::Open);
        assert_eq!(context.probe(&mut arena, &[at_most, opposite]), Consequence::Open);
        assert!(!context.is_contradictory(&mut arena));
    }
}
