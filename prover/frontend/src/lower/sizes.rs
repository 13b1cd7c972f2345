//! Any size in the place of the one that a program gives (`spec/program.md#sizes`).
//!
//! Where `int a[100000]` is filled and looked at, 100000 is a bound like any other: what is right for all lengths is right for this one. So a program
//! that does all that this one may do, and more, has a number from 1 to 100000 instead, which nothing decides; smaller runs of it are those with a
//! smaller number.

use super::{
    emit::clean::locations,
    types::{maximum, minimum},
};
use goatherd_certificates::program::{
    Access, Advance, Allocate, Branch, Compute, Condition, Contents, Fresh, Instruction, IntegerType, Location, Object, ObjectId, Operand,
    Operation, Origin, PointerOperand, Program, Register, RegisterId, Relation, Type,
};
use std::collections::{BTreeMap, BTreeSet};

/// A program whose instructions come from these places of the source.
type Placed = (Program, Vec<usize>);

/// Arrays of fewer elements stay as they are: the loops over them are followed to their end.
const LEAST: i128 = 17;

/// How the names of registers begin that hold such a number: those of no variable do.
const NAME: &str = "any size up to ";

/// What a program has for the lengths of arrays that are constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sizes {
    /// They are what the program says.
    Exact,
    /// They may be any number up to that: of a program that does all that this one does, and more.
    Any,
}

impl Sizes {
    /// What a program says of them.
    pub fn of(program: &Program) -> Self {
        if replaced(program).is_empty() { Self::Exact } else { Self::Any }
    }
}

/// The lengths in whose place a program has any number from 1: each of these is drawn and bounded before anything else.
pub(crate) fn replaced(program: &Program) -> Vec<i128> {
    let groups = (0..).step_by(BOUNDING).map(Location).zip(program.instructions.chunks_exact(BOUNDING));
    let bound = |(first, group): (Location, &[Instruction])| {
        let Instruction::Havoc { target } = *group.first()? else { return None };
        let bound: i128 = program.registers.get(target.index())?.name.strip_prefix(NAME)?.parse().ok()?;
        (group == bounding(target, bound, first, ignored(group)?)).then_some(bound)
    };
    groups.map_while(bound).collect()
}

/// Where a group goes on that is not within its bounds.
fn ignored(group: &[Instruction]) -> Option<Location> {
    match group.last() {
        Some(Instruction::Branch(Branch { otherwise, .. })) => Some(*otherwise),
        _ => None,
    }
}

/// How many instructions [`bounding`] gives.
const BOUNDING: usize = 3;

/// Draws a number from 1 to a bound: what stands at this location and behind it.
fn bounding(target: RegisterId, bound: i128, Location(at): Location, ignored: Location) -> [Instruction; BOUNDING] {
    let within = |left, right, then| {
        Instruction::Branch(Branch {
            condition: Condition::Integers { relation: Relation::LessOrEqual, left, right },
            then: Location(then),
            otherwise: ignored,
        })
    };
    let number = Operand::Register(target);
    [Instruction::Havoc { target }, within(Operand::Constant(1), number, at + 2), within(number, Operand::Constant(bound), at + 3)]
}

/// The program with any sizes in the place of constant ones; as it is, where it has no such arrays.
pub(crate) fn any_size((program, offsets): Placed) -> Placed {
    let arrays: BTreeMap<ObjectId, i128> = if can_be_allocated(&program) { arrays(&program) } else { BTreeMap::new() };
    let sizes: BTreeSet<i128> = arrays.values().copied().chain(allocated(&program)).collect();
    if sizes.is_empty() {
        return (program, offsets);
    }
    Rewriting::new(program, offsets, arrays, sizes).rewrite()
}

/// Freeing an array that is no object of the heap fails, and it is no leak: a program that does neither cannot tell that it has become one.
fn can_be_allocated(program: &Program) -> bool {
    !program.instructions.iter().any(|instruction| matches!(instruction, Instruction::Free { .. } | Instruction::CheckLeaks { .. }))
}

