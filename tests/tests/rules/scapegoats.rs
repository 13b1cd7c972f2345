//! Rules of scapegoats, and the small ones.

use super::*;
use goatherd_certificates::program::Compute;

#[test]
fn members_at_an_end_take_no_step() {
    for end in [Instruction::Halt, Instruction::Ignore] {
        let step = Rule::Step { refuted: Vec::new() };
        assert_eq!(derived(std::slice::from_ref(&end), |_| {}, bare(step)), Some(Rejection::AtEnd));
        let decided = |forge: &mut Forge<'_>, mut configuration| {
            forge.add(&mut configuration, &FIRST, &[]);
            forge.rules.push(Rule::StepDecided { member: MemberId(1), outcome: OutcomeId(0), choice: None, hints: Vec::new() });
        };
        assert_eq!(derived(&[end], |_| {}, decided), Some(Rejection::AtEnd));
    }
}

#[test]
fn step_decided() {
    let decided = |change: fn(&mut MemberId, &mut OutcomeId, &mut Option<Choice>, &mut Vec<Refutation>) -> bool| {
        filling(|_, rule| match rule {
            Rule::StepDecided { member, outcome, choice, hints } => change(member, outcome, choice, hints),
            _ => false,
        })
    };
    assert_eq!(
        decided(|member, _, _, _| {
            member.0 = 0;
            true
        }),
        Some(Rejection::Primary)
    );
    assert_eq!(
        decided(|member, _, _, _| {
            member.0 = 2;
            true
        }),
        Some(Rejection::Missing)
    );
    assert_eq!(
        decided(|_, outcome, _, _| {
            outcome.0 = 99;
            true
        }),
        Some(Rejection::Missing)
    );
    assert_eq!(
        decided(|_, _, _, hints| {
            hints.push(Refutation::default());
            true
        }),
        Some(Rejection::Hints)
    );
    assert_eq!(decided(|_, _, _, hints| hints.pop().is_some()), Some(Rejection::Hints));
    assert_eq!(
        decided(|_, _, _, hints| hints.first_mut().is_some_and(|hint| {
            hint.deductions.clear();
            true
        })),
        Some(Rejection::NotRefuted)
    );
    // The other way of the branch.
    assert_eq!(
        decided(|_, outcome, _, hints| {
            outcome.0 = 1;
            hints.push(Refutation::default());
            true
        }),
        Some(Rejection::NotRefuted)
    );
    // No choice is offered.
    assert_eq!(
        filling(|forge, rule| match rule {
            Rule::StepDecided { choice, .. } => {
                *choice = Some(Choice::Value(forge.constant(0)));
                true
            }
            _ => false,
        }),
        Some(Rejection::Choice)
    );
}

#[test]
fn a_scapegoat_does_not_rely_on_ignorance() {
    let product = Instruction::Compute(Compute {
        target: X,
        operation: Operation::Multiply,
        left: Operand::Register(X),
        right: Operand::Register(X),
    });
    let mut parameters = PARAMETERS;
    parameters.signed_overflow = goatherd_certificates::certificate::SignedOverflow::Fails;
    let mut program = programs::empty();
    programs::array(&mut program, "a", IntegerType::I8, IntegerType::U8);
    let register = programs::integer(&mut program, "x", IntegerType::I8);
    program.inputs.push(goatherd_certificates::program::Input::Integer { register });
    program.instructions = vec![product, Instruction::Halt];
    let mut forge = Forge::new(&program, &parameters, 1);
    let mut configuration = forge.root(2).unwrap();
    // The first two classes fail at once; only the condition matters here, so it comes first.
    let mut first = forge.root(1).unwrap();
    forge.add(&mut first, &FIRST, &[]);
    let two = OutcomeId(0);
    let all = goatherd_checker::step::outcomes(&mut forge.arena, forge.setting, &first.members[1]).unwrap();
    assert!(all.iter().all(|outcome| outcome.tag == goatherd_checker::outcome::Tag::Ignorance));
    let mut oracle = refute::Hints::new([]);
    forge.add(&mut configuration, &FIRST, &[]);
    let mut change = configuration.change(&mut forge.arena, forge.setting, MemberId(1));
    let answer = change.step_decided(two, None, &mut oracle);
    assert_eq!(answer, Err(Rejection::Ignorance));
}

