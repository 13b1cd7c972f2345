//! Hand-made programs.

use goatherd_certificates::program::{
    Advance, ArrayInput, Branch, Compute, Condition, FailKind, Field, Input, Instruction, IntegerType, Layout, LayoutId, Link, Location,
    Object, ObjectId, Operand, Operation, Origin, PointerOperand, Program, Register, RegisterId, Relation, Type,
};

/// A program without registers, objects and instructions.
pub fn empty() -> Program {
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

fn next<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

/// Adds a register.
pub fn register(program: &mut Program, name: &str, kind: Type) -> RegisterId {
    program.registers.push(Register { name: String::from(name), kind });
    RegisterId(next(&program.registers) - 1)
}

/// Adds an integer register.
pub fn integer(program: &mut Program, name: &str, kind: IntegerType) -> RegisterId {
    register(program, name, Type::Integer(kind))
}

/// Adds a pointer register.
pub fn pointer(program: &mut Program, name: &str) -> RegisterId {
    register(program, name, Type::Pointer)
}

/// Adds a layout with these fields, one after the other.
pub fn layout(program: &mut Program, kinds: &[Type]) -> LayoutId {
    let mut offset = 0;
    let mut fields = Vec::new();
    for kind in kinds {
        fields.push(Field { name: format!("f{offset}"), offset, kind: *kind });
        offset += size(*kind);
    }
    program.layouts.push(Layout { name: String::from("element"), size: offset, fields });
    LayoutId(next(&program.layouts) - 1)
}

/// The size of a field in bytes.
pub fn size(kind: Type) -> u64 {
    match kind {
        Type::Integer(IntegerType::Bool | IntegerType::I8 | IntegerType::U8) => 1,
        Type::Integer(IntegerType::I16 | IntegerType::U16) => 2,
        Type::Integer(IntegerType::I32 | IntegerType::U32) => 4,
        Type::Integer(IntegerType::I64 | IntegerType::U64) | Type::Pointer => 8,
    }
}

/// Adds an object.
pub fn object(program: &mut Program, layout: LayoutId, origin: Origin) -> ObjectId {
    program.objects.push(Object { name: format!("object{}", program.objects.len()), layout, origin });
    ObjectId(next(&program.objects) - 1)
}

/// Adds an input array of integers: its pointer, length and object.
pub fn array(program: &mut Program, name: &str, element: IntegerType, length: IntegerType) -> (RegisterId, RegisterId, ObjectId) {
    let registers = (pointer(program, name), integer(program, &format!("n_{name}"), length));
    let layout = layout(program, &[Type::Integer(element)]);
    let object = object(program, layout, Origin::Input);
    program.inputs.push(Input::Array(ArrayInput { pointer: registers.0, length: registers.1, object }));
    (registers.0, registers.1, object)
}

/// Adds a type of nodes, `struct { int data; struct node *f1; ... }`, with these links of the pointers.
pub fn node(program: &mut Program, links: &[Link]) -> ObjectId {
    let kinds: Vec<Type> = [Type::Integer(IntegerType::I32)].into_iter().chain(links.iter().map(|_| Type::Pointer)).collect();
    let layout = layout(program, &kinds);
    object(program, layout, Origin::Node { links: [Link::Data].iter().chain(links).copied().collect() })
}

/// Adds a linked input.
pub fn linked(program: &mut Program, name: &str, object: ObjectId) -> RegisterId {
    let pointer = pointer(program, name);
    program.inputs.push(Input::Linked { pointer, object });
    pointer
}

/// Goes on at the first location if the pointer is NULL, else at the second.
pub fn is_null(pointer: RegisterId, then: u32, otherwise: u32) -> Instruction {
    let (left, right) = (PointerOperand::Register(pointer), PointerOperand::Null);
    Instruction::Branch(Branch {
        condition: Condition::Pointers { relation: Relation::Equal, left, right },
        then: Location(then),
        otherwise: Location(otherwise),
    })
}

/// A comparison of integers.
pub fn branch(relation: Relation, left: Operand, right: Operand, then: u32, otherwise: u32) -> Instruction {
    Instruction::Branch(Branch {
        condition: Condition::Integers { relation, left, right },
        then: Location(then),
        otherwise: Location(otherwise),
    })
}

/// The program's own failure.
pub const FAIL: Instruction = Instruction::Fail { kind: FailKind::Assertion };

/// `target = value`
pub fn assign(target: RegisterId, value: i128) -> Instruction {
    Instruction::Assign { target, value: Operand::Constant(value) }
}

/// `target = target + 1`
pub fn increment(target: RegisterId) -> Instruction {
    Instruction::Compute(Compute { target, operation: Operation::Add, left: Operand::Register(target), right: Operand::Constant(1) })
}

/// Zero-then-check: fills an array with zeros, then fails if one element is not zero.
#[derive(Clone, Debug)]
pub struct ZeroThenCheck {
    /// The program.
    pub program: Program,
    /// The array's address.
    pub array: RegisterId,
    /// Its length.
    pub length: RegisterId,
    /// The index of either loop.
    pub index: RegisterId,
    /// The address of the element.
    pub address: RegisterId,
    /// What is stored.
    pub zero: RegisterId,
    /// What is read.
    pub value: RegisterId,
}

/// The heads of the two loops.
pub const HEADS: [Location; 2] = [Location(2), Location(8)];

impl ZeroThenCheck {
    /// The program; `stored` is what it fills the array with: 0, or it fails.
    pub fn new(stored: i128) -> Self {
        let mut program = empty();
        let (array, length, _) = array(&mut program, "a", IntegerType::I32, IntegerType::U64);
        let index = integer(&mut program, "i", IntegerType::U64);
        let address = pointer(&mut program, "p");
        let zero = integer(&mut program, "z", IntegerType::I32);
        let value = integer(&mut program, "v", IntegerType::I32);
        let (of_index, of_length) = (Operand::Register(index), Operand::Register(length));
        let advance = Instruction::Advance(Advance { target: address, base: array, index: of_index, scale: 4 });
        program.instructions = vec![
            assign(index, 0),
            assign(zero, stored),
            branch(Relation::Less, of_index, of_length, 3, 7),
            advance.clone(),
            Instruction::Store { address, offset: 0, source: zero },
            increment(index),
            Instruction::Jump { target: HEADS[0] },
            assign(index, 0),
            branch(Relation::Less, of_index, of_length, 9, 14),
            advance,
            Instruction::Load { target: value, address, offset: 0 },
            branch(Relation::Equal, Operand::Register(value), Operand::Constant(0), 12, 15),
            increment(index),
            Instruction::Jump { target: HEADS[1] },
            Instruction::Halt,
            FAIL,
        ];
        program.assertions = vec![Location(11)];
        Self { program, array, length, index, address, zero, value }
    }
}
