//! Random programs over all instructions, with random valid inputs: for comparing implementations of the program form.
//!
//! Each has the same declarations: one register or more of each type, layouts with fields of all widths, objects of all origins. Instructions
//! are well typed and else random; branches mostly lead forward.

use crate::programs::{integer, layout, pointer, register};
use goatherd_certificates::{
    certificate::{Allocation, Arithmetic, DataModel, Parameters, PointerFormation, SignedOverflow},
    program::{
        Access, Advance, Allocate, ArrayInput, Branch, Compute, Condition, Contents, Distance, FailKind, Fresh, Input, Instruction,
        IntegerType, LayoutId, Link, Location, Object, ObjectId, Operand, Operation, Origin, PointerOperand, Program, RegisterId, Relation,
        SortId, Table, TableId, Type,
    },
};
use goatherd_interpreter::{
    InputValue, LinkedNode, Random,
    arithmetic::{self, OPERATIONS, TYPES},
    links_of,
};

/// The number of instructions between the beginning, where registers and objects get contents, and the end.
const BODY: u32 = 40;

/// Most elements of an array input.
const LONGEST: u64 = 4;

/// Depth of the trees of a linked input.
const DEEPEST: u32 = 3;

/// A program, what it is run under, and an input.
#[derive(Debug)]
pub struct Case {
    /// The program: well-formed.
    pub program: Program,
    /// Claim parameters.
    pub parameters: Parameters,
    /// A valid input.
    pub inputs: Vec<InputValue>,
}

/// The case that this generator makes.
pub fn generate(random: &mut Random) -> Case {
    let parameters = Parameters {
        data_model: DataModel::Lp64SignedChar,
        signed_overflow: if random.below(2) == 0 { SignedOverflow::Wraps } else { SignedOverflow::Fails },
        pointer_formation: if random.below(4) == 0 { PointerFormation::InsideObject } else { PointerFormation::Anywhere },
        allocation: if random.below(2) == 0 { Allocation::Succeeds } else { Allocation::MayFail },
        arithmetic: Arithmetic::C,
    };
    let mut generator = Generator { random, program: declarations(), integers: Vec::new(), pointers: Vec::new() };
    generator.collect_registers();
    generator.write();
    let program = generator.program;
    let inputs = inputs(&program, random);
    Case { program, parameters, inputs }
}

/// Objects by their numbers in [`declarations`].
mod declared {
    use goatherd_certificates::program::ObjectId;

    pub const LOCALS: [ObjectId; 2] = [ObjectId(5), ObjectId(6)];
    pub const ADDRESSED: [ObjectId; 5] = [ObjectId(2), ObjectId(3), ObjectId(4), ObjectId(5), ObjectId(6)];
    pub const HEAP: [ObjectId; 4] = [ObjectId(7), ObjectId(8), ObjectId(9), ObjectId(10)];
}

