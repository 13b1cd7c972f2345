//! What single instructions do: where they go on to, and which registers they read and write, as the kernel says it.

use goatherd_certificates::program::{Advance, Compute, Instruction, Location, Operand, Operation, Program, RegisterId};
use goatherd_checker::flow::{self, Mention, mentions};
use std::collections::BTreeMap;

/// The locations that an instruction may go on to.
pub fn successors(program: &Program, location: Location) -> Vec<Location> {
    flow::successors(&program.instructions[location.index()], location).collect()
}

/// Which instructions lead to each; none to those that are not listed.
pub fn predecessors(program: &Program) -> BTreeMap<Location, Vec<Location>> {
    let mut before: BTreeMap<Location, Vec<Location>> = BTreeMap::new();
    for location in (0..).map(Location).take(program.instructions.len()) {
        for next in successors(program, location) {
            before.entry(next).or_default().push(location);
        }
    }
    before
}

/// The register that the instruction makes less by a constant.
pub fn lowered(instruction: &Instruction) -> Option<RegisterId> {
    match *instruction {
        Instruction::Compute(Compute {
            target,
            operation: Operation::Subtract,
            left: Operand::Register(left),
            right: Operand::Constant(1..),
        }) if left == target => Some(target),
        Instruction::Advance(Advance { target, base, index: Operand::Constant(1..), scale: ..=-1 }) if base == target => Some(target),
        Instruction::Advance(Advance { target, base, index: Operand::Constant(..=-1), scale: 1.. }) if base == target => Some(target),
        _ => None,
    }
}

/// The integer that the instruction adds to, or subtracts from.
pub fn accumulated(instruction: &Instruction) -> Option<RegisterId> {
    match *instruction {
        Instruction::Compute(Compute {
            target, operation: Operation::Add | Operation::Subtract, left: Operand::Register(left), ..
        }) if left == target => Some(target),
        _ => None,
    }
}

/// The registers that the instruction reads, if only to copy them.
pub fn read(instruction: &Instruction) -> Vec<RegisterId> {
    let mut registers = Vec::new();
    mentions(instruction, &mut |mention| {
        if let Mention::Reads(Operand::Register(register), _) = mention {
            registers.push(register);
        }
    });
    registers
}

/// The register that the instruction writes, whenever execution goes on behind it.
pub fn written(instruction: &Instruction) -> Option<RegisterId> {
    let mut written = None;
    mentions(instruction, &mut |mention| {
        if let Mention::Writes(register, _) = mention {
            written = Some(register);
        }
    });
    written
}
