//! Expressions, their types and conversions (C11 6.3, 6.5).

use super::{Elaborator, Outcome, Undefined, literals, places::Reached, scope::Entity};
use crate::lower::{
    tree::{Base, Comparison, Expression, ExpressionKind, Place},
    types::{CType, Shape, convert, includes, width},
};
use goatherd_certificates::program::IntegerType;
use lang_c::{ast, span::Node};

/// What an expression designates before it becomes a value.
pub(crate) enum Designated {
    Value(Expression),
    Place(Place),
    /// A function by name.
    Function(String, usize),
}

impl<'a> Elaborator<'a> {
    /// The value of an expression.
    pub(crate) fn rvalue(&mut self, node: &'a Node<ast::Expression>) -> Outcome<Expression> {
        let designated = self.designated(node)?;
        if matches!(&designated, Designated::Place(place) if place.ctype.is_array()) {
            self.check_alignment(&designated, node)?;
        }
        self.value(designated)
    }

    pub(crate) fn value(&mut self, designated: Designated) -> Outcome<Expression> {
        match designated {
            Designated::Value(value) => Ok(value),
            Designated::Place(place) => self.read(place),
            Designated::Function(name, offset) => self.function_pointer(&name, offset),
        }
    }

    /// A value that a condition may test.
    pub(crate) fn condition(&mut self, node: &'a Node<ast::Expression>) -> Outcome<Expression> {
        let value = self.rvalue(node)?;
        if value.ctype.is_scalar() { Ok(value) } else { self.error(node.span.start, "a condition that is neither integer nor pointer") }
    }

    /// The type of an expression that is not evaluated.
    pub(crate) fn type_of(&mut self, node: &'a Node<ast::Expression>) -> Outcome<CType> {
        self.unevaluated += 1;
        let designated = self.designated(node);
        self.unevaluated -= 1;
        Ok(match designated? {
            Designated::Value(value) => value.ctype,
            Designated::Place(place) => CType { bits: None, in_bytes: false, ..place.ctype },
            Designated::Function(..) => return self.unsupported(node.span.start, "the type of a function"),
        })
    }

    pub(crate) fn designated(&mut self, node: &'a Node<ast::Expression>) -> Outcome<Designated> {
        let designated = self.nested(node.span.start, |elaborator| elaborator.designated_inner(node))?;
        self.believe(node, &designated);
        Ok(designated)
    }

    fn designated_inner(&mut self, node: &'a Node<ast::Expression>) -> Outcome<Designated> {
        let offset = node.span.start;
        let value = match &node.node {
            ast::Expression::Identifier(identifier) => return self.identifier(&identifier.node.name, offset),
            ast::Expression::Constant(constant) => self.constant(&constant.node, offset)?,
            ast::Expression::StringLiteral(literal) => return self.string(&literal.node, offset),
            ast::Expression::Member(member) => return self.member(member),
            ast::Expression::Call(call) => self.call(call)?,
            ast::Expression::CompoundLiteral(literal) => return self.compound_literal(literal),
            ast::Expression::SizeOfTy(of) => {
                let ctype = self.type_name(&of.node.0)?;
                self.size_of(&ctype, offset)?
            }
            ast::Expression::SizeOfVal(of) => {
                if let Some(size) = self.size_of_array(&of.node.0) {
                    return Ok(Designated::Value(size));
                }
                let ctype = self.type_of(&of.node.0)?;
                self.size_of(&ctype, offset)?
            }
            ast::Expression::AlignOf(of) => {
                if let Some(operand) = operand_of_typeof(&of.node.0.node) {
                    self.check_aligned(operand)?;
                }
                let ctype = self.type_name(&of.node.0)?;
                match self.records.alignment(&ctype) {
                    Some(alignment) => size_constant(i128::from(alignment), offset),
                    None => return self.error(offset, "the alignment of an incomplete type"),
                }
            }
            ast::Expression::UnaryOperator(operator) => return self.unary(operator),
            ast::Expression::BinaryOperator(operator) if operator.node.operator.node == ast::BinaryOperator::Index => {
                return self.index(operator, Reached::Element);
            }
            ast::Expression::BinaryOperator(operator) => self.binary(operator)?,
            ast::Expression::Cast(cast) => {
                let ctype = self.type_name(&cast.node.type_name)?;
                let value = self.rvalue(&cast.node.expression)?;
                self.convert(value, &ctype.unqualified(), offset)?
            }
            ast::Expression::Conditional(conditional) => self.conditional(conditional)?,
            ast::Expression::Comma(parts) => self.comma(parts)?,
            ast::Expression::OffsetOf(of) => self.offset_of(&of.node, offset)?,
            ast::Expression::Statement(statement) => self.statement_expression(statement)?,
            ast::Expression::VaArg(next) => return self.next_argument(&next.node, offset),
            ast::Expression::GenericSelection(selection) => {
                let selected = self.selected(&selection.node, offset)?;
                return self.designated(selected);
            }
        };
        Ok(Designated::Value(value))
    }

