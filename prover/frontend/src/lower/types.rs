//! The types of C that programs are lowered from, and their sizes, ranges and conversions on LP64 (C11 6.2.5, 6.3.1).

use goatherd_certificates::program::{IntegerType, Type};
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

/// Leaf fields that one struct may have after its members are laid out flat.
const LEAF_LIMIT: usize = 8192;

/// A type with its qualifiers. `restrict` is not kept: it never changes what a valid program does, and that programs keep to it is assumed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each stands for a word of the declaration, or for its place")]
pub(crate) struct CType {
    pub(crate) shape: Shape,
    /// `const`
    pub(crate) constant: bool,
    /// `volatile`
    pub(crate) volatile: bool,
    /// `long long`, which has the values of `long` and is another type (C11 6.2.7).
    pub(crate) long_long: bool,
    /// Of an object that is not a cell of its own: the bits that it has of the bytes where it lies.
    pub(crate) bits: Option<Bits>,
    /// Of an aggregate in a union whose cells are bytes.
    pub(crate) in_bytes: bool,
}

/// Bits of bytes, from the lowest bit of the first byte on: a bit-field, or an integer in a union whose cells are bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bits {
    pub(crate) first: u32,
    pub(crate) width: u32,
}

impl Bits {
    /// How many bytes there are bits of.
    pub(crate) const fn bytes(self) -> u32 {
        (self.first + self.width).div_ceil(8)
    }

    /// The type of a value that is read there, or was stored: a bit-field is promoted (C11 6.3.1.1p2).
    pub(crate) const fn value_kind(self, kind: IntegerType) -> IntegerType {
        if self.width < width(kind) { IntegerType::I32 } else { kind }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Void,
    Integer(IntegerType),
    Pointer(Rc<CType>),
    /// The length is missing in `[]`.
    Array(Rc<CType>, Option<u64>),
    Record(RecordId),
    Function(Rc<Signature>),
    /// A type that may be declared, as headers do, but not used; the text names it.
    Opaque(&'static str),
}

/// A function's type (C11 6.7.6.3).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    pub(crate) result: CType,
    pub(crate) parameters: Parameters,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Parameters {
    /// `()` and K&R definitions: arguments are not converted by the call.
    Unknown,
    Exact(Vec<CType>),
    /// These, and then any others: `(int, ...)`.
    Variadic(Vec<CType>),
}

/// A struct or union: position in [`Records`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RecordId(usize);

impl RecordId {
    /// One that no other has.
    pub(crate) fn number(self) -> i128 {
        i128::try_from(self.0).unwrap_or(i128::MAX)
    }
}

/// A struct or union type.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// `struct list`, or `struct` when it has no tag.
    pub(crate) name: String,
    /// `None` until it is complete.
    pub(crate) members: Option<Vec<Member>>,
    pub(crate) size: u64,
    pub(crate) alignment: u64,
    pub(crate) kind: RecordKind,
    /// A union of integers that overlap as no two cells can: its cells are bytes.
    pub(crate) in_bytes: bool,
    /// Of a struct that ends with a flexible array member: the elements of which objects of this type consist.
    pub(crate) unit: Option<CType>,
    /// Why no object of this type can be lowered.
    pub(crate) problem: Option<&'static str>,
    /// By offset of a `void *` in it, the records pointers to which the unit stores there, or takes what is there for.
    uses: BTreeMap<u64, BTreeSet<RecordId>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RecordKind {
    Struct,
    Union,
}

/// What attributes say of a layout.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Packing {
    /// No alignment but the one that is asked for.
    pub(crate) packed: bool,
    /// The least alignment, in bytes; 0 if none is asked for.
    pub(crate) alignment: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Missing for an anonymous struct, whose members belong to the enclosing one (C11 6.7.2.1p13).
    pub(crate) name: Option<String>,
    pub(crate) ctype: CType,
    pub(crate) offset: u64,
    pub(crate) packing: Packing,
    /// The number of bits of a bit-field.
    pub(crate) bits: Option<u64>,
}

/// A scalar inside a type laid out flat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    /// Member names joined by dots; empty for a scalar type.
    pub(crate) name: String,
    pub(crate) offset: u64,
    pub(crate) kind: Type,
    /// Of a pointer: what it points to.
    pub(crate) pointee: Option<Rc<CType>>,
}

/// All records of a translation unit.
#[derive(Default, Debug)]
pub(crate) struct Records(Vec<Record>);

