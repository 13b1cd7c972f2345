//! Which nodes of a heap a template keeps as they are, and what of the others it folds into trees and segments (`spec/paths.md#lists-and-trees`).

use goatherd_certificates::{
    configuration::{Address, Folded, FoldedId, Life, Slot, TreeId, TreeSort},
    program::{Link, ObjectId, Origin, SortId},
};
use goatherd_checker::{
    configuration::{Configuration, Member, Setting},
    rejection::Rejection,
    term::Arena,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, VecDeque},
};

/// A node, or a folded part, of a configuration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Cell {
    Node(ObjectId),
    Part(FoldedId),
}

/// Where a segment ends: the way there, what leads on from it, and of which sort that is.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Hole {
    path: Vec<u32>,
    slot: Slot,
    sort: SortId,
}

/// A tree of the template or, with a hole, a segment.
#[derive(Clone, Debug)]
struct Part {
    start: Cell,
    sort: SortId,
    hole: Option<Hole>,
}

/// What becomes of a member's nodes in a template.
#[derive(Clone, Debug, Default)]
pub(super) struct Folding {
    /// The nodes that there are.
    nodes: BTreeSet<ObjectId>,
    /// Those that stay.
    pub(super) kept: Vec<ObjectId>,
    /// The names of objects that have others in the template.
    names: BTreeMap<ObjectId, ObjectId>,
    parts: Vec<Part>,
}

impl Folding {
    /// Folds what these slots lead to. The other objects stay in any case. Where more than so many nodes would have to stay, all pointers to nodes
    /// are forgotten.
    pub(super) fn new(
        arena: &Arena,
        setting: Setting<'_>,
        configuration: &Configuration,
        roots: &[Slot],
        others: &[ObjectId],
        most: usize,
    ) -> Result<Self, Rejection> {
        let member = configuration.members.first().ok_or(Rejection::Missing)?;
        let nodes = member.objects.iter().flatten().map(|state| state.object).filter(|object| !others.contains(object)).collect();
        let mut heap = Heap { arena, setting, configuration, member, order: Vec::new(), cuts: BTreeSet::new(), lost: BTreeSet::new() };
        heap.reach(roots);
        let (mut kept, mut parts) = heap.parts(roots);
        if kept.len() > most {
            (kept, parts) = (Vec::new(), Vec::new());
        }
        let mut this = Self { nodes, kept, names: BTreeMap::new(), parts };
        let declared = setting.program.objects.len();
        let renamed = others.iter().filter(|object| object.index() >= declared).chain(&this.kept);
        for (object, name) in renamed.zip(declared..) {
            this.names.insert(*object, ObjectId(u32::try_from(name).map_err(|_| Rejection::Overflow)?));
        }
        let chains: BTreeMap<Cell, usize> = this.parts.iter().map(|part| (part.start, this.chain(part))).collect();
        // What stands in a hole is read behind the segment.
        this.parts.sort_by_key(|part| Reverse(chains.get(&part.start).copied()));
        Ok(this)
    }

    /// The object's name in the template.
    pub(super) fn name(&self, object: ObjectId) -> ObjectId {
        self.names.get(&object).copied().unwrap_or(object)
    }

    /// What a pointer into the folded heap is in the template; none if it is something else.
    pub(super) fn image(&self, slot: Slot) -> Option<Slot> {
        let cell = match slot {
            Slot::Pointer(Address { object, index, byte }) if self.kept.contains(&object) => {
                return Some(Slot::Pointer(Address { object: self.name(object), index, byte }));
            }
            Slot::Pointer(Address { object, .. }) if self.nodes.contains(&object) => Cell::Node(object),
            Slot::Folded(part) => Cell::Part(part),
            Slot::Last(_) => return Some(Slot::Forgotten),
            _ => return None,
        };
        let position = self.parts.iter().position(|part| part.start == cell).and_then(|position| u32::try_from(position).ok());
        Some(position.map_or(Slot::Forgotten, |position| Slot::Folded(FoldedId(position))))
    }

    /// The symbols of the template, one for each of its parts, which it has in the same order.
    pub(super) fn trees(&self) -> Vec<TreeSort> {
        let sort = |part: &Part| if part.hole.is_some() { TreeSort::Segment(part.sort) } else { TreeSort::Tree(part.sort) };
        self.parts.iter().map(sort).collect()
    }

