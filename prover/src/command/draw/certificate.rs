//! The certificate, checked, and the graph that the checker has derived from it.

use crate::command::Trouble;
use goatherd_archive::bytes;
use goatherd_certificates::{
    certificate::{Certificate, Claim, Position, Statement},
    program::Location,
};
use goatherd_checker::{
    Limits,
    budget::Budget,
    error::{Defect, Failure},
    rejection::Rejection,
};
use goatherd_claims::{Subject, Verdict, decode, verify};
use goatherd_frontend::files::reason;
use goatherd_paths::draw::certified::Certified;
use std::{fmt, path::Path};

/// Checking may take so many bytes of memory.
const MEMORY: u64 = 4 << 30;

/// An accepted certificate of the claim `Paths`.
pub struct Checked {
    pub statement: Statement,
    pub files: Vec<String>,
    pub positions: Vec<Position>,
    pub verdict: Verdict,
    pub certified: Certified,
}

/// Why no paths are drawn.
pub enum Refused {
    /// The checker does not accept the certificate.
    Rejected(Failure),
    /// It is accepted, but claims something else.
    Claim(Claim),
    /// The graph is not one of steps.
    Unclear(goatherd_paths::draw::certified::Unclear),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(Failure::Declined(reason)) => write!(f, "the checker declines the certificate: {reason:?}"),
            Self::Rejected(Failure::Rejected { rejection: Rejection::Malformed(Defect::Magic), .. }) => {
                f.write_str("this is no certificate; goatherd paths writes one")
            }
            Self::Rejected(Failure::Rejected { .. }) => {
                f.write_str("the checker rejects the certificate (goatherd-check says why); write it again with goatherd paths")
            }
            Self::Claim(claim) => {
                write!(f, "the certificate claims {claim:?}; paths are drawn from one of the claim Paths, which goatherd paths writes")
            }
            Self::Unclear(unclear) => unclear.fmt(f),
        }
    }
}

/// Reads the file and has it checked.
pub fn check(path: &Path) -> Result<Result<Checked, Refused>, Trouble> {
    let read = bytes::read(path, Limits::of_memory(MEMORY));
    let read = read.map_err(|error| Trouble::Usage(format!("cannot read {}: {}", path.display(), reason(&error))))?;
    Ok(read.map_err(Refused::Rejected).and_then(|bytes| accept(&bytes)))
}

/// Has a certificate checked.
pub fn accept(bytes: &[u8]) -> Result<Checked, Refused> {
    let mut budget = Budget::new(MEMORY);
    let decoded = decode(bytes, &mut budget, Limits::of_memory(MEMORY), goatherd::encode::digest).map_err(Refused::Rejected)?;
    let verdict = verify(&decoded, budget).map_err(Refused::Rejected)?;
    let (Claim::Paths(ends), Subject::Program(decoded), Some(graph)) = (verdict.claim, decoded, &verdict.graph) else {
        return Err(Refused::Claim(verdict.claim));
    };
    let certificate = decoded.into_certificate();
    let certified = Certified::new(graph, &certificate.statement, ends).map_err(Refused::Unclear)?;
    let Certificate { statement, files, positions, .. } = certificate;
    Ok(Checked { statement, files, positions, verdict, certified })
}

impl Checked {
    /// Where an instruction stands in the source, if it comes from one.
    pub fn place(&self, location: Location) -> Option<String> {
        let Position { file, line, column } = self.positions.get(location.index())?;
        let file = self.files.get(usize::try_from(*file).ok()?)?;
        Some(format!("{file}:{line}:{column}"))
    }
}
