//! Structure-preserving tree transducers: relations between trees of the same shape.
//!
//! A pair of trees of the same shape is *overlaid* to one tree whose labels are pairs of symbols of the same rank; a transducer is an
//! automaton that accepts overlaid trees (Bouajjani, Habermehl, Rogalewicz, Vojnar, *Abstract regular tree model checking*, 2006).

use crate::{
    alphabet::Symbol,
    automaton::{Automaton, AutomatonBuilder, Rule, State},
    product::{Matching, Product, product},
    tree::Tree,
};
use std::collections::BTreeMap;

/// The symbols of overlaid trees: pairs of symbols of the same rank, interned.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Overlay {
    pairs: Vec<(Symbol, Symbol)>,
    symbols: BTreeMap<(Symbol, Symbol), Symbol>,
}

impl Overlay {
    /// Without pairs.
    pub fn new() -> Self {
        Self::default()
    }

    /// The symbol of a pair, which is added if it is new.
    ///
    /// # Panics
    /// Where the ranks differ.
    pub fn intern(&mut self, input: Symbol, output: Symbol) -> Symbol {
        assert_eq!(input.rank(), output.rank(), "overlaid symbols have the same rank");
        let Self { pairs, symbols } = self;
        *symbols.entry((input, output)).or_insert_with(|| {
            pairs.push((input, output));
            Symbol::new(pairs.len() - 1, input.rank())
        })
    }

    /// The symbol of a pair, if it is there.
    pub fn find(&self, input: Symbol, output: Symbol) -> Option<Symbol> {
        self.symbols.get(&(input, output)).copied()
    }

    /// The pair that a symbol stands for.
    pub fn pair(&self, symbol: Symbol) -> (Symbol, Symbol) {
        self.pairs[symbol.index()]
    }

    /// All pairs, in order of their symbols.
    pub fn pairs(&self) -> &[(Symbol, Symbol)] {
        &self.pairs
    }
}

/// A structure-preserving transducer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transducer {
    overlay: Overlay,
    automaton: Automaton,
}

impl Transducer {
    /// The transducer whose overlaid trees this automaton accepts.
    pub fn new(overlay: Overlay, automaton: Automaton) -> Self {
        Self { overlay, automaton }
    }

    /// Relates each tree of the language to itself.
    pub fn identity(language: &Automaton) -> Self {
        let mut overlay = Overlay::new();
        let mut builder = AutomatonBuilder::with_states(language.state_count());
        for Rule { symbol, children, state } in language.rules() {
            builder.add_rule(overlay.intern(symbol, symbol), children, state);
        }
        language.final_states().for_each(|state| builder.accept(state));
        Self::new(overlay, builder.build())
    }

    /// What the symbols of the automaton stand for.
    pub fn overlay(&self) -> &Overlay {
        &self.overlay
    }

    /// The automaton of the overlaid trees.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The transducer with input and output exchanged.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut overlay = Overlay::new();
        // The same order of pairs gives the same numbers, and the rules stay as they are.
        for (input, output) in &self.overlay.pairs {
            overlay.intern(*output, *input);
        }
        Self { overlay, automaton: self.automaton.clone() }
    }

    /// The automaton of all inputs.
    pub fn domain(&self) -> Automaton {
        self.automaton.relabelled(|symbol| self.overlay.pair(symbol).0)
    }

    /// The automaton of all outputs.
    pub fn range(&self) -> Automaton {
        self.automaton.relabelled(|symbol| self.overlay.pair(symbol).1)
    }

    /// The trees that trees of the language are related to. A state is a pair of one of the transducer and one of the language.
    pub fn image(&self, language: &Automaton) -> Product {
        product(&self.automaton, language, &mut Application { overlay: &self.overlay, from: Side::Input })
    }

    /// The trees that are related to trees of the language. A state is a pair of one of the transducer and one of the language.
    pub fn inverse_image(&self, language: &Automaton) -> Product {
        product(&self.automaton, language, &mut Application { overlay: &self.overlay, from: Side::Output })
    }

    /// First this transducer, then the next one.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let mut composition = Composition { first: &self.overlay, second: &next.overlay, result: Overlay::new() };
        let automaton = product(&self.automaton, &next.automaton, &mut composition).automaton;
        Self { overlay: composition.result, automaton }
    }

    /// The pairs that one of the two relates.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut overlay = self.overlay.clone();
        let symbols: Vec<Symbol> = other.overlay.pairs.iter().map(|(input, output)| overlay.intern(*input, *output)).collect();
        let renamed = other.automaton.relabelled(|symbol| symbols[symbol.index()]);
        let automaton = crate::product::union(&self.automaton, &renamed);
        Self { overlay, automaton }
    }

    /// Are the two trees related?
    pub fn relates(&self, input: &Tree, output: &Tree) -> bool {
        input.overlaid(output, |one, other| self.overlay.find(one, other)).is_some_and(|tree| tree.is_accepted_by(&self.automaton))
    }
}

/// Which component of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Input,
    Output,
}

/// Applies a transducer, on the left, to a language.
struct Application<'a> {
    overlay: &'a Overlay,
    from: Side,
}

impl Matching for Application<'_> {
    fn left(&self, symbol: Symbol) -> Symbol {
        let (input, output) = self.overlay.pair(symbol);
        if self.from == Side::Input { input } else { output }
    }

    fn right(&self, symbol: Symbol) -> Symbol {
        symbol
    }

    fn combined(&mut self, left: Symbol, _right: Symbol) -> Symbol {
        let (input, output) = self.overlay.pair(left);
        if self.from == Side::Input { output } else { input }
    }
}

/// Composes two transducers.
struct Composition<'a> {
    first: &'a Overlay,
    second: &'a Overlay,
    result: Overlay,
}

impl Matching for Composition<'_> {
    fn left(&self, symbol: Symbol) -> Symbol {
        self.first.pair(symbol).1
    }

    fn right(&self, symbol: Symbol) -> Symbol {
        self.second.pair(symbol).0
    }

    fn combined(&mut self, left: Symbol, right: Symbol) -> Symbol {
        self.result.intern(self.first.pair(left).0, self.second.pair(right).1)
    }
}

/// Collects the rules of a transducer.
#[derive(Clone, Default, Debug)]
pub struct TransducerBuilder {
    overlay: Overlay,
    builder: AutomatonBuilder,
}

impl TransducerBuilder {
    /// Without states.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a state.
    pub fn add_state(&mut self) -> State {
        self.builder.add_state()
    }

    /// Adds the rule that reads `input`, writes `output` and reaches `state` from `children`.
    ///
    /// # Panics
    /// Where the ranks differ, or the number of children is not the rank.
    pub fn add_rule(&mut self, input: Symbol, output: Symbol, children: &[State], state: State) {
        let symbol = self.overlay.intern(input, output);
        self.builder.add_rule(symbol, children, state);
    }

    /// Makes a state final.
    pub fn accept(&mut self, state: State) {
        self.builder.accept(state);
    }

    /// The transducer.
    pub fn build(self) -> Transducer {
        Transducer { overlay: self.overlay, automaton: self.builder.build() }
    }
}
