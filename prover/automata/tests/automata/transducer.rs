//! Transducers against the relation between all pairs of trees up to a height.

use crate::{
    random::{Random, alphabet, automaton, transducer},
    term::{Term, terms},
};
use goatherd_automata::{alphabet::Symbol, automaton::State, transducer::Transducer};
use std::collections::BTreeSet;

/// The states that a pair of trees of one shape reaches, by definition.
fn reached(transducer: &Transducer, input: &Term, output: &Term) -> BTreeSet<State> {
    let children: Vec<BTreeSet<State>> = input.1.iter().zip(&output.1).map(|(one, other)| reached(transducer, one, other)).collect();
    let fits = |states: &[State]| states.iter().zip(&children).all(|(state, reached)| reached.contains(state));
    let is_read = |symbol: Symbol| transducer.overlay().pair(symbol) == (input.0, output.0);
    transducer.automaton().rules().filter(|rule| is_read(rule.symbol) && fits(rule.children)).map(|rule| rule.state).collect()
}

fn relates(transducer: &Transducer, input: &Term, output: &Term) -> bool {
    input.has_shape_of(output) && reached(transducer, input, output).iter().any(|state| transducer.automaton().is_final(*state))
}

#[test]
fn transducers_relate_what_they_should() {
    let alphabet = alphabet();
    let symbols = alphabet.symbols();
    let all = terms(symbols, 3);
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let (first, second) = (transducer(&mut random, symbols, 2), transducer(&mut random, symbols, 2));
        let language = automaton(&mut random, symbols, 3);
        let image = first.image(&language).automaton;
        let inverse_image = first.inverse_image(&language).automaton;
        let both = first.then(&second);
        let either = first.union(&second);
        let inverse = first.inverse();
        let (domain, range) = (first.domain(), first.range());
        let identity = Transducer::identity(&language);
        for tree in &all {
            let same_shape: Vec<&Term> = all.iter().filter(|other| other.has_shape_of(tree)).collect();
            let some = |holds: &dyn Fn(&Term) -> bool| same_shape.iter().any(|other| holds(other));
            assert_eq!(tree.is_accepted(&image), some(&|input| input.is_accepted(&language) && relates(&first, input, tree)), "{seed}");
            assert_eq!(
                tree.is_accepted(&inverse_image),
                some(&|output| output.is_accepted(&language) && relates(&first, tree, output)),
                "{seed}"
            );
            assert_eq!(tree.is_accepted(&domain), some(&|output| relates(&first, tree, output)), "{seed}");
            assert_eq!(tree.is_accepted(&range), some(&|input| relates(&first, input, tree)), "{seed}");
            for other in same_shape.iter().copied() {
                let is_related = relates(&first, tree, other);
                assert_eq!(first.relates(&tree.tree(), &other.tree()), is_related, "{seed}");
                assert_eq!(relates(&inverse, other, tree), is_related, "{seed}");
                assert_eq!(relates(&either, tree, other), is_related || relates(&second, tree, other), "{seed}");
                assert_eq!(relates(&identity, tree, other), tree == other && tree.is_accepted(&language), "{seed}");
                let composed = some(&|middle| relates(&first, tree, middle) && relates(&second, middle, other));
                assert_eq!(relates(&both, tree, other), composed, "{seed}");
            }
        }
        let foreign = all.iter().find(|other| !other.has_shape_of(&all[0])).unwrap();
        assert!(!first.relates(&all[0].tree(), &foreign.tree()));
    }
}
