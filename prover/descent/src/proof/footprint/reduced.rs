//! Templates without what nothing reads, named so that those that are alike are equal.

use super::{
    origins::{Spot, spots},
    renaming::Renaming,
};
use goatherd_certificates::{
    configuration::{self, Address, FieldState, Folded, FoldedId, ObjectState, Slot, Template, TreeId, TreeSort},
    program::{Link, ObjectId, RegisterId, Source},
};
use goatherd_checker::{
    configuration::{Configuration, Member, Place, Setting},
    rejection::Rejection,
    subsume,
    term::Arena,
};
use std::collections::{BTreeMap, BTreeSet};

/// A template of which less is left, and what that calls what is left.
pub struct Reduced {
    /// As a certificate stores it.
    pub stored: Template,
    /// As the kernel works on it.
    pub configuration: Configuration,
    /// By member, the new names of objects.
    pub objects: Vec<BTreeMap<ObjectId, ObjectId>>,
    /// The new names of symbols.
    pub trees: BTreeMap<TreeId, TreeId>,
    /// The new names of variables.
    pub renaming: Renaming,
}

/// The heaps of a template's members.
#[derive(Clone, Copy)]
pub struct Heaps<'a> {
    pub setting: Setting<'a>,
    pub template: &'a Configuration,
    /// Do templates have pointers to last cells?
    pub has_last: bool,
}

/// What of a member's heap is reached from what is kept, in the order in which it is found.
struct Reached {
    objects: Vec<ObjectId>,
    parts: Vec<FoldedId>,
    /// The parts to whose roots there are pointers.
    rooted: BTreeSet<FoldedId>,
}

impl Heaps<'_> {
    /// Which spots are kept if these are used. What is said of a part from below, as that its last cell is above something, is to be said of it from
    /// above, too: otherwise it is not known what the part is.
    pub fn with_roots(&self, mut kept: BTreeSet<Spot>) -> Result<BTreeSet<Spot>, Rejection> {
        let all = spots(self.template);
        loop {
            let before = kept.len();
            for (position, member) in self.template.members.iter().enumerate() {
                let Reached { objects, parts, rooted } = self.reached(position, &kept)?;
                for part in parts.iter().filter(|part| !rooted.contains(part)) {
                    let parts = || (0..).map(FoldedId).zip(&member.folded);
                    let mut root = Slot::Folded(*part);
                    // What hangs in the hole of another segment is found from the root of that.
                    while let Some((above, _)) = parts().find(|(_, part)| part.is_some_and(|part| part.below == root)) {
                        root = Slot::Folded(above);
                    }
                    let mut roots = all.iter().filter(|(spot, slot)| spot.member() == position && **slot == root).map(|(spot, _)| *spot);
                    let Some(holder) = roots.find(|spot| !kept.contains(spot)) else { continue };
                    kept.insert(holder);
                    if let Spot::Cell(_, object, ..) = holder {
                        let is_pointer = |slot: &Slot| matches!(slot, Slot::Pointer(Address { object: other, .. }) if *other == object);
                        let registers = (0..).map(RegisterId).zip(&member.registers).filter(|(_, slot)| is_pointer(slot));
                        kept.extend(
                            registers.filter(|_| !objects.contains(&object)).map(|(register, _)| Spot::Register(position, register)),
                        );
                    }
                }
            }
            if kept.len() == before {
                return Ok(kept);
            }
        }
    }

    /// What is reached from the member's spots that are kept.
    fn reached(&self, position: usize, kept: &BTreeSet<Spot>) -> Result<Reached, Rejection> {
        let member = &self.template.members[position];
        let mut open: Vec<Slot> = Vec::new();
        for spot in kept.iter().filter(|spot| spot.member() == position) {
            match spot {
                Spot::Register(_, register) => open.push(member.register(*register)?),
                Spot::Object(_, object) => {
                    let index = member.object(*object).ok_or(Rejection::Missing)?.lower;
                    open.push(Slot::Pointer(Address { object: *object, index, byte: 0 }));
                }
                Spot::Cell(..) => {}
            }
        }
        open.reverse();
        let mut reached = Reached { objects: Vec::new(), parts: Vec::new(), rooted: BTreeSet::new() };
        while let Some(slot) = open.pop() {
            if let Slot::Folded(part) = slot {
                reached.rooted.insert(part);
            }
            match slot {
                Slot::Pointer(Address { object, .. }) if !reached.objects.contains(&object) => {
                    reached.objects.push(object);
                    let fields = &member.object(object).ok_or(Rejection::Missing)?.fields;
                    let cells = fields.iter().enumerate().flat_map(|(field, contents)| {
                        contents.cells.iter().enumerate().map(move |(index, slot)| (Spot::Cell(position, object, field, index), *slot))
                    });
                    let first = open.len();
                    open.extend(cells.filter(|(spot, _)| kept.contains(spot)).map(|(_, slot)| slot));
                    open[first..].reverse();
                }
                Slot::Folded(part) | Slot::Last(part) if !reached.parts.contains(&part) => {
                    reached.parts.push(part);
                    let part = folded(member, part)?;
                    let [has_above, has_same] = self.matters(part)?;
                    open.extend(has_above.then_some(part.above));
                    open.extend(has_same.then_some(part.same));
                    open.push(part.below);
                }
                _ => {}
            }
        }
        Ok(reached)
    }

    /// Is it asked what stands above the part, and what its nodes have in common?
    fn matters(&self, part: Folded) -> Result<[bool; 2], Rejection> {
        let shape = *self.template.trees.get(part.tree.index()).ok_or(Rejection::Missing)?;
        let (TreeSort::Tree(sort) | TreeSort::Segment(sort)) = shape;
        let (_, _, shapes) = self.setting.nodes(sort)?;
        let has = |link| shapes.iter().any(|links| links.contains(&link));
        let hands_on = shapes.iter().flatten().any(|link| matches!(link, Link::Handed { from: Source::Above, .. }));
        Ok([has(Link::Up) || (shape == TreeSort::Segment(sort) && self.has_last), has(Link::Same) || hands_on])
    }
}

