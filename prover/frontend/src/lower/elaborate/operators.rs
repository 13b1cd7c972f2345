//! Unary and binary operators, assignment and the conditional operator (C11 6.5.3 to 6.5.16).

use super::{
    Elaborator, Outcome,
    disjoint::as_sum,
    expressions::Designated,
    places::{Reached, value_type},
    selection::are_incompatible,
};
use crate::lower::{
    tree::{Change, Comparison, Expression, ExpressionKind, Place, ResultOf},
    types::{CType, Shape, common, convert, in_range, is_signed, minimum, promote, width},
};
use crate::source::known::CONDITION;
use goatherd_certificates::program::{IntegerType, Operation};
use lang_c::{ast, span::Node};

impl<'a> Elaborator<'a> {
    pub(crate) fn unary(&mut self, node: &'a Node<ast::UnaryOperatorExpression>) -> Outcome<Designated> {
        let offset = node.span.start;
        let operand = &node.node.operand;
        let value = match node.node.operator.node {
            ast::UnaryOperator::Address => self.address_operator(operand, offset)?,
            ast::UnaryOperator::Indirection => {
                if let ast::Expression::UnaryOperator(inner) = &operand.node
                    && inner.node.operator.node == ast::UnaryOperator::Address
                {
                    return self.designated(&inner.node.operand);
                }
                // `*(a + i)` is `a[i]` (C11 6.5.2.1p2).
                if let ast::Expression::BinaryOperator(sum) = &operand.node
                    && sum.node.operator.node == ast::BinaryOperator::Plus
                {
                    return self.index(sum, Reached::Element);
                }
                let pointer = self.rvalue(operand)?;
                return Ok(Designated::Place(self.dereference(pointer, offset)?));
            }
            ast::UnaryOperator::PostIncrement => self.increment(operand, 1, ResultOf::Before, offset)?,
            ast::UnaryOperator::PostDecrement => self.increment(operand, -1, ResultOf::Before, offset)?,
            ast::UnaryOperator::PreIncrement => self.increment(operand, 1, ResultOf::After, offset)?,
            ast::UnaryOperator::PreDecrement => self.increment(operand, -1, ResultOf::After, offset)?,
            ast::UnaryOperator::Plus => {
                let value = self.rvalue(operand)?;
                self.promoted(value)?
            }
            ast::UnaryOperator::Minus => {
                let value = self.rvalue(operand)?;
                let value = self.promoted(value)?;
                let zero = Expression::constant(0, value.ctype.clone(), offset);
                self.arithmetic(Operation::Subtract, zero, value, offset)?
            }
            ast::UnaryOperator::Complement => {
                let value = self.rvalue(operand)?;
                let value = self.promoted(value)?;
                let kind = value.ctype.as_integer().unwrap_or(IntegerType::I32);
                let ones = Expression::constant(convert(kind, -1), value.ctype.clone(), offset);
                self.arithmetic(Operation::Xor, value, ones, offset)?
            }
            ast::UnaryOperator::Negate => {
                let value = self.condition(operand)?;
                match value.as_constant() {
                    Some(constant) => Expression::constant(i128::from(constant == 0), CType::int(), offset),
                    None => Expression::new(ExpressionKind::Not(Box::new(value)), CType::int(), offset),
                }
            }
        };
        Ok(Designated::Value(value))
    }

    fn address_operator(&mut self, operand: &'a Node<ast::Expression>, offset: usize) -> Outcome<Expression> {
        // `&a[i]` may point behind the last element, and no element is reached.
        let designated = match &operand.node {
            ast::Expression::BinaryOperator(index) if index.node.operator.node == ast::BinaryOperator::Index => {
                self.index(index, Reached::Address)?
            }
            _ => self.designated(operand)?,
        };
        self.check_alignment(&designated, operand)?;
        match designated {
            Designated::Place(place) => {
                let pointer = place.ctype.clone().pointer_to();
                self.address(place, pointer)
            }
            Designated::Function(name, offset) => self.function_pointer(&name, offset),
            Designated::Value(_) => self.error(offset, "the address of a value"),
        }
    }

    pub(crate) fn promoted(&mut self, value: Expression) -> Outcome<Expression> {
        let Some(kind) = value.ctype.as_integer() else {
            return self.error(value.offset, "an arithmetic operator on something that is no integer");
        };
        let offset = value.offset;
        self.convert(value, &CType::integer(promote(kind)), offset)
    }

