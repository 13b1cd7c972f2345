//! How many complete paths there are from each vertex (red-black graphs 2.1.2): exactly, and rounded for tables.
//!
//! `N(v, m)`, the number of complete paths of exactly m edges from v, is a sum of `N(w, m - 1)`. A table of all of them for 100,000 vertices
//! and 2,000 lengths does not fit in memory: some levels are kept, and those between are computed again when they are passed.

use super::{
    network::{Network, index},
    rounded::{Precision, Rounded},
};
use num_bigint::BigUint;
use std::num::NonZero;

/// By vertex: how many complete paths have this many edges.
pub type Level<const BITS: u32> = Vec<Rounded<BITS>>;

/// Tables of so many numbers are kept whole.
const KEPT: usize = 1 << 24;

/// So many vertices are worth a thread: it takes about as long to start one as to compute some thousand sums.
const SHARE: usize = 1 << 14;

/// Rounded numbers of complete paths, by their length.
#[derive(Clone, Debug)]
pub struct Table<'a, const BITS: u32> {
    network: &'a Network,
    length: usize,
    /// Additions from one level to the next, at most.
    degree: usize,
    /// From one level that is kept to the next.
    stride: usize,
    kept: Vec<Level<BITS>>,
    threads: usize,
    /// By length: those from the root.
    from_root: Vec<Rounded<BITS>>,
}

impl<'a, const BITS: u32> Table<'a, BITS> {
    /// Counts complete paths of at most `length` edges.
    pub fn new(network: &'a Network, length: usize) -> Self {
        Self::keeping(network, length, KEPT)
    }

    /// The same, with this limit of numbers up to which every level is kept. Beyond, as many are kept as lie between two of them.
    pub fn keeping(network: &'a Network, length: usize, limit: usize) -> Self {
        let is_small = network.vertex_count().saturating_mul(length) <= limit;
        let stride = if is_small { 1 } else { length.isqrt().max(1) };
        let threads = threads(network.vertex_count());
        let mut level = first(network);
        let mut table = Self {
            network,
            length,
            degree: network.greatest_degree(),
            stride,
            kept: Vec::new(),
            threads,
            from_root: vec![level[index(network.root)]],
        };
        for step in 1..=length {
            let next = longer(network, &level, threads);
            let before = std::mem::replace(&mut level, next);
            if (step - 1) % stride == 0 {
                table.kept.push(before);
            }
            table.from_root.push(level[index(network.root)]);
        }
        table
    }

    /// By length: how many complete paths there are from the root.
    pub fn from_root(&self) -> &[Rounded<BITS>] {
        &self.from_root
    }

    /// What is lost at most in a level.
    pub fn precision(&self, level: usize) -> Precision {
        let additions = u64::try_from(level.saturating_mul(self.degree)).unwrap_or(u64::MAX);
        Precision::after::<BITS>(additions)
    }

    /// Visits the levels from `length - 1` down to 0.
    pub fn descend(&self, mut visit: impl FnMut(usize, &[Rounded<BITS>])) {
        for (block, kept) in self.kept.iter().enumerate().rev() {
            let start = block * self.stride;
            let end = (start + self.stride).min(self.length);
            let mut levels = vec![kept.clone()];
            for position in 1..end - start {
                levels.push(longer(self.network, &levels[position - 1], self.threads));
            }
            for (level, counts) in (start..end).zip(&levels).rev() {
                visit(level, counts);
            }
        }
    }
}

/// How many complete paths of at most `length` edges there are, rounded.
pub fn count<const BITS: u32>(network: &Network, length: usize) -> Rounded<BITS> {
    let root = index(network.root);
    let threads = threads(network.vertex_count());
    let mut level = first(network);
    let mut sum: Rounded<BITS> = level[root];
    for _ in 0..length {
        level = longer(network, &level, threads);
        sum = sum.plus(level[root]);
    }
    sum
}

fn first<const BITS: u32>(network: &Network) -> Level<BITS> {
    network.finals.iter().map(|is_final| if *is_final { Rounded::ONE } else { Rounded::ZERO }).collect()
}

