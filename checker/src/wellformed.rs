//! Which programs have a meaning (`spec/program.md#well-formedness`). Rules may rely on all of it: whatever a program mentions exists and has
//! the type that the mention needs.

use crate::arithmetic::{fits, width};
use crate::error::{Failure, Where};
use crate::{Rejection, ensure};
use alloc::{collections::BTreeSet, vec, vec::Vec};
use goatherd_certificates::{
    Certificate, Claim, Condition, Contents, Input, Instruction, IntegerType, Layout, LayoutId, Location, Object, ObjectId, Operand,
    Operation, Origin, PointerOperand, Position, Program, RegisterId, Type,
};

/// The greatest size of an object, in bytes (C11 6.5.6p9: differences of pointers are `long`).
const GREATEST_SIZE: u64 = (1 << 63) - 1;

/// A table of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// [`Program::layouts`]
    Layout,
    /// [`Program::tables`]
    Table,
    /// [`Program::objects`]
    Object,
    /// [`Program::inputs`]
    Input,
    /// [`Program::instructions`]
    Instruction,
    /// [`Program::assertions`]
    Assertion,
    /// [`Statement::landmarks`](goatherd_certificates::Statement::landmarks)
    Landmark,
    /// [`Certificate::positions`]
    Position,
    /// [`Model::initial`](goatherd_certificates::automata::Model::initial)
    Initial,
    /// [`Model::lines`](goatherd_certificates::automata::Model::lines)
    Line,
}

/// A violated condition. Its name is what messages say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A layout has a size and a field.
    EmptyLayout,
    /// Fields ascend, do not overlap and lie inside the size.
    Fields,
    /// The entries of a table are values of its type.
    Entry,
    /// A layout that is mentioned exists.
    Layout,
    /// An element and an object have at most 2^63 - 1 bytes.
    Size,
    /// A static object has contents for each field.
    Contents,
    /// Integer fields hold tables of their type, pointer fields pointers.
    ContentsType,
    /// Tables and pointers have one entry per element.
    ContentsLength,
    /// A table that is mentioned exists.
    Table,
    /// An object that is mentioned exists.
    Object,
    /// It comes from where the mention needs it to come from: initial pointers from `Static`, inputs from `Input`, `Address` from `Static` or
    /// `Local`, `Enter` and `Leave` from `Local`, `Allocate` from `Heap`.
    Origin,
    /// A register that is mentioned exists.
    Register,
    /// It is an integer.
    Integer,
    /// It is a pointer.
    Pointer,
    /// It is an integer of the type in which it is used. `_Bool` is only assigned from `_Bool`.
    Type,
    /// A constant is a value of the type in which it is used; where no type is given, of I64 or U64. `_Bool` is only assigned 0 and 1.
    Constant,
    /// Nothing is computed in `_Bool`.
    Bool,
    /// A difference of pointers counts elements of a positive size.
    Scale,
    /// No two inputs define one register.
    InputRegister,
    /// No two inputs are one object.
    InputObject,
    /// An object of origin `Input` is an input.
    UndefinedInput,
    /// The elements of an input array hold integers only.
    InputField,
    /// This kernel does not handle nodes and linked inputs.
    Linked,
    /// No two allocations make one object.
    Allocation,
    /// A location that is mentioned exists.
    Location,
    /// There is an instruction, and the last one does not fall through.
    End,
    /// Assertions ascend.
    AssertionOrder,
    /// Assertions are branches.
    AssertionBranch,
    /// Landmarks ascend, and a claim about paths has them.
    LandmarkOrder,
    /// There are as many positions as instructions, or none.
    Positions,
    /// A file that is mentioned exists.
    File,
    /// A symbol that is mentioned exists.
    Symbol,
    /// A transition has as many children as its symbols have ranks.
    Rank,
    /// There is a line, and one that is mentioned exists.
    Line,
}

