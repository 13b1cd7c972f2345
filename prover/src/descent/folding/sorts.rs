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
//! Where a node has several pointers to its own type and loops follow one of them only, there is a sort in which that one alone leads to nodes of
//! the sort: the way along a list beside whose nodes there are trees.

use crate::descent::flow::{Flow, Loop};
use goatherd_certificates::{
    configuration::{Root, Sort},
    program::{Input, Instruction, Link, ObjectId, Operand, Origin, Program, SortId, Type},
};
use std::collections::BTreeSet;

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
        let Origin::Node { links } = &object.origin else { continue };
        let own = Link::Child(SortId(number));
        let pointers: Vec<usize> = (0..links.len()).filter(|field| links[*field] == own).collect();
        let fields = program.layouts.get(object.layout.index()).map_or(&[][..], |layout| &layout.fields);
        let offset = |field: usize| fields.get(field).map_or(0, |field| i128::from(field.offset));
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
    }
    sorts
}

/// The offsets of the fields that loops follow pointers from, or take the addresses of, while they store pointers at this offset.
fn walked_on(program: &Program, flow: &Flow, stored: i128) -> BTreeSet<i128> {
    let stores = |around: &&Loop| {
        around.body.iter().any(|location| match program.instructions[location.index()] {
            Instruction::Store { source, offset, .. } => {
                i128::from(offset) == stored && program.registers[source.index()].kind == Type::Pointer
            }
            _ => false,
        })
    };
    let followed = |around: &Loop| {
        let offset = |location: usize| match program.instructions[location] {
            Instruction::Load { target, offset, .. } if around.accessed.contains(&target) => Some(i128::from(offset)),
            Instruction::Advance { index: Operand::Constant(index), scale, .. } => index.checked_mul(scale.into()),
            _ => None,
        };
        around.body.iter().filter_map(|location| offset(location.index())).collect::<Vec<_>>()
    };
    flow.loops.values().filter(stores).flat_map(followed).collect()
}
