//! Data flow and loops of a program (Shrinker §0.A.5, §0.A.7): they tell the search what to look at and never change the program.

use super::{
    accesses::Accesses,
    addressed::addressed,
    backwards::backwards,
    common::common,
    overwritten::{Place, overwritten},
    pointees::Pointees,
    strides::{chained, stride},
    walks::{Inputs, Walk, comparing, linked_walks, walks},
};
use goatherd_certificates::program::{
    Condition, Input, Instruction, IntegerType, Location, ObjectId, Operand, Operation, Origin, PointerOperand, Program, RegisterId,
    Relation, Type,
};
use goatherd_checker::arithmetic::width;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
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

/// What the search knows of a program beforehand.
#[derive(Clone, Debug)]
pub struct Flow {
    live: Vec<BTreeSet<RegisterId>>,
    /// Registers that no loop writes.
    pub constants: BTreeSet<RegisterId>,
    /// Loops by their heads.
    pub loops: BTreeMap<Location, Loop>,
    /// The inputs that are walked anew in every round of a loop over another one, as a set of delimiters is, and never the other way round.
    pub inner: BTreeSet<u32>,
    /// The heads of the loops in whose rounds they are walked.
    pub outer: BTreeSet<Location>,
    /// The pairs of array inputs that a run is ignored for if they are not equally long.
    pub equally_long: Vec<(u32, u32)>,
    /// What its loops walk through.
    pub walks: BTreeSet<Walk>,
    /// The heads of the outermost loops that compare arrays in each of their rounds.
    pub comparing: Vec<Location>,
    /// Its linked inputs that are walked together.
    pub linked_walks: BTreeSet<Inputs>,
    /// Has it linked structures?
    pub is_linked: bool,
    /// Per instruction, where pointers stand that are written before they are read.
    pub overwritten: Vec<BTreeSet<Place>>,
    /// What is read through pointers later on; none where everything may be.
    pub accesses: Option<Arc<Accesses>>,
    /// Per instruction, the objects of which one that may come takes the address.
    pub addressed: Vec<BTreeSet<ObjectId>>,
    /// By how many bytes pointers to nodes are behind the nodes that loops follow them from.
    pub followed: BTreeSet<i128>,
    /// By how many bytes pointers to one node are behind the nodes that loops store them in.
    pub common: BTreeSet<i128>,
    /// Registers that are kept although nothing reads them: where something was found.
    pub witnesses: BTreeSet<RegisterId>,
    /// The heads of loops that draw nondeterministic values in each round, those that allocate nodes first.
    pub drawing: Vec<Location>,
    /// The types that values of the same width and the other signedness are read as.
    pub conversions: BTreeSet<IntegerType>,
}

