//! Tree models, and what shows a claim about one (`spec/calculus.md#tree-models`).
//!
//! A configuration is a line and a tree over a ranked alphabet. Sets of trees are nondeterministic bottom-up automata; transducers relate
//! trees of one shape and are automata over pairs of symbols.

use crate::{
    certificate::{Claim, Limits, Origin},
    decode::{enumerations, identifiers, structures},
};
use alloc::{string::String, vec::Vec};

identifiers! {
    /// A symbol: position in [`Model::alphabet`].
    SymbolId,
    /// A line: position in [`Model::lines`].
    LineId,
    /// A state of the automaton at hand. Nothing lists the states.
    StateId,
}

structures! {
    /// A symbol of the alphabet.
    pub struct Symbol {
        /// For people.
        pub name: String,
        /// How many children a node with this symbol has.
        pub rank: u32,
    }

    /// A transition: where the children are in these states, a node with this letter is in the target.
    #[derive(PartialOrd, Ord)]
    pub struct Transition<Letter> {
        /// A symbol, or a pair of symbols of one rank: input and output.
        pub letter: Letter,
        /// As many as the rank.
        pub children: Vec<StateId>,
        /// The state of the node.
        pub target: StateId,
    }

    /// A set of trees: those whose root can be in an accepting state.
    #[derive(Default)]
    pub struct Automaton<Letter = SymbolId> {
        /// In any order.
        pub transitions: Vec<Transition<Letter>>,
        /// In any order.
        pub accepting: Vec<StateId>,
    }
}

/// A relation between trees of one shape: pairs whose overlay the automaton accepts.
pub type Transducer = Automaton<(SymbolId, SymbolId)>;

structures! {
    /// A way from one line to another.
    pub struct Action {
        /// For people.
        pub name: String,
        /// What it does to the tree.
        pub transducer: Transducer,
        /// Where it leads.
        pub next: LineId,
    }

    /// A line of a model.
    pub struct Line {
        /// For people.
        pub name: String,
        /// Its actions.
        pub actions: Vec<Action>,
        /// Bad at this line: the trees that must not be reached here.
        pub bad: Automaton,
    }

    /// A tree model (Holík and Rogalewicz, Def. 1). Its first line is where it starts.
    pub struct Model {
        /// The ranked alphabet.
        pub alphabet: Vec<Symbol>,
        /// Init: the trees at the first line at the start.
        pub initial: Automaton,
        /// At least one.
        pub lines: Vec<Line>,
    }

    /// What every tree that brings a product of automata to a state also does in another automaton: reach all of a set of states.
    pub struct Cover {
        /// The state of the source, left side of the product.
        pub source: StateId,
        /// The state of the transducer, right side of the product.
        pub transducer: StateId,
        /// Ascending states of the target.
        pub targets: Vec<StateId>,
    }
}

enumerations! {
    /// What shows a claim about a model.
    pub enum ModelEvidence {
        /// Of `Invariant`.
        Invariant {
            /// A configuration set per line.
            lines: Vec<Automaton>,
            /// One list per inclusion: of Init; then, per line, of no bad tree and of the image under each action.
            covers: Vec<Vec<Cover>>,
        },
        /// Of `Unsafe`: a run to a bad configuration.
        Trace {
            /// The initial tree: its symbols, children before their parent.
            tree: Vec<SymbolId>,
            /// Per step the position of the action in its line, and the next tree.
            steps: Vec<(u32, Vec<SymbolId>)>,
        },
    }
}

structures! {
    /// A certificate whose subject is a tree model. Its statement is the claim, the origin and the model.
    pub struct ModelCertificate {
        /// Declared limits.
        pub limits: Limits,
        /// What is claimed: `Invariant` or `Unsafe`.
        pub claim: Claim,
        /// Where the model came from.
        pub origin: Origin,
        /// The model.
        pub model: Model,
        /// What shows the claim.
        pub evidence: ModelEvidence,
    }
}
