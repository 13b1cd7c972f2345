//! Every example and test program is proved, its buggy twin refuted, and both answers are the same bytes with one thread and with two.

use goatherd::{
    Answer, Effort, Request, Types,
    certify::Accepted,
    engine::{Engine, Engines},
    prove_file,
};
use goatherd_certificates::certificate::Claim;
use goatherd_frontend::lower::{Demands, Leaks};
use goatherd_tests::{c_programs, is_buggy_twin, workspace_root};
use std::{num::NonZeroUsize, path::Path};

fn decide(file: &Path, effort: &Effort) -> Answer {
    decide_with(file, effort, Leaks::Ignored)
}

fn decide_with(file: &Path, effort: &Effort, leaks: Leaks) -> Answer {
    let request = Request {
        demands: Demands { leaks, ..Request::default().demands },
        types: Types::AsRead,
        effort: effort.clone(),
        ..Request::default()
    };
    prove_file(file, &request).unwrap_or_else(|error| panic!("{error}")).answer
}

fn accepted(file: &Path, effort: &Effort) -> Accepted {
    match decide(file, effort) {
        Answer::Proved { accepted, .. } if !is_buggy_twin(file) => accepted,
        Answer::Unsafe { accepted, .. } if is_buggy_twin(file) => accepted,
        answer => panic!("{}: {answer:?}", file.display()),
    }
}

/// Decides all programs of the folder, with certificates of at most so many KiB.
fn decide_all(folder: &str, most: usize) {
    for file in c_programs(folder) {
        let accepted = accepted(&file, &Effort::default());
        let claim = if is_buggy_twin(&file) { Claim::Unsafe } else { Claim::Safe };
        assert_eq!(accepted.verdict.claim, claim, "{}", file.display());
        assert!(accepted.bytes.len() <= most << 10, "{}: {} bytes", file.display(), accepted.bytes.len());
        if claim == Claim::Safe {
            assert!(accepted.verdict.is_vacuity_excluded(), "{}", file.display());
        }
    }
}

/// Decides programs of `tests/linked`, and their twins.
fn decide_linked(names: &[&str], effort: &Effort) {
    for name in names {
        let path = workspace_root().join("tests/linked").join(name);
        let good = accepted(&path.with_extension("c"), effort);
        assert_eq!(good.verdict.claim, Claim::Safe, "{name}");
        let twin = accepted(&path.with_extension("buggy.c"), effort);
        assert_eq!(twin.verdict.claim, Claim::Unsafe, "{name}");
    }
}

#[test]
fn examples_are_decided() {
    decide_all("examples", 32);
}

#[test]
fn programs_of_other_shapes_are_decided() {
    // What takes several elements a round has as many size classes more.
    decide_all("tests/programs", 256);
}

/// No run on a small input fails there: the failure is that of a search for a proof, made concrete.
#[test]
fn failures_far_from_what_runs_try_are_found() {
    decide_all("tests/refined", 32);
}

#[test]
fn programs_that_make_their_lists_are_decided() {
    let names = [
        "list-build-free",
        "queue",
        "prepended-ones",
        "built-appended-counted",
        "built-bare-pointers",
        "built-bounded",
        "built-bounded-values",
        "built-boxed-values",
        "built-by-two-hands",
        "built-counted",
        "built-doubly-linked",
        "built-filled-later",
        "built-free-all",
        "built-freed-const",
        "built-full-shelves",
        "built-hooks-compared",
        "built-length-twice",
        "built-list-of-rings",
        "built-owners",
        "built-put-in",
        "built-reverse-length",
        "built-reverse-search",
        "built-rooms",
        "built-search-twice",
        "built-sections",
        "built-self-loops",
        "built-shared-mate",
        "built-sorted-both-ways",
        "built-stack-in-steps",
        "built-table-of-lists",
        "built-tree-leaves-freed",
        "built-tree-on-stack",
        "built-untyped-link",
        "built-untyped-pairs",
        "built-words-by-state",
        "marked-alike",
    ];
    decide_linked(&names, &Effort::default());
}

#[test]
fn nodes_with_equal_integers_are_counted() {
    decide_linked(&["count-twice", "filter-count"], &Effort::default());
}

