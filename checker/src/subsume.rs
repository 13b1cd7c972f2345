//! Subsume: a template covers a configuration (`spec/calculus.md#subsume`; red-black graphs §4.4, Shrinker §4.3 `HMorePrecise`).

use crate::configuration::{Configuration, Member, Place, Setting};
use crate::outcome::{Oracle, entail, entail_array_range, entail_range};
use crate::rejection::Rejection;
use crate::term::{Arena, SORTS, includes};
use alloc::{collections::BTreeMap, sync::Arc, vec, vec::Vec};
use goatherd_certificates::configuration::{ObjectState, Slot, Template};
use goatherd_certificates::program::Type;
use goatherd_certificates::term::{Array, ArrayId, ArrayVariable, Atom, LinearId, Literal, Scope, Sign, Variable};

/// The configuration that a template describes. Its terms mention its own variables only; what it does not list is forgotten or not there.
pub fn template(arena: &mut Arena, setting: Setting<'_>, template: &Template) -> Result<Configuration, Rejection> {
    let mentions = |term: LinearId| {
        if includes(&template.scope, &arena.scope(term)?) { Ok(()) } else { Err(Rejection::Variable) }
    };
    let slot_mentions = |slot: &Slot| match slot {
        Slot::Integer(term) | Slot::Pointer { index: term, .. } => mentions(*term),
        Slot::Forgotten | Slot::Uninitialised | Slot::Null => Ok(()),
    };
    for literal in &template.predicate {
        mentions(literal.term)?;
    }
    let mut members = Vec::new();
    for stored in &template.members {
        let mut member = Member {
            place: Place::At(stored.location),
            registers: vec![Slot::Forgotten; setting.program.registers.len()],
            objects: vec![None; setting.program.objects.len()],
        };
        if !stored.registers.is_sorted_by(|(left, _), (right, _)| left < right)
            || !stored.objects.is_sorted_by(|left, right| left.object < right.object)
        {
            return Err(Rejection::Shape);
        }
        for (register, slot) in &stored.registers {
            slot_mentions(slot)?;
            if !agrees(*slot, setting.register_type(*register)?) {
                return Err(Rejection::Shape);
            }
            member.set_register(*register, *slot)?;
        }
        for state in &stored.objects {
            let layout = setting.layout(state.object)?;
            if state.fields.len() != layout.fields.len() {
                return Err(Rejection::Shape);
            }
            [state.lower, state.upper].into_iter().try_for_each(mentions)?;
            for (contents, field) in state.fields.iter().zip(&layout.fields) {
                contents.cells.iter().try_for_each(slot_mentions)?;
                if !contents.cells.iter().all(|slot| agrees(*slot, field.kind)) || contents.rest.is_some() && field.kind == Type::Pointer {
                    return Err(Rejection::Shape);
                }
                if let Some(rest) = contents.rest
                    && !includes(&template.scope, &arena.array_scope(rest)?)
                {
                    return Err(Rejection::Variable);
                }
            }
            *member.objects.get_mut(state.object.index()).ok_or(Rejection::Missing)? = Some(Arc::new(state.clone()));
        }
        members.push(member);
    }
    if members.is_empty() {
        return Err(Rejection::Shape);
    }
    Ok(Configuration { scope: template.scope, predicate: template.predicate.clone(), members, entry: None, progress: false })
}

fn agrees(slot: Slot, kind: Type) -> bool {
    match slot {
        Slot::Forgotten | Slot::Uninitialised => true,
        Slot::Integer(_) => kind != Type::Pointer,
        Slot::Null | Slot::Pointer { .. } => kind == Type::Pointer,
    }
}

/// A term for every variable of a template (theta).
pub struct Substitution {
    integers: BTreeMap<Variable, LinearId>,
    arrays: BTreeMap<ArrayVariable, ArrayId>,
    linear_images: BTreeMap<LinearId, LinearId>,
    array_images: BTreeMap<ArrayId, ArrayId>,
}

/// The variables of a scope, in the order in which a substitution lists their terms.
pub fn variables(scope: &Scope) -> (Vec<Variable>, Vec<ArrayVariable>) {
    let sorts = [None].into_iter().chain(SORTS.map(Some));
    let integers = sorts.zip(&scope.integers).flat_map(|(sort, count)| (0..*count).map(move |number| Variable { sort, number }));
    let arrays =
        SORTS.into_iter().zip(&scope.arrays).flat_map(|(sort, count)| (0..*count).map(move |number| ArrayVariable { sort, number }));
    (integers.collect(), arrays.collect())
}

