//! Sorts of trees: one declaration, several ways in which its nodes are linked, and each condition on them violated alone.

use super::{Scene, derived_with};
use goatherd_certificates::{
    configuration::{Slot, Sort, TreeId, TreeSort},
    derivation::{Proof, SegmentEnd},
    program::{Instruction, Link, Location, SortId},
};
use goatherd_checker::{Place, configuration::Configuration, rejection::Rejection};
use goatherd_tests::{
    forge::{Forge, PARAMETERS, check, rejection},
    heaps::{OWN, PREVIOUS, SORT, jump, load, prove_there_and_back, reading, root, sort, template, there_and_back, two_children},
    programs::{FAIL, is_null},
};

#[test]
fn a_list_is_linked_both_ways_and_walked_back() {
    let (program, registers) = there_and_back();
    let answer =
        |sort: Sort| derived_with(&program, &[sort], |forge, configuration| prove_there_and_back(forge, &configuration, registers));
    assert_eq!(answer(sort(Link::Child(OWN), Link::Up)), None);
    // On the way back `p` does not point to the cell above.
    for wrong in [Link::Null, Link::Other, Link::Child(SORT)] {
        assert_eq!(answer(sort(Link::Child(OWN), wrong)), Some(Rejection::Slot));
    }
    // Without the sort its trees are nothing that could be unfolded.
    let sorts = [sort(Link::Child(OWN), Link::Up)];
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    forge.setting.sorts = &sorts;
    let configuration = forge.root(0).expect("a root");
    prove_there_and_back(&mut forge, &configuration, registers);
    let proof = Proof { sorts: Vec::new(), ..forge.proof() };
    assert_eq!(rejection(&check(&forge.certificate_of(&proof))), Some(Rejection::Missing));
}

