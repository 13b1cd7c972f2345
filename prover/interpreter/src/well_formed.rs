//! Which programs mean something (`spec/program.md#well-formedness`).

use crate::{arithmetic, memory};
use goatherd_certificates::program::{
    Advance, Allocate, ArrayInput, Branch, Compute, Condition, Contents, Distance, Field, Input, Instruction, IntegerType, Layout,
    LayoutId, Link, Location, Object, ObjectId, Operand, Operation, Origin, PointerOperand, Program, RegisterId, Type,
};
use std::{collections::BTreeSet, fmt};

/// Why a program means nothing, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllFormed {
    /// There are no instructions.
    Empty,
    /// A layout: size 0, or fields that overlap, are out of order or stick out.
    Layout(LayoutId),
    /// An object: its layout, its number of elements or its contents.
    Object(ObjectId),
    /// A table with an entry out of range (its position).
    Table(usize),
    /// An input (its position): registers of the wrong type, a register or object defined twice, or an object that is no input.
    Input(usize),
    /// An input object that no input defines.
    UndefinedInput(ObjectId),
    /// An instruction names a register, object or location that is not there.
    Missing(Location),
    /// An instruction's registers have types that do not fit.
    Type(Location),
    /// A constant is out of range.
    Constant(Location),
    /// An object has another origin than the instruction needs, or a second allocation.
    Origin(Location),
    /// The last instruction goes on after the end.
    FallsThrough(Location),
    /// The assertions are not ascending locations of branches (the position of the first that is not).
    Assertion(usize),
}

impl fmt::Display for IllFormed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllFormed::Empty => formatter.write_str("no instructions"),
            IllFormed::Layout(layout) => write!(formatter, "layout {}: size or fields", layout.0),
            IllFormed::Object(object) => write!(formatter, "object {}: layout, count, contents or links", object.0),
            IllFormed::Table(table) => write!(formatter, "table {table}: entry out of range"),
            IllFormed::Input(input) => write!(formatter, "input {input}: register or object"),
            IllFormed::UndefinedInput(object) => write!(formatter, "object {}: no input defines it", object.0),
            IllFormed::Missing(location) => write!(formatter, "instruction {}: no such register, object or location", location.0),
            IllFormed::Type(location) => write!(formatter, "instruction {}: type", location.0),
            IllFormed::Constant(location) => write!(formatter, "instruction {}: constant out of range", location.0),
            IllFormed::Origin(location) => write!(formatter, "instruction {}: object of another origin", location.0),
            IllFormed::FallsThrough(location) => write!(formatter, "instruction {}: goes on after the end", location.0),
            IllFormed::Assertion(position) => write!(formatter, "assertion {position}: order, or no branch"),
        }
    }
}

impl std::error::Error for IllFormed {}

/// Refuses a program that breaks a condition of `spec/program.md#well-formedness`, naming the first.
pub fn check(program: &Program) -> Result<(), IllFormed> {
    if program.instructions.is_empty() {
        return Err(IllFormed::Empty);
    }
    for (layout, id) in program.layouts.iter().zip(0..) {
        check_layout(layout).ok_or(IllFormed::Layout(LayoutId(id)))?;
    }
    for (position, table) in program.tables.iter().enumerate() {
        if !table.values.iter().all(|&value| arithmetic::contains(table.kind, value)) {
            return Err(IllFormed::Table(position));
        }
    }
    for (object, id) in program.objects.iter().zip(0..) {
        check_object(program, object).ok_or(IllFormed::Object(ObjectId(id)))?;
    }
    check_inputs(program)?;
    let checker = Checker { program };
    for (instruction, location) in program.instructions.iter().zip(0..) {
        checker.check(Location(location), instruction)?;
    }
    for (position, location) in program.assertions.iter().enumerate() {
        let is_branch = matches!(program.instructions.get(location.index()), Some(Instruction::Branch(_)));
        let ascends = position == 0 || program.assertions[position - 1] < *location;
        if !is_branch || !ascends {
            return Err(IllFormed::Assertion(position));
        }
    }
    Ok(())
}

fn check_layout(layout: &Layout) -> Option<()> {
    let mut free = 0u64;
    for field in &layout.fields {
        let end = field.offset.checked_add(memory::size(field.kind))?;
        if field.offset < free || end > layout.size {
            return None;
        }
        free = end;
    }
    (layout.size >= 1 && layout.size <= i64::MAX.unsigned_abs()).then_some(())
}