/// The arrays of constant length, with their lengths, that an allocation can make as well: of zeros, or that come to be once; nothing but the
/// program's instructions points to them.
fn arrays(program: &Program) -> BTreeMap<ObjectId, i128> {
    let pointed: BTreeSet<ObjectId> = program.objects.iter().flat_map(pointed).collect();
    let has_integers = |object: &Object| {
        let layout = program.layouts.get(object.layout.index());
        layout.is_some_and(|layout| layout.fields.iter().all(|field| field.kind != Type::Pointer))
    };
    let length = |id: ObjectId, object: &Object| match &object.origin {
        Origin::Static { count, contents, access: Access::ReadWrite } if contents.iter().all(|field| *field == Contents::Zero) => {
            Some(*count)
        }
        Origin::Local { count } if is_entered_once(program, id) => Some(*count),
        _ => None,
    };
    let objects = (0..).map(ObjectId).zip(&program.objects).filter(|(id, object)| has_integers(object) && !pointed.contains(id));
    let lengths = objects.filter_map(|(id, object)| Some((id, i128::from(length(id, object)?))));
    lengths.filter(|(_, length)| *length >= LEAST).collect()
}

/// The objects to which the contents of a static one lead.
fn pointed(object: &Object) -> Vec<ObjectId> {
    let Origin::Static { contents, .. } = &object.origin else { return Vec::new() };
    let targets = contents.iter().filter_map(|field| if let Contents::Pointers(targets) = field { Some(targets) } else { None });
    targets.flatten().flatten().copied().collect()
}

/// Does the object come to be at one instruction, which is in no loop? Otherwise an earlier one dies there.
fn is_entered_once(program: &Program, object: ObjectId) -> bool {
    let entries: Vec<usize> = program
        .instructions
        .iter()
        .enumerate()
        .filter(|(_, instruction)| **instruction == Instruction::Enter { object })
        .map(|(place, _)| place)
        .collect();
    let [entry] = entries[..] else { return false };
    let mut seen = BTreeSet::new();
    let mut work = successors(program, entry);
    while let Some(place) = work.pop() {
        if seen.insert(place) {
            work.extend(successors(program, place));
        }
    }
    !seen.contains(&entry)
}

fn successors(program: &Program, place: usize) -> Vec<usize> {
    match program.instructions.get(place) {
        Some(Instruction::Jump { target }) => vec![target.index()],
        Some(Instruction::Branch(Branch { then, otherwise, .. }) | Instruction::Choose { then, otherwise }) => {
            vec![then.index(), otherwise.index()]
        }
        Some(Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore) | None => Vec::new(),
        Some(_) => vec![place + 1],
    }
}

/// How many elements allocations of constant size have.
fn allocated(program: &Program) -> Vec<i128> {
    let length = |instruction: &Instruction| {
        let Instruction::Allocate(Allocate { object, bytes: Operand::Constant(bytes), .. }) = instruction else { return None };
        let object = program.objects.get(object.index()).filter(|object| object.origin == Origin::Heap)?;
        let size = i128::from(program.layouts.get(object.layout.index())?.size);
        (bytes % size == 0 && *bytes <= maximum(IntegerType::I64)).then(|| bytes / size)
    };
    program.instructions.iter().filter_map(length).filter(|length| *length >= LEAST).collect()
}

/// What a constant is to the length of an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Constant {
    /// The length.
    Length(i128),
    /// The last index.
    Last(i128),
    /// How many bytes the array has: its length by the size of its elements.
    Bytes(i128, i128),
}

