//! The certified graph as one of steps: from landmark to landmark (`spec/paths.md#landmarks`). All of it comes from the certificate.

use crate::graph::{Graph, Vertex};
use goatherd_certificates::{
    certificate::{Ends, Statement},
    derivation::VertexId,
    program::{Instruction, Location},
};
use goatherd_claim_paths as paths;
use goatherd_systems::lts::EdgeId;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
};

/// A graph of steps.
#[derive(Clone, Debug, Default)]
pub struct Certified {
    /// Its edges are positions in `steps`.
    pub graph: Graph,
    /// By vertex: the instruction at which it stands.
    pub locations: Vec<Location>,
    /// By edge: the instructions after the first landmark, up to the second.
    pub steps: Vec<Vec<Location>>,
    /// The instructions before the first landmark.
    pub entry: Vec<Location>,
    /// By final vertex: the instructions after it, up to the end of the path.
    pub tails: BTreeMap<Vertex, Vec<Location>>,
}

/// The graph has no meaning as one of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unclear {
    /// From this instruction, paths come back without passing a landmark.
    Loop(Location),
    /// From this instruction there are too many ways to the next landmarks.
    TooMany(Location),
}

impl fmt::Display for Unclear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loop(Location(at)) => {
                write!(f, "from instruction {at}, the graph has a loop without a step that counts (the statement's landmarks)")
            }
            Self::TooMany(Location(at)) => {
                write!(f, "from instruction {at}, there are more than {MOST} ways to the next steps that count (the statement's landmarks)")
            }
        }
    }
}

impl std::error::Error for Unclear {}

/// So many ways from one landmark to the next.
const MOST: usize = 1 << 16;

impl Certified {
    /// Of a graph that the checker has derived from a certificate with this statement.
    pub fn new(certified: &paths::Graph, statement: &Statement, ends: Ends) -> Result<Self, Unclear> {
        let mut outgoing = vec![Vec::new(); certified.vertices.len()];
        for (source, target) in &certified.edges {
            outgoing[source.index()].push(*target);
        }
        let landmarks = statement.landmarks.iter().copied().collect();
        let result = Self::default();
        let mut reading = Reading { certified, statement, outgoing, landmarks, numbers: HashMap::new(), edges: HashMap::new(), result };
        let Some(root) = certified.root else { return Ok(reading.result) };
        let mut open = Vec::new();
        if reading.is_landmark(root) {
            open.push(root);
        } else if let Some(way) = reading.ways(root)?.into_iter().find(|way| reading.is_landmark(way.end)) {
            let before = way.instructions.len() - 1;
            reading.result.entry = [reading.location(root)].into_iter().chain(way.instructions[..before].iter().copied()).collect();
            open.push(way.end);
        }
        reading.result.graph.root = open.first().map(|vertex| reading.number(*vertex));
        while let Some(vertex) = open.pop() {
            open.extend(reading.read(vertex, ends)?);
        }
        Ok(reading.result)
    }

    /// All instructions of a path, from the program's first one.
    pub fn instructions(&self, edges: &[EdgeId]) -> Vec<Location> {
        let Some(root) = self.graph.root else { return Vec::new() };
        let mut vertex = root;
        let mut instructions = self.entry.clone();
        instructions.push(self.locations[root]);
        for edge in edges {
            instructions.extend(&self.steps[*edge]);
            vertex = self.graph.successors[vertex][edge];
        }
        instructions.extend(self.tails.get(&vertex).into_iter().flatten());
        instructions
    }

    /// From instruction to instruction, all steps of complete paths.
    pub fn instruction_steps(&self) -> BTreeSet<(Location, Location)> {
        let mut sequences = vec![self.entry.clone()];
        if let (Some(last), Some(root)) = (sequences.last_mut(), self.graph.root) {
            last.push(self.locations[root]);
        }
        for (vertex, successors) in self.graph.successors.iter().enumerate() {
            let on = successors.keys().map(|edge| &self.steps[*edge]).chain(self.tails.get(&vertex));
            sequences.extend(on.map(|step| [&[self.locations[vertex]], &step[..]].concat()));
        }
        sequences.iter().flat_map(|sequence| sequence.windows(2).map(|pair| (pair[0], pair[1]))).collect()
    }

    /// Do complete paths begin with these instructions?
    pub fn begins(&self, instructions: &[Location]) -> bool {
        let Some(mut vertex) = self.graph.root else { return false };
        let mut way = [&self.entry[..], &[self.locations[vertex]]].concat();
        let mut left = instructions;
        loop {
            let Some(rest) = left.strip_prefix(&way[..]) else { return way.starts_with(left) };
            left = rest;
            let Some(next) = left.first() else { return true };
            let on = self.graph.successors[vertex].iter().find(|(edge, _)| {
                let step = &self.steps[**edge];
                step.first() == Some(next) && (left.starts_with(step) || step.starts_with(left))
            });
            match on {
                Some((edge, target)) => (way, vertex) = (self.steps[*edge].clone(), *target),
                None => return self.tails.get(&vertex).is_some_and(|tail| tail.starts_with(left)),
            }
        }
    }

    /// The instructions at which the steps of a path begin, and the one where the last one ends.
    pub fn stations(&self, edges: &[EdgeId]) -> Vec<Location> {
        let root = self.graph.root.map(|root| self.locations[root]);
        root.into_iter().chain(edges.iter().filter_map(|edge| self.steps[*edge].last().copied())).collect()
    }
}