/// Does the program of the certificate have a meaning? Says what is wrong first, table by table.
pub fn certificate(certificate: &Certificate) -> Result<(), Failure> {
    let program = &certificate.statement.program;
    each(Part::Layout, &program.layouts, check_layout)?;
    each(Part::Table, &program.tables, |table| ensure(table.values.iter().all(|value| fits(*value, table.kind)), Fault::Entry))?;
    let names = Names(program);
    each(Part::Object, &program.objects, |object| names.check_object(object))?;

    let mut defined = BTreeSet::new();
    let mut objects = BTreeSet::new();
    each(Part::Input, &program.inputs, |input| {
        let (registers, object) = names.check_input(input)?;
        ensure(registers.into_iter().flatten().all(|register| defined.insert(register)), Fault::InputRegister)?;
        ensure(object.is_none_or(|object| objects.insert(object)), Fault::InputObject)
    })?;
    let mut ids = (0u32..).map(ObjectId);
    each(Part::Object, &program.objects, |object| {
        let is_input = ids.next().is_some_and(|id| objects.contains(&id));
        ensure(object.origin != Origin::Input || is_input, Fault::UndefinedInput)
    })?;

    let mut allocated = BTreeSet::new();
    each(Part::Instruction, &program.instructions, |instruction| {
        names.check_instruction(instruction)?;
        let Instruction::Allocate { object, .. } = instruction else { return Ok(()) };
        ensure(allocated.insert(*object), Fault::Allocation)
    })?;
    let last = program.instructions.len().saturating_sub(1);
    ensure(program.instructions.last().is_some_and(|last| targets(last).is_some()), at(Part::Instruction, last)(Fault::End))?;

    let mut previous = None;
    each(Part::Assertion, &program.assertions, |location| {
        ensure(previous.replace(*location).is_none_or(|previous| previous < *location), Fault::AssertionOrder)?;
        ensure(matches!(names.location(*location)?, Instruction::Branch { .. }), Fault::AssertionBranch)
    })?;

    let landmarks = &certificate.statement.landmarks;
    each(Part::Landmark, landmarks, |location| names.location(*location).map(drop))?;
    let is_ordered = landmarks.is_sorted_by(|left, right| left < right);
    let is_claimed = landmarks.is_empty() || matches!(certificate.statement.claim, Claim::Paths(_));
    ensure(is_ordered && is_claimed, at(Part::Landmark, landmarks.len())(Fault::LandmarkOrder))?;

    let positions = certificate.positions.len();
    ensure(positions == 0 || positions == program.instructions.len(), Fault::Positions).map_err(at(Part::Position, positions))?;
    each(Part::Position, &certificate.positions, |Position { file, .. }| {
        ensure(usize::try_from(*file).is_ok_and(|file| file < certificate.files.len()), Fault::File)
    })
}

/// Checks every entry of a table.
fn each<T>(part: Part, entries: &[T], mut check: impl FnMut(&T) -> Result<(), Fault>) -> Result<(), Failure> {
    entries.iter().enumerate().try_for_each(|(index, entry)| check(entry).map_err(at(part, index)))
}

/// The entry of the table violates the condition.
pub(crate) fn at(part: Part, index: usize) -> impl Fn(Fault) -> Failure {
    move |fault| Failure::Rejected { place: Where::Entry(part, index), rejection: Rejection::IllFormed(fault) }
}

fn check_layout(layout: &Layout) -> Result<(), Fault> {
    ensure(layout.size > 0 && !layout.fields.is_empty(), Fault::EmptyLayout)?;
    ensure(layout.size <= GREATEST_SIZE, Fault::Size)?;
    let mut end = 0;
    for field in &layout.fields {
        ensure(end <= field.offset, Fault::Fields)?;
        end = field.offset.checked_add(bytes(field.kind)).filter(|end| *end <= layout.size).ok_or(Fault::Fields)?;
    }
    Ok(())
}

