//! What hides from here what a text says: its tokens are looked at before the compiler has preprocessed it, and these have to be the compiler's.

use super::{
    File, directives,
    token::{Place, Stray, Token, TokenKind, tokens},
    unit::report_at,
};
use crate::diagnostics::{Kind, Report};

/// Refuses pragmas, strings and files of which the compiler knows more, and definitions on the command line that headers of the system may use.
pub(super) fn hidden(files: &[File], definitions: &[String]) -> Vec<Report> {
    let mut refused = hiding_pragmas(files);
    refused.extend(included_itself(files));
    refused.extend(raw_strings(files));
    refused.extend(spoken_in_headers(files, definitions));
    refused
}

/// Raw strings, which GNU C has: what is a comment or a directive behind one, only who reads them knows.
fn raw_strings(files: &[File]) -> Vec<Report> {
    let found = (0..).zip(files).filter_map(|(number, file)| {
        let tokens = tokens(file.bytes.as_ref()?, Place { file: number, line: 1, column: 1 });
        tokens.into_iter().find(|token| token.kind == TokenKind::Stray(Stray::RawString))
    });
    found.map(|token| report_at(files, token.place, Kind::Unsupported, "a raw string literal")).collect()
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

/// What hides from here what is said in headers: that they are the system's, and macros that come back without a definition.
fn hiding_pragmas(files: &[File]) -> Vec<Report> {
    let words = |bytes: &Vec<u8>, number: u32| tokens(bytes, Place { file: number, line: 1, column: 1 });
    let is_said = |token: &&Token| ["system_header", "push_macro", "pop_macro"].iter().any(|word| token.text.contains(word));
    // Its words may be pasted together.
    let is_made = |words: &[Token]| matches!(words, [pragma, open, word, ..] if pragma.is("_Pragma") && open.is("(") && word.kind != TokenKind::String);
    let found = (0..).zip(files).filter_map(|(number, file)| {
        let words = words(file.bytes.as_ref()?, number);
        words.iter().find(is_said).or_else(|| words.windows(3).find(|words| is_made(words))?.first()).cloned()
    });
    found.map(|token| report_at(files, token.place, Kind::Unsupported, "a #pragma that hides what is said in headers")).collect()
}
