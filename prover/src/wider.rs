//! Programs that fail wherever the one of the file does: a proof for these is one for it (`spec/program.md#sizes`, `spec/program.md#arrays-apart`).

use crate::{
    certify::Fault,
    prove::{Answer, Aside, Effort, prove, refute},
    task::Task,
};
use goatherd_descent::{Progress, Strategy, Stuck};
use goatherd_frontend::{
    lower::{Arrays, Demands, Lowered, Sizes, lower_with},
    source::{Options, Unit},
};
use goatherd_logic::Solver;

/// A program that fails wherever another one does, and perhaps elsewhere.
#[derive(Clone, Debug)]
pub struct Wider {
    /// What the file was lowered to.
    pub lowered: Lowered,
    /// What is to be proved of it.
    pub task: Task,
    /// Where its arrays are that are members of structs.
    arrays: Arrays,
}

impl Wider {
    /// Those of the file that was read with these options and, under these demands, lowered to the task's program.
    #[must_use]
    pub fn of(unit: &Unit, reading: &Options, demands: &Demands, task: &Task) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        let apart =
            [(Arrays::Apart, Sizes::Any), (Arrays::Apart, Sizes::Exact)].into_iter().filter(|_| Arrays::may_be_apart(&task.program));
        for (arrays, sizes) in apart.chain([(Arrays::Inside, Sizes::Any)]) {
            let demands = Demands { arrays, sizes, ..demands.clone() };
            let Ok(lowered) = lower_with(unit, &reading.entry, &demands) else { continue };
            let is_new = lowered.program != task.program && found.iter().all(|other| lowered.program != other.task.program);
            if is_new {
                let arrays = Arrays::of(&lowered.program);
                let task = Task::new(unit, lowered.clone(), reading, task.parameters);
                found.push(Self { lowered, task, arrays });
            }
        }
        found
    }
}

/// Tells of a search that is over soon: there is no time for anything else.
struct Beside<'a> {
    /// The program, if it is not the task's own.
    program: Option<&'a Lowered>,
    aside: &'a mut dyn Aside,
}

impl Aside for Beside<'_> {
    fn undecided(&mut self, _: Option<&Lowered>, attempts: &[(Strategy, Stuck)]) {
        self.aside.undecided(self.program, attempts);
    }

    fn pause(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// Decides a task: where a few runs and a few steps do not, by a proof of one of the other programs, and else with all steps. An execution of another
/// program that fails is none of the task's. Where arrays can be apart, the first program in which they are comes before the task's own: there indices are
/// not told apart, which is much less to search.
///
/// # Errors
///
/// As [`prove`].
pub fn decide<'a>(
    task: &Task,
    wider: &'a [Wider],
    effort: &Effort,
    (solver, progress): (&Solver, &Progress),
    aside: &mut dyn Aside,
) -> Result<(Answer, Option<&'a Wider>), Fault> {
    if !wider.is_empty()
        && let Some(answer) = refute(task, effort.runs[0], progress)?
    {
        return Ok((answer, None));
    }
    let mut programs: Vec<Option<&Wider>> = wider.iter().map(Some).collect();
    if let Some(first) = wider.first() {
        programs.insert(usize::from(first.arrays == Arrays::Apart), None);
    }
    for program in programs {
        let mut beside = Beside { program: program.map(|program| &program.lowered), aside: &mut *aside };
        let soon = prove(program.map_or(task, |program| &program.task), &effort.brief(), solver, progress, &mut beside)?;
        match (soon, program) {
            (answer @ Answer::Proved { .. }, _) => return Ok((answer, program)),
            (answer, None) if !matches!(answer, Answer::Unknown { .. }) => return Ok((answer, None)),
            _ => {}
        }
    }
    prove(task, effort, solver, progress, aside).map(|answer| (answer, None))
}
