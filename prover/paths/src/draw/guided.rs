//! Runs that are changed a little, again and again, from those that came to something new: so they get far into loops and machines of states, and
//! past sums and products of which a solver knows nothing.

use super::{
    mutation::{ComparedPair, Given, Mutation, MutationHints, compared},
    realise::Drive,
    turns::{DrivenRun, LostRun, Turn, watched},
};
use goatherd_certificates::{
    certificate::Parameters,
    program::{Instruction, Location, Program},
};
use goatherd_counterexample::{
    candidates::Candidates,
    inputs::{Drawing, Extent},
};
use goatherd_interpreter::{InputShape, InputValue, Random};
use goatherd_logic::values::Deadline;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

/// All runs together have so many steps.
const STEPS: usize = 4_000_000;

/// So many runs that came to something new are kept to be changed.
const KEPT: usize = 2_000;

/// Every other time one of the last so many is changed.
const LAST: usize = 16;

/// How often a run turned somewhere is told exactly up to this number, beyond by the power of two.
const EXACT: usize = 16;

/// Where random numbers begin.
const SEED: u64 = 0x6775_6964;

/// A turn, and how often a run takes it.
type Feature = (Turn, usize);

/// A run that came to something new, or closer to it.
#[derive(Clone)]
struct Kept {
    given: Given,
    /// What it compared at each branch, where the two were closest to each other.
    compared: BTreeMap<Location, ComparedPair>,
    /// What it did last.
    hints: MutationHints,
}

/// Runs under way.
struct Guided<'a> {
    program: &'a Program,
    parameters: Parameters,
    seen: BTreeSet<Feature>,
    kept: Vec<Kept>,
    /// By branch, as long as a way on there is not taken: the run in which what it compares was closest.
    closest: BTreeMap<Location, Kept>,
    steps: usize,
}

/// Runs from these, and from inputs at random, until a fixed number of steps has been made, the time is over, or `visit` breaks. It sees runs that come to an end of
/// their own and turn somewhere where none before did, or more often.
pub fn guided(
    (program, parameters): (&Program, Parameters),
    start: Vec<Given>,
    deadline: Deadline,
    mut visit: impl FnMut(DrivenRun) -> ControlFlow<()>,
) {
    let mut guided = Guided { program, parameters, seen: BTreeSet::new(), kept: Vec::new(), closest: BTreeMap::new(), steps: 0 };
    for given in start.into_iter().chain(at_random(program)) {
        if guided.run(given, &mut visit).is_break() {
            return;
        }
    }
    let mut mutation = Mutation::new(program, SEED);
    while guided.steps < STEPS && !deadline.is_over() {
        let Some((given, hints)) = guided.pick(&mut mutation) else { return };
        let given = mutation.change(given, &hints);
        if guided.run(given, &mut visit).is_break() {
            return;
        }
    }
}

/// The simplest input, and some at random.
fn at_random(program: &Program) -> Vec<Given> {
    let (candidates, mut random) = (Candidates::of(program), Random::new(SEED));
    let mut given = |longest| {
        let extent = Extent { longest, variety: usize::MAX, skipped: 0 };
        let shapes = Drawing { program, candidates: &candidates, source: &mut random, extent }.inputs();
        let value = |shape| match shape {
            InputShape::Whole(value) => value,
            InputShape::Length(_) => InputValue::Array(Vec::new()),
        };
        Given { inputs: shapes.into_iter().map(value).collect(), choices: Vec::new() }
    };
    [0, 1, 2, 3, 3, 3, 3, 3].map(&mut given).into()
}

