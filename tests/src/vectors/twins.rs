//! Scapegoats in the primary's own state (`spec/calculus.md#twin`): proofs by Twin, and proofs of programs that fail, each stopped by one condition.
//!
//! All programs have one array. Where it is empty nothing fails, and where it is not something does; a scapegoat lacks one element, so its length is
//! another one, and whatever is not compared holds that.

mod operands;

use super::Catalogue;
use crate::{
    forge::{Forge, PARAMETERS},
    heaps::{NODE, SORT, TREE, jump, last, list, load, reading, root, template},
    programs::{self, FAIL, assign, branch, empty, integer, is_null, layout, node, object, pointer},
};
use goatherd_certificates::{
    certificate::{Certificate, InputValue},
    configuration::{InputSize, Slot, Template, TreeId, TreeSort},
    derivation::{DroppedElement, Lengths, MemberId, Rule, SegmentEnd},
    program::{
        Access, Allocate, Compute, Contents, Fresh, Instruction, IntegerType, Location, ObjectId, Operand, Operation, Origin, Program,
        RegisterId, Relation, Type,
    },
};
use goatherd_checker::{Configuration, rejection::Rejection};

/// A program with an array and some registers.
struct Scene {
    program: Program,
    /// How many elements the array has.
    n: RegisterId,
    x: RegisterId,
    p: RegisterId,
    q: RegisterId,
}

const TWIN: Rule = Rule::Twin { member: MemberId(1) };

impl Scene {
    fn new() -> Self {
        let mut program = empty();
        let (_, n, _) = programs::array(&mut program, "a", IntegerType::I8, IntegerType::U8);
        let x = integer(&mut program, "x", IntegerType::U8);
        let [p, q] = ["p", "q"].map(|name| pointer(&mut program, name));
        Self { program, n, x, p, q }
    }

    /// An object of one number.
    fn number(&mut self, origin: Origin) -> ObjectId {
        let layout = layout(&mut self.program, &[Type::Integer(IntegerType::U8)]);
        object(&mut self.program, layout, origin)
    }

    /// An object of one pointer.
    fn holder(&mut self, origin: Origin) -> ObjectId {
        let layout = layout(&mut self.program, &[Type::Pointer]);
        object(&mut self.program, layout, origin)
    }

    /// Adds instructions behind the others.
    fn then<const COUNT: usize>(&mut self, instructions: [Instruction; COUNT]) {
        self.program.instructions.extend(instructions);
    }

    /// Where the next instruction stands.
    fn here(&self) -> u32 {
        u32::try_from(self.program.instructions.len()).expect("a small program")
    }

    /// Fails unless the number is 0.
    fn check(&mut self, number: RegisterId) {
        let here = self.here();
        self.then([
            branch(Relation::LessOrEqual, Operand::Register(number), Operand::Constant(0), here + 2, here + 1),
            FAIL,
            Instruction::Halt,
        ]);
    }

    /// Fails unless what the pointer leads to is 0.
    fn check_at(&mut self, pointer: RegisterId) {
        self.then([load(self.x, pointer, 0)]);
        self.check(self.x);
    }