#[test]
fn choice_of_a_value() {
    let havoc = [Instruction::Havoc { target: X }, Instruction::Halt];
    let chosen = |choice: fn(&mut Forge<'_>) -> Choice| {
        derived(
            &havoc,
            |_| {},
            |forge, mut configuration| {
                forge.add(&mut configuration, &FIRST, &[]);
                let (choice, hints) = (Some(choice(forge)), vec![Refutation::default(); 2]);
                forge.rules.push(Rule::StepDecided { member: MemberId(1), outcome: OutcomeId(0), choice, hints });
            },
        )
    };
    assert_eq!(chosen(|forge| Choice::Value(future(forge))), Some(Rejection::Variable));
    assert_eq!(chosen(|forge| Choice::Value(forge.constant(128))), Some(Rejection::NotRefuted));
    assert_eq!(chosen(|forge| Choice::Allocation { lower: forge.constant(0), fields: Vec::new() }), Some(Rejection::Choice));
    // In range it is accepted.
    let accepted = |forge: &mut Forge<'_>, mut configuration| {
        forge.add(&mut configuration, &FIRST, &[]);
        let choice = Choice::Value(forge.constant(127));
        forge.decide(&mut configuration, 1, 0, Some(choice));
        forge.auto(configuration);
    };
    assert_eq!(derived(&havoc, |_| {}, accepted), None);
}

/// Contents of a fresh object of one field with one cell.
fn contents(forge: &mut Forge<'_>, lower: i128, cell: i128, rest: Option<i128>) -> Choice {
    let rest = rest.map(|rest| {
        let rest = forge.constant(rest);
        forge.arena.constant_array(rest).unwrap()
    });
    Choice::Allocation { lower: forge.constant(lower), fields: vec![(vec![forge.constant(cell)], rest)] }
}

/// The fields of a chosen allocation.
fn in_fields(choice: &mut Choice) -> &mut Vec<(Vec<LinearId>, Option<ArrayId>)> {
    match choice {
        Choice::Allocation { fields, .. } => fields,
        Choice::Value(_) => panic!("an allocation"),
    }
}

#[test]
fn choice_of_contents() {
    use goatherd_certificates::program::{Origin, Type};
    let enter = |count: u64| {
        move |program: &mut Program| {
            let layout = programs::layout(program, &[Type::Integer(IntegerType::I8)]);
            let object = programs::object(program, layout, Origin::Local { count });
            program.instructions = vec![Instruction::Enter { object }, Instruction::Halt];
        }
    };
    let chosen = |count: u64, choice: fn(&mut Forge<'_>) -> Choice, hints: usize| {
        derived(&[], enter(count), |forge, mut configuration| {
            forge.add(&mut configuration, &FIRST, &[]);
            let (choice, hints) = (Some(choice(forge)), vec![Refutation::default(); hints]);
            forge.rules.push(Rule::StepDecided { member: MemberId(1), outcome: OutcomeId(0), choice, hints });
            forge.rules.push(Rule::Drop { member: MemberId(1) });
            forge.auto(configuration);
        })
    };
    assert_eq!(chosen(3, |forge| contents(forge, 5, 1, Some(2)), 0), None);
    assert_eq!(chosen(1, |forge| contents(forge, 0, 1, None), 0), None);
    // Where there is no rest the object begins at 0.
    assert_eq!(chosen(1, |forge| contents(forge, 5, 1, None), 0), Some(Rejection::Choice));
    assert_eq!(chosen(3, |forge| contents(forge, 0, 128, Some(2)), 2), Some(Rejection::NotRefuted));
    assert_eq!(chosen(3, |forge| contents(forge, 0, 1, Some(128)), 2), Some(Rejection::NotRefuted));
    assert_eq!(chosen(3, |forge| contents(forge, 0, 1, None), 0), Some(Rejection::Choice));
    assert_eq!(chosen(1, |forge| contents(forge, 0, 1, Some(2)), 0), Some(Rejection::Choice));
    let edited = |edit: fn(&mut Forge<'_>, &mut Choice)| {
        derived(&[], enter(3), |forge, mut configuration| {
            forge.add(&mut configuration, &FIRST, &[]);
            let mut choice = contents(forge, 5, 1, Some(2));
            edit(forge, &mut choice);
            let hints = Vec::new();
            forge.rules.push(Rule::StepDecided { member: MemberId(1), outcome: OutcomeId(0), choice: Some(choice), hints });
        })
    };
    assert_eq!(edited(|_, choice| in_fields(choice).clear()), Some(Rejection::Choice));
    assert_eq!(edited(|_, choice| in_fields(choice)[0].0.clear()), Some(Rejection::Choice));
    assert_eq!(edited(|forge, choice| in_fields(choice)[0].0[0] = future(forge)), Some(Rejection::Variable));
    assert_eq!(
        edited(|forge, choice| {
            let array = forge.arena.array_variable(ArrayVariable { sort: IntegerType::I8, number: 77 });
            in_fields(choice)[0].1 = Some(array.unwrap());
        }),
        Some(Rejection::Variable)
    );
    assert_eq!(
        edited(|forge, choice| {
            if let Choice::Allocation { lower, .. } = choice {
                *lower = future(forge);
            }
        }),
        Some(Rejection::Variable)
    );
    assert_eq!(edited(|forge, choice| *choice = Choice::Value(forge.constant(0))), Some(Rejection::Choice));
    // An array of a wider sort.
    let wider = |program: &mut Program| {
        enter(3)(program);
        let layout = programs::layout(program, &[Type::Integer(IntegerType::U8)]);
        let object = programs::object(program, layout, Origin::Local { count: 3 });
        program.instructions.insert(0, Instruction::Enter { object });
    };
    let of_other = |forge: &mut Forge<'_>, mut configuration| {
        forge.add(&mut configuration, &FIRST, &[]);
        let mut children = forge.step(configuration);
        let mut configuration = children.remove(0);
        forge.follow(&mut configuration, 1, None);
        let mut choice = contents(forge, 5, 1, Some(2));
        in_fields(&mut choice)[0].1 = configuration.members[0].objects[2].as_ref().unwrap().fields[0].rest;
        let hints = Vec::new();
        forge.rules.push(Rule::StepDecided { member: MemberId(1), outcome: OutcomeId(0), choice: Some(choice), hints });
    };
    assert_eq!(derived(&[], wider, of_other), Some(Rejection::Choice));
}

