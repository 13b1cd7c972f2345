//! A sample of the differential test of the front end; the command `differential` runs as many cases as it is asked for.

use goatherd_tests::{
    differential::{
        Dialect,
        compare::{Range, compare},
        compiled, interpreted,
    },
    workspace_root,
};

#[test]
fn compiled_and_interpreted_programs_agree() {
    let work = workspace_root().join("target/differential-sample");
    std::fs::create_dir_all(&work).expect("a folder under target/");
    if !compiled::compiler_works(&work) {
        println!("skipped: no C compiler `cc` with -fsanitize=address,undefined here");
        return;
    }
    for (dialect, first) in [(Dialect::Wrapping, 0), (Dialect::Checked, 50)] {
        let range = Range { seed: 2026, first, count: 50 };
        let tally = compare(&range, dialect, &work, interpreted::lower).expect("the generated programs compile");
        // Which literals are one array is the compiler's choice, so comparisons of pointers are refused beside some.
        let is_known = |reason: &String| reason == "a comparison of pointers, in a program with string literals that end alike";
        assert!(tally.differences.is_empty() && tally.refused.keys().all(is_known), "{tally:?}");
        assert!(tally.undecided.is_empty() && tally.unseen_accesses < 3, "{tally:?}");
        assert!(tally.unseen_overflows < 30 && tally.compared() > 100, "{tally:?}");
    }
}
