//! The command line of `goatherd draw`.

use clap::{Args, ValueEnum};
use goatherd_archive::words::{TimeLimit, time_limit};
use std::path::{Path, PathBuf};

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

    /// The certificate's condition on inputs, as goatherd paths was told: --refine needs it, and --source
    #[arg(long, value_name = "CONDITION", requires = "refine", requires = "source")]
    pub pre: Option<String>,

    /// The file of the certificate: in C, so that tests call the original function; for --refine also a transition system
    #[arg(long, value_name = "FILE.c|FILE.lts")]
    pub source: Option<PathBuf>,

    /// Search this directory for files that the C file includes
    #[arg(short = 'I', value_name = "DIR", requires = "source")]
    pub include: Vec<PathBuf>,

    /// Write the report to a file that ends in .json, tests in C to one that ends in .c, or both to a directory; to one that ends in .jsonl a line
    /// for each path, as soon as it was tried
    #[arg(long, value_name = "FILE|DIR")]
    pub out: Vec<PathBuf>,

    /// Draw for at most so many seconds, 0 for no limit: paths of which nothing was found by then are unknown; if not even drawing was done, there is no report
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = time_limit)]
    pub timeout: TimeLimit,

    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

impl Draw {
    /// The file of the certificate, if it is in C.
    pub fn c_source(&self) -> Option<&Path> {
        self.source.as_deref().filter(|path| path.extension().is_none_or(|extension| extension != "lts"))
    }
}

/// What is to be covered.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Cover {
    /// All edges of the graph.
    Edges,
    /// All vertices of the graph.
    Vertices,
}
