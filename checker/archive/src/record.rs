//! What an archive remembers of a target: its certificate, and what was read for it.

use crate::target::Terms;
use serde::{Deserialize, Serialize};

/// Names the form of a record.
pub const SCHEMA: &str = "goatherd-record/1";

/// What an archive remembers of a target. Neither times nor machines are in it: the same proof has the same record everywhere.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: String,
    /// SHA-256 of the certificate, by which it is found.
    pub certificate: String,
    /// SHA-256 of the program that it is about.
    pub program: String,
    /// What was asked of it.
    pub terms: Terms,
    /// The source of the kernel that has accepted it.
    pub kernel: String,
    /// The files that were read: the target's own first, then headers, but those of the system.
    pub inputs: Vec<SourceDigest>,
}

/// A file that was read.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct SourceDigest {
    /// From the folder of `goatherd.toml`, if it lies in there.
    pub path: String,
    /// Of its bytes.
    pub sha256: String,
}

impl Record {
    /// The record as a file.
    pub fn to_text(&self) -> String {
        // There are no maps in it, so that serialising does not fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// It is no record, or one of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let record: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let is_digest = |text: &str| {
            text.len() == 64
                && text
                    .bytes()
                    .all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
        };
        if record.schema != SCHEMA {
            return Err(format!(
                "its schema is {}, and {SCHEMA} is known",
                record.schema
            ));
        }
        if is_digest(&record.certificate) {
            Ok(record)
        } else {
            Err(String::from("its certificate is not named by a digest"))
        }
    }
}
