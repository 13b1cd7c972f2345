//! Names that are not in a text and may come of it: `##` makes one of several parts.
//!
//! ```c
//! #define JOIN(a, b) a##b
//! #if JOIN(__OPTI, MIZE__)
//! ```

use super::{
    known,
    macro_bodies::MacroBodies,
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;

/// The parts that there are.
pub(super) struct PartsOfNames<'tokens> {
    texts: BTreeSet<&'tokens str>,
    is_pasting: bool,
    has_foreign: bool,
}

impl<'tokens> PartsOfNames<'tokens> {
    /// Those of the user's text; the library's macros may paste as well.
    pub(super) fn of(own: &'tokens [Token], library: &MacroBodies) -> Self {
        let pasting = library.with(|token| token.is("##"));
        let handing_on = library.handing_on_to(&pasting);
        let pastes = |token: &Token| token.is("##") || pasting.contains(&*token.text) || handing_on.contains(&*token.text);
        PartsOfNames {
            texts: own.iter().filter(|token| is_part(token)).map(|token| &*token.text).collect(),
            is_pasting: own.iter().any(pastes),
            has_foreign: own.iter().any(known::is_foreign),
        }
    }

    /// Is there a macro that pastes them, the user's own or one of the library's as they are here?
    pub(super) fn is_pasting(&self) -> bool {
        self.is_pasting
    }

    /// The last part of a name that may be pasted together.
    pub(super) fn last_of(&self, name: &str) -> Option<&'tokens str> {
        // Any name of the library's may be a macro that pastes, with other options.
        let underscores = name.len() - name.trim_start_matches('_').len();
        if self.is_pasting || self.has_foreign { self.last_behind(name, underscores) } else { None }
    }

    /// The last part of a name of which the text has all parts, its underscores included: of `__k6` that `k` and `6` are somewhere says nothing.
    pub(super) fn last_of_all(&self, name: &str) -> Option<&'tokens str> {
        if self.is_pasting || self.has_foreign { self.last_behind(name, 0) } else { None }
    }

    /// The last part of a name, if it is several of the texts one behind the other. Headers of the system have macros that put underscores before
    /// what they are given, up to so many.
    fn last_behind(&self, name: &str, underscores: usize) -> Option<&'tokens str> {
        // What is before each of these ends is made of parts.
        let mut ends: BTreeSet<usize> = (0..=underscores).collect();
        let mut last = None;
        for end in 1..=name.len() {
            let part = ends
                .iter()
                .filter_map(|start| name.get(*start..end))
                .filter(|part| *part != name)
                .find_map(|part| self.texts.get(part).copied());
            if part.is_some() {
                last = part;
                ends.insert(end);
            }
        }
        last.filter(|_| ends.contains(&name.len()))
    }
}

/// May the token be a part of a name?
pub(super) fn is_part(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Identifier | TokenKind::Number)
}
