//! Objects that loops fill from their end (`spec/search.md#values-that-are-drawn`).

use crate::{instruction::written, loops::Loop, pointees::Pointees};
use goatherd_certificates::program::{Advance, Compute, Instruction, Location, ObjectId, Operand, Operation, Program, RegisterId};
use std::collections::{BTreeMap, BTreeSet};

/// How many instructions an index is followed through: `n - 1 - i`, converted, are four.
const COMPUTED: u32 = 8;

/// The declarations of the objects of which the first loop that stores in them has the last elements first.
pub fn descending(program: &Program, loops: &BTreeMap<Location, Loop>, pointees: &Pointees) -> BTreeSet<ObjectId> {
    let mut is_down: BTreeMap<ObjectId, bool> = BTreeMap::new();
    for around in loops.values() {
        let round = Round { program, body: &around.body };
        for location in &around.body {
            if let Instruction::Store { address, .. } = program.instructions[location.index()] {
                let moves_down = round.moves_down(*location, address);
                for object in pointees.at(*location, address) {
                    is_down.entry(object).or_insert(moves_down);
                }
            }
        }
    }
    is_down.into_iter().filter(|(_, is_down)| *is_down).map(|(object, _)| object).collect()
}

/// What one round of a loop computes.
struct Round<'a> {
    program: &'a Program,
    body: &'a BTreeSet<Location>,
}

impl Round<'_> {
    /// Where the register was written last before the location, or by the round before.
    fn definition(&self, location: Location, register: RegisterId) -> Option<Location> {
        let writes = |other: &&Location| written(&self.program.instructions[other.index()]) == Some(register);
        self.body.range(..location).rev().find(writes).or_else(|| self.body.range(location..).rev().find(writes)).copied()
    }

    /// Is the address nearer to the beginning in later rounds?
    fn moves_down(&self, location: Location, address: RegisterId) -> bool {
        let Some(definition) = self.definition(location, address) else { return false };
        match self.program.instructions[definition.index()] {
            Instruction::Advance(Advance { base, index: Operand::Constant(index), scale, .. }) => {
                base == address && index.saturating_mul(scale.into()) < 0
            }
            Instruction::Advance(Advance { index: Operand::Register(index), scale: 1.., .. }) => self.falls(definition, index, COMPUTED),
            _ => false,
        }
    }

    /// Is the integer less in later rounds: one that is counted down, or something less one that is counted up?
    fn falls(&self, location: Location, register: RegisterId, computed: u32) -> bool {
        let Some(definition) = self.definition(location, register) else { return false };
        let Some(left) = computed.checked_sub(1) else { return false };
        match self.program.instructions[definition.index()] {
            Instruction::Compute(Compute {
                operation: Operation::Subtract,
                left: Operand::Register(other),
                right: Operand::Constant(1..),
                ..
            }) if other == register => true,
            Instruction::Compute(Compute { operation: Operation::Subtract, right: Operand::Register(right), .. }) => {
                self.rises(definition, right, left)
            }
            Instruction::Compute(Compute {
                operation: Operation::Add | Operation::Subtract,
                left: Operand::Register(other),
                right: Operand::Constant(_),
                ..
            })
            | Instruction::Assign { value: Operand::Register(other), .. } => other != register && self.falls(definition, other, left),
            _ => false,
        }
    }

    /// Is the integer counted up, as it is or converted?
    fn rises(&self, location: Location, register: RegisterId, computed: u32) -> bool {
        let Some(definition) = self.definition(location, register) else { return false };
        let Some(left) = computed.checked_sub(1) else { return false };
        match self.program.instructions[definition.index()] {
            Instruction::Compute(Compute {
                operation: Operation::Add,
                left: Operand::Register(other),
                right: Operand::Constant(1..),
                ..
            }) => other == register,
            Instruction::Assign { value: Operand::Register(other), .. } => other != register && self.rises(definition, other, left),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Flow, testing::program};

    /// The names of the objects that loops of the body fill from their end.
    fn descending(body: &str) -> Vec<String> {
        let program = program("descending", &format!("void test(int n) {{ int a[99], b[99]; {body} }}"));
        Flow::new(&program).descending.iter().map(|object| program.objects[object.index()].name.clone()).collect()
    }

    #[test]
    fn what_is_filled_from_its_end_is_told_by_its_first_loop() {
        assert_eq!(descending("for (int i = 0; i < n; i++) { a[i] = i; b[n - 1 - i] = a[i]; }"), ["b"]);
        assert_eq!(descending("for (unsigned long i = 0; i < n; i++) a[n - i - 1] = 0;"), ["a"]);
        assert_eq!(descending("for (int i = n; i > 0; i--) a[i - 1] = i; for (int i = 0; i < n; i++) a[i] = i;"), ["a"]);
        assert_eq!(descending("int *p = a + n; while (p != a) *--p = 0;"), ["a"]);
        assert_eq!(descending("for (int i = 0; i < n; i++) a[i] = i; for (int i = n - 1; i >= 0; i--) a[i] = 0;"), [""; 0]);
        assert_eq!(descending("for (int i = 0; i < n; i++) a[i + 1] = b[n - 1 - i];"), [""; 0]);
    }
}
