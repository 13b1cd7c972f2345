//! Sorts among which rings are frequent, and hang from nodes that other sorts seldom have: with several rings, and cells that have what other nodes do.

use super::scenes::{INSIDE, data, mentions, narrower};
use crate::conformance::programs::{index, one_in, pick};
use goatherd_certificates::{
    configuration::{Root, Sort},
    program::{Link, ObjectId, Program, SortId, Source},
};
use goatherd_interpreter::Random;

/// Cells of rings, nodes from which such rings hang and, at times, a sort within that of the cells.
pub fn sorts(random: &mut Random, program: &Program) -> Vec<Sort> {
    let declarations = u32::try_from(program.objects.len()).unwrap_or(0);
    let [cells, nodes, inner] = [0, 1, 2].map(|own| SortId(declarations + own));
    let has_inner = one_in(random, 3);
    let count = if has_inner { 3 } else { 2 };
    let all: Vec<SortId> = (0..declarations + count).map(SortId).chain([cells, nodes]).collect();
    let outer = sort(random, program, Link::Child(cells), &all);
    let of = if one_in(random, 5) { *pick(random, &all) } else { cells };
    let ring = ring(random, of);
    let mut sorts = vec![outer.clone(), sort(random, program, ring, &all)];
    if has_inner {
        let narrow = narrower(random, &outer, cells, inner);
        // A child of the narrower sort itself is none of the outer one's.
        let within = narrow.within.filter(|_| !mentions(&outer, inner));
        sorts.push(Sort { within, ..narrow });
    }
    sorts
}

/// A pointer to the first cell of a ring.
fn ring(random: &mut Random, sort: SortId) -> Link {
    Link::Ring { sort, byte: *pick(random, &[0, INSIDE]) }
}

/// Nodes that have this link, in the same field whatever their shape.
fn sort(random: &mut Random, program: &Program, way: Link, all: &[SortId]) -> Sort {
    let objects: Vec<ObjectId> = (0..).map(ObjectId).take(program.objects.len()).collect();
    let object = *pick(random, &objects);
    let layout = program.objects[object.index()].layout;
    let pointers = program.layouts[layout.index()].fields.len() - 1;
    let own = 1 + index(random, pointers);
    // One field in all shapes, or none.
    let same = Some(1 + index(random, pointers)).filter(|same| *same != own && one_in(random, 3));
    let shape = |random: &mut Random| {
        let mut shape = vec![data(random, -1, 2)];
        shape.extend((1..=pointers).map(|field| match field {
            _ if field == own => way,
            _ if same == Some(field) => Link::Same,
            _ => link(random, pointers, way, all),
        }));
        name_lasts(random, &mut shape, own);
        shape
    };
    let count = if one_in(random, 4) { 2 } else { 1 };
    let shapes = (0..count).map(|_| shape(random)).collect();
    let roots = [Root::Any, Root::Node, Root::AnyAt(INSIDE), Root::NodeAt(INSIDE)];
    Sort { object, root: *pick(random, &roots), shapes, within: None }
}

/// What else a node has.
fn link(random: &mut Random, pointers: usize, way: Link, all: &[SortId]) -> Link {
    let sort = *pick(random, all);
    match random.below(10) {
        0 | 1 => Link::Up,
        2 => Link::Any,
        3 => Link::Null,
        4 => Link::Child(sort),
        5 | 6 => ring(random, sort),
        // Cells that hand something on are those of no ring.
        7 if matches!(way, Link::Ring { .. }) => {
            let field = Source::Field(u32::try_from(1 + index(random, pointers)).expect("few fields"));
            Link::Handed { sort, from: *pick(random, &[Source::Above, field]) }
        }
        _ => Link::Other,
    }
}

/// Mostly the other fields lead to the last cells of the node's rings.
fn name_lasts(random: &mut Random, shape: &mut [Link], own: usize) {
    let rings: Vec<u32> = (0..).zip(&*shape).filter(|(_, link)| matches!(link, Link::Ring { .. })).map(|(field, _)| field).collect();
    if rings.is_empty() {
        return;
    }
    for (field, link) in shape.iter_mut().enumerate().skip(1) {
        let is_taken = field == own || matches!(link, Link::Same | Link::Ring { .. });
        if !is_taken && !one_in(random, 3) {
            *link = Link::Last(*pick(random, &rings));
        }
    }
}
