//! Union, intersection, emptiness, complement, reduction, enumeration.

use crate::{
    random::{Random, alphabet, automaton},
    term::{Term, terms},
};
use goatherd_automata::{
    automaton::Automaton,
    determinisation::{complement, determinise},
    emptiness::{is_empty, smallest_tree},
    enumeration::{Bound, accepted_trees},
    product::{intersection, union},
    reduction::reduce,
    steps::Steps,
    trim::trim,
};

const ROUNDS: u64 = 2000;

#[test]
fn operations_accept_what_they_should() {
    let alphabet = alphabet();
    let symbols = alphabet.symbols();
    let all = terms(symbols, 3);
    for seed in 0..ROUNDS {
        let mut random = Random::new(seed);
        let (left, right) = (automaton(&mut random, symbols, 3), automaton(&mut random, symbols, 3));
        let steps = &mut Steps::unbounded();
        let union = union(&left, &right);
        let intersection = intersection(&left, &right).automaton;
        let (deterministic, complement) = (determinise(&left, symbols, steps).unwrap(), complement(&left, symbols, steps).unwrap());
        let (trimmed, reduced) = (trim(&left).automaton, reduce(&left));
        for term in &all {
            let (in_left, in_right) = (term.is_accepted(&left), term.is_accepted(&right));
            assert_eq!(term.is_accepted(&union), in_left || in_right, "union, seed {seed}");
            assert_eq!(term.is_accepted(&intersection), in_left && in_right, "intersection, seed {seed}");
            assert_eq!(term.is_accepted(&deterministic), in_left, "determinisation, seed {seed}");
            assert_eq!(term.reached(&deterministic).len(), 1, "determinisation is complete and deterministic, seed {seed}");
            assert_eq!(term.is_accepted(&complement), !in_left, "complement, seed {seed}");
            assert_eq!(term.is_accepted(&trimmed), in_left, "trimming, seed {seed}");
            assert_eq!(term.is_accepted(&reduced), in_left, "reduction, seed {seed}");
            assert_eq!(term.tree().is_accepted_by(&left), in_left, "run, seed {seed}");
        }
        assert!(reduced.state_count() <= trimmed.state_count() && reduced.rule_count() <= trimmed.rule_count(), "seed {seed}");
    }
}

#[test]
fn the_smallest_tree_is_found() {
    let alphabet = alphabet();
    let symbols = alphabet.symbols();
    // With three states a smallest tree has at most this height.
    let all = terms(symbols, 3);
    for seed in 0..ROUNDS {
        let automaton = automaton(&mut Random::new(seed), symbols, 3);
        let smallest = all.iter().filter(|term| term.is_accepted(&automaton)).map(Term::size).min();
        let found = smallest_tree(&automaton);
        assert_eq!(found.as_ref().map(|tree| Term::from_tree(tree).size()), smallest, "seed {seed}");
        assert_eq!(found.as_ref().map(goatherd_automata::tree::Tree::size), smallest, "seed {seed}");
        assert!(found.is_none_or(|tree| Term::from_tree(&tree).is_accepted(&automaton)), "seed {seed}");
        assert_eq!(is_empty(&automaton), smallest.is_none(), "seed {seed}");
    }
}

#[test]
fn all_trees_are_enumerated_once() {
    let alphabet = alphabet();
    let symbols = alphabet.symbols();
    let all = terms(symbols, 3);
    let sorted = |automaton: &Automaton, bound| {
        let trees = accepted_trees(automaton, bound, &mut Steps::unbounded()).unwrap();
        let mut terms: Vec<Term> = trees.iter().map(Term::from_tree).collect();
        terms.sort();
        terms
    };
    for seed in 0..ROUNDS {
        let automaton = automaton(&mut Random::new(seed), symbols, 3);
        let mut wanted: Vec<Term> = all.iter().filter(|term| term.is_accepted(&automaton)).cloned().collect();
        wanted.sort();
        assert_eq!(sorted(&automaton, Bound::Height(3)), wanted, "seed {seed}");
        // Trees of at most three nodes have at most this height.
        wanted.retain(|term| term.size() <= 3);
        assert_eq!(sorted(&automaton, Bound::Size(3)), wanted, "seed {seed}");
    }
}

#[test]
fn steps_are_bounded() {
    let alphabet = alphabet();
    let symbols = alphabet.symbols();
    let automaton = automaton(&mut Random::new(5), symbols, 5);
    let needed = {
        let mut steps = Steps::unbounded();
        determinise(&automaton, symbols, &mut steps).unwrap();
        steps.taken()
    };
    assert!(determinise(&automaton, symbols, &mut Steps::at_most(needed)).is_ok());
    assert!(determinise(&automaton, symbols, &mut Steps::at_most(needed - 1)).is_err());
    assert!(accepted_trees(&automaton, Bound::Height(3), &mut Steps::at_most(3)).is_err());
}
