//! Statements (C11 6.8).

use super::{Elaborator, NamedLabel, Outcome};
use crate::{
    diagnostics::Kind,
    lower::{
        tree::{Base, BlockId, Builtin, Case, Expression, ExpressionKind, Item, Label, LabelId, Place, Statement, StatementKind},
        types::{CType, in_range, promote},
        undefined_behavior::UndefinedBehavior,
    },
};
use goatherd_certificates::program::IntegerType;
use lang_c::{ast, span::Node};

/// The cases of a `switch` while its body is read.
pub(crate) struct SwitchContext {
    kind: IntegerType,
    cases: Vec<Case>,
    default: Option<LabelId>,
    offset: usize,
}

impl<'a> Elaborator<'a> {
    /// The statements of a function's body.
    pub(crate) fn body(&mut self, node: &'a Node<ast::Statement>) -> Vec<Statement> {
        let mut statements = Vec::new();
        match &node.node {
            ast::Statement::Compound(items) => self.items(items, &mut statements),
            _ => self.statement(node, &mut statements),
        }
        statements
    }

    pub(crate) fn open_block(&mut self) -> BlockId {
        let id = self.context.blocks.len();
        self.context.blocks.push(Vec::new());
        self.context.open_blocks.push(id);
        self.scopes.open();
        id
    }

    pub(crate) fn close_block(&mut self) {
        self.context.open_blocks.pop();
        self.scopes.close();
    }

    fn items(&mut self, items: &'a [Node<ast::BlockItem>], into: &mut Vec<Statement>) {
        for item in items {
            match &item.node {
                // What is wrong has been said; the rest is read on.
                ast::BlockItem::Declaration(declaration) => {
                    let _ = self.block_declaration(declaration, into);
                }
                ast::BlockItem::StaticAssert(assertion) => {
                    let _ = self.static_assert(assertion);
                }
                ast::BlockItem::Statement(statement) => self.statement(statement, into),
            }
        }
    }

    fn statement(&mut self, node: &'a Node<ast::Statement>, into: &mut Vec<Statement>) {
        let offset = node.span.start;
        let _ = self.nested(offset, |elaborator| {
            if !matches!(
                node.node,
                ast::Statement::If(_) | ast::Statement::While(_) | ast::Statement::DoWhile(_) | ast::Statement::Switch(_)
            ) {
                return elaborator.statement_inner(node, into);
            }
            let mut outcome = Ok(());
            elaborator.scoped(offset, into, |elaborator, inner| outcome = elaborator.statement_inner(node, inner));
            outcome
        });
    }

    /// A statement that is part of another one: a block of its own (C11 6.8.4p3, 6.8.5p5).
    fn sub(&mut self, node: &'a Node<ast::Statement>) -> Vec<Statement> {
        let mut statements = Vec::new();
        if let ast::Statement::Compound(_) = &node.node {
            self.statement(node, &mut statements);
        } else {
            let read = |elaborator: &mut Self, inner: &mut Vec<Statement>| elaborator.statement(node, inner);
            self.scoped(node.span.start, &mut statements, read);
        }
        statements
    }

    /// The condition or the step of a loop.
    fn header<T>(&mut self, read: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        self.context.headers += 1;
        let read = read(self);
        self.context.headers -= 1;
        read
    }

    /// The body of a loop.
    fn repeated(&mut self, node: &'a Node<ast::Statement>) -> Vec<Statement> {
        self.context.loops += 1;
        let body = self.sub(node);
        self.context.loops -= 1;
        body
    }

    /// What is read in a block of its own, which stays one only if it has objects.
    fn scoped(&mut self, offset: usize, into: &mut Vec<Statement>, read: impl FnOnce(&mut Self, &mut Vec<Statement>)) {
        let block = self.open_block();
        let mut statements = Vec::new();
        read(self, &mut statements);
        self.close_block();
        if self.context.blocks[block].is_empty() {
            for label in &mut self.context.labels {
                label.blocks.retain(|around| *around != block);
            }
            into.append(&mut statements);
        } else {
            into.push(Statement { kind: StatementKind::Block(block, statements), offset });
        }
    }

