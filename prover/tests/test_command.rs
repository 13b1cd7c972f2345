//! `goatherd test`: tests that compile, run and cover what runs can cover; dead branches are named, and what is not covered is listed.

use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("test").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn goatherd(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goatherd")).current_dir(folder).args(arguments).output().unwrap()
}

/// Writes tests of `f`, runs them, and gives the report.
fn tested(name: &str, source: &str, options: &[&str]) -> Value {
    let folder = folder(name);
    std::fs::write(folder.join("f.c"), source).unwrap();
    let output = goatherd(&folder, &[&["test", "f.c", "--entry", "f", "--out", "tests.c", "--json"], options].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let compiled = Command::new("cc")
        .current_dir(&folder)
        .args(["-g", "-fwrapv", "-fsanitize=address", "-ftrivial-auto-var-init=zero", "-w", "tests.c", "-o", "tests"])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    let run = Command::new("./tests").current_dir(&folder).output().unwrap();
    let count = report["uniform"].as_u64().unwrap() + report["covering"].as_u64().unwrap();
    assert_eq!(String::from_utf8_lossy(&run.stdout), format!("{count} paths driven, 0 failed\n"), "{run:?}");
    report
}

fn places(report: &Value, list: &str) -> Vec<(String, String)> {
    let text = |branch: &Value, field: &str| branch[field].as_str().unwrap().to_owned();
    report[list].as_array().unwrap().iter().map(|branch| (text(branch, "place"), text(branch, "goes_on"))).collect()
}

/// Five bytes must be right: no drawn path is, and turns of runs come there one byte after the other.
const MAGIC: &str = "struct bytes { unsigned char *s; int n_s; };
int f(struct bytes b) {
    if (b.n_s < 5)
        return 0;
    if (b.s[0] != 'G' || b.s[1] != 'O' || b.s[2] != 'A' || b.s[3] != 'T')
        return 1;
    unsigned sum = 0;
    for (int i = 4; i < b.n_s; i++)
        sum = sum * 31 + b.s[i];
    if (sum % 251 == 17)
        return 2;
    return 3;
}
";

#[test]
fn what_paths_do_not_cover_is_come_to_by_turns() {
    let report = tested("magic", MAGIC, &["--count", "3"]);
    assert_eq!(report["covered"], report["branches"], "{report}");
    assert!(report["covering"].as_u64().unwrap() >= 2, "{report}");
    // The same tests, whatever else is asked for.
    let again = tested("magic", MAGIC, &["--count", "3", "--certificate", "other.goat"]);
    assert_eq!((&report["covering"], &report["tries"]), (&again["covering"], &again["tries"]));
    let few = tested("magic", MAGIC, &["--count", "3", "--tries", "1"]);
    assert!(few["tries"]["ended"] == true && few["covered"].as_u64() < report["covered"].as_u64(), "{few}");
}

#[test]
fn dead_branches_are_named_and_others_listed() {
    let source = "int f(int n, unsigned char a) {\n    if (n < 0)\n        n = 0;\n    if (n < 0)\n        return 1;\n    if (a * a == 3)\n        return 2;\n    return 3;\n}\n";
    let report = tested("dead", source, &[]);
    assert_eq!(places(&report, "dead"), [("f.c:4:9".to_owned(), "f.c:5:16".to_owned())], "{report}");
    assert_eq!(places(&report, "not_covered"), [("f.c:6:9".to_owned(), "f.c:7:16".to_owned())], "{report}");
    assert_eq!(report["covered"], 4);
    let folder = folder("dead");
    let output = goatherd(&folder, &["test", "f.c", "--entry", "f", "--out", "tests.c"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("f.c:4:9 to f.c:5:16: no complete path goes there (f.goat)"), "{text}");
    assert!(text.contains("not covered  f.c:6:9 to f.c:7:16: tried"), "{text}");
    // The certificate is there, and a precondition makes more dead.
    assert!(folder.join("f.goat").exists());
    assert_eq!(places(&tested("dead", source, &["--pre", "n >= 2"]), "dead").len(), 2);
}

#[test]
fn values_and_allocations_of_the_environment() {
    let source = "extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);
int f(int n) {
    int *p = malloc(4);
    if (!p)
        return -1;
    *p = n;
    int v = __VERIFIER_nondet_int();
    int r = 0;
    if (v > 100 && *p == v + 7)
        r = 1;
    free(p);
    return r;
}
";
    let report = tested("environment", source, &["--count", "1"]);
    assert_eq!(report["covered"], report["branches"], "{report}");
}

/// Tests build lists and trees, and compare what both runs leave behind in them.
#[test]
fn lists_and_trees() {
    let source = "struct node { int value; struct node *next; };
struct tree { char key; struct tree *left, *right; };
int f(struct node *p, struct tree *t, int limit) {
    if (p && p->value > limit)
        p->value = limit;
    if (p && p->next && !p->next->next)
        p->next = 0;
    while (t && t->key != 'x')
        t = t->left;
    if (p && !p)
        return 7;
    return t ? 1 : 0;
}
";
    let report = tested("linked", source, &["--count", "10"]);
    assert_eq!(places(&report, "not_covered"), [], "{report}");
    assert_eq!(places(&report, "dead"), [("f.c:10:15".to_owned(), "f.c:11:16".to_owned())], "{report}");
    let tests = std::fs::read_to_string(folder("linked").join("tests.c")).unwrap();
    assert!(tests.contains("goatherd_place(") && tests.contains("goatherd_input_0_0"), "{tests}");
    // A function that does something else is noticed: the last node is kept.
    let changed = tests.replace("#include \"f.c\"", "#include \"g.c\"");
    std::fs::write(folder("linked").join("g.c"), source.replace("p->next = 0;", ";")).unwrap();
    std::fs::write(folder("linked").join("changed.c"), changed).unwrap();
    let compiled = Command::new("cc").current_dir(folder("linked")).args(["-w", "changed.c", "-o", "changed"]).output().unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    let run = Command::new("./changed").current_dir(folder("linked")).output().unwrap();
    assert!(String::from_utf8_lossy(&run.stdout).contains("leaves other contents behind"), "{run:?}");
}

/// Names of the program are its own.
#[test]
fn names_that_a_test_might_have() {
    let source = "struct pair { int path; int values; };
int f(int values, int path, struct pair allocations[], int i) {
    if (values > path)
        return 1;
    return allocations && allocations->path == i ? 2 : 3;
}
";
    let report = tested("names", source, &[]);
    assert_eq!(report["covered"], report["branches"], "{report}");
}

#[test]
fn runs_without_an_end_are_counted() {
    let source = "int f(unsigned char n) {\n    int a[4] = { 0 };\n    if (n > 200)\n        return a[n];\n    return 1;\n}\n";
    let report = tested("lost", source, &[]);
    assert_eq!((&report["tries"]["lost"], &report["covered"]), (&1.into(), &1.into()), "{report}");
    assert_eq!(places(&report, "dead").len() + places(&report, "not_covered").len(), 1, "{report}");
}

#[test]
fn refusals() {
    let folder = folder("refusals");
    std::fs::write(folder.join("f.c"), "int f(int n) { return n; }\n").unwrap();
    std::fs::write(folder.join("f.lts"), "variables x\ninitial 1\nfinal 2\n1 -> 2\n").unwrap();
    for (arguments, message) in [
        (&["f.lts", "--out", "t.c"][..], "tests are of functions in C"),
        (&["f.c", "--entry", "f", "--out", "t.txt"], "a file of its own that ends in .c"),
        (&["f.c", "--entry", "f", "--out", "t.c", "--certificate", "t.c"], "a file of its own that ends in .c"),
        (&["f.c", "--entry", "f", "--out", "f.c"], "f.c"),
        (&["f.c", "--entry", "g", "--out", "t.c"], "entry function 'g'"),
    ] {
        let output = goatherd(&folder, &[&["test"], arguments].concat());
        assert_eq!(output.status.code(), Some(3), "{arguments:?} {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(message), "{arguments:?} {output:?}");
    }
    let output = goatherd(&folder, &["test", "f.c", "--entry", "f", "--out", "t.c", "--timeout", "0.000001"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// Structs and members that are const, and names that a file of tests might use itself.
#[test]
fn structs_of_inputs() {
    let source = "struct arr { int *const a; const int n_a; };
int f(const struct arr goatherd_original_0, struct arr f, int k) {
    return goatherd_original_0.n_a > 0 && k && f.n_a ? goatherd_original_0.a[0] : 7;
}
";
    let report = tested("structs", source, &["--count", "5"]);
    assert_eq!(places(&report, "not_covered"), [], "{report}");
}
