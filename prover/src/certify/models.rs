//! Certificates of what a search found, and the checker's word on them.

use super::Accepted;
use crate::encode;
use goatherd_automata::{
    automaton::{Automaton, State},
    inclusion::{self, Inclusion, InclusionWitness, Method},
    steps::Steps,
    transducer::Transducer,
};
use goatherd_certificates::{
    automata::{self as data, Cover, ModelCertificate, ModelEvidence},
    certificate::{Claim, Limits, Origin},
};
use goatherd_checker::error::Failure;
use goatherd_trees::{
    model::{Model, Named, state_id, to_data},
    search::{Answer, Outcome},
};
use std::{collections::BTreeMap, fmt};

/// Why there is no certificate of an answer: a fault of the prover.
#[derive(Clone, Debug)]
pub enum Fault {
    /// An inclusion that the search relied on does not hold: the lines from and to, and the action, if any.
    Inclusion,
    /// The checker refuses the certificate.
    Refused(Failure),
    /// The certificate could not be encoded.
    Encoding,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inclusion => formatter.write_str("the sets that were found are no invariant"),
            Self::Refused(failure) => write!(formatter, "the checker refuses the certificate: {failure:?}"),
            Self::Encoding => formatter.write_str("the certificate could not be encoded"),
        }
    }
}

impl std::error::Error for Fault {}

/// Memory that the checker is given for a certificate that was just written, in bytes.
const CHECK_MEMORY: u64 = 1 << 32;
/// The least work that a certificate declares, in steps.
const LEAST_WORK: u64 = 1 << 26;
/// Declared limits are multiples of this, in bytes.
const MEMORY_UNIT: u64 = 1 << 20;

/// The certificate of an answer, accepted by the checker; none of no answer.
pub fn certify(source: &data::Model, origin: &Origin, model: &Model, outcome: &Outcome) -> Result<Option<Accepted>, Fault> {
    let (claim, evidence) = match &outcome.answer {
        Answer::Invariant(lines) => (Claim::Invariant, invariant(model, lines)?),
        Answer::Error(trace) => (Claim::Unsafe, trace.to_evidence()),
        Answer::Undecided(_) => return Ok(None),
    };
    let limits = Limits::of_memory(CHECK_MEMORY);
    let mut certificate = ModelCertificate { limits, claim, origin: origin.clone(), model: source.clone(), evidence };
    let bytes = encode::model_certificate(&certificate).map_err(|_| Fault::Encoding)?;
    let verdict = goatherd_claims::check(&bytes, limits, encode::digest).map_err(Fault::Refused)?;
    // The declared limit is part of the file: leave room for it.
    certificate.limits.memory = (verdict.peak_memory / MEMORY_UNIT + 1) * MEMORY_UNIT;
    certificate.limits.work = verdict.work.max(LEAST_WORK);
    let bytes = encode::model_certificate(&certificate).map_err(|_| Fault::Encoding)?;
    let verdict = goatherd_claims::check(&bytes, certificate.limits, encode::digest).map_err(Fault::Refused)?;
    Ok(Some(Accepted { bytes, verdict }))
}

/// The sets with covers for all inclusions, in the order of `spec/calculus.md#tree-models`.
fn invariant(model: &Model, sets: &[Automaton]) -> Result<ModelEvidence, Fault> {
    let initial = diagonal(&model.initial);
    let mut all = vec![covers(&model.initial, &initial, &sets[0])?];
    for (line, set) in model.lines.iter().zip(sets) {
        let source = Named { value: set.clone(), states: set.states().map(state_id).collect() };
        all.push(covers(&source, &diagonal(&line.bad), &Automaton::empty())?);
        for action in &line.actions {
            all.push(covers(&source, &action.transducer, &sets[action.next])?);
        }
    }
    Ok(ModelEvidence::Invariant { lines: sets.iter().map(to_data).collect(), covers: all })
}

/// The identity on the set.
fn diagonal(set: &Named<Automaton>) -> Named<Transducer> {
    Named { value: Transducer::identity(&set.value), states: set.states.clone() }
}

/// Covers that show that the image of a set under a transducer lies in another set. A simulation gives one set of states for each state of
/// the product, an antichain several.
fn covers(source: &Named<Automaton>, transducer: &Named<Transducer>, target: &Automaton) -> Result<Vec<Cover>, Fault> {
    let image = transducer.value.image(&source.value);
    let found = inclusion::inclusion(&image.automaton, target, Method::Upward, &mut Steps::unbounded());
    let Ok(Inclusion::Included(witness)) = found else { return Err(Fault::Inclusion) };
    let mut sets: BTreeMap<State, Vec<Vec<State>>> = BTreeMap::new();
    match witness {
        InclusionWitness::Simulation { pairs, .. } => {
            for (state, partner) in pairs {
                let of_state = sets.entry(state).or_insert_with(|| vec![Vec::new()]);
                of_state[0].push(partner);
            }
        }
        InclusionWitness::Antichain(pairs) | InclusionWitness::Covering(pairs) => {
            for (state, set) in pairs {
                sets.entry(state).or_default().push(set);
            }
        }
    }
    // No tree that is accepted has one of the other states.
    for state in image.automaton.states() {
        sets.entry(state).or_insert_with(|| vec![Vec::new()]);
    }
    let of = |state: State, set: Vec<State>| {
        let (left, right) = image.pairs[state.index()];
        Cover {
            source: source.states[right.index()],
            transducer: transducer.states[left.index()],
            targets: set.into_iter().map(state_id).collect(),
        }
    };
    Ok(sets
        .into_iter()
        .flat_map(|(state, sets)| sets.into_iter().map(move |set| (state, set)))
        .map(|(state, set)| of(state, set))
        .collect())
}
