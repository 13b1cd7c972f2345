//! The step function: every outcome of one instruction, for all members alike (`spec/calculus.md#step`).
//!
//! The outcomes are exhaustive: whatever the program may do next is among them, under its literals. Each *Exact* or *Real* one is possible
//! whenever its literals hold. Conditions that hold or fail whatever the variables are may leave an outcome out.

use crate::arithmetic::{add, divide, fits, multiply, period, power, range, subtract, width};
use crate::configuration::{Member, Place, Setting};
use crate::memory;
use crate::outcome::{Effect, Failure, Outcome, Tag};
use crate::rejection::{Rejection, Unsupported};
use crate::term::Arena;
use alloc::{vec, vec::Vec};
use goatherd_certificates::certificate::{Allocation, PointerFormation, SignedOverflow};
use goatherd_certificates::configuration::{Life, Slot};
use goatherd_certificates::program::{
    Condition, Fresh, Instruction, IntegerType, Location, ObjectId, Operand, Operation, Origin, PointerOperand, RegisterId, Relation,
};
use goatherd_certificates::term::{LinearId, Literal, Sign};

/// Why an instruction has no list of outcomes: it fails whatever the variables are, or the rule does not apply.
pub(crate) enum Stop {
    Fail(Failure),
    Reject(Rejection),
}

impl From<Rejection> for Stop {
    fn from(rejection: Rejection) -> Self {
        Self::Reject(rejection)
    }
}

/// A pointer that may be used: not uninitialised, not forgotten, to a live object.
#[derive(Clone, Copy)]
pub(crate) enum Pointer {
    Null,
    To { object: ObjectId, index: LinearId, byte: u64 },
}

pub(crate) type Outcomes = Result<Vec<Outcome>, Stop>;

/// An outcome that C fixes.
pub(crate) fn exact(literals: Vec<Literal>, effect: Effect) -> Outcome {
    Outcome { tag: Tag::Exact, literals, effect }
}

/// All outcomes of the next instruction of the member; never none.
pub fn outcomes(arena: &mut Arena, setting: Setting<'_>, member: &Member) -> Result<Vec<Outcome>, Rejection> {
    let Place::At(location) = member.place else { return Err(Rejection::AtEnd) };
    let instruction = setting.program.instructions.get(location.index()).ok_or(Rejection::Missing)?;
    let next = Location(location.0.checked_add(1).ok_or(Rejection::Overflow)?);
    match (Step { arena, setting, member, next }).instruction(instruction) {
        Ok(outcomes) => Ok(outcomes),
        Err(Stop::Fail(failure)) => Ok(vec![exact(Vec::new(), Effect::Fail(failure))]),
        Err(Stop::Reject(rejection)) => Err(rejection),
    }
}

/// One step of one member.
pub(crate) struct Step<'a, 'b> {
    pub(crate) arena: &'a mut Arena,
    pub(crate) setting: Setting<'b>,
    pub(crate) member: &'a Member,
    next: Location,
}

