//! What was asked, and what the compiler's messages say about it.

use super::{
    claims::{self, Claim, Says, Site},
    compiler::{Message, Said},
    machine,
    text::{ASKER, CONTROL, Page, marker},
};
use crate::{lower::Beliefs, source::Unit};
use std::collections::{BTreeMap, BTreeSet};

/// About so many claims that are refused the compiler is asked what it says instead.
const ASKED: usize = 8;

/// What was asked.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) compiler: String,
    pub(super) claims: Vec<Claim>,
    pub(super) page: Page,
    /// The names of the files that positions are in.
    files: Vec<String>,
}

/// A judgement on every claim.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Judged {
    /// The compiler's name and version.
    pub(super) version: String,
    /// The claims that it refuses.
    pub(super) refused: BTreeSet<usize>,
}

impl Asked {
    pub(super) fn new(compiler: &str, unit: &Unit, beliefs: &Beliefs) -> Self {
        let mut claims = machine::claims();
        claims.extend(claims::claims(unit, beliefs));
        let page = Page::new(unit, &claims, claims::tags(unit, beliefs));
        Self { compiler: compiler.to_owned(), claims, page, files: unit.files().to_vec() }
    }

    /// The judgement, or why there is none: only what is marked as our own is one, and only from a compiler that has come to the end.
    pub(super) fn judge(&self, said: &Said) -> Result<Judged, String> {
        let compiler = &self.compiler;
        let Some(version) = said.version.clone() else {
            return Err(format!("{compiler} is no compiler that is known here: {}", said.first_line));
        };
        let claim = |message: &Message| self.page.claims.get(&message.line).copied();
        let refused: BTreeSet<usize> =
            said.errors.iter().filter_map(|message| claim(message).filter(|claim| is_refusal(message, &marker(*claim)))).collect();
        let mut is_controlled = false;
        for message in &said.errors {
            match claim(message) {
                // Where one assertion of a claim is refused, those after it may be no C.
                Some(claim) if refused.contains(&claim) => {}
                None if message.line == self.page.control && is_refusal(message, CONTROL) => is_controlled = true,
                claim => {
                    let about = claim.map(|claim| format!(", about {}", self.claims[claim].subject)).unwrap_or_default();
                    return Err(format!("{compiler} ({version}) refuses the file: {}{about}", message.text));
                }
            }
        }
        // That the machine is of this kind is no belief, but what the verdict is under.
        if let Some(claim) = refused.iter().find(|claim| self.claims[**claim].site == Site::First) {
            return Err(format!("{compiler} ({version}) compiles for another machine: {}", self.contradiction(*claim, &BTreeMap::new())));
        }
        if is_controlled { Ok(Judged { version, refused }) } else { Err(format!("{compiler} ({version}) judges no assertions")) }
    }

    /// The file that asks what the compiler says instead of some claims.
    pub(super) fn questions(&self, refused: &BTreeSet<usize>) -> String {
        let asked: BTreeSet<usize> = refused.iter().take(ASKED).copied().collect();
        self.page.questions(&self.claims, &asked)
    }

    /// What it says, by claim.
    pub(super) fn answers(&self, said: &Said) -> BTreeMap<usize, String> {
        let mut answers = BTreeMap::new();
        for message in &said.errors {
            let Some(claim) = self.page.claims.get(&message.line).filter(|_| message.text.contains(ASKER)) else { continue };
            if let Some(answer) = answer(&self.claims[*claim], &message.text) {
                answers.entry(*claim).or_insert(answer);
            }
        }
        answers
    }

    /// A claim that is refused, with both sides.
    pub(super) fn contradiction(&self, claim: usize, answers: &BTreeMap<usize, String>) -> String {
        let claim_itself = &self.claims[claim];
        let place = claim_itself.position.map(|position| {
            let file = usize::try_from(position.file).ok().and_then(|file| self.files.get(file)).map_or("", String::as_str);
            format!("{file}:{}:{}: ", position.line, position.column)
        });
        let (what, believed) = match &claim_itself.says {
            Says::Type(_) => ("the type of ", claim_itself.words()),
            Says::Value { .. } => ("", claim_itself.words()),
        };
        let instead = answers.get(&claim).map_or_else(|| "something else".to_owned(), Clone::clone);
        format!("{}{what}{} is {believed} for Goatherd, {instead} for {}", place.unwrap_or_default(), claim_itself.subject, self.compiler)
    }
}

/// Is it the refusal of the assertion with this mark, and no other trouble with it?
fn is_refusal(message: &Message, mark: &str) -> bool {
    let text = message.text.trim_end_matches('"');
    text.starts_with("static") && text.contains("assert") && text.contains("failed") && text.ends_with(mark)
}

/// What a message says that names the type of a question: gcc and clang both put it last, between quotes.
fn answer(claim: &Claim, text: &str) -> Option<String> {
    let (_, named) = text.trim_end_matches(|last: char| !matches!(last, '\'')).strip_suffix('\'')?.rsplit_once('\'')?;
    match claim.says {
        // The question is a pointer to what is asked for.
        Says::Type(_) if named.contains("(*") => Some(named.replacen("(*", "(", 1).replacen(" ()", "", 1)),
        Says::Type(_) => Some(named.strip_suffix('*')?.trim_end().to_owned()),
        Says::Value { .. } => {
            let mut numbers = named.split('[').skip(1).map(|rest| rest.split(']').next()?.parse::<u64>().ok()?.checked_sub(1));
            let (high, low) = (numbers.next()??, numbers.next()??);
            Some((high << 32 | low).cast_signed().to_string())
        }
    }
}
