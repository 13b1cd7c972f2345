//! Random nodes, sorts and templates, and small changes of configurations.

use super::{concrete::same_field, slots, term};
use crate::{
    conformance::programs::{one_in, pick},
    programs::{empty, node, pointer},
};
use goatherd_certificates::{
    InputSize,
    configuration::{self, FieldState, Folded, FoldedId, Life, ObjectState, Root, Slot, Sort, Template, TreeId, TreeSort},
    program::{IntegerType, Link, Location, ObjectId, Origin, Program, RegisterId, SortId, Source},
    term::{Literal, Scope, Sign},
};
use goatherd_checker::{
    configuration::{Configuration, Setting},
    term::{Arena, sort_index},
};
use goatherd_interpreter::Random;
use std::mem;

/// The byte of the first link of a node, to which pointers may lead as well.
pub const INSIDE: u64 = 4;

/// How many registers hold pointers.
const REGISTERS: usize = 6;

/// One or two declarations of nodes with an integer and one to three pointers.
pub fn program(random: &mut Random) -> Program {
    let mut program = empty();
    let count = 1 + u32::from(one_in(random, 3));
    let children: Vec<Link> = (0..count).map(SortId).map(Link::Child).collect();
    for own in 0..count {
        let first = Link::Child(SortId(own));
        let second = [first, Link::Up, Link::Other, *pick(random, &children)];
        let second = *pick(random, &second);
        let links = match random.below(4) {
            0 => vec![first],
            1 | 2 => vec![first, second, Link::Other],
            _ => vec![first, second],
        };
        node(&mut program, &links);
    }
    for register in 0..REGISTERS {
        pointer(&mut program, &format!("p{register}"));
    }
    program
}

/// Does a node of the sort have a child of this one?
pub fn mentions(sort: &Sort, child: SortId) -> bool {
    sort.shapes.iter().flatten().any(|link| *link == Link::Child(child))
}

/// Some sorts of these nodes.
pub fn sorts(random: &mut Random, program: &Program) -> Vec<Sort> {
    let declarations = u32::try_from(program.objects.len()).unwrap_or(0);
    let count = u32::try_from(random.below(3)).unwrap_or(0);
    let all: Vec<SortId> = (0..declarations + count).map(SortId).collect();
    let mut sorts: Vec<Sort> = Vec::new();
    for own in 0..count {
        let id = SortId(declarations + own);
        // A child of the narrower sort itself is none of the outer one's.
        let outer = sorts.last().cloned().filter(|outer| one_in(random, 2) && !mentions(outer, id));
        let sort = match outer {
            Some(outer) => narrower(random, &outer, SortId(id.0 - 1), id),
            None => sort(random, program, id, &all),
        };
        sorts.push(sort);
    }
    sorts
}

fn sort(random: &mut Random, program: &Program, own: SortId, all: &[SortId]) -> Sort {
    let objects: Vec<ObjectId> = (0..).map(ObjectId).take(program.objects.len()).collect();
    let object = *pick(random, &objects);
    let Origin::Node { links } = &program.objects[object.index()].origin else { unreachable!("all declarations are of nodes") };
    // One field in all shapes, or none.
    let same = Some(1 + usize::from(one_in(random, 2))).filter(|_| one_in(random, 2));
    // No sort hands on a field that there is not, or an integer.
    let pointers: Vec<u32> = (0..).zip(links).filter(|(_, link)| **link != Link::Data).map(|(field, _)| field).collect();
    let shape = |random: &mut Random| {
        let link = |(field, declared): (usize, &Link)| match declared {
            Link::Data => data(random, -1, 2),
            _ if same == Some(field) => Link::Same,
            _ => match random.below(10) {
                0 => Link::Up,
                1 => Link::Null,
                2 => Link::Other,
                3 => Link::Any,
                4 => Link::Handed { sort: *pick(random, all), from: Source::Above },
                5 => Link::Handed { sort: *pick(random, all), from: Source::Field(*pick(random, &pointers)) },
                6 | 7 => Link::Ring { sort: *pick(random, all), byte: *pick(random, &[0, INSIDE]) },
                _ => Link::Child(*pick(random, all)),
            },
        };
        let mut shape: Vec<Link> = links.iter().enumerate().map(link).collect();
        form_rings(random, own, &mut shape);
        shape
    };
    let shapes = (0..=random.below(2)).map(|_| shape(random)).collect();
    let roots = [Root::Any, Root::Node, Root::AnyAt(INSIDE), Root::NodeAt(INSIDE)];
    Sort { object, root: *pick(random, &roots), shapes, within: None }
}