impl Flow {
    /// Analyses the program.
    pub fn new(program: &Program) -> Self {
        let live = liveness(program);
        let pointees = Pointees::new(program);
        let is_linked = program.objects.iter().any(|object| matches!(object.origin, Origin::Node { .. }));
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
                if let Instruction::Advance { base, index: Operand::Register(index), scale: 1.., .. } = instruction {
                    indexed.insert((*base, *index));
                }
            }
            let mut outer: Vec<(&Location, &BTreeSet<Location>)> =
                bodies.iter().filter(|(other, around)| *other != head && around.contains(head)).collect();
            outer.sort_by_key(|(_, around)| around.len());
            let changed: BTreeSet<RegisterId> = outer
                .iter()
                .flat_map(|(_, around)| around.iter())
                .filter_map(|location| written(&program.instructions[location.index()]))
                .collect();
            let settled = used
                .intersection(&changed)
                .copied()
                .filter(|register| !relevant.contains(register) && live[head.index()].contains(register));
            let settled = settled.collect();
            let ahead = outer.iter().flat_map(|(start, around)| written_between(program, **start, *head, around)).collect();
            let around = outer.iter().map(|(other, _)| **other).collect();
            let relevant: Vec<RegisterId> = relevant.intersection(&live[head.index()]).copied().collect();
            let changes = |change: fn(&Instruction) -> Option<RegisterId>| {
                body.iter().any(|location| change(&program.instructions[location.index()]).is_some_and(|target| relevant.contains(&target)))
            };
            let (counts_down, accumulates) = (changes(lowered), changes(accumulated));
            let nested: Vec<_> =
                bodies.iter().filter(|(other, inner)| *other != head && body.contains(other) && inner.len() < body.len()).collect();
            let own = || body.iter().filter(|location| !nested.iter().any(|(_, inner)| inner.contains(location)));
            let stride = if is_linked { chained(program, own(), &relevant) } else { stride(program, own(), &relevant) };
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
                Loop { body, relevant, settled, ahead, around, indexed, accessed, stores, counts_down, accumulates, stride },
            );
        }
        let (inner, outer) = inner_inputs(program, &loops, &pointees);
        let in_loops = bodies.values().flatten().filter_map(|location| written(&program.instructions[location.index()]));
        let in_loops: BTreeSet<RegisterId> = in_loops.collect();
        let constants = (0..).map(RegisterId).take(program.registers.len()).filter(|register| !in_loops.contains(register)).collect();
        let (equally_long, conversions) = (equally_long(program), conversions(program));
        let (followed, common) = (followed(program, &loops), if is_linked { common(program, &loops) } else { BTreeSet::new() });
        let (linked_walks, drawing) = (linked_walks(program, &loops), drawing(program, &loops));
        let mut flow = Self {
            live,
            constants,
            loops,
            inner,
            outer,
            equally_long,
            walks: BTreeSet::new(),
            comparing: Vec::new(),
            linked_walks,
            is_linked,
            overwritten: if is_linked { overwritten(program) } else { Vec::new() },
            accesses: if is_linked { Accesses::new(program).map(Arc::new) } else { None },
            addressed: addressed(program),
            followed,
            common,
            witnesses: BTreeSet::new(),
            drawing,
            conversions,
        };
        flow.walks = walks(program, &flow);
        flow.comparing = comparing(program, &flow);
        flow
    }

    /// Counts the register as read after the location.
    pub fn keep_alive(&mut self, location: Location, register: RegisterId) {
        self.live[location.index()].insert(register);
    }

    /// Is the register read after the location before it is written?
    pub fn is_live(&self, location: Location, register: RegisterId) -> bool {
        self.live[location.index()].contains(&register)
    }

    /// The heads of the loops inside the loop of this head, itself excluded.
    pub fn nested(&self, head: Location) -> impl Iterator<Item = Location> + '_ {
        let body = &self.loops[&head].body;
        self.loops.keys().copied().filter(move |inner| *inner != head && body.contains(inner))
    }
}

/// The heads of loops that draw nondeterministic values outside of nested loops, those that allocate nodes first.
fn drawing(program: &Program, loops: &BTreeMap<Location, Loop>) -> Vec<Location> {
    let is_own =
        |head: &Location, location: &Location| !loops.values().any(|inner| inner.around.contains(head) && inner.body.contains(location));
    let draws = |(head, around): &(&Location, &Loop)| {
        let is_drawn = |location: &Location| matches!(program.instructions[location.index()], Instruction::Havoc { .. });
        around.body.iter().any(|location| is_drawn(location) && is_own(head, location))
    };
    let builds = |(_, around): &(&Location, &Loop)| {
        around.body.iter().any(|location| match program.instructions[location.index()] {
            Instruction::Allocate { object, .. } => matches!(program.objects[object.index()].origin, Origin::Node { .. }),
            _ => false,
        })
    };
    let (builders, others): (Vec<_>, Vec<_>) = loops.iter().filter(draws).partition(builds);
    builders.into_iter().chain(others).map(|(head, _)| *head).collect()
}

/// The array inputs whose lengths are compared, with nothing but `Ignore` behind the way on which they differ.
fn equally_long(program: &Program) -> Vec<(u32, u32)> {
    let input = |operand: &Operand| {
        let mut inputs = (0..).zip(&program.inputs);
        inputs.find(|(_, input)| matches!(input, Input::Array { length, .. } if *operand == Operand::Register(*length)))
    };
    let pair = |instruction: &Instruction| match instruction {
        Instruction::Branch { condition: Condition::Integers { relation: Relation::Equal, left, right }, otherwise, .. }
            if matches!(program.instructions[otherwise.index()], Instruction::Ignore) =>
        {
            Some((input(left)?.0, input(right)?.0))
        }
        _ => None,
    };
    program.instructions.iter().filter_map(pair).collect()
}

