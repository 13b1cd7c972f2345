//! What is refused before the parser sees it: stray text, and nesting that its recursion could not survive.

use super::{
    Trouble, header_names,
    token::{Stray, Token, TokenKind},
};

/// Brackets of all kinds inside each other.
pub(crate) const DEEPEST_NESTING: usize = 256;

/// Levels of the syntax tree: brackets, and operators, `else`s and labels without a bracket. The parser needs about 1 KiB of stack for
/// each; so do those who walk over the tree.
pub(crate) const DEEPEST_TREE: usize = 1024;

/// Keywords with a statement or an operand inside.
const DEEPENING: [&str; 8] = ["if", "for", "while", "do", "switch", "sizeof", "_Alignof", "__alignof__"];

/// Text that is no token of C.
pub(crate) fn stray(tokens: &[Token]) -> Vec<Trouble> {
    tokens.iter().filter_map(stray_token).collect()
}

fn stray_token(token: &Token) -> Option<Trouble> {
    let TokenKind::Stray(stray) = token.kind else { return None };
    Some(match stray {
        Stray::UnterminatedLiteral => Trouble::error(token, "the closing quote is missing"),
        Stray::UnterminatedComment => Trouble::error(token, "the comment is not closed"),
        Stray::NotAscii => Trouble::unsupported(token, "a character outside ASCII in the program text"),
        Stray::NotAsciiInWideLiteral => Trouble::unsupported(token, "a wide literal with a character outside ASCII"),
        Stray::UnknownEscape => Trouble::unsupported(token, "an escape sequence that is not known"),
        Stray::UniversalCharacterName => Trouble::unsupported(token, "a universal character name"),
        Stray::HeaderName => Trouble::unsupported(token, header_names::MESSAGE),
        Stray::RawString => Trouble::unsupported(token, "a raw string literal"),
        Stray::Byte => Trouble::error(token, format!("unexpected {}", token.text)),
    })
}

/// Brackets that do not match, and nesting that is too deep. At most one of them: the first.
pub(crate) fn nesting(tokens: &[Token]) -> Option<Trouble> {
    let mut open: Vec<(&Token, Level)> = Vec::new();
    let mut level = Level::default();
    // The levels around the current one.
    let mut around = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        let is_else = tokens.get(index + 1).is_some_and(|next| next.is("else"));
        match (token.kind, &*token.text) {
            (TokenKind::Punctuator, "(" | "[" | "{") => {
                level.chain += 1;
                open.push((token, level));
                around += level.depth();
                level = Level::default();
                if open.len() > DEEPEST_NESTING {
                    return Some(Trouble::unsupported(token, format!("brackets nested more than {DEEPEST_NESTING} deep")));
                }
            }
            (TokenKind::Punctuator, ")" | "]" | "}") => {
                let Some((opening, outer)) = open.pop() else {
                    return Some(Trouble::error(token, format!("{} without an opening bracket", token.text)));
                };
                if !matches!((&*opening.text, &*token.text), ("(", ")") | ("[", "]") | ("{", "}")) {
                    return Some(Trouble::error(token, format!("{} does not close {}", token.text, opening.text)));
                }
                level = outer;
                around -= level.depth();
                if token.is("}") {
                    level.end_statement(is_else);
                }
            }
            (TokenKind::Punctuator, ";") => level.end_statement(is_else),
            (TokenKind::Punctuator, ",") => level.chain = 0,
            (TokenKind::Punctuator, "?") => level.conditionals += 1,
            (TokenKind::Punctuator, ":") => {
                level.conditionals = level.conditionals.saturating_sub(1);
                level.chain += 1;
            }
            (TokenKind::Identifier, "else") => level.elses += 1,
            (TokenKind::Punctuator, _) => level.chain += 1,
            (TokenKind::Identifier, name) if DEEPENING.contains(&name) => level.chain += 1,
            _ => {}
        }
        if around + level.depth() > DEEPEST_TREE {
            return Some(Trouble::unsupported(token, format!("an expression or statement nested more than {DEEPEST_TREE} deep")));
        }
    }
    open.last().map(|(opening, _)| Trouble::error(opening, format!("{} is not closed", opening.text)))
}

/// What has been seen between two brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Operators and statement heads since the last comma or semicolon.
    chain: usize,
    /// `?` without its `:`.
    conditionals: usize,
    /// `else`s of one chain.
    elses: usize,
}

impl Level {
    fn depth(self) -> usize {
        self.chain + self.conditionals + self.elses
    }

    fn end_statement(&mut self, is_else: bool) {
        self.chain = 0;
        self.conditionals = 0;
        if !is_else {
            self.elses = 0;
        }
    }
}
