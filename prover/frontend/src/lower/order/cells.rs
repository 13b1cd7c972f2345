//! What can be read and written, and which of it may be the same.
//!
//! Memory is told apart by where a pointer may point ([`super::roots`]) and by the width of its cells: accesses of different width never meet,
//! because the program form has no access to a part of a cell (`spec/program.md#effective-types`).

use super::{effects::Scene, roots::Region};
use crate::lower::{
    tree::{Base, Expression, ExpressionKind, GlobalId, Place, VariableId},
    types::{CType, Shape, width},
};
use goatherd_certificates::program::{IntegerType, Type};
use std::collections::BTreeSet;

/// Something that an expression reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Cell {
    Variable(VariableId, Span),
    Global(GlobalId, Span),
    Memory(Width, Region),
    /// Whether something is still there: what frees writes that, and using a pointer to it reads it.
    Life(Region),
}

/// Bytes of an object, or bits: from the first to before the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Span {
    from: i64,
    to: i64,
}

/// What a cell of memory is wide.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Width {
    Bits(u32),
    Pointer,
}

/// All kinds of cells, for structs whose members are not known and for `free`.
const ALL_WIDTHS: [Width; 5] = [Width::Bits(8), Width::Bits(16), Width::Bits(32), Width::Bits(64), Width::Pointer];

/// A cell that an access touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    /// Bytes behind the access's address.
    from: i64,
    width: Width,
    /// Of a byte: the bits that the access has of it.
    mask: u32,
}

/// Parts of one access and of another that may be one cell, by their offsets.
pub(super) type Pairs = Vec<(i64, i64)>;

/// How two accesses meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meeting {
    Never,
    Perhaps,
    Always,
}

/// Which parts of one access may be parts of the other: cells of the program form are read and written as wholes, but for bits of bytes.
pub(super) fn pairs(one: &[Part], other: &[Part]) -> Pairs {
    let may_meet = |left: &Part, right: &Part| left.width == right.width && left.mask & right.mask != 0;
    let of = |left: &Part| other.iter().filter(|right| may_meet(left, right)).map(|right| (left.from, right.from)).collect::<Vec<_>>();
    one.iter().flat_map(of).collect()
}

impl Span {
    const WHOLE: Self = Self { from: i64::MIN, to: i64::MAX };

    const fn meets(self, other: Self) -> bool {
        self.from < other.to && other.from < self.to
    }
}

/// A place by what the text calls it: an object, then the offsets at which pointers are loaded, then bits of what the last one points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Name {
    root: Root,
    path: Vec<i64>,
    span: Span,
    /// The cells that the loaded pointers are in: while they are not written, the same name is the same place.
    pub(super) loads: Vec<Cell>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Root {
    Variable(VariableId),
    Global(GlobalId),
}

impl Name {
    /// How two places meet whose names stay what they are.
    pub(super) fn meets(&self, other: &Self) -> Meeting {
        match (self.root == other.root && self.path == other.path, self.span.meets(other.span)) {
            (false, _) => Meeting::Perhaps,
            (true, false) => Meeting::Never,
            (true, true) => Meeting::Always,
        }
    }
}

