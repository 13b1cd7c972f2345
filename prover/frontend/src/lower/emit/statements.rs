//! Statements to instructions.

use super::{Emitter, Exit, Mark, Outcome, storage::Storage};
use crate::lower::tree::{BlockId, Case, Expression, ExpressionKind, LabelId, Statement, StatementKind};
use goatherd_certificates::program::{Condition, Operand, Relation};

/// So many cases of a `switch` are tested one after the other, in their order.
const LONGEST_CHAIN: usize = 64;

/// Does the function end after these statements?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Position {
    Last,
    Inner,
}

impl Emitter<'_> {
    /// A whole function body. What is wrong with a statement is said, and the next one is read.
    pub(crate) fn body(&mut self, statements: &[Statement]) {
        self.list(statements, Position::Last);
        // What is wrong has been said.
        let _ = self.missing_return(self.function().end);
    }

    /// Statements with more to come.
    pub(crate) fn statements(&mut self, statements: &[Statement]) {
        self.list(statements, Position::Inner);
    }

    fn list(&mut self, statements: &[Statement], position: Position) {
        for (index, statement) in statements.iter().enumerate() {
            let returns = match statements.get(index + 1) {
                Some(next) => matches!(next.kind, StatementKind::Return(None)),
                None => position == Position::Last,
            };
            let position = if returns { Position::Last } else { Position::Inner };
            // What is wrong has been said.
            let _ = self.statement(statement, position);
        }
    }

    fn statement(&mut self, statement: &Statement, position: Position) -> Outcome<()> {
        let offset = statement.offset;
        self.check_size(offset)?;
        match &statement.kind {
            StatementKind::Expression(expression) => match &expression.kind {
                ExpressionKind::Call { function, arguments }
                    if position == Position::Last && self.is_tail_call(*function) && self.returns_nothing(*function) =>
                {
                    self.tail_call(*function, arguments, offset)
                }
                _ => self.full_effect(expression),
            },
            StatementKind::Declare(variable) => {
                match self.variable_storage(*variable)? {
                    Storage::Scalars(scalars) => self.uninitialise(&scalars, offset),
                    // It lives on, and loses what it holds (C11 6.2.4p6): there is no instruction for that.
                    _ if self.function().variables[*variable].repeated => {
                        return self.unsupported(offset, "a jump back over the declaration of a variable in memory without an initialiser");
                    }
                    _ => {}
                }
                Ok(())
            }
            StatementKind::Initialise(variable, items) => {
                let in_use = self.temporaries_in_use();
                self.open_region();
                let outcome = self.initialise(*variable, items, offset);
                self.close_region(&mut [], offset);
                self.release(in_use);
                outcome
            }
            StatementKind::Block(block, statements) => {
                self.enter_block(*block, offset);
                self.list(statements, position);
                self.leave_block(offset);
                Ok(())
            }
            StatementKind::If { condition, then, otherwise } => self.if_statement(condition, then, otherwise, position),
            StatementKind::Loop { condition, step, body } => self.loop_statement(condition.as_ref(), step.as_ref(), body, offset),
            StatementKind::DoWhile { condition, body } => {
                let (head, again, leave) = (self.mark(), self.mark(), self.mark());
                self.bind(head);
                self.inside(leave, Some(again), body);
                self.bind(again);
                self.branch(condition, head, leave)?;
                self.bind(leave);
                Ok(())
            }
            StatementKind::Switch { value, cases, default, body } => self.switch(value, cases, *default, body, offset),
            StatementKind::Label(label) => {
                let mark = self.label(*label);
                self.bind(mark);
                Ok(())
            }
            StatementKind::Goto(label) => {
                self.check_leaving(offset)?;
                self.transfer(*label, offset);
                Ok(())
            }
            StatementKind::Break => self.leave_to(|exit| Some(exit.leave), "'break' outside a loop or switch", offset),
            StatementKind::Continue => self.leave_to(|exit| exit.again, "'continue' outside a loop", offset),
            StatementKind::Return(value) => self.return_value(value.as_ref(), offset),
        }
    }

    fn if_statement(&mut self, condition: &Expression, then: &[Statement], otherwise: &[Statement], position: Position) -> Outcome<()> {
        let (first, second, end) = (self.mark(), self.mark(), self.mark());
        if self.first_fails(then) || self.first_fails(otherwise) {
            self.asserted_branch(condition, first, second)?;
        } else {
            self.branch(condition, first, second)?;
        }
        self.bind(first);
        self.list(then, position);
        if !otherwise.is_empty() {
            self.jump(end, condition.offset);
        }
        self.bind(second);
        self.list(otherwise, position);
        self.bind(end);
        Ok(())
    }

    fn loop_statement(
        &mut self,
        condition: Option<&Expression>,
        step: Option<&Expression>,
        body: &[Statement],
        offset: usize,
    ) -> Outcome<()> {
        let (head, inside, leave) = (self.mark(), self.mark(), self.mark());
        let again = if step.is_some() { self.mark() } else { head };
        self.bind(head);
        if let Some(condition) = condition {
            self.branch(condition, inside, leave)?;
        }
        self.bind(inside);
        self.inside(leave, Some(again), body);
        if let Some(step) = step {
            self.bind(again);
            self.full_effect(step)?;
        }
        self.jump(head, offset);
        self.bind(leave);
        Ok(())
    }

    /// The body of a loop or switch.
    fn inside(&mut self, leave: Mark, again: Option<Mark>, body: &[Statement]) {
        let depth = self.frame().blocks.len();
        self.frame_mut().exits.push(Exit { leave, again, depth });
        self.list(body, Position::Inner);
        self.frame_mut().exits.pop();
    }

    fn leave_to(&mut self, choose: impl Fn(&Exit) -> Option<Mark>, message: &str, offset: usize) -> Outcome<()> {
        self.check_leaving(offset)?;
        let found = self.frame().exits.iter().rev().find_map(|exit| choose(exit).map(|mark| (mark, exit.depth)));
        let Some((mark, depth)) = found else { return self.unsupported(offset, message) };
        self.emit_leaves(depth, offset);
        self.jump(mark, offset);
        Ok(())
    }

    fn switch(&mut self, value: &Expression, cases: &[Case], default: Option<LabelId>, body: &[Statement], offset: usize) -> Outcome<()> {
        let in_use = self.temporaries_in_use();
        self.open_region();
        let scalar = self.scalar(value, None);
        let mut needed: Vec<_> = scalar.into_iter().collect();
        self.close_region(&mut needed, value.offset);
        let scalar = needed.first().copied().ok_or(super::Raised)?;
        let left = self.integer(scalar, offset)?;
        let leave = self.mark();
        let landings: Vec<(Mark, LabelId)> = cases.iter().map(|case| (self.mark(), case.label)).collect();
        let beyond = self.mark();
        let mut ways: Vec<(&Case, Mark)> = cases.iter().zip(&landings).map(|(case, (mark, _))| (case, *mark)).collect();
        if ways.len() > LONGEST_CHAIN {
            // A range that ends before it begins has no values, and may lie inside another one.
            ways.retain(|(case, _)| case.low <= case.high);
            ways.sort_by_key(|(case, _)| case.low);
        }
        self.find_case(&ways, left, beyond, offset);
        self.bind(beyond);
        self.release(in_use);
        match default {
            Some(label) => self.transfer(label, offset),
            None => self.jump(leave, offset),
        }
        for (mark, label) in landings {
            self.bind(mark);
            self.transfer(label, offset);
        }
        self.inside(leave, None, body);
        self.bind(leave);
        Ok(())
    }

    /// Goes where the case of a value says, `beyond` where there is none. Many cases, in the order of their values, are halved: a way
    /// through them then tells of few that it is not.
    fn find_case(&mut self, ways: &[(&Case, Mark)], left: Operand, beyond: Mark, offset: usize) {
        if ways.len() > LONGEST_CHAIN {
            let (lower, upper) = ways.split_at(ways.len() / 2);
            let (below, above) = (self.mark(), self.mark());
            let right = Operand::Constant(upper.first().map_or(0, |(case, _)| case.low));
            self.push_branch(Condition::Integers { relation: Relation::Less, left, right }, below, above, offset);
            self.bind(below);
            self.find_case(lower, left, beyond, offset);
            self.bind(above);
            return self.find_case(upper, left, beyond, offset);
        }
        for (index, (case, mark)) in ways.iter().enumerate() {
            let next = if index + 1 == ways.len() { beyond } else { self.mark() };
            if case.low == case.high {
                let right = Operand::Constant(case.low);
                self.push_branch(Condition::Integers { relation: Relation::Equal, left, right }, *mark, next, offset);
            } else {
                let middle = self.mark();
                let (low, high) = (Operand::Constant(case.low), Operand::Constant(case.high));
                self.push_branch(Condition::Integers { relation: Relation::LessOrEqual, left: low, right: left }, middle, next, offset);
                self.bind(middle);
                self.push_branch(Condition::Integers { relation: Relation::LessOrEqual, left, right: high }, *mark, next, offset);
            }
            if next != beyond {
                self.bind(next);
            }
        }
    }

    fn label(&mut self, label: LabelId) -> Mark {
        if let Some(mark) = self.frame().labels[label] {
            return mark;
        }
        let mark = self.mark();
        self.frame_mut().labels[label] = Some(mark);
        mark
    }

    /// Goes to a label: out of the blocks that it is not in, and into those that it is.
    fn transfer(&mut self, label: LabelId, offset: usize) {
        let target: &[BlockId] = &self.function().labels[label].blocks;
        let common = self.frame().blocks.iter().zip(target).take_while(|(here, there)| here == there).count();
        self.emit_leaves(common, offset);
        self.emit_enters(&target[common..], offset);
        let mark = self.label(label);
        self.jump(mark, offset);
    }
}
