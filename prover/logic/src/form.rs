//! Linear terms over the nodes of a context.

use crate::bounds::{Node, ZERO};

/// `constant + sum of coefficient * node`, by ascending node, without coefficients 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Form {
    pub(super) constant: i128,
    pub(super) summands: Vec<(Node, i128)>,
}

/// A form as `factor * (from - to) + constant`, with a positive factor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Difference {
    pub(super) from: Node,
    pub(super) to: Node,
    pub(super) factor: i128,
}

impl Form {
    /// The node alone.
    pub(super) fn node(node: Node) -> Self {
        Self { constant: 0, summands: if node == ZERO { Vec::new() } else { vec![(node, 1)] } }
    }

    /// Adds `factor * node`; none on overflow.
    pub(super) fn add_node(&mut self, node: Node, factor: i128) -> Option<()> {
        if node == ZERO || factor == 0 {
            return Some(());
        }
        match self.summands.binary_search_by_key(&node, |(other, _)| *other) {
            Ok(position) => {
                let sum = self.summands[position].1.checked_add(factor)?;
                if sum == 0 {
                    self.summands.remove(position);
                } else {
                    self.summands[position].1 = sum;
                }
            }
            Err(position) => self.summands.insert(position, (node, factor)),
        }
        Some(())
    }

    /// `self + factor * other`; none on overflow.
    pub(super) fn plus(&self, other: &Self, factor: i128) -> Option<Self> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (node, coefficient) in &other.summands {
            sum.add_node(*node, coefficient.checked_mul(factor)?)?;
        }
        Some(sum)
    }

    /// How many times all summands of this one are among those of another form; none if they are not, or there are none.
    pub(super) fn factor_within(&self, other: &Self) -> Option<i128> {
        let times = |(node, coefficient): &(Node, i128)| {
            let position = other.summands.binary_search_by_key(node, |(other, _)| *other).ok()?;
            let times = other.summands[position].1.checked_div(*coefficient)?;
            (times.checked_mul(*coefficient) == Some(other.summands[position].1)).then_some(times)
        };
        let factor = times(self.summands.first()?)?;
        self.summands.iter().all(|summand| times(summand) == Some(factor)).then_some(factor)
    }

    /// `-self`
    pub(super) fn negated(&self) -> Option<Self> {
        Self::default().plus(self, -1)
    }

    /// The greatest common divisor of the coefficients; 0 if there are none.
    pub(super) fn divisor(&self) -> i128 {
        self.summands.iter().fold(0, |divisor, (_, coefficient)| common_divisor(divisor, *coefficient))
    }

    /// The form as a node plus a constant, if it is one; 0 is a node too.
    pub(super) fn as_node(&self) -> Option<(Node, i128)> {
        match *self.summands.as_slice() {
            [] => Some((ZERO, self.constant)),
            [(node, 1)] => Some((node, self.constant)),
            _ => None,
        }
    }

    /// The form as a difference of two nodes, if it is one.
    pub(super) fn difference(&self) -> Option<Difference> {
        match *self.summands.as_slice() {
            [] => Some(Difference { from: ZERO, to: ZERO, factor: 1 }),
            [(node, factor)] if factor > 0 => Some(Difference { from: node, to: ZERO, factor }),
            [(node, factor)] => Some(Difference { from: ZERO, to: node, factor: factor.checked_neg()? }),
            [(from, factor), (to, opposite)] if factor > 0 && opposite == -factor => Some(Difference { from, to, factor }),
            [(to, opposite), (from, factor)] if factor > 0 && opposite == -factor => Some(Difference { from, to, factor }),
            _ => None,
        }
    }
}

/// The greatest common divisor, at least 0.
pub fn common_divisor(left: i128, right: i128) -> i128 {
    let (mut left, mut right) = (left.unsigned_abs(), right.unsigned_abs());
    while right != 0 {
        (left, right) = (right, left % right);
    }
    i128::try_from(left).unwrap_or(1)
}
