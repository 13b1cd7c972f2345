//! How runs end (`spec/program.md#outcomes`).

use goatherd_certificates::program::{FailKind, Location};
use std::fmt;

/// Why a run failed. Each is undefined in C, or the program's own failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Failure {
    /// The program's own.
    Program(FailReason),
    /// The null pointer was dereferenced, or moved by other than 0 (C11 6.5.3.2p4, 6.5.6p8).
    NullAccess,
    /// An access outside the object (C11 6.5.6p8).
    OutOfBounds,
    /// The value of a pointer to a freed object or one out of scope was used (C11 6.2.4p2).
    DeadObject,
    /// An uninitialised value was used (C11 6.3.2.1p2).
    Uninitialised,
    /// Division by zero (C11 6.5.5p5).
    DivisionByZero,
    /// The smallest value divided by -1 (C11 6.5.5p6).
    DivisionOverflow,
    /// A shift amount that is negative or not below the width (C11 6.5.7p3).
    ShiftAmount,
    /// A signed result out of range (C11 6.5p5), where the claim excludes it.
    SignedOverflow,
    /// A pointer outside its object was formed (C11 6.5.6p8), where the claim excludes it.
    PointerFormation,
    /// Pointers into different objects were ordered (C11 6.5.8p5).
    PointerComparison,
    /// Pointers into different objects were subtracted, or the difference is out of range (C11 6.5.6p9).
    PointerDifference,
    /// `free` of other than the start of a live heap or input object (C11 7.22.3.3p2).
    InvalidFree,
    /// A write to a string literal or a const object (C11 6.4.5p7, 6.7.3p6).
    ReadOnly,
    /// An object of the heap lives that nothing leads to, where the claim excludes it.
    Leak,
}

/// The program's own failures, in an order (see [`FailKind`]).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FailReason {
    /// A false assertion.
    Assertion,
    /// A call that says that it must not be reached.
    Reached,
    /// The end of a function whose value is used.
    MissingReturn,
    /// `__builtin_unreachable`.
    Unreachable,
}

impl From<FailKind> for FailReason {
    fn from(kind: FailKind) -> Self {
        match kind {
            FailKind::Assertion => FailReason::Assertion,
            FailKind::Reached => FailReason::Reached,
            FailKind::MissingReturn => FailReason::MissingReturn,
            FailKind::Unreachable => FailReason::Unreachable,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Failure::Program(FailReason::Assertion) => "false assertion",
            Failure::Program(FailReason::Reached) => "failure reached",
            Failure::Program(FailReason::MissingReturn) => "function ended without a value",
            Failure::Program(FailReason::Unreachable) => "unreachable code reached",
            Failure::NullAccess => "null pointer used",
            Failure::OutOfBounds => "access outside the object",
            Failure::DeadObject => "pointer to a freed object or one out of scope used",
            Failure::Uninitialised => "uninitialised value used",
            Failure::DivisionByZero => "division by zero",
            Failure::DivisionOverflow => "division overflows",
            Failure::ShiftAmount => "shift amount out of range",
            Failure::SignedOverflow => "signed overflow",
            Failure::PointerFormation => "pointer formed outside its object",
            Failure::PointerComparison => "pointers into different objects compared",
            Failure::PointerDifference => "pointers into different objects subtracted",
            Failure::InvalidFree => "invalid free",
            Failure::ReadOnly => "write to a constant object",
            Failure::Leak => "memory leak",
        })
    }
}

/// Where the program form gives no meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unsupported {
    /// An access that is not exactly one field of a fitting type.
    Field,
    /// A pointer difference that is not a whole number of steps.
    Difference,
    /// An address beyond 128 bits.
    Magnitude,
    /// The address of a local object before its scope has begun.
    Scope,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Unsupported::Field => "access that is not exactly one field",
            Unsupported::Difference => "pointer difference that is not a whole number of elements",
            Unsupported::Magnitude => "address beyond 128 bits",
            Unsupported::Scope => "address of an object out of scope",
        })
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The program ended normally.
    Halted,
    /// Whatever happens is of no interest.
    Ignored,
    /// The run failed.
    Failed {
        /// The failing instruction.
        location: Location,
        /// Why.
        failure: Failure,
    },
    /// The program form gives no meaning here.
    Unsupported {
        /// The instruction.
        location: Location,
        /// What.
        what: Unsupported,
    },
    /// The environment gave no answer, or one out of range.
    Unanswered {
        /// The instruction that asked.
        location: Location,
    },
    /// As many instructions as allowed were executed.
    StepLimit,
}
