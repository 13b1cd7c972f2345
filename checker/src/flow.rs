//! What stands in an instruction: one table of what it reads, writes, names and leads to (`spec/calculus.md#twin`, `spec/program.md#well-formedness`).
//! Every instruction has a row: a new one does not compile before somebody has said what it does.

use goatherd_certificates::*;

/// What a register or a constant is, so that it may stand where it does.
#[derive(Clone, Copy)]
pub(crate) enum Needs {
    /// Anything.
    Any,
    /// A pointer.
    Pointer,
    /// An integer.
    Integer,
    /// An integer of a type in which something is computed.
    Computed,
    /// An integer of this type.
    Of(IntegerType),
    /// An integer of the type of this register.
    As(RegisterId),
    /// An integer; where this register is a `_Bool`, one as well.
    For(RegisterId),
}

/// Something that stands in an instruction.
#[derive(Clone, Copy)]
pub(crate) enum Mention {
    /// It is read, if only to be copied.
    Reads(Operand, Needs),
    /// It is written, whenever execution goes on behind the instruction.
    Writes(RegisterId, Needs),
    /// An object, which comes from where this says.
    Names(ObjectId, fn(&Origin) -> bool),
    /// Execution may go on there.
    LeadsTo(Location),
    /// Execution may go on behind the instruction.
    GoesOn,
}

use Mention::{GoesOn, LeadsTo, Names, Reads, Writes};

/// The most that stands in an instruction, but for roots.
const WIDTH: usize = 4;

/// What stands in an instruction, or in a part of one, in the order in which it is checked.
pub(crate) type Row = [Option<Mention>; WIDTH];

fn row<const COUNT: usize>(mentions: [Mention; COUNT]) -> Row {
    const { assert!(COUNT <= WIDTH) }
    let mut row = [None; WIDTH];
    for (place, mention) in row.iter_mut().zip(mentions) {
        *place = Some(mention);
    }
    row
}

const fn pointer(register: RegisterId) -> Mention {
    Reads(Operand::Register(register), Needs::Pointer)
}

/// The row of an instruction, and the registers that it reads beside.
fn mentions(instruction: &Instruction) -> (Row, &[RegisterId]) {
    let row = match *instruction {
        Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => row([]),
        Instruction::Jump { target } => row([LeadsTo(target)]),
        Instruction::Choose { then, otherwise } => row([LeadsTo(then), LeadsTo(otherwise)]),
        Instruction::Branch {
            ref condition,
            then,
            otherwise,
        } => {
            let [left, right, ..] = compared(condition);
            [left, right, Some(LeadsTo(then)), Some(LeadsTo(otherwise))]
        }
        Instruction::Assign { target, value } => {
            let value = Reads(value, Needs::For(target));
            row([GoesOn, Writes(target, Needs::Integer), value])
        }
        Instruction::Compute {
            target,
            operation,
            left,
            right,
        } => {
            let amount = match operation {
                Operation::ShiftLeft | Operation::ShiftRight => Needs::Integer,
                _ => Needs::As(target),
            };
            let (left, right) = (Reads(left, Needs::As(target)), Reads(right, amount));
            row([GoesOn, Writes(target, Needs::Computed), left, right])
        }
        Instruction::Havoc { target } => row([GoesOn, Writes(target, Needs::Integer)]),
        Instruction::Uninitialise { target } => row([GoesOn, Writes(target, Needs::Any)]),
        Instruction::Null { .. }
        | Instruction::Copy { .. }
        | Instruction::Address { .. }
        | Instruction::Advance { .. }
        | Instruction::Distance { .. }
        | Instruction::Load { .. }
        | Instruction::Store { .. }
        | Instruction::Allocate { .. }
        | Instruction::Free { .. }
        | Instruction::Enter { .. }
        | Instruction::Leave { .. } => of_memory(instruction),
        Instruction::CheckLeaks { ref roots } => return (row([GoesOn]), roots),
    };
    (row, &[])
}