impl Scene<'_> {
    /// The name of a place, if it is found by loads alone.
    pub(super) fn name(&self, place: &Place) -> Option<Name> {
        let (root, path, loads, from) = self.base_name(place)?;
        let from = from.saturating_mul(8);
        let span = match place.ctype.bits {
            Some(bits) => {
                let from = from.saturating_add(i64::from(bits.first));
                Span { from, to: from.saturating_add(i64::from(bits.width)) }
            }
            None => Span { from, to: from.saturating_add(self.size(&place.ctype).saturating_mul(8)) },
        };
        Some(Name { root, path, span, loads })
    }

    fn base_name(&self, place: &Place) -> Option<(Root, Vec<i64>, Vec<Cell>, i64)> {
        let (root, path, loads, from) = match &place.base {
            Base::Variable(id) => (Root::Variable(*id), Vec::new(), Vec::new(), 0),
            Base::Global(id) => (Root::Global(*id), Vec::new(), Vec::new(), 0),
            Base::Pointer(pointer) => self.target_name(pointer)?,
            Base::Value(_) | Base::Literal(..) => return None,
        };
        Some((root, path, loads, from.checked_add(place.displacement)?))
    }

    /// The name of what a pointer points to.
    fn target_name(&self, pointer: &Expression) -> Option<(Root, Vec<i64>, Vec<Cell>, i64)> {
        match &pointer.kind {
            ExpressionKind::Convert(inner) if inner.ctype.is_pointer() => self.target_name(inner),
            ExpressionKind::Read(place) => {
                let (root, mut path, mut loads, from) = self.base_name(place)?;
                path.push(from);
                loads.extend(self.cells(place));
                Some((root, path, loads, 0))
            }
            ExpressionKind::AddressOf(place) => self.base_name(place),
            ExpressionKind::Advance { base, index, scale, within: None } => {
                let (root, path, loads, from) = self.target_name(base)?;
                let moved = i64::try_from(index.as_constant()?).ok()?.checked_mul(*scale)?;
                Some((root, path, loads, from.checked_add(moved)?))
            }
            _ => None,
        }
    }

    fn size(&self, ctype: &CType) -> i64 {
        self.records.size(ctype).and_then(|size| i64::try_from(size).ok()).unwrap_or(i64::MAX)
    }

    /// What reading or writing a place touches.
    pub(super) fn cells(&self, place: &Place) -> Vec<Cell> {
        let span = Span { from: place.displacement, to: place.displacement.saturating_add(self.size(&place.ctype)) };
        match &place.base {
            Base::Variable(id) if !self.is_addressed(*id) => vec![Cell::Variable(*id, span)],
            Base::Literal(id, _) => vec![Cell::Variable(*id, Span::WHOLE)],
            Base::Global(id) if !self.unit.globals[*id].addressed => vec![Cell::Global(*id, span)],
            Base::Value(_) => Vec::new(),
            Base::Variable(_) | Base::Global(_) | Base::Pointer(_) => memory(&self.widths(&place.ctype), &self.roots.around(place)),
        }
    }

    /// The cells of an access of this type, if they are known.
    pub(super) fn parts(&self, ctype: &CType) -> Option<Vec<Part>> {
        let whole = |kind: Type, from: u64| Some(Part { from: i64::try_from(from).ok()?, width: width_of(kind), mask: u32::MAX });
        if ctype.in_bytes && ctype.is_record() {
            let byte = |number: u64| whole(Type::Integer(IntegerType::U8), number);
            return (0..self.records.size(ctype)?).map(byte).collect();
        }
        if let Some(bits) = ctype.bits {
            let byte = |number: u32| Part { from: i64::from(number), width: Width::Bits(8), mask: bits.mask(number) };
            return Some((0..bits.bytes()).map(byte).collect());
        }
        self.records.leaves(ctype).ok()?.iter().map(|leaf| whole(leaf.kind, leaf.offset)).collect()
    }

    /// All cells of a local object of several parts.
    pub(super) fn own_cells(&self, id: VariableId) -> Vec<Cell> {
        let variable = &self.unit.functions[self.function].variables[id];
        match (variable.ctype.is_scalar(), variable.addressed) {
            (true, _) => Vec::new(),
            (false, true) => memory(&ALL_WIDTHS, &BTreeSet::from([Region::Variable(id)])),
            (false, false) => vec![Self::whole_variable(id)],
        }
    }

    pub(super) fn whole_variable(id: VariableId) -> Cell {
        Cell::Variable(id, Span::WHOLE)
    }

    /// The widths of the cells of a type.
    fn widths(&self, ctype: &CType) -> Vec<Width> {
        if ctype.bits.is_some() || ctype.in_bytes && ctype.is_record() {
            return vec![Width::Bits(8)];
        }
        match &ctype.base_element().shape {
            Shape::Integer(kind) => vec![Width::Bits(width(*kind))],
            Shape::Pointer(_) => vec![Width::Pointer],
            _ => match self.records.leaves(ctype) {
                Ok(leaves) => leaves.iter().map(|known| width_of(known.kind)).collect::<BTreeSet<_>>().into_iter().collect(),
                Err(_) => ALL_WIDTHS.to_vec(),
            },
        }
    }

    /// May two cells be one?
    pub(super) fn overlap(&self, one: Cell, two: Cell) -> bool {
        match (one, two) {
            (Cell::Variable(one, left), Cell::Variable(two, right)) | (Cell::Global(one, left), Cell::Global(two, right)) => {
                one == two && left.meets(right)
            }
            (Cell::Memory(one_width, one), Cell::Memory(two_width, two)) => one_width == two_width && self.regions_meet(one, two),
            (Cell::Life(one), Cell::Life(two)) => self.regions_meet(one, two),
            _ => false,
        }
    }

    /// May two of these cells be one?
    pub(super) fn any_overlap(&self, some: &[Cell], others: &[Cell]) -> bool {
        some.iter().any(|one| others.iter().any(|other| self.overlap(*one, *other)))
    }

    fn regions_meet(&self, one: Region, two: Region) -> bool {
        match (one, two) {
            (Region::Anywhere, _) | (_, Region::Anywhere) => true,
            // The inputs of the program are apart from each other and from globals; other parameters may point to the same.
            (Region::Parameter(..), Region::Parameter(..) | Region::Global(_)) | (Region::Global(_), Region::Parameter(..)) => {
                one == two || self.function != self.unit.entry || self.unit.circles.is_recursive(self.unit.entry)
            }
            // A call of itself may hand on what the function allocates.
            (Region::Parameter(..), Region::Fresh) | (Region::Fresh, Region::Parameter(..)) => {
                self.unit.circles.is_recursive(self.function)
            }
            _ => one == two,
        }
    }
}

fn width_of(kind: Type) -> Width {
    match kind {
        Type::Integer(kind) => Width::Bits(width(kind)),
        Type::Pointer => Width::Pointer,
    }
}

/// Cells of these widths in these parts of memory.
pub(super) fn memory(widths: &[Width], regions: &BTreeSet<Region>) -> Vec<Cell> {
    widths.iter().flat_map(|width| regions.iter().map(|region| Cell::Memory(*width, *region))).collect()
}

/// All of what may be in these parts of memory, and that they are there.
pub(super) fn everything(regions: &BTreeSet<Region>) -> Vec<Cell> {
    let mut cells = memory(&ALL_WIDTHS, regions);
    cells.extend(lives(regions));
    cells
}

/// That these parts of memory are there.
pub(super) fn lives(regions: &BTreeSet<Region>) -> impl Iterator<Item = Cell> {
    regions.iter().map(|region| Cell::Life(*region))
}
