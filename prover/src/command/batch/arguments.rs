//! The command line of `goatherd batch`.

use clap::{Args, ValueEnum};
use goatherd_archive::{
    manifest::NAME,
    words::{TimeLimit, size, time_limit},
};
use std::{num::NonZeroUsize, path::PathBuf};

/// `goatherd batch`
#[derive(Args, Debug)]
pub struct Batch {
    /// The list of tasks; paths in it are from its folder
    #[arg(long, value_name = "FILE", default_value = NAME)]
    pub tasks: PathBuf,

    /// Work on so many targets at a time [default: one per processor]; the answer is the same for any number
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// The time limit of each proof, in seconds, where its task names none; 0 for none
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = time_limit)]
    pub timeout: TimeLimit,

    /// The memory limit of each proof, where its task names none; K, M and G stand for 2^10, 2^20 and 2^30; 0 for none
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = size)]
    pub memory: u64,

    /// What fails the command: `unsafe`, a run that fails; `unknown`, also what is not decided or vacuous
    #[arg(long, value_enum, default_value_t = FailOn::Unknown, hide_possible_values = true, value_name = "unknown|unsafe")]
    pub fail_on: FailOn,

    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,

    /// Write the answer to this file as JUnit XML, a test case for each target
    #[arg(long, value_name = "FILE.xml")]
    pub junit: Option<PathBuf>,

    /// What is unknown or vacuous is in JUnit XML
    #[arg(long, value_enum, default_value_t = JunitUnknown::Skipped, hide_possible_values = true, value_name = "skipped|failed")]
    pub junit_unknown: JunitUnknown,

    /// Write what is not proved to this file as SARIF 2.1.0
    #[arg(long, value_name = "FILE.sarif")]
    pub sarif: Option<PathBuf>,
}

/// What fails the command.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum FailOn {
    /// What is not proved.
    Unknown,
    /// A run that fails.
    Unsafe,
}

/// What an undecided target is to a reader of JUnit XML.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum JunitUnknown {
    /// A test that was not run.
    Skipped,
    /// A test that fails.
    Failed,
}
