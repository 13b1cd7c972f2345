//! `goatherd prove`

use super::{
    Exit, Trouble,
    arguments::{self, Check, Prove, Solver},
    complain,
    input::{self, Loaded},
    output,
    places::Places,
    print, replay,
    report::{
        self, Checks, Counterexample, Outcome, Refinement, Report, Statement, TRUSTED, Vacuity,
        checks::{Status, checks},
        run::FailingRun,
        stuck::Attempt,
        text,
    },
    watchdog::{Exceeded, Limits, Watchdog},
    with_z3,
};
use goatherd::{
    certify::Accepted,
    engine::{Engine, Engines},
    prove::{Answer, Effort, Task, confirm, prove},
};
use goatherd_certificates::{
    certificate::{Allocation, Arithmetic, DataModel, Parameters, PointerFormation, SignedOverflow},
    program::Location,
};
use goatherd_counterexample::{self as counterexample, search::Goal};
use goatherd_descent::{Progress, Strategy};
use goatherd_frontend::lower::Leaks;
use goatherd_logic::{AskZ3, Backend};
use std::{collections::BTreeSet, path::PathBuf, sync::Arc, time::Instant};

/// Proves, writes and reports.
pub fn run(arguments: &Prove, z3: Option<AskZ3>) -> Exit {
    let start = Instant::now();
    let result = answer(arguments, z3, start).and_then(|mut report| {
        report.milliseconds = milliseconds(start);
        show(arguments, &report)?;
        Ok(exit_of(report.verdict))
    });
    result.unwrap_or_else(|trouble| refuse(arguments, start, trouble))
}

