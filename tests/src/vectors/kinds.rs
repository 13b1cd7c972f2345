//! Templates that nothing leads to, each with one slot that is not of the type of its place (`spec/calculus.md#template`).

use super::{Catalogue, heaps::proved};
use crate::{
    forge::Forge,
    heaps::{SORT, TREE, last, list, root, state, template, to},
    programs::integer,
};
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{Address, FoldedId, Slot, Template, TreeId, TreeSort},
    program::{Instruction, IntegerType, ObjectId},
    term::{ArrayVariable, LinearId, Scope},
};
use goatherd_checker::{rejection::Rejection, term::array_count};

/// The register that holds a pointer, as a position in the template's list.
const POINTER: usize = 0;
/// The one that holds an integer.
const INTEGER: usize = 1;
/// The field of the nodes with their data.
const DATA: usize = 0;
/// The field with their children.
const CHILD: usize = 1;
/// The folded part that is a tree, by number.
const PART: u32 = 0;
/// The one that is a segment.
const SEGMENT: u32 = 1;

/// A template of a node, a tree and a segment, with this change.
fn changed(change: impl FnOnce(&mut Forge<'_>, &mut Template)) -> Certificate {
    let (mut program, _, c) = list();
    let i = integer(&mut program, "i", IntegerType::I32);
    program.instructions = vec![Instruction::Halt];
    proved(&program, &[], |forge, configuration| {
        let (node, zero) = (to(forge, 0), forge.constant(0));
        assert_eq!(ZERO, Slot::Integer(zero));
        let registers = [(c, node), (i, Slot::Integer(zero))];
        let objects = vec![state(forge, 0, &[root(PART)])];
        let folded = [(0, node, Slot::Null), (1, Slot::Null, last(2)), (1, Slot::Null, Slot::Uninitialised)];
        let mut made = template(0, &[TREE, TreeSort::Segment(SORT)], &registers, objects, &folded);
        change(forge, &mut made);
        forge.template(made, Forge::auto);
        forge.auto(configuration);
    })
}

/// The same with another slot in a register.
fn register(position: usize, slot: Slot) -> Certificate {
    changed(|_, template| template.members[0].registers[position].1 = slot)
}

/// The same with another slot in a field of the node.
fn cell(field: usize, slot: Slot) -> Certificate {
    changed(|_, template| template.members[0].objects[0].fields[field].cells[0] = slot)
}

/// The same with another slot in the hole of a part.
fn below(part: u32, slot: Slot) -> Certificate {
    changed(|_, template| template.members[0].folded[FoldedId(part).index()].below = slot)
}

/// The same, where this many values have been consumed.
fn consumed(slot: Slot) -> Certificate {
    changed(|_, template| template.members[0].consumed = slot)
}

/// The first term of the table, which is 0.
const ZERO: Slot = Slot::Integer(LinearId(0));

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    let reason = "a template that nothing leads to; the other files named kinds- change one slot of it";
    vectors.accepted("kinds-accepted", reason, &changed(|_, _| {}));
    integers(vectors);
    pointers(vectors);
    parts(vectors);
    objects(vectors);
}

fn integers(vectors: &mut Catalogue) {
    let mut rejected = |name: &str, reason, certificate: Certificate| vectors.rejected(name, Rejection::Slot, reason, &certificate);
    rejected("kinds-integer-in-register", "a register of pointers holds an integer", register(POINTER, ZERO));
    rejected("kinds-integer-in-cell", "a field of pointers holds an integer", cell(CHILD, ZERO));
    rejected(
        "kinds-integer-above",
        "what is above a part is an integer",
        changed(|_, template| template.members[0].folded[0].above = ZERO),
    );
    rejected(
        "kinds-integer-same",
        "what `Same` fields hold is an integer",
        changed(|_, template| template.members[0].folded[0].same = ZERO),
    );
    rejected("kinds-integer-below", "in the hole of a segment stands an integer", below(SEGMENT, ZERO));
    vectors.accepted("kinds-consumed-accepted", "no value has been consumed", &consumed(ZERO));
}

fn pointers(vectors: &mut Catalogue) {
    let mut rejected = |name: &str, reason, certificate: Certificate| vectors.rejected(name, Rejection::Slot, reason, &certificate);
    let pointer = Slot::Pointer(Address { object: ObjectId(0), index: LinearId(0), byte: 0 });
    rejected("kinds-null-in-register", "a register of integers holds NULL", register(INTEGER, Slot::Null));
    rejected("kinds-pointer-in-register", "a register of integers holds a pointer", register(INTEGER, pointer));
    rejected("kinds-root-in-register", "a register of integers holds a pointer to a part", register(INTEGER, root(PART)));
    rejected("kinds-last-in-register", "a register of integers holds a pointer to a last cell", register(INTEGER, last(SEGMENT)));
    rejected("kinds-null-in-cell", "a field of integers holds NULL", cell(DATA, Slot::Null));
    rejected("kinds-root-in-cell", "a field of integers holds a pointer to a part", cell(DATA, root(PART)));
    rejected("kinds-consumed-null", "NULL values have been consumed", consumed(Slot::Null));
    rejected("kinds-consumed-nothing", "the number of values that have been consumed is none", consumed(Slot::Uninitialised));
    rejected("kinds-last-of-tree", "a register holds a pointer to the last cell of a tree", register(POINTER, last(PART)));
}

fn parts(vectors: &mut Catalogue) {
    let mut rejected = |name: &str, rejection, reason, certificate: Certificate| vectors.rejected(name, rejection, reason, &certificate);
    rejected("kinds-tree-below", Rejection::Shape, "a tree has something in a hole", below(PART, root(SEGMENT)));
    rejected("kinds-segment-in-itself", Rejection::Shape, "a segment ends with its own root", below(SEGMENT, root(SEGMENT)));
    rejected("kinds-segment-in-lower", Rejection::Shape, "a segment ends with the root of a lower part", below(SEGMENT, root(PART)));
    rejected("kinds-segment-on-last", Rejection::Shape, "a segment ends with its own last cell", below(SEGMENT, last(SEGMENT)));
    rejected("kinds-no-part", Rejection::Missing, "a register holds a pointer to a part that does not exist", register(POINTER, root(3)));
    let symbol = changed(|_, template| template.members[0].folded[0].tree = TreeId(2));
    rejected("kinds-no-symbol", Rejection::Missing, "a part is of a symbol that does not exist", symbol);
}

fn objects(vectors: &mut Catalogue) {
    let mut rejected = |name: &str, rejection, reason, certificate: Certificate| vectors.rejected(name, rejection, reason, &certificate);
    let array = changed(|forge, template| {
        let sort = IntegerType::U64;
        let number = 0;
        template.scope = Scope::default();
        *array_count(&mut template.scope, sort).expect("a sort") = 1;
        let array = forge.arena.array_variable(ArrayVariable { sort, number }).expect("a variable");
        template.members[0].objects[0].fields[CHILD].rest = Some(array);
    });
    rejected("kinds-array-of-pointers", Rejection::Shape, "the rest of a field of pointers is an array", array);
    let fewer = changed(|_, template| drop(template.members[0].objects[0].fields.pop()));
    rejected("kinds-fields", Rejection::Shape, "a node has one field of two", fewer);
    let declaration = changed(|_, template| template.members[0].objects[0].declaration = ObjectId(7));
    rejected("kinds-no-declaration", Rejection::Missing, "an object is of a declaration that does not exist", declaration);
}
