//! From an analysis to a certificate that the checker has accepted.

use super::{Accepted, Fault, certify_statement};
use goatherd_certificates::certificate::{Claim, Ends, Evidence, Origin, Parameters, Position, Statement};
use goatherd_checker::{budget::Budget, configuration::Setting, term::Arena};
use goatherd_logic::terms;
use goatherd_paths::{
    derive::{Derivation, Underivable, derive},
    states::StateGraph,
};
use goatherd_systems::realisation::Realisation;
use std::fmt;

/// What a certificate says beside the graph.
#[derive(Clone, Debug)]
pub struct About {
    /// What it is checked under.
    pub parameters: Parameters,
    /// Which paths are kept.
    pub ends: Ends,
    /// Where the program came from.
    pub origin: Origin,
    /// The files that positions name.
    pub files: Vec<String>,
    /// One position per instruction, or none.
    pub positions: Vec<Position>,
}

/// Why there is no certificate.
#[derive(Clone, Debug)]
pub enum Uncertified {
    /// No derivation could be written.
    Underivable(Underivable),
    /// A fault of the prover itself.
    Fault(Fault),
}

impl fmt::Display for Uncertified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Underivable(Underivable { location, rejection }) => {
                write!(f, "the graph has no certificate: at instruction {}: {rejection:?}", location.0)
            }
            Self::Fault(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for Uncertified {}

/// Writes the certificate of a graph and has it checked.
pub fn certify(realisation: &Realisation, states: &StateGraph, about: &About) -> Result<Accepted, Uncertified> {
    let program = &realisation.program;
    let hint = |rejection| Uncertified::Fault(Fault::Hint(rejection));
    let mut arena = Arena::new(&program.tables, Budget::new(u64::MAX)).map_err(|declined| hint(declined.into()))?;
    let setting = Setting { program, parameters: &about.parameters, k: 0, sorts: &[] };
    let derivation = derive(&mut arena, setting, realisation, states, about.ends).map_err(Uncertified::Underivable)?;
    let Derivation { proof, vertices } = derivation;
    let (terms, proof) = terms::renumber(&arena, &proof).map_err(hint)?;
    let positions = (about.files.clone(), about.positions.clone());
    certify_statement(statement(realisation, about), positions, terms, Evidence::Paths { proof, vertices }, Vec::new())
        .map_err(Uncertified::Fault)
}

/// What a certificate of a graph claims.
pub fn statement(realisation: &Realisation, about: &About) -> Statement {
    let program = &realisation.program;
    let is_everywhere = realisation.landmarks.len() == program.instructions.len();
    Statement {
        claim: Claim::Paths(about.ends),
        parameters: about.parameters,
        landmarks: if is_everywhere { Vec::new() } else { realisation.landmarks.keys().copied().collect() },
        origin: about.origin.clone(),
        program: program.clone(),
    }
}
