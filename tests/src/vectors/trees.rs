//! Certificates about a tree model.

use super::{Catalogue, rejected};
use crate::leaves::{A, B, F, P, above, cover, invariant, trace, transition};
use goatherd::encode::digest;
use goatherd_certificates::{
    automata::{Automaton, Cover, LineId, ModelCertificate, ModelEvidence, StateId, SymbolId},
    certificate::Claim,
};
use goatherd_checker::Rejection;

/// Covers of all inclusions.
type Covers = Vec<Vec<Cover>>;
/// Actions and trees.
type Steps = Vec<(u32, Vec<SymbolId>)>;

/// The invariant, changed.
fn changed(change: &dyn Fn(&mut ModelCertificate)) -> ModelCertificate {
    let mut certificate = invariant();
    change(&mut certificate);
    certificate
}

/// The invariant with other sets or covers.
fn sets(change: &dyn Fn(&mut Vec<Automaton>, &mut Covers)) -> ModelCertificate {
    changed(&|certificate| {
        let ModelEvidence::Invariant { lines, covers } = &mut certificate.evidence else { return };
        change(lines, covers);
    })
}

/// The trace with another tree or other steps.
fn run(change: &dyn Fn(&mut Vec<SymbolId>, &mut Steps)) -> ModelCertificate {
    let mut certificate = trace();
    if let ModelEvidence::Trace { tree, steps } = &mut certificate.evidence {
        change(tree, steps);
    }
    certificate
}

/// Adds them.
pub fn add(vectors: &mut Catalogue) {
    let mut add = |name: &str, expected: &str, reason, certificate: &ModelCertificate| {
        let bytes = goatherd::encode::model_certificate(certificate).expect("memory for the encoding");
        vectors.bytes(&format!("tree-{name}"), expected, reason, bytes);
    };
    add("invariant", "accepted Invariant", "all leaves are a, the one action makes them b, and a leaf a is bad behind it", &invariant());
    add("trace", "accepted Unsafe", "the same model, but that leaves may stay a: a run to a bad tree", &trace());

    let wrong = |rejection, reason, certificate| (rejected(rejection), reason, certificate);
    let all = [
        (
            "line",
            wrong(
                Rejection::Missing,
                "an action leads to line 2 of 2",
                changed(&|certificate| {
                    certificate.model.lines[0].actions[0].next = LineId(2);
                }),
            ),
        ),
        ("claim", wrong(Rejection::Claim, "an invariant for the claim Unsafe", changed(&|certificate| certificate.claim = Claim::Unsafe))),
        ("set", wrong(Rejection::NotCovered, "the set of line 1 has a leaf f", sets(&|lines, _| lines[1].transitions[0].letter = F))),
        ("sets", wrong(Rejection::Hints, "a set for a line that does not exist", sets(&|lines, _| lines.push(above(A))))),
        ("covers", wrong(Rejection::Hints, "covers for one inclusion too many", sets(&|_, covers| covers.push(Vec::new())))),
        ("init", wrong(Rejection::NotCovered, "Init is not covered", sets(&|_, covers| covers[0].clear()))),
        (
            "closed",
            wrong(
                Rejection::NotCovered,
                "the set of line 1 lacks p above two leaves",
                sets(&|lines, _| drop(lines[1].transitions.remove(2))),
            ),
        ),
        (
            "together",
            wrong(Rejection::NotCovered, "a state of a cover is not reached", sets(&|_, covers| covers[2] = vec![cover(0, 0, &[0, 1])])),
        ),
        (
            "choice",
            wrong(
                Rejection::NotCovered,
                "of two covers for leaves, one leads nowhere below f",
                sets(&|lines, covers| {
                    lines[1].transitions.push(transition(B, &[], 1));
                    covers[2] = vec![cover(0, 0, &[0]), cover(0, 0, &[1])];
                    lines[1].accepting.push(StateId(1));
                }),
            ),
        ),
        (
            "cover-order",
            wrong(
                Rejection::CoverOrder,
                "a cover names state 1 before state 0; leaves, f and p reach both",
                sets(&|lines, covers| {
                    lines[1].transitions.extend([transition(B, &[], 1), transition(F, &[0], 1), transition(P, &[0, 0], 1)]);
                    covers[2] = vec![cover(0, 0, &[1, 0])];
                    covers[3].push(cover(1, 0, &[]));
                }),
            ),
        ),
        ("accepting", wrong(Rejection::NotAccepting, "the set of line 1 accepts nothing", sets(&|lines, _| lines[1].accepting.clear()))),
        (
            "bad",
            wrong(
                Rejection::NotAccepting,
                "the set of line 1 holds a bad tree",
                sets(&|lines, covers| {
                    lines[1].transitions.push(transition(A, &[], 0));
                    covers[3].push(cover(0, 1, &[]));
                }),
            ),
        ),
        ("two-roots", wrong(Rejection::NotATree, "the initial tree has two roots", run(&|tree, _| tree.push(A)))),
        ("initial", wrong(Rejection::NotInitial, "the first tree has a leaf b", run(&|tree, _| tree[0] = B))),
        ("action", wrong(Rejection::Missing, "the line has no action 1", run(&|_, steps| steps[0].0 = 1))),
        ("step", wrong(Rejection::NotRelated, "the step changes an inner node", run(&|_, steps| steps[0].1[2] = F))),
        ("shape", wrong(Rejection::NotRelated, "the step leaves a leaf out", run(&|_, steps| steps[0].1.truncate(2)))),
        ("end", wrong(Rejection::NotBad, "the last tree has no leaf a", run(&|_, steps| steps[0].1[1] = B))),
    ];
    for (name, (expected, reason, certificate)) in all {
        add(name, &expected, reason, &certificate);
    }
    vectors.bytes("tree-subject", "malformed Variant", "a subject that does not exist, with the digests that fit", {
        let mut bytes = goatherd::encode::model_certificate(&invariant()).expect("memory for the encoding");
        // Magic, version, the byte 252 with the four of 2^26, and with the four of 2^28; then the statement's digest, and its length in one byte.
        let (digest_at, length_at) = (22, 22 + 32);
        let length = usize::from(bytes[length_at]);
        let statement = length_at + 1..length_at + 1 + length;
        bytes[statement.start] = 99;
        let fitting = digest(&bytes[statement]);
        bytes[digest_at..digest_at + 32].copy_from_slice(&fitting);
        crate::mutants::repair_trailer(&mut bytes);
        bytes
    });
}