impl CType {
    /// Does it consist of elements or members?
    fn has_parts(&self) -> bool {
        matches!(self.shape, Shape::Array(..) | Shape::Record(_))
    }

    pub(crate) const fn new(shape: Shape) -> Self {
        Self { shape, constant: false, volatile: false, long_long: false, bits: None, in_bytes: false }
    }

    pub(crate) const fn void() -> Self {
        Self::new(Shape::Void)
    }

    pub(crate) const fn integer(kind: IntegerType) -> Self {
        Self::new(Shape::Integer(kind))
    }

    pub(crate) const fn int() -> Self {
        Self::integer(IntegerType::I32)
    }

    pub(crate) fn pointer_to(self) -> Self {
        Self::new(Shape::Pointer(Rc::new(self)))
    }

    /// The type of a value read from an object of this type (C11 6.3.2.1p2).
    pub(crate) fn unqualified(&self) -> Self {
        Self { long_long: self.long_long, ..Self::new(self.shape.clone()) }
    }

    pub(crate) const fn as_integer(&self) -> Option<IntegerType> {
        match self.shape {
            Shape::Integer(kind) => Some(kind),
            _ => None,
        }
    }

    pub(crate) fn pointee(&self) -> Option<&Self> {
        match &self.shape {
            Shape::Pointer(target) => Some(target),
            _ => None,
        }
    }

    /// The struct or union that this type is.
    pub(crate) const fn as_record(&self) -> Option<RecordId> {
        match self.shape {
            Shape::Record(id) => Some(id),
            _ => None,
        }
    }

    pub(crate) const fn is_void(&self) -> bool {
        matches!(self.shape, Shape::Void)
    }

    pub(crate) const fn is_pointer(&self) -> bool {
        matches!(self.shape, Shape::Pointer(_))
    }

    pub(crate) const fn is_array(&self) -> bool {
        matches!(self.shape, Shape::Array(..))
    }

    pub(crate) const fn is_record(&self) -> bool {
        matches!(self.shape, Shape::Record(_))
    }

    /// Integers and pointers: what a condition may test.
    pub(crate) const fn is_scalar(&self) -> bool {
        matches!(self.shape, Shape::Integer(_) | Shape::Pointer(_))
    }

    /// The type at the bottom of arrays of arrays; the type itself if it is no array.
    pub(crate) fn base_element(&self) -> &Self {
        let mut inner = self;
        while let Shape::Array(element, _) = &inner.shape {
            inner = element;
        }
        inner
    }
}

