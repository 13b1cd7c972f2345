//! `goatherd draw`: drawn paths have inputs that drive them, tests in C compile and pass, and what cannot be drawn from is refused.

use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("draw").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn goatherd(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goatherd")).current_dir(folder).args(arguments).output().unwrap()
}

fn done(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

fn report(output: &Output) -> Value {
    done(output);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name).to_str().unwrap().to_owned()
}

/// The field without what differs from run to run.
fn paths(report: &Value) -> &Vec<Value> {
    report["paths"].as_array().unwrap()
}

#[test]
fn a_transition_system() {
    let folder = folder("system");
    done(&goatherd(&folder, &["paths", &example("paths/merging-sort.lts"), "-o", "graph.goat"]));
    let draw = ["draw", "graph.goat", "--max-length", "50", "--count", "12", "--seed", "7", "--json"];
    let first = report(&goatherd(&folder, &draw));
    assert_eq!(first["complete_paths"], "1351");
    assert_eq!(paths(&first).len(), 12);
    for path in paths(&first) {
        assert_eq!(path["feasible"], "yes");
        assert_eq!(path["inputs"].as_array().unwrap().len(), 4);
        assert_eq!(path["instructions"].as_array().unwrap().len(), usize::try_from(path["length"].as_u64().unwrap()).unwrap() + 1);
    }
    // Paths do not depend on how many are drawn, nor on the inputs that are looked for.
    let more = report(&goatherd(&folder, &[&draw[..5], &["15", "--seed", "7", "--json", "--no-inputs"]].concat()));
    for (path, other) in paths(&first).iter().zip(paths(&more)) {
        assert_eq!(path["instructions"], other["instructions"]);
    }
    assert!(paths(&more)[0]["feasible"].is_null());
    let covering = report(&goatherd(&folder, &[&draw[..], &["--cover", "edges", "--no-inputs"]].concat()));
    assert_eq!(covering["comparison"]["drawn"]["edges"], covering["edges"]);
    assert!(covering["method"]["least_probability"].as_f64().unwrap() > 0.2);
}

/// Draws from a program in C and runs the tests; how many paths were driven.
fn run_tests(name: &str, source: &str, analysis: &[&str], drawing: &[&str]) -> (usize, Value) {
    let folder = folder(name);
    std::fs::write(folder.join("f.c"), source).unwrap();
    done(&goatherd(&folder, &[&["paths", "f.c", "-o", "f.goat"], analysis].concat()));
    let drawing = [&["draw", "f.goat", "--source", "f.c", "--out", ".", "--json"], drawing].concat();
    let report = report(&goatherd(&folder, &drawing));
    let compiled = Command::new("cc")
        .current_dir(&folder)
        .args(["-g", "-fwrapv", "-fsanitize=address", "-w", "tests.c", "-o", "tests"])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    let run = Command::new("./tests").current_dir(&folder).output().unwrap();
    let driven = paths(&report).iter().filter(|path| path["feasible"] == "yes").count();
    assert_eq!(String::from_utf8_lossy(&run.stdout), format!("{driven} paths driven, 0 failed\n"), "{run:?}");
    assert!(folder.join("paths.json").exists());
    (driven, report)
}

const SEARCH: &str = "struct numbers { int *a; int n_a; };
static int const limits[4] = { 3, -5, 70000, 2 };
int f(struct numbers x, unsigned char k) {
    int s = 0;
    for (int i = 0; i < x.n_a; i++) {
        if (x.a[i] == k)
            return i;
        if (x.a[i] > limits[i & 3])
            x.a[i] = s;
        s += x.a[i];
    }
    return s > 3 ? -1 : -2;
}
";

#[test]
fn an_array() {
    let (driven, report) = run_tests("array", SEARCH, &["--entry", "f"], &["--count", "25", "--max-length", "70"]);
    assert_eq!(driven, 25, "{report}");
    assert!(report["paths"][0]["places"][0].as_str().unwrap().starts_with("f.c:4:"));
}

