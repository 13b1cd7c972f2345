//! What stands in an instruction: one table of what it reads, writes, names and leads to (`spec/calculus.md#twin`, `spec/program.md#well-formedness`).
//! Every instruction has a row: a new one does not compile before somebody has said what it does.

use goatherd_certificates::*;

/// What a register or a constant is, so that it may stand where it does.
#[derive(Clone, Copy)]
pub enum Needs {
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
pub enum Mention {
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

fn each<const COUNT: usize>(mentions: [Mention; COUNT], see: &mut (impl FnMut(Mention) + ?Sized)) {
    mentions.into_iter().for_each(see);
}

const fn pointer(register: RegisterId) -> Mention {
    Reads(Operand::Register(register), Needs::Pointer)
}

/// Shows everything that stands in the instruction, in the order in which it is checked.
pub fn mentions(instruction: &Instruction, see: &mut (impl FnMut(Mention) + ?Sized)) {
    match *instruction {
        Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => {}
        Instruction::Jump { target } => each([LeadsTo(target)], see),
        Instruction::Choose { then, otherwise } => each([LeadsTo(then), LeadsTo(otherwise)], see),
        Instruction::Branch {
            ref condition,
            then,
            otherwise,
        } => {
            compared(condition, see);
            each([LeadsTo(then), LeadsTo(otherwise)], see);
        }
        Instruction::Assign { target, value } => {
            let value = Reads(value, Needs::For(target));
            each([GoesOn, Writes(target, Needs::Integer), value], see);
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
            each([GoesOn, Writes(target, Needs::Computed), left, right], see);
        }
        Instruction::Havoc { target } => each([GoesOn, Writes(target, Needs::Integer)], see),
        Instruction::Uninitialise { target } => each([GoesOn, Writes(target, Needs::Any)], see),
        Instruction::Null { target } => each([GoesOn, Writes(target, Needs::Pointer)], see),
        Instruction::Copy { target, source } => each(
            [GoesOn, Writes(target, Needs::Pointer), pointer(source)],
            see,
        ),
        _ => through_pointers(instruction, see),
    }
}

/// The same of an instruction that makes pointers or goes through them.
fn through_pointers(instruction: &Instruction, see: &mut (impl FnMut(Mention) + ?Sized)) {
    match *instruction {
        Instruction::Address { target, object } => {
            let object = Names(object, |origin| {
                matches!(origin, Origin::Static { .. } | Origin::Local { .. })
            });
            each([GoesOn, Writes(target, Needs::Pointer), object], see);
        }
        Instruction::Advance {
            target,
            base,
            index,
            ..
        } => {
            let (target, index) = (Writes(target, Needs::Pointer), Reads(index, Needs::Integer));
            each([GoesOn, target, pointer(base), index], see);
        }
        Instruction::Distance {
            target,
            left,
            right,
            ..
        } => {
            let target = Writes(target, Needs::Of(IntegerType::I64));
            each([GoesOn, target, pointer(left), pointer(right)], see);
        }
        Instruction::Load {
            target, address, ..
        } => each([GoesOn, pointer(address), Writes(target, Needs::Any)], see),
        Instruction::Store {
            address, source, ..
        } => {
            let source = Reads(Operand::Register(source), Needs::Any);
            each([GoesOn, pointer(address), source], see);
        }
        _ => of_objects(instruction, see),
    }
}

/// The same of an instruction about objects. Those that have been shown are named, so that a new one has to be somewhere.
fn of_objects(instruction: &Instruction, see: &mut (impl FnMut(Mention) + ?Sized)) {
    match *instruction {
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
            each([GoesOn, Writes(target, Needs::Pointer), bytes, object], see);
        }
        Instruction::Free { pointer: freed } => each([GoesOn, pointer(freed)], see),
        Instruction::Enter { object } | Instruction::Leave { object } => each(
            [
                GoesOn,
                Names(object, |origin| matches!(origin, Origin::Local { .. })),
            ],
            see,
        ),
        Instruction::CheckLeaks { ref roots } => {
            see(GoesOn);
            roots.iter().copied().map(pointer).for_each(see);
        }
        Instruction::Halt
        | Instruction::Fail { .. }
        | Instruction::Ignore
        | Instruction::Jump { .. }
        | Instruction::Choose { .. }
        | Instruction::Branch { .. }
        | Instruction::Assign { .. }
        | Instruction::Compute { .. }
        | Instruction::Havoc { .. }
        | Instruction::Uninitialise { .. }
        | Instruction::Null { .. }
        | Instruction::Copy { .. }
        | Instruction::Address { .. }
        | Instruction::Advance { .. }
        | Instruction::Distance { .. }
        | Instruction::Load { .. }
        | Instruction::Store { .. } => {}
    }
}

/// Shows the two sides of a condition.
pub(crate) fn compared(condition: &Condition, see: &mut (impl FnMut(Mention) + ?Sized)) {
    match *condition {
        Condition::Integers { left, right, .. } => {
            each([left, right].map(|side| Reads(side, Needs::Integer)), see);
        }
        Condition::Pointers { left, right, .. } => {
            for side in [left, right] {
                if let PointerOperand::Register(register) = side {
                    see(pointer(register));
                }
            }
        }
    }
}

/// Shows what defines an input: registers, and the object that it is or is made of.
pub(crate) fn input(input: &Input, see: &mut (impl FnMut(Mention) + ?Sized)) {
    let is_input = |origin: &Origin| *origin == Origin::Input;
    let is_node = |origin: &Origin| matches!(origin, Origin::Node { .. });
    let start = |register| Writes(register, Needs::Pointer);
    match *input {
        Input::Integer { register } => see(Writes(register, Needs::Integer)),
        Input::Array {
            pointer,
            length,
            object,
        } => {
            let length = Writes(length, Needs::Integer);
            each([start(pointer), Names(object, is_input), length], see);
        }
        Input::Single { pointer, object } => each([start(pointer), Names(object, is_input)], see),
        Input::Linked { pointer, object } => each([start(pointer), Names(object, is_node)], see),
    }
}

/// The locations that the instruction, which stands at this one, may go on to: at most two.
pub fn successors(
    instruction: &Instruction,
    location: Location,
) -> impl Iterator<Item = Location> + use<> {
    let mut next = [None; 2];
    mentions(instruction, &mut |mention| {
        let [_, last] = next;
        match mention {
            LeadsTo(target) => next = [last, Some(target)],
            GoesOn => next = [last, location.0.checked_add(1).map(Location)],
            Reads(..) | Writes(..) | Names(..) => {}
        }
    });
    next.into_iter().flatten()
}