impl Records {
    /// A new record without members.
    pub(crate) fn declare(&mut self, name: String, kind: RecordKind) -> RecordId {
        let uses = BTreeMap::new();
        self.0.push(Record { name, members: None, size: 0, alignment: 1, kind, in_bytes: false, unit: None, problem: None, uses });
        RecordId(self.0.len() - 1)
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = RecordId> + use<> {
        (0..self.0.len()).map(RecordId)
    }

    pub(crate) fn get(&self, id: RecordId) -> &Record {
        &self.0[id.0]
    }

    /// The `void *` at the offset is used as a pointer to a record.
    pub(crate) fn note_use(&mut self, id: RecordId, offset: u64, target: RecordId) {
        self.0[id.0].uses.entry(offset).or_default().insert(target);
    }

    /// The one record that the `void *` at the offset is used as a pointer to.
    pub(crate) fn used_as(&self, id: RecordId, offset: u64) -> Option<RecordId> {
        let targets = self.get(id).uses.get(&offset)?;
        targets.first().copied().filter(|_| targets.len() == 1)
    }

    /// The records that the `void *` of a record are used as pointers to, where it is one each.
    pub(crate) fn all_used_as(&self, id: RecordId) -> impl Iterator<Item = RecordId> + '_ {
        self.get(id).uses.keys().filter_map(move |offset| self.used_as(id, *offset))
    }

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
            let align = if is_packed { 1 } else { natural }.max(member.packing.alignment);
            let bits = bytes.checked_mul(8).ok_or(TOO_LARGE)?;
            if kind == RecordKind::Union {
                end = 0;
            }
            if let Some(width) = member.bits {
                if bits > 32 && width >= 32 {
                    // Compilers do not agree on what such a value is promoted to.
                    problem = problem.or(Some("a bit-field of 32 bits or more whose type is wider than int"));
                }
                if is_packed || member.packing.alignment > 0 {
                    return Err("a bit-field with the attribute packed or aligned");
                }
                // A field lies in one unit of its type; without a width it ends the unit that is filled (C11 6.7.2.1p11-12).
                if width == 0 || end % bits + width > bits {
                    end = end.checked_next_multiple_of(bits).ok_or(TOO_LARGE)?;
                }
                member.offset = end / 8;
                let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
                member.ctype.bits = Some(Bits { first: narrow(end % 8), width: narrow(width) });
                end = end.checked_add(width).ok_or(TOO_LARGE)?;
                if member.name.is_some() {
                    alignment = alignment.max(align);
                }
            } else {
                end = end.checked_next_multiple_of(align * 8).ok_or(TOO_LARGE)?;
                member.offset = end / 8;
                end = end.checked_add(bits).ok_or(TOO_LARGE)?;
                alignment = alignment.max(align);
                if is_packed && natural > align && member.ctype.has_parts() {
                    problem = problem.or(Some("a packed struct with an aggregate member"));
                }
            }
            longest = longest.max(end);
        }
        let alignment = alignment.max(packing.alignment);
        let size = longest.max(end).div_ceil(8).checked_next_multiple_of(alignment).ok_or(TOO_LARGE)?;
        // Bits without a name are only padding.
        members.retain(|member| member.name.is_some() || member.bits.is_none());
        let (mut in_bytes, mut unit) = (false, None);
        if members.last().is_some_and(|member| matches!(member.ctype.shape, Shape::Array(_, None))) && problem.is_none() {
            match self.unit_of(&members) {
                Ok(found) => (in_bytes, unit) = (found.is_none(), Some(found.unwrap_or(CType::integer(IntegerType::U8)))),
                Err(found) => problem = Some(found),
            }
        }
        if kind == RecordKind::Union && problem.is_none() {
            match self.overlap(&members) {
                Ok(found) => in_bytes = found,
                Err(found) => problem = Some(found),
            }
        }
        let record = &mut self.0[id.0];
        (record.members, record.size, record.alignment, record.problem) = (Some(members), size, alignment, problem);
        (record.in_bytes, record.unit) = (in_bytes, unit);
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

    /// The elements of which objects of this type consist, if it ends with a flexible array member.
    pub(crate) fn unit(&self, ctype: &CType) -> Option<CType> {
        ctype.base_element().as_record().and_then(|id| self.get(id).unit.clone())
    }

    /// Do members of a union overlap in other ways than as one cell? Then all of its cells are bytes, which pointers cannot be.
    fn overlap(&self, members: &[Member]) -> Result<bool, &'static str> {
        let mut leaves = Vec::new();
        for member in members {
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
        if overlaps && leaves.iter().any(|leaf| leaf.kind == Type::Pointer) {
            return Err("a union in which pointers and integers overlap");
        }
        if overlaps && leaves.iter().any(is_bool) {
            return Err("a union in which _Bool overlaps other members");
        }
        Ok(overlaps)
    }

    /// The type of a part of an object of this type: where the cells are bytes, integers are made of them.
    pub(crate) fn part_type(&self, outer: &CType, inner: &CType) -> CType {
        let is_union_of_bytes = outer.as_record().is_some_and(|id| self.get(id).in_bytes);
        let mut part = inner.clone();
        if !(outer.in_bytes || is_union_of_bytes) || part.bits.is_some() {
            return part;
        }
        match part.shape {
            Shape::Integer(kind) if width(kind) > 8 => part.bits = Some(Bits { first: 0, width: width(kind) }),
            Shape::Integer(_) => {}
            _ => part.in_bytes = true,
        }
        part
    }

    /// Are there objects in this type that are bits of bytes which others have bits of, too?
    pub(crate) fn has_bit_fields(&self, ctype: &CType) -> bool {
        let members = ctype.base_element().as_record().and_then(|id| self.get(id).members.as_ref());
        members.into_iter().flatten().any(|member| member.bits.is_some() || self.has_bit_fields(&member.ctype))
    }

    /// Is the struct aligned less than one of its members wants to be?
    pub(crate) fn is_packed(&self, id: RecordId) -> bool {
        let record = self.get(id);
        let members = record.members.iter().flatten();
        members.into_iter().any(|member| {
            let natural = self.alignment(&member.ctype).unwrap_or(1);
            natural > record.alignment || !member.offset.is_multiple_of(natural)
        })
    }

    /// Is the record the other one's first member, or that one's, and so on? A pointer to either is one to the other (C11 6.7.2.1p15).
    pub(crate) fn begins_with(&self, outer: RecordId, inner: &CType) -> bool {
        let Some(first) = self.get(outer).members.as_ref().and_then(|members| members.first()) else { return true };
        let element = first.ctype.base_element();
        element.shape == inner.shape || element.as_record().is_some_and(|record| self.begins_with(record, inner))
    }

    /// Is the type qualified by `const`, or has it a member that is (C11 6.3.2.1p1)?
    pub(crate) fn has_constant(&self, ctype: &CType) -> bool {
        self.has(ctype, |part| part.constant)
    }

    /// Is the type qualified by `volatile`, or has it a member that is?
    pub(crate) fn has_volatile(&self, ctype: &CType) -> bool {
        self.has(ctype, |part| part.volatile)
    }

    fn has(&self, ctype: &CType, is_qualified: fn(&CType) -> bool) -> bool {
        let element = ctype.base_element();
        is_qualified(ctype)
            || is_qualified(element)
            || element
                .as_record()
                .is_some_and(|id| self.get(id).members.iter().flatten().any(|member| self.has(&member.ctype, is_qualified)))
    }

    /// `sizeof`; nothing for incomplete types. `void` and functions have size 1 in GNU C, which pointer arithmetic on `void *` uses.
    pub(crate) fn size(&self, ctype: &CType) -> Option<u64> {
        match &ctype.shape {
            Shape::Void | Shape::Function(_) => Some(1),
            Shape::Integer(kind) => Some(u64::from(width(*kind)) / 8),
            Shape::Pointer(_) => Some(8),
            Shape::Array(element, length) => self.size(element)?.checked_mul((*length)?),
            Shape::Record(id) => self.get(*id).members.is_some().then(|| self.get(*id).size),
            Shape::Opaque(name) => opaque_size(name),
        }
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

    /// `_Alignof`; nothing for incomplete types.
    pub(crate) fn alignment(&self, ctype: &CType) -> Option<u64> {
        match &ctype.shape {
            Shape::Array(element, _) => self.alignment(element),
            Shape::Record(id) => self.get(*id).members.is_some().then(|| self.get(*id).alignment),
            _ => self.size(ctype),
        }
    }

    /// The scalars of a type in the order of their offsets, or why it cannot be laid out.
    pub(crate) fn leaves(&self, ctype: &CType) -> Result<Vec<Leaf>, &'static str> {
        let mut leaves = Vec::new();
        self.collect(ctype, String::new(), 0, &mut leaves)?;
        Ok(leaves)
    }

    fn collect(&self, ctype: &CType, name: String, offset: u64, leaves: &mut Vec<Leaf>) -> Result<(), &'static str> {
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
                for member in members {
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

    fn collect_member(&self, member: &Member, outer: String, offset: u64, leaves: &mut Vec<Leaf>) -> Result<(), &'static str> {
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

    /// The member of this name and the sum of the offsets to it, also inside anonymous structs.
    pub(crate) fn member(&self, id: RecordId, name: &str) -> Option<(CType, u64)> {
        let members = self.get(id).members.as_ref()?;
        members.iter().find_map(|member| match (&member.name, &member.ctype.shape) {
            (Some(found), _) if found == name => {
                let outer = CType::new(Shape::Record(id));
                Some((self.part_type(&outer, &member.ctype), member.offset))
            }
            (None, Shape::Record(inner)) => self.member(*inner, name).map(|(ctype, offset)| {
                let outer = self.part_type(&CType::new(Shape::Record(id)), &member.ctype);
                (self.part_type(&outer, &ctype), offset + member.offset)
            }),
            _ => None,
        })
    }

    /// The type as C writes it, without qualifiers.
    pub(crate) fn name(&self, ctype: &CType) -> String {
        match &ctype.shape {
            Shape::Void => "void".into(),
            Shape::Integer(kind) => integer_name(*kind).into(),
            Shape::Pointer(target) => {
                let target = self.name(target);
                if target.ends_with('*') { format!("{target}*") } else { format!("{target} *") }
            }
            Shape::Array(element, Some(length)) => format!("{}[{length}]", self.name(element)),
            Shape::Array(element, None) => format!("{}[]", self.name(element)),
            Shape::Record(id) => self.get(*id).name.clone(),
            Shape::Function(_) => "function".into(),
            Shape::Opaque(what) => (*what).into(),
        }
    }
}

