//! Inclusion against determinisation and complement; every witness is checked once more, by its definition in `spec/automata.md`.

use crate::{
    random::{Random, alphabet, automaton, extended},
    term::Term,
};
use goatherd_automata::{
    automaton::{Automaton, State},
    determinisation::{complement, determinise},
    emptiness::is_empty,
    inclusion::{Equality, Inclusion, InclusionWitness, Method, equality, inclusion},
    product::intersection,
    reduction::reduce,
    steps::Steps,
};
use std::collections::BTreeSet;

/// All tuples with one element of each list.
fn tuples<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |tuples, list| {
        tuples.iter().flat_map(|tuple| list.iter().map(move |element| [tuple.clone(), vec![element.clone()]].concat())).collect()
    })
}

fn is_witness(witness: &InclusionWitness, left: &Automaton, right: &Automaton) -> bool {
    match witness {
        InclusionWitness::Simulation { pairs, unreached } => {
            let related = |q: &State, r: &State| pairs.contains(&(*q, *r));
            let is_dead = |children: &[State]| children.iter().any(|child| unreached.contains(child));
            left.rules().all(|rule| !unreached.contains(&rule.state) || is_dead(rule.children))
                && left.final_states().all(|q| unreached.contains(&q) || right.final_states().any(|r| related(&q, &r)))
                && pairs.iter().all(|(q, r)| {
                    left.rules().filter(|rule| rule.state == *q && !is_dead(rule.children)).all(|rule| {
                        right.rules().any(|other| {
                            other.symbol == rule.symbol
                                && other.state == *r
                                && rule.children.iter().zip(other.children).all(|(q, r)| related(q, r))
                        })
                    })
                })
        }
        InclusionWitness::Antichain(pairs) => {
            let of = |state: &State| -> Vec<&Vec<State>> { pairs.iter().filter(|(q, _)| q == state).map(|(_, set)| set).collect() };
            pairs.iter().all(|(q, set)| !left.is_final(*q) || set.iter().any(|r| right.is_final(*r)))
                && left.rules().all(|rule| {
                    let choices: Vec<Vec<&Vec<State>>> = rule.children.iter().map(of).collect();
                    tuples(&choices).iter().all(|sets| {
                        let fits = |children: &[State]| children.iter().zip(sets).all(|(child, set)| set.contains(child));
                        let reached: BTreeSet<State> = right
                            .rules()
                            .filter(|other| other.symbol == rule.symbol && fits(other.children))
                            .map(|other| other.state)
                            .collect();
                        of(&rule.state).iter().any(|set| set.iter().all(|state| reached.contains(state)))
                    })
                })
        }
        InclusionWitness::Covering(pairs) => {
            let covers = |state: State, chosen: &BTreeSet<State>| {
                pairs.iter().any(|(q, set)| *q == state && set.iter().all(|other| chosen.contains(other)))
            };
            let finals: BTreeSet<State> = right.final_states().collect();
            left.final_states().all(|state| covers(state, &finals))
                && pairs.iter().all(|(state, set)| {
                    left.rules().filter(|rule| rule.state == *state).all(|rule| {
                        let others: Vec<&[State]> = right
                            .rules()
                            .filter(|other| other.symbol == rule.symbol && set.contains(&other.state))
                            .map(|other| other.children)
                            .collect();
                        let places: Vec<Vec<usize>> = others.iter().map(|_| (0..rule.children.len()).collect()).collect();
                        tuples(&places).iter().all(|choice| {
                            (0..rule.children.len()).any(|place| {
                                let chosen =
                                    others.iter().zip(choice).filter(|(_, chosen)| **chosen == place).map(|(other, _)| other[place]);
                                covers(rule.children[place], &chosen.collect())
                            })
                        })
                    })
                })
        }
    }
}

#[test]
fn inclusion_is_emptiness_of_the_difference() {
    let alphabet = alphabet();
    let symbols = alphabet.symbols();
    let mut kinds = [0; 4];
    let mut undecided = 0;
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let first = automaton(&mut random, symbols, 4);
        let (left, right) = match seed % 3 {
            0 => (automaton(&mut random, symbols, 4), first),
            1 => (first.clone(), extended(&mut random, &first, symbols)),
            // Often no state of the deterministic automaton simulates one of the other.
            _ => (first.clone(), determinise(&first, symbols, &mut Steps::unbounded()).unwrap()),
        };
        let outside = complement(&right, symbols, &mut Steps::unbounded()).unwrap();
        let is_included = is_empty(&intersection(&left, &outside).automaton);
        for method in [Method::Upward, Method::Downward] {
            // The downward search may look at exponentially many choices.
            let Ok(answer) = inclusion(&left, &right, method, &mut Steps::at_most(20_000)) else {
                assert_eq!(method, Method::Downward, "seed {seed}");
                undecided += 1;
                continue;
            };
            match answer {
                Inclusion::Included(witness) => {
                    assert!(is_included, "seed {seed}, {method:?}");
                    let is_small = match &witness {
                        InclusionWitness::Simulation { .. } | InclusionWitness::Antichain(_) => true,
                        // The plain check tries all choices.
                        InclusionWitness::Covering(_) => right.rule_count() <= 15,
                    };
                    assert!(!is_small || is_witness(&witness, &left, &right), "seed {seed}, {witness:?}");
                    assert_eq!(witness.shows(&left, &right, &mut Steps::at_most(1_000_000)), Ok(true), "seed {seed}, {witness:?}");
                    kinds[match witness {
                        InclusionWitness::Simulation { .. } => 0,
                        InclusionWitness::Antichain(_) => 1,
                        InclusionWitness::Covering(_) => 2,
                    }] += 1;
                }
                Inclusion::NotIncluded(tree) => {
                    assert!(!is_included, "seed {seed}, {method:?}");
                    let term = Term::from_tree(&tree);
                    assert!(term.is_accepted(&left) && !term.is_accepted(&right), "seed {seed}, {method:?}");
                    kinds[3] += 1;
                }
            }
        }
    }
    assert!(kinds.iter().all(|count| *count > 100) && undecided < 400, "every kind of answer is tested: {kinds:?}, {undecided}");
}

