//! What a folded part of a template stands for in a configuration: read cell by cell, and no cell twice (`spec/calculus.md#subsume`).

use crate::{Arena, Configuration, Member, Obligations, Rejection, Result, Setting, ensure};
use alloc::{sync::Arc, vec, vec::Vec};
use core::slice;
use goatherd_certificates::*;

/// A piece of what is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    /// NULL.
    Null,
    /// All that a symbol stands for.
    Symbol(TreeId),
    /// A node, of the same shape wherever the symbol occurs; its data and what hangs below it come next, in the order of its fields.
    Node,
    /// An integer of a node.
    Data(LinearId),
    /// Behind the last cell of a ring, its header.
    Header,
}

/// Where a ring ends that hangs from a node: the pointer to its header, and what the node says is its last cell, if it does.
type Ring = (Slot, Option<Slot>);

/// A pointer in the heap: what it holds, the pointer to the cell above it, which `up` fields of the cell there must hold, what its `same` field
/// must hold (none if that is of no interest, forgotten if nothing is known to be that), of which sort the tree that hangs from it must be, and
/// where the ring ends that it is a cell of, if it is.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    pub(crate) value: Slot,
    pub(crate) above: Option<Slot>,
    pub(crate) same: Option<Slot>,
    pub(crate) sort: SortId,
    pub(crate) ring: Option<Ring>,
}

/// Two values that nobody knows are not one pointer (`spec/calculus.md#attacks` K3).
fn is_one(pointer: Option<Slot>, found: Slot) -> bool {
    pointer.is_none_or(|pointer| found != Slot::Forgotten && pointer == found)
}

/// A member's heap, matched with that of a template's member.
pub(crate) struct Heap<'a> {
    setting: Setting<'a>,
    configuration: &'a Configuration,
    /// What has been neither matched nor read.
    objects: Vec<Option<Arc<ObjectState>>>,
    folded: Vec<Option<Folded>>,
    /// By object of the template, the one matched with it.
    pub(crate) images: Vec<Option<ObjectId>>,
    /// By folded part of the template, what pointers to its root hold.
    pub(crate) roots: Vec<Option<Slot>>,
    /// By segment of the template, what pointers to its last cell hold; forgotten where nothing is known to be that.
    pub(crate) ends: Vec<Option<Slot>>,
}

impl<'a> Heap<'a> {
    /// Nothing has been matched.
    pub(crate) fn new(
        setting: Setting<'a>,
        configuration: &'a Configuration,
        member: &Member,
        target: &Member,
    ) -> Self {
        let parts = target.folded.len();
        Self {
            setting,
            configuration,
            objects: member.objects.clone(),
            folded: member.folded.clone(),
            images: vec![None; target.objects.len()],
            roots: vec![None; parts],
            ends: vec![None; parts],
        }
    }

    /// The object, which is matched or read now (`spec/calculus.md#attacks` H2).
    pub(crate) fn take(&mut self, object: ObjectId) -> Result<Arc<ObjectState>> {
        self.objects
            .get_mut(object.index())
            .and_then(Option::take)
            .ok_or(Rejection::NotRead)
    }

    /// Is nothing left that a claim about leaks has to know of?
    pub(crate) fn is_whole(&self) -> bool {
        let mut objects = self.objects.iter().flatten();
        let is_left = self.folded.iter().any(Option::is_some)
            || objects.any(|state| self.setting.is_owed(state));
        !is_left || !self.setting.checks_leaks()
    }

    /// What a slot around a folded part holds where the template's holds this; none for anything. Lower parts have been read, so that it is
    /// known what is `Last` of them (`spec/calculus.md#attacks` K4).
    pub(crate) fn image(
        &self,
        arena: &Arena,
        target: Slot,
        part: FoldedId,
    ) -> Result<Option<Slot>> {
        let image = match target {
            Slot::Forgotten => return Ok(None),
            Slot::Null => Some(Slot::Null),
            // The same index in both: a number.
            Slot::Pointer(address) if arena.value(address.index).is_some() => {
                let image = self.images.get(address.object.index()).copied().flatten();
                image.map(|object| Slot::Pointer(Address { object, ..address }))
            }
            Slot::Last(id) if id < part => self.ends.get(id.index()).copied().flatten(),
            _ => None,
        };
        let is_known = image.is_some_and(|image| image != Slot::Forgotten);
        ensure(is_known, Rejection::NotRead).map(|()| image)
    }
}

