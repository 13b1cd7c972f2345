//! Forged certificates. Each test has a program that fails (the interpreter shows it) and a proof that one missing condition would let
//! through; the checker names that condition. Names are those of `spec/calculus.md#attacks`.
// What builds a forgery stands where it is used; programs and parameters are passed alike.
#![allow(clippy::items_after_statements, clippy::trivially_copy_pass_by_ref)]

use goatherd_certificates::{
    certificate::{Allocation, Evidence, GroundRun, Parameters, PointerFormation, SignedOverflow},
    configuration::{Life, Slot, Template},
    derivation::{Choice, Deduction, DroppedElement, FactId, InputDrop, MemberId, OutcomeId, Refutation, Rule, TemplateId},
    program::{
        Access, Condition, Contents, Fresh, Input, Instruction, IntegerType, Location, ObjectId, Operand, Operation, Origin,
        PointerOperand, Program, RegisterId, Relation, Table, TableId, Type,
    },
    term::{Literal, Sign, Variable},
};
use goatherd_checker::{
    configuration::Configuration,
    rejection::{Rejection, Unsupported},
};
use goatherd_interpreter::{self as interpreter, InputValue, Outcome, Random, Tracing};
use goatherd_tests::{
    forge::{Forge, PARAMETERS, certificate_of_run, check, rejection},
    programs::{FAIL, array, assign, branch, empty, integer, layout, object, pointer},
};

const MAY_FAIL: Parameters = Parameters { allocation: Allocation::MayFail, ..PARAMETERS };
const FIRST: [(u32, DroppedElement); 1] = [(0, DroppedElement::First(0))];

/// Does some run of the program on the input fail?
fn fails(program: &Program, parameters: Parameters, inputs: &[InputValue]) -> bool {
    (0..200).any(|seed| {
        let run = interpreter::run(program, parameters, inputs, &mut Random::new(seed), 1000, Tracing::Off).unwrap();
        matches!(run.outcome, Outcome::Failed { .. })
    })
}