    /// The folded parts of the template.
    pub(super) fn folded(&self) -> Vec<Folded> {
        let below = |part: &Part| part.hole.as_ref().map_or(Slot::Null, |hole| self.image(hole.slot).unwrap_or(Slot::Forgotten));
        let folded = |(tree, part)| Folded { tree, above: Slot::Forgotten, same: Slot::Forgotten, below: below(part) };
        (0..).map(TreeId).zip(&self.parts).map(folded).collect()
    }

    /// For each symbol the way to its hole.
    pub(super) fn paths(&self) -> Vec<Vec<u32>> {
        self.parts.iter().map(|part| part.hole.as_ref().map(|hole| hole.path.clone()).unwrap_or_default()).collect()
    }

    /// How many parts stand in holes, one in the hole of the other, from this one on.
    fn chain(&self, part: &Part) -> usize {
        let mut part = part;
        let mut length = 0;
        while let Some(Slot::Folded(below)) = part.hole.as_ref().map(|hole| hole.slot)
            && let Some(next) = self.parts.iter().find(|part| part.start == Cell::Part(below))
            && length < self.parts.len()
        {
            (part, length) = (next, length + 1);
        }
        length
    }
}

/// The nodes and folded parts of a member, while it is decided what becomes of them.
struct Heap<'a> {
    arena: &'a Arena,
    setting: Setting<'a>,
    configuration: &'a Configuration,
    member: &'a Member,
    /// What the roots lead to, nearer ones first.
    order: Vec<Cell>,
    /// Nodes that stay, and parts that are not folded into others.
    cuts: BTreeSet<Cell>,
    /// What a template cannot say.
    lost: BTreeSet<Cell>,
}

