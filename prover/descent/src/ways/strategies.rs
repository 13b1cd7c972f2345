//! Which ways to search a program is worth, the most promising first. The order depends on what its instructions do.

use super::strategy::{Cells, Drops, Integers, Joins, Meeting, Strategy};
use crate::state::{
    folding::{
        bounds::NodeIntegers,
        folds::Folds,
        states::{Merging, States},
    },
    template::{basis::Direction, key::Keys},
};
use goatherd_certificates::derivation::Lengths;
use goatherd_certificates::program::{
    Advance, Allocate, Branch, Compute, Condition, Field, Input, Instruction, Link, Location, Operand, Operation, Origin, Program,
    RegisterId, Relation, SortId, Type,
};
use goatherd_flow::{Flow, focus::failures, instruction::written, small::longest_small_array, walks::together};
use std::{collections::BTreeSet, ops::RangeInclusive};

/// All strategies up to a greatest k.
pub fn strategies(program: &Program, flow: &Flow, greatest_k: u32) -> Vec<Strategy> {
    let mut strategies = if flow.is_linked { linked(program, flow, greatest_k) } else { unlinked(program, flow, greatest_k) };
    // A program that decides everything itself is proved by its run, and one that chooses seldom by its runs.
    if !program.inputs.iter().any(is_large) {
        strategies.insert(1, Strategy { drops: Drops::None, joins: Joins::Never, ..Strategy::plain(1) });
    }
    strategies
}

/// May any number of elements or nodes come in here?
const fn is_large(input: &Input) -> bool {
    matches!(input, Input::Array(_) | Input::Linked { .. })
}

