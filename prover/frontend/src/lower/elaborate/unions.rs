//! What initialisers leave open of unions (C11 6.7.9p19, 6.2.6.1p7).
//!
//! `union { char c; int i; } u = { 1 };` gives `u.c` a value; of the other bytes of `u.i` nothing is said, and compilers differ in what they do. So
//! are bits and bytes of padding in the member that is initialised, where another member has them. A union that its initialiser does not mention is
//! zero as a whole (6.7.9p10 and p21).

use super::{Elaborator, Outcome};
use crate::lower::{
    tree::{Builtin, Expression, ExpressionKind, Item},
    types::{CType, width},
};
use goatherd_certificates::program::{IntegerType, Operation, Type};
use std::collections::BTreeMap;

/// What a list initialises.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) items: Vec<Item>,
    pub(super) unions: Vec<Chosen>,
}

/// A union of which a list initialises one member: which, by its position.
#[derive(Clone)]
pub(super) struct Chosen {
    pub(super) ctype: CType,
    pub(super) offset: u64,
    pub(super) member: u64,
}

impl Parts {
    /// Adds a union, if no other member of it has been initialised.
    pub(super) fn choose(&mut self, chosen: Chosen) -> bool {
        let is_same = |known: &&Chosen| known.offset == chosen.offset && known.ctype.shape == chosen.ctype.shape;
        if let Some(known) = self.unions.iter().find(is_same) {
            return known.member == chosen.member;
        }
        self.unions.push(chosen);
        true
    }

    /// The unions after the first so many once more, for each further element of a range.
    pub(super) fn repeat_unions(&mut self, first: usize, copies: u64, size: u64) {
        let own: Vec<Chosen> = self.unions.iter().skip(first).cloned().collect();
        let moved = |copy: u64| own.iter().map(move |chosen| Chosen { offset: chosen.offset + copy * size, ..chosen.clone() });
        self.unions.extend((1..=copies).flat_map(moved));
    }
}

/// A cell of which C says nothing, or not of all bits.
struct Open {
    kind: Type,
    /// Of a byte: the bits that are given a value.
    given: u8,
}

impl Elaborator<'_> {
    /// The items of an initialiser of this type in order, with what it leaves open of unions.
    pub(super) fn whole(&mut self, mut parts: Parts, ctype: &CType, at: usize) -> Outcome<Vec<Item>> {
        self.add_zero_numbers(&mut parts, ctype, at)?;
        let mut open = BTreeMap::new();
        for chosen in &parts.unions {
            self.leave_open(chosen, &mut open, at)?;
        }
        let mut items = self.whole_items(parts.items)?;
        for (offset, cell) in open {
            let value = match items.iter().position(|item| item.offset == offset) {
                Some(position) => {
                    let known = items.remove(position).value;
                    self.partly_given(known, cell.given, at)?
                }
                None if cell.given != 0 => self.partly_given(Expression::constant(0, byte(), at), cell.given, at)?,
                None => self.unspecified(cell.kind, at),
            };
            items.push(Item::new(offset, value));
        }
        items.sort_by_key(|item| item.offset);
        Ok(items)
    }

    /// The cells of a union that the chosen member does not have, or not all bits of.
    fn leave_open(&mut self, chosen: &Chosen, open: &mut BTreeMap<u64, Open>, at: usize) -> Outcome<()> {
        let members = chosen.ctype.as_record().and_then(|id| self.records.get(id).members.as_ref());
        let member = usize::try_from(chosen.member).ok().and_then(|position| members?.get(position));
        let size = self.records.size(&chosen.ctype).and_then(|size| usize::try_from(size).ok());
        let (Some(member), Some(size)) = (member, size) else { return Ok(()) };
        let mut given = BTreeMap::new();
        self.records.bits_of_values(&member.ctype, member.offset, &mut given);
        // What is left open of a pointer's cell is in the number there.
        let is_number = self.records.part_type(&chosen.ctype, &member.ctype).bits_of_number().is_some();
        let given = |byte: u64| if is_number && byte < 8 { u8::MAX } else { given.get(&byte).copied().unwrap_or(0_u8) };
        let cells = if chosen.ctype.in_bytes {
            (0..size as u64).map(|offset| (offset, Type::Integer(IntegerType::U8))).collect()
        } else {
            match self.records.leaves(&chosen.ctype) {
                Ok(leaves) => leaves.into_iter().map(|leaf| (leaf.offset, leaf.kind)).collect::<Vec<_>>(),
                Err(what) => return self.unsupported(at, what),
            }
        };
        for (offset, kind) in cells {
            let bytes = match kind {
                Type::Integer(kind) => u64::from(width(kind)) / 8,
                Type::Pointer => 8,
            };
            let masks: Vec<u8> = (offset..offset + bytes).map(given).collect();
            match masks[..] {
                _ if masks.iter().all(|mask| *mask == u8::MAX) => {}
                _ if kind == Type::Integer(IntegerType::Bool) => {
                    return self.unsupported(at, "an initialiser of a union that leaves a _Bool open");
                }
                _ if masks.iter().all(|mask| *mask == 0) => {
                    open.insert(chosen.offset + offset, Open { kind, given: 0 });
                }
                [mask] => {
                    let cell = open.entry(chosen.offset + offset).or_insert(Open { kind, given: mask });
                    cell.given &= mask;
                }
                _ => return self.unsupported(at, "an initialiser of a union that sets a part of an integer"),
            }
        }
        Ok(())
    }

    fn unspecified(&mut self, kind: Type, at: usize) -> Expression {
        let ctype = match kind {
            Type::Integer(kind) => CType::integer(kind),
            Type::Pointer => CType::void().pointer_to(),
        };
        self.approximate.insert(at);
        Expression::new(ExpressionKind::Builtin(Builtin::Unspecified), ctype, at)
    }

    /// A byte of which some bits are given.
    fn partly_given(&mut self, known: Expression, given: u8, at: usize) -> Outcome<Expression> {
        let any = self.unspecified(Type::Integer(IntegerType::U8), at);
        let any = self.convert(any, &CType::int(), at)?;
        let others = Expression::constant(i128::from(!given), CType::int(), at);
        let masked = Expression::new(ExpressionKind::Binary(Operation::And, Box::new(any), Box::new(others)), CType::int(), at);
        let masked = self.convert(masked, &byte(), at)?;
        self.combined(known, masked)
    }
}

fn byte() -> CType {
    CType::integer(IntegerType::U8)
}