fn folded(member: &Member, part: FoldedId) -> Result<Folded, Rejection> {
    member.folded.get(part.index()).copied().flatten().ok_or(Rejection::Missing)
}

impl Reduced {
    /// The template with these spots only.
    pub fn new(arena: &mut Arena, heaps: Heaps<'_>, kept: &BTreeSet<Spot>) -> Result<Self, Rejection> {
        let Heaps { setting, template, .. } = heaps;
        let mut reducer = Reducer { arena, heaps, kept, trees: BTreeMap::new(), renaming: Renaming::of(template.scope) };
        let (mut members, mut objects) = (Vec::new(), Vec::new());
        for position in 0..template.members.len() {
            let (member, names) = reducer.member(position)?;
            members.push(member);
            objects.push(names);
        }
        let Reducer { arena, trees, mut renaming, .. } = reducer;
        let mut predicate = template.predicate.iter().map(|literal| renaming.literal(arena, *literal)).collect::<Result<Vec<_>, _>>()?;
        predicate.sort_unstable_by_key(|literal| (literal.sign as u8, literal.term));
        let names: BTreeMap<TreeId, TreeId> = trees.iter().map(|(tree, name)| (*name, *tree)).collect();
        let shapes = names.values().map(|tree| template.trees[tree.index()]).collect();
        let stored = Template { scope: renaming.close(), trees: shapes, predicate, members };
        let configuration = subsume::template(arena, setting, &stored)?;
        Ok(Self { stored, configuration, objects, trees, renaming })
    }
}

struct Reducer<'a, 'b> {
    arena: &'b mut Arena,
    heaps: Heaps<'a>,
    kept: &'b BTreeSet<Spot>,
    trees: BTreeMap<TreeId, TreeId>,
    renaming: Renaming,
}

/// What is left of a member's heap, by new names.
struct Left {
    objects: BTreeMap<ObjectId, ObjectId>,
    parts: BTreeMap<FoldedId, FoldedId>,
}

