//! Goatherd as a library: [`prove_file`] from a C file to an answer, [`check`] from a certificate's bytes to a verdict.
//!
//! ```
//! use goatherd::{Answer, Limits, Request, check, prove_text};
//! use goatherd_certificates::certificate::Claim;
//!
//! let source = "
//!     extern void __VERIFIER_assert(int);
//!     struct numbers { int *a; int n_a; };
//!     void test(struct numbers v) {
//!         for (int i = 0; i < v.n_a; i++) v.a[i] = 7;
//!         for (int i = 0; i < v.n_a; i++) __VERIFIER_assert(v.a[i] == 7);
//!     }";
//! let judged = prove_text("sevens.c", source, &Request::default())?;
//! let Answer::Proved { accepted, .. } = judged.answer else { panic!("it is proved") };
//!
//! // Whoever gets the bytes needs the checker alone.
//! let verdict = check(&accepted.bytes, Limits { memory: 64 << 20, work: 1 << 32 }).expect("the checker accepts it");
//! assert_eq!(verdict.claim, Claim::Safe);
//! assert!(verdict.is_vacuity_excluded());
//! assert_eq!(verdict.origin.file, "sevens.c");
//! # Ok::<(), goatherd::Unanswered>(())
//! ```

use crate::{
    certify::Fault,
    encode,
    prove::{Answer, Effort},
    task::Task,
    wider::{Wider, decide},
};
use goatherd_certificates::certificate::{Allocation, Arithmetic, DataModel, Limits, Parameters, PointerFormation, SignedOverflow};
use goatherd_checker::error::Failure;
use goatherd_claims::Verdict;
use goatherd_descent::Progress;
use goatherd_frontend::{
    confirm::{Confirmed, Inquiry},
    diagnostics::{Colors, Report, render, reports},
    lower::{Demands, Leaks, Results, lower_and_believe},
    source::{self, Unit, from_text, load},
};
use goatherd_logic::Solver;
use std::{fmt, path::Path};

/// How a C file is read, and what is asked of it.
#[derive(Clone, Debug)]
pub struct Request {
    /// Entry function (`test`), macros and folders of headers.
    pub reading: source::Options,
    /// Whether leaks are failures, and which assertions are left out.
    pub demands: Demands,
    /// What C means where C leaves it open, and what fails besides.
    pub parameters: Parameters,
    /// Whether `cc` is asked about types and constants.
    pub types: Types,
    /// How hard to try.
    pub effort: Effort,
}

impl Default for Request {
    /// As `goatherd prove` without options: signed overflow wraps around, pointers may be formed anywhere, and do not wrap around, allocation may fail, leaks are no failures,
    /// `cc` is asked. But for its limits of time and memory: a library does not end the process that it is in.
    fn default() -> Self {
        Self {
            reading: source::Options::default(),
            demands: Demands { results: Results::Bounded, ..Leaks::Ignored.into() },
            parameters: Parameters {
                data_model: DataModel::Lp64SignedChar,
                signed_overflow: SignedOverflow::Wraps,
                pointer_formation: PointerFormation::Anywhere,
                allocation: Allocation::MayFail,
                arithmetic: Arithmetic::C,
            },
            types: Types::Confirmed,
            effort: Effort::default(),
        }
    }
}

/// What of types, layouts and constants is compared with a compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Types {
    /// All that the program uses, by `cc` if there is one; the outcome says so.
    Confirmed,
    /// Nothing.
    AsRead,
}

/// What came of a C file.
#[derive(Debug)]
pub struct Judged {
    /// The program, and the place of each of its instructions.
    pub task: Task,
    /// Proved, unsafe, or neither.
    pub answer: Answer,
    /// What the compiler said.
    pub types: Confirmed,
}

/// Why there is no answer about a C file.
#[derive(Debug)]
pub enum Unanswered {
    /// It cannot be read, or uses what is not supported: each place.
    Source(Vec<Report>),
    /// The compiler says something else of a type or a constant: a defect of the front end.
    Types(Confirmed),
    /// A defect of the prover.
    Fault(Fault),
}

impl fmt::Display for Unanswered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(reports) => formatter.write_str(render(reports, Colors::Never).trim_end()),
            Self::Types(contradiction) => contradiction.fmt(formatter),
            Self::Fault(fault) => fault.fmt(formatter),
        }
    }
}

impl std::error::Error for Unanswered {}

/// Proves that no run of the entry function of this file fails, or finds one that does. The answer is the same on every machine, with any number
/// of threads, as long as the compiler that is asked about types is.
///
/// # Errors
///
/// [`Unanswered`]: the file is refused, or something is wrong with Goatherd.
pub fn prove_file(file: &Path, request: &Request) -> Result<Judged, Unanswered> {
    judge(&load(file, &request.reading).map_err(Unanswered::Source)?, request)
}

/// As [`prove_file`], of C text that has this name. Headers in quotes are looked for in the current folder.
///
/// # Errors
///
/// [`Unanswered`]: the text is refused, or something is wrong with Goatherd.
pub fn prove_text(name: &str, text: &str, request: &Request) -> Result<Judged, Unanswered> {
    judge(&from_text(name, text, &request.reading).map_err(Unanswered::Source)?, request)
}

fn judge(unit: &Unit, request: &Request) -> Result<Judged, Unanswered> {
    let refused = |found: Vec<_>| Unanswered::Source(reports(unit, &found));
    let (lowered, beliefs) = lower_and_believe(unit, &request.reading.entry, &request.demands).map_err(refused)?;
    let inquiry = match request.types {
        Types::Confirmed => Some(Inquiry::start(unit, &beliefs)),
        Types::AsRead => None,
    };
    let task = Task::new(unit, lowered, &request.reading, request.parameters);
    let wider = Wider::of(unit, &request.reading, &request.demands, &task);
    let search = (&Solver::default(), &Progress::default());
    let (answer, proved) = decide(&task, &wider, &request.effort, search, &mut ()).map_err(Unanswered::Fault)?;
    let task = proved.map_or(task, |wider| wider.task.clone());
    match inquiry.map_or_else(Confirmed::not_asked, |inquiry| inquiry.wait()) {
        contradicted @ Confirmed::Contradicted { .. } => Err(Unanswered::Types(contradicted)),
        types => Ok(Judged { task, answer, types }),
    }
}

/// Checks the bytes of a certificate, of any claim, within these limits. Read the verdict's claim, parameters and origin: the certificate is true of the
/// program that it holds, and anybody may have written it.
///
/// # Errors
///
/// It is rejected, or declined: another format version, or more memory or work than is allowed.
pub fn check(bytes: &[u8], limits: Limits) -> Result<Verdict, Failure> {
    goatherd_claims::check(bytes, limits, encode::digest)
}
