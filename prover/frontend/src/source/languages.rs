//! What GCC takes a file for, by the ending of its name: a file that is preprocessed already, `.i`, is read as it is, without macros; other languages than C give
//! other programs the same text.
//!
//! ```c
//! int x = sizeof 'a';     /* 4 in C, 1 in C++ */
//! // C:\                  and the next line, but not in `.i`
//! ```

use super::{
    File,
    directives::{self, Part},
    token::{Place, TokenKind, tokens},
    unit::report_at,
};
use crate::diagnostics::{Kind, Report};
use std::path::Path;

/// Endings of files that GCC takes for another language than C.
const OF_OTHERS: [&str; 53] = [
    "C", "CPP", "F", "F03", "F08", "F90", "F95", "FOR", "FPP", "FTN", "H", "HPP", "M", "S", "ads", "adb", "c++", "cc", "cp", "cpp", "cxx",
    "d", "dd", "di", "f", "f03", "f08", "f90", "f95", "for", "fpp", "ftn", "go", "h++", "hh", "hp", "hpp", "hxx", "ii", "m", "mi", "mii",
    "mm", "mod", "rs", "s", "sx", "tcc", "ixx", "cppm", "cxxm", "ccm", "c++m",
];

/// Is it a file that is preprocessed already?
pub(super) fn is_preprocessed(name: &str) -> bool {
    ending(name) == "i"
}

/// Refuses a file of another language, and in one that is preprocessed what nothing is done with there: directives but line markers, `#pragma` and `#ident`,
/// and backslashes that would go with the end of their lines.
pub(super) fn refused(name: &str, bytes: &[u8]) -> Option<Report> {
    if OF_OTHERS.contains(&ending(name)) {
        return Some(Report::of_file(Kind::Unsupported, name, "a file that is of another language than C by the ending of its name"));
    }
    if is_preprocessed(name) { directive(name, bytes).or_else(|| spliced_line(name, bytes)) } else { None }
}

fn ending(name: &str) -> &str {
    Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

fn directive(name: &str, bytes: &[u8]) -> Option<Report> {
    let start = Place { file: 0, line: 1, column: 1 };
    let place = directives::parts(tokens(bytes, start)).into_iter().find_map(|part| match part {
        Part::Directive(hash, line) => {
            let is_known = line.first().is_some_and(|first| first.kind == TokenKind::Number || first.is_any(&["pragma", "ident"]));
            (!is_known).then_some(hash.place)
        }
        Part::Text(_) => None,
    })?;
    Some(report(name, bytes, place, "a directive in a file that is preprocessed by the ending of its name"))
}

fn spliced_line(name: &str, bytes: &[u8]) -> Option<Report> {
    let is_spliced = |line: &[u8]| line.trim_ascii_end().last() == Some(&b'\\');
    let line = bytes.split(|byte| *byte == b'\n').zip(1..).find(|(line, _)| is_spliced(line)).map(|(_, number)| number)?;
    let message = "a backslash at the end of a line in a file that is preprocessed by the ending of its name";
    Some(report(name, bytes, Place { file: 0, line, column: 1 }, message))
}

fn report(name: &str, bytes: &[u8], place: Place, message: &str) -> Report {
    let file = File { name: name.to_owned(), bytes: Some(bytes.to_vec()) };
    report_at(&[file], place, Kind::Unsupported, message)
}
