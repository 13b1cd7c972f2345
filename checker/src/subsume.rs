//! Subsume: a template covers a configuration (`spec/calculus.md#subsume`; red-black graphs §4.4, Shrinker §4.3 `HMorePrecise`).

use crate::fold::{Heap, Piece, Position, Reading};
use crate::{Member, *};
use crate::{memory::is_all, substitution::Substitution};
use alloc::{sync::Arc, vec, vec::Vec};
use goatherd_certificates::*;

/// The configuration that a template stands for, if its slots are of the types of their places and its terms mention its own variables.
pub fn template(arena: &Arena, setting: Setting<'_>, template: &Template) -> Result<Configuration> {
    kinds::check(arena, setting, template)?;
    described(setting, template)
}

/// The configuration that a template describes, whatever it says; what it does not list is forgotten or not there.
pub fn described(setting: Setting<'_>, template: &Template) -> Result<Configuration> {
    let mut members = Vec::new();
    for stored in &template.members {
        let registers = &stored.registers;
        let objects = &stored.objects;
        ensure(
            registers.is_sorted_by(|(left, _), (right, _)| left < right)
                && objects.is_sorted_by(|left, right| left.object < right.object),
            Rejection::Shape,
        )?;
        let mut member = Member::new(setting, Place::At(stored.location), Slot::Forgotten);
        for (register, slot) in registers {
            member.set_register(*register, *slot)?;
        }
        // No memory is taken for names that nothing has.
        let names = member.objects.len().saturating_add(objects.len());
        member.objects.resize(names, None);
        for state in objects {
            member.insert(state.clone())?;
        }
        member.folded = stored.folded.iter().copied().map(Some).collect();
        member.size = stored.size;
        member.consumed = stored.consumed;
        members.push(member);
    }
    Ok(Configuration {
        scope: template.scope,
        trees: template.trees.clone(),
        predicate: template.predicate.clone(),
        members,
        entry: None,
        progress: false,
    })
}

/// The parts of one computation of the rule.
struct Subsumption<'a> {
    setting: Setting<'a>,
    configuration: &'a Configuration,
    template: &'a Configuration,
    obligations: Obligations<'a>,
    theta: Substitution<'a>,
    matching: &'a Matching,
    /// By symbol of the template, what it stands for, once an occurrence has been read.
    symbols: Vec<Option<Arc<[Piece]>>>,
}

/// Subsume: every herd of the configuration is one of the template, under the substitution. The primary has taken a step since the
/// template's root (`spec/calculus.md#attacks` trap 2).
pub fn subsume(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &Configuration,
    template: &Configuration,
    matching: &Matching,
    oracle: &mut dyn Oracle,
) -> Result<()> {
    ensure(configuration.progress, Rejection::Progress)?;
    let Matching { paths, objects, .. } = matching;
    // What is left of each member's heap is looked through, and whether the program asks for leaks.
    let instructions = setting.program.instructions.len();
    let work = instructions
        .saturating_mul(configuration.members.len())
        .saturating_add(slots(configuration.bytes()))
        .saturating_add(slots(template.bytes()));
    arena.budget.work(work)?;
    let mut obligations = configuration.obligations(arena, oracle);
    let theta = Substitution::new(&mut obligations, &template.scope, matching)?;
    ensure(paths.len() == template.trees.len(), Rejection::Substitution)?;
    let mut this = Subsumption {
        setting,
        configuration,
        template,
        obligations,
        theta,
        matching,
        symbols: vec![None; paths.len()],
    };
    ensure(
        configuration.members.len() == template.members.len()
            && objects.len() == template.members.len(),
        Rejection::Shape,
    )?;
    let members = configuration.members.iter().zip(&template.members);
    for ((member, target), images) in members.zip(objects) {
        this.member(member, target, images)?;
    }
    // A symbol without occurrences stands for NULL or an empty segment, if for anything (`spec/calculus.md#attacks` H12).
    let is_node = |shape: &TreeSort| match *shape {
        TreeSort::Tree(sort) => setting
            .nodes(sort)
            .is_ok_and(|(_, (has_null, _), _)| !has_null),
        TreeSort::Segment(_) => false,
    };
    let mut symbols = this.symbols.iter().zip(&template.trees);
    ensure(
        symbols.all(|(symbol, shape)| symbol.is_some() || !is_node(shape)),
        Rejection::NotRead,
    )?;
    for literal in &template.predicate {
        let term = this.theta.linear(this.obligations.arena, literal.term)?;
        this.obligations.entail(Literal { term, ..*literal })?;
    }
    Ok(())
}

