//! Rings that hang from nodes: their header is at a byte of the node, and all else of it is folded (`spec/calculus.md#folded-heaps`).

use super::{
    Catalogue,
    heaps::{NULL, ONE, allocate, allocating, are_equal, handed_over, link, proved},
};
use crate::{
    forge::Forge,
    heaps::{NEXT, NODE, PREVIOUS, SORT, last, load, reading, root, state, template},
    programs::{FAIL, is_null},
};
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{Root, Slot, Sort, Template, TreeSort},
    program::{Advance, Instruction, Link, ObjectId, Operand, Program, RegisterId, SortId, Source},
};
use goatherd_checker::rejection::{Fault, Rejection};

/// Nodes with a ring, and the cells of rings.
const HEADERS: SortId = SortId(1);
const CELLS: SortId = SortId(2);

/// The byte of a node at which the header of its ring is.
const HEADER: u64 = NEXT.unsigned_abs();

/// The offset of the third pointer.
const THIRD: i64 = 20;

const RING: Link = Link::Ring { sort: CELLS, byte: HEADER };

/// The registers of a program: a node with a ring, two nodes more, a pointer to the header, and two cursors.
#[derive(Clone, Copy)]
struct Names {
    node: RegisterId,
    cell: RegisterId,
    other: RegisterId,
    header: RegisterId,
    first: RegisterId,
    second: RegisterId,
}

/// A program in two parts: what makes a heap, and what relies on it once it is folded.
struct Scene {
    program: Program,
    names: Names,
    sorts: Vec<Sort>,
}

/// Nodes in this shape, whatever their data.
fn sort(root: Root, links: [Link; 3]) -> Sort {
    Sort { object: NODE, root, shapes: vec![[Link::Data].into_iter().chain(links).collect()], within: None }
}

/// A node with a ring of such cells.
fn sorts(node: [Link; 3], cell: [Link; 3]) -> Vec<Sort> {
    vec![sort(Root::Node, node), sort(Root::Any, cell)]
}

/// A node that says what the last cell of its ring is, and cells that are linked both ways.
fn both_ways() -> Vec<Sort> {
    sorts([RING, Link::Last(1), Link::Any], [Link::Child(CELLS), Link::Up, Link::Any])
}

/// A node that only leads to the first cell of its ring.
fn one_way(cell: [Link; 3]) -> Vec<Sort> {
    sorts([RING, Link::Any, Link::Any], cell)
}

impl Scene {
    /// A node, two that nothing links, and the pointer to the header.
    fn new(sorts: Vec<Sort>) -> Self {
        let links = [Link::Child(SORT), Link::Up, Link::Other];
        let (program, registers) = allocating(&links, &["node", "cell", "other", "header", "first", "second"]);
        let [node, cell, other, header, first, second] = registers.try_into().expect("six registers");
        let names = Names { node, cell, other, header, first, second };
        let mut scene = Self { program, names, sorts };
        for target in [node, cell, other] {
            let allocate = allocate(&scene.program, target);
            scene.program.instructions.push(allocate);
        }
        scene.then(&names.to_header())
    }

    /// What makes the heap goes on so.
    fn then(mut self, instructions: &[Instruction]) -> Self {
        self.program.instructions.extend(instructions.iter().cloned());
        self
    }

    /// With a ring of two cells.
    fn of_two(self) -> Self {
        let Names { node, cell, other, header, .. } = self.names;
        self.of_one().then(&[link(cell, NEXT, other), link(other, PREVIOUS, cell), link(other, NEXT, header), link(node, PREVIOUS, other)])
    }

    /// With a ring of one cell.
    fn of_one(self) -> Self {
        let Names { node, cell, header, .. } = self.names;
        self.then(&[link(node, NEXT, cell), link(cell, PREVIOUS, header), link(cell, NEXT, header), link(node, PREVIOUS, cell)])
    }

    /// Where the heap has been made.
    fn length(&self) -> u32 {
        u32::try_from(self.program.instructions.len()).expect("a short program")
    }

    /// The node is folded with its ring, and these tests follow: each loads two pointers, and goes on or fails as the comparison says.
    fn folded(self, tests: &[Test]) -> Certificate {
        let node = self.names.node;
        let folded = template(self.length(), &[TreeSort::Tree(HEADERS)], &[(node, root(0))], Vec::new(), ONE);
        self.proof(tests, folded, &[&[]], &[])
    }

    /// What the template says holds where the heap has been made, and these tests follow.
    fn proof(self, tests: &[Test], folded: Template, paths: &[&[u32]], objects: &[u32]) -> Certificate {
        let steps = self.program.instructions.len();
        let Self { program, sorts, .. } = self.tested(tests);
        proved(&program, &sorts, handed_over(steps, folded, paths, objects))
    }

