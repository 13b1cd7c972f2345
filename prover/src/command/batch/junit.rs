//! JUnit XML: a suite for each file, a case for each target.

use super::{arguments::JunitUnknown, work::Answered};
use crate::command::{
    Trouble,
    process::told::{Told, Verdict},
};
use goatherd_archive::target::Target;
use goatherd_frontend::escape::{escaped, escaped_lines};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::fmt::Write;

/// The whole file. It has no times, so that the same answers have the same bytes.
pub fn xml(all: &[(&Target, Answered)], unknown: JunitUnknown) -> Result<String, Trouble> {
    let mut report = Report::new("goatherd");
    for targets in all.chunk_by(|(left, _), (right, _)| left.file == right.file) {
        let Some((first, _)) = targets.first() else { continue };
        let mut suite = TestSuite::new(escaped(&first.file));
        suite.add_test_cases(targets.iter().map(|(target, answered)| case(target, &answered.told, unknown)));
        report.add_test_suite(suite);
    }
    report.to_string().map_err(|error| Trouble::Internal(format!("JUnit XML cannot be written: {error}")))
}

fn case(target: &Target, told: &Told, unknown: JunitUnknown) -> TestCase {
    let mut status = match told.verdict {
        Verdict::Proved => TestCaseStatus::success(),
        Verdict::Input | Verdict::Internal => TestCaseStatus::non_success(NonSuccessKind::Error),
        Verdict::Unknown | Verdict::Vacuous if unknown == JunitUnknown::Skipped => TestCaseStatus::skipped(),
        Verdict::Unsafe | Verdict::Unknown | Verdict::Vacuous => TestCaseStatus::non_success(NonSuccessKind::Failure),
    };
    if told.verdict != Verdict::Proved {
        status.set_type(told.verdict.word()).set_message(escaped(&told.summary()));
    }
    if let Some(description) = description(told) {
        status.set_description(description);
    }
    let mut case = TestCase::new(escaped(&target.leaf()), status);
    case.set_classname(escaped(&target.file));
    case
}

/// The input and the lines of a failing run.
fn description(told: &Told) -> Option<String> {
    let run = told.counterexample.as_ref()?;
    let mut text = String::new();
    for input in &run.inputs {
        // Writing to a string does not fail.
        let _ = writeln!(text, "input {} = {}", input.name, input.value);
    }
    for step in &run.trace {
        let _ = writeln!(text, "{}:{}: {}", step.file, step.line, step.text);
    }
    Some(escaped_lines(&text))
}
