//! Tests of what the crates do together, in one executable: it is linked once, and its tests run beside each other.

mod archive;
mod conformance;
mod counterexamples;
mod differential;
mod examples;
mod figures;
mod forged;
mod heaps;
mod house;
mod kernel_changes;
mod models;
mod mutants;
mod numbering;
mod path_runs;
mod paths;
mod random_heaps;
mod random_twins;
mod rules;
mod runs;
mod scale;
mod small_inputs;
mod terms;
mod trees;
mod vectors;
