//! Folded parts of heaps: trees and segments, and the rule that opens them (`spec/calculus.md#unfold`).
//!
//! A member's heap is a table of objects and a table of folded parts. An entry of the latter is one occurrence of a symbol: cells of its own,
//! whose shape and data are those of all other occurrences of the symbol. Pointers to it are pointers to its root, so they may be copied.

use crate::{Member, *};
use alloc::{sync::Arc, vec, vec::Vec};
use goatherd_certificates::*;

/// What a field of a new node holds.
#[derive(Clone, Copy)]
pub enum FieldContent {
    /// This.
    Slot(Slot),
    /// A pointer to the cell above.
    Up,
    /// What the same field of the cell above holds.
    Same,
    /// A tree of this symbol, whose `same` field this is.
    Tree(TreeId, Option<usize>),
    /// A tree of this symbol, to which this is handed.
    Handed(TreeId, Source),
    /// What follows in the segment.
    Hole,
    /// A ring of this symbol, whose header is at this byte.
    Ring(TreeId, u64),
    /// The last cell of the ring that hangs from this field.
    Last(u32),
}

/// Adds an entry to a table; returns its position.
fn add<Entry>(table: &mut Vec<Entry>, entry: Entry) -> Result<u32> {
    let position = u32::try_from(table.len()).map_err(|_| Rejection::Overflow)?;
    table.push(entry);
    Ok(position)
}

/// What the field of this number holds.
fn held(fields: &[FieldState], number: u32) -> Option<Slot> {
    let field = fields.get(usize::try_from(number).ok()?)?;
    field.cells.first().copied()
}

impl Member {
    /// The folded part.
    pub fn folded(&self, id: FoldedId) -> Result<Folded> {
        let part = entry(&self.folded, id.index())?;
        part.ok_or(Rejection::Missing)
    }

    /// A new folded part; returns a pointer to it.
    pub(crate) fn fold(&mut self, folded: Folded) -> Result<FoldedId> {
        add(&mut self.folded, Some(folded)).map(FoldedId)
    }

    /// The name of a new object: that of its declaration or, where there has been one already, the next.
    pub(crate) fn vacant(&mut self, declaration: ObjectId) -> Result<ObjectId> {
        match self.objects.get(declaration.index()) {
            Some(None) => Ok(declaration),
            _ => add(&mut self.objects, None).map(ObjectId),
        }
    }

    /// Replaces every slot.
    pub(crate) fn map_slots(&mut self, image: impl Fn(Slot) -> Slot) {
        let map = |slot: &mut Slot| *slot = image(*slot);
        for state in self.objects.iter_mut().flatten() {
            let mut cells = state.fields.iter().flat_map(|field| &field.cells);
            if cells.any(|slot| image(*slot) != *slot) {
                let fields = Arc::make_mut(state).fields.iter_mut();
                fields.flat_map(|field| &mut field.cells).for_each(map);
            }
        }
        for Folded {
            above, same, below, ..
        } in self.folded.iter_mut().flatten()
        {
            [above, same, below].into_iter().for_each(map);
        }
        self.registers.iter_mut().for_each(map);
    }

    /// The folded part is no more: pointers to its root and to its last cell become these.
    fn replace(&mut self, id: FoldedId, root: Slot, last: Slot) -> Result<()> {
        *entry_mut(&mut self.folded, id.index())? = None;
        self.map_slots(|slot| match slot {
            Slot::Folded(other) if other == id => root,
            Slot::Last(other) if other == id => last,
            slot => slot,
        });
        Ok(())
    }

    /// The folded part is an empty tree, or an empty segment.
    pub fn close(&mut self, id: FoldedId) -> Result<()> {
        let Folded { above, below, .. } = self.folded(id)?;
        self.replace(id, below, above)
    }

