//! Tests of the commands, in one executable: it is linked once, and its tests run beside each other.

mod audit;
mod automata_command;
mod batch;
mod certify;
mod ci;
mod command;
mod compare;
mod compilers;
mod counterexample;
mod draw_command;
mod encoding;
mod failures;
mod ground;
mod linked_paths;
mod linking;
mod paths;
mod programs;
mod rerun;
mod sample;
mod schemas;
mod tasks;
mod test_command;
mod trees;
mod undecided;
mod validation;
mod witnesses;
