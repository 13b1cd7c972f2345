//! One rejecting test per condition on programs: each changes one thing of a well-formed program, which then violates that condition alone.
#![expect(
    clippy::indexing_slicing,
    reason = "each test changes what it knows to stand there"
)]

mod declarations;

use goatherd_certificates::{
    certificate::{
        Allocation, Arithmetic, Certificate, Claim, DataModel, Evidence, GroundRun, Limits,
        Origin as SourceOrigin, Parameters, PointerFormation, Position, SignedOverflow, Statement,
    },
    program::{
        Access, Advance, Allocate, ArrayInput, Branch, Compute, Condition, Contents, Distance,
        FailKind, Field, Fresh, Input, Instruction, IntegerType, Layout, LayoutId, Location,
        Object, ObjectId, Operand, Operation, Origin, PointerOperand, Program, Register,
        RegisterId, Relation, Table, TableId, Type,
    },
};
use goatherd_checker::budget::Budget;
use goatherd_checker::error::{Failure, Where};
use goatherd_checker::rejection::Rejection;
use goatherd_checker::wellformed::{self, Fault, Part};

/// One register of each kind that matters, by these names.
const TRUTH: RegisterId = RegisterId(0);
const BYTE: RegisterId = RegisterId(1);
const INT: RegisterId = RegisterId(2);
const LONG: RegisterId = RegisterId(3);
const SIZE: RegisterId = RegisterId(4);
const POINTER: RegisterId = RegisterId(5);
const OTHER: RegisterId = RegisterId(6);
const NO_REGISTER: RegisterId = RegisterId(7);

/// One object of each origin.
const ARRAY: ObjectId = ObjectId(0);
const SINGLE: ObjectId = ObjectId(1);
const STATIC: ObjectId = ObjectId(2);
const LOCAL: ObjectId = ObjectId(3);
const HEAP: ObjectId = ObjectId(4);
const NO_OBJECT: ObjectId = ObjectId(5);

/// Layouts: plain bytes; an integer beside a pointer.
const BYTES: LayoutId = LayoutId(0);
const NODE: LayoutId = LayoutId(1);

/// The location of the one branch.
const BRANCH: Location = Location(0);
/// The location of the one `Halt`, the last instruction.
const HALT: Location = Location(2);

#[expect(clippy::too_many_lines, reason = "a whole certificate, written out")]
fn well_formed() -> Certificate {
    let text = String::from;
    let kinds = [
        Type::Integer(IntegerType::Bool),
        Type::Integer(IntegerType::U8),
        Type::Integer(IntegerType::I32),
        Type::Integer(IntegerType::I64),
        Type::Integer(IntegerType::U64),
        Type::Pointer,
        Type::Pointer,
    ];
    let field = |offset, kind| Field {
        name: String::new(),
        offset,
        kind,
    };
    let object = |layout, origin| Object {
        name: String::new(),
        layout,
        origin,
    };
    let contents = vec![
        Contents::Table(TableId(0)),
        Contents::Pointers(vec![Some(STATIC), None]),
    ];
    let program = Program {
        entry: text("test"),
        registers: kinds
            .map(|kind| Register {
                name: String::new(),
                kind,
            })
            .to_vec(),
        layouts: vec![
            Layout {
                name: text("unsigned char"),
                size: 1,
                fields: vec![field(0, Type::Integer(IntegerType::U8))],
            },
            Layout {
                name: text("struct node"),
                size: 16,
                fields: vec![
                    field(0, Type::Integer(IntegerType::I32)),
                    field(8, Type::Pointer),
                ],
            },
        ],
        objects: vec![
            object(BYTES, Origin::Input),
            object(NODE, Origin::Input),
            object(
                NODE,
                Origin::Static {
                    count: 2,
                    contents,
                    access: Access::ReadWrite,
                },
            ),
            object(
                BYTES,
                Origin::Local {
                    count: (1 << 63) - 1,
                },
            ),
            object(NODE, Origin::Heap),
        ],
        tables: vec![Table {
            kind: IntegerType::I32,
            values: vec![-0x8000_0000, 0x7fff_ffff],
        }],
        inputs: vec![
            Input::Integer { register: INT },
            Input::Array(ArrayInput {
                pointer: POINTER,
                length: SIZE,
                object: ARRAY,
            }),
            Input::Single {
                pointer: OTHER,
                object: SINGLE,
            },
        ],
        instructions: vec![
            Instruction::Branch(Branch {
                condition: Condition::Integers {
                    relation: Relation::Less,
                    left: Operand::Register(INT),
                    right: Operand::Constant(-1),
                },
                then: BRANCH,
                otherwise: Location(1),
            }),
            Instruction::Ignore,
            Instruction::Halt,
        ],
        assertions: vec![BRANCH],
    };
    Certificate {
        limits: Limits { memory: 0, work: 0 },
        statement: Statement {
            landmarks: Vec::new(),
            claim: Claim::Unsafe,
            parameters: Parameters {
                data_model: DataModel::Lp64SignedChar,
                signed_overflow: SignedOverflow::Wraps,
                pointer_formation: PointerFormation::Anywhere,
                allocation: Allocation::MayFail,
                arithmetic: Arithmetic::C,
            },
            origin: SourceOrigin {
                file: text("test.c"),
                digest: [0; 32],
                definitions: Vec::new(),
                includes: Vec::new(),
                waived: Vec::new(),
            },
            program,
        },
        files: vec![text("test.c")],
        positions: vec![
            Position {
                file: 0,
                line: 1,
                column: 1
            };
            3
        ],
        terms: Vec::new(),
        evidence: Evidence::Run(GroundRun {
            inputs: Vec::new(),
            choices: Vec::new(),
            steps: 0,
        }),
        witnesses: Vec::new(),
    }
}

