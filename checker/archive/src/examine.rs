//! What a target's certificate is worth now.

use crate::{
    digest::{hexadecimal, sha256},
    messages,
    record::{Record, SCHEMA, SourceDigest},
    standing::{Confirming, Finding, Standing},
    store::{Archive, Held},
    target::{Target, Terms, Vacuity},
};
use goatherd_certificates::certificate::{Certificate, Claim};
use goatherd_checker::{budget::Budget, decode::Rules, error::Failure};
use goatherd_claims::{Limits, Subject, Verdict, decode, verify};
use goatherd_frontend::{
    confirm::{Confirmed, Inquiry},
    diagnostics::Report,
    lower::{Arrays, Demands, Leaks, Results, Sizes, lower_and_believe, lower_with},
    print::conditions,
    source::{Options, Unit, load},
};
use std::{fs, path::Path};

/// The source of this kernel.
pub const KERNEL: &str = env!("KERNEL_SOURCE_DIGEST");

/// What a target's source is compared by.
#[derive(Debug)]
pub enum Sources<'a> {
    /// By the bytes of the files that a record names.
    Bytes,
    /// By the program that it is now; what is wrong with it, if it cannot be read.
    Unit(Result<&'a Unit, &'a [Report]>),
}

/// Where targets and proofs are, and what a check may take.
#[derive(Debug)]
pub struct Examiner<'a> {
    /// The folder of `goatherd.toml`, as seen from the current directory.
    pub root: &'a Path,
    /// The archive.
    pub archive: &'a Archive,
    /// What the kernel may take for one certificate.
    pub allowed: Limits,
    /// Who is asked about types.
    pub confirming: Confirming,
}

/// How far the kernel has come with a certificate; the program's digest if it accepts it, and what is said of the types if that is the file's.
struct Judgement {
    standing: Standing,
    why: Option<String>,
    program: Option<String>,
    types: Option<Confirmed>,
}

impl Judgement {
    fn new(standing: Standing, why: impl Into<String>) -> Self {
        Self {
            standing,
            why: Some(why.into()),
            program: None,
            types: None,
        }
    }
}

