//! The proof as one page that needs no other file: what is claimed, the source with its checks, the graph of herds. Its content is JSON, of which
//! only what is asked for is shown.

use crate::{
    checks::{Check, WayToFail},
    graph::ProofVertex,
    page::FirstPage,
    state::{HerdWords, MemberWords},
    text,
};
use goatherd_frontend::escape::{json, xml};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::Write,
};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Explanations take so many bytes of a page at most; what is left out is said by `goatherd explain --at`.
const MOST_EXPLAINED: usize = 400_000;
/// What is known of herds takes so many bytes at most.
const MOST_KNOWN: usize = 400_000;
/// A page tells so many visits of a check, if there is room for that.
pub const VISITS: usize = 4;

/// What a page shows.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The certificate's name.
    pub name: &'a str,
    /// What is claimed.
    pub page: &'a FirstPage,
    /// The files that places name.
    pub files: &'a [String],
    /// The text of the first file, if somebody has handed it over.
    pub source: Option<&'a str>,
    /// All checks.
    pub checks: &'a [Check],
    /// The graph.
    pub graph: &'a [ProofVertex],
}

/// Texts, each of them once: the facts of herds are much alike.
#[derive(Default)]
struct Texts {
    numbers: HashMap<String, usize>,
    all: Vec<String>,
    bytes: usize,
}

impl Texts {
    fn number(&mut self, text: &str) -> usize {
        // Numbers take a few bytes as well.
        self.bytes += 5;
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.all.len();
        self.bytes += text.len() + 3;
        self.numbers.insert(text.to_owned(), number);
        self.all.push(text.to_owned());
        number
    }

    fn numbers(&mut self, texts: &[String]) -> Vec<usize> {
        texts.iter().map(|text| self.number(text)).collect()
    }
}

/// The content of a page.
#[derive(Serialize)]
struct Content {
    texts: Vec<String>,
    lines: Vec<LineContent>,
    herds: Vec<HerdContent>,
}

/// A line of the source that has checks.
#[derive(Serialize)]
struct LineContent {
    file: u32,
    line: u32,
    /// What is checked, as a number of a text.
    kinds: usize,
    /// By blame somewhere, or by facts alone.
    blame: bool,
    /// Lines of an explanation, as numbers of texts; none where there is no room.
    text: Option<Vec<usize>>,
}

/// What is known, as numbers of texts: of each member its title and its facts, and what is known besides.
type Begins = (Vec<Vec<usize>>, Vec<usize>);

#[derive(Serialize)]
struct HerdContent {
    template: Option<u32>,
    place: usize,
    line: u32,
    /// By size class. None where there is no room.
    begins: Option<Vec<Begins>>,
    leads: Vec<(u32, usize)>,
    blames: Vec<(usize, usize)>,
    ends: usize,
    excluded: usize,
}

