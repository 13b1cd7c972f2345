//! Arrays of pointers that are only compared with NULL (`spec/program.md#arrays-of-pointers`).
//!
//! The calculus knows arrays of pointers element by element, so an array of as many as an input says is not supported. Where all that a program
//! asks of such pointers is whether they are NULL, they are numbers: 0 for NULL, 1 for any other pointer, and all other numbers for no value.

use super::emit::clean::{reads, written};
use goatherd_certificates::program::{
    Allocate, Branch, Condition, Field, Instruction, IntegerType, LayoutId, Location, Object, Operand, Origin, PointerOperand, Program,
    Register, RegisterId, Relation, Type,
};
use std::collections::BTreeSet;

/// What stands for pointers.
const NULL: i128 = 0;
const OTHER: i128 = 1;
const KIND: Type = Type::Integer(IntegerType::U64);

/// A program whose instructions come from these places of the source.
type Placed = (Program, Vec<usize>);

/// The program with numbers for the pointers in arrays, where it has arrays of unknown size and nothing else is asked of them.
pub(crate) fn with_numbers((program, offsets): Placed) -> Placed {
    let holds_pointers = |object: &&Object| has(&program, object.layout, |kind| kind == Type::Pointer);
    let pointers: Vec<&Object> = program.objects.iter().filter(holds_pointers).collect();
    let is_array = |object: &Object| object.origin == Origin::Heap && program.layouts[object.layout.index()].fields.len() == 1;
    let is_of_unknown_size = program.instructions.iter().any(|instruction| match instruction {
        Instruction::Allocate(Allocate { object, bytes: Operand::Register(_), .. }) => holds_pointers(&&program.objects[object.index()]),
        _ => false,
    });
    if !is_of_unknown_size || !pointers.iter().all(|object| is_array(object)) || !is_numerable(&program) {
        return (program, offsets);
    }
    let layouts: BTreeSet<LayoutId> = pointers.iter().map(|object| object.layout).collect();
    Rewriting::new(program, offsets).rewrite(&layouts)
}

/// Has the layout a field of such a type?
fn has(program: &Program, layout: LayoutId, is_such: impl Fn(Type) -> bool) -> bool {
    program.layouts[layout.index()].fields.iter().any(|field| is_such(field.kind))
}

const fn is_wide(kind: Type) -> bool {
    matches!(kind, Type::Integer(IntegerType::I64 | IntegerType::U64))
}

/// Are pointers that are loaded only compared with NULL? Then nothing may make a pointer that is stored another value: no object dies. Nor may
/// anything else be taken for such a number, or such a number for anything else, or what a pointer leads to be a leak.
fn is_numerable(program: &Program) -> bool {
    let kind = |register: RegisterId| program.registers[register.index()].kind;
    !program.objects.iter().any(|object| has(program, object.layout, is_wide))
        && (1..).zip(&program.instructions).all(|(next, instruction)| match *instruction {
            Instruction::Load { target, .. } if kind(target) == Type::Pointer => is_only_compared(program, target, Location(next)),
            Instruction::Load { target: register, .. } | Instruction::Store { source: register, .. } => !is_wide(kind(register)),
            Instruction::Free { .. } | Instruction::Enter { .. } | Instruction::Leave { .. } | Instruction::CheckLeaks { .. } => false,
            _ => true,
        })
}

/// Is the register only compared with NULL from here on, until it is written?
fn is_only_compared(program: &Program, register: RegisterId, from: Location) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(location) = open.pop() {
        if !seen.insert(location) {
            continue;
        }
        let instruction = &program.instructions[location.index()];
        match instruction {
            Instruction::Branch(Branch { condition, then, otherwise }) => {
                if reads(instruction).contains(&register) && !is_with_null(condition) {
                    return false;
                }
                open.extend([*then, *otherwise]);
            }
            _ if reads(instruction).contains(&register) => return false,
            Instruction::Jump { target } => open.push(*target),
            Instruction::Choose { then, otherwise } => open.extend([*then, *otherwise]),
            Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => {}
            _ if written(instruction) == Some(register) => {}
            _ => open.push(Location(location.0 + 1)),
        }
    }
    true
}

