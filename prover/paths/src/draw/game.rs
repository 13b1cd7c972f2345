//! Matrix games: the mixture of rows whose least payoff is greatest.
//!
//! The simplex method on the opponent's side, which begins with a solution. Its arithmetic is rounded, but what is said of its answer is not
//! taken from it: any mixture gives a lower limit, any mixture of the opponent's an upper one.

/// Mixtures of both players. Each sums up to 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Mixtures {
    /// Of the rows: for a great payoff.
    pub rows: Vec<f64>,
    /// Of the columns: for a small one.
    pub columns: Vec<f64>,
}

/// Improvements smaller than this are none.
const TOLERANCE: f64 = 1e-11;

/// Good mixtures for the square matrix of payoffs, which lie in `[0, 1]` and are 1 on the diagonal.
pub fn solve(payoffs: &[Vec<f64>]) -> Mixtures {
    let mut simplex = Simplex::new(payoffs);
    for _ in 0..payoffs.len().saturating_mul(50) {
        let Some((line, column)) = simplex.improvement() else { break };
        simplex.pivot(line, column);
    }
    simplex.mixtures()
}

/// What the mixture of rows is certain to get.
pub fn least(payoffs: &[Vec<f64>], rows: &[f64]) -> f64 {
    let payoff = |column: usize| payoffs.iter().zip(rows).map(|(line, share)| line[column] * share).sum::<f64>();
    (0..rows.len()).map(payoff).fold(f64::INFINITY, f64::min)
}

/// What no mixture of rows gets more than, against the mixture of columns.
pub fn greatest(payoffs: &[Vec<f64>], columns: &[f64]) -> f64 {
    let payoff = |line: &Vec<f64>| line.iter().zip(columns).map(|(payoff, share)| payoff * share).sum::<f64>();
    payoffs.iter().map(payoff).fold(0.0, f64::max)
}

/// `maximise z1 + ... + zn` under `P z <= 1`, `z >= 0`: the tableau, whose last line is the objective and last column the right side.
struct Simplex {
    lines: Vec<Vec<f64>>,
    /// By line: its basic column.
    basis: Vec<usize>,
}

impl Simplex {
    fn new(payoffs: &[Vec<f64>]) -> Self {
        let count = payoffs.len();
        let slack = |line: usize| (0..count).map(move |column| if line == column { 1.0 } else { 0.0 });
        let lines = payoffs.iter().enumerate().map(|(line, row)| row.iter().copied().chain(slack(line)).chain([1.0]).collect());
        let objective = std::iter::repeat_n(-1.0, count).chain(std::iter::repeat_n(0.0, count + 1)).collect();
        Self { lines: lines.chain([objective]).collect(), basis: (count..2 * count).collect() }
    }

    /// The column that improves the objective most, and the line that limits it.
    fn improvement(&self) -> Option<(usize, usize)> {
        let (objective, lines) = self.lines.split_last()?;
        let (_, costs) = objective.split_last()?;
        let column =
            (0..costs.len()).filter(|column| costs[*column] < -TOLERANCE).min_by(|left, right| costs[*left].total_cmp(&costs[*right]))?;
        let limit = |line: &usize| lines[*line].last().copied().unwrap_or(0.0) / lines[*line][column];
        let limiting = (0..lines.len()).filter(|line| lines[*line][column] > TOLERANCE);
        limiting.min_by(|left, right| limit(left).total_cmp(&limit(right))).map(|line| (line, column))
    }

    fn pivot(&mut self, line: usize, column: usize) {
        let factor = self.lines[line][column];
        self.lines[line].iter_mut().for_each(|entry| *entry /= factor);
        let pivot = self.lines[line].clone();
        for (_, other) in self.lines.iter_mut().enumerate().filter(|(position, _)| *position != line) {
            let factor = other[column];
            if factor != 0.0 {
                other.iter_mut().zip(&pivot).for_each(|(entry, own)| *entry -= factor * own);
                other[column] = 0.0;
            }
        }
        self.basis[line] = column;
    }

    fn mixtures(&self) -> Mixtures {
        let count = self.basis.len();
        let mut columns = vec![0.0; count];
        for (line, column) in self.basis.iter().enumerate() {
            if let Some(share) = columns.get_mut(*column) {
                *share = self.lines[line].last().copied().unwrap_or(0.0);
            }
        }
        // The reduced costs of the slack variables are the dual solution.
        let rows = self.lines[count][count..2 * count].to_vec();
        Mixtures { rows: normalised(rows), columns: normalised(columns) }
    }
}

fn normalised(shares: Vec<f64>) -> Vec<f64> {
    let shares: Vec<f64> = shares.into_iter().map(|share| share.max(0.0)).collect();
    let total: f64 = shares.iter().sum();
    let equal = 1.0 / f64::from(u32::try_from(shares.len()).unwrap_or(u32::MAX));
    shares.into_iter().map(|share| if total > 0.0 { share / total } else { equal }).collect()
}

#[cfg(test)]
mod tests {
    use super::{greatest, least, solve};

    #[test]
    fn limits_meet() {
        // Two columns that exclude each other, and one that goes with both.
        let payoffs = vec![vec![1.0, 0.0, 1.0], vec![0.0, 1.0, 1.0], vec![0.9, 0.1, 1.0]];
        let mixtures = solve(&payoffs);
        assert!((least(&payoffs, &mixtures.rows) - 0.5).abs() < 1e-9, "{mixtures:?}");
        assert!((greatest(&payoffs, &mixtures.columns) - 0.5).abs() < 1e-9, "{mixtures:?}");
    }
}
