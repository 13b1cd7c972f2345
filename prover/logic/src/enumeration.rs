//! Refutation by the values of integers that have few: what masks, shifts, products and tables make of each of them is carried out.
//!
//! `days[month - 1] >= 28` for twelve months, or a bit that is set in a word of 32 and read again: no bound says so, but each value does. The checker
//! carries out one operation per deduction, so a value costs as many deductions as the condition has operations. That is what limits it: no more than
//! [`VALUES`] are looked at, and of a condition on values that do not decide it only those up to the first that leaves it open.

use crate::{
    cases::{Found, contradiction},
    context::Context,
    explanation::explain,
    form::Difference,
};
use goatherd_certificates::{
    derivation::{Deduction, Refutation},
    term::{Array, Atom, AtomId, Computation, LinearId, Literal, Sign},
};
use goatherd_checker::term::Arena;
use std::collections::BTreeSet;

/// So many values, or combinations of values, are looked at: all of a byte.
const VALUES: i128 = 256;

/// A refutation of the context that takes each value of the terms that operations are on, as far as its meter pays for it.
pub(super) fn refute_by_values(mut context: Context, arena: &mut Arena) -> Option<Refutation> {
    context.saturate(arena);
    let terms = few(&mut context, arena, Context::integers).or_else(|| few(&mut context, arena, Context::operands))?;
    let mut search = Enumeration { terms, deductions: Vec::new(), left: 2 * VALUES };
    search.close(context, arena)?;
    Some(Refutation { deductions: search.deductions })
}

struct Enumeration {
    terms: Vec<LinearId>,
    deductions: Vec<Deduction>,
    /// Contexts that may still be tried.
    left: i128,
}

impl Enumeration {
    /// Writes deductions that close the context, by halving what a term may be; the recursion is as deep as ranges can be halved.
    fn close(&mut self, mut context: Context, arena: &mut Arena) -> Option<()> {
        self.left -= 1;
        if self.left < 0 {
            return None;
        }
        if let Found::Contradiction = contradiction(&mut context, arena) {
            let refutation = explain(&context, arena, context.literals().len())?;
            self.deductions.extend(refutation.deductions);
            return Some(());
        }
        // Where all are known nothing is left to halve: these values are possible.
        let (term, (least, greatest)) = self.terms.iter().find_map(|term| {
            let range = context.range(arena, *term).filter(|(least, greatest)| least < greatest);
            range.map(|range| (*term, range))
        })?;
        let middle = least.checked_add(greatest)?.div_euclid(2);
        let lower = Literal { sign: Sign::AtMostZero, term: arena.plus(term, middle.checked_neg()?).ok()? };
        let upper = arena.negate(lower).ok()?;
        self.deductions.push(Deduction::Case(lower));
        let mut below = context.copy()?;
        below.assume(arena, lower);
        self.close(below, arena)?;
        context.assume(arena, upper);
        self.close(context, arena)
    }
}

/// The terms, those of the fewest values first; none if there are none, or if they have too many values.
fn few(context: &mut Context, arena: &mut Arena, terms: fn(&Context, &Arena) -> Option<BTreeSet<LinearId>>) -> Option<Vec<LinearId>> {
    let mut sized = Vec::new();
    for term in terms(context, arena)? {
        let (least, greatest) = context.range(arena, term)?;
        sized.push((greatest.checked_sub(least)?.checked_add(1)?, term));
    }
    sized.sort_unstable();
    let combinations = sized.iter().try_fold(1_i128, |product, (values, _)| product.checked_mul(*values))?;
    (!sized.is_empty() && combinations <= VALUES).then(|| sized.into_iter().map(|(_, term)| term).collect())
}

