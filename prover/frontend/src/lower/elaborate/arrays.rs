//! Arrays whose length is not constant: in blocks, as parameters, and `alloca` (C11 6.7.6.2, 6.7.6.3p7).
//!
//! Such an array is memory that is allocated where it is declared and ends with its block. That there is enough of it is assumed, as of all
//! variables.

use super::{Elaborator, Outcome, places::is_repeatable, scope::Entity, types::Declared};
use crate::diagnostics::Kind;
use crate::lower::{
    tree::{Base, BlockId, Builtin, Comparison, Expression, ExpressionKind, Item, Place, Statement, StatementKind, VariableId},
    types::{CType, Shape, maximum},
    undefined_behavior::UndefinedBehavior,
};
use goatherd_certificates::program::{IntegerType, Operation};
use lang_c::{ast, span::Node};

/// What becomes of a length that is not constant.
pub(crate) enum Lengths {
    /// An array in a block may have one.
    Block(Option<Expression>),
    /// A parameter is a pointer: its length does not count, and is not evaluated (C11 6.7.6.2p5).
    Parameter,
    /// A parameter of a definition: its length is evaluated when the function is entered (C11 6.9.1p10). These are more than a value that is there.
    Entry(Vec<Expression>),
    /// In a length, types are those of no declaration.
    None,
}

/// An array of variable length, or what `alloca` gave.
pub(crate) struct Owned {
    block: BlockId,
    offset: usize,
    kind: OwnedKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum OwnedKind {
    Declared,
    Alloca,
}

const SIZE: CType = CType::integer(IntegerType::U64);

impl<'a> Elaborator<'a> {
    /// A declarator in a block, and the length of the array that it declares, if that is not constant.
    pub(crate) fn local_declarator(&mut self, node: &'a Node<ast::Declarator>, base: CType) -> Outcome<(Declared<'a>, Option<Expression>)> {
        self.lengths.push(Lengths::Block(None));
        let declared = self.declarator(node, base);
        let length = match self.lengths.pop() {
            Some(Lengths::Block(length)) => length,
            _ => None,
        };
        let declared = declared?;
        if length.is_some() && !matches!(declared.ctype.shape, Shape::Array(_, None)) {
            return self.unsupported(declared.offset, "a type that is made of an array of variable length");
        }
        Ok((declared, length))
    }

    /// A length that is no constant expression, at a place where that may be. The array then has none that its type says.
    pub(crate) fn variable_length(&mut self, size: &'a Node<ast::Expression>, element: &CType, at: usize) -> Outcome<Option<u64>> {
        const WHAT: &str = "an array of variable length";
        if self.records.size(element).is_none() {
            return self.unsupported(at, "an array of arrays of variable length");
        }
        if matches!(self.lengths.last(), Some(Lengths::Block(None))) && !self.is_outside_functions() {
            let length = self.length_value(size)?;
            if length.ctype.as_integer().is_none() {
                return self.error(at, "a length that is no integer");
            }
            if let Some(Lengths::Block(found)) = self.lengths.last_mut() {
                *found = Some(length);
            }
            return Ok(None);
        }
        self.unsupported(at, WHAT)
    }

    /// The value of a length.
    pub(crate) fn length_value(&mut self, size: &'a Node<ast::Expression>) -> Outcome<Expression> {
        self.lengths.push(Lengths::None);
        let length = self.rvalue(size);
        self.lengths.pop();
        length
    }

