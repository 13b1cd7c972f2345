//! Runs on small inputs, by the paths that they take: where a solver gives up, as on remainders by a variable, one of them may drive the path.

use goatherd_certificates::{
    certificate::Parameters,
    program::{Input, Instruction, IntegerType, Location, Program, Type},
};
use goatherd_counterexample::{
    candidates::Candidates,
    inputs::{Drawing, Extent},
};
use goatherd_interpreter::{Environment, Event, InputShape, InputValue, Machine, Question, Random, arithmetic};
use goatherd_logic::values::Deadline;
use std::{collections::BTreeMap, ops::ControlFlow};

/// All runs together have so many steps.
const STEPS: usize = 4_000_000;

/// A run of more is given up.
const LONGEST: usize = 5_000;

/// So many paths are kept.
const PATHS: usize = 20_000;

/// How many integers a program may have as inputs for all small ones to be tried, and not only some at random.
const TRIED_ALL: usize = 3;

/// Arrays have so many elements at most, lists so many nodes.
const SIZE: usize = 6;

/// Where random inputs begin.
const SEED: u64 = 0x7472_6961;

/// What drives a run: its inputs, and what its environment chose.
type Given = (Vec<InputValue>, Vec<i128>);

/// Runs that were made.
pub struct Trials {
    /// Of each path the first run, from the smallest inputs.
    runs: BTreeMap<Vec<Location>, Given>,
}

impl Trials {
    /// A fixed number of steps, or until the time is over.
    pub fn new(program: &Program, parameters: Parameters, deadline: Deadline) -> Self {
        let mut trying = Trying { program, parameters, steps: 0, runs: BTreeMap::new() };
        match integers(program) {
            Some(kinds) => trying.run_all(&kinds, deadline),
            None => trying.run_some(deadline),
        }
        Self { runs: trying.runs }
    }

    /// Inputs and choices of a run that took this path, or began with it.
    pub fn given(&self, path: &[Location]) -> Option<&Given> {
        self.runs.range(path.to_vec()..).next().filter(|(taken, _)| taken.starts_with(path)).map(|(_, given)| given)
    }
}

/// Runs under way.
struct Trying<'a> {
    program: &'a Program,
    parameters: Parameters,
    steps: usize,
    runs: BTreeMap<Vec<Location>, Given>,
}

impl Trying<'_> {
    /// On all small integers, by the greatest of their ranks.
    fn run_all(&mut self, kinds: &[IntegerType], deadline: Deadline) {
        for greatest in 0.. {
            for ranks in tuples(kinds.len(), greatest) {
                let values = ranks.iter().zip(kinds).map(|(rank, kind)| InputShape::Whole(InputValue::Integer(ranked(*kind, *rank))));
                if self.run(&values.collect::<Vec<_>>(), &mut Succeeding).is_break() {
                    return;
                }
            }
            if deadline.is_over() {
                return;
            }
        }
    }

    /// On random small inputs.
    fn run_some(&mut self, deadline: Deadline) {
        let (program, candidates, mut random) = (self.program, Candidates::of(self.program), Random::new(SEED));
        while !deadline.is_over() {
            let extent = Extent { longest: SIZE, variety: usize::MAX, skipped: 0 };
            let mut drawing = Drawing { program, candidates: &candidates, source: &mut random, extent };
            let shapes = drawing.inputs();
            if self.run(&shapes, &mut drawing).is_break() {
                return;
            }
        }
    }

    /// Keeps a run to an end of its own, if it is the first on its path; breaks when there were enough.
    fn run(&mut self, shapes: &[InputShape], environment: &mut dyn Environment) -> ControlFlow<()> {
        // A run counts one step more than it takes, so that there is an end of runs that do not begin.
        self.steps += 1;
        if let Ok(mut machine) = Machine::draw(self.program, self.parameters, shapes) {
            let mut environment = ZeroedMemory(environment);
            let mut path = vec![machine.location()];
            while path.len() < LONGEST && matches!(machine.step(&mut environment), Event::Continued(_)) {
                path.push(machine.location());
            }
            self.steps += path.len();
            let last = self.program.instructions.get(machine.location().index());
            let has_ended = matches!(last, Some(Instruction::Halt | Instruction::Fail { .. })) && machine.comparisons().is_empty();
            if has_ended && !self.runs.contains_key(&path) {
                self.runs.insert(path, (machine.inputs(shapes), machine.choices().to_vec()));
            }
        }
        if self.steps < STEPS && self.runs.len() < PATHS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Memory that was never written holds zeros, as in tests.
struct ZeroedMemory<'a>(&'a mut dyn Environment);

