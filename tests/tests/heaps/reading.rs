//! Subsume reads what a template has folded, cell by cell.

use super::{
    Scene, two_nodes,
    walks::{walk_then_free, walking},
};
use goatherd_certificates::{
    configuration::{Life, ObjectState, Slot, Template, TreeSort},
    derivation::SegmentEnd,
    program::{Allocate, Fresh, Instruction, Link, ObjectId, Operand, Program, RegisterId, SortId},
};
use goatherd_checker::rejection::Rejection;
use goatherd_tests::heaps::{NODE, SORT, TREE, jump, list, reading, root, state, template, to};
use goatherd_tests::programs::{empty, linked, node};

/// Else all could be empty, and `l` and `c` point to nothing at all.
#[test]
fn what_hangs_in_a_hole_is_not_above_it() {
    let (program, l, c) = walk_then_free();
    let answer = |edit: fn(&mut Template)| {
        let mut template = walking(l, c);
        edit(&mut template);
        Scene::new(&program).steps(1).covered(&template, &reading(&[&[], &[]], &[]))
    };
    assert_eq!(answer(|_| {}), Ok(()));
    let turn = |template: &mut Template| {
        template.trees[1] = TreeSort::Segment(SORT);
        template.members[0].folded[1].below = root(0);
    };
    assert_eq!(answer(turn), Err(Rejection::Shape));
    assert_eq!(answer(|template| template.members[0].folded[0].below = root(0)), Err(Rejection::Shape));
    assert_eq!(answer(|template| template.members[0].folded[1].below = root(0)), Err(Rejection::Shape));
}