/// All pointers to the root, or to the last cell, of a folded part are the same.
fn agree(pointers: &mut [Option<Slot>], id: FoldedId, found: Slot) -> Result<()> {
    let pointer = entry_mut(pointers, id.index())?;
    ensure(*pointer.get_or_insert(found) == found, Rejection::Slot)
}

impl Subsumption<'_> {
    fn member(&mut self, member: &Member, target: &Member, images: &[ObjectId]) -> Result<()> {
        ensure(
            member.place == target.place && member.size <= target.size,
            Rejection::Shape,
        )?;
        let mut heap = Heap::new(self.setting, self.configuration, member, target);
        let targets: Vec<&ObjectState> = target.objects.iter().flatten().map(Arc::as_ref).collect();
        ensure(targets.len() == images.len(), Rejection::Shape)?;
        let mut states = Vec::new();
        for (target, image) in targets.iter().zip(images) {
            *entry_mut(&mut heap.images, target.object.index())? = Some(*image);
            states.push(heap.take(*image)?);
        }
        self.slot(&mut heap, member.consumed, target.consumed)?;
        self.slots(&mut heap, &member.registers, &target.registers)?;
        for (state, target) in states.iter().zip(targets) {
            self.object(&mut heap, state, target)?;
        }
        for (id, folded) in (0..).map(FoldedId).zip(target.folded.iter().flatten()) {
            self.folded(&mut heap, id, *folded)?;
        }
        ensure(heap.is_whole(), Rejection::Leak)
    }

    fn object(
        &mut self,
        heap: &mut Heap<'_>,
        state: &ObjectState,
        target: &ObjectState,
    ) -> Result<()> {
        ensure(
            state.declaration == target.declaration && state.life == target.life,
            Rejection::Shape,
        )?;
        self.equal(state.lower, target.lower)?;
        self.equal(state.upper, target.upper)?;
        for (field, target) in state.fields.iter().zip(&target.fields) {
            let is_alike = field.cells.len() == target.cells.len()
                && field.rest.is_some() == target.rest.is_some();
            // What elements that the object does not have would point to has not been reached (`spec/calculus.md#attacks` B6).
            let mut beyond = target.cells.iter().skip(field.cells.len());
            let is_longer = field.cells.len() <= target.cells.len()
                && beyond.all(|slot| matches!(slot, Slot::Integer(_)));
            ensure(
                is_alike || is_longer && is_all(self.obligations.arena, state, field),
                Rejection::Shape,
            )?;
            self.slots(heap, &field.cells, &target.cells)?;
            for (array, target) in field.rest.iter().zip(target.rest) {
                let target = self.theta.array(self.obligations.arena, target)?;
                self.equal_arrays(*array, target)?;
            }
        }
        Ok(())
    }

    fn slots(&mut self, heap: &mut Heap<'_>, slots: &[Slot], targets: &[Slot]) -> Result<()> {
        for (slot, target) in slots.iter().zip(targets) {
            self.slot(heap, *slot, *target)?;
        }
        Ok(())
    }

    /// A forgotten target takes anything; an uninitialised one only itself (`spec/calculus.md#attacks` D2, H9).
    fn slot(&mut self, heap: &mut Heap<'_>, slot: Slot, target: Slot) -> Result<()> {
        match (slot, target) {
            (_, Slot::Forgotten)
            | (Slot::Uninitialised, Slot::Uninitialised)
            | (Slot::Null, Slot::Null) => Ok(()),
            (Slot::Integer(term), Slot::Integer(target)) => self.equal(term, target),
            (Slot::Pointer(address), Slot::Pointer(target))
                if heap.images.get(target.object.index()) == Some(&Some(address.object))
                    && address.byte == target.byte =>
            {
                self.equal(address.index, target.index)
            }
            // Two values that nobody knows are not one pointer (`spec/calculus.md#attacks` K3), and an integer is none (H19).
            (Slot::Forgotten | Slot::Integer(_), _) => Err(Rejection::Slot),
            (_, Slot::Folded(id)) => agree(&mut heap.roots, id, slot),
            (_, Slot::Last(id)) => agree(&mut heap.ends, id, slot),
            _ => Err(Rejection::Slot),
        }
    }

    /// Reads what a folded part of the template stands for. All occurrences of a symbol stand for the same (`spec/calculus.md#attacks` H8).
    fn folded(&mut self, heap: &mut Heap<'_>, id: FoldedId, target: Folded) -> Result<()> {
        let shape = self.template.sort(target.tree)?;
        let (TreeSort::Tree(sort) | TreeSort::Segment(sort)) = shape;
        let is_tree = matches!(shape, TreeSort::Tree(_));
        // What is handed on from cell to cell is not known where a segment ends (`spec/calculus.md#attacks` H18).
        let (_, _, shapes) = self.setting.nodes(sort)?;
        let fields = shapes.iter().map(Vec::len);
        let work = fields.fold(shapes.len(), usize::saturating_add);
        self.obligations.arena.budget.work(work)?;
        let mut links = shapes.iter().flatten();
        let is_handed = links.any(|link| matches!(link, Link::Handed { .. }));
        ensure(is_tree || !is_handed, Rejection::Shape)?;
        let value = entry(&heap.roots, id.index())?.ok_or(Rejection::NotRead)?;
        let [above, same] =
            [target.above, target.same].map(|slot| heap.image(self.obligations.arena, slot, id));
        let position = Position {
            value,
            above: above?,
            same: same?,
            sort,
            ring: None,
        };
        let (pieces, position) = self.pieces(heap, target.tree, position)?;
        if !is_tree {
            position
                .above
                .map_or(Ok(()), |last| agree(&mut heap.ends, id, last))?;
            self.slot(heap, position.value, target.below)?;
        }
        self.occurrence(target.tree, pieces)
    }

    /// What is read of a symbol from the position on, and where that ends: of a segment at its hole.
    fn pieces(
        &mut self,
        heap: &mut Heap<'_>,
        tree: TreeId,
        mut position: Position,
    ) -> Result<(Vec<Piece>, Position)> {
        let Matching { shapes, paths, .. } = self.matching;
        let path = entry(paths, tree.index())?;
        let shapes = shapes.get(tree.index()).map_or(&[][..], Vec::as_slice);
        let is_tree = matches!(self.template.sort(tree)?, TreeSort::Tree(_));
        let sort = position.sort;
        let mut reading = Reading {
            heap,
            obligations: &mut self.obligations,
            shapes: shapes.iter(),
            pieces: Vec::new(),
            below: Vec::new(),
        };
        for child in path {
            reading.read(position)?;
            let child = usize::try_from(*child)
                .ok()
                .filter(|child| *child < reading.below.len())
                .ok_or(Rejection::NotRead)?;
            position = reading.below.remove(child);
            // No segment leads on by a ring (`spec/calculus.md#attacks` R3).
            let leads_on = position.sort == sort && position.ring.is_none();
            ensure(leads_on, Rejection::NotRead)?;
            reading.read_all()?;
        }
        if is_tree {
            reading.below.push(position);
        }
        reading.read_all()?;
        Ok((reading.pieces, position))
    }

    /// The first occurrence says what the symbol stands for, and every other one the same.
    fn occurrence(&mut self, tree: TreeId, pieces: Vec<Piece>) -> Result<()> {
        let symbol = entry_mut(&mut self.symbols, tree.index())?;
        let first = Arc::clone(symbol.get_or_insert_with(|| pieces.as_slice().into()));
        ensure(first.len() == pieces.len(), Rejection::NotRead)?;
        for pair in first.iter().copied().zip(pieces) {
            match pair {
                (Piece::Data(term), Piece::Data(other)) => self.equal_images(term, other)?,
                (piece, other) => ensure(piece == other, Rejection::NotRead)?,
            }
        }
        Ok(())
    }

    fn equal(&mut self, term: LinearId, target: LinearId) -> Result<()> {
        let target = self.theta.linear(self.obligations.arena, target)?;
        self.equal_images(term, target)
    }

    fn equal_images(&mut self, term: LinearId, target: LinearId) -> Result<()> {
        if term == target {
            return Ok(());
        }
        let literal = self.obligations.arena.equal(term, target)?;
        self.obligations.entail(literal)
    }

    /// The same array, or stores of equal values at equal indices into equal arrays.
    fn equal_arrays(&mut self, mut array: ArrayId, mut target: ArrayId) -> Result<()> {
        while array != target {
            self.obligations.arena.budget.work(0)?;
            let arena = &*self.obligations.arena;
            match (arena.array(array)?.clone(), arena.array(target)?.clone()) {
                (Array::Store(store), Array::Store(stored)) => {
                    self.equal_images(store.index, stored.index)?;
                    self.equal_images(store.value, stored.value)?;
                    (array, target) = (store.array, stored.array);
                }
                (Array::Constant(value), Array::Constant(target_value)) => {
                    return self.equal_images(value, target_value);
                }
                _ => return Err(Rejection::Slot),
            }
        }
        Ok(())
    }
}
