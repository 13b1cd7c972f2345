//! The traps of the calculus.

use super::*;
use goatherd_certificates::program::Compute;

#[test]
fn trap_1_a_forgotten_value_does_not_fail() {
    let (mut program, [_, length, x]) = with_array();
    program.instructions = vec![
        assign(x, 1),
        branch(Relation::Equal, of(x), number(0), 3, 2),
        branch(Relation::Less, of(length), number(2), 4, 3),
        FAIL,
        Instruction::Halt,
    ];
    let answer = forged(&program, PARAMETERS, &elements(2), |forge, class, mut configuration| {
        if class < 2 {
            return forge.auto(configuration);
        }
        forge.add(&mut configuration, &FIRST, &[]);
        let mut configuration = forge.steps(configuration, 1);
        forge.follow(&mut configuration, 1, None);
        // The scapegoat would fail where x is 0, were it not forgotten.
        forge.forge_template(
            &configuration,
            |_, template| template.members[1].registers.retain(|(register, _)| *register != x),
            |forge, _| {
                let hints = Vec::new();
                forge.rules.push(Rule::StepDecided { member: MemberId(1), outcome: OutcomeId(0), choice: None, hints });
                forge.rules.push(Rule::Descent { member: MemberId(1) });
            },
        );
    });
    assert_eq!(answer, Rejection::Forgotten);
    // Read at once: a branch, an address, an operation, a check.
    for (position, instruction) in [
        branch(Relation::Equal, of(x), number(0), 2, 2),
        Instruction::Compute(Compute { target: x, operation: Operation::Add, left: of(x), right: number(1) }),
        Instruction::Assign { target: length, value: of(x) },
    ]
    .into_iter()
    .enumerate()
    {
        program.instructions = vec![assign(x, 1), instruction, FAIL];
        let answer = forged(&program, PARAMETERS, &elements(0), |forge, _, configuration| {
            let configuration = forge.steps(configuration, 1);
            forge.forge_template(
                &configuration,
                |_, template| template.members[0].registers.retain(|(register, _)| *register != x),
                |forge, _| forge.rules.push(Rule::Step { refuted: Vec::new() }),
            );
        });
        assert_eq!(answer, Rejection::Forgotten, "{position}");
    }
}

#[test]
fn trap_2_a_cycle_without_progress() {
    let mut program = empty();
    let x = integer(&mut program, "x", IntegerType::I32);
    program.instructions = vec![assign(x, 0), FAIL];
    let answer = forged(&program, PARAMETERS, &[], |forge, _, configuration| {
        let configuration = forge.steps(configuration, 1);
        forge.forge_template(
            &configuration,
            |_, _| {},
            |forge, _| {
                let template = TemplateId(0);
                forge.rules.push(Rule::Subsume {
                    template,
                    matching: goatherd_certificates::derivation::Matching::default(),
                    hints: Vec::new(),
                });
            },
        );
    });
    assert_eq!(answer, Rejection::Progress);
}

#[test]
fn trap_3_a_scapegoat_walks_through_ignore() {
    let (mut program, [_, length, _]) = with_array();
    program.instructions = vec![branch(Relation::Less, of(length), number(3), 1, 2), Instruction::Ignore, FAIL];
    let walk = |forge: &mut Forge<'_>, class: u64, mut configuration: Configuration| {
        if class < 2 {
            return forge.auto(configuration);
        }
        let two = forge.constant(2);
        let length = forge.integer(&configuration, 0, length);
        let short = forge.arena.at_most(length, two).unwrap();
        let [short, long] = forge.split(configuration.clone(), short);
        forge.auto(short);
        configuration = long;
        forge.add(&mut configuration, &FIRST, &[]);
        let three = forge.constant(3);
        let just = forge.arena.at_most(length, three).unwrap();
        let [mut just, mut more] = forge.split(configuration, just);
        forge.follow(&mut just, 1, None);
        forge.rules.push(Rule::StepDecided { member: MemberId(1), outcome: OutcomeId(0), choice: None, hints: Vec::new() });
        forge.rules.push(Rule::Descent { member: MemberId(1) });
        forge.follow(&mut more, 1, None);
        forge.rules.push(Rule::Descent { member: MemberId(1) });
    };
    assert_eq!(forged(&program, PARAMETERS, &elements(3), walk), Rejection::AtEnd);
}

