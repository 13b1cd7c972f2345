//! The committed test vectors are those that the project writes, and the kernel says of each what the index promises.

use std::collections::BTreeSet;
use std::fs;

use goatherd_certificates::certificate::GroundRun;
use goatherd_tests::{
    forge::{PARAMETERS, certificate_of_run, check},
    vectors::{self, folder},
};

/// The lines of the committed index: file and expected outcome.
fn index() -> Vec<(String, String)> {
    let text = fs::read_to_string(folder().join("index.tsv")).unwrap();
    let lines = text.lines().skip(1).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        assert_eq!(columns.len(), 3, "{line}");
        (columns[0].to_owned(), columns[1].to_owned())
    });
    lines.collect()
}

#[test]
fn the_kernel_says_what_the_index_promises() {
    let answers = index().into_iter().map(|(file, expected)| {
        let answer = vectors::outcome(&fs::read(folder().join(&file)).unwrap());
        (answer != expected).then(|| format!("{file}: expected {expected}, is {answer}"))
    });
    let wrong: Vec<String> = answers.flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_committed_files_are_up_to_date() {
    let all = vectors::all();
    assert_eq!(fs::read_to_string(folder().join("index.tsv")).unwrap(), vectors::index(&all));
    for vector in &all {
        assert!(
            fs::read(folder().join(&vector.file)).unwrap() == vector.bytes,
            "{}: run `cargo run -p goatherd-tests --bin vectors`",
            vector.file
        );
    }
    let expected: BTreeSet<String> = all.iter().map(|vector| vector.file.clone()).collect();
    assert_eq!(expected.len(), all.len(), "no name is used twice");
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let committed: BTreeSet<String> = entries.filter(|name| name.ends_with(".goatherd")).collect();
    assert_eq!(committed, expected);
}

#[test]
fn the_files_are_small() {
    assert!(vectors::all().iter().map(|vector| vector.bytes.len()).sum::<usize>() < 300_000);
}

#[test]
fn forged_proofs_are_of_programs_that_fail() {
    for forgery in vectors::heaps::forgeries().into_iter().chain(vectors::lemmas::forgeries()).chain([vectors::table::forgery()]) {
        let answer = check(&forgery.run);
        assert!(answer.is_ok(), "{}: {answer:?}", forgery.name);
    }
}

#[test]
fn forged_rings_are_of_programs_that_fail() {
    let of_cells = vectors::rings::forged().into_iter().map(|(name, _, certificate)| (name, certificate));
    let of_sorts = vectors::ring_sorts::forged().into_iter().map(|(name, _, _, certificate)| (name, certificate));
    for (name, certificate) in of_cells.chain(of_sorts) {
        let fails = (1..40).any(|steps| {
            let run = GroundRun { inputs: Vec::new(), choices: Vec::new(), steps };
            check(&certificate_of_run(&certificate.statement.program, PARAMETERS, run)).is_ok()
        });
        assert!(fails, "{name}");
    }
}

#[test]
fn forged_twins_are_of_programs_that_fail() {
    for (number, (program, input)) in vectors::twins::forged().into_iter().enumerate() {
        let choices: [&[i128]; 4] = [&[], &[0], &[1], &[0, 0]];
        let fails = choices.iter().any(|choices| {
            (1..20).any(|steps| {
                let run = GroundRun { inputs: vec![input.clone()], choices: choices.to_vec(), steps };
                check(&certificate_of_run(&program, PARAMETERS, run)).is_ok()
            })
        });
        assert!(fails, "program {number}");
    }
}