#[test]
fn operations_are_what_c_says() {
    let source = "long f(unsigned char a, unsigned b, short c, long d) {
    if (((a ^ b) & 13) == 5)
        return (long)a * b;
    if (b % 7 == 3 && d / 3 == -4)
        return b / (a + 1u);
    if ((c << 3) < -40 && (d >> 2) == c)
        return d | c;
    if (a * c == 60 && d % a == 2)
        return d;
    unsigned wrapped = b + 4000000000u;
    return wrapped < 12u ? wrapped : ~d;
}
";
    let (driven, report) = run_tests("operations", source, &["--entry", "f"], &["--cover", "edges", "--count", "6"]);
    assert!(driven >= 6, "{report}");
}

#[test]
fn the_environment() {
    let source = "extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
void *malloc(unsigned long);
void free(void *);
int test(int n) {
    int bonus = __VERIFIER_nondet_int();
    if (n < 1)
        return bonus > 5 ? 7 : 8;
    char *p = malloc((unsigned long)n);
    if (!p)
        return -1;
    p[n - 1] = 4;
    __VERIFIER_assert(bonus != n);
    free(p);
    return p ? bonus : 0;
}
"
    .replace("    return p ? bonus : 0;\n", "    return bonus;\n");
    let (driven, report) = run_tests("environment", &source, &[], &["--cover", "edges", "--count", "20"]);
    assert!(driven >= 20, "{report}");
    let ends: Vec<&str> = paths(&report).iter().map(|path| path["ends"].as_str().unwrap()).collect();
    assert!(ends.contains(&"fails") && ends.contains(&"ends"));
}

#[test]
fn examples() {
    for name in ["zero-then-check", "linear-search", "reverse-fill"] {
        let source = std::fs::read_to_string(example(&format!("{name}.c"))).unwrap();
        let (driven, report) =
            run_tests(name, &source, &["--vertices", "100", "--steps", "4"], &["--cover", "edges", "--count", "15", "--max-length", "40"]);
        assert!(driven > 0, "{report}");
    }
}

#[test]
fn infeasible_paths_are_found_out() {
    let folder = folder("infeasible");
    let system = "variables x y\ninitial 1\nfinal 4\n1 -> 2: [x < y]\n2 -> 3: [y < x]\n2 -> 4\n3 -> 4\n";
    std::fs::write(folder.join("system.lts"), system).unwrap();
    // Without refinement the infeasible path stays.
    done(&goatherd(&folder, &["paths", "system.lts", "--steps", "0"]));
    let report = report(&goatherd(&folder, &["draw", "system.goat", "--cover", "edges", "--count", "10", "--json"]));
    for path in paths(&report) {
        let expected = if path["length"] == 3 { "no" } else { "yes" };
        assert_eq!(path["feasible"], expected);
    }
    assert!(report["comparison"]["drawn"]["infeasible"].as_u64().unwrap() > 0);
}

