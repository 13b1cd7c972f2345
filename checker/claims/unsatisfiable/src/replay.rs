//! Clauses, one after the other, each true in every model of the formula; the last one is empty (`spec/smt.md`).

use crate::expressions::{Expressions, length};
use alloc::vec::Vec;
use goatherd_certificates::{
    certificate::Claim,
    derivation::Refutation,
    formula::{ClauseId, Domain, Expression, ExpressionId, FormulaCertificate, Inference, Signed},
    term::{LinearId, Literal, Sign, Variable},
};
use goatherd_checker::{
    Arena, Budget, Rejection, ensure,
    error::{self, Failure, Where},
    refute,
};

use Signed::{Fails, Holds};

/// Replays what shows that the formula has no model.
pub fn replay(certificate: &FormulaCertificate, budget: Budget) -> Result<Arena, Failure> {
    let FormulaCertificate {
        claim,
        formula,
        evidence,
        ..
    } = certificate;
    let at_evidence = error::at(Where::Evidence);
    ensure(
        *claim == Claim::Unsatisfiable,
        at_evidence(Rejection::Claim),
    )?;
    let mut arena = Arena::new(&[], budget)?;
    let expressions = Expressions::new(formula, &evidence.expressions, &mut arena)?;
    for (number, term) in (0u32..).zip(&evidence.terms) {
        arena.budget.work(0)?;
        arena.define(term).map_err(error::at(Where::Term(number)))?;
    }
    let bytes = size_of::<Option<LinearId>>().saturating_add(size_of::<Option<bool>>());
    arena
        .budget
        .take(expressions.count().saturating_mul(bytes))?;
    let mut replay = Replay {
        assertions: &formula.assertions,
        values: Vec::with_capacity(expressions.count()),
        assigned: alloc::vec![None; expressions.count()],
        expressions,
        arena,
        clauses: Vec::new(),
    };
    replay.evaluate().map_err(&at_evidence)?;
    for (number, step) in (0u32..).zip(&evidence.steps) {
        replay.step(step).map_err(error::at(Where::Step(number)))?;
    }
    let last = replay.clauses.last();
    ensure(
        last.is_some_and(Vec::is_empty),
        at_evidence(Rejection::Open),
    )?;
    Ok(replay.arena)
}

/// A replay under way.
struct Replay<'a> {
    expressions: Expressions<'a>,
    assertions: &'a [ExpressionId],
    /// By expression, its value as a term, if it is an integer.
    values: Vec<Option<LinearId>>,
    /// By expression, what it has to be for the clause at hand to be false; nothing between two steps.
    assigned: Vec<Option<bool>>,
    arena: Arena,
    clauses: Vec<Vec<Signed>>,
}

