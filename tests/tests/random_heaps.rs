//! Unfold and Subsume on random configurations, against an enumeration of all small heaps.

use goatherd_tests::{conformance::Census, random_heaps};

#[test]
fn unfold_is_exact_and_subsume_an_inclusion() {
    let mut census = Census::new();
    let faults: Vec<_> = (0..60).filter_map(|seed| random_heaps::run(seed, &mut census).err()).collect();
    println!("{census:#?}");
    assert_eq!(faults.len(), 0, "{}", faults[0]);
    let wanted =
        [("unfolded", 50), ("covered", 50), ("covered: nodes with rings", 40), ("not covered: NotRead", 50), ("not covered: Slot", 50)];
    for (what, least) in wanted {
        assert!(census.get(what).is_some_and(|count| *count > least), "{what}: {census:#?}");
    }
}
