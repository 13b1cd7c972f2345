//! The kernel with one condition switched off, or one thing done wrong: the test vectors must notice each (`spec/calculus.md#attacks`).
//!
//! The kernel itself has no switches: its source is copied, changed in one place and built by itself. A place is a function and what stands there,
//! token for token: how it is laid out does not matter.

mod laboratory;
mod place;

pub use laboratory::{Laboratory, noticed};

use crate::workspace_root;
use std::fs;

/// One change of the kernel's source.
pub struct Mutant {
    /// What is wrong with it, in words.
    pub about: &'static str,
    /// The file, from the root of the workspace.
    pub file: &'static str,
    /// The function, or functions of that name, in whose bodies it stands.
    pub function: &'static str,
    /// What stands there, in one place: tokens, with every bracket closed.
    pub old: &'static str,
    /// What stands there instead.
    pub new: &'static str,
    /// Forged proofs that it accepts, by the names of their vectors: those that only the condition at hand stops.
    pub accepted: &'static [&'static str],
}

const fn mutant(
    file: &'static str,
    function: &'static str,
    about: &'static str,
    [old, new]: [&'static str; 2],
    accepted: &'static [&'static str],
) -> Mutant {
    Mutant { about, file, function, old, new, accepted }
}

/// Of terms, linked heaps, shares, Steps and cells.
pub const ALL: &[Mutant] = &[
    mutant(
        "certificates/src/decode.rs",
        "term",
        "terms are not looked up",
        ["(number < count).then_some(TableTerm(number))", "{ let _ = count; Some(TableTerm(number)) }"],
        &[],
    ),
    mutant(
        "checker/src/replay.rs",
        "replay_proof",
        "templates mention any variables",
        [".and_then(|made| made.check_scope(arena).map(|()| made))", ""],
        &[],
    ),
    mutant(
        "checker/src/fold.rs",
        "take",
        "nodes are read more than once",
        [
            "self.objects.get_mut(object.index()).and_then(Option::take)",
            "self.objects.get_mut(object.index()).and_then(|state| state.clone())",
        ],
        &["heap-shared", "heap-matched-and-folded", "heap-two-names"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "folded parts are read more than once",
        ["self.folded.get_mut(id.index()).and_then(Option::take)", "self.folded.get_mut(id.index()).and_then(|folded| *folded)"],
        &["heap-copied"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "`Up` fields of nodes are not read",
        ["(Link::Up, [up]) if is_above(*up) => {}", "(Link::Up, [_]) => {}"],
        &["heap-up"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "`Up` fields of folded parts are not read",
        ["ensure(is_above(folded.above) || !shapes.iter().any(|links| links.contains(&Link::Up)), Rejection::NotRead)?;", ""],
        &["heap-up-of-part"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "`Same` fields of nodes are not read",
        ["(Link::Same, [same]) if is_same(*same) => {}", "(Link::Same, [_]) => {}"],
        &["heap-same", "heap-same-below", "heap-same-behind"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "`Same` fields of folded parts are not read",
        ["ensure(is_same(folded.same), Rejection::NotRead)?;", ""],
        &["heap-same-of-part"],
    ),
    mutant(
        "checker/src/fold.rs",
        "image",
        "what is around a part may be anything",
        ["if image.is_some() { Ok(Some(image)) } else { Err(Rejection::NotRead) }", "Ok(image.map(Some))"],
        &["heap-same-folded"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "`Same` fields behind a segment may be anything",
        ["above: Some(last), same, sort", "above: Some(last), same: None, sort"],
        &["heap-same-behind"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "`Same` fields of children may be anything",
        ["same: field.copied().map(Some)", "same: field.copied().map(Some).and(None)"],
        &["heap-same-below"],
    ),
    mutant(
        "checker/src/wellformed.rs",
        "certificate",
        "any fields are `Same`",
        ["ensure(shapes.iter().all(is_one), Fault::Same)?;", "drop(is_one);"],
        &[],
    ),
    mutant(
        "checker/src/replay.rs",
        "derivation",
        "the last derivation is none",
        [
            "ok_or(missing)?;\n        let root =",
            "ok_or(missing)?;\n        if position > 128 {\n            return Ok(0);\n        }\n        let root =",
        ],
        &["shares-open"],
    ),
    mutant(
        "checker/src/replay.rs",
        "derivation",
        "no class is replayed",
        ["let root = |arena: &mut Arena, class| rules::root(arena, setting, class);", "let root = |_: &mut Arena, _: u64| Ok(None);"],
        &[],
    ),
    mutant(
        "checker/src/replay.rs",
        "replay_proof",
        "a derivation that fails is no matter",
        ["= (*outcome)?;", "= (*outcome).unwrap_or(Closed { rules: 0, work: 0, peak: 0 });"],
        &["shares-open", "shares-root-open"],
    ),
    mutant(
        "checker/src/rules.rs",
        "step_alone",
        "Steps takes the first of several outcomes",
        ["let [outcome] = all.as_slice()", "let [outcome, ..] = all.as_slice()"],
        &["steps-two-ways"],
    ),
    mutant(
        "checker/src/replay.rs",
        "apply",
        "Steps takes any number of instructions",
        ["count <= setting.program.instructions.len()", "count <= setting.program.instructions.len().max(count)"],
        &[],
    ),
    mutant(
        "checker/src/outcome.rs",
        "follow",
        "steps of scapegoats are progress",
        ["progress |= self.member == MemberId(0)", "progress = true"],
        &["steps-progress"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "object",
        "a template has fewer cells than an object without a rest",
        ["field.cells.len() <= target.cells.len() && ", ""],
        &["cells-fewer"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "object",
        "elements that are not there point to nodes",
        ["beyond.all(|slot| matches!(slot, Slot::Integer(_)))", "beyond.all(|_| true)"],
        &["cells-leak"],
    ),
    mutant(
        "checker/src/memory.rs",
        "is_all",
        "however many elements there may be, cells are all of them",
        [".is_some_and(is_above)", ".is_none_or(is_above)"],
        &["cells-rest", "cells-unknown"],
    ),
    mutant(
        "checker/src/wellformed.rs",
        "check_object",
        "inputs have `Same` fields",
        ["Link::Same | Link::Range { .. }", "Link::Range { .. }"],
        &[],
    ),
    mutant(
        "checker/src/unfold.rs",
        "map_slots",
        "what a part's nodes point to is not moved",
        ["[&mut folded.above, &mut folded.same, &mut folded.below]", "[&mut folded.above, &mut folded.below]"],
        &[],
    ),
    mutant("checker/src/unfold.rs", "open", "`Same` fields point up", ["Content::Same => same", "Content::Same => up"], &[]),
    mutant(
        "checker/src/unfold.rs",
        "open",
        "the children of a node point where the node does",
        ["field.and_then(|field| contents.get(field)).map_or(Slot::Forgotten, value)", "field.map_or(Slot::Forgotten, |_| same)"],
        &[],
    ),
    mutant(
        "checker/src/unfold.rs",
        "open",
        "what is left of a segment points to its first node",
        ["Folded { tree, above: node, same, below }", "Folded { tree, above: node, same: node, below }"],
        &[],
    ),
    mutant(
        "checker/src/unfold.rs",
        "open",
        "what is left of a segment points to its last node",
        ["Folded { tree, above, same, below: node }", "Folded { tree, above, same: node, below: node }"],
        &[],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "trees of any sort are read",
        ["ensure(self.setting.is_within(found, sort), Rejection::NotRead)?;", ""],
        &["heap-sort", "sort-not-within", "sort-within-reverse", "sort-within-hole"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "trees are read as those of a sort within theirs",
        ["self.setting.is_within(found, sort)", "self.setting.is_within(sort, found)"],
        &["sort-within-reverse"],
    ),
    mutant(
        "checker/src/configuration.rs",
        "check_within",
        "any range is within another",
        ["least <= low && high <= greatest", "least.max(low).max(high).max(greatest) > i128::MIN"],
        &["sort-within-range", "sort-within-range-below"],
    ),
    mutant(
        "checker/src/configuration.rs",
        "check_within",
        "any link is within another",
        ["(outer, link) => outer == link", "_ => true"],
        &["sort-within-data", "sort-within-link"],
    ),
    mutant(
        "checker/src/configuration.rs",
        "check_within",
        "any children are within others",
        ["outer == self.own(child).and_then(|sort| sort.within).unwrap_or(child)", "outer.0.max(child.0) < u32::MAX"],
        &["sort-within-child"],
    ),
    mutant(
        "checker/src/configuration.rs",
        "check_within",
        "nodes of any declaration are within others",
        ["let is_within = object == sort.object && ", "let is_within = object.0 < u32::MAX && "],
        &["sort-within-object"],
    ),
    mutant(
        "checker/src/configuration.rs",
        "check_within",
        "NULL is within nodes",
        ["(root == Root::Any || root == sort.root) && ", "(root == Root::Any || root == Root::Node) && "],
        &["sort-within-null"],
    ),
    mutant(
        "checker/src/configuration.rs",
        "check_within",
        "one shape of a sort is enough",
        ["sort.shapes.iter().all(is_shape)", "sort.shapes.iter().any(is_shape)"],
        &["sort-within-shape", "sort-within-circle"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "dead nodes are read",
        ["state.life == Life::Live && index == state.lower", "index == state.lower"],
        &["heap-freed-folded"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "a segment may be below anything",
        ["is_above(folded.above).then_some(Slot::Last(id))", "Some(Slot::Last(id))"],
        &["heap-last-above"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "member",
        "trees have last cells",
        ["end.is_some() && is_tree(part)", "end.is_some() && is_tree(part) && false"],
        &["heap-last-of-tree"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "nodes of any declaration are read",
        ["state.declaration == declaration && ", ""],
        &["heap-other-type"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "pointers past a node are read",
        ["state.life == Life::Live && index == state.lower", "state.life == Life::Live"],
        &["heap-past"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "`Null` fields are not read",
        ["(Link::Null, [Slot::Null])", "(Link::Null, [_])"],
        &["heap-link"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "no value is read as NULL",
        ["Slot::Null if root == Root::Any =>", "Slot::Null | Slot::Uninitialised if root == Root::Any =>"],
        &["heap-uninitialised-folded"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "data are not in their range",
        ["reading.obligations.range(*term, (least, greatest))?;", ""],
        &[],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "NULL is read as a node",
        ["Slot::Null if root == Root::Any =>", "Slot::Null =>"],
        &["sort-null"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "subsume",
        "symbols without occurrences are of any sort",
        ["symbol.is_some() || !is_node(shape)", "symbol.is_some() || !is_node(shape) || true"],
        &["sort-without-trees"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "data are not read",
        ["(Link::Data, [Slot::Integer(term)]) =>", "(Link::Data, [_]) => {}\n            (Link::Data, [Slot::Integer(term)]) =>"],
        &["heap-other-data"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "agree",
        "pointers to one root may differ",
        ["ensure(*pointer.get_or_insert(found) == found, Rejection::Slot)", "pointer.get_or_insert(found);\n    Ok(())"],
        &["heap-two-roots", "heap-last"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "folded",
        "data of one symbol may differ",
        ["(Piece::Data(term), Piece::Data(other)) => self.equal_images(term, other)?,", "(Piece::Data(_), Piece::Data(_)) => {}"],
        &["heap-other-data"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "folded",
        "what one symbol stands for may differ",
        ["ensure(piece == other, Rejection::NotRead)", "{ drop((piece, other)); Ok::<(), Rejection>(()) }"],
        &["heap-two-trees"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "object",
        "dead nodes are matched with live ones",
        [" && state.life == target.life", ""],
        &["heap-revived"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "slot",
        "a value is lost",
        ["(_, Slot::Forgotten) | (Slot::Uninitialised, Slot::Uninitialised)", "(_, Slot::Forgotten | Slot::Uninitialised)"],
        &["heap-value-lost"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "folded",
        "what is in a hole is not looked at",
        ["self.slot(heap, position.value, target.below)?;", ""],
        &["heap-hole"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "folded",
        "the last cell is not looked at",
        ["position.above.map_or(Ok(()), |last| agree(&mut heap.ends, id, last))?;", ""],
        &["heap-last"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "subsume",
        "a template covers itself",
        ["ensure(configuration.progress, Rejection::Progress)?;", ""],
        &["heap-circle"],
    ),
    mutant("checker/src/subsume.rs", "template", "a template's root is progress", ["progress: false", "progress: true"], &["heap-circle"]),
    mutant(
        "checker/src/unfold.rs",
        "each_occurrence",
        "the entry is not unfolded",
        ["self.members.iter_mut().chain(self.entry.as_mut().map(Arc::make_mut))", "&mut self.members"],
        &[],
    ),
    mutant(
        "checker/src/unfold.rs",
        "each_occurrence",
        "scapegoats are not unfolded",
        [
            "self.members.iter_mut().chain(self.entry.as_mut().map(Arc::make_mut))",
            "self.members.iter_mut().take(1).chain(self.entry.as_mut().map(Arc::make_mut))",
        ],
        &[],
    ),
    mutant(
        "checker/src/unfold.rs",
        "unfold",
        "nothing is empty",
        ["{ vec![configuration.clone()] } else", "{ Vec::<Configuration>::new() } else"],
        &[],
    ),
    mutant(
        "checker/src/unfold.rs",
        "open",
        "the last cell stays behind",
        ["self.replace(id, root, last)?;", "self.replace(id, root, node)?;"],
        &[],
    ),
    mutant(
        "checker/src/unfold.rs",
        "open",
        "the last node points back past the rest",
        ["(root, up) = (Slot::Folded(rest), Slot::Last(rest));", "root = Slot::Folded(rest);"],
        &[],
    ),
    mutant(
        "checker/src/unfold.rs",
        "close",
        "an empty part is what is above it",
        ["self.replace(id, below, above)", "self.replace(id, above, below)"],
        &[],
    ),
    mutant(
        "checker/src/unfold.rs",
        "map_slots",
        "pointers in holes are not moved",
        ["self.registers.iter_mut().chain(folded)", "drop(folded);\n        self.registers.iter_mut()"],
        &[],
    ),
    mutant(
        "checker/src/unfold.rs",
        "drop_node",
        "the child of a node left out points to it",
        ["(Slot::Pointer { object, .. }, Some(up)) =>", "(Slot::Pointer { object, .. }, Some(up)) if object.0 == u32::MAX =>"],
        &[],
    ),
    mutant(
        "checker/src/unfold.rs",
        "drop_node",
        "the tree below a node left out points to it",
        ["folded.above = above;", "let _ = (folded, above);"],
        &[],
    ),
    mutant(
        "checker/src/unfold.rs",
        "drop_node",
        "anything takes the place of a node",
        ["ensure(links.get(child) == Some(&Link::Child(sort)), Rejection::Drop)?;", ""],
        &["heap-no-child"],
    ),
    mutant(
        "checker/src/rules.rs",
        "descent",
        "a scapegoat on the same input",
        ["scapegoat.size == InputSize::Smaller", "scapegoat.size <= InputSize::NotLarger"],
        &["heap-same-input", "tape-same-values", "tape-primary-forgotten", "tape-scapegoat-forgotten"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "member",
        "an input that is no larger taken for a smaller one",
        ["&& member.size <= target.size", ""],
        &["tape-smaller"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "member",
        "values consumed are not compared",
        ["self.slot(&mut heap, member.consumed, target.consumed)?;", "drop(self.slot(&mut heap, member.consumed, target.consumed));"],
        &["tape-not-fewer"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "member",
        "what is left over is lost",
        ["ensure(heap.is_whole(), Rejection::Leak)", "Ok(())"],
        &["leak-lost-node", "leak-lost-part"],
    ),
    mutant(
        "checker/src/rules.rs",
        "add_scapegoat",
        "what hung from a node left out is there",
        ["ensure(!setting.checks_leaks() || !member.leaks(setting, roots)?, Rejection::Leak)?;", "drop(roots);"],
        &["leak-phantom"],
    ),
    mutant(
        "checker/src/unfold.rs",
        "drop_node",
        "nodes are left out twice",
        [".filter(|node| node.life == Life::Live).ok_or(Rejection::Drop)?;", ".ok_or(Rejection::Drop)?;"],
        &["heap-left-out-twice"],
    ),
    mutant("checker/src/unfold.rs", "drop_node", "a node left out lives on", ["self.object_mut(object)?.life = Life::Dead;", ""], &[]),
    mutant("checker/src/leaks.rs", "leaks", "dead objects lead on", [".filter(|state| state.life == Life::Live)", ""], &["leak-dead"]),
    mutant(
        "checker/src/leaks.rs",
        "leaks",
        "what nothing leads to is empty",
        ["parts.iter().all(Option::is_none)", "true"],
        &["leak-part", "leak-dead", "leak-last"],
    ),
    mutant(
        "checker/src/leaks.rs",
        "leaks",
        "what is forgotten leads nowhere",
        [
            "Slot::Pointer { .. } | Slot::Last(_) | Slot::Forgotten => is_whole = false,",
            "Slot::Pointer { .. } | Slot::Last(_) | Slot::Forgotten => {}",
        ],
        &["leak-forgotten"],
    ),
    mutant(
        "checker/src/leaks.rs",
        "leaks",
        "the last cell leads to all",
        ["Slot::Folded(id) =>", "Slot::Folded(id) | Slot::Last(id) =>"],
        &["leak-last"],
    ),
    mutant(
        "checker/src/leaks.rs",
        "is_owed",
        "nodes need not be freed",
        ["Ok(Origin::Heap | Origin::Node { .. })", "Ok(Origin::Heap)"],
        &["leak-node"],
    ),
    mutant(
        "checker/src/leaks.rs",
        "leaks",
        "static objects lead nowhere",
        ["matches!(object.origin, Origin::Static { .. })", "object.name.is_empty()"],
        &[],
    ),
];

/// The file with the change; says what is wrong where the place is not found once.
pub fn changed(mutant: &Mutant) -> Result<String, String> {
    let path = workspace_root().join(mutant.file);
    let source = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let place = place::find(&source, mutant.function, mutant.old).map_err(|fault| format!("{}: {}: {fault}", mutant.file, mutant.about))?;
    let (before, after) = (&source[..place.start], &source[place.end..]);
    Ok([before, mutant.new, after].concat())
}
