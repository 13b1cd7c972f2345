//! Who picks among candidates: every combination in turn, or at random.

use goatherd_interpreter::Random;

/// Picks one of several candidates.
pub trait Source {
    /// A position below `count`; 0 if there is no choice.
    fn pick(&mut self, count: usize) -> usize;

    /// Sometimes: any bits, in place of a candidate; few of them as often as many.
    fn bits(&mut self) -> Option<u64>;
}

/// Goes through every combination, the latest pick changing fastest.
#[derive(Clone, Debug, Default)]
pub struct Enumeration {
    /// Per pick of the present combination: what was picked, among how many.
    picks: Vec<(usize, usize)>,
    next: usize,
}

/// Later picks than these are always the first candidate: a loop that asks for ever must not be enumerated at its end.
const DEEPEST: usize = 40;

impl Enumeration {
    /// Before the first combination.
    pub fn new() -> Self {
        Self::default()
    }

    /// Goes on to the next combination; false if there is none.
    pub fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((picked, count)) = self.picks.pop() {
            if picked + 1 < count {
                self.picks.push((picked + 1, count));
                return true;
            }
        }
        false
    }
}

impl Source for Enumeration {
    fn pick(&mut self, count: usize) -> usize {
        if count <= 1 || self.next >= DEEPEST {
            return 0;
        }
        if self.next == self.picks.len() {
            self.picks.push((0, count));
        }
        let (picked, _) = self.picks[self.next];
        self.next += 1;
        picked.min(count - 1)
    }

    fn bits(&mut self) -> Option<u64> {
        None
    }
}

impl Source for Random {
    fn pick(&mut self, count: usize) -> usize {
        usize::try_from(self.below(u64::try_from(count).unwrap_or(u64::MAX))).unwrap_or(0)
    }

    fn bits(&mut self) -> Option<u64> {
        // Of any magnitude: nine is as rare as nine thousand among all integers, but not among those that programs tell apart.
        (self.below(16) == 0).then(|| self.next_bits() >> self.below(64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_comes_once() {
        let mut source = Enumeration::new();
        let mut seen = Vec::new();
        loop {
            let length = source.pick(3);
            seen.push((0..length).map(|_| source.pick(2)).collect::<Vec<_>>());
            if !source.advance() {
                break;
            }
        }
        let expected: [&[usize]; 7] = [&[], &[0], &[1], &[0, 0], &[0, 1], &[1, 0], &[1, 1]];
        assert_eq!(seen, expected);
    }
}