/// For programs without linked structures.
fn unlinked(program: &Program, flow: &Flow, greatest_k: u32) -> Vec<Strategy> {
    let integers = integer_inputs(program);
    let has_bound = bounds(program, &integers);
    let has_sums = flow.loops.values().any(|around| around.accumulates);
    let counts_down = flow.loops.values().any(|around| around.counts_down);
    let shifts = shifts_values(program);
    let of = |k| {
        let plain = Strategy::plain(k);
        let decremented = Strategy { integers: Integers::Decremented, ..plain };
        let walked = Strategy { drops: Drops::Walked, ..plain };
        let differences = Strategy { keys: Keys::Differences, ..walked };
        let mut promising = Vec::new();
        if has_bound {
            promising.push(Strategy { integers: Integers::Decremented, ..walked });
        }
        if k > 1 && !flow.inner.is_empty() {
            promising.push(Strategy { drops: Drops::Outer, keys: Keys::Terminators, ..plain });
        }
        if k <= 2 && flow.comparing.len() > 1 {
            promising.push(Strategy { keys: Keys::Witnesses, ..walked });
        }
        promising.extend(if has_sums { [differences, walked] } else { [walked, differences] });
        if shifts {
            let integers = if has_bound { Integers::Decremented } else { Integers::Kept };
            promising.push(Strategy { keys: Keys::Elements, integers, ..walked });
        }
        let mut others = vec![plain];
        if k > 1 && flow.inner.is_empty() {
            others.push(Strategy { drops: Drops::Apart, ..plain });
        }
        if !integers.is_empty() {
            others.push(decremented);
        }
        if counts_down {
            let down = Strategy { direction: Direction::Down, ..plain };
            others.extend([down, Strategy { keys: Keys::Branches, ..down }]);
            if k == 1 && has_bound && integers.len() > 1 {
                others.push(Strategy { drops: Drops::Ends, integers: Integers::Decremented, ..down });
            }
        }
        others.push(Strategy { keys: Keys::Branches, ..plain });
        others.push(Strategy { drops: Drops::FirstOrLast, ..plain });
        (promising, others)
    };
    // What is promising for two rounds comes before what seldom helps for one.
    let alone = Strategy { drops: Drops::None, ..Strategy::plain(1) };
    let mut strategies = Vec::new();
    let mut left = Vec::new();
    for (k, (promising, others)) in (1..=greatest_k).map(|k| (k, of(k))) {
        strategies.extend(promising);
        if k == 1 {
            let integers = if has_bound { Integers::Decremented } else { Integers::Kept };
            strategies.extend(strides(flow).into_iter().flat_map(|stride| {
                [(Drops::Blocks, Keys::Paths), (Drops::Together, Keys::Paths), (Drops::Together, Keys::Positions)]
                    .map(|(drops, keys)| Strategy { integers, drops, keys, ..Strategy::plain(stride) })
            }));
        }
        left.extend(others);
        if k == 2 {
            strategies.push(alone);
        }
        if k > 1 {
            strategies.append(&mut left);
        }
    }
    strategies.append(&mut left);
    // The first is tried by itself.
    strategies.insert(1, Strategy { keys: Keys::Heads, ..alone });
    if has_independent_arrays(program, flow) {
        strategies.insert(0, Strategy { lengths: Lengths::Open, drops: Drops::Walked, ..Strategy::plain(1) });
    }
    if !program.inputs.iter().any(is_large) && !flow.building.is_empty() {
        let has_buffers = flow.building.iter().any(|group| !group.buffers.is_empty());
        let drops = [Some(Drops::Rounds), has_buffers.then_some(Drops::Shifted)];
        let rounds =
            drops.into_iter().flatten().flat_map(|drops| (1..=greatest_k.min(2)).map(move |k| Strategy { drops, ..Strategy::plain(k) }));
        let made = rounds.flat_map(|rounds| [Keys::Paths, Keys::Differences].map(|keys| Strategy { keys, ..rounds }));
        strategies.splice(0..0, made);
        if flow.building.iter().any(|group| !group.bounds.is_empty()) {
            // What is shown without scapegoats is not kept waiting.
            let behind = strategies.iter().rposition(|strategy| strategy.drops == Drops::None).map_or(strategies.len(), |last| last + 1);
            let last = Strategy { drops: Drops::LastRounds, direction: Direction::Down, ..Strategy::plain(1) };
            strategies.splice(behind..behind, [Keys::Paths, Keys::Differences].map(|keys| Strategy { keys, ..last }));
        }
    }
    // Where nothing can be left out, no scapegoat is lost where ways are joined; a loop of many branches has too many to follow them all.
    if has_branches(program, flow) {
        let joined = Strategy { drops: Drops::Walked, joins: Joins::Forks, ..Strategy::plain(1) };
        strategies.splice(0..0, [Strategy { lengths: Lengths::Open, ..joined }, Strategy { keys: Keys::Differences, ..joined }, joined]);
    }
    if longest_small_array(program).is_some() {
        strategies.insert(0, Strategy { cells: Cells::Small, ..alone });
    }
    if !flow.focus.registers.is_empty() || !failures(program).is_empty() {
        let second = strategies.iter().position(|strategy| strategy.k > 1 && makes_arrays(program)).unwrap_or(strategies.len());
        let partners = (!flow.partners.is_empty()).then_some(Keys::Partners);
        let asking = [Some(Keys::Focus), partners].into_iter().flatten().map(|keys| Strategy { keys, ..alone });
        strategies.splice(second..second, asking);
    }
    if has_branches(program, flow) || !program.inputs.iter().any(|input| matches!(input, Input::Array(_))) {
        strategies.insert(0, Strategy { joins: Joins::Forks, ..alone });
    }
    strategies
}

/// Are there arrays that no smaller input makes smaller, since the program makes them? Of those of inputs scapegoats say more, and at less cost:
/// `strrchr.c` takes 90 ms with two of them, and 270 ms if one element is asked for first.
fn makes_arrays(program: &Program) -> bool {
    let is_made = |origin: &Origin| match origin {
        Origin::Local { count } | Origin::Static { count, .. } => *count > 1,
        Origin::Heap => true,
        Origin::Input | Origin::Node { .. } => false,
    };
    program.objects.iter().any(|object| is_made(&object.origin))
}

