//! Verdicts in words. All that others wrote is escaped here.

use super::{Accepted, KERNEL, digest, hexadecimal, names::claim_name};
use crate::{
    claim::{About, Assertion},
    demands::Difference,
    graph::encoding,
    second::Opinion,
    source::{Comparison, Options, flags},
    waivers,
};
use goatherd_certificates::certificate::{Claim, Ends, Origin};
use goatherd_claims::{Graph, Verdict};
use goatherd_frontend::escape::{escaped, shortened};
use std::fmt::Write;

/// At most so many places are listed.
const LISTED: usize = 8;

/// The verdict on an accepted certificate.
pub fn accepted(accepted: &Accepted) -> String {
    let Accepted {
        verdict,
        about,
        question,
        compared,
        types,
        second,
        differences,
        declared,
    } = accepted;
    let Verdict {
        claim,
        subject_digest,
        statement_digest,
        origin,
        graph,
        peak_memory,
        work,
        ..
    } = verdict;
    let another = if differences.is_empty() {
        ""
    } else {
        ", another claim"
    };
    let mut text = format!("accepted{another}: {}\n", claim_name(*claim));
    // Writing to a string does not fail.
    let mut entry = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<12}{value}");
    };
    for Difference {
        what,
        asked,
        certificate,
    } in differences
    {
        entry("differs", what);
        entry("", &format!("asked for    {}", escaped(asked)));
        entry("", &format!("certificate  {}", escaped(certificate)));
    }
    entry("meaning", meaning(verdict));
    let open_values = compared
        .as_ref()
        .map_or(&[][..], |comparison| &comparison.open_values);
    if !open_values.is_empty() {
        entry("open", &open_phrase(open_values));
    }
    for (name, value) in about.iter().flat_map(|about| about_entries(about, *claim)) {
        entry(name, &value);
    }
    entry(
        subject_name(verdict),
        &format!("sha256 {}", hexadecimal(subject_digest)),
    );
    entry(
        "statement",
        &format!("sha256 {}", hexadecimal(statement_digest)),
    );
    entry("made from", &origin_phrase(origin, verdict));
    if let Some(question) = question {
        entry("question", &question_phrase(*question, compared.as_ref()));
    }
    entry("source", &source_phrase(compared.as_ref()));
    if let Some(types) = types {
        entry("types", &escaped(&types.to_string()));
    }
    if let Some(Opinion { checker, answer }) = second {
        entry(
            "second",
            &format!("{} says {}", escaped(checker), escaped(answer)),
        );
    }
    entry("trusted", &trusted_phrase(compared.as_ref(), verdict));
    entry("replayed", &replayed_phrase(verdict));
    let spent = |spent: &u64, declared: u64, unit: &str| {
        format!("{spent} of {declared} {unit} that the certificate declares")
    };
    entry("memory", &spent(peak_memory, declared.memory, "bytes"));
    entry("work", &spent(work, declared.work, "steps"));
    if let Some(graph) = graph {
        entry("graph", &graph_phrase(graph));
    } else if let Some(about) = about {
        entry("vacuity", &vacuity_phrase(verdict, about));
    }
    text
}

/// What is claimed of a program, line by line.
fn about_entries(about: &About, claim: Claim) -> Vec<(&'static str, String)> {
    let mut entries = vec![("entry", escaped(&about.entry))];
    for (position, input) in about.inputs.iter().enumerate() {
        entries.push((if position == 0 { "inputs" } else { "" }, input.clone()));
    }
    if about.inputs.is_empty() {
        entries.push(("inputs", String::from("none")));
    }
    entries.push(("under", about.conditions.join("; ")));
    if claim == Claim::Safe {
        entries.push(("checks", checks_phrase(about)));
        entries.push(("assertions", assertions_phrase(&about.assertions)));
    }
    entries
}

fn graph_phrase(graph: &Graph) -> String {
    let (vertices, edges) = (graph.vertices.len(), graph.edges.len());
    let digest = hexadecimal(&digest(&encoding(graph)));
    format!("sha256 {digest}, {vertices} vertices, {edges} edges")
}

/// Of a script that asks several times, a certificate answers one question.
fn question_phrase(question: u32, compared: Option<&Comparison>) -> String {
    match compared.and_then(|comparison| comparison.questions) {
        Some(count) => format!("check-sat {question} of {count}"),
        None => format!("check-sat {question} of the script, as the certificate says"),
    }
}

fn trusted_phrase(compared: Option<&Comparison>, verdict: &Verdict) -> String {
    let reader = match (compared, verdict.parameters) {
        (None, _) => "",
        (Some(Comparison { options: None, .. }), Some(_)) => ", the reader of transition systems",
        (Some(_), Some(_)) => ", the front end, cc -E where it is used",
        (Some(_), None) if verdict.claim == Claim::Unsatisfiable => ", the reader of SMT-LIB",
        (Some(_), None) => ", the reader of models",
    };
    format!("kernel {} (source sha256 {}){reader}", KERNEL.0, KERNEL.1)
}

fn replayed_phrase(verdict: &Verdict) -> String {
    let counts = &verdict.counts;
    match (verdict.parameters, verdict.claim) {
        (Some(_), _) => format!(
            "{} rules, {} templates, {} steps of ground runs",
            counts.rules, counts.templates, counts.steps
        ),
        (None, Claim::Unsafe) => format!("{} steps", counts.steps),
        (None, Claim::Unsatisfiable) => format!("{} clauses", counts.rules),
        (None, _) => format!(
            "{} transitions of products are covered, {} lines",
            counts.rules, counts.templates
        ),
    }
}

