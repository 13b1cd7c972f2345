//! Checks certificates of all claims. Each is replayed by the crate of its claim: `Safe` by the kernel, the others by crates on top of it.
//!
//! What is said of a certificate whose claim is `Safe` is what the kernel alone has made of it (`goatherd_checker::replay::safe`), but for the
//! ground runs, which say whether it is about anything.
#![no_std]

extern crate alloc;

pub mod decode;
pub mod verdict;

pub use decode::{DecodedProgram, Subject, decode};
pub use goatherd_checker::Limits;
pub use goatherd_claim_paths::Graph;
pub use goatherd_frame::{self as frame, Hash};
pub use verdict::Verdict;

use goatherd_certificates::certificate::Claim;
use goatherd_checker::{Budget, error::Failure, replay};
use goatherd_claim_paths as paths;
use goatherd_claim_runs as runs;
use goatherd_claim_trees as trees;
use goatherd_claim_unsatisfiable as unsatisfiable;
use verdict::Counts;

/// Checks the bytes of a certificate within these limits.
///
/// ```
/// use goatherd_claims::{Limits, check};
/// use sha2::{Digest, Sha256};
///
/// let bytes = include_bytes!("../../../tests/archive/2/strcpy.goat");
/// let limits = Limits { memory: 64 << 20, work: 1 << 32 };
/// let verdict = check(bytes, limits, |bytes| Sha256::digest(bytes).into()).expect("it is accepted");
/// assert_eq!(verdict.claim, goatherd_certificates::certificate::Claim::Safe);
/// assert_eq!(verdict.origin.file, "strcpy.c");
///
/// let mut damaged = bytes.to_vec();
/// damaged[1000] ^= 1;
/// assert!(check(&damaged, limits, |bytes| Sha256::digest(bytes).into()).is_err());
/// ```
///
/// # Errors
///
/// It is rejected, or declined: another format version, or more memory or work than is allowed.
pub fn check(bytes: &[u8], allowed: Limits, hash: Hash) -> Result<Verdict, Failure> {
    let mut budget = Budget::within(allowed);
    let decoded = decode(bytes, &mut budget, allowed, hash)?;
    verify(&decoded, budget)
}

/// Checks a certificate that was decoded with this budget.
pub fn verify(decoded: &Subject<'_>, budget: Budget) -> Result<Verdict, Failure> {
    match decoded {
        Subject::Program(decoded) => program(decoded, budget),
        Subject::Model(decoded) => model(decoded, budget),
        Subject::Formula(decoded) => formula(decoded, budget),
    }
}

fn program(program: &DecodedProgram<'_>, budget: Budget) -> Result<Verdict, Failure> {
    let decoded = program.decoded();
    let statement = &decoded.certificate().statement;
    let mut passed = runs::Passed::new(&statement.program);
    let (mut counts, mut graph) = (Counts::default(), None);
    let mut arena = match statement.claim {
        Claim::Paths(_) => {
            let (shown, arena) = paths::paths(decoded, budget)?;
            (counts.rules, counts.templates) = (shown.rules, shown.templates);
            graph = Some(shown.graph);
            arena
        }
        Claim::Unsafe => runs::fails(decoded, budget, &mut passed)?,
        // The others are none about programs: the kernel says so.
        Claim::Safe | Claim::Invariant | Claim::Unsatisfiable => {
            let (safe, arena) = replay::safe(decoded, budget)?;
            (counts.rules, counts.templates) = (safe.rules, safe.templates);
            arena
        }
    };
    runs::witnesses(decoded, &mut arena, &mut passed)?;
    counts.steps = passed.steps;
    counts.assertions = passed.assertions;
    counts.memory_accessed = passed.memory_accessed;
    Ok(Verdict {
        claim: statement.claim,
        parameters: Some(statement.parameters),
        subject_digest: program.subject_digest(),
        statement_digest: program.statement_digest(),
        origin: statement.origin.clone(),
        counts,
        graph,
        peak_memory: arena.budget.peak(),
        work: arena.budget.worked(),
    })
}

fn model(decoded: &trees::DecodedModel, mut budget: Budget) -> Result<Verdict, Failure> {
    let certificate = &decoded.certificate;
    let counts = trees::replay(certificate, &mut budget)?;
    let counts = Counts {
        rules: counts.transitions,
        templates: counts.lines,
        steps: counts.steps,
        ..Counts::default()
    };
    let digests = (decoded.subject_digest, decoded.statement_digest);
    let (claim, origin) = (certificate.claim, &certificate.origin);
    Ok(Verdict::of_no_program(
        claim, digests, origin, counts, &budget,
    ))
}

fn formula(decoded: &unsatisfiable::DecodedFormula, budget: Budget) -> Result<Verdict, Failure> {
    let certificate = &decoded.certificate;
    let arena = unsatisfiable::replay(certificate, budget)?;
    let counts = Counts {
        rules: u64::try_from(certificate.evidence.steps.len()).unwrap_or(u64::MAX),
        ..Counts::default()
    };
    let digests = (decoded.subject_digest, decoded.statement_digest);
    let (claim, origin) = (certificate.claim, &certificate.origin);
    Ok(Verdict::of_no_program(
        claim,
        digests,
        origin,
        counts,
        &arena.budget,
    ))
}
