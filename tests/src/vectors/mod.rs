//! The test vectors for second implementations (`tests/vectors/`): small certificates, and what is to be said of each.

mod cells;
mod deductions;
mod entrances;
mod files;
mod heap_proofs;
pub mod heaps;
mod inclusion;
mod kinds;
mod last_cells;
mod leaks;
pub mod lemmas;
mod open;
mod paths;
mod proofs;
mod ring_scenes;
pub mod ring_sorts;
pub mod rings;
mod rules;
mod shared_pointers;
mod sorts;
pub mod table;
mod tape;
mod trees;
pub mod twins;

use goatherd_certificates::certificate::Certificate;
use goatherd_checker::{
    Limits,
    error::{Declined, Failure},
    rejection::Rejection,
};
use std::path::PathBuf;

/// What a checker is allowed, in bytes, where it checks the vectors.
pub const ALLOWED: u64 = crate::forge::MEMORY;

/// And in steps of work.
const WORK: u64 = crate::forge::WORK;

/// One file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vector {
    /// Its name, without directories.
    pub file: String,
    /// What a checker says, as in [`outcome`].
    pub expected: String,
    /// Why, in words.
    pub reason: &'static str,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// The folder of the committed files.
pub fn folder() -> PathBuf {
    crate::workspace_root().join("tests/vectors")
}

/// All vectors, in the order of the index.
pub fn all() -> Vec<Vector> {
    let mut vectors = Catalogue::default();
    rules::add(&mut vectors);
    cells::add(&mut vectors);
    tape::add(&mut vectors);
    open::add(&mut vectors);
    twins::add(&mut vectors);
    proofs::add(&mut vectors);
    deductions::add(&mut vectors);
    table::add(&mut vectors);
    paths::add(&mut vectors);
    files::add(&mut vectors);
    heap_proofs::add(&mut vectors);
    heaps::add(&mut vectors);
    sorts::add(&mut vectors);
    entrances::add(&mut vectors);
    shared_pointers::add(&mut vectors);
    rings::add(&mut vectors);
    ring_sorts::add(&mut vectors);
    inclusion::add(&mut vectors);
    kinds::add(&mut vectors);
    leaks::add(&mut vectors);
    lemmas::add(&mut vectors);
    trees::add(&mut vectors);
    vectors.vectors
}

/// The text of `index.tsv`.
pub fn index(vectors: &[Vector]) -> String {
    let lines = vectors.iter().map(|vector| format!("{}\t{}\t{}\n", vector.file, vector.expected, vector.reason));
    std::iter::once(String::from("file\texpected\treason\n")).chain(lines).collect()
}

/// What the kernel says of a file, in the words of the index.
pub fn outcome(bytes: &[u8]) -> String {
    match goatherd_claims::check(bytes, Limits { memory: ALLOWED, work: WORK }, goatherd::encode::digest) {
        Ok(verdict) => format!("accepted {:?}", verdict.claim),
        Err(Failure::Rejected { rejection, .. }) => rejected(rejection),
        Err(Failure::Declined(declined)) => format!("declined {}", reason_of(declined)),
    }
}

fn rejected(rejection: Rejection) -> String {
    match rejection {
        Rejection::Malformed(defect) => format!("malformed {defect:?}"),
        Rejection::IllFormed(fault) => format!("ill-formed {fault:?}"),
        Rejection::Unsupported(unsupported) => format!("rejected Unsupported {unsupported:?}"),
        rejection => format!("rejected {rejection:?}"),
    }
}

/// Which limit ends the check; how large it is stands in the file.
fn reason_of(declined: Declined) -> &'static str {
    match declined {
        Declined::Version { .. } => "Version",
        Declined::Limit { .. } => "Limit",
        Declined::Memory { .. } => "Memory",
        Declined::WorkLimit { .. } => "WorkLimit",
        Declined::Work { .. } => "Work",
    }
}

/// The encoding of a certificate.
fn encoded(certificate: &Certificate) -> Vec<u8> {
    goatherd::encode::certificate(certificate).expect("memory for the encoding")
}

/// The vectors so far.
#[derive(Default)]
struct Catalogue {
    vectors: Vec<Vector>,
}

impl Catalogue {
    /// A file of which this is expected.
    fn bytes(&mut self, name: &str, expected: &str, reason: &'static str, bytes: Vec<u8>) {
        self.vectors.push(Vector { file: format!("{name}.goatherd"), expected: String::from(expected), reason, bytes });
    }

    /// A certificate that is accepted with its claim.
    fn accepted(&mut self, name: &str, reason: &'static str, certificate: &Certificate) {
        self.bytes(name, &format!("accepted {:?}", certificate.statement.claim), reason, encoded(certificate));
    }

    /// A certificate that is rejected.
    fn rejected(&mut self, name: &str, rejection: Rejection, reason: &'static str, certificate: &Certificate) {
        self.bytes(name, &rejected(rejection), reason, encoded(certificate));
    }
}
