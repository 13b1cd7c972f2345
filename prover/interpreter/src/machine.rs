//! The machine: its state, and one step of the transition relation (`spec/program.md#transition-relation`).

use crate::{
    arithmetic::{self, Computed},
    environment::{Environment, Question},
    input::{self, Entry, InputShape, InputValue, InvalidInput},
    memory::{Cells, Initial, Life, MemoryObject, Release},
    outcome::{Failure, Outcome, Unsupported},
    value::{Pointer, Reference, Value},
};
use goatherd_certificates::{
    certificate::{Allocation, Parameters, PointerFormation, SignedOverflow},
    program::{
        Access, Advance, Allocate, ArrayInput, Branch, Compute, Condition, Contents, Distance, Fresh, Input, Instruction, IntegerType,
        Location, ObjectId, Operand, Operation, Origin, PointerOperand, Program, RegisterId, Relation, Type,
    },
};

/// What a step wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Write {
    /// A register.
    Register {
        /// Which.
        register: RegisterId,
        /// Its value now.
        value: Value,
    },
    /// A cell of memory.
    Cell {
        /// The object.
        object: Reference,
        /// The element.
        index: i128,
        /// The field: position in the layout.
        field: usize,
        /// The cell's value now.
        value: Value,
    },
}

/// What a step did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// It went on to [`Machine::location`].
    Continued(Option<Write>),
    /// The run is over.
    Ended(Outcome),
}

/// A run under way.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    parameters: Parameters,
    location: Location,
    registers: Vec<Value>,
    objects: Vec<MemoryObject<'p>>,
    /// The latest object of each declaration.
    current: Vec<Option<Reference>>,
    choices: Vec<i128>,
    comparisons: Vec<i128>,
    ended: Option<Outcome>,
}

/// Why a step does not go on.
enum Stop {
    Failure(Failure),
    Unsupported(Unsupported),
    Unanswered,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Failure(failure)
    }
}

impl From<Unsupported> for Stop {
    fn from(what: Unsupported) -> Self {
        Stop::Unsupported(what)
    }
}

impl<'p> Machine<'p> {
    /// The machine at the start of the program, which must be [well-formed](crate::well_formed::check). Refuses values that are no valid
    /// input.
    pub fn new(program: &'p Program, parameters: Parameters, inputs: &[InputValue]) -> Result<Self, InvalidInput> {
        Ok(Self::start(program, parameters, input::build(program, inputs)?))
    }

    /// As [`Machine::new`], but the elements of arrays of which only the length is given are drawn when they are first read: the environment
    /// is asked for an [`Element`](Question::Element). In the end [`Machine::inputs`] tells the whole input. For searches: what is not read
    /// makes no difference.
    pub fn draw(program: &'p Program, parameters: Parameters, shapes: &[InputShape]) -> Result<Self, InvalidInput> {
        Ok(Self::start(program, parameters, input::build_shapes(program, shapes)?))
    }

    fn start(program: &'p Program, parameters: Parameters, entry: Entry<'p>) -> Self {
        let mut machine = Machine {
            program,
            parameters,
            location: Location(0),
            registers: vec![Value::Uninitialised; program.registers.len()],
            objects: entry.objects,
            current: vec![None; program.objects.len()],
            choices: Vec::new(),
            comparisons: Vec::new(),
            ended: None,
        };
        for (register, value) in entry.registers {
            machine.registers[register.index()] = value;
        }
        for (reference, object) in machine.objects.iter().enumerate() {
            if let Some(declaration) = object.declaration {
                machine.current[declaration.index()] = Some(Reference(reference));
            }
        }
        machine.add_statics();
        machine
    }

    /// The input of a machine with these shapes, as far as it has been drawn; 0 for what has not been read.
    pub fn inputs(&self, shapes: &[InputShape]) -> Vec<InputValue> {
        // The objects of inputs are the first, one per array, in the order of the inputs.
        let object_of = |position: usize| match self.program.inputs.get(position) {
            Some(Input::Array(ArrayInput { object, .. })) => self.objects.iter().find(|candidate| candidate.declaration == Some(*object)),
            _ => None,
        };
        let whole = |(position, shape): (usize, &InputShape)| match shape {
            InputShape::Whole(value) => value.clone(),
            InputShape::Length(count) => InputValue::Array(object_of(position).map_or_else(Vec::new, |object| {
                (0..*count).map(|index| (0..object.fields.len()).map(|field| object.drawn(i128::from(index), field)).collect()).collect()
            })),
        };
        shapes.iter().enumerate().map(whole).collect()
    }

