//! Real functions by recipe. A manifest says where each function stands in a source package and what its text hashes to
//! ([`manifest`]); a list of instances says what is to hold of them ([`instance`]); a harness of our own names the functions that it
//! wants ([`harness`]). The packages are fetched with apt ([`fetch`]) and the texts taken from their archives ([`archive`]). No text of
//! others is kept in the project.
//!
//! What comes out are programs ([`program`]), which are proved and checked ([`record`]), run on all small inputs, and reported
//! ([`report`], [`cactus`]); a journal keeps what was done through an interruption ([`journal`]).

pub mod archive;
pub mod cactus;
pub mod fetch;
pub mod harness;
pub mod instance;
pub mod journal;
pub mod manifest;
pub mod options;
pub mod program;
pub mod record;
pub mod report;
mod summary;
