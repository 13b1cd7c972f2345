//! Names that are reserved for the implementation (C11 7.1.3) in a text that includes headers of the library: these may use them, also where no run of
//! the preprocessor shows it here, since much of what they have depends on how the program is compiled.
//!
//! ```c
//! #include <ctype.h>
//! enum { _ISdigit = 65535 };      /* what isdigit(c) tests c with, where it is a macro */
//! ```

use super::{
    File,
    directives::{Part, declares},
    known,
    token::{Token, TokenKind},
    users_text::UsersText,
};
use std::collections::BTreeSet;

/// Has the user's text such names, beside headers of the library?
pub(super) fn are_used(text: &UsersText) -> bool {
    // GCC includes one by itself, which only says what the library does.
    let is_header = |file: &File| file.bytes.is_none() && !file.name.starts_with('<') && !file.name.ends_with("/stdc-predef.h");
    text.files.iter().any(is_header) && has_reserved(text)
}

fn has_reserved(text: &UsersText) -> bool {
    let parts = &text.parts;
    // What guards a header or chooses among what headers have is known by its name: with any other one they may say more than whether there is such a macro.
    let gone: BTreeSet<&str> = parts.iter().filter_map(undefined).collect();
    let switches: BTreeSet<&str> = parts.iter().filter_map(switch).filter(|name| !gone.contains(name)).collect();
    let is_meant = |token: &Token| known::is_foreign(token) && !switches.contains(&*token.text);
    // Not even names that end as those of compilers do, such as `__nothrow__`, are for programs to define.
    let is_defined = |line: &[Token]| match line {
        [directive, name, body @ ..] if directive.is_any(&["define", "undef"]) => {
            (known::is_reserved(&name.text) && !switches.contains(&*name.text)) || known::is_keyword(&name.text) || declares(body)
        }
        _ => false,
    };
    // Any name that begins with an underscore may be a part of one that is pasted together.
    let pastes = text.parts_of_names().is_pasting();
    let is_part = |token: &Token| {
        pastes && token.kind == TokenKind::Identifier && token.text.starts_with('_') && !known::is_of_compilers(&token.text)
    };
    parts.iter().any(|part| match part {
        Part::Text(text) => text.iter().any(|token| is_meant(token) || is_part(token)),
        Part::Directive(_, line) => line.iter().any(|token| is_meant(token) || is_part(token)) || is_defined(line),
    })
}

/// Does a macro of this name choose among what headers have, or guard a header?
pub(super) fn is_feature(name: &str) -> bool {
    ["_SOURCE", "_BITS", "_MACROS", "_REENTRANT", "_INCLUDED", "_H", "_H_", "_H__", "_h", "_h_", "_h__"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

fn undefined(part: &Part) -> Option<&str> {
    let Part::Directive(_, line) = part else { return None };
    line.get(1).filter(|_| line.first().is_some_and(|first| first.is("undef"))).map(|name| &*name.text)
}

/// The macro of such a name that a directive defines as nothing, or as a number.
fn switch(part: &Part) -> Option<&str> {
    let Part::Directive(_, line) = part else { return None };
    match line.as_slice() {
        [define, name] if define.is("define") => Some(&*name.text),
        [define, name, value] if define.is("define") && value.kind == TokenKind::Number => Some(&*name.text),
        _ => None,
    }
    .filter(|name| is_feature(name))
}