    fn add_statics(&mut self) {
        // First their names: they may point to each other.
        let mut next = self.objects.len();
        for (object, current) in self.program.objects.iter().zip(&mut self.current) {
            if matches!(object.origin, Origin::Static { .. }) {
                *current = Some(Reference(next));
                next += 1;
            }
        }
        for (object, declaration) in self.program.objects.iter().zip(0..) {
            let Origin::Static { count, contents, access } = &object.origin else { continue };
            let layout = &self.program.layouts[object.layout.index()];
            let fields = layout.fields.iter().zip(contents).map(|(field, contents)| {
                Cells::new(match contents {
                    Contents::Zero => Initial::Same(zero(field.kind)),
                    Contents::Table(table) => Initial::Table(&self.program.tables[table.index()].values),
                    Contents::Pointers(targets) => Initial::Each(targets.iter().map(|target| self.start_of_static(*target)).collect()),
                })
            });
            let fields = fields.collect();
            self.objects.push(MemoryObject {
                declaration: Some(ObjectId(declaration)),
                layout,
                count: *count,
                life: Life::Live,
                access: *access,
                release: Release::Never,
                fields,
            });
        }
    }

    fn start_of_static(&self, target: Option<ObjectId>) -> Value {
        match target.and_then(|target| self.current[target.index()]) {
            Some(object) => Value::Pointer(Pointer { object, index: 0, byte: 0 }),
            None => Value::Null,
        }
    }

    /// The next instruction, or the one that ended the run.
    pub fn location(&self) -> Location {
        self.location
    }

    /// The program that is run.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// All registers' values, in the order of [`Program::registers`].
    pub fn registers(&self) -> &[Value] {
        &self.registers
    }

    /// Every object that exists or has existed, in the order in which it came to be.
    pub fn objects(&self) -> &[MemoryObject<'p>] {
        &self.objects
    }

