//! Configurations that describe a concrete state, and whether one does.

use super::{
    folding::{self, Part},
    programs::{one_in, pick, value},
};
use crate::valuation::{Function, Valuation, apply};
use goatherd_certificates::{
    InputSize,
    configuration::{Address, FieldState, Folded, FoldedId, Life, ObjectState, Slot, TreeId, TreeSort},
    program::{IntegerType, Location, ObjectId, Operation, Origin, SortId, Type},
    term::{Array, ArrayId, ArrayVariable, Atom, LinearId, Variable},
};
use goatherd_checker::{
    configuration::{Configuration, Member, Place, Setting},
    rejection::{Rejection, Unsupported},
    term::{Arena, sort_index},
};
use goatherd_interpreter::{self as interpreter, Machine, MemoryObject, Random, Value, arithmetic};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A configuration of one member, with a valuation under which it is the state that it was made from.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// The configuration.
    pub configuration: Configuration,
    /// The values of its variables.
    pub valuation: Valuation,
    /// By how much the indices of each object are shifted.
    pub shifts: BTreeMap<ObjectId, i128>,
    /// What its folded parts are; each is the only occurrence of its symbol.
    pub parts: Vec<Part>,
}

/// Invents configurations.
struct Inventor<'a, 'p> {
    arena: &'a mut Arena,
    setting: Setting<'p>,
    random: &'a mut Random,
    this: Abstraction,
    is_whole: BTreeSet<ObjectId>,
}

/// The kernel's names of the machine's objects but for those in folded parts: the first of a declaration has that one's, others come behind all
/// declarations.
fn names(setting: Setting<'_>, machine: &Machine<'_>, parts: &[Part]) -> Vec<Option<ObjectId>> {
    let folded: BTreeSet<usize> = parts.iter().flat_map(|part| &part.nodes).map(|(node, _)| *node).collect();
    let mut first = BTreeSet::new();
    let mut next = (0..).map(ObjectId).skip(setting.program.objects.len());
    let mut name = |declaration: ObjectId| if first.insert(declaration) { Some(declaration) } else { next.next() };
    let declarations = machine.objects().iter().map(|state| folding::declaration(setting.program, state)).enumerate();
    declarations.map(|(number, declaration)| declaration.filter(|_| !folded.contains(&number)).and_then(&mut name)).collect()
}

/// Describes the state in some way: constants, variables, sums, selects, shifted indices; some registers and cells forgotten.
pub fn describe(arena: &mut Arena, setting: Setting<'_>, random: &mut Random, machine: &Machine<'_>) -> Result<Abstraction, Rejection> {
    let mut configuration = Configuration::before_inputs(arena, setting)?;
    configuration.scope = goatherd_certificates::term::Scope::default();
    let member = Member {
        place: Place::At(machine.location()),
        registers: vec![Slot::Forgotten; setting.program.registers.len()],
        objects: vec![None; setting.program.objects.len()],
        folded: Vec::new(),
        size: InputSize::NotLarger,
        consumed: Slot::Forgotten,
        held: 0,
    };
    configuration.members = vec![member];
    let parts = if one_in(random, 2) { folding::parts(random, setting.program, machine) } else { Vec::new() };
    let this = Abstraction { configuration, valuation: Valuation::default(), shifts: BTreeMap::new(), parts };
    let names = names(setting, machine, &this.parts);
    let mut inventor = Inventor { arena, setting, random, this, is_whole: BTreeSet::new() };
    for (state, name) in machine.objects().iter().zip(&names) {
        if let (Some(object), Some(declaration)) = (*name, folding::declaration(setting.program, state)) {
            inventor.shape(object, declaration, state);
        }
    }
    inventor.fold(machine)?;
    for (state, name) in machine.objects().iter().zip(&names) {
        if let (Some(object), Some(declaration)) = (*name, folding::declaration(setting.program, state)) {
            let state = inventor.object(machine, object, declaration, state)?;
            let objects = &mut inventor.this.configuration.members[0].objects;
            objects.resize(objects.len().max(object.index() + 1), None);
            objects[object.index()] = Some(Arc::new(state));
        }
    }
    for (register, concrete) in machine.registers().iter().enumerate() {
        let kind = setting.program.registers[register].kind;
        let slot = if one_in(inventor.random, 20) { Slot::Forgotten } else { inventor.slot(machine, *concrete, kind)? };
        inventor.this.configuration.members[0].registers[register] = slot;
    }
    Ok(inventor.this)
}

