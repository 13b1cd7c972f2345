//! Every side condition of every rule, violated alone (`spec/calculus.md#rules`): one change to an accepted proof, one rejection.
// What builds a case stands where it is used.
#![allow(clippy::items_after_statements)]

use goatherd_certificates::{
    configuration::{Life, Slot, Template},
    derivation::{Choice, DroppedElement, InputDrop, MemberId, OutcomeId, Proof, Refutation, Rule, TemplateId},
    program::{FailKind, Instruction, IntegerType, Location, Operand, Operation, RegisterId},
    term::{ArrayVariable, Literal, Sign, Variable},
};
use goatherd_checker::rejection::Rejection;
use goatherd_tests::{
    forge::{Forge, PARAMETERS, rejection},
    programs::{self, HEADS, ZeroThenCheck},
    zero_then_check::{self, CHECKING, FILLING},
};

/// What the checker says of the proof of zero-then-check with one change.
fn changed(change: impl FnOnce(&mut Forge<'_>, &mut Proof)) -> Option<Rejection> {
    let program = ZeroThenCheck::new(0);
    let mut forge = Forge::new(&program.program, &PARAMETERS, 1);
    zero_then_check::prove(&mut forge, &program).unwrap();
    let mut proof = forge.proof();
    change(&mut forge, &mut proof);
    let answer = goatherd_tests::forge::check(&forge.certificate_of(&proof));
    assert_eq!(rejection(&answer).is_none(), answer.is_ok(), "{answer:?}");
    rejection(&answer)
}

/// Changes the first rule of the derivation from the long class that the change fits.
fn rooted(mut change: impl FnMut(&mut Forge<'_>, &mut Rule) -> bool) -> Option<Rejection> {
    changed(|forge, proof| assert!(proof.roots.iter_mut().any(|rule| change(forge, rule)), "the change fits"))
}

/// Changes the first rule of the derivation from the first template that the change fits.
fn filling(mut change: impl FnMut(&mut Forge<'_>, &mut Rule) -> bool) -> Option<Rejection> {
    changed(|forge, proof| {
        let rules = &mut proof.derivations[FILLING.index()];
        assert!(rules.iter_mut().any(|rule| change(forge, rule)), "the change fits");
    })
}

/// Changes the first template.
fn templated(change: impl FnOnce(&mut Forge<'_>, &mut Template)) -> Option<Rejection> {
    changed(|forge, proof| change(forge, &mut proof.templates[FILLING.index()]))
}

fn future(forge: &mut Forge<'_>) -> goatherd_certificates::term::LinearId {
    forge.arena.variable(Variable { sort: None, number: 77 }).unwrap()
}

#[test]
fn the_proof_that_the_others_change_is_accepted() {
    assert_eq!(changed(|_, _| {}), None);
}

#[test]
fn root() {
    assert_eq!(changed(|_, proof| proof.k = 0), Some(Rejection::Root));
    assert_eq!(changed(|_, proof| proof.k = 17), Some(Rejection::Root));
    assert_eq!(changed(|_, proof| drop(proof.derivations.pop())), Some(Rejection::Root));
    assert_eq!(changed(|_, proof| drop(proof.templates.pop())), Some(Rejection::Root));
    // The last class is left out, or part of it.
    assert_eq!(changed(|_, proof| drop(proof.roots.pop())), Some(Rejection::Open));
    let end = |proof: &Proof| proof.roots.iter().rposition(|rule| matches!(rule, Rule::End)).unwrap();
    assert_eq!(changed(|_, proof| proof.roots.truncate(end(proof) + 1)), Some(Rejection::Open));
    assert_eq!(changed(|_, proof| proof.roots.push(Rule::End)), Some(Rejection::Open));
    assert_eq!(changed(|_, proof| proof.derivations[0].push(Rule::End)), Some(Rejection::Open));
    assert_eq!(changed(|_, proof| drop(proof.derivations[0].pop())), Some(Rejection::Open));
}

#[test]
fn step() {
    let with_refuted = |rule: &mut Rule, least: usize| match rule {
        Rule::Step { refuted } if refuted.len() >= least => Some(std::mem::take(refuted)),
        _ => None,
    };
    let refuting = |rule: &mut Rule, refuted| *rule = Rule::Step { refuted };
    assert_eq!(
        filling(|_, rule| with_refuted(rule, 2).is_some_and(|mut refuted| {
            refuted.reverse();
            refuting(rule, refuted);
            true
        })),
        Some(Rejection::Outcomes)
    );
    assert_eq!(
        filling(|_, rule| with_refuted(rule, 2).is_some_and(|mut refuted| {
            let first = refuted[0].clone();
            refuted.insert(0, first);
            refuting(rule, refuted);
            true
        })),
        Some(Rejection::Outcomes)
    );
    assert_eq!(
        filling(|_, rule| with_refuted(rule, 1).is_some_and(|mut refuted| {
            refuted.last_mut().unwrap().0 = OutcomeId(99);
            refuting(rule, refuted);
            true
        })),
        Some(Rejection::Outcomes)
    );
    assert_eq!(
        filling(|_, rule| with_refuted(rule, 1).is_some_and(|mut refuted| {
            refuted[0].1 = Refutation::default();
            refuting(rule, refuted);
            true
        })),
        Some(Rejection::NotRefuted)
    );
    // One outcome of two is claimed to be impossible.
    let wrong = |forge: &mut Forge<'_>, proof: &mut Proof| {
        let _ = forge;
        let refuted = vec![(OutcomeId(1), Refutation::default())];
        proof.derivations[FILLING.index()][0] = Rule::Step { refuted };
    };
    assert_eq!(changed(wrong), Some(Rejection::NotRefuted));
}

/// What the checker says of a derivation from the one class of a program without inputs, k = 1.
fn derived(
    instructions: &[Instruction],
    edit: impl FnOnce(&mut goatherd_certificates::program::Program),
    derivation: impl FnOnce(&mut Forge<'_>, goatherd_checker::configuration::Configuration),
) -> Option<Rejection> {
    let mut program = programs::empty();
    programs::array(&mut program, "a", IntegerType::I8, IntegerType::U8);
    let register = programs::integer(&mut program, "x", IntegerType::I8);
    program.inputs.push(goatherd_certificates::program::Input::Integer { register });
    program.instructions = instructions.to_vec();
    edit(&mut program);
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    for class in 0..2 {
        let configuration = forge.root(class).unwrap();
        forge.auto(configuration);
    }
    let configuration = forge.root(2).unwrap();
    derivation(&mut forge, configuration);
    let answer = forge.check();
    assert_eq!(rejection(&answer).is_none(), answer.is_ok(), "{answer:?}");
    rejection(&answer)
}

const X: RegisterId = RegisterId(2);
const LENGTH: RegisterId = RegisterId(1);
const FIRST: [(u32, DroppedElement); 1] = [(0, DroppedElement::First(0))];

fn bare(rule: Rule) -> impl FnOnce(&mut Forge<'_>, goatherd_checker::configuration::Configuration) {
    move |forge, _| forge.rules.push(rule)
}

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
    let product =
        Instruction::Compute { target: X, operation: Operation::Multiply, left: Operand::Register(X), right: Operand::Register(X) };
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
    let mut oracle = goatherd_checker::refute::Hints::new([]);
    forge.add(&mut configuration, &FIRST, &[]);
    let which = (MemberId(1), two);
    let answer = goatherd_checker::rules::step_decided(&mut forge.arena, forge.setting, &mut configuration, which, None, &mut oracle);
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
    assert_eq!(chosen(|forge| Choice::Value(future(forge))), Some(Rejection::Choice));
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

#[test]
fn choice_of_contents() {
    use goatherd_certificates::program::{Origin, Type};
    let enter = |count: u64| {
        move |program: &mut goatherd_certificates::program::Program| {
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
    fn contents(forge: &mut Forge<'_>, lower: i128, cell: i128, rest: Option<i128>) -> Choice {
        let rest = rest.map(|rest| {
            let rest = forge.constant(rest);
            forge.arena.constant_array(rest).unwrap()
        });
        Choice::Allocation { lower: forge.constant(lower), fields: vec![(vec![forge.constant(cell)], rest)] }
    }
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
    fn in_fields(
        choice: &mut Choice,
    ) -> &mut Vec<(Vec<goatherd_certificates::term::LinearId>, Option<goatherd_certificates::term::ArrayId>)> {
        match choice {
            Choice::Allocation { fields, .. } => fields,
            Choice::Value(_) => panic!("an allocation"),
        }
    }
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
        Some(Rejection::Choice)
    );
    assert_eq!(edited(|forge, choice| *choice = Choice::Value(forge.constant(0))), Some(Rejection::Choice));
    // An array of a wider sort.
    let wider = |program: &mut goatherd_certificates::program::Program| {
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
    let accepted = |forge: &mut Forge<'_>, configuration: goatherd_checker::configuration::Configuration| {
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
    let add =
        |drops: &[(u32, DroppedElement)], integers: fn(&mut Forge<'_>) -> Vec<(u32, goatherd_certificates::term::LinearId)>, hints| {
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
    assert_eq!(add(&[], none, 0), Some(Rejection::NothingDropped));
    assert_eq!(add(&FIRST, none, 1), Some(Rejection::NotRefuted));
    assert_eq!(add(&FIRST, none, 0), Some(Rejection::Hints));
    assert_eq!(add(&[(1, DroppedElement::First(0))], none, 1), Some(Rejection::Drop));
    assert_eq!(add(&[(7, DroppedElement::First(0))], none, 1), Some(Rejection::Drop));
    let twice = [(0, DroppedElement::First(0)), (0, DroppedElement::Last)];
    assert_eq!(add(&twice, none, 2), Some(Rejection::Drop));
    let added = |element: DroppedElement, integers: fn(&mut Forge<'_>) -> Vec<(u32, goatherd_certificates::term::LinearId)>| {
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
                    &mut goatherd_checker::refute::Hints::new([]),
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

#[test]
fn drop_a_scapegoat() {
    let at_filling = |member| {
        move |_: &mut Forge<'_>, proof: &mut Proof| {
            proof.derivations[FILLING.index()].insert(0, Rule::Drop { member: MemberId(member) });
        }
    };
    assert_eq!(changed(at_filling(0)), Some(Rejection::Primary));
    assert_eq!(changed(at_filling(2)), Some(Rejection::Missing));
    // Without it there are too few members for the template.
    let position = |proof: &Proof| proof.derivations[FILLING.index()].iter().position(|rule| matches!(rule, Rule::Subsume { .. })).unwrap();
    let before_subsume = |_: &mut Forge<'_>, proof: &mut Proof| {
        let position = position(proof);
        proof.derivations[FILLING.index()].insert(position, Rule::Drop { member: MemberId(1) });
    };
    assert_eq!(changed(before_subsume), Some(Rejection::Shape));
}

#[test]
fn subsume() {
    let subsumed = |change: &mut dyn FnMut(&mut Forge<'_>, &mut Rule)| {
        rooted(|forge, rule| {
            let fits = matches!(rule, Rule::Subsume { .. });
            if fits {
                change(forge, rule);
            }
            fits
        })
    };
    fn integers(rule: &mut Rule) -> &mut Vec<goatherd_certificates::term::LinearId> {
        match rule {
            Rule::Subsume { integers, .. } => integers,
            _ => panic!("Subsume"),
        }
    }
    fn arrays(rule: &mut Rule) -> &mut Vec<goatherd_certificates::term::ArrayId> {
        match rule {
            Rule::Subsume { arrays, .. } => arrays,
            _ => panic!("Subsume"),
        }
    }
    fn hints(rule: &mut Rule) -> &mut Vec<Refutation> {
        match rule {
            Rule::Subsume { hints, .. } => hints,
            _ => panic!("Subsume"),
        }
    }
    let set_template = |rule: &mut Rule, id| match rule {
        Rule::Subsume { template, .. } => *template = id,
        _ => panic!("Subsume"),
    };
    assert_eq!(subsumed(&mut |_, rule| set_template(rule, TemplateId(2))), Some(Rejection::Missing));
    assert_eq!(subsumed(&mut |_, rule| set_template(rule, CHECKING)), Some(Rejection::Shape));
    assert_eq!(
        subsumed(&mut |_, rule| {
            integers(rule).pop();
        }),
        Some(Rejection::Substitution)
    );
    assert_eq!(subsumed(&mut |forge, rule| integers(rule).push(forge.constant(0))), Some(Rejection::Substitution));
    assert_eq!(
        subsumed(&mut |_, rule| {
            arrays(rule).pop();
        }),
        Some(Rejection::Substitution)
    );
    assert_eq!(subsumed(&mut |forge, rule| integers(rule)[0] = future(forge)), Some(Rejection::Variable));
    assert_eq!(
        subsumed(&mut |forge, rule| {
            arrays(rule)[0] = forge.arena.array_variable(ArrayVariable { sort: IntegerType::I32, number: 77 }).unwrap();
        }),
        Some(Rejection::Variable)
    );
    // Not of the variable's sort: the length is of U64.
    assert_eq!(
        subsumed(&mut |forge, rule| {
            integers(rule)[1] = forge.constant(-1);
            hints(rule).insert(0, Refutation::default());
        }),
        Some(Rejection::NotRefuted)
    );
    assert_eq!(
        subsumed(&mut |forge, rule| {
            let large = forge.constant(1 << 40);
            arrays(rule)[0] = forge.arena.constant_array(large).unwrap();
            hints(rule).insert(0, Refutation::default());
        }),
        Some(Rejection::NotRefuted)
    );
    // Another array, another index.
    assert_eq!(
        subsumed(&mut |forge, rule| {
            let zero = forge.constant(0);
            arrays(rule)[0] = forge.arena.constant_array(zero).unwrap();
        }),
        Some(Rejection::Slot)
    );
    assert_eq!(
        subsumed(&mut |forge, rule| {
            integers(rule)[0] = forge.constant(2);
            hints(rule).insert(0, Refutation::default());
        }),
        Some(Rejection::NotRefuted)
    );
    assert_eq!(subsumed(&mut |_, rule| hints(rule).push(Refutation::default())), Some(Rejection::Hints));
    // No progress: the template by itself.
    let at_once = |forge: &mut Forge<'_>, proof: &mut Proof| {
        let x = forge.arena.variable(Variable { sort: None, number: 0 }).unwrap();
        let y = forge.arena.variable(Variable { sort: Some(IntegerType::U64), number: 0 }).unwrap();
        let rest = forge.arena.array_variable(ArrayVariable { sort: IntegerType::I32, number: 0 }).unwrap();
        let rule = Rule::Subsume { template: FILLING, integers: vec![x, y], arrays: vec![rest], hints: Vec::new() };
        proof.derivations[FILLING.index()] = vec![rule];
    };
    assert_eq!(changed(at_once), Some(Rejection::Progress));
    // Steps of a scapegoat are no progress.
    let scapegoat_only = |forge: &mut Forge<'_>, proof: &mut Proof| {
        at_once(forge, proof);
        let one = forge.constant(0);
        let literal = Literal { sign: Sign::Zero, term: one };
        let rules = &mut proof.derivations[FILLING.index()];
        rules.push(rules[0].clone());
        rules.insert(0, Rule::Split { literal });
    };
    assert_eq!(changed(scapegoat_only), Some(Rejection::Progress));
}

#[test]
fn what_a_template_asks_of_a_configuration() {
    let registers =
        |template: &mut Template, member: usize, register: usize, slot: Slot| template.members[member].registers[register].1 = slot;
    // Literals, slots, bounds.
    assert_eq!(
        templated(|forge, template| {
            let x = forge.arena.variable(Variable { sort: None, number: 0 }).unwrap();
            let two = forge.constant(2);
            template.predicate.push(forge.arena.at_most(two, x).unwrap());
        }),
        Some(Rejection::Hints)
    );
    assert_eq!(templated(|_, template| registers(template, 0, 0, Slot::Null)), Some(Rejection::Slot));
    assert_eq!(templated(|_, template| registers(template, 0, 0, Slot::Uninitialised)), Some(Rejection::Slot));
    assert_eq!(templated(|_, template| registers(template, 1, 3, Slot::Uninitialised)), Some(Rejection::Slot));
    let pointed = |change: fn(&mut Forge<'_>, &mut goatherd_certificates::program::ObjectId, &mut u64)| {
        templated(|forge, template| {
            if let Slot::Pointer { object, byte, .. } = &mut template.members[0].registers[0].1 {
                change(forge, object, byte);
            }
        })
    };
    assert_eq!(pointed(|_, _, byte| *byte = 1), Some(Rejection::Slot));
    assert_eq!(pointed(|_, object, _| object.0 = 1), Some(Rejection::Slot));
    assert_eq!(templated(|forge, template| template.members[0].objects[0].lower = forge.constant(1)), Some(Rejection::Hints));
    assert_eq!(templated(|_, template| template.members[0].objects[0].life = Life::Dead), Some(Rejection::Shape));
    assert_eq!(templated(|_, template| drop(template.members[0].objects.pop())), Some(Rejection::Shape));
    assert_eq!(
        templated(|_, template| {
            template.members[0].objects[0].fields[0].cells.pop();
        }),
        Some(Rejection::Shape)
    );
    assert_eq!(templated(|_, template| template.members[0].objects[0].fields[0].rest = None), Some(Rejection::Shape));
    assert_eq!(templated(|_, template| template.members[0].location = HEADS[1]), Some(Rejection::Shape));
    assert_eq!(templated(|_, template| drop(template.members.pop())), Some(Rejection::Shape));
    // A register that the derivation reads is forgotten.
    assert_eq!(
        templated(|_, template| {
            template.members[0].registers.remove(2);
        }),
        Some(Rejection::Forgotten)
    );
}

#[test]
fn template() {
    assert_eq!(templated(|_, template| template.members[0].registers.swap(0, 1)), Some(Rejection::Shape));
    assert_eq!(
        templated(|_, template| {
            let twice = template.members[0].registers[0];
            template.members[0].registers.insert(0, twice);
        }),
        Some(Rejection::Shape)
    );
    assert_eq!(
        templated(|_, template| {
            let twice = template.members[0].objects[0].clone();
            template.members[0].objects.insert(0, twice);
        }),
        Some(Rejection::Shape)
    );
    assert_eq!(templated(|_, template| template.members[0].registers[2].1 = Slot::Null), Some(Rejection::Shape));
    assert_eq!(templated(|forge, template| template.members[0].registers[0].1 = Slot::Integer(forge.constant(0))), Some(Rejection::Shape));
    assert_eq!(templated(|_, template| template.members[0].objects[0].fields.clear()), Some(Rejection::Shape));
    assert_eq!(templated(|_, template| template.members[0].objects[0].fields[0].cells[0] = Slot::Null), Some(Rejection::Shape));
    assert_eq!(templated(|_, template| template.members.clear()), Some(Rejection::Shape));
    assert_eq!(templated(|_, template| template.members[0].registers[3].0 = RegisterId(99)), Some(Rejection::Missing));
    assert_eq!(templated(|_, template| template.members[0].objects[0].object.0 = 9), Some(Rejection::Missing));
    // Terms over other variables, wherever a template has terms.
    let places: [fn(&mut Forge<'_>, &mut Template); 6] = [
        |forge, template| template.predicate.push(Literal { sign: Sign::Zero, term: future(forge) }),
        |forge, template| template.members[0].registers[2].1 = Slot::Integer(future(forge)),
        |forge, template| {
            if let Slot::Pointer { index, .. } = &mut template.members[0].registers[0].1 {
                *index = future(forge);
            }
        },
        |forge, template| template.members[0].objects[0].lower = future(forge),
        |forge, template| template.members[0].objects[0].fields[0].cells[0] = Slot::Integer(future(forge)),
        |forge, template| {
            let array = forge.arena.array_variable(ArrayVariable { sort: IntegerType::I32, number: 77 });
            template.members[0].objects[0].fields[0].rest = Some(array.unwrap());
        },
    ];
    for place in places {
        assert_eq!(templated(place), Some(Rejection::Variable));
    }
}

#[test]
fn descent_and_end() {
    let descent = |member| {
        move |_: &mut Forge<'_>, proof: &mut Proof| proof.derivations[FILLING.index()] = vec![Rule::Descent { member: MemberId(member) }]
    };
    assert_eq!(changed(descent(0)), Some(Rejection::Primary));
    assert_eq!(changed(descent(1)), Some(Rejection::NotFailed));
    assert_eq!(changed(descent(2)), Some(Rejection::Missing));
    assert_eq!(changed(|_, proof| proof.derivations[FILLING.index()] = vec![Rule::End]), Some(Rejection::NotEnded));
    let fail = Instruction::Fail { kind: FailKind::Reached };
    assert_eq!(derived(&[Instruction::Halt, fail, Instruction::Jump { target: Location(0) }], |_| {}, bare(Rule::End)), None);
}

#[test]
fn the_literals_of_the_only_way_on_are_kept() {
    // Without element 0 less is known: the bound of the branch is what the scapegoat needs, although it is the only way on.
    let forgets = |rule: &mut Rule| match rule {
        Rule::StepDecided { hints, .. } => hints.first_mut().is_some_and(|hint| !std::mem::take(&mut hint.deductions).is_empty()),
        _ => false,
    };
    assert_eq!(filling(|_, rule| forgets(rule)), Some(Rejection::NotRefuted));
}
