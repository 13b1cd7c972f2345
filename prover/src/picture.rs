//! Pictures: graphs in the DOT language, and as SVG.

use layout::{
    backends::svg::SVGWriter,
    gv::{DotParser, GraphBuilder},
};
use std::fmt::{Display, Write};

/// A graph under construction.
#[derive(Default, Debug)]
pub struct Graph {
    text: String,
}

/// A text as a DOT string.
fn quoted(text: impl Display) -> String {
    format!("\"{}\"", text.to_string().replace('\\', "\\\\").replace('"', "\\\""))
}

impl Graph {
    /// A node; `attributes` are further ones, with a comma before each.
    pub fn node(&mut self, name: impl Display, label: impl Display, attributes: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "    {name} [label={}{attributes}];", quoted(label));
    }

    /// An edge.
    pub fn edge(&mut self, from: impl Display, to: impl Display, label: impl Display) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "    {from} -> {to} [label={}];", quoted(label));
    }

    /// The whole.
    pub fn finish(self) -> String {
        format!("digraph {{\n{}}}\n", self.text)
    }
}

/// Graphs with more lines are not laid out: it would take long, and nobody could read them.
const LARGEST: usize = 400;

/// A graph as SVG; none where it is too large.
pub fn svg(dot: &str) -> Option<String> {
    if dot.lines().count() > LARGEST {
        return None;
    }
    let graph = DotParser::new(dot).process().ok()?;
    let mut builder = GraphBuilder::new();
    builder.visit_graph(&graph);
    let mut visual = builder.get();
    let mut writer = SVGWriter::new();
    visual.do_it(false, false, false, &mut writer);
    Some(writer.finalize())
}
