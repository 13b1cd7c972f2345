//! The command from outside: exit statuses, reports, files, and what is refused.

use crate::compilers;
use crate::programs;

use compilers::with_compiler;
use programs::SAFE;
use serde_json::Value;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// The first element is not zeroed.
fn faulty() -> String {
    SAFE.replacen("i = 0", "i = 1", 1)
}

/// An empty directory of this test.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command").join(name);
    drop(fs::remove_dir_all(&path));
    fs::create_dir_all(&path).expect("the directory of a test");
    path
}

fn goatherd(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goatherd")).args(arguments).current_dir(directory).stdin(Stdio::null()).output().expect("the command")
}

fn with_input(directory: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_goatherd"))
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the command reads");
    child.wait_with_output().expect("the command ends")
}

/// A directory with this text as `program.c`.
fn program(name: &str, text: &str) -> PathBuf {
    let directory = directory(name);
    fs::write(directory.join("program.c"), text).expect("the program");
    directory
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stdout)))
}

/// The names of all files in a directory.
fn files(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").file_name().into_string());
    let mut names: Vec<String> = names.map(|name| name.expect("a plain name")).collect();
    names.sort();
    names
}

/// An array that is filled, at a constant length, too long to be followed to its end.
const FILLED: &str = "\
extern void __VERIFIER_assert(int condition);
int main(void)
{
    int numbers[100000];
    for (int i = 0; i < 100000; i++)
        numbers[i] = 7;
    for (int i = 0; i < 100000; i++)
        __VERIFIER_assert(numbers[i] == 7);
    return 0;
}
";

