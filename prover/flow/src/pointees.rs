//! Which objects registers may point into at each instruction: registers that hold intermediate results are used again and again.

use crate::instruction::{successors, written};
use fixedbitset::FixedBitSet;
use goatherd_certificates::program::{
    Advance, Allocate, ArrayInput, Input, Instruction, Location, ObjectId, Origin, Program, RegisterId, Type,
};
use std::collections::BTreeSet;

/// By location and register, the declarations of the objects that the register may point into before the instruction.
pub struct Pointees {
    before: Vec<Vec<FixedBitSet>>,
}

impl Pointees {
    /// A data flow analysis. Pointers in memory may be any that are stored somewhere, or lead to any node.
    pub fn new(program: &Program) -> Self {
        let nothing = vec![FixedBitSet::with_capacity(program.objects.len()); program.registers.len()];
        let mut stored = FixedBitSet::with_capacity(program.objects.len());
        let nodes = program.objects.iter().enumerate().filter(|(_, object)| matches!(object.origin, Origin::Node { .. }));
        stored.extend(nodes.map(|(number, _)| number));
        let mut start = nothing.clone();
        for input in &program.inputs {
            if let Input::Array(ArrayInput { pointer, object, .. })
            | Input::Single { pointer, object }
            | Input::Linked { pointer, object } = *input
            {
                start[pointer.index()].insert(object.index());
            }
        }
        let mut before = vec![nothing; program.instructions.len()];
        if let Some(first) = before.first_mut() {
            *first = start;
        }
        let mut open: BTreeSet<Location> = (0..).map(Location).take(program.instructions.len()).collect();
        while let Some(location) = open.pop_first() {
            let instruction = &program.instructions[location.index()];
            let mut after = before[location.index()].clone();
            if let Instruction::Store { source, .. } = *instruction
                && !after[source.index()].is_subset(&stored)
            {
                stored.union_with(&after[source.index()]);
                // What is loaded may be more, wherever that is.
                open.extend((0..).map(Location).take(program.instructions.len()));
            }
            if let Some(target) = written(instruction) {
                after[target.index()] = match *instruction {
                    Instruction::Address { object, .. } | Instruction::Allocate(Allocate { object, .. }) => {
                        let mut one = FixedBitSet::with_capacity(program.objects.len());
                        one.insert(object.index());
                        one
                    }
                    Instruction::Copy { source: base, .. } | Instruction::Advance(Advance { base, .. }) => after[base.index()].clone(),
                    Instruction::Load { .. } if program.registers[target.index()].kind == Type::Pointer => stored.clone(),
                    _ => FixedBitSet::with_capacity(program.objects.len()),
                };
            }
            for successor in successors(program, location) {
                let mut is_changed = false;
                for (into, from) in before[successor.index()].iter_mut().zip(&after) {
                    if !from.is_subset(into) {
                        into.union_with(from);
                        is_changed = true;
                    }
                }
                if is_changed {
                    open.insert(successor);
                }
            }
        }
        Self { before }
    }

    /// What the register may point into before the instruction there.
    pub fn at(&self, location: Location, register: RegisterId) -> impl Iterator<Item = ObjectId> + '_ {
        self.before[location.index()][register.index()].ones().filter_map(|number| u32::try_from(number).ok().map(ObjectId))
    }
}

#[cfg(test)]
mod tests {
    use super::Pointees;
    use crate::testing::program;
    use goatherd_certificates::program::{Instruction, Location, Origin, Program, RegisterId};

    /// The names of what the addresses of the stores of integers may point into, one after the other.
    fn stored(program: &Program) -> Vec<Vec<String>> {
        let pointees = Pointees::new(program);
        let name = |location: Location, address: RegisterId| {
            pointees.at(location, address).map(|object| program.objects[object.index()].name.clone()).collect::<Vec<_>>()
        };
        let stores = (0..).map(Location).zip(&program.instructions).filter_map(|(location, instruction)| match *instruction {
            Instruction::Store { address, source, .. } => Some((location, address, source)),
            _ => None,
        });
        stores.map(|(location, address, _)| name(location, address)).collect()
    }

    #[test]
    fn a_pointer_may_be_what_either_way_has_made_it() {
        let program = program(
            "either",
            "void test(int n) {
                 int x[2], y[2], z[2];
                 int *p = x, *q = z;
                 *p = 1;
                 if (n) p = y;
                 *p = 2;
                 *(q + n) = 3;
             }",
        );
        assert_eq!(stored(&program), [vec!["x"], vec!["x", "y"], vec!["z"]]);
    }

    #[test]
    fn what_is_loaded_may_be_all_that_is_stored_and_any_node() {
        let program = program(
            "loaded",
            "struct node { int key; struct node *next; };
             void test(struct node *list) {
                 int x[2], y[2], *p = x;
                 int **place = &p;
                 *place = y;
                 **place = 1;
                 if (list && list->next) list->next->key = 2;
             }",
        );
        let all = stored(&program);
        let is_node =
            |name: &String| program.objects.iter().any(|object| object.name == *name && matches!(object.origin, Origin::Node { .. }));
        let [.., through, last] = all.as_slice() else { panic!("{all:?}") };
        for names in [through, last] {
            assert!(names.contains(&"y".to_owned()) && names.iter().any(is_node), "{all:?}");
        }
        assert!(!last.contains(&"p".to_owned()), "no pointer to it is stored: {all:?}");
    }
}
