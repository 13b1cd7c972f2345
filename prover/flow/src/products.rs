//! Indices that are a constant times what a loop moves, and a constant, as `2 * i + 1` (`spec/search.md#focus`).

use crate::{
    instruction::{predecessors, written},
    partners::Partner,
};
use goatherd_certificates::program::{Advance, Compute, Instruction, Location, Operand, Operation, Program, RegisterId};
use std::collections::{BTreeMap, BTreeSet};

/// So many instructions before the one that moves a pointer are looked at for how its index is computed.
const BEFORE: usize = 8;

/// A register times a factor, and a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Product {
    pub(crate) register: RegisterId,
    /// Neither 0 nor 1 nor -1.
    pub(crate) factor: i128,
    pub(crate) constant: i128,
}

impl Product {
    /// Its place seen from what the register holds.
    const fn place(self) -> Partner {
        Partner { asked: self.factor, other: None, constant: self.constant }
    }
}

/// The places of elements whose indices are products, seen from what is multiplied.
pub(crate) fn products(program: &Program) -> BTreeSet<Partner> {
    let before = predecessors(program);
    let locations = (0..).map(Location).take(program.instructions.len());
    locations.filter_map(|location| product(program, &before, location)).map(Product::place).collect()
}

/// The product that the instruction takes as an index, if it does, of a register that still holds what was multiplied: the one that others are computed from.
pub(crate) fn product(program: &Program, before: &BTreeMap<Location, Vec<Location>>, advance: Location) -> Option<Product> {
    let Instruction::Advance(Advance { index: Operand::Register(mut register), .. }) = program.instructions[advance.index()] else {
        return None;
    };
    let (mut factor, mut constant) = (1_i128, 0_i128);
    let mut changed = BTreeSet::new();
    let (mut at, mut found) = (advance, None);
    for _ in 0..BEFORE {
        // Straight on alone.
        let [earlier] = before.get(&at).map_or(&[][..], Vec::as_slice) else { break };
        at = *earlier;
        let instruction = &program.instructions[at.index()];
        if written(instruction) == Some(register) {
            let Some((source, by, plus)) = computed(instruction) else { break };
            constant = factor.checked_mul(plus)?.checked_add(constant)?;
            (register, factor) = (source, factor.checked_mul(by)?);
        }
        changed.extend(written(instruction));
        if factor.abs() > 1 && !changed.contains(&register) {
            found = Some(Product { register, factor, constant });
        }
    }
    found
}

/// Of which register the instruction computes its own, times how much, plus how much.
const fn computed(instruction: &Instruction) -> Option<(RegisterId, i128, i128)> {
    match instruction {
        Instruction::Assign { value: Operand::Register(source), .. } => Some((*source, 1, 0)),
        Instruction::Compute(Compute { operation, left: Operand::Register(source), right: Operand::Constant(constant), .. }) => {
            match operation {
                Operation::Add => Some((*source, 1, *constant)),
                Operation::Subtract if *constant > i128::MIN => Some((*source, 1, -*constant)),
                Operation::Multiply => Some((*source, *constant, 0)),
                _ => None,
            }
        }
        Instruction::Compute(Compute {
            operation: Operation::Multiply,
            left: Operand::Constant(constant),
            right: Operand::Register(source),
            ..
        }) => Some((*source, *constant, 0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::products;
    use crate::testing::program;

    /// The factor and the constant of each index that is a product.
    fn places(name: &str, round: &str) -> Vec<(i128, i128)> {
        let source = format!("int a[90]; void test(int n) {{ for (int i = 0; i < n; i++) {{ {round} }} }}");
        products(&program(name, &source)).into_iter().map(|place| (place.asked, place.constant)).collect()
    }

    #[test]
    fn indices_are_products_of_what_is_still_known() {
        assert_eq!(places("product-even", "a[2 * i] = 1; a[i * 2 + 1] = 2;"), [(2, 0), (2, 1)]);
        assert_eq!(places("product-sum", "a[3 * (i + 1) - 1] = 1;"), [(3, 2)]);
        assert_eq!(places("product-plain", "a[i] = 1; a[i + 1] = 2; a[n - i] = 3;"), []);
        assert_eq!(places("product-lost", "int k = i; k = 2 * k; a[k] = 1;"), [(2, 0)]);
        assert_eq!(places("product-rows", "for (int j = 0; j < 9; j++) a[9 * i + j] = 1;"), []);
    }
}
