//! One page that shows the states beside the source: without other files, and readable without scripts.

mod rows;
mod words;

use super::{super::report::hexadecimal, subject::Subject};
use goatherd::{
    paths::{contract::Contracted, lts::Location, states::StateGraph, text::edge_lines},
    prove::Accepted,
};
use goatherd_certificates::certificate::{Arithmetic, Position};
use rows::{Link, Row, Rows};
use std::{collections::BTreeMap, fmt::Write, fs, path::Path};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Height of a row, and where its first line of text stands.
const HEIGHT: usize = 34;
/// From one lane of links to the next.
const LANE: usize = 11;

/// What the page shows.
pub struct Page<'a> {
    pub file: &'a Path,
    pub subject: &'a Subject,
    pub states: &'a StateGraph,
    pub contracted: &'a Contracted,
    pub accepted: &'a Accepted,
}

impl Page<'_> {
    /// The text of the page.
    pub fn text(&self) -> String {
        let source = fs::read_to_string(self.file).unwrap_or_default();
        let lines = self.lines(&source);
        let rows = Rows::new(self.subject, self.states);
        let title = escaped(&self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy());
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
            let _ = writeln!(text, "<li data-line=\"{number}\"><code>{}</code></li>", escaped(line));
        }
        text += "</ol>\n</section>\n<section class=\"graph\" aria-label=\"States\">\n";
        text += &self.picture(&rows, &lines);
        text += "</section>\n</main>\n<aside aria-live=\"polite\"><p>Point at a state to see its line, and at a line to see its states. A click keeps them.</p></aside>\n";
        let _ = writeln!(text, "<script>\n{SCRIPT}</script>\n</body>\n</html>");
        text
    }

    fn header(&self, text: &mut String, rows: &Rows) {
        let graph = &self.contracted.graph;
        let digest = self.accepted.verdict.graph.as_ref().map(|graph| hexadecimal(&graph.digest)).unwrap_or_default();
        let (states, marks) = (rows.states.len(), rows.states.iter().map(|row| row.marks.len()).sum::<usize>());
        let links = rows.links.iter().filter(|link| link.is_subsumption).count();
        let name = self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy();
        let _ = writeln!(text, "<header>\n<h1>Paths of {}</h1>", escaped(&name));
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
        let _ = writeln!(text, "</dl>\n<p class=\"digest\">graph sha256 {digest}</p>");
        text.push_str(LEGEND);
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
            return lines;
        }
        for (instruction, location) in &self.subject.realisation.landmarks {
            if let Some(Position { file: 0, line, .. }) = self.subject.about.positions.get(instruction.index()) {
                lines.entry(*location).or_default().push(*line);
            }
        }
        lines
    }

    fn picture(&self, rows: &Rows, lines: &BTreeMap<Location, Vec<u32>>) -> String {
        let left = (rows.lanes + 1) * LANE + 16;
        let indent = rows.states.iter().map(|row| self.caption(row).chars().count() * 8).max().unwrap_or(0) + 16;
        let width = left + 24 + indent + rows.states.iter().map(width).max().unwrap_or(0);
        let height = rows.states.len() * HEIGHT + 12;
        let mut text = String::new();
        let _ = writeln!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" preserveAspectRatio=\"xMinYMin\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"States, from the first to those that follow\">"
        );
        text += "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerUnits=\"userSpaceOnUse\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\"/></marker></defs>\n";
        for link in &rows.links {
            let _ = writeln!(text, "{}", link_path(link, left));
        }
        for (position, row) in rows.states.iter().enumerate() {
            self.row(&mut text, position, row, lines, [left, left + 20 + indent]);
        }
        text + "</svg>\n"
    }

    fn row(&self, text: &mut String, position: usize, row: &Row, lines: &BTreeMap<Location, Vec<u32>>, [left, right]: [usize; 2]) {
        let y = middle(position);
        let numbers: Vec<String> = lines.get(&row.location).into_iter().flatten().map(u32::to_string).collect();
        let kind = match (row.is_final, row.is_kept) {
            (true, _) => "final",
            (false, true) => "inner",
            (false, false) => "dropped",
        };
        let part = if row.is_black { "black" } else { "red" };
        let _ = writeln!(
            text,
            "<g class=\"state {kind} {part}\" tabindex=\"0\" data-row=\"{position}\" data-lines=\"{}\" data-literals=\"{}\" data-safeguards=\"{}\" data-marks=\"{}\" data-ways=\"{}\">",
            numbers.join(" "),
            escaped(&row.literals.join("\n")),
            escaped(&row.safeguards.join("\n")),
            escaped(&row.marks.join("\n")),
            escaped(&row.ways.join("\n")),
        );
        let caption = self.caption(row);
        let _ = writeln!(text, "<title>{}</title>", escaped(&[&[caption.clone()][..], &row.literals[..]].concat().join("\n")));
        let _ = writeln!(
            text,
            "<rect class=\"band\" x=\"{}\" y=\"{}\" width=\"100%\" height=\"{}\"/>",
            left + 2,
            y - HEIGHT / 2 + 1,
            HEIGHT - 2
        );
        if row.is_final {
            let _ = writeln!(text, "<circle class=\"ring\" cx=\"{left}\" cy=\"{y}\" r=\"10\"/>");
        }
        let _ = writeln!(text, "<circle class=\"dot\" cx=\"{left}\" cy=\"{y}\" r=\"7\"/>");
        let mut x = right;
        let _ = writeln!(text, "<text class=\"caption\" x=\"{}\" y=\"{}\">{}</text>", left + 20, y + 4, escaped(&caption));
        for (class, literals) in [("literal", &row.literals), ("safeguard", &row.safeguards), ("mark", &row.marks)] {
            for literal in literals {
                let shown = if class == "mark" { format!("\u{d7} {literal}") } else { literal.clone() };
                let width = chip(&shown);
                let _ = writeln!(
                    text,
                    "<rect class=\"{class}\" x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"20\" rx=\"10\"/><text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
                    y - 10,
                    x + 9,
                    y + 4,
                    escaped(&shown)
                );
                x += width + 6;
            }
        }
        text.push_str("</g>\n");
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

const LEGEND: &str = "<ul class=\"legend\">\n\
<li><span class=\"dot\"></span> state: a location and what is known there</li>\n\
<li><span class=\"dot black\"></span> black: a location alone, where the strategy red-black has ended its red part</li>\n\
<li><span class=\"dot final\"></span> a path is complete</li>\n\
<li><span class=\"dot dropped\"></span> no path goes on from here to an end: not in the certified graph</li>\n\
<li><span class=\"line\"></span> edge</li>\n\
<li><span class=\"line subsumed\"></span> subsumption: leads to a state that was there before</li>\n\
<li><span class=\"chip literal\">x &lt;= 3</span> tracked literal</li>\n\
<li><span class=\"chip mark\">\u{d7} [x &gt; 3]</span> marked: this edge is refuted</li>\n\
<li><span class=\"chip safeguard\">not (x &gt; 3)</span> safeguard condition: no state here may satisfy this, so that a path that was found to be infeasible stays so</li>\n\
</ul>\n";

fn middle(position: usize) -> usize {
    position * HEIGHT + HEIGHT / 2 + 6
}

fn chip(text: &str) -> usize {
    text.chars().count() * 7 + 18
}

fn width(row: &Row) -> usize {
    let literals = row.literals.iter().map(|literal| chip(literal) + 6);
    let safeguards = row.safeguards.iter().map(|safeguard| chip(safeguard) + 6);
    literals.chain(safeguards).chain(row.marks.iter().map(|mark| chip(mark) + 20)).sum::<usize>() + 20
}

fn link_path(link: &Link, left: usize) -> String {
    // What leaves a state is below what arrives.
    let (start, end) = (middle(link.from) + 4, middle(link.to) - 4);
    let class = if link.is_subsumption { "link subsumed" } else { "link" };
    let data = format!("class=\"{class}\" data-from=\"{}\" data-to=\"{}\"", link.from, link.to);
    let title = format!("<title>{}</title>", escaped(&link.label));
    let Some(lane) = link.lane else {
        return format!("<path {data} d=\"M{left} {} V{}\" marker-end=\"url(#tip)\">{title}</path>", start + 4, end - 6);
    };
    if link.from == link.to {
        let x = left - 8;
        return format!("<path {data} d=\"M{x} {} c-22 -14 -22 22 0 8\" marker-end=\"url(#tip)\">{title}</path>", start - 4);
    }
    let (x, edge) = (left - (lane + 1) * LANE - 13, left - 9);
    let radius = 8;
    let (first, last, sweep) = if start < end { (start + radius, end - radius, 0) } else { (start - radius, end + radius, 1) };
    let inner = x + radius;
    format!(
        "<path {data} d=\"M{edge} {start} H{inner} A{radius} {radius} 0 0 {sweep} {x} {first} V{last} A{radius} {radius} 0 0 {sweep} {inner} {end} H{edge}\" marker-end=\"url(#tip)\">{title}</path>"
    )
}

/// As text or an attribute of HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Of an edge: what it does, and where it leads.
fn way(subject: &Subject, edge: usize, names: &[String]) -> String {
    let edge = &subject.lts.edges[edge];
    let label = words::edge(edge, names);
    if label.is_empty() { format!("to {}", edge.target) } else { format!("{label} to {}", edge.target) }
}
