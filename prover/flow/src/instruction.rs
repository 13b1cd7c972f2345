//! What single instructions do: where they go on to, and which registers they read and write.

use goatherd_certificates::program::{Condition, Instruction, Location, Operand, Operation, PointerOperand, Program, RegisterId};

/// The locations that an instruction may go on to.
pub fn successors(program: &Program, location: Location) -> Vec<Location> {
    match program.instructions[location.index()] {
        Instruction::Jump { target } => vec![target],
        Instruction::Branch { then, otherwise, .. } | Instruction::Choose { then, otherwise } => vec![then, otherwise],
        Instruction::Halt | Instruction::Ignore | Instruction::Fail { .. } => Vec::new(),
        _ => vec![Location(location.0 + 1)],
    }
}

/// The register that the instruction writes.
pub fn written(instruction: &Instruction) -> Option<RegisterId> {
    match *instruction {
        Instruction::Assign { target, .. }
        | Instruction::Compute { target, .. }
        | Instruction::Havoc { target }
        | Instruction::Uninitialise { target }
        | Instruction::Null { target }
        | Instruction::Copy { target, .. }
        | Instruction::Address { target, .. }
        | Instruction::Advance { target, .. }
        | Instruction::Distance { target, .. }
        | Instruction::Load { target, .. }
        | Instruction::Allocate { target, .. } => Some(target),
        _ => None,
    }
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
    let operand = |operand: &Operand| match operand {
        Operand::Register(register) => Some(*register),
        Operand::Constant(_) => None,
    };
    let pointer = |operand: &PointerOperand| match operand {
        PointerOperand::Register(register) => Some(*register),
        PointerOperand::Null => None,
    };
    match instruction {
        Instruction::Branch { condition: Condition::Integers { left, right, .. }, .. } | Instruction::Compute { left, right, .. } => {
            [operand(left), operand(right)].into_iter().flatten().collect()
        }
        Instruction::Branch { condition: Condition::Pointers { left, right, .. }, .. } => {
            [pointer(left), pointer(right)].into_iter().flatten().collect()
        }
        Instruction::Assign { value, .. } => operand(value).into_iter().collect(),
        Instruction::Allocate { bytes, .. } => operand(bytes).into_iter().collect(),
        Instruction::Copy { source, .. } => vec![*source],
        Instruction::Advance { base, index, .. } => [Some(*base), operand(index)].into_iter().flatten().collect(),
        Instruction::Distance { left, right, .. } => vec![*left, *right],
        Instruction::Load { address, .. } => vec![*address],
        Instruction::Store { address, source, .. } => vec![*address, *source],
        Instruction::Free { pointer } => vec![*pointer],
        Instruction::CheckLeaks { roots } => roots.clone(),
        _ => Vec::new(),
    }
}
