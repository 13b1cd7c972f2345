//! Templates that fold what stands in a configuration, as the sorts of the proof say of it or nearly, and then confuse one thing.
//!
//! Some nodes are kept as they are, others hidden: pointers to these become roots of trees and segments, or last cells of segments. What is around a
//! part is what is found there. All variables are kept, so that nothing but the heap is told apart.

use crate::{dice::Dice, search::Builder, templates::identity};
use goatherd_certificates::{
    configuration::{self, Address, Folded, FoldedId, Life, ObjectState, Slot, Template, TreeId, TreeSort},
    derivation::Matching,
    program::{Link, ObjectId, RegisterId, SortId},
    term::LinearId,
};
use goatherd_checker::configuration::{Configuration, Member, Place};
use std::collections::BTreeMap;

/// Most parts of a member.
const PARTS: usize = 5;

/// The longest path of a segment.
const LONGEST_PATH: usize = 3;

/// Most cells that are looked at for one part.
const CELLS: usize = 12;

/// A position of a heap, as it is read: a pointer, and of which sort the tree below is said to be.
type Position = (Slot, SortId);

/// Does a node have the links that a sort asks for, as far as one node shows that?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    Alike,
    Other,
}

/// A template that says what the configuration does, or nearly, and how it matches.
pub fn confused(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<(Template, Matching)> {
    let kept = builder.dice.one([0, 20, 50, 80]);
    let mut folder = Folder { builder, configuration, trees: Vec::new(), paths: Vec::new(), shapes: Vec::new() };
    let (mut members, mut objects) = (Vec::new(), Vec::new());
    for member in &configuration.members {
        let (made, images) = folder.member(member, kept)?;
        members.push(made);
        objects.push(images);
    }
    let Folder { trees, paths, shapes, builder, .. } = folder;
    let (integers, arrays) = identity(&mut builder.arena, &configuration.scope)?;
    let predicate = configuration.predicate.clone();
    let mut template = Template { scope: configuration.scope, trees, predicate, members };
    let mut matching = Matching { integers, arrays, paths, shapes, objects };
    if builder.dice.once_in(2) {
        confuse(builder, &mut template, &mut matching)?;
    }
    Some((template, matching))
}

/// Folds the members of a configuration.
struct Folder<'b, 'a, 'c> {
    builder: &'b mut Builder<'a>,
    configuration: &'c Configuration,
    trees: Vec<TreeSort>,
    /// By symbol, the path of a segment and the shapes of nodes.
    paths: Vec<Vec<u32>>,
    shapes: Vec<Vec<u32>>,
}

/// A member that is being folded.
struct Parts<'c> {
    member: &'c Member,
    /// New names of nodes that are kept.
    names: BTreeMap<ObjectId, ObjectId>,
    folded: Vec<Folded>,
    /// Of which part a slot is the root, or the last cell.
    roots: Vec<(Slot, FoldedId)>,
    ends: Vec<(Slot, FoldedId)>,
}

