//! What drives paths, one after the other: runs on small inputs are looked through first, then a solver is asked, with little effort, and then more
//! runs are made, also some that are changed towards the path, before the solver is asked with all effort.

use super::{
    approach::approach,
    mutation::Given,
    realise::{Drive, Realised, Reason, drive, realise},
    trials::Trials,
};
use goatherd_certificates::{
    certificate::{Arithmetic, Parameters, Statement},
    program::{Location, Program},
};
use goatherd_logic::values::{Deadline, Effort, StartSolver};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

/// Looks for inputs that drive paths of one program, for each path once.
pub struct Driver<'a> {
    program: &'a Program,
    parameters: Parameters,
    solver: StartSolver,
    deadline: Cell<Deadline>,
    known: RefCell<BTreeMap<Vec<Location>, Realised>>,
    /// What little effort left open.
    open: RefCell<BTreeMap<Vec<Location>, Realised>>,
    /// None of unbounded integers: those of the interpreter wrap around.
    trials: Option<RefCell<Trials>>,
}

impl<'a> Driver<'a> {
    /// Of the statement's program, for any amount of time.
    pub fn new(statement: &'a Statement, solver: StartSolver) -> Self {
        let (program, parameters) = (&statement.program, statement.parameters);
        let has_trials = parameters.arithmetic == Arithmetic::C;
        Self {
            program,
            parameters,
            solver,
            deadline: Cell::new(Deadline::NEVER),
            known: RefCell::default(),
            open: RefCell::default(),
            trials: has_trials.then(|| RefCell::new(Trials::new(program))),
        }
    }

    /// From now on, nothing is looked for after the deadline.
    pub fn limit(&self, deadline: Deadline) {
        self.deadline.set(deadline);
    }

    /// When the time is over.
    pub fn deadline(&self) -> Deadline {
        self.deadline.get()
    }

    /// Is there no time left?
    pub fn is_over(&self) -> bool {
        self.deadline.get().is_over()
    }

    /// A run that was found otherwise, from which others may be found.
    pub fn learn(&self, path: &[Location], drive: &Drive) {
        if let Some(trials) = &self.trials {
            trials.borrow_mut().add(path, Given { inputs: drive.inputs.clone(), choices: drive.choices.clone() });
        }
    }

    /// What is known of the path, whose first instruction is the program's.
    pub fn realise(&self, path: &[Location]) -> Realised {
        match self.realise_briefly(path) {
            Realised::Unknown(Reason::Time) => Realised::Unknown(Reason::Time),
            Realised::Unknown(_) => self.remember(path, self.ask(path, Effort::Full)),
            known => known,
        }
    }

    /// The same, with little effort: what is unknown then need not be so.
    pub fn realise_briefly(&self, path: &[Location]) -> Realised {
        if let Some(known) = self.known.borrow().get(path) {
            return known.clone();
        }
        if let Some(open) = self.open.borrow().get(path) {
            return open.clone();
        }
        let found = self.find_briefly(path);
        if let Realised::Unknown(reason) = found {
            if reason != Reason::Time {
                self.open.borrow_mut().insert(path.to_vec(), found.clone());
            }
            return found;
        }
        self.remember(path, found)
    }

    fn remember(&self, path: &[Location], realised: Realised) -> Realised {
        if let Realised::Feasible(drive) = &realised {
            self.learn(path, drive);
        }
        if realised != Realised::Unknown(Reason::Time) {
            self.known.borrow_mut().insert(path.to_vec(), realised.clone());
        }
        realised
    }

    fn find_briefly(&self, path: &[Location]) -> Realised {
        let deadline = self.deadline.get();
        if self.is_over() {
            return Realised::Unknown(Reason::Time);
        }
        let Some(trials) = &self.trials else { return self.ask(path, Effort::Little) };
        trials.borrow_mut().begin(self.program, self.parameters, deadline);
        if let Some(drive) = self.trial(&trials.borrow(), path) {
            return Realised::Feasible(drive);
        }
        let realised = self.ask(path, Effort::Little);
        if !matches!(realised, Realised::Unknown(Reason::Solver | Reason::Values)) {
            return realised;
        }
        trials.borrow_mut().finish(self.program, self.parameters, deadline);
        let trials = trials.borrow();
        let approached = || self.drive(path, &approach(self.program, self.parameters, path, trials.nearest(path), deadline)?);
        self.trial(&trials, path).or_else(approached).map_or(realised, Realised::Feasible)
    }

    fn ask(&self, path: &[Location], effort: Effort) -> Realised {
        realise((self.program, self.parameters), path, self.solver, effort, self.deadline.get())
    }

    fn trial(&self, trials: &Trials, path: &[Location]) -> Option<Drive> {
        self.drive(path, trials.given(path)?)
    }

    fn drive(&self, path: &[Location], Given { inputs, choices }: &Given) -> Option<Drive> {
        drive(self.program, self.parameters, path, inputs, choices)
    }
}
