//! Integer values that are worth trying in a program.

use goatherd_certificates::program::{Advance, Allocate, Branch, Compute, Condition, Instruction, IntegerType, Operand, Origin, Program};
use goatherd_interpreter::arithmetic;
use std::collections::{BTreeMap, BTreeSet};

/// How many constants of a program are worth trying: more only dilute the search.
const MOST_CONSTANTS: usize = 32;

/// Lengths above this are not tried, although the program mentions them.
const LONGEST: i128 = 300;

/// Values worth trying, most promising first.
#[derive(Clone, Debug)]
pub struct Candidates {
    values: BTreeMap<IntegerType, Vec<i128>>,
    lengths: Vec<usize>,
}

impl Candidates {
    /// Those of a program: 0, 1, -1, a letter, the constants that it mentions and their neighbours, and the limits of each type.
    pub fn of(program: &Program) -> Self {
        let constants: Vec<i128> = constants_of(program).into_iter().take(MOST_CONSTANTS).collect();
        let around = constants.iter().flat_map(|&constant| [constant, constant.saturating_add(1), constant.saturating_sub(1)]);
        let lengths = around.clone().filter(|length| (0..=LONGEST).contains(length)).filter_map(|length| usize::try_from(length).ok());
        let lengths = lengths.collect::<BTreeSet<_>>().into_iter().collect();
        let values = arithmetic::TYPES.map(|kind| {
            let letter = i128::from(b'a');
            let first = [0, 1, -1, letter].into_iter().chain(constants.iter().copied());
            let limits = [arithmetic::minimum(kind), arithmetic::maximum(kind)];
            let all = first
                .map(|value| arithmetic::wrap(kind, value))
                .chain(limits)
                .chain([2, letter + 1].into_iter().chain(around.clone()).map(|value| arithmetic::wrap(kind, value)));
            let mut seen = BTreeSet::new();
            (kind, all.filter(|value| seen.insert(*value)).collect())
        });
        Candidates { values: values.into_iter().collect(), lengths }
    }

    /// Those of a type, at least 0 among them.
    pub fn values(&self, kind: IntegerType) -> &[i128] {
        self.values.get(&kind).map_or(&[0], Vec::as_slice)
    }

    /// Lengths around constants of the program, ascending.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }
}

/// The constants of a program's computations and conditions, ascending by magnitude.
fn constants_of(program: &Program) -> Vec<i128> {
    let mut found = BTreeSet::new();
    let mut note = |operands: &[Operand]| {
        for operand in operands {
            if let Operand::Constant(value) = operand {
                found.insert((value.unsigned_abs(), *value));
            }
        }
    };
    for instruction in &program.instructions {
        match instruction {
            Instruction::Branch(Branch { condition: Condition::Integers { left, right, .. }, .. })
            | Instruction::Compute(Compute { left, right, .. }) => {
                note(&[*left, *right]);
            }
            Instruction::Assign { value, .. } => note(&[*value]),
            Instruction::Advance(Advance { index, .. }) => note(&[*index]),
            Instruction::Allocate(Allocate { bytes, .. }) => note(&[*bytes]),
            _ => {}
        }
    }
    for object in &program.objects {
        if let Origin::Local { count } | Origin::Static { count, .. } = object.origin {
            note(&[Operand::Constant(i128::from(count))]);
        }
    }
    found.into_iter().map(|(_, value)| value).collect()
}
