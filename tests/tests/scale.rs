//! Where nothing is difficult, the search takes a number of steps that grows with the program.

use goatherd::{
    Request, Task,
    prove::{Answer, Effort, prove},
};
use goatherd_descent::Progress;
use goatherd_frontend::{lower::lower, source};
use goatherd_logic::Solver;
use goatherd_tests::scale::Family;
use std::num::NonZeroUsize;

/// How many steps a proof takes, and how many bytes it has, where so many strategies are tried at a time.
fn steps(family: Family, m: usize, threads: NonZeroUsize) -> (u64, usize) {
    let folder = std::env::temp_dir().join(format!("goatherd-scale-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("{}-{m}-{threads}.c", family.name()));
    std::fs::write(&file, family.source(m)).expect("a file");
    let request = Request::default();
    let unit = source::load(&file, &request.reading).expect("the file is read");
    let lowered = lower(&unit, "test").expect("the file is lowered");
    let task = Task::new(&unit, lowered, &request.reading, request.parameters);
    let progress = Progress::default();
    let effort = Effort { threads, ..Effort::default() };
    match prove(&task, &effort, &Solver::default(), &progress, &mut ()).expect("the prover finds no fault in itself") {
        Answer::Proved { accepted, .. } => (progress.configurations(), accepted.bytes.len()),
        answer => panic!("{} {m}: {answer:?}", family.name()),
    }
}

/// Twice as much takes at most so many times as many steps, in percent: nearly twice, where it grows with the program.
fn grows_at_most(family: Family, m: usize, percent: u64) {
    let ((half, _), (whole, _)) = (steps(family, m / 2, NonZeroUsize::MIN), steps(family, m, NonZeroUsize::MIN));
    assert!(whole * 100 <= half * percent, "{}: {half} steps for {}, {whole} for {m}", family.name(), m / 2);
}

#[test]
fn ways_are_joined_outside_of_loops() {
    grows_at_most(Family::Arithmetic, 64, 220);
    grows_at_most(Family::Increments, 1000, 220);
}

#[test]
fn ways_are_joined_inside_of_loops_and_beside_scapegoats() {
    grows_at_most(Family::Decisions, 16, 600);
}

/// The fourth strategy would take 400,000 steps, and is ended when the second has found the proof.
#[test]
fn what_is_tried_beside_a_proof_is_ended() {
    let four = NonZeroUsize::new(4).expect("it is 4");
    let ((alone, bytes), (beside, same)) = (steps(Family::Decisions, 8, NonZeroUsize::MIN), steps(Family::Decisions, 8, four));
    assert!(beside < 250_000, "{beside} steps beside each other, {alone} one after the other");
    assert_eq!(bytes, same);
}

#[test]
fn arrays_that_have_nothing_to_do_with_each_other_do_not_multiply() {
    grows_at_most(Family::Inputs, 12, 280);
}

#[test]
fn what_branches_have_found_out_is_given_up_together() {
    grows_at_most(Family::Branches, 64, 300);
}
