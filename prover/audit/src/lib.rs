//! Says in words of C why an accepted proof holds.
//!
//! A proof is replayed with the kernel's own rules ([`replay`]); what it says of a configuration is said in the names of C that its values have
//! there ([`labels`], [`naming`], [`sum`]); a refutation is its facts, where each comes from, and the steps between ([`deduction`], [`argument`]).
//! Nothing here is trusted: that a proof is right is for the checker to say.

pub mod argument;
pub mod births;
pub mod checks;
pub mod deduction;
pub mod difference;
pub mod graph;
pub mod html;
pub mod labels;
pub mod naming;
pub mod page;
pub mod replay;
pub mod smt;
pub mod state;
pub mod subject;
pub mod sum;
pub mod text;