#[test]
fn a_constant_length_is_any_length_up_to_that() {
    let directory = program("sizes", FILLED);
    let output = goatherd(&directory, &["prove", "program.c", "--entry", "main", "--json"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let said = json(&output);
    assert_eq!(
        said["statement"]["inputs"],
        serde_json::json!(["in the place of 100000, the length of an array, any number from 1 to 100000"])
    );
    // What is wrong for one index is wrong; what is wrong for other lengths only is not.
    for (name, from, to, expected) in [
        ("outside.c", "numbers[i] = 7", "numbers[i + 1] = 7", [1, 2]),
        ("last.c", "i < 100000; i++)\n        numbers", "i < 99999; i++)\n        numbers", [1, 2]),
        ("middle.c", "numbers[i] == 7", "numbers[i] == 7 && i != 61234", [1, 2]),
        ("short.c", "return 0", "return numbers[3] - 7", [0, 2]),
    ] {
        fs::write(directory.join(name), FILLED.replacen(from, to, 1)).expect("the program");
        let output = goatherd(&directory, &["prove", name, "--entry", "main", "--steps", "20000", "--no-confirm"]);
        assert!(expected.contains(&status(&output)), "{name}: {}", text(&output.stdout));
    }
}

/// A list is reversed; that it keeps its length takes two walks.
const REVERSED: &str = "\
extern void __VERIFIER_assert(int condition);
struct node { struct node *next; int data; };
static int length(struct node *list) { int n = 0; for (; list; list = list->next) n++; return n; }
static struct node *reverse(struct node *list) {
    struct node *first = 0;
    while (list) { struct node *next = list->next; list->next = first; first = list; list = next; }
    return first;
}
void test(struct node *list) { CHECK }
";

#[test]
fn the_report_says_which_engine_has_proved() {
    let safe = REVERSED.replace("CHECK", "reverse(list);");
    let kept = REVERSED.replace("CHECK", "int n = length(list); __VERIFIER_assert(length(reverse(list)) == n);");
    let directory = program("engines", &safe);
    fs::write(directory.join("kept.c"), kept).expect("the program");
    let report = |arguments: &[&str]| json(&goatherd(&directory, &[&["prove", "--json"], arguments].concat()));
    for (file, engine, proved_by) in [
        ("program.c", "auto", Some("trees")),
        ("program.c", "trees", Some("trees")),
        ("program.c", "descent", Some("descent")),
        ("kept.c", "auto", Some("descent")),
        ("kept.c", "trees", None),
    ] {
        let report = report(&["--engine", engine, "--steps", "3000", file]);
        assert_eq!(report["certificate"]["engine"].as_str(), proved_by, "{file}, {engine}: {report}");
        assert_eq!(report["verdict"], if proved_by.is_some() { "proved" } else { "unknown" }, "{file}, {engine}");
    }
}

#[test]
fn a_proof_is_written_and_reported() {
    let directory = program("proved", SAFE);
    let output = goatherd(&directory, &["prove", "program.c"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert_eq!(files(&directory), ["program.c", "program.goat"]);
    let bytes = fs::read(directory.join("program.goat")).expect("a certificate");
    assert!(goatherd_claims::check(&bytes, goatherd_checker::Limits::of_memory(1 << 30), goatherd::encode::digest).is_ok());
    let report = text(&output.stdout);
    assert!(report.starts_with("proved: program.c: no execution of test"), "{report}");
    for line in ["not vacuous", "checks: ", "trusted      kernel ", "program.goat, ", "k = 1"] {
        assert!(report.contains(line), "{line} is not in {report}");
    }
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn a_failing_run_is_written_and_reported() {
    let directory = program("unsafe", &faulty());
    let output = goatherd(&directory, &["prove", "program.c"]);
    assert_eq!(status(&output), 1, "{}", text(&output.stderr));
    assert_eq!(files(&directory), ["program.c", "program.counterexample.c", "program.goat"]);
    let report = text(&output.stdout);
    assert!(report.starts_with("unsafe: program.c: an execution of test fails\nprogram.c:8:"), "{report}");
    for line in ["false assertion", "a.n_s = 1", "a.s = { 1 }", "program.counterexample.c && ./a.out", "1 fails"] {
        assert!(report.contains(line), "{line} is not in {report}");
    }
    let built = Command::new("cc").args(["-fwrapv", "program.counterexample.c"]).current_dir(&directory).status();
    assert!(built.expect("a C compiler").success());
    let shown = Command::new(directory.join("a.out")).output().expect("the counterexample");
    assert_eq!(text(&shown.stdout), "goatherd: false assertion\n");
}

/// What does not change with every change of the prover, the kernel or the machine.
fn stable(report: &str) -> String {
    let changes = ["  program ", "  types ", "  certificate ", "  trusted ", "  time "];
    report.lines().filter(|line| !changes.iter().any(|start| line.starts_with(start))).collect::<Vec<_>>().join("\n")
}

#[test]
fn reports_in_words() {
    let directory = program("words", SAFE);
    let report = |file: &str| stable(&text(&goatherd(&directory, &["prove", file]).stdout));
    insta::assert_snapshot!("proved", report("program.c"));
    fs::write(directory.join("faulty.c"), faulty()).expect("the program");
    insta::assert_snapshot!("unsafe", report("faulty.c"));
    let vacuous = SAFE.replacen("{\n", "{\n    __VERIFIER_assume(a.n_s < 0);\n", 1);
    let vacuous = format!("extern void __VERIFIER_assume(int condition);\n{vacuous}");
    fs::write(directory.join("vacuous.c"), vacuous).expect("the program");
    insta::assert_snapshot!("vacuous", report("vacuous.c"));
}

/// The sum of the elements is compared with that of the same elements the other way round.
const UNDECIDED: &str = "\
extern void __VERIFIER_assert(int condition);
struct array { int *x; int n_x; };
void test(struct array a)
{
    unsigned s = 0, t = 0;
    for (int i = 0; i < a.n_x; i++)
        s += a.x[i];
    for (int i = a.n_x; i > 0; i--)
        t += a.x[i - 1];
    __VERIFIER_assert(s == t);
    __VERIFIER_assert(a.n_x >= 0);
}
";

#[test]
fn a_part_is_proved_where_the_whole_is_not() {
    let directory = program("part", UNDECIDED);
    fs::write(directory.join("program.goat"), "of another day").expect("an old certificate");
    let output = goatherd(&directory, &["prove", "program.c", "--json", "--steps", "2000"]);
    assert_eq!(status(&output), 2, "{}", text(&output.stdout));
    assert_eq!(files(&directory), ["program.c", "program.goat.stale", "program.partial.goat"]);
    let report = json(&output);
    assert_eq!(report["verdict"], "unknown");
    assert!(report["stuck"]["reason"].is_string() && report["stuck"]["advice"].is_array(), "{report}");
    assert_eq!(report["stale"], serde_json::json!(["program.goat.stale"]));
    assert_eq!(report["partial"]["waived"], serde_json::json!(["program.c:10:5"]));
    assert_eq!(report["partial"]["command"], "goatherd-check program.partial.goat --source program.c --waive program.c:10:5");
    assert!(report["certificate"].is_null(), "{report}");
    let list = report["checks"]["list"].as_array().expect("a list");
    let unknown: Vec<&Value> = list.iter().filter(|check| check["status"] != "proved").collect();
    assert!(unknown.len() == 1 && unknown[0]["line"] == 10 && unknown[0]["kind"] == "assertion", "{report}");
    // What is left is a program of its own, which is named as such.
    let output = goatherd(&directory, &["prove", "program.c", "--waive", "10", "--json"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stdout));
    assert_eq!(json(&output)["statement"]["waived"], serde_json::json!(["program.c:10:5"]));
    assert_eq!(files(&directory), ["program.c", "program.goat", "program.goat.stale", "program.partial.goat.stale"]);
    let bytes = |name: &str| fs::read(directory.join(name)).expect("a certificate");
    assert_eq!(bytes("program.goat"), bytes("program.partial.goat.stale"));
}

#[test]
fn what_limits_leave_is_said() {
    let directory = program("limits", UNDECIDED);
    let output = goatherd(&directory, &["prove", "program.c", "--timeout", "0.05"]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stdout).contains("not finished after 0.05 s (--timeout); it was looking for"), "{}", text(&output.stdout));
    let output = goatherd(&directory, &["prove", "program.c", "--memory", "4K"]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stdout).contains("more than 4096 bytes of memory (--memory)"), "{}", text(&output.stdout));
    assert_eq!(files(&directory), ["program.c"]);
    let output = goatherd(&directory, &["prove", "program.c", "--timeout", "0", "--memory", "0", "--steps", "100"]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stdout).contains("neither a proof nor a failing execution was found"), "{}", text(&output.stdout));
}

#[test]
fn assertions_alone_are_waived() {
    let directory = program("waivers", SAFE);
    for (waiver, message) in [("7", "there is no assertion at 7"), ("other.c:8", "there is no assertion at other.c:8"), ("8:1", "at 8:1")] {
        let output = goatherd(&directory, &["prove", "program.c", "--waive", waiver]);
        assert_eq!(status(&output), 3, "{waiver}");
        assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
    }
    let output = goatherd(&directory, &["prove", "program.c", "--waive", "0"]);
    assert_eq!(status(&output), 3);
    // The access in the condition is checked all the same, and the assertion is not assumed.
    let reads_beyond = SAFE.replacen("i < a.n_s; i++)\n        __V", "i <= a.n_s; i++)\n        __V", 1);
    let follows = SAFE.replacen("== 0);", "== 1);\n    __VERIFIER_assert(a.n_s == 0);", 1);
    for (name, text) in [("waived-condition", reads_beyond), ("waived-not-assumed", follows)] {
        let output = goatherd(&program(name, &text), &["prove", "program.c", "--waive", "8"]);
        assert_eq!(status(&output), 1, "{name}");
    }
}

/// Two headers of one name in two folders, with an assertion at one place each.
#[test]
fn a_waiver_is_of_one_file() {
    let header = |name: &str, rest: u32| format!("static void {name}(unsigned x) {{\n    __VERIFIER_assert(x % 7 < {rest});\n}}\n");
    let source = "extern void __VERIFIER_assert(int condition);\n#include \"x/check.h\"\n#include \"y/check.h\"\n\
        void test(unsigned n) { first(n); second(n); }\n";
    let directory = program("waivers-of-one-name", source);
    for (folder, text) in [("x", header("first", 6)), ("y", header("second", 7))] {
        fs::create_dir(directory.join(folder)).expect("a folder");
        fs::write(directory.join(folder).join("check.h"), text).expect("a header");
    }
    let prove = |waivers: &[&str]| {
        let words = ["prove", "program.c", "--json"].into_iter().chain(waivers.iter().flat_map(|waiver| ["--waive", waiver]));
        goatherd(&directory, &words.collect::<Vec<_>>())
    };
    let of_both = goatherd(&directory, &["prove", "program.c", "--waive", "check.h:2"]);
    assert_eq!(status(&of_both), 3);
    let message = "check.h:2 names assertions of several files: x/check.h:2:5, y/check.h:2:5";
    assert!(text(&of_both.stderr).contains(message), "{}", text(&of_both.stderr));
    let first = prove(&["x/check.h:2"]);
    assert_eq!((status(&first), &json(&first)["statement"]["waived"]), (0, &serde_json::json!(["x/check.h:2:5"])));
    // The other one is still there.
    assert_eq!(status(&prove(&["y/check.h:2"])), 1);
    let both = prove(&["x/check.h:2", "y/check.h:2"]);
    assert_eq!((status(&both), &json(&both)["statement"]["waived"]), (0, &serde_json::json!(["x/check.h:2:5", "y/check.h:2:5"])));
}

#[test]
fn json_has_the_documented_form() {
    let directory = program("json", &faulty());
    let report = json(&goatherd(&directory, &["prove", "program.c", "--json", "-D", "UNUSED=3"]));
    assert_eq!(report["schema"], "goatherd-prove/1");
    assert_eq!(report["verdict"], "unsafe");
    assert_eq!(report["statement"]["parameters"]["allocation"], "MayFail");
    assert_eq!(report["statement"]["program_digest"].as_str().map(str::len), Some(64));
    assert_eq!(report["certificate"]["path"], "program.goat");
    assert_eq!(report["checks"]["fails"], 1);
    let failing: Vec<&Value> =
        report["checks"]["list"].as_array().expect("a list").iter().filter(|check| check["status"] == "fails").collect();
    assert!(matches!(failing.as_slice(), [check] if check["kind"] == "assertion" && check["line"] == 8), "{failing:?}");
    let run = &report["counterexample"];
    assert_eq!((&run["line"], &run["confirmed"], &run["path"]), (&8.into(), &true.into(), &"program.counterexample.c".into()));
    assert!(run["command"].as_str().is_some_and(|command| command.contains(" -DUNUSED=3 ")));
    assert!(run["trace"].as_array().is_some_and(|trace| trace.iter().any(|line| line["line"] == 7)));
    assert!(report["milliseconds"].as_f64().is_some_and(|time| time > 0.0));
}

#[test]
fn certificates_are_the_same_for_every_run_and_number_of_threads() {
    for (name, source) in [("same-proof", SAFE.to_owned()), ("same-run", faulty())] {
        let directory = program(name, &source);
        let certificate = |file: &str, threads: &str| {
            goatherd(&directory, &["prove", "program.c", "-o", file, "--threads", threads]);
            fs::read(directory.join(file)).expect("a certificate")
        };
        let first = certificate("1.goat", "1");
        assert!(first == certificate("2.goat", "1") && first == certificate("3.goat", "2"));
        // Nor do they depend on where the file lies.
        goatherd(&directory, &["prove", directory.join("program.c").to_str().expect("a name"), "-o", "4.goat"]);
        assert!(first == fs::read(directory.join("4.goat")).expect("a certificate"));
    }
}

#[test]
fn standard_input_is_a_file() {
    let directory = directory("stdin");
    let output = with_input(&directory, &["prove", "-"], &faulty());
    assert_eq!(status(&output), 1, "{}", text(&output.stderr));
    assert_eq!(files(&directory), ["stdin.counterexample.c", "stdin.goat"]);
    assert!(text(&output.stdout).contains("<stdin>:8:"));
    // It cannot include the source, and holds a copy.
    let built = Command::new("cc").args(["-fwrapv", "stdin.counterexample.c"]).current_dir(&directory).status();
    assert!(built.expect("a C compiler").success());
    let shown = Command::new(directory.join("a.out")).output().expect("the counterexample");
    assert_eq!(text(&shown.stdout), "goatherd: false assertion\n");
    assert_eq!(status(&with_input(&directory, &["prove", "-"], SAFE)), 0);
}

#[test]
fn a_counterexample_is_built_in_the_dialect_of_the_proof() {
    let source = "void test(int x)\n{\n    if (x > 0)\n        x = x + 1;\n}\n";
    let directory = program("dialect", source);
    let output = goatherd(&directory, &["prove", "program.c", "--checks", "overflow"]);
    assert_eq!(status(&output), 1, "{}", text(&output.stdout));
    let counterexample = fs::read_to_string(directory.join("program.counterexample.c")).expect("the counterexample");
    assert!(counterexample.contains("cc -g -fsanitize") && !text(&output.stdout).contains("-fwrapv"), "{counterexample}");
}

#[test]
fn failures_of_nodes_and_of_many_objects_are_confirmed() {
    let list = "extern void __VERIFIER_assert(int condition);\nstruct node { struct node *next; int value; };\n\
        void test(struct node *head)\n{\n    if (head && head->next)\n        __VERIFIER_assert(head->next->value != 3);\n}\n";
    let allocations = "extern void __VERIFIER_assert(int condition);\nvoid *malloc(unsigned long);\nvoid test(int n)\n{\n\
        \x20   int count = 0;\n    for (int i = 0; i < n; i++)\n        count += malloc(1) != 0;\n    __VERIFIER_assert(count < 2);\n}\n";
    for (name, source) in [("list", list), ("allocations", allocations)] {
        let directory = program(name, source);
        let output = goatherd(&directory, &["prove", "program.c", "--json"]);
        assert_eq!(status(&output), 1, "{}", text(&output.stderr));
        assert_eq!(files(&directory), ["program.c", "program.counterexample.c", "program.goat"]);
        let report = json(&output);
        assert_eq!((&report["verdict"], &report["counterexample"]["confirmed"]), (&"unsafe".into(), &true.into()));
    }
}

#[test]
fn the_heap_of_a_counterexample_is_told_and_drawn() {
    let source = "extern void free(void *);\nstruct node { struct node *next; int value; };\n\
        void test(struct node *one, struct node *two)\n{\n    struct node **end = &one;\n    if (one && two) {\n\
        \x20       one->next = two;\n        end = &one->next;\n        free(two);\n        two->value = 1;\n    }\n}\n";
    let directory = program("heap", source);
    let output = goatherd(&directory, &["prove", "program.c", "--draw", "pictures"]);
    let said = text(&output.stdout);
    let expected = [
        "input        one = node 0: { .value = 0 } -> NULL\n",
        "two = node 1: { .value = 0 } -> NULL\n",
        "// node 0.next = node 1\n",
        "heap         one = node 0, two = node 1, end = node 0\n",
        "node 0 (struct node): next = node 1, value = 0\n",
        "node 1 (struct node, dead): next = NULL, value = 0\n",
    ];
    for line in expected {
        assert!(said.contains(line), "{line}{said}");
    }
    assert_eq!(files(&directory.join("pictures")), ["entry.dot", "entry.svg", "failure.dot", "failure.svg"]);
    let drawn = fs::read_to_string(directory.join("pictures/failure.dot")).expect("the picture");
    assert!(drawn.contains("fillcolor") && drawn.contains("[label=\"next\"]"), "{drawn}");
    let report = json(&goatherd(&directory, &["prove", "program.c", "--json"]));
    let heap = &report["counterexample"]["heap_at_entry"];
    assert_eq!((&heap["objects"][1]["name"], &heap["variables"][1]["target"]), (&"node 1".into(), &1.into()));
    // Without pointers in memory there is no heap to be told of.
    let directory = program("no-heap", &faulty());
    let output = goatherd(&directory, &["prove", "program.c", "--draw", "pictures"]);
    assert!(!text(&output.stdout).contains("heap"), "{}", text(&output.stdout));
    assert!(files(&directory.join("pictures")).is_empty());
}

#[test]
fn a_failure_that_the_rules_do_not_reach_is_no_verdict() {
    let source = "extern void __VERIFIER_assert(int condition);\nvoid test(int x)\n{\n    int y = x, *pointers[100];\n\
        \x20   pointers[0] = &y;\n    __VERIFIER_assert(*pointers[0] != 3);\n}\n";
    let directory = program("pointers", source);
    let output = goatherd(&directory, &["prove", "program.c", "--json"]);
    assert_eq!(status(&output), 2, "{}", text(&output.stderr));
    assert_eq!(files(&directory), ["program.c", "program.counterexample.c"]);
    let report = json(&output);
    assert_eq!((&report["verdict"], &report["counterexample"]["confirmed"]), (&"unknown".into(), &false.into()));
    assert!(report["reason"].as_str().is_some_and(|reason| reason.ends_with("its rules do not reach it")), "{report}");
}

#[test]
fn overflow_of_constants_is_reported() {
    for operation in ["-3 << 10", "2147483647 + 1", "1 << 31"] {
        let directory = program("constants", &format!("void test(int x)\n{{\n    if (x == 3)\n        x = {operation};\n}}\n"));
        assert_eq!(status(&goatherd(&directory, &["prove", "program.c"])), 0, "{operation}");
        let output = goatherd(&directory, &["prove", "program.c", "--checks", "overflow"]);
        assert_eq!(status(&output), 1, "{operation}: {}", text(&output.stdout));
    }
}

#[cfg(feature = "z3")]
#[test]
fn z3_is_asked() {
    let directory = program("z3", SAFE);
    for solver in ["z3", "both"] {
        let output = goatherd(&directory, &["prove", "program.c", "--solver", solver]);
        assert_eq!(status(&output), 0, "{solver}: {}", text(&output.stderr));
    }
}

#[test]
fn z3_is_missed() {
    let directory = program("no-z3", SAFE);
    let executable = directory.join("goatherd");
    fs::copy(env!("CARGO_BIN_EXE_goatherd"), &executable).unwrap();
    let output = Command::new(executable).current_dir(&directory).args(["prove", "program.c", "--solver", "z3"]).output().unwrap();
    assert_eq!(status(&output), 3);
    assert!(text(&output.stderr).contains("goatherd-z3"), "{}", text(&output.stderr));
}

#[test]
fn wrong_usage_is_refused() {
    let directory = program("usage", SAFE);
    let refused: [&[&str]; 14] = [
        &[],
        &["prove"],
        &["disprove", "program.c"],
        &["prove", "program.c", "--nonsense"],
        &["prove", "program.c", "other.c"],
        &["prove", "program.c", "--checks", "luck"],
        &["prove", "program.c", "--allocation", "never"],
        &["prove", "program.c", "--solver", "oracle"],
        &["prove", "program.c", "--timeout", "-1"],
        &["prove", "program.c", "--timeout", "soon"],
        &["prove", "program.c", "--memory", "lots"],
        &["prove", "program.c", "--threads", "0"],
        &["prove", "program.c", "-D", "1=2"],
        &["harness", "program.c"],
    ];
    for arguments in refused {
        let output = goatherd(&directory, arguments);
        assert_eq!(status(&output), 3, "{arguments:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{arguments:?}");
    }
    for arguments in [&["--help"] as &[&str], &["--version"], &["prove", "--help"], &["lower", "--help"]] {
        let output = goatherd(&directory, arguments);
        assert_eq!(status(&output), 0, "{arguments:?}");
        assert!(!output.stdout.is_empty(), "{arguments:?}");
    }
    assert_eq!(files(&directory), ["program.c"]);
}

#[test]
fn files_that_are_no_c_are_refused() {
    let directory = program("input", "int main(void) { return 0; }\n");
    fs::create_dir(directory.join("directory.c")).expect("a directory");
    fs::write(directory.join("empty.c"), "").expect("a file");
    fs::write(directory.join("binary.c"), [0, 159, 146, 150]).expect("a file");
    fs::write(directory.join("text.c"), "This is no C.\n").expect("a file");
    fs::write(directory.join("assembly.c"), "void test(void)\n{\n    __asm__(\"nop\");\n}\n").expect("a file");
    let refused = [
        ("missing.c", "there is no such file"),
        ("directory.c", "it is a directory"),
        ("empty.c", "test"),
        ("binary.c", "this is no text"),
        ("text.c", "error"),
        ("program.c", "test"),
        ("assembly.c", "assembly.c:3:5: unsupported: "),
    ];
    for (file, message) in refused {
        let output = goatherd(&directory, &["prove", file, "--json"]);
        assert_eq!(status(&output), 3, "{file}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(message), "{file}: {}", text(&output.stderr));
        assert_eq!(json(&output)["verdict"], "input");
        assert!(json(&output)["diagnostics"].as_array().is_some_and(|all| !all.is_empty()), "{file}");
    }
}

#[test]
fn results_that_cannot_be_written_are_refused() {
    let directory = program("output", SAFE);
    fs::create_dir(directory.join("directory")).expect("a directory");
    let refused = [
        (["-o", "directory"], "it is a directory"),
        (["-o", "nowhere/program.goat"], "its directory does not exist"),
        (["-o", "./program.c"], "it is the source file"),
        (["--counterexample", "program.goat"], "cannot be both"),
    ];
    for (arguments, message) in refused {
        let output = goatherd(&directory, &[&["prove", "program.c"], &arguments as &[&str]].concat());
        assert_eq!(status(&output), 3, "{arguments:?}");
        assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
    }
    assert_eq!(fs::read_to_string(directory.join("program.c")).expect("the source"), SAFE);
    assert_eq!(files(&directory), ["directory", "program.c"]);
}

#[test]
fn a_counterexample_elsewhere_finds_its_source() {
    let directory = program("elsewhere", &faulty());
    fs::create_dir(directory.join("results")).expect("a directory");
    let output = goatherd(&directory, &["prove", "program.c", "-o", "results/program.goat"]);
    assert_eq!(status(&output), 1);
    assert_eq!(files(&directory.join("results")), ["program.counterexample.c", "program.goat"]);
    let built = Command::new("cc").arg("results/program.counterexample.c").current_dir(&directory).status();
    assert!(built.expect("a C compiler").success());
}

#[test]
fn a_program_is_printed_with_its_digest() {
    let directory = program("lower", SAFE);
    let output = goatherd(&directory, &["lower", "program.c"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let report = json(&goatherd(&directory, &["prove", "program.c", "--json"]));
    let digest = report["statement"]["program_digest"].as_str().expect("a digest").to_owned();
    assert!(text(&output.stdout).ends_with(&format!("program sha256 {digest}\n")));
}

#[test]
fn models_are_listed_and_printed() {
    let directory = directory("models");
    assert!(text(&goatherd(&directory, &["models"]).stdout).lines().any(|name| name == "strlen"));
    assert!(text(&goatherd(&directory, &["models", "strlen"]).stdout).contains("strlen("));
    let output = goatherd(&directory, &["models", "qsort"]);
    assert_eq!(status(&output), 3);
    assert!(text(&output.stderr).contains("there is no model of `qsort`"));
}

#[test]
fn a_harness_can_be_proved() {
    let source = "void zero(char *s, int n)\n{\n    for (int i = 0; i < n; i++)\n        s[i] = 0;\n}\n";
    let directory = program("harness", source);
    fs::create_dir(directory.join("harnesses")).expect("a directory");
    for file in ["first.c", "harnesses/first.c"] {
        let output = goatherd(&directory, &["harness", "program.c", "--entry", "zero", "-o", file]);
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        let output = goatherd(&directory, &["prove", file]);
        assert_eq!(status(&output), 0, "{}{}", text(&output.stdout), text(&output.stderr));
    }
    assert_eq!(status(&goatherd(&directory, &["harness", "program.c", "--entry", "one"])), 3);
}

#[test]
fn nothing_raw_is_printed() {
    const HOSTILE: &str = "a\u{1b}[2J\u{9b}\u{202e}\u{61c}\u{200b}\u{ad}\u{feff}\u{e0041}";
    let directory = directory("hostile");
    let mut texts = Vec::new();
    for (name, program) in
        [("safe", SAFE.to_owned()), ("faulty", faulty()), ("broken", format!("int {HOSTILE} = \"{HOSTILE}\";\nvoid test(void) {{}}\n"))]
    {
        let file = format!("{HOSTILE}{name}.c");
        fs::write(directory.join(&file), format!("/* {HOSTILE} */ {program}")).expect("the program");
        for arguments in [&["prove", "--draw", "heaps"][..], &["prove", "--json"], &["lower"], &["paths"], &["paths", "--json"]] {
            let output = goatherd(&directory, &[arguments, &[&file]].concat());
            assert!(!output.stdout.is_empty() || !output.stderr.is_empty(), "{arguments:?}");
            texts.extend([text(&output.stdout), text(&output.stderr)]);
            if arguments == ["prove", "--json"] {
                assert_eq!(json(&output)["file"], file);
            }
        }
        let (missing, option) = (format!("{HOSTILE}missing.c"), format!("--{HOSTILE}"));
        for arguments in [["prove", missing.as_str()], ["prove", option.as_str()], [HOSTILE, "program.c"]] {
            let refused = goatherd(&directory, &arguments);
            assert_eq!(refused.status.code(), Some(3));
            texts.extend([text(&refused.stdout), text(&refused.stderr)]);
        }
    }
    for text in texts {
        assert!(text.chars().all(|character| character == '\n' || goatherd_frontend::escape::is_plain(character)), "{text:?}");
    }
}

/// What the report in words says of types.
fn types(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| line.strip_prefix("  types        ")).unwrap_or_default().to_owned()
}

#[test]
fn the_compiler_confirms_types_or_not() {
    let directory = program("types", SAFE);
    let output = goatherd(&directory, &["prove", "program.c"]);
    assert!(types(&output).starts_with("confirmed by cc ("), "{}", types(&output));
    assert!(types(&output).ends_with(" facts"), "{}", types(&output));
    let output = goatherd(&directory, &["prove", "program.c", "--no-confirm"]);
    assert_eq!((output.status.code(), types(&output).as_str()), (Some(0), "not confirmed: nobody asked (--no-confirm)"));
    // Neither a missing nor a crashing compiler takes anything away from the verdict.
    let output = with_compiler(&directory, "exec sh -c 'kill -SEGV $$'", &["prove", "program.c"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(types(&output).starts_with("not confirmed: cc is no compiler that is known here"), "{}", types(&output));
    fs::remove_file(directory.join("compiler/cc")).expect("it is there");
    let output = Command::new(env!("CARGO_BIN_EXE_goatherd"))
        .args(["prove", "program.c", "--json"])
        .env("PATH", directory.join("compiler"))
        .current_dir(&directory)
        .output()
        .expect("the command");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["verdict"], "proved");
    assert_eq!(report["types"]["verdict"], "unconfirmed");
    assert_eq!(report["types"]["reason"], "there is no program cc");
}

#[test]
fn what_the_compiler_contradicts_is_an_internal_error() {
    let directory = program("contradicted", &SAFE.replace("char *s; int n_s;", "char *s; int n_s; char c; long l;"));
    let output = with_compiler(&directory, "exec cc -fpack-struct=1 \"$@\"", &["prove", "program.c"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4), "{message}");
    assert!(message.contains("program.c:2:1: sizeof(struct array) is 24 for Goatherd, 21 for cc"), "{message}");
    assert!(!directory.join("program.goat").exists());
}
