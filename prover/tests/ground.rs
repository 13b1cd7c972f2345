//! The interpreter and the kernel, written independently from `spec/program.md`, on random programs: a run fails in one if and only if the
//! other replays it as a failure.

use goatherd::encode;
use goatherd_certificates::{
    certificate::{
        Allocation, Arithmetic, Certificate, Claim, DataModel, Evidence, GroundRun, Limits, Origin as SourceOrigin, Parameters,
        PointerFormation, Position, SignedOverflow, Statement,
    },
    program::{
        Access, Advance, Allocate, ArrayInput, Branch, Compute, Condition, Contents, Distance, FailKind, Field, Fresh, Input, Instruction,
        IntegerType, Layout, LayoutId, Location, Object, ObjectId, Operand, Operation, Origin, PointerOperand, Program, Register,
        RegisterId, Relation, Table, TableId, Type,
    },
};
use goatherd_interpreter::{InputValue, Outcome, Random, Tracing, run, well_formed};
use std::collections::BTreeMap;

const INTEGERS: [IntegerType; 9] = [
    IntegerType::Bool,
    IntegerType::I8,
    IntegerType::U8,
    IntegerType::I16,
    IntegerType::I32,
    IntegerType::I32,
    IntegerType::U32,
    IntegerType::I64,
    IntegerType::U64,
];

/// Pointer registers stand behind the integer ones.
const POINTERS: u32 = 4;

/// The most instructions of a run.
const STEPS: u64 = 200;

struct Programs {
    random: Random,
}

impl Programs {
    fn below(&mut self, bound: u32) -> u32 {
        u32::try_from(self.random.below(u64::from(bound))).unwrap()
    }

    fn pick<T: Clone>(&mut self, among: &[T]) -> T {
        among[usize::try_from(self.random.below(u64::try_from(among.len()).unwrap())).unwrap()].clone()
    }

    fn any_integer(&mut self) -> (RegisterId, IntegerType) {
        let register = self.below(9);
        (RegisterId(register), INTEGERS[usize::try_from(register).unwrap()])
    }

    fn pointer(&mut self) -> RegisterId {
        RegisterId(9 + self.below(POINTERS))
    }

    fn integer_of(&mut self, kind: IntegerType) -> RegisterId {
        let all: Vec<u32> = (0..9).filter(|register| INTEGERS[usize::try_from(*register).unwrap()] == kind).collect();
        RegisterId(self.pick(&all))
    }

    fn operand(&mut self, kind: IntegerType) -> Operand {
        if self.below(2) == 0 { Operand::Constant(self.random.value(kind)) } else { Operand::Register(self.integer_of(kind)) }
    }

    fn any_operand(&mut self) -> Operand {
        if self.below(2) == 0 { Operand::Constant(i128::from(self.below(4)) - 1) } else { Operand::Register(self.any_integer().0) }
    }

    fn pointer_operand(&mut self) -> PointerOperand {
        if self.below(4) == 0 { PointerOperand::Null } else { PointerOperand::Register(self.pointer()) }
    }

    fn condition(&mut self) -> Condition {
        let relation = self.pick(&[Relation::Equal, Relation::Less, Relation::LessOrEqual]);
        if self.below(3) == 0 {
            let relation = if self.below(3) == 0 { relation } else { Relation::Equal };
            return Condition::Pointers { relation, left: self.pointer_operand(), right: self.pointer_operand() };
        }
        let (_, kind) = self.any_integer();
        Condition::Integers { relation, left: self.operand(kind), right: self.operand(kind) }
    }

