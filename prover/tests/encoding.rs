//! What the prover encodes, the kernel decodes to the same value; anything else it refuses with one error, and never panics.

use crate::sample;

use goatherd::encode::{self, digest};
use goatherd_certificates::{automata::ModelCertificate, certificate::Certificate, formula::FormulaCertificate};
use goatherd_checker::{
    Limits,
    budget::Budget,
    decode::Rules,
    error::{Declined, Defect, Failure, Where},
    rejection::Rejection,
};
use goatherd_claims::{Subject, decode, frame::Digest};
use std::iter;

const MEMORY: u64 = 1 << 20;

fn malformed(defect: Defect, offset: usize) -> Failure {
    Failure::Rejected { place: Where::Byte(offset), rejection: Rejection::Malformed(defect) }
}

/// A certificate, with its rules.
#[derive(Debug)]
enum Whole {
    Program(Box<Certificate>, Digest),
    Model(Box<ModelCertificate>),
    Formula(Box<FormulaCertificate>),
}

fn decoded(bytes: &[u8]) -> Result<Whole, Failure> {
    let mut budget = Budget::new(MEMORY);
    let decoded = decode(bytes, &mut budget, Limits::of_memory(MEMORY), digest)?;
    let rules = |rules: &Rules<'_>| {
        let mut rules = *rules;
        iter::from_fn(|| rules.next(&mut budget).transpose()).collect::<Result<Vec<_>, _>>()
    };
    let subject_digest = decoded.subject_digest();
    Ok(match decoded {
        Subject::Program(decoded) => Whole::Program(Box::new(decoded.into_certificate().map(rules)?), subject_digest),
        Subject::Model(decoded) => Whole::Model(Box::new(decoded.certificate)),
        Subject::Formula(decoded) => Whole::Formula(Box::new(decoded.certificate)),
    })
}

/// The certificate with the trailer of its contents.
fn with_trailer(contents: &[u8]) -> Vec<u8> {
    [contents, &digest(contents)].concat()
}

/// What was decoded, encoded again.
fn encoded(whole: &Whole) -> Vec<u8> {
    match whole {
        Whole::Program(certificate, _) => encode::certificate(certificate).unwrap(),
        Whole::Model(certificate) => encode::model_certificate(certificate).unwrap(),
        Whole::Formula(certificate) => encode::formula_certificate(certificate).unwrap(),
    }
}

/// A generator of pseudorandom numbers (xorshift64).
fn next_random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn what_is_encoded_is_decoded() {
    for certificate in [sample::of_proof(), sample::of_run()] {
        let bytes = encode::certificate(&certificate).unwrap();
        let Whole::Program(found, digest) = decoded(&bytes).unwrap() else { panic!("about a program") };
        assert_eq!(digest, encode::program_digest(&certificate.statement.program).unwrap());
        assert_eq!(*found, certificate);
    }
}

#[test]
fn every_truncation_is_refused() {
    let bytes = encode::certificate(&sample::of_proof()).unwrap();
    for length in 0..bytes.len() {
        assert!(matches!(decoded(&bytes[..length]), Err(Failure::Rejected { rejection: Rejection::Malformed(_), .. })), "{length} bytes");
    }
}

#[test]
fn every_truncation_with_a_trailer_is_refused() {
    let bytes = encode::certificate(&sample::of_proof()).unwrap();
    // Behind magic, version and limits: before, the trailer is read as these.
    for length in 17..bytes.len() - 32 {
        assert!(
            matches!(decoded(&with_trailer(&bytes[..length])), Err(Failure::Rejected { rejection: Rejection::Malformed(_), .. })),
            "{length} bytes"
        );
    }
}

