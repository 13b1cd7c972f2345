//! Templates and what closes a configuration.

use super::*;
use goatherd_certificates::{
    configuration::{Address, InputSize},
    term::Scope,
};
use goatherd_checker::{
    configuration::{Configuration, Member, Place, Setting},
    outcome::Oracle,
    subsume,
    term::sort_index,
};

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

fn integers(rule: &mut Rule) -> &mut Vec<LinearId> {
    match rule {
        Rule::Subsume { matching, .. } => &mut matching.integers,
        _ => panic!("Subsume"),
    }
}

fn arrays(rule: &mut Rule) -> &mut Vec<ArrayId> {
    match rule {
        Rule::Subsume { matching, .. } => &mut matching.arrays,
        _ => panic!("Subsume"),
    }
}

fn hints(rule: &mut Rule) -> &mut Vec<Refutation> {
    match rule {
        Rule::Subsume { hints, .. } => hints,
        _ => panic!("Subsume"),
    }
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
    let set_template = |rule: &mut Rule, id| match rule {
        Rule::Subsume { template, .. } => *template = id,
        _ => panic!("Subsume"),
    };
    assert_eq!(subsumed(&mut |_, rule| set_template(rule, TemplateId(2))), Some(Rejection::Missing));
    assert_eq!(subsumed(&mut |_, rule| set_template(rule, CHECKING)), Some(Rejection::Shape));
    assert_eq!(subsumed(&mut |_, rule| integers(rule).truncate(1)), Some(Rejection::Substitution));
    assert_eq!(subsumed(&mut |forge, rule| integers(rule).push(forge.constant(0))), Some(Rejection::Substitution));
    assert_eq!(subsumed(&mut |_, rule| arrays(rule).clear()), Some(Rejection::Substitution));
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
        let objects = vec![vec![ObjectId(0)]; 2];
        let matching = Matching { integers: vec![x, y], arrays: vec![rest], objects, ..Matching::default() };
        let rule = Rule::Subsume { template: FILLING, matching, hints: Vec::new() };
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
    let pointed = |change: fn(&mut Forge<'_>, &mut ObjectId, &mut u64)| {
        templated(|forge, template| {
            if let Slot::Pointer(Address { object, byte, .. }) = &mut template.members[0].registers[0].1 {
                change(forge, object, byte);
            }
        })
    };
    assert_eq!(pointed(|_, _, byte| *byte = 1), Some(Rejection::Slot));
    assert_eq!(pointed(|_, object, _| object.0 = 1), Some(Rejection::Slot));
    assert_eq!(templated(|forge, template| template.members[0].objects[0].lower = forge.constant(1)), Some(Rejection::Hints));
    assert_eq!(templated(|_, template| template.members[0].objects[0].life = Life::Dead), Some(Rejection::Shape));
    assert_eq!(templated(|_, template| drop(template.members[0].objects.pop())), Some(Rejection::Shape));
    assert_eq!(templated(|_, template| template.members[0].objects[0].fields[0].cells.clear()), Some(Rejection::Shape));
    assert_eq!(templated(|_, template| template.members[0].objects[0].fields[0].rest = None), Some(Rejection::Shape));
    assert_eq!(templated(|_, template| template.members[0].location = HEADS[1]), Some(Rejection::Shape));
    assert_eq!(templated(|_, template| drop(template.members.pop())), Some(Rejection::Shape));
    // A register that the derivation reads is forgotten.
    assert_eq!(
        templated(|_, template| template.members[0].registers.retain(|(register, _)| *register != RegisterId(2))),
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
    assert_eq!(templated(|_, template| template.members[0].registers[2].1 = Slot::Null), Some(Rejection::Slot));
    assert_eq!(templated(|forge, template| template.members[0].registers[0].1 = Slot::Integer(forge.constant(0))), Some(Rejection::Slot));
    assert_eq!(templated(|_, template| template.members[0].objects[0].fields.clear()), Some(Rejection::Shape));
    assert_eq!(templated(|_, template| template.members[0].objects[0].fields[0].cells[0] = Slot::Null), Some(Rejection::Slot));
    assert_eq!(templated(|_, template| template.members.clear()), Some(Rejection::Shape));
    assert_eq!(templated(|_, template| template.members[0].registers[3].0 = RegisterId(99)), Some(Rejection::Missing));
    assert_eq!(templated(|_, template| template.members[0].objects[0].object.0 = 9), Some(Rejection::Missing));
    // Terms over other variables, wherever a template has terms.
    let places: [fn(&mut Forge<'_>, &mut Template); 6] = [
        |forge, template| template.predicate.push(Literal { sign: Sign::Zero, term: future(forge) }),
        |forge, template| template.members[0].registers[2].1 = Slot::Integer(future(forge)),
        |forge, template| {
            if let Slot::Pointer(Address { index, .. }) = &mut template.members[0].registers[0].1 {
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

/// Shows nothing: only what is evident holds.
struct Nothing;

impl Oracle for Nothing {
    fn refute(&mut self, _: &mut Arena, _: &[Literal], _: &[Literal]) -> Result<(), Rejection> {
        Err(Rejection::NotRefuted)
    }
}

#[test]
fn a_variable_that_no_slot_holds_still_has_its_sort() {
    let mut arena = Arena::new(&[], Budget::new(1 << 20)).expect("room for the tables");
    let program = programs::empty();
    let setting = Setting { program: &program, parameters: &PARAMETERS, k: 1, sorts: &[] };
    let member = Member {
        place: Place::At(Location(0)),
        registers: Vec::new(),
        objects: Vec::new(),
        folded: Vec::new(),
        size: InputSize::NotLarger,
        consumed: Slot::Forgotten,
        held: 0,
    };
    let configuration = Configuration {
        scope: Scope::default(),
        trees: Vec::new(),
        predicate: Vec::new(),
        members: vec![member],
        entry: None,
        progress: true,
    };
    let mut template = configuration.clone();
    template.scope.integers[sort_index(Some(IntegerType::U64))] = 1;
    let mut answer = |value| {
        let image = arena.constant(value).unwrap();
        let matching = Matching { integers: vec![image], objects: vec![Vec::new()], ..Matching::default() };
        subsume::subsume(&mut arena, setting, &configuration, &template, &matching, &mut Nothing)
    };
    assert_eq!(answer(5), Ok(()));
    // The template's derivation may use that the variable is not negative: its image must not be.
    assert_eq!(answer(-1), Err(Rejection::NotRefuted));
}

/// K2: every term of a template mentions its own variables, wherever it stands.
#[test]
fn a_template_has_its_variables() {
    use goatherd_certificates::{
        configuration::{Folded, Member, TreeId, TreeSort},
        program::SortId,
    };
    let mut program = programs::empty();
    programs::array(&mut program, "a", IntegerType::I8, IntegerType::U8);
    program.instructions = vec![Instruction::Halt];
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    let root = forge.root(2).unwrap();
    let mut good = forge.describe(&root, |_| true);
    good.trees = vec![TreeSort::Tree(SortId(0))];
    assert!(subsume::template(&forge.arena, forge.setting, &good).is_ok());
    let absent = forge.arena.variable(Variable { sort: Some(IntegerType::I8), number: 77 }).unwrap();
    let absent_array = forge.arena.array_variable(ArrayVariable { sort: IntegerType::I8, number: 77 }).unwrap();
    let (slot, pointer) = (Slot::Integer(absent), Slot::Pointer(Address { object: ObjectId(0), index: absent, byte: 0 }));
    let part = Folded { tree: TreeId(0), above: Slot::Null, same: Slot::Null, below: Slot::Null };
    let edits: [&dyn Fn(&mut Member); 10] = [
        &|member| member.registers[1].1 = slot,
        &|member| member.registers[0].1 = pointer,
        &|member| member.consumed = slot,
        &|member| member.folded.push(Folded { above: pointer, ..part }),
        &|member| member.folded.push(Folded { same: pointer, ..part }),
        &|member| member.folded.push(Folded { below: pointer, ..part }),
        &|member| member.objects[0].lower = absent,
        &|member| member.objects[0].upper = absent,
        &|member| member.objects[0].fields[0].cells.push(slot),
        &|member| member.objects[0].fields[0].rest = Some(absent_array),
    ];
    let answer = |template: &Template| subsume::template(&forge.arena, forge.setting, template).map(|_| ());
    for (position, edit) in edits.iter().enumerate() {
        let mut bad = good.clone();
        edit(&mut bad.members[0]);
        assert_eq!(answer(&bad), Err(Rejection::Variable), "{position}");
    }
    let mut bad = good;
    bad.predicate.push(Literal { sign: Sign::Zero, term: absent });
    assert_eq!(answer(&bad), Err(Rejection::Variable));
}
