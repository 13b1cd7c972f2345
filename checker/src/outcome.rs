//! What an instruction may lead to, and how a configuration changes with it (`spec/calculus.md#outcomes`).

use crate::{Member, *};
use crate::{arithmetic::range, term::lies_in};
use alloc::vec::Vec;
use goatherd_certificates::*;

/// How far an outcome can be relied on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// C fixes it, or it is the environment's choice.
    Exact,
    /// Some execution has it, though not on every implementation.
    Real,
    /// The model does not know: only the primary takes it.
    Ignorance,
}

/// Where an element's contents stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    /// It has a cell of its own, at this position.
    Cell(usize),
    /// It has none: at this index of the array for the rest.
    Rest(LinearId),
}

/// A field of an element that is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldWrite {
    /// The object.
    pub object: ObjectId,
    /// Position of the field in the layout.
    pub field: usize,
    /// Which element.
    pub element: Element,
    /// The new contents.
    pub slot: Slot,
}

/// An object that becomes live.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Creation {
    /// Receives a pointer to it.
    pub target: Option<RegisterId>,
    /// Its declaration.
    pub declaration: ObjectId,
    /// How many elements.
    pub count: LinearId,
    /// What they hold.
    pub fresh: Fresh,
}

/// What changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Goes on at the location.
    Goto(Location),
    /// Sets a register and goes on.
    Register(RegisterId, Slot),
    /// Fails.
    Fail,
    /// Any value of the type, or the chosen one; goes on.
    Havoc(RegisterId, IntegerType),
    /// Sets a field of an element and goes on.
    Store(FieldWrite),
    /// Makes an object live and goes on.
    Create(Creation),
    /// Makes an object dead and goes on.
    Kill(ObjectId),
}

/// One way on from an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How far it can be relied on.
    pub tag: Tag,
    /// When it happens.
    pub literals: Vec<Literal>,
    /// What happens.
    pub effect: Effect,
}

impl Outcome {
    /// What happens under these literals.
    pub const fn new(tag: Tag, literals: Vec<Literal>, effect: Effect) -> Self {
        Self {
            tag,
            literals,
            effect,
        }
    }
}

/// Shows the obligations of a rule: the checker from hints, the prover by its own reasoning.
pub trait Oracle {
    /// Shows that no valuation satisfies the predicate and the assumptions.
    fn refute(
        &mut self,
        arena: &mut Arena,
        predicate: &[Literal],
        assumptions: &[Literal],
    ) -> Result<()>;
}

/// What is to be shown of a configuration, whose terms and predicate these are.
pub struct Obligations<'a> {
    /// The terms.
    pub arena: &'a mut Arena,
    /// The configuration's variables.
    pub scope: &'a Scope,
    /// The path predicate.
    pub predicate: &'a [Literal],
    /// Shows it.
    pub oracle: &'a mut dyn Oracle,
}

impl Obligations<'_> {
    /// The predicate entails the literal. What is evident or stands in the predicate needs no oracle; an equality is two refutations.
    pub fn entail(&mut self, literal: Literal) -> Result<()> {
        self.arena.budget.work(self.predicate.len())?;
        if self.arena.evident(literal) == Some(true) || self.predicate.contains(&literal) {
            return Ok(());
        }
        if literal.sign != Sign::Zero {
            let negation = self.arena.negate(literal)?;
            return self.oracle.refute(self.arena, self.predicate, &[negation]);
        }
        for coefficient in [1, -1] {
            let beyond = self.arena.combine(1, &[(literal.term, coefficient)])?;
            let negation = Literal::new(Sign::AtMostZero, beyond);
            self.oracle
                .refute(self.arena, self.predicate, &[negation])?;
        }
        Ok(())
    }

    /// The term, which the certificate gives, mentions existing variables and has values of the sort.
    pub fn integer(&mut self, term: LinearId, sort: Option<IntegerType>) -> Result<()> {
        self.arena.exists(self.scope, Part::Linear(term))?;
        sort.filter(|kind| !lies_in(self.arena.range(term), *kind))
            .map_or(Ok(()), |kind| self.range(term, range(kind)))
    }

    /// The predicate entails that the term lies between these.
    pub(crate) fn range(&mut self, term: LinearId, bounds: (i128, i128)) -> Result<()> {
        let [at_least, at_most] = self.arena.within(term, bounds)?;
        self.entail(at_least)?;
        self.entail(at_most)
    }

    /// The array, which the certificate gives, mentions existing variables, and all its elements lie in the range of the type: evidently, or
    /// store by store.
    pub fn array(&mut self, mut array: ArrayId, kind: IntegerType) -> Result<()> {
        self.arena.exists(self.scope, Part::Array(array))?;
        while !lies_in(self.arena.array_range(array), kind) {
            self.arena.budget.work(0)?;
            match *self.arena.array(array)? {
                Array::Store(store) => {
                    self.range(store.value, range(kind))?;
                    array = store.array;
                }
                Array::Constant(value) => return self.range(value, range(kind)),
                Array::Variable(_) | Array::Table(_) => return Err(Rejection::Choice),
            }
        }
        Ok(())
    }
}

