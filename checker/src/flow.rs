//! What an instruction reads, writes and leads to. Every instruction stands in each table by its name: a new one does not compile before somebody
//! has said what it does.

use goatherd_certificates::*;

fn of(operand: Operand) -> Option<RegisterId> {
    match operand {
        Operand::Register(register) => Some(register),
        Operand::Constant(_) => None,
    }
}

fn of_pointer(operand: PointerOperand) -> Option<RegisterId> {
    match operand {
        PointerOperand::Register(register) => Some(register),
        PointerOperand::Null => None,
    }
}

/// The registers that the instruction reads, if only to copy them.
pub fn read(instruction: &Instruction) -> impl Iterator<Item = RegisterId> + '_ {
    let mut roots: &[RegisterId] = &[];
    let registers = match instruction {
        Instruction::Jump { .. }
        | Instruction::Choose { .. }
        | Instruction::Halt
        | Instruction::Fail { .. }
        | Instruction::Ignore
        | Instruction::Havoc { .. }
        | Instruction::Uninitialise { .. }
        | Instruction::Null { .. }
        | Instruction::Address { .. }
        | Instruction::Enter { .. }
        | Instruction::Leave { .. } => [None, None],
        Instruction::Branch {
            condition: Condition::Integers { left, right, .. },
            ..
        }
        | Instruction::Compute { left, right, .. } => [of(*left), of(*right)],
        Instruction::Branch {
            condition: Condition::Pointers { left, right, .. },
            ..
        } => [of_pointer(*left), of_pointer(*right)],
        Instruction::Assign { value, .. } => [of(*value), None],
        Instruction::Allocate { bytes, .. } => [of(*bytes), None],
        Instruction::Copy { source, .. } => [Some(*source), None],
        Instruction::Advance { base, index, .. } => [Some(*base), of(*index)],
        Instruction::Distance { left, right, .. } => [Some(*left), Some(*right)],
        Instruction::Load { address, .. } => [Some(*address), None],
        Instruction::Store {
            address, source, ..
        } => [Some(*address), Some(*source)],
        Instruction::Free { pointer } => [Some(*pointer), None],
        Instruction::CheckLeaks { roots: all } => {
            roots = all;
            [None, None]
        }
    };
    registers.into_iter().flatten().chain(roots.iter().copied())
}

/// The register that the instruction writes, whenever execution goes on behind it.
pub const fn written(instruction: &Instruction) -> Option<RegisterId> {
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
        Instruction::Jump { .. }
        | Instruction::Branch { .. }
        | Instruction::Choose { .. }
        | Instruction::Halt
        | Instruction::Fail { .. }
        | Instruction::Ignore
        | Instruction::Store { .. }
        | Instruction::Free { .. }
        | Instruction::Enter { .. }
        | Instruction::Leave { .. }
        | Instruction::CheckLeaks { .. } => None,
    }
}

/// The locations that the instruction, which stands at this one, may go on to.
pub fn successors(
    instruction: &Instruction,
    location: Location,
) -> impl Iterator<Item = Location> + use<> {
    let next = match *instruction {
        Instruction::Jump { target } => [Some(target), None],
        Instruction::Branch {
            then, otherwise, ..
        }
        | Instruction::Choose { then, otherwise } => [Some(then), Some(otherwise)],
        Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => [None, None],
        Instruction::Assign { .. }
        | Instruction::Compute { .. }
        | Instruction::Havoc { .. }
        | Instruction::Uninitialise { .. }
        | Instruction::Null { .. }
        | Instruction::Copy { .. }
        | Instruction::Address { .. }
        | Instruction::Advance { .. }
        | Instruction::Distance { .. }
        | Instruction::Load { .. }
        | Instruction::Store { .. }
        | Instruction::Allocate { .. }
        | Instruction::Free { .. }
        | Instruction::Enter { .. }
        | Instruction::Leave { .. }
        | Instruction::CheckLeaks { .. } => [location.0.checked_add(1).map(Location), None],
    };
    next.into_iter().flatten()
}
