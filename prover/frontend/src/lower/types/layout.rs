//! Where the members of structs and unions lie (C11 6.7.2.1p11-18, System V ABI of x86-64).

use super::{Bits, CType, Holder, Leaf, Member, Packing, Padding, RecordId, RecordKind, Records, Shape, width};
use goatherd_certificates::program::{IntegerType, Type};
use std::collections::BTreeMap;

impl Records {
    /// Lays the members out (C11 6.7.2.1p15-18, System V ABI of x86-64); each has a type and a name, offsets are filled in. Gives back what is
    /// wrong with them.
    pub(crate) fn complete(
        &mut self,
        id: RecordId,
        mut members: Vec<Member>,
        packing: Packing,
        problem: Option<&'static str>,
    ) -> Result<(), &'static str> {
        const TOO_LARGE: &str = "a struct that is too large";
        let kind = self.get(id).kind;
        let mut problem = problem;
        // The end of what is laid out, in bits, and the greatest end of a member of a union.
        let (mut end, mut longest, mut alignment) = (0_u64, 0_u64, 1_u64);
        let count = members.len();
        for (index, member) in members.iter_mut().enumerate() {
            let is_flexible = matches!(member.ctype.shape, Shape::Array(_, None));
            if is_flexible && (index + 1 < count || kind == RecordKind::Union) {
                return Err("an array without a length that is not the last member");
            }
            let size = if is_flexible { Some(0) } else { self.size(&member.ctype) };
            let (Some(bytes), Some(natural)) = (size, self.alignment(&member.ctype)) else {
                return Err("a struct with a member of unknown size");
            };
            // What an anonymous member has is a member of this type, too.
            if let (None, Some(inner)) = (&member.name, member.ctype.as_record()) {
                problem = problem.or(self.get(inner).problem);
            }
            let is_packed = packing.packed || member.packing.packed;
            if packing.limit.is_some() && (member.packing.alignment > 0 || packing.alignment > 0 || member.bits == Some(0)) {
                return Err("an alignment, or a bit-field of no width, behind #pragma pack");
            }
            let align = if is_packed { 1 } else { natural.min(packing.limit.unwrap_or(natural)) }.max(member.packing.alignment);
            let bits = bytes.checked_mul(8).ok_or(TOO_LARGE)?;
            if kind == RecordKind::Union {
                end = 0;
            }
            if let Some(width) = member.bits {
                if bits > 32 && width >= 32 {
                    // Compilers do not agree on what such a value is promoted to.
                    problem = problem.or(Some("a bit-field of 32 bits or more whose type is wider than int"));
                }
                if member.packing.alignment > 0 {
                    return Err("a bit-field with the attribute aligned");
                }
                // A field lies in one unit of its type, but for a packed one, which begins at the next bit; without a width it ends the unit that is
                // filled, packed or not (C11 6.7.2.1p11-12).
                // Behind `#pragma pack`, of whatever alignment, it begins at the next bit too.
                let is_close = is_packed || packing.limit.is_some();
                if width == 0 || !is_close && end % bits + width > bits {
                    end = end.checked_next_multiple_of(bits).ok_or(TOO_LARGE)?;
                }
                member.offset = end / 8;
                let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
                member.ctype.bits = Some(Bits { first: narrow(end % 8), width: narrow(width), holder: Holder::Bytes });
                end = end.checked_add(width).ok_or(TOO_LARGE)?;
                if member.name.is_some() {
                    alignment = alignment.max(align);
                }
            } else {
                end = end.checked_next_multiple_of(align * 8).ok_or(TOO_LARGE)?;
                member.offset = end / 8;
                end = end.checked_add(bits).ok_or(TOO_LARGE)?;
                alignment = alignment.max(align);
                if natural > align && member.ctype.has_parts() {
                    problem = problem.or(Some("a packed struct with an aggregate member"));
                }
            }
            longest = longest.max(end);
        }
        let alignment = alignment.max(packing.alignment);
        let size = longest.max(end).div_ceil(8).checked_next_multiple_of(alignment).ok_or(TOO_LARGE)?;
        // Bits without a name are only padding.
        members.retain(|member| member.name.is_some() || member.bits.is_none());
        let (mut in_bytes, mut has_numbers, mut padding, mut unit) = (false, false, Padding::Own, None);
        if members.last().is_some_and(|member| matches!(member.ctype.shape, Shape::Array(_, None))) && problem.is_none() {
            match self.unit_of(&members) {
                Ok(found) => (in_bytes, unit) = (found.is_none(), Some(found.unwrap_or(CType::integer(IntegerType::U8)))),
                Err(found) => problem = Some(found),
            }
        }
        if kind == RecordKind::Union && problem.is_none() {
            match self.overlap(&members) {
                Ok(found) => {
                    (in_bytes, has_numbers) = (found == Overlap::Bytes, found == Overlap::Numbers);
                    if !in_bytes && self.shares_padding(members.iter()) {
                        padding = Padding::Shared;
                    }
                }
                Err(found) => problem = Some(found),
            }
        }
        let record = &mut self.0[id.0];
        (record.members, record.size, record.alignment, record.problem) = (Some(members), size, alignment, problem);
        (record.in_bytes, record.has_numbers, record.padding, record.unit) = (in_bytes, has_numbers, padding, unit);
        Ok(())
    }

    /// What the cells of a struct are that ends with a flexible array member: elements of that array, if all other members are integers of their
    /// width; nothing where they have to be bytes.
    fn unit_of(&self, members: &[Member]) -> Result<Option<CType>, &'static str> {
        let mut leaves = Vec::new();
        for member in members {
            self.collect_member(member, String::new(), 0, &mut leaves)?;
        }
        let Some(Shape::Array(element, None)) = members.last().map(|member| &member.ctype.shape) else {
            return Err("no flexible array member");
        };
        let is_integer = |leaf: &Leaf| matches!(leaf.kind, Type::Integer(kind) if kind != IntegerType::Bool);
        let Some(kind) = element.as_integer().filter(|kind| *kind != IntegerType::Bool && leaves.iter().all(is_integer)) else {
            return Err("a flexible array member, among members or with elements that are not all integers");
        };
        let bytes = u64::from(width(kind)) / 8;
        let is_alike =
            |leaf: &Leaf| matches!(leaf.kind, Type::Integer(other) if width(other) == width(kind)) && leaf.offset.is_multiple_of(bytes);
        let has_bits = members.iter().any(|member| member.bits.is_some());
        Ok((!has_bits && leaves.iter().all(is_alike)).then(|| CType::integer(kind)))
    }

    /// How the members of a union lie above each other.
    fn overlap(&self, members: &[Member]) -> Result<Overlap, &'static str> {
        let all = self.overlap_of(members.iter())?;
        if all != Overlap::Mixed {
            return Ok(all);
        }
        // Integers that are members themselves begin where the union does, and are bits of the number in the cell of the pointer that is there.
        let is_number = |member: &&Member| member.ctype.as_integer().is_some_and(|kind| kind != IntegerType::Bool);
        let (numbers, others): (Vec<&Member>, Vec<&Member>) = members.iter().partition(is_number);
        let mut begins_with_pointer = !numbers.is_empty();
        for member in &others {
            let mut own = Vec::new();
            self.collect_member(member, String::new(), 0, &mut own)?;
            begins_with_pointer &= own.first().is_some_and(|leaf| leaf.offset == 0 && leaf.kind == Type::Pointer);
        }
        if begins_with_pointer && self.overlap_of(others.into_iter())? == Overlap::Cells {
            return Ok(Overlap::Numbers);
        }
        Err("a union in which pointers and integers overlap")
    }

    /// How these members of a union lie above each other.
    fn overlap_of<'a>(&self, members: impl Iterator<Item = &'a Member>) -> Result<Overlap, &'static str> {
        let mut leaves = Vec::new();
        let members: Vec<&Member> = members.collect();
        for member in &members {
            let mut own = Vec::new();
            self.collect_member(member, String::new(), 0, &mut own)?;
            leaves.append(&mut own);
        }
        leaves.sort_by_key(|leaf| leaf.offset);
        let size = |leaf: &Leaf| match leaf.kind {
            Type::Integer(kind) => u64::from(width(kind)) / 8,
            Type::Pointer => 8,
        };
        let is_bool = |leaf: &Leaf| leaf.kind == Type::Integer(IntegerType::Bool);
        let is_one = |one: &Leaf, two: &Leaf| {
            one.offset == two.offset
                && size(one) == size(two)
                && (one.kind == Type::Pointer) == (two.kind == Type::Pointer)
                && is_bool(one) == is_bool(two)
        };
        let mut end = 0;
        let mut before: Option<&Leaf> = None;
        let mut overlaps = false;
        for leaf in &leaves {
            overlaps |= leaf.offset < end && before.is_none_or(|before| !is_one(before, leaf));
            end = end.max(leaf.offset + size(leaf));
            before = Some(leaf);
        }
        let has_pointers = leaves.iter().any(|leaf| leaf.kind == Type::Pointer);
        if overlaps && has_pointers {
            return Ok(Overlap::Mixed);
        }
        overlaps |= !has_pointers && self.shares_padding(members.into_iter());
        if overlaps && leaves.iter().any(is_bool) {
            return Err("a union in which _Bool overlaps other members");
        }
        Ok(if overlaps { Overlap::Bytes } else { Overlap::Cells })
    }

    /// Is what one of these members of a union has as padding, which is copied with it, of another one?
    fn shares_padding<'a>(&self, members: impl Iterator<Item = &'a Member>) -> bool {
        let values = |member: &Member| {
            let mut bits = BTreeMap::new();
            self.bits_of_values(&member.ctype, member.offset, &mut bits);
            (self.size(&member.ctype).unwrap_or(0), bits)
        };
        let values: Vec<(u64, BTreeMap<u64, u8>)> = members.map(values).collect();
        let has = |(size, own): &(u64, BTreeMap<u64, u8>), byte: u64, bits: u8| {
            byte >= *size || own.get(&byte).is_some_and(|own| own & bits == bits)
        };
        values.iter().any(|one| values.iter().any(|(_, other)| other.iter().any(|(byte, bits)| !has(one, *byte, *bits))))
    }
}

/// How the members of a union lie above each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Overlap {
    /// Only as whole cells of one width, integers or pointers.
    Cells,
    /// Integers in other ways, so that all cells are bytes.
    Bytes,
    /// Integers at the union's start with the cell of a pointer.
    Numbers,
    /// Pointers with something else.
    Mixed,
}
