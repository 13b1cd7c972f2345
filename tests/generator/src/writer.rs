//! Writes programs: declarations, random instructions, and the branches that lead to the ends.
//!
//! Each is of one world (integers, an array, objects, linked nodes; or arrays beside objects) and has few registers, so that instructions meet.
//! Instructions are well typed and else random; behind them stand `Halt`, `Fail` and `Ignore`, where branches lead.

use crate::dice::Dice;
use goatherd_certificates::program::{
    Advance, Allocate, ArrayInput, Branch, Compute, Condition, FailKind, Field, Fresh, Input, Instruction, IntegerType, Layout, LayoutId,
    Link, Location, Object, ObjectId, Operand, Operation, Origin, PointerOperand, Program, Register, RegisterId, Relation, Type,
};
use goatherd_interpreter::arithmetic::{OPERATIONS, maximum, minimum};

/// What stands behind the other instructions.
pub(crate) const ENDS: [Instruction; 3] = [Instruction::Halt, Instruction::Fail { kind: FailKind::Reached }, Instruction::Ignore];

/// Where the ends stand, until that is known.
const UNRESOLVED: u32 = 1 << 16;
pub(crate) const HALT: Location = Location(UNRESOLVED);
pub(crate) const FAIL: Location = Location(UNRESOLVED + 1);
const IGNORE: Location = Location(UNRESOLVED + 2);

/// What the registers of a program are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum World {
    Integers,
    Array,
    Objects,
    Linked,
    /// Arrays beside objects.
    Beside,
    /// Integers that a scapegoat may choose, beside an array or linked nodes.
    Chosen,
    /// Nodes that the program links itself.
    Built,
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

pub(crate) struct Writer<'d> {
    pub(crate) dice: &'d mut Dice,
    pub(crate) program: Program,
    pub(crate) integers: Vec<(RegisterId, IntegerType)>,
    pub(crate) pointers: Vec<RegisterId>,
    /// Offset and type of each field of any layout.
    pub(crate) places: Vec<(i64, Type)>,
    pub(crate) world: World,
}

impl<'d> Writer<'d> {
    /// Nothing is declared.
    pub(crate) fn new(dice: &'d mut Dice, world: World) -> Self {
        let program = Program {
            entry: String::from("test"),
            registers: Vec::new(),
            layouts: Vec::new(),
            objects: Vec::new(),
            tables: Vec::new(),
            inputs: Vec::new(),
            instructions: Vec::new(),
            assertions: Vec::new(),
        };
        Self { dice, program, integers: Vec::new(), pointers: Vec::new(), places: Vec::new(), world }
    }

    /// The program, the ends included.
    pub(crate) fn finish(mut self) -> Program {
        self.resolve();
        self.program.instructions.extend(ENDS);
        self.program
    }
}