/// How many variables a scope has, without taking memory for them.
fn is_total(scope: &Scope, integers: usize, arrays: usize) -> bool {
    let total = |counts: &[u32]| counts.iter().fold(0u64, |sum, count| sum.saturating_add(u64::from(*count)));
    u64::try_from(integers).is_ok_and(|given| given == total(&scope.integers))
        && u64::try_from(arrays).is_ok_and(|given| given == total(&scope.arrays))
}

/// What is still to be substituted; a work list instead of recursion.
#[derive(Clone, Copy)]
enum Work {
    Linear(LinearId),
    Array(ArrayId),
}

impl Substitution {
    fn is_done(&self, work: Work) -> bool {
        match work {
            Work::Linear(id) => self.linear_images.contains_key(&id),
            Work::Array(id) => self.array_images.contains_key(&id),
        }
    }

    fn linear(&mut self, arena: &mut Arena, id: LinearId) -> Result<LinearId, Rejection> {
        self.run(arena, Work::Linear(id))?;
        self.linear_images.get(&id).copied().ok_or(Rejection::Substitution)
    }

    fn array(&mut self, arena: &mut Arena, id: ArrayId) -> Result<ArrayId, Rejection> {
        self.run(arena, Work::Array(id))?;
        self.array_images.get(&id).copied().ok_or(Rejection::Substitution)
    }

    fn literal(&mut self, arena: &mut Arena, literal: Literal) -> Result<Literal, Rejection> {
        Ok(Literal { term: self.linear(arena, literal.term)?, ..literal })
    }

    fn run(&mut self, arena: &mut Arena, work: Work) -> Result<(), Rejection> {
        let mut stack = vec![work];
        while let Some(top) = stack.pop() {
            if self.is_done(top) {
                continue;
            }
            let mut needed = dependencies(arena, top)?;
            needed.retain(|work| !self.is_done(*work));
            match top {
                _ if !needed.is_empty() => stack.extend([top].into_iter().chain(needed)),
                Work::Linear(id) => _ = self.linear_images.insert(id, self.linear_image(arena, id)?),
                Work::Array(id) => _ = self.array_images.insert(id, self.array_image(arena, id)?),
            }
        }
        Ok(())
    }

    /// All arguments have their images.
    fn linear_image(&self, arena: &mut Arena, id: LinearId) -> Result<LinearId, Rejection> {
        let linear = arena.linear(id)?.clone();
        let image = |id: &LinearId| self.linear_images.get(id).copied().ok_or(Rejection::Substitution);
        let mut parts = Vec::new();
        for (atom, coefficient) in linear.summands {
            let term = match arena.atom(atom)?.clone() {
                Atom::Variable(variable) => self.integers.get(&variable).copied().ok_or(Rejection::Substitution)?,
                Atom::Select { array, index } => {
                    let array = self.array_images.get(&array).copied().ok_or(Rejection::Substitution)?;
                    arena.select(array, image(&index)?)?
                }
                Atom::Quotient { divisor, argument } => arena.quotient(image(&argument)?, divisor)?,
                Atom::Apply { operation, kind, left, right } => arena.apply(operation, kind, image(&left)?, image(&right)?)?,
            };
            parts.push((term, coefficient));
        }
        arena.combine(linear.constant, &parts)
    }

    fn array_image(&self, arena: &mut Arena, id: ArrayId) -> Result<ArrayId, Rejection> {
        let image = |id: &LinearId| self.linear_images.get(id).copied().ok_or(Rejection::Substitution);
        match *arena.array(id)? {
            Array::Variable(variable) => self.arrays.get(&variable).copied().ok_or(Rejection::Substitution),
            Array::Store { array, index, value } => {
                let array = self.array_images.get(&array).copied().ok_or(Rejection::Substitution)?;
                arena.store(array, image(&index)?, image(&value)?)
            }
            Array::Constant(value) => arena.constant_array(image(&value)?),
            Array::Table(_) => Ok(id),
        }
    }
}

