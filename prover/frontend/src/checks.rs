//! What is checked when a program is executed: the failures that a proof excludes, by place and kind (`spec/reports.md#checks`).

use crate::lower::types::{minimum, width};
use goatherd_certificates::{
    certificate::{Parameters, PointerFormation, Position, SignedOverflow},
    program::{Advance, Branch, Compute, Condition, FailKind, Instruction, IntegerType, Operand, Operation, Program, Relation, Type},
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What is checked at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An assertion holds.
    Assertion,
    /// A call that says that it must not be reached is not.
    Reachability,
    /// A function whose value is used returns one.
    MissingReturn,
    /// `__builtin_unreachable` is not reached.
    Unreachable,
    /// What is read is a live object.
    MemoryRead,
    /// What is written is a live object that may be written.
    MemoryWrite,
    /// No division by zero, and none that overflows.
    Division,
    /// The amount of a shift is below the width.
    Shift,
    /// A signed result is in range.
    Overflow,
    /// The null pointer is not moved, nor, under `--checks pointer`, any pointer out of its object.
    PointerArithmetic,
    /// Pointers that are ordered point into one object.
    PointerComparison,
    /// Pointers that are subtracted point into one object.
    PointerDifference,
    /// What is freed is a whole allocated object.
    Free,
    /// Every object of the heap is freed, or kept where somebody can find it.
    Leak,
    /// A value that is used was set, and no object that it points to is gone.
    Value,
}

impl Kind {
    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Assertion => "assertion",
            Self::Reachability => "call that must not be reached",
            Self::MissingReturn => "missing return",
            Self::Unreachable => "unreachable code",
            Self::MemoryRead => "memory read",
            Self::MemoryWrite => "memory write",
            Self::Division => "division",
            Self::Shift => "shift amount",
            Self::Overflow => "signed overflow",
            Self::PointerArithmetic => "pointer arithmetic",
            Self::PointerComparison => "pointer comparison",
            Self::PointerDifference => "pointer difference",
            Self::Free => "free",
            Self::Leak => "memory leak",
            Self::Value => "use of a value",
        }
    }
}

/// How many checks a program has of each kind: one per place in the source, of several instructions at one place one.
pub fn counts(program: &Program, parameters: Parameters, positions: &[Position]) -> BTreeMap<Kind, usize> {
    let mut places = BTreeSet::new();
    for (location, instruction) in program.instructions.iter().enumerate() {
        let place = positions.get(location).map(|Position { file, line, column }| (*file, *line, *column)).ok_or(location);
        places.extend(kind(program, parameters, instruction).map(|kind| (kind, place)));
    }
    let mut counts = BTreeMap::new();
    for (kind, _) in places {
        *counts.entry(kind).or_insert(0) += 1;
    }
    counts
}

/// What is checked when the instruction is executed, beside that its operands have values.
pub fn kind(program: &Program, parameters: Parameters, instruction: &Instruction) -> Option<Kind> {
    Some(match instruction {
        Instruction::Fail { kind: FailKind::Assertion } => Kind::Assertion,
        Instruction::Fail { kind: FailKind::Reached } => Kind::Reachability,
        Instruction::Fail { kind: FailKind::MissingReturn } => Kind::MissingReturn,
        Instruction::Fail { kind: FailKind::Unreachable } => Kind::Unreachable,
        Instruction::Load { .. } => Kind::MemoryRead,
        Instruction::Store { .. } => Kind::MemoryWrite,
        Instruction::Free { .. } => Kind::Free,
        Instruction::CheckLeaks { .. } => Kind::Leak,
        Instruction::Distance(_) => Kind::PointerDifference,
        Instruction::Branch(Branch { condition: Condition::Pointers { relation: Relation::Less | Relation::LessOrEqual, .. }, .. }) => {
            Kind::PointerComparison
        }
        Instruction::Advance(Advance { index, .. }) => match (index, parameters.pointer_formation) {
            (Operand::Constant(0), PointerFormation::Anywhere) => return None,
            _ => Kind::PointerArithmetic,
        },
        Instruction::Compute(Compute { target, operation, right, .. }) => {
            let Type::Integer(kind) = program.registers.get(target.index())?.kind else { return None };
            return computation(kind, parameters, *operation, *right);
        }
        _ => return None,
    })
}

fn computation(kind: IntegerType, parameters: Parameters, operation: Operation, right: Operand) -> Option<Kind> {
    let may_overflow = parameters.signed_overflow == SignedOverflow::Fails && minimum(kind) < 0;
    match (operation, right) {
        (Operation::Divide | Operation::Remainder, Operand::Constant(divisor)) if divisor != 0 && divisor != -1 => None,
        (Operation::Divide | Operation::Remainder, _) => Some(Kind::Division),
        (Operation::ShiftLeft | Operation::ShiftRight, Operand::Constant(amount)) if (0..i128::from(width(kind))).contains(&amount) => {
            (operation == Operation::ShiftLeft && may_overflow).then_some(Kind::Overflow)
        }
        (Operation::ShiftLeft | Operation::ShiftRight, _) => Some(Kind::Shift),
        (Operation::Add | Operation::Subtract | Operation::Multiply, _) => may_overflow.then_some(Kind::Overflow),
        (Operation::And | Operation::Or | Operation::Xor, _) => None,
    }
}