    /// An array of this many elements begins.
    pub(crate) fn array_of_length(
        &mut self,
        declared: &Declared<'a>,
        name: &str,
        length: Expression,
        into: &mut Vec<Statement>,
    ) -> Outcome<()> {
        let offset = declared.offset;
        let Shape::Array(element, _) = &declared.ctype.shape else { return self.error(offset, "no array") };
        let element = (**element).clone();
        self.check_object(&element, offset)?;
        let size = self.records.size(&element).map_or(1, i128::from).max(1);
        let wide = CType::integer(IntegerType::I64);
        // What is more than the greatest long wraps around to a negative number, which fails below.
        let length = self.convert(length, &wide, offset)?;
        let count = self.variable(format!("length of {name}"), wide.clone(), offset);
        let pointer = self.owner(name, element.clone().pointer_to(), offset, OwnedKind::Declared);
        self.scopes.declare(name, Entity::Array(pointer, count), offset);
        into.push(statement(StatementKind::Initialise(count, vec![Item::new(0, length)]), offset));
        let compare = |comparison, left: Expression, right: i128| {
            let right = Expression::constant(right, wide.clone(), offset);
            Expression::new(ExpressionKind::Compare(comparison, Box::new(left), Box::new(right)), CType::int(), offset)
        };
        let small = compare(Comparison::Less, self.value_of(count, offset), 1);
        let large = compare(Comparison::Greater, self.value_of(count, offset), maximum(IntegerType::I64) / size);
        let wrong = Expression::new(ExpressionKind::Or(Box::new(small), Box::new(large)), CType::int(), offset);
        into.push(fail_where(wrong, offset));
        let number = self.value_of(count, offset);
        let number = self.convert(number, &SIZE, offset)?;
        let factor = Expression::constant(size, SIZE, offset);
        let bytes = ExpressionKind::Binary(Operation::Multiply, Box::new(number), Box::new(factor));
        let allocation = allocate(Expression::new(bytes, SIZE, offset), offset);
        let value = self.convert(allocation, &element.pointer_to(), offset)?;
        into.push(statement(StatementKind::Initialise(pointer, vec![Item::new(0, value)]), offset));
        into.push(ignore_where_null(self.value_of(pointer, offset), offset));
        Ok(())
    }

    /// `alloca`: memory that ends with the function. In a loop there would be any number of them.
    pub(crate) fn alloca(&mut self, bytes: Expression, offset: usize) -> Outcome<Expression> {
        if self.context.loops > 0 || self.is_outside_functions() {
            return self.unsupported(offset, "alloca in a loop");
        }
        let open = std::mem::take(&mut self.context.open_blocks);
        self.context.open_blocks = open.iter().take(1).copied().collect();
        let count = self.variable("bytes of alloca".to_owned(), SIZE, offset);
        let pointer = self.owner("alloca", CType::void().pointer_to(), offset, OwnedKind::Alloca);
        self.context.open_blocks = open;
        let assign = |variable: VariableId, ctype: CType, value: Expression| {
            let place = Place { base: Base::Variable(variable), displacement: 0, ctype: ctype.clone(), offset };
            Expression::new(ExpressionKind::Assign { place: Box::new(place), value: Box::new(value) }, ctype, offset)
        };
        self.context.variables[count].assigned = true;
        self.context.variables[pointer].assigned = true;
        let limit = Expression::constant(maximum(IntegerType::I64), SIZE, offset);
        let large = ExpressionKind::Compare(Comparison::Greater, Box::new(self.value_of(count, offset)), Box::new(limit));
        let is_null = ExpressionKind::Not(Box::new(self.value_of(pointer, offset)));
        let steps = [
            assign(count, SIZE, bytes),
            where_holds(Expression::new(large, CType::int(), offset), Builtin::Undefined(UndefinedBehavior::AllocaSize)),
            assign(pointer, CType::void().pointer_to(), allocate(self.value_of(count, offset), offset)),
            where_holds(Expression::new(is_null, CType::int(), offset), Builtin::Ignore),
        ];
        let value = self.value_of(pointer, offset);
        Ok(steps.into_iter().rev().fold(value, |rest, step| {
            let ctype = rest.ctype.clone();
            Expression::new(ExpressionKind::Comma(Box::new(step), Box::new(rest)), ctype, offset)
        }))
    }

