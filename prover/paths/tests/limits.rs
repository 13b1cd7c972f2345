//! The limit of work of an analysis holds inside of its rounds, and what has been found by then is a whole graph.

use goatherd_paths::analysis::{Limits, Outcome, Stop, analyse};
use goatherd_systems::{lts::Lts, text::read_lts};

/// Sums of three variables with disequalities: what is known of them grows with each round of the loops.
const SUMS: &str = "variables a b c
initial 1
final 4 6
1 -> 2: a := 2*a + 1, c := c - a
2 -> 3: c := 2*c + 1, b := b + 1
3 -> 4: [b != c] b := b - 1
4 -> 5: c := *
5 -> 6: c := 2*c + 1
3 -> 3: [b - a <= 2] b := b - c
3 -> 2: [b - a != 0 && b >= 3] c := 0
4 -> 6: [a != 0] b := b - 1
3 -> 5: [a <= c && a >= c]
3 -> 2: a := a - b, b := b - 1
";

fn analysed(lts: &Lts, work: usize) -> Outcome<'_> {
    analyse(lts, &[], Limits { work, ..Limits::default() })
}

#[test]
fn work_ends_at_its_limit() {
    let lts = read_lts(SUMS).unwrap();
    let mut paths = Vec::new();
    for work in [5_000, 100_000, 3_000_000] {
        let outcome = analysed(&lts, work);
        assert_eq!((outcome.stop, outcome.spent), (Stop::Work, work));
        paths.extend(outcome.minimised.count_paths(&[12]));
    }
    // More work excludes more paths, never fewer.
    assert!(paths.is_sorted_by(|less, more| less >= more) && paths[0] > paths[2], "{paths:?}");
    assert_eq!(analysed(&lts, 100_000).minimised, analysed(&lts, 100_000).minimised);
}

/// The factor by which one remainder follows from another is computed, not looked for.
#[test]
fn remainders_by_large_numbers() {
    let lts = read_lts(
        "variables x y
initial 1
final 4
1 -> 2: [2*x % 1000000007 == 3]
2 -> 3: [x + y % 998244353 == 1]
3 -> 4: [x == 500000005]
3 -> 4: [x == 7]
",
    )
    .unwrap();
    let outcome = analysed(&lts, 10_000);
    assert_eq!((outcome.stop, outcome.unexplained), (Stop::NoSpuriousPath { is_exhaustive: true }, 0));
    assert_eq!(outcome.minimised.count_paths(&[3]), [1u32.into()]);
}