impl Step<'_, '_> {
    fn instruction(&mut self, instruction: &Instruction) -> Outcomes {
        let always = |effect| Ok(vec![exact(Vec::new(), effect)]);
        match *instruction {
            Instruction::Halt | Instruction::Ignore => Err(Rejection::AtEnd.into()),
            Instruction::Fail { kind } => Err(Stop::Fail(Failure::Program(kind))),
            Instruction::Jump { target } => always(Effect::Goto(target)),
            Instruction::Choose { then, otherwise } => {
                Ok(vec![exact(Vec::new(), Effect::Goto(then)), exact(Vec::new(), Effect::Goto(otherwise))])
            }
            Instruction::Branch { condition: Condition::Integers { relation, left, right }, then, otherwise } => {
                let (left, right) = (self.integer(left)?, self.integer(right)?);
                let literal = self.compare(relation, left, right)?;
                Ok(vec![exact(vec![literal], Effect::Goto(then)), exact(vec![self.arena.negate(literal)?], Effect::Goto(otherwise))])
            }
            Instruction::Branch { condition: Condition::Pointers { relation, left, right }, then, otherwise } => {
                self.compare_pointers(relation, left, right, then, otherwise)
            }
            Instruction::Assign { target, value } => self.assign(target, value),
            Instruction::Compute { target, operation, left, right } => self.compute(target, operation, left, right),
            Instruction::Havoc { target } => always(Effect::Havoc(target, self.setting.integer_type(target)?)),
            Instruction::Uninitialise { target } => always(Effect::Register(target, Slot::Uninitialised)),
            Instruction::Null { target } => always(Effect::Register(target, Slot::Null)),
            Instruction::Copy { target, source } => always(Effect::Register(target, self.member.register(source)?)),
            Instruction::Address { target, object } => {
                // Element 0 is where the object begins: a scapegoat may have chosen that for a local one (`spec/calculus.md#attacks` F1).
                let index = self.member.object(object).ok_or(Rejection::Missing)?.lower;
                always(Effect::Register(target, Slot::Pointer { object, index, byte: 0 }))
            }
            Instruction::Advance { target, base, index, scale } => self.advance(target, base, index, scale),
            Instruction::Distance { target, left, right, scale } => self.distance(target, left, right, scale),
            Instruction::Load { target, address, offset } => memory::load(self, target, address, offset),
            Instruction::Store { address, offset, source } => memory::store(self, address, offset, source),
            Instruction::Allocate { target, object, bytes, fresh } => self.allocate(target, object, bytes, fresh),
            Instruction::Free { pointer } => memory::free(self, pointer),
            Instruction::Enter { object } => {
                let origin = &self.setting.program.objects.get(object.index()).ok_or(Rejection::Missing)?.origin;
                let Origin::Local { count } = *origin else { return Err(Rejection::Missing.into()) };
                self.not_there(object)?;
                let count = self.arena.constant(i128::from(count))?;
                always(Effect::Create { target: None, object, count, fresh: Fresh::Arbitrary })
            }
            Instruction::Leave { object } if self.member.object(object).is_none() => always(Effect::Goto(self.next)),
            Instruction::Leave { object } => always(Effect::Kill(object)),
        }
    }

    pub(crate) fn next(&self) -> Effect {
        Effect::Goto(self.next)
    }

    /// One declaration or allocation site is one object: a second one would let a dangling pointer see it (`spec/calculus.md#attacks` trap 6, D7).
    fn not_there(&self, object: ObjectId) -> Result<(), Rejection> {
        if self.member.object(object).is_some() { Err(Rejection::Unsupported(Unsupported::Reallocation)) } else { Ok(()) }
    }

    /// The value of an operand that is used: neither uninitialised nor forgotten (`spec/calculus.md#attacks` trap 1).
    pub(crate) fn integer(&mut self, operand: Operand) -> Result<LinearId, Stop> {
        match operand {
            Operand::Constant(value) => Ok(self.arena.constant(value)?),
            Operand::Register(register) => match self.member.register(register)? {
                Slot::Integer(term) => Ok(term),
                Slot::Uninitialised => Err(Stop::Fail(Failure::Uninitialised)),
                Slot::Forgotten => Err(Rejection::Forgotten.into()),
                Slot::Null | Slot::Pointer { .. } => Err(Rejection::Missing.into()),
            },
        }
    }

    /// A pointer that is used: the value of one to a dead object is as good as uninitialised (C11 6.2.4p2, `spec/calculus.md#attacks` B1).
    pub(crate) fn pointer(&self, register: RegisterId) -> Result<Pointer, Stop> {
        match self.member.register(register)? {
            Slot::Null => Ok(Pointer::Null),
            Slot::Pointer { object, index, byte } => match self.member.object(object).ok_or(Rejection::Missing)?.life {
                Life::Live => Ok(Pointer::To { object, index, byte }),
                Life::Dead => Err(Stop::Fail(Failure::DeadObject)),
            },
            Slot::Uninitialised => Err(Stop::Fail(Failure::Uninitialised)),
            Slot::Forgotten => Err(Rejection::Forgotten.into()),
            Slot::Integer(_) => Err(Rejection::Missing.into()),
        }
    }

