//! Each instruction, in each of its cases (`spec/program.md`).

use goatherd_certificates::{
    certificate::{Allocation, Arithmetic, DataModel, Parameters, PointerFormation, SignedOverflow},
    program::{
        Access, Advance, Allocate, ArrayInput, Branch, Compute, Condition, Contents, Distance, FailKind, Field, Fresh, Input, Instruction,
        IntegerType, Layout, LayoutId, Link, Location, Object, ObjectId, Operand, Operation, Origin, PointerOperand, Program, Register,
        RegisterId, Relation, SortId, Table, TableId, Type,
    },
};
use goatherd_interpreter::{
    Failure, InputShape, InputValue, InvalidInput, LinkedNode, Machine, Outcome, Random, Replay, Run, Tracing, Unsupported, Value, Zero,
    run, run_machine, well_formed,
};

// Registers of the test program.
const A: RegisterId = RegisterId(0); // int
const B: RegisterId = RegisterId(1); // int
const P: RegisterId = RegisterId(2); // pointer: the input array
const Q: RegisterId = RegisterId(3); // pointer
const N: RegisterId = RegisterId(4); // unsigned long: the input's length
const D: RegisterId = RegisterId(5); // long
const C: RegisterId = RegisterId(6); // signed char
const U: RegisterId = RegisterId(7); // unsigned

// Objects of the test program.
const ARRAY: ObjectId = ObjectId(0); // the input: int elements
const HEAP: ObjectId = ObjectId(1); // int elements
const LOCAL: ObjectId = ObjectId(2); // one pair
const STATIC: ObjectId = ObjectId(3); // three constant ints

const STRICT: Parameters = Parameters {
    data_model: DataModel::Lp64SignedChar,
    signed_overflow: SignedOverflow::Fails,
    pointer_formation: PointerFormation::InsideObject,
    allocation: Allocation::MayFail,
    arithmetic: Arithmetic::C,
};
const LENIENT: Parameters = Parameters {
    signed_overflow: SignedOverflow::Wraps,
    pointer_formation: PointerFormation::Anywhere,
    allocation: Allocation::Succeeds,
    arithmetic: Arithmetic::C,
    ..STRICT
};

/// A program with these instructions and a final halt; its input is an array of `int`.
fn program(mut instructions: Vec<Instruction>) -> Program {
    instructions.push(Instruction::Halt);
    let integer = |kind| Type::Integer(kind);
    let register = |name: &str, kind| Register { name: name.into(), kind };
    let int = Field { name: String::new(), offset: 0, kind: integer(IntegerType::I32) };
    let program = Program {
        entry: "test".into(),
        registers: vec![
            register("a", integer(IntegerType::I32)),
            register("b", integer(IntegerType::I32)),
            register("p", Type::Pointer),
            register("q", Type::Pointer),
            register("n", integer(IntegerType::U64)),
            register("d", integer(IntegerType::I64)),
            register("c", integer(IntegerType::I8)),
            register("u", integer(IntegerType::U32)),
        ],
        layouts: vec![
            Layout { name: "int".into(), size: 4, fields: vec![int.clone()] },
            Layout {
                name: "struct pair".into(),
                size: 16,
                fields: vec![Field { name: "value".into(), ..int }, Field { name: "next".into(), offset: 8, kind: Type::Pointer }],
            },
        ],
        objects: vec![
            Object { name: "X".into(), layout: LayoutId(0), origin: Origin::Input },
            Object { name: "heap".into(), layout: LayoutId(0), origin: Origin::Heap },
            Object { name: "local".into(), layout: LayoutId(1), origin: Origin::Local { count: 1 } },
            Object {
                name: "table".into(),
                layout: LayoutId(0),
                origin: Origin::Static { count: 3, contents: vec![Contents::Table(TableId(0))], access: Access::ReadOnly },
            },
        ],
        tables: vec![Table { kind: IntegerType::I32, values: vec![10, 20, 30] }],
        inputs: vec![Input::Array(ArrayInput { pointer: P, length: N, object: ARRAY })],
        instructions,
        assertions: vec![],
    };
    assert_eq!(well_formed::check(&program), Ok(()));
    program
}

fn run_with(parameters: Parameters, instructions: Vec<Instruction>, choices: &[i128]) -> Run {
    let program = program(instructions);
    let inputs = [InputValue::Array(vec![vec![1], vec![2]])];
    run(&program, parameters, &inputs, &mut Replay::new(choices), 1000, Tracing::On).unwrap()
}

