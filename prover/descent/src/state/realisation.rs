//! A concrete execution for a herd that the primary has come to without folding: an input, and what the environment chose
//! (`spec/search.md#refinement`).

use super::{herd::Herd, trail::Answer};
use goatherd_certificates::{
    configuration::{Address, ObjectState, Slot},
    program::{ArrayInput, Input, Link, ObjectId, Origin},
    term::LinearId,
};
use goatherd_checker::{
    configuration::{Member, Setting},
    term::Arena,
};
use goatherd_interpreter::{InputValue, LinkedNode};

/// An execution, as far as it is not determined by the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Realisation {
    /// One value per input.
    pub inputs: Vec<InputValue>,
    /// What the environment chose, as in a ground run.
    pub choices: Vec<i128>,
}

/// An array of an input has at most so many elements.
const LONGEST: i128 = 64;

/// An execution of the primary with these answers, if integers are found that satisfy the predicate.
pub fn realise(arena: &mut Arena, setting: Setting<'_>, herd: &Herd, answers: &[Answer]) -> Option<Realisation> {
    let mut model = Model { arena, herd: herd.clone() };
    let entry = herd.configuration.entry.as_deref()?;
    let inputs = setting.program.inputs.iter().map(|input| model.input(setting, entry, input)).collect::<Option<_>>()?;
    let choice = |answer: &Answer| match *answer {
        Answer::Number(number) => Some(number),
        Answer::Value(term) => model.value(term),
    };
    let choices = answers.iter().map(choice).collect::<Option<_>>()?;
    Some(Realisation { inputs, choices })
}

/// Integers are chosen one after the other, each near 0 and such that there is still a choice for the others.
struct Model<'a> {
    arena: &'a mut Arena,
    herd: Herd,
}

impl Model<'_> {
    fn value(&mut self, term: LinearId) -> Option<i128> {
        let zero = self.arena.constant(0).ok()?;
        let bounds = self.herd.context.difference_bounds(self.arena, term, zero);
        let near = 0.max(bounds.0.unwrap_or(0)).min(bounds.1.unwrap_or(i128::MAX));
        let others = [near, near + 1, near - 1, near + 2, near - 2];
        others.into_iter().chain(bounds.0).chain(bounds.1).find_map(|value| {
            let constant = self.arena.constant(value).ok()?;
            let literal = self.arena.equal(term, constant).ok()?;
            let mut herd = self.herd.with(self.arena, literal);
            let is_possible = !herd.context.is_contradictory(self.arena);
            is_possible.then(|| {
                self.herd = herd;
                value
            })
        })
    }

    fn slot(&mut self, slot: Slot) -> Option<i128> {
        if let Slot::Integer(term) = slot { self.value(term) } else { None }
    }

    fn input(&mut self, setting: Setting<'_>, entry: &Member, input: &Input) -> Option<InputValue> {
        match *input {
            Input::Integer { register } => self.slot(entry.register(register).ok()?).map(InputValue::Integer),
            Input::Array(ArrayInput { length, object, .. }) => {
                let length = self.slot(entry.register(length).ok()?).filter(|length| *length <= LONGEST)?;
                let state = entry.object(object)?;
                (0..length).map(|index| self.element(state, index)).collect::<Option<_>>().map(InputValue::Array)
            }
            Input::Single { pointer, object } => match entry.register(pointer).ok()? {
                Slot::Null => Some(InputValue::Single(None)),
                _ => self.element(entry.object(object)?, 0).map(|fields| InputValue::Single(Some(fields))),
            },
            Input::Linked { pointer, .. } => self.tree(setting, entry, entry.register(pointer).ok()?).map(InputValue::Linked),
        }
    }

    /// The integer fields of an element.
    fn element(&mut self, state: &ObjectState, index: i128) -> Option<Vec<i128>> {
        let cell = usize::try_from(index).ok()?;
        let mut values = Vec::new();
        for field in &state.fields {
            match (field.cells.get(cell), field.rest) {
                (Some(slot @ Slot::Integer(_)), _) => values.push(self.slot(*slot)?),
                (None, Some(rest)) => {
                    let index = self.arena.constant(index).ok()?;
                    let element = self.arena.select(rest, index).ok()?;
                    values.push(self.value(element)?);
                }
                _ => {}
            }
        }
        Some(values)
    }

    /// A linked input, breadth first; what has not been looked at is NULL.
    fn tree(&mut self, setting: Setting<'_>, entry: &Member, root: Slot) -> Option<Vec<LinkedNode>> {
        let node = |slot: Slot| if let Slot::Pointer(Address { object, .. }) = slot { Some(object) } else { None };
        let mut objects: Vec<ObjectId> = node(root).into_iter().collect();
        let mut nodes = Vec::new();
        while let Some(object) = objects.get(nodes.len()).copied() {
            let state = entry.object(object)?;
            let integers = self.element(state, 0)?;
            let Origin::Node { links } = &setting.object(state.declaration).ok()?.origin else { return None };
            let mut children = Vec::new();
            for (_, field) in links.iter().zip(&state.fields).filter(|(link, _)| matches!(link, Link::Child(_))) {
                let child = field.cells.first().copied().and_then(node);
                children.push(child.map(|_| objects.len()));
                objects.extend(child);
            }
            nodes.push(LinkedNode { integers, children });
        }
        Some(nodes)
    }
}