/// The size of a field, in bytes.
fn bytes(kind: Type) -> u64 {
    match kind {
        Type::Integer(kind) => u64::from(width(kind) / 8),
        Type::Pointer => 8,
    }
}

/// Where an instruction goes on, if not at the next location.
fn targets(instruction: &Instruction) -> Option<Vec<Location>> {
    match *instruction {
        Instruction::Jump { target } => Some(vec![target]),
        Instruction::Branch { then, otherwise, .. } | Instruction::Choose { then, otherwise } => Some(vec![then, otherwise]),
        Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => Some(Vec::new()),
        _ => None,
    }
}

/// What the mentions of a program stand for.
struct Names<'program>(&'program Program);

impl Names<'_> {
    fn layout(&self, layout: LayoutId) -> Result<&Layout, Fault> {
        self.0.layouts.get(layout.index()).ok_or(Fault::Layout)
    }

    fn object(&self, object: ObjectId) -> Result<&Object, Fault> {
        self.0.objects.get(object.index()).ok_or(Fault::Object)
    }

    fn origin(&self, object: ObjectId, is_right: fn(&Origin) -> bool) -> Result<(), Fault> {
        ensure(is_right(&self.object(object)?.origin), Fault::Origin)
    }

    fn location(&self, location: Location) -> Result<&Instruction, Fault> {
        self.0.instructions.get(location.index()).ok_or(Fault::Location)
    }

    fn register(&self, register: RegisterId) -> Result<Type, Fault> {
        self.0.registers.get(register.index()).map(|register| register.kind).ok_or(Fault::Register)
    }

    fn integer(&self, register: RegisterId) -> Result<IntegerType, Fault> {
        if let Type::Integer(kind) = self.register(register)? { Ok(kind) } else { Err(Fault::Integer) }
    }

    fn pointers(&self, registers: &[RegisterId]) -> Result<(), Fault> {
        registers.iter().try_for_each(|register| ensure(self.register(*register)? == Type::Pointer, Fault::Pointer))
    }

    /// An operand of this type; without one, of any integer type.
    fn operand(&self, operand: Operand, kind: Option<IntegerType>) -> Result<(), Fault> {
        match (operand, kind) {
            (Operand::Register(register), kind) => {
                let found = self.integer(register)?;
                ensure(kind.is_none_or(|kind| kind == found), Fault::Type)
            }
            (Operand::Constant(value), Some(kind)) => ensure(fits(value, kind), Fault::Constant),
            (Operand::Constant(value), None) => ensure(fits(value, IntegerType::I64) || fits(value, IntegerType::U64), Fault::Constant),
        }
    }

    fn check_object(&self, object: &Object) -> Result<(), Fault> {
        let layout = self.layout(object.layout)?;
        ensure(!matches!(object.origin, Origin::Node { .. }), Fault::Linked)?;
        let (Origin::Static { count, .. } | Origin::Local { count }) = object.origin else { return Ok(()) };
        ensure(count.checked_mul(layout.size).is_some_and(|size| size <= GREATEST_SIZE), Fault::Size)?;
        let Origin::Static { contents, .. } = &object.origin else { return Ok(()) };
        ensure(contents.len() == layout.fields.len(), Fault::Contents)?;
        for (contents, field) in contents.iter().zip(&layout.fields) {
            let (kind, length) = match contents {
                Contents::Zero => continue,
                Contents::Table(table) => {
                    let table = self.0.tables.get(table.index()).ok_or(Fault::Table)?;
                    (Type::Integer(table.kind), table.values.len())
                }
                Contents::Pointers(targets) => {
                    let is_static = |origin: &Origin| matches!(origin, Origin::Static { .. });
                    targets.iter().flatten().try_for_each(|target| self.origin(*target, is_static))?;
                    (Type::Pointer, targets.len())
                }
            };
            ensure(field.kind == kind, Fault::ContentsType)?;
            ensure(u64::try_from(length) == Ok(count), Fault::ContentsLength)?;
        }
        Ok(())
    }

    /// Returns the registers that the input defines, and its object.
    fn check_input(&self, input: &Input) -> Result<([Option<RegisterId>; 2], Option<ObjectId>), Fault> {
        let (pointer, length, object) = match *input {
            Input::Integer { register } => {
                self.integer(register)?;
                return Ok(([Some(register), None], None));
            }
            Input::Array { pointer, length, object } => (pointer, Some(length), object),
            Input::Single { pointer, object } => (pointer, None, object),
            Input::Linked { .. } => return Err(Fault::Linked),
        };
        self.pointers(&[pointer])?;
        self.origin(object, |origin| *origin == Origin::Input)?;
        if let Some(length) = length {
            self.integer(length)?;
            ensure(self.layout(self.object(object)?.layout)?.fields.iter().all(|field| field.kind != Type::Pointer), Fault::InputField)?;
        }
        Ok(([Some(pointer), length], Some(object)))
    }

    fn check_condition(&self, condition: Condition) -> Result<(), Fault> {
        match condition {
            Condition::Integers { left, right, .. } => [left, right].into_iter().try_for_each(|side| self.operand(side, None)),
            Condition::Pointers { left, right, .. } => [left, right].into_iter().try_for_each(|side| match side {
                PointerOperand::Register(register) => self.pointers(&[register]),
                PointerOperand::Null => Ok(()),
            }),
        }
    }

    fn check_instruction(&self, instruction: &Instruction) -> Result<(), Fault> {
        match *instruction {
            Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore | Instruction::Jump { .. } | Instruction::Choose { .. } => {}
            Instruction::Branch { condition, .. } => self.check_condition(condition)?,
            Instruction::Assign { target, value } => {
                let kind = self.integer(target)?;
                self.operand(value, (kind == IntegerType::Bool).then_some(kind))?;
            }
            Instruction::Compute { target, operation, left, right } => {
                let kind = self.integer(target)?;
                ensure(kind != IntegerType::Bool, Fault::Bool)?;
                self.operand(left, Some(kind))?;
                let shifts = matches!(operation, Operation::ShiftLeft | Operation::ShiftRight);
                self.operand(right, (!shifts).then_some(kind))?;
            }
            Instruction::Havoc { target } => drop(self.integer(target)?),
            Instruction::Uninitialise { target } => drop(self.register(target)?),
            Instruction::Null { target: pointer } | Instruction::Free { pointer } => self.pointers(&[pointer])?,
            Instruction::Copy { target, source } => self.pointers(&[target, source])?,
            Instruction::Address { target, object } => {
                self.pointers(&[target])?;
                self.origin(object, |origin| matches!(origin, Origin::Static { .. } | Origin::Local { .. }))?;
            }
            Instruction::Advance { target, base, index, .. } => {
                self.pointers(&[target, base])?;
                self.operand(index, None)?;
            }
            Instruction::Distance { target, left, right, scale } => {
                self.operand(Operand::Register(target), Some(IntegerType::I64))?;
                self.pointers(&[left, right])?;
                ensure(scale > 0, Fault::Scale)?;
            }
            Instruction::Load { target: register, address, .. } | Instruction::Store { source: register, address, .. } => {
                self.pointers(&[address])?;
                self.register(register)?;
            }
            Instruction::Allocate { target, object, bytes, .. } => {
                self.pointers(&[target])?;
                self.operand(bytes, Some(IntegerType::U64))?;
                self.origin(object, |origin| *origin == Origin::Heap)?;
            }
            Instruction::Enter { object } | Instruction::Leave { object } => {
                self.origin(object, |origin| matches!(origin, Origin::Local { .. }))?;
            }
        }
        targets(instruction).into_iter().flatten().try_for_each(|target| self.location(target).map(drop))
    }
}
