//! Memory that is leaked, and proofs that it is not (`spec/calculus.md#leaks`).

use super::{
    Catalogue,
    heaps::{allocate, allocating, proved},
};
use crate::{
    forge::Forge,
    heaps::{NEXT, PREVIOUS, TREE, jump, last, list, load, reading, root, state, template, to, two_children},
    programs::{FAIL, is_null, object, pointer},
};
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{InputSize, Member, Slot, Template, TreeId, TreeSort},
    derivation::{DroppedElement, InputDrop, Matching, MemberId, OutcomeId, Rule, SegmentEnd},
    program::{Access, Contents, Instruction, Link, ObjectId, Origin, Program, RegisterId, SortId, Type},
};
use goatherd_checker::{Configuration, rejection::Rejection};

/// Steps alone lead to the end.
fn by_steps(forge: &mut Forge<'_>, configuration: Configuration) {
    forge.auto(configuration);
}

/// Fails if these do not lead to all that lives.
pub(super) fn check(roots: &[RegisterId]) -> Instruction {
    Instruction::CheckLeaks { roots: roots.to_vec() }
}

/// A step that the kernel does not take, and the end behind it.
fn end_behind(forge: &mut Forge<'_>) {
    forge.rules.extend([Rule::Step { refuted: Vec::new() }, Rule::End]);
}

/// The scapegoat is said to fail at the check.
fn leaks_and_is_blamed(forge: &mut Forge<'_>) {
    let member = MemberId(1);
    forge.rules.push(Rule::StepDecided { member, outcome: OutcomeId(0), choice: None, hints: Vec::new() });
    forge.rules.push(Rule::Descent { member });
}

/// A program that allocates `c` first, and what it does then.
fn one(then: impl FnOnce(&mut Program, RegisterId) -> Vec<Instruction>) -> (Program, RegisterId) {
    let (mut program, registers) = allocating(&[Link::Child(SortId(0))], &["c"]);
    let [c] = registers.try_into().expect("a register");
    let then = then(&mut program, c);
    program.instructions = [allocate(&program, c)].into_iter().chain(then).collect();
    (program, c)
}

/// `c = malloc(..); free(c)`, and `c = malloc(..); return c`.
fn no_leak() -> [Certificate; 2] {
    let freed = |_: &mut Program, c| vec![Instruction::Free { pointer: c }, check(&[]), Instruction::Halt];
    let kept = |_: &mut Program, c| vec![check(&[c]), Instruction::Halt];
    [one(freed), one(kept)].map(|(program, _)| proved(&program, &[], by_steps))
}

/// `static struct node *s; s = malloc(..)`.
fn in_static() -> Certificate {
    let (program, _) = one(|program, c| {
        let (s, layout) = (pointer(program, "s"), crate::programs::layout(program, &[Type::Pointer]));
        let origin = Origin::Static { count: 1, contents: vec![Contents::Zero], access: Access::ReadWrite };
        let object = object(program, layout, origin);
        let store = Instruction::Store { address: s, offset: 0, source: c };
        vec![Instruction::Address { target: s, object }, store, check(&[]), Instruction::Halt]
    });
    proved(&program, &[], by_steps)
}

/// `c = malloc(..); c = NULL`.
fn lost_node() -> Certificate {
    let (program, _) = one(|_, c| vec![Instruction::Null { target: c }, check(&[c]), Instruction::Halt]);
    proved(&program, &[], |forge, configuration| {
        forge.steps(configuration, 2);
        end_behind(forge);
    })
}

/// The same, where the template between has no node.
fn lost_in_template() -> Certificate {
    let (program, c) = one(|_, c| vec![Instruction::Null { target: c }, jump(3), check(&[c]), Instruction::Halt]);
    let without = template(3, &[], &[(c, Slot::Null)], Vec::new(), &[]);
    proved(&program, &[], |forge, configuration| {
        let id = forge.template(without, Forge::auto);
        let configuration = forge.steps(configuration, 3);
        forge.cover(&configuration, id, reading(&[], &[]));
    })
}

/// The list's first register is set to NULL, and then this.
fn lost_list() -> (Program, RegisterId) {
    let (mut program, l, _) = list();
    program.instructions = vec![Instruction::Null { target: l }, jump(2), check(&[l]), Instruction::Halt];
    (program, l)
}

/// The template between has no list.
fn lost_part_in_template() -> Certificate {
    let (program, l) = lost_list();
    let without = template(2, &[], &[(l, Slot::Null)], Vec::new(), &[]);
    proved(&program, &[], |forge, configuration| {
        let id = forge.template(without, Forge::auto);
        let configuration = forge.steps(configuration, 2);
        forge.cover(&configuration, id, reading(&[], &[]));
    })
}

/// A list that nothing leads to might be empty.
fn lost_part() -> Certificate {
    proved(&lost_list().0, &[], |forge, configuration| {
        forge.steps(configuration, 2);
        end_behind(forge);
    })
}