/// For programs with linked structures. Many need no scapegoats, so a search without comes first.
fn linked(program: &Program, flow: &Flow, greatest_k: u32) -> Vec<Strategy> {
    let has_bound = bounds(program, &integer_inputs(program));
    let has_sums = flow.loops.values().any(|around| around.accumulates);
    let [first, second] = if has_sums { [Keys::Differences, Keys::Paths] } else { [Keys::Paths, Keys::Branches] };
    let drops = match program.inputs.iter().filter(|input| is_large(input)).count() {
        0 if !flow.drawing.is_empty() => &[Drops::Rounds][..],
        0 | 1 => &[Drops::First],
        2 => &[Drops::Joint, Drops::Apart],
        count if flow.linked_walks.iter().any(|inputs| (2..count).contains(&inputs.len())) => &[Drops::Walked, Drops::First],
        _ => &[Drops::Joint, Drops::First],
    };
    let plain = Strategy { keys: first, ..Strategy::plain(1) };
    let mut ways = vec![
        plain,
        Strategy { folds: Folds::Segments, ..plain },
        Strategy { drops: Drops::Passed, ..plain },
        Strategy { meeting: Meeting::Latest, ..plain },
        Strategy { k: 2, ..plain },
    ];
    let greatest = strides(flow).last().copied().unwrap_or_default();
    ways.extend((*STRIDES.start()..=greatest).map(|k| Strategy { drops: Drops::Together, k, ..plain }));
    ways.extend([
        Strategy { folds: Folds::Blocks, ..plain },
        Strategy { folds: Folds::Near, meeting: Meeting::Latest, ..plain },
        Strategy { keys: second, ..plain },
        Strategy { folds: Folds::Empty, ..plain },
        Strategy { folds: Folds::Near, k: 2, ..plain },
        Strategy { k: 3, ..plain },
    ]);
    ways.retain(|way| way.k <= greatest_k);
    let alone = Strategy { drops: Drops::None, ..Strategy::plain(1) };
    let mut strategies = vec![alone];
    let mut late = Vec::new();
    if has_branching_nodes(program, flow) {
        let uniform = Strategy { folds: Folds::Uniform, ..plain };
        let recent = |k| Strategy { drops: Drops::Recent, k, ..uniform };
        let spare = |k| Strategy { drops: Drops::Spare, k, ..uniform };
        let early = [spare(1), recent(1), uniform];
        let ways: Vec<Strategy> = early.into_iter().chain((2..=UNIFORM).rev().map(recent)).chain([spare(2)]).collect();
        // Nodes that are left out are those of inputs.
        if program.inputs.iter().any(|input| matches!(input, Input::Linked { .. })) {
            strategies.extend(ways);
        } else {
            strategies.push(uniform);
            late.extend(ways.into_iter().filter(|way| *way != uniform));
        }
    }
    for way in ways {
        let own = [way.drops];
        let drops = if way.drops == Drops::First { drops } else { &own };
        for drops in drops.iter().copied() {
            if has_bound {
                strategies.push(Strategy { drops, integers: Integers::Decremented, ..way });
            }
            strategies.push(Strategy { drops, ..way });
        }
    }
    if drops.contains(&Drops::Apart) {
        strategies.push(plain);
    }
    let mut states = by_states(program, flow, alone);
    let folded = [Folds::Segments, Folds::Empty].map(|folds| Strategy { folds, ..alone });
    let first = strategies.iter().position(|strategy| !strategy.is_plain()).unwrap_or(strategies.len());
    // Where nothing comes in, only rounds are left to be left out, and most programs are not about how many there are.
    if program.inputs.is_empty() {
        let [segments, empty] = folded;
        states.insert(1, empty);
        strategies.splice(first..first, states.into_iter().chain([segments]));
    } else {
        strategies.splice(first..first, states);
        strategies.extend(folded);
    }
    strategies.append(&mut late);
    if has_branches(program, flow) {
        strategies.splice(0..0, [alone, plain].map(|way| Strategy { joins: Joins::Forks, ..way }));
    }
    // What a program does next decides what it still needs.
    if !flow.modes(program).is_empty() {
        strategies.insert(0, Strategy { keys: Keys::Modes, folds: Folds::Empty, ..alone });
    }
    // What hangs in an array is told apart by which of its cells are NULL otherwise.
    if has_array_of_pointers(program) {
        strategies.insert(0, Strategy { folds: Folds::Empty, ..alone });
    }
    // What frames hold can be said in no other way.
    if has_untyped_pointers(program) {
        strategies.insert(0, Strategy { merging: Merging::Handed, ..alone });
    }
    strategies
}

