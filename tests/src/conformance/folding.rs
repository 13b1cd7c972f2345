//! Parts of a concrete heap that a configuration folds: trees and segments of nodes that are linked as their declaration says
//! (`spec/calculus.md#folded-heaps`).

use super::programs::{one_in, pick};
use goatherd_certificates::program::{Link, ObjectId, Origin, Program, SortId};
use goatherd_interpreter::{Life, Machine, MemoryObject, Pointer, Random, Value};
use std::collections::BTreeSet;

/// What a folded part of a configuration is in the machine's heap.
#[derive(Clone, Debug)]
pub struct Part {
    /// What pointers to its root are.
    pub root: Value,
    /// What is above its root, if the nodes say.
    pub above: Option<Value>,
    /// Of a segment, what pointers to its last cell are, and what is in its hole.
    pub hole: Option<(Value, Value)>,
    /// Its nodes, with what they hold.
    pub nodes: Vec<(usize, Vec<Value>)>,
}

impl Part {
    /// An empty tree.
    pub const fn empty() -> Self {
        Self { root: Value::Null, above: None, hole: None, nodes: Vec::new() }
    }

    /// Does the heap still have it?
    pub fn is_there(&self, machine: &Machine<'_>) -> bool {
        self.nodes.iter().all(|(node, fields)| {
            let state = &machine.objects()[*node];
            state.life == Life::Live && *fields == cells(state)
        })
    }
}

/// The declaration of the nodes, and what their fields are.
pub fn nodes(program: &Program) -> Option<(ObjectId, &[Link])> {
    (0..).map(ObjectId).zip(&program.objects).find_map(|(number, object)| match &object.origin {
        Origin::Node { links } => Some((number, links.as_slice())),
        _ => None,
    })
}

/// Of which declaration the object is.
pub fn declaration(program: &Program, state: &MemoryObject<'_>) -> Option<ObjectId> {
    // Nodes of inputs are of none that the machine knows of.
    state.declaration.or_else(|| nodes(program).map(|(node, _)| node))
}

fn cells(state: &MemoryObject<'_>) -> Vec<Value> {
    (0..state.layout.fields.len()).map(|field| state.cell(0, field)).collect()
}

/// A pointer to the start of an object.
fn start(value: Value) -> Option<usize> {
    match value {
        Value::Pointer(Pointer { object, index: 0, byte: 0 }) => Some(object.0),
        _ => None,
    }
}

/// Some parts of the heap, which have no node in common.
pub fn parts(random: &mut Random, program: &Program, machine: &Machine<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut taken = BTreeSet::new();
    let pointers = machine.registers().iter().copied().chain(machine.objects().iter().flat_map(cells));
    let roots: BTreeSet<usize> = pointers.filter_map(start).collect();
    for root in roots {
        if one_in(random, 3)
            && let Some(part) = part(random, program, machine, root)
            && part.nodes.iter().all(|(node, _)| !taken.contains(node))
        {
            taken.extend(part.nodes.iter().map(|(node, _)| *node));
            parts.push(part);
        }
    }
    parts
}

/// What hangs at the root, but for what a segment has in its hole, if it is linked as the declaration says.
fn part(random: &mut Random, program: &Program, machine: &Machine<'_>, root: usize) -> Option<Part> {
    let (node, links) = nodes(program)?;
    let children: Vec<usize> = (0..links.len()).filter(|field| links[*field] == Link::Child(SortId(node.0))).collect();
    let to = |object: usize| Value::Pointer(Pointer { object: goatherd_interpreter::Reference(object), index: 0, byte: 0 });
    let hole = if one_in(random, 2) && !children.is_empty() {
        let mut last = root;
        while let Some(below) = start(machine.objects()[last].cell(0, *pick(random, &children))).filter(|below| *below != root) {
            if one_in(random, 3) {
                break;
            }
            last = below;
        }
        Some((last, *pick(random, &children)))
    } else {
        None
    };
    let mut part = Part { root: to(root), above: None, hole: None, nodes: Vec::new() };
    let mut open = vec![(root, None)];
    while let Some((object, above)) = open.pop() {
        let state = &machine.objects()[object];
        let is_node = declaration(program, state) == Some(node) && state.life == Life::Live && state.count == 1;
        if !is_node || part.nodes.iter().any(|(known, _)| *known == object) {
            return None;
        }
        let fields = cells(state);
        for (field, (link, value)) in links.iter().zip(&fields).enumerate() {
            match (link, value) {
                (Link::Child(_), value) if hole == Some((object, field)) => part.hole = Some((to(object), *value)),
                (Link::Child(_), value) if let Some(below) = start(*value) => open.push((below, Some(object))),
                (Link::Up, value) => match above {
                    None if part.above.is_none_or(|above| above == *value) => part.above = Some(*value),
                    Some(above) if to(above) == *value => {}
                    _ => return None,
                },
                (Link::Data, Value::Integer(_)) | (Link::Child(_) | Link::Null, Value::Null) | (Link::Other, Value::Uninitialised) => {}
                _ => return None,
            }
        }
        part.nodes.push((object, fields));
    }
    (part.hole.is_some() == hole.is_some()).then_some(part)
}
