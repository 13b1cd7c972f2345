//! Initialisers of objects (C11 6.7.9).

use super::{
    Elaborator, Outcome,
    expressions::Designated,
    literals,
    places::is_repeatable,
    unions::{Chosen, Parts},
};
use crate::{
    lower::{
        tree::{Base, Expression, ExpressionKind, Item, Place},
        types::{Bits, CType, Member, RecordKind, Shape},
    },
    source::known::NOTHING,
};
use goatherd_certificates::program::{IntegerType, Operation};
use lang_c::{ast, span::Node};
use std::{collections::BTreeMap, ops::Range, rc::Rc};

/// Elements that one initialiser may set.
const ITEM_LIMIT: usize = 1 << 16;

/// One level of the object that a list initialises: which part comes next.
struct Level {
    ctype: CType,
    offset: u64,
    next: u64,
}

impl<'a> Elaborator<'a> {
    /// What an initialiser sets; an array without a length gets one.
    pub(crate) fn initialiser(&mut self, node: &'a Node<ast::Initializer>, ctype: &mut CType) -> Outcome<Vec<Item>> {
        let mut parts = Parts::default();
        let end = match &node.node {
            ast::Initializer::Expression(expression) => self.single(expression, ctype, &mut parts.items)?,
            ast::Initializer::List(list) => self.list(list, ctype, 0, &mut parts, node.span.start)?,
        };
        self.set_length(ctype, end, node.span.start)?;
        self.whole(parts, ctype, node.span.start)
    }

    /// An array without a length is as long as its initialiser (C11 6.7.9p22).
    fn set_length(&mut self, ctype: &mut CType, elements: u64, offset: usize) -> Outcome<()> {
        let Shape::Array(element, None) = &ctype.shape else { return Ok(()) };
        ctype.shape = Shape::Array(Rc::clone(element), Some(elements));
        if elements == 0 {
            return self.unsupported(offset, "an initialiser that makes an array without elements");
        }
        Ok(())
    }

    /// An initialiser without braces: a scalar, a struct, or a string for an array. Gives the number of array elements.
    fn single(&mut self, node: &'a Node<ast::Expression>, ctype: &CType, items: &mut Vec<Item>) -> Outcome<u64> {
        if let Some(values) = self.string_for(node, ctype)? {
            let count = values.len() as u64;
            self.store_string(ctype, 0, &values, items, node.span.start);
            return Ok(count);
        }
        if matches!(ctype.shape, Shape::Array(..)) {
            return self.error(node.span.start, "an array initialised by something that is neither list nor string");
        }
        if ctype.in_bytes && ctype.is_record() {
            return self.unsupported(node.span.start, "a struct in a union as a whole");
        }
        let value = self.rvalue(node)?;
        let value = self.convert(value, &ctype.unqualified(), node.span.start)?;
        items.push(match ctype.bits_of_number() {
            Some(bits) => Item::new(0, self.number_in_cell(value, bits, node.span.start)?),
            None => Item { bits: ctype.bits, ..Item::new(0, value) },
        });
        Ok(1)
    }

    /// The elements of a string literal, if the type is an array that it can initialise.
    fn string_for(&mut self, node: &'a Node<ast::Expression>, ctype: &CType) -> Outcome<Option<Vec<i128>>> {
        let (ast::Expression::StringLiteral(literal), Shape::Array(element, _)) = (&node.node, &ctype.shape) else { return Ok(None) };
        if element.as_integer().is_none() {
            return Ok(None);
        }
        match literals::string(&literal.node) {
            Ok((kind, values)) if self.records.size(element) == self.records.size(&CType::integer(kind)) => Ok(Some(values)),
            Ok(_) => self.error(node.span.start, "a string literal for an array of other elements"),
            Err(message) => self.unsupported(node.span.start, message),
        }
    }

