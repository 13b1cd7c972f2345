//! Templates: what is kept of a configuration where the paths of a graph meet (`spec/paths.md#certificates`).

use super::literal::{Literal, Residue, Variable as LtsVariable};
use goatherd_certificates::{
    configuration::{FieldState, Member, ObjectState, Slot, Template},
    program::{IntegerType, RegisterId, Type},
    term::{ArrayId, ArrayVariable, AtomId, LinearId, Literal as Fact, Scope, Sign, Variable},
};
use goatherd_checker::{
    configuration::{Configuration, Place, Setting},
    rejection::Rejection,
    substitution,
    term::{Arena, array_count, integer_count, next},
};
use std::collections::BTreeMap;

/// A template, and the substitution under which it covers the configuration that it was made from.
pub(super) struct Generalisation {
    pub(super) template: Template,
    pub(super) integers: Vec<LinearId>,
    pub(super) arrays: Vec<ArrayId>,
}

/// The template of a configuration that keeps just these registers and literals: what it forgets is any value.
pub(super) fn generalise(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &Configuration,
    literals: &[&Literal],
    keeps: impl Fn(RegisterId) -> bool,
) -> Result<Generalisation, Rejection> {
    let member = configuration.members.first().ok_or(Rejection::Missing)?;
    let Place::At(location) = member.place else { return Err(Rejection::AtEnd) };
    let mut this = Generaliser { arena, configuration, scope: Scope::default(), integers: BTreeMap::new(), arrays: BTreeMap::new() };
    let mut registers = Vec::new();
    let mut values = BTreeMap::new();
    for (number, slot) in (0..).zip(&member.registers) {
        let register = RegisterId(number);
        let is_mentioned = literals.iter().any(|literal| literal.term().iter().any(|(variable, _)| *variable == number));
        if *slot == Slot::Forgotten || !(is_mentioned || keeps(register)) {
            continue;
        }
        let general = this.slot(*slot, sort(setting, setting.register_type(register)?))?;
        if let (Slot::Integer(value), Slot::Integer(variable)) = (*slot, general) {
            values.insert(number, (value, variable));
        }
        registers.push((register, general));
    }
    let mut objects = Vec::new();
    for state in member.objects.iter().flatten() {
        objects.push(this.object(setting, state)?);
    }
    let mut predicate = Vec::new();
    for literal in literals {
        predicate.extend(this.literal(literal, &values)?);
    }
    let Generaliser { scope, integers, arrays, .. } = this;
    let template = Template { scope, predicate, members: vec![Member { location, registers, objects }] };
    let (integer_variables, array_variables) = substitution::variables(&scope);
    let integers = integer_variables.iter().map(|variable| integers.get(variable).copied().ok_or(Rejection::Substitution));
    let arrays = array_variables.iter().map(|variable| arrays.get(variable).copied().ok_or(Rejection::Substitution));
    Ok(Generalisation { template, integers: integers.collect::<Result<_, _>>()?, arrays: arrays.collect::<Result<_, _>>()? })
}

/// The sort of the values of a register or field.
fn sort(setting: Setting<'_>, kind: Type) -> Option<IntegerType> {
    match kind {
        Type::Integer(kind) => setting.sort(kind),
        Type::Pointer => None,
    }
}

struct Generaliser<'a> {
    arena: &'a mut Arena,
    configuration: &'a Configuration,
    scope: Scope,
    integers: BTreeMap<Variable, LinearId>,
    arrays: BTreeMap<ArrayVariable, ArrayId>,
}

