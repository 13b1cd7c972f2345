//! Arrays of constant length: a proof for any length is one for theirs (`spec/program.md#sizes`).

use crate::{
    certify::Fault,
    prove::{Answer, Aside, Effort, prove},
    task::Task,
};
use goatherd_descent::Progress;
use goatherd_frontend::{
    lower::{Demands, Lowered, Sizes, lower_with},
    source::{Options, Unit},
};
use goatherd_logic::Solver;

/// A program that does all that another one does, with any length in the place of constant ones, and more.
#[derive(Debug)]
pub struct AnySize {
    /// What the file was lowered to.
    pub lowered: Lowered,
    /// What is to be proved of it.
    pub task: Task,
}

impl AnySize {
    /// Of the file that was read with these options and, under these demands, lowered to the task's program; none where that has no such arrays.
    #[must_use]
    pub fn of(unit: &Unit, reading: &Options, demands: &Demands, task: &Task) -> Option<Self> {
        let demands = Demands { sizes: Sizes::Any, ..demands.clone() };
        let lowered = lower_with(unit, &reading.entry, &demands).ok().filter(|lowered| lowered.program != task.program)?;
        let task = Task::new(unit, lowered.clone(), reading, task.parameters);
        Some(Self { lowered, task })
    }
}

/// Decides a task: where a few steps do not, by a proof of the other program, and else with all steps. An execution of the other program that fails is
/// none of the task's.
///
/// # Errors
///
/// As [`prove`].
pub fn decide(
    task: &Task,
    any_size: Option<&AnySize>,
    effort: &Effort,
    (solver, progress): (&Solver, &Progress),
    aside: &mut dyn Aside,
) -> Result<(Answer, Sizes), Fault> {
    if let Some(any_size) = any_size {
        let soon = |task: &Task| prove(task, &effort.brief(), solver, progress, &mut ());
        let answer = soon(task)?;
        if !matches!(answer, Answer::Unknown { .. }) {
            return Ok((answer, Sizes::Exact));
        }
        let answer = soon(&any_size.task)?;
        if matches!(answer, Answer::Proved { .. }) {
            return Ok((answer, Sizes::Any));
        }
    }
    prove(task, effort, solver, progress, aside).map(|answer| (answer, Sizes::Exact))
}
