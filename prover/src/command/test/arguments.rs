//! The command line of `goatherd test`.

use crate::command::arguments::Input;
use clap::{Args, ValueEnum};
use goatherd_archive::words::{TimeLimit, time_limit};
use std::path::PathBuf;

/// What tests are to cover.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Both ways on at each branch
    Branches,
    /// Of each condition of a decision, too, a pair of tests that shows that it counts by itself (MC/DC)
    Mcdc,
}

/// `goatherd test`
#[derive(Args, Debug)]
pub struct Test {
    /// The function that is tested.
    #[command(flatten)]
    pub input: Input,

    /// Write the tests to this file
    #[arg(long, value_name = "TESTS.c")]
    pub out: PathBuf,

    /// Only inputs of which this holds, such as 'n >= 2 && n != m'
    #[arg(long, value_name = "CONDITION")]
    pub pre: Option<String>,

    /// Write the certificate to this file, which says that dead branches are dead [default: STEM.goat in the current directory]
    #[arg(long, value_name = "CERT")]
    pub certificate: Option<PathBuf>,

    /// Draw so many uniform paths first
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub count: u16,

    /// Draw paths of at most so many steps
    #[arg(long, value_name = "STEPS", default_value_t = 60, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub max_length: u16,

    /// What is to be covered
    #[arg(long, value_name = "WHAT", default_value = "branches")]
    pub coverage: Coverage,

    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Turn runs another way so many times at most, to cover what is not covered
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub tries: usize,

    /// Stop covering after so many seconds, 0 for no limit, and write what there is; without a graph by then, the answer is unknown
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = time_limit)]
    pub timeout: TimeLimit,

    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}
