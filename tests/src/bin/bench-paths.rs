//! Path analysis beside the published results of "red-black graphs" (R. Aissat), chapter 6: the thesis's strategy with its parameters, the
//! default strategy, and real functions; whether feasible paths are lost, by running the systems.
//!
//! Usage: `bench-paths [--runs N]`. Prints Markdown, and writes it with the same figures as JSON to `target/bench-paths/`. Fails where a
//! feasible path is lost, or the enumeration does not agree with the reference. Real functions are read from `target/corpus`, which
//! `make corpus` makes, and need the built command.

use goatherd_paths::{
    analysis::{Limits, analyse},
    red_black::{
        self,
        parameters::{AbstractionMethod, LookAhead, Restart},
    },
    states::StateGraph,
};
use goatherd_systems::literal::Overflow;
use goatherd_tests::{
    path_experiments::{Experiment, LENGTHS, Published, ThesisResult, feasible, given, number, table, thesis},
    workspace_root,
};
use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeValLike,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::{
    fmt::Write as _,
    process::{Command, ExitCode},
    time::Duration,
};

/// Timed runs, after one that is not counted.
const RUNS: usize = 5;
/// The machine of the thesis.
const THESIS_MACHINE: &str = "Intel Core i5-3320M, 2.6 GHz, 8 GB, Linux, Z3 4.01";
/// Checking takes at most this part of building.
const CHECKING: f64 = 0.1;

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("bench-paths: {message}");
            ExitCode::FAILURE
        }
    }
}

/// A certified graph, and the times.
#[derive(Serialize)]
struct Measured {
    experiment: String,
    vertices: usize,
    edges: usize,
    paths: Vec<String>,
    build_ms: f64,
    check_ms: f64,
    certificate_bytes: usize,
}

impl Measured {
    fn of(experiment: &Experiment, runs: usize, analyse: impl Fn() -> Result<StateGraph, Overflow>) -> Result<Self, String> {
        let (mut builds, mut checks) = (Vec::new(), Vec::new());
        let mut last = None;
        for _ in 0..=runs {
            let start = processor_time();
            let states = analyse().map_err(|Overflow| "a number beyond 128 bits is needed")?;
            let (accepted, contracted) = experiment.certify(&states)?;
            builds.push(processor_time().saturating_sub(start));
            let start = processor_time();
            goatherd_claims::check(&accepted.bytes, goatherd_checker::Limits::of_memory(u64::MAX), goatherd::encode::digest)
                .map_err(|failure| format!("{failure:?}"))?;
            checks.push(processor_time().saturating_sub(start));
            last = Some((contracted.graph, accepted.bytes.len()));
        }
        let (graph, certificate_bytes) = last.ok_or("not measured")?;
        Ok(Self {
            experiment: experiment.name(),
            vertices: graph.successors.len(),
            edges: graph.edge_count(),
            paths: graph.count_paths(&LENGTHS).iter().map(ToString::to_string).collect(),
            build_ms: milliseconds(median(&builds[1..])),
            check_ms: milliseconds(median(&checks[1..])),
            certificate_bytes,
        })
    }

    fn checking(&self) -> f64 {
        self.check_ms / self.build_ms
    }

    /// How often it is built in so many seconds.
    fn ratio(&self, seconds: f64) -> f64 {
        seconds * 1000.0 / self.build_ms
    }
}

