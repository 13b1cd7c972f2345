//! Property files and task definitions of SV-COMP: what is answered, and what is refused.

use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// What tasks of the competition begin with.
const PRELUDE: &str = "\
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
void reach_error(void) {}
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: { reach_error(); abort(); } } return; }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
";

/// The sum of the first numbers is no less than how many they are.
const SUM: &str = "\
int main(void)
{
    int n = __VERIFIER_nondet_int(), i = 0;
    assume_abort_if_not(n >= 0 && n < 1000);
    while (i < n)
        i++;
    __VERIFIER_assert(i == n);
    return 0;
}
";

const UNREACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
const OVERFLOW: &str = "CHECK( init(main()), LTL(G ! overflow) )\n";
const MEMORY: &str = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";

/// A directory of this test with this program as `task.c`, and the properties.
fn task(name: &str, program: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tasks").join(name);
    drop(fs::remove_dir_all(&path));
    fs::create_dir_all(&path).expect("the directory of a test");
    let files = [("unreach-call.prp", UNREACH), ("no-overflow.prp", OVERFLOW), ("memory.prp", MEMORY)];
    for (name, text) in files.into_iter().chain([("task.c", &*format!("{PRELUDE}{program}"))]) {
        fs::write(path.join(name), text).expect("a file");
    }
    path
}

