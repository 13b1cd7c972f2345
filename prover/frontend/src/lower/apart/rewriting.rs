//! The program in which arrays are apart.

use super::{
    arrays::{Inner, NAME},
    places::{Place, Places, element},
};
use crate::lower::groups::{Group, Placed, replace};
use goatherd_certificates::program::{
    Advance, Contents, Field, Instruction, Layout, LayoutId, Object, ObjectId, Operand, Origin, Program, Register, RegisterId, Table,
    TableId, Type,
};
use std::collections::{BTreeMap, BTreeSet};

/// The program with the arrays in objects of their own.
pub(super) fn rewrite((mut program, offsets): Placed, arrays: &[Inner], places: &Places) -> Placed {
    let objects = arrays.iter().map(|array| add_object(&mut program, array)).collect();
    let structs: BTreeSet<ObjectId> = arrays.iter().map(|array| array.object).collect();
    for object in structs {
        take_out(&mut program, object, arrays);
    }
    let pointer = RegisterId(number(program.registers.len()));
    program.registers.push(Register { name: NAME.trim_end().to_owned(), kind: Type::Pointer });
    let rewriting = Rewriting { arrays, objects, pointer };
    let groups = program.instructions.iter().zip(places).map(|(instruction, known)| rewriting.group(instruction, known)).collect();
    replace((program, offsets), groups)
}

fn number(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// The object of an array, with what the array holds at first.
fn add_object(program: &mut Program, array: &Inner) -> ObjectId {
    let of = &program.objects[array.object.index()];
    let name = format!("{NAME}{}.{}", of.name, array.name);
    let fields = &program.layouts[of.layout.index()].fields[array.fields.clone()];
    let first = format!("{}[0]", array.name);
    let inside = |field: &Field| Field {
        name: field.name.strip_prefix(&first).unwrap_or_default().trim_start_matches('.').to_owned(),
        offset: field.offset.saturating_sub(array.start.unsigned_abs()),
        kind: field.kind,
    };
    let fields: Vec<Field> = fields.iter().take(array.width()).map(inside).collect();
    let count = array.count.unsigned_abs();
    let origin = match of.origin.clone() {
        Origin::Static { contents, access, .. } => {
            let contents = (0..fields.len()).map(|field| {
                let held: Vec<&Contents> = contents[array.fields.clone()].iter().skip(field).step_by(fields.len()).collect();
                together(&mut program.tables, &held, fields[field].kind)
            });
            Origin::Static { count, contents: contents.collect(), access }
        }
        _ => Origin::Local { count },
    };
    let layout = LayoutId(number(program.layouts.len()));
    program.layouts.push(Layout { name: name.clone(), size: array.stride.unsigned_abs(), fields });
    program.objects.push(Object { name, layout, origin });
    ObjectId(number(program.objects.len() - 1))
}

/// What fields of one element each hold, as one field of as many elements.
fn together(tables: &mut Vec<Table>, held: &[&Contents], kind: Type) -> Contents {
    if held.iter().all(|contents| **contents == Contents::Zero) {
        return Contents::Zero;
    }
    let Type::Integer(kind) = kind else {
        let target =
            |contents: &&Contents| if let Contents::Pointers(targets) = contents { targets.first().copied().flatten() } else { None };
        return Contents::Pointers(held.iter().map(target).collect());
    };
    let value = |contents: &&Contents| match contents {
        Contents::Table(table) => tables.get(table.index()).and_then(|table| table.values.first()).copied().unwrap_or_default(),
        _ => 0,
    };
    let values = held.iter().map(value).collect();
    tables.push(Table { kind, values });
    Contents::Table(TableId(number(tables.len() - 1)))
}

/// Gives an object a layout without its arrays.
fn take_out(program: &mut Program, id: ObjectId, arrays: &[Inner]) {
    let is_left = |field: &usize| !arrays.iter().any(|array| array.object == id && array.fields.contains(field));
    let object = &mut program.objects[id.index()];
    let layout = &program.layouts[object.layout.index()];
    let left: Vec<usize> = (0..layout.fields.len()).filter(is_left).collect();
    let fields = left.iter().map(|field| layout.fields[*field].clone()).collect();
    let layout = Layout { fields, ..layout.clone() };
    object.layout = LayoutId(number(program.layouts.len()));
    program.layouts.push(layout);
    if let Origin::Static { contents, .. } = &mut object.origin {
        *contents = left.iter().map(|field| contents[*field].clone()).collect();
    }
}

/// What is needed to rewrite an instruction.
struct Rewriting<'a> {
    arrays: &'a [Inner],
    /// The objects of the arrays.
    objects: Vec<ObjectId>,
    /// Leads to an element of an array that is accessed at a constant index.
    pointer: RegisterId,
}

