//! The command from outside: exit statuses, verdicts, and what is refused.

use goatherd::{
    certify::{
        models::certify as certify_model,
        paths::{About, certify},
    },
    encode,
    prove::{Answer, Effort, Task, prove},
};
use goatherd_certificates::{
    certificate::{
        Allocation, Arithmetic, Certificate, Claim, DataModel, Ends, Evidence, GroundRun,
        InputValue, Limits, Origin, Parameters, PointerFormation, Position, SignedOverflow,
        Statement,
    },
    derivation::{Lengths, OutcomeId, Proof, Refutation, Rule},
    program::{
        Condition, FailKind, Input, Instruction, IntegerType, Location, Operand, Program, Register,
        RegisterId, Relation, Type,
    },
};
use goatherd_descent::Progress;
use goatherd_frontend::{
    escape::is_plain,
    lower::{Demands, Leaks, Lowered, lower, lower_with},
    source::{Options, load},
    trees,
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
use goatherd_trees::{model::Model, options::Options as TreeOptions, search::search};
use serde_json::json;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// `void test(unsigned char x) { if (x == 3) fail; }`
fn certificate(claim: Claim, evidence: Evidence) -> Certificate {
    let x = RegisterId(0);
    let condition = Condition::Integers {
        relation: Relation::Equal,
        left: Operand::Register(x),
        right: Operand::Constant(3),
    };
    let program = Program {
        entry: String::from("test"),
        registers: vec![Register {
            name: String::from("x"),
            kind: Type::Integer(IntegerType::U8),
        }],
        layouts: Vec::new(),
        objects: Vec::new(),
        tables: Vec::new(),
        inputs: vec![Input::Integer { register: x }],
        instructions: vec![
            Instruction::Branch {
                condition,
                then: Location(1),
                otherwise: Location(2),
            },
            Instruction::Fail {
                kind: FailKind::Assertion,
            },
            Instruction::Halt,
        ],
        assertions: vec![Location(0)],
    };
    Certificate {
        limits: Limits {
            memory: 1 << 20,
            work: 1 << 20,
        },
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
            origin: Origin {
                file: String::from("te\u{1b}st.c"),
                digest: [7; 32],
                definitions: vec![String::from("N=3")],
                includes: Vec::new(),
                waived: Vec::new(),
            },
            program,
        },
        files: vec![String::from("test.c")],
        positions: [(1, 33), (1, 41), (1, 47)]
            .map(|(line, column)| Position {
                file: 0,
                line,
                column,
            })
            .to_vec(),
        terms: Vec::new(),
        evidence,
        witnesses: Vec::new(),
    }
}

/// It fails for 3.
fn failing() -> Certificate {
    let run = GroundRun {
        inputs: vec![InputValue::Integer(3)],
        choices: Vec::new(),
        steps: 2,
    };
    certificate(Claim::Unsafe, Evidence::Run(run))
}

