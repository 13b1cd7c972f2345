//! `--property FILE.prp` and `goatherd prove TASK.yml`: what SV-COMP asks, as options of `goatherd prove`, and the answer in its words.

use super::{
    Trouble,
    arguments::{Allocation, Check, Prove},
    input::Loaded,
    report,
};
use goatherd_counterexample::Counterexample;
use goatherd_frontend::{
    diagnostics::{Kind, Report, reports},
    lower::errors,
};
use goatherd_tasks::{ExpectedVerdict, LastStep, Specification, Subproperty, TaskDefinition, violated};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// What is asked of a program, beside that no execution fails.
#[derive(Debug)]
pub struct Asked {
    /// The property file.
    file: PathBuf,
    specification: Specification,
    /// The answer that the task definition expects.
    expected: Option<ExpectedVerdict>,
}

/// The options that a property stands for, with what is asked; those of the command line where there is none.
///
/// # Errors
///
/// A file cannot be read or asks for what is not supported, or the command line asks for something else.
pub fn resolve(arguments: &Prove) -> Result<(Prove, Option<Asked>), Trouble> {
    let mut resolved = arguments.clone();
    resolved.input.others.append(&mut resolved.more);
    let mut property = arguments.property.clone();
    let mut expected = None;
    let file = &arguments.input.file;
    if file.extension().is_some_and(|extension| extension == "yml" || extension == "yaml") {
        let task = TaskDefinition::read(file).map_err(|report| Trouble::Source(vec![*report]))?;
        let chosen = choose(file, &task, property.as_deref())?;
        property = property.or_else(|| chosen.as_ref().map(|(file, _)| file.clone()));
        expected = chosen.and_then(|(_, expected)| expected);
        if !resolved.input.others.is_empty() {
            return Err(Trouble::Usage(format!("{} names the files of its program: no others are given with it", file.display())));
        }
        let mut files = task.files.into_iter();
        // A task has a file.
        resolved.input.file = files.next().unwrap_or_default();
        resolved.input.others = files.collect();
    }
    let Some(file) = property else { return Ok((resolved, None)) };
    let specification = Specification::read(&file).map_err(|report| Trouble::Source(vec![*report]))?;
    apply(&mut resolved, &specification, &file)?;
    Ok((resolved, Some(Asked { file, specification, expected })))
}

/// The property of a task that is meant, with the answer that is expected: the one that is named like the file of the command line or, where
/// none is given, the only one.
type Chosen = Option<(PathBuf, Option<ExpectedVerdict>)>;

fn choose(file: &Path, task: &TaskDefinition, wanted: Option<&Path>) -> Result<Chosen, Trouble> {
    let is_wanted = |name: &Path| wanted.is_none_or(|wanted| wanted.file_name() == name.file_name());
    let mut asked: Vec<_> = task.questions.iter().filter(|question| is_wanted(&question.file)).collect();
    match (asked.pop(), asked.is_empty(), wanted) {
        (Some(question), true, _) => Ok(Some((question.file.clone(), question.expected.clone()))),
        // What the command line asks for need not be what the task does.
        (None, _, Some(_)) => Ok(None),
        (None, _, None) => Err(Trouble::Source(vec![Report::of_file(Kind::Error, &file.to_string_lossy(), "a task without a property")])),
        (Some(_), false, _) => {
            let names: Vec<String> = task.questions.iter().map(|question| question.file.display().to_string()).collect();
            let mut report = Report::of_file(Kind::Error, &file.to_string_lossy(), "a task with several properties");
            report.help = Some(format!("choose one with --property: {}", names.join(", ")));
            Err(Trouble::Source(vec![report]))
        }
    }
}

/// Asks for what a property needs (`spec/tasks.md`).
fn apply(arguments: &mut Prove, specification: &Specification, file: &Path) -> Result<(), Trouble> {
    let wrong = |message: String| Err(Trouble::Usage(format!("{}: {message}", file.display())));
    let entry = arguments.input.entry.get_or_insert_with(|| specification.entry.clone());
    if *entry != specification.entry {
        return wrong(format!("executions start from '{}' here, and from '{entry}' by --entry", specification.entry));
    }
    for part in &specification.parts {
        match part {
            Subproperty::UnreachCall(_) | Subproperty::ValidFree | Subproperty::ValidDeref => {}
            Subproperty::NoOverflow => arguments.checks.push(Check::Overflow),
            Subproperty::ValidMemtrack | Subproperty::ValidMemcleanup => arguments.checks.push(Check::Leak),
        }
    }
    arguments.allocation.get_or_insert(Allocation::Succeeds);
    Ok(())
}

impl Asked {
    /// The functions whose failing calls are calls of the one that may not be called.
    ///
    /// # Errors
    ///
    /// The source gives a name another meaning than it has here.
    pub fn errors(&self, loaded: &Loaded) -> Result<BTreeSet<String>, Trouble> {
        errors(&loaded.unit, self.specification.function()).map_err(|found| Trouble::Source(reports(&loaded.unit, &found)))
    }

    /// The part that a failing run violates, if the property speaks of how it fails.
    pub fn violated(&self, loaded: &Loaded, errors: &BTreeSet<String>, run: &Counterexample) -> Option<Subproperty> {
        let program = &loaded.lowered.program;
        let instruction = program.instructions.get(run.location.index())?;
        let callee = loaded.lowered.callees.get(&run.location).map(String::as_str);
        violated(&self.specification, LastStep { instruction, failure: run.failure, callee }, errors)
    }

    /// Why a proof is no answer, if it says less than what is asked.
    pub fn unanswered(&self) -> Option<String> {
        let part = self.specification.parts.iter().find(|part| !part.follows_from_safe())?;
        Some(format!(
            "no execution fails, also by a leak where {} ends, but {part} asks for more (spec/tasks.md)",
            self.specification.entry
        ))
    }

    /// What there is to say while nothing is known.
    pub fn undecided(&self) -> report::Property {
        report::Property {
            file: self.file.display().to_string(),
            parts: self.specification.parts.iter().map(ToString::to_string).collect(),
            verdict: report::Holds::Unknown,
            violated: None,
            expected: self.expected.as_ref().map(|expected| report::Holds::from(expected.holds)),
            expected_violated: self.expected.as_ref().and_then(|expected| expected.violated.clone()),
        }
    }
}
