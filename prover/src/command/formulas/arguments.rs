//! The command line of `goatherd certify`.

use clap::Args;
use goatherd_archive::words::{TimeLimit, size, time_limit};
use std::path::PathBuf;

/// `goatherd certify`
#[derive(Args, Clone, Debug)]
pub struct Certify {
    /// The query
    #[arg(value_name = "QUERY.smt2")]
    pub file: PathBuf,

    /// Write the certificate to this file [default: STEM.goat in the current directory, STEM.N.goat where the script asks several times]
    #[arg(short, long, value_name = "CERT")]
    pub output: Option<PathBuf>,

    /// Of a script that asks several times, answer this time alone, from 1
    #[arg(long, value_name = "N")]
    pub question: Option<usize>,

    /// Give up on a question, as unknown, after so many steps; a step is a decision, a conflict, a case or an exchange of columns, so that the answer
    /// is the same everywhere
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub steps: usize,

    /// Give up, as unknown, after so many seconds; 0 for never
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = time_limit)]
    pub timeout: TimeLimit,

    /// Give up, as unknown, when the process holds so many bytes (looked at every 10 ms); K, M and G stand for 2^10, 2^20 and 2^30; 0 for never
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = size)]
    pub memory: u64,

    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}
