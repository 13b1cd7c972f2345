//! The types of C that programs are lowered from, and their sizes on LP64 (C11 6.2.5).

mod compatible;
mod integers;
mod layout;
mod leaves;

use goatherd_certificates::program::{IntegerType, Type};
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

pub(crate) use integers::{common, convert, in_range, includes, integer_name, is_signed, maximum, minimum, promote, width};

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
    /// `signed char`, which has the values of `char` and is another type (C11 6.2.5p15).
    pub(crate) signed_char: bool,
    /// Of an object that is not a cell of its own: the bits that it has of the bytes where it lies.
    pub(crate) bits: Option<Bits>,
    /// Of an aggregate in a union whose cells are bytes.
    pub(crate) in_bytes: bool,
}

/// Bits of bytes, from the lowest bit of the first byte on: a bit-field, or an integer in a union whose cells are bytes; or of a pointer's cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bits {
    pub(crate) first: u32,
    pub(crate) width: u32,
    pub(crate) holder: Holder,
}

/// What bits are taken from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holder {
    Bytes,
    /// The cell of a pointer in a union, which holds a number instead.
    Pointer,
}

impl Bits {
    /// How many bytes there are bits of.
    pub(crate) const fn bytes(self) -> u32 {
        (self.first + self.width).div_ceil(8)
    }

