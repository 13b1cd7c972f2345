//! What is reported of drawn paths, in words and as JSON (`spec/reports.md`).

use super::{
    arguments::Draw,
    certificate::Checked,
    sample::{Drawn, Sample},
};
use crate::command::report::{hexadecimal, values};
use goatherd::{certify::refine::Excluded, encode::graph_digest};
use goatherd_certificates::program::{Instruction, Program};
use goatherd_frontend::escape;
use goatherd_paths::draw::{
    cover::{Criterion, Mixture, Quality},
    realise::{Drive, Realised, Reason},
};
use num_bigint::BigUint;
use serde::Serialize;
use std::{fmt::Write, time::Instant};

/// The version of the JSON.
const SCHEMA: &str = "goatherd-draw/1";

/// So many paths are listed in words.
const LISTED: usize = 20;

/// What is compared.
pub struct Samples<'a> {
    /// As the command line asks for.
    pub drawn: &'a Sample,
    /// Uniform ones, where that is something else.
    pub uniform: Option<&'a Sample>,
    /// Isotropic walks.
    pub isotropic: &'a Sample,
}

/// The report on drawn paths.
#[derive(Serialize, Debug)]
pub struct Report {
    schema: &'static str,
    certificate: String,
    file: String,
    program_digest: String,
    statement_digest: String,
    graph_digest: String,
    entry: String,
    seed: u64,
    max_length: usize,
    /// How many complete paths of at most that length there are: decimal digits.
    complete_paths: String,
    vertices: usize,
    edges: usize,
    method: Method,
    #[serde(skip_serializing_if = "Option::is_none")]
    refined: Option<Refined>,
    comparison: Comparison,
    paths: Vec<Path>,
    milliseconds: f64,
}

/// How the paths were drawn.
#[derive(Serialize, Debug)]
pub struct Method {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    classes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    least_probability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    greatest_possible: Option<f64>,
}

/// What `--refine` has done.
#[derive(Serialize, Debug)]
struct Refined {
    /// So many beginnings of paths were excluded with a proof.
    beginnings: usize,
    /// So many are infeasible as the solver says, and no proof was found.
    without_proof: usize,
    /// So many drawn paths were refuted by the solver; others were drawn in their place.
    drawn_again: u64,
}

#[derive(Serialize, Debug)]
struct Comparison {
    drawn: Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    uniform: Option<Summary>,
    isotropic: Summary,
}

#[derive(Serialize, Debug)]
struct Summary {
    walks: usize,
    /// How many ended within the length.
    paths: usize,
    distinct: usize,
    vertices: usize,
    edges: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    feasible: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    infeasible: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<usize>,
}

#[derive(Serialize, Debug)]
struct Path {
    number: usize,
    /// In steps.
    length: usize,
    /// The instructions at which the steps begin, and the last one's end.
    instructions: Vec<u32>,
    /// Where these stand in the source, if the program is C.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<String>,
    ends: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    feasible: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<Named>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<String>,
}

#[derive(Serialize, Debug)]
struct Named {
    name: String,
    value: String,
}

impl Method {
    /// Every complete path with the same probability.
    pub fn uniform() -> Self {
        Self { name: "uniform", classes: None, least_probability: None, greatest_possible: None }
    }

    /// So that edges or vertices are covered.
    pub fn cover(criterion: Criterion, mixture: &Mixture) -> Self {
        let name = if criterion == Criterion::Edges { "cover-edges" } else { "cover-vertices" };
        let (least, greatest) = match mixture.quality {
            Quality::Optimised { least, limit } => (least, Some(limit)),
            Quality::Equal { least } => (least, None),
        };
        Self { name, classes: Some(mixture.elements.len()), least_probability: Some(least), greatest_possible: greatest }
    }

