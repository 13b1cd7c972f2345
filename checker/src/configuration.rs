//! Configurations as the checker works on them (`spec/calculus.md#configurations`).

use crate::arithmetic::{divide, range};
use crate::term::{array_count, integer_count, next};
use crate::*;
use alloc::{sync::Arc, vec, vec::Vec};
use core::{iter, slice};
use goatherd_certificates::rejection::Fault;
use goatherd_certificates::*;

/// Where a member is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// About to execute this instruction.
    At(Location),
    /// It has failed.
    Failed,
}

/// A member: the program's state, in terms.
#[derive(Clone, Debug)]
pub struct Member {
    /// Where it is.
    pub place: Place,
    /// One slot per register of the program.
    pub registers: Vec<Slot>,
    /// Its objects by name; none where there is none. The first names are the program's declarations.
    pub objects: Vec<Option<Arc<ObjectState>>>,
    /// The folded parts of its heap by name; none where one has been unfolded.
    pub folded: Vec<Option<Folded>>,
    /// How its input compares with the primary's.
    pub size: InputSize,
    /// How many nondeterministic values and rounds it has consumed. No instruction reads it.
    pub consumed: Slot,
    /// Bytes that the fields of its objects take.
    pub held: usize,
}

/// One or more members over one path predicate.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// Its variables.
    pub scope: Scope,
    /// The sorts of its tree and segment symbols.
    pub trees: Vec<TreeSort>,
    /// The path predicate.
    pub predicate: Vec<Literal>,
    /// The primary, then the scapegoats.
    pub members: Vec<Member>,
    /// The primary's state at the entry; none below a template (`spec/calculus.md#attacks` B5).
    pub entry: Option<Arc<Member>>,
    /// Has the primary taken a step since the template's root?
    pub progress: bool,
}

/// What the step function reads beside the configuration: program, claim parameters, and the header of the proof.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The program; well-formed.
    pub program: &'a Program,
    /// The claim's parameters.
    pub parameters: &'a Parameters,
    /// How many cells of an array stand apart.
    pub k: u32,
    /// The sorts of the proof; well-formed.
    pub sorts: &'a [Sort],
}

/// The declaration of the nodes of a sort, whether a tree may be NULL and to which byte of a node pointers to it lead, and what the fields of a node
/// may be to it.
pub type Nodes<'a> = (ObjectId, (bool, u64), &'a [Vec<Link>]);

impl<'a> Setting<'a> {
    /// The object.
    pub fn object(&self, object: ObjectId) -> Result<&'a Object> {
        entry(&self.program.objects, object.index())
    }

    /// The layout of the object's elements.
    pub fn layout(&self, object: ObjectId) -> Result<&'a Layout> {
        entry(&self.program.layouts, self.object(object)?.layout.index())
    }

    /// What the nodes of a sort are.
    pub fn nodes(&self, sort: SortId) -> Result<Nodes<'a>> {
        if let Some(own) = self.own(sort) {
            return Ok((own.object, entrance(own.root), &own.shapes));
        }
        let declaration = ObjectId(sort.0);
        match &self.object(declaration)?.origin {
            Origin::Node { links } => Ok((declaration, (true, 0), slice::from_ref(links))),
            _ => Err(Rejection::Missing),
        }
    }

    /// Which field of the nodes of a sort is `same`, if any is; that it is looked for is paid for.
    pub(crate) fn same_field(&self, budget: &mut Budget, sort: SortId) -> Result<Option<usize>> {
        let (_, _, shapes) = self.nodes(sort)?;
        budget.work(shapes.first().map_or(0, Vec::len))?;
        Ok(same_field(shapes))
    }

    /// The sort, where it is one of the proof's.
    fn own(&self, sort: SortId) -> Option<&'a Sort> {
        self.sorts
            .get(sort.index().checked_sub(self.program.objects.len())?)
    }

    /// Is every tree of the sort one of the other, and every segment?
    pub fn is_within(&self, sort: SortId, other: SortId) -> bool {
        let mut outer = iter::successors(Some(sort), |sort| self.own(*sort)?.within)
            .take(self.sorts.len().saturating_add(1));
        outer.any(|outer| outer == other)
    }

    /// What a sort says it is within has each of its shapes, with what the sorts of the children are within in place of these.
    pub(crate) fn check_within(&self, sort: &Sort) -> Result<(), Fault> {
        let Some(outer) = sort.within else {
            return Ok(());
        };
        let (object, (has_null, byte), shapes) = self.nodes(outer).map_err(|_| Fault::Sort)?;
        let (own_null, own_byte) = entrance(sort.root);
        let has = |(outer, link): (&Link, &Link)| match (*outer, *link) {
            (Link::Data, Link::Range { .. }) => true,
            (
                Link::Range { least, greatest },
                Link::Range {
                    least: from,
                    greatest: to,
                },
            ) => least <= from && to <= greatest,
            (Link::Child(outer), Link::Child(child)) => {
                let within = self.own(child).and_then(|sort| sort.within);
                outer == within.unwrap_or(child)
            }
            (outer, link) => outer == link,
        };
        let is_shape =
            |links: &Vec<Link>| shapes.iter().any(|outer| outer.iter().zip(links).all(has));
        let is_within = object == sort.object
            && byte == own_byte
            && (has_null || !own_null)
            && sort.shapes.iter().all(is_shape);
        ensure(is_within, Fault::Within)
    }

    /// The sort of the values of a type: on unbounded integers, any.
    pub fn sort(&self, kind: IntegerType) -> Option<IntegerType> {
        (self.parameters.arithmetic == Arithmetic::C).then_some(kind)
    }

    /// The instruction at the place, if the member has not failed.
    pub fn instruction(&self, place: Place) -> Option<&'a Instruction> {
        let Place::At(location) = place else {
            return None;
        };
        self.program.instructions.get(location.index())
    }

    /// What the register holds.
    pub fn register_type(&self, register: RegisterId) -> Result<Type> {
        entry(&self.program.registers, register.index()).map(|register| register.kind)
    }

    /// The type of the register, which holds integers.
    pub fn integer_type(&self, register: RegisterId) -> Result<IntegerType> {
        match self.register_type(register)? {
            Type::Integer(kind) => Ok(kind),
            Type::Pointer => Err(Rejection::Missing),
        }
    }

    /// How many elements an array of this layout has at most: its size is at most that of any object.
    pub fn greatest_count(&self, object: ObjectId) -> Result<i128> {
        let (_, greatest) = range(IntegerType::I64);
        divide(greatest, self.layout(object)?.size.into()).map(|(count, _)| count)
    }
}