/// The inputs that are walked in loops inside loops over others, and around none of them; with the heads of these loops over others.
fn inner_inputs(program: &Program, loops: &BTreeMap<Location, Loop>, pointees: &Pointees) -> (BTreeSet<u32>, BTreeSet<Location>) {
    let walked = |around: &Loop| -> BTreeSet<u32> {
        let bases = around.indexed.iter().filter(|(_, index)| around.relevant.contains(index)).map(|(base, _)| base);
        let registers = around.relevant.iter().chain(bases);
        let objects: BTreeSet<ObjectId> =
            registers.flat_map(|register| around.body.iter().flat_map(|location| pointees.at(*location, *register))).collect();
        let inputs = (0..).zip(&program.inputs);
        let is_walked = |input: &Input| matches!(input, Input::Array { object, .. } if objects.contains(object));
        inputs.filter(|(_, input)| is_walked(input)).map(|(position, _)| position).collect()
    };
    let (mut inside, mut outside, mut heads) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for around in loops.values() {
        let own = walked(around);
        for head in &around.around {
            let outer = walked(&loops[head]);
            if !outer.is_empty() && !own.is_subset(&outer) {
                inside.extend(own.difference(&outer));
                outside.extend(outer);
                heads.insert(*head);
            }
        }
    }
    (inside.difference(&outside).copied().collect(), heads)
}

/// The locations that an instruction may go on to.
pub fn successors(program: &Program, location: Location) -> Vec<Location> {
    match program.instructions[location.index()] {
        Instruction::Jump { target } => vec![target],
        Instruction::Branch { then, otherwise, .. } | Instruction::Choose { then, otherwise } => vec![then, otherwise],
        Instruction::Halt | Instruction::Ignore | Instruction::Fail { .. } => Vec::new(),
        _ => vec![Location(location.0 + 1)],
    }
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

/// The register that the instruction writes.
pub(super) fn written(instruction: &Instruction) -> Option<RegisterId> {
    match *instruction {
        Instruction::Assign { target, .. }
        | Instruction::Compute { target, .. }
        | Instruction::Havoc { target }
        | Instruction::Uninitialise { target }
        | Instruction::Null { target }
        | Instruction::Copy { target, .. }
        | Instruction::Address { target, .. }
        | Instruction::Advance { target, .. }
        | Instruction::Distance { target, .. }
        | Instruction::Load { target, .. }
        | Instruction::Allocate { target, .. } => Some(target),
        _ => None,
    }
}

/// The register that the instruction makes less by a constant.
fn lowered(instruction: &Instruction) -> Option<RegisterId> {
    match *instruction {
        Instruction::Compute { target, operation: Operation::Subtract, left: Operand::Register(left), right: Operand::Constant(1..) }
            if left == target =>
        {
            Some(target)
        }
        Instruction::Advance { target, base, index: Operand::Constant(1..), scale: ..=-1 } if base == target => Some(target),
        Instruction::Advance { target, base, index: Operand::Constant(..=-1), scale: 1.. } if base == target => Some(target),
        _ => None,
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
                Instruction::Copy { target, source: base } | Instruction::Advance { target, base, .. } if accessed.contains(&target) => {
                    accessed.insert(base);
                }
                _ => {}
            }
        }
    }
    accessed
}

/// The offsets of the fields from which loops load pointers to go on with, whether they do so from the node or from the field's own address.
/// What an earlier loop stores there is not what an input has.
fn followed(program: &Program, loops: &BTreeMap<Location, Loop>) -> BTreeSet<i128> {
    let is_stored = |offset: i64, head: Location| {
        let earlier = loops.values().filter(|other| other.body.last().is_some_and(|last| *last < head));
        earlier.flat_map(|other| &other.body).any(|location| match program.instructions[location.index()] {
            Instruction::Store { source, offset: other, .. } => other == offset && program.registers[source.index()].kind == Type::Pointer,
            _ => false,
        })
    };
    let locations = loops.iter().flat_map(|(head, around)| around.body.iter().map(move |location| (*head, around, location)));
    let loaded = locations.filter_map(|(head, around, location)| match program.instructions[location.index()] {
        Instruction::Load { target, offset, .. } if around.accessed.contains(&target) && !is_stored(offset, head) => Some(offset.into()),
        _ => None,
    });
    let addressed = program.instructions.iter().filter_map(|instruction| match *instruction {
        Instruction::Advance { index: Operand::Constant(index), scale, .. } => index.checked_mul(scale.into()),
        _ => None,
    });
    loaded.chain(addressed).collect()
}

