//! Terms: interned, normalised, with dense ids, so that equal terms have equal ids and nothing recurses (`spec/calculus.md#terms`).

use crate::arithmetic::{add, apply, divide, fits, multiply, range, subtract};
use crate::parts::{map_array, map_atom};
use crate::{Budget, Declined, Part, Rejection, Result, ensure, entry, entry_mut};
use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};
use goatherd_certificates::*;

/// Least and greatest value, where both are known from the term alone.
pub type Range = Option<(i128, i128)>;

/// Do all values lie in the range of the type?
pub fn lies_in(range: Range, kind: IntegerType) -> bool {
    range.is_some_and(|(least, greatest)| fits(least, kind) && fits(greatest, kind))
}

/// A term with what is known of it from the term alone.
#[derive(Clone, Debug)]
struct Node<T> {
    term: T,
    range: Range,
    scope: Scope,
}

/// The terms of one kind, by id and by content.
#[derive(Clone, Debug)]
struct Nodes<T> {
    nodes: Vec<Node<T>>,
    ids: BTreeMap<T, u32>,
}

impl<T: Clone + Ord> Nodes<T> {
    const fn new() -> Self {
        Self {
            nodes: Vec::new(),
            ids: BTreeMap::new(),
        }
    }

    fn get(&self, position: usize) -> Result<&Node<T>> {
        entry(&self.nodes, position)
    }

    /// The next id, for a term that has none.
    fn intern(&mut self, budget: &mut Budget, node: Node<T>, extra: usize) -> Result<u32> {
        let id = u32::try_from(self.nodes.len()).map_err(|_| Rejection::Overflow)?;
        // Twice in memory: by id and by term.
        budget.take(size_of::<Node<T>>().saturating_add(extra).saturating_mul(2))?;
        self.ids.insert(node.term.clone(), id);
        self.nodes.push(node);
        Ok(id)
    }

    /// Forgets the terms from this id on.
    fn truncate(&mut self, count: usize) {
        for node in self.nodes.drain(count.min(self.nodes.len())..) {
            self.ids.remove(&node.term);
        }
    }
}

/// How many terms of each kind there are, and how many bytes are held.
pub struct Mark {
    atoms: usize,
    linears: usize,
    arrays: usize,
    held: usize,
}

/// All terms of a check.
#[derive(Clone, Debug)]
pub struct Arena {
    atoms: Nodes<Atom>,
    /// By atom, the linear term that is the atom.
    of_atoms: Vec<LinearId>,
    linears: Nodes<Linear>,
    arrays: Nodes<Array>,
    tables: Arc<[Table]>,
    /// What may still be taken; configurations are charged here too.
    pub budget: Budget,
}

/// The position of a sort in [`Scope::integers`], and one less in [`Scope::arrays`].
pub fn sort_index(sort: Option<IntegerType>) -> usize {
    sort.and_then(|sort| SORTS.iter().position(|other| *other == sort))
        .map_or(0, |position| position.saturating_add(1))
}

/// All integer types, in the order of [`Scope::arrays`].
pub const SORTS: [IntegerType; 9] = {
    use IntegerType::{Bool, I8, I16, I32, I64, U8, U16, U32, U64};
    [Bool, I8, U8, I16, U16, I32, U32, I64, U64]
};

/// Does every variable of the inner scope exist in the outer one?
pub fn includes(outer: &Scope, inner: &Scope) -> bool {
    let integers = inner.integers.iter().zip(&outer.integers);
    let arrays = inner.arrays.iter().zip(&outer.arrays);
    integers.chain(arrays).all(|(inner, outer)| inner <= outer)
}

fn join(into: &mut Scope, other: &Scope) {
    let integers = into.integers.iter_mut().zip(&other.integers);
    let arrays = into.arrays.iter_mut().zip(&other.arrays);
    for (count, other) in integers.chain(arrays) {
        *count = (*count).max(*other);
    }
}

/// How many integer variables of the sort there are.
pub fn integer_count(scope: &mut Scope, sort: Option<IntegerType>) -> Result<&mut u32> {
    entry_mut(&mut scope.integers, sort_index(sort))
}

/// How many array variables of the sort there are.
pub fn array_count(scope: &mut Scope, sort: IntegerType) -> Result<&mut u32> {
    let position = SORTS.iter().position(|other| *other == sort);
    entry_mut(&mut scope.arrays, position.ok_or(Rejection::Missing)?)
}

