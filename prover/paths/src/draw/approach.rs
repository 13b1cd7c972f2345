//! Inputs that drive a path, from inputs that drive only its beginning: they are changed a little as long as that leads further, or closer to where
//! the path goes on. Where a solver gives up, as on products and remainders, this may find what drives the path; it never says that nothing does.

use super::mutation::{Given, Mutation, MutationHints, compared};
use goatherd_certificates::{
    certificate::Parameters,
    program::{Location, Program},
};
use goatherd_interpreter::{Environment, Event, Machine, Question, Replay};
use goatherd_logic::values::Deadline;
use std::cmp::Reverse;

/// All runs together have so many steps, from each of the inputs that are given.
const STEPS: usize = 200_000;

/// Where random numbers begin.
const SEED: u64 = 0x6170_7072;

/// How close a run comes to a path: how many of its instructions it takes, and how far what the last branch compares is from being equal.
type Closeness = (usize, Reverse<u128>);

/// How a run along a path ends.
struct Along {
    closeness: Closeness,
    /// What it did last on the path.
    hints: MutationHints,
    /// With defaults where more was asked than given.
    choices: Vec<i128>,
}

/// What drives the path, found from one of these; a fixed number of steps is made for each, or as many as there is time for.
pub fn approach(program: &Program, parameters: Parameters, path: &[Location], start: Vec<Given>, deadline: Deadline) -> Option<Given> {
    let mut mutation = Mutation::new(program, SEED);
    start.into_iter().find_map(|given| approach_from(program, parameters, path, given, &mut mutation, deadline))
}

fn approach_from(
    program: &Program,
    parameters: Parameters,
    path: &[Location],
    mut best: Given,
    mutation: &mut Mutation<'_>,
    deadline: Deadline,
) -> Option<Given> {
    let mut along = follow(program, parameters, path, &best)?;
    let mut steps = 0;
    while along.closeness.0 < path.len() {
        if steps >= STEPS || deadline.is_over() {
            return None;
        }
        let given = mutation.change(&best, &along.hints);
        // A run counts one step more than it takes, so that there is an end of runs that do not begin.
        steps += 1;
        if let Some(next) = follow(program, parameters, path, &given) {
            steps += next.closeness.0;
            if next.closeness >= along.closeness {
                (best, along) = (given, next);
            }
        }
    }
    Some(Given { choices: along.choices, ..best })
}

/// Runs along the path until it leaves it; none where the inputs are none.
fn follow(program: &Program, parameters: Parameters, path: &[Location], given: &Given) -> Option<Along> {
    let mut machine = Machine::new(program, parameters, &given.inputs).ok()?;
    let mut answers = WithDefaults(Replay::new(&given.choices));
    let (mut taken, mut last, mut hints) = (0, None, MutationHints::default());
    while path.get(taken) == Some(&machine.location()) {
        taken += 1;
        last = compared(&machine);
        hints.see(&machine);
        if taken == path.len() || !matches!(machine.step(&mut answers), Event::Continued(_)) {
            break;
        }
    }
    let distance = last.map_or(0, |(left, right)| left.abs_diff(right));
    Some(Along { closeness: (taken, Reverse(distance)), hints, choices: machine.choices().to_vec() })
}

/// Allocations succeed, and all else is 0, where nothing is given.
struct WithDefaults<'a>(Replay<'a>);

impl Environment for WithDefaults<'_> {
    fn answer(&mut self, question: Question) -> Option<i128> {
        match question {
            // What unrelated pointers compare to is not the input's choice.
            Question::Comparison => None,
            // Fresh memory holds zeros, as in tests.
            Question::Contents { .. } => {
                self.0.answer(question);
                Some(0)
            }
            _ => self.0.answer(question).or_else(|| Some(i128::from(matches!(question, Question::Allocation { .. })))),
        }
    }
}
