//! The bytes of certificate files, which may be of any size and from anybody.

use goatherd_checker::{
    Limits,
    error::{Declined, Failure},
};
use goatherd_claims::frame;
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// The bytes of a certificate, or why they are not worth reading: no more are read than the file declares and the caller allows.
///
/// # Errors
///
/// The file cannot be read.
pub fn read(path: &Path, allowed: Limits) -> io::Result<Result<Vec<u8>, Failure>> {
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    (&file).take(frame::HEADER).read_to_end(&mut bytes)?;
    let limit = match frame::limits(&bytes, allowed) {
        Ok((limits, _)) => limits.memory,
        Err(failure) => return Ok(Err(failure)),
    };
    let length = file.metadata()?.len();
    if length > limit {
        return Ok(Err(Declined::Memory { limit }.into()));
    }
    // At once: growing as it reads, a vector takes up to twice as much.
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
    file.take(limit.saturating_sub(frame::HEADER).saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(Ok(bytes))
}