/// The number of the next variable, counted from now on.
pub fn next(count: &mut u32) -> Result<u32> {
    let number = *count;
    *count = number.checked_add(1).ok_or(Rejection::Overflow)?;
    Ok(number)
}

impl Arena {
    /// No terms yet; the tables are the program's.
    pub fn new(tables: &[Table], mut budget: Budget) -> Result<Self, Declined> {
        budget.take(size_of_val(tables))?;
        tables
            .iter()
            .try_for_each(|table| budget.take(size_of_val(table.values.as_slice())))?;
        Ok(Self {
            atoms: Nodes::new(),
            of_atoms: Vec::new(),
            linears: Nodes::new(),
            arrays: Nodes::new(),
            tables: Arc::from(tables),
            budget,
        })
    }

    /// Where the arena stands.
    pub const fn mark(&self) -> Mark {
        Mark {
            atoms: self.atoms.nodes.len(),
            linears: self.linears.nodes.len(),
            arrays: self.arrays.nodes.len(),
            held: self.budget.held,
        }
    }

    /// Forgets the terms made since, and the memory taken for them and for whatever else: nobody holds any of it.
    pub fn return_to(&mut self, mark: &Mark) {
        self.atoms.truncate(mark.atoms);
        self.of_atoms.truncate(mark.atoms);
        self.linears.truncate(mark.linears);
        self.arrays.truncate(mark.arrays);
        self.budget.held = mark.held;
    }

    /// The atom behind an id.
    pub fn atom(&self, id: AtomId) -> Result<&Atom> {
        Ok(&self.atoms.get(id.index())?.term)
    }

    /// The linear term behind an id.
    pub fn linear(&self, id: LinearId) -> Result<&Linear> {
        Ok(&self.linears.get(id.index())?.term)
    }

    /// The atom that the term is, if it is one.
    pub fn as_atom(&self, id: LinearId) -> Result<Option<&Atom>> {
        let linear = self.linear(id)?;
        match linear.summands.as_slice() {
            [(atom, 1)] if linear.constant == 0 => self.atom(*atom).map(Some),
            _ => Ok(None),
        }
    }

    /// The array behind an id.
    pub fn array(&self, id: ArrayId) -> Result<&Array> {
        Ok(&self.arrays.get(id.index())?.term)
    }

    /// What the atom's values lie between, by its definition.
    pub fn atom_range(&self, id: AtomId) -> Range {
        self.atoms.nodes.get(id.index())?.range
    }

    /// What the term's values lie between, by the definition of its atoms.
    pub fn range(&self, id: LinearId) -> Range {
        self.linears.nodes.get(id.index())?.range
    }

    /// What the array's elements lie between, at every index.
    pub fn array_range(&self, id: ArrayId) -> Range {
        self.arrays.nodes.get(id.index())?.range
    }

    /// The variables that the term mentions.
    pub fn scope(&self, part: Part) -> Result<Scope> {
        match part {
            Part::Linear(id) => Ok(self.linears.get(id.index())?.scope),
            Part::Array(id) => Ok(self.arrays.get(id.index())?.scope),
        }
    }

    /// The term mentions only variables of the scope.
    pub fn exists(&self, scope: &Scope, part: Part) -> Result<()> {
        ensure(includes(scope, &self.scope(part)?), Rejection::Variable)
    }

    /// The term's value, if it is a constant.
    pub fn value(&self, id: LinearId) -> Option<i128> {
        let linear = self.linear(id).ok()?;
        linear.summands.is_empty().then_some(linear.constant)
    }

    fn add_atom(&mut self, term: Atom, range: Range) -> Result<LinearId> {
        if let Some(id) = self.atoms.ids.get(&term) {
            return self.of_atom(AtomId(*id));
        }
        let mut scope = Scope::default();
        if let Atom::Variable(variable) = term {
            let count = integer_count(&mut scope, variable.sort)?;
            *count = variable.number.checked_add(1).ok_or(Rejection::Overflow)?;
        }
        map_atom(&term, &mut |part| self.join_part(&mut scope, part))?;
        let node = Node { term, range, scope };
        let extra = size_of::<LinearId>();
        let id = self.atoms.intern(&mut self.budget, node, extra)?;
        let linear = self.add_linear(0, alloc::vec![(AtomId(id), 1)])?;
        self.of_atoms.push(linear);
        Ok(linear)
    }

