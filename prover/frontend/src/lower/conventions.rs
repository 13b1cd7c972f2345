//! What a task of SV-COMP means by the functions that mean the same whatever a source defines them as (`spec/tasks.md`).
//!
//! `goatherd` takes `__VERIFIER_assert(c)` for an assertion and `__VERIFIER_assume(c)` for an assumption without looking at what the source
//! defines. A task is the program that is written there, so each such definition has to be one of which that is true:
//!
//! ```c
//! void __VERIFIER_assert(int condition) { if (!condition) { reach_error(); } }
//! void __VERIFIER_assume(int condition) { if (!condition) { abort(); } }
//! ```

use super::{declarator_name, is_function, is_of_harness, parse};
use crate::{
    diagnostics::{Diagnostic, Kind},
    source::Unit,
};
use lang_c::{
    ast::{
        BlockItem, Constant, Declarator, DerivedDeclarator, Expression, ExternalDeclaration, FunctionDefinition, IfStatement, Statement,
        TranslationUnit, UnaryOperator,
    },
    span::Node,
};
use std::collections::{BTreeMap, BTreeSet};

/// Functions whose call never returns, where the source does not define them.
const ENDS: [&str; 5] = ["abort", "exit", "_exit", "_Exit", "quick_exit"];

/// The functions whose failing calls are calls of `function`, the one that a task says must not be called: it, and `__VERIFIER_assert` where
/// the source defines it so that it calls that function first, or not at all.
///
/// # Errors
///
/// The source defines a function otherwise than it is understood wherever it is called.
pub fn errors(unit: &Unit, function: Option<&str>) -> Result<BTreeSet<String>, Vec<Diagnostic>> {
    let syntax = parse(unit)?;
    let definitions = definitions(&syntax);
    let is_defined = |name: &str| definitions.contains_key(name);
    let objects = objects(&syntax);
    // `void (*abort)(void) = go_on;` is no end.
    let is_end = |name: &str| ENDS.contains(&name) && !is_defined(name) && !objects.contains(name);
    let mut errors: BTreeSet<String> = function.into_iter().map(str::to_owned).collect();
    let mut troubles = Vec::new();
    for (name, definition) in definitions.iter().filter(|(name, _)| is_of_harness(name)) {
        let is_understood = match name.strip_prefix("__VERIFIER_") {
            Some("assert") => failing_branch(definition).is_some(),
            Some("assume") => failing_branch(definition).and_then(first_call).is_some_and(is_end),
            Some("ignore") => false,
            Some(what) if what.starts_with("nondet_") => false,
            // A call of one that fails is a failure, which a proof excludes.
            _ => true,
        };
        if !is_understood && !unit.is_model(definition.span.start) {
            troubles.push(otherwise(name, definition.span.start));
        }
    }
    let calls_function = |definition: &&Node<FunctionDefinition>| {
        failing_branch(definition).and_then(first_call) == function && function.is_some_and(|function| !objects.contains(function))
    };
    if function.is_some() && definitions.get("__VERIFIER_assert").is_none_or(calls_function) {
        errors.insert("__VERIFIER_assert".to_owned());
    }
    if troubles.is_empty() { Ok(errors) } else { Err(troubles) }
}

fn otherwise(name: &str, offset: usize) -> Diagnostic {
    let help = match name {
        "__VERIFIER_assert" => "as in { if (!condition) { reach_error(); } }",
        "__VERIFIER_assume" => "as in { if (!condition) { abort(); } }",
        _ => "leave out its definition",
    };
    let message = format!("a definition of '{name}' that does not say what is meant by it");
    Diagnostic { kind: Kind::Unsupported, message, offset, help: Some(help.to_owned()) }
}

/// The functions that the source defines, by name.
fn definitions(syntax: &TranslationUnit) -> BTreeMap<&str, &Node<FunctionDefinition>> {
    let definitions = syntax.0.iter().filter_map(|external| match &external.node {
        ExternalDeclaration::FunctionDefinition(definition) => Some(definition),
        ExternalDeclaration::Declaration(_) | ExternalDeclaration::StaticAssert(_) => None,
    });
    definitions.filter_map(|definition| Some((declarator_name(&definition.node.declarator.node)?, definition))).collect()
}

/// What the file's scope declares that is no function by its declarator.
fn objects(syntax: &TranslationUnit) -> BTreeSet<&str> {
    let declarations = syntax.0.iter().filter_map(|external| match &external.node {
        ExternalDeclaration::Declaration(declaration) => Some(&declaration.node.declarators),
        ExternalDeclaration::FunctionDefinition(_) | ExternalDeclaration::StaticAssert(_) => None,
    });
    let declarators = declarations.flatten().map(|item| &item.node.declarator.node);
    declarators.filter(|declarator| !is_function(declarator)).filter_map(declarator_name).collect()
}

/// What a function does where its parameter is 0, if it does nothing else: `S` of `{ if (!parameter) S return; }`.
fn failing_branch(definition: &Node<FunctionDefinition>) -> Option<&Statement> {
    let Statement::Compound(items) = &definition.node.statement.node else { return None };
    let (first, rest) = items.split_first()?;
    let is_return = |item: &Node<BlockItem>| {
        matches!(&item.node, BlockItem::Statement(Node { node: Statement::Return(None) | Statement::Expression(None), .. }))
    };
    let BlockItem::Statement(Node { node: Statement::If(choice), .. }) = &first.node else { return None };
    let IfStatement { condition, then_statement, else_statement: None } = &choice.node else { return None };
    let is_tested = negated(&condition.node)? == parameter(&definition.node.declarator.node)?;
    (is_tested && rest.iter().all(is_return)).then_some(&then_statement.node)
}

/// The name of a function's only parameter.
fn parameter(declarator: &Declarator) -> Option<&str> {
    let [Node { node: DerivedDeclarator::Function(function), .. }] = declarator.derived.as_slice() else { return None };
    let [only] = function.node.parameters.as_slice() else { return None };
    declarator_name(&only.node.declarator.as_ref()?.node)
}

/// The variable that is tested for 0: `!v`, or `v == 0`.
fn negated(condition: &Expression) -> Option<&str> {
    match condition {
        Expression::UnaryOperator(operator) if operator.node.operator.node == UnaryOperator::Negate => name(&operator.node.operand.node),
        Expression::BinaryOperator(operator) if operator.node.operator.node == lang_c::ast::BinaryOperator::Equals => {
            let is_zero = matches!(&operator.node.rhs.node, Expression::Constant(constant)
                if matches!(&constant.node, Constant::Integer(integer) if &*integer.number == "0"));
            name(&operator.node.lhs.node).filter(|_| is_zero)
        }
        _ => None,
    }
}

fn name(expression: &Expression) -> Option<&str> {
    match expression {
        Expression::Identifier(name) => Some(&name.node.name),
        _ => None,
    }
}

/// The function that a statement calls before it does anything else: its arguments are constants or names.
fn first_call(statement: &Statement) -> Option<&str> {
    match statement {
        Statement::Labeled(labeled) => first_call(&labeled.node.statement.node),
        Statement::Compound(items) => match &items.first()?.node {
            BlockItem::Statement(first) => first_call(&first.node),
            _ => None,
        },
        Statement::Expression(Some(expression)) => match &expression.node {
            Expression::Call(call) if call.node.arguments.iter().all(|argument| has_no_effect(&argument.node)) => {
                name(&call.node.callee.node)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Is an argument without effects? That of `exit(last())` could do anything before the end.
fn has_no_effect(argument: &Expression) -> bool {
    matches!(argument, Expression::Constant(_) | Expression::StringLiteral(_) | Expression::Identifier(_))
}