#[test]
fn trap_4_a_scapegoat_on_the_same_input() {
    let (mut program, _) = with_array();
    program.instructions = vec![FAIL];
    let answer = forged(&program, PARAMETERS, &elements(0), |forge, _, _| {
        forge.rules.push(Rule::AddScapegoat { drops: Vec::new(), integers: Vec::new(), hints: Vec::new() });
        forge.rules.push(Rule::Descent { member: MemberId(1) });
    });
    assert_eq!(answer, Rejection::NotSmaller);
}

#[test]
fn trap_4_a_scapegoat_on_an_input_of_negative_length() {
    let (mut program, [_, length, _]) = with_array();
    program.instructions = vec![branch(Relation::LessOrEqual, of(length), number(0), 1, 2), FAIL, Instruction::Halt];
    for element in [DroppedElement::First(0), DroppedElement::Last] {
        let answer = forged(&program, PARAMETERS, &elements(0), |forge, class, configuration| {
            if class > 0 {
                return forge.auto(configuration);
            }
            let hints = vec![Refutation::default()];
            forge.rules.push(Rule::AddScapegoat { drops: vec![InputDrop { input: 0, element }], integers: Vec::new(), hints });
            forge.rules.push(Rule::Descent { member: MemberId(1) });
        });
        assert_eq!(answer, Rejection::NotRefuted);
    }
}

#[test]
fn trap_4_the_same_input_dropped_twice() {
    let (mut program, _) = with_array();
    program.instructions = vec![FAIL];
    let twice = [(0, DroppedElement::First(0)), (0, DroppedElement::Last)];
    let answer = forged(&program, PARAMETERS, &elements(0), |forge, class, configuration| {
        if class != 1 {
            return forge.auto(configuration);
        }
        let drops = twice.map(|(input, element)| InputDrop { input, element }).to_vec();
        forge.rules.push(Rule::AddScapegoat { drops, integers: Vec::new(), hints: Vec::new() });
        forge.rules.push(Rule::Descent { member: MemberId(1) });
    });
    // The class without elements stands first, and there FAIL is reached.
    assert_eq!(answer, Rejection::NotRefuted);
}

#[test]
fn trap_5_a_substitution_maps_nothing_by_default() {
    let mut program = empty();
    let x = integer(&mut program, "x", IntegerType::I32);
    program.inputs.push(Input::Integer { register: x });
    let y = integer(&mut program, "y", IntegerType::I32);
    program.instructions = vec![assign(y, 0), branch(Relation::Equal, of(x), number(1), 2, 3), FAIL, Instruction::Halt];
    let answer = forged(&program, PARAMETERS, &[InputValue::Integer(1)], |forge, _, configuration| {
        let configuration = forge.steps(configuration, 1);
        forge.forge_template(&configuration, |_, _| {}, |forge, configuration| forge.infeasible(&configuration));
        if let Some(Rule::Subsume { matching, .. }) = forge.rules.last_mut() {
            matching.integers.clear();
        }
    });
    assert_eq!(answer, Rejection::Substitution);
}

#[test]
fn trap_6_and_d7_an_object_made_twice() {
    // int *p = 0; for (;;) { int x; if (p) *p = 1; p = &x; }
    let mut program = empty();
    let p = pointer(&mut program, "p");
    let one = integer(&mut program, "one", IntegerType::I32);
    let element = layout(&mut program, &[Type::Integer(IntegerType::I32)]);
    let x = object(&mut program, element, Origin::Local { count: 1 });
    program.instructions = vec![
        assign(one, 1),
        Instruction::Null { target: p },
        Instruction::Enter { object: x },
        equal_pointers(p, PointerOperand::Null, 5, 4),
        Instruction::Store { address: p, offset: 0, source: one },
        Instruction::Address { target: p, object: x },
        Instruction::Leave { object: x },
        Instruction::Jump { target: Location(2) },
    ];
    // The second object is another one: the store to the first fails.
    let answer = forged(&program, PARAMETERS, &[], |forge, _, configuration| {
        let configuration = forge.steps(configuration, 9);
        assert_eq!(configuration.members[0].place, goatherd_checker::Place::Failed);
        assert_eq!(configuration.members[0].objects.iter().flatten().count(), 2);
        forge.rules.push(Rule::End);
    });
    assert_eq!(answer, Rejection::NotEnded);
    // A template that has forgotten the object cannot be reached.
    let answer = forged(&program, PARAMETERS, &[], |forge, _, configuration| {
        let configuration = forge.steps(configuration, 7);
        forge.forge_template(
            &configuration,
            |_, template| template.members[0].objects.clear(),
            |forge, _| forge.rules.push(Rule::Step { refuted: Vec::new() }),
        );
    });
    assert_eq!(answer, Rejection::Slot);
}