fn exit_of(outcome: Outcome) -> Exit {
    match outcome {
        Outcome::Proved => Exit::Done,
        Outcome::Unsafe => Exit::Unsafe,
        Outcome::Unknown => Exit::Unknown,
        Outcome::Input => Exit::Input,
        Outcome::Internal => Exit::Internal,
    }
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

fn show(arguments: &Prove, report: &Report) -> Result<(), Trouble> {
    print(&if arguments.json { report.json() } else { text::render(report) })
}

/// Says why there is no verdict: on standard error, and as JSON if asked for.
fn refuse(arguments: &Prove, start: Instant, trouble: Trouble) -> Exit {
    let exit = complain(&trouble);
    if arguments.json {
        let mut report = Report::new(&arguments.input, Outcome::Input);
        match trouble {
            Trouble::Source(diagnostics) => report.diagnostics = diagnostics,
            Trouble::Usage(message) => report.reason = Some(message),
            Trouble::Internal(message) => {
                report.verdict = Outcome::Internal;
                report.reason = Some(message);
            }
        }
        report.milliseconds = milliseconds(start);
        // The exit status says it too.
        drop(print(&report.json()));
    }
    exit
}

/// Where the results go.
struct Outputs {
    certificate: PathBuf,
    counterexample: PathBuf,
}

impl Outputs {
    fn new(arguments: &Prove) -> Result<Self, Trouble> {
        let source = &arguments.input.file;
        let default = PathBuf::from(format!("{}.goat", input::stem(source)));
        let certificate = arguments.output.clone().unwrap_or_else(|| default.clone());
        // Beside a device there is no place for other files.
        let beside = if certificate.exists() && !certificate.is_file() { &default } else { &certificate };
        let counterexample = arguments.counterexample.clone().unwrap_or_else(|| beside.with_extension("counterexample.c"));
        for path in [&certificate, &counterexample] {
            output::check(path, source)?;
        }
        if certificate == counterexample {
            return Err(Trouble::Usage(format!("{} cannot be both the certificate and the counterexample", certificate.display())));
        }
        Ok(Self { certificate, counterexample })
    }
}

fn answer(arguments: &Prove, z3: Option<AskZ3>, start: Instant) -> Result<Report, Trouble> {
    let backend = match arguments.solver {
        Solver::Builtin => Backend::Builtin,
        Solver::Z3 => Backend::Z3,
        Solver::Both => Backend::Both,
    };
    let solver = goatherd_logic::Solver::new(backend, z3).or_else(|_| with_z3::hand_over())?;
    let outputs = Outputs::new(arguments)?;
    let progress = Arc::new(Progress::default());
    let watchdog = watch(arguments, start, &progress);
    let mut effort = Effort::default();
    effort.threads = arguments.threads.unwrap_or(effort.threads);
    effort.engines = match arguments.engine {
        arguments::Engine::Descent => Engines::Only(Engine::Descent),
        arguments::Engine::Trees => Engines::Only(Engine::Trees),
        arguments::Engine::Auto => Engines::Auto,
    };
    if let Some(steps) = arguments.steps {
        effort = effort.limited(steps);
    }
    let leaks = if arguments.checks.contains(&Check::Leak) { Leaks::Fail } else { Leaks::Ignored };
    let loaded = input::read(&arguments.input, leaks)?;
    let parameters = parameters(arguments);
    let task = input::task(&arguments.input, &loaded, parameters);
    let answer = prove(&task, effort, &solver, &progress).map_err(|fault| Trouble::Internal(fault.to_string()))?;
    watchdog.dismiss();
    let digest = goatherd::encode::program_digest(&task.program).map_err(|error| Trouble::Internal(error.to_string()))?;
    let mut reporting = Reporting {
        arguments,
        task: &task,
        places: Places::new(&loaded),
        loaded: &loaded,
        outputs: &outputs,
        report: Report::new(&arguments.input, Outcome::Unknown),
    };
    reporting.report.statement = Some(Statement::new(&task.program, parameters, &digest));
    reporting.describe(&answer)?;
    Ok(reporting.report)
}

/// Under a limit, the watchdog ends the process with the answer "unknown".
fn watch(arguments: &Prove, start: Instant, progress: &Arc<Progress>) -> Watchdog {
    let limits = Limits { time: arguments.timeout, memory: arguments.memory };
    let mut report = Report::new(&arguments.input, Outcome::Unknown);
    let is_json = arguments.json;
    let end = move |exceeded| {
        report.reason = Some(match exceeded {
            Exceeded::Time(limit) => format!("the search was not finished after {} s (--timeout)", limit.as_secs_f64()),
            Exceeded::Memory(limit) => format!("the search takes more than {limit} bytes of memory (--memory)"),
        });
        report.milliseconds = milliseconds(start);
        // The exit status says it too.
        drop(print(&if is_json { report.json() } else { text::render(&report) }));
        std::process::exit(Exit::Unknown as i32);
    };
    let (file, progress) = (arguments.input.file.display().to_string(), Arc::clone(progress));
    Watchdog::start(limits, move || format!("{file}: {}", text::progress(&progress)), end)
}

fn parameters(arguments: &Prove) -> Parameters {
    let has = |check| arguments.checks.contains(&check);
    Parameters {
        arithmetic: Arithmetic::C,
        data_model: DataModel::Lp64SignedChar,
        signed_overflow: if has(Check::Overflow) { SignedOverflow::Fails } else { SignedOverflow::Wraps },
        pointer_formation: if has(Check::Pointer) { PointerFormation::InsideObject } else { PointerFormation::Anywhere },
        allocation: match arguments.allocation {
            arguments::Allocation::MayFail => Allocation::MayFail,
            arguments::Allocation::Succeeds => Allocation::Succeeds,
        },
    }
}

/// A report under way.
struct Reporting<'a> {
    arguments: &'a Prove,
    task: &'a Task,
    places: Places<'a>,
    loaded: &'a Loaded,
    outputs: &'a Outputs,
    report: Report,
}

