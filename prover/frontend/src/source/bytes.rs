//! Bytes that are no text for all compilers alike.

use super::{File, token::Place, unit::report_at};
use crate::diagnostics::{Kind, Report};

/// The first such byte of each of the user's files.
pub(super) fn odd(files: &[File]) -> Vec<Report> {
    (0..).zip(files).filter_map(|(number, file)| zero(file).or_else(|| lone_return(files, number, file.bytes.as_ref()?))).collect()
}

/// GCC drops a zero in some places and not in others, before a directive's name and behind a backslash.
fn zero(file: &File) -> Option<Report> {
    let at = file.bytes.as_ref()?.iter().position(|byte| *byte == 0)?;
    Some(Report::of_file(Kind::Error, &file.name, format!("this is no text: byte {at} is zero")))
}

/// Some compilers end a line at a carriage return, and with it a comment or a directive.
fn lone_return(files: &[File], number: u32, bytes: &[u8]) -> Option<Report> {
    let at = bytes.iter().zip(bytes.iter().skip(1).chain(b" ")).position(|(byte, next)| *byte == b'\r' && *next != b'\n')?;
    let line = bytes.iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
    let column = at - bytes.iter().take(at).rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1) + 1;
    let place = Place { file: number, line: u32::try_from(line).unwrap_or(u32::MAX), column: u32::try_from(column).unwrap_or(u32::MAX) };
    let mut report = report_at(files, place, Kind::Unsupported, "a carriage return that is not the end of a line");
    // The line has the return in it.
    report.source_line = None;
    Some(report)
}