    /// The latest object of a declaration or allocation site, if there has been one.
    pub fn object_of(&self, declaration: ObjectId) -> Option<&MemoryObject<'p>> {
        let reference = (*self.current.get(declaration.index())?)?;
        self.objects.get(reference.0)
    }

    /// What the environment chose, as [`GroundRun::choices`](goatherd_certificates::certificate::GroundRun::choices) lists it.
    pub fn choices(&self) -> &[i128] {
        &self.choices
    }

    /// How the environment answered comparisons that C leaves open, in order. If there is one, the run's course is not fixed by C, the
    /// inputs and the choices.
    pub fn comparisons(&self) -> &[i128] {
        &self.comparisons
    }

    /// Executes one instruction. When the run is over, tells how it ended, again and again.
    pub fn step(&mut self, environment: &mut dyn Environment) -> Event {
        if let Some(outcome) = self.ended {
            return Event::Ended(outcome);
        }
        let location = self.location;
        let stop = match self.execute(environment) {
            Ok(event @ Event::Continued(_)) => return event,
            Ok(Event::Ended(outcome)) => outcome,
            Err(Stop::Failure(failure)) => Outcome::Failed { location, failure },
            Err(Stop::Unsupported(what)) => Outcome::Unsupported { location, what },
            Err(Stop::Unanswered) => Outcome::Unanswered { location },
        };
        self.ended = Some(stop);
        Event::Ended(stop)
    }

    fn execute(&mut self, environment: &mut dyn Environment) -> Result<Event, Stop> {
        let location = self.location;
        let mut next = Location(location.0 + 1);
        let mut write = None;
        match self.program.instructions[location.index()] {
            Instruction::Jump { target } => next = target,
            Instruction::Branch(Branch { condition, then, otherwise }) => {
                next = if self.holds(condition, environment)? { then } else { otherwise };
            }
            Instruction::Choose { then, otherwise } => {
                next = if self.choose(environment, Question::Direction)? == 0 { then } else { otherwise };
            }
            Instruction::Halt => return Ok(Event::Ended(Outcome::Halted)),
            Instruction::Fail { kind } => return Err(Failure::Program(kind.into()).into()),
            Instruction::Ignore => return Ok(Event::Ended(Outcome::Ignored)),
            Instruction::Assign { target, value } => write = Some(self.assign(target, value)?),
            Instruction::Compute(Compute { target, operation, left, right }) => write = Some(self.compute(target, operation, left, right)?),
            Instruction::Havoc { target } => {
                let kind = self.integer_kind(target);
                let value = self.choose(environment, Question::Havoc { kind })?;
                write = Some(self.set(target, Value::Integer(value)));
            }
            Instruction::Uninitialise { target } => write = Some(self.set(target, Value::Uninitialised)),
            Instruction::Null { target } => write = Some(self.set(target, Value::Null)),
            Instruction::Copy { target, source } => write = Some(self.set(target, self.registers[source.index()])),
            Instruction::Address { target, object } => {
                let object = self.current[object.index()].ok_or(Unsupported::Scope)?;
                write = Some(self.set(target, Value::Pointer(Pointer { object, index: 0, byte: 0 })));
            }
            Instruction::Advance(Advance { target, base, index, scale }) => write = Some(self.advance(target, base, index, scale)?),
            Instruction::Distance(Distance { target, left, right, scale }) => write = Some(self.distance(target, left, right, scale)?),
            Instruction::Load { target, address, offset } => write = Some(self.load(target, address, offset, environment)?),
            Instruction::Store { address, offset, source } => write = Some(self.store(address, offset, source)?),
            Instruction::Allocate(Allocate { target, object, bytes, fresh }) => {
                write = Some(self.allocate(target, object, bytes, fresh, environment)?);
            }
            Instruction::Free { pointer } => self.free(pointer)?,
            Instruction::Enter { object } => self.enter(object, environment)?,
            Instruction::Leave { object } => self.kill(object),
            Instruction::CheckLeaks { ref roots } => self.check_leaks(roots)?,
        }
        self.location = next;
        Ok(Event::Continued(write))
    }

    /// Marks what the registers and static objects lead to, by way of live objects; what is left of the heap is leaked.
    fn check_leaks(&self, roots: &[RegisterId]) -> Result<(), Stop> {
        let origin = |object: &MemoryObject<'_>| object.declaration.map(|declaration| &self.program.objects[declaration.index()].origin);
        let is_static = |object: &MemoryObject<'_>| matches!(origin(object), Some(Origin::Static { .. }));
        // The nodes of an input have no declaration.
        let is_owed = |object: &MemoryObject<'_>| matches!(origin(object), None | Some(Origin::Heap | Origin::Node { .. }));
        let mut marked: Vec<bool> = self.objects.iter().map(is_static).collect();
        let statics = self.objects.iter().filter(|object| is_static(object)).flat_map(MemoryObject::pointees);
        let mut open: Vec<Reference> = statics.collect();
        open.extend(roots.iter().filter_map(|root| match self.registers[root.index()] {
            Value::Pointer(pointer) => Some(pointer.object),
            _ => None,
        }));
        while let Some(reference) = open.pop() {
            let object = &self.objects[reference.0];
            if object.life == Life::Live && !std::mem::replace(&mut marked[reference.0], true) {
                open.extend(object.pointees());
            }
        }
        let is_leaked = |(object, is_marked): (&MemoryObject<'_>, &bool)| object.life == Life::Live && !is_marked && is_owed(object);
        if self.objects.iter().zip(&marked).any(is_leaked) { Err(Failure::Leak.into()) } else { Ok(()) }
    }

    fn set(&mut self, register: RegisterId, value: Value) -> Write {
        self.registers[register.index()] = value;
        Write::Register { register, value }
    }

    fn choose(&mut self, environment: &mut dyn Environment, question: Question) -> Result<i128, Stop> {
        let answer = answer(environment, question)?;
        let record = if question == Question::Comparison { &mut self.comparisons } else { &mut self.choices };
        record.push(answer);
        Ok(answer)
    }

    /// The type of an integer register of a well-formed program.
    fn integer_kind(&self, register: RegisterId) -> IntegerType {
        match self.program.registers[register.index()].kind {
            Type::Integer(kind) => kind,
            Type::Pointer => IntegerType::U64,
        }
    }

    /// An operand's value, used.
    fn integer(&self, operand: Operand) -> Result<i128, Stop> {
        match operand {
            Operand::Constant(value) => Ok(value),
            Operand::Register(register) => match self.registers[register.index()] {
                Value::Integer(value) => Ok(value),
                _ => Err(Failure::Uninitialised.into()),
            },
        }
    }

    /// A pointer's value, used: none for NULL.
    fn pointer(&self, register: RegisterId) -> Result<Option<Pointer>, Stop> {
        match self.registers[register.index()] {
            Value::Null => Ok(None),
            Value::Pointer(pointer) if self.objects[pointer.object.0].life == Life::Dead => Err(Failure::DeadObject.into()),
            Value::Pointer(pointer) => Ok(Some(pointer)),
            Value::Uninitialised | Value::Integer(_) => Err(Failure::Uninitialised.into()),
        }
    }

    fn pointer_operand(&self, operand: PointerOperand) -> Result<Option<Pointer>, Stop> {
        match operand {
            PointerOperand::Null => Ok(None),
            PointerOperand::Register(register) => self.pointer(register),
        }
    }

    fn holds(&mut self, condition: Condition, environment: &mut dyn Environment) -> Result<bool, Stop> {
        match condition {
            Condition::Integers { relation, left, right } => {
                let (left, right) = (self.integer(left)?, self.integer(right)?);
                Ok(related(relation, &left, &right))
            }
            Condition::Pointers { relation, left, right } => {
                let (left, right) = (self.pointer_operand(left)?, self.pointer_operand(right)?);
                match (left, right) {
                    (Some(left), Some(right)) if left.object == right.object => {
                        Ok(related(relation, &(left.index, left.byte), &(right.index, right.byte)))
                    }
                    _ if relation != Relation::Equal => Err(Failure::PointerComparison.into()),
                    (None, None) => Ok(true),
                    _ if self.are_certainly_different(left, right) => Ok(false),
                    _ => Ok(self.choose(environment, Question::Comparison)? == 1),
                }
            }
        }
    }

    /// Are pointers, not both NULL and not into one object, different by C11 6.5.9p6 and 6.3.2.3p3?
    fn are_certainly_different(&self, left: Option<Pointer>, right: Option<Pointer>) -> bool {
        let inside = |pointer: Pointer| self.objects[pointer.object.0].holds(pointer.index);
        let inside_or_at_end = |pointer: Pointer| inside(pointer) || pointer.index == i128::from(self.objects[pointer.object.0].count);
        match (left, right) {
            (Some(left), Some(right)) => inside(left) && inside(right),
            (Some(pointer), None) | (None, Some(pointer)) => inside_or_at_end(pointer),
            (None, None) => false,
        }
    }

    fn assign(&mut self, target: RegisterId, operand: Operand) -> Result<Write, Stop> {
        if let Operand::Register(source) = operand
            && self.registers[source.index()] == Value::Uninitialised
            && self.program.registers[source.index()].kind == self.program.registers[target.index()].kind
        {
            return Ok(self.set(target, Value::Uninitialised));
        }
        let value = arithmetic::wrap(self.integer_kind(target), self.integer(operand)?);
        Ok(self.set(target, Value::Integer(value)))
    }

    fn compute(&mut self, target: RegisterId, operation: Operation, left: Operand, right: Operand) -> Result<Write, Stop> {
        let kind = self.integer_kind(target);
        let (left, right) = (self.integer(left)?, self.integer(right)?);
        let value = match arithmetic::compute(kind, operation, left, right) {
            Computed::Exact(value) => value,
            Computed::Overflow(_) if arithmetic::is_signed(kind) && self.parameters.signed_overflow == SignedOverflow::Fails => {
                return Err(Failure::SignedOverflow.into());
            }
            Computed::Overflow(wrapped) => wrapped,
            Computed::DivisionByZero => return Err(Failure::DivisionByZero.into()),
            Computed::DivisionOverflow => return Err(Failure::DivisionOverflow.into()),
            Computed::ShiftAmount => return Err(Failure::ShiftAmount.into()),
        };
        Ok(self.set(target, Value::Integer(value)))
    }

    fn advance(&mut self, target: RegisterId, base: RegisterId, index: Operand, scale: i64) -> Result<Write, Stop> {
        let base = self.pointer(base)?;
        let steps = self.integer(index)?;
        let Some(base) = base else {
            return if steps == 0 { Ok(self.set(target, Value::Null)) } else { Err(Failure::NullAccess.into()) };
        };
        let object = &self.objects[base.object.0];
        let bytes = steps.checked_mul(i128::from(scale)).ok_or(Unsupported::Magnitude)?;
        let moved = move_bytes(base, bytes, object.layout.size)?;
        let at_end = moved.index == i128::from(object.count) && moved.byte == 0;
        if self.parameters.pointer_formation == PointerFormation::InsideObject && !object.holds(moved.index) && !at_end {
            return Err(Failure::PointerFormation.into());
        }
        Ok(self.set(target, Value::Pointer(moved)))
    }

    fn distance(&mut self, target: RegisterId, left: RegisterId, right: RegisterId, scale: u64) -> Result<Write, Stop> {
        let (left, right) = (self.pointer(left)?, self.pointer(right)?);
        let difference = match (left, right) {
            (None, None) => 0,
            (Some(left), Some(right)) if left.object == right.object => {
                let size = i128::from(self.objects[left.object.0].layout.size);
                let elements = left.index.checked_sub(right.index).ok_or(Unsupported::Magnitude)?;
                let bytes = elements.checked_mul(size).ok_or(Unsupported::Magnitude)?;
                let bytes = bytes.checked_add(i128::from(left.byte) - i128::from(right.byte)).ok_or(Unsupported::Magnitude)?;
                if bytes % i128::from(scale) != 0 {
                    return Err(Unsupported::Difference.into());
                }
                bytes / i128::from(scale)
            }
            _ => return Err(Failure::PointerDifference.into()),
        };
        if !arithmetic::contains(self.integer_kind(target), difference) {
            return Err(Failure::PointerDifference.into());
        }
        Ok(self.set(target, Value::Integer(difference)))
    }

    /// Where memory is read or written next, wherever in an element that is: none where the instruction does neither, or fails for its address.
    #[must_use]
    pub fn place_of_access(&self) -> Option<Pointer> {
        match self.program.instructions.get(self.location.index())? {
            Instruction::Load { address, offset, .. } | Instruction::Store { address, offset, .. } => self.place(*address, *offset).ok(),
            _ => None,
        }
    }

    /// The place of an access: an address, not yet known to be inside its object, which is live.
    fn place(&self, address: RegisterId, offset: i64) -> Result<Pointer, Stop> {
        let pointer = self.pointer(address)?.ok_or(Failure::NullAccess)?;
        Ok(move_bytes(pointer, i128::from(offset), self.objects[pointer.object.0].layout.size)?)
    }

    fn load(&mut self, target: RegisterId, address: RegisterId, offset: i64, environment: &mut dyn Environment) -> Result<Write, Stop> {
        let place = self.place(address, offset)?;
        let object = &self.objects[place.object.0];
        let kind = self.program.registers[target.index()].kind;
        let field = object.field(place.byte, kind).ok_or(Unsupported::Field)?;
        if !object.holds(place.index) {
            return Err(Failure::OutOfBounds.into());
        }
        let from = object.layout.fields[field].kind;
        if let (true, Type::Integer(kind)) = (object.is_undrawn(place.index, field), from) {
            let value = answer(environment, Question::Element { kind })?;
            self.objects[place.object.0].draw(place.index, field, value);
        }
        let value = converted(from, kind, self.objects[place.object.0].cell(place.index, field))?;
        Ok(self.set(target, value))
    }

    fn store(&mut self, address: RegisterId, offset: i64, source: RegisterId) -> Result<Write, Stop> {
        let place = self.place(address, offset)?;
        let object = &mut self.objects[place.object.0];
        let field = object.field(place.byte, self.program.registers[source.index()].kind).ok_or(Unsupported::Field)?;
        if object.access == Access::ReadOnly {
            return Err(Failure::ReadOnly.into());
        }
        let (from, to) = (self.program.registers[source.index()].kind, object.layout.fields[field].kind);
        let value = converted(from, to, self.registers[source.index()])?;
        if !object.holds(place.index) {
            return Err(Failure::OutOfBounds.into());
        }
        object.write(place.index, field, value);
        Ok(Write::Cell { object: place.object, index: place.index, field, value })
    }

    fn allocate(
        &mut self,
        target: RegisterId,
        declaration: ObjectId,
        bytes: Operand,
        fresh: Fresh,
        environment: &mut dyn Environment,
    ) -> Result<Write, Stop> {
        let Ok(bytes) = u64::try_from(self.integer(bytes)?) else { return Ok(self.set(target, Value::Null)) };
        if bytes > i64::MAX.unsigned_abs() {
            return Ok(self.set(target, Value::Null));
        }
        if self.parameters.allocation == Allocation::MayFail && self.choose(environment, Question::Allocation { object: declaration })? == 0
        {
            return Ok(self.set(target, Value::Null));
        }
        let size = self.program.layouts[self.program.objects[declaration.index()].layout.index()].size;
        let object = self.create(declaration, bytes / size, fresh, Release::Freeable, environment)?;
        Ok(self.set(target, Value::Pointer(Pointer { object, index: 0, byte: 0 })))
    }

    fn enter(&mut self, declaration: ObjectId, environment: &mut dyn Environment) -> Result<(), Stop> {
        let Origin::Local { count } = self.program.objects[declaration.index()].origin else { return Ok(()) };
        // A jump out of the scope and back into it: the earlier object's lifetime is over (C11 6.2.4p6).
        self.kill(declaration);
        self.create(declaration, count, Fresh::Arbitrary, Release::Never, environment)?;
        Ok(())
    }

    fn create(
        &mut self,
        declaration: ObjectId,
        count: u64,
        fresh: Fresh,
        release: Release,
        environment: &mut dyn Environment,
    ) -> Result<Reference, Stop> {
        let layout = &self.program.layouts[self.program.objects[declaration.index()].layout.index()];
        let mut fields = Vec::with_capacity(layout.fields.len());
        for (position, field) in layout.fields.iter().enumerate() {
            let value = match (fresh, field.kind) {
                (Fresh::Zero, kind) => zero(kind),
                (Fresh::Arbitrary, Type::Pointer) => Value::Uninitialised,
                (Fresh::Arbitrary, Type::Integer(kind)) => {
                    let question = Question::Contents { object: declaration, field: position, kind };
                    Value::Integer(self.choose(environment, question)?)
                }
            };
            fields.push(Cells::new(Initial::Same(value)));
        }
        let reference = Reference(self.objects.len());
        self.objects.push(MemoryObject {
            declaration: Some(declaration),
            layout,
            count,
            life: Life::Live,
            access: Access::ReadWrite,
            release,
            fields,
        });
        self.current[declaration.index()] = Some(reference);
        Ok(reference)
    }

    fn kill(&mut self, declaration: ObjectId) {
        if let Some(reference) = self.current[declaration.index()] {
            self.objects[reference.0].life = Life::Dead;
        }
    }

    fn free(&mut self, register: RegisterId) -> Result<(), Stop> {
        let Some(pointer) = self.pointer(register)? else { return Ok(()) };
        let object = &mut self.objects[pointer.object.0];
        if pointer.index != 0 || pointer.byte != 0 || object.release == Release::Never {
            return Err(Failure::InvalidFree.into());
        }
        object.life = Life::Dead;
        Ok(())
    }
}

