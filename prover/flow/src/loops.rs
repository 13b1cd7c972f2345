//! The loops of a program (Shrinker §0.A.5, §0.A.7), and what one round of each is about.

use crate::{
    graph::ControlFlow,
    instruction::{accumulated, lowered, read, successors, written},
    pointees::Pointees,
    strides::{chained, stride},
};
use goatherd_certificates::program::{Advance, Instruction, Location, ObjectId, Operand, Program, RegisterId, Type};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// A loop: everything between a head and the jumps back to it.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The locations of the loop, nested loops included.
    pub body: BTreeSet<Location>,
    /// Registers written in the loop and live at its head: the relevant local variables of Shrinker §0.A.5.
    pub relevant: Vec<RegisterId>,
    /// Registers read in the loop that only a loop around it writes: what one round of that loop is about.
    pub settled: Vec<RegisterId>,
    /// Registers that a round of a loop around it writes before it comes here: a pointer may be at what the next round is about.
    pub ahead: BTreeSet<RegisterId>,
    /// The heads of the loops around it, the innermost first.
    pub around: Vec<Location>,
    /// The heads of the loops inside it.
    pub nested: Vec<Location>,
    /// `base + index` computed in the loop: base and index register.
    pub indexed: Vec<(RegisterId, RegisterId)>,
    /// Registers that addresses read or written in the loop are computed from.
    pub accessed: BTreeSet<RegisterId>,
    /// The declarations of objects in which it may store pointers, but through relevant ones: those are relevant then, as local variables are.
    pub stores: BTreeSet<ObjectId>,
    /// Does it count one of its relevant registers down?
    pub counts_down: bool,
    /// Does it add to one of its relevant integers, or subtract from it?
    pub accumulates: bool,
    /// By how much one round moves its relevant registers: the greatest sum of the constants added to one of them, or subtracted from it; of linked
    /// structures, the most nodes that it looks at behind each other.
    pub stride: u32,
}

impl Loop {
    /// The declarations of the objects that its rounds move on in: that a relevant pointer, or one that a relevant index is added to, may point to.
    pub fn walked(&self, pointees: &Pointees) -> BTreeSet<ObjectId> {
        let bases = self.indexed.iter().filter(|(_, index)| self.relevant.contains(index)).map(|(base, _)| base);
        let registers = self.relevant.iter().chain(bases);
        registers.flat_map(|register| self.body.iter().flat_map(|location| pointees.at(*location, *register))).collect()
    }
}

/// The loops by their heads, given what is live before each instruction and what pointers point to. `is_linked`: has the program linked structures?
pub fn loops(program: &Program, live: &[BTreeSet<RegisterId>], pointees: &Pointees, is_linked: bool) -> BTreeMap<Location, Loop> {
    let mut loops = BTreeMap::new();
    let bodies = natural_loops(program);
    for (head, body) in &bodies {
        let mut relevant = BTreeSet::new();
        let mut used = BTreeSet::new();
        let mut indexed = BTreeSet::new();
        for location in body {
            let instruction = &program.instructions[location.index()];
            relevant.extend(written(instruction));
            used.extend(read(instruction));
            if let Instruction::Advance(Advance { base, index: Operand::Register(index), scale: 1.., .. }) = instruction {
                indexed.insert((*base, *index));
            }
        }
        let mut outer: Vec<(&Location, &BTreeSet<Location>)> =
            bodies.iter().filter(|(other, around)| is_inside((*head, body), (**other, around))).collect();
        outer.sort_by_key(|(_, around)| around.len());
        let changed: BTreeSet<RegisterId> = outer
            .iter()
            .flat_map(|(_, around)| around.iter())
            .filter_map(|location| written(&program.instructions[location.index()]))
            .collect();
        let settled =
            used.intersection(&changed).copied().filter(|register| !relevant.contains(register) && live[head.index()].contains(register));
        let settled = settled.collect();
        let ahead = outer.iter().flat_map(|(start, around)| written_between(program, **start, *head, around)).collect();
        let around = outer.iter().map(|(other, _)| **other).collect();
        let relevant: Vec<RegisterId> = relevant.intersection(&live[head.index()]).copied().collect();
        let changes = |change: fn(&Instruction) -> Option<RegisterId>| {
            body.iter().any(|location| change(&program.instructions[location.index()]).is_some_and(|target| relevant.contains(&target)))
        };
        let (counts_down, accumulates) = (changes(lowered), changes(accumulated));
        let nested: Vec<_> = bodies.iter().filter(|(other, inner)| is_inside((**other, inner), (*head, body))).collect();
        let own = || body.iter().filter(|location| !nested.iter().any(|(_, inner)| inner.contains(location)));
        let stride = if is_linked { chained(program, own(), &relevant) } else { stride(program, own(), &relevant) };
        let nested = nested.into_iter().map(|(other, _)| *other).collect();
        let indexed = indexed.into_iter().collect();
        let stores = body.iter().filter_map(|location| match program.instructions[location.index()] {
            // Where it stores through a pointer that it moves on, that pointer tells how far it is.
            Instruction::Store { address, source, .. }
                if program.registers[source.index()].kind == Type::Pointer && !relevant.contains(&address) =>
            {
                Some((*location, address))
            }
            _ => None,
        });
        let stores = stores.flat_map(|(location, address)| pointees.at(location, address)).collect();
        let accessed = accessed(program, body);
        let body = body.clone();
        loops.insert(
            *head,
            Loop { body, relevant, settled, ahead, around, nested, indexed, accessed, stores, counts_down, accumulates, stride },
        );
    }
    loops
}

