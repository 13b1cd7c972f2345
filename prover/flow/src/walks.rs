//! Which inputs belong together: a scapegoat is in step with a loop that walks several of them only if it lacks an element of each.

use crate::{
    instruction::{read, successors},
    loops::Loop,
};
use goatherd_certificates::program::{Advance, ArrayInput, Compute, Input, Instruction, Location, ObjectId, Operand, Program, RegisterId};
use std::collections::{BTreeMap, BTreeSet};

/// Positions of inputs.
pub type Inputs = BTreeSet<u32>;

/// What a loop walks through.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Walk {
    /// The array inputs that one round moves on in, without the loops nested in this one.
    pub inputs: Inputs,
    /// The integer inputs that bound how far it goes: what is computed from them is read in it.
    pub integers: Inputs,
    /// Is the place that it has come to used outside of its rounds? Another loop then starts there, or its distance is taken.
    pub is_place_kept: bool,
}

/// The walks of all loops of the program, given what is live before each instruction.
pub fn walks(program: &Program, loops: &BTreeMap<Location, Loop>, live: &[BTreeSet<RegisterId>]) -> BTreeSet<Walk> {
    let pointers =
        origins(program, |input| if let Input::Array(ArrayInput { pointer, .. }) = input { Some(*pointer) } else { None }, moved);
    let integers = origins(program, |input| if let Input::Integer { register } = input { Some(*register) } else { None }, computed);
    loops.keys().map(|head| walk(program, (loops, live), *head, &pointers, &integers)).collect()
}

/// By the head of each loop the array inputs that it walks, or loops inside it.
pub fn walked(program: &Program, loops: &BTreeMap<Location, Loop>, live: &[BTreeSet<RegisterId>]) -> BTreeMap<Location, Inputs> {
    let pointers =
        origins(program, |input| if let Input::Array(ArrayInput { pointer, .. }) = input { Some(*pointer) } else { None }, moved);
    let own = |head: &Location| walk(program, (loops, live), *head, &pointers, &BTreeMap::new()).inputs;
    let all = |head: &Location| loops[head].nested.iter().copied().chain([*head]).flat_map(|inner| own(&inner)).collect();
    loops.keys().map(|head| (*head, all(head))).collect()
}

/// The heads of the outermost loops in whose rounds several arrays are walked together, in their order.
pub fn comparing(program: &Program, loops: &BTreeMap<Location, Loop>, live: &[BTreeSet<RegisterId>]) -> Vec<Location> {
    let pointers =
        origins(program, |input| if let Input::Array(ArrayInput { pointer, .. }) = input { Some(*pointer) } else { None }, moved);
    let compares = |head: &Location| walk(program, (loops, live), *head, &pointers, &BTreeMap::new()).inputs.len() > 1;
    let outermost = loops.iter().filter(|(_, around)| around.around.is_empty()).map(|(head, _)| *head);
    outermost.filter(|head| loops[head].nested.iter().any(compares)).collect()
}

fn walk(
    program: &Program,
    (loops, live): (&BTreeMap<Location, Loop>, &[BTreeSet<RegisterId>]),
    head: Location,
    pointers: &BTreeMap<RegisterId, Inputs>,
    integers: &BTreeMap<RegisterId, Inputs>,
) -> Walk {
    let around = &loops[&head];
    let inside: BTreeSet<Location> = around.nested.iter().flat_map(|inner| loops[inner].body.iter().copied()).collect();
    let own = || around.body.difference(&inside).map(|location| &program.instructions[location.index()]);
    let mut inputs = Inputs::new();
    let mut moved: BTreeSet<RegisterId> = BTreeSet::new();
    for instruction in own() {
        if let Instruction::Advance(Advance { target, base, index, .. }) = *instruction {
            let moving = if target == base {
                Some(base)
            } else if let Operand::Register(index) = index {
                Some(index)
            } else {
                None
            };
            if let (Some(moving), Some(origins)) = (moving.filter(|register| around.relevant.contains(register)), pointers.get(&base)) {
                inputs.extend(origins);
                moved.insert(moving);
            }
        }
    }
    let exits = around.body.iter().flat_map(|location| successors(program, *location)).filter(|location| !around.body.contains(location));
    let beyond: BTreeSet<Location> = exits.chain(around.nested.iter().copied()).collect();
    let is_place_kept = moved.iter().any(|register| beyond.iter().any(|location| live[location.index()].contains(register)));
    let integers = own().flat_map(read).filter_map(|register| integers.get(&register)).flatten().copied().collect();
    Walk { inputs, integers, is_place_kept }
}

