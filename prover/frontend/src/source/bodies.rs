//! Where functions have their bodies, and what stands outside of them.

use super::{rewrite::ATTRIBUTE, token::Token};

/// Does a brace behind these tokens begin the body of a function? Not that of `enum __attribute__((unused)) {`, which also stands behind a parenthesis.
pub(super) fn may_begin_behind(before: &[Token]) -> bool {
    let mut before = before;
    while let Some(open) = opening(before) {
        match before.get(..open).and_then(<[Token]>::split_last) {
            Some((word, rest)) if word.is_any(&ATTRIBUTE) => before = rest,
            _ => return true,
        }
    }
    false
}

/// Where the declarations outside functions begin and end.
pub(super) struct Outside {
    /// Brackets that are open.
    depth: usize,
    /// One has ended, or none has begun.
    pub(super) is_between: bool,
    /// The brace that is open outside all others is that of a function's body.
    is_body: bool,
    /// An initialiser has begun.
    is_initialised: bool,
}

impl Default for Outside {
    fn default() -> Self {
        Self { depth: 0, is_between: true, is_body: false, is_initialised: false }
    }
}

impl Outside {
    /// Goes on behind a token that stands behind these.
    pub(super) fn pass(&mut self, token: &Token, before: &[Token]) {
        let was_outside = self.depth == 0;
        match &*token.text {
            "(" | "[" | "{" => {
                if was_outside && token.is("{") {
                    // Behind the declarations of parameters in the old style there is a semicolon.
                    self.is_body = self.is_between || !self.is_initialised && may_begin_behind(before);
                }
                self.depth += 1;
            }
            ")" | "]" | "}" => self.depth = self.depth.saturating_sub(1),
            "=" if was_outside => self.is_initialised = true,
            _ => {}
        }
        self.is_between = self.depth == 0 && (token.is(";") || token.is("}") && self.is_body);
        if self.is_between {
            self.is_initialised = false;
            self.is_body = false;
        }
    }
}

/// The position of the parenthesis that the last token closes.
pub(super) fn opening(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0_usize;
    for (position, token) in tokens.iter().enumerate().rev() {
        match &*token.text {
            ")" => depth += 1,
            "(" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(position).filter(|_| token.is("("));
        }
    }
    None
}
