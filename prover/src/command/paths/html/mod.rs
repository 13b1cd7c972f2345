//! One page that shows the states beside the source: without other files, and readable without scripts.

mod picture;
mod rows;
mod words;

use super::{exactness::Exactness, subject::Subject};
use crate::command::report::hexadecimal;
use goatherd::{certify::Accepted, encode::graph_digest};
use goatherd_certificates::certificate::{Arithmetic, Position};
use goatherd_frontend::escape::xml;
use goatherd_paths::{contract::Contracted, states::StateGraph};
use goatherd_systems::{
    lts::Location,
    text::{edge_lines, final_line},
};
use rows::{Course, Row, Rows};
use std::{collections::BTreeMap, fmt::Write, fs, path::Path};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What the page shows.
pub struct Page<'a> {
    pub file: &'a Path,
    pub subject: &'a Subject,
    pub states: &'a StateGraph,
    pub contracted: &'a Contracted,
    pub accepted: &'a Accepted,
    pub exactness: &'a Exactness,
}

impl Page<'_> {
    /// The text of the page.
    pub fn text(&self) -> String {
        let source = fs::read_to_string(self.file).unwrap_or_default();
        let lines = self.lines(&source);
        let rows = Rows::new(self.subject, self.states);
        let title = xml(&self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy());
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Paths of {title}</title>");
        let _ = writeln!(
            text,
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<style>\n{STYLE}</style>\n</head>\n<body>"
        );
        self.header(&mut text, &rows);
        text += "<main>\n<section class=\"source\" aria-label=\"Source\">\n<ol>\n";
        for (number, line) in (1u32..).zip(source.lines()) {
            let _ = writeln!(text, "<li data-line=\"{number}\"><code>{}</code></li>", xml(line));
        }
        text += "</ol>\n</section>\n<section class=\"graph\" aria-label=\"States\">\n";
        text += &self.picture(&rows, &lines);
        text += "</section>\n</main>\n<aside aria-live=\"polite\"><p>Point at a state to see its line, and at a line to see its states. A click keeps them.</p></aside>\n";
        let _ = writeln!(text, "<script>\n{SCRIPT}</script>\n</body>\n</html>");
        text
    }

    fn header(&self, text: &mut String, rows: &Rows) {
        let graph = &self.contracted.graph;
        let digest = self.accepted.verdict.graph.as_ref().map(|graph| hexadecimal(&graph_digest(graph))).unwrap_or_default();
        let (states, marks) = (rows.states.len(), rows.states.iter().map(|row| row.marks.len()).sum::<usize>());
        let links = rows.links.iter().filter(|link| link.is_subsumption).count();
        let name = self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy();
        let _ = writeln!(text, "<header>\n<h1>Paths of {}</h1>", xml(&name));
        let _ = writeln!(text, "<dl>");
        let mut entry = |name: &str, value: String| {
            let _ = writeln!(text, "<div><dt>{name}</dt><dd>{value}</dd></div>");
        };
        entry("certified graph", format!("{} vertices, {} edges", graph.successors.len(), graph.edge_count()));
        let black = rows.states.iter().filter(|row| row.is_black).count();
        entry("states", if black == 0 { states.to_string() } else { format!("{states}, {black} of them black") });
        entry("marks", marks.to_string());
        entry("subsumptions", links.to_string());
        for (length, count) in [30, 50, 100].into_iter().zip(graph.count_paths(&[30, 50, 100])) {
            entry(&format!("P({length})"), count.to_string());
        }
        entry("exact", xml(self.exactness.text()));
        let _ = writeln!(text, "</dl>\n<p class=\"digest\">graph sha256 {digest}</p>");
        text.push_str(&legend(rows));
        if rows.is_cut {
            let _ = writeln!(text, "<p class=\"note\">Only the first {states} states are shown.</p>");
        }
        text.push_str("</header>\n");
    }

    /// By location: its lines of the source.
    fn lines(&self, source: &str) -> BTreeMap<Location, Vec<u32>> {
        let mut lines: BTreeMap<Location, Vec<u32>> = BTreeMap::new();
        if self.subject.about.parameters.arithmetic == Arithmetic::Unbounded {
            // A transition system: the edges stand in its text in their order.
            for (edge, number) in self.subject.lts.edges.iter().zip(edge_lines(source)) {
                lines.entry(edge.source).or_default().push(number);
            }
            for location in &self.subject.lts.finals {
                lines.entry(*location).or_insert_with(|| final_line(source).into_iter().collect());
            }
            return lines;
        }
        for (instruction, location) in &self.subject.realisation.landmarks {
            if let Some(Position { file: 0, line, .. }) = self.subject.about.positions.get(instruction.index()) {
                lines.entry(*location).or_default().push(*line);
            }
        }
        lines
    }

    /// What a row says first: the location, and where it stands.
    fn caption(&self, row: &Row) -> String {
        let instruction = self.subject.realisation.landmarks.iter().find(|(_, location)| **location == row.location);
        let place = instruction.and_then(|(instruction, _)| {
            let Position { line, column, .. } = self.subject.about.positions.get(instruction.index())?;
            Some(format!("{line}:{column}"))
        });
        place.map_or_else(|| row.location.to_string(), |place| format!("{} at {place}", row.location))
    }
}

/// What the signs mean that the page has.
fn legend(rows: &Rows) -> String {
    let has = |sign: fn(&Row) -> bool| rows.states.iter().any(sign);
    let entries = [
        (true, "<span class=\"dot\"></span> state: a location and what is known there"),
        (
            has(|row| row.is_black),
            "<span class=\"dot black\"></span> black: a location alone, where the strategy red-black has ended its red part",
        ),
        (has(|row| row.is_final), "<span class=\"dot final\"></span> a path is complete"),
        (has(|row| !row.is_kept), "<span class=\"dot dropped\"></span> no path goes on from here to an end: not in the certified graph"),
        (true, "<span class=\"line\"></span> edge"),
        (
            rows.links.iter().any(|link| link.is_subsumption),
            "<span class=\"line subsumed\"></span> subsumption: leads to a state that was there before",
        ),
        (
            rows.links.iter().any(|link| link.course == Course::Number),
            "<span class=\"chip jump\">\u{2192} 7</span> edge to the state of this number",
        ),
        (has(|row| !row.literals.is_empty()), "<span class=\"chip literal\">x &lt;= 3</span> tracked literal"),
        (has(|row| !row.marks.is_empty()), "<span class=\"chip mark\">\u{d7} [x &gt; 3]</span> marked: this edge is refuted"),
        (
            has(|row| !row.safeguards.is_empty()),
            "<span class=\"chip safeguard\">not (x &gt; 3)</span> safeguard condition: no state here may satisfy this, so that a path that was found to be infeasible stays so",
        ),
    ];
    let mut list = String::from("<ul class=\"legend\">\n");
    for (_, entry) in entries.iter().filter(|(occurs, _)| *occurs) {
        // Writing to a string does not fail.
        let _ = writeln!(list, "<li>{entry}</li>");
    }
    list + "</ul>\n"
}

/// Of an edge: what it does, and where it leads.
fn way(subject: &Subject, edge: usize, names: &[String]) -> String {
    let edge = &subject.lts.edges[edge];
    let label = words::edge(edge, names);
    if label.is_empty() { format!("to {}", edge.target) } else { format!("{label} to {}", edge.target) }
}
