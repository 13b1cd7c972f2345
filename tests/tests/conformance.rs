//! The kernel's step function agrees with the interpreter, which shares no code with it.

use goatherd_tests::conformance::{Census, EVERYTHING, run};

#[test]
fn the_step_function_and_the_interpreter_agree() {
    let mut census = Census::new();
    let faults: Vec<_> = (0..700).filter_map(|seed| run(seed, &mut census).err()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for what in EVERYTHING {
        assert!(census.contains_key(what), "no {what} was seen");
    }
}
