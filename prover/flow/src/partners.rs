//! Where the element comes from that is put in the place of the one that is asked about, or goes to, if that is not near: as far from the other end, as
//! in a reversal, or as far on as an integer says that no loop writes (`spec/search.md#focus`).

use crate::{instruction::written, loops::Loop};
use goatherd_certificates::program::{Advance, Compute, Instruction, Location, Operand, Operation, Program, RegisterId};
use std::collections::{BTreeMap, BTreeSet};

/// How many instructions a value is followed through.
const COMPUTED: u32 = 8;

/// An index, seen from the one that is asked about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Partner {
    /// How often the index that is asked about counts: 1, or -1 where the one is as far from one end as the other is from the other.
    pub asked: i128,
    /// An integer that no loop writes, and how often it counts.
    pub other: Option<(RegisterId, i128)>,
    /// What is added.
    pub constant: i128,
}

impl Partner {
    /// So far from the one that is asked about.
    #[must_use]
    pub const fn near(offset: i128) -> Self {
        Self { asked: 1, other: None, constant: offset }
    }

    /// The constant, where what asks has been moved on by so much since.
    #[must_use]
    pub const fn behind(&self, moved: i128) -> Option<i128> {
        match self.asked.checked_mul(moved) {
            Some(moved) => self.constant.checked_sub(moved),
            None => None,
        }
    }
}

/// A sum of registers and a constant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Sum {
    summands: BTreeMap<RegisterId, i128>,
    constant: i128,
}

impl Sum {
    fn register(register: RegisterId) -> Self {
        Self { summands: BTreeMap::from([(register, 1)]), constant: 0 }
    }

    /// The sum of this one and the other one times a factor; none where numbers are too large.
    fn plus(mut self, other: &Self, factor: i128) -> Option<Self> {
        for (register, coefficient) in &other.summands {
            let sum = self.summands.entry(*register).or_default();
            *sum = sum.checked_add(coefficient.checked_mul(factor)?)?;
        }
        self.summands.retain(|_, coefficient| *coefficient != 0);
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(self)
    }
}

/// The places of elements that loops exchange with the one that is asked about, or copy to its place or from there, beside its neighbours.
pub fn partners(program: &Program, loops: &BTreeMap<Location, Loop>, constants: &BTreeSet<RegisterId>) -> BTreeSet<Partner> {
    let mut places = BTreeSet::new();
    for (head, around) in loops {
        let round = Round { program, head: *head, body: &around.body, constants };
        let indices: Vec<(RegisterId, Sum)> = round.indices();
        for (register, one) in indices.iter().filter(|(register, _)| round.is_stored(*register)) {
            places.extend(round.counted(one));
            for (_, other) in indices.iter().filter(|(other, _)| other != register) {
                places.extend(round.mirrored(one, other));
                places.extend(round.moved(one, other));
                places.extend(round.moved(other, one));
            }
        }
    }
    places
}

/// What one round of a loop computes.
struct Round<'a> {
    program: &'a Program,
    head: Location,
    body: &'a BTreeSet<Location>,
    constants: &'a BTreeSet<RegisterId>,
}

