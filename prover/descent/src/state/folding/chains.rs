//! Chains of cells between what is kept, and the blocks that they are cut into: those of equal contents become one symbol.

use super::{
    contents::{Classes, Content, ContentId, Contents},
    folds::Folds,
    graph::{Holder, Root, root},
    view::View,
};
use goatherd_certificates::{
    configuration::Slot,
    program::{ObjectId, SortId},
};
use goatherd_checker::rejection::Rejection;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// A cell of a chain, or a segment.
pub struct Piece {
    /// What it holds, beside what leads on.
    pub content: ContentId,
    /// The node or part.
    pub root: Root,
    /// Which of its children leads on.
    pub child: u32,
}

/// Where a chain ends.
#[derive(Clone, Copy)]
pub enum End {
    /// With this content: NULL or a tree.
    Closed(ContentId),
    /// With what this slot holds: something that is kept, or no tree.
    Kept(Slot),
}

/// From what is kept, or a part that stands apart, as far as one way leads on.
pub struct Chain {
    pub start: Root,
    /// What its nodes are.
    pub sort: SortId,
    pub pieces: Vec<Piece>,
    pub end: End,
}

/// A block of a chain.
pub struct Block {
    /// Its pieces.
    pub pieces: Range<usize>,
    /// The content of the chain's end, if the block contains it.
    pub end: Option<ContentId>,
}

impl Chain {
    /// The chain that starts there.
    fn new(view: &View<'_>, contents: &mut Contents, classes: &Classes, start: Root) -> Result<Self, Rejection> {
        let sort = view.sort(start)?.ok_or(Rejection::Shape)?;
        let mut pieces = Vec::new();
        let mut current = start;
        let end = loop {
            let below = view.below(current)?;
            let open = view.open_children(contents, current)?;
            let Some(child) = open.first().copied().or(view.way_on(current)?) else {
                break End::Closed(view.own_content(contents, classes, current)?.ok_or(Rejection::Shape)?);
            };
            let content = piece(view, contents, classes, current, child)?;
            pieces.push(Piece { content, root: current, child: u32::try_from(child).map_err(|_| Rejection::Overflow)? });
            let slot = below[child];
            match (slot, root(slot)) {
                (Slot::Null, _) => break End::Closed(contents.number(Content::Null)),
                (Slot::Pointer(_) | Slot::Folded(_), Some(next)) if view.is_folded(next) => current = next,
                _ => break End::Kept(slot),
            }
        };
        Ok(Self { start, sort, pieces, end })
    }

    /// The shapes of a block's nodes whose sorts have several, in the order in which they are read (`spec/calculus.md#subsume`).
    pub fn shapes(&self, view: &View<'_>, block: &Block) -> Result<Vec<u32>, Rejection> {
        let mut shapes = Vec::new();
        let pieces = &self.pieces[block.pieces.clone()];
        if block.end.is_some() {
            let start = match block.pieces.start.checked_sub(1).map(|before| &self.pieces[before]) {
                Some(Piece { root: before, child, .. }) => {
                    let below = view.below(*before)?;
                    usize::try_from(*child).ok().and_then(|child| root(*below.get(child)?))
                }
                None => Some(self.start),
            };
            read(view, start.into_iter().collect(), &mut shapes)?;
            return Ok(shapes);
        }
        for Piece { root: above, child, .. } in pieces {
            let Root::Object(object) = *above else { continue };
            shapes.extend(view.shape(object));
            let others = (0..).zip(view.below(*above)?).filter(|(number, _)| number != child);
            read(view, others.filter_map(|(_, slot)| root(slot)).collect(), &mut shapes)?;
        }
        Ok(shapes)
    }

    /// The contents in order; none at the end for what is kept.
    fn contents(&self) -> impl Iterator<Item = Option<ContentId>> + '_ {
        let end = if let End::Closed(content) = self.end { Some(content) } else { None };
        self.pieces.iter().map(|piece| Some(piece.content)).chain([end])
    }

    /// Cuts off its end where that or the last cell has another neighbour elsewhere; in blocks, cuts it wherever one of two neighbours has.
    pub fn blocks(&self, view: &View<'_>, contents: &Contents, neighbours: &Neighbours, null: ContentId) -> Vec<Block> {
        let all: Vec<Option<ContentId>> = self.contents().collect();
        let is_forced = |position: usize| view.kept.ends.contains(&self.pieces[position - 1].root);
        let mut cuts: Vec<usize> = (1..all.len())
            .filter(|position| {
                let is_separate = neighbours.folds == Folds::Blocks && neighbours.separate(contents, all[*position - 1], all[*position]);
                is_forced(*position) || is_separate
            })
            .collect();
        if cuts.len() > BLOCKS {
            cuts.retain(|position| is_forced(*position) || *position == self.pieces.len());
        }
        let mut blocks = Vec::new();
        let mut from = 0;
        let closed = if let End::Closed(content) = self.end { Some(content) } else { None };
        for to in cuts.into_iter().filter(|to| *to < self.pieces.len()).chain([self.pieces.len()]) {
            blocks.push(Block { pieces: from..to, end: None });
            from = to;
        }
        if let Some(content) = closed {
            let is_cut = !self.pieces.is_empty()
                && (neighbours.folds == Folds::Segments
                    || is_forced(self.pieces.len())
                    || neighbours.separate(contents, all[all.len() - 2], all[all.len() - 1]));
            match blocks.last_mut() {
                Some(last) if !is_cut => last.end = Some(content),
                _ if content == null => {}
                _ => blocks.push(Block { pieces: from..from, end: Some(content) }),
            }
        }
        blocks.retain(|block| !block.pieces.is_empty() || block.end.is_some());
        blocks
    }
}

