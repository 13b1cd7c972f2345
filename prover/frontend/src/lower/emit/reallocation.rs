//! What `realloc` keeps. No instruction knows how many elements an object has, so the program remembers that of the last allocation of each layout
//! that is reallocated: where the old one is that, its elements are copied.
//!
//! Nothing has to be right about what is remembered: whatever number of elements is copied, the others hold any value, and to copy more than there
//! are fails.

use super::{Emitter, Line, recursion::is_null};
use goatherd_certificates::program::{
    Advance, Allocate, Compute, Condition, Instruction, IntegerType, LayoutId, ObjectId, Operand, Operation, Origin, PointerOperand,
    RegisterId, Relation, Type,
};
use std::collections::{BTreeMap, BTreeSet};

/// Where an allocation takes the place of another one.
pub(crate) struct Replacement {
    /// The lines that stand for the copying, before the old one ends, and for remembering the new one behind that.
    copying: usize,
    remembering: usize,
    to: RegisterId,
    from: RegisterId,
    bytes: Operand,
    /// Holds how many elements the new one has room for.
    room: RegisterId,
    object: ObjectId,
}

impl Replacement {
    /// Does the old one end at this line?
    fn frees(&self, line: usize) -> bool {
        (self.copying..self.remembering).contains(&line)
    }
}

/// The last allocation of a layout, and how many elements it has.
#[derive(Clone, Copy)]
struct Last {
    pointer: RegisterId,
    count: RegisterId,
    layout: LayoutId,
}

/// Fields of elements that are copied one by one.
const FIELD_LIMIT: usize = 64;

