//! The states as a picture: a row per state, links in lanes on the left, what is known on the right.

use super::{
    Page,
    rows::{Course, Link, Row, Rows},
};
use goatherd_frontend::escape::xml;
use goatherd_systems::lts::Location;
use std::{collections::BTreeMap, fmt::Write};

/// Height of a row.
const HEIGHT: usize = 34;
/// From one lane of links to the next.
const LANE: usize = 11;
/// A row shows so many literals; what is known beyond that is in its title and in the panel.
const MOST_LITERALS: usize = 8;

impl Page<'_> {
    /// The picture. By location, the lines of the source that a row belongs to.
    pub(super) fn picture(&self, rows: &Rows, lines: &BTreeMap<Location, Vec<u32>>) -> String {
        let dot = (rows.lanes + 1) * LANE + 16;
        let number = dot + 18;
        let caption = number + 8 * rows.states.len().to_string().len() + 10;
        let longest = rows.states.iter().map(|row| self.caption(row).chars().count()).max().unwrap_or(0);
        let columns = Columns { dot, number, caption, chips: caption + longest * 8 + 14 };
        let mut contents = String::new();
        for link in &rows.links {
            contents += &columns.link(link, rows.states[link.to].is_final);
        }
        let mut width = columns.chips;
        for (position, row) in rows.states.iter().enumerate() {
            let jumps = rows.links.iter().filter(|link| link.from == position && link.course == Course::Number);
            let (text, end) = self.row(&columns, position, row, lines, jumps);
            contents += &text;
            width = width.max(end + 10);
        }
        let height = rows.states.len() * HEIGHT + 12;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" preserveAspectRatio=\"xMinYMin\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"States, from the first to those that follow\">\n\
             <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerUnits=\"userSpaceOnUse\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\"/></marker></defs>\n\
             {contents}</svg>\n"
        )
    }

    /// A row, and where it ends on the right.
    fn row<'a>(
        &self,
        columns: &Columns,
        position: usize,
        row: &Row,
        lines: &BTreeMap<Location, Vec<u32>>,
        jumps: impl Iterator<Item = &'a Link>,
    ) -> (String, usize) {
        let Columns { dot, number, caption, chips } = *columns;
        let y = middle(position);
        let numbers: Vec<String> = lines.get(&row.location).into_iter().flatten().map(u32::to_string).collect();
        let kind = match (row.is_final, row.is_kept) {
            (true, _) => "final",
            (false, true) => "inner",
            (false, false) => "dropped",
        };
        let part = if row.is_black { "black" } else { "red" };
        let ways: Vec<String> = row.ways.iter().map(|(way, target)| numbered(way, *target)).collect();
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "<g class=\"state {kind} {part}\" id=\"state-{}\" tabindex=\"0\" data-row=\"{position}\" data-lines=\"{}\" data-literals=\"{}\" data-safeguards=\"{}\" data-marks=\"{}\" data-ways=\"{}\">",
            position + 1,
            numbers.join(" "),
            xml(&row.literals.join("\n")),
            xml(&row.safeguards.join("\n")),
            xml(&row.marks.join("\n")),
            xml(&ways.join("\n")),
        );
        let place = self.caption(row);
        let title = [&[place.clone()][..], &row.literals[..]].concat().join("\n");
        let _ = writeln!(text, "<title>{}</title>", xml(&title));
        let (top, height) = (y - HEIGHT / 2 + 1, HEIGHT - 2);
        let _ = writeln!(text, "<rect class=\"band\" x=\"{}\" y=\"{top}\" width=\"100%\" height=\"{height}\"/>", dot + 2);
        if row.is_final {
            let _ = writeln!(text, "<circle class=\"ring\" cx=\"{dot}\" cy=\"{y}\" r=\"10\"/>");
        }
        let _ = writeln!(text, "<circle class=\"dot\" cx=\"{dot}\" cy=\"{y}\" r=\"7\"/>");
        let _ = writeln!(text, "<text class=\"number\" x=\"{number}\" y=\"{}\">{}</text>", y + 4, position + 1);
        let _ = writeln!(text, "<text class=\"caption\" x=\"{caption}\" y=\"{}\">{}</text>", y + 4, xml(&place));
        let mut x = chips;
        for Link { to, label, .. } in jumps {
            let jump = format!("\u{2192} {}", to + 1);
            let title = format!("<title>{}</title>", xml(label));
            let _ = writeln!(text, "<a href=\"#state-{}\">{title}{}</a>", to + 1, chip("jump", &jump, &mut x, y));
        }
        let shown = row.literals.iter().take(MOST_LITERALS).map(|literal| ("literal", literal.clone()));
        let rest = row.literals.len().saturating_sub(MOST_LITERALS);
        let more = (rest > 0).then(|| ("more", format!("{rest} more")));
        let safeguards = row.safeguards.iter().map(|safeguard| ("safeguard", safeguard.clone()));
        let marks = row.marks.iter().map(|mark| ("mark", format!("\u{d7} {mark}")));
        for (class, words) in shown.chain(more).chain(safeguards).chain(marks) {
            let _ = writeln!(text, "{}", chip(class, &words, &mut x, y));
        }
        text.push_str("</g>\n");
        (text, x)
    }
}

