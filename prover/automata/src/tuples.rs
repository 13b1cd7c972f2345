//! Tuples of numbers below given bounds, in lexicographic order.

/// Goes through all tuples whose numbers are below the bounds of their places. Without places there is one, the empty tuple.
#[derive(Clone, Debug)]
pub struct Tuples {
    bounds: Vec<usize>,
    current: Option<Vec<usize>>,
    is_done: bool,
}

impl Tuples {
    /// Before the first tuple.
    pub fn new(bounds: Vec<usize>) -> Self {
        let is_done = bounds.contains(&0);
        Self { bounds, current: None, is_done }
    }

    /// The next tuple.
    pub fn advance(&mut self) -> Option<&[usize]> {
        if self.is_done {
            return None;
        }
        let Some(current) = &mut self.current else {
            return self.current.insert(vec![0; self.bounds.len()]).get(..);
        };
        for (number, bound) in current.iter_mut().zip(&self.bounds).rev() {
            *number += 1;
            if *number < *bound {
                return self.current.as_deref();
            }
            *number = 0;
        }
        self.is_done = true;
        None
    }
}
