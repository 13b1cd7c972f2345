//! What was verified as an in-toto Statement v1 (<https://github.com/in-toto/attestation>), for others to sign.

use crate::{
    examine::KERNEL,
    record::{Record, SourceDigest},
    standing::{Comparing, Finding, Standing},
    store::{Archive, Held},
    target::{Target, Terms},
    verify::Survey,
};
use goatherd_frontend::confirm::Confirmed;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Statement<'a> {
    #[serde(rename = "_type")]
    form: &'static str,
    subject: Vec<Subject>,
    #[serde(rename = "predicateType")]
    predicate_type: &'static str,
    predicate: Predicate<'a>,
}

/// A C file, by its digest.
#[derive(Serialize)]
struct Subject {
    name: String,
    digest: Sha256,
}

#[derive(Serialize)]
struct Sha256 {
    sha256: String,
}

#[derive(Serialize)]
struct Predicate<'a> {
    verifier: Verifier,
    proofs: Vec<Proof<'a>>,
}

/// Who has replayed the certificates.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Verifier {
    name: &'static str,
    version: &'static str,
    kernel_source_digest: &'static str,
    /// Were the C files translated again, and their programs compared?
    programs_compared: bool,
    /// Has the C compiler confirmed the types of all of them?
    types_confirmed: bool,
}

/// No execution of the entry function from a valid input fails, under these terms.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Proof<'a> {
    file: &'a str,
    claim: &'static str,
    terms: &'a Terms,
    program: &'a str,
    certificate: &'a str,
    inputs: Vec<SourceDigest>,
}

/// Names the form of a statement.
const FORM: &str = "https://in-toto.io/Statement/v1";
/// Names the form of its predicate (`spec/archive.md#statements`).
const PREDICATE: &str = "urn:goatherd:proofs:1";

/// The statement about all targets.
///
/// # Errors
///
/// One of them is not current: it is named.
pub fn statement(
    survey: &Survey<'_>,
    archive: &Archive,
    comparing: Comparing,
) -> Result<String, String> {
    let (mut proofs, mut files) = (Vec::new(), BTreeMap::new());
    let types_confirmed = survey
        .targets
        .iter()
        .all(|(_, finding)| matches!(finding.types, Some(Confirmed::Confirmed { .. })));
    for (target, finding) in &survey.targets {
        let record = recorded(archive, target, finding)?;
        files.extend(
            record
                .inputs
                .iter()
                .map(|input| (input.path.clone(), input.sha256.clone())),
        );
        proofs.push(Proof {
            file: &target.file,
            claim: "Safe",
            terms: &target.terms,
            program: finding.program.as_deref().unwrap_or_default(),
            certificate: finding.certificate.as_deref().unwrap_or_default(),
            inputs: record.inputs,
        });
    }
    let statement = Statement {
        form: FORM,
        subject: files
            .into_iter()
            .map(|(name, sha256)| Subject {
                name,
                digest: Sha256 { sha256 },
            })
            .collect(),
        predicate_type: PREDICATE,
        predicate: Predicate {
            verifier: Verifier {
                name: "goatherd-check",
                version: env!("CARGO_PKG_VERSION"),
                kernel_source_digest: KERNEL,
                programs_compared: comparing == Comparing::Programs,
                types_confirmed,
            },
            proofs,
        },
    };
    // It has no maps, so that serialising does not fail.
    Ok(serde_json::to_string_pretty(&statement).unwrap_or_default() + "\n")
}

/// The record of a target that is current.
fn recorded(archive: &Archive, target: &Target, finding: &Finding) -> Result<Record, String> {
    match archive.record(target) {
        // Of what was examined, not of what somebody has written since.
        Held::Whole(record)
            if finding.standing == Standing::Current
                && Some(&record.certificate) == finding.certificate.as_ref() =>
        {
            Ok(record)
        }
        _ => Err(format!(
            "no statement: {target} is {}",
            finding.standing.word()
        )),
    }
}
