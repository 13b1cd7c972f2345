//! Functions with a variable number of arguments (C11 7.16).
//!
//! The arguments behind the parameters lie in an object of the caller's, eight bytes for each that is no struct, as where the ABI passes arguments
//! in memory. The function has a pointer to it as one parameter more. A `va_list` is an array of one struct, as on x86-64, so that one that is
//! handed on moves for the caller, too; it holds a pointer to the next argument. So `va_arg(list, T)` is `*(T *)list->next++`: what is read as
//! another type than it was given as is an access of the wrong type, and to read more than there are is one outside the object. A struct comes
//! behind a number for its type, of a type that no other argument has, so that no members are read as arguments or the other way round.

use super::{
    Elaborator, Outcome,
    expressions::Designated,
    places::{is_repeatable, value_type},
};
use crate::lower::{
    tree::{Base, Builtin, Change, Comparison, Expression, ExpressionKind, Item, Place, ResultOf, VariableId},
    types::{ARGUMENT_LIST, CType, Member, Packing, RecordId, RecordKind, Shape, in_range, promote},
    undefined_behavior::UndefinedBehavior,
};
use goatherd_certificates::program::IntegerType;
use lang_c::{ast, span::Node};
use std::rc::Rc;

/// Bytes of an argument are a multiple of this.
const SLOT: u64 = 8;
/// What the number before a struct is: no argument has this type after promotion.
const MARK: IntegerType = IntegerType::I16;
/// Where the pointer to the next argument is in a `va_list`, beside members that nothing here uses, and how large that is.
const NEXT: u64 = 8;
const LIST_SIZE: u64 = 24;

impl<'a> Elaborator<'a> {
    /// `va_list`
    pub(super) fn argument_list(&mut self) -> CType {
        let id = self.argument_list.unwrap_or_else(|| self.declare_argument_list());
        self.argument_list = Some(id);
        CType::new(Shape::Array(Rc::new(CType::new(Shape::Record(id))), Some(1)))
    }

    fn declare_argument_list(&mut self) -> RecordId {
        let id = self.records.declare(ARGUMENT_LIST.to_owned(), RecordKind::Struct);
        let pointer = || CType::void().pointer_to();
        let [before, after] = [NEXT, LIST_SIZE - NEXT - SLOT].map(|bytes| usize::try_from(bytes / SLOT).unwrap_or(0));
        let types: Vec<CType> = (0..before + 1 + after).map(|_| pointer()).collect();
        self.complete_pack(id, &types);
        id
    }

    /// A struct of these, each in slots of its own.
    fn complete_pack(&mut self, id: RecordId, types: &[CType]) {
        let packing = Packing { alignment: SLOT, ..Packing::default() };
        let member = |(index, ctype): (usize, &CType)| Member {
            name: Some(index.to_string()),
            ctype: ctype.clone(),
            offset: 0,
            packing,
            bits: None,
        };
        // Its members have sizes, of which the sum fits: they are values.
        let _ = self.records.complete(id, types.iter().enumerate().map(member).collect(), Packing::default(), None);
    }

    /// The parameter of a function that stands for its `...`.
    pub(super) fn pack_parameter(&mut self, offset: usize) -> VariableId {
        let id = self.variable("...".to_owned(), CType::void().pointer_to(), offset);
        self.context.pack = Some(id);
        id
    }

    /// Arguments of which those behind the first `count` are one: a pointer to an object that has their values, or NULL where there are none.
    pub(super) fn with_pack(&mut self, mut arguments: Vec<Expression>, count: usize, offset: usize) -> Outcome<Vec<Expression>> {
        let mut values = Vec::new();
        for value in arguments.split_off(count) {
            values.push(self.default_promoted(value)?);
        }
        let pack = if values.is_empty() { Expression::constant(0, CType::void().pointer_to(), offset) } else { self.pack(values, offset)? };
        arguments.push(pack);
        Ok(arguments)
    }

    /// The default argument promotions (C11 6.5.2.2p6).
    pub(super) fn default_promoted(&mut self, value: Expression) -> Outcome<Expression> {
        match &value.ctype.shape {
            Shape::Integer(_) => self.promoted(value),
            Shape::Pointer(_) | Shape::Record(_) => Ok(value),
            Shape::Opaque(what) => self.unsupported(value.offset, what),
            _ => self.error(value.offset, "an argument that is no value"),
        }
    }

