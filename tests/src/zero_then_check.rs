//! The hand-made proof of zero-then-check, on which rejecting tests are built.
//!
//! With an array of more than one element, a scapegoat without element 0 runs one round behind. Where the primary reads something else than
//! zero, the scapegoat has read it from the same cell.

use crate::{
    forge::Forge,
    programs::{HEADS, ZeroThenCheck},
};
use goatherd_certificates::{
    InputSize,
    configuration::{Address, FieldState, Life, Member, ObjectState, Slot, Template},
    derivation::{DroppedElement, MemberId, Rule, TemplateId},
    program::{IntegerType, Location, ObjectId},
    term::{ArrayVariable, LinearId, Scope, Variable},
};
use goatherd_checker::{configuration::Configuration, rejection::Rejection, term::sort_index};

/// The template at the head of the second loop.
pub const CHECKING: TemplateId = TemplateId(0);

/// The template at the head of the first loop.
pub const FILLING: TemplateId = TemplateId(1);

/// The greatest length of an array of `int`.
const MOST: i128 = i64::MAX as i128 / 4;

/// Writes the proof, with k = 1.
pub fn prove(forge: &mut Forge<'_>, program: &ZeroThenCheck) -> Result<(), Rejection> {
    let checking = template(forge, program, HEADS[1])?;
    forge.template(checking, |forge, configuration| check(forge, program, configuration));
    let filling = template(forge, program, HEADS[0])?;
    forge.template(filling, |forge, configuration| fill(forge, program, configuration));
    for class in 0..2 {
        let configuration = forge.root(class).ok_or(Rejection::Root)?;
        forge.auto(configuration);
    }
    let configuration = forge.root(2).ok_or(Rejection::Root)?;
    long(forge, program, configuration);
    Ok(())
}

/// Primary: index x, element 0 is zero. Scapegoat: begins at 1, index x - 1. The same array.
fn template(forge: &mut Forge<'_>, program: &ZeroThenCheck, location: Location) -> Result<Template, Rejection> {
    let arena = &mut forge.arena;
    let x = arena.variable(Variable { sort: None, number: 0 })?;
    let y = arena.variable(Variable { sort: Some(IntegerType::U64), number: 0 })?;
    let rest = arena.array_variable(ArrayVariable { sort: IntegerType::I32, number: 0 })?;
    let (zero, one, most) = (arena.constant(0)?, arena.constant(1)?, arena.constant(MOST)?);
    let (before, shorter) = (arena.plus(x, -1)?, arena.plus(y, -1)?);
    let predicate = vec![arena.at_most(one, x)?, arena.at_most(x, y)?, arena.at_most(y, most)?];
    let mut scope = Scope::default();
    scope.integers[sort_index(None)] = 1;
    scope.integers[sort_index(Some(IntegerType::U64))] = 1;
    scope.arrays[sort_index(Some(IntegerType::I32)) - 1] = 1;
    let member = |start: LinearId, length: LinearId, index: LinearId, first: Slot, size| Member {
        location,
        size,
        consumed: Slot::Forgotten,
        registers: vec![
            (program.array, Slot::Pointer(Address { object: ObjectId(0), index: start, byte: 0 })),
            (program.length, Slot::Integer(length)),
            (program.index, Slot::Integer(index)),
            (program.zero, Slot::Integer(zero)),
        ],
        objects: vec![ObjectState {
            object: ObjectId(0),
            declaration: ObjectId(0),
            life: Life::Live,
            lower: start,
            upper: y,
            fields: vec![FieldState { cells: vec![first], rest: Some(rest) }],
        }],
        folded: Vec::new(),
    };
    let members = vec![
        member(zero, y, x, Slot::Integer(zero), InputSize::NotLarger),
        member(one, shorter, before, Slot::Forgotten, InputSize::Smaller),
    ];
    Ok(Template { scope, trees: Vec::new(), predicate, members })
}

/// More than one element.
fn long(forge: &mut Forge<'_>, program: &ZeroThenCheck, mut configuration: Configuration) {
    forge.add(&mut configuration, &[(0, DroppedElement::First(0))], &[]);
    let mut configuration = forge.steps(configuration, 2 + 5);
    for _ in 0..2 {
        forge.follow(&mut configuration, 1, None);
    }
    subsume(forge, program, &configuration, FILLING);
}

fn fill(forge: &mut Forge<'_>, program: &ZeroThenCheck, configuration: Configuration) {
    let [again, after] = both(forge.step(configuration));
    let mut again = forge.steps(again, 4);
    for _ in 0..5 {
        forge.follow(&mut again, 1, None);
    }
    subsume(forge, program, &again, FILLING);
    let mut after = forge.steps(after, 1 + 6);
    for _ in 0..2 {
        forge.follow(&mut after, 1, None);
    }
    subsume(forge, program, &after, CHECKING);
}

fn check(forge: &mut Forge<'_>, program: &ZeroThenCheck, configuration: Configuration) {
    let [again, after] = both(forge.step(configuration));
    let again = forge.steps(again, 2);
    let [zero, mut other] = both(forge.step(again));
    let mut zero = forge.steps(zero, 2);
    for _ in 0..6 {
        forge.follow(&mut zero, 1, None);
    }
    subsume(forge, program, &zero, CHECKING);
    for _ in 0..4 {
        forge.follow(&mut other, 1, None);
    }
    forge.rules.push(Rule::Descent { member: MemberId(1) });
    forge.auto(after);
}

fn both(children: Vec<Configuration>) -> [Configuration; 2] {
    <[Configuration; 2]>::try_from(children).expect("two ways on")
}

/// The substitution is x, y and the array as the primary has them.
fn subsume(forge: &mut Forge<'_>, program: &ZeroThenCheck, configuration: &Configuration, template: TemplateId) {
    let state = configuration.members[0].object(ObjectId(0)).expect("the array exists");
    let rest = state.fields[0].rest.expect("elements above k");
    let integers = [program.index, program.length].map(|register| forge.integer(configuration, 0, register));
    forge.subsume(configuration, template, &integers, &[rest]);
}
