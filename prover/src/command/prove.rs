//! `goatherd prove`

use super::{
    Exit, Trouble,
    arguments::{self, Check, Prove, Solver},
    asked::{self, Asked},
    complain, depfile,
    input::{self, Loaded},
    output::{self, Outputs},
    places::Places,
    print, replay,
    report::{
        self, Checks, Counterexample, Holds, Outcome, Refinement, Replay, Report, TRUSTED, Vacuity, ViolationWitness,
        checks::{Status, checks},
        run::FailingRun,
        text,
    },
    undecided::{self, Draft, Undecided},
    watchdog::{Exceeded, Limits, Watchdog},
    with_z3, witness,
};
use goatherd::{
    certify::Accepted,
    engine::{Engine, Engines},
    prove::{Answer, Doubt, Effort, confirm},
    task::Task,
    wider::{Wider, decide},
};
use goatherd_certificates::{
    certificate::{Allocation, Arithmetic, Parameters, PointerFormation, SignedOverflow},
    program::Location,
};
use goatherd_counterexample::{self as counterexample, search::Goal};
use goatherd_descent::{Progress, Selection, Strategy};
use goatherd_frontend::lower::{Arrays, Demands, Leaks, Results, Sizes};
use goatherd_logic::{AskZ3, Backend};
use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

/// Proves, writes and reports.
pub fn run(arguments: &Prove, z3: Option<AskZ3>) -> Exit {
    let start = Instant::now();
    if arguments.with_parent {
        end_with_parent();
    }
    let result = asked::resolve(arguments).and_then(|(arguments, asked)| {
        let mut report = answer(&arguments, asked.as_ref(), z3, start)?;
        report.milliseconds = milliseconds(start);
        show(&arguments, &report)?;
        Ok(exit_of(report.verdict))
    });
    result.unwrap_or_else(|trouble| refuse(arguments, start, trouble))
}

/// Where the system can do that; elsewhere, the process goes on to its own limits.
fn end_with_parent() {
    #[cfg(target_os = "linux")]
    let _set = nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL);
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

/// Where the results go; refused, if nothing can be written there.
fn outputs(arguments: &Prove) -> Result<Outputs, Trouble> {
    let sources = arguments.input.files();
    let default = PathBuf::from(format!("{}.goat", input::stem(&arguments.input.file)));
    let certificate = arguments.output.clone().unwrap_or_else(|| default.clone());
    // Beside a device there is no place for other files.
    let beside = if certificate.exists() && !certificate.is_file() { &default } else { &certificate };
    let partial = beside.with_extension("partial.goat");
    let depfile = arguments.depfile.as_ref();
    let counterexample = arguments.counterexample.clone().unwrap_or_else(|| beside.with_extension("counterexample.c"));
    let witness = arguments.witness.as_ref();
    for path in [&certificate, &partial, &counterexample].into_iter().chain(depfile).chain(witness) {
        for source in &sources {
            output::check(path, source)?;
        }
    }
    for other in [&certificate, &partial] {
        if *other == counterexample {
            return Err(Trouble::Usage(format!("{} cannot be both a certificate and the counterexample", other.display())));
        }
    }
    if let Some(path) = depfile.filter(|path| [&certificate, &partial, &counterexample].contains(path)) {
        return Err(Trouble::Usage(format!("{} cannot be both the depfile and another output", path.display())));
    }
    if let Some(path) = witness.filter(|path| [&certificate, &partial, &counterexample].contains(path) || depfile == Some(path)) {
        return Err(Trouble::Usage(format!("{} cannot be both the witness and another output", path.display())));
    }
    Ok(Outputs { certificate, partial, counterexample, witness: witness.cloned() })
}