impl Inventor<'_, '_> {
    fn fresh(&mut self, sort: Option<IntegerType>, concrete: i128) -> Result<LinearId, Rejection> {
        let term = self.this.configuration.fresh(self.arena, sort)?;
        let number = self.this.configuration.scope.integers[sort_index(sort)] - 1;
        self.this.valuation.integers.insert(Variable { sort, number }, concrete);
        Ok(term)
    }

    fn fresh_array(&mut self, sort: IntegerType, function: Function) -> Result<ArrayId, Rejection> {
        let array = self.this.configuration.fresh_array(self.arena, sort)?;
        let number = self.this.configuration.scope.arrays[sort_index(Some(sort)) - 1] - 1;
        self.this.valuation.arrays.insert(ArrayVariable { sort, number }, function);
        Ok(array)
    }

    /// A term with this value.
    fn term(&mut self, concrete: i128, kind: Option<IntegerType>) -> Result<LinearId, Rejection> {
        let sort = kind.filter(|kind| arithmetic::contains(*kind, concrete));
        match self.random.below(10) {
            0..=2 => self.arena.constant(concrete),
            3..=5 => self.fresh(sort, concrete),
            6 => {
                // A variable that is there already, and the difference.
                let known: Vec<_> = self.this.valuation.integers.iter().map(|(variable, value)| (*variable, *value)).collect();
                if known.is_empty() {
                    return self.arena.constant(concrete);
                }
                let (variable, known) = *pick(self.random, &known);
                let term = self.arena.variable(variable)?;
                self.arena.plus(term, concrete - known)
            }
            7 => {
                let factor = i128::from(self.random.below(4)) + 2;
                let term = self.fresh(None, concrete.div_euclid(factor))?;
                self.arena.combine(concrete.rem_euclid(factor), &[(term, factor)])
            }
            8 => {
                let divisor = i128::from(self.random.below(4)) + 2;
                let rest = i128::from(self.random.below(2));
                let term = self.fresh(None, concrete * divisor + rest)?;
                self.arena.quotient(term, divisor)
            }
            _ => {
                let Some(kind) = sort else { return self.fresh(None, concrete) };
                if one_in(self.random, 2) {
                    let mask = value(self.random, kind);
                    let left = self.fresh(Some(kind), mask)?;
                    let right = self.fresh(Some(kind), apply(Operation::Xor, kind, mask, concrete))?;
                    return self.arena.apply(Operation::Xor, kind, left, right);
                }
                let at = i128::from(self.random.below(3));
                let index = self.fresh(None, at)?;
                let array = self.fresh_array(kind, Function { exceptions: BTreeMap::from([(at, concrete)]), otherwise: 0 })?;
                self.arena.select(array, index)
            }
        }
    }

    fn slot(&mut self, machine: &Machine<'_>, concrete: Value, kind: Type) -> Result<Slot, Rejection> {
        Ok(match concrete {
            Value::Uninitialised => Slot::Uninitialised,
            Value::Null if one_in(self.random, 30) => self.empty_tree().unwrap_or(Slot::Null),
            Value::Null => Slot::Null,
            Value::Integer(value) => {
                let kind = if let Type::Integer(kind) = kind { Some(kind) } else { None };
                Slot::Integer(self.term(value, kind)?)
            }
            Value::Pointer(pointer) => {
                let Some(object) = names(self.setting, machine, &self.this.parts)[pointer.object.0] else {
                    return Ok(self.inside_part(concrete));
                };
                let shift = self.this.shifts.get(&object).copied().unwrap_or(0);
                Slot::Pointer(Address { object, index: self.term(pointer.index + shift, None)?, byte: pointer.byte })
            }
        })
    }