    fn compare(&mut self, relation: Relation, left: LinearId, right: LinearId) -> Result<Literal, Rejection> {
        match relation {
            Relation::Equal => self.arena.equal(left, right),
            Relation::Less => self.arena.less(left, right),
            Relation::LessOrEqual => self.arena.at_most(left, right),
        }
    }

    /// The value inside a type, above it, below it.
    fn positions(&mut self, value: LinearId, kind: IntegerType) -> Result<[Vec<Literal>; 3], Rejection> {
        let (least, greatest) = range(kind);
        let (least, greatest) = (self.arena.constant(least)?, self.arena.constant(greatest)?);
        let (below, above) = (self.arena.less(value, least)?, self.arena.less(greatest, value)?);
        Ok([vec![self.arena.negate(below)?, self.arena.negate(above)?], vec![above], vec![below]])
    }

    /// The value converted to a type (C11 6.3.1.3). Where it is at most one period away on either side: as it is, or with that period
    /// subtracted or added. Else `value + 0` in the type, a term of its own, so that equal values stay equal (`spec/calculus.md#attacks` D3).
    pub(crate) fn convert(
        &mut self,
        value: LinearId,
        kind: IntegerType,
        periods: Periods,
    ) -> Result<Vec<(Vec<Literal>, LinearId)>, Rejection> {
        if self.arena.range(value).is_some_and(|(least, greatest)| fits(least, kind) && fits(greatest, kind)) {
            return Ok(vec![(Vec::new(), value)]);
        }
        if periods == Periods::Any {
            let zero = self.arena.constant(0)?;
            return Ok(vec![(Vec::new(), self.arena.apply(Operation::Add, kind, value, zero)?)]);
        }
        let period = period(kind)?;
        let [inside, above, below] = self.positions(value, kind)?;
        let (lowered, raised) = (self.arena.plus(value, subtract(0, period)?)?, self.arena.plus(value, period)?);
        Ok(vec![(inside, value), (above, lowered), (below, raised)])
    }

    fn assign(&mut self, target: RegisterId, value: Operand) -> Outcomes {
        let kind = self.setting.integer_type(target)?;
        let mut periods = Periods::Any;
        if let Operand::Register(source) = value {
            let source_kind = self.setting.integer_type(source)?;
            if source_kind == kind {
                return Ok(vec![exact(Vec::new(), Effect::Register(target, self.member.register(source)?))]);
            }
            let ((least, greatest), (source_least, source_greatest)) = (range(kind), range(source_kind));
            if least <= source_least && source_greatest <= greatest {
                let term = self.integer(value)?;
                return Ok(vec![exact(Vec::new(), Effect::Register(target, Slot::Integer(term)))]);
            }
            if width(source_kind) == width(kind) {
                periods = Periods::One;
            }
        }
        let value = self.integer(value)?;
        let converted = self.convert(value, kind, periods)?;
        Ok(converted.into_iter().map(|(literals, term)| exact(literals, Effect::Register(target, Slot::Integer(term)))).collect())
    }

    /// The mathematical result, wrapped to the type; signed overflow fails if the claim says so.
    fn wrapped(&mut self, target: RegisterId, kind: IntegerType, result: LinearId, periods: Periods) -> Outcomes {
        let set = |(literals, term)| exact(literals, Effect::Register(target, Slot::Integer(term)));
        if !self.fails_on_overflow(kind) {
            return Ok(self.convert(result, kind, periods)?.into_iter().map(set).collect());
        }
        let [inside, above, below] = self.positions(result, kind)?;
        let fail = |literals| exact(literals, Effect::Fail(Failure::SignedOverflow));
        Ok(vec![set((inside, result)), fail(above), fail(below)])
    }