fn answer(arguments: &Prove, asked: Option<&Asked>, z3: Option<AskZ3>, start: Instant) -> Result<Report, Trouble> {
    let backend = match arguments.solver {
        Solver::Builtin => Backend::Builtin,
        Solver::Z3 => Backend::Z3,
        Solver::Both => Backend::Both,
    };
    let solver = goatherd_logic::Solver::new(backend, z3).or_else(|_| with_z3::hand_over())?;
    let outputs = outputs(arguments)?;
    let progress = Arc::new(Progress::default());
    let draft = Arc::new(Mutex::new(Draft::new(arguments, asked)));
    let watchdog = watch(arguments, start, &progress, (&draft, &outputs));
    let mut effort = Effort::default();
    effort.threads = arguments.threads.unwrap_or(effort.threads);
    effort.engines = match arguments.engine {
        arguments::Engine::Descent => Engines::Only(Engine::Descent),
        arguments::Engine::Trees => Engines::Only(Engine::Trees),
        arguments::Engine::Auto => Engines::Auto,
    };
    effort.selection = Selection { only: arguments.strategy.clone(), without: arguments.without.clone() };
    if let Some(steps) = arguments.steps {
        effort = effort.limited(steps);
    }
    let leaks = if arguments.checks.contains(&Check::Leak) { Leaks::Fail } else { Leaks::Ignored };
    let waivers = arguments.waive.clone();
    let demands =
        Demands { leaks, waivers, sizes: Sizes::Exact, arrays: Arrays::Inside, results: Results::Bounded, undefined: arguments.undefined };
    let mut loaded = if arguments.no_confirm {
        input::read(&arguments.input, &demands)?
    } else {
        let (loaded, confirmation) = input::read_and_confirm(&arguments.input, &demands)?;
        draft.lock().unwrap_or_else(PoisonError::into_inner).confirmation = Some(confirmation);
        loaded
    };
    let errors = asked.map(|asked| asked.errors(&loaded)).transpose()?.unwrap_or_default();
    if let Some(path) = &arguments.depfile {
        output::write(path, depfile::rule(&outputs.certificate, loaded.unit.dependencies()).as_bytes())?;
    }
    let mut task = input::task(&arguments.input, &loaded, parameters(arguments));
    let wider = Wider::of(&loaded.unit, &input::options(&arguments.input), &demands, &task);
    let mut undecided = Undecided::new(arguments, (&loaded, &task), &outputs, (&effort, &solver, &progress), &draft)?;
    let (answer, reason) = match &arguments.follow {
        None => (decide(&task, &wider, &effort, (&solver, &progress), &mut undecided), UNDECIDED.to_owned()),
        Some(path) => {
            let (answer, reason) = witness::answer(path, &task, &loaded)?;
            (answer.map(|answer| (answer, None)), reason)
        }
    };
    watchdog.dismiss();
    let mut draft = draft.lock().unwrap_or_else(PoisonError::into_inner);
    let (answer, proved) = answer.map_err(|fault| {
        // The compiler is ended.
        draft.confirmation = None;
        Trouble::Internal(fault.to_string())
    })?;
    if let Answer::Unknown { .. } = answer {
        let types = draft.types()?;
        draft.end(types, &outputs, &reason)?;
        return Ok(std::mem::replace(&mut draft.report, Report::new(&arguments.input, Outcome::Unknown)));
    }
    if let Some(wider) = proved {
        (loaded.lowered, task) = (wider.lowered.clone(), wider.task.clone());
        draft.report.statement = Some(undecided::statement(&task)?);
    }
    let statement = draft.report.statement.take();
    let property = draft.report.property.take();
    let report = Report { statement, property, types: Some(draft.types()?), ..Report::new(&arguments.input, Outcome::Unknown) };
    let mut reporting = Reporting {
        arguments,
        asked,
        errors,
        task: &task,
        places: Places::new(&loaded),
        loaded: &loaded,
        outputs: &outputs,
        report,
        unwritten: Vec::new(),
    };
    reporting.describe(&answer)?;
    reporting.report.stale = output::retire(&reporting.unwritten)?;
    Ok(reporting.report)
}

/// Why there is no answer.
const UNDECIDED: &str = "neither a proof nor a failing execution was found";

/// Under a limit, the watchdog ends the process with what is known by then.
fn watch(arguments: &Prove, start: Instant, progress: &Arc<Progress>, (draft, outputs): (&Arc<Mutex<Draft>>, &Outputs)) -> Watchdog {
    let limits = Limits { time: arguments.timeout.0, memory: (arguments.memory > 0).then_some(arguments.memory) };
    let (is_json, draft, outputs, searched) = (arguments.json, Arc::clone(draft), outputs.clone(), Arc::clone(progress));
    let end = move |exceeded| {
        let exceeded = match exceeded {
            Exceeded::Time(limit) => format!("the search was not finished after {} s (--timeout)", limit.as_secs_f64()),
            Exceeded::Memory(limit) => format!("the search takes more than {limit} bytes of memory (--memory)"),
        };
        let mut draft = draft.lock().unwrap_or_else(PoisonError::into_inner);
        let reason = format!("{exceeded}; it was {}", text::progress(&searched));
        let ended = draft.types_by_now().and_then(|types| draft.end(types, &outputs, &reason));
        draft.report.milliseconds = milliseconds(start);
        let shown = ended.and_then(|()| print(&if is_json { draft.report.json() } else { text::render(&draft.report) }));
        let exit = shown.map_or_else(|trouble| complain(&trouble), |()| Exit::Unknown);
        std::process::exit(exit as i32);
    };
    let (file, progress) = (arguments.input.shown(), Arc::clone(progress));
    Watchdog::start(limits, move || format!("{file}: {}", text::progress(&progress)), end)
}

