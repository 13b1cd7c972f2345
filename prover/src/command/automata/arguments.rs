//! The command line of `goatherd automata`.

use clap::{Args, Subcommand, ValueEnum};
use goatherd_archive::words::{TimeLimit, time_limit};
use goatherd_automata::inclusion;
use std::path::PathBuf;

/// What is asked or made.
#[derive(Subcommand, Debug)]
pub enum Automata {
    /// Is every tree that A accepts accepted by B? If not, a tree that shows it
    Inclusion(Inclusion),
    /// Does A accept no tree? If it does, one of the smallest
    Emptiness(Emptiness),
    /// The automaton of the trees that A and B accept
    Intersection(Two),
    /// The automaton of the trees that A or B accepts
    Union(Two),
    /// A smaller automaton that accepts the same trees
    Reduce(One),
    /// The automaton of the trees over the file's symbols that A does not accept
    Complement(Complement),
    /// The picture of A, in the language of Graphviz
    Dot(One),
}

/// `goatherd automata inclusion`
#[derive(Args, Debug)]
pub struct Inclusion {
    /// The automaton whose trees are to be accepted; `-` reads standard input
    #[arg(value_name = "A")]
    pub left: PathBuf,

    /// The automaton that is to accept them
    #[arg(value_name = "B")]
    pub right: PathBuf,

    /// How differences are searched where no simulation shows the inclusion
    #[arg(long, value_enum, default_value_t = Method::Upward, hide_possible_values = true, value_name = "upward|downward")]
    pub method: Method,

    /// Write what shows the inclusion to this file, as JSON
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Print the answer as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Give up, as undecided, after so many steps: combinations of rules with sets of states
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub steps: u64,

    /// Give up, as undecided, after so many seconds; 0 for never
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = time_limit)]
    pub timeout: TimeLimit,
}

/// `goatherd automata emptiness`
#[derive(Args, Debug)]
pub struct Emptiness {
    /// The automaton; `-` reads standard input
    #[arg(value_name = "A")]
    pub file: PathBuf,

    /// Print the answer as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// An operation on one automaton.
#[derive(Args, Debug)]
pub struct One {
    /// The automaton; `-` reads standard input
    #[arg(value_name = "A")]
    pub file: PathBuf,

    /// Write the result to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// An operation on two automata.
#[derive(Args, Debug)]
pub struct Two {
    /// The first automaton; `-` reads standard input
    #[arg(value_name = "A")]
    pub left: PathBuf,

    /// The second automaton
    #[arg(value_name = "B")]
    pub right: PathBuf,

    /// Write the result to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `goatherd automata complement`
#[derive(Args, Debug)]
pub struct Complement {
    /// The automaton and where its complement goes.
    #[command(flatten)]
    pub operation: One,

    /// Give up after so many rules
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub steps: u64,
}

/// How differences are searched.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Method {
    /// From the leaves, with antichains.
    Upward,
    /// From the final states, with simulation.
    Downward,
}

impl From<Method> for inclusion::Method {
    fn from(method: Method) -> Self {
        match method {
            Method::Upward => Self::Upward,
            Method::Downward => Self::Downward,
        }
    }
}
