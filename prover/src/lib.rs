//! Proves C data-structure code correct for inputs of every size, and writes the certificates that show it.
//!
//! What programs that use Goatherd need is [`library`], and its names are here. Everything else may change without notice.
//!
//! [`mod@prove`] is the whole: it has a failing run looked for ([`goatherd_counterexample`]), and a proof ([`goatherd_descent`]); [`encode`] writes the
//! certificate, and the checker has the last word ([`certify`]). [`picture`] draws graphs. [`command`] is what the executables run.

// The command names the library as its other users do.
extern crate self as goatherd;

pub mod approximation;
pub mod certify;
pub mod command;
pub mod encode;
pub mod engine;
pub mod hunt;
pub mod library;
pub mod partial;
pub mod picture;
pub mod prove;
pub mod rerun;
pub mod task;
pub mod wider;

pub use goatherd_certificates::certificate::Limits;
pub use goatherd_claims::Verdict;
pub use library::{Judged, Request, Types, Unanswered, check, prove_file, prove_text};
pub use prove::{Answer, Effort};
pub use task::Task;
