//! What a context shows: by its closure, and beyond that by the solver that it was given.

use crate::{context::Context, form::Form, probe::Consequence, solver::Backend};
use goatherd_certificates::term::{Array, ArrayId, ArrayStore, LinearId, Literal, Sign};
use goatherd_checker::term::Arena;

impl Context {
    /// Is it known that no valuation satisfies all the literals?
    pub fn is_contradictory(&mut self, arena: &mut Arena) -> bool {
        self.saturate(arena);
        self.conflict.is_some()
    }

    /// Is it known that the literal holds wherever the context does?
    pub fn entails(&mut self, arena: &mut Arena, literal: Literal) -> bool {
        if let Some(is_true) = arena.evident(literal) {
            return is_true || self.is_contradictory(arena);
        }
        if self.is_evident(arena, literal) {
            if let Ok(negation) = arena.negate(literal) {
                self.compare(arena, &[negation]);
            }
            return true;
        }
        if literal.sign != Sign::Zero {
            return arena.negate(literal).is_ok_and(|negation| self.contradicts(arena, &[negation]));
        }
        [1, -1].into_iter().all(|factor| {
            let above = arena.combine(1, &[(literal.term, factor)]);
            above.is_ok_and(|term| self.refutes(arena, &[Literal { sign: Sign::AtMostZero, term }]))
        })
    }

    /// Is it known that no valuation satisfies the context and the literals?
    pub fn refutes(&mut self, arena: &mut Arena, literals: &[Literal]) -> bool {
        let is_refuted = self.is_contradictory(arena) || literals.iter().any(|literal| self.is_evidently_false(arena, *literal));
        if is_refuted {
            self.compare(arena, literals);
        }
        is_refuted || self.contradicts(arena, literals)
    }

    /// The closure with the literals, then the solver.
    fn contradicts(&mut self, arena: &mut Arena, literals: &[Literal]) -> bool {
        let is_contradictory = match self.probe(arena, literals) {
            Consequence::Contradiction => true,
            Consequence::Bounds => false,
            Consequence::Open => {
                let mut extended = self.clone();
                extended.assume_all(arena, literals);
                extended.is_contradictory(arena)
            }
        };
        if is_contradictory {
            self.compare(arena, literals);
            return true;
        }
        let Some(solver) = self.solver.as_deref().filter(|solver| solver.backend() != Backend::Builtin) else { return false };
        solver.refute(arena, &[self.literals(), literals].concat()).is_some()
    }

    /// Has the solver look at what the closure has refuted.
    fn compare(&self, arena: &Arena, literals: &[Literal]) {
        if let Some(solver) = &self.solver {
            solver.compare(arena, self.literals(), literals);
        }
    }

    /// Does the literal hold by the bounds and disequalities as they are?
    pub(super) fn is_evident(&mut self, arena: &mut Arena, literal: Literal) -> bool {
        self.form(arena, literal.term).is_some_and(|form| self.holds(arena, literal.sign, &form))
    }

    /// Does the literal's negation hold by the bounds and disequalities as they are, or by the ranges of its atoms?
    fn is_evidently_false(&mut self, arena: &mut Arena, literal: Literal) -> bool {
        if arena.evident(literal) == Some(false) {
            return true;
        }
        let Some(form) = self.form(arena, literal.term) else { return false };
        match literal.sign {
            Sign::Zero => self.holds(arena, Sign::NotZero, &form),
            Sign::NotZero => self.holds(arena, Sign::Zero, &form),
            Sign::AtMostZero => Form { constant: 1, summands: Vec::new() }
                .plus(&form, -1)
                .is_some_and(|opposite| self.holds(arena, Sign::AtMostZero, &opposite)),
        }
    }

    fn holds(&mut self, arena: &mut Arena, sign: Sign, form: &Form) -> bool {
        self.saturate(arena);
        if self.conflict.is_some() {
            return true;
        }
        match sign {
            Sign::AtMostZero => self.is_at_most(form, 0),
            Sign::Zero => self.is_zero(form),
            Sign::NotZero => {
                self.is_at_most(form, -1)
                    || form.negated().is_some_and(|opposite| self.is_at_most(&opposite, -1))
                    || self.stated_disequality(form).is_some()
            }
        }
    }

    /// Are the arrays equal, as [`goatherd_checker::subsume`] compares them: stores of equal values at equal indices into the same array?
    pub fn arrays_equal(&mut self, arena: &mut Arena, left: ArrayId, right: ArrayId) -> bool {
        let (mut left, mut right) = (left, right);
        while left != right {
            let (Ok(one), Ok(other)) = (arena.array(left).cloned(), arena.array(right).cloned()) else { return false };
            match (one, other) {
                (
                    Array::Store(ArrayStore { array: left_below, index: left_index, value: left_value }),
                    Array::Store(ArrayStore { array: right_below, index: right_index, value: right_value }),
                ) if self.terms_equal(arena, left_index, right_index) && self.terms_equal(arena, left_value, right_value) => {
                    (left, right) = (left_below, right_below);
                }
                (Array::Constant(left), Array::Constant(right)) => return self.terms_equal(arena, left, right),
                _ => return false,
            }
        }
        true
    }

    fn terms_equal(&mut self, arena: &mut Arena, left: LinearId, right: LinearId) -> bool {
        arena.equal(left, right).is_ok_and(|literal| self.entails(arena, literal))
    }

    /// The least and the greatest value of `left - right`, as far as known.
    pub fn difference_bounds(&mut self, arena: &mut Arena, left: LinearId, right: LinearId) -> (Option<i128>, Option<i128>) {
        let forms = (self.form(arena, left), self.form(arena, right));
        self.saturate(arena);
        let (Some(left), Some(right)) = forms else { return (None, None) };
        let bound = |one: &Form, other: &Form| self.upper(&one.plus(other, -1)?);
        (bound(&right, &left).and_then(i128::checked_neg), bound(&left, &right))
    }
}
