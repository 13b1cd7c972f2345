//! Loads, stores and `free`: which cell an address names, and who may touch it (`spec/calculus.md#memory`).

use crate::arithmetic::{add, divide, width};
use crate::outcome::{Effect, Failure, Outcome};
use crate::rejection::{Rejection, Unsupported};
use crate::step::{Outcomes, Periods, Pointer, Step, Stop, at, exact};
use alloc::{vec, vec::Vec};
use goatherd_certificates::configuration::Slot;
use goatherd_certificates::program::{Access, IntegerType, ObjectId, Origin, RegisterId, Type};
use goatherd_certificates::term::{ArrayId, LinearId, Literal};

/// A field of an element of an object, found from an address.
struct Target {
    object: ObjectId,
    /// Position in the layout.
    field: usize,
    /// What the layout says it holds.
    kind: Type,
    /// The element.
    index: LinearId,
    /// `index < lower` and `index >= upper`: out of bounds.
    outside: [Literal; 2],
    /// Where the contents stand, under which literals.
    places: Vec<(Vec<Literal>, Contents)>,
}

/// Where the contents of a field stand.
enum Contents {
    Cell(usize, Slot),
    Rest(ArrayId),
}

/// The field that an access of this type hits, with every place where its contents may stand. The places are exhaustive for all indices
/// inside the bounds (`spec/calculus.md#attacks` E1).
fn target(step: &mut Step<'_, '_>, address: RegisterId, offset: i64, access: Type) -> Result<Target, Stop> {
    let Pointer::To { object, index, byte } = step.pointer(address)? else { return Err(Stop::Fail(Failure::NullPointer)) };
    let layout = step.setting.layout(object)?;
    let (elements, byte) = divide(add(i128::from(byte), i128::from(offset))?, i128::from(layout.size))?;
    let index = step.arena.plus(index, elements)?;
    let mut hit = layout.fields.iter().enumerate().filter(|(_, field)| i128::from(field.offset) == byte);
    let unsupported = Rejection::Unsupported(Unsupported::Access);
    let (field, kind) = hit.next().map(|(position, field)| (position, field.kind)).ok_or(unsupported)?;
    match (access, kind) {
        (Type::Pointer, Type::Pointer) => {}
        (Type::Integer(access), Type::Integer(kind)) if width(access) == width(kind) => {}
        _ => return Err(unsupported.into()),
    }
    let state = step.member.object(object).ok_or(Rejection::Missing)?;
    let contents = state.fields.get(field).ok_or(Rejection::Missing)?;
    let (below, above) = (step.arena.less(index, state.lower)?, step.arena.at_most(state.upper, index)?);
    let inside = [step.arena.negate(below)?, step.arena.negate(above)?];
    let cells = i128::try_from(contents.cells.len()).map_err(|_| Rejection::Overflow)?;
    let (constant, lower, upper) = (step.arena.value(index), step.arena.value(state.lower), step.arena.value(state.upper));
    // Without an array for the rest, the cells are all there is.
    if contents.rest.is_none() && !(lower.is_some_and(|lower| lower >= 0) && upper.is_some_and(|upper| upper <= cells)) {
        return Err(Rejection::Shape.into());
    }
    let mut places = Vec::new();
    for (position, (number, slot)) in (0i128..).zip(contents.cells.iter().enumerate()) {
        if constant.is_none_or(|constant| constant == position) && lower.is_none_or(|lower| lower <= position) {
            let literal = at(step.arena, index, position)?;
            places.push((inside.iter().copied().chain([literal]).collect(), Contents::Cell(number, *slot)));
        }
    }
    if let Some(rest) = contents.rest {
        let (zero, cells) = (step.arena.constant(0)?, step.arena.constant(cells)?);
        let mut places_of_rest = vec![step.arena.at_most(cells, index)?];
        // An object whose lower bound is not known may begin below the cells.
        if lower.is_none_or(|lower| lower < 0) {
            places_of_rest.push(step.arena.less(index, zero)?);
        }
        for literal in places_of_rest {
            if step.arena.evident(literal) != Some(false) {
                places.push((inside.iter().copied().chain([literal]).collect(), Contents::Rest(rest)));
            }
        }
    }
    Ok(Target { object, field, kind, index, outside: [below, above], places })
}