    /// Which bits of the byte of this number, counted from the first one that there are bits of.
    pub(crate) const fn mask(self, byte: u32) -> u32 {
        let end = self.first + self.width;
        let low = if byte == 0 { self.first } else { 0 };
        let high = if end < 8 * byte + 8 { end - 8 * byte } else { 8 };
        ((1 << (high - low)) - 1) << low
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

/// The name of the struct that a `va_list` has one of; those with tags are called by their keyword too.
pub(crate) const ARGUMENT_LIST: &str = "va_list";

/// A struct or union: position in [`Records`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RecordId(usize);

impl RecordId {
    /// One that no other has.
    pub(crate) fn number(self) -> i128 {
        i128::try_from(self.0).unwrap_or(i128::MAX)
    }
}

/// Whose the padding in the members of a union is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Padding {
    /// Nobody's; and of whatever is no union.
    Own,
    /// That of one member is a value of another one.
    Shared,
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
    /// A union of integers and pointers: where they overlap is the cell of a pointer.
    pub(crate) has_numbers: bool,
    /// Whose the bytes between the members of its members are.
    pub(crate) padding: Padding,
    /// Of a struct that ends with a flexible array member: the elements of which objects of this type consist.
    pub(crate) unit: Option<CType>,
    /// Values of it come from bytes of a union, or go there: what holds one lies in memory, where there are no cells without a value.
    pub(crate) meets_bytes: bool,
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
    /// The greatest alignment that members have, of `#pragma pack`.
    pub(crate) limit: Option<u64>,
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
    pub(crate) fn has_parts(&self) -> bool {
        matches!(self.shape, Shape::Array(..) | Shape::Record(_))
    }

    pub(crate) const fn new(shape: Shape) -> Self {
        Self { shape, constant: false, volatile: false, long_long: false, signed_char: false, bits: None, in_bytes: false }
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
        Self { long_long: self.long_long, signed_char: self.signed_char, ..Self::new(self.shape.clone()) }
    }

    pub(crate) const fn as_integer(&self) -> Option<IntegerType> {
        match self.shape {
            Shape::Integer(kind) => Some(kind),
            _ => None,
        }
    }

    /// Are the parameters known, if it is a function?
    pub(crate) fn has_prototype(&self) -> bool {
        !matches!(&self.shape, Shape::Function(signature) if signature.parameters == Parameters::Unknown)
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

    /// Which bits an integer has of the number in a pointer's cell, if it lies in one.
    pub(crate) fn bits_of_number(&self) -> Option<Bits> {
        self.bits.filter(|bits| bits.holder == Holder::Pointer)
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
    /// Is there a union in whose members others have padding?
    pub(crate) fn share_padding(&self) -> bool {
        self.0.iter().any(|record| record.padding == Padding::Shared)
    }

    /// A new record without members.
    pub(crate) fn declare(&mut self, name: String, kind: RecordKind) -> RecordId {
        let uses = BTreeMap::new();
        self.0.push(Record {
            name,
            members: None,
            size: 0,
            alignment: 1,
            kind,
            in_bytes: false,
            has_numbers: false,
            padding: Padding::Own,
            unit: None,
            meets_bytes: false,
            problem: None,
            uses,
        });
        RecordId(self.0.len() - 1)
    }

    /// Is it the struct of a `va_list`, or an array of these?
    pub(crate) fn is_argument_list(&self, ctype: &CType) -> bool {
        ctype.base_element().as_record().is_some_and(|id| self.get(id).name == ARGUMENT_LIST)
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

    /// A value of this type comes from bytes of a union, or goes there.
    pub(crate) fn note_bytes(&mut self, id: RecordId) {
        self.0[id.0].meets_bytes = true;
    }

    /// Is there such a value in an object of this type?
    pub(crate) fn meets_bytes(&self, ctype: &CType) -> bool {
        ctype.base_element().as_record().is_some_and(|id| {
            let record = self.get(id);
            record.meets_bytes || record.members.iter().flatten().any(|member| self.meets_bytes(&member.ctype))
        })
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

    /// The elements of which objects of this type consist, if it ends with a flexible array member.
    pub(crate) fn unit(&self, ctype: &CType) -> Option<CType> {
        ctype.base_element().as_record().and_then(|id| self.get(id).unit.clone())
    }

    /// The type of a part of an object of this type: where the cells are bytes, integers are made of them.
    pub(crate) fn part_type(&self, outer: &CType, inner: &CType) -> CType {
        let record = outer.as_record().map(|id| self.get(id));
        let is_union_of_bytes = record.is_some_and(|record| record.in_bytes);
        let mut part = inner.clone();
        if let (true, Shape::Integer(kind)) = (record.is_some_and(|record| record.has_numbers), &part.shape) {
            part.bits = Some(Bits { first: 0, width: part.bits.map_or(width(*kind), |bits| bits.width), holder: Holder::Pointer });
            return part;
        }
        if !(outer.in_bytes || is_union_of_bytes) || part.bits.is_some() {
            return part;
        }
        match part.shape {
            Shape::Integer(kind) if width(kind) > 8 => part.bits = Some(Bits { first: 0, width: width(kind), holder: Holder::Bytes }),
            Shape::Integer(_) => {}
            _ => part.in_bytes = true,
        }
        part
    }

    /// Is the struct aligned less than one of its members wants to be?
    pub(crate) fn is_packed(&self, id: RecordId) -> bool {
        let record = self.get(id);
        let members = record.members.iter().flatten();
        // A bit-field begins anywhere.
        members.into_iter().filter(|member| member.bits.is_none()).any(|member| {
            let natural = self.alignment(&member.ctype).unwrap_or(1);
            natural > record.alignment || !member.offset.is_multiple_of(natural)
        })
    }

    /// Do attributes say how a struct or one of its members is aligned?
    pub(crate) fn is_aligned_otherwise(&self, id: RecordId) -> bool {
        let mut members = self.get(id).members.iter().flatten();
        self.is_packed(id)
            || members.any(|member| {
                let inner = member.ctype.as_record().filter(|_| member.name.is_none());
                member.packing != Packing::default() || member.bits.is_some() || inner.is_some_and(|inner| self.is_aligned_otherwise(inner))
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

    /// `_Alignof`; nothing for incomplete types.
    pub(crate) fn alignment(&self, ctype: &CType) -> Option<u64> {
        match &ctype.shape {
            Shape::Array(element, _) => self.alignment(element),
            Shape::Record(id) => self.get(*id).members.is_some().then(|| self.get(*id).alignment),
            _ => self.size(ctype),
        }
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