    fn identifier(&mut self, name: &str, offset: usize) -> Outcome<Designated> {
        match self.scopes.find(name).cloned() {
            Some(Entity::Enumerator(value, Some(kind))) => Ok(Designated::Value(Expression::constant(value, CType::integer(kind), offset))),
            Some(Entity::Enumerator(_, None)) => self.unsupported(offset, "an enumeration constant outside int inside its enumeration"),
            Some(Entity::Variable(id)) => {
                let ctype = self.context.variables[id].ctype.clone();
                Ok(Designated::Place(Place { base: Base::Variable(id), displacement: 0, ctype, offset }))
            }
            Some(Entity::Array(pointer, _)) => Ok(Designated::Place(self.array_place(pointer, offset))),
            Some(Entity::Global(id)) => {
                self.use_global(id, offset)?;
                let ctype = self.global_type(id).clone();
                Ok(Designated::Place(Place { base: Base::Global(id), displacement: 0, ctype, offset }))
            }
            Some(Entity::Typedef(_)) => self.error(offset, &format!("the type '{name}' as a value")),
            None if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                let text = self.context.name.clone();
                let values: Vec<i128> = text.bytes().map(i128::from).chain([0]).collect();
                Ok(Designated::Place(self.string_place(IntegerType::I8, &values, offset)))
            }
            Some(Entity::Function(_)) => Ok(Designated::Function(name.to_owned(), offset)),
            None => self.error(offset, &format!("'{name}' is not declared")),
        }
    }

    fn constant(&mut self, constant: &ast::Constant, offset: usize) -> Outcome<Expression> {
        let read = match constant {
            ast::Constant::Integer(integer) => literals::integer(integer),
            ast::Constant::Character(text) => literals::character(text),
            ast::Constant::Float(_) => Err("floating point"),
        };
        match read {
            Ok((value, kind)) => Ok(Expression::constant(value, CType::integer(kind), offset)),
            Err(message) => self.unsupported(offset, message),
        }
    }

    fn string(&mut self, parts: &[String], offset: usize) -> Outcome<Designated> {
        match literals::string(parts) {
            Ok((kind, values)) => Ok(Designated::Place(self.string_place(kind, &values, offset))),
            Err(message) => self.unsupported(offset, message),
        }
    }

    fn string_place(&mut self, kind: IntegerType, values: &[i128], offset: usize) -> Place {
        let id = self.string_object(CType::integer(kind), values, offset);
        Place { base: Base::Global(id), displacement: 0, ctype: self.global_type(id).clone(), offset }
    }

    fn size_of(&mut self, ctype: &CType, offset: usize) -> Outcome<Expression> {
        match self.records.size(ctype) {
            Some(size) => Ok(size_constant(i128::from(size), offset)),
            None => match ctype.shape {
                Shape::Opaque(what) => self.unsupported(offset, what),
                _ => self.error(offset, "the size of an incomplete type"),
            },
        }
    }

    /// Refuses GNU's `__alignof__(x)` where x may be aligned otherwise than its type: an object or a member that is declared so, and what a pointer
    /// points to, which gcc takes from what the pointer was before its conversions.
    fn check_aligned(&mut self, operand: &'a Node<ast::Expression>) -> Outcome<()> {
        let mut part = operand;
        loop {
            part = match &part.node {
                ast::Expression::Identifier(_) if self.has_aligned_objects => break,
                ast::Expression::Member(member) => {
                    let outer = self.type_of(&member.node.expression)?;
                    let record = outer.pointee().unwrap_or(&outer).as_record();
                    if record.is_none_or(|id| self.records.is_aligned_otherwise(id)) {
                        break;
                    }
                    return Ok(());
                }
                ast::Expression::BinaryOperator(index) if index.node.operator.node == ast::BinaryOperator::Index => &index.node.lhs,
                ast::Expression::Identifier(_) | ast::Expression::Constant(_) => return Ok(()),
                _ => break,
            }
        }
        self.unsupported(operand.span.start, "the alignment of an expression that need not be that of its type")
    }

    fn offset_of(&mut self, of: &'a ast::OffsetOfExpression, offset: usize) -> Outcome<Expression> {
        let record = self.type_name(&of.type_name)?;
        let (mut ctype, mut total) = self.offset_of_member(&record, &of.designator.node.base)?;
        for member in &of.designator.node.members {
            let (inner, bytes) = match (&member.node, &ctype.shape) {
                (ast::OffsetMember::Member(name), _) => self.offset_of_member(&ctype, name)?,
                (ast::OffsetMember::Index(index), Shape::Array(element, _)) => {
                    let element = (**element).clone();
                    let index = self.constant_expression(index)?;
                    let size = self.records.size(&element).map_or(0, i128::from);
                    (element, index.saturating_mul(size))
                }
                _ => return self.unsupported(offset, "this form of offsetof"),
            };
            (ctype, total) = (inner, total + bytes);
        }
        Ok(size_constant(total, offset))
    }

    fn offset_of_member(&mut self, ctype: &CType, name: &Node<ast::Identifier>) -> Outcome<(CType, i128)> {
        let found = match ctype.shape {
            Shape::Record(id) => self.records.member(id, &name.node.name),
            _ => None,
        };
        match found {
            Some((ctype, bytes)) => Ok((ctype, i128::from(bytes))),
            None => self.error(name.span.start, &format!("no member '{}'", name.node.name)),
        }
    }

    fn comma(&mut self, parts: &'a [Node<ast::Expression>]) -> Outcome<Expression> {
        let mut result: Option<Expression> = None;
        for part in parts {
            let value = self.rvalue(part)?;
            result = Some(match result {
                None => value,
                Some(before) => {
                    let (ctype, offset) = (value.ctype.clone(), before.offset);
                    Expression::new(ExpressionKind::Comma(Box::new(before), Box::new(value)), ctype, offset)
                }
            });
        }
        match result {
            Some(result) => Ok(result),
            None => self.error(0, "an empty expression"),
        }
    }

    /// The value converted to a type, as by assignment or cast (C11 6.3, 6.5.4, 6.5.16.1).
    pub(crate) fn convert(&mut self, value: Expression, to: &CType, offset: usize) -> Outcome<Expression> {
        if let Shape::Opaque(what) = to.shape {
            return self.unsupported(offset, what);
        }
        match (&value.ctype.shape, &to.shape) {
            (_, Shape::Void) => Ok(wrap(value, CType::void(), offset)),
            (Shape::Integer(from), Shape::Integer(kind)) if from == kind => Ok(value),
            (Shape::Integer(_) | Shape::Pointer(_), Shape::Integer(IntegerType::Bool)) => {
                Ok(wrap(truth(value, offset), CType::integer(IntegerType::Bool), offset))
            }
            (Shape::Integer(_), Shape::Integer(kind)) => Ok(match value.as_constant() {
                Some(constant) => Expression::constant(convert(*kind, constant), to.unqualified(), offset),
                None => wrap(value, to.unqualified(), offset),
            }),
            (Shape::Integer(_), Shape::Pointer(_)) if value.is_null() => Ok(Expression::constant(0, to.unqualified(), offset)),
            (Shape::Integer(_), Shape::Pointer(_)) => self.pointer_of(value, to, offset),
            (Shape::Pointer(from), Shape::Pointer(target)) => {
                if !value.is_null() {
                    self.check_pointees(from, target, offset)?;
                    self.note_view(&value, from, target, offset)?;
                }
                if let ExpressionKind::Read(place) = &value.kind {
                    self.note_use(place, to);
                }
                let same = from.unqualified() == target.unqualified();
                Ok(if same || value.is_null() {
                    Expression { ctype: to.unqualified(), ..value }
                } else {
                    wrap(value, to.unqualified(), offset)
                })
            }
            (Shape::Pointer(_), Shape::Integer(kind)) => match constant_address(&value) {
                Some(address) => Ok(Expression::constant(convert(*kind, address), to.unqualified(), offset)),
                None => self.number_of(value, to, offset),
            },
            (Shape::Record(from), Shape::Record(target)) if from == target => Ok(value),
            _ => self.error(offset, "a conversion between types that do not go together"),
        }
    }
}

