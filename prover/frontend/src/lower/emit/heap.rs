//! Which type each allocation is for: the one to which its result is converted, wherever inlining has carried it. One struct of a linked type
//! is a node; anything else is an object of its own.

use super::{Emitter, Outcome, nodes::Purpose};
use crate::lower::types::{CType, RecordId};
use goatherd_certificates::program::{
    Advance, Allocate, Branch, Field, Instruction, IntegerType, Layout, LayoutId, Location, ObjectId, Operand, Origin, RegisterId, Type,
};
use std::collections::{BTreeMap, BTreeSet};

/// Allocations and the conversions that decide their types.
#[derive(Default)]
pub(crate) struct Sites {
    objects: Vec<(ObjectId, usize)>,
    /// The variables in memory of recursive functions, and the registers that point to those of the activation that runs.
    variables: BTreeMap<RegisterId, ObjectId>,
    conversions: Vec<Conversion>,
    /// The struct types among the layouts of conversions.
    records: BTreeMap<LayoutId, RecordId>,
    /// Those of pointers that may lead to pointers, as `void *` and `void **` do.
    links: BTreeSet<LayoutId>,
}

/// A pointer to untyped memory becomes one to elements, before a line.
struct Conversion {
    line: usize,
    register: RegisterId,
    layout: LayoutId,
}

impl Sites {
    /// A conversion of this register before the line, to a pointer to elements of this type and layout.
    pub(crate) fn note(&mut self, line: usize, register: RegisterId, element: &CType, layout: LayoutId) {
        self.conversions.push(Conversion { line, register, layout });
        if let Some(record) = element.as_record() {
            self.records.entry(layout).or_insert(record);
        }
        if element.pointee().is_some_and(|target| target.is_void() || target.base_element().is_pointer()) {
            self.links.insert(layout);
        }
    }

    /// Are elements of the layout pointers that may lead to pointers?
    pub(crate) fn are_links(&self, layout: LayoutId) -> bool {
        self.links.contains(&layout)
    }

    /// A variable of a recursive function, with an object for each activation.
    pub(crate) fn note_variable(&mut self, pointer: RegisterId, object: ObjectId) {
        self.variables.insert(pointer, object);
    }

    /// Does the register point to such a variable, and is the only one that ends its life?
    pub(crate) fn owns(&self, pointer: RegisterId) -> bool {
        self.variables.contains_key(&pointer)
    }
}

/// Which allocations the pointers may come from at a point of the program.
type State = BTreeMap<RegisterId, BTreeSet<ObjectId>>;

