//! Random programs that use every instruction, and inputs for them.

use crate::programs::{empty, layout, object, register};
use goatherd_certificates::{
    certificate::{Allocation, Arithmetic, DataModel, Parameters, PointerFormation, SignedOverflow},
    program::{
        Access, Advance, Allocate, ArrayInput, Branch, Compute, Condition, Contents, Distance, FailKind, Fresh, Input, Instruction,
        IntegerType, Link, Location, ObjectId, Operand, Operation, Origin, PointerOperand, Program, RegisterId, Relation, SortId, Table,
        TableId, Type,
    },
};
use goatherd_interpreter::{
    InputValue, LinkedNode, Random,
    arithmetic::{self, OPERATIONS, TYPES},
    links_of,
};

/// How many instructions a program has before its ends.
const LENGTH: u32 = 24;

const POINTERS: usize = 6;

/// One of a list.
pub fn pick<'a, T>(random: &mut Random, list: &'a [T]) -> &'a T {
    &list[index(random, list.len())]
}

/// A position in a list of this length.
pub fn index(random: &mut Random, length: usize) -> usize {
    usize::try_from(random.below(u64::try_from(length).unwrap_or(1))).unwrap_or(0)
}

/// True once in so many times.
pub fn one_in(random: &mut Random, times: u64) -> bool {
    random.below(times) == 0
}

/// Some parameters.
pub fn parameters(random: &mut Random) -> Parameters {
    Parameters {
        data_model: DataModel::Lp64SignedChar,
        signed_overflow: *pick(random, &[SignedOverflow::Wraps, SignedOverflow::Fails]),
        pointer_formation: *pick(random, &[PointerFormation::Anywhere, PointerFormation::Anywhere, PointerFormation::InsideObject]),
        allocation: *pick(random, &[Allocation::Succeeds, Allocation::MayFail]),
        arithmetic: Arithmetic::C,
    }
}

/// Registers of all types, objects of all origins, and random instructions.
pub fn program(random: &mut Random) -> Program {
    let mut program = empty();
    let mut integers = Vec::new();
    for kind in TYPES {
        for number in 0..2 {
            let register = register(&mut program, &format!("{kind:?}{number}"), Type::Integer(kind));
            program.inputs.push(Input::Integer { register });
            integers.push((register, kind));
        }
    }
    let length = register(&mut program, "length", Type::Integer(IntegerType::U8));
    let pointers: Vec<_> = (0..POINTERS).map(|number| register(&mut program, &format!("p{number}"), Type::Pointer)).collect();
    let plain = layout(&mut program, &[Type::Integer(*pick(random, &TYPES))]);
    let pair_kinds = [Type::Integer(IntegerType::I32), Type::Integer(*pick(random, &[IntegerType::U32, IntegerType::I16]))];
    let pair = layout(&mut program, &pair_kinds);
    let linked = layout(&mut program, &[Type::Pointer, Type::Integer(*pick(random, &TYPES))]);
    program.tables.push(Table { kind: IntegerType::I32, values: vec![3, -1, 4] });
    let array = object(&mut program, *pick(random, &[plain, pair]), Origin::Input);
    let single = object(&mut program, linked, Origin::Input);
    let read_only = Origin::Static { count: 3, contents: vec![Contents::Table(TableId(0)), Contents::Zero], access: Access::ReadOnly };
    object(&mut program, pair, read_only);
    let pointing = vec![Contents::Pointers(vec![Some(ObjectId(2)), None]), Contents::Zero];
    object(&mut program, linked, Origin::Static { count: 2, contents: pointing, access: Access::ReadWrite });
    object(&mut program, *pick(random, &[plain, pair, linked]), Origin::Local { count: 3 });
    let mut heap: Vec<_> = (0..3).map(|_| object(&mut program, *pick(random, &[plain, pair, linked]), Origin::Heap)).collect();
    let node = tree_node(random, &mut program);
    heap.insert(index(random, heap.len() + 1), node);
    heap.push(node);
    program.inputs.push(Input::Array(ArrayInput { pointer: pointers[0], length, object: array }));
    program.inputs.push(Input::Single { pointer: pointers[1], object: single });
    program.inputs.push(Input::Linked { pointer: pointers[5], object: node });
    let mut heap = heap.into_iter();
    let bytes = |random: &mut Random, program: &Program, object| {
        if object == node { node_size(program, node) } else { Operand::Constant(i128::from(random.below(40))) }
    };
    let first = heap.next().map(|object| (object, bytes(random, &program, object)));
    program.instructions = beginning(random, &integers, &pointers, first);
    for _ in program.instructions.len()..usize::try_from(LENGTH).unwrap_or(0) {
        let instruction = loop {
            let instruction = instruction(random, &program, &integers, &pointers);
            match instruction {
                // One site is one object, but for nodes.
                Instruction::Allocate(Allocate { target, bytes, fresh, .. }) => {
                    let Some(object) = heap.next() else { continue };
                    let bytes = if object == node { node_size(&program, node) } else { bytes };
                    break Instruction::Allocate(Allocate { target, object, bytes, fresh });
                }
                instruction => break instruction,
            }
        };
        program.instructions.push(instruction);
    }
    let kind = *pick(random, &[FailKind::Assertion, FailKind::Reached, FailKind::MissingReturn, FailKind::Unreachable]);
    program.instructions.extend([Instruction::Halt, Instruction::Fail { kind }, Instruction::Ignore]);
    program
}

