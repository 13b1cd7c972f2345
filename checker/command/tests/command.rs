//! The command from outside: exit statuses, verdicts, and what is refused.

use goatherd::{
    certify::paths::{About, certify},
    encode,
    prove::{Answer, Effort, Task, prove},
};
use goatherd_certificates::{
    certificate::{
        Allocation, Arithmetic, Certificate, Claim, DataModel, Ends, Evidence, GroundRun, InputValue, Limits, Origin, Parameters,
        PointerFormation, Position, SignedOverflow, Statement,
    },
    derivation::{OutcomeId, Proof, Refutation, Rule},
    program::{Condition, FailKind, Input, Instruction, IntegerType, Location, Operand, Program, Register, RegisterId, Relation, Type},
};
use goatherd_descent::Progress;
use goatherd_frontend::{
    lower::{Lowered, lower},
    source::{Options, load},
};
use goatherd_logic::Solver;
use goatherd_paths::{
    analysis::{Limits as PathLimits, analyse},
    lower::with_precondition,
    memory::Memory,
    program::transition_system,
    realisation::Realisation,
    text::read_condition,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// `void test(unsigned char x) { if (x == 3) fail; }`
fn certificate(claim: Claim, evidence: Evidence) -> Certificate {
    let x = RegisterId(0);
    let condition = Condition::Integers { relation: Relation::Equal, left: Operand::Register(x), right: Operand::Constant(3) };
    let program = Program {
        entry: String::from("test"),
        registers: vec![Register { name: String::from("x"), kind: Type::Integer(IntegerType::U8) }],
        layouts: Vec::new(),
        objects: Vec::new(),
        tables: Vec::new(),
        inputs: vec![Input::Integer { register: x }],
        instructions: vec![
            Instruction::Branch { condition, then: Location(1), otherwise: Location(2) },
            Instruction::Fail { kind: FailKind::Assertion },
            Instruction::Halt,
        ],
        assertions: vec![Location(0)],
    };
    Certificate {
        limits: Limits { memory: 1 << 20 },
        statement: Statement {
            claim,
            parameters: Parameters {
                data_model: DataModel::Lp64SignedChar,
                signed_overflow: SignedOverflow::Wraps,
                pointer_formation: PointerFormation::Anywhere,
                allocation: Allocation::MayFail,
                arithmetic: Arithmetic::C,
            },
            landmarks: Vec::new(),
            origin: Origin { file: String::from("te\u{1b}st.c"), digest: [7; 32], definitions: vec![String::from("N=3")] },
            program,
        },
        files: vec![String::from("test.c")],
        positions: [(1, 33), (1, 41), (1, 47)].map(|(line, column)| Position { file: 0, line, column }).to_vec(),
        terms: Vec::new(),
        evidence,
        witnesses: Vec::new(),
    }
}

/// It fails for 3.
fn failing() -> Certificate {
    let run = GroundRun { inputs: vec![InputValue::Integer(3)], choices: Vec::new(), steps: 2 };
    certificate(Claim::Unsafe, Evidence::Run(run))
}

/// The same program with the failure turned into `Ignore`: safe.
fn safe() -> Certificate {
    let step = Rule::Step { refuted: Vec::new() };
    let proof = Proof {
        k: 1,
        lemmas: Vec::new(),
        sorts: Vec::new(),
        templates: Vec::new(),
        roots: vec![step, Rule::End, Rule::End],
        derivations: Vec::new(),
    };
    let mut certificate = certificate(Claim::Safe, Evidence::Proof(proof));
    certificate.statement.program.instructions[1] = Instruction::Ignore;
    certificate
}

/// The safe certificate with a hint that shows nothing.
fn wrong() -> Certificate {
    let mut certificate = safe();
    let Evidence::Proof(proof) = &mut certificate.evidence else { unreachable!("it is safe") };
    proof.roots[0] = Rule::Step { refuted: vec![(OutcomeId(0), Refutation::default())] };
    certificate
}

/// Runs the command on a file of this name with these bytes. Returns exit status, standard output and standard error.
fn run(name: &str, bytes: &[u8], arguments: &[&str]) -> (i32, String, String) {
    let path = file(name);
    fs::write(&path, bytes).unwrap();
    run_on(&path, arguments)
}

fn run_on(path: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_goatherd-check")).arg(path).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn bytes(certificate: &Certificate) -> Vec<u8> {
    encode::certificate(certificate).unwrap()
}

#[test]
fn a_safe_certificate_is_accepted() {
    let (status, verdict, errors) = run("safe", &bytes(&safe()), &[]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(verdict.starts_with("accepted: Safe\n"), "{verdict}");
    assert!(verdict.contains("not excluded: no ground run reaches test.c:1:33"), "{verdict}");
    assert!(verdict.contains("te\\u{1b}st.c"), "{verdict}");
}

#[test]
fn an_unsafe_certificate_is_another_claim_unless_it_is_expected() {
    let bytes = bytes(&failing());
    assert_eq!(run("unsafe", &bytes, &[]).0, 4);
    assert_eq!(run("unsafe-expected", &bytes, &["--expect", "Unsafe"]).0, 0);
    assert_eq!(run("safe-unexpected", &self::bytes(&safe()), &["--expect", "unsafe"]).0, 4);
}

#[test]
fn a_rejection_names_place_rule_and_condition() {
    let (status, verdict, _) = run("wrong", &bytes(&wrong()), &[]);
    assert_eq!(status, 1);
    assert!(verdict.starts_with("rejected: Step: rule 0 from the roots, size class 0: "), "{verdict}");
}

#[test]
fn verdicts_as_json() {
    let (status, text, _) = run("json", &bytes(&failing()), &["--json"]);
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(status, 4);
    assert_eq!((&verdict["verdict"], &verdict["claim"], &verdict["expected"]), (&"accepted".into(), &"Unsafe".into(), &false.into()));
    let program = encode::program_digest(&failing().statement.program).unwrap();
    assert_eq!(verdict["program_digest"], program.map(|byte| format!("{byte:02x}")).concat());
    let (status, text, _) = run("json-wrong", &bytes(&wrong()), &["--json"]);
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(status, 1);
    assert_eq!((&verdict["verdict"], &verdict["kind"], &verdict["rule"]), (&"rejected".into(), &"rule".into(), &"Step".into()));
}

#[test]
fn damaged_files_are_rejected_in_one_line() {
    let whole = bytes(&safe());
    for (name, bytes) in [("empty", &[][..]), ("cut", &whole[..whole.len() / 2]), ("random", &[0x5a; 999][..])] {
        let (status, verdict, errors) = run(name, bytes, &[]);
        assert_eq!((status, verdict.lines().count(), errors.as_str()), (1, 1, ""), "{name}: {verdict}");
        assert!(verdict.starts_with("rejected: "), "{verdict}");
    }
}

#[test]
fn other_versions_and_too_much_memory_are_declined() {
    let mut newer = bytes(&safe());
    newer[8] = 200;
    let (status, verdict, _) = run("newer", &newer, &[]);
    assert_eq!((status, verdict.as_str()), (2, "declined: format version 200 is not one that this checker reads\n"));
    let (status, verdict, _) = run("limit", &bytes(&safe()), &["--memory", "512K"]);
    assert_eq!((status, verdict.as_str()), (2, "declined: it declares 1048576 bytes of memory, 524288 are allowed\n"));
    let mut large = bytes(&safe());
    large.resize(1 << 21, 0);
    let (status, verdict, _) = run("large", &large, &[]);
    assert_eq!((status, verdict.as_str()), (2, "declined: checking it takes more than 1048576 bytes of memory\n"));
}

#[test]
fn wrong_usage_and_missing_files_exit_with_3() {
    let certificate = bytes(&safe());
    for arguments in [&["--memory", "64Q"][..], &["--expect", "Perfect"], &["--unknown"], &["--json", "--print"], &["-I", "."]] {
        let (status, _, errors) = run("usage", &certificate, arguments);
        assert_eq!(status, 3, "{arguments:?}");
        assert!(errors.starts_with("error: "), "{errors}");
    }
    let (status, _, errors) = run_on(&file("no-such-file"), &[]);
    assert_eq!(status, 3);
    assert!(errors.contains("no-such-file"), "{errors}");
    assert_eq!(run_on(&file("."), &[]).0, 3);
}

#[test]
fn a_certificate_is_printed_before_its_verdict() {
    for (name, certificate) in [("print-safe", safe()), ("print-unsafe", failing())] {
        let (_, text, _) = run(name, &bytes(&certificate), &["--print"]);
        assert!(text.starts_with("Claimed: "), "{text}");
        assert!(text.contains("0  test.c:1:33  if (x == 3) goto 1; else goto 2   (assertion)"), "{text}");
        assert!(text.contains("\naccepted: "), "{text}");
    }
}

/// The certificate of a program in C, as the prover writes it.
fn proved(name: &str, text: &str) -> Vec<u8> {
    let path = file(name);
    fs::write(&path, text).unwrap();
    let options = Options { definitions: vec![String::from("N=7")], ..Options::default() };
    let unit = load(&path, &options).unwrap();
    let Lowered { program, files, positions } = lower(&unit, "test").unwrap();
    let origin = Origin { file: String::from(name), digest: unit.digest(), definitions: options.definitions };
    let task = Task { program, parameters: failing().statement.parameters, origin, files, positions };
    let Answer::Proved { accepted, .. } = prove(&task, Effort::default(), &Solver::default(), &Progress::default()).unwrap() else {
        panic!("{text} was not proved")
    };
    accepted.bytes
}

#[test]
fn the_source_is_lowered_again_and_compared() {
    let text = "void __VERIFIER_fail(void);\nvoid test(unsigned x) {\n  if (x % N > N - 1) __VERIFIER_fail();\n}\n";
    let certificate = proved("remainder.c", text);
    let source = |name: &str, text: &str| {
        fs::write(file(name), text).unwrap();
        let (status, verdict, errors) = run(&format!("{name}.cert"), &certificate, &["--source", file(name).to_str().unwrap()]);
        (status, format!("{verdict}{errors}"))
    };
    let (status, verdict) = source("same.c", text);
    assert_eq!(status, 0, "{verdict}");
    assert!(verdict.contains("same.c is this program (the file is unchanged)"), "{verdict}");
    let (status, verdict) = source("comment.c", &text.replace("if", "/* always */ if"));
    assert_eq!(status, 0, "{verdict}");
    assert!(verdict.contains("comment.c is this program (the file has changed since)"), "{verdict}");
    let (status, verdict) = source("other.c", &text.replace("N - 1", "N - 2"));
    assert_eq!(status, 1, "{verdict}");
    assert!(verdict.contains("other.c is another program: instruction "), "{verdict}");
    assert_eq!(source("broken.c", "void test(").0, 3);
    assert_eq!(run("no-source", &certificate, &["--source", "no-such-file.c"]).0, 3);
}

/// A certificate about the paths of `test` under a precondition.
fn certified_paths(name: &str, text: &str, precondition: &str) -> Vec<u8> {
    fs::write(file(name), text).unwrap();
    let options = Options { definitions: Vec::new(), include_directories: Vec::new(), entry: String::from("test") };
    let unit = load(&file(name), &options).unwrap();
    let Lowered { program, .. } = lower(&unit, "test").unwrap();
    let parameters = failing().statement.parameters;
    let (lts, elements) = transition_system(&program, &parameters, Memory::Elements).unwrap();
    let literals = read_condition(precondition, &lts.variables).unwrap();
    let (realisation, _) = with_precondition(Realisation::of_program(program, &lts, elements), &literals).unwrap();
    let outcome = analyse(&lts, &literals, PathLimits::default()).unwrap();
    let origin = Origin { file: String::from(name), digest: unit.digest(), definitions: Vec::new() };
    let about = About { parameters, ends: Ends::Complete, origin, files: Vec::new(), positions: Vec::new() };
    certify(&realisation, &outcome.states(), &about).unwrap().bytes
}

#[test]
fn a_precondition_is_not_of_the_source() {
    let text = "int test(int x, int y) {\n  if (x < y) return 1;\n  return 0;\n}\n";
    let certificate = certified_paths("paths.c", text, "x >= 2 && x <= y");
    let source = |name: &str, text: &str| {
        fs::write(file(name), text).unwrap();
        let (status, verdict, errors) = run("paths.cert", &certificate, &["--source", file(name).to_str().unwrap()]);
        (status, format!("{verdict}{errors}"))
    };
    let (status, verdict) = source("paths.c", text);
    assert_eq!(status, 0, "{verdict}");
    assert!(verdict.contains("paths.c is this program, under the precondition of its first 2 instructions"), "{verdict}");
    let (status, verdict) = source("paths-other.c", &text.replace("x < y", "y < x"));
    assert_eq!(status, 1, "{verdict}");
    assert!(verdict.contains("is another program: instruction "), "{verdict}");
    let (status, verdict) = source("paths-whole.c", &text.replace("{\n  if", "{\n  x = 0;\n  if"));
    assert_eq!(status, 1, "{verdict}");
}

#[test]
fn any_number_of_threads_gives_the_same_verdict() {
    for (vector, expected) in [("shares-accepted", 0), ("shares-open", 1)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors").join(vector).with_extension("goatherd");
        let run = |arguments: &[&str]| run_on(&path, arguments);
        let alone = run(&["--json", "--threads", "1"]);
        assert_eq!((alone.0, alone.2.as_str()), (expected, ""), "{}", alone.1);
        assert_eq!(run(&["--json", "--threads", "2"]), alone);
        assert_eq!(run(&["--json", "--threads", "100"]), alone);
        assert_eq!(run(&["--json"]), alone);
    }
    assert_eq!(run("threads", &bytes(&safe()), &["--threads", "0"]).0, 3);
}

#[test]
fn the_kernel_source_digest_is_that_of_the_source() {
    let (_, text, _) = run("trusted", &bytes(&safe()), &["--json"]);
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    let digest = verdict["trusted"]["kernel_source_digest"].as_str().unwrap().to_owned();
    let script = "cd ../.. && LC_ALL=C && export LC_ALL && sha256sum certificates/src/*.rs checker/src/*.rs | sha256sum";
    let output = Command::new("sh").args(["-c", script]).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{digest}  -\n"));
}
