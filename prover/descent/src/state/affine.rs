//! Linear equations among the slots of a template: the affine hull of all configurations that it was widened from (M. Karr, Affine
//! relationships among variables of a program, 1976).
//!
//! Differences say that two slots are in step; equations say it of more, as `k = i + j` does while two arrays are merged into one.

use goatherd_logic::{Combination, common_divisor};

/// Equations of more slots are not kept.
const SLOTS: usize = 4;
/// Greatest coefficient of an equation that is kept.
const COEFFICIENT: i128 = 1 << 16;

/// The least affine space that contains all values of the slots: a point, and independent directions from it.
#[derive(Clone, Debug)]
pub struct Hull {
    point: Vec<i128>,
    directions: Vec<Vec<i128>>,
}

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
        let mut unknowns: Vec<usize> = slots.iter().flatten().flat_map(|slot| slot.summands.iter().map(|(unknown, _)| *unknown)).collect();
        unknowns.sort_unstable();
        unknowns.dedup();
        let coefficient = |slot: &Option<Combination>, unknown: usize| {
            let summands = slot.iter().flat_map(|slot| &slot.summands);
            summands.filter(|(other, _)| *other == unknown).map(|(_, coefficient)| *coefficient).sum()
        };
        let own = (0..slots.len()).filter(|position| slots[*position].is_none());
        let own = own.map(|position| (0..slots.len()).map(|other| i128::from(other == position)).collect());
        let shared = unknowns.iter().map(|unknown| slots.iter().map(|slot| coefficient(slot, *unknown)).collect());
        Self { point, directions: own.chain(shared).collect() }.reduced()
    }

    /// The least that contains both, of the same slots.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        let across = self.point.iter().zip(&other.point).map(|(from, to)| to.saturating_sub(*from)).collect();
        let directions = self.directions.iter().chain(&other.directions).cloned().chain([across]).collect();
        Self { point: self.point.clone(), directions }.reduced()
    }

    /// The equations that hold among these slots, one for each slot that is a function of those before it.
    pub fn equations(&self, slots: &[usize]) -> Vec<Equation> {
        let rows = reduce(self.directions.iter().map(|row| slots.iter().map(|slot| row[*slot]).collect()).collect());
        let pivots: Vec<usize> = rows.iter().filter_map(|row| row.iter().position(|entry| *entry != 0)).collect();
        let free = (0..slots.len()).filter(|column| !pivots.contains(column));
        free.filter_map(|column| {
            // The space is what the pivots take: this slot is the sum of entry / pivot times each.
            let relevant: Vec<(usize, i128, i128)> = rows
                .iter()
                .zip(&pivots)
                .filter(|(row, _)| row[column] != 0)
                .map(|(row, pivot)| (*pivot, row[*pivot], row[column]))
                .collect();
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
        Self { directions: reduce(self.directions), ..self }
    }
}

/// Gauss and Jordan: the same space by independent rows, each with a leading column in which all others are 0. Where numbers become too
/// large, a row is replaced by its slots' own directions, which only enlarges the space.
fn reduce(rows: Vec<Vec<i128>>) -> Vec<Vec<i128>> {
    let mut open = rows;
    let mut reduced: Vec<(usize, Vec<i128>)> = Vec::new();
    while let Some(row) = open.pop() {
        let cleared = reduced.iter().try_fold(row.clone(), |row, (column, by)| clear(&row, *column, by));
        let Some(row) = cleared else {
            let unit = |column: usize| (0..row.len()).map(|other| i128::from(other == column)).collect();
            open.extend((0..row.len()).filter(|column| row[*column] != 0).map(unit));
            continue;
        };
        let Some(column) = row.iter().position(|entry| *entry != 0) else { continue };
        for (_, other) in &mut reduced {
            match clear(other, column, &row) {
                Some(cleared) => *other = cleared,
                None => return (0..row.len()).map(|column| (0..row.len()).map(|other| i128::from(other == column)).collect()).collect(),
            }
        }
        reduced.push((column, row));
    }
    reduced.sort_unstable_by_key(|(column, _)| *column);
    reduced.into_iter().map(|(_, row)| row).collect()
}

/// A multiple of the row less a multiple of the other, so that this column is 0, divided by what all entries have in common; none on
/// overflow.
fn clear(row: &[i128], column: usize, by: &[i128]) -> Option<Vec<i128>> {
    let (entry, leading) = (row[column], by[column]);
    if entry == 0 {
        return Some(row.to_vec());
    }
    let difference = |(own, other): (&i128, &i128)| own.checked_mul(leading)?.checked_sub(other.checked_mul(entry)?);
    let mut row: Vec<i128> = row.iter().zip(by).map(difference).collect::<Option<_>>()?;
    let mut divisor = 0;
    for entry in row.iter().filter(|entry| **entry != 0) {
        divisor = common_divisor(divisor, *entry);
        if divisor == 1 {
            return Some(row);
        }
    }
    for entry in &mut row {
        *entry /= divisor.max(1);
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
