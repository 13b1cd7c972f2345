//! Loads, stores and `free`: which cell an address names, and who may touch it (`spec/calculus.md#memory`).

use crate::arithmetic::{add, divide, subtract, width};
use crate::outcome::{Element, FieldWrite};
use crate::step::{Case, Outcomes, Periods, Step, Stop, always, exact, failing};
use crate::*;
use alloc::{vec, vec::Vec};
use goatherd_certificates::*;

/// A field of an element of an object, found from an address.
struct Target {
    /// The object.
    object: ObjectId,
    /// Position in the layout.
    field: usize,
    /// What the layout says it holds.
    kind: Type,
    /// `index < lower` and `index >= upper`, where they may hold: out of bounds.
    outside: Vec<Literal>,
    /// Where the contents stand.
    places: Vec<Place>,
}

/// A cell, or the array for the rest: under which literals, and what it holds.
type Place = (Vec<Literal>, Element, Slot);

/// Do all elements of the object have cells, as far as its bounds are numbers?
pub fn is_all(arena: &Arena, state: &ObjectState, field: &FieldState) -> bool {
    let is_above = |upper| usize::try_from(upper).is_ok_and(|upper| upper <= field.cells.len());
    arena.value(state.lower).is_some_and(|lower| lower >= 0)
        && arena.value(state.upper).is_some_and(is_above)
}

/// The position and the type of the field at the byte, if an access of this type hits it.
fn hit(layout: &Layout, byte: i128, access: Type) -> Option<(usize, Type)> {
    let is_hit = |field: &Field| match (access, field.kind) {
        _ if i128::from(field.offset) != byte => false,
        (Type::Integer(access), Type::Integer(kind)) => width(access) == width(kind),
        (access, kind) => access == kind,
    };
    let mut fields = layout.fields.iter().enumerate();
    let (position, field) = fields.find(|(_, field)| is_hit(field))?;
    Some((position, field.kind))
}

impl Step<'_, '_> {
    /// The field that an access of this type hits, with every place where its contents may stand. The places are exhaustive for all indices
    /// inside the bounds (`spec/calculus.md#attacks` E1).
    fn target(&mut self, address: RegisterId, offset: i64, access: Type) -> Result<Target, Stop> {
        let address = self.pointer(address)?.ok_or(Stop::Fail)?;
        let object = address.object;
        let layout = self.layout(object)?;
        let work = self.arena.budget.work(layout.fields.len());
        work.map_err(Rejection::from)?;
        let bytes = add(address.byte.into(), offset.into())?;
        let (elements, byte) = divide(bytes, layout.size.into())?;
        let index = self.arena.plus(address.index, elements)?;
        let hit = hit(layout, byte, access);
        let (field, kind) = hit.ok_or(Rejection::Unsupported(Unsupported::Access))?;
        let state = self.member.state(object)?;
        let contents = entry(&state.fields, field)?;
        let outside = self.outside(object, index, 0)?;
        let inside = self.negations(&outside)?;
        ensure(
            contents.rest.is_some() || is_all(self.arena, state, contents),
            Rejection::Shape,
        )?;
        let places = self.places(contents, (index, state.lower), &inside)?;
        Ok(Target {
            object,
            field,
            kind,
            outside,
            places,
        })
    }

    /// Every place in the field where the element at the index may stand, in an object with this lower bound, inside whose bounds it is.
    fn places(
        &mut self,
        contents: &FieldState,
        (index, lower): (LinearId, LinearId),
        inside: &[Literal],
    ) -> Result<Vec<Place>, Stop> {
        let cells = i128::try_from(contents.cells.len()).map_err(|_| Rejection::Overflow)?;
        let constant = self.arena.value(index);
        let lower = self.arena.value(lower);
        let mut places = Vec::new();
        let mut place = |arena: &Arena, literal, element, slot| {
            let literals = inside
                .iter()
                .copied()
                .chain([literal])
                .filter(|literal| arena.evident(*literal) != Some(true));
            places.push((literals.collect(), element, slot));
        };
        for (position, (cell, slot)) in (0i128..).zip(contents.cells.iter().enumerate()) {
            if constant.is_none_or(|constant| constant == position)
                && lower.is_none_or(|lower| lower <= position)
            {
                let distance = self.arena.plus(index, subtract(0, position)?)?;
                let is_here = Literal::new(Sign::Zero, distance);
                place(self.arena, is_here, Element::Cell(cell), *slot);
            }
        }
        if let Some(rest) = contents.rest {
            let slot = Slot::Integer(self.arena.select(rest, index)?);
            let mut beyond = vec![self.arena.combine(cells, &[(index, -1)])?];
            // An object whose lower bound is not known may begin below the cells.
            if lower.is_none_or(|lower| lower < 0) {
                beyond.push(self.arena.plus(index, 1)?);
            }
            for term in beyond {
                let literal = Literal::new(Sign::AtMostZero, term);
                if self.arena.evident(literal) != Some(false) {
                    place(self.arena, literal, Element::Rest(index), slot);
                }
            }
        }
        Ok(places)
    }