impl Reporting<'_> {
    /// Writes the files and fills in the report.
    fn describe(&mut self, answer: &Answer) -> Result<(), Trouble> {
        match answer {
            Answer::Proved { accepted, strategy, refinements } => {
                self.certificate(accepted, Some(*strategy))?;
                let refinement = |refinement: &goatherd_descent::Refinement| Refinement {
                    place: self.places.place(refinement.head),
                    learnt: refinement.learnt.clone(),
                };
                self.report.refinements = refinements.iter().map(refinement).collect();
                self.report.verdict = Outcome::Proved;
                self.checks(Status::Proved, &BTreeSet::new());
                let missed = accepted.verdict.counts.assertions.iter().filter(|(_, is_reached)| !is_reached);
                self.report.vacuity = Some(Vacuity {
                    excluded: accepted.verdict.is_vacuity_excluded(),
                    missed: missed.map(|(location, _)| self.places.place(*location)).collect(),
                });
            }
            Answer::Unsafe { accepted, counterexample } => {
                self.certificate(accepted, None)?;
                self.report.verdict = Outcome::Unsafe;
                self.failing_run(counterexample, true)?;
            }
            Answer::Unconfirmed { counterexample, why } => {
                let why = why.map_or_else(|| "its rules do not reach it".to_owned(), |failure| format!("{failure:?}"));
                self.report.reason = Some(format!("the execution below fails, but the checker does not confirm it: {why}"));
                self.failing_run(counterexample, false)?;
            }
            Answer::Unknown { attempts } => {
                self.report.reason = Some("neither a proof nor a failing execution was found".to_owned());
                self.checks(Status::Unknown, &BTreeSet::new());
                let stuck = Attempt::new(&self.task.program, self.task.parameters, self.places, attempts);
                let location = stuck.as_ref().and_then(|stuck| stuck.location);
                self.report.picture = location.map(|location| self.places.report(location, "the search for a proof ended here"));
                self.report.stuck = stuck;
            }
        }
        Ok(())
    }

    fn certificate(&mut self, accepted: &Accepted, strategy: Option<Strategy>) -> Result<(), Trouble> {
        let path = &self.outputs.certificate;
        output::write(path, &accepted.bytes)?;
        self.report.certificate =
            Some(report::Certificate::new(path.display().to_string(), accepted.bytes.len(), &accepted.verdict, strategy));
        self.report.trusted = Some(TRUSTED);
        Ok(())
    }

    fn checks(&mut self, status: Status, failing: &BTreeSet<Location>) {
        self.report.checks = Some(Checks::new(checks(&self.task.program, self.task.parameters, self.places, status, failing)));
    }

    /// The instructions at which other runs fail that a short search finds and the checker confirms.
    fn others_failing(&self) -> BTreeSet<Location> {
        let findings = counterexample::search(&self.task.program, self.task.parameters, Goal::Everything, Effort::default().witness_runs);
        let is_confirmed = |found: &counterexample::Counterexample| matches!(confirm(self.task, found), Ok(Answer::Unsafe { .. }));
        findings.counterexamples.iter().filter(|found| is_confirmed(found)).map(|found| found.location).collect()
    }

    fn failing_run(&mut self, found: &counterexample::Counterexample, confirmed: bool) -> Result<(), Trouble> {
        let mut failing = if confirmed { self.others_failing() } else { BTreeSet::new() };
        failing.insert(found.location);
        self.checks(Status::Unknown, &failing);
        let run = FailingRun::new(&self.task.program, self.task.parameters, self.places, found);
        if let Some(directory) = &self.arguments.draw {
            output::make_directory(directory)?;
            for (name, heap) in [("entry", &run.heap_at_entry), ("failure", &run.heap_at_failure)] {
                if !heap.is_empty() {
                    output::picture(directory, name, &heap.picture())?;
                }
            }
        }
        self.report.picture = Some(self.places.report(found.location, &run.failure));
        let summary = format!("{}: {}", run.place, run.failure);
        let replay = replay::write(self.arguments, self.task, self.loaded, &self.outputs.counterexample, found, &summary)?;
        self.report.counterexample = Some(Counterexample { run, confirmed, replay });
        Ok(())
    }
}
