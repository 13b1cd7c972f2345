//! Which type each allocation is for: the one to which its result is converted, wherever inlining has carried it.

use super::{Emitter, Outcome};
use goatherd_certificates::program::{Field, Instruction, IntegerType, Layout, LayoutId, Location, ObjectId, Origin, RegisterId, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Allocations and the conversions that decide their types.
#[derive(Default)]
pub(crate) struct Sites {
    objects: Vec<(ObjectId, usize)>,
    conversions: Vec<Conversion>,
}

/// A pointer to untyped memory becomes one to elements, before a line.
struct Conversion {
    line: usize,
    register: RegisterId,
    layout: LayoutId,
}

impl Sites {
    /// A conversion of this register before the line.
    pub(crate) fn note(&mut self, line: usize, register: RegisterId, layout: LayoutId) {
        self.conversions.push(Conversion { line, register, layout });
    }
}

/// Which allocations the pointers may come from at a point of the program.
type State = BTreeMap<RegisterId, BTreeSet<ObjectId>>;

impl Emitter<'_> {
    /// A new object for an allocation; its layout is bytes until it is known better.
    pub(crate) fn heap_object(&mut self, offset: usize) -> ObjectId {
        let byte = Layout {
            name: "char".to_owned(),
            size: 1,
            fields: vec![Field { name: String::new(), offset: 0, kind: Type::Integer(IntegerType::I8) }],
        };
        let position = self.layouts.iter().position(|known| *known == byte).unwrap_or_else(|| {
            self.layouts.push(byte);
            self.layouts.len() - 1
        });
        let name = self.unique("allocation");
        let object = self.object(&name, LayoutId(u32::try_from(position).unwrap_or(u32::MAX)), Origin::Heap);
        self.heap.objects.push((object, offset));
        object
    }

    /// Gives every allocation its layout.
    pub(crate) fn resolve_heap(&mut self) -> Outcome<()> {
        if self.heap.objects.is_empty() {
            return Ok(());
        }
        let states = self.origins();
        let mut layouts: BTreeMap<ObjectId, BTreeSet<LayoutId>> = BTreeMap::new();
        for conversion in &self.heap.conversions {
            let origins = states.get(conversion.line).and_then(|state| state.get(&conversion.register));
            for object in origins.into_iter().flatten() {
                layouts.entry(*object).or_default().insert(conversion.layout);
            }
        }
        let mut ambiguous = None;
        for (object, offset) in self.heap.objects.clone() {
            let found: Vec<LayoutId> = layouts.remove(&object).into_iter().flatten().collect();
            match (&found[..], self.objects.get_mut(object.index())) {
                ([layout], Some(object)) => object.layout = *layout,
                ([], _) | (_, None) => {}
                _ => ambiguous = Some(offset),
            }
        }
        match ambiguous {
            Some(offset) => self.unsupported(offset, "an allocation that is used for elements of several types"),
            None => Ok(()),
        }
    }

    /// Before each line, where pointers may come from. Memory is one place for all pointers that are stored.
    fn origins(&self) -> Vec<State> {
        let mut memory: BTreeSet<ObjectId> = BTreeSet::new();
        loop {
            let before = memory.len();
            let states = self.propagate(&mut memory);
            if memory.len() == before {
                return states;
            }
        }
    }

    fn propagate(&self, memory: &mut BTreeSet<ObjectId>) -> Vec<State> {
        let mut states: Vec<State> = vec![State::new(); self.lines.len() + 1];
        let mut work: BTreeSet<usize> = (0..self.lines.len()).collect();
        while let Some(line) = work.pop_first() {
            let Some(current) = self.lines.get(line) else { continue };
            let mut state = states[line].clone();
            let of = |state: &State, register: RegisterId| state.get(&register).cloned().unwrap_or_default();
            match &current.instruction {
                Instruction::Allocate { target, object, .. } => {
                    state.insert(*target, BTreeSet::from([*object]));
                }
                Instruction::Copy { target, source } | Instruction::Advance { target, base: source, .. } => {
                    let origins = of(&state, *source);
                    state.insert(*target, origins);
                }
                Instruction::Load { target, .. } if self.kind_of(*target) == Type::Pointer => {
                    state.insert(*target, memory.clone());
                }
                Instruction::Store { source, .. } => memory.extend(of(&state, *source)),
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
            Instruction::Branch { then, otherwise, .. } | Instruction::Choose { then, otherwise } => vec![at(then), at(otherwise)],
            Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => Vec::new(),
            _ => vec![line + 1],
        }
    }
}
