//! Certificates as auditors get them: read, and checked before a word is said of them.

use crate::command::Trouble;
use goatherd_certificates::certificate::Certificate;
use goatherd_checker::{
    budget::Budget,
    decode::Rules,
    error::{Defect, Failure},
    rejection::Rejection,
};
use goatherd_claims::{Limits, Spread, Subject, Verdict, decode, verify};
use goatherd_frontend::escape::escaped;
use std::{fs, path::Path};

/// Checking may take so many bytes of memory.
const MEMORY: u64 = 4 << 30;

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>, Trouble> {
    fs::read(path).map_err(|error| Trouble::Usage(format!("cannot read {}: {error}", path.display())))
}

/// A certificate that the checker has accepted, and the verdict; or why there is none, in words.
pub fn accept_any<'bytes>(path: &Path, bytes: &'bytes [u8]) -> Result<(Subject<'bytes>, Verdict), String> {
    let refused = |failure: Failure| format!("{}: {}", escaped(&path.to_string_lossy()), words(failure));
    let mut budget = Budget::new(MEMORY);
    let decoded = decode(bytes, &mut budget, Limits::of_memory(MEMORY), goatherd::encode::digest).map_err(refused)?;
    let verdict = verify(&decoded, budget, Spread::ONE).map_err(refused)?;
    Ok((decoded, verdict))
}

/// The same, of certificates about programs alone.
pub fn accept<'bytes>(path: &Path, bytes: &'bytes [u8]) -> Result<(Box<Certificate<Rules<'bytes>>>, Verdict), String> {
    match accept_any(path, bytes)? {
        (Subject::Program(decoded), verdict) => Ok((Box::new(decoded.into_certificate()), verdict)),
        (Subject::Model(_) | Subject::Formula(_), _) => {
            let path = escaped(&path.to_string_lossy());
            Err(format!("{path}: the certificate is about a tree model or a formula; `goatherd-check CERT --print` shows those"))
        }
    }
}

fn words(failure: Failure) -> String {
    match failure {
        Failure::Declined(reason) => format!("the checker declines the certificate: {reason:?}"),
        Failure::Rejected { rejection: Rejection::Malformed(Defect::Magic), .. } => String::from("this is no certificate"),
        Failure::Rejected { .. } => {
            String::from("the checker rejects the certificate, so there is nothing to explain (goatherd-check says why)")
        }
    }
}
