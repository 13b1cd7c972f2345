//! Pointers converted to integers, and integers to pointers (`spec/program.md#numbers`).

use super::{Emitter, Line, Mark, Outcome, values::Scalar};
use crate::lower::tree::Expression;
use goatherd_certificates::program::{
    Access, Advance, Condition, Contents, Instruction, IntegerType, Operand, Origin, PointerOperand, RegisterId, Relation, Type,
};

/// The type of a pointer's number.
const NUMBER: IntegerType = IntegerType::U64;

/// The element that stands for number 0, beside the one of the last address that a pointer from here is moved to: element 0 would be one past the end of
/// no elements, and so known to be no null pointer.
const ZERO: i128 = 1 << 63;

impl Emitter<'_> {
    /// The number of a pointer: 0 of NULL, and any of another one.
    pub(crate) fn number_of(
        &mut self,
        pointer: &Expression,
        kind: IntegerType,
        want: Option<RegisterId>,
        offset: usize,
    ) -> Outcome<Scalar> {
        let Scalar::Pointer(PointerOperand::Register(pointer)) = self.scalar(pointer, None)? else {
            return Ok(Scalar::Integer(Operand::Constant(0), kind));
        };
        let target = self.target(want, Type::Integer(kind));
        let (null, other, end) = (self.mark(), self.mark(), self.mark());
        let left = PointerOperand::Register(pointer);
        self.push_branch(Condition::Pointers { relation: Relation::Equal, left, right: PointerOperand::Null }, null, other, offset);
        self.bind(null);
        self.push(Instruction::Assign { target, value: Operand::Constant(0) }, offset);
        self.jump(end, offset);
        self.bind(other);
        self.push(Instruction::Havoc { target }, offset);
        self.bind(end);
        Ok(Scalar::of(target, Type::Integer(kind)))
    }

    /// The pointer of a number: NULL of 0, and of another one an element of an object that has none.
    pub(crate) fn pointer_of(&mut self, number: &Expression, want: Option<RegisterId>, offset: usize) -> Outcome<Scalar> {
        let number = self.scalar(number, None)?;
        let number = self.operand_in(number, NUMBER, offset);
        let base = self.numbers(offset);
        let target = self.target(want, Type::Pointer);
        let (null, other, end) = (self.mark(), self.mark(), self.mark());
        let is_zero = Condition::Integers { relation: Relation::Equal, left: number, right: Operand::Constant(0) };
        self.push_branch(is_zero, null, other, offset);
        self.bind(null);
        self.push(Instruction::Null { target }, offset);
        self.jump(end, offset);
        self.bind(other);
        self.push(Instruction::Advance(Advance { target, base, index: number, scale: 1 }), offset);
        self.bind(end);
        Ok(Scalar::of(target, Type::Pointer))
    }

    /// A comparison of two pointers. Those of numbers are addresses, which wrap when they are moved, and here they do not: of two of these the
    /// answer may be the other one. Only the same place is the same address all the same.
    pub(crate) fn compare_pointers(
        &mut self,
        relation: Relation,
        sides: [PointerOperand; 2],
        then: Mark,
        otherwise: Mark,
        offset: usize,
    ) -> usize {
        let [left, right] = sides;
        let condition = Condition::Pointers { relation, left, right };
        if !self.unit.has_numbers || sides.contains(&PointerOperand::Null) {
            return self.push_branch(condition, then, otherwise, offset);
        }
        let no = self.mark();
        let line = if relation == Relation::Equal {
            self.push_branch(condition, then, no, offset)
        } else {
            let yes = self.mark();
            let line = self.push_branch(condition, yes, no, offset);
            self.bind(yes);
            self.or_perhaps(sides, then, otherwise, offset);
            line
        };
        self.bind(no);
        self.or_perhaps(sides, otherwise, then, offset);
        line
    }

    /// Goes on at the first mark, and perhaps at the second if both pointers may be made of numbers: compared with NULL, such a pointer gives
    /// either answer. That of an object is not equal, and of NULL itself everything is known.
    fn or_perhaps(&mut self, sides: [PointerOperand; 2], known: Mark, perhaps: Mark, offset: usize) {
        let other = self.mark();
        let [first, second] = sides.map(|left| Condition::Pointers { relation: Relation::Equal, left, right: PointerOperand::Null });
        self.push_branch(first, other, known, offset);
        self.bind(other);
        self.push_branch(second, perhaps, known, offset);
    }

    /// The register from which pointers that were made of numbers are counted. Its object has no elements, so that each access through one fails.
    pub(crate) fn numbers(&mut self, offset: usize) -> RegisterId {
        if let Some(register) = self.numbers {
            return register;
        }
        let layout = self.byte_layout();
        let object = self.object("numbers", layout, Origin::Static { count: 0, contents: vec![Contents::Zero], access: Access::ReadOnly });
        let target = self.register("&numbers", Type::Pointer);
        let first = Instruction::Address { target, object };
        let zero = Instruction::Advance(Advance { target, base: target, index: Operand::Constant(ZERO), scale: 1 });
        self.prologue.extend([first, zero].map(|instruction| Line { instruction, offset }));
        self.numbers = Some(target);
        target
    }
}
