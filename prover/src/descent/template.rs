//! Templates: widened configurations at loop heads (Shrinker §5.4 `HWiden`; `spec/calculus.md#subsume`).
//!
//! A template keeps, of the configurations that arrived under its key, which slots are equal up to a constant, the differences that they
//! share, weakened to thresholds, and the disequalities. It is built as a certificate stores it and read back by the kernel's own function.

use super::{
    affine::Hull,
    differences::{Closed, Differences, excludes_zero, weaken},
    flow::Flow,
    folding::{self, Folding, Folds},
    herd::{Herd, History},
};
use crate::solving::{Apart, Context, Solver};
use goatherd_certificates::{
    configuration::{FieldState, Folded, FoldedId, Life, Member, ObjectState, Slot, Template, TreeId, TreeSort},
    derivation::{Matching, MemberId, OutcomeId},
    program::{IntegerType, Location, ObjectId, Operation, RegisterId, SortId, Type},
    term::{Array, ArrayId, ArrayVariable, Atom, LinearId, Literal, Scope, Sign, Variable},
};
use goatherd_checker::{
    arithmetic::{range, width},
    configuration::{Configuration, Setting},
    rejection::Rejection,
    substitution, subsume,
    term::{Arena, SORTS, sort_index},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// What of a configuration is not a term: templates of different shapes are different templates.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shape {
    /// A member: its location and which scapegoat it is.
    Member(Location, usize),
    /// What a register or cell holds, and the object that it points to.
    Slot(u32, Option<(ObjectId, u64)>),
    /// An object that exists.
    Object(ObjectId, bool),
    /// A field: how many cells stand apart, and whether there are others.
    Field(usize, bool),
    /// A constant array.
    Array(ArrayId),
    /// What a register or cell points to: the root of a folded part, or its last cell.
    Part(FoldedId, End),
    /// A folded part, an occurrence of this symbol.
    Occurrence(TreeId),
    /// A symbol: what its nodes are, and whether it has a hole.
    Symbol(SortId, bool),
    /// An integer that is no slot, but a function of one.
    Derived(Derived),
}

/// An end of a folded part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum End {
    /// Its root.
    Root,
    /// The cell above its hole.
    Last,
}

/// An integer that is a function of a slot, and on which a template keeps facts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Derived {
    /// What a conversion to the type makes of the integer at this position.
    Converted(IntegerType, usize),
    /// Of the array at this position, the first element that has no cell of its own.
    Element(usize),
    /// Of the array at the first position, the element whose index is the integer at the second.
    Selected(usize, usize),
}

/// Which way the loops of a program run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the first element on: herds are split at a head where no scapegoat is in step with the primary.
    Up,
    /// Also down to the first element: herds are split ahead of the last rounds as well, and the first element without a cell, which one of
    /// them writes, is remembered.
    Down,
}

/// Under which configurations share a template.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    /// How the primary came here.
    pub route: Route,
    shape: Vec<Shape>,
    /// Relevant integers of the primary that are small constants; in programs with linked structures also others that are 0 or 1, as answers
    /// are; with [`Keys::Positions`] also where its pointers point.
    constants: Vec<(RegisterId, i128)>,
    /// By how much live integers of the scapegoats are less, where that is a small constant, up to the period of their type.
    differences: Vec<(usize, RegisterId, i128)>,
    /// By how much elements that have cells of their own differ from each other, and from 0, where that is known.
    elements: Vec<(usize, usize, i128)>,
    /// What elements that have cells of their own hold, where it is a small constant: field, index and value. So a string that ends there
    /// is not taken for a longer one.
    known: Vec<(usize, usize, i128)>,
    /// The first element of an object that is known to be 0, where it has a cell of its own.
    terminators: Vec<(ObjectId, usize)>,
    /// By how much conversions of integers that no loop writes differ from them, where that is known: what the period is.
    periods: Vec<(RegisterId, IntegerType, i128)>,
    /// The ways that the primary took.
    branches: Vec<(Location, OutcomeId)>,
}