/// What constants may be meant to be. A length comes before the last index of another array, and both before a number of bytes.
fn constants(sizes: &BTreeSet<i128>, elements: &BTreeSet<i128>) -> BTreeMap<i128, Constant> {
    let lengths = sizes.iter().map(|size| (*size, Constant::Length(*size)));
    let last = sizes.iter().map(|size| (size - 1, Constant::Last(*size)));
    let bytes =
        sizes.iter().flat_map(|size| elements.iter().map(|element| (size.saturating_mul(*element), Constant::Bytes(*size, *element))));
    let mut constants = BTreeMap::new();
    for (value, constant) in lengths.chain(last).chain(bytes) {
        constants.entry(value).or_insert(constant);
    }
    constants
}

/// A program in the course of being rewritten.
struct Rewriting {
    program: Program,
    offsets: Vec<usize>,
    arrays: BTreeMap<ObjectId, i128>,
    sizes: BTreeSet<i128>,
    constants: BTreeMap<i128, Constant>,
    /// The registers that hold what stands for constants, by type.
    holders: BTreeMap<(Constant, IntegerType), RegisterId>,
    /// How those are computed that are not drawn, in order.
    computed: Vec<Instruction>,
    /// The registers that point to the arrays.
    pointers: BTreeMap<ObjectId, RegisterId>,
}

/// Where all goes on that is of no interest, until its place is known.
const IGNORED: Location = Location(u32::MAX);

impl Rewriting {
    fn new(program: Program, offsets: Vec<usize>, arrays: BTreeMap<ObjectId, i128>, sizes: BTreeSet<i128>) -> Self {
        let allocated = program.instructions.iter().filter_map(|instruction| match instruction {
            Instruction::Allocate(Allocate { object, .. }) => Some(*object),
            _ => None,
        });
        let elements = arrays.keys().copied().chain(allocated).map(|object| element(&program, object)).collect();
        let constants = constants(&sizes, &elements);
        let (holders, computed, pointers) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
        Self { program, offsets, arrays, sizes, constants, holders, computed, pointers }
    }

    fn rewrite(mut self) -> Placed {
        let start = self.offsets.first().copied().unwrap_or_default();
        for size in &self.sizes {
            let register = register(&mut self.program, format!("{NAME}{size}"), Type::Integer(drawn_as(*size)));
            self.holders.insert((Constant::Length(*size), drawn_as(*size)), register);
        }
        for object in self.arrays.keys() {
            let name = self.program.objects.get(object.index()).map(|object| format!("&{}", object.name));
            let pointer = register(&mut self.program, name.unwrap_or_default(), Type::Pointer);
            self.pointers.insert(*object, pointer);
        }
        let (mut body, offsets) = self.body();
        let before = self.before();
        let shift = u32::try_from(before.len()).unwrap_or(u32::MAX);
        let move_on = |location: &mut Location| location.0 = location.0.saturating_add(shift);
        body.iter_mut().flat_map(locations).filter(|location| **location != IGNORED).for_each(move_on);
        self.program.assertions.iter_mut().for_each(move_on);
        self.offsets = before.iter().map(|_| start).chain(offsets).chain([start]).collect();
        self.program.instructions = before.into_iter().chain(body).chain([Instruction::Ignore]).collect();
        let end = Location(u32::try_from(self.offsets.len() - 1).unwrap_or(u32::MAX));
        let all = self.program.instructions.iter_mut().flat_map(locations);
        all.filter(|location| **location == IGNORED).for_each(|location| *location = end);
        for object in self.arrays.keys() {
            if let Some(object) = self.program.objects.get_mut(object.index()) {
                object.origin = Origin::Heap;
            }
        }
        (self.program, self.offsets)
    }

