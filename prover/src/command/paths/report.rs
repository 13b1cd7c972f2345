//! What is reported of a graph, in words and as JSON (`spec/paths.md#reports`).

use super::{Instant, arguments::Paths, exactness::Exactness, search::Found, subject::Subject};
use crate::command::report::hexadecimal;
use goatherd::{certify::Accepted, encode::graph_digest};
use goatherd_frontend::escape;
use goatherd_paths::{contract::Contracted, graph::Graph};
use serde::Serialize;
use std::{fmt::Write, path::Path};

/// The version of the JSON.
const SCHEMA: &str = "goatherd-paths/1";

/// The report on a certified graph.
#[derive(Serialize, Debug)]
pub struct Report {
    schema: &'static str,
    verdict: &'static str,
    file: String,
    certificate: Certificate,
    before: Size,
    after: Size,
    paths: Vec<Count>,
    stopped: String,
    #[serde(flatten)]
    exactness: Exactness,
    rounds: usize,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    parts: Option<Parts>,
    milliseconds: f64,
}

/// Of a red-black graph: how many edges come from its red part, and from its black part.
#[derive(Serialize, Debug)]
struct Parts {
    red_edges: usize,
    black_edges: usize,
}

#[derive(Serialize, Debug)]
struct Certificate {
    path: String,
    bytes: usize,
    program_digest: String,
    statement_digest: String,
    graph_digest: String,
    templates: u64,
    rules: u64,
}

/// Of a graph of locations.
#[derive(Serialize, Debug)]
struct Size {
    vertices: usize,
    edges: usize,
}

/// How many paths have at most so many steps: exact, and as decimal digits, since there may be more than numbers of JSON hold.
#[derive(Serialize, Debug)]
struct Count {
    length: usize,
    before: String,
    after: String,
}

#[derive(Serialize)]
struct Unknown<'a> {
    schema: &'static str,
    verdict: &'static str,
    file: &'a str,
    reason: &'a str,
}

/// Says as JSON why there is no graph.
pub fn unknown_json(file: &str, reason: &str) -> String {
    json(&Unknown { schema: SCHEMA, verdict: "unknown", file, reason })
}

fn json<T: Serialize>(value: &T) -> String {
    // These types have no maps, so that serialising them does not fail.
    escape::json(&serde_json::to_string_pretty(value).unwrap_or_default()) + "\n"
}

impl Size {
    fn of(graph: &Graph) -> Self {
        Self { vertices: graph.successors.len(), edges: graph.edge_count() }
    }
}

impl Report {
    /// On a graph that the checker has accepted, with the certificate at this path.
    pub fn new(
        arguments: &Paths,
        subject: &Subject,
        found: &Found,
        contracted: &Contracted,
        (path, accepted): (&Path, &Accepted),
        exactness: Exactness,
        start: Instant,
    ) -> Self {
        let before = Graph::of(&subject.lts);
        let counts = before.count_paths(&arguments.count).into_iter().zip(contracted.graph.count_paths(&arguments.count));
        let paths = arguments.count.iter().zip(counts);
        let paths = paths.map(|(length, (before, after))| Count { length: *length, before: before.to_string(), after: after.to_string() });
        let verdict = &accepted.verdict;
        let (reachable, edges) = (subject.lts.reachable(), &subject.lts.edges);
        Self {
            schema: SCHEMA,
            verdict: "certified",
            file: arguments.input.file.display().to_string(),
            certificate: Certificate {
                path: path.display().to_string(),
                bytes: accepted.bytes.len(),
                program_digest: hexadecimal(&verdict.subject_digest),
                statement_digest: hexadecimal(&verdict.statement_digest),
                graph_digest: verdict.graph.as_ref().map(|graph| hexadecimal(&graph_digest(graph))).unwrap_or_default(),
                templates: verdict.counts.templates,
                rules: verdict.counts.rules,
            },
            before: Size { vertices: reachable.len(), edges: edges.iter().filter(|edge| reachable.contains(&edge.source)).count() },
            after: Size::of(&contracted.graph),
            paths: paths.collect(),
            stopped: found.stopped.clone(),
            exactness,
            rounds: found.rounds,
            parts: found.parts.map(|(red_edges, black_edges)| Parts { red_edges, black_edges }),
            milliseconds: start.elapsed().as_secs_f64() * 1e3,
        }
    }

    /// As one JSON object.
    pub fn json(&self) -> String {
        json(self)
    }

    /// In words.
    pub fn text(&self) -> String {
        let mut text = format!("certified: {}\n", self.file);
        // Writing to a string does not fail.
        let mut entry = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<13}{value}");
        };
        let Self { before, after, certificate, .. } = self;
        entry("vertices", format!("{}, before {}", after.vertices, before.vertices));
        entry("edges", format!("{}, before {}", after.edges, before.edges));
        for Count { length, before, after } in &self.paths {
            entry(&format!("P({length})"), format!("{after}, before {before}"));
        }
        entry("stopped", format!("{}, after {} rounds", self.stopped, self.rounds));
        entry("exact", self.exactness.text().to_owned());
        entry("graph", format!("sha256 {}", certificate.graph_digest));
        entry(
            "certificate",
            format!("{}, {} bytes, {} templates, {} rules", certificate.path, certificate.bytes, certificate.templates, certificate.rules),
        );
        entry("statement", format!("sha256 {}", certificate.statement_digest));
        entry("time", format!("{:.1} ms", self.milliseconds));
        text
    }
}
