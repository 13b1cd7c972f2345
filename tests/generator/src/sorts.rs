//! Sorts of a proof: what its trees and segments may look like.

use crate::{dice::Dice, programs::Case};
use goatherd_certificates::{
    configuration::{Root, Sort},
    program::{Link, ObjectId, Origin, SortId, Source as Handing},
};

/// The nodes of a program, and what links them.
fn nodes(case: &Case) -> Vec<(ObjectId, Vec<Link>)> {
    let nodes = (0..).map(ObjectId).zip(&case.program.objects);
    nodes.filter_map(|(id, object)| if let Origin::Node { links } = &object.origin { Some((id, links.clone())) } else { None }).collect()
}

/// Sorts of the proof: those of the declarations with some links changed.
pub fn any(case: &Case, dice: &mut Dice) -> Vec<Sort> {
    let declared = case.program.objects.len();
    let nodes = nodes(case);
    let count = 1 + dice.below(2);
    let mut sorts = Vec::new();
    for _ in 0..count {
        let Some((object, links)) = nodes.get(dice.below(nodes.len())).cloned() else { break };
        let own = u32::try_from(declared).unwrap_or(0) + dice.id(count);
        let mut shapes = Vec::new();
        for _ in 0..=usize::from(dice.once_in(4)) {
            let mut shape = links.clone();
            for link in &mut shape {
                *link = match *link {
                    Link::Data if dice.once_in(3) => Link::Range { least: 0, greatest: dice.one([0, 1, 3]) },
                    Link::Data => Link::Data,
                    Link::Child(sort) => match dice.below(8) {
                        0 => Link::Null,
                        1 => Link::Child(sort),
                        2 => handed(dice, SortId(own), links.len()),
                        3 | 4 => dice.one([Link::Up, Link::Same, Link::Other, Link::Any]),
                        _ => Link::Child(SortId(own)),
                    },
                    other if dice.once_in(2) => other,
                    _ if dice.once_in(4) => handed(dice, SortId(own), links.len()),
                    _ => dice.one([Link::Up, Link::Null, Link::Same, Link::Other, Link::Any, Link::Child(SortId(own))]),
                };
            }
            shapes.push(shape);
        }
        let root = if dice.once_in(4) { dice.one([Root::AnyAt(4), Root::NodeAt(4)]) } else { dice.one([Root::Node, Root::Any, Root::Any]) };
        let within = if dice.once_in(3) { Some(SortId(dice.id(declared + count))) } else { None };
        sorts.push(Sort { object, root, shapes, within });
    }
    sorts
}

/// A child of this sort, to which a node with so many fields hands something.
fn handed(dice: &mut Dice, sort: SortId, fields: usize) -> Link {
    let from = if dice.once_in(3) { Handing::Above } else { Handing::Field(dice.id(fields)) };
    Link::Handed { sort, from }
}

/// Sorts each of which is of a declaration with some links narrowed, or of an earlier sort, within which it is said to be, with some links narrowed or
/// changed.
pub fn narrowed(case: &Case, dice: &mut Dice) -> Vec<Sort> {
    let (nodes, declared) = (nodes(case), case.program.objects.len());
    let mut sorts: Vec<Sort> = Vec::new();
    for position in 0..=dice.below(3) {
        let own = SortId(u32::try_from(declared + position).unwrap_or(u32::MAX));
        let outer = if dice.once_in(2) { dice.id(declared + position) } else { u32::MAX };
        let found = match usize::try_from(outer).ok().and_then(|outer| outer.checked_sub(declared)) {
            Some(earlier) => sorts.get(earlier).cloned(),
            None => nodes.iter().find(|(id, _)| id.0 == outer).map(|(id, links)| plain(*id, links.clone())),
        };
        let mut sort = if let Some(found) = found {
            Sort { within: Some(SortId(outer)), ..inner(dice, found, (SortId(outer), own)) }
        } else {
            let Some((object, links)) = nodes.get(dice.below(nodes.len())).cloned() else { break };
            let mut sort = plain(object, links);
            if dice.once_in(4) {
                sort.shapes.extend_from_within(..);
            }
            sort.shapes.iter_mut().flatten().for_each(|link| *link = narrow(dice, *link, (own, declared + position + 1)));
            sort
        };
        if dice.once_in(3) {
            sort.root = dice.one([Root::Node, Root::Any, Root::AnyAt(4), Root::NodeAt(4)]);
        }
        sorts.push(sort);
    }
    sorts
}

/// What a declaration says of trees of its nodes.
fn plain(object: ObjectId, links: Vec<Link>) -> Sort {
    Sort { object, root: Root::Any, shapes: vec![links], within: None }
}

/// A sort as the other, whose own children are of this sort, most often with something changed.
fn inner(dice: &mut Dice, mut sort: Sort, (outer, own): (SortId, SortId)) -> Sort {
    for link in sort.shapes.iter_mut().flatten() {
        if let Link::Child(child) = link
            && *child == outer
            && !dice.once_in(4)
        {
            *child = own;
        }
        if matches!(link, Link::Data | Link::Range { .. }) && dice.once_in(2) {
            *link = range(dice);
        }
    }
    match dice.below(6) {
        0 => sort.shapes.truncate(1),
        1 => sort.shapes.extend_from_within(..),
        _ => {}
    }
    let links: Vec<&mut Link> = sort.shapes.iter_mut().flatten().collect();
    let position = dice.below(links.len());
    if dice.once_in(2)
        && let Some(link) = links.into_iter().nth(position)
    {
        *link = narrow(dice, *link, (own, own.index() + 1));
    }
    sort
}

fn range(dice: &mut Dice) -> Link {
    let least = i128::from(dice.id(3));
    Link::Range { least, greatest: least + i128::from(dice.id(3)) }
}

/// A link that nodes with this one may have as well: this sort is the one that they are of, and there are so many.
fn narrow(dice: &mut Dice, link: Link, (own, among): (SortId, usize)) -> Link {
    match link {
        Link::Data | Link::Range { .. } => {
            if dice.once_in(3) {
                range(dice)
            } else {
                Link::Data
            }
        }
        _ if dice.once_in(5) => link,
        Link::Child(_) | Link::Handed { .. } => match dice.below(16) {
            0..8 => Link::Child(own),
            8..11 => handed(dice, own, 3),
            11 | 12 => Link::Null,
            13 => Link::Child(SortId(dice.id(among))),
            _ => dice.one([Link::Same, Link::Up, Link::Any]),
        },
        _ => match dice.below(16) {
            0..6 => Link::Same,
            6..10 => Link::Up,
            10..13 => Link::Null,
            13 => Link::Child(own),
            _ => dice.one([Link::Other, Link::Any]),
        },
    }
}
