//! Objects and parts of objects: variables, members, elements, what pointers point to (C11 6.3.2.1, 6.5.2, 6.5.3.2).

use super::{
    Elaborator, Outcome,
    expressions::Designated,
    types::{Qualifiers, qualify_type},
};
use crate::lower::{
    assumptions::Assumption,
    tree::{Base, Expression, ExpressionKind, Place, Within},
    types::{CType, Padding, Shape, convert, width},
};
use lang_c::{ast, span::Node};

/// Elements of an array inside a struct among which an index may choose.
const ELEMENT_LIMIT: u64 = 1024;

/// What `a[i]` is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reached {
    Element,
    /// Only where it would be.
    Address,
}

impl<'a> Elaborator<'a> {
    /// The value of an object; an array becomes a pointer to its first element (C11 6.3.2.1p2-3).
    pub(crate) fn read(&mut self, place: Place) -> Outcome<Expression> {
        let offset = place.offset;
        if let Shape::Array(element, _) = &place.ctype.shape {
            let pointer = CType::new(Shape::Pointer(element.clone()));
            return self.address(place, pointer);
        }
        if let Shape::Opaque(what) = place.ctype.shape {
            return self.unsupported(offset, what);
        }
        if self.records.has_volatile(&place.ctype) {
            return self.volatile_value(place);
        }
        self.note_whole(&place)?;
        if place.ctype.is_record() && place.ctype.as_record() == self.argument_list {
            return self.unsupported(offset, "what is inside a va_list");
        }
        if place.ctype.is_void() {
            return Ok(Expression::new(ExpressionKind::Read(Box::new(place)), CType::void(), offset));
        }
        if let Some(bits) = place.ctype.bits_of_number() {
            return self.number_held(place, bits);
        }
        if let Some(value) = self.constant_value(&place) {
            return Ok(Expression::constant(value, place.ctype.unqualified(), offset));
        }
        let ctype = value_type(&place.ctype);
        Ok(Expression::new(ExpressionKind::Read(Box::new(place)), ctype, offset))
    }

    /// A struct that lies in bytes is read or written as a whole.
    fn note_whole(&mut self, place: &Place) -> Outcome<()> {
        let Some(id) = place.ctype.as_record().filter(|_| place.ctype.in_bytes) else { return Ok(()) };
        if let Err(what) = self.records.leaves_in_bytes(&place.ctype.unqualified()) {
            return self.unsupported(place.offset, what);
        }
        self.records.note_bytes(id);
        Ok(())
    }

    /// The value of a volatile integer: an access, and any value ([`crate::lower::emit`]).
    fn volatile_value(&mut self, place: Place) -> Outcome<Expression> {
        self.check_volatile(&place, place.offset)?;
        let ctype = place.ctype.unqualified();
        let offset = place.offset;
        Ok(Expression::new(ExpressionKind::Read(Box::new(place)), ctype, offset))
    }

    /// Refuses to look at a volatile object that is no integer. What is seen in others is any value, where C may have one.
    pub(crate) fn check_volatile(&mut self, place: &Place, offset: usize) -> Outcome<()> {
        if place.ctype.as_integer().is_none() || place.ctype.bits.is_some() {
            return self.unsupported(offset, "the value of a volatile object that is no integer, or of a bit-field");
        }
        self.approximate.insert(offset);
        Ok(())
    }

    /// The value of a constant global integer, or of an element of a constant table: programs may not change it (C11 6.7.3p6).
    fn constant_value(&self, place: &Place) -> Option<i128> {
        let Base::Global(id) = place.base else { return None };
        let kind = place.ctype.as_integer().filter(|_| place.ctype.constant && place.ctype.bits.is_none())?;
        // A constant member of a union that can be written has what another member was given.
        let whole = self.global_type(id);
        if !whole.constant && !whole.base_element().constant {
            return None;
        }
        let size = i128::from(self.records.size(self.global_type(id))?);
        if place.displacement < 0 || i128::from(place.displacement) >= size {
            return None;
        }
        let item = self.global_item(id).initial.iter().find(|item| i128::from(item.offset) == i128::from(place.displacement));
        match item {
            // What was initialised may be another member of a union, of the other sign (C11 6.5.2.3p3).
            Some(item) => item.value.as_constant().map(|value| convert(kind, value)),
            None => Some(0),
        }
    }

