//! Drawing that covers edges or vertices: each is on a drawn path, and the least probable is as probable as can be (Denise, Gaudel, Gouraud:
//! "A generic method for statistical testing", 2004).
//!
//! A draw picks an element, then a path uniformly among the complete paths through it. How often each element is picked is a matrix game:
//! the payoff of element e for element f is the probability that a path through e also passes f.

use super::{
    choice::pick_exactly,
    counts::count,
    game,
    network::{Network, Number, index},
    rounded::Count,
    stream::Stream,
    through::{Element, Through},
    uniform::Uniform,
};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// What is to be covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Criterion {
    /// All edges.
    Edges,
    /// All vertices.
    Vertices,
}

/// How often each element is picked.
#[derive(Clone, PartialEq, Debug)]
pub struct Mixture {
    /// One element of each class: paths through one element of a class pass all others.
    pub elements: Vec<Element>,
    /// By class: the probability to be picked, times the sum of all weights.
    pub weights: Vec<u64>,
    /// The probabilities that result.
    pub quality: Quality,
}

/// The probability that one draw passes the element that is passed least.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Quality {
    /// It is known, and close to what is possible.
    Optimised {
        /// With these weights.
        least: f64,
        /// No weights give more than this.
        limit: f64,
    },
    /// There are too many elements to compute how they go together: all are picked equally often.
    Equal {
        /// At least this.
        least: f64,
    },
}

/// The whole of all weights.
const WHOLE: f64 = 4_294_967_296.0;

/// How many additions the payoffs may take.
const ADDITIONS: u64 = 5_000_000_000;

/// What a criterion asks for.
pub fn elements(network: &Network, criterion: Criterion) -> Vec<Element> {
    let vertices = u32::try_from(network.vertex_count()).unwrap_or(u32::MAX);
    match criterion {
        Criterion::Vertices => (0..vertices).map(Element::Vertex).collect(),
        Criterion::Edges => (0..).take(network.edges.len()).map(Element::Edge).collect(),
    }
}

/// Those of the elements that the path passes.
pub fn passed(network: &Network, path: &[Number], criterion: Criterion) -> BTreeSet<Element> {
    match criterion {
        Criterion::Edges => path.iter().copied().map(Element::Edge).collect(),
        Criterion::Vertices => {
            let targets = path.iter().map(|edge| network.edges[index(*edge)].target);
            targets.chain([network.root]).map(Element::Vertex).collect()
        }
    }
}

impl Mixture {
    /// For a criterion, of complete paths of at most `length` edges. Each vertex and edge of the network is on one of those. None where
    /// there is nothing to cover: no edges.
    pub fn new(network: &Network, length: usize, criterion: Criterion) -> Option<Self> {
        let elements = classes(network, &elements(network, criterion));
        if elements.is_empty() {
            return None;
        }
        let size = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        let pairs = size(elements.len()).saturating_mul(size(elements.len()));
        let each = size(length + 1).saturating_mul(size(2 * network.edges.len() + 2 * network.vertex_count()));
        if pairs.saturating_mul(each) > ADDITIONS {
            let weights = vec![1; elements.len()];
            let count = u32::try_from(elements.len()).unwrap_or(u32::MAX);
            return Some(Self { elements, weights, quality: Quality::Equal { least: 1.0 / f64::from(count) } });
        }
        let payoffs: Vec<Vec<f64>> = elements.iter().map(|element| payoffs(network, length, *element, &elements)).collect();
        let mixtures = game::solve(&payoffs);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 2^32")]
        let weights: Vec<u64> = mixtures.rows.iter().map(|share| (share * WHOLE).round() as u64).collect();
        #[expect(clippy::cast_precision_loss, reason = "the sum is about 2^32")]
        let shares: Vec<f64> = weights.iter().map(|weight| *weight as f64 / weights.iter().sum::<u64>() as f64).collect();
        let quality = Quality::Optimised { least: game::least(&payoffs, &shares), limit: game::greatest(&payoffs, &mixtures.columns) };
        Some(Self { elements, weights, quality })
    }

