//! Paths drawn exactly uniformly among the complete paths of at most a length (red-black graphs 2.1.2).
//!
//! First the length is picked, by how many paths have it, then edge after edge, by how many paths go on from its target. All paths of a
//! batch go down the levels of the table together, so that a level is computed once for all of them.

use super::{
    choice::{Pick, only, pick, pick_exactly},
    counts::{ExactLevels, Table},
    network::{Network, NetworkEdge, Number, index},
    rounded::Rounded,
    stream::Stream,
};
use num_bigint::BigUint;
use std::ops::Range;

/// Draws from one network.
#[derive(Clone, Debug)]
pub struct Uniform<'a, const BITS: u32 = 62> {
    network: &'a Network,
    length: usize,
    table: Table<'a, BITS>,
}

/// A path under way.
struct Walk {
    stream: Stream,
    vertex: u32,
    length: usize,
    edges: Vec<Number>,
}

/// A path that rounded numbers do not settle: the walk, and the word at hand.
struct Doubt {
    walk: usize,
    word: u64,
}

impl<'a, const BITS: u32> Uniform<'a, BITS> {
    /// Prepares drawing of complete paths of at most `length` edges; the network has one.
    pub fn new(network: &'a Network, length: usize) -> Self {
        Self { network, length, table: Table::new(network, length) }
    }

    /// The paths with these numbers. They are the same whatever others are drawn with them.
    pub fn draw(&self, seed: u64, paths: Range<u64>) -> Vec<Vec<Number>> {
        let streams = paths.map(|path| Stream::new(seed, path)).collect();
        self.draw_from(streams)
    }

    /// One path from each of the streams.
    pub fn draw_from(&self, streams: Vec<Stream>) -> Vec<Vec<Number>> {
        let mut walks = self.begin(streams);
        self.table.descend(|level, counts| {
            let mut doubts = Vec::new();
            for (position, walk) in walks.iter_mut().enumerate().filter(|(_, walk)| walk.length > level) {
                let (_, edges) = self.network.outgoing(walk.vertex);
                let weights: Vec<Rounded<BITS>> = edges.iter().map(|edge| counts[index(edge.target)]).collect();
                match self.next(&weights, level, &mut walk.stream) {
                    Ok(way) => walk.follow(self.network, way),
                    Err(word) => doubts.push(Doubt { walk: position, word }),
                }
            }
            self.settle(level, &doubts, &mut walks);
        });
        walks.into_iter().map(|walk| walk.edges).collect()
    }

    /// Picks the lengths.
    fn begin(&self, streams: Vec<Stream>) -> Vec<Walk> {
        let mut exact: Option<Vec<BigUint>> = None;
        let mut begin = |mut stream: Stream| {
            let length = match self.next(self.table.from_root(), self.length, &mut stream) {
                Ok(length) => length,
                Err(word) => {
                    let counts = exact.get_or_insert_with(|| ExactLevels::from_root(self.network, self.length));
                    pick_exactly(counts, word, &mut stream)
                }
            };
            Walk { stream, vertex: self.network.root, length, edges: Vec::with_capacity(length) }
        };
        streams.into_iter().map(&mut begin).collect()
    }

    /// The pick, or the word that does not settle it.
    fn next(&self, weights: &[Rounded<BITS>], level: usize, stream: &mut Stream) -> Result<usize, u64> {
        if let Some(only) = only(weights, |weight| weight.is_zero()) {
            return Ok(only);
        }
        let word = stream.word();
        match pick(weights, self.table.precision(level), word) {
            Pick::Cell(cell) => Ok(cell),
            Pick::Undecided => Err(word),
        }
    }

    /// Goes on with exact numbers.
    fn settle(&self, level: usize, doubts: &[Doubt], walks: &mut [Walk]) {
        if doubts.is_empty() {
            return;
        }
        let exact = ExactLevels::at(self.network, level);
        for Doubt { walk, word } in doubts {
            let walk = &mut walks[*walk];
            let targets = self.network.outgoing(walk.vertex).1.iter().map(|edge| exact.counts()[index(edge.target)].clone());
            let way = pick_exactly(&targets.collect::<Vec<_>>(), *word, &mut walk.stream);
            walk.follow(self.network, way);
        }
    }
}

impl Walk {
    /// Takes an edge of the vertex, by position.
    fn follow(&mut self, network: &Network, way: usize) {
        let (first, edges) = network.outgoing(self.vertex);
        let NetworkEdge { target, .. } = edges[way];
        self.edges.extend((first..).nth(way));
        self.vertex = target;
    }
}