fn check_object(program: &Program, object: &Object) -> Option<()> {
    let layout = program.layouts.get(object.layout.index())?;
    let is_possible = |count: u64| count.checked_mul(layout.size).is_some_and(|bytes| bytes <= i64::MAX.unsigned_abs());
    match &object.origin {
        Origin::Input | Origin::Heap => Some(()),
        Origin::Node { links } => {
            let is_right = |link: &Link, field: &Field| match (link, field.kind) {
                (Link::Data, Type::Integer(_)) | (Link::Up | Link::Other | Link::Null, Type::Pointer) => true,
                (Link::Child(target), Type::Pointer) => is_node(program, ObjectId(target.0)),
                _ => false,
            };
            let fit = links.len() == layout.fields.len() && links.iter().zip(&layout.fields).all(|(link, field)| is_right(link, field));
            fit.then_some(())
        }
        Origin::Local { count } => is_possible(*count).then_some(()),
        Origin::Static { count, contents, .. } => {
            let fit = contents.len() == layout.fields.len()
                && contents.iter().zip(&layout.fields).all(|(contents, field)| fits(program, contents, field.kind, *count));
            (is_possible(*count) && fit).then_some(())
        }
    }
}

fn is_node(program: &Program, object: ObjectId) -> bool {
    program.objects.get(object.index()).is_some_and(|object| matches!(object.origin, Origin::Node { .. }))
}

fn fits(program: &Program, contents: &Contents, kind: Type, count: u64) -> bool {
    let has_count = |length: usize| u64::try_from(length) == Ok(count);
    match (contents, kind) {
        (Contents::Zero, _) => true,
        (Contents::Table(table), Type::Integer(kind)) => {
            program.tables.get(table.index()).is_some_and(|table| table.kind == kind && has_count(table.values.len()))
        }
        (Contents::Pointers(targets), Type::Pointer) => {
            let is_static = |target: &ObjectId| {
                program.objects.get(target.index()).is_some_and(|object| matches!(object.origin, Origin::Static { .. }))
            };
            has_count(targets.len()) && targets.iter().flatten().all(is_static)
        }
        (Contents::Table(_), Type::Pointer) | (Contents::Pointers(_), Type::Integer(_)) => false,
    }
}

fn check_inputs(program: &Program) -> Result<(), IllFormed> {
    let mut registers = BTreeSet::new();
    let mut objects = BTreeSet::new();
    for (position, input) in program.inputs.iter().enumerate() {
        let mut integer = |register: RegisterId| {
            matches!(program.registers.get(register.index())?.kind, Type::Integer(_)).then_some(())?;
            registers.insert(register).then_some(())
        };
        let ok = match *input {
            Input::Integer { register } => integer(register),
            Input::Array(ArrayInput { length, .. }) => integer(length),
            Input::Single { .. } | Input::Linked { .. } => Some(()),
        };
        let mut pointer = |register: RegisterId| {
            (program.registers.get(register.index())?.kind == Type::Pointer).then_some(())?;
            registers.insert(register).then_some(())
        };
        let mut object = |object: ObjectId| {
            (program.objects.get(object.index())?.origin == Origin::Input).then_some(())?;
            objects.insert(object).then_some(())
        };
        let ok = ok.and_then(|()| match *input {
            Input::Integer { .. } => Some(()),
            Input::Array(ArrayInput { pointer: register, object: id, .. }) | Input::Single { pointer: register, object: id } => {
                pointer(register).and_then(|()| object(id))
            }
            Input::Linked { pointer: register, object } => pointer(register).and_then(|()| is_node(program, object).then_some(())),
        });
        ok.ok_or(IllFormed::Input(position))?;
    }
    for (object, id) in program.objects.iter().zip(0..) {
        if object.origin == Origin::Input && !objects.contains(&ObjectId(id)) {
            return Err(IllFormed::UndefinedInput(ObjectId(id)));
        }
    }
    Ok(())
}

struct Checker<'p> {
    program: &'p Program,
}

