//! All differences among a list of terms at once, for widening.

use super::{
    bounds::{Node, ZERO},
    context::Context,
    form::Form,
};
use goatherd_certificates::term::LinearId;
use goatherd_checker::term::Arena;

/// Upper bounds of the differences of terms; position 0 is the constant 0, position i + 1 the i-th term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matrix {
    size: usize,
    entries: Vec<Option<i128>>,
}

impl Matrix {
    /// How many positions there are: one more than terms.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The greatest value of the term at `left` minus the term at `right`, as far as known; none outside the matrix.
    pub fn get(&self, left: usize, right: usize) -> Option<i128> {
        if left < self.size && right < self.size { self.entries[left * self.size + right] } else { None }
    }
}

/// `left - right + constant != 0`, for positions as in a [`Matrix`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Apart {
    /// The smaller position.
    pub left: usize,
    /// The greater position.
    pub right: usize,
    /// Added to the difference.
    pub constant: i128,
}

/// A term that is one node plus a constant.
type Point = Option<(Node, i128)>;

impl Context {
    /// The best known upper bounds of all differences of the terms, and of the terms and 0.
    pub fn bounds_matrix(&mut self, arena: &mut Arena, terms: &[LinearId]) -> Matrix {
        let forms = self.forms_with_zero(arena, terms);
        let points: Vec<Point> = forms.iter().map(|form| self.point(form.as_ref()?)).collect();
        let size = forms.len();
        let mut entries = Vec::with_capacity(size * size);
        for (left, left_point) in forms.iter().zip(&points) {
            for (right, right_point) in forms.iter().zip(&points) {
                entries.push(match (left_point, right_point) {
                    (Some((from, above)), Some((to, below))) => {
                        self.bound_between(*from, *to).and_then(|bound| bound.checked_add(above - below))
                    }
                    _ => left.as_ref().zip(right.as_ref()).and_then(|(left, right)| self.upper(&left.plus(right, -1)?)),
                });
            }
        }
        Matrix { size, entries }
    }

    /// The stated disequalities that relate two of the terms, or a term and 0; ascending, each once. Terms that are sums are left out.
    pub fn disequalities(&mut self, arena: &mut Arena, terms: &[LinearId]) -> Vec<Apart> {
        let forms = self.forms_with_zero(arena, terms);
        let points: Vec<Point> = forms.iter().map(|form| self.point(form.as_ref()?)).collect();
        let mut found = Vec::new();
        for disequality in &self.disequalities {
            // from - to + constant != 0, and term i is from + above, term j is to + below.
            let distances = |node: Node| -> Vec<(usize, i128)> {
                let to = |point: &Point| point.and_then(|(other, constant)| Some(self.distance(other, node)? + constant));
                points.iter().enumerate().filter_map(|(position, point)| Some((position, to(point)?))).collect()
            };
            let to = distances(disequality.to);
            for (from, above) in distances(disequality.from) {
                for (to, below) in &to {
                    let constant = disequality.constant - above + below;
                    if from < *to {
                        found.push(Apart { left: from, right: *to, constant });
                    } else if *to < from {
                        found.push(Apart { left: *to, right: from, constant: -constant });
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn point(&self, form: &Form) -> Point {
        match form.summands.as_slice() {
            [] => Some((ZERO, form.constant)),
            [(node, 1)] => Some((*node, form.constant)),
            summands => {
                let sum = self.sums.iter().find(|sum| sum.form.summands == summands)?;
                Some((sum.node, form.constant.checked_sub(sum.form.constant)?))
            }
        }
    }

    fn bound_between(&self, from: Node, to: Node) -> Option<i128> {
        if from == to { Some(0) } else { self.bounds.get(from, to) }
    }

    /// `from - to`, if only one value is possible.
    fn distance(&self, from: Node, to: Node) -> Option<i128> {
        if from == to { Some(0) } else { self.bounds.fixed(from, to) }
    }

    fn forms_with_zero(&mut self, arena: &mut Arena, terms: &[LinearId]) -> Vec<Option<Form>> {
        let mut forms = vec![Some(Form::default())];
        forms.extend(terms.iter().map(|term| self.form(arena, *term)));
        self.saturate(arena);
        forms
    }
}
