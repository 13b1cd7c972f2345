//! The terms of a configuration in the order in which a template lists them, and its shape.

use super::{
    arrival::Arrival,
    basis::{Basis, Direction},
    shape::{Derived, End, Factor, Shape, Visitor, WIDE, widened},
    stores::{is_fixed, visit_array},
};
use crate::state::{affine::Equation, folding::folds::Folds};
use goatherd_certificates::{
    configuration::{Address, FieldState, Folded, Life, Member, ObjectState, Slot, TreeSort},
    program::{IntegerType, ObjectId, Operation, RegisterId, SortId, Type},
    term::{Array, ArrayId, ArrayStore, Atom, AtomId, Computation, LinearId, Sign},
};
use goatherd_checker::{arithmetic::width, configuration::Setting, rejection::Rejection, term::Arena};
use std::collections::{BTreeMap, BTreeSet};

/// The terms of a configuration, in the order in which a template lists them.
#[derive(Default)]
pub(crate) struct Slots {
    pub(crate) integers: Vec<(LinearId, Option<IntegerType>)>,
    pub(crate) arrays: Vec<(ArrayId, IntegerType)>,
    pub(crate) shape: Vec<Shape>,
    /// Integers that are functions of slots. They stand behind all others.
    pub(crate) derived: Vec<Derived>,
    /// Sums of integers by position that are at most zero, or may be: on which side of an element that is told apart indices are, where that is not said
    /// by a difference.
    pub(crate) sides: Vec<Equation>,
    /// Integers that have variables of their own.
    pub(crate) apart: BTreeSet<usize>,
    /// Integers that are multiplied with each other: they have variables even where they are known, since nothing is said of `1 * n`.
    pub(crate) factors: BTreeSet<usize>,
}

impl Slots {
    /// The slots of the herd; the conversions of slots that its predicate mentions; elements, if loops run down.
    pub(crate) fn new(arena: &mut Arena, basis: Basis<'_>, arrival: &mut Arrival) -> Result<Self, Rejection> {
        let mut slots = Self::default();
        visit(arena, basis.setting, arrival, &mut slots)?;
        let mut atoms = BTreeSet::new();
        for literal in &arrival.herd.configuration.predicate {
            atoms.extend(arena.linear(literal.term)?.summands.iter().map(|(atom, _)| *atom));
        }
        for atom in atoms.iter().copied() {
            let Atom::Apply(Computation { operation: Operation::Add, kind, left, .. }) = *arena.atom(atom)? else { continue };
            if let Some(position) = slots.integers.iter().position(|(term, _)| *term == left) {
                slots.integers.push((arena.of_atom(atom)?, Some(kind)));
                slots.derived.push(Derived::Converted(kind, position));
            }
        }
        slots.remember_products(arena, &atoms)?;
        slots.remember_quotients(arena, arrival)?;
        slots.remember_witnesses(arena, basis, arrival, &atoms)?;
        slots.remember_ends(arena, basis, arrival)?;
        slots.remember_asked(arena, basis, arrival)?;
        slots.remember_sums(arena, basis, arrival)?;
        slots.remember_wanted(arena, basis, arrival)?;
        slots.remember_orders(arena, basis, arrival)?;
        slots.remember_elements(arena)?;
        if basis.direction == Direction::Down {
            let index = arena.constant(i128::from(basis.setting.k))?;
            for (position, (array, sort)) in slots.arrays.iter().enumerate() {
                slots.integers.push((arena.select(*array, index)?, Some(*sort)));
                slots.derived.push(Derived::Element(position));
            }
        }
        slots.shape.extend(slots.derived.iter().copied().map(Shape::Derived));
        if basis.folds == Folds::Near {
            // One more node that is kept may be another one's counterpart.
            for (member, nodes) in arrival.folding.counterparts.iter().enumerate() {
                slots.shape.extend(nodes.iter().map(|(node, counterpart)| Shape::Counterpart(member, *node, *counterpart)));
            }
        }
        Ok(slots)
    }