impl Subject<'_> {
    /// The text of the page.
    pub fn text(&self) -> String {
        let title = xml(self.name);
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Proof {title}</title>");
        let _ = writeln!(
            text,
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>"
        );
        let _ = writeln!(text, "<header>\n<h1>{title}</h1>\n<p>{}</p>", xml(&self.page.claim));
        let _ = writeln!(
            text,
            "<details><summary>What is claimed, under what, and what has to be trusted</summary><pre>{}</pre></details>\n</header>",
            xml(&self.page.text())
        );
        text += "<noscript><p>What follows is shown by a script.</p></noscript>\n<main>\n<section id=\"source\" aria-label=\"Source\">\n<h2>Source</h2>\n";
        text += &self.source_lines();
        text += "</section>\n<section id=\"graph\" aria-label=\"Proof\">\n<h2>Proof</h2>\n<p class=\"hint\">Places where runs come together, and how the proof goes from one to the other; dashed: a scapegoat takes the blame. Click one to see its herds.</p>\n<div id=\"heads\"></div>\n<div id=\"herds\"></div>\n</section>\n<section id=\"panel\" aria-live=\"polite\" aria-label=\"Details\">\n<h2>Details</h2>\n<p class=\"hint\">Click a marked line to see why its checks hold, or a herd to see what is known of it.</p>\n</section>\n</main>\n";
        let content = serde_json::to_string(&self.content()).unwrap_or_default();
        // No end of a script in what others have named.
        let content = json(&content).replace('<', "\\u003c");
        let _ = writeln!(
            text,
            "<script type=\"application/json\" id=\"content\">{content}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>"
        );
        text
    }

    /// The source's lines, or the numbers of those that have checks.
    fn source_lines(&self) -> String {
        let marked: BTreeSet<(u32, u32)> = self.checks.iter().map(|check| (check.file, check.line)).collect();
        let mut text = String::from("<ol>\n");
        let mut line = |file: u32, number: u32, words: &str| {
            let mark = if marked.contains(&(file, number)) {
                format!(" data-file=\"{file}\" tabindex=\"0\" role=\"button\"")
            } else {
                String::new()
            };
            // Writing to a string does not fail.
            let _ = writeln!(text, "<li data-line=\"{number}\"{mark}><code>{}</code></li>", xml(words));
        };
        for (number, words) in (1u32..).zip(self.source.unwrap_or_default().lines()) {
            line(0, number, words);
        }
        for (file, number) in marked.iter().filter(|(file, _)| *file > 0 || self.source.is_none()) {
            let name = usize::try_from(*file).ok().and_then(|file| self.files.get(file));
            line(*file, *number, name.map_or("", String::as_str));
        }
        text + "</ol>\n"
    }

    fn content(&self) -> Content {
        let mut texts = Texts::default();
        let herds = self.graph.iter().map(|vertex| herd_content(vertex, &mut texts)).collect();
        let start = texts.bytes;
        let mut lines: BTreeMap<(u32, u32), Vec<&Check>> = BTreeMap::new();
        for check in self.checks {
            lines.entry((check.file, check.line)).or_default().push(check);
        }
        let lines = lines.into_iter().map(|((file, line), checks)| {
            let mut kinds: Vec<&str> = checks.iter().map(|check| check.kind.name()).collect();
            kinds.dedup();
            let blame = checks.iter().flat_map(|check| &check.visits).flat_map(|visit| &visit.failures).any(WayToFail::is_blamed);
            let owned: Vec<Check> = checks.into_iter().cloned().collect();
            let name = usize::try_from(file).ok().and_then(|file| self.files.get(file));
            let place = format!("{}:{line}", name.map_or("", String::as_str));
            let told = text::checks(&place, None, &owned);
            let has_room = texts.bytes - start < MOST_EXPLAINED;
            let text = has_room.then(|| told.lines().map(|line| texts.number(line)).collect());
            LineContent { file, line, kinds: texts.number(&kinds.join(", ")), blame, text }
        });
        let lines = lines.collect();
        Content { lines, herds, texts: texts.all }
    }
}

fn herd_content(vertex: &ProofVertex, texts: &mut Texts) -> HerdContent {
    let has_room = texts.bytes < MOST_KNOWN;
    let member = |MemberWords { title, facts }: &MemberWords, texts: &mut Texts| {
        let mut numbers = vec![texts.number(title)];
        numbers.extend(texts.numbers(facts));
        numbers
    };
    let begin = |HerdWords { members, known }: &HerdWords, texts: &mut Texts| {
        let members = members.iter().map(|words| member(words, texts)).collect();
        (members, texts.numbers(known))
    };
    HerdContent {
        template: vertex.template,
        place: texts.number(&vertex.place),
        line: vertex.line,
        begins: has_room.then(|| vertex.begins.iter().map(|herd| begin(herd, texts)).collect()),
        leads: vertex.leads.iter().map(|(template, count)| (*template, *count)).collect(),
        blames: vertex.blames.iter().map(|(words, count)| (texts.number(words), *count)).collect(),
        ends: vertex.ends,
        excluded: vertex.excluded,
    }
}
