//! Linked heaps: whole proofs, which need all that Unfold, reading and leaving out nodes do.
#![expect(clippy::many_single_char_names, reason = "the variables of small C programs")]

use super::{
    Catalogue,
    heaps::{ONE, SINGLE, allocate, allocating, are_equal, handed_over, link, of, opened, proved},
};
use crate::{
    forge::{PARAMETERS, certificate_of_run},
    heaps::{
        NEXT, OWN, PREVIOUS, SORT, double, jump, last, load, prove_there_and_back, reading, root, sort, state, template, there_and_back, to,
    },
    programs::{FAIL, branch, integer, is_null, node, pointer},
};
use goatherd_certificates::{
    certificate::{Certificate, GroundRun},
    configuration::{Slot, TreeId, TreeSort},
    derivation::{Choice, DroppedElement, MemberId, Rule, SegmentEnd, TemplateId},
    program::{Instruction, IntegerType, Link, Location, ObjectId, Operand, Relation, SortId},
};
use goatherd_checker::{Place, rejection::Rejection};

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    let (program, registers) = there_and_back();
    let sorts = [sort(Link::Child(OWN), Link::Up)];
    let proof = proved(&program, &sorts, |forge, configuration| prove_there_and_back(forge, &configuration, registers));
    vectors.accepted("heap-both-ways", "a list is linked both ways and walked back", &proof);
    vectors.accepted("heap-from-the-top", "a segment is walked from its root, its last cell stays", &from_the_top());
    vectors.accepted("heap-without-first", "a list without its first node fails", &blaming(&[(0, Some(1))]));
    vectors.accepted("heap-without-second", "a list without its second node fails", &blaming(&[(1, Some(1))]));
    let (other_type, reason) = (other_type(), "a node of another declaration is folded");
    vectors.rejected("heap-other-type", Rejection::NotRead, reason, &other_type);
    vectors.accepted("heap-run", "a run that goes back in a list fails", &going_back());
}

/// `while (l != c) l = l->next`, where `c` is the node behind the one that `q` points to.
fn from_the_top() -> Certificate {
    let (mut program, registers) = allocating(SINGLE, &["c", "l", "q"]);
    let [c, l, q] = registers.try_into().expect("three registers");
    program.instructions = vec![
        allocate(&program, c),
        allocate(&program, l),
        link(l, NEXT, c),
        Instruction::Copy { target: q, source: l },
        are_equal(l, c, 7, 5),
        load(l, l, NEXT),
        jump(4),
        Instruction::Halt,
    ];
    proved(&program, &[], |forge, configuration| {
        let (end, nodes) = (to(forge, 0), vec![state(forge, 0, &[Slot::Forgotten])]);
        let registers = [(c, end), (l, root(0)), (q, last(0))];
        let template = template(4, &[TreeSort::Segment(SORT)], &registers, nodes, &[(0, Slot::Forgotten, end)]);
        let id = forge.template(template, |forge, configuration| {
            let [empty, node] = opened(forge, &configuration);
            forge.auto(empty);
            let node = forge.steps(node, 3);
            forge.cover(&node, TemplateId(0), reading(&[&[0]], &[0]));
        });
        let configuration = forge.steps(configuration, 4);
        forge.cover(&configuration, id, reading(&[&[0]], &[0]));
    })
}

/// Below a condition that never holds, a program that fails on every list but the empty one; the longer lists are left to scapegoats.
fn blaming(drops: &[(u32, Option<u32>)]) -> Certificate {
    let (mut program, l, c) = double();
    let p = pointer(&mut program, "p");
    let [x, y] = ["x", "y"].map(|name| integer(&mut program, name, IntegerType::I32));
    let less = |left, right, then| branch(Relation::Less, Operand::Register(left), Operand::Register(right), then, 12);
    program.instructions = vec![
        Instruction::Havoc { target: x },
        Instruction::Havoc { target: y },
        less(x, y, 3),
        less(y, x, 4),
        is_null(l, 12, 5),
        load(p, l, PREVIOUS),
        is_null(p, 7, 12),
        load(c, l, NEXT),
        is_null(c, 11, 9),
        load(p, c, PREVIOUS),
        are_equal(p, l, 11, 12),
        FAIL,
        Instruction::Halt,
    ];
    proved(&program, &[], |forge, configuration| {
        let configuration = forge.steps(configuration, 2);
        let values = [x, y].map(|register| forge.integer(&configuration, 0, register));
        let [more, less] = forge.step(configuration).try_into().expect("two ways");
        // The kernel's order: what holds first.
        let [inside, outside] = [more, less];
        let mut both = forge.step_refuting(inside, &[]);
        let (never, over) = (both.remove(0), both.remove(0));
        let [null, node] = opened(forge, &never);
        forge.auto(null);
        let [one, two] = forge.unfold(&node, TreeId(1), SegmentEnd::Top).try_into().expect("two cases");
        forge.infeasible(&one);
        let mut two = two;
        let drops: Vec<_> =
            drops.iter().map(|(object, child)| (0, DroppedElement::Node { object: ObjectId(*object), child: *child })).collect();
        forge.add(&mut two, &drops, &[]);
        for case in forge.unfold(&two, TreeId(2), SegmentEnd::Top) {
            let mut case = case;
            for value in values {
                forge.follow(&mut case, 1, Some(Choice::Value(value)));
            }
            while let Place::At(location) = case.members[1].place
                && location != Location(11)
            {
                forge.follow(&mut case, 1, None);
            }
            forge.rules.push(Rule::Descent { member: MemberId(1) });
        }
        forge.auto(over);
        forge.auto(outside);
    })
}

/// Fails where the second node of a list points back to the first.
fn going_back() -> Certificate {
    let (mut program, l, c) = double();
    program.instructions =
        vec![is_null(l, 6, 1), load(c, l, NEXT), is_null(c, 6, 3), load(c, c, PREVIOUS), are_equal(c, l, 5, 6), FAIL, Instruction::Halt];
    certificate_of_run(&program, PARAMETERS, GroundRun { inputs: vec![of(&[1, 2])], choices: Vec::new(), steps: 6 })
}

/// Two declarations that look alike.
fn other_type() -> Certificate {
    let (mut program, registers) = allocating(SINGLE, &["x"]);
    node(&mut program, &[Link::Child(SortId(1))]);
    let [x] = registers.try_into().expect("a register");
    program.instructions = vec![allocate(&program, x), Instruction::Halt];
    let template = template(1, &[TreeSort::Tree(SortId(1))], &[(x, root(0))], Vec::new(), ONE);
    proved(&program, &[], handed_over(1, template, &[&[]], &[]))
}