#[test]
fn split_and_let_and_infeasible() {
    let halt = [Instruction::Halt];
    let literal = |forge: &mut Forge<'_>| Literal { sign: Sign::Zero, term: future(forge) };
    assert_eq!(
        derived(
            &halt,
            |_| {},
            |forge, _| {
                let literal = literal(forge);
                forge.rules.push(Rule::Split { literal });
            }
        ),
        Some(Rejection::Variable)
    );
    assert_eq!(
        derived(
            &halt,
            |_| {},
            |forge, _| {
                let term = future(forge);
                forge.rules.push(Rule::Let { term });
            }
        ),
        Some(Rejection::Variable)
    );
    assert_eq!(derived(&halt, |_| {}, |forge, configuration| forge.infeasible(&configuration)), Some(Rejection::NotRefuted));
    // Both are accepted over what exists.
    let accepted = |forge: &mut Forge<'_>, configuration: Configuration| {
        let term = forge.integer(&configuration, 0, X);
        forge.rules.push(Rule::Let { term });
        let mut configuration = configuration;
        goatherd_checker::rules::name(&mut forge.arena, &mut configuration, term).unwrap();
        for child in forge.split(configuration, Literal { sign: Sign::Zero, term }) {
            forge.auto(child);
        }
    };
    assert_eq!(derived(&halt, |_| {}, accepted), None);
}

