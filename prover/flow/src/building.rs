//! Loops that make a program's data: those that draw nondeterministic values, and those that a value bounds that was drawn before
//! (`spec/search.md#values-that-are-drawn`).

use crate::{
    instruction::{read, written},
    loops::Loop,
};
use goatherd_certificates::program::{Condition, Instruction, Location, Operand, Program, RegisterId};
use std::collections::{BTreeMap, BTreeSet};

/// Loops that make as many rounds as each other, as far as the values say that bound them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Building {
    /// The heads of those that draw values; of the first loop, if none does.
    pub heads: Vec<Location>,
    /// Where the values are drawn that bound them.
    pub bounds: BTreeSet<Location>,
}

/// The loops that draw values, as they come, joined where one value bounds several of them; then outermost loops that only a value bounds which no
/// loop that draws is bounded by.
pub fn building(program: &Program, loops: &BTreeMap<Location, Loop>, drawing: &[Location]) -> Vec<Building> {
    let outermost = loops.iter().filter(|(_, around)| around.around.is_empty()).map(|(head, _)| *head);
    let others = outermost.filter(|head| !drawing.contains(head));
    let mut groups: Vec<Building> = Vec::new();
    for (head, draws) in drawing.iter().map(|head| (*head, true)).chain(others.map(|head| (head, false))) {
        let bounds = bounds(program, loops, head);
        match groups.iter_mut().find(|group| !group.bounds.is_disjoint(&bounds)) {
            Some(group) if draws => {
                group.heads.push(head);
                group.bounds.extend(bounds);
            }
            None if draws || !bounds.is_empty() => groups.push(Building { heads: vec![head], bounds }),
            _ => {}
        }
    }
    groups
}

/// Where values are drawn, outside of loops, that integers are computed from which a loop orders others against. What the loop has just loaded is not
/// counted, so a key that is looked for bounds nothing.
fn bounds(program: &Program, loops: &BTreeMap<Location, Loop>, head: Location) -> BTreeSet<Location> {
    let body = &loops[&head].body;
    let mut compared: BTreeSet<RegisterId> = BTreeSet::new();
    for location in body {
        let Instruction::Branch { condition: Condition::Integers { left, right, .. }, .. } = &program.instructions[location.index()] else {
            continue;
        };
        let registers = [left, right].map(|operand| if let Operand::Register(register) = operand { Some(*register) } else { None });
        let is_found = |register: &RegisterId| {
            body.iter().any(|location| match &program.instructions[location.index()] {
                Instruction::Load { target, .. } | Instruction::Havoc { target } => target == register,
                _ => false,
            })
        };
        if !registers.iter().flatten().any(is_found) {
            compared.extend(registers.into_iter().flatten());
        }
    }
    let in_loop = |location: &Location| loops.values().any(|around| around.body.contains(location));
    let mut size = None;
    while size != Some(compared.len()) {
        size = Some(compared.len());
        for instruction in &program.instructions {
            if let Instruction::Assign { target, .. } | Instruction::Compute { target, .. } = instruction
                && compared.contains(target)
            {
                compared.extend(read(instruction));
            }
        }
    }
    let draws = |location: &Location| match &program.instructions[location.index()] {
        instruction @ Instruction::Havoc { .. } => written(instruction).is_some_and(|target| compared.contains(&target)),
        _ => false,
    };
    let locations = (0..program.instructions.len()).filter_map(|location| u32::try_from(location).ok()).map(Location);
    locations.filter(draws).filter(|location| !in_loop(location)).collect()
}
