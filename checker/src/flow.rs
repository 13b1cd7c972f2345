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

/// Shows everything that stands in the instruction, in the order in which it is checked. Objects that have been shown are named, so that a new
/// one has to be somewhere.
pub fn mentions(instruction: &Instruction, see: &mut (impl FnMut(Mention) + ?Sized)) {
    match *instruction {
        Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => {}
        Instruction::Jump { target } => see(LeadsTo(target)),
        Instruction::Choose { then, otherwise } => each([LeadsTo(then), LeadsTo(otherwise)], see),
        Instruction::Branch(branch) => {
            compared(&branch.condition, see);
            each([LeadsTo(branch.then), LeadsTo(branch.otherwise)], see);
        }
        Instruction::Assign { target, value } => {
            let value = Reads(value, Needs::For(target));
            each([GoesOn, Writes(target, Needs::Integer), value], see);
        }
        Instruction::Compute(compute) => computed(compute, see),
        Instruction::Havoc { target } => each([GoesOn, Writes(target, Needs::Integer)], see),
        Instruction::Uninitialise { target } => each([GoesOn, Writes(target, Needs::Any)], see),
        Instruction::Null { target } => each([GoesOn, Writes(target, Needs::Pointer)], see),
        Instruction::Copy { target, source } => {
            let target = Writes(target, Needs::Pointer);
            each([GoesOn, target, pointer(source)], see);
        }
        Instruction::Address { target, object } => {
            let object = Names(object, is_named);
            each([GoesOn, Writes(target, Needs::Pointer), object], see);
        }
        Instruction::Advance(advance) => {
            let target = Writes(advance.target, Needs::Pointer);
            let index = Reads(advance.index, Needs::Integer);
            each([GoesOn, target, pointer(advance.base), index], see);
        }
        Instruction::Distance(distance) => {
            let target = Writes(distance.target, Needs::Of(IntegerType::I64));
            let (left, right) = (pointer(distance.left), pointer(distance.right));
            each([GoesOn, target, left, right], see);
        }
        Instruction::Load {
            target, address, ..
        } => {
            each([GoesOn, pointer(address), Writes(target, Needs::Any)], see);
        }
        Instruction::Store {
            address, source, ..
        } => {
            let source = Reads(Operand::Register(source), Needs::Any);
            each([GoesOn, pointer(address), source], see);
        }
        Instruction::Allocate(allocate) => allocated(allocate, see),
        Instruction::Free { pointer: freed } => each([GoesOn, pointer(freed)], see),
        Instruction::Enter { object } | Instruction::Leave { object } => {
            each([GoesOn, Names(object, is_local)], see);
        }
        Instruction::CheckLeaks { ref roots } => {
            see(GoesOn);
            roots.iter().copied().map(pointer).for_each(see);
        }
    }
}

/// Shows what stands in a computation. The amount of a shift may be of any type.
fn computed(compute: Compute, see: &mut (impl FnMut(Mention) + ?Sized)) {
    let amount = match compute.operation {
        Operation::ShiftLeft | Operation::ShiftRight => Needs::Integer,
        _ => Needs::As(compute.target),
    };
    let target = Writes(compute.target, Needs::Computed);
    let left = Reads(compute.left, Needs::As(compute.target));
    each([GoesOn, target, left, Reads(compute.right, amount)], see);
}

/// Shows what stands in an allocation.
fn allocated(allocate: Allocate, see: &mut (impl FnMut(Mention) + ?Sized)) {
    let target = Writes(allocate.target, Needs::Pointer);
    let bytes = Reads(allocate.bytes, Needs::Of(IntegerType::U64));
    let object = Names(allocate.object, is_made);
    each([GoesOn, target, bytes, object], see);
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
    let start = |register| Writes(register, Needs::Pointer);
    match *input {
        Input::Integer { register } => see(Writes(register, Needs::Integer)),
        Input::Array(array) => {
            let length = Writes(array.length, Needs::Integer);
            let object = Names(array.object, is_input);
            each([start(array.pointer), object, length], see);
        }
        Input::Single { pointer, object } => each([start(pointer), Names(object, is_input)], see),
        Input::Linked { pointer, object } => each([start(pointer), Names(object, is_node)], see),
    }
}

/// Is an object that comes from there a node?
pub(crate) const fn is_node(origin: &Origin) -> bool {
    matches!(origin, Origin::Node { .. })
}

/// Is it one of the program's heap?
pub(crate) const fn is_made(origin: &Origin) -> bool {
    matches!(origin, Origin::Heap | Origin::Node { .. })
}

/// Is it a local one?
pub(crate) const fn is_local(origin: &Origin) -> bool {
    matches!(origin, Origin::Local { .. })
}

/// Is it addressed by its name?
pub(crate) const fn is_named(origin: &Origin) -> bool {
    matches!(origin, Origin::Static { .. } | Origin::Local { .. })
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
            GoesOn => next = [last, location.next()],
            Reads(..) | Writes(..) | Names(..) => {}
        }
    });
    next.into_iter().flatten()
}
