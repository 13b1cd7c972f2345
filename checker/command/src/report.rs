//! Verdicts in words and as JSON.

use crate::{arguments::Expected, graph::encoding, messages, print::position, source::Comparison};
use goatherd_certificates::{
    certificate::{Certificate, Claim, Ends, Evidence, Parameters},
    derivation::Rule,
};
use goatherd_checker::{
    budget::Budget,
    decode::Rules,
    error::{Failure, Where},
    rejection::Rejection,
    verdict::Verdict,
};
use goatherd_frontend::escape::escaped;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The exit status for wrong usage or input.
pub const INPUT: u8 = 3;

/// What came of a check.
#[derive(Debug)]
pub enum Outcome {
    /// The kernel accepts the certificate.
    Accepted {
        /// What it shows.
        verdict: Box<Verdict>,
        /// What it was checked under, in words; nothing of a model.
        conditions: Vec<&'static str>,
        /// The program's assertions.
        assertions: Vec<Assertion>,
        /// What `--source` found.
        compared: Option<Comparison>,
    },
    /// The kernel does not accept it.
    Failed {
        /// Why.
        failure: Failure,
        /// The name of the rule at fault.
        rule: Option<&'static str>,
    },
    /// The file given by `--source` is another program or model.
    OtherProgram(Comparison),
}

/// An assertion of the program.
#[derive(Serialize, Debug)]
pub struct Assertion {
    location: u32,
    /// `FILE:LINE:COLUMN`
    position: Option<String>,
    reached: bool,
}

/// The program's assertions, with their places in the source.
pub fn assertions<R>(verdict: &Verdict, certificate: &Certificate<R>) -> Vec<Assertion> {
    let describe = |&(location, reached): &(goatherd_certificates::program::Location, bool)| Assertion {
        location: location.0,
        position: position(certificate, location),
        reached,
    };
    verdict.counts.assertions.iter().map(describe).collect()
}

/// The name of the rule that a rejection is about.
pub fn rule(failure: Failure, certificate: &Certificate<Rules<'_>>) -> Option<&'static str> {
    let Failure::Rejected { place, .. } = failure else { return None };
    let (Evidence::Proof(proof) | Evidence::Paths { proof, .. }) = &certificate.evidence else { return None };
    let (derivation, rule) = match place {
        Where::Root { rule, .. } => (&proof.roots, rule),
        Where::Derivation { template, rule } => (proof.derivations.get(usize::try_from(template).ok()?)?, rule),
        _ => return None,
    };
    let (mut rules, mut budget) = (*derivation, Budget::new(certificate.limits.memory));
    for _ in 0..rule {
        rules.next(&mut budget).ok()??;
    }
    rules.next(&mut budget).ok()?.as_ref().map(rule_name)
}

/// A rule's name, as in `spec/calculus.md`.
pub const fn rule_name(rule: &Rule) -> &'static str {
    match rule {
        Rule::Step { .. } => "Step",
        Rule::StepDecided { .. } => "StepDecided",
        Rule::Split { .. } => "Split",
        Rule::Infeasible { .. } => "Infeasible",
        Rule::AddScapegoat { .. } => "AddScapegoat",
        Rule::Drop { .. } => "Drop",
        Rule::Subsume { .. } => "Subsume",
        Rule::Descent { .. } => "Descent",
        Rule::End => "End",
        Rule::Let { .. } => "Let",
        Rule::Unfold { .. } => "Unfold",
        Rule::Steps { .. } => "Steps",
    }
}

/// A claim's name.
pub const fn claim_name(claim: Claim) -> &'static str {
    match claim {
        Claim::Safe => "Safe",
        Claim::Unsafe => "Unsafe",
        Claim::Invariant => "Invariant",
        Claim::Paths(_) => "Paths",
    }
}

/// SHA-256.
pub fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// A digest in hexadecimal.
pub fn hexadecimal(digest: &[u8; 32]) -> String {
    digest.map(|byte| format!("{byte:02x}")).concat()
}

/// The version of the JSON (`spec/reports.md`).
const SCHEMA: &str = "goatherd-check/1";

/// The version of the kernel and the digest of its source.
const KERNEL: (&str, &str) = (env!("CARGO_PKG_VERSION"), env!("KERNEL_SOURCE_DIGEST"));