    /// The products of slots among these atoms, as how many elements an array of rows has, and quotients of constants by slots.
    fn remember_products(&mut self, arena: &mut Arena, atoms: &BTreeSet<AtomId>) -> Result<(), Rejection> {
        let own = self.integers.len() - self.derived.len();
        let mut factors: BTreeMap<LinearId, Factor> = BTreeMap::new();
        for (position, (term, _)) in self.integers[..own].iter().enumerate() {
            factors.entry(widened(arena, *term)?).or_insert(Factor::Converted(position));
        }
        for (position, (term, _)) in self.integers[..own].iter().enumerate().rev() {
            factors.insert(*term, Factor::Plain(position));
        }
        for atom in atoms {
            let Atom::Apply(Computation { operation, kind, left, right }) = *arena.atom(*atom)? else { continue };
            let derived = match operation {
                Operation::Multiply if kind == WIDE => {
                    let multiplied = factors.get(&left).copied().zip(factors.get(&right).copied());
                    self.factors.extend(multiplied.into_iter().flat_map(|(left, right)| [left.position(), right.position()]));
                    multiplied.map(|(left, right)| Derived::Product(left, right))
                }
                Operation::Divide => match (arena.value(left), factors.get(&right)) {
                    (Some(dividend), Some(Factor::Plain(position))) => Some(Derived::Divided(kind, dividend, *position)),
                    _ => None,
                },
                _ => None,
            };
            if let Some(derived) = derived {
                self.integers.push((arena.of_atom(*atom)?, Some(kind)));
                self.derived.push(derived);
            }
        }
        Ok(())
    }

    /// How many elements objects have, where that is a quotient of a slot: a number of words for so many bits.
    fn remember_quotients(&mut self, arena: &mut Arena, arrival: &Arrival) -> Result<(), Rejection> {
        let own = self.integers.len() - self.derived.len();
        let terms: Vec<LinearId> = self.integers[..own].iter().map(|(term, _)| *term).collect();
        let mut lengths: BTreeSet<LinearId> = arrival.objects().iter().map(|state| state.upper).collect();
        // In a template it is another number, which equals the quotient.
        for literal in arrival.herd.configuration.predicate.iter().filter(|literal| literal.sign == Sign::Zero) {
            let [(one, 1 | -1), (other, 1 | -1)] = arena.linear(literal.term)?.summands[..] else { continue };
            for (length, quotient) in [(one, other), (other, one)] {
                if lengths.contains(&arena.of_atom(length)?) {
                    lengths.insert(arena.of_atom(quotient)?);
                }
            }
        }
        for length in lengths {
            let [(atom, 1)] = arena.linear(length)?.summands[..] else { continue };
            let Atom::Quotient { divisor, argument } = *arena.atom(atom)? else { continue };
            for (position, dividend) in terms.iter().enumerate() {
                let gap = arena.difference(argument, *dividend)?;
                // Of a number that is counted down more and more would be left.
                let added = arena.value(gap).filter(|added| (0..divisor).contains(added));
                if let Some(added) = added.filter(|_| arena.value(*dividend).is_none()) {
                    self.integers.push((arena.of_atom(atom)?, Some(WIDE)));
                    self.derived.push(Derived::Quotient(position, added, divisor));
                    break;
                }
            }
        }
        Ok(())
    }