#[test]
fn refusals() {
    let folder = folder("refusals");
    std::fs::write(folder.join("f.c"), SEARCH).unwrap();
    done(&goatherd(&folder, &["paths", "f.c", "--entry", "f"]));
    std::fs::write(folder.join("g.c"), format!("{SEARCH}\n")).unwrap();
    let bytes = std::fs::read(folder.join("f.goat")).unwrap();
    std::fs::write(folder.join("cut.goat"), &bytes[..bytes.len() - 1]).unwrap();
    done(&goatherd(&folder, &["prove", &example("zero-then-check.c"), "-o", "safe.goat"]));
    done(&goatherd(&folder, &["paths", &example("paths/gcd.lts"), "-o", "system.goat"]));
    for (arguments, status, message) in [
        (&["missing.goat"][..], 3, "cannot read missing.goat"),
        (&["cut.goat"], 1, "the checker rejects the certificate"),
        (&["safe.goat"], 1, "claims Safe; paths are drawn from one of the claim Paths"),
        (&["f.goat", "--max-length", "3"], 2, "no complete path has at most 3 steps"),
        (&["f.goat", "--max-length", "10000000"], 3, "--max-length 10000000: at most"),
        (&["f.goat", "--source", "g.c"], 3, "it was changed"),
        (&["f.goat", "--out", "tests.txt"], 3, "neither a directory that exists nor a file"),
        (&["system.goat", "--out", "tests.c"], 3, "about a transition system"),
    ] {
        let output = goatherd(&folder, &[&["draw", "--count", "3"], arguments].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {output:?}");
        assert!(error.contains(message), "{error}");
    }
}

/// What symbolic execution does not refute is excluded with a proof, and the paths that are left are drawn.
#[test]
fn infeasible_paths_are_drawn_once() {
    let folder = folder("refine");
    let source = "int f(unsigned a) {\n    int n = 0;\n    if ((a & 1) == 1)\n        n = 1;\n    if (a % 2 == 0)\n        n = n + 2;\n    \
                  if (a / 3 > a)\n        n = 9;\n    return n;\n}\n";
    std::fs::write(folder.join("f.c"), source).unwrap();
    done(&goatherd(&folder, &["paths", "f.c", "--entry", "f"]));
    let draw = |certificate: &str, options: &[&str]| {
        let output = goatherd(&folder, &[&["draw", certificate, "--count", "20", "--json"], options].concat());
        done(&output);
        report(&output)
    };
    let before = draw("f.goat", &[]);
    assert!(before["comparison"]["drawn"]["infeasible"].as_u64().unwrap() > 5, "{before}");
    let after = draw("f.goat", &["--refine", "refined.goat"]);
    let drawn = &after["comparison"]["drawn"];
    assert_eq!((&drawn["feasible"], &drawn["infeasible"], &after["complete_paths"]), (&20.into(), &0.into(), &"2".into()), "{after}");
    assert!(after["refined"]["beginnings"].as_u64().unwrap() >= 2 && after["refined"]["without_proof"] == 0, "{after}");
    // The certificate is of the graph that was drawn from.
    let again = draw("refined.goat", &[]);
    assert_eq!((&again["graph_digest"], &again["paths"]), (&after["graph_digest"], &after["paths"]));
    assert_eq!((&again["statement_digest"], again.get("refined")), (&before["statement_digest"], None));
}

/// Of systems, and under a condition, the file and the condition say how the certificate's program is read.
#[test]
fn systems_and_conditions_are_refined_by_their_files() {
    let folder = folder("refine-sources");
    let system = "variables c d\ninitial 1\nfinal 4\n1 -> 2: [c % 2 == 0]\n1 -> 2: [c % 2 == 1]\n2 -> 3: [c % 4 == 1]\n2 -> 3: [c % 4 == 2]\n3 -> 4\n";
    std::fs::write(folder.join("s.lts"), system).unwrap();
    done(&goatherd(&folder, &["paths", "s.lts", "--steps", "0"]));
    let source = "int f(unsigned n) {\n    int r = 0;\n    if ((n & 1) == 1)\n        r = 1;\n    if (n % 2 == 0)\n        r = r + 2;\n    return n > 10 ? r : 9;\n}\n";
    std::fs::write(folder.join("f.c"), source).unwrap();
    done(&goatherd(&folder, &["paths", "f.c", "--entry", "f", "--pre", "n >= 20", "--steps", "0"]));
    done(&goatherd(&folder, &["paths", "f.c", "--entry", "f", "--steps", "0", "-o", "plain.goat"]));
    let draw = |arguments: &[&str]| goatherd(&folder, &[&["draw", "--count", "20", "--json", "--refine", "r.goat"], arguments].concat());
    for (arguments, paths) in [(&["s.goat", "--source", "s.lts"][..], "2"), (&["f.goat", "--source", "f.c", "--pre", "n >= 20"], "2")] {
        let after = report(&draw(arguments));
        let drawn = &after["comparison"]["drawn"];
        assert_eq!((&drawn["feasible"], &after["complete_paths"]), (&20.into(), &paths.into()), "{after}");
        assert!(after["refined"]["without_proof"] == 0, "{after}");
    }
    for (arguments, message) in [
        (&["s.goat"][..], "--refine needs the file of this certificate (--source FILE)"),
        (&["f.goat", "--source", "f.c"], "another program than that of the certificate"),
        (&["f.goat", "--source", "f.c", "--pre", "n >= 21"], "another program than that of the certificate"),
        (&["plain.goat", "--source", "f.c", "--pre", "n >= 20"], "another program than that of the certificate"),
        (&["s.goat", "--source", "f.c"], "no definition of the entry function"),
    ] {
        let output = draw(arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(message), "{arguments:?}: {output:?}");
    }
}

/// A path has a line as soon as it was tried; when the time is over, the rest is unknown.
#[test]
fn lines_of_paths_and_the_end_of_the_time() {
    let folder = folder("lines");
    // Of products of three inputs Z3 knows nothing for a while.
    let source = "int f(unsigned a, unsigned b, unsigned c) {\n    if (a * b * c == 1234567891u && a % b == 77777u && b % c == 55555u && (a ^ c) * b == 99999u)\n                          return 1;\n    return a * b % (c | 1) == 3000000001u;\n}\n";
    std::fs::write(folder.join("f.c"), source).unwrap();
    done(&goatherd(&folder, &["paths", "f.c", "--entry", "f"]));
    let report = report(&goatherd(&folder, &["draw", "f.goat", "--count", "30", "--out", "paths.jsonl", "--timeout", "2", "--json"]));
    let lines = std::fs::read_to_string(folder.join("paths.jsonl")).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(&lines, paths(&report));
    assert_eq!(lines.len(), 30);
    // The question that is asked when the time is over ends with it, and those behind it are not asked.
    let reasons: Vec<&str> = lines.iter().filter_map(|line| line["reason"].as_str()).collect();
    assert!(reasons.iter().any(|reason| reason.contains("the time was over")), "{reasons:?}");
}

/// Runs on small inputs drive what Z3 gives up on: remainders by a variable, again and again.
#[test]
fn paths_that_the_solver_knows_nothing_of() {
    let folder = folder("trials");
    let source = "unsigned f(unsigned a, unsigned b) {\n    while (b) {\n        unsigned rest = a % b;\n        a = b;\n        b = rest;\n    }\n    return a;\n}\n";
    std::fs::write(folder.join("f.c"), source).unwrap();
    done(&goatherd(&folder, &["paths", "f.c", "--entry", "f"]));
    let report = report(&goatherd(&folder, &["draw", "f.goat", "--count", "20", "--max-length", "50", "--json"]));
    assert_eq!(report["comparison"]["drawn"]["feasible"], 20, "{report}");
}

#[test]
fn a_page_of_states() {
    let folder = folder("page");
    done(&goatherd(&folder, &["paths", &example("paths/merging-sort.lts"), "--html", "states.html"]));
    let page = std::fs::read_to_string(folder.join("states.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert!(!page.contains("http://") || page.matches("http://").count() == page.matches("http://www.w3.org/2000/svg").count());
    for part in ["class=\"state final red\"", "class=\"link subsumed\"", "ia &lt; la", "\u{d7} [", "data-lines=\"8 9\""] {
        assert!(page.contains(part), "{part}");
    }
}

/// Paths that are not tried in time are unknown; where not even counting is done, there is no report.
#[test]
fn time_ends() {
    let folder = folder("time");
    done(&goatherd(&folder, &["paths", &example("paths/merging-sort.lts"), "-o", "graph.goat"]));
    let draw = ["draw", "graph.goat", "--max-length", "100", "--count", "2000", "--json"];
    let report = report(&goatherd(&folder, &[&draw[..], &["--timeout", "2"]].concat()));
    assert_eq!(paths(&report).len(), 2000);
    let untried: Vec<&Value> = paths(&report).iter().filter(|path| path["feasible"] == "unknown").collect();
    assert!(!untried.is_empty() && untried.len() < 2000, "{}", untried.len());
    assert!(untried.iter().all(|path| path["reason"].as_str().unwrap().contains("the time was over")));
    let none = goatherd(&folder, &[&draw[..], &["--timeout", "0.000001"]].concat());
    assert_eq!(none.status.code(), Some(2), "{none:?}");
    assert!(none.stdout.is_empty() && String::from_utf8_lossy(&none.stderr).contains("(--timeout)"), "{none:?}");
}