impl Rewriting<'_> {
    fn group(&self, instruction: &Instruction, known: &BTreeMap<RegisterId, Place>) -> Group {
        let several = match instruction {
            Instruction::Enter { object } => self.with_arrays(*object, |object| Instruction::Enter { object }),
            Instruction::Leave { object } => self.with_arrays(*object, |object| Instruction::Leave { object }),
            Instruction::Advance(advance) => self.advance(advance, known.get(&advance.base)),
            Instruction::Load { target, address, offset } => {
                self.access(known.get(address), *offset, |address, offset| Instruction::Load { target: *target, address, offset })
            }
            Instruction::Store { address, offset, source } => {
                self.access(known.get(address), *offset, |address, offset| Instruction::Store { address, offset, source: *source })
            }
            _ => None,
        };
        several.map_or_else(|| Group::Own(instruction.clone()), Group::Several)
    }

    /// The arrays of an object come and go with it.
    fn with_arrays(&self, object: ObjectId, instruction: impl Fn(ObjectId) -> Instruction) -> Option<Vec<Instruction>> {
        let own = self.arrays.iter().zip(&self.objects).filter(|(array, _)| array.object == object).map(|(_, apart)| *apart);
        let all: Vec<Instruction> = [object].into_iter().chain(own).map(instruction).collect();
        (all.len() > 1).then_some(all)
    }

    /// A pointer that comes to an element of an array leads to the array's object from there on.
    fn advance(&self, advance: &Advance, base: Option<&Place>) -> Option<Vec<Instruction>> {
        let Some(Place::Byte(object, byte)) = base else { return None };
        let Advance { target, index, scale, .. } = *advance;
        match index {
            Operand::Constant(0) => None,
            Operand::Constant(steps) => {
                let at = byte.checked_add(i64::try_from(steps).ok()?.checked_mul(scale)?)?;
                element(self.arrays, *object, at).map(|(array, index)| self.address(target, array, index))
            }
            Operand::Register(_) => {
                let (array, first) = element(self.arrays, *object, *byte).filter(|(array, _)| scale % self.arrays[*array].stride == 0)?;
                let moved = Instruction::Advance(Advance { target, base: target, index, scale });
                Some(self.address(target, array, first).into_iter().chain([moved]).collect())
            }
        }
    }

    /// An element of an array that is accessed by a pointer to the struct.
    fn access(
        &self,
        address: Option<&Place>,
        offset: i64,
        instruction: impl Fn(RegisterId, i64) -> Instruction,
    ) -> Option<Vec<Instruction>> {
        let Some(Place::Byte(object, byte)) = address else { return None };
        let at = byte.checked_add(offset)?;
        let (number, array) = self.arrays.iter().enumerate().find(|(_, array)| array.object == *object && array.contains(at))?;
        let behind = (at - array.start) % array.stride;
        let element = self.address(self.pointer, number, (at - array.start) / array.stride);
        Some(element.into_iter().chain([instruction(self.pointer, behind)]).collect())
    }

    /// Makes the register point to an element.
    fn address(&self, target: RegisterId, array: usize, index: i64) -> Vec<Instruction> {
        let first = Instruction::Address { target, object: self.objects[array] };
        let index = Operand::Constant(i128::from(index));
        let moved = Instruction::Advance(Advance { target, base: target, index, scale: self.arrays[array].stride });
        if index == Operand::Constant(0) { vec![first] } else { vec![first, moved] }
    }
}
