//! Linear integer arithmetic: bounds on sums by the simplex method, integers by cases, and what the checker replays where there is no solution.

use crate::{
    refutation::{Ground, Refuted, Writer},
    simplex::{Column, Contradiction, GivenUp, Side, Simplex},
};
use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    formula::{Domain, Expression, ExpressionId, Signed},
    term::{Atom, AtomId, LinearId, Literal, Variable},
};
use goatherd_checker::{budget::Budget, refute, rejection::Rejection, term::Arena};
use goatherd_logic::common_divisor;
use goatherd_queries::table::ExpressionTable;
use std::collections::{BTreeMap, BTreeSet};

/// Cases are told apart so often, one inside the other, and as often in all.
const DEEPEST: u32 = 40;
const MOST_CASES: usize = 400;

/// The memory that the terms of a formula may take, in bytes.
const MEMORY: u64 = 1 << 32;

/// `term <= 0` as a bound.
#[derive(Clone, Copy, Debug)]
enum Bound {
    /// It has no variables.
    Constant(bool),
    /// On a column.
    On { column: Column, side: Side, bound: i128 },
}

/// A clause that arithmetic alone shows.
#[derive(Clone, Debug)]
pub struct Lemma {
    /// The clause.
    pub clause: Vec<Signed>,
    /// That its negation is impossible.
    pub refutation: Refutation,
}

/// What comes of a check.
#[derive(Clone, Debug)]
pub enum Checked {
    /// There is a solution; of [`Arithmetic::check`]: of fractions.
    Open,
    /// There is none.
    Impossible(Lemma),
    /// Numbers are too large, or there are too many cases.
    Unknown,
}

/// The comparisons that are asserted, and their terms.
pub struct Arithmetic {
    /// The terms.
    pub arena: Arena,
    /// By expression, its value, if it is an integer.
    values: Vec<Option<LinearId>>,
    simplex: Simplex<Ground>,
    columns: BTreeMap<AtomId, Column>,
    sums: BTreeMap<Vec<(AtomId, i128)>, Column>,
    /// By comparison: what it says, and what its negation says.
    comparisons: BTreeMap<ExpressionId, [(Literal, Bound); 2]>,
    /// The bounds that have to be rounded before they are added up.
    rounded: BTreeSet<Ground>,
    /// Of the last solution, the values of atoms.
    solution: BTreeMap<AtomId, i128>,
    cases: usize,
}

impl Arithmetic {
    /// Knows all integers and comparisons of the table.
    pub fn new(table: &ExpressionTable) -> Result<Self, GivenUp> {
        let arena = Arena::new(&[], Budget::new(MEMORY)).map_err(|_| GivenUp)?;
        let mut arithmetic = Self {
            arena,
            values: Vec::new(),
            simplex: Simplex::new(),
            columns: BTreeMap::new(),
            sums: BTreeMap::new(),
            comparisons: BTreeMap::new(),
            rounded: BTreeSet::new(),
            solution: BTreeMap::new(),
            cases: 0,
        };
        for (id, expression) in (0..).map(ExpressionId).zip(&table.expressions) {
            let value = arithmetic.value_of(id, expression, table).map_err(|_| GivenUp)?;
            arithmetic.values.push(value);
            if let Expression::AtMost { left, right } = expression {
                arithmetic.compare(id, *left, *right)?;
            }
        }
        Ok(arithmetic)
    }

    /// As the checker evaluates.
    fn value_of(&mut self, id: ExpressionId, expression: &Expression, table: &ExpressionTable) -> Result<Option<LinearId>, Rejection> {
        if table.domain(id) != Domain::Integer {
            return Ok(None);
        }
        let value = |part: &ExpressionId| self.values[part.index()].ok_or(Rejection::Deduction);
        match expression {
            Expression::Sum { constant, summands } => {
                let parts = summands.iter().map(|(part, coefficient)| Ok((value(part)?, *coefficient)));
                let parts = parts.collect::<Result<Vec<_>, Rejection>>()?;
                self.arena.combine(*constant, &parts)
            }
            Expression::Quotient { argument, divisor } => {
                let argument = value(argument)?;
                self.arena.quotient(argument, *divisor)
            }
            _ => self.arena.variable(Variable { sort: None, number: id.0 }),
        }
        .map(Some)
    }