impl Emitter<'_> {
    /// A new object for an allocation; its layout is bytes until it is known better.
    pub(crate) fn heap_object(&mut self, offset: usize) -> ObjectId {
        let name = self.unique("allocation");
        let layout = self.byte_layout();
        let object = self.object(&name, layout, Origin::Heap);
        self.heap.objects.push((object, offset));
        object
    }

    /// The objects of the allocations, those that have become nodes among them.
    pub(crate) fn heap_objects(&self) -> Vec<ObjectId> {
        self.heap.objects.iter().map(|(object, _)| *object).collect()
    }

    /// Elements that are bytes.
    pub(crate) fn byte_layout(&mut self) -> LayoutId {
        let byte = Layout {
            name: "char".to_owned(),
            size: 1,
            fields: vec![Field { name: String::new(), offset: 0, kind: Type::Integer(IntegerType::I8) }],
        };
        self.add_layout(byte)
    }

    /// Gives every allocation its layout.
    pub(crate) fn resolve_heap(&mut self) -> Outcome<()> {
        if self.heap.objects.is_empty() {
            return Ok(());
        }
        // What never lay in memory is known exactly, and decides alone where it says anything.
        let mut layouts = self.layouts_of(&self.propagate(&BTreeSet::new()));
        if self.heap.objects.iter().any(|(object, _)| !layouts.contains_key(object)) {
            for (object, found) in self.layouts_of(&self.origins()) {
                layouts.entry(object).or_insert(found);
            }
        }
        let mut outcome = Ok(());
        for (object, offset) in self.heap.objects.clone() {
            let found: Vec<LayoutId> = layouts.remove(&object).into_iter().flatten().collect();
            outcome = outcome.and(match found[..] {
                [] => Ok(()),
                [layout] => self.give_layout(object, layout, offset),
                _ => self.unsupported(offset, "an allocation that is used for elements of several types"),
            });
        }
        outcome
    }

    /// Variables of recursive functions are objects of the heap, that end with their block: to free one fails (C11 7.22.3.3p2), which no instruction
    /// here would see, so that it must not be possible.
    pub(crate) fn check_frees(&mut self) -> Outcome<()> {
        if self.heap.variables.is_empty() {
            return Ok(());
        }
        let variables: BTreeSet<ObjectId> = self.heap.variables.values().copied().collect();
        let may_free = |(line, state): (&super::Line, &State)| match line.instruction {
            Instruction::Free { pointer } if !self.heap.owns(pointer) => {
                let meets = state.get(&pointer).is_some_and(|origins| !origins.is_disjoint(&variables));
                meets.then_some(line.offset)
            }
            _ => None,
        };
        match self.lines.iter().zip(&self.origins()).find_map(may_free) {
            Some(offset) => self.unsupported(offset, "a free of what may be a variable of a recursive function"),
            None => Ok(()),
        }
    }

    /// The layouts to which each allocation's result is converted.
    fn layouts_of(&self, states: &[State]) -> BTreeMap<ObjectId, BTreeSet<LayoutId>> {
        let mut layouts: BTreeMap<ObjectId, BTreeSet<LayoutId>> = BTreeMap::new();
        for conversion in &self.heap.conversions {
            let origins = states.get(conversion.line).and_then(|state| state.get(&conversion.register));
            for object in origins.into_iter().flatten() {
                layouts.entry(*object).or_default().insert(conversion.layout);
            }
        }
        layouts
    }

    /// The allocation makes elements of this layout: a node, if it is always one struct of a linked type.
    fn give_layout(&mut self, object: ObjectId, layout: LayoutId, offset: usize) -> Outcome<()> {
        let size = i128::from(self.layouts[layout.index()].size);
        let is_single = |line: &super::Line| match line.instruction {
            Instruction::Allocate(Allocate { object: made, bytes: Operand::Constant(bytes), .. }) => made != object || bytes / size == 1,
            Instruction::Allocate(Allocate { object: made, .. }) => made != object,
            _ => true,
        };
        let record = self.heap.records.get(&layout).copied().filter(|record| self.allocated.contains(*record));
        if let Some(record) = record.filter(|_| self.lines.iter().all(is_single)) {
            let node = self.node(record, Purpose::Allocation, offset)?;
            for line in &mut self.lines {
                if let Instruction::Allocate(Allocate { object: made, .. }) = &mut line.instruction
                    && *made == object
                {
                    *made = node;
                }
            }
        } else if let Some(object) = self.objects.get_mut(object.index()) {
            object.layout = layout;
        }
        Ok(())
    }

    /// Before each line, where pointers may come from. Memory is one place for all pointers that are stored.
    pub(super) fn origins(&self) -> Vec<State> {
        let mut memory = BTreeSet::new();
        loop {
            let states = self.propagate(&memory);
            let stored = self.stored(&states);
            if stored == memory {
                return states;
            }
            memory = stored;
        }
    }

    /// Where the pointers that are stored may come from.
    fn stored(&self, states: &[State]) -> BTreeSet<ObjectId> {
        let origins = self.lines.iter().zip(states).filter_map(|(line, state)| match line.instruction {
            Instruction::Store { source, .. } => state.get(&source),
            _ => None,
        });
        origins.flatten().copied().collect()
    }

    /// Before each line, where pointers may come from if those in memory come from here.
    fn propagate(&self, memory: &BTreeSet<ObjectId>) -> Vec<State> {
        let mut states: Vec<State> = vec![State::new(); self.lines.len() + 1];
        let mut work: BTreeSet<usize> = (0..self.lines.len()).collect();
        while let Some(line) = work.pop_first() {
            let Some(current) = self.lines.get(line) else { continue };
            let mut state = states[line].clone();
            let of = |state: &State, register: RegisterId| state.get(&register).cloned().unwrap_or_default();
            match &current.instruction {
                Instruction::Allocate(Allocate { target, object, .. }) => {
                    state.insert(*target, BTreeSet::from([*object]));
                }
                Instruction::Copy { target, source } | Instruction::Advance(Advance { target, base: source, .. }) => {
                    let origins = of(&state, *source);
                    state.insert(*target, origins);
                }
                Instruction::Load { target, .. } if self.kind_of(*target) == Type::Pointer => {
                    state.insert(*target, memory.clone());
                }
                Instruction::Null { target } | Instruction::Address { target, .. } | Instruction::Uninitialise { target } => {
                    state.remove(target);
                }
                _ => {}
            }
            for next in self.successors(line, &current.instruction) {
                let Some(known) = states.get_mut(next) else { continue };
                let mut grown = false;
                for (register, origins) in &state {
                    let entry = known.entry(*register).or_default();
                    let count = entry.len();
                    entry.extend(origins);
                    grown |= entry.len() != count;
                }
                if grown {
                    work.insert(next);
                }
            }
        }
        states
    }

    fn successors(&self, line: usize, instruction: &Instruction) -> Vec<usize> {
        let at = |location: &Location| self.marks.get(location.index()).copied().unwrap_or(usize::MAX);
        match instruction {
            Instruction::Jump { target } => vec![at(target)],
            Instruction::Branch(Branch { then, otherwise, .. }) | Instruction::Choose { then, otherwise } => vec![at(then), at(otherwise)],
            Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => Vec::new(),
            _ => vec![line + 1],
        }
    }
}
