//! From tokens to the text that the parser reads, and back to places.

use super::token::{Place, Token};
use std::{collections::BTreeMap, ops::Range, rc::Rc};

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
    original: Option<u32>,
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
            anchors.push(Anchor { offset: whole.len(), place: token.place, macro_name, original: token.original });
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

    /// Which token of the file after preprocessing the byte at this offset comes from.
    pub(crate) fn original_at(&self, offset: usize) -> Option<usize> {
        usize::try_from(self.anchor(offset)?.original?).ok()
    }

    /// Does a token begin at this offset?
    pub(crate) fn begins_token(&self, offset: usize) -> bool {
        self.anchor(offset).is_some_and(|anchor| anchor.offset == offset)
    }

    /// How many tokens there are.
    pub(crate) fn length(&self) -> usize {
        self.anchors.len()
    }

    /// These tokens, with what stands between them; nothing where there are none.
    pub(crate) fn tokens(&self, tokens: Range<usize>) -> &str {
        let start = self.anchors.get(tokens.start).map_or(self.whole.len(), |first| first.offset);
        let end = self.anchors.get(tokens.end).map_or(self.whole.len(), |next| next.offset);
        // One space or line end stands between any two, and after the last one.
        self.whole.get(start..end.saturating_sub(1)).unwrap_or_default()
    }

    /// The text of one token.
    pub(crate) fn token(&self, token: usize) -> &str {
        self.tokens(token..token.saturating_add(1))
    }

    /// Is there a line end before this token?
    pub(crate) fn begins_line(&self, token: usize) -> bool {
        let before = self.anchors.get(token).and_then(|anchor| anchor.offset.checked_sub(1));
        before.is_some_and(|before| self.whole.as_bytes().get(before) == Some(&b'\n'))
    }

    fn anchor(&self, offset: usize) -> Option<&Anchor> {
        let after = self.anchors.partition_point(|anchor| anchor.offset <= offset);
        self.anchors.get(after.saturating_sub(1))
    }
}
