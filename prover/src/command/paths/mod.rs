//! `goatherd paths`

pub mod arguments;
mod exactness;
mod graphs;
mod html;
mod report;
mod search;
mod subject;

use super::{
    Exit, Trouble, complain, input, output, print,
    watchdog::{self, Exceeded, Watchdog},
    with_z3,
};
use arguments::Paths;
use exactness::Exactness;
use goatherd::certify::{
    Accepted,
    paths::{About, Uncertified, certify, statement},
    refine::{Excluded, PathRefinement, TriedPaths},
};
use goatherd_certificates::certificate::Statement;
use goatherd_logic::values::{Deadline, StartSolver};
use goatherd_paths::{
    analysis::{Limits, analyse},
    contract::contract,
    draw::{confirm, driver::Driver},
    memory::Memory,
    states::StateGraph,
};
use graphs::Format;
use html::Page;
use report::Report;
use search::Found;
use std::{
    fmt::Write,
    path::{Path, PathBuf},
    time::Instant,
};
use subject::Subject;

/// Analyses, has the graph checked, writes and reports.
pub fn run(arguments: &Paths, z3: Option<StartSolver>) -> Exit {
    let start = Instant::now();
    answer(arguments, z3, start).unwrap_or_else(|trouble| complain(&trouble))
}

fn answer(arguments: &Paths, z3: Option<StartSolver>, start: Instant) -> Result<Exit, Trouble> {
    if arguments.trying.confirm.is_some() && z3.is_none() {
        return with_z3::hand_over();
    }
    let file = &arguments.input.file;
    let path = arguments.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.goat", input::stem(file))));
    let pictures = arguments.graph.iter().map(|path| Ok((path, Format::of(path)?))).collect::<Result<Vec<_>, Trouble>>()?;
    let outputs: Vec<&PathBuf> = std::iter::once(&path).chain(&arguments.graph).chain(&arguments.html).collect();
    for (position, path) in outputs.iter().enumerate() {
        output::check(path, file)?;
        if outputs[..position].contains(path) {
            return Err(Trouble::Usage(format!("{} cannot be two outputs: give each a name of its own", path.display())));
        }
    }
    let watchdog = watch(arguments);
    let attempt = attempt(arguments, |memory| Subject::read(arguments, memory))?;
    watchdog.dismiss();
    if let Some(reason) = attempt.reason() {
        return unknown(arguments, &reason);
    }
    let Attempt { subject, mut found, accepted } = attempt;
    let Subject { realisation, about, .. } = &subject;
    let mut accepted = accepted.map_err(|fault| Trouble::Internal(fault.to_string()))?;
    let statement = statement(realisation, about);
    let driver = z3.map(|solver| Driver::new(&statement, solver));
    if let Some(driver) = &driver {
        driver.limit(Deadline::after(start, arguments.timeout.0));
    }
    if let (Some(driver), true, Some(length)) = (&driver, arguments.trying.refine, arguments.trying.confirm) {
        let tried = TriedPaths::Every(confirm::Bounds { length, paths: arguments.trying.confirm_paths });
        let Excluded { beginnings, refused } = exclude(&subject, driver, tried, (&mut found.states, &mut accepted));
        let refused = refused.len();
        // Writing to a string does not fail.
        let _ = write!(found.stopped, "; --refine: {beginnings} beginnings of paths excluded, {refused} infeasible without a proof");
    }
    let graph = accepted.verdict.graph.as_ref().ok_or_else(|| Trouble::Internal("the verdict has no graph".to_owned()))?;
    let contracted = contract(graph, realisation, about.ends);
    let exactness = Exactness::new(arguments, &subject, &accepted, driver.as_ref());
    output::write(&path, &accepted.bytes)?;
    for (path, format) in pictures {
        output::write(path, graphs::text(format, &contracted, &subject).as_bytes())?;
    }
    if let Some(page) = &arguments.html {
        let contents =
            Page { file, subject: &subject, states: &found.states, contracted: &contracted, accepted: &accepted, exactness: &exactness };
        output::write(page, contents.text().as_bytes())?;
    }
    let report = Report::new(arguments, &subject, &found, &contracted, (&path, &accepted), exactness, start);
    print(&if arguments.json { report.json() } else { report.text() })?;
    Ok(Exit::Done)
}

/// The graph's certificate, with default options where these arguments say nothing; or why there is none.
pub fn certificate(arguments: &Paths) -> Result<Result<Accepted, String>, Trouble> {
    let attempt = attempt(arguments, |memory| Subject::read(arguments, memory))?;
    if let Some(reason) = attempt.reason() {
        return Ok(Err(reason));
    }
    attempt.accepted.map(Ok).map_err(|fault| Trouble::Internal(fault.to_string()))
}

/// A graph without the infeasible paths among those that are tried, or why there is none.
type Refined = Result<(Accepted, Excluded), String>;

