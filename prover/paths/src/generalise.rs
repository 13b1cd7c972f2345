//! Templates: what is kept of a configuration where the paths of a graph meet (`spec/paths.md#certificates`).

use crate::folding::Folding;
use goatherd_certificates::{
    InputSize,
    configuration::{Address, FieldState, Member, ObjectState, Slot, Template},
    derivation::Matching,
    program::{IntegerType, ObjectId, Origin, RegisterId, Type},
    term::{ArrayId, ArrayVariable, LinearId, Literal as Fact, Scope, Sign, Variable},
};
use goatherd_checker::{
    configuration::{Configuration, Member as Running, Place, Setting},
    rejection::Rejection,
    term::{Arena, array_count, integer_count, next},
};
use goatherd_logic::{meter::Meter, paths::congruence::exact_quotient};
use goatherd_systems::{
    literal::{Literal, Residue, Variable as LtsVariable},
    realisation::Element,
};
use std::collections::{BTreeMap, BTreeSet};

/// A template, and the substitution under which it covers the configuration that it was made from.
pub(super) struct Generalisation {
    pub(super) template: Template,
    pub(super) matching: Matching,
}

/// How a template is made.
pub(super) struct Manner<'a> {
    /// What variables of the system are, other than registers.
    pub(super) elements: &'a BTreeMap<LtsVariable, Element>,
    /// At most so many nodes of linked structures stay as they are.
    pub(super) nodes: usize,
    /// What reasoning is paid from.
    pub(super) meter: &'a Meter,
}

/// What becomes of the index of a pointer that is a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Indices {
    /// It stays.
    Kept,
    /// It is any number, as in a loop that moves the pointer.
    Any,
}

/// The template of a configuration that keeps just these registers and literals: what it forgets is any value.
pub(super) fn generalise(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &Configuration,
    literals: &[&Literal],
    Manner { elements, nodes, meter }: Manner<'_>,
    indices: impl Fn(RegisterId) -> Indices,
    keeps: impl Fn(RegisterId) -> bool,
) -> Result<Generalisation, Rejection> {
    let member = configuration.members.first().ok_or(Rejection::Missing)?;
    let Place::At(location) = member.place else { return Err(Rejection::AtEnd) };
    let variables = literals.iter().flat_map(|literal| literal.term()).map(|(variable, _)| *variable);
    let mentioned: BTreeSet<RegisterId> = variables
        .map(|variable| match elements.get(&variable) {
            Some(Element::Pointed(register)) => *register,
            _ => RegisterId(variable),
        })
        .collect();
    let is_kept = |(register, slot): &(RegisterId, &Slot)| **slot != Slot::Forgotten && (mentioned.contains(register) || keeps(*register));
    let kept: Vec<(RegisterId, &Slot)> = (0..).map(RegisterId).zip(&member.registers).filter(is_kept).collect();
    let others = others(setting, member)?;
    let cells = others.iter().filter_map(|object| member.object(*object)).flat_map(|state| &state.fields).flat_map(|field| &field.cells);
    let roots: Vec<Slot> = kept.iter().map(|(_, slot)| *slot).chain(cells).copied().collect();
    let folding = Folding::new(arena, setting, configuration, &roots, &others, nodes)?;
    let (scope, integers, arrays) = (Scope::default(), BTreeMap::new(), BTreeMap::new());
    let mut this = Generaliser { arena, configuration, meter, folding, scope, integers, arrays };
    let mut registers = Vec::new();
    let mut values = BTreeMap::new();
    for (register, slot) in kept {
        let general = this.slot(*slot, sort(setting, setting.register_type(register)?), indices(register))?;
        match (*slot, general) {
            // A pointer is its index.
            (Slot::Integer(value), Slot::Integer(variable))
            | (Slot::Pointer(Address { index: value, .. }), Slot::Pointer(Address { index: variable, .. })) => {
                values.insert(register.0, (value, variable));
            }
            _ => {}
        }
        registers.push((register, general));
    }
    let images: Vec<ObjectId> = others.iter().chain(&this.folding.kept).copied().collect();
    let mut objects = Vec::new();
    for object in &images {
        objects.push(this.object(setting, member.object(*object).ok_or(Rejection::Missing)?)?);
    }
    for (variable, element) in elements {
        if literals.iter().any(|literal| literal.term().iter().any(|(mentioned, _)| mentioned == variable))
            && let Some(value) = this.element(member, &objects, *element, &values)?
        {
            values.insert(*variable, value);
        }
    }
    let mut predicate = Vec::new();
    for literal in literals {
        predicate.extend(this.literal(literal, &values)?);
    }
    let Generaliser { scope, integers, arrays, folding, .. } = this;
    let (trees, folded, paths) = (folding.trees(), folding.folded(), folding.paths());
    let members = vec![Member { location, size: InputSize::NotLarger, consumed: Slot::Forgotten, registers, objects, folded }];
    let template = Template { scope, trees, predicate, members };
    let (integer_variables, array_variables) = goatherd_logic::terms::variables(&scope);
    let integers = integer_variables.iter().map(|variable| integers.get(variable).copied().ok_or(Rejection::Substitution));
    let arrays = array_variables.iter().map(|variable| arrays.get(variable).copied().ok_or(Rejection::Substitution));
    let (integers, arrays) = (integers.collect::<Result<_, _>>()?, arrays.collect::<Result<_, _>>()?);
    Ok(Generalisation { template, matching: Matching { integers, arrays, paths, objects: vec![images], ..Matching::default() } })
}

