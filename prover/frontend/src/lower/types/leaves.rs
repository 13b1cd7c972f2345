//! The scalars that objects consist of.

use super::{Bits, CType, Holder, Leaf, Member, RecordId, RecordKind, Records, Shape, width};
use goatherd_certificates::program::{IntegerType, Type};
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

/// Leaf fields that one struct may have after its members are laid out flat.
const LEAF_LIMIT: usize = 8192;

impl Records {
    /// Are there objects in this type that are bits of bytes which others have bits of, too?
    pub(crate) fn has_bit_fields(&self, ctype: &CType) -> bool {
        let members = ctype.base_element().as_record().and_then(|id| self.get(id).members.as_ref());
        members.into_iter().flatten().any(|member| member.bits.is_some() || self.has_bit_fields(&member.ctype))
    }

    /// Where the last of what a type consists of ends, before the padding; nothing for incomplete types.
    pub(crate) fn end_of_members(&self, ctype: &CType) -> Option<u64> {
        match &ctype.shape {
            Shape::Array(element, Some(length)) if *length > 0 => {
                self.size(element)?.checked_mul(length - 1)?.checked_add(self.end_of_members(element)?)
            }
            Shape::Record(id) => {
                let ends = self.get(*id).members.as_ref()?.iter().map(|member| match member.ctype.bits {
                    Some(bits) => Some(member.offset + u64::from(bits.bytes())),
                    None => Some(member.offset + self.end_of_members(&member.ctype).unwrap_or(0)),
                });
                ends.max().flatten()
            }
            _ => self.size(ctype),
        }
    }

