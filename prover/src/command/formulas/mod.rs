//! `goatherd certify`

pub mod arguments;
mod report;

use super::{
    Exit, Trouble, complain, input, output, print,
    watchdog::{Exceeded, Limits, Watchdog},
};
use arguments::Certify;
use goatherd::certify::{Accepted, formulas::certify};
use goatherd_certificates::certificate::Origin;
use goatherd_queries::{ScriptFile, read};
use goatherd_satisfiability::{Decision, decide};
use report::{Asked, Report};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

/// Decides, writes and reports.
pub fn run(arguments: &Certify) -> Exit {
    let start = Instant::now();
    let result = answer(arguments, start).and_then(|mut report| {
        report.finish(start);
        print(&report.shown(arguments.json))?;
        Ok(report.exit())
    });
    result.unwrap_or_else(|trouble| complain(&trouble))
}

fn answer(arguments: &Certify, start: Instant) -> Result<Report, Trouble> {
    let report = Arc::new(Mutex::new(Report::new(arguments)));
    let watchdog = watch(arguments, start, &report);
    let ScriptFile { script, digest } = read(&arguments.file).map_err(|report| Trouble::Source(vec![*report]))?;
    let questions = questions(arguments, script.questions())?;
    let paths: Vec<PathBuf> = questions.iter().map(|question| path(arguments, *question, questions.len())).collect();
    for path in &paths {
        output::check(path, &arguments.file)?;
    }
    let origin =
        Origin { file: input::plain_name(&arguments.file), digest, definitions: Vec::new(), includes: Vec::new(), waived: Vec::new() };
    let mut certificates: Vec<Accepted> = Vec::new();
    for (question, path) in questions.iter().zip(&paths) {
        let formula = script.formula(*question).ok_or_else(|| Trouble::Internal(String::from("the question is not there")))?;
        let asked = match decide(&formula, arguments.steps) {
            Decision::Unsatisfiable(evidence) => {
                let accepted = certify(&formula, &origin, evidence).map_err(|fault| Trouble::Internal(fault.to_string()))?;
                let asked = Asked::unsatisfiable(*question, path, &accepted);
                certificates.push(accepted);
                asked
            }
            Decision::Satisfiable(model) => Asked::satisfiable(*question, &formula, &model),
            Decision::Unknown(reason) => Asked::unknown(*question, reason),
        };
        report.lock().unwrap_or_else(PoisonError::into_inner).add(asked);
    }
    watchdog.dismiss();
    let report = report.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for (path, accepted) in report.certified().zip(&certificates) {
        output::write(path, &accepted.bytes)?;
    }
    Ok(report)
}

/// Which questions are to be answered.
fn questions(arguments: &Certify, count: usize) -> Result<Vec<usize>, Trouble> {
    let usage = |message: String| Err(Trouble::Usage(format!("{}: {message}", arguments.file.display())));
    match arguments.question {
        _ if count == 0 => usage(String::from("the script has no check-sat")),
        Some(question) if (1..=count).contains(&question) => Ok(vec![question]),
        Some(question) => usage(format!("there is no question {question}: the script has {count} check-sat")),
        None if count > 1 && arguments.output.is_some() => {
            usage(format!("--output is for one certificate, and the script has {count} check-sat: --question N chooses one"))
        }
        None => Ok((1..=count).collect()),
    }
}

fn path(arguments: &Certify, question: usize, count: usize) -> PathBuf {
    let stem = input::stem(&arguments.file);
    let name = if count == 1 { format!("{stem}.goat") } else { format!("{stem}.{question}.goat") };
    arguments.output.clone().unwrap_or_else(|| PathBuf::from(name))
}

/// Under a limit, the watchdog ends the process with what has been answered; certificates are not written.
fn watch(arguments: &Certify, start: Instant, report: &Arc<Mutex<Report>>) -> Watchdog {
    let (report, is_json) = (Arc::clone(report), arguments.json);
    let end = move |exceeded| {
        let mut report = report.lock().unwrap_or_else(PoisonError::into_inner).clone();
        report.give_up(match exceeded {
            Exceeded::Time(limit) => format!("not finished after {} s (--timeout); no certificates are written", limit.as_secs_f64()),
            Exceeded::Memory(limit) => format!("it takes more than {limit} bytes of memory (--memory); no certificates are written"),
        });
        report.finish(start);
        // The exit status says it too.
        drop(print(&report.shown(is_json)));
        std::process::exit(Exit::Unknown as i32);
    };
    let file = arguments.file.display().to_string();
    let memory = Some(arguments.memory).filter(|memory| *memory > 0);
    Watchdog::start(Limits { time: arguments.timeout.0, memory }, move || format!("{file}: searching"), end)
}
