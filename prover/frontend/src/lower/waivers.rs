//! Assertions that are waived: they do nothing, and the program goes on behind them (`spec/program.md#waivers`).

use crate::{
    diagnostics::{Diagnostic, Kind},
    source::Unit,
};
use goatherd_certificates::certificate::Position;
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::Path,
    str::FromStr,
};

/// Names the assertions that do nothing: all at a place of the source, which stands on this line of a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Waiver {
    /// The end of the file's name, from the beginning of a folder's: `check.h` or `lists/check.h`; none for the file that the user names.
    pub file: Option<String>,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes; none for all of the line.
    pub column: Option<u32>,
}

impl FromStr for Waiver {
    type Err = String;

    /// Reads `LINE`, `LINE:COLUMN`, `FILE:LINE` or `FILE:LINE:COLUMN`. What comes first is a file unless it is a number.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0 && text.bytes().all(|digit| digit.is_ascii_digit()));
        let numbers = |text: &str| match text.split_once(':') {
            None => Some((number(text)?, None)),
            Some((line, column)) => Some((number(line)?, Some(number(column)?))),
        };
        // Names of files may have colons: as much as can be is a number.
        let in_file = text.match_indices(':').filter(|(end, _)| *end > 0);
        let mut in_file = in_file.filter_map(|(end, _)| Some((Some(text[..end].to_owned()), numbers(&text[end + 1..])?)));
        let place = numbers(text).map(|numbers| (None, numbers)).or_else(|| in_file.next());
        let (file, (line, column)) = place.ok_or("an assertion is named by LINE, FILE:LINE or FILE:LINE:COLUMN")?;
        Ok(Self { file, line, column })
    }
}

impl fmt::Display for Waiver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(formatter, "{file}:")?;
        }
        write!(formatter, "{}", self.line)?;
        self.column.map_or(Ok(()), |column| write!(formatter, ":{column}"))
    }
}

/// The waivers of a unit, and the assertions that they have named.
pub(super) struct Waived<'a> {
    unit: &'a Unit,
    waivers: &'a [Waiver],
    found: RefCell<BTreeMap<Waiver, Position>>,
}

impl<'a> Waived<'a> {
    pub(super) const fn new(unit: &'a Unit, waivers: &'a [Waiver]) -> Self {
        Self { unit, waivers, found: RefCell::new(BTreeMap::new()) }
    }

    /// Does the assertion at this offset do nothing? Those of models are what the C standard asks for, and never waived.
    pub(super) fn covers(&self, offset: usize) -> bool {
        if self.waivers.is_empty() || self.unit.is_model(offset) {
            return false;
        }
        let position = self.unit.position(offset);
        let is_waived = self.waivers.iter().any(|waiver| self.is_named(waiver, position));
        if is_waived {
            let named = Waiver { file: Some(self.unit.short_name(position.file)), line: position.line, column: Some(position.column) };
            self.found.borrow_mut().insert(named, position);
        }
        is_waived
    }

    /// Does the waiver name an assertion at this position?
    fn is_named(&self, waiver: &Waiver, position: Position) -> bool {
        let is_file = waiver.file.as_ref().map_or(position.file == 0, |name| self.unit.is_called(position.file, Path::new(name)));
        is_file && waiver.line == position.line && waiver.column.is_none_or(|column| column == position.column)
    }

    /// A message for each waiver that names no assertion, or assertions of several files: one who means the one would not hear of the other.
    pub(super) fn faults(&self) -> Vec<Diagnostic> {
        let found = self.found.borrow();
        let fault = |waiver: &Waiver| {
            let named: Vec<_> = found.iter().filter(|(_, position)| self.is_named(waiver, **position)).collect();
            let files: BTreeSet<u32> = named.iter().map(|(_, position)| position.file).collect();
            let (message, help) = match files.len() {
                0 => (
                    format!("there is no assertion at {waiver} that could be waived"),
                    "goatherd prove --json lists all assertions, with their places",
                ),
                1 => return None,
                _ => {
                    let places: Vec<String> = named.iter().map(|(named, _)| named.to_string()).collect();
                    (format!("{waiver} names assertions of several files: {}", places.join(", ")), "name the file with its folder")
                }
            };
            Some(Diagnostic { kind: Kind::Error, message, offset: 0, help: Some(help.to_owned()) })
        };
        self.waivers.iter().filter_map(fault).collect()
    }

    /// The assertions that do nothing, ascending.
    pub(super) fn found(self) -> Vec<Waiver> {
        self.found.into_inner().into_keys().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Waiver;

    #[test]
    fn waivers_are_written_as_they_are_read() {
        for text in ["39", "39:5", "a.c:39", "a.c:39:5", "x/a.c:39:5", "a:b.c:39:5", "a:b.c:39"] {
            assert_eq!(text.parse::<Waiver>().map(|waiver| waiver.to_string()).as_deref(), Ok(text));
        }
        let in_file: Waiver = "a.c:39".parse().expect("a place");
        assert_eq!((in_file.file.as_deref(), in_file.line, in_file.column), (Some("a.c"), 39, None));
        for wrong in ["", ":39", "a.c", "a.c:", "0", "+1", "1:0", "a.c:+1", "4294967296"] {
            assert!(wrong.parse::<Waiver>().is_err(), "{wrong}");
        }
    }
}
