//! The step function: every outcome of one instruction, for all members alike (`spec/calculus.md#step`).
//!
//! The outcomes are exhaustive: whatever the program may do next is among them, under its literals. Each *Exact* or *Real* one is possible
//! whenever its literals hold. Conditions that hold or fail whatever the variables are may leave an outcome out.

use crate::arithmetic::{add, divide, lowest_bit, multiply, period, power, range, subtract, width};
use crate::{Member, *};
use crate::{flow::is_node, outcome::Creation, term::lies_in};
use alloc::{vec, vec::Vec};
use goatherd_certificates::*;

/// Why an instruction has no list of outcomes: it fails whatever the variables are, or the rule does not apply.
pub(crate) enum Stop {
    Fail,
    Reject(Rejection),
}

impl From<Rejection> for Stop {
    fn from(rejection: Rejection) -> Self {
        Self::Reject(rejection)
    }
}

pub(crate) type Outcomes = Result<Vec<Outcome>, Stop>;

/// An outcome that C fixes.
pub(crate) const fn exact(literals: Vec<Literal>, effect: Effect) -> Outcome {
    Outcome::new(Tag::Exact, literals, effect)
}

/// The only outcome.
pub(crate) fn always(effect: Effect) -> Vec<Outcome> {
    vec![exact(Vec::new(), effect)]
}

/// The register is set, whatever the variables are.
fn writes(target: RegisterId, slot: Slot) -> Vec<Outcome> {
    always(Effect::Register(target, slot))
}

/// A failure under each of the literals.
pub(crate) fn failing(literals: &[Literal]) -> impl Iterator<Item = Outcome> {
    literals
        .iter()
        .map(|literal| exact(vec![*literal], Effect::Fail))
}

/// What a computation may give: under these literals a value, or else a failure.
pub(crate) type Case = (Vec<Literal>, Option<LinearId>);

/// The register's outcome of each case.
fn set(target: RegisterId, cases: Vec<Case>) -> Vec<Outcome> {
    let outcome = |(literals, value): Case| match value {
        Some(term) => exact(literals, Effect::Register(target, Slot::Integer(term))),
        None => exact(literals, Effect::Fail),
    };
    cases.into_iter().map(outcome).collect()
}