    fn add_array(&mut self, term: Array, range: Range) -> Result<ArrayId> {
        if let Some(id) = self.arrays.ids.get(&term) {
            return Ok(ArrayId(*id));
        }
        let mut scope = Scope::default();
        if let Array::Variable(variable) = term {
            let count = array_count(&mut scope, variable.sort)?;
            *count = variable.number.checked_add(1).ok_or(Rejection::Overflow)?;
        }
        map_array(&term, &mut |part| self.join_part(&mut scope, part))?;
        self.arrays
            .intern(&mut self.budget, Node { term, range, scope }, 0)
            .map(ArrayId)
    }

    fn join_part(&self, scope: &mut Scope, part: Part) -> Result<u32> {
        join(scope, &self.scope(part)?);
        Ok(0)
    }

    /// The summands are in order and not 0.
    fn add_linear(&mut self, constant: i128, summands: Vec<(AtomId, i128)>) -> Result<LinearId> {
        let term = Linear { constant, summands };
        if let Some(id) = self.linears.ids.get(&term) {
            return Ok(LinearId(*id));
        }
        let mut scope = Scope::default();
        let mut range = Some((constant, constant));
        for (atom, coefficient) in &term.summands {
            let atom = self.atoms.get(atom.index())?;
            join(&mut scope, &atom.scope);
            range = scaled_sum(range, atom.range, *coefficient);
        }
        let extra = size_of_val(term.summands.as_slice());
        self.linears
            .intern(&mut self.budget, Node { term, range, scope }, extra)
            .map(LinearId)
    }

    /// A constant.
    pub fn constant(&mut self, value: i128) -> Result<LinearId> {
        self.combine(value, &[])
    }

    /// A variable.
    pub fn variable(&mut self, variable: Variable) -> Result<LinearId> {
        self.add_atom(Atom::Variable(variable), variable.sort.map(range))
    }

    /// An array variable.
    pub fn array_variable(&mut self, variable: ArrayVariable) -> Result<ArrayId> {
        self.add_array(Array::Variable(variable), Some(range(variable.sort)))
    }

    /// The atom as a linear term.
    pub fn of_atom(&self, atom: AtomId) -> Result<LinearId> {
        entry(&self.of_atoms, atom.index()).copied()
    }

    /// `constant + sum of coefficient * term`.
    pub fn combine(&mut self, constant: i128, parts: &[(LinearId, i128)]) -> Result<LinearId> {
        let mut length = 0usize;
        for (part, _) in parts {
            length = length.saturating_add(self.linear(*part)?.summands.len());
        }
        self.budget.work(length.saturating_add(parts.len()))?;
        // All are held for a moment, before those of one atom become one.
        let held = length.saturating_mul(size_of::<(AtomId, i128)>());
        self.budget.take(held)?;
        self.budget.release(held);
        let mut total = constant;
        let mut summands = Vec::with_capacity(length);
        for (part, coefficient) in parts {
            let linear = self.linear(*part)?;
            total = add(total, multiply(linear.constant, *coefficient)?)?;
            for (atom, inner) in &linear.summands {
                summands.push((*atom, multiply(*inner, *coefficient)?));
            }
        }
        if parts.len() > 1 {
            // Stable: those of one atom stay in the order of the parts.
            summands.sort_by_key(|(atom, _)| *atom);
            let mut is_small = true;
            summands.dedup_by(|(atom, coefficient), (last, sum)| {
                let is_one = atom == last;
                if is_one {
                    let added = sum.checked_add(*coefficient);
                    is_small &= added.is_some();
                    *sum = added.unwrap_or(0);
                }
                is_one
            });
            ensure(is_small, Rejection::Overflow)?;
        }
        summands.retain(|(_, coefficient)| *coefficient != 0);
        self.add_linear(total, summands)
    }

    /// `left - right`
    pub fn difference(&mut self, left: LinearId, right: LinearId) -> Result<LinearId> {
        self.combine(0, &[(left, 1), (right, -1)])
    }

    /// `term + constant`
    pub fn plus(&mut self, term: LinearId, constant: i128) -> Result<LinearId> {
        if constant == 0 {
            self.linear(term).map(|_| term)
        } else {
            self.combine(constant, &[(term, 1)])
        }
    }

    /// `left - right`, if the terms differ by a constant.
    pub fn constant_difference(&self, left: LinearId, right: LinearId) -> Result<Option<i128>> {
        let (left, right) = (self.linear(left)?, self.linear(right)?);
        if left.summands == right.summands {
            subtract(left.constant, right.constant).map(Some)
        } else {
            Ok(None)
        }
    }

