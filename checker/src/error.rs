//! Why a certificate is not accepted. Which reason wins where there are several is in `spec/format.md#errors`.

use crate::rejection::Rejection;
use crate::wellformed::Part;

/// Why a certificate is not accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It may be valid, but this checker does not say.
    Declined(Declined),
    /// It is not valid.
    Rejected {
        /// Where this shows.
        place: Where,
        /// The violated condition.
        rejection: Rejection,
    },
}

/// A place in a certificate. Positions count from 0; that of a rule is `u32::MAX` behind the last one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// This byte of the file.
    Byte(usize),
    /// This entry of a table of the statement.
    Entry(Part, usize),
    /// This entry of the table of terms.
    Term(u32),
    /// The evidence as a whole.
    Evidence,
    /// This template.
    Template(u32),
    /// This rule of the derivations from the size classes.
    Root {
        /// The size class.
        class: u64,
        /// The rule.
        rule: u32,
    },
    /// This rule of the derivation from a template.
    Derivation {
        /// The template.
        template: u32,
        /// The rule.
        rule: u32,
    },
    /// The run that shows `Unsafe`.
    Run,
    /// This run for the vacuity flag.
    Witness(u32),
    /// The configuration set of this line.
    Line(u32),
    /// This list of covers.
    Inclusion(u32),
    /// This step of a trace; the last tree is that of a step more.
    Step(u32),
}

/// Why a certificate is not looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declined {
    /// Its format version is not one that this checker reads.
    Version {
        /// The version in the file.
        found: u32,
    },
    /// It declares more memory than the caller allows, both in bytes.
    Limit {
        /// What the certificate declares.
        declared: u64,
        /// What the caller allows.
        allowed: u64,
    },
    /// Checking it takes more than this many bytes, the smaller of its declared limit and the caller's.
    Memory {
        /// Bytes.
        limit: u64,
    },
}

/// What is wrong with bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Defect {
    /// The file does not begin with `goatherd`.
    Magic,
    /// The file ends too early, or a part of it does.
    Truncated,
    /// The trailer is not the digest of the bytes before it.
    Trailer,
    /// The statement digest is not that of the statement.
    StatementDigest,
    /// An integer is not encoded in the fewest bytes, or begins with a byte that no integer begins with.
    Integer,
    /// An integer is outside its type.
    Range,
    /// A length is larger than the number of bytes that are left.
    Length,
    /// A string is not UTF-8.
    Text,
    /// A variant's number, or the byte of an option, is not one that the format knows.
    Variant,
    /// Bytes are left over.
    Trailing,
}

impl Failure {
    /// The failure at a place that a rejection is.
    pub fn at(place: Where) -> impl Fn(Rejection) -> Self {
        move |rejection| match rejection {
            Rejection::Declined(declined) => Self::Declined(declined),
            rejection => Self::Rejected { place, rejection },
        }
    }
}

impl From<Declined> for Failure {
    fn from(declined: Declined) -> Self {
        Self::Declined(declined)
    }
}
