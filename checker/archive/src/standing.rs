//! What is to be said of a target's certificate: a word, and the exit status that goes with it.

use goatherd_frontend::confirm::Confirmed;

/// What is to be said of a target's certificate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standing {
    /// The certificate's bytes are not those that were kept, or the kernel rejects them.
    Damaged,
    /// The kernel says nothing of it: another format version, or more memory or work than is allowed.
    Declined,
    /// It is about another question: another claim, function, definition, parameter or waiver.
    StaleClaim,
    /// It is about another program than the file has now.
    StaleProgram,
    /// The C compiler says something else of the file's types, layouts or constants than the program is made of: a defect of the front end.
    Contradicted,
    /// There is none.
    Missing,
    /// The kernel accepts it, and nothing shows that any input passes the assumptions.
    Vacuous,
    /// A file that was read for it has other bytes now.
    StaleBytes,
    /// It was accepted by another kernel, and now by this one.
    KernelChanged,
    /// It belongs to no target.
    Unlisted,
    /// The kernel accepts it, and it is what is asked for.
    Current,
}

/// How strictly an archive is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strictness {
    /// What leaves the claim true of the sources as they are now is only mentioned.
    Usual,
    /// The archive is to be as `goatherd batch` would leave it (`--frozen`).
    Frozen,
}

/// Are the sources read?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparing {
    /// Only the digests of their bytes are compared.
    Bytes,
    /// They are translated again, and the programs compared.
    Programs,
}

/// Is the C compiler asked about types, layouts and constants where a file is translated?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Confirming {
    /// It is to confirm what the front end believes.
    Compiler,
    /// Nobody is asked (`--no-confirm`).
    Nobody,
}

impl Standing {
    /// All, the worst first.
    pub const ALL: [Self; 11] = [
        Self::Damaged,
        Self::Declined,
        Self::StaleClaim,
        Self::StaleProgram,
        Self::Contradicted,
        Self::Missing,
        Self::Vacuous,
        Self::StaleBytes,
        Self::KernelChanged,
        Self::Unlisted,
        Self::Current,
    ];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::Declined => "declined",
            Self::StaleClaim => "stale-claim",
            Self::StaleProgram => "stale-program",
            Self::Contradicted => "contradicted",
            Self::Missing => "missing",
            Self::Vacuous => "vacuous",
            Self::StaleBytes => "stale-bytes",
            Self::KernelChanged => "kernel-changed",
            Self::Unlisted => "unlisted",
            Self::Current => "current",
        }
    }

    /// The exit status where this is the worst that is to be said; 3 is for wrong usage.
    pub const fn status(self) -> u8 {
        match self {
            Self::Current => 0,
            Self::Damaged => 1,
            Self::Missing => 2,
            Self::StaleClaim => 4,
            Self::StaleProgram => 5,
            Self::StaleBytes => 6,
            Self::Vacuous => 7,
            Self::KernelChanged => 8,
            Self::Unlisted => 9,
            Self::Declined => 10,
            Self::Contradicted => 11,
        }
    }

    /// Is it more than a remark? Where programs were compared, other bytes are known to be the same program.
    pub fn fails(self, strictness: Strictness, comparing: Comparing) -> bool {
        match self {
            Self::Current => false,
            Self::KernelChanged | Self::Unlisted => strictness == Strictness::Frozen,
            Self::StaleBytes => strictness == Strictness::Frozen || comparing == Comparing::Bytes,
            _ => true,
        }
    }
}

/// A standing, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The standing.
    pub standing: Standing,
    /// Why, in a phrase; nothing where the word says it all.
    pub why: Option<String>,
    /// The certificate's digest, where there is a record of one.
    pub certificate: Option<String>,
    /// The digest of the program that it is about, where the kernel accepts it.
    pub program: Option<String>,
    /// What the C compiler says of the types, where the file has that program.
    pub types: Option<Confirmed>,
}

impl Finding {
    /// Of a target of whose certificate nothing is known yet.
    pub const fn new(standing: Standing, why: Option<String>) -> Self {
        Self {
            standing,
            why,
            certificate: None,
            program: None,
            types: None,
        }
    }
}
