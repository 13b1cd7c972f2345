//! What the live registers of a member reach, and where the pointers to it are held.

use super::{
    folds::Folds,
    hung::{Back, HungRings},
    sorts::may_lead_up,
    states::Merging,
};
use crate::state::template::basis::Basis;
use goatherd_certificates::{
    configuration::{Address, Folded, FoldedId, Life, ObjectState, Slot, Sort, TreeSort},
    program::{Link, ObjectId, Origin, RegisterId, SortId, Source},
};
use goatherd_checker::{
    configuration::{Configuration, Member, Place, Setting},
    rejection::Rejection,
};
use goatherd_flow::{entrances::Entrance, reads::Reads};
use std::collections::{BTreeMap, BTreeSet};

/// What a pointer may lead down to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Root {
    /// An object.
    Object(ObjectId),
    /// A folded part.
    Part(FoldedId),
}

/// Where a pointer is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// In a live register, or in an object that is no node.
    Register,
    /// In one of several cells of an array, where what hangs there is folded.
    Cell,
    /// In this field of a node, of the type of which it is.
    Child(ObjectId, usize),
    /// In the hole of a segment.
    Below(FoldedId),
    /// Where a tree must not hang.
    Elsewhere,
}

/// A member as its live registers see it.
pub struct Graph<'a> {
    pub setting: Setting<'a>,
    /// The sorts, where they are given and not found.
    given: &'a [Sort],
    pub configuration: &'a Configuration,
    pub member: &'a Member,
    /// The live registers.
    pub registers: Vec<(RegisterId, Slot)>,
    /// What they reach, depth first: the order does not depend on how long chains are.
    pub order: Vec<Root>,
    /// Who holds pointers to it. Pointers to the cell above do not count.
    holders: BTreeMap<Root, Vec<Holder>>,
    /// Fields of nodes that point to the cell above.
    pub(crate) ups: BTreeSet<(ObjectId, usize)>,
    /// Fields of nodes that hold what those of the nodes beside them do.
    pub(crate) sames: BTreeSet<(ObjectId, usize)>,
    /// How far behind nodes loops store pointers that nodes have in common.
    pub(crate) common: &'a BTreeSet<i128>,
    /// How nodes are linked where that is not what their declaration says.
    entrances: &'a BTreeMap<ObjectId, Entrance>,
    /// Which fields are read later on.
    reads: Option<&'a Reads>,
    /// Who holds what hangs in arrays.
    arrays: Holder,
    /// Which pointers lead down.
    pub(crate) leading: Leading,
    /// What the node or part that it hangs in hands to it.
    pub(crate) handed: BTreeMap<Root, Handed>,
    /// What is part of a ring: the last of its nodes leads back to the first.
    pub(crate) rings: BTreeSet<Root>,
    /// What hangs from nodes and leads back to them.
    pub(crate) hung: HungRings,
}

/// Which pointers lead down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leading {
    /// Those to the nodes that their types say.
    Declared,
    /// All those to nodes.
    Any,
}

/// What a node or part is handed by the node that it hangs in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handed {
    /// Where that has it from.
    pub from: Source,
    /// The pointer.
    pub slot: Slot,
}

