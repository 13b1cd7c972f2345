//! Measures the release commands on all examples: whole-process times of proving and checking, their ratio, the size of the certificate, and the checker's peak memory; then the kernel's lines per module.
//!
//! Usage: `bench [--commands FOLDER] [--runs N] [FILE.c]...`. Prints Markdown, and writes it with the same figures as JSON to
//! `target/bench/`. Fails where a verdict is not the one that the file's name promises; a missed aim is reported, not a failure,
//! since times depend on the machine.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use goatherd_tests::measurement::{self, measure};
use goatherd_tests::{c_programs, is_buggy_twin, lines::code_lines, workspace_root};
use serde_json::{Value, json};

/// Timed runs of each command, after one that is not counted.
const RUNS: usize = 11;

/// Far more than checking takes.
const CHECK_LIMIT: Duration = Duration::from_mins(1);

fn main() -> ExitCode {
    if let Some(code) = measurement::serve() {
        return code;
    }
    match Options::read(std::env::args().skip(1).collect()).and_then(|options| run(&options)) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::FAILURE
        }
    }
}

struct Options {
    commands: PathBuf,
    runs: usize,
    files: Vec<PathBuf>,
}

impl Options {
    fn read(arguments: Vec<String>) -> Result<Self, String> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace_root().join("target"), PathBuf::from);
        let mut options = Self { commands: target.join("release"), runs: RUNS, files: Vec::new() };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--commands" => options.commands = arguments.next().ok_or("--commands needs a folder")?.into(),
                "--runs" => {
                    let runs = arguments.next().and_then(|number| number.parse().ok()).filter(|number| *number > 0);
                    options.runs = runs.ok_or("--runs needs a positive number")?;
                }
                option if option.starts_with('-') => return Err(format!("unknown option {option}")),
                file => options.files.push(file.into()),
            }
        }
        if options.files.is_empty() {
            options.files = c_programs("examples");
        }
        Ok(options)
    }
}

/// The figures of one program.
struct Row {
    name: String,
    buggy: bool,
    /// Exit codes of proving and checking, and whether both are as expected.
    codes: (Option<i32>, Option<i32>),
    expected: bool,
    prove: Duration,
    check: Duration,
    certificate: u64,
    /// The checker's peak resident memory in bytes.
    memory: u64,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.check.as_secs_f64() / self.prove.as_secs_f64()
    }

    fn verdict(&self) -> String {
        let verdict = match self.codes {
            (Some(0), Some(0)) => "proved",
            (Some(1), Some(4)) => "unsafe",
            (Some(2), _) => "unknown",
            (prove, check) => return format!("exits {prove:?}, {check:?}"),
        };
        verdict.to_owned()
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "buggy_twin": self.buggy,
            "verdict": self.verdict(),
            "as_expected": self.expected,
            "prove_ms": milliseconds(self.prove),
            "check_ms": milliseconds(self.check),
            "check_to_prove": self.ratio(),
            "certificate_bytes": self.certificate,
            "checker_peak_bytes": self.memory,
        })
    }
}

