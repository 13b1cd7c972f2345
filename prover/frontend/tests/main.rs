//! Tests of the front end, in one executable: it is linked once, and its tests run beside each other.

mod apart;
mod assumptions;
mod closed;
mod confirm;
mod diagnostics;
mod harness;
mod headers;
mod hostile;
mod library;
mod linking;
mod lower;
mod meaning;
mod models;
mod old_style;
mod orders;
mod parameters;
mod pointers;
mod positions;
mod recursion;
mod results;
mod rewriting;
mod sequencing;
mod sizes;
mod trees;
mod undefined_behavior;
mod unions;