/// `free(l)`, where `l` is all that leads to the rest of the list.
fn behind_dead() -> Certificate {
    let (mut program, l, _) = list();
    program.instructions = vec![is_null(l, 2, 1), Instruction::Free { pointer: l }, check(&[l]), Instruction::Halt];
    proved(&program, &[], |forge, configuration| {
        let [empty, node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(empty);
        forge.steps(node, 2);
        end_behind(forge);
    })
}

/// What is kept of a list is its second node, by a pointer to the last cell of a segment of two.
fn only_last() -> Certificate {
    let (mut program, l, c) = list();
    program.instructions = vec![is_null(l, 4, 1), load(c, l, NEXT), is_null(c, 4, 3), jump(5), Instruction::Halt];
    program.instructions.extend([check(&[c]), Instruction::Halt]);
    let (trees, parts) = ([TreeSort::Segment(SortId(0)), TREE], [(0, Slot::Null, root(1)), (1, Slot::Forgotten, Slot::Null)]);
    let folded = template(5, &trees, &[(l, root(0)), (c, last(0))], Vec::new(), &parts);
    proved(&program, &[], |forge, configuration| {
        let id = forge.template(folded, |forge, _| end_behind(forge));
        let [empty, node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(empty);
        let node = forge.steps(node, 2);
        let [one, two] = forge.unfold(&node, TreeId(1), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(one);
        let two = forge.steps(two, 2);
        forge.cover(&two, id, reading(&[&[0, 0], &[]], &[]));
    })
}

/// `if (l != NULL && l->next == NULL && l->prev != NULL) fail`: without its root the tree's other child is in nobody's input.
fn phantom() -> Certificate {
    let (mut program, [l, c, p]) = two_children();
    program.instructions = vec![check(&[l]), is_null(l, 6, 2), load(c, l, NEXT), is_null(c, 4, 6), load(p, l, PREVIOUS), is_null(p, 6, 7)];
    program.instructions.extend([Instruction::Halt, FAIL]);
    proved(&program, &[], |forge, configuration| {
        let [empty, node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(empty);
        let [alone, other] = forge.unfold(&node, TreeId(1), SegmentEnd::Top).try_into().expect("two cases");
        let [leaf, _] = forge.unfold(&alone, TreeId(2), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(leaf);
        // The scapegoat's input is NULL, and the node is still in its table.
        let drop = InputDrop { input: 0, element: DroppedElement::Node { object: ObjectId(0), child: Some(1) } };
        forge.rules.push(Rule::AddScapegoat { drops: vec![drop], integers: Vec::new(), hints: Vec::new() });
        leaks_and_is_blamed(forge);
        forge.auto(other);
    })
}

/// `if (l != NULL) assert(..)` on a list: the scapegoat's list has no root, and leaks nothing.
fn smaller() -> Certificate {
    let (mut program, l, c) = list();
    program.instructions = vec![check(&[l]), is_null(l, 3, 2), load(c, l, NEXT), Instruction::Halt];
    proved(&program, &[], |forge, configuration| {
        let [empty, mut node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(empty);
        forge.add(&mut node, &[(0, DroppedElement::Node { object: ObjectId(0), child: Some(1) })], &[]);
        forge.follow(&mut node, 1, None);
        forge.auto(node);
    })
}

/// `if (l != NULL && l->next != NULL && l->next->next == NULL) fail`, where nobody knows what the scapegoat's `l` is: its node is called leaked.
fn forgotten() -> Certificate {
    let (mut program, l, c) = list();
    program.instructions =
        vec![jump(1), check(&[l]), is_null(l, 7, 3), load(c, l, NEXT), is_null(c, 7, 5), load(c, c, NEXT), is_null(c, 8, 7)];
    program.instructions.extend([Instruction::Halt, FAIL]);
    proved(&program, &[], |forge, configuration| {
        let (own, next) = (to(forge, 0), to(forge, 1));
        let (first, second) = (state(forge, 0, &[next]), state(forge, 1, &[Slot::Null]));
        let known = template(1, &[], &[(l, own)], vec![first, second.clone()], &[]);
        let unknown = Member { size: InputSize::Smaller, registers: Vec::new(), objects: vec![second], ..known.members[0].clone() };
        let members = vec![known.members[0].clone(), unknown];
        let id = forge.template(Template { members, ..known }, |forge, _| leaks_and_is_blamed(forge));
        let [empty, node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(empty);
        let [one, more] = forge.unfold(&node, TreeId(1), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(one);
        let [mut two, more] = forge.unfold(&more, TreeId(2), SegmentEnd::Top).try_into().expect("two cases");
        forge.add(&mut two, &[(0, DroppedElement::Node { object: ObjectId(0), child: Some(1) })], &[]);
        let mut two = forge.steps(two, 1);
        forge.follow(&mut two, 1, None);
        let objects = vec![vec![ObjectId(0), ObjectId(1)], vec![ObjectId(1)]];
        forge.cover(&two, id, Matching { objects, ..Matching::default() });
        forge.auto(more);
    })
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    let [freed, kept] = no_leak();
    vectors.accepted("leak-freed-accepted", "what is allocated is freed", &freed);
    vectors.accepted("leak-kept-accepted", "what is allocated is handed back", &kept);
    vectors.accepted("leak-static-accepted", "what is allocated is stored in a static object", &in_static());
    vectors.accepted("leak-smaller-accepted", "a scapegoat on a list without its first node leaks nothing", &smaller());
    let mut rejected = |name: &str, rejection, reason, certificate: Certificate| vectors.rejected(name, rejection, reason, &certificate);
    rejected("leak-node", Rejection::NotEnded, "nothing leads to a node that lives", lost_node());
    rejected("leak-lost-node", Rejection::Leak, "a template has no node where one lives", lost_in_template());
    rejected("leak-lost-part", Rejection::Leak, "a template has no list where there is one", lost_part_in_template());
    rejected("leak-part", Rejection::Leak, "nothing leads to a list that need not be empty", lost_part());
    rejected("leak-dead", Rejection::Leak, "what leads to a list is freed", behind_dead());
    rejected("leak-last", Rejection::Leak, "the last cell of a segment does not lead to the others", only_last());
    rejected("leak-phantom", Rejection::Leak, "a subtree of a node that is left out is not in the smaller input", phantom());
    rejected("leak-forgotten", Rejection::Leak, "nobody knows what a forgotten root leads to", forgotten());
}
