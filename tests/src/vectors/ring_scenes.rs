//! Nodes from which rings hang: heaps of them, what is folded, and what a program relies on then.

use super::heaps::{NULL, ONE, allocate, allocating, are_equal, handed_over, link, proved};
use crate::{
    forge::Forge,
    heaps::{NEXT, NODE, PREVIOUS, SORT, load, reading, root, state, template},
    programs::{FAIL, is_null},
};
use goatherd_certificates::{
    certificate::Certificate,
    configuration::{Root, Slot, Sort, Template, TreeSort},
    program::{Advance, Instruction, Link, ObjectId, Operand, Program, RegisterId, SortId},
};

/// Nodes with a ring, and the cells of rings.
pub(super) const HEADERS: SortId = SortId(1);
pub(super) const CELLS: SortId = SortId(2);

/// The byte of a node at which the header of its ring is.
pub(super) const HEADER: u64 = NEXT.unsigned_abs();

/// The offset of the third pointer.
pub(super) const THIRD: i64 = 20;

pub(super) const RING: Link = Link::Ring { sort: CELLS, byte: HEADER };

/// The registers of a program: a node with a ring, two nodes more, a pointer to the header, and two cursors.
#[derive(Clone, Copy)]
pub(super) struct Names {
    pub(super) node: RegisterId,
    pub(super) cell: RegisterId,
    pub(super) other: RegisterId,
    pub(super) header: RegisterId,
    pub(super) first: RegisterId,
    pub(super) second: RegisterId,
}

/// A program in two parts: what makes a heap, and what relies on it once it is folded.
pub(super) struct Scene {
    pub(super) program: Program,
    pub(super) names: Names,
    pub(super) sorts: Vec<Sort>,
}

/// Nodes in this shape, whatever their data.
pub(super) fn sort(root: Root, links: [Link; 3]) -> Sort {
    Sort { object: NODE, root, shapes: vec![[Link::Data].into_iter().chain(links).collect()], within: None }
}

/// A node with a ring of such cells.
pub(super) fn sorts(node: [Link; 3], cell: [Link; 3]) -> Vec<Sort> {
    vec![sort(Root::Node, node), sort(Root::Any, cell)]
}

/// A node that says what the last cell of its ring is, and cells that are linked both ways.
pub(super) fn both_ways() -> Vec<Sort> {
    sorts([RING, Link::Last(1), Link::Any], [Link::Child(CELLS), Link::Up, Link::Any])
}

/// A node that only leads to the first cell of its ring.
pub(super) fn one_way(cell: [Link; 3]) -> Vec<Sort> {
    sorts([RING, Link::Any, Link::Any], cell)
}

impl Scene {
    /// A node, two that nothing links, and the pointer to the header.
    pub(super) fn new(sorts: Vec<Sort>) -> Self {
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
    pub(super) fn then(mut self, instructions: &[Instruction]) -> Self {
        self.program.instructions.extend(instructions.iter().cloned());
        self
    }

    /// With a ring of two cells.
    pub(super) fn of_two(self) -> Self {
        let Names { node, cell, other, header, .. } = self.names;
        self.of_one().then(&[link(cell, NEXT, other), link(other, PREVIOUS, cell), link(other, NEXT, header), link(node, PREVIOUS, other)])
    }

    /// With a ring of one cell.
    pub(super) fn of_one(self) -> Self {
        let Names { node, cell, header, .. } = self.names;
        self.then(&[link(node, NEXT, cell), link(cell, PREVIOUS, header), link(cell, NEXT, header), link(node, PREVIOUS, cell)])
    }

    /// Where the heap has been made.
    pub(super) fn length(&self) -> u32 {
        u32::try_from(self.program.instructions.len()).expect("a short program")
    }

    /// The node is folded with its ring, and these tests follow: each loads two pointers, and goes on or fails as the comparison says.
    pub(super) fn folded(self, tests: &[Test]) -> Certificate {
        let node = self.names.node;
        let folded = template(self.length(), &[TreeSort::Tree(HEADERS)], &[(node, root(0))], Vec::new(), ONE);
        self.proof(tests, folded, &[&[]], &[])
    }

    /// What the template says holds where the heap has been made, and these tests follow.
    pub(super) fn proof(self, tests: &[Test], folded: Template, paths: &[&[u32]], objects: &[u32]) -> Certificate {
        let steps = self.program.instructions.len();
        let Self { program, sorts, .. } = self.tested(tests);
        proved(&program, &sorts, handed_over(steps, folded, paths, objects))
    }

    /// The cells are folded first, and this is said to be above and what the node says is last, the header for NULL; then the node is with them.
    pub(super) fn folded_in_turn(self, shape: TreeSort, [above, last_cell]: [Slot; 2], below: bool, tests: &[Test]) -> Certificate {
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
            let mut kept = state(forge, 0, &[root(0), said(last_cell), Slot::Forgotten]);
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
    pub(super) fn tested(mut self, tests: &[Test]) -> Self {
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

/// The pointer so many bytes behind another one.
pub(super) fn advance(target: RegisterId, base: RegisterId, bytes: i64) -> Instruction {
    Instruction::Advance(Advance { target, base, index: Operand::Constant(bytes.into()), scale: 1 })
}

impl Names {
    /// The pointer to the header, from that to the node.
    pub(super) fn to_header(self) -> [Instruction; 1] {
        [advance(self.header, self.node, NEXT)]
    }
}

/// Where a test that does not hold leads.
#[derive(Clone, Copy)]
pub(super) enum Otherwise {
    Fails,
    Ends,
}

/// A pointer of the heap.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// The header.
    Header,
    /// A field of the node.
    Own(i64),
    /// A field of what another field of the node leads to.
    Far(i64, i64),
}

/// Two pointers are equal, or are not; NULL for none.
#[derive(Clone, Copy)]
pub(super) struct Test {
    pub(super) left: Place,
    pub(super) right: Option<Place>,
    pub(super) are_equal: bool,
    pub(super) otherwise: Otherwise,
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
pub(super) const fn asserted(left: Place, are_equal: bool, right: Option<Place>) -> Test {
    Test { left, right, are_equal, otherwise: Otherwise::Fails }
}

/// The program ends where the ring has no cells.
pub(super) const IF_ANY: Test = Test { left: Place::Own(NEXT), right: Some(Place::Header), are_equal: false, otherwise: Otherwise::Ends };

/// The proof of a ring, with these sorts besides.
pub(super) fn with_sorts(others: Vec<Sort>) -> Certificate {
    Scene::new(both_ways().into_iter().chain(others).collect()).of_one().folded(&[])
}
