//! The arrays that structs have as members, as far as layouts tell.

use goatherd_certificates::program::{Contents, Field, Layout, Object, ObjectId, Origin, Program, Type};
use std::{collections::BTreeSet, ops::Range};

/// How the names begin of the objects in which arrays are apart: those of variables have no spaces.
pub(super) const NAME: &str = "array ";

/// The elements of shorter arrays are told apart.
const LEAST: usize = 17;

/// An array inside the one element of an object.
#[derive(Clone, Debug)]
pub(super) struct Inner {
    pub(super) object: ObjectId,
    /// What the member is called.
    pub(super) name: String,
    /// The byte at which it begins.
    pub(super) start: i64,
    /// How many bytes an element has.
    pub(super) stride: i64,
    pub(super) count: i64,
    /// Which fields of the object's layout it consists of, element by element.
    pub(super) fields: Range<usize>,
}

impl Inner {
    /// Is this byte of the object in the array?
    pub(super) const fn contains(&self, byte: i64) -> bool {
        self.start <= byte && byte < self.start + self.stride * self.count
    }

    /// The index of the element that begins at this byte.
    pub(super) const fn index(&self, byte: i64) -> Option<i64> {
        if self.contains(byte) && (byte - self.start) % self.stride == 0 { Some((byte - self.start) / self.stride) } else { None }
    }

    /// How many fields an element has.
    pub(super) fn width(&self) -> usize {
        usize::try_from(self.count).map_or(self.fields.len(), |count| self.fields.len() / count.max(1))
    }
}

/// The arrays of variables that nothing static points to; some of the struct is left without them.
pub(super) fn inner_arrays(program: &Program) -> Vec<Inner> {
    let pointed: BTreeSet<ObjectId> = program.objects.iter().flat_map(pointed).collect();
    let objects = (0..).map(ObjectId).zip(&program.objects);
    let variables = objects.filter(|(id, object)| is_single(object) && !pointed.contains(id));
    variables
        .flat_map(|(id, object)| program.layouts.get(object.layout.index()).map_or(Vec::new(), |layout| of_layout(id, layout)))
        .collect()
}

const fn is_single(object: &Object) -> bool {
    matches!(object.origin, Origin::Local { count: 1 } | Origin::Static { count: 1, .. })
}

/// The objects to which the contents of a static one lead.
fn pointed(object: &Object) -> Vec<ObjectId> {
    let Origin::Static { contents, .. } = &object.origin else { return Vec::new() };
    let targets = contents.iter().filter_map(|field| if let Contents::Pointers(targets) = field { Some(targets) } else { None });
    targets.flatten().flatten().copied().collect()
}

fn of_layout(object: ObjectId, layout: &Layout) -> Vec<Inner> {
    let mut arrays = Vec::new();
    let mut first = 0;
    while let Some(field) = layout.fields.get(first) {
        let name = field.name.split('[').next().unwrap_or_default();
        let end = first + layout.fields[first..].iter().take_while(|other| is_element(other, name)).count().max(1);
        arrays.extend(array(object, layout, name, first..end));
        first = end;
    }
    let taken: usize = arrays.iter().map(|array| array.fields.len()).sum();
    if taken < layout.fields.len() { arrays } else { Vec::new() }
}

/// Is the field part of an element of the array of this name?
fn is_element(field: &Field, name: &str) -> bool {
    field.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('['))
}

/// These fields as an array, if they are elements that are alike: of one scalar each, or as the first index says.
fn array(object: ObjectId, layout: &Layout, name: &str, range: Range<usize>) -> Option<Inner> {
    let fields = &layout.fields[range.clone()];
    let second = format!("{name}[1]");
    let is_second =
        |field: &Field| field.name.strip_prefix(&second).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '/']));
    let of_rows = fields.iter().position(is_second)?;
    // Structs stay together; rows do not, which are indexed as well.
    let of_scalars = if fields.iter().any(|field| field.name[name.len()..].contains('.')) { of_rows } else { 1 };
    [of_scalars, of_rows].into_iter().find_map(|width| {
        let stride = fields.get(width)?.offset.checked_sub(fields.first()?.offset)?;
        let is_alike = |(position, field): (usize, &Field)| {
            let (row, model) = (position / width, &fields[position % width]);
            field.kind == model.kind
                && Some(field.offset) == (row as u64).checked_mul(stride).and_then(|bytes| bytes.checked_add(model.offset))
        };
        let count = fields.len() / width;
        // One scalar each: nothing lies between two of them.
        let is_dense = width > 1 || size(fields.first()?.kind) == stride;
        let is_array = count >= LEAST && fields.len().is_multiple_of(width) && is_dense && fields.iter().enumerate().all(is_alike);
        let start = i64::try_from(fields.first()?.offset).ok()?;
        let (stride, count) = (i64::try_from(stride).ok()?, i64::try_from(count).ok()?);
        is_array.then(|| Inner { object, name: name.to_owned(), start, stride, count, fields: range.clone() })
    })
}

/// How many bytes a scalar has.
pub(super) const fn size(kind: Type) -> u64 {
    match kind {
        Type::Integer(kind) => crate::lower::types::width(kind).div_ceil(8) as u64,
        Type::Pointer => 8,
    }
}