/// The same program with the failure turned into `Ignore`: safe.
fn safe() -> Certificate {
    let step = Rule::Step {
        refuted: Vec::new(),
    };
    let proof = Proof {
        k: 1,
        lengths: Lengths::Classes,
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
    let Evidence::Proof(proof) = &mut certificate.evidence else {
        unreachable!("it is safe")
    };
    proof.roots[0] = Rule::Step {
        refuted: vec![(OutcomeId(0), Refutation::default())],
    };
    certificate
}

/// Runs the command on a file of this name with these bytes. Returns exit status, standard output and standard error.
fn run(name: &str, bytes: &[u8], arguments: &[&str]) -> (i32, String, String) {
    let path = file(name);
    fs::write(&path, bytes).unwrap();
    run_on(&path, arguments)
}

fn run_on(path: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_goatherd-check"))
        .arg(path)
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
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
    assert!(
        verdict.contains("not excluded: no ground run reaches test.c:1:33"),
        "{verdict}"
    );
    assert!(verdict.contains("te\\u{1b}st.c"), "{verdict}");
}

#[test]
fn an_unsafe_certificate_is_another_claim_unless_it_is_expected() {
    let bytes = bytes(&failing());
    let (status, verdict, _) = run("unsafe", &bytes, &[]);
    assert_eq!(status, 4);
    assert!(
        verdict.starts_with("accepted, another claim: Unsafe\n  differs     claim\n"),
        "{verdict}"
    );
    assert!(
        verdict.contains("asked for    Safe or Invariant\n              certificate  Unsafe\n"),
        "{verdict}"
    );
    assert_eq!(run("unsafe-expected", &bytes, &["--expect", "Unsafe"]).0, 0);
    assert_eq!(
        run(
            "safe-unexpected",
            &self::bytes(&safe()),
            &["--expect", "unsafe"]
        )
        .0,
        4
    );
}

#[test]
fn a_rejection_names_place_rule_and_condition() {
    let (status, verdict, _) = run("wrong", &bytes(&wrong()), &[]);
    assert_eq!(status, 1);
    assert!(
        verdict.starts_with("rejected: Step: rule 0 from the roots, size class 0: "),
        "{verdict}"
    );
}

#[test]
fn verdicts_as_json() {
    let (status, text, _) = run("json", &bytes(&failing()), &["--json"]);
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(status, 4);
    assert_eq!(
        (&verdict["verdict"], &verdict["claim"], &verdict["expected"]),
        (&"accepted".into(), &"Unsafe".into(), &false.into())
    );
    assert_eq!(
        verdict["differences"],
        json!([{ "what": "claim", "asked": "Safe or Invariant", "certificate": "Unsafe" }])
    );
    assert_eq!(
        (&verdict["entry"], &verdict["inputs"]),
        (&"test".into(), &json!(["x is any value of unsigned char"]))
    );
    assert_eq!(
        (&verdict["origin"]["definitions"], &verdict["files"]),
        (&json!(["N=3"]), &json!(["test.c"]))
    );
    assert_eq!(
        verdict["vacuity"]["assertions"],
        json!([{ "location": 0, "file": 0, "line": 1, "column": 33, "reached": true }])
    );
    let program = encode::program_digest(&failing().statement.program).unwrap();
    assert_eq!(
        verdict["program_digest"],
        program.map(|byte| format!("{byte:02x}")).concat()
    );
    let (status, text, _) = run("json-wrong", &bytes(&wrong()), &["--json"]);
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(status, 1);
    assert_eq!(
        (&verdict["verdict"], &verdict["kind"], &verdict["rule"]),
        (&"rejected".into(), &"rule".into(), &"Step".into())
    );
}

#[test]
fn damaged_files_are_rejected_in_one_line() {
    let whole = bytes(&safe());
    for (name, bytes) in [
        ("empty", &[][..]),
        ("cut", &whole[..whole.len() / 2]),
        ("random", &[0x5a; 999][..]),
    ] {
        let (status, verdict, errors) = run(name, bytes, &[]);
        assert_eq!(
            (status, verdict.lines().count(), errors.as_str()),
            (1, 1, ""),
            "{name}: {verdict}"
        );
        assert!(verdict.starts_with("rejected: "), "{verdict}");
    }
}

#[test]
fn other_versions_and_too_much_memory_are_declined() {
    let mut newer = bytes(&safe());
    newer[8] = 200;
    let (status, verdict, _) = run("newer", &newer, &[]);
    assert_eq!(
        (status, verdict.as_str()),
        (
            2,
            "declined: format version 200 is not one that this checker reads\n"
        )
    );
    let (status, verdict, _) = run("limit", &bytes(&safe()), &["--memory", "512K"]);
    assert_eq!(
        (status, verdict.as_str()),
        (
            2,
            "declined: it declares 1048576 bytes of memory, 524288 are allowed\n"
        )
    );
    let mut large = bytes(&safe());
    large.resize(1 << 21, 0);
    let (status, verdict, _) = run("large", &large, &[]);
    assert_eq!(
        (status, verdict.as_str()),
        (
            2,
            "declined: checking it takes more than 1048576 bytes of memory\n"
        )
    );
}

#[test]
fn wrong_usage_and_missing_files_exit_with_3() {
    let certificate = bytes(&safe());
    for arguments in [
        &["--memory", "64Q"][..],
        &["--timeout", "0"],
        &["--require", "perfection"],
        &["--require", "entry=test,checks=all"],
        &["--expect", "Perfect"],
        &["--unknown"],
        &["--json", "--print"],
        &["-I", "."],
        &["-D", "N"],
        &["--entry", "f"],
    ] {
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
        assert!(
            text.contains("0  test.c:1:33  if (x == 3) goto 1; else goto 2   (assertion)"),
            "{text}"
        );
        assert!(text.contains("\naccepted"), "{text}");
    }
}

/// The certificate of a program in C, as the prover writes it.
fn proved(name: &str, text: &str, options: &Options) -> Vec<u8> {
    proved_without(name, text, options, &[])
}

/// As [`proved`], with these assertions waived.
fn proved_without(name: &str, text: &str, options: &Options, waived: &[&str]) -> Vec<u8> {
    proved_saying(name, text, options, waived, |_| ())
}

/// As [`proved`], with these assertions waived, and what is said of that edited.
fn proved_saying(
    name: &str,
    text: &str,
    options: &Options,
    waived: &[&str],
    edit: impl FnOnce(&mut Vec<String>),
) -> Vec<u8> {
    let path = file(name);
    fs::write(&path, text).unwrap();
    let unit = load(&path, options).unwrap();
    let Lowered {
        program,
        files,
        positions,
        waived,
        approximate,
    } = lower_with(
        &unit,
        &options.entry,
        &Demands {
            leaks: Leaks::Ignored,
            waivers: waived.iter().map(|text| text.parse().unwrap()).collect(),
        },
    )
    .unwrap();
    let mut said = waived.iter().map(ToString::to_string).collect();
    edit(&mut said);
    let origin = Origin {
        file: String::from(name),
        digest: unit.digest(),
        definitions: options.definitions.clone(),
        includes: Vec::new(),
        waived: said,
    };
    let task = Task {
        program,
        parameters: failing().statement.parameters,
        origin,
        files,
        positions,
        approximate,
    };
    let Answer::Proved { accepted, .. } = prove(
        &task,
        Effort::default(),
        &Solver::default(),
        &Progress::default(),
        &mut (),
    )
    .unwrap() else {
        panic!("{text} was not proved")
    };
    accepted.bytes
}

fn with_definitions(definitions: &[&str]) -> Options {
    Options {
        definitions: definitions
            .iter()
            .map(|definition| String::from(*definition))
            .collect(),
        ..Options::default()
    }
}

/// Checks a certificate against a file of this name and text. Returns the exit status and all that is printed.
fn against(certificate: &[u8], name: &str, text: &str, arguments: &[&str]) -> (i32, String) {
    fs::write(file(name), text).unwrap();
    let path = file(name);
    let (status, verdict, errors) = run(
        &format!("{name}.cert"),
        certificate,
        &[&["--source", path.to_str().unwrap()], arguments].concat(),
    );
    (status, format!("{verdict}{errors}"))
}

#[test]
fn the_compiler_confirms_or_contradicts_what_is_believed_of_the_source() {
    let text = "struct s { char c; long l; };\nint test(struct s s) { return s.c; }\n";
    let certificate = proved("types.c", text, &Options::default());
    let (status, verdict) = against(&certificate, "types.c", text, &[]);
    assert_eq!(status, 0, "{verdict}");
    assert!(
        verdict.contains("  types       confirmed by cc ("),
        "{verdict}"
    );
    let (status, verdict) = against(&certificate, "types.c", text, &["--no-confirm"]);
    assert_eq!(status, 0, "{verdict}");
    assert!(
        verdict.contains("  types       not confirmed: nobody asked"),
        "{verdict}"
    );
    let folder = file("packing");
    fs::create_dir_all(&folder).unwrap();
    let path = std::env::var("PATH").unwrap();
    let script = format!("#!/bin/sh\nPATH='{path}'\nexec cc -fpack-struct=1 \"$@\"\n");
    fs::write(folder.join("cc"), script).unwrap();
    fs::set_permissions(folder.join("cc"), fs::Permissions::from_mode(0o755)).unwrap();
    for (form, start) in [("--print", ""), ("--json", "{")] {
        let output = Command::new(env!("CARGO_BIN_EXE_goatherd-check"))
            .arg(file("types.c.cert"))
            .arg("--source")
            .arg(file("types.c"))
            .arg(form)
            .env("PATH", &folder)
            .output()
            .unwrap();
        let verdict = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(5), "{verdict}");
        assert!(verdict.starts_with(start), "{verdict}");
        assert!(
            verdict.contains("types.c:1:1: sizeof(struct s) is 16 for Goatherd, 9 for cc"),
            "{verdict}"
        );
    }
}

