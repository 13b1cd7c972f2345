//! Test suites of compilers and of other verifiers, by recipe. A recipe says where a suite is ([`recipe`]), and [`source`] brings its files
//! here; no text of others is kept in the project.
//!
//! Programs that compilers are tested with ([`test_program`]) end well where nothing is wrong: [`execute`] runs them with the front end and the interpreter,
//! and beside them what a compiler makes of them ([`compiled`]). [`csmith`] makes more of them. [`tally`] counts what came of it.
//!
//! Programs of other verifiers are safe or not ([`expected`]); adapted by rules that are the same for all ([`adapt`]), they are proved and
//! checked ([`verdict`]), and compared with what is expected ([`table`]).
//!
//! Queries of other solvers have models or not ([`queries`]).
//!
//! [`options`] are the arguments of the commands that do the last two.

pub mod adapt;
pub mod compiled;
pub mod csmith;
pub mod description;
pub mod execute;
pub mod expected;
pub mod options;
pub mod queries;
pub mod recipe;
pub mod source;
pub mod table;
pub mod tally;
pub mod test_program;
pub mod verdict;
