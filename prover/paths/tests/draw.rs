//! Drawing: exact counts, exact uniformity, coverage, on graphs whose paths are enumerated.

use goatherd_paths::{
    draw::{
        counts::{ExactLevels, Table},
        cover::{Criterion, Mixture, Quality, elements, passed},
        isotropic,
        network::{Network, Number, index},
        stream::Stream,
        through::{Element, Through},
        uniform::Uniform,
    },
    graph::Graph,
};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// A graph with so many vertices: random edges, random final vertices, the last one among them.
fn random_graph(stream: &mut Stream, vertices: usize, degree: usize) -> Graph {
    let mut below = |bound: usize| usize::try_from(stream.word() % u64::try_from(bound).unwrap()).unwrap();
    let mut graph = Graph { root: Some(0), finals: [vertices - 1].into(), successors: vec![BTreeMap::new(); vertices] };
    for vertex in 0..vertices {
        for edge in 0..below(degree + 1) {
            graph.successors[vertex].insert(edge + 10 * vertex, below(vertices));
        }
        if below(6) == 0 {
            graph.finals.insert(vertex);
        }
    }
    graph
}

/// All complete paths of at most the length, by their edges in the graph.
fn enumerate(graph: &Graph, length: usize) -> BTreeSet<Vec<usize>> {
    let mut complete = BTreeSet::new();
    let mut open = vec![(graph.root.unwrap(), Vec::new())];
    while let Some((vertex, path)) = open.pop() {
        if graph.finals.contains(&vertex) {
            complete.insert(path.clone());
        }
        if path.len() < length {
            open.extend(graph.successors[vertex].iter().map(|(edge, target)| (*target, [&path[..], &[*edge]].concat())));
        }
    }
    complete
}

fn total(network: &Network, length: usize) -> BigUint {
    ExactLevels::from_root(network, length).iter().sum()
}

/// Networks that have paths of at most 30 edges.
fn samples_of(count: u64) -> Vec<Network> {
    let graphs = (0..count).map(|number| random_graph(&mut Stream::new(4712, number), 7, 3));
    graphs.filter_map(|graph| Network::new(&graph, 30)).map(|(network, _)| network).collect()
}

/// Networks that have paths, with all of these.
fn samples(count: u64, length: usize) -> Vec<(Network, BTreeSet<Vec<usize>>)> {
    let networks = (0..count).filter_map(|number| {
        let mut stream = Stream::new(4711, number);
        let vertices = usize::try_from(2 + stream.word() % 6).unwrap();
        let graph = random_graph(&mut stream, vertices, 3);
        let paths = enumerate(&graph, length);
        let network = Network::new(&graph, length);
        assert_eq!(network.is_some(), !paths.is_empty());
        network.map(|(network, _)| (network, paths))
    });
    networks.collect()
}

#[test]
fn counts_are_those_of_enumeration() {
    let samples = samples(300, 6);
    assert!(samples.len() > 150);
    for (network, paths) in &samples {
        assert_eq!(total(network, 6), BigUint::from(paths.len()));
    }
}

/// The probability with which a path is drawn, as numerator and denominator: what the drawing picks from, multiplied.
fn probability(network: &Network, length: usize, path: &[Number]) -> (BigUint, BigUint) {
    let counts = ExactLevels::from_root(network, length);
    let (mut numerator, mut denominator) = (counts[path.len()].clone(), counts.iter().sum());
    let mut vertex = network.root;
    for (position, number) in path.iter().enumerate() {
        let left = path.len() - position - 1;
        let levels = ExactLevels::at(network, left);
        let weight = |target: u32| levels.counts()[index(target)].clone();
        let (_, outgoing) = network.outgoing(vertex);
        denominator *= outgoing.iter().map(|edge| weight(edge.target)).sum::<BigUint>();
        vertex = network.edges[index(*number)].target;
        numerator *= weight(vertex);
    }
    (numerator, denominator)
}

#[test]
fn every_path_has_the_same_probability() {
    for (network, paths) in samples(60, 5) {
        let uniform: Uniform<'_> = Uniform::new(&network, 5);
        let drawn: BTreeSet<Vec<Number>> = uniform.draw(1, 0..200).into_iter().collect();
        for path in &drawn {
            assert!(paths.contains(&network.labels(path)));
            let (numerator, denominator) = probability(&network, 5, path);
            assert_eq!(numerator * paths.len(), denominator);
        }
    }
}

#[test]
fn rounding_changes_no_path() {
    let mut compared = 0;
    for (network, _) in samples(60, 9) {
        let exact: Uniform<'_> = Uniform::new(&network, 9);
        let paths = exact.draw(9, 0..100);
        // With 12 bits, many picks need exact numbers; with 3, all do.
        assert_eq!(Uniform::<12>::new(&network, 9).draw(9, 0..100), paths);
        assert_eq!(Uniform::<3>::new(&network, 9).draw(9, 0..100), paths);
        compared += paths.len();
    }
    assert!(compared > 1000);
}

#[test]
fn a_path_depends_on_its_number_alone() {
    for (network, _) in samples(20, 8) {
        let uniform: Uniform<'_> = Uniform::new(&network, 8);
        let all = uniform.draw(3, 0..50);
        let parts = [uniform.draw(3, 0..7), uniform.draw(3, 7..8), uniform.draw(3, 8..50)].concat();
        assert_eq!(all, parts);
    }
}