/// The declaration of nodes with an integer and two pointers, the first of which leads down.
fn tree_node(random: &mut Random, program: &mut Program) -> ObjectId {
    let node = layout(program, &[Type::Integer(*pick(random, &TYPES)), Type::Pointer, Type::Pointer]);
    let own = Link::Child(SortId(u32::try_from(program.objects.len()).unwrap_or(0)));
    let links = vec![Link::Data, own, *pick(random, &[own, Link::Up, Link::Other])];
    object(program, node, Origin::Node { links })
}

/// How many bytes one of these is.
fn node_size(program: &Program, node: ObjectId) -> Operand {
    Operand::Constant(program.layouts[program.objects[node.index()].layout.index()].size.into())
}

/// Sets up some pointers; then now and then what chance alone would hardly bring about.
fn beginning(
    random: &mut Random,
    integers: &[(RegisterId, IntegerType)],
    pointers: &[RegisterId],
    first: Option<(ObjectId, Operand)>,
) -> Vec<Instruction> {
    let mut instructions = vec![
        Instruction::Enter { object: ObjectId(4) },
        Instruction::Address { target: pointers[2], object: *pick(random, &[ObjectId(2), ObjectId(3)]) },
        Instruction::Address { target: pointers[3], object: ObjectId(4) },
    ];
    instructions.extend(first.map(|(object, bytes)| {
        Instruction::Allocate(Allocate { target: pointers[4], object, bytes, fresh: *pick(random, &[Fresh::Arbitrary, Fresh::Zero]) })
    }));
    let (signed, kind) = integers[14];
    match random.below(12) {
        0 => {
            // The one division that overflows.
            let least = Operand::Constant(arithmetic::minimum(kind));
            instructions.push(Instruction::Assign { target: signed, value: least });
            let operation = *pick(random, &[Operation::Divide, Operation::Remainder]);
            let left = Operand::Register(signed);
            instructions.push(Instruction::Assign { target: integers[15].0, value: Operand::Constant(-1) });
            let right = *pick(random, &[Operand::Constant(-1), Operand::Register(integers[15].0)]);
            instructions.push(Instruction::Compute(Compute { target: signed, operation, left, right }));
        }
        1 => {
            // Pointers further apart than a difference may be.
            instructions.push(Instruction::Copy { target: pointers[2], source: pointers[3] });
            let index = Operand::Constant(i128::from(i64::MAX));
            let advance = Instruction::Advance(Advance { target: pointers[2], base: pointers[2], index, scale: 16 });
            instructions.push(advance);
            instructions.push(Instruction::Distance(Distance { target: signed, left: pointers[2], right: pointers[3], scale: 4 }));
        }
        _ => {}
    }
    instructions
}

fn constant(random: &mut Random, kind: IntegerType) -> Operand {
    Operand::Constant(random.value(kind))
}

fn operand(random: &mut Random, integers: &[(RegisterId, IntegerType)], kind: IntegerType) -> Operand {
    let fitting: Vec<_> = integers.iter().filter(|(_, other)| *other == kind).collect();
    if one_in(random, 3) { constant(random, kind) } else { Operand::Register(pick(random, &fitting).0) }
}