    /// The folded part is a node with these contents and, of a segment, the rest of it, at whose end the node is. Folded parts below the node
    /// are made, in the order of the fields.
    pub fn open(
        &mut self,
        arena: &mut Arena,
        id: FoldedId,
        (declaration, byte): (ObjectId, u64),
        contents: &[FieldContent],
        rest: Option<(TreeId, SegmentEnd)>,
    ) -> Result<()> {
        let part = self.folded(id)?;
        let lower = arena.constant(0)?;
        let upper = arena.constant(1)?;
        let object = self.vacant(declaration)?;
        let at = |byte| Slot::byte(object, lower, byte);
        let node = at(byte);
        let (mut root, mut last, mut up, mut hole) = (node, node, part.above, part.below);
        if let Some((tree, end)) = rest {
            let mut rest = Folded { tree, ..part };
            match end {
                SegmentEnd::Top => rest.above = node,
                SegmentEnd::Bottom => rest.below = node,
            }
            let id = self.fold(rest)?;
            match end {
                SegmentEnd::Top => (last, hole) = (Slot::Last(id), Slot::Folded(id)),
                SegmentEnd::Bottom => (root, up) = (Slot::Folded(id), Slot::Last(id)),
            }
        }
        let value = |content: &FieldContent| match *content {
            FieldContent::Slot(slot) => slot,
            FieldContent::Up => up,
            FieldContent::Same => part.same,
            FieldContent::Hole => hole,
            _ => Slot::Forgotten,
        };
        let fields = self.fields_of((node, at), contents, value)?;
        self.insert(ObjectState {
            object,
            declaration,
            life: Life::Live,
            lower,
            upper,
            fields,
        })?;
        self.replace(id, root, last)
    }

    /// The fields of a new node, from a pointer to it and those to its bytes; folded parts below it are made, in the order of the fields.
    fn fields_of(
        &mut self,
        (node, at): (Slot, impl Fn(u64) -> Slot),
        contents: &[FieldContent],
        value: impl Fn(&FieldContent) -> Slot,
    ) -> Result<Vec<FieldState>> {
        let mut fields = Vec::new();
        for content in contents {
            let mut slot = value(content);
            let tree = match *content {
                FieldContent::Tree(tree, field) => {
                    let field = field.and_then(|field| contents.get(field));
                    Some((tree, field.map_or(Slot::Forgotten, &value), None))
                }
                FieldContent::Handed(tree, _) => Some((tree, value(&FieldContent::Same), None)),
                FieldContent::Ring(tree, byte) => Some((tree, Slot::Forgotten, Some(at(byte)))),
                _ => None,
            };
            if let Some((tree, same, header)) = tree {
                let child = self.fold(Folded {
                    tree,
                    above: header.unwrap_or(node),
                    same,
                    below: header.unwrap_or(Slot::Null),
                })?;
                slot = Slot::Folded(child);
            }
            fields.push(FieldState {
                cells: vec![slot],
                rest: None,
            });
        }
        for (content, position) in contents.iter().zip(0..) {
            if let FieldContent::Last(ring) = content
                && let Some(Slot::Folded(ring)) = held(&fields, *ring)
            {
                let field = entry_mut(&mut fields, position)?;
                field.cells.fill(Slot::Last(ring));
            }
        }
        // What a field holds that is handed on may be a tree that hangs from there.
        for (content, field) in contents.iter().zip(&fields) {
            if let (FieldContent::Handed(_, Source::Field(from)), [Slot::Folded(child)]) =
                (content, field.cells.as_slice())
            {
                let part = entry_mut(&mut self.folded, child.index())?.as_mut();
                part.ok_or(Rejection::Missing)?.same =
                    held(&fields, *from).ok_or(Rejection::Missing)?;
            }
        }
        Ok(fields)
    }

