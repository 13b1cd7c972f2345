//! What there is to say of a task that is not decided. It is kept up to date while the search goes on, since a limit may end it at any time.

use super::{
    Trouble,
    arguments::{Input, Prove},
    asked::Asked,
    input::{self, Loaded},
    output::{self, Outputs, quoted},
    places::Places,
    report::{
        Certificate, Checks, Outcome, Partial, Report, Statement, TRUSTED,
        checks::{Check, Status, checks},
        stuck::Attempt,
    },
};
use goatherd::{
    certify::Fault,
    partial::{PartialProof, PartialSearch},
    prove::{Aside, Effort},
    task::Task,
};
use goatherd_certificates::{
    certificate::Position,
    program::{FailKind, Instruction, Location, Program},
};
use goatherd_descent::{Progress, Strategy, Stuck};
use goatherd_frontend::{
    confirm::{Confirmed, Inquiry},
    lower::{Arrays, Demands, Leaks, Lowered, Results, Sizes, Undefined, Waiver, lower_with},
};
use goatherd_logic::Solver;
use std::{
    collections::BTreeSet,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The report as it would be if the search ended now, and the certificate of a part, which is not written yet.
#[derive(Debug)]
pub struct Draft {
    /// The report.
    pub report: Report,
    /// The certificate of a part.
    partial: Option<Vec<u8>>,
    /// The compiler that judges what is believed of types; nothing if it is not asked, or not yet.
    pub confirmation: Option<Inquiry>,
    /// What is said of types without it.
    unconfirmed: Confirmed,
}

impl Draft {
    /// Nothing is known but the command line, and what it asks.
    pub fn new(arguments: &Prove, asked: Option<&Asked>) -> Self {
        let unconfirmed = if arguments.no_confirm {
            Confirmed::not_asked()
        } else {
            Confirmed::Unconfirmed { reason: "the file had not been read when the search ended".to_owned() }
        };
        let report = Report { property: asked.map(Asked::undecided), ..Report::new(&arguments.input, Outcome::Unknown) };
        Self { report, partial: None, confirmation: None, unconfirmed }
    }

    /// What the compiler says of types, when it has judged. It comes before any file is written.
    ///
    /// # Errors
    ///
    /// It says something else than the front end believes: a fault of this.
    pub fn types(&self) -> Result<Confirmed, Trouble> {
        self.judged(Inquiry::wait)
    }

    /// What the compiler has said of types by now, where a limit is met.
    ///
    /// # Errors
    ///
    /// As [`Self::types`].
    pub fn types_by_now(&self) -> Result<Confirmed, Trouble> {
        self.judged(Inquiry::by_now)
    }

    fn judged(&self, judge: impl FnOnce(&Inquiry) -> Confirmed) -> Result<Confirmed, Trouble> {
        match self.confirmation.as_ref().map_or_else(|| self.unconfirmed.clone(), judge) {
            contradicted @ Confirmed::Contradicted { .. } => Err(Trouble::Internal(contradicted.to_string())),
            confirmed => Ok(confirmed),
        }
    }

    /// Ends the report: with what is said of types, the reason why the search has ended, and the files that are left. What an earlier command has written is
    /// put aside, since it could be taken for an answer.
    ///
    /// # Errors
    ///
    /// A file cannot be written or moved.
    pub fn end(&mut self, types: Confirmed, outputs: &Outputs, reason: &str) -> Result<(), Trouble> {
        self.report.types = Some(types);
        let mut stale = vec![&outputs.certificate, &outputs.counterexample];
        stale.extend(&outputs.witness);
        match &self.partial {
            Some(bytes) => output::write(&outputs.partial, bytes)?,
            None => stale.push(&outputs.partial),
        }
        self.report.stale = output::retire(&stale)?;
        self.report.reason = Some(match &self.report.partial {
            None => reason.to_owned(),
            Some(_) => format!("{}: {reason}", self.report.checks.as_ref().map_or_else(String::new, phrase)),
        });
        Ok(())
    }
}

/// What is to be shown of a task.
///
/// # Errors
///
/// The program could not be encoded: a fault of the command itself.
pub fn statement(task: &Task) -> Result<Statement, Trouble> {
    let digest = goatherd::encode::program_digest(&task.program).map_err(|error| Trouble::Internal(error.to_string()))?;
    Ok(Statement::new(task, &digest))
}

/// A task whose search goes on.
pub struct Undecided<'a> {
    arguments: &'a Prove,
    loaded: &'a Loaded,
    task: &'a Task,
    outputs: &'a Outputs,
    search: (&'a Effort, &'a Solver, &'a Progress),
    draft: &'a Mutex<Draft>,
}

impl<'a> Undecided<'a> {
    /// Nothing has been tried.
    ///
    /// # Errors
    ///
    /// The program could not be encoded: a fault of the command itself.
    pub fn new(
        arguments: &'a Prove,
        (loaded, task): (&'a Loaded, &'a Task),
        outputs: &'a Outputs,
        search: (&'a Effort, &'a Solver, &'a Progress),
        draft: &'a Mutex<Draft>,
    ) -> Result<Self, Trouble> {
        let statement = statement(task)?;
        let undecided = Self { arguments, loaded, task, outputs, search, draft };
        let mut draft = undecided.draft();
        draft.report.statement = Some(statement);
        draft.report.checks = Some(Checks::new(undecided.checks(&task.program, Places::new(loaded))));
        drop(draft);
        Ok(undecided)
    }

    fn draft(&self) -> MutexGuard<'_, Draft> {
        self.draft.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn checks(&self, program: &Program, places: Places<'_>) -> Vec<Check> {
        checks(program, self.task.parameters, places, Status::Unknown, &BTreeSet::new())
    }

    /// The program's own assertions, each once; those of models are not among them.
    fn assertions(&self) -> Vec<Waiver> {
        let is_assertion =
            |instruction: &Instruction| matches!(instruction, Instruction::Fail { kind: FailKind::Assertion | FailKind::Reached });
        let places = Places::new(self.loaded);
        let instructions = (0..).map(Location).zip(&self.task.program.instructions);
        let offsets = instructions.filter(|(_, instruction)| is_assertion(instruction)).map(|(location, _)| location);
        let named = offsets.filter(|location| !places.is_model(*location)).map(|location| {
            let Position { file, line, column } = places.position(location);
            Waiver { file: Some(self.loaded.unit.short_name(file)), line, column: Some(column) }
        });
        named.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The program in which these assertions do nothing, beside those that the command line names.
    fn without(&self, waived: &[Waiver]) -> Option<Lowered> {
        let waivers = self.arguments.waive.iter().chain(waived).cloned().collect();
        let undefined = self.arguments.undefined;
        let demands = Demands {
            leaks: Leaks::of(&self.task.program),
            waivers,
            sizes: Sizes::Exact,
            arrays: Arrays::Inside,
            results: Results::Bounded,
            undefined,
        };
        lower_with(&self.loaded.unit, self.arguments.input.entry(), &demands).ok()
    }

    /// Puts the part into the draft, unless it is nothing.
    fn keep(&self, proof: &PartialProof) {
        let Some(lowered) = self.without(&proof.waived) else { return };
        let proved = self.checks(&lowered.program, Places::of(&self.loaded.unit, &lowered));
        if proved.is_empty() {
            return;
        }
        let proved: BTreeSet<_> = proved.into_iter().map(|Check { place, kind, .. }| (place, kind)).collect();
        let mut list = self.checks(&self.task.program, Places::new(self.loaded));
        for check in &mut list {
            if proved.contains(&(check.place.clone(), check.kind)) {
                check.status = Status::Proved;
            }
        }
        let path = self.outputs.partial.display().to_string();
        let certificate = Certificate::new(path, proof.accepted.bytes.len(), &proof.accepted.verdict, Some(proof.strategy));
        let waived: Vec<String> = lowered.waived.iter().map(ToString::to_string).collect();
        let command = check_command(self.arguments, &self.outputs.partial, &waived);
        let mut draft = self.draft();
        draft.report.checks = Some(Checks::new(list));
        draft.report.partial = Some(Partial { certificate, waived, command });
        draft.report.trusted = Some(TRUSTED);
        draft.partial = Some(proof.accepted.bytes.clone());
    }
}

impl Aside for Undecided<'_> {
    fn undecided(&mut self, other: Option<&Lowered>, attempts: &[(Strategy, Stuck)]) {
        let lowered = other.unwrap_or(&self.loaded.lowered);
        let places = Places::of(&self.loaded.unit, lowered);
        let stuck = Attempt::new(&lowered.program, self.task.parameters, places, attempts);
        let location = stuck.as_ref().and_then(|stuck| stuck.location);
        let mut draft = self.draft();
        draft.report.picture = location.map(|location| places.report(location, "the search for a proof ended here"));
        draft.report.stuck = stuck;
    }

    fn pause(&mut self) -> Result<(), Fault> {
        let assertions = self.assertions();
        let (effort, solver, progress) = self.search;
        let task = |waived: &[Waiver]| {
            let lowered = self.without(waived)?;
            Some(input::task_of(&self.arguments.input, &self.loaded.unit, lowered, self.task.parameters))
        };
        if !assertions.is_empty()
            && let Some(proof) = (PartialSearch { task: &task, effort, solver, progress }).prove(&assertions)?
        {
            self.keep(&proof);
        }
        Ok(())
    }
}

/// So many unknown checks are named in a sentence.
const NAMED: usize = 3;

/// How many checks are proved, and which are not.
fn phrase(checks: &Checks) -> String {
    let unknown: Vec<String> =
        checks.list.iter().filter(|check| check.status != Status::Proved).map(|check| check.place.to_string()).collect();
    let named = unknown[..unknown.len().min(NAMED)].join(", ");
    let more = unknown.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{} of {} checks are proved, not {named}{more}", checks.proved, checks.list.len())
}

/// What checks the certificate of a part.
fn check_command(arguments: &Prove, certificate: &Path, waived: &[String]) -> String {
    let Input { file, others, entry, define, include } = &arguments.input;
    let mut words = vec!["goatherd-check".to_owned(), quoted(&certificate.display().to_string())];
    if file.as_os_str() != "-" {
        let sources = [file].into_iter().chain(others);
        words.extend(sources.flat_map(|file| ["--source".to_owned(), quoted(&file.display().to_string())]));
        if let Some(entry) = entry {
            words.extend(["--entry".to_owned(), quoted(entry)]);
        }
        words.extend(define.iter().map(|definition| quoted(&format!("-D{definition}"))));
        words.extend(include.iter().map(|directory| quoted(&format!("-I{}", directory.display()))));
    }
    if arguments.undefined == Undefined::AnyValue {
        words.push("--undefined havoc".to_owned());
    }
    words.extend(waived.iter().flat_map(|waived| ["--waive".to_owned(), quoted(waived)]));
    words.join(" ")
}