fn run(options: &Options) -> Result<ExitCode, String> {
    let (prove, check) = (options.commands.join("goatherd"), options.commands.join("goatherd-check"));
    for command in [&prove, &check] {
        if !command.exists() {
            return Err(format!("{} is missing; run this as `make bench`", command.display()));
        }
    }
    let work = workspace_root().join("target/bench");
    std::fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let mut rows = Vec::new();
    for file in &options.files {
        let row = measure_program(file, &prove, &check, &work, options.runs)?;
        eprintln!("{}: {}", row.name, row.verdict());
        rows.push(row);
    }
    let modules = kernel_modules();
    let markdown = markdown(&rows, &modules, options.runs);
    let kernel: Vec<Value> = modules.iter().map(|(module, lines)| json!({ "module": module, "lines": lines })).collect();
    let report = json!({ "programs": rows.iter().map(Row::json).collect::<Vec<_>>(), "kernel": kernel });
    write(&work.join("bench.md"), &markdown)?;
    write(&work.join("bench.json"), &format!("{report:#}\n"))?;
    println!("{markdown}");
    let wrong = rows.iter().filter(|row| !row.expected).count();
    if wrong > 0 {
        eprintln!("bench: {wrong} of {} verdicts are not the expected ones", rows.len());
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn measure_program(file: &Path, prove: &Path, check: &Path, work: &Path, runs: usize) -> Result<Row, String> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let certificate = work.join(format!("{name}.goat"));
    // A certificate of an earlier run must not be taken for one of this.
    let _ = std::fs::remove_file(&certificate);
    let prove_arguments = [OsStr::new("prove"), file.as_os_str(), OsStr::new("-o"), certificate.as_os_str()];
    let (prove_time, prove_code) = median_time(prove, &prove_arguments, runs)?;
    let buggy = is_buggy_twin(file);
    let mut row = Row {
        name,
        buggy,
        codes: (prove_code, None),
        expected: false,
        prove: prove_time,
        check: Duration::ZERO,
        certificate: 0,
        memory: 0,
    };
    if let Ok(metadata) = std::fs::metadata(&certificate) {
        row.certificate = metadata.len();
        (row.check, row.codes.1) = median_time(check, &[certificate.as_os_str()], runs)?;
        row.memory = measure(check, &[certificate.as_os_str()], CHECK_LIMIT)?.peak_bytes;
    }
    row.expected = row.codes == if buggy { (Some(1), Some(4)) } else { (Some(0), Some(0)) };
    Ok(row)
}

/// The median time of the whole process, and its exit code, which must be the same in all runs.
fn median_time(command: &Path, arguments: &[&OsStr], runs: usize) -> Result<(Duration, Option<i32>), String> {
    let mut times = Vec::new();
    let mut first_code = None;
    for run in 0..=runs {
        let started = Instant::now();
        let status = Command::new(command).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        let elapsed = started.elapsed();
        let code = status.map_err(|error| format!("{}: {error}", command.display()))?.code();
        if run == 0 {
            first_code = code;
            continue;
        }
        if code != first_code {
            return Err(format!("{} {arguments:?} exits with {first_code:?} and then with {code:?}", command.display()));
        }
        times.push(elapsed);
    }
    Ok((median(times), first_code))
}

fn median<T: PartialOrd + Copy + Default>(mut values: Vec<T>) -> T {
    values.sort_by(|left, right| left.partial_cmp(right).unwrap_or(std::cmp::Ordering::Equal));
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The kernel, which decides `Safe` alone; the data types that it reads; what hands a certificate to the crate of its claim, and these crates.
const FOLDERS: [&str; 7] = [
    "checker/src",
    "certificates/src",
    "checker/claims/src",
    "checker/claims/frame/src",
    "checker/claims/paths/src",
    "checker/claims/runs/src",
    "checker/claims/trees/src",
];

/// Lines of code of each module of the kernel, of the data types that it reads, and of the claims on top of it.
fn kernel_modules() -> Vec<(String, usize)> {
    let mut modules = Vec::new();
    for folder in FOLDERS {
        let mut files = Vec::new();
        rust_files(&workspace_root().join(folder), &mut files);
        files.sort();
        for file in files {
            let name = file.strip_prefix(workspace_root()).unwrap_or(&file).to_string_lossy().into_owned();
            modules.push((name, std::fs::read_to_string(&file).map_or(0, |text| code_lines(&text))));
        }
    }
    modules
}

/// All Rust files below a folder but test modules in files of their own.
fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.file_stem().is_some_and(|stem| stem == "tests") {
            continue;
        }
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

fn kibibytes(bytes: u64) -> f64 {
    f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) / 1024.0
}

fn markdown(rows: &[Row], modules: &[(String, usize)], runs: usize) -> String {
    let mut text = String::new();
    for (title, buggy) in [("Programs", false), ("Buggy twins", true)] {
        let of_kind: Vec<&Row> = rows.iter().filter(|row| row.buggy == buggy).collect();
        if !of_kind.is_empty() {
            let _ = writeln!(text, "### {title} (median of {runs} runs of the whole process)\n");
            table(&mut text, &of_kind);
        }
    }
    text.push_str("### Aims\n\n| aim | measured | |\n|---|--:|---|\n");
    let proved: Vec<&Row> = rows.iter().filter(|row| !row.buggy).collect();
    aims(&mut text, &proved);
    text.push_str("\n### The kernel, lines of code\n\n| module | lines |\n|---|--:|\n");
    for (module, lines) in modules {
        let _ = writeln!(text, "| {module} | {lines} |");
    }
    for folder in FOLDERS {
        let sum: usize = modules.iter().filter(|(module, _)| module.starts_with(folder)).map(|(_, lines)| lines).sum();
        let _ = writeln!(text, "| **{folder}** | **{sum}** |");
    }
    text
}

fn table(text: &mut String, rows: &[&Row]) {
    text.push_str(
        "| program | verdict | prove ms | check ms | check : prove | certificate KiB | checker peak MiB |\n|---|---|--:|--:|--:|--:|--:|\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "| {} | {}{} | {:.1} | {:.1} | {:.0}% | {:.1} | {:.1} |",
            row.name,
            row.verdict(),
            if row.expected { "" } else { " **(not as expected)**" },
            milliseconds(row.prove),
            milliseconds(row.check),
            row.ratio() * 100.0,
            kibibytes(row.certificate),
            kibibytes(row.memory) / 1024.0
        );
    }
    text.push('\n');
}

/// What the project promises of programs like the examples, and what was measured.
fn aims(text: &mut String, rows: &[&Row]) {
    let times = |of: fn(&Row) -> Duration| rows.iter().map(|row| milliseconds(of(row))).collect::<Vec<f64>>();
    let largest = |values: Vec<f64>| values.into_iter().fold(0.0, f64::max);
    let (prove, check) = (times(|row| row.prove), times(|row| row.check));
    let certificates = rows.iter().map(|row| kibibytes(row.certificate)).collect();
    let memory_over = rows.iter().map(|row| kibibytes(row.memory.saturating_sub(3 * row.certificate)) / 1024.0).collect();
    let as_expected = rows.iter().filter(|row| row.expected).count();
    let all = if as_expected == rows.len() { "holds" } else { "**missed**" };
    let _ = writeln!(text, "| all proved | {as_expected} of {} | {all} |", rows.len());
    for (aim, measured, most) in [
        ("prove: median at most 10 ms", median(prove.clone()), 10.0),
        ("prove: at most 100 ms", largest(prove), 100.0),
        ("check: median at most 5 ms", median(check.clone()), 5.0),
        ("check: at most 20 ms", largest(check), 20.0),
        ("certificate: at most 32 KiB", largest(certificates), 32.0),
        ("checker's peak less three certificates: at most 16 MiB", largest(memory_over), 16.0),
    ] {
        let _ = writeln!(text, "| {aim} | {measured:.1} | {} |", if measured <= most { "holds" } else { "**missed**" });
    }
}