    /// Puts a child of the same declaration, or NULL, in the place of a node of the entry (Shrinker §0.A.2). What else hangs below is there no
    /// more for the program: no register reaches it. A node that was left out before is none of the input
    /// (`spec/calculus.md#attacks` H17).
    pub(crate) fn drop_node(
        &mut self,
        setting: Setting<'_>,
        object: ObjectId,
        child: Option<u32>,
    ) -> Result<()> {
        let state = self.object(object).ok_or(Rejection::Drop)?;
        ensure(state.life == Life::Live, Rejection::Drop)?;
        let node = Slot::element(object, state.lower);
        let sort = SortId(state.declaration.0);
        let (_, _, [links]) = setting.nodes(sort)? else {
            return Err(Rejection::Drop);
        };
        let cell = |position: usize| {
            let field = state.fields.get(position);
            let cell = field.and_then(|field| field.cells.first());
            cell.copied().ok_or(Rejection::Drop)
        };
        let mut heir = Slot::Null;
        if let Some(child) = child.and_then(|child| usize::try_from(child).ok()) {
            let is_child = links.get(child) == Some(&Link::Child(sort));
            ensure(is_child, Rejection::Drop)?;
            heir = cell(child)?;
        }
        let up = links.iter().position(|link| *link == Link::Up);
        let up = up.map(cell).transpose()?;
        self.map_slots(|slot| if slot == node { heir } else { slot });
        self.object_mut(object)?.life = Life::Dead;
        up.map_or(Ok(()), |up| self.hang(heir, up, links))
    }

    /// The node or part, if it is one, hangs from where the pointer leads.
    fn hang(&mut self, heir: Slot, above: Slot, links: &[Link]) -> Result<()> {
        match heir {
            Slot::Pointer(Address { object, .. }) => {
                let fields = &mut self.object_mut(object)?.fields;
                for (link, field) in links.iter().zip(fields) {
                    if *link == Link::Up {
                        field.cells.fill(above);
                    }
                }
            }
            Slot::Folded(id) => {
                let part = self.folded.get_mut(id.index()).and_then(Option::as_mut);
                part.ok_or(Rejection::Drop)?.above = above;
            }
            _ => {}
        }
        Ok(())
    }
}

impl Configuration {
    /// The sort of the symbol.
    pub fn sort(&self, tree: TreeId) -> Result<TreeSort> {
        entry(&self.trees, tree.index()).copied()
    }

    /// A new symbol.
    pub(crate) fn fresh_tree(&mut self, sort: TreeSort) -> Result<TreeId> {
        add(&mut self.trees, sort).map(TreeId)
    }

    /// Does this to every occurrence of the symbol, in all members and at the entry (`spec/calculus.md#attacks` H6).
    fn each_occurrence(
        &mut self,
        tree: TreeId,
        mut act: impl FnMut(&mut Member, FoldedId) -> Result<()>,
    ) -> Result<()> {
        let entry = self.entry.as_mut().map(Arc::make_mut);
        for member in self.members.iter_mut().chain(entry) {
            // What is done adds occurrences of new symbols only, behind these.
            for id in (0..).map(FoldedId).take(member.folded.len()) {
                if member.folded(id).is_ok_and(|folded| folded.tree == tree) {
                    act(member, id)?;
                }
            }
        }
        Ok(())
    }
}

