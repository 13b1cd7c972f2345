//! Rings that hang from nodes: their header is at a byte of the node, and all else of it is folded (`spec/calculus.md#folded-heaps`).

use super::{
    Catalogue,
    heaps::{NULL, allocating, are_equal, link, proved},
    ring_scenes::{
        CELLS, HEADER, HEADERS, IF_ANY, Names, Otherwise, Place, RING, Scene, THIRD, Test, advance, asserted, both_ways, one_way, sort,
        sorts, with_sorts,
    },
};
use crate::{
    forge::Forge,
    heaps::{NEXT, PREVIOUS, SORT, last, load, reading, root, state, template},
    programs::{FAIL, is_null},
};
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{Root, Slot, Sort, TreeSort},
    program::{Instruction, Link, ObjectId, SortId, Source},
};
use goatherd_checker::rejection::{Fault, Rejection};

/// Before the first cell is the header, and behind the last one.
const BEFORE_FIRST: Test = asserted(Place::Far(NEXT, PREVIOUS), true, Some(Place::Header));
const BEHIND_LAST: Test = asserted(Place::Far(PREVIOUS, NEXT), true, Some(Place::Header));
/// What the first cell leads to is not NULL.
const NOT_NULL: Test = asserted(Place::Far(NEXT, NEXT), false, None);
/// The last cell is not the header.
const LAST_IS_CELL: Test = asserted(Place::Own(PREVIOUS), false, Some(Place::Header));

/// A cell leads on by both links, and both times to the header.
fn two_ways(second: Link) -> Certificate {
    let forward = Test { left: Place::Far(NEXT, NEXT), right: Some(Place::Header), are_equal: true, otherwise: Otherwise::Ends };
    let back = asserted(Place::Far(NEXT, PREVIOUS), false, Some(Place::Header));
    Scene::new(one_way([Link::Child(CELLS), second, Link::Any])).of_one().folded(&[IF_ANY, forward, back])
}

/// A segment that leads on by the ring of a cell, to another one.
fn by_ring() -> Certificate {
    let scene = Scene::new(one_way([RING, Link::Child(CELLS), Link::Any]));
    let Names { node, cell, header, .. } = scene.names;
    let scene = scene.then(&[
        // The ring of the node is the cell, whose own ring is empty; nothing follows the node.
        link(node, NEXT, cell),
        link(cell, PREVIOUS, header),
        advance(header, cell, NEXT),
        link(cell, NEXT, header),
    ]);
    let location = scene.length();
    let (steps, sorts) = (scene.program.instructions.len(), scene.sorts.clone());
    let mut program = scene.program;
    let first = scene.names.first;
    program.instructions.extend([
        are_equal(node, cell, location + 4, location + 1),
        load(first, node, PREVIOUS),
        is_null(first, location + 3, location + 4),
        FAIL,
        Instruction::Halt,
    ]);
    proved(&program, &sorts, |forge, configuration| {
        let kept = state(forge, 0, &[Slot::Forgotten; 3]);
        let to = Slot::byte(ObjectId(0), forge.constant(0), 0);
        let registers = [(node, root(0)), (cell, to)];
        let said = template(location, &[TreeSort::Segment(CELLS)], &registers, vec![kept], &[(0, Slot::Forgotten, to)]);
        let id = forge.template(said, Forge::auto);
        let configuration = forge.steps(configuration, steps);
        let other = configuration.members[0].objects.iter().flatten().nth(1).expect("the cell").object;
        forge.cover(&configuration, id, reading(&[&[0]], &[other.0]));
    })
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    let around = [IF_ANY, BEFORE_FIRST, BEHIND_LAST];
    let accepted_proofs = [
        ("ring-accepted", "a ring of two cells hangs from a node", Scene::new(both_ways()).of_two().folded(&around)),
        ("ring-empty-accepted", "a ring without cells hangs from a node", empty_ring().folded(&around)),
        ("ring-lasts-accepted", "two fields lead to the last cell of one ring", lasts().then_third_is_last().folded(&THIRD_IS_LAST)),
        (
            "ring-segment-accepted",
            "cells that are folded are those of a ring",
            Scene::new(both_ways()).of_two().folded_in_turn(TreeSort::Segment(CELLS), [NULL, last(0)], true, &around),
        ),
        ("ring-within-accepted", "a sort is within one with the same ring", with_sorts(inner(HEADER))),
    ];
    for (name, reason, certificate) in accepted_proofs {
        vectors.accepted(name, reason, &certificate);
    }
    for (name, reason, certificate) in forged() {
        vectors.rejected(name, Rejection::NotRead, reason, &certificate);
    }
    ill_formed(vectors);
}

