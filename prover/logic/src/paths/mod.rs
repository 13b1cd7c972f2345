//! The arithmetic of path analysis (`spec/paths.md`): literals over the variables of a transition system, conjunctions of them closed by
//! differences, remainders and sums, and what a certificate says of remainders.

pub mod congruence;
pub mod conjunction;
pub mod differences;
pub mod maximum;
pub mod remainder;
