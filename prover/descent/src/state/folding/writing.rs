//! Members with their chains folded, written as a template lists them.

use super::{
    chains::{Block, Chain, End, Neighbours},
    contents::{Class, Classes, Content, ContentId, Contents},
    folds::Folds,
    graph::{Root, root},
    uniform::{Cell, Evened, Gap},
    view::View,
};
use goatherd_certificates::{
    configuration::{Address, FieldState, Folded, FoldedId, InputSize, Life, Member, ObjectState, Slot, TreeId, TreeSort},
    program::{Link, ObjectId, SortId},
};
use goatherd_checker::{configuration::Place, rejection::Rejection};
use std::collections::{BTreeMap, BTreeSet};

/// A node of any member: its identity, or the member and its name.
type Node = Result<(ObjectId, Vec<Class>), (usize, ObjectId)>;

/// The symbols of a template: blocks of equal contents are occurrences of one.
#[derive(Default)]
pub struct Symbols {
    numbers: BTreeMap<(SortId, Vec<ContentId>, Option<ContentId>), TreeId>,
    /// What NULL in a cell of a field is, by the node's identity, or the member and the object.
    empty: BTreeMap<(Node, usize, usize), TreeId>,
    /// By number, segments that are empty so far.
    gaps: BTreeMap<usize, TreeId>,
    pub sorts: Vec<TreeSort>,
    /// By symbol, the way to the hole.
    pub paths: Vec<Vec<u32>>,
    /// By symbol, the shapes of its nodes whose sorts have several.
    pub shapes: Vec<Vec<u32>>,
}

impl Symbols {
    fn of(&mut self, view: &View<'_>, chain: &Chain, block: &Block) -> Result<TreeId, Rejection> {
        let pieces = &chain.pieces[block.pieces.clone()];
        let key = (chain.sort, pieces.iter().map(|piece| piece.content).collect(), block.end);
        if let Some(tree) = self.numbers.get(&key) {
            return Ok(*tree);
        }
        let tree = self.next()?;
        self.numbers.insert(key, tree);
        let (sort, path) = if block.end.is_some() {
            (TreeSort::Tree(chain.sort), Vec::new())
        } else {
            (TreeSort::Segment(chain.sort), pieces.iter().map(|piece| piece.child).collect())
        };
        self.add(sort, path, chain.shapes(view, block)?);
        Ok(tree)
    }

    /// The segment, empty so far, of this number.
    fn of_gap(&mut self, number: usize, sort: SortId) -> Result<TreeId, Rejection> {
        let tree = self.next()?;
        let known = *self.gaps.entry(number).or_insert(tree);
        if known == tree {
            self.add(TreeSort::Segment(sort), Vec::new(), Vec::new());
        }
        Ok(known)
    }

    fn add(&mut self, sort: TreeSort, path: Vec<u32>, shapes: Vec<u32>) {
        self.sorts.push(sort);
        self.paths.push(path);
        self.shapes.push(shapes);
    }

    fn next(&self) -> Result<TreeId, Rejection> {
        u32::try_from(self.sorts.len()).map(TreeId).map_err(|_| Rejection::Overflow)
    }

    /// The sort of what is folded in the slot, if something is.
    fn sort(&self, slot: Slot, folded: &[Folded]) -> Option<SortId> {
        let Slot::Folded(part) = slot else { return None };
        let (TreeSort::Tree(sort) | TreeSort::Segment(sort)) = *self.sorts.get(folded.get(part.index())?.tree.index())?;
        Some(sort)
    }

    /// The tree of this sort that NULL is in a cell of a field.
    fn of_null(&mut self, (node, field, cell): (Node, usize, usize), sort: SortId) -> Result<TreeId, Rejection> {
        let tree = self.next()?;
        let known = *self.empty.entry((node, field, cell)).or_insert(tree);
        if known == tree {
            self.add(TreeSort::Tree(sort), Vec::new(), Vec::new());
        }
        Ok(known)
    }
}

