//! The first page of a certificate that is about no program: about a tree model, or a formula.

use crate::page::{Kernel, hexadecimal, part};
use goatherd_certificates::{
    automata::{ModelCertificate, ModelEvidence},
    certificate::{Claim, Origin},
    formula::{Domain, FormulaCertificate, Inference},
};
use goatherd_claims::Verdict;
use goatherd_frontend::{escape::escaped, print::Page as Lines};
use serde::Serialize;

/// What is said first.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct SubjectPage {
    /// The claim, in one sentence.
    pub claim: String,
    /// What is not claimed.
    pub not_claimed: Vec<String>,
    /// What it is about: how large that is.
    pub about: Vec<String>,
    /// From which file it was made, as the certificate says.
    pub source: String,
    /// The digest of that file, in hexadecimal.
    pub source_digest: String,
    /// How it is shown.
    pub proof: Vec<String>,
    /// What has to be trusted.
    pub trusted: Vec<String>,
    /// What need not be.
    pub not_trusted: Vec<String>,
    /// The digest of the model or the formula, in hexadecimal.
    pub subject: String,
    /// The digest of the whole statement.
    pub statement: String,
}

impl SubjectPage {
    /// Of a tree model, whose certificate the checker has accepted.
    pub fn of_model(certificate: &ModelCertificate, verdict: &Verdict, kernel: Kernel) -> Self {
        let model = &certificate.model;
        let first = model.lines.first().map_or_else(String::new, |line| escaped(&line.name));
        let (claim, not_claimed) = match certificate.claim {
            Claim::Unsafe => (
                "A run of the model, from a tree of init, comes to a bad configuration: the one that the certificate describes.",
                "Anything of other runs.",
            ),
            _ => ("No run of the model, from a tree of init, comes to a bad configuration, however large its trees.", "That runs end."),
        };
        let actions: usize = model.lines.iter().map(|line| line.actions.len()).sum();
        let about = vec![
            format!(
                "a tree model of {} symbols, {} lines and {actions} actions, which begins at line {first}",
                model.alphabet.len(),
                model.lines.len()
            ),
            String::from("all of it is in the certificate: goatherd-check CERT --print shows it"),
        ];
        let proof = match &certificate.evidence {
            ModelEvidence::Invariant { lines, covers } => vec![
                format!(
                    "a set of trees for each of {} lines, as a tree automaton: init is in that of the first line, no bad tree is in any, and no action leads out of them",
                    lines.len()
                ),
                format!(
                    "that these hold are {} inclusions, each shown state by state: {} transitions of products",
                    covers.len(),
                    verdict.counts.rules
                ),
            ],
            ModelEvidence::Trace { steps, .. } => vec![format!("a run of {} steps, of which the checker has looked at each", steps.len())],
        };
        let of_claim = "the crate of this claim, checker/claims/trees, which stands on the kernel";
        Self::new(claim, not_claimed, about, proof, (&certificate.origin, verdict), (kernel, of_claim, "model"))
    }

    /// Of a formula, whose certificate the checker has accepted.
    pub fn of_formula(certificate: &FormulaCertificate, verdict: &Verdict, kernel: Kernel) -> Self {
        let (formula, evidence) = (&certificate.formula, &certificate.evidence);
        let of = |domain: Domain| formula.constants.iter().filter(|constant| constant.domain == domain).count();
        let about = vec![
            format!(
                "the assertions that hold at check-sat number {} of the script: {} of them",
                formula.question,
                formula.assertions.len()
            ),
            format!(
                "Boolean constants: {}; integers: {}; arrays: {}; expressions: {}",
                of(Domain::Boolean),
                of(Domain::Integer),
                of(Domain::Array),
                formula.expressions.len()
            ),
            String::from("all of it is in the certificate: goatherd-check CERT --print shows it"),
        ];
        let count = |is_so: fn(&Inference) -> bool| evidence.steps.iter().filter(|step| is_so(step)).count();
        let arithmetic = count(|step| matches!(step, Inference::Arithmetic { .. }));
        let propagated = count(|step| matches!(step, Inference::Propagation { .. }));
        let proof = vec![
            format!(
                "{} clauses that are true in every model, one after the other; the last one is empty, so that there is no model",
                evidence.steps.len()
            ),
            format!(
                "{arithmetic} by arithmetic, with the kernel's deductions; {propagated} from clauses before; {} are assertions, or say what an operation means",
                evidence.steps.len() - arithmetic - propagated
            ),
        ];
        let of_claim = "the crate of this claim, checker/claims/unsatisfiable, which stands on the kernel";
        let (claim, not_claimed) = (
            "The assertions have no model, whatever values the constants take: integers are unbounded, and arrays have an integer for each integer.",
            "Anything of other questions of the same script.",
        );
        Self::new(claim, not_claimed, about, proof, (&certificate.origin, verdict), (kernel, of_claim, "formula"))
    }

    fn new(
        claim: &str,
        not_claimed: &str,
        about: Vec<String>,
        proof: Vec<String>,
        (origin, verdict): (&Origin, &Verdict),
        (kernel, of_claim, what): (Kernel, &str, &str),
    ) -> Self {
        Self {
            claim: claim.to_owned(),
            not_claimed: vec![not_claimed.to_owned()],
            about,
            source: escaped(&origin.file),
            source_digest: hexadecimal(&origin.digest),
            proof,
            trusted: vec![
                format!("the kernel, version {}, source sha256 {}: it reads the frame of the certificate", kernel.version, kernel.digest),
                format!("{of_claim}: it has accepted the certificate"),
                format!(
                    "that the {what} in the certificate is the one of your file, and says what you want to know: goatherd-check CERT --print shows it"
                ),
            ],
            not_trusted: vec![String::from("whoever has made the certificate, any solver, this explanation")],
            subject: hexadecimal(&verdict.subject_digest),
            statement: hexadecimal(&verdict.statement_digest),
        }
    }

    /// In lines.
    pub fn text(&self) -> String {
        let mut page = Lines::default();
        part(&mut page, "What is claimed", std::slice::from_ref(&self.claim));
        part(&mut page, "What is not claimed", &self.not_claimed);
        part(&mut page, "Of what", &self.about);
        part(&mut page, "Of which file, as the certificate says", &[format!("{}, sha256 {}", self.source, self.source_digest)]);
        part(&mut page, "How it is shown", &self.proof);
        part(&mut page, "What you have to trust", &self.trusted);
        part(&mut page, "What you need not trust", &self.not_trusted);
        let digests = [format!("subject    sha256 {}", self.subject), format!("statement  sha256 {}", self.statement)];
        part(&mut page, "What is what", &digests);
        page.text
    }
}
