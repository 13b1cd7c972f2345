//! `goatherd lower`

use super::{
    Trouble,
    arguments::{Input, Lower},
    input, print,
    report::hexadecimal,
};
use goatherd::encode;
use goatherd_frontend::{lower::Leaks, print::program};

/// Prints the program and its digest.
pub fn run(arguments: &Lower) -> Result<(), Trouble> {
    let program_of = Input { others: arguments.more.clone(), ..arguments.input.clone() };
    let loaded = input::read(&program_of, &Leaks::Ignored.into())?;
    let lowered = &loaded.lowered;
    let digest = encode::program_digest(&lowered.program).map_err(|_| Trouble::Internal("the program could not be encoded".to_owned()))?;
    let listing = program(&lowered.program, &lowered.files, &lowered.positions);
    print(&format!("{listing}\nprogram sha256 {}\n", hexadecimal(&digest)))
}
