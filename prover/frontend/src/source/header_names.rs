//! Names of headers, which end elsewhere than strings and operators do: to `<x/*y>` the compiler reads on where a comment seems to begin, and in
//! `"a\"/*"` the string ends with the backslash. C leaves such names undefined (C11 6.4.7p3).
//!
//! Whether there is one depends on more than the line: what is skipped has none behind `__has_include`, which a macro may stand for. So they
//! are not read but refused.

use super::{
    File,
    directives::{self, Part},
    token::{Place, Token, tokens},
};

pub(super) const MESSAGE: &str = "a header's name with a quote, a backslash or a comment in it";

/// What asks for headers by their names.
pub(super) const QUESTIONS: [&str; 3] = ["__has_include", "__has_include_next", "__has_embed"];

/// Where such a name may stand in the file; given is whether anything may ask for headers.
pub(super) fn first_odd(number: u32, file: &File, is_asked: impl Fn() -> bool) -> Option<Token> {
    let parts = directives::parts(tokens(file.bytes.as_ref()?, Place { file: number, line: 1, column: 1 }));
    let in_directive = |part| match part {
        Part::Directive(_, line) => line.iter().find(|token| token.is_odd_header_name()).filter(|_| has_name(&line) || is_asked()).cloned(),
        Part::Text(_) => None,
    };
    parts.into_iter().find_map(in_directive)
}

/// Has this directive, given without the `#`, the name of a header?
fn has_name(line: &[Token]) -> bool {
    let Some(directive) = line.first() else { return false };
    let is_pragma = directive.is("pragma") && line.iter().any(|word| word.is_any(&["dependency", "include_alias"]));
    directive.is_any(&["include", "include_next", "import", "embed", "__include_macros"]) || is_pragma
}