    /// A pointer to a new object with these values. Where all are of one type it is an array, so that a loop may walk through it.
    fn pack(&mut self, values: Vec<Expression>, offset: usize) -> Outcome<Expression> {
        if self.is_outside_functions() {
            return self.error(offset, "an initialiser that is not constant");
        }
        let is_alike = values.iter().all(|value| value.ctype.unqualified() == values[0].ctype.unqualified());
        let count = if is_alike { values.len() as u64 } else { 1 };
        let mut parts = Vec::new();
        for value in values {
            if let Some(mark) = self.mark_of(&value.ctype, value.offset)? {
                parts.push(mark);
            }
            parts.push(value);
        }
        let types: Vec<CType> = parts.iter().map(|part| part.ctype.unqualified()).collect();
        let id = self.records.declare("arguments".to_owned(), RecordKind::Struct);
        self.complete_pack(id, if is_alike { &types[..types.len() / usize::try_from(count).unwrap_or(1)] } else { &types });
        let record = CType::new(Shape::Record(id));
        self.check_object(&record, offset)?;
        let mut offsets = Vec::new();
        let mut end = 0;
        for ctype in &types {
            offsets.push(end);
            end += self.records.size(ctype).unwrap_or(0).next_multiple_of(SLOT);
        }
        let ctype = CType::new(Shape::Array(Rc::new(record), Some(count)));
        let variable = self.variable("arguments".to_owned(), ctype.clone(), offset);
        let items = offsets.into_iter().zip(parts).map(|(at, value)| Item::new(at, value)).collect();
        let place = Place { base: Base::Literal(variable, items), displacement: 0, ctype, offset };
        self.address(place, CType::void().pointer_to())
    }

    /// `va_start`, `va_end` and `va_copy`.
    pub(super) fn list_operation(&mut self, name: &str, arguments: &'a [Node<ast::Expression>], offset: usize) -> Outcome<Expression> {
        let (list, value) = match (name, arguments) {
            ("__builtin_va_start", [list, _]) => {
                let Some(pack) = self.context.pack else {
                    return self.error(offset, "'va_start' in a function without a variable number of arguments");
                };
                (self.own_list(list)?, self.value_of(pack, offset))
            }
            ("__builtin_va_copy", [target, source]) => {
                let source = self.next_of(source)?;
                let ctype = value_type(&source.ctype);
                (self.own_list(target)?, Expression::new(ExpressionKind::Read(Box::new(source)), ctype, offset))
            }
            // From then on there is no next argument (C11 7.16.1.3p2).
            ("__builtin_va_end", [list]) => (self.next_of(list)?, Expression::constant(0, CType::void().pointer_to(), offset)),
            _ => return self.error(offset, &format!("'{name}' with another number of arguments")),
        };
        let ctype = value.ctype.clone();
        let assignment = Expression::new(ExpressionKind::Assign { place: Box::new(list), value: Box::new(value) }, ctype, offset);
        self.convert(assignment, &CType::void(), offset)
    }

    /// The pointer to the next argument of a list that is a variable of the function that begins it, so that none outlives the arguments.
    fn own_list(&mut self, node: &'a Node<ast::Expression>) -> Outcome<Place> {
        let next = self.next_of(node)?;
        let list = self.argument_list();
        let is_own = |place: &Place| matches!(place.base, Base::Variable(id) if self.context.variables[id].ctype.shape == list.shape);
        match &next.base {
            Base::Pointer(pointer) if matches!(&pointer.kind, ExpressionKind::AddressOf(place) if is_own(place)) => Ok(next),
            _ => self.unsupported(node.span.start, "a va_list that begins and is no variable of the function"),
        }
    }

    /// The pointer to the next argument of a list.
    fn next_of(&mut self, node: &'a Node<ast::Expression>) -> Outcome<Place> {
        let list = self.rvalue(node)?;
        if list.ctype.pointee().and_then(CType::as_record).is_none_or(|id| Some(id) != self.argument_list) {
            return self.error(node.span.start, "something else than a va_list");
        }
        let place = self.dereference(list, node.span.start)?;
        self.part(place, i128::from(NEXT), CType::void().pointer_to(), node.span.start)
    }

