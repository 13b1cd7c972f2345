//! Rewriting what the parser cannot read into C that means the same, or refusing it.
//!
//! | text | becomes |
//! |---|---|
//! | `a ?: b` | `a ? __condition : b`, whose value is the one that was tested |
//! | `__attribute__((...))` | what the lowering judges of it (`known`); nothing for advice; refused otherwise |
//! | `struct __attribute__((...)) s { ... }` | `struct s { ... } __attribute__((...))` |
//! | `__extension__` | nothing |
//! | `(struct s){}` | `(struct s){ __nothing }` |
//! | `__alignof__(x)` | `_Alignof(__typeof__(x))` |
//! | `__builtin_f(...)`, where f has a model and the unit does not define it | `f(...)` |
//! | `;` alone outside functions | nothing |
//! | `f() {` outside functions | `int f() {` (`implicit_int`) |
//! | GNU spellings of keywords | the spelling that the parser knows |
//! | `\e` in a literal | `\033` |
//! | `_Alignas(8)` | `__attribute__((__aligned__(8)))` |
//! | declarations of system headers with what is refused | nothing |
//! | `__int128`, `__auto_type`, `&&label`, `goto *p`, ... | refused as unsupported |

use super::{
    File, Trouble,
    bodies::Outside,
    builtins,
    directives::PRAGMA,
    headers::without_refused_declarations,
    implicit_int,
    known::{self, Attribute},
    operands::{nothing, with_alignments},
    token::{Token, TokenKind},
};
use crate::models;
use std::collections::BTreeSet;

/// Spellings that the parser does not know, and those that it does.
const SPELLINGS: [(&str, &str); 9] = [
    ("__thread", "_Thread_local"),
    ("typeof", "__typeof__"),
    ("__typeof", "__typeof__"),
    ("asm", "__asm__"),
    ("__asm", "__asm__"),
    ("__float128", "_Float128"),
    ("__volatile", "volatile"),
    ("__const__", "const"),
    ("__const", "const"),
];

/// What the parser cannot read and nothing else stands for.
const REFUSED: [(&str, &str); 11] = [
    ("__int128", "128-bit integers"),
    ("__int128_t", "128-bit integers"),
    ("__uint128_t", "128-bit integers"),
    ("__auto_type", "__auto_type"),
    ("__label__", "local labels"),
    ("__builtin_types_compatible_p", "__builtin_types_compatible_p"),
    ("__builtin_choose_expr", "__builtin_choose_expr"),
    ("__seg_fs", "named address spaces"),
    ("__seg_gs", "named address spaces"),
    ("__bf16", "__bf16"),
    ("__ibm128", "__ibm128"),
];

/// The rewritten tokens.
pub(crate) struct Rewritten {
    pub(crate) tokens: Vec<Token>,
    /// Functions that were called as `__builtin_` something, so that nothing declares them.
    pub(crate) undeclared: BTreeSet<&'static str>,
}

/// Rewrites the tokens; what is refused is added to the troubles.
pub(crate) fn rewrite(tokens: Vec<Token>, files: &[File], troubles: &mut Vec<Trouble>) -> Rewritten {
    let tokens = with_alignments(without_empty_declarations(without_refused_declarations(tokens, files)));
    let tokens = implicit_int::with_types(&tokens);
    let mut output: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut undeclared = BTreeSet::new();
    let defined = models::definitions(&tokens);
    let others = builtins::otherwise(&tokens);
    // Attributes between `struct` and its tag, and the closing brace behind which the parser wants them.
    let mut moved: Vec<(usize, Vec<Token>)> = Vec::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let rest = tokens.get(index..).unwrap_or_default();
        index += 1;
        if token.is("__extension__") {
            continue;
        }
        if token.is_any(&ATTRIBUTE)
            && let Some(attributes) = attributes(rest)
        {
            index += attributes.length - 1;
            troubles.extend(attributes.refused);
            match tag_before(&output).and_then(|()| body_end(&tokens, index)) {
                Some(end) => moved.push((end, attributes.kept)),
                None => output.extend(attributes.kept),
            }
            continue;
        }
        if let Some((length, attribute)) = alignment(rest) {
            index += length - 1;
            output.extend(attribute);
            continue;
        }
        if let Some(message) = refused(token) {
            troubles.push(Trouble::unsupported(token, message));
            continue;
        }
        let next = rest.get(1);
        if token.is("?") && next.is_some_and(|next| next.is(":")) {
            output.extend([token.clone(), token.replaced(TokenKind::Identifier, known::CONDITION)]);
            continue;
        }
        if let Some(nothing) = nothing(&output, token, next) {
            output.extend([token.clone(), nothing]);
            continue;
        }
        troubles.extend(refused_in_context(token, next, output.last()));
        // The unit's own function is not the one that is meant: what is left as it is has no definition.
        if let Some(name) = modelled_builtin(token, next).filter(|name| !defined.contains(*name)) {
            if others.contains(builtins::plain(name)) {
                troubles.push(Trouble::unsupported(
                    token,
                    format!("a call of '{}', in a file that has the name '{}' for something else", token.text, builtins::plain(name)),
                ));
            }
            undeclared.insert(name);
            output.push(if token.is(name) { token.clone() } else { token.replaced(token.kind, name) });
            continue;
        }
        let here = index - 1;
        output.push(spelled(token));
        for (_, kept) in moved.extract_if(.., |(end, _)| *end == here) {
            output.extend(kept);
        }
    }
    Rewritten { tokens: output, undeclared }
}

