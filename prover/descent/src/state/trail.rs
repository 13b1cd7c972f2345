//! How a herd has come about: where the primary has been, and what the environment was asked.

use super::template::key::Key;
use goatherd_certificates::{
    certificate::Allocation,
    configuration::{ObjectState, Slot, TreeId},
    program::{Fresh, Instruction},
    term::LinearId,
};
use goatherd_checker::{
    configuration::{Member, Place, Setting},
    outcome::{Creation, Effect, Outcome},
};
use std::sync::Arc;

/// What the environment was asked.
#[derive(Clone, Copy, Debug)]
pub enum Answer {
    /// It has said this.
    Number(i128),
    /// It has given this value.
    Value(LinearId),
}

/// What the environment was asked for in an outcome that has led the member to where it is: in the order in which an interpreter asks.
pub fn answers(setting: Setting<'_>, instruction: &Instruction, outcome: &Outcome, member: &Member) -> Vec<Answer> {
    let slot = |register| member.register(register).ok();
    match (instruction, outcome.effect) {
        (Instruction::Choose { then, .. }, Effect::Goto(target)) => vec![Answer::Number(i128::from(target != *then))],
        (_, Effect::Havoc(register, _)) => match slot(register) {
            Some(Slot::Integer(value)) => vec![Answer::Value(value)],
            _ => Vec::new(),
        },
        (Instruction::Allocate(_), Effect::Register(..)) => vec![Answer::Number(0)],
        (Instruction::Allocate(_) | Instruction::Enter { .. }, Effect::Create(Creation { declaration, fresh, .. })) => {
            let is_asked = matches!(instruction, Instruction::Allocate(_)) && setting.parameters.allocation == Allocation::MayFail;
            let is_new = |state: &&ObjectState| state.declaration == declaration;
            let contents = member.objects.iter().flatten().map(AsRef::as_ref).rfind(is_new);
            let cells = contents.into_iter().flat_map(|state| &state.fields).filter_map(|field| match field.cells.first() {
                Some(Slot::Integer(value)) if fresh == Fresh::Arbitrary => Some(Answer::Value(*value)),
                _ => None,
            });
            is_asked.then_some(Answer::Number(1)).into_iter().chain(cells).collect()
        }
        _ => Vec::new(),
    }
}

/// Where a derivation begins.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// At the root of a size class.
    Root(usize),
    /// At a template, as it was when it had been widened so often.
    Template(Arc<(Key, u32)>),
}

/// How a herd has come about.
#[derive(Clone, Debug)]
pub struct Trail {
    /// Where its derivation begins.
    pub(crate) source: Source,
    /// Where the primary has been since, the place where it is last.
    pub(crate) places: Vec<Place>,
    /// What has been unfolded since.
    pub(crate) opened: Vec<Opened>,
    /// What the environment was asked since.
    pub(crate) answers: Vec<Answer>,
}

/// A symbol that was unfolded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opened {
    pub(crate) tree: TreeId,
    /// Which of the cases.
    pub(crate) case: usize,
    /// The first of the symbols that are new in it.
    pub(crate) fresh: usize,
}

impl Trail {
    /// At the beginning.
    pub const fn new(source: Source) -> Self {
        Self { source, places: Vec::new(), opened: Vec::new(), answers: Vec::new() }
    }

    /// The primary has come to this place, and the environment has answered this on the way.
    pub fn step(&mut self, place: Place, mut answers: Vec<Answer>) {
        self.places.push(place);
        self.answers.append(&mut answers);
    }

    /// In this case of the symbol, of which there were so many.
    pub fn open(&mut self, tree: TreeId, case: usize, symbols: usize) {
        self.opened.push(Opened { tree, case, fresh: symbols });
    }
}