    /// The scalars of a type in the order of their offsets, or why it cannot be laid out.
    pub(crate) fn leaves(&self, ctype: &CType) -> Result<Vec<Leaf>, &'static str> {
        let mut leaves = Vec::new();
        self.collect(ctype, String::new(), 0, &mut leaves)?;
        Ok(leaves)
    }

    pub(super) fn collect(&self, ctype: &CType, name: String, offset: u64, leaves: &mut Vec<Leaf>) -> Result<(), &'static str> {
        if leaves.len() > LEAF_LIMIT {
            return Err("a struct with more than 8192 scalar members");
        }
        match &ctype.shape {
            Shape::Integer(kind) => leaves.push(Leaf { name, offset, kind: Type::Integer(*kind), pointee: None }),
            Shape::Pointer(target) => {
                leaves.push(Leaf { name, offset, kind: Type::Pointer, pointee: Some(Rc::clone(target)) });
            }
            Shape::Array(element, Some(length)) => {
                let size = self.size(element).ok_or("an array of incomplete type")?;
                for index in 0..*length {
                    self.collect(element, format!("{name}[{index}]"), offset + index * size, leaves)?;
                }
            }
            Shape::Array(_, None) => return Err("a flexible array member"),
            Shape::Record(id) => {
                let record = self.get(*id);
                if let Some(problem) = record.problem {
                    return Err(problem);
                }
                let members = record.members.as_ref().ok_or("an object of incomplete type")?;
                if record.in_bytes {
                    let byte = CType::integer(IntegerType::U8);
                    for index in 0..record.size {
                        self.collect(&byte, format!("{name}[{index}]"), offset + index, leaves)?;
                    }
                    return Ok(());
                }
                let before = leaves.len();
                // Of a number in a pointer's cell that cell is the leaf.
                let is_number = |member: &Member| record.has_numbers && member.ctype.as_integer().is_some();
                for member in members.iter().filter(|member| !is_number(member)) {
                    self.collect_member(member, name.clone(), offset, leaves)?;
                }
                if record.kind == RecordKind::Union {
                    let mut own = leaves.split_off(before);
                    own.sort_by_key(|leaf| leaf.offset);
                    own.dedup_by_key(|leaf| leaf.offset);
                    leaves.append(&mut own);
                }
            }
            Shape::Void => return Err("an object of type void"),
            Shape::Function(_) => return Err("a function as an object"),
            Shape::Opaque(what) => return Err(what),
        }
        Ok(())
    }

    pub(super) fn collect_member(&self, member: &Member, outer: String, offset: u64, leaves: &mut Vec<Leaf>) -> Result<(), &'static str> {
        // A flexible member has as many elements as the object has room for.
        if matches!(member.ctype.shape, Shape::Array(_, None)) {
            return Ok(());
        }
        let name = match (&member.name, outer.is_empty()) {
            (Some(member), true) => member.clone(),
            (Some(member), false) => format!("{outer}.{member}"),
            (None, _) => outer,
        };
        let Some(bits) = member.ctype.bits else { return self.collect(&member.ctype, name, offset + member.offset, leaves) };
        // Bit-fields are bits of bytes, which they share with their neighbours.
        for at in (offset + member.offset..).take(usize::try_from(bits.bytes()).unwrap_or(usize::MAX)) {
            if leaves.last().is_none_or(|last| last.offset != at) {
                let name = format!("{name}/{at}");
                leaves.push(Leaf { name, offset: at, kind: Type::Integer(IntegerType::U8), pointee: None });
            }
        }
        Ok(())
    }

    /// The integers of a struct or union that lies in bytes, as bits of these.
    pub(crate) fn leaves_in_bytes(&self, ctype: &CType) -> Result<Vec<(u64, CType)>, &'static str> {
        let leaves = self.leaves(ctype)?;
        let integers = leaves.iter().map(|leaf| match leaf.kind {
            Type::Integer(kind) if kind != IntegerType::Bool => {
                let bits = Some(Bits { first: 0, width: width(kind), holder: Holder::Bytes });
                Ok((leaf.offset, CType { bits, ..CType::integer(kind) }))
            }
            _ => Err("a struct in a union that is made of bytes, with what is no integer"),
        });
        integers.collect()
    }

    /// Has each bit of an object of this type a value, so that there is no padding?
    pub(crate) fn is_full(&self, ctype: &CType) -> bool {
        let mut bits = BTreeMap::new();
        self.bits_of_values(ctype, 0, &mut bits);
        let size = self.size(ctype).and_then(|size| usize::try_from(size).ok());
        size == Some(bits.len()) && bits.values().all(|mask| *mask == u8::MAX)
    }

    /// Is there a union of pointers and integers in this type, or in what its pointers lead to?
    pub(crate) fn leads_to_numbers(&self, ctype: &CType, seen: &mut BTreeSet<RecordId>) -> bool {
        match &ctype.shape {
            Shape::Array(inner, _) | Shape::Pointer(inner) => self.leads_to_numbers(inner, seen),
            Shape::Record(id) if seen.insert(*id) => {
                let record = self.get(*id);
                record.has_numbers || record.members.iter().flatten().any(|member| self.leads_to_numbers(&member.ctype, seen))
            }
            _ => false,
        }
    }

    /// Where in a type integers come first in unions of pointers and integers: there the number 0 is what zero means (C11 6.7.9p10).
    pub(crate) fn zero_numbers(&self, ctype: &CType, offset: u64, found: &mut Vec<u64>) {
        if found.len() > LEAF_LIMIT {
            return;
        }
        match &ctype.shape {
            Shape::Array(element, Some(length)) if self.leads_to_numbers(element, &mut BTreeSet::new()) => {
                let size = self.size(element).unwrap_or(0);
                for index in 0..(*length).min(LEAF_LIMIT as u64 + 1) {
                    self.zero_numbers(element, offset + index * size, found);
                }
            }
            Shape::Record(id) => {
                let record = self.get(*id);
                let count = if record.kind == RecordKind::Union { 1 } else { usize::MAX };
                for member in record.members.iter().flatten().take(count) {
                    if record.has_numbers && member.ctype.as_integer().is_some() {
                        found.push(offset);
                    } else {
                        self.zero_numbers(&member.ctype, offset + member.offset, found);
                    }
                }
            }
            _ => {}
        }
    }

    /// Which bits of which bytes belong to scalars of a type, and not to padding.
    pub(crate) fn bits_of_values(&self, ctype: &CType, offset: u64, bits: &mut BTreeMap<u64, u8>) {
        match &ctype.shape {
            Shape::Array(element, Some(length)) => {
                let size = self.size(element).unwrap_or(0);
                for index in 0..*length {
                    self.bits_of_values(element, offset + index * size, bits);
                }
            }
            Shape::Record(id) => {
                for member in self.get(*id).members.iter().flatten() {
                    self.bits_of_values(&member.ctype, offset + member.offset, bits);
                }
            }
            _ => {
                let size = self.size(ctype).unwrap_or(0);
                let whole = Bits { first: 0, width: u32::try_from(8 * size).unwrap_or(0), holder: Holder::Bytes };
                let Bits { first, width, .. } = ctype.bits.unwrap_or(whole);
                for bit in u64::from(first)..u64::from(first + width) {
                    *bits.entry(offset + bit / 8).or_default() |= 1 << (bit % 8);
                }
            }
        }
    }
}