/// A member that changes.
pub struct Change<'a> {
    pub(crate) configuration: &'a mut Configuration,
    pub(crate) arena: &'a mut Arena,
    pub(crate) setting: Setting<'a>,
    pub(crate) member: MemberId,
}

impl Change<'_> {
    pub(crate) fn member(&mut self) -> Result<&mut Member> {
        self.configuration.member_mut(self.member)
    }

    /// An outcome that happens, so that its literals hold.
    pub fn follow(&mut self, outcome: &Outcome) -> Result<()> {
        let known = self.configuration.predicate.len();
        let work = outcome.literals.len().saturating_mul(known);
        self.arena.budget.work(work)?;
        for literal in &outcome.literals {
            self.configuration.assume(self.arena, *literal);
        }
        self.configuration.progress |= self.member == MemberId(0);
        self.apply(outcome.effect, &mut Environment::Any)
    }

    /// The effect of an instruction at which the member is. A choice comes only where there is one.
    pub fn apply(&mut self, effect: Effect, environment: &mut Environment<'_>) -> Result<()> {
        let Place::At(location) = self.member()?.place else {
            return Err(Rejection::AtEnd);
        };
        let mut next = Place::At(location.next().ok_or(Rejection::Overflow)?);
        ensure(is_offered(effect, environment), Rejection::Choice)?;
        match effect {
            Effect::Goto(target) => next = Place::At(target),
            Effect::Fail => next = Place::Failed,
            Effect::Register(register, slot) => self.member()?.set_register(register, slot)?,
            Effect::Havoc(register, kind) => {
                let value = self.value(environment, kind)?;
                self.member()?
                    .set_register(register, Slot::Integer(value))?;
                self.count()?;
            }
            Effect::Store(write) => self.store(write)?,
            Effect::Create(new) => {
                let environment = match new.fresh {
                    Fresh::Zero => &mut Environment::Static(&[]),
                    Fresh::Arbitrary => environment,
                };
                let pointer = self.create(new.declaration, new.count, environment)?;
                if let Some(target) = new.target {
                    self.member()?.set_register(target, pointer)?;
                }
            }
            Effect::Kill(object) => self.member()?.object_mut(object)?.life = Life::Dead,
        }
        // A step back is a round, as every round of a loop has one.
        if matches!(next, Place::At(target) if target <= location) {
            self.count()?;
        }
        self.member()?.place = next;
        Ok(())
    }

    /// One more value or round is consumed; a number that is forgotten stays forgotten.
    fn count(&mut self) -> Result<()> {
        if let Slot::Integer(consumed) = self.member()?.consumed {
            self.member()?.consumed = Slot::Integer(self.arena.plus(consumed, 1)?);
        }
        Ok(())
    }

    /// Writes a cell, or into the array for the rest.
    fn store(&mut self, write: FieldWrite) -> Result<()> {
        let member = self.configuration.member_mut(self.member)?;
        let fields = &mut member.object_mut(write.object)?.fields;
        let field = entry_mut(fields, write.field)?;
        match (write.element, write.slot, field.rest) {
            (Element::Cell(cell), ..) => *entry_mut(&mut field.cells, cell)? = write.slot,
            (Element::Rest(index), Slot::Integer(value), Some(rest)) => {
                field.rest = Some(self.arena.store(rest, index, value)?);
            }
            _ => return Err(Rejection::Shape),
        }
        Ok(())
    }
}

/// Does the effect leave open what is chosen, if anything is (`spec/calculus.md#attacks` K5)?
const fn is_offered(effect: Effect, environment: &Environment<'_>) -> bool {
    match (environment, effect) {
        (Environment::Choice(Choice::Value(_), _), effect) => matches!(effect, Effect::Havoc(..)),
        (Environment::Choice(..), Effect::Create(new)) => matches!(new.fresh, Fresh::Arbitrary),
        (Environment::Choice(..), _) => false,
        _ => true,
    }
}