    /// An instruction at this place of a program of so many.
    fn instruction(&mut self, here: u32, count: u32) -> Instruction {
        // Mostly forwards, so that most runs end.
        let target = |programs: &mut Self| {
            let backwards = programs.below(12) == 0;
            Location(if backwards { programs.below(count) } else { (here + 1 + programs.below(3)).min(count - 1) })
        };
        let scale = self.pick(&[1, 2, 4, 4, 4, 16, -4, 12, 0]);
        let offset = self.pick(&[0, 0, 0, 4, -4, 8, 1, 16]);
        match self.below(40) {
            0 => Instruction::Choose { then: target(self), otherwise: target(self) },
            1 => Instruction::Jump { target: target(self) },
            2..=7 => Instruction::Branch(Branch { condition: self.condition(), then: target(self), otherwise: target(self) }),
            8..=10 => {
                let (register, kind) = self.any_integer();
                let value = if kind == IntegerType::Bool { self.operand(kind) } else { self.any_operand() };
                Instruction::Assign { target: register, value }
            }
            11..=16 => {
                let kind = self.pick(&INTEGERS[1..]);
                let operation = self.pick(&[
                    Operation::Add,
                    Operation::Subtract,
                    Operation::Multiply,
                    Operation::Divide,
                    Operation::Remainder,
                    Operation::And,
                    Operation::Or,
                    Operation::Xor,
                    Operation::ShiftLeft,
                    Operation::ShiftRight,
                ]);
                let right = match operation {
                    Operation::ShiftLeft | Operation::ShiftRight => self.any_operand(),
                    _ => self.operand(kind),
                };
                Instruction::Compute(Compute { target: self.integer_of(kind), operation, left: self.operand(kind), right })
            }
            17 => Instruction::Havoc { target: self.any_integer().0 },
            18 => Instruction::Uninitialise { target: RegisterId(self.below(9 + POINTERS)) },
            19 => Instruction::Null { target: self.pointer() },
            20 | 21 => Instruction::Copy { target: self.pointer(), source: self.pointer() },
            22 => Instruction::Address { target: self.pointer(), object: self.pick(&[ObjectId(2), ObjectId(3), ObjectId(4)]) },
            23..=26 => Instruction::Advance(Advance { target: self.pointer(), base: self.pointer(), index: self.any_operand(), scale }),
            27 => Instruction::Distance(Distance {
                target: self.integer_of(IntegerType::I64),
                left: self.pointer(),
                right: self.pointer(),
                scale: self.pick(&[1, 4, 4, 8]),
            }),
            28..=31 => {
                let target = if self.below(4) == 0 { self.pointer() } else { self.any_integer().0 };
                Instruction::Load { target, address: self.pointer(), offset }
            }
            32..=34 => {
                let source = if self.below(4) == 0 { self.pointer() } else { self.any_integer().0 };
                Instruction::Store { address: self.pointer(), offset, source }
            }
            35 => Instruction::Free { pointer: self.pointer() },
            36 => Instruction::Leave { object: ObjectId(4) },
            37 => Instruction::Ignore,
            38 => Instruction::Fail { kind: FailKind::Assertion },
            _ => Instruction::Halt,
        }
    }

    fn program(&mut self) -> Program {
        let mut registers: Vec<Register> = INTEGERS.iter().map(|kind| Register { name: "i".into(), kind: Type::Integer(*kind) }).collect();
        registers.extend((0..POINTERS).map(|_| Register { name: "p".into(), kind: Type::Pointer }));
        let field = |offset, kind| Field { name: "f".into(), offset, kind };
        let int = Type::Integer(IntegerType::I32);
        let object = |layout, origin| Object { name: "o".into(), layout: LayoutId(layout), origin };
        let table = |access| Origin::Static { count: 3, contents: vec![Contents::Table(TableId(0))], access };
        // Objects come to be once, before the rest: the kernel knows one object per declaration.
        let fresh = self.pick(&[Fresh::Arbitrary, Fresh::Zero]);
        let (third, fourth) = (RegisterId(11), RegisterId(12));
        let mut instructions = vec![
            Instruction::Enter { object: ObjectId(4) },
            Instruction::Allocate(Allocate {
                target: third,
                object: ObjectId(5),
                bytes: Operand::Constant(i128::from(self.below(40))),
                fresh,
            }),
            Instruction::Address { target: fourth, object: ObjectId(4) },
        ];
        // Integers mostly hold something.
        for register in 0..8 {
            if self.below(8) != 0 {
                let kind = INTEGERS[usize::try_from(register).unwrap()];
                instructions.push(Instruction::Assign { target: RegisterId(register), value: Operand::Constant(self.random.value(kind)) });
            }
        }
        let count = u32::try_from(instructions.len()).unwrap() + 30;
        while instructions.len() + 1 < usize::try_from(count).unwrap() {
            let here = u32::try_from(instructions.len()).unwrap();
            instructions.push(self.instruction(here, count));
        }
        instructions.push(Instruction::Halt);
        let program = Program {
            entry: "test".into(),
            registers,
            layouts: vec![
                Layout { name: "int".into(), size: 4, fields: vec![field(0, int)] },
                Layout {
                    name: "pair".into(),
                    size: 16,
                    fields: vec![
                        field(0, Type::Integer(IntegerType::U8)),
                        field(1, Type::Integer(IntegerType::Bool)),
                        field(4, int),
                        field(8, Type::Pointer),
                    ],
                },
            ],
            objects: vec![
                object(0, Origin::Input),
                object(1, Origin::Input),
                object(0, table(Access::ReadOnly)),
                object(0, table(Access::ReadWrite)),
                object(1, Origin::Local { count: 2 }),
                object(self.below(2), Origin::Heap),
            ],
            tables: vec![Table { kind: IntegerType::I32, values: vec![7, -1, 0] }],
            inputs: vec![
                Input::Array(ArrayInput { pointer: RegisterId(9), length: RegisterId(8), object: ObjectId(0) }),
                Input::Single { pointer: RegisterId(10), object: ObjectId(1) },
            ],
            instructions,
            assertions: vec![],
        };
        assert_eq!(well_formed::check(&program), Ok(()));
        program
    }

