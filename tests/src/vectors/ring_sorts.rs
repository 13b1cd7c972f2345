//! What sorts say of the rings that hang from their nodes: several of one node, what cells and other fields are handed, and which of two sorts is
//! within the other (`spec/calculus.md#folded-heaps`).

use super::{
    Catalogue,
    heaps::{NULL, ONE, allocate, allocating, are_equal, handed_over, link, proved},
    ring_scenes::{
        CELLS, HEADER, HEADERS, IF_ANY, Names, Otherwise, Place, RING, Scene, THIRD, Test, advance, asserted, one_way, sort, sorts,
        with_sorts,
    },
};
use crate::{
    forge::{Forge, PARAMETERS},
    heaps::{NEXT, NODE, PREVIOUS, load, reading, root, template},
    programs::FAIL,
};
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{Root, Sort, Template, TreeSort},
    derivation::Matching,
    program::{Instruction, Link, RegisterId, SortId, Source},
};
use goatherd_checker::rejection::{Fault, Rejection};

/// What hangs from the nodes of rings and is none of their cells.
const OTHERS: SortId = SortId(CELLS.0 + 1);

/// The header of a second ring, which hangs from the second pointer of a node.
const SECOND: Link = Link::Ring { sort: CELLS, byte: PREVIOUS.unsigned_abs() };

/// The offset of the fourth pointer.
const FOURTH: i64 = 28;

/// The cell before the first one is not the header.
const NOT_BACK: Test = asserted(Place::Far(NEXT, PREVIOUS), false, Some(Place::Header));

/// The cells of a ring have one way on in one of their shapes, and two in the other.
fn mixed_ways() -> Certificate {
    let mut sorts = one_way([Link::Child(CELLS), Link::Null, Link::Any]);
    sorts[1].shapes.push(vec![Link::Data, Link::Child(CELLS), Link::Child(CELLS), Link::Any]);
    let forward = Test { left: Place::Far(NEXT, NEXT), right: Some(Place::Header), are_equal: true, otherwise: Otherwise::Ends };
    let scene = Scene::new(sorts).of_one();
    let node = scene.names.node;
    let folded = template(scene.length(), &[TreeSort::Tree(HEADERS)], &[(node, root(0))], Vec::new(), ONE);
    let steps = scene.program.instructions.len();
    let Scene { program, sorts, .. } = scene.tested(&[IF_ANY, forward, NOT_BACK]);
    proved(&program, &sorts, |forge, configuration| {
        let id = forge.template(folded, Forge::auto);
        let configuration = forge.steps(configuration, steps);
        let matching = Matching { shapes: vec![vec![1]], ..reading(&[&[]], &[]) };
        forge.cover(&configuration, id, matching);
    })
}

/// A cell leads to the header by two fields, one of which leads to what is none of the ring.
fn other_child() -> Certificate {
    let mut sorts = one_way([Link::Child(CELLS), Link::Child(OTHERS), Link::Any]);
    sorts.push(sort(Root::Any, [Link::Child(OTHERS), Link::Null, Link::Null]));
    Scene::new(sorts).of_one().folded(&[IF_ANY, NOT_BACK])
}

/// Two nodes of one symbol: the cell of one hangs from its first ring, that of the other from its second.
fn two_nodes() -> Certificate {
    let scene = Scene::new(two_rings());
    let Names { node, cell, other, header, first, second } = scene.names;
    let allocate = allocate(&scene.program, first);
    let scene = scene.then(&[
        link(node, NEXT, cell),
        link(cell, NEXT, header),
        advance(header, node, PREVIOUS),
        link(node, PREVIOUS, header),
        allocate,
        advance(header, other, NEXT),
        link(other, NEXT, header),
        advance(header, other, PREVIOUS),
        link(first, NEXT, header),
        link(other, PREVIOUS, first),
    ]);
    let location = scene.length();
    let nodes = [(node, root(0)), (other, root(1))];
    let folded = template(location, &[TreeSort::Tree(HEADERS)], &nodes, Vec::new(), &[(0, NULL, NULL), (0, NULL, NULL)]);
    let Scene { mut program, sorts, .. } = scene;
    let steps = program.instructions.len();
    // Where the first ring of one has cells, that of the other has.
    program.instructions.extend([
        advance(header, node, NEXT),
        load(first, node, NEXT),
        are_equal(first, header, location + 7, location + 3),
        advance(header, other, NEXT),
        load(second, other, NEXT),
        are_equal(second, header, location + 6, location + 7),
        FAIL,
        Instruction::Halt,
    ]);
    proved(&program, &sorts, handed_over(steps, folded, &[&[]], &[]))
}