/// By location in a loop, the head of the innermost one: of several as small, the first.
pub fn innermost(loops: &BTreeMap<Location, Loop>) -> BTreeMap<Location, Location> {
    let mut heads: Vec<(&Location, &Loop)> = loops.iter().rev().collect();
    heads.sort_by_key(|(_, around)| Reverse(around.body.len()));
    heads.into_iter().flat_map(|(head, around)| around.body.iter().map(|location| (*location, *head))).collect()
}

/// Is a loop inside another one, both with their heads? Of loops that jumps lead into, each may have the other's head in it: neither is
/// inside, since no round of one is within a round of the other.
fn is_inside((inner, body): (Location, &BTreeSet<Location>), (outer, around): (Location, &BTreeSet<Location>)) -> bool {
    inner != outer && around.contains(&inner) && !body.contains(&outer)
}

/// The registers that are written on ways from one location of a body to another one, without passing either of them in between.
fn written_between(program: &Program, start: Location, end: Location, body: &BTreeSet<Location>) -> BTreeSet<RegisterId> {
    let mut passed = BTreeSet::new();
    let mut open = vec![start];
    while let Some(location) = open.pop() {
        if location != end && passed.insert(location) {
            open.extend(successors(program, location).into_iter().filter(|next| body.contains(next)));
        }
    }
    let mut leading = BTreeSet::from([end]);
    loop {
        let leads = |location: &&Location| successors(program, **location).iter().any(|next| *next != start && leading.contains(next));
        let more: Vec<Location> = passed.iter().filter(|location| !leading.contains(location)).filter(leads).copied().collect();
        if more.is_empty() {
            leading.remove(&end);
            return leading.iter().filter_map(|location| written(&program.instructions[location.index()])).collect();
        }
        leading.extend(more);
    }
}

/// The pointers that the addresses of the accesses at these locations are copied or computed from, there.
fn accessed(program: &Program, body: &BTreeSet<Location>) -> BTreeSet<RegisterId> {
    let mut accessed = BTreeSet::new();
    let mut size = None;
    while size != Some(accessed.len()) {
        size = Some(accessed.len());
        for location in body {
            match program.instructions[location.index()] {
                Instruction::Load { address, .. } | Instruction::Store { address, .. } => drop(accessed.insert(address)),
                Instruction::Free { pointer } => drop(accessed.insert(pointer)),
                Instruction::Copy { target, source: base } | Instruction::Advance(Advance { target, base, .. })
                    if accessed.contains(&target) =>
                {
                    accessed.insert(base);
                }
                _ => {}
            }
        }
    }
    accessed
}

/// Loops by the targets of retreating edges of a depth-first walk; loops with one head are united. For a loop with several entries (a jump
/// into it), the body is what can reach the jump back without passing the head.
fn natural_loops(program: &Program) -> BTreeMap<Location, BTreeSet<Location>> {
    let graph = ControlFlow::new(program);
    let mut loops: BTreeMap<Location, BTreeSet<Location>> = BTreeMap::new();
    for (from, head) in graph.retreating() {
        let body = loops.entry(head).or_insert_with(|| BTreeSet::from([head]));
        let mut work = vec![from];
        while let Some(location) = work.pop() {
            if body.insert(location) {
                work.extend(graph.predecessors(location));
            }
        }
    }
    loops
}

#[cfg(test)]
mod tests {
    use crate::{Flow, testing::program};

    /// For each head, how many loops are around it.
    fn depths(name: &str, text: &str) -> Vec<usize> {
        Flow::new(&program(name, text)).loops.values().map(|around| around.around.len()).collect()
    }

    #[test]
    fn a_loop_knows_those_inside_it_and_a_location_the_innermost_one_around_it() {
        let text = "void test(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) n--; n = 0; while (n < 9) n++; }";
        let flow = Flow::new(&program("innermost", text));
        let heads: Vec<_> = flow.loops.keys().copied().collect();
        let [outer, inner, last] = heads[..] else { panic!("three loops: {heads:?}") };
        assert_eq!(flow.loops.values().map(|around| around.nested.len()).collect::<Vec<_>>(), [1, 0, 0]);
        assert_eq!(flow.loops[&outer].nested, [inner]);
        for (head, around) in &flow.loops {
            let own = around.body.iter().filter(|location| !around.nested.iter().any(|inner| flow.loops[inner].body.contains(location)));
            assert!(own.clone().all(|location| flow.innermost.get(location) == Some(head)), "of the loop at {head:?}");
            assert!(own.count() > 1);
        }
        assert_eq!(
            flow.innermost.len(),
            flow.loops[&outer].body.len() + flow.loops[&last].body.len(),
            "no location outside of loops is in one"
        );
    }

    #[test]
    fn loops_into_which_jumps_lead_are_not_inside_each_other() {
        let nested = "void test(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) n--; }";
        assert_eq!(depths("nested", nested), [0, 1]);
        let entered = "void test(int n) { int i = 0; a: i++; if (n > 5) goto c; b: i++; if (n > 7) goto a; c: i++; if (n > 8) goto b; }";
        assert_eq!(depths("entered", entered), [0, 0]);
    }
}