impl Member {
    /// The register's slot.
    pub fn register(&self, register: RegisterId) -> Result<Slot> {
        entry(&self.registers, register.index()).copied()
    }

    /// Sets the register's slot.
    pub fn set_register(&mut self, register: RegisterId, slot: Slot) -> Result<()> {
        *entry_mut(&mut self.registers, register.index())? = slot;
        Ok(())
    }

    /// The state of an object that is known to exist.
    pub(crate) fn state(&self, object: ObjectId) -> Result<&ObjectState> {
        self.object(object).ok_or(Rejection::Missing)
    }

    /// The object's state, if it exists.
    pub fn object(&self, object: ObjectId) -> Option<&ObjectState> {
        self.objects.get(object.index())?.as_deref()
    }

    /// The live object of a declaration of which one lives at most. No dead one stands for it: the live one may be of no interest to a template
    /// that keeps an earlier one (`spec/calculus.md#attacks` G1).
    pub fn live(&self, declaration: ObjectId) -> Option<&ObjectState> {
        let mut states = self.objects.iter().flatten().map(Arc::as_ref);
        states.find(|state| state.declaration == declaration && state.life == Life::Live)
    }

    /// The object's state, to be changed.
    pub fn object_mut(&mut self, object: ObjectId) -> Result<&mut ObjectState> {
        entry_mut(&mut self.objects, object.index())?
            .as_mut()
            .map(Arc::make_mut)
            .ok_or(Rejection::Missing)
    }

    /// Has a new object from now on.
    pub(crate) fn insert(&mut self, state: ObjectState) -> Result<()> {
        self.held = self.held.saturating_add(fields_bytes(&state.fields));
        let position = state.object.index();
        *entry_mut(&mut self.objects, position)? = Some(Arc::new(state));
        Ok(())
    }

    /// No objects, and registers that all hold the same.
    pub fn new(setting: Setting<'_>, place: Place, slot: Slot) -> Self {
        Self {
            place,
            registers: vec![slot; setting.program.registers.len()],
            objects: vec![None; setting.program.objects.len()],
            folded: Vec::new(),
            size: InputSize::NotLarger,
            consumed: slot,
            held: 0,
        }
    }

    /// Bytes that a copy of it takes, objects included: they are shared only until they change.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            .saturating_add(self.held)
            .saturating_add(size_of_val(self.registers.as_slice()))
            .saturating_add(size_of_val(self.objects.as_slice()))
            .saturating_add(size_of_val(self.folded.as_slice()))
    }
}