/// The environment's answer, in range.
fn answer(environment: &mut dyn Environment, question: Question) -> Result<i128, Stop> {
    let (least, most) = question.range();
    environment.answer(question).filter(|answer| (least..=most).contains(answer)).ok_or(Stop::Unanswered)
}

fn zero(kind: Type) -> Value {
    match kind {
        Type::Integer(_) => Value::Integer(0),
        Type::Pointer => Value::Null,
    }
}

fn related<T: Ord>(relation: Relation, left: &T, right: &T) -> bool {
    match relation {
        Relation::Equal => left == right,
        Relation::Less => left < right,
        Relation::LessOrEqual => left <= right,
    }
}

/// The pointer `bytes` further on, with its byte inside the element.
fn move_bytes(pointer: Pointer, bytes: i128, size: u64) -> Result<Pointer, Unsupported> {
    let bytes = bytes.checked_add(i128::from(pointer.byte)).ok_or(Unsupported::Magnitude)?;
    // Mostly no division of 128 bits is needed.
    if let Some(byte) = u64::try_from(bytes).ok().filter(|byte| *byte < size) {
        return Ok(Pointer { byte, ..pointer });
    }
    if let (Ok(bytes), Ok(size)) = (i64::try_from(bytes), i64::try_from(size)) {
        let index = pointer.index.checked_add(i128::from(bytes.div_euclid(size))).ok_or(Unsupported::Magnitude)?;
        return Ok(Pointer { index, byte: bytes.rem_euclid(size).unsigned_abs(), ..pointer });
    }
    let size = i128::from(size);
    let index = pointer.index.checked_add(bytes.div_euclid(size)).ok_or(Unsupported::Magnitude)?;
    let byte = u64::try_from(bytes.rem_euclid(size)).map_err(|_| Unsupported::Magnitude)?;
    Ok(Pointer { index, byte, ..pointer })
}

/// The value as one of another type of the same width: of integers, only the signedness changes. Nothing else becomes a `_Bool`, which would
/// then not be 0 or 1.
fn converted(from: Type, to: Type, value: Value) -> Result<Value, Unsupported> {
    match (to, value) {
        _ if from == to => Ok(value),
        (Type::Integer(IntegerType::Bool), Value::Integer(_)) => Err(Unsupported::Field),
        (Type::Integer(kind), Value::Integer(value)) => Ok(Value::Integer(arithmetic::wrap(kind, value))),
        _ => Ok(value),
    }
}