/// A way from a vertex to the next landmark, or to the end of a path.
struct Way {
    instructions: Vec<Location>,
    end: VertexId,
}

struct Reading<'a> {
    certified: &'a paths::Graph,
    statement: &'a Statement,
    outgoing: Vec<Vec<VertexId>>,
    landmarks: BTreeSet<Location>,
    numbers: HashMap<VertexId, Vertex>,
    edges: HashMap<(Location, Vec<Location>), EdgeId>,
    result: Certified,
}

impl Reading<'_> {
    fn location(&self, vertex: VertexId) -> Location {
        self.certified.vertices[vertex.index()]
    }

    /// Does the vertex count? Where no landmarks are named, all do.
    fn is_landmark(&self, vertex: VertexId) -> bool {
        self.landmarks.is_empty() || self.landmarks.contains(&self.location(vertex))
    }

    fn is_end(&self, vertex: VertexId) -> bool {
        let instruction = self.statement.program.instructions.get(self.location(vertex).index());
        matches!(instruction, Some(Instruction::Halt | Instruction::Fail { .. }))
    }

    fn number(&mut self, vertex: VertexId) -> Vertex {
        let next = self.numbers.len();
        let number = *self.numbers.entry(vertex).or_insert(next);
        if number == next {
            self.result.locations.push(self.certified.vertices[vertex.index()]);
            self.result.graph.successors.push(BTreeMap::new());
        }
        number
    }

    /// Reads what leads on from a landmark; those of the next that are new.
    fn read(&mut self, vertex: VertexId, ends: Ends) -> Result<Vec<VertexId>, Unclear> {
        let number = self.number(vertex);
        if ends == Ends::Anywhere || self.is_end(vertex) {
            self.result.graph.finals.insert(number);
        }
        let mut new = Vec::new();
        for Way { instructions, end } in self.ways(vertex)? {
            if !self.is_landmark(end) {
                self.result.graph.finals.insert(number);
                self.result.tails.entry(number).or_insert(instructions);
                continue;
            }
            if !self.numbers.contains_key(&end) {
                new.push(end);
            }
            let target = self.number(end);
            let next = self.edges.len();
            let edge = *self.edges.entry((self.location(vertex), instructions.clone())).or_insert(next);
            if edge == next {
                self.result.steps.push(instructions);
            }
            self.result.graph.successors[number].insert(edge, target);
        }
        Ok(new)
    }

    /// The ways from a vertex to the next landmarks, and to ends.
    fn ways(&self, from: VertexId) -> Result<Vec<Way>, Unclear> {
        let mut ways = Vec::new();
        let mut open = vec![(from, Vec::new())];
        while let Some((vertex, passed)) = open.pop() {
            if passed.len() > self.certified.vertices.len() {
                return Err(Unclear::Loop(self.location(from)));
            }
            if open.len() + ways.len() > MOST {
                return Err(Unclear::TooMany(self.location(from)));
            }
            for target in self.outgoing[vertex.index()].iter().rev() {
                let instructions: Vec<Location> = passed.iter().copied().chain([self.location(*target)]).collect();
                if self.is_landmark(*target) || self.is_end(*target) {
                    ways.push(Way { instructions, end: *target });
                } else {
                    open.push((*target, instructions));
                }
            }
        }
        Ok(ways)
    }
}

#[cfg(test)]
mod tests {
    use super::Certified;
    use crate::graph::Graph;
    use goatherd_certificates::program::Location;
    use std::collections::{BTreeMap, BTreeSet};

    fn at(numbers: &[u32]) -> Vec<Location> {
        numbers.iter().copied().map(Location).collect()
    }

    /// After instruction 0, from 1 over 2 back to 1, or over 3 and 4 to 5; from 5 the path goes on over 6 to its end.
    fn certified() -> Certified {
        let successors = vec![BTreeMap::from([(0, 0), (1, 1)]), BTreeMap::new()];
        let graph = Graph { root: Some(0), finals: [1].into(), successors };
        let steps = vec![at(&[2, 1]), at(&[3, 4, 5])];
        Certified { graph, locations: at(&[1, 5]), steps, entry: at(&[0]), tails: BTreeMap::from([(1, at(&[6, 7]))]) }
    }

    #[test]
    fn steps_from_instruction_to_instruction() {
        let pairs = [(0, 1), (1, 2), (2, 1), (1, 3), (3, 4), (4, 5), (5, 6), (6, 7)];
        let expected: BTreeSet<(Location, Location)> = pairs.into_iter().map(|(from, to)| (Location(from), Location(to))).collect();
        assert_eq!(certified().instruction_steps(), expected);
    }

    #[test]
    fn beginnings_of_paths() {
        let certified = certified();
        for path in [&[0][..], &[0, 1], &[0, 1, 2], &[0, 1, 2, 1, 3], &[0, 1, 3, 4, 5], &[0, 1, 3, 4, 5, 6], &[0, 1, 3, 4, 5, 6, 7]] {
            assert!(certified.begins(&at(path)), "{path:?}");
        }
        for path in [&[1][..], &[0, 2], &[0, 1, 4], &[0, 1, 2, 2], &[0, 1, 2, 1, 3, 5], &[0, 1, 3, 4, 5, 7], &[0, 1, 3, 4, 5, 6, 7, 8]] {
            assert!(!certified.begins(&at(path)), "{path:?}");
        }
    }
}
