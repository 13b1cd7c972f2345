//! Decisions of a program: conditions that `&&` and `||` join, found in its branches (`spec/paths.md#conditions`).

use goatherd_certificates::program::{Branch, Instruction, Location, Program, RegisterId};
use goatherd_flow::instruction::{successors, written};
use std::collections::{BTreeMap, BTreeSet};

/// Conditions of one decision, at most: there are as many evaluations as ways through all of them.
const CONDITIONS: usize = 12;

/// What the front end calls the value that the entry function returns; the names of its other registers for values begin with `%`, too.
const RETURNED: &str = "%returned";

/// Conditions that decide together where the program goes on: at one of two places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceDecision {
    /// The branches, that of the first condition first.
    pub conditions: Vec<Location>,
    /// All ways through them.
    pub evaluations: Vec<Evaluation>,
}

/// One way through a decision.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evaluation {
    /// Its instructions, from the first condition's branch to the first one behind the decision.
    pub way: Vec<Location>,
    /// By condition that is evaluated: where its branch goes on.
    pub taken: BTreeMap<Location, Location>,
    /// Where the program goes on, behind jumps.
    pub outcome: Location,
}

impl Evaluation {
    /// Do the two show that the condition counts by itself? It comes out differently, so does the decision, and every other condition that both
    /// evaluate comes out the same: unique cause, where a condition that is not evaluated has any value.
    pub fn shows(&self, other: &Self, condition: Location) -> bool {
        let differs = |condition: &Location, target: &Location| other.taken.get(condition).is_some_and(|other| other != target);
        let mut different = self.taken.iter().filter(|(condition, target)| differs(condition, target));
        self.outcome != other.outcome && different.next().is_some_and(|(first, _)| *first == condition) && different.next().is_none()
    }
}

/// The decisions of a program, those with one condition among them; without assumptions, of which one outcome is ignored.
pub fn decisions(program: &Program) -> Vec<SourceDecision> {
    let flow = Flow::new(program);
    let mut joined = BTreeSet::new();
    let mut decisions = Vec::new();
    for first in (0..).zip(&program.instructions).map(|(at, _)| Location(at)) {
        if flow.targets(first).is_none() || joined.contains(&first) {
            continue;
        }
        let parts = flow.parts(first);
        joined.extend(parts.values().copied());
        let evaluations = flow.evaluations(first, &parts);
        let is_ignored = |evaluation: &Evaluation| matches!(flow.instruction(evaluation.outcome), Some(Instruction::Ignore));
        if !evaluations.iter().any(is_ignored) {
            let conditions = [first].into_iter().chain(parts.into_values()).collect();
            decisions.push(SourceDecision { conditions, evaluations });
        }
    }
    decisions
}

/// By where the evaluation of a condition begins: its branch.
type Parts = BTreeMap<Location, Location>;

/// The flow of control, where jumps take no step.
struct Flow<'a> {
    program: &'a Program,
    predecessors: BTreeMap<Location, BTreeSet<Location>>,
}

impl<'a> Flow<'a> {
    fn new(program: &'a Program) -> Self {
        let mut this = Self { program, predecessors: BTreeMap::new() };
        for at in (0..).zip(&program.instructions).map(|(at, _)| Location(at)) {
            if !matches!(this.instruction(at), Some(Instruction::Jump { .. })) {
                for target in successors(program, at) {
                    let target = this.behind_jumps(target);
                    this.predecessors.entry(target).or_default().insert(at);
                }
            }
        }
        this
    }