impl Outcome {
    /// The exit status.
    pub fn status(&self, expected: Expected) -> u8 {
        match self {
            Self::Accepted { verdict, .. } if expected.is(verdict.claim) => 0,
            Self::Accepted { .. } => 4,
            Self::Failed { failure: Failure::Declined(_), .. } => 2,
            Self::Failed { .. } | Self::OtherProgram(_) => 1,
        }
    }

    /// The verdict in words.
    pub fn text(&self) -> String {
        match self {
            Self::Accepted { verdict, conditions, assertions, compared } => accepted(verdict, conditions, assertions, compared.as_ref()),
            Self::Failed { failure: Failure::Declined(declined), .. } => format!("declined: {}\n", messages::declined(*declined)),
            Self::Failed { failure, rule: None } => format!("rejected: {}\n", messages::failure(*failure)),
            Self::Failed { failure, rule: Some(rule) } => format!("rejected: {rule}: {}\n", messages::failure(*failure)),
            Self::OtherProgram(comparison) => format!("rejected: {}\n", source_phrase(comparison)),
        }
    }

    /// The verdict as a JSON object on several lines.
    pub fn json(&self, expected: Expected) -> String {
        let refused = |verdict, kind, rule, reason| json(&Refused { schema: SCHEMA, verdict, kind, rule, reason });
        match self {
            Self::Accepted { verdict, assertions, compared, .. } => accepted_json(verdict, assertions, compared.as_ref(), expected),
            Self::Failed { failure, rule } => {
                let (verdict, kind) = match failure {
                    Failure::Declined(_) => ("declined", None),
                    Failure::Rejected { rejection: Rejection::Malformed(_), .. } => ("rejected", Some("malformed")),
                    Failure::Rejected { rejection: Rejection::IllFormed(_), .. } => ("rejected", Some("ill-formed")),
                    Failure::Rejected { .. } => ("rejected", Some("rule")),
                };
                refused(verdict, kind, *rule, messages::failure(*failure))
            }
            Self::OtherProgram(comparison) => refused("rejected", Some("source"), None, source_phrase(comparison)),
        }
    }
}

fn accepted(verdict: &Verdict, conditions: &[&str], assertions: &[Assertion], compared: Option<&Comparison>) -> String {
    let Verdict { parameters, subject_digest, statement_digest, origin, counts, graph, peak_memory, .. } = verdict;
    let source = match compared {
        Some(comparison) => source_phrase(comparison),
        None => format!("not compared; the certificate names {} (--source compares)", escaped(&origin.file)),
    };
    let mut text = format!("accepted: {}\n", claim_name(verdict.claim));
    // Writing to a string does not fail.
    let mut entry = |name, value: String| {
        let _ = writeln!(text, "  {name:<10}{value}");
    };
    entry("meaning", String::from(meaning(verdict)));
    if !conditions.is_empty() {
        entry("under", conditions.join("; "));
    }
    entry(if parameters.is_some() { "program" } else { "model" }, format!("sha256 {}", hexadecimal(subject_digest)));
    entry("statement", format!("sha256 {}", hexadecimal(statement_digest)));
    entry("source", source);
    let trusted = match (compared, parameters) {
        (None, _) => "",
        (Some(_), Some(_)) => ", the front end, cc -E where it is used",
        (Some(_), None) => ", the reader of models",
    };
    entry("trusted", format!("kernel {} (source sha256 {}){trusted}", KERNEL.0, KERNEL.1));
    let replayed = match (parameters, verdict.claim) {
        (Some(_), _) => format!("{} rules, {} templates, {} steps of ground runs", counts.rules, counts.templates, counts.steps),
        (None, Claim::Unsafe) => format!("{} steps", counts.steps),
        (None, _) => format!("{} transitions of products are covered, {} lines", counts.rules, counts.templates),
    };
    entry("replayed", replayed);
    entry("memory", format!("{peak_memory} bytes"));
    if let Some(graph) = graph {
        let (vertices, edges) = (graph.vertices.len(), graph.edges.len());
        entry("graph", format!("sha256 {}, {vertices} vertices, {edges} edges", hexadecimal(&digest(&encoding(graph)))));
    } else if parameters.is_some() {
        entry("vacuity", vacuity_phrase(verdict, assertions));
    }
    text
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
        (Claim::Invariant, _) => "no configuration in Bad is reachable from Init, for trees of every size",
    }
}

