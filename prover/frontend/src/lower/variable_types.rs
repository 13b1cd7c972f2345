//! Types that are evaluated: the operand of `__typeof__` is, if its type says how long an array of variable length is.
//!
//! ```c
//! int a[n];
//! __typeof__(*(x = 7, &a)) *p;      /* x is 7 now */
//! ```
//!
//! Where there are both in a function, such an array and such an operand that does something, it is refused.

use crate::diagnostics::{Diagnostic, Kind};
use lang_c::{
    ast::{
        ArraySize, BinaryOperator, BinaryOperatorExpression, CallExpression, FunctionDefinition, Identifier, Statement, TranslationUnit,
        TypeOf, UnaryOperator, UnaryOperatorExpression,
    },
    span::Span,
    visit::{self, Visit},
};

/// The operands that may be evaluated and do something.
pub(super) fn evaluated(syntax: &TranslationUnit) -> Vec<Diagnostic> {
    let mut reader = Reader::default();
    reader.visit_translation_unit(syntax);
    reader.found
}

#[derive(Default)]
struct Reader {
    /// May there be an array of variable length in the function that is read?
    has_variable_length: bool,
    operands: Vec<usize>,
    found: Vec<Diagnostic>,
}

impl<'a> Visit<'a> for Reader {
    fn visit_function_definition(&mut self, definition: &'a FunctionDefinition, span: &'a Span) {
        self.has_variable_length = false;
        self.operands.clear();
        visit::visit_function_definition(self, definition, span);
        if self.has_variable_length {
            let message = "an operand of __typeof__ that does something, beside an array whose length is not constant";
            let refused = |offset| Diagnostic { kind: Kind::Unsupported, message: message.to_owned(), offset, help: None };
            self.found.extend(self.operands.drain(..).map(refused));
        }
    }

    fn visit_array_size(&mut self, size: &'a ArraySize, span: &'a Span) {
        if let ArraySize::VariableExpression(length) | ArraySize::StaticExpression(length) = size {
            let mut names = Names::default();
            names.visit_expression(&length.node, &length.span);
            self.has_variable_length |= names.is_found;
        }
        visit::visit_array_size(self, size, span);
    }

    fn visit_type_of(&mut self, operand: &'a TypeOf, span: &'a Span) {
        let mut effects = Effects::default();
        match operand {
            TypeOf::Expression(expression) => effects.visit_expression(&expression.node, &expression.span),
            TypeOf::Type(name) => effects.visit_type_name(&name.node, &name.span),
        }
        if effects.is_found {
            self.operands.push(span.start);
        }
        visit::visit_type_of(self, operand, span);
    }
}

/// Is there a name, so that it need not be a constant?
#[derive(Default)]
struct Names {
    is_found: bool,
}

impl<'a> Visit<'a> for Names {
    fn visit_identifier(&mut self, _: &'a Identifier, _: &'a Span) {
        self.is_found = true;
    }
}

/// Does something happen?
#[derive(Default)]
struct Effects {
    is_found: bool,
}

impl<'a> Visit<'a> for Effects {
    fn visit_call_expression(&mut self, _: &'a CallExpression, _: &'a Span) {
        self.is_found = true;
    }

    fn visit_unary_operator_expression(&mut self, expression: &'a UnaryOperatorExpression, span: &'a Span) {
        self.is_found |= matches!(
            expression.operator.node,
            UnaryOperator::PostIncrement | UnaryOperator::PostDecrement | UnaryOperator::PreIncrement | UnaryOperator::PreDecrement
        );
        visit::visit_unary_operator_expression(self, expression, span);
    }

    fn visit_binary_operator_expression(&mut self, expression: &'a BinaryOperatorExpression, span: &'a Span) {
        use BinaryOperator::{
            Assign, AssignBitwiseAnd, AssignBitwiseOr, AssignBitwiseXor, AssignDivide, AssignMinus, AssignModulo, AssignMultiply,
            AssignPlus, AssignShiftLeft, AssignShiftRight,
        };
        self.is_found |= matches!(
            expression.operator.node,
            Assign
                | AssignBitwiseAnd
                | AssignBitwiseOr
                | AssignBitwiseXor
                | AssignDivide
                | AssignMinus
                | AssignModulo
                | AssignMultiply
                | AssignPlus
                | AssignShiftLeft
                | AssignShiftRight
        );
        visit::visit_binary_operator_expression(self, expression, span);
    }

    fn visit_statement(&mut self, _: &'a Statement, _: &'a Span) {
        self.is_found = true;
    }
}