    /// A string fills as much of the array as there is; its zero may be cut off (C11 6.7.9p14).
    fn store_string(&mut self, ctype: &CType, offset: u64, values: &[i128], items: &mut Vec<Item>, at: usize) {
        let Shape::Array(element, length) = &ctype.shape else { return };
        let kept = length.map_or(values.len(), |length| values.len().min(usize::try_from(length).unwrap_or(usize::MAX)));
        let mut elements = self.constant_items(element, values.get(..kept).unwrap_or(values), at);
        for item in &mut elements {
            item.offset += offset;
        }
        items.append(&mut elements);
    }

    /// Consecutive elements with these values.
    pub(crate) fn constant_items(&self, element: &CType, values: &[i128], at: usize) -> Vec<Item> {
        let size = self.records.size(element).unwrap_or(1);
        let ctype = element.unqualified();
        let constant = |value: i128| Expression::constant(super::types::constant_of(&ctype, value), ctype.clone(), at);
        (0_u64..).zip(values).map(|(index, value)| Item::new(index * size, constant(*value))).collect()
    }

    /// A list in braces for an object at an offset; gives the number of elements of an array.
    fn list(
        &mut self,
        list: &'a [Node<ast::InitializerListItem>],
        ctype: &CType,
        offset: u64,
        parts: &mut Parts,
        at: usize,
    ) -> Outcome<u64> {
        if ctype.is_scalar() {
            let [item] = list else { return self.error(at, "a scalar initialised by a list") };
            return self.part_initialiser(&item.node.initializer, ctype, offset, parts).map(|()| 1);
        }
        if let ([item], Shape::Array(..)) = (list, &ctype.shape)
            && let ast::Initializer::Expression(expression) = &item.node.initializer.node
            && item.node.designation.is_empty()
            && let Some(values) = self.string_for(expression, ctype)?
        {
            self.store_string(ctype, offset, &values, &mut parts.items, at);
            return Ok(values.len() as u64);
        }
        let mut levels = vec![Level { ctype: ctype.clone(), offset, next: 0 }];
        let first_union = parts.unions.len();
        let mut longest = 0;
        let is_designated = list.iter().any(|item| !item.node.designation.is_empty());
        let mut highest: Option<u64> = None;
        for item in list {
            let at = item.span.start;
            if !item.node.designation.is_empty() {
                levels.truncate(1);
                self.designate(&item.node.designation, &mut levels, parts, at)?;
            }
            // Inner objects without braces of their own end where their parts do.
            while levels.len() > 1 && levels.last().is_some_and(|level| self.part_of(level).is_none()) {
                levels.pop();
            }
            let Some((mut part, mut place)) = levels.last().and_then(|level| self.part_of(level)) else {
                return self.error(at, "more initialisers than the object has parts");
            };
            self.advance_part(&mut levels, parts, at)?;
            if let Some(level) = levels.first() {
                longest = longest.max(level.next);
            }
            while let ast::Initializer::Expression(expression) = &item.node.initializer.node
                && !part.is_scalar()
                && !self.fits_whole(expression, &part)?
            {
                let level = Level { ctype: part, offset: place, next: 0 };
                let Some(inner) = self.part_of(&level) else { return self.error(at, "an initialiser for an object without parts") };
                levels.push(level);
                (part, place) = inner;
                self.advance_part(&mut levels, parts, at)?;
            }
            let last = self.end_of_range(&item.node.designation, levels.last_mut(), at)?;
            // Only designators go back to parts that have been set.
            if highest.is_some_and(|highest| place <= highest) {
                let size = self.records.size(&part).unwrap_or(0);
                let own = bit_span(place, part.bits, size.saturating_mul(last.unwrap_or(0).saturating_add(1)));
                self.override_items(&mut parts.items, &own, at)?;
                let is_apart = |span: &Range<u64>| span.end <= own.start || own.end <= span.start;
                let is_around =
                    |known: &Chosen| levels.iter().any(|level| level.offset == known.offset && level.ctype.shape == known.ctype.shape);
                let union_span = |known: &Chosen| bit_span(known.offset, None, self.records.size(&known.ctype).unwrap_or(0));
                // Those in which the list itself lies stay as they were chosen: of `{.y = {.f = 1, .b = 2}, .raw = {5}}` that is `.y`.
                let own_unions = parts.unions.split_off(first_union);
                parts.unions.extend(own_unions.into_iter().filter(|known| is_around(known) || is_apart(&union_span(known))));
            }
            let (before, unions_before) = (parts.items.len(), parts.unions.len());
            self.part_initialiser(&item.node.initializer, &part, place, parts)?;
            if let Some(copies) = last {
                let size = self.records.size(&part).unwrap_or(1);
                let is_list = matches!(item.node.initializer.node, ast::Initializer::List(_)) && !part.is_scalar();
                // gcc computes `{ 1, n }` once, and has forgotten it where only a part of an element is initialised again; what it takes for
                // constant there depends on its options. Outside functions all is constant.
                if is_list && !self.scopes.is_file_scope() {
                    parts.items.iter_mut().skip(before).for_each(|item| item.whole = Some(bit_span(place, None, size)));
                }
                self.repeat(&mut parts.items, before, copies, place..place.saturating_add(size), at)?;
                parts.repeat_unions(unions_before, copies, size);
                longest = longest.max(levels.first().map_or(0, |level| level.next));
            }
            if is_designated {
                highest = parts.items.iter().skip(before).map(|item| self.last_byte(item)).max().max(highest);
            }
            if parts.items.len() > ITEM_LIMIT {
                return self.unsupported(at, "an initialiser of more than 65536 elements");
            }
        }
        Ok(longest)
    }

