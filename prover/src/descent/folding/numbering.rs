//! Folded parts and symbols in the order in which they are met: how they came about is no part of a template's shape.

use super::Folding;
use goatherd_certificates::configuration::{FoldedId, Member, Slot, TreeId, TreeSort};

/// Numbers the parts of every member by where they are first pointed to, but a segment before what hangs in its hole, and then the symbols by
/// their first occurrences.
pub fn renumber(folding: &mut Folding) {
    for member in &mut folding.members {
        renumber_parts(member);
    }
    let mut order: Vec<TreeId> = Vec::new();
    for part in folding.members.iter().flat_map(|member| &member.folded) {
        if !order.contains(&part.tree) {
            order.push(part.tree);
        }
    }
    let number = |tree: TreeId| (0..).zip(&order).find(|(_, other)| **other == tree).map_or(tree, |(number, _)| TreeId(number));
    for part in folding.members.iter_mut().flat_map(|member| &mut member.folded) {
        part.tree = number(part.tree);
    }
    // Each symbol has an occurrence.
    let sorts: Vec<TreeSort> = order.iter().filter_map(|tree| folding.trees.get(tree.index()).copied()).collect();
    let paths: Vec<Vec<u32>> = order.iter().filter_map(|tree| folding.paths.get(tree.index()).cloned()).collect();
    (folding.trees, folding.paths) = (sorts, paths);
}

/// Numbers the parts of a member.
fn renumber_parts(member: &mut Member) {
    let mut met: Vec<usize> = Vec::new();
    let slots = member.registers.iter().map(|(_, slot)| *slot);
    let cells = member.objects.iter().flat_map(|state| &state.fields).flat_map(|field| &field.cells).copied();
    for slot in slots.chain(cells) {
        let mut next = part(slot);
        while let Some(position) = next.filter(|position| *position < member.folded.len() && !met.contains(position)) {
            met.push(position);
            next = part(member.folded[position].below);
        }
    }
    met.extend((0..member.folded.len()).filter(|position| !met.contains(position)).collect::<Vec<_>>());
    let mut order: Vec<usize> = Vec::new();
    while !met.is_empty() {
        let is_free = |position: &usize| !met.iter().any(|other| other != position && part(member.folded[*other].below) == Some(*position));
        let next = met.iter().position(is_free).unwrap_or_default();
        order.push(met.remove(next));
    }
    let id = |id: FoldedId| (0..).zip(&order).find(|(_, other)| **other == id.index()).map_or(id, |(number, _)| FoldedId(number));
    let rename = |slot: Slot| match slot {
        Slot::Folded(part) => Slot::Folded(id(part)),
        Slot::Last(part) => Slot::Last(id(part)),
        _ => slot,
    };
    for (_, slot) in &mut member.registers {
        *slot = rename(*slot);
    }
    for slot in member.objects.iter_mut().flat_map(|state| &mut state.fields).flat_map(|field| &mut field.cells) {
        *slot = rename(*slot);
    }
    let mut folded: Vec<_> = order.iter().map(|position| member.folded[*position]).collect();
    for part in &mut folded {
        (part.above, part.below) = (rename(part.above), rename(part.below));
    }
    member.folded = folded;
}

/// The part that a slot points to the root of.
fn part(slot: Slot) -> Option<usize> {
    if let Slot::Folded(part) = slot { Some(part.index()) } else { None }
}
