//! Runs on small inputs, by the paths that they take: where a solver gives up, as on remainders by a variable, one of them may drive the path.

use super::mutation::Given;
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
use std::collections::BTreeMap;

/// All runs together have so many steps: before a solver is asked for the first time, and when it has given up.
const FIRST_STEPS: usize = 200_000;
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

/// Runs that were made, and how they go on.
pub struct Trials {
    tried: Tried,
    made: Made,
}

/// What came of runs.
#[derive(Default)]
struct Made {
    steps: usize,
    /// Of each path the first run, from the smallest inputs.
    runs: BTreeMap<Vec<Location>, Given>,
}

/// Which inputs are tried.
enum Tried {
    /// All small integers, by the greatest of their ranks, from this one on.
    All { kinds: Vec<IntegerType>, greatest: i128 },
    /// Some at random.
    Random { candidates: Candidates, random: Random },
}

impl Trials {
    /// None so far, of this program.
    pub fn new(program: &Program) -> Self {
        let tried = match integers(program) {
            Some(kinds) => Tried::All { kinds, greatest: 0 },
            None => Tried::Random { candidates: Candidates::of(program), random: Random::new(SEED) },
        };
        Self { tried, made: Made::default() }
    }

    /// A small number of steps, the first time; or until the time is over.
    pub fn begin(&mut self, program: &Program, parameters: Parameters, deadline: Deadline) {
        self.run_to(FIRST_STEPS, (program, parameters), deadline);
    }

    /// A fixed number of steps in all, or until the time is over.
    pub fn finish(&mut self, program: &Program, parameters: Parameters, deadline: Deadline) {
        self.run_to(STEPS, (program, parameters), deadline);
    }

    /// What drives a run that took this path, or began with it.
    pub fn given(&self, path: &[Location]) -> Option<&Given> {
        self.made.runs.range(path.to_vec()..).next().filter(|(taken, _)| taken.starts_with(path)).map(|(_, given)| given)
    }

    /// What drives the runs that come before and behind the path in the order of paths: none takes more of its beginning.
    pub fn nearest(&self, path: &[Location]) -> Vec<Given> {
        let before = self.made.runs.range(..path.to_vec()).next_back();
        let behind = self.made.runs.range(path.to_vec()..).next();
        before.into_iter().chain(behind).map(|(_, given)| given.clone()).collect()
    }

    /// A run that was found otherwise.
    pub fn add(&mut self, path: &[Location], given: Given) {
        self.made.runs.entry(path.to_vec()).or_insert(given);
    }

    fn run_to(&mut self, steps: usize, (program, parameters): (&Program, Parameters), deadline: Deadline) {
        let Self { tried, made } = self;
        while made.steps < steps && made.runs.len() < PATHS && !deadline.is_over() {
            match tried {
                Tried::All { kinds, greatest } => {
                    for ranks in tuples(kinds.len(), *greatest) {
                        let values = ranks.iter().zip(&*kinds).map(|(rank, kind)| ranked(*kind, *rank));
                        let shapes: Vec<_> = values.map(|value| InputShape::Whole(InputValue::Integer(value))).collect();
                        made.run((program, parameters), &shapes, &mut Succeeding);
                    }
                    *greatest += 1;
                }
                Tried::Random { candidates, random } => {
                    let extent = Extent { longest: SIZE, variety: usize::MAX, skipped: 0 };
                    let mut drawing = Drawing { program, candidates, source: random, extent };
                    let shapes = drawing.inputs();
                    made.run((program, parameters), &shapes, &mut drawing);
                }
            }
        }
    }
}

impl Made {
    /// Keeps a run to an end of its own, if it is the first on its path.
    fn run(&mut self, (program, parameters): (&Program, Parameters), shapes: &[InputShape], environment: &mut dyn Environment) {
        // A run counts one step more than it takes, so that there is an end of runs that do not begin.
        self.steps += 1;
        if let Ok(mut machine) = Machine::draw(program, parameters, shapes) {
            let mut environment = ZeroedMemory(environment);
            let mut path = vec![machine.location()];
            while path.len() < LONGEST && matches!(machine.step(&mut environment), Event::Continued(_)) {
                path.push(machine.location());
            }
            self.steps += path.len();
            let last = program.instructions.get(machine.location().index());
            let has_ended = matches!(last, Some(Instruction::Halt | Instruction::Fail { .. })) && machine.comparisons().is_empty();
            if has_ended && !self.runs.contains_key(&path) {
                self.runs.insert(path, Given { inputs: machine.inputs(shapes), choices: machine.choices().to_vec() });
            }
        }
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
