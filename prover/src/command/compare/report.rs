//! A comparison in words and as JSON (`spec/reports.md#comparisons`).

use super::{
    outcome::{Beside, Compared, Standing},
    results::{Claim, Said},
};
use crate::command::process::told::Told;
use goatherd_archive::examine::KERNEL;
use goatherd_frontend::escape::{self, escaped};
use serde::Serialize;
use std::{collections::BTreeMap, fmt::Write};

/// Names the form of the JSON.
const SCHEMA: &str = "goatherd-compare/1";

/// All programs, what matters most first; then how the tools stand beside the certificates.
pub fn text(tools: &[String], all: &[Compared<'_>]) -> String {
    let mut text = String::new();
    for compared in all {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{:<13} {}", compared.standing().word(), escaped(&compared.program.file));
        let summary = compared.own.told.summary();
        let why = if summary.is_empty() { summary } else { format!(": {}", escaped(&summary)) };
        let _ = writeln!(text, "  goatherd: {}{why}", compared.own.told.verdict.word());
        let said = tools.iter().zip(&compared.program.said).filter_map(|(tool, said)| Some((tool, said.as_ref()?)));
        for (tool, said) in said {
            let _ = writeln!(text, "  {}: {}", escaped(tool), escaped(&said.words));
        }
        if let Some(own) = &compared.own.certified {
            let _ = writeln!(text, "  certificate: {}", escaped(&own.certificate.to_string_lossy()));
        }
    }
    let counts = counts(all).into_iter().map(|(standing, count)| format!("{count} {}", standing.word()));
    let programs = if all.len() == 1 { "program" } else { "programs" };
    let _ = writeln!(text, "{} {programs}: {}", all.len(), counts.collect::<Vec<_>>().join(", "));
    for (number, tool) in tools.iter().enumerate() {
        let Beside { agrees, contradicted, more, less } = Beside::of(number, all);
        let _ = writeln!(
            text,
            "{}: agrees {agrees}, contradicted {contradicted}, verdict without certificate {more}, certificate without verdict {less}",
            escaped(tool)
        );
    }
    text
}

/// How many there are of each standing, what matters most first.
fn counts(all: &[Compared<'_>]) -> Vec<(Standing, usize)> {
    let count = |standing| all.iter().filter(|compared| compared.standing() == standing).count();
    Standing::ALL.into_iter().map(|standing| (standing, count(standing))).filter(|(_, count)| *count > 0).collect()
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    kernel_source_digest: &'static str,
    counts: BTreeMap<&'static str, usize>,
    tools: Vec<Tool<'a>>,
    programs: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    agrees: usize,
    contradicted: usize,
    more: usize,
    less: usize,
}

#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    standing: &'static str,
    goatherd: &'a Told,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<String>,
    said: Vec<Word<'a>>,
}

#[derive(Serialize)]
struct Word<'a> {
    tool: &'a str,
    words: &'a str,
    /// `safe`, `unsafe` or `none`.
    verdict: &'static str,
}

/// All of it as one object.
pub fn json<'a>(tools: &'a [String], all: &'a [Compared<'_>]) -> String {
    let tool = |(number, name): (usize, &'a String)| {
        let Beside { agrees, contradicted, more, less } = Beside::of(number, all);
        Tool { name, agrees, contradicted, more, less }
    };
    let report = Report {
        schema: SCHEMA,
        kernel_source_digest: KERNEL,
        counts: counts(all).into_iter().map(|(standing, count)| (standing.word(), count)).collect(),
        tools: tools.iter().enumerate().map(tool).collect(),
        programs: all.iter().map(|compared| line(tools, compared)).collect(),
    };
    // The map has words for keys, so that serialising does not fail.
    escape::json(&(serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"))
}

fn line<'a>(tools: &'a [String], compared: &'a Compared<'_>) -> Line<'a> {
    let word = |(tool, said): (&'a String, &'a Option<Said>)| {
        let Said { words, claim } = said.as_ref()?;
        Some(Word { tool, words, verdict: claim.map_or("none", verdict) })
    };
    Line {
        file: &compared.program.file,
        standing: compared.standing().word(),
        goatherd: &compared.own.told,
        certificate: compared.own.certified.as_ref().map(|own| own.certificate.to_string_lossy().into_owned()),
        said: tools.iter().zip(&compared.program.said).filter_map(word).collect(),
    }
}

const fn verdict(claim: Claim) -> &'static str {
    match claim {
        Claim::Safe => "safe",
        Claim::Unsafe => "unsafe",
    }
}