    fn compare(&mut self, id: ExpressionId, left: ExpressionId, right: ExpressionId) -> Result<(), GivenUp> {
        let value = |part: ExpressionId| self.values[part.index()].ok_or(GivenUp);
        let (left, right) = (value(left)?, value(right)?);
        let at_most = self.arena.at_most(left, right).map_err(|_| GivenUp)?;
        let greater = self.arena.less(right, left).map_err(|_| GivenUp)?;
        let holds = self.grounded(at_most, Ground::Asserted(Signed::Holds(id)))?;
        let fails = self.grounded(greater, Ground::Asserted(Signed::Fails(id)))?;
        self.comparisons.insert(id, [(at_most, holds), (greater, fails)]);
        Ok(())
    }

    /// What `term <= 0` says, by that ground.
    fn grounded(&mut self, literal: Literal, ground: Ground) -> Result<Bound, GivenUp> {
        let (bound, divisor) = self.bound(literal.term)?;
        if divisor > 1 {
            self.rounded.insert(ground);
        }
        Ok(bound)
    }

    /// `term <= 0` as a bound, and what the term has been divided by, before it was rounded.
    fn bound(&mut self, term: LinearId) -> Result<(Bound, i128), GivenUp> {
        let linear = self.arena.linear(term).map_err(|_| GivenUp)?.clone();
        let Some((_, first)) = linear.summands.first() else { return Ok((Bound::Constant(linear.constant <= 0), 1)) };
        let divisor = linear.summands.iter().fold(0, |divisor, (_, coefficient)| common_divisor(divisor, *coefficient));
        let sign = first.signum();
        let form: Vec<(AtomId, i128)> = linear.summands.iter().map(|(atom, coefficient)| (*atom, coefficient / divisor * sign)).collect();
        let bound = linear.constant.checked_neg().ok_or(GivenUp)?.div_euclid(divisor);
        let column = self.column(&form)?;
        let (side, bound) = if sign > 0 { (Side::Upper, bound) } else { (Side::Lower, bound.checked_neg().ok_or(GivenUp)?) };
        Ok((Bound::On { column, side, bound }, divisor))
    }

    fn column(&mut self, form: &[(AtomId, i128)]) -> Result<Column, GivenUp> {
        if let [(atom, 1)] = form {
            return self.variable(*atom);
        }
        if let Some(column) = self.sums.get(form) {
            return Ok(*column);
        }
        let mut summands = Vec::with_capacity(form.len());
        for (atom, coefficient) in form {
            summands.push((self.variable(*atom)?, *coefficient));
        }
        let column = self.simplex.sum(&summands)?;
        self.sums.insert(form.to_vec(), column);
        Ok(column)
    }

    /// The column of an atom; a quotient's has bounds that always hold.
    fn variable(&mut self, atom: AtomId) -> Result<Column, GivenUp> {
        if let Some(column) = self.columns.get(&atom) {
            return Ok(*column);
        }
        let column = self.simplex.variable();
        self.columns.insert(atom, column);
        let Atom::Quotient { divisor, argument } = *self.arena.atom(atom).map_err(|_| GivenUp)? else { return Ok(column) };
        // 0 <= argument - divisor * quotient <= divisor - 1
        let quotient = self.arena.of_atom(atom).map_err(|_| GivenUp)?;
        let rest = self.arena.combine(0, &[(argument, 1), (quotient, -divisor)]).map_err(|_| GivenUp)?;
        let bounds = self.arena.within(rest, (0, divisor - 1)).map_err(|_| GivenUp)?;
        for (side, literal) in [Side::Lower, Side::Upper].into_iter().zip(bounds) {
            let ground = Ground::Quotient(atom, side);
            let bound = self.grounded(literal, ground)?;
            self.impose(bound, ground)?;
        }
        Ok(column)
    }

