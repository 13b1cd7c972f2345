//! Which of two types with the same values an expression has: `char` or `signed char`, `long` or `long long` (C11 6.2.5p15, 6.3.1.8).
//!
//! They are one type here but for what declarations say, and that is kept with declared types and pointers to them. What operators give is told by
//! the form of the expression; where that does not tell, nothing is claimed.

use super::{Elaborator, Outcome, scope::Entity};
use crate::lower::types::{CType, Shape};
use goatherd_certificates::program::IntegerType;
use lang_c::{
    ast::{self, BinaryOperator, UnaryOperator},
    span::Node,
};

/// Has the integer type a twin?
pub(super) const fn has_twin(kind: IntegerType) -> bool {
    matches!(kind, IntegerType::I8 | IntegerType::I64 | IntegerType::U64)
}

impl<'a> Elaborator<'a> {
    /// The type of a value that is not evaluated.
    pub(super) fn value_type_of(&mut self, node: &'a Node<ast::Expression>) -> Outcome<CType> {
        self.unevaluated += 1;
        let value = self.rvalue(node);
        self.unevaluated -= 1;
        Ok(value?.ctype.unqualified())
    }

    /// The type of the expression's value, of which all is known but which twin it is; nothing if its form does not tell.
    pub(super) fn told_apart(&mut self, node: &'a Node<ast::Expression>, ctype: CType) -> Outcome<Option<CType>> {
        if !innermost(&ctype).as_integer().is_some_and(has_twin) {
            return Ok(Some(ctype));
        }
        // A type of a value may be that of a sum.
        if self.has_types_of_values {
            return Ok(None);
        }
        Ok(match &node.node {
            ast::Expression::StringLiteral(_)
            | ast::Expression::SizeOfTy(_)
            | ast::Expression::SizeOfVal(_)
            | ast::Expression::AlignOf(_)
            | ast::Expression::OffsetOf(_) => Some(ctype),
            ast::Expression::Member(_) | ast::Expression::CompoundLiteral(_) => self.of_place(node, ctype)?,
            ast::Expression::Identifier(name) => match self.scopes.find(&name.node.name) {
                Some(Entity::Variable(_) | Entity::Global(_) | Entity::Array(..)) => self.of_place(node, ctype)?,
                _ => None,
            },
            ast::Expression::Constant(constant) => match &constant.node {
                ast::Constant::Integer(integer) => Some(CType { long_long: integer.suffix.size == ast::IntegerSize::LongLong, ..ctype }),
                _ => None,
            },
            ast::Expression::Call(call) => self.result_of_declared(&call.node.callee.node),
            ast::Expression::Cast(cast) => Some(self.type_name(&cast.node.type_name)?.unqualified()),
            ast::Expression::Comma(parts) => match parts.last() {
                Some(last) => self.told_apart(last, ctype)?,
                None => None,
            },
            ast::Expression::UnaryOperator(operator) => match operator.node.operator.node {
                UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                    self.operand_told_apart(&operator.node.operand)?
                }
                UnaryOperator::PostIncrement | UnaryOperator::PostDecrement | UnaryOperator::PreIncrement | UnaryOperator::PreDecrement => {
                    self.of_place(&operator.node.operand, ctype)?
                }
                UnaryOperator::Indirection => self.of_place(node, ctype)?,
                UnaryOperator::Address | UnaryOperator::Negate => Some(ctype),
            },
            ast::Expression::BinaryOperator(operator) => self.told_by_operands(node, &operator.node, ctype)?,
            ast::Expression::Conditional(conditional) if ctype.as_integer().is_some() => {
                let arms = [&*conditional.node.then_expression, &*conditional.node.else_expression];
                self.common_twin(arms, ctype)?
            }
            _ => None,
        })
    }

    /// The type of an operand that the promotions leave as it is.
    fn operand_told_apart(&mut self, node: &'a Node<ast::Expression>) -> Outcome<Option<CType>> {
        let own = self.value_type_of(node)?;
        self.told_apart(node, own)
    }

    /// The type of a place is the one that it was declared with, as is what pointers point to.
    fn of_place(&mut self, node: &'a Node<ast::Expression>, ctype: CType) -> Outcome<Option<CType>> {
        if ctype.is_pointer() {
            return Ok(Some(ctype));
        }
        Ok(Some(self.type_of(node)?.unqualified()))
    }

    fn told_by_operands(
        &mut self,
        node: &'a Node<ast::Expression>,
        operator: &'a ast::BinaryOperatorExpression,
        ctype: CType,
    ) -> Outcome<Option<CType>> {
        if ctype.is_pointer() {
            return Ok(Some(ctype));
        }
        match operator.operator.node {
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => self.operand_told_apart(&operator.lhs),
            BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Modulo
            | BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::BitwiseAnd
            | BinaryOperator::BitwiseXor
            | BinaryOperator::BitwiseOr => self.common_twin([&*operator.lhs, &*operator.rhs], ctype),
            BinaryOperator::Index => self.of_place(node, ctype),
            // What is assigned has the type of the left side (C11 6.5.16p3); a comparison is no long.
            _ => self.of_place(&operator.lhs, ctype),
        }
    }

    /// The common type of two operands is `long long`, with or without a sign, if one of them is: its rank is the greatest (C11 6.3.1.8p1). The
    /// difference of two pointers is a `long`.
    fn common_twin(&mut self, operands: [&'a Node<ast::Expression>; 2], ctype: CType) -> Outcome<Option<CType>> {
        let mut long_long = false;
        for operand in operands {
            let own = self.value_type_of(operand)?;
            if own.as_integer().is_some_and(|kind| kind != IntegerType::I8 && has_twin(kind)) {
                let Some(own) = self.told_apart(operand, own)? else { return Ok(None) };
                long_long |= own.long_long;
            }
        }
        Ok(Some(CType { long_long, ..ctype }))
    }

    /// What a function that is called by name is declared to return.
    fn result_of_declared(&self, callee: &ast::Expression) -> Option<CType> {
        let ast::Expression::Identifier(name) = callee else { return None };
        match self.scopes.find(&name.node.name) {
            Some(Entity::Function(ctype)) if self.scopes.is_seen(&name.node.name) => match &ctype.shape {
                Shape::Function(signature) => Some(signature.result.unqualified()),
                _ => None,
            },
            _ => None,
        }
    }
}

/// What is at the end of pointers and arrays.
fn innermost(ctype: &CType) -> &CType {
    let mut inner = ctype;
    while let Shape::Pointer(target) | Shape::Array(target, _) = &inner.shape {
        inner = target;
    }
    inner
}
