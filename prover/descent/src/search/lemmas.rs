//! Lemmas: assertions that a proof adds to the program (`spec/search.md#lemmas`, `spec/calculus.md#lemmas`).
//!
//! That two loops over one string end at the same place makes no smaller input fail, unless the program says so. It is guessed that what one
//! loop has come to is what another one has, and that of two searches the second has not come further than the first; runs refute most guesses, and
//! the search for a proof drops those that it cannot prove.

use goatherd_certificates::{
    certificate::Parameters,
    derivation::Lemma,
    program::{Advance, Compute, Condition, Distance, Instruction, Location, Operand, PointerOperand, Program, RegisterId, Relation, Type},
};
use goatherd_checker::wellformed::add_lemmas;
use goatherd_counterexample::{self as counterexample, Goal};
use goatherd_flow::{Flow, instruction::successors};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// A program with lemmas.
#[derive(Clone, Debug)]
pub struct Strengthened {
    /// The lemmas.
    pub lemmas: Vec<Lemma>,
    /// The program that fails where one of them does not hold.
    pub program: Program,
    /// By lemma, where in the program its branch stands, its failure, and if it asks for the failure that it stands before, that one.
    places: Vec<Vec<Location>>,
}

impl Strengthened {
    /// The program with the lemmas; none if one cannot be added.
    pub fn new(program: &Program, lemmas: Vec<Lemma>) -> Option<Self> {
        let mut strengthened = program.clone();
        add_lemmas(&mut strengthened, &lemmas).ok()?;
        let length = u32::try_from(program.instructions.len()).ok()?;
        let mut places: Vec<Vec<Location>> = Vec::new();
        for (lemma, fail) in lemmas.iter().zip((length..).step_by(3)) {
            let moved = Location(fail + 1);
            // What this one stands before, which may be of one before it, has moved.
            for place in places.iter_mut().flatten().filter(|place| **place == lemma.location) {
                *place = moved;
            }
            // Behind the failure that is asked for nothing goes on; behind what another lemma has moved, a jump does.
            let is_asked = matches!(strengthened.instructions.get(moved.index() + 1), Some(Instruction::Ignore));
            places.push([lemma.location, Location(fail)].into_iter().chain(is_asked.then_some(moved)).collect());
        }
        Some(Self { lemmas, program: strengthened, places })
    }

    /// The instruction of the program without the lemmas that the failure is about: where the lemma stands that fails, or whose failure it is.
    pub fn own(&self, location: Location) -> Location {
        let own = self.program.instructions.len().saturating_sub(self.lemmas.len().saturating_mul(3));
        let mut place = self.lemma(location).map_or(location, |number| self.lemmas[number].location);
        // One that asks stands before the failure of an earlier one.
        while let Some(lemma) = place.index().checked_sub(own).and_then(|added| self.lemmas.get(added / 3)) {
            place = lemma.location;
        }
        place
    }

    /// The lemma that the failure of this instruction is about.
    pub fn lemma(&self, location: Location) -> Option<usize> {
        self.places.iter().position(|places| places.contains(&location))
    }
}

/// What a loop has come to.
struct Exit {
    /// A location behind the loop, which nothing else leads to.
    location: Location,
    /// What its rounds move, and what is computed from that before the location.
    results: BTreeSet<RegisterId>,
    /// Its head.
    head: Location,
}

/// How many guesses are made at most.
const GUESSES: usize = 400;
/// How many interpreter steps may be taken to refute one.
const STEPS: u64 = 60_000;
/// How many instructions behind a loop are looked at.
const BEHIND: usize = 64;

/// Equations between what loops have come to, and orders, that no run refutes; of several equations that follow from each other at one place, one.
pub fn guess_lemmas(program: &Program, flow: &Flow, parameters: Parameters) -> Vec<Lemma> {
    let exits = exits(program, flow);
    let mut results: BTreeMap<RegisterId, BTreeSet<Location>> = BTreeMap::new();
    for exit in &exits {
        for register in &exit.results {
            results.entry(*register).or_default().insert(exit.head);
        }
    }
    let mut lemmas = Vec::new();
    for exit in &exits {
        for register in &exit.results {
            let others = results.iter().filter(|(other, heads)| *other != register && !heads.contains(&exit.head));
            let equations = others.filter_map(|(other, _)| condition(program, Relation::Equal, *register, *other));
            lemmas.extend(equations.map(|condition| Lemma { location: exit.location, condition }));
        }
    }
    lemmas.extend(orders(program, flow));
    lemmas.truncate(GUESSES);
    while let Some(strengthened) = Strengthened::new(program, std::mem::take(&mut lemmas)) {
        let findings = counterexample::search(&strengthened.program, parameters, Goal::Failure, STEPS);
        let refuted: BTreeSet<usize> = findings.counterexamples.iter().filter_map(|found| strengthened.lemma(found.location)).collect();
        lemmas = strengthened.lemmas;
        if refuted.is_empty() {
            break;
        }
        let mut position = 0..;
        lemmas.retain(|_| position.next().is_none_or(|position| !refuted.contains(&position)));
    }
    without_redundant(flow, lemmas)
}

