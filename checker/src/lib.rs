//! The kernel of the Goatherd checker: everything that `Safe` has to be trusted for, but for the data types. Other claims are crates on top of it
//! (`checker/claims`).
//!
//! Read in this order: [`budget`], [`reader`] and [`decode`] (bytes), [`wellformed`] (which programs have a meaning), [`arithmetic`],
//! [`parts`], [`term`] and [`substitution`], [`configuration`] and [`environment`], [`outcome`] and [`step`] (what an instruction may lead to),
//! [`unfold`], `leaks`, [`rules`], `kinds`, [`subsume`], [`flow`] and [`twin`] (derivations), [`apply`] (a rule of theirs), [`refute`] (hints), [`replay`].
#![no_std]

extern crate alloc;

pub mod apply;
pub mod arithmetic;
pub mod budget;
pub mod configuration;
pub mod decode;
pub mod environment;
pub mod error;
pub mod flow;
mod fold;
mod kinds;
mod leaks;
pub mod memory;
pub mod outcome;
pub mod parts;
pub mod reader;
pub mod refute;
pub mod replay;
pub mod rules;
pub mod step;
pub mod substitution;
pub mod subsume;
pub mod term;
pub mod twin;
pub mod unfold;
pub mod wellformed;

pub(crate) use configuration::slots;
pub use configuration::{Configuration, Member, Place, Setting};
pub use error::{Result, ensure};
pub(crate) use error::{entry, entry_mut};
pub use goatherd_certificates::certificate::Limits;
pub use goatherd_certificates::rejection::{self, Declined, Rejection, Unsupported};
pub use outcome::{Change, Effect, Obligations, Oracle, Outcome, Tag};
pub use {budget::Budget, environment::Environment, parts::Part, term::Arena};
