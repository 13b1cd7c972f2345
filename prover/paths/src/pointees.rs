//! To which object each pointer points, whether it may be null, and its index where that is one number: by data flow over the program, for all
//! paths at once.

use goatherd_certificates::program::{
    Advance, Allocate, ArrayInput, Branch, Condition, Instruction, Location, ObjectId, Operand, PointerOperand, Program, RegisterId,
    Relation, Type,
};
use std::collections::BTreeSet;

/// What a pointer register holds at a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pointee {
    /// No path has given it a pointer: it is null, or was not set.
    Nothing,
    /// A pointer to the start of an element of this object.
    Object(ObjectId),
    /// The same, or null, or it was not set.
    ObjectOrNothing(ObjectId),
    /// Any pointer.
    Anything,
}

impl Pointee {
    /// The object, where it is known: it is the one whenever the pointer is not null.
    pub fn object(self) -> Option<ObjectId> {
        match self {
            Self::Object(object) | Self::ObjectOrNothing(object) => Some(object),
            Self::Nothing | Self::Anything => None,
        }
    }

    fn join(self, other: Self) -> Self {
        match (self, other) {
            _ if self == other => self,
            (Self::Nothing, Self::Object(object) | Self::ObjectOrNothing(object))
            | (Self::Object(object) | Self::ObjectOrNothing(object), Self::Nothing) => Self::ObjectOrNothing(object),
            (Self::Object(left) | Self::ObjectOrNothing(left), Self::Object(right) | Self::ObjectOrNothing(right)) if left == right => {
                Self::ObjectOrNothing(left)
            }
            _ => Self::Anything,
        }
    }

    /// On a way on which the pointer is not null and was set.
    fn present(self) -> Self {
        self.object().map_or(self, Self::Object)
    }
}

/// What each register holds at a location; of integer registers it says nothing.
type Registers = Vec<Held>;

/// What one register holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Held {
    pointee: Pointee,
    /// The index there, if it is the same on all paths.
    index: Option<i128>,
}

impl Held {
    const NOTHING: Self = Self { pointee: Pointee::Nothing, index: None };
    const ANYTHING: Self = Self { pointee: Pointee::Anything, index: None };

    fn first(pointee: Pointee) -> Self {
        Self { pointee, index: Some(0) }
    }

    fn join(self, other: Self) -> Self {
        // Where there is no pointer on one of the paths, the other one decides.
        let index = match (self.pointee, other.pointee) {
            (Pointee::Nothing, _) => other.index,
            (_, Pointee::Nothing) => self.index,
            _ => self.index.filter(|_| self.index == other.index),
        };
        Self { pointee: self.pointee.join(other.pointee), index }
    }
}

/// Pointees at every location.
#[derive(Clone, Debug)]
pub struct Pointees(Vec<Option<Registers>>);

impl Pointees {
    /// Of a program.
    pub fn new(program: &Program) -> Self {
        let mut entry = vec![Held::NOTHING; program.registers.len()];
        for input in &program.inputs {
            use goatherd_certificates::program::Input;
            match *input {
                Input::Integer { .. } => {}
                Input::Array(ArrayInput { pointer, object, .. }) => entry[pointer.index()] = Held::first(Pointee::Object(object)),
                Input::Single { pointer, object } => entry[pointer.index()] = Held::first(Pointee::ObjectOrNothing(object)),
                Input::Linked { pointer, .. } => entry[pointer.index()] = Held::ANYTHING,
            }
        }
        let mut this = Self(vec![None; program.instructions.len()]);
        let mut open = BTreeSet::new();
        this.arrive(Location(0), &entry, &mut open);
        while let Some(location) = open.pop_first() {
            let Some(before) = this.0[location.index()].clone() else { continue };
            for (target, after) in ways(program, location, before) {
                this.arrive(target, &after, &mut open);
            }
        }
        this
    }