/// One node is opened, and described by a template whose only tree is of this sort, after these stores.
fn covered(previous: Option<Slot>, found: Sort) -> Result<(), Rejection> {
    let (mut program, [l, ..]) = two_children();
    program.instructions = vec![jump(0)];
    let sorts = [found];
    let mut scene = Scene::new(&program).unfold(0, SegmentEnd::Top, 1);
    scene.forge.setting.sorts = &sorts;
    if let Some(previous) = previous {
        let state = scene.configuration.members[0].objects[0].as_mut().expect("the node");
        std::sync::Arc::make_mut(state).fields[2].cells[0] = previous;
    }
    let tree = template(0, &[TreeSort::Tree(OWN)], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    scene.covered(&tree, &reading(&[&[]], &[]))
}

/// H8: what is folded is linked as the sort says, field by field.
#[test]
fn each_link_is_read() {
    let rejected = Err(Rejection::NotRead);
    let next = Link::Child(SORT);
    let (null, none) = (Some(Slot::Null), Some(Slot::Uninitialised));
    assert_eq!(covered(None, sort(next, Link::Child(SORT))), Ok(()));
    assert_eq!(covered(None, sort(next, Link::Null)), rejected);
    assert_eq!(covered(None, sort(next, Link::Other)), rejected);
    assert_eq!(covered(None, sort(next, Link::Up)), rejected);
    assert_eq!(covered(null, sort(next, Link::Null)), Ok(()));
    assert_eq!(covered(null, sort(next, Link::Up)), Ok(()));
    assert_eq!(covered(null, sort(next, Link::Child(OWN))), Ok(()));
    assert_eq!(covered(null, sort(next, Link::Other)), rejected);
    assert_eq!(covered(none, sort(next, Link::Other)), Ok(()));
    assert_eq!(covered(none, sort(next, Link::Null)), rejected);
    // What hangs below is of the sort that the input says, and of no other.
    assert_eq!(covered(null, sort(Link::Child(OWN), Link::Null)), rejected);
}

/// H8: a symbol is of one sort, though another has the same nodes; so is the cell in a segment's hole.
#[test]
fn sorts_are_kept() {
    let (mut program, [l, c, _]) = two_children();
    program.instructions = vec![Instruction::Copy { target: c, source: l }, jump(1)];
    let sorts = [sort(Link::Child(SORT), Link::Child(SORT))];
    let mut scene = Scene::new(&program).steps(1);
    scene.forge.setting.sorts = &sorts;
    let tree = |sort| template(1, &[TreeSort::Tree(sort)], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    let matching = reading(&[&[]], &[]);
    assert_eq!(scene.covered(&tree(SORT), &matching), Ok(()));
    assert_eq!(scene.covered(&tree(OWN), &matching), Err(Rejection::NotRead));
    assert_eq!(scene.covered(&tree(SortId(2)), &matching), Err(Rejection::Missing));
    // The child below the first node is no place for a hole of its parent's sort.
    let mut scene = scene.unfold(0, SegmentEnd::Top, 1);
    let segment = |sort| {
        let registers = [(l, root(0))];
        template(1, &[TreeSort::Segment(sort)], &registers, Vec::new(), &[(0, Slot::Null, Slot::Forgotten)])
    };
    assert_eq!(scene.covered(&segment(SORT), &reading(&[&[0]], &[])), Ok(()));
    assert_eq!(scene.covered(&segment(OWN), &reading(&[&[0]], &[])), Err(Rejection::NotRead));
}

/// What Unfold says of a node is what its sort says.
#[test]
fn each_link_is_unfolded() {
    let (mut program, [l, ..]) = two_children();
    program.instructions = vec![jump(0)];
    let sorts = [sort(Link::Child(OWN), Link::Null), sort(Link::Child(OWN), Link::Up), sort(Link::Other, Link::Child(SORT))];
    let opened = |number: u32| {
        let mut scene = Scene::new(&program);
        scene.forge.setting.sorts = &sorts;
        let tree = template(0, &[TreeSort::Tree(SortId(number))], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
        let scene = scene.from(&tree).unfold(0, SegmentEnd::Top, 1);
        let name = scene.configuration.members[0].objects.iter().flatten().next().expect("a node").object.0;
        ([scene.cell(name, 1), scene.cell(name, 2)], scene.configuration.trees[1])
    };
    assert_eq!(opened(1), ([root(1), Slot::Null], TreeSort::Tree(OWN)));
    assert_eq!(opened(2), ([root(1), Slot::Null], TreeSort::Tree(OWN)));
    assert_eq!(opened(3), ([Slot::Uninitialised, root(1)], TreeSort::Tree(SORT)));
}

/// H11, a forged proof: the input is said to be of a sort whose nodes point to nothing, and the program fails where one does.
#[test]
fn an_input_is_of_its_declared_sort() {
    let (mut program, [l, c, _]) = two_children();
    program.instructions = vec![is_null(l, 4, 1), load(c, l, PREVIOUS), is_null(c, 4, 3), FAIL, Instruction::Halt];
    let sorts = [sort(Link::Child(SORT), Link::Null)];
    let forged = template(0, &[TreeSort::Tree(OWN)], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    let derivation = |forge: &mut Forge<'_>, configuration: Configuration| {
        let [empty, node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(empty);
        forge.auto(node);
    };
    // The derivation is right, what it begins with is not the input.
    let answer = derived_with(&program, &sorts, |forge, configuration| {
        let id = forge.template(forged.clone(), derivation);
        forge.cover(&configuration, id, reading(&[&[]], &[]));
    });
    assert_eq!(answer, Some(Rejection::NotRead));
    // Neither is it once the input has been opened.
    let answer = derived_with(&program, &sorts, |forge, configuration| {
        let id = forge.template(forged.clone(), derivation);
        for case in forge.unfold(&configuration, TreeId(0), SegmentEnd::Top) {
            assert_eq!(case.members[0].place, Place::At(Location(0)));
            forge.cover(&case, id, reading(&[&[]], &[]));
        }
    });
    assert_eq!(answer, Some(Rejection::NotRead));
}
