//! Templates made of configurations by forgetting, generalising and folding, and guesses how they match.

use crate::{moves, search::Builder};
use goatherd_certificates::{
    configuration::{self, Address, FieldState, Folded, FoldedId, InputSize, Life, ObjectState, Slot, Template, TreeId, TreeSort},
    derivation::Matching,
    program::{IntegerType, Link, Location, ObjectId, Origin, RegisterId, SortId, Type},
    term::{ArrayId, ArrayVariable, Atom, LinearId, Literal, Scope, Sign, Variable},
};
use goatherd_checker::{
    configuration::{Configuration, Member, Place},
    term::{Arena, SORTS, array_count, integer_count, next},
};
use std::collections::BTreeMap;

/// The longest path of a segment.
const LONGEST_PATH: usize = 3;

/// The variables of a scope, in the order in which a matching lists their terms.
fn variables(scope: &Scope) -> (Vec<Variable>, Vec<ArrayVariable>) {
    let sorts = [None].into_iter().chain(SORTS.map(Some));
    let integers = sorts.zip(&scope.integers).flat_map(|(sort, count)| (0..*count).map(move |number| Variable { sort, number }));
    let arrays = SORTS.into_iter().zip(&scope.arrays);
    (integers.collect(), arrays.flat_map(|(sort, count)| (0..*count).map(move |number| ArrayVariable { sort, number })).collect())
}

/// The variables of a scope as terms, each standing for itself.
pub fn identity(arena: &mut Arena, scope: &Scope) -> Option<(Vec<LinearId>, Vec<ArrayId>)> {
    let (integers, arrays) = variables(scope);
    let integers = integers.into_iter().map(|variable| arena.variable(variable).ok()).collect::<Option<_>>()?;
    let arrays = arrays.into_iter().map(|variable| arena.array_variable(variable).ok()).collect::<Option<_>>()?;
    Some((integers, arrays))
}

/// A template being made.
struct Maker<'b, 'a, 'c> {
    builder: &'b mut Builder<'a>,
    configuration: &'c Configuration,
    keeps_variables: bool,
    scope: Scope,
    trees: Vec<TreeSort>,
    /// Which variables stand for which terms, and the terms in the order of the matching.
    integers: BTreeMap<LinearId, (Variable, LinearId)>,
    arrays: BTreeMap<ArrayId, (ArrayVariable, ArrayId)>,
    /// By symbol, the path of a segment and the shapes.
    paths: Vec<Vec<u32>>,
    shapes: Vec<Vec<u32>>,
    /// By folded slot of the same register of another member, its symbol.
    symbols: BTreeMap<RegisterId, TreeId>,
}

/// The parts of a member that is being made.
struct Parts<'c> {
    member: &'c Member,
    /// New names of objects that are kept.
    names: BTreeMap<ObjectId, ObjectId>,
    folded: Vec<Folded>,
    /// By part of the configuration, that of the template.
    made: BTreeMap<FoldedId, FoldedId>,
}

