//! Names that are reserved for the implementation (C11 7.1.3) in a text that includes headers of the library: these may use them, also where no run of
//! the preprocessor shows it here, since much of what they have depends on how the program is compiled.
//!
//! ```c
//! #include <ctype.h>
//! enum { _ISdigit = 65535 };      /* what isdigit(c) tests c with, where it is a macro */
//! ```

use super::{
    File,
    directives::{self, Part},
    known,
    token::{Place, Token, TokenKind, tokens},
};
use crate::models;
use std::collections::BTreeSet;

/// What programs ask or say which no header of the library defines.
const OF_COMPILERS: [&str; 5] = ["_Pragma", "__cplusplus", "_WIN32", "_WIN64", "_MSC_VER"];

/// Do the user's files have such names, beside headers of the library?
pub(super) fn are_used(files: &[File]) -> bool {
    let is_header = |file: &File| file.bytes.is_none() && !file.name.starts_with('<');
    let own = files.iter().filter(|file| !models::is_model(file)).filter_map(|file| file.bytes.as_ref());
    files.iter().any(is_header) && own.into_iter().any(|bytes| has_reserved(bytes))
}

fn has_reserved(bytes: &[u8]) -> bool {
    let parts = directives::parts(tokens(bytes, Place { file: 0, line: 1, column: 1 }));
    // What guards a header stands for nothing, and what chooses among what headers have stands for a number.
    let gone: BTreeSet<&str> = parts.iter().filter_map(undefined).collect();
    let switches: BTreeSet<&str> = parts.iter().filter_map(switch).filter(|name| !gone.contains(name)).collect();
    let is_meant = |token: &Token| is_foreign(token) && !switches.contains(&*token.text);
    // Not even names that end as those of compilers do, such as `__nothrow__`, are for programs to define.
    let is_defined = |line: &[Token]| match line {
        [directive, name, body @ ..] if directive.is_any(&["define", "undef"]) => {
            (is_reserved(name) && !switches.contains(&*name.text)) || known::is_keyword(&name.text) || declares(body)
        }
        _ => false,
    };
    // Any name that begins with an underscore may be a part of one that is pasted together.
    let pastes =
        parts.iter().any(|part| matches!(part, Part::Directive(_, line) if line.iter().any(|token| token.is_any(&["##", "%:%:"]))));
    let is_part =
        |token: &Token| pastes && token.kind == TokenKind::Identifier && token.text.starts_with('_') && !is_of_compilers(&token.text);
    parts.iter().any(|part| match part {
        Part::Text(text) => text.iter().any(|token| is_meant(token) || is_part(token)),
        Part::Directive(_, line) => line.iter().any(|token| is_meant(token) || is_part(token)) || is_defined(line),
    })
}

/// Does what a macro stands for say something of its own in a declaration, wherever that is?
pub(super) fn declares(body: &[Token]) -> bool {
    let mut depth = 0_usize;
    body.iter().any(|token| {
        match &*token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && token.is_any(&[";", ","])
    })
}

/// Does a macro of this name choose among what headers have?
fn is_feature(name: &str) -> bool {
    ["_SOURCE", "_BITS", "_H", "_H_", "_REENTRANT"].iter().any(|ending| name.ends_with(ending))
}

fn undefined(part: &Part) -> Option<&str> {
    let Part::Directive(_, line) = part else { return None };
    line.get(1).filter(|_| line.first().is_some_and(|first| first.is("undef"))).map(|name| &*name.text)
}

/// The macro that a directive defines as nothing, or as a number.
fn switch(part: &Part) -> Option<&str> {
    let Part::Directive(_, line) = part else { return None };
    match line.as_slice() {
        [define, name] if define.is("define") => Some(&name.text),
        [define, name, value] if define.is("define") && value.kind == TokenKind::Number && is_feature(&name.text) => Some(&name.text),
        _ => None,
    }
}

/// Is it such a name, and none of the compiler's or the harness's?
pub(super) fn is_foreign(token: &Token) -> bool {
    is_reserved(token) && !is_of_compilers(&token.text)
}

fn is_reserved(token: &Token) -> bool {
    token.kind == TokenKind::Identifier && known::is_reserved(&token.text)
}

/// Is it one of the compiler's or the harness's?
fn is_of_compilers(name: &str) -> bool {
    name.ends_with("__")
        || OF_COMPILERS.contains(&name)
        || ["__builtin_", "__VERIFIER_", "__sync_", "__atomic_"].iter().any(|prefix| name.starts_with(prefix))
        || known::is_reserved_word(name)
}