/// The lemmas but equations that follow from others at the same place, or say no more there than others do of what is read behind it.
fn without_redundant(flow: &Flow, lemmas: Vec<Lemma>) -> Vec<Lemma> {
    let equations = || lemmas.iter().enumerate().filter_map(|(position, lemma)| Some((position, lemma.location, sides(lemma)?)));
    let read =
        |(_, location, sides): &(usize, Location, [RegisterId; 2])| sides.iter().filter(|side| flow.is_live(*location, **side)).count();
    let told: BTreeSet<Location> = equations().filter(|equation| read(equation) > 0).map(|(_, location, _)| location).collect();
    let mut useful: Vec<_> = equations().filter(|equation| read(equation) > 0 || !told.contains(&equation.1)).collect();
    useful.sort_by_key(|equation| Reverse(read(equation)));
    // At one place: registers that are equal.
    let mut classes: BTreeMap<Location, Vec<BTreeSet<RegisterId>>> = BTreeMap::new();
    let mut kept: BTreeSet<usize> = (0..lemmas.len()).filter(|position| sides(&lemmas[*position]).is_none()).collect();
    for (position, location, [left, right]) in useful {
        let known = classes.entry(location).or_default();
        let mut take = |register| {
            let position = known.iter().position(|class| class.contains(&register));
            position.map_or_else(|| BTreeSet::from([register]), |position| known.swap_remove(position))
        };
        let one = take(left);
        if one.contains(&right) {
            known.push(one);
            continue;
        }
        let other = take(right);
        // What equals something else already need not be said to equal what is not read.
        let is_read = |class: &BTreeSet<RegisterId>| class.iter().any(|register| flow.is_live(location, *register));
        if told.contains(&location) && (one.len() > 1 && !is_read(&other) || other.len() > 1 && !is_read(&one)) {
            known.extend([one, other]);
            continue;
        }
        known.push(&one | &other);
        kept.insert(position);
    }
    let numbered = lemmas.into_iter().enumerate();
    numbered.filter(|(position, _)| kept.contains(position)).map(|(_, lemma)| lemma).collect()
}

/// The registers that the lemma equates.
const fn sides(lemma: &Lemma) -> Option<[RegisterId; 2]> {
    match lemma.condition {
        Condition::Integers { relation: Relation::Equal, left: Operand::Register(left), right: Operand::Register(right) }
        | Condition::Pointers { relation: Relation::Equal, left: PointerOperand::Register(left), right: PointerOperand::Register(right) } => {
            Some([left, right])
        }
        _ => None,
    }
}

/// Where a loop that compares arrays in each of its rounds moves on: that an earlier such loop has come further.
fn orders(program: &Program, flow: &Flow) -> Vec<Lemma> {
    let mut orders = Vec::new();
    let mut earlier: BTreeSet<RegisterId> = BTreeSet::new();
    for head in &flow.comparing {
        let nested: BTreeSet<Location> = flow.nested(*head).flat_map(|inner| flow.loops[&inner].body.iter().copied()).collect();
        let own = flow.loops[head].body.difference(&nested);
        let moves: Vec<(Location, RegisterId)> =
            own.filter_map(|location| Some((*location, moved(&program.instructions[location.index()])?))).collect();
        for (location, register) in &moves {
            let conditions = earlier.iter().filter_map(|other| condition(program, Relation::Less, *register, *other));
            orders.extend(conditions.map(|condition| Lemma { location: *location, condition }));
        }
        earlier.extend(moves.iter().map(|(_, register)| *register));
    }
    orders
}

fn condition(program: &Program, relation: Relation, left: RegisterId, right: RegisterId) -> Option<Condition> {
    match (program.registers[left.index()].kind, program.registers[right.index()].kind) {
        (Type::Integer(_), Type::Integer(_)) => {
            Some(Condition::Integers { relation, left: Operand::Register(left), right: Operand::Register(right) })
        }
        (Type::Pointer, Type::Pointer) => {
            Some(Condition::Pointers { relation, left: PointerOperand::Register(left), right: PointerOperand::Register(right) })
        }
        _ => None,
    }
}

fn exits(program: &Program, flow: &Flow) -> Vec<Exit> {
    let mut predecessors: BTreeMap<Location, usize> = BTreeMap::new();
    for location in (0..).map(Location).take(program.instructions.len()) {
        for successor in successors(program, location) {
            *predecessors.entry(successor).or_default() += 1;
        }
    }
    let mut exits = Vec::new();
    for (head, around) in &flow.loops {
        let moved: BTreeSet<RegisterId> =
            around.body.iter().filter_map(|location| moved(&program.instructions[location.index()])).collect();
        let outside = around.body.iter().flat_map(|location| successors(program, *location));
        let beyond: BTreeSet<Location> = outside.filter(|location| !around.body.contains(location)).collect();
        for first in beyond {
            let (mut location, mut results) = (first, moved.clone());
            for _ in 0..BEHIND {
                let [next] = successors(program, location)[..] else { break };
                if predecessors.get(&next) != Some(&1) {
                    break;
                }
                results.extend(derived(&program.instructions[location.index()], &results));
                location = next;
            }
            let is_end =
                matches!(program.instructions[location.index()], Instruction::Fail { .. } | Instruction::Ignore | Instruction::Halt);
            if !is_end {
                exits.push(Exit { location, results, head: *head });
            }
        }
    }
    exits
}

