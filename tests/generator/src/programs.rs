//! Small random programs, most of which can fail.
//!
//! Each is of one world (integers, an array, objects, linked nodes; or arrays beside objects) and has few registers, so that instructions meet. Instructions are well typed
//! and else random; behind them stand `Halt`, `Fail` and `Ignore`, where branches lead.

use crate::dice::Dice;
use goatherd_certificates::{
    certificate::{Allocation, Arithmetic, DataModel, Parameters, PointerFormation, SignedOverflow},
    program::{
        Access, Advance, Allocate, ArrayInput, Branch, Compute, Condition, Contents, FailKind, Field, Fresh, Input, Instruction,
        IntegerType, Layout, LayoutId, Link, Location, Object, ObjectId, Operand, Operation, Origin, PointerOperand, Program, Register,
        RegisterId, Relation, SortId, Table, TableId, Type,
    },
};
use goatherd_interpreter::arithmetic::{OPERATIONS, maximum, minimum};

/// Fewest and most instructions before the ends.
const INSTRUCTIONS: std::ops::Range<usize> = 1..10;

/// What stands behind the other instructions.
const ENDS: [Instruction; 3] = [Instruction::Halt, Instruction::Fail { kind: FailKind::Reached }, Instruction::Ignore];

/// Where the ends stand, until that is known.
const UNRESOLVED: u32 = 1 << 16;
const HALT: Location = Location(UNRESOLVED);
const FAIL: Location = Location(UNRESOLVED + 1);
const IGNORE: Location = Location(UNRESOLVED + 2);

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
}

/// What the registers of a program are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum World {
    Integers,
    Array,
    Objects,
    Linked,
    /// Arrays beside objects.
    Beside,
}

/// The program that these decisions make.
pub fn generate(dice: &mut Dice, subject: Subject) -> Case {
    let parameters = Parameters {
        data_model: DataModel::Lp64SignedChar,
        signed_overflow: if dice.once_in(3) { SignedOverflow::Fails } else { SignedOverflow::Wraps },
        pointer_formation: if dice.once_in(6) { PointerFormation::InsideObject } else { PointerFormation::Anywhere },
        allocation: if dice.once_in(4) { Allocation::MayFail } else { Allocation::Succeeds },
        arithmetic: Arithmetic::C,
    };
    let world = match subject {
        Subject::Any => dice.one([World::Integers, World::Array, World::Objects, World::Linked, World::Linked]),
        Subject::Twins => World::Beside,
    };
    let mut writer = Writer { dice, program: empty(), integers: Vec::new(), pointers: Vec::new(), places: Vec::new(), world };
    writer.declare();
    writer.write();
    Case { program: writer.program, parameters }
}

fn empty() -> Program {
    Program {
        entry: String::from("test"),
        registers: Vec::new(),
        layouts: Vec::new(),
        objects: Vec::new(),
        tables: Vec::new(),
        inputs: Vec::new(),
        instructions: Vec::new(),
        assertions: Vec::new(),
    }
}

/// Bytes that a value takes.
const fn size(kind: Type) -> u64 {
    match kind {
        Type::Integer(IntegerType::Bool | IntegerType::I8 | IntegerType::U8) => 1,
        Type::Integer(IntegerType::I16 | IntegerType::U16) => 2,
        Type::Integer(IntegerType::I32 | IntegerType::U32) => 4,
        Type::Integer(IntegerType::I64 | IntegerType::U64) | Type::Pointer => 8,
    }
}

struct Writer<'d> {
    dice: &'d mut Dice,
    program: Program,
    integers: Vec<(RegisterId, IntegerType)>,
    pointers: Vec<RegisterId>,
    /// Offset and type of each field of any layout.
    places: Vec<(i64, Type)>,
    world: World,
}

