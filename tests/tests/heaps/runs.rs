//! Ground runs over nodes.

use goatherd_certificates::{
    certificate::{GroundRun, InputValue},
    program::{Instruction, IntegerType, Operand, Program, Relation},
};
use goatherd_checker::rejection::Rejection;
use goatherd_tests::{
    forge::{PARAMETERS, certificate_of_run, check, rejection},
    heaps::{NEXT, list, load},
    programs::{FAIL, branch, integer, is_null},
};

/// Fails where the second node of the list holds 7.
fn seven() -> (Program, GroundRun) {
    let (mut program, l, c) = list();
    let x = integer(&mut program, "x", IntegerType::I32);
    program.instructions = vec![
        is_null(l, 6, 1),
        load(c, l, NEXT),
        is_null(c, 6, 3),
        load(x, c, 0),
        branch(Relation::Equal, Operand::Register(x), Operand::Constant(7), 5, 6),
        FAIL,
        Instruction::Halt,
    ];
    let nodes = [Some(1), Some(7), None].map(|data| data.map(|data| vec![data]));
    (program, GroundRun { inputs: vec![InputValue::Linked(nodes.to_vec())], choices: Vec::new(), steps: 6 })
}

#[test]
fn a_run_on_a_list() {
    let (program, run) = seven();
    let answer = |change: fn(&mut Vec<Option<Vec<i128>>>)| {
        let mut run = run.clone();
        let [InputValue::Linked(nodes)] = run.inputs.as_mut_slice() else { panic!("a linked input") };
        change(nodes);
        rejection(&check(&certificate_of_run(&program, PARAMETERS, run)))
    };
    assert_eq!(answer(|_| {}), None);
    let run = Some(Rejection::Run);
    assert_eq!(answer(|nodes| drop(nodes.pop())), run);
    assert_eq!(answer(|nodes| nodes.push(None)), run);
    assert_eq!(answer(Vec::clear), run);
    assert_eq!(answer(|nodes| nodes[1] = Some(vec![8])), run);
    assert_eq!(answer(|nodes| nodes[1] = Some(vec![1 << 31])), run);
    assert_eq!(answer(|nodes| nodes[1] = Some(Vec::new())), run);
    assert_eq!(answer(|nodes| nodes[1] = Some(vec![7, 7])), run);
}