    fn fails_on_overflow(&self, kind: IntegerType) -> bool {
        range(kind).0 < 0 && self.setting.parameters.signed_overflow == SignedOverflow::Fails
    }

    fn compute(&mut self, target: RegisterId, operation: Operation, left: Operand, right: Operand) -> Outcomes {
        let kind = self.setting.integer_type(target)?;
        let (left, right) = (self.integer(left)?, self.integer(right)?);
        let (left_value, right_value) = (self.arena.value(left), self.arena.value(right));
        match operation {
            Operation::Add | Operation::Subtract => {
                let sign = if operation == Operation::Add { 1 } else { -1 };
                let result = self.arena.combine(0, &[(left, 1), (right, sign)])?;
                self.wrapped(target, kind, result, Periods::One)
            }
            Operation::Multiply => match (left_value, right_value) {
                (Some(factor), _) => self.scaled(target, kind, right, factor),
                (_, Some(factor)) => self.scaled(target, kind, left, factor),
                (None, None) => self.opaque(target, operation, kind, left, right, Vec::new()),
            },
            Operation::And | Operation::Or | Operation::Xor => {
                let mask = right_value.or(left_value).filter(|_| operation == Operation::And);
                let masked = if right_value.is_some() { left } else { right };
                // `x & (2^n - 1)` is what is left over after division by 2^n, also for negative x in two's complement.
                if let Some(power) =
                    mask.map(|mask| add(mask, 1)).transpose()?.filter(|power| *power > 0 && *power & subtract(*power, 1).unwrap_or(1) == 0)
                {
                    let quotient = self.arena.quotient(masked, power)?;
                    let term = self.arena.combine(0, &[(masked, 1), (quotient, subtract(0, power)?)])?;
                    return Ok(vec![exact(Vec::new(), Effect::Register(target, Slot::Integer(term)))]);
                }
                self.opaque(target, operation, kind, left, right, Vec::new())
            }
            Operation::ShiftLeft | Operation::ShiftRight => self.shift(target, operation, kind, left, right),
            Operation::Divide | Operation::Remainder => self.divide(target, operation, kind, left, right),
        }
    }

    fn scaled(&mut self, target: RegisterId, kind: IntegerType, term: LinearId, factor: i128) -> Outcomes {
        let result = self.arena.combine(0, &[(term, factor)])?;
        self.wrapped(target, kind, result, Periods::Any)
    }

    /// An operation that stays a term of its own. Whether it overflows is not known.
    fn opaque(
        &mut self,
        target: RegisterId,
        operation: Operation,
        kind: IntegerType,
        left: LinearId,
        right: LinearId,
        under: Vec<Literal>,
    ) -> Outcomes {
        let term = self.arena.apply(operation, kind, left, right)?;
        let effect = Effect::Register(target, Slot::Integer(term));
        if !self.fails_on_overflow(kind) || !matches!(operation, Operation::Multiply | Operation::ShiftLeft) {
            return Ok(vec![exact(under, effect)]);
        }
        let unknown = |effect| Outcome { tag: Tag::Ignorance, literals: under.clone(), effect };
        Ok(vec![unknown(effect), unknown(Effect::Fail(Failure::SignedOverflow))])
    }