/// The registers after these instructions, which must halt.
fn registers_after(instructions: Vec<Instruction>, choices: &[i128]) -> Vec<Value> {
    let program = program(instructions);
    let mut machine = Machine::new(&program, LENIENT, &[InputValue::Array(vec![vec![1], vec![2]])]).unwrap();
    let mut environment = Replay::new(choices);
    loop {
        if let goatherd_interpreter::Event::Ended(outcome) = machine.step(&mut environment) {
            assert_eq!(outcome, Outcome::Halted);
            return machine.registers().to_vec();
        }
    }
}

fn register_after(register: RegisterId, instructions: Vec<Instruction>) -> Value {
    registers_after(instructions, &[0; 8])[register.index()]
}

/// The failure of the last of these instructions.
fn failure_of(instructions: Vec<Instruction>) -> Failure {
    failure_under(LENIENT, instructions)
}

fn failure_under(parameters: Parameters, instructions: Vec<Instruction>) -> Failure {
    let last = instructions.len() - 1;
    match run_with(parameters, instructions, &[1; 8]).outcome {
        Outcome::Failed { location, failure } if location.index() == last => failure,
        outcome => panic!("{outcome:?}"),
    }
}

fn unsupported_by(instructions: Vec<Instruction>) -> Unsupported {
    match run_with(LENIENT, instructions, &[0; 8]).outcome {
        Outcome::Unsupported { what, .. } => what,
        outcome => panic!("{outcome:?}"),
    }
}

fn halts(parameters: Parameters, instructions: Vec<Instruction>) -> bool {
    run_with(parameters, instructions, &[1; 8]).outcome == Outcome::Halted
}

fn set(target: RegisterId, value: i128) -> Instruction {
    Instruction::Assign { target, value: Operand::Constant(value) }
}

fn compute(operation: Operation, left: i128, right: i128) -> Instruction {
    Instruction::Compute(Compute { target: A, operation, left: Operand::Constant(left), right: Operand::Constant(right) })
}

fn advance(target: RegisterId, base: RegisterId, steps: i128) -> Instruction {
    Instruction::Advance(Advance { target, base, index: Operand::Constant(steps), scale: 4 })
}

fn load(target: RegisterId, address: RegisterId, offset: i64) -> Instruction {
    Instruction::Load { target, address, offset }
}

fn store(address: RegisterId, offset: i64, source: RegisterId) -> Instruction {
    Instruction::Store { address, offset, source }
}

fn allocate(bytes: i128) -> Instruction {
    Instruction::Allocate(Allocate { target: Q, object: HEAP, bytes: Operand::Constant(bytes), fresh: Fresh::Arbitrary })
}

fn address(target: RegisterId, object: ObjectId) -> Instruction {
    Instruction::Address { target, object }
}

fn enter() -> Instruction {
    Instruction::Enter { object: LOCAL }
}

fn compare(relation: Relation, left: RegisterId, right: RegisterId) -> Instruction {
    let condition = Condition::Pointers { relation, left: PointerOperand::Register(left), right: PointerOperand::Register(right) };
    Instruction::Branch(Branch { condition, then: Location(0), otherwise: Location(0) })
}

/// Whether the comparison after `before` holds; none if it is left open.
fn equal(before: Vec<Instruction>, left: PointerOperand, right: PointerOperand) -> Option<bool> {
    let here = u32::try_from(before.len()).unwrap();
    let condition = Condition::Pointers { relation: Relation::Equal, left, right };
    let mut instructions = before;
    instructions.push(Instruction::Branch(Branch { condition, then: Location(here + 1), otherwise: Location(here + 2) }));
    instructions.push(Instruction::Ignore);
    match run_with(LENIENT, instructions, &[0; 8]).outcome {
        Outcome::Halted => Some(false),
        Outcome::Ignored => Some(true),
        Outcome::Unanswered { .. } => None,
        outcome => panic!("{outcome:?}"),
    }
}

#[test]
fn assignment_converts() {
    assert_eq!(register_after(C, vec![set(C, 200)]), Value::Integer(-56));
    assert_eq!(register_after(U, vec![set(U, -1)]), Value::Integer(0xffff_ffff));
    let copy = Instruction::Assign { target: A, value: Operand::Register(B) };
    assert_eq!(register_after(A, vec![set(A, 1), copy]), Value::Uninitialised);
    assert_eq!(failure_of(vec![Instruction::Assign { target: U, value: Operand::Register(B) }]), Failure::Uninitialised);
}