/// The entry of the table violates the condition.
fn violated(part: Part, index: usize, fault: Fault) -> Result<(), Failure> {
    Err(Failure::Rejected {
        place: Where::Entry(part, index),
        rejection: Rejection::IllFormed(fault),
    })
}

/// What is wrong with the changed certificate.
fn changed(change: impl FnOnce(&mut Certificate)) -> Result<(), Failure> {
    let mut certificate = well_formed();
    change(&mut certificate);
    wellformed::certificate(&certificate, &mut Budget::new(0))
}

/// The changed program violates this condition.
fn refuses(part: Part, index: usize, fault: Fault, change: impl FnOnce(&mut Program)) {
    assert_eq!(
        changed(|certificate| change(&mut certificate.statement.program)),
        violated(part, index, fault)
    );
}

/// What is wrong with the program when this instruction stands in the middle.
fn with_instruction(instruction: Instruction) -> Result<(), Failure> {
    changed(|certificate| certificate.statement.program.instructions[1] = instruction)
}

/// Every one of these instructions violates this condition.
fn refuses_instructions(fault: Fault, instructions: impl IntoIterator<Item = Instruction>) {
    for instruction in instructions {
        assert_eq!(
            with_instruction(instruction.clone()),
            violated(Part::Instruction, 1, fault),
            "{instruction:?}"
        );
    }
}

fn set_contents(program: &mut Program, contents: Vec<Contents>) {
    program.objects[STATIC.index()].origin = Origin::Static {
        count: 2,
        contents,
        access: Access::ReadOnly,
    };
}

fn compare(left: Operand, right: Operand) -> Instruction {
    Instruction::Branch(Branch {
        condition: Condition::Integers {
            relation: Relation::Equal,
            left,
            right,
        },
        then: HALT,
        otherwise: HALT,
    })
}

fn compare_pointers(left: PointerOperand, right: PointerOperand) -> Instruction {
    Instruction::Branch(Branch {
        condition: Condition::Pointers {
            relation: Relation::Equal,
            left,
            right,
        },
        then: HALT,
        otherwise: HALT,
    })
}

fn compute(target: RegisterId, operation: Operation, left: Operand, right: Operand) -> Instruction {
    Instruction::Compute(Compute {
        target,
        operation,
        left,
        right,
    })
}

fn assign(target: RegisterId, value: Operand) -> Instruction {
    Instruction::Assign { target, value }
}

fn advance(target: RegisterId, base: RegisterId, index: Operand) -> Instruction {
    Instruction::Advance(Advance {
        target,
        base,
        index,
        scale: -1,
    })
}

fn distance(target: RegisterId, left: RegisterId, right: RegisterId, scale: u64) -> Instruction {
    Instruction::Distance(Distance {
        target,
        left,
        right,
        scale,
    })
}

fn load(target: RegisterId, address: RegisterId) -> Instruction {
    Instruction::Load {
        target,
        address,
        offset: 0,
    }
}

fn store(address: RegisterId, source: RegisterId) -> Instruction {
    Instruction::Store {
        address,
        offset: 0,
        source,
    }
}

fn allocate(target: RegisterId, object: ObjectId, bytes: Operand) -> Instruction {
    Instruction::Allocate(Allocate {
        target,
        object,
        bytes,
        fresh: Fresh::Zero,
    })
}

const fn register(register: RegisterId) -> Operand {
    Operand::Register(register)
}

