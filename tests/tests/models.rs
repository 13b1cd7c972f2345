//! Certificates of tree models: every side condition violated alone, forged certificates, flipped bits, mutants.

use goatherd::{certify::models::certify, encode};
use goatherd_certificates::{
    automata::{Automaton, Cover, LineId, ModelCertificate, ModelEvidence, StateId, Symbol, SymbolId},
    certificate::{Claim, Origin},
};
use goatherd_checker::{
    Limits,
    budget::Budget,
    error::{Declined, Failure, Where},
    rejection::Rejection,
};
use goatherd_claims::{Subject, Verdict, decode};
use goatherd_interpreter::Random;
use goatherd_tests::forge::WORK;
use goatherd_tests::{
    forge::MEMORY,
    leaves::{A, B, F, P, above, cover, invariant, set, trace, transition},
    mutants::repair_trailer,
    tree_models::{is_true, random, trees},
};
use goatherd_trees::{model::Model as Searched, options::Options, search};

fn check(certificate: &ModelCertificate) -> Result<Verdict, Failure> {
    goatherd_claims::check(
        &encode::model_certificate(certificate).expect("it is encoded"),
        Limits { memory: MEMORY, work: WORK },
        encode::digest,
    )
}

/// Asserts that a changed certificate is rejected for this reason.
fn rejected(mut certificate: ModelCertificate, place: Where, rejection: Rejection, change: impl FnOnce(&mut ModelCertificate)) {
    assert!(check(&certificate).is_ok(), "{:?}", check(&certificate));
    change(&mut certificate);
    assert_eq!(check(&certificate).err(), Some(Failure::Rejected { place, rejection }));
}

fn sets(certificate: &mut ModelCertificate) -> (&mut Vec<Automaton>, &mut Vec<Vec<Cover>>) {
    let ModelEvidence::Invariant { lines, covers } = &mut certificate.evidence else { panic!("an invariant") };
    (lines, covers)
}

fn run(certificate: &mut ModelCertificate) -> (&mut Vec<SymbolId>, &mut Vec<(u32, Vec<SymbolId>)>) {
    let ModelEvidence::Trace { tree, steps } = &mut certificate.evidence else { panic!("a trace") };
    (tree, steps)
}

#[test]
fn accepted_as_they_are() {
    let verdict = check(&invariant()).expect("accepted");
    assert_eq!((verdict.claim, verdict.parameters), (Claim::Invariant, None));
    // Init: 3 transitions; of the change 3; of the product with Bad 3: a, f and p, each with the one choice of covers.
    assert_eq!((verdict.counts.templates, verdict.counts.rules), (2, 9));
    let verdict = check(&trace()).expect("accepted");
    assert_eq!((verdict.claim, verdict.counts.steps), (Claim::Unsafe, 1));
}

#[test]
fn what_a_model_mentions_and_lacks() {
    let line = |line: u32| move |certificate: &mut ModelCertificate| certificate.model.lines[0].actions[0].next = LineId(line);
    rejected(invariant(), Where::Evidence, Rejection::Missing, line(2));
    rejected(trace(), Where::Step(1), Rejection::Missing, line(2));
    rejected(invariant(), Where::Evidence, Rejection::Missing, |certificate| {
        certificate.model.lines.clear();
        sets(certificate).0.clear();
    });
    // A transition with other children than its symbol has is that of no tree.
    let accepted = |change: fn(&mut ModelCertificate)| {
        let mut certificate = invariant();
        change(&mut certificate);
        assert!(check(&certificate).is_ok());
    };
    accepted(|certificate| certificate.model.lines[1].bad.transitions[0].children.push(StateId(0)));
    rejected(trace(), Where::Step(0), Rejection::NotInitial, |certificate| {
        certificate.model.initial.transitions.iter_mut().for_each(|transition| transition.children.push(StateId(0)));
    });
}

