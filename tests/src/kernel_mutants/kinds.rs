//! Of the kinds of a template's slots.

use super::{Mutant, mutant};

/// One condition each.
pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "checker/src/subsume.rs",
        "template",
        "slots of templates are of any kind",
        ["kinds::check(arena, setting, template)?;", ""],
        &["heap-last-of-tree", "kinds-integer-in-register", "kinds-segment-on-last", "kinds-fields"],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_member",
        "anything has been consumed",
        ["_ => return Err(Rejection::Slot),", "_ => {}"],
        &["kinds-consumed-null", "kinds-consumed-nothing"],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_member",
        "registers hold anything",
        ["self.check_slot(setting.register_type(*register)?, *slot)?;", "setting.register_type(*register)?; drop(slot);"],
        &[
            "kinds-integer-in-register",
            "kinds-null-in-register",
            "kinds-pointer-in-register",
            "kinds-root-in-register",
            "kinds-last-in-register",
            "heap-last-of-tree",
        ],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_member",
        "objects hold anything",
        ["self.check_object(setting, state)?;", "drop(state);"],
        &["kinds-null-in-cell", "kinds-root-in-cell", "kinds-array-of-pointers", "kinds-fields", "kinds-no-declaration"],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_object",
        "a node has any number of fields",
        ["ensure(fields.len() == state.fields.len(), Rejection::Shape)?;", ""],
        &["kinds-fields"],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_object",
        "arrays hold pointers",
        ["ensure(field.kind != Type::Pointer, Rejection::Shape)?;", ""],
        &["kinds-array-of-pointers"],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_object",
        "cells hold anything",
        ["self.check_slot(field.kind, *slot)?;", "drop(slot);"],
        &["kinds-integer-in-cell", "kinds-null-in-cell", "kinds-root-in-cell"],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_part",
        "anything is around parts",
        ["self.check_slot(Type::Pointer, slot)?;", "drop(slot);"],
        &["kinds-integer-above", "kinds-integer-same", "kinds-integer-below"],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_part",
        "trees have holes",
        ["(TreeSort::Tree(_), below) => below == Slot::Null", "(TreeSort::Tree(_), _) => true"],
        &["kinds-tree-below"],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_part",
        "segments end with lower ones",
        ["(TreeSort::Segment(_), Slot::Folded(below)) => below > id", "(TreeSort::Segment(_), Slot::Folded(_)) => true"],
        &["kinds-segment-in-itself", "kinds-segment-in-lower"],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_part",
        "segments end with their last cells",
        ["(TreeSort::Segment(_), below) => below != Slot::Last(id)", "(TreeSort::Segment(_), _) => true"],
        &["kinds-segment-on-last"],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_slot",
        "integers stand anywhere",
        ["map(|()| !is_pointer)?", "map(|()| true)?"],
        &["kinds-integer-in-register", "kinds-integer-in-cell", "kinds-integer-above", "kinds-integer-same", "kinds-integer-below"],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_slot",
        "pointers stand anywhere",
        [
            "Slot::Null => is_pointer, Slot::Pointer { index, .. } => { self.check_term(Part::Linear(index)).map(|()| is_pointer)?",
            "Slot::Null => true, Slot::Pointer { index, .. } => { self.check_term(Part::Linear(index)).map(|()| true)?",
        ],
        &["kinds-null-in-register", "kinds-pointer-in-register", "kinds-null-in-cell"],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_slot",
        "pointers to parts stand anywhere",
        ["self.sort(part).map(|_| is_pointer)?", "self.sort(part).map(|_| true)?"],
        &["kinds-root-in-register", "kinds-root-in-cell"],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_slot",
        "pointers to last cells stand anywhere",
        ["is_pointer && matches!(self.sort(part)?, TreeSort::Segment(_))", "matches!(self.sort(part)?, TreeSort::Segment(_))"],
        &["kinds-last-in-register"],
    ),
    mutant(
        "checker/src/kinds.rs",
        "check_slot",
        "trees have last cells",
        ["is_pointer && matches!(self.sort(part)?, TreeSort::Segment(_))", "is_pointer && self.sort(part).is_ok()"],
        &["kinds-last-of-tree", "heap-last-of-tree"],
    ),
];