fn out_of_bounds(target: &Target) -> [Outcome; 2] {
    target.outside.map(|literal| exact(vec![literal], Effect::Fail(Failure::OutOfBounds)))
}

/// A value as the other type of the same width, or as it is.
fn as_type(step: &mut Step<'_, '_>, value: LinearId, from: Type, to: Type) -> Result<Vec<(Vec<Literal>, LinearId)>, Rejection> {
    match to {
        Type::Integer(kind) if from != to && kind != IntegerType::Bool => step.convert(value, kind, Periods::One),
        _ if from != to => Err(Rejection::Unsupported(Unsupported::Access)),
        _ => Ok(vec![(Vec::new(), value)]),
    }
}

/// Reads a field. An uninitialised or forgotten cell is copied as it is.
pub(crate) fn load(step: &mut Step<'_, '_>, register: RegisterId, address: RegisterId, offset: i64) -> Outcomes {
    let access = step.setting.register_type(register)?;
    let target = target(step, address, offset, access)?;
    let mut outcomes = Vec::new();
    for (literals, contents) in &target.places {
        let slot = match *contents {
            Contents::Cell(_, slot) => slot,
            Contents::Rest(rest) => Slot::Integer(step.arena.select(rest, target.index)?),
        };
        match slot {
            Slot::Integer(value) => {
                for (conversion, value) in as_type(step, value, target.kind, access)? {
                    let effect = Effect::Register(register, Slot::Integer(value));
                    outcomes.push(exact(literals.iter().copied().chain(conversion).collect(), effect));
                }
            }
            Slot::Forgotten if target.kind != access => return Err(Rejection::Forgotten.into()),
            _ => outcomes.push(exact(literals.clone(), Effect::Register(register, slot))),
        }
    }
    outcomes.extend(out_of_bounds(&target));
    Ok(outcomes)
}

/// Writes a field.
pub(crate) fn store(step: &mut Step<'_, '_>, address: RegisterId, offset: i64, source: RegisterId) -> Outcomes {
    let access = step.setting.register_type(source)?;
    let target = target(step, address, offset, access)?;
    let origin = &step.setting.program.objects.get(target.object.index()).ok_or(Rejection::Missing)?.origin;
    if let Origin::Static { access: Access::ReadOnly, .. } = origin {
        return Err(Stop::Fail(Failure::ReadOnly));
    }
    let slot = step.member.register(source)?;
    let values = match slot {
        Slot::Integer(value) => as_type(step, value, access, target.kind)?,
        Slot::Forgotten if access != Type::Pointer => return Err(Rejection::Forgotten.into()),
        _ => Vec::new(),
    };
    let mut outcomes = Vec::new();
    for (literals, contents) in &target.places {
        let (object, field) = (target.object, target.field);
        if values.is_empty() {
            let Contents::Cell(cell, _) = *contents else { return Err(Rejection::Shape.into()) };
            outcomes.push(exact(literals.clone(), Effect::Cell { object, field, cell, slot }));
        }
        for (conversion, value) in &values {
            let effect = match *contents {
                Contents::Cell(cell, _) => Effect::Cell { object, field, cell, slot: Slot::Integer(*value) },
                Contents::Rest(_) => Effect::Rest { object, field, index: target.index, value: *value },
            };
            outcomes.push(exact(literals.iter().chain(conversion).copied().collect(), effect));
        }
    }
    outcomes.extend(out_of_bounds(&target));
    Ok(outcomes)
}

/// `free(NULL)` is nothing; anything but the start of a live object from `malloc` or the inputs fails (C11 7.22.3.3p2).
pub(crate) fn free(step: &mut Step<'_, '_>, pointer: RegisterId) -> Outcomes {
    let Pointer::To { object, index, byte } = step.pointer(pointer)? else { return Ok(vec![exact(Vec::new(), step.next())]) };
    let origin = &step.setting.program.objects.get(object.index()).ok_or(Rejection::Missing)?.origin;
    if byte != 0 || !matches!(origin, Origin::Heap | Origin::Input) {
        return Err(Stop::Fail(Failure::InvalidFree));
    }
    let lower = step.member.object(object).ok_or(Rejection::Missing)?.lower;
    let start = step.arena.equal(index, lower)?;
    let elsewhere = step.arena.negate(start)?;
    Ok(vec![exact(vec![start], Effect::Kill(object)), exact(vec![elsewhere], Effect::Fail(Failure::InvalidFree))])
}
