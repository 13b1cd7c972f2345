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

#[test]
fn refusals() {
    let folder = folder("refusals");
    std::fs::write(folder.join("unknown.lts"), "variables x\ninitial 1\nfinal 2\n1 -> 2: [y < 3]\n").unwrap();
    std::fs::write(folder.join("lost.lts"), "variables x\ninitial 1\nfinal 2\n1 -> 2\n3 -> 2\n").unwrap();
    std::fs::write(folder.join("good.lts"), "variables x\ninitial 1\nfinal 2\n1 -> 2\n").unwrap();
    for (arguments, message) in [
        (&["unknown.lts"][..], "unknown.lts:4:10: `y` is not declared"),
        (&["lost.lts"], "lost.lts:5:1: no edges lead from the initial location 1 to 3"),
        (&["good.lts", "--pre", "z > 1"], "--pre: 1:1: `z` is not declared"),
        (&["good.lts", "--pre", "x > 1 && x < 1"], "--pre: no values satisfy the condition"),
        (&["good.lts", "--pre", "x * x > 1"], "--pre: 1:5: a product needs a number on one side"),
        (&["good.lts", "--graph", "graph.png"], ".dot, .graphml or .json"),
    ] {
        let output = goatherd(&folder, arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert!(error.contains(message), "{error}");
    }
}