impl Generaliser<'_> {
    /// A new variable, for which the configuration has this value.
    fn variable(&mut self, sort: Option<IntegerType>, value: LinearId) -> Result<LinearId, Rejection> {
        let variable = Variable { sort, number: next(integer_count(&mut self.scope, sort)?)? };
        self.integers.insert(variable, value);
        self.arena.variable(variable)
    }

    fn slot(&mut self, slot: Slot, sort: Option<IntegerType>) -> Result<Slot, Rejection> {
        Ok(match slot {
            Slot::Integer(value) => Slot::Integer(self.variable(sort, value)?),
            Slot::Pointer { object, index, byte } => Slot::Pointer { object, index: self.bound(index)?, byte },
            Slot::Forgotten | Slot::Uninitialised | Slot::Null => slot,
        })
    }

    /// A number stays; anything else is any value.
    fn bound(&mut self, bound: LinearId) -> Result<LinearId, Rejection> {
        if self.arena.value(bound).is_some() { Ok(bound) } else { self.variable(None, bound) }
    }

    fn object(&mut self, setting: Setting<'_>, state: &ObjectState) -> Result<ObjectState, Rejection> {
        let (lower, upper) = (self.bound(state.lower)?, self.bound(state.upper)?);
        let mut fields = Vec::new();
        for (field, declared) in state.fields.iter().zip(&setting.layout(state.object)?.fields) {
            let cells = field.cells.iter().map(|slot| self.slot(*slot, sort(setting, declared.kind))).collect::<Result<_, _>>()?;
            let rest = match (field.rest, declared.kind) {
                (Some(rest), Type::Integer(sort)) => {
                    let variable = ArrayVariable { sort, number: next(array_count(&mut self.scope, sort)?)? };
                    self.arrays.insert(variable, rest);
                    Some(self.arena.array_variable(variable)?)
                }
                (rest, _) => rest,
            };
            fields.push(FieldState { cells, rest });
        }
        Ok(ObjectState { object: state.object, life: state.life, lower, upper, fields })
    }

    /// The literal over the template's variables; none where it speaks of a register without a value.
    fn literal(&mut self, literal: &Literal, values: &BTreeMap<LtsVariable, (LinearId, LinearId)>) -> Result<Option<Fact>, Rejection> {
        let minus = |number: i128| number.checked_neg().ok_or(Rejection::Overflow);
        let (sign, constant) = match literal {
            Literal::True | Literal::False => return Ok(None),
            Literal::AtMost(_, bound) => (Sign::AtMostZero, minus(*bound)?),
            Literal::Differs(_, value) => (Sign::NotZero, minus(*value)?),
            Literal::Residue(Residue { remainder, .. }) => (Sign::Zero, minus(*remainder)?),
        };
        let Some((value, general)) = self.sums(literal.term(), constant, values)? else { return Ok(None) };
        let Literal::Residue(Residue { modulus, .. }) = literal else { return Ok(Some(Fact { sign, term: general })) };
        let Some(quotient) = exact_quotient(self.arena, &self.configuration.predicate, value, *modulus)? else { return Ok(None) };
        let quotient = self.variable(None, quotient)?;
        let term = self.arena.combine(0, &[(general, 1), (quotient, minus(*modulus)?)])?;
        Ok(Some(Fact { sign, term }))
    }

    /// The term plus the constant, in the configuration and in the template.
    fn sums(
        &mut self,
        term: &[(LtsVariable, i128)],
        constant: i128,
        values: &BTreeMap<LtsVariable, (LinearId, LinearId)>,
    ) -> Result<Option<(LinearId, LinearId)>, Rejection> {
        let (mut own, mut general) = (Vec::new(), Vec::new());
        for (variable, coefficient) in term {
            let Some((value, stands)) = values.get(variable) else { return Ok(None) };
            own.push((*value, *coefficient));
            general.push((*stands, *coefficient));
        }
        Ok(Some((self.arena.combine(constant, &own)?, self.arena.combine(constant, &general)?)))
    }
}

/// A sum of atoms, and the number added to it.
#[derive(Clone)]
struct Row {
    atoms: BTreeMap<AtomId, i128>,
    constant: i128,
}

impl Row {
    fn new(arena: &Arena, term: LinearId) -> Result<Self, Rejection> {
        let linear = arena.linear(term)?;
        Ok(Self { atoms: linear.summands.iter().copied().collect(), constant: linear.constant })
    }

    /// Takes so many times the other row away that the atom's coefficient is a multiple of the modulus.
    fn reduce(&mut self, other: &Self, atom: AtomId, modulus: i128) -> Result<(), Rejection> {
        let coefficient = |row: &Self| row.atoms.get(&atom).copied().unwrap_or_default();
        let Some(inverse) = inverse(coefficient(other), modulus) else { return Ok(()) };
        let factor = multiply(coefficient(self).rem_euclid(modulus), inverse)?.rem_euclid(modulus);
        for (atom, coefficient) in &other.atoms {
            let entry = self.atoms.entry(*atom).or_default();
            *entry = entry.checked_sub(multiply(*coefficient, factor)?).ok_or(Rejection::Overflow)?;
        }
        self.constant = self.constant.checked_sub(multiply(other.constant, factor)?).ok_or(Rejection::Overflow)?;
        Ok(())
    }
}

fn multiply(left: i128, right: i128) -> Result<i128, Rejection> {
    left.checked_mul(right).ok_or(Rejection::Overflow)
}

/// The number that, times this one, is 1 more than a multiple of the modulus. Moduli are small: they are tried.
fn inverse(number: i128, modulus: i128) -> Option<i128> {
    let number = number.rem_euclid(modulus);
    (1..modulus.min(1 << 12)).find(|inverse| (number * inverse).rem_euclid(modulus) == 1)
}

/// An integral term whose product with the modulus is equal to the value, by the equations of the predicate.
fn exact_quotient(arena: &mut Arena, predicate: &[Fact], value: LinearId, modulus: i128) -> Result<Option<LinearId>, Rejection> {
    let mut value = Row::new(arena, value)?;
    let mut pivots: Vec<(Row, AtomId)> = Vec::new();
    for equation in predicate.iter().filter(|fact| fact.sign == Sign::Zero) {
        let mut row = Row::new(arena, equation.term)?;
        for (pivot, atom) in &pivots {
            row.reduce(pivot, *atom, modulus)?;
        }
        let pivot = row.atoms.iter().find(|(_, coefficient)| inverse(**coefficient, modulus).is_some()).map(|(atom, _)| *atom);
        if let Some(atom) = pivot {
            value.reduce(&row, atom, modulus)?;
            pivots.push((row, atom));
        }
    }
    let numbers = value.atoms.values().chain([&value.constant]);
    if !numbers.clone().all(|number| number % modulus == 0) {
        return Ok(None);
    }
    let mut parts = Vec::new();
    for (atom, coefficient) in &value.atoms {
        parts.push((arena.of_atom(*atom)?, coefficient / modulus));
    }
    arena.combine(value.constant / modulus, &parts).map(Some)
}
