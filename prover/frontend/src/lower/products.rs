//! Products of two integers neither of which is a constant (`spec/program.md#products`).
//!
//! The calculus knows such a product as a term of its own, and nothing of its overflow. Where natural numbers are multiplied that are small enough, their
//! product in 64 bits without a sign is exact: so the program computes that one, says what it is at most, and looks whether it fits.

use super::{
    available::{Available, Expression},
    groups::Group,
    steps::{Mark, Steps, at_most},
    types::{in_range, is_signed, maximum, width},
};
use goatherd_certificates::program::{Compute, Instruction, IntegerType, Operand, Operation, Register, RegisterId, Relation};

/// What products are computed in.
const WIDE: IntegerType = IntegerType::U64;

/// With how many of the integers that a factor was compared with a product is.
const OTHERS: usize = 2;

/// The registers of [`WIDE`] in which products are computed: all use the same.
#[derive(Default)]
pub(super) struct Wide {
    registers: Vec<RegisterId>,
    used: usize,
}

/// A factor.
struct Factor {
    /// What it was found to be at most was found of this register.
    source: RegisterId,
    value: RegisterId,
    /// What it is to be multiplied with besides.
    times: Option<RegisterId>,
}

/// What makes products of a factor exact.
#[derive(Clone, Copy)]
struct Limit {
    /// The factors are at most this.
    factor: Operand,
    /// Their products are at most this.
    product: i128,
    /// The only one of both factors of which that is known.
    of: Option<usize>,
}

/// What stands for a product is written.
struct Writing<'a> {
    steps: Steps<'a>,
    name: &'a str,
    wide: &'a mut Wide,
    available: &'a Available,
}

/// Was a factor of the product found to be at most something?
pub(super) fn is_compared(product: &Instruction, available: &Available) -> bool {
    let Instruction::Compute(Compute { left, right, .. }) = product else { return false };
    available.iter().any(|expression| match expression {
        Expression::AtMost(found, _) | Expression::Bounded(found, _) => [*left, *right].contains(&Operand::Register(*found)),
        _ => false,
    })
}

/// What stands for a product of this type.
pub(super) fn product(
    (registers, name, wide): (&mut Vec<Register>, &str, &mut Wide),
    compute: Compute,
    kind: IntegerType,
    available: &Available,
) -> Option<Group> {
    let (Operand::Register(left), Operand::Register(right)) = (compute.left, compute.right) else { return None };
    // C multiplies nothing narrower than `int` (C11 6.3.1.1p2).
    if width(kind) < 32 {
        return None;
    }
    wide.used = 0;
    let mut writing = Writing { steps: Steps::new(registers), name, wide, available };
    let [own, end] = [(); 2].map(|()| writing.steps.mark());
    if is_signed(kind) {
        writing.steps.require(&[compute.left, compute.right].map(|factor| at_most(Operand::Constant(0), factor)), own);
    }
    let by_quotient = if width(kind) > 32 { writing.divided([left, right], kind, own) } else { None };
    let limit = by_quotient.unwrap_or_else(|| writing.narrow([compute.left, compute.right], kind, own));
    let product = writing.whole([left, right], limit);
    if width(kind) == 32 {
        writing.bound_by_quotient(product, [left, right], kind);
    }
    if kind == IntegerType::I32 {
        writing.steps.require(&[at_most(product, Operand::Constant(maximum(kind)))], own);
    }
    writing.steps.push(Instruction::Assign { target: compute.target, value: product });
    writing.steps.jump(end);
    writing.steps.bind(own);
    writing.steps.push(Instruction::Compute(compute));
    writing.steps.bind(end);
    Some(writing.steps.finish())
}

