//! The C file for the compiler: the original text, with what is claimed about it in between.

use super::claims::{Claim, Site};
use crate::source::Unit;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

/// What the compiler knows the file by.
pub(super) const NAME: &str = "goatherd";
/// What question a type cannot be converted to.
pub(super) const ASKER: &str = "goatherd_asker";
/// The mark of the assertion that is false: a compiler that does not say so says nothing by its silence.
pub(super) const CONTROL: &str = "goatherd control";

/// The file, and what stands in which of its lines.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) text: String,
    /// By the numbers of their lines: of which claim an assertion is, by its position in the list.
    pub(super) claims: BTreeMap<usize, usize>,
    /// The line of the assertion that is false.
    pub(super) control: usize,
    line: usize,
}

/// What stands before a token, in this order.
#[derive(Default)]
struct Before {
    closing: usize,
    claims: Vec<usize>,
    /// The beginning of a body that gets braces, with what is claimed there.
    opening: Option<Vec<usize>>,
    tag: Option<String>,
}

impl Page {
    /// Writes the file, with each claim at its site.
    pub(super) fn new(unit: &Unit, claims: &[Claim], tags: Vec<(usize, String)>) -> Page {
        let mut page = Page { text: String::new(), claims: BTreeMap::new(), control: 0, line: 1 };
        page.own_line(&format!("#line 2 \"{NAME}\""));
        for (number, claim) in claims.iter().enumerate().filter(|(_, claim)| claim.site == Site::First) {
            page.claim(number, claim);
        }
        // These are no names of the compiler's own for a file whose text has them still.
        for name in crate::source::known::PREDEFINED {
            page.own_line(&format!("#undef {name}"));
        }
        let original = unit.original();
        let mut before = sites(claims, tags);
        for token in 0..=original.length() {
            if let Some(before) = before.remove(&token) {
                page.before(&before, claims);
            }
            if token == original.length() {
                break;
            }
            page.separate(original.begins_line(token));
            page.text.push_str(original.token(token));
        }
        page.control = page.own_line(&format!("_Static_assert(0, \"{CONTROL}\");"));
        page
    }

    fn before(&mut self, before: &Before, claims: &[Claim]) {
        for _ in 0..before.closing {
            self.own_line("}");
        }
        for number in &before.claims {
            self.claim(*number, &claims[*number]);
        }
        if let Some(inside) = &before.opening {
            self.own_line("{");
            for number in inside {
                self.claim(*number, &claims[*number]);
            }
        }
        if let Some(tag) = &before.tag {
            self.own_line(tag);
        }
    }

    fn claim(&mut self, number: usize, claim: &Claim) {
        for condition in claim.conditions() {
            let line = self.own_line(&format!("_Static_assert({condition}, \"{}\");", marker(number)));
            self.claims.insert(line, number);
        }
    }

    /// The file with questions in place of these claims, whose refusal tells what the compiler says instead.
    pub(super) fn questions(&self, claims: &[Claim], asked: &BTreeSet<usize>) -> String {
        let mut text = String::with_capacity(self.text.len());
        for (number, line) in (1..).zip(self.text.lines()) {
            match self.claims.get(&number).filter(|claim| asked.contains(claim)) {
                None => text.push_str(line),
                // One question stands for all assertions of a claim, which are on lines one after the other.
                Some(claim) if self.claims.get(&(number - 1)) == Some(claim) => {}
                Some(claim) => text.push_str(&question(*claim, &claims[*claim])),
            }
            text.push('\n');
        }
        text
    }

    /// A line of its own. Returns its number.
    fn own_line(&mut self, text: &str) -> usize {
        self.separate(true);
        let line = self.line;
        // This cannot fail on a string.
        let _ = writeln!(self.text, "{text}");
        self.line += 1;
        line
    }

    fn separate(&mut self, is_line_end: bool) {
        match self.text.as_bytes().last() {
            None | Some(b'\n') => {}
            Some(_) if is_line_end => {
                self.text.push('\n');
                self.line += 1;
            }
            Some(_) => self.text.push(' '),
        }
    }
}

/// The line that asks about a claim.
fn question(number: usize, claim: &Claim) -> String {
    format!("struct {ASKER} *{ASKER}_{number} = {};", claim.question())
}

/// What marks the assertion of a claim.
pub(super) fn marker(number: usize) -> String {
    format!("goatherd {number}")
}

fn sites(claims: &[Claim], tags: Vec<(usize, String)>) -> BTreeMap<usize, Before> {
    let mut sites: BTreeMap<usize, Before> = BTreeMap::new();
    for (number, claim) in claims.iter().enumerate() {
        match claim.site {
            Site::First => {}
            Site::At(token) => sites.entry(token).or_default().claims.push(number),
            Site::Around(start, end) => {
                let opening = &mut sites.entry(start).or_default().opening;
                let is_new = opening.is_none();
                opening.get_or_insert_default().push(number);
                if is_new {
                    sites.entry(end).or_default().closing += 1;
                }
            }
        }
    }
    for (token, tag) in tags {
        sites.entry(token).or_default().tag = Some(tag);
    }
    sites
}
