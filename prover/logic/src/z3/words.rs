//! Terms as words of bits, for paths with products and operations on bits.
//!
//! A word has so many bits that no term that is translated leaves it: its range is known from the kernel.

use super::{
    encode::Encode,
    translation::{Work, atoms, mentioned},
};
use goatherd_certificates::{
    program::{IntegerType, Operation, Table},
    term::{Array, ArrayId, ArrayStore, Atom, AtomId, Computation, LinearId, Literal, Sign},
};
use goatherd_checker::{
    arithmetic::{range, width},
    term::{Arena, Range, sort_index},
};
use std::collections::BTreeMap;
use z3::{
    Model, Sort,
    ast::{self, BV, Bool},
};

/// Bits of a word.
const WIDTH: u32 = 96;

/// Terms beyond have no translation.
const GREATEST: i128 = 1 << 94;

/// What has been translated.
pub(super) struct Words {
    atoms: BTreeMap<AtomId, BV>,
    arrays: BTreeMap<ArrayId, ast::Array>,
    axioms: Vec<Bool>,
    tables: Vec<Table>,
}

impl Encode for Words {
    fn literal(&mut self, arena: &Arena, literal: Literal) -> Option<Bool> {
        let term = self.linear(arena, literal.term)?;
        let zero = word(0);
        Some(match literal.sign {
            Sign::AtMostZero => term.bvsle(&zero),
            Sign::Zero => term.eq(&zero),
            Sign::NotZero => term.eq(&zero).not(),
        })
    }

    fn axioms(&self) -> &[Bool] {
        &self.axioms
    }

    fn integer(&mut self, arena: &Arena, term: LinearId, model: &Model) -> Option<i128> {
        value(&self.linear(arena, term)?, model)
    }

    fn element(&mut self, arena: &Arena, array: ArrayId, index: i128, model: &Model) -> Option<i128> {
        self.complete(arena, vec![Work::Array(array)])?;
        value(&self.arrays.get(&array)?.select(&word(index)).as_bv()?, model)
    }
}

impl Words {
    pub(super) fn new(tables: Vec<Table>) -> Self {
        Self { atoms: BTreeMap::new(), arrays: BTreeMap::new(), axioms: Vec::new(), tables }
    }

