//! Linked heaps: proofs by Unfold and by reading, and each of their side conditions violated alone (`spec/calculus.md#folded-heaps`).

use goatherd_certificates::{
    certificate::{GroundRun, InputValue},
    configuration::{FieldState, Folded, FoldedId, Life, Member, ObjectState, Slot, Template, TreeId, TreeSort},
    derivation::{DroppedElement, InputDrop, Matching, MemberId, Rule, SegmentEnd, TemplateId},
    program::{Fresh, Instruction, IntegerType, Link, Location, ObjectId, Operand, Origin, Program, RegisterId, Relation, Type},
    term::{Literal, Scope},
};
use goatherd_checker::{
    configuration::Configuration,
    outcome::Oracle,
    rejection::{Rejection, Unsupported},
    rules, subsume,
    term::Arena,
};
use goatherd_tests::{
    forge::{Forge, PARAMETERS, certificate_of_run, check, rejection},
    programs::{FAIL, assign, branch, empty, integer, is_null, layout, linked, node, object, pointer},
};

/// The declaration of the nodes, and the offset of their first pointer.
const NODE: ObjectId = ObjectId(0);
const NEXT: i64 = 4;
const PREVIOUS: i64 = 12;

/// `l`, a singly linked list, and a cursor `c`.
fn list() -> (Program, RegisterId, RegisterId) {
    let mut program = empty();
    let object = node(&mut program, &[Link::Child(NODE)]);
    let l = linked(&mut program, "l", object);
    let c = pointer(&mut program, "c");
    (program, l, c)
}

/// The same of a doubly linked list.
fn double() -> (Program, RegisterId, RegisterId) {
    let mut program = empty();
    let object = node(&mut program, &[Link::Child(NODE), Link::Up]);
    let l = linked(&mut program, "l", object);
    let c = pointer(&mut program, "c");
    (program, l, c)
}

fn load(target: RegisterId, address: RegisterId, offset: i64) -> Instruction {
    Instruction::Load { target, address, offset }
}

fn jump(target: u32) -> Instruction {
    Instruction::Jump { target: Location(target) }
}

/// A template with one member, without variables and predicate.
fn template(
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
fn state(forge: &mut Forge<'_>, object: u32, pointers: &[Slot]) -> ObjectState {
    let field = |slot| FieldState { cells: vec![slot], rest: None };
    let fields = [Slot::Forgotten].iter().chain(pointers).copied().map(field).collect();
    let (lower, upper) = (forge.constant(0), forge.constant(1));
    ObjectState { object: ObjectId(object), declaration: NODE, life: Life::Live, lower, upper, fields }
}

fn to(forge: &mut Forge<'_>, object: u32) -> Slot {
    Slot::Pointer { object: ObjectId(object), index: forge.constant(0), byte: 0 }
}

const fn root(id: u32) -> Slot {
    Slot::Folded(FoldedId(id))
}

const fn last(id: u32) -> Slot {
    Slot::Last(FoldedId(id))
}

/// Children read without variables: these paths, these objects of the only member.
fn reading(paths: &[&[u32]], objects: &[u32]) -> Matching {
    Matching {
        paths: paths.iter().map(|path| path.to_vec()).collect(),
        objects: vec![objects.iter().copied().map(ObjectId).collect()],
        ..Matching::default()
    }
}

/// What the checker says of the derivation from the only root; none if it is accepted.
fn derived(program: &Program, derivation: impl FnOnce(&mut Forge<'_>, Configuration)) -> Option<Rejection> {
    let mut forge = Forge::new(program, &PARAMETERS, 1);
    let configuration = forge.root(0).expect("a root");
    derivation(&mut forge, configuration);
    rejection(&forge.check())
}

/// `while (l != NULL) { next = l->next; free(l); l = next; }`, or without `free`.
fn walk(frees: bool) -> (Program, RegisterId) {
    let (mut program, l, c) = list();
    let free = if frees { Instruction::Free { pointer: l } } else { Instruction::Copy { target: c, source: c } };
    program.instructions =
        vec![is_null(l, 5, 1), load(c, l, NEXT), free, Instruction::Copy { target: l, source: c }, jump(0), Instruction::Halt];
    (program, l)
}

/// One tree below `l`, at the head of the loop.
fn walked(l: RegisterId) -> Template {
    template(0, &[TreeSort::Tree(NODE)], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)])
}

