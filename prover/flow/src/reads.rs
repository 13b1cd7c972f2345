//! Which fields nothing to come reads, whichever way they are reached: pointers that a program only stores, as many do that build lists with `prev`,
//! and those whose last reader is passed. Where pointers may point is followed to the byte of an element, so that what lies in the midst of a node, as
//! the links of Linux' lists do, is told from its other fields. What is stored in a variable before it is read again is not read until then.

use crate::{
    backwards::backwards,
    instruction::successors,
    targets::{Bytes, Targets},
};
use fixedbitset::FixedBitSet;
use goatherd_certificates::program::{Input, Instruction, Location, ObjectId, Program};

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
    pub fn new(program: &Program, targets: &Targets) -> Option<Self> {
        let counts_leaks = |instruction: &Instruction| matches!(instruction, Instruction::CheckLeaks { .. });
        let is_linked = |input: &Input| matches!(input, Input::Linked { .. });
        if program.instructions.iter().any(counts_leaks) || program.inputs.iter().any(is_linked) {
            return None;
        }
        let bytes = &targets.bytes;
        let read = backwards(program, bytes.none(), |location, read: &[FixedBitSet]| {
            let mut before = bytes.none();
            for next in successors(program, location) {
                before.union_with(&read[next.index()]);
            }
            let at = |address, offset: i64| bytes.moved(targets.at(location, address), Some(offset.into()), 1);
            match program.instructions[location.index()] {
                Instruction::Load { address, offset, .. } => before.union_with(&at(address, offset)),
                Instruction::Store { address, offset, .. } => {
                    if let Some(byte) = bytes.only(program, &at(address, offset)) {
                        before.remove(byte);
                    }
                }
                _ => {}
            }
            before
        });
        Some(Self { bytes: bytes.clone(), read })
    }

    /// May an instruction from the location on read that far behind the start of an element of the object?
    pub fn may_read(&self, location: Location, object: ObjectId, offset: u64) -> bool {
        let byte = usize::try_from(offset).ok().and_then(|offset| Some(self.bytes.first(object)? + offset));
        byte.is_none_or(|byte| self.read.get(location.index()).is_none_or(|read| read.contains(byte)))
    }
}

#[cfg(test)]
mod tests {
    use super::Reads;
    use crate::{targets::Targets, testing::program};
    use goatherd_certificates::program::{Instruction, Location, ObjectId, Program};

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

    fn reads_of(program: &Program) -> Option<Reads> {
        Reads::new(program, &Targets::new(program)?)
    }

    /// The offsets of the node that are read from its allocation on, and from the last loop's head on.
    fn read(walk: &str) -> [Vec<u64>; 2] {
        let program = program("reads", &format!("{BUILT} {walk} }}"));
        let reads = reads_of(&program).unwrap();
        [allocation(&program), last_head(&program)].map(|location| offsets(&program, &reads, location))
    }

    fn last_head(program: &Program) -> Location {
        let heads = (0..).map(Location).zip(&program.instructions).filter_map(|(location, instruction)| match *instruction {
            Instruction::Jump { target } if target < location => Some(target),
            _ => None,
        });
        heads.max().unwrap()
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
    fn what_is_stored_in_a_variable_again_is_not_read_before() {
        let text = |store: &str| {
            let walk = "struct link *first = head.next, **place = &first; while (link != &head) link = link->next;";
            program("reads-variable", &format!("{BUILT} {walk} {store} if (*place != link) return; }}"))
        };
        let is_read = |program: &Program| {
            let mut objects = (0..).map(ObjectId).zip(&program.objects);
            let (object, _) = objects.find(|(_, object)| object.name.ends_with("first")).unwrap();
            reads_of(program).unwrap().may_read(last_head(program), object, 0)
        };
        assert!(is_read(&text("")));
        assert!(!is_read(&text("*place = link;")));
    }

    #[test]
    fn nothing_is_said_where_leaks_count_or_lists_come_in() {
        let text = "struct node { struct node *next; }; void test(struct node *list) { while (list) list = list->next; }";
        assert!(reads_of(&program("reads-input", text)).is_none());
    }
}