impl Guided<'_> {
    /// Is one of the ways on at a branch taken by no run so far?
    fn is_open(&self, at: Location) -> bool {
        let is_taken = |target: Location| self.seen.range(((at, target), 0)..=((at, target), usize::MAX)).next().is_some();
        match self.program.instructions.get(at.index()) {
            Some(Instruction::Branch(branch)) => !is_taken(branch.then) || !is_taken(branch.otherwise),
            _ => false,
        }
    }

    /// What is changed next, with what tells how: as often the run that is closest to a way on that is not taken, one of the last that were kept, and
    /// any.
    fn pick(&self, mutation: &mut Mutation<'_>) -> Option<(&Given, MutationHints)> {
        let last = self.kept.len().saturating_sub(LAST);
        let kept = match mutation.pick(&[Some(0), Some(last), None])? {
            None if !self.closest.is_empty() => {
                let places: Vec<&Location> = self.closest.keys().collect();
                let place = **mutation.pick(&places)?;
                let Kept { given, compared, hints } = &self.closest[&place];
                let compared = compared.get(&place).copied().into_iter().collect();
                return Some((given, MutationHints { compared, ..hints.clone() }));
            }
            from => mutation.pick(&self.kept[from.unwrap_or(0)..])?,
        };
        let mut hints = kept.hints.clone();
        hints.compared.extend(kept.compared.iter().filter(|(at, _)| self.is_open(**at)).map(|(_, compared)| *compared));
        Some((&kept.given, hints))
    }

    fn run(&mut self, given: Given, visit: &mut impl FnMut(DrivenRun) -> ControlFlow<()>) -> ControlFlow<()> {
        let drive = Drive { inputs: given.inputs, choices: given.choices, values: Vec::new(), allocations: Vec::new() };
        let (mut compared_at, mut hints) = (BTreeMap::<Location, ComparedPair>::new(), MutationHints::default());
        let run = watched(self.program, self.parameters, &drive, |machine| {
            hints.see(machine);
            if let Some(new) = compared(machine) {
                let least = compared_at.entry(machine.location()).or_insert(new);
                if distance(new) < distance(*least) {
                    *least = new;
                }
            }
        });
        let path = match &run {
            Ok(run) => &run.path,
            // What comes before the assumption is of use: it may hold of an input close by.
            Err(LostRun::Ignored(path)) => path,
            Err(LostRun::Failed(path)) => {
                self.steps += path.len() + 1;
                return ControlFlow::Continue(());
            }
        };
        // A run counts one step more than it takes, so that there is an end of runs that do not begin.
        self.steps += path.len() + 1;
        let before = self.seen.len();
        self.seen.extend(features(self.program, path));
        let kept = Kept { given: Given { inputs: drive.inputs, choices: drive.choices }, compared: compared_at, hints };
        self.keep_closest(&kept);
        if self.seen.len() == before {
            return ControlFlow::Continue(());
        }
        if self.kept.len() < KEPT {
            self.kept.push(kept);
        }
        run.map_or(ControlFlow::Continue(()), visit)
    }

    /// Keeps a run that is as close as any to a way on that is not taken: of runs that are as close, the last, since it is another one.
    fn keep_closest(&mut self, run: &Kept) {
        for (at, new) in &run.compared {
            if !self.is_open(*at) {
                self.closest.remove(at);
            } else if self.closest.get(at).is_none_or(|closest| distance(*new) <= distance(closest.compared[at])) {
                self.closest.insert(*at, run.clone());
            }
        }
    }
}

/// How far what is compared is from being equal.
fn distance((left, right): ComparedPair) -> u128 {
    left.abs_diff(right)
}

/// The turns that a path takes, and how often.
fn features(program: &Program, path: &[Location]) -> BTreeSet<Feature> {
    let mut counts: BTreeMap<Turn, usize> = BTreeMap::new();
    for pair in path.windows(2) {
        if let Some(Instruction::Branch(_)) = program.instructions.get(pair[0].index()) {
            *counts.entry((pair[0], pair[1])).or_default() += 1;
        }
    }
    let bounded = |count: usize| if count <= EXACT { count } else { count.next_power_of_two() };
    counts.into_iter().map(|(turn, count)| (turn, bounded(count))).collect()
}
