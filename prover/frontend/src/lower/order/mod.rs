//! The order of evaluation, where C leaves it open (C11 6.5p2-3, 6.5.2.2p10).
//!
//! Lowering evaluates operands in one order. That is right where every order does the same; this pass finds where it does not, and writes
//! there what C says: two accesses to one scalar with nothing between them, one of which writes, are undefined, and become a failure, tested where
//! only the execution shows whether they meet; calls come in one order or another, and become a choice among the orders. What is neither is refused.
//!
//! Read in this order: [`parts`] (what statements and expressions are made of), [`circles`] (recursion), [`cells`] (what can be read and written), [`roots`] (where pointers point), [`holders`] (what may
//! hold no value), [`endless`] (what may never end), [`effects`] (what functions do), [`choices`] and [`events`] (the accesses and calls of an
//! expression), [`conflicts`] (which of them meet), [`open`] (parts that are evaluated only sometimes), [`rewrite`] (the tests, and the parts of an
//! expression one by one), [`schedule`] (the orders), [`items`] (those of initialisers).

mod cells;
mod choices;
mod circles;
mod conflicts;
mod effects;
mod endless;
mod events;
mod holders;
mod items;
mod open;
mod parts;
mod reasons;
mod rewrite;
mod roots;
mod schedule;

use super::{
    tree::{Expression, Item, Statement, StatementKind, Unit, VariableId},
    types::Records,
};
use crate::diagnostics::{Diagnostic, Kind};
use effects::Scene;
use events::Inner;
use reasons::{Reason, Refused};

/// Writes out every order that matters. Functions for which `is_model` holds of their place are models of library functions: they always return, or
/// fail.
pub(crate) fn settle(unit: &mut Unit, records: &Records, is_model: &dyn Fn(usize) -> bool) -> Vec<Diagnostic> {
    unit.circles = circles::find(unit);
    let holders = holders::find(unit);
    let summaries = effects::summaries(unit, records, &holders, is_model);
    let mut refused = Refused::default();
    for function in 0..unit.functions.len() {
        let mut body = std::mem::take(&mut unit.functions[function].body);
        let roots = roots::Roots::of(&unit.functions[function], &body);
        let mut settler = Settler { scene: Scene::new(unit, records, &holders, &summaries, function, roots), refused: &mut refused };
        settler.statements(&mut body);
        let temporaries = settler.scene.into_temporaries();
        unit.functions[function].variables.extend(temporaries);
        unit.functions[function].body = body;
    }
    unit.circles.returning = circles::returning(unit);
    unit.circles.ending = circles::ending(unit);
    let diagnostic = |(offset, reason): (usize, Reason)| Diagnostic {
        kind: Kind::Unsupported,
        message: "an expression that depends on the order of evaluation".to_owned(),
        offset,
        help: Some(reason.help().to_owned()),
    };
    refused.into_reasons().map(diagnostic).collect()
}

/// Goes through the expressions of one function.
struct Settler<'a, 'r> {
    scene: Scene<'a>,
    /// The places of what is refused.
    refused: &'r mut Refused,
}

impl Settler<'_, '_> {
    fn statements(&mut self, statements: &mut [Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &mut Statement) {
        match &mut statement.kind {
            StatementKind::Expression(value) | StatementKind::Return(Some(value)) => self.expression(value),
            StatementKind::Initialise(variable, items) => self.items(*variable, items, statement.offset),
            StatementKind::Block(_, body) => self.statements(body),
            StatementKind::If { condition, then, otherwise } => {
                self.expression(condition);
                self.statements(then);
                self.statements(otherwise);
            }
            StatementKind::Loop { condition, step, body } => {
                condition.iter_mut().chain(step).for_each(|expression| self.expression(expression));
                self.statements(body);
            }
            StatementKind::DoWhile { condition, body } | StatementKind::Switch { value: condition, body, .. } => {
                self.expression(condition);
                self.statements(body);
            }
            StatementKind::Declare(_)
            | StatementKind::Label(_)
            | StatementKind::Goto(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return(None) => {}
        }
    }

    fn items(&mut self, variable: VariableId, items: &mut [Item], offset: usize) {
        for item in items.iter_mut() {
            self.expression(&mut item.value);
        }
        if let Err(reason) = items::settle(&mut self.scene, variable, items) {
            self.refused.insert(offset, reason);
        }
    }

    /// A full expression, or a part of one that C evaluates for itself.
    fn expression(&mut self, expression: &mut Expression) {
        self.open_blocks(expression);
        for part in events::inner(expression, self.scene.keepers()) {
            match part {
                Inner::Arm(arm) => self.expression(arm),
                Inner::Statements(statements, value) => {
                    self.statements(statements);
                    if let Some(value) = value {
                        self.expression(value);
                    }
                }
            }
        }
        let collected = events::collect(&self.scene, expression);
        if !collected.is_active() {
            return;
        }
        let found = conflicts::find(&self.scene, &collected);
        if !found.refused.is_empty() {
            self.refused.extend(found.refused);
        } else if !found.is_empty() && rewrite::rewrite(&mut self.scene, expression, &collected, &found).is_err() {
            self.refused.insert(expression.offset, Reason::Orders);
        }
    }

    /// Opens the blocks that others may come in the middle of, outer ones first.
    fn open_blocks(&mut self, expression: &mut Expression) {
        if !events::collect(&self.scene, expression).is_active() {
            return;
        }
        conflicts::split_updates(&mut self.scene, expression);
        loop {
            let collected = events::collect(&self.scene, expression);
            let crowded = conflicts::find(&self.scene, &collected).crowded;
            if crowded.is_empty() {
                return;
            }
            if open::open(&mut self.scene, expression, collected.operations, &crowded) == 0 {
                self.refused.insert(expression.offset, Reason::Orders);
                return;
            }
        }
    }
}
