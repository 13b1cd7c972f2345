//! Which variables may hold no value, or one that must not be used.
//!
//! One answer per variable for the whole program, whatever the order of statements. Copies of a value that is none are looked for until there are no
//! more: to a variable, to a parameter, as a result.

use super::parts::{blocks, expressions, parts};
use crate::lower::{
    tree::{Base, Expression, ExpressionKind, FunctionId, GlobalId, Place, Statement, StatementKind, Unit, VariableId},
    types::CType,
};
use goatherd_certificates::program::IntegerType;
use std::collections::BTreeSet;

/// The integers in registers that may hold no value. All else may: what is in memory, and pointers, since what they point to may be no more.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Holders {
    variables: BTreeSet<(FunctionId, VariableId)>,
    globals: BTreeSet<GlobalId>,
    /// Functions whose results are meant.
    results: BTreeSet<FunctionId>,
}

/// Looks through the whole program.
pub(super) fn find(unit: &mut Unit) -> Holders {
    let mut bodies: Vec<Vec<Statement>> = unit.functions.iter_mut().map(|function| std::mem::take(&mut function.body)).collect();
    let mut finder = Finder { unit, found: Holders::default(), grown: true };
    while finder.grown {
        finder.grown = false;
        for (function, body) in bodies.iter_mut().enumerate() {
            finder.statements(function, body);
        }
    }
    let found = finder.found;
    for (function, body) in unit.functions.iter_mut().zip(bodies) {
        function.body = body;
    }
    found
}

impl Holders {
    /// May using the value fail in this function, since it was only copied? Whatever computes a value has used its operands.
    pub(super) fn may_be_nothing(&self, unit: &Unit, function: FunctionId, value: &Expression) -> bool {
        match &value.kind {
            ExpressionKind::Convert(inner) => is_copied(&value.ctype, &inner.ctype) && self.may_be_nothing(unit, function, inner),
            ExpressionKind::Read(place) => self.may_hold_nothing(unit, function, place),
            ExpressionKind::Assign { value, .. } | ExpressionKind::Comma(_, value) | ExpressionKind::Then(_, value) => {
                self.may_be_nothing(unit, function, value)
            }
            ExpressionKind::Conditional(_, then, otherwise) => {
                self.may_be_nothing(unit, function, then) || self.may_be_nothing(unit, function, otherwise)
            }
            ExpressionKind::Call { function: called, .. } => value.ctype.as_integer().is_none() || self.results.contains(called),
            ExpressionKind::CallThrough { .. } | ExpressionKind::Statements { .. } => true,
            ExpressionKind::Constant(_)
            | ExpressionKind::AddressOf(_)
            | ExpressionKind::Binary(..)
            | ExpressionKind::Compare(..)
            | ExpressionKind::Not(_)
            | ExpressionKind::And(..)
            | ExpressionKind::Or(..)
            | ExpressionKind::Advance { .. }
            | ExpressionKind::Element { .. }
            | ExpressionKind::Distance { .. }
            | ExpressionKind::Update { .. }
            | ExpressionKind::Function(_)
            | ExpressionKind::Builtin(_)
            | ExpressionKind::Either(..) => false,
        }
    }

    fn may_hold_nothing(&self, unit: &Unit, function: FunctionId, place: &Place) -> bool {
        match place.base {
            Base::Variable(id) => {
                let variable = unit.functions[function].variables.get(id);
                let is_plain = variable.is_some_and(|variable| variable.ctype.as_integer().is_some() && !variable.addressed);
                !is_plain || self.variables.contains(&(function, id))
            }
            Base::Global(id) => {
                let global = &unit.globals[id];
                global.ctype.as_integer().is_none() || global.addressed || self.globals.contains(&id)
            }
            Base::Pointer(_) | Base::Value(_) | Base::Literal(..) => true,
        }
    }
}

/// May a value be only copied when it is converted from one type to the other? Widened and made narrower again it is.
fn is_copied(outer: &CType, inner: &CType) -> bool {
    match outer.as_integer() {
        Some(kind) => kind != IntegerType::Bool && inner.as_integer().is_some(),
        None => outer.is_pointer() && inner.is_pointer(),
    }
}

struct Finder<'a> {
    unit: &'a Unit,
    found: Holders,
    grown: bool,
}

impl Finder<'_> {
    fn statements(&mut self, function: FunctionId, statements: &mut [Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Declare(id) => self.grown |= self.found.variables.insert((function, *id)),
                StatementKind::Initialise(id, items) => {
                    let is_skipped = self.unit.functions[function].variables[*id].skipped;
                    if is_skipped || items.iter().any(|item| self.is_nothing(function, &item.value)) {
                        self.grown |= self.found.variables.insert((function, *id));
                    }
                }
                // A `case` may stand behind an initialiser.
                StatementKind::Switch { .. } => self.skipped(function, statement),
                StatementKind::Return(Some(value)) if self.is_nothing(function, value) => {
                    self.grown |= self.found.results.insert(function);
                }
                // A constraint violation that compilers let pass: the call's value is none (C11 6.8.6.4p1).
                StatementKind::Return(None) if !self.unit.functions[function].result.is_void() => {
                    self.grown |= self.found.results.insert(function);
                }
                _ => {}
            }
            for expression in expressions(statement) {
                self.expression(function, expression);
            }
            for body in blocks(statement) {
                self.statements(function, body);
            }
        }
    }

    /// Whatever is initialised inside may be jumped over.
    fn skipped(&mut self, function: FunctionId, statement: &mut Statement) {
        if let StatementKind::Initialise(id, _) = statement.kind {
            self.grown |= self.found.variables.insert((function, id));
        }
        for inner in blocks(statement).into_iter().flatten() {
            self.skipped(function, inner);
        }
    }

    fn is_nothing(&self, function: FunctionId, value: &Expression) -> bool {
        self.found.may_be_nothing(self.unit, function, value)
    }

    fn expression(&mut self, function: FunctionId, expression: &mut Expression) {
        match &mut expression.kind {
            ExpressionKind::Assign { place, value } if self.is_nothing(function, value) => match place.base {
                Base::Variable(id) => self.grown |= self.found.variables.insert((function, id)),
                Base::Global(id) => self.grown |= self.found.globals.insert(id),
                Base::Pointer(_) | Base::Value(_) | Base::Literal(..) => {}
            },
            ExpressionKind::Call { function: called, arguments } => self.arguments(function, *called, arguments),
            ExpressionKind::CallThrough { arguments, .. } => {
                for called in &self.unit.addressed {
                    self.arguments(function, *called, arguments);
                }
            }
            ExpressionKind::Statements { statements, .. } => self.statements(function, statements),
            _ => {}
        }
        for part in parts(expression) {
            self.expression(function, part);
        }
    }

    fn arguments(&mut self, function: FunctionId, called: FunctionId, arguments: &[Expression]) {
        for (parameter, argument) in self.unit.functions[called].parameters.iter().zip(arguments) {
            if self.is_nothing(function, argument) {
                self.grown |= self.found.variables.insert((called, *parameter));
            }
        }
    }
}
