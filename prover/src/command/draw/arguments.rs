//! The command line of `goatherd draw`.

use clap::{Args, ValueEnum};
use goatherd_archive::words::seconds;
use std::{path::PathBuf, time::Duration};

/// `goatherd draw`
#[derive(Args, Debug)]
pub struct Draw {
    /// A certificate of the claim Paths
    #[arg(value_name = "CERT")]
    pub certificate: PathBuf,

    /// Draw complete paths of at most so many steps
    #[arg(long, value_name = "STEPS", default_value_t = 100)]
    pub max_length: usize,

    /// Draw so many paths
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub count: u64,

    /// Where the random numbers begin: the same seed draws the same paths everywhere
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Draw so that the least probable edge or vertex is as probable as can be, then a path more for each that no drawn path passes
    #[arg(long, value_enum, value_name = "edges|vertices", hide_possible_values = true)]
    pub cover: Option<Cover>,

    /// Draw paths only: do not ask Z3 for inputs that drive them
    #[arg(long)]
    pub no_inputs: bool,

    /// Draw again from a graph without the drawn paths that are infeasible, as far as a proof is found, until all are tried: its certificate is
    /// written to this file
    #[arg(long, value_name = "REFINED.goat", conflicts_with = "no_inputs")]
    pub refine: Option<PathBuf>,

    /// The C file of the certificate, so that tests call the original function
    #[arg(long, value_name = "FILE.c")]
    pub source: Option<PathBuf>,

    /// Search this directory for files that the C file includes
    #[arg(short = 'I', value_name = "DIR", requires = "source")]
    pub include: Vec<PathBuf>,

    /// Write the report to a file that ends in .json, tests in C to one that ends in .c, or both to a directory
    #[arg(long, value_name = "FILE|DIR")]
    pub out: Vec<PathBuf>,

    /// Draw for at most so many seconds: paths that were not tried by then are unknown; if none was, there is no report
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What is to be covered.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Cover {
    /// All edges of the graph.
    Edges,
    /// All vertices of the graph.
    Vertices,
}