impl Elaborator<'_> {
    /// The number of a pointer (C11 6.3.2.3p6).
    fn number_of(&mut self, pointer: Expression, to: &CType, offset: usize) -> Outcome<Expression> {
        if self.undefined == Undefined::AnyValue {
            // Through a number such a function could reach what the pointer leads to.
            let message = "a pointer converted to an integer, in a program with functions that are not defined";
            return self.unsupported(offset, message);
        }
        if let Some(number) = number_inside(&pointer) {
            let number = self.convert(number.clone(), &CType::integer(IntegerType::U64), offset)?;
            return self.convert(number, to, offset);
        }
        self.approximate.insert(offset);
        Ok(wrap(pointer, to.unqualified(), offset))
    }

    /// The pointer of a number (C11 6.3.2.3p5): the one that the number was made of, or one that nothing is known of.
    pub(super) fn pointer_of(&mut self, number: Expression, to: &CType, offset: usize) -> Outcome<Expression> {
        if let Some(pointer) = pointer_inside(&number) {
            return self.convert(pointer.clone(), to, offset);
        }
        self.has_numbers = true;
        self.approximate.insert(offset);
        Ok(wrap(number, to.unqualified(), offset))
    }

    /// The place, if it is a `void *` in a struct that a pointer leads to, is given a pointer of this type, or is taken for one.
    pub(crate) fn note_use(&mut self, place: &Place, pointer: &CType) {
        if let (Shape::Pointer(held), Shape::Pointer(target), Base::Pointer(base)) = (&place.ctype.shape, &pointer.shape, &place.base)
            && let (true, Shape::Pointer(record)) = (held.is_void(), &base.ctype.shape)
            && let (Some(record), Some(target), Ok(offset)) = (record.as_record(), target.as_record(), u64::try_from(place.displacement))
        {
            self.records.note_use(record, offset, target);
        }
    }

    /// Refuses pointers to one type that become pointers to another, where the program form has one type for both and a compiler may rely on
    /// their objects being different (C11 6.5p7). A pointer to `void` or to characters may become any other.
    fn check_pointees(&mut self, from: &CType, to: &CType, offset: usize) -> Outcome<()> {
        if self.records.has_constant(from) && !self.records.has_constant(to) && !matches!(to.shape, Shape::Function(_)) {
            self.suspicions.without_const.insert(offset);
        }
        let (one, two) = (from.base_element(), to.base_element());
        let what = match (&one.shape, &two.shape) {
            // C11 6.7.3p6: nothing may be accessed through it.
            _ if self.records.has_volatile(from) && !self.records.has_volatile(to) => "a conversion that takes volatile away",
            // What is in it is the ABI's, and here something else.
            (Shape::Record(id), other) if Some(*id) == self.argument_list && *other != one.shape => {
                "a pointer to a va_list that becomes another"
            }
            (Shape::Integer(first), Shape::Integer(second)) if width(*first) == width(*second) && one.long_long != two.long_long => {
                "a pointer to long that becomes a pointer to long long, or the other way round"
            }
            (Shape::Pointer(first), Shape::Pointer(second)) if !first.is_void() && !second.is_void() && !may_alias(first, second) => {
                "a pointer to a pointer that becomes a pointer to a pointer to another type"
            }
            (Shape::Record(first), Shape::Record(second))
                if first != second && !self.records.begins_with(*first, two) && !self.records.begins_with(*second, one) =>
            {
                "a pointer to a struct that becomes a pointer to another struct"
            }
            _ => return Ok(()),
        };
        self.unsupported(offset, what)
    }
}