    /// The entries of the table.
    fn values(&self, table: TableId) -> Result<&[i128]> {
        Ok(&entry(&self.tables, table.index())?.values)
    }

    /// The array's element at the index: through stores whose index differs by a constant, down to an atom.
    pub fn select(&mut self, mut array: ArrayId, index: LinearId) -> Result<LinearId> {
        loop {
            self.budget.work(self.linear(index)?.summands.len())?;
            match *self.array(array)? {
                Array::Constant(value) => return Ok(value),
                Array::Table(table) => {
                    let Some(position) = self.value(index) else {
                        break;
                    };
                    let position = usize::try_from(position).unwrap_or(usize::MAX);
                    let value = self.values(table)?.get(position).copied();
                    return self.constant(value.unwrap_or(0));
                }
                Array::Store(store) => match self.constant_difference(store.index, index)? {
                    Some(0) => return Ok(store.value),
                    Some(_) => array = store.array,
                    None => break,
                },
                Array::Variable(_) => break,
            }
        }
        let range = self.array_range(array);
        self.add_atom(Atom::Select { array, index }, range)
    }

    /// The array with one element replaced; a store right below it at the same index is dropped (`spec/calculus.md#attacks` E4).
    pub fn store(&mut self, array: ArrayId, index: LinearId, value: LinearId) -> Result<ArrayId> {
        let array = match *self.array(array)? {
            Array::Store(below) if below.index == index => below.array,
            _ => array,
        };
        let range = hull(self.array_range(array), self.range(value));
        let store = ArrayStore {
            array,
            index,
            value,
        };
        self.add_array(Array::Store(store), range)
    }

    /// The array that holds the same value everywhere.
    pub fn constant_array(&mut self, value: LinearId) -> Result<ArrayId> {
        self.add_array(Array::Constant(value), self.range(value))
    }

    /// The table as an array, 0 outside.
    pub fn table(&mut self, table: TableId) -> Result<ArrayId> {
        self.budget.work(self.values(table)?.len())?;
        let values = self.values(table)?;
        let mut range = Some((0, 0));
        for value in values {
            range = hull(range, Some((*value, *value)));
        }
        self.add_array(Array::Table(table), range)
    }

    /// The greatest integer not above `argument / divisor`. Multiples of the divisor are taken out, so that equal quotients are equal terms.
    pub fn quotient(&mut self, argument: LinearId, divisor: i128) -> Result<LinearId> {
        ensure(divisor >= 1, Rejection::Term)?;
        self.budget.work(self.linear(argument)?.summands.len())?;
        let linear = self.linear(argument)?;
        let (whole, constant) = divide(linear.constant, divisor)?;
        let mut outside = Vec::new();
        let mut inside = Vec::new();
        for (atom, coefficient) in &linear.summands {
            let (whole, part) = divide(*coefficient, divisor)?;
            if whole != 0 {
                outside.push((*atom, whole));
            }
            if part != 0 {
                inside.push((*atom, part));
            }
        }
        let argument = self.add_linear(constant, inside)?;
        let below = |value| divide(value, divisor).ok().map(|(quotient, _)| quotient);
        let range = self
            .range(argument)
            .and_then(|(least, greatest)| Some((below(least)?, below(greatest)?)));
        let rest = match range {
            Some((least, greatest)) if least == greatest => self.constant(least)?,
            _ => {
                let atom = Atom::Quotient { divisor, argument };
                self.add_atom(atom, range)?
            }
        };
        if whole == 0 && outside.is_empty() {
            // Nothing else becomes a term: `define` counts them.
            return Ok(rest);
        }
        let outside = self.add_linear(whole, outside)?;
        self.combine(0, &[(outside, 1), (rest, 1)])
    }

    /// The operation on both arguments, folded if both are constant.
    pub fn apply(
        &mut self,
        operation: Operation,
        kind: IntegerType,
        left: LinearId,
        right: LinearId,
    ) -> Result<LinearId> {
        if let (Some(left), Some(right)) = (self.value(left), self.value(right)) {
            return self.constant(apply(operation, kind, left, right)?);
        }
        let computation = Computation {
            operation,
            kind,
            left,
            right,
        };
        self.add_atom(Atom::Apply(computation), Some(range(kind)))
    }

