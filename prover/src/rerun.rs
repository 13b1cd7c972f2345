//! A failing run as its C file runs it again: C code makes fewer choices than the program form.
//!
//! The program form keeps variables of recursive functions on its heap, and takes any value where it does not know what C has: of a volatile object, of
//! `errno`, of what `scanf` reads. What is left are the calls of `__VERIFIER_nondet_int` and its like, the allocations, and the models that stand for
//! functions of the library in the C file as well.

use crate::approximation::dependence;
use goatherd_certificates::program::{Allocate, Instruction, Location, ObjectId, Program};
use goatherd_counterexample::Counterexample;
use goatherd_frontend::{
    lower::{Lowered, variables_on_heap},
    models::DrawingModel,
    source::Unit,
};
use goatherd_interpreter::TraceEntry;
use std::collections::BTreeSet;

/// What the C file makes of a failing run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rerun {
    /// The run with the choices that are made again.
    pub run: Counterexample,
    /// The models of the library's functions that make some of them, each once.
    pub models: Vec<DrawingModel>,
    /// Where the run depends on a value that nothing in the C file gives again.
    pub beyond: Option<Location>,
}

impl Rerun {
    /// Of a run of the program that a source was lowered to.
    pub fn new(unit: &Unit, lowered: &Lowered, counterexample: &Counterexample) -> Self {
        let sites = Sites { unit, lowered, variables: variables_on_heap(&lowered.program) };
        let program = &lowered.program;
        let mut run = counterexample.clone();
        (run.choices, run.trace) = (Vec::new(), Vec::new());
        let (mut models, mut lost) = (BTreeSet::new(), BTreeSet::new());
        let (mut later, mut unset) = (counterexample.choices.as_slice(), None);
        for entry in &counterexample.trace {
            let (chosen, rest) = later.split_at(entry.choices.min(later.len()));
            later = rest;
            models.extend(sites.model(entry.location));
            // The C file is built so that variables hold zeros at first, and what the run may do without is a zero already.
            if is_variable(program, entry.location) && chosen.iter().any(|value| *value != 0) {
                unset = unset.or(Some(entry.location));
            }
            if sites.is_kept(entry) {
                run.choices.extend(chosen);
                run.trace.push(*entry);
            } else if is_havoc(program, entry.location) && !lowered.approximate.contains(&entry.location) {
                lost.insert(entry.location);
            }
        }
        let beyond = dependence(program, &lost, &counterexample.trace).or(unset);
        Self { run, models: models.into_iter().collect(), beyond }
    }
}

/// Where the instructions of a program come from.
struct Sites<'a> {
    unit: &'a Unit,
    lowered: &'a Lowered,
    variables: Vec<ObjectId>,
}

impl Sites<'_> {
    /// The model, among those that the C file has as well, in which the instruction stands.
    fn model(&self, location: Location) -> Option<DrawingModel> {
        let file = self.lowered.positions.get(location.index())?.file;
        let name = self.lowered.files.get(usize::try_from(file).ok()?)?;
        DrawingModel::of(name).filter(|_| self.unit.is_model_file(file))
    }

    /// Does the C file do this as well, if it chooses something?
    fn is_kept(&self, entry: &TraceEntry) -> bool {
        let location = entry.location;
        match self.lowered.program.instructions.get(location.index()) {
            Some(Instruction::Allocate(Allocate { object, .. })) => !self.variables.contains(object),
            Some(Instruction::Havoc { .. }) => self.lowered.callees.contains_key(&location) || self.model(location).is_some(),
            _ => true,
        }
    }
}

/// Does a variable in memory come to be there?
fn is_variable(program: &Program, location: Location) -> bool {
    matches!(program.instructions.get(location.index()), Some(Instruction::Enter { .. }))
}

fn is_havoc(program: &Program, location: Location) -> bool {
    matches!(program.instructions.get(location.index()), Some(Instruction::Havoc { .. }))
}