/// A node with two rings.
fn two_rings() -> Vec<Sort> {
    sorts([RING, SECOND, Link::Any], [Link::Child(CELLS), Link::Any, Link::Any])
}

/// Of two rings of one node, one has a cell and the other has none.
fn one_has_cells() -> Certificate {
    let scene = Scene::new(two_rings()).of_one();
    let Names { node, header, .. } = scene.names;
    let empty = [advance(header, node, PREVIOUS), link(node, PREVIOUS, header)];
    scene.then(&empty).folded(&[asserted(Place::Own(PREVIOUS), false, None)])
}

/// Of two rings of one node each has a field that leads to its last cell; one has a cell, and the other has none.
fn two_lasts() -> Certificate {
    let (mut program, registers) = allocating(&[Link::Other; 4], &["node", "cell", "first", "second"]);
    let [node, cell, first, second] = registers.try_into().expect("four registers");
    program.instructions = vec![
        allocate(&program, node),
        allocate(&program, cell),
        advance(first, node, NEXT),
        advance(second, node, THIRD),
        link(node, NEXT, cell),
        link(cell, NEXT, first),
        link(node, PREVIOUS, cell),
        link(node, THIRD, second),
        link(node, FOURTH, second),
        Instruction::Halt,
    ];
    let end = program.instructions.len() - 1;
    let with = |root, links: [Link; 4]| {
        let shapes = vec![[Link::Data].into_iter().chain(links).collect()];
        Sort { object: NODE, root, shapes, within: None }
    };
    let third = Link::Ring { sort: CELLS, byte: THIRD.unsigned_abs() };
    let sorts = [
        with(Root::Node, [RING, Link::Last(1), third, Link::Last(3)]),
        with(Root::Any, [Link::Child(CELLS), Link::Any, Link::Any, Link::Any]),
    ];
    let location = u32::try_from(end).expect("a short program");
    let folded = template(location, &[TreeSort::Tree(HEADERS)], &[(node, root(0))], Vec::new(), ONE);
    proved(&program, &sorts, handed_over(end, folded, &[&[]], &[]))
}

/// A node that holds NULL in its `Same` field and has a ring of one cell with these links, and the template that folds it.
fn holding_null(cell: [Link; 3]) -> (Scene, Template) {
    let scene = Scene::new(sorts([RING, Link::Same, Link::Any], cell)).of_one();
    let Names { node, header, .. } = scene.names;
    let scene = scene.then(&[Instruction::Null { target: header }, link(node, PREVIOUS, header)]);
    let mut folded = template(scene.length(), &[TreeSort::Tree(HEADERS)], &[(node, root(0))], Vec::new(), ONE);
    folded.members[0].folded[0].same = NULL;
    (scene, folded)
}

/// The cell holds something else in the field.
fn same_of_cells_is_free() -> Certificate {
    let (scene, folded) = holding_null([Link::Child(CELLS), Link::Same, Link::Any]);
    scene.proof(&[IF_ANY], folded, &[&[]], &[])
}

