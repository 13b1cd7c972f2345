//! Terms: interned, normalised, with dense ids, so that equal terms have equal ids and nothing recurses (`spec/calculus.md#terms`).

use crate::arithmetic::{add, apply, divide, fits, multiply, range, subtract};
use crate::budget::Budget;
use crate::rejection::Rejection;
use alloc::{collections::BTreeMap, vec::Vec};
use core::mem::size_of;
use goatherd_certificates::program::{IntegerType, Operation, Table, TableId};
use goatherd_certificates::term::{Array, ArrayId, ArrayVariable, Atom, AtomId, Linear, LinearId, Literal, Scope, Sign, Term, Variable};

/// Least and greatest value, where both are known from the term alone.
pub type Range = Option<(i128, i128)>;

/// A term with what is known of it from the term alone.
#[derive(Clone, Debug)]
struct Node<T> {
    term: T,
    range: Range,
    scope: Scope,
}

/// All terms of a check.
#[derive(Clone, Debug)]
pub struct Arena {
    atoms: Vec<Node<Atom>>,
    linears: Vec<Node<Linear>>,
    arrays: Vec<Node<Array>>,
    atom_ids: BTreeMap<Atom, u32>,
    linear_ids: BTreeMap<(u128, Linear), u32>,
    array_ids: BTreeMap<Array, u32>,
    tables: Vec<Table>,
    /// What may still be taken; configurations are charged here too.
    pub budget: Budget,
}

/// The position of a sort in [`Scope::integers`], and one less in [`Scope::arrays`].
pub fn sort_index(sort: Option<IntegerType>) -> usize {
    let position = sort.and_then(|sort| SORTS.iter().position(|other| *other == sort));
    position.map_or(0, |position| position.saturating_add(1))
}

/// All integer types, in the order of [`Scope::arrays`].
pub const SORTS: [IntegerType; 9] = {
    use IntegerType::{Bool, I8, I16, I32, I64, U8, U16, U32, U64};
    [Bool, I8, U8, I16, U16, I32, U32, I64, U64]
};

/// Does every variable of the inner scope exist in the outer one?
pub fn includes(outer: &Scope, inner: &Scope) -> bool {
    outer.integers.iter().zip(&inner.integers).all(|(outer, inner)| inner <= outer)
        && outer.arrays.iter().zip(&inner.arrays).all(|(outer, inner)| inner <= outer)
}

fn join(into: &mut Scope, other: &Scope) {
    let counts = into.integers.iter_mut().chain(&mut into.arrays);
    for (into, other) in counts.zip(other.integers.iter().chain(&other.arrays)) {
        *into = (*into).max(*other);
    }
}

fn count(id: usize) -> Result<u32, Rejection> {
    u32::try_from(id).map_err(|_| Rejection::Overflow)
}