/// A member, folded.
pub struct Written {
    pub member: Member,
    /// For each of its objects the configuration's.
    pub objects: Vec<ObjectId>,
}

/// Writes one member.
pub struct Writer<'a> {
    view: &'a View<'a>,
    classes: &'a Classes,
    folds: Folds,
    evened: &'a Evened,
    /// Which member it is.
    number: usize,
    /// The names that kept objects get.
    names: BTreeMap<ObjectId, ObjectId>,
    /// By start of a chain, its first part.
    starts: BTreeMap<Root, FoldedId>,
    /// By last piece of a segment, the part.
    ends: BTreeMap<Root, FoldedId>,
    /// The segments of which nobody knows the last cell.
    open_ended: BTreeSet<FoldedId>,
    /// What should have been kept, or been the last of a segment: something points there.
    wanted: BTreeSet<Root>,
}

impl<'a> Writer<'a> {
    /// Names the objects that are kept, in the order in which they are reached.
    pub fn new(view: &'a View<'a>, number: usize, classes: &'a Classes, folds: Folds, evened: &'a Evened) -> Result<Self, Rejection> {
        let declared = view.graph.setting.program.objects.len();
        let mut taken = BTreeSet::new();
        let (mut names, mut further) = (BTreeMap::new(), declared);
        for root in &view.graph.order {
            if let Root::Object(object) = *root
                && view.kept.objects.contains(&object)
            {
                let declaration = view.graph.object(object)?.declaration;
                let name = if taken.insert(declaration) {
                    declaration
                } else {
                    further += 1;
                    ObjectId(u32::try_from(further - 1).map_err(|_| Rejection::Overflow)?)
                };
                names.insert(object, name);
            }
        }
        let (starts, ends) = (BTreeMap::new(), BTreeMap::new());
        let (open_ended, wanted) = (BTreeSet::new(), BTreeSet::new());
        Ok(Self { view, classes, folds, evened, number, names, starts, ends, open_ended, wanted })
    }

