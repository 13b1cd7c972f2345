//! Chains of cells between what is kept, and the blocks that they are cut into: those of equal contents become one symbol.

use super::{
    Folds,
    contents::{Classes, Content, ContentId, Contents},
    graph::{Holder, Root, root},
    keeping::View,
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
            let is_single = view.is_single(current)?;
            let (true, Some(child)) = (is_single || !open.is_empty(), open.first().copied().or(is_single.then_some(0))) else {
                break End::Closed(view.own_content(contents, classes, current)?.ok_or(Rejection::Shape)?);
            };
            let content = piece(view, contents, classes, current, child)?;
            pieces.push(Piece { content, root: current, child: u32::try_from(child).map_err(|_| Rejection::Overflow)? });
            let slot = below[child];
            match (slot, root(slot)) {
                (Slot::Null, _) => break End::Closed(contents.number(Content::Null)),
                (Slot::Pointer { .. } | Slot::Folded(_), Some(next)) if view.is_folded(next) => current = next,
                _ => break End::Kept(slot),
            }
        };
        Ok(Self { start, sort, pieces, end })
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
            Content::Node(view.sort(root)?.ok_or(Rejection::Shape)?, data, below)
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

/// Nodes that a chain of the primary has more than the same chain of a scapegoat, where data do not tell: those at its end or start.
pub fn extra_nodes(views: &[View<'_>], chains: &[Vec<Chain>], null: ContentId) -> Result<BTreeSet<ObjectId>, Rejection> {
    let mut extra = BTreeSet::new();
    let ([primary, others @ ..], [own, rest @ ..]) = (views, chains) else { return Ok(extra) };
    for (view, chains) in others.iter().zip(rest) {
        for (left, right) in counterparts(primary, view)? {
            let (mut lefts, mut rights) = (vec![left], vec![right]);
            if let (Some(left @ Root::Object(_)), Some(right @ Root::Object(_))) = (root(left), root(right)) {
                (lefts, rights) = (primary.below(left)?, view.below(right)?);
            }
            for (left, right) in lefts.into_iter().zip(rights) {
                let find = |chains: &'_ [Chain], slot: Slot| chains.iter().position(|chain| Some(chain.start) == root(slot));
                let Some(left) = find(own, left) else { continue };
                match find(chains, right) {
                    Some(right) => extra.extend(surplus(&own[left], (&chains[right].pieces, chains[right].end))),
                    None if right == Slot::Null => extra.extend(surplus(&own[left], (&[], End::Closed(null)))),
                    None => {}
                }
            }
        }
    }
    Ok(extra)
}

/// The slots of registers, and of cells of objects that are no nodes, in two members.
fn counterparts(primary: &View<'_>, other: &View<'_>) -> Result<Vec<(Slot, Slot)>, Rejection> {
    let mut pairs = Vec::new();
    for (register, slot) in &primary.graph.registers {
        let found = other.graph.registers.iter().find(|(other, _)| other == register);
        pairs.extend(found.map(|(_, other)| (*slot, *other)));
    }
    for root in &primary.graph.order {
        let Root::Object(object) = *root else { continue };
        let state = primary.graph.object(object)?;
        if primary.graph.links(state).is_none()
            && let Some(other) = other.graph.member.object(object)
        {
            let fields = state.fields.iter().zip(&other.fields);
            pairs.extend(fields.flat_map(|(field, other)| field.cells.iter().copied().zip(other.cells.iter().copied())));
        }
    }
    Ok(pairs)
}

/// How many nodes one chain may have more than another.
const SURPLUS: usize = 2;

/// The nodes that a chain has more than another one of these pieces and this end.
fn surplus(longer: &Chain, (shorter, end): (&[Piece], End)) -> Vec<ObjectId> {
    let is_same_end = matches!((longer.end, end), (End::Closed(left), End::Closed(right)) if left == right);
    let [long, short] = [&longer.pieces, shorter].map(|pieces| pieces.iter().map(|piece| piece.content).collect::<Vec<_>>());
    let count = long.len().saturating_sub(short.len());
    if !is_same_end || !(1..=SURPLUS).contains(&count) {
        return Vec::new();
    }
    let range = if long.starts_with(&short) {
        short.len()..long.len()
    } else if long.ends_with(&short) {
        0..count
    } else {
        return Vec::new();
    };
    let nodes = longer.pieces[range].iter().map(|piece| if let Root::Object(object) = piece.root { Some(object) } else { None });
    nodes.collect::<Option<Vec<_>>>().unwrap_or_default()
}