impl Replay<'_> {
    /// Sums and quotients are those of the kernel; every other integer is a variable of any value, whose number is that of the expression.
    fn evaluate(&mut self) -> Result<(), Rejection> {
        for number in (0u32..).take(self.expressions.count()) {
            let id = ExpressionId(number);
            let value = if self.expressions.domain(id)? == Domain::Integer {
                Some(self.value_of(id)?)
            } else {
                None
            };
            self.values.push(value);
        }
        Ok(())
    }

    fn value_of(&mut self, id: ExpressionId) -> Result<LinearId, Rejection> {
        let expression = self.expressions.get(id)?;
        self.arena.budget.work(length(expression))?;
        match expression {
            Expression::Sum { constant, summands } => {
                let held = size_of::<(LinearId, i128)>().saturating_mul(summands.len());
                self.arena.budget.take(held)?;
                let mut parts = Vec::with_capacity(summands.len());
                for (part, coefficient) in summands {
                    parts.push((self.value(*part)?, *coefficient));
                }
                self.arena.budget.release(held);
                self.arena.combine(*constant, &parts)
            }
            Expression::Quotient { argument, divisor } => {
                let argument = self.value(*argument)?;
                self.arena.quotient(argument, *divisor)
            }
            _ => self.arena.variable(Variable {
                sort: None,
                number: id.0,
            }),
        }
    }

    fn value(&self, id: ExpressionId) -> Result<LinearId, Rejection> {
        let value = self.values.get(id.index()).copied().flatten();
        value.ok_or(Rejection::Deduction)
    }

    /// Adds the clause that the step shows.
    fn step(&mut self, step: &Inference) -> Result<(), Rejection> {
        let clause = match step {
            Inference::Assertion(number) => {
                let position = usize::try_from(*number).unwrap_or(usize::MAX);
                let assertion = self.assertions.get(position).ok_or(Rejection::Missing)?;
                alloc::vec![Holds(*assertion)]
            }
            Inference::Definition { expression, clause } => {
                let parts = length(self.expressions.get(*expression)?);
                self.arena.budget.work(parts)?;
                self.expressions.definition(*expression, *clause)?
            }
            Inference::Choice { equality } => self.choice(*equality)?,
            Inference::ReadSame { equality, indices } => {
                let (_, value) = self.read(*equality, *indices)?;
                ensure(self.equality(*equality)?.1 == value, Rejection::Deduction)?;
                alloc::vec![Fails(*indices), Holds(*equality)]
            }
            Inference::ReadOther { equality, indices } => {
                let (below, _) = self.read(*equality, *indices)?;
                let (_, other) = self.equality(*equality)?;
                let (_, at) = self.equality(*indices)?;
                ensure(self.select(other)? == (below, at), Rejection::Deduction)?;
                alloc::vec![Holds(*indices), Holds(*equality)]
            }
            Inference::ReadFill { equality } => {
                let (element, other) = self.equality(*equality)?;
                let (array, _) = self.select(element)?;
                let is_filled = *self.expressions.get(array)? == Expression::Fill(other);
                ensure(is_filled, Rejection::Deduction)?;
                alloc::vec![Holds(*equality)]
            }
            Inference::SameElement { equality, premises } => {
                self.congruence(*equality, premises)?
            }
            Inference::Extensionality { equality, elements } => {
                self.extensionality(*equality, *elements)?;
                alloc::vec![Holds(*equality), Fails(*elements)]
            }
            Inference::Arithmetic { clause, refutation } => {
                self.arithmetic(clause, refutation)?;
                clause.clone()
            }
            Inference::Propagation { clause, hints } => {
                self.propagation(clause, hints)?;
                clause.clone()
            }
        };
        let bytes = clause.len().saturating_mul(size_of::<Signed>());
        let bytes = bytes.saturating_add(CLAUSE);
        self.arena.budget.take(bytes)?;
        self.arena.budget.work(clause.len())?;
        self.clauses.push(clause);
        Ok(())
    }

    /// Both sides of an equation.
    fn equality(&self, id: ExpressionId) -> Result<(ExpressionId, ExpressionId), Rejection> {
        match *self.expressions.get(id)? {
            Expression::Equal { left, right } => Ok((left, right)),
            _ => Err(Rejection::Deduction),
        }
    }

    /// Array and index of an element.
    fn select(&self, id: ExpressionId) -> Result<(ExpressionId, ExpressionId), Rejection> {
        match *self.expressions.get(id)? {
            Expression::Select { array, index } => Ok((array, index)),
            _ => Err(Rejection::Deduction),
        }
    }

    fn choice(&self, equality: ExpressionId) -> Result<Vec<Signed>, Rejection> {
        let (chosen, value) = self.equality(equality)?;
        match *self.expressions.get(chosen)? {
            Expression::IfThenElse {
                condition, then, ..
            } if value == then => Ok(alloc::vec![Fails(condition), Holds(equality)]),
            Expression::IfThenElse {
                condition,
                otherwise,
                ..
            } if value == otherwise => Ok(alloc::vec![Holds(condition), Holds(equality)]),
            _ => Err(Rejection::Deduction),
        }
    }

    /// Of `select(store(a, i, v), j) = t` and `i = j`: a and v.
    fn read(
        &self,
        equality: ExpressionId,
        indices: ExpressionId,
    ) -> Result<(ExpressionId, ExpressionId), Rejection> {
        let (element, _) = self.equality(equality)?;
        let (array, index) = self.select(element)?;
        let Expression::Store {
            array: below,
            index: at,
            value,
        } = *self.expressions.get(array)?
        else {
            return Err(Rejection::Deduction);
        };
        ensure(self.equality(indices)? == (at, index), Rejection::Deduction)?;
        Ok((below, value))
    }

    fn congruence(
        &mut self,
        equality: ExpressionId,
        premises: &[ExpressionId],
    ) -> Result<Vec<Signed>, Rejection> {
        let (left, right) = self.equality(equality)?;
        let ((array, index), (other_array, other_index)) =
            (self.select(left)?, self.select(right)?);
        let pairs = [(array, other_array), (index, other_index)];
        let mut premises = premises.iter();
        let mut clause = Vec::with_capacity(3);
        for pair in pairs.into_iter().filter(|(one, other)| one != other) {
            let premise = premises.next().ok_or(Rejection::Deduction)?;
            ensure(self.equality(*premise)? == pair, Rejection::Deduction)?;
            clause.push(Fails(*premise));
        }
        ensure(premises.next().is_none(), Rejection::Deduction)?;
        clause.push(Holds(equality));
        Ok(clause)
    }

    fn extensionality(
        &self,
        equality: ExpressionId,
        elements: ExpressionId,
    ) -> Result<(), Rejection> {
        let (left, right) = self.equality(equality)?;
        let (one, other) = self.equality(elements)?;
        let ((array, index), (other_array, other_index)) = (self.select(one)?, self.select(other)?);
        let is_witness = *self.expressions.get(index)? == Expression::Witness { left, right };
        let are_theirs = (array, other_array, other_index) == (left, right, index);
        ensure(is_witness && are_theirs, Rejection::Deduction)
    }

    /// The kernel refutes that all literals are false.
    fn arithmetic(&mut self, clause: &[Signed], refutation: &Refutation) -> Result<(), Rejection> {
        let mark = self.arena.mark();
        let bytes = clause.len().saturating_mul(size_of::<Literal>());
        self.arena.budget.take(bytes)?;
        let mut opposites = Vec::with_capacity(clause.len());
        for signed in clause {
            opposites.push(self.opposite(*signed)?);
        }
        refute::check(&mut self.arena, &opposites, &[], refutation)?;
        self.arena.return_to(&mark);
        Ok(())
    }

    /// The opposite of a comparison or an equation of integers.
    fn opposite(&mut self, signed: Signed) -> Result<Literal, Rejection> {
        let (Holds(id) | Fails(id)) = signed;
        match *self.expressions.get(id)? {
            Expression::AtMost { left, right } => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                match signed {
                    Holds(_) => self.arena.less(right, left),
                    Fails(_) => self.arena.at_most(left, right),
                }
            }
            Expression::Equal { left, right } => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let sign = match signed {
                    Holds(_) => Sign::NotZero,
                    Fails(_) => Sign::Zero,
                };
                let difference = self.arena.difference(left, right)?;
                Ok(Literal::new(sign, difference))
            }
            _ => Err(Rejection::Deduction),
        }
    }

    /// Unit propagation along the hints, from the literals' being false, to a clause that is false.
    fn propagation(&mut self, clause: &[Signed], hints: &[ClauseId]) -> Result<(), Rejection> {
        let most = clause.len().saturating_add(hints.len());
        let bytes = most.saturating_mul(size_of::<ExpressionId>());
        self.arena.budget.take(bytes)?;
        self.arena.budget.work(most)?;
        let mut trail = Vec::with_capacity(most);
        for signed in clause {
            let (Holds(id) | Fails(id)) = *signed;
            self.expressions.expect(id, Domain::Boolean)?;
            self.assign(*signed, false, &mut trail)?;
        }
        let mut is_closed = false;
        for hint in hints {
            ensure(!is_closed, Rejection::Hints)?;
            match self.unit(*hint)? {
                Some(signed) => self.assign(signed, true, &mut trail)?,
                None => is_closed = true,
            }
        }
        ensure(is_closed, Rejection::NotRefuted)?;
        for id in trail {
            if let Some(assigned) = self.assigned.get_mut(id.index()) {
                *assigned = None;
            }
        }
        self.arena.budget.release(bytes);
        Ok(())
    }

    /// Of a clause all of whose other literals are false: the one that is left, if one is.
    fn unit(&mut self, hint: ClauseId) -> Result<Option<Signed>, Rejection> {
        let clause = self.clauses.get(hint.index()).ok_or(Rejection::Missing)?;
        self.arena.budget.work(clause.len())?;
        let mut unit = None;
        for signed in clause {
            let (Holds(id) | Fails(id)) = *signed;
            let wanted = matches!(signed, Holds(_));
            if let Some(value) = self.assigned.get(id.index()).copied().flatten() {
                ensure(value != wanted, Rejection::Hints)?;
            } else {
                let is_only = unit.is_none_or(|other| other == *signed);
                ensure(is_only, Rejection::Hints)?;
                unit = Some(*signed);
            }
        }
        Ok(unit)
    }

    /// The literal is true, or false; it was neither.
    fn assign(
        &mut self,
        signed: Signed,
        is_true: bool,
        trail: &mut Vec<ExpressionId>,
    ) -> Result<(), Rejection> {
        let (id, value) = match signed {
            Holds(id) => (id, is_true),
            Fails(id) => (id, !is_true),
        };
        let assigned = self.assigned.get_mut(id.index());
        let assigned = assigned.ok_or(Rejection::Missing)?;
        ensure(assigned.is_none(), Rejection::Hints)?;
        *assigned = Some(value);
        trail.push(id);
        Ok(())
    }
}

/// What a clause takes beyond its literals, at most, in bytes.
const CLAUSE: usize = 64;
