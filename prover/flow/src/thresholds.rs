//! Bounds that loops keep to, read off the program: what its integers are compared with, and what remainders and masks leave.

use goatherd_certificates::program::{Branch, Compute, Condition, Instruction, Operand, Operation, Program, Relation};
use std::collections::BTreeSet;

/// Bounds of integers and of their negations that follow from constants of the program, ascending. For `i < 8` these are 7, where the loop goes on,
/// 8 behind `i++`, and 9 where it is `i <= 8`; for what counts down, -7 to -9. For `i % 8` and `i & 7` it is 7.
///
/// What is told apart one by one, as the elements of an array of the program's own are, bounds nothing but by the first and the last: a loop that
/// counts to 32 would else be given up for 1, 2, 3, ... one after the other.
pub fn thresholds(program: &Program) -> Vec<i128> {
    let equal = compared(program, |relation| relation == Relation::Equal);
    let is_between = |constant: &i128| {
        let neighbours = [constant.checked_sub(1), constant.checked_add(1)];
        neighbours.into_iter().all(|neighbour| neighbour.is_some_and(|neighbour| equal.contains(&neighbour)))
    };
    let ends = equal.iter().copied().filter(|constant| !is_between(constant));
    let compared = compared(program, |relation| relation != Relation::Equal).into_iter().chain(ends);
    let left = program.instructions.iter().flat_map(|instruction| match *instruction {
        Instruction::Compute(Compute { operation: Operation::Remainder, right: Operand::Constant(divisor), .. }) => {
            divisor.checked_abs().and_then(|divisor| divisor.checked_sub(1)).into_iter().collect()
        }
        Instruction::Compute(Compute { operation: Operation::And, left, right, .. }) => {
            [left, right].into_iter().filter_map(constant).collect()
        }
        _ => Vec::new(),
    });
    let bounds = compared.flat_map(around).chain(left);
    bounds.flat_map(|bound: i128| [Some(bound), bound.checked_neg()]).flatten().collect::<BTreeSet<_>>().into_iter().collect()
}

fn constant(operand: Operand) -> Option<i128> {
    match operand {
        Operand::Constant(constant) => Some(constant),
        Operand::Register(_) => None,
    }
}

/// The constants that integers are compared with in such a relation.
fn compared(program: &Program, is_asked: impl Fn(Relation) -> bool) -> BTreeSet<i128> {
    let of = |instruction: &Instruction| match *instruction {
        Instruction::Branch(Branch { condition: Condition::Integers { relation, left, right }, .. }) if is_asked(relation) => {
            [left, right].into_iter().filter_map(constant).collect()
        }
        _ => Vec::new(),
    };
    program.instructions.iter().flat_map(of).collect()
}

/// A constant, one less and one more.
fn around(constant: i128) -> impl Iterator<Item = i128> {
    [constant.checked_sub(1), Some(constant), constant.checked_add(1)].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::thresholds;
    use crate::testing::program;

    #[test]
    fn bounds_are_those_of_comparisons() {
        let program = program("thresholds", "void test(int n) { int i = 0; while (i < 8) i++; if (n == -3) i = n % 5 + (n & 63) + 30; }");
        let thresholds = thresholds(&program);
        for bound in [7, 8, 9, -7, -8, -9, -2, -3, -4, 2, 3, 4, 63] {
            assert!(thresholds.contains(&bound), "{bound}: {thresholds:?}");
        }
        assert!(!thresholds.contains(&5) && !thresholds.contains(&30) && thresholds.is_sorted(), "{thresholds:?}");
    }

    #[test]
    fn of_what_is_told_apart_one_by_one_there_are_two_ends() {
        let cases = (10..40).map(|case| format!("case {case}: n++; break;")).collect::<Vec<_>>().join(" ");
        let program = program("ends", &format!("void test(int n) {{ if (n < 70) switch (n) {{ {cases} }} }}"));
        let thresholds = thresholds(&program);
        for bound in [9, 10, 11, 38, 39, 40, 69, 70, 71] {
            assert!(thresholds.contains(&bound), "{bound}: {thresholds:?}");
        }
        assert!((12..38).all(|between| !thresholds.contains(&between)), "{thresholds:?}");
    }
}
