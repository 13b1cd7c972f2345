//! Hand-made programs over linked heaps, and templates of these heaps.

use crate::{
    forge::Forge,
    programs::{empty, linked, node, pointer},
};
use goatherd_certificates::{
    configuration::{FieldState, Folded, FoldedId, Life, Member, ObjectState, Slot, Template, TreeId, TreeSort},
    derivation::Matching,
    program::{Instruction, Link, Location, ObjectId, Program, RegisterId, SortId},
    term::Scope,
};

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
    let folded = folded.iter().map(|(tree, above, below)| Folded { tree: TreeId(*tree), above: *above, below: *below }).collect();
    let member = Member { location: Location(location), registers: registers.to_vec(), objects, folded };
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
    Slot::Pointer { object: ObjectId(object), index: forge.constant(0), byte: 0 }
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
