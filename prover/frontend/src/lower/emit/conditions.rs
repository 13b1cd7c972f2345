//! Conditions: they become branches, and only where their value is used, 0 or 1.

use super::{Emitter, Mark, Outcome, values::Scalar};
use crate::lower::{
    tree::{Builtin, Comparison, Expression, ExpressionKind, FunctionId, Statement, StatementKind},
    types::width,
};
use goatherd_certificates::program::{Condition, Instruction, IntegerType, Operand, PointerOperand, RegisterId, Relation, Type};

/// How a call is lowered that decides a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Calls {
    /// Each `return` of the function branches.
    Branching,
    /// The call gives a value, which one branch tests.
    Valued,
}

impl Emitter<'_> {
    /// Goes on at one of two marks.
    pub(crate) fn branch(&mut self, condition: &Expression, then: Mark, otherwise: Mark) -> Outcome<()> {
        self.decide(condition, then, otherwise, Calls::Branching).map(|_| ())
    }

    /// A branch that tests an assertion. What counts as its test is the first branch on the condition itself, which every execution that
    /// reaches the assertion takes.
    pub(crate) fn asserted_branch(&mut self, condition: &Expression, then: Mark, otherwise: Mark) -> Outcome<()> {
        if let Some(line) = self.decide(condition, then, otherwise, Calls::Valued)? {
            self.assertions.insert(line);
        }
        Ok(())
    }

    /// Writes the branches of a condition; gives the line of the first one.
    fn decide(&mut self, condition: &Expression, then: Mark, otherwise: Mark, calls: Calls) -> Outcome<Option<usize>> {
        let offset = condition.offset;
        match &condition.kind {
            ExpressionKind::Constant(value) => {
                self.jump(if *value == 0 { otherwise } else { then }, offset);
                Ok(None)
            }
            ExpressionKind::Not(inner) => self.decide(inner, otherwise, then, calls),
            ExpressionKind::And(left, right) => {
                let more = self.mark();
                let first = self.decide(left, more, otherwise, calls)?;
                self.bind(more);
                let second = self.decide(right, then, otherwise, Calls::Branching)?;
                Ok(first.or(second))
            }
            ExpressionKind::Or(left, right) => {
                let more = self.mark();
                let first = self.decide(left, then, more, calls)?;
                self.bind(more);
                let second = self.decide(right, then, otherwise, Calls::Branching)?;
                Ok(first.or(second))
            }
            ExpressionKind::Comma(left, right) | ExpressionKind::Then(left, right) => {
                self.full_effect(left)?;
                self.decide(right, then, otherwise, calls)
            }
            ExpressionKind::Convert(inner) if keeps_truth(inner, condition) => self.decide(inner, then, otherwise, calls),
            ExpressionKind::Compare(Comparison::NotEqual, inner, zero) if zero.is_null() && is_truth(inner) => {
                self.decide(inner, then, otherwise, calls)
            }
            ExpressionKind::Compare(Comparison::Equal, inner, zero) if zero.is_null() && is_truth(inner) => {
                self.decide(inner, otherwise, then, calls)
            }
            ExpressionKind::Compare(comparison, left, right) => self.compare(*comparison, left, right, then, otherwise, offset).map(Some),
            ExpressionKind::Conditional(choice, first, second) => {
                let (one, two) = (self.mark(), self.mark());
                let line = self.decide(choice, one, two, calls)?;
                self.bind(one);
                self.decide(first, then, otherwise, Calls::Branching)?;
                self.bind(two);
                self.decide(second, then, otherwise, Calls::Branching)?;
                Ok(line)
            }
            ExpressionKind::Call { function, arguments }
                if calls == Calls::Branching && !self.has_objects(*function) && !self.is_stacked(*function) =>
            {
                self.call_for_branch(*function, arguments, then, otherwise, offset)?;
                Ok(None)
            }
            _ => {
                let in_use = self.temporaries_in_use();
                self.open_region();
                let scalar = self.scalar(condition, None);
                let mut needed: Vec<Scalar> = scalar.into_iter().collect();
                self.close_region(&mut needed, offset);
                let scalar = needed.first().copied().ok_or(super::Raised)?;
                let line = self.nonzero(scalar, then, otherwise, offset);
                self.release(in_use);
                Ok(Some(line))
            }
        }
    }

    /// Is a value different from zero or NULL?
    fn nonzero(&mut self, scalar: Scalar, then: Mark, otherwise: Mark, offset: usize) -> usize {
        let condition = match scalar {
            Scalar::Integer(left, _) => Condition::Integers { relation: Relation::Equal, left, right: Operand::Constant(0) },
            Scalar::Pointer(left) => Condition::Pointers { relation: Relation::Equal, left, right: PointerOperand::Null },
        };
        self.push_branch(condition, otherwise, then, offset)
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        left: &Expression,
        right: &Expression,
        then: Mark,
        otherwise: Mark,
        offset: usize,
    ) -> Outcome<usize> {
        let in_use = self.temporaries_in_use();
        self.open_region();
        let left = self.scalar(left, None);
        let right = self.scalar(right, None);
        let mut sides: Vec<Scalar> = [left, right].into_iter().flatten().collect();
        self.close_region(&mut sides, offset);
        let [left, right] = sides[..] else { return Err(super::Raised) };
        let (relation, swapped, negated) = match comparison {
            Comparison::Equal => (Relation::Equal, false, false),
            Comparison::NotEqual => (Relation::Equal, false, true),
            Comparison::Less => (Relation::Less, false, false),
            Comparison::LessOrEqual => (Relation::LessOrEqual, false, false),
            Comparison::Greater => (Relation::Less, true, false),
            Comparison::GreaterOrEqual => (Relation::LessOrEqual, true, false),
        };
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        let (then, otherwise) = if negated { (otherwise, then) } else { (then, otherwise) };
        let line = match (left, right) {
            (Scalar::Integer(left, _), Scalar::Integer(right, _)) => {
                self.push_branch(Condition::Integers { relation, left, right }, then, otherwise, offset)
            }
            (Scalar::Pointer(left), Scalar::Pointer(right)) => self.compare_pointers(relation, [left, right], then, otherwise, offset),
            _ => return self.unsupported(offset, "a comparison of a pointer with an integer"),
        };
        self.release(in_use);
        Ok(line)
    }

    /// 0 or 1 in a register.
    pub(crate) fn truth_into(&mut self, condition: &Expression, target: RegisterId) -> Outcome<Scalar> {
        let (then, otherwise) = (self.mark(), self.mark());
        self.branch(condition, then, otherwise)?;
        self.truth_values(then, otherwise, target, condition.offset);
        Ok(Scalar::of(target, self.kind_of(target)))
    }

    fn truth_values(&mut self, then: Mark, otherwise: Mark, target: RegisterId, offset: usize) {
        let end = self.mark();
        self.bind(then);
        self.push(Instruction::Assign { target, value: Operand::Constant(1) }, offset);
        self.jump(end, offset);
        self.bind(otherwise);
        self.push(Instruction::Assign { target, value: Operand::Constant(0) }, offset);
        self.bind(end);
    }

    /// An integer converted to `_Bool`.
    pub(crate) fn normalised(&mut self, scalar: Scalar, target: RegisterId, offset: usize) -> Scalar {
        let (then, otherwise) = (self.mark(), self.mark());
        self.nonzero(scalar, then, otherwise, offset);
        self.truth_values(then, otherwise, target, offset);
        Scalar::of(target, Type::Integer(IntegerType::Bool))
    }

    /// Does the expression do nothing but fail?
    pub(crate) fn fails(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Builtin(Builtin::Fail(_) | Builtin::Undefined(_)) => true,
            ExpressionKind::Builtin(Builtin::Assert(condition)) => condition.as_constant() == Some(0),
            ExpressionKind::Convert(inner) => self.fails(inner),
            ExpressionKind::Comma(left, _) | ExpressionKind::Then(left, _) => self.fails(left),
            ExpressionKind::Call { function, .. } => self.function_fails(*function),
            ExpressionKind::Conditional(condition, _, otherwise) => condition.as_constant() == Some(0) && self.fails(otherwise),
            ExpressionKind::Statements { statements, .. } => self.first_fails(statements),
            _ => false,
        }
    }

    fn function_fails(&self, function: FunctionId) -> bool {
        let function = &self.unit.functions[function];
        // A function that calls itself is not looked into, so that this ends.
        let mut current = &function.body[..];
        loop {
            match current.first().map(|statement| &statement.kind) {
                Some(StatementKind::Label(_)) => current = &current[1..],
                Some(StatementKind::Block(_, inner)) => current = inner,
                Some(StatementKind::Expression(expression)) => {
                    return !matches!(expression.kind, ExpressionKind::Call { .. }) && self.fails(expression);
                }
                _ => return false,
            }
        }
    }

    /// Does the first statement fail?
    pub(crate) fn first_fails(&self, statements: &[Statement]) -> bool {
        let first = statements.iter().find(|statement| !matches!(statement.kind, StatementKind::Label(_)));
        match first.map(|statement| &statement.kind) {
            Some(StatementKind::Expression(expression)) => self.fails(expression),
            Some(StatementKind::Block(_, inner)) => self.first_fails(inner),
            _ => false,
        }
    }
}

/// Is the expression 0 or 1, so that comparing it with 0 is testing it?
fn is_truth(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Compare(..) | ExpressionKind::Not(_) | ExpressionKind::And(..) | ExpressionKind::Or(..) => true,
        ExpressionKind::Convert(inner) => keeps_truth(inner, expression) && is_truth(inner),
        _ => false,
    }
}

/// Is the converted value zero exactly where the value is?
fn keeps_truth(inner: &Expression, outer: &Expression) -> bool {
    match (inner.ctype.as_integer(), outer.ctype.as_integer()) {
        (Some(inner), Some(outer)) => outer == IntegerType::Bool || width(inner) <= width(outer),
        (None, None) => inner.ctype.is_pointer() && outer.ctype.is_pointer(),
        _ => false,
    }
}