impl Writer<'_> {
    pub(crate) fn register(&mut self, kind: Type) -> RegisterId {
        let id = RegisterId(u32::try_from(self.program.registers.len()).unwrap_or(0));
        self.program.registers.push(Register { name: format!("r{}", id.0), kind });
        match kind {
            Type::Integer(kind) => self.integers.push((id, kind)),
            Type::Pointer => self.pointers.push(id),
        }
        id
    }

    pub(crate) fn layout(&mut self, kinds: &[Type]) -> LayoutId {
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

    pub(crate) fn object(&mut self, layout: LayoutId, origin: Origin) -> ObjectId {
        self.program.objects.push(Object { name: String::from("object"), layout, origin });
        ObjectId(u32::try_from(self.program.objects.len() - 1).unwrap_or(0))
    }

    pub(crate) fn declare_array(&mut self, kind: IntegerType, length: IntegerType) {
        let layout = self.layout(&[Type::Integer(kind)]);
        for _ in 0..=usize::from(self.dice.once_in(4)) {
            let object = self.object(layout, Origin::Input);
            let (pointer, length) = (self.register(Type::Pointer), self.register(Type::Integer(length)));
            self.program.inputs.push(Input::Array(ArrayInput { pointer, length, object }));
        }
        self.register(Type::Pointer);
    }

    /// The size of an element.
    pub(crate) fn scale(&mut self) -> i64 {
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

    pub(crate) fn goes_on(&self) -> Location {
        Location(u32::try_from(self.program.instructions.len() + 1).unwrap_or(u32::MAX))
    }

    /// A branch to an end, or on.
    pub(crate) fn push_branch(&mut self, condition: Condition) {
        let (end, on) = (if self.dice.once_in(3) { HALT } else { FAIL }, self.goes_on());
        let (then, otherwise) = if self.dice.once_in(2) { (end, on) } else { (on, end) };
        self.program.instructions.push(Instruction::Branch(Branch { condition, then, otherwise }));
    }

    pub(crate) fn push_unless_null(&mut self, pointer: RegisterId) {
        let (left, right) = (PointerOperand::Register(pointer), PointerOperand::Null);
        let (condition, otherwise) = (Condition::Pointers { relation: Relation::Equal, left, right }, self.goes_on());
        self.program.instructions.push(Instruction::Branch(Branch { condition, then: HALT, otherwise }));
    }

    /// The pointer of an input, most often.
    pub(crate) fn root(&mut self) -> RegisterId {
        let roots = self.program.inputs.iter().filter_map(|input| match input {
            Input::Array(ArrayInput { pointer, .. }) | Input::Single { pointer, .. } | Input::Linked { pointer, .. } => Some(*pointer),
            Input::Integer { .. } => None,
        });
        let roots: Vec<RegisterId> = roots.collect();
        self.dice.pick(&roots).filter(|_| !self.dice.once_in(4)).unwrap_or_else(|| self.pointer())
    }

    /// Fails on all inputs that are large enough, so that a proof has to excuse them by smaller ones.
    pub(crate) fn push_gate(&mut self) {
        let has_size = |input: &&Input| match input {
            Input::Single { .. } => false,
            // Their inputs have a size beside: that is what counts.
            Input::Integer { .. } => self.world != World::Chosen,
            Input::Array(_) | Input::Linked { .. } => true,
        };
        let inputs: Vec<Input> = self.program.inputs.iter().filter(has_size).cloned().collect();
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

    pub(crate) fn integer(&mut self) -> (RegisterId, IntegerType) {
        self.dice.pick(&self.integers).unwrap_or((RegisterId(0), IntegerType::I32))
    }

    pub(crate) fn pointer(&mut self) -> RegisterId {
        self.dice.pick(&self.pointers).unwrap_or(RegisterId(0))
    }

    pub(crate) fn constant(&mut self, kind: IntegerType) -> Operand {
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

    pub(crate) fn operand(&mut self, kind: IntegerType) -> Operand {
        let same: Vec<RegisterId> = self.integers.iter().filter(|(_, other)| *other == kind).map(|(register, _)| *register).collect();
        let register = self.dice.pick(&same).filter(|_| !self.dice.once_in(2));
        register.map_or_else(|| self.constant(kind), Operand::Register)
    }

    pub(crate) fn branch(&mut self, condition: Condition) -> Instruction {
        Instruction::Branch(Branch { condition, then: self.target(), otherwise: self.target() })
    }

    pub(crate) fn instruction(&mut self) -> Instruction {
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

    pub(crate) fn compute(&mut self, target: RegisterId, kind: IntegerType) -> Instruction {
        let operation = if self.dice.once_in(2) { self.dice.one([Operation::Add, Operation::Subtract]) } else { self.dice.one(OPERATIONS) };
        let right = match operation {
            Operation::ShiftLeft | Operation::ShiftRight => Operand::Constant(i128::try_from(self.dice.below(4)).unwrap_or(0)),
            _ => self.operand(kind),
        };
        Instruction::Compute(Compute { target, operation, left: self.operand(kind), right })
    }

    /// A register and the offset of a field of its type; rarely another one.
    pub(crate) fn field(&mut self) -> Option<(RegisterId, i64)> {
        let (offset, kind) = self.dice.pick(&self.places)?;
        let fitting = (0..).map(RegisterId).zip(&self.program.registers).filter(|(_, register)| register.kind == kind).map(|(id, _)| id);
        let fitting: Vec<RegisterId> = fitting.collect();
        self.dice.pick(&fitting).map(|register| (register, offset))
    }

    pub(crate) fn pointer_operand(&mut self) -> PointerOperand {
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
    pub(crate) fn small(&mut self) -> Operand {
        let (register, _) = self.integer();
        if self.dice.once_in(3) { Operand::Register(register) } else { Operand::Constant(self.dice.one([1, 1, -1, 0, 2])) }
    }

    /// What makes a pointer to an object, or an object live or dead.
    pub(crate) fn new_object(&mut self, target: RegisterId) -> Instruction {
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
