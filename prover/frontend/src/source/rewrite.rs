//! Rewriting what the parser cannot read into C that means the same, or refusing it.
//!
//! | text | becomes |
//! |---|---|
//! | `a ?: b`, `a` without side effects | `a ? a : b` |
//! | `__attribute__((...))` | nothing, or the first attribute in it that changes layout or control flow, without arguments |
//! | `__extension__` | nothing |
//! | `__builtin_f(...)`, where f has a model and the unit does not define it | `f(...)` |
//! | `;` alone outside functions | nothing |
//! | GNU spellings of keywords | the spelling that the parser knows |
//! | declarations of system headers with what is refused | nothing |
//! | `__int128`, `__auto_type`, `&&label`, `goto *p`, ... | refused as unsupported |

use super::{
    File, Trouble,
    token::{Token, TokenKind},
};
use crate::models;
use std::collections::BTreeSet;

/// Stands for `#pragma pack` among the tokens.
pub(crate) const PACK: &str = "#pragma pack";

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
const REFUSED: [(&str, &str); 12] = [
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
    (PACK, "#pragma pack"),
];

/// Attributes that change layout, types or control flow: their names stay, for the lowering to judge. All others are advice.
const MEANINGFUL_ATTRIBUTES: [&str; 17] = [
    "ms_struct",
    "ext_vector_type",
    "hardbool",
    "packed",
    "aligned",
    "mode",
    "vector_size",
    "cleanup",
    "constructor",
    "destructor",
    "transparent_union",
    "scalar_storage_order",
    "alias",
    "weakref",
    "ifunc",
    "address_space",
    "designated_init",
];

/// The rewritten tokens.
pub(crate) struct Rewritten {
    pub(crate) tokens: Vec<Token>,
    /// Functions that were called as `__builtin_` something, so that nothing declares them.
    pub(crate) undeclared: BTreeSet<&'static str>,
}

/// Rewrites the tokens; what is refused is added to the troubles.
pub(crate) fn rewrite(tokens: Vec<Token>, files: &[File], troubles: &mut Vec<Trouble>) -> Rewritten {
    let tokens = without_empty_declarations(without_refused_system_declarations(tokens, files));
    let mut output: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut undeclared = BTreeSet::new();
    let defined = models::definitions(&tokens);
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let rest = tokens.get(index..).unwrap_or_default();
        index += 1;
        if token.is("__extension__") {
            continue;
        }
        if token.is_any(&["__attribute__", "__attribute"])
            && let Some((length, meaningful)) = attribute(rest)
        {
            index += length - 1;
            output.extend(meaningful);
            continue;
        }
        if let Some(message) = refused(token) {
            troubles.push(Trouble::unsupported(token, message));
            continue;
        }
        let next = rest.get(1);
        if token.is("?") && next.is_some_and(|next| next.is(":")) {
            match repeatable_operand(&output) {
                Ok(operand) => {
                    output.push(token.clone());
                    output.extend(operand);
                }
                Err(message) => {
                    troubles.push(Trouble::unsupported(token, message).with_help("write it as c ? a : b with a variable for a"));
                }
            }
            continue;
        }
        troubles.extend(refused_in_context(token, next, output.last()));
        // The unit's own function is not the one that is meant: what is left as it is has no definition.
        if let Some(name) = modelled_builtin(token, next).filter(|name| !defined.contains(*name)) {
            undeclared.insert(name);
            output.push(if token.is(name) { token.clone() } else { token.replaced(token.kind, name) });
            continue;
        }
        output.push(match SPELLINGS.iter().find(|(spelling, _)| token.is(spelling)) {
            Some((_, known)) => token.replaced(token.kind, known),
            None => token.clone(),
        });
    }
    Rewritten { tokens: output, undeclared }
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
    models::names().find(|known| *known == plain || token.is(known))
}

fn refused(token: &Token) -> Option<&'static str> {
    REFUSED.iter().find(|(text, _)| token.is(text)).map(|(_, message)| *message)
}

