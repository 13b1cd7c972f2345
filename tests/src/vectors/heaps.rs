//! Linked heaps: proofs of programs that fail, each stopped by one condition (`spec/calculus.md#attacks`, H1 to H17).
#![expect(clippy::many_single_char_names, reason = "the variables of small C programs")]

use super::{Catalogue, last_cells, shared_pointers};
use crate::{
    forge::{Forge, PARAMETERS, certificate_of_run, check},
    heaps::{NEXT, NODE, PREVIOUS, SORT, TREE, double, jump, last, list, load, reading, root, state, template, to},
    programs::{FAIL, assign, branch, empty, integer, is_null, linked, node, pointer},
};
use goatherd_certificates::{
    InputSize,
    certificate::{Certificate, GroundRun, InputValue},
    configuration::{self, Root, Slot, Sort, Template, TreeId, TreeSort},
    derivation::{DroppedElement, InputDrop, MemberId, Rule, SegmentEnd, TemplateId},
    program::{
        Advance, Allocate, Branch, Condition, Fresh, Instruction, IntegerType, Link, Location, ObjectId, Operand, PointerOperand, Program,
        RegisterId, Relation, SortId,
    },
};
use goatherd_checker::{Place, configuration::Configuration, rejection::Rejection};
use std::sync::Arc;

/// A program that fails, and a proof that it does not.
pub struct Forgery {
    /// The name of its file.
    pub name: &'static str,
    /// What stops it.
    pub rejection: Rejection,
    /// What it does, in words.
    pub reason: &'static str,
    /// The proof.
    pub proof: Certificate,
    /// A failing run.
    pub run: Certificate,
}

/// What a forgery is made of, beside its derivation.
pub(super) struct Scene {
    program: Program,
    sorts: Vec<Sort>,
    /// What it fails on.
    inputs: Vec<InputValue>,
}

impl Scene {
    pub(super) fn new(program: Program, inputs: Vec<InputValue>) -> Self {
        Self { program, sorts: Vec::new(), inputs }
    }

    /// With these sorts in the proof.
    pub(super) fn of_sorts(self, sorts: Vec<Sort>) -> Self {
        Self { sorts, ..self }
    }

