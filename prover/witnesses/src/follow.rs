//! The interpreter along a witness.
//!
//! What a witness says of the values that calls return is taken as given; of the places in between nothing is asked, since whichever run fails is a failing
//! run of the program. Where it says nothing of a value, few are tried.

use crate::document::{Met, Spot, VERSION, VIOLATION_SEQUENCE, ViolationWitness, Waypoint};
use goatherd_certificates::{
    certificate::Parameters,
    program::{Instruction, Location, Program},
};
use goatherd_counterexample::{Counterexample, failing};
use goatherd_interpreter::{Environment, Event, Machine, Outcome, Question, Random, Zero};

/// One run is given up after so many steps.
const STEPS: u64 = 10_000_000;

/// So many runs are tried, with different values where the witness names none.
const RUNS: u64 = 64;

/// All runs together are given up after so many steps.
const ALL_STEPS: u64 = 40_000_000;

/// What came of a witness.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The first run that fails.
    pub failing: Option<Counterexample>,
    /// Of how many calls the witness names the value.
    pub named: usize,
    /// So many of these were made, in the run that fails or else in the first one.
    pub met: usize,
}

/// Reads a witness.
///
/// # Errors
///
/// What is wrong, with line and column where they are known.
pub fn read(text: &str) -> Result<ViolationWitness, String> {
    let entries: Vec<ViolationWitness> = serde_saphyr::from_str(text).map_err(|error| {
        let place = error.location().map(|at| format!("line {}, column {}: ", at.line(), at.column())).unwrap_or_default();
        format!("{place}no violation witness: {}", error.without_snippet())
    })?;
    let [entry] = <[_; 1]>::try_from(entries).map_err(|entries| format!("unsupported: a witness with {} entries", entries.len()))?;
    if entry.entry_type != VIOLATION_SEQUENCE {
        return Err(format!("unsupported: an entry of type {}", entry.entry_type));
    }
    if entry.metadata.format_version != VERSION {
        return Err(format!("unsupported: format version {}", entry.metadata.format_version));
    }
    Ok(entry)
}

/// Runs the program with the values that the witness names. `end_of_call` says where the call ends that an instruction is, if it is one.
///
/// # Errors
///
/// The program has inputs: a witness has no place for their values.
pub fn follow(
    program: &Program,
    parameters: Parameters,
    witness: &ViolationWitness,
    end_of_call: impl Fn(Location) -> Option<Spot>,
) -> Result<Followed, &'static str> {
    if !program.inputs.is_empty() {
        return Err("the entry function has parameters, and a witness has no place for their values");
    }
    let sites: Vec<Option<Spot>> = (0..)
        .zip(&program.instructions)
        .map(|(at, instruction)| is_value(instruction).then(|| end_of_call(Location(at))).flatten())
        .collect();
    let named: Vec<(&Spot, i128)> = witness.content.iter().flat_map(|part| &part.segment).filter_map(value).collect();
    let mut followed = Followed { failing: None, named: named.len(), met: 0 };
    let mut left = ALL_STEPS;
    for attempt in 0..RUNS {
        let mut driver = Driver { named: &named, sites: &sites, location: Location(0), others: Others::of(attempt) };
        let end = drive(program, parameters, &mut driver, &mut left);
        let met = named.len() - driver.named.len();
        if let End::Failed(choices) = &end {
            followed.failing = failing(program, parameters, Vec::new(), choices, STEPS);
        }
        if attempt == 0 || followed.failing.is_some() {
            followed.met = met;
        }
        if followed.failing.is_some() || left == 0 {
            break;
        }
    }
    Ok(followed)
}

fn is_value(instruction: &Instruction) -> bool {
    matches!(instruction, Instruction::Havoc { .. })
}

/// The call and the value that a waypoint names.
fn value(Met { waypoint }: &Met) -> Option<(&Spot, i128)> {
    let Waypoint { kind, action, constraint, location } = waypoint;
    let is_return = kind == "function_return" && action == "follow";
    let value = constraint.as_ref().filter(|_| is_return).and_then(|holds| result(&holds.value))?;
    Some((location, value))
}

/// The number that `\result` is said to equal.
fn result(expression: &str) -> Option<i128> {
    let bare: String = expression.chars().filter(|letter| !letter.is_whitespace() && !matches!(letter, '(' | ')')).collect();
    let (left, right) = bare.split_once("==")?;
    let number = if left == "\\result" { right } else { Some(left).filter(|_| right == "\\result")? };
    number.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok()
}

/// What calls return of which the witness says nothing.
enum Others {
    Zero,
    Random(Random),
}

impl Others {
    fn of(attempt: u64) -> Self {
        if attempt == 0 { Self::Zero } else { Self::Random(Random::new(attempt)) }
    }
}

struct Driver<'a> {
    /// Calls that are still to come.
    named: &'a [(&'a Spot, i128)],
    /// Where the call ends that an instruction is.
    sites: &'a [Option<Spot>],
    /// The instruction that is executed.
    location: Location,
    others: Others,
}

impl Environment for Driver<'_> {
    fn answer(&mut self, question: Question) -> Option<i128> {
        if let Question::Allocation { .. } = question {
            return Some(1);
        }
        let site = self.sites.get(self.location.index()).and_then(Option::as_ref);
        if let (Question::Havoc { .. }, Some(site), Some(((spot, value), rest))) = (question, site, self.named.split_first())
            && spot.means(site)
        {
            self.named = rest;
            let (least, most) = question.range();
            return (least..=most).contains(value).then_some(*value);
        }
        match &mut self.others {
            Others::Zero => Zero.answer(question),
            Others::Random(random) => random.answer(question),
        }
    }
}

/// How a run ended.
enum End {
    /// It failed after these choices.
    Failed(Vec<i128>),
    /// It did not, or it was given up.
    Other,
}

fn drive(program: &Program, parameters: Parameters, driver: &mut Driver<'_>, left: &mut u64) -> End {
    let Ok(mut machine) = Machine::new(program, parameters, &[]) else { return End::Other };
    for _ in 0..STEPS.min(*left) {
        *left -= 1;
        driver.location = machine.location();
        match machine.step(driver) {
            Event::Continued(_) => {}
            Event::Ended(Outcome::Failed { .. }) => return End::Failed(machine.choices().to_vec()),
            Event::Ended(_) => return End::Other,
        }
    }
    End::Other
}
