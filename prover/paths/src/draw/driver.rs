//! What drives paths, one after the other: a solver is asked, and runs on small inputs are looked through where it gives up.

use super::{
    realise::{Drive, Realised, Reason, drive, realise},
    trials::Trials,
};
use goatherd_certificates::{
    certificate::{Arithmetic, Parameters, Statement},
    program::{Location, Program},
};
use goatherd_logic::values::{Deadline, StartSolver};
use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::BTreeMap,
};

/// Looks for inputs that drive paths of one program, for each path once.
pub struct Driver<'a> {
    program: &'a Program,
    parameters: Parameters,
    solver: StartSolver,
    deadline: Cell<Deadline>,
    known: RefCell<BTreeMap<Vec<Location>, Realised>>,
    /// From the first path on of which the solver knew nothing.
    trials: OnceCell<Trials>,
}

impl<'a> Driver<'a> {
    /// Of the statement's program, for any amount of time.
    pub fn new(statement: &'a Statement, solver: StartSolver) -> Self {
        Self {
            program: &statement.program,
            parameters: statement.parameters,
            solver,
            deadline: Cell::new(Deadline::NEVER),
            known: RefCell::default(),
            trials: OnceCell::new(),
        }
    }

    /// From now on, nothing is looked for after the deadline.
    pub fn limit(&self, deadline: Deadline) {
        self.deadline.set(deadline);
    }

    /// Is there no time left?
    pub fn is_over(&self) -> bool {
        self.deadline.get().is_over()
    }

    /// What is known of the path, whose first instruction is the program's.
    pub fn realise(&self, path: &[Location]) -> Realised {
        if let Some(known) = self.known.borrow().get(path) {
            return known.clone();
        }
        let realised = self.find(path);
        if realised != Realised::Unknown(Reason::Time) {
            self.known.borrow_mut().insert(path.to_vec(), realised.clone());
        }
        realised
    }

    fn find(&self, path: &[Location]) -> Realised {
        if self.is_over() {
            return Realised::Unknown(Reason::Time);
        }
        if let Some(drive) = self.trials.get().and_then(|trials| self.trial(trials, path)) {
            return Realised::Feasible(drive);
        }
        let trial = || match (self.trials.get(), self.is_over(), self.parameters.arithmetic) {
            // Unbounded integers do not wrap around, and those of the interpreter do.
            (None, false, Arithmetic::C) => {
                let trials = self.trials.get_or_init(|| Trials::new(self.program, self.parameters, self.deadline.get()));
                self.trial(trials, path)
            }
            _ => None,
        };
        realise((self.program, self.parameters), path, self.solver, self.deadline.get(), trial)
    }

    fn trial(&self, trials: &Trials, path: &[Location]) -> Option<Drive> {
        let (inputs, choices) = trials.given(path)?;
        drive(self.program, self.parameters, path, inputs, choices)
    }
}