/// A template that says less than the configuration does, and how it matches.
pub fn abstraction(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<(Template, Matching)> {
    let keeps_variables = builder.style.keeps_variables;
    let mut maker = Maker {
        builder,
        configuration,
        keeps_variables,
        scope: if keeps_variables { configuration.scope } else { Scope::default() },
        trees: Vec::new(),
        integers: BTreeMap::new(),
        arrays: BTreeMap::new(),
        paths: Vec::new(),
        shapes: Vec::new(),
        symbols: BTreeMap::new(),
    };
    let (mut members, mut objects) = (Vec::new(), Vec::new());
    for member in &configuration.members {
        let (made, images) = maker.member(member)?;
        members.push(made);
        objects.push(images);
    }
    let predicate = maker.predicate();
    let Maker { scope, trees, paths, shapes, integers: by_term, arrays: by_array, builder, .. } = maker;
    let (variables, array_variables) = variables(&scope);
    let mut integers = Vec::new();
    for variable in variables {
        let image = by_term.iter().find(|(_, (other, _))| *other == variable).map(|(term, _)| *term);
        integers.push(match image {
            Some(term) => term,
            None => builder.arena.variable(variable).ok()?,
        });
    }
    let mut arrays = Vec::new();
    for variable in array_variables {
        let image = by_array.iter().find(|(_, (other, _))| *other == variable).map(|(array, _)| *array);
        arrays.push(match image {
            Some(array) => array,
            None => builder.arena.array_variable(variable).ok()?,
        });
    }
    Some((Template { scope, trees, predicate, members }, Matching { integers, arrays, paths, shapes, objects }))
}

impl Maker<'_, '_, '_> {
    fn is_odd(&mut self) -> bool {
        self.builder.dice.percent(self.builder.style.odd)
    }

    fn member(&mut self, member: &Member) -> Option<(configuration::Member, Vec<ObjectId>)> {
        let Place::At(location) = member.place else { return None };
        let declared = self.builder.setting.program.objects.len();
        let kept: Vec<ObjectId> = member.objects.iter().flatten().map(|state| state.object).collect();
        let kept: Vec<ObjectId> = kept.into_iter().filter(|_| self.builder.dice.percent(self.builder.style.keep)).collect();
        let mut names = BTreeMap::new();
        for object in kept {
            let name = if object.index() < declared { object } else { ObjectId(u32::try_from(declared + names.len()).ok()?) };
            names.insert(object, name);
        }
        let mut parts = Parts { member, names, folded: Vec::new(), made: BTreeMap::new() };
        let mut registers = Vec::new();
        for (register, slot) in (0..).map(RegisterId).zip(&member.registers) {
            let sort = self.builder.setting.integer_type(register).ok();
            let made = self.slot(&mut parts, *slot, sort, Some(register))?;
            if made != Slot::Forgotten {
                registers.push((register, made));
            }
        }
        let consumed = self.slot(&mut parts, member.consumed, None, None)?;
        let mut objects = Vec::new();
        for (object, name) in parts.names.clone() {
            objects.push((self.object(&mut parts, object, name)?, object));
        }
        objects.sort_by_key(|(state, _)| state.object);
        let images = objects.iter().map(|(_, image)| *image).collect();
        let size = if self.is_odd() { self.builder.dice.one([InputSize::Smaller, InputSize::NotLarger]) } else { member.size };
        let location =
            if self.is_odd() { Location(self.builder.dice.id(self.builder.setting.program.instructions.len())) } else { location };
        let objects = objects.into_iter().map(|(state, _)| state).collect();
        Some((configuration::Member { location, size, consumed, registers, objects, folded: parts.folded }, images))
    }

    fn object(&mut self, parts: &mut Parts<'_>, object: ObjectId, name: ObjectId) -> Option<ObjectState> {
        let state = parts.member.object(object)?.clone();
        let layout = self.builder.setting.layout(state.declaration).ok()?;
        let mut fields = Vec::new();
        for (field, declared) in state.fields.iter().zip(&layout.fields) {
            let sort = if let Type::Integer(kind) = declared.kind { Some(kind) } else { None };
            let mut cells = Vec::new();
            for cell in &field.cells {
                cells.push(self.slot(parts, *cell, sort, None)?);
            }
            if self.is_odd() {
                if self.builder.dice.once_in(2) {
                    cells.pop();
                } else {
                    cells.push(self.builder.dice.pick(&cells).unwrap_or(Slot::Forgotten));
                }
            }
            let mut rest = None;
            if let Some(array) = field.rest {
                rest = Some(self.array(array, sort?)?);
            }
            fields.push(FieldState { cells, rest });
        }
        let (lower, upper) = (self.integer(state.lower, None)?, self.integer(state.upper, None)?);
        let life = if self.is_odd() { self.builder.dice.one([Life::Live, Life::Dead]) } else { state.life };
        Some(ObjectState { object: name, declaration: state.declaration, life, lower, upper, fields })
    }

    fn integer(&mut self, term: LinearId, sort: Option<IntegerType>) -> Option<LinearId> {
        if self.keeps_variables {
            return Some(term);
        }
        if let Some((_, made)) = self.integers.get(&term) {
            return Some(*made);
        }
        if self.builder.arena.value(term).is_some() && !self.builder.dice.once_in(3) {
            return Some(term);
        }
        let number = next(integer_count(&mut self.scope, sort).ok()?).ok()?;
        let variable = Variable { sort, number };
        let made = self.builder.arena.variable(variable).ok()?;
        self.integers.insert(term, (variable, made));
        Some(made)
    }

    fn array(&mut self, array: ArrayId, sort: IntegerType) -> Option<ArrayId> {
        if self.keeps_variables {
            return Some(array);
        }
        if let Some((_, made)) = self.arrays.get(&array) {
            return Some(*made);
        }
        let number = next(array_count(&mut self.scope, sort).ok()?).ok()?;
        let variable = ArrayVariable { sort, number };
        let made = self.builder.arena.array_variable(variable).ok()?;
        self.arrays.insert(array, (variable, made));
        Some(made)
    }

    fn slot(&mut self, parts: &mut Parts<'_>, slot: Slot, sort: Option<IntegerType>, register: Option<RegisterId>) -> Option<Slot> {
        if self.builder.dice.percent(self.builder.style.forget) {
            return Some(Slot::Forgotten);
        }
        if self.is_odd() {
            return Some(self.builder.dice.one([Slot::Uninitialised, Slot::Null, Slot::Folded(FoldedId(0)), Slot::Last(FoldedId(0))]));
        }
        let is_pointer = !matches!(slot, Slot::Integer(_) | Slot::Uninitialised | Slot::Forgotten);
        if is_pointer
            && self.builder.dice.percent(self.builder.style.fold)
            && let Some(sort) = self.sort_of(parts.member, slot)
        {
            return self.fold(parts, slot, sort, register);
        }
        Some(match slot {
            Slot::Integer(term) => Slot::Integer(self.integer(term, sort)?),
            Slot::Pointer(Address { object, index, byte }) => match parts.names.get(&object).copied() {
                Some(object) => Slot::Pointer(Address { object, index: self.integer(index, None)?, byte }),
                None => match self.sort_of(parts.member, slot) {
                    Some(sort) => self.fold(parts, slot, sort, register)?,
                    None => Slot::Forgotten,
                },
            },
            Slot::Folded(id) => Slot::Folded(self.part(parts, id)?),
            Slot::Last(id) => Slot::Last(self.part(parts, id)?),
            Slot::Forgotten | Slot::Uninitialised | Slot::Null => slot,
        })
    }

    /// A sort of which the pointer may be a tree.
    fn sort_of(&mut self, member: &Member, slot: Slot) -> Option<SortId> {
        let setting = self.builder.setting;
        let declared = setting.program.objects.len();
        let own = match slot {
            Slot::Pointer(Address { object, .. }) => SortId(member.object(object)?.declaration.0),
            Slot::Folded(id) | Slot::Last(id) => {
                let part = member.folded.get(id.index()).copied().flatten()?;
                let (TreeSort::Tree(sort) | TreeSort::Segment(sort)) = self.configuration.trees.get(part.tree.index()).copied()?;
                sort
            }
            _ => SortId(self.builder.dice.id(declared + setting.sorts.len())),
        };
        if !setting.sorts.is_empty() && self.builder.dice.once_in(2) {
            return Some(SortId(u32::try_from(declared).ok()? + self.builder.dice.id(setting.sorts.len())));
        }
        setting.nodes(own).is_ok().then_some(own)
    }

    /// The pointer as the root of a new part.
    fn fold(&mut self, parts: &mut Parts<'_>, slot: Slot, sort: SortId, register: Option<RegisterId>) -> Option<Slot> {
        if let Slot::Folded(id) = slot
            && let Some(known) = parts.made.get(&id)
        {
            return Some(Slot::Folded(*known));
        }
        let is_segment = self.builder.dice.once_in(4);
        let shape = if is_segment { TreeSort::Segment(sort) } else { TreeSort::Tree(sort) };
        let known = register.and_then(|register| self.symbols.get(&register).copied());
        let tree = match known {
            Some(tree) if self.trees.get(tree.index()) == Some(&shape) && !self.builder.dice.once_in(5) => tree,
            _ => self.symbol(shape)?,
        };
        if let Some(register) = register {
            self.symbols.insert(register, tree);
        }
        let id = FoldedId(u32::try_from(parts.folded.len()).ok()?);
        let (above, same) = (self.around(parts), self.around(parts));
        parts.folded.push(Folded { tree, above, same, below: Slot::Null });
        if is_segment {
            let (path, end) = self.path(parts, slot);
            if let Some(stored) = self.paths.get_mut(tree.index()) {
                *stored = path;
            }
            let below = if parts.folded.len() < 6 { self.slot(parts, end, None, None)? } else { Slot::Forgotten };
            parts.folded.get_mut(id.index())?.below = below;
        }
        Some(Slot::Folded(id))
    }

    /// From a pointer along nodes to a hole.
    fn path(&mut self, parts: &Parts<'_>, start: Slot) -> (Vec<u32>, Slot) {
        let (mut path, mut value) = (Vec::new(), start);
        while path.len() < LONGEST_PATH && !self.builder.dice.once_in(3) {
            match value {
                Slot::Pointer(Address { object, .. }) => {
                    let Some(state) = parts.member.object(object) else { break };
                    let Some(Origin::Node { links }) =
                        self.builder.setting.program.objects.get(state.declaration.index()).map(|object| &object.origin)
                    else {
                        break;
                    };
                    let children = links.iter().zip(&state.fields).filter(|(link, _)| matches!(link, Link::Child(_)));
                    let children: Vec<Slot> = children.filter_map(|(_, field)| field.cells.first().copied()).collect();
                    let child = self.builder.dice.below(children.len());
                    let Some(below) = children.get(child) else { break };
                    path.push(u32::try_from(child).unwrap_or(0));
                    value = *below;
                }
                Slot::Folded(id) => {
                    let Some(part) = parts.member.folded.get(id.index()).copied().flatten() else { break };
                    if !matches!(self.configuration.trees.get(part.tree.index()), Some(TreeSort::Segment(_))) {
                        break;
                    }
                    path.push(0);
                    value = part.below;
                }
                _ => break,
            }
        }
        (path, value)
    }

    fn symbol(&mut self, shape: TreeSort) -> Option<TreeId> {
        let tree = TreeId(u32::try_from(self.trees.len()).ok()?);
        self.trees.push(shape);
        self.paths.push(Vec::new());
        let shapes = (0..self.builder.dice.below(3)).map(|_| self.builder.dice.id(2)).collect();
        self.shapes.push(if self.builder.setting.sorts.is_empty() { Vec::new() } else { shapes });
        Some(tree)
    }

    /// What may stand above a part, or in its `Same` fields.
    fn around(&mut self, parts: &Parts<'_>) -> Slot {
        let names: Vec<ObjectId> = parts.names.values().copied().collect();
        match self.builder.dice.below(6) {
            0..3 => Slot::Forgotten,
            3 => Slot::Null,
            4 => Slot::Last(FoldedId(self.builder.dice.id(parts.folded.len() + 1))),
            _ => match (self.builder.dice.pick(&names), self.builder.arena.constant(0)) {
                (Some(object), Ok(index)) => Slot::Pointer(Address { object, index, byte: 0 }),
                _ => Slot::Forgotten,
            },
        }
    }

    /// A part as it is.
    fn part(&mut self, parts: &mut Parts<'_>, id: FoldedId) -> Option<FoldedId> {
        if let Some(known) = parts.made.get(&id) {
            return Some(*known);
        }
        let part = parts.member.folded.get(id.index()).copied().flatten()?;
        let made = FoldedId(u32::try_from(parts.folded.len()).ok()?);
        parts.made.insert(id, made);
        let shape = self.configuration.trees.get(part.tree.index()).copied()?;
        // The same symbol for the same symbol, most often.
        let key = RegisterId(u32::MAX - part.tree.0);
        let tree = match self.symbols.get(&key).copied() {
            Some(tree) if !self.is_odd() => tree,
            _ => self.symbol(shape)?,
        };
        self.symbols.insert(key, tree);
        if let (TreeSort::Segment(_), Some(path)) = (shape, self.paths.get_mut(tree.index())) {
            *path = vec![0];
        }
        parts.folded.push(Folded { tree, above: Slot::Forgotten, same: Slot::Forgotten, below: Slot::Null });
        let mut around = [part.above, part.same, part.below];
        for slot in &mut around {
            *slot = match *slot {
                Slot::Pointer(Address { object, index, byte }) => match parts.names.get(&object).copied() {
                    Some(object) => Slot::Pointer(Address { object, index, byte }),
                    None => Slot::Forgotten,
                },
                Slot::Folded(id) => Slot::Folded(self.part(parts, id)?),
                Slot::Last(id) => Slot::Last(self.part(parts, id)?),
                other => other,
            };
        }
        let [above, same, below] = around;
        *parts.folded.get_mut(made.index())? = Folded { tree, above, same, below };
        Some(made)
    }

    /// Literals of the configuration that can be said of the template's variables, and rarely one more.
    fn predicate(&mut self) -> Vec<Literal> {
        let mut predicate = Vec::new();
        for literal in &self.configuration.predicate {
            if self.builder.dice.percent(self.builder.style.forget / 2) {
                continue;
            }
            predicate.extend(self.image(*literal));
        }
        if self.builder.dice.once_in(6)
            && let Some(term) = moves::term(self.builder, self.configuration)
        {
            let sign = self.builder.dice.one([Sign::AtMostZero, Sign::Zero, Sign::NotZero]);
            predicate.extend(self.image(Literal { sign, term }));
        }
        predicate
    }

    fn image(&mut self, literal: Literal) -> Option<Literal> {
        if self.keeps_variables {
            return Some(literal);
        }
        let linear = self.builder.arena.linear(literal.term).ok()?.clone();
        let mut summands = Vec::new();
        for (atom, factor) in &linear.summands {
            let term = self.builder.arena.of_atom(*atom).ok()?;
            summands.push((self.integers.get(&term)?.1, *factor));
        }
        let term = self.builder.arena.combine(linear.constant, &summands).ok()?;
        Some(Literal { term, ..literal })
    }
}

