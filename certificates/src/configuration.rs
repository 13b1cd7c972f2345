//! Configurations: members over one path predicate (`spec/calculus.md#configurations`; red-black graphs Def. 17, Shrinker §4.2).

use crate::{
    decode::{enumerations, identifiers, structures},
    program::{Link, Location, ObjectId, RegisterId, SortId},
    term::{ArrayId, LinearId, Literal, Scope},
};
use alloc::vec::Vec;

identifiers! {
    /// A tree or segment symbol: position in [`Template::trees`].
    TreeId,
    /// A folded part of a member's heap: position in [`Member::folded`].
    FoldedId,
}

enumerations! {
    /// What a register or a cell holds.
    #[derive(Copy)]
    pub enum Slot {
        /// Any value at all. In a template: whatever the configuration holds.
        Forgotten,
        /// No value yet: only a copy may read it.
        Uninitialised,
        /// An integer.
        Integer(LinearId),
        /// The null pointer.
        Null,
        /// A pointer into an object.
        Pointer(Address),
        /// A pointer to the root of a folded part: NULL if it is an empty tree, what `below` holds if it is an empty segment.
        Folded(FoldedId),
        /// A pointer to the last cell of a segment, the one above its hole: what `above` holds if it is empty.
        Last(FoldedId),
    }

    /// How the input of a member compares with that of the primary.
    #[derive(Copy, PartialOrd, Ord)]
    pub enum InputSize {
        /// It has fewer elements and nodes.
        Smaller,
        /// It has no more. Says nothing of the primary itself.
        NotLarger,
    }

    /// What a tree or segment symbol stands for: cells without names, linked as their sorts say.
    #[derive(Copy)]
    pub enum TreeSort {
        /// A tree of this sort: NULL, or a node with trees below it.
        Tree(SortId),
        /// A tree with one hole, in the place of a tree of its own sort; all cells above the hole are of this sort.
        Segment(SortId),
    }

    /// What a tree may be, and to which byte of a node pointers to it lead.
    #[derive(Copy)]
    pub enum Root {
        /// NULL or a node, to the first byte of which pointers lead.
        Any,
        /// A node, to the first byte of which pointers lead.
        Node,
        /// NULL or a node, to this byte of which pointers lead: that of a member which links it to others.
        AnyAt(u64),
        /// A node, to this byte of which pointers lead.
        NodeAt(u64),
    }

    /// Is an object there to be used?
    #[derive(Copy)]
    pub enum Life {
        /// Allocated, in scope.
        Live,
        /// Freed, or out of scope: the value of a pointer to it may only be copied.
        Dead,
    }
}

impl Slot {
    /// A pointer to the first byte of an element.
    pub const fn element(object: ObjectId, index: LinearId) -> Self {
        Self::byte(object, index, 0)
    }

    /// A pointer to this byte of an element.
    pub const fn byte(object: ObjectId, index: LinearId, byte: u64) -> Self {
        Self::Pointer(Address {
            object,
            index,
            byte,
        })
    }
}

structures! {
    /// A byte of an element of an object.
    #[derive(Copy)]
    pub struct Address {
        /// The object.
        pub object: ObjectId,
        /// The element.
        pub index: LinearId,
        /// Bytes from the start of the element: at least 0, below the element's size.
        pub byte: u64,
    }

    /// A set of trees: NULL or not, and nodes that are linked in one of these ways. Not what a type says, but what a program has made of some
    /// of its nodes.
    pub struct Sort {
        /// Their declaration.
        pub object: ObjectId,
        /// May a tree be NULL, and to which byte of a node do pointers to it lead?
        pub root: Root,
        /// What each field of a node is to the tree: one of these ways for each node.
        pub shapes: Vec<Vec<Link>>,
        /// A sort that has all trees and all segments of this one.
        pub within: Option<SortId>,
    }

    /// The state of an object that exists or has existed.
    pub struct ObjectState {
        /// The member's name for it. The first object of a declaration has that one's, others have names above all declarations.
        pub object: ObjectId,
        /// Its declaration.
        pub declaration: ObjectId,
        /// May it be used?
        pub life: Life,
        /// The first valid element index.
        pub lower: LinearId,
        /// The first element index above the valid ones.
        pub upper: LinearId,
        /// One entry per field of the layout.
        pub fields: Vec<FieldState>,
    }

    /// The contents of one field of all elements: cells for the elements 0, 1, 2..., and one array for all other indices.
    pub struct FieldState {
        /// The field in the elements `0..cells.len()`.
        pub cells: Vec<Slot>,
        /// The field in all others; none where the object has no others.
        pub rest: Option<ArrayId>,
    }

    /// An occurrence of a symbol: cells of its own, with the shape and the data of all other occurrences.
    #[derive(Copy)]
    pub struct Folded {
        /// The symbol.
        pub tree: TreeId,
        /// What the `up` fields of its root hold.
        pub above: Slot,
        /// What the `same` field of its root holds; forgotten where its sort has none.
        pub same: Slot,
        /// What stands in the hole of a segment; NULL for a tree.
        pub below: Slot,
    }

    /// A member of a configuration: the primary stands first, scapegoats after it.
    pub struct Member {
        /// The next instruction.
        pub location: Location,
        /// How its input compares with the primary's.
        pub size: InputSize,
        /// How many nondeterministic values and rounds it has consumed.
        pub consumed: Slot,
        /// By ascending register; a register that is not listed is forgotten.
        pub registers: Vec<(RegisterId, Slot)>,
        /// By ascending object; an object that is not listed is not there, or of no interest.
        pub objects: Vec<ObjectState>,
        /// The folded parts of its heap. `above` names lower ones only, `below` higher ones only.
        pub folded: Vec<Folded>,
    }

    /// A configuration as a certificate stores it: a template.
    pub struct Template {
        /// Its variables.
        pub scope: Scope,
        /// The sorts of its tree and segment symbols.
        pub trees: Vec<TreeSort>,
        /// The path predicate.
        pub predicate: Vec<Literal>,
        /// The primary, then the scapegoats.
        pub members: Vec<Member>,
    }
}
