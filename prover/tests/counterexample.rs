//! Counterexamples of programs written by hand: found, small, and shown by the sanitizers when written as C.

use goatherd::{
    prove::{Answer, Doubt, confirm},
    task::Task,
};
use goatherd_certificates::{
    certificate::{self, Allocation, Arithmetic, DataModel, Parameters, PointerFormation, Position, SignedOverflow},
    program::{
        Advance, Allocate, ArrayInput, Branch, Compute, Condition, FailKind, Field, Fresh, Input, Instruction, IntegerType, Layout,
        LayoutId, Location, Object, ObjectId, Operand, Operation, Origin, Program, Register, RegisterId, Relation, Type,
    },
};
use goatherd_counterexample::{Counterexample, Goal, replay, search, write_c};
use goatherd_interpreter::{Failure, InputValue, well_formed};
use std::{collections::BTreeSet, env, fs, process::Command};

const PARAMETERS: Parameters = Parameters {
    data_model: DataModel::Lp64SignedChar,
    signed_overflow: SignedOverflow::Wraps,
    pointer_formation: PointerFormation::Anywhere,
    allocation: Allocation::MayFail,
    arithmetic: Arithmetic::C,
};

const X: RegisterId = RegisterId(0);
const N: RegisterId = RegisterId(1);
const P: RegisterId = RegisterId(2);
const V: RegisterId = RegisterId(3);
const K: RegisterId = RegisterId(4);

/// A program over one array of `int`, one integer and one allocation site.
fn program(instructions: Vec<Instruction>, assertions: Vec<Location>) -> Program {
    let register = |name: &str, kind| Register { name: name.into(), kind };
    let int = Type::Integer(IntegerType::I32);
    let program = Program {
        entry: "test".into(),
        registers: vec![
            register("a.X", Type::Pointer),
            register("a.n_X", int),
            register("p", Type::Pointer),
            register("v", int),
            register("k", int),
        ],
        layouts: vec![Layout { name: "int".into(), size: 4, fields: vec![Field { name: String::new(), offset: 0, kind: int }] }],
        objects: vec![
            Object { name: "a.X".into(), layout: LayoutId(0), origin: Origin::Input },
            Object { name: "malloc".into(), layout: LayoutId(0), origin: Origin::Heap },
        ],
        tables: vec![],
        inputs: vec![Input::Array(ArrayInput { pointer: X, length: N, object: ObjectId(0) }), Input::Integer { register: K }],
        instructions,
        assertions,
    };
    assert_eq!(well_formed::check(&program), Ok(()));
    program
}

fn equals(register: RegisterId, value: i128, then: u32, otherwise: u32) -> Instruction {
    let condition = Condition::Integers { relation: Relation::Equal, left: Operand::Register(register), right: Operand::Constant(value) };
    Instruction::Branch(Branch { condition, then: Location(then), otherwise: Location(otherwise) })
}

fn found(program: &Program) -> Counterexample {
    let findings = search(program, PARAMETERS, Goal::Failure, 500_000);
    assert_eq!(findings, search(program, PARAMETERS, Goal::Failure, 500_000));
    findings.counterexamples.into_iter().next().expect("a failing run")
}

/// What the C file of the counterexample prints when it is run; none without a C compiler.
fn shown(name: &str, text: &str, program: &Program, counterexample: &Counterexample) -> Option<String> {
    let directory = env::temp_dir().join(format!("goatherd-counterexample-{}-{name}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("source.c"), text).unwrap();
    let source = replay::Source { file: Some("source.c"), text, failure: "test", models: &[] };
    fs::write(directory.join("run.c"), write_c(program, PARAMETERS.signed_overflow, &source, counterexample).unwrap()).unwrap();
    let mut words = replay::compile(PARAMETERS.signed_overflow).split(' ');
    let mut compiler = Command::new(words.next().unwrap());
    let built = compiler.args(words).args(["-o", "run", "run.c"]).current_dir(&directory).output().ok()?;
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(directory.join("run")).output().unwrap();
    assert!(!run.status.success());
    fs::remove_dir_all(&directory).unwrap();
    Some(format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr)))
}

fn assert_shows(shown: Option<String>, expected: &str) {
    if let Some(shown) = shown {
        assert!(shown.contains(expected), "{shown}");
    }
}

const HEAD: &str =
    "struct ints { int *X; int n_X; };\nvoid __VERIFIER_fail(void);\nint __VERIFIER_nondet_int(void);\nvoid *malloc(unsigned long);\n";

