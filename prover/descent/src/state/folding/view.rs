//! A member's heap, some of which is kept.

use super::{
    contents::ContentId,
    graph::{Graph, Root},
    states::States,
};
use goatherd_certificates::program::{Link, ObjectId, SortId};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

/// What a node is folded as.
#[derive(Clone, Debug)]
pub struct Fit<'a> {
    /// It is a cell of this sort.
    pub sort: SortId,
    /// Which of the sort's shapes it has.
    pub shape: u32,
    /// What its fields are in that shape.
    pub links: Cow<'a, [Link]>,
}

/// What stays as it is: nodes that are kept although they could be folded, and segments behind which something else begins.
#[derive(Clone, Default, Debug)]
pub struct Kept {
    /// Objects.
    pub objects: BTreeSet<ObjectId>,
    /// Folded parts, and nodes that are folded, that do not stand inside of others.
    pub starts: BTreeSet<Root>,
    /// Nodes and segments that are the last of what is folded together.
    pub ends: BTreeSet<Root>,
}

/// What becomes of nodes that registers or arrays name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    /// They are kept.
    Kept,
    /// They are kept if the primary has no counterparts of them, or keeps these.
    Folded,
}

/// A member's heap, some of which is kept.
pub struct View<'a> {
    pub graph: &'a Graph<'a>,
    pub(crate) names: Names,
    pub kept: Kept,
    /// What the nodes that can be folded are folded as.
    pub(crate) fits: BTreeMap<ObjectId, Fit<'a>>,
    /// The states as they are found to be, where sorts are not given.
    pub(crate) states: Option<States>,
    /// Of what is folded: what all that hangs there contains; none if something that is kept hangs there.
    pub(crate) contents: BTreeMap<Root, Option<ContentId>>,
}