#[test]
fn the_source_is_lowered_again_and_compared() {
    let text = "void __VERIFIER_fail(void);\nvoid test(unsigned x) {\n  if (x % N > N - 1) __VERIFIER_fail();\n}\n";
    let certificate = proved("remainder.c", text, &with_definitions(&["N=7"]));
    let source = |name: &str, text: &str| against(&certificate, name, text, &["-D", "N=7"]);
    let (status, verdict) = source("same.c", text);
    assert_eq!(status, 0, "{verdict}");
    assert!(
        verdict.contains("same.c is this program (the file is unchanged)"),
        "{verdict}"
    );
    let (status, verdict) = source("comment.c", &text.replace("if", "/* always */ if"));
    assert_eq!(status, 0, "{verdict}");
    assert!(
        verdict.contains("comment.c is this program (the file has changed since)"),
        "{verdict}"
    );
    let (status, verdict) = source("other.c", &text.replace("N - 1", "N - 2"));
    assert_eq!(status, 4, "{verdict}");
    assert!(
        verdict.starts_with("accepted, another claim: Safe\n  differs     instruction "),
        "{verdict}"
    );
    // Both sides, with their places, and only the first instruction that differs.
    assert!(
        verdict.contains("/other.c:3:7  if") && verdict.contains("/remainder.c:3:7  if"),
        "{verdict}"
    );
    assert!(
        verdict.contains("if (6 < %1)") && verdict.contains("if (5 < %1)"),
        "{verdict}"
    );
    assert_eq!(verdict.matches("differs ").count(), 1, "{verdict}");
    assert!(
        verdict.contains("other.c is another program (the file has changed since)"),
        "{verdict}"
    );
    assert_eq!(source("broken.c", "void test(").0, 3);
    let (status, verdict) = source("system.lts", "variables x\ninitial 1\nfinal 1\n");
    assert_eq!(status, 3, "{verdict}");
    assert!(verdict.contains("--require digest="), "{verdict}");
    assert_eq!(
        run("no-source", &certificate, &["--source", "no-such-file.c"]).0,
        3
    );
}

