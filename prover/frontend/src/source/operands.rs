//! Operands that the parser cannot read: `(struct s){}` and `__alignof__(x)`.

use super::{
    bodies::opening,
    known::NOTHING,
    token::{Token, TokenKind},
};
use std::{collections::BTreeSet, rc::Rc};

/// What is to stand between the braces of a compound literal that has nothing there, `(struct s){}`: the opening brace is the next token, these
/// are the ones before it.
pub(super) fn nothing(before: &[Token], brace: &Token, next: Option<&Token>) -> Option<Token> {
    if !(brace.is("{") && next.is_some_and(|next| next.is("}"))) {
        return None;
    }
    let before = before.get(before.len().saturating_sub(LONGEST_TYPE)..)?;
    let outside = before.get(..opening(before)?)?.last()?;
    // Behind the parameters of a function, or the condition of a statement, there is a name or another bracket.
    let is_operand = match outside.kind {
        TokenKind::Punctuator => !outside.is_any(&[")", "]"]),
        TokenKind::Identifier => outside.is_any(&["return", "case"]),
        _ => false,
    };
    is_operand.then(|| brace.replaced(TokenKind::Identifier, NOTHING))
}

/// Tokens that the name of a type may have, with its brackets and the one before.
const LONGEST_TYPE: usize = 257;

/// Words with which the name of a type begins, and no expression.
const TYPE_WORDS: [&str; 22] = [
    "char",
    "short",
    "int",
    "long",
    "signed",
    "unsigned",
    "__signed__",
    "_Bool",
    "void",
    "float",
    "double",
    "_Complex",
    "struct",
    "union",
    "enum",
    "const",
    "volatile",
    "_Atomic",
    "__extension__",
    "typeof",
    "__typeof",
    "__typeof__",
];

/// The names that stand in declarations of names for types, those among them.
fn names_in_typedefs(tokens: &[Token]) -> BTreeSet<Rc<str>> {
    let mut names = BTreeSet::new();
    let mut depth: Option<usize> = None;
    for token in tokens {
        match (&*token.text, depth) {
            ("typedef", None) => depth = Some(0),
            (";", Some(0)) => depth = None,
            ("(" | "[" | "{", Some(open)) => depth = Some(open + 1),
            (")" | "]" | "}", Some(open)) => depth = Some(open.saturating_sub(1)),
            (_, Some(_)) if token.kind == TokenKind::Identifier => {
                names.insert(token.text.clone());
            }
            _ => {}
        }
    }
    names
}

/// `__alignof__(x)` as `_Alignof(__typeof__(x))`, which the parser reads whether x is the name of a type or, as in GNU C, an expression.
pub(super) fn with_alignments(tokens: Vec<Token>) -> Vec<Token> {
    let is_word = |token: &Token| token.is_any(&["_Alignof", "__alignof", "__alignof__"]);
    if !tokens.iter().any(is_word) {
        return tokens;
    }
    let bracket = |like: &Token, text: &str| like.replaced(TokenKind::Punctuator, text);
    let mut output = Vec::with_capacity(tokens.len());
    // How many brackets are open, and before which of them the operands began that are not at their end yet.
    let (mut depth, mut begun) = (0_usize, Vec::new());
    let types = names_in_typedefs(&tokens);
    let behind: Vec<bool> = tokens.iter().skip(2).map(|token| token.is_any(&TYPE_WORDS) || types.contains(&token.text)).collect();
    let mut tokens = tokens.into_iter().enumerate().peekable();
    while let Some((position, token)) = tokens.next() {
        match &*token.text {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_end = token.is(")") && begun.pop_if(|before| *before == depth).is_some();
        let is_type = behind.get(position).copied().unwrap_or(false);
        let next = tokens.peek().map(|(_, next)| next.clone()).filter(|_| is_word(&token) && !is_type);
        if let Some(next) = next.filter(|next| next.is("(") || next.kind == TokenKind::Identifier) {
            let words = [token.replaced(token.kind, "_Alignof"), bracket(&next, "("), next.replaced(TokenKind::Identifier, "__typeof__")];
            output.extend(words);
            if next.is("(") {
                begun.push(depth);
            } else {
                output.extend([bracket(&next, "("), next.clone(), bracket(&next, ")"), bracket(&next, ")")]);
                tokens.next();
            }
            continue;
        }
        output.push(token.clone());
        if is_end {
            output.push(token);
        }
    }
    output
}
