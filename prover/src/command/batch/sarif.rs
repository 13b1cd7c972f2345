//! SARIF 2.1.0: a result for each target that is not proved.

use super::work::Answered;
use crate::command::process::told::{self, Run, Told, Verdict};
use goatherd_archive::{hexadecimal, sha256, target::Target};
use goatherd_frontend::escape::{self, masked};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::{Path, absolute},
};

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [AnalysisRun<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AnalysisRun<'a> {
    tool: Tool,
    /// Columns are counted so.
    column_kind: &'static str,
    original_uri_base_ids: BTreeMap<&'static str, BaseDescription>,
    results: Vec<Finding<'a>>,
}

/// What stands for the folder of `goatherd.toml`: the reader knows where that is.
#[derive(Serialize)]
struct BaseDescription {
    description: Message,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Descriptor>,
}

/// What a result may be of.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<PhysicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
struct ThreadFlow {
    locations: Vec<ThreadFlowLocation>,
}

#[derive(Serialize)]
struct ThreadFlowLocation {
    location: Location,
}

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The folder of `goatherd.toml`.
const ROOT: &str = "SRCROOT";
/// The fingerprint that results have, and the version of how it is made.
const FINGERPRINT: &str = "goatherd/v1";

/// What a result may be of: the kinds of checks (`spec/reports.md#checks`), and what may come of a target. These names stay.
const RULES: [(&str, &str); 18] = [
    ("assertion", "An assertion does not hold."),
    ("reachability", "A call that is not to be reached is reached."),
    ("missing-return", "A function whose value is used returns none."),
    ("unreachable", "__builtin_unreachable is reached."),
    ("memory-read", "A read outside a live object."),
    ("memory-write", "A write outside a live object that may be written."),
    ("division", "A division by zero, or whose quotient is out of range."),
    ("shift", "A shift by a negative amount, or by the width or more."),
    ("overflow", "A signed result that is out of range."),
    ("pointer-arithmetic", "A pointer that is moved where it must not be."),
    ("pointer-comparison", "A comparison of pointers into different objects."),
    ("pointer-difference", "A difference of pointers into different objects."),
    ("free", "A call of free with something else than the start of a live allocated object."),
    ("leak", "An object of the heap that nothing leads to when the entry function ends."),
    ("value", "An operand without a value, or of the wrong kind."),
    ("not-proved", "Neither a proof nor a failing run was found."),
    ("vacuous", "Proved, and nothing shows that any input passes the assumptions."),
    ("not-understood", "The file cannot be read, or uses something unsupported."),
];

/// The whole file.
pub fn text(all: &[(&Target, Answered)], root: &Path) -> String {
    let mut seen = BTreeMap::new();
    let unproved = all.iter().filter(|(_, answered)| answered.told.verdict != Verdict::Proved);
    let results = unproved.map(|(target, answered)| finding(target, &answered.told, root, &mut seen)).collect();
    let rules = RULES.map(|(id, text)| Descriptor { id, short_description: Message { text: text.to_owned() } });
    let base = BaseDescription { description: Message { text: String::from("The folder of goatherd.toml.") } };
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [AnalysisRun {
            tool: Tool { driver: Driver { name: "goatherd", semantic_version: env!("CARGO_PKG_VERSION"), rules: rules.into() } },
            column_kind: "utf16CodeUnits",
            original_uri_base_ids: BTreeMap::from([(ROOT, base)]),
            results,
        }],
    };
    // Its maps have words for keys, so that serialising does not fail.
    escape::json(&(serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"))
}

/// The place and the words of what came of a target.
fn finding<'a>(target: &Target, told: &'a Told, root: &Path, seen: &mut BTreeMap<String, u32>) -> Finding<'a> {
    let run = told.counterexample.as_ref().filter(|_| told.verdict == Verdict::Unsafe);
    let diagnostic = told.diagnostics.first();
    let (rule, level) = match told.verdict {
        Verdict::Unsafe => (run.map_or("value", |run| kind(told, run)), "error"),
        Verdict::Unknown | Verdict::Proved => ("not-proved", "warning"),
        Verdict::Vacuous => ("vacuous", "warning"),
        Verdict::Input | Verdict::Internal => ("not-understood", "error"),
    };
    let (file, line, column) = match (run, diagnostic) {
        (Some(run), _) => (run.file.as_str(), Some(run.line), Some(run.column)),
        (None, Some(diagnostic)) => (diagnostic.file.as_str(), diagnostic.line, diagnostic.column),
        (None, None) => (target.file.as_str(), None, None),
    };
    // In the model of a library function there is nothing to see: it is the file's own affair.
    let (file, line, column) = if file.starts_with('<') { (target.file.as_str(), None, None) } else { (file, line, column) };
    let source_line = run.and_then(|run| run.trace.last()).map(|step| step.text.as_str());
    let source_line = source_line.or_else(|| diagnostic.and_then(|diagnostic| diagnostic.source_line.as_deref())).unwrap_or_default();
    let location = Location { physical_location: Some(physical(file, line, column, root)), message: None };
    Finding {
        rule_id: rule,
        rule_index: RULES.iter().position(|(id, _)| *id == rule).unwrap_or_default(),
        level,
        message: Message { text: message(target, told, run) },
        locations: [location],
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, fingerprint(target, rule, source_line, seen))]),
        code_flows: run.map(|run| flow(run, root)).into_iter().collect(),
    }
}

