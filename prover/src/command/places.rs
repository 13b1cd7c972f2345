//! Where instructions stand in the C text.

use super::input::Loaded;
use goatherd_certificates::{certificate::Position, program::Location};
use goatherd_frontend::{
    diagnostics::{Kind, Report},
    escape::escaped,
    lower::{Lowered, UndefinedBehavior},
    models,
    source::Unit,
};
use serde::Serialize;
use std::fmt;

/// A place in a C file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Debug)]
pub struct Place {
    /// The file, as the user or the preprocessor named it; `<model NAME>` for the model of a library function.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", escaped(&self.file), self.line, self.column)
    }
}

/// The words of C that a parenthesis follows as it does the name of a function.
const STATEMENTS: [&str; 4] = ["for", "if", "switch", "while"];

/// The places of a program's instructions.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    unit: &'a Unit,
    lowered: &'a Lowered,
}

impl<'a> Places<'a> {
    /// Those of this program.
    pub fn new(loaded: &'a Loaded) -> Self {
        Self::of(&loaded.unit, &loaded.lowered)
    }

    /// Those of a program that this file was lowered to.
    pub fn of(unit: &'a Unit, lowered: &'a Lowered) -> Self {
        Self { unit, lowered }
    }

    /// The position of an instruction.
    pub fn position(self, location: Location) -> Position {
        let start = Position { file: 0, line: 1, column: 1 };
        self.lowered.positions.get(location.index()).copied().unwrap_or(start)
    }

    /// The place of an instruction.
    pub fn place(self, location: Location) -> Place {
        let Position { file, line, column } = self.position(location);
        let name = usize::try_from(file).ok().and_then(|file| self.lowered.files.get(file));
        Place { file: name.cloned().unwrap_or_default(), line, column }
    }

    /// Does an instruction stand in the model of a library function?
    pub fn is_model(self, location: Location) -> bool {
        self.unit.is_model_file(self.position(location).file)
    }

    /// What C leaves undefined that happens at an instruction which fails for that.
    pub fn undefined(self, location: Location) -> Option<String> {
        let behavior = self.lowered.undefined.get(&location)?;
        if !self.is_model(location) {
            return Some(behavior.to_string());
        }
        let file = self.place(location).file;
        let function = models::function(&file);
        Some(match behavior {
            UndefinedBehavior::NullArgument => format!("NULL for {function}, which takes none"),
            _ => format!("{function} called as C does not define it"),
        })
    }

    /// The text of the line on which an instruction stands.
    pub fn source_line(self, location: Location) -> Option<String> {
        self.unit.source_line(self.position(location))
    }

    /// The function that is called where an instruction stands, as far as the text of its line tells.
    pub fn called(self, location: Location) -> Option<String> {
        let line = self.source_line(location)?;
        let column = usize::try_from(self.position(location).column).ok()?;
        let rest = line.get(column.checked_sub(1)?..)?;
        let end = rest.find(|next: char| next != '_' && !next.is_ascii_alphanumeric())?;
        let (word, behind) = rest.split_at(end);
        let is_statement = STATEMENTS.contains(&word);
        (!word.is_empty() && !is_statement && behind.trim_start().starts_with('(')).then(|| word.to_owned())
    }

    /// The line of an instruction with a caret, under a message.
    pub fn report(self, location: Location, message: &str) -> Report {
        let place = self.place(location);
        let mut report = Report::of_file(Kind::Error, &place.file, message);
        report.line = Some(place.line);
        report.column = Some(place.column);
        report.source_line = self.source_line(location);
        report
    }
}