impl Examiner<'_> {
    /// Reads a target's file.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn load(&self, target: &Target) -> Result<Unit, Vec<Report>> {
        let options = Options {
            definitions: target.terms.define.clone(),
            include_directories: target.terms.include_directories(self.root),
            entry: target.terms.entry.clone(),
        };
        load(&self.place(&target.file), &options)
    }

    /// A path from the root as seen from the current directory.
    fn place(&self, path: &str) -> std::path::PathBuf {
        if self.root == Path::new(".") {
            path.into()
        } else {
            self.root.join(path)
        }
    }

    /// What is to be said of the certificate that the archive has for a target.
    pub fn examine(&self, target: &Target, sources: &Sources<'_>) -> Finding {
        let record = match self.archive.record(target) {
            Held::Whole(record) => record,
            Held::Missing => return Finding::new(Standing::Missing, None),
            Held::Damaged(why) => return Finding::new(Standing::Damaged, Some(why)),
        };
        let certificate = Some(record.certificate.clone());
        let bytes = match self
            .archive
            .certificate(&record.certificate, self.allowed.memory)
        {
            Held::Whole(bytes) => bytes,
            Held::Missing => {
                let why = String::from("its record names a certificate that is not there");
                return Finding {
                    certificate,
                    ..Finding::new(Standing::Missing, Some(why))
                };
            }
            Held::Damaged(why) => {
                return Finding {
                    certificate,
                    ..Finding::new(Standing::Damaged, Some(why))
                };
            }
        };
        let Judgement {
            standing,
            why,
            program,
            types,
        } = self.judge(target, &bytes, Some(&record), sources);
        Finding {
            standing,
            why,
            certificate,
            program,
            types,
        }
    }

    /// What is to be said of a certificate that somebody has for a target. Its sources are read.
    pub fn assess(&self, target: &Target, bytes: &[u8], unit: &Unit) -> Finding {
        let Judgement {
            standing,
            why,
            program,
            types,
        } = self.judge(target, bytes, None, &Sources::Unit(Ok(unit)));
        Finding {
            standing,
            why,
            certificate: Some(hexadecimal(&sha256(bytes))),
            program,
            types,
        }
    }

    /// What is to be remembered of a certificate that was assessed.
    pub fn record(&self, target: &Target, finding: &Finding, unit: &Unit) -> Record {
        Record {
            schema: SCHEMA.to_owned(),
            certificate: finding.certificate.clone().unwrap_or_default(),
            program: finding.program.clone().unwrap_or_default(),
            terms: target.terms.clone(),
            kernel: KERNEL.to_owned(),
            inputs: self.inputs(unit),
        }
    }

    /// The files that were read, but headers of the system.
    fn inputs(&self, unit: &Unit) -> Vec<SourceDigest> {
        let root = std::path::absolute(self.root).unwrap_or_default();
        let read = unit
            .dependencies()
            .iter()
            .filter_map(|dependency| Some((dependency, dependency.digest?)));
        let input = |(dependency, digest): (&goatherd_frontend::source::Dependency, [u8; 32])| {
            let path = std::path::absolute(&dependency.path).unwrap_or_default();
            let inside = path
                .strip_prefix(&root)
                .map_or_else(|_| path.clone(), Path::to_owned);
            SourceDigest {
                path: inside.to_string_lossy().into_owned(),
                sha256: hexadecimal(&digest),
            }
        };
        read.map(input).collect()
    }

    /// The worst that is to be said of a certificate.
    fn judge(
        &self,
        target: &Target,
        bytes: &[u8],
        record: Option<&Record>,
        sources: &Sources<'_>,
    ) -> Judgement {
        let mut budget = Budget::within(self.allowed);
        let decoded = match decode(bytes, &mut budget, self.allowed, sha256) {
            Ok(decoded) => decoded,
            Err(failure) => return refused(failure),
        };
        let verdict = match verify(&decoded, budget) {
            Ok(verdict) => verdict,
            Err(failure) => return refused(failure),
        };
        let Subject::Program(decoded) = &decoded else {
            return Judgement::new(
                Standing::StaleClaim,
                "it is about a tree model or a formula",
            );
        };
        let certified = (decoded.certificate(), &verdict);
        let standing = self.compare(target, certified, record, sources);
        Judgement {
            program: Some(hexadecimal(&verdict.subject_digest)),
            ..standing
        }
    }

    /// Of a certificate that the kernel accepts.
    fn compare(
        &self,
        target: &Target,
        (certificate, verdict): (&Certificate<Rules<'_>>, &Verdict),
        record: Option<&Record>,
        sources: &Sources<'_>,
    ) -> Judgement {
        if let Some(why) = another_claim(&target.terms, certificate, verdict, record) {
            return Judgement::new(Standing::StaleClaim, why);
        }
        let types = match sources {
            Sources::Bytes => None,
            Sources::Unit(unit) => {
                match is_program(&target.terms, certificate, *unit, self.confirming) {
                    Ok(types) => Some(types),
                    Err(why) => return Judgement::new(Standing::StaleProgram, why),
                }
            }
        };
        let rest = match &types {
            Some(contradicted @ Confirmed::Contradicted { .. }) => {
                Judgement::new(Standing::Contradicted, contradicted.to_string())
            }
            _ => self.beside_program(target, verdict, record, sources),
        };
        Judgement { types, ..rest }
    }

    /// Of a certificate that is about what is asked for.
    fn beside_program(
        &self,
        target: &Target,
        verdict: &Verdict,
        record: Option<&Record>,
        sources: &Sources<'_>,
    ) -> Judgement {
        if target.vacuity == Vacuity::Refused && !verdict.is_vacuity_excluded() {
            return Judgement::new(
                Standing::Vacuous,
                "no run of the certificate reaches every assertion (or any memory, where there is none)",
            );
        }
        if let Some(why) = record.and_then(|record| self.other_bytes(target, record, sources)) {
            return Judgement::new(Standing::StaleBytes, why);
        }
        if let Some(record) = record.filter(|record| record.kernel != KERNEL) {
            return Judgement::new(
                Standing::KernelChanged,
                format!("it was accepted by the kernel of source {}", record.kernel),
            );
        }
        Judgement {
            standing: Standing::Current,
            why: None,
            program: None,
            types: None,
        }
    }

    /// Which of the files that were read has other bytes now.
    fn other_bytes(
        &self,
        target: &Target,
        record: &Record,
        sources: &Sources<'_>,
    ) -> Option<String> {
        if record
            .inputs
            .first()
            .is_none_or(|input| input.path != target.file)
        {
            return Some(String::from("its record does not name the file"));
        }
        if let Sources::Unit(Ok(unit)) = sources {
            let inputs = self.inputs(unit);
            let differing = inputs.iter().find(|input| !record.inputs.contains(input));
            let gone = || record.inputs.iter().find(|input| !inputs.contains(input));
            return differing
                .or_else(gone)
                .map(|input| format!("{} has changed", input.path));
        }
        let has_changed = |input: &&SourceDigest| match fs::read(self.place(&input.path)) {
            Ok(bytes) => hexadecimal(&sha256(&bytes)) != input.sha256,
            Err(_) => true,
        };
        record
            .inputs
            .iter()
            .find(has_changed)
            .map(|input| format!("{} has changed", input.path))
    }
}

