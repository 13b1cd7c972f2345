//! `goatherd trees`

pub mod draw;
mod pictures;
mod report;

use super::{
    Exit, Trouble,
    arguments::{Abstraction, At, Backward, Predicates, Trees},
    complain, input, output, print,
    watchdog::{Exceeded, Limits, Watchdog},
};
use goatherd::certify::models::certify;
use goatherd_certificates::certificate::Origin;
use goatherd_frontend::trees as text;
use goatherd_trees::{
    abstraction::{Kind, Scope},
    model::Model,
    options::{self, Options, Places},
    search::{self, Answer, Reason, search},
};
use report::{Certificate, Report, Verdict};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

/// Searches, writes and reports.
pub fn run(arguments: &Trees) -> Exit {
    let start = Instant::now();
    let result = answer(arguments, start).and_then(|mut report| {
        report.milliseconds = milliseconds(start);
        print(&if arguments.json { report.json() } else { report.text() })?;
        Ok(report.verdict.exit())
    });
    result.unwrap_or_else(|trouble| complain(&trouble))
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}

fn answer(arguments: &Trees, start: Instant) -> Result<Report, Trouble> {
    let path = arguments.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.goat", input::stem(&arguments.file))));
    output::check(&path, &arguments.file)?;
    let file = text::read(&arguments.file).map_err(|report| Trouble::Source(vec![*report]))?;
    let model = Model::new(&file.model);
    let report = Arc::new(Mutex::new(Report::new(arguments, &file)));
    let watchdog = watch(arguments, start, &report);
    let mut observe = |round: &search::Round| report.lock().unwrap_or_else(PoisonError::into_inner).add(&file.model, round);
    let outcome = search(&model, &options(arguments), &mut observe);
    let origin = Origin {
        file: input::plain_name(&arguments.file),
        digest: file.digest,
        definitions: Vec::new(),
        includes: Vec::new(),
        waived: Vec::new(),
    };
    let accepted = certify(&file.model, &origin, &model, &outcome).map_err(|fault| Trouble::Internal(fault.to_string()))?;
    watchdog.dismiss();
    let mut report = report.lock().unwrap_or_else(PoisonError::into_inner).clone();
    report.finish(&file.model, &outcome);
    if let Some(directory) = &arguments.draw {
        pictures::write(directory, &file.model, &outcome)?;
    }
    if let Some(accepted) = accepted {
        output::write(&path, &accepted.bytes)?;
        report.certificate = Some(Certificate::new(path.display().to_string(), &accepted));
    }
    match &outcome.answer {
        Answer::Invariant(_) => report.verdict = Verdict::Proved,
        Answer::Error(trace) => {
            report.verdict = Verdict::Unsafe;
            report.describe(&file.model, trace);
        }
        Answer::Undecided(reason) => report.reason = Some(phrase(*reason, arguments)),
    }
    Ok(report)
}

fn options(arguments: &Trees) -> Options {
    Options {
        kind: match arguments.abstraction {
            Abstraction::Predicates => Kind::Predicates,
            Abstraction::Height => Kind::FiniteHeight,
        },
        scope: match arguments.predicates {
            Predicates::AllLines => Scope::AllLines,
            Predicates::PerLine => Scope::PerLine,
        },
        places: match arguments.abstract_at {
            At::EveryLine => Places::EveryLine,
            At::LoopHeads => Places::LoopHeads,
        },
        backward: match arguments.backward {
            Backward::Repaired => options::Backward::Repaired,
            Backward::Legacy => options::Backward::Legacy,
        },
        steps: arguments.steps,
        ..Options::default()
    }
}

fn phrase(reason: Reason, arguments: &Trees) -> String {
    match reason {
        Reason::Steps => format!("the search was not finished after {} steps (--steps)", arguments.steps),
        Reason::Size => "a tree of the counterexample is too large to be written down".to_owned(),
        Reason::Cycle { round } => {
            let advice = match arguments.backward {
                Backward::Legacy => "; the legacy analysis may have called a real error spurious: --backward repaired decides it",
                Backward::Repaired => "",
            };
            format!(
                "the analysis goes round in circles: the same trees are blamed again as in round {round}, and no abstraction brought them in{advice}"
            )
        }
    }
}

/// Under a limit, the watchdog ends the process with the answer "unknown" and the rounds so far.
fn watch(arguments: &Trees, start: Instant, report: &Arc<Mutex<Report>>) -> Watchdog {
    let report = Arc::clone(report);
    let is_json = arguments.json;
    let end = move |exceeded| {
        let mut report = report.lock().unwrap_or_else(PoisonError::into_inner).clone();
        report.reason = Some(match exceeded {
            Exceeded::Time(limit) => format!("the search was not finished after {} s (--timeout)", limit.as_secs_f64()),
            Exceeded::Memory(limit) => format!("the search takes more than {limit} bytes of memory"),
        });
        report.milliseconds = milliseconds(start);
        // The exit status says it too.
        drop(print(&if is_json { report.json() } else { report.text() }));
        std::process::exit(Exit::Unknown as i32);
    };
    let file = arguments.file.display().to_string();
    Watchdog::start(Limits { time: arguments.timeout.0, memory: None }, move || format!("{file}: searching"), end)
}
