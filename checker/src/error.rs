//! Side conditions, one variant of [`Rejection`] each, and failures at places of a certificate. Which reason wins where there are several is in `spec/format.md#errors`.

pub use goatherd_certificates::rejection::{Declined, Defect, Failure, Where};

use crate::Rejection;

/// What a rule or a part of one comes to: unless it says otherwise, there is no other reason for a failure than a violated condition.
pub type Result<T, E = Rejection> = core::result::Result<T, E>;

/// The failure at a place that a rejection is.
pub fn at(place: Where) -> impl Fn(Rejection) -> Failure {
    move |rejection| match rejection {
        Rejection::Declined(declined) => Failure::Declined(declined),
        rejection => Failure::Rejected { place, rejection },
    }
}

/// The entry of a table; a number that the table does not have names nothing.
pub fn entry<T>(table: &[T], position: usize) -> Result<&T> {
    table.get(position).ok_or(Rejection::Missing)
}

/// The same, to be changed.
pub fn entry_mut<T>(table: &mut [T], position: usize) -> Result<&mut T> {
    table.get_mut(position).ok_or(Rejection::Missing)
}

/// The condition holds, or this is what is wrong.
pub fn ensure<E>(condition: bool, error: E) -> Result<(), E> {
    if condition { Ok(()) } else { Err(error) }
}
