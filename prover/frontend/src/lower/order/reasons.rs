//! Why an expression is refused.

use std::collections::BTreeMap;

/// What cannot be written out in every order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// There are more orders than are written out.
    Orders,
    /// Statements in an expression would have to come in several orders.
    Statements,
    /// So would the items of a compound literal or initialiser.
    Items,
    /// Two accesses may be of overlapping parts of structs or bit-fields.
    Parts,
}

impl Reason {
    /// What a reader is told.
    pub(super) const fn help(self) -> &'static str {
        match self {
            Self::Orders => "C does not say which part comes first, and there are too many orders to try; write it as several statements",
            Self::Statements => "C does not say whether the statements inside come first; put them before the expression",
            Self::Items => "C does not say which item comes first; write them as several statements",
            Self::Parts => {
                "C does not say which comes first of two accesses that may overlap in a struct or bit-field; write it as several statements"
            }
        }
    }
}

/// The first reason at each place.
#[derive(Default, Debug)]
pub(super) struct Refused {
    reasons: BTreeMap<usize, Reason>,
}

impl Refused {
    pub(super) fn insert(&mut self, offset: usize, reason: Reason) {
        self.reasons.entry(offset).or_insert(reason);
    }

    pub(super) fn extend(&mut self, other: Self) {
        for (offset, reason) in other.reasons {
            self.insert(offset, reason);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Each place with its reason, by place.
    pub(super) fn into_reasons(self) -> impl Iterator<Item = (usize, Reason)> {
        self.reasons.into_iter()
    }
}
