//! Asks Z3 whether literals can hold together, and which of them cannot.
//!
//! Its answers only direct the search: a refutation is derived again, from the core, by our own means. Z3 gets a budget of its own resource
//! units and not of time, so that the same question has the same answer on every machine.

mod encode;
mod translation;
mod values;
mod words;

use translation::{Translation, Work, atoms, mentioned};
pub use values::start;

use crate::solver::Answer;
use goatherd_certificates::{
    program::{IntegerType, Operation},
    term::{Array, ArrayId, ArrayStore, Atom, AtomId, Computation, LinearId, Literal, Sign, Variable},
};
use goatherd_checker::{
    arithmetic::range,
    term::{Arena, Range, sort_index},
};
use std::collections::BTreeMap;
use z3::{
    FuncDecl, Params, SatResult, Solver, Sort,
    ast::{self, Bool, Int},
};

/// What one question may cost, in Z3's resource units.
const RESOURCES: u32 = 4_000_000;

/// Z3's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The literals at these positions cannot hold together.
    Unsatisfiable(Vec<usize>),
    /// They hold for these values. Applications of operations and tables are any functions in the range of their type, so that this may be
    /// no model of theirs.
    Satisfiable(BTreeMap<Variable, i128>),
    /// Z3 gave up, or a term has no translation.
    Unknown,
}

thread_local! {
    /// To start a solver takes as long as hundreds of questions. What the answers to later ones depend on are earlier ones of the same
    /// thread only: each attempt at a proof runs on a thread of its own, so that answers do not depend on how many there are.
    static SOLVER: Solver = {
        let solver = Solver::new();
        let mut parameters = Params::new();
        parameters.set_u32("rlimit", RESOURCES);
        solver.set_params(&parameters);
        solver
    };
}

/// What a [`Solver`](crate::solver::Solver) is told of the literals.
pub fn answer(arena: &Arena, literals: &[Literal]) -> Answer {
    match check(arena, literals) {
        Verdict::Unsatisfiable(core) => Answer::Contradiction(core),
        Verdict::Satisfiable(model) => Answer::Model(format!("{model:?}")),
        Verdict::Unknown => Answer::None,
    }
}

/// Can the literals hold together?
pub fn check(arena: &Arena, literals: &[Literal]) -> Verdict {
    SOLVER.with(|solver| {
        solver.push();
        let verdict = ask(solver, arena, literals);
        solver.pop(1);
        verdict
    })
}

fn ask(solver: &Solver, arena: &Arena, literals: &[Literal]) -> Verdict {
    let mut translation = Translation::default();
    let mut labels = Vec::new();
    for (position, literal) in literals.iter().enumerate() {
        let Some(formula) = translation.literal(arena, *literal) else { return Verdict::Unknown };
        let label = Bool::new_const(format!("literal {position}"));
        solver.assert(label.implies(formula));
        labels.push(label);
    }
    for axiom in &translation.axioms {
        solver.assert(axiom);
    }
    match solver.check_assumptions(&labels) {
        SatResult::Unsat => {
            let core = solver.get_unsat_core();
            Verdict::Unsatisfiable((0..labels.len()).filter(|position| core.contains(&labels[*position])).collect())
        }
        SatResult::Unknown => Verdict::Unknown,
        SatResult::Sat => {
            let Some(model) = solver.get_model() else { return Verdict::Unknown };
            let value = |(variable, int): (&Variable, &Int)| Some((*variable, model.eval(int, true)?.as_i128()?));
            translation.variables.iter().map(value).collect::<Option<_>>().map_or(Verdict::Unknown, Verdict::Satisfiable)
        }
    }
}

impl Translation {
    fn literal(&mut self, arena: &Arena, literal: Literal) -> Option<Bool> {
        self.complete(arena, literal.term)?;
        let term = self.linear(arena, literal.term)?;
        let zero = Int::from(0);
        Some(match literal.sign {
            Sign::AtMostZero => term.le(zero),
            Sign::Zero => term.eq(zero),
            Sign::NotZero => term.eq(zero).not(),
        })
    }

    /// Translates what the term mentions.
    fn complete(&mut self, arena: &Arena, term: LinearId) -> Option<()> {
        self.complete_all(arena, atoms(arena, term)?)
    }

    fn complete_all(&mut self, arena: &Arena, mut open: Vec<Work>) -> Option<()> {
        while let Some(work) = open.last().copied() {
            let mut needed = if self.is_done(work) { Vec::new() } else { mentioned(arena, work)? };
            needed.retain(|work| !self.is_done(*work));
            if needed.is_empty() {
                open.pop();
                if !self.is_done(work) {
                    self.translate(arena, work)?;
                }
            } else {
                open.append(&mut needed);
            }
        }
        Some(())
    }

