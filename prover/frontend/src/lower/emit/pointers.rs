//! Pointers among few: to the elements of an array inside a struct, and to functions, with calls through them.
//!
//! The kernel moves a pointer inside an element by constants only, so an index chooses among those.
//!
//! A function whose address is taken is an object that is never written; a pointer to it is a pointer to that object, and can be copied,
//! stored and compared as any other. A call through a pointer calls directly where it is known to which function the pointer points, as that of
//! a comparator that is handed on; elsewhere the pointer is compared with each function that fits.

use super::{
    Elements, Emitter, Line, Mark, Outcome,
    expressions::value_of,
    values::{Scalar, Value},
};
use crate::lower::{
    tree::{Expression, FunctionId, Within},
    types::{CType, minimum},
    undefined_behavior::UndefinedBehavior,
};
use goatherd_certificates::program::{
    Access, Advance, Condition, Contents, Instruction, IntegerType, ObjectId, Operand, Origin, PointerOperand, RegisterId, Relation, Type,
};
use std::ops::Range;

/// Elements that are told apart one after the other.
const CHAIN: u64 = 64;

/// What a register points to that is never written again.
#[derive(Clone, Copy)]
pub(crate) struct FunctionPointer {
    function: FunctionId,
    pub(crate) object: ObjectId,
}