/// The program of the certificate has one assertion less than the source.
#[test]
fn waived_assertions_are_asked_for() {
    let text = "void __VERIFIER_assert(int);\nvoid test(unsigned x) {\n  __VERIFIER_assert(x % 7 < 6);\n  __VERIFIER_assert(x % 7 < 7);\n}\n";
    let certificate = proved_without("waived.c", text, &Options::default(), &["3"]);
    let source = |arguments: &[&str]| against(&certificate, "waived.c", text, arguments);
    for named in ["3", "3:3", "waived.c:3", "waived.c:3:3"] {
        let (status, verdict) = source(&["--waive", named]);
        assert_eq!(status, 0, "{verdict}");
        assert!(
            verdict.contains("waived assertions: waived.c:3:3"),
            "{verdict}"
        );
    }
    let (status, verdict) = source(&[]);
    assert_eq!(status, 4, "{verdict}");
    assert!(verdict.contains("differs     instruction "), "{verdict}");
    assert!(verdict.contains("waived assertions\n              asked for    none\n              certificate  waived.c:3:3"), "{verdict}");
    assert_eq!(source(&["--waive", "3", "--waive", "4"]).0, 4);
    assert_eq!(source(&["--waive", "2"]).0, 3);
    // Without the source too, what the certificate says is not passed over.
    assert_eq!(run("waived", &certificate, &[]).0, 4);
    assert_eq!(run("waived", &certificate, &["--waive", "3"]).0, 0);
    let (_, report, _) = run("waived", &certificate, &["--json"]);
    assert!(
        report.contains("\"waived\": [\n      \"waived.c:3:3\"\n    ]"),
        "{report}"
    );
}

/// Two assertions stand on the line that is named; the certificate tells of one.
#[test]
fn a_waived_assertion_is_not_concealed_behind_another_one() {
    let text = "void __VERIFIER_assert(int);\nvoid test(unsigned x) {\n  __VERIFIER_assert(x % 7 < 6); __VERIFIER_assert(x % 7 < 5);\n}\n";
    let certificate = |edit: fn(&mut Vec<String>)| {
        proved_saying("both.c", text, &Options::default(), &["3"], edit)
    };
    let check = |certificate: &[u8]| against(certificate, "both.c", text, &["--waive", "3"]);
    let (status, verdict) = check(&certificate(|_| ()));
    assert_eq!(status, 0, "{verdict}");
    let (status, verdict) = check(&certificate(|said| said.truncate(1)));
    assert_eq!(status, 4, "{verdict}");
    assert!(verdict.contains("waived assertions\n              asked for    both.c:3:3, both.c:3:33\n              certificate  both.c:3:3"), "{verdict}");
}

/// In every instance the file is the one that the certificate was made from; what differs is how it is to be read.
#[test]
fn the_source_is_read_as_the_command_line_says() {
    let text = "extern void __VERIFIER_assert(int);\nextern void __VERIFIER_assume(int);\n#ifndef NDEBUG\n#define check(c) __VERIFIER_assert(c)\n\
        #else\n#define check(c) ((void)0)\n#endif\nint helper(int x) { return x; }\nvoid test(int x) { __VERIFIER_assume(x < 5); check(x != 4); }\n";
    let safe = text.replace("x != 4", "x != 5");
    let check = |name: &str, text: &str, options: &Options, arguments: &[&str]| {
        let certificate = proved(name, text, options);
        against(&certificate, name, text, arguments)
    };

    let (status, verdict) = check("plain.c", &safe, &Options::default(), &[]);
    assert_eq!(status, 0, "{verdict}");
    assert!(
        verdict.contains("read with entry test, definitions: none, include folders: none"),
        "{verdict}"
    );

    let debug = with_definitions(&["NDEBUG"]);
    let (status, verdict) = check("ndebug.c", text, &debug, &[]);
    assert_eq!(status, 4, "{verdict}");
    let sides = "  differs     definitions\n              asked for    none\n              certificate  -D NDEBUG\n  differs     instruction ";
    assert!(
        verdict.contains(sides)
            && verdict.contains("ndebug.c is another program (the file is unchanged)"),
        "{verdict}"
    );
    assert_eq!(
        check("ndebug-asked.c", text, &debug, &["-D", "NDEBUG"]).0,
        0
    );
    // Where the program is the same the claim is, too.
    assert_eq!(
        check("unused.c", &safe, &with_definitions(&["UNUSED=1"]), &[]).0,
        0
    );

    let assume = with_definitions(&["__VERIFIER_assert=__VERIFIER_assume"]);
    let (status, verdict) = check("assumed.c", text, &assume, &[]);
    assert_eq!(status, 4, "{verdict}");
    assert!(
        verdict.contains("certificate  -D __VERIFIER_assert=__VERIFIER_assume\n"),
        "{verdict}"
    );

    let helper = Options {
        entry: String::from("helper"),
        ..Options::default()
    };
    let (status, verdict) = check("helper.c", text, &helper, &[]);
    assert_eq!(status, 4, "{verdict}");
    assert!(
        verdict.contains("  differs     entry function\n              asked for    test\n              certificate  helper\n"),
        "{verdict}"
    );
    assert_eq!(
        check("helper-asked.c", text, &helper, &["--entry", "helper"]).0,
        0
    );
    // Of programs that differ in the name of their entry alone.
    let twins = "int test(int x) { return x; }\nint other(int x) { return x; }\n";
    let (status, verdict) = check(
        "twins.c",
        twins,
        &Options {
            entry: String::from("other"),
            ..Options::default()
        },
        &[],
    );
    assert_eq!(
        (status, verdict.matches("differs ").count()),
        (4, 1),
        "{verdict}"
    );

    // Jumps over what was inserted lead elsewhere; what is shown is what was inserted.
    let inserted = "void __VERIFIER_fail(void);\nvoid test(int x) {\n  if (x > 7) x = 7;\n#ifdef A\n  x = 1;\n#endif\n}\n";
    let (status, verdict) = check("inserted.c", inserted, &with_definitions(&["A"]), &[]);
    assert_eq!(status, 4, "{verdict}");
    assert!(verdict.contains("/inserted.c:5:7  x = 1\n"), "{verdict}");

    let (status, verdict) = check(
        "needed.c",
        &text.replace("x < 5", "x < N"),
        &with_definitions(&["NDEBUG", "N=1"]),
        &[],
    );
    assert_eq!(status, 3, "{verdict}");
    assert!(verdict.contains("note: the certificate names other definitions, -D NDEBUG -D N=1; the command line says: none"), "{verdict}");
}

