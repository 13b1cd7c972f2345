//! From tokens to the text that the parser reads, and back to places.

use super::token::{Place, Token};
use std::{collections::BTreeMap, rc::Rc};

/// The text, and where each of its tokens comes from.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) whole: String,
    anchors: Vec<Anchor>,
    macro_names: Vec<String>,
}

/// Where one token of the text comes from.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    /// Of its first byte.
    offset: usize,
    place: Place,
    /// Index into the macro names.
    macro_name: Option<u32>,
}

impl Text {
    /// Writes the tokens, one space between any two, and a new line where the place's line changes.
    pub(crate) fn new(tokens: &[Token]) -> Text {
        let mut whole = String::new();
        let mut anchors: Vec<Anchor> = Vec::with_capacity(tokens.len());
        let mut macro_names = Vec::new();
        let mut known: BTreeMap<Rc<str>, u32> = BTreeMap::new();
        for token in tokens {
            if let Some(last) = anchors.last() {
                whole.push(if (last.place.file, last.place.line) == (token.place.file, token.place.line) { ' ' } else { '\n' });
            }
            let macro_name = token.macro_name.as_ref().map(|name| {
                *known.entry(name.clone()).or_insert_with(|| {
                    macro_names.push(name.to_string());
                    u32::try_from(macro_names.len() - 1).unwrap_or(u32::MAX)
                })
            });
            anchors.push(Anchor { offset: whole.len(), place: token.place, macro_name });
            whole.push_str(&token.text);
        }
        whole.push('\n');
        Text { whole, anchors, macro_names }
    }

    /// Where the byte at this offset comes from. Between tokens, and after the last one: where the token before it does.
    pub(crate) fn place(&self, offset: usize) -> Place {
        let Some(anchor) = self.anchor(offset) else { return Place { file: 0, line: 1, column: 1 } };
        anchor.place
    }

    /// The macro that the byte at this offset comes from.
    pub(crate) fn macro_at(&self, offset: usize) -> Option<&str> {
        let index = usize::try_from(self.anchor(offset)?.macro_name?).ok()?;
        self.macro_names.get(index).map(String::as_str)
    }

    fn anchor(&self, offset: usize) -> Option<&Anchor> {
        let after = self.anchors.partition_point(|anchor| anchor.offset <= offset);
        self.anchors.get(after.saturating_sub(1))
    }
}
