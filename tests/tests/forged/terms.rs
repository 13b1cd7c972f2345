//! Values, parameters, places.

use super::*;
use goatherd_certificates::program::{Advance, Compute};

#[test]
fn d1_only_copies_move_forgotten_values() {
    // A copy is allowed; the copy is as unreadable.
    let mut program = empty();
    let x = integer(&mut program, "x", IntegerType::I32);
    let y = integer(&mut program, "y", IntegerType::I32);
    program.instructions = vec![
        assign(x, 1),
        Instruction::Assign { target: y, value: of(x) },
        branch(Relation::Equal, of(y), number(1), 3, 4),
        FAIL,
        Instruction::Halt,
    ];
    let answer = forged(&program, PARAMETERS, &[], |forge, _, configuration| {
        let configuration = forge.steps(configuration, 1);
        forge.forge_template(
            &configuration,
            |_, template| template.members[0].registers.clear(),
            |forge, configuration| {
                let _ = forge.steps(configuration, 1);
                forge.rules.push(Rule::Step { refuted: Vec::new() });
            },
        );
    });
    assert_eq!(answer, Rejection::Forgotten);
}

#[test]
fn d2_uninitialised_meets_only_itself() {
    // The scapegoat's x would be uninitialised in the template, so that its use fails.
    let (mut program, [_, length, x]) = with_array();
    program.instructions = vec![
        assign(x, 1),
        branch(Relation::Equal, of(length), number(0), 4, 2),
        branch(Relation::Equal, of(x), number(1), 3, 4),
        FAIL,
        Instruction::Halt,
    ];
    let answer = forged(&program, PARAMETERS, &elements(1), |forge, class, mut configuration| {
        if class == 0 {
            return forge.auto(configuration);
        }
        forge.add(&mut configuration, &FIRST, &[]);
        let mut configuration = forge.steps(configuration, 1);
        forge.follow(&mut configuration, 1, None);
        edited_template(move |_, template| {
            for (register, slot) in &mut template.members[1].registers {
                if *register == x {
                    *slot = Slot::Uninitialised;
                }
            }
        })(forge, &configuration);
    });
    assert_eq!(answer, Rejection::Slot);
}

#[test]
fn d3_a_quotient_is_a_term() {
    // u = nondet_uint(); if (u + 1 == 0) fail.
    let mut program = empty();
    let u = integer(&mut program, "u", IntegerType::U32);
    program.instructions = vec![
        Instruction::Havoc { target: u },
        Instruction::Compute(Compute { target: u, operation: Operation::Add, left: of(u), right: number(1) }),
        branch(Relation::Equal, of(u), number(0), 3, 4),
        FAIL,
        Instruction::Halt,
    ];
    let mut wraps = PARAMETERS;
    wraps.signed_overflow = SignedOverflow::Fails;
    let refused = forged_with_any_value(&program, PARAMETERS);
    assert_eq!(refused, Rejection::NotRefuted);
    assert_eq!(forged_with_any_value(&program, wraps), Rejection::NotRefuted);
    // Also through a multiplication, where the quotient is a term.
    program.instructions[1] = Instruction::Compute(Compute { target: u, operation: Operation::Multiply, left: of(u), right: number(3) });
    program.instructions[2] = branch(Relation::Equal, of(u), number(1), 3, 4);
    assert_eq!(forged_with_any_value(&program, PARAMETERS), Rejection::NotRefuted);
    let answer = self::refused(&program, PARAMETERS, 1, |forge, _, configuration| {
        let configuration = forge.steps(configuration, 1);
        let product = forge.integer(&configuration, 0, u);
        let product = forge.arena.combine(0, &[(product, 3)]).unwrap();
        let quotient = forge.arena.quotient(product, 1 << 32).unwrap();
        forge.rules.push(Rule::Let { term: quotient });
        let mut configuration = configuration;
        goatherd_checker::rules::name(&mut forge.arena, &mut configuration, quotient).unwrap();
        forge.auto(configuration);
    });
    assert_eq!(answer, Rejection::NotRefuted);
}

