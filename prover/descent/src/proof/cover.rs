//! A template that covers another one.

use super::trusting::Trusting;
use crate::state::template::Widened;
use goatherd_certificates::{
    derivation::{Matching, MemberId},
    term::LinearId,
};
use goatherd_checker::{configuration::Configuration, outcome::Obligations, rejection::Rejection, substitution::Substitution, term::Arena};
use std::collections::BTreeMap;

/// A template that covers another one.
pub struct Cover {
    /// Which one.
    pub position: usize,
    /// The scapegoats that have to be forgotten for it, the last first.
    pub dropped: Vec<MemberId>,
    /// What stands for its variables, in terms of the other one.
    pub matching: Matching,
}

/// By template that another one covers, which one.
pub type Covers = BTreeMap<usize, Cover>;

impl Cover {
    /// What stands for the template's variables where this is known of those of the other one, which the configuration has.
    pub fn behind(
        &self,
        arena: &mut Arena,
        other: &Widened,
        before: &Matching,
        configuration: &Configuration,
    ) -> Result<Matching, Rejection> {
        let mut obligations =
            Obligations { arena, scope: &configuration.scope, predicate: &configuration.predicate, oracle: &mut Trusting };
        let mut theta = Substitution::new(&mut obligations, &other.stored.scope, before)?;
        let arena = obligations.arena;
        let integers = self.matching.integers.iter().map(|term| theta.linear(arena, *term)).collect::<Result<_, _>>()?;
        let arrays = self.matching.arrays.iter().map(|array| theta.array(arena, *array)).collect::<Result<_, _>>()?;
        Ok(Matching { integers, arrays, ..Matching::default() })
    }
}

/// What stands for these terms of the template where this stands for its variables.
pub fn images(
    arena: &mut Arena,
    template: &Widened,
    matching: &Matching,
    configuration: &Configuration,
    terms: &[LinearId],
) -> Result<Vec<LinearId>, Rejection> {
    let mut obligations = Obligations { arena, scope: &configuration.scope, predicate: &configuration.predicate, oracle: &mut Trusting };
    let mut theta = Substitution::new(&mut obligations, &template.stored.scope, matching)?;
    terms.iter().map(|term| theta.linear(obligations.arena, *term)).collect()
}