    fn is_done(&self, work: Work) -> bool {
        match work {
            Work::Atom(id) => self.atoms.contains_key(&id),
            Work::Array(id) => self.arrays.contains_key(&id),
        }
    }

    /// What it mentions is translated.
    fn translate(&mut self, arena: &Arena, work: Work) -> Option<()> {
        match work {
            Work::Atom(id) => {
                let int = self.atom(arena, id)?;
                self.atoms.insert(id, int);
            }
            Work::Array(id) => {
                let array = self.array(arena, id)?;
                self.arrays.insert(id, array);
            }
        }
        Some(())
    }

    fn atom(&mut self, arena: &Arena, id: AtomId) -> Option<Int> {
        let int = match *arena.atom(id).ok()? {
            Atom::Variable(variable) => {
                let int = Int::new_const(format!("x{}.{}", sort_index(variable.sort), variable.number));
                self.variables.insert(variable, int.clone());
                int
            }
            Atom::Select { array, index } => {
                let index = self.linear(arena, index)?;
                self.bound_elements(arena, array, &index)?;
                self.arrays.get(&array)?.select(&index).as_int()?
            }
            Atom::Quotient { divisor, argument } => {
                let quotient = Int::new_const(format!("q{}", id.0));
                let rest = self.linear(arena, argument)? - Int::from(divisor) * &quotient;
                self.bound(&rest, Some((0, divisor - 1)));
                return Some(quotient);
            }
            Atom::Apply(Computation { operation, kind, left, right }) => {
                let (left, right) = (self.linear(arena, left)?, self.linear(arena, right)?);
                if self.exact.is_some() {
                    return Some(self.define(operation, kind, [&left, &right]));
                }
                let function = self
                    .functions
                    .entry((operation, kind))
                    .or_insert_with(|| FuncDecl::new(format!("{operation:?} {kind:?}"), &[&Sort::int(), &Sort::int()], &Sort::int()));
                let result = function.apply(&[&left, &right]).as_int()?;
                self.wrap(id, operation, kind, &result, [&left, &right]);
                result
            }
        };
        self.bound(&int, arena.atom_range(id));
        Some(int)
    }

    /// Sums and differences, conversions among them, are exact up to a multiple of the type's period.
    fn wrap(&mut self, id: AtomId, operation: Operation, kind: IntegerType, result: &Int, [left, right]: [&Int; 2]) {
        let exact = match operation {
            Operation::Add => left + right,
            Operation::Subtract => left - right,
            _ => return,
        };
        let (least, greatest) = range(kind);
        let periods = Int::new_const(format!("p{}", id.0));
        self.axioms.push(result.eq(exact + Int::from(greatest - least + 1) * periods));
    }

    fn array(&mut self, arena: &Arena, id: ArrayId) -> Option<ast::Array> {
        Some(match *arena.array(id).ok()? {
            Array::Table(table) if self.exact.is_some() => self.table(table),
            Array::Variable(_) | Array::Table(_) => ast::Array::new_const(format!("a{}", id.0), &Sort::int(), &Sort::int()),
            Array::Store(ArrayStore { array, index, value }) => {
                let (index, value) = (self.linear(arena, index)?, self.linear(arena, value)?);
                self.arrays.get(&array)?.store(&index, &value)
            }
            Array::Constant(value) => ast::Array::const_array(&Sort::int(), &self.linear(arena, value)?),
        })
    }

    /// The element lies in the range of the array, and of those that it is made of by stores.
    fn bound_elements(&mut self, arena: &Arena, array: ArrayId, index: &Int) -> Option<()> {
        let mut array = array;
        loop {
            let element = self.arrays.get(&array)?.select(index).as_int()?;
            self.bound(&element, arena.array_range(array));
            match *arena.array(array).ok()? {
                Array::Store(ArrayStore { array: below, .. }) => array = below,
                _ => return Some(()),
            }
        }
    }

    fn bound(&mut self, int: &Int, range: Range) {
        if let Some((least, greatest)) = range {
            self.axioms.push(int.ge(Int::from(least)));
            self.axioms.push(int.le(Int::from(greatest)));
        }
    }

    fn linear(&self, arena: &Arena, id: LinearId) -> Option<Int> {
        let linear = arena.linear(id).ok()?;
        let mut sum = Int::from(linear.constant);
        for (atom, coefficient) in &linear.summands {
            sum += Int::from(*coefficient) * self.atoms.get(atom)?;
        }
        Some(sum)
    }
}
