//! `Up` fields and pointers to last cells.

use super::Scene;
use goatherd_certificates::{
    configuration::{Address, Slot, Template, TreeSort},
    derivation::SegmentEnd,
    program::{Instruction, Link, Location, ObjectId, RegisterId},
};
use goatherd_checker::rejection::Rejection;
use goatherd_tests::forge::Forge;
use goatherd_tests::heaps::{
    NEXT, OWN, PREVIOUS, SORT, TREE, double, jump, last, load, reading, root, sort, state, template, to, two_children,
};

/// H4: what is folded points back as its type says, and at the root as the template says.
#[test]
fn up_fields_are_checked() {
    let (mut program, l, c) = double();
    program.instructions =
        vec![load(c, l, NEXT), Instruction::Null { target: c }, Instruction::Store { address: l, offset: PREVIOUS, source: l }, jump(3)];
    let tree = |above| template(3, &[TREE], &[(l, root(0))], Vec::new(), &[(0, above, Slot::Null)]);
    let matching = reading(&[&[]], &[]);
    let mut scene = Scene::new(&program).unfold(0, SegmentEnd::Top, 1);
    assert_eq!(scene.cell(0, 2), Slot::Null);
    scene.configuration.members[0].place = goatherd_checker::Place::At(Location(3));
    assert_eq!(scene.covered(&tree(Slot::Null), &matching), Ok(()));
    // A second node points to the first.
    let mut scene = scene.unfold(1, SegmentEnd::Top, 1);
    assert_eq!(scene.cell(1, 2), scene.register(l));
    assert_eq!(scene.covered(&tree(Slot::Null), &matching), Ok(()));
    // The first points to itself now.
    let mut scene = Scene::new(&program).unfold(0, SegmentEnd::Top, 1).steps(3);
    assert_eq!(scene.covered(&tree(Slot::Null), &matching), Err(Rejection::NotRead));
    assert_eq!(scene.covered(&tree(Slot::Forgotten), &matching), Ok(()));
    // What is above must be there, and be a node.
    let at = to(&mut scene.forge, 0);
    assert_eq!(scene.covered(&tree(at), &matching), Err(Rejection::NotRead));
    assert_eq!(scene.covered(&tree(last(0)), &matching), Err(Rejection::Slot));
    assert_eq!(scene.covered(&tree(root(0)), &matching), Err(Rejection::NotRead));
}

/// A segment below `l`, and `c` the node in its hole, which points back to the last cell.
fn ending(forge: &mut Forge<'_>, l: RegisterId, c: RegisterId) -> Template {
    let (at, node) = (to(forge, 0), state(forge, 0, &[root(1), last(0)]));
    let trees = [TreeSort::Segment(SORT), TREE];
    template(3, &trees, &[(l, root(0)), (c, at)], vec![node], &[(0, Slot::Null, at), (1, at, Slot::Null)])
}

/// H10: `last` moves with every Unfold, and becomes what is above when the segment is empty.
#[test]
fn the_last_cell_moves() {
    let (mut program, l, c) = double();
    program.instructions = vec![jump(1), jump(2), jump(3), load(c, c, PREVIOUS), jump(4)];
    let scene = || {
        let mut scene = Scene::new(&program);
        let template = ending(&mut scene.forge, l, c);
        scene.from(&template)
    };
    // Empty: `c` is the first node, and nothing is above it.
    let empty = scene().unfold(0, SegmentEnd::Top, 0);
    assert_eq!((empty.register(l), empty.cell(0, 2)), (empty.register(c), Slot::Null));
    assert_eq!(empty.steps(1).register(c), Slot::Null);
    // A node at the top, whose name is behind those of the template: the last cell is that of the rest.
    let top = scene().unfold(0, SegmentEnd::Top, 1);
    assert_eq!((top.cell(2, 1), top.cell(2, 2), top.cell(0, 2)), (root(2), Slot::Null, last(2)));
    assert_eq!(top.configuration.members[0].folded[2].map(|rest| (rest.above, rest.below)), Some((top.register(l), top.register(c))));
    let only = top.unfold(2, SegmentEnd::Top, 0);
    assert_eq!((only.cell(2, 1), only.cell(0, 2)), (only.register(c), only.register(l)));
    // A node at the bottom: it is the last cell.
    let bottom = scene().unfold(0, SegmentEnd::Bottom, 1);
    let node = Slot::Pointer(Address { object: ObjectId(2), index: bottom.forge.arena.clone().constant(0).unwrap(), byte: 0 });
    assert_eq!((bottom.register(l), bottom.cell(0, 2)), (root(2), node));
    assert_eq!((bottom.cell(2, 1), bottom.cell(2, 2)), (bottom.register(c), last(2)));
    // A folded pointer to the last cell is unfolded before it is used.
    let mut used = scene().steps(1);
    assert_eq!(used.register(c), last(0));
    used.configuration.members[0].place = goatherd_checker::Place::At(Location(3));
    let answer = goatherd_checker::step::outcomes(&mut used.forge.arena, used.forge.setting, &used.configuration.members[0]);
    assert_eq!(answer, Err(Rejection::Folded));
}