impl Context {
    /// The least and the greatest value of the term, as far as its nodes say it.
    fn range(&mut self, arena: &mut Arena, term: LinearId) -> Option<(i128, i128)> {
        let form = self.form(arena, term)?;
        let Difference { from, to, factor } = self.known_shape(&form)?;
        let greatest = self.bounds.get(from, to)?.checked_mul(factor)?.checked_add(form.constant)?;
        let least = self.bounds.get(to, from)?.checked_neg()?.checked_mul(factor)?.checked_add(form.constant)?;
        Some((least, greatest))
    }

    /// The operations and tables that are not evaluated yet.
    fn unevaluated<'a>(&'a self, arena: &'a Arena) -> impl Iterator<Item = AtomId> + 'a {
        let open = self.applications.iter().filter(|application| application.is_computed(arena));
        open.map(|application| application.atom).filter(|atom| !self.evaluated.contains(atom))
    }

    /// The integers that these come down to: variables, and elements of arrays.
    fn integers(&self, arena: &Arena) -> Option<BTreeSet<LinearId>> {
        let mut left: Vec<AtomId> = self.unevaluated(arena).collect();
        let (mut seen, mut integers) = (BTreeSet::new(), BTreeSet::new());
        while let Some(atom) = left.pop() {
            if !seen.insert(atom) {
                continue;
            }
            let operands = operands(arena, atom);
            if operands.is_empty() {
                integers.insert(arena.of_atom(atom).ok()?);
            }
            for operand in operands {
                left.extend(arena.linear(operand).ok()?.summands.iter().map(|(atom, _)| *atom));
            }
        }
        Some(integers)
    }

    /// Their innermost operands: of `digits[(n >> 4) & 15]` what is left of n, which may be anything.
    fn operands(&self, arena: &Arena) -> Option<BTreeSet<LinearId>> {
        let unevaluated: BTreeSet<AtomId> = self.unevaluated(arena).collect();
        let mut terms = BTreeSet::new();
        for atom in &unevaluated {
            for operand in operands(arena, *atom) {
                let summands = &arena.linear(operand).ok()?.summands;
                if !summands.is_empty() && !summands.iter().any(|(atom, _)| unevaluated.contains(atom)) {
                    terms.insert(operand);
                }
            }
        }
        Some(terms)
    }
}

/// What the atom is computed from; nothing of a variable, or of an element that may be anything.
fn operands(arena: &Arena, atom: AtomId) -> Vec<LinearId> {
    match arena.atom(atom) {
        Ok(Atom::Apply(Computation { left, right, .. })) => vec![*left, *right],
        Ok(Atom::Quotient { argument, .. }) => vec![*argument],
        Ok(Atom::Select { array, index }) if matches!(arena.array(*array), Ok(Array::Table(_))) => vec![*index],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::refute_by_values;
    use crate::context::Context;
    use goatherd_certificates::program::{IntegerType, Operation};
    use goatherd_certificates::term::{Literal, Sign, Variable};
    use goatherd_checker::{Budget, term::Arena};

    /// `(c / 16 * 16 | c % 16) - c` has the sign, for a byte c.
    fn is_refuted(sign: Sign) -> bool {
        let mut arena = Arena::new(&[], Budget::new(u64::MAX)).unwrap();
        let byte = arena.variable(Variable { sort: Some(IntegerType::U8), number: 0 }).unwrap();
        let quotient = arena.quotient(byte, 16).unwrap();
        let high = arena.combine(0, &[(quotient, 16)]).unwrap();
        let low = arena.difference(byte, high).unwrap();
        let joined = arena.apply(Operation::Or, IntegerType::I32, high, low).unwrap();
        let predicate = [Literal { sign, term: arena.difference(joined, byte).unwrap() }];
        let context = Context::of(&mut arena, &predicate);
        let refutation = refute_by_values(context, &mut arena);
        refutation.is_some_and(|refutation| goatherd_checker::refute::check(&mut arena, &predicate, &[], &refutation).is_ok())
    }

    #[test]
    fn every_value_of_a_byte_is_tried() {
        assert!(is_refuted(Sign::NotZero));
        assert!(!is_refuted(Sign::AtMostZero));
    }
}
