//! The command line of `goatherd paths`.

use crate::command::arguments::Input;
use clap::{Args, ValueEnum};
use goatherd_archive::words::{TimeLimit, time_limit};
use goatherd_paths::red_black::parameters::{AbstractionMethod, DifferentPaths, LookAhead, Parameters, Restart as Restarting};
use std::path::PathBuf;

/// `goatherd paths`
#[derive(Args, Debug)]
pub struct Paths {
    /// The C file, or the transition system with the extension `.lts`
    #[command(flatten)]
    pub input: Input,

    /// Only paths from inputs of which this holds, such as 'n >= 2 && n != m'; in a transition system also 'n % 2 == 0'
    #[arg(long, value_name = "CONDITION")]
    pub pre: Option<String>,

    /// How infeasible paths are found (spec/paths.md)
    #[arg(long, value_enum, default_value_t = Strategy::NeededLiterals)]
    pub strategy: Strategy,

    /// The parameters of red-black
    #[command(flatten)]
    pub red_black: RedBlack,

    /// Give up infeasible paths for a graph of at most so many locations [default: 400, with more on the way; red-black: 2000 in the red part]
    #[arg(long, value_name = "N")]
    pub vertices: Option<usize>,

    /// Leave infeasible paths alone that are longer; not with red-black
    #[arg(long, value_name = "STEPS")]
    pub length: Option<usize>,

    /// Refine so many times at most [default: 10000; red-black: 500]
    #[arg(long, value_name = "N")]
    pub steps: Option<usize>,

    /// Keep paths that end: at the end of the function, a final location, or the program's own failure (the default)
    #[arg(long, conflicts_with = "prefix")]
    pub complete: bool,

    /// Keep all paths, wherever they end
    #[arg(long)]
    pub prefix: bool,

    /// Count the paths of at most so many steps
    #[arg(long, value_name = "STEPS,...", value_delimiter = ',', default_values_t = [30, 50, 100], value_parser = length)]
    pub count: Vec<usize>,

    /// Which paths are tried.
    #[command(flatten)]
    pub trying: Trying,

    /// Write the certificate to this file [default: STEM.goat in the current directory]
    #[arg(short, long, value_name = "CERT")]
    pub output: Option<PathBuf>,

    /// Write the certified graph to this file, by its extension as .dot, .graphml or .json
    #[arg(long, value_name = "FILE")]
    pub graph: Vec<PathBuf>,

    /// Write a page that shows the states beside the source: what is known, marks, subsumptions
    #[arg(long, value_name = "OUT.html")]
    pub html: Option<PathBuf>,

    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Give up, as unknown, after so many seconds; 0 for never
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = time_limit)]
    pub timeout: TimeLimit,
}

/// Which complete paths of the certified graph are tried, one after the other.
#[derive(Args, Default, Debug)]
pub struct Trying {
    /// Try every complete path of at most so many steps: the graph is exact up to there if Z3 finds inputs that drive each
    #[arg(long, value_name = "STEPS", value_parser = confirmed_length)]
    pub confirm: Option<usize>,

    /// Try so many paths at most: lengths up to which there are more are left out
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "confirm")]
    pub confirm_paths: usize,

    /// Exclude paths that were tried and are infeasible, where a proof is found
    #[arg(long, requires = "confirm")]
    pub refine: bool,
}

/// Paths are counted up to this length: numbers of paths have as many digits as paths have steps.
const LONGEST: usize = 100_000;

/// Longer paths are not tried one by one: a table has an entry for each vertex and each length.
const LONGEST_CONFIRMED: usize = 10_000;

fn confirmed_length(text: &str) -> Result<usize, String> {
    let length = text.parse().ok().filter(|length| *length <= LONGEST_CONFIRMED);
    length.ok_or_else(|| format!("a length is a number from 0 to {LONGEST_CONFIRMED}"))
}

fn length(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|length| *length <= LONGEST).ok_or_else(|| format!("a length is a number from 0 to {LONGEST}"))
}

/// How infeasible paths are found.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Strategy {
    /// By the literals that refutations of infeasible paths need.
    NeededLiterals,
    /// By symbolic execution with subsumption and abstraction, as in "red-black graphs" (R. Aissat).
    RedBlack,
}

/// The parameters of the strategy red-black (red-black graphs 5.2.2).
#[derive(Args, Default, Debug)]
#[command(next_help_heading = "Strategy red-black")]
pub struct RedBlack {
    /// How a configuration is abstracted so that it subsumes another [default: constraint-removal]
    #[arg(long, value_enum)]
    pub abstraction: Option<Abstraction>,

