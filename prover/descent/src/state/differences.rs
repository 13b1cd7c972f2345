//! Bounds of the differences of a template's slots: weakened from one arrival to the next, and closed (`spec/search.md#shape`).

use goatherd_logic::Apart;
use std::ops::RangeInclusive;

/// Upper bounds of differences: entry (i, j) bounds term i - term j; term 0 is zero.
pub(crate) type Differences = Vec<Vec<Option<i128>>>;

/// Weak bounds that a difference may be given up for, in this order.
const THRESHOLDS: [i128; 3] = [-1, 0, 1];
/// The same for bounds of a single slot: what types and objects hold.
const CONSTANT_THRESHOLDS: [i128; 8] =
    [0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x7fff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff];
/// What a narrow type holds is a bound where just that is known: what counts up is not given up for these first, one after the other.
const NARROW: RangeInclusive<i128> = 0x7f..=0xff;

/// What is bounded.
#[derive(Clone, Copy)]
pub(crate) enum Bounded<'a> {
    /// The difference of two slots.
    Difference,
    /// A slot or its negation; these are bounds that the program gives it, ascending.
    Slot(&'a [i128]),
}

/// The bound that both imply and that a template keeps: theirs if it is one, else a threshold.
pub(crate) fn weaken(old: Option<i128>, new: Option<i128>, bounded: Bounded<'_>) -> Option<i128> {
    let (old, new) = (old?, new?);
    if old == new {
        return Some(old);
    }
    let greatest = old.max(new);
    let first = |thresholds: &[i128]| thresholds.iter().copied().find(|threshold| greatest <= *threshold);
    let of_types = || {
        CONSTANT_THRESHOLDS.into_iter().find(|threshold| greatest <= *threshold && (greatest == *threshold || !NARROW.contains(threshold)))
    };
    match bounded {
        Bounded::Difference => first(&THRESHOLDS),
        Bounded::Slot(own) => {
            let usual = first(&THRESHOLDS).or_else(of_types);
            first(own).filter(|own| usual.is_none_or(|usual| *own < usual)).or(usual)
        }
    }
}

/// No bound is known.
const UNBOUNDED: i128 = i128::MAX / 4;

/// Bounds closed under the triangle inequality. Terms at a constant distance are one node: most of a template's terms are.
pub(crate) struct Closed {
    /// Per term its node, and the term minus the node.
    nodes: Vec<(usize, i128)>,
    /// How many nodes there are.
    size: usize,
    /// Upper bounds of the differences of nodes.
    bounds: Vec<i128>,
}

impl Closed {
    /// The last `apart` terms get nodes of their own.
    pub(crate) fn new(differences: &Differences, apart: usize) -> Self {
        let mut firsts: Vec<usize> = Vec::new();
        let mut nodes = Vec::new();
        for term in 0..differences.len() {
            let equal = firsts.iter().enumerate().find_map(|(node, first)| {
                let gap = differences[term][*first]?;
                (differences[*first][term] == Some(-gap)).then_some((node, gap))
            });
            let own = (firsts.len(), 0);
            nodes.push(equal.filter(|_| term + apart < differences.len()).unwrap_or(own));
            if nodes[term] == own {
                firsts.push(term);
            }
        }
        let size = firsts.len();
        let mut bounds = vec![UNBOUNDED; size * size];
        for (row, (from, above)) in differences.iter().zip(&nodes) {
            for (bound, (to, below)) in row.iter().zip(&nodes) {
                if let Some(bound) = bound {
                    let entry = &mut bounds[from * size + to];
                    *entry = (*entry).min(bound - above + below);
                }
            }
        }
        for middle in 0..size {
            for from in 0..size {
                let first = bounds[from * size + middle];
                if first < UNBOUNDED {
                    for to in 0..size {
                        let second = bounds[middle * size + to];
                        if second < UNBOUNDED {
                            let entry = &mut bounds[from * size + to];
                            *entry = (*entry).min(first + second);
                        }
                    }
                }
            }
        }
        Self { nodes, size, bounds }
    }

    /// The greatest value of the difference of two terms.
    pub(crate) fn get(&self, from: usize, to: usize) -> Option<i128> {
        let ((from, above), (to, below)) = (self.nodes[from], self.nodes[to]);
        let bound = self.bounds[from * self.size + to];
        (bound < UNBOUNDED).then(|| bound + above - below)
    }
}

/// Do the bounds make the difference other than what the disequality excludes?
pub(crate) fn excludes_zero(bound: impl Fn(usize, usize) -> Option<i128>, apart: Apart) -> bool {
    let Apart { left, right, constant } = apart;
    bound(left, right).is_some_and(|bound| bound < -constant) || bound(right, left).is_some_and(|bound| bound < constant)
}
