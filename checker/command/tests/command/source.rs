//! `--source`: what is compared, and how the file is read.

use crate::{
    made::{certified_paths, failed, proved, proved_saying, proved_without, with_definitions},
    running::{against, file, run},
};
use goatherd::certify::models::certify as certify_model;
use goatherd_certificates::certificate::{GroundRun, Origin};
use goatherd_frontend::{source::Options, trees};
use goatherd_trees::{model::Model, options::Options as TreeOptions, search::search};
use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

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

/// A pointer's number is any here, and in C a certain one: the run may be none of C.
#[test]
fn values_of_a_failing_run_that_c_may_not_have_are_named() {
    let verdicts = |name: &str, condition: &str, choices: Vec<i128>, steps: u64| {
        let text = format!(
            "void __VERIFIER_fail(void); int __VERIFIER_nondet_int(void);\nvoid test(void) {{ int x;\n  if ({condition}) __VERIFIER_fail(); }}\n"
        );
        let run = GroundRun {
            inputs: Vec::new(),
            choices,
            steps,
        };
        let certificate = failed(name, &text, run);
        ["--expect=Unsafe", "--json"]
            .map(|argument| against(&certificate, name, &text, &[argument, "--no-confirm"]).1)
    };
    let [text, json] = verdicts("number.c", "(long)&x == 5", vec![0, 5], 6);
    assert!(text.starts_with("accepted: Unsafe\n"), "{text}");
    assert!(
        text.contains("  open        values of which C says more are any here, so that the file need not fail: "),
        "{text}"
    );
    assert!(text.contains("number.c:3:7\n"), "{text}");
    assert!(json.contains("\"open_values\": ["), "{json}");
    let [text, json] = verdicts("any.c", "__VERIFIER_nondet_int() == 5", vec![5], 3);
    assert!(text.starts_with("accepted: Unsafe\n"), "{text}");
    assert!(!text.contains("  open  "), "{text}");
    assert!(!json.contains("open_values"), "{json}");
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
    assert!(
        verdict.contains("are for files in C, not for transition systems"),
        "{verdict}"
    );
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
