//! Sorts within others (`spec/calculus.md#folded-heaps`).
#![expect(clippy::many_single_char_names, reason = "the variables of small C programs")]

use super::{
    Catalogue,
    heaps::{allocate, allocating, proved},
};
use crate::{
    heaps::{NEXT, NODE, OWN, PREVIOUS, jump, load, reading, root, template},
    programs::{FAIL, assign, branch, integer, is_null, node},
};
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{Root, Slot, Sort, TreeSort},
    derivation::Matching,
    program::{Allocate, Fresh, Instruction, IntegerType, Link, ObjectId, Operand, Program, RegisterId, Relation, SortId},
};
use goatherd_checker::rejection::{Fault, Rejection};

/// The sorts of a proof behind the first one.
const SECOND: SortId = SortId(2);
const THIRD: SortId = SortId(3);

/// A part below nothing that ends in NULL.
const WHOLE: (u32, Slot, Slot) = (0, Slot::Null, Slot::Null);

/// Data between these.
fn data(least: i128, greatest: i128) -> Link {
    Link::Range { least, greatest }
}

/// Trees that are not NULL, of nodes in one of these shapes.
fn nodes<const COUNT: usize>(shapes: [Vec<Link>; COUNT], within: Option<SortId>) -> Sort {
    Sort { object: NODE, root: Root::Node, shapes: Vec::from(shapes), within }
}

/// Single nodes whose data lie between these.
fn single(least: i128, greatest: i128, within: Option<SortId>) -> Sort {
    nodes([vec![data(least, greatest), Link::Null]], within)
}

/// `assert(e == 1 || e == 2)` at the location, and what follows.
fn one_or_two(e: RegisterId, location: u32) -> [Instruction; 4] {
    let is = |value, otherwise| branch(Relation::Equal, Operand::Register(e), Operand::Constant(value), location + 3, otherwise);
    [is(1, location + 1), is(2, location + 2), FAIL, Instruction::Halt]
}

/// Proves a program that jumps from the end of its prefix to the location behind it: there what was folded into a tree of the first sort is
/// read as one of the last.
fn read_again(program: &Program, c: RegisterId, sorts: &[Sort], chosen: &[u32]) -> Certificate {
    let is_jump = |instruction: &Instruction| matches!(instruction, Instruction::Jump { .. });
    let end = program.instructions.iter().position(is_jump).expect("a jump");
    let location = u32::try_from(end).expect("a short program");
    let last = SortId(u32::try_from(program.objects.len() + sorts.len() - 1).expect("few sorts"));
    let first = SortId(u32::try_from(program.objects.len()).expect("few declarations"));
    proved(program, sorts, |forge, configuration| {
        let read = template(location + 1, &[TreeSort::Tree(last)], &[(c, root(0))], Vec::new(), &[WHOLE]);
        let read = forge.template(read, crate::forge::Forge::auto);
        let folded = template(location, &[TreeSort::Tree(first)], &[(c, root(0))], Vec::new(), &[WHOLE]);
        let folded = forge.template(folded, |forge, configuration| {
            let configuration = forge.steps(configuration, 1);
            forge.cover(&configuration, read, reading(&[&[]], &[]));
        });
        let configuration = forge.steps(configuration, end);
        forge.cover(&configuration, folded, Matching { shapes: vec![chosen.to_vec()], ..reading(&[&[]], &[]) });
    })
}

/// `c = malloc(..); c->data = value; c->next = NULL; assert(c->data == 1 || c->data == 2)`.
fn one_node(value: i128, sorts: &[Sort], chosen: &[u32]) -> Certificate {
    let (mut program, registers) = allocating(&[Link::Child(SortId(0))], &["c"]);
    let [c] = registers.try_into().expect("a register");
    let (d, e) = (integer(&mut program, "d", IntegerType::I32), integer(&mut program, "e", IntegerType::I32));
    program.instructions =
        vec![allocate(&program, c), assign(d, value), Instruction::Store { address: c, offset: 0, source: d }, jump(4), load(e, c, 0)];
    program.instructions.extend(one_or_two(e, 5));
    read_again(&program, c, sorts, chosen)
}