/// The ways that find the states of trees while they search, as this one does without: those by shapes also with bounds of integers.
fn by_states(program: &Program, flow: &Flow, alone: Strategy) -> Vec<Strategy> {
    let mut levels = vec![Merging::Shapes];
    if has_branching_nodes(program, flow) {
        levels.push(Merging::Trees);
    }
    if States::new(program, flow, Merging::Values, NodeIntegers::Forgotten).has_values() {
        levels.extend([Merging::Values, Merging::Sets, Merging::Ways]);
    }
    if has_several_nodes(program) {
        levels.extend([Merging::Present, Merging::Handed]);
    }
    levels.push(Merging::Predicates);
    let ways = levels.into_iter().flat_map(|merging| {
        let way = Strategy { merging, ..alone };
        let is_by_shapes = matches!(merging, Merging::Shapes | Merging::Trees | Merging::Present | Merging::Handed);
        let has_bounds = is_by_shapes && States::new(program, flow, merging, NodeIntegers::Kept).has_bounds();
        [Some(way), has_bounds.then_some(Strategy { bounds: NodeIntegers::Kept, ..way })].into_iter().flatten()
    });
    ways.collect()
}

/// Has one of its loops so many branches that the ways of a round are joined?
fn has_branches(program: &Program, flow: &Flow) -> bool {
    let is_branch = |location: &&Location| matches!(program.instructions[location.index()], Instruction::Branch(_));
    flow.loops.values().any(|around| around.body.iter().filter(is_branch).count() > BRANCHES)
}

/// By how much the rounds of its loops move on, where that is more than one element or node.
fn strides(flow: &Flow) -> BTreeSet<u32> {
    flow.loops.values().map(|around| around.stride).filter(|stride| STRIDES.contains(stride)).collect()
}

/// Do nodes of one type point to nodes of another one?
fn has_several_nodes(program: &Program) -> bool {
    (0..).zip(&program.objects).any(|(number, object)| {
        let is_other = |link: &Link| matches!(link, Link::Child(sort) if *sort != SortId(number));
        matches!(&object.origin, Origin::Node { links } if links.iter().any(is_other))
    })
}

/// Has the program arrays of pointers, or of structs with pointers, as tables of lists are?
fn has_array_of_pointers(program: &Program) -> bool {
    program.objects.iter().any(|object| {
        let is_array = match object.origin {
            Origin::Local { count } | Origin::Static { count, .. } => count > 1,
            Origin::Heap => true,
            Origin::Input | Origin::Node { .. } => false,
        };
        let fields = program.layouts.get(object.layout.index()).map_or(&[][..], |layout| &layout.fields);
        is_array && fields.iter().any(|field| field.kind == Type::Pointer)
    })
}

/// Do nodes hold pointers of which their types do not say that they lead to nodes, as frames do?
fn has_untyped_pointers(program: &Program) -> bool {
    program.objects.iter().any(|object| matches!(&object.origin, Origin::Node { links } if links.contains(&Link::Other)))
}

/// Do loops follow several pointers of a node to its own type?
fn has_branching_nodes(program: &Program, flow: &Flow) -> bool {
    (0..).zip(&program.objects).any(|(number, object)| {
        let Origin::Node { links } = &object.origin else { return false };
        let Some(layout) = program.layouts.get(object.layout.index()) else { return false };
        let is_followed =
            |(link, field): &(&Link, &Field)| **link == Link::Child(SortId(number)) && flow.followed.contains(&i128::from(field.offset));
        links.iter().zip(&layout.fields).filter(is_followed).count() > 1
    })
}

/// How many branches a loop has at most whose ways are followed: 32 ways through a round, and each of them through another one.
const BRANCHES: usize = 5;

/// After how many rounds at most the node just passed is left out: a rotation turns two or three, and what is below stays.
const UNIFORM: u32 = 3;

impl Strategy {
    /// Are linked structures folded, nodes left out and places to wait at chosen as most proofs do?
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let is_whole = (self.k, self.folds, self.meeting) == (1, Folds::Whole, Meeting::Earliest) && self.drops != Drops::Passed;
        self.merging == Merging::Links && (is_whole || self.folds == Folds::Uniform || self.keys == Keys::Modes)
    }

    /// Is it tried first, since the form of the program asks for it: frames, or arrays in which nodes hang?
    #[must_use]
    pub fn is_suited(&self) -> bool {
        let is_of_arrays = self.folds == Folds::Empty && self.keys == Keys::Paths;
        self.drops == Drops::None && (self.merging == Merging::Handed || is_of_arrays)
    }

    /// Are linked structures folded otherwise, with nothing left out, and nothing told apart by what their nodes hold?
    #[must_use]
    pub fn is_structural(&self) -> bool {
        let is_by_shapes = matches!(self.merging, Merging::Shapes | Merging::Trees | Merging::Present | Merging::Handed);
        let is_by_links = self.merging == Merging::Links && matches!(self.folds, Folds::Segments | Folds::Empty);
        self.drops == Drops::None && self.bounds == NodeIntegers::Forgotten && (is_by_shapes || is_by_links)
    }

    /// What differs least from the others.
    pub(crate) const fn plain(k: u32) -> Self {
        Self {
            k,
            cells: Cells::First,
            lengths: Lengths::Classes,
            integers: Integers::Kept,
            drops: Drops::First,
            keys: Keys::Paths,
            direction: Direction::Up,
            folds: Folds::Whole,
            meeting: Meeting::Earliest,
            merging: Merging::Links,
            bounds: NodeIntegers::Forgotten,
            joins: Joins::Heads,
        }
    }
}