    fn shift(&mut self, target: RegisterId, operation: Operation, kind: IntegerType, left: LinearId, right: LinearId) -> Outcomes {
        let bits = width(kind);
        if let Some(amount) = self.arena.value(right) {
            let Some(amount) = u32::try_from(amount).ok().filter(|amount| *amount < bits) else {
                return Err(Stop::Fail(Failure::ShiftAmount));
            };
            if operation == Operation::ShiftRight {
                let term = self.arena.quotient(left, power(amount)?)?;
                return Ok(vec![exact(Vec::new(), Effect::Register(target, Slot::Integer(term)))]);
            }
            let result = self.arena.combine(0, &[(left, power(amount)?)])?;
            let mut outcomes = self.wrapped(target, kind, result, Periods::Any)?;
            if self.fails_on_overflow(kind) {
                // C11 6.5.7p4: shifting a negative value is undefined even where nothing is lost.
                let zero = self.arena.constant(0)?;
                let negative = self.arena.less(left, zero)?;
                let other = self.arena.negate(negative)?;
                for outcome in &mut outcomes {
                    outcome.literals.push(other);
                }
                outcomes.push(exact(vec![negative], Effect::Fail(Failure::SignedOverflow)));
            }
            return Ok(outcomes);
        }
        let (zero, bits) = (self.arena.constant(0)?, self.arena.constant(i128::from(bits))?);
        let (low, high) = (self.arena.less(right, zero)?, self.arena.at_most(bits, right)?);
        let under = vec![self.arena.negate(low)?, self.arena.negate(high)?];
        let mut outcomes = self.opaque(target, operation, kind, left, right, under)?;
        outcomes.extend([low, high].map(|literal| exact(vec![literal], Effect::Fail(Failure::ShiftAmount))));
        Ok(outcomes)
    }

    /// Truncating division (C11 6.5.5p6): by a constant through quotients, by anything else as a term of its own.
    fn divide(&mut self, target: RegisterId, operation: Operation, kind: IntegerType, left: LinearId, right: LinearId) -> Outcomes {
        let (zero, minus_one, least) = (self.arena.constant(0)?, self.arena.constant(-1)?, self.arena.constant(range(kind).0)?);
        let is_signed = range(kind).0 < 0;
        match self.arena.value(right) {
            Some(0) => Err(Stop::Fail(Failure::DivisionByZero)),
            Some(divisor) => {
                let magnitude = divisor.checked_abs().ok_or(Rejection::Overflow)?;
                let mut outcomes = Vec::new();
                let negative = self.arena.less(left, zero)?;
                for (sign, literal) in [(1, self.arena.negate(negative)?), (-1, negative)] {
                    let dividend = self.arena.combine(0, &[(left, sign)])?;
                    let quotient = self.arena.quotient(dividend, magnitude)?;
                    let quotient = self.arena.combine(0, &[(quotient, multiply(sign, divisor.signum())?)])?;
                    let term = if operation == Operation::Divide {
                        quotient
                    } else {
                        self.arena.combine(0, &[(left, 1), (quotient, subtract(0, divisor)?)])?
                    };
                    let mut literals = vec![literal];
                    if divisor == -1 && sign == -1 {
                        let overflow = self.arena.equal(left, least)?;
                        literals.push(self.arena.negate(overflow)?);
                        outcomes.push(exact(vec![overflow], Effect::Fail(Failure::DivisionOverflow)));
                    }
                    outcomes.push(exact(literals, Effect::Register(target, Slot::Integer(term))));
                }
                Ok(outcomes)
            }
            None => {
                let by_zero = self.arena.equal(right, zero)?;
                let mut outcomes = vec![exact(vec![by_zero], Effect::Fail(Failure::DivisionByZero))];
                let mut under = vec![self.arena.negate(by_zero)?];
                if is_signed {
                    let by_minus_one = self.arena.equal(right, minus_one)?;
                    let of_least = self.arena.equal(left, least)?;
                    outcomes.push(exact(vec![by_minus_one, of_least], Effect::Fail(Failure::DivisionOverflow)));
                    let term = if operation == Operation::Divide { self.arena.combine(0, &[(left, -1)])? } else { zero };
                    let literals = vec![by_minus_one, self.arena.negate(of_least)?];
                    outcomes.push(exact(literals, Effect::Register(target, Slot::Integer(term))));
                    under.push(self.arena.negate(by_minus_one)?);
                }
                outcomes.extend(self.opaque(target, operation, kind, left, right, under)?);
                Ok(outcomes)
            }
        }
    }