    /// A proof: where the array is empty, the program runs to its end. Where it is not, a scapegoat lacks the first element, and the derivation goes on
    /// from the entry.
    fn proof(&self, derivation: impl FnOnce(&mut Forge<'_>, Configuration)) -> Certificate {
        let mut forge = Forge::new(&self.program, &PARAMETERS, 1);
        forge.lengths = Lengths::Open;
        let root = forge.root(0).expect("one class");
        let (n, zero) = (forge.integer(&root, 0, self.n), forge.constant(0));
        let is_empty = forge.arena.at_most(n, zero).expect("a literal");
        let [empty, mut other] = forge.split(root, is_empty);
        forge.auto(empty);
        forge.add(&mut other, &[(0, DroppedElement::First(0))], &[]);
        derivation(&mut forge, other);
        forge.certificate_of(&forge.proof())
    }

    /// Both take so many steps, then comes the end.
    fn straight(&self, steps: usize, end: Rule) -> Certificate {
        self.proof(|forge, configuration| {
            both(forge, configuration, steps);
            forge.rules.push(end);
        })
    }

    /// Both take so many steps to a template made of their states, which is edited; from there the scapegoat is a twin.
    fn behind_template(&self, steps: usize, edit: impl Fn(&mut Template)) -> Certificate {
        self.proof(|forge, configuration| {
            let configuration = both(forge, configuration, steps);
            forge.forge_template(&configuration, |_, template| edit(template), |forge, _| forge.rules.push(TWIN));
        })
    }

    /// Of one element the primary takes so many steps, and the scapegoat, whose array is empty, as many as come second to where it is said to be a
    /// twin. Of more elements the scapegoat fails.
    fn parted(&self, primary: usize, scapegoat: usize) -> Certificate {
        self.proof(|forge, configuration| {
            let (n, one) = (forge.integer(&configuration, 0, self.n), forge.constant(1));
            let is_one = forge.arena.at_most(n, one).expect("a literal");
            let [one, more] = forge.split(configuration, is_one);
            let mut one = forge.steps(one, primary);
            (0..scapegoat).for_each(|_| forge.follow(&mut one, 1, None));
            forge.rules.push(TWIN);
            let mut more = more;
            while !goatherd_checker::rules::has_failed(forge.setting, more.members[1].place) {
                forge.follow(&mut more, 1, None);
            }
            forge.auto(more);
        })
    }
}

fn store(address: RegisterId, source: RegisterId) -> Instruction {
    Instruction::Store { address, offset: 0, source }
}

fn allocate(target: RegisterId, object: ObjectId, bytes: i128) -> Instruction {
    Instruction::Allocate(Allocate { target, object, bytes: Operand::Constant(bytes), fresh: Fresh::Zero })
}

/// Both members take so many steps.
fn both(forge: &mut Forge<'_>, configuration: Configuration, steps: usize) -> Configuration {
    let mut configuration = forge.steps(configuration, steps);
    (0..steps).for_each(|_| forge.follow(&mut configuration, 1, None));
    configuration
}

/// Of one object.
fn in_static() -> Origin {
    Origin::Static { count: 1, contents: vec![Contents::Zero], access: Access::ReadWrite }
}

const LOCAL: Origin = Origin::Local { count: 1 };

/// The length is read later.
fn read_later() -> Scene {
    let mut scene = Scene::new();
    scene.then([jump(1)]);
    scene.check(scene.n);
    scene
}

/// The length is read on another way than the first.
fn read_on_one_way() -> Scene {
    let mut scene = Scene::new();
    scene.then([jump(1), Instruction::Choose { then: Location(2), otherwise: Location(3) }, Instruction::Halt]);
    scene.check(scene.n);
    scene
}

/// On one of two ways the length is overwritten before it is read.
fn written_on_one_way() -> Scene {
    let mut scene = Scene::new();
    let n = scene.n;
    scene.then([jump(1), Instruction::Choose { then: Location(3), otherwise: Location(2) }, assign(n, 0)]);
    scene.check(n);
    scene
}

/// What overwrites the length reads it.
fn read_and_written() -> Scene {
    let mut scene = Scene::new();
    let n = scene.n;
    let (left, right) = (Operand::Register(n), Operand::Constant(0));
    scene.then([jump(1), Instruction::Compute(Compute { target: n, operation: Operation::Add, left, right })]);
    scene.check(n);
    scene
}

/// The length is read where a jump leads back to.
fn read_in_a_loop() -> Scene {
    let mut scene = Scene::new();
    scene.then([jump(4)]);
    scene.check(scene.n);
    scene.then([jump(1)]);
    scene
}

/// The length is in memory.
fn in_memory() -> Scene {
    let mut scene = Scene::new();
    let number = scene.number(Origin::Heap);
    scene.then([allocate(scene.p, number, 1), store(scene.p, scene.n), jump(3)]);
    scene.check_at(scene.p);
    scene
}

/// The length is in memory that a pointer in memory leads to.
fn behind_memory() -> Scene {
    let mut scene = Scene::new();
    let (number, holder) = (scene.number(Origin::Heap), scene.holder(Origin::Heap));
    let (p, q) = (scene.p, scene.q);
    scene.then([allocate(p, number, 1), store(p, scene.n), allocate(q, holder, 8), store(q, p)]);
    scene.then([Instruction::Null { target: p }, load(p, q, 0)]);
    scene.check_at(p);
    scene
}

/// The length is in a static object, to which nothing points.
fn in_named() -> Scene {
    let mut scene = Scene::new();
    let (p, object) = (scene.p, scene.number(in_static()));
    scene.then([Instruction::Address { target: p, object }, store(p, scene.n), Instruction::Null { target: p }]);
    scene.then([Instruction::Address { target: p, object }]);
    scene.check_at(p);
    scene
}

/// The length is in a local object; another one is entered before that is addressed.
fn in_local() -> Scene {
    let mut scene = Scene::new();
    let (p, object, other) = (scene.p, scene.number(LOCAL), scene.number(LOCAL));
    scene.then([Instruction::Enter { object }, Instruction::Address { target: p, object }, store(p, scene.n)]);
    scene.then([Instruction::Null { target: p }, Instruction::Enter { object: other }, Instruction::Address { target: p, object }]);
    scene.check_at(p);
    scene
}

/// Unless the array is empty, the object is freed.
fn freed() -> Scene {
    let mut scene = Scene::new();
    let (p, number) = (scene.p, scene.number(Origin::Heap));
    scene.then([allocate(p, number, 1), branch(Relation::LessOrEqual, Operand::Register(scene.n), Operand::Constant(0), 3, 2)]);
    scene.then([Instruction::Free { pointer: p }, load(scene.x, p, 0), Instruction::Halt]);
    scene
}

/// Unless the array is empty, the program fails.
fn elsewhere() -> Scene {
    let mut scene = Scene::new();
    scene.then([branch(Relation::LessOrEqual, Operand::Register(scene.n), Operand::Constant(0), 3, 1), assign(scene.x, 0), FAIL]);
    scene.then([Instruction::Halt]);
    scene
}

/// Unless the array is empty, a node is lost.
fn leaking() -> Scene {
    let mut scene = Scene::new();
    let (p, object) = (scene.p, node(&mut scene.program, &[]));
    scene.then([branch(Relation::LessOrEqual, Operand::Register(scene.n), Operand::Constant(0), 3, 1), allocate(p, object, 4)]);
    scene.then([Instruction::Null { target: p }, Instruction::CheckLeaks { roots: Vec::new() }, Instruction::Halt]);
    scene
}

/// A scapegoat on the same input.
fn same_input() -> Certificate {
    let scene = read_later();
    let mut forge = Forge::new(&scene.program, &PARAMETERS, 1);
    forge.lengths = Lengths::Open;
    let mut configuration = forge.root(0).expect("one class");
    forge.add(&mut configuration, &[], &[]);
    both(&mut forge, configuration, 1);
    forge.rules.push(TWIN);
    forge.certificate_of(&forge.proof())
}

/// Fails unless the list is empty.
fn not_null() -> (Program, RegisterId) {
    let (mut program, l, _) = list();
    program.instructions = vec![jump(1), is_null(l, 3, 2), FAIL, Instruction::Halt];
    (program, l)
}

/// Fails unless `p`, a copy of the list, is NULL.
fn copy_not_null() -> (Program, [RegisterId; 2]) {
    let (mut program, l, p) = list();
    program.instructions = vec![Instruction::Copy { target: p, source: l }, jump(2), is_null(p, 4, 3), FAIL, Instruction::Halt];
    (program, [l, p])
}

/// A list that is not empty, and a scapegoat that lacks the first node, in whose place this child stands. Behind the first step a template says the
/// same of both, but that each has a symbol of its own, read along these paths; there the scapegoat is a twin.
fn parts(program: &Program, child: Option<u32>, said: Template, paths: &[&[u32]]) -> Certificate {
    let mut forge = Forge::new(program, &PARAMETERS, 1);
    let configuration = forge.root(0).expect("one class");
    let mut cases = forge.unfold(&configuration, TreeId(0), SegmentEnd::Top).into_iter();
    let (empty, mut configuration) = cases.next().zip(cases.next()).expect("NULL or a node");
    forge.auto(empty);
    forge.add(&mut configuration, &[(0, DroppedElement::Node { object: NODE, child })], &[]);
    let configuration = both(&mut forge, configuration, 1);
    let mut template = said;
    let mut shorter = template.members[0].clone();
    shorter.size = InputSize::Smaller;
    shorter.folded[0].tree = TreeId(1);
    template.members.push(shorter);
    let id = forge.template(template, |forge, _| forge.rules.push(TWIN));
    let mut matching = reading(paths, &[]);
    matching.objects.push(Vec::new());
    forge.cover(&configuration, id, matching);
    forge.certificate_of(&forge.proof())
}

/// A list, and the same one without its first node: both are the first folded part of their member.
fn folded() -> Certificate {
    let (program, l) = not_null();
    let lists = template(1, &[TREE, TREE], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
    parts(&program, Some(1), lists, &[&[], &[]])
}

/// The first node of a list, and NULL, where nothing is left of the list: both are the last cell of the first folded part of their member.
fn last_cells() -> Certificate {
    let (program, [l, p]) = copy_not_null();
    let segment = TreeSort::Segment(SORT);
    let cells = template(1, &[segment, segment], &[(l, root(0)), (p, last(0))], Vec::new(), &[(0, Slot::Null, Slot::Forgotten)]);
    parts(&program, None, cells, &[&[0], &[]])
}

/// The programs of the forged proofs, each with an input on which it fails.
pub fn forged() -> Vec<(Program, InputValue)> {
    let scenes = [
        read_later(),
        read_on_one_way(),
        written_on_one_way(),
        read_and_written(),
        read_in_a_loop(),
        in_memory(),
        behind_memory(),
        in_named(),
        in_local(),
        freed(),
        elsewhere(),
        leaking(),
    ];
    let programs = scenes.into_iter().map(|scene| (scene.program, InputValue::Array(vec![vec![0]])));
    let programs = programs.chain(operands::forgeries().into_iter().map(|forgery| (forgery.program, InputValue::Array(vec![vec![0]]))));
    programs.chain([not_null().0, copy_not_null().0].map(|program| (program, InputValue::Linked(vec![Some(vec![0]), None])))).collect()
}

/// The length is overwritten, a local object entered anew; what is left is the same.
fn harmless() -> Scene {
    let mut scene = Scene::new();
    let (p, q, x) = (scene.p, scene.q, scene.x);
    let (named, local, number, holder) =
        (scene.number(in_static()), scene.number(LOCAL), scene.number(Origin::Heap), scene.holder(Origin::Heap));
    let at = |target, object| Instruction::Address { target, object };
    scene.then([Instruction::Enter { object: local }, at(p, local), store(p, scene.n), assign(x, 0)]);
    scene.then([at(p, named), store(p, x), allocate(p, number, 1), allocate(q, holder, 8), store(q, p)]);
    scene.then([assign(scene.n, 0), Instruction::Enter { object: local }, at(p, local), store(p, scene.n), load(p, q, 0)]);
    scene.then([at(q, named), load(x, q, 0), store(p, x), load(scene.n, p, 0)]);
    scene.check(scene.n);
    scene
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    let certificate = harmless().straight(9, TWIN);
    vectors.accepted("twin-accepted", "a scapegoat that differs in nothing that is read again", &certificate);
    let mut rejected = |name: &str, rejection, reason, certificate: Certificate| vectors.rejected(name, rejection, reason, &certificate);
    let twin = Rejection::NotTwin;
    rejected("twin-register", twin, "a register that differs is read later", read_later().straight(1, TWIN));
    rejected("twin-one-way", twin, "a register that differs is read on one of two ways", read_on_one_way().straight(1, TWIN));
    let reason = "a register that differs is overwritten on one of two ways only";
    rejected("twin-written-on-one-way", twin, reason, written_on_one_way().straight(1, TWIN));
    let reason = "what overwrites a register that differs reads it";
    rejected("twin-read-and-written", twin, reason, read_and_written().straight(1, TWIN));
    rejected("twin-loop", twin, "a register that differs is read behind a jump back", read_in_a_loop().straight(1, TWIN));
    rejected("twin-cell", twin, "memory that a register points to differs", in_memory().straight(3, TWIN));
    rejected("twin-behind", twin, "memory that a pointer in memory leads to differs", behind_memory().straight(5, TWIN));
    rejected("twin-name", twin, "a static object differs, to which nothing points", in_named().straight(3, TWIN));
    rejected("twin-local", twin, "a local object differs, and another one is entered", in_local().straight(4, TWIN));
    rejected("twin-freed", twin, "what the primary's pointer leads to is freed, and the scapegoat's is not", freed().parted(3, 2));
    let forget =
        |template: &mut Template| template.members.iter_mut().for_each(|member| member.registers.retain(|(id, _)| *id != RegisterId(1)));
    rejected("twin-register-forgotten", twin, "both have forgotten a register that differs", read_later().behind_template(1, forget));
    let without = |object: u32| {
        move |template: &mut Template| {
            template.members.iter_mut().for_each(|member| member.objects.retain(|state| state.object.0 != object));
        }
    };
    let reason = "both have forgotten a static object that differs";
    rejected("twin-name-forgotten", twin, reason, in_named().behind_template(3, without(1)));
    let blank = |template: &mut Template| {
        let numbers = template.members.iter_mut().flat_map(|member| &mut member.objects).filter(|state| state.object.0 == 1);
        numbers.for_each(|state| state.fields[0].cells[0] = Slot::Forgotten);
    };
    rejected("twin-cell-forgotten", twin, "both have forgotten a cell that differs", in_memory().behind_template(3, blank));
    rejected("twin-folded", twin, "lists of different lengths are folded parts of one name", folded());
    rejected("twin-last", twin, "a node and NULL are the last cells of folded parts of one name", last_cells());
    rejected("twin-elsewhere", twin, "the scapegoat is elsewhere", elsewhere().parted(1, 1));
    rejected("twin-leak", Rejection::Leak, "the primary has lost a node", leaking().parted(3, 1));
    rejected("twin-same-input", Rejection::NotSmaller, "the scapegoat's input is the same", same_input());
    let of = |member| harmless().straight(9, Rule::Twin { member: MemberId(member) });
    rejected("twin-primary", Rejection::Primary, "the primary is its own twin", of(0));
    rejected("twin-missing", Rejection::Missing, "a member that does not exist is a twin", of(2));
    operands::add(vectors);
}
