//! Where pointers lead into the objects whose arrays are to be apart: a forward analysis, instruction by instruction.

use super::arrays::Inner;
use crate::lower::emit::clean::{locations, reads, written};
use goatherd_certificates::program::{
    Advance, ArrayInput, Branch, Condition, Distance, Input, Instruction, Location, ObjectId, Operand, PointerOperand, Program, RegisterId,
    Relation, Type,
};
use std::collections::{BTreeMap, BTreeSet};

/// What a pointer leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// None of these objects, or nothing.
    Elsewhere,
    /// So many bytes behind the beginning of the object.
    Byte(ObjectId, i64),
    /// Some byte of the object, but of none of its arrays, or the access fails.
    Inside(ObjectId),
    /// An element of the array of this number, or so far beside one.
    Element(usize),
    /// One or another of these objects or their arrays.
    Open(BTreeSet<ObjectId>),
}

/// Per instruction what is known of the pointers in registers before it; nothing of what is not come to.
pub(super) type Places = Vec<BTreeMap<RegisterId, Place>>;

/// The places of pointers; the objects of which that is not known, if there are.
pub(super) fn places(program: &Program, arrays: &[Inner]) -> Result<Places, BTreeSet<ObjectId>> {
    let analysis = Analysis { program, arrays };
    let mut places = vec![BTreeMap::new(); program.instructions.len()];
    let mut is_reached = vec![false; program.instructions.len()];
    let mut work = vec![(0, inputs(program))];
    while let Some((at, arriving)) = work.pop() {
        let (Some(known), Some(instruction), Some(is_reached)) = (places.get_mut(at), program.instructions.get(at), is_reached.get_mut(at))
        else {
            continue;
        };
        let joined = if *is_reached { analysis.join(known, &arriving) } else { arriving };
        if *is_reached && joined == *known {
            continue;
        }
        *is_reached = true;
        known.clone_from(&joined);
        let behind = analysis.step(instruction, joined)?;
        work.extend(successors(instruction, at).into_iter().map(|next| (next, behind.clone())));
    }
    Ok(places)
}

/// The pointers that come in.
fn inputs(program: &Program) -> Known {
    let pointers = program.inputs.iter().filter_map(|input| match input {
        Input::Integer { .. } => None,
        Input::Array(ArrayInput { pointer, .. }) | Input::Single { pointer, .. } | Input::Linked { pointer, .. } => Some(*pointer),
    });
    pointers.map(|pointer| (pointer, Place::Elsewhere)).collect()
}

fn successors(instruction: &Instruction, at: usize) -> Vec<usize> {
    match instruction {
        Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => Vec::new(),
        Instruction::Jump { .. } | Instruction::Branch(_) | Instruction::Choose { .. } => {
            locations(&mut instruction.clone()).into_iter().map(|location| Location::index(*location)).collect()
        }
        _ => vec![at + 1],
    }
}

/// Does the instruction move a pointer to an element of an array that is apart, if it moves one by an index?
pub(super) fn moves(instruction: &Instruction, known: &BTreeMap<RegisterId, Place>, arrays: &[Inner]) -> bool {
    let Instruction::Advance(Advance { base, index: Operand::Register(_), scale, .. }) = instruction else { return true };
    let array = match known.get(base) {
        Some(Place::Byte(object, byte)) => element(arrays, *object, *byte).map(|(array, _)| array),
        Some(Place::Element(array)) => Some(*array),
        // Nothing comes here.
        None => return true,
        Some(_) => None,
    };
    array.and_then(|array| arrays.get(array)).is_some_and(|array| scale % array.stride == 0)
}

/// The array of which an element begins at this byte of the object, and the element's index.
pub(super) fn element(arrays: &[Inner], object: ObjectId, byte: i64) -> Option<(usize, i64)> {
    arrays.iter().enumerate().find_map(|(number, array)| Some((number, array.index(byte).filter(|_| array.object == object)?)))
}

struct Analysis<'a> {
    program: &'a Program,
    arrays: &'a [Inner],
}

type Known = BTreeMap<RegisterId, Place>;