    fn statement_inner(&mut self, node: &'a Node<ast::Statement>, into: &mut Vec<Statement>) -> Outcome<()> {
        let offset = node.span.start;
        let kind = match &node.node {
            ast::Statement::Expression(None) => return Ok(()),
            ast::Statement::Expression(Some(expression)) => StatementKind::Expression(self.rvalue(expression)?),
            ast::Statement::Compound(items) => {
                let block = self.open_block();
                let mut statements = Vec::new();
                self.items(items, &mut statements);
                self.close_block();
                StatementKind::Block(block, statements)
            }
            ast::Statement::If(statement) => {
                let condition = self.condition(&statement.node.condition);
                let then = self.sub(&statement.node.then_statement);
                let otherwise = statement.node.else_statement.as_ref().map(|statement| self.sub(statement)).unwrap_or_default();
                StatementKind::If { condition: condition?, then, otherwise }
            }
            ast::Statement::While(statement) => {
                let condition = self.header(|elaborator| elaborator.condition(&statement.node.expression));
                let body = self.repeated(&statement.node.statement);
                StatementKind::Loop { condition: Some(condition?), step: None, body }
            }
            ast::Statement::DoWhile(statement) => {
                let body = self.repeated(&statement.node.statement);
                let condition = self.header(|elaborator| elaborator.condition(&statement.node.expression))?;
                StatementKind::DoWhile { condition, body }
            }
            ast::Statement::For(statement) => {
                let block = self.open_block();
                let result = self.for_statement(statement);
                self.close_block();
                StatementKind::Block(block, result?)
            }
            ast::Statement::Switch(statement) => self.switch(statement)?,
            ast::Statement::Labeled(labeled) => {
                self.label(&labeled.node.label, into);
                self.statement(&labeled.node.statement, into);
                return Ok(());
            }
            ast::Statement::Goto(name) => {
                let label = self.named_label(&name.node.name, name.span.start);
                self.context.jumps.push((offset, label));
                StatementKind::Goto(label)
            }
            ast::Statement::Continue => StatementKind::Continue,
            ast::Statement::Break => StatementKind::Break,
            ast::Statement::Return(value) => self.return_statement(value.as_deref(), offset)?,
            ast::Statement::Asm(_) => return self.unsupported(offset, "an asm statement"),
        };
        into.push(Statement { kind, offset });
        Ok(())
    }

    fn return_statement(&mut self, value: Option<&'a Node<ast::Expression>>, offset: usize) -> Outcome<StatementKind> {
        self.context.returns += 1;
        // What a function without a result returns is evaluated all the same: GCC takes it, after a warning.
        let result = self.context.result.clone().unwrap_or(CType::void());
        let expression = match value {
            Some(value) => {
                let expression = self.rvalue(value)?;
                Some(self.convert(expression, &result.unqualified(), value.span.start)?)
            }
            None => None,
        };
        if self.context.promises.no_return {
            let fails = ExpressionKind::Builtin(Builtin::Undefined(UndefinedBehavior::Return));
            let fails = Expression::new(fails, CType::void(), offset);
            return Ok(StatementKind::Expression(match expression {
                Some(first) => Expression::new(ExpressionKind::Comma(Box::new(first), Box::new(fails)), CType::void(), offset),
                None => fails,
            }));
        }
        let Some(expression) = expression else { return Ok(StatementKind::Return(None)) };
        if self.context.promises.returns_non_null && result.is_pointer() {
            return Ok(self.return_non_null(expression, offset));
        }
        Ok(StatementKind::Return(Some(expression)))
    }

    /// Returns a value, and fails if it is NULL.
    fn return_non_null(&mut self, value: Expression, offset: usize) -> StatementKind {
        let ctype = value.ctype.clone();
        let block = self.open_block();
        let variable = self.variable("returned".to_owned(), ctype.clone(), offset);
        let mut statements = vec![Statement { kind: StatementKind::Initialise(variable, vec![Item::new(0, value)]), offset }];
        statements.push(self.fail_if_null(variable, UndefinedBehavior::NullResult, offset));
        let place = Place { base: Base::Variable(variable), displacement: 0, ctype: ctype.clone(), offset };
        let read = Expression::new(ExpressionKind::Read(Box::new(place)), ctype, offset);
        statements.push(Statement { kind: StatementKind::Return(Some(read)), offset });
        self.close_block();
        StatementKind::Block(block, statements)
    }

    fn for_statement(&mut self, node: &'a Node<ast::ForStatement>) -> Outcome<Vec<Statement>> {
        let mut statements = Vec::new();
        match &node.node.initializer.node {
            ast::ForInitializer::Empty => {}
            ast::ForInitializer::Expression(expression) => {
                let offset = expression.span.start;
                if let Ok(value) = self.rvalue(expression) {
                    statements.push(Statement { kind: StatementKind::Expression(value), offset });
                }
            }
            ast::ForInitializer::Declaration(declaration) => self.block_declaration(declaration, &mut statements)?,
            ast::ForInitializer::StaticAssert(assertion) => self.static_assert(assertion)?,
        }
        let condition = node.node.condition.as_ref().map(|condition| self.header(|elaborator| elaborator.condition(condition))).transpose();
        let step = node.node.step.as_ref().map(|step| self.header(|elaborator| elaborator.rvalue(step))).transpose();
        let body = self.repeated(&node.node.statement);
        let kind = StatementKind::Loop { condition: condition?, step: step?, body };
        statements.push(Statement { kind, offset: node.span.start });
        Ok(statements)
    }

