//! Certificates as auditors get them: read, and checked before a word is said of them, within a limit of memory.

use crate::command::{
    Exit, Trouble, tell,
    watchdog::{self, Exceeded, Watchdog},
};
use goatherd_archive::{bytes, messages};
use goatherd_certificates::certificate::Certificate;
use goatherd_checker::{
    budget::Budget,
    decode::Rules,
    error::{Declined, Defect, Failure},
    rejection::Rejection,
};
use goatherd_claims::{Limits, Subject, Verdict, decode, verify};
use goatherd_frontend::escape::escaped;
use std::path::Path;

/// A certificate, and what may be done with it.
#[derive(Clone, Copy, Debug)]
pub struct Offered<'a> {
    /// The file.
    pub path: &'a Path,
    /// The most memory that checking it may take, in bytes.
    pub memory: u64,
}

impl Offered<'_> {
    /// The bytes of the file; or why they are not read, in words.
    pub fn read(self) -> Result<Result<Vec<u8>, String>, Trouble> {
        let read = bytes::read(self.path, Limits::of_memory(self.memory));
        let read = read.map_err(|error| Trouble::Usage(format!("cannot read {}: {error}", self.path.display())))?;
        Ok(read.map_err(|failure| self.words(failure)))
    }

    /// A certificate that the checker has accepted, and the verdict; or why there is none, in words.
    pub fn accept_any(self, bytes: &[u8]) -> Result<(Subject<'_>, Verdict), String> {
        let mut budget = Budget::new(self.memory);
        let decoded = decode(bytes, &mut budget, Limits::of_memory(self.memory), goatherd::encode::digest);
        let decoded = decoded.map_err(|failure| self.words(failure))?;
        let verdict = verify(&decoded, budget).map_err(|failure| self.words(failure))?;
        Ok((decoded, verdict))
    }

    /// The same, of certificates about programs alone.
    pub fn accept(self, bytes: &[u8]) -> Result<(Box<Certificate<Rules<'_>>>, Verdict), String> {
        match self.accept_any(bytes)? {
            (Subject::Program(decoded), verdict) => Ok((Box::new(decoded.into_certificate()), verdict)),
            (Subject::Model(_) | Subject::Formula(_), _) => Err(format!(
                "{}: the certificate is about a tree model or a formula; `goatherd-check CERT --print` shows those",
                self.name()
            )),
        }
    }

    fn name(self) -> String {
        escaped(&self.path.to_string_lossy())
    }

    fn words(self, failure: Failure) -> String {
        let why = match failure {
            Failure::Declined(reason @ (Declined::Limit { .. } | Declined::Memory { .. })) => {
                format!("the checker declines the certificate: {}; --memory allows more", messages::declined(reason))
            }
            Failure::Declined(reason) => format!("the checker declines the certificate: {}", messages::declined(reason)),
            Failure::Rejected { rejection: Rejection::Malformed(Defect::Magic), .. } => String::from("this is no certificate"),
            Failure::Rejected { .. } => {
                String::from("the checker rejects the certificate, so there is nothing to explain (goatherd-check says why)")
            }
        };
        format!("{}: {why}", self.name())
    }
}

/// Ends the process, with the status of an unknown answer, where it holds more than so many bytes.
pub fn limit(memory: u64) -> Watchdog {
    let limits = watchdog::Limits { time: None, memory: Some(memory) };
    let end = |exceeded| {
        if let Exceeded::Memory(limit) = exceeded {
            tell(&format!("goatherd: this takes more than {limit} bytes of memory; --memory allows more\n"));
        }
        std::process::exit(Exit::Unknown as i32);
    };
    Watchdog::start(limits, || String::from("replaying the proof"), end)
}
