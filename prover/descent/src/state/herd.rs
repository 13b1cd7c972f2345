//! A configuration together with what the search knows of it.

use super::{
    mismatch::different_elements,
    trail::{Trail, answers},
};
use goatherd_certificates::{
    configuration::{ObjectState, Slot},
    derivation::{Choice, InputDrop, MemberId, OutcomeId},
    program::{Instruction, Location, ObjectId},
    term::{LinearId, Literal},
};
use goatherd_checker::{
    configuration::{Configuration, Place, Setting},
    environment::Environment,
    outcome::{Effect, Outcome},
    rejection::Rejection,
    term::Arena,
};
use goatherd_logic::{Context, ContextOracle, Solver};
use std::{
    collections::{BTreeMap, BTreeSet},
    mem::discriminant,
    sync::Arc,
};

/// What a scapegoat lacks of the primary's input and of the values that the primary draws.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SmallerInput {
    /// Elements and nodes of inputs.
    pub drops: Vec<InputDrop>,
    /// New values of integer inputs.
    pub integers: Vec<(u32, LinearId)>,
    /// Rounds of loops that draw nondeterministic values: by head, which one.
    pub rounds: BTreeMap<Location, u32>,
    /// Where it draws one less than the primary does: bounds of these loops.
    pub lessened: BTreeSet<Location>,
    /// The objects of its own that begin one element later than the primary's.
    pub shifted: BTreeSet<ObjectId>,
}

/// A configuration, its predicate as a closed system of differences, and which scapegoats its members are.
#[derive(Clone)]
pub struct Herd {
    /// What the kernel works on.
    pub configuration: Configuration,
    /// What follows from its predicate.
    pub context: Context,
    /// Per member, which scapegoat it is; 0 is the primary.
    pub tags: Vec<usize>,
    /// The ways that the primary took where there were several, outside the loops that templates stand for.
    pub history: History,
    /// The inputs of scapegoats that may still be added: none has been so far.
    pub candidates: Arc<[SmallerInput]>,
    /// Indices that no register need hold: where the primary found two arrays different in the first rounds of the first loop that compares them in
    /// each of its rounds, and witnesses that a loop moves on.
    pub kept_indices: Vec<LinearId>,
    /// Where the primary last found elements of two arrays different, since the last template; nothing where these have cells of their own.
    pub different: Vec<LinearId>,
    /// What each instruction that leaves something to the environment has last given the primary, since the last template.
    pub drawn: BTreeMap<Location, Drawn>,
    /// All values that the primary has drawn since the last template, by instruction.
    pub draws: BTreeMap<Location, Vec<LinearId>>,
    /// How many values each scapegoat has drawn since then, by its tag and by instruction.
    pub repeated: BTreeMap<(usize, Location), usize>,
    /// How it has come about, where a failure is asked that.
    pub trail: Option<Trail>,
    /// The nodes that the primary had looked at when it came to the loop that it is in, where the search asks for these.
    pub known: Arc<BTreeSet<ObjectId>>,
}

/// What the environment has decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawn {
    /// A nondeterministic value.
    Value(LinearId),
    /// Which way to go on, or whether an allocation fails.
    Effect(Effect),
}

impl Drawn {
    /// Is the effect of an outcome what was decided?
    pub fn agrees_with(self, effect: Effect) -> bool {
        match (self, effect) {
            (Self::Effect(Effect::Goto(drawn)), Effect::Goto(target)) => drawn == target,
            (Self::Effect(drawn), effect) => discriminant(&drawn) == discriminant(&effect),
            (Self::Value(_), _) => true,
        }
    }
}

/// The ways that a primary took (Shrinker §0.A.1, abstract paths).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    /// Instructions and their outcomes.
    pub branches: Vec<(Location, OutcomeId)>,
    /// The heads at which a template was made, with the number of branches before it.
    heads: Vec<(Location, usize)>,
}

impl History {
    /// A template is made at the head, or was: what was recorded since is one more round of its loop.
    pub fn arrive(&mut self, head: Location) {
        match self.heads.iter().position(|(other, _)| *other == head) {
            Some(position) => {
                self.branches.truncate(self.heads[position].1);
                self.heads.truncate(position + 1);
            }
            None => self.heads.push((head, self.branches.len())),
        }
    }
}

impl Herd {
    /// The herd at a root or template: everything in the predicate is assumed.
    pub fn new(arena: &mut Arena, configuration: Configuration, solver: &Arc<Solver>) -> Self {
        let mut context = Context::with_solver(Arc::clone(solver));
        for literal in &configuration.predicate {
            context.assume(arena, *literal);
        }
        Self::knowing(configuration, context)
    }

