//! Hand-made programs over linked heaps, and templates of these heaps.

use crate::{
    forge::Forge,
    programs::{empty, is_null, linked, node, pointer},
};
use goatherd_certificates::{
    InputSize,
    configuration::{Address, FieldState, Folded, FoldedId, Life, Member, ObjectState, Root, Slot, Sort, Template, TreeId, TreeSort},
    derivation::{Matching, SegmentEnd, TemplateId},
    program::{Instruction, Link, Location, ObjectId, Program, RegisterId, SortId},
    term::Scope,
};
use goatherd_checker::configuration::Configuration;

/// The declaration of the nodes.
pub const NODE: ObjectId = ObjectId(0);
/// Its sort.
pub const SORT: SortId = SortId(0);
/// All trees of this sort.
pub const TREE: TreeSort = TreeSort::Tree(SORT);
/// The offset of the first pointer.
pub const NEXT: i64 = 4;
/// The offset of the second pointer.
pub const PREVIOUS: i64 = 12;

/// `l`, a singly linked list, and a cursor `c`.
pub fn list() -> (Program, RegisterId, RegisterId) {
    let mut program = empty();
    let object = node(&mut program, &[Link::Child(SORT)]);
    let l = linked(&mut program, "l", object);
    let c = pointer(&mut program, "c");
    (program, l, c)
}

/// The same of a doubly linked list.
pub fn double() -> (Program, RegisterId, RegisterId) {
    let mut program = empty();
    let object = node(&mut program, &[Link::Child(SORT), Link::Up]);
    let l = linked(&mut program, "l", object);
    let c = pointer(&mut program, "c");
    (program, l, c)
}

/// A load.
pub fn load(target: RegisterId, address: RegisterId, offset: i64) -> Instruction {
    Instruction::Load { target, address, offset }
}

/// A jump.
pub fn jump(target: u32) -> Instruction {
    Instruction::Jump { target: Location(target) }
}

/// A template with one member, without variables and predicate.
pub fn template(
    location: u32,
    trees: &[TreeSort],
    registers: &[(RegisterId, Slot)],
    objects: Vec<ObjectState>,
    folded: &[(u32, Slot, Slot)],
) -> Template {
    let folded = folded
        .iter()
        .map(|(tree, above, below)| Folded { tree: TreeId(*tree), above: *above, same: Slot::Forgotten, below: *below })
        .collect();
    let member = Member {
        location: Location(location),
        size: InputSize::NotLarger,
        consumed: Slot::Forgotten,
        registers: registers.to_vec(),
        objects,
        folded,
    };
    Template { scope: Scope::default(), trees: trees.to_vec(), predicate: Vec::new(), members: vec![member] }
}

/// A node of a template with these pointers; nothing is said of its data.
pub fn state(forge: &mut Forge<'_>, object: u32, pointers: &[Slot]) -> ObjectState {
    let field = |slot| FieldState { cells: vec![slot], rest: None };
    let fields = [Slot::Forgotten].iter().chain(pointers).copied().map(field).collect();
    let (lower, upper) = (forge.constant(0), forge.constant(1));
    ObjectState { object: ObjectId(object), declaration: NODE, life: Life::Live, lower, upper, fields }
}

/// A pointer to a node.
pub fn to(forge: &mut Forge<'_>, object: u32) -> Slot {
    Slot::Pointer(Address { object: ObjectId(object), index: forge.constant(0), byte: 0 })
}

/// A pointer to the root of a folded part.
pub const fn root(id: u32) -> Slot {
    Slot::Folded(FoldedId(id))
}

/// A pointer to the last cell of a folded part.
pub const fn last(id: u32) -> Slot {
    Slot::Last(FoldedId(id))
}

/// Children read without variables: these paths, these objects of the only member.
pub fn reading(paths: &[&[u32]], objects: &[u32]) -> Matching {
    Matching {
        paths: paths.iter().map(|path| path.to_vec()).collect(),
        objects: vec![objects.iter().copied().map(ObjectId).collect()],
        ..Matching::default()
    }
}

/// A sort of the same nodes.
pub fn sort(next: Link, previous: Link) -> Sort {
    Sort { object: NODE, root: Root::Any, shapes: vec![vec![Link::Data, next, previous]], within: None }
}

/// The first sort of a proof of a program with one declaration.
pub const OWN: SortId = SortId(1);

/// `l`, an input whose nodes have two children, and two cursors.
pub fn two_children() -> (Program, [RegisterId; 3]) {
    let mut program = empty();
    let object = node(&mut program, &[Link::Child(SORT), Link::Child(SORT)]);
    let l = linked(&mut program, "l", object);
    let (c, p) = (pointer(&mut program, "c"), pointer(&mut program, "p"));
    (program, [l, c, p])
}

/// `p = NULL; for (c = l; c != NULL; c = c->next) { c->prev = p; p = c; }`, and then `while (p != NULL) p = p->prev`.
pub fn there_and_back() -> (Program, [RegisterId; 3]) {
    let (mut program, [l, c, p]) = two_children();
    program.instructions = vec![
        Instruction::Null { target: p },
        Instruction::Copy { target: c, source: l },
        is_null(c, 7, 3),
        Instruction::Store { address: c, offset: PREVIOUS, source: p },
        Instruction::Copy { target: p, source: c },
        load(c, c, NEXT),
        jump(2),
        is_null(p, 10, 8),
        load(p, p, PREVIOUS),
        jump(7),
        Instruction::Halt,
    ];
    (program, [l, c, p])
}

/// Behind `c` the nodes are linked both ways; from `c` on they are as the input has them.
pub fn linking([l, c, p]: [RegisterId; 3], linked: SortId) -> Template {
    let trees = [TreeSort::Segment(linked), TreeSort::Tree(SORT)];
    let registers = [(l, root(0)), (c, root(1)), (p, last(0))];
    template(2, &trees, &registers, Vec::new(), &[(0, Slot::Null, root(1)), (1, Slot::Null, Slot::Null)])
}

/// What is left is a segment that ends at `p`.
pub fn returning([l, _, p]: [RegisterId; 3], linked: SortId) -> Template {
    template(7, &[TreeSort::Segment(linked)], &[(l, root(0)), (p, last(0))], Vec::new(), &[(0, Slot::Null, Slot::Forgotten)])
}

/// Its proof; the first sort is that of nodes that are linked both ways.
pub fn prove_there_and_back(forge: &mut Forge<'_>, configuration: &Configuration, registers: [RegisterId; 3]) {
    let returning = forge.template(returning(registers, OWN), |forge, configuration| {
        let [empty, node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Bottom).try_into().expect("two cases");
        forge.auto(empty);
        let node = forge.steps(node, 3);
        forge.cover(&node, TemplateId(0), reading(&[&[0]], &[]));
    });
    let linking = forge.template(linking(registers, OWN), |forge, configuration| {
        let [empty, node] = forge.unfold(&configuration, TreeId(1), SegmentEnd::Top).try_into().expect("two cases");
        let empty = forge.steps(empty, 1);
        forge.cover(&empty, returning, reading(&[&[0]], &[]));
        let node = forge.steps(node, 5);
        forge.cover(&node, TemplateId(1), reading(&[&[0, 0], &[]], &[]));
    });
    let configuration = forge.steps(configuration.clone(), 2);
    forge.cover(&configuration, linking, reading(&[&[], &[]], &[]));
}
