//! What is checked, one entry per place and kind.

use crate::command::places::{Place, Places};
use goatherd_certificates::{
    certificate::{Parameters, PointerFormation, SignedOverflow},
    program::{Condition, FailKind, Instruction, IntegerType, Location, Operand, Operation, Program, Relation, Type},
};
use goatherd_interpreter::arithmetic;
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
    pub fn name(self) -> &'static str {
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

/// What is known of a check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It never fails.
    Proved,
    /// Neither.
    Unknown,
    /// A run fails it.
    Fails,
}

/// One check.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Check {
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// What.
    pub kind: Kind,
    /// What is known of it.
    pub status: Status,
}

/// The checks of a program by place. Runs fail at the instructions `failing`; all others have `status`.
pub fn checks(program: &Program, parameters: Parameters, places: Places<'_>, status: Status, failing: &BTreeSet<Location>) -> Vec<Check> {
    let mut statuses: BTreeMap<(Place, Kind), Status> = BTreeMap::new();
    for (location, instruction) in (0..).map(Location).zip(&program.instructions) {
        let is_failing = failing.contains(&location);
        let kind = kind(program, parameters, instruction);
        let Some(kind) = kind.or(is_failing.then_some(Kind::Value)) else { continue };
        let status = if is_failing { Status::Fails } else { status };
        let entry = statuses.entry((places.place(location), kind)).or_insert(status);
        *entry = status.max(*entry);
    }
    statuses.into_iter().map(|((place, kind), status)| Check { place, kind, status }).collect()
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
        Instruction::Distance { .. } => Kind::PointerDifference,
        Instruction::Branch { condition: Condition::Pointers { relation: Relation::Less | Relation::LessOrEqual, .. }, .. } => {
            Kind::PointerComparison
        }
        Instruction::Advance { index, .. } => match (index, parameters.pointer_formation) {
            (Operand::Constant(0), PointerFormation::Anywhere) => return None,
            _ => Kind::PointerArithmetic,
        },
        Instruction::Compute { target, operation, right, .. } => {
            let Type::Integer(kind) = program.registers.get(target.index())?.kind else { return None };
            return computation(kind, parameters, *operation, *right);
        }
        _ => return None,
    })
}

/// What fails where a search found that this instruction leads to a failure: a branch to a failing instruction stands for that one.
pub fn kind_of_failure(program: &Program, parameters: Parameters, location: Location) -> Kind {
    let instruction = |location: Location| program.instructions.get(location.index());
    let targets = match instruction(location) {
        Some(Instruction::Branch { then, otherwise, .. } | Instruction::Choose { then, otherwise }) => vec![*then, *otherwise],
        Some(Instruction::Jump { target }) => vec![*target],
        _ => Vec::new(),
    };
    let failing = targets.into_iter().filter_map(instruction).find(|target| matches!(target, Instruction::Fail { .. }));
    failing.or(instruction(location)).and_then(|instruction| kind(program, parameters, instruction)).unwrap_or(Kind::Value)
}

fn computation(kind: IntegerType, parameters: Parameters, operation: Operation, right: Operand) -> Option<Kind> {
    let may_overflow = parameters.signed_overflow == SignedOverflow::Fails && arithmetic::minimum(kind) < 0;
    match (operation, right) {
        (Operation::Divide | Operation::Remainder, Operand::Constant(divisor)) if divisor != 0 && divisor != -1 => None,
        (Operation::Divide | Operation::Remainder, _) => Some(Kind::Division),
        (Operation::ShiftLeft | Operation::ShiftRight, Operand::Constant(amount))
            if (0..i128::from(arithmetic::width(kind))).contains(&amount) =>
        {
            (operation == Operation::ShiftLeft && may_overflow).then_some(Kind::Overflow)
        }
        (Operation::ShiftLeft | Operation::ShiftRight, _) => Some(Kind::Shift),
        (Operation::Add | Operation::Subtract | Operation::Multiply, _) => may_overflow.then_some(Kind::Overflow),
        (Operation::And | Operation::Or | Operation::Xor, _) => None,
    }
}