    fn increment(&mut self, operand: &'a Node<ast::Expression>, step: i64, result: ResultOf, offset: usize) -> Outcome<Expression> {
        let place = self.writable(operand)?;
        let change = match &place.ctype.shape {
            Shape::Pointer(_) => {
                let scale = self.scale(&place.ctype, offset)?;
                let index = Expression::constant(1, CType::int(), offset);
                Change::Pointer { index: Box::new(index), scale: step * scale }
            }
            Shape::Integer(_) => {
                let kind = promote(value_type(&place.ctype).as_integer().unwrap_or(IntegerType::I32));
                let one = Expression::constant(1, CType::integer(kind), offset);
                let operation = if step > 0 { Operation::Add } else { Operation::Subtract };
                Change::Integer { operation, operand: Box::new(one), kind }
            }
            _ => return self.error(offset, "an increment of something that is neither integer nor pointer"),
        };
        self.update(place, change, result, offset)
    }

    /// An object is changed in place.
    fn update(&mut self, place: Place, change: Change, result: ResultOf, offset: usize) -> Outcome<Expression> {
        if place.ctype.volatile {
            self.check_volatile(&place, offset)?;
            // In conditions that are compared on the way, the place is read for itself.
            self.check_volatile(&place, place.offset)?;
        }
        if let Some(bits) = place.ctype.bits_of_number() {
            return self.change_number(place, bits, change, result, offset);
        }
        let ctype = value_type(&place.ctype);
        Ok(Expression::new(ExpressionKind::Update { place: Box::new(place), change, result }, ctype, offset))
    }

    pub(crate) fn binary(&mut self, node: &'a Node<ast::BinaryOperatorExpression>) -> Outcome<Expression> {
        let offset = node.span.start;
        let (lhs, rhs) = (&node.node.lhs, &node.node.rhs);
        let operator = &node.node.operator.node;
        match operator {
            ast::BinaryOperator::Assign => return self.assignment(lhs, rhs, offset),
            ast::BinaryOperator::LogicalAnd | ast::BinaryOperator::LogicalOr => {
                let left = self.condition(lhs)?;
                let right = self.condition(rhs)?;
                return Ok(logical(*operator == ast::BinaryOperator::LogicalAnd, left, right, offset));
            }
            _ => {}
        }
        if let Some(operation) = compound(operator) {
            return self.compound_assignment(operation, lhs, rhs, offset);
        }
        if let Some(comparison @ (Comparison::Equal | Comparison::NotEqual)) = comparison(operator) {
            let (left, right) = (self.compared(lhs)?, self.compared(rhs)?);
            return self.comparison(comparison, left, right, offset);
        }
        let left = self.rvalue(lhs)?;
        let right = self.rvalue(rhs)?;
        if let Some(comparison) = comparison(operator) {
            return self.comparison(comparison, left, right, offset);
        }
        let Some(operation) = operation(operator) else { return self.unsupported(offset, "this operator") };
        match (operation, left.ctype.is_pointer(), right.ctype.is_pointer()) {
            (Operation::Add, true, false) => self.advance(left, right, 1, offset),
            (Operation::Add, false, true) => self.advance(right, left, 1, offset),
            (Operation::Subtract, true, false) => self.advance(left, right, -1, offset),
            (Operation::Subtract, true, true) => {
                let scale = self.scale(&left.ctype, offset)?.unsigned_abs();
                let kind = ExpressionKind::Distance { left: Box::new(left), right: Box::new(right), scale };
                Ok(Expression::new(kind, CType::integer(IntegerType::I64), offset))
            }
            _ => self.arithmetic(operation, left, right, offset),
        }
    }

    /// Operands are converted to one type, those of shifts promoted each for itself (C11 6.3.1.8, 6.5.7p3).
    fn arithmetic(&mut self, operation: Operation, left: Expression, right: Expression, offset: usize) -> Outcome<Expression> {
        let left = self.promoted(left)?;
        let right = self.promoted(right)?;
        let (Some(left_kind), Some(right_kind)) = (left.ctype.as_integer(), right.ctype.as_integer()) else {
            return self.error(offset, "an arithmetic operator on something that is no integer");
        };
        let shift = matches!(operation, Operation::ShiftLeft | Operation::ShiftRight);
        let kind = if shift { left_kind } else { common(left_kind, right_kind) };
        let ctype = CType::integer(kind);
        let left = self.convert(left, &ctype, offset)?;
        let right = if shift { right } else { self.convert(right, &ctype, offset)? };
        if let (Some(first), Some(second)) = (left.as_constant(), right.as_constant())
            && let Some(value) = fold(operation, kind, first, second)
        {
            return Ok(Expression::constant(value, ctype, offset));
        }
        let operation = as_sum(operation, kind, &left, &right);
        Ok(Expression::new(ExpressionKind::Binary(operation, Box::new(left), Box::new(right)), ctype, offset))
    }