/// The failing value is one of very many, so the interpreter is given it.
fn forged_with_any_value(program: &Program, parameters: Parameters) -> Rejection {
    let failing = [i128::from(u32::MAX), 0xaaaa_aaab];
    let is_failing = failing.iter().any(|value| {
        let mut environment = interpreter::Replay::new(std::slice::from_ref(value));
        let run = interpreter::run(program, parameters, &[], &mut environment, 10, Tracing::Off).unwrap();
        matches!(run.outcome, Outcome::Failed { .. })
    });
    assert!(is_failing, "the program fails");
    refused(program, parameters, 1, auto)
}

#[test]
fn d4_division_is_total_and_fails_before() {
    // INT_MIN / -1 and x / 0 are failures, not values.
    let mut program = empty();
    let x = integer(&mut program, "x", IntegerType::I32);
    let y = integer(&mut program, "y", IntegerType::I32);
    program.inputs.extend([Input::Integer { register: x }, Input::Integer { register: y }]);
    for right in [number(0), number(-1), of(y)] {
        for operation in [Operation::Divide, Operation::Remainder] {
            program.instructions = vec![Instruction::Compute(Compute { target: x, operation, left: of(x), right }), Instruction::Halt];
            let inputs = [InputValue::Integer(i128::from(i32::MIN)), InputValue::Integer(-1)];
            assert_eq!(forged(&program, PARAMETERS, &inputs, auto), Rejection::NotRefuted);
        }
    }
}

#[test]
fn d8_parameters_are_read() {
    // Each parameter makes one of these programs fail.
    let mut program = empty();
    let x = integer(&mut program, "x", IntegerType::I32);
    program.inputs.push(Input::Integer { register: x });
    program.instructions =
        vec![Instruction::Compute(Compute { target: x, operation: Operation::Add, left: of(x), right: number(1) }), Instruction::Halt];
    let checked = Parameters { signed_overflow: SignedOverflow::Fails, ..PARAMETERS };
    assert_eq!(forged(&program, checked, &[InputValue::Integer(i128::from(i32::MAX))], auto), Rejection::NotRefuted);
    let (mut program, [a, length, _]) = with_array();
    program.instructions = vec![Instruction::Advance(Advance { target: a, base: a, index: of(length), scale: 8 }), Instruction::Halt];
    let inside = Parameters { pointer_formation: PointerFormation::InsideObject, ..PARAMETERS };
    assert_eq!(forged(&program, inside, &elements(1), auto), Rejection::NotRefuted);
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    for class in 0..3 {
        let root = forge.root(class).unwrap();
        forge.auto(root);
    }
    assert!(forge.check().is_ok());
}

#[test]
fn e1_cells_do_not_cover_what_is_below_them() {
    // Element -1 of an object that begins at -1 stands in the rest, not in a cell.
    let (mut program, [a, _, x]) = with_array();
    program.instructions = vec![
        Instruction::Advance(Advance { target: a, base: a, index: number(-1), scale: 4 }),
        Instruction::Load { target: x, address: a, offset: 0 },
        Instruction::Halt,
    ];
    assert_eq!(forged(&program, PARAMETERS, &elements(3), auto), Rejection::NotRefuted);
}

#[test]
fn e2_pointers_out_of_the_object_are_formed_but_not_used() {
    let (mut program, [a, length, x]) = with_array();
    program.instructions = vec![
        Instruction::Advance(Advance { target: a, base: a, index: of(length), scale: 4 }),
        Instruction::Load { target: x, address: a, offset: 0 },
        Instruction::Halt,
    ];
    assert_eq!(forged(&program, PARAMETERS, &elements(2), auto), Rejection::NotRefuted);
}

