//! Data flow and loops of a program (Shrinker §0.A.5, §0.A.7): they tell the search what to look at and never change the program.

use crate::{
    accesses::Accesses,
    addressed::addressed,
    building::{Building, building},
    common::common,
    descending::descending,
    entrances::{Entrance, entrances},
    focus::Focus,
    instruction::written,
    liveness::liveness,
    loops::{Loop, innermost, loops},
    modes::{Mode, modes},
    overwritten::{Place, overwritten},
    partners::{Partner, partners},
    pointees::Pointees,
    reads::Reads,
    sums::{NarrowSum, sums},
    targets::Targets,
    thresholds::thresholds,
    walks::{Inputs, Walk, comparing, linked_walks, walked, walks},
};
use goatherd_certificates::program::{
    Advance, Allocate, ArrayInput, Branch, Condition, Input, Instruction, IntegerType, Location, ObjectId, Operand, Origin, Program,
    RegisterId, Relation, Type,
};
use goatherd_checker::arithmetic::width;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// What the search knows of a program beforehand.
#[derive(Clone, Debug)]
pub struct Flow {
    live: Vec<BTreeSet<RegisterId>>,
    /// Registers that no loop writes.
    pub constants: BTreeSet<RegisterId>,
    /// Loops by their heads.
    pub loops: BTreeMap<Location, Loop>,
    /// By location in a loop, the head of the innermost one.
    pub innermost: BTreeMap<Location, Location>,
    /// The inputs that are walked anew in every round of a loop over another one, as a set of delimiters is, and never the other way round.
    pub inner: BTreeSet<u32>,
    /// The heads of the loops in whose rounds they are walked.
    pub outer: BTreeSet<Location>,
    /// The pairs of array inputs that a run is ignored for if they are not equally long.
    pub equally_long: Vec<(u32, u32)>,
    /// What its loops walk through.
    pub walks: BTreeSet<Walk>,
    /// By the head of each loop the array inputs that it walks, or loops inside it.
    pub walked: BTreeMap<Location, Inputs>,
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
    /// Which fields are read later on; none where all may be.
    pub reads: Option<Arc<Reads>>,
    /// Per instruction, the objects of which one that may come takes the address.
    pub addressed: Vec<BTreeSet<ObjectId>>,
    /// By declaration, how nodes are linked where that is not what the declaration says.
    pub entrances: BTreeMap<ObjectId, Entrance>,
    /// By how many bytes pointers to nodes are behind where pointers lead that loops follow them from.
    pub followed: BTreeSet<i128>,
    /// By how many bytes pointers to one node are behind where pointers lead to the nodes that loops store them in.
    pub common: BTreeSet<i128>,
    /// Registers that are kept although nothing reads them: where something was found.
    pub witnesses: BTreeSet<RegisterId>,
    /// Are elements kept that are known to be constants, at indices that variables hold?
    pub keeps_ends: bool,
    /// Are indices kept at which elements are known to be what registers hold?
    pub keeps_entered: bool,
    /// By how many bytes constants are stored behind where pointers lead that no index is added to, as `text[79] = 0;` does.
    pub fixed_ends: BTreeSet<i64>,
    /// The heads of loops that draw nondeterministic values in each round, those that allocate nodes first.
    pub drawing: Vec<Location>,
    /// The objects that loops fill from their end.
    pub descending: BTreeSet<ObjectId>,
    /// The loops that make data, by what bounds them.
    pub building: Vec<Building>,
    /// What integers are compared with, as [`thresholds`] has it.
    pub thresholds: Vec<i128>,
    /// How many elements the longest small array has, where these are told apart.
    pub told_apart: Option<u32>,
    /// What says which element is asked about.
    pub focus: Focus,
    /// Where elements are, beside another one, that loops exchange with it, or copy to its place or from there.
    pub partners: BTreeSet<Partner>,
    /// What loops add up, and what counts their rounds.
    pub sums: Vec<NarrowSum>,
    /// Registers with modes, where these are told apart.
    pub modes: Vec<Mode>,
    /// The types that values of the same width and the other signedness are read as.
    pub conversions: BTreeSet<IntegerType>,
}

