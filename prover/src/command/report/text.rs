//! The report in words.

use super::{
    Certificate, Checks, Counterexample, Holds, Outcome, Property, Replay, Report, Vacuity, ViolationWitness, run::FailingRun,
    stuck::Attempt,
};
use goatherd_descent::Progress;
use goatherd_frontend::{
    diagnostics::{self, Colors},
    escape::escaped,
};
use std::fmt::{Display, Write};

/// The report of a verdict as text.
pub fn render(report: &Report) -> String {
    let mut page = Page::default();
    page.line(headline(report));
    if let Some(property) = &report.property {
        page.entry("property", property_phrase(property));
        if let Some(expected) = property.expected {
            page.entry("expected", answer_phrase(expected, property.expected_violated.as_deref()));
        }
    }
    if let Some(picture) = &report.picture {
        page.line(diagnostics::render(std::slice::from_ref(picture), Colors::Never).trim_end());
    }
    if let Some(counterexample) = &report.counterexample {
        page.counterexample(counterexample);
    }
    if let Some(stuck) = &report.stuck {
        page.stuck(stuck);
    }
    if let Some(statement) = &report.statement {
        if report.counterexample.is_none() {
            page.entries("inputs", &statement.inputs);
        }
        page.entry("under", statement.under.join("; "));
        if !statement.waived.is_empty() {
            page.entry("waived", format_args!("{}, which do nothing here", escaped(&statement.waived.join(", "))));
        }
        page.entry("program", format_args!("sha256 {}", statement.program_digest));
    }
    if let Some(types) = &report.types {
        page.entry("types", escaped(&types.to_string()));
    }
    if let Some(checks) = &report.checks {
        page.entry("checks", checks_phrase(checks));
    }
    if let Some(vacuity) = &report.vacuity {
        page.entry("vacuity", vacuity_phrase(vacuity));
    }
    if let Some(certificate) = &report.certificate {
        page.entry("certificate", certificate_phrase(certificate));
    }
    if let Some(partial) = &report.partial {
        page.entry("in part", certificate_phrase(&partial.certificate));
        page.entry("to check it", &partial.command);
    }
    page.entries("put aside", &report.stale);
    if let Some(trusted) = &report.trusted {
        let kernel = format!("kernel {} (source sha256 {})", trusted.kernel_version, trusted.kernel_source_digest);
        page.entry("trusted", format_args!("{kernel}, the front end, cc -E where it is used"));
    }
    page.entry("time", format_args!("{:.1} ms", report.milliseconds));
    page.text
}

/// What a search is at, on one line.
pub fn progress(progress: &Progress) -> String {
    match progress.strategies().split_first() {
        None => String::from("looking for a run that fails"),
        Some((first, others)) => {
            let others = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            format!("looking for a proof with {first}{others}; {} configurations", progress.configurations())
        }
    }
}

fn headline(report: &Report) -> String {
    let Report { file, entry, reason, .. } = report;
    let file = escaped(file);
    let reason = reason.as_deref().unwrap_or_default();
    match report.verdict {
        Outcome::Proved => format!("proved: {file}: no execution of {entry} from a valid input fails, unless it is ignored first"),
        Outcome::Unsafe => format!("unsafe: {file}: an execution of {entry} fails"),
        Outcome::Unknown => format!("unknown: {file}: {reason}"),
        Outcome::Input => format!("input: {file}: {reason}"),
        Outcome::Internal => format!("internal error: {file}: {reason}"),
    }
}

/// At most so many lines of a trace are shown, of its beginning and of its end.
const SHOWN: (usize, usize) = (12, 28);
/// At most so many lines about a herd are shown.
const FACTS: usize = 24;
/// What was written stands behind so many characters of the line, if the lines are that long.
const TEXT_WIDTH: usize = 60;

fn trace(run: &FailingRun) -> Vec<String> {
    let number = run.trace.iter().map(|line| line.line.to_string().len()).max().unwrap_or(0);
    let column = number + 2 + run.trace.iter().map(|line| line.text.chars().count()).max().unwrap_or(0).min(TEXT_WIDTH);
    let hidden = SHOWN.0..run.trace.len().saturating_sub(SHOWN.1);
    let mut lines = Vec::new();
    for (position, line) in run.trace.iter().enumerate() {
        if hidden.contains(&position) {
            if position == hidden.start {
                lines.push(format!("... {} more lines, shown by --json ...", hidden.len()));
            }
            continue;
        }
        let mut text = format!("{:>number$}  {}", line.line, line.text);
        if line.file != run.place.file {
            text = format!("{text}  ({})", escaped(&line.file));
        }
        if !line.writes.is_empty() {
            let writes: Vec<String> = line.writes.iter().map(|write| format!("{} = {}", write.name, write.value)).collect();
            text = format!("{text:<column$}  // {}", writes.join(", "));
        }
        lines.push(text);
    }
    lines
}