#[test]
fn an_access_past_the_end_needs_no_element() {
    let advance = Instruction::Advance(Advance { target: P, base: X, index: Operand::Register(N), scale: 4 });
    let program = program(vec![advance, Instruction::Load { target: V, address: P, offset: 0 }, Instruction::Halt], vec![]);
    let counterexample = found(&program);
    assert_eq!((counterexample.failure, counterexample.location), (Failure::OutOfBounds, Location(1)));
    assert_eq!(counterexample.inputs, [InputValue::Array(vec![]), InputValue::Integer(0)]);
    let text = format!("{HEAD}int test(struct ints a, const int k)\n{{\n    return a.X[a.n_X];\n}}\n");
    assert_shows(shown("end", &text, &program, &counterexample), "AddressSanitizer: use-after-poison");
}

#[test]
fn values_shrink_and_are_replayed() {
    // Fails if the second element is 1000 and a nondeterministic value is 7.
    let instructions = vec![
        equals(N, 3, 1, 7),
        Instruction::Load { target: V, address: X, offset: 4 },
        equals(V, 1000, 3, 7),
        Instruction::Havoc { target: V },
        Instruction::Compute(Compute {
            target: V,
            operation: Operation::Subtract,
            left: Operand::Register(V),
            right: Operand::Constant(7),
        }),
        equals(V, 0, 6, 7),
        Instruction::Fail { kind: FailKind::Reached },
        Instruction::Halt,
    ];
    let program = program(instructions, vec![]);
    let counterexample = found(&program);
    assert_eq!(counterexample.inputs, [InputValue::Array(vec![vec![0], vec![1000], vec![0]]), InputValue::Integer(0)]);
    assert_eq!((counterexample.choices.as_slice(), counterexample.steps), (&[7][..], 7));
    let text = format!(
        "{HEAD}void test(struct ints a, int k)\n{{\n    if (a.n_X == 3 && a.X[1] == 1000 && __VERIFIER_nondet_int() == 7)\n        \
         __VERIFIER_fail();\n}}\n"
    );
    assert_shows(shown("values", &text, &program, &counterexample), "goatherd: __VERIFIER_fail");
}

#[test]
fn fresh_memory_holds_what_it_held() {
    let allocate = Instruction::Allocate(Allocate { target: P, object: ObjectId(1), bytes: Operand::Constant(8), fresh: Fresh::Arbitrary });
    let null = Condition::Pointers {
        relation: Relation::Equal,
        left: goatherd_certificates::program::PointerOperand::Register(P),
        right: goatherd_certificates::program::PointerOperand::Null,
    };
    let instructions = vec![
        allocate,
        Instruction::Branch(Branch { condition: null, then: Location(5), otherwise: Location(2) }),
        Instruction::Load { target: V, address: P, offset: 4 },
        equals(V, -5, 4, 5),
        Instruction::Fail { kind: FailKind::Reached },
        Instruction::Halt,
    ];
    let program = program(instructions, vec![]);
    let counterexample = found(&program);
    assert_eq!(counterexample.choices, [1, -5]);
    let text = format!(
        "{HEAD}void test(struct ints a, int k)\n{{\n    int *p = malloc(8);\n    if (p && p[1] == -5)\n        __VERIFIER_fail();\n}}\n"
    );
    assert_shows(shown("fresh", &text, &program, &counterexample), "goatherd: __VERIFIER_fail");
}

#[test]
fn witnesses_pass_every_assertion_that_can_be_passed() {
    let instructions =
        vec![equals(K, 12345, 1, 3), equals(N, 4, 2, 4), Instruction::Halt, equals(N, 0, 4, 5), Instruction::Halt, Instruction::Ignore];
    let program = program(instructions, vec![Location(1), Location(3)]);
    let findings = search(&program, PARAMETERS, Goal::Witnesses, 500_000);
    assert!(findings.counterexamples.is_empty());
    assert_eq!(findings.witnesses.len(), 2);
    assert!(findings.steps < 500_000);
}

#[test]
fn a_run_that_the_checker_refuses_is_not_confirmed() {
    let program = program(vec![equals(K, 7, 1, 2), Instruction::Fail { kind: FailKind::Reached }, Instruction::Halt], vec![]);
    let mut counterexample = found(&program);
    let position = Position { file: 0, line: 1, column: 1 };
    let task = Task {
        program,
        parameters: PARAMETERS,
        origin: certificate::Origin {
            file: "test.c".into(),
            digest: [0; 32],
            definitions: Vec::new(),
            includes: Vec::new(),
            waived: Vec::new(),
        },
        files: vec!["test.c".into()],
        positions: vec![position; 3],
        approximate: BTreeSet::new(),
    };
    assert!(matches!(confirm(&task, &counterexample), Ok(Answer::Unsafe { .. })));
    counterexample.certificate.as_mut().expect("a run for the checker").inputs.pop();
    assert!(matches!(confirm(&task, &counterexample), Ok(Answer::Unconfirmed { why: Doubt::Refused(_), .. })));
}