fn parameters(arguments: &Prove) -> Parameters {
    let has = |check| arguments.checks.contains(&check);
    Parameters {
        arithmetic: Arithmetic::C,
        data_model: arguments.data_model,
        signed_overflow: if has(Check::Overflow) { SignedOverflow::Fails } else { SignedOverflow::Wraps },
        pointer_formation: if has(Check::Pointer) { PointerFormation::InsideObject } else { PointerFormation::Anywhere },
        allocation: match arguments.allocation {
            None | Some(arguments::Allocation::MayFail) => Allocation::MayFail,
            Some(arguments::Allocation::Succeeds) => Allocation::Succeeds,
        },
    }
}

/// A report under way.
struct Reporting<'a> {
    arguments: &'a Prove,
    asked: Option<&'a Asked>,
    /// The functions whose failing calls are calls of the one that the property forbids.
    errors: BTreeSet<String>,
    task: &'a Task,
    places: Places<'a>,
    loaded: &'a Loaded,
    outputs: &'a Outputs,
    report: Report,
    /// Where this answer has no file.
    unwritten: Vec<&'a PathBuf>,
}

impl Reporting<'_> {
    /// Writes the files and fills in the report.
    fn describe(&mut self, answer: &Answer) -> Result<(), Trouble> {
        self.unwritten.push(&self.outputs.partial);
        let violated = match (self.asked, answer) {
            (Some(asked), Answer::Unsafe { counterexample, .. }) => asked.violated(self.loaded, &self.errors, counterexample),
            _ => None,
        };
        let unanswered = self.asked.and_then(Asked::unanswered);
        match answer {
            Answer::Proved { .. } if unanswered.is_some() => {
                self.report.reason = unanswered;
                self.unwritten.extend([&self.outputs.certificate, &self.outputs.counterexample]);
                self.unwritten.extend(&self.outputs.witness);
                self.checks(Status::Proved, &BTreeSet::new());
            }
            Answer::Proved { accepted, strategy, refinements } => {
                self.unwritten.push(&self.outputs.counterexample);
                self.unwritten.extend(&self.outputs.witness);
                self.certificate(accepted, Some(*strategy))?;
                let refinement = |refinement: &goatherd_descent::Refinement| Refinement {
                    place: self.places.place(refinement.head),
                    learnt: refinement.learnt.clone(),
                };
                self.report.refinements = refinements.iter().map(refinement).collect();
                self.report.verdict = Outcome::Proved;
                if let Some(property) = &mut self.report.property {
                    property.verdict = Holds::True;
                }
                self.checks(Status::Proved, &BTreeSet::new());
                let missed = accepted.verdict.counts.assertions.iter().filter(|(_, is_reached)| !is_reached);
                self.report.vacuity = Some(Vacuity {
                    excluded: accepted.verdict.is_vacuity_excluded(),
                    missed: missed.map(|(location, _)| self.places.place(*location)).collect(),
                });
            }
            Answer::Unsafe { counterexample, .. } if self.asked.is_some() && violated.is_none() => {
                self.report.reason = Some("the execution below fails, but in a way that the property does not speak of".to_owned());
                self.unwritten.push(&self.outputs.certificate);
                self.failing_run(counterexample, true)?;
            }
            Answer::Unsafe { accepted, counterexample } => {
                self.certificate(accepted, None)?;
                if let Some(property) = &mut self.report.property {
                    (property.verdict, property.violated) = (Holds::False, violated.map(|part| part.to_string()));
                }
                self.report.verdict = Outcome::Unsafe;
                self.failing_run(counterexample, true)?;
            }
            Answer::Unconfirmed { counterexample, why } => {
                let why = match why {
                    Doubt::Beyond => "but the checker does not confirm it: its rules do not reach it".to_owned(),
                    Doubt::Refused(failure) => format!("but the checker does not confirm it: {failure:?}"),
                    Doubt::Approximate(location) => {
                        format!(
                            "but need not be one of the C program: at {} it depends on a value of which C says more",
                            self.places.place(*location)
                        )
                    }
                };
                self.report.reason = Some(format!("the execution below fails, {why}"));
                self.unwritten.push(&self.outputs.certificate);
                self.failing_run(counterexample, false)?;
            }
            // Of this, the draft says what there is.
            Answer::Unknown { .. } => {}
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
        if let Replay::Unwritten { .. } = replay {
            self.unwritten.push(&self.outputs.counterexample);
        }
        let witness = match &self.outputs.witness {
            Some(path) => Some(witness::write(path, self.task, self.loaded, found)?),
            None => None,
        };
        if let Some(ViolationWitness::Unwritten { .. }) = witness {
            self.unwritten.extend(&self.outputs.witness);
        }
        self.report.counterexample = Some(Counterexample { run, confirmed, replay, witness });
        Ok(())
    }
}