const fn is_with_null(condition: &Condition) -> bool {
    use PointerOperand::Null;
    matches!(
        condition,
        Condition::Pointers { relation: Relation::Equal, left: Null, .. }
            | Condition::Pointers { relation: Relation::Equal, right: Null, .. }
    )
}

/// A program while its loads and stores of pointers are replaced by jumps to what stands for them, behind its end.
struct Rewriting {
    program: Program,
    offsets: Vec<usize>,
    /// Holds a number.
    number: RegisterId,
    /// Where the code that is written comes from.
    offset: usize,
}

impl Rewriting {
    fn new(mut program: Program, offsets: Vec<usize>) -> Self {
        let number = RegisterId(u32::try_from(program.registers.len()).unwrap_or(u32::MAX));
        program.registers.push(Register { name: "%number".to_owned(), kind: KIND });
        Self { program, offsets, number, offset: 0 }
    }

    fn rewrite(mut self, layouts: &BTreeSet<LayoutId>) -> Placed {
        let is_pointer = |program: &Program, register: RegisterId| program.registers[register.index()].kind == Type::Pointer;
        for location in (0..).map(Location).take(self.program.instructions.len()) {
            let next = Location(location.0 + 1);
            let start = self.end();
            self.offset = self.offsets[location.index()];
            match self.program.instructions[location.index()] {
                Instruction::Load { target, address, offset } if is_pointer(&self.program, target) => {
                    self.load([target, address], offset, next);
                }
                Instruction::Store { address, offset, source } if is_pointer(&self.program, source) => {
                    self.store([address, source], offset, next);
                }
                _ => continue,
            }
            self.program.instructions[location.index()] = Instruction::Jump { target: start };
        }
        for layout in layouts {
            for Field { kind, .. } in &mut self.program.layouts[layout.index()].fields {
                *kind = KIND;
            }
        }
        (self.program, self.offsets)
    }

    fn end(&self) -> Location {
        Location(u32::try_from(self.program.instructions.len()).unwrap_or(u32::MAX))
    }

    fn write(&mut self, instruction: Instruction) {
        self.program.instructions.push(instruction);
        self.offsets.push(self.offset);
    }

    /// Goes on behind the next instruction if the condition holds, and three instructions later if not.
    fn branch(&mut self, condition: Condition) {
        let Location(here) = self.end();
        self.write(Instruction::Branch(Branch { condition, then: Location(here + 1), otherwise: Location(here + 3) }));
    }

    /// A number becomes NULL, a pointer that is not, namely the address, or no value.
    fn load(&mut self, [target, address]: [RegisterId; 2], offset: i64, next: Location) {
        let number = self.number;
        let is =
            |value| Condition::Integers { relation: Relation::Equal, left: Operand::Register(number), right: Operand::Constant(value) };
        self.write(Instruction::Load { target: number, address, offset });
        self.branch(is(NULL));
        self.write(Instruction::Null { target });
        self.write(Instruction::Jump { target: next });
        self.branch(is(OTHER));
        self.write(Instruction::Copy { target, source: address });
        self.write(Instruction::Jump { target: next });
        self.write(Instruction::Uninitialise { target });
        self.write(Instruction::Jump { target: next });
    }

    /// A pointer becomes a number.
    fn store(&mut self, [address, source]: [RegisterId; 2], offset: i64, next: Location) {
        let number = self.number;
        let (left, right) = (PointerOperand::Register(source), PointerOperand::Null);
        self.branch(Condition::Pointers { relation: Relation::Equal, left, right });
        self.write(Instruction::Assign { target: number, value: Operand::Constant(NULL) });
        let Location(here) = self.end();
        self.write(Instruction::Jump { target: Location(here + 2) });
        self.write(Instruction::Assign { target: number, value: Operand::Constant(OTHER) });
        self.write(Instruction::Store { address, offset, source: number });
        self.write(Instruction::Jump { target: next });
    }
}