/// How a template may cover a configuration: terms for its variables where slots say so, objects by their declarations.
pub fn matching(builder: &mut Builder<'_>, configuration: &Configuration, target: &Configuration) -> Option<Matching> {
    let (variables, array_variables) = variables(&target.scope);
    let mut images: BTreeMap<Variable, LinearId> = BTreeMap::new();
    let mut array_images: BTreeMap<ArrayVariable, ArrayId> = BTreeMap::new();
    let mut objects = Vec::new();
    for (member, target) in configuration.members.iter().zip(&target.members) {
        let mut taken: Vec<ObjectId> = Vec::new();
        let mut pairs: Vec<(Slot, Slot)> = member.registers.iter().copied().zip(target.registers.iter().copied()).collect();
        pairs.push((member.consumed, target.consumed));
        let pointed: Vec<(ObjectId, ObjectId)> = pairs
            .iter()
            .filter_map(|pair| match pair {
                (Slot::Pointer(Address { object, .. }), Slot::Pointer(Address { object: name, .. })) => Some((*name, *object)),
                _ => None,
            })
            .collect();
        for state in target.objects.iter().flatten() {
            let by_pointer =
                pointed.iter().find(|(name, object)| *name == state.object && !taken.contains(object)).map(|(_, object)| *object);
            let alike =
                member.objects.iter().flatten().filter(|other| other.declaration == state.declaration && !taken.contains(&other.object));
            let image = by_pointer.or_else(|| alike.map(|state| state.object).next())?;
            taken.push(image);
            let found = member.object(image)?;
            pairs.push((Slot::Integer(found.lower), Slot::Integer(state.lower)));
            pairs.push((Slot::Integer(found.upper), Slot::Integer(state.upper)));
            for (field, other) in found.fields.iter().zip(&state.fields) {
                pairs.extend(field.cells.iter().copied().zip(other.cells.iter().copied()));
                if let (Some(array), Some(other)) = (field.rest, other.rest)
                    && let Ok(goatherd_certificates::term::Array::Variable(variable)) = builder.arena.array(other)
                {
                    array_images.entry(*variable).or_insert(array);
                }
            }
        }
        objects.push(taken);
        for (slot, target) in pairs {
            let ((Slot::Integer(term), Slot::Integer(target))
            | (Slot::Pointer(Address { index: term, .. }), Slot::Pointer(Address { index: target, .. }))) = (slot, target)
            else {
                continue;
            };
            if let Ok(Some(Atom::Variable(variable))) = builder.arena.as_atom(target) {
                images.entry(*variable).or_insert(term);
            }
        }
    }
    let mut integers = Vec::new();
    for variable in variables {
        let image = images.get(&variable).copied().filter(|_| !builder.dice.percent(builder.style.odd));
        integers.push(match image {
            Some(term) => term,
            None => moves::term(builder, configuration)?,
        });
    }
    let mut arrays = Vec::new();
    for variable in array_variables {
        let zero = builder.arena.constant(0).ok()?;
        arrays.push(match array_images.get(&variable) {
            Some(array) => *array,
            None => builder.arena.constant_array(zero).ok()?,
        });
    }
    let mut paths = Vec::new();
    for shape in &target.trees {
        let length = if matches!(shape, TreeSort::Segment(_)) { builder.dice.below(LONGEST_PATH) } else { 0 };
        paths.push((0..length).map(|_| builder.dice.id(2)).collect());
    }
    let shapes = target.trees.iter().map(|_| (0..builder.dice.below(3)).map(|_| builder.dice.id(2)).collect()).collect();
    Some(Matching { integers, arrays, paths, shapes, objects })
}