/// A mask of adjacent bits.
fn run_of_ones(random: &mut Random, kind: IntegerType) -> i128 {
    let (high, low) = (random.below(65), random.below(65));
    ((1i128 << high.max(low)) - (1i128 << high.min(low))).clamp(arithmetic::minimum(kind), arithmetic::maximum(kind))
}

fn any_operand(random: &mut Random, integers: &[(RegisterId, IntegerType)]) -> Operand {
    if one_in(random, 3) { Operand::Constant(i128::from(random.below(7)) - 2) } else { Operand::Register(pick(random, integers).0) }
}

fn near_operand(random: &mut Random, integers: &[(RegisterId, IntegerType)]) -> Operand {
    if one_in(random, 2) { Operand::Constant(i128::from(random.below(5)) - 2) } else { any_operand(random, integers) }
}

fn pointer_operand(random: &mut Random, pointers: &[RegisterId]) -> PointerOperand {
    if one_in(random, 4) { PointerOperand::Null } else { PointerOperand::Register(*pick(random, pointers)) }
}

/// Most instructions go on, few end the run.
fn instruction(random: &mut Random, program: &Program, integers: &[(RegisterId, IntegerType)], pointers: &[RegisterId]) -> Instruction {
    let location = |random: &mut Random| Location(u32::try_from(random.below(u64::from(LENGTH) + 3)).unwrap_or(0));
    let (register, kind) = *pick(random, integers);
    let pointer = *pick(random, pointers);
    let relation = *pick(random, &[Relation::Equal, Relation::Less, Relation::LessOrEqual]);
    match random.below(31) {
        0 => Instruction::Jump { target: location(random) },
        1 => {
            let condition = Condition::Integers { relation, left: any_operand(random, integers), right: any_operand(random, integers) };
            Instruction::Branch(Branch { condition, then: location(random), otherwise: location(random) })
        }
        2..=4 => {
            let relation = if one_in(random, 3) { relation } else { Relation::Equal };
            let condition =
                Condition::Pointers { relation, left: pointer_operand(random, pointers), right: pointer_operand(random, pointers) };
            Instruction::Branch(Branch { condition, then: location(random), otherwise: location(random) })
        }
        5 => Instruction::Choose { then: location(random), otherwise: location(random) },
        6 | 7 => {
            let value = match kind {
                IntegerType::Bool => operand(random, integers, kind),
                _ => any_operand(random, integers),
            };
            Instruction::Assign { target: register, value }
        }
        8..=12 => {
            let (target, kind) = if kind == IntegerType::Bool { integers[8] } else { (register, kind) };
            let operation = *pick(random, &OPERATIONS);
            let right = match operation {
                Operation::ShiftLeft | Operation::ShiftRight => any_operand(random, integers),
                Operation::And if one_in(random, 3) => Operand::Constant(run_of_ones(random, kind)),
                _ => operand(random, integers, kind),
            };
            Instruction::Compute(Compute { target, operation, left: operand(random, integers, kind), right })
        }
        13 => Instruction::Havoc { target: register },
        14 if one_in(random, 3) => Instruction::Uninitialise { target: *pick(random, &[register, pointer]) },
        14 => Instruction::Null { target: pointer },
        15 => Instruction::Copy { target: pointer, source: *pick(random, pointers) },
        16 | 17 => Instruction::Address { target: pointer, object: ObjectId(2 + u32::try_from(random.below(3)).unwrap_or(0)) },
        18 | 19 => {
            let scale = *pick(random, &[1i64, 4, 8, -8, 12, 16, 2, 0]);
            Instruction::Advance(Advance { target: pointer, base: *pick(random, pointers), index: near_operand(random, integers), scale })
        }
        20 => {
            let signed: Vec<_> = integers.iter().filter(|(_, kind)| *kind == IntegerType::I64).collect();
            let scale = *pick(random, &[1, 4, 8]);
            Instruction::Distance(Distance { target: pick(random, &signed).0, left: pointer, right: *pick(random, pointers), scale })
        }
        21 | 22 | 26 | 27 => {
            let (offset, other) = access(random, program, integers, pointers);
            Instruction::Load { target: other, address: pointer, offset }
        }
        25 | 28 => {
            let (offset, other) = access(random, program, integers, pointers);
            Instruction::Store { address: pointer, offset, source: other }
        }
        23 => {
            let bytes = match random.below(4) {
                0 => Operand::Register(integers[16].0),
                1 => Operand::Constant(i128::from(u64::MAX)),
                _ => Operand::Constant(i128::from(random.below(40))),
            };
            Instruction::Allocate(Allocate {
                target: pointer,
                object: ObjectId(0),
                bytes,
                fresh: *pick(random, &[Fresh::Arbitrary, Fresh::Zero]),
            })
        }
        24 if one_in(random, 2) => Instruction::Leave { object: ObjectId(4) },
        24 => Instruction::Enter { object: ObjectId(4) },
        30 => Instruction::CheckLeaks { roots: (0..random.below(4)).map(|_| *pick(random, pointers)).collect() },
        _ => Instruction::Free { pointer },
    }
}