#[test]
fn an_instruction_leads_to_an_instruction() {
    let (inside, outside) = (Location(2), Location(3));
    assert_eq!(
        with_instruction(Instruction::Jump { target: inside }),
        Ok(())
    );
    let condition = Condition::Integers {
        relation: Relation::Equal,
        left: Operand::Constant(0),
        right: Operand::Constant(0),
    };
    refuses_instructions(
        Fault::Location,
        [
            Instruction::Jump { target: outside },
            Instruction::Choose {
                then: outside,
                otherwise: inside,
            },
            Instruction::Choose {
                then: inside,
                otherwise: outside,
            },
            Instruction::Branch(Branch {
                condition,
                then: outside,
                otherwise: inside,
            }),
            Instruction::Branch(Branch {
                condition,
                then: inside,
                otherwise: outside,
            }),
        ],
    );
}

#[test]
fn the_unchanged_program_is_well_formed() {
    assert_eq!(changed(|_| {}), Ok(()));
    assert_eq!(changed(|certificate| certificate.positions.clear()), Ok(()));
}

#[test]
fn every_instruction_is_well_formed() {
    let large = Operand::Constant(0xffff_ffff_ffff_ffff);
    let least = Operand::Constant(-0x8000_0000_0000_0000);
    let null = PointerOperand::Null;
    for instruction in [
        Instruction::Jump { target: HALT },
        compare(register(TRUTH), large),
        compare(least, register(SIZE)),
        compare_pointers(null, PointerOperand::Register(POINTER)),
        Instruction::Choose {
            then: HALT,
            otherwise: BRANCH,
        },
        Instruction::Fail {
            kind: FailKind::Reached,
        },
        assign(TRUTH, register(TRUTH)),
        assign(TRUTH, Operand::Constant(1)),
        assign(BYTE, register(TRUTH)),
        assign(BYTE, least),
        compute(
            INT,
            Operation::Add,
            register(INT),
            Operand::Constant(-0x8000_0000),
        ),
        compute(INT, Operation::ShiftLeft, register(INT), register(SIZE)),
        compute(INT, Operation::ShiftRight, register(INT), large),
        Instruction::Havoc { target: TRUTH },
        Instruction::Uninitialise { target: POINTER },
        Instruction::Null { target: POINTER },
        Instruction::Copy {
            target: POINTER,
            source: OTHER,
        },
        Instruction::Address {
            target: POINTER,
            object: STATIC,
        },
        Instruction::Address {
            target: POINTER,
            object: LOCAL,
        },
        advance(POINTER, OTHER, register(BYTE)),
        advance(POINTER, OTHER, large),
        distance(LONG, POINTER, OTHER, 16),
        load(INT, POINTER),
        load(OTHER, POINTER),
        store(POINTER, POINTER),
        allocate(POINTER, HEAP, register(SIZE)),
        Instruction::Free { pointer: POINTER },
        Instruction::CheckLeaks {
            roots: vec![POINTER],
        },
        Instruction::Enter { object: LOCAL },
        Instruction::Leave { object: LOCAL },
    ] {
        assert_eq!(
            with_instruction(instruction.clone()),
            Ok(()),
            "{instruction:?}"
        );
    }
}

#[test]
fn register_exists() {
    let (none, null) = (NO_REGISTER, PointerOperand::Null);
    refuses_instructions(
        Fault::Register,
        [
            compare(register(none), Operand::Constant(0)),
            compare(Operand::Constant(0), register(none)),
            compare_pointers(PointerOperand::Register(none), null),
            compare_pointers(null, PointerOperand::Register(none)),
            assign(none, Operand::Constant(0)),
            assign(INT, register(none)),
            assign(TRUTH, register(none)),
            compute(none, Operation::Add, register(INT), register(INT)),
            compute(INT, Operation::Add, register(none), register(INT)),
            compute(INT, Operation::Add, register(INT), register(none)),
            compute(INT, Operation::ShiftLeft, register(INT), register(none)),
            Instruction::Havoc { target: none },
            Instruction::Uninitialise { target: none },
            Instruction::Null { target: none },
            Instruction::Copy {
                target: none,
                source: OTHER,
            },
            Instruction::Copy {
                target: POINTER,
                source: none,
            },
            Instruction::Address {
                target: none,
                object: STATIC,
            },
            advance(none, OTHER, register(INT)),
            advance(POINTER, none, register(INT)),
            advance(POINTER, OTHER, register(none)),
            distance(none, POINTER, OTHER, 1),
            distance(LONG, none, OTHER, 1),
            distance(LONG, POINTER, none, 1),
            load(none, POINTER),
            load(INT, none),
            store(none, INT),
            store(POINTER, none),
            allocate(none, HEAP, register(SIZE)),
            allocate(POINTER, HEAP, register(none)),
            Instruction::Free { pointer: none },
            Instruction::CheckLeaks {
                roots: vec![POINTER, none],
            },
        ],
    );
}

