//! Library functions on elements of a type: `memcpy` of structs, `qsort`. Their models are read once per type, for which `__element` stands
//! (`models/elements/`). What is no call of this kind is left to the model that works on bytes.

use super::{Elaborator, Outcome, Request, Source, scope::Entity};
use crate::lower::{
    tree::{Expression, ExpressionKind},
    types::{CType, Parameters, Shape, convert, is_signed, maximum, width},
};
use goatherd_certificates::program::{IntegerType, Operation};

/// A number of elements as the models want it: `count * factor`, where more than `limit` counts wrap around as a number of bytes.
struct Number {
    count: Expression,
    factor: i128,
    limit: i128,
}

impl<'a> Elaborator<'a> {
    /// A call of a library function on elements of a known type. Nothing where the model of the function itself is to be called.
    pub(crate) fn on_elements(&mut self, name: &str, arguments: &[Expression], offset: usize) -> Outcome<Option<Expression>> {
        let helper = format!("__{name}_of_elements");
        if crate::models::of_elements(name).is_none() || !self.definitions.contains_key(helper.as_str()) {
            return Ok(None);
        }
        match (name, arguments) {
            ("memcpy" | "memmove" | "memcmp", [first, second, bytes]) => self.on_two_arrays(name, &helper, [first, second], bytes, offset),
            ("memset", [to, value, bytes]) => self.set_elements(&helper, to, value, bytes, offset),
            ("qsort", [base, count, size, compare]) => {
                let arguments = [base, count, compare].map(Clone::clone).to_vec();
                self.with_comparison(name, &helper, base, size, arguments, offset).map(Some)
            }
            ("bsearch", [key, base, count, size, compare]) => {
                let arguments = [key, base, count, compare].map(Clone::clone).to_vec();
                self.with_comparison(name, &helper, base, size, arguments, offset).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn on_two_arrays(
        &mut self,
        name: &str,
        helper: &str,
        arrays: [&Expression; 2],
        bytes: &Expression,
        offset: usize,
    ) -> Outcome<Option<Expression>> {
        let element = match arrays.map(|array| self.element_type(array)) {
            [Some(one), Some(two)] if is_alike(&one, &two) => one,
            [Some(one), None] if arrays[1].ctype.pointee().is_some_and(CType::is_void) => one,
            [None, Some(two)] if arrays[0].ctype.pointee().is_some_and(CType::is_void) => two,
            _ => return Ok(None),
        };
        // Of what has padding not all bytes are known, and the order of pointers is not.
        if name == "memcmp" && element.as_integer().is_none_or(|kind| kind == IntegerType::Bool) {
            return Ok(None);
        }
        let Some(number) = self.number(bytes, &element)? else { return Ok(None) };
        if name != "memcmp" {
            // The model of memmove reads a struct before it writes it, so that one alone is moved as C says.
            let is_one = number.factor == 1 && number.count.as_constant() == Some(1);
            if name != "memmove" || !is_one {
                self.note_copy(&element);
            }
            let is_same = arrays.map(|array| self.element_type(array)).iter().all(|other| other.as_ref() == Some(&element));
            if !is_same {
                self.note_hidden(&element);
            }
            if !is_same && element.is_pointer() {
                self.note_hidden_view();
            }
        }
        let [first, second] = arrays.map(Clone::clone);
        let value = self.call_on_elements(helper, element, vec![first, second], Some(number), offset)?;
        let result = if name == "memcmp" { CType::int() } else { CType::void().pointer_to() };
        self.convert(value, &result, offset).map(Some)
    }

    /// `memset`: all zeros for any type, and any byte for integers.
    fn set_elements(
        &mut self,
        helper: &str,
        to: &Expression,
        value: &Expression,
        bytes: &Expression,
        offset: usize,
    ) -> Outcome<Option<Expression>> {
        let Some(element) = self.element_type(to) else { return Ok(None) };
        let byte = self.convert(value.clone(), &CType::integer(IntegerType::U8), offset)?;
        let value = match (byte.as_constant(), element.as_integer()) {
            (Some(0), Some(_)) => Expression::constant(0, element.clone(), offset),
            (Some(0), None) if element.is_pointer() => Expression::constant(0, element.clone(), offset),
            (Some(0), None) => return self.zero_elements(to, &element, bytes, offset),
            (_, Some(kind)) if kind != IntegerType::Bool => {
                let wide = CType::integer(IntegerType::U64);
                let ones = Expression::constant(convert(IntegerType::U64, maximum(IntegerType::U64) / 255), wide.clone(), offset);
                let byte = self.convert(byte, &wide, offset)?;
                let kind = ExpressionKind::Binary(Operation::Multiply, Box::new(byte), Box::new(ones));
                self.convert(Expression::new(kind, wide, offset), &element, offset)?
            }
            _ => return Ok(None),
        };
        let Some(number) = self.number(bytes, &element)? else { return Ok(None) };
        let call = self.call_on_elements(helper, element, vec![to.clone(), value], Some(number), offset)?;
        self.convert(call, &CType::void().pointer_to(), offset).map(Some)
    }

    fn zero_elements(&mut self, to: &Expression, element: &CType, bytes: &Expression, offset: usize) -> Outcome<Option<Expression>> {
        let Some(number) = self.number(bytes, element)? else { return Ok(None) };
        let call = self.call_on_elements("__zero_of_elements", element.clone(), vec![to.clone()], Some(number), offset)?;
        self.convert(call, &CType::void().pointer_to(), offset).map(Some)
    }

    /// `qsort` and `bsearch`, whose size of elements has to be that of the array's type.
    fn with_comparison(
        &mut self,
        name: &str,
        helper: &str,
        base: &Expression,
        size: &Expression,
        arguments: Vec<Expression>,
        offset: usize,
    ) -> Outcome<Expression> {
        let byte = CType::integer(IntegerType::I8);
        let element = self.element_type(base).unwrap_or(byte);
        let size = size.as_constant();
        if size.is_none() || size != self.records.size(&element).map(i128::from) {
            return self.unsupported(offset, &format!("a '{name}' of elements whose size is not that of the array's type"));
        }
        self.call_on_elements(helper, element, arguments, None, offset)
    }

    /// `__builtin_add_overflow` and its like: the exact result, stored as far as it fits (GNU).
    pub(crate) fn checked_arithmetic(&mut self, name: &str, arguments: &[Expression], offset: usize) -> Outcome<Option<Expression>> {
        let Some(operation) = name.strip_prefix("__builtin_").and_then(|name| name.strip_suffix("_overflow")) else { return Ok(None) };
        let (true, [left, right, to]) = (matches!(operation, "add" | "sub" | "mul"), arguments) else { return Ok(None) };
        let stored = to.ctype.pointee().map(CType::unqualified);
        let kinds = [left, right].map(|operand| operand.ctype.as_integer());
        let (Some(element), [Some(first), Some(second)]) = (stored, kinds) else {
            return self.error(offset, "checked arithmetic on something that is no integer");
        };
        let Some(kind) = element.as_integer().filter(|kind| *kind != IntegerType::Bool) else {
            return self.error(offset, "checked arithmetic with a result that is no integer");
        };
        let is_positive = |operand: &Expression, kind| !is_signed(kind) || operand.as_constant().is_some_and(|value| value >= 0);
        let positive = is_positive(left, first) && is_positive(right, second);
        let long = |kind| kind != IntegerType::U64;
        let narrow = |kind| width(kind) <= 32;
        let helper = if positive && (kind == IntegerType::U64 || !(long(first) && long(second))) {
            if operation == "sub" && is_signed(kind) {
                return self.unsupported(offset, "checked arithmetic on operands of these types");
            }
            "unsigned"
        } else if long(first) && long(second) && (kind != IntegerType::U64 || narrow(first) && narrow(second)) {
            "signed"
        } else {
            return self.unsupported(offset, "checked arithmetic on operands of these types");
        };
        let helper = format!("__overflow_{operation}_{helper}");
        self.call_on_elements(&helper, element, arguments.to_vec(), None, offset).map(Some)
    }

    /// What the array that a pointer points to consists of. Nothing if that is bytes, or anything.
    fn element_type(&self, pointer: &Expression) -> Option<CType> {
        let element = pointer.ctype.pointee()?.base_element().unqualified();
        let is_bytes = element.as_integer().is_some_and(|kind| kind != IntegerType::Bool && width(kind) == 8);
        let is_object = element.is_scalar() || element.as_record().is_some_and(|id| self.records.get(id).members.is_some());
        (is_object && !is_bytes && self.records.leaves(&element).is_ok()).then_some(element)
    }

    /// A number of bytes as a number of elements: constants, and products with a constant, that are whole elements.
    fn number(&mut self, bytes: &Expression, element: &CType) -> Outcome<Option<Number>> {
        let ctype = CType::integer(IntegerType::U64);
        let bytes = self.convert(bytes.clone(), &ctype, bytes.offset)?;
        let Some(size) = self.records.size(element).filter(|size| *size > 0).map(i128::from) else { return Ok(None) };
        let whole = |bytes: i128| (bytes > 0 && bytes % size == 0).then_some(bytes / size);
        let greatest = maximum(IntegerType::U64);
        if let Some(constant) = bytes.as_constant() {
            let factor = if constant == 0 { Some(0) } else { whole(constant) };
            let count = Expression::constant(1, ctype, bytes.offset);
            return Ok(factor.map(|factor| Number { count, factor, limit: greatest }));
        }
        let ExpressionKind::Binary(Operation::Multiply, left, right) = bytes.kind else { return Ok(None) };
        let (constant, count) = match (left.as_constant(), right.as_constant()) {
            (_, Some(constant)) => (constant, left),
            (Some(constant), None) => (constant, right),
            (None, None) => return Ok(None),
        };
        Ok(whole(constant).map(|factor| Number { count: *count, factor, limit: greatest / constant }))
    }

    /// A call of the model for this type.
    fn call_on_elements(
        &mut self,
        helper: &str,
        element: CType,
        mut arguments: Vec<Expression>,
        number: Option<Number>,
        offset: usize,
    ) -> Outcome<Expression> {
        let Some(definition) = self.definitions.get(helper).copied() else {
            return self.unsupported(offset, "a library function on elements of this type");
        };
        if let Some(Number { count, factor, limit }) = number {
            let constant = |value| Expression::constant(value, CType::integer(IntegerType::U64), offset);
            arguments.extend([count, constant(factor), constant(limit)]);
        }
        let request = Request { source: Source::Definition(definition), element: Some(element) };
        let outside = self.scopes.leave_for_file(definition.span.start);
        self.scopes.open();
        self.name_element(&request);
        let base = self.specifiers(&definition.node.specifiers, definition.span.start, super::types::TagUse::WithOthers);
        let declared = base.and_then(|base| self.declarator(&definition.node.declarator, base.ctype));
        self.scopes.close();
        self.scopes.return_to(outside);
        let Shape::Function(signature) = declared?.ctype.shape else { return self.error(offset, "a model that is no function") };
        let Parameters::Exact(parameters) = &signature.parameters else { return self.error(offset, "a model without parameters") };
        let arguments = self.converted(arguments, parameters)?;
        let function = self.request(request);
        Ok(Expression::new(ExpressionKind::Call { function, arguments }, signature.result.unqualified(), offset))
    }

    /// Lets `__element` stand for the type that a model is read for.
    pub(crate) fn name_element(&mut self, request: &Request<'a>) {
        if let Some(element) = &request.element {
            self.scopes.declare("__element", Entity::Typedef(element.clone()), 0);
        }
    }
}

/// May elements of one type be copied as those of the other?
fn is_alike(one: &CType, two: &CType) -> bool {
    match (one.as_integer(), two.as_integer()) {
        (Some(first), Some(second)) => {
            width(first) == width(second) && one.long_long == two.long_long && (first == IntegerType::Bool) == (second == IntegerType::Bool)
        }
        _ => one.shape == two.shape || one.is_pointer() && two.is_pointer(),
    }
}
