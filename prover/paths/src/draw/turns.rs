//! Ways on at branches that tests are to take, and how to come there: a run is turned the other way at one of its branches
//! (`spec/paths.md#covering`).

use super::{certified::Certified, realise::Drive};
use goatherd_certificates::{
    certificate::Parameters,
    program::{Branch, Instruction, Location, Program},
};
use goatherd_interpreter::{Environment, Event, InputValue, Machine, Question};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque},
};

/// From a branch to one of its targets.
pub type Turn = (Location, Location);

/// A run from the start to an end, and what drives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrivenRun {
    /// All its instructions.
    pub path: Vec<Location>,
    /// Inputs and choices.
    pub drive: Drive,
}

/// A run that does not come to an end of its own, by the instructions that it came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LostRun {
    /// An assumption failed.
    Ignored(Vec<Location>),
    /// Memory was misused, or it was given up.
    Failed(Vec<Location>),
}

/// Longer runs are given up.
const STEPS: usize = 5_000;

/// What each try of a turn counts, in steps to what is not covered, and what one without success does: others come first then.
const TRY: usize = 1;
const FAILURE: usize = 5;

/// The turns of a program. Where a run is ignored, as where an assumption fails, there is nothing to cover.
pub fn turns(program: &Program) -> BTreeSet<Turn> {
    let both = |(at, instruction): (u32, &Instruction)| match instruction {
        Instruction::Branch(Branch { then, otherwise, .. }) if then != otherwise => vec![(Location(at), *then), (Location(at), *otherwise)],
        _ => Vec::new(),
    };
    let is_ignored = |turn: &Turn| matches!(program.instructions.get(turn.1.index()), Some(Instruction::Ignore));
    (0..).zip(&program.instructions).flat_map(both).filter(|turn| !is_ignored(turn)).collect()
}

/// Runs the program to one of its ends, on inputs that drive the beginning of a path; what is asked beyond is 0, and allocations succeed.
/// It is lost where it does not end in time, or not at an end of its own.
pub fn run(program: &Program, parameters: Parameters, drive: &Drive) -> Result<DrivenRun, LostRun> {
    watched(program, parameters, drive, |_| {})
}

/// As [`run`]; `see` is shown the machine before each step.
pub fn watched(program: &Program, parameters: Parameters, drive: &Drive, mut see: impl FnMut(&Machine<'_>)) -> Result<DrivenRun, LostRun> {
    let Ok(mut machine) = Machine::new(program, parameters, &drive.inputs) else { return Err(LostRun::Failed(Vec::new())) };
    let mut answers = Answers { given: drive.choices.iter().copied().collect(), values: Vec::new(), allocations: Vec::new() };
    let mut path = vec![machine.location()];
    see(&machine);
    while let Event::Continued(_) = machine.step(&mut answers) {
        path.push(machine.location());
        see(&machine);
        if path.len() > STEPS {
            return Err(LostRun::Failed(path));
        }
    }
    let last = program.instructions.get(machine.location().index());
    let Answers { values, allocations, .. } = answers;
    let drive = Drive { inputs: drive.inputs.clone(), choices: machine.choices().to_vec(), values, allocations };
    match last {
        Some(Instruction::Halt | Instruction::Fail { .. }) => Ok(DrivenRun { path, drive }),
        Some(Instruction::Ignore) => Err(LostRun::Ignored(path)),
        _ => Err(LostRun::Failed(path)),
    }
}

/// Those that are given, then defaults.
struct Answers {
    given: VecDeque<i128>,
    values: Vec<i128>,
    allocations: Vec<i128>,
}

impl Environment for Answers {
    fn answer(&mut self, question: Question) -> Option<i128> {
        let mut next = |default| self.given.pop_front().unwrap_or(default);
        match question {
            Question::Havoc { .. } => {
                let value = next(0);
                self.values.push(value);
                Some(value)
            }
            Question::Allocation { .. } => {
                let answer = next(1);
                self.allocations.push(answer);
                Some(answer)
            }
            Question::Direction | Question::Element { .. } => Some(next(0)),
            // Fresh memory holds zeros, as in tests.
            Question::Contents { .. } => {
                next(0);
                Some(0)
            }
            Question::Comparison => None,
        }
    }
}

/// Where a run may be turned: the run by its number, the position of the branch, and where it then goes on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    run: usize,
    position: usize,
    target: Location,
}

/// The beginning of a run that is to be found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beginning {
    /// Its instructions, the turn at its end included.
    pub path: Vec<Location>,
    /// The inputs of the run that is turned, where these are known.
    pub inputs: Vec<InputValue>,
}

/// What runs have covered, and where they may be turned to cover more.
pub struct Covering<'a> {
    certified: &'a Certified,
    turns: BTreeSet<Turn>,
    /// Those that no complete path of the certified graph takes.
    pub dead: BTreeSet<Turn>,
    /// Those that runs take.
    pub covered: BTreeSet<Turn>,
    /// By turn: how often runs were to be turned there, in vain.
    pub failures: BTreeMap<Turn, usize>,
    runs: Vec<Beginning>,
    places: Vec<Place>,
    /// Beginnings of runs that were to be found, or are known.
    seen: BTreeSet<Vec<Location>>,
    counts: BTreeMap<Turn, usize>,
    /// By location: where steps of the certified graph come from.
    before: BTreeMap<Location, BTreeSet<Location>>,
}

