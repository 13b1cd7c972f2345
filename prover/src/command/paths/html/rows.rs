//! The states of an analysis as rows: each below the one from which it was reached first, with links in lanes beside them.

use super::{StateGraph, way, words};
use crate::command::paths::subject::Subject;
use goatherd_paths::graph::Vertex;
use goatherd_systems::lts::{EdgeId, Location, index};

/// A page has so many rows at most.
const MOST: usize = 2000;

/// So many links are drawn beside each other at most.
const MOST_LANES: usize = 12;

/// A state.
pub struct Row {
    pub location: Location,
    pub literals: Vec<String>,
    /// What no state here may satisfy, so that infeasible paths stay refuted.
    pub safeguards: Vec<String>,
    /// The guards of edges that are refuted.
    pub marks: Vec<String>,
    /// The edges that go on, and the rows that they lead to.
    pub ways: Vec<(String, Option<usize>)>,
    pub is_final: bool,
    /// Is it part of the certified graph?
    pub is_kept: bool,
    /// Is it in the black part?
    pub is_black: bool,
}

/// An edge between rows.
pub struct Link {
    pub from: usize,
    pub to: usize,
    /// Does it lead to a state that was reached before?
    pub is_subsumption: bool,
    pub course: Course,
    pub label: String,
}

/// How a link is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Course {
    /// To the next row.
    Down,
    /// In this lane beside the rows, from 0.
    Lane(usize),
    /// As the number of the row that it leads to: no lane is left.
    Number,
}

/// All rows.
pub struct Rows {
    pub states: Vec<Row>,
    pub links: Vec<Link>,
    pub lanes: usize,
    /// Are there more?
    pub is_cut: bool,
}

impl Rows {
    /// Depth first from the root.
    pub fn new(subject: &Subject, states: &StateGraph) -> Self {
        let graph = &states.graph;
        let mut position = vec![None; graph.successors.len()];
        let mut order = Vec::new();
        let mut reached_by: Vec<Option<(Vertex, usize)>> = vec![None; graph.successors.len()];
        let mut open: Vec<(Option<(Vertex, usize)>, Vertex)> = graph.root.into_iter().map(|root| (None, root)).collect();
        while let Some((by, vertex)) = open.pop() {
            if position[vertex].is_some() || order.len() == MOST {
                continue;
            }
            position[vertex] = Some(order.len());
            reached_by[vertex] = by;
            order.push(vertex);
            let ways = graph.successors[vertex].iter().rev();
            open.extend(ways.filter(|(_, target)| position[**target].is_none()).map(|(edge, target)| (Some((vertex, *edge)), *target)));
        }
        let names = subject.lts.names();
        let outgoing = subject.lts.edges_by_source();
        let rows = order.iter().map(|vertex| {
            let location = reached_by[*vertex].map_or(subject.lts.initial, |(_, edge)| subject.lts.edges[edge].target);
            row(subject, states, &outgoing, &names, (*vertex, location), &position)
        });
        let mut links = Vec::new();
        for (from, vertex) in order.iter().enumerate() {
            for (edge, target) in &graph.successors[*vertex] {
                let Some(to) = position[*target] else { continue };
                let is_subsumption = reached_by[*target] != Some((*vertex, *edge));
                let course = if to == from + 1 { Course::Down } else { Course::Number };
                links.push(Link { from, to, is_subsumption, course, label: way(subject, *edge, &names) });
            }
        }
        let lanes = assign_lanes(&mut links);
        Self { states: rows.collect(), links, lanes, is_cut: order.len() < graph.successors.len() }
    }
}

fn row(
    subject: &Subject,
    states: &StateGraph,
    outgoing: &[Vec<EdgeId>],
    names: &[String],
    (vertex, location): (Vertex, Location),
    position: &[Option<usize>],
) -> Row {
    let graph = &states.graph;
    let edges = outgoing.get(index(location)).map_or(&[][..], Vec::as_slice);
    let (open, marked): (Vec<usize>, Vec<usize>) = edges.iter().partition(|edge| graph.successors[vertex].contains_key(edge));
    Row {
        location,
        literals: words::cases(&states.cases[vertex], names),
        safeguards: states.safeguards[vertex].iter().map(|path| words::safeguard(path, &subject.lts, names)).collect(),
        marks: marked.iter().map(|edge| words::edge(&subject.lts.edges[*edge], names)).collect(),
        ways: open.iter().map(|edge| (way(subject, *edge, names), position[graph.successors[vertex][edge]])).collect(),
        is_final: graph.finals.contains(&vertex),
        is_kept: states.map[vertex].is_some(),
        is_black: states.black.contains(&vertex),
    }
}

/// Gives links that do not lead to the next row lanes, in which none overlap: the short ones first, and inside. How many lanes there are.
fn assign_lanes(links: &mut [Link]) -> usize {
    let mut order: Vec<usize> = (0..links.len()).filter(|link| links[*link].course == Course::Number).collect();
    order.sort_by_key(|link| (links[*link].from.abs_diff(links[*link].to), *link));
    // Per lane, the rows that are taken.
    let mut lanes: Vec<Vec<(usize, usize)>> = Vec::new();
    for link in order {
        let Link { from, to, .. } = links[link];
        let (first, last) = (from.min(to), from.max(to));
        let is_free = |taken: &Vec<(usize, usize)>| taken.iter().all(|(start, end)| last < *start || *end < first);
        let lane = lanes.iter().position(is_free).unwrap_or(lanes.len());
        if lane == MOST_LANES {
            continue;
        }
        lanes.resize(lanes.len().max(lane + 1), Vec::new());
        lanes[lane].push((first, last));
        links[link].course = Course::Lane(lane);
    }
    lanes.len()
}
