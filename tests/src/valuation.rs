//! What terms mean: evaluated under a valuation, without the kernel's folding (`spec/calculus.md#terms`).

use goatherd_certificates::{
    program::{IntegerType, Operation, Table},
    term::{Array, ArrayId, ArrayStore, ArrayVariable, Atom, AtomId, Computation, LinearId, Literal, Sign, Variable},
};
use goatherd_checker::term::Arena;
use goatherd_interpreter::arithmetic::{self, Computed};
use std::collections::BTreeMap;

/// A function from all integers: exceptions, and what all others are mapped to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Function {
    /// By index.
    pub exceptions: BTreeMap<i128, i128>,
    /// Everywhere else.
    pub otherwise: i128,
}

impl Function {
    /// Its value at the index.
    pub fn at(&self, index: i128) -> i128 {
        self.exceptions.get(&index).copied().unwrap_or(self.otherwise)
    }
}

/// A value for every variable.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Valuation {
    /// Of integer variables.
    pub integers: BTreeMap<Variable, i128>,
    /// Of array variables.
    pub arrays: BTreeMap<ArrayVariable, Function>,
}

impl Valuation {
    /// The term's value. None where a variable has no value or arithmetic overflows.
    pub fn linear(&self, arena: &Arena, tables: &[Table], term: LinearId) -> Option<i128> {
        let linear = arena.linear(term).ok()?;
        linear.summands.iter().try_fold(linear.constant, |sum, (atom, coefficient)| {
            sum.checked_add(self.atom(arena, tables, *atom)?.checked_mul(*coefficient)?)
        })
    }

    /// The atom's value.
    pub fn atom(&self, arena: &Arena, tables: &[Table], atom: AtomId) -> Option<i128> {
        match *arena.atom(atom).ok()? {
            Atom::Variable(variable) => self.integers.get(&variable).copied(),
            Atom::Select { array, index } => self.element(arena, tables, array, self.linear(arena, tables, index)?),
            Atom::Quotient { divisor, argument } => Some(floor(self.linear(arena, tables, argument)?, divisor)),
            Atom::Apply(Computation { operation, kind, left, right }) => {
                Some(apply(operation, kind, self.linear(arena, tables, left)?, self.linear(arena, tables, right)?))
            }
        }
    }

    /// The array's element at the index.
    pub fn element(&self, arena: &Arena, tables: &[Table], array: ArrayId, index: i128) -> Option<i128> {
        let mut array = array;
        loop {
            match *arena.array(array).ok()? {
                Array::Variable(variable) => return self.arrays.get(&variable).map(|function| function.at(index)),
                Array::Store(ArrayStore { array: below, index: at, value }) => {
                    if self.linear(arena, tables, at)? == index {
                        return self.linear(arena, tables, value);
                    }
                    array = below;
                }
                Array::Constant(value) => return self.linear(arena, tables, value),
                Array::Table(table) => {
                    let entry = usize::try_from(index).ok().and_then(|index| tables[table.index()].values.get(index));
                    return Some(entry.copied().unwrap_or(0));
                }
            }
        }
    }

    /// Does the literal hold?
    pub fn holds(&self, arena: &Arena, tables: &[Table], literal: Literal) -> Option<bool> {
        let value = self.linear(arena, tables, literal.term)?;
        Some(match literal.sign {
            Sign::AtMostZero => value <= 0,
            Sign::Zero => value == 0,
            Sign::NotZero => value != 0,
        })
    }
}

/// The greatest integer not above the quotient.
pub fn floor(value: i128, divisor: i128) -> i128 {
    let quotient = value / divisor;
    if value % divisor != 0 && (value < 0) != (divisor < 0) { quotient - 1 } else { quotient }
}

/// The value of the type that is equal modulo the number of its values.
pub fn reduce(kind: IntegerType, value: i128) -> i128 {
    if kind == IntegerType::Bool { value & 1 } else { arithmetic::wrap(kind, value) }
}

/// What an application means, by the interpreter's arithmetic.
pub fn apply(operation: Operation, kind: IntegerType, left: i128, right: i128) -> i128 {
    let (left, right) = (reduce(kind, left), reduce(kind, right));
    match arithmetic::compute(kind, operation, left, right) {
        Computed::Exact(value) | Computed::Overflow(value) => reduce(kind, value),
        Computed::DivisionOverflow if operation == Operation::Divide => left,
        Computed::DivisionByZero | Computed::ShiftAmount | Computed::DivisionOverflow => 0,
    }
}
