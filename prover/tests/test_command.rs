//! `goatherd test`: tests that compile, run and cover what runs can cover; dead branches are named, and what is not covered is listed.

use goatherd::{Request, Task};
use goatherd_certificates::program::Input;
use goatherd_frontend::{
    lower::lower,
    source::{Options, from_text},
};
use goatherd_interpreter::{Event, InputValue, Machine, Replay};
use goatherd_logic::values::Deadline;
use goatherd_paths::draw::{
    approach::approach,
    mutation::{Given, Mutation, MutationHints},
    realise::Drive,
    turns::run as run_to_the_end,
};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
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
    built_with(name, source, options, &[])
}

/// The same, where the compiler has options, too.
fn built_with(name: &str, source: &str, options: &[&str], of_compiler: &[&str]) -> Value {
    let folder = folder(name);
    std::fs::write(folder.join("f.c"), source).unwrap();
    let output = goatherd(&folder, &[&["test", "f.c", "--entry", "f", "--out", "tests.c", "--json"], options].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let compiled = Command::new("cc")
        .current_dir(&folder)
        .args(["-g", "-fwrapv", "-fsanitize=address,undefined", "-ftrivial-auto-var-init=zero", "-w", "tests.c", "-o", "tests"])
        .args(of_compiler)
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    let run = Command::new("./tests").current_dir(&folder).stdin(Stdio::null()).output().unwrap();
    let count = report["uniform"].as_u64().unwrap() + report["covering"].as_u64().unwrap();
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(text.ends_with(&format!("{count} paths driven, 0 failed\n")) && run.stderr.is_empty(), "{run:?}");
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
}

/// One pair of numbers solves both equations: changes at random do not find it, the solver does.
#[test]
fn a_limit_ends_the_turns() {
    let source = "int f(int a, int b) {
    if (a < 0 || a > 999999 || b < 0 || b > 999999)
        return 0;
    if (a + 3 * b == 419751 && 7 * a - b == 765427)
        return 1;
    return 2;
}
";
    let report = tested("equations", source, &["--count", "0"]);
    assert!(report["covered"] == report["branches"] && report["tries"]["ended"] == false, "{report}");
    let few = tested("equations", source, &["--count", "0", "--tries", "0"]);
    assert!(few["tries"]["ended"] == true && few["covered"].as_u64() < report["covered"].as_u64(), "{few}");
}

/// A machine of states, a parser that reads an exact length, and products: inputs that are changed from run to run cover them, and no run is turned.
#[test]
fn inputs_that_are_changed_come_far() {
    let machine = "struct bytes { const unsigned char *s; int n_s; };
int f(struct bytes b) {
    int credit = 0, sold = 0;
    for (int i = 0; i < b.n_s; i++)
        switch (b.s[i]) {
        case 5: case 10: case 25:
            if (credit <= 100)
                credit += b.s[i];
            break;
        case 'b':
            if (credit < 35)
                return -1;
            credit -= 35;
            if (++sold == 4)
                return -2;
            break;
        default:
            return -3;
        }
    return credit;
}
";
    let parser = "struct text { const char *s; int n_s; };
int f(struct text t) {
    int sum = 0, n = 0;
    for (int i = 0; i < t.n_s; i++) {
        int d = t.s[i] - '0';
        if (d < 0 || d > 9) {
            if (n != 5 || t.s[i] != '/')
                return -1;
            continue;
        }
        sum += (n + 1) * d;
        n++;
    }
    return n == 8 && sum % 7 == 3;
}
";
    let products = "int f(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0 || a > 10000 || b > 10000 || c > 10000)
        return 0;
    if (a + b <= c || a + c <= b || b + c <= a)
        return 1;
    if (a * a + b * b == c * c)
        return a * b % 24 ? 2 : 3;
    return 4;
}
";
    for (name, source) in [("machine", machine), ("parser", parser), ("products", products)] {
        let report = tested(name, source, &["--count", "0", "--tries", "0"]);
        assert_eq!(report["covered"], report["branches"], "{name}: {report}");
    }
}

/// A function `f`, as it is run.
fn task(source: &str) -> Task {
    let request = Request { reading: Options { entry: "f".to_owned(), ..Options::default() }, ..Request::default() };
    let unit = from_text("f.c", source, &request.reading).unwrap();
    Task::new(&unit, lower(&unit, "f").unwrap(), &request.reading, request.parameters)
}