/// H10: a template's `last` is the cell above the end of what was read.
#[test]
fn the_last_cell_is_checked() {
    let (mut program, l, c) = double();
    program.instructions = vec![Instruction::Copy { target: c, source: l }, load(c, c, NEXT), jump(3), jump(3)];
    let mut scene = Scene::new(&program).steps(1).unfold(0, SegmentEnd::Top, 1).steps(1).unfold(1, SegmentEnd::Top, 1).steps(1);
    let ending = ending(&mut scene.forge, l, c);
    let second = scene.register(c);
    let Slot::Pointer(Address { object, .. }) = second else { panic!("a node") };
    let matching = reading(&[&[0], &[]], &[object.0]);
    assert_eq!(scene.covered(&ending, &matching), Ok(()));
    assert_eq!(scene.covered(&ending, &reading(&[&[], &[]], &[object.0])), Err(Rejection::Slot));
    let member = &mut scene.configuration.members[0];
    let (null, field) = (Slot::Null, 2);
    std::sync::Arc::make_mut(member.objects[object.index()].as_mut().unwrap()).fields[field].cells[0] = null;
    assert_eq!(scene.covered(&ending, &matching), Err(Rejection::Slot));
}

/// K3: what nobody knows is no pointer to a last cell, and two of these are not one pointer.
#[test]
fn forgotten_pointers_are_not_the_same() {
    let (mut program, l, c) = double();
    program.instructions = vec![jump(1)];
    let empty = |c_slot| template(1, &[], &[(l, Slot::Null), (c, c_slot)], Vec::new(), &[]);
    let segment = template(1, &[TreeSort::Segment(SORT)], &[(l, root(0)), (c, last(0))], Vec::new(), &[(0, Slot::Forgotten, Slot::Null)]);
    let covered = |slot| Scene::new(&program).from(&empty(slot)).covered(&segment, &reading(&[&[]], &[]));
    assert_eq!(covered(Slot::Null), Ok(()));
    assert_eq!(covered(Slot::Forgotten), Err(Rejection::Slot));

    let (mut program, [l, c, _]) = two_children();
    program.instructions = vec![jump(1)];
    let sorts = [sort(Link::Child(OWN), Link::Same)];
    let covered = |pointer| {
        let mut scene = Scene::new(&program);
        scene.forge.setting.sorts = &sorts;
        let second = to(&mut scene.forge, 1);
        let mut nodes = vec![state(&mut scene.forge, 0, &[second, pointer]), state(&mut scene.forge, 1, &[Slot::Null, pointer])];
        let zero = Slot::Integer(scene.forge.constant(0));
        for node in &mut nodes {
            node.fields[0].cells = vec![zero];
        }
        let first = to(&mut scene.forge, 0);
        let two = template(1, &[], &[(l, first), (c, Slot::Null)], nodes, &[]);
        let list = template(1, &[TreeSort::Tree(OWN)], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
        scene.from(&two).covered(&list, &reading(&[&[]], &[]))
    };
    assert_eq!(covered(Slot::Null), Ok(()));
    assert_eq!(covered(Slot::Forgotten), Err(Rejection::NotRead));
}

/// K4: what is above a part is `Last` of a lower one, which has been read.
#[test]
fn above_is_a_lower_last_cell() {
    let (mut program, [l, c, p]) = two_children();
    program.instructions = vec![jump(1)];
    let sorts = [sort(Link::Child(OWN), Link::Up)];
    let covered = |segment: u32, tree: u32| {
        let mut scene = Scene::new(&program);
        scene.forge.setting.sorts = &sorts;
        let [first, second] = [0, 1].map(|node| to(&mut scene.forge, node));
        let mut nodes = vec![state(&mut scene.forge, 0, &[Slot::Null; 2]), state(&mut scene.forge, 1, &[Slot::Null, first])];
        let zero = Slot::Integer(scene.forge.constant(0));
        for node in &mut nodes {
            node.fields[0].cells = vec![zero];
        }
        let two = template(1, &[], &[(l, first), (c, second), (p, first)], nodes, &[]);
        let mut trees = [TreeSort::Tree(OWN); 2];
        trees[segment as usize] = TreeSort::Segment(OWN);
        let mut parts = [(0, Slot::Null, Slot::Null), (1, Slot::Null, Slot::Null)];
        parts[tree as usize].1 = last(segment);
        let mut paths: [&[u32]; 2] = [&[], &[]];
        paths[segment as usize] = &[0];
        let both = template(1, &trees, &[(l, root(segment)), (c, root(tree)), (p, last(segment))], Vec::new(), &parts);
        scene.from(&two).covered(&both, &reading(&paths, &[]))
    };
    assert_eq!(covered(0, 1), Ok(()));
    assert_eq!(covered(1, 0), Err(Rejection::NotRead));
}