/// The sets of arrays that are worth leaving elements out of, of those that have enough. Loops that walk several arrays join them: only
/// without an element of each is a scapegoat in step. Where a walk only leads to a place, what is in step behind it is also one that lacks
/// elements of what was walked there.
pub fn joint_drops(walks: &BTreeSet<Walk>, equally_long: &[(u32, u32)], available: &Inputs) -> BTreeSet<Inputs> {
    let links = links(walks, equally_long);
    let alone = available.iter().map(|input| closed(Inputs::from([*input]), &links, available));
    let equal: Vec<Inputs> = equally_long.iter().map(|(left, right)| Inputs::from([*left, *right])).collect();
    let kept = walks.iter().filter(|walk| walk.is_place_kept).map(|walk| closed(&walk.inputs & available, &equal, available));
    alone.chain(kept).filter(|inputs| !inputs.is_empty()).collect()
}

/// The inputs and all those that loops walk together with them, or that must be of one length with them.
pub fn together(walks: &BTreeSet<Walk>, equally_long: &[(u32, u32)], inputs: Inputs) -> Inputs {
    let links = links(walks, equally_long);
    let all: Inputs = links.iter().flatten().chain(&inputs).copied().collect();
    closed(inputs, &links, &all)
}

/// The sets of inputs that belong together.
fn links(walks: &BTreeSet<Walk>, equally_long: &[(u32, u32)]) -> Vec<Inputs> {
    let equal = equally_long.iter().map(|(left, right)| Inputs::from([*left, *right]));
    walks.iter().map(|walk| walk.inputs.clone()).chain(equal).collect()
}

/// The inputs and all those that the links join to them, of those that are available.
fn closed(mut inputs: Inputs, links: &[Inputs], available: &Inputs) -> Inputs {
    loop {
        let before = inputs.len();
        for link in links {
            let link = link & available;
            if !link.is_disjoint(&inputs) {
                inputs.extend(link);
            }
        }
        if inputs.len() == before {
            return inputs;
        }
    }
}

/// For each register the inputs that what it holds may come from: a pointer into one, or the value of one.
fn origins(
    program: &Program,
    start: fn(&Input) -> Option<RegisterId>,
    follow: fn(&Instruction) -> Option<(RegisterId, RegisterId)>,
) -> BTreeMap<RegisterId, Inputs> {
    let mut origins: BTreeMap<RegisterId, Inputs> = BTreeMap::new();
    for (position, input) in (0..).zip(&program.inputs) {
        if let Some(register) = start(input) {
            origins.entry(register).or_default().insert(position);
        }
    }
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for instruction in &program.instructions {
            let Some((target, source)) = follow(instruction) else { continue };
            let from = origins.get(&source).cloned().unwrap_or_default();
            let into = origins.entry(target).or_default();
            let before = into.len();
            into.extend(from);
            is_changed |= into.len() > before;
        }
    }
    origins
}

/// Target and source of an instruction that moves a value or a pointer on.
fn moved(instruction: &Instruction) -> Option<(RegisterId, RegisterId)> {
    match *instruction {
        Instruction::Copy { target, source } | Instruction::Assign { target, value: Operand::Register(source) } => Some((target, source)),
        Instruction::Advance(Advance { target, base, .. }) => Some((target, base)),
        _ => None,
    }
}

/// The same, also where the target is computed from the source.
fn computed(instruction: &Instruction) -> Option<(RegisterId, RegisterId)> {
    match *instruction {
        Instruction::Compute(Compute { target, left: Operand::Register(left), .. }) => Some((target, left)),
        _ => moved(instruction),
    }
}