fn declarations() -> Program {
    let mut program = crate::programs::empty();
    let kinds = TYPES.map(Type::Integer);
    let scalar = layout(&mut program, &[Type::Integer(IntegerType::I32)]);
    let long = Type::Integer(IntegerType::I64);
    let mixed = layout(&mut program, &[long, Type::Pointer, kinds[1], kinds[2], kinds[3], kinds[4], kinds[0], kinds[6], kinds[8]]);
    let item = layout(&mut program, &[long, Type::Pointer, Type::Pointer]);
    let tree = layout(&mut program, &[Type::Pointer, Type::Pointer, Type::Pointer, kinds[6]]);
    program.tables.push(Table { kind: IntegerType::I32, values: vec![7, -1, 3] });
    let mut object = |layout: LayoutId, origin: Origin| program.objects.push(Object { name: String::from("object"), layout, origin });
    let (item_sort, tree_sort) = (SortId(9), SortId(10));
    let zeros = |count: usize| vec![Contents::Zero; count];
    object(scalar, Origin::Input);
    object(mixed, Origin::Input);
    object(scalar, Origin::Static { count: 3, contents: vec![Contents::Table(TableId(0))], access: Access::ReadOnly });
    object(mixed, Origin::Static { count: 2, contents: zeros(9), access: Access::ReadWrite });
    let to_statics = vec![Contents::Zero, Contents::Pointers(vec![Some(ObjectId(2)), None, Some(ObjectId(4))]), Contents::Zero];
    object(item, Origin::Static { count: 3, contents: to_statics, access: Access::ReadWrite });
    object(scalar, Origin::Local { count: 3 });
    object(mixed, Origin::Local { count: 1 });
    object(scalar, Origin::Heap);
    object(mixed, Origin::Heap);
    object(item, Origin::Node { links: vec![Link::Data, Link::Child(item_sort), Link::Other] });
    object(tree, Origin::Node { links: vec![Link::Child(tree_sort), Link::Child(item_sort), Link::Up, Link::Data] });
    for kind in kinds {
        register(&mut program, "integer", kind);
    }
    let (value, length) = (integer(&mut program, "value", IntegerType::I32), integer(&mut program, "length", IntegerType::I32));
    let [array, single, list, root] = [(); 4].map(|()| pointer(&mut program, "input"));
    for _ in 0..4 {
        pointer(&mut program, "pointer");
    }
    program.inputs = vec![
        Input::Integer { register: value },
        Input::Array(ArrayInput { pointer: array, length, object: ObjectId(0) }),
        Input::Single { pointer: single, object: ObjectId(1) },
        Input::Linked { pointer: list, object: ObjectId(9) },
        Input::Linked { pointer: root, object: ObjectId(10) },
    ];
    program
}

struct Generator<'r> {
    random: &'r mut Random,
    program: Program,
    integers: Vec<(RegisterId, IntegerType)>,
    pointers: Vec<RegisterId>,
}