    fn inputs(&mut self) -> Vec<InputValue> {
        let elements = (0..self.below(4)).map(|_| vec![self.random.value(IntegerType::I32)]).collect();
        let fields = vec![self.random.value(IntegerType::U8), self.random.value(IntegerType::Bool), self.random.value(IntegerType::I32)];
        vec![InputValue::Array(elements), InputValue::Single((self.below(4) != 0).then_some(fields))]
    }

    fn parameters(&mut self) -> Parameters {
        Parameters {
            data_model: DataModel::Lp64SignedChar,
            signed_overflow: self.pick(&[SignedOverflow::Wraps, SignedOverflow::Fails]),
            pointer_formation: self.pick(&[PointerFormation::Anywhere, PointerFormation::InsideObject]),
            allocation: self.pick(&[Allocation::Succeeds, Allocation::MayFail]),
            arithmetic: Arithmetic::C,
        }
    }
}

/// Does the kernel replay the run as a failure?
fn replays(program: &Program, parameters: Parameters, run: GroundRun) -> Result<(), String> {
    let position = Position { file: 0, line: 1, column: 1 };
    let certificate = Certificate {
        limits: Limits::of_memory(1 << 24),
        statement: Statement {
            landmarks: Vec::new(),
            claim: Claim::Unsafe,
            parameters,
            origin: SourceOrigin { file: "test.c".into(), digest: [0; 32], definitions: vec![], includes: vec![], waived: vec![] },
            program: program.clone(),
        },
        files: vec!["test.c".into()],
        positions: vec![position; program.instructions.len()],
        terms: vec![],
        evidence: Evidence::Run(run),
        witnesses: vec![],
    };
    let bytes = encode::certificate(&certificate).unwrap();
    goatherd_claims::check(&bytes, Limits::of_memory(1 << 26), encode::digest).map(|_| ()).map_err(|failure| format!("{failure:?}"))
}

#[test]
fn the_kernel_replays_exactly_the_runs_that_fail() {
    let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
    let mut differences = Vec::new();
    for seed in 0..1500 {
        let mut programs = Programs { random: Random::new(seed) };
        let (program, parameters, inputs) = (programs.program(), programs.parameters(), programs.inputs());
        let run = run(&program, parameters, &inputs, &mut Random::new(seed), STEPS, Tracing::Off).unwrap();
        let kind = match run.outcome {
            Outcome::Failed { failure, .. } => format!("{failure:?}"),
            Outcome::Unsupported { what, .. } => format!("unsupported {what:?}"),
            outcome => format!("{outcome:?}"),
        };
        *outcomes.entry(kind.clone()).or_default() += 1;
        let certificate_inputs: Vec<_> = inputs.iter().map(InputValue::to_certificate).collect();
        let ground = GroundRun { inputs: certificate_inputs, choices: run.choices.clone(), steps: run.steps };
        let fails = matches!(run.outcome, Outcome::Failed { .. }) && run.comparisons.is_empty();
        let replayed = replays(&program, parameters, ground.clone());
        // Uninitialised values in arrays, and products beyond 127 bits, are beyond the kernel.
        let is_beyond = replayed.as_ref().is_err_and(|rejection| rejection.contains("Shape") || rejection.contains("Overflow"));
        // Whether a load of something else as `_Bool` is outside the object or unsupported depends on how the kernel holds the object.
        let is_load_of_bool = match run.outcome {
            Outcome::Failed { location, .. } => {
                matches!(program.instructions[location.index()], Instruction::Load { target: RegisterId(0), .. })
            }
            _ => false,
        };
        let is_beyond = is_beyond || is_load_of_bool && replayed.as_ref().is_err_and(|rejection| rejection.contains("Unsupported(Access)"));
        if replayed.is_ok() != fails && !is_beyond {
            differences.push(format!("seed {seed}: {kind}, kernel {replayed:?}"));
        }
        if fails && replays(&program, parameters, GroundRun { steps: ground.steps - 1, ..ground }).is_ok() {
            differences.push(format!("seed {seed}: {kind} also one step earlier"));
        }
    }
    assert!(differences.is_empty(), "{} of 1500:\n{}", differences.len(), differences[..differences.len().min(20)].join("\n"));
    // Every kind of end occurs, or the programs are not random enough.
    assert!(outcomes.len() >= 15, "{outcomes:?}");
}