    fn switch(&mut self, node: &'a Node<ast::SwitchStatement>) -> Outcome<StatementKind> {
        let value = self.rvalue(&node.node.expression)?;
        let Some(kind) = value.ctype.as_integer() else {
            return self.error(node.span.start, "a switch on something that is no integer");
        };
        let kind = promote(kind);
        let value = self.convert(value, &CType::integer(kind), node.span.start)?;
        self.context.switches.push(SwitchContext { kind, cases: Vec::new(), default: None, offset: node.span.start });
        let body = self.sub(&node.node.statement);
        let Some(context) = self.context.switches.pop() else { return self.error(node.span.start, "a switch without cases") };
        Ok(StatementKind::Switch { value, cases: context.cases, default: context.default, body })
    }

    /// A new label in the blocks that are open.
    fn new_label(&mut self) -> LabelId {
        self.context.labels.push(Label { blocks: self.context.open_blocks.clone(), offset: 0 });
        self.context.labels.len() - 1
    }

    fn named_label(&mut self, name: &str, offset: usize) -> LabelId {
        if let Some(label) = self.context.named_labels.get(name) {
            return label.id;
        }
        let id = self.new_label();
        self.context.named_labels.insert(name.to_owned(), NamedLabel { id, defined: false, first_use: offset });
        id
    }

    fn label(&mut self, node: &'a Node<ast::Label>, into: &mut Vec<Statement>) {
        let offset = node.span.start;
        let id = match &node.node {
            ast::Label::Identifier(name) => {
                let id = self.named_label(&name.node.name, offset);
                let blocks = self.context.open_blocks.clone();
                self.context.labels[id] = Label { blocks, offset };
                if let Some(label) = self.context.named_labels.get_mut(&name.node.name) {
                    label.defined = true;
                }
                id
            }
            ast::Label::Case(value) => {
                let id = self.new_label();
                let _ = self.case(value, value, id);
                id
            }
            ast::Label::CaseRange(range) => {
                let id = self.new_label();
                let _ = self.case(&range.node.low, &range.node.high, id);
                id
            }
            ast::Label::Default => {
                let id = self.new_label();
                match self.context.switches.last_mut() {
                    Some(context) => context.default = Some(id),
                    None => self.raise(Kind::Error, offset, "'default' outside a switch", None),
                }
                id
            }
        };
        if !matches!(node.node, ast::Label::Identifier(_)) {
            self.context.labels[id].offset = offset;
            let from = self.context.switches.last().map_or(offset, |context| context.offset);
            self.context.cases.push((from, id));
        }
        into.push(Statement { kind: StatementKind::Label(id), offset });
    }

    /// `case`: the constant is converted to the promoted type of the controlling expression (C11 6.8.4.2p5).
    fn case(&mut self, low: &'a Node<ast::Expression>, high: &'a Node<ast::Expression>, label: LabelId) -> Outcome<()> {
        let offset = low.span.start;
        let (low, high) = (self.constant_expression(low)?, self.constant_expression(high)?);
        let Some(context) = self.context.switches.last_mut() else { return self.error(offset, "'case' outside a switch") };
        let kind = context.kind;
        if low != high && !(in_range(kind, low) && in_range(kind, high)) {
            return self.unsupported(offset, "a range of cases outside the type of the switch");
        }
        let case = Case { low: crate::lower::types::convert(kind, low), high: crate::lower::types::convert(kind, high), label };
        let twice = context.cases.iter().any(|known| known.low <= case.high && case.low <= known.high);
        context.cases.push(case);
        if twice { self.error(offset, "a case that stands twice in its switch") } else { Ok(()) }
    }

    /// Every label that a `goto` names exists.
    pub(crate) fn check_labels(&mut self) {
        let missing: Vec<(String, usize)> = self
            .context
            .named_labels
            .iter()
            .filter(|(_, label)| !label.defined)
            .map(|(name, label)| (name.clone(), label.first_use))
            .collect();
        for (name, offset) in missing {
            self.raise(Kind::Error, offset, &format!("no label '{name}'"), None);
        }
    }

    /// `({ ... })`: its value is that of the last expression statement.
    pub(crate) fn statement_expression(&mut self, node: &'a Node<ast::Statement>) -> Outcome<Expression> {
        let offset = node.span.start;
        if self.context.open_blocks.is_empty() {
            return self.error(offset, "a statement expression outside a function");
        }
        let block = self.open_block();
        let mut statements = Vec::new();
        match &node.node {
            ast::Statement::Compound(items) => self.items(items, &mut statements),
            _ => self.statement(node, &mut statements),
        }
        self.close_block();
        let value = match statements.pop() {
            Some(Statement { kind: StatementKind::Expression(value), .. }) if !value.ctype.is_void() => Some(Box::new(value)),
            Some(other) => {
                statements.push(other);
                None
            }
            None => None,
        };
        let ctype = value.as_ref().map_or(CType::void(), |value| value.ctype.clone());
        Ok(Expression::new(ExpressionKind::Statements { block, statements, value }, ctype, offset))
    }
}