impl Reducer<'_, '_> {
    fn member(&mut self, position: usize) -> Result<(configuration::Member, BTreeMap<ObjectId, ObjectId>), Rejection> {
        let member = &self.heaps.template.members[position];
        let Place::At(location) = member.place else { return Err(Rejection::AtEnd) };
        let left = self.left(position, member)?;
        let consumed = self.slot(&left, member.consumed)?;
        let mut registers = Vec::new();
        for (register, slot) in (0..).map(RegisterId).zip(&member.registers) {
            if self.kept.contains(&Spot::Register(position, register)) {
                registers.push((register, self.slot(&left, *slot)?));
            }
        }
        let named: BTreeMap<ObjectId, ObjectId> = left.objects.iter().map(|(object, name)| (*name, *object)).collect();
        let mut objects = Vec::new();
        for (name, object) in named {
            let state = member.object(object).ok_or(Rejection::Missing)?;
            let (lower, upper) = (self.renaming.linear(self.arena, state.lower)?, self.renaming.linear(self.arena, state.upper)?);
            let mut fields = Vec::new();
            for (field, contents) in state.fields.iter().enumerate() {
                let mut cells = Vec::new();
                for (index, slot) in contents.cells.iter().enumerate() {
                    let is_kept = self.kept.contains(&Spot::Cell(position, state.object, field, index));
                    cells.push(if is_kept { self.slot(&left, *slot)? } else { Slot::Forgotten });
                }
                let rest = contents.rest.map(|rest| self.renaming.array(self.arena, rest)).transpose()?;
                fields.push(FieldState { cells, rest });
            }
            objects.push(ObjectState { object: name, declaration: state.declaration, life: state.life, lower, upper, fields });
        }
        let named: BTreeMap<FoldedId, FoldedId> = left.parts.iter().map(|(part, name)| (*name, *part)).collect();
        let mut parts = Vec::new();
        for part in named.into_values() {
            let part = folded(member, part)?;
            let next = TreeId(u32::try_from(self.trees.len()).map_err(|_| Rejection::Overflow)?);
            let tree = *self.trees.entry(part.tree).or_insert(next);
            let [has_above, has_same] = self.heaps.matters(part)?;
            let mut slot = |slot, is_kept| if is_kept { self.slot(&left, slot) } else { Ok(Slot::Forgotten) };
            parts.push(Folded {
                tree,
                above: slot(part.above, has_above)?,
                same: slot(part.same, has_same)?,
                below: slot(part.below, true)?,
            });
        }
        let member = configuration::Member { location, size: member.size, consumed, registers, objects, folded: parts };
        Ok((member, left.objects))
    }

    /// The slot, by new names.
    fn slot(&mut self, left: &Left, slot: Slot) -> Result<Slot, Rejection> {
        Ok(match slot {
            Slot::Integer(term) => Slot::Integer(self.renaming.linear(self.arena, term)?),
            Slot::Pointer(Address { object, index, byte }) => {
                let object = *left.objects.get(&object).ok_or(Rejection::Missing)?;
                Slot::Pointer(Address { object, index: self.renaming.linear(self.arena, index)?, byte })
            }
            Slot::Folded(part) => Slot::Folded(*left.parts.get(&part).ok_or(Rejection::Missing)?),
            Slot::Last(part) => Slot::Last(*left.parts.get(&part).ok_or(Rejection::Missing)?),
            Slot::Forgotten | Slot::Uninitialised | Slot::Null => slot,
        })
    }

    /// The names of what is reached, in the order in which it is found.
    fn left(&self, position: usize, member: &Member) -> Result<Left, Rejection> {
        let Reached { objects, parts, .. } = self.heaps.reached(position, self.kept)?;
        let mut left = Left { objects: BTreeMap::new(), parts: BTreeMap::new() };
        let mut declared = BTreeSet::new();
        for (object, other) in objects.iter().zip(self.heaps.setting.program.objects.len()..) {
            let declaration = member.object(*object).ok_or(Rejection::Missing)?.declaration;
            let other = ObjectId(u32::try_from(other).map_err(|_| Rejection::Overflow)?);
            left.objects.insert(*object, if declared.insert(declaration) { declaration } else { other });
        }
        for part in &parts {
            self.name(member, &parts, *part, &mut left.parts)?;
        }
        Ok(left)
    }

    /// Names the part, behind what hangs above it.
    fn name(&self, member: &Member, all: &[FoldedId], part: FoldedId, names: &mut BTreeMap<FoldedId, FoldedId>) -> Result<(), Rejection> {
        let mut open = vec![part];
        while let Some(part) = open.last().copied() {
            let state = folded(member, part)?;
            let [has_above, _] = self.heaps.matters(state)?;
            let is_above = |other: &FoldedId| {
                let is_below = folded(member, *other).is_ok_and(|other| other.below == Slot::Folded(part));
                is_below || (has_above && state.above == Slot::Last(*other))
            };
            let unnamed = all.iter().filter(|other| !names.contains_key(other) && !open.contains(other));
            if let Some(above) = unnamed.copied().find(is_above) {
                open.push(above);
                continue;
            }
            open.pop();
            let next = FoldedId(u32::try_from(names.len()).map_err(|_| Rejection::Overflow)?);
            names.entry(part).or_insert(next);
        }
        Ok(())
    }
}