/// `c` and `c->next` with data of 1 and this value; `m = c->next; if (m != NULL) assert(m->data == 1 || m->data == 2)`.
fn two_nodes(value: i128) -> (Program, RegisterId) {
    let (mut program, registers) = allocating(&[Link::Child(SortId(0))], &["c", "n", "m"]);
    let [c, n, m] = registers.try_into().expect("three registers");
    let (d, e) = (integer(&mut program, "d", IntegerType::I32), integer(&mut program, "e", IntegerType::I32));
    program.instructions = vec![
        allocate(&program, c),
        allocate(&program, n),
        assign(d, 1),
        Instruction::Store { address: c, offset: 0, source: d },
        assign(d, value),
        Instruction::Store { address: n, offset: 0, source: d },
        Instruction::Store { address: c, offset: NEXT, source: n },
        jump(8),
        load(m, c, NEXT),
        is_null(m, 14, 10),
        load(e, m, 0),
    ];
    program.instructions.extend(one_or_two(e, 11));
    (program, c)
}

/// The first node is folded into a segment of the first sort, the second one into a tree of the second; together they are read as a tree of the
/// third, which the first is within.
fn segment(value: i128, second_within: Option<SortId>) -> Certificate {
    let (program, c) = two_nodes(value);
    let last = nodes([vec![data(1, 2), Link::Child(THIRD)], vec![data(1, 2), Link::Null]], None);
    let first = nodes([vec![data(1, 1), Link::Child(OWN)]], Some(THIRD));
    let sorts = [first, single(value, value, second_within), last];
    proved(&program, &sorts, |forge, configuration| {
        let read = template(8, &[TreeSort::Tree(THIRD)], &[(c, root(0))], Vec::new(), &[WHOLE]);
        let read = forge.template(read, crate::forge::Forge::auto);
        let (trees, parts) =
            ([TreeSort::Segment(OWN), TreeSort::Tree(SECOND)], [(0, Slot::Null, root(1)), (1, Slot::Forgotten, Slot::Null)]);
        let folded = template(7, &trees, &[(c, root(0))], Vec::new(), &parts);
        let folded = forge.template(folded, |forge, configuration| {
            let configuration = forge.steps(configuration, 1);
            forge.cover(&configuration, read, reading(&[&[]], &[]));
        });
        let configuration = forge.steps(configuration, 7);
        forge.cover(&configuration, folded, reading(&[&[0], &[]], &[]));
    })
}

/// `c = NULL; c->data`, where NULL is a tree of the first sort and read as one of the last.
fn null() -> Certificate {
    let (mut program, registers) = allocating(&[Link::Child(SortId(0))], &["c"]);
    let [c] = registers.try_into().expect("a register");
    let e = integer(&mut program, "e", IntegerType::I32);
    program.instructions = vec![Instruction::Null { target: c }, jump(2), load(e, c, 0), Instruction::Halt];
    read_again(&program, c, &[Sort { root: Root::Any, ..single(1, 1, Some(SECOND)) }, single(1, 1, None)], &[])
}

/// `c = malloc(..); if (c->next == NULL) ;`, where the pointer that has no value is called NULL.
fn uninitialised() -> Certificate {
    let (mut program, registers) = allocating(&[Link::Child(SortId(0))], &["c", "m"]);
    let [c, m] = registers.try_into().expect("two registers");
    let mut fresh = allocate(&program, c);
    if let Instruction::Allocate(Allocate { fresh, .. }) = &mut fresh {
        *fresh = Fresh::Arbitrary;
    }
    program.instructions = vec![fresh, jump(2), load(m, c, NEXT), is_null(m, 4, 4), Instruction::Halt];
    let [inner, outer] = [(Link::Other, Some(SECOND)), (Link::Null, None)].map(|(link, within)| nodes([vec![Link::Data, link]], within));
    read_again(&program, c, &[inner, outer], &[])
}

