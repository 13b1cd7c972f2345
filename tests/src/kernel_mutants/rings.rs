//! Of rings that hang from nodes (`spec/calculus.md#folded-heaps`).

use super::{Mutant, mutant};

/// All of them.
pub(super) const MUTANTS: &[Mutant] = &[
    mutant("checker/src/fold.rs", "read", "rings end with NULL", ["has_null && header.is_none()", "has_null"], &["ring-null"]),
    mutant(
        "checker/src/fold.rs",
        "read_part",
        "rings end as trees do",
        ["is_within && (leads_on || position.ring.is_none())", "is_within"],
        &["ring-tree"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "cells of rings lead on in any way",
        ["header.is_none() || shapes.iter().all(leads_on)", "header.is_none() || shapes.iter().all(leads_on) || true"],
        &["ring-ways", "ring-handed", "ring-no-way"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "cells of rings hand something on",
        ["**link == way || matches!(link, Link::Handed { .. })", "**link == way"],
        &["ring-handed"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "rings end where their nodes begin",
        [
            "value if header == Some(value) =>",
            "Slot::Pointer(found) if matches!(header, Some(Slot::Pointer(own)) if own.object == found.object) =>",
        ],
        &["ring-start"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "rings end at the headers of others",
        [
            "value if header == Some(value) =>",
            "Slot::Pointer(found) if matches!(header, Some(Slot::Pointer(own)) if own.byte == found.byte) =>",
        ],
        &["ring-elsewhere"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read",
        "nodes say of any cell that it is the last",
        ["ensure(last.flatten().is_none_or(is_last), Rejection::NotRead)", "{ let _ = last.flatten().is_none_or(is_last); Ok(()) }"],
        &["ring-last", "ring-last-forgotten"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read_node",
        "one field is looked at that leads to a last cell",
        ["ensure(lasts.all(|other| Some(*other) == last), Rejection::NotRead)?;", ""],
        &["ring-lasts"],
    ),
    mutant(
        "checker/src/fold.rs",
        "read_node",
        "what is above a ring is not looked at",
        ["above: Some(header),", "above: None,"],
        &["ring-above"],
    ),
    mutant(
        "checker/src/subsume.rs",
        "pieces",
        "segments lead on by rings",
        ["position.sort == sort && position.ring.is_none()", "position.sort == sort"],
        &["ring-path"],
    ),
    mutant(
        "checker/src/wellformed.rs",
        "check_links",
        "headers may be beyond their nodes",
        ["Link::Ring { byte, .. } => byte < layout.size", "Link::Ring { byte, .. } => byte < u64::MAX"],
        &["ring-byte"],
    ),
    mutant(
        "checker/src/wellformed.rs",
        "check_links",
        "last cells may be of no ring",
        ["matches!(at(ring), Some(Link::Ring { .. }))", "matches!(at(ring), Some(_))"],
        &["ring-last-of-none"],
    ),
    mutant(
        "checker/src/wellformed.rs",
        "check_links",
        "last cells may be of fields that there are not",
        ["matches!(at(ring), Some(Link::Ring { .. }))", "!matches!(at(ring), Some(Link::Any))"],
        &["ring-last-beyond"],
    ),
    mutant(
        "checker/src/unfold.rs",
        "fields_of",
        "a ring does not hang from its header",
        ["above: header.unwrap_or(node)", "above: node"],
        &[],
    ),
    mutant(
        "checker/src/unfold.rs",
        "fields_of",
        "a ring does not lead back to its header",
        ["below: header.unwrap_or(Slot::Null)", "below: header.map_or(Slot::Null, |_| node)"],
        &[],
    ),
    mutant(
        "checker/src/unfold.rs",
        "fields_of",
        "the first cell is the last one",
        ["fill(Slot::Last(ring))", "fill(Slot::Folded(ring))"],
        &[],
    ),
];
