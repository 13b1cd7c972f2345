//! What C leaves undefined, and no instruction of the program form fails on by itself: the front end writes a failure for it.

use std::fmt;

/// One kind of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UndefinedBehavior {
    /// `__builtin_unreachable()`.
    Unreachable,
    /// Two accesses to one object, one of them a write, without an order.
    Unsequenced,
    /// A call through a pointer to something that is no function of the type which the pointer says.
    CallOfAnotherType,
    /// An index outside of an array that is a member, or a row.
    Index,
    /// A declared array of a length below 1, or of more bytes than an object may have.
    ArrayLength,
    /// `alloca` of more bytes than an object may have.
    AllocaSize,
    /// `free` of what a declaration or `alloca` has made.
    FreeOfDeclared,
    /// `va_arg` of another type than the argument has.
    VariadicArgument,
    /// A function comes back that is declared not to.
    Return,
    /// A parameter is NULL that a declaration excludes this of.
    NullArgument,
    /// A function returns NULL whose declaration excludes this.
    NullResult,
}

impl fmt::Display for UndefinedBehavior {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Unreachable => "__builtin_unreachable reached",
            Self::Unsequenced => "two accesses to one object in no order, one of them a write (C11 6.5p2)",
            Self::CallOfAnotherType => "a call through a pointer to what is no function of this type (C11 6.5.2.2p9)",
            Self::Index => "an index outside of the array (C11 6.5.6p8)",
            Self::ArrayLength => "an array of variable length whose length is below 1, or too large (C11 6.7.6.2p5)",
            Self::AllocaSize => "alloca of more bytes than an object may have",
            Self::FreeOfDeclared => "free of what was not allocated (C11 7.22.3.3p2)",
            Self::VariadicArgument => "va_arg of another type than the argument has (C11 7.16.1.1p2)",
            Self::Return => "the return of a function that is declared not to return (C11 6.7.4p8)",
            Self::NullArgument => "NULL for a parameter that is declared not to be NULL ",
            Self::NullResult => "NULL from a function that is declared not to return NULL",
        })
    }
}
