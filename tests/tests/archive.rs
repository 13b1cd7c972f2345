//! Certificates stay readable: what was accepted when a format was released is accepted for ever (`tests/archive`).

use goatherd::encode::digest;
use goatherd_certificates::certificate::{Claim, VERSIONS};
use goatherd_claims::{Limits, Verdict, check, frame::limits};
use goatherd_tests::workspace_root;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// What `goatherd-check` allows if nothing is said.
const ALLOWED: Limits = Limits { memory: 1 << 30, work: 1 << 32 };

fn folder() -> PathBuf {
    workspace_root().join("tests/archive")
}

/// The lines of the index: file, claim, digest of the statement.
fn index() -> Vec<[String; 3]> {
    let text = fs::read_to_string(folder().join("index.tsv")).unwrap();
    let columns = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>().try_into().unwrap();
    text.lines().skip(1).map(columns).collect()
}

fn claim(verdict: &Verdict) -> &'static str {
    match verdict.claim {
        Claim::Safe => "Safe",
        Claim::Unsafe => "Unsafe",
        Claim::Invariant => "Invariant",
        Claim::Paths(_) => "Paths",
        Claim::Unsatisfiable => "Unsatisfiable",
    }
}

#[test]
fn what_was_accepted_is_accepted() {
    for [file, expected, statement] in index() {
        let bytes = fs::read(folder().join(&file)).unwrap();
        let verdict = check(&bytes, ALLOWED, digest).unwrap_or_else(|failure| panic!("{file}: {failure:?}"));
        let statement_digest = verdict.statement_digest.map(|byte| format!("{byte:02x}")).concat();
        assert_eq!((claim(&verdict), statement_digest), (expected.as_str(), statement), "{file}");
        // They are not accepted whatever is in them.
        let mut damaged = bytes;
        let middle = damaged.len() / 2;
        damaged[middle] ^= 1;
        assert!(check(&damaged, ALLOWED, digest).is_err(), "{file}");
    }
}

#[test]
fn the_index_names_all_files_of_every_version() {
    let listed: BTreeSet<String> = index().into_iter().map(|[file, ..]| file).collect();
    let mut found = BTreeSet::new();
    for version in VERSIONS {
        for entry in fs::read_dir(folder().join(version.to_string())).unwrap() {
            let name = Path::new(&version.to_string()).join(entry.unwrap().file_name()).to_string_lossy().into_owned();
            let bytes = fs::read(folder().join(&name)).unwrap();
            assert!(bytes[8..12] == version.to_le_bytes() && limits(&bytes, ALLOWED).is_ok(), "{name}");
            found.insert(name);
        }
    }
    assert_eq!(listed, found);
    assert!(listed.len() >= 60, "{}", listed.len());
}