    /// Refuses a pointer to a part of a packed struct that is not aligned for its type (C11 6.3.2.3p7).
    pub(crate) fn check_alignment(&mut self, designated: &Designated, node: &'a Node<ast::Expression>) -> Outcome<()> {
        let Designated::Place(place) = designated else { return Ok(()) };
        let natural = self.records.alignment(&place.ctype).unwrap_or(1);
        if natural > 1 && self.in_packed(node)? {
            return self.unsupported(node.span.start, "a pointer to a member of a packed struct");
        }
        Ok(())
    }

    /// Does the part lie in a struct that is aligned less than one of its members wants to be?
    fn in_packed(&mut self, node: &'a Node<ast::Expression>) -> Outcome<bool> {
        let mut node = node;
        loop {
            node = match &node.node {
                ast::Expression::Member(member) => {
                    let outer = self.type_of(&member.node.expression)?;
                    let record = outer.pointee().unwrap_or(&outer).as_record();
                    if record.is_some_and(|id| self.records.is_packed(id)) {
                        return Ok(true);
                    }
                    if member.node.operator.node == ast::MemberOperator::Indirect {
                        return Ok(false);
                    }
                    &member.node.expression
                }
                ast::Expression::BinaryOperator(index) if index.node.operator.node == ast::BinaryOperator::Index => {
                    let sides = [&index.node.lhs, &index.node.rhs];
                    let mut array = None;
                    for side in sides {
                        array = if self.type_of(side)?.is_array() { Some(side) } else { array };
                    }
                    let Some(array) = array else { return Ok(false) };
                    array
                }
                _ => return Ok(false),
            };
        }
    }

    /// A pointer of this type to the place.
    pub(crate) fn address(&mut self, place: Place, pointer: CType) -> Outcome<Expression> {
        let is_byte = |ctype: &CType| ctype.as_integer().is_some_and(|kind| width(kind) == 8);
        if place.ctype.bits_of_number().is_some() {
            return self.unsupported(place.offset, "a pointer to an integer that overlaps a pointer in a union");
        }
        if place.ctype.bits.is_some() {
            return self.unsupported(place.offset, "a pointer to a bit-field, or to a part of a union that is made of bytes");
        }
        if place.ctype.in_bytes && !is_byte(place.ctype.base_element()) {
            return self.unsupported(place.offset, "a pointer to a part of a union that is made of bytes");
        }
        if self.records.has_constant(&place.ctype) && !matches!(place.base, Base::Value(_)) && !self.is_read_only(&place) {
            self.suspicions.constants.insert(place.offset);
        }
        if self.records.has_volatile(&place.ctype) {
            self.suspicions.volatiles.insert(place.offset);
        }
        match &place.base {
            Base::Variable(id) | Base::Literal(id, _) => self.context.variables[*id].addressed = true,
            Base::Global(id) => self.address_global(*id),
            Base::Value(_) => return self.unsupported(place.offset, "the address of an array in a struct that is a value"),
            Base::Pointer(inner) if place.displacement == 0 => {
                let inner = (**inner).clone();
                return Ok(Expression { ctype: pointer, ..inner });
            }
            Base::Pointer(_) => {}
        }
        let offset = place.offset;
        Ok(Expression::new(ExpressionKind::AddressOf(Box::new(place)), pointer, offset))
    }

