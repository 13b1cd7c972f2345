//! Calls: the callee's body is copied to the place of the call.

use super::{
    Emitter, Mark, Outcome, ResultTarget,
    expressions::value_of,
    recursion::Use,
    storage::Storage,
    values::{Scalar, Value},
};
use crate::lower::{
    tree::{Builtin, Expression, FunctionId, StatementKind, Variable},
    types::{CType, Leaf, maximum},
    undefined_behavior::UndefinedBehavior,
};
use goatherd_certificates::program::{
    Compute, Condition, FailKind, Fresh, Instruction, IntegerType, Operand, Operation, PointerOperand, RegisterId, Relation, Type,
};

/// Calls inside calls.
const DEPTH_LIMIT: usize = 64;

impl Emitter<'_> {
    /// A call whose result is not used.
    pub(crate) fn call_for_effect(&mut self, function: FunctionId, arguments: &[Expression], offset: usize) -> Outcome<()> {
        if self.is_stacked(function) {
            return self.stacked_call(function, arguments, Use::Effect, offset).map(|_| ());
        }
        self.begin_call(function, arguments, ResultTarget::Discard, offset)?;
        let code = &self.unit.functions[function];
        self.body(&code.body);
        self.end_call(code.end);
        Ok(())
    }

    /// A call that decides where to go on.
    pub(crate) fn call_for_branch(
        &mut self,
        function: FunctionId,
        arguments: &[Expression],
        then: Mark,
        otherwise: Mark,
        offset: usize,
    ) -> Outcome<()> {
        self.begin_call(function, arguments, ResultTarget::Branch { then, otherwise }, offset)?;
        let code = &self.unit.functions[function];
        self.body(&code.body);
        self.end_call(code.end);
        Ok(())
    }

    /// A call whose result is used.
    pub(crate) fn call_for_value(
        &mut self,
        function: FunctionId,
        arguments: &[Expression],
        want: Option<RegisterId>,
        offset: usize,
    ) -> Outcome<Value> {
        let code = &self.unit.functions[function];
        if code.result.is_void() {
            return self.call_for_effect(function, arguments, offset).map(|()| Value::Void);
        }
        if self.is_stacked(function) {
            let scalars = self.stacked_call(function, arguments, Use::Value, offset)?;
            return Ok(value_of(&code.result, scalars));
        }
        // With its only `return` at the end, the value needs no register of its own.
        if let ([rest @ .., last], 1, false) = (&code.body[..], code.returns, self.unit.circles.is_recursive(function))
            && let StatementKind::Return(Some(result)) = &last.kind
        {
            self.begin_call(function, arguments, ResultTarget::Discard, offset)?;
            self.statements(rest);
            let value = self.sequenced(result, want);
            self.end_call(last.offset);
            return value;
        }
        let leaves = self.leaves(&code.result.unqualified(), offset)?;
        let targets: Vec<RegisterId> = match &leaves[..] {
            [leaf] => vec![self.target(want, leaf.kind)],
            _ => leaves.iter().map(|leaf| self.temporary(leaf.kind)).collect(),
        };
        self.begin_call(function, arguments, ResultTarget::Registers(targets.clone()), offset)?;
        self.body(&code.body);
        self.end_call(code.end);
        let scalars = targets.iter().zip(&leaves).map(|(target, leaf)| Scalar::of(*target, leaf.kind)).collect();
        Ok(value_of(&code.result, scalars))
    }

    /// Binds the parameters and opens the callee's frame.
    pub(crate) fn begin_call(
        &mut self,
        function: FunctionId,
        arguments: &[Expression],
        result: ResultTarget,
        offset: usize,
    ) -> Outcome<()> {
        let code = &self.unit.functions[function];
        self.check_depth(offset)?;
        let is_recursive = self.unit.circles.is_recursive(function);
        self.open_region();
        let mut scalars = Vec::new();
        let mut prepared = Vec::new();
        let outcome = self.arguments(function, arguments, &mut scalars, &mut prepared);
        let mut flat: Vec<Scalar> = scalars.iter().flatten().copied().collect();
        self.close_region(&mut flat, offset);
        outcome?;
        let mut values = flat.into_iter();
        let scalars: Vec<Vec<Scalar>> = scalars.iter().map(|part| values.by_ref().take(part.len()).collect()).collect();
        let shared: Vec<bool> = scalars.iter().map(|part| part.iter().any(|scalar| self.is_shared(*scalar))).collect();
        self.open_frame(function, result);
        let mut stores = Vec::new();
        for (index, ((parameter, scalars), shared)) in code.parameters.iter().zip(scalars).zip(shared).enumerate() {
            let variable = &code.variables[*parameter];
            let leaves = self.leaves(&variable.ctype.unqualified(), offset)?;
            let storage = prepared.get_mut(index).and_then(Option::take);
            let fixed = !is_recursive && is_fixed(variable) && !shared && self.register_leaves(&variable.ctype).is_some();
            if let Some(storage) = storage {
                self.frame_mut().variables[*parameter] = Some(storage);
                stores.push((*parameter, leaves, scalars));
            } else if fixed {
                let bound = leaves.iter().map(|leaf| leaf.offset).zip(scalars).collect();
                self.frame_mut().variables[*parameter] = Some(Storage::Scalars(bound));
            } else {
                stores.push((*parameter, leaves, scalars));
            }
        }
        self.enter_block(0, offset);
        for (parameter, leaves, scalars) in stores {
            let storage = self.variable_storage(parameter)?;
            self.set(&storage, &leaves, &scalars, offset);
        }
        self.bind_start();
        Ok(())
    }

    /// Refuses calls that are nested too deep, and programs that are too long.
    pub(crate) fn check_depth(&mut self, offset: usize) -> Outcome<()> {
        if self.frames.len() > DEPTH_LIMIT {
            return self.unsupported(offset, "calls nested more than 64 deep");
        }
        self.check_size(offset)
    }

    /// Evaluates the arguments; a scalar parameter that its function changes gets a register now, so that the value is computed there.
    fn arguments(
        &mut self,
        function: FunctionId,
        arguments: &[Expression],
        scalars: &mut Vec<Vec<Scalar>>,
        prepared: &mut Vec<Option<Storage>>,
    ) -> Outcome<()> {
        let code = &self.unit.functions[function];
        let is_recursive = self.unit.circles.is_recursive(function);
        if code.parameters.len() != arguments.len() {
            return self.unsupported(code.offset, "a function called with another number of arguments");
        }
        for (argument, parameter) in arguments.iter().zip(&code.parameters) {
            let variable = &code.variables[*parameter];
            let leaves = self.leaves(&variable.ctype.unqualified(), argument.offset)?;
            let mut want = None;
            let mut storage = None;
            if let ([leaf], false, false) = (&leaves[..], variable.addressed, !is_recursive && is_fixed(variable)) {
                let name = format!("{}:{}", code.name, variable.name);
                let register = self.register(&name, leaf.kind);
                want = Some(register);
                storage = Some(Storage::Scalars(vec![(leaf.offset, Scalar::of(register, leaf.kind))]));
            }
            prepared.push(storage);
            scalars.push(self.evaluate(argument, want)?.scalars());
        }
        Ok(())
    }

    fn is_shared(&self, scalar: Scalar) -> bool {
        scalar.register().is_some_and(|register| self.shared.contains(&register))
    }

    /// Gives an object its value.
    pub(crate) fn set(&mut self, storage: &Storage, leaves: &[Leaf], scalars: &[Scalar], offset: usize) {
        match storage {
            Storage::Scalars(targets) => {
                for ((_, target), scalar) in targets.iter().zip(scalars) {
                    if let Some(register) = target.register() {
                        self.move_to(register, *scalar, offset);
                    }
                }
            }
            Storage::Memory(_) | Storage::Activation { .. } => {
                let address = self.address_of(storage, None, offset);
                for (leaf, scalar) in leaves.iter().zip(scalars) {
                    self.store(address, 0, leaf, *scalar, offset);
                }
            }
        }
    }

    /// The callee's frame is closed; its result is where it was asked for.
    pub(crate) fn end_call(&mut self, offset: usize) {
        self.leave_block(offset);
        if let Some(frame) = self.frames.pop() {
            self.bind(frame.end);
        }
    }

    pub(crate) fn builtin(&mut self, builtin: &Builtin, ctype: &CType, want: Option<RegisterId>, offset: usize) -> Outcome<Value> {
        match builtin {
            Builtin::Assume(condition) => {
                let (held, broken) = (self.mark(), self.mark());
                self.branch(condition, held, broken)?;
                self.bind(broken);
                self.push(Instruction::Ignore, offset);
                self.bind(held);
            }
            Builtin::Assert(condition) => {
                let held = self.mark();
                if self.waived.covers(offset) {
                    self.branch(condition, held, held)?;
                } else {
                    let broken = self.mark();
                    self.asserted_branch(condition, held, broken)?;
                    self.bind(broken);
                    self.push(Instruction::Fail { kind: FailKind::Assertion }, offset);
                }
                self.bind(held);
            }
            Builtin::Ignore => self.push(Instruction::Ignore, offset),
            Builtin::Halt(parts) => {
                for part in parts {
                    self.full_effect(part)?;
                }
                self.push(Instruction::Halt, offset);
            }
            Builtin::Fail(FailKind::Assertion | FailKind::Reached) if self.waived.covers(offset) => {}
            Builtin::Fail(kind) => self.push(Instruction::Fail { kind: *kind }, offset),
            Builtin::Undefined(behavior) => self.undefined(*behavior, offset),
            Builtin::Unspecified if ctype.is_pointer() => {
                let target = self.target(want, Type::Pointer);
                self.push(Instruction::Uninitialise { target }, offset);
                return Ok(Value::Scalar(Scalar::of(target, Type::Pointer)));
            }
            Builtin::Numbers => return Ok(Value::Scalar(Scalar::of(self.numbers(offset), Type::Pointer))),
            Builtin::Arbitrary | Builtin::Unspecified => {
                let kind = ctype.as_integer().unwrap_or(IntegerType::I32);
                return Ok(Value::Scalar(self.any_integer(kind, want, offset)));
            }
            Builtin::Allocate(bytes) => {
                let bytes = self.scalar(bytes, None)?;
                let bytes = self.operand_in(bytes, IntegerType::U64, offset);
                return Ok(Value::Scalar(self.allocate(bytes, Fresh::Arbitrary, want, offset)));
            }
            Builtin::AllocateZero(count, size) => return self.allocate_zero(count, size, want, offset).map(Value::Scalar),
            Builtin::Free(pointer) => {
                let pointer = self.scalar(pointer, None)?;
                let pointer = self.pointer_register(pointer, offset);
                self.free(pointer, offset);
            }
            Builtin::Replace { to, from, bytes } => {
                let (to, from) = (self.scalar(to, None)?, self.scalar(from, None)?);
                let bytes = self.scalar(bytes, None)?;
                let bytes = self.operand_in(bytes, IntegerType::U64, offset);
                let [to, from] = [to, from].map(|pointer| self.pointer_register(pointer, offset));
                self.replace(to, from, bytes, offset);
            }
        }
        Ok(Value::Void)
    }

    pub(crate) fn free(&mut self, pointer: RegisterId, offset: usize) {
        self.check_owned(pointer, offset);
        let scalar = Scalar::of(pointer, Type::Pointer);
        let pointer = if self.heap.owns(pointer) { self.copied(scalar, offset).register().unwrap_or(pointer) } else { pointer };
        self.push(Instruction::Free { pointer }, offset);
    }

    /// Arrays of variable length end with their blocks; to free one fails (C11 7.22.3.3p2).
    fn check_owned(&mut self, pointer: RegisterId, offset: usize) {
        let owned = self.open_arrays();
        if owned.is_empty() {
            return;
        }
        let (found, fails, end) = (self.mark(), self.mark(), self.mark());
        let equal = |right| Condition::Pointers { relation: Relation::Equal, left: PointerOperand::Register(pointer), right };
        self.push_branch(equal(PointerOperand::Null), end, found, offset);
        self.bind(found);
        for array in owned {
            let next = self.mark();
            self.push_branch(equal(PointerOperand::Register(array)), fails, next, offset);
            self.bind(next);
        }
        self.jump(end, offset);
        self.bind(fails);
        self.undefined(UndefinedBehavior::FreeOfDeclared, offset);
        self.bind(end);
    }

    /// `calloc`: NULL if the product is no size (C11 7.22.3.2; so do all C libraries).
    fn allocate_zero(&mut self, count: &Expression, size: &Expression, want: Option<RegisterId>, offset: usize) -> Outcome<Scalar> {
        let first = self.scalar(count, None)?;
        let second = self.scalar(size, None)?;
        let (first, second) = (self.operand_in(first, IntegerType::U64, offset), self.operand_in(second, IntegerType::U64, offset));
        let (Operand::Constant(factor), count) = (match (first, second) {
            (Operand::Constant(_), _) => (first, second),
            _ => (second, first),
        }) else {
            return self.unsupported(offset, "a calloc of which neither number is constant");
        };
        if let Operand::Constant(count) = count {
            let bytes = count.checked_mul(factor).filter(|bytes| *bytes <= maximum(IntegerType::U64));
            let bytes = bytes.unwrap_or(maximum(IntegerType::U64));
            return Ok(self.allocate(Operand::Constant(bytes), Fresh::Zero, want, offset));
        }
        if factor <= 1 {
            let bytes = if factor == 0 { Operand::Constant(0) } else { count };
            return Ok(self.allocate(bytes, Fresh::Zero, want, offset));
        }
        let target = self.target(want, Type::Pointer);
        let (fits, too_large, end) = (self.mark(), self.mark(), self.mark());
        let limit = Operand::Constant(maximum(IntegerType::U64) / factor);
        let condition = Condition::Integers { relation: Relation::LessOrEqual, left: count, right: limit };
        self.push_branch(condition, fits, too_large, offset);
        self.bind(too_large);
        self.move_to(target, Scalar::Pointer(PointerOperand::Null), offset);
        self.jump(end, offset);
        self.bind(fits);
        let bytes = self.temporary(Type::Integer(IntegerType::U64));
        let right = Operand::Constant(factor);
        self.push(Instruction::Compute(Compute { target: bytes, operation: Operation::Multiply, left: count, right }), offset);
        let scalar = self.allocate(Operand::Register(bytes), Fresh::Zero, Some(target), offset);
        self.bind(end);
        Ok(scalar)
    }
}

/// Does a parameter of a function that is not recursive keep the value that it is called with, in registers?
const fn is_fixed(variable: &Variable) -> bool {
    !variable.addressed && !variable.assigned
}
