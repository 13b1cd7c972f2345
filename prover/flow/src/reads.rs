//! Which fields nothing to come reads, whichever way they are reached: pointers that a program only stores, as many do that build lists with `prev`,
//! and those whose last reader is passed. Where pointers may point is followed to the byte of an element, so that what lies in the midst of a node, as
//! the links of Linux' lists do, is told from its other fields.

use crate::{
    backwards::backwards,
    instruction::{successors, written},
};
use fixedbitset::FixedBitSet;
use goatherd_certificates::program::{
    Advance, Allocate, ArrayInput, Contents, Input, Instruction, Location, ObjectId, Operand, Origin, Program, RegisterId, Type,
};
use std::collections::BTreeSet;

/// Programs whose elements have more bytes together are not analysed: there is a set of them for each register at each instruction.
const MOST_BYTES: usize = 1 << 12;

/// What is read later on.
#[derive(Clone, Debug)]
pub struct Reads {
    bytes: Bytes,
    /// By location, the bytes at which an instruction may read that is to come.
    read: Vec<FixedBitSet>,
}

impl Reads {
    /// Analyses the program. None where leaks count, since what is lost is read then, in a way; nor where linked inputs come in, whose nodes are folded
    /// as what their declaration says of all of their fields.
    pub fn new(program: &Program) -> Option<Self> {
        let counts_leaks = |instruction: &Instruction| matches!(instruction, Instruction::CheckLeaks { .. });
        let is_linked = |input: &Input| matches!(input, Input::Linked { .. });
        if program.instructions.iter().any(counts_leaks) || program.inputs.iter().any(is_linked) {
            return None;
        }
        let bytes = Bytes::new(program)?;
        let targets = Analysis::new(program, &bytes).run();
        let read = backwards(program, bytes.none(), |location, read: &[FixedBitSet]| {
            let mut before = bytes.none();
            for next in successors(program, location) {
                before.union_with(&read[next.index()]);
            }
            if let Instruction::Load { address, offset, .. } = program.instructions[location.index()] {
                before.union_with(&bytes.moved(&targets[location.index()][address.index()], Some(offset.into()), 1));
            }
            before
        });
        Some(Self { bytes, read })
    }

    /// May an instruction from the location on read that far behind the start of an element of the object?
    pub fn may_read(&self, location: Location, object: ObjectId, offset: u64) -> bool {
        let byte = usize::try_from(offset).ok().and_then(|offset| Some(self.bytes.first(object)? + offset));
        byte.is_none_or(|byte| self.read.get(location.index()).is_none_or(|read| read.contains(byte)))
    }
}

/// The bytes of one element of each object that holds pointers, numbered one after the other.
#[derive(Clone, Debug)]
struct Bytes {
    /// By object, its first byte; none of an object without pointers.
    firsts: Vec<Option<usize>>,
    /// By byte, the first one of its object and how many that has.
    elements: Vec<(usize, usize)>,
}

impl Bytes {
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

    fn first(&self, object: ObjectId) -> Option<usize> {
        self.firsts.get(object.index()).copied().flatten()
    }

    fn none(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.elements.len())
    }

    /// The start of an element of the object.
    fn start(&self, object: ObjectId) -> FixedBitSet {
        let mut start = self.none();
        start.extend(self.first(object));
        start
    }

    /// Where pointers that point there do after so many steps of so many bytes; any number of steps where none is given. Elements repeat.
    fn moved(&self, from: &FixedBitSet, steps: Option<i128>, scale: i64) -> FixedBitSet {
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

    /// What registers may point to before each instruction.
    fn run(mut self) -> Vec<Vec<FixedBitSet>> {
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
        self.before
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

#[cfg(test)]
mod tests {
    use super::Reads;
    use crate::testing::program;
    use goatherd_certificates::program::{Instruction, Location, Program};

    /// The start of a program that builds a list linked both ways.
    const BUILT: &str = "void *malloc(unsigned long); int __VERIFIER_nondet_int(void);
        struct link { struct link *next, *prev; };
        struct node { int value; struct link link; };
        void test(void) {
            struct link head = { &head, &head };
            while (__VERIFIER_nondet_int()) {
                struct node *node = malloc(sizeof *node);
                if (!node) return;
                node->link.next = head.next;
                node->link.prev = &head;
                head.next->prev = &node->link;
                head.next = &node->link;
            }
            struct link *link = head.next;";

    /// The offsets of the node that are read from its allocation on, and from the last loop's head on.
    fn read(walk: &str) -> [Vec<u64>; 2] {
        let program = program("reads", &format!("{BUILT} {walk} }}"));
        let reads = Reads::new(&program).unwrap();
        let heads = (0..).map(Location).zip(&program.instructions).filter_map(|(location, instruction)| match *instruction {
            Instruction::Jump { target } if target < location => Some(target),
            _ => None,
        });
        [allocation(&program), heads.max().unwrap()].map(|location| offsets(&program, &reads, location))
    }

    fn allocation(program: &Program) -> Location {
        let mut instructions = (0..).map(Location).zip(&program.instructions);
        instructions.find(|(_, instruction)| matches!(instruction, Instruction::Allocate(_))).unwrap().0
    }

    fn offsets(program: &Program, reads: &Reads, location: Location) -> Vec<u64> {
        let Instruction::Allocate(allocation) = &program.instructions[allocation(program).index()] else { panic!("found as one") };
        let layout = &program.layouts[program.objects[allocation.object.index()].layout.index()];
        let offsets = layout.fields.iter().map(|field| field.offset);
        offsets.filter(|offset| reads.may_read(location, allocation.object, *offset)).collect()
    }

    #[test]
    fn what_is_only_stored_is_not_read_though_it_lies_in_the_midst_of_a_node() {
        assert_eq!(read("while (link != &head) link = link->next;"), [vec![8], vec![8]]);
    }

    #[test]
    fn what_is_read_through_a_pointer_to_the_node_around_is_read() {
        let walk = "while (link != &head) {
            if (((struct node *)((char *)link - 8))->value > 3) return;
            link = link->next;
        }";
        assert_eq!(read(walk), [vec![0, 8], vec![0, 8]]);
    }

    #[test]
    fn what_only_an_earlier_loop_reads_is_not_read_behind_it() {
        let walk = "while (link != &head) link = link->prev; link = head.next; while (link != &head) link = link->next;";
        assert_eq!(read(walk), [vec![8, 16], vec![8]]);
    }

    #[test]
    fn nothing_is_said_where_leaks_count_or_lists_come_in() {
        let text = "struct node { struct node *next; }; void test(struct node *list) { while (list) list = list->next; }";
        assert!(Reads::new(&program("reads-input", text)).is_none());
    }
}