    fn text(&self) -> String {
        let Some(least) = self.least_probability else { return "uniform: all complete paths are equally likely".to_owned() };
        let criterion = if self.name == "cover-edges" { "edge" } else { "vertex" };
        match self.greatest_possible {
            Some(greatest) => format!(
                "each {criterion} is on a drawn path with probability at least {least:.6}; no mixture gives more than {greatest:.6}"
            ),
            None => format!("each {criterion} is on a drawn path with probability at least {least:.6}; there are too many to do better"),
        }
    }
}

impl Summary {
    fn new(sample: &Sample) -> Self {
        let is_known = sample.paths.iter().any(|path| path.realised.is_some());
        let count = |is_so: fn(&Realised) -> bool| is_known.then(|| sample.how_many(is_so));
        Self {
            walks: sample.walks,
            paths: sample.paths.len(),
            distinct: sample.distinct,
            vertices: sample.vertices,
            edges: sample.edges,
            feasible: count(|realised| matches!(realised, Realised::Feasible(_))),
            infeasible: count(|realised| *realised == Realised::Infeasible),
            unknown: count(|realised| matches!(realised, Realised::Unknown(_))),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{} paths, {} distinct, {} edges, {} vertices", self.paths, self.distinct, self.edges, self.vertices);
        if self.paths < self.walks {
            let _ = write!(text, "; {} walks did not end in time", self.walks - self.paths);
        }
        if let (Some(feasible), Some(infeasible), Some(unknown)) = (self.feasible, self.infeasible, self.unknown) {
            let _ = write!(text, "; {feasible} feasible, {infeasible} infeasible, {unknown} unknown");
        }
        text
    }
}

impl Path {
    fn new(number: usize, checked: &Checked, drawn: &Drawn) -> Self {
        let program = &checked.statement.program;
        let stations = checked.certified.stations(&drawn.edges);
        let (feasible, reason) = match &drawn.realised {
            None => (None, None),
            Some(Realised::Feasible(_)) => (Some("yes"), None),
            Some(Realised::Infeasible) => (Some("no"), None),
            Some(Realised::Unknown(reason)) => (Some("unknown"), Some(phrase(checked, *reason))),
        };
        let (inputs, choices) = match &drawn.realised {
            Some(Realised::Feasible(Drive { inputs, choices, .. })) => {
                let inputs = values::inputs(program, inputs).into_iter().map(|(name, value)| Named { name, value }).collect();
                (inputs, choices.iter().map(i128::to_string).collect())
            }
            _ => (Vec::new(), Vec::new()),
        };
        Self {
            number,
            length: drawn.edges.len(),
            places: stations.iter().filter_map(|location| checked.place(*location)).collect(),
            instructions: stations.iter().map(|location| location.0).collect(),
            ends: end(program, drawn),
            feasible,
            reason,
            inputs,
            choices,
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{} steps, {}", self.length, self.ends);
        match (self.feasible, &self.reason) {
            (Some("yes"), _) => {
                let inputs: Vec<String> = self.inputs.iter().map(|Named { name, value }| format!("{name} = {value}")).collect();
                let _ = write!(text, ": {}", if inputs.is_empty() { "no inputs".to_owned() } else { inputs.join(", ") });
            }
            (Some("no"), _) => text += ": infeasible",
            (Some(_), Some(reason)) => {
                let _ = write!(text, ": unknown, {reason}");
            }
            _ => {}
        }
        text
    }
}

fn end(program: &Program, drawn: &Drawn) -> &'static str {
    match drawn.instructions.last().and_then(|location| program.instructions.get(location.index())) {
        Some(Instruction::Halt) => "ends",
        Some(Instruction::Fail { .. }) => "fails",
        _ => "goes on",
    }
}

fn phrase(checked: &Checked, reason: Reason) -> String {
    match reason {
        Reason::Solver => "the solver gives up".to_owned(),
        Reason::Values => "the solver's values do not drive it (what unwritten memory holds, how unrelated pointers compare)".to_owned(),
        Reason::Time => "the time was over before anything was found (--timeout)".to_owned(),
        Reason::Size => "it needs integers beyond 64 bits, or arrays of more than a million elements".to_owned(),
        Reason::Step(location, rejection) => {
            let place = checked.place(location).unwrap_or_else(|| format!("instruction {}", location.0));
            format!("{place} is not executed symbolically ({rejection:?})")
        }
    }
}

/// A drawn path as one line of JSON.
pub fn line(number: usize, checked: &Checked, drawn: &Drawn) -> String {
    // These types have no maps, so that serialising them does not fail.
    escape::json(&serde_json::to_string(&Path::new(number, checked, drawn)).unwrap_or_default()) + "\n"
}

impl Report {
    /// On what was drawn, and on uniform and isotropic walks beside it.
    pub fn new(
        arguments: &Draw,
        checked: &Checked,
        refined: Option<(Excluded, u64)>,
        (complete_paths, method): (&BigUint, Method),
        samples: &Samples<'_>,
        start: Instant,
    ) -> Self {
        let (verdict, graph) = (&checked.verdict, &checked.certified.graph);
        Self {
            schema: SCHEMA,
            certificate: arguments.certificate.display().to_string(),
            file: verdict.origin.file.clone(),
            program_digest: hexadecimal(&verdict.subject_digest),
            statement_digest: hexadecimal(&verdict.statement_digest),
            graph_digest: verdict.graph.as_ref().map(|graph| hexadecimal(&graph_digest(graph))).unwrap_or_default(),
            entry: checked.statement.program.entry.clone(),
            seed: arguments.seed,
            max_length: arguments.max_length,
            complete_paths: complete_paths.to_string(),
            vertices: graph.successors.len(),
            edges: graph.edge_count(),
            method,
            refined: refined.map(|(Excluded { beginnings, refused }, drawn_again)| Refined {
                beginnings,
                without_proof: refused.len(),
                drawn_again,
            }),
            comparison: Comparison {
                drawn: Summary::new(samples.drawn),
                uniform: samples.uniform.map(Summary::new),
                isotropic: Summary::new(samples.isotropic),
            },
            paths: samples.drawn.paths.iter().enumerate().map(|(number, path)| Path::new(number, checked, path)).collect(),
            milliseconds: start.elapsed().as_secs_f64() * 1e3,
        }
    }

