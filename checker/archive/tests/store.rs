//! Archives on disk: what is whole, what is damaged, and who comes in between.

use goatherd_archive::{
    manifest::{Manifest, read},
    record::Record,
    store::{Archive, Held, Session},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("archive")
        .join(name);
    drop(fs::remove_dir_all(&path));
    fs::create_dir_all(&path).unwrap();
    path
}

/// Files and a list of tasks in a folder.
fn manifest(name: &str, files: &[&str], text: &str) -> Result<Manifest, String> {
    let root = folder(name);
    for file in files {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    fs::write(root.join("goatherd.toml"), text).unwrap();
    read(&root.join("goatherd.toml"))
}

fn names(manifest: &Manifest) -> Vec<String> {
    manifest.targets.iter().map(ToString::to_string).collect()
}

#[test]
fn targets_are_files_and_functions() {
    let text = "[[task]]\nfiles = \"**/*.c\"\nexclude = [\"b/*\"]\nentry = [\"g\", \"f\"]\n[[task]]\nfiles = [\"b/x.c\", \"a/x.c\"]\nname = \"strict\"\nchecks = \"overflow\"\n";
    let manifest = manifest(
        "targets",
        &[
            "x.c",
            "a/x.c",
            "b/x.c",
            ".hidden/x.c",
            "a/x.h",
            "proofs/counterexamples/x.c/f.c",
        ],
        text,
    )
    .unwrap();
    assert_eq!(
        names(&manifest),
        [
            "a/x.c f",
            "a/x.c g",
            "a/x.c test@strict",
            "b/x.c test@strict",
            "x.c f",
            "x.c g"
        ]
    );
    let archive = Archive::new(manifest.archive.clone());
    let mut records: Vec<_> = manifest
        .targets
        .iter()
        .map(|target| archive.task(target))
        .collect();
    records.dedup();
    assert_eq!(records.len(), 6);
}

#[test]
fn lists_that_are_wrong_are_refused_with_their_place() {
    let wrong = [
        ("", "1:1: there is no [[task]]"),
        ("[[task]]\n", "1:1: missing field `files`"),
        (
            "[[task]]\nfiles = \"*.d\"\n",
            "2:9: no file is named by `*.d`",
        ),
        (
            "[[task]]\nfiles = \"../*.c\"\n",
            "2:9: `../*.c` does not stay inside",
        ),
        (
            "[[task]]\nfiles = \"/x.c\"\n",
            "2:9: `/x.c` does not stay inside",
        ),
        (
            "archive = \"..\"\n[[task]]\nfiles = \"x.c\"\n",
            "1:11: `..` does not stay inside",
        ),
        (
            "[[task]]\nfiles = \"x.c\"\nchekcs = \"leak\"\n",
            "3:1: unknown field `chekcs`",
        ),
        ("[[task]]\nfiles = \"x.c\"\nchecks = \"leaks\"\n", "3:10: "),
        (
            "[[task]]\nfiles = \"x.c\"\nentry = \"f()\"\n",
            "3:9: `f()` is not the name of a function",
        ),
        (
            "[[task]]\nfiles = \"x.c\"\nname = \"../y\"\n",
            "3:8: `../y` is not a name",
        ),
        (
            "[[task]]\nfiles = \"x.c\"\ndefine = [\"A\", \"-N\"]\n",
            "3:10: `-N` is not a macro name",
        ),
        (
            "[[task]]\nfiles = \"x.c\"\nwaive = \"here\"\n",
            "3:9: an assertion is named by",
        ),
        (
            "[[task]]\nfiles = \"x.c\"\ntimeout = -1.0\n",
            "3:11: a time is",
        ),
        (
            "[[task]]\nfiles = \"x.c\"\nmemory = \"4T\"\n",
            "3:10: a size is",
        ),
        (
            "[[task]]\nfiles = \"x.c\"\n[[task]]\nfiles = \"*.c\"\n",
            "3:1: x.c test: an earlier task has it already",
        ),
        ("[[task]\n", "1:8: "),
    ];
    for (text, expected) in wrong {
        let message = manifest("wrong", &["x.c"], text).unwrap_err();
        let place = message
            .rsplit_once("goatherd.toml:")
            .map_or("", |(_, rest)| rest);
        assert!(place.starts_with(expected), "{text}: {message}");
    }
}

#[test]
fn what_is_kept_is_found_and_damage_is_seen() {
    let archive = Archive::new(folder("damage"));
    let session = Session::begin(&archive).unwrap();
    let digest = archive.keep(&session, b"a certificate").unwrap();
    assert!(
        matches!(archive.certificate(&digest, 100), Held::Whole(bytes) if bytes == b"a certificate")
    );
    assert!(matches!(archive.certificate(&digest, 5), Held::Damaged(_)));
    assert!(matches!(
        archive.certificate(&"0".repeat(64), 100),
        Held::Missing
    ));
    fs::write(archive.object(&digest), b"a certificatf").unwrap();
    assert!(matches!(
        archive.certificate(&digest, 100),
        Held::Damaged(_)
    ));
    // Who has the same certificate again repairs it.
    archive.keep(&session, b"a certificate").unwrap();
    assert!(matches!(archive.certificate(&digest, 100), Held::Whole(_)));
}

#[test]
fn records_are_read_as_they_are_written() {
    let target = manifest("records", &["x.c"], "[[task]]\nfiles = \"x.c\"\n")
        .unwrap()
        .targets
        .remove(0);
    let archive = Archive::new(folder("records-archive"));
    let session = Session::begin(&archive).unwrap();
    assert!(matches!(archive.record(&target), Held::Missing));
    let record = Record {
        schema: String::from("goatherd-record/1"),
        certificate: "a".repeat(64),
        program: "b".repeat(64),
        terms: target.terms.clone(),
        kernel: "c".repeat(64),
        inputs: Vec::new(),
    };
    archive.remember(&session, &target, &record).unwrap();
    assert!(matches!(archive.record(&target), Held::Whole(found) if found == record));
    assert_eq!(archive.records().unwrap(), [PathBuf::from("x.c/test.json")]);
    for (from, to) in [
        ("goatherd-record/1", "goatherd-record/2"),
        ("aaaa", "/../"),
        ("\"inputs\"", "\"outputs\""),
    ] {
        fs::write(
            archive.task(&target),
            record.to_text().replacen(from, to, 1),
        )
        .unwrap();
        assert!(
            matches!(archive.record(&target), Held::Damaged(_)),
            "{from}"
        );
    }
}

#[test]
fn what_is_left_of_the_dead_is_removed_and_of_the_living_is_not() {
    let archive = Archive::new(folder("sessions"));
    let living = Session::begin(&archive).unwrap();
    let work = living.fresh_folder().unwrap();
    let dead = archive.folder().join("tmp").join("1-0");
    fs::create_dir(&dead).unwrap();
    fs::write(dead.join("lock"), "").unwrap();
    fs::write(dead.join("0"), "half a certifi").unwrap();
    let other = Session::begin(&archive).unwrap();
    assert!(work.is_dir() && !dead.exists());
    drop((living, other));
    assert!(!work.exists());
}