    /// The elements that the predicate speaks of, at indices that slots name up to a constant, and what conversions make of these.
    pub(crate) fn remember_reads(&mut self, arena: &mut Arena, arrival: &Arrival) -> Result<(), Rejection> {
        let mut atoms = BTreeSet::new();
        for literal in &arrival.herd.configuration.predicate {
            atoms.extend(arena.linear(literal.term)?.summands.iter().map(|(atom, _)| *atom));
        }
        let mut converted = Vec::new();
        for atom in atoms.iter().copied().collect::<Vec<_>>() {
            if let Atom::Apply(Computation { operation: Operation::Add, kind, left, .. }) = *arena.atom(atom)? {
                converted.push((left, kind, atom));
                atoms.extend(arena.linear(left)?.summands.iter().map(|(atom, _)| *atom));
            }
        }
        let own = self.integers.len() - self.derived.len();
        for atom in atoms {
            let Atom::Select { array, index } = *arena.atom(atom)? else { continue };
            let term = arena.of_atom(atom)?;
            let Some(position) = self.arrays.iter().position(|(other, _)| *other == array) else { continue };
            if self.integers.iter().any(|(other, _)| *other == term) {
                continue;
            }
            let linear = arena.linear(index)?;
            let named = if linear.summands.is_empty() {
                Some((None, linear.constant))
            } else {
                let mut named = None;
                for (number, (other, _)) in self.integers[..own].iter().enumerate() {
                    if let Some(constant) = arena.constant_difference(index, *other)? {
                        named = Some((Some(number), constant));
                        break;
                    }
                }
                named
            };
            if let Some((index, constant)) = named {
                self.integers.push((term, Some(self.arrays[position].1)));
                self.derived.push(Derived::Read(position, index, constant));
            }
        }
        for (left, kind, atom) in converted {
            let Some(position) = self.integers.iter().position(|(term, _)| *term == left) else { continue };
            let derived = Derived::Converted(kind, position);
            if !self.derived.contains(&derived) {
                self.integers.push((arena.of_atom(atom)?, Some(kind)));
                self.derived.push(derived);
            }
        }
        Ok(())
    }

    /// The slots of the herd, and these functions of them.
    pub(crate) fn with_derived(arena: &mut Arena, basis: Basis<'_>, arrival: &Arrival, derived: &[Derived]) -> Result<Self, Rejection> {
        let mut slots = Self::default();
        visit(arena, basis.setting, arrival, &mut slots)?;
        for derived in derived {
            let (integers, arrays) = (&slots.integers, &slots.arrays);
            let term = derived.term(arena, basis.setting.k, |position| integers[position].0, |position| arrays[position].0)?;
            let sort = derived.sort(|position| arrays[position].1);
            slots.integers.push((term, Some(sort)));
            slots.derived.push(*derived);
        }
        Ok(slots)
    }

    /// The elements at witnesses, where something is known of them, also where others have been written since.
    fn remember_witnesses(
        &mut self,
        arena: &mut Arena,
        basis: Basis<'_>,
        arrival: &Arrival,
        atoms: &BTreeSet<AtomId>,
    ) -> Result<(), Rejection> {
        let registers = arrival.folding.members.first().map_or(&[][..], |member| member.registers.as_slice());
        let indices = registers.iter().filter_map(|(register, slot)| match slot {
            Slot::Integer(index) | Slot::Pointer(Address { index, .. }) => Some((register, *index)),
            _ => None,
        });
        // The registers of the primary come first, and what no slot holds comes last.
        let known = indices.enumerate().filter(|(_, (register, _))| basis.flow.witnesses.contains(register));
        let known = known.map(|(position, (_, index))| (position, index));
        let own = self.integers.len() - self.derived.len() - arrival.herd.kept_indices.len();
        let witnesses: Vec<(usize, LinearId)> = known.chain((own..).zip(arrival.herd.kept_indices.iter().copied())).collect();
        for (position, index) in witnesses {
            if arena.value(index).is_some_and(|index| index < i128::from(basis.setting.k)) {
                continue;
            }
            for (number, (array, sort)) in self.arrays.iter().enumerate() {
                let derived = Derived::Selected(number, position);
                let (mut below, mut is_known) = (*array, false);
                loop {
                    let element = arena.select(below, index)?;
                    is_known |= arena.value(element).is_some();
                    is_known |= basis.flow.keeps_entered && position >= own && self.integers.iter().any(|(held, _)| *held == element);
                    is_known |= arena.linear(element)?.summands.iter().any(|(atom, _)| atoms.contains(atom));
                    let Array::Store(ArrayStore { array, .. }) = arena.array(below)? else { break };
                    below = *array;
                }
                if is_known && !self.derived.contains(&derived) {
                    self.integers.push((arena.select(*array, index)?, Some(*sort)));
                    self.derived.push(derived);
                }
            }
        }
        Ok(())
    }