impl Emitter<'_> {
    /// What was allocated last takes the place of an older allocation. What is copied is known when all layouts are.
    pub(crate) fn replace(&mut self, to: RegisterId, from: RegisterId, bytes: Operand, offset: usize) {
        let Some(object) = self.heap_objects().last().copied() else { return };
        let copying = self.lines.len();
        self.step(offset);
        self.free(from, offset);
        let remembering = self.lines.len();
        self.step(offset);
        let room = self.register("%room", Type::Integer(IntegerType::U64));
        self.replacements.push(Replacement { copying, remembering, to, from, bytes, room, object });
    }

    /// A line that does nothing, in the place of others.
    fn step(&mut self, offset: usize) {
        let next = self.mark();
        self.jump(next, offset);
        self.bind(next);
    }

    /// Writes what reallocation keeps, and what has to be remembered for that.
    pub(crate) fn keep_contents(&mut self) {
        let replacements = std::mem::take(&mut self.replacements);
        if replacements.is_empty() {
            return;
        }
        let mut lasts: BTreeMap<LayoutId, Last> = BTreeMap::new();
        for replacement in &replacements {
            if let Some(layout) = self.elements(replacement.object)
                && !lasts.contains_key(&layout)
            {
                let last = self.new_last(layout);
                lasts.insert(layout, last);
            }
        }
        let known = self.marks.len();
        let mut starts = Vec::new();
        for (number, line) in std::mem::take(&mut self.lines).into_iter().enumerate() {
            starts.push(self.lines.len());
            let last_of = |object| self.elements(object).and_then(|layout| lasts.get(&layout)).copied();
            let replaced = |object| replacements.iter().any(|replacement| replacement.object == object);
            let is_copied = replacements.iter().any(|replacement| replacement.frees(number) && last_of(replacement.object).is_some());
            match line.instruction {
                Instruction::Jump { .. } => self.write_replacement(number, line, &replacements, &lasts),
                Instruction::Allocate(Allocate { target, object, bytes, .. }) if !replaced(object) => {
                    let (last, offset) = (last_of(object), line.offset);
                    self.lines.push(line);
                    if let Some(last) = last {
                        self.remember_allocation(last, target, bytes, offset);
                    }
                }
                // It may be any of them.
                Instruction::Free { .. } if !is_copied => {
                    let offset = line.offset;
                    self.lines.push(line);
                    for last in lasts.values() {
                        self.forget(*last, offset);
                    }
                }
                _ => self.lines.push(line),
            }
        }
        starts.push(self.lines.len());
        let moved = |line: &mut usize| *line = starts.get(*line).copied().unwrap_or(usize::MAX);
        self.marks.iter_mut().take(known).for_each(moved);
        self.assertions = self.assertions.iter().filter_map(|line| starts.get(*line).copied()).collect();
    }

    /// The layout of an object that is an array of the heap, of elements that are copied.
    fn elements(&self, object: ObjectId) -> Option<LayoutId> {
        let object = self.objects.get(object.index())?;
        let layout = self.layouts.get(object.layout.index())?;
        (object.origin == Origin::Heap && layout.fields.len() <= FIELD_LIMIT).then_some(object.layout)
    }

    /// Registers for the last allocation of a layout: none so far.
    fn new_last(&mut self, layout: LayoutId) -> Last {
        let pointer = self.register("%last", Type::Pointer);
        let count = self.register("%count", Type::Integer(IntegerType::U64));
        let none = [Instruction::Null { target: pointer }, Instruction::Assign { target: count, value: Operand::Constant(0) }];
        let offset = self.unit.functions[self.unit.entry].offset;
        self.prologue.extend(none.map(|instruction| Line { instruction, offset }));
        Last { pointer, count, layout }
    }

    /// How the elements are laid out of allocations that take the place of others.
    pub(super) fn replaced_layouts(&self) -> BTreeSet<LayoutId> {
        self.replacements.iter().filter_map(|replacement| Some(self.objects.get(replacement.object.index())?.layout)).collect()
    }

    /// The lines that a jump stands for, if it does for any. Where it is not known how elements are laid out nothing is copied, and said so.
    fn write_replacement(&mut self, number: usize, line: Line, replacements: &[Replacement], lasts: &BTreeMap<LayoutId, Last>) {
        let stands = |replacement: &&Replacement| [replacement.copying, replacement.remembering].contains(&number);
        let found = replacements.iter().find(stands).and_then(|replacement| {
            let layout = self.elements(replacement.object)?;
            Some((replacement, *lasts.get(&layout)?))
        });
        let Some((replacement, last)) = found else {
            if let Some(replacement) = replacements.iter().find(|replacement| replacement.copying == number) {
                self.push(Instruction::Copy { target: replacement.to, source: replacement.to }, line.offset);
            }
            self.lines.push(line);
            return;
        };
        if number == replacement.copying {
            self.copy_elements(replacement, last, line.offset);
            for other in lasts.values().filter(|other| other.layout != last.layout) {
                self.forget_if(*other, replacement.from, line.offset);
            }
        } else {
            self.push(Instruction::Copy { target: last.pointer, source: replacement.to }, line.offset);
            self.push(Instruction::Assign { target: last.count, value: Operand::Register(replacement.room) }, line.offset);
        }
    }

    /// Copies the elements of the old allocation, if that is the last one, as many as the new one has room for.
    fn copy_elements(&mut self, replacement: &Replacement, last: Last, offset: usize) {
        let Replacement { to, from, bytes, room, .. } = *replacement;
        let [known, other, lost, all, some, begin, head, again, end] = [(); 9].map(|()| self.mark());
        let [kept, index] = ["%kept", "%index"].map(|name| self.register(name, Type::Integer(IntegerType::U64)));
        self.count_elements(room, bytes, last.layout, offset);
        self.push_branch(is_last(from, last), known, other, offset);
        self.bind(other);
        self.push_branch(is_null(from), end, lost, offset);
        self.bind(lost);
        // Reports tell by this that what the new one holds is less than C says.
        self.push(Instruction::Copy { target: to, source: to }, offset);
        self.jump(end, offset);
        self.bind(known);
        self.push_branch(compared(last.count, Relation::LessOrEqual, room), all, some, offset);
        self.bind(all);
        self.push(Instruction::Assign { target: kept, value: Operand::Register(last.count) }, offset);
        self.jump(begin, offset);
        self.bind(some);
        self.push(Instruction::Assign { target: kept, value: Operand::Register(room) }, offset);
        self.bind(begin);
        self.push(Instruction::Assign { target: index, value: Operand::Constant(0) }, offset);
        self.bind(head);
        self.push_branch(compared(index, Relation::Less, kept), again, end, offset);
        self.bind(again);
        self.copy_element(to, from, index, last.layout, offset);
        let next = Compute { target: index, operation: Operation::Add, left: Operand::Register(index), right: Operand::Constant(1) };
        self.push(Instruction::Compute(next), offset);
        self.jump(head, offset);
        self.bind(end);
    }

    /// Copies each field of an element, as it is: a value, or none.
    fn copy_element(&mut self, to: RegisterId, from: RegisterId, index: RegisterId, layout: LayoutId, offset: usize) {
        let layout = self.layouts[layout.index()].clone();
        let scale = i64::try_from(layout.size).unwrap_or(i64::MAX);
        let [source, target] = [(from, "%source"), (to, "%target")].map(|(base, name)| {
            let target = self.register(name, Type::Pointer);
            self.push(Instruction::Advance(Advance { target, base, index: Operand::Register(index), scale }), offset);
            target
        });
        for field in &layout.fields {
            let value = self.register("%value", field.kind);
            let place = i64::try_from(field.offset).unwrap_or(i64::MAX);
            self.push(Instruction::Load { target: value, address: source, offset: place }, offset);
            self.push(Instruction::Store { address: target, offset: place, source: value }, offset);
        }
    }

    /// How many elements there is room for.
    fn count_elements(&mut self, target: RegisterId, bytes: Operand, layout: LayoutId, offset: usize) {
        let size = i128::from(self.layouts[layout.index()].size);
        let instruction = match bytes {
            Operand::Constant(bytes) => Instruction::Assign { target, value: Operand::Constant(bytes / size) },
            Operand::Register(_) if size == 1 => Instruction::Assign { target, value: bytes },
            Operand::Register(_) => {
                Instruction::Compute(Compute { target, operation: Operation::Divide, left: bytes, right: Operand::Constant(size) })
            }
        };
        self.push(instruction, offset);
    }

    /// Remembers an allocation, if it was one.
    fn remember_allocation(&mut self, last: Last, target: RegisterId, bytes: Operand, offset: usize) {
        let [some, end] = [(); 2].map(|()| self.mark());
        self.push_branch(is_null(target), end, some, offset);
        self.bind(some);
        self.push(Instruction::Copy { target: last.pointer, source: target }, offset);
        self.count_elements(last.count, bytes, last.layout, offset);
        self.bind(end);
    }

    /// Forgets the last allocation of another layout, if that is what ends.
    fn forget_if(&mut self, last: Last, ending: RegisterId, offset: usize) {
        let [same, end] = [(); 2].map(|()| self.mark());
        self.push_branch(is_last(ending, last), same, end, offset);
        self.bind(same);
        self.forget(last, offset);
        self.bind(end);
    }

    fn forget(&mut self, last: Last, offset: usize) {
        self.push(Instruction::Null { target: last.pointer }, offset);
        self.push(Instruction::Assign { target: last.count, value: Operand::Constant(0) }, offset);
    }
}

fn is_last(pointer: RegisterId, last: Last) -> Condition {
    let [left, right] = [pointer, last.pointer].map(PointerOperand::Register);
    Condition::Pointers { relation: Relation::Equal, left, right }
}

fn compared(left: RegisterId, relation: Relation, right: RegisterId) -> Condition {
    let [left, right] = [left, right].map(Operand::Register);
    Condition::Integers { relation, left, right }
}
