//! What inclusion is answered with.

use crate::{automaton::State, tree::Tree};

/// The answer to a question of inclusion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inclusion {
    /// Every tree of the left language is in the right one.
    Included(InclusionWitness),
    /// This tree is in the left language and not in the right one.
    NotIncluded(Tree),
}

/// What shows that one language is included in another. The states are those of the two automata as they were given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InclusionWitness {
    /// A simulation of the states on the left that some tree reaches.
    Simulation {
        /// Pairs of a state on the left and one on the right, sorted. For each pair `(q, r)`, each rule `f(q1..qn) -> q` without children
        /// that are not reached has a counterpart `f(r1..rn) -> r` whose pairs `(qi, ri)` are among them; and each final state on the left
        /// that is reached has a final partner.
        pairs: Vec<(State, State)>,
        /// The states on the left that no tree reaches, sorted: each rule for one of them has one of them as a child.
        unreached: Vec<State>,
    },
    /// Pairs of a state on the left and a set of states on the right, sorted: for each rule `f(q1..qn) -> q` on the left and each choice
    /// of pairs `(qi, Pi)` there is a pair `(q, P)` such that `P` is a subset of what `f` makes of `P1..Pn`; and `P` holds a final state
    /// if `q` is final.
    Antichain(Vec<(State, Vec<State>)>),
    /// Pairs of a state on the left and a set of states on the right, sorted. For each pair `(q, P)`, each rule `f(q1..qn) -> q`, and each
    /// choice of one child in every rule `f(..) -> p` with `p` in `P`, there is a place `i` such that some pair `(qi, R)` has `R` among
    /// the states chosen at place `i`. For each final state on the left there is a pair whose set is among the final states on the right.
    Covering(Vec<(State, Vec<State>)>),
}
