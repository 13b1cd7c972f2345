//! What is read through pointers later on: liveness of the heap, as that of registers (Khedker, Sanyal and Karkare, Heap reference analysis using
//! access graphs). A pointer may come to be the address of loads; what these load may come to be the address of others.

use crate::{
    backwards::{backwards, backwards_from},
    instruction::{successors, written},
};
use fixedbitset::FixedBitSet;
use goatherd_certificates::program::{Advance, Instruction, Location, ObjectId, Operand, Program, RegisterId, Type};
use std::collections::BTreeMap;

/// What holds a pointer, or is an object of which the address is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Holder {
    /// A register.
    Register(RegisterId),
    /// A static or local object.
    Object(ObjectId),
}

/// By how many bytes something is behind a pointer; none where nobody knows.
pub type Behind = Option<i64>;

/// A set of loads, by their numbers.
pub type Loads = FixedBitSet;

/// The loads that a pointer may come to be the address of, by how far behind the pointer at hand.
pub type Uses = BTreeMap<Behind, Loads>;

/// A pointer that may come to be the address of no load.
const NO_USES: &Uses = &BTreeMap::new();

fn add_all(uses: &mut Uses, others: &Uses) {
    for (behind, loads) in others {
        uses.entry(*behind).or_default().union_with(loads);
    }
}

/// Adds these; gives those that are new.
#[must_use]
pub fn add_new(loads: &mut Loads, others: &Loads) -> Loads {
    let mut new = others.clone();
    new.difference_with(loads);
    loads.union_with(&new);
    new
}

/// Pointers are followed at most this far behind where they point, however long elements are: a walk through characters takes a round for each byte.
const FARTHEST: i64 = 1024;

/// Which pointers may come to be the addresses of which loads.
#[derive(Clone, Debug)]
pub struct Accesses {
    loads: Vec<Load>,
    /// By location.
    live: Vec<BTreeMap<Holder, Uses>>,
}

/// Loads that are alike.
#[derive(Clone, Debug)]
struct Load {
    /// How far behind their address they look.
    offset: i64,
    /// What becomes of the pointer that is loaded.
    uses: Uses,
}

impl Accesses {
    /// Analyses the program. None where leaks count: what is lost is read then, in a way.
    pub fn new(program: &Program) -> Option<Self> {
        let counts_leaks = |instruction: &Instruction| matches!(instruction, Instruction::CheckLeaks { .. });
        if program.instructions.iter().any(counts_leaks) {
            return None;
        }
        Some(Analysis::new(program).run())
    }

    /// The loads to come at the location through the pointer.
    pub fn through(&self, location: Location, holder: Holder) -> &Uses {
        self.live.get(location.index()).and_then(|live| live.get(&holder)).unwrap_or(NO_USES)
    }

    /// By how far behind their address these loads look, what becomes of what they load.
    pub fn behind(&self, loads: &Loads) -> BTreeMap<i64, Uses> {
        let mut found: BTreeMap<i64, Uses> = BTreeMap::new();
        for load in loads.ones().filter_map(|load| self.loads.get(load)) {
            add_all(found.entry(load.offset).or_default(), &load.uses);
        }
        found
    }
}

