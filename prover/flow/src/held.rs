//! Indices that memory holds, as `v->len` in `v->data[v->len++]`, and what bounds indices there (`spec/search.md#focus`).

use crate::{instruction::predecessors, pointees::Pointees, sources::source};
use goatherd_certificates::program::{
    Advance, Branch, Compute, Condition, Instruction, Location, ObjectId, Operand, Operation, Program, RegisterId, Relation,
};
use std::collections::{BTreeMap, BTreeSet};

/// A field of the elements of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct IndexField {
    /// The declaration of the object.
    pub object: ObjectId,
    /// How many bytes it is behind the start of an element.
    pub offset: u64,
}

/// The fields that hold indices, or what these are compared with; and where each is written.
pub(crate) fn held(program: &Program, pointees: &Pointees) -> BTreeMap<IndexField, BTreeSet<Location>> {
    let memory = Memory { program, pointees, before: predecessors(program) };
    let locations = || (0..).map(Location).zip(&program.instructions);
    let read: BTreeSet<IndexField> = locations().flat_map(|(location, instruction)| memory.indices(location, instruction)).collect();
    let mut held: BTreeMap<IndexField, BTreeSet<Location>> = read.into_iter().map(|field| (field, BTreeSet::new())).collect();
    for (location, instruction) in locations() {
        let Instruction::Store { address, offset, .. } = *instruction else { continue };
        for field in memory.fields(location, address, offset) {
            if let Some(writers) = held.get_mut(&field) {
                writers.insert(location);
            }
        }
    }
    held
}

struct Memory<'a> {
    program: &'a Program,
    pointees: &'a Pointees,
    before: BTreeMap<Location, Vec<Location>>,
}

impl Memory<'_> {
    /// The fields from which an index has just been loaded, or both sides of a comparison one of which is one.
    fn indices(&self, location: Location, instruction: &Instruction) -> Vec<IndexField> {
        match *instruction {
            Instruction::Advance(Advance { index: Operand::Register(index), .. }) => self.loaded(location, index),
            Instruction::Branch(Branch {
                condition:
                    Condition::Integers {
                        relation: Relation::Less | Relation::LessOrEqual,
                        left: Operand::Register(left),
                        right: Operand::Register(right),
                    },
                ..
            }) if self.is_index(left) || self.is_index(right) => [left, right].map(|side| self.loaded(location, side)).concat(),
            _ => Vec::new(),
        }
    }

    /// Is it added to a pointer somewhere?
    fn is_index(&self, register: RegisterId) -> bool {
        self.program.instructions.iter().any(
            |instruction| matches!(instruction, Instruction::Advance(Advance { index: Operand::Register(index), .. }) if *index == register),
        )
    }

    /// The fields from which the register has been loaded, if nothing but constants was added since.
    fn loaded(&self, mut location: Location, mut register: RegisterId) -> Vec<IndexField> {
        loop {
            match source(self.program, &self.before, (location, register)) {
                Some((at, &Instruction::Load { address, offset, .. })) => return self.fields(at, address, offset),
                Some((
                    at,
                    &Instruction::Compute(Compute {
                        operation: Operation::Add | Operation::Subtract,
                        left: Operand::Register(left),
                        right: Operand::Constant(_),
                        ..
                    }),
                )) => (location, register) = (at, left),
                _ => return Vec::new(),
            }
        }
    }

    /// The fields that may be so far behind the address, if that is moved by constants alone.
    fn fields(&self, location: Location, address: RegisterId, offset: i64) -> Vec<IndexField> {
        let (mut at, mut base, mut behind) = (location, address, i128::from(offset));
        while let Some((earlier, Instruction::Advance(advance))) = source(self.program, &self.before, (at, base)) {
            let Operand::Constant(index) = advance.index else { return Vec::new() };
            let Some(sum) = index.checked_mul(advance.scale.into()).and_then(|moved| behind.checked_add(moved)) else { return Vec::new() };
            (at, base, behind) = (earlier, advance.base, sum);
        }
        let Ok(offset) = u64::try_from(behind) else { return Vec::new() };
        self.pointees.at(location, address).map(|object| IndexField { object, offset }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::held;
    use crate::{pointees::Pointees, testing::program};

    /// By how many bytes the fields that hold indices are behind the start, and how often each is written.
    fn offsets(name: &str, round: &str) -> Vec<(u64, usize)> {
        let types = "struct vec { int *data; int len, cap; }; int a[90];";
        let source = format!("{types} void test(int n) {{ struct vec v = {{ a, 0, 90 }}; for (int i = 0; i < n; i++) {{ {round} }} }}");
        let program = program(name, &source);
        held(&program, &Pointees::new(&program)).into_iter().map(|(field, writers)| (field.offset, writers.len())).collect()
    }

    #[test]
    fn fields_hold_indices_and_what_bounds_them() {
        assert_eq!(offsets("held-pushed", "struct vec *p = &v; p->data[p->len++] = 7;"), [(8, 2)]);
        assert_eq!(offsets("held-bound", "struct vec *p = &v; if (i < p->cap) p->data[i] = 7;"), [(12, 1)]);
        assert_eq!(offsets("held-before", "struct vec *p = &v; if (p->len) p->data[--p->len] = p->cap;"), [(8, 2)]);
        assert_eq!(offsets("held-other", "struct vec *p = &v; p->data[i & 7] = p->len + p->cap;"), []);
    }
}
