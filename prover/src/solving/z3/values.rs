//! Values for inputs: what Z3 is told of operations is exactly what the kernel defines, so that its models are models.

use super::{RESOURCES, Translation, Work};
use crate::draw::realise::{Satisfiable, ValueSolver};
use goatherd_certificates::{
    program::{IntegerType, Operation, Program, Table, TableId},
    term::{ArrayId, LinearId, Literal},
};
use goatherd_checker::{
    arithmetic::{range, width},
    term::Arena,
};
use z3::{
    Model, Params, SatResult, Solver, Sort,
    ast::{Array, BV, Int},
};

/// A solver of its own: what it finds does not depend on what was asked before.
pub fn start(program: &Program) -> Box<dyn ValueSolver> {
    let solver = Solver::new();
    let mut parameters = Params::new();
    parameters.set_u32("rlimit", RESOURCES);
    solver.set_params(&parameters);
    let translation = Translation { exact: Some(Exact { unknowns: 0, tables: program.tables.clone() }), ..Translation::default() };
    Box::new(Values { solver, translation, asserted: 0, undone: Vec::new(), model: None })
}

/// What definitions need.
#[derive(Default)]
pub(super) struct Exact {
    /// How many unknowns there are.
    unknowns: usize,
    /// The program's.
    tables: Vec<Table>,
}

struct Values {
    solver: Solver,
    translation: Translation,
    /// How many of the translation's axioms the solver has been told.
    asserted: usize,
    /// That number at each push.
    undone: Vec<usize>,
    model: Option<Model>,
}

impl ValueSolver for Values {
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
        let formulas: Option<Vec<_>> = literals.iter().map(|literal| self.translation.literal(arena, *literal)).collect();
        formulas.iter().flatten().for_each(|formula| self.solver.assert(formula));
        formulas.is_some()
    }

    fn check(&mut self) -> Satisfiable {
        self.translation.axioms[self.asserted..].iter().for_each(|axiom| self.solver.assert(axiom));
        self.asserted = self.translation.axioms.len();
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
        let term = self.translation.term(arena, term)?;
        self.model.as_ref()?.eval(&term, true)?.as_i128()
    }

    fn element(&mut self, arena: &Arena, array: ArrayId, index: i128) -> Option<i128> {
        let element = self.translation.element(arena, array, &Int::from(index))?;
        let value = self.model.as_ref()?.eval(&element, true)?.as_i128()?;
        // What no literal speaks of may be anything; completed models say 0, which every type has.
        let (least, greatest) = arena.array_range(array)?;
        Some(if (least..=greatest).contains(&value) { value } else { 0 })
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

    fn term(&mut self, arena: &Arena, term: LinearId) -> Option<Int> {
        self.complete(arena, term)?;
        self.linear(arena, term)
    }

    fn element(&mut self, arena: &Arena, array: ArrayId, index: &Int) -> Option<Int> {
        self.complete_all(arena, vec![Work::Array(array)])?;
        self.arrays.get(&array)?.select(index).as_int()
    }
}

/// Truncating division (C11 6.5.5p6) from Z3's, whose remainder is never negative.
fn quotient(left: &Int, right: &Int) -> Int {
    let zero = Int::from(0);
    let magnitude = right.ge(&zero).ite(right, &-right);
    let unsigned = left.ge(&zero).ite(&(left / &magnitude), &-(-left / &magnitude));
    right.ge(&zero).ite(&unsigned, &-&unsigned)
}
