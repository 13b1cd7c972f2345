//! Folded parts and symbols in the order in which they are met: how they came about is no part of a template's shape.

use super::folded::Folding;
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
    let mut shapes: Vec<Vec<u32>> = order.iter().filter_map(|tree| folding.shapes.get(tree.index()).cloned()).collect();
    // A matching lists none for the last symbols that need none.
    let needed = shapes.iter().rposition(|shapes| !shapes.is_empty()).map_or(0, |last| last + 1);
    shapes.truncate(needed);
    (folding.trees, folding.paths, folding.shapes) = (sorts, paths, shapes);
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
        (part.above, part.same, part.below) = (rename(part.above), rename(part.same), rename(part.below));
    }
    member.folded = folded;
}

/// The part that a slot points to the root of.
fn part(slot: Slot) -> Option<usize> {
    if let Slot::Folded(part) = slot { Some(part.index()) } else { None }
}

#[cfg(test)]
mod tests {
    use super::renumber;
    use crate::state::folding::folded::Folding;
    use goatherd_certificates::{
        configuration::{Folded, FoldedId, InputSize, Member, Slot, TreeId, TreeSort},
        program::{Location, RegisterId, SortId},
    };

    /// A member whose registers point to these parts, each of a symbol and with what hangs below it.
    fn folding(registers: &[u32], parts: &[(u32, Slot)], trees: Vec<TreeSort>) -> Folding {
        let registers = (0..).map(RegisterId).zip(registers.iter().map(|part| Slot::Folded(FoldedId(*part)))).collect();
        let folded = parts
            .iter()
            .map(|(tree, below)| Folded { tree: TreeId(*tree), above: Slot::Null, same: Slot::Forgotten, below: *below })
            .collect();
        let member =
            Member { location: Location(0), size: InputSize::Smaller, consumed: Slot::Forgotten, registers, objects: Vec::new(), folded };
        let paths = (0..).take(trees.len()).map(|number| vec![number]).collect();
        let (objects, counterparts) = (vec![Vec::new()], vec![Vec::new()]);
        Folding { members: vec![member], trees, paths, shapes: Vec::new(), objects, counterparts, states: None }
    }

    const TREE: TreeSort = TreeSort::Tree(SortId(0));
    const SEGMENT: TreeSort = TreeSort::Segment(SortId(1));

    #[test]
    fn parts_and_symbols_are_numbered_as_registers_lead_to_them() {
        let mut folding = folding(&[1, 0], &[(0, Slot::Null), (1, Slot::Null)], vec![TREE, SEGMENT]);
        renumber(&mut folding);
        let [member] = folding.members.as_slice() else { panic!() };
        assert_eq!(member.registers, [(RegisterId(0), Slot::Folded(FoldedId(0))), (RegisterId(1), Slot::Folded(FoldedId(1)))]);
        assert_eq!(member.folded.iter().map(|part| part.tree).collect::<Vec<_>>(), [TreeId(0), TreeId(1)]);
        assert_eq!(folding.trees, [SEGMENT, TREE]);
        assert_eq!(folding.paths, [[1], [0]]);
    }

    #[test]
    fn a_segment_comes_before_what_hangs_in_its_hole() {
        let below = Slot::Folded(FoldedId(0));
        let mut folding = folding(&[0, 1], &[(0, Slot::Null), (1, below)], vec![TREE, SEGMENT]);
        renumber(&mut folding);
        let [member] = folding.members.as_slice() else { panic!() };
        assert_eq!(member.registers, [(RegisterId(0), Slot::Folded(FoldedId(1))), (RegisterId(1), Slot::Folded(FoldedId(0)))]);
        assert_eq!(member.folded[0].below, Slot::Folded(FoldedId(1)));
        assert_eq!(folding.trees, [SEGMENT, TREE]);
    }

    #[test]
    fn occurrences_of_one_symbol_stay_so() {
        let mut folding = folding(&[2, 0, 1], &[(1, Slot::Null), (0, Slot::Null), (1, Slot::Null)], vec![TREE, TREE]);
        renumber(&mut folding);
        assert_eq!(folding.members[0].folded.iter().map(|part| part.tree).collect::<Vec<_>>(), [TreeId(0), TreeId(0), TreeId(1)]);
    }
}
