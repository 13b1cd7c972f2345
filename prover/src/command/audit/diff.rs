//! `goatherd diff`

use super::{
    accepted::{Offered, limit},
    arguments::Diff,
};
use crate::command::{Exit, Trouble, print, report, tell};
use goatherd_audit::{
    difference::{Compared, Difference},
    graph::{Graphing, ProofVertex},
    labels::Labels,
    page::{FirstPage, Kernel},
    replay::Audit,
};
use goatherd_certificates::certificate::Certificate;
use goatherd_checker::decode::Rules;
use goatherd_frontend::escape::{escaped, json};
use serde::Serialize;

/// What is printed as JSON.
#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    #[serde(flatten)]
    difference: &'a Difference,
}

/// Compares.
pub fn run(arguments: &Diff) -> Result<Exit, Trouble> {
    let paths = [&arguments.first, &arguments.second];
    let _limited = limit(arguments.memory);
    let offered = paths.map(|path| Offered { path, memory: arguments.memory });
    let [first, second] = offered.map(Offered::read);
    let read = [first?, second?];
    let mut accepted = Vec::new();
    for (offered, read) in offered.into_iter().zip(&read) {
        match read.as_deref().map_err(Clone::clone).and_then(|bytes| offered.accept(bytes)) {
            Ok((certificate, verdict)) => {
                let kernel = Kernel { version: report::TRUSTED.kernel_version, digest: report::TRUSTED.kernel_source_digest };
                let page = FirstPage::new(&certificate, &verdict, kernel);
                let graph = graph(&certificate)?;
                accepted.push((certificate, page, graph));
            }
            Err(message) => {
                tell(&format!("goatherd: {message}\n"));
                return Ok(Exit::Input);
            }
        }
    }
    let sides: Vec<Compared<'_>> = accepted
        .iter()
        .map(|(certificate, page, graph)| Compared {
            page,
            program: &certificate.statement.program,
            positions: &certificate.positions,
            graph,
        })
        .collect();
    let [left, right] = sides.as_slice() else { return Err(Trouble::Internal("there are two certificates".to_owned())) };
    let difference = Difference::new(*left, *right);
    let [first, second] = paths.map(|path| escaped(&path.to_string_lossy()));
    if arguments.json {
        let report = Report { schema: "goatherd-diff/1", difference: &difference };
        let text = serde_json::to_string_pretty(&report).map_err(|error| Trouble::Internal(error.to_string()))?;
        print(&format!("{}\n", json(&text)))?;
    } else {
        print(&difference.text(&first, &second))?;
    }
    Ok(if difference.is_empty() { Exit::Done } else { Exit::Unsafe })
}

/// The proof as a graph; nothing where the evidence is a run.
fn graph(certificate: &Certificate<Rules<'_>>) -> Result<Vec<ProofVertex>, Trouble> {
    let failed = |failure| Trouble::Internal(format!("the proof cannot be replayed: {failure:?}"));
    let Some(audit) = Audit::new(certificate).map_err(failed)? else { return Ok(Vec::new()) };
    let labels = Labels::new(&audit);
    let mut watcher = Graphing::new(&labels);
    audit.replay(&mut watcher).map_err(failed)?;
    Ok(watcher.vertices())
}
