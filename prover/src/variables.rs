//! Variables of recursive functions that the program form keeps on its heap.

use goatherd_certificates::program::{Allocate, Instruction, Program};
use goatherd_counterexample::Counterexample;
use goatherd_frontend::lower::variables_on_heap;

/// The run as the source has it, for the writer of C files: without the allocations that make room for variables, and with what was chosen for all others.
pub fn without_allocations(program: &Program, counterexample: &Counterexample) -> Counterexample {
    let variables = variables_on_heap(program);
    let mut run = counterexample.clone();
    (run.choices, run.trace) = (Vec::new(), Vec::new());
    let mut later = counterexample.choices.as_slice();
    for entry in &counterexample.trace {
        let (chosen, rest) = later.split_at(entry.choices.min(later.len()));
        later = rest;
        let is_of_variable = match program.instructions.get(entry.location.index()) {
            Some(Instruction::Allocate(Allocate { object, .. })) => variables.contains(object),
            _ => false,
        };
        if !is_of_variable {
            run.choices.extend(chosen);
            run.trace.push(*entry);
        }
    }
    run
}
