//! Registers that say what a program does next, as the place that a process has come to, and what is read later on in each of their modes.
//!
//! The program is followed with nothing but the values of such a register, and of those that it is copied from and to: what is read behind a place is
//! found against the direction of these ways.

use crate::instruction::{read, successors, written};
use goatherd_certificates::program::{
    Branch, Compute, Condition, Instruction, Location, Operand, Operation, Program, RegisterId, Relation, Type,
};
use std::collections::{BTreeMap, BTreeSet};

/// With so many constants at least a register is compared that has modes: answers tell herds apart anyway.
const FEWEST: usize = 3;

/// So many values at most are modes: a register that is counted up has more.
const MOST: usize = 64;

/// A register that holds one of a few constants whenever a loop begins a round, and decides by them what the round does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mode {
    /// The register.
    pub register: RegisterId,
    /// By value and location: the registers that are read from there on before they are written, if the register holds that value.
    live: BTreeMap<(i128, Location), BTreeSet<RegisterId>>,
}

impl Mode {
    /// Is the register read after the location before it is written, if this one holds the value?
    #[must_use]
    pub fn is_live(&self, value: i128, location: Location, register: RegisterId) -> bool {
        self.live.get(&(value, location)).is_none_or(|live| live.contains(&register))
    }
}

/// Those of these registers that have modes.
#[must_use]
pub fn modes(program: &Program, registers: impl Iterator<Item = RegisterId>) -> Vec<Mode> {
    let integers = registers.filter(|register| program.registers[register.index()].kind != Type::Pointer);
    integers.filter_map(|register| mode(program, register)).collect()
}

/// The modes of the register, if it has some.
fn mode(program: &Program, register: RegisterId) -> Option<Mode> {
    let group = group(program, register);
    let asked: BTreeSet<i128> =
        program.instructions.iter().filter_map(question).filter(|(asked, ..)| group.contains(asked)).map(|(_, value, ..)| value).collect();
    if asked.len() < FEWEST {
        return None;
    }
    let ways = ways(program, &group)?;
    let read = read_behind(program, &ways);
    let mut live: BTreeMap<(i128, Location), BTreeSet<RegisterId>> = BTreeMap::new();
    for ((place, _), read) in ways.iter().zip(read) {
        if let Some(value) = place.values.first().copied().flatten() {
            live.entry((value, place.location)).or_default().extend(read);
        }
    }
    Some(Mode { register, live })
}

/// The register, and those that it is copied from and to.
fn group(program: &Program, register: RegisterId) -> Vec<RegisterId> {
    let others = program.instructions.iter().filter_map(|instruction| match *instruction {
        Instruction::Assign { target, value: Operand::Register(source) } if target == register => Some(source),
        Instruction::Assign { target, value: Operand::Register(source) } if source == register => Some(target),
        _ => None,
    });
    let others: BTreeSet<RegisterId> = others.filter(|other| *other != register).collect();
    std::iter::once(register).chain(others).collect()
}

/// What the instruction compares with a constant: register and constant, where it goes on to if they are equal, and where if not.
fn question(instruction: &Instruction) -> Option<(RegisterId, i128, Location, Location)> {
    let Instruction::Branch(Branch { condition: Condition::Integers { relation: Relation::Equal, left, right }, then, otherwise }) =
        instruction
    else {
        return None;
    };
    match (left, right) {
        (Operand::Register(register), Operand::Constant(value)) | (Operand::Constant(value), Operand::Register(register)) => {
            Some((*register, *value, *then, *otherwise))
        }
        _ => None,
    }
}

/// A location with what the registers of a group are known to hold there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    location: Location,
    values: Vec<Option<i128>>,
}

/// The places that the program comes to, each with those that come next; none if there are too many.
fn ways(program: &Program, group: &[RegisterId]) -> Option<BTreeMap<Place, Vec<Place>>> {
    let mut ways = BTreeMap::new();
    let mut open = vec![Place { location: Location(0), values: vec![None; group.len()] }];
    let mut values = BTreeSet::new();
    while let Some(place) = open.pop() {
        if ways.contains_key(&place) {
            continue;
        }
        values.insert(place.values.first().copied().flatten());
        if values.len() > MOST || ways.len() > MOST * program.instructions.len() {
            return None;
        }
        let next = following(program, group, &place);
        open.extend(next.iter().cloned());
        ways.insert(place, next);
    }
    Some(ways)
}