/// What a node holds in its `Same` field is said of the cells of its ring.
fn same_of_cells() -> Certificate {
    // Derived as if cells held NULL there.
    let (scene, folded) = holding_null([Link::Child(CELLS), Link::Null, Link::Any]);
    let steps = scene.program.instructions.len();
    let Scene { program, sorts: derived, .. } = scene.tested(&[IF_ANY, asserted(Place::Far(NEXT, PREVIOUS), true, None)]);
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    forge.setting.sorts = &derived;
    let configuration = forge.root(0).expect("a root");
    handed_over(steps, folded, &[&[]], &[])(&mut forge, configuration);
    let mut proof = forge.proof();
    proof.sorts = sorts([RING, Link::Same, Link::Any], [Link::Child(CELLS), Link::Same, Link::Any]);
    forge.certificate_of(&proof)
}

/// A node with a ring of two cells, which hands on what it holds in the field of this number.
fn handing_on(field: u32, holder: fn(Names) -> RegisterId, held: Place) -> Certificate {
    let handed = Link::Handed { sort: OTHERS, from: Source::Field(field) };
    let mut sorts = sorts([RING, Link::Last(1), handed], [Link::Child(CELLS), Link::Up, Link::Any]);
    sorts.push(sort(Root::Node, [Link::Null, Link::Same, Link::Null]));
    let scene = Scene::new(sorts).of_two();
    let Names { node, first, .. } = scene.names;
    let allocate = allocate(&scene.program, first);
    let cell = holder(scene.names);
    let scene = scene.then(&[allocate, link(node, THIRD, first), link(first, PREVIOUS, cell)]);
    scene.folded(&[asserted(Place::Far(THIRD, PREVIOUS), true, Some(held))])
}

/// A sort is within one with other links.
fn within(own: [Link; 3], outer: [Link; 3]) -> Certificate {
    // Behind two others.
    let within = Some(SortId(HEADERS.0 + 3));
    with_sorts(vec![Sort { within, ..sort(Root::Node, own) }, sort(Root::Node, outer)])
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    let accepted_proofs = [
        ("ring-two-accepted", "of two rings of a node one has a cell", one_has_cells()),
        ("ring-two-lasts-accepted", "each of two rings has a last cell", two_lasts()),
        ("ring-same-accepted", "cells of a ring hold something else than their node", same_of_cells_is_free()),
        ("ring-handed-first-accepted", "a node hands on the first cell of its ring", handing_on(1, |names| names.cell, Place::Own(NEXT))),
        (
            "ring-handed-last-accepted",
            "a node hands on the last cell of its ring",
            handing_on(2, |names| names.other, Place::Own(PREVIOUS)),
        ),
    ];
    for (name, reason, certificate) in accepted_proofs {
        vectors.accepted(name, reason, &certificate);
    }
    for (name, rejection, reason, certificate) in forged() {
        vectors.rejected(name, rejection, reason, &certificate);
    }
    let any = Link::Any;
    let of_others = Link::Ring { sort: HEADERS, byte: HEADER };
    let says_last = [RING, Link::Last(1), any];
    let ill_formed = [
        ("ring-within-sort", "a sort is within one with a ring of other cells", within([of_others, Link::Last(1), any], says_last)),
        (
            "ring-within-last",
            "a sort is within one with the last cell of another ring",
            within([RING, RING, Link::Last(2)], [RING, RING, Link::Last(1)]),
        ),
        ("ring-within-any", "a sort is within one that says what is last", within([RING, any, any], says_last)),
    ];
    for (name, reason, certificate) in ill_formed {
        vectors.rejected(name, Rejection::IllFormed(Fault::Within), reason, &certificate);
    }
}

/// Each is of a program that fails: the name of its file, the condition that it violates, what it does, and the proof.
pub fn forged() -> Vec<(&'static str, Rejection, &'static str, Certificate)> {
    vec![
        ("ring-mixed-ways", Rejection::NotRead, "cells of a ring lead on by two fields in one of their shapes", mixed_ways()),
        ("ring-other-child", Rejection::NotRead, "another child of a cell is the header of the ring", other_child()),
        ("ring-two", Rejection::NotRead, "two nodes of one symbol have cells in different rings", two_nodes()),
        ("ring-same", Rejection::Forgotten, "cells of a ring hold what their node does", same_of_cells()),
    ]
}