/// The integer that the instruction adds to, or subtracts from.
fn accumulated(instruction: &Instruction) -> Option<RegisterId> {
    match *instruction {
        Instruction::Compute { target, operation: Operation::Add | Operation::Subtract, left: Operand::Register(left), .. }
            if left == target =>
        {
            Some(target)
        }
        _ => None,
    }
}

/// The registers that the instruction reads.
pub(super) fn read(instruction: &Instruction) -> Vec<RegisterId> {
    let operand = |operand: &Operand| match operand {
        Operand::Register(register) => Some(*register),
        Operand::Constant(_) => None,
    };
    let pointer = |operand: &PointerOperand| match operand {
        PointerOperand::Register(register) => Some(*register),
        PointerOperand::Null => None,
    };
    match instruction {
        Instruction::Branch { condition: Condition::Integers { left, right, .. }, .. } | Instruction::Compute { left, right, .. } => {
            [operand(left), operand(right)].into_iter().flatten().collect()
        }
        Instruction::Branch { condition: Condition::Pointers { left, right, .. }, .. } => {
            [pointer(left), pointer(right)].into_iter().flatten().collect()
        }
        Instruction::Assign { value, .. } => operand(value).into_iter().collect(),
        Instruction::Allocate { bytes, .. } => operand(bytes).into_iter().collect(),
        Instruction::Copy { source, .. } => vec![*source],
        Instruction::Advance { base, index, .. } => [Some(*base), operand(index)].into_iter().flatten().collect(),
        Instruction::Distance { left, right, .. } => vec![*left, *right],
        Instruction::Load { address, .. } => vec![*address],
        Instruction::Store { address, source, .. } => vec![*address, *source],
        Instruction::Free { pointer } => vec![*pointer],
        Instruction::CheckLeaks { roots } => roots.clone(),
        _ => Vec::new(),
    }
}

/// The types of one byte as which elements are read or converted, other than as they are.
fn conversions(program: &Program) -> BTreeSet<IntegerType> {
    let kind = |register: RegisterId| match program.registers[register.index()].kind {
        Type::Integer(kind) => Some(kind),
        Type::Pointer => None,
    };
    let read = program.instructions.iter().filter_map(|instruction| match *instruction {
        Instruction::Load { target, .. } => kind(target),
        Instruction::Assign { target, value: Operand::Register(source) } => {
            kind(target).filter(|target| kind(source).is_some_and(|source| width(source) == width(*target) && source != *target))
        }
        _ => None,
    });
    read.collect()
}

/// By location: the registers that are read from there on before they are written.
pub fn liveness(program: &Program) -> Vec<BTreeSet<RegisterId>> {
    backwards(program, BTreeSet::new(), |location, live: &[BTreeSet<RegisterId>]| {
        let instruction = &program.instructions[location.index()];
        let behind = successors(program, location).into_iter().flat_map(|next| &live[next.index()]).copied();
        behind.filter(|register| written(instruction) != Some(*register)).chain(read(instruction)).collect()
    })
}

/// Loops by the targets of retreating edges of a depth-first walk; loops with one head are united. For a loop with several entries (a jump
/// into it), the body is what can reach the jump back without passing the head.
fn natural_loops(program: &Program) -> BTreeMap<Location, BTreeSet<Location>> {
    let mut predecessors: BTreeMap<Location, Vec<Location>> = BTreeMap::new();
    let mut back = Vec::new();
    let mut state: BTreeMap<Location, bool> = BTreeMap::new();
    let mut stack = vec![(Location(0), 0)];
    state.insert(Location(0), true);
    while let Some((location, next)) = stack.pop() {
        let targets = successors(program, location);
        let Some(target) = targets.get(next).copied() else {
            state.insert(location, false);
            continue;
        };
        stack.push((location, next + 1));
        predecessors.entry(target).or_default().push(location);
        match state.get(&target) {
            Some(true) => back.push((location, target)),
            Some(false) => {}
            None => {
                state.insert(target, true);
                stack.push((target, 0));
            }
        }
    }
    let mut loops: BTreeMap<Location, BTreeSet<Location>> = BTreeMap::new();
    for (from, head) in back {
        let body = loops.entry(head).or_insert_with(|| BTreeSet::from([head]));
        let mut work = vec![from];
        while let Some(location) = work.pop() {
            if body.insert(location) {
                work.extend(predecessors.get(&location).into_iter().flatten());
            }
        }
    }
    loops
}