    /// Are abstractions refined that make an infeasible path to a final location feasible? [default: enabled]
    #[arg(long, value_enum)]
    pub restart: Option<Restart>,

    /// How much of the paths to come must be the same from subsumee and subsumer; 0 for nothing [default: 2]
    #[arg(long, value_name = "N", visible_alias = "la")]
    pub look_ahead: Option<usize>,

    /// What look-ahead counts [default: edges]
    #[arg(long, value_enum)]
    pub look_ahead_by: Option<LookAheadBy>,

    /// End red paths at this length, and go on in the black part; 0 for no limit [default: 0]
    #[arg(long, value_name = "STEPS", visible_alias = "mrl")]
    pub maximal_red_length: Option<usize>,

    /// May a vertex be subsumed by one on a different path? [default: no]
    #[arg(long, value_enum, visible_alias = "dp")]
    pub different_paths: Option<Subsumption>,
}

/// How a configuration is abstracted.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Abstraction {
    /// Constraints of the path predicate are removed, first to last.
    ConstraintRemoval,
    /// Variables are disconnected from the path predicate, one after the other.
    StoreUpdate,
}

/// Refine and restart.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Restart {
    /// Yes.
    Enabled,
    /// No.
    Disabled,
}

/// What look-ahead counts.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum LookAheadBy {
    /// The edges of paths.
    Edges,
    /// Visits of paths to each loop header.
    LoopVisits,
}

/// Subsumption between different paths.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Subsumption {
    /// No.
    No,
    /// Yes, by abstraction where need be.
    Forced,
    /// Yes, without abstraction.
    Natural,
    /// Afterwards: isomorphic parts of the graph are merged.
    Isomorphic,
}

impl RedBlack {
    /// Has any of them been given?
    pub fn is_given(&self) -> bool {
        let Self { abstraction, restart, look_ahead, look_ahead_by, maximal_red_length, different_paths } = self;
        let switches = abstraction.is_some() || restart.is_some() || look_ahead_by.is_some() || different_paths.is_some();
        switches || look_ahead.is_some() || maximal_red_length.is_some()
    }
}

impl Paths {
    /// The usual ones.
    pub fn new(input: Input, pre: Option<String>) -> Self {
        Self {
            input,
            pre,
            strategy: Strategy::NeededLiterals,
            red_black: RedBlack::default(),
            vertices: None,
            length: None,
            steps: None,
            complete: true,
            prefix: false,
            count: Vec::new(),
            trying: Trying::default(),
            output: None,
            graph: Vec::new(),
            html: None,
            json: false,
            timeout: TimeLimit(None),
        }
    }

    /// The parameters of the strategy red-black, with the defaults for what is not given, and at most so many refinements.
    pub fn parameters(&self, steps: Option<usize>) -> Parameters {
        let Parameters { look_ahead, .. } = Parameters::default();
        let RedBlack { abstraction, restart, look_ahead: depth, look_ahead_by, maximal_red_length, different_paths } = &self.red_black;
        let default = match look_ahead {
            LookAhead::Length(depth) | LookAhead::LoopVisits(depth) => depth,
        };
        let depth = depth.unwrap_or(default);
        Parameters {
            abstraction: match abstraction.unwrap_or(Abstraction::ConstraintRemoval) {
                Abstraction::ConstraintRemoval => AbstractionMethod::ConstraintRemoval,
                Abstraction::StoreUpdate => AbstractionMethod::StoreUpdate,
            },
            restart: match restart.unwrap_or(Restart::Enabled) {
                Restart::Enabled => Restarting::Enabled,
                Restart::Disabled => Restarting::Disabled,
            },
            look_ahead: match look_ahead_by.unwrap_or(LookAheadBy::Edges) {
                LookAheadBy::Edges => LookAhead::Length(depth),
                LookAheadBy::LoopVisits => LookAhead::LoopVisits(depth),
            },
            maximal_red_length: maximal_red_length.unwrap_or(0),
            different_paths: match different_paths.unwrap_or(Subsumption::No) {
                Subsumption::No => DifferentPaths::No,
                Subsumption::Forced => DifferentPaths::Forced,
                Subsumption::Natural => DifferentPaths::Natural,
                Subsumption::Isomorphic => DifferentPaths::Isomorphic,
            },
            vertices: self.vertices.unwrap_or(Parameters::default().vertices),
            refinements: steps.unwrap_or(Parameters::default().refinements),
            work: Parameters::default().work,
        }
    }
}