/// H2: no cell is read twice, and none that is matched.
#[test]
fn every_cell_is_read_once() {
    let (mut program, l, c) = list();
    two_nodes(&mut program, l, c);
    let mut scene = Scene::new(&program).steps(1).unfold(0, SegmentEnd::Top, 1);
    let one = template(1, &[TREE], &[(l, root(0)), (c, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    assert_eq!(scene.covered(&one, &reading(&[&[]], &[])), Ok(()));
    let two =
        template(1, &[TREE, TREE], &[(l, root(0)), (c, root(1))], Vec::new(), &[(0, Slot::Null, Slot::Null), (1, Slot::Null, Slot::Null)]);
    assert_eq!(scene.covered(&two, &reading(&[&[], &[]], &[])), Err(Rejection::NotRead));
    // A node and a tree; two nodes.
    let next = root(1);
    let (node, at) = (state(&mut scene.forge, 0, &[next]), to(&mut scene.forge, 0));
    let parts = [(0, Slot::Null, Slot::Null), (1, Slot::Null, Slot::Null)];
    let both = template(1, &[TREE, TREE], &[(l, at), (c, root(0))], vec![node], &parts);
    assert_eq!(scene.covered(&both, &reading(&[&[], &[]], &[0])), Err(Rejection::NotRead));
    let other = ObjectState { object: ObjectId(1), ..state(&mut scene.forge, 0, &[root(0)]) };
    let twice = template(1, &[TREE], &[(l, at)], vec![state(&mut scene.forge, 0, &[root(0)]), other], &[(0, Slot::Null, Slot::Null)]);
    assert_eq!(scene.covered(&twice, &reading(&[&[]], &[0, 0])), Err(Rejection::NotRead));
}

/// One root is one value, wherever it is pointed to from.
#[test]
fn pointers_to_one_root_are_equal() {
    let (mut program, l, c) = list();
    program.instructions = vec![Instruction::Null { target: c }, jump(1)];
    let mut scene = Scene::new(&program).steps(1).unfold(0, SegmentEnd::Top, 1);
    let one = template(1, &[TREE], &[(l, root(0)), (c, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    assert_eq!(scene.covered(&one, &reading(&[&[]], &[])), Err(Rejection::Slot));
    let missing = template(1, &[TREE], &[(l, root(1))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    assert_eq!(scene.covered(&missing, &reading(&[&[]], &[])), Err(Rejection::Missing));
    let unnamed = template(1, &[TREE], &[], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    assert_eq!(scene.covered(&unnamed, &reading(&[&[]], &[])), Err(Rejection::NotRead));
    assert_eq!(scene.covered(&one, &reading(&[], &[])), Err(Rejection::Substitution));
    // An object of the template that nothing is matched with.
    let at = to(&mut scene.forge, 0);
    let object = template(1, &[], &[(l, at)], vec![state(&mut scene.forge, 0, &[Slot::Forgotten])], &[]);
    assert_eq!(scene.covered(&object, &reading(&[], &[])), Err(Rejection::Shape));
    assert_eq!(scene.covered(&object, &reading(&[], &[7])), Err(Rejection::NotRead));
    assert_eq!(scene.covered(&object, &reading(&[], &[0])), Ok(()));
}

/// Two lists; `c` is the second.
fn two_lists() -> (Program, RegisterId, RegisterId) {
    let mut program = empty();
    let object = node(&mut program, &[Link::Child(SORT)]);
    let l = linked(&mut program, "l", object);
    let c = linked(&mut program, "c", object);
    program.instructions = vec![jump(0)];
    (program, l, c)
}

/// H8, and what a symbol stands for in two places.
#[test]
fn occurrences_of_a_symbol_are_equal() {
    let (program, l, c) = two_lists();
    let parts = [(0, Slot::Null, Slot::Null), (0, Slot::Null, Slot::Null)];
    let same = template(0, &[TREE], &[(l, root(0)), (c, root(1))], Vec::new(), &parts);
    let matching = reading(&[&[]], &[]);
    // Two symbols; NULL and a node; nodes with data of their own.
    assert_eq!(Scene::new(&program).covered(&same, &matching), Err(Rejection::NotRead));
    let [null, node] = [0, 1].map(|case| Scene::new(&program).unfold(0, SegmentEnd::Top, case));
    assert_eq!(null.unfold(1, SegmentEnd::Top, 0).covered(&same, &matching), Ok(()));
    assert_eq!(node.unfold(1, SegmentEnd::Top, 0).covered(&same, &matching), Err(Rejection::NotRead));
    let nodes = || {
        let scene = Scene::new(&program).unfold(0, SegmentEnd::Top, 1).unfold(1, SegmentEnd::Top, 1);
        let [rest, other] = [2, 3];
        scene.unfold(rest, SegmentEnd::Top, 0).unfold(other, SegmentEnd::Top, 0)
    };
    assert_eq!(nodes().covered(&same, &matching), Err(Rejection::NotRefuted));
    let mut scene = nodes();
    // The last input comes to be first.
    let [x, y] = [1, 0].map(|object| scene.cell(object, 0));
    let (Slot::Integer(x), Slot::Integer(y)) = (x, y) else { panic!("integers") };
    let equal = scene.forge.arena.equal(x, y).expect("a literal");
    scene.configuration.predicate.push(equal);
    assert_eq!(scene.covered(&same, &matching), Ok(()));
}

/// H8: a node of another type, a symbol of another sort.
#[test]
fn types_are_kept() {
    let mut program = empty();
    let object = node(&mut program, &[Link::Child(SORT)]);
    let other = node(&mut program, &[Link::Child(SortId(1))]);
    let l = linked(&mut program, "l", object);
    program.instructions = vec![jump(0)];
    let wrong = template(0, &[TreeSort::Tree(SortId(other.0))], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    let matching = reading(&[&[]], &[]);
    assert_eq!(Scene::new(&program).covered(&wrong, &matching), Err(Rejection::NotRead));
    assert_eq!(Scene::new(&program).unfold(0, SegmentEnd::Top, 1).covered(&wrong, &matching), Err(Rejection::NotRead));
    let none = template(0, &[TreeSort::Tree(SortId(7))], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    assert_eq!(Scene::new(&program).covered(&none, &matching), Err(Rejection::Missing));
}

/// H9: freed nodes are not folded, and not revived; nor is a pointer that holds no value one that does.
#[test]
fn freed_nodes_stay_freed() {
    let (mut program, l, c) = list();
    program.instructions = vec![Instruction::Copy { target: c, source: l }, Instruction::Free { pointer: l }, jump(2)];
    let mut scene = Scene::new(&program).steps(1).unfold(0, SegmentEnd::Top, 1).steps(1);
    let tree = template(2, &[TREE], &[(c, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    assert_eq!(scene.covered(&tree, &reading(&[&[]], &[])), Err(Rejection::NotRead));
    let at = to(&mut scene.forge, 0);
    let node = state(&mut scene.forge, 0, &[Slot::Forgotten]);
    assert_eq!(scene.covered(&template(2, &[], &[(c, at)], vec![node.clone()], &[]), &reading(&[], &[0])), Err(Rejection::Shape));
    let dead = ObjectState { life: Life::Dead, ..node };
    assert_eq!(scene.covered(&template(2, &[], &[(c, at)], vec![dead], &[]), &reading(&[], &[0])), Ok(()));

    let (mut program, l, c) = list();
    let allocate = Instruction::Allocate(Allocate { target: c, object: NODE, bytes: Operand::Constant(12), fresh: Fresh::Arbitrary });
    program.instructions = vec![Instruction::Null { target: l }, allocate, jump(2)];
    let mut scene = Scene::new(&program).steps(2);
    let (at, uninitialised) = (to(&mut scene.forge, 0), state(&mut scene.forge, 0, &[Slot::Uninitialised]));
    let null = state(&mut scene.forge, 0, &[Slot::Null]);
    assert_eq!(scene.covered(&template(2, &[], &[(c, at)], vec![uninitialised.clone()], &[]), &reading(&[], &[0])), Ok(()));
    assert_eq!(scene.covered(&template(2, &[], &[(c, at)], vec![null], &[]), &reading(&[], &[0])), Err(Rejection::Slot));
    let folded = template(2, &[TREE], &[(c, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    assert_eq!(scene.covered(&folded, &reading(&[&[]], &[])), Err(Rejection::NotRead));
}