    fn impose(&mut self, bound: Bound, ground: Ground) -> Result<Option<Contradiction<Ground>>, GivenUp> {
        match bound {
            Bound::Constant(true) => Ok(None),
            Bound::Constant(false) => Ok(Some(vec![(ground, 1)])),
            Bound::On { column, side, bound } => self.simplex.bound(column, side, bound, ground),
        }
    }

    /// How many exchanges of columns and cases there have been.
    pub fn work(&self) -> usize {
        self.simplex.pivots + self.cases
    }

    /// Where assertions stand.
    pub fn mark(&self) -> usize {
        self.simplex.mark()
    }

    /// Takes assertions back.
    pub fn return_to(&mut self, mark: usize) {
        self.simplex.return_to(mark);
    }

    /// Asserts what the comparison says, or its negation; nothing of what is no comparison.
    pub fn assert(&mut self, signed: Signed) -> Checked {
        let (Signed::Holds(id) | Signed::Fails(id)) = signed;
        let Some(bounds) = self.comparisons.get(&id) else { return Checked::Open };
        let (_, bound) = bounds[usize::from(matches!(signed, Signed::Fails(_)))];
        let imposed = self.impose(bound, Ground::Asserted(signed));
        self.checked(imposed)
    }

    /// Is there a solution of fractions?
    pub fn check(&mut self) -> Checked {
        let contradiction = self.simplex.check();
        self.checked(contradiction)
    }

    fn checked(&mut self, contradiction: Result<Option<Contradiction<Ground>>, GivenUp>) -> Checked {
        match contradiction {
            Ok(None) => Checked::Open,
            Ok(Some(contradiction)) => self.lemma(&Refuted::Sum(contradiction)),
            Err(GivenUp) => Checked::Unknown,
        }
    }

    /// Is there a solution of integers?
    pub fn solve(&mut self) -> Checked {
        let (most, mark) = (self.cases + MOST_CASES, self.simplex.mark());
        let refuted = self.integers(0, most);
        self.simplex.return_to(mark);
        match refuted {
            Ok(None) => Checked::Open,
            Ok(Some(refuted)) => self.lemma(&refuted),
            Err(GivenUp) => Checked::Unknown,
        }
    }

    /// Why there is no solution of integers; nothing where there is one.
    fn integers(&mut self, depth: u32, most: usize) -> Result<Option<Refuted>, GivenUp> {
        if let Some(contradiction) = self.simplex.check()? {
            return Ok(Some(Refuted::Sum(contradiction)));
        }
        let fraction = self.columns.iter().find(|(_, column)| self.simplex.value(**column).denominator != 1);
        let Some((atom, column)) = fraction.map(|(atom, column)| (*atom, *column)) else {
            self.solution = self.columns.iter().map(|(atom, column)| (*atom, self.simplex.value(*column).numerator)).collect();
            return Ok(None);
        };
        if let Some([above, below]) = self.simplex.indivisible()? {
            return Ok(Some(Refuted::Indivisible { above, below }));
        }
        self.cases += 1;
        if depth == DEEPEST || self.cases > most {
            return Err(GivenUp);
        }
        let at_most = self.simplex.value(column).floor();
        let mut sides = Vec::new();
        for (side, bound) in [(Side::Upper, at_most), (Side::Lower, at_most.checked_add(1).ok_or(GivenUp)?)] {
            let mark = self.simplex.mark();
            let refuted = match self.simplex.bound(column, side, bound, Ground::Case(depth))? {
                Some(contradiction) => Some(Refuted::Sum(contradiction)),
                None => self.integers(depth + 1, most)?,
            };
            self.simplex.return_to(mark);
            match refuted {
                // The other case is as impossible, for the same reason.
                Some(refuted) if !refuted.grounds().contains(&Ground::Case(depth)) => return Ok(Some(refuted)),
                Some(refuted) => sides.push(Box::new(refuted)),
                None => return Ok(None),
            }
        }
        let [low, high] = <[_; 2]>::try_from(sides).map_err(|_| GivenUp)?;
        Ok(Some(Refuted::Cases { atom, at_most, low, high }))
    }