    /// A pointer to memory that ends with the innermost open block.
    fn owner(&mut self, name: &str, ctype: CType, offset: usize, kind: OwnedKind) -> VariableId {
        let pointer = self.variable(name.to_owned(), ctype, offset);
        self.context.variables[pointer].owns_array = true;
        if let Some(block) = self.context.open_blocks.last() {
            self.context.arrays.push(Owned { block: *block, offset, kind });
        }
        pointer
    }

    /// Refuses jumps after which an array would begin again, or that go past where one begins (C11 6.8.6.1p1).
    pub(crate) fn check_arrays(&mut self) {
        let mut wrong = None;
        for array in &self.context.arrays {
            let jumps = self.context.jumps.iter().chain(&self.context.cases);
            let is_wrong = |(from, label): &(usize, usize)| {
                let label = &self.context.labels[*label];
                let again = label.offset < array.offset && array.offset < *from;
                let past = *from < array.offset && array.offset < label.offset;
                label.blocks.contains(&array.block) && (again || past && array.kind == OwnedKind::Declared)
            };
            if jumps.into_iter().any(is_wrong) {
                wrong = Some(array.offset);
            }
        }
        if let Some(offset) = wrong {
            self.raise(Kind::Unsupported, offset, "a jump over the beginning of an array of variable length", None);
        }
    }

    /// `sizeof` of an array of variable length.
    pub(crate) fn size_of_array(&mut self, node: &'a Node<ast::Expression>) -> Option<Expression> {
        let ast::Expression::Identifier(name) = &node.node else { return None };
        let Some(Entity::Array(pointer, count)) = self.scopes.find(&name.node.name).cloned() else { return None };
        let offset = node.span.start;
        let size = self.context.variables[pointer].ctype.pointee().and_then(|element| self.records.size(element))?;
        let number = self.value_of(count, offset);
        let number = self.convert(number, &SIZE, offset).ok()?;
        let factor = Expression::constant(i128::from(size), SIZE, offset);
        Some(Expression::new(ExpressionKind::Binary(Operation::Multiply, Box::new(number), Box::new(factor)), SIZE, offset))
    }

    /// The array as a place: its type does not say how long it is.
    pub(crate) fn array_place(&self, pointer: VariableId, offset: usize) -> Place {
        let value = self.value_of(pointer, offset);
        let element = value.ctype.pointee().cloned().unwrap_or(CType::void());
        let ctype = CType::new(Shape::Array(element.into(), None));
        Place { base: Base::Pointer(Box::new(value)), displacement: 0, ctype, offset }
    }

    /// The value of a variable.
    pub(crate) fn value_of(&self, variable: VariableId, offset: usize) -> Expression {
        let ctype = self.context.variables[variable].ctype.clone();
        let place = Place { base: Base::Variable(variable), displacement: 0, ctype: ctype.clone(), offset };
        Expression::new(ExpressionKind::Read(Box::new(place)), ctype.unqualified(), offset)
    }

    /// The length of an array parameter. `static` promises elements.
    pub(crate) fn parameter_length(&mut self, array: &'a ast::ArrayDeclarator, element: &CType, at: usize) -> Outcome<Option<u64>> {
        let (size, is_promise) = match &array.size {
            ast::ArraySize::VariableExpression(size) => (size, false),
            ast::ArraySize::StaticExpression(size) => (size, true),
            ast::ArraySize::Unknown | ast::ArraySize::VariableUnknown => return Ok(None),
        };
        if self.records.size(element).is_none() {
            return self.unsupported(at, "an array of arrays of variable length");
        }
        if is_promise {
            if !self.is_constant_length(size) {
                return self.unsupported(at, "'static' with a length that is not constant in an array parameter");
            }
            let length = self.constant_expression(size)?;
            self.promised.insert(at, length);
        } else if matches!(self.lengths.last(), Some(Lengths::Entry(_))) {
            let length = self.length_value(size)?;
            if length.ctype.as_integer().is_none() {
                return self.error(at, "a length that is no integer");
            }
            if let (Some(Lengths::Entry(lengths)), false) = (self.lengths.last_mut(), is_there(&length)) {
                lengths.push(length);
            }
        }
        Ok(None)
    }