/// The program fails on the input, and yet this is what the checker says of the forged proof.
fn forged(
    program: &Program,
    parameters: &Parameters,
    inputs: &[InputValue],
    derivation: impl FnMut(&mut Forge<'_>, u64, Configuration),
) -> Rejection {
    assert!(fails(program, *parameters, inputs), "the program fails");
    refused(program, parameters, 1, derivation)
}

fn refused(
    program: &Program,
    parameters: &Parameters,
    k: u32,
    mut derivation: impl FnMut(&mut Forge<'_>, u64, Configuration),
) -> Rejection {
    let mut forge = Forge::new(program, parameters, k);
    let mut class = 0;
    while let Some(configuration) = forge.root(class) {
        derivation(&mut forge, class, configuration);
        class += 1;
    }
    rejection(&forge.check()).expect("the forged proof is rejected")
}

/// Claims that whatever fails is impossible.
fn auto(forge: &mut Forge<'_>, _: u64, configuration: Configuration) {
    forge.auto(configuration);
}

fn of(register: RegisterId) -> Operand {
    Operand::Register(register)
}

const fn number(value: i128) -> Operand {
    Operand::Constant(value)
}

fn equal_pointers(left: RegisterId, right: PointerOperand, then: u32, otherwise: u32) -> Instruction {
    let condition = Condition::Pointers { relation: Relation::Equal, left: PointerOperand::Register(left), right };
    Instruction::Branch { condition, then: Location(then), otherwise: Location(otherwise) }
}

/// An `int` array whose length is of type U8, with one integer register.
fn with_array() -> (Program, [RegisterId; 3]) {
    let mut program = empty();
    let (pointer, length, _) = array(&mut program, "a", IntegerType::I32, IntegerType::U8);
    let x = integer(&mut program, "x", IntegerType::I32);
    (program, [pointer, length, x])
}

fn elements(count: usize) -> Vec<InputValue> {
    vec![InputValue::Array(vec![vec![0]; count])]
}

/// `p = malloc(4)`, where the object holds one `int`.
fn with_malloc() -> (Program, RegisterId, ObjectId, Instruction) {
    let mut program = empty();
    let target = pointer(&mut program, "p");
    let element = layout(&mut program, &[Type::Integer(IntegerType::I32)]);
    let object = object(&mut program, element, Origin::Heap);
    let allocate = Instruction::Allocate { target, object, bytes: number(4), fresh: Fresh::Arbitrary };
    (program, target, object, allocate)
}

fn edited_template(edit: impl Fn(&mut Forge<'_>, &mut Template)) -> impl Fn(&mut Forge<'_>, &Configuration) {
    move |forge, configuration| {
        forge.forge_template(configuration, |forge, template| edit(forge, template), Forge::auto);
    }
}

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
    let answer = forged(&program, &PARAMETERS, &elements(2), |forge, class, mut configuration| {
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
        Instruction::Compute { target: x, operation: Operation::Add, left: of(x), right: number(1) },
        Instruction::Assign { target: length, value: of(x) },
    ]
    .into_iter()
    .enumerate()
    {
        program.instructions = vec![assign(x, 1), instruction, FAIL];
        let answer = forged(&program, &PARAMETERS, &elements(0), |forge, _, configuration| {
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
    let answer = forged(&program, &PARAMETERS, &[], |forge, _, configuration| {
        let configuration = forge.steps(configuration, 1);
        forge.forge_template(
            &configuration,
            |_, _| {},
            |forge, _| {
                let template = TemplateId(0);
                forge.rules.push(Rule::Subsume { template, integers: Vec::new(), arrays: Vec::new(), hints: Vec::new() });
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
    assert_eq!(forged(&program, &PARAMETERS, &elements(3), walk), Rejection::AtEnd);
}

#[test]
fn trap_4_a_scapegoat_on_the_same_input() {
    let (mut program, _) = with_array();
    program.instructions = vec![FAIL];
    let answer = forged(&program, &PARAMETERS, &elements(0), |forge, _, _| {
        forge.rules.push(Rule::AddScapegoat { drops: Vec::new(), integers: Vec::new(), hints: Vec::new() });
        forge.rules.push(Rule::Descent { member: MemberId(1) });
    });
    assert_eq!(answer, Rejection::NothingDropped);
}

#[test]
fn trap_4_a_scapegoat_on_an_input_of_negative_length() {
    let (mut program, [_, length, _]) = with_array();
    program.instructions = vec![branch(Relation::LessOrEqual, of(length), number(0), 1, 2), FAIL, Instruction::Halt];
    for element in [DroppedElement::First(0), DroppedElement::Last] {
        let answer = forged(&program, &PARAMETERS, &elements(0), |forge, class, configuration| {
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
    let answer = forged(&program, &PARAMETERS, &elements(0), |forge, class, configuration| {
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
    let answer = forged(&program, &PARAMETERS, &[InputValue::Integer(1)], |forge, _, configuration| {
        let configuration = forge.steps(configuration, 1);
        forge.forge_template(&configuration, |_, _| {}, |forge, configuration| forge.infeasible(&configuration));
        if let Some(Rule::Subsume { integers, .. }) = forge.rules.last_mut() {
            integers.clear();
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
    let answer = forged(&program, &PARAMETERS, &[], |forge, _, configuration| {
        let configuration = forge.steps(configuration, 7);
        let _ = configuration;
        forge.rules.push(Rule::Step { refuted: Vec::new() });
    });
    assert_eq!(answer, Rejection::Unsupported(Unsupported::Reallocation));
    // A template that has forgotten the object cannot be reached.
    let answer = forged(&program, &PARAMETERS, &[], |forge, _, configuration| {
        let configuration = forge.steps(configuration, 7);
        forge.forge_template(
            &configuration,
            |_, template| template.members[0].objects.clear(),
            |forge, _| forge.rules.push(Rule::Step { refuted: Vec::new() }),
        );
    });
    assert_eq!(answer, Rejection::Shape);
}

#[test]
fn trap_6_an_allocation_site_in_a_loop() {
    let (mut program, p, object, allocate) = with_malloc();
    program.instructions = vec![allocate, Instruction::Free { pointer: p }, Instruction::Jump { target: Location(0) }];
    let answer = refused(&program, &PARAMETERS, 1, |forge, _, configuration| {
        let configuration = forge.steps(configuration, 3);
        assert!(configuration.members[0].object(object).is_some());
        forge.rules.push(Rule::Step { refuted: Vec::new() });
    });
    assert_eq!(answer, Rejection::Unsupported(Unsupported::Reallocation));
}

#[test]
fn trap_7_and_b5_a_scapegoat_added_after_widening() {
    let (mut program, [_, length, x]) = with_array();
    program.instructions = vec![assign(x, 0), branch(Relation::LessOrEqual, of(length), number(0), 2, 3), Instruction::Halt, FAIL];
    let answer = forged(&program, &PARAMETERS, &elements(1), |forge, class, configuration| {
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
    let answer = forged(&program, &PARAMETERS, &elements(1), |forge, class, mut configuration| {
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
    let answer = forged(&program, &PARAMETERS, &elements(1), |forge, class, mut configuration| {
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

#[test]
fn a1_pointer_arithmetic_by_part_of_an_element() {
    let (mut program, [a, length, _]) = with_array();
    let p = pointer(&mut program, "p");
    program.instructions = vec![Instruction::Advance { target: p, base: a, index: of(length), scale: 1 }, Instruction::Halt];
    let answer = refused(&program, &PARAMETERS, 1, |forge, class, configuration| match class {
        2 => forge.rules.push(Rule::Step { refuted: Vec::new() }),
        _ => forge.auto(configuration),
    });
    assert_eq!(answer, Rejection::Unsupported(Unsupported::Advance));
}

#[test]
fn a2_the_primary_chooses_its_outcome() {
    let (mut program, p, _, allocate) = with_malloc();
    program.instructions = vec![allocate, equal_pointers(p, PointerOperand::Null, 2, 3), FAIL, Instruction::Halt];
    let answer = forged(&program, &MAY_FAIL, &[], |forge, _, _| {
        forge.rules.push(Rule::StepDecided { member: MemberId(0), outcome: OutcomeId(0), choice: None, hints: Vec::new() });
    });
    assert_eq!(answer, Rejection::Primary);
    assert_eq!(forged(&program, &MAY_FAIL, &[], auto), Rejection::NotRefuted);
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
    let answer = forged(&program, &PARAMETERS, &elements(0), auto);
    assert_eq!(answer, Rejection::NotRefuted);
    let mut program = empty();
    program.instructions = vec![FAIL];
    assert_eq!(refused(&program, &PARAMETERS, 0, |forge, _, configuration| forge.infeasible(&configuration)), Rejection::Root);
}

#[test]
fn a5_split_on_a_future_variable() {
    let mut program = empty();
    let x = integer(&mut program, "x", IntegerType::I32);
    program.instructions = vec![Instruction::Havoc { target: x }, branch(Relation::Equal, of(x), number(1), 2, 3), FAIL, Instruction::Halt];
    let future = |forge: &mut Forge<'_>| forge.arena.variable(Variable { sort: Some(IntegerType::I32), number: 0 }).unwrap();
    let answer = forged(&program, &PARAMETERS, &[], |forge, _, configuration| {
        let term = future(forge);
        forge.rules.push(Rule::Split { literal: Literal { sign: Sign::Zero, term } });
        forge.auto(configuration.clone());
        forge.auto(configuration);
    });
    assert_eq!(answer, Rejection::Variable);
    let answer = forged(&program, &PARAMETERS, &[], |forge, _, _| {
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
    let answer = forged(&program, &PARAMETERS, &inputs, |forge, _, configuration| {
        let configuration = forge.steps(configuration, 1);
        forge.forge_template(&configuration, |_, _| {}, |forge, configuration| forge.infeasible(&configuration));
        let term = future(forge);
        if let Some(Rule::Subsume { integers, .. }) = forge.rules.last_mut() {
            integers[0] = term;
        }
    });
    assert_eq!(answer, Rejection::Variable);
    let answer = forged(&program, &PARAMETERS, &inputs, |forge, class, mut configuration| {
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
    assert_eq!(forged(&program, &PARAMETERS, &[InputValue::Integer(-1)], auto), Rejection::NotRefuted);
}

#[test]
fn a7_lengths_have_their_own_type() {
    // An unsigned char length above SCHAR_MAX is a valid input.
    let (mut program, [_, length, _]) = with_array();
    program.instructions = vec![branch(Relation::Less, number(127), of(length), 1, 2), FAIL, Instruction::Halt];
    assert_eq!(forged(&program, &PARAMETERS, &elements(128), auto), Rejection::NotRefuted);
}

#[test]
fn a8_uninitialised_is_not_null() {
    let mut program = empty();
    let p = pointer(&mut program, "p");
    let q = pointer(&mut program, "q");
    let element = layout(&mut program, &[Type::Pointer]);
    let object = object(&mut program, element, Origin::Heap);
    program.instructions = vec![
        Instruction::Allocate { target: p, object, bytes: number(8), fresh: Fresh::Arbitrary },
        Instruction::Load { target: q, address: p, offset: 0 },
        equal_pointers(q, PointerOperand::Null, 3, 3),
        Instruction::Halt,
    ];
    assert_eq!(forged(&program, &PARAMETERS, &[], auto), Rejection::NotRefuted);
    // A template does not make it NULL, and NULL is no uninitialised value.
    let answer = forged(&program, &PARAMETERS, &[], |forge, _, configuration| {
        let configuration = forge.steps(configuration, 2);
        edited_template(move |_, template| template.members[0].registers[1].1 = Slot::Null)(forge, &configuration);
    });
    assert_eq!(answer, Rejection::Slot);
}

#[test]
fn b1_a_freed_pointer_is_compared() {
    let (mut program, p, _, allocate) = with_malloc();
    program.instructions =
        vec![allocate, Instruction::Free { pointer: p }, equal_pointers(p, PointerOperand::Null, 3, 3), Instruction::Halt];
    assert_eq!(forged(&program, &PARAMETERS, &[], auto), Rejection::NotRefuted);
}

#[test]
fn b1_a_template_revives_an_object() {
    let (mut program, p, _, allocate) = with_malloc();
    let x = integer(&mut program, "x", IntegerType::I32);
    program.instructions =
        vec![allocate, Instruction::Free { pointer: p }, Instruction::Load { target: x, address: p, offset: 0 }, Instruction::Halt];
    let answer = forged(&program, &PARAMETERS, &[], |forge, _, configuration| {
        let configuration = forge.steps(configuration, 2);
        edited_template(|_, template| template.members[0].objects[0].life = Life::Live)(forge, &configuration);
    });
    assert_eq!(answer, Rejection::Shape);
}

#[test]
fn b1_one_past_the_end_may_be_the_next_object() {
    let mut program = empty();
    let (a, length, _) = array(&mut program, "a", IntegerType::I32, IntegerType::U8);
    let (b, ..) = array(&mut program, "b", IntegerType::I32, IntegerType::U8);
    let end = pointer(&mut program, "end");
    program.instructions = vec![
        Instruction::Advance { target: end, base: a, index: of(length), scale: 4 },
        equal_pointers(end, PointerOperand::Register(b), 2, 3),
        FAIL,
        Instruction::Halt,
    ];
    let inputs = [elements(1), elements(1)].concat();
    assert_eq!(forged(&program, &PARAMETERS, &inputs, auto), Rejection::NotRefuted);
}

#[test]
fn b1_null_and_arithmetic() {
    let mut program = empty();
    let p = pointer(&mut program, "p");
    for (index, null) in [(1, false), (0, true)] {
        program.instructions = vec![
            Instruction::Null { target: p },
            Instruction::Advance { target: p, base: p, index: number(index), scale: 4 },
            equal_pointers(p, PointerOperand::Null, 3, 4),
            if null { FAIL } else { Instruction::Halt },
            Instruction::Halt,
        ];
        assert_eq!(forged(&program, &PARAMETERS, &[], auto), Rejection::NotRefuted);
    }
}

#[test]
fn b1_frees_that_fail() {
    let (mut program, p, _, allocate) = with_malloc();
    let local = object(&mut program, goatherd_certificates::program::LayoutId(0), Origin::Local { count: 1 });
    let free = Instruction::Free { pointer: p };
    let moved = Instruction::Advance { target: p, base: p, index: number(1), scale: 4 };
    for instructions in [
        vec![allocate.clone(), free.clone(), free.clone(), Instruction::Halt],
        vec![allocate, moved, free.clone(), Instruction::Halt],
        vec![Instruction::Enter { object: local }, Instruction::Address { target: p, object: local }, free.clone(), Instruction::Halt],
        vec![free, Instruction::Halt],
    ] {
        program.instructions = instructions;
        // No two instructions allocate one object.
        if program.instructions.len() > 2 {
            assert_eq!(forged(&program, &PARAMETERS, &[], auto), Rejection::NotRefuted);
        }
    }
}

#[test]
fn b4_an_object_renamed_by_a_template() {
    let mut program = empty();
    let (a, ..) = array(&mut program, "a", IntegerType::I32, IntegerType::U8);
    let (_, _, b) = array(&mut program, "b", IntegerType::I32, IntegerType::U8);
    let p = pointer(&mut program, "p");
    program.instructions =
        vec![Instruction::Copy { target: p, source: a }, equal_pointers(p, PointerOperand::Register(a), 2, 3), FAIL, Instruction::Halt];
    let inputs = [elements(1), elements(1)].concat();
    let answer = forged(&program, &PARAMETERS, &inputs, |forge, _, configuration| {
        let configuration = forge.steps(configuration, 1);
        edited_template(move |_, template| {
            for (register, slot) in &mut template.members[0].registers {
                if let (true, Slot::Pointer { object, .. }) = (*register == p, slot) {
                    *object = b;
                }
            }
        })(forge, &configuration);
    });
    assert_eq!(answer, Rejection::Slot);
}

#[test]
fn c4_a_run_rests_on_an_open_comparison() {
    let mut program = empty();
    let (a, length, _) = array(&mut program, "a", IntegerType::I32, IntegerType::U8);
    let (b, ..) = array(&mut program, "b", IntegerType::I32, IntegerType::U8);
    program.instructions = vec![
        Instruction::Advance { target: a, base: a, index: of(length), scale: 4 },
        equal_pointers(a, PointerOperand::Register(b), 2, 3),
        FAIL,
        Instruction::Halt,
    ];
    use goatherd_certificates::certificate::InputValue::Array;
    let one = || Array(vec![vec![0]]);
    for choices in [Vec::new(), vec![0], vec![1]] {
        let run = GroundRun { inputs: vec![one(), one()], choices, steps: 3 };
        assert_eq!(rejection(&check(&certificate_of_run(&program, PARAMETERS, run))), Some(Rejection::Ignorance));
    }
}

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
    let answer = forged(&program, &PARAMETERS, &[], |forge, _, configuration| {
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
    let answer = forged(&program, &PARAMETERS, &elements(1), |forge, class, mut configuration| {
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
        Instruction::Compute { target: u, operation: Operation::Add, left: of(u), right: number(1) },
        branch(Relation::Equal, of(u), number(0), 3, 4),
        FAIL,
        Instruction::Halt,
    ];
    let mut wraps = PARAMETERS;
    wraps.signed_overflow = SignedOverflow::Fails;
    let refused = forged_with_any_value(&program, &PARAMETERS);
    assert_eq!(refused, Rejection::NotRefuted);
    assert_eq!(forged_with_any_value(&program, &wraps), Rejection::NotRefuted);
    // Also through a multiplication, where the quotient is a term.
    program.instructions[1] = Instruction::Compute { target: u, operation: Operation::Multiply, left: of(u), right: number(3) };
    program.instructions[2] = branch(Relation::Equal, of(u), number(1), 3, 4);
    assert_eq!(forged_with_any_value(&program, &PARAMETERS), Rejection::NotRefuted);
    let answer = self::refused(&program, &PARAMETERS, 1, |forge, _, configuration| {
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
fn forged_with_any_value(program: &Program, parameters: &Parameters) -> Rejection {
    let failing = [i128::from(u32::MAX), 0xaaaa_aaab];
    let is_failing = failing.iter().any(|value| {
        let mut environment = interpreter::Replay::new(std::slice::from_ref(value));
        let run = interpreter::run(program, *parameters, &[], &mut environment, 10, Tracing::Off).unwrap();
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
            program.instructions = vec![Instruction::Compute { target: x, operation, left: of(x), right }, Instruction::Halt];
            let inputs = [InputValue::Integer(i128::from(i32::MIN)), InputValue::Integer(-1)];
            assert_eq!(forged(&program, &PARAMETERS, &inputs, auto), Rejection::NotRefuted);
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
        vec![Instruction::Compute { target: x, operation: Operation::Add, left: of(x), right: number(1) }, Instruction::Halt];
    let checked = Parameters { signed_overflow: SignedOverflow::Fails, ..PARAMETERS };
    assert_eq!(forged(&program, &checked, &[InputValue::Integer(i128::from(i32::MAX))], auto), Rejection::NotRefuted);
    let (mut program, [a, length, _]) = with_array();
    program.instructions = vec![Instruction::Advance { target: a, base: a, index: of(length), scale: 8 }, Instruction::Halt];
    let inside = Parameters { pointer_formation: PointerFormation::InsideObject, ..PARAMETERS };
    assert_eq!(forged(&program, &inside, &elements(1), auto), Rejection::NotRefuted);
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
        Instruction::Advance { target: a, base: a, index: number(-1), scale: 4 },
        Instruction::Load { target: x, address: a, offset: 0 },
        Instruction::Halt,
    ];
    assert_eq!(forged(&program, &PARAMETERS, &elements(3), auto), Rejection::NotRefuted);
}

#[test]
fn e2_pointers_out_of_the_object_are_formed_but_not_used() {
    let (mut program, [a, length, x]) = with_array();
    program.instructions = vec![
        Instruction::Advance { target: a, base: a, index: of(length), scale: 4 },
        Instruction::Load { target: x, address: a, offset: 0 },
        Instruction::Halt,
    ];
    assert_eq!(forged(&program, &PARAMETERS, &elements(2), auto), Rejection::NotRefuted);
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
    let answer = forged(&program, &PARAMETERS, &elements(1), |forge, class, mut configuration| {
        if class != 1 {
            return forge.auto(configuration);
        }
        forge.add(&mut configuration, &FIRST, &[]);
        forge.follow(&mut configuration, 1, None);
        let (five, zero) = (forge.constant(5), forge.constant(0));
        let rest = forge.arena.constant_array(zero).unwrap();
        forge.decide(&mut configuration, 1, 0, Some(Choice::Allocation { lower: five, fields: vec![(vec![zero], Some(rest))] }));
        forge.follow(&mut configuration, 1, None);
        // Out of bounds on the lower side.
        let all = goatherd_checker::step::outcomes(&mut forge.arena, forge.setting, &configuration.members[1]).unwrap();
        forge.decide(&mut configuration, 1, u32::try_from(all.len()).unwrap() - 2, None);
        let member = MemberId(1);
        forge.rules.push(Rule::Descent { member });
    });
    assert_eq!(answer, Rejection::NotRefuted);
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
    let answer = forged(&program, &PARAMETERS, &[InputValue::Integer(2)], |forge, _, configuration| {
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
    assert_eq!(forged(&program, &PARAMETERS, &[], auto), Rejection::NotRefuted);
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