fn opaque_size(name: &str) -> Option<u64> {
    match name {
        FLOAT => Some(4),
        DOUBLE => Some(8),
        LONG_DOUBLE => Some(16),
        _ => None,
    }
}

/// What an opaque `float` is called.
pub(crate) const FLOAT: &str = "floating point (float)";
/// What an opaque `double` is called.
pub(crate) const DOUBLE: &str = "floating point (double)";
/// What an opaque `long double` is called.
pub(crate) const LONG_DOUBLE: &str = "floating point (long double)";

/// The C name of an integer type.
pub(crate) const fn integer_name(kind: IntegerType) -> &'static str {
    match kind {
        IntegerType::Bool => "_Bool",
        IntegerType::I8 => "char",
        IntegerType::U8 => "unsigned char",
        IntegerType::I16 => "short",
        IntegerType::U16 => "unsigned short",
        IntegerType::I32 => "int",
        IntegerType::U32 => "unsigned int",
        IntegerType::I64 => "long",
        IntegerType::U64 => "unsigned long",
    }
}

/// Bits of storage; `_Bool` takes a byte.
pub(crate) const fn width(kind: IntegerType) -> u32 {
    match kind {
        IntegerType::Bool | IntegerType::I8 | IntegerType::U8 => 8,
        IntegerType::I16 | IntegerType::U16 => 16,
        IntegerType::I32 | IntegerType::U32 => 32,
        IntegerType::I64 | IntegerType::U64 => 64,
    }
}

