//! Measures inclusion on pairs of automata, `NAME-a.timbuk` and `NAME-b.timbuk` in a folder: whole-process times of `goatherd automata
//! inclusion`, which checks what shows its answer.
//!
//! Usage: `bench-automata FOLDER [--command FILE] [--runs N] [--steps N]`. Prints Markdown.

use goatherd_tests::workspace_root;
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::{Duration, Instant},
};

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench-automata: {message}");
            ExitCode::FAILURE
        }
    }
}

struct Options {
    folder: PathBuf,
    command: PathBuf,
    runs: usize,
    steps: String,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace_root().join("target"), PathBuf::from);
        let (mut folder, mut command, mut runs, mut steps) = (None, target.join("release/goatherd"), 5, "100000".to_owned());
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--command" => command = arguments.next().ok_or("--command needs a file")?.into(),
                "--runs" => {
                    let number = arguments.next().and_then(|number| number.parse().ok()).filter(|number| *number > 0);
                    runs = number.ok_or("--runs needs a positive number")?;
                }
                "--steps" => steps = arguments.next().ok_or("--steps needs a number")?,
                option if option.starts_with('-') => return Err(format!("unknown option {option}")),
                path => folder = Some(PathBuf::from(path)),
            }
        }
        Ok(Self { folder: folder.ok_or("which folder?")?, command, runs, steps })
    }
}

fn run(options: &Options) -> Result<(), String> {
    println!("| pair | answer | shown by | milliseconds |\n|---|---|---|---|");
    for (name, left, right) in pairs(&options.folder)? {
        let mut times = Vec::with_capacity(options.runs);
        let mut answer = Value::Null;
        for _ in 0..options.runs {
            let (time, found) = ask(options, &left, &right)?;
            times.push(time);
            answer = found;
        }
        times.sort_unstable();
        let shown = match (&answer["witness"]["kind"], &answer["tree"]["size"]) {
            (Value::String(kind), _) => format!("{kind}, {} pairs", answer["witness"]["pairs"]),
            (_, Value::Number(size)) => format!("a tree of {size} nodes"),
            _ => "-".to_owned(),
        };
        let verdict = answer["answer"].as_str().unwrap_or("?");
        println!("| {name} | {verdict} | {shown} | {:.1} |", times[times.len() / 2].as_secs_f64() * 1e3);
    }
    Ok(())
}

/// The pairs of the folder, by name.
fn pairs(folder: &Path) -> Result<Vec<(String, PathBuf, PathBuf)>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()?.strip_suffix("-a.timbuk").map(str::to_owned));
    let pair = |name: String| {
        let file = |side: &str| folder.join(format!("{name}-{side}.timbuk"));
        (name.clone(), file("a"), file("b"))
    };
    let mut pairs: Vec<_> = names.map(pair).collect();
    pairs.sort();
    Ok(pairs)
}

/// Asks once: the time of the whole process, and its answer.
fn ask(options: &Options, left: &Path, right: &Path) -> Result<(Duration, Value), String> {
    let start = Instant::now();
    let output = Command::new(&options.command)
        .args(["automata", "inclusion", "--json", "--steps", &options.steps])
        .args([left, right])
        .output()
        .map_err(|error| format!("cannot run {}: {error}", options.command.display()))?;
    let time = start.elapsed();
    let answer = serde_json::from_slice(&output.stdout);
    answer.map(|answer| (time, answer)).map_err(|_| format!("{}: {}", left.display(), String::from_utf8_lossy(&output.stderr)))
}
