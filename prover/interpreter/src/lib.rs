//! Runs the program form on concrete values, as `spec/program.md` says; shares no code with the checker's kernel.
//!
//! Read in this order: [`value`] (what a register or a cell holds), [`arithmetic`] (C's integers), [`memory`] (objects), [`input`] (what the
//! entry function is given), [`environment`] (what the program does not determine), [`outcome`] (how runs end), [`machine`] (one step), [`run`](mod@run) (a whole
//! execution). [`well_formed`] says which programs mean something.
//!
//! The transition relation has three kinds of outcome beside going on: the run *fails* (an execution of C that the claim excludes), is
//! *ignored* or *halts*; and where the program form gives no meaning the machine stops as *unsupported*, which is never a verdict.

pub mod arithmetic;
pub mod environment;
pub mod input;
pub mod machine;
pub mod memory;
pub mod outcome;
pub mod run;
pub mod value;
pub mod well_formed;

pub use environment::{Environment, Question, Random, Replay, Zero};
pub use input::{InputShape, InputValue, InvalidInput, LinkedNode, links_of};
pub use machine::{Event, Machine, Write};
pub use memory::{Life, MemoryObject};
pub use outcome::{FailReason, Failure, Outcome, Unsupported};
pub use run::{Run, TraceEntry, Tracing, run, run_machine};
pub use value::{Pointer, Reference, Value};