/// All outcomes of the next instruction of the member; never none.
pub fn outcomes(arena: &mut Arena, setting: Setting<'_>, member: &Member) -> Result<Vec<Outcome>> {
    let Place::At(location) = member.place else {
        return Err(Rejection::AtEnd);
    };
    let instruction = entry(&setting.program.instructions, location.index())?;
    let next = location.next().ok_or(Rejection::Overflow)?;
    // Where an object lives is looked for among all; leaks are, from every static one on.
    let objects = match instruction {
        Instruction::CheckLeaks { roots } => member.leak_work(setting).saturating_add(roots.len()),
        _ => member.objects.len(),
    };
    arena.budget.work(objects)?;
    let mut step = Step {
        arena,
        setting,
        member,
        next,
    };
    match step.instruction(instruction) {
        Ok(outcomes) => Ok(outcomes),
        Err(Stop::Fail) => Ok(always(Effect::Fail)),
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

impl<'b> Step<'_, 'b> {
    fn instruction(&mut self, instruction: &Instruction) -> Outcomes {
        match *instruction {
            Instruction::Halt | Instruction::Ignore => Err(Rejection::AtEnd.into()),
            Instruction::Fail { .. } => Err(Stop::Fail),
            Instruction::Jump { target } => Ok(always(Effect::Goto(target))),
            Instruction::Choose { then, otherwise } => Ok([then, otherwise]
                .map(|way| exact(Vec::new(), Effect::Goto(way)))
                .into()),
            Instruction::Branch(branch) => self.branch(branch),
            Instruction::Assign { target, value } => self.assign(target, value),
            Instruction::Compute(compute) => self.compute(compute),
            Instruction::Havoc { target } => {
                let kind = self.setting.integer_type(target)?;
                Ok(always(Effect::Havoc(target, kind)))
            }
            Instruction::Uninitialise { target } => Ok(writes(target, Slot::Uninitialised)),
            Instruction::Null { target } => Ok(writes(target, Slot::Null)),
            Instruction::Copy { target, source } => {
                Ok(writes(target, self.member.register(source)?))
            }
            Instruction::Address { target, object } => self.address(target, object),
            Instruction::Advance(advance) => self.advance(advance),
            Instruction::Distance(distance) => self.distance(distance),
            Instruction::Load {
                target,
                address,
                offset,
            } => self.load(target, address, offset),
            Instruction::Store {
                address,
                offset,
                source,
            } => self.store(address, offset, source),
            Instruction::Allocate(allocate) => self.allocate(allocate),
            Instruction::Free { pointer } => self.free(pointer),
            Instruction::Enter { object } => self.enter(object),
            Instruction::Leave { object } => {
                let left = self.member.live(object);
                let effect = left.map_or(self.next(), |state| Effect::Kill(state.object));
                Ok(always(effect))
            }
            Instruction::CheckLeaks { ref roots } => {
                let leaks = self.member.leaks(self.setting, roots.iter().copied())?;
                ensure(!leaks, Stop::Fail)?;
                Ok(always(self.next()))
            }
        }
    }

    fn branch(&mut self, branch: Branch) -> Outcomes {
        let [then, otherwise] = [branch.then, branch.otherwise].map(Effect::Goto);
        match branch.condition {
            Condition::Integers {
                relation,
                left,
                right,
            } => {
                let left = self.integer(left)?;
                let right = self.integer(right)?;
                let difference = self.arena.difference(left, right)?;
                let literal = self.compare(relation, difference)?;
                self.either(literal, then, otherwise)
            }
            Condition::Pointers {
                relation,
                left,
                right,
            } => self.compare_pointers(relation, [left, right], [then, otherwise]),
        }
    }

    fn address(&mut self, target: RegisterId, object: ObjectId) -> Outcomes {
        // Element 0 is where the object begins: a scapegoat may have chosen that for a local one (`spec/calculus.md#attacks` F1).
        let state = self.member.live(object).ok_or(Rejection::Missing)?;
        Ok(writes(target, Slot::element(state.object, state.lower)))
    }

    fn enter(&mut self, object: ObjectId) -> Outcomes {
        let Origin::Local { count } = self.setting.object(object)?.origin else {
            return Err(Rejection::Missing.into());
        };
        let count = self.arena.constant(i128::from(count))?;
        Ok(always(Effect::Create(Creation {
            target: None,
            declaration: object,
            count,
            fresh: Fresh::Arbitrary,
        })))
    }

    pub(crate) fn next(&self) -> Effect {
        Effect::Goto(self.next)
    }

    /// One effect under the literal, another one under its negation.
    pub(crate) fn either(&mut self, literal: Literal, then: Effect, otherwise: Effect) -> Outcomes {
        Ok(vec![
            exact(vec![literal], then),
            exact(vec![self.arena.negate(literal)?], otherwise),
        ])
    }

    /// The negation of each.
    pub(crate) fn negations(&mut self, literals: &[Literal]) -> Result<Vec<Literal>> {
        literals
            .iter()
            .map(|literal| self.arena.negate(*literal))
            .collect()
    }

    /// The value of an operand that is used: neither uninitialised nor forgotten (`spec/calculus.md#attacks` trap 1).
    fn integer(&mut self, operand: Operand) -> Result<LinearId, Stop> {
        match operand {
            Operand::Constant(value) => Ok(self.arena.constant(value)?),
            Operand::Register(register) => match self.used(register)? {
                Slot::Integer(term) => Ok(term),
                _ => Err(Rejection::Missing.into()),
            },
        }
    }

    /// Where a pointer that is used points, if it is not NULL: the value of one to a dead object is as good as uninitialised (C11 6.2.4p2,
    /// `spec/calculus.md#attacks` B1).
    pub(crate) fn pointer(&self, register: RegisterId) -> Result<Option<Address>, Stop> {
        match self.used(register)? {
            Slot::Null => Ok(None),
            Slot::Pointer(address) => {
                let state = self.member.state(address.object)?;
                ensure(state.life == Life::Live, Stop::Fail)?;
                Ok(Some(address))
            }
            _ => Err(Rejection::Missing.into()),
        }
    }

    /// The object's layout.
    pub(crate) fn layout(&self, object: ObjectId) -> Result<&'b Layout> {
        self.setting.layout(self.member.state(object)?.declaration)
    }

    /// The slot of a register whose value is used. What is folded may be NULL or not: unfold it first.
    fn used(&self, register: RegisterId) -> Result<Slot, Stop> {
        match self.member.register(register)? {
            Slot::Uninitialised => Err(Stop::Fail),
            Slot::Forgotten => Err(Rejection::Forgotten.into()),
            Slot::Folded(_) | Slot::Last(_) => Err(Rejection::Folded.into()),
            slot => Ok(slot),
        }
    }

    /// The relation of a difference to 0.
    fn compare(&mut self, relation: Relation, difference: LinearId) -> Result<Literal> {
        let sign = match relation {
            Relation::Equal => Sign::Zero,
            Relation::Less | Relation::LessOrEqual => Sign::AtMostZero,
        };
        let strict = i128::from(relation == Relation::Less);
        Ok(Literal::new(sign, self.arena.plus(difference, strict)?))
    }

    /// The value where it lies in the range; a failure elsewhere.
    fn checked(&mut self, value: LinearId, range: (i128, i128)) -> Result<Vec<Case>> {
        let inside = self.arena.within(value, range)?;
        let mut cases = vec![(inside.to_vec(), Some(value))];
        for literal in inside {
            cases.push((vec![self.arena.negate(literal)?], None));
        }
        Ok(cases)
    }

    /// The value converted to a type (C11 6.3.1.3). Where it is at most one period away on either side: as it is, or with that period
    /// subtracted or added. Else `value + 0` in the type, a term of its own, so that equal values stay equal (`spec/calculus.md#attacks` D3).
    pub(crate) fn convert(
        &mut self,
        value: LinearId,
        kind: IntegerType,
        periods: Periods,
    ) -> Result<Vec<Case>> {
        if self.setting.sort(kind).is_none() || lies_in(self.arena.range(value), kind) {
            return Ok(vec![(Vec::new(), Some(value))]);
        }
        if periods == Periods::Any {
            let zero = self.arena.constant(0)?;
            let converted = self.arena.apply(Operation::Add, kind, value, zero)?;
            return Ok(vec![(Vec::new(), Some(converted))]);
        }
        let period = period(kind)?;
        let [at_least, at_most] = self.arena.within(value, range(kind))?;
        let below = self.arena.negate(at_least)?;
        let above = self.arena.negate(at_most)?;
        let lowered = self.arena.plus(value, subtract(0, period)?)?;
        let raised = self.arena.plus(value, period)?;
        Ok(vec![
            (vec![at_least, at_most], Some(value)),
            (vec![above], Some(lowered)),
            (vec![below], Some(raised)),
        ])
    }

    fn assign(&mut self, target: RegisterId, value: Operand) -> Outcomes {
        let kind = self.setting.integer_type(target)?;
        let mut periods = Periods::Any;
        if let Operand::Register(source) = value {
            let from = self.setting.integer_type(source)?;
            if from == kind {
                return Ok(writes(target, self.member.register(source)?));
            }
            if lies_in(Some(range(from)), kind) {
                return Ok(writes(target, Slot::Integer(self.integer(value)?)));
            }
            if width(from) == width(kind) {
                periods = Periods::One;
            }
        }
        let value = self.integer(value)?;
        Ok(set(target, self.convert(value, kind, periods)?))
    }

    /// The mathematical result, wrapped to the type; signed overflow fails if the claim says so.
    fn wrapped(
        &mut self,
        kind: IntegerType,
        result: LinearId,
        periods: Periods,
    ) -> Result<Vec<Case>> {
        if self.fails_on_overflow(kind) {
            self.checked(result, range(kind))
        } else {
            self.convert(result, kind, periods)
        }
    }

    fn fails_on_overflow(&self, kind: IntegerType) -> bool {
        range(kind).0 < 0
            && self.setting.sort(kind).is_some()
            && self.setting.parameters.signed_overflow == SignedOverflow::Fails
    }

    fn compute(&mut self, compute: Compute) -> Outcomes {
        let operation = compute.operation;
        let kind = self.setting.integer_type(compute.target)?;
        let (left, right) = (self.integer(compute.left)?, self.integer(compute.right)?);
        let computation = Computation {
            operation,
            kind,
            left,
            right,
        };
        let (left_value, right_value) = (self.arena.value(left), self.arena.value(right));
        // One side that is a constant, and the other side.
        let scaled = right_value
            .map(|factor| (left, factor))
            .or(left_value.map(|factor| (right, factor)));
        let cases = match (operation, scaled, right_value) {
            (Operation::Add | Operation::Subtract, ..) => {
                let sign = if operation == Operation::Add { 1 } else { -1 };
                let result = self.arena.combine(0, &[(left, 1), (right, sign)])?;
                self.wrapped(kind, result, Periods::One)?
            }
            (Operation::Multiply, Some((term, factor)), _) => {
                let result = self.arena.combine(0, &[(term, factor)])?;
                self.wrapped(kind, result, Periods::Any)?
            }
            _ if self.setting.sort(kind).is_none() => {
                return Err(Rejection::Unsupported(Unsupported::Unbounded).into());
            }
            // One run of ones, 2^n - 2^m: what is left over after division by 2^n less what is after 2^m, also for negative x.
            (Operation::And, Some((term, mask)), _)
                if mask >= 0 && mask & add(mask, lowest_bit(mask)?)? == 0 =>
            {
                let low = lowest_bit(mask)?;
                let high = add(mask, low)?;
                let above = self.arena.quotient(term, high)?;
                let whole = self.arena.quotient(term, low)?;
                let parts = [(whole, low), (above, subtract(0, high)?)];
                vec![(Vec::new(), Some(self.arena.combine(0, &parts)?))]
            }
            (Operation::ShiftLeft | Operation::ShiftRight, _, Some(amount)) => {
                self.shift(computation, amount)?
            }
            (Operation::Divide | Operation::Remainder, ..) => self.divide(computation)?,
            _ => return self.opaque(compute.target, computation),
        };
        Ok(set(compute.target, cases))
    }

    fn shift(&mut self, computation: Computation, amount: i128) -> Result<Vec<Case>, Stop> {
        let kind = computation.kind;
        let amount = u32::try_from(amount).map_err(|_| Stop::Fail)?;
        ensure(amount < width(kind), Stop::Fail)?;
        if computation.operation == Operation::ShiftRight {
            let quotient = self.arena.quotient(computation.left, power(amount)?)?;
            return Ok(vec![(Vec::new(), Some(quotient))]);
        }
        let scaled = [(computation.left, power(amount)?)];
        let result = self.arena.combine(0, &scaled)?;
        // C11 6.5.7p4: shifting a negative value is undefined even where nothing is lost.
        if self.fails_on_overflow(kind) {
            Ok(self.checked(result, (0, range(kind).1))?)
        } else {
            Ok(self.convert(result, kind, Periods::Any)?)
        }
    }

    /// Truncating division (C11 6.5.5p6); by a number other than 0 and -1 through quotients, by the sign of the dividend.
    fn divide(&mut self, computation: Computation) -> Result<Vec<Case>, Stop> {
        let (left, right) = (computation.left, computation.right);
        let (least, _) = range(computation.kind);
        let zero = self.arena.constant(0)?;
        let minus_one = self.arena.constant(-1)?;
        let by_zero = self.arena.equal(right, zero)?;
        let by_minus_one = self.arena.equal(right, minus_one)?;
        let is_quotient = computation.operation == Operation::Divide;
        let mut under = vec![self.arena.negate(by_zero)?];
        let mut cases = vec![(vec![by_zero], None)];
        if least < 0 {
            let least = self.arena.constant(least)?;
            let of_least = self.arena.equal(left, least)?;
            cases.push((vec![by_minus_one, of_least], None));
            let opposite = if is_quotient {
                self.arena.combine(0, &[(left, -1)])?
            } else {
                zero
            };
            let of_more = self.arena.negate(of_least)?;
            cases.push((vec![by_minus_one, of_more], Some(opposite)));
            under.push(self.arena.negate(by_minus_one)?);
        }
        let divisor = self.arena.value(right);
        let Some(divisor) = divisor.filter(|divisor| ![0, -1].contains(divisor)) else {
            let result = self.arena.normal(&Atom::Apply(computation))?;
            cases.push((under, Some(result)));
            return Ok(cases);
        };
        let negative = self.arena.less(left, zero)?;
        for (sign, literal) in [(1, self.arena.negate(negative)?), (-1, negative)] {
            let dividend = self.arena.combine(0, &[(left, sign)])?;
            let positive = divisor.checked_abs().ok_or(Rejection::Overflow)?;
            let quotient = self.arena.quotient(dividend, positive)?;
            let sign = multiply(sign, divisor.signum())?;
            let quotient = self.arena.combine(0, &[(quotient, sign)])?;
            let multiple = (quotient, subtract(0, divisor)?);
            let remainder = self.arena.combine(0, &[(left, 1), multiple])?;
            let result = if is_quotient { quotient } else { remainder };
            cases.push((vec![literal], Some(result)));
        }
        Ok(cases)
    }

    /// An operation that stays a term of its own, where C defines it. Whether it overflows is not known.
    fn opaque(&mut self, target: RegisterId, computation: Computation) -> Outcomes {
        let result = self.arena.normal(&Atom::Apply(computation))?;
        let operation = computation.operation;
        let mut under = Vec::new();
        let mut others = Vec::new();
        if matches!(operation, Operation::ShiftLeft | Operation::ShiftRight) {
            let greatest = subtract(i128::from(width(computation.kind)), 1)?;
            let inside = self.arena.within(computation.right, (0, greatest))?;
            under.extend(inside);
            others.extend(failing(&self.negations(&inside)?));
        }
        if operation == Operation::Xor {
            // Comparisons in constant time are made of this.
            let equal = self.arena.equal(computation.left, computation.right)?;
            let unequal = self.arena.negate(equal)?;
            under.extend([unequal, Literal::new(Sign::NotZero, result)]);
            let zero = Slot::Integer(self.arena.constant(0)?);
            others.push(exact(vec![equal], Effect::Register(target, zero)));
        }
        let value = Effect::Register(target, Slot::Integer(result));
        let mut outcomes = vec![exact(under.clone(), value)];
        if self.fails_on_overflow(computation.kind)
            && matches!(operation, Operation::Multiply | Operation::ShiftLeft)
        {
            let unknown = |effect| Outcome::new(Tag::Ignorance, under.clone(), effect);
            outcomes = [value, Effect::Fail].map(unknown).to_vec();
        }
        outcomes.extend(others);
        Ok(outcomes)
    }

    /// The index is below the object, or above the greatest that is allowed, so many elements past the last: where it may be.
    pub(crate) fn outside(
        &mut self,
        object: ObjectId,
        index: LinearId,
        past: i128,
    ) -> Result<Vec<Literal>> {
        let state = self.member.state(object)?;
        let end = self.arena.plus(state.upper, past)?;
        let below = self.arena.less(index, state.lower)?;
        let mut literals = vec![below, self.arena.at_most(end, index)?];
        literals.retain(|literal| self.arena.evident(*literal) != Some(false));
        Ok(literals)
    }

    /// How many whole steps of this size there are in so many bytes, a linear term, and how many bytes are left, a constant.
    fn whole(
        &mut self,
        bytes: LinearId,
        size: i128,
        otherwise: Unsupported,
    ) -> Result<(LinearId, i128)> {
        let linear = self.arena.linear(bytes)?;
        let mut summands = linear.summands.iter();
        let is_whole = |(_, coefficient): &(AtomId, i128)| {
            divide(*coefficient, size).is_ok_and(|(_, rest)| rest == 0)
        };
        ensure(summands.all(is_whole), Rejection::Unsupported(otherwise))?;
        let (_, rest) = divide(linear.constant, size)?;
        Ok((self.arena.quotient(bytes, size)?, rest))
    }

    /// Pointer arithmetic moves by bytes inside the object that the pointer is into, never to another (`spec/calculus.md#attacks` A1).
    fn advance(&mut self, advance: Advance) -> Outcomes {
        let target = advance.target;
        let pointer = self.pointer(advance.base)?;
        let steps = self.integer(advance.index)?;
        let Some(address) = pointer else {
            let nowhere = self.compare(Relation::Equal, steps)?;
            return self.either(nowhere, Effect::Register(target, Slot::Null), Effect::Fail);
        };
        let object = address.object;
        let scaled = [(steps, advance.scale.into())];
        let bytes = self.arena.combine(address.byte.into(), &scaled)?;
        let size = i128::from(self.layout(object)?.size);
        let (elements, rest) = self.whole(bytes, size, Unsupported::Advance)?;
        let byte = u64::try_from(rest).map_err(|_| Rejection::Overflow)?;
        let parts = [(address.index, 1), (elements, 1)];
        let index = self.arena.combine(0, &parts)?;
        let moved = Slot::byte(object, index, byte);
        if self.setting.parameters.pointer_formation == PointerFormation::Anywhere {
            return Ok(writes(target, moved));
        }
        let outside = self.outside(object, index, i128::from(byte == 0))?;
        let inside = self.negations(&outside)?;
        let mut outcomes = vec![exact(inside, Effect::Register(target, moved))];
        outcomes.extend(failing(&outside));
        Ok(outcomes)
    }

    /// How far apart two addresses in one object are: a number of steps, and how many bytes a step is; none for different objects.
    fn gap(
        &mut self,
        left: Option<Address>,
        right: Option<Address>,
    ) -> Result<Option<(LinearId, i128)>> {
        let both = left.zip(right);
        let Some((left, right)) = both.filter(|(left, right)| left.object == right.object) else {
            return Ok(None);
        };
        let size = i128::from(self.layout(left.object)?.size);
        let bytes = subtract(i128::from(left.byte), i128::from(right.byte))?;
        let (unit, scale) = if bytes == 0 { (size, 1) } else { (1, size) };
        let parts = [(left.index, scale), (right.index, subtract(0, scale)?)];
        Ok(Some((self.arena.combine(bytes, &parts)?, unit)))
    }

    fn distance(&mut self, distance: Distance) -> Outcomes {
        let (left, right) = (self.pointer(distance.left)?, self.pointer(distance.right)?);
        let difference = match self.gap(left, right)? {
            Some((steps, unit)) => {
                let bytes = self.arena.combine(0, &[(steps, unit)])?;
                let size = i128::from(distance.scale);
                let (steps, rest) = self.whole(bytes, size, Unsupported::Distance)?;
                ensure(rest == 0, Rejection::Unsupported(Unsupported::Distance))?;
                steps
            }
            None if left.is_none() && right.is_none() => self.arena.constant(0)?,
            None => return Err(Stop::Fail),
        };
        let cases = self.checked(difference, range(IntegerType::I64))?;
        Ok(set(distance.target, cases))
    }

    /// C11 6.5.8, 6.5.9. Pointers that are not into one object are unequal where each is inside its own; elsewhere nobody knows
    /// (`spec/calculus.md#attacks` B1), and order needs one object.
    fn compare_pointers(
        &mut self,
        relation: Relation,
        sides: [PointerOperand; 2],
        [then, otherwise]: [Effect; 2],
    ) -> Outcomes {
        let [left, right] = sides.map(|side| match side {
            PointerOperand::Null => Ok(None),
            PointerOperand::Register(register) => self.pointer(register),
        });
        let (left, right) = (left?, right?);
        if let Some((difference, _)) = self.gap(left, right)? {
            let literal = self.compare(relation, difference)?;
            return self.either(literal, then, otherwise);
        }
        ensure(relation == Relation::Equal, Stop::Fail)?;
        // One past the end is no other object's start for NULL only.
        let past = i128::from(left.is_none() || right.is_none());
        let mut outside = Vec::new();
        for Address { object, index, .. } in [left, right].into_iter().flatten() {
            outside.extend(self.outside(object, index, past)?);
        }
        if left.is_none() && right.is_none() {
            return Ok(always(then));
        }
        let mut outcomes = vec![exact(self.negations(&outside)?, otherwise)];
        for literal in outside {
            let possible = |effect| Outcome::new(Tag::Real, vec![literal], effect);
            outcomes.extend([then, otherwise].map(possible));
        }
        Ok(outcomes)
    }

    /// C11 7.22.3.
    fn allocate(&mut self, allocate: Allocate) -> Outcomes {
        let bytes = self.integer(allocate.bytes)?;
        let greatest = self.arena.constant(range(IntegerType::I64).1)?;
        let possible = self.arena.at_most(bytes, greatest)?;
        let size = self.setting.layout(allocate.object)?.size;
        let count = self.arena.quotient(bytes, size.into())?;
        let is_node = is_node(&self.setting.object(allocate.object)?.origin);
        ensure(
            !is_node || self.arena.value(count) == Some(1),
            Rejection::Unsupported(Unsupported::NodeArray),
        )?;
        let null = Effect::Register(allocate.target, Slot::Null);
        let created = Effect::Create(Creation {
            target: Some(allocate.target),
            declaration: allocate.object,
            count,
            fresh: allocate.fresh,
        });
        let mut outcomes = self.either(possible, created, null)?;
        if self.setting.parameters.allocation == Allocation::MayFail {
            outcomes.push(exact(vec![possible], null));
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