    /// What the program does first: it draws the numbers, computes what depends on them, and makes the arrays that are there from the start.
    fn before(&mut self) -> Vec<Instruction> {
        let mut before = Vec::new();
        for size in &self.sizes {
            let at = Location(u32::try_from(before.len()).unwrap_or(u32::MAX));
            let Some(register) = self.holders.get(&(Constant::Length(*size), drawn_as(*size))) else { continue };
            before.extend(bounding(*register, *size, at, IGNORED));
        }
        let origin = |object: ObjectId| self.program.objects.get(object.index()).map(|object| &object.origin);
        let (present, later): (Vec<ObjectId>, Vec<ObjectId>) =
            self.arrays.keys().copied().partition(|object| matches!(origin(*object), Some(Origin::Static { .. })));
        let made: Vec<(ObjectId, Operand)> = present.into_iter().map(|object| (object, self.bytes_of(object))).collect();
        before.append(&mut self.computed);
        before.extend(later.iter().filter_map(|object| self.pointers.get(object)).map(|target| Instruction::Null { target: *target }));
        for (object, bytes) in made {
            let at = u32::try_from(before.len()).unwrap_or(u32::MAX);
            before.extend(self.allocation(object, bytes, at));
        }
        before
    }

    /// The program's own instructions, and where each comes from. Locations are those of this list, also of its assertions.
    fn body(&mut self) -> (Vec<Instruction>, Vec<usize>) {
        let own = std::mem::take(&mut self.program.instructions);
        let is_array = |object: &ObjectId| self.arrays.contains_key(object);
        let length =
            |instruction: &Instruction| if matches!(instruction, Instruction::Enter { object } if is_array(object)) { 2 } else { 1 };
        let mut starts = Vec::with_capacity(own.len());
        let mut end: u32 = 0;
        for instruction in &own {
            starts.push(Location(end));
            end += length(instruction);
        }
        let moved = |location: &mut Location| *location = starts.get(location.index()).copied().unwrap_or(IGNORED);
        self.program.assertions.iter_mut().for_each(moved);
        let (mut body, mut offsets) = (Vec::new(), Vec::new());
        for ((mut instruction, offset), start) in own.into_iter().zip(std::mem::take(&mut self.offsets)).zip(&starts) {
            locations(&mut instruction).into_iter().for_each(moved);
            let written = self.instead_of(instruction, *start);
            offsets.extend(written.iter().map(|_| offset));
            body.extend(written);
        }
        (body, offsets)
    }

    /// What stands for an instruction, at this location.
    fn instead_of(&mut self, mut instruction: Instruction, Location(at): Location) -> Vec<Instruction> {
        match &mut instruction {
            Instruction::Enter { object } if self.arrays.contains_key(object) => {
                let object = *object;
                let bytes = self.bytes_of(object);
                return self.allocation(object, bytes, at);
            }
            Instruction::Leave { object } => {
                if let Some(pointer) = self.pointers.get(object) {
                    return vec![Instruction::Free { pointer: *pointer }];
                }
            }
            Instruction::Address { target, object } => {
                if let Some(source) = self.pointers.get(object) {
                    return vec![Instruction::Copy { target: *target, source: *source }];
                }
            }
            Instruction::Branch(Branch { condition: Condition::Integers { left, right, .. }, .. }) => {
                let kind = [&*left, &*right].into_iter().find_map(|operand| self.kind(*operand)).unwrap_or(IntegerType::I64);
                *left = self.stand_in(*left, kind);
                *right = self.stand_in(*right, kind);
            }
            Instruction::Assign { target, value } => {
                if let Some(kind) = self.kind(Operand::Register(*target)) {
                    *value = self.stand_in(*value, kind);
                }
            }
            Instruction::Compute(Compute { target, operation, left, right }) => {
                if let Some(kind) = self.kind(Operand::Register(*target)) {
                    *left = self.stand_in(*left, kind);
                    // How far is shifted depends on no array.
                    if !matches!(operation, Operation::ShiftLeft | Operation::ShiftRight) {
                        *right = self.stand_in(*right, kind);
                    }
                }
            }
            Instruction::Advance(Advance { index, .. }) => *index = self.stand_in(*index, IntegerType::I64),
            Instruction::Allocate(Allocate { object, bytes, .. }) => {
                let element = element(&self.program, *object);
                if let Operand::Constant(value) = *bytes
                    && value % element == 0
                    && self.sizes.contains(&(value / element))
                {
                    *bytes = self.held(Constant::Bytes(value / element, element), IntegerType::U64);
                }
            }
            _ => {}
        }
        vec![instruction]
    }