const fn subject_name(verdict: &Verdict) -> &'static str {
    match (verdict.parameters, verdict.claim) {
        (Some(_), _) => "program",
        (None, Claim::Unsatisfiable) => "formula",
        (None, _) => "model",
    }
}

/// What a claim says.
const fn meaning(verdict: &Verdict) -> &'static str {
    match (verdict.claim, verdict.parameters) {
        (Claim::Safe, _) => "no execution from a valid input fails, unless it is ignored first",
        (Claim::Unsafe, Some(_)) => "the execution that the certificate describes fails",
        (Claim::Unsafe, None) => "the trace that the certificate describes leads from Init to Bad",
        (Claim::Paths(Ends::Complete), _) => {
            "the graph has every feasible path from the entry to Halt or the program's own failure, and only paths along the program's edges"
        }
        (Claim::Paths(Ends::Anywhere), _) => {
            "the graph has every feasible path from the entry, and only paths along the program's edges; it ends where the program is ignored \
             or an access is invalid"
        }
        (Claim::Unsatisfiable, _) => {
            "no values of its constants make all assertions true: integers of any size, arrays over all integers"
        }
        (Claim::Invariant, _) => {
            "no configuration in Bad is reachable from Init, for trees of every size"
        }
    }
}

/// What the values of a failing run may be that C does not have.
fn open_phrase(places: &[String]) -> String {
    let mut listed: Vec<String> = places
        .iter()
        .take(LISTED)
        .map(|place| escaped(place))
        .collect();
    if places.len() > LISTED {
        listed.push(format!("and {} more (--json)", places.len() - LISTED));
    }
    format!(
        "values of which C says more are any here, so that the file need not fail: {}",
        listed.join(", ")
    )
}

fn checks_phrase(about: &About) -> String {
    let kinds: Vec<String> = about
        .checks
        .iter()
        .map(|(kind, count)| format!("{} {count}", kind.name()))
        .collect();
    match about.checks.values().sum::<usize>() {
        0 => String::from("none"),
        total => format!("{total}: {}", kinds.join(", ")),
    }
}

fn assertions_phrase(assertions: &[Assertion]) -> String {
    let reached = assertions
        .iter()
        .filter(|assertion| assertion.reached)
        .count();
    match assertions.len() {
        0 => String::from("none in the program"),
        total => format!("{total}, of which ground runs reach {reached}"),
    }
}

fn vacuity_phrase(verdict: &Verdict, about: &About) -> String {
    let missed: Vec<&Assertion> = about
        .assertions
        .iter()
        .filter(|assertion| !assertion.reached)
        .collect();
    if verdict.claim == Claim::Unsafe {
        return String::from("excluded: the failure is reached");
    }
    match (verdict.is_vacuity_excluded(), missed.as_slice()) {
        (true, _) if about.assertions.is_empty() => {
            String::from("excluded: ground runs access memory")
        }
        (true, _) => format!(
            "excluded: ground runs reach every assertion ({})",
            about.assertions.len()
        ),
        (false, []) => String::from("not excluded: no ground run accesses memory"),
        (false, missed) => {
            let mut places: Vec<String> = missed
                .iter()
                .take(LISTED)
                .map(|assertion| place(assertion, &about.files))
                .collect();
            if missed.len() > LISTED {
                places.push(format!("and {} more (--json)", missed.len() - LISTED));
            }
            format!("not excluded: no ground run reaches {}", places.join(", "))
        }
    }
}

/// `FILE:LINE:COLUMN`
fn place(assertion: &Assertion, files: &[String]) -> String {
    let file = assertion
        .file
        .and_then(|file| files.get(usize::try_from(file).ok()?));
    match (file, assertion.line, assertion.column) {
        (Some(file), Some(line), Some(column)) => format!("{}:{line}:{column}", shortened(file)),
        _ => format!("location {}", assertion.location),
    }
}

/// What the certificate says of its source. Nobody has checked it.
fn origin_phrase(origin: &Origin, verdict: &Verdict) -> String {
    let file = escaped(&origin.file);
    if verdict.parameters.is_none() {
        return format!("{file}, as the certificate says");
    }
    let (definitions, includes) = (
        flags("-D", &origin.definitions),
        flags("-I", &origin.includes),
    );
    format!(
        "{file}, as the certificate says; definitions: {}; include folders: {}; waived assertions: {}",
        escaped(&definitions),
        escaped(&includes),
        escaped(&waivers::list(&origin.waived))
    )
}

fn source_phrase(compared: Option<&Comparison>) -> String {
    let Some(comparison) = compared else {
        return String::from("not compared (--source compares)");
    };
    let Comparison {
        subject,
        files,
        is_unchanged,
        options,
        differences,
        precondition,
        ..
    } = comparison;
    let file = escaped(&comparison.file());
    let bytes = match (files.len(), is_unchanged) {
        (1, true) => "the file is unchanged",
        (1, false) => "the file has changed since",
        (_, true) => "the files are unchanged",
        (_, false) => {
            "not the very files that it was made from: one has changed, or there are others, or in another order"
        }
    };
    let read = options.as_ref().map_or_else(
        String::new,
        |Options {
             entry,
             definitions,
             includes,
         }| {
            let (definitions, includes) = (flags("-D", definitions), flags("-I", includes));
            format!(
                "; read with entry {}, definitions: {}, include folders: {}",
                escaped(entry),
                escaped(&definitions),
                escaped(&includes)
            )
        },
    );
    match (differences.as_slice(), precondition) {
        ([], None) => format!("{file} is this {subject} ({bytes}){read}"),
        ([], Some(condition)) => {
            format!("{file} is this {subject}, under the precondition {condition} ({bytes}){read}")
        }
        _ => format!("{file} is another {subject} ({bytes}){read}"),
    }
}
