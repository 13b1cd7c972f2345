//! The descent engine (Shrinker): scapegoating size descent; design in `spec/search.md`.
//!
//! [`Subject::attempt`] tries one way to search. `ways` are what there is to choose: which smaller inputs scapegoats have, which herds share a
//! template, what is folded. `state` is what a search works on: herds, the templates that they are covered by, the heaps that are folded for that.
//! `search` finds a derivation; `proof` writes it down as the rules of a certificate.

mod attempt;
mod proof;
mod search;
mod state;
mod ways;

pub use attempt::{Attempt, Found, Reasoning, Subject};
pub use search::{
    lemmas::guess_lemmas,
    lesson::{Lesson, Refinement},
    progress::Progress,
    stuck::{Failing, Stuck},
};
pub use state::{
    folding::{folds::Folds, sorts::sorts, states::Merging},
    realisation::Realisation,
    template::key::Keys,
};
pub use ways::{
    facet::{Facet, Selection},
    steps::Steps,
    strategies::strategies,
    strategy::{Drops, Strategy},
};