impl Emitter<'_> {
    /// The register that points to the function.
    pub(crate) fn function_pointer(&mut self, function: FunctionId) -> RegisterId {
        if let Some((register, _)) = self.pointers.iter().find(|(_, known)| known.function == function) {
            return *register;
        }
        let code = &self.unit.functions[function];
        let origin = Origin::Static { count: 1, contents: vec![Contents::Zero], access: Access::ReadOnly };
        let layout = self.byte_layout();
        let object = self.object(&code.name, layout, origin);
        let target = self.register(&format!("&{}", code.name), Type::Pointer);
        self.prologue.push(Line { instruction: Instruction::Address { target, object }, offset: code.offset });
        self.pointers.insert(target, FunctionPointer { function, object });
        target
    }

    /// A pointer and an index of the array there, which fails if it is none of these.
    pub(crate) fn indexed(
        &mut self,
        base: &Expression,
        index: &Expression,
        within: Option<Within>,
        offset: usize,
    ) -> Outcome<(RegisterId, Operand)> {
        let base = self.scalar(base, None)?;
        let (at, kind) = (index.offset, index.ctype.as_integer().unwrap_or(IntegerType::I64));
        let index = self.scalar(index, None)?;
        let index = self.integer(index, offset)?;
        if let Some(Within(count)) = within {
            let (inside, outside) = (self.mark(), self.mark());
            let zero = Operand::Constant(0);
            if minimum(kind) < 0 {
                let small = self.mark();
                self.push_branch(Condition::Integers { relation: Relation::LessOrEqual, left: zero, right: index }, small, outside, at);
                self.bind(small);
            }
            let count = Operand::Constant(i128::from(count));
            self.push_branch(Condition::Integers { relation: Relation::Less, left: index, right: count }, inside, outside, at);
            self.bind(outside);
            self.undefined(UndefinedBehavior::Index, at);
            self.bind(inside);
        }
        Ok((self.pointer_register(base, offset), index))
    }

    /// A pointer to an element of an array inside a struct. Beyond the array the pointer moves on by bytes.
    pub(crate) fn element(&mut self, advance: Advance, count: u64, offset: usize) -> Scalar {
        let target = advance.target;
        if matches!(self.elements, Elements::MovedBut(told) if !told.contains(&offset)) {
            self.moved.insert(offset);
            self.push(Instruction::Advance(advance), offset);
            return Scalar::of(target, Type::Pointer);
        }
        let end = self.mark();
        self.among(&advance, 0..count, end, offset);
        self.push(Instruction::Advance(advance), offset);
        self.bind(end);
        Scalar::of(target, Type::Pointer)
    }

    /// Moves the pointer by an index that is one of these, and goes on behind that; many are halved first.
    fn among(&mut self, advance: &Advance, places: Range<u64>, end: Mark, offset: usize) {
        let index = advance.index;
        if places.end - places.start > CHAIN {
            let middle = places.start.midpoint(places.end);
            let (below, above, other) = (self.mark(), self.mark(), self.mark());
            let right = Operand::Constant(i128::from(middle));
            self.push_branch(Condition::Integers { relation: Relation::Less, left: index, right }, below, above, offset);
            self.bind(below);
            self.among(advance, places.start..middle, end, offset);
            self.jump(other, offset);
            self.bind(above);
            self.among(advance, middle..places.end, end, offset);
            self.bind(other);
            return;
        }
        for place in places {
            let (this, other) = (self.mark(), self.mark());
            let constant = Operand::Constant(i128::from(place));
            self.push_branch(Condition::Integers { relation: Relation::Equal, left: index, right: constant }, this, other, offset);
            self.bind(this);
            self.push(Instruction::Advance(Advance { index: constant, ..*advance }), offset);
            self.jump(end, offset);
            self.bind(other);
        }
    }

    /// A call through a pointer.
    pub(crate) fn call_through(
        &mut self,
        pointer: &Expression,
        arguments: &[Expression],
        result: &CType,
        want: Option<RegisterId>,
        offset: usize,
    ) -> Outcome<Value> {
        let (unit, records, called) = (self.unit, self.records, &pointer.ctype);
        let accepts = |id: FunctionId| unit.functions[id].accepts(records, called, arguments, result);
        let is_declared = pointer.ctype.pointee().is_none_or(CType::has_prototype);
        let pointer = self.scalar(pointer, None)?;
        if let Some(known) = pointer.register().and_then(|register| self.pointers.get(&register)).copied()
            && accepts(known.function)
        {
            return self.call_for_value(known.function, arguments, want, offset);
        }
        if !is_declared && self.unit.addressed.iter().any(|id| self.unit.functions[*id].would_convert(arguments)) {
            let message = "a call through a pointer without a prototype, where an argument is of another type than the parameter of a function \
                           that has its address taken";
            return self.unsupported_with_help(offset, message, Some("declare the parameters of what the pointer points to".to_owned()));
        }
        let pointer = self.pointer_register(pointer, offset);
        let leaves = if result.is_void() { Vec::new() } else { self.leaves(result, offset)? };
        let targets: Vec<RegisterId> = leaves.iter().map(|leaf| self.temporary(leaf.kind)).collect();
        let end = self.mark();
        for function in unit.addressed.iter().filter(|id| accepts(**id)) {
            let (this, other) = (self.mark(), self.mark());
            let right = PointerOperand::Register(self.function_pointer(*function));
            let condition = Condition::Pointers { relation: Relation::Equal, left: PointerOperand::Register(pointer), right };
            self.push_branch(condition, this, other, offset);
            self.bind(this);
            let value = self.call_for_value(*function, arguments, None, offset)?;
            for (target, scalar) in targets.iter().zip(value.scalars()) {
                self.move_to(*target, scalar, offset);
            }
            self.jump(end, offset);
            self.bind(other);
        }
        // A bad call comes behind its arguments, which may end the program (C11 6.5.2.2p10). NULL fails as in any other use; else it is a pointer
        // to a function of another type, or to no function at all (6.5.2.2p9).
        for argument in arguments {
            self.full_effect(argument)?;
        }
        let target = self.temporary(Type::Integer(IntegerType::I8));
        self.push(Instruction::Load { target, address: pointer, offset: 0 }, offset);
        self.undefined(UndefinedBehavior::CallOfAnotherType, offset);
        self.bind(end);
        let scalars = targets.iter().zip(&leaves).map(|(target, leaf)| Scalar::of(*target, leaf.kind)).collect();
        Ok(if result.is_void() { Value::Void } else { value_of(result, scalars) })
    }
}
