//! Linear equations among the slots of a template: the affine hull of all configurations that it was widened from (M. Karr, Affine
//! relationships among variables of a program, 1976).
//!
//! Differences say that two slots are in step; equations say it of more, as `k = i + j` does while two arrays are merged into one.

use goatherd_logic::{Combination, common_divisor};
use std::collections::{BTreeMap, BTreeSet};

/// Equations of more slots are not kept.
const SLOTS: usize = 4;
/// Greatest coefficient of an equation that is kept.
const COEFFICIENT: i128 = 1 << 16;

/// The least affine space that contains all values of the slots: a point, and independent directions from it.
#[derive(Clone, Debug)]
pub struct Hull {
    point: Vec<i128>,
    directions: Vec<Row>,
}

/// A vector by its entries other than 0, by ascending column: few slots depend on one unknown.
type Row = Vec<(usize, i128)>;

/// `constant + sum of coefficient * slot = 0`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equation {
    /// Position and coefficient.
    pub summands: Vec<(usize, i128)>,
    /// What is added.
    pub constant: i128,
}

impl Hull {
    /// Of slots with these values; one without may have any.
    pub fn new(slots: &[Option<Combination>]) -> Self {
        let point = slots.iter().map(|slot| slot.as_ref().map_or(0, |slot| slot.constant)).collect();
        let mut own: Vec<Row> = Vec::new();
        let mut shared: BTreeMap<usize, Row> = BTreeMap::new();
        for (column, slot) in slots.iter().enumerate() {
            let Some(slot) = slot else {
                own.push(unit(column));
                continue;
            };
            for (unknown, coefficient) in &slot.summands {
                shared.entry(*unknown).or_default().push((column, *coefficient));
            }
        }
        own.extend(shared.into_values());
        Self { point, directions: own }.reduced()
    }

    /// The least that contains both, of the same slots.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        let across = self.point.iter().zip(&other.point).map(|(from, to)| to.saturating_sub(*from)).enumerate();
        let across = across.filter(|(_, entry)| *entry != 0).collect();
        let directions = self.directions.iter().chain(&other.directions).cloned().chain([across]).collect();
        Self { point: self.point.clone(), directions }.reduced()
    }

    /// The equations that hold among these slots, one for each slot that is a function of those before it.
    pub fn equations(&self, slots: &[usize]) -> Vec<Equation> {
        let columns: BTreeMap<usize, usize> = slots.iter().enumerate().map(|(column, slot)| (*slot, column)).collect();
        let of_slots = |row: &Row| row.iter().filter_map(|(slot, entry)| Some((*columns.get(slot)?, *entry))).collect();
        let rows = reduce(self.directions.iter().map(of_slots).collect(), slots.len());
        let pivots: BTreeSet<usize> = rows.iter().filter_map(|row| Some(row.first()?.0)).collect();
        let free = (0..slots.len()).filter(|column| !pivots.contains(column));
        free.filter_map(|column| {
            // The space is what the pivots take: this slot is the sum of entry / pivot times each.
            let part = |row: &Row| Some((*row.first()?, entry(row, column))).filter(|(_, entry)| *entry != 0);
            let relevant: Vec<(usize, i128, i128)> =
                rows.iter().filter_map(part).map(|((pivot, leading), entry)| (pivot, leading, entry)).collect();
            let multiple = relevant.iter().try_fold(1_i128, |multiple, (_, leading, _)| least_common_multiple(multiple, *leading))?;
            let mut summands: Vec<(usize, i128)> = Vec::new();
            for (pivot, leading, entry) in &relevant {
                summands.push((slots[*pivot], entry.checked_mul(multiple / leading)?.checked_neg()?));
            }
            summands.push((slots[column], multiple));
            let is_small = |(_, coefficient): &(usize, i128)| coefficient.abs() <= COEFFICIENT;
            if summands.len() > SLOTS || !summands.iter().all(is_small) {
                return None;
            }
            let value = summands
                .iter()
                .try_fold(0_i128, |sum, (slot, coefficient)| sum.checked_add(coefficient.checked_mul(self.point[*slot])?))?;
            Some(Equation { summands, constant: value.checked_neg()? })
        })
        .collect()
    }

    fn reduced(self) -> Self {
        Self { directions: reduce(self.directions, self.point.len()), ..self }
    }
}

/// The direction of one slot.
fn unit(column: usize) -> Row {
    vec![(column, 1)]
}

/// The entry in this column.
fn entry(row: &Row, column: usize) -> i128 {
    row.binary_search_by_key(&column, |(column, _)| *column).map_or(0, |position| row[position].1)
}

