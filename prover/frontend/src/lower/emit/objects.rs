//! Layouts, objects of memory and their initial contents.

use super::{Emitter, Line, Outcome, storage::Storage, values::Scalar};
use crate::lower::{
    tree::{Base, Expression, ExpressionKind, GlobalId, Item},
    types::{CType, Leaf, Shape, convert},
};
use goatherd_certificates::program::{
    Access, Advance, Contents, Field, Instruction, IntegerType, Layout, LayoutId, Object, ObjectId, Operand, Origin, Table, TableId, Type,
};
use std::collections::BTreeMap;

/// A pointer into the middle of an object in the initialiser of a static one, which the program form has no contents for.
struct Inside {
    /// Where it is in the static object.
    at: u64,
    object: ObjectId,
    displacement: i64,
    /// In the text.
    offset: usize,
}

impl Emitter<'_> {
    /// The layout of elements of a type.
    pub(crate) fn layout(&mut self, ctype: &CType, offset: usize) -> Outcome<LayoutId> {
        let unit = self.records.unit(ctype);
        let ctype = unit.as_ref().unwrap_or(ctype);
        let leaves = self.leaves(ctype, offset)?;
        let Some(size) = self.records.size(ctype).filter(|size| *size > 0) else {
            return self.unsupported(offset, "an object of size 0");
        };
        let fields = leaves.into_iter().map(|leaf| Field { name: leaf.name, offset: leaf.offset, kind: leaf.kind }).collect();
        let layout = Layout { name: self.records.name(ctype), size, fields };
        Ok(self.add_layout(layout))
    }

    /// The number of the layout, which is listed once.
    pub(crate) fn add_layout(&mut self, layout: Layout) -> LayoutId {
        let known = self.layouts.iter().position(|known| *known == layout);
        let position = known.unwrap_or_else(|| {
            self.layouts.push(layout);
            self.layouts.len() - 1
        });
        LayoutId(u32::try_from(position).unwrap_or(u32::MAX))
    }

    /// The layout of the elements of an object, and how many there are; arrays of arrays are laid out flat.
    pub(crate) fn array_layout(&mut self, ctype: &CType, offset: usize) -> Outcome<(LayoutId, u64)> {
        let unit = self.records.unit(ctype);
        let element = unit.as_ref().unwrap_or(ctype.base_element());
        let layout = self.layout(element, offset)?;
        match (self.records.size(ctype), self.records.size(element)) {
            (Some(total), Some(size)) if size > 0 => Ok((layout, total / size)),
            _ => self.unsupported(offset, "an object of incomplete type"),
        }
    }

    pub(crate) fn object(&mut self, name: &str, layout: LayoutId, origin: Origin) -> ObjectId {
        self.objects.push(Object { name: name.to_owned(), layout, origin });
        ObjectId(u32::try_from(self.objects.len() - 1).unwrap_or(u32::MAX))
    }

    /// A global as an object, with its initial contents.
    pub(crate) fn static_object(&mut self, id: GlobalId) -> Outcome<ObjectId> {
        let global = &self.unit.globals[id];
        let (layout, mut count) = self.array_layout(&global.ctype, global.offset)?;
        // A flexible member is as long as its initialiser (GNU).
        if self.records.unit(&global.ctype).is_some() {
            let size = self.layouts[layout.index()].size.max(1);
            count = global.initial.iter().map(|item| item.offset / size + 1).fold(count, u64::max);
        }
        let constant = global.is_read_only();
        let access = if constant { Access::ReadOnly } else { Access::ReadWrite };
        let object = self.object(&global.name, layout, Origin::Static { count, contents: Vec::new(), access });
        // Known before its contents are: they may point to it.
        self.globals[id] = Some(Storage::Memory(object));
        let unit = self.records.unit(&global.ctype);
        let element = unit.as_ref().unwrap_or(global.ctype.base_element());
        let leaves = self.leaves(element, global.offset)?;
        let size = self.records.size(element).unwrap_or(1);
        let items: BTreeMap<u64, &Item> = global.initial.iter().map(|item| (item.offset, item)).collect();
        let (mut contents, mut inside) = (Vec::new(), Vec::new());
        for leaf in &leaves {
            contents.push(self.contents(leaf, size, count, &items, &mut inside)?);
        }
        if !inside.is_empty() {
            self.set_inside(object, inside);
        }
        if let Some(Object { origin: Origin::Static { contents: place, .. }, .. }) = self.objects.get_mut(object.index()) {
            *place = contents;
        }
        self.set_first(object, &global.initial)?;
        if let Some(item) = global.initial.iter().find(|item| item.value.ctype.is_record()) {
            return self.unsupported(item.value.offset, "a struct value in the initialiser of an object of static storage");
        }
        Ok(object)
    }

    /// What one field of all elements holds; pointers into the middle of objects are added to those that are still to be set.
    fn contents(
        &mut self,
        leaf: &Leaf,
        size: u64,
        count: u64,
        items: &BTreeMap<u64, &Item>,
        inside: &mut Vec<Inside>,
    ) -> Outcome<Contents> {
        let offsets = (0..count).map(|element| element * size + leaf.offset);
        if !offsets.clone().any(|offset| items.contains_key(&offset)) {
            return Ok(Contents::Zero);
        }
        match leaf.kind {
            Type::Integer(kind) => {
                let mut values = Vec::new();
                for offset in offsets {
                    values.push(match items.get(&offset) {
                        None => 0,
                        // It is set before anything else runs.
                        Some(item) if item.value.is_unspecified() => 0,
                        // Of a cell that members of both signs share.
                        Some(item) => match item.value.as_constant() {
                            Some(value) => convert(kind, value),
                            None => return self.not_constant(item.value.offset),
                        },
                    });
                }
                if values.iter().all(|value| *value == 0) {
                    return Ok(Contents::Zero);
                }
                self.tables.push(Table { kind, values });
                Ok(Contents::Table(TableId(u32::try_from(self.tables.len() - 1).unwrap_or(u32::MAX))))
            }
            Type::Pointer => {
                let mut pointers = Vec::new();
                for offset in offsets {
                    pointers.push(match items.get(&offset) {
                        None => None,
                        Some(item) if item.value.is_set_first() => None,
                        Some(item) => match self.constant_pointer(&item.value)? {
                            Some((object, 0)) => Some(object),
                            Some((object, displacement)) => {
                                inside.push(Inside { at: offset, object, displacement, offset: item.value.offset });
                                None
                            }
                            None => None,
                        },
                    });
                }
                Ok(if pointers.iter().all(Option::is_none) { Contents::Zero } else { Contents::Pointers(pointers) })
            }
        }
    }

    /// Sets pointers of a static object before anything else runs.
    fn set_inside(&mut self, holder: ObjectId, pointers: Vec<Inside>) {
        let in_use = self.temporaries_in_use();
        let (address, target) = (self.temporary(Type::Pointer), self.temporary(Type::Pointer));
        for Inside { at, object, displacement, offset } in pointers {
            let instructions = [
                Instruction::Address { target: address, object: holder },
                Instruction::Address { target, object },
                Instruction::Advance(Advance { target, base: target, index: Operand::Constant(displacement.into()), scale: 1 }),
                Instruction::Store { address, offset: i64::try_from(at).unwrap_or(i64::MAX), source: target },
            ];
            self.prologue.extend(instructions.map(|instruction| Line { instruction, offset }));
        }
        self.release(in_use);
    }

    /// What C leaves open in a static object, and numbers in the cells of pointers, before anything else runs.
    fn set_first(&mut self, holder: ObjectId, items: &[Item]) -> Outcome<()> {
        for Item { offset: at, value, .. } in items.iter().filter(|item| item.value.is_set_first()) {
            self.in_prologue(|emitter| {
                let source = emitter.scalar(value, None)?;
                let kind = value.ctype.as_integer().map_or(Type::Pointer, Type::Integer);
                let (source, address) = (emitter.in_register(source, kind, value.offset), emitter.temporary(Type::Pointer));
                emitter.push(Instruction::Address { target: address, object: holder }, value.offset);
                let offset = i64::try_from(*at).unwrap_or(i64::MAX);
                emitter.push(Instruction::Store { address, offset, source }, value.offset);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Writes instructions, straight on, that run before anything else.
    fn in_prologue(&mut self, write: impl FnOnce(&mut Self) -> Outcome<()>) -> Outcome<()> {
        let (lines, in_use) = (std::mem::take(&mut self.lines), self.temporaries_in_use());
        let outcome = write(self);
        let written = std::mem::replace(&mut self.lines, lines);
        self.prologue.extend(written);
        self.release(in_use);
        outcome
    }

    fn not_constant<T>(&mut self, offset: usize) -> Outcome<T> {
        self.unsupported(offset, "an initialiser of static storage that is not constant")
    }

    /// An address constant (C11 6.6p9): an object and a displacement in bytes, or nothing for NULL.
    fn constant_pointer(&mut self, value: &Expression) -> Outcome<Option<(ObjectId, i64)>> {
        match &value.kind {
            ExpressionKind::Constant(_) => Ok(None),
            ExpressionKind::Convert(inner) if inner.ctype.is_pointer() => self.constant_pointer(inner),
            ExpressionKind::Function(function) => {
                let register = self.function_pointer(*function);
                Ok(self.pointers.get(&register).map(|known| (known.object, 0)))
            }
            ExpressionKind::AddressOf(place) => match place.base {
                Base::Global(id) => match self.global_storage(id)? {
                    Storage::Memory(object) => Ok(Some((object, place.displacement))),
                    Storage::Scalars(_) | Storage::Activation { .. } => self.not_constant(value.offset),
                },
                _ => self.not_constant(value.offset),
            },
            ExpressionKind::Advance { base, index, scale, within: None } => {
                let moved = index.as_constant().and_then(|steps| i64::try_from(steps).ok()).and_then(|steps| steps.checked_mul(*scale));
                match (self.constant_pointer(base)?, moved) {
                    (Some((object, displacement)), Some(moved)) => match displacement.checked_add(moved) {
                        Some(total) => Ok(Some((object, total))),
                        None => self.not_constant(value.offset),
                    },
                    _ => self.not_constant(value.offset),
                }
            }
            _ => self.not_constant(value.offset),
        }
    }

    /// Sets the registers of a global before anything else runs.
    pub(crate) fn initialise_global(&mut self, id: GlobalId, storage: &Storage) -> Outcome<()> {
        let global = &self.unit.globals[id];
        let Storage::Scalars(scalars) = storage else { return Ok(()) };
        if global.initial.iter().any(|item| item.value.ctype.is_record()) {
            return self.not_constant(global.offset);
        }
        for (offset, scalar) in scalars {
            let Some(target) = scalar.register() else { continue };
            self.shared.insert(target);
            let item = global.initial.iter().find(|item| item.offset == *offset);
            let at = item.map_or(global.offset, |item| item.value.offset);
            if let Some(item) = item.filter(|item| item.value.is_set_first()) {
                self.in_prologue(|emitter| emitter.evaluate_into(&item.value, target))?;
                continue;
            }
            let mut instructions = Vec::new();
            match (scalar, item) {
                (Scalar::Integer(..), item) => {
                    let value = match item.map(|item| item.value.as_constant()) {
                        None => 0,
                        Some(Some(value)) => value,
                        Some(None) => return self.not_constant(at),
                    };
                    instructions.push(Instruction::Assign { target, value: Operand::Constant(value) });
                }
                (Scalar::Pointer(_), None) => instructions.push(Instruction::Null { target }),
                (Scalar::Pointer(_), Some(item)) => match self.constant_pointer(&item.value)? {
                    None => instructions.push(Instruction::Null { target }),
                    Some((object, displacement)) => {
                        instructions.push(Instruction::Address { target, object });
                        if displacement != 0 {
                            let index = Operand::Constant(i128::from(displacement));
                            instructions.push(Instruction::Advance(Advance { target, base: target, index, scale: 1 }));
                        }
                    }
                },
            }
            self.prologue.extend(instructions.into_iter().map(|instruction| Line { instruction, offset: at }));
        }
        Ok(())
    }

    /// The type's elements are bytes: memory that may be given any type.
    pub(crate) fn is_untyped(&self, ctype: &CType) -> bool {
        match &ctype.shape {
            Shape::Void | Shape::Function(_) | Shape::Opaque(_) => true,
            Shape::Integer(kind) => *kind != IntegerType::Bool && self.records.size(ctype) == Some(1),
            Shape::Record(id) => self.records.get(*id).members.is_none(),
            _ => false,
        }
    }
}