    /// Pointer arithmetic moves by bytes inside the object that the pointer is into, never to another (`spec/calculus.md#attacks` A1).
    fn advance(&mut self, target: RegisterId, base: RegisterId, index: Operand, scale: i64) -> Outcomes {
        let pointer = self.pointer(base)?;
        let steps = self.integer(index)?;
        let Pointer::To { object, index, byte } = pointer else {
            let zero = self.arena.constant(0)?;
            let nowhere = self.arena.equal(steps, zero)?;
            let elsewhere = exact(vec![self.arena.negate(nowhere)?], Effect::Fail(Failure::NullPointer));
            return Ok(vec![exact(vec![nowhere], Effect::Register(target, Slot::Null)), elsewhere]);
        };
        let bytes = self.arena.combine(i128::from(byte), &[(steps, i128::from(scale))])?;
        let size = i128::from(self.setting.layout(object)?.size);
        let linear = self.arena.linear(bytes)?;
        for (_, coefficient) in &linear.summands {
            if divide(*coefficient, size)?.1 != 0 {
                return Err(Rejection::Unsupported(Unsupported::Advance).into());
            }
        }
        let byte = u64::try_from(divide(linear.constant, size)?.1).map_err(|_| Rejection::Overflow)?;
        // Every coefficient is a multiple of the size: this quotient is linear.
        let elements = self.arena.quotient(bytes, size)?;
        let index = self.arena.sum(index, elements)?;
        let effect = Effect::Register(target, Slot::Pointer { object, index, byte });
        if self.setting.parameters.pointer_formation == PointerFormation::Anywhere {
            return Ok(vec![exact(Vec::new(), effect)]);
        }
        let state = self.member.object(object).ok_or(Rejection::Missing)?;
        let below = self.arena.less(index, state.lower)?;
        let above = if byte == 0 { self.arena.less(state.upper, index)? } else { self.arena.at_most(state.upper, index)? };
        let inside = vec![self.arena.negate(below)?, self.arena.negate(above)?];
        let fail = [below, above].map(|literal| exact(vec![literal], Effect::Fail(Failure::PointerFormation)));
        Ok([exact(inside, effect)].into_iter().chain(fail).collect())
    }

    /// The bytes between two pointers into one object of this element size.
    fn bytes_between(&mut self, size: u64, left: (LinearId, u64), right: (LinearId, u64)) -> Result<LinearId, Rejection> {
        let size = i128::from(size);
        let constant = subtract(i128::from(left.1), i128::from(right.1))?;
        self.arena.combine(constant, &[(left.0, size), (right.0, subtract(0, size)?)])
    }

    fn distance(&mut self, target: RegisterId, left: RegisterId, right: RegisterId, scale: u64) -> Outcomes {
        let difference = match (self.pointer(left)?, self.pointer(right)?) {
            (Pointer::Null, Pointer::Null) => self.arena.constant(0)?,
            (Pointer::To { object, index, byte }, Pointer::To { object: other, index: other_index, byte: other_byte })
                if object == other =>
            {
                let size = self.setting.layout(object)?.size;
                let bytes = self.bytes_between(size, (index, byte), (other_index, other_byte))?;
                let scale = i128::from(scale);
                let linear = self.arena.linear(bytes)?;
                let is_whole = |number: i128| divide(number, scale).is_ok_and(|(_, rest)| rest == 0);
                if !is_whole(linear.constant) || !linear.summands.iter().all(|(_, coefficient)| is_whole(*coefficient)) {
                    return Err(Rejection::Unsupported(Unsupported::Distance).into());
                }
                self.arena.quotient(bytes, scale)?
            }
            _ => return Err(Stop::Fail(Failure::DifferentObjects)),
        };
        let [inside, above, below] = self.positions(difference, IntegerType::I64)?;
        let fail = |literals| exact(literals, Effect::Fail(Failure::PointerDifference));
        Ok(vec![exact(inside, Effect::Register(target, Slot::Integer(difference))), fail(below), fail(above)])
    }

