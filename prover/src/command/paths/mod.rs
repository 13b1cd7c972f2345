//! `goatherd paths`

pub mod arguments;
mod graphs;
mod html;
mod report;
mod search;
mod subject;

use super::{
    Exit, Trouble, complain, input, output, print,
    watchdog::{Exceeded, Limits as Bounds, Watchdog},
};
use arguments::Paths;
use goatherd::{
    paths::{
        certify::{Uncertified, certify},
        contract::contract,
        memory::Memory,
    },
    prove::Accepted,
};
use graphs::Format;
use html::Page;
use report::Report;
use search::Found;
use std::{path::PathBuf, time::Instant};
use subject::Subject;

/// Analyses, has the graph checked, writes and reports.
pub fn run(arguments: &Paths) -> Exit {
    let start = Instant::now();
    answer(arguments, start).unwrap_or_else(|trouble| complain(&trouble))
}

fn answer(arguments: &Paths, start: Instant) -> Result<Exit, Trouble> {
    let file = &arguments.input.file;
    let path = arguments.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.goat", input::stem(file))));
    let pictures = arguments.graph.iter().map(|path| Ok((path, Format::of(path)?))).collect::<Result<Vec<_>, Trouble>>()?;
    for path in std::iter::once(&path).chain(&arguments.graph).chain(&arguments.html) {
        output::check(path, file)?;
    }
    let watchdog = watch(arguments);
    let mut attempt = Attempt::new(arguments, Memory::Elements)?;
    if attempt.subject.has_elements() && matches!(attempt.accepted, Err(Uncertified::Underivable(_))) {
        // What the search knows of memory goes beyond what hints are found for: without that there is still a graph.
        attempt = Attempt::new(arguments, Memory::Unknown)?;
    }
    watchdog.dismiss();
    let Attempt { subject, found, accepted } = attempt;
    let Subject { realisation, about, .. } = &subject;
    let accepted = match accepted {
        Ok(accepted) => accepted,
        Err(Uncertified::Fault(fault)) => return Err(Trouble::Internal(fault.to_string())),
        Err(uncertified @ Uncertified::Underivable(_)) => return unknown(arguments, &subject.explain(&uncertified)),
    };
    let graph = accepted.verdict.graph.as_ref().ok_or_else(|| Trouble::Internal("the verdict has no graph".to_owned()))?;
    let contracted = contract(graph, realisation, about.ends);
    output::write(&path, &accepted.bytes)?;
    for (path, format) in pictures {
        output::write(path, graphs::text(format, &contracted, &subject).as_bytes())?;
    }
    if let Some(page) = &arguments.html {
        let contents = Page { file, subject: &subject, states: &found.states, contracted: &contracted, accepted: &accepted };
        output::write(page, contents.text().as_bytes())?;
    }
    let report = Report::new(arguments, &subject, &found, &contracted, &accepted, &path, start);
    print(&if arguments.json { report.json() } else { report.text() })?;
    Ok(Exit::Done)
}

/// What is analysed, the graph of states that was found, and whether the checker has accepted it.
struct Attempt {
    subject: Subject,
    found: Found,
    accepted: Result<Accepted, Uncertified>,
}

impl Attempt {
    fn new(arguments: &Paths, memory: Memory) -> Result<Self, Trouble> {
        let subject = Subject::read(arguments, memory)?;
        let found = search::search(arguments, &subject.lts, &subject.precondition)?;
        let accepted = certify(&subject.realisation, &found.states, &subject.about);
        Ok(Self { subject, found, accepted })
    }
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
    Watchdog::start(Bounds { time: arguments.timeout, memory: None }, move || format!("{name}: searching"), end)
}
