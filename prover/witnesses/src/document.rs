//! What a violation witness consists of.

use serde::{Deserialize, Serialize};

/// The version of the format.
pub const VERSION: &str = "2.0";

/// The only kind of entry of a violation witness.
pub const VIOLATION_SEQUENCE: &str = "violation_sequence";

/// One entry of a witness: a run, as the places that it passes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ViolationWitness {
    /// [`VIOLATION_SEQUENCE`].
    pub entry_type: String,
    /// Who says it, and of what.
    pub metadata: Metadata,
    /// The run, in parts.
    pub content: Vec<Part>,
}

/// Who says it, and of what.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Metadata {
    /// [`VERSION`].
    pub format_version: String,
    /// A name of this witness alone.
    #[serde(default)]
    pub uuid: String,
    /// When it was written, by ISO 8601.
    #[serde(default)]
    pub creation_time: String,
    /// The verifier.
    #[serde(default)]
    pub producer: Producer,
    /// What it was asked.
    #[serde(default)]
    pub task: Asked,
}

/// A verifier.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Producer {
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Its version.
    #[serde(default)]
    pub version: String,
}

/// What a verifier was asked.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Asked {
    /// The program.
    #[serde(default)]
    pub input_files: Vec<String>,
    /// SHA-256 of each file, in hexadecimal digits.
    #[serde(default)]
    pub input_file_hashes: std::collections::BTreeMap<String, String>,
    /// What fails.
    #[serde(default)]
    pub specification: String,
    /// ILP32 or LP64.
    #[serde(default)]
    pub data_model: String,
    /// C.
    #[serde(default)]
    pub language: String,
}

/// A part of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// Places that it does not pass, then one that it does.
    pub segment: Vec<Met>,
}

/// A place that is passed, or not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Met {
    /// The place, and what holds there.
    pub waypoint: Waypoint,
}

/// A place, and what holds there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Waypoint {
    /// What happens.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether the run passes it: `follow` or `avoid`.
    pub action: String,
    /// What holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<Holds>,
    /// Where.
    pub location: Spot,
}

/// What holds at a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Holds {
    /// An expression.
    pub value: String,
    /// Its language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

/// A place in a C file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Spot {
    /// Its name.
    pub file_name: String,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes; none for any of the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

impl Spot {
    /// Is this place of a program the one meant here? Folders are not compared.
    #[must_use]
    pub fn means(&self, other: &Spot) -> bool {
        let plain = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let is_column = self.column.is_none() || self.column == other.column;
        plain(&self.file_name) == plain(&other.file_name) && self.line == other.line && is_column
    }
}

/// Where a call that begins in this column of the line ends: the column of its closing parenthesis. None if no call that ends on the line begins there.
///
/// ```
/// use goatherd_witnesses::document::end_of_call;
///
/// assert_eq!(end_of_call("x = get((1), 2) + y;", 5), Some(15));
/// assert_eq!(end_of_call("x = y;", 5), None);
/// ```
#[must_use]
pub fn end_of_call(line: &str, column: u32) -> Option<u32> {
    let rest = line.get(usize::try_from(column).ok()?.checked_sub(1)?..)?;
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let arguments = rest.trim_start_matches(is_name).trim_start();
    if !rest.starts_with(is_name) || !arguments.starts_with('(') {
        return None;
    }
    let before = rest.len() - arguments.len();
    let mut depth = 0_u32;
    for (offset, letter) in arguments.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            // A parenthesis may stand in these.
            '"' | '\'' => return None,
            _ => {}
        }
        if depth == 0 {
            return column.checked_add(u32::try_from(before + offset).ok()?);
        }
    }
    None
}