impl Flow {
    /// Analyses the program.
    pub fn new(program: &Program) -> Self {
        let live = liveness(program);
        let pointees = Pointees::new(program);
        let is_linked = program.objects.iter().any(|object| matches!(object.origin, Origin::Node { .. }));
        let loops = loops(program, &live, &pointees, is_linked);
        let (inner, outer) = inner_inputs(program, &loops, &pointees);
        let in_loops =
            loops.values().flat_map(|around| &around.body).filter_map(|location| written(&program.instructions[location.index()]));
        let in_loops: BTreeSet<RegisterId> = in_loops.collect();
        let constants: BTreeSet<RegisterId> =
            (0..).map(RegisterId).take(program.registers.len()).filter(|register| !in_loops.contains(register)).collect();
        let (equally_long, conversions) = (equally_long(program), conversions(program));
        let (followed, common) = (followed(program, &loops), if is_linked { common(program, &loops) } else { BTreeSet::new() });
        let (linked_walks, drawing) = (linked_walks(program, &loops), drawing(program, &loops));
        let (walks, comparing) = (walks(program, &loops, &live), comparing(program, &loops, &live));
        let walked = walked(program, &loops, &live);
        let building = building(program, &loops, &drawing, &pointees);
        let descending = descending(program, &loops, &pointees);
        let focus = Focus::new(program, &constants, &pointees);
        let partners = partners(program, &loops, &constants);
        let targets = if is_linked { Targets::new(program) } else { None };
        let sums = sums(program, &loops);
        Self {
            live,
            constants,
            innermost: innermost(&loops),
            loops,
            inner,
            outer,
            equally_long,
            walks,
            walked,
            comparing,
            linked_walks,
            is_linked,
            overwritten: if is_linked { overwritten(program, targets.as_ref()) } else { Vec::new() },
            accesses: if is_linked { Accesses::new(program).map(Arc::new) } else { None },
            reads: targets.as_ref().and_then(|targets| Reads::new(program, targets)).map(Arc::new),
            entrances: targets.map_or_else(BTreeMap::new, |targets| entrances(program, &targets)),
            addressed: addressed(program),
            followed,
            common,
            witnesses: BTreeSet::new(),
            keeps_ends: false,
            keeps_entered: false,
            fixed_ends: BTreeSet::new(),
            building,
            descending,
            drawing,
            thresholds: thresholds(program),
            told_apart: None,
            focus,
            partners,
            sums,
            modes: Vec::new(),
            conversions,
        }
    }

    /// Counts the register as read after the location.
    pub fn keep_alive(&mut self, location: Location, register: RegisterId) {
        self.live[location.index()].insert(register);
    }

    /// Is the register read after the location before it is written?
    pub fn is_live(&self, location: Location, register: RegisterId) -> bool {
        self.live[location.index()].contains(&register)
    }

    /// The registers that say what the program does next when loops begin their rounds.
    pub fn modes(&self, program: &Program) -> Vec<Mode> {
        let registers = (0..).map(RegisterId).take(program.registers.len());
        modes(program, registers.filter(|register| self.loops.keys().any(|head| self.is_live(*head, *register))))
    }

    /// The heads of the loops inside the loop of this head, itself excluded.
    pub fn nested(&self, head: Location) -> impl Iterator<Item = Location> + '_ {
        self.loops[&head].nested.iter().copied()
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
            Instruction::Allocate(Allocate { object, .. }) => matches!(program.objects[object.index()].origin, Origin::Node { .. }),
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
        inputs.find(|(_, input)| matches!(input, Input::Array(ArrayInput { length, .. }) if *operand == Operand::Register(*length)))
    };
    let pair =
        |instruction: &Instruction| match instruction {
            Instruction::Branch(Branch {
                condition: Condition::Integers { relation: Relation::Equal, left, right }, otherwise, ..
            }) if matches!(program.instructions[otherwise.index()], Instruction::Ignore) => Some((input(left)?.0, input(right)?.0)),
            _ => None,
        };
    program.instructions.iter().filter_map(pair).collect()
}

/// The inputs that are walked in loops inside loops over others, and around none of them; with the heads of these loops over others.
fn inner_inputs(program: &Program, loops: &BTreeMap<Location, Loop>, pointees: &Pointees) -> (BTreeSet<u32>, BTreeSet<Location>) {
    let walked = |around: &Loop| -> BTreeSet<u32> {
        let objects = around.walked(pointees);
        let inputs = (0..).zip(&program.inputs);
        let is_walked = |input: &Input| matches!(input, Input::Array(ArrayInput { object, .. }) if objects.contains(object));
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
        Instruction::Advance(Advance { index: Operand::Constant(index), scale, .. }) => index.checked_mul(scale.into()),
        _ => None,
    });
    loaded.chain(addressed).collect()
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
