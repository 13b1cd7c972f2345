//! What was found, in words and as JSON (`spec/archive.md`).

use crate::{
    examine::KERNEL,
    standing::{Comparing, Standing, Strictness},
    verify::Survey,
};
use goatherd_frontend::{
    confirm::Confirmed,
    escape::{self, escaped},
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt::Write};

/// Names the form of the JSON.
const SCHEMA: &str = "goatherd-archive/1";

/// How it was looked at.
pub type Manner = (Strictness, Comparing);

/// The worst of what fails; current if nothing does.
pub fn worst(survey: &Survey<'_>, (strictness, comparing): Manner) -> Standing {
    survey
        .standings()
        .filter(|standing| standing.fails(strictness, comparing))
        .min()
        .unwrap_or(Standing::Current)
}

/// How many are of each standing, the worst first.
fn counts(survey: &Survey<'_>) -> Vec<(&'static str, usize)> {
    let count = |standing| {
        survey
            .standings()
            .filter(|other| *other == standing)
            .count()
    };
    Standing::ALL
        .into_iter()
        .map(|standing| (standing.word(), count(standing)))
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// A line for each target that is not current, and the sum.
pub fn text(survey: &Survey<'_>) -> String {
    let mut text = String::new();
    let mut line = |standing: Standing, name: &str, why: Option<&str>| {
        let why = why
            .map(|why| format!(": {}", escaped(why)))
            .unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(text, "{:<15} {}{why}", standing.word(), escaped(name));
    };
    for (target, finding) in survey
        .targets
        .iter()
        .filter(|(_, finding)| finding.standing != Standing::Current)
    {
        line(
            finding.standing,
            &target.to_string(),
            finding.why.as_deref(),
        );
    }
    for record in &survey.unlisted {
        line(
            Standing::Unlisted,
            &record.to_string_lossy(),
            Some("no task names it"),
        );
    }
    let counts: Vec<String> = counts(survey)
        .into_iter()
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    let targets = survey.targets.len();
    let _ = writeln!(
        text,
        "{targets} {}: {}",
        if targets == 1 { "target" } else { "targets" },
        counts.join(", ")
    );
    text + &types(survey)
}

/// Of how many targets the C compiler has confirmed the types, and why not of the others; nothing where no program was compared.
fn types(survey: &Survey<'_>) -> String {
    let said = || {
        survey
            .targets
            .iter()
            .filter_map(|(target, finding)| Some((target, finding.types.as_ref()?)))
    };
    let confirmed = said()
        .filter(|(_, types)| matches!(types, Confirmed::Confirmed { .. }))
        .count();
    let other = said().find(|(_, types)| !matches!(types, Confirmed::Confirmed { .. }));
    match (said().count(), other) {
        (0, _) => String::new(),
        (all, None) => format!("types of {all} confirmed by cc\n"),
        (all, Some((target, types))) => format!(
            "types of {confirmed} of {all} confirmed by cc; of {} {}\n",
            escaped(&target.to_string()),
            escaped(&types.to_string())
        ),
    }
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    verdict: &'static str,
    frozen: bool,
    source: bool,
    kernel_source_digest: &'static str,
    counts: BTreeMap<&'static str, usize>,
    targets: Vec<Line<'a>>,
    unlisted: Vec<String>,
}

#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    entry: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    standing: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    program_digest: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    types: Option<&'a Confirmed>,
}

/// All of it as one object.
pub fn json(survey: &Survey<'_>, manner: Manner) -> String {
    let targets = survey.targets.iter().map(|(target, finding)| Line {
        file: &target.file,
        entry: &target.terms.entry,
        name: target.name.as_deref(),
        standing: finding.standing.word(),
        why: finding.why.as_deref(),
        certificate: finding.certificate.as_deref(),
        program_digest: finding.program.as_deref(),
        types: finding.types.as_ref(),
    });
    let report = Report {
        schema: SCHEMA,
        verdict: worst(survey, manner).word(),
        frozen: manner.0 == Strictness::Frozen,
        source: manner.1 == Comparing::Programs,
        kernel_source_digest: KERNEL,
        counts: counts(survey).into_iter().collect(),
        targets: targets.collect(),
        unlisted: survey
            .unlisted
            .iter()
            .map(|record| record.to_string_lossy().into_owned())
            .collect(),
    };
    // The map has names for keys, so that serialising does not fail.
    escape::json(&(serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"))
}