impl<'a> Graph<'a> {
    /// What the member's registers reach, and the objects of which instructions may still take the address.
    pub fn new(basis: Basis<'a>, configuration: &'a Configuration, member: &'a Member) -> Result<Self, Rejection> {
        let Basis { setting, flow, states, folds, .. } = basis;
        let given = if states.is_some() { &[] } else { setting.sorts };
        let Place::At(location) = member.place else { return Err(Rejection::Shape) };
        let registers = (0..).map(RegisterId).zip(member.registers.iter().copied());
        let registers = registers.filter(|(register, _)| flow.is_live(location, *register)).collect();
        let mut graph = Self {
            setting,
            given,
            configuration,
            member,
            registers,
            order: Vec::new(),
            holders: BTreeMap::new(),
            ups: BTreeSet::new(),
            sames: BTreeSet::new(),
            common: &flow.common,
            entrances: &flow.entrances,
            reads: flow.reads.as_deref(),
            arrays: if folds == Folds::Empty { Holder::Cell } else { Holder::Register },
            leading: if states.is_some_and(|states| states.borrow().merging == Merging::Handed) { Leading::Any } else { Leading::Declared },
            handed: BTreeMap::new(),
            rings: BTreeSet::new(),
            hung: HungRings::default(),
        };
        if states.is_some() && graph.leading == Leading::Declared {
            graph.find_rings();
        }
        let mut open: Vec<(Option<Holder>, Root)> = Vec::new();
        // A scapegoat that is elsewhere has found out what the primary will come to, and in which nodes: all that it has tells them apart.
        let is_elsewhere = configuration.members.first().is_some_and(|primary| primary.place != member.place);
        for state in member.objects.iter().flatten().rev() {
            let is_lasting = match setting.object(state.declaration)?.origin {
                Origin::Static { .. } | Origin::Input => true,
                Origin::Local { .. } => state.life == Life::Live,
                _ => false,
            };
            if is_lasting && (is_elsewhere || flow.addressed[location.index()].contains(&state.declaration)) {
                open.push((None, Root::Object(state.object)));
            }
        }
        let held = graph.registers.iter().rev().filter_map(|(_, slot)| Some((graph.holder(Holder::Register, *slot), root(*slot)?)));
        open.extend(held.collect::<Vec<_>>());
        while let Some((holder, root)) = open.pop() {
            let is_new = !graph.holders.contains_key(&root);
            graph.holders.entry(root).or_default().extend(holder);
            if is_new {
                graph.order.push(root);
                graph.look_up(root)?;
                let mut below = graph.leads_to(root)?;
                if graph.leading == Leading::Any {
                    // It has to be known where a node hangs before it is looked for what that hands to it.
                    let later = below.extract_if(.., |(holder, _)| holder.is_none()).collect::<Vec<_>>();
                    open.splice(0..0, later);
                }
                below.reverse();
                open.append(&mut below);
            }
        }
        Ok(graph)
    }