pub(crate) const fn is_signed(kind: IntegerType) -> bool {
    matches!(kind, IntegerType::I8 | IntegerType::I16 | IntegerType::I32 | IntegerType::I64)
}

/// The least value of a type.
pub(crate) const fn minimum(kind: IntegerType) -> i128 {
    if is_signed(kind) { -(1 << (width(kind) - 1)) } else { 0 }
}

/// The greatest value of a type.
pub(crate) const fn maximum(kind: IntegerType) -> i128 {
    match kind {
        IntegerType::Bool => 1,
        _ if is_signed(kind) => (1 << (width(kind) - 1)) - 1,
        _ => (1 << width(kind)) - 1,
    }
}

/// Are all values of `inner` values of `outer`?
pub(crate) const fn includes(outer: IntegerType, inner: IntegerType) -> bool {
    minimum(outer) <= minimum(inner) && maximum(inner) <= maximum(outer)
}

pub(crate) const fn in_range(kind: IntegerType, value: i128) -> bool {
    minimum(kind) <= value && value <= maximum(kind)
}

/// The value converted to a type (C11 6.3.1.2, 6.3.1.3; signed types wrap, as GCC defines).
pub(crate) const fn convert(kind: IntegerType, value: i128) -> i128 {
    if matches!(kind, IntegerType::Bool) {
        return (value != 0) as i128;
    }
    let modulus = 1_i128 << width(kind);
    let residue = value.rem_euclid(modulus);
    if residue > maximum(kind) { residue - modulus } else { residue }
}

/// Integer promotion (C11 6.3.1.1p2).
pub(crate) const fn promote(kind: IntegerType) -> IntegerType {
    if width(kind) < 32 { IntegerType::I32 } else { kind }
}

/// The usual arithmetic conversions on integers (C11 6.3.1.8). In the order int, unsigned, long, unsigned long each type either holds all
/// values of the ones before it or wins over them, so the greater one is the common type.
pub(crate) fn common(left: IntegerType, right: IntegerType) -> IntegerType {
    promote(left).max(promote(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_wrap_into_the_type() {
        assert_eq!(convert(IntegerType::I8, 200), -56);
        assert_eq!(convert(IntegerType::U8, -1), 255);
        assert_eq!(convert(IntegerType::Bool, 256), 1);
        assert_eq!(convert(IntegerType::U64, -1), i128::from(u64::MAX));
        assert_eq!(convert(IntegerType::I32, 1 << 31), -(1 << 31));
    }

    #[test]
    fn common_types_follow_the_standard() {
        assert_eq!(common(IntegerType::I8, IntegerType::U8), IntegerType::I32);
        assert_eq!(common(IntegerType::I32, IntegerType::U32), IntegerType::U32);
        assert_eq!(common(IntegerType::U32, IntegerType::I64), IntegerType::I64);
        assert_eq!(common(IntegerType::I64, IntegerType::U64), IntegerType::U64);
    }
}
