//! How nodes are linked whose links lie in the midst of them, as those of Linux' lists do: pointers lead to the member that links a node to others,
//! and what its type says of the links is a node that there is not.

use crate::targets::Targets;
use goatherd_certificates::program::{Link, ObjectId, Origin, Program, SortId, Type};
use std::collections::{BTreeMap, BTreeSet};

/// How the nodes of a declaration are linked, where that is not what the declaration says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrance {
    /// To which of their bytes pointers lead.
    pub byte: u64,
    /// What their fields are: children are of the declarations whose nodes the pointers there lead to.
    pub links: Vec<Link>,
}

/// By declaration, those nodes.
pub fn entrances(program: &Program, targets: &Targets) -> BTreeMap<ObjectId, Entrance> {
    let bytes = bytes(program, targets);
    let mut entrances = BTreeMap::new();
    for (number, object) in (0..).map(ObjectId).zip(&program.objects) {
        let Origin::Node { links } = &object.origin else { continue };
        let fields = &program.layouts[object.layout.index()].fields;
        let link = |(link, offset): (&Link, u64)| match *link {
            Link::Child(sort) => {
                let led_to = targets.stored(number, offset).filter(|(other, byte)| bytes.get(other) == Some(byte));
                let nodes: BTreeSet<ObjectId> = led_to.map(|(other, _)| other).collect();
                match nodes.first() {
                    Some(node) if nodes.len() == 1 => Link::Child(SortId(node.0)),
                    _ => Link::Child(sort),
                }
            }
            link => link,
        };
        let found: Vec<Link> = links.iter().zip(fields.iter().map(|field| field.offset)).map(link).collect();
        let byte = bytes.get(&number).copied().unwrap_or_default();
        if byte != 0 || found != *links {
            entrances.insert(number, Entrance { byte, links: found });
        }
    }
    entrances
}

/// By declaration, to which byte of nodes those pointers lead that stand in most fields of nodes; of several, the first.
fn bytes(program: &Program, targets: &Targets) -> BTreeMap<ObjectId, u64> {
    let is_node = |object: &ObjectId| matches!(program.objects[object.index()].origin, Origin::Node { .. });
    let mut counts: BTreeMap<ObjectId, BTreeMap<u64, usize>> = BTreeMap::new();
    for holder in (0..).map(ObjectId).take(program.objects.len()).filter(is_node) {
        let fields = &program.layouts[program.objects[holder.index()].layout.index()].fields;
        for field in fields.iter().filter(|field| field.kind == Type::Pointer) {
            for (object, byte) in targets.stored(holder, field.offset).filter(|(object, _)| is_node(object)) {
                *counts.entry(object).or_default().entry(byte).or_default() += 1;
            }
        }
    }
    let most = |counts: &BTreeMap<u64, usize>| counts.iter().rev().max_by_key(|(_, count)| **count).map_or(0, |(byte, _)| *byte);
    counts.iter().map(|(object, counts)| (*object, most(counts))).collect()
}
