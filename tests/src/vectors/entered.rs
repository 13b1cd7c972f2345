//! Sorts of nodes to whose links pointers lead, and not to their start (`spec/calculus.md#folded-heaps`).
#![expect(clippy::many_single_char_names, reason = "the variables of small C programs")]

use super::{
    Catalogue,
    heaps::{allocate, allocating, proved},
};
use crate::{
    forge::Forge,
    heaps::{NEXT, NODE, OWN, load, reading, root, template},
    programs::{FAIL, assign, branch, integer},
};
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{Root, Slot, Sort, TreeSort},
    program::{Advance, Instruction, IntegerType, Link, Operand, Relation, SortId},
};
use goatherd_checker::rejection::Rejection;

/// The byte of a node's link.
const INSIDE: u64 = NEXT.unsigned_abs();

/// `c = malloc(..); c->data = 1; c->next = NULL; q = (char *)c + forth * 4; p = (char *)q - back * 4; assert(p->data == 1)`, where the node
/// is folded into a tree of this sort, held by `q`, before `p` is set.
fn proof([forth, back]: [i128; 2], root_of: Root) -> Certificate {
    let (mut program, registers) = allocating(&[Link::Child(SortId(0))], &["c", "n", "q", "p"]);
    let [c, n, q, p] = registers.try_into().expect("four registers");
    let (d, e) = (integer(&mut program, "d", IntegerType::I32), integer(&mut program, "e", IntegerType::I32));
    let moved = |target, base, steps| Instruction::Advance(Advance { target, base, index: Operand::Constant(steps), scale: 4 });
    program.instructions = vec![
        allocate(&program, c),
        assign(d, 1),
        Instruction::Store { address: c, offset: 0, source: d },
        Instruction::Null { target: n },
        Instruction::Store { address: c, offset: NEXT, source: n },
        moved(q, c, forth),
        moved(p, q, -back),
        load(e, p, 0),
        branch(Relation::Equal, Operand::Register(e), Operand::Constant(1), 10, 9),
        FAIL,
        Instruction::Halt,
    ];
    let shapes = vec![vec![Link::Range { least: 1, greatest: 1 }, Link::Null]];
    let sorts = [Sort { object: NODE, root: root_of, shapes, within: None }];
    let folded = template(6, &[TreeSort::Tree(OWN)], &[(q, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    proved(&program, &sorts, |forge, configuration| {
        let id = forge.template(folded, Forge::auto);
        let configuration = forge.steps(configuration, 6);
        forge.cover(&configuration, id, reading(&[&[]], &[]));
    })
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    let reason = "pointers lead to the link of a node, and that is read there";
    vectors.accepted("sort-byte-accepted", reason, &proof([1, 1], Root::NodeAt(INSIDE)));
    let reason = "a pointer to the start of a node is read as one to its link";
    vectors.rejected("sort-byte-start", Rejection::NotRead, reason, &proof([0, 1], Root::NodeAt(INSIDE)));
    let reason = "a pointer to the link of a node is read as one to its start";
    vectors.rejected("sort-byte-inside", Rejection::NotRead, reason, &proof([1, 0], Root::Node));
}
