//! The sorts of trees that a proof may use: one type may be linked in several ways (`spec/search.md#folding`).
//!
//! Beside the sort that a declaration has by itself, in which every pointer leads down, there is one for each pointer of a node to its own
//! type: that pointer leads up, as `prev` does behind a loop that has set it, and so for each pointer to something else, which may be the address
//! of the pointer that leads down. A list that is walked backwards is a tree in which `next` leads up.
//!
//! Where there are several others, there is also one for each of them in which it alone leads to nodes of the sort: the way down a tree along
//! which a loop has set `parent`, beside which there are trees that it has not seen. Where the loop may turn either way, as a search does, these
//! are the shapes of one sort.
//!
//! Where loops store one pointer in many nodes, as that to the node whose children they are, there are sorts of lists whose nodes hold the same
//! there. The first of such a list may hang in a cell that it points to: then it is of a sort in which that pointer leads up, whose cells may stand
//! one below the other, and behind it comes a list of the others.
//!
//! Where a node has several pointers to its own type and loops follow one of them only, there is a sort in which that one alone leads to nodes of
//! the sort: the way along a list beside whose nodes there are trees.

use goatherd_certificates::{
    configuration::{Root, Sort},
    program::{Advance, Input, Instruction, Link, ObjectId, Operand, Origin, Program, SortId, Type},
};
use goatherd_flow::{Flow, entrances::Entrance, loops::Loop};
use std::collections::BTreeSet;

/// How a list goes on from node to node, and back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    /// The field that leads on.
    on: usize,
    /// The one that leads back, if one does.
    back: Option<usize>,
}

/// May a field of the nodes lead up? It is a pointer to a node, or to something else, and there is another one that leads down.
pub fn may_lead_up(declaration: ObjectId, links: &[Link], field: usize) -> bool {
    let own = Link::Child(SortId(declaration.0));
    let is_pointer = links.get(field).is_some_and(|link| *link == own || *link == Link::Other);
    is_pointer && links.iter().enumerate().any(|(other, link)| other != field && *link == own)
}

/// The sorts of a proof about the program, but for those of its declarations.
pub fn sorts(program: &Program, flow: &Flow) -> Vec<Sort> {
    let mut sorts = Vec::new();
    for (number, object) in (0..).zip(&program.objects) {
        let Origin::Node { links: declared } = &object.origin else { continue };
        let entrance = flow.entrances.get(&ObjectId(number));
        let (links, byte) = entrance.map_or((declared, 0), |entrance| (&entrance.links, entrance.byte));
        let before = sorts.len();
        let own = Link::Child(SortId(number));
        if entrance.is_some() {
            sorts.push(Sort { object: ObjectId(number), root: Root::Any, shapes: vec![links.clone()], within: None });
        }
        let pointers: Vec<usize> = (0..links.len()).filter(|field| links[*field] == own).collect();
        let fields = program.layouts.get(object.layout.index()).map_or(&[][..], |layout| &layout.fields);
        let offset = |field: usize| fields.get(field).map_or(0, |field| i128::from(field.offset)) - i128::from(byte);
        // What is stored there in many nodes may be stored in other objects, and an integer be there in these.
        let is_common = |field: &usize| links[*field] != Link::Data && flow.common.contains(&offset(*field));
        for field in (0..links.len()).filter(is_common) {
            let others = || (0..links.len()).filter(|other| *other != field);
            let followed: Vec<usize> = others().filter(|way| links[*way] == own && is_followed(program, flow, offset(*way))).collect();
            let leads_up = |up: &usize| may_lead_up(ObjectId(number), links, *up) && is_stored(program, flow, offset(*up));
            let stored: Vec<usize> = others().filter(leads_up).collect();
            let mut ways = BTreeSet::new();
            for on in followed.iter().copied() {
                let others = stored.iter().copied().filter(|up| *up != on);
                ways.extend(
                    others.flat_map(|up| [Way { on, back: Some(up) }, Way { on: up, back: Some(on) }]).chain([Way { on, back: None }]),
                );
            }
            // Where a node may be either, it is in a list with a way back.
            let ways: Vec<Way> = ways.into_iter().rev().filter(|way| links[way.on] == own).collect();
            let first = program.objects.len() + sorts.len();
            sorts.extend(lists(ObjectId(number), links, field, (&ways, &followed), first));
        }
        for up in (0..links.len()).filter(|field| may_lead_up(ObjectId(number), links, *field)) {
            let others: Vec<usize> = pointers.iter().copied().filter(|field| *field != up).collect();
            // By sort and shape, the fields that lead to nodes of the sort.
            let mut ways = vec![vec![others.clone()]];
            if others.len() > 1 {
                let walked = walked_on(program, flow, offset(up));
                let single = |field: &usize| vec![*field];
                let turns: Vec<Vec<usize>> = others.iter().filter(|field| walked.contains(&offset(**field))).map(single).collect();
                // Trees that no loop has seen are those of inputs.
                if turns.len() > 1 && program.inputs.iter().any(|input| matches!(input, Input::Linked { .. })) {
                    // A node below which the loop has not been is one of these, too.
                    ways.insert(0, turns);
                } else {
                    ways.extend(others.iter().map(|field| vec![single(field)]));
                }
            }
            for way in ways {
                let Ok(sort) = u32::try_from(program.objects.len() + sorts.len()) else { continue };
                let shape = |down: &Vec<usize>| {
                    let role = |(field, link): (usize, &Link)| match link {
                        _ if field == up => Link::Up,
                        _ if down.contains(&field) => Link::Child(SortId(sort)),
                        link => *link,
                    };
                    links.iter().enumerate().map(role).collect()
                };
                let shapes = way.iter().map(shape).collect();
                sorts.push(Sort { object: ObjectId(number), root: Root::Any, shapes, within: None });
            }
        }
        let followed: Vec<usize> = pointers.iter().copied().filter(|field| flow.followed.contains(&offset(*field))).collect();
        if let (2.., [way]) = (pointers.len(), followed.as_slice())
            && let Ok(sort) = u32::try_from(program.objects.len() + sorts.len())
        {
            let role = |(field, link): (usize, &Link)| if field == *way { Link::Child(SortId(sort)) } else { *link };
            let shapes = vec![links.iter().enumerate().map(role).collect()];
            sorts.push(Sort { object: ObjectId(number), root: Root::Any, shapes, within: Some(SortId(number)) });
        }
        if let (Some(entrance), Ok(whole)) = (entrance, u32::try_from(program.objects.len() + before)) {
            enter(&mut sorts[before..], entrance, (SortId(number), SortId(whole)));
        }
    }
    sorts
}