    /// Takes out what is initialised again, in these bits.
    fn override_items(&mut self, items: &mut Vec<Item>, own: &Range<u64>, at: usize) -> Outcome<()> {
        let is_apart = |span: &Range<u64>| span.end <= own.start || own.end <= span.start;
        let (kept, out): (Vec<Item>, Vec<Item>) = items.drain(..).partition(|known| is_apart(&self.span(known)));
        // Compilers differ in what the rest of such a struct has.
        if out.iter().map(|known| self.span(known)).any(|span| span.start < own.start || own.end < span.end) {
            return self.unsupported(at, "a part of a struct that was initialised as a whole");
        }
        // It may be evaluated or not (C11 6.7.9p19).
        if out.iter().any(|known| !is_settled(&known.value)) {
            return self.unsupported(at, "an initialiser of what was initialised with more than a variable or a constant");
        }
        *items = kept;
        Ok(())
    }

    /// Which bits of the object go with the item where it is initialised again.
    fn span(&self, item: &Item) -> Range<u64> {
        let size = self.records.size(&item.value.ctype).unwrap_or(0);
        item.whole.clone().unwrap_or_else(|| bit_span(item.offset, item.bits, size))
    }

    /// The last byte that cannot be initialised again without the item.
    fn last_byte(&self, item: &Item) -> u64 {
        self.span(item).end.saturating_sub(1) / 8
    }

    fn part_initialiser(&mut self, node: &'a Node<ast::Initializer>, ctype: &CType, offset: u64, parts: &mut Parts) -> Outcome<()> {
        match &node.node {
            ast::Initializer::List(list) => self.list(list, ctype, offset, parts, node.span.start).map(|_| ()),
            ast::Initializer::Expression(expression) => {
                let mut inner = Vec::new();
                self.single(expression, ctype, &mut inner)?;
                parts.items.extend(inner.into_iter().map(|item| Item { offset: item.offset + offset, ..item }));
                Ok(())
            }
        }
    }

    /// Does an expression initialise the whole of an aggregate: a string an array, a struct a struct?
    fn fits_whole(&mut self, node: &'a Node<ast::Expression>, part: &CType) -> Outcome<bool> {
        if is_string_for(node, part) {
            return Ok(true);
        }
        if !part.is_record() || matches!(node.node, ast::Expression::Constant(_) | ast::Expression::StringLiteral(_)) {
            return Ok(false);
        }
        Ok(self.type_of(node)?.shape == part.shape)
    }