/// The objects that are no nodes.
fn others(setting: Setting<'_>, member: &Running) -> Result<Vec<ObjectId>, Rejection> {
    let mut others = Vec::new();
    for state in member.objects.iter().flatten() {
        if !matches!(setting.object(state.declaration)?.origin, Origin::Node { .. }) {
            others.push(state.object);
        }
    }
    Ok(others)
}

/// The bound over what the registers and elements hold; none where some of that is not known, or the literal is no bound.
pub(super) fn fact(
    arena: &mut Arena,
    member: &Running,
    bound: &Literal,
    elements: &BTreeMap<LtsVariable, Element>,
) -> Result<Option<Fact>, Rejection> {
    let Literal::AtMost(term, limit) = bound else { return Ok(None) };
    let mut sum = Vec::new();
    for (variable, coefficient) in term {
        let Some(value) = held(arena, member, *variable, elements)? else { return Ok(None) };
        sum.push((value, *coefficient));
    }
    let term = arena.combine(limit.checked_neg().ok_or(Rejection::Overflow)?, &sum)?;
    Ok(Some(Fact { sign: Sign::AtMostZero, term }))
}

/// What a variable of the system holds: a register, its index if it is a pointer, or an element of an array.
fn held(
    arena: &mut Arena,
    member: &Running,
    variable: LtsVariable,
    elements: &BTreeMap<LtsVariable, Element>,
) -> Result<Option<LinearId>, Rejection> {
    let slot = |register: RegisterId| member.registers.get(register.index()).copied();
    let (object, index) = match (elements.get(&variable), slot(RegisterId(variable))) {
        (None, Some(Slot::Integer(value) | Slot::Pointer(Address { index: value, .. }))) => return Ok(Some(value)),
        (Some(Element::Pointed(register)), _) => match slot(*register) {
            Some(Slot::Pointer(Address { object, index, byte: 0 })) => (object, index),
            _ => return Ok(None),
        },
        (Some(Element::Indexed(object, place)), _) => (*object, arena.constant(*place)?),
        (None, _) => return Ok(None),
    };
    let state = member.objects.iter().flatten().find(|state| state.object == object);
    let rest = state.and_then(|state| contents(state));
    rest.map(|rest| arena.select(rest, index)).transpose()
}

/// The elements of an array of integers.
fn contents(state: &ObjectState) -> Option<ArrayId> {
    state.fields.first().filter(|field| field.cells.is_empty())?.rest
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
    meter: &'a Meter,
    folding: Folding,
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

    fn slot(&mut self, slot: Slot, sort: Option<IntegerType>, indices: Indices) -> Result<Slot, Rejection> {
        if let Some(image) = self.folding.image(slot) {
            let Slot::Pointer(Address { object, index, byte }) = image else { return Ok(image) };
            return Ok(Slot::Pointer(Address { object, index: self.bound(index)?, byte }));
        }
        Ok(match slot {
            Slot::Integer(value) => Slot::Integer(self.variable(sort, value)?),
            Slot::Pointer(Address { object, index, byte }) => {
                let index = match indices {
                    Indices::Kept => self.bound(index)?,
                    Indices::Any => self.variable(None, index)?,
                };
                Slot::Pointer(Address { object: self.folding.name(object), index, byte })
            }
            Slot::Forgotten | Slot::Folded(_) | Slot::Last(_) => Slot::Forgotten,
            Slot::Uninitialised | Slot::Null => slot,
        })
    }

    /// A number stays; anything else is any value.
    fn bound(&mut self, bound: LinearId) -> Result<LinearId, Rejection> {
        if self.arena.value(bound).is_some() { Ok(bound) } else { self.variable(None, bound) }
    }

    fn object(&mut self, setting: Setting<'_>, state: &ObjectState) -> Result<ObjectState, Rejection> {
        let (lower, upper) = (self.bound(state.lower)?, self.bound(state.upper)?);
        let mut fields = Vec::new();
        for (field, declared) in state.fields.iter().zip(&setting.layout(state.declaration)?.fields) {
            let cells =
                field.cells.iter().map(|slot| self.slot(*slot, sort(setting, declared.kind), Indices::Any)).collect::<Result<_, _>>()?;
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
        Ok(ObjectState { object: self.folding.name(state.object), declaration: state.declaration, life: state.life, lower, upper, fields })
    }

    /// An element of memory, in the configuration and in the template; none where it is not known which one it is, or not in an array.
    fn element(
        &mut self,
        member: &Running,
        general: &[ObjectState],
        element: Element,
        values: &BTreeMap<LtsVariable, (LinearId, LinearId)>,
    ) -> Result<Option<(LinearId, LinearId)>, Rejection> {
        let (object, own_index, general_index) = match element {
            Element::Pointed(register) => match (member.registers.get(register.index()).copied(), values.get(&register.0)) {
                (Some(Slot::Pointer(Address { object, byte: 0, .. })), Some((own, general))) => (object, *own, *general),
                _ => return Ok(None),
            },
            Element::Indexed(object, index) => {
                let index = self.arena.constant(index)?;
                (object, index, index)
            }
        };
        let own = member.objects.iter().flatten().find(|state| state.object == object).and_then(|state| contents(state));
        let name = self.folding.name(object);
        let general = general.iter().find(|state| state.object == name).and_then(contents);
        let (Some(own), Some(general)) = (own, general) else { return Ok(None) };
        Ok(Some((self.arena.select(own, own_index)?, self.arena.select(general, general_index)?)))
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
        let Some(quotient) = exact_quotient(self.arena, &self.configuration.predicate, value, *modulus, self.meter)? else {
            return Ok(None);
        };
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
