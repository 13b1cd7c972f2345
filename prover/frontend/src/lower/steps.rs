//! Instructions that stand for one, while they are written.

use super::{emit::clean::locations, groups::Group};
use goatherd_certificates::program::{
    Branch, Compute, Condition, Instruction, IntegerType, Location, Operand, Operation, Register, RegisterId, Relation, Type,
};

/// The left side is at most the right one, less, or equal to it.
pub(super) type Order = (Operand, Relation, Operand);

/// Where no execution comes to, until its place is known.
pub(super) const IMPOSSIBLE: Location = Location(u32::MAX);

/// A place among the instructions that is not known yet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark(usize);

/// The instructions so far.
pub(super) struct Steps<'a> {
    registers: &'a mut Vec<Register>,
    instructions: Vec<Instruction>,
    /// Where marks stand. One that stands nowhere leads to no instruction, so the program is none.
    bound: Vec<Option<Location>>,
}

impl<'a> Steps<'a> {
    pub(super) const fn new(registers: &'a mut Vec<Register>) -> Self {
        Self { registers, instructions: Vec::new(), bound: Vec::new() }
    }

    /// A new register.
    pub(super) fn register(&mut self, name: &str, kind: IntegerType) -> RegisterId {
        let register = RegisterId(u32::try_from(self.registers.len()).unwrap_or(u32::MAX));
        self.registers.push(Register { name: name.to_owned(), kind: Type::Integer(kind) });
        register
    }

    pub(super) fn push(&mut self, instruction: Instruction) {
        self.instructions.push(instruction);
    }

    /// `target = left operation right`
    pub(super) fn compute(&mut self, target: RegisterId, operation: Operation, left: Operand, right: Operand) {
        self.push(Instruction::Compute(Compute { target, operation, left, right }));
    }

    /// A place for jumps, to be bound.
    pub(super) fn mark(&mut self) -> Mark {
        self.bound.push(None);
        Mark(self.bound.len() - 1)
    }

    /// The mark stands here.
    pub(super) fn bind(&mut self, Mark(mark): Mark) {
        self.bound[mark] = Some(location(self.instructions.len()));
    }

    /// Goes on where all of these hold, and at the mark where one does not.
    pub(super) fn require(&mut self, orders: &[Order], otherwise: Mark) {
        for order in orders {
            self.branch(*order, unbound(otherwise));
        }
    }

    /// Says that this holds: no execution goes on where it does not.
    pub(super) fn state(&mut self, order: Order) {
        self.branch(order, IMPOSSIBLE);
    }

    pub(super) fn jump(&mut self, target: Mark) {
        self.push(Instruction::Jump { target: unbound(target) });
    }

    fn branch(&mut self, (left, relation, right): Order, otherwise: Location) {
        let then = location(self.instructions.len() + 1);
        let condition = Condition::Integers { relation, left, right };
        self.push(Instruction::Branch(Branch { condition, then, otherwise }));
    }

    /// What stands for the instruction.
    pub(super) fn finish(mut self) -> Group {
        for location in self.instructions.iter_mut().flat_map(locations) {
            let mark = (IMPOSSIBLE.0 - location.0).checked_sub(1).and_then(|mark| self.bound.get(mark as usize));
            *location = mark.copied().flatten().unwrap_or(*location);
        }
        Group::Several(self.instructions)
    }
}

/// What stands for the place of a mark until that is bound: marks are numbered from above.
fn unbound(Mark(mark): Mark) -> Location {
    Location(IMPOSSIBLE.0 - location(mark + 1).0)
}

fn location(position: usize) -> Location {
    u32::try_from(position).map_or(IMPOSSIBLE, Location)
}

pub(super) const fn at_most(left: Operand, right: Operand) -> Order {
    (left, Relation::LessOrEqual, right)
}