fn prove(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goatherd"));
    command.args(["prove", "--no-confirm", "--json"]).args(arguments).current_dir(directory).stdin(Stdio::null());
    command.output().expect("the command")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// What is answered of the property, and what is violated.
fn answer(output: &Output) -> (i32, String, String) {
    let property = &json(output)["property"];
    let word = |word: &Value| word.as_str().unwrap_or_default().to_owned();
    (output.status.code().expect("no signal"), word(&property["verdict"]), word(&property["violated"]))
}

fn answers(status: i32, verdict: &str, violated: &str) -> (i32, String, String) {
    (status, verdict.to_owned(), violated.to_owned())
}

#[test]
fn a_property_is_proved_or_violated() {
    let directory = task("unreach", SUM);
    let output = prove(&directory, &["task.c", "--property", "unreach-call.prp"]);
    assert_eq!(answer(&output), answers(0, "true", ""));
    let report = json(&output);
    assert_eq!((&report["entry"], &report["property"]["parts"]), (&"main".into(), &serde_json::json!(["unreach-call"])));
    assert_eq!(report["statement"]["parameters"]["allocation"], "Succeeds");
    for (name, from, to) in [("assert", "i == n", "i != n"), ("call", "i++;", "{ i++; if (i == 3) reach_error(); }")] {
        let directory = task(name, &SUM.replacen(from, to, 1));
        let output = prove(&directory, &["task.c", "--property", "unreach-call.prp"]);
        assert_eq!(answer(&output), answers(1, "false", "unreach-call"), "{name}");
        assert!(directory.join("task.goat").exists());
    }
}

/// What fails in another way than the property speaks of is neither shown nor excluded.
#[test]
fn other_failures_are_no_answer() {
    let body = |text: &str| format!("int main(void)\n{{\n    int n = __VERIFIER_nondet_int();\n    {text}\n    return 0;\n}}\n");
    let fail = "extern void __assert_fail(const char *, const char *, unsigned, const char *);\n".to_owned();
    let cases = [
        ("null", body("int *p = 0; if (n == 3) *p = 1;"), ["unknown", "false", "unknown"]),
        ("free", body("int *p = malloc(4); p++; if (n == 3) free(p);"), ["unknown", "false", "unknown"]),
        ("twice", body("int *p = malloc(4); free(p); if (n == 3) free(p);"), ["unknown", "false", "unknown"]),
        ("wild", body("int *p; if (n == 3) *p = 1;"), ["unknown", "false", "unknown"]),
        ("divided", body("n = 5 / n;"), ["unknown"; 3]),
        ("unset", body("int m; if (n == 3) n = m + 1;"), ["unknown"; 3]),
        ("literal", body("char *s = (char *) \"a\"; if (n == 3) *s = 'b';"), ["unknown"; 3]),
        ("row", body("int a[2][2]; if (n == 3) a[0][n] = 1;"), ["unknown"; 3]),
        ("added", body("n = n + 1;"), ["true", "true", "false"]),
        ("negated", body("n = -n;"), ["true", "true", "false"]),
        ("counted", body("n++;"), ["true", "true", "false"]),
        ("most negative", body("n = n / -1;"), ["unknown", "unknown", "false"]),
        ("shifted", body("n = (n < 0 ? -1 : 1) << 1;"), ["true", "true", "unknown"]),
        ("narrowed", body("signed char c = (signed char) n; (void) c;"), ["true"; 3]),
        ("library", fail + &body("n == 3 ? __assert_fail(\"n\", \"task.c\", 9, \"main\") : (void) 0;"), ["unknown"; 3]),
        (
            "another",
            body("if (n == 3) __VERIFIER_error();").replacen("int main", "void __VERIFIER_error(void);\nint main", 1),
            ["unknown"; 3],
        ),
        ("reached", body("if (n == 3) reach_error();"), ["false", "unknown", "unknown"]),
    ];
    for (name, text, expected) in cases {
        let directory = task(name, &text);
        for (property, expected) in ["unreach-call.prp", "memory.prp", "no-overflow.prp"].into_iter().zip(expected) {
            let output = prove(&directory, &["task.c", "--property", property]);
            let (status, verdict, violated) = answer(&output);
            assert_eq!(verdict, expected, "{name}, {property}: {}", json(&output));
            let statuses = BTreeMap::from([("true", 0), ("false", 1), ("unknown", 2)]);
            assert_eq!(Some(&status), statuses.get(&*verdict), "{name}, {property}");
            assert_eq!(violated.is_empty(), verdict != "false", "{name}, {property}");
            assert_eq!(directory.join("task.goat").exists(), verdict != "unknown", "{name}, {property}");
            drop(fs::remove_file(directory.join("task.goat")));
        }
    }
}

/// A name that means something is not given another meaning by the program.
#[test]
fn definitions_say_what_their_names_mean() {
    let with = |from: &str, to: &str| {
        assert!(PRELUDE.contains(from) || SUM.contains(from), "{from}");
        format!("{PRELUDE}{SUM}").replacen(from, to, 1)
    };
    let refused = [
        ("inverted", with("if (!(cond))", "if (cond)"), "'__VERIFIER_assert'", 6),
        ("other way", with("if (!(cond))", "if (cond) {} else"), "'__VERIFIER_assert'", 6),
        ("counting", with("return; }", "n++; }"), "'__VERIFIER_assert'", 6),
        ("before", with("{ if (!(cond))", "{ reach_error(); if (!(cond))"), "'__VERIFIER_assert'", 6),
        ("constant", with("(!(cond))", "(!1)"), "'__VERIFIER_assert'", 6),
        ("empty", with("{ if (!(cond)) { ERROR: { reach_error(); abort(); } } return; }", "{}"), "'__VERIFIER_assert'", 6),
        ("assumes", with("int main", "void __VERIFIER_assume(int c) {}\nint main"), "'__VERIFIER_assume'", 8),
        ("fails", with("int main", "void __VERIFIER_assume(int c) { if (!c) reach_error(); }\nint main"), "'__VERIFIER_assume'", 8),
        (
            "goes on",
            with("extern void abort(void);", "void abort(void) {}\nvoid __VERIFIER_assume(int c) { if (!c) abort(); }"),
            "'__VERIFIER_assume'",
            2,
        ),
        (
            "last words",
            with(
                "int main",
                "void exit(int);\nint last(void) { reach_error(); return 0; }\nvoid __VERIFIER_assume(int c) { if (!c) exit(last()); }\nint main",
            ),
            "'__VERIFIER_assume'",
            10,
        ),
        (
            "no end",
            with(
                "extern void abort(void);",
                "void f(void) {}\nvoid (*abort)(void) = f;\nvoid __VERIFIER_assume(int c) { if (!c) abort(); }",
            ),
            "'__VERIFIER_assume'",
            3,
        ),
        ("ignores", with("int main", "void __VERIFIER_ignore(void) {}\nint main"), "'__VERIFIER_ignore'", 8),
        ("known", with("extern int __VERIFIER_nondet_int(void);", "int __VERIFIER_nondet_int(void) { return 1; }"), "nondet_int'", 10),
        ("pointer", with("int n =", "void (*f)(void) = reach_error; f(); int n ="), "a pointer to 'reach_error'", 10),
    ];
    for (name, text, message, line) in refused {
        let directory = task(name, "");
        fs::write(directory.join("task.c"), text).expect("a file");
        let output = prove(&directory, &["task.c", "--property", "unreach-call.prp"]);
        let diagnostic = &json(&output)["diagnostics"][0];
        assert_eq!((output.status.code(), &diagnostic["kind"]), (Some(3), &"unsupported".into()), "{name}: {}", json(&output));
        assert!(diagnostic["message"].as_str().is_some_and(|text| text.contains(message)), "{name}: {diagnostic}");
        assert_eq!(diagnostic["line"], line, "{name}: {diagnostic}");
    }
    // An assertion that ends the program otherwise is none whose failure calls the function.
    let silent = with("{ reach_error(); abort(); }", "abort();").replacen("i == n);", "i != n);", 1);
    let directory = task("silent", "");
    fs::write(directory.join("task.c"), silent).expect("a file");
    assert_eq!(answer(&prove(&directory, &["task.c", "--property", "unreach-call.prp"])), answers(2, "unknown", ""));
    let assumed = with("int main", "void __VERIFIER_assume(int c) { if (!c) abort(); }\nint main");
    fs::write(directory.join("task.c"), assumed).expect("a file");
    assert_eq!(answer(&prove(&directory, &["task.c", "--property", "unreach-call.prp"])), answers(0, "true", ""));
}

/// A proof says less than that no memory is ever lost; a run that loses some says that it is not so.
#[test]
fn memory_that_is_lost_is_a_violation_and_a_proof_is_no_answer() {
    let body = |line: &str| format!("int main(void)\n{{\n    int *p = malloc(sizeof(int));\n    {line}\n    return 0;\n}}\n");
    let kept = format!("int *q;\n{}", body("q = p;"));
    for (name, text, expected) in [
        ("freed", body("free(p);"), [("unknown", ""), ("unknown", "")]),
        ("lost", body("p = 0;"), [("false", "valid-memtrack"), ("false", "valid-memcleanup")]),
        ("kept", kept, [("unknown", ""), ("unknown", "")]),
        ("twice", body("free(p); free(p);"), [("false", "valid-free"), ("unknown", "")]),
        ("after", body("free(p); *p = 1;"), [("false", "valid-deref"), ("unknown", "")]),
    ] {
        let directory = task(name, &text);
        let track = format!("{MEMORY}CHECK( init(main()), LTL(G valid-memtrack) )\n");
        fs::write(directory.join("track.prp"), track).expect("a file");
        fs::write(directory.join("cleanup.prp"), "CHECK( init(main()), LTL(G valid-memcleanup) )\n").expect("a file");
        for (property, (verdict, violated)) in ["track.prp", "cleanup.prp"].into_iter().zip(expected) {
            let output = prove(&directory, &["task.c", "--property", property]);
            let status = if verdict == "false" { 1 } else { 2 };
            assert_eq!(answer(&output), answers(status, verdict, violated), "{name}, {property}: {}", json(&output));
            assert_eq!(directory.join("task.goat").exists(), verdict == "false", "{name}, {property}");
            drop(fs::remove_file(directory.join("task.goat")));
        }
    }
}

#[test]
fn a_task_definition_names_program_and_property() {
    let directory = task("definition", SUM);
    let definition = |properties: &str| {
        format!("format_version: '2.0'\ninput_files: 'task.c'\nproperties:\n{properties}options:\n  language: C\n  data_model: LP64\n")
    };
    let unreach = "  - property_file: unreach-call.prp\n    expected_verdict: true\n";
    let overflow = "  - property_file: no-overflow.prp\n    expected_verdict: false\n    subproperty: overflow\n";
    fs::write(directory.join("one.yml"), definition(unreach)).expect("a file");
    fs::write(directory.join("two.yml"), definition(&format!("{unreach}{overflow}"))).expect("a file");
    fs::write(directory.join("none.yml"), definition("  []\n")).expect("a file");
    let narrow = definition(unreach).replace("LP64", "ILP32");
    fs::write(directory.join("narrow.yml"), narrow).expect("a file");
    let output = prove(&directory, &["one.yml"]);
    assert_eq!(answer(&output), answers(0, "true", ""));
    let report = json(&output);
    assert_eq!((&report["file"], &report["property"]["expected"]), (&"task.c".into(), &"true".into()));
    assert!(directory.join("task.goat").exists());
    let output = prove(&directory, &["two.yml", "--property", "no-overflow.prp"]);
    assert_eq!(answer(&output), answers(0, "true", ""));
    assert_eq!(json(&output)["property"]["expected"], "false");
    assert_eq!(json(&output)["property"]["expected_violated"], "overflow");
    let other = prove(&directory, &["one.yml", "--property", "memory.prp"]);
    assert_eq!((answer(&other), &json(&other)["property"]["expected"]), (answers(0, "true", ""), &Value::Null));
    for (arguments, message) in [
        (&["two.yml"] as &[&str], "several properties"),
        (&["none.yml"], "without a property"),
        (&["narrow.yml"], "the data model ILP32"),
        (&["missing.yml"], "cannot read the file"),
    ] {
        let output = prove(&directory, arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        assert!(json(&output)["diagnostics"][0]["message"].as_str().is_some_and(|text| text.contains(message)), "{}", json(&output));
    }
    let narrow = json(&prove(&directory, &["narrow.yml"]));
    assert_eq!((&narrow["diagnostics"][0]["line"], &narrow["diagnostics"][0]["column"]), (&8.into(), &15.into()));
}

#[test]
fn what_is_not_asked_for_in_a_way_that_is_known_is_refused() {
    let directory = task("refused", SUM);
    let property = |text: &str| fs::write(directory.join("other.prp"), text).expect("a file");
    for (text, message) in [
        ("CHECK( init(main()), LTL(F end) )", "the property F end"),
        ("CHECK( init(main()), LTL(G ! data-race) )", "the property G ! data-race"),
        ("CHECK( init(main()), LTL(G ! call(f())) )", "calls of 'f'"),
        ("", "this is no property"),
    ] {
        property(text);
        let output = prove(&directory, &["task.c", "--property", "other.prp"]);
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(json(&output)["diagnostics"][0]["message"].as_str().is_some_and(|said| said.contains(message)), "{}", json(&output));
    }
    for arguments in [
        &["task.c", "--data-model", "ILP32"] as &[&str],
        &["task.c", "--data-model", "LLP64"],
        &["task.c", "--property", "unreach-call.prp", "--entry", "reach_error"],
        &["task.c", "--property", "unreach-call.prp", "--entry", "test"],
        &["task.c", "--property", "unreach-call.prp", "--waive", "13"],
        &["task.c", "--property", "missing.prp"],
    ] {
        assert_eq!(prove(&directory, arguments).status.code(), Some(3), "{arguments:?}");
    }
    let output = prove(&directory, &["task.c", "--property", "unreach-call.prp", "--allocation", "may-fail", "--data-model", "LP64"]);
    assert_eq!(json(&output)["statement"]["parameters"]["allocation"], "MayFail");
    assert_eq!(answer(&output), answers(0, "true", ""));
}
