//! What finds values for inputs: told of literals one after the other, and asked whether they can hold together.

use goatherd_certificates::{
    program::Program,
    term::{ArrayId, LinearId, Literal},
};
use goatherd_checker::Arena;
use std::time::{Duration, Instant};

/// What a solver says of all literals that it was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Satisfiable {
    /// Values were found.
    Yes,
    /// There are none.
    No,
    /// It gave up, or the time was over.
    Unknown,
}

/// When the time is over, where it is limited.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// There is any amount of time.
    pub const NEVER: Self = Self(None);

    /// So much time after the start; without a limit, never.
    pub fn after(start: Instant, limit: Option<Duration>) -> Self {
        Self(limit.and_then(|limit| start.checked_add(limit)))
    }

    /// Is there no time left?
    pub fn is_over(self) -> bool {
        self.left() == Some(Duration::ZERO)
    }

    /// The time that is left; none where it is not limited.
    pub fn left(self) -> Option<Duration> {
        self.0.map(|end| end.saturating_duration_since(Instant::now()))
    }
}

/// Finds values for the variables of terms. Operations mean what the kernel says that they mean.
pub trait ValueSolver {
    /// From here on, what is assumed can be taken back.
    fn push(&mut self);
    /// Takes back what was assumed since the last push that was not taken back.
    fn pop(&mut self);
    /// Adds literals. False where one has no translation.
    fn assume(&mut self, arena: &Arena, literals: &[Literal]) -> bool;
    /// Can all hold together?
    fn check(&mut self) -> Satisfiable;
    /// The value of the term, after values were found.
    fn integer(&mut self, arena: &Arena, term: LinearId) -> Option<i128>;
    /// The value of the element of the array, after values were found.
    fn element(&mut self, arena: &Arena, array: ArrayId, index: i128) -> Option<i128>;
}

/// How a solver sees integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// As mathematical integers: quick where sums and comparisons decide.
    Integers,
    /// As words of bits: for products and operations on bits. Not for unbounded integers.
    Words,
}

/// What a question may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// So little that many paths can be tried, and other means after it.
    Little,
    /// All that the solver is given for one question.
    Full,
}

/// Starts a solver for a program, which answers nothing any more when the time is over. It is handed over, not called by name: see
/// [`AskZ3`](crate::solver::AskZ3).
pub type StartSolver = fn(&Program, Encoding, Effort, Deadline) -> Box<dyn ValueSolver>;

#[cfg(test)]
mod tests {
    use super::Deadline;
    use std::time::{Duration, Instant};

    #[test]
    fn time_is_over_after_the_limit_only() {
        let now = Instant::now();
        assert!(!Deadline::NEVER.is_over() && !Deadline::after(now, None).is_over());
        assert!(Deadline::after(now, Some(Duration::ZERO)).is_over());
        let hour = Deadline::after(now, Some(Duration::from_hours(1)));
        assert!(!hour.is_over() && hour.left().is_some_and(|left| left > Duration::from_mins(50)));
        // What no clock shows is no limit.
        assert_eq!(Deadline::after(now, Some(Duration::MAX)), Deadline::NEVER);
    }
}