#[test]
fn computation_wraps_or_fails() {
    let most = i128::from(i32::MAX);
    assert_eq!(register_after(A, vec![compute(Operation::Add, most, 1)]), Value::Integer(-most - 1));
    assert_eq!(failure_under(STRICT, vec![compute(Operation::Add, most, 1)]), Failure::SignedOverflow);
    assert_eq!(failure_under(STRICT, vec![compute(Operation::ShiftLeft, -1, 1)]), Failure::SignedOverflow);
    assert_eq!(failure_of(vec![compute(Operation::ShiftLeft, 1, 32)]), Failure::ShiftAmount);
    assert_eq!(failure_of(vec![compute(Operation::Divide, 1, 0)]), Failure::DivisionByZero);
    assert_eq!(failure_of(vec![compute(Operation::Remainder, -most - 1, -1)]), Failure::DivisionOverflow);
    let unsigned = Instruction::Compute(Compute {
        target: U,
        operation: Operation::Subtract,
        left: Operand::Constant(0),
        right: Operand::Constant(1),
    });
    assert!(halts(STRICT, vec![unsigned]));
    let used =
        Instruction::Compute(Compute { target: A, operation: Operation::Add, left: Operand::Register(B), right: Operand::Constant(0) });
    assert_eq!(failure_of(vec![used]), Failure::Uninitialised);
}

#[test]
fn inputs_are_readable_writable_and_bounded() {
    assert_eq!(register_after(A, vec![load(A, P, 4)]), Value::Integer(2));
    assert_eq!(register_after(A, vec![set(B, 9), store(P, 4, B), load(A, P, 4)]), Value::Integer(9));
    assert_eq!(register_after(U, vec![set(B, -1), store(P, 0, B), load(U, P, 0)]), Value::Integer(0xffff_ffff));
    assert_eq!(failure_of(vec![load(A, P, 8)]), Failure::OutOfBounds);
    assert_eq!(failure_of(vec![load(A, P, -4)]), Failure::OutOfBounds);
    assert_eq!(failure_of(vec![Instruction::Null { target: P }, load(A, P, 0)]), Failure::NullAccess);
    assert_eq!(failure_of(vec![load(A, Q, 0)]), Failure::Uninitialised);
    assert_eq!(unsupported_by(vec![load(C, P, 0)]), Unsupported::Field);
    assert_eq!(unsupported_by(vec![load(A, P, 2)]), Unsupported::Field);
}

#[test]
fn static_objects_hold_their_tables() {
    assert_eq!(register_after(A, vec![address(Q, STATIC), load(A, Q, 8)]), Value::Integer(30));
    assert_eq!(failure_of(vec![address(Q, STATIC), set(A, 1), store(Q, 0, A)]), Failure::ReadOnly);
}

#[test]
fn pointers_move_by_elements_or_constant_bytes() {
    assert_eq!(register_after(A, vec![advance(Q, P, 5), advance(Q, Q, -4), load(A, Q, 0)]), Value::Integer(2));
    assert_eq!(failure_under(STRICT, vec![advance(Q, P, 3)]), Failure::PointerFormation);
    assert!(halts(STRICT, vec![advance(Q, P, 2)]));
    let bytes = |index, scale| Instruction::Advance(Advance { target: Q, base: P, index, scale });
    let three = bytes(Operand::Constant(-3), 1);
    assert_eq!(failure_under(STRICT, vec![three.clone()]), Failure::PointerFormation);
    assert_eq!(register_after(A, vec![three, load(A, Q, 7)]), Value::Integer(2));
    assert_eq!(register_after(A, vec![set(A, 6), bytes(Operand::Register(A), 1), load(A, Q, -2)]), Value::Integer(2));
    assert_eq!(register_after(A, vec![set(A, 1), bytes(Operand::Register(A), -4), load(A, Q, 4)]), Value::Integer(1));
    let null = Instruction::Null { target: P };
    assert_eq!(register_after(Q, vec![null.clone(), advance(Q, P, 0)]), Value::Null);
    assert_eq!(failure_of(vec![null, advance(Q, P, 1)]), Failure::NullAccess);
}

#[test]
fn distances_are_within_one_object() {
    let distance = |left, right, scale| Instruction::Distance(Distance { target: D, left, right, scale });
    assert_eq!(register_after(D, vec![advance(Q, P, 2), distance(P, Q, 4)]), Value::Integer(-2));
    assert_eq!(register_after(D, vec![advance(Q, P, 2), distance(Q, P, 1)]), Value::Integer(8));
    assert_eq!(unsupported_by(vec![advance(Q, P, 2), distance(Q, P, 3)]), Unsupported::Difference);
    assert_eq!(failure_of(vec![address(Q, STATIC), distance(P, Q, 4)]), Failure::PointerDifference);
    let null = |target| Instruction::Null { target };
    assert_eq!(register_after(D, vec![null(P), null(Q), distance(P, Q, 4)]), Value::Integer(0));
    assert_eq!(failure_of(vec![null(Q), distance(P, Q, 4)]), Failure::PointerDifference);
    assert_eq!(failure_of(vec![compare_setup(), compare(Relation::Less, P, Q)]), Failure::PointerComparison);
}

