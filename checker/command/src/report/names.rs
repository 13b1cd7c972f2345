//! The names of claims, and of rules at fault.

use goatherd_certificates::{
    certificate::{Certificate, Claim, Evidence},
    derivation::Rule,
};
use goatherd_checker::{
    budget::Budget,
    decode::Rules,
    error::{Failure, Where},
};

/// The name of the rule that a rejection is about.
pub fn rule(failure: Failure, certificate: &Certificate<Rules<'_>>) -> Option<&'static str> {
    let Failure::Rejected { place, .. } = failure else {
        return None;
    };
    let (Evidence::Proof(proof) | Evidence::Paths { proof, .. }) = &certificate.evidence else {
        return None;
    };
    let (derivation, rule) = match place {
        Where::Root { rule, .. } => (&proof.roots, rule),
        Where::Derivation { template, rule } => (
            proof.derivations.get(usize::try_from(template).ok()?)?,
            rule,
        ),
        _ => return None,
    };
    let (mut rules, mut budget) = (*derivation, Budget::new(certificate.limits.memory));
    for _ in 0..rule {
        rules.next(&mut budget).ok()??;
    }
    rules.next(&mut budget).ok()?.as_ref().map(rule_name)
}

/// A rule's name, as in `spec/calculus.md`.
pub const fn rule_name(rule: &Rule) -> &'static str {
    match rule {
        Rule::Step { .. } => "Step",
        Rule::StepDecided { .. } => "StepDecided",
        Rule::Split { .. } => "Split",
        Rule::Infeasible { .. } => "Infeasible",
        Rule::AddScapegoat { .. } => "AddScapegoat",
        Rule::Drop { .. } => "Drop",
        Rule::Subsume { .. } => "Subsume",
        Rule::Descent { .. } => "Descent",
        Rule::Twin { .. } => "Twin",
        Rule::End => "End",
        Rule::Let { .. } => "Let",
        Rule::Unfold { .. } => "Unfold",
        Rule::Steps { .. } => "Steps",
    }
}

/// A claim's name.
pub const fn claim_name(claim: Claim) -> &'static str {
    match claim {
        Claim::Safe => "Safe",
        Claim::Unsafe => "Unsafe",
        Claim::Invariant => "Invariant",
        Claim::Paths(_) => "Paths",
        Claim::Unsatisfiable => "Unsatisfiable",
    }
}