#[test]
fn integer() {
    refuses_instructions(
        Fault::Integer,
        [
            compare(register(POINTER), Operand::Constant(0)),
            compare(Operand::Constant(0), register(POINTER)),
            assign(POINTER, Operand::Constant(0)),
            assign(INT, register(POINTER)),
            compute(POINTER, Operation::Add, register(INT), register(INT)),
            compute(INT, Operation::Add, register(POINTER), register(INT)),
            compute(INT, Operation::Add, register(INT), register(POINTER)),
            compute(INT, Operation::ShiftLeft, register(INT), register(POINTER)),
            Instruction::Havoc { target: POINTER },
            advance(POINTER, OTHER, register(POINTER)),
            distance(POINTER, POINTER, OTHER, 1),
            allocate(POINTER, HEAP, register(POINTER)),
        ],
    );
}

#[test]
fn pointer() {
    refuses_instructions(
        Fault::Pointer,
        [
            compare_pointers(PointerOperand::Register(SIZE), PointerOperand::Null),
            compare_pointers(PointerOperand::Null, PointerOperand::Register(SIZE)),
            Instruction::Null { target: SIZE },
            Instruction::Copy {
                target: SIZE,
                source: OTHER,
            },
            Instruction::Copy {
                target: POINTER,
                source: SIZE,
            },
            Instruction::Address {
                target: SIZE,
                object: STATIC,
            },
            advance(SIZE, OTHER, register(INT)),
            advance(POINTER, SIZE, register(INT)),
            distance(LONG, SIZE, OTHER, 1),
            distance(LONG, POINTER, SIZE, 1),
            load(INT, SIZE),
            store(SIZE, INT),
            allocate(SIZE, HEAP, register(SIZE)),
            Instruction::Free { pointer: SIZE },
            Instruction::CheckLeaks {
                roots: vec![POINTER, SIZE],
            },
        ],
    );
}

#[test]
fn integer_type() {
    refuses_instructions(
        Fault::Type,
        [
            compute(INT, Operation::Add, register(LONG), register(INT)),
            compute(INT, Operation::Add, register(INT), register(LONG)),
            compute(INT, Operation::ShiftLeft, register(LONG), register(INT)),
            distance(SIZE, POINTER, OTHER, 1),
            allocate(POINTER, HEAP, register(LONG)),
            assign(TRUTH, register(INT)),
        ],
    );
}

#[test]
fn constant() {
    let (above, below) = (
        Operand::Constant(1 << 64),
        Operand::Constant(-(1 << 63) - 1),
    );
    refuses_instructions(
        Fault::Constant,
        [
            compare(above, register(INT)),
            compare(register(INT), below),
            assign(INT, above),
            assign(TRUTH, Operand::Constant(2)),
            assign(TRUTH, Operand::Constant(-1)),
            compute(
                INT,
                Operation::Add,
                Operand::Constant(1 << 31),
                register(INT),
            ),
            compute(
                INT,
                Operation::Add,
                register(INT),
                Operand::Constant(-(1 << 31) - 1),
            ),
            compute(
                INT,
                Operation::ShiftLeft,
                Operand::Constant(1 << 31),
                register(INT),
            ),
            compute(INT, Operation::ShiftLeft, register(INT), above),
            compute(BYTE, Operation::And, register(BYTE), Operand::Constant(-1)),
            advance(POINTER, OTHER, below),
            allocate(POINTER, HEAP, Operand::Constant(-1)),
            allocate(POINTER, HEAP, above),
        ],
    );
}

#[test]
fn truth() {
    refuses_instructions(
        Fault::Bool,
        [compute(
            TRUTH,
            Operation::And,
            register(TRUTH),
            register(TRUTH),
        )],
    );
}

#[test]
fn scale() {}

#[test]
fn object_exists() {
    let object = NO_OBJECT;
    let bytes = register(SIZE);
    refuses_instructions(
        Fault::Object,
        [
            Instruction::Address {
                target: POINTER,
                object,
            },
            allocate(POINTER, object, bytes),
            Instruction::Enter { object },
            Instruction::Leave { object },
        ],
    );
}

#[test]
fn origin() {
    let bytes = register(SIZE);
    let address = |object| Instruction::Address {
        target: POINTER,
        object,
    };
    refuses_instructions(Fault::Origin, [ARRAY, SINGLE, HEAP].map(address));
    refuses_instructions(
        Fault::Origin,
        [ARRAY, STATIC, LOCAL].map(|object| allocate(POINTER, object, bytes)),
    );
    refuses_instructions(
        Fault::Origin,
        [ARRAY, STATIC, HEAP].map(|object| Instruction::Enter { object }),
    );
    refuses_instructions(
        Fault::Origin,
        [ARRAY, STATIC, HEAP].map(|object| Instruction::Leave { object }),
    );
}
