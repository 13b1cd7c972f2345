//! Bounds of the differences of a template's slots: weakened from one arrival to the next, and closed (`spec/search.md#shape`).

use goatherd_certificates::term::LinearId;
use goatherd_checker::term::Arena;
use goatherd_logic::{Apart, Context};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
};

/// Upper bounds of the differences of terms; term 0 is zero.
///
/// Terms that have been one and the same so far share a row, as sizes of inputs and what scapegoats have in common do. Zero has a row of its own.
#[derive(Clone, Debug)]
pub(crate) struct Differences {
    rows: Rows,
    /// Row by row, the greatest value of a term of it minus one of another row.
    bounds: Vec<Option<i128>>,
}

/// Which terms share a row.
#[derive(Clone, Debug)]
struct Rows {
    /// Per term its row; rows are numbered in the order of their first terms.
    of_terms: Vec<usize>,
    /// Per row its first term.
    firsts: Vec<usize>,
}

impl Rows {
    /// Terms of one name share a row.
    fn new<Name: Ord>(names: impl IntoIterator<Item = Name>) -> Self {
        let mut numbers = BTreeMap::new();
        let mut rows = Self { of_terms: Vec::new(), firsts: Vec::new() };
        for (term, name) in names.into_iter().enumerate() {
            let row = *numbers.entry(name).or_insert(rows.firsts.len());
            if row == rows.firsts.len() {
                rows.firsts.push(term);
            }
            rows.of_terms.push(row);
        }
        rows
    }

    /// All pairs of rows, by their first terms.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.firsts.iter().flat_map(|from| self.firsts.iter().map(move |to| (*from, *to)))
    }
}

impl Differences {
    /// What the context knows of zero and these terms.
    pub(crate) fn new(arena: &mut Arena, context: &mut Context, terms: &[LinearId]) -> Self {
        let rows = Rows::new(std::iter::once(None).chain(terms.iter().copied().map(Some)));
        let distinct: Vec<LinearId> = rows.firsts[1..].iter().map(|first| terms[first - 1]).collect();
        let matrix = context.bounds_matrix(arena, &distinct);
        let bounds = (0..matrix.size()).flat_map(|from| (0..matrix.size()).map(move |to| (from, to)));
        Self { bounds: bounds.map(|(from, to)| matrix.get(from, to)).collect(), rows }
    }

    /// How many terms there are, zero included.
    pub(crate) fn len(&self) -> usize {
        self.rows.of_terms.len()
    }

    /// The greatest value of the difference of two terms, as far as known.
    pub(crate) fn get(&self, from: usize, to: usize) -> Option<i128> {
        let [from, to] = [from, to].map(|term| self.rows.of_terms[term]);
        self.bounds[from * self.rows.firsts.len() + to]
    }

    /// The bounds that are made of both for each pair of terms; of as many terms.
    fn combined(&self, other: &Self, combine: impl Fn((usize, usize), Option<i128>, Option<i128>) -> Option<i128>) -> Self {
        let rows = Rows::new(self.rows.of_terms.iter().zip(&other.rows.of_terms));
        let bounds = rows.pairs().map(|(from, to)| combine((from, to), self.get(from, to), other.get(from, to))).collect();
        Self { rows, bounds }
    }

    /// The first of these terms that is at a constant distance from the term, by its position, and that distance.
    fn at_distance(&self, term: usize, others: &[usize]) -> Option<(usize, i128)> {
        others.iter().enumerate().find_map(|(position, other)| {
            let gap = self.get(term, *other)?;
            (self.get(*other, term) == Some(-gap)).then_some((position, gap))
        })
    }

    /// What holds of both.
    pub(crate) fn join(&self, other: &Self) -> Self {
        self.combined(other, |_, one, other| one.zip(other).map(|(one, other)| one.max(other)))
    }

    /// What both imply and a template keeps, the thresholds being bounds that the program gives its slots.
    pub(crate) fn widened(&self, new: &Self, thresholds: &[i128]) -> Self {
        self.combined(new, |(from, to), old, new| {
            let bounded = if from == 0 || to == 0 { Bounded::Slot(thresholds) } else { Bounded::Difference };
            weaken(old, new, bounded)
        })
    }
}

/// Weak bounds that a difference may be given up for, in this order.
const THRESHOLDS: [i128; 3] = [-1, 0, 1];
/// The same for bounds of a single slot: what types and objects hold.
const CONSTANT_THRESHOLDS: [i128; 8] =
    [0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x7fff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff];
/// What a narrow type holds is a bound where just that is known: what counts up is not given up for these first, one after the other.
const NARROW: RangeInclusive<i128> = 0x7f..=0xff;

/// What is bounded.
#[derive(Clone, Copy)]
enum Bounded<'a> {
    /// The difference of two slots.
    Difference,
    /// A slot or its negation; these are bounds that the program gives it, ascending.
    Slot(&'a [i128]),
}

