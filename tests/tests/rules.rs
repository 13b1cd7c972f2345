use goatherd_tests::{forge::{Forge, PARAMETERS}, programs::ZeroThenCheck, zero_then_check};

#[test]
fn the_proof_that_the_others_violate_is_accepted() {
    let program = ZeroThenCheck::new(0);
    let mut forge = Forge::new(&program.program, &PARAMETERS, 1);
    zero_then_check::prove(&mut forge, &program).unwrap();
    println!("{:?}", forge.rules);
    forge.check().unwrap();
}