    /// The member with these chains folded, or what must not be folded first.
    pub fn write(
        mut self,
        contents: &Contents,
        chains: &[Chain],
        neighbours: &Neighbours,
        symbols: &mut Symbols,
        null: ContentId,
    ) -> Result<Result<Written, BTreeSet<Root>>, Rejection> {
        let ordered = Self::ordered(chains);
        let blocks: Vec<Vec<Block>> = ordered.iter().map(|chain| chain.blocks(self.view, contents, neighbours, null)).collect();
        let gaps = self.evened.gaps(self.number);
        let mut count = u32::try_from(gaps.len()).map_err(|_| Rejection::Overflow)?;
        for (chain, blocks) in ordered.iter().zip(&blocks) {
            self.starts.insert(chain.start, FoldedId(count));
            for block in blocks {
                if let (None, Some(last)) = (block.end, chain.pieces[block.pieces.clone()].last()) {
                    self.ends.insert(last.root, FoldedId(count));
                }
                count += 1;
            }
        }
        let mut folded = Vec::new();
        for Gap { number, sort, above, below, .. } in gaps {
            folded.push(Folded {
                tree: symbols.of_gap(*number, *sort)?,
                above: self.up(*above),
                same: Slot::Forgotten,
                below: self.down(*below),
            });
        }
        for (chain, blocks) in ordered.iter().zip(&blocks) {
            let is_start = |slot: Slot| root(slot).is_some_and(|root| self.starts.contains_key(&root));
            let is_above_part = blocks.len() > 1 || matches!(chain.end, End::Kept(slot) if is_start(slot));
            let (mut above, same) = (self.above(chain)?, self.same(chain)?);
            // The part behind it is below its last cell, which is what is above it where it is empty: what it says itself, not what leads to it now.
            if is_above_part && self.is_moved(chain)? {
                above = Slot::Forgotten;
            }
            let known = self.known_ends(chain, above)?;
            for (number, block) in (1..).zip(blocks) {
                let part = FoldedId(u32::try_from(folded.len()).map_err(|_| Rejection::Overflow)?);
                let below = match (block.end, chain.end) {
                    (Some(_), _) => Slot::Null,
                    _ if number < blocks.len() => Slot::Folded(FoldedId(part.0 + 1)),
                    (None, End::Kept(slot)) => self.down(slot),
                    (None, End::Closed(_)) => Slot::Null,
                };
                folded.push(Folded { tree: symbols.of(self.view, chain, block)?, above, same, below });
                let is_known = block.pieces.clone().last().is_none_or(|last| known[last]);
                above = if is_known { Slot::Last(part) } else { Slot::Forgotten };
                if !is_known {
                    self.open_ended.insert(part);
                }
            }
        }
        let graph = self.view.graph;
        let Place::At(location) = graph.member.place else { return Err(Rejection::Shape) };
        let registers = graph.registers.iter().map(|(register, slot)| (*register, self.held(Cell::Register(*register), *slot))).collect();
        let names: BTreeMap<ObjectId, ObjectId> = self.names.iter().map(|(object, name)| (*name, *object)).collect();
        let mut objects = Vec::new();
        for (name, object) in &names {
            objects.push(self.object(graph.object(*object)?, *name));
        }
        for state in &mut objects {
            self.fold_null(state, names[&state.object], &mut folded, symbols)?;
            self.fold_null_cells(state, names[&state.object], &mut folded, symbols)?;
        }
        // How much was consumed matters only where it makes a scapegoat smaller.
        let is_counted = graph.configuration.members.iter().skip(1).any(|member| member.size == InputSize::NotLarger);
        let consumed = if is_counted { graph.member.consumed } else { Slot::Forgotten };
        let member = Member { location, size: graph.member.size, consumed, registers, objects, folded };
        let written = Written { member, objects: names.into_values().collect() };
        Ok(if self.wanted.is_empty() { Ok(written) } else { Err(self.wanted) })
    }

    /// Chains in an order in which none ends at the start of an earlier one.
    fn ordered(chains: &[Chain]) -> Vec<&Chain> {
        let mut left: Vec<&Chain> = chains.iter().collect();
        let mut ordered = Vec::new();
        while !left.is_empty() {
            let leads_to =
                |from: &Chain, to: &Chain| matches!(from.end, End::Kept(slot) if root(slot) == Some(to.start)) && from.start != to.start;
            let next = (0..left.len()).find(|to| left.iter().all(|from| !leads_to(from, left[*to]))).unwrap_or_default();
            ordered.push(left.remove(next));
        }
        ordered
    }

    /// What the `up` fields at the start of a chain hold.
    fn above(&mut self, chain: &Chain) -> Result<Slot, Rejection> {
        let graph = self.view.graph;
        if graph.has_up(chain.sort) {
            let above = match chain.start {
                Root::Part(part) => graph.part(part)?.above,
                Root::Object(object) => {
                    let state = graph.object(object)?;
                    let links = self.view.fit(object).map_or(&[][..], |fit| &fit.links);
                    let up = links.iter().zip(&state.fields).find(|(link, _)| **link == Link::Up);
                    up.and_then(|(_, field)| field.cells.first().copied()).unwrap_or(Slot::Forgotten)
                }
            };
            return Ok(self.up(above));
        }
        let above = self.held_from(chain)?;
        Ok(self.up(above))
    }

    /// Is the start of a chain a part that says of what is above it something else than what leads to it? So it does below a node that was passed, and is
    /// not led to from there any more.
    fn is_moved(&self, chain: &Chain) -> Result<bool, Rejection> {
        let graph = self.view.graph;
        let Root::Part(part) = chain.start else { return Ok(false) };
        Ok(!graph.has_up(chain.sort) && graph.part(part)?.above != self.held_from(chain)?)
    }