    /// Makes an array, which is there: that there is no memory for it is of no interest. What it holds is any value, also where that is zero: a smaller
    /// run can say what its elements are, but not that there are fewer zeros in front.
    fn allocation(&self, object: ObjectId, bytes: Operand, at: u32) -> Vec<Instruction> {
        let Some(target) = self.pointers.get(&object).copied() else { return Vec::new() };
        let (left, right) = (PointerOperand::Register(target), PointerOperand::Null);
        let condition = Condition::Pointers { relation: Relation::Equal, left, right };
        vec![
            Instruction::Allocate(Allocate { target, object, bytes, fresh: Fresh::Arbitrary }),
            Instruction::Branch(Branch { condition, then: IGNORED, otherwise: Location(at + 2) }),
        ]
    }

    fn bytes_of(&mut self, object: ObjectId) -> Operand {
        let size = self.arrays.get(&object).copied().unwrap_or_default();
        self.held(Constant::Bytes(size, element(&self.program, object)), IntegerType::U64)
    }

    fn kind(&self, operand: Operand) -> Option<IntegerType> {
        let Operand::Register(register) = operand else { return None };
        match self.program.registers.get(register.index())?.kind {
            Type::Integer(kind) => Some(kind),
            Type::Pointer => None,
        }
    }

    /// What stands for an operand of this type, if it is a constant that may be meant to be a length.
    fn stand_in(&mut self, operand: Operand, kind: IntegerType) -> Operand {
        let Operand::Constant(value) = operand else { return operand };
        let Some(constant) = self.constants.get(&value) else { return operand };
        // The length that the last index is computed from is in the range of the type as well.
        let greatest = if let Constant::Last(size) = constant { *size } else { value };
        if kind == IntegerType::Bool || value < minimum(kind) || greatest > maximum(kind) {
            return operand;
        }
        self.held(*constant, kind)
    }

    /// The register of this type that holds what stands for the constant. It is in the type's range, as the constant is.
    fn held(&mut self, constant: Constant, kind: IntegerType) -> Operand {
        if let Some(register) = self.holders.get(&(constant, kind)) {
            return Operand::Register(*register);
        }
        let (name, size, computed) = match constant {
            Constant::Length(size) => (format!("{NAME}{size}, as it is"), size, None),
            Constant::Last(size) => (format!("{NAME}{size}, less one"), size, Some((Operation::Subtract, 1))),
            Constant::Bytes(size, element) => (format!("{NAME}{size}, in bytes"), size, Some((Operation::Multiply, element))),
        };
        let value = match computed {
            Some(_) => self.held(Constant::Length(size), kind),
            None => self.holders.get(&(constant, drawn_as(size))).map_or(Operand::Constant(size), |drawn| Operand::Register(*drawn)),
        };
        let target = register(&mut self.program, name, Type::Integer(kind));
        self.computed.push(match computed {
            None => Instruction::Assign { target, value },
            Some((operation, by)) => Instruction::Compute(Compute { target, operation, left: value, right: Operand::Constant(by) }),
        });
        self.holders.insert((constant, kind), target);
        Operand::Register(target)
    }
}

/// Of which type the number is that stands for a length.
fn drawn_as(size: i128) -> IntegerType {
    if size <= maximum(IntegerType::I32) { IntegerType::I32 } else { IntegerType::I64 }
}

/// How many bytes an element of the object has.
fn element(program: &Program, object: ObjectId) -> i128 {
    let layout = program.objects.get(object.index()).and_then(|object| program.layouts.get(object.layout.index()));
    layout.map_or(1, |layout| i128::from(layout.size))
}

/// A new register.
fn register(program: &mut Program, name: String, kind: Type) -> RegisterId {
    let number = u32::try_from(program.registers.len()).unwrap_or(u32::MAX);
    program.registers.push(Register { name, kind });
    RegisterId(number)
}