/// Adds the shapes of all nodes there and below, where their sorts have several.
fn read(view: &View<'_>, mut open: Vec<Root>, shapes: &mut Vec<u32>) -> Result<(), Rejection> {
    while let Some(next) = open.pop() {
        if let Root::Object(object) = next {
            shapes.extend(view.shape(object));
        }
        open.extend(view.below(next)?.into_iter().filter_map(root));
    }
    Ok(())
}

/// Into how many blocks a chain may be cut: in one that is cut at every cell, symbols would say nothing and there would be more with every
/// round.
const BLOCKS: usize = 4;

fn piece(view: &View<'_>, contents: &mut Contents, classes: &Classes, root: Root, child: usize) -> Result<ContentId, Rejection> {
    let hole = contents.number(Content::Hole);
    let content = match root {
        Root::Object(object) => {
            let mut below = Vec::new();
            for (position, slot) in view.below(root)?.into_iter().enumerate() {
                below.push(if position == child { hole } else { view.content(contents, slot).ok_or(Rejection::Shape)? });
            }
            let data = classes.data(view.graph, object)?.ok_or(Rejection::Shape)?;
            let fit = view.fit(object).ok_or(Rejection::Shape)?;
            Content::Node((fit.sort, fit.shape), data, below)
        }
        Root::Part(part) => Content::Segment(view.graph.part(part)?.tree, hole),
    };
    Ok(contents.number(content))
}

/// The chains of a member, in the order in which they are reached.
pub fn chains(view: &View<'_>, contents: &mut Contents, classes: &Classes) -> Result<Vec<Chain>, Rejection> {
    let mut chains = Vec::new();
    for root in &view.graph.order {
        let is_start = match (root, view.graph.holders(*root)) {
            (Root::Object(object), _) if view.kept.objects.contains(object) => false,
            (_, holders) if view.kept.starts.contains(root) => !holders.is_empty(),
            (_, [Holder::Child(object, _)]) => view.is_folded(*root) && view.kept.objects.contains(object),
            _ => false,
        };
        if is_start {
            chains.push(Chain::new(view, contents, classes, *root)?);
        }
    }
    Ok(chains)
}

/// Nodes of chains that lead round to where they start, or over others to there, one of each such ring: parts alone would be a ring without a node,
/// and each of them may be empty.
fn in_rings(chains: &[Chain]) -> BTreeSet<ObjectId> {
    let next = |chain: &Chain| match chain.end {
        End::Kept(slot) => chains.iter().find(|other| matches!(other.start, Root::Part(_)) && root(slot) == Some(other.start)),
        End::Closed(_) => None,
    };
    let node = |piece: &Piece| if let Root::Object(object) = piece.root { Some(object) } else { None };
    let mut found = BTreeSet::new();
    for first in chains.iter().filter(|chain| matches!(chain.start, Root::Part(_))) {
        let mut ring = vec![first];
        while let Some(chain) = ring.last().copied().and_then(next).filter(|chain| !ring.iter().any(|known| known.start == chain.start)) {
            ring.push(chain);
        }
        if ring.last().copied().and_then(next).is_some_and(|chain| chain.start == first.start) {
            let nodes: Vec<ObjectId> = ring.iter().flat_map(|chain| &chain.pieces).filter_map(node).collect();
            if !nodes.iter().any(|node| found.contains(node)) {
                found.extend(nodes.first());
            }
        }
    }
    found
}

/// What stands beside a content, in all chains of all members.
pub struct Neighbours {
    before: BTreeMap<ContentId, BTreeSet<Option<ContentId>>>,
    behind: BTreeMap<ContentId, BTreeSet<Option<ContentId>>>,
    /// Are chains and what is at their ends folded apart in any case?
    folds: Folds,
}

impl Neighbours {
    /// Those in the chains.
    pub fn new<'a>(folds: Folds, chains: impl Iterator<Item = &'a Chain>) -> Self {
        let mut neighbours = Self { before: BTreeMap::new(), behind: BTreeMap::new(), folds };
        for chain in chains {
            let mut last = None;
            for content in chain.contents() {
                if let Some(content) = content {
                    neighbours.before.entry(content).or_default().insert(last);
                }
                if let Some(last) = last {
                    neighbours.behind.entry(last).or_default().insert(content);
                }
                last = content;
            }
        }
        neighbours
    }

    /// Is one of the two, which are neighbours, beside something else elsewhere?
    fn separate(&self, contents: &Contents, left: Option<ContentId>, right: Option<ContentId>) -> bool {
        let has_others = |side: &BTreeMap<ContentId, BTreeSet<Option<ContentId>>>, content: Option<ContentId>| {
            content.is_some_and(|content| contents.is_identified(content) && side.get(&content).is_some_and(|others| others.len() > 1))
        };
        has_others(&self.behind, left) || has_others(&self.before, right)
    }
}