    /// Of each piece of a chain, below what is written for that: is it known which cell is its last one? A segment may be empty; then that is what it says
    /// is above it, if that is what leads to it now.
    fn known_ends(&self, chain: &Chain, written: Slot) -> Result<Vec<bool>, Rejection> {
        let graph = self.view.graph;
        if graph.has_up(chain.sort) {
            return Ok(vec![true; chain.pieces.len()]);
        }
        let mut above = if written == Slot::Forgotten { None } else { Some(self.held_from(chain)?) };
        let mut known = Vec::new();
        for piece in &chain.pieces {
            let last = match piece.root {
                Root::Object(object) => Some(graph.pointer(object)?),
                Root::Part(part) => {
                    let own = graph.part(part)?.above;
                    above.is_none_or(|above| own != Slot::Forgotten && own == above).then_some(Slot::Last(part))
                }
            };
            known.push(last.is_some());
            above = Some(last.unwrap_or(Slot::Forgotten));
        }
        Ok(known)
    }

    /// What leads to the start of a chain, if that is in a node.
    fn held_from(&self, chain: &Chain) -> Result<Slot, Rejection> {
        let graph = self.view.graph;
        let above = graph.holders(chain.start).first().map(|holder| graph.above(*holder)).transpose()?.flatten();
        Ok(above.unwrap_or(Slot::Null))
    }

    /// What the `same` fields of a chain hold.
    fn same(&mut self, chain: &Chain) -> Result<Slot, Rejection> {
        let graph = self.view.graph;
        let same = match (graph.handed_to(chain.start), chain.start) {
            (Some(handed), _) => Some((0, handed)),
            (None, Root::Part(part)) if graph.hands_on(graph.nodes(part)?) => Some((0, graph.part(part)?.same)),
            _ => graph.same_in(chain.start)?,
        };
        // What is handed to a part is no part.
        Ok(same.map_or(Slot::Forgotten, |(_, slot)| match self.up(slot) {
            Slot::Folded(_) => Slot::Forgotten,
            slot => slot,
        }))
    }

    fn object(&mut self, state: &ObjectState, name: ObjectId) -> ObjectState {
        let links = self.view.graph.links(state);
        let is_dead = links.is_some() && state.life == Life::Dead;
        let mut fields = Vec::new();
        for (number, field) in state.fields.iter().enumerate() {
            let graph = self.view.graph;
            let is_up =
                graph.is_up(state.object, number) || graph.is_same(state.object, number) || graph.hung.last(state.object, number).is_some();
            let slot = |(index, slot): (usize, &Slot)| match (is_dead, is_up) {
                (true, _) => Slot::Forgotten,
                (false, true) => self.up(*slot),
                (false, false) => self.held(Cell::Field(state.object, number, index), *slot),
            };
            fields.push(FieldState { cells: field.cells.iter().enumerate().map(slot).collect(), rest: field.rest });
        }
        ObjectState { object: name, declaration: state.declaration, life: state.life, lower: state.lower, upper: state.upper, fields }
    }

    /// Makes trees of NULL in the fields of a node that lives; the sort is that of its other children.
    fn fold_null(
        &self,
        state: &mut ObjectState,
        original: ObjectId,
        folded: &mut Vec<Folded>,
        symbols: &mut Symbols,
    ) -> Result<(), Rejection> {
        let graph = self.view.graph;
        let (Some(links), Life::Live) = (graph.links(state), state.life) else { return Ok(()) };
        let mut sorts = state.fields.iter().flat_map(|field| &field.cells).filter_map(|slot| symbols.sort(*slot, folded));
        let sort = sorts.next().unwrap_or(SortId(state.declaration.0));
        let links = graph.shapes_of(sort).first().map_or(links, Vec::as_slice);
        let node = self.classes.identity(graph, original)?.ok_or((self.number, original));
        let above = Slot::byte(state.object, state.lower, graph.entrance(state.declaration));
        for (number, (link, field)) in links.iter().zip(&mut state.fields).enumerate() {
            let is_folded = self.folds == Folds::Empty || self.evened.is_beside(self.number, original, number);
            if let (Link::Child(sort), [slot @ Slot::Null]) = (link, field.cells.as_mut_slice())
                && is_folded
            {
                let tree = symbols.of_null((node.clone(), number, 0), *sort)?;
                *slot = Slot::Folded(FoldedId(u32::try_from(folded.len()).map_err(|_| Rejection::Overflow)?));
                folded.push(Folded { tree, above, same: Slot::Forgotten, below: Slot::Null });
            }
        }
        Ok(())
    }

