//! What a search has found: its templates, and how long its derivations are.

use crate::{
    search::derivation::{Derivation, End, Found},
    state::template::Widened,
};

/// The templates that were found.
pub(crate) fn templates(found: &Found) -> Vec<Widened> {
    found.templates.iter().map(|(_, template, _)| template.clone()).collect()
}

/// How many rules a derivation has.
pub(crate) fn length(derivation: &Derivation) -> usize {
    let behind = match &derivation.end {
        End::Step(_, children) | End::Split(_, children) | End::Unfold(_, _, children) => children.iter().map(length).sum::<usize>(),
        End::Infeasible | End::Ended | End::Descent(_) | End::Twin(_) | End::Subsume(_) => 0,
    };
    derivation.rules.len() + 1 + behind
}