    /// The cells are folded first, and this is said to be above and the last one; then the node is with them.
    fn folded_in_turn(self, shape: TreeSort, [above, last_cell]: [Slot; 2], below: bool, tests: &[Test]) -> Certificate {
        let (steps, node) = (self.program.instructions.len(), self.names.node);
        let location = self.length() + 1;
        // An instruction is taken between both.
        let header = self.names.header;
        let scene = self.then(&[Instruction::Null { target: header }]);
        let Self { program, sorts, .. } = scene.tested(tests);
        let whole = template(location, &[TreeSort::Tree(HEADERS)], &[(node, root(0))], Vec::new(), ONE);
        proved(&program, &sorts, |forge, configuration| {
            let whole = forge.template(whole, Forge::auto);
            let lower = forge.constant(0);
            let own = Slot::byte(ObjectId(0), lower, HEADER);
            let said = |slot: Slot| if slot == Slot::Null { own } else { slot };
            let mut kept = state(forge, 0, &[root(0), last_cell, Slot::Forgotten]);
            kept.fields[0].cells = vec![Slot::Integer(lower)];
            let part = (0, said(above), if below { own } else { NULL });
            let apart = template(location - 1, &[shape], &[(node, Slot::byte(ObjectId(0), lower, 0))], vec![kept], &[part]);
            let apart = forge.template(apart, |forge, configuration| {
                let configuration = forge.steps(configuration, 1);
                forge.cover(&configuration, whole, reading(&[&[]], &[]));
            });
            let configuration = forge.steps(configuration, steps);
            let path: &[u32] = if below { &[0, 0] } else { &[] };
            forge.cover(&configuration, apart, reading(&[path], &[0]));
        })
    }

    /// With these tests behind what makes the heap.
    fn tested(mut self, tests: &[Test]) -> Self {
        let names = self.names;
        let mut instructions = self.program.instructions;
        instructions.extend(names.to_header());
        let end = instructions.len() + tests.iter().map(|test| test.loads(names).len() + 2).sum::<usize>();
        let end = u32::try_from(end).expect("a short program");
        for test in tests {
            instructions.extend(test.loads(names));
            let next = u32::try_from(instructions.len()).expect("a short program") + 2;
            // What is no failure here ends the program.
            let (yes, no) = match test.otherwise {
                Otherwise::Fails => (next, next - 1),
                Otherwise::Ends => (next, end),
            };
            let (then, otherwise) = if test.are_equal { (yes, no) } else { (no, yes) };
            instructions.push(match test.right {
                Some(_) => are_equal(names.first, names.second, then, otherwise),
                None => is_null(names.first, then, otherwise),
            });
            instructions.push(FAIL);
        }
        instructions.push(Instruction::Halt);
        self.program.instructions = instructions;
        self
    }
}

impl Names {
    /// The pointer to the header, from that to the node.
    fn to_header(self) -> [Instruction; 1] {
        let index = Operand::Constant(HEADER.into());
        [Instruction::Advance(Advance { target: self.header, base: self.node, index, scale: 1 })]
    }
}

/// Where a test that does not hold leads.
#[derive(Clone, Copy)]
enum Otherwise {
    Fails,
    Ends,
}

/// A pointer of the heap.
#[derive(Clone, Copy)]
enum Place {
    /// The header.
    Header,
    /// A field of the node.
    Own(i64),
    /// A field of what another field of the node leads to.
    Far(i64, i64),
}

/// Two pointers are equal, or are not; NULL for none.
#[derive(Clone, Copy)]
struct Test {
    left: Place,
    right: Option<Place>,
    are_equal: bool,
    otherwise: Otherwise,
}

impl Test {
    /// Loads both.
    fn loads(self, names: Names) -> Vec<Instruction> {
        let of = |target: RegisterId, place: Place| match place {
            Place::Header => vec![Instruction::Copy { target, source: names.header }],
            Place::Own(field) => vec![load(target, names.node, field)],
            Place::Far(field, other) => vec![load(target, names.node, field), load(target, target, other)],
        };
        let mut loads = of(names.first, self.left);
        loads.extend(self.right.into_iter().flat_map(|right| of(names.second, right)));
        loads
    }
}

/// The program fails unless this holds.
const fn asserted(left: Place, are_equal: bool, right: Option<Place>) -> Test {
    Test { left, right, are_equal, otherwise: Otherwise::Fails }
}

/// The program ends where the ring has no cells.
const IF_ANY: Test = Test { left: Place::Own(NEXT), right: Some(Place::Header), are_equal: false, otherwise: Otherwise::Ends };
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
    let inner = Operand::Constant(HEADER.into());
    let scene = scene.then(&[
        // The ring of the node is the cell, whose own ring is empty; nothing follows the node.
        link(node, NEXT, cell),
        link(cell, PREVIOUS, header),
        Instruction::Advance(Advance { target: header, base: cell, index: inner, scale: 1 }),
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
    let elsewhere = Instruction::Advance(Advance { target: header, base: other, index: Operand::Constant(HEADER.into()), scale: 1 });
    let cells = TreeSort::Segment(CELLS);
    let forgotten = Scene::new(sorts([RING, Link::Last(1), Link::Any], any)).of_two().then(&null(node, PREVIOUS));
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

/// The proof of a ring, with these sorts besides.
fn with_sorts(others: Vec<Sort>) -> Certificate {
    Scene::new(both_ways().into_iter().chain(others).collect()).of_one().folded(&[])
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
