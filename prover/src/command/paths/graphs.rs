//! The certified graph as DOT (Graphviz), `GraphML` or JSON: a vertex per location of the transition system.

use super::subject::Subject;
use crate::command::Trouble;
use goatherd_frontend::escape;
use goatherd_paths::contract::Contracted;
use goatherd_systems::lts::Edge;
use serde::Serialize;
use std::{fmt::Write, path::Path};

/// How a graph is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For Graphviz.
    Dot,
    /// XML.
    Graphml,
    /// One object.
    Json,
}

impl Format {
    /// By the extension of the file.
    pub fn of(path: &Path) -> Result<Self, Trouble> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("dot") => Ok(Self::Dot),
            Some("graphml") => Ok(Self::Graphml),
            Some("json") => Ok(Self::Json),
            _ => Err(Trouble::Usage(format!("--graph {}: the file's name ends in .dot, .graphml or .json", path.display()))),
        }
    }
}

#[derive(Serialize)]
struct Vertex {
    #[serde(rename = "vertex")]
    number: usize,
    location: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    is_final: bool,
}

#[derive(Serialize)]
struct Step {
    source: usize,
    target: usize,
    /// Position among the edges of the transition system.
    edge: usize,
    label: String,
}

#[derive(Serialize)]
struct Drawing {
    schema: &'static str,
    root: Option<usize>,
    vertices: Vec<Vertex>,
    edges: Vec<Step>,
}

/// The text of the file.
pub fn text(format: Format, contracted: &Contracted, subject: &Subject) -> String {
    let drawing = Drawing::new(contracted, subject);
    match format {
        Format::Dot => drawing.dot(),
        Format::Graphml => drawing.graphml(),
        Format::Json => escape::json(&serde_json::to_string_pretty(&drawing).unwrap_or_default()) + "\n",
    }
}

impl Drawing {
    fn new(contracted: &Contracted, subject: &Subject) -> Self {
        let names = subject.lts.names();
        let vertices = contracted.locations.iter().enumerate().map(|(vertex, location)| Vertex {
            number: vertex,
            location: subject.realisation.landmarks.get(location).copied().unwrap_or_default(),
            place: subject.place(*location),
            is_final: contracted.graph.finals.contains(&vertex),
        });
        let steps = contracted
            .graph
            .successors
            .iter()
            .enumerate()
            .flat_map(|(source, successors)| successors.iter().map(move |(edge, target)| (source, *edge, *target)));
        let edges = steps.map(|(source, edge, target)| Step { source, target, edge, label: label(&subject.lts.edges[edge], &names) });
        Self { schema: "goatherd-graph/1", root: contracted.graph.root, vertices: vertices.collect(), edges: edges.collect() }
    }

    fn dot(&self) -> String {
        let mut text = String::from("digraph paths {\n    node [shape=circle];\n");
        for Vertex { number: vertex, location, place, is_final } in &self.vertices {
            let frame = if *is_final { ", shape=doublecircle" } else { "" };
            let place = place.as_ref().map(|place| format!(", tooltip={}", escape::dot(place))).unwrap_or_default();
            // Writing to a string does not fail.
            let _ = writeln!(text, "    v{vertex} [label=\"{location}\"{frame}{place}];");
        }
        if let Some(root) = self.root {
            let _ = writeln!(text, "    entry [shape=none, label=\"\"];\n    entry -> v{root};");
        }
        for Step { source, target, label, .. } in &self.edges {
            let _ = writeln!(text, "    v{source} -> v{target} [label={}];", escape::dot(label));
        }
        text + "}\n"
    }

    fn graphml(&self) -> String {
        let mut text =
            String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
        for (id, of, kind) in
            [("location", "node", "int"), ("final", "node", "boolean"), ("root", "node", "boolean"), ("place", "node", "string")]
                .into_iter()
                .chain([("edge", "edge", "int"), ("label", "edge", "string")])
        {
            let _ = writeln!(text, "  <key id=\"{id}\" for=\"{of}\" attr.name=\"{id}\" attr.type=\"{kind}\"/>");
        }
        text += "  <graph edgedefault=\"directed\">\n";
        let data = |key: &str, value: &str| format!("<data key=\"{key}\">{}</data>", escape::xml(value));
        for Vertex { number: vertex, location, place, is_final } in &self.vertices {
            let is_root = self.root == Some(*vertex);
            let place = place.as_ref().map(|place| data("place", place)).unwrap_or_default();
            let entries =
                [data("location", &location.to_string()), data("final", &is_final.to_string()), data("root", &is_root.to_string()), place];
            let _ = writeln!(text, "    <node id=\"v{vertex}\">{}</node>", entries.concat());
        }
        for Step { source, target, edge, label } in &self.edges {
            let entries = [data("edge", &edge.to_string()), data("label", label)].concat();
            let _ = writeln!(text, "    <edge source=\"v{source}\" target=\"v{target}\">{entries}</edge>");
        }
        text + "  </graph>\n</graphml>\n"
    }
}

/// The guard and the assignments, as `spec/paths.md#text` writes them.
fn label(edge: &Edge, names: &[String]) -> String {
    let guard: Vec<String> = edge.guard.iter().map(|literal| literal.show(names).to_string()).collect();
    let name = |variable: &u32| usize::try_from(*variable).ok().and_then(|position| names.get(position)).map_or("?", String::as_str);
    let assignments = edge.assignments.iter().map(|(variable, value)| format!("{} := {}", name(variable), value.show(names)));
    let assignments = assignments.collect::<Vec<_>>().join(", ");
    let guard = if guard.is_empty() { String::new() } else { format!("[{}]", guard.join(" && ")) };
    [guard, assignments].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
