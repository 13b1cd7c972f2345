//! What `--json` prints has the form that `spec/schemas` says, of answers of every kind.

use crate::validation;

use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};
use validation::assert_valid;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A folder of this test with this C file.
fn folder(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schemas").join(name);
    drop(fs::remove_dir_all(&path));
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("x.c"), text).unwrap();
    fs::write(path.join("goatherd.toml"), "[[task]]\nfiles = \"*.c\"\n").unwrap();
    path
}

fn goatherd(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goatherd")).args(arguments).current_dir(folder).stdin(Stdio::null()).output().expect("the command")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Programs of every verdict, by name.
fn programs() -> [(&'static str, String); 6] {
    let example = |name: &str| fs::read_to_string(workspace().join("examples").join(name)).unwrap();
    let unknown = "extern void __VERIFIER_assert(int);\nextern int __VERIFIER_nondet_int(void);\nvoid test(unsigned a, unsigned b)\n\
        { unsigned x = a * a * b + b; __VERIFIER_assert(x != 3123456789u || a != 77777u * b); }\n";
    let vacuous = "extern void __VERIFIER_assert(int);\nextern void __VERIFIER_assume(int);\nvoid test(int x) { __VERIFIER_assume(x != x); __VERIFIER_assert(0); }\n";
    [
        ("proved", example("strcpy.c")),
        ("unsafe", example("strcpy.buggy.c")),
        ("unsafe-list", example("list-append.buggy.c")),
        ("unknown", unknown.to_owned()),
        ("vacuous", vacuous.to_owned()),
        ("input", String::from("void test(void) { __asm__(\"nop\"); }\n")),
    ]
}

#[test]
fn reports_are_as_their_schemas_say() {
    for (name, text) in programs() {
        let folder = folder(name, &text);
        let report = json(&goatherd(&folder, &["prove", "x.c", "--json", "--steps", "2000", "--solver", "builtin", "--witness", "w.yml"]));
        assert_valid("goatherd-prove-1", &report);
        let expected = name.split('-').next().unwrap().replace("vacuous", "proved");
        assert_eq!(report["verdict"], expected.as_str(), "{report:#}");
        assert_valid("goatherd-archive-1", &json(&goatherd(&folder, &["archive", "verify", "--json"])));
        fs::write(folder.join("goatherd.toml"), "[[task]]\nfiles = \"*.c\"\nname = \"n\"\nsteps = 2000\n").unwrap();
        assert_valid("goatherd-batch-1", &json(&goatherd(&folder, &["batch", "--json"])));
        fs::write(folder.join("results.csv"), "file,A\nx.c,true\n").unwrap();
        assert_valid("goatherd-compare-1", &json(&goatherd(&folder, &["compare", "results.csv", "--json", "--", "--steps=2000"])));
        let verify = ["archive", "verify", "--json", "--source", "--statement", "statement.json"];
        assert_valid("goatherd-archive-1", &json(&goatherd(&folder, &verify)));
        let read = |path: &str| fs::read(folder.join(path)).ok().map(|bytes| serde_json::from_slice::<Value>(&bytes).unwrap());
        let (record, statement) = (read("proofs/tasks/x.c/test@n.json"), read("statement.json"));
        assert_eq!((record.is_some(), statement.is_some()), (expected == "proved", name == "proved"));
        if let Some(record) = &record {
            assert_valid("goatherd-record-1", record);
        }
        if let Some(statement) = &statement {
            assert_valid("proofs-1", statement);
        }
    }
}

#[test]
fn what_certify_prints_is_as_the_schema_says() {
    let queries = ["(declare-const p Bool)(assert p)(check-sat)(assert (not p))(check-sat)", "(assert false)(check-sat)"];
    for (number, query) in queries.into_iter().enumerate() {
        let folder = folder(&format!("certify-{number}"), "");
        fs::write(folder.join("q.smt2"), query).unwrap();
        for more in [&[][..], &["--steps", "0"]] {
            assert_valid("goatherd-certify-1", &json(&goatherd(&folder, &[&["certify", "q.smt2", "--json"], more].concat())));
        }
    }
}

#[test]
fn analyses_are_as_their_schemas_say() {
    let folder = folder("analyses", &fs::read_to_string(workspace().join("examples/strlen.c")).unwrap());
    let example = |name: &str| workspace().join("examples").join(name).to_string_lossy().into_owned();
    for system in ["paths/merging-sort.lts", "paths/gcd.lts"] {
        let system = example(system);
        let paths = ["paths", &system, "--json", "-o", "p.goat", "--graph", "graph.json"];
        assert_valid("goatherd-paths-1", &json(&goatherd(&folder, &paths)));
        let red_black = ["paths", &system, "--json", "-o", "rb.goat", "--strategy", "red-black"];
        assert_valid("goatherd-paths-1", &json(&goatherd(&folder, &red_black)));
        let graph = fs::read(folder.join("graph.json")).unwrap();
        assert_valid("goatherd-graph-1", &serde_json::from_slice(&graph).unwrap());
        for more in [&[][..], &["--cover", "edges"]] {
            let draw = [&["draw", "p.goat", "--max-length", "30", "--count", "5", "--json", "--no-inputs"], more].concat();
            assert_valid("goatherd-draw-1", &json(&goatherd(&folder, &draw)));
        }
    }
    for model in ["last-cell.trees", "last-cell.buggy.trees"] {
        for more in [&[][..], &["--steps", "20"]] {
            let model = example(&format!("trees/{model}"));
            let trees = [&["trees", &model, "--json"], more].concat();
            assert_valid("goatherd-trees-1", &json(&goatherd(&folder, &trees)));
        }
    }
}

#[test]
fn what_auditors_ask_is_as_the_schemas_say() {
    let folder = folder("audit", &programs()[0].1);
    fs::write(folder.join("q.smt2"), "(declare-const p Bool)(assert p)(assert (not p))(check-sat)").unwrap();
    let model = workspace().join("examples/trees/last-cell.trees").to_string_lossy().into_owned();
    let system = workspace().join("examples/paths/gcd.lts").to_string_lossy().into_owned();
    for made in [
        &["prove", "x.c", "-o", "c.goat"][..],
        &["trees", &model, "-o", "t.goat"],
        &["paths", &system, "-o", "p.goat"],
        &["certify", "q.smt2", "-o", "f.goat"],
    ] {
        assert_eq!(goatherd(&folder, made).status.code(), Some(0), "{made:?}");
    }
    for certificate in ["c.goat", "t.goat", "p.goat", "f.goat"] {
        assert_valid("goatherd-explain-1", &json(&goatherd(&folder, &["explain", certificate, "--json"])));
    }
    // A line that is covered, refuted and blamed.
    let text = &programs()[0].1;
    for line in (1..=text.lines().count()).step_by(3) {
        assert_valid("goatherd-explain-1", &json(&goatherd(&folder, &["explain", "c.goat", "--json", "--at", &line.to_string()])));
    }
    assert_eq!(goatherd(&folder, &["prove", "x.c", "-o", "d.goat", "--checks", "overflow"]).status.code(), Some(0));
    assert_valid("goatherd-diff-1", &json(&goatherd(&folder, &["diff", "c.goat", "d.goat", "--json"])));
    assert_valid("goatherd-crosscheck-1", &json(&goatherd(&folder, &["crosscheck", "c.goat", "--command", "true", "--json"])));
}

#[test]
fn what_no_schema_names_is_refused() {
    let folder = folder("more", &programs()[0].1);
    let mut report = json(&goatherd(&folder, &["prove", "x.c", "--json"]));
    report["more"] = Value::from(1);
    let refused = std::panic::catch_unwind(|| assert_valid("goatherd-prove-1", &report));
    assert!(refused.is_err());
}