/// The expression whose type it is, if the name of a type is nothing but `__typeof__` of one.
fn operand_of_typeof(name: &ast::TypeName) -> Option<&Node<ast::Expression>> {
    let [specifier] = &name.specifiers[..] else { return None };
    let ast::SpecifierQualifier::TypeSpecifier(word) = &specifier.node else { return None };
    match &word.node {
        ast::TypeSpecifier::TypeOf(of) if name.declarator.is_none() => match &of.node {
            ast::TypeOf::Expression(expression) => Some(expression),
            ast::TypeOf::Type(_) => None,
        },
        _ => None,
    }
}

/// May pointers to these types have one type? Qualifiers do not count, but signs do: only for the integers themselves these are left open
/// (C11 6.5p7), not for pointers to them.
fn may_alias(one: &CType, two: &CType) -> bool {
    match (&one.shape, &two.shape) {
        (Shape::Integer(first), Shape::Integer(second)) => first == second && one.long_long == two.long_long,
        (Shape::Pointer(first), Shape::Pointer(second)) => first.is_void() || second.is_void() || may_alias(first, second),
        (Shape::Array(first, _), Shape::Array(second, _)) => may_alias(first, second),
        (Shape::Function(_), Shape::Function(_)) => true,
        (first, second) => first == second,
    }
}

