//! The holes that the generator is to find (`make fuzz-holes`) and the mutants that the vectors notice (`make kernel-mutants`): each is a change of
//! the kernel as it stands.

use goatherd_tests::{
    holes::{KNOWN, ROWS},
    kernel_mutants::{Change, all},
    workspace_root,
};
use std::fs;

fn is_made(about: &str, change: &Change) {
    let source = fs::read_to_string(workspace_root().join(change.file)).unwrap();
    let answer = change.apply(&source).unwrap_or_else(|fault| panic!("{about}: {fault}"));
    assert_ne!(answer, source, "{about}");
}

#[test]
fn holes_are_changes_of_the_kernel() {
    for hole in KNOWN.iter().chain(ROWS) {
        hole.changes.iter().for_each(|change| is_made(hole.about, change));
    }
}

#[test]
fn mutants_are_changes_of_the_kernel() {
    for mutant in all() {
        is_made(mutant.about, &mutant.change);
    }
}
