//! Loops that make a program's data: those that draw nondeterministic values, and those that a value bounds that was drawn before
//! (`spec/search.md#values-that-are-drawn`).

use crate::{
    instruction::{read, written},
    loops::Loop,
    pointees::Pointees,
};
use goatherd_certificates::program::{
    Advance, Allocate, Branch, Compute, Condition, Instruction, Location, ObjectId, Operand, Origin, PointerOperand, Program, RegisterId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Loops that make as many rounds as each other, as far as the values say that bound them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Building {
    /// The heads of those that draw values; of the first loop, if none does.
    pub heads: Vec<Location>,
    /// Where the values are drawn that bound them.
    pub bounds: BTreeSet<Location>,
    /// The arrays that they walk, or that other loops walk together with these, but for those that are as long as one of the values says: a buffer
    /// of 100 elements of which the first n are used.
    pub buffers: BTreeSet<ObjectId>,
}

/// The loops that draw values, as they come, joined where one value bounds several of them; then outermost loops that only a value bounds which no
/// loop that draws is bounded by.
pub fn building(program: &Program, loops: &BTreeMap<Location, Loop>, drawing: &[Location], pointees: &Pointees) -> Vec<Building> {
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
            None if draws || !bounds.is_empty() => groups.push(Building { heads: vec![head], bounds, buffers: BTreeSet::new() }),
            _ => {}
        }
    }
    for group in &mut groups {
        group.buffers = buffers(program, loops, group, pointees);
    }
    groups
}

/// The buffers of a group, as [`Building::buffers`] says.
fn buffers(program: &Program, loops: &BTreeMap<Location, Loop>, group: &Building, pointees: &Pointees) -> BTreeSet<ObjectId> {
    let is_own = |head: Location| group.heads.contains(&head) || !bounds(program, loops, head).is_disjoint(&group.bounds);
    let mut walked: BTreeSet<ObjectId> =
        loops.iter().filter(|(head, _)| is_own(**head)).flat_map(|(_, around)| around.walked(pointees)).collect();
    let mut size = None;
    while size != Some(walked.len()) {
        size = Some(walked.len());
        for around in loops.values() {
            let together = around.walked(pointees);
            if !together.is_disjoint(&walked) {
                walked.extend(together);
            }
        }
    }
    for instruction in &program.instructions {
        if let Instruction::Allocate(Allocate { object, bytes: Operand::Register(bytes), .. }) = instruction
            && !drawn(program, loops, BTreeSet::from([*bytes])).is_disjoint(&group.bounds)
        {
            walked.remove(object);
        }
    }
    walked.retain(|object| matches!(program.objects[object.index()].origin, Origin::Local { .. } | Origin::Heap));
    walked
}

/// Where values are drawn, outside of loops, that integers or pointers are computed from which a loop orders others against. What the loop has just loaded is not
/// counted, so a key that is looked for bounds nothing.
fn bounds(program: &Program, loops: &BTreeMap<Location, Loop>, head: Location) -> BTreeSet<Location> {
    let body = &loops[&head].body;
    let found = body.iter().filter_map(|location| match program.instructions[location.index()] {
        Instruction::Load { target, .. } | Instruction::Havoc { target } => Some(target),
        _ => None,
    });
    let found: BTreeSet<RegisterId> = found.collect();
    let mut compared: BTreeSet<RegisterId> = BTreeSet::new();
    for location in body {
        let Instruction::Branch(Branch { condition, .. }) = &program.instructions[location.index()] else { continue };
        let registers = match condition {
            Condition::Integers { left, right, .. } => [left, right].map(|operand| match operand {
                Operand::Register(register) => Some(*register),
                Operand::Constant(_) => None,
            }),
            // As in a walk up to a pointer behind the last element.
            Condition::Pointers { left, right, .. } => [left, right].map(|operand| match operand {
                PointerOperand::Register(register) => Some(*register),
                PointerOperand::Null => None,
            }),
        };
        if !registers.iter().flatten().any(|register| found.contains(register)) {
            compared.extend(registers.into_iter().flatten());
        }
    }
    drawn(program, loops, compared)
}

/// Where the values are drawn, outside of loops, that the registers are computed from.
fn drawn(program: &Program, loops: &BTreeMap<Location, Loop>, mut registers: BTreeSet<RegisterId>) -> BTreeSet<Location> {
    let in_loop = |location: &Location| loops.values().any(|around| around.body.contains(location));
    let mut size = None;
    while size != Some(registers.len()) {
        size = Some(registers.len());
        for instruction in &program.instructions {
            if let Instruction::Assign { target, .. }
            | Instruction::Compute(Compute { target, .. })
            | Instruction::Copy { target, .. }
            | Instruction::Advance(Advance { target, .. }) = instruction
                && registers.contains(target)
            {
                registers.extend(read(instruction));
            }
        }
    }
    let draws = |location: &Location| match &program.instructions[location.index()] {
        instruction @ Instruction::Havoc { .. } => written(instruction).is_some_and(|target| registers.contains(&target)),
        _ => false,
    };
    let locations = (0..program.instructions.len()).filter_map(|location| u32::try_from(location).ok()).map(Location);
    locations.filter(draws).filter(|location| !in_loop(location)).collect()
}

#[cfg(test)]
mod tests {
    use crate::{Flow, testing::program};

    /// The names of the buffers of the first group.
    fn buffers(body: &str) -> Vec<String> {
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);
             void *malloc(unsigned long size);
             void test(void) {{ {body} }}"
        );
        let program = program("buffers", &text);
        let flow = Flow::new(&program);
        let first = flow.building.first().map(|group| group.buffers.clone()).unwrap_or_default();
        first.iter().map(|object| program.objects[object.index()].name.clone()).collect()
    }

    #[test]
    fn a_walk_up_to_a_pointer_is_bounded_by_what_that_is_computed_from() {
        let groups = |name, condition: &str| {
            let text = format!(
                "extern int __VERIFIER_nondet_int(void);
                 int a[90];
                 void test(void) {{ int n = __VERIFIER_nondet_int(); int *end = a + n; int s = 0;
                     for (int *p = a; {condition}; p++) *p = __VERIFIER_nondet_int();
                     for (int i = 0; i < n; i++) s += a[i]; }}"
            );
            let building = Flow::new(&program(name, &text)).building;
            building.iter().map(|group| (group.heads.len(), group.bounds.len())).collect::<Vec<_>>()
        };
        assert_eq!(groups("walked-to-end", "p < end"), [(1, 1)]);
        assert_eq!(groups("walked-to-other", "p != end"), [(1, 1)]);
        assert_eq!(groups("walked-to-zero", "*p"), [(1, 0), (1, 1)]);
    }

    #[test]
    fn what_is_walked_with_a_buffer_is_one_and_what_is_as_long_as_is_drawn_is_none() {
        let copied = "int a[9], b[9], c[9]; int n = __VERIFIER_nondet_int();
             for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
             for (int i = 0; i < 9 && a[i]; i++) b[i] = a[i];
             c[n] = b[0];";
        assert_eq!(buffers(copied), ["a", "b"]);
        let allocated = "int b[9]; unsigned n = __VERIFIER_nondet_int(); int *a = malloc(n * sizeof *a);
             for (unsigned i = 0; i < n; i++) a[i] = b[i] = __VERIFIER_nondet_int();";
        assert_eq!(buffers(allocated), ["b"]);
    }
}
