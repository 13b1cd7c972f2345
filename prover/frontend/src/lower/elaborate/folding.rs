//! What compilers fold to a constant, and so null pointer constants: by their form (C11 6.3.2.3p3), or since GCC folds more than integer constant expressions.
//!
//! ```c
//! 1 ? &n : (void *)(long)0                        /* int *: of a null pointer constant nobody asks the type */
//! 1 ? &n : (void *)(long)__builtin_popcount(0)    /* int * for GCC, void * for others */
//! ```

use super::{Elaborator, Outcome, operators::operation, scope::Entity};
use crate::lower::{
    tree::{Builtin, Expression, ExpressionKind},
    types::CType,
};
use lang_c::{ast, span::Node};

/// What is refused.
const IN_DOUBT: &str = "an operand of '?:' that is a null pointer constant or not, which depends on what compilers fold";

impl<'a> Elaborator<'a> {
    /// Is an operand of `?:` a null pointer constant of the type `void *`? Where the other operand's type makes a difference of that, what is neither an integer
    /// constant expression nor certainly no constant is refused.
    pub(super) fn is_null_constant(&mut self, (node, value): (&'a Node<ast::Expression>, &Expression), other: &CType) -> Outcome<bool> {
        let pointee = value.ctype.pointee().filter(|pointee| pointee.is_void() && !pointee.constant && !pointee.volatile);
        if pointee.is_none() || other.pointee().is_none_or(CType::is_void) {
            return Ok(false);
        }
        let operand = match &node.node {
            ast::Expression::GenericSelection(selection) => {
                let selected = self.selected(&selection.node, node.span.start)?;
                return self.is_null_constant((selected, value), other);
            }
            ast::Expression::Cast(cast) => &cast.node.expression,
            _ => return Ok(false),
        };
        let (is_of_integer, is_open) = match &value.kind {
            ExpressionKind::Convert(number) => (number.ctype.as_integer().is_some(), !self.is_of_object(number)),
            _ => (value.is_null() && self.type_of(operand)?.as_integer().is_some(), self.is_perhaps_folded(operand)),
        };
        let is_constant = self.is_constant(operand);
        if is_of_integer && !is_constant && is_open {
            return self.unsupported(node.span.start, IN_DOUBT);
        }
        Ok(is_of_integer && is_constant && value.is_null())
    }

    /// Of the operand that `?:` saves GCC folds more than of others, `(void *)(long)(n & 0)` for one, and takes it for a null pointer constant.
    pub(super) fn check_saved(
        &mut self,
        node: &'a Node<ast::Expression>,
        value: &Expression,
        other: &'a Node<ast::Expression>,
    ) -> Outcome<()> {
        let is_open = match &node.node {
            ast::Expression::Cast(cast) => {
                let operand = &cast.node.expression;
                !self.is_constant(operand) && self.type_of(operand)?.as_integer().is_some()
            }
            ast::Expression::GenericSelection(_) => true,
            _ => false,
        };
        let is_void = value.ctype.pointee().is_some_and(CType::is_void);
        if is_open && is_void && self.type_of(other)?.pointee().is_some_and(|target| !target.is_void()) {
            return self.unsupported(node.span.start, IN_DOUBT);
        }
        Ok(())
    }

    /// May GCC fold what is known here for 0? Not what an object holds, nor what was a pointer, nor arithmetic with either.
    fn is_perhaps_folded(&self, node: &Node<ast::Expression>) -> bool {
        let is_folded = |node| self.is_perhaps_folded(node);
        match &node.node {
            ast::Expression::Cast(cast) => {
                let name = &cast.node.type_name.node;
                is_of_expression(name) || !self.is_pointer_name(name) && is_folded(&cast.node.expression)
            }
            ast::Expression::Identifier(_) => self.is_constant(node),
            ast::Expression::BinaryOperator(binary) if operation(&binary.node.operator.node).is_some() => {
                is_folded(&binary.node.lhs) && is_folded(&binary.node.rhs)
            }
            _ => true,
        }
    }

    /// Is the value an object's, or made of it so that no compiler folds it? GCC also folds calls of what it knows, as `__builtin_popcount(n & 0)`, and
    /// what it knows without a value, as `__builtin_constant_p(n)`.
    pub(super) fn is_of_object(&self, value: &Expression) -> bool {
        match &value.kind {
            ExpressionKind::Assign { .. } | ExpressionKind::Update { .. } => true,
            ExpressionKind::Builtin(Builtin::Arbitrary) => self.unevaluated == 0 && !self.approximate.contains(&value.offset),
            ExpressionKind::Convert(value) => self.is_of_object(value),
            ExpressionKind::Binary(_, left, right) => self.is_of_object(left) || self.is_of_object(right),
            ExpressionKind::Call { arguments, .. } | ExpressionKind::CallThrough { arguments, .. } => {
                arguments.is_empty() || arguments.iter().any(is_read)
            }
            _ => is_read(value),
        }
    }

    /// Is it the name of a pointer's type, or may it be one, as far as its text and the names of types in it say?
    pub(super) fn is_pointer_name(&self, name: &ast::TypeName) -> bool {
        let is_pointer = |specifier: &Node<ast::SpecifierQualifier>| match &specifier.node {
            ast::SpecifierQualifier::TypeSpecifier(Node { node: ast::TypeSpecifier::TypedefName(name), .. }) => {
                matches!(self.scopes.find(&name.node.name), Some(Entity::Typedef(ctype)) if ctype.is_pointer())
            }
            _ => false,
        };
        let derived = name.declarator.iter().flat_map(|declarator| &declarator.node.derived);
        derived.into_iter().any(|derived| matches!(derived.node, ast::DerivedDeclarator::Pointer(_)))
            || is_of_expression(name)
            || name.specifiers.iter().any(is_pointer)
    }
}

/// Is it `__typeof__`, of which the text alone does not tell the type?
fn is_of_expression(name: &ast::TypeName) -> bool {
    name.specifiers.iter().any(|specifier| {
        matches!(&specifier.node, ast::SpecifierQualifier::TypeSpecifier(Node { node: ast::TypeSpecifier::TypeOf(_), .. }))
    })
}

/// Is it the value of an object, perhaps of another type?
fn is_read(value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Read(_) => true,
        ExpressionKind::Convert(value) => is_read(value),
        _ => false,
    }
}