/// The number of tokens of the attribute that begins here, and what stays of it: the meaningful ones' names. (The parser does not read all
/// their arguments.)
fn attribute(tokens: &[Token]) -> Option<(usize, Vec<Token>)> {
    let mut depth = 0_usize;
    let mut names: Vec<Token> = Vec::new();
    for (index, token) in tokens.iter().enumerate().skip(1) {
        match &*token.text {
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            text if depth == 2 && MEANINGFUL_ATTRIBUTES.contains(&text.trim_matches('_')) => names.push(token.clone()),
            _ => {}
        }
        if depth == 0 {
            let (first, name) = (tokens.first()?, names.first());
            // One token, since the parser wants no space between two of these parentheses.
            let kept = name.map(|name| vec![first.clone(), name.replaced(TokenKind::Identifier, &format!("(({}))", name.text))]);
            return (index > 1).then_some((index + 1, kept.unwrap_or_default()));
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

const ASSIGNMENTS: [&str; 11] = ["=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="];

/// The longest operand that is repeated, in tokens: operands inside operands would double with each level.
const LONGEST_OPERAND: usize = 64;

/// The operand at the end of the tokens, up to an operator that binds less than `||`, if evaluating it twice is as good as once.
fn repeatable_operand(tokens: &[Token]) -> Result<Vec<Token>, &'static str> {
    let mut depth = 0_usize;
    let mut start = tokens.len();
    for (index, token) in tokens.iter().enumerate().rev() {
        let text = if matches!(token.kind, TokenKind::Punctuator | TokenKind::Identifier) { &*token.text } else { "" };
        match text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" => match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => break,
            },
            ";" | "," | "?" | ":" | "return" | "case" | "else" | "do" if depth == 0 => break,
            _ if depth == 0 && ASSIGNMENTS.contains(&text) => break,
            _ => {}
        }
        start = index;
    }
    let operand = tokens.get(start..).unwrap_or_default();
    if operand.len() > LONGEST_OPERAND {
        return Err("?: with a long first operand and no second one");
    }
    let keyword = |token: &Token| token.is_any(&["if", "while", "for", "switch", "goto"]);
    let effect = operand.iter().any(|token| token.is_any(&["++", "--", "{", ";"]) || token.is_any(&ASSIGNMENTS) || keyword(token));
    let call = operand.windows(2).any(|pair| matches!(pair, [before, open] if open.is("(") && calls(before)));
    if effect || call { Err("?: without its second operand, when the first one may have side effects") } else { Ok(operand.to_vec()) }
}

/// Does a parenthesis after this token make a call?
fn calls(before: &Token) -> bool {
    match before.kind {
        TokenKind::Identifier => !before.is_any(&["sizeof", "_Alignof", "__alignof__"]),
        _ => before.is_any(&[")", "]"]),
    }
}

/// Headers declare functions with 128-bit integers and the like that nobody calls here: such declarations go.
fn without_refused_system_declarations(tokens: Vec<Token>, files: &[File]) -> Vec<Token> {
    let system = |token: &Token| {
        let file = usize::try_from(token.place.file).ok().and_then(|file| files.get(file));
        file.is_some_and(|file| file.bytes.is_none()) && !token.is(PACK)
    };
    if !tokens.iter().any(|token| refused(token).is_some() && system(token)) {
        return tokens;
    }
    let mut output: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut start = 0;
    let mut depth = 0_usize;
    let mut body = false;
    let mut refuse = false;
    for token in tokens {
        refuse |= refused(&token).is_some() && system(&token);
        match &*token.text {
            "(" | "[" | "{" => {
                body |= depth == 0 && token.is("{") && output.last().is_some_and(|last| last.is(")"));
                depth += 1;
            }
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = depth == 0 && (token.is(";") || body && token.is("}"));
        output.push(token);
        if ends {
            if refuse {
                output.truncate(start);
            }
            start = output.len();
            body = false;
            refuse = false;
        }
    }
    output
}

/// A semicolon alone is no declaration in ISO C; after a function's body it is frequent.
fn without_empty_declarations(tokens: Vec<Token>) -> Vec<Token> {
    let mut output: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut depth = 0_usize;
    let mut initialised = false;
    let mut after_body = true;
    let mut body = false;
    for token in tokens {
        if depth == 0 && after_body && token.is(";") {
            continue;
        }
        match &*token.text {
            "(" | "[" | "{" => {
                if depth == 0 && token.is("{") {
                    body = !initialised && output.last().is_some_and(|last| last.is(")"));
                }
                depth += 1;
            }
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "=" if depth == 0 => initialised = true,
            _ => {}
        }
        after_body = depth == 0 && (token.is(";") || token.is("}") && body);
        if after_body {
            initialised = false;
            body = false;
        }
        output.push(token);
    }
    output
}
