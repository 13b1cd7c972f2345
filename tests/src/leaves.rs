//! A small tree model with an invariant and a trace, written by hand.

use crate::forge::MEMORY;
use goatherd_certificates::{
    automata::{Action, Automaton, Cover, Line, LineId, Model, ModelCertificate, ModelEvidence, StateId, Symbol, SymbolId, Transition},
    certificate::{Claim, Limits, Origin},
};

/// A leaf.
pub const A: SymbolId = SymbolId(0);
/// A leaf.
pub const B: SymbolId = SymbolId(1);
/// An inner node with one child.
pub const F: SymbolId = SymbolId(2);
/// An inner node with two children.
pub const P: SymbolId = SymbolId(3);

/// A transition.
pub fn transition<Letter>(letter: Letter, children: &[u32], target: u32) -> Transition<Letter> {
    Transition { letter, children: children.iter().copied().map(StateId).collect(), target: StateId(target) }
}

/// A cover.
pub fn cover(source: u32, transducer: u32, targets: &[u32]) -> Cover {
    Cover { source: StateId(source), transducer: StateId(transducer), targets: targets.iter().copied().map(StateId).collect() }
}

/// A set.
pub fn set(transitions: &[Transition<SymbolId>], accepting: &[u32]) -> Automaton {
    Automaton { transitions: transitions.to_vec(), accepting: accepting.iter().copied().map(StateId).collect() }
}

/// Trees of `f` and `p` above leaves of one symbol.
pub fn above(leaf: SymbolId) -> Automaton {
    set(&[transition(leaf, &[], 0), transition(F, &[0], 0), transition(P, &[0, 0], 0)], &[0])
}

/// All leaves are `a`; the one action makes them `b` and leads from line 0 to line 1, where a leaf `a` is bad.
pub fn model() -> Model {
    let symbols = [("a", 0), ("b", 0), ("f", 1), ("p", 2)];
    let change = Automaton {
        transitions: vec![transition((A, B), &[], 0), transition((F, F), &[0], 0), transition((P, P), &[0, 0], 0)],
        accepting: vec![StateId(0)],
    };
    let some_a = set(
        &[
            transition(A, &[], 1),
            transition(B, &[], 0),
            transition(F, &[0], 0),
            transition(F, &[1], 1),
            transition(P, &[0, 0], 0),
            transition(P, &[0, 1], 1),
            transition(P, &[1, 0], 1),
            transition(P, &[1, 1], 1),
        ],
        &[1],
    );
    Model {
        alphabet: symbols.into_iter().map(|(name, rank)| Symbol { name: name.to_owned(), rank }).collect(),
        initial: above(A),
        lines: vec![
            Line {
                name: "0".to_owned(),
                actions: vec![Action { name: "change".to_owned(), transducer: change, next: LineId(1) }],
                bad: Automaton::default(),
            },
            Line { name: "1".to_owned(), actions: Vec::new(), bad: some_a },
        ],
    }
}

/// A certificate about this model.
pub fn certificate(claim: Claim, evidence: ModelEvidence) -> ModelCertificate {
    let origin = Origin { file: "model".to_owned(), digest: [0; 32], definitions: Vec::new(), includes: Vec::new(), waived: Vec::new() };
    ModelCertificate { limits: Limits { memory: MEMORY, work: crate::forge::WORK }, claim, origin, model: model(), evidence }
}

/// An invariant of it.
pub fn invariant() -> ModelCertificate {
    let covers = vec![
        // Init in the set of line 0.
        vec![cover(0, 0, &[0])],
        // No bad trees at line 0; the change leads into the set of line 1.
        vec![],
        vec![cover(0, 0, &[0])],
        // No bad trees at line 1: its trees bring the bad set to state 0 alone.
        vec![cover(0, 0, &[])],
    ];
    certificate(Claim::Invariant, ModelEvidence::Invariant { lines: vec![above(A), above(B)], covers })
}

/// The same model, but that `a` may stay: `p(a, a)` to `p(b, a)`, a bad tree.
pub fn trace() -> ModelCertificate {
    let evidence = ModelEvidence::Trace { tree: vec![A, A, P], steps: vec![(0, vec![B, A, P])] };
    let mut certificate = certificate(Claim::Unsafe, evidence);
    certificate.model.lines[0].actions[0].transducer.transitions.push(transition((A, A), &[], 0));
    certificate
}
