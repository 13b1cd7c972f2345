//! What is done for one target: its proof is used again, or searched for, and then kept.

use super::words::words;
use crate::command::process::{
    self, Allowance, Reply,
    told::{Told, Verdict},
};
use goatherd_archive::{
    examine::{Examiner, Sources},
    standing::{Finding, Standing},
    store::{Held, Session},
    target::{Effort, Target},
};
use goatherd_frontend::{diagnostics::Report, source::Unit};
use std::{cell::LazyCell, fs, io};

/// A file that was read, or what is wrong with it.
type Read = Result<Unit, Vec<Report>>;

/// What came of a target.
#[derive(Debug)]
pub struct Answered {
    /// What came of it, and why.
    pub told: Told,
    /// Where the proof comes from, if there is one.
    pub proof: Option<Proof>,
}

/// A proof that the archive has.
#[derive(Debug)]
pub struct Proof {
    /// Was it there before?
    pub origin: Origin,
    /// SHA-256 of the certificate.
    pub certificate: String,
    /// SHA-256 of the program.
    pub program: String,
}

/// Where a proof comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It was in the archive, and the checker has accepted it now.
    Reused,
    /// It was found now.
    Found,
}

/// Where work is done, and how much a proof may take if its task says nothing.
#[derive(Debug)]
pub struct Workshop<'a> {
    /// Looks at what the archive has.
    pub examiner: Examiner<'a>,
    /// Writes to it.
    pub session: &'a Session,
    /// What a proof may take.
    pub allowance: Allowance,
}

impl Workshop<'_> {
    /// Answers for targets that are read alike.
    pub fn answer(&self, targets: &[Target]) -> Vec<Answered> {
        let Some(first) = targets.first() else { return Vec::new() };
        // Not before it is asked for: in a process of its own it is read under a limit of time.
        let unit = LazyCell::new(|| self.examiner.load(first));
        let failed = |target: &Target, error: io::Error| {
            let reason = format!("{target}: cannot work in {}: {error}", self.examiner.archive.folder().display());
            Answered { told: Told::new(Verdict::Internal, reason), proof: None }
        };
        targets.iter().map(|target| self.answer_one(target, &unit).unwrap_or_else(|error| failed(target, error))).collect()
    }

    fn answer_one<F: FnOnce() -> Read>(&self, target: &Target, unit: &LazyCell<Read, F>) -> io::Result<Answered> {
        if let Held::Whole(_) = self.examiner.archive.record(target)
            && let Ok(unit) = &**unit
        {
            let held = self.examiner.examine(target, &Sources::Unit(Ok(unit)));
            if matches!(held.standing, Standing::Current | Standing::StaleBytes | Standing::KernelChanged | Standing::Vacuous) {
                return self.keep(target, held, unit, Origin::Reused);
            }
        }
        let folder = self.session.fresh_folder()?;
        let reply = process::prove(self.examiner.root, &words(target), self.allowance(&target.search), &folder)?;
        drop(fs::remove_dir_all(folder));
        self.receive(target, reply, || unit.as_ref().ok())
    }

    /// What a proof of this target may take.
    fn allowance(&self, search: &Effort) -> Allowance {
        let time = search.timeout.map_or(self.allowance.time, |time| Some(time).filter(|time| !time.is_zero()));
        Allowance { time, memory: search.memory.unwrap_or(self.allowance.memory), ..self.allowance }
    }

    /// Looks at what a process says, and keeps what is good for something.
    fn receive<'u>(&self, target: &Target, reply: Reply, unit: impl FnOnce() -> Option<&'u Unit>) -> io::Result<Answered> {
        let Reply { told, certificate, counterexample } = reply;
        let kept = self.examiner.archive.counterexample(target);
        match counterexample.filter(|_| told.verdict == Verdict::Unsafe) {
            Some(text) => self.session.place(&text, &kept)?,
            None => match fs::remove_file(kept) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            },
        }
        if told.verdict != Verdict::Proved {
            return Ok(Answered { told, proof: None });
        }
        let without_proof = |verdict, reason: String| Ok(Answered { told: Told::new(verdict, reason), proof: None });
        let Some(bytes) = certificate else {
            return without_proof(Verdict::Internal, "the prover says proved, and has written no certificate".to_owned());
        };
        let Some(unit) = unit() else {
            return without_proof(Verdict::Unknown, "the file was changed while it was proved".to_owned());
        };
        let found = self.examiner.assess(target, &bytes, unit);
        let why = found.why.clone().unwrap_or_default();
        match found.standing {
            Standing::Current | Standing::Vacuous => {}
            Standing::StaleProgram => return without_proof(Verdict::Unknown, format!("the file was changed while it was proved: {why}")),
            standing => {
                let reason = format!("the prover says proved, and the checker {}: {why}", standing.word());
                return without_proof(Verdict::Internal, reason);
            }
        }
        self.examiner.archive.keep(self.session, &bytes)?;
        self.keep(target, found, unit, Origin::Found)
    }

    /// Remembers the certificate that was found to be this target's.
    fn keep(&self, target: &Target, found: Finding, unit: &Unit, origin: Origin) -> io::Result<Answered> {
        let record = self.examiner.record(target, &found, unit);
        // A record is written only where it says something new, so that an archive that is current is not touched.
        if origin == Origin::Found || found.standing != Standing::Current {
            self.examiner.archive.remember(self.session, target, &record)?;
        }
        let told = match found.standing {
            Standing::Vacuous => Told::new(Verdict::Vacuous, found.why.unwrap_or_default()),
            _ => Told { reason: None, ..Told::new(Verdict::Proved, "") },
        };
        Ok(Answered { told, proof: Some(Proof { origin, certificate: record.certificate, program: record.program }) })
    }
}
