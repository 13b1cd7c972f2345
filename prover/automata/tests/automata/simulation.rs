//! Simulations against the definition, applied to all pairs until nothing changes.

use crate::random::{Random, alphabet, automaton};
use goatherd_automata::{
    automaton::{Automaton, Rule, State},
    simulation::{Relation, downward_simulation, identity, upward_simulation},
};
use std::collections::BTreeSet;

type Pairs = BTreeSet<(State, State)>;

fn largest(left: &Automaton, right: &Automaton, holds: impl Fn(State, State, &Pairs) -> bool) -> Pairs {
    let mut pairs: Pairs = left.states().flat_map(|one| right.states().map(move |other| (one, other))).collect();
    loop {
        let kept: Pairs = pairs.iter().copied().filter(|(one, other)| holds(*one, *other, &pairs)).collect();
        if kept == pairs {
            return pairs;
        }
        pairs = kept;
    }
}

fn downward(left: &Automaton, right: &Automaton) -> Pairs {
    largest(left, right, |one, other, pairs| {
        let is_matched = |rule: Rule<'_>| {
            right
                .rules()
                .filter(|with| with.symbol == rule.symbol && with.state == other)
                .any(|with| rule.children.iter().zip(with.children).all(|(q, r)| pairs.contains(&(*q, *r))))
        };
        left.rules().filter(|rule| rule.state == one).all(is_matched)
    })
}

fn upward(left: &Automaton, right: &Automaton, siblings: &Relation) -> Pairs {
    largest(left, right, |one, other, pairs| {
        let is_matched = |rule: Rule<'_>, place: usize| {
            right.rules().filter(|with| with.symbol == rule.symbol && with.children[place] == other).any(|with| {
                let are_others_related =
                    (0..rule.children.len()).all(|other| other == place || siblings.contains(rule.children[other], with.children[other]));
                are_others_related && pairs.contains(&(rule.state, with.state))
            })
        };
        (!left.is_final(one) || right.is_final(other))
            && left.rules().all(|rule| (0..rule.children.len()).all(|place| rule.children[place] != one || is_matched(rule, place)))
    })
}

#[test]
fn simulations_are_the_largest() {
    let alphabet = alphabet();
    let symbols = alphabet.symbols();
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let (left, right) = (automaton(&mut random, symbols, 4), automaton(&mut random, symbols, 4));
        let relation = downward_simulation(&left, &right);
        assert_eq!(relation.pairs().collect::<Pairs>(), downward(&left, &right), "downward, seed {seed}");
        let above = upward_simulation(&left, &right, &relation);
        assert_eq!(above.pairs().collect::<Pairs>(), upward(&left, &right, &relation), "upward, seed {seed}");
        let equal = identity(&left);
        let above = upward_simulation(&left, &left, &equal);
        assert_eq!(above.pairs().collect::<Pairs>(), upward(&left, &left, &equal), "upward by identity, seed {seed}");
    }
}
