//! Random decisions, all from one seed.

use goatherd_interpreter::Random;

/// A source of random decisions.
#[derive(Clone, Debug)]
pub struct Dice(Random);

impl Dice {
    /// The decisions of this seed.
    pub fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_bits()
    }

    /// A number below the bound; 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.0.below(u64::try_from(bound).unwrap_or(0))).unwrap_or(0)
    }

    /// A small identifier below the bound.
    pub fn id(&mut self, bound: usize) -> u32 {
        u32::try_from(self.below(bound)).unwrap_or(0)
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// True in so many of a hundred times.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these, if there are any.
    pub fn pick<T: Copy>(&mut self, among: &[T]) -> Option<T> {
        among.get(self.below(among.len())).copied()
    }

    /// One of these.
    pub fn one<T: Copy, const N: usize>(&mut self, among: [T; N]) -> T {
        const { assert!(N > 0, "one of something") }
        among[self.below(N)]
    }

    /// A position among so many, each as likely as its weight says; none where all weights are 0.
    pub fn weighted(&mut self, weights: &[usize]) -> Option<usize> {
        let sum = weights.iter().sum();
        let mut left = self.below(sum);
        weights.iter().position(|weight| {
            let is_here = left < *weight;
            left = left.saturating_sub(*weight);
            is_here
        })
    }

    /// Puts them into a random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            let other = self.below(end + 1);
            list.swap(end, other);
        }
    }
}