#[test]
fn add_scapegoat() {
    let add = |drops: &[(u32, DroppedElement)], integers: fn(&mut Forge<'_>) -> Vec<(u32, LinearId)>, hints| {
        let drops: Vec<_> = drops.iter().map(|(input, element)| InputDrop { input: *input, element: *element }).collect();
        derived(
            &[Instruction::Halt],
            |_| {},
            |forge, _| {
                let integers = integers(forge);
                forge.rules.push(Rule::AddScapegoat { drops, integers, hints: vec![Refutation::default(); hints] });
                forge.rules.push(Rule::End);
            },
        )
    };
    let none = |_: &mut Forge<'_>| Vec::new();
    // More than one element in this class: that it is more than none is evident to nobody but the predicate.
    assert_eq!(add(&[], none, 0), None);
    assert_eq!(add(&FIRST, none, 1), Some(Rejection::NotRefuted));
    assert_eq!(add(&FIRST, none, 0), Some(Rejection::Hints));
    assert_eq!(add(&[(1, DroppedElement::First(0))], none, 1), Some(Rejection::Drop));
    assert_eq!(add(&[(7, DroppedElement::First(0))], none, 1), Some(Rejection::Drop));
    // There are two elements in this class, but it is not known of a third; and none is left out twice.
    let after_two = |more: &[DroppedElement]| {
        derived(
            &[Instruction::Halt],
            |_| {},
            |forge, mut configuration| {
                forge.add(&mut configuration, &[(0, DroppedElement::First(0)), (0, DroppedElement::Last)], &[]);
                if let Some(Rule::AddScapegoat { drops, hints, .. }) = forge.rules.last_mut() {
                    drops.extend(more.iter().map(|element| InputDrop { input: 0, element: *element }));
                    hints.extend(more.iter().map(|_| Refutation::default()));
                }
                forge.rules.push(Rule::End);
            },
        )
    };
    assert_eq!(after_two(&[]), None);
    assert_eq!(after_two(&[DroppedElement::Last]), Some(Rejection::NotRefuted));
    assert_eq!(after_two(&[DroppedElement::First(1)]), Some(Rejection::NotRefuted));
    assert_eq!(after_two(&[DroppedElement::First(0)]), Some(Rejection::Drop));
    let added = |element: DroppedElement, integers: fn(&mut Forge<'_>) -> Vec<(u32, LinearId)>| {
        derived(
            &[Instruction::Halt],
            |_| {},
            |forge, mut configuration| {
                forge.add(&mut configuration, &[(0, element)], &[]);
                let Some(Rule::AddScapegoat { integers: new, .. }) = forge.rules.last().cloned().map(|rule| match rule {
                    Rule::AddScapegoat { drops, hints, .. } => Rule::AddScapegoat { drops, integers: integers(forge), hints },
                    rule => rule,
                }) else {
                    panic!("just added")
                };
                if let Some(Rule::AddScapegoat { integers, hints, .. }) = forge.rules.last_mut() {
                    hints.extend(new.iter().flat_map(|_| vec![Refutation::default(); 2]));
                    *integers = new;
                }
                forge.rules.push(Rule::End);
            },
        )
    };
    assert_eq!(added(DroppedElement::First(0), none), None);
    assert_eq!(added(DroppedElement::Last, none), None);
    // No cell stands for element 1, though the class has more than one element.
    assert_eq!(
        derived(
            &[Instruction::Halt],
            |_| {},
            |forge, configuration| {
                let length = forge.integer(&configuration, 0, LENGTH);
                let one = forge.constant(1);
                let longer = forge.arena.less(one, length).unwrap();
                let [mut yes, no] = forge.split(configuration, longer);
                let answer = goatherd_checker::rules::add_scapegoat(
                    &mut forge.arena,
                    forge.setting,
                    &mut yes,
                    &[InputDrop { input: 0, element: DroppedElement::First(1) }],
                    &[],
                    &mut refute::Hints::new([]),
                );
                assert_eq!(answer, Err(Rejection::Drop));
                forge.rules.push(Rule::AddScapegoat {
                    drops: vec![InputDrop { input: 0, element: DroppedElement::First(1) }],
                    integers: Vec::new(),
                    hints: Vec::new(),
                });
                forge.auto(no);
            }
        ),
        Some(Rejection::Drop)
    );
    let first = DroppedElement::First(0);
    assert_eq!(added(first, |forge| vec![(0, forge.constant(0))]), Some(Rejection::Drop));
    assert_eq!(added(first, |forge| vec![(1, forge.constant(0)), (1, forge.constant(0))]), Some(Rejection::Drop));
    assert_eq!(added(first, |forge| vec![(1, future(forge))]), Some(Rejection::Variable));
    assert_eq!(added(first, |forge| vec![(1, forge.constant(128))]), Some(Rejection::NotRefuted));
    // Entry terms are gone below a template.
    let below = |forge: &mut Forge<'_>, proof: &mut Proof| {
        let _ = forge;
        let add = proof.roots.iter().find(|rule| matches!(rule, Rule::AddScapegoat { .. })).cloned().unwrap();
        proof.derivations[FILLING.index()].insert(0, add);
    };
    assert_eq!(changed(below), Some(Rejection::EntryTerms));
}

/// K5: a value is no choice of the contents of an object, whatever its fields are.
#[test]
fn choice_is_of_what_is_offered() {
    use goatherd_certificates::program::{Origin, Type};
    // That 0 is in range.
    let evident = Refutation::default();
    for kind in [Type::Pointer, Type::Integer(IntegerType::I8)] {
        let mut program = programs::empty();
        let layout = programs::layout(&mut program, &[kind]);
        let object = programs::object(&mut program, layout, Origin::Local { count: 1 });
        program.instructions = vec![Instruction::Enter { object }, Instruction::Halt];
        let mut forge = Forge::new(&program, &PARAMETERS, 1);
        let mut configuration = forge.root(0).unwrap();
        configuration.members.push(configuration.members[0].clone());
        let zero = forge.constant(0);
        let cells = if kind == Type::Pointer { Vec::new() } else { vec![zero] };
        let contents = Choice::Allocation { lower: zero, fields: vec![(cells, None)] };
        let mut decide = |choice: &Choice| {
            let hints = &mut refute::Hints::new([&evident; 2]);
            let mut next = configuration.clone();
            next.change(&mut forge.arena, forge.setting, MemberId(1)).step_decided(OutcomeId(0), Some(choice), hints)
        };
        assert_eq!(decide(&contents), Ok(()), "{kind:?}");
        assert_eq!(decide(&Choice::Value(zero)), Err(Rejection::Choice), "{kind:?}");
    }
}