    /// The elements at indices that integers hold, where they are known to be constants that were stored: the terminator behind what a buffer holds,
    /// wherever its length is kept.
    fn remember_ends(&mut self, arena: &mut Arena, basis: Basis<'_>, arrival: &mut Arrival) -> Result<(), Rejection> {
        if !basis.flow.keeps_ends {
            return Ok(());
        }
        let own = self.integers.len() - self.derived.len();
        let (zero, k) = (arena.constant(0)?, i128::from(basis.setting.k));
        for position in 0..own {
            let (index, sort) = self.integers[position];
            if sort.is_none() || arena.value(index).is_some_and(|index| index < k) {
                continue;
            }
            for (number, (array, sort)) in self.arrays.iter().copied().enumerate() {
                // Of an array that is the same everywhere no element is an end.
                let is_uniform = matches!(arena.array(array)?, Array::Constant { .. } | Array::Table(_));
                let derived = Derived::Selected(number, position);
                if is_uniform || self.derived.contains(&derived) {
                    continue;
                }
                let element = arena.select(array, index)?;
                let (least, greatest) = arrival.herd.context.difference_bounds(arena, element, zero);
                if least.is_some() && least == greatest {
                    self.integers.push((element, Some(sort)));
                    self.derived.push(derived);
                }
            }
        }
        Ok(())
    }

    /// Of two arrays, elements at one index that are not equal, read as a type of the other signedness: which of them is less, if that is known.
    fn remember_orders(&mut self, arena: &mut Arena, basis: Basis<'_>, arrival: &mut Arrival) -> Result<(), Rejection> {
        let mut cells: Vec<(usize, LinearId)> = Vec::new();
        for field in arrival.objects().iter().flat_map(|state| &state.fields) {
            cells.extend(
                field
                    .cells
                    .iter()
                    .enumerate()
                    .filter_map(|(index, cell)| if let Slot::Integer(term) = cell { Some((index, *term)) } else { None }),
            );
        }
        let mut ordered: BTreeSet<(IntegerType, usize)> = BTreeSet::new();
        let zero = arena.constant(0)?;
        for (number, (index, left)) in cells.iter().enumerate() {
            for (other, right) in &cells[..number] {
                if index != other || left == right || arena.value(*left).is_some() || arena.value(*right).is_some() {
                    continue;
                }
                let position = |term: LinearId| self.integers.iter().position(|(other, _)| *other == term);
                let (Some(first), Some(second)) = (position(*left), position(*right)) else { continue };
                for kind in &basis.flow.conversions {
                    if self.integers[first].1.is_none_or(|sort| width(sort) != width(*kind) || sort == *kind) {
                        continue;
                    }
                    let [one, two] = [*left, *right].map(|term| arena.apply(Operation::Add, *kind, term, zero));
                    let (least, greatest) = arrival.herd.context.difference_bounds(arena, one?, two?);
                    if least.is_some_and(|least| least > 0) || greatest.is_some_and(|greatest| greatest < 0) {
                        ordered.extend([(*kind, first), (*kind, second)]);
                    }
                }
            }
        }
        for (kind, position) in ordered {
            let derived = Derived::Converted(kind, position);
            if !self.derived.contains(&derived) {
                let term = arena.apply(Operation::Add, kind, self.integers[position].0, zero)?;
                self.integers.push((term, Some(kind)));
                self.derived.push(derived);
            }
        }
        Ok(())
    }

