//! The kernel with one condition switched off, or one thing done wrong: the test vectors must notice each (`spec/calculus.md#attacks`).
//!
//! The kernel itself has no switches: its source is copied, changed in one place and built by itself. A place is a function and what stands there,
//! token for token: how it is laid out does not matter.

mod change;
mod heaps;
mod kinds;
mod laboratory;
mod lemmas;
mod place;
mod rings;
mod twins;

pub use change::Change;
pub use laboratory::{Laboratory, noticed};

/// The kernel with one condition less.
pub struct Mutant {
    /// What is wrong with it, in words.
    pub about: &'static str,
    /// What makes it of the kernel.
    pub change: Change,
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
    Mutant { about, change: Change::new(file, function, old, new), accepted }
}

/// Of terms, pointers around nodes, replay, Steps, cells, inputs and leaks.
const MUTANTS: &[Mutant] = &[
    mutant(
        "certificates/src/decode.rs",
        "term",
        "terms are not looked up",
        ["(number < count).then_some(TableTerm(number))", "{ let _ = count; Some(TableTerm(number)) }"],
        &[],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_term",
        "templates mention any variables",
        ["self.arena.exists(&self.template.scope, term)", "{ let _ = term; Ok(()) }"],
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
        "read_part",
        "folded parts are read more than once",
        ["self.heap.folded.get_mut(id.index()).and_then(Option::take)", "self.heap.folded.get_mut(id.index()).and_then(|folded| *folded)"],
        &["heap-copied"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read_node",
        "`Up` fields of nodes are not read",
        ["(Link::Up, [up]) if is_one(position.above, *up) => {}", "(Link::Up, [_]) => {}"],
        &["heap-up"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read_part",
        "`Up` fields of folded parts are not read",
        ["ensure(is_below || !has_up, Rejection::NotRead)?;", "drop(has_up);"],
        &["heap-up-of-part"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read_node",
        "`Same` fields of nodes are not read",
        ["(Link::Same, [same]) if is_one(position.same, *same) => {}", "(Link::Same, [_]) => {}"],
        &["heap-same", "heap-same-below", "heap-same-behind"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read_part",
        "`Same` fields of folded parts are not read",
        ["ensure(is_one(position.same, folded.same), Rejection::NotRead)?;", ""],
        &["heap-same-of-part"],
    ),
    mutant(
        "checker/src/fold.rs",
        "image",
        "what is around a part may be anything",
        ["ensure(is_known, Rejection::NotRead).map(|()| image)", "Ok(image.filter(|_| is_known))"],
        &["heap-same-folded"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read_part",
        "`Same` fields behind a segment may be anything",
        [
            "above: Some(last.unwrap_or(Slot::Forgotten)), ..position",
            "above: Some(last.unwrap_or(Slot::Forgotten)), same: None, ..position",
        ],
        &["heap-same-behind"],
    ),
    mutant(
        "checker/src/fold.rs",
        "handed",
        "`Same` fields of children may be anything",
        ["Ok(cell.copied())", "Ok(cell.copied().and(None))"],
        &["heap-same-below", "heap-handed"],
    ),
    mutant(
        "checker/src/fold.rs",
        "handed",
        "what is handed on may be anything",
        ["_ => return Ok(position.same)", "_ => return Ok(None)"],
        &["heap-handed-on"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "folded",
        "segments lead on by fields that hand something on",
        ["ensure(is_tree || !is_handed, Rejection::Shape)?;", "drop(is_handed);"],
        &["heap-handed-segment"],
    ),
    mutant(
        "checker/src/wellformed.rs",
        "check_links",
        "integers are handed on",
        ["at(from).is_some_and(|from| !is_integer(from))", "at(from).is_none_or(|from| is_integer(from) || from != link)"],
        &["sort-handed-data", "sort-handed-missing"],
    ),
    mutant(
        "checker/src/wellformed.rs",
        "check_links",
        "inputs have pointers that are handed to them",
        ["_ if sorts == 0 => false,", ""],
        &["node-same", "node-any", "node-handed", "ring-input"],
    ),
    mutant(
        "checker/src/wellformed.rs",
        "check_sorts",
        "any fields are `Same`",
        ["ensure(shapes.iter().all(is_one), Fault::Same)?;", "drop(is_one);"],
        &[],
    ),
    mutant(
        "checker/src/replay.rs",
        "safe",
        "the last derivation is not replayed",
        ["0..=templates.len()", "0..templates.len()"],
        &["many-open"],
    ),
    mutant(
        "checker/src/replay.rs",
        "derivation",
        "no class is replayed",
        [
            "let root = |arena: &mut Arena, class| rules::root(arena, setting, lengths, class);",
            "let root = |_: &mut Arena, _: u64| Ok(None);",
        ],
        &[],
    ),
    mutant(
        "checker/src/rules.rs",
        "step_alone",
        "Steps takes the first of several outcomes",
        ["let [outcome] = all.as_slice()", "let [outcome, ..] = all.as_slice()"],
        &["steps-two-ways"],
    ),
    mutant(
        "checker/src/rules.rs",
        "steps",
        "Steps takes any number of instructions",
        ["count <= instructions", "count <= instructions.max(count)"],
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
        "check_links",
        "inputs have `Same` fields",
        ["_ if sorts == 0 => false", "Link::Same => true, _ if sorts == 0 => false"],
        &[],
    ),
    mutant(
        "checker/claims/trees/src/replay.rs",
        "new",
        "states of covers stand in any order",
        ["cover.targets.is_sorted_by(|left, right| left < right)", "cover.targets.is_empty() || !cover.targets.is_empty()"],
        &[],
    ),
    mutant(
        "checker/claims/paths/src/graph.rs",
        "visit",
        "cases of Unfold are reached as the entry is",
        ["=> return Ok(reached),", "=> return Ok(if let Rule::Unfold { .. } = rule { Reached::Entry } else { reached }),"],
        &[],
    ),
    mutant(
        "checker/claims/paths/src/graph.rs",
        "graph",
        "paths may begin at several vertices",
        ["*root.get_or_insert(entry) == entry", "*root.get_or_insert(entry) == entry || true"],
        &["paths-unfold-apart"],
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
        "checker/src/outcome.rs",
        "apply",
        "steps back are not counted",
        ["if target <= location", "if target < location && location < target"],
        &[],
    ),
    mutant(
        "checker/src/outcome.rs",
        "apply",
        "steps back of scapegoats are not counted",
        ["if target <= location", "if target <= location && self.member == MemberId(0)"],
        &["tape-same-rounds", "tape-each-other"],
    ),
    mutant(
        "checker/src/outcome.rs",
        "count",
        "what is consumed is taken away",
        ["self.arena.plus(consumed, 1)?", "self.arena.plus(consumed, -1)?"],
        &["tape-more-rounds"],
    ),
    mutant(
        "checker/src/outcome.rs",
        "count",
        "a forgotten number begins anew",
        [
            "if let Slot::Integer(consumed) = self.member()?.consumed { self.member()?.consumed = Slot::Integer(self.arena.plus(consumed, 1)?); }",
            "let consumed = match self.member()?.consumed { Slot::Integer(consumed) => consumed, _ => self.arena.constant(0)? }; self.member()?.consumed = Slot::Integer(self.arena.plus(consumed, 1)?);",
        ],
        &["tape-counted-anew"],
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
        "ensure_none_lost",
        "what hung from a node left out is there",
        ["setting.checks_leaks() && member.leaks(setting, roots)?", "{ drop(roots); false }"],
        &["leak-phantom"],
    ),
    mutant(
        "checker/src/unfold.rs",
        "drop_node",
        "nodes are left out twice",
        ["ensure(state.life == Life::Live, Rejection::Drop)?;", ""],
        &["heap-left-out-twice"],
    ),
    mutant("checker/src/unfold.rs", "drop_node", "a node left out lives on", ["self.object_mut(object)?.life = Life::Dead;", ""], &[]),
    mutant("checker/src/leaks.rs", "leaks", "dead objects lead on", [".filter(|state| state.life == Life::Live)", ""], &["leak-dead"]),
    mutant(
        "checker/src/leaks.rs",
        "leaks",
        "what nothing leads to is empty",
        ["parts.iter().any(Option::is_some)", "false"],
        &["leak-part", "leak-dead", "leak-last"],
    ),
    mutant(
        "checker/src/leaks.rs",
        "leaks",
        "what is forgotten leads nowhere",
        [
            "Slot::Pointer(_) | Slot::Last(_) | Slot::Forgotten => is_whole = false,",
            "Slot::Pointer(_) | Slot::Last(_) | Slot::Forgotten => {}",
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
        ["is_made(&object.origin)", "is_made(&object.origin) && object.origin == Origin::Heap"],
        &["leak-node"],
    ),
    mutant(
        "checker/src/leaks.rs",
        "leaks",
        "static objects lead nowhere",
        ["matches!(object.origin, Origin::Static { .. })", "object.name.is_empty()"],
        &[],
    ),
    mutant(
        "checker/src/rules.rs",
        "root",
        "where lengths are open, arrays are longer than their cells",
        [
            "(i128::from(size), setting.greatest_count(object)?)",
            "(i128::from(if count == 1 { setting.k.saturating_add(1) } else { 0 }).max(i128::from(size)), setting.greatest_count(object)?)",
        ],
        &["open-empty", "open-short"],
    ),
    mutant(
        "checker/src/configuration.rs",
        "greatest_count",
        "arrays are short",
        ["let (_, greatest) = range(IntegerType::I64);", "let greatest = range(IntegerType::I64).1.min(900);"],
        &["open-long"],
    ),
    mutant(
        "checker/src/rules.rs",
        "drop_element",
        "any element may be left out",
        ["obligations.entail(is_inside)?;", "let _ = obligations.entail(is_inside);"],
        &["open-not-shorter", "open-last-twice", "open-both-ends", "open-second", "open-other"],
    ),
];

/// All of them, in an order that stays.
pub fn all() -> impl Iterator<Item = &'static Mutant> {
    MUTANTS.iter().chain(heaps::MUTANTS).chain(twins::MUTANTS).chain(rings::MUTANTS).chain(kinds::MUTANTS).chain(lemmas::MUTANTS)
}
