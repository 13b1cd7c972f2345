//! The holes that the generator is to find (`make fuzz-holes`) and the mutants that the vectors notice (`make kernel-mutants`): each is a change of
//! the kernel as it stands.

use goatherd_tests::{
    holes::{KNOWN, ROWS},
    kernel_mutants::{Change, all},
    workspace_root,
};
use std::fs;

/// What is wrong with the changes that cannot be made, or change nothing.
fn faults<'a>(changes: impl Iterator<Item = (&'a str, &'a Change)>) -> Vec<String> {
    let fault = |(about, change): (&str, &Change)| {
        let source = fs::read_to_string(workspace_root().join(change.file)).unwrap();
        match change.apply(&source) {
            Ok(answer) if answer == source => Some(format!("{about}: nothing is changed")),
            Ok(_) => None,
            Err(fault) => Some(format!("{about}: {fault}")),
        }
    };
    changes.filter_map(fault).collect()
}

#[test]
fn holes_are_changes_of_the_kernel() {
    let changes = KNOWN.iter().chain(ROWS).flat_map(|hole| hole.changes.iter().map(|change| (hole.about, change)));
    assert_eq!(faults(changes), [""; 0]);
}

#[test]
fn mutants_are_changes_of_the_kernel() {
    assert_eq!(faults(all().map(|mutant| (mutant.about, &mutant.change))), [""; 0]);
}
