//! For those who have not made the certificate that they look at: what it says, and why.

mod accepted;
pub mod arguments;
pub mod crosscheck;
pub mod diff;
pub mod explain;
