//! Real functions by recipe. A manifest says where each function stands in a source package and what its text hashes to
//! ([`manifest`]); a list of instances says what is to hold of them ([`instance`]); a harness of our own names the functions that it
//! wants ([`harness`]). The packages are fetched with apt ([`fetch`]) and the texts taken from their archives ([`archive`]). No text of
//! others is kept in the project.

pub mod archive;
pub mod fetch;
pub mod harness;
pub mod instance;
pub mod manifest;
