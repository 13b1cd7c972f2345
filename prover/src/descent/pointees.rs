//! Which objects registers may point into, whatever way a program takes.

use goatherd_certificates::program::{Input, Instruction, ObjectId, Origin, Program, Type};
use std::collections::BTreeSet;

/// By register, the declarations of the objects that it may point into. Pointers in memory may be any that are stored, or lead to any node.
pub fn pointees(program: &Program) -> Vec<BTreeSet<ObjectId>> {
    let mut pointees = vec![BTreeSet::new(); program.registers.len()];
    for input in &program.inputs {
        if let Input::Array { pointer, object, .. } | Input::Single { pointer, object } | Input::Linked { pointer, object } = *input {
            pointees[pointer.index()].insert(object);
        }
    }
    let objects = (0..).map(ObjectId).zip(&program.objects);
    let mut stored: BTreeSet<ObjectId> =
        objects.filter(|(_, object)| matches!(object.origin, Origin::Node { .. })).map(|(object, _)| object).collect();
    loop {
        let mut is_changed = false;
        for instruction in &program.instructions {
            let (target, new) = match *instruction {
                Instruction::Address { target, object } | Instruction::Allocate { target, object, .. } => {
                    (target, BTreeSet::from([object]))
                }
                Instruction::Copy { target, source } => (target, pointees[source.index()].clone()),
                Instruction::Advance { target, base, .. } => (target, pointees[base.index()].clone()),
                Instruction::Load { target, .. } if program.registers[target.index()].kind == Type::Pointer => (target, stored.clone()),
                Instruction::Store { source, .. } => {
                    let before = stored.len();
                    stored.extend(&pointees[source.index()]);
                    is_changed |= stored.len() > before;
                    continue;
                }
                _ => continue,
            };
            let before = pointees[target.index()].len();
            pointees[target.index()].extend(new);
            is_changed |= pointees[target.index()].len() > before;
        }
        if !is_changed {
            return pointees;
        }
    }
}
