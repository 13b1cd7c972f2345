//! Small random programs, most of which can fail: what each subject declares, and which instructions come one after the other.

use crate::{
    dice::Dice,
    writer::{World, Writer},
};
use goatherd_certificates::{
    certificate::{Allocation, Arithmetic, DataModel, Parameters, PointerFormation, SignedOverflow},
    program::{
        Access, Advance, ArrayInput, Branch, Compute, Condition, Contents, Input, Instruction, IntegerType, Link, Location, Operand,
        Origin, PointerOperand, Program, RegisterId, Relation, SortId, Table, TableId, Type,
    },
};
use goatherd_interpreter::arithmetic::OPERATIONS;

/// Fewest and most instructions before the ends.
const INSTRUCTIONS: std::ops::Range<usize> = 1..10;

/// A program and what it is run under.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program: well-formed.
    pub program: Program,
    /// Claim parameters.
    pub parameters: Parameters,
}

/// Which programs are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// Those of all worlds but `World::Beside`.
    Any,
    /// Those that keep in an object what they know of an array, so that a twin is one, or nearly (`spec/calculus.md#twin`).
    Twins,
    /// Those that ask of an integer which a scapegoat may choose what no value of its type is, or multiply unknowns, beside an input whose size counts.
    Choices,
    /// Those that link a few nodes and ask how they are linked, so that a template tells two heaps apart, or not (`spec/calculus.md#subsume`).
    Folds,
}

impl Subject {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Any, Self::Twins, Self::Choices, Self::Folds];

    /// What it is called on a command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Twins => "twins",
            Self::Choices => "choices",
            Self::Folds => "folds",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|subject| subject.name() == name)
    }
}

/// The program that these decisions make.
pub fn generate(dice: &mut Dice, subject: Subject) -> Case {
    let overflows = if subject == Subject::Choices { 2 } else { 1 };
    let parameters = Parameters {
        data_model: DataModel::Lp64SignedChar,
        signed_overflow: if dice.below(3) < overflows { SignedOverflow::Fails } else { SignedOverflow::Wraps },
        pointer_formation: if dice.once_in(6) { PointerFormation::InsideObject } else { PointerFormation::Anywhere },
        allocation: if dice.once_in(if subject == Subject::Folds { 16 } else { 4 }) { Allocation::MayFail } else { Allocation::Succeeds },
        arithmetic: Arithmetic::C,
    };
    let world = match subject {
        Subject::Any => dice.one([World::Integers, World::Array, World::Objects, World::Linked, World::Linked]),
        Subject::Twins => World::Beside,
        Subject::Choices => World::Chosen,
        Subject::Folds => World::Built,
    };
    let mut writer = Writer::new(dice, world);
    writer.declare();
    writer.write();
    Case { program: writer.finish(), parameters }
}