/// Rounds that move by so much, as those of unrolled loops do, are searched with as many elements left out together.
const STRIDES: RangeInclusive<u32> = 2..=4;

/// Are there arrays that no loop walks together with others? Where one is walked anew in each round over another one, they are not independent.
fn has_independent_arrays(program: &Program, flow: &Flow) -> bool {
    if !flow.inner.is_empty() {
        return false;
    }
    let is_array = |(_, input): &(u32, &Input)| matches!(input, Input::Array(_));
    let arrays: BTreeSet<u32> = (0..).zip(&program.inputs).filter(is_array).map(|(position, _)| position).collect();
    let Some(first) = arrays.first() else { return false };
    !arrays.is_subset(&together(&flow.walks, &flow.equally_long, BTreeSet::from([*first])))
}

/// The registers of the integer inputs.
fn integer_inputs(program: &Program) -> BTreeSet<RegisterId> {
    let register = |input: &Input| match input {
        Input::Integer { register } => Some(*register),
        _ => None,
    };
    program.inputs.iter().filter_map(register).collect()
}

/// Is a value moved by more than one, as the case of a letter is? Then elements matter that differ by just that.
fn shifts_values(program: &Program) -> bool {
    program.instructions.iter().any(|instruction| match instruction {
        Instruction::Compute(Compute { target, operation: Operation::Add | Operation::Subtract, left: Operand::Register(left), right }) => {
            target != left && matches!(right, Operand::Constant(2.. | ..=-2))
        }
        _ => false,
    })
}

/// Does one of the inputs bound how far the program goes? Then what is computed from it is ordered against something, added to a pointer,
/// counted, or asked of `malloc`. An input that is only compared for equality, such as the byte that `memchr` looks for, is left alone, and so is
/// one that is ordered against what was just loaded, such as the key that is looked for in a search tree.
fn bounds(program: &Program, inputs: &BTreeSet<RegisterId>) -> bool {
    let mut derived = inputs.clone();
    loop {
        let is_derived = |operand: &Operand| matches!(operand, Operand::Register(register) if derived.contains(register));
        let target = |instruction: &Instruction| match instruction {
            Instruction::Assign { target, value } if is_derived(value) => Some(*target),
            Instruction::Compute(Compute { target, left, right, .. }) if is_derived(left) || is_derived(right) => Some(*target),
            _ => None,
        };
        let new: Vec<RegisterId> = program.instructions.iter().filter_map(target).filter(|target| !derived.contains(target)).collect();
        if new.is_empty() {
            return program.instructions.iter().enumerate().any(|(location, instruction)| match instruction {
                Instruction::Branch(Branch { condition: Condition::Integers { relation, left, right }, .. }) => {
                    let is_loaded = [left, right].iter().any(|operand| is_just_loaded(&program.instructions[..location], operand));
                    *relation != Relation::Equal && !is_loaded && (is_derived(left) || is_derived(right))
                }
                Instruction::Compute(Compute {
                    target,
                    operation: Operation::Add | Operation::Subtract,
                    left: Operand::Register(left),
                    ..
                }) => left == target && derived.contains(target),
                Instruction::Advance(Advance { index, .. }) => is_derived(index),
                Instruction::Allocate(Allocate { bytes, .. }) => is_derived(bytes),
                _ => false,
            });
        }
        derived.extend(new);
    }
}

/// Does the register hold what the last of the instructions that write it has loaded?
fn is_just_loaded(before: &[Instruction], operand: &Operand) -> bool {
    let Operand::Register(register) = operand else { return false };
    let last = before.iter().rev().find(|instruction| written(instruction) == Some(*register));
    matches!(last, Some(Instruction::Load { .. }))
}