/// Which loops the primary has come through (Shrinker §0.A.1, abstract paths).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Route {
    /// The heads at which the derivation was widened, the template's own last.
    pub heads: Vec<Location>,
    /// The loops around the last head that are still followed precisely, with the round that they are in.
    pub rounds: Vec<(Location, u32)>,
}

/// Which herds share a template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Keys {
    /// Those on one abstract path, of one shape.
    Paths,
    /// Only those whose scapegoats also lag behind by the same amounts: sums that differ by what was left out.
    Differences,
    /// Only those whose first elements also differ by the same amounts: letters that are equal up to their case.
    Elements,
    /// Only those whose strings also end at the same of the first elements, or behind these: a string is short or long.
    Terminators,
    /// Only those whose primaries also point at the same of the first elements: what was found there before the loop.
    Positions,
    /// Only those whose primaries also took the same ways before their loops: facts that hold on one way but not on another.
    Branches,
}

/// What templates are made for.
#[derive(Clone, Copy)]
pub struct Basis<'a> {
    /// Program, parameters and k.
    pub setting: Setting<'a>,
    /// What is known of the program beforehand.
    pub flow: &'a Flow,
    /// Which way its loops run.
    pub direction: Direction,
    /// What is folded, where there is a choice.
    pub folds: Folds,
}

/// A herd that is to be covered by a template, and what of it a template lists.
#[derive(Clone)]
pub struct Arrival {
    /// The herd.
    pub herd: Herd,
    /// Its members, folded.
    folding: Folding,
}

impl Arrival {
    /// Folds the herd.
    pub fn new(arena: &mut Arena, basis: Basis<'_>, mut herd: Herd) -> Result<Self, Rejection> {
        let folding = folding::fold(arena, basis, &mut herd)?;
        Ok(Self { herd, folding })
    }

    /// The objects of the primary that a template lists.
    fn objects(&self) -> &[ObjectState] {
        self.folding.members.first().map_or(&[], |member| member.objects.as_slice())
    }
}

/// The terms of a configuration, in the order in which a template lists them.
#[derive(Default)]
struct Slots {
    integers: Vec<(LinearId, Option<IntegerType>)>,
    arrays: Vec<(ArrayId, IntegerType)>,
    shape: Vec<Shape>,
    /// Integers that are functions of slots. They stand behind all others.
    derived: Vec<Derived>,
}

impl Slots {
    /// The slots of the herd; the conversions of slots that its predicate mentions; elements, if loops run down.
    fn new(arena: &mut Arena, basis: Basis<'_>, arrival: &mut Arrival) -> Result<Self, Rejection> {
        let mut slots = Self::default();
        visit(arena, basis.setting, arrival, &mut slots)?;
        let mut atoms = BTreeSet::new();
        for literal in &arrival.herd.configuration.predicate {
            atoms.extend(arena.linear(literal.term)?.summands.iter().map(|(atom, _)| *atom));
        }
        for atom in atoms {
            let Atom::Apply { operation: Operation::Add, kind, left, .. } = *arena.atom(atom)? else { continue };
            if let Some(position) = slots.integers.iter().position(|(term, _)| *term == left) {
                slots.integers.push((arena.of_atom(atom)?, Some(kind)));
                slots.derived.push(Derived::Converted(kind, position));
            }
        }
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
        Ok(slots)
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
            if let (Some(array), Some(index)) = (array, index) {
                self.integers.push((term, sort));
                self.derived.push(Derived::Selected(array, index));
            }
        }
        Ok(())
    }
}

/// What to put in the place of each term while a configuration is written as a template.
trait Visitor {
    fn integer(&mut self, term: LinearId, sort: Option<IntegerType>) -> LinearId;
    fn array(&mut self, array: ArrayId, sort: IntegerType) -> ArrayId;
    fn shape(&mut self, shape: Shape);
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
}

/// Replaces the terms one by one, in order.
struct Replacement<'a> {
    integers: std::slice::Iter<'a, LinearId>,
    arrays: std::slice::Iter<'a, ArrayId>,
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

