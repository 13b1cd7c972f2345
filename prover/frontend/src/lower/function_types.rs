//! Types of functions that say more than their parameters and results: what attributes promise is a part of a type for GCC, and goes with it to other
//! functions. Here it belongs to declarations alone, so such types are refused.
//!
//! ```c
//! _Noreturn void die(void);
//! struct { __typeof__(&die) p; } s = { step };       /* behind s.p() there is nothing for GCC */
//! (c ? load : strcpy)(p, q);                         /* p is not NULL, since strcpy wants none */
//! ```

use super::{declarator_name, is_function, is_of_harness, linker_names::has_storage};
use crate::{
    diagnostics::{Diagnostic, Kind},
    source::Unit,
};
use lang_c::{
    ast::{
        CallExpression, ConditionalExpression, Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator,
        Expression, Extension, FunctionDefinition, FunctionSpecifier, Identifier, MemberExpression, Statement, StorageClassSpecifier,
        TranslationUnit, TypeOf,
    },
    span::{Node, Span},
    visit::{self, Visit},
};
use std::collections::{BTreeMap, BTreeSet};

/// Where the text takes the type of a function by its name, or calls one of several of which something is promised, and definitions of functions of the
/// harness of which something is: what their calls mean is known without it.
pub(super) fn taken(syntax: &TranslationUnit, unit: &Unit) -> Vec<Diagnostic> {
    let mut functions = Functions { unit, all: BTreeSet::new(), promising: BTreeSet::new(), defined: Vec::new() };
    functions.visit_translation_unit(syntax);
    let mut reader = Reader { functions: &functions, scopes: Vec::new(), found: Vec::new() };
    reader.visit_translation_unit(syntax);
    for (name, offset) in &functions.defined {
        if functions.promising.contains(name) && is_of_harness(name) && !always_fails(name) {
            reader.refuse(&format!("an attribute of '{name}', which is defined here"), *offset);
        }
    }
    reader.found
}

/// Has the declarator, or one inside of its parentheses, such an extension?
fn has_extension(declarator: &Declarator, is_such: &dyn Fn(&Node<Extension>) -> bool) -> bool {
    let inner = match &declarator.kind.node {
        DeclaratorKind::Declarator(inner) => has_extension(&inner.node, is_such),
        DeclaratorKind::Identifier(_) | DeclaratorKind::Abstract => false,
    };
    inner || declarator.extensions.iter().any(is_such)
}

/// The functions that are declared, in whatever scope.
struct Functions<'a> {
    unit: &'a Unit,
    all: BTreeSet<&'a str>,
    /// Those of which attributes may say something.
    promising: BTreeSet<&'a str>,
    defined: Vec<(&'a str, usize)>,
}

/// Does each call of this function of the harness fail, whatever is promised of it?
fn always_fails(name: &str) -> bool {
    !["__VERIFIER_assert", "__VERIFIER_assume", "__VERIFIER_ignore"].contains(&name) && !name.starts_with("__VERIFIER_nondet_")
}

impl<'a> Functions<'a> {
    fn note(&mut self, specifiers: &'a [Node<DeclarationSpecifier>], declarator: &'a Declarator, offset: usize) {
        let Some(name) = declarator_name(declarator) else { return };
        let is_attribute = |extension: &Node<Extension>| matches!(extension.node, Extension::Attribute(_));
        let promises = |specifier: &Node<DeclarationSpecifier>| match &specifier.node {
            DeclarationSpecifier::Extension(extensions) => extensions.iter().any(is_attribute),
            DeclarationSpecifier::Function(word) => word.node == FunctionSpecifier::Noreturn,
            _ => false,
        };
        let is_promising = has_extension(declarator, &is_attribute) || specifiers.iter().any(promises);
        if is_promising || is_function(declarator) {
            self.all.insert(name);
            if is_promising || self.unit.is_in_header(offset) {
                self.promising.insert(name);
            }
        }
    }
}

impl<'a> Visit<'a> for Functions<'a> {
    fn visit_declaration(&mut self, declaration: &'a Declaration, span: &'a Span) {
        let is_type = has_storage(&declaration.specifiers, &StorageClassSpecifier::Typedef);
        for item in declaration.declarators.iter().filter(|_| !is_type) {
            self.note(&declaration.specifiers, &item.node.declarator.node, span.start);
        }
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_function_definition(&mut self, definition: &'a FunctionDefinition, span: &'a Span) {
        if !self.unit.is_model(span.start) {
            self.note(&definition.specifiers, &definition.declarator.node, span.start);
            self.defined.extend(declarator_name(&definition.declarator.node).map(|name| (name, span.start)));
            visit::visit_function_definition(self, definition, span);
        }
    }
}