#[test]
fn folders_are_those_of_the_command_line() {
    let [one, other] = ["one", "other"].map(|folder| file(&format!("folders-{folder}")));
    for (folder, limit) in [(&one, 5), (&other, 4)] {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("limit.h"), format!("#define LIMIT {limit}\n")).unwrap();
    }
    let text = "#include \"limit.h\"\nvoid __VERIFIER_fail(void);\nvoid test(int x) { if (x < LIMIT && x > 5) __VERIFIER_fail(); }\n";
    let certificate = proved(
        "folders.c",
        text,
        &Options {
            include_directories: vec![one.clone()],
            ..Options::default()
        },
    );
    assert_eq!(
        against(
            &certificate,
            "folders.c",
            text,
            &["-I", one.to_str().unwrap()]
        )
        .0,
        0
    );
    let (status, verdict) = against(
        &certificate,
        "folders.c",
        text,
        &["-I", other.to_str().unwrap()],
    );
    assert_eq!(status, 4, "{verdict}");
    assert!(verdict.contains("differs     instruction "), "{verdict}");
    assert_eq!(against(&certificate, "folders.c", text, &[]).0, 3);
}

/// Beside each demand stands a certificate of which that alone is not so.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of demands")]
fn demands_are_compared_with_the_verdict() {
    let mut asked = safe();
    asked.statement.parameters.signed_overflow = SignedOverflow::Fails;
    asked.statement.parameters.pointer_formation = PointerFormation::InsideObject;
    asked.statement.program.instructions[2] = Instruction::CheckLeaks { roots: Vec::new() };
    asked.statement.program.instructions.push(Instruction::Halt);
    asked.positions.push(Position {
        file: 0,
        line: 1,
        column: 50,
    });
    let Evidence::Proof(proof) = &mut asked.evidence else {
        unreachable!("it is safe")
    };
    let step = || Rule::Step {
        refuted: Vec::new(),
    };
    proof.roots = vec![step(), Rule::End, step(), Rule::End];
    asked.witnesses = vec![GroundRun {
        inputs: vec![InputValue::Integer(1)],
        choices: Vec::new(),
        steps: 3,
    }];
    let digest = |certificate: &Certificate| {
        encode::program_digest(&certificate.statement.program)
            .unwrap()
            .map(|byte| format!("{byte:02X}"))
            .concat()
    };
    let digest_demand = format!("digest={}", digest(&asked));
    let all = [
        "vacuity-excluded,checks=overflow",
        "checks=pointer",
        "checks=leak",
        "allocation=may-fail",
        "entry=test",
        &digest_demand,
    ];
    let arguments: Vec<&str> = all
        .iter()
        .flat_map(|demand| ["--require", demand])
        .collect();
    let (status, verdict, errors) = run("asked", &bytes(&asked), &arguments);
    assert_eq!((status, errors.as_str()), (0, ""), "{verdict}");

    let unmet = |name: &str, change: &dyn Fn(&mut Certificate), difference: [&str; 3]| {
        let mut changed = asked.clone();
        change(&mut changed);
        let digest_demand = format!("digest={}", digest(&changed));
        let arguments: Vec<&str> = arguments
            .iter()
            .map(|argument| {
                if argument.starts_with("digest=") {
                    digest_demand.as_str()
                } else {
                    argument
                }
            })
            .collect();
        let (status, verdict, _) = run(
            name,
            &bytes(&changed),
            &[&["--json"], arguments.as_slice()].concat(),
        );
        let verdict: serde_json::Value = serde_json::from_str(&verdict).unwrap();
        let [what, asked, certificate] = difference;
        assert_eq!(status, 4, "{verdict}");
        assert_eq!(
            verdict["differences"],
            json!([{ "what": what, "asked": asked, "certificate": certificate }])
        );
        assert_eq!(verdict["expected"], false);
    };
    unmet(
        "demand-vacuity",
        &|certificate| certificate.witnesses.clear(),
        ["vacuity", "excluded", "not excluded"],
    );
    let overflow = |certificate: &mut Certificate| {
        certificate.statement.parameters.signed_overflow = SignedOverflow::Wraps;
    };
    unmet(
        "demand-overflow",
        &overflow,
        ["signed overflow", "fails", "is not checked"],
    );
    let pointer = |certificate: &mut Certificate| {
        certificate.statement.parameters.pointer_formation = PointerFormation::Anywhere;
    };
    unmet(
        "demand-pointer",
        &pointer,
        ["a pointer outside its object", "fails", "is not checked"],
    );
    let leak = |certificate: &mut Certificate| {
        certificate.statement.program.instructions[2] = Instruction::Jump {
            target: Location(3),
        }
    };
    unmet(
        "demand-leak",
        &leak,
        ["leaked memory", "fails", "is not checked"],
    );
    let allocation = |certificate: &mut Certificate| {
        certificate.statement.parameters.allocation = Allocation::Succeeds;
    };
    unmet(
        "demand-allocation",
        &allocation,
        ["allocation", "may-fail", "succeeds"],
    );
    let entry = |certificate: &mut Certificate| {
        certificate.statement.program.entry = String::from("helper");
    };
    unmet("demand-entry", &entry, ["entry", "test", "helper"]);

    let mut other = asked.clone();
    other.statement.program.registers[0].name = String::from("y");
    let (status, verdict, _) = run(
        "demand-digest",
        &bytes(&other),
        &["--require", &digest_demand],
    );
    assert_eq!(status, 4);
    assert!(verdict.contains("  differs     digest\n"), "{verdict}");
}

