//! Rewriting what the parser cannot read into C that means the same, or refusing it.
//!
//! | text | becomes |
//! |---|---|
//! | `a ?: b`, `a` without side effects | `a ? a : b` |
//! | `__attribute__((...))` | nothing, or the first attribute in it that changes layout or control flow, without arguments |
//! | `__extension__` | nothing |
//! | GNU spellings of keywords | the spelling that the parser knows |
//! | declarations of system headers with what is refused | nothing |
//! | `__int128`, `__auto_type`, `&&label`, `goto *p`, ... | refused as unsupported |

use super::{
    File, Trouble,
    token::{Token, TokenKind},
};

/// Stands for `#pragma pack` among the tokens.
pub(crate) const PACK: &str = "#pragma pack";

/// Spellings that the parser does not know, and those that it does.
const SPELLINGS: [(&str, &str); 8] = [
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
const MEANINGFUL_ATTRIBUTES: [&str; 14] = [
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

/// Rewrites the tokens; what is refused is added to the troubles.
pub(crate) fn rewrite(tokens: Vec<Token>, files: &[File], troubles: &mut Vec<Trouble>) -> Vec<Token> {
    let tokens = without_refused_system_declarations(tokens, files);
    let mut output: Vec<Token> = Vec::with_capacity(tokens.len());
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
                    troubles.push(Trouble::unsupported(token, message).with_help("write it as c ? a : b with a variable for a"))
                }
            }
            continue;
        }
        if token.is("goto") && next.is_some_and(|next| next.is("*")) {
            troubles.push(Trouble::unsupported(token, "a computed goto"));
        }
        if token.is("&&") && next.is_some_and(|next| next.kind == TokenKind::Identifier) && !output.last().is_some_and(ends_operand) {
            troubles.push(Trouble::unsupported(token, "the address of a label"));
        }
        output.push(match SPELLINGS.iter().find(|(spelling, _)| token.is(spelling)) {
            Some((_, known)) => token.replaced(token.kind, known),
            None => token.clone(),
        });
    }
    output
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