/// The names in an expression, but those of functions that are called, and whether one of several values is chosen there.
#[derive(Default)]
struct Names<'a> {
    names: BTreeSet<&'a str>,
    has_choice: bool,
}

impl<'a> Names<'a> {
    fn of(expression: &'a Node<Expression>) -> Self {
        let mut names = Names::default();
        names.visit_expression(&expression.node, &expression.span);
        names
    }
}

impl<'a> Visit<'a> for Names<'a> {
    fn visit_call_expression(&mut self, call: &'a CallExpression, span: &'a Span) {
        if matches!(call.callee.node, Expression::Identifier(_)) {
            for argument in &call.arguments {
                self.visit_expression(&argument.node, &argument.span);
            }
        } else {
            visit::visit_call_expression(self, call, span);
        }
    }

    fn visit_conditional_expression(&mut self, conditional: &'a ConditionalExpression, span: &'a Span) {
        self.has_choice = true;
        visit::visit_conditional_expression(self, conditional, span);
    }

    fn visit_member_expression(&mut self, member: &'a MemberExpression, _: &'a Span) {
        self.visit_expression(&member.expression.node, &member.expression.span);
    }

    fn visit_identifier(&mut self, identifier: &'a Identifier, _: &'a Span) {
        self.names.insert(&identifier.name);
    }
}

struct Reader<'a> {
    functions: &'a Functions<'a>,
    /// What the blocks around what is read declare, the innermost one last: is it a variable?
    scopes: Vec<BTreeMap<&'a str, bool>>,
    found: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn declare(&mut self, declarator: &'a Declarator) {
        if let (Some(scope), Some(name)) = (self.scopes.last_mut(), declarator_name(declarator)) {
            scope.insert(name, !is_function(declarator));
        }
    }

    /// Does the name stand for a variable where it is read?
    fn is_variable(&self, name: &str) -> bool {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied().unwrap_or(false)
    }

    fn refuse(&mut self, message: &str, offset: usize) {
        if !self.functions.unit.is_model(offset) {
            self.found.push(Diagnostic { kind: Kind::Unsupported, message: message.to_owned(), offset, help: None });
        }
    }
}

impl<'a> Visit<'a> for Reader<'a> {
    fn visit_function_definition(&mut self, definition: &'a FunctionDefinition, span: &'a Span) {
        self.scopes.push(BTreeMap::new());
        for derived in &definition.declarator.node.derived {
            if let DerivedDeclarator::Function(function) = &derived.node {
                let declarators = function.node.parameters.iter().filter_map(|parameter| parameter.node.declarator.as_ref());
                declarators.for_each(|declarator| self.declare(&declarator.node));
            }
        }
        visit::visit_function_definition(self, definition, span);
        self.scopes.pop();
    }

    fn visit_statement(&mut self, statement: &'a Statement, span: &'a Span) {
        self.scopes.push(BTreeMap::new());
        visit::visit_statement(self, statement, span);
        self.scopes.pop();
    }

    fn visit_declaration(&mut self, declaration: &'a Declaration, span: &'a Span) {
        visit::visit_declaration(self, declaration, span);
        declaration.declarators.iter().for_each(|item| self.declare(&item.node.declarator.node));
    }

    fn visit_type_of(&mut self, operand: &'a TypeOf, span: &'a Span) {
        if let TypeOf::Expression(expression) = operand
            && Names::of(expression).names.iter().any(|name| self.functions.all.contains(name) && !self.is_variable(name))
        {
            self.refuse("the type of a function, with what attributes say of it", span.start);
        }
        visit::visit_type_of(self, operand, span);
    }

    fn visit_call_expression(&mut self, call: &'a CallExpression, span: &'a Span) {
        let names = Names::of(&call.callee);
        if names.has_choice && names.names.iter().any(|name| self.functions.promising.contains(name)) {
            self.refuse("a call of one of several functions, of which attributes say something", span.start);
        }
        visit::visit_call_expression(self, call, span);
    }
}