    /// As one JSON object.
    pub fn json(&self) -> String {
        // These types have no maps, so that serialising them does not fail.
        escape::json(&serde_json::to_string_pretty(self).unwrap_or_default()) + "\n"
    }

    /// In words.
    pub fn text(&self) -> String {
        let mut text = format!("drawn: {} paths from {}\n", self.paths.len(), self.certificate);
        // Writing to a string does not fail.
        let mut entry = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<13}{value}");
        };
        entry("graph", format!("{} vertices, {} edges; sha256 {}", self.vertices, self.edges, self.graph_digest));
        entry("paths", format!("{} complete paths of at most {} steps", self.complete_paths, self.max_length));
        entry("method", self.method.text());
        if let Some(Refined { beginnings, without_proof, drawn_again }) = self.refined {
            let again = format!("{drawn_again} drawn paths refuted by the solver, and others drawn in their place");
            entry("refined", format!("{beginnings} beginnings of paths excluded, {without_proof} infeasible without a proof; {again}"));
        }
        entry("drawn", self.comparison.drawn.text());
        if let Some(uniform) = &self.comparison.uniform {
            entry("uniform", uniform.text());
        }
        entry("isotropic", self.comparison.isotropic.text());
        for path in self.paths.iter().take(LISTED) {
            entry(&format!("path {}", path.number), path.text());
        }
        if self.paths.len() > LISTED {
            entry("", format!("and {} more (--json, --out)", self.paths.len() - LISTED));
        }
        entry("time", format!("{:.1} ms", self.milliseconds));
        text
    }
}
