//! Types that are evaluated: the operand of `__typeof__` is, if its type says how long an array of variable length is.
//!
//! ```c
//! int a[n];
//! __typeof__(*(x = 7, &a)) *p;      /* x is 7 now */
//! ```
//!
//! Where there are both in a function, an array whose length may be no constant and such an operand that may do something, or fail, it is refused.

use super::declarator_name;
use crate::diagnostics::{Diagnostic, Kind};
use lang_c::{
    ast::{
        ArraySize, BinaryOperator, Constant, Declarator, DerivedDeclarator, Enumerator, Expression, FunctionDefinition, MemberOperator,
        TranslationUnit, TypeOf, UnaryOperator,
    },
    span::Span,
    visit::{self, Visit},
};
use std::collections::BTreeSet;

/// The operands that may be evaluated and do something.
pub(super) fn evaluated(syntax: &TranslationUnit) -> Vec<Diagnostic> {
    let mut constants = Constants::default();
    constants.visit_translation_unit(syntax);
    let enumerators = constants.enumerators.difference(&constants.variables).copied().collect();
    let mut reader = Reader { enumerators, ..Reader::default() };
    reader.visit_translation_unit(syntax);
    reader.found
}

/// The names of enumeration constants, in whatever scope, and of all that is declared otherwise.
#[derive(Default)]
struct Constants<'a> {
    enumerators: BTreeSet<&'a str>,
    variables: BTreeSet<&'a str>,
}

impl<'a> Visit<'a> for Constants<'a> {
    fn visit_enumerator(&mut self, enumerator: &'a Enumerator, span: &'a Span) {
        self.enumerators.insert(&enumerator.identifier.node.name);
        visit::visit_enumerator(self, enumerator, span);
    }

    fn visit_declarator(&mut self, declarator: &'a Declarator, span: &'a Span) {
        self.variables.extend(declarator_name(declarator));
        for derived in &declarator.derived {
            if let DerivedDeclarator::KRFunction(names) = &derived.node {
                self.variables.extend(names.iter().map(|name| name.node.name.as_str()));
            }
        }
        visit::visit_declarator(self, declarator, span);
    }
}

#[derive(Default)]
struct Reader<'a> {
    /// Names that stand for constants wherever they do.
    enumerators: BTreeSet<&'a str>,
    /// May there be an array of variable length in the function that is read?
    has_variable_length: bool,
    operands: Vec<usize>,
    found: Vec<Diagnostic>,
}

impl<'a> Visit<'a> for Reader<'a> {
    fn visit_function_definition(&mut self, definition: &'a FunctionDefinition, span: &'a Span) {
        self.has_variable_length = false;
        self.operands.clear();
        visit::visit_function_definition(self, definition, span);
        if self.has_variable_length {
            let message = "an operand of __typeof__ that is more than a name, beside an array whose length is not constant";
            let refused = |offset| Diagnostic { kind: Kind::Unsupported, message: message.to_owned(), offset, help: None };
            self.found.extend(self.operands.drain(..).map(refused));
        }
    }

    fn visit_array_size(&mut self, size: &'a ArraySize, span: &'a Span) {
        if let ArraySize::VariableExpression(length) | ArraySize::StaticExpression(length) = size {
            self.has_variable_length |= !is_constant(&length.node, &self.enumerators);
        }
        visit::visit_array_size(self, size, span);
    }

    fn visit_type_of(&mut self, operand: &'a TypeOf, span: &'a Span) {
        let is_plain = match operand {
            TypeOf::Expression(expression) => is_plain(&expression.node),
            TypeOf::Type(name) => {
                let mut sizes = Sizes::default();
                sizes.visit_type_name(&name.node, &name.span);
                !sizes.is_found
            }
        };
        if !is_plain {
            self.operands.push(span.start);
        }
        visit::visit_type_of(self, operand, span);
    }
}

/// Is it an integer constant, or made of such by operators? Whatever else a length is, it need not be a constant.
fn is_constant(expression: &Expression, enumerators: &BTreeSet<&str>) -> bool {
    let is_constant = |expression: &Expression| is_constant(expression, enumerators);
    match expression {
        Expression::Constant(constant) => matches!(constant.node, Constant::Integer(_) | Constant::Character(_)),
        Expression::Identifier(name) => enumerators.contains(&*name.node.name),
        Expression::SizeOfTy(_) | Expression::SizeOfVal(_) | Expression::AlignOf(_) | Expression::OffsetOf(_) => true,
        Expression::UnaryOperator(unary) => is_of_values(&unary.node.operator.node) && is_constant(&unary.node.operand.node),
        Expression::BinaryOperator(binary) => is_constant(&binary.node.lhs.node) && is_constant(&binary.node.rhs.node),
        Expression::Cast(cast) => is_constant(&cast.node.expression.node),
        _ => false,
    }
}

const fn is_of_values(operator: &UnaryOperator) -> bool {
    matches!(operator, UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement | UnaryOperator::Negate)
}

/// Does nothing happen and nothing fail where it is evaluated, or where what it points to is said: names, their members, and what is computed of them?
/// Or is it not evaluated, having a type without such an array?
fn is_plain(expression: &Expression) -> bool {
    match expression {
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Indirection => reads_names(&unary.node.operand.node),
        Expression::BinaryOperator(binary) if binary.node.operator.node == BinaryOperator::Index => {
            reads_names(&binary.node.lhs.node) && reads_names(&binary.node.rhs.node)
        }
        // Neither what a function returns nor a member is an array of variable length, or points to one (C11 6.7.6.2p2, 6.7.2.1p9).
        Expression::Member(_) => true,
        Expression::Call(call) => matches!(call.node.callee.node, Expression::Identifier(_)),
        _ => reads_names(expression),
    }
}

/// Is it computed of variables and constants alone, in a way that cannot fail?
fn reads_names(expression: &Expression) -> bool {
    use BinaryOperator::{
        BitwiseAnd, BitwiseOr, BitwiseXor, Equals, Greater, GreaterOrEqual, Less, LessOrEqual, Minus, Multiply, NotEquals, Plus,
    };
    match expression {
        Expression::Identifier(_) | Expression::Constant(_) => true,
        Expression::UnaryOperator(unary) => {
            let operator = &unary.node.operator.node;
            (is_of_values(operator) || *operator == UnaryOperator::Address) && reads_names(&unary.node.operand.node)
        }
        Expression::BinaryOperator(binary) => {
            let operators =
                [BitwiseAnd, BitwiseOr, BitwiseXor, Equals, Greater, GreaterOrEqual, Less, LessOrEqual, Minus, Multiply, NotEquals, Plus];
            operators.contains(&binary.node.operator.node) && reads_names(&binary.node.lhs.node) && reads_names(&binary.node.rhs.node)
        }
        Expression::Member(member) => member.node.operator.node == MemberOperator::Direct && reads_names(&member.node.expression.node),
        _ => false,
    }
}

/// Is there an array in a type?
#[derive(Default)]
struct Sizes {
    is_found: bool,
}

impl<'a> Visit<'a> for Sizes {
    fn visit_array_size(&mut self, _: &'a ArraySize, _: &'a Span) {
        self.is_found = true;
    }
}