/// The linked inputs that are worth leaving nodes out of together: for each the ones that the first loop walks that walks it with others, as
/// one that requires equal lists; or it alone.
pub fn linked_walks(program: &Program, loops: &BTreeMap<Location, Loop>) -> BTreeSet<Inputs> {
    let parts = parts(program);
    let walked = |around: &Loop| -> Inputs {
        let loaded = around.body.iter().filter_map(|location| match program.instructions[location.index()] {
            Instruction::Load { target, address, .. } if around.accessed.contains(&target) => Some(address),
            _ => None,
        });
        loaded.flat_map(|address| &parts[address.index()]).copied().collect()
    };
    let walks: Vec<Inputs> = loops.values().map(walked).filter(|inputs| inputs.len() > 1).collect();
    let linked = (0..).zip(&program.inputs).filter(|(_, input)| matches!(input, Input::Linked { .. }));
    linked.map(|(input, _)| walks.iter().find(|walk| walk.contains(&input)).cloned().unwrap_or_else(|| Inputs::from([input]))).collect()
}

/// By register, the linked inputs that it may point into. What hangs in objects that are no nodes is followed where their own address is used;
/// what a program hangs behind the nodes of another input is not.
fn parts(program: &Program) -> Vec<Inputs> {
    let mut parts = vec![Inputs::new(); program.registers.len()];
    let mut addressed: Vec<BTreeSet<ObjectId>> = vec![BTreeSet::new(); program.registers.len()];
    for (position, input) in (0..).zip(&program.inputs) {
        if let Input::Linked { pointer, .. } = input {
            parts[pointer.index()].insert(position);
        }
    }
    let mut held: BTreeMap<ObjectId, Inputs> = BTreeMap::new();
    let size = |parts: &[Inputs], addressed: &[BTreeSet<ObjectId>], held: &BTreeMap<ObjectId, Inputs>| -> usize {
        parts.iter().map(BTreeSet::len).chain(addressed.iter().map(BTreeSet::len)).chain(held.values().map(BTreeSet::len)).sum()
    };
    loop {
        let before = size(&parts, &addressed, &held);
        for instruction in &program.instructions {
            match *instruction {
                Instruction::Address { target, object } => drop(addressed[target.index()].insert(object)),
                Instruction::Copy { target, source: base } | Instruction::Advance(Advance { target, base, .. }) => {
                    let (new, objects) = (parts[base.index()].clone(), addressed[base.index()].clone());
                    parts[target.index()].extend(new);
                    addressed[target.index()].extend(objects);
                }
                Instruction::Load { target, address, .. } => {
                    let hung = addressed[address.index()].iter().filter_map(|object| held.get(object)).flatten();
                    let new: Inputs = hung.chain(&parts[address.index()]).copied().collect();
                    parts[target.index()].extend(new);
                }
                Instruction::Store { address, source, .. } => {
                    for object in &addressed[address.index()] {
                        held.entry(*object).or_default().extend(&parts[source.index()]);
                    }
                }
                _ => {}
            }
        }
        if size(&parts, &addressed, &held) == before {
            return parts;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Inputs, Walk, joint_drops};
    use std::collections::BTreeSet;

    fn walk<const N: usize>(inputs: [u32; N], is_place_kept: bool) -> Walk {
        Walk { inputs: Inputs::from(inputs), integers: Inputs::new(), is_place_kept }
    }

    fn sets<const N: usize, const M: usize>(sets: [[u32; M]; N]) -> BTreeSet<Inputs> {
        sets.into_iter().map(Inputs::from).collect()
    }

    #[test]
    fn arrays_compared_in_pairs_are_joined() {
        let walks = BTreeSet::from([walk([0], false), walk([0, 1], false), walk([1, 2], false), walk([0, 2], false)]);
        assert_eq!(joint_drops(&walks, &[], &Inputs::from([0, 1, 2])), sets([[0, 1, 2]]));
        assert_eq!(joint_drops(&walks, &[], &Inputs::from([1, 2])), sets([[1, 2]]));
    }

    #[test]
    fn what_leads_to_a_place_is_also_left_out_alone() {
        let append = BTreeSet::from([walk([0], true), walk([0, 2], false), walk([1, 2], false)]);
        let expected = &sets([[0, 1, 2]]) | &sets([[0, 1]]);
        assert_eq!(joint_drops(&append, &[(0, 1)], &Inputs::from([0, 1, 2])), expected);
    }

    #[test]
    fn arrays_walked_one_inside_the_other_stay_apart() {
        let walks = BTreeSet::from([walk([0], false), walk([1], false)]);
        assert_eq!(joint_drops(&walks, &[], &Inputs::from([0, 1])), sets([[0], [1]]));
    }
}
