//! The graphs of all programs in `target/corpus/` (`make corpus` writes them), beside runs on small inputs: no path that a run takes is lost, and a
//! graph is called exact only where inputs drive each of its paths.
//!
//! Usage: `corpus-paths [--jobs N] [--limit SECONDS] [--commands FOLDER] [NAME]...`, where a name stands for all programs that begin with it. Each
//! program is analysed and refined with `goatherd paths`, and its graph tried, for so many seconds each. One line for each program as soon as it was
//! looked at, and sums at the end; fails where something is wrong.
//!
//! Programs come in the order of the digests of their names, so that those which a run came to are a sample of all. What was found out is kept in
//! `target/corpus-paths/examined.jsonl`: a run that was cut off goes on where it was, with the same commands and limit.

use goatherd_logic::values::Deadline;
use goatherd_paths::draw::confirm::Bounds;
use goatherd_tests::{
    corpus::{
        journal::Journal,
        manifest::hexadecimal_digest,
        options::{Options, each, selected_programs},
        program::Program,
    },
    path_runs::{Compared, compare},
    workspace_root,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    path::Path,
    process::{Command, ExitCode},
    sync::Mutex,
    time::Instant,
};

/// Paths of at most so many instructions are tried, and lengths up to which there are no more than so many paths.
const BOUNDS: Bounds = Bounds { length: 120, paths: 60 };

/// Runs of one program have so many steps together.
const STEPS: usize = 2_000_000;

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("corpus-paths: {message}");
            ExitCode::FAILURE
        }
    }
}

/// What became of all programs.
#[derive(Default)]
struct Sums {
    wrong: usize,
    refused: usize,
    exact: usize,
    of_graphs: Compared,
    graphs: usize,
}

fn run(options: &Options) -> Result<ExitCode, String> {
    let work = workspace_root().join("target/corpus-paths");
    std::fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let (mut programs, _) = selected_programs(options)?;
    programs.sort_by_key(|program| hexadecimal_digest(program.name.as_bytes()));
    let journal = Journal::open(&work.join("examined.jsonl")).map_err(|error| error.to_string())?;
    let tools = tools(options)?;
    let sums = Mutex::new(Sums::default());
    each(&programs, options.jobs, |program| {
        let text = std::fs::read(&program.file).map_err(|error| format!("{}: {error}", program.file.display()))?;
        let digest = hexadecimal_digest(&[tools.as_bytes(), &text].concat());
        let before = journal.result(&program.name, &digest);
        let examined = before.clone().unwrap_or_else(|| examine(program, options, &work).unwrap_or_else(Examined::Wrong));
        // What is wrong is looked at again.
        if before.is_none() && !matches!(examined, Examined::Wrong(_)) {
            journal.write(&program.name, &digest, &examined).map_err(|error| error.to_string())?;
        }
        let mut sums = sums.lock().map_err(|error| error.to_string())?;
        println!("{}: {}", program.name, sums.add(examined));
        Ok(())
    })?;
    let Sums { wrong, refused, exact, of_graphs, graphs } = sums.into_inner().map_err(|error| error.to_string())?;
    let Compared { taken, driven, infeasible, unknown, .. } = of_graphs;
    println!("{} programs: {graphs} graphs, {refused} without a graph; {wrong} wrong, {exact} called exact", programs.len());
    println!("{taken} paths that runs take; of those that were tried {driven} driven, {infeasible} infeasible, {unknown} unknown");
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A digest of all that is found out depends on, but the program.
fn tools(options: &Options) -> Result<String, String> {
    let mut bytes = options.limit.as_secs().to_le_bytes().to_vec();
    for command in ["goatherd", "goatherd-z3"] {
        let path = options.commands.join(command);
        bytes.extend(std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?);
    }
    Ok(hexadecimal_digest(&bytes))
}

/// What was found out about a program.
#[derive(Serialize, Deserialize, Clone)]
enum Examined {
    /// There is no graph, for this reason.
    Refused(String),
    /// What the command and the runs say do not fit.
    Wrong(String),
    /// They do; whether the command calls the graph exact, and what is known of it.
    Right { is_called_exact: bool, compared: Compared },
}

impl Sums {
    /// Counts a program, and says in words what of it.
    fn add(&mut self, examined: Examined) -> String {
        match examined {
            Examined::Refused(reason) => {
                self.refused += 1;
                format!("no graph: {reason}")
            }
            Examined::Wrong(why) => {
                self.wrong += 1;
                format!("WRONG: {why}")
            }
            Examined::Right { is_called_exact, compared } => {
                self.graphs += 1;
                self.exact += usize::from(is_called_exact);
                self.of_graphs.taken += compared.taken;
                self.of_graphs.driven += compared.driven;
                self.of_graphs.infeasible += compared.infeasible;
                self.of_graphs.unknown += compared.unknown;
                let Compared { taken, driven, infeasible, unknown, .. } = compared;
                let word = if is_called_exact { "exact" } else { "not called exact" };
                format!("{word}; {taken} paths that runs take; {driven} driven, {infeasible} infeasible, {unknown} unknown")
            }
        }
    }
}

fn examine(program: &Program, options: &Options, work: &Path) -> Result<Examined, String> {
    let certificate = work.join(format!("{}.goat", program.name));
    // A file of an earlier run must not be taken for one of this.
    let _ = std::fs::remove_file(&certificate);
    let mut command = Command::new(options.commands.join("goatherd"));
    command.arg("paths").arg(&program.file).args(["--refine", "--json", "--confirm", &BOUNDS.length.to_string()]);
    command.args(["--confirm-paths", &BOUNDS.paths.to_string(), "--timeout", &options.limit.as_secs().to_string()]);
    let output = command.arg("-o").arg(&certificate).output().map_err(|error| format!("goatherd paths: {error}"))?;
    let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    match output.status.code() {
        Some(0) => {}
        Some(2 | 3) => return Ok(Examined::Refused(reason(&said, &output.stderr))),
        _ => return Err(format!("goatherd paths: {}", String::from_utf8_lossy(&output.stderr))),
    }
    let bytes = std::fs::read(&certificate).map_err(|error| format!("{}: {error}", certificate.display()))?;
    let compared = match compare(&bytes, STEPS, BOUNDS, Deadline::after(Instant::now(), Some(options.limit))) {
        Ok(compared) => compared,
        Err(why) => return Ok(Examined::Wrong(why)),
    };
    let is_called_exact = said["exact"] == Value::Bool(true);
    if is_called_exact && compared.infeasible > 0 {
        return Ok(Examined::Wrong(format!("called exact, and {} of its paths are infeasible", compared.infeasible)));
    }
    Ok(Examined::Right { is_called_exact, compared })
}

/// Why there is no graph.
fn reason(said: &Value, complaint: &[u8]) -> String {
    let complaint = String::from_utf8_lossy(complaint);
    said["reason"].as_str().unwrap_or_else(|| complaint.lines().next().unwrap_or("nothing was said")).to_owned()
}
