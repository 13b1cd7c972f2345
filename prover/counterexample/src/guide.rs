//! Runs that grow out of earlier ones: a run that takes a branch in a new way, or for the second, third, ... time, is kept, and others are
//! made from it by small changes of what was picked. Failures that need several things at once are reached one thing at a time.
//!
//! This is fuzzing guided by coverage, with hit counts in classes, as American Fuzzy Lop does it; what is changed is the sequence of picks,
//! not the input, so that every change gives a valid input.

use crate::{inputs::Extent, source::Source};
use goatherd_certificates::program::{Instruction, Location, Program};
use goatherd_interpreter::{Random, TraceEntry};
use std::{collections::BTreeMap, rc::Rc};

/// One run in so many starts from nothing.
const FRESH: usize = 8;

/// So many features are compared to find a rare one.
const COMPARED: usize = 4;

/// A way through a branch, and the class of how often it was taken.
type Feature = (Location, Location, u32);

/// A feature, and the shortest run that has it.
#[derive(Clone, Debug)]
struct Covered {
    /// How many runs have it.
    runs: u64,
    steps: usize,
    seed: Rc<Seed>,
}

/// What was picked in a run.
#[derive(Debug)]
struct Seed {
    extent: Extent,
    /// Per pick, what was picked and among how many.
    picks: Vec<(usize, usize)>,
}

/// The runs that are kept, by what they cover.
#[derive(Clone, Debug)]
pub struct Guide {
    random: Random,
    covered: BTreeMap<Feature, Covered>,
    /// The features in the order in which they were found.
    found: Vec<Feature>,
}

/// The picks of one run: those of a seed, changed, and then random ones.
#[derive(Debug)]
pub struct Picks<'a> {
    random: &'a mut Random,
    planned: Vec<usize>,
    made: Vec<(usize, usize)>,
}

impl Source for Picks<'_> {
    fn pick(&mut self, count: usize) -> usize {
        if count <= 1 {
            return 0;
        }
        let picked = self.planned.get(self.made.len()).map_or_else(|| self.random.pick(count), |planned| planned % count);
        self.made.push((picked, count));
        picked
    }

    fn bits(&mut self) -> Option<u64> {
        None
    }
}

impl Guide {
    /// Without any run.
    pub fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), covered: BTreeMap::new(), found: Vec::new() }
    }

    /// Makes a run, of the given extent if it starts from nothing: `run` gives the steps that it takes.
    pub fn run(&mut self, program: &Program, extent: Extent, run: impl FnOnce(&mut Picks<'_>, Extent) -> Vec<TraceEntry>) {
        let (planned, extent) = self.plan(extent);
        let mut picks = Picks { random: &mut self.random, planned, made: Vec::new() };
        let trace = run(&mut picks, extent);
        let (seed, steps) = (Rc::new(Seed { extent, picks: picks.made }), trace.len());
        for feature in features(program, &trace) {
            let covered = self.covered.entry(feature).or_insert_with(|| {
                self.found.push(feature);
                Covered { runs: 0, steps, seed: Rc::clone(&seed) }
            });
            covered.runs += 1;
            if steps < covered.steps {
                (covered.steps, covered.seed) = (steps, Rc::clone(&seed));
            }
        }
    }

    /// The picks of a seed with some changes, or none.
    fn plan(&mut self, fresh: Extent) -> (Vec<usize>, Extent) {
        let random = &mut self.random;
        if random.pick(FRESH) == 0 {
            return (Vec::new(), fresh);
        }
        // What few runs have reached is the most promising.
        let compared = (0..COMPARED).filter_map(|_| self.covered.get(self.found.get(random.pick(self.found.len()))?));
        let Some(Covered { seed, .. }) = compared.min_by_key(|covered| covered.runs) else { return (Vec::new(), fresh) };
        let mut picks = seed.picks.clone();
        change(&mut picks, random);
        while random.pick(2) == 0 {
            change(&mut picks, random);
        }
        // Picks below a smaller number mean the same below a greater one.
        let extent =
            Extent { longest: seed.extent.longest.max(fresh.longest), variety: seed.extent.variety.max(fresh.variety), ..seed.extent };
        (picks.into_iter().map(|(picked, _)| picked).collect(), extent)
    }
}

