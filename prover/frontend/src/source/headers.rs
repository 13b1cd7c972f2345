//! What system headers declare and nobody here can read: functions with 128-bit integers, unknown attributes and the like. Such a declaration goes,
//! if nothing depends on it.
//!
//! A line marker or `#line` in the user's own text may call it a system header, too. So only that goes which does nothing by itself, and whose names
//! nothing mentions: `void f(void) __attribute__((constructor));` stays, and is refused, where there is an `f`, as does a definition of it.

use super::{
    File, Trouble, bodies,
    rewrite::{ATTRIBUTE, attributes, is_pragma, refused},
    token::{Token, TokenKind},
};
use std::{collections::BTreeSet, ops::Range};

/// What stands behind the name in a declarator.
const BEHIND_NAMES: [&str; 9] = ["(", "[", ";", ",", "=", ":", "{", "__attribute__", "__asm__"];

/// Words with which something is said of functions or objects outside.
const SAY: [&str; 8] = ["extern", "_Noreturn", "typedef", "asm", "__asm", "__asm__", "__attribute__", "__attribute"];

const ASM: [&str; 3] = ["asm", "__asm", "__asm__"];

/// Words that may stand where names do.
const WORDS: [&str; 16] = [
    "__attribute__",
    "__attribute",
    "__asm__",
    "asm",
    "__typeof__",
    "__typeof",
    "typeof",
    "_Alignas",
    "__extension__",
    "struct",
    "union",
    "enum",
    "int",
    "long",
    "char",
    "void",
];

/// The tokens without the declarations of system headers that are refused and that nothing depends on.
pub(super) fn without_refused_declarations(tokens: Vec<Token>, files: &[File]) -> Vec<Token> {
    let refusals: Vec<usize> = tokens
        .iter()
        .enumerate()
        .filter(|(index, token)| is_of_system(token, files) && is_refused(&tokens, *index))
        .map(|(index, _)| index)
        .collect();
    if refusals.is_empty() {
        return tokens;
    }
    let candidates: Vec<Declaration> =
        declarations(&tokens).filter(|range| has_any(&refusals, range)).map(|range| Declaration::of(&tokens, range)).collect();
    let mut others = candidates.iter().peekable();
    let mut mentioned: BTreeSet<&str> = BTreeSet::new();
    for (index, token) in tokens.iter().enumerate() {
        while others.peek().is_some_and(|next| next.tokens.end <= index) {
            others.next();
        }
        if token.kind == TokenKind::Identifier && !others.peek().is_some_and(|next| next.tokens.contains(&index)) {
            mentioned.insert(&token.text);
        }
    }
    // What says something of a function and what defines it do not go both.
    let among_candidates = |name: &str| {
        let has_name =
            |candidate: &&Declaration| tokens.get(candidate.tokens.clone()).is_some_and(|own| own.iter().any(|token| token.is(name)));
        candidates.iter().filter(has_name).count()
    };
    let is_mentioned = |candidate: &Declaration, name: &str| mentioned.contains(name) || !candidate.is_type && among_candidates(name) > 1;
    let is_needed = |candidate: &&Declaration| !candidate.does_nothing || candidate.names.iter().any(|name| is_mentioned(candidate, name));
    let mut gone: Vec<Range<usize>> =
        candidates.iter().filter(|candidate| !is_needed(candidate)).map(|candidate| candidate.tokens.clone()).collect();
    gone.reverse();
    let mut kept = Vec::with_capacity(tokens.len());
    for (index, token) in tokens.into_iter().enumerate() {
        while gone.last().is_some_and(|next| next.end <= index) {
            gone.pop();
        }
        if !gone.last().is_some_and(|next| next.contains(&index)) {
            kept.push(token);
        }
    }
    kept
}

fn is_of_system(token: &Token, files: &[File]) -> bool {
    let file = usize::try_from(token.place.file).ok().and_then(|file| files.get(file));
    file.is_some_and(|file| file.bytes.is_none()) && !is_pragma(token)
}

fn is_refused(tokens: &[Token], index: usize) -> bool {
    let rest = tokens.get(index..).unwrap_or_default();
    let Some(token) = rest.first() else { return false };
    let attribute = || token.is_any(&ATTRIBUTE) && attributes(rest).is_some_and(|found| !found.refused.is_empty());
    refused(token).is_some() || attribute()
}

/// Is one of the ascending numbers in the range?
fn has_any(numbers: &[usize], range: &Range<usize>) -> bool {
    let next = numbers.partition_point(|number| *number < range.start);
    numbers.get(next).is_some_and(|number| range.contains(number))
}

