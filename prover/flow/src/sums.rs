//! What sums of narrow values are bounded by: so much for each round that a counter has counted, as a sum of bytes is at most 255 times as many.

use crate::{
    instruction::{predecessors, written},
    loops::Loop,
    sources::source,
};
use goatherd_certificates::program::{Advance, Compute, Instruction, Location, Operand, Operation, Program, RegisterId, Type};
use goatherd_checker::arithmetic::{range, width};
use std::collections::BTreeMap;

/// Sums of integers of more bits are not bounded: they come close to wrapping around after a few rounds.
const BITS: u32 = 16;

/// Where a sum is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Total {
    /// In a register.
    Register(RegisterId),
    /// In an array, so far behind the index that counts the rounds.
    Element(i128),
}

/// An integer to which each round of a loop adds something of a few bits at most, and one that counts the rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NarrowSum {
    /// What is added to.
    pub total: Total,
    /// What is one more with each round.
    pub counter: RegisterId,
    /// How much is added at least, which is not positive.
    pub least: i128,
    /// How much is added at most.
    pub greatest: i128,
}

/// The sums that loops make, where a sum in a register is only begun elsewhere.
pub(crate) fn sums(program: &Program, loops: &BTreeMap<Location, Loop>) -> Vec<NarrowSum> {
    let before = predecessors(program);
    let mut found = Vec::new();
    for around in loops.values() {
        let counters = around.relevant.iter().filter(|register| is_counted(program, around, **register));
        let counters: Vec<RegisterId> = counters.copied().collect();
        for location in around.body.iter().filter(|location| !is_nested(loops, around, **location)) {
            let Some(Addition { target, left, least, greatest }) = added(program, &before, *location) else { continue };
            let is_alone = || writers(program, around, target).all(|writer| writer == *location || is_started(program, writer));
            for counter in &counters {
                let total = if target == left && is_alone() {
                    Some(Total::Register(target))
                } else {
                    offset(program, &before, (*location, left), *counter).map(Total::Element)
                };
                found.extend(total.map(|total| NarrowSum { total, counter: *counter, least, greatest }));
            }
        }
    }
    found
}

/// Is the location in a loop inside this one?
fn is_nested(loops: &BTreeMap<Location, Loop>, around: &Loop, location: Location) -> bool {
    around.nested.iter().any(|inner| loops[inner].body.contains(&location))
}

/// Where the loop writes the register.
fn writers<'a>(program: &'a Program, around: &'a Loop, register: RegisterId) -> impl Iterator<Item = Location> + 'a {
    around.body.iter().copied().filter(move |location| written(&program.instructions[location.index()]) == Some(register))
}

/// Does a constant begin the sum anew?
fn is_started(program: &Program, location: Location) -> bool {
    matches!(program.instructions[location.index()], Instruction::Assign { value: Operand::Constant(0), .. })
}

/// Is the register one more with each round, and written nowhere else in the loop?
fn is_counted(program: &Program, around: &Loop, register: RegisterId) -> bool {
    let is_step = |location: Location| {
        matches!(
            program.instructions[location.index()],
            Instruction::Compute(Compute { target, operation: Operation::Add, left: Operand::Register(left), right: Operand::Constant(1) })
                if target == left
        )
    };
    let writers: Vec<Location> = writers(program, around, register).collect();
    matches!(writers[..], [only] if is_step(only))
}

/// A register and something of few bits, added up.
struct Addition {
    target: RegisterId,
    left: RegisterId,
    least: i128,
    greatest: i128,
}

/// What the instruction adds to a register, if that is of few bits.
fn added(program: &Program, before: &BTreeMap<Location, Vec<Location>>, location: Location) -> Option<Addition> {
    let Instruction::Compute(Compute { target, operation: Operation::Add, left: Operand::Register(left), right: Operand::Register(right) }) =
        program.instructions[location.index()]
    else {
        return None;
    };
    let (_, value) = source(program, before, (location, right))?;
    let kind = match program.registers[written(value)?.index()].kind {
        Type::Integer(kind) if width(kind) <= BITS => kind,
        _ => return None,
    };
    let (least, greatest) = range(kind);
    Some(Addition { target, left, least: least.min(0), greatest })
}

/// How far behind the counter the index is of the element that the register holds.
fn offset(
    program: &Program,
    before: &BTreeMap<Location, Vec<Location>>,
    place: (Location, RegisterId),
    counter: RegisterId,
) -> Option<i128> {
    let (at, Instruction::Load { address, .. }) = source(program, before, place)? else { return None };
    let (at, Instruction::Advance(Advance { index: Operand::Register(index), .. })) = source(program, before, (at, *address))? else {
        return None;
    };
    if *index == counter {
        return Some(0);
    }
    match source(program, before, (at, *index))?.1 {
        Instruction::Compute(Compute { operation, left: Operand::Register(left), right: Operand::Constant(constant), .. })
            if *left == counter =>
        {
            match operation {
                Operation::Add => Some(*constant),
                Operation::Subtract => constant.checked_neg(),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{NarrowSum, Total};
    use crate::{Flow, testing::program};

    /// What the rounds of a loop add up: where, and what is added at least and at most.
    fn sums(name: &str, round: &str) -> Vec<(Option<i128>, i128, i128)> {
        let arrays = "unsigned char b[90]; short h[90]; int w[90]; int t[91];";
        let source = format!("{arrays} int test(int n) {{ int s = 0; for (int i = 0; i < n; i++) {{ {round} }} return s; }}");
        let of = |NarrowSum { total, least, greatest, .. }: NarrowSum| {
            let offset = if let Total::Element(offset) = total { Some(offset) } else { None };
            (offset, least, greatest)
        };
        Flow::new(&program(name, &source)).sums.into_iter().map(of).collect()
    }

    #[test]
    fn what_is_added_has_few_bits() {
        assert_eq!(sums("sum-bytes", "s += b[i];"), [(None, 0, 255)]);
        assert_eq!(sums("sum-shorts", "if (i & 1) s += h[i];"), [(None, -32768, 32767)]);
        assert_eq!(sums("sum-words", "s += w[i];"), []);
    }

    #[test]
    fn a_sum_is_begun_anew_and_nothing_else() {
        assert_eq!(sums("sum-anew", "if (b[i] == 0) s = 0; s += b[i];"), [(None, 0, 255)]);
        assert_eq!(sums("sum-other", "if (b[i] == 0) s = n; s += b[i];"), []);
    }

    #[test]
    fn sums_stand_in_arrays() {
        assert_eq!(sums("sum-next", "t[i + 1] = t[i] + b[i];"), [(Some(0), 0, 255)]);
        assert_eq!(sums("sum-last", "if (i > 0) t[i] = t[i - 1] + b[i];"), [(Some(-1), 0, 255)]);
        assert_eq!(sums("sum-elsewhere", "t[n] = t[n] + b[i];"), []);
    }
}
