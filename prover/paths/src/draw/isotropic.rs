//! Isotropic random walks (red-black graphs 2.1.1): at each vertex all ways on are equally likely. They are what uniform drawing is compared
//! with.

use super::{
    network::{Network, NetworkEdge, Number, index},
    stream::Stream,
};

/// A walk from the root. At a final vertex, to end is one more way on. None where the walk has not ended after `length` edges.
pub fn walk(network: &Network, length: usize, stream: &mut Stream) -> Option<Vec<Number>> {
    let mut vertex = network.root;
    let mut edges = Vec::new();
    loop {
        let (first, outgoing) = network.outgoing(vertex);
        let is_final = network.finals[index(vertex)];
        let way = below(outgoing.len() + usize::from(is_final), stream);
        let Some(NetworkEdge { target, .. }) = outgoing.get(way) else { return Some(edges) };
        if edges.len() == length {
            return None;
        }
        edges.extend((first..).nth(way));
        vertex = *target;
    }
}

/// A number below the bound, each equally likely; no word is taken for a bound of 1.
fn below(bound: usize, stream: &mut Stream) -> usize {
    if bound <= 1 {
        return 0;
    }
    let bound = u64::try_from(bound).unwrap_or(u64::MAX);
    // The least words that are left over are drawn again (Lemire 2019).
    let least = bound.wrapping_neg() % bound;
    loop {
        let product = u128::from(stream.word()) * u128::from(bound);
        if product & u128::from(u64::MAX) >= u128::from(least) {
            return usize::try_from(product >> 64).unwrap_or(usize::MAX);
        }
    }
}
