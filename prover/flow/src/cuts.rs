//! Where the conditions of failures cut the values of elements: of `a[i] < 97 || a[i] > 122` no difference says that one of the two holds, but of what is
//! at most 96, between, or more than 122, each has its own (`spec/search.md#focus`).

use crate::instruction::predecessors;
use goatherd_certificates::program::{
    Branch, Compute, Condition, Instruction, Location, Operand, Operation, Program, RegisterId, Relation, Type,
};
use goatherd_checker::arithmetic::range;
use std::collections::{BTreeMap, BTreeSet};

/// So many instructions before a failure are looked at.
const BEFORE: usize = 32;

/// The greatest value of each part but the last one. None where a failure has a single condition of elements: a difference says that.
pub fn cuts(program: &Program) -> BTreeSet<i128> {
    let before = predecessors(program);
    let locations = (0..).map(Location).zip(&program.instructions);
    let fails = locations.filter(|(_, instruction)| matches!(instruction, Instruction::Fail { .. }));
    let mut all = BTreeSet::new();
    for (location, _) in fails {
        let cone = cone(program, &before, location);
        let loaded = loaded(&cone);
        let conditions = cone.iter().map(|instruction| condition(program, &loaded, instruction));
        let conditions: Vec<Vec<i128>> = conditions.filter(|cuts| !cuts.is_empty()).collect();
        let has_several = conditions.len() > 1 || cone.iter().any(|instruction| compares(&loaded, instruction));
        all.extend(conditions.into_iter().flatten().filter(|_| has_several));
    }
    all
}

/// What comes before a failure, in the order of the program: in its round of a loop, as far as that is short.
fn cone<'a>(program: &'a Program, before: &BTreeMap<Location, Vec<Location>>, failure: Location) -> Vec<&'a Instruction> {
    let (mut seen, mut open) = (BTreeSet::from([failure]), vec![failure]);
    while let Some(at) = open.pop() {
        let before = before.get(&at).map_or(&[][..], Vec::as_slice);
        // Another round comes before a head.
        let is_head = before.iter().any(|other| *other >= at);
        for other in before.iter().filter(|_| !is_head) {
            if seen.len() <= BEFORE && seen.insert(*other) {
                open.push(*other);
            }
        }
    }
    seen.iter().filter_map(|location| program.instructions.get(location.index())).collect()
}

/// The registers that elements are loaded to, or these plus a constant, and that constant.
fn loaded(cone: &[&Instruction]) -> BTreeMap<RegisterId, i128> {
    let mut loaded: BTreeMap<RegisterId, i128> = BTreeMap::new();
    for instruction in cone {
        match **instruction {
            Instruction::Load { target, .. } => drop(loaded.insert(target, 0)),
            Instruction::Assign { target, value: Operand::Register(source) } => {
                if let Some(added) = loaded.get(&source).copied() {
                    loaded.insert(target, added);
                }
            }
            Instruction::Compute(ref compute) => {
                let sum = addend(compute)
                    .and_then(|(source, constant)| loaded.get(&source).copied().and_then(|added: i128| added.checked_add(constant)));
                if let Some(sum) = sum {
                    loaded.insert(compute.target, sum);
                }
            }
            _ => {}
        }
    }
    loaded
}

/// The register to which a constant is added, and that.
fn addend(compute: &Compute) -> Option<(RegisterId, i128)> {
    match *compute {
        Compute { operation: Operation::Add, left: Operand::Register(left), right: Operand::Constant(constant), .. }
        | Compute { operation: Operation::Add, left: Operand::Constant(constant), right: Operand::Register(left), .. } => {
            Some((left, constant))
        }
        Compute { operation: Operation::Subtract, left: Operand::Register(left), right: Operand::Constant(constant), .. } => {
            Some((left, constant.checked_neg()?))
        }
        _ => None,
    }
}

