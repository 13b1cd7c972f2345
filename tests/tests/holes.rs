//! The holes that the generator is to find (`make fuzz-holes` has it find them): each is a change of the kernel as it stands.

use goatherd_tests::{
    holes::{known, mutants, rows},
    workspace_root,
};
use std::fs;

#[test]
fn each_hole_is_a_change_of_the_kernel() {
    for hole in known().iter().chain(&rows()).chain(&mutants()) {
        for change in &hole.changes {
            let source = fs::read_to_string(workspace_root().join(change.file)).unwrap();
            let answer = change.apply(&source).unwrap_or_else(|fault| panic!("{}: {fault}", hole.about));
            assert_ne!(answer, source, "{}", hole.about);
        }
    }
}