fn vacuity_phrase(verdict: &Verdict, assertions: &[Assertion]) -> String {
    let missed: Vec<_> = assertions.iter().filter(|assertion| !assertion.reached).collect();
    if verdict.claim == Claim::Unsafe {
        return String::from("excluded: the failure is reached");
    }
    match (verdict.is_vacuity_excluded(), missed.as_slice()) {
        (true, _) if assertions.is_empty() => String::from("excluded: ground runs access memory"),
        (true, _) => format!("excluded: ground runs reach every assertion ({})", assertions.len()),
        (false, []) => String::from("not excluded: no ground run accesses memory"),
        (false, missed) => {
            let places = missed.iter().map(|missed| missed.position.clone().unwrap_or_else(|| format!("location {}", missed.location)));
            format!("not excluded: no ground run reaches {}", places.collect::<Vec<_>>().join(", "))
        }
    }
}

fn source_phrase(comparison: &Comparison) -> String {
    let Comparison { subject, file, is_unchanged, difference, precondition } = comparison;
    let bytes = if *is_unchanged { "the file is unchanged" } else { "the file has changed since" };
    match difference {
        Some(difference) => format!("{file} is another {subject}: {difference} ({bytes})"),
        None if *precondition > 0 => {
            format!("{file} is this {subject}, under the precondition of its first {precondition} instructions (--print) ({bytes})")
        }
        None => format!("{file} is this {subject} ({bytes})"),
    }
}

#[derive(Serialize)]
struct Refused {
    schema: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    reason: String,
}

#[derive(Serialize)]
struct Accepted<'a> {
    schema: &'static str,
    verdict: &'static str,
    claim: &'static str,
    expected: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<&'a Parameters>,
    #[serde(skip_serializing_if = "Option::is_none")]
    program_digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_digest: Option<String>,
    statement_digest: String,
    origin: Origin<'a>,
    source: Option<Source<'a>>,
    trusted: Trusted,
    rules: u64,
    templates: u64,
    steps: u64,
    peak_memory: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<GraphSize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vacuity: Option<Vacuity<'a>>,
}

#[derive(Serialize)]
struct GraphSize {
    digest: String,
    vertices: usize,
    edges: usize,
}

#[derive(Serialize)]
struct Origin<'a> {
    file: &'a str,
    digest: String,
    definitions: &'a [String],
}

#[derive(Serialize)]
struct Source<'a> {
    file: &'a str,
    unchanged: bool,
    #[serde(skip_serializing_if = "is_zero")]
    precondition: usize,
}

/// Serde hands out references.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Serialize)]
struct Trusted {
    kernel_version: &'static str,
    kernel_source_digest: &'static str,
    front_end: bool,
}

#[derive(Serialize)]
struct Vacuity<'a> {
    excluded: bool,
    memory_accessed: bool,
    assertions: &'a [Assertion],
}

fn accepted_json(verdict: &Verdict, assertions: &[Assertion], compared: Option<&Comparison>, expected: Expected) -> String {
    let Verdict { origin, counts, .. } = verdict;
    json(&Accepted {
        schema: SCHEMA,
        verdict: "accepted",
        claim: claim_name(verdict.claim),
        expected: expected.is(verdict.claim),
        parameters: verdict.parameters.as_ref(),
        program_digest: verdict.parameters.map(|_| hexadecimal(&verdict.subject_digest)),
        model_digest: verdict.parameters.is_none().then(|| hexadecimal(&verdict.subject_digest)),
        statement_digest: hexadecimal(&verdict.statement_digest),
        origin: Origin { file: &origin.file, digest: hexadecimal(&origin.digest), definitions: &origin.definitions },
        source: compared.map(|comparison| Source {
            file: &comparison.file,
            unchanged: comparison.is_unchanged,
            precondition: comparison.precondition,
        }),
        trusted: Trusted { kernel_version: KERNEL.0, kernel_source_digest: KERNEL.1, front_end: compared.is_some() },
        rules: counts.rules,
        templates: counts.templates,
        steps: counts.steps,
        peak_memory: verdict.peak_memory,
        graph: verdict.graph.as_ref().map(|graph| GraphSize {
            digest: hexadecimal(&digest(&encoding(graph))),
            vertices: graph.vertices.len(),
            edges: graph.edges.len(),
        }),
        vacuity: verdict.parameters.filter(|_| verdict.graph.is_none()).map(|_| Vacuity {
            excluded: verdict.claim == Claim::Unsafe || verdict.is_vacuity_excluded(),
            memory_accessed: counts.memory_accessed,
            assertions,
        }),
    })
}

fn json<T: Serialize>(value: &T) -> String {
    // These types have no maps, so that serialising them does not fail.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