/// `c = malloc(..); c->prev`, of a struct that has no `prev`, where it is called one that has.
fn other_type() -> Certificate {
    let (mut program, registers) = allocating(&[Link::Child(SortId(0))], &["c", "m"]);
    let [c, m] = registers.try_into().expect("two registers");
    let object = node(&mut program, &[Link::Child(SortId(1)), Link::Child(SortId(1))]);
    program.instructions = vec![allocate(&program, c), jump(2), load(m, c, PREVIOUS), Instruction::Halt];
    let inner = nodes([vec![Link::Data, Link::Null]], Some(THIRD));
    let outer = nodes([vec![Link::Data, Link::Null, Link::Null]], None);
    read_again(&program, c, &[inner, Sort { object: ObjectId(object.0), ..outer }], &[])
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    let outer = || single(1, 2, None);
    let mut accepted = |name: &str, reason, certificate| vectors.accepted(name, reason, &certificate);
    let reason = "data of 1 lie between 1 and 2";
    accepted("sort-within-accepted", reason, one_node(1, &[single(1, 1, Some(SECOND)), outer()], &[]));
    let circle = [single(1, 1, Some(SECOND)), single(1, 1, Some(OWN))];
    accepted("sort-within-circle-accepted", "two sorts that are the same are within each other", one_node(1, &circle, &[]));
    let at = |byte| Sort { root: Root::NodeAt(byte), ..single(1, 1, Some(SECOND)) };
    accepted("sort-within-byte-accepted", "pointers lead to the first byte, which one sort says", one_node(1, &[at(0), outer()], &[]));
    accepted("sort-within-segment-accepted", "a segment of a sort within another is a segment of that", segment(2, Some(THIRD)));

    let mut rejected = |name: &str, rejection, reason, certificate: Certificate| vectors.rejected(name, rejection, reason, &certificate);
    let within = Rejection::IllFormed(Fault::Within);
    let reason = "nobody says that the sort is within the other";
    rejected("sort-not-within", Rejection::NotRead, reason, one_node(3, &[single(3, 3, None), outer()], &[]));
    let reason = "a tree is read as one of a sort within its own";
    rejected("sort-within-reverse", Rejection::NotRead, reason, one_node(3, &[single(1, 3, None), single(1, 2, Some(OWN))], &[]));
    rejected("sort-within-range", within, "data of 3 do not lie between 1 and 2", one_node(3, &[single(1, 3, Some(SECOND)), outer()], &[]));
    let least = [single(0, 2, Some(SECOND)), outer()];
    rejected("sort-within-range-below", within, "data of 0 do not lie between 1 and 2", one_node(0, &least, &[]));
    let reason = "any data do not lie between 1 and 2";
    rejected("sort-within-data", within, reason, one_node(3, &[nodes([vec![Link::Data, Link::Null]], Some(SECOND)), outer()], &[]));
    let both = |within| nodes([vec![data(3, 3), Link::Null], vec![data(1, 1), Link::Null]], within);
    let reason = "one of two shapes is none of the other sort's";
    rejected("sort-within-shape", within, reason, one_node(3, &[both(Some(SECOND)), outer()], &[0]));
    let reason = "of two sorts that are within each other one has a shape more";
    rejected("sort-within-circle", within, reason, one_node(3, &[both(Some(SECOND)), single(1, 1, Some(OWN))], &[0]));
    rejected("sort-within-null", within, "NULL is no tree of the other sort", null());
    rejected("sort-within-byte", within, "pointers lead to another byte of the nodes", one_node(1, &[at(4), outer()], &[]));
    rejected("sort-within-link", within, "a pointer without value is called NULL", uninitialised());
    rejected("sort-within-object", within, "the nodes are of another declaration", other_type());
    rejected(
        "sort-within-missing",
        Rejection::IllFormed(Fault::Sort),
        "there is no such sort",
        one_node(1, &[single(1, 1, Some(SortId(9))), outer()], &[]),
    );
    let (program, c) = two_nodes(3);
    let first = nodes([vec![data(1, 1), Link::Child(SECOND)]], Some(THIRD));
    let sorts = [first, single(3, 3, None), nodes([vec![data(1, 1), Link::Child(THIRD)]], None)];
    rejected("sort-within-child", within, "children are within nothing", read_again(&program, c, &sorts, &[]));
    rejected(
        "sort-within-hole",
        Rejection::NotRead,
        "what is in the hole is of another sort than the segment is read as",
        segment(3, None),
    );
}
