//! The certified graph of a claim about paths, as DOT (Graphviz).

use crate::print::position;
use goatherd_certificates::{certificate::Certificate, program::Instruction};
use goatherd_claims::Graph;
use goatherd_frontend::{escape, print::program::Names};
use std::fmt::Write;

/// The graph, each vertex with its instruction. Landmarks are boxes, other vertices points; where complete paths end the frame is double.
pub fn dot<R>(graph: &Graph, certificate: &Certificate<R>) -> String {
    let landmarks = &certificate.statement.landmarks;
    let names = Names::new(&certificate.statement.program);
    let mut text = String::from("digraph paths {\n    node [shape=box, fontname=monospace];\n");
    for (vertex, location) in graph.vertices.iter().enumerate() {
        let is_landmark = landmarks.is_empty() || landmarks.binary_search(location).is_ok();
        let instruction = certificate
            .statement
            .program
            .instructions
            .get(location.index());
        let is_end = matches!(
            instruction,
            Some(Instruction::Halt | Instruction::Fail { .. })
        );
        let place = position(certificate, *location);
        let label = [
            Some(location.0.to_string()),
            place.clone(),
            instruction.map(|instruction| names.instruction(instruction)),
        ];
        let label = escape::dot(&label.into_iter().flatten().collect::<Vec<_>>().join(": "));
        let shape = if is_landmark || is_end {
            ""
        } else {
            ", shape=plaintext"
        };
        let frame = if is_end { ", peripheries=2" } else { "" };
        let place = place
            .map(|place| format!(", tooltip={}", escape::dot(&place)))
            .unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(text, "    v{vertex} [label={label}{shape}{frame}{place}];");
    }
    if let Some(root) = graph.root {
        let _ = writeln!(
            text,
            "    entry [shape=none, label=\"\"];\n    entry -> v{};",
            root.0
        );
    }
    for (source, target) in &graph.edges {
        let _ = writeln!(text, "    v{} -> v{};", source.0, target.0);
    }
    text.push_str("}\n");
    text
}

/// The bytes whose digest names the graph (`spec/calculus.md#paths`).
pub fn encoding(graph: &Graph) -> Vec<u8> {
    let count = u32::try_from(graph.vertices.len()).unwrap_or(u32::MAX);
    let numbers = [graph.root.map_or(u32::MAX, |root| root.0), count]
        .into_iter()
        .chain(graph.vertices.iter().map(|location| location.0));
    numbers
        .chain(graph.edges.iter().flat_map(|(start, end)| [start.0, end.0]))
        .flat_map(u32::to_le_bytes)
        .collect()
}