/// A template that no configuration suggests, of as many members as there are: mostly forgotten, over any terms.
pub fn scratch(builder: &mut Builder<'_>, configuration: &Configuration) -> Option<Template> {
    let count = builder.setting.program.instructions.len();
    let known = crate::terms::Known::of(&builder.arena);
    let linears = usize::try_from(builder.known.unwrap_or(known).linears).unwrap_or(0);
    let mut members = Vec::new();
    for member in &configuration.members {
        let Place::At(here) = member.place else { return None };
        let mut registers = Vec::new();
        for id in 0..member.registers.len() {
            let term = LinearId(builder.dice.id(linears + 3));
            let slot = match builder.dice.below(10) {
                0 => Slot::Integer(term),
                1 => Slot::Null,
                2 => Slot::Uninitialised,
                _ => continue,
            };
            registers.push((RegisterId(u32::try_from(id).ok()?), slot));
        }
        let location = if builder.dice.once_in(3) { Location(builder.dice.id(count)) } else { here };
        let consumed = if builder.dice.once_in(2) { Slot::Forgotten } else { Slot::Integer(LinearId(builder.dice.id(linears + 3))) };
        members.push(configuration::Member { location, size: member.size, consumed, registers, objects: Vec::new(), folded: Vec::new() });
    }
    let mut predicate = Vec::new();
    for _ in 0..builder.dice.below(3) {
        let sign = builder.dice.one([Sign::AtMostZero, Sign::Zero, Sign::NotZero]);
        predicate.push(Literal { sign, term: LinearId(builder.dice.id(linears + 3)) });
    }
    let scope = if builder.dice.once_in(2) { Scope::default() } else { configuration.scope };
    Some(Template { scope, trees: Vec::new(), predicate, members })
}
