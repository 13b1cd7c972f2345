//! What says which element is asked about: an integer that comes in or is drawn, that no loop writes, and that an index is compared with, as in
//! `if (i == at) assert(a[i] == 0);` (`spec/search.md#focus`).

use crate::{
    cuts::cuts,
    held::{IndexField, held},
    instruction::{predecessors, successors, written},
    partners::Partner,
    pointees::Pointees,
    products::{product, products},
};
use goatherd_certificates::program::{
    Advance, Branch, Compute, Condition, Input, Instruction, Location, Operand, Operation, Program, RegisterId, Relation,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// So many instructions before a failure are looked at for the element that it is about.
const BEFORE: usize = 32;

/// The integers that say which element is asked about, and those that are told apart by where they are beside them.
#[derive(Clone, Debug, Default)]
pub struct Focus {
    /// Which element is asked about: the one so far before what each of these holds.
    pub registers: BTreeMap<RegisterId, i128>,
    /// How far from the element that is asked about those are that are told apart with it: 0, and where elements come from that are moved, or
    /// what they are compared with.
    pub offsets: BTreeSet<i128>,
    /// Where others are that are told apart with it, if any are, at any distance: as far from the other end, or so far on as another integer says.
    pub partners: BTreeSet<Partner>,
    /// Where elements are whose indices are products, as `2 * i`, seen from what is multiplied.
    pub products: BTreeSet<Partner>,
    /// Those of [`Self::registers`] that hold what is multiplied.
    pub multiplied: BTreeSet<RegisterId>,
    /// Where the address of an element is computed that is stored to.
    pub stores: BTreeSet<Location>,
    /// Which elements are found: indices that only others are copied to, as that of the least element so far.
    pub found: BTreeSet<RegisterId>,
    /// Indices, what they are made of, and what bounds them.
    pub positions: BTreeSet<RegisterId>,
    /// The same where memory holds them, and where that is written.
    pub fields: BTreeMap<IndexField, BTreeSet<Location>>,
    /// Up to which values elements are told apart.
    pub cuts: BTreeSet<i128>,
}

impl Focus {
    /// Those of the program, given which registers no loop writes, and where pointers may point.
    pub fn new(program: &Program, constants: &BTreeSet<RegisterId>, pointees: &Pointees) -> Self {
        let indices = indices(program);
        let is_asked = |register: &RegisterId| is_asked(program, &indices, *register);
        let registers: BTreeMap<RegisterId, i128> =
            chosen(program).intersection(constants).copied().filter(is_asked).map(|register| (register, 0)).collect();
        let bounds = compared(program, |relation| relation != Relation::Equal)
            .flat_map(|pair| [pair, [pair[1], pair[0]]])
            .filter_map(|[left, right]| indices.contains(&left).then_some(right));
        let counters = subtracted(program, &indices);
        let positions =
            indices.iter().copied().chain(bounds).chain(counters).filter(|register| !registers.contains_key(register)).collect();
        let found = indices.iter().copied().filter(|register| !constants.contains(register) && is_copied(program, *register)).collect();
        Self {
            registers,
            offsets: offsets(program),
            partners: BTreeSet::new(),
            products: products(program),
            multiplied: BTreeSet::new(),
            stores: stores(program),
            found,
            positions,
            fields: held(program, pointees),
            cuts: cuts(program),
        }
    }

    /// Lets these registers ask, each about the element of a failure. Those that did are integers like others then.
    pub fn ask(&mut self, asking: impl Iterator<Item = (RegisterId, Failure)>) {
        self.positions.extend(std::mem::take(&mut self.registers).into_keys());
        for (register, failure) in asking {
            self.registers.insert(register, failure.moved);
            if failure.is_multiplied {
                self.multiplied.insert(register);
            }
        }
    }

    /// Where the elements are that are told apart where this register asks.
    pub fn places(&self, register: RegisterId) -> Vec<Partner> {
        if self.multiplied.contains(&register) {
            return self.products.iter().copied().collect();
        }
        self.offsets.iter().copied().map(Partner::near).chain(self.partners.iter().copied()).collect()
    }
}

/// How far elements are apart of which one is moved to the other's place, or compared with it: 0, and 1 or -1, seen from the place that a round is about.
fn offsets(program: &Program) -> BTreeSet<i128> {
    let asked: BTreeSet<RegisterId> = failures(program).into_iter().map(|failure| failure.index).collect();
    let mut offsets = BTreeSet::from([0]);
    for (location, pair) in (1..).map(Location).zip(program.instructions.windows(2)) {
        let [Instruction::Compute(Compute { target, operation, left: Operand::Register(left), right: Operand::Constant(1) }), advance] =
            pair
        else {
            continue;
        };
        let distance = match operation {
            Operation::Add => 1,
            Operation::Subtract => -1,
            _ => continue,
        };
        let is_index = matches!(advance, Instruction::Advance(Advance { index: Operand::Register(index), .. }) if index == target);
        if is_index && left != target {
            let is_turned = asked.contains(target) || is_stored(program, location);
            offsets.insert(if is_turned { -distance } else { distance });
        }
    }
    offsets
}

/// Where addresses of elements are computed that are stored to.
fn stores(program: &Program) -> BTreeSet<Location> {
    (0..).map(Location).take(program.instructions.len()).filter(|location| is_stored(program, *location)).collect()
}

/// Is the address of an element computed here that is stored to, or a copy of it, before another one is computed there?
fn is_stored(program: &Program, location: Location) -> bool {
    let Some(Instruction::Advance(Advance { target, index: Operand::Register(_), .. })) = program.instructions.get(location.index()) else {
        return false;
    };
    let mut addresses = BTreeSet::from([*target]);
    let (mut seen, mut open) = (BTreeSet::new(), successors(program, location));
    while let Some(at) = open.pop() {
        let Some(instruction) = program.instructions.get(at.index()) else { continue };
        match instruction {
            Instruction::Store { address, .. } if addresses.contains(address) => return true,
            Instruction::Copy { target, source } if addresses.contains(source) => drop(addresses.insert(*target)),
            _ => {}
        }
        if seen.len() < BEFORE && seen.insert(at) && written(instruction) != Some(*target) {
            open.extend(successors(program, at));
        }
    }
    false
}

/// The integers that come in or are drawn, and that nothing else writes.
fn chosen(program: &Program) -> BTreeSet<RegisterId> {
    let inputs = program.inputs.iter().filter_map(|input| match input {
        Input::Integer { register } => Some(*register),
        _ => None,
    });
    let drawn = program.instructions.iter().filter_map(|instruction| match instruction {
        Instruction::Havoc { target } => Some(*target),
        _ => None,
    });
    let is_kept = |register: &RegisterId| {
        let writers = program.instructions.iter().filter(|instruction| written(instruction) == Some(*register));
        writers.count() <= 1
    };
    inputs.chain(drawn).filter(is_kept).collect()
}

/// Are all values of the register others', or constants?
fn is_copied(program: &Program, register: RegisterId) -> bool {
    let mut writers = program.instructions.iter().filter(|instruction| written(instruction) == Some(register));
    writers.all(|instruction| matches!(instruction, Instruction::Assign { .. }))
}

/// Is it an index itself, or what one is compared with?
fn is_asked(program: &Program, indices: &BTreeSet<RegisterId>, register: RegisterId) -> bool {
    let is_other = |[left, right]: [RegisterId; 2]| left == register && indices.contains(&right);
    indices.contains(&register)
        || compared(program, |relation| relation == Relation::Equal).any(|[left, right]| is_other([left, right]) || is_other([right, left]))
}

/// The registers that are added to pointers, and those from which they are copied or computed by adding constants or multiplying with them.
fn indices(program: &Program) -> BTreeSet<RegisterId> {
    let mut indices: BTreeSet<RegisterId> = program
        .instructions
        .iter()
        .filter_map(|instruction| match instruction {
            Instruction::Advance(Advance { index: Operand::Register(index), .. }) => Some(*index),
            _ => None,
        })
        .collect();
    loop {
        let sources = program.instructions.iter().filter_map(|instruction| match *instruction {
            Instruction::Assign { target, value: Operand::Register(source) }
            | Instruction::Compute(
                Compute {
                    target,
                    operation: Operation::Add | Operation::Subtract | Operation::Multiply,
                    left: Operand::Register(source),
                    right: Operand::Constant(_),
                }
                | Compute { target, operation: Operation::Multiply, left: Operand::Constant(_), right: Operand::Register(source) },
            ) => Some((target, source)),
            _ => None,
        });
        let new: Vec<RegisterId> =
            sources.filter(|(target, source)| indices.contains(target) && !indices.contains(source)).map(|(_, source)| source).collect();
        if new.is_empty() {
            return indices;
        }
        indices.extend(new);
    }
}

/// The registers that indices are less by, as `i` in `a[n - 1 - i]`.
fn subtracted(program: &Program, indices: &BTreeSet<RegisterId>) -> impl Iterator<Item = RegisterId> {
    program.instructions.iter().filter_map(|instruction| match *instruction {
        Instruction::Compute(Compute { target, operation: Operation::Subtract, right: Operand::Register(right), .. })
            if indices.contains(&target) =>
        {
            Some(right)
        }
        _ => None,
    })
}

/// The pairs of registers that are compared in such a relation.
fn compared(program: &Program, is_meant: impl Fn(Relation) -> bool) -> impl Iterator<Item = [RegisterId; 2]> {
    program.instructions.iter().filter_map(move |instruction| match *instruction {
        Instruction::Branch(Branch {
            condition: Condition::Integers { relation, left: Operand::Register(left), right: Operand::Register(right) },
            ..
        }) if is_meant(relation) => Some([left, right]),
        _ => None,
    })
}

/// A failure that is about an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Where it is.
    pub location: Location,
    /// The register that the element's index was in, or, where that is a product, what is multiplied.
    pub index: RegisterId,
    /// By how much that has been moved on since.
    pub moved: i128,
    /// Is the index a product?
    pub is_multiplied: bool,
}