impl Change<'_> {
    /// What the fields of a new node hold: integers of the environment and, but for the field that leads to the hole, new symbols below.
    pub fn contents(
        &mut self,
        declaration: ObjectId,
        links: &[Link],
        hole: Option<usize>,
        environment: &mut Environment<'_>,
    ) -> Result<Vec<FieldContent>> {
        let mut contents = Vec::new();
        let fields = &self.setting.layout(declaration)?.fields;
        for (position, (link, field)) in links.iter().zip(fields).enumerate() {
            contents.push(match (*link, field.kind) {
                _ if hole == Some(position) => FieldContent::Hole,
                (link, Type::Integer(kind)) => {
                    let value = self.value(environment, kind)?;
                    if let Link::Range { least, greatest } = link {
                        let literals = self.configuration.predicate.len();
                        self.arena.budget.work(literals.saturating_mul(2))?;
                        for bound in self.arena.within(value, (least, greatest))? {
                            self.configuration.assume(self.arena, bound);
                        }
                    }
                    FieldContent::Slot(Slot::Integer(value))
                }
                (Link::Child(sort), _) => FieldContent::Tree(
                    self.configuration.fresh_tree(TreeSort::Tree(sort))?,
                    self.setting.same_field(&mut self.arena.budget, sort)?,
                ),
                (Link::Handed { sort, from }, _) => {
                    let tree = self.configuration.fresh_tree(TreeSort::Tree(sort))?;
                    FieldContent::Handed(tree, from)
                }
                (Link::Ring { sort, byte }, _) => {
                    let ring = TreeSort::Segment(sort);
                    FieldContent::Ring(self.configuration.fresh_tree(ring)?, byte)
                }
                (Link::Last(ring), _) => FieldContent::Last(ring),
                (Link::Any, _) => FieldContent::Slot(Slot::Forgotten),
                (Link::Up, _) => FieldContent::Up,
                (Link::Same, _) => FieldContent::Same,
                (Link::Null, _) => FieldContent::Slot(Slot::Null),
                _ => FieldContent::Slot(Slot::Uninitialised),
            });
        }
        Ok(contents)
    }
}

/// Unfold (exact): a tree is NULL, or a node with trees below it; a segment is empty or, for each of its fields that may lead on to the hole,
/// a node at its top or bottom and a segment. All occurrences alike, with the same data and the same symbols below (Shrinker has summary
/// objects instead).
pub fn unfold(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &Configuration,
    tree: TreeId,
    end: SegmentEnd,
) -> Result<Vec<Configuration>> {
    let shape = configuration.sort(tree)?;
    let (TreeSort::Tree(sort) | TreeSort::Segment(sort)) = shape;
    let (declaration, (has_null, byte), shapes) = setting.nodes(sort)?;
    let is_tree = matches!(shape, TreeSort::Tree(_));
    // In each child every slot is looked at for each occurrence.
    let entry = configuration.entry.as_deref();
    let members = configuration.members.iter().chain(entry);
    let parts = members.flat_map(|member| &member.folded).flatten();
    let occurrences = parts.filter(|part| part.tree == tree).count();
    let bytes = configuration.bytes();
    let work = occurrences.saturating_add(1).saturating_mul(slots(bytes));
    arena.budget.work(work)?;
    let mut held = 0usize;
    let mut children = Vec::new();
    if has_null || !is_tree {
        let mut empty = configuration.clone();
        empty.each_occurrence(tree, Member::close)?;
        children.push(empty);
    }
    for links in shapes {
        let leads_on = |position: &usize| links.get(*position) == Some(&Link::Child(sort));
        let holes = if is_tree {
            vec![None]
        } else {
            (0..links.len()).filter(leads_on).map(Some).collect()
        };
        for hole in holes {
            // Held until it is open itself, and paid for there; each occurrence becomes a node, with parts below.
            let fields = links.len().saturating_mul(occurrences.saturating_add(1));
            let added = fields.saturating_mul(size_of::<(FieldState, Slot, Folded)>());
            let bytes = bytes.saturating_add(added);
            held = held.saturating_add(bytes);
            arena.budget.work(work.saturating_add(fields))?;
            arena.budget.take(bytes)?;
            let mut node = configuration.clone();
            let mut change = node.change(arena, setting, MemberId(0));
            let contents = change.contents(declaration, links, hole, &mut Environment::Any)?;
            let rest = match shape {
                TreeSort::Tree(_) => None,
                TreeSort::Segment(_) => Some((node.fresh_tree(shape)?, end)),
            };
            node.each_occurrence(tree, |member, id| {
                member.open(arena, id, (declaration, byte), &contents, rest)
            })?;
            children.push(node);
        }
    }
    arena.budget.release(held);
    Ok(children)
}