    /// Lists the folded parts.
    fn fold(&mut self, machine: &Machine<'_>) -> Result<(), Rejection> {
        let Some((node, _)) = folding::nodes(self.setting.program) else { return Ok(()) };
        for part in self.this.parts.clone() {
            let sort = SortId(node.0);
            let sort = if part.hole.is_some() { TreeSort::Segment(sort) } else { TreeSort::Tree(sort) };
            let above = part.above.map_or(Ok(Slot::Null), |above| self.slot(machine, above, Type::Pointer))?;
            let below = part.hole.map_or(Ok(Slot::Null), |(_, below)| self.slot(machine, below, Type::Pointer))?;
            self.add_part(sort, above, below);
        }
        Ok(())
    }

    fn add_part(&mut self, sort: TreeSort, above: Slot, below: Slot) {
        let configuration = &mut self.this.configuration;
        let tree = TreeId(u32::try_from(configuration.trees.len()).unwrap_or(u32::MAX));
        configuration.trees.push(sort);
        configuration.members[0].folded.push(Some(Folded { tree, above, same: Slot::Forgotten, below }));
    }

    /// NULL as a tree; none before the others are listed.
    fn empty_tree(&mut self) -> Option<Slot> {
        let (node, _) = folding::nodes(self.setting.program)?;
        let count = self.this.configuration.members[0].folded.len();
        let id = u32::try_from(count).ok().filter(|_| count >= self.this.parts.len())?;
        self.this.parts.push(Part::empty());
        self.add_part(TreeSort::Tree(SortId(node.0)), Slot::Null, Slot::Null);
        Some(Slot::Folded(FoldedId(id)))
    }

    /// A pointer into a folded part: only those to its root and to its last cell have names.
    fn inside_part(&mut self, concrete: Value) -> Slot {
        let mut slots = Vec::new();
        for (id, part) in (0..).map(FoldedId).zip(&self.this.parts) {
            slots.extend((part.root == concrete).then_some(Slot::Folded(id)));
            slots.extend(part.hole.filter(|(last, _)| *last == concrete).map(|_| Slot::Last(id)));
        }
        if slots.is_empty() { Slot::Forgotten } else { *pick(self.random, &slots) }
    }

    /// Decides whether the cells are all that the object has, and where it begins.
    fn shape(&mut self, object: ObjectId, declaration: ObjectId, state: &MemoryObject<'_>) {
        let count = i128::from(state.count);
        // An array term holds integers only.
        let has_others = (0..count.min(64)).any(|index| {
            let mut fields = state.layout.fields.iter().enumerate();
            fields.any(|(field, _)| !matches!(state.cell(index, field), Value::Integer(_)))
        });
        let has_pointers = state.layout.fields.iter().any(|field| field.kind == Type::Pointer);
        let is_whole = has_pointers || has_others || count <= i128::from(self.setting.k) && one_in(self.random, 2);
        let is_static = matches!(self.setting.program.objects[declaration.index()].origin, Origin::Static { .. });
        let shift = if is_whole || is_static || one_in(self.random, 2) { 0 } else { i128::from(self.random.below(6)) - 2 };
        self.this.shifts.insert(object, shift);
        if is_whole {
            self.is_whole.insert(object);
        }
    }

