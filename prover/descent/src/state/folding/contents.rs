//! What trees hold, up to equality that the predicate shows: equal contents have equal numbers.

use super::graph::{Graph, Root};
use crate::state::herd::Herd;
use goatherd_certificates::{
    configuration::{Slot, TreeId},
    program::{Link, ObjectId, SortId},
    term::LinearId,
};
use goatherd_checker::{rejection::Rejection, term::Arena};
use std::collections::{BTreeMap, BTreeSet};

/// An integer up to equality: a representative, 0 for the number 0, and the distance to it.
pub type Class = (usize, i128);

/// What tells a node from others: its declaration and integers.
pub type Identity = (ObjectId, Vec<Class>);

/// Of the nodes that have one.
pub type Identities = BTreeMap<ObjectId, Identity>;

/// The number of a content.
pub type ContentId = usize;

/// What is found at a position of a heap.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Content {
    /// NULL.
    Null,
    /// Where the rest of a chain hangs.
    Hole,
    /// All that a tree symbol stands for.
    Tree(TreeId),
    /// A segment, and what stands in its hole.
    Segment(TreeId, ContentId),
    /// A node: its sort and shape, its integers, and what hangs below.
    Node((SortId, u32), Vec<Class>, Vec<ContentId>),
}

/// The contents seen so far.
#[derive(Default)]
pub struct Contents {
    numbers: BTreeMap<Content, ContentId>,
    /// By number: can it be told from others by integers or symbols?
    identified: Vec<bool>,
}

impl Contents {
    /// The content's number.
    pub fn number(&mut self, content: Content) -> ContentId {
        if let Some(number) = self.numbers.get(&content) {
            return *number;
        }
        let is_identified = match &content {
            Content::Null | Content::Hole => false,
            Content::Tree(_) | Content::Segment(..) => true,
            Content::Node(_, data, below) => is_telling(data) || below.iter().any(|id| self.identified[*id]),
        };
        let number = self.identified.len();
        self.numbers.insert(content, number);
        self.identified.push(is_identified);
        number
    }

    /// Can it be told from others by integers or symbols?
    pub fn is_identified(&self, content: ContentId) -> bool {
        self.identified.get(content).copied().unwrap_or(false)
    }
}

/// Are the integers others than numbers?
fn is_telling(data: &[Class]) -> bool {
    data.iter().any(|(representative, _)| *representative != 0)
}

/// The integers of nodes and live registers, up to equality.
pub struct Classes {
    of_terms: BTreeMap<LinearId, Class>,
    /// What they lie between, as far as that is known.
    bounds: BTreeMap<LinearId, (Option<i128>, Option<i128>)>,
    /// Those that live registers of any member hold.
    pub registers: BTreeSet<Class>,
}

impl Classes {
    /// Those of nodes, and those of live registers.
    pub fn new(arena: &mut Arena, herd: &mut Herd, data: &[LinearId], registers: &[LinearId]) -> Self {
        let distinct: BTreeSet<LinearId> = data.iter().chain(registers).copied().collect();
        let terms: Vec<LinearId> = distinct.into_iter().collect();
        let matrix = herd.context.bounds_matrix(arena, &terms);
        let (mut classes, mut bounds) = (BTreeMap::new(), BTreeMap::new());
        let mut representatives = vec![0];
        for (row, term) in (1..).zip(&terms) {
            let equal = representatives.iter().find_map(|other| {
                let gap = matrix.get(row, *other)?;
                (matrix.get(*other, row) == Some(-gap)).then_some((*other, gap))
            });
            bounds.insert(*term, (matrix.get(0, row).map(|bound| -bound), matrix.get(row, 0)));
            classes.insert(*term, equal.unwrap_or((row, 0)));
            if equal.is_none() {
                representatives.push(row);
            }
        }
        let registers = registers.iter().filter_map(|term| classes.get(term).copied()).filter(|class| class.0 != 0).collect();
        Self { of_terms: classes, bounds, registers }
    }

    /// What an integer of a node or live register lies between.
    pub fn bounds(&self, term: LinearId) -> (Option<i128>, Option<i128>) {
        self.bounds.get(&term).copied().unwrap_or_default()
    }

    /// The integers of a node, in the order of its fields; none if one of them is not known.
    pub fn data(&self, graph: &Graph<'_>, object: ObjectId) -> Result<Option<Vec<Class>>, Rejection> {
        Ok(data(graph, object)?.and_then(|terms| terms.iter().map(|term| self.of_terms.get(term).copied()).collect()))
    }

    /// What tells a node from others: its declaration and integers, if these are not mere numbers.
    pub fn identity(&self, graph: &Graph<'_>, object: ObjectId) -> Result<Option<Identity>, Rejection> {
        let declaration = graph.object(object)?.declaration;
        Ok(self.data(graph, object)?.filter(|data| is_telling(data)).map(|data| (declaration, data)))
    }

    /// What tells a member's nodes from others.
    pub fn identities(&self, graph: &Graph<'_>) -> Result<Identities, Rejection> {
        let mut identities = Identities::new();
        for root in &graph.order {
            if let Root::Object(object) = *root
                && let Some(identity) = self.identity(graph, object)?
            {
                identities.insert(object, identity);
            }
        }
        Ok(identities)
    }
}

/// The integers of a node, in the order of its fields; none if it is none, or one of them is forgotten.
pub fn data(graph: &Graph<'_>, object: ObjectId) -> Result<Option<Vec<LinearId>>, Rejection> {
    let state = graph.object(object)?;
    let Some(links) = graph.links(state) else { return Ok(None) };
    let data = links.iter().zip(&state.fields).filter(|(link, _)| **link == Link::Data);
    let terms = data.map(|(_, field)| match field.cells.as_slice() {
        [Slot::Integer(term)] => Some(*term),
        _ => None,
    });
    Ok(terms.collect())
}