#[test]
fn walks_of_two_nodes_a_round_are_decided() {
    decide_linked(&["pairs-counted", "pairs-swapped"], &Effort::default());
}

#[test]
fn nodes_that_point_to_one_node_are_decided() {
    decide_linked(&["owner-built", "owner-taken", "parent-climbed"], &Effort::default());
}

#[test]
fn searches_before_and_behind_rotations_and_deletions_are_decided() {
    let names = ["tree-delete-key", "tree-double-rotation", "tree-rotate-child", "tree-rotate-place", "tree-two-ways", "tree-zig-zig"];
    decide_linked(&names, &Effort::default());
}

#[test]
fn children_that_are_counted_again_are_decided() {
    decide_linked(&["child-appended", "child-inserted", "children-reversed"], &Effort::default());
}

/// The nodes that calls wait at hang in their frames, and lead to each other beside these.
#[test]
fn recursion_over_lists_and_trees_is_decided() {
    let names = [
        "recursion-cleared-behind",
        "recursion-list-append",
        "recursion-tree-built",
        "recursion-tree-counted",
        "recursion-tree-free",
        "recursion-tree-grown-and-mirrored",
        "recursion-tree-height",
        "recursion-tree-mirror",
        "recursion-tree-removed",
        "recursion-tree-searched",
        "recursion-tree-seen-twice",
    ];
    decide_linked(&names, &Effort::default());
}

#[test]
fn shapes_are_proved_by_the_engine_of_trees() {
    let names = [
        "append-last",
        "built-list-of-doubly-linked",
        "child-unlinked",
        "circular-walk",
        "delete-first",
        "doubly-back",
        "doubly-circular",
        "doubly-delete",
        "doubly-insert",
        "doubly-reverse",
        "free-all",
        "insert-anywhere",
        "insertion-sort",
        "interleave",
        "last-differs",
        "last-marked",
        "list-build-free",
        "list-of-lists",
        "marks-by-threes",
        "marks-followed-by-two",
        "marks-in-turn",
        "marks-up-to-pointer",
        "reverse",
        "search-constant",
        "set-all",
        "shared-tail",
        "tree-delete",
        "tree-free-parent",
        "tree-freed",
        "tree-insert-anywhere",
        "tree-insert-parent",
        "tree-leftmost-delete",
        "tree-levels",
        "tree-lindstrom",
        "tree-next",
        "tree-pointer-reversal",
        "tree-red-black",
        "tree-red-black-walk",
        "tree-reversal-marks-all",
        "tree-rotate",
        "tree-rotate-parent",
        "tree-search-constant",
        "tree-search-parents",
        "tree-sides",
        "tree-walk-marks",
        "tree-walk-marks-all",
        "tree-walk-parent",
    ];
    let effort = Effort { engines: Engines::Only(Engine::Trees), ..Effort::default() };
    decide_linked(&names, &effort);
}

#[test]
fn leaks_are_found_where_they_are_asked_for() {
    for file in c_programs("tests/leaks") {
        let answer = decide_with(&file, &Effort::default(), Leaks::Fail);
        let is_right = match &answer {
            Answer::Proved { .. } => !is_buggy_twin(&file),
            Answer::Unsafe { .. } => is_buggy_twin(&file),
            _ => false,
        };
        assert!(is_right, "{}: {answer:?}", file.display());
        // Without the check there is nothing wrong with either.
        assert!(matches!(decide(&file, &Effort::default()), Answer::Proved { .. }), "{}", file.display());
    }
}

#[test]
fn controls_are_refuted() {
    for file in c_programs("tests/controls") {
        let answer = decide(&file, &Effort::default());
        assert!(
            matches!(&answer, Answer::Unsafe { accepted, .. } if accepted.verdict.claim == Claim::Unsafe),
            "{}: {answer:?}",
            file.display()
        );
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for file in c_programs("examples").iter().take(6) {
        let with = |threads| {
            let threads = NonZeroUsize::new(threads).expect("there is a thread");
            accepted(file, &Effort { threads, ..Effort::default() }).bytes
        };
        assert!(with(1) == with(3), "{}", file.display());
    }
}