/// Where the parts of a row begin; the dot, where its centre is.
struct Columns {
    dot: usize,
    number: usize,
    caption: usize,
    chips: usize,
}

impl Columns {
    /// The line of a link.
    fn link(&self, link: &Link, is_to_final: bool) -> String {
        // What leaves a state is below what arrives.
        let (start, end) = (middle(link.from) + 4, middle(link.to) - 4);
        let (class, ring) = (if link.is_subsumption { "link subsumed" } else { "link" }, if is_to_final { 3 } else { 0 });
        let (dot, edge) = (self.dot, self.dot - 9);
        let path = match link.course {
            Course::Number => return String::new(),
            Course::Down => format!("M{dot} {} V{}", start + 4, end - 6 - ring),
            Course::Lane(_) if link.from == link.to => format!("M{} {start} c-22 14 -22 -22 0 -8", dot - 8),
            Course::Lane(lane) => {
                let (x, radius) = (dot - (lane + 1) * LANE - 13, 8);
                let (first, last, sweep) = if start < end { (start + radius, end - radius, 0) } else { (start - radius, end + radius, 1) };
                let (inner, tip) = (x + radius, edge - ring);
                format!(
                    "M{edge} {start} H{inner} A{radius} {radius} 0 0 {sweep} {x} {first} V{last} A{radius} {radius} 0 0 {sweep} {inner} {end} H{tip}"
                )
            }
        };
        let Link { from, to, .. } = link;
        let title = xml(&link.label);
        format!(
            "<path class=\"{class}\" data-from=\"{from}\" data-to=\"{to}\" d=\"{path}\" marker-end=\"url(#tip)\"><title>{title}</title></path>\n"
        )
    }
}

/// The middle of a row, from the top.
fn middle(position: usize) -> usize {
    position * HEIGHT + HEIGHT / 2 + 6
}

/// A rounded box with words, and moves on to the next one's place.
fn chip(class: &str, words: &str, x: &mut usize, y: usize) -> String {
    // Letters of fonts in which all are as wide as each other are at most 0.61 of their size of 12.
    let (left, width) = (*x, words.chars().count() * 74 / 10 + 18);
    *x += width + 6;
    format!(
        "<rect class=\"{class}\" x=\"{left}\" y=\"{}\" width=\"{width}\" height=\"20\" rx=\"10\"/><text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
        y - 10,
        left + 9,
        y + 4,
        xml(words)
    )
}

/// A way on with the number of the state that it leads to.
fn numbered(way: &str, target: Option<usize>) -> String {
    target.map_or_else(|| way.to_owned(), |target| format!("{way}, state {}", target + 1))
}