    /// The clause that says so, with what the checker replays.
    fn lemma(&mut self, refuted: &Refuted) -> Checked {
        self.written(refuted).map_or(Checked::Unknown, Checked::Impossible)
    }

    fn written(&mut self, refuted: &Refuted) -> Option<Lemma> {
        let grounds = refuted.grounds();
        let asserted =
            grounds.iter().filter_map(|ground| if let Ground::Asserted(signed) = ground { Some(opposite(*signed)) } else { None });
        let clause: Vec<Signed> = asserted.collect();
        let refutation = Writer::new(&mut self.arena).write(refuted, &grounds, &self.rounded)?;
        let lemma = Lemma { clause, refutation };
        self.is_accepted(&lemma).then_some(lemma)
    }

    /// Does the checker's arithmetic follow?
    fn is_accepted(&mut self, lemma: &Lemma) -> bool {
        let known = |signed: &Signed| match signed {
            Signed::Holds(id) => self.comparisons.get(id).map(|[_, (fails, _)]| *fails),
            Signed::Fails(id) => self.comparisons.get(id).map(|[(holds, _), _]| *holds),
        };
        let opposites: Option<Vec<Literal>> = lemma.clause.iter().map(known).collect();
        let mark = self.arena.mark();
        let is_accepted = opposites.is_some_and(|opposites| refute::check(&mut self.arena, &opposites, &[], &lemma.refutation).is_ok());
        self.arena.return_to(&mark);
        is_accepted
    }

    /// `s = t` is both `s <= t` and `t <= s`: the clauses that say so.
    pub fn equation(
        &mut self,
        equal: ExpressionId,
        (left, right): (ExpressionId, ExpressionId),
        [below, above]: [ExpressionId; 2],
    ) -> Vec<Lemma> {
        let values = [left, right].map(|side| self.values[side.index()]);
        let difference = if let [Some(left), Some(right)] = values { self.arena.difference(left, right).ok() } else { None };
        let combine = |parts: &[(u32, i128)]| Deduction::Combine(parts.iter().map(|(fact, times)| (FactId(*fact), *times)).collect());
        let lemma = |clause: Vec<Signed>, deductions: Vec<Deduction>| Lemma { clause, refutation: Refutation { deductions } };
        let tighten = Deduction::Tighten { bound: FactId(1), disequality: FactId(0) };
        // Where both sides are the same, that is a contradiction already.
        let both = if difference.and_then(|difference| self.arena.value(difference)) == Some(0) {
            vec![tighten]
        } else {
            vec![tighten, combine(&[(2, 1), (3, 1)])]
        };
        vec![
            lemma(vec![Signed::Fails(equal), Signed::Holds(below)], vec![combine(&[(0, 1), (1, 1)])]),
            lemma(vec![Signed::Fails(equal), Signed::Holds(above)], vec![combine(&[(0, -1), (1, 1)])]),
            lemma(vec![Signed::Holds(equal), Signed::Fails(below), Signed::Fails(above)], both),
        ]
    }

    /// The value of an integer in the last solution; what nothing is said of is 0.
    pub fn value(&self, id: ExpressionId) -> Option<i128> {
        let linear = self.arena.linear(self.values.get(id.index()).copied().flatten()?).ok()?;
        let mut value = linear.constant;
        for (atom, coefficient) in &linear.summands {
            let atom = self.solution.get(atom).copied().unwrap_or(0);
            value = value.checked_add(atom.checked_mul(*coefficient)?)?;
        }
        Some(value)
    }
}

/// The negation.
pub fn opposite(signed: Signed) -> Signed {
    match signed {
        Signed::Holds(id) => Signed::Fails(id),
        Signed::Fails(id) => Signed::Holds(id),
    }
}