/// 0 or 1 of type int: is the value different from zero or NULL?
fn truth(value: Expression, offset: usize) -> Expression {
    if let Some(constant) = value.as_constant() {
        return Expression::constant(i128::from(constant != 0), CType::int(), offset);
    }
    let logical =
        matches!(value.kind, ExpressionKind::Compare(..) | ExpressionKind::Not(_) | ExpressionKind::And(..) | ExpressionKind::Or(..));
    if logical || value.ctype.as_integer() == Some(IntegerType::Bool) {
        return value;
    }
    let zero = Expression::constant(0, value.ctype.clone(), offset);
    let kind = ExpressionKind::Compare(Comparison::NotEqual, Box::new(value), Box::new(zero));
    Expression::new(kind, CType::int(), offset)
}

/// A conversion that is written out; a chain of integer conversions that keep the value is one.
fn wrap(value: Expression, ctype: CType, offset: usize) -> Expression {
    if value.kind_is_constant() && ctype.as_integer().is_some() {
        return Expression { ctype, ..value };
    }
    match value.kind {
        ExpressionKind::Convert(inner) if keeps_value(&inner, &value.ctype, &ctype) => {
            Expression::new(ExpressionKind::Convert(inner), ctype, offset)
        }
        kind => Expression::new(ExpressionKind::Convert(Box::new(Expression { kind, ..value })), ctype, offset),
    }
}

/// May `(outer)(middle)inner` be written `(outer)inner`?
fn keeps_value(inner: &Expression, middle: &CType, outer: &CType) -> bool {
    match (inner.ctype.as_integer(), middle.as_integer(), outer.as_integer()) {
        (Some(inner), Some(middle), Some(outer)) => outer != IntegerType::Bool && includes(middle, inner) && inner != outer,
        _ => false,
    }
}

impl Expression {
    fn kind_is_constant(&self) -> bool {
        matches!(self.kind, ExpressionKind::Constant(0 | 1)) && !self.ctype.is_pointer()
    }
}

/// The address as a number where it is one: NULL, and members of a struct at NULL, as in hand-written offsetof.
fn constant_address(pointer: &Expression) -> Option<i128> {
    match &pointer.kind {
        ExpressionKind::Constant(value) => Some(*value),
        ExpressionKind::Convert(inner) if inner.ctype.is_pointer() => constant_address(inner),
        ExpressionKind::AddressOf(place) => match &place.base {
            Base::Pointer(base) => Some(constant_address(base)? + i128::from(place.displacement)),
            _ => None,
        },
        _ => None,
    }
}

/// What a number was made of, if it has all bits of a pointer.
fn pointer_inside(number: &Expression) -> Option<&Expression> {
    let ExpressionKind::Convert(inner) = &number.kind else { return None };
    let is_whole = number.ctype.as_integer().is_some_and(|kind| width(kind) == 64);
    if !is_whole {
        None
    } else if inner.ctype.is_pointer() {
        Some(inner)
    } else {
        pointer_inside(inner)
    }
}

/// The number that a pointer was made of.
fn number_inside(pointer: &Expression) -> Option<&Expression> {
    match &pointer.kind {
        ExpressionKind::Convert(inner) if inner.ctype.is_pointer() => number_inside(inner),
        ExpressionKind::Convert(inner) if inner.ctype.as_integer().is_some() => Some(inner),
        _ => None,
    }
}

fn size_constant(value: i128, offset: usize) -> Expression {
    Expression::constant(value, CType::integer(IntegerType::U64), offset)
}