impl Folder<'_, '_, '_> {
    fn dice(&mut self) -> &mut Dice {
        &mut self.builder.dice
    }

    fn member(&mut self, member: &Member, kept: usize) -> Option<(configuration::Member, Vec<ObjectId>)> {
        let Place::At(location) = member.place else { return None };
        let declared = self.builder.setting.program.objects.len();
        let mut names = BTreeMap::new();
        for state in member.objects.iter().flatten() {
            if self.dice().percent(kept) {
                let name =
                    if state.object.index() < declared { state.object } else { ObjectId(u32::try_from(declared + names.len()).ok()?) };
                names.insert(state.object, name);
            }
        }
        let mut parts = Parts { member, names, folded: Vec::new(), roots: Vec::new(), ends: Vec::new() };
        let mut registers = Vec::new();
        for (register, slot) in (0..).map(RegisterId).zip(&member.registers) {
            let made = if self.dice().once_in(8) { Slot::Forgotten } else { self.slot(&mut parts, *slot)? };
            if made != Slot::Forgotten {
                registers.push((register, made));
            }
        }
        let mut objects = Vec::new();
        for (object, name) in parts.names.clone() {
            let mut state = ObjectState { object: name, ..member.object(object)?.clone() };
            for slot in state.fields.iter_mut().flat_map(|field| &mut field.cells) {
                *slot = self.slot(&mut parts, *slot)?;
            }
            objects.push((state, object));
        }
        objects.sort_by_key(|(state, _)| state.object);
        let (objects, images) = objects.into_iter().unzip();
        let consumed = member.consumed;
        let made = configuration::Member { location, size: member.size, consumed, registers, objects, folded: parts.folded };
        Some((made, images))
    }

    /// What the template has in place of the slot.
    fn slot(&mut self, parts: &mut Parts<'_>, slot: Slot) -> Option<Slot> {
        let is_folded = match slot {
            Slot::Integer(_) | Slot::Uninitialised | Slot::Forgotten => false,
            Slot::Null => self.dice().once_in(6),
            Slot::Pointer(Address { object, index, byte }) => match parts.names.get(&object) {
                Some(object) if !self.builder.dice.once_in(16) => return Some(Slot::Pointer(Address { object: *object, index, byte })),
                _ => true,
            },
            Slot::Folded(_) | Slot::Last(_) => true,
        };
        if !is_folded {
            return Some(slot);
        }
        let known = |among: &[(Slot, FoldedId)]| among.iter().find(|(other, _)| *other == slot).map(|(_, id)| *id);
        if let Some(id) = known(&parts.ends).filter(|_| !self.builder.dice.once_in(4)) {
            return Some(Slot::Last(id));
        }
        if let Some(id) = known(&parts.roots).filter(|_| !self.builder.dice.once_in(6)) {
            return Some(Slot::Folded(id));
        }
        self.fold(parts, slot)
    }

    /// The pointer as the root of a new part.
    fn fold(&mut self, parts: &mut Parts<'_>, root: Slot) -> Option<Slot> {
        let Some(sort) = self.sort_of(parts, root).filter(|_| parts.folded.len() < PARTS) else { return Some(Slot::Forgotten) };
        let is_segment = self.dice().once_in(3);
        let tree = TreeId(u32::try_from(self.trees.len()).ok()?);
        let id = FoldedId(u32::try_from(parts.folded.len()).ok()?);
        let (mut path, mut shapes) = (Vec::new(), Vec::new());
        let mut end = (root, sort);
        if is_segment {
            while path.len() < LONGEST_PATH && !self.dice().once_in(3) {
                let mut below = Vec::new();
                self.read(parts, end, &mut below, &mut shapes);
                let on: Vec<usize> = (0..below.len()).filter(|child| below[*child].1 == sort).collect();
                let Some(child) = self.dice().pick(&on) else { break };
                path.push(u32::try_from(child).ok()?);
                let last = end.0;
                end = below.remove(child);
                self.read_all(parts, below, &mut shapes);
                parts.ends.retain(|(_, part)| *part != id);
                parts.ends.push((last, id));
            }
        } else {
            self.read_all(parts, vec![end], &mut shapes);
        }
        self.trees.push(if is_segment { TreeSort::Segment(sort) } else { TreeSort::Tree(sort) });
        self.paths.push(path);
        self.shapes.push(shapes);
        let [above, same] = self.around(parts, (root, sort));
        parts.roots.push((root, id));
        parts.folded.push(Folded { tree, above, same, below: Slot::Null });
        if is_segment {
            parts.folded.get_mut(id.index())?.below = Slot::Forgotten;
            let below = self.slot(parts, end.0)?;
            parts.folded.get_mut(id.index())?.below = below;
        }
        Some(Slot::Folded(id))
    }

    /// A sort whose trees may hang from the pointer: most often one that fits the node there, or the sort that a part is of or is said to be within.
    fn sort_of(&mut self, parts: &Parts<'_>, slot: Slot) -> Option<SortId> {
        let setting = self.builder.setting;
        let declared = setting.program.objects.len();
        let count = declared + setting.sorts.len();
        let all = (0..u32::try_from(count).ok()?).map(SortId).filter(|sort| setting.nodes(*sort).is_ok());
        let mut among: Vec<SortId> = all.collect();
        if !self.dice().once_in(8) {
            let part = if let Slot::Folded(id) = slot { parts.member.folded.get(id.index()).copied().flatten() } else { None };
            match part.and_then(|part| self.configuration.trees.get(part.tree.index())) {
                Some(TreeSort::Tree(sort) | TreeSort::Segment(sort)) => {
                    let own = sort.index().checked_sub(declared).and_then(|own| setting.sorts.get(own));
                    among = [*sort].into_iter().chain(own.and_then(|own| own.within)).collect();
                }
                None => {
                    let fits = |sort: &SortId| self.node(parts, (slot, *sort)).is_none_or(|(.., fit)| fit == Fit::Alike);
                    among.retain(fits);
                }
            }
        }
        self.dice().pick(&among)
    }

    /// The node at the position, the links that it has by a shape of the sort, which one that is where there are several, and whether it fits.
    fn node<'m>(&self, parts: &Parts<'m>, (value, sort): Position) -> Option<(&'m ObjectState, Vec<Link>, Option<u32>, Fit)> {
        let Slot::Pointer(Address { object, .. }) = value else { return None };
        let state = parts.member.object(object)?;
        let (declaration, _, shapes) = self.builder.setting.nodes(sort).ok()?;
        let is_alike = |links: &Vec<Link>| {
            declaration == state.declaration
                && links.iter().zip(&state.fields).all(|(link, field)| match (link, field.cells.first()) {
                    (Link::Null, slot) => slot == Some(&Slot::Null),
                    (Link::Other, slot) => slot == Some(&Slot::Uninitialised),
                    (Link::Range { least, greatest }, Some(Slot::Integer(term))) => {
                        self.builder.arena.value(*term).is_none_or(|value| (*least..=*greatest).contains(&value))
                    }
                    (Link::Child(_) | Link::Handed { .. } | Link::Up | Link::Same, slot) => slot != Some(&Slot::Uninitialised),
                    _ => true,
                })
        };
        let found = shapes.iter().position(is_alike);
        let position = found.unwrap_or(0);
        let shape = u32::try_from(position).ok().filter(|_| shapes.len() > 1);
        Some((state, shapes.get(position)?.clone(), shape, if found.is_some() { Fit::Alike } else { Fit::Other }))
    }

    /// Reads one cell: what hangs below it, and its shape.
    fn read(&self, parts: &Parts<'_>, position: Position, below: &mut Vec<Position>, shapes: &mut Vec<u32>) {
        if let Slot::Folded(id) = position.0
            && let Some(part) = parts.member.folded.get(id.index()).copied().flatten()
            && matches!(self.configuration.trees.get(part.tree.index()), Some(TreeSort::Segment(_)))
        {
            below.push((part.below, position.1));
        }
        let Some((state, links, shape, _)) = self.node(parts, position) else { return };
        shapes.extend(shape);
        for (link, field) in links.iter().zip(&state.fields) {
            if let (Link::Child(sort) | Link::Handed { sort, .. }, Some(cell)) = (link, field.cells.first()) {
                below.push((*cell, *sort));
            }
        }
    }

    /// Reads these to their ends, the last first.
    fn read_all(&self, parts: &Parts<'_>, mut below: Vec<Position>, shapes: &mut Vec<u32>) {
        for _ in 0..CELLS {
            let Some(position) = below.pop() else { break };
            self.read(parts, position, &mut below, shapes);
        }
    }

    /// What stands above a part and what its `Same` field holds, as far as the template can say it.
    fn around(&mut self, parts: &Parts<'_>, root: Position) -> [Slot; 2] {
        let found = match root.0 {
            Slot::Folded(id) => parts.member.folded.get(id.index()).copied().flatten().map(|part| [part.above, part.same]),
            _ => self.node(parts, root).map(|(state, links, ..)| {
                [Link::Up, Link::Same].map(|wanted| {
                    let mut fields = links.iter().zip(&state.fields);
                    let field = fields.find(|(link, _)| **link == wanted);
                    field.and_then(|(_, field)| field.cells.first().copied()).unwrap_or(Slot::Forgotten)
                })
            }),
        };
        found.unwrap_or([Slot::Forgotten; 2]).map(|slot| match slot {
            _ if self.builder.dice.once_in(8) => Slot::Forgotten,
            Slot::Null => Slot::Null,
            Slot::Pointer(Address { object, index, byte }) if parts.names.contains_key(&object) => {
                Slot::Pointer(Address { object: parts.names[&object], index, byte })
            }
            slot => {
                let end = parts.ends.iter().find(|(other, _)| *other == slot);
                end.map_or(Slot::Forgotten, |(_, id)| Slot::Last(*id))
            }
        })
    }
}

