//! Keeps what is believed of expressions and layouts, if anybody wants to know ([`crate::lower::beliefs`]).

use super::{
    Elaborator,
    expressions::Designated,
    operators::is_of_values,
    places::value_type,
    scope::{Entity, Tag},
    undeclared::is_known_undeclared,
};
use crate::lower::{
    beliefs::{Believed, Expression as Belief, Form, Layout, Point, Room, hidden_tag, written_tag},
    is_of_harness,
    tree::{Expression, ExpressionKind},
    types::{CType, Parameters, RecordId, Shape, promote},
};
use lang_c::{ast, span::Node};

impl<'a> Elaborator<'a> {
    /// Keeps what an expression is believed to be.
    pub(super) fn believe(&mut self, node: &'a Node<ast::Expression>, designated: &Designated) {
        if self.beliefs.is_none() {
            return;
        }
        let (ctype, form, value) = match designated {
            Designated::Place(place) if place.ctype.bits.is_some() => (value_type(&place.ctype), Form::BitField, None),
            Designated::Place(place) => (place.ctype.clone(), Form::Plain, None),
            Designated::Value(value) => {
                let constant = value.as_constant().filter(|_| self.is_constant(node));
                (value.ctype.clone(), if is_of_bits(value) { Form::BitField } else { Form::Plain }, constant)
            }
            Designated::Function(name, _) => match self.scopes.find(name) {
                Some(Entity::Function(ctype)) => (ctype.clone(), Form::Plain, None),
                _ => return,
            },
        };
        let ctype = match (form, ctype.as_integer()) {
            (Form::BitField, Some(kind)) => CType::integer(promote(kind)),
            // What is chosen among values has a type for compilers where a call has one that has no value here.
            _ if ctype.is_void() && is_choice(&node.node) => return,
            _ if ctype.is_void() => self.type_of_call(node).unwrap_or(ctype),
            _ => ctype,
        };
        self.keep(node, Belief { ctype: self.believed(&ctype), form, value });
    }

    /// The type that compilers know of a call which has no value here, and whose value nobody uses: int of what is not declared, as before C99.
    fn type_of_call(&self, node: &Node<ast::Expression>) -> Option<CType> {
        match &node.node {
            ast::Expression::Comma(parts) => self.type_of_call(parts.last()?),
            ast::Expression::Call(call) => {
                let ast::Expression::Identifier(name) = &call.node.callee.node else { return None };
                let name = &name.node.name;
                if !self.scopes.is_seen(name) {
                    return is_known_undeclared(name).then(CType::int);
                }
                let Some(Entity::Function(ctype)) = self.scopes.find(name).filter(|_| is_of_harness(name)) else { return None };
                let Shape::Function(signature) = &ctype.shape else { return None };
                Some(signature.result.unqualified())
            }
            _ => None,
        }
    }

    /// Keeps what the function is believed to be that is called by its name alone, if it is declared.
    pub(super) fn believe_callee(&mut self, callee: &'a Node<ast::Expression>, name: &str) {
        if self.beliefs.is_some()
            && matches!(callee.node, ast::Expression::Identifier(_))
            && self.scopes.is_seen(name)
            && let Some(Entity::Function(ctype)) = self.scopes.find(name)
        {
            let ctype = self.believed(ctype);
            self.keep(callee, Belief { ctype, form: Form::Plain, value: None });
        }
    }

    fn keep(&mut self, node: &'a Node<ast::Expression>, belief: Belief) {
        if let Some(beliefs) = &mut self.beliefs {
            beliefs.kept.expressions.entry((node.span.start, node.span.end)).or_insert(belief);
        }
    }

    /// Gives a struct or union without a tag a name that beliefs can use, as far as it reaches. In a `for` with a declaration it gets none: compilers take no
    /// tag in that declaration (C11 6.8.5p3).
    pub(super) fn name_untagged(&mut self, id: RecordId, offset: usize) {
        let is_in_loop = |point: &Point| matches!(point.room, Room::Around(_));
        if let Some(beliefs) = &mut self.beliefs
            && !beliefs.kept.point(offset, offset).is_some_and(is_in_loop)
        {
            beliefs.untagged.insert(id, offset);
            self.scopes.declare_tag(&hidden_tag(offset), Tag::Record(id), offset);
        }
    }

    /// Keeps the layout of a struct or union that is complete now.
    pub(super) fn believe_layout(&mut self, id: RecordId, offset: usize) {
        if self.beliefs.is_none() {
            return;
        }
        let Some(name) = self.record_name(id) else { return };
        let mut offsets = Vec::new();
        self.offsets(id, 0, &mut offsets);
        let record = self.records.get(id);
        let layout = Layout { name, size: record.size, alignment: record.alignment, offsets };
        if let Some(beliefs) = &mut self.beliefs {
            beliefs.kept.layouts.insert(offset, layout);
        }
    }

