//! Nondeterministic bottom-up tree automata over ranked alphabets, and structure-preserving transducers; `spec/automata.md` has the
//! definitions.
//!
//! An [`Automaton`](automaton::Automaton) is made by a builder and never changed. Operations are functions that make new ones; those that may
//! take exponential time are bounded by [`Steps`](steps::Steps). Results depend on nothing but their arguments.
//!
//! ```
//! use goatherd_automata::{
//!     alphabet::Alphabet, automaton::AutomatonBuilder, inclusion::{Inclusion, Method, inclusion}, steps::Steps,
//! };
//!
//! let mut alphabet = Alphabet::new();
//! let (zero, next) = (alphabet.intern("zero", 0), alphabet.intern("next", 1));
//!
//! let mut even = AutomatonBuilder::new();
//! let (is_even, is_odd) = (even.add_state(), even.add_state());
//! even.add_rule(zero, &[], is_even);
//! even.add_rule(next, &[is_even], is_odd);
//! even.add_rule(next, &[is_odd], is_even);
//! even.accept(is_even);
//! let even = even.build();
//!
//! let mut all = AutomatonBuilder::new();
//! let any = all.add_state();
//! all.add_rule(zero, &[], any);
//! all.add_rule(next, &[any], any);
//! all.accept(any);
//! let all = all.build();
//!
//! let answer = |left, right| inclusion(left, right, Method::default(), &mut Steps::unbounded()).unwrap();
//! assert!(matches!(answer(&even, &all), Inclusion::Included(_)));
//! let Inclusion::NotIncluded(tree) = answer(&all, &even) else { unreachable!() };
//! assert_eq!(tree.display(&alphabet, 100).to_string(), "next(zero)");
//! ```

pub mod alphabet;
pub mod automaton;
pub mod determinisation;
pub mod dot;
pub mod emptiness;
pub mod enumeration;
pub mod inclusion;
pub mod index;
pub mod product;
pub mod reduction;
pub mod simulation;
pub mod steps;
pub mod subsets;
pub mod timbuk;
pub mod transducer;
pub mod tree;
pub mod trim;
pub mod tuples;
