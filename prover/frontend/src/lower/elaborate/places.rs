//! Objects and parts of objects: variables, members, elements, what pointers point to (C11 6.3.2.1, 6.5.2, 6.5.3.2).

use super::{Elaborator, Outcome, expressions::Designated};
use crate::lower::{
    tree::{Base, Expression, ExpressionKind, Place},
    types::{CType, Shape},
};
use lang_c::{ast, span::Node};

/// Elements of an array inside a struct among which an index may choose.
const ELEMENT_LIMIT: u64 = 64;

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
        if place.ctype.volatile {
            return self.unsupported(offset, "an access to a volatile object");
        }
        if place.ctype.is_void() {
            return Ok(Expression::new(ExpressionKind::Read(Box::new(place)), CType::void(), offset));
        }
        if let Some(value) = self.constant_value(&place) {
            return Ok(Expression::constant(value, place.ctype.unqualified(), offset));
        }
        let ctype = place.ctype.unqualified();
        Ok(Expression::new(ExpressionKind::Read(Box::new(place)), ctype, offset))
    }

    /// The value of a constant global integer, or of an element of a constant table: programs may not change it (C11 6.7.3p6).
    fn constant_value(&self, place: &Place) -> Option<i128> {
        let Base::Global(id) = place.base else { return None };
        if !place.ctype.constant || place.ctype.as_integer().is_none() {
            return None;
        }
        let size = i128::from(self.records.size(self.global_type(id))?);
        if place.displacement < 0 || i128::from(place.displacement) >= size {
            return None;
        }
        let item = self.global_item(id).initial.iter().find(|item| i128::from(item.offset) == i128::from(place.displacement));
        match item {
            Some(item) => item.value.as_constant(),
            None => Some(0),
        }
    }

    /// A pointer of this type to the place.
    pub(crate) fn address(&mut self, place: Place, pointer: CType) -> Outcome<Expression> {
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
            ExpressionKind::Advance { base, index, scale } if index.as_constant().is_some() => {
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
        ctype.constant |= place.ctype.constant;
        ctype.volatile |= place.ctype.volatile;
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

    /// `a[i]`.
    pub(crate) fn index(&mut self, node: &'a Node<ast::BinaryOperatorExpression>) -> Outcome<Designated> {
        let offset = node.span.start;
        let array = self.designated(&node.node.lhs)?;
        let index = self.rvalue(&node.node.rhs)?;
        if let Designated::Place(place) = &array
            && let Shape::Array(element, length) = &place.ctype.shape
        {
            let size = self.records.size(element).map_or(0, i128::from);
            match index.as_constant() {
                Some(value) if value >= 0 && length.is_none_or(|length| value < i128::from(length)) => {
                    let element = (**element).clone();
                    return Ok(Designated::Place(self.part(place.clone(), value.saturating_mul(size), element, offset)?));
                }
                None if matches!(node.node.lhs.node, ast::Expression::Member(_)) => {
                    let (element, length) = ((**element).clone(), *length);
                    let pointer = self.element(place.clone(), element, length, index, offset)?;
                    return Ok(Designated::Place(self.dereference(pointer, offset)?));
                }
                _ => {}
            }
        }
        let array = self.value(array)?;
        let (pointer, index) = if array.ctype.is_pointer() { (array, index) } else { (index, array) };
        let pointer = self.advance(pointer, index, 1, offset)?;
        Ok(Designated::Place(self.dereference(pointer, offset)?))
    }

    /// A pointer to the element of an array inside a struct at an index that is not constant.
    fn element(&mut self, array: Place, element: CType, length: Option<u64>, index: Expression, offset: usize) -> Outcome<Expression> {
        let Some(count) = length.filter(|length| *length <= ELEMENT_LIMIT) else {
            let what = format!("an array of more than {ELEMENT_LIMIT} elements inside a struct with an index that is not constant");
            return self.unsupported(offset, &what);
        };
        if index.ctype.as_integer().is_none() {
            return self.error(offset, "an index that is no integer");
        }
        let ctype = element.pointer_to();
        let scale = self.scale(&ctype, offset)?;
        let first = self.address(array, ctype.clone())?;
        let kind = ExpressionKind::Element { first: Box::new(first), index: Box::new(index), scale, count };
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
        let kind = ExpressionKind::Advance { base: Box::new(pointer), index: Box::new(index), scale: direction * scale };
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
        if place.ctype.volatile {
            return self.unsupported(place.offset, "an access to a volatile object");
        }
        match &place.ctype.shape {
            Shape::Opaque(what) => return self.unsupported(place.offset, what),
            Shape::Array(..) => return self.error(place.offset, "an assignment to an array"),
            Shape::Integer(_) | Shape::Pointer(_) | Shape::Record(_) => {}
            Shape::Void | Shape::Function(_) => return self.error(place.offset, "an assignment to something that is no object"),
        }
        if place.ctype.constant {
            return self.error(place.offset, "an assignment to a constant object");
        }
        match &place.base {
            Base::Variable(id) => self.context.variables[*id].assigned = true,
            Base::Value(_) => return self.error(place.offset, "an assignment to a value"),
            Base::Literal(..) => return self.unsupported(place.offset, "an assignment to a compound literal"),
            Base::Global(_) | Base::Pointer(_) => {}
        }
        Ok(place)
    }
}