    /// The offsets of members that are no bit-fields, also of those inside anonymous members.
    fn offsets(&self, id: RecordId, base: u64, into: &mut Vec<(String, u64)>) {
        for member in self.records.get(id).members.iter().flatten() {
            match (&member.name, member.ctype.as_record()) {
                (Some(name), _) if member.bits.is_none() => into.push((name.clone(), base + member.offset)),
                (None, Some(inner)) => self.offsets(inner, base + member.offset, into),
                _ => {}
            }
        }
    }

    /// What names the struct or union here.
    fn record_name(&self, id: RecordId) -> Option<String> {
        let is_it = |tag: &str| matches!(self.scopes.find_tag(tag), Some(Tag::Record(found)) if *found == id);
        let name = &self.records.get(id).name;
        if let Some((_, tag)) = name.split_once(' ') {
            return is_it(tag).then(|| name.clone());
        }
        let hidden = hidden_tag(*self.beliefs.as_ref()?.untagged.get(&id)?);
        is_it(&hidden).then(|| format!("{name} {}", written_tag(&hidden)))
    }

    fn believed(&self, ctype: &CType) -> Believed {
        match &ctype.shape {
            Shape::Void => Believed::Void,
            Shape::Integer(kind) => Believed::Integer { kind: *kind, long_long: ctype.long_long },
            Shape::Pointer(target) => {
                // Which of `volatile` and `_Atomic` it is, is not kept.
                let believed = if target.volatile { Believed::Any } else { self.believed(target) };
                Believed::Pointer { target: Box::new(believed), constant: target.constant || target.base_element().constant }
            }
            Shape::Array(element, length) => Believed::Array { element: Box::new(self.believed(element)), length: *length },
            Shape::Record(id) => Believed::Record { name: self.record_name(*id), size: self.records.size(ctype) },
            Shape::Function(signature) => match &signature.parameters {
                Parameters::Exact(parameters) => Believed::Function {
                    result: Box::new(self.believed(&signature.result)),
                    parameters: parameters.iter().map(|parameter| self.believed(parameter)).collect(),
                },
                Parameters::Unknown | Parameters::Variadic(_) => Believed::Any,
            },
            Shape::Opaque(_) => Believed::Any,
        }
    }

    /// Is it an integer constant expression (C11 6.6p6)? Only those are constants for every compiler.
    pub(super) fn is_constant(&self, node: &Node<ast::Expression>) -> bool {
        match &node.node {
            ast::Expression::Constant(_)
            | ast::Expression::SizeOfTy(_)
            | ast::Expression::SizeOfVal(_)
            | ast::Expression::AlignOf(_)
            | ast::Expression::OffsetOf(_) => true,
            ast::Expression::Identifier(name) => matches!(self.scopes.find(&name.node.name), Some(Entity::Enumerator(..))),
            ast::Expression::Cast(cast) => !self.is_pointer_name(&cast.node.type_name.node) && self.is_constant(&cast.node.expression),
            ast::Expression::UnaryOperator(operator) => match operator.node.operator.node {
                ast::UnaryOperator::Plus | ast::UnaryOperator::Minus | ast::UnaryOperator::Complement | ast::UnaryOperator::Negate => {
                    self.is_constant(&operator.node.operand)
                }
                _ => false,
            },
            ast::Expression::BinaryOperator(operator) => {
                is_of_values(&operator.node.operator.node) && self.is_constant(&operator.node.lhs) && self.is_constant(&operator.node.rhs)
            }
            ast::Expression::Conditional(conditional) => {
                let parts = [&conditional.node.condition, &conditional.node.then_expression, &conditional.node.else_expression];
                parts.into_iter().all(|part| self.is_constant(part))
            }
            _ => false,
        }
    }
}

/// Is its value that of one of several expressions, or of the last one of a block?
const fn is_choice(expression: &ast::Expression) -> bool {
    matches!(expression, ast::Expression::Conditional(_) | ast::Expression::GenericSelection(_) | ast::Expression::Statement(_))
}

/// Is it what was stored in a bit-field, or read from one as it is?
pub(super) fn is_of_bits(value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Read(place) | ExpressionKind::Assign { place, .. } | ExpressionKind::Update { place, .. } => {
            place.ctype.bits.is_some()
        }
        ExpressionKind::Comma(_, last) | ExpressionKind::Then(_, last) | ExpressionKind::Statements { value: Some(last), .. } => {
            is_of_bits(last)
        }
        // An integer in the cell of a pointer is made of the number there.
        _ => value.ctype.bits.is_some(),
    }
}