    pub(super) fn forged(
        self,
        name: &'static str,
        rejection: Rejection,
        reason: &'static str,
        derivation: impl FnOnce(&mut Forge<'_>, Configuration),
    ) -> Forgery {
        let proof = proved(&self.program, &self.sorts, derivation);
        let run = |steps| GroundRun { inputs: self.inputs.clone(), choices: Vec::new(), steps };
        let runs = (1..64).map(|steps| certificate_of_run(&self.program, PARAMETERS, run(steps)));
        let run = runs.into_iter().find(|run| check(run).is_ok()).expect("the program fails");
        Forgery { name, rejection, reason, proof, run }
    }
}

/// The proof with this derivation from the only root.
pub(super) fn proved(program: &Program, sorts: &[Sort], derivation: impl FnOnce(&mut Forge<'_>, Configuration)) -> Certificate {
    let mut forge = Forge::new(program, &PARAMETERS, 1);
    forge.setting.sorts = sorts;
    let configuration = forge.root(0).expect("a root");
    derivation(&mut forge, configuration);
    forge.certificate_of(&forge.proof())
}

/// Takes these steps, and then hands over to the template under this reading.
pub(super) fn handed_over(
    steps: usize,
    template: Template,
    paths: &[&[u32]],
    objects: &[u32],
) -> impl FnOnce(&mut Forge<'_>, Configuration) {
    move |forge, configuration| {
        let id = forge.template(template, Forge::auto);
        let configuration = forge.steps(configuration, steps);
        forge.cover(&configuration, id, reading(paths, objects));
    }
}

/// A program without inputs whose nodes have these pointers.
pub(super) fn allocating(links: &[Link], names: &[&str]) -> (Program, Vec<RegisterId>) {
    let mut program = empty();
    node(&mut program, links);
    let registers = names.iter().map(|name| pointer(&mut program, name)).collect();
    (program, registers)
}

/// A node of zeros and NULLs.
pub(super) fn allocate(program: &Program, target: RegisterId) -> Instruction {
    let size = program.layouts.first().map_or(0, |layout| layout.size);
    Instruction::Allocate(Allocate { target, object: NODE, bytes: Operand::Constant(size.into()), fresh: Fresh::Zero })
}

pub(super) fn link(address: RegisterId, offset: i64, source: RegisterId) -> Instruction {
    Instruction::Store { address, offset, source }
}

pub(super) fn are_equal(left: RegisterId, right: RegisterId, then: u32, otherwise: u32) -> Instruction {
    let [left, right] = [left, right].map(PointerOperand::Register);
    let condition = Condition::Pointers { relation: Relation::Equal, left, right };
    Instruction::Branch(Branch { condition, then: Location(then), otherwise: Location(otherwise) })
}

/// A list with these data, as an input.
pub(super) fn of(data: &[i128]) -> InputValue {
    InputValue::Linked(data.iter().map(|value| Some(vec![*value])).chain([None]).collect())
}

pub(super) const NULL: Slot = Slot::Null;
pub(super) const ONE: &[(u32, Slot, Slot)] = &[(0, NULL, NULL)];
/// The links of a singly linked list.
pub(super) const SINGLE: &[Link] = &[Link::Child(SORT)];
/// The links of a doubly linked list.
const DOUBLE: &[Link] = &[Link::Child(SORT), Link::Up];

/// All of them.
pub fn forgeries() -> Vec<Forgery> {
    let mut forgeries = folded_twice();
    forgeries.extend(lives());
    forgeries.extend(links());
    forgeries.extend(symbols());
    forgeries.extend(scapegoats());
    forgeries.push(unfolding_in_circles());
    forgeries.extend(last_cells::forgeries());
    forgeries.extend(shared_pointers::forgeries());
    forgeries
}

/// H2: two things of one.
fn folded_twice() -> Vec<Forgery> {
    let mut forgeries = Vec::new();

    let (mut program, registers) = allocating(SINGLE, &["a", "x", "y", "p"]);
    let [a, x, y, p] = registers.try_into().expect("four registers");
    let d = integer(&mut program, "d", IntegerType::I32);
    program.instructions = vec![
        allocate(&program, a),
        allocate(&program, x),
        link(x, NEXT, a),
        allocate(&program, y),
        link(y, NEXT, a),
        Instruction::Null { target: a },
        load(p, x, NEXT),
        Instruction::Free { pointer: p },
        load(p, y, NEXT),
        is_null(p, 11, 10),
        load(d, p, 0),
        Instruction::Halt,
    ];
    let scene = Scene::new(program, Vec::new());
    forgeries.push(scene.forged(
        "heap-shared",
        Rejection::NotRead,
        "a node is folded twice: two lists that share their end",
        |forge, configuration| {
            let nodes = vec![state(forge, 0, &[root(0)]), state(forge, 1, &[root(1)])];
            let registers = [(x, to(forge, 0)), (y, to(forge, 1))];
            let template = template(6, &[TREE, TREE], &registers, nodes, &[(0, NULL, NULL), (1, NULL, NULL)]);
            handed_over(6, template, &[&[], &[]], &[1, 2])(forge, configuration);
        },
    ));

    let (mut program, registers) = allocating(SINGLE, &["a", "x", "p"]);
    let [a, x, p] = registers.try_into().expect("three registers");
    let d = integer(&mut program, "d", IntegerType::I32);
    program.instructions = vec![
        allocate(&program, a),
        allocate(&program, x),
        link(x, NEXT, a),
        load(p, x, NEXT),
        Instruction::Free { pointer: p },
        load(d, a, 0),
        Instruction::Halt,
    ];
    let scene = Scene::new(program, Vec::new());
    forgeries.push(scene.forged(
        "heap-matched-and-folded",
        Rejection::NotRead,
        "a node that is matched is folded too",
        |forge, configuration| {
            let nodes = vec![state(forge, 0, &[root(0)]), state(forge, 1, &[Slot::Forgotten])];
            let registers = [(a, to(forge, 1)), (x, to(forge, 0))];
            let template = template(3, &[TREE], &registers, nodes, ONE);
            handed_over(3, template, &[&[]], &[1, 0])(forge, configuration);
        },
    ));

    let (mut program, registers) = allocating(SINGLE, &["x", "y"]);
    let [x, y] = registers.try_into().expect("two registers");
    let d = integer(&mut program, "d", IntegerType::I32);
    program.instructions = vec![
        allocate(&program, x),
        Instruction::Copy { target: y, source: x },
        Instruction::Free { pointer: x },
        load(d, y, 0),
        Instruction::Halt,
    ];
    let scene = Scene::new(program, Vec::new());
    forgeries.push(scene.forged("heap-two-names", Rejection::NotRead, "one node is matched with two", |forge, configuration| {
        let nodes = [0, 1].map(|name| state(forge, name, &[Slot::Forgotten])).to_vec();
        let registers = [(x, to(forge, 0)), (y, to(forge, 1))];
        handed_over(2, template(2, &[], &registers, nodes, &[]), &[], &[0, 0])(forge, configuration);
    }));

    let (mut program, l, c) = list();
    let d = integer(&mut program, "d", IntegerType::I32);
    program.instructions = vec![
        Instruction::Copy { target: c, source: l },
        is_null(c, 5, 2),
        Instruction::Free { pointer: c },
        is_null(l, 5, 4),
        load(d, l, 0),
        Instruction::Halt,
    ];
    let scene = Scene::new(program, vec![of(&[1])]);
    let two = template(1, &[TREE, TREE], &[(l, root(0)), (c, root(1))], Vec::new(), &[(0, NULL, NULL), (1, NULL, NULL)]);
    let reason = "two copies of a pointer become two lists";
    forgeries.push(scene.forged("heap-copied", Rejection::NotRead, reason, handed_over(1, two, &[&[], &[]], &[])));
    forgeries
}

/// H9: what has been freed lives again; what holds no value holds one.
fn lives() -> Vec<Forgery> {
    let mut forgeries = Vec::new();
    let freeing = || {
        let (mut program, registers) = allocating(SINGLE, &["x", "p"]);
        let [x, p] = registers.try_into().expect("two registers");
        program.instructions = vec![
            Instruction::Null { target: p },
            allocate(&program, x),
            Instruction::Free { pointer: x },
            is_null(x, 5, 4),
            link(x, NEXT, p),
            Instruction::Halt,
        ];
        (Scene::new(program, Vec::new()), x, p)
    };
    let (scene, x, p) = freeing();
    forgeries.push(scene.forged(
        "heap-revived",
        Rejection::Shape,
        "a freed node is matched with one that lives",
        |forge, configuration| {
            let registers = [(x, to(forge, 0)), (p, NULL)];
            let nodes = vec![state(forge, 0, &[Slot::Forgotten])];
            handed_over(3, template(3, &[], &registers, nodes, &[]), &[], &[0])(forge, configuration);
        },
    ));
    let (scene, x, p) = freeing();
    forgeries.push(scene.forged("heap-freed-folded", Rejection::NotRead, "a freed node is folded", |forge, configuration| {
        let template = template(3, &[TREE], &[(x, root(0)), (p, NULL)], Vec::new(), ONE);
        handed_over(3, template, &[&[]], &[])(forge, configuration);
    }));

    let (mut program, registers) = allocating(SINGLE, &["x", "p"]);
    let [x, p] = registers.try_into().expect("two registers");
    let bytes = Operand::Constant(12);
    program.instructions = vec![
        Instruction::Allocate(Allocate { target: x, object: NODE, bytes, fresh: Fresh::Zero }),
        Instruction::Uninitialise { target: p },
        link(x, NEXT, p),
        load(p, x, NEXT),
        is_null(p, 5, 5),
        Instruction::Halt,
    ];
    let scene = Scene::new(program, Vec::new());
    forgeries.push(scene.forged(
        "heap-uninitialised-folded",
        Rejection::NotRead,
        "a pointer without a value is folded",
        |forge, configuration| {
            let (registers, nodes) = ([(x, to(forge, 0))], vec![state(forge, 0, &[root(0)])]);
            let template = template(3, &[TREE], &registers, nodes, ONE);
            handed_over(3, template, &[&[]], &[0])(forge, configuration);
        },
    ));

    let (mut program, l, p) = list();
    program.instructions = vec![Instruction::Null { target: p }, is_null(l, 3, 2), FAIL, is_null(p, 5, 4), FAIL, Instruction::Halt];
    let scene = Scene::new(program, vec![of(&[3])]);
    let reason = "a scapegoat's pointer loses its value";
    forgeries.push(scene.forged("heap-value-lost", Rejection::Slot, reason, |forge, configuration| {
        let (registers, nodes) = (vec![(l, to(forge, 0))], vec![state(forge, 0, &[Slot::Forgotten])]);
        let mut template = template(1, &[], &registers, nodes, &[]);
        template.members.push(configuration::Member {
            location: Location(3),
            size: InputSize::Smaller,
            consumed: Slot::Forgotten,
            registers: vec![(p, Slot::Uninitialised)],
            objects: Vec::new(),
            folded: Vec::new(),
        });
        let id = forge.template(template, |forge, mut configuration| {
            forge.decide(&mut configuration, 1, 0, None);
            forge.rules.push(Rule::Descent { member: MemberId(1) });
        });
        let [null, mut node] = opened(forge, &configuration);
        forge.auto(null);
        forge.add(&mut node, &[(0, DroppedElement::Node { object: NODE, child: None })], &[]);
        forge.follow(&mut node, 1, None);
        forge.follow(&mut node, 1, None);
        let node = forge.steps(node, 1);
        let mut matching = reading(&[], &[0]);
        matching.objects.push(Vec::new());
        forge.cover(&node, id, matching);
    }));

    let (mut program, registers) = allocating(SINGLE, &["x"]);
    let [x] = registers.try_into().expect("a register");
    let d = integer(&mut program, "d", IntegerType::I32);
    program.instructions = vec![
        allocate(&program, x),
        Instruction::Advance(Advance { target: x, base: x, index: Operand::Constant(1), scale: 12 }),
        is_null(x, 4, 3),
        load(d, x, 0),
        Instruction::Halt,
    ];
    let scene = Scene::new(program, Vec::new());
    let past = template(2, &[TREE], &[(x, root(0))], Vec::new(), ONE);
    let reason = "a pointer past a node is one to a list";
    forgeries.push(scene.forged("heap-past", Rejection::NotRead, reason, handed_over(2, past, &[&[]], &[])));
    forgeries
}

/// The two cases of the first symbol.
pub(super) fn opened(forge: &mut Forge<'_>, configuration: &Configuration) -> [Configuration; 2] {
    forge.unfold(configuration, TreeId(0), SegmentEnd::Top).try_into().expect("two cases")
}

/// H4, H10, H11: what links nodes is not what is said of it.
fn links() -> Vec<Forgery> {
    let mut forgeries = Vec::new();

    let (mut program, registers) = allocating(DOUBLE, &["a", "x", "p"]);
    let [a, x, p] = registers.try_into().expect("three registers");
    program.instructions = vec![
        allocate(&program, a),
        allocate(&program, x),
        link(x, NEXT, a),
        load(p, x, NEXT),
        is_null(p, 8, 5),
        load(p, p, PREVIOUS),
        is_null(p, 7, 8),
        FAIL,
        Instruction::Halt,
    ];
    let scene = Scene::new(program, Vec::new());
    forgeries.push(scene.forged("heap-up", Rejection::NotRead, "a folded node does not point to the one above", |forge, configuration| {
        let above = to(forge, 0);
        let nodes = vec![state(forge, 0, &[root(0), Slot::Forgotten])];
        handed_over(3, template(3, &[TREE], &[(x, above)], nodes, &[(0, above, NULL)]), &[&[]], &[1])(forge, configuration);
    }));

    let (mut program, registers) = allocating(DOUBLE, &["a", "b", "c", "x", "q"]);
    let [a, b, c, x, q] = registers.try_into().expect("five registers");
    let mut instructions: Vec<Instruction> = [a, b, c, x].into_iter().map(|register| allocate(&program, register)).collect();
    for (above, below) in [(x, a), (a, b), (b, c)] {
        instructions.extend([link(above, NEXT, below), link(below, PREVIOUS, above)]);
    }
    instructions.extend([link(c, PREVIOUS, x), load(q, c, PREVIOUS), are_equal(q, x, 13, 14), FAIL, Instruction::Halt]);
    program.instructions = instructions;
    let scene = Scene::new(program, Vec::new());
    let reason = "a pointer into the middle is said to be one to a segment's last cell";
    forgeries.push(scene.forged("heap-last", Rejection::Slot, reason, |forge, configuration| {
        let [first, second, end] = [0, 1, 2].map(|name| to(forge, name));
        let nodes = vec![
            state(forge, 0, &[second, Slot::Forgotten]),
            state(forge, 1, &[root(0), Slot::Forgotten]),
            state(forge, 2, &[Slot::Forgotten, last(0)]),
        ];
        let registers = [(c, end), (x, first)];
        let template = template(11, &[TreeSort::Segment(SORT)], &registers, nodes, &[(0, second, end)]);
        handed_over(11, template, &[&[0]], &[3, 0, 2])(forge, configuration);
    }));

    let (mut program, l, p) = double();
    let x = pointer(&mut program, "x");
    program.instructions = vec![
        allocate(&program, x),
        link(x, NEXT, l),
        load(p, x, NEXT),
        is_null(p, 7, 4),
        load(p, p, PREVIOUS),
        is_null(p, 6, 7),
        FAIL,
        Instruction::Halt,
    ];
    let scene = Scene::new(program, vec![of(&[1])]);
    let reason = "a folded list does not point back to what is above it";
    forgeries.push(scene.forged("heap-up-of-part", Rejection::NotRead, reason, |forge, configuration| {
        let above = to(forge, 0);
        let nodes = vec![state(forge, 0, &[root(0), Slot::Forgotten])];
        handed_over(2, template(2, &[TREE], &[(x, above)], nodes, &[(0, above, NULL)]), &[&[]], &[0])(forge, configuration);
    }));

    let (mut program, registers) = allocating(SINGLE, &["c", "x", "p"]);
    let [c, x, p] = registers.try_into().expect("three registers");
    program.instructions =
        vec![allocate(&program, c), link(c, NEXT, c), allocate(&program, x), load(p, x, NEXT), is_null(p, 5, 6), FAIL, Instruction::Halt];
    let scene = Scene::new(program, Vec::new());
    let reason = "a segment is said to end elsewhere";
    forgeries.push(scene.forged("heap-hole", Rejection::Slot, reason, |forge, configuration| {
        let end = to(forge, 0);
        let template = template(3, &[TreeSort::Segment(SORT)], &[(x, root(0))], vec![state(forge, 0, &[end])], &[(0, NULL, end)]);
        handed_over(3, template, &[&[0]], &[0])(forge, configuration);
    }));

    // Two children in the input; the proof's sort says that the second is always NULL.
    let mut program = empty();
    let object = node(&mut program, &[Link::Child(SORT), Link::Child(SORT)]);
    let (l, c) = (linked(&mut program, "l", object), pointer(&mut program, "c"));
    program.instructions = vec![is_null(l, 4, 1), load(c, l, PREVIOUS), is_null(c, 4, 3), FAIL, Instruction::Halt];
    let entries = vec![Some(vec![1]), None, Some(vec![2]), None, None];
    let sorts = vec![Sort { object, root: Root::Any, shapes: vec![vec![Link::Data, Link::Child(SORT), Link::Null]], within: None }];
    let scene = || Scene::new(program.clone(), vec![InputValue::Linked(entries.clone())]).of_sorts(sorts.clone());
    let forged = template(0, &[TreeSort::Tree(SortId(1))], &[(l, root(0))], Vec::new(), ONE);
    let reason = "an input is said to be of a sort that is not its own";
    forgeries.push(scene().forged("heap-sort", Rejection::NotRead, reason, handed_over(0, forged.clone(), &[&[]], &[])));
    let reason = "a node is said to be linked as it is not";
    forgeries.push(scene().forged("heap-link", Rejection::NotRead, reason, |forge, configuration| {
        let id = forge.template(forged, Forge::auto);
        for case in opened(forge, &configuration) {
            forge.cover(&case, id, reading(&[&[]], &[]));
        }
    }));
    forgeries
}

/// H8, and pointers that are said to be equal.
fn symbols() -> Vec<Forgery> {
    let mut forgeries = Vec::new();
    let both = [(0, NULL, NULL), (0, NULL, NULL)];

    let mut program = empty();
    let object = node(&mut program, SINGLE);
    let (l, m) = (linked(&mut program, "l", object), linked(&mut program, "m", object));
    program.instructions = vec![is_null(l, 1, 3), is_null(m, 3, 2), FAIL, Instruction::Halt];
    let scene = Scene::new(program, vec![of(&[]), of(&[1])]);
    let equal = template(0, &[TREE], &[(l, root(0)), (m, root(1))], Vec::new(), &both);
    let reason = "two lists are said to be equal";
    forgeries.push(scene.forged("heap-two-trees", Rejection::NotRead, reason, handed_over(0, equal, &[&[]], &[])));

    let (mut program, registers) = allocating(SINGLE, &["x", "y"]);
    let [x, y] = registers.try_into().expect("two registers");
    let (d, e) = (integer(&mut program, "d", IntegerType::I32), integer(&mut program, "e", IntegerType::I32));
    program.instructions = vec![
        allocate(&program, x),
        allocate(&program, y),
        assign(d, 1),
        Instruction::Store { address: x, offset: 0, source: d },
        is_null(x, 9, 5),
        load(d, x, 0),
        load(e, y, 0),
        branch(Relation::Equal, Operand::Register(d), Operand::Register(e), 9, 8),
        FAIL,
        Instruction::Halt,
    ];
    let scene = Scene::new(program, Vec::new());
    let equal = template(4, &[TREE], &[(x, root(0)), (y, root(1))], Vec::new(), &both);
    let reason = "nodes with other data are said to be equal";
    forgeries.push(scene.forged("heap-other-data", Rejection::Hints, reason, |forge, configuration| {
        handed_over(4, equal, &[&[]], &[])(forge, configuration);
        // No hint can show that 1 is 0; where nobody asks none is left over.
        if let Some(Rule::Subsume { hints, .. }) = forge.rules.last_mut() {
            hints.clear();
        }
    }));

    let (mut program, l, c) = list();
    program.instructions = vec![Instruction::Null { target: c }, are_equal(l, c, 3, 2), FAIL, Instruction::Halt];
    let scene = Scene::new(program, vec![of(&[1])]);
    let equal = template(1, &[TREE], &[(l, root(0)), (c, root(0))], Vec::new(), ONE);
    let reason = "NULL and a list are said to be one pointer";
    forgeries.push(scene.forged("heap-two-roots", Rejection::Slot, reason, handed_over(1, equal, &[&[]], &[])));
    forgeries
}

/// Runs the scapegoat, which the kernel does not add, to its failure; then Descent.
fn blamed(forge: &mut Forge<'_>, mut configuration: Configuration, rule: Rule, scapegoat: goatherd_checker::Member) {
    forge.rules.push(rule);
    configuration.members.push(scapegoat);
    while let Place::At(location) = configuration.members[1].place
        && !matches!(forge.setting.program.instructions[location.index()], Instruction::Fail { .. })
    {
        forge.follow(&mut configuration, 1, None);
    }
    forge.rules.push(Rule::Descent { member: MemberId(1) });
}

/// H6, H7: inputs that are not smaller, or none at all.
fn scapegoats() -> Vec<Forgery> {
    let mut forgeries = Vec::new();
    let add = |drops: Vec<InputDrop>| Rule::AddScapegoat { drops, integers: Vec::new(), hints: Vec::new() };
    let dropped = |object, child| add(vec![InputDrop { input: 0, element: DroppedElement::Node { object, child } }]);

    let (mut program, l, _) = list();
    program.instructions = vec![jump(1), is_null(l, 3, 2), FAIL, Instruction::Halt];
    let scene = || Scene::new(program.clone(), vec![of(&[1])]);
    let reason = "a scapegoat on the same list";
    forgeries.push(scene().forged("heap-same-input", Rejection::NotSmaller, reason, |forge, configuration| {
        let [null, node] = opened(forge, &configuration);
        forge.auto(null);
        let same = node.members[0].clone();
        blamed(forge, node, add(Vec::new()), same);
    }));
    let reason = "nodes are left out of what is no entry";
    forgeries.push(scene().forged("heap-entry", Rejection::EntryTerms, reason, |forge, configuration| {
        let (registers, nodes) = ([(l, to(forge, 0))], vec![state(forge, 0, &[root(0)])]);
        let two = template(1, &[TREE], &registers, nodes, ONE);
        let id = forge.template(two, |forge, configuration| {
            let same = configuration.members[0].clone();
            blamed(forge, configuration, dropped(NODE, None), same);
        });
        let [null, node] = opened(forge, &configuration);
        forge.auto(null);
        let node = forge.steps(node, 1);
        forge.cover(&node, id, reading(&[&[]], &[0]));
    }));

    let (mut program, l, c) = double();
    program.instructions = vec![is_null(l, 5, 1), load(c, l, NEXT), is_null(c, 5, 3), are_equal(c, l, 4, 4), FAIL, Instruction::Halt];
    let scene = Scene::new(program, vec![of(&[1, 2])]);
    let reason = "in the place of a node stands what is above it: a circle";
    forgeries.push(scene.forged("heap-no-child", Rejection::Drop, reason, |forge, configuration| {
        let [null, node] = opened(forge, &configuration);
        forge.auto(null);
        let [null, two] = forge.unfold(&node, TreeId(1), SegmentEnd::Top).try_into().expect("two cases");
        forge.auto(null);
        let mut circle = two.members[0].clone();
        let first = circle.register(l).expect("a list");
        let node = circle.objects[0].as_mut().map(Arc::make_mut).expect("the first node");
        node.fields[1].cells[0] = first;
        blamed(forge, two, dropped(ObjectId(1), Some(2)), circle);
    }));
    forgeries.push(left_out_twice());
    forgeries
}

/// H17: without the second node and then without the first, the `Up` field of the second, which is dead, holds the third. Without the second
/// once more the third is said to be above itself.
fn left_out_twice() -> Forgery {
    let (mut program, l, c) = double();
    program.instructions = vec![
        is_null(l, 8, 1),
        load(c, l, PREVIOUS),
        are_equal(c, l, 7, 3),
        load(c, l, NEXT),
        is_null(c, 8, 5),
        load(c, c, NEXT),
        is_null(c, 8, 7),
        FAIL,
        Instruction::Halt,
    ];
    let out = |object| InputDrop { input: 0, element: DroppedElement::Node { object: ObjectId(object), child: Some(1) } };
    let twice = Rule::AddScapegoat { drops: vec![out(1), out(0), out(1)], integers: Vec::new(), hints: Vec::new() };
    let reason = "a node is left out twice: the one behind it is said to be above itself";
    Scene::new(program, vec![of(&[1, 2, 3])]).forged("heap-left-out-twice", Rejection::Drop, reason, |forge, configuration| {
        let mut node = configuration;
        for symbol in 0..3 {
            let [null, next] = forge.unfold(&node, TreeId(symbol), SegmentEnd::Top).try_into().expect("two cases");
            forge.auto(null);
            node = next;
        }
        let mut circle = node.members[0].clone();
        let third = to(forge, 2);
        circle.registers[l.index()] = third;
        circle.objects[2].as_mut().map(Arc::make_mut).expect("the third node").fields[2].cells[0] = third;
        blamed(forge, node, twice, circle);
    })
}

/// H5: a template that covers itself after Unfold.
fn unfolding_in_circles() -> Forgery {
    let (mut program, l, _) = list();
    program.instructions = vec![jump(1), is_null(l, 3, 2), FAIL, Instruction::Halt];
    let scene = Scene::new(program, vec![of(&[1])]);
    let tree = template(1, &[TREE], &[(l, root(0))], Vec::new(), ONE);
    scene.forged("heap-circle", Rejection::Progress, "a template covers its own cases", |forge, configuration| {
        let id = forge.template(tree, |forge, configuration| {
            for case in opened(forge, &configuration) {
                forge.cover(&case, TemplateId(0), reading(&[&[]], &[]));
            }
        });
        let configuration = forge.steps(configuration, 1);
        forge.cover(&configuration, id, reading(&[&[]], &[]));
    })
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    for Forgery { name, rejection, reason, proof, .. } in forgeries() {
        vectors.rejected(name, rejection, reason, &proof);
    }
}
