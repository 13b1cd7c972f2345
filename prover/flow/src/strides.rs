//! How far one round of a loop goes: scapegoats that lack just as much are in step with it.

use crate::instruction::written;
use goatherd_certificates::program::{Advance, Compute, Instruction, Location, Operand, Operation, Program, RegisterId, Type};
use std::collections::BTreeMap;

/// The greatest sum of the constants that the instructions add to one of the registers, or subtract from it.
pub fn stride<'a>(program: &Program, locations: impl Iterator<Item = &'a Location>, registers: &[RegisterId]) -> u32 {
    let mut sums: BTreeMap<RegisterId, i128> = BTreeMap::new();
    for location in locations {
        let (register, constant) = match program.instructions[location.index()] {
            Instruction::Compute(Compute { target, operation, left: Operand::Register(left), right: Operand::Constant(constant) })
                if left == target =>
            {
                match operation {
                    Operation::Add => (target, constant),
                    Operation::Subtract => (target, constant.saturating_neg()),
                    _ => continue,
                }
            }
            Instruction::Advance(Advance { target, base, index: Operand::Constant(constant), scale }) if base == target => {
                (target, constant.saturating_mul(scale.signum().into()))
            }
            _ => continue,
        };
        if registers.contains(&register) {
            let sum = sums.entry(register).or_default();
            *sum = sum.saturating_add(constant);
        }
    }
    sums.values().filter_map(|sum| u32::try_from(sum.unsigned_abs()).ok()).max().unwrap_or_default()
}

/// How many nodes one round of a loop with these locations, without nested ones, looks at behind each other: the longest chain of pointers that it
/// loads, from one that it moves on.
pub fn chained<'a>(program: &Program, locations: impl Iterator<Item = &'a Location>, moved: &[RegisterId]) -> u32 {
    let mut depths: BTreeMap<RegisterId, u32> = moved.iter().map(|register| (*register, 0)).collect();
    let mut greatest = 0;
    for location in locations {
        let instruction = &program.instructions[location.index()];
        let depth = match *instruction {
            Instruction::Load { target, address, .. } if program.registers[target.index()].kind == Type::Pointer => {
                depths.get(&address).map(|depth| depth + 1)
            }
            Instruction::Copy { source: base, .. } | Instruction::Advance(Advance { base, .. }) => depths.get(&base).copied(),
            _ => None,
        };
        if let Some(target) = written(instruction) {
            match depth {
                Some(depth) => drop(depths.insert(target, depth)),
                None => drop(depths.remove(&target)),
            }
            greatest = greatest.max(depth.unwrap_or_default());
        }
    }
    greatest
}

#[cfg(test)]
mod tests {
    use crate::{flow::Flow, testing::program};

    /// By how much the only loop of a program moves on, with these declarations before the function and this body.
    fn stride_of(name: &str, declarations: &str, body: &str) -> u32 {
        let program = program(name, &format!("{declarations} {body}"));
        let flow = Flow::new(&program);
        let strides: Vec<u32> = flow.loops.values().map(|around| around.stride).collect();
        let [stride] = strides[..] else { panic!("{strides:?}") };
        stride
    }

    #[test]
    fn constants_added_in_one_round_make_up_a_stride() {
        let array = "struct array { char *bytes; unsigned long n_bytes; };";
        let unrolled = "void test(struct array array) { unsigned long i = 0; while (array.n_bytes - i >= 2) { i++; i++; } }";
        assert_eq!(stride_of("unrolled", array, unrolled), 2);
    }

    #[test]
    fn nodes_looked_at_behind_each_other_make_up_a_stride() {
        let node = "struct node { struct node *next; };";
        let single = "void test(struct node *node) { while (node) node = node->next; }";
        assert_eq!(stride_of("single", node, single), 1);
        let double = "void test(struct node *node) { while (node && node->next) node = node->next->next; }";
        assert_eq!(stride_of("double", node, double), 2);
    }
}