    fn object(
        &mut self,
        machine: &Machine<'_>,
        object: ObjectId,
        declaration: ObjectId,
        state: &MemoryObject<'_>,
    ) -> Result<ObjectState, Rejection> {
        let count = i128::from(state.count);
        let k = i128::from(self.setting.k);
        let is_whole = self.is_whole.contains(&object);
        let shift = self.this.shifts.get(&object).copied().unwrap_or(0);
        if is_whole && count > 64 {
            return Err(Rejection::Unsupported(Unsupported::PointerArray));
        }
        let (lower, upper) = if is_whole {
            (self.arena.constant(0)?, self.arena.constant(count)?)
        } else {
            let lower = self.term(shift, None)?;
            (lower, self.term(count + shift, Some(IntegerType::U64))?)
        };
        let mut fields = Vec::new();
        for (position, field) in state.layout.fields.iter().enumerate() {
            let number = if is_whole { count } else { k };
            let mut cells = Vec::new();
            for index in 0..number {
                let concrete = state.cell(index - shift, position);
                let slot = match (concrete, field.kind) {
                    _ if one_in(self.random, 30) => Slot::Forgotten,
                    (Value::Uninitialised, Type::Integer(kind)) if !state.holds(index - shift) => {
                        let other = value(self.random, kind);
                        Slot::Integer(self.term(other, Some(kind))?)
                    }
                    _ => self.slot(machine, concrete, field.kind)?,
                };
                cells.push(slot);
            }
            let rest = match field.kind {
                Type::Integer(kind) if !is_whole => Some(self.rest(state, position, shift, kind)?),
                _ => None,
            };
            fields.push(FieldState { cells, rest });
        }
        let life = match state.life {
            interpreter::Life::Live => Life::Live,
            interpreter::Life::Dead => Life::Dead,
        };
        Ok(ObjectState { object, declaration, life, lower, upper, fields })
    }

    fn rest(&mut self, state: &MemoryObject<'_>, field: usize, shift: i128, kind: IntegerType) -> Result<ArrayId, Rejection> {
        let function = contents(state, field, shift, value(self.random, kind));
        let stored: Vec<_> = function.exceptions.iter().map(|(index, value)| (*index, *value)).collect();
        let mut below = function;
        let is_stored = !stored.is_empty() && one_in(self.random, 3);
        let chosen = if is_stored { Some(*pick(self.random, &stored)) } else { None };
        if let Some((index, _)) = chosen {
            below.exceptions.insert(index, value(self.random, kind));
        }
        let array = self.fresh_array(kind, below)?;
        match chosen {
            Some((index, value)) => {
                let (index, value) = (self.term(index, None)?, self.term(value, Some(kind))?);
                self.arena.store(array, index, value)
            }
            None => Ok(array),
        }
    }
}

/// The integers of a field as a function of the shifted index. Objects with very many elements hold few different values.
fn contents(state: &MemoryObject<'_>, field: usize, shift: i128, otherwise: i128) -> Function {
    let count = i128::from(state.count);
    let mut function = Function { exceptions: BTreeMap::new(), otherwise };
    let at = |index: i128| if let Value::Integer(value) = state.cell(index, field) { value } else { otherwise };
    if count > 64 {
        function.otherwise = at(count - 1);
    }
    for index in 0..count.min(64) {
        function.exceptions.insert(index + shift, at(index));
    }
    function
}

/// Does the configuration describe the machine's state, for some values of the variables that the valuation does not have?
pub fn describes(arena: &Arena, setting: Setting<'_>, this: &Abstraction, machine: &Machine<'_>, place: Option<Location>) -> bool {
    let member = &this.configuration.members[0];
    if place.map_or(Place::Failed, Place::At) != member.place {
        return false;
    }
    if place.is_none() {
        return true;
    }
    let mut matcher = Matcher { arena, setting, valuation: this.valuation.clone(), shifts: this.shifts.clone(), parts: &this.parts };
    let names = names(setting, machine, &this.parts);
    let mut concrete = machine.objects().iter().zip(&names);
    let objects = member.objects.iter().flatten().count() == names.iter().flatten().count()
        && concrete.all(|(concrete, name)| {
            name.is_none_or(|object| member.object(object).is_some_and(|state| matcher.object(machine, state, concrete)))
        });
    let mut folded = member.folded.iter().zip(&this.parts);
    let folded = member.folded.len() == this.parts.len()
        && folded.all(|(folded, part)| folded.is_some_and(|folded| matcher.part(machine, folded, part)));
    let mut registers = member.registers.iter().zip(machine.registers());
    objects && folded && registers.all(|(slot, concrete)| matcher.slot(machine, *slot, *concrete))
}

struct Matcher<'a, 'p> {
    arena: &'a Arena,
    setting: Setting<'p>,
    valuation: Valuation,
    shifts: BTreeMap<ObjectId, i128>,
    parts: &'a [Part],
}