impl Writer<'_> {
    fn declare(&mut self) {
        let kind = self.dice.one([IntegerType::I32, IntegerType::I8, IntegerType::U8, IntegerType::U32, IntegerType::I64]);
        let other =
            self.dice.one([IntegerType::I32, IntegerType::I8, IntegerType::U8, IntegerType::U16, IntegerType::U64, IntegerType::Bool]);
        let integers = match self.world {
            World::Integers => 3,
            World::Chosen => 2,
            _ => 1,
        };
        for _ in 0..integers {
            let register = self.register(Type::Integer(kind));
            if self.dice.once_in(3) {
                self.program.inputs.push(Input::Integer { register });
            }
        }
        if self.dice.once_in(3) {
            self.register(Type::Integer(other));
        }
        match self.world {
            World::Integers => {}
            World::Array => {
                let length = self.dice.one([IntegerType::I32, IntegerType::U8, IntegerType::U32]);
                self.declare_array(kind, length);
            }
            World::Beside => {
                // An object can hold a length.
                self.declare_array(kind, kind);
                self.declare_objects(kind);
            }
            World::Objects => self.declare_objects(kind),
            World::Linked => self.declare_linked(kind),
            World::Chosen if self.dice.once_in(3) => self.declare_linked(kind),
            // A length can be a factor.
            World::Chosen => self.declare_array(kind, kind),
            World::Built => self.declare_built(kind),
        }
    }

    fn declare_objects(&mut self, kind: IntegerType) {
        let plain = self.layout(&[Type::Integer(kind)]);
        let mixed = self.layout(&[Type::Integer(kind), Type::Pointer]);
        let layout = self.dice.one([plain, mixed]);
        self.object(layout, Origin::Heap);
        if self.dice.once_in(2) {
            let count = 1 + self.dice.below(2) as u64;
            self.object(layout, Origin::Local { count });
        }
        if self.dice.once_in(2) {
            self.program.tables.push(Table { kind, values: vec![1, 0] });
            let contents = if self.dice.once_in(2) { Contents::Table(TableId(0)) } else { Contents::Zero };
            let access = if self.dice.once_in(3) { Access::ReadOnly } else { Access::ReadWrite };
            self.object(plain, Origin::Static { count: 2, contents: vec![contents], access });
        }
        if self.dice.once_in(2) {
            let object = self.object(layout, Origin::Input);
            let pointer = self.register(Type::Pointer);
            self.program.inputs.push(Input::Single { pointer, object });
        }
        for _ in 0..2 {
            self.register(Type::Pointer);
        }
    }

    fn declare_linked(&mut self, kind: IntegerType) {
        let own = Link::Child(SortId(0));
        let links: &[Link] = match self.dice.below(6) {
            0 => &[own],
            1 => &[Link::Data, own],
            2 => &[own, Link::Up],
            3 => &[own, own],
            4 => &[Link::Data, own, Link::Other],
            _ => &[Link::Data, own, Link::Up],
        };
        let kinds: Vec<Type> = links.iter().map(|link| if *link == Link::Data { Type::Integer(kind) } else { Type::Pointer }).collect();
        let layout = self.layout(&kinds);
        let object = self.object(layout, Origin::Node { links: links.to_vec() });
        if self.dice.once_in(6) {
            // Another declaration, of which a root may also be.
            self.object(layout, Origin::Node { links: links.to_vec() });
        }
        for _ in 0..=usize::from(self.dice.once_in(3)) {
            let pointer = self.register(Type::Pointer);
            self.program.inputs.push(Input::Linked { pointer, object });
        }
        for _ in 0..=1 + self.dice.below(2) {
            self.register(Type::Pointer);
        }
    }

    fn write(&mut self) {
        match self.world {
            World::Beside => self.push_kept(),
            World::Chosen => self.push_chosen(),
            World::Built => self.push_built(),
            _ if self.dice.once_in(2) => {
                let instructions = 1 + self.dice.below(3);
                for _ in 0..instructions {
                    self.push_probe();
                }
                self.push_gate();
            }
            _ => {
                let count = INSTRUCTIONS.start + self.dice.below(INSTRUCTIONS.len());
                for _ in 0..count {
                    let instruction = self.instruction();
                    self.program.instructions.push(instruction);
                }
            }
        }
    }

    /// Keeps something of the arrays in objects, forgets the arrays, and asks what has been kept.
    fn push_kept(&mut self) {
        let mut kept = self.push_keep();
        if self.dice.once_in(4) {
            kept = self.push_keep();
        }
        for input in self.program.inputs.clone() {
            let Input::Array(ArrayInput { pointer, length, .. }) = input else { continue };
            if !self.dice.once_in(8) {
                self.program.instructions.push(Instruction::Null { target: pointer });
            }
            if !self.dice.once_in(8) {
                self.program.instructions.push(Instruction::Assign { target: length, value: Operand::Constant(0) });
            }
        }
        if self.dice.once_in(3) {
            let instruction = self.instruction();
            self.program.instructions.push(instruction);
        }
        self.push_question(kept);
        if self.dice.once_in(4) {
            self.push_gate();
        }
    }

    /// Makes a pointer to an object, and stores a register there, moves the pointer or makes it NULL, half of the time under a condition on the
    /// length of an array. Gives the pointer, and what has made it.
    fn push_keep(&mut self) -> (RegisterId, Instruction) {
        let target = self.new_pointer();
        let made = self.push_object(target);
        let lengths = self
            .program
            .inputs
            .iter()
            .filter_map(|input| if let Input::Array(ArrayInput { length, .. }) = input { Some(*length) } else { None });
        let lengths: Vec<RegisterId> = lengths.collect();
        let length = self.dice.pick(&lengths).unwrap_or(RegisterId(0));
        if self.dice.once_in(2) {
            let right = Operand::Constant(self.dice.one([0, 0, 1]));
            let condition = Condition::Integers { relation: Relation::LessOrEqual, left: Operand::Register(length), right };
            let otherwise = self.goes_on();
            self.program.instructions.push(Instruction::Branch(Branch { condition, then: Location(otherwise.0 + 1), otherwise }));
        }
        let kept = match self.dice.below(10) {
            0 => Instruction::Null { target },
            1 => Instruction::Free { pointer: target },
            2 => Instruction::Advance(Advance { target, base: target, index: Operand::Register(length), scale: self.scale() }),
            3 => Instruction::Copy { target: self.new_pointer(), source: target },
            4 => Instruction::Uninitialise { target },
            5 | 6 => match self.field() {
                Some((source, offset)) => Instruction::Store { address: target, offset, source },
                None => Instruction::Null { target },
            },
            _ => Instruction::Store { address: target, offset: 0, source: length },
        };
        self.program.instructions.push(kept);
        (target, made)
    }

    /// A pointer that is none of an input.
    fn new_pointer(&mut self) -> RegisterId {
        let is_own = |pointer: &RegisterId| {
            !self.program.inputs.iter().any(|input| match input {
                Input::Array(ArrayInput { pointer: other, .. })
                | Input::Single { pointer: other, .. }
                | Input::Linked { pointer: other, .. } => other == pointer,
                Input::Integer { .. } => false,
            })
        };
        let own: Vec<RegisterId> = self.pointers.iter().copied().filter(is_own).collect();
        self.dice.pick(&own).unwrap_or_else(|| self.pointer())
    }

    /// Makes the register a pointer to an object, that lives; gives what has made it.
    fn push_object(&mut self, target: RegisterId) -> Instruction {
        let mut instruction = self.new_object(target);
        if let Instruction::Enter { object } | Instruction::Leave { object } = instruction {
            self.program.instructions.push(Instruction::Enter { object });
            instruction = Instruction::Address { target, object };
        }
        self.program.instructions.push(instruction.clone());
        instruction
    }

    /// Asks what an object holds, or where a pointer points: most often of what has been kept.
    fn push_question(&mut self, (target, made): (RegisterId, Instruction)) {
        let address = if self.dice.once_in(6) { self.pointer() } else { target };
        if matches!(made, Instruction::Address { .. }) && self.dice.once_in(2) {
            self.program.instructions.push(made);
        }
        let field = if self.dice.once_in(2) { self.field() } else { Some((self.integer().0, 0)) };
        match field {
            Some((target, offset)) if !self.dice.once_in(4) => {
                self.program.instructions.push(Instruction::Load { target, address, offset });
                if let Some((_, kind)) = self.integers.iter().copied().find(|(register, _)| *register == target) {
                    let (left, right) = (Operand::Register(target), self.constant(kind));
                    self.push_branch(Condition::Integers { relation: Relation::Equal, left, right });
                }
            }
            _ => {
                let (left, right) = (PointerOperand::Register(address), self.pointer_operand());
                self.push_branch(Condition::Pointers { relation: Relation::Equal, left, right });
            }
        }
    }

    /// Reads something and asks what it is; or any instruction.
    fn push_probe(&mut self) {
        let field = if self.dice.once_in(3) { None } else { self.field() };
        let Some((target, offset)) = field else {
            let instruction = self.instruction();
            self.program.instructions.push(instruction);
            return;
        };
        let mut address = self.root();
        if self.world == World::Linked {
            self.push_unless_null(address);
        } else if self.dice.once_in(2) {
            let (base, index) = (address, self.small());
            let scale = self.program.layouts.first().map_or(1, |layout| i64::try_from(layout.size).unwrap_or(1));
            address = self.pointer();
            self.program.instructions.push(Instruction::Advance(Advance { target: address, base, index, scale }));
        }
        self.program.instructions.push(Instruction::Load { target, address, offset });
        let kind = self.program.registers.get(target.index()).map_or(Type::Pointer, |register| register.kind);
        let condition = match kind {
            Type::Integer(kind) => {
                if kind != IntegerType::Bool && self.dice.once_in(3) {
                    let operation = self.dice.one(OPERATIONS);
                    let (left, right) = (Operand::Register(target), self.operand(kind));
                    self.program.instructions.push(Instruction::Compute(Compute { target, operation, left, right }));
                }
                Condition::Integers { relation: Relation::Equal, left: Operand::Register(target), right: self.constant(kind) }
            }
            Type::Pointer => {
                let (left, right) = (PointerOperand::Register(target), self.pointer_operand());
                Condition::Pointers { relation: Relation::Equal, left, right }
            }
        };
        self.push_branch(condition);
    }
}