/// Of a C program that stands in a certificate, analysed again with default options.
pub fn refined_program(file: &Path, given: (&Statement, About), driver: &Driver<'_>, tried: TriedPaths) -> Result<Refined, Trouble> {
    let arguments = Paths::new(input::named(file), None);
    let (statement, about) = given;
    refine(attempt(&arguments, |memory| Subject::of_statement(statement, about.clone(), memory))?, driver, tried)
}

/// Of what these arguments name, which must be the program of the statement.
pub fn refined_source(arguments: &Paths, given: &Statement, driver: &Driver<'_>, tried: TriedPaths) -> Result<Refined, Trouble> {
    let subject = |memory| {
        let subject = Subject::read(arguments, memory)?;
        let Statement { landmarks, program, .. } = statement(&subject.realisation, &subject.about);
        if (&program, &landmarks) == (&given.program, &given.landmarks) {
            return Ok(subject);
        }
        let file = arguments.input.file.display();
        Err(Trouble::Usage(format!(
            "{file}: another program than that of the certificate: --source and --pre must be as goatherd paths had them"
        )))
    };
    refine(attempt(arguments, subject)?, driver, tried)
}

fn refine(attempt: Attempt, driver: &Driver<'_>, tried: TriedPaths) -> Result<Refined, Trouble> {
    if let Some(reason) = attempt.reason() {
        return Ok(Err(reason));
    }
    let Attempt { subject, mut found, accepted } = attempt;
    let mut accepted = accepted.map_err(|fault| Trouble::Internal(fault.to_string()))?;
    let excluded = exclude(&subject, driver, tried, (&mut found.states, &mut accepted));
    Ok(Ok((accepted, excluded)))
}

/// Excludes infeasible paths from the graph.
fn exclude(subject: &Subject, driver: &Driver<'_>, tried: TriedPaths, (states, accepted): (&mut StateGraph, &mut Accepted)) -> Excluded {
    let Subject { lts, precondition, realisation, about } = subject;
    let plain = analyse(lts, precondition, Limits { rounds: 0, ..Limits::default() }).states();
    PathRefinement { realisation, about, plain: &plain, driver, tried }.run(states, accepted)
}

/// What is analysed, the graph of states that was found, and whether the checker has accepted it.
struct Attempt {
    subject: Subject,
    found: Found,
    accepted: Result<Accepted, Uncertified>,
}

impl Attempt {
    fn new(arguments: &Paths, subject: Subject, steps: Option<usize>) -> Result<Self, Trouble> {
        let found = search::search(arguments, &subject.lts, &subject.precondition, steps)?;
        let accepted = certify(&subject.realisation, &found.states, &subject.about);
        Ok(Self { subject, found, accepted })
    }

    /// Why there is no certificate, where hints have not been found.
    fn reason(&self) -> Option<String> {
        self.accepted.as_ref().err().filter(|error| matches!(error, Uncertified::Underivable(_))).map(|error| self.subject.explain(error))
    }
}

/// The graph with a certificate that excludes most: where the search knows more than hints are found for, it knows less of memory, and then
/// it ends after half as many refinements, again and again.
fn attempt(arguments: &Paths, subject: impl Fn(Memory) -> Result<Subject, Trouble>) -> Result<Attempt, Trouble> {
    let mut memory = Memory::Elements;
    let mut attempt = Attempt::new(arguments, subject(memory)?, arguments.steps)?;
    if attempt.subject.has_elements() && attempt.reason().is_some() {
        memory = Memory::Unknown;
        attempt = Attempt::new(arguments, subject(memory)?, arguments.steps)?;
    }
    while let Some(reason) = attempt.reason()
        && attempt.found.rounds > 0
    {
        attempt = Attempt::new(arguments, subject(memory)?, Some(attempt.found.rounds / 2))?;
        let Found { stopped, .. } = &mut attempt.found;
        *stopped = format!("after more refinements there is no certificate: {reason}");
    }
    Ok(attempt)
}

fn unknown(arguments: &Paths, reason: &str) -> Result<Exit, Trouble> {
    let file = arguments.input.file.display().to_string();
    print(&if arguments.json { report::unknown_json(&file, reason) } else { format!("unknown: {file}\n  {reason}\n") })?;
    Ok(Exit::Unknown)
}

/// Under a limit, the watchdog ends the process with the answer "unknown".
fn watch(arguments: &Paths) -> Watchdog {
    let (file, is_json) = (arguments.input.file.display().to_string(), arguments.json);
    let name = file.clone();
    let end = move |exceeded| {
        let reason = match exceeded {
            Exceeded::Time(limit) => format!("the search was not finished after {} s (--timeout)", limit.as_secs_f64()),
            Exceeded::Memory(limit) => format!("the search takes more than {limit} bytes of memory"),
        };
        // The exit status says it too.
        drop(print(&if is_json { report::unknown_json(&file, &reason) } else { format!("unknown: {file}\n  {reason}\n") }));
        std::process::exit(Exit::Unknown as i32);
    };
    Watchdog::start(watchdog::Limits { time: arguments.timeout.0, memory: None }, move || format!("{name}: searching"), end)
}