#[test]
fn f1_a_local_object_begins_where_the_scapegoat_says() {
    // Only a scapegoat whose local object begins at 5 would fail at element 0.
    let (mut program, [_, length, x]) = with_array();
    let p = pointer(&mut program, "p");
    let element = layout(&mut program, &[Type::Integer(IntegerType::I32)]);
    let local = object(&mut program, element, Origin::Local { count: 3 });
    program.instructions = vec![
        branch(Relation::Equal, of(length), number(0), 1, 5),
        Instruction::Enter { object: local },
        Instruction::Address { target: p, object: local },
        Instruction::Load { target: x, address: p, offset: 0 },
        Instruction::Halt,
        branch(Relation::Equal, of(length), number(1), 6, 7),
        FAIL,
        Instruction::Halt,
    ];
    let answer = forged(&program, PARAMETERS, &elements(1), |forge, class, mut configuration| {
        if class != 1 {
            return forge.auto(configuration);
        }
        forge.add(&mut configuration, &FIRST, &[]);
        forge.follow(&mut configuration, 1, None);
        let (five, zero) = (forge.constant(5), forge.constant(0));
        let rest = forge.arena.constant_array(zero).unwrap();
        forge.decide(&mut configuration, 1, 0, Some(Choice::Allocation { lower: five, fields: vec![(vec![zero], Some(rest))] }));
        forge.follow(&mut configuration, 1, None);
        // Were it said to be at 0, below the object, the load would fail.
        forge.decide(&mut configuration, 1, 0, None);
        forge.rules.push(Rule::Descent { member: MemberId(1) });
    });
    assert_eq!(answer, Rejection::NotFailed);
}

#[test]
fn f2_a_conversion_to_bool_is_no_wide_one() {
    // unsigned char c = x; c <= 1 fails for x = 2, though `_Bool` is stored in as many bits.
    let mut program = empty();
    let x = integer(&mut program, "x", IntegerType::I32);
    program.inputs.push(Input::Integer { register: x });
    let c = integer(&mut program, "c", IntegerType::U8);
    program.instructions = vec![
        Instruction::Assign { target: c, value: of(x) },
        branch(Relation::LessOrEqual, of(c), number(1), 3, 2),
        FAIL,
        Instruction::Halt,
    ];
    let answer = forged(&program, PARAMETERS, &[InputValue::Integer(2)], |forge, _, configuration| {
        let argument = forge.integer(&configuration, 0, x);
        let zero = forge.constant(0);
        let bit = forge.arena.apply(Operation::Add, IntegerType::Bool, argument, zero).unwrap();
        let configuration = forge.steps(configuration, 1);
        let byte = forge.integer(&configuration, 0, c);
        let atom = |forge: &Forge<'_>, term| forge.arena.linear(term).unwrap().summands[0].0;
        let deductions = vec![
            Deduction::Convert { atom: atom(forge, byte), value: bit, facts: (FactId(0), FactId(0)) },
            Deduction::Axiom(atom(forge, bit)),
            // More than one, equal to the bit, and the bit is at most one.
            Deduction::Combine(vec![(FactId(0), 1), (FactId(1), 1), (FactId(3), 1)]),
        ];
        forge.rules.push(Rule::Step { refuted: vec![(OutcomeId(1), Refutation { deductions })] });
        forge.rules.push(Rule::End);
    });
    assert_eq!(answer, Rejection::Deduction);
}