    /// A herd of which the context says what follows from its predicate.
    pub fn knowing(configuration: Configuration, context: Context) -> Self {
        Self {
            tags: (0..configuration.members.len()).collect(),
            configuration,
            context,
            history: History::default(),
            candidates: Arc::default(),
            kept_indices: Vec::new(),
            different: Vec::new(),
            drawn: BTreeMap::new(),
            draws: BTreeMap::new(),
            repeated: BTreeMap::new(),
            trail: None,
            known: Arc::default(),
        }
    }

    /// The objects in which one of the elements with a cell of their own is known to be 0, and the first such element: there
    /// ends the string that they hold.
    pub fn terminators(&mut self, arena: &mut Arena, objects: &[ObjectState]) -> Vec<(ObjectId, usize)> {
        let Ok(zero) = arena.constant(0) else { return Vec::new() };
        let Self { context, .. } = self;
        let mut terminators = Vec::new();
        for state in objects {
            let [field] = state.fields.as_slice() else { continue };
            let mut is_zero = |cell: &Slot| match cell {
                Slot::Integer(term) => context.difference_bounds(arena, *term, zero) == (Some(0), Some(0)),
                _ => false,
            };
            terminators.extend(field.cells.iter().position(&mut is_zero).map(|position| (state.object, position)));
        }
        terminators
    }

    /// Tells the context what the predicate has gained.
    fn catch_up(&mut self, arena: &mut Arena, from: usize) {
        for literal in &self.configuration.predicate[from..] {
            self.context.assume(arena, *literal);
        }
    }

    /// Tells an empty context the whole predicate.
    pub fn recall(&mut self, arena: &mut Arena) {
        self.catch_up(arena, 0);
    }

    /// The herd with a symbol unfolded.
    #[must_use]
    pub fn unfolded(&self, arena: &mut Arena, configuration: Configuration) -> Self {
        let from = self.configuration.predicate.len();
        let mut herd = Self { configuration, ..self.clone() };
        herd.catch_up(arena, from);
        herd
    }

    /// The primary takes this outcome.
    pub fn follow(&mut self, arena: &mut Arena, setting: Setting<'_>, outcome: &Outcome) -> Result<(), Rejection> {
        let from = self.configuration.predicate.len();
        let place = self.configuration.members[0].place;
        self.configuration.change(arena, setting, MemberId(0)).follow(outcome)?;
        self.catch_up(arena, from);
        if let Some(instruction) = setting.instruction(place) {
            let primary = &self.configuration.members[0];
            if let Some(trail) = &mut self.trail {
                trail.step(primary.place, answers(setting, instruction, outcome, primary));
            }
            if let Some(different) = different_elements(arena, primary, instruction, outcome.effect) {
                self.different = different;
            }
        }
        let drawn = match (setting.instruction(place), outcome.effect) {
            (Some(Instruction::Havoc { target }), _) => match self.configuration.members[0].register(*target)? {
                Slot::Integer(value) => Some(Drawn::Value(value)),
                _ => None,
            },
            (Some(Instruction::Choose { .. } | Instruction::Allocate(_)), effect) => Some(Drawn::Effect(effect)),
            _ => None,
        };
        if let (Place::At(location), Some(drawn)) = (place, drawn) {
            self.drawn.insert(location, drawn);
            if let Drawn::Value(value) = drawn {
                self.draws.entry(location).or_default().push(value);
            }
        }
        Ok(())
    }

    /// A scapegoat takes this outcome, whose literals the context shows.
    pub fn advance(
        &mut self,
        arena: &mut Arena,
        setting: Setting<'_>,
        member: MemberId,
        outcome: &Outcome,
        choice: Option<&Choice>,
    ) -> Result<(), Rejection> {
        let from = self.configuration.predicate.len();
        let place = self.configuration.member(member)?.place;
        if let (Place::At(location), Some(Instruction::Havoc { .. })) = (place, setting.instruction(place)) {
            *self.repeated.entry((self.tags[member.index()], location)).or_default() += 1;
        }
        let mut oracle = ContextOracle(&mut self.context);
        let mut environment = choice.map_or(Environment::Any, |choice| Environment::Choice(choice, &mut oracle));
        self.configuration.change(arena, setting, member).apply(outcome.effect, &mut environment)?;
        self.catch_up(arena, from);
        Ok(())
    }

    /// The herd with one more literal.
    #[must_use]
    pub fn with(&self, arena: &mut Arena, literal: Literal) -> Self {
        let mut herd = self.clone();
        let from = herd.configuration.predicate.len();
        herd.configuration.assume(arena, literal);
        herd.catch_up(arena, from);
        herd
    }
}