fn property_phrase(property: &Property) -> String {
    let answer = answer_phrase(property.verdict, property.violated.as_deref());
    format!("{answer}, of {} ({})", escaped(&property.file), property.parts.join(", "))
}

/// The words of SV-COMP: `true`, `false(valid-deref)`, `unknown`.
fn answer_phrase(holds: Holds, violated: Option<&str>) -> String {
    match (holds, violated) {
        (Holds::True, _) => "true".to_owned(),
        (Holds::False, Some(part)) => format!("false({})", escaped(part)),
        (Holds::False, None) => "false".to_owned(),
        (Holds::Unknown, _) => "unknown".to_owned(),
    }
}

fn checks_phrase(checks: &Checks) -> String {
    let fails = if checks.fails == 1 { "fails" } else { "fail" };
    let counts = [(checks.proved, "proved"), (checks.fails, fails), (checks.unknown, "unknown")];
    let counts: Vec<String> = counts.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}")).collect();
    match checks.list.len() {
        0 => "none".to_owned(),
        1 => format!("1 check: {}", counts.join(", ")),
        total => format!("{total} checks: {}", counts.join(", ")),
    }
}

fn vacuity_phrase(vacuity: &Vacuity) -> String {
    let missed: Vec<String> = vacuity.missed.iter().map(ToString::to_string).collect();
    match (vacuity.excluded, missed.is_empty()) {
        (true, _) => "not vacuous".to_owned(),
        (false, true) => "not excluded: no run was found that accesses memory and ends normally".to_owned(),
        (false, false) => format!("not excluded: assertion at {} not reached", missed.join(", ")),
    }
}

fn certificate_phrase(certificate: &Certificate) -> String {
    let Certificate { path, bytes, rules, templates, .. } = certificate;
    match certificate.k.zip(certificate.engine.as_ref()) {
        Some((k, engine)) => format!("{path}, {bytes} bytes (engine {engine}, k = {k}, {templates} templates, {rules} rules)"),
        None => format!("{path}, {bytes} bytes"),
    }
}

/// Text by lines.
#[derive(Default)]
struct Page {
    text: String,
}

/// The width of the names of entries.
const MARGIN: usize = 13;

impl Page {
    fn line(&mut self, line: impl Display) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn entry(&mut self, name: &str, value: impl Display) {
        self.line(format_args!("  {name:<MARGIN$}{value}"));
    }

    /// Several values under one name.
    fn entries(&mut self, name: &str, values: &[String]) {
        for (position, value) in values.iter().enumerate() {
            self.entry(if position == 0 { name } else { "" }, value);
        }
    }

    fn counterexample(&mut self, counterexample: &Counterexample) {
        let run = &counterexample.run;
        let inputs: Vec<String> = run.inputs.iter().map(|binding| format!("{} = {}", binding.name, binding.value)).collect();
        self.entries("input", &inputs);
        let choices: Vec<String> = run.choices.iter().map(|choice| format!("line {}: {}", choice.place.line, choice.what)).collect();
        self.entries("choices", &choices);
        self.entries("trace", &trace(run));
        let mut heap = run.heap_at_failure.lines();
        if heap.len() > FACTS {
            let hidden = heap.split_off(FACTS).len();
            heap.push(format!("... {hidden} more lines, shown by --json ..."));
        }
        self.entries("heap", &heap);
        match &counterexample.replay {
            Replay::Written { path, command } => {
                self.entry("as C", path);
                self.entry("to run it", command);
            }
            Replay::Unwritten { unwritten } => self.entry("as C", format_args!("not written: {unwritten}")),
        }
        match &counterexample.witness {
            Some(ViolationWitness::Written { path }) => self.entry("witness", path),
            Some(ViolationWitness::Unwritten { unwritten }) => self.entry("witness", format_args!("not written: {unwritten}")),
            None => {}
        }
    }

    fn stuck(&mut self, stuck: &Attempt) {
        self.entry("stuck", format_args!("{} (k = {})", stuck.reason, stuck.k));
        let loops: Vec<String> = stuck.loops.iter().map(ToString::to_string).collect();
        self.entries("after", &loops);
        let waiting = stuck.smaller_inputs.iter().map(|waiting| {
            let who = if waiting.count == 1 { "1 smaller input is".to_owned() } else { format!("{} smaller inputs are", waiting.count) };
            match &waiting.place {
                Some(place) => format!("{who} at {place}"),
                None => format!("{who} past a failure"),
            }
        });
        self.entries("meanwhile", &waiting.collect::<Vec<_>>());
        let mut herd: Vec<String> = stuck.herd.iter().take(FACTS).cloned().collect();
        if stuck.herd.len() > FACTS {
            herd.push(format!("... {} more lines, shown by --json ...", stuck.herd.len() - FACTS));
        }
        self.entries("herd", &herd);
        self.entries("try", &stuck.advice);
    }
}
