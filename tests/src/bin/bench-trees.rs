//! Measures the tree models of `examples/trees`: the time to decide each (reading, search, certificate, and the checker's word on it), the
//! time to check its certificate, and their ratio, in one process.
//!
//! Usage: `bench-trees [--runs N] [MODEL]...`. Prints Markdown, and writes it with the same figures as JSON to `target/bench/`. Fails where a
//! verdict is not the one that the file's name promises; a missed aim is reported, not a failure, since times depend on the machine.

use goatherd::certify::models::certify;
use goatherd_certificates::certificate::{Claim, Origin};
use goatherd_checker::Limits;
use goatherd_frontend::trees;
use goatherd_tests::{is_buggy_twin, models, workspace_root};
use goatherd_trees::{model::Model, options::Options, search::search};
use serde_json::{Value, json};
use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

/// Timed runs of each model, after one that is not counted.
const RUNS: usize = 21;
/// Each model is decided within this time, and the median within the second one.
const AIMS: (Duration, Duration) = (Duration::from_secs(10), Duration::from_millis(100));
/// Checking takes at most this part of deciding.
const RATIO: f64 = 0.1;

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("bench-trees: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The figures of one model.
struct Row {
    name: String,
    claim: Claim,
    is_expected: bool,
    rounds: usize,
    steps: u64,
    decide: Duration,
    check: Duration,
    certificate: usize,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.check.as_secs_f64() / self.decide.as_secs_f64()
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "claim": format!("{:?}", self.claim),
            "as_expected": self.is_expected,
            "rounds": self.rounds,
            "steps": self.steps,
            "decide_ms": milliseconds(self.decide),
            "check_ms": milliseconds(self.check),
            "check_to_decide": self.ratio(),
            "certificate_bytes": self.certificate,
        })
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn run(arguments: Vec<String>) -> Result<ExitCode, String> {
    let (mut runs, mut files) = (RUNS, Vec::new());
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--runs" => {
                let number = arguments.next().and_then(|number| number.parse().ok()).filter(|number| *number > 0);
                runs = number.ok_or("--runs needs a positive number")?;
            }
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            file => files.push(PathBuf::from(file)),
        }
    }
    if files.is_empty() {
        files = models("examples/trees");
    }
    let rows = files.iter().map(|file| measure(file, runs)).collect::<Result<Vec<Row>, String>>()?;
    let page = page(&rows);
    print!("{page}");
    let work = workspace_root().join("target/bench");
    let write = |name: &str, text: &str| std::fs::write(work.join(name), text).map_err(|error| format!("{}: {error}", work.display()));
    std::fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    write("trees.md", &page)?;
    write("trees.json", &format!("{:#}\n", Value::Array(rows.iter().map(Row::json).collect())))?;
    Ok(ExitCode::from(u8::from(rows.iter().any(|row| !row.is_expected))))
}

fn measure(path: &Path, runs: usize) -> Result<Row, String> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let failed = |reason: String| format!("{}: {reason}", path.display());
    let (mut decisions, mut checks) = (Vec::new(), Vec::new());
    let mut found = None;
    for _ in 0..=runs {
        let start = Instant::now();
        let file = trees::read(path).map_err(|report| failed(report.message))?;
        let model = Model::new(&file.model);
        let outcome = search(&model, &Options::default(), &mut |_| {});
        let origin = Origin { file: name.clone(), digest: file.digest, definitions: Vec::new(), includes: Vec::new(), waived: Vec::new() };
        let accepted = certify(&file.model, &origin, &model, &outcome).map_err(|fault| failed(fault.to_string()))?;
        decisions.push(start.elapsed());
        let accepted = accepted.ok_or_else(|| failed(format!("{:?}", outcome.answer)))?;
        let start = Instant::now();
        let verdict = goatherd_claims::check(&accepted.bytes, Limits::of_memory(u64::MAX), goatherd::encode::digest)
            .map_err(|failure| failed(format!("{failure:?}")))?;
        checks.push(start.elapsed());
        found = Some((verdict.claim, outcome.rounds.len(), outcome.steps, accepted.bytes.len()));
    }
    let Some((claim, rounds, steps, certificate)) = found else { return Err(failed("not measured".to_owned())) };
    let expected = if is_buggy_twin(path) { Claim::Unsafe } else { Claim::Invariant };
    let (decide, check) = (median(&decisions[1..]), median(&checks[1..]));
    Ok(Row { name, claim, is_expected: claim == expected, rounds, steps, decide, check, certificate })
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn page(rows: &[Row]) -> String {
    let mut page = String::from("| model | claim | rounds | steps | decide, ms | check, ms | check : decide | certificate, bytes |\n");
    page.push_str("|---|---|---:|---:|---:|---:|---:|---:|\n");
    // Writing to a string does not fail.
    for row in rows {
        let claim = format!("{:?}{}", row.claim, if row.is_expected { "" } else { " (not expected)" });
        let Row { name, rounds, steps, certificate, .. } = row;
        let (decide, check) = (milliseconds(row.decide), milliseconds(row.check));
        let ratio = 100.0 * row.ratio();
        let _ = writeln!(page, "| {name} | {claim} | {rounds} | {steps} | {decide:.3} | {check:.3} | {ratio:.1} % | {certificate} |");
    }
    let times: Vec<Duration> = rows.iter().map(|row| row.decide).collect();
    let (longest, middle) = (times.iter().max().copied().unwrap_or_default(), median(&times));
    let ratio = rows.iter().map(Row::ratio).fold(0.0, f64::max);
    let met = |is_met: bool| if is_met { "met" } else { "missed" };
    let _ = writeln!(page, "\n- longest {:.3} ms (aim 10 s, {})", milliseconds(longest), met(longest <= AIMS.0));
    let _ = writeln!(page, "- median {:.3} ms (aim 100 ms, {})", milliseconds(middle), met(middle <= AIMS.1));
    let _ = writeln!(page, "- greatest ratio of checking to deciding {:.1} % (aim 10 %, {})", 100.0 * ratio, met(ratio <= RATIO));
    page
}
