//! Trigraphs (C11 5.2.1.1), which compilers replace in some dialects only: in `-std=c11`, and not in GNU C.
//!
//! ```c
//! x = 0; // why??/
//! x = 1;                          /* belongs to the comment, or is a statement */
//! ```

use super::{
    File,
    token::{Place, Token, TokenKind, tokens},
};

/// What stands behind `??` in one of them.
const THIRD: [char; 9] = ['=', '(', '/', ')', '\'', '<', '!', '>', '-'];

/// Those of a file: in its tokens, and wherever a line would go on behind one. Others in comments mean nothing.
pub(super) fn trigraphs(number: u32, file: &File) -> Vec<Token> {
    let Some(bytes) = &file.bytes else { return Vec::new() };
    if !has_marks(bytes) {
        return Vec::new();
    }
    let all = tokens(bytes, Place { file: number, line: 1, column: 1 });
    let literals = all.iter().filter(|token| !matches!(token.kind, TokenKind::Punctuator) && is_in(&token.text)).cloned();
    let apart = all.windows(3).filter_map(|three| match three {
        [first, second, third] if first.is("?") && second.is("?") && third.text.starts_with(THIRD) => Some(first.clone()),
        _ => None,
    });
    literals.chain(apart).chain(continuations(number, bytes)).collect()
}

fn has_marks(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|pair| pair == b"??")
}

fn is_in(text: &str) -> bool {
    text.match_indices("??").any(|(at, _)| text.get(at + 2..).is_some_and(|rest| rest.starts_with(THIRD)))
}

/// Lines that end with one for a backslash, so that the next one belongs to them.
fn continuations(number: u32, bytes: &[u8]) -> impl Iterator<Item = Token> {
    let lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    lines.filter_map(move |(line, text)| {
        // Compilers take spaces behind a backslash for none.
        let before = text.trim_ascii_end().strip_suffix(b"??/")?;
        let column = u32::try_from(before.len()).ok()?.saturating_add(1);
        tokens(b"??/", Place { file: number, line, column }).into_iter().next()
    })
}