/// A certificate about the paths of `test` under a precondition.
fn certified_paths(name: &str, text: &str, precondition: &str) -> Vec<u8> {
    fs::write(file(name), text).unwrap();
    let options = Options {
        definitions: Vec::new(),
        include_directories: Vec::new(),
        entry: String::from("test"),
    };
    let unit = load(&file(name), &options).unwrap();
    let Lowered { program, .. } = lower(&unit, "test").unwrap();
    let parameters = failing().statement.parameters;
    let (lts, elements) = transition_system(&program, &parameters, Memory::Elements).unwrap();
    let literals = read_condition(precondition, &lts.variables).unwrap();
    let (realisation, _) =
        with_precondition(Realisation::of_program(program, &lts, elements), &literals).unwrap();
    let outcome = analyse(&lts, &literals, PathLimits::default());
    let origin = Origin {
        file: String::from(name),
        digest: unit.digest(),
        definitions: Vec::new(),
        includes: Vec::new(),
        waived: Vec::new(),
    };
    let about = About {
        parameters,
        ends: Ends::Complete,
        origin,
        files: Vec::new(),
        positions: Vec::new(),
    };
    certify(&realisation, &outcome.states(), &about)
        .unwrap()
        .bytes
}

#[test]
fn a_precondition_is_not_of_the_source() {
    let text = "int test(int x, int y) {\n  if (x < y) return 1;\n  return 0;\n}\n";
    let certificate = certified_paths("paths.c", text, "x >= 2 && x <= y");
    let ask = |name: &str, text: &str, demand: &str| {
        against(
            &certificate,
            name,
            text,
            &["--expect", "paths", "--require", demand],
        )
    };
    let source = |name: &str, text: &str| ask(name, text, "precondition=2 <= x && x <= y");
    let (status, verdict) = source("paths.c", text);
    assert_eq!(status, 0, "{verdict}");
    assert!(verdict.contains("paths.c is this program, under the precondition 2 <= x && x <= y (the file is unchanged)"), "{verdict}");
    let (status, verdict) = against(
        &certificate,
        "paths-unasked.c",
        text,
        &["--expect", "paths"],
    );
    assert_eq!(status, 4, "{verdict}");
    let sides = "differs     precondition\n              asked for    none\n              certificate  2 <= x && x <= y\n";
    assert!(
        verdict.contains(sides) && verdict.matches("differs ").count() == 1,
        "{verdict}"
    );
    assert_eq!(ask("paths-wrong.c", text, "precondition=2 <= x").0, 4);
    let (status, verdict, _) = run(
        "paths-no-source",
        &certificate,
        &[
            "--expect",
            "paths",
            "--require",
            "precondition=2 <= x && x <= y",
        ],
    );
    assert_eq!(status, 4, "{verdict}");
    assert!(
        verdict.contains("certificate  not told without --source\n"),
        "{verdict}"
    );
    let (status, verdict) = source("paths-other.c", &text.replace("x < y", "y < x"));
    assert_eq!(status, 4, "{verdict}");
    assert!(verdict.contains("differs     instruction "), "{verdict}");
    let (status, verdict) = source(
        "paths-whole.c",
        &text.replace("{\n  if", "{\n  x = 0;\n  if"),
    );
    assert_eq!(status, 4, "{verdict}");
}

