//! What `Folded` and `Last` denote where there is no cell: proofs of programs that fail (`spec/calculus.md#attacks`, H14, H15 and H19).

use super::heaps::{Forgery, Scene, allocate, allocating, of};
use crate::{
    forge::Forge,
    heaps::{NEXT, NODE, SORT, TREE, jump, last, list, load, reading, root, state, template, to},
    programs::{FAIL, assign, branch, integer, is_null, layout, object, pointer},
};
use goatherd_certificates::{
    configuration::{Address, FieldState, Life, ObjectState, Root, Slot, Sort, TreeId, TreeSort},
    derivation::{SegmentEnd, TemplateId},
    program::{Access, Contents, Instruction, IntegerType, Link, Operand, Origin, Relation, SortId, Type},
};
use goatherd_checker::rejection::Rejection;

/// All of them.
pub fn forgeries() -> [Forgery; 3] {
    [below_another_cell(), of_a_tree(), of_an_integer()]
}

/// H14: `p = NULL; for (c = l; c != NULL; c = c->next) p = c;`, and then `p` is never NULL: the last cell of an empty segment is what is above it,
/// and that is another node now.
fn below_another_cell() -> Forgery {
    let (mut program, l, c) = list();
    let (a, p) = (pointer(&mut program, "a"), pointer(&mut program, "p"));
    program.instructions = vec![
        allocate(&program, a),
        Instruction::Null { target: p },
        Instruction::Copy { target: c, source: l },
        is_null(c, 7, 4),
        Instruction::Copy { target: p, source: c },
        load(c, c, NEXT),
        jump(3),
        is_null(p, 8, 9),
        FAIL,
        Instruction::Halt,
    ];
    let reason = "a segment without up fields is read below another cell, and its last cell with it";
    Scene::new(program, vec![of(&[])]).forged("heap-last-above", Rejection::Slot, reason, |forge, configuration| {
        let node = to(forge, 0);
        let nodes = vec![state(forge, 0, &[Slot::Null])];
        let segment = TreeSort::Segment(SORT);
        let registers = [(l, root(0)), (a, node), (p, last(0))];
        let behind = template(7, &[segment], &registers, nodes.clone(), &[(0, node, Slot::Null)]);
        let behind = forge.template(behind, Forge::auto);
        let registers = [(l, root(0)), (c, root(1)), (a, node), (p, last(0))];
        let folded = [(0, Slot::Null, root(1)), (1, Slot::Null, Slot::Null)];
        let walking = template(3, &[segment, TREE], &registers, nodes, &folded);
        let walking = forge.template(walking, |forge, configuration| {
            let [empty, node] = forge.unfold(&configuration, TreeId(1), SegmentEnd::Top).try_into().expect("two cases");
            let empty = forge.steps(empty, 1);
            forge.cover(&empty, behind, reading(&[&[0]], &[0]));
            let node = forge.steps(node, 4);
            forge.cover(&node, TemplateId(1), reading(&[&[0, 0], &[]], &[0]));
        });
        let configuration = forge.steps(configuration, 3);
        forge.cover(&configuration, walking, reading(&[&[], &[]], &[0]));
    })
}

/// H15: a pointer that is NULL is said to be one to the last cell of a tree, which no tree has.
fn of_a_tree() -> Forgery {
    let (mut program, l, p) = list();
    let a = pointer(&mut program, "a");
    program.instructions = vec![allocate(&program, a), Instruction::Null { target: p }, is_null(p, 3, 4), FAIL, Instruction::Halt];
    let reason = "a pointer is said to be one to the last cell of a tree";
    Scene::new(program, vec![of(&[])]).forged("heap-last-of-tree", Rejection::Slot, reason, |forge, configuration| {
        let node = to(forge, 0);
        let nodes = vec![state(forge, 0, &[Slot::Null])];
        let forged = template(2, &[TREE], &[(l, root(0)), (p, last(0)), (a, node)], nodes, &[(0, node, Slot::Null)]);
        let forged = forge.template(forged, Forge::auto);
        let configuration = forge.steps(configuration, 2);
        forge.cover(&configuration, forged, reading(&[&[]], &[0]));
    })
}

/// H19: `*p = -1; u = *(unsigned *)p;`, and then `u` is no larger than `INT_MAX`. That `*p` is a pointer to the root of a segment that is always
/// empty, since its sort has no shapes, makes it what stands in the hole, which is -1; and a pointer is loaded as it is, whatever the register's type.
fn of_an_integer() -> Forgery {
    let (mut program, registers) = allocating(&[Link::Child(SORT)], &["p"]);
    let [p] = registers.try_into().expect("a register");
    let (i, u) = (integer(&mut program, "i", IntegerType::I32), integer(&mut program, "u", IntegerType::U32));
    let layout = layout(&mut program, &[Type::Integer(IntegerType::I32)]);
    let origin = Origin::Static { count: 1, contents: vec![Contents::Zero], access: Access::ReadWrite };
    let object = object(&mut program, layout, origin);
    program.instructions = vec![
        assign(i, -1),
        Instruction::Address { target: p, object },
        Instruction::Store { address: p, offset: 0, source: i },
        jump(4),
        load(u, p, 0),
        branch(Relation::LessOrEqual, Operand::Register(u), Operand::Constant(i32::MAX.into()), 7, 6),
        FAIL,
        Instruction::Halt,
    ];
    let empty = Sort { object: NODE, root: Root::Any, shapes: Vec::new(), within: None };
    let reason = "an integer is said to be a pointer to a folded part";
    Scene::new(program, Vec::new()).of_sorts(vec![empty]).forged("heap-integer", Rejection::Slot, reason, |forge, configuration| {
        let [zero, one, value] = [0, 1, -1].map(|value| forge.constant(value));
        let fields = vec![FieldState { cells: vec![root(0)], rest: None }];
        let object = ObjectState { object, declaration: object, life: Life::Live, lower: zero, upper: one, fields };
        let registers = [(p, Slot::Pointer(Address { object: object.object, index: zero, byte: 0 }))];
        let segment = TreeSort::Segment(SortId(2));
        let forged = template(4, &[segment], &registers, vec![object], &[(0, Slot::Null, Slot::Integer(value))]);
        let forged = forge.template(forged, Forge::auto);
        let configuration = forge.steps(configuration, 4);
        forge.cover(&configuration, forged, reading(&[&[]], &[1]));
    })
}
