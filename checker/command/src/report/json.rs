//! Verdicts as JSON (`spec/reports.md`).

use super::{Accepted, KERNEL, digest, hexadecimal, names::claim_name};
use crate::{
    claim::{About, Assertion},
    demands::Difference,
    graph::encoding,
    second::Opinion,
    source::Comparison,
};
use goatherd_archive::messages;
use goatherd_certificates::certificate::{Claim, Parameters};
use goatherd_checker::{error::Failure, rejection::Rejection};
use goatherd_claims::verdict::{Counts, Verdict};
use goatherd_frontend::{checks::Kind, confirm::Confirmed, escape};
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the JSON.
const SCHEMA: &str = "goatherd-check/2";

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

/// Of a certificate of which nothing is said.
pub fn declined(reason: &str) -> String {
    json(&Refused {
        schema: SCHEMA,
        verdict: "declined",
        kind: None,
        rule: None,
        reason: reason.to_owned(),
    })
}

/// Where one of those that a verdict rests on is at fault.
pub fn internal(reason: &str) -> String {
    json(&Refused {
        schema: SCHEMA,
        verdict: "internal",
        kind: None,
        rule: None,
        reason: reason.to_owned(),
    })
}

/// Of a certificate that does not show what it claims.
pub fn rejected(failure: Failure, rule: Option<&'static str>) -> String {
    let kind = match failure {
        Failure::Rejected {
            rejection: Rejection::Malformed(_),
            ..
        } => "malformed",
        Failure::Rejected {
            rejection: Rejection::IllFormed(_),
            ..
        } => "ill-formed",
        Failure::Rejected { .. } | Failure::Declined(_) => "rule",
    };
    json(&Refused {
        schema: SCHEMA,
        verdict: "rejected",
        kind: Some(kind),
        rule,
        reason: messages::failure(failure),
    })
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    verdict: &'static str,
    claim: &'static str,
    expected: bool,
    differences: &'a [Difference],
    #[serde(flatten)]
    subject: Option<Subject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula_digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<u32>,
    statement_digest: String,
    origin: Origin<'a>,
    source: Option<Source<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    types: Option<&'a Confirmed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<&'a Opinion>,
    trusted: Trusted,
    rules: u64,
    templates: u64,
    steps: u64,
    peak_memory: u64,
    work: u64,
    declared: Declared,
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<GraphSize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vacuity: Option<Vacuity<'a>>,
}

/// What a claim about a program is about.
#[derive(Serialize)]
struct Subject<'a> {
    entry: &'a str,
    inputs: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Parameters>,
    under: &'a [String],
    program_digest: String,
    files: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<Checks<'a>>,
}

#[derive(Serialize)]
struct Checks<'a> {
    total: usize,
    kinds: &'a BTreeMap<Kind, usize>,
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
    includes: &'a [String],
    waived: &'a [String],
}

#[derive(Serialize)]
struct Source<'a> {
    file: String,
    same: bool,
    unchanged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    definitions: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    includes: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precondition: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    questions: Option<usize>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    open_values: &'a [String],
}

/// The most that a certificate says that checking it takes.
#[derive(Serialize)]
struct Declared {
    memory: u64,
    work: u64,
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

/// Of an accepted certificate.
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
        parameters,
        origin,
        counts,
        graph,
        ..
    } = verdict;
    let Counts {
        rules,
        templates,
        steps,
        memory_accessed,
        ..
    } = *counts;
    let subject = about.as_ref().map(
        |About {
             entry,
             inputs,
             conditions,
             checks,
             files,
             ..
         }| Subject {
            entry,
            inputs,
            parameters: *parameters,
            under: conditions,
            program_digest: hexadecimal(&verdict.subject_digest),
            files,
            checks: (*claim == Claim::Safe).then(|| Checks {
                total: checks.values().sum(),
                kinds: checks,
            }),
        },
    );
    json(&Report {
        schema: SCHEMA,
        verdict: "accepted",
        claim: claim_name(*claim),
        expected: differences.is_empty(),
        differences,
        subject,
        model_digest: (parameters.is_none() && question.is_none())
            .then(|| hexadecimal(&verdict.subject_digest)),
        formula_digest: question.map(|_| hexadecimal(&verdict.subject_digest)),
        question: *question,
        statement_digest: hexadecimal(&verdict.statement_digest),
        origin: Origin {
            file: &origin.file,
            digest: hexadecimal(&origin.digest),
            definitions: &origin.definitions,
            includes: &origin.includes,
            waived: &origin.waived,
        },
        source: compared.as_ref().map(source),
        types: types.as_ref(),
        second: second.as_ref(),
        trusted: Trusted {
            kernel_version: KERNEL.0,
            kernel_source_digest: KERNEL.1,
            front_end: compared
                .as_ref()
                .is_some_and(|comparison| comparison.options.is_some()),
        },
        rules,
        templates,
        steps,
        peak_memory: verdict.peak_memory,
        work: verdict.work,
        declared: Declared {
            memory: declared.memory,
            work: declared.work,
        },
        graph: graph.as_ref().map(|graph| GraphSize {
            digest: hexadecimal(&digest(&encoding(graph))),
            vertices: graph.vertices.len(),
            edges: graph.edges.len(),
        }),
        vacuity: about
            .as_ref()
            .filter(|_| graph.is_none())
            .map(|about| Vacuity {
                excluded: *claim == Claim::Unsafe || verdict.is_vacuity_excluded(),
                memory_accessed,
                assertions: &about.assertions,
            }),
    })
}

fn source(comparison: &Comparison) -> Source<'_> {
    let options = comparison.options.as_ref();
    Source {
        file: comparison.file(),
        same: comparison.differences.is_empty(),
        unchanged: comparison.is_unchanged,
        entry: options.map(|options| options.entry.as_str()),
        definitions: options.map(|options| options.definitions.as_slice()),
        includes: options.map(|options| options.includes.as_slice()),
        precondition: comparison.precondition.as_deref(),
        questions: comparison.questions,
        open_values: &comparison.open_values,
    }
}

fn json<T: Serialize>(value: &T) -> String {
    // These types have no maps but of names, so that serialising them does not fail.
    escape::json(&(serde_json::to_string_pretty(value).unwrap_or_default() + "\n"))
}
