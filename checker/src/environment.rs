//! What the program does not determine: nondeterministic values, and what fresh objects hold (`spec/calculus.md#step`, Choice).

use crate::*;
use crate::{configuration::fields_bytes, flow::is_local};
use alloc::vec::Vec;
use core::slice;
use goatherd_certificates::*;

/// Who says what the program leaves open.
pub enum Environment<'a> {
    /// Nobody: fresh variables, and uninitialised pointers.
    Any,
    /// A scapegoat, in the words of the certificate; the oracle shows that its terms are in range (`spec/calculus.md#attacks` traps 5 and 10).
    Choice(&'a Choice, &'a mut dyn Oracle),
    /// A ground run.
    Run(&'a mut dyn Values),
    /// The program, of a static object; zero and NULL where it says nothing.
    Static(&'a [Contents]),
}

/// One execution's values of what the program leaves open, in order. It says of itself that each is of the type.
pub trait Values {
    /// The next integer.
    fn integer(&mut self, arena: &mut Arena, kind: IntegerType) -> Result<LinearId>;

    /// What the next integer field of a fresh object holds, by element.
    fn array(&mut self, arena: &mut Arena, kind: IntegerType) -> Result<ArrayId>;
}

/// Arrays of pointers have no array term for their rest, so all their cells stand apart.
const POINTER_CELLS: u32 = 64;

impl Change<'_> {
    /// How many cells of a field stand apart, and whether there are others. Integers: at most k, all if the object is known to have no more, or
    /// is a node; a heap object may begin anywhere, so it always has others. Pointers: all.
    fn extent(&self, object: ObjectId, kind: Type, count: Option<i128>) -> Result<(u32, bool)> {
        let known = count.and_then(|count| u32::try_from(count.max(0)).ok());
        if kind == Type::Pointer {
            let cells = known.filter(|count| *count <= POINTER_CELLS);
            let cells = cells.ok_or(Rejection::Unsupported(Unsupported::PointerArray))?;
            return Ok((cells, false));
        }
        let origin = &self.setting.object(object)?.origin;
        let is_whole = |count: &u32| match origin {
            Origin::Heap => false,
            // The one element of a node has a cell for any k, as what Unfold makes has.
            Origin::Node { .. } => true,
            _ => *count <= self.setting.k,
        };
        let whole = known.filter(is_whole).map(|count| (count, false));
        Ok(whole.unwrap_or((self.setting.k, true)))
    }

    /// A value of the type.
    pub(crate) fn value(
        &mut self,
        environment: &mut Environment<'_>,
        kind: IntegerType,
    ) -> Result<LinearId> {
        match environment {
            Environment::Any => {
                let sort = self.setting.sort(kind);
                self.configuration.fresh(self.arena, sort)
            }
            Environment::Choice(Choice::Value(value), oracle) => {
                self.configuration
                    .obligations(self.arena, *oracle)
                    .integer(*value, Some(kind))?;
                Ok(*value)
            }
            Environment::Run(values) => values.integer(self.arena, kind),
            _ => Err(Rejection::Choice),
        }
    }

    /// Makes an object of `count` elements live; returns a pointer to the first.
    pub fn create(
        &mut self,
        declaration: ObjectId,
        count: LinearId,
        environment: &mut Environment<'_>,
    ) -> Result<Slot> {
        let mut fields = Vec::new();
        for (position, field) in self.setting.layout(declaration)?.fields.iter().enumerate() {
            let count = self.arena.value(count);
            let extent = self.extent(declaration, field.kind, count)?;
            let field = match field.kind {
                Type::Pointer => pointers(self.arena, environment, position, extent.0)?,
                Type::Integer(kind) => self.integers(environment, position, kind, extent)?,
            };
            let bytes = fields_bytes(slice::from_ref(&field));
            self.arena.budget.take(bytes)?;
            self.arena.budget.work(slots(bytes))?;
            fields.push(field);
        }
        let mut lower = self.arena.constant(0)?;
        if let Environment::Choice(choice, _) = environment
            && let Choice::Allocation {
                lower: chosen,
                fields: contents,
            } = choice
        {
            let scope = &self.configuration.scope;
            self.arena.exists(scope, Part::Linear(*chosen))?;
            // Where there is no array for the rest, the cells are all there is: the object begins at 0.
            let is_whole = fields.iter().any(|field| field.rest.is_none());
            ensure(
                contents.len() == fields.len() && (!is_whole || *chosen == lower),
                Rejection::Choice,
            )?;
            lower = *chosen;
        }
        let upper = self.arena.combine(0, &[(lower, 1), (count, 1)])?;
        let is_local = is_local(&self.setting.object(declaration)?.origin);
        let member = self.member()?;
        if is_local && let Some(earlier) = member.live(declaration).map(|state| state.object) {
            // A jump has left its scope (`spec/calculus.md#attacks` D7).
            member.object_mut(earlier)?.life = Life::Dead;
        }
        let object = member.vacant(declaration)?;
        member.insert(ObjectState {
            object,
            declaration,
            life: Life::Live,
            lower,
            upper,
            fields,
        })?;
        Ok(Slot::element(object, lower))
    }

    /// Sets an input: an integer; an array of `count` elements; NULL or a single object, as `count` is 0 or 1.
    pub fn set_input(
        &mut self,
        input: &Input,
        count: LinearId,
        environment: &mut Environment<'_>,
    ) -> Result<()> {
        let (register, slot) = match *input {
            Input::Integer { register } => {
                let kind = self.setting.integer_type(register)?;
                (register, Slot::Integer(self.value(environment, kind)?))
            }
            Input::Array(array) => {
                let length = Slot::Integer(count);
                self.member()?.set_register(array.length, length)?;
                let start = self.create(array.object, count, environment)?;
                (array.pointer, start)
            }
            Input::Single { pointer, object } => match self.arena.value(count) {
                Some(0) => (pointer, Slot::Null),
                _ => (pointer, self.create(object, count, environment)?),
            },
            Input::Linked { pointer, object } => {
                let sort = TreeSort::Tree(SortId(object.0));
                let tree = self.configuration.fresh_tree(sort)?;
                let root = self.member()?.fold(Folded {
                    tree,
                    above: Slot::Null,
                    same: Slot::Forgotten,
                    below: Slot::Null,
                })?;
                (pointer, Slot::Folded(root))
            }
        };
        self.member()?.set_register(register, slot)
    }

    /// The contents of an integer field, which stands at the position in the layout.
    fn integers(
        &mut self,
        environment: &mut Environment<'_>,
        position: usize,
        kind: IntegerType,
        (cells, has_rest): (u32, bool),
    ) -> Result<FieldState> {
        let zero = self.arena.constant(0)?;
        let array = match environment {
            Environment::Any => {
                let mut slots = Vec::new();
                let mut rest = None;
                for _ in 0..cells {
                    let cell = self.configuration.fresh(self.arena, Some(kind))?;
                    slots.push(Slot::Integer(cell));
                }
                if has_rest {
                    rest = Some(self.configuration.fresh_array(self.arena, kind)?);
                }
                return Ok(FieldState { cells: slots, rest });
            }
            Environment::Choice(Choice::Allocation { fields, .. }, oracle) => {
                let chosen = fields.get(position).ok_or(Rejection::Choice)?;
                return self.chosen(*oracle, chosen, kind, (cells, has_rest));
            }
            Environment::Choice(Choice::Value(_), _) => return Err(Rejection::Choice),
            Environment::Run(values) => values.array(self.arena, kind)?,
            Environment::Static(contents) => match contents.get(position) {
                Some(Contents::Table(table)) => self.arena.table(*table)?,
                _ => self.arena.constant_array(zero)?,
            },
        };
        let mut slots = Vec::new();
        for index in 0..cells {
            let index = self.arena.constant(index.into())?;
            slots.push(Slot::Integer(self.arena.select(array, index)?));
        }
        Ok(FieldState {
            cells: slots,
            rest: has_rest.then_some(array),
        })
    }

    /// The contents of an integer field as they are chosen, each in range.
    fn chosen(
        &mut self,
        oracle: &mut dyn Oracle,
        (values, rest): &(Vec<LinearId>, Option<ArrayId>),
        kind: IntegerType,
        (cells, has_rest): (u32, bool),
    ) -> Result<FieldState> {
        ensure(
            u32::try_from(values.len()) == Ok(cells) && rest.is_some() == has_rest,
            Rejection::Choice,
        )?;
        let mut obligations = self.configuration.obligations(self.arena, oracle);
        values
            .iter()
            .try_for_each(|term| obligations.integer(*term, Some(kind)))?;
        rest.map_or(Ok(()), |rest| obligations.array(rest, kind))?;
        Ok(FieldState {
            cells: values.iter().copied().map(Slot::Integer).collect(),
            rest: *rest,
        })
    }
}

/// The contents of a pointer field, which stands at the position in the layout.
fn pointers(
    arena: &mut Arena,
    environment: &Environment<'_>,
    position: usize,
    cells: u32,
) -> Result<FieldState> {
    let first = arena.constant(0)?;
    let slots = |slot| (0..cells).map(|_| slot).collect();
    let cells = match environment {
        Environment::Static(contents) => match contents.get(position) {
            Some(Contents::Pointers(targets)) => {
                let start = |object| Slot::element(object, first);
                let slot = |target: &Option<ObjectId>| target.map_or(Slot::Null, start);
                targets.iter().map(slot).collect()
            }
            _ => slots(Slot::Null),
        },
        // Nothing can be chosen.
        Environment::Choice(Choice::Allocation { fields, .. }, _)
            if fields.get(position) != Some(&(Vec::new(), None)) =>
        {
            return Err(Rejection::Choice);
        }
        _ => slots(Slot::Uninitialised),
    };
    Ok(FieldState { cells, rest: None })
}