/// Reads an occurrence of a symbol in a member's heap.
pub(crate) struct Reading<'a, 'b, 'c> {
    /// What is read, and read no more.
    pub(crate) heap: &'a mut Heap<'c>,
    /// What is to be shown of its data.
    pub(crate) obligations: &'a mut Obligations<'b>,
    /// The shapes of the nodes to come whose sort does not have one shape.
    pub(crate) shapes: slice::Iter<'a, u32>,
    /// The pieces so far.
    pub(crate) pieces: Vec<Piece>,
    /// What hangs below them and has not been read, in the order of the fields.
    pub(crate) below: Vec<Position>,
}

impl Reading<'_, '_, '_> {
    /// Reads one cell, or a symbol; adds what hangs below.
    pub(crate) fn read(&mut self, position: Position) -> Result<()> {
        let setting = self.heap.setting;
        let (declaration, (has_null, byte), shapes) = setting.nodes(position.sort)?;
        let fields = shapes.first().map_or(0, Vec::len);
        let links = fields.saturating_mul(shapes.len());
        let work = setting.sorts.len().saturating_add(links);
        self.obligations.arena.budget.work(work)?;
        // A ring has one way on, and nothing is handed on along it (`spec/calculus.md#attacks` R1, H18).
        let way = Link::Child(position.sort);
        let is_way = |link: &&Link| **link == way || matches!(link, Link::Handed { .. });
        let leads_on = |links: &Vec<Link>| links.iter().filter(is_way).eq([&way]);
        let (header, last) = position.ring.unzip();
        let is_ring = header.is_none() || shapes.iter().all(leads_on);
        ensure(is_ring, Rejection::NotRead)?;
        match position.value {
            value if header == Some(value) => {
                self.pieces.push(Piece::Header);
                // Two values that nobody knows are not one pointer (`spec/calculus.md#attacks` R4).
                let is_last = |last| is_one(position.above, last);
                ensure(last.flatten().is_none_or(is_last), Rejection::NotRead)
            }
            // No cell of a ring leads to NULL (`spec/calculus.md#attacks` R2).
            Slot::Null if has_null && header.is_none() => {
                self.pieces.push(Piece::Null);
                Ok(())
            }
            Slot::Folded(id) => self.read_part(id, position, shapes),
            Slot::Pointer(address) => {
                let state = self.heap.take(address.object)?;
                let is_node = state.declaration == declaration
                    && state.life == Life::Live
                    && (address.index, address.byte) == (state.lower, byte);
                ensure(is_node, Rejection::NotRead)?;
                self.read_node(&state, position, shapes)
            }
            _ => Err(Rejection::NotRead),
        }
    }

    /// Reads a folded part; what is in the hole of a segment is below it.
    fn read_part(&mut self, id: FoldedId, position: Position, shapes: &[Vec<Link>]) -> Result<()> {
        let folded = self.heap.folded.get_mut(id.index()).and_then(Option::take);
        let folded = folded.ok_or(Rejection::NotRead)?;
        let has_up = shapes.iter().any(|links| links.contains(&Link::Up));
        let is_below = is_one(position.above, folded.above);
        ensure(is_below || !has_up, Rejection::NotRead)?;
        // As of a node (`spec/calculus.md#attacks` H16).
        ensure(is_one(position.same, folded.same), Rejection::NotRead)?;
        self.pieces.push(Piece::Symbol(folded.tree));
        let shape = self.heap.configuration.sort(folded.tree)?;
        let (TreeSort::Tree(found) | TreeSort::Segment(found)) = shape;
        let is_within = self.heap.setting.is_within(found, position.sort);
        let leads_on = shape == TreeSort::Segment(found);
        // What has no hole does not lead back to a header (`spec/calculus.md#attacks` R2).
        let is_read = is_within && (leads_on || position.ring.is_none());
        ensure(is_read, Rejection::NotRead)?;
        if leads_on {
            // If it is empty, its last cell is what the configuration says is above it (`spec/calculus.md#attacks` H14).
            let last = is_below.then_some(Slot::Last(id));
            // What is in the hole is below a cell of the sort at hand, so it is to be a tree of that.
            self.below.push(Position {
                value: folded.below,
                above: Some(last.unwrap_or(Slot::Forgotten)),
                ..position
            });
        }
        Ok(())
    }

    /// Reads the fields of a node.
    fn read_node(
        &mut self,
        state: &ObjectState,
        position: Position,
        shapes: &[Vec<Link>],
    ) -> Result<()> {
        let shape = match shapes {
            [_] => Some(&0),
            _ => self.shapes.next(),
        };
        let links = shape.and_then(|shape| shapes.get(usize::try_from(*shape).ok()?));
        let links = links.ok_or(Rejection::NotRead)?;
        self.pieces.push(Piece::Node);
        for ((link, field), number) in links.iter().zip(&state.fields).zip(0..) {
            match (*link, field.cells.as_slice()) {
                (Link::Data, [Slot::Integer(term)]) => self.pieces.push(Piece::Data(*term)),
                (Link::Range { least, greatest }, [Slot::Integer(term)]) => {
                    self.obligations.range(*term, (least, greatest))?;
                    self.pieces.push(Piece::Data(*term));
                }
                (Link::Up, [up]) if is_one(position.above, *up) => {}
                (Link::Same, [same]) if is_one(position.same, *same) => {}
                (Link::Other, [Slot::Uninitialised])
                | (Link::Null, [Slot::Null])
                | (Link::Any | Link::Last(_), [_]) => {}
                (Link::Child(sort) | Link::Handed { sort, .. }, [child]) => {
                    let same = self.handed(*link, state, position)?;
                    self.below.push(Position {
                        value: *child,
                        above: Some(position.value),
                        same,
                        sort,
                        ring: position.ring.filter(|_| sort == position.sort),
                    });
                }
                (Link::Ring { sort, byte }, [first]) => {
                    self.obligations.arena.budget.work(links.len())?;
                    let header = Slot::byte(state.object, state.lower, byte);
                    let fields = links.iter().zip(&state.fields);
                    let lasts = fields.filter(|(link, _)| **link == Link::Last(number));
                    let mut lasts = lasts.flat_map(|(_, field)| &field.cells);
                    let last = lasts.next().copied();
                    // All of them hold it (`spec/calculus.md#attacks` R4).
                    ensure(lasts.all(|other| Some(*other) == last), Rejection::NotRead)?;
                    self.below.push(Position {
                        value: *first,
                        above: Some(header),
                        same: None,
                        sort,
                        ring: Some((header, last)),
                    });
                }
                _ => return Err(Rejection::NotRead),
            }
        }
        Ok(())
    }

    /// What the `same` fields of a tree must hold that hangs from the node by this link.
    fn handed(
        &mut self,
        link: Link,
        state: &ObjectState,
        position: Position,
    ) -> Result<Option<Slot>> {
        let field = match link {
            Link::Child(sort) => {
                let budget = &mut self.obligations.arena.budget;
                self.heap.setting.same_field(budget, sort)?
            }
            Link::Handed {
                from: Source::Field(field),
                ..
            } => usize::try_from(field).ok(),
            _ => return Ok(position.same),
        };
        let cell = field.and_then(|field| state.fields.get(field)?.cells.first());
        Ok(cell.copied())
    }

    /// Reads all that hangs below.
    pub(crate) fn read_all(&mut self) -> Result<()> {
        while let Some(position) = self.below.pop() {
            self.read(position)?;
        }
        Ok(())
    }
}