/// Of this process, which has one thread: what else the machine does is not counted.
fn processor_time() -> Duration {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return Duration::ZERO };
    let microseconds = [usage.user_time(), usage.system_time()].map(|time| u64::try_from(time.num_microseconds()).unwrap_or_default());
    Duration::from_micros(microseconds.iter().sum())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn run(arguments: &[String]) -> Result<ExitCode, String> {
    let runs = match arguments {
        [] => RUNS,
        [option, number] if option == "--runs" => number.parse().map_err(|_| "--runs needs a number")?,
        _ => return Err("usage: bench-paths [--runs N]".to_owned()),
    };
    let results = thesis()?;
    let machine = machine();
    let mut page = format!("Thesis: {THESIS_MACHINE}. Here: {machine}, processor time.\n");
    let (red_black, red_black_json) = red_black_table(&results, runs)?;
    let (defaults, defaults_json) = default_table(&results, runs)?;
    let (losses, losses_json, is_sound) = loss_table()?;
    let (functions, functions_json) = function_table()?;
    for part in [red_black, defaults, losses, functions] {
        page = page + "\n" + &part;
    }
    print!("{page}");
    let work = workspace_root().join("target/bench-paths");
    let report = json!({
        "thesis_machine": THESIS_MACHINE,
        "machine": machine,
        "red_black": red_black_json,
        "needed_literals": defaults_json,
        "enumeration": losses_json,
        "functions": functions_json,
    });
    let write = |name: &str, text: &str| std::fs::write(work.join(name), text).map_err(|error| format!("{}: {error}", work.display()));
    std::fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    write("paths.md", &page)?;
    write("paths.json", &format!("{report:#}\n"))?;
    Ok(ExitCode::from(u8::from(!is_sound)))
}

/// The processor, as the system names it.
fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")).and_then(|rest| rest.split_once(':'));
    name.map_or_else(|| "not named".to_owned(), |(_, name)| name.trim().to_owned())
}

/// The thesis's strategy with the thesis's parameters.
fn red_black_table(results: &[ThesisResult], runs: usize) -> Result<(String, Value), String> {
    let mut page = String::from("## `--strategy red-black`, in brackets the thesis\n\n");
    page.push_str(
        "| system | a | r | la | mrl | vertices | edges | P(30) | P(50) | P(100) | ms | check : build | thesis, s | times faster | |\n",
    );
    page.push_str("|---|---|---|---:|---:|---|---|---|---|---|---:|---:|---:|---:|---|\n");
    let mut rows = Vec::new();
    for result in results {
        let ThesisResult { experiment, parameters, size, seconds, paths } = result;
        let analyse = || red_black::analyse(&experiment.lts, &experiment.literals, *parameters).map(|outcome| outcome.states);
        let measured = Measured::of(experiment, runs, analyse)?;
        let method = match parameters.abstraction {
            AbstractionMethod::ConstraintRemoval => "1",
            AbstractionMethod::StoreUpdate => "2",
        };
        let LookAhead::Length(depth) = parameters.look_ahead else { return Err("the thesis looks ahead by length".to_owned()) };
        let restart = if parameters.restart == Restart::Enabled { "yes" } else { "no" };
        let beside = |own: &str, published: Option<String>| format!("{own} [{}]", published.unwrap_or_else(|| "-".to_owned()));
        let counts: Vec<String> =
            measured.paths.iter().zip(paths).map(|(own, published)| beside(own, published.as_ref().map(|p| p.text.clone()))).collect();
        let note = verdict(&measured, paths);
        let ratio = seconds.map(|seconds| measured.ratio(seconds));
        let _ = writeln!(
            page,
            "| {} | {method} | {restart} | {depth} | {} | {} | {} | {} | {:.2} | {:.0} % | {} | {} | {note} |",
            measured.experiment,
            parameters.maximal_red_length,
            beside(&measured.vertices.to_string(), size.map(|[vertices, ..]| vertices.to_string())),
            beside(&measured.edges.to_string(), size.map(|[_, red, black]| (red + black).to_string())),
            counts.join(" | "),
            measured.build_ms,
            100.0 * measured.checking(),
            seconds.map_or_else(|| "-".to_owned(), |seconds| seconds.to_string()),
            ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.0}")),
        );
        rows.push(json!({
            "abstraction": method,
            "restart": restart,
            "look_ahead": depth,
            "maximal_red_length": parameters.maximal_red_length,
            "here": measured,
            "thesis": {
                "vertices_red_edges_black_edges": size,
                "seconds": seconds,
                "paths": paths.iter().map(|published| published.as_ref().map(|p| p.text.clone())).collect::<Vec<_>>(),
            },
            "times_faster": ratio,
            "verdict": note,
        }));
    }
    Ok((page, Value::Array(rows)))
}