/// Told apart first: a comparison of digests is cheaper than one of terms.
fn digest(constant: i128, summands: &[(AtomId, i128)]) -> u128 {
    summands.iter().fold(constant.cast_unsigned(), |digest, (atom, coefficient)| {
        digest.wrapping_add(u128::from(atom.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(coefficient.cast_unsigned())
    })
}

/// Gives the term its id: the one it has, or the next.
fn intern<K: Ord, T>(
    budget: &mut Budget,
    nodes: &mut Vec<Node<T>>,
    ids: &mut BTreeMap<K, u32>,
    key: K,
    node: Node<T>,
    extra: usize,
) -> Result<u32, Rejection> {
    if let Some(id) = ids.get(&key) {
        return Ok(*id);
    }
    let id = count(nodes.len())?;
    // Twice in memory: by id and by term.
    let bytes = size_of::<Node<T>>().saturating_add(extra).saturating_mul(2);
    budget.take(u64::try_from(bytes).unwrap_or(u64::MAX)).map_err(|_| Rejection::Memory)?;
    ids.insert(key, id);
    nodes.push(node);
    Ok(id)
}

impl Arena {
    /// No terms yet; the tables are the program's.
    pub fn new(tables: &[Table], budget: Budget) -> Self {
        Self {
            atoms: Vec::new(),
            linears: Vec::new(),
            arrays: Vec::new(),
            atom_ids: BTreeMap::new(),
            linear_ids: BTreeMap::new(),
            array_ids: BTreeMap::new(),
            tables: tables.to_vec(),
            budget,
        }
    }

    /// How many atoms there are.
    pub fn atom_count(&self) -> usize {
        self.atoms.len()
    }

    /// The atom behind an id.
    pub fn atom(&self, id: AtomId) -> Result<&Atom, Rejection> {
        self.atoms.get(id.index()).map(|node| &node.term).ok_or(Rejection::Missing)
    }

    /// The linear term behind an id.
    pub fn linear(&self, id: LinearId) -> Result<&Linear, Rejection> {
        self.linears.get(id.index()).map(|node| &node.term).ok_or(Rejection::Missing)
    }

    /// The array behind an id.
    pub fn array(&self, id: ArrayId) -> Result<&Array, Rejection> {
        self.arrays.get(id.index()).map(|node| &node.term).ok_or(Rejection::Missing)
    }

    /// What the atom's values lie between, by its definition.
    pub fn atom_range(&self, id: AtomId) -> Range {
        self.atoms.get(id.index())?.range
    }

    /// What the term's values lie between, by the definition of its atoms.
    pub fn range(&self, id: LinearId) -> Range {
        self.linears.get(id.index())?.range
    }

    /// What the array's elements lie between, at every index.
    pub fn array_range(&self, id: ArrayId) -> Range {
        self.arrays.get(id.index())?.range
    }

    /// The variables that the atom mentions.
    pub fn atom_scope(&self, id: AtomId) -> Result<Scope, Rejection> {
        self.atoms.get(id.index()).map(|node| node.scope).ok_or(Rejection::Missing)
    }

    /// The variables that the term mentions.
    pub fn scope(&self, id: LinearId) -> Result<Scope, Rejection> {
        self.linears.get(id.index()).map(|node| node.scope).ok_or(Rejection::Missing)
    }

    /// The variables that the array mentions.
    pub fn array_scope(&self, id: ArrayId) -> Result<Scope, Rejection> {
        self.arrays.get(id.index()).map(|node| node.scope).ok_or(Rejection::Missing)
    }

    /// The term's value, if it is a constant.
    pub fn value(&self, id: LinearId) -> Option<i128> {
        let linear = &self.linears.get(id.index())?.term;
        linear.summands.is_empty().then_some(linear.constant)
    }

    fn add_atom(&mut self, term: Atom, range: Range, scope: Scope) -> Result<LinearId, Rejection> {
        let id = intern(&mut self.budget, &mut self.atoms, &mut self.atom_ids, term.clone(), Node { term, range, scope }, 0)?;
        self.add_linear(0, alloc::vec![(AtomId(id), 1)])
    }

    /// The summands are in order and not 0.
    fn add_linear(&mut self, constant: i128, summands: Vec<(AtomId, i128)>) -> Result<LinearId, Rejection> {
        let key = (digest(constant, &summands), Linear { constant, summands });
        if let Some(id) = self.linear_ids.get(&key) {
            return Ok(LinearId(*id));
        }
        let term = &key.1;
        let mut scope = Scope::default();
        let mut range = Some((constant, constant));
        for (atom, coefficient) in &term.summands {
            join(&mut scope, &self.atom_scope(*atom)?);
            range = scaled_sum(range, self.atom_range(*atom), *coefficient);
        }
        let extra = term.summands.len().saturating_mul(size_of::<(AtomId, i128)>());
        let node = Node { term: term.clone(), range, scope };
        intern(&mut self.budget, &mut self.linears, &mut self.linear_ids, key, node, extra).map(LinearId)
    }

    fn add_array(&mut self, term: Array, range: Range, scope: Scope) -> Result<ArrayId, Rejection> {
        intern(&mut self.budget, &mut self.arrays, &mut self.array_ids, term.clone(), Node { term, range, scope }, 0).map(ArrayId)
    }

    /// A constant.
    pub fn constant(&mut self, value: i128) -> Result<LinearId, Rejection> {
        self.add_linear(value, Vec::new())
    }

    /// A variable.
    pub fn variable(&mut self, variable: Variable) -> Result<LinearId, Rejection> {
        let mut scope = Scope::default();
        if let Some(entry) = scope.integers.get_mut(sort_index(variable.sort)) {
            *entry = variable.number.checked_add(1).ok_or(Rejection::Overflow)?;
        }
        self.add_atom(Atom::Variable(variable), variable.sort.map(range), scope)
    }

    /// An array variable.
    pub fn array_variable(&mut self, variable: ArrayVariable) -> Result<ArrayId, Rejection> {
        let mut scope = Scope::default();
        for (entry, _) in scope.arrays.iter_mut().zip(SORTS).filter(|(_, sort)| *sort == variable.sort) {
            *entry = variable.number.checked_add(1).ok_or(Rejection::Overflow)?;
        }
        self.add_array(Array::Variable(variable), Some(range(variable.sort)), scope)
    }

    /// The atom as a linear term.
    pub fn of_atom(&mut self, atom: AtomId) -> Result<LinearId, Rejection> {
        self.add_linear(0, alloc::vec![(atom, 1)])
    }

    /// `constant + sum of coefficient * term`.
    pub fn combine(&mut self, constant: i128, parts: &[(LinearId, i128)]) -> Result<LinearId, Rejection> {
        let mut total = constant;
        let mut summands: Vec<(AtomId, i128)> = Vec::with_capacity(parts.len().saturating_mul(2));
        for (part, coefficient) in parts {
            let linear = self.linear(*part)?;
            total = add(total, multiply(linear.constant, *coefficient)?)?;
            for (atom, inner) in &linear.summands {
                summands.push((*atom, multiply(*inner, *coefficient)?));
            }
        }
        summands.sort_unstable_by_key(|(atom, _)| *atom);
        let mut is_exact = true;
        summands.dedup_by(|(next, coefficient), (atom, sum)| {
            let is_same = next == atom;
            if is_same {
                *sum = sum.checked_add(*coefficient).unwrap_or_else(|| {
                    is_exact = false;
                    0
                });
            }
            is_same
        });
        summands.retain(|(_, coefficient)| *coefficient != 0);
        if is_exact { self.add_linear(total, summands) } else { Err(Rejection::Overflow) }
    }

    /// `left + right`
    pub fn sum(&mut self, left: LinearId, right: LinearId) -> Result<LinearId, Rejection> {
        self.combine(0, &[(left, 1), (right, 1)])
    }

    /// `left - right`
    pub fn difference(&mut self, left: LinearId, right: LinearId) -> Result<LinearId, Rejection> {
        self.combine(0, &[(left, 1), (right, -1)])
    }

    /// `term + constant`
    pub fn plus(&mut self, term: LinearId, constant: i128) -> Result<LinearId, Rejection> {
        self.combine(constant, &[(term, 1)])
    }

    /// `left - right`, if the terms differ by a constant.
    pub fn constant_difference(&self, left: LinearId, right: LinearId) -> Result<Option<i128>, Rejection> {
        let (left, right) = (self.linear(left)?, self.linear(right)?);
        if left.summands == right.summands { subtract(left.constant, right.constant).map(Some) } else { Ok(None) }
    }

    /// The array's element at the index: through stores whose index differs by a constant, down to an atom.
    pub fn select(&mut self, array: ArrayId, index: LinearId) -> Result<LinearId, Rejection> {
        let mut array = array;
        loop {
            match *self.array(array)? {
                Array::Constant(value) => return Ok(value),
                Array::Table(table) => {
                    if let Some(position) = self.value(index) {
                        let values = &self.tables.get(table.index()).ok_or(Rejection::Missing)?.values;
                        let entry = usize::try_from(position).ok().and_then(|position| values.get(position));
                        return self.constant(entry.copied().unwrap_or(0));
                    }
                    break;
                }
                Array::Store { array: below, index: at, value } => match self.constant_difference(at, index)? {
                    Some(0) => return Ok(value),
                    Some(_) => array = below,
                    None => break,
                },
                Array::Variable(_) => break,
            }
        }
        let mut scope = self.array_scope(array)?;
        join(&mut scope, &self.scope(index)?);
        self.add_atom(Atom::Select { array, index }, self.array_range(array), scope)
    }

    /// The array with one element replaced; a store right below it at the same index is dropped (`spec/calculus.md#attacks` E4).
    pub fn store(&mut self, array: ArrayId, index: LinearId, value: LinearId) -> Result<ArrayId, Rejection> {
        let array = match *self.array(array)? {
            Array::Store { array: below, index: at, .. } if at == index => below,
            _ => array,
        };
        let mut scope = self.array_scope(array)?;
        join(&mut scope, &self.scope(index)?);
        join(&mut scope, &self.scope(value)?);
        let range = hull(self.array_range(array), self.range(value));
        self.add_array(Array::Store { array, index, value }, range, scope)
    }

    /// The array that holds the same value everywhere.
    pub fn constant_array(&mut self, value: LinearId) -> Result<ArrayId, Rejection> {
        let (range, scope) = (self.range(value), self.scope(value)?);
        self.add_array(Array::Constant(value), range, scope)
    }

    /// The table as an array, 0 outside.
    pub fn table(&mut self, table: TableId) -> Result<ArrayId, Rejection> {
        let values = &self.tables.get(table.index()).ok_or(Rejection::Missing)?.values;
        let range = values.iter().try_fold((0, 0), |range, value| hull(Some(range), Some((*value, *value))));
        self.add_array(Array::Table(table), range, Scope::default())
    }

    /// The greatest integer not above `argument / divisor`. Multiples of the divisor are taken out, so that equal quotients are equal terms.
    pub fn quotient(&mut self, argument: LinearId, divisor: i128) -> Result<LinearId, Rejection> {
        if divisor < 1 {
            return Err(Rejection::Term);
        }
        let linear = self.linear(argument)?.clone();
        let (whole, constant) = divide(linear.constant, divisor)?;
        let (mut outside, mut inside) = (Vec::new(), Vec::new());
        for (atom, coefficient) in linear.summands {
            let (whole, part) = divide(coefficient, divisor)?;
            if whole != 0 {
                outside.push((atom, whole));
            }
            if part != 0 {
                inside.push((atom, part));
            }
        }
        let outside = self.add_linear(whole, outside)?;
        if inside.is_empty() {
            return Ok(outside);
        }
        let argument = self.add_linear(constant, inside)?;
        let inside = self.reduced_quotient(argument, divisor)?;
        self.sum(outside, inside)
    }

    /// As [`Arena::quotient`], where no multiple of the divisor can be taken out.
    fn reduced_quotient(&mut self, argument: LinearId, divisor: i128) -> Result<LinearId, Rejection> {
        let range = match self.range(argument) {
            Some((least, greatest)) => Some((divide(least, divisor)?.0, divide(greatest, divisor)?.0)),
            None => None,
        };
        match range {
            Some((least, greatest)) if least == greatest => self.constant(least),
            _ => self.add_atom(Atom::Quotient { divisor, argument }, range, self.scope(argument)?),
        }
    }

    /// The operation on both arguments, folded if both are constant.
    pub fn apply(&mut self, operation: Operation, kind: IntegerType, left: LinearId, right: LinearId) -> Result<LinearId, Rejection> {
        if let (Some(left), Some(right)) = (self.value(left), self.value(right)) {
            return self.constant(apply(operation, kind, left, right)?);
        }
        let mut scope = self.scope(left)?;
        join(&mut scope, &self.scope(right)?);
        self.add_atom(Atom::Apply { operation, kind, left, right }, Some(range(kind)), scope)
    }

    /// Adds an entry of the certificate's table of terms, which must be new and in normal form: then its id is its position among the
    /// entries of its kind. An atom is also the next linear term.
    pub fn define(&mut self, term: &Term) -> Result<(), Rejection> {
        let (atoms, linears, arrays) = (self.atoms.len(), self.linears.len(), self.arrays.len());
        let is_new = match term {
            Term::Atom(atom) => {
                match *atom {
                    Atom::Variable(variable) => self.variable(variable)?,
                    Atom::Select { array, index } => self.select(array, index)?,
                    Atom::Quotient { divisor, argument } => {
                        let linear = self.linear(argument)?;
                        let is_reduced = |number: i128| 0 <= number && number < divisor;
                        if !is_reduced(linear.constant) || !linear.summands.iter().all(|(_, coefficient)| is_reduced(*coefficient)) {
                            return Err(Rejection::Term);
                        }
                        self.reduced_quotient(argument, divisor)?
                    }
                    Atom::Apply { operation, kind, left, right } => self.apply(operation, kind, left, right)?,
                };
                self.atoms.len() > atoms && self.atoms.last().is_some_and(|node| node.term == *atom) && self.linears.len() > linears
            }
            Term::Linear(linear) => {
                let is_ordered = linear.summands.is_sorted_by(|(left, _), (right, _)| left < right);
                if !is_ordered || linear.summands.iter().any(|(_, coefficient)| *coefficient == 0) {
                    return Err(Rejection::Term);
                }
                self.add_linear(linear.constant, linear.summands.clone())?;
                self.linears.len() > linears
            }
            Term::Array(array) => {
                match *array {
                    Array::Variable(variable) => self.array_variable(variable)?,
                    Array::Store { array, index, value } => self.store(array, index, value)?,
                    Array::Constant(value) => self.constant_array(value)?,
                    Array::Table(table) => self.table(table)?,
                };
                self.arrays.len() > arrays && self.arrays.last().is_some_and(|node| node.term == *array)
            }
        };
        if is_new { Ok(()) } else { Err(Rejection::Term) }
    }

    /// The literal with the opposite meaning.
    pub fn negate(&mut self, literal: Literal) -> Result<Literal, Rejection> {
        Ok(match literal.sign {
            Sign::AtMostZero => Literal { sign: Sign::AtMostZero, term: self.combine(1, &[(literal.term, -1)])? },
            Sign::Zero => Literal { sign: Sign::NotZero, ..literal },
            Sign::NotZero => Literal { sign: Sign::Zero, ..literal },
        })
    }

    /// `left <= right`
    pub fn at_most(&mut self, left: LinearId, right: LinearId) -> Result<Literal, Rejection> {
        Ok(Literal { sign: Sign::AtMostZero, term: self.difference(left, right)? })
    }

    /// `left < right`
    pub fn less(&mut self, left: LinearId, right: LinearId) -> Result<Literal, Rejection> {
        Ok(Literal { sign: Sign::AtMostZero, term: self.combine(1, &[(left, 1), (right, -1)])? })
    }

    /// `left = right`
    pub fn equal(&mut self, left: LinearId, right: LinearId) -> Result<Literal, Rejection> {
        Ok(Literal { sign: Sign::Zero, term: self.difference(left, right)? })
    }

    /// Is the literal true or false by the ranges of its atoms alone?
    pub fn evident(&self, literal: Literal) -> Option<bool> {
        let (least, greatest) = self.range(literal.term)?;
        match literal.sign {
            Sign::AtMostZero if greatest <= 0 => Some(true),
            Sign::AtMostZero => (least > 0).then_some(false),
            Sign::Zero if least == 0 && greatest == 0 => Some(true),
            Sign::Zero => (least > 0 || greatest < 0).then_some(false),
            Sign::NotZero => self.evident(Literal { sign: Sign::Zero, ..literal }).map(|is_zero| !is_zero),
        }
    }

    /// Do all elements of the array lie in the range of the type, by the definition of the array?
    pub fn array_fits(&self, array: ArrayId, kind: IntegerType) -> bool {
        let fits_type = |(least, greatest)| fits(least, kind) && fits(greatest, kind);
        self.array_range(array).is_some_and(fits_type)
    }
}

fn hull(left: Range, right: Range) -> Range {
    let ((left_least, left_greatest), (right_least, right_greatest)) = (left?, right?);
    Some((left_least.min(right_least), left_greatest.max(right_greatest)))
}

/// The range of `term + coefficient * atom`; none where arithmetic overflows.
fn scaled_sum(term: Range, atom: Range, coefficient: i128) -> Range {
    let ((term_least, term_greatest), (atom_least, atom_greatest)) = (term?, atom?);
    let (one, other) = (atom_least.checked_mul(coefficient)?, atom_greatest.checked_mul(coefficient)?);
    Some((term_least.checked_add(one.min(other))?, term_greatest.checked_add(one.max(other))?))
}
