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

/// What a node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// An atom, or 0.
    Atom,
    /// A sum of several atoms.
    Sum,
}

/// Upper bounds of all differences of nodes, closed under addition: `bound(a, c) <= bound(a, b) + bound(b, c)`.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    size: usize,
    stride: usize,
    entries: Vec<i128>,
    kinds: Vec<Kind>,
    /// Of each node the oldest atom that it differs from by a constant, or itself if none is older, and how much greater it is.
    oldest: Vec<(Node, i128)>,
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
        Self { size: 1, stride: STRIDE, entries, kinds: vec![Kind::Atom], oldest: vec![(ZERO, 0)] }
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

    /// The bounds of all differences of the nodes added up: less whenever one of them is known better.
    pub(super) fn total(&self, nodes: &[Node]) -> i128 {
        let rows = nodes.iter().map(|from| &self.entries[from * self.stride..]);
        rows.flat_map(|row| nodes.iter().map(|to| row[*to])).fold(0, i128::wrapping_add)
    }

    /// The oldest atom that the node differs from by a constant, or itself if none is older; and how much greater it is.
    pub(super) fn oldest_equal(&self, node: Node) -> (Node, i128) {
        self.oldest[node]
    }

    /// Adds a node with values in the range.
    pub(super) fn push(&mut self, kind: Kind, range: Option<(i128, i128)>) -> Node {
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
        self.kinds.push(kind);
        self.oldest.push(self.fixed(node, ZERO).map_or((node, 0), |value| (ZERO, value)));
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
        // A sum of bounds that is 0 all the way round fixes all nodes on its way, so those that are new differ from both by constants.
        if self.fixed(from, to).is_some() {
            self.unite(from);
        }
        meter.charge(self.size + improved * self.size);
        Change::Tightened
    }

    /// Looks again for what differs from the node by constants.
    fn unite(&mut self, node: Node) {
        let equal: Vec<Node> = (0..self.size).filter(|other| self.fixed(*other, node).is_some()).collect();
        let Some(oldest) = equal.iter().copied().find(|other| self.kinds[*other] == Kind::Atom) else { return };
        for newer in equal.into_iter().filter(|other| *other > oldest) {
            if let Some(distance) = self.fixed(newer, oldest) {
                self.oldest[newer] = (oldest, distance);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Change, Kind, ZERO};
    use crate::meter::Meter;

    #[test]
    fn bounds_add_up_along_paths() {
        let mut bounds = Bounds::new();
        let nodes: Vec<_> = (0..40).map(|_| bounds.push(Kind::Atom, None)).collect();
        for pair in nodes.windows(2) {
            assert_eq!(bounds.tighten(pair[0], pair[1], -1, &Meter::default()), Change::Tightened);
        }
        assert_eq!(bounds.get(nodes[0], nodes[39]), Some(-39));
        assert_eq!(bounds.get(nodes[39], nodes[0]), None);
        assert_eq!(bounds.tighten(nodes[39], nodes[0], 38, &Meter::default()), Change::Contradiction);
        assert_eq!(bounds.tighten(nodes[39], nodes[0], 39, &Meter::default()), Change::Tightened);
        assert_eq!(bounds.fixed(nodes[20], nodes[10]), Some(10));
    }

    /// Compared with what a search through all older nodes finds, after each of many changes.
    #[test]
    fn the_oldest_equal_is_what_a_search_finds() {
        let mut bounds = Bounds::new();
        let mut random = 1_u64;
        let mut below = |limit: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from((random >> 33) % limit).unwrap()
        };
        let mut equal = 0;
        for _ in 0..2000 {
            let size = bounds.size();
            if size < 60 && below(20) == 0 {
                let kind = if below(3) == 0 { Kind::Sum } else { Kind::Atom };
                bounds.push(kind, [None, Some((0, 9)), Some((4, 4))][below(3)]);
            } else {
                let (from, to) = (below(size as u64), below(size as u64));
                let bound = i128::try_from(below(8)).unwrap() - 1;
                let _ = bounds.tighten(from, to, bound, &Meter::default());
            }
            for node in 0..bounds.size() {
                let mut atoms = (0..node).filter(|older| bounds.kinds[*older] == Kind::Atom);
                let found = atoms.find_map(|older| Some((older, bounds.fixed(node, older)?)));
                assert_eq!(bounds.oldest_equal(node), found.unwrap_or((node, 0)));
                equal += usize::from(found.is_some());
            }
        }
        assert!(equal > 1000, "{equal}");
    }

    #[test]
    fn a_range_bounds_differences_to_older_nodes() {
        let mut bounds = Bounds::new();
        let byte = bounds.push(Kind::Atom, Some((0, 255)));
        let word = bounds.push(Kind::Atom, Some((-128, 127)));
        assert_eq!(bounds.get(byte, word), Some(383));
        assert_eq!(bounds.get(word, ZERO), Some(127));
        assert_eq!(bounds.get(ZERO, word), Some(128));
    }
}
