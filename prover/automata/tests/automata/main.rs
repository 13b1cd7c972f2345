//! Tree automata against definitions that are written down once more, as plainly as possible: on thousands of random small automata, with
//! all trees up to a height.

mod inclusion;
mod operations;
mod random;
mod simulation;
mod term;
mod timbuk;
mod transducer;