#[test]
fn paths_are_claimed_only_where_they_are_asked_for() {
    let certificate = certified_paths("unasked.c", "int test(int x) { return x < 3; }\n", "x >= 2");
    let (status, verdict, _) = run("unasked", &certificate, &[]);
    assert_eq!(status, 4, "{verdict}");
    assert!(
        verdict.contains("asked for    Safe or Invariant\n              certificate  Paths\n"),
        "{verdict}"
    );
    assert_eq!(run("asked-for", &certificate, &["--expect", "paths"]).0, 0);
    let (status, verdict, _) = run(
        "paths-vacuity",
        &certificate,
        &["--expect", "paths", "--require", "vacuity-excluded"],
    );
    assert_eq!(status, 4, "{verdict}");
    assert!(
        verdict.contains("certificate  not told of Paths\n"),
        "{verdict}"
    );
}

#[test]
fn models_are_compared_line_by_line() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trees/last-cell.trees");
    let text = fs::read_to_string(path).unwrap();
    let read = trees::read(&{
        let path = file("model.trees");
        fs::write(&path, &text).unwrap();
        path
    })
    .unwrap();
    let model = Model::new(&read.model);
    let outcome = search(&model, &TreeOptions::default(), &mut |_| {});
    let origin = Origin {
        file: String::from("model.trees"),
        digest: read.digest,
        definitions: Vec::new(),
        includes: Vec::new(),
        waived: Vec::new(),
    };
    let certificate = certify_model(&read.model, &origin, &model, &outcome)
        .unwrap()
        .unwrap()
        .bytes;
    let (status, verdict) = against(&certificate, "model.trees", &text, &[]);
    assert_eq!(status, 0, "{verdict}");
    assert!(
        verdict.contains("model.trees is this model (the file is unchanged)"),
        "{verdict}"
    );
    let (status, verdict) = against(
        &certificate,
        "commented.trees",
        &format!("# The same.\n{text}"),
        &[],
    );
    assert_eq!(status, 0, "{verdict}");
    let (status, verdict) = against(&certificate, "model-options.trees", &text, &["-D", "N"]);
    assert_eq!(status, 3, "{verdict}");
    let (status, verdict) = against(
        &certificate,
        "model-other.trees",
        &text.replacen("nil", "nul", 1).replace("nil", "nul"),
        &[],
    );
    assert_eq!(status, 4, "{verdict}");
    assert!(
        verdict.contains("differs     line 1 of the model (--print)\n"),
        "{verdict}"
    );
    let (status, verdict, _) = run("model-demands", &certificate, &["--require", "entry=test"]);
    assert_eq!(status, 4, "{verdict}");
    assert!(
        verdict.contains("certificate  none: the certificate is about a tree model\n"),
        "{verdict}"
    );
}

#[test]
fn any_number_of_threads_gives_the_same_verdict() {
    for (vector, expected) in [("shares-accepted", 0), ("shares-open", 1)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/vectors")
            .join(vector)
            .with_extension("goatherd");
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
    let digest = verdict["trusted"]["kernel_source_digest"]
        .as_str()
        .unwrap()
        .to_owned();
    let script = "cd ../.. && LC_ALL=C && export LC_ALL && sha256sum certificates/src/*.rs checker/src/*.rs | sha256sum";
    let output = Command::new("sh")
        .args(["-c", script])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        format!("{digest}  -\n")
    );
}

/// Names that hide, turn around what is read, or move the cursor.
const HOSTILE: &str =
    "a\u{1b}[2J\u{9b}\u{202e}\u{61c}\u{200b}\u{ad}\u{feff}\u{e0041}\u{2066}\u{a0}\n!";

#[test]
fn nothing_raw_is_printed() {
    let mut certificates = [safe(), failing(), wrong()];
    for certificate in &mut certificates {
        certificate.statement.origin.file = String::from(HOSTILE);
        certificate.statement.origin.definitions = vec![format!("N={HOSTILE}")];
        certificate.statement.program.entry = String::from(HOSTILE);
        certificate.statement.program.registers[0].name = String::from(HOSTILE);
        certificate.files = vec![String::from(HOSTILE)];
    }
    let source = file("nothing-raw.c");
    fs::write(&source, "void test(unsigned char x) {}\n").unwrap();
    let missing = format!("no-such-file-{}", HOSTILE.replace('\n', ""));
    for (number, certificate) in certificates.iter().enumerate() {
        let requests: [&[&str]; 6] = [
            &[],
            &["--print"],
            &["--json"],
            &["--source", source.to_str().unwrap()],
            &["--source", &missing],
            &["--require", "entry=test"],
        ];
        for (request, arguments) in requests.iter().enumerate() {
            let (_, text, errors) = run(
                &format!("raw-{number}-{request}"),
                &bytes(certificate),
                arguments,
            );
            assert!(!text.is_empty() || !errors.is_empty());
            for line in text.lines().chain(errors.lines()) {
                assert!(line.chars().all(is_plain), "{arguments:?}: {line:?}");
                assert!(
                    !line.starts_with('!'),
                    "a name goes on in a line of its own: {line}"
                );
            }
        }
    }
    let (_, text, _) = run("raw-json", &bytes(&certificates[1]), &["--json"]);
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (
            verdict["entry"].as_str(),
            verdict["origin"]["file"].as_str()
        ),
        (Some(HOSTILE), Some(HOSTILE))
    );
}