#[test]
fn every_single_bit_flip_is_refused() {
    let mut bytes = encode::certificate(&sample::of_proof()).unwrap();
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let failure = decoded(&bytes).expect_err("a flipped bit");
        // The lowest bit of the version makes 3 of 2.
        let is_other_version = (8..12).contains(&(bit / 8)) && bit != 64;
        assert_eq!(matches!(failure, Failure::Declined(Declined::Version { .. })), is_other_version, "bit {bit}: {failure:?}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

/// What stands between the version and the trailer: a version has what the one before has.
fn between(bytes: &[u8]) -> &[u8] {
    &bytes[12..bytes.len() - 32]
}

/// One encoding per meaning: bytes that decode at all are the encoding of what they decode to.
#[test]
fn a_bit_flip_with_a_trailer_decodes_to_what_encodes_so() {
    let mut bytes = encode::certificate(&sample::of_proof()).unwrap();
    bytes.truncate(bytes.len() - 32);
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let sealed = with_trailer(&bytes);
        if let Ok(result) = decoded(&sealed) {
            assert_eq!(between(&encoded(&result)), between(&sealed), "bit {bit}");
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn random_bytes_are_refused_or_decoded() {
    let original = encode::certificate(&sample::of_proof()).unwrap();
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..3_000 {
        let mut contents = original[..original.len() - 32].to_vec();
        let first = 12 + usize::try_from(next_random(&mut state)).unwrap() % (contents.len() - 12);
        for byte in contents.iter_mut().skip(first).take(8) {
            *byte = next_random(&mut state).to_le_bytes()[0];
        }
        let sealed = with_trailer(&contents);
        if let Ok(result) = decoded(&sealed) {
            assert_eq!(between(&encoded(&result)), between(&sealed));
        }
    }
}

#[test]
fn no_bytes_are_no_certificate() {
    assert_eq!(decoded(&[]).unwrap_err(), malformed(Defect::Magic, 0));
}

#[test]
fn a_huge_length_takes_no_memory() {
    let bytes = encode::certificate(&sample::of_run()).unwrap();
    // The certificate ends with the number of its witnesses, 0.
    let end = bytes.len() - 33;
    assert_eq!(bytes[end], 0);
    let mut contents = bytes[..end].to_vec();
    contents.extend([253, 255, 255, 255, 255, 255, 255, 255, 127]);
    let failure = decoded(&with_trailer(&contents)).unwrap_err();
    assert_eq!(failure, malformed(Defect::Length, end));
}

#[test]
fn bytes_behind_the_witnesses_are_refused() {
    let bytes = encode::certificate(&sample::of_run()).unwrap();
    let end = bytes.len() - 32;
    let contents = [&bytes[..end], &[0]].concat();
    let failure = decoded(&with_trailer(&contents)).unwrap_err();
    assert_eq!(failure, malformed(Defect::Trailing, end));
}

#[test]
fn more_than_allowed_is_declined() {
    let certificate = sample::of_proof();
    let bytes = encode::certificate(&certificate).unwrap();
    let declared = certificate.limits.memory;
    let allowed = |limits| decode(&bytes, &mut Budget::within(limits), limits, digest).unwrap_err();
    let failure = allowed(Limits { memory: declared - 1, ..certificate.limits });
    assert_eq!(failure, Failure::Declined(Declined::Limit { declared, allowed: declared - 1 }));
    let declared = certificate.limits.work;
    let failure = allowed(Limits { work: declared - 1, ..certificate.limits });
    assert_eq!(failure, Failure::Declined(Declined::WorkLimit { declared, allowed: declared - 1 }));
}

#[test]
fn more_memory_than_declared_is_declined() {
    let mut certificate = sample::of_proof();
    certificate.limits.memory = 1000;
    let bytes = encode::certificate(&certificate).unwrap();
    assert_eq!(decoded(&bytes).unwrap_err(), Failure::Declined(Declined::Memory { limit: 1000 }));
}

#[test]
fn the_statement_digest_is_recomputed() {
    let mut bytes = encode::certificate(&sample::of_proof()).unwrap();
    bytes.truncate(bytes.len() - 32);
    // Magic, version, and twice 5 bytes of limits stand before the digest.
    bytes[25] ^= 1;
    let failure = decoded(&with_trailer(&bytes)).unwrap_err();
    assert_eq!(failure, malformed(Defect::StatementDigest, 22));
}
