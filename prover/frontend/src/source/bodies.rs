//! What stands before a brace: where functions have their bodies.

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
