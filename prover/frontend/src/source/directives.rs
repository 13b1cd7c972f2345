//! Files without `#include` and conditions are preprocessed here; the others by the C compiler.

use super::{
    File, Options, known, languages,
    macros::{self, Macros},
    preprocessor::{self, Expanded},
    token::{Place, Token, TokenKind, tokens},
    unit::report_at,
};
use crate::{
    diagnostics::{Kind, Report},
    lower::is_of_harness,
};
use std::path::Path;

/// A stretch of a file.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// The tokens of one directive, after the `#`.
    Directive(Token, Vec<Token>),
    /// The tokens between two directives.
    Text(Vec<Token>),
}

impl Part {
    /// Without the `#` of a directive.
    pub(crate) fn tokens(&self) -> &[Token] {
        match self {
            Part::Directive(_, tokens) | Part::Text(tokens) => tokens,
        }
    }
}

/// Cuts a file's tokens at its directives (C11 6.10p2).
pub(crate) fn parts(tokens: Vec<Token>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut text = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if !(token.first && token.is("#")) {
            text.push(token);
            continue;
        }
        if !text.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut text)));
        }
        let mut line = Vec::new();
        while let Some(next) = tokens.next_if(|next| !next.first) {
            line.push(next);
        }
        parts.push(Part::Directive(token, line));
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    parts
}

/// The first file after preprocessing. Files that it includes are added to the list.
pub(crate) fn preprocess(files: &mut Vec<File>, directory: &Path, options: &Options) -> Result<Expanded, Vec<Report>> {
    let name = files.first().map(|file| file.name.clone()).unwrap_or_default();
    let bytes = files.first().and_then(|file| file.bytes.as_deref()).unwrap_or_default();
    let parts = parts(tokens(bytes, Place { file: 0, line: 1, column: 1 }));
    if let Some(reason) = parts.iter().find_map(needs_compiler) {
        return preprocessor::preprocess(files, directory, options, &reason);
    }
    let mut known = Macros::new();
    // What is preprocessed has no macros.
    let definitions = if languages::is_preprocessed(&name) { &[] } else { options.definitions.as_slice() };
    for text in definitions {
        let Some((name, definition)) = macros::command_line_definition(text) else {
            return Err(vec![Report::of_file(Kind::Error, &name, format!("-D{text} is no macro definition"))]);
        };
        known.insert(name, definition);
    }
    let mut output = Vec::new();
    for part in parts {
        match part {
            Part::Text(text) => match macros::expand(&text, &known) {
                Ok(tokens) => output.extend(tokens),
                Err(error) => return Err(vec![report_at(files, error.place, Kind::Error, &error.message)]),
            },
            Part::Directive(hash, line) => {
                output.extend(unknown_pragma(&line, &known));
                define(&line, &mut known).map_err(|message| vec![report_at(files, hash.place, Kind::Error, message)])?;
            }
        }
    }
    Ok(Expanded { tokens: output, has_reserved: false })
}

/// Carries out a `#define` or `#undef`; other directives that come here mean nothing.
pub(crate) fn define(line: &[Token], macros: &mut Macros) -> Result<(), &'static str> {
    match line.split_first() {
        Some((directive, rest)) if directive.is("define") => {
            let (name, definition) = macros::definition(rest).ok_or("this is no macro definition")?;
            macros.insert(name, definition);
        }
        Some((directive, rest)) if directive.is("undef") => {
            let name = rest.first().ok_or("#undef needs a name")?;
            macros.remove(&name.text);
        }
        _ => {}
    }
    Ok(())
}

/// Are there line markers, `# 1 "f.h" 3`, or `#line`?
pub(crate) fn has_markers(bytes: &[u8]) -> bool {
    parts(tokens(bytes, Place { file: 0, line: 1, column: 1 })).iter().any(is_marker)
}

/// Is it a line marker, or `#line`?
pub(super) fn is_marker(part: &Part) -> bool {
    match part {
        Part::Directive(_, line) => line.first().is_some_and(|first| first.kind == TokenKind::Number || first.is("line")),
        Part::Text(_) => false,
    }
}

/// Is there a macro of the user's that headers of the system may use: one with a reserved name, or a keyword's, that stands for words? What it stands for is
/// then said there, such as an attribute.
pub(crate) fn defines_for_headers(bytes: &[u8]) -> bool {
    let is_such = |part: &Part| match part {
        Part::Directive(_, line) => line.first().is_some_and(|first| first.is("define")) && line.get(1..).is_some_and(speaks_in_headers),
        Part::Text(_) => false,
    };
    parts(tokens(bytes, Place { file: 0, line: 1, column: 1 })).iter().any(is_such)
}

/// Is it so of this definition, which begins with the name?
pub(crate) fn speaks_in_headers(definition: &[Token]) -> bool {
    let Some((name, rest)) = definition.split_first() else { return false };
    // No header ends the program.
    let is_end = ["__builtin_abort", "__builtin_exit"].contains(&&*name.text);
    let is_of_headers = known::is_of_headers(&name.text) && !is_of_harness(&name.text) && !is_end;
    is_of_headers && (known::is_keyword(&name.text) || rest.iter().any(|token| token.kind == TokenKind::Identifier)) || declares(rest)
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

/// The token for which the C compiler is needed, with the words for it.
fn needs_compiler(part: &Part) -> Option<(Token, String)> {
    let (hash, line) = match part {
        Part::Text(text) => return text.iter().find(|token| is_predefined(token)).map(|token| (token.clone(), token.text.to_string())),
        Part::Directive(hash, line) => (hash, line),
    };
    let directive = line.first()?;
    let here = match &*directive.text {
        // How GCC pastes and quotes is its own matter, such as `, ## __VA_ARGS__`.
        "define" => !line.iter().any(|token| token.is_any(&["#", "##"])),
        "undef" => true,
        "pragma" => {
            !line.get(1).is_some_and(|name| name.is_any(&["push_macro", "pop_macro"])) && !line.iter().any(Token::is_odd_header_name)
        }
        _ => false,
    };
    if here {
        return line.iter().find(|token| is_predefined(token)).map(|token| (token.clone(), token.text.to_string()));
    }
    Some((hash.clone(), format!("#{}", directive.text)))
}

/// What stands for a `#pragma` that is not known, so that `rewrite` refuses it where it stands; nothing for other directives.
pub(crate) fn unknown_pragma(line: &[Token], macros: &Macros) -> Option<Token> {
    let (directive, words) = line.split_first()?;
    let texts: Vec<&str> = words.iter().map(|word| &*word.text).collect();
    let unknown = directive.is("pragma") && !known::is_harmless_pragma(&texts);
    let name = texts.first().copied().unwrap_or_default();
    // What is understood of some is all of the words (`pack`). Compilers differ in whether macros are expanded there.
    let is_plain = words.iter().all(|word| !macros.contains_key(&word.text));
    let text = if name == "pack" && is_plain { texts.concat() } else { name.to_owned() };
    unknown.then(|| directive.replaced(TokenKind::Identifier, &format!("{PRAGMA}{text}")))
}

/// What tokens that stand for a `#pragma` begin with.
pub(crate) const PRAGMA: &str = "#pragma ";

/// Could the compiler define this name, such as `__LINE__`, `__x86_64__` or `unix`?
fn is_predefined(token: &Token) -> bool {
    let reserved = known::is_reserved(&token.text);
    token.kind == TokenKind::Identifier && (token.is_any(&known::PREDEFINED) || reserved && !known::is_reserved_word(&token.text))
}
