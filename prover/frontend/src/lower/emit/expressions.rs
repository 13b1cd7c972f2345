//! Expressions to instructions: their values, or only their effects.

use super::{
    Emitter, Outcome,
    recursion::Use,
    storage::Storage,
    values::{Scalar, Value},
};
use crate::lower::{
    tree::{Base, Builtin, Expression, ExpressionKind, Place, ResultOf},
    types::{CType, Leaf, Shape, includes, width},
};
use goatherd_certificates::program::{
    Advance, Allocate, Compute, Distance, Fresh, Instruction, IntegerType, Location, Operand, Operation, PointerOperand, RegisterId, Type,
};

/// A place that has been found.
pub(crate) enum Spot {
    /// The scalars of the object around it, with their offsets from the place.
    Scalars(Vec<(i64, Scalar)>),
    Memory {
        address: RegisterId,
        displacement: i64,
    },
}

impl Spot {
    /// The place that begins some bytes further.
    pub(crate) fn further(&self, bytes: u64) -> Spot {
        match self {
            Spot::Scalars(scalars) => {
                Spot::Scalars(scalars.iter().map(|(at, scalar)| (at.saturating_sub_unsigned(bytes), *scalar)).collect())
            }
            Spot::Memory { address, displacement } => {
                Spot::Memory { address: *address, displacement: displacement.saturating_add_unsigned(bytes) }
            }
        }
    }
}

