//! What hides from here what a text says: its tokens are looked at before the compiler has preprocessed it, and these have to be the compiler's.

use super::{
    File, bytes,
    directives::{self, Part},
    header_names, names_of_files,
    token::{Place, Stray, Token, TokenKind, tokens},
    unit::report_at,
    users_text::UsersText,
};
use crate::diagnostics::{Kind, Report};

/// Refuses pragmas, strings, names of headers and files of which the compiler knows more, and definitions on the command line that headers of the system may
/// use.
pub(super) fn hidden(text: &UsersText) -> Vec<Report> {
    let mut refused = bytes::odd(text.files);
    refused.extend(hiding_pragmas(text));
    refused.extend(included_itself(text.files));
    refused.extend(raw_strings(text));
    refused.extend(odd_header_names(text));
    refused.extend(names_of_files::said(text));
    refused.extend(spoken_in_headers(text.files, text.definitions));
    refused
}

/// Raw strings, which GNU C has: what is a comment or a directive behind one, only who reads them knows.
fn raw_strings(text: &UsersText) -> Option<Report> {
    let found = text.tokens.iter().find(|token| token.kind == TokenKind::Stray(Stray::RawString));
    found.map(|token| report_at(text.files, token.place, Kind::Unsupported, "a raw string literal"))
}

/// Names of headers that hide what stands behind them.
fn odd_header_names(text: &UsersText) -> Vec<Report> {
    let parts = text.parts_of_names();
    let of_library = |name: &str| !text.library.with(|token| token.is(name)).is_empty();
    let is_said = |name: &&str| text.tokens.iter().any(|token| token.is(name)) || parts.last_of(name).is_some() || of_library(name);
    let is_asked = || header_names::QUESTIONS.iter().any(is_said);
    let found = (0..).zip(text.files).filter_map(|(number, file)| header_names::first_odd(number, file, is_asked));
    found.map(|token| report_at(text.files, token.place, Kind::Unsupported, header_names::MESSAGE)).collect()
}

/// The file if it includes itself: it is read from the standard input, so that `#pragma once` and `#import` do not know it again.
fn included_itself(files: &[File]) -> Option<Report> {
    let (first, others) = files.split_first()?;
    let is_again = first.bytes.is_some() && others.iter().any(|file| file.bytes == first.bytes);
    is_again.then(|| Report::of_file(Kind::Unsupported, &first.name, "a file that includes itself"))
}

/// Definitions on the command line that headers of the system may use.
fn spoken_in_headers(files: &[File], definitions: &[String]) -> Vec<Report> {
    let name = files.first().map_or("", |file| file.name.as_str());
    let speaks =
        |definition: &&String| directives::speaks_in_headers(&tokens(definition.replacen('=', " ", 1).as_bytes(), Place::default()));
    let message = |definition| format!("-D{definition}, whose name is reserved, so that headers of the system may use it");
    definitions.iter().filter(speaks).map(|definition| Report::of_file(Kind::Unsupported, name, message(definition))).collect()
}

/// What pragmas say that hide what is said in headers: that they are the system's, and macros that come back without a definition.
const HIDING: [&str; 3] = ["system_header", "push_macro", "pop_macro"];

/// Pragmas that say so, or may: of `_Pragma` only what is in the string behind it is known.
fn hiding_pragmas(text: &UsersText) -> Option<Report> {
    let is_said = |token: &&Token| HIDING.iter().any(|word| token.text.contains(word));
    let making = text.library.of_bodies(|body| made(body).is_some());
    let of_library = text.library.leading_to(&making);
    let is_making = |token: &&Token| making.contains(&*token.text) || of_library.contains(&*token.text);
    let made = text.parts.iter().map(Part::tokens).find_map(made);
    let pasted = || text.parts_of_names().last_of("_Pragma").map(|part| text.place(part));
    let found = text.tokens.iter().find(is_said).or(made).or_else(|| text.tokens.iter().find(is_making));
    let place = found.map(|token| token.place).or_else(pasted)?;
    Some(report_at(text.files, place, Kind::Unsupported, "a #pragma that hides what is said in headers"))
}

/// The first `_Pragma` behind which there is no string in parentheses, so that its words are made elsewhere.
fn made(tokens: &[Token]) -> Option<&Token> {
    let is_plain = |rest: &[Token]| matches!(rest, [open, word, ..] if open.is("(") && word.kind == TokenKind::String);
    let all = tokens.iter().enumerate();
    all.filter(|(_, token)| token.is("_Pragma")).find(|(at, _)| !is_plain(tokens.get(at + 1..).unwrap_or_default())).map(|(_, token)| token)
}
