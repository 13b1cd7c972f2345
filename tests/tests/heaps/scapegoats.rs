//! Inputs that lack nodes.

use super::{Scene, derived, two_nodes};
use goatherd_certificates::{
    configuration::{InputSize, Slot, TreeId},
    derivation::{DroppedElement, MemberId, Rule, SegmentEnd},
    program::{Instruction, Link, ObjectId, SortId},
};
use goatherd_checker::{configuration::Configuration, rejection::Rejection};
use goatherd_tests::{
    forge::Forge,
    heaps::{NEXT, TREE, double, jump, list, load, root, template, to},
    programs::{FAIL, empty, is_null, linked, node},
};

/// H6, H7: a scapegoat lacks nodes of the entry, and what hung from them.
#[test]
fn scapegoats_lack_nodes() {
    let (mut program, l, c) = double();
    two_nodes(&mut program, l, c);
    let scene = || Scene::new(&program).steps(1).unfold(0, SegmentEnd::Top, 1).unfold(1, SegmentEnd::Top, 1);
    let (first, second, next) = (ObjectId(0), ObjectId(1), Some(1));
    // The second node is in the place of the first, and nothing is above it.
    let mut without_first = scene();
    assert_eq!(without_first.add(&[(first, next)]), Ok(()));
    let member = &without_first.configuration.members[1];
    let head = to(&mut without_first.forge, 1);
    assert_eq!(member.registers[l.index()], head);
    assert_eq!(member.object(second).unwrap().fields[2].cells[0], Slot::Null);
    // What hangs below the second is in its place.
    let mut without_second = scene();
    assert_eq!(without_second.add(&[(second, next)]), Ok(()));
    let member = &without_second.configuration.members[1];
    let rest = member.object(first).unwrap().fields[1].cells[0];
    let Slot::Folded(id) = rest else { panic!("a tree") };
    assert_eq!(member.folded[id.index()].map(|folded| folded.above), Some(to(&mut without_second.forge, 0)));
    // NULL, and both.
    assert_eq!(scene().add(&[(first, None)]), Ok(()));
    assert_eq!(scene().add(&[(first, next), (second, next)]), Ok(()));
    // Nothing.
    let mut same = scene();
    assert_eq!(same.add(&[]), Ok(()));
    assert_eq!(same.configuration.members[1].size, InputSize::NotLarger);
    assert_eq!(without_first.configuration.members[1].size, InputSize::Smaller);
    // No node, no child.
    assert_eq!(scene().add(&[(ObjectId(2), next)]), Err(Rejection::Drop));
    assert_eq!(scene().add(&[(first, Some(0))]), Err(Rejection::Drop));
    assert_eq!(scene().add(&[(first, Some(2))]), Err(Rejection::Drop));
    assert_eq!(scene().add(&[(first, Some(3))]), Err(Rejection::Drop));
    assert_eq!(Scene::new(&program).add(&[(first, next)]), Err(Rejection::Drop));
    // Below a template the entry is not known.
    let tree = template(1, &[TREE], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    assert_eq!(scene().from(&tree).add(&[(first, next)]), Err(Rejection::EntryTerms));
}

/// H7: a child of another type is in nobody's place.
#[test]
fn a_child_of_another_type_takes_no_place() {
    let mut program = empty();
    let object = node(&mut program, &[Link::Child(SortId(1))]);
    node(&mut program, &[Link::Child(SortId(1))]);
    linked(&mut program, "l", object);
    program.instructions = vec![jump(0)];
    let mut scene = Scene::new(&program).unfold(0, SegmentEnd::Top, 1);
    assert_eq!(scene.add(&[(ObjectId(0), Some(1))]), Err(Rejection::Drop));
    assert_eq!(scene.add(&[(ObjectId(0), None)]), Ok(()));
}

/// Fails on a list of two nodes, not on one of one.
#[test]
fn a_failure_of_a_smaller_list_is_needed() {
    let (mut program, l, c) = list();
    program.instructions = vec![is_null(l, 4, 1), load(c, l, NEXT), is_null(c, 4, 3), FAIL, Instruction::Halt];
    let proof = |forge: &mut Forge<'_>, configuration: Configuration| {
        let [empty, node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(empty);
        let [one, two] = forge.unfold(&node, TreeId(1), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(one);
        let mut two = two;
        forge.add(&mut two, &[(0, DroppedElement::Node { object: ObjectId(0), child: Some(1) })], &[]);
        // The scapegoat has one node, and then what T2 is.
        for _ in 0..2 {
            forge.follow(&mut two, 1, None);
        }
        forge.rules.push(Rule::Descent { member: MemberId(1) });
    };
    assert_eq!(derived(&program, proof), Some(Rejection::NotFailed));
}
