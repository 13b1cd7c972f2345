//! Proves and checks the programs in `target/corpus/`, good and buggy, with the release commands, and reports: verdicts, times,
//! certificates, memory.
//!
//! Usage: `bench-corpus [--jobs N] [--limit SECONDS] [--commands FOLDER] [NAME]...`, where a name stands for all programs that begin
//! with it. Writes `report.md`, `report.json` and `cactus.svg` to `target/bench-corpus/`. A journal there keeps what was proved with
//! these very commands, so that an interrupted run goes on; without the file `measurements.jsonl` all is proved again. Certificates are
//! checked in each run, after all proofs. Fails where a verdict is the opposite of what is expected, where prover and checker disagree,
//! and where a program that is said to hold fails on a small input (see `corpus-confirm`).

use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;

use goatherd_tests::corpus::cactus::plot;
use goatherd_tests::corpus::harness::places;
use goatherd_tests::corpus::instance::read_explanations;
use goatherd_tests::corpus::journal::Journal;
use goatherd_tests::corpus::manifest::hexadecimal_digest;
use goatherd_tests::corpus::options::{Options, each, selected_programs};
use goatherd_tests::corpus::program::Program;
use goatherd_tests::corpus::record::{Commands, Record};
use goatherd_tests::corpus::report::{Confirmation, Entry, Report};
use goatherd_tests::measurement::{self, Measured};
use goatherd_tests::{small_inputs, workspace_root};

/// How often each certificate is checked.
const ROUNDS: usize = 7;

fn main() -> ExitCode {
    if let Some(code) = measurement::serve() {
        return code;
    }
    match Options::read(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("bench-corpus: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<ExitCode, String> {
    let work = workspace_root().join("target/bench-corpus");
    let certificates = work.join("certificates");
    std::fs::create_dir_all(&certificates).map_err(|error| format!("{}: {error}", certificates.display()))?;
    let (programs, without) = selected_programs(options)?;
    if programs.is_empty() {
        println!("bench-corpus: skipped: there are no programs in target/corpus; `make corpus` writes them (Debian only)");
        return Ok(ExitCode::SUCCESS);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let commands = Commands {
        prove: options.commands.join("goatherd"),
        check: options.commands.join("goatherd-check"),
        threads: (cores / options.jobs).max(1),
        limit: options.limit,
        work: certificates,
    };
    let tools = digest_of_tools(&commands)?;
    let open = |name: &str| work.join(name);
    let measurements: Journal<Record> = Journal::open(&open("measurements.jsonl")).map_err(|error| error.to_string())?;
    let confirmations: Journal<Confirmation> = Journal::open(&open("confirmations.jsonl")).map_err(|error| error.to_string())?;
    let entries = Mutex::new(Vec::new());
    each(&programs, options.jobs, |program| {
        let text = std::fs::read(&program.file).map_err(|error| format!("{}: {error}", program.file.display()))?;
        let digest = hexadecimal_digest(&[tools.as_bytes(), &text].concat());
        let record = recorded(program, &digest, &commands, &measurements)?;
        let confirmation = confirmations.result(&program.name, &small_inputs::digest(&text));
        let entry = Entry { program: program.clone(), places: places(&String::from_utf8_lossy(&text)), record, confirmation };
        entries.lock().map_err(|error| error.to_string())?.push(entry);
        Ok(())
    })?;
    let mut entries = entries.into_inner().map_err(|error| error.to_string())?;
    entries.sort_by(|left, right| left.program.name.cmp(&right.program.name));
    check_in_rounds(&mut entries, &commands)?;
    let explanations = workspace_root().join("tests/corpus/explanations.tsv");
    let explanations = std::fs::read_to_string(&explanations).map_err(|error| format!("{}: {error}", explanations.display()))?;
    let conditions = format!(
        "Whole processes on {cores} cores, {} s at most. Proofs {} at a time with {} threads each; times are medians of three runs, of one where it takes longer than a second. After them all certificates one at a time, in {ROUNDS} rounds; times are medians over the rounds.",
        options.limit.as_secs(),
        options.jobs,
        commands.threads
    );
    let report = Report { entries, without, explanations: read_explanations(&explanations)?, conditions };
    write_report(&report, &work)
}

/// What proving gave before, where the certificate is still there to be checked, or gives now.
fn recorded(program: &Program, digest: &str, commands: &Commands, measurements: &Journal<Record>) -> Result<Record, String> {
    let certificate_bytes = std::fs::metadata(commands.certificate(program)).ok().map(|file| file.len());
    let before = measurements.result(&program.name, digest).filter(|record| record.certificate_bytes == certificate_bytes);
    if let Some(record) = before {
        return Ok(record);
    }
    let record = commands.prove(program)?;
    measurements.write(&program.name, digest, &record).map_err(|error| error.to_string())?;
    eprintln!("{} {}: {:.1} ms", record.verdict, program.name, record.prove_ms);
    Ok(record)
}

/// Checks each certificate once per round, so that a slow moment of the machine does not hit all checks of one certificate.
fn check_in_rounds(entries: &mut [Entry], commands: &Commands) -> Result<(), String> {
    let with_certificate = entries.iter_mut().filter(|entry| commands.certificate(&entry.program).exists());
    let mut checks: Vec<(&mut Entry, Vec<Measured>)> = with_certificate.map(|entry| (entry, Vec::new())).collect();
    for round in 1..=ROUNDS {
        for (entry, runs) in &mut checks {
            runs.push(commands.check(&entry.program)?);
        }
        eprintln!("checked {} certificates: round {round} of {ROUNDS}", checks.len());
    }
    for (entry, runs) in checks {
        entry.record.add_checks(runs);
    }
    Ok(())
}

/// A digest of all that a measurement depends on but the program.
fn digest_of_tools(commands: &Commands) -> Result<String, String> {
    let mut bytes = format!("{} {:?}", commands.threads, commands.limit).into_bytes();
    for command in [&commands.prove, &commands.check] {
        let read = std::fs::read(command);
        bytes.extend(read.map_err(|error| format!("{}: {error}; run this as `make bench-corpus`", command.display()))?);
    }
    Ok(hexadecimal_digest(&bytes))
}

fn write_report(report: &Report, work: &Path) -> Result<ExitCode, String> {
    let markdown = report.markdown();
    for (name, text) in [
        ("report.md", markdown.clone()),
        ("report.json", format!("{:#}\n", report.json())),
        ("cactus.svg", plot("Real functions: time of proving", &report.curves())),
    ] {
        std::fs::write(work.join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    let summary = markdown.split("\n## Instances").next().unwrap_or_default();
    println!("{summary}\nAll of it is in target/bench-corpus: report.md, report.json, cactus.svg");
    let faults = report.faults();
    for fault in &faults {
        eprintln!("bench-corpus: {fault}");
    }
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