/// From zeros, inputs come along a path with products step by step; to a path that nothing drives they do not come.
#[test]
fn inputs_approach_a_path() {
    let source = "int f(int a, int b) {
    if (a < 50 || a > 60000 || b <= a)
        return 0;
    if (a * (b % 100) == 6499 && b > 3000)
        return 1;
    return 2;
}
";
    let Task { program, parameters, .. } = task(source);
    let given = |values: [i128; 2]| Given { inputs: values.map(InputValue::Integer).into(), choices: Vec::new() };
    let path_of = |given: &Given| {
        let drive = Drive { inputs: given.inputs.clone(), choices: Vec::new(), values: Vec::new(), allocations: Vec::new() };
        run_to_the_end(&program, parameters, &drive).unwrap().path
    };
    let path = path_of(&given([67, 8997]));
    let found = approach(&program, parameters, &path, vec![given([0, 0])], Deadline::NEVER).unwrap();
    assert_eq!(path_of(&found), path);
    let end = path_of(&given([0, 0])).last().copied();
    let impossible: Vec<_> = path.iter().copied().chain(end).collect();
    assert_eq!(approach(&program, parameters, &impossible, vec![given([0, 0])], Deadline::NEVER), None);
}

/// Whatever is changed, the machine takes it for an input; and the same changes come again.
#[test]
fn changed_inputs_are_inputs() {
    let source = "struct node { int value; struct node *next; };
struct pair { signed char a; unsigned long b; };
struct pairs { struct pair *s; unsigned char n_s; };
extern int __VERIFIER_nondet_int(void);
int f(struct node *p, struct pair *q, struct pairs r, _Bool k) {
    int sum = __VERIFIER_nondet_int();
    for (int i = 0; i < r.n_s; i++)
        sum += r.s[i].a > 3;
    while (p && p->value)
        p = p->next;
    return k ? sum : p != 0;
}
";
    let Task { program, parameters, .. } = task(source);
    let simple = |input: &Input| match input {
        Input::Integer { .. } => InputValue::Integer(0),
        Input::Array(_) => InputValue::Array(Vec::new()),
        Input::Single { .. } => InputValue::Single(None),
        Input::Linked { .. } => InputValue::Linked(Vec::new()),
    };
    let simple = Given { inputs: program.inputs.iter().map(simple).collect(), choices: vec![0] };
    let (mut one, mut other) = (Mutation::new(&program, 1), Mutation::new(&program, 1));
    let (mut given, mut again) = (simple.clone(), simple);
    let mut longest = 0;
    for _ in 0..5_000 {
        let mut hints = MutationHints::default();
        let mut machine = Machine::new(&program, parameters, &given.inputs).unwrap();
        let mut answers = Replay::new(&given.choices);
        hints.see(&machine);
        while let Event::Continued(_) = machine.step(&mut answers) {
            hints.see(&machine);
        }
        (given, again) = (one.change(&given, &hints), other.change(&again, &hints));
        assert_eq!(given, again);
        let count = given.inputs.iter().map(|value| if let InputValue::Linked(nodes) = value { nodes.len() } else { 0 });
        longest = count.max().unwrap_or(0).max(longest);
    }
    assert!(longest > 3, "{longest}");
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
    assert!(text.contains("not decided  f.c:6:9 to f.c:7:16: neither covered nor shown to be dead, tried"), "{text}");
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

/// Functions with what testers meet: searches, sorting, matrices, codes, checksums, remainders, dates. Every branch is covered.
#[test]
fn every_branch_of_ten_functions() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/paths/functions");
    let mut files: Vec<PathBuf> = std::fs::read_dir(sources).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 10);
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let report = tested(name, &std::fs::read_to_string(&file).unwrap(), &[]);
        assert_eq!(report["covered"], report["branches"], "{name}: {report}");
    }
}

/// What takes many rounds of a loop is covered by arrays that hold the same everywhere; no run is turned here.
#[test]
fn limits_that_take_many_rounds() {
    let source = "struct bytes { const unsigned char *s; int n_s; };
int f(struct bytes b, int k) {
    unsigned sum = 1, same = 0;
    for (int i = 0; i < b.n_s; i++) {
        sum += b.s[i];
        if (sum >= 65521)
            return 1;
        if (b.s[i] == 'M' && ++same == 4)
            return 2;
    }
    return k > 0;
}
";
    let report = tested("rounds", source, &["--count", "5", "--tries", "0"]);
    let uncovered = places(&report, "not_covered");
    assert!(uncovered.iter().all(|(place, _)| place.starts_with("f.c:11:")), "{report}");
    assert_eq!(tested("rounds", source, &[])["covered"], report["branches"], "{report}");
}

