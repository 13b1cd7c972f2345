//! Certificates about paths.

use super::Catalogue;
use crate::{
    branching::{VERTICES, program, walked},
    forge::PARAMETERS,
};
use goatherd_certificates::{
    certificate::{Certificate, Claim, Ends, Evidence},
    derivation::{MemberId, Rule},
};
use goatherd_checker::Rejection;

/// Adds them.
pub fn add(vectors: &mut Catalogue) {
    let mapped = |ends, vertices: &[u32]| walked(&program(), &PARAMETERS, ends, vertices);
    let complete = mapped(Ends::Complete, &VERTICES);
    vectors.accepted("paths-complete-accepted", "two ways to one second branch, of which one way on is infeasible", &complete);
    vectors.accepted("paths-anywhere-accepted", "the same, of prefixes", &mapped(Ends::Anywhere, &VERTICES));
    for (name, rejection, reason, vertices) in [
        ("count", Rejection::VertexCount, "a node has no entry", &VERTICES[..6]),
        ("order", Rejection::VertexOrder, "vertex 5 is mentioned before 4", &[0, 1, 2, 3, 5, 2, 3]),
        ("location", Rejection::VertexLocation, "vertex 1 stands for nodes at locations 1 and 2", &[0, 1, 2, 3, 1, 2, 3]),
        ("end", Rejection::EndLost, "a node at Halt has no vertex", &[0, 1, 2, 3, 4, 2, 99]),
        ("source", Rejection::SourceLost, "a node has no vertex, but its successor has", &[0, 1, 2, 3, 99, 2, 3]),
    ] {
        vectors.rejected(&format!("paths-{name}"), rejection, reason, &mapped(Ends::Complete, vertices));
    }
    let changed = |change: &dyn Fn(&mut Certificate)| {
        let mut certificate = complete.clone();
        change(&mut certificate);
        certificate
    };
    let rule = changed(&|certificate| {
        if let Evidence::Paths { proof, .. } = &mut certificate.evidence {
            proof.roots.insert(0, Rule::Drop { member: MemberId(0) });
        }
    });
    vectors.rejected("paths-rule", Rejection::Rule, "Drop in a derivation of paths", &rule);
    let claim = changed(&|certificate| certificate.statement.claim = Claim::Safe);
    vectors.rejected("paths-claim", Rejection::Claim, "a graph for the claim Safe", &claim);
}
