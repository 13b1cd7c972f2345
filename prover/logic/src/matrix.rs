//! All differences among a list of terms at once, for widening.

use crate::{
    bounds::{Node, ZERO},
    context::Context,
    form::{Difference, Form},
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

/// A term as `constant + sum of coefficient * unknown`, unknowns that are known to be equal being one. Their numbers mean nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Combination {
    /// What is added.
    pub constant: i128,
    /// Unknown and coefficient.
    pub summands: Vec<(usize, i128)>,
}

/// A term of a matrix.
struct Position {
    form: Option<Form>,
    /// A node and the constant to add to it.
    anchor: Option<(Node, i128)>,
    /// A multiple of a node that it is known to be, as what a capacity is that was doubled.
    multiple: Option<Form>,
}

impl Position {
    /// Has it several summands?
    fn is_sum(&self) -> bool {
        self.form.as_ref().is_some_and(|form| form.summands.len() > 1)
    }
}

impl Context {
    /// The best known upper bounds of all differences of the terms, and of the terms and 0.
    pub fn bounds_matrix(&mut self, arena: &mut Arena, terms: &[LinearId]) -> Matrix {
        let positions = self.positions(arena, terms);
        let size = positions.len();
        let mut entries = Vec::with_capacity(size * size);
        for left in &positions {
            for right in &positions {
                entries.push(self.greatest_difference(left, right));
            }
        }
        Matrix { size, entries }
    }

    /// The terms by unknowns that are independent as far as known; none for one that is too large.
    pub fn combinations(&mut self, arena: &mut Arena, terms: &[LinearId]) -> Vec<Option<Combination>> {
        let forms: Vec<Option<Form>> = terms.iter().map(|term| self.form(arena, *term)).collect();
        self.saturate(arena);
        let combination = |form: &Form| {
            let (Form { constant, summands }, _) = self.solved_form(form)?;
            Some(Combination { constant, summands })
        };
        forms.iter().map(|form| combination(form.as_ref()?)).collect()
    }

    fn greatest_difference(&self, left: &Position, right: &Position) -> Option<i128> {
        let by_bounds = |from: (Node, i128), to: (Node, i128)| {
            let bound = if from.0 == to.0 { 0 } else { self.bounds.get(from.0, to.0)? };
            bound.checked_add(from.1)?.checked_sub(to.1)
        };
        let bound = left.anchor.zip(right.anchor).and_then(|(from, to)| by_bounds(from, to));
        if left.multiple.is_some() || right.multiple.is_some() {
            let [one, other] = [left, right].map(|position| position.multiple.as_ref().or(position.form.as_ref()));
            let by_multiple = || self.upper(&one?.plus(other?, -1)?);
            return bound.into_iter().chain(by_multiple()).min();
        }
        if left.anchor.is_some() && right.anchor.is_some() && !left.is_sum() && !right.is_sum() {
            return bound;
        }
        // What a sum is less than may follow from what one of its summands is: `s + x < i + 1` where `s < i` and `x <= 1`.
        let by_summands = || self.upper(&left.form.as_ref()?.plus(right.form.as_ref()?, -1)?);
        bound.into_iter().chain(by_summands()).min()
    }

