//! `goatherd lower`

use super::{Trouble, arguments::Lower, input, print, report::hexadecimal};
use goatherd::encode;

/// Prints the program and its digest.
pub fn run(arguments: &Lower) -> Result<(), Trouble> {
    let loaded = input::read(&arguments.input)?;
    let lowered = &loaded.lowered;
    let digest = encode::program_digest(&lowered.program).map_err(|_| Trouble::Internal("the program could not be encoded".to_owned()))?;
    let listing = goatherd_frontend::print::print(&lowered.program, &lowered.positions);
    print(&format!("{}\n\nprogram sha256 {}\n", listing.trim_end(), hexadecimal(&digest)))
}
