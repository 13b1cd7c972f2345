//! Lists are walked, built and freed: whole proofs.

use super::{Scene, derived};
use goatherd_certificates::{
    configuration::{Life, Slot, Template, TreeId, TreeSort},
    derivation::{Matching, Rule, SegmentEnd, TemplateId},
    program::{Allocate, Fresh, Instruction, IntegerType, Location, Operand, Origin, Program, RegisterId, Type},
};
use goatherd_checker::{
    configuration::Configuration,
    rejection::{Rejection, Unsupported},
};
use goatherd_tests::{
    forge::Forge,
    heaps::{NEXT, NODE, SORT, TREE, jump, last, list, load, reading, root, template},
    programs::{assign, empty, integer, is_null, layout, object, pointer},
};

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
    template(0, &[TreeSort::Tree(SORT)], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)])
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
pub(crate) fn walk_then_free() -> (Program, RegisterId, RegisterId) {
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
pub(crate) fn walking(l: RegisterId, c: RegisterId) -> Template {
    let trees = [TreeSort::Segment(SORT), TreeSort::Tree(SORT)];
    template(1, &trees, &[(l, root(0)), (c, root(1))], Vec::new(), &[(0, Slot::Null, root(1)), (1, last(0), Slot::Null)])
}

fn walk_then_free_by(paths: [&[u32]; 2]) -> Option<Rejection> {
    let (program, l, c) = walk_then_free();
    derived(&program, |forge, configuration| {
        let freeing = template(4, &[TreeSort::Tree(SORT)], &[(l, root(0))], Vec::new(), &[(0, Slot::Null, Slot::Null)]);
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

#[test]
fn nodes_are_allocated_one_by_one() {
    let (mut program, _, c) = list();
    let n = integer(&mut program, "n", IntegerType::U64);
    program.instructions = vec![Instruction::Havoc { target: n }, jump(2), jump(2)];
    for (bytes, rejected) in
        [(Operand::Constant(12), false), (Operand::Constant(23), false), (Operand::Constant(24), true), (Operand::Register(n), true)]
    {
        program.instructions[1] = Instruction::Allocate(Allocate { target: c, object: NODE, bytes, fresh: Fresh::Zero });
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
        Instruction::Allocate(Allocate { target: n, object: NODE, bytes: Operand::Constant(12), fresh: Fresh::Arbitrary }),
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
