//! Tests in C from drawn paths: one file that compiles and runs alone, or with the source that the program comes from.
//!
//! Each test runs the lowered program, written out as C, on the inputs of its path, and fails where an executed instruction is not
//! the path's next one; then the original function on the same inputs, which must return the same value and leave the same memory behind, or
//! fail where the path does. Each is a process of its own, so that what one leaves behind is nothing to the next.

mod lowered;
mod original;
mod prelude;
pub mod subject;
mod tests;

pub use subject::Unwritable;
pub use tests::write;