impl Generator<'_> {
    fn collect_registers(&mut self) {
        for (register, id) in self.program.registers.iter().zip(0..) {
            match register.kind {
                Type::Integer(kind) => self.integers.push((RegisterId(id), kind)),
                Type::Pointer => self.pointers.push(RegisterId(id)),
            }
        }
    }

    fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[usize::try_from(self.random.below(u64::try_from(among.len()).unwrap_or(1))).unwrap_or(0)]
    }

    fn integer(&mut self) -> (RegisterId, IntegerType) {
        let all = self.integers.clone();
        self.pick(&all)
    }

    fn pointer(&mut self) -> RegisterId {
        let all = self.pointers.clone();
        self.pick(&all)
    }

    fn register(&mut self) -> RegisterId {
        if self.random.below(2) == 0 { self.integer().0 } else { self.pointer() }
    }

    /// An operand of this type.
    fn operand(&mut self, kind: IntegerType) -> Operand {
        let same: Vec<RegisterId> = self.integers.iter().filter(|(_, other)| *other == kind).map(|(register, _)| *register).collect();
        if self.random.below(2) == 0 { Operand::Constant(self.random.value(kind)) } else { Operand::Register(self.pick(&same)) }
    }

    /// An operand of any type.
    fn any_operand(&mut self) -> Operand {
        let kind = self.integer().1;
        self.operand(kind)
    }

    /// A small number, such as an index.
    fn small(&mut self) -> Operand {
        if self.random.below(4) == 0 { self.any_operand() } else { Operand::Constant(i128::from(self.random.below(5)) - 1) }
    }

    fn write(&mut self) {
        for object in declared::LOCALS {
            self.push(Instruction::Enter { object });
        }
        for (target, kind) in self.integers.clone().into_iter().take(TYPES.len()) {
            if self.random.below(8) != 0 {
                let value = Operand::Constant(self.random.value(kind));
                let is_havoc = self.random.below(2) == 0;
                self.push(if is_havoc { Instruction::Havoc { target } } else { Instruction::Assign { target, value } });
            }
        }
        for target in self.pointers.clone().into_iter().rev().take(4) {
            let instruction = self.pointer_to_object(target);
            self.push(instruction);
        }
        let last = u32::try_from(self.program.instructions.len()).unwrap_or(0) + BODY;
        for _ in 0..BODY {
            let instruction = self.instruction(last);
            self.push(instruction);
        }
        self.push(Instruction::Halt);
    }

    fn push(&mut self, instruction: Instruction) {
        self.program.instructions.push(instruction);
    }

    fn pointer_to_object(&mut self, target: RegisterId) -> Instruction {
        match self.random.below(5) {
            0 => Instruction::Null { target },
            1 => Instruction::Address { target, object: self.pick(&declared::ADDRESSED) },
            _ => self.allocate(target),
        }
    }

    fn allocate(&mut self, target: RegisterId) -> Instruction {
        let object = self.pick(&declared::HEAP);
        let size = self.program.layouts[self.program.objects[object.index()].layout.index()].size;
        let is_node = matches!(self.program.objects[object.index()].origin, Origin::Node { .. });
        // Of nodes one, as the front end asks for; of others some, none, or more than there can be.
        let count = if is_node { 1 } else { self.random.below(4) };
        let odd = if self.random.below(8) == 0 { self.random.below(3) } else { 0 };
        let bytes = match self.random.below(16) {
            0 if !is_node => self.operand(IntegerType::U64),
            _ => Operand::Constant(i128::from(count * size + odd)),
        };
        let fresh = if self.random.below(2) == 0 { Fresh::Zero } else { Fresh::Arbitrary };
        Instruction::Allocate(Allocate { target, object, bytes, fresh })
    }

    /// A register, and an offset that is often that of a field of its type.
    fn register_and_offset(&mut self) -> (RegisterId, i64) {
        let register = self.register();
        let kind = self.program.registers[register.index()].kind;
        let fields = self.program.layouts.iter().flat_map(|layout| &layout.fields);
        let offsets: Vec<u64> = fields.filter(|field| field.kind == kind).map(|field| field.offset).collect();
        let offset = i64::try_from(self.pick(&offsets)).unwrap_or(0);
        (register, if self.random.below(16) == 0 { offset - 4 } else { offset })
    }

    fn target(&mut self, last: u32) -> Location {
        let here = u32::try_from(self.program.instructions.len()).unwrap_or(0);
        if self.random.below(8) == 0 {
            Location(self.pick(&[0, here, here / 2]))
        } else {
            Location((here + 1 + self.pick(&[0, 1, 2])).min(last))
        }
    }

    fn relation(&mut self) -> Relation {
        self.pick(&[Relation::Equal, Relation::Equal, Relation::Less, Relation::LessOrEqual])
    }

    fn pointer_operand(&mut self) -> PointerOperand {
        if self.random.below(4) == 0 { PointerOperand::Null } else { PointerOperand::Register(self.pointer()) }
    }

    fn instruction(&mut self, last: u32) -> Instruction {
        let (integer, kind) = self.integer();
        let target = self.pointer();
        match self.random.below(32) {
            0 => Instruction::Jump { target: self.target(last) },
            1 | 2 => {
                let condition = Condition::Integers { relation: self.relation(), left: self.any_operand(), right: self.any_operand() };
                Instruction::Branch(Branch { condition, then: self.target(last), otherwise: self.target(last) })
            }
            3..=5 => {
                let (left, right) = (self.pointer_operand(), self.pointer_operand());
                // An ordered comparison mostly fails.
                let relation = if self.random.below(6) == 0 { self.relation() } else { Relation::Equal };
                let condition = Condition::Pointers { relation, left, right };
                Instruction::Branch(Branch { condition, then: self.target(last), otherwise: self.target(last) })
            }
            6 => Instruction::Choose { then: self.target(last), otherwise: self.target(last) },
            7 => match self.random.below(8) {
                0 => Instruction::Halt,
                1 => Instruction::Fail { kind: FailKind::Reached },
                2 => Instruction::Ignore,
                _ => Instruction::CheckLeaks { roots: (0..self.random.below(4)).map(|_| self.pointer()).collect() },
            },
            8 | 9 => {
                let value = if kind == IntegerType::Bool { self.operand(kind) } else { self.any_operand() };
                Instruction::Assign { target: integer, value }
            }
            10..=14 if kind != IntegerType::Bool => {
                let operation = self.pick(&OPERATIONS);
                let left = self.operand(kind);
                let is_shift = matches!(operation, Operation::ShiftLeft | Operation::ShiftRight);
                let right = match (is_shift, self.random.below(2)) {
                    (true, 0) => Operand::Constant(i128::from(self.random.below(66))),
                    (true, _) => self.any_operand(),
                    _ => self.operand(kind),
                };
                Instruction::Compute(Compute { target: integer, operation, left, right })
            }
            15 => Instruction::Havoc { target: integer },
            16 if self.random.below(4) == 0 => Instruction::Uninitialise { target: self.register() },
            17 | 18 => Instruction::Copy { target, source: self.pointer() },
            19 | 20 => {
                let scale = self.pick(&[1, 4, -4, 16, 24, 32, 40, -1]);
                Instruction::Advance(Advance { target, base: self.pointer(), index: self.small(), scale })
            }
            21 if self.random.below(2) == 0 => {
                let target = self.integers.iter().find(|(_, kind)| *kind == IntegerType::I64).map_or(RegisterId(0), |(id, _)| *id);
                Instruction::Distance(Distance { target, left: self.pointer(), right: self.pointer(), scale: self.pick(&[1, 1, 4, 24]) })
            }
            22..=24 => {
                let (target, offset) = self.register_and_offset();
                Instruction::Load { target, address: self.pointer(), offset }
            }
            25..=27 => {
                let (source, offset) = self.register_and_offset();
                Instruction::Store { address: self.pointer(), offset, source }
            }
            28 => Instruction::Free { pointer: target },
            29 if self.random.below(2) == 0 => Instruction::Enter { object: self.pick(&declared::LOCALS) },
            29 => Instruction::Leave { object: self.pick(&declared::LOCALS) },
            _ => self.pointer_to_object(target),
        }
    }
}

