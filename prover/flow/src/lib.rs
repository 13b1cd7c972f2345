//! What is known of a program before a proof is searched for: its loops, what is live, what pointers may point to. It tells the search what to
//! look at and never changes the program.
//!
//! [`Flow`] is the whole. [`instruction`] says what single instructions do; [`graph`] is control flow as petgraph sees it; [`backwards`] is data flow
//! against the direction of a program, of which [`liveness`], [`accesses`], [`addressed`] and [`overwritten`] are made; [`pointees`] is data flow with
//! it, and [`targets`], to the byte, of which [`entrances`] is made; [`reads`] is both; [`opening`] is what an instruction wants unfolded. [`loops`]
//! puts them together, [`modes`] is liveness by what a register holds, and [`walks`], [`strides`], [`sums`], [`descending`] and [`common`] say what loops do; [`small`] looks for small arrays;
//! [`focus`], [`held`] and [`partners`] say which elements are told apart where one is asked about.

pub mod accesses;
pub mod addressed;
pub mod backwards;
pub mod bounded;
pub mod building;
pub mod common;
mod cuts;
pub mod descending;
pub mod entrances;
mod flow;
pub mod focus;
pub mod graph;
pub mod held;
pub mod instruction;
pub mod liveness;
pub mod loops;
pub mod modes;
pub mod opening;
pub mod overwritten;
pub mod partners;
pub mod pointees;
mod products;
pub mod reads;
pub mod small;
mod sources;
pub mod strides;
pub mod sums;
pub mod targets;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod thresholds;
pub mod walks;

pub use flow::Flow;
