//! Edges of the model: data, choices and terms that a certificate must not control.

use super::*;
use goatherd_certificates::program::{Advance, Allocate};

#[test]
fn a1_pointer_arithmetic_by_part_of_an_element() {
    let (mut program, [a, length, _]) = with_array();
    let p = pointer(&mut program, "p");
    program.instructions = vec![Instruction::Advance(Advance { target: p, base: a, index: of(length), scale: 1 }), Instruction::Halt];
    let answer = refused(&program, PARAMETERS, 1, |forge, class, configuration| match class {
        2 => forge.rules.push(Rule::Step { refuted: Vec::new() }),
        _ => forge.auto(configuration),
    });
    assert_eq!(answer, Rejection::Unsupported(Unsupported::Advance));
}

#[test]
fn a2_the_primary_chooses_its_outcome() {
    let (mut program, p, _, allocate) = with_malloc();
    program.instructions = vec![allocate, equal_pointers(p, PointerOperand::Null, 2, 3), FAIL, Instruction::Halt];
    let answer = forged(&program, MAY_FAIL, &[], |forge, _, _| {
        forge.rules.push(Rule::StepDecided { member: MemberId(0), outcome: OutcomeId(0), choice: None, hints: Vec::new() });
    });
    assert_eq!(answer, Rejection::Primary);
    assert_eq!(forged(&program, MAY_FAIL, &[], auto), Rejection::NotRefuted);
    // Where allocation succeeds the same program is safe.
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    let root = forge.root(0).unwrap();
    forge.auto(root);
    assert!(forge.check().is_ok());
}

#[test]
fn a4_static_data_in_a_template() {
    // The sort of fresh contents is the program's: a template cannot widen what an array holds.
    let (mut program, [a, _, x]) = with_array();
    program.instructions = vec![assign(x, 300), Instruction::Store { address: a, offset: 0, source: x }, Instruction::Halt];
    let answer = forged(&program, PARAMETERS, &elements(0), auto);
    assert_eq!(answer, Rejection::NotRefuted);
    let mut program = empty();
    program.instructions = vec![FAIL];
    assert_eq!(refused(&program, PARAMETERS, 0, |forge, _, configuration| forge.infeasible(&configuration)), Rejection::Root);
}

#[test]
fn a5_split_on_a_future_variable() {
    let mut program = empty();
    let x = integer(&mut program, "x", IntegerType::I32);
    program.instructions = vec![Instruction::Havoc { target: x }, branch(Relation::Equal, of(x), number(1), 2, 3), FAIL, Instruction::Halt];
    let future = |forge: &mut Forge<'_>| forge.arena.variable(Variable { sort: Some(IntegerType::I32), number: 0 }).unwrap();
    let answer = forged(&program, PARAMETERS, &[], |forge, _, configuration| {
        let term = future(forge);
        forge.rules.push(Rule::Split { literal: Literal { sign: Sign::Zero, term } });
        forge.auto(configuration.clone());
        forge.auto(configuration);
    });
    assert_eq!(answer, Rejection::Variable);
    let answer = forged(&program, PARAMETERS, &[], |forge, _, _| {
        let term = future(forge);
        forge.rules.push(Rule::Let { term });
    });
    assert_eq!(answer, Rejection::Variable);
}

#[test]
fn a5_theta_and_new_integers_mention_a_future_variable() {
    let (mut program, [_, _, x]) = with_array();
    program.inputs.push(Input::Integer { register: x });
    program.instructions =
        vec![Instruction::Jump { target: Location(1) }, branch(Relation::Less, of(x), number(0), 2, 3), FAIL, Instruction::Halt];
    let future = |forge: &mut Forge<'_>| forge.arena.variable(Variable { sort: Some(IntegerType::I32), number: 9 }).unwrap();
    let inputs = [elements(1)[0].clone(), InputValue::Integer(-1)];
    let answer = forged(&program, PARAMETERS, &inputs, |forge, _, configuration| {
        let configuration = forge.steps(configuration, 1);
        forge.forge_template(&configuration, |_, _| {}, |forge, configuration| forge.infeasible(&configuration));
        let term = future(forge);
        if let Some(Rule::Subsume { matching, .. }) = forge.rules.last_mut() {
            matching.integers[0] = term;
        }
    });
    assert_eq!(answer, Rejection::Variable);
    let answer = forged(&program, PARAMETERS, &inputs, |forge, class, mut configuration| {
        if class == 0 {
            // No element can be left out here, so x is split on by its sign: the negative half fails.
            return forge.auto(configuration);
        }
        forge.add(&mut configuration, &FIRST, &[]);
    });
    assert_eq!(answer, Rejection::NotRefuted);
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    forge.root(1).unwrap();
    let integers = vec![(1, future(&mut forge))];
    forge.rules.push(Rule::AddScapegoat {
        drops: vec![InputDrop { input: 0, element: DroppedElement::Last }],
        integers,
        hints: Vec::new(),
    });
    let mut root = forge.root(1).unwrap();
    let drops = [InputDrop { input: 0, element: DroppedElement::Last }];
    let integers = [(1, future(&mut forge))];
    let mut hints = goatherd_checker::refute::Hints::new([]);
    let answer = goatherd_checker::rules::add_scapegoat(&mut forge.arena, forge.setting, &mut root, &drops, &integers, &mut hints);
    assert_eq!(answer, Err(Rejection::Variable));
}

#[test]
fn a7_a_conversion_is_not_a_copy() {
    // unsigned u = k; u <= 10 fails for k = -1.
    let mut program = empty();
    let k = integer(&mut program, "k", IntegerType::I32);
    program.inputs.push(Input::Integer { register: k });
    let u = integer(&mut program, "u", IntegerType::U32);
    program.instructions = vec![
        branch(Relation::LessOrEqual, of(k), number(5), 1, 4),
        Instruction::Assign { target: u, value: of(k) },
        branch(Relation::LessOrEqual, of(u), number(10), 4, 3),
        FAIL,
        Instruction::Halt,
    ];
    assert_eq!(forged(&program, PARAMETERS, &[InputValue::Integer(-1)], auto), Rejection::NotRefuted);
}

#[test]
fn a7_lengths_have_their_own_type() {
    // An unsigned char length above SCHAR_MAX is a valid input.
    let (mut program, [_, length, _]) = with_array();
    program.instructions = vec![branch(Relation::Less, number(127), of(length), 1, 2), FAIL, Instruction::Halt];
    assert_eq!(forged(&program, PARAMETERS, &elements(128), auto), Rejection::NotRefuted);
}

#[test]
fn a8_uninitialised_is_not_null() {
    let mut program = empty();
    let p = pointer(&mut program, "p");
    let q = pointer(&mut program, "q");
    let element = layout(&mut program, &[Type::Pointer]);
    let object = object(&mut program, element, Origin::Heap);
    program.instructions = vec![
        Instruction::Allocate(Allocate { target: p, object, bytes: number(8), fresh: Fresh::Arbitrary }),
        Instruction::Load { target: q, address: p, offset: 0 },
        equal_pointers(q, PointerOperand::Null, 3, 3),
        Instruction::Halt,
    ];
    assert_eq!(forged(&program, PARAMETERS, &[], auto), Rejection::NotRefuted);
    // A template does not make it NULL, and NULL is no uninitialised value.
    let answer = forged(&program, PARAMETERS, &[], |forge, _, configuration| {
        let configuration = forge.steps(configuration, 2);
        edited_template(move |_, template| template.members[0].registers[1].1 = Slot::Null)(forge, &configuration);
    });
    assert_eq!(answer, Rejection::Slot);
}