    /// What a pointer points to.
    pub(crate) fn dereference(&mut self, pointer: Expression, offset: usize) -> Outcome<Place> {
        let Some(ctype) = pointer.ctype.pointee().cloned() else {
            return self.error(offset, "an indirection through something that is no pointer");
        };
        if matches!(ctype.shape, Shape::Function(_)) {
            return self.unsupported(offset, "a call through a function pointer");
        }
        match pointer.kind {
            // Of a pointer formed from a place of this type, and of one moved by a constant, only the place remains.
            ExpressionKind::AddressOf(place) if self.same_type(&place.ctype, &ctype) => Ok(Place { offset, ..*place }),
            ExpressionKind::Advance { base, index, scale, within: None } if index.as_constant().is_some() => {
                let steps = index.as_constant().and_then(|value| i64::try_from(value).ok());
                let Some(displacement) = steps.and_then(|steps| steps.checked_mul(scale)) else {
                    return self.unsupported(offset, "a constant index that is too large");
                };
                Ok(Place { base: Base::Pointer(base), displacement, ctype, offset })
            }
            kind => {
                let base = Base::Pointer(Box::new(Expression { kind, ..pointer }));
                Ok(Place { base, displacement: 0, ctype, offset })
            }
        }
    }

    fn same_type(&self, left: &CType, right: &CType) -> bool {
        left.unqualified() == right.unqualified() && self.records.size(left).is_some()
    }

    /// `a.m` and `a->m`.
    pub(crate) fn member(&mut self, node: &'a Node<ast::MemberExpression>) -> Outcome<Designated> {
        let name = &node.node.identifier.node.name;
        let place = match node.node.operator.node {
            ast::MemberOperator::Indirect => {
                let pointer = self.rvalue(&node.node.expression)?;
                self.dereference(pointer, node.span.start)?
            }
            ast::MemberOperator::Direct => match self.designated(&node.node.expression)? {
                Designated::Place(place) => place,
                Designated::Value(value) => {
                    let (ctype, offset) = (value.ctype.clone(), value.offset);
                    Place { base: Base::Value(Box::new(value)), displacement: 0, ctype, offset }
                }
                Designated::Function(..) => return self.error(node.span.start, "a member of a function"),
            },
        };
        let at = node.node.identifier.span.start;
        let Shape::Record(id) = place.ctype.shape else {
            return self.error(at, &format!("a member '{name}' of something that is no struct"));
        };
        if let Some(problem) = self.records.get(id).problem {
            return self.unsupported(at, problem);
        }
        let Some((mut ctype, offset)) = self.records.member(id, name) else {
            return self.error(at, &format!("'{}' has no member '{name}'", self.records.get(id).name));
        };
        ctype = self.records.part_type(&place.ctype, &ctype);
        self.note_member(id, &ctype);
        if self.records.get(id).padding == Padding::Shared {
            self.assumptions.insert(Assumption::Padding);
            if ctype.is_record() && !self.records.is_full(&ctype) {
                self.padded.insert(node.span.start);
            }
        }
        // Of an array that is a member, the elements are qualified as the struct is (C11 6.5.2.3p3, 6.7.3p9).
        let CType { constant, volatile, .. } = place.ctype;
        qualify_type(&mut ctype, Qualifiers { constant, volatile, atomic: false });
        let place = self.part(place, i128::from(offset), ctype, node.span.start)?;
        Ok(Designated::Place(place))
    }

    /// The part of a place that begins some bytes further.
    pub(crate) fn part(&mut self, place: Place, bytes: i128, ctype: CType, offset: usize) -> Outcome<Place> {
        match i64::try_from(i128::from(place.displacement) + bytes) {
            Ok(displacement) => Ok(Place { displacement, ctype, offset, ..place }),
            Err(_) => self.unsupported(offset, "a constant index that is too large"),
        }
    }

    /// Does a write to the place fail, since its object is one of constants? What a pointer points to is known where it was formed.
    fn is_read_only(&self, place: &Place) -> bool {
        match &place.base {
            Base::Global(id) => self.global_item(*id).is_read_only(),
            // A member that is itself const can lie in any object.
            Base::Pointer(pointer) => pointer.ctype.pointee().is_none_or(|target| self.records.has_constant(target) && target.constant),
            Base::Variable(_) | Base::Literal(..) | Base::Value(_) => false,
        }
    }