/// Functions that end the program do so in the function as on the path, and macros and folders of the command line are in the file of tests.
#[test]
fn ends_of_the_program_and_options_of_the_command_line() {
    let source = "#include \"limit.h\"
#include <stdlib.h>
int f(int n) {
    if (n == 3)
        exit(2);
    if (n == OTHER)
        abort();
    return n > LIMIT;
}
";
    let include = folder("ends").join("include");
    std::fs::create_dir_all(&include).unwrap();
    std::fs::write(include.join("limit.h"), "#define LIMIT 40\n").unwrap();
    let options = ["-I", "include", "-D", "OTHER=7"];
    let report = built_with("ends", source, &options, &options);
    assert_eq!(report["covered"], report["branches"], "{report}");
    let tests = std::fs::read_to_string(folder("ends").join("tests.c")).unwrap();
    assert!(tests.contains(" -D OTHER=7 -I include FILE.c && ./a.out */"), "{tests}");
    // Macros are in the file itself, too.
    built_with("ends", source, &options, &options[..2]);
    // A function that ends the program where the path returns is noticed.
    std::fs::write(folder("ends").join("g.c"), source.replace("return n > LIMIT", "exit(n > LIMIT)")).unwrap();
    std::fs::write(folder("ends").join("changed.c"), tests.replace("#include \"f.c\"", "#include \"g.c\"")).unwrap();
    let compile = ["-w", "-I", "include", "changed.c", "-o", "changed"];
    assert!(Command::new("cc").current_dir(folder("ends")).args(compile).status().unwrap().success());
    let run = Command::new("./changed").current_dir(folder("ends")).output().unwrap();
    assert!(String::from_utf8_lossy(&run.stdout).contains("the function does not return"), "{run:?}");
}

