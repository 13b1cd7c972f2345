//! `goatherd paths`: the graphs of the examples are certified, with these many vertices and paths.

use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("paths").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn goatherd(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goatherd")).current_dir(folder).arg("paths").args(arguments).output().unwrap()
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn example(name: &str, arguments: &[&str]) -> (u64, Vec<String>) {
    let folder = folder(name);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../examples/paths/{name}.lts"));
    let output = goatherd(&folder, &[&[file.to_str().unwrap(), "--json", "-o", "graph.goat"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report = report(&output);
    let paths = report["paths"].as_array().unwrap().iter().map(|count| count["after"].as_str().unwrap().to_owned());
    (report["after"]["vertices"].as_u64().unwrap(), paths.collect())
}

#[test]
fn graphs_of_the_examples() {
    assert_eq!(example("gcd", &[]), (15, ["792", "143179", "59407294813"].map(String::from).to_vec()));
    assert_eq!(example("merging-sort", &[]), (25, ["82", "1351", "1385616"].map(String::from).to_vec()));
    assert_eq!(example("substring", &["--vertices", "65", "--count", "50,100"]), (60, ["877", "1238331"].map(String::from).to_vec()));
}

#[test]
fn a_function_in_c() {
    let folder = folder("c");
    let source = "int f(int n) {\n    int s = 0;\n    if (n < 0) n = 0;\n    if (n < 0) s = 1;\n    return s;\n}\n";
    std::fs::write(folder.join("f.c"), source).unwrap();
    let output = goatherd(&folder, &["f.c", "--entry", "f", "--json", "--graph", "f.dot", "--graph", "f.graphml", "--graph", "f.json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let counts = &report(&output)["paths"][0];
    assert_eq!((counts["before"].as_str(), counts["after"].as_str()), (Some("4"), Some("2")));
    assert!(std::fs::read_to_string(folder.join("f.dot")).unwrap().contains("f.c:3:"));
    let output = goatherd(&folder, &["f.c", "--entry", "f", "--json", "--pre", "n >= 2"]);
    assert_eq!(report(&output)["paths"][0]["after"], "1");
}

/// The published results of "red-black graphs" (R. Aissat), tables 6.1 to 6.4; `make bench-paths` has all of them.
#[test]
fn graphs_of_the_thesis() {
    let counts = |counts: [&str; 3]| counts.map(String::from).to_vec();
    for (system, options, vertices, paths) in [
        ("gcd", "--look-ahead 2", 37, ["792", "143179", "59407294813"]),
        ("merging-sort", "--la 0", 23, ["210", "3694", "3819743"]),
        ("merging-sort", "--abstraction constraint-removal --restart enabled", 85, ["82", "1351", "1385616"]),
        ("merging-sort", "--abstraction store-update --maximal-red-length 30", 170, ["82", "2728", "11593094"]),
        ("merging-sort", "--abstraction store-update --restart disabled", 127, ["131", "2031", "1980403"]),
        ("bubble-sort", "--abstraction store-update --la 4 --mrl 30", 180, ["26", "3316", "922931080"]),
        ("bubble-sort", "--abstraction store-update --restart disabled --la 8", 76, ["60", "3408", "88601262"]),
    ] {
        let arguments: Vec<&str> = ["--strategy", "red-black"].into_iter().chain(options.split(' ')).collect();
        assert_eq!(example(system, &arguments), (vertices, counts(paths)), "{system} {options}");
    }
}

#[test]
fn subsumption_between_different_paths() {
    let with = |options: &str| {
        let arguments: Vec<&str> = ["--strategy", "red-black", "--count", "30"].into_iter().chain(options.split(' ')).collect();
        let (vertices, paths) = example("merging-sort", &arguments);
        (vertices, paths[0].parse::<u64>().unwrap())
    };
    assert_eq!(with("--different-paths no"), (85, 82));
    // Merged, the exact graph is the smallest one.
    assert_eq!(with("--dp isomorphic"), (25, 82));
    let ((natural, kept), (forced, most)) = (with("--dp natural"), with("--dp forced"));
    assert!(natural < 85 && kept >= 82 && forced <= natural && most >= kept, "{natural} {kept} {forced} {most}");
    let (_, kept) = with("--look-ahead-by loop-visits --look-ahead 1");
    assert!((82..=593).contains(&kept), "{kept}");
}

#[test]
fn remainders_as_precondition() {
    let even = ["--pre", "start == 0 && n % 2 == 0", "--count", "30,50,100"];
    assert_eq!(example("bloop", &even), (20, ["7", "13", "25"].map(String::from).to_vec()));
    let thesis = [&even[..], &["--strategy", "red-black", "--restart", "disabled"]].concat();
    assert_eq!(example("bloop", &thesis), (28, ["15", "25", "49"].map(String::from).to_vec()));
}

#[test]
fn remainders_with_bounds() {
    let folder = folder("remainders");
    let text = "variables x y z\ninitial 1\nfinal 9\n1 -> 2: [x % 3 == 0 && y % 3 == 1]\n2 -> 3: [x + z <= 7 && z == 0]\n\
                3 -> 4: [x >= y + 3 && y >= 4]\n3 -> 9: [x < y + 3]\n3 -> 9: [y < 4]\n4 -> 9\n";
    std::fs::write(folder.join("three.lts"), text).unwrap();
    let two = "variables x y\ninitial 1\nfinal 9\n1 -> 2: [x % 2 == 0]\n2 -> 3: [y % 2 == 1]\n3 -> 4: [x <= y]\n\
               4 -> 5: [x + 1 > y]\n4 -> 9: [x + 1 <= y]\n5 -> 9\n";
    std::fs::write(folder.join("two.lts"), two).unwrap();
    for (file, left) in [("three.lts", "2"), ("two.lts", "1")] {
        let output = goatherd(&folder, &[file, "--json"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(report(&output)["paths"][0]["after"], left);
    }
}

/// How many paths of at most 30 steps the certified graph of this text has.
fn paths_of(folder: &Path, text: &str) -> String {
    std::fs::write(folder.join("system.lts"), text).unwrap();
    let output = goatherd(folder, &["system.lts", "--json", "--count", "30"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    report(&output)["paths"][0]["after"].as_str().unwrap().to_owned()
}

/// No conjunction excludes these paths however often they go round: there is one for each sign.
#[test]
fn disjunctions() {
    let folder = folder("disjunctions");
    let loops = |first: &str, round: &str, last: [&str; 2]| {
        let [inside, outside] = last;
        format!("variables x y d\ninitial 1\nfinal 9\n1 -> 2: {first}\n2 -> 2: {round}\n2 -> 3: [{inside}]\n2 -> 9: [{outside}]\n3 -> 9\n")
    };
    let zero = ["y == 0", "y != 0"];
    for (first, round, last) in [
        ("[x != 0] y := x", "y := y + x", zero),
        ("[x != y] d := x - y", "x := x + d", ["x == y", "x != y"]),
        ("[0 <= x && x <= 1] y := 2*x - 1", "y := y + 2*x - 1", zero),
    ] {
        // One for each number of rounds, 0 to 28.
        assert_eq!(paths_of(&folder, &loops(first, round, last)), "29", "{first}");
    }
    // 0 or 3, and two ways to go on.
    let gap = "variables x s\ninitial 1\nfinal 5\n1 -> 2: [x >= 0 && x <= 3 && x != 1 && x != 2] s := 2*x - 3\n2 -> 2: s := s + 2*x - 3\n\
               2 -> 3: [s >= -2 && s <= 2]\n2 -> 5: [s > 2]\n2 -> 5: [s < -2]\n3 -> 5\n";
    assert_eq!(paths_of(&folder, gap), "58");
}

/// What is known modulo several numbers, which no guard mentions.
#[test]
fn several_congruences() {
    let folder = folder("congruences");
    let rounds = "1 -> 2: x := 0, y := 0\n2 -> 2: x := x + 1, y := y + 2\n2 -> 2: x := x - 1, y := y - 2\n";
    let sum = format!("variables x y\ninitial 1\nfinal 5\n{rounds}2 -> 3\n3 -> 4: [x + y == 7]\n3 -> 5: [x + y != 7]\n4 -> 5\n");
    assert_eq!(paths_of(&folder, &sum), ((1u64 << 28) - 1).to_string());
    let steps = "variables x n\ninitial 1\nfinal 5\n1 -> 2: x := 4*n\n2 -> 2: x := x + 8\n2 -> 2: x := x - 12\n\
                 2 -> 4: [x == 10]\n2 -> 5: [x != 10]\n4 -> 5\n";
    assert_eq!(paths_of(&folder, steps), ((1u64 << 29) - 1).to_string());
}

/// Sums that wrap around, and conversions, have the value that C gives them.
#[test]
fn values_that_wrap_around() {
    let folder = folder("wrap");
    let source = "unsigned below(unsigned n) {\n    unsigned i = 0, j = i - 1;\n    if (j < i) return 1;\n    j = j + 1;\n    \
                  if (j != 0) return 2;\n    return n;\n}\n\
                  unsigned char wheel(unsigned char n) {\n    unsigned char i = 254, s = 0;\n    \
                  while (i != 1) {\n        i = i + 1;\n        s = s + 1;\n    }\n    if (s != 3) return 1;\n    return n;\n}\n\
                  int convert(int x) {\n    if (x >= 0) return 0;\n    unsigned u = x;\n    if (u < 5) return 1;\n    int y = u;\n    \
                  if (y >= 0) return 2;\n    return 3;\n}\n\
                  unsigned long widen(int x) {\n    unsigned long u = x;\n    if (x < 0 && u < 5) return 1;\n    \
                  if (x >= 0 && u > 5000000000UL) return 2;\n    return u;\n}\n";
    std::fs::write(folder.join("wrap.c"), source).unwrap();
    for (function, left) in [("below", "1"), ("wheel", "1"), ("convert", "2"), ("widen", "4")] {
        let output = goatherd(&folder, &["wrap.c", "--entry", function, "--json", "--count", "60"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(report(&output)["paths"][0]["after"], left, "{function}");
    }
}

/// Of a prefix no end is asked: a loop without end is kept, and what is infeasible is not.
#[test]
fn prefixes() {
    let folder = folder("prefixes");
    let text = "variables x\ninitial 1\nfinal 3\n1 -> 2: [x > 0]\n2 -> 2: x := x + 1\n2 -> 3: [x < 0]\n";
    std::fs::write(folder.join("loop.lts"), text).unwrap();
    for strategy in ["needed-literals", "red-black"] {
        let with = |option: &str| {
            let output = goatherd(&folder, &["loop.lts", "--json", "--count", "4", "--strategy", strategy, option]);
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            report(&output)["paths"][0]["after"].as_str().unwrap().to_owned()
        };
        assert_eq!(with("--complete"), "0", "{strategy}");
        // Nothing, the first step, and one to three rounds.
        assert_eq!(with("--prefix"), "5", "{strategy}");
    }
}

/// A loop that moves a pointer.
#[test]
fn arrays_in_c() {
    let folder = folder("arrays");
    let source = "struct A { int *a; int n_a; };\nint f(struct A s) {\n    int *p = s.a;\n    int zeros = 0;\n    int i = 0;\n    \
                  while (i < s.n_a) {\n        if (*p == 0) zeros = 1;\n        p++;\n        i++;\n    }\n    \
                  if (i < s.n_a) zeros = 2;\n    return zeros;\n}\n";
    std::fs::write(folder.join("f.c"), source).unwrap();
    for strategy in ["needed-literals", "red-black"] {
        let output = goatherd(&folder, &["f.c", "--entry", "f", "--json", "--strategy", strategy]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let counts = &report(&output)["paths"][1];
        let number = |count: &Value| count.as_str().unwrap().parse::<u64>().unwrap();
        assert!(number(&counts["after"]) < number(&counts["before"]), "{strategy}: {counts}");
    }
}

fn counts(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = goatherd(folder, &[arguments, &["--json", "--count", "100"]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let counts = &report(&output)["paths"][0];
    (counts["before"].as_str().unwrap().to_owned(), counts["after"].as_str().unwrap().to_owned())
}

/// An element is what was found there before, or stored.
#[test]
fn elements_of_arrays() {
    let folder = folder("elements");
    let source = "struct A { char *s; int n_s; };\nint f(struct A a) {\n    int i = 0;\n    if (a.n_s < 2) return 0;\n    \
                  if (a.s[0] == 'x') i = 1;\n    if (a.s[0] == 'x') i += 2;\n    if (a.s[1] != a.s[1]) i += 4;\n    \
                  a.s[0] = 'y';\n    if (a.s[0] == 'x') i += 8;\n    a.s[1] = 'z';\n    if (a.s[0] == 'z') i += 16;\n    return i;\n}\n";
    std::fs::write(folder.join("f.c"), source).unwrap();
    assert_eq!(counts(&folder, &["f.c", "--entry", "f"]), ("33".to_owned(), "3".to_owned()));
}

/// Whether two pointers into one array are equal is known from their indices, in loops too.
#[test]
fn pointers_that_are_compared() {
    let folder = folder("compared");
    let source = "struct A { int *a; int n_a; };\nint f(struct A s) {\n    int *end = s.a + s.n_a;\n    int i = 0;\n    \
                  for (int *p = s.a; p != end; p++)\n        if (p == end) i = 1;\n    return i;\n}\n";
    std::fs::write(folder.join("f.c"), source).unwrap();
    let (before, after) = counts(&folder, &["f.c", "--entry", "f"]);
    let rounds = |count: &str| count.parse::<u32>().unwrap();
    // One path for each number of rounds.
    assert!(rounds(&before) > 1000 && rounds(&after) <= 25, "{before} {after}");
}

/// Elements by pointers that move, stored through and read again.
#[test]
fn what_is_stored_in_a_loop() {
    let folder = folder("stored");
    let source = "struct A { int *a; int n_a; };\nint f(struct A s) {\n    int bad = 0;\n    for (int i = 0; i < s.n_a; i++) {\n        \
                  s.a[i] = 7;\n        if (s.a[i] != 7) bad = 1;\n    }\n    return bad;\n}\n";
    std::fs::write(folder.join("f.c"), source).unwrap();
    let (_, after) = counts(&folder, &["f.c", "--entry", "f"]);
    assert!(after.parse::<u32>().unwrap() < 25, "{after}");
}

/// Paths that return different values are different paths, whatever comes after.
#[test]
fn what_is_returned_is_kept() {
    let folder = folder("returned");
    let source = "struct P { int a; int b; };\nint sign(int x) {\n    if (x < 0) return -1;\n    if (x > 0) return 1;\n    return 0;\n}\n\
                  struct P order(int x, int y) {\n    struct P p = { x, y };\n    if (x > y) { p.a = y; p.b = x; }\n    return p;\n}\n\
                  int falls(int x) {\n    if (x > 0) return x;\n}\n";
    std::fs::write(folder.join("f.c"), source).unwrap();
    for (function, count) in [("sign", "3"), ("order", "2"), ("falls", "2")] {
        assert_eq!(counts(&folder, &["f.c", "--entry", function]).1, count, "{function}");
    }
}

#[test]
fn preconditions_in_c() {
    let folder = folder("preconditions");
    let source = "struct A { int *a; int n_a; };\nint f(struct A s, int x, long y) {\n    if (x >= y) return 1;\n    if (s.n_a < 2) return 2;\n    \
                  return 0;\n}\n";
    std::fs::write(folder.join("f.c"), source).unwrap();
    let with = |condition: &str| counts(&folder, &["f.c", "--entry", "f", "--pre", condition]).1;
    assert_eq!([with("x < y"), with("y > x && s.n_a >= 2"), with("x >= y"), with("x != y")], ["2", "1", "1", "3"]);
    let output = goatherd(&folder, &["f.c", "--entry", "f", "--pre", "z < 1"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(3) && error.contains("`z` is not declared: there are s.n_a, x, y"), "{error}");
}

/// The page tells the black part from the red one, and vertices of a system by the lines of its text.
#[test]
fn pages_and_places() {
    let folder = folder("pages");
    let text = "variables x\ninitial 1\nfinal 3\n1 -> 2: x := 0\n2 -> 2: [x < 9] x := x + 1\n2 -> 3: [x >= 9]\n";
    std::fs::write(folder.join("loop.lts"), text).unwrap();
    let arguments = ["loop.lts", "--html", "loop.html", "--graph", "loop.json", "--strategy", "red-black", "--mrl", "2"];
    assert_eq!(goatherd(&folder, &arguments).status.code(), Some(0));
    let page = std::fs::read_to_string(folder.join("loop.html")).unwrap();
    assert!(page.contains("class=\"state inner red\"") && page.contains("class=\"state inner black\""), "{page}");
    let graph = std::fs::read_to_string(folder.join("loop.json")).unwrap();
    // Of the loop, its first edge; of the end, the line that says so.
    assert!(graph.contains("\"place\": \"loop.lts:5:1\"") && graph.contains("\"place\": \"loop.lts:3:1\""), "{graph}");
    // What red-black was restarted with.
    let system = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/paths/merging-sort.lts");
    let arguments = [system.to_str().unwrap(), "-o", "merging.goat", "--html", "merging.html", "--strategy", "red-black", "--la", "0"];
    assert_eq!(goatherd(&folder, &arguments).status.code(), Some(0));
    let page = std::fs::read_to_string(folder.join("merging.html")).unwrap();
    assert!(page.contains("<rect class=\"safeguard\"") && page.contains(">not (la &lt;= ia)"), "{page}");
}

/// Remainders modulo 4 that follow from remainders modulo 10 and bounds.
#[test]
fn what_is_left_of_a_price_has_a_certificate() {
    let folder = folder("coins");
    let text = "variables price paid change\ninitial 0\nfinal 7\n0 -> 1: [price % 10 == 0 && price >= 10] paid := 0\n1 -> 2: [paid < price]\n\
                1 -> 3: [paid >= price] change := paid - price\n2 -> 1: paid := paid + 2\n2 -> 1: paid := paid + 4\n3 -> 4: [change >= 4]\n\
                3 -> 5: [change < 4 && change != 0]\n3 -> 7: [change == 0]\n5 -> 6\n5 -> 7: [change % 2 == 0]\n6 -> 7\n4 -> 7\n";
    std::fs::write(folder.join("coins.lts"), text).unwrap();
    let output = goatherd(&folder, &["coins.lts"]);
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{report}");
    assert!(report.contains("stopped") && !report.contains("unknown") && !report.contains("no certificate"), "{report}");
}

/// Remainders modulo 5 and of a difference modulo 10 are put together to one modulo 10.
#[test]
fn remainders_are_put_together_in_the_certificate() {
    let folder = folder("shares");
    let text = "variables x price\ninitial 0\nfinal 8\n0 -> 1: [price % 10 == 0] x := 0\n0 -> 2: [price % 10 == 1] x := 1\n\
                1 -> 1: [x < price] x := x + 5\n1 -> 3: [x >= price]\n2 -> 2: [x < price] x := x + 2\n2 -> 2: [x < price] x := x + 10\n\
                2 -> 3: [x >= price]\n3 -> 4: [x == price]\n3 -> 5: [x > price]\n4 -> 8: [x % 5 == 0]\n4 -> 8: [x % 5 == 3]\n\
                5 -> 8: [x % 5 == 0]\n5 -> 8: [price % 10 == 3]\n";
    std::fs::write(folder.join("shares.lts"), text).unwrap();
    let output = goatherd(&folder, &["shares.lts"]);
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{report}");
    assert!(!report.contains("no certificate"), "{report}");
}

/// A ring buffer of four cells: the graph grows beyond the limit before it is learned that few states are left.
#[test]
fn graphs_may_be_larger_on_the_way() {
    let folder = folder("ring");
    let text = "variables head tail count\ninitial 0\nfinal 9\n0 -> 1: head := 0, tail := 0, count := 0\n\
                1 -> 2: [count < 4] tail := tail + 1, count := count + 1\n1 -> 3: [count > 0] head := head + 1, count := count - 1\n\
                2 -> 1: [tail < 4]\n2 -> 1: [tail >= 4] tail := 0\n3 -> 1: [head < 4]\n3 -> 1: [head >= 4] head := 0\n\
                1 -> 4: [head == tail]\n1 -> 5: [head != tail]\n4 -> 9: [count == 0]\n4 -> 9: [count == 4]\n\
                4 -> 6: [count != 0 && count != 4]\n5 -> 9: [count > 0 && count < 4]\n5 -> 6: [count == 0]\n6 -> 9\n";
    std::fs::write(folder.join("ring.lts"), text).unwrap();
    let report = |arguments: &[&str]| String::from_utf8_lossy(&goatherd(&folder, arguments).stdout).into_owned();
    let usual = report(&["ring.lts"]);
    assert!(usual.contains("vertices     57,") && usual.contains("no infeasible path found"), "{usual}");
    let limited = report(&["ring.lts", "--vertices", "400"]);
    assert!(limited.contains("more than 400 vertices"), "{limited}");
}

#[test]
fn refusals() {
    let folder = folder("refusals");
    std::fs::write(folder.join("unknown.lts"), "variables x\ninitial 1\nfinal 2\n1 -> 2: [y < 3]\n").unwrap();
    std::fs::write(folder.join("lost.lts"), "variables x\ninitial 1\nfinal 2\n1 -> 2\n3 -> 2\n").unwrap();
    std::fs::write(folder.join("twice.lts"), "variables x\ninitial 1\nfinal 2\n1 -> 2: x := 1, x := 2\n").unwrap();
    std::fs::write(folder.join("good.lts"), "variables x\ninitial 1\nfinal 2\n1 -> 2\n").unwrap();
    for (arguments, message) in [
        (&["unknown.lts"][..], "unknown.lts:4:10: `y` is not declared"),
        (&["lost.lts"], "lost.lts:5:1: no edges lead from the initial location 1 to 3"),
        (&["twice.lts"], "twice.lts:4:17: the variable is assigned twice"),
        (&["good.lts", "--pre", "z > 1"], "--pre: 1:1: `z` is not declared"),
        (&["good.lts", "--pre", "x > 1 && x < 1"], "--pre: no values satisfy the condition"),
        (&["good.lts", "--pre", "x * x > 1"], "--pre: 1:5: a product needs a number on one side"),
        (&["good.lts", "--pre", "x % 3 != 1"], "--pre: 1:7: a remainder is compared with `==` only"),
        (&["good.lts", "--la", "2"], "are options of --strategy red-black"),
        (&["good.lts", "--strategy", "red-black", "--length", "9"], "--length is no option of --strategy red-black"),
        (&["good.lts", "--graph", "graph.png"], ".dot, .graphml or .json"),
        (&["good.lts", "--html", "page", "-o", "page"], "page cannot be two outputs"),
        (&["good.lts", "--count", "100001"], "a length is a number from 0 to 100000"),
        (&["good.lts", "-D", "N=1"], "--entry, -D and -I are for files in C"),
        (&["good.lts", "--pre", "x > 1 || x < 1"], "--pre: 1:7: conditions are joined with `&&` or a comma"),
    ] {
        let output = goatherd(&folder, arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert!(error.contains(message), "{error}");
    }
}

/// What `--confirm` says of the file: is it exact, and how many paths are feasible, infeasible, unknown.
fn confirmed(folder: &Path, arguments: &[&str]) -> (bool, [u64; 3]) {
    confirmed_to("30", folder, arguments)
}

/// The same, of paths of at most so many steps.
fn confirmed_to(length: &str, folder: &Path, arguments: &[&str]) -> (bool, [u64; 3]) {
    let output = goatherd(folder, &[arguments, &["--json", "--confirm", length, "-o", "confirmed.goat"]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report = report(&output);
    let count = |name: &str| report["confirmed"][name].as_u64().unwrap();
    (report["exact"].as_bool().unwrap(), ["feasible", "infeasible", "unknown"].map(count))
}

/// Guards that no integers satisfy, and guards that some do: on one edge, and on one edge after the other.
#[test]
fn exact_systems_have_no_infeasible_path() {
    let folder = folder("remainders");
    for (guards, is_feasible) in [
        (&["x % 2 == 1", "x % 6 == 4"][..], false),
        (&["4*x % 6 == 3"], false),
        (&["3*x % 7 == 5"], true),
        (&["2*x + 4*y % 8 == 5"], false),
        (&["x % 9 == 4", "x % 6 == 2"], false),
        (&["x % 9 == 4", "x % 6 == 1"], true),
        (&["x + y == 3", "x - y == 0"], false),
        (&["2*x - 6*y == 9"], false),
        (&["5*x <= 9", "5*x >= 6"], false),
        (&["x % 2 == 0", "y % 2 == 1", "x + y % 2 == 0"], false),
        (&["x % 2 == 1", "y % 2 == 1", "x + y % 2 == 0"], true),
        (&["3*x - 5*y == 0", "y % 3 == 2"], false),
        (&["x >= 0", "x <= 1", "x != 0", "x != 1"], false),
        (&["x % 4 == 1", "2*x % 8 == 6"], false),
    ] {
        let chain: Vec<String> = guards.iter().enumerate().map(|(place, guard)| format!("{place} -> {}: [{guard}]\n", place + 1)).collect();
        let (last, all) = (guards.len(), guards.join(" && "));
        for edges in [format!("0 -> {last}: [{all}]\n"), chain.concat()] {
            let text = format!("variables x y\ninitial 0\nfinal {last} 90\n0 -> 90: [y > 70]\n{edges}");
            std::fs::write(folder.join("x.lts"), &text).unwrap();
            let (exact, [feasible, infeasible, unknown]) = confirmed(&folder, &["x.lts"]);
            assert_eq!((feasible, unknown), (1 + u64::from(is_feasible), 0), "{text}");
            assert_eq!(exact, infeasible == 0, "{text}");
            // Without trying, nothing is said.
            let output = goatherd(&folder, &["x.lts", "--json"]);
            assert_eq!(report(&output)["exact"], false, "{text}");
        }
    }
}

/// What the analysis takes for any value: products, quotients, operations on bits, remainders of C.
#[test]
fn exact_functions_have_no_infeasible_path() {
    let folder = folder("operations");
    for (parameters, condition, is_feasible) in [
        ("unsigned char a", "a * a == 3", false),
        ("unsigned char a", "a * a == 49", true),
        ("unsigned short a", "a / 3 > a", false),
        ("short a", "a / 3 > a", true),
        ("short a", "(a | 4) == 3", false),
        ("unsigned short a", "(a & 3) == 2 && a % 4 == 1", false),
        ("unsigned short a", "(a & 3) == 2 && a % 4 == 2", true),
        ("unsigned char a, unsigned char b", "a * b > 65025", false),
        ("unsigned char a, unsigned char b", "a * b > 65024", true),
        ("unsigned char a", "(a >> 4) > 15", false),
        ("unsigned char a", "(a ^ 1) == a", false),
    ] {
        std::fs::write(folder.join("f.c"), format!("int f({parameters}) {{ if ({condition}) return 1; return 0; }}\n")).unwrap();
        let (exact, [feasible, infeasible, unknown]) = confirmed(&folder, &["f.c", "--entry", "f"]);
        assert_eq!(unknown, 0, "{condition}");
        assert_eq!(exact, infeasible == 0, "{condition}");
        assert!(!is_feasible || feasible >= 2, "{condition}: {feasible}");
    }
}

#[test]
fn exact_is_said_of_a_length() {
    let folder = folder("confirm");
    let loops = "variables x\ninitial 0\nfinal 1\n0 -> 0: x := x + 1\n0 -> 1: [x >= 0]\n";
    std::fs::write(folder.join("loop.lts"), loops).unwrap();
    let text = |arguments: &[&str]| {
        let output = goatherd(&folder, &[&["loop.lts", "--html", "loop.html"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let page = std::fs::read_to_string(folder.join("loop.html")).unwrap();
        let report = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = report.lines().find_map(|line| line.trim().strip_prefix("exact")).unwrap().trim().to_owned();
        assert!(page.contains(&format!("<dt>exact</dt><dd>{line}</dd>")), "{line}");
        line
    };
    assert_eq!(text(&[]), "not known; --confirm STEPS tries every path");
    assert_eq!(text(&["--confirm", "20"]), "up to 20 steps: inputs drive all 20 paths");
    let limited = text(&["--confirm", "20", "--confirm-paths", "7"]);
    assert_eq!(limited, "up to 7 steps only, not 20 (--confirm-paths): inputs drive all paths that were tried, 7");
    std::fs::write(folder.join("loop.lts"), loops.replace("0 -> 0: x := x + 1\n", "")).unwrap();
    assert_eq!(text(&["--confirm", "20"]), "yes: inputs drive all 1 paths");
    std::fs::write(folder.join("loop.lts"), loops.replace("x >= 0", "x >= 0 && x < 0")).unwrap();
    assert_eq!(text(&[]), "yes: no path is left");
    let output = goatherd(&folder, &["loop.lts", "--confirm", "10001"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("a length is a number from 0 to 10000"), "{output:?}");
}

/// What needs numbers beyond 128 bits is not refuted: no error, and no feasible path lost.
#[test]
fn numbers_beyond_128_bits() {
    let folder = folder("numbers");
    let text = "variables x y\ninitial 0\nfinal 9\n0 -> 1: x := 1000000000000000*x\n1 -> 2: x := 1000000000000000*x\n\
                2 -> 3: x := 1000000000000000*x + y\n3 -> 9: [x > 5]\n3 -> 9: [x <= 5]\n2 -> 2: x := 3*x + 1, y := y - x\n";
    std::fs::write(folder.join("large.lts"), text).unwrap();
    for strategy in ["needed-literals", "red-black"] {
        let output = goatherd(&folder, &["large.lts", "--json", "--strategy", strategy]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let report = report(&output);
        assert_eq!(report["paths"][0]["before"], report["paths"][0]["after"]);
    }
}

/// What symbolic execution does not refute, but the kernel can: such paths get vertices of their own, and are excluded with a proof.
#[test]
fn infeasible_paths_are_excluded_with_a_proof() {
    let folder = folder("refine");
    let system = "variables x y\ninitial 0\nfinal 4\n0 -> 1: [y >= 0]\n0 -> 1: [y < 0] x := x + 1\n1 -> 2: [x % 2 == 1]\n\
                  1 -> 2: x := 6*x\n2 -> 2: [y > 5] y := y - 1\n2 -> 3: [x % 4 == 2]\n3 -> 4\n";
    std::fs::write(folder.join("x.lts"), system).unwrap();
    let (exact, [feasible, infeasible, unknown]) = confirmed_to("12", &folder, &["x.lts"]);
    assert!(!exact && unknown == 0 && feasible > 5 && infeasible > 5, "{feasible} {infeasible}");
    assert_eq!(confirmed_to("12", &folder, &["x.lts", "--refine"]), (true, [feasible, 0, 0]));
    // The certificate is of the graph that is left.
    let output = Command::new(env!("CARGO_BIN_EXE_goatherd"))
        .current_dir(&folder)
        .args(["draw", "confirmed.goat", "--max-length", "12", "--count", "20", "--json"])
        .output()
        .unwrap();
    let drawn: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&drawn["complete_paths"], &drawn["comparison"]["drawn"]["infeasible"]), (&feasible.to_string().into(), &0.into()));
    // In C; a product of more values than are tried is beyond the deductions, and stays.
    let source = "int f(unsigned a, unsigned short b) {\n    if ((a & 1) == 1 && a % 2 == 0)\n        return 1;\n    if (a / 3 > a)\n        return 2;\n    \
                  if (b * b == 3)\n        return 3;\n    return 0;\n}\n";
    std::fs::write(folder.join("f.c"), source).unwrap();
    let (_, [feasible, infeasible, _]) = confirmed(&folder, &["f.c", "--entry", "f"]);
    let (exact, [driven, left, _]) = confirmed(&folder, &["f.c", "--entry", "f", "--refine"]);
    assert!(!exact && driven == feasible && left < infeasible && left > 0, "{feasible} {infeasible}, {driven} {left}");
    let output = goatherd(&folder, &["f.c", "--entry", "f", "--confirm", "30", "--refine"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("infeasible without a proof"), "{output:?}");
    for (arguments, message) in [
        (&["x.lts", "--refine"][..], "--confirm"),
        (&["x.lts", "--confirm", "9", "--refine", "--strategy", "red-black"], "--refine is no option of --strategy red-black"),
    ] {
        let output = goatherd(&folder, arguments);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(message), "{output:?}");
    }
}

/// What is not followed is said with the place, and what to do about it.
#[test]
fn what_is_not_followed_is_named() {
    let folder = folder("refused");
    let doubly = "#include <stdlib.h>
struct node { int v; struct node *next, *prev; };
int f(int n) {
    struct node *head = 0, *tail = 0;
    for (int i = 0; i < n; i++) {
        struct node *x = malloc(sizeof *x);
        if (!x)
            return -1;
        x->v = i;
        x->next = 0;
        x->prev = tail;
        if (tail)
            tail->next = x;
        else
            head = x;
        tail = x;
    }
    int c = 0;
    for (struct node *p = head; p; p = p->next)
        c++;
    return c;
}
";
    let pointer = "int f(int *a, int n) { return n > 0 ? a[0] : 0; }\n";
    for (source, status, message) in [
        (doubly, 2, "f.c:19:33: unsupported: this needs a pointer between nodes that is not followed"),
        (
            pointer,
            3,
            "take a struct { int *a; size_t n_a; } by value: an array of n_a elements; `goatherd harness FILE.c --entry f` writes such a test of f",
        ),
        ("int f(int **a) { return **a; }\n", 3, "make what this points to in a test, and call the function there"),
    ] {
        std::fs::write(folder.join("f.c"), source).unwrap();
        let output = goatherd(&folder, &["f.c", "--entry", "f"]);
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        let all = [output.stdout, output.stderr].concat();
        assert!(String::from_utf8_lossy(&all).contains(message), "{}", String::from_utf8_lossy(&all));
    }
}