#[test]
fn evidence_of_another_claim() {
    rejected(invariant(), Where::Evidence, Rejection::Claim, |certificate| certificate.claim = Claim::Unsafe);
    rejected(invariant(), Where::Evidence, Rejection::Claim, |certificate| certificate.claim = Claim::Safe);
    rejected(trace(), Where::Evidence, Rejection::Claim, |certificate| certificate.claim = Claim::Invariant);
}

#[test]
fn sets_with_transitions_of_no_tree() {
    // It reaches nothing: what it was needed for is not covered.
    rejected(invariant(), Where::Inclusion(0), Rejection::NotCovered, |certificate| {
        sets(certificate).0[0].transitions[2].children.truncate(1);
    });
    rejected(invariant(), Where::Inclusion(2), Rejection::NotCovered, |certificate| {
        sets(certificate).0[1].transitions[0].letter = SymbolId(9);
    });
}

#[test]
fn sets_and_covers_match_the_lines() {
    rejected(invariant(), Where::Evidence, Rejection::Hints, |certificate| sets(certificate).0.truncate(1));
    rejected(invariant(), Where::Evidence, Rejection::Hints, |certificate| sets(certificate).0.push(above(A)));
    rejected(invariant(), Where::Evidence, Rejection::Hints, |certificate| sets(certificate).1.truncate(3));
    rejected(invariant(), Where::Evidence, Rejection::Hints, |certificate| sets(certificate).1.push(Vec::new()));
}

#[test]
fn a_pair_that_is_reached_has_a_cover() {
    for (inclusion, number) in [(0, 0), (2, 2), (3, 3)] {
        rejected(invariant(), Where::Inclusion(number), Rejection::NotCovered, |certificate| sets(certificate).1[inclusion].clear());
    }
}

#[test]
fn a_cover_is_reached_by_the_target() {
    // The set of line 1 loses its leaf: nothing is reached.
    rejected(invariant(), Where::Inclusion(2), Rejection::NotCovered, |certificate| drop(sets(certificate).0[1].transitions.remove(0)));
    // It loses the transition above two children alone.
    rejected(invariant(), Where::Inclusion(2), Rejection::NotCovered, |certificate| drop(sets(certificate).0[1].transitions.remove(2)));
    // The states of a cover are reached together: a state more is one too many.
    rejected(invariant(), Where::Inclusion(2), Rejection::NotCovered, |certificate| sets(certificate).1[2] = vec![cover(0, 0, &[0, 1])]);
}

#[test]
fn every_choice_of_covers_is_covered() {
    // The target keeps apart leaves and inner nodes. Below `f` or `p` there may be either, and there is no transition on mixed children.
    rejected(invariant(), Where::Inclusion(2), Rejection::NotCovered, |certificate| {
        let (lines, covers) = sets(certificate);
        lines[1] = set(
            &[
                transition(B, &[], 0),
                transition(F, &[0], 1),
                transition(F, &[1], 1),
                transition(P, &[0, 0], 1),
                transition(P, &[1, 1], 1),
                transition(P, &[1, 0], 1),
            ],
            &[0, 1],
        );
        covers[2] = vec![cover(0, 0, &[0]), cover(0, 0, &[1])];
        covers[3] = vec![cover(0, 0, &[]), cover(1, 0, &[])];
    });
}

#[test]
fn a_pair_that_is_accepted_has_an_accepting_cover() {
    rejected(invariant(), Where::Inclusion(2), Rejection::NotAccepting, |certificate| sets(certificate).0[1].accepting.clear());
    rejected(invariant(), Where::Inclusion(0), Rejection::NotAccepting, |certificate| sets(certificate).1[0] = vec![cover(0, 0, &[])]);
    // One of two covers of the pair is not accepting.
    rejected(invariant(), Where::Inclusion(0), Rejection::NotAccepting, |certificate| sets(certificate).1[0].push(cover(0, 0, &[])));
    // A bad tree in the set of line 1: the pair of states is accepted, and nothing is accepting in the empty set.
    rejected(invariant(), Where::Inclusion(3), Rejection::NotAccepting, |certificate| {
        let (lines, covers) = sets(certificate);
        lines[1].transitions.push(transition(A, &[], 0));
        covers[3].push(cover(0, 1, &[]));
    });
}