/// The failures that are about an element: the one that was read last, or, if its index is only copied from others, as that of the least so far is, the one
/// that it is compared with.
pub fn failures(program: &Program) -> Vec<Failure> {
    let before = predecessors(program);
    let locations = (0..).map(Location).zip(&program.instructions);
    let fails = locations.filter(|(_, instruction)| matches!(instruction, Instruction::Fail { .. }));
    let compares_places = |location: &Location| matches!(&program.instructions[location.index()], Instruction::Branch(branch) if !matches!(branch.condition, Condition::Integers { .. }));
    // Where pointers meet is about no element.
    let is_asked = |location: &Location| before.get(location).is_some_and(|before| !before.iter().all(compares_places));
    fails.filter(|(location, _)| is_asked(location)).filter_map(|(location, _)| element(program, &before, location)).collect()
}

/// The element that was read last before the failure, if its index is known there.
fn element(program: &Program, before: &BTreeMap<Location, Vec<Location>>, location: Location) -> Option<Failure> {
    let (mut seen, mut open) = (BTreeSet::new(), VecDeque::from([location]));
    let mut addresses = BTreeSet::new();
    let mut moved: BTreeMap<RegisterId, Option<i128>> = BTreeMap::new();
    let mut found = None;
    while let Some(at) = open.pop_front() {
        if !seen.insert(at) || seen.len() > BEFORE {
            continue;
        }
        let instruction = program.instructions.get(at.index())?;
        match instruction {
            Instruction::Load { address, .. } => drop(addresses.insert(*address)),
            Instruction::Copy { target, source } if addresses.contains(target) => drop(addresses.insert(*source)),
            Instruction::Advance(Advance { target, index: Operand::Register(index), .. }) if addresses.contains(target) => {
                let product = product(program, before, at);
                let index = product.map_or(*index, |product| product.register);
                if let Some(moved) = moved.get(&index).copied().unwrap_or(Some(0)) {
                    let failure = Failure { location, index, moved, is_multiplied: product.is_some() };
                    if !is_copied(program, index) {
                        return Some(failure);
                    }
                    found = found.or(Some(failure));
                }
            }
            _ => {}
        }
        if let Some(register) = written(instruction) {
            let so_far = moved.entry(register).or_insert(Some(0));
            *so_far = so_far.zip(step(instruction)).and_then(|(sum, step)| sum.checked_add(step));
        }
        let before = before.get(&at).map_or(&[][..], Vec::as_slice);
        // What the element is compared with is read on the same way.
        if found.is_none() || before.len() == 1 {
            open.extend(before);
        }
    }
    found
}