fn visit_slot(slot: Slot, kind: Type, visitor: &mut dyn Visitor) -> Slot {
    let sort = if let Type::Integer(sort) = kind { Some(sort) } else { None };
    match slot {
        Slot::Integer(term) => {
            visitor.shape(Shape::Slot(2, None));
            Slot::Integer(visitor.integer(term, sort))
        }
        Slot::Pointer { object, index, byte } => {
            visitor.shape(Shape::Slot(4, Some((object, byte))));
            Slot::Pointer { object, index: visitor.integer(index, None), byte }
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
fn visit(arena: &Arena, setting: Setting<'_>, arrival: &Arrival, visitor: &mut dyn Visitor) -> Result<Vec<Member>, Rejection> {
    for sort in &arrival.folding.trees {
        visitor.shape(match *sort {
            TreeSort::Tree(sort) => Shape::Symbol(sort, false),
            TreeSort::Segment(sort) => Shape::Symbol(sort, true),
        });
    }
    let mut members = Vec::new();
    for (member, tag) in arrival.folding.members.iter().zip(&arrival.herd.tags) {
        visitor.shape(Shape::Member(member.location, *tag));
        let mut registers = Vec::new();
        for (register, slot) in &member.registers {
            registers.push((*register, visit_slot(*slot, setting.register_type(*register)?, visitor)));
        }
        let mut objects = Vec::new();
        for state in &member.objects {
            visitor.shape(Shape::Object(state.object, state.life == Life::Live));
            let (lower, upper) = (visitor.integer(state.lower, None), visitor.integer(state.upper, None));
            let mut fields = Vec::new();
            for (field, declared) in state.fields.iter().zip(&setting.layout(state.declaration)?.fields) {
                visitor.shape(Shape::Field(field.cells.len(), field.rest.is_some()));
                let cells = field.cells.iter().map(|slot| visit_slot(*slot, declared.kind, visitor)).collect();
                let rest = match (field.rest, declared.kind) {
                    (Some(rest), Type::Integer(sort)) => Some(match arena.array(rest)? {
                        Array::Table(_) => {
                            visitor.shape(Shape::Array(rest));
                            rest
                        }
                        _ => visitor.array(rest, sort),
                    }),
                    _ => None,
                };
                fields.push(FieldState { cells, rest });
            }
            objects.push(ObjectState { object: state.object, declaration: state.declaration, life: state.life, lower, upper, fields });
        }
        let mut folded = Vec::new();
        for part in &member.folded {
            visitor.shape(Shape::Occurrence(part.tree));
            let [above, below] = [part.above, part.below].map(|slot| visit_slot(slot, Type::Pointer, visitor));
            folded.push(Folded { tree: part.tree, above, below });
        }
        members.push(Member { location: member.location, registers, objects, folded });
    }
    Ok(members)
}

/// What holds of the slots of all configurations that a template was widened from. Positions are those of [`Slots`].
struct Facts {
    differences: Differences,
    disequalities: BTreeSet<Apart>,
    hull: Hull,
    /// Per array the first one that is equal to it.
    classes: Vec<usize>,
    /// Integers that need not lie in the range of their type.
    unsorted: BTreeSet<usize>,
}

/// A template and what it was widened from.
pub struct Widened {
    /// As a certificate stores it.
    pub stored: Template,
    /// As the kernel works on it.
    pub configuration: Configuration,
    /// Which scapegoats its members are; 0 is the primary.
    pub tags: Vec<usize>,
    history: History,
    /// How often it was widened.
    pub version: u32,
    facts: Facts,
    /// The slots whose terms are the images of the variables, in the order of the scope.
    integer_images: Vec<usize>,
    array_images: Vec<usize>,
    /// Which members of what arrives its members cover.
    positions: Vec<usize>,
}

/// By how much live integers of the scapegoats are less than the primary's, where that is known and small, up to the period of their type.
fn lags(arena: &mut Arena, basis: Basis<'_>, herd: &mut Herd, head: Location) -> Result<Vec<(usize, RegisterId, i128)>, Rejection> {
    let Herd { configuration, context, tags, .. } = herd;
    let primary = configuration.member(MemberId(0))?;
    let greatest = i128::from(basis.setting.k) + 1;
    let mut lags = Vec::new();
    for (member, tag) in configuration.members.iter().zip(tags.iter()).skip(1) {
        for (register, slots) in (0..).map(RegisterId).zip(primary.registers.iter().zip(&member.registers)) {
            if let (Slot::Integer(left), Slot::Integer(right)) = slots
                && basis.flow.is_live(head, register)
                && let (Some(least), Some(most)) = context.difference_bounds(arena, *left, *right)
                && least == most
            {
                // One of the two may have wrapped around, and the other one not yet.
                let period = 1_i128 << width(basis.setting.integer_type(register)?);
                if [least, least + period, least - period].iter().any(|value| value.abs() <= greatest) {
                    lags.push((*tag, register, least));
                }
            }
        }
    }
    Ok(lags)
}

/// The key under which a herd arrives at the last head of the path.
pub fn key(arena: &mut Arena, basis: Basis<'_>, arrival: &mut Arrival, route: Route, keys: Keys) -> Result<Key, Rejection> {
    let Basis { setting, flow, .. } = basis;
    let slots = Slots::new(arena, basis, arrival)?;
    let head = route.heads.last().copied().unwrap_or_default();
    let Arrival { herd, folding } = arrival;
    let differences = if matches!(keys, Keys::Differences | Keys::Branches) { lags(arena, basis, herd, head)? } else { Vec::new() };
    let objects = folding.members.first().map_or(&[][..], |member| &member.objects);
    let terminators = if keys == Keys::Terminators { herd.terminators(arena, objects) } else { Vec::new() };
    // What is in a node is one element of many.
    let arrays = objects.iter().filter(|state| setting.nodes(SortId(state.declaration.0)).is_err());
    let fields: Vec<&FieldState> = arrays.flat_map(|state| &state.fields).collect();
    let Herd { configuration, context, history, .. } = herd;
    let k = i128::from(setting.k);
    let mut exact = |arena: &mut Arena, left, right| match context.difference_bounds(arena, left, right) {
        (Some(least), Some(greatest)) if least == greatest && least.abs() <= k + 1 => Some(least),
        _ => None,
    };
    let mut constants = Vec::new();
    let zero = arena.constant(0)?;
    let primary = configuration.member(MemberId(0))?;
    for register in &flow.loops[&head].relevant {
        if let Slot::Integer(term) = primary.register(*register)? {
            constants.extend(exact(arena, term, zero).filter(|value| (0..=k).contains(value)).map(|value| (*register, value)));
        }
    }
    if flow.is_linked {
        // What an earlier loop has found out.
        for (register, slot) in (0..).map(RegisterId).zip(&primary.registers) {
            if let Slot::Integer(term) = slot
                && flow.is_live(head, register)
                && !flow.loops[&head].relevant.contains(&register)
            {
                constants.extend(exact(arena, *term, zero).filter(|value| (0..=1).contains(value)).map(|value| (register, value)));
            }
        }
    }
    if keys == Keys::Positions {
        for (number, slot) in (0..).zip(&primary.registers) {
            if let Slot::Pointer { index, .. } = slot
                && flow.is_live(head, RegisterId(number))
            {
                constants
                    .extend(exact(arena, *index, zero).filter(|value| (0..k).contains(value)).map(|value| (RegisterId(number), value)));
            }
        }
    }
    let mut known = Vec::new();
    for (number, field) in fields.iter().enumerate() {
        for (index, cell) in field.cells.iter().enumerate() {
            if let Slot::Integer(term) = cell {
                known.extend(exact(arena, *term, zero).map(|value| (number, index, value)));
            }
        }
    }
    let mut elements = Vec::new();
    if keys == Keys::Elements {
        let mut terms = vec![zero];
        for field in &fields {
            terms.extend(field.cells.iter().filter_map(|cell| if let Slot::Integer(term) = cell { Some(*term) } else { None }));
        }
        let own = slots.integers.len() - slots.derived.len();
        for (derived, (term, _)) in slots.derived.iter().zip(&slots.integers[own..]) {
            if matches!(derived, Derived::Converted(_, position) if terms.contains(&slots.integers[*position].0)) {
                terms.push(*term);
            }
        }
        for (row, left) in terms.iter().enumerate() {
            for (column, right) in terms.iter().enumerate().take(row) {
                if let (Some(least), Some(greatest)) = context.difference_bounds(arena, *left, *right)
                    && least == greatest
                {
                    elements.push((row, column, least));
                }
            }
        }
    }
    let own = slots.integers.len() - slots.derived.len();
    let mut periods = Vec::new();
    for (derived, (term, _)) in slots.derived.iter().zip(&slots.integers[own..]) {
        let Derived::Converted(kind, position) = derived else { continue };
        let value = slots.integers[*position].0;
        let is_value = |register: &RegisterId| matches!(primary.register(*register), Ok(Slot::Integer(term)) if term == value);
        if let Some(register) = flow.constants.iter().copied().find(is_value)
            && let (Some(least), Some(greatest)) = context.difference_bounds(arena, *term, value)
            && least == greatest
        {
            periods.push((register, *kind, least));
        }
    }
    let branches = if keys == Keys::Branches { history.branches.clone() } else { Vec::new() };
    Ok(Key { route, shape: slots.shape, constants, differences, elements, known, terminators, periods, branches })
}

/// A template for the herd, widened from the old one of the same key.
pub fn widen(arena: &mut Arena, basis: Basis<'_>, arrival: &mut Arrival, old: Option<&Widened>) -> Result<Widened, Rejection> {
    let slots = Slots::new(arena, basis, arrival)?;
    let Arrival { herd, .. } = &mut *arrival;
    let terms: Vec<LinearId> = slots.integers.iter().map(|(term, _)| *term).collect();
    let matrix = herd.context.bounds_matrix(arena, &terms);
    let new: Differences = (0..matrix.size()).map(|row| (0..matrix.size()).map(|column| matrix.get(row, column)).collect()).collect();
    let hull = Hull::new(&herd.context.combinations(arena, &terms));
    let found: BTreeSet<Apart> = herd.context.disequalities(arena, &terms).into_iter().collect();
    let arrays: Vec<ArrayId> = slots.arrays.iter().map(|(array, _)| *array).collect();
    let mut classes = Vec::new();
    for (position, array) in arrays.iter().enumerate() {
        let equal = (0..position).find(|other| herd.context.arrays_equal(arena, arrays[*other], *array));
        classes.push(equal.map_or(position, |other| classes[other]));
    }
    let mut unsorted = BTreeSet::new();
    for (position, (term, sort)) in slots.integers.iter().enumerate() {
        if let Some(sort) = sort {
            let (least, greatest) = range(*sort);
            let zero = arena.constant(0)?;
            let bounds = herd.context.difference_bounds(arena, *term, zero);
            if !matches!(bounds, (Some(low), Some(high)) if least <= low && high <= greatest) {
                unsorted.insert(position);
            }
        }
    }
    let Some(Widened { facts: old, version, .. }) = old else {
        return build(arena, basis, arrival, &slots, Facts { differences: new, disequalities: found, hull, classes, unsorted }, 0);
    };
    let mut differences = new.clone();
    for (row, (from, old_from)) in differences.iter_mut().zip(&old.differences).enumerate() {
        for (column, (bound, old_bound)) in from.iter_mut().zip(old_from).enumerate() {
            *bound = weaken(*old_bound, *bound, row == 0 || column == 0);
        }
    }
    let mut disequalities: BTreeSet<Apart> = old.disequalities.union(&found).copied().collect();
    disequalities.retain(|entry| {
        (old.disequalities.contains(entry) || excludes_zero(|from, to| old.differences[from][to], *entry))
            && (found.contains(entry) || excludes_zero(|from, to| new[from][to], *entry))
    });
    let pairs: Vec<(usize, usize)> = old.classes.iter().copied().zip(classes).collect();
    let classes = pairs.iter().map(|pair| pairs.iter().position(|other| other == pair).unwrap_or_default()).collect();
    unsorted.extend(&old.unsorted);
    let hull = old.hull.join(&hull);
    build(arena, basis, arrival, &slots, Facts { differences, disequalities, hull, classes, unsorted }, version + 1)
}

/// Writes a template: slots that are equal up to a constant share a variable.
fn build(arena: &mut Arena, basis: Basis<'_>, arrival: &Arrival, slots: &Slots, facts: Facts, version: u32) -> Result<Widened, Rejection> {
    let Basis { setting, .. } = basis;
    let closed = Closed::new(&facts.differences, slots.derived.len());
    let mut scope = Scope::default();
    let mut arrays: BTreeMap<ArrayVariable, usize> = BTreeMap::new();
    let mut array_terms: Vec<ArrayId> = Vec::new();
    for (position, class) in facts.classes.iter().enumerate() {
        array_terms.push(if *class < position {
            array_terms[*class]
        } else {
            let sort = slots.arrays[position].1;
            let index = SORTS.iter().position(|other| *other == sort).unwrap_or_default();
            let variable = ArrayVariable { sort, number: scope.arrays[index] };
            scope.arrays[index] += 1;
            arrays.insert(variable, position);
            arena.array_variable(variable)?
        });
    }
    let mut integers: BTreeMap<Variable, usize> = BTreeMap::new();
    // Term 0 is zero; a representative stands for all terms at a constant distance.
    let mut representatives = vec![0];
    let mut terms = vec![arena.constant(0)?];
    let mut predicate = Vec::new();
    let own = slots.integers.len() - slots.derived.len();
    for position in 0..slots.integers.len() {
        let row = position + 1;
        let equal = representatives.iter().copied().find_map(|other| {
            let gap = closed.get(row, other)?;
            (closed.get(other, row) == Some(-gap)).then_some((other, gap))
        });
        if let Some(derived) = position.checked_sub(own).map(|position| slots.derived[position]) {
            let term = match derived {
                Derived::Converted(kind, other) => {
                    let zero = arena.constant(0)?;
                    arena.apply(Operation::Add, kind, terms[other + 1], zero)?
                }
                Derived::Element(array) => {
                    let index = arena.constant(i128::from(setting.k))?;
                    arena.select(array_terms[array], index)?
                }
                Derived::Selected(array, index) => arena.select(array_terms[array], terms[index + 1])?,
            };
            terms.push(term);
            match equal {
                // It is no variable that could stand for the other: say that they are equal.
                Some((other, gap)) => {
                    let literal = Literal { sign: Sign::Zero, term: arena.combine(-gap, &[(term, 1), (terms[other], -1)])? };
                    if arena.evident(literal) != Some(true) {
                        predicate.push(literal);
                    }
                }
                None => representatives.push(row),
            }
            continue;
        }
        terms.push(if let Some((other, gap)) = equal {
            arena.plus(terms[other], gap)?
        } else {
            representatives.push(row);
            let sort = slots.integers[position].1.filter(|_| !facts.unsorted.contains(&position));
            let count = &mut scope.integers[sort_index(sort)];
            let variable = Variable { sort, number: *count };
            *count += 1;
            integers.insert(variable, position);
            arena.variable(variable)?
        });
    }
    relate(arena, &mut predicate, &terms, &representatives, &closed, &facts.disequalities)?;
    let slots: Vec<usize> = representatives.iter().filter_map(|row| row.checked_sub(1)).collect();
    for equation in facts.hull.equations(&slots) {
        let summands: Vec<(LinearId, i128)> = equation.summands.iter().map(|(slot, coefficient)| (terms[slot + 1], *coefficient)).collect();
        let literal = Literal { sign: Sign::Zero, term: arena.combine(equation.constant, &summands)? };
        if arena.evident(literal) != Some(true) {
            predicate.push(literal);
        }
    }
    let mut replacement = Replacement { integers: terms[1..].iter(), arrays: array_terms.iter() };
    let members = visit(arena, setting, arrival, &mut replacement)?;
    let stored = Template { scope, trees: arrival.folding.trees.clone(), predicate, members };
    let configuration = subsume::template(setting, &stored)?;
    let (integer_order, array_order) = substitution::variables(&scope);
    Ok(Widened {
        stored,
        configuration,
        tags: arrival.herd.tags.clone(),
        history: arrival.herd.history.clone(),
        version,
        facts,
        integer_images: integer_order.iter().map(|variable| integers[variable]).collect(),
        array_images: array_order.iter().map(|variable| arrays[variable]).collect(),
        positions: (0..arrival.folding.members.len()).collect(),
    })
}

/// Adds what is known of the terms' differences to the predicate: the bounds that others do not imply, then the disequalities.
fn relate(
    arena: &mut Arena,
    predicate: &mut Vec<Literal>,
    terms: &[LinearId],
    representatives: &[usize],
    closed: &Closed,
    disequalities: &BTreeSet<Apart>,
) -> Result<(), Rejection> {
    for &from in representatives {
        for &to in representatives {
            let Some(bound) = closed.get(from, to).filter(|_| from != to) else { continue };
            let is_implied = representatives.iter().any(|&middle| {
                middle != from
                    && middle != to
                    && matches!((closed.get(from, middle), closed.get(middle, to)), (Some(first), Some(second)) if first.saturating_add(second) <= bound)
            });
            if is_implied {
                continue;
            }
            let term = arena.combine(-bound, &[(terms[from], 1), (terms[to], -1)])?;
            let literal = Literal { sign: Sign::AtMostZero, term };
            if arena.evident(literal) != Some(true) {
                predicate.push(literal);
            }
        }
    }
    for &apart in disequalities {
        if excludes_zero(|from, to| closed.get(from, to), apart) {
            continue;
        }
        let Apart { left, right, constant } = apart;
        let term = arena.combine(constant, &[(terms[left], 1), (terms[right], -1)])?;
        let literal = Literal { sign: Sign::NotZero, term };
        let opposite = Literal { term: arena.combine(0, &[(term, -1)])?, ..literal };
        if arena.evident(literal).is_none() && !predicate.contains(&literal) && !predicate.contains(&opposite) {
            predicate.push(literal);
        }
    }
    Ok(())
}

impl Widened {
    /// Under what the herd, of the template's shape, may be covered.
    pub fn matching(&self, arena: &Arena, setting: Setting<'_>, arrival: &Arrival) -> Result<Matching, Rejection> {
        let mut slots = Slots::default();
        visit(arena, setting, arrival, &mut slots)?;
        let Folding { paths, objects, .. } = &arrival.folding;
        let integer = |position: &usize| slots.integers.get(*position).map(|(term, _)| *term).ok_or(Rejection::Shape);
        let array = |position: &usize| slots.arrays.get(*position).map(|(array, _)| *array).ok_or(Rejection::Shape);
        let objects = |position: &usize| objects.get(*position).cloned().ok_or(Rejection::Shape);
        Ok(Matching {
            integers: self.integer_images.iter().map(integer).collect::<Result<_, _>>()?,
            arrays: self.array_images.iter().map(array).collect::<Result<_, _>>()?,
            paths: paths.clone(),
            objects: self.positions.iter().map(objects).collect::<Result<_, _>>()?,
        })
    }

    /// Keeps the members at these positions only.
    pub fn retain(&mut self, positions: &BTreeSet<usize>) {
        let is_kept = |position: &mut usize| {
            *position += 1;
            positions.contains(&(*position - 1))
        };
        let (mut stored, mut configuration, mut tags, mut covered) = (0, 0, 0, 0);
        self.stored.members.retain(|_| is_kept(&mut stored));
        self.configuration.members.retain(|_| is_kept(&mut configuration));
        self.tags.retain(|_| is_kept(&mut tags));
        self.positions.retain(|_| is_kept(&mut covered));
    }

    /// The template as the start of its own derivation.
    pub fn herd(&self, arena: &mut Arena, solver: &Arc<Solver>) -> Herd {
        let mut context = Context::with_solver(Arc::clone(solver));
        for literal in &self.configuration.predicate {
            context.assume(arena, *literal);
        }
        Herd {
            configuration: self.configuration.clone(),
            context,
            tags: self.tags.clone(),
            history: self.history.clone(),
            candidates: Arc::default(),
        }
    }
}