fn dependencies(arena: &Arena, work: Work) -> Result<Vec<Work>, Rejection> {
    let mut needed = Vec::new();
    match work {
        Work::Linear(id) => {
            for (atom, _) in &arena.linear(id)?.summands {
                match *arena.atom(*atom)? {
                    Atom::Variable(_) => {}
                    Atom::Select { array, index } => needed.extend([Work::Array(array), Work::Linear(index)]),
                    Atom::Quotient { argument, .. } => needed.push(Work::Linear(argument)),
                    Atom::Apply { left, right, .. } => needed.extend([Work::Linear(left), Work::Linear(right)]),
                }
            }
        }
        Work::Array(id) => match *arena.array(id)? {
            Array::Variable(_) | Array::Table(_) => {}
            Array::Store { array, index, value } => needed.extend([Work::Array(array), Work::Linear(index), Work::Linear(value)]),
            Array::Constant(value) => needed.push(Work::Linear(value)),
        },
    }
    Ok(needed)
}

/// The parts of one application of the rule.
struct Subsumption<'a> {
    arena: &'a mut Arena,
    predicate: &'a [Literal],
    theta: Substitution,
    oracle: &'a mut dyn Oracle,
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
    if !configuration.progress {
        return Err(Rejection::Progress);
    }
    if !is_total(&template.scope, integers.len(), arrays.len()) {
        return Err(Rejection::Substitution);
    }
    let predicate = &configuration.predicate;
    let (integer_variables, array_variables) = variables(&template.scope);
    for (variable, term) in integer_variables.iter().zip(integers) {
        if !includes(&configuration.scope, &arena.scope(*term)?) {
            return Err(Rejection::Variable);
        }
        if let Some(sort) = variable.sort {
            entail_range(oracle, arena, predicate, *term, sort)?;
        }
    }
    for (variable, array) in array_variables.iter().zip(arrays) {
        if !includes(&configuration.scope, &arena.array_scope(*array)?) {
            return Err(Rejection::Variable);
        }
        entail_array_range(oracle, arena, predicate, *array, variable.sort)?;
    }
    let theta = Substitution {
        integers: integer_variables.into_iter().zip(integers.iter().copied()).collect(),
        arrays: array_variables.into_iter().zip(arrays.iter().copied()).collect(),
        linear_images: BTreeMap::new(),
        array_images: BTreeMap::new(),
    };
    let mut this = Subsumption { arena, predicate, theta, oracle };
    if configuration.members.len() != template.members.len() {
        return Err(Rejection::Shape);
    }
    for (member, target) in configuration.members.iter().zip(&template.members) {
        this.member(member, target)?;
    }
    for literal in &template.predicate {
        let literal = this.theta.literal(this.arena, *literal)?;
        entail(this.oracle, this.arena, predicate, literal)?;
    }
    Ok(())
}

impl Subsumption<'_> {
    fn member(&mut self, member: &Member, target: &Member) -> Result<(), Rejection> {
        if member.place != target.place {
            return Err(Rejection::Shape);
        }
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
        if state.life != target.life {
            return Err(Rejection::Shape);
        }
        self.equal(state.lower, target.lower)?;
        self.equal(state.upper, target.upper)?;
        for (field, target) in state.fields.iter().zip(&target.fields) {
            if field.cells.len() != target.cells.len() {
                return Err(Rejection::Shape);
            }
            for (slot, target) in field.cells.iter().zip(&target.cells) {
                self.slot(*slot, *target)?;
            }
            match (field.rest, target.rest) {
                (None, None) => {}
                (Some(array), Some(target)) => {
                    let target = self.theta.array(self.arena, target)?;
                    self.equal_arrays(array, target)?;
                }
                _ => return Err(Rejection::Shape),
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
        let target = self.theta.linear(self.arena, target)?;
        self.equal_images(term, target)
    }

    fn equal_images(&mut self, term: LinearId, target: LinearId) -> Result<(), Rejection> {
        let literal = Literal { sign: Sign::Zero, term: self.arena.difference(term, target)? };
        entail(self.oracle, self.arena, self.predicate, literal)
    }

    /// The same array, or stores of equal values at equal indices into equal arrays.
    fn equal_arrays(&mut self, array: ArrayId, target: ArrayId) -> Result<(), Rejection> {
        let (mut array, mut target) = (array, target);
        while array != target {
            match (self.arena.array(array)?.clone(), self.arena.array(target)?.clone()) {
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