    /// `va_arg(list, T)`
    pub(super) fn next_argument(&mut self, node: &'a ast::VaArgExpression, offset: usize) -> Outcome<Designated> {
        let ctype = self.type_name(&node.type_name)?.unqualified();
        if ctype.as_integer().is_some_and(|kind| promote(kind) != kind) || ctype.is_array() {
            return self.error(offset, "an argument of a type that no argument has");
        }
        self.check_object(&ctype, offset)?;
        self.note_hidden(&ctype);
        if ctype.pointee().is_some_and(|target| self.is_aligned(target)) {
            self.note_hidden_view();
        }
        let next = self.next_of(&node.va_list)?;
        let Some(mark) = self.mark_of(&ctype, offset)? else {
            let place = self.next_as(self.step(next, &ctype, offset), &ctype)?;
            return self.read(place).map(Designated::Value);
        };
        if !is_steady(&next) {
            return self.unsupported(offset, "a struct as an argument from a va_list that is more than a value");
        }
        // A struct of another type is none that this reads (C11 7.16.1.1p2).
        let current = |next: &Place| Expression::new(ExpressionKind::Read(Box::new(next.clone())), CType::void().pointer_to(), offset);
        let place = self.next_as(current(&next), &mark.ctype)?;
        let compare = ExpressionKind::Compare(Comparison::Equal, Box::new(self.read(place)?), Box::new(mark.clone()));
        let zero = || Box::new(Expression::constant(0, CType::int(), offset));
        let fail = Expression::new(ExpressionKind::Builtin(Builtin::Undefined(UndefinedBehavior::VariadicArgument)), CType::void(), offset);
        let failing = Expression::new(ExpressionKind::Comma(Box::new(fail), zero()), CType::int(), offset);
        let is_same = Box::new(Expression::new(compare, CType::int(), offset));
        let check = Expression::new(ExpressionKind::Conditional(is_same, zero(), Box::new(failing)), CType::int(), offset);
        // Its members are read when the pointer has moved.
        let bytes = i128::from(self.records.size(&ctype).unwrap_or(0).next_multiple_of(SLOT));
        let place = self.next_as(current(&next), &ctype)?;
        let place = self.part(place, -bytes, ctype.clone(), offset)?;
        let mut value = self.read(place)?;
        for step in [self.step(next.clone(), &ctype, offset), self.step(next, &mark.ctype, offset), check] {
            let step = self.convert(step, &CType::void(), offset)?;
            let ctype = value.ctype.clone();
            value = Expression::new(ExpressionKind::Comma(Box::new(step), Box::new(value)), ctype, offset);
        }
        Ok(Designated::Value(value))
    }

    /// What comes before an argument of this type: for a struct, a number that no other has.
    fn mark_of(&mut self, ctype: &CType, offset: usize) -> Outcome<Option<Expression>> {
        let Some(id) = ctype.as_record() else { return Ok(None) };
        match id.number() {
            number if in_range(MARK, number) => Ok(Some(Expression::constant(number, CType::integer(MARK), offset))),
            _ => self.unsupported(offset, "so many types of structs"),
        }
    }

    /// Moves the pointer to the next argument; what it was.
    fn step(&self, next: Place, ctype: &CType, offset: usize) -> Expression {
        let bytes = self.records.size(ctype).unwrap_or(0).next_multiple_of(SLOT);
        let (index, scale) = (Expression::constant(1, CType::int(), offset), i64::try_from(bytes).unwrap_or(i64::MAX));
        let change = Change::Pointer { index: Box::new(index), scale };
        let step = ExpressionKind::Update { place: Box::new(next), change, result: ResultOf::Before };
        Expression::new(step, CType::void().pointer_to(), offset)
    }

    /// What a pointer to an argument points to, of this type.
    fn next_as(&mut self, pointer: Expression, ctype: &CType) -> Outcome<Place> {
        let offset = pointer.offset;
        let pointer = self.convert(pointer, &ctype.clone().pointer_to(), offset)?;
        self.dereference(pointer, offset)
    }
}

/// Can the place be found twice, since that changes nothing?
fn is_steady(place: &Place) -> bool {
    match &place.base {
        Base::Variable(_) | Base::Global(_) => true,
        Base::Pointer(pointer) => match &pointer.kind {
            ExpressionKind::AddressOf(inner) => is_steady(inner),
            _ => is_repeatable(pointer),
        },
        Base::Value(_) | Base::Literal(..) => false,
    }
}