/// The token as the parser knows it.
fn spelled(token: &Token) -> Token {
    if matches!(token.kind, TokenKind::String | TokenKind::Character) {
        return match without_escape_of_escape(&token.text) {
            Some(text) => token.replaced(token.kind, &text),
            None => token.clone(),
        };
    }
    match SPELLINGS.iter().find(|(spelling, _)| token.is(spelling)) {
        Some((_, known)) => token.replaced(token.kind, known),
        None => token.clone(),
    }
}

/// The text of a literal with octal escapes for GNU C's `\e`, if it has any: three digits, so that one behind it is no part of the escape.
fn without_escape_of_escape(literal: &str) -> Option<String> {
    let mut text = String::new();
    let mut characters = literal.chars();
    let mut found = false;
    while let Some(character) = characters.next() {
        let escaped = if character == '\\' { characters.next() } else { None };
        match escaped {
            Some('e' | 'E') => {
                text.push_str("\\033");
                found = true;
            }
            _ => text.extend([Some(character), escaped].into_iter().flatten()),
        }
    }
    found.then_some(text)
}

/// What is refused because of its neighbours.
fn refused_in_context(token: &Token, next: Option<&Token>, before: Option<&Token>) -> Option<Trouble> {
    let next = next?;
    if token.is("goto") && next.is("*") {
        return Some(Trouble::unsupported(token, "a computed goto"));
    }
    if token.is("&&") && next.kind == TokenKind::Identifier && !before.is_some_and(ends_operand) {
        return Some(Trouble::unsupported(token, "the address of a label"));
    }
    let asm = ["asm", "__asm", "__asm__"];
    if token.is_any(&asm) && next.is_any(&["goto", "inline"])
        || token.is("goto") && before.is_some_and(|before| before.is_any(&["volatile"]))
    {
        return Some(Trouble::unsupported(token, "an asm statement"));
    }
    None
}

/// The function with a model that is called as `__builtin_` something: a function of the library, or one that is only called so.
fn modelled_builtin(token: &Token, next: Option<&Token>) -> Option<&'static str> {
    let plain = token.text.strip_prefix("__builtin_").filter(|_| token.kind == TokenKind::Identifier)?;
    next.filter(|next| next.is("("))?;
    models::with_builtins().find(|known| *known == plain || token.is(known))
}

pub(super) fn refused(token: &Token) -> Option<String> {
    let known = REFUSED.iter().find(|(text, _)| token.is(text)).map(|(_, message)| (*message).to_owned());
    let is_ours = token.kind == TokenKind::Identifier && known::is_ours(&token.text);
    let known = known.or_else(|| is_ours.then(|| format!("the name {}, which is reserved", token.text)));
    known.or_else(|| is_pragma(token).then(|| token.text.trim_end().to_owned()))
}

pub(super) fn is_pragma(token: &Token) -> bool {
    token.text.starts_with(PRAGMA)
}

pub(super) const ATTRIBUTE: [&str; 2] = ["__attribute__", "__attribute"];

/// Tokens that the arguments of one attribute may have: the parser reads them as expressions.
const LONGEST_ARGUMENTS: usize = 32;

/// One `__attribute__((...))`.
pub(super) struct Attributes {
    /// The number of its tokens.
    pub(super) length: usize,
    /// What the lowering judges.
    kept: Vec<Token>,
    pub(super) refused: Vec<Trouble>,
}

/// The attributes that begin here; nothing where it is none.
pub(super) fn attributes(tokens: &[Token]) -> Option<Attributes> {
    let (first, rest) = tokens.split_first()?;
    let [open, second, ..] = rest else { return None };
    if !(open.is("(") && second.is("(")) {
        return None;
    }
    let (mut kept, mut refused) = (Vec::new(), Vec::new());
    let mut one: Vec<&Token> = Vec::new();
    let mut depth = 2_usize;
    for (index, token) in rest.iter().enumerate().skip(2) {
        match &*token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth < 2 || depth == 2 && token.is(",") {
            if let Some(name) = one.first() {
                match judged(name, one.get(1..).unwrap_or_default()) {
                    Ok(text) => {
                        kept.extend(text.map(|text| [first.clone(), name.replaced(TokenKind::Identifier, &text)]).into_iter().flatten());
                    }
                    Err(message) => refused.push(Trouble::unsupported(name, message)),
                }
            }
            one.clear();
        } else {
            one.push(token);
        }
        if depth == 0 {
            return Some(Attributes { length: index + 2, kept, refused });
        }
        if depth == 1 && !rest.get(index + 1).is_some_and(|next| next.is(")")) {
            return None;
        }
    }
    None
}

