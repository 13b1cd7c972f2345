//! The graph that is to be certified, by the strategy that has been asked for.

use super::arguments::{Paths, Strategy};
use crate::command::Trouble;
use goatherd_paths::{
    analysis::{self, Limits, Stop},
    red_black,
    states::StateGraph,
};
use goatherd_systems::{
    literal::{Literal, Overflow},
    lts::Lts,
};

/// A graph, and how it was found.
pub struct Found {
    /// What is to be certified.
    pub states: StateGraph,
    /// Why the search ended.
    pub stopped: String,
    /// Refinements.
    pub rounds: usize,
    /// Of the strategy red-black: edges of the red part and of the black one.
    pub parts: Option<(usize, usize)>,
}

/// Searches as the arguments say, with at most so many refinements.
pub fn search(arguments: &Paths, lts: &Lts, precondition: &[Literal], steps: Option<usize>) -> Result<Found, Trouble> {
    match arguments.strategy {
        Strategy::NeededLiterals if arguments.red_black.is_given() => {
            let names = "--abstraction, --restart, --look-ahead, --look-ahead-by, --maximal-red-length and --different-paths";
            Err(Trouble::Usage(format!("{names} are options of --strategy red-black")))
        }
        Strategy::RedBlack if arguments.length.is_some() => {
            Err(Trouble::Usage("--length is no option of --strategy red-black; --maximal-red-length is".to_owned()))
        }
        Strategy::RedBlack if arguments.trying.refine => Err(Trouble::Usage("--refine is no option of --strategy red-black".to_owned())),
        Strategy::NeededLiterals => Ok(needed_literals(arguments, lts, precondition, steps)),
        Strategy::RedBlack => red_black(arguments, lts, precondition, steps)
            .map_err(|Overflow| Trouble::Usage(format!("{}: a number beyond 128 bits is needed", arguments.input.file.display()))),
    }
}

fn needed_literals(arguments: &Paths, lts: &Lts, precondition: &[Literal], steps: Option<usize>) -> Found {
    let default = Limits::with_vertices(arguments.vertices);
    let limits = Limits { length: arguments.length, rounds: steps.unwrap_or(default.rounds), ..default };
    let outcome = analysis::analyse(lts, precondition, limits);
    let unexplained = match outcome.unexplained {
        0 => String::new(),
        count => format!("; {count} infeasible paths were found that no literals exclude"),
    };
    let reason = match outcome.stop {
        Stop::NoSpuriousPath { is_exhaustive: true } => "no infeasible path found".to_owned(),
        Stop::NoSpuriousPath { is_exhaustive: false } => "no more infeasible paths found; some paths were passed over".to_owned(),
        Stop::Length(length) => {
            let limit = limits.length.map_or_else(String::new, |limit| format!(" of {limit} steps (--length)"));
            format!("the shortest infeasible path that was found has {length} steps, beyond the limit{limit}")
        }
        Stop::Vertices(length) => {
            format!("without an infeasible path of {length} steps there would be more than {} vertices (--vertices)", limits.vertices)
        }
        Stop::Work => "the limit of work: there are many conditions on sums of variables".to_owned(),
        Stop::Rounds => format!("the limit of {} refinements (--steps)", limits.rounds),
    };
    Found { states: outcome.states(), stopped: reason + &unexplained, rounds: outcome.rounds, parts: None }
}

fn red_black(arguments: &Paths, lts: &Lts, precondition: &[Literal], steps: Option<usize>) -> Result<Found, Overflow> {
    let outcome = red_black::analyse(lts, precondition, arguments.parameters(steps))?;
    let (red, black) = (outcome.red_edges, outcome.black_edges);
    let stopped = match outcome.plugged {
        0 => "the red part is complete".to_owned(),
        count => format!("at {count} vertices the red part goes on in the black part ({red} and {black} edges)"),
    };
    Ok(Found { states: outcome.states, stopped, rounds: outcome.refinements, parts: Some((red, black)) })
}
