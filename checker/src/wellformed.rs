//! Which programs have a meaning (`spec/program.md`).

use core::fmt;

/// A program without meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllFormed {}

impl fmt::Display for IllFormed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ill-formed")
    }
}

/// Is the statement's program one that has a meaning?
pub fn statement(_certificate: &goatherd_certificates::certificate::Certificate) -> Result<(), IllFormed> {
    Ok(())
}