/// The places that come next.
fn following(program: &Program, group: &[RegisterId], place: &Place) -> Vec<Place> {
    let Place { location, values } = place;
    let instruction = &program.instructions[location.index()];
    let position = |register: RegisterId| group.iter().position(|other| *other == register);
    if let Some((asked, constant, then, otherwise)) = question(instruction)
        && let Some(position) = position(asked)
    {
        let mut equal = values.clone();
        equal[position] = Some(constant);
        let (equal, other) = (Place { location: then, values: equal }, Place { location: otherwise, values: values.clone() });
        return match values[position] {
            Some(value) if value == constant => vec![equal],
            Some(_) => vec![other],
            None => vec![equal, other],
        };
    }
    let value = |operand: Operand| match operand {
        Operand::Constant(value) => Some(value),
        Operand::Register(register) => position(register).and_then(|position| values[position]),
    };
    let mut behind = values.clone();
    if let Some(position) = written(instruction).and_then(position) {
        behind[position] = match *instruction {
            Instruction::Assign { value: source, .. } => value(source),
            Instruction::Compute(Compute { operation: Operation::Add, left, right, .. }) => {
                value(left).zip(value(right)).and_then(|(left, right)| left.checked_add(right))
            }
            Instruction::Compute(Compute { operation: Operation::Subtract, left, right, .. }) => {
                value(left).zip(value(right)).and_then(|(left, right)| left.checked_sub(right))
            }
            _ => None,
        };
    }
    successors(program, *location).into_iter().map(|location| Place { location, values: behind.clone() }).collect()
}

/// By place, in their order: the registers that are read from there on before they are written.
fn read_behind(program: &Program, ways: &BTreeMap<Place, Vec<Place>>) -> Vec<BTreeSet<RegisterId>> {
    let numbers: BTreeMap<&Place, usize> = ways.keys().zip(0..).collect();
    let mut before = vec![Vec::new(); ways.len()];
    for (place, next) in ways {
        for next in next {
            before[numbers[next]].push(numbers[place]);
        }
    }
    let places: Vec<(&Place, &Vec<Place>)> = ways.iter().collect();
    let mut read_behind = vec![BTreeSet::new(); ways.len()];
    let mut open: Vec<usize> = (0..ways.len()).collect();
    while let Some(number) = open.pop() {
        let (place, next) = places[number];
        let instruction = &program.instructions[place.location.index()];
        let behind = next.iter().flat_map(|next| &read_behind[numbers[next]]).copied();
        let found: BTreeSet<RegisterId> =
            behind.filter(|register| written(instruction) != Some(*register)).chain(read(instruction)).collect();
        if found != read_behind[number] {
            read_behind[number] = found;
            open.extend(&before[number]);
        }
    }
    read_behind
}

#[cfg(test)]
mod tests {
    use super::modes;
    use crate::testing::program;
    use goatherd_certificates::program::{Instruction, Location, RegisterId};

    const STEPS: &str = "extern int __VERIFIER_nondet_int(void); int kept;
        void test(int start) {
            int step = 1, seen = 0, copy = start;
            while (__VERIFIER_nondet_int()) {
                switch (step) {
                case 1: seen = kept; step = 2; break;
                case 2: kept = seen + copy; step = __VERIFIER_nondet_int() ? 3 : 1; break;
                case 3: copy = copy + 1; step -= 2; break;
                }
            }
        }";

    #[test]
    fn what_is_written_in_the_next_mode_is_not_read_before() {
        let program = program("steps", STEPS);
        let registers = (0..).map(RegisterId).take(program.registers.len());
        let modes = modes(&program, registers);
        let named = |name: &str| program.registers.iter().position(|register| register.name.ends_with(name)).unwrap();
        let [step, seen] = ["step", "seen"].map(named);
        // What comes in is no mode, and a register that is never asked about is none.
        assert_eq!(modes.iter().map(|mode| mode.register.index()).collect::<Vec<_>>(), [step]);
        let is_loop = |instruction: &Instruction| matches!(instruction, Instruction::Havoc { .. });
        let head = Location(u32::try_from(program.instructions.iter().position(is_loop).unwrap()).unwrap());
        let seen = RegisterId(u32::try_from(seen).unwrap());
        assert_eq!([1, 2, 3].map(|value| modes[0].is_live(value, head, seen)), [false, true, false]);
        // Of a value that it never has nothing is known.
        assert!(modes[0].is_live(7, head, seen));
    }
}