#[test]
fn f4_a_bit_that_is_the_sign_makes_a_value_less() {
    // (x | y) >= x fails for x = 0 and y = -1, though no bit of x is lost.
    let mut program = empty();
    let [x, y, both] = ["x", "y", "both"].map(|name| integer(&mut program, name, IntegerType::I8));
    program.inputs = vec![Input::Integer { register: x }, Input::Integer { register: y }];
    program.instructions = vec![
        Instruction::Compute(Compute { target: both, operation: Operation::Or, left: of(x), right: of(y) }),
        branch(Relation::Less, of(both), of(x), 2, 3),
        FAIL,
        Instruction::Halt,
    ];
    let answer = forged(&program, PARAMETERS, &[InputValue::Integer(0), InputValue::Integer(-1)], |forge, _, configuration| {
        let configuration = forge.steps(configuration, 1);
        let both = forge.integer(&configuration, 0, both);
        let atom = forge.arena.linear(both).unwrap().summands[0].0;
        // Nothing says that x and y are not negative; the only fact is that x | y is less.
        let deductions =
            vec![Deduction::Bits { atom, facts: (FactId(0), FactId(0)) }, Deduction::Combine(vec![(FactId(0), 1), (FactId(3), 1)])];
        forge.rules.push(Rule::Step { refuted: vec![(OutcomeId(0), Refutation { deductions })] });
        forge.rules.push(Rule::End);
    });
    assert_eq!(answer, Rejection::Deduction);
}

#[test]
fn f3_an_element_is_left_out_twice() {
    // Only an array of one element fails, and one of -1 would.
    let (mut program, [_, length, _]) = with_array();
    program.instructions = vec![
        branch(Relation::Equal, of(length), number(0), 3, 1),
        branch(Relation::Less, of(length), number(2), 2, 3),
        FAIL,
        Instruction::Halt,
    ];
    let (first, second, last) = (DroppedElement::First(0), DroppedElement::First(1), DroppedElement::Last);
    for (elements_left_out, expected) in [
        ([first, first], Rejection::Drop),
        ([first, second], Rejection::NotRefuted),
        ([first, last], Rejection::NotRefuted),
        ([last, first], Rejection::NotRefuted),
        ([last, last], Rejection::NotRefuted),
    ] {
        let answer = forged(&program, PARAMETERS, &elements(1), |forge, class, configuration| {
            if class != 1 {
                return forge.auto(configuration);
            }
            let drops = elements_left_out.map(|element| InputDrop { input: 0, element }).to_vec();
            let member = MemberId(1);
            let decided = |outcome| Rule::StepDecided { member, outcome: OutcomeId(outcome), choice: None, hints: Vec::new() };
            forge.rules.extend([
                Rule::AddScapegoat { drops, integers: Vec::new(), hints: vec![Refutation::default()] },
                decided(1),
                decided(0),
                Rule::Descent { member },
            ]);
        });
        assert_eq!(answer, expected, "{elements_left_out:?}");
    }
}

#[test]
fn a_store_to_a_constant_fails() {
    let mut program = empty();
    let p = pointer(&mut program, "p");
    let x = integer(&mut program, "x", IntegerType::I8);
    program.tables.push(Table { kind: IntegerType::I8, values: vec![104, 105, 0] });
    let element = layout(&mut program, &[Type::Integer(IntegerType::I8)]);
    let text =
        object(&mut program, element, Origin::Static { count: 3, contents: vec![Contents::Table(TableId(0))], access: Access::ReadOnly });
    program.instructions = vec![
        assign(x, 0),
        Instruction::Address { target: p, object: text },
        Instruction::Store { address: p, offset: 0, source: x },
        Instruction::Halt,
    ];
    assert_eq!(forged(&program, PARAMETERS, &[], auto), Rejection::NotRefuted);
}

#[test]
fn evidence_of_the_other_claim() {
    let mut program = empty();
    program.instructions = vec![Instruction::Halt];
    let run = GroundRun { inputs: Vec::new(), choices: Vec::new(), steps: 1 };
    let mut certificate = certificate_of_run(&program, PARAMETERS, run.clone());
    assert_eq!(rejection(&check(&certificate)), Some(Rejection::Run));
    certificate.statement.claim = goatherd_certificates::certificate::Claim::Safe;
    assert_eq!(rejection(&check(&certificate)), Some(Rejection::Claim));
    certificate.evidence = Evidence::Run(run);
    assert_eq!(rejection(&check(&certificate)), Some(Rejection::Claim));
}