    /// An element that was read before the loop, at an index that an integer still holds, is known again behind it.
    fn remember_elements(&mut self, arena: &Arena) -> Result<(), Rejection> {
        let own = self.integers.len() - self.derived.len();
        let is_kept = |(_, sort): &(LinearId, Option<IntegerType>)| sort.is_some();
        for position in 0..own {
            let (term, sort) = self.integers[position];
            let linear = arena.linear(term)?;
            let ([(atom, 1)], 0, Some(_)) = (&linear.summands[..], linear.constant, sort) else { continue };
            let Atom::Select { array, index } = *arena.atom(*atom)? else { continue };
            let array = self.arrays.iter().position(|(other, _)| *other == array);
            let index = self.integers[..own].iter().position(|entry| entry.0 == index && is_kept(entry));
            if let (Some(array), Some(index)) = (array, index)
                && !self.derived.contains(&Derived::Selected(array, index))
            {
                self.integers.push((term, sort));
                self.derived.push(Derived::Selected(array, index));
            }
        }
        Ok(())
    }
}

/// Where the integers are that the registers of the primary hold, or that their pointers have for indices, if there are no nodes.
pub(crate) fn positions(primary: &Member) -> BTreeMap<RegisterId, usize> {
    // The slots of the primary come first, the registers behind what it has consumed.
    let before = usize::from(matches!(primary.consumed, Slot::Integer(_)));
    let integers = primary.registers.iter().filter(|(_, slot)| matches!(slot, Slot::Integer(_) | Slot::Pointer(_)));
    integers.zip(before..).map(|((register, _), position)| (*register, position)).collect()
}

impl Visitor for Slots {
    fn integer(&mut self, term: LinearId, sort: Option<IntegerType>) -> LinearId {
        self.integers.push((term, sort));
        term
    }

    fn array(&mut self, array: ArrayId, sort: IntegerType) -> ArrayId {
        self.arrays.push((array, sort));
        array
    }

    fn shape(&mut self, shape: Shape) {
        self.shape.push(shape);
    }

    fn apart(&mut self) {
        self.apart.extend(self.integers.len().checked_sub(1));
    }
}

/// Replaces the terms one by one, in order.
pub(crate) struct Replacement<'a> {
    pub(crate) integers: std::slice::Iter<'a, LinearId>,
    pub(crate) arrays: std::slice::Iter<'a, ArrayId>,
}

impl Visitor for Replacement<'_> {
    fn integer(&mut self, term: LinearId, _: Option<IntegerType>) -> LinearId {
        self.integers.next().copied().unwrap_or(term)
    }

    fn array(&mut self, array: ArrayId, _: IntegerType) -> ArrayId {
        self.arrays.next().copied().unwrap_or(array)
    }

    fn shape(&mut self, _: Shape) {}
}

/// The nodes of a member as most are: their element is the one at index 0. Nothing has to be found out about their bounds and pointers to them.
struct Nodes {
    nodes: BTreeSet<ObjectId>,
}

impl Nodes {
    fn new(arena: &Arena, setting: Setting<'_>, member: &Member) -> Self {
        let is_node = |state: &&ObjectState| {
            let bounds = [state.lower, state.upper].map(|bound| arena.value(bound));
            bounds == [Some(0), Some(1)] && setting.nodes(SortId(state.declaration.0)).is_ok()
        };
        Self { nodes: member.objects.iter().filter(is_node).map(|state| state.object).collect() }
    }

    fn is_element(&self, arena: &Arena, object: ObjectId, index: LinearId) -> bool {
        self.nodes.contains(&object) && arena.value(index) == Some(0)
    }
}

