//! All differences among a list of terms at once, for widening.

use super::{context::Context, form::Form};
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

impl Context {
    /// The best known upper bounds of all differences of the terms, and of the terms and 0.
    pub fn bounds_matrix(&mut self, arena: &mut Arena, terms: &[LinearId]) -> Matrix {
        let forms = self.forms_with_zero(arena, terms);
        let size = forms.len();
        let mut entries = Vec::with_capacity(size * size);
        for left in &forms {
            for right in &forms {
                entries.push(left.as_ref().zip(right.as_ref()).and_then(|(left, right)| self.upper(&left.plus(right, -1)?)));
            }
        }
        Matrix { size, entries }
    }

    /// The stated disequalities that relate two of the terms, or a term and 0; ascending, each once.
    pub fn disequalities(&mut self, arena: &mut Arena, terms: &[LinearId]) -> Vec<Apart> {
        let forms = self.forms_with_zero(arena, terms);
        let mut found = Vec::new();
        for disequality in &self.disequalities {
            let Some(stated) = self.disequality_form(*disequality) else { continue };
            for (left, left_form) in forms.iter().enumerate() {
                for (right, right_form) in forms.iter().enumerate().skip(left + 1) {
                    let Some(gap) = left_form.as_ref().zip(right_form.as_ref()).and_then(|(left, right)| left.plus(right, -1)) else {
                        continue;
                    };
                    for factor in [1, -1] {
                        // factor * stated - gap is a constant: gap + constant != 0.
                        let rest = Form::default().plus(&stated, factor).and_then(|stated| stated.plus(&gap, -1));
                        if let Some(constant) = rest.and_then(|rest| self.value(&rest)) {
                            found.push(Apart { left, right, constant });
                        }
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The form's value, if only one is possible.
    fn value(&self, form: &Form) -> Option<i128> {
        let greatest = self.upper(form)?;
        (self.upper(&form.negated()?)? == greatest.checked_neg()?).then_some(greatest)
    }

    fn forms_with_zero(&mut self, arena: &mut Arena, terms: &[LinearId]) -> Vec<Option<Form>> {
        let mut forms = vec![Some(Form::default())];
        forms.extend(terms.iter().map(|term| self.form(arena, *term)));
        self.saturate(arena);
        forms
    }
}