fn compare_setup() -> Instruction {
    address(Q, STATIC)
}

#[test]
fn pointer_equality_is_open_only_outside() {
    let (p, q) = (PointerOperand::Register(P), PointerOperand::Register(Q));
    assert_eq!(equal(vec![advance(Q, P, 0)], p, q), Some(true));
    assert_eq!(equal(vec![advance(Q, P, 1)], p, q), Some(false));
    assert_eq!(equal(vec![address(Q, STATIC)], p, q), Some(false));
    assert_eq!(equal(vec![address(Q, STATIC), advance(Q, Q, 3)], p, q), None);
    assert_eq!(equal(vec![advance(Q, P, 2)], q, PointerOperand::Null), Some(false));
    assert_eq!(equal(vec![advance(Q, P, 3)], q, PointerOperand::Null), None);
    assert_eq!(equal(vec![], PointerOperand::Null, PointerOperand::Null), Some(true));
}

#[test]
fn open_comparisons_are_recorded_apart() {
    let program = program(vec![address(Q, STATIC), advance(Q, Q, 3), compare_forward()]);
    let inputs = [InputValue::Array(vec![])];
    let mut environment = Replay::new(&[]).with_comparisons(&[1]);
    let run = run(&program, LENIENT, &inputs, &mut environment, 10, Tracing::Off).unwrap();
    assert_eq!((run.outcome, run.comparisons.as_slice(), run.choices.is_empty()), (Outcome::Halted, &[1][..], true));
    assert_eq!(run.to_certificate(&inputs), None);
}

fn compare_forward() -> Instruction {
    let condition =
        Condition::Pointers { relation: Relation::Equal, left: PointerOperand::Register(P), right: PointerOperand::Register(Q) };
    Instruction::Branch(Branch { condition, then: Location(3), otherwise: Location(3) })
}

#[test]
fn allocation_asks_in_order_and_is_freed_once() {
    let free = Instruction::Free { pointer: Q };
    let asked = run_with(STRICT, vec![allocate(9), load(A, Q, 4), free.clone()], &[1, 77]);
    assert_eq!((asked.outcome, asked.choices.as_slice(), asked.steps), (Outcome::Halted, &[1, 77][..], 4));
    assert_eq!(run_with(STRICT, vec![allocate(9), free.clone()], &[0]).choices, [0]);
    assert_eq!(run_with(STRICT, vec![allocate(1 << 63), free.clone()], &[]).outcome, Outcome::Halted);
    assert_eq!(failure_of(vec![allocate(9), load(A, Q, 8)]), Failure::OutOfBounds);
    assert_eq!(failure_of(vec![allocate(0), load(A, Q, 0)]), Failure::OutOfBounds);
    assert_eq!(failure_of(vec![allocate(8), free.clone(), free.clone()]), Failure::DeadObject);
    assert_eq!(failure_of(vec![allocate(8), free.clone(), load(A, Q, 0)]), Failure::DeadObject);
    assert_eq!(failure_of(vec![allocate(8), free.clone(), compare(Relation::Equal, Q, Q)]), Failure::DeadObject);
    assert!(halts(LENIENT, vec![allocate(8), free.clone(), Instruction::Copy { target: P, source: Q }]));
    assert_eq!(failure_of(vec![advance(Q, P, 1), free.clone()]), Failure::InvalidFree);
    assert_eq!(failure_of(vec![address(Q, STATIC), free]), Failure::InvalidFree);
    assert!(halts(LENIENT, vec![Instruction::Free { pointer: P }]));
    assert_eq!(register_after(A, vec![allocate(1 << 62), advance(Q, Q, 1 << 59), load(A, Q, 0)]), Value::Integer(0));
}

#[test]
fn every_execution_of_an_allocation_makes_an_object() {
    let loop_once = Instruction::Choose { then: Location(0), otherwise: Location(2) };
    let run = run_with(LENIENT, vec![allocate(4), loop_once], &[0, 0, 0, 1]);
    assert_eq!((run.outcome, run.choices.len()), (Outcome::Halted, 4));
}