/// Are there more paths than in the thesis?
fn verdict(measured: &Measured, published: &[Option<Published>; 3]) -> &'static str {
    let known =
        || measured.paths.iter().zip(published).filter_map(|(own, published)| Some((own.parse::<f64>().ok()?, published.as_ref()?)));
    match known().count() {
        0 => "no figures in the thesis",
        _ if known().all(|(own, published)| own < published.limit) => "no more paths",
        _ => "**more paths**",
    }
}

/// The default strategy. Its times are beside the fastest of those results of the thesis that leave the fewest paths.
fn default_table(results: &[ThesisResult], runs: usize) -> Result<(String, Value), String> {
    let mut page = String::from("## The default strategy, in brackets the feasible paths\n\n");
    page.push_str("| system | `--vertices` | `--length` | vertices | edges | P(30) | P(50) | P(100) | ms | check : build | thesis, s | times faster | |\n");
    page.push_str("|---|---:|---:|---:|---:|---|---|---|---:|---:|---:|---:|---|\n");
    let mut rows = Vec::new();
    for fields in table("needed-literals.tsv")? {
        let [system, precondition, vertices, length] = &*fields else { return Err(format!("{fields:?}: fields are missing")) };
        let experiment = Experiment::read(system, given(precondition))?;
        let limits = Limits { length: number(length)?, ..Limits::with_vertices(number(vertices)?) };
        let measured = Measured::of(&experiment, runs, || Ok(analyse(&experiment.lts, &experiment.literals, limits).states()))?;
        let references = feasible(&experiment)?;
        let counts: Vec<String> = measured.paths.iter().zip(references).map(|(own, feasible)| format!("{own} [{feasible}]")).collect();
        let best = best_of(results, &experiment);
        let ratio = best.map(|seconds| measured.ratio(seconds));
        let checking = measured.checking();
        let note = if checking <= CHECKING { "" } else { "checking above 10 %" };
        let _ = writeln!(
            page,
            "| {} | {vertices} | {length} | {} | {} | {} | {:.2} | {:.0} % | {} | {} | {note} |",
            measured.experiment,
            measured.vertices,
            measured.edges,
            counts.join(" | "),
            measured.build_ms,
            100.0 * checking,
            best.map_or_else(|| "-".to_owned(), |seconds| seconds.to_string()),
            ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.0}")),
        );
        rows.push(json!({
            "vertices": vertices,
            "length": length,
            "here": measured,
            "feasible": references,
            "thesis_seconds": best,
            "times_faster": ratio,
        }));
    }
    Ok((page, Value::Array(rows)))
}

/// Seconds of the fastest of the thesis's results on this that have the fewest paths of at most 100 edges.
fn best_of(results: &[ThesisResult], experiment: &Experiment) -> Option<f64> {
    let of = |result: &&ThesisResult| result.experiment.name() == experiment.name();
    let known = results.iter().filter(of).filter_map(|result| Some((result.paths[2].as_ref()?.limit, result.seconds?)));
    known.min_by(|left, right| left.partial_cmp(right).unwrap_or(std::cmp::Ordering::Equal)).map(|(_, seconds)| seconds)
}

