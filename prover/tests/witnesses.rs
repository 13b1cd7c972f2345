//! Failing runs that other verifiers are told, and that they tell.

use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// It fails if the second value is above the first one, and the third is 200.
const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
static int next(void) { return __VERIFIER_nondet_int(); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = next( );
    unsigned char z = __VERIFIER_nondet_uchar();
    if (y > x && z == 200) { reach_error(); }
    return 0;
}
";

/// A folder with this program as `program.c`.
fn folder(name: &str, program: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("witnesses").join(name);
    drop(fs::remove_dir_all(&path));
    fs::create_dir_all(&path).expect("a folder");
    fs::write(path.join("program.c"), program).expect("the program");
    path
}

fn prove(folder: &Path, arguments: &[&str]) -> Output {
    let fixed = ["prove", "program.c", "--no-confirm", "--entry", "main"];
    Command::new(env!("CARGO_BIN_EXE_goatherd"))
        .args(fixed.iter().chain(arguments))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the command")
}

fn status(output: &Output) -> Option<i32> {
    output.status.code()
}

/// A witness of another verifier that names these values, each with its line and the column of its parenthesis.
fn witness(values: &[(u32, Option<u32>, &str)]) -> String {
    let head = "- entry_type: violation_sequence\n  metadata:\n    format_version: \"2.0\"\n    producer: {name: other, version: \"1\", configuration: x}\n  content:\n";
    let returns = values.iter().map(|(line, column, value)| {
        let column = column.map(|column| format!(", column: {column}")).unwrap_or_default();
        let constraint = format!("constraint: {{value: '{value}', format: acsl_expression}}");
        let location = format!("location: {{file_name: some/where/program.c, line: {line}{column}, function: main}}");
        format!("  - segment:\n    - waypoint: {{type: function_return, action: follow, {constraint}, {location}}}\n")
    });
    let target = "  - segment:\n    - waypoint: {type: target, action: follow, location: {file_name: program.c, line: 9}}\n";
    std::iter::once(head.to_owned()).chain(returns).chain(std::iter::once(target.to_owned())).collect()
}

#[test]
fn what_is_written_can_be_followed() {
    let folder = folder("round", PROGRAM);
    assert_eq!(status(&prove(&folder, &["--witness", "one.yml"])), Some(1));
    let text = fs::read_to_string(folder.join("one.yml")).expect("a witness");
    // The call in `next` ends in column 54 of line 4; that of `next` determines nothing.
    for part in ["line: 4\n          column: 54", "\\result == 200", "type: target", "LTL(G ! call(reach_error()))", "uuid: "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(status(&prove(&folder, &["--witness", "two.yml"])), Some(1));
    assert_eq!(text, fs::read_to_string(folder.join("two.yml")).expect("a witness"));
    let followed = prove(&folder, &["--follow", "one.yml", "--json", "-o", "followed.goat"]);
    assert_eq!(status(&followed), Some(1));
    let report: Value = serde_json::from_slice(&followed.stdout).expect("JSON");
    assert_eq!(report["counterexample"]["line"], 9);
    assert!(folder.join("followed.goat").is_file());
}

#[test]
fn a_witness_of_another_verifier_is_run() {
    let folder = folder("other", PROGRAM);
    let values = [(6, Some(35), "\\result == -7"), (4, None, "(-6 == \\result)"), (8, Some(47), "\\result == 200U")];
    fs::write(folder.join("w.yml"), witness(&values)).expect("a witness");
    let output = prove(&folder, &["--follow", "w.yml"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(status(&output), Some(1), "{text}");
    assert!(text.contains("the nondeterministic value is -7"), "{text}");
    // Its values do not fail; those of another place are not taken.
    let values = [(6, Some(35), "\\result == 7"), (4, None, "\\result == 7"), (8, Some(47), "\\result == 200")];
    fs::write(folder.join("w.yml"), witness(&values)).expect("a witness");
    let output = prove(&folder, &["--follow", "w.yml"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(status(&output), Some(2), "{text}");
    assert!(text.contains("it names 3 of calls, and 3 of these are made"), "{text}");
    assert!(!folder.join("program.goat").exists(), "no answer of before is left");
    let values = [(6, Some(34), "\\result == -7")];
    fs::write(folder.join("w.yml"), witness(&values)).expect("a witness");
    let text = String::from_utf8_lossy(&prove(&folder, &["--follow", "w.yml"]).stdout).into_owned();
    assert!(!text.contains("value is -7"), "{text}");
}

#[test]
fn what_is_no_witness_is_refused() {
    let folder = folder("refused", PROGRAM);
    let good = witness(&[(6, Some(35), "\\result == 1")]);
    let changed = [
        ("2.0", "1.0", "unsupported: format version 1.0"),
        ("violation_sequence", "invariant_set", "unsupported: an entry of type invariant_set"),
        ("- entry_type", "entry_type", "no violation witness"),
        ("line: 6", "line: x", "no violation witness"),
    ];
    for (from, to, message) in changed {
        fs::write(folder.join("w.yml"), good.replacen(from, to, 1)).expect("a witness");
        let output = prove(&folder, &["--follow", "w.yml"]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(status(&output), Some(3), "{text}");
        assert!(text.contains(message), "{text}");
    }
    fs::write(folder.join("w.yml"), format!("{good}{good}")).expect("a witness");
    assert_eq!(status(&prove(&folder, &["--follow", "w.yml"])), Some(3));
    assert_eq!(status(&prove(&folder, &["--follow", "nowhere.yml"])), Some(3));
}

#[test]
fn inputs_that_no_call_returns_have_no_witness() {
    let with_parameter = "extern void reach_error(void); void main(int x) { if (x == 3) reach_error(); }";
    let folder = folder("parameters", with_parameter);
    fs::write(folder.join("old.yml"), "of an earlier command").expect("a file");
    let output = prove(&folder, &["--witness", "old.yml", "--json"]);
    assert_eq!(status(&output), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let why = report["counterexample"]["witness"]["unwritten"].as_str().expect("a reason");
    assert!(why.contains("parameters"), "{why}");
    assert!(!folder.join("old.yml").exists() && folder.join("old.yml.stale").exists());
}