/// From the template of the walk back to it.
fn round(forge: &mut Forge<'_>, configuration: &Configuration) {
    let [empty, node] = forge.unfold(configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases");
    forge.auto(empty);
    let node = forge.steps(node, 5);
    forge.cover(&node, TemplateId(0), reading(&[&[]], &[]));
}

#[test]
fn a_list_is_walked_and_freed() {
    for frees in [false, true] {
        let (program, l) = walk(frees);
        let answer = derived(&program, |forge, configuration| {
            let id = forge.template(walked(l), |forge, configuration| round(forge, &configuration));
            forge.cover(&configuration, id, reading(&[&[]], &[]));
        });
        assert_eq!(answer, None);
    }
}

#[test]
fn unfold_is_no_progress() {
    let (program, l) = walk(false);
    let answer = derived(&program, |forge, configuration| {
        let id = forge.template(walked(l), |forge, configuration| {
            let [empty, node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases");
            forge.auto(empty);
            forge.cover(&node, TemplateId(0), reading(&[&[]], &[]));
        });
        forge.cover(&configuration, id, reading(&[&[]], &[]));
    });
    assert_eq!(answer, Some(Rejection::Progress));
}

#[test]
fn a_folded_pointer_is_copied_and_not_used() {
    let (mut program, l, c) = list();
    program.instructions = vec![Instruction::Copy { target: c, source: l }, is_null(c, 2, 2), Instruction::Halt];
    let answer = derived(&program, |forge, configuration| {
        let configuration = forge.steps(configuration, 1);
        assert_eq!(configuration.members[0].registers[1], root(0));
        forge.rules.push(Rule::Step { refuted: Vec::new() });
    });
    assert_eq!(answer, Some(Rejection::Folded));
}

/// H1: the copy is no tree of its own.
#[test]
fn both_copies_dangle() {
    let (mut program, l, c) = list();
    let x = integer(&mut program, "x", IntegerType::I32);
    let free = Instruction::Free { pointer: c };
    program.instructions = vec![Instruction::Copy { target: c, source: l }, is_null(l, 4, 2), free, load(x, l, 0), Instruction::Halt];
    let answer = derived(&program, |forge, configuration| {
        let configuration = forge.steps(configuration, 1);
        let [empty, node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(empty);
        let node = forge.steps(node, 3);
        assert_eq!(node.members[0].place, goatherd_checker::Place::Failed);
        forge.rules.push(Rule::End);
    });
    assert_eq!(answer, Some(Rejection::NotEnded));
}

/// `c = l; while (c != NULL) c = c->next; while (l != NULL) free`: the list stays below `l` while `c` walks.
fn walk_then_free() -> (Program, RegisterId, RegisterId) {
    let (mut program, l, c) = list();
    program.instructions = vec![
        Instruction::Copy { target: c, source: l },
        is_null(c, 4, 2),
        load(c, c, NEXT),
        jump(1),
        is_null(l, 9, 5),
        load(c, l, NEXT),
        Instruction::Free { pointer: l },
        Instruction::Copy { target: l, source: c },
        jump(4),
        Instruction::Halt,
    ];
    (program, l, c)
}

/// What `l` points to is a segment that ends where `c` points.
fn walking(l: RegisterId, c: RegisterId) -> Template {
    let trees = [TreeSort::Segment(NODE), TreeSort::Tree(NODE)];
    template(1, &trees, &[(l, root(0)), (c, root(1))], Vec::new(), &[(0, Slot::Null, root(1)), (1, last(0), Slot::Null)])
}

fn walk_then_free_by(paths: [&[u32]; 2]) -> Option<Rejection> {
    let (program, l, c) = walk_then_free();
    derived(&program, |forge, configuration| {
        let freeing = template(4, &[TreeSort::Tree(NODE)], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
        let freeing = forge.template(freeing, |forge, configuration| {
            let [empty, node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases");
            forge.auto(empty);
            let node = forge.steps(node, 5);
            forge.cover(&node, TemplateId(0), reading(&[&[]], &[]));
        });
        let walking = forge.template(walking(l, c), |forge, configuration| {
            let [empty, node] = forge.unfold(&configuration, TreeId(1), SegmentEnd::Top).try_into().expect("two cases");
            let empty = forge.steps(empty, 1);
            forge.cover(&empty, freeing, reading(&[&[]], &[]));
            let node = forge.steps(node, 3);
            forge.cover(&node, TemplateId(1), reading(&paths, &[]));
        });
        let configuration = forge.steps(configuration, 1);
        forge.cover(&configuration, walking, reading(&[&[], &[]], &[]));
    })
}

#[test]
fn a_segment_is_read_along_its_path() {
    assert_eq!(walk_then_free_by([&[0, 0], &[]]), None);
    // Too short: the hole is elsewhere. Too long, or along a child that does not exist.
    assert_eq!(walk_then_free_by([&[0], &[]]), Some(Rejection::Slot));
    assert_eq!(walk_then_free_by([&[0, 0, 0], &[]]), Some(Rejection::NotRead));
    assert_eq!(walk_then_free_by([&[0, 1], &[]]), Some(Rejection::NotRead));
}

/// A configuration on its way through rules, without a certificate.
struct Scene<'p> {
    forge: Forge<'p>,
    configuration: Configuration,
}

/// Shows nothing: only what is evident holds.
struct Nothing;

impl Oracle for Nothing {
    fn refute(&mut self, _: &mut Arena, _: &[Literal], _: &[Literal]) -> Result<(), Rejection> {
        Err(Rejection::NotRefuted)
    }
}

impl<'p> Scene<'p> {
    fn new(program: &'p Program) -> Self {
        let mut forge = Forge::new(program, &PARAMETERS, 1);
        let configuration = forge.root(0).expect("a root");
        Self { forge, configuration }
    }

    /// Goes on with one of the cases.
    fn unfold(mut self, tree: u32, end: SegmentEnd, case: usize) -> Self {
        self.configuration = self.forge.unfold(&self.configuration, TreeId(tree), end).remove(case);
        self
    }

    fn steps(mut self, count: usize) -> Self {
        self.configuration = self.forge.steps(self.configuration, count);
        self
    }

    /// Goes on from a template.
    fn from(mut self, template: &Template) -> Self {
        self.configuration = subsume::template(self.forge.setting, template).expect("a template");
        self.configuration.progress = true;
        self
    }

    fn register(&self, register: RegisterId) -> Slot {
        self.configuration.members[0].registers[register.index()]
    }

    fn cell(&self, object: u32, field: usize) -> Slot {
        self.configuration.members[0].object(ObjectId(object)).expect("an object").fields[field].cells[0]
    }

    fn covered(&mut self, template: &Template, matching: &Matching) -> Result<(), Rejection> {
        let target = subsume::template(self.forge.setting, template)?;
        subsume::subsume(&mut self.forge.arena, self.forge.setting, &self.configuration, &target, matching, &mut Nothing)
    }

    fn add(&mut self, drops: &[(ObjectId, Option<u32>)]) -> Result<(), Rejection> {
        let node = |&(object, child): &(ObjectId, Option<u32>)| InputDrop { input: 0, element: DroppedElement::Node { object, child } };
        let drops: Vec<InputDrop> = drops.iter().map(node).collect();
        let Forge { arena, setting, .. } = &mut self.forge;
        rules::add_scapegoat(arena, *setting, &mut self.configuration, &drops, &[], &mut Nothing)
    }
}

/// A list of two nodes at least, `l` and `c` at the first, after a jump.
fn two_nodes(program: &mut Program, l: RegisterId, c: RegisterId) {
    program.instructions = vec![Instruction::Copy { target: c, source: l }, jump(1)];
}

const TREE: TreeSort = TreeSort::Tree(NODE);

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
        template.trees[1] = TreeSort::Segment(NODE);
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
    let both = template(1, &[TREE, TREE], &[(l, at), (c, root(0))], vec![node.clone()], &parts);
    assert_eq!(scene.covered(&both, &reading(&[&[], &[]], &[0])), Err(Rejection::NotRead));
    let other = ObjectState { object: ObjectId(1), ..node };
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
    let object = node(&mut program, &[Link::Child(NODE)]);
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
    let object = node(&mut program, &[Link::Child(NODE)]);
    let other = node(&mut program, &[Link::Child(ObjectId(1))]);
    let l = linked(&mut program, "l", object);
    program.instructions = vec![jump(0)];
    let wrong = template(0, &[TreeSort::Tree(other)], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    let matching = reading(&[&[]], &[]);
    assert_eq!(Scene::new(&program).covered(&wrong, &matching), Err(Rejection::NotRead));
    assert_eq!(Scene::new(&program).unfold(0, SegmentEnd::Top, 1).covered(&wrong, &matching), Err(Rejection::NotRead));
    let none = template(0, &[TreeSort::Tree(ObjectId(7))], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
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
    let allocate = Instruction::Allocate { target: c, object: NODE, bytes: Operand::Constant(12), fresh: Fresh::Arbitrary };
    program.instructions = vec![Instruction::Null { target: l }, allocate, jump(2)];
    let mut scene = Scene::new(&program).steps(2);
    let (at, uninitialised) = (to(&mut scene.forge, 0), state(&mut scene.forge, 0, &[Slot::Uninitialised]));
    let null = state(&mut scene.forge, 0, &[Slot::Null]);
    assert_eq!(scene.covered(&template(2, &[], &[(c, at)], vec![uninitialised.clone()], &[]), &reading(&[], &[0])), Ok(()));
    assert_eq!(scene.covered(&template(2, &[], &[(c, at)], vec![null], &[]), &reading(&[], &[0])), Err(Rejection::Slot));
    let folded = template(2, &[TREE], &[(c, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    assert_eq!(scene.covered(&folded, &reading(&[&[]], &[])), Err(Rejection::NotRead));
}

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
    assert_eq!(scene.covered(&tree(last(0)), &matching), Err(Rejection::NotRead));
    assert_eq!(scene.covered(&tree(root(0)), &matching), Err(Rejection::NotRead));
}

/// A segment below `l`, and `c` the node in its hole, which points back to the last cell.
fn ending(forge: &mut Forge<'_>, l: RegisterId, c: RegisterId) -> Template {
    let (at, node) = (to(forge, 0), state(forge, 0, &[root(1), last(0)]));
    let trees = [TreeSort::Segment(NODE), TREE];
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
    let node = Slot::Pointer { object: ObjectId(2), index: bottom.forge.arena.clone().constant(0).unwrap(), byte: 0 };
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
    let Slot::Pointer { object, .. } = second else { panic!("a node") };
    let matching = reading(&[&[0], &[]], &[object.0]);
    assert_eq!(scene.covered(&ending, &matching), Ok(()));
    assert_eq!(scene.covered(&ending, &reading(&[&[], &[]], &[object.0])), Err(Rejection::Slot));
    let member = &mut scene.configuration.members[0];
    let (null, field) = (Slot::Null, 2);
    std::sync::Arc::make_mut(member.objects[object.index()].as_mut().unwrap()).fields[field].cells[0] = null;
    assert_eq!(scene.covered(&ending, &matching), Err(Rejection::Slot));
}

/// H6, H7: a scapegoat lacks nodes of the entry, and what hung from them.
#[test]
fn scapegoats_lack_nodes() {
    let (mut program, l, c) = double();
    two_nodes(&mut program, l, c);
    let scene = || Scene::new(&program).steps(1).unfold(0, SegmentEnd::Top, 1).unfold(1, SegmentEnd::Top, 1);
    let (first, second, next) = (ObjectId(0), ObjectId(1), Some(1));
    // The second node is in the place of the first, and nothing is above it.
    let mut without_first = scene();
    assert_eq!(without_first.add(&[(first, next)]), Ok(()));
    let member = &without_first.configuration.members[1];
    let head = to(&mut without_first.forge, 1);
    assert_eq!(member.registers[l.index()], head);
    assert_eq!(member.object(second).unwrap().fields[2].cells[0], Slot::Null);
    // What hangs below the second is in its place.
    let mut without_second = scene();
    assert_eq!(without_second.add(&[(second, next)]), Ok(()));
    let member = &without_second.configuration.members[1];
    let rest = member.object(first).unwrap().fields[1].cells[0];
    let Slot::Folded(id) = rest else { panic!("a tree") };
    assert_eq!(member.folded[id.index()].map(|folded| folded.above), Some(to(&mut without_second.forge, 0)));
    // NULL, and both.
    assert_eq!(scene().add(&[(first, None)]), Ok(()));
    assert_eq!(scene().add(&[(first, next), (second, next)]), Ok(()));
    // Nothing, no node, no child.
    assert_eq!(scene().add(&[]), Err(Rejection::NothingDropped));
    assert_eq!(scene().add(&[(ObjectId(2), next)]), Err(Rejection::Drop));
    assert_eq!(scene().add(&[(first, Some(0))]), Err(Rejection::Drop));
    assert_eq!(scene().add(&[(first, Some(2))]), Err(Rejection::Drop));
    assert_eq!(scene().add(&[(first, Some(3))]), Err(Rejection::Drop));
    assert_eq!(Scene::new(&program).add(&[(first, next)]), Err(Rejection::Drop));
    // Below a template the entry is not known.
    let tree = template(1, &[TREE], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    assert_eq!(scene().from(&tree).add(&[(first, next)]), Err(Rejection::EntryTerms));
}

/// H7: a child of another type is in nobody's place.
#[test]
fn a_child_of_another_type_takes_no_place() {
    let mut program = empty();
    let object = node(&mut program, &[Link::Child(ObjectId(1))]);
    node(&mut program, &[Link::Child(ObjectId(1))]);
    linked(&mut program, "l", object);
    program.instructions = vec![jump(0)];
    let mut scene = Scene::new(&program).unfold(0, SegmentEnd::Top, 1);
    assert_eq!(scene.add(&[(ObjectId(0), Some(1))]), Err(Rejection::Drop));
    assert_eq!(scene.add(&[(ObjectId(0), None)]), Ok(()));
}

/// Fails on a list of two nodes, not on one of one.
#[test]
fn a_failure_of_a_smaller_list_is_needed() {
    let (mut program, l, c) = list();
    program.instructions = vec![is_null(l, 4, 1), load(c, l, NEXT), is_null(c, 4, 3), FAIL, Instruction::Halt];
    let proof = |forge: &mut Forge<'_>, configuration: Configuration| {
        let [empty, node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(empty);
        let [one, two] = forge.unfold(&node, TreeId(1), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(one);
        let mut two = two;
        forge.add(&mut two, &[(0, DroppedElement::Node { object: ObjectId(0), child: Some(1) })], &[]);
        // The scapegoat has one node, and then what T2 is.
        for _ in 0..2 {
            forge.follow(&mut two, 1, None);
        }
        forge.rules.push(Rule::Descent { member: MemberId(1) });
    };
    assert_eq!(derived(&program, proof), Some(Rejection::NotFailed));
}

#[test]
fn nodes_are_allocated_one_by_one() {
    let (mut program, _, c) = list();
    let n = integer(&mut program, "n", IntegerType::U64);
    program.instructions = vec![Instruction::Havoc { target: n }, jump(2), jump(2)];
    for (bytes, rejected) in
        [(Operand::Constant(12), false), (Operand::Constant(23), false), (Operand::Constant(24), true), (Operand::Register(n), true)]
    {
        program.instructions[1] = Instruction::Allocate { target: c, object: NODE, bytes, fresh: Fresh::Zero };
        let mut scene = Scene::new(&program).steps(1);
        let answer = goatherd_checker::step::outcomes(&mut scene.forge.arena, scene.forge.setting, &scene.configuration.members[0]);
        assert_eq!(answer.err(), rejected.then_some(Rejection::Unsupported(Unsupported::NodeArray)));
    }
}

/// `h = NULL; while (*) { n = malloc; n->next = h; h = n; } while (h) ...`: built by prepending, in a loop.
#[test]
fn a_list_is_built_and_freed() {
    let (mut program, l, n) = list();
    program.inputs.clear();
    let zero = integer(&mut program, "zero", IntegerType::I32);
    program.instructions = vec![
        Instruction::Null { target: l },
        assign(zero, 0),
        Instruction::Choose { then: Location(3), otherwise: Location(7) },
        Instruction::Allocate { target: n, object: NODE, bytes: Operand::Constant(12), fresh: Fresh::Arbitrary },
        Instruction::Store { address: n, offset: NEXT, source: l },
        Instruction::Copy { target: l, source: n },
        jump(2),
        is_null(l, 12, 8),
        load(n, l, NEXT),
        Instruction::Free { pointer: l },
        Instruction::Copy { target: l, source: n },
        jump(7),
        Instruction::Halt,
    ];
    let answer = derived(&program, |forge, configuration| {
        let tree = |location| template(location, &[TREE], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
        let freeing = forge.template(tree(7), |forge, configuration| {
            let [empty, node] = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases");
            forge.auto(empty);
            let node = forge.steps(node, 5);
            forge.cover(&node, TemplateId(0), reading(&[&[]], &[]));
        });
        let building = forge.template(tree(2), |forge, configuration| {
            let [more, enough] = forge.step(configuration).try_into().expect("two ways");
            let more = forge.steps(more, 4);
            forge.cover(&more, TemplateId(1), reading(&[&[]], &[]));
            forge.cover(&enough, freeing, reading(&[&[]], &[]));
        });
        let configuration = forge.steps(configuration, 2);
        forge.cover(&configuration, building, reading(&[&[]], &[]));
    });
    assert_eq!(answer, None);
}

/// G1: the scope is entered a second time, and a template keeps only the first object, which a pointer still names.
#[test]
fn a_dead_object_does_not_stand_for_a_live_one() {
    let mut program = empty();
    let p = pointer(&mut program, "p");
    let element = layout(&mut program, &[Type::Integer(IntegerType::I32)]);
    let x = object(&mut program, element, Origin::Local { count: 1 });
    let address = Instruction::Address { target: p, object: x };
    program.instructions = vec![Instruction::Enter { object: x }, address.clone(), Instruction::Enter { object: x }, address];
    let mut scene = Scene::new(&program).steps(3);
    let lives: Vec<Life> = scene.configuration.members[0].objects.iter().flatten().map(|state| state.life).collect();
    assert_eq!(lives, [Life::Dead, Life::Live]);
    let mut kept = scene.forge.describe(&scene.configuration, |_| true);
    kept.members[0].objects.truncate(1);
    let matching = Matching { integers: scene.forge.identity(&scene.configuration).0, ..reading(&[], &[0]) };
    assert_eq!(scene.covered(&kept, &matching), Ok(()));
    let mut scene = scene.from(&kept);
    let answer = goatherd_checker::step::outcomes(&mut scene.forge.arena, scene.forge.setting, &scene.configuration.members[0]);
    assert_eq!(answer, Err(Rejection::Missing));
}

/// Fails where the second node of the list holds 7.
fn seven() -> (Program, GroundRun) {
    let (mut program, l, c) = list();
    let x = integer(&mut program, "x", IntegerType::I32);
    program.instructions = vec![
        is_null(l, 6, 1),
        load(c, l, NEXT),
        is_null(c, 6, 3),
        load(x, c, 0),
        branch(Relation::Equal, Operand::Register(x), Operand::Constant(7), 5, 6),
        FAIL,
        Instruction::Halt,
    ];
    let nodes = [Some(1), Some(7), None].map(|data| data.map(|data| vec![data]));
    (program, GroundRun { inputs: vec![InputValue::Linked(nodes.to_vec())], choices: Vec::new(), steps: 6 })
}

#[test]
fn a_run_on_a_list() {
    let (program, run) = seven();
    let answer = |change: fn(&mut Vec<Option<Vec<i128>>>)| {
        let mut run = run.clone();
        let [InputValue::Linked(nodes)] = run.inputs.as_mut_slice() else { panic!("a linked input") };
        change(nodes);
        rejection(&check(&certificate_of_run(&program, PARAMETERS, run)))
    };
    assert_eq!(answer(|_| {}), None);
    let run = Some(Rejection::Run);
    assert_eq!(answer(|nodes| drop(nodes.pop())), run);
    assert_eq!(answer(|nodes| nodes.push(None)), run);
    assert_eq!(answer(Vec::clear), run);
    assert_eq!(answer(|nodes| nodes[1] = Some(vec![8])), run);
    assert_eq!(answer(|nodes| nodes[1] = Some(vec![1 << 31])), run);
    assert_eq!(answer(|nodes| nodes[1] = Some(Vec::new())), run);
    assert_eq!(answer(|nodes| nodes[1] = Some(vec![7, 7])), run);
}
