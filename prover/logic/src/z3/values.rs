//! Values for inputs: what Z3 is told of operations is exactly what the kernel defines, so that its models are models.

use super::{
    encode::Encode,
    translation::{Exact, Translation, Work},
    words::Words,
};
use crate::values::{Deadline, Effort, Encoding, Satisfiable, ValueSolver};
use goatherd_certificates::{
    program::{IntegerType, Operation, Program, TableId},
    term::{ArrayId, LinearId, Literal},
};
use goatherd_checker::{
    arithmetic::{range, width},
    term::Arena,
};
use std::time::Duration;
use z3::{
    Model, Params, SatResult, Solver, Sort,
    ast::{Array, BV, Bool, Int},
};

/// What one question may cost, in Z3's resource units.
const RESOURCES: u32 = 600_000;

/// The same for words, which are the last resort.
const RESOURCES_FOR_WORDS: u32 = 4_000_000;

/// A question of little effort may cost so many times less.
const LESS: u32 = 10;

/// A question may take such a part of the time that is left, where it is limited: units are not always counted where time is spent.
const SHARE: u32 = 8;

/// A solver of its own: what it finds does not depend on what was asked before, nor, within the time, on how long it takes.
pub fn start(program: &Program, encoding: Encoding, effort: Effort, deadline: Deadline) -> Box<dyn ValueSolver> {
    let tables = program.tables.clone();
    let part = if effort == Effort::Little { LESS } else { 1 };
    match encoding {
        Encoding::Integers => {
            let translation = Translation { exact: Some(Exact { unknowns: 0, tables }), ..Translation::default() };
            Box::new(Values::new(translation, RESOURCES / part, deadline))
        }
        Encoding::Words => Box::new(Values::new(Words::new(tables), RESOURCES_FOR_WORDS / part, deadline)),
    }
}

struct Values<E> {
    solver: Solver,
    resources: u32,
    deadline: Deadline,
    encoding: E,
    /// How many of the axioms the solver has been told.
    asserted: usize,
    /// That number at each push.
    undone: Vec<usize>,
    model: Option<Model>,
}

impl<E: Encode> Values<E> {
    fn new(encoding: E, resources: u32, deadline: Deadline) -> Self {
        let values = Self { solver: Solver::new(), resources, deadline, encoding, asserted: 0, undone: Vec::new(), model: None };
        values.limit(None);
        values
    }

    /// Limits the next question, in Z3's units and, where that is asked for, in time.
    fn limit(&self, time: Option<Duration>) {
        let mut parameters = Params::new();
        parameters.set_u32("rlimit", self.resources);
        if let Some(time) = time {
            // 0 would be no limit, and the greatest number is none either.
            parameters.set_u32("timeout", u32::try_from(time.as_millis()).unwrap_or(u32::MAX).max(1));
        }
        self.solver.set_params(&parameters);
    }
}

impl<E: Encode> ValueSolver for Values<E> {
    fn push(&mut self) {
        self.undone.push(self.asserted);
        self.solver.push();
    }

    fn pop(&mut self) {
        if let Some(asserted) = self.undone.pop() {
            self.solver.pop(1);
            // Axioms stay true: they are told again.
            self.asserted = asserted;
        }
    }

    fn assume(&mut self, arena: &Arena, literals: &[Literal]) -> bool {
        let formulas: Option<Vec<_>> = literals.iter().map(|literal| self.encoding.literal(arena, *literal)).collect();
        formulas.iter().flatten().for_each(|formula| self.solver.assert(formula));
        formulas.is_some()
    }

    fn check(&mut self) -> Satisfiable {
        match self.deadline.left() {
            Some(Duration::ZERO) => return Satisfiable::Unknown,
            None => {}
            left => self.limit(left.map(|left| left / SHARE)),
        }
        let axioms = self.encoding.axioms();
        axioms[self.asserted..].iter().for_each(|axiom| self.solver.assert(axiom));
        self.asserted = axioms.len();
        self.model = None;
        match self.solver.check() {
            SatResult::Unsat => Satisfiable::No,
            SatResult::Unknown => Satisfiable::Unknown,
            SatResult::Sat => {
                self.model = self.solver.get_model();
                Satisfiable::Yes
            }
        }
    }

    fn integer(&mut self, arena: &Arena, term: LinearId) -> Option<i128> {
        self.encoding.integer(arena, term, self.model.as_ref()?)
    }

