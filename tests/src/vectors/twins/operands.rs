//! One forged proof per operand of an instruction: what differs is read there and nowhere else. And one per thing that two states may differ in.

use super::{
    Catalogue, FAIL, Instruction, Location, Operand, Operation, Origin, Relation, Scene, TWIN, allocate, assign, branch, in_static, store,
};
use crate::{
    forge::Forge,
    heaps::{jump, load},
    programs::{integer, pointer},
};
use goatherd_certificates::{
    certificate::Certificate,
    program::{Advance, Allocate, Branch, Compute, Condition, Distance, Fresh, IntegerType, ObjectId, PointerOperand, Program, RegisterId},
};
use goatherd_checker::rejection::Rejection;

/// A program that fails unless its array is empty, the forged proof of it, and what its vector is called.
pub(super) struct Forgery {
    name: &'static str,
    reason: &'static str,
    pub(super) program: Program,
    certificate: Certificate,
}

impl Scene {
    /// A forged proof in which both members take so many steps.
    fn after(self, steps: usize, [name, reason]: [&'static str; 2]) -> Forgery {
        Forgery { name, reason, certificate: self.straight(steps, TWIN), program: self.program }
    }

    /// A forged proof in which the members go different ways, so many steps each.
    fn apart(self, primary: usize, scapegoat: usize, [name, reason]: [&'static str; 2]) -> Forgery {
        Forgery { name, reason, certificate: self.parted(primary, scapegoat), program: self.program }
    }

    /// Fails unless the condition holds.
    fn demand(&mut self, condition: Condition) {
        let here = self.here();
        let (then, otherwise) = (Location(here + 2), Location(here + 1));
        self.then([Instruction::Branch(Branch { condition, then, otherwise }), FAIL, Instruction::Halt]);
    }

    /// Fails unless the pointers are equal.
    fn demand_equal(&mut self, left: RegisterId, right: RegisterId) {
        let [left, right] = [left, right].map(PointerOperand::Register);
        self.demand(Condition::Pointers { relation: Relation::Equal, left, right });
    }
}

fn advance(target: RegisterId, base: RegisterId, index: Operand) -> Instruction {
    Instruction::Advance(Advance { target, base, index, scale: 1 })
}

/// Two pointers to a static object, one of them as many elements behind the other as the array has.
fn moved() -> Scene {
    let mut scene = Scene::new();
    let (p, q, object) = (scene.p, scene.q, scene.number(in_static()));
    scene.then([Instruction::Address { target: q, object }, advance(p, q, Operand::Register(scene.n))]);
    scene
}

fn of_numbers() -> Vec<Forgery> {
    let mut all = Vec::new();
    let scene = |instruction: fn(&Scene) -> Instruction| {
        let mut scene = Scene::new();
        scene.then([jump(1), instruction(&scene)]);
        scene.check(scene.x);
        scene
    };
    let assigned = scene(|scene| Instruction::Assign { target: scene.x, value: Operand::Register(scene.n) });
    all.push(assigned.after(1, ["twin-assign", "what is assigned differs"]));
    let computed = scene(|scene| {
        let (left, right) = (Operand::Constant(0), Operand::Register(scene.n));
        Instruction::Compute(Compute { target: scene.x, operation: Operation::Add, left, right })
    });
    all.push(computed.after(1, ["twin-compute-right", "the right side of a computation differs"]));

    let mut compared = Scene::new();
    compared.then([jump(1), branch(Relation::Less, Operand::Constant(0), Operand::Register(compared.n), 2, 3), FAIL, Instruction::Halt]);
    all.push(compared.after(1, ["twin-compare-right", "the right side of a comparison differs"]));

    let mut second = Scene::new();
    let x = second.x;
    second.then([jump(1), Instruction::Havoc { target: x }]);
    second.then([branch(Relation::LessOrEqual, Operand::Register(x), Operand::Constant(0), 3, 4), Instruction::Halt]);
    second.check(second.n);
    all.push(second.after(1, ["twin-second-way", "a register that differs is read where a condition does not hold"]));
    all
}

fn of_pointers() -> Vec<Forgery> {
    let mut all = Vec::new();
    let scene = |rest: fn(&mut Scene, RegisterId)| {
        let mut scene = moved();
        let other = pointer(&mut scene.program, "r");
        rest(&mut scene, other);
        scene
    };
    let left = scene(|scene, _| scene.demand_equal(scene.p, scene.q));
    all.push(left.after(2, ["twin-pointers-left", "the left one of two pointers that are compared differs"]));
    let right = scene(|scene, _| {
        let [left, right] = [scene.q, scene.p].map(PointerOperand::Register);
        let (condition, here) = (Condition::Pointers { relation: Relation::Less, left, right }, scene.here());
        let (then, otherwise) = (Location(here + 1), Location(here + 2));
        scene.then([Instruction::Branch(Branch { condition, then, otherwise }), FAIL, Instruction::Halt]);
    });
    all.push(right.after(2, ["twin-pointers-right", "the right one of two pointers that are compared differs"]));
    let copied = scene(|scene, other| {
        scene.then([Instruction::Copy { target: other, source: scene.p }]);
        scene.demand_equal(other, scene.q);
    });
    all.push(copied.after(2, ["twin-copy", "a pointer that is copied differs"]));
    let base = scene(|scene, other| {
        scene.then([advance(other, scene.p, Operand::Constant(0))]);
        scene.demand_equal(other, scene.q);
    });
    all.push(base.after(2, ["twin-advance-base", "a pointer that is moved differs"]));
    let index = scene(|scene, other| {
        scene.then([advance(other, scene.q, Operand::Register(scene.n))]);
        scene.demand_equal(other, scene.q);
    });
    all.push(index.after(2, ["twin-advance-index", "how far a pointer is moved differs"]));
    let loaded = scene(|scene, _| scene.then([load(scene.x, scene.p, 0), Instruction::Halt]));
    all.push(loaded.after(2, ["twin-load", "the address of a load differs"]));
    let stored = scene(|scene, _| scene.then([assign(scene.x, 0), store(scene.p, scene.x), Instruction::Halt]));
    all.push(stored.after(2, ["twin-store", "the address of a store differs"]));
    let source = scene(|scene, _| {
        scene.then([store(scene.q, scene.n)]);
        scene.check_at(scene.q);
    });
    all.push(source.after(2, ["twin-store-source", "what is stored differs"]));
    all
}

fn of_distances_and_allocations() -> Vec<Forgery> {
    let mut all = Vec::new();
    let scene = |sides: fn(&Scene) -> [RegisterId; 2], ordered: fn(Operand) -> [Operand; 2]| {
        let mut scene = moved();
        let (target, [left, right]) = (integer(&mut scene.program, "d", IntegerType::I64), sides(&scene));
        scene.then([Instruction::Distance(Distance { target, left, right, scale: 1 })]);
        let [left, right] = ordered(Operand::Register(target));
        scene.demand(Condition::Integers { relation: Relation::LessOrEqual, left, right });
        scene
    };
    let left = scene(|scene| [scene.p, scene.q], |distance| [distance, Operand::Constant(0)]);
    all.push(left.after(2, ["twin-distance-left", "the pointer from which another one is subtracted differs"]));
    let right = scene(|scene| [scene.q, scene.p], |distance| [Operand::Constant(0), distance]);
    all.push(right.after(2, ["twin-distance-right", "a pointer that is subtracted differs"]));

    let mut freed = Scene::new();
    let (p, q, number) = (freed.p, freed.q, freed.number(Origin::Heap));
    freed.then([allocate(q, number, 1), advance(p, q, Operand::Register(freed.n))]);
    freed.then([Instruction::Free { pointer: p }, Instruction::Halt]);
    all.push(freed.after(2, ["twin-free", "what is freed differs"]));
    all.push(allocated());
    all
}

/// Of no element one byte is allocated and read, of one none; of more the program fails at once.
fn allocated() -> Forgery {
    let mut scene = Scene::new();
    let (n, number) = (scene.n, scene.number(Origin::Heap));
    let bytes = integer(&mut scene.program, "bytes", IntegerType::U64);
    let left = Operand::Constant(1);
    scene.then([branch(Relation::LessOrEqual, Operand::Register(n), Operand::Constant(1), 2, 1), FAIL]);
    scene.then([Instruction::Assign { target: bytes, value: Operand::Register(n) }]);
    scene.then([Instruction::Compute(Compute { target: bytes, operation: Operation::Subtract, left, right: Operand::Register(bytes) })]);
    scene.then([Instruction::Allocate(Allocate { target: scene.p, object: number, bytes: Operand::Register(bytes), fresh: Fresh::Zero })]);
    scene.then([load(scene.x, scene.p, 0), Instruction::Halt]);
    let certificate = scene.proof(|forge, configuration| {
        let mut more = configuration;
        for count in [1, 2] {
            let (n, count) = (forge.integer(&more, 0, n), forge.constant(count));
            let is_least = forge.arena.at_most(n, count).expect("a literal");
            let [least, others] = forge.split(more, is_least);
            if forge.arena.value(count) == Some(1) {
                let mut one = forge.steps(least, 3);
                (0..3).for_each(|_| forge.follow(&mut one, 1, None));
                forge.rules.push(TWIN);
            } else {
                blame(forge, least);
            }
            more = others;
        }
        blame(forge, more);
    });
    let [name, reason] = ["twin-allocate", "how many bytes are allocated differs"];
    Forgery { name, reason, program: scene.program, certificate }
}

/// The scapegoat fails.
fn blame(forge: &mut Forge<'_>, mut configuration: goatherd_checker::Configuration) {
    while !goatherd_checker::rules::has_failed(forge.setting, configuration.members[1].place) {
        forge.follow(&mut configuration, 1, None);
    }
    forge.auto(configuration);
}

/// What differs is no value of a register that is an integer.
fn of_states() -> Vec<Forgery> {
    let mut all = Vec::new();
    let is_empty = |scene: &Scene, then| branch(Relation::LessOrEqual, Operand::Register(scene.n), Operand::Constant(0), then, 1);

    let mut shorter = Scene::new();
    let (x, p, number) = (shorter.x, shorter.p, shorter.number(Origin::Heap));
    shorter.then([is_empty(&shorter, 3), allocate(p, number, 0), jump(4), allocate(p, number, 1), load(x, p, 0), Instruction::Halt]);
    all.push(shorter.apart(3, 2, ["twin-bounds", "the primary's object has no elements"]));

    let mut wider = Scene::new();
    let (x, p, narrow, wide) = (wider.x, wider.p, wider.number(Origin::Heap), wider.number(Origin::Heap));
    padded(&mut wider.program, wide);
    wider.then([is_empty(&wider, 4), allocate(p, narrow, 2), allocate(p, narrow, 2), jump(6)]);
    wider.then([allocate(p, wide, 4), allocate(p, wide, 4)]);
    wider.then([advance(p, p, Operand::Constant(2)), load(x, p, 0), Instruction::Halt]);
    all.push(wider.apart(4, 3, ["twin-declaration", "the objects are of two declarations, whose elements take one byte or two"]));

    let mut null = Scene::new();
    let (x, p, object) = (null.x, null.p, null.number(in_static()));
    null.then([is_empty(&null, 3), Instruction::Null { target: p }, jump(4), Instruction::Address { target: p, object }]);
    null.then([load(x, p, 0), Instruction::Halt]);
    all.push(null.apart(3, 2, ["twin-null", "the primary's pointer is NULL"]));

    let mut unset = Scene::new();
    unset.then([is_empty(&unset, 2), jump(3), assign(unset.x, 0)]);
    unset.check(unset.x);
    all.push(unset.apart(2, 2, ["twin-uninitialised", "the primary's register has no value"]));
    all
}

/// Elements of the object take a byte more.
fn padded(program: &mut Program, object: ObjectId) {
    let layout = program.objects[object.index()].layout;
    program.layouts[layout.index()].size += 1;
}

/// All of them.
pub(super) fn forgeries() -> Vec<Forgery> {
    [of_numbers(), of_pointers(), of_distances_and_allocations(), of_states()].into_iter().flatten().collect()
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    for forgery in forgeries() {
        vectors.rejected(forgery.name, Rejection::NotTwin, forgery.reason, &forgery.certificate);
    }
}