#[test]
fn states_of_covers_ascend() {
    let mut twice = invariant();
    let (lines, covers) = sets(&mut twice);
    // All that reaches 0 reaches 1 as well.
    lines[1].transitions.extend([transition(B, &[], 1), transition(F, &[0], 1), transition(P, &[0, 0], 1)]);
    covers[2] = vec![cover(0, 0, &[0, 1])];
    covers[3].push(cover(1, 0, &[]));
    for states in [&[1, 0][..], &[0, 1, 1], &[0, 0, 1]] {
        rejected(twice.clone(), Where::Inclusion(2), Rejection::CoverOrder, |certificate| {
            sets(certificate).1[2] = vec![cover(0, 0, states)];
        });
    }
    // Also in a cover that nothing needs, and where it is no accepting one besides.
    rejected(twice, Where::Inclusion(0), Rejection::CoverOrder, |certificate| {
        sets(certificate).1[0].extend([cover(0, 0, &[]), cover(7, 7, &[1, 0])]);
    });
}

#[test]
fn no_more_work_than_declared() {
    let mut certificate = invariant();
    certificate.model.alphabet.push(Symbol { name: "wide".to_owned(), rank: 16 });
    let wide = SymbolId(4);
    certificate.model.initial.transitions.push(transition(wide, &[0; 16], 0));
    let (lines, _) = sets(&mut certificate);
    lines[0].transitions.push(transition(wide, &[0; 16], 0));
    assert!(check(&certificate).is_ok());
    // Three covers for each of 16 children are 43 million choices.
    let (_, covers) = sets(&mut certificate);
    covers[0] = vec![cover(0, 0, &[0]); 3];
    certificate.limits.work = 1 << 20;
    assert_eq!(check(&certificate).err(), Some(Failure::Declined(Declined::Work { limit: 1 << 20 })));
}

#[test]
fn more_memory_than_declared_is_declined() {
    let mut certificate = invariant();
    // The declared limit is part of the file, and of what is held: with as many digits it takes as many bytes.
    certificate.limits.memory = 60_000;
    let peak = check(&certificate).expect("accepted").peak_memory;
    certificate.limits.memory = peak;
    assert!(check(&certificate).is_ok());
    certificate.limits.memory = peak - 1;
    assert_eq!(check(&certificate).err(), Some(Failure::Declined(Declined::Memory { limit: peak - 1 })));
}

#[test]
fn the_symbols_of_a_trace_are_trees() {
    rejected(trace(), Where::Step(0), Rejection::NotATree, |certificate| {
        run(certificate).0.remove(0);
    });
    rejected(trace(), Where::Step(0), Rejection::NotATree, |certificate| run(certificate).0.push(A));
    rejected(trace(), Where::Step(0), Rejection::NotATree, |certificate| run(certificate).0.clear());
    rejected(trace(), Where::Step(0), Rejection::Missing, |certificate| run(certificate).0[0] = SymbolId(4));
}

#[test]
fn a_trace_begins_in_init() {
    rejected(trace(), Where::Step(0), Rejection::NotInitial, |certificate| run(certificate).0[0] = B);
}

#[test]
fn a_step_is_by_an_action_of_its_line() {
    rejected(trace(), Where::Step(0), Rejection::Missing, |certificate| run(certificate).1[0].0 = 1);
    // Line 1 has no actions.
    rejected(trace(), Where::Step(1), Rejection::Missing, |certificate| run(certificate).1.push((0, vec![B, A, P])));
    rejected(trace(), Where::Step(0), Rejection::NotRelated, |certificate| run(certificate).1[0].1[2] = F);
    rejected(trace(), Where::Step(0), Rejection::NotRelated, |certificate| run(certificate).1[0].1.truncate(2));
    rejected(trace(), Where::Step(0), Rejection::NotRelated, |certificate| run(certificate).1[0].1[0] = SymbolId(7));
}

