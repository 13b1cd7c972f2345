//! Programs about integers that a scapegoat may choose, inputs and nondeterministic values, beside an array or a list whose size counts.
//!
//! They ask of such an integer what no value of its type is, or multiply two unknown ones, of which the model does not say whether that
//! overflows; or they compare two. Behind that they fail on all inputs that are large enough.

use crate::writer::{FAIL, HALT, Writer};
use goatherd_certificates::program::{
    Branch, Compute, Condition, Input, Instruction, IntegerType, Operand, Operation, RegisterId, Relation,
};
use goatherd_interpreter::arithmetic::{maximum, minimum};

impl Writer<'_> {
    /// All of such a program but its declarations.
    pub(crate) fn push_chosen(&mut self) {
        let questions = 1 + self.dice.below(2);
        for _ in 0..questions {
            let (register, kind) = self.integer();
            if !self.is_input(register) || self.dice.once_in(4) {
                self.program.instructions.push(Instruction::Havoc { target: register });
            }
            match self.dice.below(6) {
                _ if kind == IntegerType::Bool => self.push_comparison(register, kind),
                0..3 => self.push_limit(register, kind),
                3 | 4 => self.push_product(kind),
                _ => self.push_comparison(register, kind),
            }
        }
        self.push_gate();
    }

    fn is_input(&self, register: RegisterId) -> bool {
        self.program.inputs.iter().any(|input| match input {
            Input::Integer { register: other } => *other == register,
            Input::Array(array) => array.length == register,
            Input::Single { .. } | Input::Linked { .. } => false,
        })
    }

    /// Is the value at a limit of its type, or beyond?
    fn push_limit(&mut self, register: RegisterId, kind: IntegerType) {
        let value = Operand::Register(register);
        let relation = self.dice.one([Relation::Less, Relation::Less, Relation::Less, Relation::LessOrEqual]);
        let (left, right) =
            if self.dice.once_in(2) { (value, Operand::Constant(minimum(kind))) } else { (Operand::Constant(maximum(kind)), value) };
        self.push_exit(Condition::Integers { relation, left, right });
    }

    /// A product of two registers, or one shifted by the other.
    fn push_product(&mut self, kind: IntegerType) {
        let same: Vec<RegisterId> = self.integers.iter().filter(|(_, other)| *other == kind).map(|(register, _)| *register).collect();
        let spare: Vec<RegisterId> = same.iter().copied().filter(|register| !self.is_input(*register)).collect();
        let Some(target) = self.dice.pick(if spare.is_empty() { &same } else { &spare }) else { return };
        let operation = self.dice.one([Operation::Multiply, Operation::Multiply, Operation::ShiftLeft]);
        let [left, right] = [(); 2].map(|()| Operand::Register(self.dice.pick(&same).unwrap_or(target)));
        self.program.instructions.push(Instruction::Compute(Compute { target, operation, left, right }));
    }

    /// Is it the same as another, or as a constant?
    fn push_comparison(&mut self, register: RegisterId, kind: IntegerType) {
        let condition = Condition::Integers { relation: Relation::Equal, left: Operand::Register(register), right: self.operand(kind) };
        self.push_exit(condition);
    }

    /// Fails where the condition holds, or rarely halts.
    fn push_exit(&mut self, condition: Condition) {
        let (then, otherwise) = (if self.dice.once_in(6) { HALT } else { FAIL }, self.goes_on());
        self.program.instructions.push(Instruction::Branch(Branch { condition, then, otherwise }));
    }
}