/// Makes one small change. Arrays that are compared have equal parts: hence a change that keeps them equal.
fn change(picks: &mut Vec<(usize, usize)>, random: &mut Random) {
    if picks.is_empty() {
        return;
    }
    let at = random.pick(picks.len());
    let (old, count) = picks[at];
    let new = random.pick(count);
    match random.pick(6) {
        0 | 1 => picks[at].0 = new,
        2 | 3 => {
            if let Some(twin) = twin(picks, at) {
                picks[twin].0 = new;
            }
            picks[at].0 = new;
        }
        4 => picks.iter_mut().filter(|pick| **pick == (old, count)).for_each(|pick| pick.0 = new),
        _ => picks.truncate(at),
    }
}

/// The other place with the same pick whose surroundings agree the most with those of this one.
fn twin(picks: &[(usize, usize)], at: usize) -> Option<usize> {
    let agreeing = |other: usize| {
        let after = picks[at..].iter().zip(&picks[other..]).take_while(|(left, right)| left == right).count();
        let before = picks[..at].iter().rev().zip(picks[..other].iter().rev()).take_while(|(left, right)| left == right).count();
        after + before
    };
    (0..picks.len()).filter(|other| *other != at && picks[*other] == picks[at]).max_by_key(|other| agreeing(*other))
}

/// What a run covers.
fn features(program: &Program, trace: &[TraceEntry]) -> impl Iterator<Item = Feature> {
    let mut taken: BTreeMap<(Location, Location), u32> = BTreeMap::new();
    for (entry, next) in trace.iter().zip(trace.iter().skip(1)) {
        if let Instruction::Branch(_) = program.instructions[entry.location.index()] {
            *taken.entry((entry.location, next.location)).or_default() += 1;
        }
    }
    taken.into_iter().map(|((from, to), count)| (from, to, class(count)))
}

/// The class of a count: each small one is its own, the others go by powers of two.
fn class(count: u32) -> u32 {
    if count < 8 { count } else { 8 + count.ilog2() }
}

#[cfg(test)]
mod tests {
    use super::{Guide, class, twin};
    use crate::{inputs::Extent, source::Source};
    use goatherd_certificates::program::{Branch, Condition, Instruction, Location, Operand, Program, Relation};
    use goatherd_interpreter::TraceEntry;

    /// Branches one after the other, of which the next is reached only if the one before goes a certain way, one of sixteen.
    fn ladder() -> Program {
        let condition = Condition::Integers { relation: Relation::Equal, left: Operand::Constant(0), right: Operand::Constant(0) };
        let step = |at: u32| Instruction::Branch(Branch { condition, then: Location(at + 1), otherwise: Location(9) });
        Program {
            entry: "test".into(),
            registers: Vec::new(),
            layouts: Vec::new(),
            objects: Vec::new(),
            tables: Vec::new(),
            inputs: Vec::new(),
            instructions: (0..9).map(step).chain([Instruction::Halt]).collect(),
            assertions: Vec::new(),
        }
    }

    #[test]
    fn what_needs_many_things_is_reached_one_at_a_time() {
        let (program, mut guide, mut highest) = (ladder(), Guide::new(1), 0);
        let extent = Extent { longest: 1, variety: 1, skipped: 0 };
        for _ in 0..20_000 {
            guide.run(&program, extent, |picks, _| {
                let at = |location| TraceEntry { location: Location(location), place: None, write: None, choices: 0 };
                let rungs = (0..8).take_while(|rung| picks.pick(16) == 15 - rung).count();
                highest = highest.max(rungs);
                (0..=u32::try_from(rungs).unwrap_or(0)).chain([9]).map(at).collect()
            });
        }
        assert_eq!(highest, 8);
    }

    #[test]
    fn equal_parts_are_found() {
        let picks = [4, 1, 1, 2, 0, 1, 1, 2, 3].map(|picked| (picked, 8));
        assert_eq!([1, 2, 3].map(|at| twin(&picks, at)), [Some(5), Some(6), Some(7)]);
        assert_eq!(twin(&picks, 0), None);
    }

    #[test]
    fn counts_are_put_into_classes() {
        assert_eq!([1, 7, 8, 15, 16].map(class), [1, 7, 11, 11, 12]);
    }
}