#[test]
fn a_trace_ends_in_bad() {
    rejected(trace(), Where::Step(1), Rejection::NotBad, |certificate| run(certificate).1[0].1 = vec![B, B, P]);
    rejected(trace(), Where::Step(0), Rejection::NotBad, |certificate| run(certificate).1.clear());
}

/// Sets that leave something out, with all that covers can say.
#[test]
fn forged_invariants_are_rejected() {
    // `a` may stay: there is no invariant.
    let mut bad = invariant();
    bad.model.lines[0].actions[0].transducer.transitions.push(transition((A, A), &[], 0));
    let claims: [fn(&mut ModelCertificate); 6] = [
        |_| {},
        // Sets that hold nothing, with nothing to be covered.
        |certificate| {
            let (lines, covers) = sets(certificate);
            lines.fill(Automaton::default());
            covers.fill(Vec::new());
        },
        // The set of line 1 as it is, or empty; covers for everything.
        |certificate| sets(certificate).1.fill(vec![cover(0, 0, &[0]), cover(0, 0, &[]), cover(0, 1, &[])]),
        |certificate| sets(certificate).1.fill(vec![cover(0, 0, &[]), cover(0, 1, &[])]),
        // The set of line 1 holds all trees: it is closed, and not disjoint from Bad.
        |certificate| {
            let (lines, covers) = sets(certificate);
            lines[1].transitions.push(transition(A, &[], 0));
            covers[3] = vec![cover(0, 0, &[]), cover(0, 1, &[])];
        },
        // It reaches a state on `a` that it does not accept.
        |certificate| {
            let (lines, covers) = sets(certificate);
            lines[1].transitions.extend([transition(A, &[], 1), transition(F, &[1], 1), transition(P, &[1, 1], 1)]);
            covers[2] = vec![cover(0, 0, &[0]), cover(0, 0, &[1])];
            covers[3] = vec![cover(0, 0, &[]), cover(1, 1, &[])];
        },
    ];
    for (number, forge) in claims.into_iter().enumerate() {
        let mut certificate = bad.clone();
        forge(&mut certificate);
        assert!(matches!(check(&certificate), Err(Failure::Rejected { .. })), "forgery {number}");
    }
}

#[test]
fn what_is_encoded_is_decoded() {
    for certificate in [invariant(), trace()] {
        let bytes = encode::model_certificate(&certificate).expect("it is encoded");
        let decoded = decode(&bytes, &mut Budget::new(MEMORY), Limits::of_memory(MEMORY), encode::digest).expect("it is decoded");
        assert_eq!(decoded.subject_digest(), encode::model_digest(&certificate.model).expect("it is encoded"));
        let Subject::Model(model) = decoded else { panic!("about a model") };
        assert_eq!(model.certificate, certificate);
    }
}

/// As written, no flip is accepted. With the trailer made right, what is accepted has the statement as it was.
#[test]
fn flipped_bits() {
    for certificate in [invariant(), trace()] {
        let bytes = encode::model_certificate(&certificate).expect("it is encoded");
        let statement = goatherd_claims::check(&bytes, Limits::of_memory(MEMORY), encode::digest).expect("accepted").statement_digest;
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(goatherd_claims::check(&flipped, Limits::of_memory(MEMORY), encode::digest).is_err(), "bit {bit}");
            if bit / 8 < bytes.len() - 32 {
                repair_trailer(&mut flipped);
                if let Ok(verdict) = goatherd_claims::check(&flipped, Limits::of_memory(MEMORY), encode::digest) {
                    assert_eq!(verdict.statement_digest, statement, "bit {bit}");
                }
            }
        }
    }
}