    /// Evaluates the lengths of parameters where the function is entered. In which order is open.
    pub(crate) fn entry_lengths(&mut self, lengths: Vec<Expression>) -> Outcome<Vec<Statement>> {
        let changing = lengths.iter().find(|length| !is_repeatable(length));
        if let (Some(length), true) = (changing, lengths.len() > 1) {
            return self.unsupported(length.offset, "array parameters of more than one length, one of which is more than a value");
        }
        Ok(lengths.into_iter().map(|length| Statement { offset: length.offset, kind: StatementKind::Expression(length) }).collect())
    }

    /// The elements that `[static n]` promises are there: the first and the last are read (C11 6.7.6.3p7).
    pub(crate) fn promised_elements(&mut self, parameters: &[VariableId], body: usize) -> Vec<Statement> {
        let mut reads = Vec::new();
        for (position, parameter) in parameters.iter().enumerate() {
            let variables = &self.context.variables;
            let (offset, ctype) = (variables[*parameter].offset, variables[*parameter].ctype.clone());
            // Its declarator goes on behind its name, up to the next parameter's.
            let end = parameters.get(position + 1).map_or(body, |next| variables[*next].offset);
            let promised = self.promised.range(offset..end.max(offset)).next();
            let (Some((_, count)), Some(element)) = (promised, ctype.pointee().cloned()) else { continue };
            let size = self.records.size(&element).map_or(1, i128::from);
            for index in [0, count - 1] {
                let displacement = i64::try_from(index.saturating_mul(size)).unwrap_or(i64::MAX);
                let base = Base::Pointer(Box::new(self.value_of(*parameter, offset)));
                let place = Place { base, displacement, ctype: element.clone(), offset };
                let value = Expression::new(ExpressionKind::Read(Box::new(place)), element.unqualified(), offset);
                reads.push(statement(StatementKind::Expression(value), offset));
            }
        }
        reads
    }
}

/// A constant, or the value of a variable or object.
fn is_there(length: &Expression) -> bool {
    match &length.kind {
        ExpressionKind::Constant(_) => true,
        ExpressionKind::Read(place) => matches!(place.base, Base::Variable(_) | Base::Global(_)),
        ExpressionKind::Convert(inner) => is_there(inner),
        _ => false,
    }
}

fn statement(kind: StatementKind, offset: usize) -> Statement {
    Statement { kind, offset }
}

fn allocate(bytes: Expression, offset: usize) -> Expression {
    Expression::new(ExpressionKind::Builtin(Builtin::Allocate(Box::new(bytes))), CType::void().pointer_to(), offset)
}

fn effect(builtin: Builtin, offset: usize) -> Expression {
    Expression::new(ExpressionKind::Builtin(builtin), CType::void(), offset)
}

fn fail_where(condition: Expression, offset: usize) -> Statement {
    let then = vec![statement(StatementKind::Expression(effect(Builtin::Undefined(UndefinedBehavior::ArrayLength), offset)), offset)];
    statement(StatementKind::If { condition, then, otherwise: Vec::new() }, offset)
}

fn ignore_where_null(pointer: Expression, offset: usize) -> Statement {
    let condition = Expression::new(ExpressionKind::Not(Box::new(pointer)), CType::int(), offset);
    let then = vec![statement(StatementKind::Expression(effect(Builtin::Ignore, offset)), offset)];
    statement(StatementKind::If { condition, then, otherwise: Vec::new() }, offset)
}

/// The builtin where a condition holds.
fn where_holds(condition: Expression, builtin: Builtin) -> Expression {
    let offset = condition.offset;
    let one = Expression::constant(1, CType::int(), offset);
    let then = ExpressionKind::Comma(Box::new(effect(builtin, offset)), Box::new(one));
    let then = Expression::new(then, CType::int(), offset);
    Expression::new(ExpressionKind::And(Box::new(condition), Box::new(then)), CType::int(), offset)
}