/// Mostly a node says what the last cell of its ring is, and often it has the one way on that cells of rings have.
fn form_rings(random: &mut Random, own: SortId, shape: &mut [Link]) {
    let ring = shape.iter().position(|link| matches!(link, Link::Ring { .. }));
    let is_cell = one_in(random, 2);
    for (field, link) in shape.iter_mut().enumerate() {
        let is_taken = matches!(link, Link::Data | Link::Range { .. } | Link::Same) || ring == Some(field);
        match ring {
            _ if is_taken => {}
            _ if is_cell && field == 1 => *link = Link::Child(own),
            Some(ring) if !one_in(random, 3) => *link = Link::Last(u32::try_from(ring).expect("few fields")),
            _ if is_cell && (*link == Link::Child(own) || matches!(link, Link::Handed { .. })) => *link = Link::Up,
            _ => {}
        }
    }
}

/// An integer between these bounds, or anything.
pub fn data(random: &mut Random, least: i128, greatest: i128) -> Link {
    let (low, high) = (i128::from(random.below(2)), i128::from(random.below(2)));
    if one_in(random, 2) && low <= high && least <= low && high <= greatest {
        Link::Range { least: low, greatest: high }
    } else {
        Link::Data
    }
}

/// A sort within the other one.
pub fn narrower(random: &mut Random, outer: &Sort, outer_id: SortId, own: SortId) -> Sort {
    let mut sort = Sort { within: Some(outer_id), ..outer.clone() };
    if one_in(random, 2) {
        sort.root = match sort.root {
            Root::Any | Root::Node => Root::Node,
            Root::AnyAt(byte) | Root::NodeAt(byte) => Root::NodeAt(byte),
        };
    }
    if one_in(random, 2) {
        sort.shapes.truncate(1);
    }
    for link in sort.shapes.iter_mut().flatten() {
        *link = match *link {
            Link::Data => data(random, -1, 2),
            Link::Child(child) if child == outer_id && one_in(random, 2) => Link::Child(own),
            link => link,
        };
    }
    sort
}

/// Do nodes of the sort say what is handed to those below them?
fn has_handed(setting: Setting<'_>, sort: SortId) -> bool {
    let (_, _, shapes) = setting.nodes(sort).expect("a sort");
    shapes.iter().flatten().any(|link| matches!(link, Link::Handed { .. }))
}

/// One or two members whose heaps are made of the same symbols.
pub fn template(random: &mut Random, arena: &mut Arena, setting: Setting<'_>) -> Template {
    let sorts: Vec<SortId> = (0..).map(SortId).take(setting.program.objects.len() + setting.sorts.len()).collect();
    let mut scope = Scope::default();
    scope.integers[sort_index(Some(IntegerType::I32))] = u32::try_from(random.below(2)).unwrap_or(0);
    let (declared, own) = sorts.split_at(setting.program.objects.len());
    let symbol = |random: &mut Random| {
        // What the sorts of the proof say is mostly what is asked.
        let is_declared = own.is_empty() || one_in(random, 4);
        let sort = *pick(random, if is_declared { declared } else { own });
        // No template has a segment along which something is handed on.
        if one_in(random, 2) || has_handed(setting, sort) { TreeSort::Tree(sort) } else { TreeSort::Segment(sort) }
    };
    let trees: Vec<TreeSort> = (0..=random.below(3)).map(|_| symbol(random)).collect();
    let members = (0..=random.below(2)).map(|_| member(random, arena, setting, &scope, &trees)).collect();
    Template { scope, trees, predicate: Vec::new(), members }
}