/// Feasible paths by running the systems, and how many of them the graphs of both strategies have lost; are none?
fn loss_table() -> Result<(String, Value, bool), String> {
    let mut page = String::from("## Feasible paths, by running the systems\n\n");
    page.push_str("| system | length | run | reference | lost by red-black | lost by default |\n|---|---:|---:|---:|---:|---:|\n");
    let mut rows = Vec::new();
    let mut is_sound = true;
    for fields in table("feasible.tsv")? {
        let [system, precondition, ..] = &*fields else { return Err(format!("{fields:?}: fields are missing")) };
        let experiment = Experiment::read(system, given(precondition))?;
        let references = feasible(&experiment)?;
        let (_, default) = experiment.certify(&analyse(&experiment.lts, &experiment.literals, Limits::default()).states())?;
        let mut graphs = Vec::new();
        for result in thesis()?.iter().filter(|result| result.experiment.name() == experiment.name()) {
            let outcome = red_black::analyse(&experiment.lts, &experiment.literals, result.parameters).map_err(|Overflow| "overflow")?;
            graphs.push(experiment.certify(&outcome.states)?.1);
        }
        let lengths: &[(usize, u64)] = if system == "gcd" { &[(30, references[0])] } else { &[(30, references[0]), (50, references[1])] };
        for (length, reference) in lengths {
            let paths = experiment.feasible_paths(*length);
            let lost = (graphs.iter().map(|graph| experiment.lost(graph, &paths)).sum::<usize>(), experiment.lost(&default, &paths));
            let agrees = u64::try_from(paths.len()) == Ok(*reference);
            is_sound &= lost == (0, 0) && agrees;
            let name = experiment.name();
            let _ = writeln!(page, "| {name} | {length} | {} | {reference} | {} | {} |", paths.len(), lost.0, lost.1);
            rows.push(json!({
                "experiment": name,
                "length": length,
                "run": paths.len(),
                "reference": reference,
                "lost_red_black": lost.0,
                "lost_needed_literals": lost.1,
            }));
        }
    }
    Ok((page, Value::Array(rows), is_sound))
}

/// Real functions, by the command.
fn function_table() -> Result<(String, Value), String> {
    let mut page = String::from("## Real functions\n\n");
    let root = workspace_root();
    let command = root.join("target/release/goatherd");
    let mut rows = Vec::new();
    page.push_str("| function | strategy | instructions | vertices | edges | P(30) | P(50) | P(100) | ms |\n|---|---|---:|---:|---:|---|---|---|---:|\n");
    for fields in table("functions.tsv")? {
        let [file, entry, title] = &*fields else { return Err(format!("{fields:?}: fields are missing")) };
        let path = root.join("target/corpus").join(file);
        if !path.is_file() || !command.is_file() {
            let _ = writeln!(page, "| {title} | not measured: `make corpus` and a release build make it | | | | | | | |");
            continue;
        }
        for strategy in ["needed-literals", "red-black"] {
            let certificate = root.join("target/bench-paths").join(format!("{}-{strategy}.goat", file.trim_end_matches(".c")));
            std::fs::create_dir_all(root.join("target/bench-paths")).map_err(|error| error.to_string())?;
            let mut goatherd = Command::new(&command);
            goatherd.arg("paths").arg(&path).args(["--entry", entry, "--strategy", strategy, "--json", "--timeout", "30", "--output"]);
            let output = goatherd.arg(&certificate).output().map_err(|error| error.to_string())?;
            let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("{title}: {error}"))?;
            let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let line = if report["verdict"] == "certified" {
                let counts = report["paths"].as_array().into_iter().flatten();
                let counts = counts.map(|count| format!("{} [{}]", text(&count["after"]), text(&count["before"]))).collect::<Vec<_>>();
                let sizes = [&report["before"]["vertices"], &report["after"]["vertices"], &report["after"]["edges"]].map(text).join(" | ");
                format!("{sizes} | {} | {:.0}", counts.join(" | "), report["milliseconds"].as_f64().unwrap_or_default())
            } else {
                format!("{}: {} | | | | | |", text(&report["verdict"]), text(&report["reason"]))
            };
            let _ = writeln!(page, "| {title} | {strategy} | {line} |");
            rows.push(json!({ "function": title, "strategy": strategy, "report": report }));
        }
    }
    Ok((page, Value::Array(rows)))
}
