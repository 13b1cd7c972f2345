//! Bounds that loops keep to, read off the program: what its integers are compared with, and what remainders and masks leave.

use goatherd_certificates::program::{Condition, Instruction, Operand, Operation, Program};
use std::collections::BTreeSet;

/// Bounds of integers and of their negations that follow from constants of the program, ascending. For `i < 8` these are 7, where the loop goes on,
/// 8 behind `i++`, and 9 where it is `i <= 8`; for what counts down, -7 to -9. For `i % 8` and `i & 7` it is 7.
pub fn thresholds(program: &Program) -> Vec<i128> {
    let bounds = program.instructions.iter().flat_map(|instruction| match *instruction {
        Instruction::Branch { condition: Condition::Integers { left, right, .. }, .. } => {
            [left, right].into_iter().flat_map(around).collect()
        }
        Instruction::Compute { operation: Operation::Remainder, right: Operand::Constant(divisor), .. } => {
            divisor.checked_abs().and_then(|divisor| divisor.checked_sub(1)).into_iter().collect()
        }
        Instruction::Compute { operation: Operation::And, left, right, .. } => [left, right].into_iter().filter_map(constant).collect(),
        _ => Vec::new(),
    });
    bounds.flat_map(|bound: i128| [Some(bound), bound.checked_neg()]).flatten().collect::<BTreeSet<_>>().into_iter().collect()
}

fn constant(operand: Operand) -> Option<i128> {
    match operand {
        Operand::Constant(constant) => Some(constant),
        Operand::Register(_) => None,
    }
}

/// A constant, one less and one more.
fn around(operand: Operand) -> impl Iterator<Item = i128> {
    constant(operand).into_iter().flat_map(|constant| [constant.checked_sub(1), Some(constant), constant.checked_add(1)]).flatten()
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
}