    fn comparison(&mut self, comparison: Comparison, left: Expression, right: Expression, offset: usize) -> Outcome<Expression> {
        let (left, right) = match (left.ctype.is_pointer(), right.ctype.is_pointer()) {
            (true, true) => (left, right),
            (true, false) => {
                let ctype = left.ctype.clone();
                (left, self.convert(right, &ctype, offset)?)
            }
            (false, true) => {
                let ctype = right.ctype.clone();
                (self.convert(left, &ctype, offset)?, right)
            }
            (false, false) => {
                let (Some(first), Some(second)) = (left.ctype.as_integer(), right.ctype.as_integer()) else {
                    return self.error(offset, "a comparison of things that are neither integers nor pointers");
                };
                let ctype = CType::integer(common(first, second));
                (self.convert(left, &ctype, offset)?, self.convert(right, &ctype, offset)?)
            }
        };
        if left.ctype.is_pointer() && !left.is_null() && !right.is_null() {
            let of_structs = [&left, &right].iter().all(|side| side.ctype.pointee().is_some_and(CType::is_record));
            let known = if of_structs { &mut self.suspicions.struct_comparisons } else { &mut self.suspicions.comparisons };
            known.insert(offset);
        }
        if let (Some(first), Some(second)) = (left.as_constant(), right.as_constant()) {
            return Ok(Expression::constant(i128::from(comparison.holds(first, second)), CType::int(), offset));
        }
        let kind = ExpressionKind::Compare(comparison, Box::new(left), Box::new(right));
        Ok(Expression::new(kind, CType::int(), offset))
    }

    fn assignment(&mut self, lhs: &'a Node<ast::Expression>, rhs: &'a Node<ast::Expression>, offset: usize) -> Outcome<Expression> {
        let place = self.writable(lhs);
        let value = self.rvalue(rhs);
        let (place, value) = (place?, value?);
        let ctype = place.ctype.unqualified();
        let at = value.offset;
        self.note_use(&place, &value.ctype);
        let value = self.convert(value, &ctype, at)?;
        self.note_assignment(&place, &value, offset)?;
        if let Some(bits) = place.ctype.bits_of_number() {
            return self.set_number(place, bits, value, offset);
        }
        let ctype = value_type(&place.ctype);
        Ok(Expression::new(ExpressionKind::Assign { place: Box::new(place), value: Box::new(value) }, ctype, offset))
    }

    fn compound_assignment(
        &mut self,
        operation: Operation,
        lhs: &'a Node<ast::Expression>,
        rhs: &'a Node<ast::Expression>,
        offset: usize,
    ) -> Outcome<Expression> {
        let place = self.writable(lhs)?;
        let operand = self.rvalue(rhs)?;
        let Some(operand_kind) = operand.ctype.as_integer() else {
            return self.error(offset, "a compound assignment with something that is no integer");
        };
        let change = match (&place.ctype.shape, operation) {
            (Shape::Pointer(_), Operation::Add | Operation::Subtract) => {
                let scale = self.scale(&place.ctype, offset)?;
                Change::Pointer { index: Box::new(operand), scale: if operation == Operation::Add { scale } else { -scale } }
            }
            (Shape::Integer(_), _) => {
                let kind = &value_type(&place.ctype).as_integer().unwrap_or(IntegerType::I32);
                let shift = matches!(operation, Operation::ShiftLeft | Operation::ShiftRight);
                let kind = if shift { promote(*kind) } else { common(*kind, operand_kind) };
                let wanted = if shift { promote(operand_kind) } else { kind };
                let operand = self.convert(operand, &CType::integer(wanted), offset)?;
                Change::Integer { operation, operand: Box::new(operand), kind }
            }
            _ => return self.error(offset, "a compound assignment to something that is neither integer nor pointer"),
        };
        self.update(place, change, ResultOf::After, offset)
    }

