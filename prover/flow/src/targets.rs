//! Where pointers may point, to the byte of an element: what lies in the midst of a node, as the links of Linux' lists do, is told from its other
//! bytes.

use crate::instruction::{successors, written};
use fixedbitset::FixedBitSet;
use goatherd_certificates::program::{
    Advance, Allocate, ArrayInput, Contents, Input, Instruction, Location, ObjectId, Operand, Origin, Program, RegisterId, Type,
};
use std::collections::BTreeSet;

/// Programs whose elements have more bytes together are not analysed: there is a set of them for each register at each instruction.
const MOST_BYTES: usize = 1 << 12;

/// Where the pointers of a program may point, wherever they are held.
pub struct Targets {
    /// How bytes are numbered.
    pub bytes: Bytes,
    /// Before each instruction, by register.
    before: Vec<Vec<FixedBitSet>>,
    /// By byte, where pointers may point that are stored there.
    memory: Vec<FixedBitSet>,
}

impl Targets {
    /// Analyses the program; none where that would take too much.
    pub fn new(program: &Program) -> Option<Self> {
        let bytes = Bytes::new(program)?;
        let (before, memory) = Analysis::new(program, &bytes).run();
        Some(Self { bytes, before, memory })
    }

    /// Where the register may point before the instruction there.
    pub fn at(&self, location: Location, register: RegisterId) -> &FixedBitSet {
        &self.before[location.index()][register.index()]
    }

    /// Where a pointer may point that stands so far behind the start of an element of the object: to which byte of an element of which object.
    pub fn stored(&self, object: ObjectId, offset: u64) -> impl Iterator<Item = (ObjectId, u64)> + '_ {
        let byte = usize::try_from(offset).ok().and_then(|offset| Some(self.bytes.first(object)? + offset));
        let stored = byte.and_then(|byte| self.memory.get(byte));
        stored.into_iter().flat_map(FixedBitSet::ones).filter_map(|byte| self.bytes.place(byte))
    }
}

/// The bytes of one element of each object that holds pointers, numbered one after the other.
#[derive(Clone, Debug)]
pub struct Bytes {
    /// By object, its first byte; none of an object without pointers.
    firsts: Vec<Option<usize>>,
    /// By byte, the first one of its object and how many that has.
    elements: Vec<(usize, usize)>,
}

impl Bytes {
    /// Those of the program; none if there are too many.
    fn new(program: &Program) -> Option<Self> {
        let (mut firsts, mut elements) = (Vec::new(), Vec::new());
        for object in &program.objects {
            let layout = program.layouts.get(object.layout.index())?;
            let has_pointers = layout.fields.iter().any(|field| field.kind == Type::Pointer);
            let first = elements.len();
            firsts.push(has_pointers.then_some(first));
            if has_pointers {
                let size = usize::try_from(layout.size).ok().filter(|size| *size <= MOST_BYTES)?;
                elements.extend(std::iter::repeat_n((first, size), size));
            }
        }
        (elements.len() <= MOST_BYTES).then_some(Self { firsts, elements })
    }

    /// The first byte of an element of the object, if that holds pointers.
    pub fn first(&self, object: ObjectId) -> Option<usize> {
        self.firsts.get(object.index()).copied().flatten()
    }

    /// Of which object the byte is, and which one of an element.
    fn place(&self, byte: usize) -> Option<(ObjectId, u64)> {
        let (first, _) = *self.elements.get(byte)?;
        let object = self.firsts.iter().position(|own| *own == Some(first))?;
        Some((u32::try_from(object).ok().map(ObjectId)?, u64::try_from(byte - first).ok()?))
    }

    /// The objects at the start of an element of which one of these bytes is.
    pub fn started<'a>(&'a self, bytes: &'a FixedBitSet) -> impl Iterator<Item = ObjectId> + 'a {
        bytes.ones().filter_map(|byte| self.place(byte)).filter(|(_, inside)| *inside == 0).map(|(object, _)| object)
    }

    /// The one of these bytes, if there is no other and only one element of its object ever lives at a time.
    pub fn only(&self, program: &Program, bytes: &FixedBitSet) -> Option<usize> {
        let mut bytes = bytes.ones();
        let byte = bytes.next().filter(|_| bytes.next().is_none())?;
        let (object, _) = self.place(byte)?;
        let is_single = matches!(program.objects[object.index()].origin, Origin::Static { count: 1, .. } | Origin::Local { count: 1 });
        is_single.then_some(byte)
    }