/// The constant that an instruction adds to a register.
fn step(instruction: &Instruction) -> Option<i128> {
    match *instruction {
        Instruction::Compute(Compute { target, operation, left: Operand::Register(left), right: Operand::Constant(constant) })
            if target == left =>
        {
            match operation {
                Operation::Add => Some(constant),
                Operation::Subtract => constant.checked_neg(),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Focus, failures};
    use crate::{Flow, testing::program};

    /// By how much the index has moved since each element was read that a failure is about.
    fn moved(name: &str, source: &str) -> Vec<i128> {
        failures(&program(name, source)).into_iter().map(|failure| failure.moved).collect()
    }

    #[test]
    fn a_failure_is_about_the_element_read_last() {
        let checked = "for (int i = 0; i < n; i++) if (a[i] != 7) __VERIFIER_fail();";
        assert_eq!(moved("last", &format!("void __VERIFIER_fail(void); int a[90]; void test(int n) {{ {checked} }}")), [0]);
        let taken = "int i = 0; while (i < n) { int x = a[i++]; if (x != 7) __VERIFIER_fail(); }";
        assert_eq!(moved("moved", &format!("void __VERIFIER_fail(void); int a[90]; void test(int n) {{ {taken} }}")), [1]);
        let lost = "int i = 0; while (i < n) { int x = a[i]; i = x; if (x != 7) __VERIFIER_fail(); }";
        assert_eq!(moved("lost", &format!("void __VERIFIER_fail(void); int a[90]; void test(int n) {{ {lost} }}")), [0; 0]);
        assert_eq!(moved("none", "void __VERIFIER_fail(void); void test(int n) { if (n < 7) __VERIFIER_fail(); }"), [0; 0]);
    }

    #[test]
    fn addresses_of_elements_may_be_copied_and_places_are_no_elements() {
        let source = |checked: &str| format!("void __VERIFIER_fail(void); int a[90]; int *q; void test(int i) {{ {checked} }}");
        assert_eq!(moved("copied", &source("int *p = &a[i]; int *r = p; if (*r != 7) __VERIFIER_fail();")), [0]);
        assert_eq!(moved("places", &source("int *p = &a[i]; int x = *p; if (p == q) __VERIFIER_fail(); a[0] = x;")), [0; 0]);
        let stored = |name, round: &str| Flow::new(&program(name, &source(round))).focus.stores.len();
        assert_eq!(stored("stored", "int *p = &a[i]; int *r = p; *r = 7;"), 1);
        assert_eq!(stored("kept", "int *p = &a[i]; q = p;"), 0);
    }

    #[test]
    fn a_failure_is_about_the_element_that_is_compared_with_the_one_that_was_found() {
        let source = |checked: &str| {
            let found = "int m = 0; for (int i = 1; i < n; i++) if (a[i] < a[m]) m = i;";
            format!("void __VERIFIER_fail(void); int a[90]; void test(int n) {{ {found} for (int i = 0; i < n; i++) {{ {checked} }} }}")
        };
        let index = |name, checked: &str| {
            let program = program(name, &source(checked));
            let [failure] = failures(&program)[..] else { panic!("one failure") };
            program.registers[failure.index.index()].name.clone()
        };
        assert!(index("found-last", "if (a[i] < a[m]) __VERIFIER_fail();").starts_with('i'));
        assert!(index("found-first", "if (a[m] > a[i]) __VERIFIER_fail();").starts_with('i'));
        assert_eq!(index("found-alone", "if (a[m] > 9) __VERIFIER_fail();"), "m");
    }

    #[test]
    fn neighbours_are_where_elements_come_from_and_what_they_are_compared_with() {
        let offsets = |name, round: &str| -> Vec<i128> {
            let source = format!("void __VERIFIER_fail(void); int a[90]; void test(int n) {{ for (int i = 1; i < n; i++) {{ {round} }} }}");
            Flow::new(&program(name, &source)).focus.offsets.into_iter().collect()
        };
        assert_eq!(offsets("none", "a[i] = 7;"), [0]);
        assert_eq!(offsets("down", "a[i] = a[i + 1];"), [0, 1]);
        assert_eq!(offsets("up", "a[i + 1] = a[i];"), [-1, 0]);
        assert_eq!(offsets("compared", "if (a[i - 1] > a[i]) __VERIFIER_fail();"), [-1, 0]);
        assert_eq!(offsets("asked", "if (a[i] < a[i - 1]) __VERIFIER_fail();"), [0, 1]);
    }

    #[test]
    fn an_index_that_comes_in_and_stays_says_which_element_is_asked_about() {
        let focus = |name, source: &str| -> Focus { Flow::new(&program(name, source)).focus };
        let walk = "for (int i = 0; i < 90; i++) if (i == at) a[i] = 7;";
        let asked = focus("asked", &format!("int a[90]; void test(int at) {{ {walk} }}"));
        assert_eq!((asked.registers.len(), asked.positions.len(), asked.found.len()), (1, 1, 0), "{asked:?}");
        let moving = focus("moving", &format!("int a[90]; void test(int at) {{ while (at < 9) at++; {walk} }}"));
        assert!(moving.registers.is_empty(), "{moving:?}");
        let least = "int m = 0; for (int i = 1; i < 90; i++) if (a[i] < a[m]) m = i;";
        let found = focus("found", &format!("int a[90]; void test(void) {{ {least} }}"));
        assert_eq!((found.registers.len(), found.found.len()), (0, 1), "{found:?}");
    }
}
