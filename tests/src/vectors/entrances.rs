//! Sorts of nodes to whose links pointers lead, and not to their start (`spec/calculus.md#folded-heaps`).
#![expect(clippy::many_single_char_names, reason = "the variables of small C programs")]

use super::{
    Catalogue,
    heaps::{ONE, SINGLE, allocate, allocating, link, proved},
};
use crate::{
    forge::{Forge, PARAMETERS},
    heaps::{NEXT, NODE, OWN, PREVIOUS, SORT, jump, last, load, reading, root, template},
    programs::{FAIL, assign, branch, integer, is_null},
};
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{Root, Slot, Sort, TreeId, TreeSort},
    derivation::{SegmentEnd, TemplateId},
    program::{Advance, Instruction, IntegerType, Link, ObjectId, Operand, Program, RegisterId, Relation, SortId},
};
use goatherd_checker::{
    configuration::Configuration,
    rejection::{Fault, Rejection},
};
use std::iter::once;

/// The byte of a node's link.
const INSIDE: u64 = NEXT.unsigned_abs();

/// The program of [`proof`] and [`kept`]: `c = malloc(..); c->data = 1; c->next = NULL; q = (char *)c + forth * 4; p = (char *)q - back * 4;
/// assert(p->data == 1)`, with `q`.
fn around([forth, back]: [i128; 2]) -> (Program, RegisterId) {
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
    (program, q)
}