    /// The stated disequalities that relate two of the terms, or a term and 0; ascending, each once.
    pub fn disequalities(&mut self, arena: &mut Arena, terms: &[LinearId]) -> Vec<Apart> {
        let positions = self.positions(arena, terms);
        let mut found = Vec::new();
        for disequality in &self.disequalities {
            let (from, to) = (self.at_distance(&positions, disequality.from), self.at_distance(&positions, disequality.to));
            for (left, above) in &from {
                for (right, below) in to.iter().filter(|(right, _)| right != left) {
                    // left - above - (right - below) + constant != 0
                    let constant = below.checked_sub(*above).and_then(|gap| gap.checked_add(disequality.constant));
                    let Some((constant, opposite)) = constant.and_then(|constant| Some((constant, constant.checked_neg()?))) else {
                        continue;
                    };
                    found.push(if left < right {
                        Apart { left: *left, right: *right, constant }
                    } else {
                        Apart { left: *right, right: *left, constant: opposite }
                    });
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The positions at a fixed distance from the node, with that distance.
    fn at_distance(&self, positions: &[Position], node: Node) -> Vec<(usize, i128)> {
        let distance = |position: &Position| {
            let (anchor, constant) = position.anchor?;
            let fixed = if anchor == node { 0 } else { self.bounds.fixed(anchor, node)? };
            fixed.checked_add(constant)
        };
        positions.iter().enumerate().filter_map(|(number, position)| Some((number, distance(position)?))).collect()
    }

    fn positions(&mut self, arena: &mut Arena, terms: &[LinearId]) -> Vec<Position> {
        let mut forms = vec![Some(Form::default())];
        forms.extend(terms.iter().map(|term| self.form(arena, *term)));
        self.saturate(arena);
        let position = |form: Option<Form>| Position {
            anchor: form.as_ref().and_then(|form| self.anchor(form)),
            multiple: form.as_ref().and_then(|form| self.multiple(form)),
            form,
        };
        forms.into_iter().map(position).collect()
    }

    /// The multiple of a node, plus a constant, that the form is known to be.
    fn multiple(&self, form: &Form) -> Option<Form> {
        let (solved, _) = self.solved_form(form)?;
        matches!(solved.summands[..], [(_, factor)] if factor.abs() > 1).then_some(solved)
    }

    /// The form as a node plus a constant, if it is known to be one.
    fn anchor(&self, form: &Form) -> Option<(Node, i128)> {
        let as_node = |form: &Form| match self.known_shape(form)? {
            Difference { from, to: ZERO, factor: 1 } => Some((from, form.constant)),
            _ => None,
        };
        as_node(form).or_else(|| as_node(&self.solved_form(form)?.0))
    }
}

#[cfg(test)]
mod tests {
    use crate::Context;
    use goatherd_certificates::{
        program::{IntegerType::I32, Operation},
        term::Variable,
    };
    use goatherd_checker::{budget::Budget, term::Arena};

    #[test]
    fn a_sum_is_as_far_from_others_as_its_summands_say_also_where_it_is_bounded_itself() {
        let mut arena = Arena::new(&[], Budget::new(u64::MAX)).unwrap();
        let [sum, mark, count] = [0, 1, 2].map(|number| arena.variable(Variable { sort: Some(I32), number }).unwrap());
        let [one, limit] = [1, 100].map(|value| arena.constant(value).unwrap());
        let next_sum = arena.combine(0, &[(sum, 1), (mark, 1)]).unwrap();
        let next_count = arena.plus(count, 1).unwrap();
        let known = [(sum, count), (mark, one), (next_sum, limit)].map(|(less, greater)| arena.at_most(less, greater).unwrap());
        let matrix = Context::of(&mut arena, &known).bounds_matrix(&mut arena, &[next_sum, next_count]);
        assert_eq!([matrix.get(1, 2), matrix.get(1, 0)], [Some(0), Some(100)]);
    }

    #[test]
    fn a_multiple_is_greater_by_what_is_multiplied_also_where_it_was_converted() {
        let mut arena = Arena::new(&[], Budget::new(u64::MAX)).unwrap();
        let room = arena.variable(Variable { sort: Some(I32), number: 0 }).unwrap();
        let doubled = arena.combine(0, &[(room, 2)]).unwrap();
        let zero = arena.constant(0).unwrap();
        let converted = arena.apply(Operation::Add, I32, doubled, zero).unwrap();
        let [least, greatest] = [4, 1000].map(|value| arena.constant(value).unwrap());
        let known = [(least, room), (room, greatest)].map(|(less, greater)| arena.at_most(less, greater).unwrap());
        let mut context = Context::of(&mut arena, &known);
        for grown in [doubled, converted] {
            let matrix = context.bounds_matrix(&mut arena, &[room, grown]);
            assert_eq!([matrix.get(1, 2), matrix.get(2, 1)], [Some(-4), Some(1000)]);
        }
    }
}