/// What C leaves open of library functions is what the path says.
#[test]
fn library_functions_give_what_the_path_says() {
    let source = "#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <ctype.h>
int f(int n) {
    int c = getchar(), sum = 0;
    while (c != EOF && n-- > 0) {
        sum += toupper(c) == 'A' ? 2 : 1;
        c = getchar();
    }
    printf(\"%d\\n\", sum);
    char *s = strdup(\"ab\");
    if (!s)
        exit(2);
    int r = isdigit(c) ? 7 : memcmp(s, \"ac\", 3);
    free(s);
    if (rand() % 3 == 1)
        return r < 0 ? sum : 1000;
    return putchar('x') == 'x' ? 1 : 2;
}
";
    let report = tested("library", source, &["--count", "4"]);
    let uncovered = places(&report, "not_covered");
    assert!(uncovered.iter().all(|(place, _)| place.starts_with("<model ")), "{report}");
    let folder = folder("library");
    std::fs::write(folder.join("g.c"), "#include <stdio.h>\nint f(int n) { char b[20]; return sprintf(b, \"%d\", n); }\n").unwrap();
    let output = goatherd(&folder, &["test", "g.c", "--entry", "f", "--out", "g_tests.c"]);
    assert!(output.status.code() == Some(3) && String::from_utf8_lossy(&output.stderr).contains("what `sprintf` writes"), "{output:?}");
}

#[test]
fn nodes_of_packed_structs() {
    let source = "struct __attribute__((packed)) node { char tag; int value; struct node *next; };
int f(struct node *p, int limit) {
    int n = 0;
    for (; p; p = p->next)
        if (p->value > limit) {
            p->value = limit;
            n++;
        }
    return n;
}
";
    let report = tested("packed", source, &[]);
    assert_eq!(report["covered"], report["branches"], "{report}");
}

/// One evaluation of a decision: by condition what came out, and what the decision came to.
type Logged = (BTreeMap<usize, bool>, bool);

/// The evaluations that a file of tests makes of conditions `C(number, condition)` in a decision `D(..)`: the function logs them itself.
fn logged(name: &str, source: &str) -> Vec<Logged> {
    let folder = folder(name);
    let log = "#include <stdio.h>\n#define C(n, x) logged(n, x)\n#define D(x) logged(-1, x)\n\
               static int logged(int n, int x) { fprintf(stderr, \"%d %d\\n\", n, x != 0); return x; }\n";
    std::fs::write(folder.join("logs.c"), format!("{log}{source}")).unwrap();
    let tests = std::fs::read_to_string(folder.join("tests.c")).unwrap().replace("#include \"f.c\"", "#include \"logs.c\"");
    std::fs::write(folder.join("logging.c"), tests).unwrap();
    let compiled = Command::new("cc").current_dir(&folder).args(["-w", "-fwrapv", "logging.c", "-o", "logging"]).output().unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    let run = Command::new("./logging").current_dir(&folder).stdin(Stdio::null()).output().unwrap();
    let (mut evaluations, mut conditions) = (Vec::new(), BTreeMap::new());
    for line in String::from_utf8_lossy(&run.stderr).lines() {
        let (number, value) = line.split_once(' ').unwrap();
        match number.parse::<usize>() {
            Ok(number) => drop(conditions.insert(number, value == "1")),
            Err(_) => evaluations.push((std::mem::take(&mut conditions), value == "1")),
        }
    }
    evaluations
}

/// Do two of the evaluations differ in this condition alone, as far as both evaluate the others, and in what the decision comes to?
fn is_shown(evaluations: &[Logged], condition: usize) -> bool {
    let shows = |(left, of_left): &Logged, (right, of_right): &Logged| {
        let mut different = left.iter().filter(|(number, value)| right.get(number).is_some_and(|other| other != *value));
        of_left != of_right && different.next().is_some_and(|(number, _)| *number == condition) && different.next().is_none()
    };
    evaluations.iter().any(|left| evaluations.iter().any(|right| shows(left, right)))
}

/// What is said to be shown is shown by what the function logs.
#[test]
fn pairs_of_tests_show_that_each_condition_counts() {
    let plain = "#ifndef C\n#define C(n, x) (x)\n#define D(x) (x)\n#endif\n";
    for (name, decision, count) in [
        ("mcdc-1", "(C(0, a > 10) || C(1, b > 10)) && C(2, c == 77)", 3),
        ("mcdc-2", "C(0, a == 5) && (C(1, b < c) || C(2, c == 9)) || C(3, a + b == 1000)", 4),
        ("mcdc-3", "!(C(0, a > 3) && C(1, b > 3)) && (C(2, c > 3) || C(3, a == b))", 4),
    ] {
        let source = format!("{plain}int f(int a, int b, int c) {{\n    if (D({decision}))\n        return 1;\n    return 2;\n}}\n");
        let report = tested(name, &source, &["--coverage", "mcdc", "--count", "2"]);
        assert_eq!(report["conditions"].as_array().unwrap().len(), count, "{report}");
        let is_shown_by_tests =
            |condition: &Value| condition["tests"].as_array().is_some_and(|tests| tests.len() == 2 && tests[0] != tests[1]);
        assert!(report["conditions"].as_array().unwrap().iter().all(is_shown_by_tests), "{report}");
        let evaluations = logged(name, &source);
        assert!((0..count).all(|condition| is_shown(&evaluations, condition)), "{name}: {evaluations:?} {report}");
    }
    // Branches need fewer tests.
    let source = format!(
        "{plain}int f(int a, int b, int c) {{\n    if (D((C(0, a > 10) || C(1, b > 10)) && C(2, c == 77)))\n        return 1;\n    return 2;\n}}\n"
    );
    let branches = tested("mcdc-0", &source, &["--count", "0"]);
    assert!(branches.get("conditions").is_none() && branches["covered"] == branches["branches"], "{branches}");
}

/// A condition that another one implies is named: no pair of tests can show it. One that the graph excludes is dead by the certificate.
#[test]
fn conditions_that_never_count_are_named() {
    let source = "int f(int a, unsigned char b) {\n    if (a > 5 && a > 3)\n        return 1;\n    if (b * b == 3 || a == 2)\n        return 2;\n    return 3;\n}\n";
    let report = tested("mcdc-dead", source, &["--coverage", "mcdc"]);
    let of = |kind: &str| -> Vec<String> {
        let all = report["conditions"].as_array().unwrap().iter().filter(|condition| condition["effect"] == kind);
        all.map(|condition| condition["place"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(of("dead"), ["f.c:2:18"], "{report}");
    assert_eq!(of("not shown"), ["f.c:4:9"], "{report}");
    assert_eq!(of("shown").len(), 2, "{report}");
    let output = goatherd(&folder("mcdc-dead"), &["test", "f.c", "--entry", "f", "--out", "tests.c", "--coverage", "mcdc"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("2 of 4 conditions shown to count by themselves, 1 dead, 1 not shown"), "{text}");
    assert!(text.contains("f.c:2:18 in the decision at f.c:2:9: no complete path"), "{text}");
}

/// What only looks like a joined condition is a decision of its own: something is stored between the two.
#[test]
fn statements_between_conditions_part_decisions() {
    let source =
        "int f(int a, int b) {\n    int r = 0;\n    if (a > 5)\n        r = 1;\n    if (b > 7)\n        return r;\n    return 9;\n}\n";
    let report = tested("mcdc-apart", source, &["--coverage", "mcdc"]);
    let conditions = report["conditions"].as_array().unwrap();
    assert!(conditions.len() == 2 && conditions.iter().all(|condition| condition["place"] == condition["decision"]), "{report}");
    assert!(conditions.iter().all(|condition| condition["effect"] == "shown"), "{report}");
}
