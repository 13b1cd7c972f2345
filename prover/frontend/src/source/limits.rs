//! What is refused before the parser sees it: stray text, and nesting that its recursion could not survive.

use super::{
    Trouble,
    token::{Stray, Token, TokenKind},
};

/// Brackets of all kinds inside each other.
pub(crate) const DEEPEST_NESTING: usize = 256;

/// Operators, `else if`s and the like in one stretch without bracket or semicolon.
pub(crate) const LONGEST_CHAIN: usize = 1024;

/// Text that is no token of C.
pub(crate) fn stray(tokens: &[Token]) -> Vec<Trouble> {
    tokens.iter().filter_map(stray_token).collect()
}

fn stray_token(token: &Token) -> Option<Trouble> {
    if is_wide(token) {
        return Some(Trouble::unsupported(token, "a wide literal with a character outside ASCII"));
    }
    let TokenKind::Stray(stray) = token.kind else { return None };
    Some(match stray {
        Stray::UnterminatedLiteral => Trouble::error(token, "the closing quote is missing"),
        Stray::UnterminatedComment => Trouble::error(token, "the comment is not closed"),
        Stray::NotAscii => Trouble::unsupported(token, "a character outside ASCII in the program text"),
        Stray::RawString => Trouble::unsupported(token, "a raw string literal"),
        Stray::Byte => Trouble::error(token, format!("unexpected {}", token.text)),
    })
}

/// A wide literal in which bytes were replaced: its characters cannot be told from those bytes any more.
fn is_wide(token: &Token) -> bool {
    matches!(token.kind, TokenKind::String | TokenKind::Character)
        && token.text.starts_with(['L', 'u', 'U'])
        && !token.text.starts_with("u8")
        && token
            .text
            .match_indices('\\')
            .any(|(at, _)| token.text.get(at + 1..at + 4).is_some_and(|digits| digits > "177" && octal(digits)))
}

fn octal(digits: &str) -> bool {
    digits.bytes().all(|digit| (b'0'..=b'7').contains(&digit))
}

/// Brackets that do not match or are nested too deeply, and chains that are too long. At most one of them: the first.
pub(crate) fn nesting(tokens: &[Token]) -> Option<Trouble> {
    let mut open: Vec<(&Token, usize)> = Vec::new();
    let mut chain = 0_usize;
    for token in tokens {
        if token.kind == TokenKind::Identifier && token.is_any(&["else", "sizeof", "if", "for", "while", "do", "switch", "case", "default"])
        {
            chain += 1;
        }
        if token.kind != TokenKind::Punctuator {
            continue;
        }
        match &*token.text {
            "(" | "[" | "{" => {
                open.push((token, chain + 1));
                if open.len() > DEEPEST_NESTING {
                    let message = format!("brackets nested more than {DEEPEST_NESTING} deep");
                    return Some(Trouble::unsupported(token, message));
                }
                chain = 0;
            }
            ")" | "]" | "}" => {
                let Some((opening, before)) = open.pop() else {
                    return Some(Trouble::error(token, format!("{} without an opening bracket", token.text)));
                };
                if !matches!((&*opening.text, &*token.text), ("(", ")") | ("[", "]") | ("{", "}")) {
                    return Some(Trouble::error(token, format!("{} does not close {}", token.text, opening.text)));
                }
                chain = before;
                if token.is("}") {
                    chain = 0;
                }
            }
            ";" => chain = 0,
            "," => {}
            _ => chain += 1,
        }
        if chain > LONGEST_CHAIN {
            return Some(Trouble::unsupported(token, format!("more than {LONGEST_CHAIN} operators in a row")));
        }
    }
    open.last().map(|(opening, _)| Trouble::error(opening, format!("{} is not closed", opening.text)))
}