/// The number of tokens of an `_Alignas(...)` that begins here, and the attribute that says the same, which the parser reads wherever that may stand;
/// none for 0, which asks for nothing (C11 6.7.5p6). A type in it is known by its keywords.
fn alignment(tokens: &[Token]) -> Option<(usize, Vec<Token>)> {
    let [first, open, inner, ..] = tokens else { return None };
    if !(first.is("_Alignas") && open.is("(")) {
        return None;
    }
    let end = tokens.iter().position(|token| token.is(")")).filter(|end| !tokens[2..*end].iter().any(|token| token.is("(")))?;
    let text: Vec<&str> = tokens[2..end].iter().map(|token| &*token.text).collect();
    let text = match inner.kind {
        TokenKind::Number if text == ["0"] => return Some((end + 1, Vec::new())),
        TokenKind::Number => text.join(" "),
        TokenKind::Identifier if inner.is_any(&TYPE_WORDS) => format!("_Alignof({})", text.join(" ")),
        _ => return None,
    };
    let attribute = first.replaced(TokenKind::Identifier, &format!("((__aligned__({text})))"));
    Some((end + 1, vec![first.replaced(TokenKind::Identifier, "__attribute__"), attribute]))
}

const TYPE_WORDS: [&str; 13] =
    ["char", "short", "int", "long", "signed", "unsigned", "_Bool", "void", "struct", "union", "enum", "float", "double"];

/// The text that is left of an attribute for the parser, or why it is refused. One text, since the parser wants no space between two of these
/// parentheses.
fn judged(name: &Token, arguments: &[&Token]) -> Result<Option<String>, String> {
    let plain = known::attribute_name(&name.text);
    if plain == "section"
        && !matches!(arguments, [open, section, close] if open.is("(") && known::is_ordinary_section(&section.text) && close.is(")"))
    {
        return Err(format!("the attribute '{}' with this section", name.text));
    }
    match known::attribute(plain) {
        Attribute::Advice => Ok(None),
        Attribute::Judged if arguments.len() <= LONGEST_ARGUMENTS => {
            let arguments: Vec<&str> = match plain {
                "aligned" | "nonnull" | "section" => arguments.iter().map(|token| &*token.text).collect(),
                _ => Vec::new(),
            };
            Ok(Some(format!("((__{plain}__{}))", arguments.join(" "))))
        }
        Attribute::Judged | Attribute::Unknown => Err(format!("the attribute '{}'", name.text)),
    }
}

/// Do the tokens end with `struct` and its like, before the tag?
fn tag_before(tokens: &[Token]) -> Option<()> {
    tokens.last().filter(|last| last.is_any(&["struct", "union", "enum"])).map(|_| ())
}

/// The closing brace of the struct whose tag or body begins at the index.
pub(super) fn body_end(tokens: &[Token], index: usize) -> Option<usize> {
    let mut open = index;
    while let Some(attributes) = tokens.get(open).filter(|token| token.is_any(&ATTRIBUTE)).and_then(|_| attributes(tokens.get(open..)?)) {
        open += attributes.length;
    }
    if tokens.get(open).is_some_and(|token| token.kind == TokenKind::Identifier) {
        open += 1;
    }
    tokens.get(open).filter(|token| token.is("{"))?;
    let mut depth = 0_usize;
    for (end, token) in tokens.iter().enumerate().skip(open) {
        match &*token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(end);
        }
    }
    None
}

/// Can an operand end with this token, so that `&&` after it is binary?
fn ends_operand(token: &Token) -> bool {
    match token.kind {
        TokenKind::Identifier => !token.is_any(&["return", "case", "else", "do", "sizeof", "_Alignof"]),
        TokenKind::Punctuator => token.is_any(&[")", "]", "}", "++", "--"]),
        _ => true,
    }
}

/// A semicolon alone is no declaration in ISO C; after a function's body it is frequent.
fn without_empty_declarations(tokens: Vec<Token>) -> Vec<Token> {
    let mut output: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut outside = Outside::default();
    for token in tokens {
        if outside.is_between && token.is(";") {
            continue;
        }
        outside.pass(&token, &output);
        output.push(token);
    }
    output
}