/// The row of an instruction that is about pointers or objects.
fn of_memory(instruction: &Instruction) -> Row {
    match *instruction {
        Instruction::Null { target } => row([GoesOn, Writes(target, Needs::Pointer)]),
        Instruction::Copy { target, source } => {
            row([GoesOn, Writes(target, Needs::Pointer), pointer(source)])
        }
        Instruction::Address { target, object } => {
            let object = Names(object, |origin| {
                matches!(origin, Origin::Static { .. } | Origin::Local { .. })
            });
            row([GoesOn, Writes(target, Needs::Pointer), object])
        }
        Instruction::Advance {
            target,
            base,
            index,
            ..
        } => {
            let (target, index) = (Writes(target, Needs::Pointer), Reads(index, Needs::Integer));
            row([GoesOn, target, pointer(base), index])
        }
        Instruction::Distance {
            target,
            left,
            right,
            ..
        } => {
            let target = Writes(target, Needs::Of(IntegerType::I64));
            row([GoesOn, target, pointer(left), pointer(right)])
        }
        Instruction::Load {
            target, address, ..
        } => row([GoesOn, pointer(address), Writes(target, Needs::Any)]),
        Instruction::Store {
            address, source, ..
        } => {
            let source = Reads(Operand::Register(source), Needs::Any);
            row([GoesOn, pointer(address), source])
        }
        Instruction::Allocate {
            target,
            object,
            bytes,
            ..
        } => {
            let bytes = Reads(bytes, Needs::Of(IntegerType::U64));
            let object = Names(object, |origin| {
                matches!(origin, Origin::Heap | Origin::Node { .. })
            });
            row([GoesOn, Writes(target, Needs::Pointer), bytes, object])
        }
        Instruction::Free { pointer: freed } => row([GoesOn, pointer(freed)]),
        Instruction::Enter { object } | Instruction::Leave { object } => row([
            GoesOn,
            Names(object, |origin| matches!(origin, Origin::Local { .. })),
        ]),
        _ => row([]),
    }
}

/// The two sides of a condition.
pub(crate) fn compared(condition: &Condition) -> Row {
    match *condition {
        Condition::Integers { left, right, .. } => {
            row([left, right].map(|side| Reads(side, Needs::Integer)))
        }
        Condition::Pointers { left, right, .. } => {
            let side = |side| match side {
                PointerOperand::Register(register) => Some(pointer(register)),
                PointerOperand::Null => None,
            };
            [side(left), side(right), None, None]
        }
    }
}

/// What defines an input: registers, and the object that it is or is made of.
pub(crate) fn input(input: &Input) -> Row {
    let is_input = |origin: &Origin| *origin == Origin::Input;
    let is_node = |origin: &Origin| matches!(origin, Origin::Node { .. });
    let start = |register| Writes(register, Needs::Pointer);
    match *input {
        Input::Integer { register } => row([Writes(register, Needs::Integer)]),
        Input::Array {
            pointer,
            length,
            object,
        } => {
            let length = Writes(length, Needs::Integer);
            row([start(pointer), Names(object, is_input), length])
        }
        Input::Single { pointer, object } => row([start(pointer), Names(object, is_input)]),
        Input::Linked { pointer, object } => row([start(pointer), Names(object, is_node)]),
    }
}

/// All that stands in the instruction.
pub(crate) fn all(instruction: &Instruction) -> impl Iterator<Item = Mention> + '_ {
    let (row, roots) = mentions(instruction);
    let roots = roots.iter().map(|register| pointer(*register));
    row.into_iter().flatten().chain(roots)
}

/// The registers that the instruction reads, if only to copy them.
pub fn read(instruction: &Instruction) -> impl Iterator<Item = RegisterId> + '_ {
    all(instruction).filter_map(|mention| match mention {
        Reads(Operand::Register(register), _) => Some(register),
        _ => None,
    })
}

/// The register that the instruction writes, whenever execution goes on behind it.
pub fn written(instruction: &Instruction) -> Option<RegisterId> {
    all(instruction).find_map(|mention| match mention {
        Writes(register, _) => Some(register),
        _ => None,
    })
}

/// The locations that the instruction, which stands at this one, may go on to.
pub fn successors(
    instruction: &Instruction,
    location: Location,
) -> impl Iterator<Item = Location> + use<> {
    mentions(instruction)
        .0
        .into_iter()
        .filter_map(move |mention| match mention? {
            LeadsTo(target) => Some(target),
            GoesOn => location.0.checked_add(1).map(Location),
            _ => None,
        })
}