impl Checker<'_> {
    fn check(&self, at: Location, instruction: &Instruction) -> Result<(), IllFormed> {
        let mut goes_on = true;
        match instruction {
            Instruction::Jump { target } => {
                goes_on = false;
                self.location(at, *target)?;
            }
            Instruction::Branch(Branch { condition, then, otherwise }) => {
                goes_on = false;
                self.condition(at, condition)?;
                self.location(at, *then)?;
                self.location(at, *otherwise)?;
            }
            Instruction::Choose { then, otherwise } => {
                goes_on = false;
                self.location(at, *then)?;
                self.location(at, *otherwise)?;
            }
            Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => goes_on = false,
            Instruction::Assign { target, value } => self.assign(at, *target, *value)?,
            Instruction::Compute(Compute { target, operation, left, right }) => self.compute(at, *target, *operation, *left, *right)?,
            Instruction::Havoc { target } => {
                self.integer(at, *target)?;
            }
            Instruction::Uninitialise { target } => {
                self.register(at, *target)?;
            }
            Instruction::Null { target } => self.pointer(at, *target)?,
            Instruction::Copy { target, source } => {
                self.pointer(at, *target)?;
                self.pointer(at, *source)?;
            }
            Instruction::Address { target, object } => {
                self.pointer(at, *target)?;
                self.origin(at, *object, |origin| matches!(origin, Origin::Static { .. } | Origin::Local { .. }))?;
            }
            Instruction::Advance(Advance { target, base, index, scale: _ }) => {
                self.pointer(at, *target)?;
                self.pointer(at, *base)?;
                self.index(at, *index)?;
            }
            Instruction::Distance(Distance { target, left, right, scale }) => {
                self.exactly(at, *target, IntegerType::I64)?;
                self.pointer(at, *left)?;
                self.pointer(at, *right)?;
                if *scale == 0 {
                    return Err(IllFormed::Constant(at));
                }
            }
            Instruction::Load { target: register, address, offset: _ } | Instruction::Store { address, offset: _, source: register } => {
                self.register(at, *register)?;
                self.pointer(at, *address)?;
            }
            Instruction::Allocate(Allocate { target, object, bytes, fresh: _ }) => {
                self.pointer(at, *target)?;
                self.operand(at, *bytes, IntegerType::U64)?;
                self.origin(at, *object, |origin| matches!(origin, Origin::Heap | Origin::Node { .. }))?;
            }
            Instruction::Free { pointer } => self.pointer(at, *pointer)?,
            Instruction::CheckLeaks { roots } => roots.iter().try_for_each(|root| self.pointer(at, *root))?,
            Instruction::Enter { object } | Instruction::Leave { object } => {
                self.origin(at, *object, |origin| matches!(origin, Origin::Local { .. }))?;
            }
        }
        if goes_on && at.index() + 1 >= self.program.instructions.len() {
            return Err(IllFormed::FallsThrough(at));
        }
        Ok(())
    }

    fn location(&self, at: Location, target: Location) -> Result<(), IllFormed> {
        if target.index() < self.program.instructions.len() { Ok(()) } else { Err(IllFormed::Missing(at)) }
    }

    fn register(&self, at: Location, register: RegisterId) -> Result<Type, IllFormed> {
        self.program.registers.get(register.index()).map(|register| register.kind).ok_or(IllFormed::Missing(at))
    }

    fn integer(&self, at: Location, register: RegisterId) -> Result<IntegerType, IllFormed> {
        match self.register(at, register)? {
            Type::Integer(kind) => Ok(kind),
            Type::Pointer => Err(IllFormed::Type(at)),
        }
    }

    fn exactly(&self, at: Location, register: RegisterId, kind: IntegerType) -> Result<(), IllFormed> {
        if self.integer(at, register)? == kind { Ok(()) } else { Err(IllFormed::Type(at)) }
    }

    fn pointer(&self, at: Location, register: RegisterId) -> Result<(), IllFormed> {
        if self.register(at, register)? == Type::Pointer { Ok(()) } else { Err(IllFormed::Type(at)) }
    }

    fn pointer_operand(&self, at: Location, operand: PointerOperand) -> Result<(), IllFormed> {
        match operand {
            PointerOperand::Register(register) => self.pointer(at, register),
            PointerOperand::Null => Ok(()),
        }
    }

    /// An operand of exactly this type.
    fn operand(&self, at: Location, operand: Operand, kind: IntegerType) -> Result<(), IllFormed> {
        match operand {
            Operand::Register(register) => self.exactly(at, register, kind),
            Operand::Constant(value) if arithmetic::contains(kind, value) => Ok(()),
            Operand::Constant(_) => Err(IllFormed::Constant(at)),
        }
    }

    /// An operand of any integer type; a constant lies between the limits of all of them.
    fn index(&self, at: Location, operand: Operand) -> Result<(), IllFormed> {
        match operand {
            Operand::Register(register) => self.integer(at, register).map(|_| ()),
            Operand::Constant(value) => {
                let least = arithmetic::minimum(IntegerType::I64);
                let most = arithmetic::maximum(IntegerType::U64);
                if (least..=most).contains(&value) { Ok(()) } else { Err(IllFormed::Constant(at)) }
            }
        }
    }

    fn assign(&self, at: Location, target: RegisterId, value: Operand) -> Result<(), IllFormed> {
        if self.integer(at, target)? == IntegerType::Bool { self.operand(at, value, IntegerType::Bool) } else { self.index(at, value) }
    }

    fn compute(&self, at: Location, target: RegisterId, operation: Operation, left: Operand, right: Operand) -> Result<(), IllFormed> {
        let kind = self.integer(at, target)?;
        if kind == IntegerType::Bool {
            return Err(IllFormed::Type(at));
        }
        self.operand(at, left, kind)?;
        match operation {
            Operation::ShiftLeft | Operation::ShiftRight => self.index(at, right),
            _ => self.operand(at, right, kind),
        }
    }

    fn condition(&self, at: Location, condition: &Condition) -> Result<(), IllFormed> {
        match *condition {
            Condition::Integers { left, right, .. } => {
                self.index(at, left)?;
                self.index(at, right)
            }
            Condition::Pointers { left, right, .. } => {
                self.pointer_operand(at, left)?;
                self.pointer_operand(at, right)
            }
        }
    }

    fn origin(&self, at: Location, object: ObjectId, fits: impl Fn(&Origin) -> bool) -> Result<(), IllFormed> {
        let object = self.program.objects.get(object.index()).ok_or(IllFormed::Missing(at))?;
        if fits(&object.origin) { Ok(()) } else { Err(IllFormed::Origin(at)) }
    }
}