    fn instruction(&self, at: Location) -> Option<&'a Instruction> {
        self.program.instructions.get(at.index())
    }

    /// Where a condition's branch goes on; none of what is no condition.
    fn targets(&self, at: Location) -> Option<[Location; 2]> {
        match self.instruction(at)? {
            Instruction::Branch(Branch { then, otherwise, .. }) if then != otherwise => Some([*then, *otherwise]),
            _ => None,
        }
    }

    fn behind_jumps(&self, at: Location) -> Location {
        self.jumps(at).last().copied().unwrap_or(at)
    }

    /// The jumps from there on, and what comes behind them. Jumps in a circle end where it closes.
    fn jumps(&self, mut at: Location) -> Vec<Location> {
        let mut way = vec![at];
        while let Some(Instruction::Jump { target }) = self.instruction(at)
            && !way.contains(target)
        {
            at = *target;
            way.push(at);
        }
        way
    }

    /// Is this part of evaluating a condition? Whatever it writes has no name in the source.
    fn evaluates(&self, instruction: &Instruction) -> bool {
        let name = |register: RegisterId| self.program.registers.get(register.index()).map(|register| &*register.name);
        let is_value = matches!(
            instruction,
            Instruction::Assign { .. }
                | Instruction::Compute(_)
                | Instruction::Havoc { .. }
                | Instruction::Null { .. }
                | Instruction::Copy { .. }
                | Instruction::Address { .. }
                | Instruction::Advance(_)
                | Instruction::Distance(_)
                | Instruction::Load { .. }
        );
        is_value && written(instruction).and_then(name).is_some_and(|name| name.starts_with('%') && name != RETURNED)
    }

    /// The branch of the condition that is evaluated from there on, and all instructions up to it, if the program comes there from these alone.
    fn condition(&self, start: Location, inside: &BTreeSet<Location>) -> Option<(Location, BTreeSet<Location>)> {
        let mut all = BTreeSet::new();
        let mut at = start;
        loop {
            let is_reached = |from: &Location| inside.contains(from) || all.contains(from);
            if !self.predecessors.get(&at)?.iter().all(is_reached) || inside.contains(&at) || !all.insert(at) {
                return None;
            }
            if self.targets(at).is_some() {
                return Some((at, all));
            }
            if !self.evaluates(self.instruction(at)?) {
                return None;
            }
            at = self.behind_jumps(*successors(self.program, at).first()?);
        }
    }

    /// The conditions that are joined with the first: as many as there can be while there are two places behind them.
    fn parts(&self, first: Location) -> Parts {
        let outcomes = |condition| self.targets(condition).into_iter().flatten().map(|target| self.behind_jumps(target));
        let (mut parts, mut whole) = (Parts::new(), Parts::new());
        let mut inside = BTreeSet::from([first]);
        let mut exits: BTreeSet<Location> = outcomes(first).collect();
        while parts.len() + 1 < CONDITIONS {
            let found = exits.iter().find_map(|exit| Some((*exit, self.condition(*exit, &inside)?)));
            let Some((start, (condition, all))) = found else { break };
            inside.extend(all);
            parts.insert(start, condition);
            exits.remove(&start);
            exits.extend(outcomes(condition));
            if exits.len() == 2 {
                whole.clone_from(&parts);
            }
        }
        whole
    }

    fn evaluations(&self, first: Location, parts: &Parts) -> Vec<Evaluation> {
        let mut found = Vec::new();
        let mut open = vec![(first, Evaluation { way: vec![first], ..Evaluation::default() })];
        while let Some((condition, before)) = open.pop() {
            for target in self.targets(condition).into_iter().flatten() {
                let mut evaluation = before.clone();
                evaluation.taken.insert(condition, target);
                let start = self.behind_jumps(target);
                let Some(next) = parts.get(&start) else {
                    evaluation.way.push(target);
                    evaluation.outcome = start;
                    found.push(evaluation);
                    continue;
                };
                self.walk(&mut evaluation.way, target, *next);
                open.push((*next, evaluation));
            }
        }
        found.sort_by(|left, right| left.way.cmp(&right.way));
        found
    }

    /// Adds the instructions from there to the condition's branch, which no other branch is between.
    fn walk(&self, way: &mut Vec<Location>, start: Location, condition: Location) {
        let mut next = Some(start);
        while let Some(at) = next {
            way.push(at);
            next = if at == condition { None } else { successors(self.program, at).first().copied() };
        }
    }
}
