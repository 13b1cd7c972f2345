//! What is to be proved: one function of one file, under one set of options.

use goatherd_certificates::certificate::{
    Allocation, Arithmetic, DataModel, Parameters, PointerFormation, SignedOverflow,
};
use goatherd_frontend::lower::{Arrays, Demands, Leaks, Results, Sizes, Undefined, Waiver};
use serde::{Deserialize, Serialize};
use std::{
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

/// One function of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The C file, from the folder of `goatherd.toml`, with `/`.
    pub file: String,
    /// What tells two targets apart that have the file and the function in common.
    pub name: Option<String>,
    /// What is asked of a certificate.
    pub terms: Terms,
    /// How it is searched for. No certificate depends on that, only whether there is one.
    pub search: Effort,
    /// Is a proof enough whose runs reach not every assertion?
    pub vacuity: Vacuity,
}

impl fmt::Display for Target {
    /// `FILE ENTRY`, and `@NAME` if it has one: no other target is called the same.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.file, self.leaf())
    }
}

impl Target {
    /// What tells the targets of one file apart: the name of a file in the archive, without its extension.
    pub fn leaf(&self) -> String {
        match &self.name {
            None => self.terms.entry.clone(),
            Some(name) => format!("{}@{name}", self.terms.entry),
        }
    }
}

/// What a certificate is to be about, and under what. A record names it too, so that another question is seen without reading the file again.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// The function that executions start from.
    pub entry: String,
    /// Macro definitions, in order: `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Where included files are looked for, in order; from the folder of `goatherd.toml`.
    pub include: Vec<String>,
    /// What else fails, ascending.
    pub checks: Vec<Extra>,
    /// What allocation does.
    pub allocation: Allocating,
    /// Assertions that do nothing: `[FILE:]LINE[:COLUMN]`.
    pub waive: Vec<String>,
}

/// What fails only where that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Extra {
    /// Signed overflow.
    Overflow,
    /// Forming a pointer outside its object.
    Pointer,
    /// An object of the heap that nothing leads to when the entry function ends.
    Leak,
}

impl Extra {
    /// As on a command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Overflow => "overflow",
            Self::Pointer => "pointer",
            Self::Leak => "leak",
        }
    }
}

/// What allocation does.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Allocating {
    /// It may give NULL at any time.
    #[default]
    MayFail,
    /// It gives NULL only for requests that no object can satisfy.
    Succeeds,
}

impl Allocating {
    /// As on a command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::MayFail => "may-fail",
            Self::Succeeds => "succeeds",
        }
    }
}

/// Is a proof enough whose runs reach not every assertion?
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Vacuity {
    /// No.
    #[default]
    Refused,
    /// Yes: no input may pass the assumptions.
    Allowed,
}

/// How a proof is searched for; what is not said is for the command to say.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Effort {
    /// Which engine.
    pub engine: Option<&'static str>,
    /// Who decides which paths are feasible.
    pub solver: Option<&'static str>,
    /// Steps of each way to search.
    pub steps: Option<u64>,
    /// How long; zero for any time.
    pub timeout: Option<Duration>,
    /// Bytes; 0 for any number.
    pub memory: Option<u64>,
}

impl Terms {
    /// What a claim is checked under.
    pub fn parameters(&self) -> Parameters {
        let has = |check| self.checks.contains(&check);
        Parameters {
            arithmetic: Arithmetic::C,
            data_model: DataModel::Lp64SignedChar,
            signed_overflow: if has(Extra::Overflow) {
                SignedOverflow::Fails
            } else {
                SignedOverflow::Wraps
            },
            pointer_formation: if has(Extra::Pointer) {
                PointerFormation::InsideObject
            } else {
                PointerFormation::Anywhere
            },
            allocation: match self.allocation {
                Allocating::MayFail => Allocation::MayFail,
                Allocating::Succeeds => Allocation::Succeeds,
            },
        }
    }

    /// What is said of leaks.
    pub fn leaks(&self) -> Leaks {
        if self.checks.contains(&Extra::Leak) {
            Leaks::Fail
        } else {
            Leaks::Ignored
        }
    }

    /// Which of the program's own checks are made.
    ///
    /// # Errors
    ///
    /// A waiver names no place.
    pub fn demands(&self) -> Result<Demands, String> {
        let waivers: Result<Vec<Waiver>, String> =
            self.waive.iter().map(|text| text.parse()).collect();
        Ok(Demands {
            leaks: self.leaks(),
            waivers: waivers?,
            sizes: Sizes::Exact,
            arrays: Arrays::Inside,
            results: Results::Bare,
            undefined: Undefined::Refused,
        })
    }

    /// Where included files are looked for, as seen from the current directory.
    pub fn include_directories(&self, root: &Path) -> Vec<PathBuf> {
        self.include
            .iter()
            .map(|folder| root.join(folder))
            .collect()
    }
}