/// The program, and what is found out about it.
struct Analysis<'a> {
    program: &'a Program,
    /// By location of a load, its number: loads of integers that look as far behind their addresses are alike.
    numbers: BTreeMap<Location, usize>,
    /// By offset, all loads.
    at: BTreeMap<i64, Loads>,
    /// Where pointers into the midst of nodes are formed, offsets do not tell fields apart.
    has_inside: bool,
    /// Pointers are followed this far behind where they point: no field lies farther from another one of its element.
    farthest: i64,
    found: Accesses,
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program) -> Self {
        let (mut numbers, mut at, mut loads) = (BTreeMap::new(), BTreeMap::<i64, Loads>::new(), Vec::new());
        let mut integers = BTreeMap::new();
        for (location, instruction) in (0..).map(Location).zip(&program.instructions) {
            let Instruction::Load { target, offset, .. } = *instruction else { continue };
            let number = loads.len();
            let is_pointer = program.registers[target.index()].kind == Type::Pointer;
            let number = if is_pointer { number } else { *integers.entry(offset).or_insert(number) };
            if number == loads.len() {
                loads.push(Load { offset, uses: Uses::new() });
            }
            numbers.insert(location, number);
            at.entry(offset).or_default().grow_and_insert(number);
        }
        let is_inside = |instruction: &Instruction| {
            let is_moved = !matches!(instruction, Instruction::Advance(Advance { index: Operand::Constant(0), .. }));
            is_moved && matches!(instruction, Instruction::Advance(_))
        };
        let has_inside = program.instructions.iter().any(is_inside);
        let found = Accesses { loads, live: vec![BTreeMap::new(); program.instructions.len()] };
        let longest = program.layouts.iter().map(|layout| layout.size).max();
        let farthest = longest.and_then(|size| i64::try_from(size).ok()).map_or(FARTHEST, |size| size.min(FARTHEST));
        Self { program, numbers, at, has_inside, farthest, found }
    }

    /// What becomes of pointers that are stored follows from what becomes of those that are loaded.
    fn run(mut self) -> Accesses {
        let reachable = backwards(self.program, Loads::default(), |location, reachable: &[Loads]| {
            let mut before = Loads::default();
            for next in successors(self.program, location) {
                before.union_with(&reachable[next.index()]);
            }
            if let Some(load) = self.numbers.get(&location) {
                before.grow_and_insert(*load);
            }
            before
        });
        loop {
            let live = std::mem::take(&mut self.found.live);
            self.found.live = backwards_from(self.program, live, |location, live| self.before(&reachable, location, live));
            if !self.note_loaded() {
                return self.found;
            }
        }
    }

    /// Notes what becomes of what is loaded, as far as it is known; is any of it new?
    fn note_loaded(&mut self) -> bool {
        let mut is_new = false;
        for (location, number) in &self.numbers {
            let Instruction::Load { target, .. } = self.program.instructions[location.index()] else { continue };
            let uses = self.found.live.get(location.index() + 1).and_then(|live| live.get(&Holder::Register(target)));
            for (behind, loads) in uses.into_iter().flatten() {
                is_new |= !add_new(self.found.loads[*number].uses.entry(*behind).or_default(), loads).is_clear();
            }
        }
        is_new
    }

    /// What is live before the instruction.
    fn before(&self, reachable: &[Loads], location: Location, live: &[BTreeMap<Holder, Uses>]) -> BTreeMap<Holder, Uses> {
        let instruction = &self.program.instructions[location.index()];
        let mut behind = successors(self.program, location).into_iter().map(|next| &live[next.index()]);
        let mut before = behind.next().cloned().unwrap_or_default();
        for (holder, uses) in behind.flatten() {
            add_all(before.entry(*holder).or_default(), uses);
        }
        let through = written(instruction).and_then(|target| before.remove(&Holder::Register(target))).unwrap_or_default();
        match *instruction {
            Instruction::Copy { source, .. } => add_all(before.entry(Holder::Register(source)).or_default(), &through),
            Instruction::Address { object, .. } => add_all(before.entry(Holder::Object(object)).or_default(), &through),
            Instruction::Advance(Advance { base, index, scale, .. }) => {
                let index = if let Operand::Constant(index) = index { i64::try_from(index).ok() } else { None };
                let by = index.and_then(|index| index.checked_mul(scale));
                let uses = before.entry(Holder::Register(base)).or_default();
                for (behind, loads) in &through {
                    let moved = behind.and_then(|behind| behind.checked_add(by?)).filter(|behind| behind.abs() <= self.farthest);
                    uses.entry(moved).or_default().union_with(loads);
                }
            }
            Instruction::Load { address, .. } => {
                let uses = before.entry(Holder::Register(address)).or_default().entry(Some(0)).or_default();
                uses.grow_and_insert(self.numbers[&location]);
            }
            Instruction::Store { address, source, offset } => {
                // What is loaded from there is what is stored here.
                for (behind, loads) in before.get_mut(&Holder::Register(address)).into_iter().flatten() {
                    if let Some(same) = behind.and_then(|behind| self.at.get(&offset.checked_sub(behind)?)) {
                        loads.difference_with(same);
                    }
                }
                if self.program.registers[source.index()].kind == Type::Pointer {
                    let mut readers = reachable[location.index()].clone();
                    if !self.has_inside {
                        readers.intersect_with(self.at.get(&offset).unwrap_or(&Loads::new()));
                    }
                    let uses = before.entry(Holder::Register(source)).or_default();
                    readers.ones().for_each(|load| add_all(uses, &self.found.loads[load].uses));
                }
            }
            _ => {}
        }
        before
    }
}

#[cfg(test)]
mod tests {
    use super::{Accesses, Holder, Uses};
    use crate::testing::program;
    use goatherd_certificates::program::{Instruction, Location, RegisterId};

    /// The offsets at which loads look through the pointer, and behind what they load from there.
    fn offsets(accesses: &Accesses, uses: &Uses) -> Vec<(i64, Vec<i64>)> {
        let behind = |uses: &Uses| uses.values().flat_map(|loads| accesses.behind(loads)).collect::<Vec<_>>();
        behind(uses).into_iter().map(|(offset, uses)| (offset, behind(&uses).into_iter().map(|(offset, _)| offset).collect())).collect()
    }

    /// What is read at the head of the loop through the register of this name.
    fn through(register: &str, body: &str) -> Vec<(i64, Vec<i64>)> {
        let (accesses, uses) = at_head(register, body);
        offsets(&accesses, &uses)
    }

    fn at_head(register: &str, body: &str) -> (Accesses, Uses) {
        let text = format!(
            "struct node {{ int key; struct node *left, *parent; }};
             void test(struct node *node, struct node *other, int key) {{ {body} }}"
        );
        let program = program("accesses", &text);
        let is_back = |(location, instruction): (Location, &Instruction)| match *instruction {
            Instruction::Jump { target } if target < location => Some(target),
            _ => None,
        };
        let head = (0..).map(Location).zip(&program.instructions).find_map(is_back).unwrap();
        let number = program.registers.iter().position(|other| other.name == register).unwrap();
        let accesses = Accesses::new(&program).unwrap();
        let uses = accesses.through(head, Holder::Register(RegisterId(u32::try_from(number).unwrap()))).clone();
        (accesses, uses)
    }

    #[test]
    fn what_a_way_down_does_not_follow_is_not_read() {
        let body = "while (node && node->key != key) node = node->left;";
        assert_eq!(through("node", body), [(0, vec![]), (8, vec![0, 8])]);
        assert_eq!(through("other", body), []);
    }

    #[test]
    fn a_walk_through_characters_is_followed_as_far_as_a_node_is_long() {
        let (_, uses) = at_head("text", "const char *text = \"some\"; while (*text) text++; node = node->left;");
        assert!(uses.contains_key(&Some(24)) && uses.contains_key(&None), "{uses:?}");
        assert!(uses.keys().flatten().all(|behind| (0..=24).contains(behind)), "{uses:?}");
    }

    #[test]
    fn what_is_stored_is_read_where_such_a_field_is() {
        let body = "while (node->left) node = node->left; node->parent = other; if (node->parent) key = node->parent->key;";
        assert_eq!(through("other", body), [(0, vec![])]);
        assert_eq!(through("node", body), [(8, vec![8])], "what stood in the field before is overwritten");
    }
}