    /// `c ? a : b` (C11 6.5.15), and GNU's `c ?: b`, which evaluates `c` once.
    pub(crate) fn conditional(&mut self, node: &'a Node<ast::ConditionalExpression>) -> Outcome<Expression> {
        let offset = node.span.start;
        let condition = self.condition(&node.node.condition)?;
        if !matches!(&node.node.then_expression.node, ast::Expression::Identifier(name) if name.node.name == CONDITION) {
            let then = self.rvalue(&node.node.then_expression)?;
            return self.choice(condition, then.clone(), (&node.node.then_expression, &then), node);
        }
        self.check_saved(&node.node.condition, &condition, &node.node.else_expression)?;
        let first = (&*node.node.condition, &condition);
        if condition.as_constant().is_some() {
            return self.choice(condition.clone(), condition.clone(), first, node);
        }
        if self.scopes.is_file_scope() {
            return self.error(offset, "an initialiser that is not constant");
        }
        let (step, kept) = self.kept("condition", condition.clone());
        let value = self.choice(kept.clone(), kept, first, node)?;
        let ctype = value.ctype.clone();
        // A sequence point is behind the first operand (C11 6.5.15p4).
        Ok(Expression::new(ExpressionKind::Comma(Box::new(step), Box::new(value)), ctype, offset))
    }