/// Any pointer that a template's member can hold.
fn any_pointer(dice: &mut Dice, member: &configuration::Member, start: LinearId) -> Slot {
    let part = FoldedId(dice.id(member.folded.len() + 1));
    match dice.below(8) {
        0 => Slot::Null,
        1 => dice.one([Slot::Forgotten, Slot::Uninitialised]),
        2 | 3 => Slot::Folded(part),
        4 | 5 => Slot::Last(part),
        _ => {
            let objects: Vec<ObjectId> = member.objects.iter().map(|state| state.object).collect();
            dice.pick(&objects).map_or(Slot::Forgotten, |object| Slot::Pointer(Address { object, index: start, byte: 0 }))
        }
    }
}

/// One of all that are there, to be changed.
fn any_of<'t, T>(dice: &mut Dice, among: impl IntoIterator<Item = &'t mut T>) -> Option<&'t mut T> {
    let all: Vec<&mut T> = among.into_iter().collect();
    let position = dice.below(all.len());
    all.into_iter().nth(position)
}

/// Takes one thing for another: what is around a part, in a hole, in a register or a cell; which sort or symbol a part is of, or along which path it
/// leads; whether a node lives, or which one it is.
fn confuse(builder: &mut Builder<'_>, template: &mut Template, matching: &mut Matching) -> Option<()> {
    let start = builder.arena.constant(0).ok()?;
    let setting = builder.setting;
    let dice = &mut builder.dice;
    let sorts = setting.program.objects.len() + setting.sorts.len();
    let position = dice.below(template.members.len());
    let member = template.members.get_mut(position)?;
    let pointer = any_pointer(dice, member, start);
    let symbols = template.trees.len();
    match dice.below(16) {
        0..2 => any_of(dice, &mut member.folded)?.above = pointer,
        2..4 => any_of(dice, &mut member.folded)?.same = pointer,
        4..6 => {
            let trees = &template.trees;
            let is_segment = |part: &&mut Folded| matches!(trees.get(part.tree.index()), Some(TreeSort::Segment(_)));
            any_of(dice, member.folded.iter_mut().filter(is_segment))?.below = pointer;
        }
        6..8 => {
            let slots = member.registers.iter_mut().map(|(_, slot)| slot).filter(|slot| !matches!(slot, Slot::Integer(_)));
            *any_of(dice, slots)? = pointer;
        }
        8 | 9 => {
            let cells = member.objects.iter_mut().flat_map(|state| &mut state.fields).flat_map(|field| &mut field.cells);
            *any_of(dice, cells.filter(|slot| !matches!(slot, Slot::Integer(_))))? = pointer;
        }
        10 => {
            let sort = SortId(dice.id(sorts));
            let (TreeSort::Tree(old) | TreeSort::Segment(old)) = any_of(dice, &mut template.trees)?;
            *old = sort;
        }
        11 => any_of(dice, &mut member.folded)?.tree = TreeId(dice.id(symbols)),
        12 => {
            let path = any_of(dice, &mut matching.paths)?;
            if path.pop().is_none() || dice.once_in(3) {
                path.extend([dice.id(2), dice.id(2)]);
            }
        }
        13 => any_of(dice, &mut member.objects)?.life = dice.one([Life::Live, Life::Live, Life::Dead]),
        14 => {
            let images = matching.objects.get_mut(position)?;
            let other = dice.pick(images)?;
            *any_of(dice, images)? = other;
        }
        _ => {
            // A symbol that nothing is of.
            template.trees.push(TreeSort::Tree(SortId(dice.id(sorts))));
            matching.paths.push(Vec::new());
            matching.shapes.push(Vec::new());
        }
    }
    Some(())
}