    /// `a[i]`, or `i[a]`, which is the same (C11 6.5.2.1p2).
    pub(crate) fn index(&mut self, node: &'a Node<ast::BinaryOperatorExpression>, reached: Reached) -> Outcome<Designated> {
        let offset = node.span.start;
        let (first, second) = (self.designated(&node.node.lhs)?, self.designated(&node.node.rhs)?);
        let is_array = |designated: &Designated| matches!(designated, Designated::Place(place) if place.ctype.is_array());
        let (syntax, array, index) = if is_array(&second) {
            (&node.node.rhs.node, second, self.value(first)?)
        } else {
            (&node.node.lhs.node, first, self.value(second)?)
        };
        let within = self.within(syntax, &array, &index, reached);
        if let Designated::Place(place) = &array
            && let Shape::Array(element, length) = &place.ctype.shape
        {
            let size = self.records.size(element).map_or(0, i128::from);
            match index.as_constant() {
                Some(value) if within.is_none() && value >= 0 && length.is_none_or(|length| value < i128::from(length)) => {
                    let element = self.records.part_type(&place.ctype, element);
                    return Ok(Designated::Place(self.part(place.clone(), value.saturating_mul(size), element, offset)?));
                }
                None if length.is_some() && matches!(syntax, ast::Expression::Member(_)) => {
                    let pointer = self.element(place.clone(), index, within, offset)?;
                    return Ok(Designated::Place(self.dereference(pointer, offset)?));
                }
                _ => {}
            }
        }
        let array = self.value(array)?;
        let (pointer, index) = if array.ctype.is_pointer() { (array, index) } else { (index, array) };
        let pointer = if within.is_some() {
            let (ctype, scale) = (pointer.ctype.clone(), self.scale(&pointer.ctype, offset)?);
            let kind = ExpressionKind::Advance { base: Box::new(pointer), index: Box::new(index), scale, within };
            Expression::new(kind, ctype, offset)
        } else {
            self.advance(pointer, index, 1, offset)?
        };
        Ok(Designated::Place(self.dereference(pointer, offset)?))
    }

    /// Which indices the array has, if it is part of another object and others fail (C11 6.5.6p8, J.2). The last member of a struct behind a pointer may
    /// have more elements than it says, as compilers agree.
    fn within(&self, syntax: &ast::Expression, array: &Designated, index: &Expression, reached: Reached) -> Option<Within> {
        let Designated::Place(place) = array else { return None };
        let Shape::Array(element, Some(count)) = &place.ctype.shape else { return None };
        self.records.size(element)?;
        // `m[i]` and `*p` may be parts of an array of arrays.
        let is_row = matches!(syntax, ast::Expression::BinaryOperator(_) | ast::Expression::UnaryOperator(_));
        let is_member = matches!(syntax, ast::Expression::Member(_)) && !self.is_last(place);
        let count = count.saturating_add(u64::from(reached == Reached::Address));
        let is_inside = |value: i128| 0 <= value && value < i128::from(count);
        let is_part = is_row || is_member;
        (is_part && index.ctype.as_integer().is_some() && !index.as_constant().is_some_and(is_inside)).then_some(Within(count))
    }

    /// Does no member of the struct behind a pointer lie behind the place?
    fn is_last(&self, place: &Place) -> bool {
        let Base::Pointer(pointer) = &place.base else { return false };
        let last = pointer.ctype.pointee().and_then(|target| self.records.end_of_members(target)).map(i128::from);
        let end = self.records.size(&place.ctype).map(|size| i128::from(size) + i128::from(place.displacement));
        matches!((last, end), (Some(last), Some(end)) if end >= last)
    }

    /// A pointer to the element of an array inside a struct at an index that is not constant.
    fn element(&mut self, array: Place, index: Expression, within: Option<Within>, offset: usize) -> Outcome<Expression> {
        let Shape::Array(element, length) = &array.ctype.shape else { return self.error(offset, "an index of something that is no array") };
        let Some(count) = length.filter(|length| *length <= ELEMENT_LIMIT) else {
            let what = format!("an array of more than {ELEMENT_LIMIT} elements inside a struct with an index that is not constant");
            return self.unsupported(offset, &what);
        };
        if index.ctype.as_integer().is_none() {
            return self.error(offset, "an index that is no integer");
        }
        let ctype = CType::clone(element).pointer_to();
        let scale = self.scale(&ctype, offset)?;
        let first = self.address(array, ctype.clone())?;
        let kind = ExpressionKind::Element { first: Box::new(first), index: Box::new(index), scale, count, within };
        Ok(Expression::new(kind, ctype, offset))
    }