/// Each violates one condition of reading, and is of a program that fails: the name of its file, what it does, and the proof.
pub fn forged() -> Vec<(&'static str, &'static str, Certificate)> {
    let up = [Link::Child(CELLS), Link::Up, Link::Any];
    let any = [Link::Child(CELLS), Link::Any, Link::Any];
    let Names { node, cell, other, header, .. } = Scene::new(Vec::new()).names;
    let null = |address, field| [Instruction::Null { target: header }, link(address, field, header)];
    let with = |sorts, then: &[Instruction], tests: &[Test]| Scene::new(sorts).of_one().then(then).folded(tests);
    let no_way = asserted(Place::Own(NEXT), true, Some(Place::Header));
    let elsewhere = advance(header, other, NEXT);
    let cells = TreeSort::Segment(CELLS);
    let of_two = || Scene::new(sorts([RING, Link::Last(1), Link::Any], any)).of_two();
    let forgotten = of_two().then(&null(node, PREVIOUS));
    let said_empty = of_two().then(&[link(node, PREVIOUS, header)]);
    let not_null = asserted(Place::Own(PREVIOUS), false, None);
    vec![
        ("ring-null", "a ring ends with NULL", with(both_ways(), &null(cell, NEXT), &[IF_ANY, NOT_NULL])),
        (
            "ring-tree",
            "a ring ends as a tree does",
            Scene::new(one_way(up)).of_one().then(&null(cell, NEXT)).folded_in_turn(
                TreeSort::Tree(CELLS),
                [NULL, Slot::Forgotten],
                false,
                &[IF_ANY, NOT_NULL],
            ),
        ),
        ("ring-ways", "cells of a ring lead on by two fields", two_ways(Link::Child(CELLS))),
        ("ring-handed", "cells of a ring hand something on", two_ways(Link::Handed { sort: CELLS, from: Source::Above })),
        ("ring-no-way", "cells of a ring lead nowhere", with(one_way([Link::Null, Link::Any, Link::Any]), &null(cell, NEXT), &[no_way])),
        ("ring-path", "a segment leads on by a ring", by_ring()),
        ("ring-last", "a node says that its ring is empty", with(both_ways(), &[link(node, PREVIOUS, header)], &[IF_ANY, LAST_IS_CELL])),
        ("ring-lasts", "a node says of two cells that they are the last", lasts().folded(&THIRD_IS_LAST)),
        (
            "ring-last-forgotten",
            "nobody knows what the last cell is, nor what the node says",
            forgotten.folded_in_turn(cells, [Slot::Forgotten; 2], true, &[IF_ANY, not_null]),
        ),
        (
            "ring-last-behind",
            "nobody knows what is above the cells, and the node says that there are none",
            said_empty.folded_in_turn(cells, [Slot::Forgotten, NULL], true, &[IF_ANY, LAST_IS_CELL]),
        ),
        ("ring-above", "the first cell of a ring does not lead back", with(both_ways(), &null(cell, PREVIOUS), &[IF_ANY, BEFORE_FIRST])),
        (
            "ring-elsewhere",
            "the last cell leads to the header of another node",
            with(both_ways(), &[elsewhere, link(cell, NEXT, header)], &[IF_ANY, BEHIND_LAST]),
        ),
        (
            "ring-start",
            "the last cell leads to the start of the node",
            with(both_ways(), &[link(cell, NEXT, node)], &[IF_ANY, BEHIND_LAST]),
        ),
    ]
}

/// Of each, one sort that no rule needs says what no sort may.
fn ill_formed(vectors: &mut Catalogue) {
    let said = |links| with_sorts(vec![sort(Root::Node, links)]);
    let ring = |sort, byte| Link::Ring { sort, byte };
    let size = Scene::new(Vec::new()).program.layouts[0].size;
    let any = Link::Any;
    let forged = [
        ("ring-byte", Fault::Links, "a header is beyond its node", said([ring(CELLS, size), any, any])),
        ("ring-sort", Fault::Sort, "a ring is of a sort that there is not", said([ring(SortId(9), HEADER), any, any])),
        ("ring-last-of-none", Fault::Links, "there is no ring that a last cell is of", said([RING, Link::Last(2), any])),
        ("ring-last-beyond", Fault::Links, "there is no field that a last cell is of", said([RING, Link::Last(4), any])),
        ("ring-within", Fault::Within, "a sort is within one with another ring", with_sorts(inner(HEADER + 1))),
        ("ring-input", Fault::Links, "rings hang from the nodes of an input", declared(RING)),
        ("ring-last-input", Fault::Links, "nodes of an input say what is last", declared(Link::Last(1))),
    ];
    for (name, fault, reason, certificate) in forged {
        vectors.rejected(name, Rejection::IllFormed(fault), reason, &certificate);
    }
}

/// A sort with this header, within one of the usual header; they are behind two others.
fn inner(byte: u64) -> Vec<Sort> {
    let outer = SortId(HEADERS.0 + 3);
    let own = sort(Root::Node, [Link::Ring { sort: CELLS, byte }, Link::Last(1), Link::Any]);
    vec![Sort { within: Some(outer), ..own }, both_ways().remove(0)]
}

/// The nodes of the program are declared with this link.
fn declared(link: Link) -> Certificate {
    let (mut program, _) = allocating(&[Link::Ring { sort: SORT, byte: HEADER }, link, Link::Other], &[]);
    program.instructions = vec![Instruction::Halt];
    proved(&program, &[], |forge, configuration| {
        forge.auto(configuration);
    })
}

/// A node that leads to the header alone.
fn empty_ring() -> Scene {
    let scene = Scene::new(both_ways());
    let Names { node, header, .. } = scene.names;
    scene.then(&[link(node, NEXT, header), link(node, PREVIOUS, header)])
}

/// A ring of one cell; two fields of its node are said to lead to that, one of which leads to the header.
fn lasts() -> Scene {
    let scene = Scene::new(sorts([RING, Link::Last(1), Link::Last(1)], [Link::Child(CELLS), Link::Up, Link::Any])).of_one();
    let Names { node, header, .. } = scene.names;
    scene.then(&[link(node, THIRD, header)])
}

/// The third field of a node leads to the last cell of its ring.
const THIRD_IS_LAST: [Test; 2] = [IF_ANY, asserted(Place::Own(THIRD), false, Some(Place::Header))];

impl Scene {
    /// The third field does lead to the cell.
    fn then_third_is_last(self) -> Self {
        let Names { node, cell, .. } = self.names;
        self.then(&[link(node, THIRD, cell)])
    }
}
