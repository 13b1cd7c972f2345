//! For those who have not made the certificate that they look at: what it says, and why.

pub mod accepted;
pub mod arguments;
pub mod crosscheck;
pub mod diff;
pub mod explain;