fn member(random: &mut Random, arena: &mut Arena, setting: Setting<'_>, scope: &Scope, trees: &[TreeSort]) -> configuration::Member {
    let objects = u32::try_from(random.below(1 + setting.program.objects.len() as u64)).unwrap_or(0);
    let parts = u32::try_from(1 + random.below(3)).unwrap_or(1);
    let symbols: Vec<TreeId> = (0..parts).map(|_| TreeId(u32::try_from(random.below(trees.len() as u64)).unwrap_or(0))).collect();
    let is_segment = |part: u32| matches!(trees[symbols[part as usize].index()], TreeSort::Segment(_));
    let to = |random: &mut Random, arena: &mut Arena| {
        let mut targets = vec![Slot::Null];
        targets.extend((0..parts).map(|part| Slot::Folded(FoldedId(part))));
        targets.extend((0..parts).filter(|part| is_segment(*part)).map(|part| Slot::Last(FoldedId(part))));
        targets.extend((0..objects).map(|object| pointer_to(random, arena, ObjectId(object))));
        *pick(random, &targets)
    };
    let mut folded = Vec::new();
    for (part, tree) in (0..).zip(&symbols) {
        let above = match random.below(3) {
            0 if objects > 0 => pointer_to(random, arena, ObjectId(0)),
            1 if part > 0 && is_segment(part - 1) => Slot::Last(FoldedId(part - 1)),
            _ => Slot::Null,
        };
        let below = match random.below(3) {
            0 if is_segment(part) && objects > 0 => pointer_to(random, arena, ObjectId(0)),
            1 if is_segment(part) && part + 1 < parts => Slot::Folded(FoldedId(part + 1)),
            _ => Slot::Null,
        };
        let (TreeSort::Tree(sort) | TreeSort::Segment(sort)) = trees[tree.index()];
        let same = match random.below(4) {
            _ if same_field(setting, sort).is_none() && !has_handed(setting, sort) => Slot::Forgotten,
            0 if objects > 0 => pointer_to(random, arena, ObjectId(0)),
            1 if part > 0 && is_segment(part - 1) => Slot::Last(FoldedId(part - 1)),
            2 => above,
            _ => Slot::Null,
        };
        folded.push(Folded { tree: *tree, above, same, below });
    }
    let states = (0..objects).map(|object| state(random, arena, setting, scope, ObjectId(object), &to)).collect();
    // Whatever is folded can be reached.
    let mut registers = Vec::new();
    for register in (0..).map(RegisterId).take(REGISTERS) {
        let slot = if register.0 < parts { Slot::Folded(FoldedId(register.0)) } else { to(random, arena) };
        registers.push((register, slot));
    }
    let (size, consumed) = (InputSize::NotLarger, Slot::Forgotten);
    configuration::Member { location: Location(0), size, consumed, registers, objects: states, folded }
}

fn state(
    random: &mut Random,
    arena: &mut Arena,
    setting: Setting<'_>,
    scope: &Scope,
    object: ObjectId,
    to: &impl Fn(&mut Random, &mut Arena) -> Slot,
) -> ObjectState {
    let (lower, upper) = (constant(arena, 0), constant(arena, 1));
    let integer = Slot::Integer(term(random, arena, scope).expect("a term"));
    let pointers = setting.layout(object).map_or(0, |layout| layout.fields.len().saturating_sub(1));
    let mut slots = vec![integer];
    slots.extend((0..pointers).map(|_| if one_in(random, 6) { Slot::Uninitialised } else { to(random, arena) }));
    let fields = slots.into_iter().map(|slot| FieldState { cells: vec![slot], rest: None }).collect();
    ObjectState { object, declaration: object, life: Life::Live, lower, upper, fields }
}

fn constant(arena: &mut Arena, value: i128) -> goatherd_certificates::term::LinearId {
    arena.constant(value).expect("memory for a constant")
}

