//! A closed difference-bound matrix: the best known upper bound of every difference of two nodes.

use crate::meter::Meter;

/// The position of a node in the matrix.
pub(super) type Node = usize;

/// The node whose value is 0.
pub(super) const ZERO: Node = 0;

/// Stands for a difference that has no known upper bound.
const UNBOUNDED: i128 = 1 << 120;

/// Bounds above this in absolute value are forgotten, so that sums along a path never overflow. C's integers need 66 bits.
const LIMIT: i128 = 1 << 100;

/// Rows are kept apart by a multiple of this, so that most additions of a node move nothing.
const STRIDE: usize = 16;

/// What a new bound changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// It was known, or is too large to matter.
    None,
    /// Some differences are now known better.
    Tightened,
    /// It contradicts the bound of the opposite difference.
    Contradiction,
}

/// Upper bounds of all differences of nodes, closed under addition: `bound(a, c) <= bound(a, b) + bound(b, c)`.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    size: usize,
    stride: usize,
    entries: Vec<i128>,
}

fn plus(left: i128, right: i128) -> i128 {
    if left > LIMIT || right > LIMIT {
        return UNBOUNDED;
    }
    let sum = left + right;
    if sum > LIMIT { UNBOUNDED } else { sum }
}

impl Bounds {
    /// Only the node 0.
    pub(super) fn new() -> Self {
        let mut entries = vec![UNBOUNDED; STRIDE * STRIDE];
        entries[0] = 0;
        Self { size: 1, stride: STRIDE, entries }
    }

    /// How many nodes there are.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The greatest value of `from - to`, as far as known.
    pub(super) fn get(&self, from: Node, to: Node) -> Option<i128> {
        let bound = self.entries[from * self.stride + to];
        (bound <= LIMIT).then_some(bound)
    }

    /// Is the greatest value of `from - to` known to be at most this?
    pub(super) fn is_at_most(&self, from: Node, to: Node, bound: i128) -> bool {
        self.entries[from * self.stride + to] <= bound.min(LIMIT)
    }

    /// `from - to`, if only one value is possible.
    pub(super) fn fixed(&self, from: Node, to: Node) -> Option<i128> {
        let bound = self.get(from, to)?;
        (self.entries[to * self.stride + from] == -bound).then_some(bound)
    }

    /// Adds a node with values in the range.
    pub(super) fn push(&mut self, range: Option<(i128, i128)>) -> Node {
        let node = self.size;
        self.size += 1;
        if self.size > self.stride {
            self.widen();
        }
        let (least, greatest) = range.unwrap_or((-UNBOUNDED, UNBOUNDED));
        for other in 0..node {
            let above = plus(greatest, self.entries[other]);
            let below = plus(-least, self.entries[other * self.stride]);
            self.entries[node * self.stride + other] = above;
            self.entries[other * self.stride + node] = below;
        }
        self.entries[node * self.stride + node] = 0;
        node
    }

    fn widen(&mut self) {
        let stride = self.stride + STRIDE;
        let mut entries = vec![UNBOUNDED; stride * stride];
        for (new, old) in entries.chunks_mut(stride).zip(self.entries.chunks(self.stride)) {
            new[..self.stride].copy_from_slice(old);
        }
        self.stride = stride;
        self.entries = entries;
    }

    /// Learns `from - to <= bound`. The matrix has to be closed in any case: that is charged to the meter.
    pub(super) fn tighten(&mut self, from: Node, to: Node, bound: i128, meter: &Meter) -> Change {
        if bound.abs() > LIMIT || self.is_at_most(from, to, bound) {
            return Change::None;
        }
        if self.get(to, from).is_some_and(|opposite| opposite + bound < 0) {
            return Change::Contradiction;
        }
        let after = self.entries[to * self.stride..][..self.size].to_vec();
        let mut improved = 0;
        for row in self.entries.chunks_mut(self.stride).take(self.size) {
            let via = plus(row[from], bound);
            if via < row[to] {
                improved += 1;
                for (entry, after) in row.iter_mut().zip(&after) {
                    *entry = (*entry).min(plus(via, *after));
                }
            }
        }
        meter.charge(self.size + improved * self.size);
        Change::Tightened
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Change, ZERO};
    use crate::meter::Meter;

    #[test]
    fn bounds_add_up_along_paths() {
        let mut bounds = Bounds::new();
        let nodes: Vec<_> = (0..40).map(|_| bounds.push(None)).collect();
        for pair in nodes.windows(2) {
            assert_eq!(bounds.tighten(pair[0], pair[1], -1, &Meter::default()), Change::Tightened);
        }
        assert_eq!(bounds.get(nodes[0], nodes[39]), Some(-39));
        assert_eq!(bounds.get(nodes[39], nodes[0]), None);
        assert_eq!(bounds.tighten(nodes[39], nodes[0], 38, &Meter::default()), Change::Contradiction);
        assert_eq!(bounds.tighten(nodes[39], nodes[0], 39, &Meter::default()), Change::Tightened);
        assert_eq!(bounds.fixed(nodes[20], nodes[10]), Some(10));
    }

    #[test]
    fn a_range_bounds_differences_to_older_nodes() {
        let mut bounds = Bounds::new();
        let byte = bounds.push(Some((0, 255)));
        let word = bounds.push(Some((-128, 127)));
        assert_eq!(bounds.get(byte, word), Some(383));
        assert_eq!(bounds.get(word, ZERO), Some(127));
        assert_eq!(bounds.get(ZERO, word), Some(128));
    }
}