/// What is checked where the run fails.
fn kind<'a>(told: &'a Told, run: &Run) -> &'a str {
    let is_here =
        |check: &&told::Check| check.status == "fails" && (check.line, check.column) == (run.line, run.column) && check.file == run.file;
    let checks = told.checks.iter().flat_map(|checks| &checks.list);
    let kind = checks.filter(|check| RULES.iter().any(|(id, _)| *id == check.kind)).find(is_here);
    kind.map_or("value", |check| check.kind.as_str())
}

fn message(target: &Target, told: &Told, run: Option<&Run>) -> String {
    let mut text = format!("{} of {}: ", told.verdict.word(), target.leaf());
    match run {
        Some(run) => text.push_str(&run.failure),
        None => text.push_str(&told.summary()),
    }
    for input in run.iter().flat_map(|run| &run.inputs) {
        // Writing to a string does not fail.
        let _ = write!(text, "; {} = {}", input.name, input.value);
    }
    plain(&text)
}

fn plain(text: &str) -> String {
    text.chars().map(masked).collect()
}

/// Stays the same where lines are inserted above: made of the rule, the target, the text of the line, and how often all of that was there before.
fn fingerprint(target: &Target, rule: &str, line: &str, seen: &mut BTreeMap<String, u32>) -> String {
    let what = format!("{rule}\n{target}\n{}", line.trim());
    let count = seen.entry(what.clone()).or_default();
    *count += 1;
    hexadecimal(&sha256(format!("{what}\n{count}").as_bytes()))
}

/// The lines that a run executes.
fn flow(run: &Run, root: &Path) -> CodeFlow {
    let step = |step: &told::Executed| {
        let writes: Vec<String> = step.writes.iter().map(|write| format!("{} = {}", write.name, write.value)).collect();
        let text = if writes.is_empty() { step.text.clone() } else { format!("{}  // {}", step.text, writes.join(", ")) };
        let is_file = !step.file.starts_with('<');
        ThreadFlowLocation {
            location: Location {
                physical_location: is_file.then(|| physical(&step.file, Some(step.line), None, root)),
                message: Some(Message { text: plain(&text) }),
            },
        }
    };
    CodeFlow { thread_flows: [ThreadFlow { locations: run.trace.iter().map(step).collect() }] }
}

/// A column as SARIF counts: in UTF-16, where it is told in bytes.
fn column_in_utf16(path: &Path, line: u32, column: u32) -> u32 {
    let text = fs::read(path).unwrap_or_default();
    let line = usize::try_from(line).ok().and_then(|line| text.split(|byte| *byte == b'\n').nth(line.checked_sub(1)?));
    let before = line.and_then(|line| line.get(..usize::try_from(column).ok()?.checked_sub(1)?));
    let units = before.map(|before| String::from_utf8_lossy(before).encode_utf16().count());
    units.and_then(|units| u32::try_from(units + 1).ok()).unwrap_or(column)
}

/// A place in a file: from the folder of `goatherd.toml` if it lies in there.
fn physical(file: &str, line: Option<u32>, column: Option<u32>, root: &Path) -> PhysicalLocation {
    let file = file.strip_prefix("./").unwrap_or(file);
    let below = absolute(root).ok().and_then(|root| Path::new(file).strip_prefix(root).ok().map(Path::to_owned));
    let inner = below.as_deref().unwrap_or(Path::new(file));
    let is_inside = inner.is_relative();
    let path = percent_encoded(&inner.to_string_lossy());
    let region = |line| Region { start_line: line, start_column: column.map(|column| column_in_utf16(&root.join(file), line, column)) };
    PhysicalLocation {
        artifact_location: ArtifactLocation {
            uri: if is_inside { path } else { format!("file://{path}") },
            uri_base_id: is_inside.then_some(ROOT),
        },
        region: line.map(region),
    }
}

/// A path as RFC 3986 has it.
fn percent_encoded(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}