/// Certificates of random models with a random change, of the model too: what is still accepted is true.
#[test]
fn accepted_mutants_are_true() {
    let all = trees(3);
    let mut generator = Random::new(3);
    let mut accepted = 0;
    for _ in 0..400 {
        let model = random(&mut generator);
        let searched = Searched::new(&model);
        let outcome = search::search(&searched, &Options::default(), &mut |_| {});
        let origin = Origin { file: String::new(), digest: [0; 32], definitions: Vec::new(), includes: Vec::new(), waived: Vec::new() };
        let certified = certify(&model, &origin, &searched, &outcome).expect("accepted").expect("decided");
        let decoded = decode(&certified.bytes, &mut Budget::new(MEMORY), Limits::of_memory(MEMORY), encode::digest).expect("it is decoded");
        let Subject::Model(original) = decoded else { panic!("about a model") };
        for _ in 0..20 {
            let mut mutant = original.certificate.clone();
            mutate(&mut mutant, &mut generator);
            if check(&mutant).is_ok() {
                accepted += 1;
                assert!(is_true(&mutant.model, &mutant.evidence, &all), "{mutant:?}");
            }
        }
    }
    assert!(accepted > 100, "{accepted} mutants are accepted");
}

fn chosen<'a, T>(items: &'a mut [T], random: &mut Random) -> Option<&'a mut T> {
    let number = usize::try_from(random.below((items.len() as u64).max(1))).unwrap_or(0);
    items.get_mut(number)
}

/// Makes one or two changes. Init stays: its trees are those that the truth is enumerated from.
fn mutate(certificate: &mut ModelCertificate, random: &mut Random) {
    for _ in 0..=random.below(2) {
        let ModelCertificate { model, evidence, .. } = certificate;
        let line = chosen(&mut model.lines, random);
        match (random.below(6), evidence) {
            (0, _) => {
                if let Some(action) = line.and_then(|line| chosen(&mut line.actions, random)) {
                    change(&mut action.transducer, random, |letter, symbol| letter.1 = symbol);
                }
            }
            (1, _) => {
                if let Some(line) = line {
                    change(&mut line.bad, random, |letter, symbol| *letter = symbol);
                }
            }
            (2 | 3, ModelEvidence::Invariant { lines, .. }) => {
                if let Some(set) = chosen(lines, random) {
                    change(set, random, |letter, symbol| *letter = symbol);
                }
            }
            (_, ModelEvidence::Invariant { covers, .. }) => {
                if let Some(covers) = chosen(covers, random) {
                    match (random.below(3), chosen(covers, random)) {
                        (0, Some(cover)) => drop(cover.targets.pop()),
                        (1, Some(cover)) => cover.source = StateId(u32::try_from(random.below(4)).unwrap_or(0)),
                        _ => drop(covers.pop()),
                    }
                }
            }
            (2, ModelEvidence::Trace { steps, .. }) => drop(steps.pop()),
            (3, ModelEvidence::Trace { tree, .. }) => {
                if let Some(symbol) = chosen(tree, random) {
                    symbol.0 ^= 1;
                }
            }
            (_, ModelEvidence::Trace { steps, .. }) => {
                if let Some(symbol) = chosen(steps, random).and_then(|(_, tree)| chosen(tree, random)) {
                    symbol.0 ^= 1;
                }
            }
        }
    }
}

fn change<Letter: Clone>(automaton: &mut Automaton<Letter>, random: &mut Random, relabel: impl Fn(&mut Letter, SymbolId)) {
    let kind = random.below(5);
    let state = StateId(u32::try_from(random.below(4)).unwrap_or(0));
    if kind == 4 {
        automaton.accepting.push(state);
        return;
    }
    let number = usize::try_from(random.below((automaton.transitions.len() as u64).max(1))).unwrap_or(0);
    let Some(transition) = automaton.transitions.get_mut(number) else { return };
    match kind {
        0 => drop(automaton.transitions.remove(number)),
        1 => transition.target = state,
        2 => transition.children.fill(state),
        _ => {
            // Another symbol of the same rank.
            let rank = u32::try_from(transition.children.len()).unwrap_or(0);
            relabel(&mut transition.letter, SymbolId(2 * rank + u32::try_from(random.below(2)).unwrap_or(0)));
        }
    }
}
