//! What Unfold and reading take is paid for before it is taken, also of nodes with many fields.

use super::Nothing;
use goatherd_certificates::derivation::Matching;
use goatherd_certificates::{
    InputSize,
    configuration::{Folded, FoldedId, Member, Root, Slot, Sort, Template, TreeId, TreeSort},
    derivation::SegmentEnd,
    program::{Link, Location, ObjectId, Program, RegisterId, SortId},
    term::Scope,
};
use goatherd_checker::{
    budget::Budget, configuration::Setting, error::Declined, rejection::Rejection, subsume, term::Arena, unfold::unfold,
};
use goatherd_tests::{
    forge::PARAMETERS,
    programs::{empty, node, pointer},
};

/// Pointers of a node.
const FIELDS: usize = 2000;

/// Nodes with many pointers, all to nodes like them, and a register.
fn wide() -> (Program, RegisterId) {
    let mut program = empty();
    node(&mut program, &vec![Link::Child(SortId(0)); FIELDS]);
    let register = pointer(&mut program, "p");
    (program, register)
}

/// The register points to a part of this sort.
fn pointing(register: RegisterId, shape: TreeSort) -> Template {
    let part = Folded { tree: TreeId(0), above: Slot::Null, same: Slot::Forgotten, below: Slot::Null };
    let member = Member {
        location: Location(0),
        size: InputSize::NotLarger,
        consumed: Slot::Forgotten,
        registers: vec![(register, Slot::Folded(FoldedId(0)))],
        objects: Vec::new(),
        folded: vec![part],
    };
    Template { scope: Scope::default(), trees: vec![shape], predicate: Vec::new(), members: vec![member] }
}

#[test]
fn the_nodes_that_unfold_makes_are_paid_for() {
    let (program, register) = wide();
    let setting = Setting { program: &program, parameters: &PARAMETERS, k: 1, sorts: &[] };
    let limit = 1 << 26;
    let mut arena = Arena::new(&[], Budget::new(limit)).expect("no tables");
    let segment = subsume::template(&arena, setting, &pointing(register, TreeSort::Segment(SortId(0)))).expect("a template");
    let declined = unfold(&mut arena, setting, &segment, TreeId(0), SegmentEnd::Top).err();
    assert_eq!(declined, Some(Rejection::Declined(Declined::Memory { limit })));
}

/// The work that reading a node takes that Unfold has made of a tree of this sort.
fn work_of_reading(program: &Program, register: RegisterId, sorts: &[Sort], sort: SortId) -> u64 {
    let setting = Setting { program, parameters: &PARAMETERS, k: 1, sorts };
    let mut arena = Arena::new(&[], Budget::new(1 << 26)).expect("no tables");
    let target = subsume::template(&arena, setting, &pointing(register, TreeSort::Tree(sort))).expect("a template");
    let mut configuration = unfold(&mut arena, setting, &target, TreeId(0), SegmentEnd::Top).expect("two cases").remove(1);
    configuration.progress = true;
    let before = arena.budget.worked();
    let matching = Matching { paths: vec![Vec::new()], objects: vec![Vec::new()], shapes: vec![Vec::new()], ..Matching::default() };
    subsume::subsume(&mut arena, setting, &configuration, &target, &matching, &mut Nothing).expect("the tree that it was");
    arena.budget.worked() - before
}

#[test]
fn looking_for_what_is_handed_down_is_paid_for() {
    let (program, register) = wide();
    let work = work_of_reading(&program, register, &[], SortId(0));
    let fields = u64::try_from(FIELDS).expect("few");
    assert!(work > fields * fields, "the fields are looked through for each of them");
}

#[test]
fn looking_for_the_last_cells_of_rings_is_paid_for() {
    let (mut program, register) = wide();
    // Cells of another declaration: reading them takes little.
    let cell = node(&mut program, &[Link::Other]);
    let (nodes, cells) = (SortId(2), SortId(3));
    let sort = |object, links| Sort { object, root: Root::Any, shapes: vec![links], within: None };
    let rings = vec![Link::Ring { sort: cells, byte: 4 }; FIELDS];
    let sorts = [sort(ObjectId(0), [Link::Data].into_iter().chain(rings).collect()), sort(cell, vec![Link::Data, Link::Child(cells)])];
    let work = work_of_reading(&program, register, &sorts, nodes);
    let fields = u64::try_from(FIELDS).expect("few");
    assert!(work > fields * fields, "the fields are looked through for each ring");
}
