//! What a configuration says, in terms of C.

use crate::{
    labels::{Form, Labels},
    naming::Naming,
};
use goatherd_certificates::{
    configuration::{Life, Slot},
    derivation::MemberId,
    program::{Condition, Instruction, Operand, PointerOperand, RegisterId},
};
use goatherd_checker::Configuration;

/// What an instruction of the primary works on.
pub fn operands(naming: &Naming<'_>, labels: &Labels<'_>, configuration: &Configuration, instruction: &Instruction) -> Vec<String> {
    read(instruction).into_iter().filter_map(|register| holds(naming, labels, configuration, (register, MemberId(0)))).collect()
}

/// What a register of a member holds, as a fact; none where that says nothing.
pub fn holds(
    naming: &Naming<'_>,
    labels: &Labels<'_>,
    configuration: &Configuration,
    (register, number): (RegisterId, MemberId),
) -> Option<String> {
    let member = configuration.members.get(number.index())?;
    let name = labels.register(register, number).text;
    let slot = member.registers.get(register.index())?;
    match *slot {
        Slot::Forgotten => None,
        Slot::Pointer { object, byte: 0, .. } => {
            let label = naming.object(object, number)?;
            let state = member.object(object)?;
            let text = naming.slot(*slot, number);
            if state.life == Life::Dead {
                return Some(format!("{name} points to memory that is gone"));
            }
            match label.form {
                Form::Array if text.contains(&format!("({name} - ")) => {
                    Some(format!("{name} points into {}, which has {} elements", label.text, naming.length(state)))
                }
                Form::Array => Some(format!("{name} == {text}, and {} has {} elements", label.text, naming.length(state))),
                _ if text == name => Some(format!("{name} points to a live object")),
                _ => Some(format!("{name} == {text}, which is a live object")),
            }
        }
        slot => {
            let text = naming.slot(slot, number);
            let verb = match slot {
                Slot::Uninitialised => "has",
                Slot::Folded(_) | Slot::Last(_) => "points to",
                _ => "==",
            };
            (text != name).then(|| format!("{name} {verb} {text}"))
        }
    }
}

/// The registers that an instruction reads.
fn read(instruction: &Instruction) -> Vec<RegisterId> {
    let integer = |operand: &Operand| if let Operand::Register(register) = operand { Some(*register) } else { None };
    let pointer = |operand: &PointerOperand| if let PointerOperand::Register(register) = operand { Some(*register) } else { None };
    match instruction {
        Instruction::Branch { condition: Condition::Integers { left, right, .. }, .. } | Instruction::Compute { left, right, .. } => {
            [left, right].into_iter().filter_map(integer).collect()
        }
        Instruction::Branch { condition: Condition::Pointers { left, right, .. }, .. } => {
            [left, right].into_iter().filter_map(pointer).collect()
        }
        Instruction::Assign { value, .. } => integer(value).into_iter().collect(),
        Instruction::Copy { source, .. } => vec![*source],
        Instruction::Advance { base, index, .. } => [*base].into_iter().chain(integer(index)).collect(),
        Instruction::Distance { left, right, .. } => vec![*left, *right],
        Instruction::Load { address, .. } => vec![*address],
        Instruction::Store { address, source, .. } => vec![*address, *source],
        Instruction::Free { pointer } => vec![*pointer],
        Instruction::Allocate { bytes, .. } => integer(bytes).into_iter().collect(),
        Instruction::CheckLeaks { roots } => roots.clone(),
        _ => Vec::new(),
    }
}