fn visit_slot(arena: &Arena, slot: Slot, kind: Type, nodes: &Nodes, visitor: &mut dyn Visitor) -> Slot {
    let sort = if let Type::Integer(sort) = kind { Some(sort) } else { None };
    match slot {
        Slot::Integer(term) => {
            visitor.shape(Shape::Slot(2, None));
            Slot::Integer(visitor.integer(term, sort))
        }
        Slot::Pointer(Address { object, index, byte }) if nodes.is_element(arena, object, index) => {
            visitor.shape(Shape::Slot(5, Some((object, byte))));
            slot
        }
        Slot::Pointer(Address { object, index, byte }) => {
            visitor.shape(Shape::Slot(4, Some((object, byte))));
            Slot::Pointer(Address { object, index: visitor.integer(index, None), byte })
        }
        Slot::Forgotten => {
            visitor.shape(Shape::Slot(0, None));
            slot
        }
        Slot::Folded(part) => {
            visitor.shape(Shape::Part(part, End::Root));
            slot
        }
        Slot::Last(part) => {
            visitor.shape(Shape::Part(part, End::Last));
            slot
        }
        Slot::Uninitialised => {
            visitor.shape(Shape::Slot(1, None));
            slot
        }
        Slot::Null => {
            visitor.shape(Shape::Slot(3, None));
            slot
        }
    }
}

/// Writes the members as a template does.
pub(crate) fn visit(
    arena: &mut Arena,
    setting: Setting<'_>,
    arrival: &Arrival,
    visitor: &mut dyn Visitor,
) -> Result<Vec<Member>, Rejection> {
    let mut stores = arrival.stores.iter().copied();
    for sort in &arrival.folding.trees {
        visitor.shape(match *sort {
            TreeSort::Tree(sort) => Shape::Symbol(sort, false),
            TreeSort::Segment(sort) => Shape::Symbol(sort, true),
        });
    }
    let mut members = Vec::new();
    for (member, tag) in arrival.folding.members.iter().zip(&arrival.herd.tags) {
        visitor.shape(Shape::Member(member.location, *tag));
        let nodes = Nodes::new(arena, setting, member);
        let consumed = visit_slot(arena, member.consumed, Type::Pointer, &nodes, visitor);
        let mut registers = Vec::new();
        for (register, slot) in &member.registers {
            registers.push((*register, visit_slot(arena, *slot, setting.register_type(*register)?, &nodes, visitor)));
        }
        let mut objects = Vec::new();
        for state in &member.objects {
            let is_live = state.life == Life::Live;
            let (lower, upper) = if nodes.nodes.contains(&state.object) {
                visitor.shape(Shape::Node(state.object, is_live));
                (state.lower, state.upper)
            } else {
                visitor.shape(Shape::Object(state.object, is_live));
                (visitor.integer(state.lower, None), visitor.integer(state.upper, None))
            };
            let mut fields = Vec::new();
            for (field, declared) in state.fields.iter().zip(&setting.layout(state.declaration)?.fields) {
                visitor.shape(Shape::Field(field.cells.len(), field.rest.is_some()));
                let cells = field.cells.iter().map(|slot| visit_slot(arena, *slot, declared.kind, &nodes, visitor)).collect();
                let rest = match (field.rest, declared.kind) {
                    (Some(rest), Type::Integer(_)) if is_fixed(arena, rest)? => {
                        visitor.shape(Shape::Array(rest));
                        Some(rest)
                    }
                    (Some(rest), Type::Integer(sort)) => Some(visit_array(arena, rest, sort, stores.next().unwrap_or_default(), visitor)?),
                    _ => None,
                };
                fields.push(FieldState { cells, rest });
            }
            objects.push(ObjectState { object: state.object, declaration: state.declaration, life: state.life, lower, upper, fields });
        }
        let mut folded = Vec::new();
        for part in &member.folded {
            visitor.shape(Shape::Occurrence(part.tree));
            let slots = [part.above, part.same, part.below];
            let [above, same, below] = slots.map(|slot| visit_slot(arena, slot, Type::Pointer, &nodes, visitor));
            folded.push(Folded { tree: part.tree, above, same, below });
        }
        members.push(Member { location: member.location, size: member.size, consumed, registers, objects, folded });
    }
    for index in &arrival.herd.kept_indices {
        visitor.shape(Shape::Kept);
        visitor.integer(*index, None);
    }
    Ok(members)
}
