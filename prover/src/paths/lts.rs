//! Labelled transition systems over integer variables: what path analysis works on (red-black graphs Def. 1; `spec/paths.md#lts`).

use super::graph::Graph;
use super::literal::{Linear, Literal, Overflow, Variable, negated};
use std::collections::BTreeSet;

/// A location of a transition system.
pub type Location = u32;

/// Position in [`Lts::edges`].
pub type EdgeId = usize;

/// A transition system. Its runs start at `initial` with any values that lie in the ranges of the variables.
#[derive(Clone, Debug, Default)]
pub struct Lts {
    /// The variables, by number.
    pub variables: Vec<LtsVariable>,
    /// Where runs start.
    pub initial: Location,
    /// Where complete runs end.
    pub finals: BTreeSet<Location>,
    /// In the order of the source.
    pub edges: Vec<Edge>,
}

/// A variable: its name and the values that it can have.
#[derive(Clone, Debug)]
pub struct LtsVariable {
    /// In the source.
    pub name: String,
    /// Least and greatest value; none for a mathematical integer.
    pub range: Option<(i128, i128)>,
}

/// One edge: where the guard holds, all assignments are made at once.
#[derive(Clone, Debug)]
pub struct Edge {
    /// From here.
    pub source: Location,
    /// To here.
    pub target: Location,
    /// All of these; empty for an edge that is always open.
    pub guard: Vec<Literal>,
    /// By ascending variable, each at most once.
    pub assignments: Vec<(Variable, Value)>,
}

/// What an assignment stores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A linear expression, on unbounded integers.
    Exact(Linear),
    /// A linear expression where it lies in the range of the variable, otherwise any value of that range.
    InRange(Linear),
    /// Any value of the range.
    Unknown,
}

impl LtsVariable {
    /// What its range says of a value.
    pub fn range_of(&self, value: &Linear) -> Result<Vec<Literal>, Overflow> {
        let Some((least, greatest)) = self.range else { return Ok(Vec::new()) };
        let below = greatest.checked_sub(value.constant).ok_or(Overflow)?;
        let above = value.constant.checked_sub(least).ok_or(Overflow)?;
        Ok(vec![Literal::at_most(value.term.clone(), below), Literal::at_most(negated(&value.term), above)])
    }
}

impl Lts {
    /// The edges of each location, ascending; locations without edges that are mentioned have an empty list.
    pub fn edges_by_source(&self) -> Vec<Vec<EdgeId>> {
        let mentioned = self.edges.iter().flat_map(|edge| [edge.source, edge.target]).chain([self.initial]);
        let count = mentioned.max().map_or(0, index) + 1;
        let mut outgoing = vec![Vec::new(); count];
        for (id, edge) in self.edges.iter().enumerate() {
            outgoing[index(edge.source)].push(id);
        }
        outgoing
    }

    /// The locations that edges lead to from the initial one, whatever their guards, and that one itself.
    pub fn reachable(&self) -> BTreeSet<Location> {
        let outgoing = self.edges_by_source();
        let mut reached = BTreeSet::from([self.initial]);
        let mut open = vec![self.initial];
        while let Some(location) = open.pop() {
            for edge in outgoing.get(index(location)).into_iter().flatten() {
                let target = self.edges[*edge].target;
                if reached.insert(target) {
                    open.push(target);
                }
            }
        }
        reached
    }

    /// The graph of all locations, in which a path is one of edges, feasible or not.
    pub fn graph(&self) -> Graph {
        let outgoing = self.edges_by_source();
        let successors = outgoing.iter().map(|edges| edges.iter().map(|edge| (*edge, index(self.edges[*edge].target))).collect());
        let finals = self.finals.iter().map(|location| index(*location)).filter(|location| *location < outgoing.len());
        Graph { root: Some(index(self.initial)), finals: finals.collect(), successors: successors.collect() }
    }

    /// The names of the variables.
    pub fn names(&self) -> Vec<String> {
        self.variables.iter().map(|variable| variable.name.clone()).collect()
    }
}

/// A location or variable as a position.
pub fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl Value {
    /// For people, with these names for the variables.
    pub fn show(&self, names: &[String]) -> String {
        match self {
            Self::Exact(linear) | Self::InRange(linear) => linear.show(names),
            Self::Unknown => "*".to_owned(),
        }
    }
}