    /// The object's state.
    pub fn object(&self, object: ObjectId) -> Result<&'a ObjectState, Rejection> {
        self.member.object(object).ok_or(Rejection::Missing)
    }

    /// The folded part.
    pub fn part(&self, part: FoldedId) -> Result<Folded, Rejection> {
        self.member.folded.get(part.index()).copied().flatten().ok_or(Rejection::Missing)
    }

    /// The sort of the part's symbol.
    pub fn sort(&self, part: FoldedId) -> Result<TreeSort, Rejection> {
        self.configuration.trees.get(self.part(part)?.tree.index()).copied().ok_or(Rejection::Missing)
    }

    /// What the nodes of the part are.
    pub fn nodes(&self, part: FoldedId) -> Result<SortId, Rejection> {
        let (TreeSort::Tree(sort) | TreeSort::Segment(sort)) = self.sort(part)?;
        Ok(sort)
    }

    /// What the fields of the object are by its declaration, or by what the program stores there, if it is a node.
    pub fn links(&self, state: &ObjectState) -> Option<&'a [Link]> {
        if let Some(entrance) = self.entrances.get(&state.declaration) {
            return Some(&entrance.links);
        }
        if let Ok((_, _, [links])) = self.setting.nodes(SortId(state.declaration.0)) { Some(links) } else { None }
    }

    /// Is a node linked as its declaration says?
    pub fn is_declared(&self, declaration: ObjectId) -> bool {
        !self.entrances.contains_key(&declaration)
    }

    /// To which byte of objects of the declaration pointers lead that lead down, or up.
    pub fn entrance(&self, declaration: ObjectId) -> u64 {
        self.entrances.get(&declaration).map_or(0, |entrance| entrance.byte)
    }

    /// How far the field of a node is behind where pointers to the node lead.
    pub fn distance(&self, declaration: ObjectId, field: usize) -> Result<i128, Rejection> {
        let fields = &self.setting.layout(declaration)?.fields;
        let offset = fields.get(field).map_or(0, |field| i128::from(field.offset));
        Ok(offset - i128::from(self.entrance(declaration)))
    }

    /// What the fields of the sort's nodes may be.
    pub fn shapes_of(&self, sort: SortId) -> &'a [Vec<Link>] {
        self.setting.nodes(sort).map_or(&[], |(_, _, shapes)| shapes)
    }

    /// Is the field one that nothing to come reads?
    pub fn is_unread(&self, declaration: ObjectId, field: usize) -> bool {
        let field = self.setting.layout(declaration).ok().and_then(|layout| layout.fields.get(field));
        let (Some(reads), Place::At(location), Some(field)) = (self.reads, self.member.place, field) else { return false };
        !reads.may_read(location, declaration, field.offset)
    }

    /// Does the field of the node point to the cell above?
    pub fn is_up(&self, object: ObjectId, field: usize) -> bool {
        self.ups.contains(&(object, field))
    }

    /// Does a field of the node point to the cell above?
    pub fn knows_above(&self, object: ObjectId) -> bool {
        self.ups.range((object, 0)..).next().is_some_and(|(other, _)| *other == object)
    }

    /// Is there a narrower sort than this one?
    pub fn is_wide(&self, sort: SortId) -> bool {
        self.given.iter().any(|other| other.within == Some(sort))
    }

    /// The declaration of the nodes that may stand there.
    pub(crate) fn declaration(&self, root: Root) -> Result<ObjectId, Rejection> {
        match root {
            Root::Object(object) => Ok(self.object(object)?.declaration),
            Root::Part(part) => Ok(self.setting.nodes(self.nodes(part)?)?.0),
        }
    }

    /// Is it a node that lives, or are there nodes?
    fn is_node(&self, root: Root) -> Result<bool, Rejection> {
        Ok(match root {
            Root::Object(object) => {
                let state = self.object(object)?;
                state.life == Life::Live && self.links(state).is_some()
            }
            Root::Part(_) => true,
        })
    }

    /// Who holds pointers to it.
    pub fn holders(&self, root: Root) -> &[Holder] {
        self.holders.get(&root).map_or(&[], Vec::as_slice)
    }

    /// The nodes in whose fields a node hangs, one below the other, the nearest first: as far as it hangs in one only.
    pub fn nodes_above(&self, object: ObjectId) -> Vec<ObjectId> {
        let (mut above, mut current) = (Vec::new(), object);
        loop {
            let mut holders = self.holders(Root::Object(current)).iter().filter(|holder| **holder != Holder::Register);
            match (holders.next(), holders.next()) {
                (Some(Holder::Child(node, _)), None) if *node != object && !above.contains(node) => current = *node,
                _ => return above,
            }
            above.push(current);
        }
    }

    /// The pointer to a node.
    pub fn pointer(&self, object: ObjectId) -> Result<Slot, Rejection> {
        let state = self.object(object)?;
        Ok(Slot::byte(object, state.lower, self.entrance(state.declaration)))
    }

    /// What the cell that hangs there must have above it; none if anything will do.
    pub fn above(&self, holder: Holder) -> Result<Option<Slot>, Rejection> {
        Ok(match holder {
            Holder::Child(object, field) => Some(match self.hung.ring(object, field) {
                Some(ring) => Slot::byte(object, self.object(object)?.lower, ring.byte),
                None => self.pointer(object)?,
            }),
            Holder::Below(part) => Some(Slot::Last(part)),
            Holder::Register | Holder::Cell | Holder::Elsewhere => None,
        })
    }

    /// Do nodes of the sort know what is above them?
    pub fn has_up(&self, sort: SortId) -> bool {
        self.shapes_of(sort).iter().any(|links| links.contains(&Link::Up))
    }

    /// Finds the field that points to the cell above. A pointer that can lead to no child is one where
    /// what it points to holds the node, whichever way that was reached, and so is one below which ways turn: the others are those down.
    fn look_up(&mut self, root: Root) -> Result<(), Rejection> {
        let object = match root {
            Root::Object(object) => object,
            Root::Part(part) => return self.look_up_from(part),
        };
        let state = self.object(object)?;
        let Some(links) = self.links(state) else { return Ok(()) };
        let above = self.holders(root).first().map(|holder| self.above(*holder)).transpose()?.flatten();
        self.look_beside(object, above)?;
        self.look_for_handed(object)?;
        if self.knows_above(object) {
            return Ok(());
        }
        let is_up_in = |field: usize, sort: SortId| self.shapes_of(sort).iter().any(|links| links.get(field) == Some(&Link::Up));
        let leads_up = |field: usize| may_lead_up(state.declaration, links, field);
        let turns_below = |field: usize| self.sorts(state.declaration).any(|sort| self.shapes_of(sort).len() > 1 && is_up_in(field, sort));
        let is_held = |field: usize| match state.fields[field].cells.as_slice() {
            [slot] => (links[field] == Link::Other || turns_below(field)) && self.is_held(object, *slot),
            _ => false,
        };
        let is_free = |field: &usize| !self.is_same(object, *field) && !self.hung.leads_round(object, *field);
        let fields = (0..state.fields.len().min(links.len())).filter(is_free);
        let held = fields.clone().find(|field| is_held(*field) && leads_up(*field));
        let is_above = |field: usize| above.is_some_and(|above| state.fields[field].cells.as_slice() == [above]);
        let up = held.or_else(|| fields.clone().find(|field| is_above(*field) && leads_up(*field)));
        self.ups.extend(up.map(|field| (object, field)));
        if let (Some(field), Some(Holder::Child(first, _))) = (up, self.holders(root).first().copied()) {
            self.note_first(first, field)?;
        }
        self.look_round(object)
    }

    /// The declarations whose nodes know what is above them, with the field that leads up.
    pub fn ways_up(&self) -> Result<BTreeSet<(ObjectId, usize)>, Rejection> {
        let mut ways = BTreeSet::new();
        for (object, field) in &self.ups {
            ways.insert((self.object(*object)?.declaration, *field));
        }
        for root in &self.order {
            if let Root::Part(part) = *root {
                let (declaration, _, shapes) = self.setting.nodes(self.nodes(part)?)?;
                let ups = shapes.iter().filter_map(|links| links.iter().position(|link| *link == Link::Up));
                ways.extend(ups.map(|field| (declaration, field)));
            }
        }
        Ok(ways)
    }

    /// Where nodes of any member know what is above them, so does the only one of a list that hangs in a node.
    pub fn note_only(&mut self, ways_up: &BTreeSet<(ObjectId, usize)>) -> Result<(), Rejection> {
        for root in self.order.clone() {
            let (Root::Object(object), [Holder::Child(above, _)]) = (root, self.holders(root)) else { continue };
            let (above, state) = (*above, self.object(object)?);
            for field in ways_up.iter().filter(|(declaration, _)| *declaration == state.declaration).map(|(_, field)| *field) {
                if !self.is_up(above, field) {
                    self.note_first(object, field)?;
                }
            }
        }
        Ok(())
    }

    /// The same of the node that a folded part hangs in, whose cells know what is above them.
    fn look_up_from(&mut self, part: FoldedId) -> Result<(), Rejection> {
        let Some(Holder::Child(first, _)) = self.holders(Root::Part(part)).first().copied() else { return Ok(()) };
        self.look_for_handed_to(part)?;
        let [links] = self.shapes_of(self.nodes(part)?) else { return Ok(()) };
        if let Some(field) = links.iter().position(|link| *link == Link::Up)
            && self.part(part)?.above == self.pointer(first)?
        {
            self.note_first(first, field)?;
        }
        Ok(())
    }

    /// The first of a list that hangs in a node has nothing above it, as far as the list's nodes are concerned, whose field leads up.
    fn note_first(&mut self, first: ObjectId, field: usize) -> Result<(), Rejection> {
        if self.object(first)?.fields.get(field).is_some_and(|field| field.cells == [Slot::Null])
            && matches!(self.holders(Root::Object(first)), [Holder::Child(..) | Holder::Below(_)])
            && !self.knows_above(first)
            && !self.is_held_by_another(first)?
        {
            self.ups.insert((first, field));
        }
        Ok(())
    }

    /// Do the fields of the node that lead up hold what is above it, where it hangs?
    pub fn agrees_above(&self, object: ObjectId) -> Result<bool, Rejection> {
        let above = self.holders(Root::Object(object)).first().map(|holder| self.above(*holder)).transpose()?.flatten();
        let ups = self.ups.range((object, 0)..).take_while(|(other, _)| *other == object);
        let fields = &self.object(object)?.fields;
        Ok(ups.filter_map(|(_, field)| fields.get(*field)?.cells.first()).all(|up| Some(*up) == above))
    }

    /// Is the object a child of what is there?
    pub(crate) fn is_held(&self, object: ObjectId, above: Slot) -> bool {
        let Ok(pointer) = self.pointer(object) else { return false };
        match above {
            Slot::Pointer(Address { object: holder, byte, .. }) => self.object(holder).is_ok_and(|state| {
                let links = self.links(state).unwrap_or_default();
                let mut children = links.iter().zip(&state.fields).filter(|(link, _)| matches!(link, Link::Child(_)));
                byte == self.entrance(state.declaration) && children.any(|(_, field)| field.cells == [pointer])
            }),
            Slot::Last(part) => self.part(part).is_ok_and(|part| part.below == pointer),
            _ => false,
        }
    }

    /// The sorts of the declaration's nodes, its own first.
    pub fn sorts(&self, declaration: ObjectId) -> impl Iterator<Item = SortId> + use<'a> {
        let declared = self.setting.program.objects.len();
        let own = (declared..).zip(self.given).filter(move |(_, sort)| sort.object == declaration);
        self.is_declared(declaration)
            .then_some(SortId(declaration.0))
            .into_iter()
            .chain(own.filter_map(|(number, _)| u32::try_from(number).ok().map(SortId)))
    }

    /// The holder, if the pointer leads to where those to its object do.
    fn holder(&self, holder: Holder, slot: Slot) -> Option<Holder> {
        match slot {
            Slot::Pointer(Address { object, index, byte }) => {
                let is_start =
                    self.member.object(object).is_some_and(|state| byte == self.entrance(state.declaration) && state.lower == index);
                Some(if is_start { holder } else { Holder::Elsewhere })
            }
            Slot::Folded(_) => Some(holder),
            _ => None,
        }
    }

    fn leads_to(&self, from: Root) -> Result<Vec<(Option<Holder>, Root)>, Rejection> {
        let (mut below, mut above) = (Vec::new(), Vec::new());
        match from {
            Root::Object(object) => {
                let state = self.object(object)?;
                let links = self.links(state);
                if links.is_some() && state.life == Life::Dead {
                    return Ok(below);
                }
                for (number, field) in state.fields.iter().enumerate() {
                    let link = links.and_then(|links| links.get(number));
                    for slot in &field.cells {
                        let Some(to) = root(*slot) else { continue };
                        match link {
                            _ if self.is_up(object, number) || self.is_same(object, number) => above.push((None, to)),
                            _ if self.hung.leads_round(object, number) => above.push((None, to)),
                            Some(Link::Child(sort)) if self.declaration(to)?.0 == sort.0 => {
                                below.push((self.holder(Holder::Child(object, number), *slot), to));
                            }
                            Some(Link::Child(_) | Link::Other) if self.leading == Leading::Any && self.is_node(to)? => {
                                below.push((self.holder(Holder::Child(object, number), *slot), to));
                            }
                            None if field.cells.len() > 1 => below.push((self.holder(self.arrays, *slot), to)),
                            None => below.push((self.holder(Holder::Register, *slot), to)),
                            _ => below.push((Some(Holder::Elsewhere), to)),
                        }
                    }
                }
            }
            Root::Part(part) => {
                let folded = self.part(part)?;
                if let Some(to) = root(folded.below) {
                    let leads_back = self.hung.back(Back::Below(part)).is_some();
                    let is_same = self.declaration(to).ok() == self.declaration(from).ok();
                    let holder = if is_same { Holder::Below(part) } else { Holder::Elsewhere };
                    let holder = self.holder(holder, folded.below).filter(|_| !leads_back);
                    if leads_back { above.push((None, to)) } else { below.push((holder, to)) }
                }
                let is_dead =
                    |to: &Root| matches!(to, Root::Object(object) if self.object(*object).is_ok_and(|state| state.life == Life::Dead));
                let sort = self.nodes(part)?;
                let above_it = [folded.above].into_iter().filter(|_| self.has_up(sort));
                let held = above_it.chain([folded.same].into_iter().filter(|_| self.takes_same(sort)));
                above.extend(held.filter_map(root).filter(|to| !is_dead(to)).map(|to| (None, to)));
            }
        }
        below.append(&mut above);
        Ok(below)
    }
}

/// What the slot's pointer leads down to.
pub fn root(slot: Slot) -> Option<Root> {
    match slot {
        Slot::Pointer(Address { object, .. }) => Some(Root::Object(object)),
        Slot::Folded(part) | Slot::Last(part) => Some(Root::Part(part)),
        _ => None,
    }
}

/// May the part be inside of another one? There is one pointer to its root, from above, and it is below what holds it, and has in common with that
/// what it should.
pub fn is_inside(graph: &Graph<'_>, part: FoldedId) -> Result<bool, Rejection> {
    let root = Root::Part(part);
    let [holder @ (Holder::Child(..) | Holder::Below(_))] = graph.holders(root) else { return Ok(false) };
    let agrees_above = !graph.has_up(graph.nodes(part)?) || graph.above(*holder)? == Some(graph.part(part)?.above);
    Ok(agrees_above && graph.agrees_beside(root)?)
}