    fn element(&mut self, arena: &Arena, array: ArrayId, index: i128) -> Option<i128> {
        let value = self.encoding.element(arena, array, index, self.model.as_ref()?)?;
        // What no literal speaks of may be anything; 0 is a value of every type.
        let (least, greatest) = arena.array_range(array)?;
        Some(if (least..=greatest).contains(&value) { value } else { 0 })
    }
}

impl Encode for Translation {
    fn literal(&mut self, arena: &Arena, literal: Literal) -> Option<Bool> {
        Translation::literal(self, arena, literal)
    }

    fn axioms(&self) -> &[Bool] {
        &self.axioms
    }

    fn integer(&mut self, arena: &Arena, term: LinearId, model: &Model) -> Option<i128> {
        self.complete(arena, term)?;
        model.eval(&self.linear(arena, term)?, true)?.as_i128()
    }

    fn element(&mut self, arena: &Arena, array: ArrayId, index: i128, model: &Model) -> Option<i128> {
        self.complete_all(arena, vec![Work::Array(array)])?;
        let element = self.arrays.get(&array)?.select(&Int::from(index)).as_int()?;
        model.eval(&element, true)?.as_i128()
    }
}

impl Translation {
    /// The operation on two terms, as [`goatherd_certificates::term::Atom::Apply`] defines it.
    pub(super) fn define(&mut self, operation: Operation, kind: IntegerType, [left, right]: [&Int; 2]) -> Int {
        let (left, right) = (self.reduce(left, kind), self.reduce(right, kind));
        let (zero, bits) = (Int::from(0), width(kind));
        let is_signed = range(kind).0 < 0;
        let vector = |term: &Int| BV::from_int(term, bits);
        let amount_fits = |result: Int| (right.ge(&zero) & right.lt(Int::from(i128::from(bits)))).ite(&result, &zero);
        let result = match operation {
            Operation::Add => &left + &right,
            Operation::Subtract => &left - &right,
            Operation::Multiply => &left * &right,
            Operation::Divide => right.eq(&zero).ite(&zero, &quotient(&left, &right)),
            Operation::Remainder => right.eq(&zero).ite(&zero, &(&left - &right * quotient(&left, &right))),
            Operation::And => vector(&left).bvand(vector(&right)).to_int(is_signed),
            Operation::Or => vector(&left).bvor(vector(&right)).to_int(is_signed),
            Operation::Xor => vector(&left).bvxor(vector(&right)).to_int(is_signed),
            Operation::ShiftLeft => amount_fits(vector(&left).bvshl(vector(&right)).to_int(is_signed)),
            Operation::ShiftRight if is_signed => amount_fits(vector(&left).bvashr(vector(&right)).to_int(true)),
            Operation::ShiftRight => amount_fits(vector(&left).bvlshr(vector(&right)).to_int(false)),
        };
        self.reduce(&result, kind)
    }

    /// The value of the type that is equal modulo its period.
    fn reduce(&mut self, term: &Int, kind: IntegerType) -> Int {
        let exact = self.exact.get_or_insert_default();
        exact.unknowns += 1;
        let periods = Int::new_const(format!("r{}", exact.unknowns));
        let (least, greatest) = range(kind);
        let reduced = term - Int::from(greatest - least + 1) * periods;
        self.axioms.push(reduced.ge(Int::from(least)));
        self.axioms.push(reduced.le(Int::from(greatest)));
        reduced
    }

    /// The entries, and 0 elsewhere.
    pub(super) fn table(&self, table: TableId) -> Array {
        let values = self.exact.iter().filter_map(|exact| exact.tables.get(table.index())).flat_map(|table| &table.values);
        let empty = Array::const_array(&Sort::int(), &Int::from(0));
        (0i64..).zip(values).fold(empty, |array, (index, value)| array.store(&Int::from(index), &Int::from(*value)))
    }
}

/// Truncating division (C11 6.5.5p6) from Z3's, whose remainder is never negative.
fn quotient(left: &Int, right: &Int) -> Int {
    let zero = Int::from(0);
    let magnitude = right.ge(&zero).ite(right, &-right);
    let unsigned = left.ge(&zero).ite(&(left / &magnitude), &-(-left / &magnitude));
    right.ge(&zero).ite(&unsigned, &-&unsigned)
}