/// A pointer to the start of the object, or to a link of it.
fn pointer_to(random: &mut Random, arena: &mut Arena, object: ObjectId) -> Slot {
    Slot::byte(object, constant(arena, 0), if one_in(random, 3) { INSIDE } else { 0 })
}

/// Another value in some slot, or another symbol for a folded part.
pub fn change(random: &mut Random, arena: &mut Arena, configuration: &mut Configuration) {
    let scope = configuration.scope;
    let index = usize::try_from(random.below(configuration.members.len() as u64)).unwrap_or(0);
    let member = &mut configuration.members[index];
    if one_in(random, 4) {
        let sorts = configuration.trees.clone();
        let mut parts: Vec<&mut Folded> = member.folded.iter_mut().flatten().collect();
        let Some(count) = parts.len().checked_sub(1) else { return };
        let part = &mut *parts[usize::try_from(random.below(count as u64 + 1)).unwrap_or(0)];
        let alike = |tree: &TreeId| sorts[tree.index()] == sorts[part.tree.index()];
        let symbols: Vec<TreeId> = (0..).map(TreeId).take(sorts.len()).filter(alike).collect();
        part.tree = *pick(random, &symbols);
        return;
    }
    let mut targets = vec![Slot::Null];
    targets.extend(member.objects.iter().flatten().map(|state| pointer_to(random, arena, state.object)));
    for (id, part) in (0..).map(FoldedId).zip(&member.folded) {
        if let Some(part) = part {
            targets.push(Slot::Folded(id));
            targets.extend(matches!(configuration.trees[part.tree.index()], TreeSort::Segment(_)).then_some(Slot::Last(id)));
        }
    }
    let integer = Slot::Integer(term(random, arena, &scope).expect("a term"));
    let target = *pick(random, &targets);
    // Only this member's slots: names of parts and nodes are its own.
    let mut alone = Configuration { members: vec![member.clone()], ..configuration.clone() };
    // Most of what is read is in nodes.
    let registers = if one_in(random, 2) { Vec::new() } else { mem::take(&mut alone.members[0].registers) };
    let mut slots = slots(&mut alone);
    let Some(count) = slots.len().checked_sub(1) else { return };
    let slot = &mut *slots[usize::try_from(random.below(count as u64 + 1)).unwrap_or(0)];
    *slot = match *slot {
        Slot::Integer(_) => integer,
        Slot::Pointer(_) | Slot::Folded(_) | Slot::Last(_) | Slot::Null => target,
        other => other,
    };
    if !registers.is_empty() {
        alone.members[0].registers = registers;
    }
    configuration.members[index] = alone.members.remove(0);
}

/// Says less, or something else, of a template: a slot is forgotten, a symbol has another sort, or a literal is asked for.
pub fn generalise(random: &mut Random, arena: &mut Arena, setting: Setting<'_>, target: &mut Configuration) {
    match random.below(4) {
        0 | 1 => {
            let mut slots = slots(target);
            let index = usize::try_from(random.below(slots.len() as u64)).unwrap_or(0);
            *slots[index] = Slot::Forgotten;
            // A tree has no hole.
            let Configuration { members, trees, .. } = target;
            for part in members.iter_mut().flat_map(|member| &mut member.folded).flatten() {
                if matches!(trees[part.tree.index()], TreeSort::Tree(_)) {
                    part.below = Slot::Null;
                }
            }
        }
        2 => {
            let sorts: Vec<SortId> = (0..).map(SortId).take(setting.program.objects.len() + setting.sorts.len()).collect();
            let symbol = usize::try_from(random.below(target.trees.len() as u64)).unwrap_or(0);
            let sort = *pick(random, &sorts);
            target.trees[symbol] = match target.trees[symbol] {
                TreeSort::Tree(_) => TreeSort::Tree(sort),
                TreeSort::Segment(_) => TreeSort::Segment(sort),
            };
        }
        _ => {
            let scope = target.scope;
            if let Ok(term) = term(random, arena, &scope) {
                target.predicate.push(Literal { sign: Sign::Zero, term });
            }
        }
    }
}