/// The register that the instruction moves by a constant.
const fn moved(instruction: &Instruction) -> Option<RegisterId> {
    match *instruction {
        Instruction::Compute(Compute { target, left: Operand::Register(left), right: Operand::Constant(_), .. }) if left.0 == target.0 => {
            Some(target)
        }
        Instruction::Advance(Advance { target, base, index: Operand::Constant(_), .. }) if base.0 == target.0 => Some(target),
        _ => None,
    }
}

/// The register that the instruction computes from one of these.
fn derived(instruction: &Instruction, from: &BTreeSet<RegisterId>) -> Option<RegisterId> {
    let is_from = |operand: &Operand| matches!(operand, Operand::Register(register) if from.contains(register));
    match instruction {
        Instruction::Assign { target, value } if is_from(value) => Some(*target),
        Instruction::Compute(Compute { target, left, right, .. }) if is_from(left) || is_from(right) => Some(*target),
        Instruction::Advance(Advance { target, base, index, .. }) if from.contains(base) || is_from(index) => Some(*target),
        Instruction::Distance(Distance { target, left, right, .. }) if from.contains(left) || from.contains(right) => Some(*target),
        Instruction::Copy { target, source } if from.contains(source) => Some(*target),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Strengthened, condition, without_redundant};
    use goatherd_certificates::{
        derivation::Lemma,
        program::{Instruction, Location, RegisterId, Relation},
    };
    use goatherd_flow::{Flow, testing::program};

    /// The equations of registers that are kept at these places of a program that reads the first two registers, and then nothing.
    fn kept(name: &str, equations: &[(u32, u32, u32)]) -> Vec<(u32, u32, u32)> {
        let text = "void __VERIFIER_assert(int); void test(int a, int b, int c, int d) { __VERIFIER_assert(a == b); }";
        let program = program(name, text);
        let equation = |(location, left, right): (u32, u32, u32)| Lemma {
            location: Location(location),
            condition: condition(&program, Relation::Equal, RegisterId(left), RegisterId(right)).unwrap(),
        };
        let lemmas: Vec<Lemma> = equations.iter().copied().map(equation).collect();
        let kept = without_redundant(&Flow::new(&program), lemmas.clone());
        let is_kept = |position: &usize| kept.iter().any(|lemma| format!("{lemma:?}") == format!("{:?}", lemmas[*position]));
        (0..equations.len()).filter(is_kept).map(|position| equations[position]).collect()
    }

    #[test]
    fn failures_are_those_of_the_lemmas_that_they_were_added_for() {
        let text = "void __VERIFIER_assert(int); void test(int a, int b, int c) { __VERIFIER_assert(a == b); }";
        let program = program("moved", text);
        let behind = u32::try_from(program.instructions.len()).unwrap();
        let lemma = |location, left, right| Lemma {
            location: Location(location),
            condition: condition(&program, Relation::Equal, RegisterId(left), RegisterId(right)).unwrap(),
        };
        // The second stands before the first one's branch, the third before its failure, the fourth before the third.
        let lemmas = vec![lemma(0, 0, 1), lemma(0, 1, 2), lemma(behind, 0, 2), lemma(behind, 1, 2)];
        let strengthened = Strengthened::new(&program, lemmas.clone()).unwrap();
        let at = |location: u32| &strengthened.program.instructions[Location(location).index()];
        for (number, [branch, failure]) in
            [[behind + 4, behind + 7], [0, behind + 3], [behind + 10, behind + 6], [behind, behind + 9]].into_iter().enumerate()
        {
            assert!(matches!(at(branch), Instruction::Branch(branch) if branch.condition == lemmas[number].condition));
            assert!(matches!(at(failure), Instruction::Fail { .. }));
            assert_eq!([branch, failure].map(|location| strengthened.lemma(Location(location))), [Some(number); 2]);
            assert!(strengthened.own(Location(failure)).0 < behind);
        }
    }

    #[test]
    fn what_follows_is_left_out() {
        assert_eq!(kept("follows", &[(0, 0, 2), (0, 1, 2), (0, 0, 1)]), [(0, 0, 1)]);
    }

    #[test]
    fn what_is_read_is_equal_to_something() {
        assert_eq!(kept("read", &[(0, 0, 2), (0, 0, 3)]), [(0, 0, 2)]);
    }

    #[test]
    fn what_nothing_reads_is_said_where_nothing_else_is() {
        assert_eq!(kept("unread", &[(0, 0, 1), (0, 2, 3)]), [(0, 0, 1)]);
        assert_eq!(kept("alone", &[(2, 2, 3)]), [(2, 2, 3)]);
    }
}
