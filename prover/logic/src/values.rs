//! What finds values for inputs: told of literals one after the other, and asked whether they can hold together.

use goatherd_certificates::{
    program::Program,
    term::{ArrayId, LinearId, Literal},
};
use goatherd_checker::Arena;

/// What a solver says of all literals that it was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Satisfiable {
    /// Values were found.
    Yes,
    /// There are none.
    No,
    /// It gave up.
    Unknown,
}

/// Finds values for the variables of terms. Operations mean what the kernel says that they mean.
pub trait ValueSolver {
    /// From here on, what is assumed can be taken back.
    fn push(&mut self);
    /// Takes back what was assumed since the last push that was not taken back.
    fn pop(&mut self);
    /// Adds literals. False where one has no translation.
    fn assume(&mut self, arena: &Arena, literals: &[Literal]) -> bool;
    /// Can all hold together?
    fn check(&mut self) -> Satisfiable;
    /// The value of the term, after values were found.
    fn integer(&mut self, arena: &Arena, term: LinearId) -> Option<i128>;
    /// The value of the element of the array, after values were found.
    fn element(&mut self, arena: &Arena, array: ArrayId, index: i128) -> Option<i128>;
}

/// How a solver sees integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// As mathematical integers: quick where sums and comparisons decide.
    Integers,
    /// As words of bits: for products and operations on bits. Not for unbounded integers.
    Words,
}

/// Starts a solver for a program. It is handed over, not called by name: see [`AskZ3`](crate::solver::AskZ3).
pub type StartSolver = fn(&Program, Encoding) -> Box<dyn ValueSolver>;