/// Where the declarations and definitions outside of functions stand.
pub(super) fn declarations(tokens: &[Token]) -> impl Iterator<Item = Range<usize>> {
    let (mut start, mut depth, mut has_body) = (0, 0_usize, false);
    tokens.iter().enumerate().filter_map(move |(index, token)| {
        match &*token.text {
            "(" | "[" | "{" => {
                has_body |= depth == 0 && token.is("{") && tokens.get(start..index).is_some_and(bodies::may_begin_behind);
                depth += 1;
            }
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_end = depth == 0 && (token.is(";") || has_body && token.is("}"));
        is_end.then(|| {
            has_body = false;
            std::mem::replace(&mut start, index + 1)..index + 1
        })
    })
}

/// A declaration that is refused.
struct Declaration {
    tokens: Range<usize>,
    /// What it declares, and perhaps more.
    names: BTreeSet<String>,
    /// Is there no object and no code of it, unless something asks for them?
    does_nothing: bool,
    /// Does it name types alone?
    is_type: bool,
}

impl Declaration {
    fn of(tokens: &[Token], range: Range<usize>) -> Self {
        let own = tokens.get(range.clone()).unwrap_or_default();
        let mut names = BTreeSet::new();
        let (mut depth, mut has_plain_name, mut has_object) = (0_usize, false, false);
        let (mut is_initialised, mut is_foreign) = (false, false);
        for (index, token) in own.iter().enumerate() {
            let next = own.get(index + 1);
            let is_name = token.kind == TokenKind::Identifier && !token.is_any(&WORDS);
            // A name in parentheses, such as that of a pointer to a function, stands behind one or behind a star, and before all others.
            let before = index.checked_sub(1).and_then(|before| own.get(before));
            let is_inner = depth > 0
                && !has_plain_name
                && before.is_some_and(|before| before.is_any(&["(", "*"]))
                && next.is_some_and(|next| next.is_any(&[")", "[", "("]));
            let is_plain = depth == 0 && next.is_some_and(|next| next.is_any(&BEHIND_NAMES));
            if is_name && (is_inner || is_plain) {
                names.insert(token.text.to_string());
                has_plain_name |= is_plain;
                has_object |= is_inner || !next.is_some_and(|next| next.is_any(&["(", "{"]));
            }
            // A type, and then an object in parentheses: `T (*const p)`.
            let is_inside = token.is("(") && depth == 0 && !before.is_some_and(|before| before.is_any(&ATTRIBUTE) || before.is_any(&ASM));
            has_object |= is_inside && next.is_some_and(|next| next.is_any(&["*", "(", "^", "__attribute__"]));
            match &*token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                "=" if depth == 0 => is_initialised = true,
                "," if depth == 0 => has_plain_name = false,
                "extern" | "typedef" if depth == 0 => is_foreign = true,
                _ => {}
            }
        }
        let does_nothing = if own.last().is_some_and(|last| last.is("}")) {
            // With `gnu_inline`, or if it is `static`, there is code only where it is called. Inside, something may be said of others.
            is_only_for_calls(own) && !says_inside(own, &SAY) && !has_brackets(own)
        } else {
            // Compilers call a function by its name for the assembler unasked, too.
            !is_initialised && (!has_object || is_foreign) && !own.iter().any(|token| token.is_any(&ASM) || token.text.contains("alias"))
        };
        let is_type = own.first().is_some_and(|first| first.is("typedef"));
        Declaration { tokens: range, names, does_nothing, is_type }
    }
}

/// Is a function `static` or `gnu_inline`, and has it no other attribute that is refused?
fn is_only_for_calls(tokens: &[Token]) -> bool {
    let at = |index: usize| tokens.get(index..).and_then(attributes).map_or_else(Vec::new, |found| found.refused);
    let attributes = tokens.iter().enumerate().filter(|(_, token)| token.is_any(&ATTRIBUTE));
    let refused: Vec<Trouble> = attributes.flat_map(|(index, _)| at(index)).collect();
    let is_static = tokens.iter().take_while(|token| !token.is("(")).any(|token| token.is("static"));
    (is_static || !refused.is_empty()) && refused.iter().all(|refused| refused.message.contains("gnu_inline"))
}

/// Is there an attribute in brackets, `[[gnu::constructor]]`?
fn has_brackets(tokens: &[Token]) -> bool {
    tokens.iter().zip(tokens.iter().skip(1)).any(|(one, two)| one.is("[") && two.is("["))
}

/// Stands one of the words in the body?
fn says_inside(tokens: &[Token], words: &[&str]) -> bool {
    tokens.iter().skip_while(|token| !token.is("{")).any(|token| token.is_any(words))
}
