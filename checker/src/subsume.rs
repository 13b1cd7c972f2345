//! Subsume: a template covers a configuration (`spec/calculus.md#subsume`; red-black graphs §4.4, Shrinker §4.3 `HMorePrecise`).

use crate::substitution::{Substitution, variables};
use crate::{Arena, Configuration, Member, Obligations, Oracle, Part, Place, Rejection, Setting, ensure};
use alloc::{sync::Arc, vec::Vec};
use goatherd_certificates::{Array, ArrayId, LinearId, Literal, ObjectState, Scope, Slot, Template, Type};

/// The configuration that a template describes. Its terms mention its own variables only; what it does not list is forgotten or not there.
pub fn template(arena: &mut Arena, setting: Setting<'_>, template: &Template) -> Result<Configuration, Rejection> {
    let scope = &template.scope;
    template.predicate.iter().try_for_each(|literal| arena.exists(scope, Part::Linear(literal.term)))?;
    let mut members = Vec::new();
    for stored in &template.members {
        let mut member = Member::new(setting, Place::At(stored.location), Slot::Forgotten);
        ensure(
            stored.registers.is_sorted_by(|(left, _), (right, _)| left < right)
                && stored.objects.is_sorted_by(|left, right| left.object < right.object),
            Rejection::Shape,
        )?;
        for (register, slot) in &stored.registers {
            check_slot(arena, scope, *slot, setting.register_type(*register)?)?;
            member.set_register(*register, *slot)?;
        }
        for state in &stored.objects {
            let layout = setting.layout(state.object)?;
            ensure(state.fields.len() == layout.fields.len(), Rejection::Shape)?;
            [state.lower, state.upper].into_iter().try_for_each(|bound| arena.exists(scope, Part::Linear(bound)))?;
            for (contents, field) in state.fields.iter().zip(&layout.fields) {
                contents.cells.iter().try_for_each(|slot| check_slot(arena, scope, *slot, field.kind))?;
                ensure(contents.rest.is_none() || field.kind != Type::Pointer, Rejection::Shape)?;
                contents.rest.map_or(Ok(()), |rest| arena.exists(scope, Part::Array(rest)))?;
            }
            *member.objects.get_mut(state.object.index()).ok_or(Rejection::Missing)? = Some(Arc::new(state.clone()));
        }
        members.push(member);
    }
    ensure(!members.is_empty(), Rejection::Shape)?;
    Ok(Configuration { scope: template.scope, predicate: template.predicate.clone(), members, entry: None, progress: false })
}

/// The slot may hold what it does, and its term exists.
fn check_slot(arena: &Arena, scope: &Scope, slot: Slot, kind: Type) -> Result<(), Rejection> {
    let (term, agrees) = match slot {
        Slot::Forgotten | Slot::Uninitialised => (None, true),
        Slot::Integer(term) => (Some(term), kind != Type::Pointer),
        Slot::Null => (None, kind == Type::Pointer),
        Slot::Pointer { index, .. } => (Some(index), kind == Type::Pointer),
    };
    term.map_or(Ok(()), |term| arena.exists(scope, Part::Linear(term)))?;
    ensure(agrees, Rejection::Shape)
}

/// The parts of one application of the rule.
struct Subsumption<'a> {
    obligations: Obligations<'a>,
    theta: Substitution,
}

/// Subsume: every herd of the configuration is one of the template, under the substitution. The primary has taken a step since the
/// template's root (`spec/calculus.md#attacks` trap 2).
pub fn subsume(
    arena: &mut Arena,
    configuration: &Configuration,
    template: &Configuration,
    integers: &[LinearId],
    arrays: &[ArrayId],
    oracle: &mut dyn Oracle,
) -> Result<(), Rejection> {
    ensure(configuration.progress, Rejection::Progress)?;
    let theta = Substitution::new(arena, &template.scope, integers, arrays)?;
    let (integer_variables, array_variables) = variables(&template.scope);
    let mut obligations = configuration.obligations(arena, oracle);
    for (variable, term) in integer_variables.into_iter().zip(integers) {
        obligations.integer(*term, variable.sort)?;
    }
    for (variable, array) in array_variables.into_iter().zip(arrays) {
        obligations.array(*array, variable.sort)?;
    }
    let mut this = Subsumption { obligations, theta };
    ensure(configuration.members.len() == template.members.len(), Rejection::Shape)?;
    for (member, target) in configuration.members.iter().zip(&template.members) {
        this.member(member, target)?;
    }
    for literal in &template.predicate {
        let term = this.theta.linear(this.obligations.arena, literal.term)?;
        this.obligations.entail(Literal { term, ..*literal })?;
    }
    Ok(())
}