#[test]
fn trap_6_an_allocation_site_in_a_loop() {
    let (mut program, p, object, allocate) = with_malloc();
    program.instructions = vec![allocate, Instruction::Free { pointer: p }, Instruction::Jump { target: Location(0) }];
    let answer = refused(&program, PARAMETERS, 1, |forge, _, configuration| {
        let configuration = forge.steps(configuration, 4);
        let [old, new] = &configuration.members[0].objects[..] else { panic!("two objects") };
        let lives = [old, new].map(|state| state.as_ref().map(|state| (state.declaration, state.life)));
        assert_eq!(lives, [Some((object, Life::Dead)), Some((object, Life::Live))]);
        forge.rules.push(Rule::End);
    });
    assert_eq!(answer, Rejection::NotEnded);
}

#[test]
fn trap_7_and_b5_a_scapegoat_added_after_widening() {
    let (mut program, [_, length, x]) = with_array();
    program.instructions = vec![assign(x, 0), branch(Relation::LessOrEqual, of(length), number(0), 2, 3), Instruction::Halt, FAIL];
    let answer = forged(&program, PARAMETERS, &elements(1), |forge, class, configuration| {
        if class == 0 {
            return forge.auto(configuration);
        }
        let configuration = forge.steps(configuration, 1);
        forge.forge_template(
            &configuration,
            |_, _| {},
            |forge, _| {
                let drops = vec![InputDrop { input: 0, element: DroppedElement::First(0) }];
                forge.rules.push(Rule::AddScapegoat { drops, integers: Vec::new(), hints: Vec::new() });
                forge.rules.push(Rule::Descent { member: MemberId(1) });
            },
        );
    });
    assert_eq!(answer, Rejection::EntryTerms);
}

/// The scapegoat's run fails only with a value that its type does not have.
#[test]
fn trap_10_a_choice_out_of_range() {
    let (mut program, [_, length, x]) = with_array();
    program.instructions = vec![
        branch(Relation::Equal, of(length), number(0), 1, 4),
        Instruction::Havoc { target: x },
        branch(Relation::Less, number(i128::from(i32::MAX)), of(x), 3, 5),
        FAIL,
        FAIL,
        Instruction::Halt,
    ];
    let answer = forged(&program, PARAMETERS, &elements(1), |forge, class, mut configuration| {
        if class == 0 {
            return forge.auto(configuration);
        }
        forge.add(&mut configuration, &FIRST, &[]);
        let decided = |outcome, choice, hints| Rule::StepDecided { member: MemberId(1), outcome: OutcomeId(outcome), choice, hints };
        if class == 1 {
            forge.follow(&mut configuration, 1, None);
        }
        let large = forge.constant(i128::from(i32::MAX) + 1);
        forge.rules.push(decided(0, Some(Choice::Value(large)), vec![Refutation::default()]));
        forge.rules.push(decided(0, None, Vec::new()));
        forge.rules.push(Rule::Descent { member: MemberId(1) });
    });
    assert_eq!(answer, Rejection::NotRefuted);
}

#[test]
fn trap_10_contents_out_of_range() {
    let (mut program, [_, length, x]) = with_array();
    let p = pointer(&mut program, "p");
    let element = layout(&mut program, &[Type::Integer(IntegerType::I32)]);
    let local = object(&mut program, element, Origin::Local { count: 1 });
    program.instructions = vec![
        branch(Relation::Equal, of(length), number(0), 1, 5),
        Instruction::Enter { object: local },
        Instruction::Address { target: p, object: local },
        Instruction::Load { target: x, address: p, offset: 0 },
        branch(Relation::Less, number(i128::from(i32::MAX)), of(x), 5, 6),
        FAIL,
        Instruction::Halt,
    ];
    let answer = forged(&program, PARAMETERS, &elements(1), |forge, class, mut configuration| {
        if class == 0 {
            return forge.auto(configuration);
        }
        forge.add(&mut configuration, &FIRST, &[]);
        if class == 1 {
            forge.follow(&mut configuration, 1, None);
        }
        let (lower, large) = (forge.constant(0), forge.constant(i128::from(i32::MAX) + 1));
        let choice = Some(Choice::Allocation { lower, fields: vec![(vec![large], None)] });
        let hints = vec![Refutation::default()];
        forge.rules.push(Rule::StepDecided { member: MemberId(1), outcome: OutcomeId(0), choice, hints });
        forge.rules.push(Rule::Descent { member: MemberId(1) });
    });
    assert_eq!(answer, Rejection::NotRefuted);
}