/// A certificate of some 40 KB that says so many letters of each of so many assertions.
fn repetitive(assertions: usize, letters: usize) -> Certificate {
    let mut certificate = failing();
    certificate.limits.memory = 1 << 24;
    let branch = certificate.statement.program.instructions[0].clone();
    certificate
        .statement
        .program
        .instructions
        .extend(vec![branch; assertions]);
    certificate.statement.program.assertions = (3..).map(Location).take(assertions).collect();
    certificate.statement.program.registers[0].name = "x".repeat(letters);
    certificate.positions =
        vec![certificate.positions[0]; certificate.statement.program.instructions.len()];
    certificate.files = vec!["f".repeat(letters)];
    certificate
}

#[test]
fn output_is_as_long_as_the_certificate_not_as_its_square() {
    let bytes = bytes(&repetitive(5000, 20_000));
    for (name, arguments) in [
        ("long-text", &[][..]),
        ("long-json", &["--json"]),
        ("long-print", &["--print"]),
    ] {
        let (status, text, _) = run(
            name,
            &bytes,
            &[arguments, &["--expect", "unsafe", "--memory", "16M"]].concat(),
        );
        assert_eq!(status, 0, "{name}");
        assert!(text.len() < 3 << 20, "{name}: {}", text.len());
    }
}

#[test]
fn memory_is_limited_whatever_it_is_for() {
    let mut certificate = repetitive(5000, 10);
    let declined = |name: &str, certificate: &Certificate, arguments: &[&str]| {
        let (status, text, _) = run(name, &bytes(certificate), arguments);
        assert_eq!(status, 2, "{text}");
        let limit = arguments.last().unwrap();
        assert_eq!(
            text.lines().last(),
            Some(
                format!("declined: checking it takes more than {limit} bytes of memory (--memory)")
                    .as_str()
            )
        );
    };
    // The check takes 0.84 MB by the allocator's count, with --print 1.46 MB and with --json 1.89 MB.
    certificate.limits.memory = 800_000;
    let limit = ["--expect", "unsafe", "--memory", "1200000"];
    assert_eq!(run("memory-text", &bytes(&certificate), &limit).0, 0);
    declined(
        "memory-print",
        &certificate,
        &[&["--print"], &limit[..]].concat(),
    );
    let (status, text, _) = run(
        "memory-json",
        &bytes(&certificate),
        &[&["--json"], &limit[..]].concat(),
    );
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (status, &verdict["verdict"]),
        (2, &"declined".into()),
        "{text}"
    );
    let source = file("memory.c");
    fs::write(
        &source,
        format!("void test(int x) {{ {} }}\n", "x = x + 1;".repeat(20_000)),
    )
    .unwrap();
    let arguments = [&["--source", source.to_str().unwrap()], &limit[..]].concat();
    declined("memory-source", &certificate, &arguments);
}

/// What the command says of a pipe that begins like this and never ends.
fn endless(start: &[u8], arguments: &[&str], goes_on: bool) -> (Option<i32>, String) {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_goatherd-check"))
        .arg("/dev/stdin")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(start).unwrap();
    // Until nobody reads any more.
    while goes_on && pipe.write_all(&[0; 1 << 12]).is_ok() {}
    let output = child.wait_with_output().unwrap();
    drop(pipe);
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
    )
}

#[test]
fn a_pipe_without_end_is_declined() {
    let mut certificate = safe();
    certificate.limits.memory = 1 << 30;
    let (status, text) = endless(&bytes(&certificate), &["--memory", "1073741824"], true);
    assert_eq!(status, Some(2), "{text}");
    assert!(
        text.starts_with("declined: checking it takes more than 1073741824 bytes of memory"),
        "{text}"
    );
}

#[test]
fn time_is_limited_whatever_it_is_for() {
    let start = Instant::now();
    let (status, text) = endless(&bytes(&safe())[..20], &["--timeout", "0.2"], false);
    assert_eq!(
        (status, text.as_str()),
        (
            Some(2),
            "declined: checking it takes more than 0.2 s (--timeout)\n"
        )
    );
    let (status, text) = endless(
        &bytes(&safe())[..20],
        &["--timeout", "0.2", "--json"],
        false,
    );
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (status, &verdict["verdict"]),
        (Some(2), &"declined".into()),
        "{text}"
    );
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(run("in-time", &bytes(&safe()), &["--timeout", "1000"]).0, 0);
}
