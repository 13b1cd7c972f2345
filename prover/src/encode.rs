//! Writes certificates (`spec/format.md`).
//!
//! Everything inside is the encoding of bincode 2, standard configuration; the frame around it is written here.

use bincode::{config, error::EncodeError, serde::encode_to_vec};
use goatherd_certificates::{
    automata::{Model, ModelCertificate},
    certificate::{Certificate, Evidence, Limits, MAGIC, VERSIONS},
    configuration::Root,
    formula::FormulaCertificate,
    program::{Link, Program},
};
use goatherd_claims::Graph;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The bytes of a certificate about a program, digests included. Fails only where memory ends.
pub fn certificate(certificate: &Certificate) -> Result<Vec<u8>, EncodeError> {
    let Certificate { limits, statement, files, positions, terms, evidence, witnesses } = certificate;
    let version = version(evidence);
    // Their number in bytes first: whoever reads the file can pass over the rules of a derivation.
    let evidence = evidence.map(|rules| rules.iter().map(encode).collect::<Result<Vec<_>, _>>().map(|rules| rules.concat()))?;
    frame((version, *limits), &encode(&(PROGRAM, statement))?, &encode(&(files, positions, terms, evidence, witnesses))?)
}

/// The bytes of a certificate about a tree model, digests included. Fails only where memory ends.
pub fn model_certificate(certificate: &ModelCertificate) -> Result<Vec<u8>, EncodeError> {
    let ModelCertificate { limits, claim, origin, model, evidence } = certificate;
    frame((*VERSIONS.start(), *limits), &encode(&(MODEL, claim, origin, model))?, &encode(evidence)?)
}

/// The bytes of a certificate about a formula, digests included. Fails only where memory ends.
pub fn formula_certificate(certificate: &FormulaCertificate) -> Result<Vec<u8>, EncodeError> {
    let FormulaCertificate { limits, claim, origin, formula, evidence } = certificate;
    frame((*VERSIONS.start(), *limits), &encode(&(FORMULA, claim, origin, formula))?, &encode(evidence)?)
}

/// The numbers of the subjects, before the claim.
const PROGRAM: u32 = 0;
const MODEL: u32 = 1;
const FORMULA: u32 = 2;

/// The first version whose sorts say to which byte of a node pointers lead, and the first one with rings that hang from nodes.
const BYTES: u32 = 3;
const RINGS: u32 = 4;

/// The first version that has what the evidence needs, so that checkers from before read what they can.
fn version(evidence: &Evidence) -> u32 {
    let sorts = match evidence {
        Evidence::Proof(proof) | Evidence::Paths { proof, .. } => proof.sorts.as_slice(),
        Evidence::Run(_) => &[],
    };
    let mut links = sorts.iter().flat_map(|sort| sort.shapes.iter().flatten());
    if links.any(|link| matches!(link, Link::Ring { .. } | Link::Last(_))) {
        return RINGS;
    }
    let says_byte = sorts.iter().any(|sort| matches!(sort.root, Root::AnyAt(_) | Root::NodeAt(_)));
    if says_byte { BYTES } else { *VERSIONS.start() }
}

/// A file of a version, from the encodings of its statement and of what follows.
fn frame((version, limits): (u32, Limits), statement: &[u8], rest: &[u8]) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::from(MAGIC);
    bytes.extend(version.to_le_bytes());
    bytes.extend(encode(&limits)?);
    bytes.extend(digest(statement));
    bytes.extend(encode(&statement)?);
    bytes.extend(rest);
    bytes.extend(digest(&bytes));
    Ok(bytes)
}

/// SHA-256, for all digests of a certificate.
pub fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The digest by which verdicts name a program: SHA-256 of its encoding.
pub fn program_digest(program: &Program) -> Result<[u8; 32], EncodeError> {
    Ok(digest(&encode(program)?))
}

/// The digest by which verdicts name a tree model: SHA-256 of its encoding.
pub fn model_digest(model: &Model) -> Result<[u8; 32], EncodeError> {
    Ok(digest(&encode(model)?))
}

/// The digest by which verdicts name a graph (`spec/calculus.md#paths`).
pub fn graph_digest(graph: &Graph) -> [u8; 32] {
    let count = u32::try_from(graph.vertices.len()).unwrap_or(u32::MAX);
    let locations = graph.vertices.iter().map(|location| location.0);
    let ends = graph.edges.iter().flat_map(|(start, end)| [start.0, end.0]);
    let numbers = [graph.root.map_or(u32::MAX, |root| root.0), count].into_iter().chain(locations).chain(ends);
    digest(&numbers.flat_map(u32::to_le_bytes).collect::<Vec<_>>())
}

/// The encoding of one value.
fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, EncodeError> {
    encode_to_vec(value, config::standard())
}