#[test]
fn frequencies_are_even() {
    // A sanity check of the random words: chi-square with a fixed seed, against the quantile of 0.999.
    for (network, paths) in samples(40, 5).into_iter().filter(|(_, paths)| (5..200).contains(&paths.len())).take(8) {
        let uniform: Uniform<'_> = Uniform::new(&network, 5);
        let draws = 100 * paths.len();
        let mut frequencies: BTreeMap<Vec<Number>, f64> = BTreeMap::new();
        for path in uniform.draw(2026, 0..u64::try_from(draws).unwrap()) {
            *frequencies.entry(path).or_default() += 1.0;
        }
        assert_eq!(frequencies.len(), paths.len());
        let chi_square: f64 = frequencies.values().map(|frequency| (frequency - 100.0).powi(2) / 100.0).sum();
        let freedom = f64::from(u32::try_from(paths.len() - 1).unwrap());
        // Wilson and Hilferty's approximation.
        let limit = freedom * (1.0 - 2.0 / (9.0 * freedom) + 3.09 * (2.0 / (9.0 * freedom)).sqrt()).powi(3);
        assert!(chi_square < limit, "{chi_square} of at most {limit}");
    }
}

#[test]
fn levels_are_computed_again_where_they_are_not_kept() {
    for network in samples_of(20) {
        let collect = |limit| {
            let mut levels = Vec::new();
            Table::<62>::keeping(&network, 30, limit).descend(|level, counts| levels.push((level, counts.to_vec())));
            levels
        };
        let all = collect(usize::MAX);
        assert_eq!(all.iter().map(|(level, _)| *level).collect::<Vec<_>>(), (0..30).rev().collect::<Vec<_>>());
        assert_eq!(collect(0), all);
    }
}

/// A graph of so many vertices, all of which lie on long paths.
fn large_graph(vertices: usize) -> Graph {
    let mut graph = Graph { root: Some(0), finals: [vertices - 1].into(), successors: vec![BTreeMap::new(); vertices] };
    for vertex in 0..vertices - 1 {
        graph.successors[vertex].insert(2 * vertex, (vertex + 61) % vertices);
        graph.successors[vertex].insert(2 * vertex + 1, (vertex * 7 + 3) % vertices);
    }
    graph
}

/// Prints how long it takes to be ready, exact number included, and to draw a batch of 1,000 paths.
#[test]
#[ignore = "takes a minute; for measuring"]
fn a_large_graph() {
    let start = std::time::Instant::now();
    let (network, _) = Network::new(&large_graph(100_000), 2000).unwrap();
    let uniform: Uniform<'_> = Uniform::new(&network, 2000);
    println!("{} vertices, {} edges: table after {:?}", network.vertex_count(), network.edges.len(), start.elapsed());
    let count: BigUint = ExactLevels::from_root(&network, 2000).iter().sum();
    println!("a number of {} bits after {:?}", count.bits(), start.elapsed());
    let start = std::time::Instant::now();
    let paths = uniform.draw(1, 0..1000);
    println!("{} paths in {:?}", paths.len(), start.elapsed());
}

#[test]
fn paths_through_an_element() {
    for (network, paths) in samples(80, 6) {
        let walks: Vec<Vec<Number>> = Uniform::<62>::new(&network, 6).draw(1, 0..20);
        for criterion in [Criterion::Edges, Criterion::Vertices] {
            let all = elements(&network, criterion);
            for element in &all {
                let through = Through::new(&network, *element);
                let expected = expected_through(&network, &paths, *element, None);
                assert_eq!(total(&through.network, 6), BigUint::from(expected));
                for other in all.iter().take(4) {
                    let without = through.without(*other).network;
                    let expected = expected_through(&network, &paths, *element, Some(*other));
                    assert_eq!(total(&without, 6), BigUint::from(expected));
                }
            }
            assert!(walks.iter().all(|walk| passed(&network, walk, criterion).iter().all(|element| all.contains(element))));
        }
    }
}

/// How many of the paths pass an element, and not the other one.
fn expected_through(network: &Network, paths: &BTreeSet<Vec<usize>>, element: Element, without: Option<Element>) -> usize {
    let is_passed = |path: &[usize], element: Element| {
        let mut vertex = network.root;
        let mut is_passed = element == Element::Vertex(vertex);
        for label in path {
            let (first, outgoing) = network.outgoing(vertex);
            let (number, edge) = (first..).zip(outgoing).find(|(_, edge)| index(edge.label) == *label).unwrap();
            vertex = edge.target;
            is_passed |= element == Element::Vertex(vertex) || element == Element::Edge(number);
        }
        is_passed
    };
    paths.iter().filter(|path| is_passed(path, element) && without.is_none_or(|other| !is_passed(path, other))).count()
}

#[test]
fn everything_is_covered() {
    for (network, _) in samples(60, 6) {
        for criterion in [Criterion::Edges, Criterion::Vertices] {
            let Some(mixture) = Mixture::new(&network, 6, criterion) else {
                assert!(network.edges.is_empty());
                continue;
            };
            let Quality::Optimised { least, limit } = mixture.quality else { panic!("small graphs are optimised") };
            assert!(least > 0.0 && least <= limit + 1e-9 && limit - least < 1e-6, "{least} {limit}");
            let paths = mixture.draw(&network, 6, criterion, 5, 3);
            let covered: BTreeSet<Element> = paths.iter().flat_map(|path| passed(&network, path, criterion)).collect();
            assert_eq!(covered.into_iter().collect::<Vec<_>>(), elements(&network, criterion));
        }
    }
}

#[test]
fn isotropic_walks_are_complete_paths() {
    for (network, paths) in samples(40, 6) {
        let mut ended = 0;
        for number in 0..50 {
            if let Some(path) = isotropic::walk(&network, 6, &mut Stream::new(1, number)) {
                assert!(paths.contains(&network.labels(&path)));
                ended += 1;
            }
        }
        assert!(ended > 0);
    }
}