    /// What a slot of one type is as the other type of the same width, or as it is. A forgotten one may be uninitialised, so it has no other.
    fn as_type(&mut self, slot: Slot, from: Type, to: Type) -> Result<Vec<(Vec<Literal>, Slot)>> {
        match (slot, to) {
            (Slot::Integer(value), Type::Integer(kind))
                if from != to && kind != IntegerType::Bool =>
            {
                let slot = |(literals, value): Case| {
                    Ok((literals, Slot::Integer(value.ok_or(Rejection::Missing)?)))
                };
                let converted = self.convert(value, kind, Periods::One)?;
                converted.into_iter().map(slot).collect()
            }
            (Slot::Integer(_), _) if from != to => Err(Rejection::Unsupported(Unsupported::Access)),
            (Slot::Forgotten, _) if from != to => Err(Rejection::Forgotten),
            _ => Ok(vec![(Vec::new(), slot)]),
        }
    }

    /// Reads a field. An uninitialised or forgotten cell is copied as it is.
    pub(crate) fn load(
        &mut self,
        register: RegisterId,
        address: RegisterId,
        offset: i64,
    ) -> Outcomes {
        let access = self.setting.register_type(register)?;
        let target = self.target(address, offset, access)?;
        // Of each place one, most often, and two failures.
        let mut outcomes = Vec::with_capacity(target.places.len().saturating_add(2));
        for (literals, _, slot) in &target.places {
            for (conversion, slot) in self.as_type(*slot, target.kind, access)? {
                outcomes.push(exact(
                    literals.iter().copied().chain(conversion).collect(),
                    Effect::Register(register, slot),
                ));
            }
        }
        outcomes.extend(failing(&target.outside));
        Ok(outcomes)
    }

    /// Writes a field.
    pub(crate) fn store(
        &mut self,
        address: RegisterId,
        offset: i64,
        source: RegisterId,
    ) -> Outcomes {
        let access = self.setting.register_type(source)?;
        let target = self.target(address, offset, access)?;
        let declaration = self.member.state(target.object)?.declaration;
        if let Origin::Static { access, .. } = &self.setting.object(declaration)?.origin {
            ensure(*access != Access::ReadOnly, Stop::Fail)?;
        }
        let slot = self.member.register(source)?;
        ensure(
            slot != Slot::Forgotten || access == Type::Pointer,
            Rejection::Forgotten,
        )?;
        let values = self.as_type(slot, access, target.kind)?;
        let mut outcomes = Vec::with_capacity(target.places.len().saturating_add(2));
        for (literals, element, _) in &target.places {
            for (conversion, slot) in &values {
                let fits = matches!(element, Element::Cell(_)) || matches!(slot, Slot::Integer(_));
                ensure(fits, Rejection::Shape)?;
                let effect = Effect::Store(FieldWrite {
                    object: target.object,
                    field: target.field,
                    element: *element,
                    slot: *slot,
                });
                outcomes.push(exact(
                    literals.iter().chain(conversion).copied().collect(),
                    effect,
                ));
            }
        }
        outcomes.extend(failing(&target.outside));
        Ok(outcomes)
    }

    /// `free(NULL)` is nothing; anything but the start of a live object from `malloc` or the inputs fails (C11 7.22.3.3p2).
    pub(crate) fn free(&mut self, pointer: RegisterId) -> Outcomes {
        let Some(address) = self.pointer(pointer)? else {
            return Ok(always(self.next()));
        };
        let state = self.member.state(address.object)?;
        let origin = &self.setting.object(state.declaration)?.origin;
        ensure(address.byte == 0 && !flow::is_named(origin), Stop::Fail)?;
        let start = self.arena.equal(address.index, state.lower)?;
        self.either(start, Effect::Kill(address.object), Effect::Fail)
    }
}