    /// The part that comes next, and where it is.
    fn part_of(&self, level: &Level) -> Option<(CType, u64)> {
        match &level.ctype.shape {
            Shape::Array(element, length) => {
                let inside = length.is_none_or(|length| level.next < length);
                let bytes = level.next.checked_mul(self.records.size(element)?)?;
                inside.then(|| (self.records.part_type(&level.ctype, element), level.offset + bytes))
            }
            Shape::Record(id) => {
                let member = self.records.get(*id).members.as_ref()?.get(usize::try_from(level.next).ok()?)?;
                Some((self.records.part_type(&level.ctype, &member.ctype), level.offset + member.offset))
            }
            _ => None,
        }
    }

    /// How many more elements a range `[2 ... 5]` at the end of a designation has, and the next part is the one after it (GNU).
    fn end_of_range(&mut self, designation: &'a [Node<ast::Designator>], level: Option<&mut Level>, at: usize) -> Outcome<Option<u64>> {
        let is_range = |designator: &Node<ast::Designator>| matches!(designator.node, ast::Designator::Range(_));
        let Some((last, others)) = designation.split_last() else { return Ok(None) };
        if others.iter().any(is_range) {
            return self.unsupported(at, "a range of elements that is not the last designator");
        }
        let ast::Designator::Range(range) = &last.node else { return Ok(None) };
        let (from, to) = (self.constant_expression(&range.node.from)?, self.constant_expression(&range.node.to)?);
        let (Ok(more), Some(level)) = (u64::try_from(to - from), level) else { return self.error(at, "an empty range") };
        let inside = match level.ctype.shape {
            Shape::Array(_, length) => length.is_none_or(|length| level.next.saturating_add(more) <= length),
            _ => return self.unsupported(at, "a range of elements whose parts are initialised one by one"),
        };
        if !inside {
            return self.error(at, "more initialisers than the object has parts");
        }
        level.next = level.next.saturating_add(more);
        Ok(Some(more))
    }

    /// The items after the first so many once more, for each further element of a range, whose first one is in these bytes: the value is computed
    /// once, so it may only be one.
    fn repeat(&mut self, items: &mut Vec<Item>, first: usize, copies: u64, element: Range<u64>, at: usize) -> Outcome<()> {
        let own: Vec<Item> = items.iter().skip(first).cloned().collect();
        if own.iter().any(|item| !is_repeatable(&item.value) && !is_settled(&item.value)) {
            return self.unsupported(at, "a range of elements initialised with something that is more than a value");
        }
        let size = element.end.saturating_sub(element.start);
        for copy in 1..=copies {
            let bytes = copy.saturating_mul(size);
            items.extend(own.iter().map(|item| Item {
                offset: item.offset.saturating_add(bytes),
                whole: item.whole.is_some().then(|| bit_span(element.start.saturating_add(bytes), None, size)),
                ..item.clone()
            }));
            if items.len() > ITEM_LIMIT {
                return self.unsupported(at, "an initialiser of more than 65536 elements");
            }
        }
        Ok(())
    }

    /// The next part of the innermost object is the one after; of a union there is one alone.
    fn advance_part(&mut self, levels: &mut [Level], parts: &mut Parts, at: usize) -> Outcome<()> {
        let Some(level) = levels.last_mut() else { return Ok(()) };
        if level.ctype.as_record().is_none_or(|id| self.records.get(id).kind == RecordKind::Struct) {
            level.next = level.next.saturating_add(1);
            return Ok(());
        }
        let chosen = Chosen { ctype: level.ctype.clone(), offset: level.offset, member: level.next };
        level.next = u64::MAX;
        if parts.choose(chosen) { Ok(()) } else { self.unsupported(at, "a union of which two members are initialised") }
    }

