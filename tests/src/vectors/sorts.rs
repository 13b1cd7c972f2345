//! Sorts with ranges, with several shapes, and without NULL.

use super::{
    Catalogue,
    heaps::{allocate, allocating, proved},
};
use crate::{
    forge::Forge,
    heaps::{NEXT, NODE, OWN, jump, load, reading, root, template},
    programs::{FAIL, assign, branch, integer},
};
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{Root, Slot, Sort, TreeId, TreeSort},
    derivation::{Matching, Rule, SegmentEnd},
    program::{Instruction, IntegerType, Link, Operand, Program, Relation, SortId},
};
use goatherd_checker::rejection::{Fault, Rejection};

/// One node, whose data lies between these.
fn shape(least: i128, greatest: i128) -> Vec<Link> {
    vec![Link::Range { least, greatest }, Link::Null]
}

/// `c = malloc(..); c->data = data; c->next = NULL; assert(c->data == 1 || c->data == 2)`, where the node is folded into a tree of this sort
/// before the assertion.
fn proof(data: i128, root_of: Root, shapes: &[Vec<Link>], chosen: &[u32]) -> Certificate {
    let (mut program, registers) = allocating(&[Link::Child(SortId(0))], &["c", "n"]);
    let [c, n] = registers.try_into().expect("two registers");
    let (d, e) = (integer(&mut program, "d", IntegerType::I32), integer(&mut program, "e", IntegerType::I32));
    let is = |value, otherwise| branch(Relation::Equal, Operand::Register(e), Operand::Constant(value), 9, otherwise);
    program.instructions = vec![
        allocate(&program, c),
        assign(d, data),
        Instruction::Store { address: c, offset: 0, source: d },
        Instruction::Null { target: n },
        Instruction::Store { address: c, offset: NEXT, source: n },
        load(e, c, 0),
        is(1, 7),
        is(2, 8),
        FAIL,
        Instruction::Halt,
    ];
    let sorts = [Sort { object: NODE, root: root_of, shapes: shapes.to_vec(), within: None }];
    let folded = template(5, &[TreeSort::Tree(OWN)], &[(c, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    proved(&program, &sorts, |forge, configuration| {
        let id = forge.template(folded, Forge::auto);
        let configuration = forge.steps(configuration, 5);
        forge.cover(&configuration, id, Matching { shapes: vec![chosen.to_vec()], ..reading(&[&[]], &[]) });
    })
}

/// `c = NULL; c->data`, where NULL is read as a tree.
fn null(root_of: Root) -> Certificate {
    let (mut program, registers) = allocating(&[Link::Child(SortId(0))], &["c"]);
    let [c] = registers.try_into().expect("a register");
    let e = integer(&mut program, "e", IntegerType::I32);
    program.instructions = vec![Instruction::Null { target: c }, load(e, c, 0), Instruction::Halt];
    let sorts = [Sort { object: NODE, root: root_of, shapes: vec![shape(1, 1)], within: None }];
    let folded = template(1, &[TreeSort::Tree(OWN)], &[(c, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    proved(&program, &sorts, |forge, configuration| {
        let id = forge.template(folded, Forge::auto);
        let configuration = forge.steps(configuration, 1);
        forge.cover(&configuration, id, reading(&[&[]], &[]));
    })
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    let two = [shape(1, 1), shape(2, 2)];
    vectors.accepted("sort-range-accepted", "data between 1 and 2, of a tree that is not NULL", &proof(1, Root::Node, &[shape(1, 2)], &[]));
    vectors.accepted("sort-shapes-accepted", "the second of two shapes", &proof(2, Root::Node, &two, &[1]));
    let mut rejected = |name: &str, rejection, reason, certificate: Certificate| vectors.rejected(name, rejection, reason, &certificate);
    let reason = "data of 3 is said to lie between 1 and 2";
    rejected("sort-range", Rejection::NotRefuted, reason, proof(3, Root::Node, &[shape(1, 2)], &[]));
    rejected(
        "sort-range-below",
        Rejection::NotRefuted,
        "data of 0 is said to lie between 1 and 2",
        proof(0, Root::Node, &[shape(1, 2)], &[]),
    );
    rejected(
        "sort-other-shape",
        Rejection::NotRefuted,
        "a node with data of 3 is read in the second shape",
        proof(3, Root::Node, &two, &[1]),
    );
    rejected("sort-no-shape", Rejection::NotRead, "nobody says which of two shapes a node has", proof(2, Root::Node, &two, &[]));
    rejected("sort-third-shape", Rejection::NotRead, "a node is read in the third of two shapes", proof(2, Root::Node, &two, &[2]));
    rejected("sort-empty", Rejection::NotRead, "a node is read as a tree of a sort without nodes", proof(2, Root::Any, &[], &[0]));
    rejected("sort-null", Rejection::NotRead, "NULL is read as a tree that is not NULL", null(Root::Node));
    rejected("sort-null-byte", Rejection::NotRead, "NULL is read as a tree that is not NULL", null(Root::NodeAt(0)));
    let (program, _) = allocating(&[Link::Child(SortId(0))], &["c"]);
    let program = Program { instructions: vec![jump(1), FAIL], ..program };
    for (name, root) in [("sort-without-trees", Root::Node), ("sort-without-trees-inside", Root::NodeAt(4))] {
        let sorts = [Sort { object: NODE, root, shapes: Vec::new(), within: None }];
        let nothing = template(1, &[TreeSort::Tree(OWN)], &[], Vec::new(), &[]);
        let certificate = proved(&program, &sorts, |forge, configuration| {
            let unfold = Rule::Unfold { tree: TreeId(0), end: SegmentEnd::Top };
            let id = forge.template(nothing, |forge, _| forge.rules.push(unfold));
            let configuration = forge.steps(configuration, 1);
            forge.cover(&configuration, id, reading(&[&[]], &[]));
        });
        rejected(name, Rejection::NotRead, "a template has a symbol that stands for nothing at all", certificate);
    }
    let wrong = |links| proof(1, Root::Node, &[links], &[]);
    rejected(
        "sort-range-of-pointer",
        Rejection::IllFormed(Fault::Links),
        "a pointer is said to lie in a range",
        wrong(vec![Link::Data, shape(1, 2)[0]]),
    );
}