/// The node is folded into a tree of this sort, held by `q`, before `p` is set.
fn proof(steps: [i128; 2], root_of: Root) -> Certificate {
    let (program, q) = around(steps);
    let shapes = vec![vec![Link::Range { least: 1, greatest: 1 }, Link::Null]];
    let sorts = [Sort { object: NODE, root: root_of, shapes, within: None }];
    let folded = template(6, &[TreeSort::Tree(OWN)], &[(q, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    proved(&program, &sorts, |forge, configuration| {
        let id = forge.template(folded, Forge::auto);
        let configuration = forge.steps(configuration, 6);
        forge.cover(&configuration, id, reading(&[&[]], &[]));
    })
}

/// The node is kept, before `p` is set, and `q` points to its link.
fn kept(steps: [i128; 2]) -> Certificate {
    let (program, q) = around(steps);
    proved(&program, &[], |forge, configuration| {
        let configuration = forge.steps(configuration, 6);
        let state = configuration.members[0].object(ObjectId(0)).cloned().expect("the node");
        let pointer = Slot::byte(state.object, state.lower, INSIDE);
        let template = template(6, &[], &[(q, pointer)], vec![state], &[]);
        let id = forge.template(template, Forge::auto);
        forge.cover(&configuration, id, reading(&[], &[0]));
    })
}

/// Moves the pointer by so many bytes.
fn moved(register: RegisterId, bytes: i64) -> Instruction {
    Instruction::Advance(Advance { target: register, base: register, index: Operand::Constant(bytes.into()), scale: 1 })
}

/// Nodes in one shape, whatever their data.
fn sorted(root: Root, links: &[Link]) -> Sort {
    Sort { object: NODE, root, shapes: vec![once(Link::Data).chain(links.iter().copied()).collect()], within: None }
}

/// The proof is made with these sorts, and says that they are the others.
fn said(program: &Program, sorts: &[Sort], others: &[Sort], derivation: impl FnOnce(&mut Forge<'_>, Configuration)) -> Certificate {
    let mut forge = Forge::new(program, &PARAMETERS, 1);
    forge.setting.sorts = sorts;
    let configuration = forge.root(0).expect("a root");
    derivation(&mut forge, configuration);
    let mut proof = forge.proof();
    proof.sorts = others.to_vec();
    forge.certificate_of(&proof)
}

/// A stack of nodes that point to this byte of each other is pushed to, and freed.
fn stack(byte: u32, own: Root, others: &[Sort]) -> Certificate {
    let byte = i64::from(byte);
    let (mut program, registers) = allocating(SINGLE, &["c", "p"]);
    let [c, p] = registers.try_into().expect("two registers");
    let n = integer(&mut program, "n", IntegerType::I32);
    program.instructions = vec![
        Instruction::Null { target: p },
        Instruction::Havoc { target: n },
        branch(Relation::Equal, Operand::Register(n), Operand::Constant(0), 8, 3),
        allocate(&program, c),
        moved(c, byte),
        link(c, NEXT - byte, p),
        Instruction::Copy { target: p, source: c },
        jump(1),
        is_null(p, 14, 9),
        Instruction::Copy { target: c, source: p },
        load(p, p, NEXT - byte),
        moved(c, -byte),
        Instruction::Free { pointer: c },
        jump(8),
        Instruction::Halt,
    ];
    said(&program, &[sorted(own, &[Link::Child(OWN)])], others, |forge, configuration| {
        let shape = &[TreeSort::Tree(OWN)];
        let popping = forge.template(template(8, shape, &[(p, root(0))], Vec::new(), ONE), |forge, configuration| {
            let [empty, node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases");
            forge.auto(empty);
            let node = forge.steps(node, 6);
            forge.cover(&node, TemplateId(0), reading(&[&[]], &[]));
        });
        let pushing = forge.template(template(1, shape, &[(p, root(0))], Vec::new(), ONE), |forge, configuration| {
            let configuration = forge.steps(configuration, 1);
            let [ends, goes] = forge.step(configuration).try_into().expect("two ways");
            forge.cover(&ends, popping, reading(&[&[]], &[]));
            let goes = forge.steps(goes, 5);
            forge.cover(&goes, TemplateId(1), reading(&[&[]], &[]));
        });
        let configuration = forge.steps(configuration, 1);
        forge.cover(&configuration, pushing, reading(&[&[]], &[]));
    })
}

/// Two nodes that point to this byte of each other are walked back from the last one.
fn back(byte: u32, own: Root, others: &[Sort]) -> Certificate {
    let byte = i64::from(byte);
    let (mut program, registers) = allocating(&[Link::Child(SORT), Link::Up], &["l", "p"]);
    let [l, p] = registers.try_into().expect("two registers");
    program.instructions = vec![
        allocate(&program, l),
        moved(l, byte),
        allocate(&program, p),
        moved(p, byte),
        link(l, NEXT - byte, p),
        link(p, PREVIOUS - byte, l),
        is_null(p, 9, 7),
        load(p, p, PREVIOUS - byte),
        jump(6),
        Instruction::Halt,
    ];
    said(&program, &[sorted(own, &[Link::Child(OWN), Link::Up])], others, |forge, configuration| {
        let walking =
            template(6, &[TreeSort::Segment(OWN)], &[(l, root(0)), (p, last(0))], Vec::new(), &[(0, Slot::Null, Slot::Forgotten)]);
        let walking = forge.template(walking, |forge, configuration| {
            let [empty, node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Bottom).try_into().expect("two cases");
            forge.auto(empty);
            let node = forge.steps(node, 3);
            forge.cover(&node, TemplateId(0), reading(&[&[0]], &[]));
        });
        let configuration = forge.steps(configuration, 6);
        forge.cover(&configuration, walking, reading(&[&[0, 0]], &[]));
    })
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    let one = |root| vec![sorted(root, &[Link::Child(OWN)])];
    let two = |root| vec![sorted(root, &[Link::Child(OWN), Link::Up])];
    let wider = |inner: Root, outer: Root| {
        let (mut sorts, second) = (one(inner), SortId(OWN.0 + 1));
        sorts[0].within = Some(second);
        sorts.push(sorted(outer, &[Link::Child(second)]));
        sorts
    };
    let at = Root::AnyAt;
    let mut accepted = |name: &str, reason, certificate| vectors.accepted(name, reason, &certificate);
    accepted("entrance-accepted", "pointers lead to the link of a node, and that is read there", proof([1, 1], Root::NodeAt(INSIDE)));
    accepted("entrance-kept-accepted", "a pointer to the link of a node is one", kept([1, 1]));
    accepted("entrance-stack-accepted", "a stack whose pointers lead to the links", stack(4, at(4), &one(at(4))));
    accepted("entrance-first-accepted", "that pointers lead to the first byte may be said in two ways", stack(0, at(0), &one(Root::Any)));
    accepted("entrance-back-accepted", "nodes are walked back whose pointers lead to no field", back(11, at(11), &two(at(11))));
    accepted("entrance-within-accepted", "a sort is within one of the same byte", stack(4, at(4), &wider(at(4), at(4))));
    let mut rejected = |name: &str, rejection, reason, certificate: Certificate| vectors.rejected(name, rejection, reason, &certificate);
    let reason = "a pointer to the start of a node is read as one to its link";
    rejected("entrance-start", Rejection::NotRead, reason, proof([0, 1], Root::NodeAt(INSIDE)));
    let reason = "a pointer to the link of a node is read as one to its start";
    rejected("entrance-inside", Rejection::NotRead, reason, proof([1, 0], Root::Node));
    let reason = "a pointer to the start of a node is taken for one to its link";
    rejected("entrance-kept-start", Rejection::Slot, reason, kept([0, 1]));
    rejected("entrance-null", Rejection::NotRead, "NULL is read as a node", stack(4, at(4), &one(Root::NodeAt(4))));
    let reason = "pointers to links are read as pointers to the starts of nodes";
    rejected("entrance-back-first", Rejection::NotRead, reason, back(4, at(4), &two(Root::Any)));
    rejected("entrance-back-other", Rejection::NotRead, "pointers are read as ones to another byte", back(4, at(4), &two(at(3))));
    let within = Rejection::IllFormed(Fault::Within);
    let reason = "a sort is within one whose pointers lead to an earlier byte";
    rejected("entrance-within-earlier", within, reason, stack(4, at(4), &wider(at(4), Root::Any)));
    let reason = "a sort is within one whose pointers lead to a later byte";
    rejected("entrance-within-later", within, reason, stack(4, at(4), &wider(at(4), at(5))));
    let reason = "NULL is no tree of the other sort";
    rejected("entrance-within-null", within, reason, stack(4, at(4), &wider(at(4), Root::NodeAt(4))));
}