#[test]
fn locals_live_in_their_scope() {
    assert_eq!(unsupported_by(vec![address(Q, LOCAL)]), Unsupported::Scope);
    assert_eq!(register_after(P, vec![enter(), address(Q, LOCAL), load(P, Q, 8)]), Value::Uninitialised);
    let leave = Instruction::Leave { object: LOCAL };
    assert_eq!(failure_of(vec![enter(), address(Q, LOCAL), leave, load(A, Q, 0)]), Failure::DeadObject);
    assert_eq!(register_after(P, vec![enter(), address(Q, LOCAL), store(Q, 8, P), load(P, Q, 8)]), register_after(P, vec![]));
}

#[test]
fn ends_are_told_apart() {
    assert_eq!(run_with(LENIENT, vec![Instruction::Ignore], &[]).outcome, Outcome::Ignored);
    let fail = Instruction::Fail { kind: FailKind::Assertion };
    assert!(matches!(failure_of(vec![fail]), Failure::Program(goatherd_interpreter::FailReason::Assertion)));
    let endless = Instruction::Jump { target: Location(0) };
    assert_eq!(run_with(LENIENT, vec![endless], &[]).outcome, Outcome::StepLimit);
    let havoc = Instruction::Havoc { target: C };
    assert_eq!(run_with(LENIENT, vec![havoc.clone()], &[128]).outcome, Outcome::Unanswered { location: Location(0) });
    assert_eq!(register_after(C, vec![havoc]), Value::Integer(0));
}

#[test]
fn values_that_are_no_input_are_refused() {
    let program = program(vec![]);
    let refused = |inputs: &[InputValue]| Machine::new(&program, LENIENT, inputs).err();
    assert_eq!(refused(&[]), Some(InvalidInput::Count { expected: 1, found: 0 }));
    assert_eq!(refused(&[InputValue::Integer(0)]), Some(InvalidInput::Kind(0)));
    assert_eq!(refused(&[InputValue::Array(vec![vec![1 << 40]])]), Some(InvalidInput::Range(0)));
    assert_eq!(refused(&[InputValue::Array(vec![vec![]])]), Some(InvalidInput::Fields(0)));
    assert_eq!(refused(&[InputValue::Array(vec![])]), None);
}

#[test]
fn elements_are_drawn_when_they_are_read() {
    let program = program(vec![set(A, 5), store(P, 0, A), load(A, P, 0), load(A, P, 4), load(B, P, 4)]);
    let shapes = [InputShape::Length(3)];
    let mut machine = Machine::draw(&program, LENIENT, &shapes).unwrap();
    let run = run_machine(&mut machine, &mut Replay::new(&[9]), 100, Tracing::Off);
    assert_eq!((run.outcome, run.choices.as_slice()), (Outcome::Halted, &[][..]));
    assert_eq!(machine.inputs(&shapes), [InputValue::Array(vec![vec![0], vec![9], vec![0]])]);
    assert_eq!(machine.registers()[B.index()], Value::Integer(9));
}

#[test]
fn linked_inputs_are_trees() {
    let mut program = program(vec![load(P, P, 8), load(A, P, 0)]);
    program.inputs = vec![Input::Linked { pointer: P, object: ObjectId(0) }];
    program.objects[0] = Object {
        name: "struct node".into(),
        layout: LayoutId(1),
        origin: Origin::Node { links: vec![Link::Data, Link::Child(SortId(0))] },
    };
    let node = |value, child| LinkedNode { integers: vec![value], children: vec![child] };
    let inputs = [InputValue::Linked(vec![node(1, Some(1)), node(2, None)])];
    let run = run(&program, LENIENT, &inputs, &mut Zero, 10, Tracing::On).unwrap();
    assert_eq!(run.outcome, Outcome::Halted);
    assert!(matches!(run.trace[1].write, Some(goatherd_interpreter::Write::Register { register: A, value: Value::Integer(2) })));
    for shape in [vec![node(1, Some(0))], vec![node(1, None), node(2, None)], vec![node(1, Some(7))]] {
        assert_eq!(Machine::new(&program, LENIENT, &[InputValue::Linked(shape)]).err(), Some(InvalidInput::Shape(0)));
    }
}

#[test]
fn the_same_seed_gives_the_same_answers() {
    let instructions = vec![Instruction::Havoc { target: A }, Instruction::Havoc { target: C }, allocate(4)];
    let program = program(instructions);
    let inputs = [InputValue::Array(vec![])];
    let once = || run(&program, STRICT, &inputs, &mut Random::new(7), 10, Tracing::On).unwrap();
    assert_eq!(once(), once());
    let run = once();
    let replayed = goatherd_interpreter::run(&program, STRICT, &inputs, &mut Replay::new(&run.choices), 10, Tracing::On).unwrap();
    assert_eq!(run, replayed);
}