/// Gauss and Jordan: the same space by independent rows, each with a leading column in which all others are 0. Where numbers become too
/// large, a row is replaced by its slots' own directions, which only enlarges the space.
fn reduce(rows: Vec<Row>, columns: usize) -> Vec<Row> {
    let mut open = rows;
    let mut reduced: Vec<(usize, Row)> = Vec::new();
    while let Some(row) = open.pop() {
        let cleared = reduced.iter().try_fold(row.clone(), |row, (column, by)| clear(row, *column, by));
        let Some(row) = cleared else {
            open.extend(row.iter().map(|(column, _)| unit(*column)));
            continue;
        };
        let Some((column, _)) = row.first().copied() else { continue };
        for (_, other) in &mut reduced {
            match clear(std::mem::take(other), column, &row) {
                Some(cleared) => *other = cleared,
                None => return (0..columns).map(unit).collect(),
            }
        }
        reduced.push((column, row));
    }
    reduced.sort_unstable_by_key(|(column, _)| *column);
    reduced.into_iter().map(|(_, row)| row).collect()
}

/// A multiple of the row less a multiple of the other, so that this column is 0, divided by what all entries have in common; none on
/// overflow.
fn clear(row: Row, column: usize, by: &Row) -> Option<Row> {
    let (own, leading) = (entry(&row, column), entry(by, column));
    if own == 0 {
        return Some(row);
    }
    let mut sums: BTreeMap<usize, i128> = BTreeMap::new();
    for (column, entry) in row {
        sums.insert(column, entry.checked_mul(leading)?);
    }
    for (column, entry) in by {
        let sum = sums.entry(*column).or_default();
        *sum = sum.checked_sub(entry.checked_mul(own)?)?;
    }
    let mut row: Row = sums.into_iter().filter(|(_, entry)| *entry != 0).collect();
    let mut divisor = 0;
    for (_, entry) in &row {
        divisor = common_divisor(divisor, *entry);
        if divisor == 1 {
            return Some(row);
        }
    }
    for (_, entry) in &mut row {
        *entry /= divisor;
    }
    Some(row)
}

fn least_common_multiple(left: i128, right: i128) -> Option<i128> {
    (left / common_divisor(left, right).max(1)).checked_mul(right)?.checked_abs()
}

#[cfg(test)]
mod tests {
    use super::{Equation, Hull};
    use goatherd_logic::Combination;

    fn hull(slots: &[(i128, &[(usize, i128)])]) -> Hull {
        let slot = |(constant, summands): &(i128, &[(usize, i128)])| Some(Combination { constant: *constant, summands: summands.to_vec() });
        Hull::new(&slots.iter().map(slot).collect::<Vec<_>>())
    }

    #[test]
    fn a_sum_is_seen() {
        // x, y, x + y + 3
        let hull = hull(&[(0, &[(1, 1)]), (0, &[(2, 1)]), (3, &[(1, 1), (2, 1)])]);
        assert_eq!(hull.equations(&[0, 1, 2]), [Equation { summands: vec![(0, -1), (1, -1), (2, 1)], constant: -3 }]);
        assert_eq!(hull.equations(&[0, 2]), []);
    }

    #[test]
    fn what_differs_is_lost_and_what_agrees_is_kept() {
        let first = hull(&[(0, &[]), (0, &[]), (0, &[])]);
        let second = first.join(&hull(&[(1, &[]), (0, &[]), (1, &[])]));
        let third = second.join(&hull(&[(1, &[]), (1, &[]), (2, &[])]));
        assert_eq!(third.equations(&[0, 1, 2]), [Equation { summands: vec![(0, -1), (1, -1), (2, 1)], constant: 0 }]);
        let fourth = third.join(&hull(&[(1, &[]), (1, &[]), (3, &[])]));
        assert_eq!(fourth.equations(&[0, 1, 2]), []);
    }

    #[test]
    fn coefficients_are_whole() {
        // 2x, 3x
        let hull = hull(&[(0, &[(7, 2)]), (1, &[(7, 3)])]);
        assert_eq!(hull.equations(&[0, 1]), [Equation { summands: vec![(0, -3), (1, 2)], constant: -2 }]);
    }

    #[test]
    fn large_numbers_enlarge_the_space() {
        let large = i128::MAX / 2;
        let hull = hull(&[(0, &[(1, large), (2, 3)]), (0, &[(1, 5), (2, large)]), (0, &[(1, 7), (2, 11)])]);
        assert_eq!(hull.equations(&[0, 1, 2]), []);
    }
}