impl Heap<'_> {
    /// The node or part that the slot points into.
    fn cell(&self, slot: Slot) -> Option<Cell> {
        match slot {
            Slot::Folded(part) => Some(Cell::Part(part)),
            Slot::Pointer(Address { object, .. }) => {
                let state = self.member.object(object).filter(|state| state.life == Life::Live)?;
                let is_node = matches!(self.setting.object(state.declaration).ok()?.origin, Origin::Node { .. });
                is_node.then_some(Cell::Node(object))
            }
            _ => None,
        }
    }

    /// Does the slot point to the first byte?
    fn is_plain(&self, slot: Slot) -> bool {
        match slot {
            Slot::Pointer(Address { index, byte, .. }) => byte == 0 && self.arena.value(index) == Some(0),
            _ => true,
        }
    }

    /// What a node or part holds.
    fn slots(&self, cell: Cell) -> Vec<Slot> {
        match cell {
            Cell::Node(object) => {
                let fields = self.member.object(object).into_iter().flat_map(|state| &state.fields);
                fields.flat_map(|field| field.cells.iter().copied()).collect()
            }
            Cell::Part(part) => self.member.folded(part).map(|folded| vec![folded.below]).unwrap_or_default(),
        }
    }

    /// Finds what the roots lead to. What they point to stays, and what several pointers lead to.
    fn reach(&mut self, roots: &[Slot]) {
        let mut seen = BTreeSet::new();
        let mut open = VecDeque::new();
        for slot in roots {
            let Some(cell) = self.cell(*slot) else { continue };
            self.cuts.insert(cell);
            if seen.insert(cell) {
                open.push_back(cell);
            }
        }
        while let Some(cell) = open.pop_front() {
            self.order.push(cell);
            for slot in self.slots(cell) {
                let Some(below) = self.cell(slot) else { continue };
                if seen.insert(below) {
                    open.push_back(below);
                } else {
                    self.cuts.insert(below);
                }
                if !self.is_plain(slot) {
                    self.cuts.insert(below);
                }
            }
        }
    }

    /// The nodes that stay, and the parts of the template: what hangs from a node that stays, or a root, is a tree, or a segment if one thing
    /// that is cut off hangs below it. A node below which there is more stays.
    fn parts(&mut self, roots: &[Slot]) -> (Vec<ObjectId>, Vec<Part>) {
        loop {
            let kept: Vec<ObjectId> = self.order.iter().filter(|cell| self.cuts.contains(cell)).filter_map(|cell| node(*cell)).collect();
            let held = kept.iter().flat_map(|object| self.slots(Cell::Node(*object)));
            let mut starts: VecDeque<Cell> = roots.iter().copied().chain(held).filter_map(|slot| self.cell(slot)).collect();
            let mut parts: Vec<Part> = Vec::new();
            let mut is_settled = true;
            while let Some(start) = starts.pop_front() {
                let is_known = parts.iter().any(|part| part.start == start) || self.lost.contains(&start);
                if is_known || self.cuts.contains(&start) && node(start).is_some() {
                    continue;
                }
                if let Some(part) = self.part(start) {
                    starts.extend(part.hole.as_ref().and_then(|hole| self.cell(hole.slot)));
                    parts.push(part);
                } else {
                    self.cut(start);
                    is_settled = false;
                }
            }
            if is_settled {
                return (kept, parts);
            }
        }
    }

    /// What begins here, if it is a tree or a segment.
    fn part(&self, start: Cell) -> Option<Part> {
        let sort = match start {
            Cell::Node(object) => SortId(self.member.object(object)?.declaration.0),
            Cell::Part(part) => self.sort(part)?,
        };
        let mut holes = Vec::new();
        let is_tree = self.holes(start, sort, &mut Vec::new(), &mut holes);
        let is_part = is_tree && holes.len() <= 1 && holes.iter().all(|hole| hole.sort == sort);
        is_part.then(|| Part { start, sort, hole: holes.pop() })
    }

    /// Here, a part does not begin: a node stays, and so does what is in the hole of a segment.
    fn cut(&mut self, start: Cell) {
        let below = match start {
            Cell::Node(_) => Some(start),
            Cell::Part(_) => self.slots(start).first().and_then(|slot| self.cell(*slot)),
        };
        if !below.is_some_and(|below| self.cuts.insert(below)) {
            self.lost.insert(start);
        }
    }

    /// Walks through what hangs from the cell. Is it a tree of the sort, but for what is cut off?
    fn holes(&self, cell: Cell, sort: SortId, path: &mut Vec<u32>, found: &mut Vec<Hole>) -> bool {
        let Some(children) = self.children(cell, sort) else { return false };
        for (number, (slot, sort)) in (0..).zip(children) {
            if slot == Slot::Null {
                continue;
            }
            let Some(below) = self.cell(slot) else { return false };
            path.push(number);
            if self.cuts.contains(&below) {
                found.push(Hole { path: path.clone(), slot, sort });
            } else if !self.holes(below, sort, path, found) {
                return false;
            }
            path.pop();
        }
        true
    }

    /// What hangs from a node, or stands in the hole of a segment, and of which sort it is to be; none if it is not one of the sort.
    fn children(&self, cell: Cell, sort: SortId) -> Option<Vec<(Slot, SortId)>> {
        let object = match cell {
            Cell::Node(object) => object,
            Cell::Part(part) => {
                let folded = self.member.folded(part).ok()?;
                let is_segment = matches!(self.configuration.sort(folded.tree).ok()?, TreeSort::Segment(_));
                let below = if is_segment { vec![(folded.below, sort)] } else { Vec::new() };
                return (self.sort(part)? == sort).then_some(below);
            }
        };
        let state = self.member.object(object)?;
        let (declaration, _, [links]) = self.setting.nodes(sort).ok()? else { return None };
        if state.declaration != declaration {
            return None;
        }
        let mut children = Vec::new();
        for (link, field) in links.iter().zip(&state.fields) {
            match (*link, field.cells.as_slice()) {
                (Link::Data, [Slot::Integer(_)]) | (Link::Other, [Slot::Uninitialised]) | (Link::Null, [Slot::Null]) => {}
                (Link::Child(child), [slot]) => children.push((*slot, child)),
                _ => return None,
            }
        }
        Some(children)
    }

    fn sort(&self, part: FoldedId) -> Option<SortId> {
        let (TreeSort::Tree(sort) | TreeSort::Segment(sort)) = self.configuration.sort(self.member.folded(part).ok()?.tree).ok()?;
        Some(sort)
    }
}

const fn node(cell: Cell) -> Option<ObjectId> {
    match cell {
        Cell::Node(object) => Some(object),
        Cell::Part(_) => None,
    }
}
