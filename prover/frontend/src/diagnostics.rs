//! What is wrong with a C file, and how it is shown.
//!
//! A [`Diagnostic`] is raised at an offset of a [`Unit`]'s text. [`Unit::report`] works out everything a reader needs; the outcome, a
//! [`Report`], is also what is raised where no unit exists yet (a missing file, an error of the C compiler). Only reports are shown:
//!
//! ```text
//! loop.c:3:9: unsupported: an asm statement
//!   |
//! 3 |         asm("nop");
//!   |         ^
//!   = write it in C
//! ```

use crate::{
    escape::{escaped, escaped_lines, masked},
    source::Unit,
};
use codespan_reporting::{
    diagnostic::{LabelStyle, Severity},
    term::{
        Chars, Config, Renderer, Styles, StylesWriter, WriteStyle,
        termcolor::{Ansi, Color, ColorSpec, NoColor, WriteColor},
    },
};
use serde::Serialize;
use std::io::IsTerminal;

/// What kind of trouble it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The text is not C, or cannot be read.
    Error,
    /// It is C, but not of the part that is understood.
    Unsupported,
}

impl Kind {
    /// The word that messages use.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Error => "error",
            Kind::Unsupported => "unsupported",
        }
    }
}

/// Trouble at a place of a unit's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Its kind.
    pub kind: Kind,
    /// What is wrong: a phrase without a full stop, such as `an asm statement`.
    pub message: String,
    /// Where, in bytes from the start of [`Unit::text`].
    pub offset: usize,
    /// What to do about it.
    pub help: Option<String>,
}

/// Trouble with all that a reader needs to see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Report {
    /// Its kind.
    pub kind: Kind,
    /// What is wrong.
    pub message: String,
    /// The file, as the user named it.
    pub file: String,
    /// From 1; none if the file as a whole is meant.
    pub line: Option<u32>,
    /// From 1, in bytes; none if only the line is known.
    pub column: Option<u32>,
    /// The text of the line, where it can be shown.
    pub source_line: Option<String>,
    /// The macro in whose expansion it is; line and column are those of its use.
    pub macro_name: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Report {
    /// A report about a file as a whole.
    pub fn of_file(kind: Kind, file: &str, message: impl Into<String>) -> Report {
        Report {
            kind,
            message: message.into(),
            file: file.to_owned(),
            line: None,
            column: None,
            source_line: None,
            macro_name: None,
            help: None,
        }
    }

    /// A report about what stands at this offset, in bytes, of the file's text.
    pub fn of_text(kind: Kind, (file, text): (&str, &str), offset: usize, message: impl Into<String>) -> Report {
        let before = text.get(..offset).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let count = |count: usize| u32::try_from(count).ok();
        Report {
            line: count(before.matches('\n').count() + 1),
            column: count(before.len() - start + 1),
            source_line: text.get(start..).and_then(|rest| rest.lines().next()).map(str::to_owned),
            ..Report::of_file(kind, file, message)
        }
    }
}

/// Are messages coloured?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colors {
    /// Plain text.
    Never,
    /// ANSI colours.
    Always,
}

impl Colors {
    /// For the standard error stream: colours on a terminal, unless the environment variable `NO_COLOR` is there and not empty.
    pub fn for_standard_error() -> Colors {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if !refused && std::io::stderr().is_terminal() { Colors::Always } else { Colors::Never }
    }
}

/// Works out the reports of a unit's diagnostics, in order of position, without repetitions.
pub fn reports(unit: &Unit, diagnostics: &[Diagnostic]) -> Vec<Report> {
    let mut reports: Vec<Report> = diagnostics.iter().map(|diagnostic| unit.report(diagnostic)).collect();
    let order = |report: &Report| {
        let file = unit.files().iter().position(|name| *name == report.file);
        (file, report.line, report.column, report.kind, report.message.clone())
    };
    reports.sort_by_cached_key(order);
    reports.dedup();
    reports
}

/// Shows reports, one after the other, as text.
pub fn render(reports: &[Report], colors: Colors) -> String {
    let bytes = match colors {
        Colors::Never => render_all(reports, NoColor::new(Vec::new())).map(NoColor::into_inner),
        Colors::Always => render_all(reports, Ansi::new(Vec::new())).map(Ansi::into_inner),
    };
    // Writing to memory does not fail, and all that is written is text.
    String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
}

fn render_all<W: WriteColor>(reports: &[Report], mut writer: W) -> Option<W> {
    let styles = Styles::default();
    for (index, report) in reports.iter().enumerate() {
        if index > 0 {
            writeln!(writer).ok()?;
        }
        header(report, &mut writer).ok()?;
        snippet(report, &mut StylesWriter::new(&mut writer, &styles)).ok()?;
    }
    Some(writer)
}

/// `FILE:LINE:COLUMN: KIND: MESSAGE`
fn header(report: &Report, writer: &mut impl WriteColor) -> std::io::Result<()> {
    write!(writer, "{}:", escaped(&report.file))?;
    for number in [report.line, report.column].into_iter().flatten() {
        write!(writer, "{number}:")?;
    }
    let color = match report.kind {
        Kind::Error => Color::Red,
        Kind::Unsupported => Color::Yellow,
    };
    writer.set_color(ColorSpec::new().set_fg(Some(color)).set_bold(true))?;
    write!(writer, " {}", report.kind.name())?;
    writer.reset()?;
    writeln!(writer, ": {}", escaped_lines(&report.message))
}

/// The source line with a caret, and the help.
fn snippet(report: &Report, writer: &mut dyn WriteStyle) -> Result<(), codespan_reporting::files::Error> {
    let config = Config { chars: Chars::ascii(), ..Config::default() };
    let mut padding = 1;
    let mut renderer = Renderer::new(writer, &config);
    if let (Some(line), Some(source)) = (report.line, &report.source_line) {
        padding = line.to_string().len();
        let number = usize::try_from(line).unwrap_or(usize::MAX);
        let (text, caret) = window(source, report.column.map(|column| usize::try_from(column).unwrap_or(usize::MAX)));
        let label = report.macro_name.as_ref().map(|name| format!("in the expansion of {}", escaped(name))).unwrap_or_default();
        let labels: Vec<_> = caret.map(|at| (LabelStyle::Primary, at..at + 1, label.as_str())).into_iter().collect();
        renderer.render_snippet_empty(padding, Severity::Error, 0, &[])?;
        renderer.render_snippet_source(padding, number, &text, Severity::Error, &labels, 0, &[])?;
    }
    if let Some(help) = &report.help {
        renderer.render_snippet_note(padding, &escaped_lines(help))?;
    }
    Ok(())
}

/// The longest part of a line that is shown, in characters.
const WINDOW: usize = 160;

/// The part of the line around the column, and the caret's byte offset in it.
fn window(line: &str, column: Option<usize>) -> (String, Option<usize>) {
    let target = column.map_or(0, |column| column.saturating_sub(1).min(line.len()));
    let before = line.char_indices().take_while(|(at, _)| *at < target).count();
    let first = if line.chars().count() <= WINDOW { 0 } else { before.saturating_sub(WINDOW / 2) };
    let mut text = String::new();
    let mut caret = None;
    for (index, character) in line.chars().enumerate().skip(first).take(WINDOW) {
        if index == before {
            caret = Some(text.len());
        }
        text.push(masked(character));
    }
    let caret = column.map(|_| caret.unwrap_or(text.len()));
    (text, caret)
}