/// The nodes of each member that are kept beside those that chains begin and end at.
pub fn kept_besides(views: &[View<'_>], chains: &[Vec<Chain>], null: ContentId) -> Result<Vec<BTreeSet<ObjectId>>, Rejection> {
    let mut kept: Vec<BTreeSet<ObjectId>> = chains.iter().map(|chains| in_rings(chains)).collect();
    if let Some(of_primary) = kept.first_mut() {
        of_primary.append(&mut extra_nodes(views, chains, null)?);
    }
    Ok(kept)
}

/// Nodes that a chain of the primary has more than the same chain of a scapegoat, where data do not tell: those at its end or start.
fn extra_nodes(views: &[View<'_>], chains: &[Vec<Chain>], null: ContentId) -> Result<BTreeSet<ObjectId>, Rejection> {
    let mut extra = BTreeSet::new();
    let ([primary, others @ ..], [own, rest @ ..]) = (views, chains) else { return Ok(extra) };
    for (view, chains) in others.iter().zip(rest) {
        let held = held_alike(primary, view);
        for (slot, other) in &held {
            let (mut lefts, mut rights) = (vec![*slot], vec![*other]);
            match (root(*slot), root(*other)) {
                (Some(left @ Root::Object(_)), Some(right @ Root::Object(_))) => {
                    (lefts, rights) = (primary.below(left)?, view.below(right)?);
                }
                // The first of several nodes that the primary has more is kept since a register names it.
                (Some(left @ Root::Object(object)), _) if primary.kept.objects.contains(&object) => {
                    lefts = primary.below(left)?;
                    rights = vec![*other; lefts.len()];
                }
                _ => {}
            }
            for (left, right) in lefts.into_iter().zip(rights) {
                let find = |chains: &'_ [Chain], slot: Slot| chains.iter().position(|chain| Some(chain.start) == root(slot));
                let Some(left) = find(own, left) else { continue };
                let from = find(chains, right).map(|right| (chains[right].pieces.as_slice(), chains[right].end));
                let here = if right == Slot::Null { End::Closed(null) } else { End::Kept(right) };
                for (shorter, end) in from.into_iter().chain([(&[][..], here)]) {
                    let is_same_end = match (own[left].end, end) {
                        (End::Closed(left), End::Closed(right)) => left == right,
                        // Where both end at what is held alike, as the last node is whose link a header points to.
                        (End::Kept(left), End::Kept(right)) => held.contains(&(left, right)),
                        _ => false,
                    };
                    if is_same_end {
                        extra.extend(surplus(&own[left], shorter));
                        break;
                    }
                }
            }
        }
    }
    Ok(extra)
}

/// What the primary and a scapegoat hold in the same registers, and in the same cells of objects that are no nodes.
fn held_alike(primary: &View<'_>, view: &View<'_>) -> Vec<(Slot, Slot)> {
    let mut held = Vec::new();
    for (register, slot) in &primary.graph.registers {
        held.extend(view.graph.registers.iter().find(|(other, _)| other == register).map(|(_, other)| (*slot, *other)));
    }
    for root in &primary.graph.order {
        let Root::Object(object) = *root else { continue };
        let (Ok(state), Ok(other)) = (primary.graph.object(object), view.graph.object(object)) else { continue };
        if primary.graph.links(state).is_none() && state.declaration == other.declaration {
            let cells = state.fields.iter().zip(&other.fields).flat_map(|(field, other)| field.cells.iter().zip(&other.cells));
            held.extend(cells.map(|(slot, other)| (*slot, *other)));
        }
    }
    held
}

/// How many nodes one chain may have more than another.
const SURPLUS: usize = 2;

/// The nodes that a chain has more than another one of these pieces and the same end.
fn surplus(longer: &Chain, shorter: &[Piece]) -> Vec<ObjectId> {
    let [long, short] = [&longer.pieces, shorter].map(|pieces| pieces.iter().map(|piece| piece.content).collect::<Vec<_>>());
    let count = long.len().saturating_sub(short.len());
    if !(1..=SURPLUS).contains(&count) {
        return Vec::new();
    }
    let (first, last) = (0..count, short.len()..long.len());
    // Where either may be, it is the first of what leads to something that is kept: one goes on from there, and what came first was left out.
    let range = match (long.ends_with(&short), long.starts_with(&short), longer.end) {
        (true, true, End::Kept(_)) | (true, false, _) => first,
        (_, true, _) => last,
        (false, false, _) => return Vec::new(),
    };
    let nodes = longer.pieces[range].iter().map(|piece| if let Root::Object(object) = piece.root { Some(object) } else { None });
    nodes.collect::<Option<Vec<_>>>().unwrap_or_default()
}
