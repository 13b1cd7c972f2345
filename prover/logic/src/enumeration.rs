//! Refutation by the values of integers that have few: what masks, shifts, products and tables make of each of them is carried out.
//!
//! `days[month - 1] >= 28` for twelve months, or a bit that is set in a word of 32 and read again: no bound says so, but each value does. The checker
//! carries out one operation per deduction, so a value costs as many deductions as the condition has operations. That is what limits it: no more than
//! [`VALUES`] are looked at, and of a condition on values that do not decide it only those up to the first that leaves it open.

use crate::{
    bounds::{Node, ZERO},
    cases::{Found, contradiction},
    context::Context,
    explanation::explain,
};
use goatherd_certificates::{
    derivation::{Deduction, Refutation},
    term::{Array, Atom, AtomId, LinearId, Literal, Sign},
};
use goatherd_checker::term::Arena;
use std::collections::BTreeSet;

/// So many values, or combinations of values, are looked at: all of a byte.
const VALUES: i128 = 256;

/// A refutation of the context that takes each value of the integers that operations are on; counts the contexts that are tried.
pub(super) fn refute_by_values(context: Context, arena: &mut Arena, tried: &mut usize) -> Option<Refutation> {
    let integers = integers(&context, arena)?;
    if integers.is_empty() {
        return None;
    }
    let mut search = Enumeration { integers, deductions: Vec::new(), left: 2 * VALUES };
    let closed = search.close(context, arena);
    *tried += usize::try_from(2 * VALUES - search.left).unwrap_or_default();
    closed?;
    Some(Refutation { deductions: search.deductions })
}

struct Enumeration {
    integers: Vec<(AtomId, Node)>,
    deductions: Vec<Deduction>,
    /// Contexts that may still be tried.
    left: i128,
}

impl Enumeration {
    /// Writes deductions that close the context, by halving what an integer may be; the recursion is as deep as ranges can be halved.
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
        // None is left open where all are known: these values are possible.
        let (atom, least, greatest) = self
            .integers
            .iter()
            .find_map(|(atom, node)| range(&context, *node).filter(|(low, high)| low < high).map(|(low, high)| (*atom, low, high)))?;
        let term = arena.of_atom(atom).ok()?;
        let middle = least.checked_add(greatest)?.div_euclid(2);
        let lower = Literal { sign: Sign::AtMostZero, term: arena.plus(term, middle.checked_neg()?).ok()? };
        let upper = arena.negate(lower).ok()?;
        self.deductions.push(Deduction::Case(lower));
        let mut below = context.clone();
        below.assume(arena, lower);
        self.close(below, arena)?;
        context.assume(arena, upper);
        self.close(context, arena)
    }
}

/// The integers that the operations whose results are open come down to, those of the fewest values first; none if they have too many.
fn integers(context: &Context, arena: &Arena) -> Option<Vec<(AtomId, Node)>> {
    let is_open = |node| range(context, node).is_none_or(|(least, greatest)| least < greatest);
    let open = context.applications.iter().filter(|application| application.is_computed(arena) && is_open(application.node));
    let mut left: Vec<AtomId> = open.map(|application| application.atom).collect();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    while let Some(atom) = left.pop() {
        if !seen.insert(atom) {
            continue;
        }
        let operands: Vec<LinearId> = match *arena.atom(atom).ok()? {
            Atom::Apply { left, right, .. } => vec![left, right],
            Atom::Quotient { argument, .. } => vec![argument],
            Atom::Select { array, index } if matches!(arena.array(array), Ok(Array::Table(_))) => vec![index],
            Atom::Variable(_) | Atom::Select { .. } => {
                found.push(atom);
                Vec::new()
            }
        };
        for operand in operands {
            left.extend(arena.linear(operand).ok()?.summands.iter().map(|(atom, _)| *atom));
        }
    }
    let mut integers = Vec::new();
    for atom in found {
        let node = context.node(atom)?;
        let values = range(context, node).and_then(|(least, greatest)| greatest.checked_sub(least)?.checked_add(1))?;
        integers.push((values, atom, node));
    }
    integers.sort_unstable();
    let combinations = integers.iter().try_fold(1_i128, |product, (values, ..)| product.checked_mul(*values));
    combinations.filter(|combinations| *combinations <= VALUES)?;
    Some(integers.into_iter().map(|(_, atom, node)| (atom, node)).collect())
}

/// The least and the greatest value of the node.
fn range(context: &Context, node: Node) -> Option<(i128, i128)> {
    Some((context.bounds.get(ZERO, node)?.checked_neg()?, context.bounds.get(node, ZERO)?))
}