    /// `pointer + direction * index` (C11 6.5.6p8).
    pub(crate) fn advance(&mut self, pointer: Expression, index: Expression, direction: i64, offset: usize) -> Outcome<Expression> {
        let ctype = pointer.ctype.clone();
        let scale = self.scale(&ctype, offset)?;
        if index.ctype.as_integer().is_none() {
            return self.error(offset, "pointer arithmetic with something that is no integer");
        }
        if index.as_constant() == Some(0) {
            return Ok(pointer);
        }
        let kind = ExpressionKind::Advance { base: Box::new(pointer), index: Box::new(index), scale: direction * scale, within: None };
        Ok(Expression::new(kind, ctype, offset))
    }

    /// The size of what a pointer points to, for arithmetic.
    pub(crate) fn scale(&mut self, pointer: &CType, offset: usize) -> Outcome<i64> {
        let Some(target) = pointer.pointee() else { return self.error(offset, "arithmetic on something that is no pointer") };
        match self.records.size(target).and_then(|size| i64::try_from(size).ok()) {
            Some(size) if size > 0 => Ok(size),
            _ => self.unsupported(offset, "arithmetic on a pointer to an incomplete type"),
        }
    }

    /// A place that may be written.
    pub(crate) fn writable(&mut self, node: &'a Node<ast::Expression>) -> Outcome<Place> {
        let Designated::Place(place) = self.designated(node)? else {
            return self.error(node.span.start, "an assignment to something that is no object");
        };
        self.note_whole(&place)?;
        // Compilers copy padding as well, which other members may have.
        let is_padded = place.ctype.in_bytes && place.ctype.is_record() && !self.records.is_full(&place.ctype);
        if is_padded || place.ctype.is_record() && self.padded.contains(&place.offset) {
            return self.unsupported(place.offset, "an assignment to a struct in a union as a whole, where the struct has padding");
        }
        match &place.ctype.shape {
            Shape::Opaque(what) => return self.unsupported(place.offset, what),
            Shape::Array(..) => return self.error(place.offset, "an assignment to an array"),
            Shape::Integer(_) | Shape::Pointer(_) | Shape::Record(_) => {}
            Shape::Void | Shape::Function(_) => return self.error(place.offset, "an assignment to something that is no object"),
        }
        if self.records.has_constant(&place.ctype) {
            return self.error(place.offset, "an assignment to a constant object");
        }
        match &place.base {
            Base::Variable(id) => self.context.variables[*id].assigned = true,
            Base::Value(_) => return self.error(place.offset, "an assignment to a value"),
            Base::Literal(..) => return self.unsupported(place.offset, "an assignment to a compound literal"),
            Base::Global(id) => {
                self.suspicions.assigned.insert(*id);
            }
            Base::Pointer(_) => {}
        }
        Ok(place)
    }
}

/// The type of the value that a place holds (C11 6.3.2.1p2), of a bit-field promoted (6.3.1.1p2).
pub(crate) fn value_type(place: &CType) -> CType {
    match (place.bits, place.as_integer()) {
        (Some(bits), Some(kind)) if bits.value_kind(kind) != kind => CType::integer(bits.value_kind(kind)),
        _ => place.unqualified(),
    }
}

/// Can it be evaluated twice, since it changes nothing?
pub(crate) fn is_repeatable(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Constant(_) => true,
        // Of a volatile object another value may be read.
        ExpressionKind::Read(place) if place.ctype.volatile => false,
        ExpressionKind::Read(place) => match &place.base {
            Base::Variable(_) | Base::Global(_) => true,
            Base::Pointer(pointer) => is_repeatable(pointer),
            Base::Value(_) | Base::Literal(..) => false,
        },
        ExpressionKind::Convert(inner) => is_repeatable(inner),
        ExpressionKind::Binary(_, left, right) => is_repeatable(left) && is_repeatable(right),
        ExpressionKind::Advance { base, index, .. } => is_repeatable(base) && is_repeatable(index),
        _ => false,
    }
}