    /// Makes trees of NULL in an array of pointers, of the sort of the trees that hang in its other cells, if that is one.
    fn fold_null_cells(
        &self,
        state: &mut ObjectState,
        original: ObjectId,
        folded: &mut Vec<Folded>,
        symbols: &mut Symbols,
    ) -> Result<(), Rejection> {
        if self.folds != Folds::Empty || self.view.graph.links(state).is_some() {
            return Ok(());
        }
        for (number, field) in state.fields.iter_mut().enumerate().filter(|(_, field)| field.cells.len() > 1) {
            let sorts: BTreeSet<SortId> = field.cells.iter().filter_map(|slot| symbols.sort(*slot, folded)).collect();
            let (Some(sort), 1) = (sorts.first(), sorts.len()) else { continue };
            for (cell, slot) in field.cells.iter_mut().enumerate().filter(|(_, slot)| **slot == Slot::Null) {
                let tree = symbols.of_null((Err((self.number, original)), number, cell), *sort)?;
                *slot = Slot::Folded(FoldedId(u32::try_from(folded.len()).map_err(|_| Rejection::Overflow)?));
                folded.push(Folded { tree, above: Slot::Null, same: Slot::Forgotten, below: Slot::Null });
            }
        }
        Ok(())
    }

    /// What a register or cell holds then.
    fn held(&mut self, cell: Cell, slot: Slot) -> Slot {
        let gap = (0..).zip(self.evened.gaps(self.number)).find(|(_, gap)| gap.cells.contains(&cell));
        gap.map_or_else(|| self.down(slot), |(number, _)| Slot::Folded(FoldedId(number)))
    }

    /// What a slot that leads down holds then.
    fn down(&mut self, slot: Slot) -> Slot {
        match (slot, root(slot)) {
            (Slot::Pointer(_) | Slot::Folded(_), Some(start)) if let Some(part) = self.starts.get(&start) => Slot::Folded(*part),
            _ => self.up(slot),
        }
    }

    /// What a slot that leads up holds then.
    fn up(&mut self, slot: Slot) -> Slot {
        let Some(root) = root(slot) else { return slot };
        match slot {
            Slot::Pointer(Address { object, index, byte }) if let Some(name) = self.names.get(&object) => {
                return Slot::Pointer(Address { object: *name, index, byte });
            }
            Slot::Pointer(_) | Slot::Last(_) if let Some(part) = self.ends.get(&root) => {
                return if self.open_ended.contains(part) { Slot::Forgotten } else { Slot::Last(*part) };
            }
            Slot::Folded(_) if let Some(part) = self.starts.get(&root) => return Slot::Folded(*part),
            _ => {}
        }
        let is_reached = match slot {
            Slot::Pointer(_) => self.view.graph.order.contains(&root) && self.view.is_folded(root),
            _ => self.view.graph.order.contains(&root) && !self.view.kept.ends.contains(&root),
        };
        if is_reached {
            self.wanted.insert(root);
        }
        Slot::Forgotten
    }
}

/// The number of the content of NULL.
pub fn null(contents: &mut Contents) -> ContentId {
    contents.number(Content::Null)
}