/// A valid input.
fn inputs(program: &Program, random: &mut Random) -> Vec<InputValue> {
    let values = program.inputs.iter().map(|input| match *input {
        Input::Integer { register } => match program.registers[register.index()].kind {
            Type::Integer(kind) => InputValue::Integer(random.value(kind)),
            Type::Pointer => InputValue::Integer(0),
        },
        Input::Array(ArrayInput { object, .. }) => {
            InputValue::Array((0..random.below(LONGEST + 1)).map(|_| row(program, object, random)).collect())
        }
        Input::Single { object, .. } => InputValue::Single((random.below(4) != 0).then(|| row(program, object, random))),
        Input::Linked { object, .. } => {
            let mut nodes = Vec::new();
            plant(program, object, DEEPEST, random, &mut nodes);
            InputValue::Linked(nodes)
        }
    });
    values.collect()
}

fn row(program: &Program, object: ObjectId, random: &mut Random) -> Vec<i128> {
    let fields = &program.layouts[program.objects[object.index()].layout.index()].fields;
    let kinds = fields.iter().filter_map(|field| if let Type::Integer(kind) = field.kind { Some(kind) } else { None });
    kinds.map(|kind| arithmetic::wrap(kind, random.value(kind))).collect()
}

/// A tree of at most this depth, its nodes in preorder; its root.
fn plant(program: &Program, object: ObjectId, depth: u32, random: &mut Random, nodes: &mut Vec<LinkedNode>) -> Option<usize> {
    if depth == 0 || random.below(4) == 0 {
        return None;
    }
    let place = nodes.len();
    nodes.push(LinkedNode { integers: row(program, object, random), children: Vec::new() });
    for link in links_of(program, object) {
        if let Link::Child(sort) = link {
            let child = plant(program, ObjectId(sort.0), depth - 1, random, nodes);
            nodes[place].children.push(child);
        }
    }
    Some(place)
}