impl Writing<'_> {
    /// A register of [`WIDE`] that nothing else is in.
    fn register(&mut self) -> RegisterId {
        let Wide { registers, used } = self.wide;
        if *used == registers.len() {
            registers.push(self.steps.register(self.name, WIDE));
        }
        *used += 1;
        registers[*used - 1]
    }

    /// The value of the operand in [`WIDE`].
    fn widened(&mut self, value: Operand) -> RegisterId {
        let target = self.register();
        self.steps.push(Instruction::Assign { target, value });
        target
    }

    fn computed(&mut self, operation: Operation, left: RegisterId, right: RegisterId) -> RegisterId {
        let target = self.register();
        self.steps.compute(target, operation, Operand::Register(left), Operand::Register(right));
        target
    }

    /// The integers that the register was found to be at most, each of them once.
    fn others(&self, register: RegisterId) -> Vec<RegisterId> {
        let found = self.available.iter().filter_map(|expression| match expression {
            Expression::AtMost(found, other) if *found == register => Some(*other),
            _ => None,
        });
        let all: Vec<RegisterId> = found.collect();
        let is_copy = |other: RegisterId| all.iter().any(|source| self.available.contains(&Expression::Copied(other, *source)));
        all.iter().copied().filter(|other| !is_copy(*other)).collect()
    }

    /// The least constant that the register was found to be at most.
    fn bound_of(&self, register: RegisterId) -> Option<i128> {
        let bounds = self.available.iter().filter_map(|expression| match expression {
            Expression::Bounded(found, bound) if *found == register => Some(*bound),
            _ => None,
        });
        bounds.min()
    }

    /// Goes on where numbers of 64 bits have 32, without their sign.
    fn narrow(&mut self, factors: [Operand; 2], kind: IntegerType, otherwise: Mark) -> Limit {
        let most = maximum(if is_signed(kind) { IntegerType::I32 } else { IntegerType::U32 });
        let factor = Operand::Constant(most);
        if width(kind) > 32 {
            self.steps.require(&factors.map(|narrow| at_most(narrow, factor)), otherwise);
        }
        Limit { factor, product: most * most, of: None }
    }

    /// Where the program has divided a constant by one factor, goes on where the other one is at most the quotient.
    fn divided(&mut self, factors: [RegisterId; 2], kind: IntegerType, otherwise: Mark) -> Option<Limit> {
        let (dividend, of) = self.available.iter().find_map(|expression| match expression {
            Expression::Divided(dividend, divisor) if in_range(kind, *dividend) => {
                let by = factors.iter().position(|factor| factor == divisor)?;
                Some((*dividend, 1 - by))
            }
            _ => None,
        })?;
        let [factor, divisor] = [factors[of], factors[1 - of]].map(Operand::Register);
        self.steps.require(&[at_most(Operand::Constant(1), divisor)], otherwise);
        let quotient = self.steps.register(self.name, kind);
        self.steps.compute(quotient, Operation::Divide, Operand::Constant(dividend), divisor);
        self.steps.require(&[at_most(factor, Operand::Register(quotient))], otherwise);
        let limit = self.widened(Operand::Register(quotient));
        Some(Limit { factor: Operand::Register(limit), product: dividend, of: Some(of) })
    }

    /// Where the program has divided a constant by one factor, and the other one is at most the quotient, the product is at most the constant.
    fn bound_by_quotient(&mut self, product: Operand, factors: [RegisterId; 2], kind: IntegerType) {
        let end = self.steps.mark();
        if let Some(Limit { product: bound, .. }) = self.divided(factors, kind, end) {
            self.steps.state(at_most(product, Operand::Constant(bound)));
        }
        self.steps.bind(end);
    }

    /// The product of the factors, which is exact.
    fn whole(&mut self, factors: [RegisterId; 2], limit: Limit) -> Operand {
        let factors = factors.map(|factor| self.factor(factor));
        let [left, right] = &factors;
        let mut product = self.computed(Operation::Multiply, left.value, right.value);
        self.bound(product, &factors, limit);
        for times in factors.iter().filter_map(|factor| factor.times) {
            product = self.computed(Operation::Multiply, product, times);
        }
        Operand::Register(product)
    }

    /// The factor; where it was computed as a multiple of something, and still is one, that, and how often: `4 * n * m` bytes are 4 times `n * m`.
    fn factor(&mut self, register: RegisterId) -> Factor {
        let whole = self.widened(Operand::Register(register));
        let multiple = self.available.iter().find_map(|expression| match expression {
            Expression::Multiple(found, source, factor) if *found == register && in_range(WIDE, *factor) => Some((*source, *factor)),
            _ => None,
        });
        let Some((source, factor)) = multiple else { return Factor { source: register, value: whole, times: None } };
        let (value, times) = (self.widened(Operand::Register(source)), self.widened(Operand::Constant(factor)));
        let again = self.computed(Operation::Multiply, value, times);
        let [other, end] = [(); 2].map(|()| self.steps.mark());
        let [value_is, again_is, whole_is] = [value, again, whole].map(Operand::Register);
        self.steps.require(&[at_most(value_is, whole_is), (again_is, Relation::Equal, whole_is)], other);
        self.steps.jump(end);
        self.steps.bind(other);
        self.steps.push(Instruction::Assign { target: value, value: whole_is });
        self.steps.push(Instruction::Assign { target: times, value: Operand::Constant(1) });
        self.steps.bind(end);
        Factor { source, value, times: Some(times) }
    }

    /// States what the product of the factors is at most.
    fn bound(&mut self, product: RegisterId, factors: &[Factor; 2], limit: Limit) {
        self.steps.state(at_most(Operand::Register(product), Operand::Constant(limit.product)));
        self.bound_by_constants(product, [&factors[0], &factors[1]], limit);
        self.bound_below(product, &factors[0], &factors[1]);
        self.bound_below(product, &factors[1], &factors[0]);
        for position in (0..2).filter(|position| limit.of.is_none_or(|of| of == *position)) {
            let (factor, common) = (&factors[position], &factors[1 - position]);
            let mut others = self.others(factor.source);
            if others.is_empty() {
                others = self.multiplied_beside(factor, common);
            }
            for other in others.into_iter().take(OTHERS) {
                self.bound_beside(product, (factor, common), (other, position), limit);
            }
        }
    }

    /// What else the common factor was multiplied with: of a place among rows of rows, how many of these there are.
    fn multiplied_beside(&self, factor: &Factor, common: &Factor) -> Vec<RegisterId> {
        let beside = self.available.iter().filter_map(|expression| match expression {
            Expression::Multiplied(one, other) if *other == common.source => Some(*one),
            Expression::Multiplied(one, other) if *one == common.source => Some(*other),
            _ => None,
        });
        beside.filter(|other| *other != factor.source).collect()
    }

    /// Where `x <= a` and `y <= b`, `x * y <= a * b`.
    fn bound_by_constants(&mut self, product: RegisterId, factors: [&Factor; 2], limit: Limit) {
        let [Some(one), Some(other)] = factors.map(|factor| self.bound_of(factor.source)) else { return };
        let end = self.steps.mark();
        let [left, right] = factors.map(|factor| Operand::Register(factor.value));
        self.steps.require(&[at_most(left, Operand::Constant(one)), at_most(right, Operand::Constant(other))], end);
        let bound = one.checked_mul(other).map_or(limit.product, |bound| bound.min(limit.product));
        self.steps.state(at_most(Operand::Register(product), Operand::Constant(bound)));
        self.steps.bind(end);
    }

    /// Where `1 <= y`, `x <= x * y`.
    fn bound_below(&mut self, product: RegisterId, factor: &Factor, common: &Factor) {
        if self.available.contains(&Expression::Positive(common.source)) {
            let end = self.steps.mark();
            self.steps.require(&[at_most(Operand::Constant(1), Operand::Register(common.value))], end);
            self.steps.state(at_most(Operand::Register(factor.value), Operand::Register(product)));
            self.steps.bind(end);
        }
    }

    /// Where `x <= z`, `x * y <= z * y`, and where `x < z`, `x * y + y <= z * y`.
    fn bound_beside(
        &mut self,
        product: RegisterId,
        (factor, common): (&Factor, &Factor),
        (source, position): (RegisterId, usize),
        limit: Limit,
    ) {
        let end = self.steps.mark();
        let other = Factor { source, value: self.widened(Operand::Register(source)), times: None };
        self.steps.require(&[at_most(Operand::Register(other.value), limit.factor)], end);
        let pair = if position == 0 { [&other, common] } else { [common, &other] };
        let greater = self.computed(Operation::Multiply, pair[0].value, pair[1].value);
        let turned = self.computed(Operation::Multiply, pair[1].value, pair[0].value);
        let [product_is, greater_is, turned_is] = [product, greater, turned].map(Operand::Register);
        let [factor_is, other_is] = [factor, &other].map(|factor| Operand::Register(factor.value));
        self.steps.state((greater_is, Relation::Equal, turned_is));
        self.bound_by_constants(greater, pair, limit);
        self.steps.require(&[at_most(factor_is, other_is)], end);
        self.steps.state(at_most(product_is, greater_is));
        self.steps.require(&[(factor_is, Relation::Less, other_is)], end);
        let gap = self.computed(Operation::Subtract, greater, product);
        self.steps.state(at_most(Operand::Register(common.value), Operand::Register(gap)));
        self.steps.bind(end);
    }
}
