//! What a context knows, in the order in which it learned it, and why: enough to write the refutation down afterwards.

use crate::bounds::Node;
use goatherd_certificates::term::{AtomId, LinearId, Sign};

/// The position of a fact in a context.
pub(super) type FactIndex = usize;

/// A summand of a sum of facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) ground: Ground,
    /// Positive, but on facts that are equalities.
    pub(super) multiplier: i128,
}

/// What a part stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ground {
    /// The fact itself.
    Fact(FactIndex),
    /// The sum of facts along a path of edges: `from - to <= bound`.
    Path { from: Node, to: Node, bound: i128 },
}

impl Part {
    /// What bounds `coefficient * (from - to)`, `from - to` being known to be `distance`; none on overflow.
    pub(super) fn fixed(from: Node, to: Node, distance: i128, coefficient: i128) -> Option<Self> {
        let ground = if coefficient > 0 {
            Ground::Path { from, to, bound: distance }
        } else {
            Ground::Path { from: to, to: from, bound: distance.checked_neg()? }
        };
        Some(Self { ground, multiplier: coefficient.checked_abs()? })
    }
}

/// A list of parts in [`crate::context::Context`]'s table of parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Parts {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// `gap = 0`, as `gap <= 0` and `-gap <= 0`; nothing where both terms are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Equal {
    pub(super) low: Parts,
    pub(super) high: Parts,
}

/// Why two terms are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Equality {
    /// They are the same term.
    Identical,
    /// Their difference is 0.
    Derived(Equal),
}

/// Why two indices differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unequal {
    /// The sum says that the sign (1 or -1) times the gap is negative.
    Bound { parts: Parts, sign: i128 },
    /// A disequality of exactly the gap.
    Stated(FactIndex),
    /// A disequality whose term equals `factor * gap`, factor being 1 or -1.
    Equivalent { fact: FactIndex, factor: i128, same: Equal },
}

/// Why a fact holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// The literal at this position of the predicate and the assumptions.
    Given { position: usize, sign: Sign },
    /// The lower bound that the atom's definition gives.
    Lower(AtomId),
    /// The upper bound that the atom's definition gives.
    Upper(AtomId),
    /// A sum, at most 0; rounded, if its coefficients have a common divisor.
    Sum { parts: Parts, is_rounded: bool },
    /// A disequality divided by what its coefficients and its constant have in common; its term, and the divisor.
    Divided { fact: FactIndex, term: LinearId, divisor: i128 },
    /// `bound` makes a term at most 0 that the disequality excludes from being 0.
    Tighten { bound: Parts, disequality: FactIndex },
    /// The read of a store at the same index.
    ReadSame { atom: AtomId, index: Equal },
    /// The read of a store at another index.
    ReadOther { atom: AtomId, index: Unequal },
    /// A conversion equals a value of its type that is equal modulo the period; why the value lies in the type, where that is not evident.
    Convert { atom: AtomId, value: LinearId, low: Option<Parts>, high: Option<Parts> },
    /// A bound of a bit operation on terms that are not negative: which of those that its deduction adds, and why the terms are not negative,
    /// where that is not evident.
    Bits { atom: AtomId, number: u32, left: Option<Parts>, right: Option<Parts> },
    /// Equal arguments.
    Congruence { left: AtomId, right: AtomId, first: Equality, second: Equality },
    /// The atom's arguments are these constants; identical where the argument is a constant already.
    Evaluate { atom: AtomId, values: [(i128, Equality); 2] },
}

impl Origin {
    /// Is the fact `<= 0`, and not an equality or a disequality?
    pub(super) fn is_bound(self) -> bool {
        match self {
            Self::Given { sign, .. } => sign == Sign::AtMostZero,
            Self::Lower(_) | Self::Upper(_) | Self::Sum { .. } | Self::Tighten { .. } | Self::Bits { .. } => true,
            Self::Divided { .. }
            | Self::ReadSame { .. }
            | Self::ReadOther { .. }
            | Self::Convert { .. }
            | Self::Congruence { .. }
            | Self::Evaluate { .. } => false,
        }
    }
}

/// One step of a path: `from - to <= bound`, by the fact times the factor (1, or -1 on an equality).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    pub(super) from: Node,
    pub(super) to: Node,
    pub(super) bound: i128,
    pub(super) fact: FactIndex,
    pub(super) factor: i128,
}

/// `from - to + constant != 0`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Disequality {
    pub(super) from: Node,
    pub(super) to: Node,
    pub(super) constant: i128,
    pub(super) fact: FactIndex,
}