/// An offset and a register that fit some field, mostly.
fn access(random: &mut Random, program: &Program, integers: &[(RegisterId, IntegerType)], pointers: &[RegisterId]) -> (i64, RegisterId) {
    let layout = pick(random, &program.layouts);
    let field = pick(random, &layout.fields);
    let moved = if one_in(random, 4) { *pick(random, &[4i64, 8, -4, -8, 1]) } else { 0 };
    let offset = i64::try_from(field.offset).unwrap_or(0) + moved;
    let Type::Integer(kind) = field.kind else { return (offset, *pick(random, pointers)) };
    let fitting: Vec<_> = integers.iter().filter(|(_, other)| arithmetic::width(*other) == arithmetic::width(kind)).collect();
    (offset, pick(random, &fitting).0)
}

/// Valid inputs of such a program.
pub fn inputs(random: &mut Random, program: &Program) -> Vec<InputValue> {
    let integers = |program: &Program, object: ObjectId| -> Vec<IntegerType> {
        let layout = &program.layouts[program.objects[object.index()].layout.index()];
        layout.fields.iter().filter_map(|field| if let Type::Integer(kind) = field.kind { Some(kind) } else { None }).collect()
    };
    let element = |random: &mut Random, kinds: &[IntegerType]| kinds.iter().map(|kind| value(random, *kind)).collect::<Vec<_>>();
    program
        .inputs
        .iter()
        .map(|input| match *input {
            Input::Integer { register } => match program.registers[register.index()].kind {
                Type::Integer(kind) => InputValue::Integer(value(random, kind)),
                Type::Pointer => InputValue::Integer(0),
            },
            Input::Array(ArrayInput { object, .. }) => {
                let kinds = integers(program, object);
                let length = random.below(5);
                InputValue::Array((0..length).map(|_| element(random, &kinds)).collect())
            }
            Input::Single { object, .. } => {
                let kinds = integers(program, object);
                InputValue::Single((!one_in(random, 4)).then(|| element(random, &kinds)))
            }
            Input::Linked { object, .. } => InputValue::Linked(linked_nodes(random, program, object)),
        })
        .collect()
}

/// A tree of a few nodes.
fn linked_nodes(random: &mut Random, program: &Program, object: ObjectId) -> Vec<LinkedNode> {
    let children = links_of(program, object).iter().filter(|link| matches!(link, Link::Child(_))).count();
    let Type::Integer(kind) = program.layouts[program.objects[object.index()].layout.index()].fields[0].kind else { return Vec::new() };
    let mut nodes: Vec<LinkedNode> = Vec::new();
    for number in 0..index(random, 6) {
        // Below one of those before it, in a place that is free.
        let free = |nodes: &[LinkedNode]| -> Vec<(usize, usize)> {
            let places = nodes.iter().enumerate().flat_map(|(above, node)| (0..node.children.len()).map(move |child| (above, child)));
            places.filter(|(above, child)| nodes[*above].children[*child].is_none()).collect()
        };
        if number > 0 {
            let (above, child) = *pick(random, &free(&nodes));
            nodes[above].children[child] = Some(number);
        }
        nodes.push(LinkedNode { integers: vec![value(random, kind)], children: vec![None; children] });
    }
    nodes
}

/// A value of the type; often a small one.
pub fn value(random: &mut Random, kind: IntegerType) -> i128 {
    if one_in(random, 2) {
        i128::from(random.below(4)).clamp(arithmetic::minimum(kind), arithmetic::maximum(kind))
    } else {
        random.value(kind)
    }
}