    /// Translates what is still open, and before it what it mentions.
    fn complete(&mut self, arena: &Arena, mut open: Vec<Work>) -> Option<()> {
        while let Some(work) = open.last().copied() {
            let mut needed = if self.is_done(work) { Vec::new() } else { mentioned(arena, work)? };
            needed.retain(|work| !self.is_done(*work));
            if !needed.is_empty() {
                open.append(&mut needed);
                continue;
            }
            open.pop();
            match work {
                _ if self.is_done(work) => {}
                Work::Atom(id) => {
                    let atom = self.atom(arena, id)?;
                    self.atoms.insert(id, atom);
                }
                Work::Array(id) => {
                    let array = self.array(arena, id)?;
                    self.arrays.insert(id, array);
                }
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

    fn linear(&mut self, arena: &Arena, id: LinearId) -> Option<BV> {
        self.complete(arena, atoms(arena, id)?)?;
        self.sum(arena, id)
    }

    /// A sum of what is translated. Modulo 2^96 it is exact, since the whole fits.
    fn sum(&self, arena: &Arena, id: LinearId) -> Option<BV> {
        let (least, greatest) = arena.range(id)?;
        if least < -GREATEST || greatest > GREATEST {
            return None;
        }
        let linear = arena.linear(id).ok()?;
        let mut sum = word(linear.constant);
        for (atom, coefficient) in &linear.summands {
            let atom = self.atoms.get(atom)?;
            sum = if *coefficient == 1 { sum.bvadd(atom) } else { sum.bvadd(word(*coefficient).bvmul(atom)) };
        }
        Some(sum)
    }

    fn atom(&mut self, arena: &Arena, id: AtomId) -> Option<BV> {
        match *arena.atom(id).ok()? {
            Atom::Variable(variable) => {
                let kind = variable.sort?;
                Some(extended(kind, &BV::new_const(format!("x{}.{}", sort_index(variable.sort), variable.number), bits(kind))))
            }
            Atom::Select { array, index } => {
                let element = self.arrays.get(&array)?.select(&self.sum(arena, index)?).as_bv()?;
                self.bound(&element, arena.array_range(array));
                Some(element)
            }
            Atom::Quotient { divisor, argument } => {
                let argument = self.sum(arena, argument)?;
                let quotient = BV::new_const(format!("q{}", id.0), WIDTH);
                self.bound(&quotient, arena.atom_range(id));
                self.bound(&argument.bvsub(word(divisor).bvmul(&quotient)), Some((0, divisor - 1)));
                Some(quotient)
            }
            Atom::Apply(Computation { operation, kind, left, right }) => {
                let [left, right] = [self.sum(arena, left)?, self.sum(arena, right)?].map(|side| side.extract(bits(kind) - 1, 0));
                Some(extended(kind, &apply(operation, kind, &left, &right)))
            }
        }
    }

    fn array(&self, arena: &Arena, id: ArrayId) -> Option<ast::Array> {
        let sort = Sort::bitvector(WIDTH);
        Some(match *arena.array(id).ok()? {
            Array::Variable(_) => ast::Array::new_const(format!("a{}", id.0), &sort, &sort),
            Array::Store(ArrayStore { array, index, value }) => {
                self.arrays.get(&array)?.store(&self.sum(arena, index)?, &self.sum(arena, value)?)
            }
            Array::Constant(value) => ast::Array::const_array(&sort, &self.sum(arena, value)?),
            Array::Table(table) => {
                let values = &self.tables.get(table.index())?.values;
                let empty = ast::Array::const_array(&sort, &word(0));
                (0..).zip(values).fold(empty, |array, (index, value)| array.store(&word(index), &word(*value)))
            }
        })
    }

    fn bound(&mut self, term: &BV, range: Range) {
        if let Some((least, greatest)) = range {
            self.axioms.push(term.bvsge(word(least)));
            self.axioms.push(term.bvsle(word(greatest)));
        }
    }
}

/// The operation as [`Atom::Apply`] defines it, on words of the type's own bits.
fn apply(operation: Operation, kind: IntegerType, left: &BV, right: &BV) -> BV {
    let is_signed = range(kind).0 < 0;
    let zero = BV::from_u64(0, bits(kind));
    let where_defined = |is_defined: Bool, result: BV| is_defined.ite(&result, &zero);
    let amount_fits = || right.bvult(BV::from_u64(u64::from(width(kind)), bits(kind)));
    match operation {
        Operation::Add => left.bvadd(right),
        Operation::Subtract => left.bvsub(right),
        Operation::Multiply => left.bvmul(right),
        Operation::Divide if is_signed => where_defined(right.eq(&zero).not(), left.bvsdiv(right)),
        Operation::Divide => where_defined(right.eq(&zero).not(), left.bvudiv(right)),
        Operation::Remainder if is_signed => where_defined(right.eq(&zero).not(), left.bvsrem(right)),
        Operation::Remainder => where_defined(right.eq(&zero).not(), left.bvurem(right)),
        Operation::And => left.bvand(right),
        Operation::Or => left.bvor(right),
        Operation::Xor => left.bvxor(right),
        Operation::ShiftLeft => where_defined(amount_fits(), left.bvshl(right)),
        Operation::ShiftRight if is_signed => where_defined(amount_fits(), left.bvashr(right)),
        Operation::ShiftRight => where_defined(amount_fits(), left.bvlshr(right)),
    }
}

/// The bits that a value of the type has: of `_Bool`, one.
fn bits(kind: IntegerType) -> u32 {
    if kind == IntegerType::Bool { 1 } else { width(kind) }
}

fn extended(kind: IntegerType, value: &BV) -> BV {
    let missing = WIDTH - bits(kind);
    if range(kind).0 < 0 { value.sign_ext(missing) } else { value.zero_ext(missing) }
}

/// A number as a word.
fn word(number: i128) -> BV {
    let low = number.rem_euclid(1 << 48);
    let high = (number >> 48).rem_euclid(1 << 48);
    let half = |number: i128| BV::from_u64(u64::try_from(number).unwrap_or_default(), WIDTH / 2);
    half(high).concat(half(low))
}

fn value(term: &BV, model: &Model) -> Option<i128> {
    let part = |high, low| model.eval(&term.extract(high, low), true)?.as_u64();
    let (high, low) = (part(WIDTH - 1, WIDTH / 2)?, part(WIDTH / 2 - 1, 0)?);
    let unsigned = (i128::from(high) << (WIDTH / 2)) + i128::from(low);
    Some(if unsigned >= 1 << (WIDTH - 1) { unsigned - (1 << WIDTH) } else { unsigned })
}