impl Environment for ZeroedMemory<'_> {
    fn answer(&mut self, question: Question) -> Option<i128> {
        match question {
            Question::Contents { .. } => Some(0),
            // What unrelated pointers compare to is not the input's choice.
            Question::Comparison => None,
            _ => self.0.answer(question),
        }
    }
}

/// For programs that ask nothing but about allocations.
struct Succeeding;

impl Environment for Succeeding {
    fn answer(&mut self, question: Question) -> Option<i128> {
        Some(i128::from(matches!(question, Question::Allocation { .. })))
    }
}

/// The types of the inputs, if they are a few integers, and the environment has no choice.
fn integers(program: &Program) -> Option<Vec<IntegerType>> {
    let kind = |input: &Input| match input {
        Input::Integer { register } => match program.registers.get(register.index())?.kind {
            Type::Integer(kind) => Some(kind),
            Type::Pointer => None,
        },
        _ => None,
    };
    let is_choice = |instruction: &Instruction| {
        matches!(instruction, Instruction::Havoc { .. } | Instruction::Choose { .. } | Instruction::Allocate { .. })
    };
    let kinds: Vec<IntegerType> = program.inputs.iter().map(kind).collect::<Option<_>>()?;
    let is_small = (1..=TRIED_ALL).contains(&kinds.len()) && !program.instructions.iter().any(is_choice);
    is_small.then_some(kinds)
}

/// 0, 1, 2, .. of a type without sign, 0, -1, 1, -2, .. of others.
fn ranked(kind: IntegerType, rank: i128) -> i128 {
    let value = match (arithmetic::minimum(kind) < 0, rank % 2) {
        (false, _) => rank,
        (true, 0) => rank / 2,
        (true, _) => -(rank / 2) - 1,
    };
    arithmetic::wrap(kind, value)
}

/// The tuples of so many numbers from 0 whose greatest is this one.
fn tuples(count: usize, greatest: i128) -> impl Iterator<Item = Vec<i128>> {
    (0..count).flat_map(move |first| {
        // By position: how many numbers it may be. All before the first greatest one are less.
        let choices = move |position: usize| match position.cmp(&first) {
            std::cmp::Ordering::Less => greatest,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => greatest + 1,
        };
        let all: i128 = (0..count).map(choices).product();
        (0..all).map(move |number| {
            let mut left = number;
            let digit = |position| {
                let digit = left % choices(position);
                left /= choices(position);
                if position == first { greatest } else { digit }
            };
            (0..count).map(digit).collect()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{ranked, tuples};
    use goatherd_certificates::program::IntegerType;
    use std::collections::BTreeSet;

    #[test]
    fn each_tuple_comes_once_by_its_greatest_number() {
        for count in 1..=3 {
            let all: Vec<Vec<i128>> = (0..4).flat_map(|greatest| tuples(count, greatest)).collect();
            assert_eq!(all.len(), 4usize.pow(u32::try_from(count).unwrap()));
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
            let greatest = |tuple: &Vec<i128>| tuple.iter().max().copied();
            assert!(all.is_sorted_by_key(greatest) && all.iter().all(|tuple| tuple.len() == count));
        }
    }

    #[test]
    fn values_of_both_signs_come_in_turn() {
        assert_eq!([0, 1, 2, 3, 4].map(|rank| ranked(IntegerType::I8, rank)), [0, -1, 1, -2, 2]);
        assert_eq!([0, 1, 2, 255, 256].map(|rank| ranked(IntegerType::U8, rank)), [0, 1, 2, 255, 0]);
    }
}