fn longer<const BITS: u32>(network: &Network, level: &[Rounded<BITS>], threads: usize) -> Level<BITS> {
    let mut next = vec![Rounded::ZERO; level.len()];
    in_parallel(&mut next, threads, |first, part| {
        for (sum, vertex) in part.iter_mut().zip(first..) {
            *sum = network.targets(vertex).iter().fold(Rounded::ZERO, |sum, target| sum.plus(level[index(*target)]));
        }
    });
    next
}

/// How many threads levels of so many vertices are worth. To ask the system how many processors there are takes longer than a small level
/// does: it is asked once, and only for large ones.
fn threads(vertices: usize) -> usize {
    match vertices / SHARE {
        0 | 1 => 1,
        most => std::thread::available_parallelism().map_or(1, NonZero::get).min(most),
    }
}

/// Has consecutive parts of a level computed by so many threads at the same time: each is given the number of its first vertex. What the parts
/// are does not change any number.
fn in_parallel<T: Send>(level: &mut [T], threads: usize, compute: impl Fn(u32, &mut [T]) + Sync) {
    let size = level.len().div_ceil(threads).max(1);
    let mut parts = (0..).step_by(size).zip(level.chunks_mut(size)).map(|(first, part)| (u32::try_from(first).unwrap_or(u32::MAX), part));
    let own = parts.next();
    std::thread::scope(|scope| {
        let compute = &compute;
        for (first, part) in parts {
            scope.spawn(move || compute(first, part));
        }
        if let Some((first, part)) = own {
            compute(first, part);
        }
    });
}

/// The exact numbers of complete paths, one length after the other.
#[derive(Clone, Debug)]
pub struct ExactLevels<'a> {
    network: &'a Network,
    level: Vec<BigUint>,
    next: Vec<BigUint>,
    threads: usize,
}

impl<'a> ExactLevels<'a> {
    /// Of length 0.
    pub fn new(network: &'a Network) -> Self {
        let level = network.finals.iter().map(|is_final| BigUint::from(u32::from(*is_final))).collect();
        Self { network, level, next: vec![BigUint::ZERO; network.vertex_count()], threads: threads(network.vertex_count()) }
    }

    /// Of this length.
    pub fn at(network: &'a Network, length: usize) -> Self {
        let mut levels = Self::new(network);
        (0..length).for_each(|_| levels.advance());
        levels
    }

    /// Goes on to the next length.
    pub fn advance(&mut self) {
        let Self { network, level, next, threads } = self;
        in_parallel(next, *threads, |first, part| {
            for (sum, vertex) in part.iter_mut().zip(first..) {
                let mut targets = network.targets(vertex).iter().map(|target| &level[index(*target)]);
                // What a number has allocated is used again.
                match targets.next() {
                    Some(count) => sum.clone_from(count),
                    None => *sum = BigUint::ZERO,
                }
                targets.for_each(|count| *sum += count);
            }
        });
        std::mem::swap(&mut self.level, &mut self.next);
    }

    /// By vertex.
    pub fn counts(&self) -> &[BigUint] {
        &self.level
    }

    /// By length up to this one: those from the root.
    pub fn from_root(network: &'a Network, length: usize) -> Vec<BigUint> {
        let mut levels = Self::new(network);
        let mut counts = vec![levels.level[index(network.root)].clone()];
        for _ in 0..length {
            levels.advance();
            counts.push(levels.level[index(network.root)].clone());
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::{SHARE, in_parallel, threads};

    #[test]
    fn parts_are_put_together_in_order() {
        for threads in [1, 2, 3, 7] {
            let mut level = vec![0; 3 * SHARE + 1];
            in_parallel(&mut level, threads, |first, part| {
                for (entry, vertex) in part.iter_mut().zip(first..) {
                    *entry = vertex + 1;
                }
            });
            assert!(level.iter().zip(1..).all(|(entry, vertex)| *entry == vertex));
        }
        assert_eq!((threads(0), threads(2 * SHARE - 1)), (1, 1));
        assert!((1..=3).contains(&threads(3 * SHARE)));
    }
}