/// The bound that both imply and that a template keeps: the old one where the new one implies it, else a threshold.
fn weaken(old: Option<i128>, new: Option<i128>, bounded: Bounded<'_>) -> Option<i128> {
    let (old, new) = (old?, new?);
    if new <= old {
        return Some(old);
    }
    let first = |thresholds: &[i128]| thresholds.iter().copied().find(|threshold| new <= *threshold);
    let of_types =
        || CONSTANT_THRESHOLDS.into_iter().find(|threshold| new <= *threshold && (new == *threshold || !NARROW.contains(threshold)));
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
        let mut nodes: Vec<(usize, i128)> = Vec::new();
        let rows = &differences.rows;
        for term in 0..differences.len() {
            let first = rows.firsts[rows.of_terms[term]];
            nodes.push(if term + apart >= differences.len() {
                (firsts.len(), 0)
            } else if first < term {
                nodes[first]
            } else {
                differences.at_distance(term, &firsts).unwrap_or((firsts.len(), 0))
            });
            if nodes[term].0 == firsts.len() {
                firsts.push(term);
            }
        }
        let size = firsts.len();
        let mut bounds = vec![UNBOUNDED; size * size];
        // What a row says of a node is the same for all terms that share both.
        let places: BTreeSet<(usize, (usize, i128))> = rows.of_terms.iter().copied().zip(nodes.iter().copied()).collect();
        for (row, (from, above)) in &places {
            for (column, (to, below)) in &places {
                if let Some(bound) = differences.bounds[row * rows.firsts.len() + column] {
                    let entry = &mut bounds[from * size + to];
                    *entry = (*entry).min(bound - above + below);
                }
            }
        }
        close(&mut bounds, size);
        Self { nodes, size, bounds }
    }

    /// The greatest value of the difference of two terms.
    pub(crate) fn get(&self, from: usize, to: usize) -> Option<i128> {
        let ((from, above), (to, below)) = (self.nodes[from], self.nodes[to]);
        let bound = self.bounds[from * self.size + to];
        (bound < UNBOUNDED).then(|| bound + above - below)
    }
}

/// Makes the sum of two bounds a bound, too; node 0 is zero.
///
/// Most nodes have nothing in common but that each has bounds: their difference is bounded by way of zero alone. So zero is the way between all nodes,
/// in the beginning and in the end, and another node only between those that it is closer to than zero makes it. That is enough: of a way from x by zero
/// and a node to y what matters is what it says of zero and y.
fn close(bounds: &mut [i128], size: usize) {
    let all: Vec<usize> = (0..size).collect();
    lead(bounds, size, 0, [&all, &all]);
    for node in 1..size {
        let is_closer = |from: usize, to: usize| {
            let by_zero = bounds[from * size].saturating_add(bounds[to]);
            from == 0 || to == 0 || bounds[from * size + to] < by_zero
        };
        let before: Vec<usize> = (0..size).filter(|from| is_closer(*from, node)).collect();
        let behind: Vec<usize> = (0..size).filter(|to| is_closer(node, *to)).collect();
        lead(bounds, size, node, [&before, &behind]);
    }
    lead(bounds, size, 0, [&all, &all]);
}

/// What follows by way of one node for the differences of some nodes and others.
fn lead(bounds: &mut [i128], size: usize, node: usize, [before, behind]: [&[usize]; 2]) {
    for from in before {
        let first = bounds[from * size + node];
        if first >= UNBOUNDED {
            continue;
        }
        for to in behind {
            let second = bounds[node * size + to];
            if second < UNBOUNDED {
                let bound = &mut bounds[from * size + to];
                *bound = (*bound).min(first + second);
            }
        }
    }
}

/// Do the bounds make the difference other than what the disequality excludes?
pub(crate) fn excludes_zero(bound: impl Fn(usize, usize) -> Option<i128>, apart: Apart) -> bool {
    let Apart { left, right, constant } = apart;
    bound(left, right).is_some_and(|bound| bound < -constant) || bound(right, left).is_some_and(|bound| bound < constant)
}

#[cfg(test)]
mod tests {
    use super::{UNBOUNDED, close};

    /// Floyd and Warshall: by way of each node between all others.
    fn closed(bounds: &[i128], size: usize) -> Vec<i128> {
        let mut bounds = bounds.to_vec();
        for node in 0..size {
            for from in 0..size {
                for to in 0..size {
                    let (first, second) = (bounds[from * size + node], bounds[node * size + to]);
                    if first < UNBOUNDED && second < UNBOUNDED {
                        bounds[from * size + to] = bounds[from * size + to].min(first + second);
                    }
                }
            }
        }
        bounds
    }

    #[test]
    fn bounds_are_closed_as_by_way_of_each_node() {
        let mut seed: u64 = 7;
        let mut next = |limit: i128| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i128::from(seed >> 33) % limit
        };
        for size in 1..9 {
            for _ in 0..200 {
                // Bounds that values obey contradict each other nowhere.
                let values: Vec<i128> = (0..size).map(|node| if node == 0 { 0 } else { next(40) - 20 }).collect();
                let mut bounds = vec![UNBOUNDED; size * size];
                for (from, value) in values.iter().enumerate() {
                    for (to, other) in values.iter().enumerate() {
                        let is_known = from == to || next(10) < if from == 0 || to == 0 { 7 } else { 3 };
                        if is_known {
                            bounds[from * size + to] = if from == to { 0 } else { value - other + next(15) };
                        }
                    }
                }
                let expected = closed(&bounds, size);
                close(&mut bounds, size);
                assert_eq!(bounds, expected);
            }
        }
    }
}