    fn arrive(&mut self, location: Location, registers: &Registers, open: &mut BTreeSet<Location>) {
        let Some(known) = self.0.get_mut(location.index()) else { return };
        let joined = known
            .as_ref()
            .map_or_else(|| registers.clone(), |known| known.iter().zip(registers).map(|(left, right)| left.join(*right)).collect());
        if known.as_ref() != Some(&joined) {
            *known = Some(joined);
            open.insert(location);
        }
    }

    /// What the register holds before the instruction; anything where no path comes to it.
    pub fn at(&self, location: Location, register: RegisterId) -> Pointee {
        self.held(location, register).pointee
    }

    /// The index of the pointer before the instruction, if it is the same on all paths.
    pub fn index(&self, location: Location, register: RegisterId) -> Option<i128> {
        self.held(location, register).index
    }

    fn held(&self, location: Location, register: RegisterId) -> Held {
        let registers = self.0.get(location.index()).and_then(Option::as_ref);
        registers.map_or(Held::ANYTHING, |registers| registers[register.index()])
    }
}

/// How far a pointer moves in elements of that size, as a number of times the operand, or on its own; none if not by whole elements.
pub fn elements(size: u64, index: Operand, scale: i64) -> Option<Shift> {
    let (size, scale) = (i128::from(size), i128::from(scale));
    match index {
        _ if size == 0 => None,
        Operand::Constant(count) => {
            let bytes = count.checked_mul(scale)?;
            (bytes % size == 0).then_some(Shift::By(bytes / size))
        }
        Operand::Register(register) => (scale % size == 0).then_some(Shift::Times(register, scale / size)),
    }
}

/// A number of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    /// So many.
    By(i128),
    /// So many times what the register holds.
    Times(RegisterId, i128),
}

fn present(held: &mut Held) {
    held.pointee = held.pointee.present();
}

fn ways(program: &Program, location: Location, mut registers: Registers) -> Vec<(Location, Registers)> {
    let next = Location(location.0.saturating_add(1));
    let is_pointer = |register: RegisterId| program.registers[register.index()].kind == Type::Pointer;
    match program.instructions[location.index()] {
        Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => return Vec::new(),
        Instruction::Jump { target } => return vec![(target, registers)],
        Instruction::Choose { then, otherwise } => return vec![(then, registers.clone()), (otherwise, registers)],
        Instruction::Branch(Branch { condition, then, otherwise }) => {
            let mut different = registers.clone();
            if let Condition::Pointers { relation: Relation::Equal, left, right } = condition
                && let (PointerOperand::Register(register), PointerOperand::Null)
                | (PointerOperand::Null, PointerOperand::Register(register)) = (left, right)
            {
                registers[register.index()] = Held::NOTHING;
                present(&mut different[register.index()]);
            }
            return vec![(then, registers), (otherwise, different)];
        }
        Instruction::Null { target } => registers[target.index()] = Held::NOTHING,
        Instruction::Uninitialise { target } if is_pointer(target) => registers[target.index()] = Held::NOTHING,
        Instruction::Copy { target, source } => registers[target.index()] = registers[source.index()],
        Instruction::Address { target, object } => registers[target.index()] = Held::first(Pointee::Object(object)),
        Instruction::Advance(Advance { target, base, index, scale }) => {
            let Held { pointee, index: from } = registers[base.index()];
            let size = pointee.object().map(|object| program.layouts[program.objects[object.index()].layout.index()].size);
            registers[target.index()] = match size.and_then(|size| elements(size, index, scale)) {
                Some(Shift::By(count)) => Held { pointee, index: from.and_then(|from| from.checked_add(count)) },
                Some(Shift::Times(..)) => Held { pointee, index: None },
                None => Held::ANYTHING,
            };
        }
        Instruction::Load { target, address, .. } => {
            present(&mut registers[address.index()]);
            if is_pointer(target) {
                registers[target.index()] = Held::ANYTHING;
            }
        }
        Instruction::Store { address, .. } => present(&mut registers[address.index()]),
        Instruction::Allocate(Allocate { target, object, .. }) => registers[target.index()] = Held::first(Pointee::ObjectOrNothing(object)),
        _ => {}
    }
    vec![(next, registers)]
}