    /// The atom in normal form.
    pub fn normal(&mut self, atom: &Atom) -> Result<LinearId> {
        match *atom {
            Atom::Variable(variable) => self.variable(variable),
            Atom::Select { array, index } => self.select(array, index),
            Atom::Quotient { divisor, argument } => self.quotient(argument, divisor),
            Atom::Apply(of) => self.apply(of.operation, of.kind, of.left, of.right),
        }
    }

    /// The array in normal form.
    pub fn normal_array(&mut self, array: &Array) -> Result<ArrayId> {
        match *array {
            Array::Variable(variable) => self.array_variable(variable),
            Array::Store(store) => self.store(store.array, store.index, store.value),
            Array::Constant(value) => self.constant_array(value),
            Array::Table(table) => self.table(table),
        }
    }

    /// Adds an entry of the certificate's table of terms, which must be new and in normal form: then its id is its position among the
    /// entries of its kind. An atom is also the next linear term.
    pub fn define(&mut self, term: &Term) -> Result<()> {
        let linears = self.linears.nodes.len();
        let arrays = self.arrays.nodes.len();
        let is_new = match term {
            Term::Atom(atom) => {
                let id = self.normal(atom)?;
                id.index() == linears && self.as_atom(id)? == Some(atom)
            }
            Term::Linear(Linear { constant, summands }) => {
                let is_normal = summands.is_sorted_by(|(left, _), (right, _)| left < right)
                    && summands.iter().all(|(_, coefficient)| *coefficient != 0);
                is_normal && self.add_linear(*constant, summands.clone())?.index() == linears
            }
            Term::Array(array) => {
                let id = self.normal_array(array)?;
                id.index() == arrays && self.array(id)? == array
            }
        };
        ensure(is_new, Rejection::Term)
    }

    /// The literal with the opposite meaning.
    pub fn negate(&mut self, literal: Literal) -> Result<Literal> {
        let Literal { sign, mut term } = literal;
        let opposite = match sign {
            Sign::AtMostZero => {
                term = self.combine(1, &[(term, -1)])?;
                Sign::AtMostZero
            }
            Sign::Zero => Sign::NotZero,
            Sign::NotZero => Sign::Zero,
        };
        Ok(Literal::new(opposite, term))
    }

    /// `left <= right`
    pub fn at_most(&mut self, left: LinearId, right: LinearId) -> Result<Literal> {
        let difference = self.difference(left, right)?;
        Ok(Literal::new(Sign::AtMostZero, difference))
    }

    /// `left < right`
    pub fn less(&mut self, left: LinearId, right: LinearId) -> Result<Literal> {
        let next = self.combine(1, &[(left, 1), (right, -1)])?;
        Ok(Literal::new(Sign::AtMostZero, next))
    }

    /// `left = right`
    pub fn equal(&mut self, left: LinearId, right: LinearId) -> Result<Literal> {
        let difference = self.difference(left, right)?;
        Ok(Literal::new(Sign::Zero, difference))
    }

    /// `least <= term` and `term <= greatest`
    pub fn within(
        &mut self,
        term: LinearId,
        (least, greatest): (i128, i128),
    ) -> Result<[Literal; 2]> {
        let below = self.combine(least, &[(term, -1)])?;
        let above = self.plus(term, subtract(0, greatest)?)?;
        Ok([below, above].map(|term| Literal::new(Sign::AtMostZero, term)))
    }

    /// Is the literal true or false by the ranges of its atoms alone?
    pub fn evident(&self, literal: Literal) -> Option<bool> {
        let (least, greatest) = self.range(literal.term)?;
        let is_zero = least == 0 && greatest == 0;
        let is_other = least > 0 || greatest < 0;
        let (holds, fails) = match literal.sign {
            Sign::AtMostZero => (greatest <= 0, least > 0),
            Sign::Zero => (is_zero, is_other),
            Sign::NotZero => (is_other, is_zero),
        };
        (holds || fails).then_some(holds)
    }
}

fn hull(left: Range, right: Range) -> Range {
    let (least, greatest) = left?;
    let (other_least, other_greatest) = right?;
    Some((least.min(other_least), greatest.max(other_greatest)))
}

/// The range of `term + coefficient * atom`; none where arithmetic overflows.
fn scaled_sum(term: Range, atom: Range, coefficient: i128) -> Range {
    let (least, greatest) = term?;
    let (one, other) = atom?;
    let one = one.checked_mul(coefficient)?;
    let other = other.checked_mul(coefficient)?;
    Some((
        least.checked_add(one.min(other))?,
        greatest.checked_add(one.max(other))?,
    ))
}