impl Writer<'_> {
    fn register(&mut self, kind: Type) -> RegisterId {
        let id = RegisterId(u32::try_from(self.program.registers.len()).unwrap_or(0));
        self.program.registers.push(Register { name: format!("r{}", id.0), kind });
        match kind {
            Type::Integer(kind) => self.integers.push((id, kind)),
            Type::Pointer => self.pointers.push(id),
        }
        id
    }

    fn layout(&mut self, kinds: &[Type]) -> LayoutId {
        let mut offset = 0;
        let mut fields = Vec::new();
        for kind in kinds {
            self.places.push((i64::try_from(offset).unwrap_or(0), *kind));
            fields.push(Field { name: format!("f{offset}"), offset, kind: *kind });
            offset += size(*kind);
        }
        self.program.layouts.push(Layout { name: String::from("element"), size: offset, fields });
        LayoutId(u32::try_from(self.program.layouts.len() - 1).unwrap_or(0))
    }

    fn object(&mut self, layout: LayoutId, origin: Origin) -> ObjectId {
        self.program.objects.push(Object { name: String::from("object"), layout, origin });
        ObjectId(u32::try_from(self.program.objects.len() - 1).unwrap_or(0))
    }

    fn declare(&mut self) {
        let kind = self.dice.one([IntegerType::I32, IntegerType::I8, IntegerType::U8, IntegerType::U32, IntegerType::I64]);
        let other =
            self.dice.one([IntegerType::I32, IntegerType::I8, IntegerType::U8, IntegerType::U16, IntegerType::U64, IntegerType::Bool]);
        let integers = if self.world == World::Integers { 3 } else { 1 };
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
        }
    }

    fn declare_array(&mut self, kind: IntegerType, length: IntegerType) {
        let layout = self.layout(&[Type::Integer(kind)]);
        for _ in 0..=usize::from(self.dice.once_in(4)) {
            let object = self.object(layout, Origin::Input);
            let (pointer, length) = (self.register(Type::Pointer), self.register(Type::Integer(length)));
            self.program.inputs.push(Input::Array(ArrayInput { pointer, length, object }));
        }
        self.register(Type::Pointer);
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
        if self.world == World::Beside {
            self.push_kept();
        } else if self.dice.once_in(2) {
            let instructions = 1 + self.dice.below(3);
            for _ in 0..instructions {
                self.push_probe();
            }
            self.push_gate();
        } else {
            let count = INSTRUCTIONS.start + self.dice.below(INSTRUCTIONS.len());
            for _ in 0..count {
                let instruction = self.instruction();
                self.program.instructions.push(instruction);
            }
        }
        self.resolve();
        self.program.instructions.extend(ENDS);
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

    /// The size of an element.
    fn scale(&mut self) -> i64 {
        let layouts = self.program.layouts.len();
        self.program.layouts.get(self.dice.below(layouts)).map_or(1, |layout| i64::try_from(layout.size).unwrap_or(1))
    }

    /// Now that it is known where the ends stand, branches lead there.
    fn resolve(&mut self) {
        let end = u32::try_from(self.program.instructions.len()).unwrap_or(u32::MAX);
        let place = |location: &mut Location| {
            *location = Location(location.0.checked_sub(UNRESOLVED).map_or(location.0.min(end), |which| end + which));
        };
        for instruction in &mut self.program.instructions {
            match instruction {
                Instruction::Jump { target } => place(target),
                Instruction::Branch(Branch { then, otherwise, .. }) | Instruction::Choose { then, otherwise } => {
                    place(then);
                    place(otherwise);
                }
                _ => {}
            }
        }
    }

    fn goes_on(&self) -> Location {
        Location(u32::try_from(self.program.instructions.len() + 1).unwrap_or(u32::MAX))
    }

    /// A branch to an end, or on.
    fn push_branch(&mut self, condition: Condition) {
        let (end, on) = (if self.dice.once_in(3) { HALT } else { FAIL }, self.goes_on());
        let (then, otherwise) = if self.dice.once_in(2) { (end, on) } else { (on, end) };
        self.program.instructions.push(Instruction::Branch(Branch { condition, then, otherwise }));
    }

    fn push_unless_null(&mut self, pointer: RegisterId) {
        let (left, right) = (PointerOperand::Register(pointer), PointerOperand::Null);
        let (condition, otherwise) = (Condition::Pointers { relation: Relation::Equal, left, right }, self.goes_on());
        self.program.instructions.push(Instruction::Branch(Branch { condition, then: HALT, otherwise }));
    }

    /// The pointer of an input, most often.
    fn root(&mut self) -> RegisterId {
        let roots = self.program.inputs.iter().filter_map(|input| match input {
            Input::Array(ArrayInput { pointer, .. }) | Input::Single { pointer, .. } | Input::Linked { pointer, .. } => Some(*pointer),
            Input::Integer { .. } => None,
        });
        let roots: Vec<RegisterId> = roots.collect();
        self.dice.pick(&roots).filter(|_| !self.dice.once_in(4)).unwrap_or_else(|| self.pointer())
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

    /// Fails on all inputs that are large enough, so that a proof has to excuse them by smaller ones.
    fn push_gate(&mut self) {
        let inputs = self.program.inputs.iter().filter(|input| !matches!(input, Input::Single { .. }));
        let inputs: Vec<Input> = inputs.cloned().collect();
        let position = self.dice.below(inputs.len());
        let depth = 1 + self.dice.below(3);
        match inputs.get(position) {
            Some(Input::Linked { pointer, object }) => self.push_walk(*pointer, *object, depth),
            Some(Input::Array(ArrayInput { length, .. })) => {
                let right = Operand::Constant(i128::try_from(depth).unwrap_or(1));
                let condition = Condition::Integers { relation: Relation::Less, left: Operand::Register(*length), right };
                let otherwise = self.goes_on();
                self.program.instructions.push(Instruction::Branch(Branch { condition, then: HALT, otherwise }));
            }
            _ => {
                let (target, kind) = self.integer();
                if self.dice.once_in(2) {
                    self.program.instructions.push(Instruction::Havoc { target });
                }
                let (left, right) = (Operand::Register(target), self.constant(kind));
                let (condition, then) = (Condition::Integers { relation: Relation::Equal, left, right }, self.goes_on());
                self.program.instructions.push(Instruction::Branch(Branch { condition, then, otherwise: HALT }));
            }
        }
        self.program.instructions.push(Instruction::Jump { target: FAIL });
    }

    /// Halts but on trees with a path of so many nodes.
    fn push_walk(&mut self, root: RegisterId, object: ObjectId, depth: usize) {
        let object = self.program.objects.get(object.index());
        let layout = object.and_then(|object| self.program.layouts.get(object.layout.index()));
        let (Some(Object { origin: Origin::Node { links }, .. }), Some(layout)) = (object, layout) else { return };
        let children = links.iter().zip(&layout.fields).filter(|(link, _)| matches!(link, Link::Child(_)));
        let children: Vec<i64> = children.filter_map(|(_, field)| i64::try_from(field.offset).ok()).collect();
        let others: Vec<RegisterId> = self.pointers.iter().copied().filter(|pointer| *pointer != root).collect();
        self.push_unless_null(root);
        let mut address = root;
        for _ in 1..depth {
            let (Some(target), Some(offset)) = (self.dice.pick(&others), self.dice.pick(&children)) else { return };
            self.program.instructions.push(Instruction::Load { target, address, offset });
            self.push_unless_null(target);
            address = target;
        }
    }

    fn target(&mut self) -> Location {
        let here = self.program.instructions.len();
        match self.dice.below(12) {
            0 => Location(self.dice.id(here + 1)),
            1..4 => HALT,
            4..7 => FAIL,
            7 => IGNORE,
            _ => Location(u32::try_from(here).unwrap_or(0) + 1 + self.dice.id(3)),
        }
    }

    fn integer(&mut self) -> (RegisterId, IntegerType) {
        self.dice.pick(&self.integers).unwrap_or((RegisterId(0), IntegerType::I32))
    }

    fn pointer(&mut self) -> RegisterId {
        self.dice.pick(&self.pointers).unwrap_or(RegisterId(0))
    }

    fn constant(&mut self, kind: IntegerType) -> Operand {
        let value = match self.dice.below(12) {
            0 => minimum(kind),
            1 => maximum(kind),
            2 => -1,
            3..6 => 0,
            6..9 => 1,
            _ => i128::try_from(self.dice.below(6)).unwrap_or(0),
        };
        Operand::Constant(value.clamp(minimum(kind), maximum(kind)))
    }

    fn operand(&mut self, kind: IntegerType) -> Operand {
        let same: Vec<RegisterId> = self.integers.iter().filter(|(_, other)| *other == kind).map(|(register, _)| *register).collect();
        let register = self.dice.pick(&same).filter(|_| !self.dice.once_in(2));
        register.map_or_else(|| self.constant(kind), Operand::Register)
    }

    fn branch(&mut self, condition: Condition) -> Instruction {
        Instruction::Branch(Branch { condition, then: self.target(), otherwise: self.target() })
    }

    fn instruction(&mut self) -> Instruction {
        let about_pointers = if self.pointers.is_empty() { 0 } else { 65 };
        if self.dice.percent(about_pointers) { self.pointer_instruction() } else { self.integer_instruction() }
    }

    fn integer_instruction(&mut self) -> Instruction {
        let (target, kind) = self.integer();
        match self.dice.below(12) {
            0 => Instruction::Jump { target: self.target() },
            1 => Instruction::Choose { then: self.target(), otherwise: self.target() },
            2 | 3 => Instruction::Havoc { target },
            4 | 5 => {
                let from = if kind == IntegerType::Bool { kind } else { self.integer().1 };
                Instruction::Assign { target, value: self.operand(from) }
            }
            6 | 7 if kind != IntegerType::Bool => self.compute(target, kind),
            8 if self.dice.once_in(3) => Instruction::Uninitialise { target },
            _ => {
                let relation = self.dice.one([Relation::Equal, Relation::Equal, Relation::Less, Relation::LessOrEqual]);
                let (left, right) = (Operand::Register(target), self.operand(kind));
                self.branch(Condition::Integers { relation, left, right })
            }
        }
    }

    fn compute(&mut self, target: RegisterId, kind: IntegerType) -> Instruction {
        let operation = if self.dice.once_in(2) { self.dice.one([Operation::Add, Operation::Subtract]) } else { self.dice.one(OPERATIONS) };
        let right = match operation {
            Operation::ShiftLeft | Operation::ShiftRight => Operand::Constant(i128::try_from(self.dice.below(4)).unwrap_or(0)),
            _ => self.operand(kind),
        };
        Instruction::Compute(Compute { target, operation, left: self.operand(kind), right })
    }

    /// A register and the offset of a field of its type; rarely another one.
    fn field(&mut self) -> Option<(RegisterId, i64)> {
        let (offset, kind) = self.dice.pick(&self.places)?;
        let fitting = (0..).map(RegisterId).zip(&self.program.registers).filter(|(_, register)| register.kind == kind).map(|(id, _)| id);
        let fitting: Vec<RegisterId> = fitting.collect();
        self.dice.pick(&fitting).map(|register| (register, offset))
    }

    fn pointer_operand(&mut self) -> PointerOperand {
        if self.dice.once_in(3) { PointerOperand::Null } else { PointerOperand::Register(self.pointer()) }
    }

    fn pointer_instruction(&mut self) -> Instruction {
        let target = self.pointer();
        match self.dice.below(16) {
            0..5 => {
                let relation = if self.dice.once_in(12) { Relation::Less } else { Relation::Equal };
                let (left, right) = (PointerOperand::Register(target), self.pointer_operand());
                self.branch(Condition::Pointers { relation, left, right })
            }
            5..8 => match self.field() {
                Some((target, offset)) => Instruction::Load { target, address: self.pointer(), offset },
                None => Instruction::Null { target },
            },
            8 | 9 => match self.field() {
                Some((source, offset)) => Instruction::Store { address: self.pointer(), offset, source },
                None => Instruction::Null { target },
            },
            10 => Instruction::Copy { target, source: self.pointer() },
            11 if self.dice.once_in(3) => {
                Instruction::CheckLeaks { roots: self.pointers.iter().copied().take(self.dice.below(3)).collect() }
            }
            11 => Instruction::Null { target },
            12 => Instruction::Free { pointer: target },
            13 if self.world != World::Linked => {
                let scale = self.scale();
                Instruction::Advance(Advance { target, base: self.pointer(), index: self.small(), scale })
            }
            _ => self.new_object(target),
        }
    }

    /// An index.
    fn small(&mut self) -> Operand {
        let (register, _) = self.integer();
        if self.dice.once_in(3) { Operand::Register(register) } else { Operand::Constant(self.dice.one([1, 1, -1, 0, 2])) }
    }

    /// What makes a pointer to an object, or an object live or dead.
    fn new_object(&mut self, target: RegisterId) -> Instruction {
        let count = self.program.objects.len();
        let object = ObjectId(self.dice.id(count));
        let Some(Object { layout, origin, .. }) = self.program.objects.get(object.index()) else { return Instruction::Null { target } };
        let size = self.program.layouts.get(layout.index()).map_or(1, |layout| i128::from(layout.size));
        let fresh = if self.dice.once_in(2) { Fresh::Zero } else { Fresh::Arbitrary };
        match origin {
            Origin::Heap => {
                Instruction::Allocate(Allocate { target, object, bytes: Operand::Constant(size * self.dice.one([1, 1, 2, 0])), fresh })
            }
            Origin::Node { .. } => Instruction::Allocate(Allocate { target, object, bytes: Operand::Constant(size), fresh }),
            Origin::Local { .. } => match self.dice.below(4) {
                0 | 1 => Instruction::Enter { object },
                2 => Instruction::Leave { object },
                _ => Instruction::Address { target, object },
            },
            Origin::Static { .. } => Instruction::Address { target, object },
            Origin::Input => Instruction::Copy { target, source: self.pointer() },
        }
    }
}
