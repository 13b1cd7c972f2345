//! What came of it, in words and as JSON (`spec/archive.md`).

use super::work::{Answered, Origin};
use crate::command::process::told::{Told, Verdict};
use goatherd_archive::{examine::KERNEL, target::Target};
use goatherd_frontend::escape::{self, escaped};
use serde::Serialize;
use std::collections::BTreeMap;

/// Names the form of the JSON.
const SCHEMA: &str = "goatherd-batch/1";

/// One target in one line.
pub fn line(target: &Target, answered: &Answered) -> String {
    let summary = answered.told.summary();
    let why = if summary.is_empty() { summary } else { format!(": {}", escaped(&summary)) };
    format!("{:<9} {}{why}\n", answered.told.verdict.word(), escaped(&target.to_string()))
}

/// How many targets have each verdict, the worst first; of those that are proved, how many proofs were there before.
pub fn summary(all: &[(&Target, Answered)]) -> String {
    let reused = all.iter().filter(|(_, answered)| is_reused(answered)).count();
    let counts = Verdict::ALL.into_iter().filter_map(|verdict| {
        let count = all.iter().filter(|(_, answered)| answered.told.verdict == verdict).count();
        (count > 0).then(|| format!("{count} {}", verdict.word()))
    });
    let targets = if all.len() == 1 { "target" } else { "targets" };
    let again = if reused > 0 { format!("; {reused} from the archive") } else { String::new() };
    format!("{} {targets}: {}{again}\n", all.len(), counts.collect::<Vec<_>>().join(", "))
}

fn is_reused(answered: &Answered) -> bool {
    answered.proof.as_ref().is_some_and(|proof| proof.origin == Origin::Reused)
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    kernel_source_digest: &'static str,
    counts: BTreeMap<&'static str, usize>,
    targets: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    entry: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(flatten)]
    told: &'a Told,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<Kept<'a>>,
}

#[derive(Serialize)]
struct Kept<'a> {
    reused: bool,
    certificate: &'a str,
    program_digest: &'a str,
}

/// All of it as one object.
pub fn json(all: &[(&Target, Answered)]) -> String {
    let mut counts = BTreeMap::new();
    for (_, answered) in all {
        *counts.entry(answered.told.verdict.word()).or_default() += 1;
    }
    let targets = all.iter().map(|(target, answered)| Line {
        file: &target.file,
        entry: &target.terms.entry,
        name: target.name.as_deref(),
        told: &answered.told,
        proof: answered.proof.as_ref().map(|proof| Kept {
            reused: proof.origin == Origin::Reused,
            certificate: &proof.certificate,
            program_digest: &proof.program,
        }),
    });
    let report = Report { schema: SCHEMA, kernel_source_digest: KERNEL, counts, targets: targets.collect() };
    // The map has words for keys, so that serialising does not fail.
    escape::json(&(serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"))
}