    /// The items in order, those for bits as items for bytes.
    pub(super) fn whole_items(&mut self, items: Vec<Item>) -> Outcome<Vec<Item>> {
        let (bits, mut items): (Vec<Item>, Vec<Item>) = items.into_iter().partition(|item| item.bits.is_some());
        let is_constant = |item: &Item| item.value.as_constant().is_some();
        // Which of them is evaluated first is open, and each as often as it has bytes.
        let changing = bits.iter().chain(&items).find(|item| !is_repeatable(&item.value));
        if let (Some(item), false) = (changing, bits.iter().all(is_constant)) {
            let what =
                "a bit-field, or a part of a union that is made of bytes, initialised together with something that is more than a value";
            return self.unsupported(item.value.offset, what);
        }
        let mut bytes: BTreeMap<u64, Expression> = BTreeMap::new();
        for item in &bits {
            let Some(places) = item.bits else { continue };
            for number in 0..places.bytes() {
                let piece = self.byte_of(&item.value, places, number)?;
                let at = item.offset + u64::from(number);
                let whole = match bytes.remove(&at) {
                    Some(other) => self.combined(other, piece)?,
                    None => piece,
                };
                bytes.insert(at, whole);
            }
        }
        items.extend(bytes.into_iter().map(|(offset, value)| Item::new(offset, value)));
        items.sort_by_key(|item| item.offset);
        Ok(items)
    }

    /// What a value is in one of the bytes that have bits of it.
    fn byte_of(&mut self, value: &Expression, bits: Bits, number: u32) -> Outcome<Expression> {
        let offset = value.offset;
        let (wide, byte) = (CType::integer(IntegerType::U64), CType::integer(IntegerType::U8));
        let mask = (1_i128 << bits.width) - 1;
        if let Some(constant) = value.as_constant() {
            let shifted = (constant & mask) << bits.first >> (8 * number);
            return Ok(Expression::constant(shifted & 0xff, byte, offset));
        }
        let constant = |value: i128| Expression::constant(value, wide.clone(), offset);
        let value = self.convert(value.clone(), &wide, offset)?;
        let apply = |operation, left: Expression, right: Expression| {
            Expression::new(ExpressionKind::Binary(operation, Box::new(left), Box::new(right)), wide.clone(), offset)
        };
        let kept = if bits.width < 64 { apply(Operation::And, value, constant(mask)) } else { value };
        let moved = match (8 * number).checked_sub(bits.first) {
            Some(down) => apply(Operation::ShiftRight, kept, constant(i128::from(down))),
            None => apply(Operation::ShiftLeft, kept, constant(i128::from(bits.first - 8 * number))),
        };
        self.convert(moved, &byte, offset)
    }

    pub(super) fn combined(&mut self, one: Expression, other: Expression) -> Outcome<Expression> {
        let (offset, byte) = (one.offset, CType::integer(IntegerType::U8));
        if let (Some(first), Some(second)) = (one.as_constant(), other.as_constant()) {
            return Ok(Expression::constant(first | second, byte, offset));
        }
        let int = CType::int();
        let (one, other) = (self.convert(one, &int, offset)?, self.convert(other, &int, offset)?);
        let sum = Expression::new(ExpressionKind::Binary(Operation::Or, Box::new(one), Box::new(other)), int, offset);
        self.convert(sum, &byte, offset)
    }

    /// `[3].x =`: the levels down to the part that is named.
    fn designate(
        &mut self,
        designation: &'a [Node<ast::Designator>],
        levels: &mut Vec<Level>,
        parts: &mut Parts,
        at: usize,
    ) -> Outcome<()> {
        let mut first = true;
        for designator in designation {
            if !first {
                let Some((ctype, offset)) = levels.last().and_then(|level| self.part_of(level)) else {
                    return self.error(at, "a designator for an object without parts");
                };
                self.advance_part(levels, parts, at)?;
                levels.push(Level { ctype, offset, next: 0 });
            }
            first = false;
            let next = match &designator.node {
                ast::Designator::Index(index) => match u64::try_from(self.constant_expression(index)?) {
                    Ok(index) => index,
                    Err(_) => return self.error(at, "a negative index"),
                },
                ast::Designator::Member(name) => self.designated_member(&name.node.name, levels, parts, at)?,
                ast::Designator::Range(range) => match u64::try_from(self.constant_expression(&range.node.from)?) {
                    Ok(index) => index,
                    Err(_) => return self.error(at, "a negative index"),
                },
            };
            if let Some(level) = levels.last_mut() {
                level.next = next;
            }
        }
        Ok(())
    }

