//! The command `goatherd trees`.

use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/trees").join(format!("{name}.trees"))
}

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("trees-{name}"));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn goatherd(folder: &Path, model: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goatherd"));
    command.current_dir(folder).arg("trees").arg(model).args(options).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_invariant_is_proved() {
    let folder = folder("proved");
    let output = goatherd(&folder, &example("last-cell"), &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = text(&output.stdout);
    assert!(said.starts_with("proved: ") && said.contains("no configuration in Bad is reachable from Init"), "{said}");
    let bytes = fs::read(folder.join("last-cell.goat")).expect("a certificate");
    assert!(goatherd_claims::check(&bytes, goatherd_checker::Limits::of_memory(1 << 30), goatherd::encode::digest).is_ok());
}

#[test]
fn a_trace_is_shown() {
    let folder = folder("unsafe");
    let output = goatherd(&folder, &example("last-cell.buggy"), &["--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((report["schema"].as_str(), report["verdict"].as_str()), (Some("goatherd-trees/1"), Some("unsafe")));
    let lines: Vec<&str> = report["trace"].as_array().expect("a trace").iter().filter_map(|step| step["line"].as_str()).collect();
    assert_eq!(lines, ["1", "2", "5"]);
    assert_eq!(report["trace"][2]["tree"], "nil[y]");
}

#[test]
fn the_legacy_analysis_is_caught() {
    let folder = folder("legacy");
    let output = goatherd(&folder, &example("last-cell.buggy"), &["--backward", "legacy"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stdout).contains("the analysis goes round in circles"), "{output:?}");
    assert!(!folder.join("last-cell.buggy.goat").exists());
}

#[test]
fn steps_end_a_search_with_its_state() {
    let folder = folder("steps");
    let output = goatherd(&folder, &example("list-reversal"), &["--steps", "2000", "--json"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["verdict"], "unknown");
    assert!(report["reason"].as_str().is_some_and(|reason| reason.contains("2000 steps")), "{report}");
    assert!(report["rounds"][0]["blame"]["line"].is_string(), "{report}");
}

#[test]
fn what_is_no_model_is_shown_with_its_place() {
    let folder = folder("wrong");
    let model = folder.join("wrong.trees");
    fs::write(&model, "alphabet { a:0 }\nset s { b -> q }\n").expect("a file");
    let output = goatherd(&folder, &model, &[]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let said = text(&output.stderr);
    assert!(said.contains("wrong.trees:2:9: error: `b` is neither a symbol nor a class"), "{said}");
    assert!(said.contains("set s { b -> q }"), "{said}");
    let output = goatherd(&folder, &folder.join("missing.trees"), &[]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}

#[test]
fn pictures_are_drawn() {
    let folder = folder("pictures");
    let output = goatherd(&folder, &example("list-reversal"), &["--draw", "invariant"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = goatherd(&folder, &example("list-reversal.buggy"), &["--draw", "trace"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    for name in ["invariant/history", "invariant/line-1", "invariant/line-5", "trace/history", "trace/trace"] {
        let dot = fs::read_to_string(folder.join(format!("{name}.dot"))).expect("a graph");
        assert!(dot.starts_with("digraph "), "{name}");
        let svg = fs::read_to_string(folder.join(format!("{name}.svg"))).expect("a picture");
        assert!(svg.contains("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
    }
}