impl Emitter<'_> {
    /// An expression for its effects, up to the sequence point at its end.
    pub(crate) fn full_effect(&mut self, expression: &Expression) -> Outcome<()> {
        let in_use = self.temporaries_in_use();
        self.open_region();
        let outcome = self.effect(expression);
        self.close_region(&mut [], expression.offset);
        self.release(in_use);
        outcome
    }

    /// An expression whose value is not used.
    pub(crate) fn effect(&mut self, expression: &Expression) -> Outcome<()> {
        let offset = expression.offset;
        match &expression.kind {
            ExpressionKind::Constant(_) | ExpressionKind::Function(_) => Ok(()),
            // `(void)argv;` says that nobody looks.
            ExpressionKind::Read(place) if self.is_unmodelled(place) => Ok(()),
            ExpressionKind::Read(place) if expression.ctype.is_void() => self.locate(place).map(|_| ()),
            ExpressionKind::Convert(inner) | ExpressionKind::Not(inner) => self.effect(inner),
            ExpressionKind::Update { place, change, .. } => self.update(place, change, ResultOf::After, offset).map(|_| ()),
            ExpressionKind::Comma(left, right) | ExpressionKind::Then(left, right) => {
                self.full_effect(left)?;
                self.effect(right)
            }
            ExpressionKind::Call { function, arguments } => self.call_for_effect(*function, arguments, offset),
            ExpressionKind::CallThrough { pointer, arguments } => {
                self.call_through(pointer, arguments, &expression.ctype, (Use::Effect, None), offset).map(|_| ())
            }
            ExpressionKind::Conditional(condition, then, otherwise) => self.conditional_effect(condition, then, otherwise),
            ExpressionKind::And(left, right) => {
                let (more, end) = (self.mark(), self.mark());
                self.branch(left, more, end)?;
                self.bind(more);
                self.full_effect(right)?;
                self.bind(end);
                Ok(())
            }
            ExpressionKind::Or(left, right) => {
                let (more, end) = (self.mark(), self.mark());
                self.branch(left, end, more)?;
                self.bind(more);
                self.full_effect(right)?;
                self.bind(end);
                Ok(())
            }
            ExpressionKind::Either(one, other) => {
                let (first, second, end) = (self.mark(), self.mark(), self.mark());
                self.push(Instruction::Choose { then: Location(first), otherwise: Location(second) }, offset);
                self.bind(first);
                self.full_effect(one)?;
                self.jump(end, offset);
                self.bind(second);
                self.full_effect(other)?;
                self.bind(end);
                Ok(())
            }
            ExpressionKind::Statements { block, statements, value } => {
                self.enter_block(*block, offset);
                self.statements(statements);
                let outcome = value.as_ref().map_or(Ok(()), |value| self.full_effect(value));
                self.leave_block(offset);
                outcome
            }
            ExpressionKind::Builtin(builtin) => self.builtin_effect(builtin, &expression.ctype, offset),
            _ => self.evaluate(expression, None).map(|_| ()),
        }
    }

    fn conditional_effect(&mut self, condition: &Expression, then: &Expression, otherwise: &Expression) -> Outcome<()> {
        let (first, second, end) = (self.mark(), self.mark(), self.mark());
        if self.fails(then) || self.fails(otherwise) {
            self.asserted_branch(condition, first, second)?;
        } else {
            self.branch(condition, first, second)?;
        }
        self.bind(first);
        self.full_effect(then)?;
        self.jump(end, then.offset);
        self.bind(second);
        self.full_effect(otherwise)?;
        self.bind(end);
        Ok(())
    }

    /// A scalar value.
    pub(crate) fn scalar(&mut self, expression: &Expression, want: Option<RegisterId>) -> Outcome<Scalar> {
        match self.evaluate(expression, want)? {
            Value::Scalar(scalar) => Ok(scalar),
            _ => self.unsupported(expression.offset, "a value that is neither integer nor pointer here"),
        }
    }

    /// The value of a scalar expression in this register; the register is written last.
    pub(crate) fn evaluate_into(&mut self, expression: &Expression, target: RegisterId) -> Outcome<()> {
        let scalar = self.scalar(expression, Some(target))?;
        self.move_to(target, scalar, expression.offset);
        Ok(())
    }

    /// The value of an expression. A new value is put into the wanted register if that has its type, and written there last.
    pub(crate) fn evaluate(&mut self, expression: &Expression, want: Option<RegisterId>) -> Outcome<Value> {
        let offset = expression.offset;
        let scalar = match &expression.kind {
            ExpressionKind::Constant(value) => match expression.ctype.as_integer() {
                Some(kind) => Scalar::Integer(Operand::Constant(*value), kind),
                None => Scalar::Pointer(PointerOperand::Null),
            },
            ExpressionKind::Read(place) => return self.read(place, None, want),
            ExpressionKind::AddressOf(place) => self.address(place, want)?,
            ExpressionKind::Convert(inner) => return self.conversion(inner, &expression.ctype, want, offset),
            ExpressionKind::Binary(operation, left, right) => {
                let kind = expression.ctype.as_integer().unwrap_or(IntegerType::I32);
                self.binary(*operation, kind, left, right, want, offset)?
            }
            ExpressionKind::Compare(..) | ExpressionKind::Not(_) | ExpressionKind::And(..) | ExpressionKind::Or(..) => {
                let target = self.target(want, Type::Integer(IntegerType::I32));
                self.truth_into(expression, target)?
            }
            ExpressionKind::Advance { base, index, scale, within } => {
                let (base, index) = self.indexed(base, index, *within, offset)?;
                let target = self.target(want, Type::Pointer);
                self.push(Instruction::Advance(Advance { target, base, index, scale: *scale }), offset);
                Scalar::of(target, Type::Pointer)
            }
            ExpressionKind::Element { first, index, scale, count, within } => {
                let (base, index) = self.indexed(first, index, *within, offset)?;
                let target = self.target(want, Type::Pointer);
                self.element(Advance { target, base, index, scale: *scale }, *count, offset)
            }
            ExpressionKind::Distance { left, right, scale } => {
                let left = self.scalar(left, None)?;
                let right = self.scalar(right, None)?;
                let (left, right) = (self.pointer_register(left, offset), self.pointer_register(right, offset));
                let kind = Type::Integer(IntegerType::I64);
                let target = self.target(want, kind);
                self.push(Instruction::Distance(Distance { target, left, right, scale: *scale }), offset);
                Scalar::of(target, kind)
            }
            ExpressionKind::Assign { place, value } => return self.assign(place, value, offset),
            ExpressionKind::Update { place, change, result } => self.update(place, change, *result, offset)?,
            ExpressionKind::Conditional(condition, then, otherwise) => {
                return self.conditional(condition, then, otherwise, &expression.ctype, want);
            }
            ExpressionKind::Comma(left, right) | ExpressionKind::Then(left, right) => {
                self.full_effect(left)?;
                return self.evaluate(right, want);
            }
            ExpressionKind::Call { function, arguments } => return self.call_for_value(*function, arguments, want, offset),
            ExpressionKind::Function(function) => Scalar::of(self.function_pointer(*function), Type::Pointer),
            ExpressionKind::CallThrough { pointer, arguments } => {
                return self.call_through(pointer, arguments, &expression.ctype, (Use::Value, want), offset);
            }
            ExpressionKind::Builtin(builtin) => return self.builtin(builtin, &expression.ctype, want, offset),
            ExpressionKind::Either(..) => return self.effect(expression).map(|()| Value::Void),
            ExpressionKind::Statements { block, statements, value } => {
                self.enter_block(*block, offset);
                self.statements(statements);
                let value = match value {
                    Some(value) => self.sequenced(value, want),
                    None => Ok(Value::Void),
                };
                self.leave_block(offset);
                return value;
            }
        };
        Ok(Value::Scalar(scalar))
    }

    /// A value with a sequence point after it.
    pub(crate) fn sequenced(&mut self, expression: &Expression, want: Option<RegisterId>) -> Outcome<Value> {
        self.open_region();
        let value = self.evaluate(expression, want);
        let mut scalars = value.as_ref().map_or(Vec::new(), |value| value.clone().scalars());
        self.close_region(&mut scalars, expression.offset);
        Ok(value?.with(scalars))
    }

    fn binary(
        &mut self,
        operation: Operation,
        kind: IntegerType,
        left: &Expression,
        right: &Expression,
        want: Option<RegisterId>,
        offset: usize,
    ) -> Outcome<Scalar> {
        let left = self.scalar(left, None)?;
        let right = self.scalar(right, None)?;
        self.compute(operation, kind, left, right, want, offset)
    }

    /// An operation in a type; the right side of a shift keeps its own.
    pub(crate) fn compute(
        &mut self,
        operation: Operation,
        kind: IntegerType,
        left: Scalar,
        right: Scalar,
        want: Option<RegisterId>,
        offset: usize,
    ) -> Outcome<Scalar> {
        let left = self.operand_in(left, kind, offset);
        let right = match operation {
            Operation::ShiftLeft | Operation::ShiftRight => self.integer(right, offset)?,
            _ => self.operand_in(right, kind, offset),
        };
        let target = self.target(want, Type::Integer(kind));
        self.push(Instruction::Compute(Compute { target, operation, left, right }), offset);
        Ok(Scalar::of(target, Type::Integer(kind)))
    }

    fn conversion(&mut self, inner: &Expression, to: &CType, want: Option<RegisterId>, offset: usize) -> Outcome<Value> {
        match &to.shape {
            Shape::Void => self.effect(inner).map(|()| Value::Void),
            Shape::Integer(IntegerType::Bool) => {
                if inner.ctype.as_integer() == Some(IntegerType::Bool) {
                    return self.evaluate(inner, want);
                }
                let target = self.target(want, Type::Integer(IntegerType::Bool));
                self.truth_into(inner, target).map(Value::Scalar)
            }
            Shape::Integer(kind) if inner.ctype.is_pointer() => self.number_of(inner, *kind, want, offset).map(Value::Scalar),
            Shape::Integer(kind) => self.integer_conversion(inner, *kind, want, offset).map(Value::Scalar),
            Shape::Pointer(_) if inner.ctype.as_integer().is_some() => self.pointer_of(inner, want, offset).map(Value::Scalar),
            Shape::Pointer(target) => {
                let scalar = self.scalar(inner, want)?;
                if let Scalar::Pointer(PointerOperand::Register(register)) = scalar
                    && !self.is_untyped(target)
                    && inner.ctype.pointee().is_some_and(|source| self.is_untyped(source))
                {
                    let element = target.base_element();
                    let layout = self.layout(element, offset)?;
                    self.heap.note(self.lines.len(), register, element, layout);
                }
                Ok(Value::Scalar(scalar))
            }
            _ => self.evaluate(inner, want),
        }
    }

    fn integer_conversion(&mut self, inner: &Expression, kind: IntegerType, want: Option<RegisterId>, offset: usize) -> Outcome<Scalar> {
        // A load converts between signed and unsigned by itself.
        if let ExpressionKind::Read(place) = &inner.kind
            && let Some(own) = place.ctype.as_integer()
            && width(own) == width(kind)
            && own != IntegerType::Bool
            && place.ctype.bits.is_none()
            && !self.is_in_registers(place)
        {
            return match self.read(place, Some(kind), want)? {
                Value::Scalar(scalar) => Ok(scalar),
                _ => self.unsupported(offset, "a conversion of something that is no integer"),
            };
        }
        // Sums and bitwise operations on small unsigned numbers may be computed in the small type: the result is the same modulo its size.
        if let ExpressionKind::Binary(operation, left, right) = &inner.kind
            && is_modular(*operation, kind)
            && is_narrow(left, kind)
            && is_narrow(right, kind)
        {
            return self.binary(*operation, kind, left, right, want, inner.offset);
        }
        let same = inner.ctype.as_integer().is_some_and(|own| includes(kind, own));
        let scalar = self.scalar(inner, want.filter(|_| same))?;
        Ok(self.converted(scalar, kind, want, offset))
    }

    fn is_in_registers(&mut self, place: &Place) -> bool {
        match &place.base {
            Base::Variable(id) => matches!(self.variable_storage(*id), Ok(Storage::Scalars(_))),
            Base::Global(id) => matches!(self.global_storage(*id), Ok(Storage::Scalars(_))),
            Base::Pointer(_) => false,
            Base::Value(_) | Base::Literal(..) => true,
        }
    }

    fn conditional(
        &mut self,
        condition: &Expression,
        then: &Expression,
        otherwise: &Expression,
        ctype: &CType,
        want: Option<RegisterId>,
    ) -> Outcome<Value> {
        if ctype.is_void() {
            return self.conditional_effect(condition, then, otherwise).map(|()| Value::Void);
        }
        let leaves = self.leaves(ctype, condition.offset)?;
        let targets: Vec<RegisterId> = match (&leaves[..], want) {
            ([leaf], want) => vec![self.target(want, leaf.kind)],
            _ => leaves.iter().map(|leaf| self.temporary(leaf.kind)).collect(),
        };
        let (first, second, end) = (self.mark(), self.mark(), self.mark());
        self.branch(condition, first, second)?;
        self.bind(first);
        self.sequenced_into(then, &targets)?;
        self.jump(end, then.offset);
        self.bind(second);
        self.sequenced_into(otherwise, &targets)?;
        self.bind(end);
        let scalars = targets.iter().zip(&leaves).map(|(target, leaf)| Scalar::of(*target, leaf.kind)).collect();
        Ok(value_of(ctype, scalars))
    }

    /// The value in these registers, with a sequence point after it.
    pub(crate) fn sequenced_into(&mut self, expression: &Expression, targets: &[RegisterId]) -> Outcome<()> {
        let want = if let [target] = targets { Some(*target) } else { None };
        let scalars = self.sequenced(expression, want)?.scalars();
        for (target, scalar) in targets.iter().zip(scalars) {
            self.move_to(*target, scalar, expression.offset);
        }
        Ok(())
    }

    /// A parameter of the entry function that no input stands for; where the function calls itself, its parameters are given.
    fn is_unmodelled(&self, place: &Place) -> bool {
        matches!(&place.base, Base::Variable(id) if self.frames.len() == 1 && self.unmodelled.contains(id))
    }

    /// Finds a place; what is needed to find it is evaluated.
    pub(crate) fn locate(&mut self, place: &Place) -> Outcome<Spot> {
        self.locate_into(place, None)
    }

    /// As [`Self::locate`]; the address of an object is put into the wanted register.
    fn locate_into(&mut self, place: &Place, want: Option<RegisterId>) -> Outcome<Spot> {
        let offset = place.offset;
        let storage = match &place.base {
            Base::Variable(_) if self.is_unmodelled(place) => return self.unsupported(offset, "a look at the arguments of main"),
            Base::Variable(id) => self.variable_storage(*id)?,
            Base::Global(id) => self.global_storage(*id)?,
            Base::Literal(id, items) => {
                self.initialise(*id, items, offset)?;
                self.variable_storage(*id)?
            }
            Base::Pointer(pointer) => {
                let scalar = self.scalar(pointer, None)?;
                let address = self.pointer_register(scalar, offset);
                return Ok(Spot::Memory { address, displacement: place.displacement });
            }
            Base::Value(value) => {
                let leaves = self.leaves(&value.ctype, offset)?;
                let scalars = self.evaluate(value, None)?.scalars();
                Storage::Scalars(leaves.iter().map(|leaf| leaf.offset).zip(scalars).collect())
            }
        };
        match storage {
            Storage::Memory(_) | Storage::Activation { .. } => {
                let address = self.address_of(&storage, want, offset);
                Ok(Spot::Memory { address, displacement: place.displacement })
            }
            Storage::Scalars(scalars) => {
                let from_place = |(at, scalar): (u64, Scalar)| (i64::try_from(at).unwrap_or(i64::MAX) - place.displacement, scalar);
                Ok(Spot::Scalars(scalars.into_iter().map(from_place).collect()))
            }
        }
    }

    /// The scalar of a leaf of a place in registers.
    pub(crate) fn scalar_at(&mut self, scalars: &[(i64, Scalar)], leaf: &Leaf, offset: usize) -> Outcome<Scalar> {
        let wanted = i64::try_from(leaf.offset).unwrap_or(i64::MAX);
        match scalars.iter().find(|(at, _)| *at == wanted) {
            Some((_, scalar)) => Ok(*scalar),
            None => self.unsupported(offset, "an access that does not match the variable's type"),
        }
    }

    /// The scalar of a register in the type of the leaf that is read: members of a union share it.
    pub(crate) fn as_leaf(&mut self, scalar: Scalar, leaf: &Leaf, offset: usize) -> Scalar {
        match (scalar, leaf.kind) {
            (Scalar::Integer(_, own), Type::Integer(kind)) if own != kind => self.converted(scalar, kind, None, offset),
            _ => scalar,
        }
    }

    /// The value of a place; a load may change its signedness to that of `kind`.
    /// The value of an object: of a volatile one any value, since it may change in ways that are not known (C11 6.7.3p7).
    fn read(&mut self, place: &Place, kind: Option<IntegerType>, want: Option<RegisterId>) -> Outcome<Value> {
        match place.ctype.as_integer().filter(|_| place.ctype.volatile) {
            Some(own) => {
                self.held(place, kind, None)?;
                Ok(Value::Scalar(self.any_integer(kind.unwrap_or(own), want, place.offset)))
            }
            None => self.held(place, kind, want),
        }
    }

    /// Any value of an integer type.
    pub(crate) fn any_integer(&mut self, kind: IntegerType, want: Option<RegisterId>, offset: usize) -> Scalar {
        let target = self.target(want, Type::Integer(kind));
        self.push(Instruction::Havoc { target }, offset);
        Scalar::of(target, Type::Integer(kind))
    }

    /// What an object holds.
    fn held(&mut self, place: &Place, kind: Option<IntegerType>, want: Option<RegisterId>) -> Outcome<Value> {
        let offset = place.offset;
        if let Some(bits) = place.ctype.bits {
            let spot = self.locate(place)?;
            return self.read_bits(&spot, bits, place, want).map(Value::Scalar);
        }
        if place.ctype.in_bytes && place.ctype.is_record() {
            return self.read_whole(place);
        }
        let leaves = self.leaves(&place.ctype.unqualified(), offset)?;
        let spot = self.locate(place)?;
        let mut scalars = Vec::new();
        for leaf in &leaves {
            scalars.push(match &spot {
                Spot::Scalars(known) => {
                    let scalar = self.scalar_at(known, leaf, offset)?;
                    self.as_leaf(scalar, leaf, offset)
                }
                Spot::Memory { address, displacement } => {
                    let kind = kind.map_or(leaf.kind, Type::Integer);
                    let target = self.target(want.filter(|_| leaves.len() == 1), kind);
                    let total = displacement.saturating_add_unsigned(leaf.offset);
                    self.push(Instruction::Load { target, address: *address, offset: total }, offset);
                    Scalar::of(target, kind)
                }
            });
        }
        Ok(value_of(&place.ctype, scalars))
    }

    fn address(&mut self, place: &Place, want: Option<RegisterId>) -> Outcome<Scalar> {
        let offset = place.offset;
        let Spot::Memory { address, displacement } = self.locate_into(place, want.filter(|_| place.displacement == 0))? else {
            return self.unsupported(offset, "the address of a value");
        };
        if displacement == 0 {
            return Ok(Scalar::of(address, Type::Pointer));
        }
        let size = self.records.size(&place.ctype).and_then(|size| i64::try_from(size).ok()).filter(|size| *size > 0);
        let scale = size.filter(|size| displacement % size == 0).unwrap_or(1);
        let target = self.target(want, Type::Pointer);
        let index = Operand::Constant(i128::from(displacement / scale));
        self.push(Instruction::Advance(Advance { target, base: address, index, scale }), offset);
        Ok(Scalar::of(target, Type::Pointer))
    }

    /// Allocation without knowing yet what for.
    pub(crate) fn allocate(&mut self, bytes: Operand, fresh: Fresh, want: Option<RegisterId>, offset: usize) -> Scalar {
        let object = self.heap_object(offset);
        let target = self.target(want, Type::Pointer);
        self.push(Instruction::Allocate(Allocate { target, object, bytes, fresh }), offset);
        Scalar::of(target, Type::Pointer)
    }

    fn builtin_effect(&mut self, builtin: &Builtin, ctype: &CType, offset: usize) -> Outcome<()> {
        match builtin {
            Builtin::Arbitrary | Builtin::Unspecified | Builtin::Numbers => Ok(()),
            _ => self.builtin(builtin, ctype, None, offset).map(|_| ()),
        }
    }
}

/// Is a result in this type the same whether it is computed there or in int first?
fn is_modular(operation: Operation, kind: IntegerType) -> bool {
    matches!(kind, IntegerType::U8 | IntegerType::U16)
        && matches!(operation, Operation::Add | Operation::Subtract | Operation::And | Operation::Or | Operation::Xor)
}

/// Is the operand a value of this type that was only promoted?
fn is_narrow(expression: &Expression, kind: IntegerType) -> bool {
    match &expression.kind {
        ExpressionKind::Constant(value) => crate::lower::types::in_range(kind, *value),
        ExpressionKind::Convert(inner) => inner.ctype.as_integer() == Some(kind),
        _ => false,
    }
}

/// Scalars as the value of a type.
pub(crate) fn value_of(ctype: &CType, scalars: Vec<Scalar>) -> Value {
    match (ctype.is_scalar(), scalars.first()) {
        (true, Some(scalar)) => Value::Scalar(*scalar),
        _ => Value::Record(scalars),
    }
}
