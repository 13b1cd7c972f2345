//! Is every tree of one language in another?
//!
//! A downward simulation is looked for first: it is cheap, and decides what antichains blow up on. Otherwise the difference is searched,
//! `upward` from the leaves or `downward` from the final states. Either way the answer comes with what shows it: a tree in the
//! difference, or an [`InclusionWitness`] that is checked by looking at each rule once.

mod answer;
mod check;
mod choice;
mod downward;
mod problem;
mod upward;

use crate::{
    automaton::Automaton,
    steps::{Exhausted, Steps},
    tree::Tree,
};
pub use answer::{Inclusion, InclusionWitness};
use problem::Problem;

/// How the difference of two languages is searched where no simulation shows the inclusion.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Method {
    /// From the leaves, with an antichain of pairs of a state and the set of states that one tree reaches.
    ///
    /// Bouajjani, Habermehl, Holík, Touili, Vojnar, *Antichain-based universality and inclusion testing over nondeterministic finite tree
    /// automata* (2008).
    #[default]
    Upward,
    /// From the final states, with pairs of a state and a set of states that are to accept all its trees, cut short by simulation.
    ///
    /// Holík, Lengál, Šimáček, Vojnar, *Efficient inclusion checking on explicit and semi-symbolic tree automata* (2011).
    Downward,
}

/// Decides whether every tree of `left` is in `right`. A step is a combination of a rule of `left` with sets of states of `right`; the
/// search for a simulation takes none.
pub fn inclusion(left: &Automaton, right: &Automaton, method: Method, steps: &mut Steps) -> Result<Inclusion, Exhausted> {
    let problem = Problem::new(left, right);
    if let Some(pairs) = problem.simulation_pairs() {
        return Ok(Inclusion::Included(InclusionWitness::Simulation { pairs, unreached: problem.unreached }));
    }
    match method {
        Method::Upward => upward::search(&problem, steps),
        Method::Downward => downward::search(&problem, steps),
    }
}

/// Do both accept the same trees? The witnesses of both directions, or a tree that only one of the two accepts.
pub fn equality(left: &Automaton, right: &Automaton, method: Method, steps: &mut Steps) -> Result<Equality, Exhausted> {
    let there = match inclusion(left, right, method, steps)? {
        Inclusion::Included(witness) => witness,
        Inclusion::NotIncluded(tree) => return Ok(Equality::OnlyLeft(tree)),
    };
    Ok(match inclusion(right, left, method, steps)? {
        Inclusion::Included(back) => Equality::Equal { there, back },
        Inclusion::NotIncluded(tree) => Equality::OnlyRight(tree),
    })
}

/// The answer to a question of equality.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Equality {
    /// Both accept the same trees.
    Equal {
        /// Every tree of the left language is in the right one.
        there: InclusionWitness,
        /// Every tree of the right language is in the left one.
        back: InclusionWitness,
    },
    /// This tree is in the left language only.
    OnlyLeft(Tree),
    /// This tree is in the right language only.
    OnlyRight(Tree),
}
