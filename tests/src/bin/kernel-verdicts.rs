//! Writes certificates, changed ones and generated ones, and what the kernel says of each, one a line: for checkers that are not in Rust
//! (`spec/soundness/checker2`).
//!
//! Usage: `kernel-verdicts COUNT SEED FILE...`: the files, and then COUNT changes of them.

use goatherd_tests::kernel_verdicts::write;
use std::{
    io::{self, BufWriter, Write as _},
    path::PathBuf,
    process::ExitCode,
};

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    let mut number = || words.next()?.to_str()?.parse::<u64>().ok();
    let (Some(count), Some(seed)) = (number().and_then(|count| usize::try_from(count).ok()), number()) else {
        eprintln!("usage: kernel-verdicts COUNT SEED FILE...");
        return ExitCode::from(3);
    };
    let files: Vec<PathBuf> = words.map(PathBuf::from).collect();
    let mut output = BufWriter::new(io::stdout().lock());
    match write(&mut output, count, seed, &files).and_then(|()| output.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kernel-verdicts: {error}");
            ExitCode::FAILURE
        }
    }
}