impl Subsumption<'_> {
    fn member(&mut self, member: &Member, target: &Member) -> Result<(), Rejection> {
        ensure(member.place == target.place, Rejection::Shape)?;
        for (slot, target) in member.registers.iter().zip(&target.registers) {
            self.slot(*slot, *target)?;
        }
        for (state, target) in member.objects.iter().zip(&target.objects) {
            match (state, target) {
                (None, None) => {}
                (Some(state), Some(target)) => self.object(state, target)?,
                _ => return Err(Rejection::Shape),
            }
        }
        Ok(())
    }

    fn object(&mut self, state: &ObjectState, target: &ObjectState) -> Result<(), Rejection> {
        ensure(state.life == target.life, Rejection::Shape)?;
        self.equal(state.lower, target.lower)?;
        self.equal(state.upper, target.upper)?;
        for (field, target) in state.fields.iter().zip(&target.fields) {
            ensure(field.cells.len() == target.cells.len() && field.rest.is_some() == target.rest.is_some(), Rejection::Shape)?;
            for (slot, target) in field.cells.iter().zip(&target.cells) {
                self.slot(*slot, *target)?;
            }
            for (array, target) in field.rest.iter().zip(target.rest) {
                let target = self.theta.array(self.obligations.arena, target)?;
                self.equal_arrays(*array, target)?;
            }
        }
        Ok(())
    }

    /// A forgotten target takes anything; an uninitialised one only itself (`spec/calculus.md#attacks` D2, H9).
    fn slot(&mut self, slot: Slot, target: Slot) -> Result<(), Rejection> {
        match (slot, target) {
            (_, Slot::Forgotten) | (Slot::Uninitialised, Slot::Uninitialised) | (Slot::Null, Slot::Null) => Ok(()),
            (Slot::Integer(term), Slot::Integer(target)) => self.equal(term, target),
            (Slot::Pointer { object, index, byte }, Slot::Pointer { object: other, index: target, byte: other_byte })
                if object == other && byte == other_byte =>
            {
                self.equal(index, target)
            }
            _ => Err(Rejection::Slot),
        }
    }

    fn equal(&mut self, term: LinearId, target: LinearId) -> Result<(), Rejection> {
        let target = self.theta.linear(self.obligations.arena, target)?;
        self.equal_images(term, target)
    }

    fn equal_images(&mut self, term: LinearId, target: LinearId) -> Result<(), Rejection> {
        let literal = self.obligations.arena.equal(term, target)?;
        self.obligations.entail(literal)
    }

    /// The same array, or stores of equal values at equal indices into equal arrays.
    fn equal_arrays(&mut self, array: ArrayId, target: ArrayId) -> Result<(), Rejection> {
        let (mut array, mut target) = (array, target);
        while array != target {
            match (self.obligations.arena.array(array)?.clone(), self.obligations.arena.array(target)?.clone()) {
                (
                    Array::Store { array: below, index, value },
                    Array::Store { array: target_below, index: target_index, value: target_value },
                ) => {
                    self.equal_images(index, target_index)?;
                    self.equal_images(value, target_value)?;
                    (array, target) = (below, target_below);
                }
                (Array::Constant(value), Array::Constant(target_value)) => return self.equal_images(value, target_value),
                _ => return Err(Rejection::Slot),
            }
        }
        Ok(())
    }
}
