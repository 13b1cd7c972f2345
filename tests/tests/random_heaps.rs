//! Unfold and Subsume on random configurations, against an enumeration of all small heaps.

use goatherd_tests::{conformance::Census, random_heaps};

#[test]
fn unfold_is_exact_and_subsume_an_inclusion() {
    let mut census = Census::new();
    let faults: Vec<_> = (0..150).filter_map(|seed| random_heaps::run(seed, &mut census).err()).collect();
    println!("{census:#?}");
    assert_eq!(faults.len(), 0, "{}", faults[0]);
    for what in ["unfolded", "covered", "not covered: NotRead", "not covered: Slot"] {
        assert!(census.get(what).is_some_and(|count| *count > 50), "{what}: {census:#?}");
    }
}