impl<'a> Covering<'a> {
    /// Nothing is covered.
    pub fn new(program: &Program, certified: &'a Certified) -> Self {
        let turns = turns(program);
        let steps = certified.instruction_steps();
        let dead = turns.difference(&steps).copied().collect();
        let mut before: BTreeMap<Location, BTreeSet<Location>> = BTreeMap::new();
        for (from, to) in &steps {
            before.entry(*to).or_default().insert(*from);
        }
        Self {
            certified,
            turns,
            dead,
            covered: BTreeSet::new(),
            failures: BTreeMap::new(),
            runs: Vec::new(),
            places: Vec::new(),
            seen: BTreeSet::new(),
            counts: BTreeMap::new(),
            before,
        }
    }

    /// What is neither covered nor dead.
    pub fn open(&self) -> BTreeSet<Turn> {
        self.turns.iter().filter(|turn| !self.covered.contains(turn) && !self.dead.contains(turn)).copied().collect()
    }

    /// How many turns there are.
    pub fn count(&self) -> usize {
        self.turns.len()
    }

    /// Would a run on this path cover something new?
    pub fn needs(&self, path: &[Location]) -> bool {
        path.windows(2).map(|pair| (pair[0], pair[1])).any(|turn| self.turns.contains(&turn) && !self.covered.contains(&turn))
    }

    /// Another run. Does it cover something new?
    pub fn add(&mut self, run: &DrivenRun) -> bool {
        let path = &run.path;
        let before = self.covered.len();
        self.covered.extend(path.windows(2).map(|pair| (pair[0], pair[1])).filter(|turn| self.turns.contains(turn)));
        self.turn(path, &run.drive.inputs);
        self.covered.len() > before
    }

    /// A run that may be turned, though it covers nothing, and its inputs, where they are known.
    pub fn turn(&mut self, path: &[Location], inputs: &[InputValue]) {
        let run = self.runs.len();
        for (position, pair) in path.windows(2).enumerate() {
            let (from, to) = (pair[0], pair[1]);
            let others = self.turns.range((from, Location(0))..=(from, Location(u32::MAX))).filter(|turn| turn.1 != to);
            self.places.extend(others.map(|(_, target)| Place { run, position, target: *target }));
        }
        self.runs.push(Beginning { path: path.to_vec(), inputs: inputs.to_vec() });
    }

    /// The beginning of a run that is tried next; none when everything is covered, or nothing is left to try.
    pub fn next_beginning(&mut self) -> Option<Beginning> {
        let open = self.open();
        if open.is_empty() {
            return None;
        }
        let distances = self.distances(&open);
        let score = |place: &Place| {
            let turn = (self.runs[place.run].path[place.position], place.target);
            let distance = if open.contains(&turn) { Some(0) } else { distances.get(&place.target).map(|distance| distance + 1) };
            let failures = self.failures.get(&turn).copied().unwrap_or(0);
            let tries = self.counts.get(&turn).copied().unwrap_or(0);
            distance.map(|distance| (distance + tries * TRY + failures * FAILURE, place.position, place.run))
        };
        let scores = self.places.iter().enumerate().filter_map(|(number, place)| Some(Reverse((score(place)?, number))));
        let mut ranked: BinaryHeap<_> = scores.collect();
        let mut looked_at = BTreeSet::new();
        let mut found = None;
        while let Some(Reverse((_, number))) = ranked.pop() {
            looked_at.insert(number);
            let Place { run, position, target } = self.places[number];
            let mut path = self.runs[run].path[..=position].to_vec();
            let turn = (path[position], target);
            path.push(target);
            if !self.seen.contains(&path) && self.certified.begins(&path) {
                *self.counts.entry(turn).or_default() += 1;
                self.seen.insert(path.clone());
                found = Some(Beginning { path, inputs: self.runs[run].inputs.clone() });
                break;
            }
        }
        let mut numbers = 0..;
        self.places.retain(|_| numbers.next().is_some_and(|number| !looked_at.contains(&number)));
        found
    }

    /// The run could not be turned at the end of this beginning.
    pub fn fail(&mut self, path: &[Location]) {
        if let [.., from, to] = path {
            *self.failures.entry((*from, *to)).or_default() += 1;
        }
    }

    /// By location: how many steps there are to a branch with an open turn.
    fn distances(&self, open: &BTreeSet<Turn>) -> BTreeMap<Location, usize> {
        let mut distances: BTreeMap<Location, usize> = open.iter().map(|(from, _)| (*from, 0)).collect();
        let mut queue: VecDeque<Location> = distances.keys().copied().collect();
        while let Some(location) = queue.pop_front() {
            let distance = distances[&location] + 1;
            for from in self.before.get(&location).into_iter().flatten() {
                if !distances.contains_key(from) {
                    distances.insert(*from, distance);
                    queue.push_back(*from);
                }
            }
        }
        distances
    }
}