    /// Draws so many paths, and then, for each element that none of them passes, one more through it.
    pub fn draw(&self, network: &Network, length: usize, criterion: Criterion, seed: u64, count: u64) -> Vec<Vec<Number>> {
        let weights: Vec<BigUint> = self.weights.iter().copied().map(BigUint::from).collect();
        let mut picked: BTreeMap<usize, Vec<(usize, Stream)>> = BTreeMap::new();
        for (position, path) in (0..count).enumerate() {
            let mut stream = Stream::new(seed, path);
            let word = stream.word();
            picked.entry(pick_exactly(&weights, word, &mut stream)).or_default().push((position, stream));
        }
        let mut paths = vec![Vec::new(); picked.values().map(Vec::len).sum()];
        for (class, walks) in picked {
            let (positions, streams): (Vec<usize>, Vec<Stream>) = walks.into_iter().unzip();
            for (position, path) in positions.into_iter().zip(draw_through(network, length, self.elements[class], streams)) {
                paths[position] = path;
            }
        }
        let mut missing: BTreeSet<Element> = self.elements.iter().copied().collect();
        missing.retain(|element| !paths.iter().any(|path| passed(network, path, criterion).contains(element)));
        for number in count.. {
            let Some(element) = missing.first().copied() else { break };
            for path in draw_through(network, length, element, vec![Stream::new(seed, number)]) {
                let passed = passed(network, &path, criterion);
                missing.retain(|element| !passed.contains(element));
                paths.push(path);
            }
        }
        paths
    }
}

fn draw_through(network: &Network, length: usize, element: Element, streams: Vec<Stream>) -> Vec<Vec<Number>> {
    let through = Through::new(network, element);
    let uniform: Uniform<'_> = Uniform::new(&through.network, length);
    uniform.draw_from(streams).iter().map(|path| through.path(path)).collect()
}

/// The probability of each element on a path through this one.
fn payoffs(network: &Network, length: usize, element: Element, elements: &[Element]) -> Vec<f64> {
    let through = Through::new(network, element);
    let all: Count = count(&through.network, length);
    let payoff = |other: &Element| {
        if *other == element { 1.0 } else { 1.0 - count::<62>(&through.without(*other).network, length).ratio(all) }
    };
    elements.iter().map(|other| payoff(other).clamp(0.0, 1.0)).collect()
}

/// One element of each class. An edge that alone leads to a vertex, or alone leads from it where no path ends, is passed by the same paths.
fn classes(network: &Network, elements: &[Element]) -> Vec<Element> {
    let vertices = network.vertex_count();
    let mut parents: Vec<usize> = (0..vertices + network.edges.len()).collect();
    let mut incoming = vec![Vec::new(); vertices];
    for (number, edge) in network.edges.iter().enumerate() {
        incoming[index(edge.target)].push(number);
    }
    for (vertex, position) in (0u32..).zip(0..vertices) {
        let (first, outgoing) = network.outgoing(vertex);
        if outgoing.len() == 1 && !network.finals[position] {
            join(&mut parents, position, vertices + index(first));
        }
        if let ([only], true) = (&incoming[position][..], network.root != vertex) {
            join(&mut parents, position, vertices + only);
        }
    }
    let mut seen = BTreeSet::new();
    let position = |element: &Element| match element {
        Element::Vertex(vertex) => index(*vertex),
        Element::Edge(edge) => vertices + index(*edge),
    };
    elements.iter().filter(|element| seen.insert(find(&parents, position(element)))).copied().collect()
}

fn find(parents: &[usize], mut position: usize) -> usize {
    while parents[position] != position {
        position = parents[position];
    }
    position
}

fn join(parents: &mut [usize], left: usize, right: usize) {
    let (left, right) = (find(parents, left), find(parents, right));
    parents[left.max(right)] = left.min(right);
}