    /// No bytes.
    pub fn none(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.elements.len())
    }

    /// The start of an element of the object.
    fn start(&self, object: ObjectId) -> FixedBitSet {
        let mut start = self.none();
        start.extend(self.first(object));
        start
    }

    /// Where pointers that point there do after so many steps of so many bytes; any number of steps where none is given. Elements repeat.
    pub fn moved(&self, from: &FixedBitSet, steps: Option<i128>, scale: i64) -> FixedBitSet {
        let mut moved = self.none();
        let by = steps.and_then(|steps| steps.checked_mul(scale.into()));
        for byte in from.ones() {
            let (first, size) = self.elements[byte];
            let length = i128::try_from(size).unwrap_or(i128::MAX);
            let inside = i128::try_from(byte - first).unwrap_or(0);
            let by = if i128::from(scale) % length == 0 { Some(0) } else { by };
            let at = by.and_then(|by| usize::try_from((inside + by % length).rem_euclid(length)).ok());
            match at {
                Some(at) => moved.insert(first + at),
                None => moved.insert_range(first..first + size),
            }
        }
        moved
    }
}

/// Where pointers may point, as far as that has been found out.
struct Analysis<'a> {
    program: &'a Program,
    bytes: &'a Bytes,
    /// Before each instruction, by register.
    before: Vec<Vec<FixedBitSet>>,
    /// By byte, where pointers may point that are stored there.
    memory: Vec<FixedBitSet>,
    open: BTreeSet<Location>,
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program, bytes: &'a Bytes) -> Self {
        let nothing = vec![bytes.none(); program.registers.len()];
        let mut before = vec![nothing; program.instructions.len()];
        for input in &program.inputs {
            if let Input::Array(ArrayInput { pointer, object, .. }) | Input::Single { pointer, object } | Input::Linked { pointer, object } =
                *input
                && let Some(first) = before.first_mut()
            {
                first[pointer.index()] = bytes.start(object);
            }
        }
        let mut memory = vec![bytes.none(); bytes.elements.len()];
        for (number, object) in (0..).map(ObjectId).zip(&program.objects) {
            let Origin::Static { contents, .. } = &object.origin else { continue };
            for (field, contents) in program.layouts[object.layout.index()].fields.iter().zip(contents) {
                let byte = usize::try_from(field.offset).ok().and_then(|offset| Some(bytes.first(number)? + offset));
                if let (Contents::Pointers(pointers), Some(byte)) = (contents, byte) {
                    for object in pointers.iter().flatten() {
                        memory[byte].union_with(&bytes.start(*object));
                    }
                }
            }
        }
        let open = (0..).map(Location).take(program.instructions.len()).collect();
        Self { program, bytes, before, memory, open }
    }

    /// What registers may point to before each instruction, and memory.
    fn run(mut self) -> (Vec<Vec<FixedBitSet>>, Vec<FixedBitSet>) {
        while let Some(location) = self.open.pop_first() {
            let instruction = &self.program.instructions[location.index()];
            self.store(location, instruction);
            let mut after = self.before[location.index()].clone();
            if let Some(target) = written(instruction) {
                after[target.index()] = self.target(&after, instruction);
            }
            for successor in successors(self.program, location) {
                let mut is_changed = false;
                for (into, from) in self.before[successor.index()].iter_mut().zip(&after) {
                    if !from.is_subset(into) {
                        into.union_with(from);
                        is_changed = true;
                    }
                }
                if is_changed {
                    self.open.insert(successor);
                }
            }
        }
        (self.before, self.memory)
    }

    /// Notes what the instruction stores.
    fn store(&mut self, location: Location, instruction: &Instruction) {
        let Instruction::Store { address, offset, source } = *instruction else { return };
        let registers = &self.before[location.index()];
        let stored = &registers[source.index()];
        let mut is_new = false;
        for byte in self.bytes.moved(&registers[address.index()], Some(offset.into()), 1).ones() {
            is_new |= !stored.is_subset(&self.memory[byte]);
            self.memory[byte].union_with(stored);
        }
        if is_new {
            // What is loaded may be more, wherever that is.
            self.open.extend((0..).map(Location).take(self.program.instructions.len()));
        }
    }

    /// Where the register that the instruction writes may point.
    fn target(&self, registers: &[FixedBitSet], instruction: &Instruction) -> FixedBitSet {
        let of = |register: RegisterId| &registers[register.index()];
        match *instruction {
            Instruction::Address { object, .. } | Instruction::Allocate(Allocate { object, .. }) => self.bytes.start(object),
            Instruction::Copy { source, .. } => of(source).clone(),
            Instruction::Advance(Advance { base, index, scale, .. }) => {
                let steps = if let Operand::Constant(index) = index { Some(index) } else { None };
                self.bytes.moved(of(base), steps, scale)
            }
            Instruction::Load { address, offset, .. } => {
                let mut loaded = self.bytes.none();
                let from = self.bytes.moved(of(address), Some(offset.into()), 1);
                for byte in from.ones() {
                    loaded.union_with(&self.memory[byte]);
                }
                loaded
            }
            _ => self.bytes.none(),
        }
    }
}