fn refused(failure: Failure) -> Judgement {
    match failure {
        Failure::Declined(_) => Judgement::new(Standing::Declined, messages::failure(failure)),
        Failure::Rejected { .. } => Judgement::new(Standing::Damaged, messages::failure(failure)),
    }
}

/// In what a certificate answers another question than the one that is asked.
fn another_claim(
    terms: &Terms,
    certificate: &Certificate<Rules<'_>>,
    verdict: &Verdict,
    record: Option<&Record>,
) -> Option<String> {
    let statement = &certificate.statement;
    let sides = |what: &str, asked: &dyn std::fmt::Debug, found: &dyn std::fmt::Debug| {
        Some(format!(
            "{what} {asked:?} is asked for, and it has {found:?}"
        ))
    };
    if verdict.claim != Claim::Safe {
        return sides("claim", &Claim::Safe, &verdict.claim);
    }
    if statement.program.entry != terms.entry {
        return sides("entry function", &terms.entry, &statement.program.entry);
    }
    if verdict.parameters != Some(terms.parameters()) {
        let under = |parameters| conditions(&statement.program, parameters).join("; ");
        return Some(format!(
            "it holds under: {}; asked for is: {}",
            under(statement.parameters),
            under(terms.parameters())
        ));
    }
    if Leaks::of(&statement.program) != terms.leaks() {
        return sides("leaks", &terms.leaks(), &Leaks::of(&statement.program));
    }
    if verdict.origin.waived.is_empty() != terms.waive.is_empty() {
        return sides("waived assertions", &terms.waive, &verdict.origin.waived);
    }
    match record {
        Some(record) if record.terms != *terms => Some(String::from(
            "it was made with other options: function, definitions, include folders or waivers",
        )),
        _ => None,
    }
}

/// Is that the program that the file has now? What the C compiler says of the types in it, or why not.
fn is_program(
    terms: &Terms,
    certificate: &Certificate<Rules<'_>>,
    unit: Result<&Unit, &[Report]>,
    confirming: Confirming,
) -> Result<Confirmed, String> {
    let first = |reports: &[Report]| {
        reports.first().map_or_else(String::new, |report| {
            let place = [report.line, report.column]
                .into_iter()
                .flatten()
                .map(|number| format!(":{number}"))
                .collect::<Vec<_>>()
                .concat();
            format!(
                "{}{place}: {}: {}",
                report.file,
                report.kind.name(),
                report.message
            )
        })
    };
    let unit = unit.map_err(first)?;
    // What holds for arrays of any length holds for those of the file.
    let demands = Demands {
        sizes: Sizes::of(&certificate.statement.program),
        arrays: Arrays::of(&certificate.statement.program),
        results: Results::of(&certificate.statement.program),
        ..terms.demands()?
    };
    let (lowered, inquiry) = match confirming {
        Confirming::Nobody => {
            lower_with(unit, &terms.entry, &demands).map(|lowered| (lowered, None))
        }
        Confirming::Compiler => lower_and_believe(unit, &terms.entry, &demands)
            .map(|(lowered, beliefs)| (lowered, Some(Inquiry::start(unit, &beliefs)))),
    }
    .map_err(|diagnostics| first(&goatherd_frontend::diagnostics::reports(unit, &diagnostics)))?;
    if lowered.program != certificate.statement.program {
        return Err(String::from(
            "the file has another program now (goatherd-check CERT --source FILE shows the first difference)",
        ));
    }
    let waived: Vec<String> = lowered.waived.iter().map(ToString::to_string).collect();
    if waived == certificate.statement.origin.waived {
        Ok(inquiry.map_or_else(Confirmed::not_asked, |inquiry| inquiry.wait()))
    } else {
        Err(String::from("other assertions are waived"))
    }
}
