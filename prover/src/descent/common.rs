//! Pointers that the nodes of a list have in common: each of them points to the list's header, or to the node whose children they are.

use super::flow::{Loop, written};
use goatherd_certificates::program::{Instruction, Location, Program, RegisterId, Type};
use std::collections::{BTreeMap, BTreeSet};

/// By how many bytes fields are behind nodes in which a loop stores one and the same pointer again and again: its rounds go on to other nodes,
/// and do not change what they store there.
pub fn common(program: &Program, loops: &BTreeMap<Location, Loop>) -> BTreeSet<i128> {
    let stored = |around: &Loop| {
        let common = |location: &Location| match program.instructions[location.index()] {
            Instruction::Store { address, offset, source } if program.registers[source.index()].kind == Type::Pointer => {
                let [is_one_node, is_one_pointer] = [address, source].map(|register| is_settled(program, around, *location, register));
                (is_one_pointer && !is_one_node).then_some(i128::from(offset))
            }
            _ => None,
        };
        around.body.iter().filter_map(common).collect::<Vec<_>>()
    };
    loops.values().flat_map(stored).collect()
}

/// Does the register hold the same there in every round of the loop? Nothing in the loop writes it, or it is the address of an object, or a copy
/// of such a register.
fn is_settled(program: &Program, around: &Loop, location: Location, mut register: RegisterId) -> bool {
    let mut before: Vec<&Location> = around.body.range(..location).collect();
    while let Some(position) = before.iter().rposition(|earlier| written(&program.instructions[earlier.index()]) == Some(register)) {
        match program.instructions[before[position].index()] {
            Instruction::Address { .. } => return true,
            Instruction::Copy { source, .. } => register = source,
            _ => return false,
        }
        before.truncate(position);
    }
    around.body.iter().all(|location| written(&program.instructions[location.index()]) != Some(register))
}