impl Round<'_> {
    /// The registers that are indices in the loop, and what they are the sums of: of what the loop moves, as it is where a round begins, and of what no
    /// loop writes.
    fn indices(&self) -> Vec<(RegisterId, Sum)> {
        let index = |location: &Location| match self.program.instructions[location.index()] {
            Instruction::Advance(Advance { index: Operand::Register(index), .. }) => Some((index, self.sum(*location, index, COMPUTED)?)),
            _ => None,
        };
        self.body.iter().filter_map(index).collect()
    }

    /// Is an element at this index stored to in the loop?
    fn is_stored(&self, index: RegisterId) -> bool {
        let instructions = || self.body.iter().map(|location| &self.program.instructions[location.index()]);
        instructions().any(|instruction| {
            let Instruction::Advance(Advance { target, index: Operand::Register(register), .. }) = instruction else { return false };
            *register == index && instructions().any(|other| matches!(other, Instruction::Store { address, .. } if address == target))
        })
    }

    /// What the register is the sum of before the location.
    fn sum(&self, location: Location, register: RegisterId, computed: u32) -> Option<Sum> {
        let left = computed.checked_sub(1)?;
        let writes = |other: &Location| written(&self.program.instructions[other.index()]) == Some(register);
        if let Some(writer) = self.body.range(..location).rev().copied().find(writes) {
            return self.value(writer, left);
        }
        if self.constants.contains(&register) {
            let writer = (0..location.0).rev().map(Location).find(writes);
            return writer.and_then(|writer| self.value(writer, left)).or_else(|| Some(Sum::register(register)));
        }
        self.step(register).map(|_| Sum::register(register))
    }

    /// What the instruction writes.
    fn value(&self, writer: Location, computed: u32) -> Option<Sum> {
        let operand = |operand: &Operand| match operand {
            Operand::Register(register) => self.sum(writer, *register, computed),
            Operand::Constant(constant) => Some(Sum { constant: *constant, ..Sum::default() }),
        };
        match &self.program.instructions[writer.index()] {
            Instruction::Assign { value, .. } => operand(value),
            Instruction::Compute(Compute { operation: Operation::Add, left, right, .. }) => operand(left)?.plus(&operand(right)?, 1),
            Instruction::Compute(Compute { operation: Operation::Subtract, left, right, .. }) => operand(left)?.plus(&operand(right)?, -1),
            _ => None,
        }
    }

    /// What each round adds to the register: 1 or -1.
    fn step(&self, register: RegisterId) -> Option<i128> {
        let mut writers =
            self.body.iter().map(|at| &self.program.instructions[at.index()]).filter(|other| written(other) == Some(register));
        match (writers.next()?, writers.next()) {
            (Instruction::Compute(Compute { operation, left: Operand::Register(left), right: Operand::Constant(1), .. }), None)
                if *left == register =>
            {
                match operation {
                    Operation::Add => Some(1),
                    Operation::Subtract => Some(-1),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What the register holds where the loop begins, if no loop writes what that is the sum of.
    fn start(&self, register: RegisterId) -> Option<Sum> {
        let writes = |other: &Location| written(&self.program.instructions[other.index()]) == Some(register);
        let start = self.value((0..self.head.0).rev().map(Location).find(writes)?, COMPUTED)?;
        start.summands.keys().all(|register| self.constants.contains(register)).then_some(start)
    }

    /// The place of the other one seen from the first one, if the two together are the same in each round.
    fn mirrored(&self, one: &Sum, other: &Sum) -> Option<Partner> {
        let mut sum = one.clone().plus(other, 1)?;
        let moved: Vec<RegisterId> = sum.summands.keys().copied().filter(|register| !self.constants.contains(register)).collect();
        match moved[..] {
            [] if self.moves(one) => {}
            [up, down] if self.step(up)?.checked_add(self.step(down)?)? == 0 => {
                for register in [up, down] {
                    sum = sum.plus(&Sum::register(register), -1)?.plus(&self.start(register)?, 1)?;
                }
            }
            _ => return None,
        }
        self.place(-1, &sum)
    }

    /// The place that a counter is at seen from the index, if that goes down where the counter goes up.
    fn counted(&self, index: &Sum) -> Option<Partner> {
        let (counter, _) = index.summands.iter().find(|(register, factor)| **factor == -1 && !self.constants.contains(register))?;
        self.mirrored(index, &Sum::register(*counter))
    }

    /// The place of the other one seen from the first one, if it is as far from that in each round, but not by a constant.
    fn moved(&self, one: &Sum, other: &Sum) -> Option<Partner> {
        let distance = other.clone().plus(one, -1)?;
        (self.moves(one) && !distance.summands.is_empty()).then(|| self.place(1, &distance)).flatten()
    }

    /// Is the sum another one in each round?
    fn moves(&self, sum: &Sum) -> bool {
        sum.summands.keys().any(|register| !self.constants.contains(register))
    }

    /// The place that is so far on from the index that is asked about, counted so often.
    fn place(&self, asked: i128, distance: &Sum) -> Option<Partner> {
        let mut summands = distance.summands.iter().map(|(register, coefficient)| (*register, *coefficient));
        let other = summands.next();
        let is_fixed = |(register, coefficient): (RegisterId, i128)| self.constants.contains(&register) && coefficient.abs() == 1;
        let is_place = summands.next().is_none() && other.is_none_or(is_fixed);
        is_place.then_some(Partner { asked, other, constant: distance.constant })
    }
}

#[cfg(test)]
mod tests {
    use super::Partner;
    use crate::{Flow, testing::program};

    /// By how much the index that is asked about counts, whether another integer does, and the constant, of each place.
    fn places(name: &str, text: &str) -> Vec<(i128, Option<i128>, i128)> {
        let flow = Flow::new(&program(name, &format!("int a[90]; int b[90]; void test(int n) {{ {text} }}")));
        let place = |Partner { asked, other, constant }: Partner| (asked, other.map(|(_, sign)| sign), constant);
        flow.partners.iter().copied().map(place).collect()
    }

    #[test]
    fn what_is_exchanged_is_as_far_from_the_other_end() {
        let exchange = "int t = a[i]; a[i] = a[j]; a[j] = t;";
        let ends = |name, end: &str| places(name, &format!("for (int i = 0, j = {end}; i < j; i++, j--) {{ {exchange} }}"));
        assert_eq!(ends("ends", "n - 1"), [(-1, Some(1), -1)]);
        assert_eq!(ends("all", "89"), [(-1, None, 89)]);
        assert_eq!(ends("found", "a[0]"), []);
        assert_eq!(places("counted", "for (int i = 0; i < n; i++) a[n - 1 - i] = 5;"), [(-1, Some(1), -1)]);
        assert_eq!(places("copied", "for (int i = 0; i < n; i++) b[i] = a[n - 1 - i];"), [(-1, Some(1), -1)]);
    }

    #[test]
    fn what_is_moved_by_an_integer_is_so_far_on_and_back() {
        let both = [(1, Some(-1), 0), (1, Some(1), 0)];
        assert_eq!(places("on", "for (int i = 0; i < 30; i++) a[n + i] = a[i];"), both);
        assert_eq!(places("neighbours", "for (int i = 0; i < 30; i++) a[i] = a[i + 1];"), []);
        assert_eq!(places("read", "int s = 0; for (int i = 0; i < 30; i++) s += a[n + i] - a[i];"), []);
    }
}