/// Where the instruction cuts the values of what was loaded: at what it compares that with, and where a sum wraps around.
fn condition(program: &Program, loaded: &BTreeMap<RegisterId, i128>, instruction: &Instruction) -> Vec<i128> {
    let below = |constant: i128| constant.checked_sub(1);
    let (register, cuts) = match *instruction {
        Instruction::Branch(Branch { condition: Condition::Integers { relation, left, right }, .. }) => match (relation, left, right) {
            (Relation::Equal, Operand::Register(register), Operand::Constant(constant))
            | (Relation::Equal, Operand::Constant(constant), Operand::Register(register)) => {
                (register, vec![below(constant), Some(constant)])
            }
            (Relation::Less, Operand::Register(register), Operand::Constant(constant))
            | (Relation::LessOrEqual, Operand::Constant(constant), Operand::Register(register)) => (register, vec![below(constant)]),
            (Relation::Less, Operand::Constant(constant), Operand::Register(register))
            | (Relation::LessOrEqual, Operand::Register(register), Operand::Constant(constant)) => (register, vec![Some(constant)]),
            _ => return Vec::new(),
        },
        Instruction::Compute(ref compute) => {
            let Some((register, constant)) = addend(compute) else { return Vec::new() };
            return wraps(program, (register, constant), compute).filter(|_| loaded.contains_key(&register)).into_iter().collect();
        }
        _ => return Vec::new(),
    };
    let Some(added) = loaded.get(&register) else { return Vec::new() };
    cuts.into_iter().filter_map(|cut| cut?.checked_sub(*added)).collect()
}

/// Where the sum of the register and the constant leaves its type.
fn wraps(program: &Program, (register, constant): (RegisterId, i128), compute: &Compute) -> Option<i128> {
    let integers = [register, compute.target].map(|register| match program.registers.get(register.index())?.kind {
        Type::Integer(kind) => Some(range(kind)),
        Type::Pointer => None,
    });
    let [Some((least, greatest)), Some((low, high))] = integers else { return None };
    if greatest.checked_add(constant)? > high {
        return high.checked_sub(constant);
    }
    (least.checked_add(constant)? < low).then(|| low.checked_sub(constant)?.checked_sub(1)).flatten()
}

/// Does it compare two elements?
fn compares(loaded: &BTreeMap<RegisterId, i128>, instruction: &Instruction) -> bool {
    matches!(instruction, Instruction::Branch(Branch {
        condition: Condition::Integers { left: Operand::Register(left), right: Operand::Register(right), .. }, ..
    }) if loaded.contains_key(left) && loaded.contains_key(right))
}

#[cfg(test)]
mod tests {
    use super::cuts;
    use crate::testing::program;

    /// Where the condition, of elements at i, cuts them.
    fn of(name: &str, condition: &str) -> Vec<i128> {
        let checked = format!("for (int i = 0; i < n; i++) if ({condition}) __VERIFIER_fail();");
        let source = format!("void __VERIFIER_fail(void); int a[90]; int b[90]; void test(int n) {{ {checked} }}");
        cuts(&program(name, &source)).into_iter().collect()
    }

    #[test]
    fn several_conditions_cut_the_values_of_elements() {
        assert_eq!(of("interval", "a[i] >= 97 && a[i] <= 122"), [96, 122]);
        assert_eq!(of("equal", "a[i] == 97 && b[i] != 65"), [64, 65, 96, 97]);
        assert_eq!(of("moved", "a[i] - 7 >= 10 && a[i] < 30"), [-0x7fff_fffa, 16, 29]);
    }

    #[test]
    fn one_condition_is_a_difference() {
        assert_eq!(of("one", "a[i] >= 97"), [0; 0]);
        assert_eq!(of("two", "a[i] != b[i]"), [0; 0]);
        assert_eq!(of("index", "i > 7 && a[i] != 7"), [0; 0]);
    }

    #[test]
    fn a_sum_is_cut_where_it_wraps_around() {
        assert_eq!(of("up", "a[i] + 1 != b[i]"), [0x7fff_fffe]);
        assert_eq!(of("down", "a[i] - 1 != b[i]"), [-0x8000_0000]);
    }
}