impl Matcher<'_, '_> {
    /// Is the part as it was, and between what it is said to be?
    fn part(&mut self, machine: &Machine<'_>, folded: Folded, part: &Part) -> bool {
        part.is_there(machine)
            && part.above.is_none_or(|above| self.slot(machine, folded.above, above))
            && part.hole.is_none_or(|(_, below)| self.slot(machine, folded.below, below))
    }

    /// The term has the value, or is a variable that takes it.
    fn integer(&mut self, term: LinearId, concrete: i128) -> bool {
        if let Some(value) = self.valuation.linear(self.arena, &self.setting.program.tables, term) {
            return value == concrete;
        }
        let Ok(linear) = self.arena.linear(term) else { return false };
        let variable = match (linear.constant, linear.summands.as_slice()) {
            (0, [(atom, 1)]) => match self.arena.atom(*atom) {
                Ok(Atom::Variable(variable)) => Some(variable),
                _ => None,
            },
            _ => None,
        };
        // All other terms have values, but this one is beyond 128 bits: nothing to compare.
        let Some(variable) = variable else { return true };
        let fits = variable.sort.is_none_or(|sort| arithmetic::contains(sort, concrete));
        fits && self.valuation.integers.insert(*variable, concrete).is_none()
    }

    fn slot(&mut self, machine: &Machine<'_>, slot: Slot, concrete: Value) -> bool {
        match (slot, concrete) {
            (Slot::Forgotten, _) | (Slot::Uninitialised, Value::Uninitialised) | (Slot::Null, Value::Null) => true,
            (Slot::Integer(term), Value::Integer(value)) => self.integer(term, value),
            (Slot::Folded(id), concrete) => self.parts.get(id.index()).is_some_and(|part| part.root == concrete),
            (Slot::Last(id), concrete) => self.parts.get(id.index()).and_then(|part| part.hole).is_some_and(|(last, _)| last == concrete),
            (Slot::Pointer(Address { object, index, byte }), Value::Pointer(pointer)) => {
                let shift = self.shifts.get(&object).copied().unwrap_or(0);
                names(self.setting, machine, self.parts)[pointer.object.0] == Some(object)
                    && byte == pointer.byte
                    && self.integer(index, pointer.index + shift)
            }
            _ => false,
        }
    }

    fn object(&mut self, machine: &Machine<'_>, state: &ObjectState, concrete: &MemoryObject<'_>) -> bool {
        let shift = self.shifts.get(&state.object).copied().unwrap_or(0);
        let is_live = concrete.life == interpreter::Life::Live;
        let count = i128::from(concrete.count);
        let bounds = self.integer(state.lower, shift) && self.integer(state.upper, count + shift);
        let mut fields = state.fields.iter().enumerate();
        is_live == (state.life == Life::Live)
            && bounds
            && fields.all(|(position, field)| self.field(machine, field, concrete, position, shift))
    }

    fn field(&mut self, machine: &Machine<'_>, field: &FieldState, concrete: &MemoryObject<'_>, position: usize, shift: i128) -> bool {
        for (index, slot) in (0i128..).zip(&field.cells) {
            if concrete.holds(index - shift) && !self.slot(machine, *slot, concrete.cell(index - shift, position)) {
                return false;
            }
        }
        let count = i128::from(concrete.count);
        let cells = i128::try_from(field.cells.len()).unwrap_or(i128::MAX);
        let Some(rest) = field.rest else { return shift == 0 && count <= cells };
        if let Ok(Array::Variable(variable)) = self.arena.array(rest)
            && !self.valuation.arrays.contains_key(variable)
        {
            self.valuation.arrays.insert(*variable, contents(concrete, position, shift, 0));
        }
        let mut indices: Vec<i128> = (0..count.min(64)).collect();
        indices.extend((count > 64).then_some(count - 1));
        indices.into_iter().filter(|index| !(0..cells).contains(&(index + shift))).all(|index| {
            let value = self.valuation.element(self.arena, &self.setting.program.tables, rest, index + shift);
            value.map(Value::Integer) == Some(concrete.cell(index, position))
        })
    }
}