#[test]
fn a_witness_that_lacks_a_pair_or_names_a_state_too_many_shows_nothing() {
    let alphabet = alphabet();
    let symbols = alphabet.symbols();
    let (mut kept, mut lost) = (0, 0);
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let left = automaton(&mut random, symbols, 3);
        let right = extended(&mut random, &left, symbols);
        for method in [Method::Upward, Method::Downward] {
            let Ok(Inclusion::Included(witness)) = inclusion(&left, &right, method, &mut Steps::unbounded()) else { continue };
            for damaged in damaged(&witness) {
                let shows = damaged.shows(&left, &right, &mut Steps::unbounded()).unwrap();
                assert_eq!(shows, is_witness(&damaged, &left, &right), "seed {seed}, {damaged:?}");
                *(if shows { &mut kept } else { &mut lost }) += 1;
            }
        }
    }
    assert!(lost > 100, "{kept} damaged witnesses still show the inclusion, {lost} do not");
    let unknown = InclusionWitness::Simulation { pairs: vec![(State::new(7), State::new(0))], unreached: Vec::new() };
    let automaton = automaton(&mut Random::new(1), symbols, 3);
    assert_eq!(unknown.shows(&automaton, &automaton, &mut Steps::unbounded()), Ok(false));
}

/// The witness without one of its pairs, and with one more state in one of its sets.
fn damaged(witness: &InclusionWitness) -> Vec<InclusionWitness> {
    fn without<T: Clone>(pairs: &[T]) -> impl Iterator<Item = Vec<T>> {
        (0..pairs.len()).map(|left_out| [&pairs[..left_out], &pairs[left_out + 1..]].concat())
    }
    let larger = |pairs: &[(State, Vec<State>)]| -> Vec<Vec<(State, Vec<State>)>> {
        (0..pairs.len())
            .map(|number| {
                let mut pairs = pairs.to_vec();
                pairs[number].1 = vec![State::new(0)];
                pairs
            })
            .collect()
    };
    match witness {
        InclusionWitness::Simulation { pairs, unreached } => {
            let fewer = without(pairs).map(|pairs| InclusionWitness::Simulation { pairs, unreached: unreached.clone() });
            let reached = without(unreached).map(|unreached| InclusionWitness::Simulation { pairs: pairs.clone(), unreached });
            let more = [unreached.as_slice(), &[State::new(0)]].concat();
            fewer.chain(reached).chain([InclusionWitness::Simulation { pairs: pairs.clone(), unreached: more }]).collect()
        }
        InclusionWitness::Antichain(pairs) => without(pairs).chain(larger(pairs)).map(InclusionWitness::Antichain).collect(),
        InclusionWitness::Covering(pairs) => without(pairs).chain(larger(pairs)).map(InclusionWitness::Covering).collect(),
    }
}

#[test]
fn equality_is_inclusion_both_ways() {
    let alphabet = alphabet();
    let symbols = alphabet.symbols();
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let left = automaton(&mut random, symbols, 4);
        let equal = equality(&left, &reduce(&left), Method::Upward, &mut Steps::unbounded());
        assert!(matches!(equal, Ok(Equality::Equal { .. })), "seed {seed}");
        let other = extended(&mut random, &left, symbols);
        match equality(&left, &other, Method::Downward, &mut Steps::unbounded()).unwrap() {
            Equality::Equal { there, back } => {
                assert!(is_witness(&there, &left, &other) && is_witness(&back, &other, &left), "seed {seed}");
            }
            Equality::OnlyLeft(_) => panic!("rules were only added, seed {seed}"),
            Equality::OnlyRight(tree) => {
                let term = Term::from_tree(&tree);
                assert!(term.is_accepted(&other) && !term.is_accepted(&left), "seed {seed}");
            }
        }
    }
}

#[test]
fn the_search_ends_at_the_bound() {
    let alphabet = alphabet();
    let symbols = alphabet.symbols();
    for method in [Method::Upward, Method::Downward] {
        let mut bounded = 0;
        for seed in 0..100 {
            let mut random = Random::new(seed);
            let (left, right) = (automaton(&mut random, symbols, 4), automaton(&mut random, symbols, 4));
            let mut steps = Steps::unbounded();
            let answer = inclusion(&left, &right, method, &mut steps);
            assert_eq!(inclusion(&left, &right, method, &mut Steps::at_most(steps.taken())), answer);
            if let Some(fewer) = steps.taken().checked_sub(1) {
                bounded += 1;
                assert!(inclusion(&left, &right, method, &mut Steps::at_most(fewer)).is_err());
            }
        }
        assert!(bounded > 10, "{method:?}");
    }
}