    /// The conditional expression with this condition and second operand, which is the value of `first` as the text has it.
    fn choice(
        &mut self,
        condition: Expression,
        then: Expression,
        first: (&'a Node<ast::Expression>, &Expression),
        node: &'a Node<ast::ConditionalExpression>,
    ) -> Outcome<Expression> {
        let offset = node.span.start;
        let otherwise = self.rvalue(&node.node.else_expression)?;
        let second = (&*node.node.else_expression, &otherwise);
        let null = [self.is_null_constant(first, &otherwise.ctype)?, self.is_null_constant(second, &then.ctype)?];
        let ctype = self.conditional_type(&then, &otherwise, null, offset)?;
        let then = self.convert(then, &ctype, offset)?;
        let otherwise = self.convert(otherwise, &ctype, offset)?;
        Ok(match condition.as_constant() {
            Some(0) => otherwise,
            Some(_) => then,
            None => {
                let kind = ExpressionKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
                Expression::new(kind, ctype, offset)
            }
        })
    }

    /// `null`: which sides are null pointer constants of the type `void *`.
    fn conditional_type(&mut self, then: &Expression, otherwise: &Expression, null: [bool; 2], offset: usize) -> Outcome<CType> {
        let is_void = |value: &Expression| value.ctype.pointee().is_some_and(CType::is_void);
        let [then_null, otherwise_null] = null;
        match (&then.ctype.shape, &otherwise.ctype.shape) {
            (Shape::Void, _) | (_, Shape::Void) => Ok(CType::void()),
            (Shape::Integer(left), Shape::Integer(right)) => Ok(CType::integer(common(*left, *right))),
            (Shape::Integer(_), Shape::Pointer(_)) => Ok(otherwise.ctype.clone()),
            (Shape::Pointer(_), Shape::Integer(_)) => Ok(then.ctype.clone()),
            (Shape::Pointer(left), Shape::Pointer(right)) => {
                let is_open = then_null || otherwise_null || is_void(then) || is_void(otherwise);
                if !is_open && are_incompatible(left, right) {
                    return self.error(offset, "a conditional between pointers to different types");
                }
                // The result points to what is qualified as either is (C11 6.5.15p6).
                let mut target = match (then_null, otherwise_null) {
                    (true, false) => (**right).clone(),
                    (false, false) if is_void(otherwise) => (**right).clone(),
                    // Of two types of functions the composite one has the parameters (C11 6.2.7p3).
                    (false, false) if !left.has_prototype() && matches!(right.shape, Shape::Function(_)) => (**right).clone(),
                    (false, false) | (_, true) => (**left).clone(),
                };
                if !then_null && !otherwise_null {
                    target.constant |= left.constant | right.constant;
                    target.volatile |= left.volatile | right.volatile;
                }
                Ok(target.pointer_to())
            }
            (Shape::Record(left), Shape::Record(right)) if left == right => Ok(then.ctype.clone()),
            _ => self.error(offset, "a conditional whose values do not go together"),
        }
    }
}

/// Does the operator make a value of two values, and do nothing else?
pub(super) fn is_of_values(operator: &ast::BinaryOperator) -> bool {
    let is_logical = matches!(operator, ast::BinaryOperator::LogicalAnd | ast::BinaryOperator::LogicalOr);
    is_logical || operation(operator).is_some() || comparison(operator).is_some()
}

/// `&&` or `||`, folded if the left side decides.
fn logical(and: bool, left: Expression, right: Expression, offset: usize) -> Expression {
    let decided = left.as_constant().map(|value| value != 0);
    match (decided, right.as_constant()) {
        (Some(value), _) if value != and => return Expression::constant(i128::from(!and), CType::int(), offset),
        (Some(_), Some(value)) => return Expression::constant(i128::from(value != 0), CType::int(), offset),
        _ => {}
    }
    let (left, right) = (Box::new(left), Box::new(right));
    let kind = if and { ExpressionKind::And(left, right) } else { ExpressionKind::Or(left, right) };
    Expression::new(kind, CType::int(), offset)
}

/// The value of an operation on constants; none where C defines none, so that it fails when it is reached.
fn fold(operation: Operation, kind: IntegerType, left: i128, right: i128) -> Option<i128> {
    let shift = || u32::try_from(right).ok().filter(|amount| *amount < width(kind));
    let divisible = right != 0 && !(is_signed(kind) && left == minimum(kind) && right == -1);
    let exact = match operation {
        Operation::Add => left + right,
        Operation::Subtract => left - right,
        Operation::Multiply => left.checked_mul(right)?,
        Operation::Divide => divisible.then(|| left / right)?,
        Operation::Remainder => divisible.then(|| left % right)?,
        Operation::And => left & right,
        Operation::Or => left | right,
        Operation::Xor => left ^ right,
        // C11 6.5.7p4: a negative value has no result, even where nothing is lost.
        Operation::ShiftLeft if left < 0 => return None,
        Operation::ShiftLeft => left.checked_mul(1_i128.checked_shl(shift()?)?)?,
        Operation::ShiftRight => left >> shift()?,
    };
    (in_range(kind, exact) || !is_signed(kind)).then(|| convert(kind, exact))
}

fn comparison(operator: &ast::BinaryOperator) -> Option<Comparison> {
    Some(match operator {
        ast::BinaryOperator::Less => Comparison::Less,
        ast::BinaryOperator::Greater => Comparison::Greater,
        ast::BinaryOperator::LessOrEqual => Comparison::LessOrEqual,
        ast::BinaryOperator::GreaterOrEqual => Comparison::GreaterOrEqual,
        ast::BinaryOperator::Equals => Comparison::Equal,
        ast::BinaryOperator::NotEquals => Comparison::NotEqual,
        _ => return None,
    })
}

pub(super) fn operation(operator: &ast::BinaryOperator) -> Option<Operation> {
    Some(match operator {
        ast::BinaryOperator::Multiply => Operation::Multiply,
        ast::BinaryOperator::Divide => Operation::Divide,
        ast::BinaryOperator::Modulo => Operation::Remainder,
        ast::BinaryOperator::Plus => Operation::Add,
        ast::BinaryOperator::Minus => Operation::Subtract,
        ast::BinaryOperator::ShiftLeft => Operation::ShiftLeft,
        ast::BinaryOperator::ShiftRight => Operation::ShiftRight,
        ast::BinaryOperator::BitwiseAnd => Operation::And,
        ast::BinaryOperator::BitwiseXor => Operation::Xor,
        ast::BinaryOperator::BitwiseOr => Operation::Or,
        _ => return None,
    })
}

fn compound(operator: &ast::BinaryOperator) -> Option<Operation> {
    Some(match operator {
        ast::BinaryOperator::AssignMultiply => Operation::Multiply,
        ast::BinaryOperator::AssignDivide => Operation::Divide,
        ast::BinaryOperator::AssignModulo => Operation::Remainder,
        ast::BinaryOperator::AssignPlus => Operation::Add,
        ast::BinaryOperator::AssignMinus => Operation::Subtract,
        ast::BinaryOperator::AssignShiftLeft => Operation::ShiftLeft,
        ast::BinaryOperator::AssignShiftRight => Operation::ShiftRight,
        ast::BinaryOperator::AssignBitwiseAnd => Operation::And,
        ast::BinaryOperator::AssignBitwiseXor => Operation::Xor,
        ast::BinaryOperator::AssignBitwiseOr => Operation::Or,
        _ => return None,
    })
}