/// Nodes that are not linked as their declaration says are of no sort that this has: one of these sorts takes its place.
fn enter(sorts: &mut [Sort], entrance: &Entrance, (declared, whole): (SortId, SortId)) {
    for sort in sorts {
        sort.root = entered(sort.root, entrance.byte);
        sort.within = sort.within.map(|outer| if outer == declared { whole } else { outer });
        for link in sort.shapes.iter_mut().flatten().filter(|link| **link == Link::Child(declared)) {
            *link = Link::Child(whole);
        }
    }
}

/// The same, of nodes to this byte of which pointers lead.
pub const fn entered(root: Root, byte: u64) -> Root {
    match (root, byte) {
        (Root::Any | Root::AnyAt(_), 0) => Root::Any,
        (Root::Node | Root::NodeAt(_), 0) => Root::Node,
        (Root::Any | Root::AnyAt(_), _) => Root::AnyAt(byte),
        (Root::Node | Root::NodeAt(_), _) => Root::NodeAt(byte),
    }
}

/// The sorts of lists whose nodes hold the same in the field, the first of them of this number. A list goes on by one field, and by another one back
/// up, if by any: that is NULL in its first node. By one of these fields there are further nodes below that.
fn lists(object: ObjectId, links: &[Link], field: usize, (ways, followed): (&[Way], &[usize]), first: usize) -> Vec<Sort> {
    let mut sorts = Vec::new();
    for Way { on, back } in ways {
        let Ok(list) = u32::try_from(first + sorts.len()).map(SortId) else { continue };
        let mut add = |changed: &[(usize, Link)]| {
            let mut links = links.to_vec();
            for (field, link) in changed {
                links[*field] = *link;
            }
            sorts.push(Sort { object, root: Root::Any, shapes: vec![links], within: None });
        };
        let next = (*on, Link::Child(list));
        let before = |link: Link| back.map(|back| (back, link));
        add(&[next, (field, Link::Same)].into_iter().chain(before(Link::Up)).collect::<Vec<_>>());
        let head: Vec<(usize, Link)> = [next, (field, Link::Up)].into_iter().chain(before(Link::Null)).collect();
        for (number, below) in (list.0 + 1..).zip(followed.iter().filter(|below| *below != on && Some(**below) != *back)) {
            add(&head.iter().copied().chain([(*below, Link::Child(SortId(number)))]).collect::<Vec<_>>());
        }
        add(&head);
    }
    sorts
}

/// Does a loop load pointers from there that it goes on from?
fn is_followed(program: &Program, flow: &Flow, stands: i128) -> bool {
    let follows = |around: &Loop| {
        around.body.iter().any(|location| match program.instructions[location.index()] {
            Instruction::Load { target, offset, .. } => i128::from(offset) == stands && around.accessed.contains(&target),
            _ => false,
        })
    };
    flow.loops.values().any(follows)
}

/// Does a loop store pointers there?
fn is_stored(program: &Program, flow: &Flow, stands: i128) -> bool {
    flow.loops.values().any(|around| stores(program, around, stands))
}

/// Does this loop?
fn stores(program: &Program, around: &Loop, stands: i128) -> bool {
    around.body.iter().any(|location| match program.instructions[location.index()] {
        Instruction::Store { source, offset, .. } => {
            i128::from(offset) == stands && program.registers[source.index()].kind == Type::Pointer
        }
        _ => false,
    })
}

/// The offsets of the fields that loops follow pointers from, or take the addresses of, while they store pointers at this offset.
fn walked_on(program: &Program, flow: &Flow, stored: i128) -> BTreeSet<i128> {
    let followed = |around: &Loop| {
        let offset = |location: usize| match program.instructions[location] {
            Instruction::Load { target, offset, .. } if around.accessed.contains(&target) => Some(i128::from(offset)),
            Instruction::Advance(Advance { index: Operand::Constant(index), scale, .. }) => index.checked_mul(scale.into()),
            _ => None,
        };
        around.body.iter().filter_map(|location| offset(location.index())).collect::<Vec<_>>()
    };
    flow.loops.values().filter(|around| stores(program, around, stored)).flat_map(followed).collect()
}
