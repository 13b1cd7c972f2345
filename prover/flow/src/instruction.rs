//! What single instructions do: where they go on to, and which registers they read and write, as the kernel says it.

use goatherd_certificates::program::{Instruction, Location, Operand, Operation, Program, RegisterId};
use goatherd_checker::flow;
pub use goatherd_checker::flow::written;

/// The locations that an instruction may go on to.
pub fn successors(program: &Program, location: Location) -> Vec<Location> {
    flow::successors(&program.instructions[location.index()], location).collect()
}

/// The register that the instruction makes less by a constant.
pub fn lowered(instruction: &Instruction) -> Option<RegisterId> {
    match *instruction {
        Instruction::Compute { target, operation: Operation::Subtract, left: Operand::Register(left), right: Operand::Constant(1..) }
            if left == target =>
        {
            Some(target)
        }
        Instruction::Advance { target, base, index: Operand::Constant(1..), scale: ..=-1 } if base == target => Some(target),
        Instruction::Advance { target, base, index: Operand::Constant(..=-1), scale: 1.. } if base == target => Some(target),
        _ => None,
    }
}

/// The integer that the instruction adds to, or subtracts from.
pub fn accumulated(instruction: &Instruction) -> Option<RegisterId> {
    match *instruction {
        Instruction::Compute { target, operation: Operation::Add | Operation::Subtract, left: Operand::Register(left), .. }
            if left == target =>
        {
            Some(target)
        }
        _ => None,
    }
}

/// The registers that the instruction reads.
pub fn read(instruction: &Instruction) -> Vec<RegisterId> {
    flow::read(instruction).collect()
}