impl Analysis<'_> {
    /// What is known on either way. To use a register that is not initialised fails, so no array takes the place of what it leads to on the other way.
    fn join(&self, one: &Known, other: &Known) -> Known {
        let registers: BTreeSet<RegisterId> = one.keys().chain(other.keys()).copied().collect();
        let either = |register: RegisterId| {
            let place = match (one.get(&register), other.get(&register)) {
                (Some(one), Some(other)) => self.either(one, other),
                (Some(place), None) | (None, Some(place)) => self.either(place, &Place::Open(BTreeSet::new())),
                (None, None) => return None,
            };
            Some((register, place))
        };
        registers.into_iter().filter_map(either).collect()
    }

    fn either(&self, one: &Place, other: &Place) -> Place {
        match (one, other) {
            _ if one == other => one.clone(),
            (Place::Byte(object, _) | Place::Inside(object), Place::Byte(same, _) | Place::Inside(same)) if object == same => {
                Place::Inside(*object)
            }
            _ => {
                let objects = &self.objects(one) | &self.objects(other);
                if objects.is_empty() { Place::Elsewhere } else { Place::Open(objects) }
            }
        }
    }

    /// The objects that the pointer may lead to.
    fn objects(&self, place: &Place) -> BTreeSet<ObjectId> {
        match place {
            Place::Elsewhere => BTreeSet::new(),
            Place::Byte(object, _) | Place::Inside(object) => BTreeSet::from([*object]),
            Place::Element(array) => self.arrays.get(*array).map(|array| array.object).into_iter().collect(),
            Place::Open(objects) => objects.clone(),
        }
    }

    fn is_candidate(&self, object: ObjectId) -> bool {
        self.arrays.iter().any(|array| array.object == object)
    }

    /// What is known behind an instruction; where more is done with a pointer than to move it and to access memory, its objects.
    fn step(&self, instruction: &Instruction, mut known: Known) -> Result<Known, BTreeSet<ObjectId>> {
        let place = match instruction {
            Instruction::Address { object, .. } if self.is_candidate(*object) => Some(Place::Byte(*object, 0)),
            Instruction::Copy { source, .. } => known.get(source).cloned(),
            Instruction::Advance(Advance { base, index, scale, .. }) => known.get(base).map(|place| self.moved(place, *index, *scale)),
            Instruction::Uninitialise { .. } => None,
            Instruction::Enter { object } | Instruction::Leave { object } => {
                forget(*object, &mut known);
                None
            }
            _ => {
                self.allow(instruction, &known)?;
                Some(Place::Elsewhere)
            }
        };
        let target = written(instruction).filter(|target| self.kind(*target) == Some(Type::Pointer));
        if let Some(target) = target {
            match place {
                Some(place) => known.insert(target, place),
                None => known.remove(&target),
            };
        }
        Ok(known)
    }

    fn kind(&self, register: RegisterId) -> Option<Type> {
        self.program.registers.get(register.index()).map(|register| register.kind)
    }

    /// A pointer that is moved by a constant stays what it is, if it does not come to an element of an array.
    fn moved(&self, place: &Place, index: Operand, scale: i64) -> Place {
        let Place::Byte(object, byte) = *place else { return place.clone() };
        let at = match index {
            Operand::Constant(0) => return place.clone(),
            Operand::Constant(steps) => {
                i64::try_from(steps).ok().and_then(|steps| steps.checked_mul(scale)).and_then(|bytes| bytes.checked_add(byte))
            }
            Operand::Register(_) => {
                let inner = element(self.arrays, object, byte).filter(|(array, _)| scale % self.arrays[*array].stride == 0);
                return inner.map_or(Place::Inside(object), |(array, _)| Place::Element(array));
            }
        };
        let Some(at) = at else { return Place::Inside(object) };
        element(self.arrays, object, at).map_or(Place::Byte(object, at), |(array, _)| Place::Element(array))
    }

    /// Neither stores nor frees such a pointer, nor compares it with one to another part of its object.
    fn allow(&self, instruction: &Instruction, known: &Known) -> Result<(), BTreeSet<ObjectId>> {
        let place = |register: &RegisterId| known.get(register).unwrap_or(&Place::Elsewhere);
        let lost = match instruction {
            Instruction::Load { address, .. } if !matches!(place(address), Place::Open(_)) => BTreeSet::new(),
            Instruction::Store { address, source, .. } if !matches!(place(address), Place::Open(_)) => self.objects(place(source)),
            Instruction::Distance(Distance { left, right, .. }) => self.compared(place(left), place(right)),
            Instruction::Branch(Branch { condition: Condition::Pointers { left, right, relation }, .. }) => {
                let side = |operand: &PointerOperand| match operand {
                    PointerOperand::Register(register) => place(register).clone(),
                    PointerOperand::Null => Place::Elsewhere,
                };
                let (left, right) = (side(left), side(right));
                let is_order = !matches!(relation, Relation::Equal);
                if is_order { self.compared(&left, &right) } else { self.equated(&left, &right) }
            }
            _ => reads(instruction).iter().flat_map(|register| self.objects(place(register))).collect(),
        };
        if lost.is_empty() { Ok(()) } else { Err(lost) }
    }

    /// The objects of pointers whose difference is another one where arrays are apart.
    fn compared(&self, left: &Place, right: &Place) -> BTreeSet<ObjectId> {
        match (left, right) {
            (Place::Element(one), Place::Element(other)) if one == other => BTreeSet::new(),
            (Place::Byte(..) | Place::Inside(_), Place::Byte(..) | Place::Inside(_)) => BTreeSet::new(),
            _ => &self.objects(left) | &self.objects(right),
        }
    }

    /// The objects of pointers that may be equal, and are not where arrays are apart, or the other way round.
    fn equated(&self, left: &Place, right: &Place) -> BTreeSet<ObjectId> {
        match (left, right) {
            (Place::Open(_), _) | (_, Place::Open(_)) => &self.objects(left) | &self.objects(right),
            (Place::Elsewhere, _) | (_, Place::Elsewhere) => BTreeSet::new(),
            _ => self.compared(left, right),
        }
    }
}

/// A pointer to a struct that is there no more must not lead to the array that comes to be with the next one.
fn forget(object: ObjectId, known: &mut Known) {
    let is_struct = |place: &&mut Place| matches!(place, Place::Byte(of, _) | Place::Inside(of) if *of == object);
    known.values_mut().filter(is_struct).for_each(|place| *place = Place::Open(BTreeSet::from([object])));
}