    /// The position of a member in the innermost level, which becomes the anonymous struct or union that has it (C11 6.7.2.1p13).
    fn designated_member(&mut self, name: &str, levels: &mut Vec<Level>, parts: &mut Parts, at: usize) -> Outcome<u64> {
        loop {
            let level = levels.last_mut();
            let members = level.as_ref().and_then(|level| level.ctype.as_record()).and_then(|id| self.records.get(id).members.as_ref());
            let is_here = |member: &Member| member.name.as_deref() == Some(name);
            let is_inside = |member: &Member| {
                member.name.is_none() && member.ctype.as_record().is_some_and(|inner| self.records.member(inner, name).is_some())
            };
            if let Some(position) = members.and_then(|members| members.iter().position(is_here)) {
                return Ok(position as u64);
            }
            let (Some(level), Some(position)) = (level, members.and_then(|members| members.iter().position(is_inside))) else {
                return self.error(at, &format!("a designator '{name}' that names no member"));
            };
            level.next = position as u64;
            let Some((ctype, offset)) = self.part_of(level) else {
                return self.error(at, "a designator for an object without parts");
            };
            self.advance_part(levels, parts, at)?;
            levels.push(Level { ctype, offset, next: 0 });
        }
    }

    /// `(struct s){1, 2}` (C11 6.5.2.5).
    pub(crate) fn compound_literal(&mut self, node: &'a Node<ast::CompoundLiteral>) -> Outcome<Designated> {
        let offset = node.span.start;
        let mut ctype = self.type_name(&node.node.type_name)?;
        let mut parts = Parts::default();
        let list = match &*node.node.initializer_list {
            [item] if is_nothing(&item.node) => &[],
            list => list,
        };
        let end = self.list(list, &ctype, 0, &mut parts, offset)?;
        self.set_length(&mut ctype, end, offset)?;
        let items = self.whole(parts, &ctype, offset)?;
        self.check_object(&ctype, offset)?;
        if self.records.has_constant(&ctype) && self.unevaluated == 0 {
            self.suspicions.constant_literals.insert(offset);
        }
        if self.scopes.is_file_scope() {
            // Its storage is static (C11 6.5.2.5p5).
            let id = self.static_literal(ctype.clone(), items, offset);
            return Ok(Designated::Place(Place { base: Base::Global(id), displacement: 0, ctype, offset }));
        }
        let variable = self.variable("literal".to_owned(), ctype.clone(), offset);
        let in_header = self.context.headers > 0;
        self.context.literals.push((variable, in_header));
        Ok(Designated::Place(Place { base: Base::Literal(variable, items), displacement: 0, ctype, offset }))
    }
}

/// Which bits of an object a part is.
fn bit_span(offset: u64, bits: Option<Bits>, size: u64) -> Range<u64> {
    let start = offset.saturating_mul(8);
    match bits {
        Some(bits) => start + u64::from(bits.first)..start + u64::from(bits.first + bits.width),
        None => start..start.saturating_add(size.saturating_mul(8)),
    }
}

/// Does nobody notice whether it is evaluated, and how often: a constant, an address, or what a variable holds?
fn is_settled(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Constant(_) | ExpressionKind::Function(_) => true,
        ExpressionKind::AddressOf(place) | ExpressionKind::Read(place) => matches!(place.base, Base::Variable(_) | Base::Global(_)),
        ExpressionKind::Convert(inner) => is_settled(inner),
        ExpressionKind::Advance { base, index, within: None, .. } => is_settled(base) && is_settled(index),
        _ => false,
    }
}

/// Is it what stands between braces that are empty?
fn is_nothing(item: &ast::InitializerListItem) -> bool {
    let ast::Initializer::Expression(expression) = &item.initializer.node else { return false };
    matches!(&expression.node, ast::Expression::Identifier(name) if name.node.name == NOTHING)
}

/// Is it a string literal for an array of integers?
fn is_string_for(node: &Node<ast::Expression>, part: &CType) -> bool {
    match (&node.node, &part.shape) {
        (ast::Expression::StringLiteral(_), Shape::Array(element, _)) => element.as_integer().is_some(),
        _ => false,
    }
}