/// May a tree be NULL, and to which byte of a node do pointers to it lead?
const fn entrance(root: Root) -> (bool, u64) {
    match root {
        Root::Any => (true, 0),
        Root::Node => (false, 0),
        Root::AnyAt(byte) => (true, byte),
        Root::NodeAt(byte) => (false, byte),
    }
}

/// The field that is `same` in these shapes of one sort, if any is.
pub fn same_field(shapes: &[Vec<Link>]) -> Option<usize> {
    shapes.first()?.iter().position(|link| *link == Link::Same)
}

/// About how many slots there are in so many bytes: the work of going through them.
pub const fn slots(bytes: usize) -> usize {
    bytes >> 4
}

/// Bytes that the fields take.
pub fn fields_bytes(fields: &[FieldState]) -> usize {
    fields.iter().fold(size_of_val(fields), |sum, field| {
        sum.saturating_add(size_of_val(field.cells.as_slice()))
    })
}

impl Configuration {
    /// The member.
    pub fn member(&self, member: MemberId) -> Result<&Member> {
        entry(&self.members, member.index())
    }

    /// The member, to be changed.
    pub fn member_mut(&mut self, member: MemberId) -> Result<&mut Member> {
        entry_mut(&mut self.members, member.index())
    }

    /// A new integer variable. The number is the configuration's own, so no certificate can name it beforehand (`spec/calculus.md#attacks` A5).
    pub fn fresh(&mut self, arena: &mut Arena, sort: Option<IntegerType>) -> Result<LinearId> {
        let number = next(integer_count(&mut self.scope, sort)?)?;
        arena.variable(Variable { sort, number })
    }

    /// A new array variable.
    pub fn fresh_array(&mut self, arena: &mut Arena, sort: IntegerType) -> Result<ArrayId> {
        let number = next(array_count(&mut self.scope, sort)?)?;
        arena.array_variable(ArrayVariable { sort, number })
    }

    /// What is to be shown of it.
    pub fn obligations<'a>(
        &'a self,
        arena: &'a mut Arena,
        oracle: &'a mut dyn Oracle,
    ) -> Obligations<'a> {
        Obligations {
            arena,
            scope: &self.scope,
            predicate: &self.predicate,
            oracle,
        }
    }

    /// The member, to be changed by what the program does.
    pub const fn change<'a>(
        &'a mut self,
        arena: &'a mut Arena,
        setting: Setting<'a>,
        member: MemberId,
    ) -> Change<'a> {
        Change {
            configuration: self,
            arena,
            setting,
            member,
        }
    }

    /// Adds a literal to the predicate, unless it is evident or stands there already.
    pub fn assume(&mut self, arena: &Arena, literal: Literal) {
        if arena.evident(literal) != Some(true) && !self.predicate.contains(&literal) {
            self.predicate.push(literal);
        }
    }

    /// Bytes that a copy of it takes.
    pub(crate) fn bytes(&self) -> usize {
        let own = size_of::<Self>()
            .saturating_add(size_of_val(self.predicate.as_slice()))
            .saturating_add(size_of_val(self.trees.as_slice()));
        let members = self.members.iter().chain(self.entry.as_deref());
        members.map(Member::bytes).fold(own, usize::saturating_add)
    }

    /// Pays for the bytes that a copy of it takes, and for making it; returns how many these are.
    pub fn hold(&self, budget: &mut Budget) -> Result<usize, Declined> {
        let bytes = self.bytes();
        budget.work(slots(bytes))?;
        budget.take(bytes).map(|()| bytes)
    }

    /// The state before the first instruction, without inputs: static objects exist, registers hold no value.
    pub fn before_inputs(arena: &mut Arena, setting: Setting<'_>) -> Result<Self> {
        let mut member = Member::new(setting, Place::At(Location(0)), Slot::Uninitialised);
        member.consumed = Slot::Integer(arena.constant(0)?);
        let mut this = Self {
            scope: Scope::default(),
            trees: Vec::new(),
            predicate: Vec::new(),
            members: vec![member],
            entry: None,
            progress: true,
        };
        for (number, object) in (0..).zip(&setting.program.objects) {
            if let Origin::Static {
                count, contents, ..
            } = &object.origin
            {
                let count = arena.constant(i128::from(*count))?;
                this.change(arena, setting, MemberId(0)).create(
                    ObjectId(number),
                    count,
                    &mut Environment::Static(contents),
                )?;
            }
        }
        Ok(this)
    }
}