    fn pointer_operand(&self, operand: PointerOperand) -> Result<Pointer, Stop> {
        match operand {
            PointerOperand::Null => Ok(Pointer::Null),
            PointerOperand::Register(register) => self.pointer(register),
        }
    }

    /// C11 6.5.8, 6.5.9. Pointers that are not into one object are unequal where each is inside its own; elsewhere nobody knows (soundness
    /// B1), and order needs one object.
    fn compare_pointers(
        &mut self,
        relation: Relation,
        left: PointerOperand,
        right: PointerOperand,
        then: Location,
        otherwise: Location,
    ) -> Outcomes {
        let (left, right) = (self.pointer_operand(left)?, self.pointer_operand(right)?);
        if let (Pointer::To { object, index, byte }, Pointer::To { object: other, index: other_index, byte: other_byte }) = (left, right)
            && object == other
        {
            let literal = if byte == other_byte {
                self.compare(relation, index, other_index)?
            } else {
                let size = self.setting.layout(object)?.size;
                let (bytes, zero) = (self.bytes_between(size, (index, byte), (other_index, other_byte))?, self.arena.constant(0)?);
                self.compare(relation, bytes, zero)?
            };
            return Ok(vec![exact(vec![literal], Effect::Goto(then)), exact(vec![self.arena.negate(literal)?], Effect::Goto(otherwise))]);
        }
        if relation != Relation::Equal {
            return Err(Stop::Fail(Failure::DifferentObjects));
        }
        let is_null = matches!((left, right), (Pointer::Null, _) | (_, Pointer::Null));
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for pointer in [left, right] {
            let Pointer::To { object, index, .. } = pointer else { continue };
            let state = self.member.object(object).ok_or(Rejection::Missing)?;
            let below = self.arena.less(index, state.lower)?;
            let above = if is_null { self.arena.less(state.upper, index)? } else { self.arena.at_most(state.upper, index)? };
            for literal in [below, above] {
                inside.push(self.arena.negate(literal)?);
                outside.push(literal);
            }
        }
        if outside.is_empty() {
            return Ok(vec![exact(Vec::new(), Effect::Goto(then))]);
        }
        let mut outcomes = vec![exact(inside, Effect::Goto(otherwise))];
        for literal in outside {
            for target in [then, otherwise] {
                outcomes.push(Outcome { tag: Tag::Real, literals: vec![literal], effect: Effect::Goto(target) });
            }
        }
        Ok(outcomes)
    }

    /// C11 7.22.3.
    fn allocate(&mut self, target: RegisterId, object: ObjectId, bytes: Operand, fresh: Fresh) -> Outcomes {
        let bytes = self.integer(bytes)?;
        let greatest = self.arena.constant(range(IntegerType::I64).1)?;
        let too_large = self.arena.less(greatest, bytes)?;
        let possible = self.arena.negate(too_large)?;
        self.not_there(object)?;
        let size = i128::from(self.setting.layout(object)?.size);
        let count = self.arena.quotient(bytes, size)?;
        let mut outcomes = vec![
            exact(vec![possible], Effect::Create { target: Some(target), object, count, fresh }),
            exact(vec![too_large], Effect::Register(target, Slot::Null)),
        ];
        if self.setting.parameters.allocation == Allocation::MayFail {
            outcomes.push(exact(vec![possible], Effect::Register(target, Slot::Null)));
        }
        Ok(outcomes)
    }
}

/// How far a value may lie outside a type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Periods {
    /// Less than one period on either side.
    One,
    /// Anywhere.
    Any,
}

/// `index = position`, for the cells of an object.
pub(crate) fn at(arena: &mut Arena, index: LinearId, position: i128) -> Result<Literal, Rejection> {
    Ok(Literal { sign: Sign::Zero, term: arena.plus(index, subtract(0, position)?)? })
}
