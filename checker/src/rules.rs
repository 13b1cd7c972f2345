//! The rules of a derivation but Subsume, each with its side conditions (`spec/calculus.md#rules`).
//!
//! A rule is "for all" (the primary: everything that may happen is among the children) or "exists" (a scapegoat: what is said of it does
//! happen in some execution). The prover builds its derivations with these functions; the checker replays them with the hints as oracle.

use crate::step::outcomes;
use crate::{Member, *};
use alloc::{sync::Arc, vec::Vec};
use goatherd_certificates::*;

/// Root: the configuration of one combination of size classes, or none when all have been given. All of them together cover every valid
/// input. The classes of the last input change fastest. An array whose length is open has one class.
pub fn root(
    arena: &mut Arena,
    setting: Setting<'_>,
    lengths: Lengths,
    class: u64,
) -> Result<Option<Configuration>> {
    let mut configuration = Configuration::before_inputs(arena, setting)?;
    let mut left = class;
    for input in setting.program.inputs.iter().rev() {
        let count = match input {
            // Lengths 0 to k and "more". Without cells of their own, all lengths are alike.
            Input::Array(_) if setting.k > 0 && lengths == Lengths::Classes => {
                u64::from(setting.k).saturating_add(2)
            }
            // NULL or not.
            Input::Single { .. } => 2,
            _ => 1,
        };
        let size = left.checked_rem(count).ok_or(Rejection::Overflow)?;
        left = left.checked_div(count).ok_or(Rejection::Overflow)?;
        let mut elements = arena.constant(i128::from(size))?;
        if let Input::Array(ArrayInput { length, object, .. }) = *input
            && size >= count.saturating_sub(1)
        {
            elements = configuration.fresh(arena, Some(setting.integer_type(length)?))?;
            let bounds = (i128::from(size), setting.greatest_count(object)?);
            for literal in arena.within(elements, bounds)? {
                configuration.assume(arena, literal);
            }
        }
        configuration
            .change(arena, setting, MemberId(0))
            .set_input(input, elements, &mut Environment::Any)?;
    }
    configuration.entry = configuration.members.first().cloned().map(Arc::new);
    Ok((left == 0).then_some(configuration))
}

/// Is a literal of the outcome false whatever the variables are?
pub fn is_excluded(arena: &Arena, outcome: &Outcome) -> bool {
    let mut literals = outcome.literals.iter();
    literals.any(|literal| arena.evident(*literal) == Some(false))
}

/// Step (for all): the primary takes one instruction; every outcome that is neither evidently false nor refuted becomes a child, with its
/// literals, also where it is the only one (`spec/calculus.md#attacks` E3). The oracle refutes the named outcomes in order. The configuration
/// itself becomes the last child, if there is one: it then stays open.
pub fn step(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &mut Configuration,
    refuted: impl IntoIterator<Item = OutcomeId>,
    oracle: &mut dyn Oracle,
    children: &mut Vec<Configuration>,
) -> Result<bool> {
    let all = outcomes(arena, setting, configuration.member(MemberId(0))?)?;
    let mut refuted = refuted.into_iter().peekable();
    let mut open = Vec::new();
    for (position, outcome) in all.into_iter().enumerate() {
        if is_excluded(arena, &outcome) {
            continue;
        }
        if refuted.next_if(|id| id.index() == position).is_some() {
            oracle.refute(arena, &configuration.predicate, &outcome.literals)?;
        } else {
            open.push(outcome);
        }
    }
    ensure(refuted.next().is_none(), Rejection::Outcomes)?;
    let Some((last, others)) = open.split_last() else {
        return Ok(false);
    };
    let copies = configuration.bytes().saturating_mul(others.len());
    arena.budget.take(copies)?;
    for outcome in others {
        let mut child = configuration.clone();
        child.change(arena, setting, MemberId(0)).follow(outcome)?;
        children.push(child);
    }
    arena.budget.release(copies);
    configuration
        .change(arena, setting, MemberId(0))
        .follow(last)
        .map(|()| true)
}

impl Change<'_> {
    /// All outcomes of the member's next instruction.
    fn outcomes(&mut self) -> Result<Vec<Outcome>> {
        let member = self.configuration.member(self.member)?;
        outcomes(self.arena, self.setting, member)
    }

    /// Steps, one of them (exact): the member takes an instruction that has one outcome. Lists are exhaustive, so it happens, and its literals
    /// hold.
    pub fn step_alone(&mut self) -> Result<()> {
        let mut all = self.outcomes()?;
        all.retain(|outcome| !is_excluded(self.arena, outcome));
        let [outcome] = all.as_slice() else {
            return Err(Rejection::Outcomes);
        };
        let is_known = self.member == MemberId(0) || outcome.tag != Tag::Ignorance;
        ensure(is_known, Rejection::Ignorance)?;
        self.follow(outcome)
    }

    /// Steps (exact): the member takes so many instructions, each of which has one outcome.
    pub fn steps(&mut self, count: u32) -> Result<()> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let instructions = self.setting.program.instructions.len();
        ensure(count <= instructions, Rejection::Outcomes)?;
        // What each may add to the configuration: an object, whose fields are paid for where they are made, and literals.
        let growth = count.saturating_mul(size_of::<(ObjectState, [Literal; 8])>());
        self.arena.budget.take(growth)?;
        (0..count).try_for_each(|_| self.step_alone())?;
        self.arena.budget.release(growth);
        Ok(())
    }

    /// `StepDecided` and Choice (exists): a scapegoat takes one instruction with an outcome that is Exact or Real and whose literals are
    /// entailed (`spec/calculus.md#attacks` A2, A3).
    pub fn step_decided(
        &mut self,
        outcome: OutcomeId,
        choice: Option<&Choice>,
        oracle: &mut dyn Oracle,
    ) -> Result<()> {
        ensure(self.member != MemberId(0), Rejection::Primary)?;
        let all = self.outcomes()?;
        let outcome = entry(&all, outcome.index())?;
        ensure(outcome.tag != Tag::Ignorance, Rejection::Ignorance)?;
        let mut obligations = self.configuration.obligations(self.arena, oracle);
        let mut literals = outcome.literals.iter();
        literals.try_for_each(|literal| obligations.entail(*literal))?;
        let mut environment = match choice {
            Some(choice) => Environment::Choice(choice, oracle),
            None => Environment::Any,
        };
        self.apply(outcome.effect, &mut environment)
    }
}

/// Split: the configuration with the literal, and with its negation. The literal is over existing variables, with integer coefficients.
pub fn split(
    arena: &mut Arena,
    configuration: &Configuration,
    literal: Literal,
) -> Result<[Configuration; 2]> {
    arena.exists(&configuration.scope, Part::Linear(literal.term))?;
    let negation = arena.negate(literal)?;
    let copies = configuration.bytes().saturating_mul(2);
    arena.budget.take(copies)?;
    let children = [literal, negation].map(|literal| {
        let mut child = configuration.clone();
        child.assume(arena, literal);
        child
    });
    arena.budget.release(copies);
    Ok(children)
}

/// `AddScapegoat` (exists): a member at the entry, on a valid input with at least one element less (Shrinker §0.A.2). The integers of the
/// input may be any in the range of their types.
pub fn add_scapegoat(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &mut Configuration,
    drops: &[InputDrop],
    integers: &[(u32, LinearId)],
    oracle: &mut dyn Oracle,
) -> Result<()> {
    let at_entry = configuration.entry.as_deref().cloned();
    let mut member = at_entry.ok_or(Rejection::EntryTerms)?;
    let is_ascending = drops.is_sorted_by(|left, right| left.input <= right.input)
        && integers.is_sorted_by(|(left, _), (right, _)| left < right);
    ensure(is_ascending, Rejection::Drop)?;
    let inputs = &setting.program.inputs;
    let input = |position: u32| inputs.get(usize::try_from(position).ok()?);
    let mut obligations = configuration.obligations(arena, oracle);
    for drop in drops {
        obligations.arena.budget.work(slots(member.bytes()))?;
        member.size = InputSize::Smaller;
        match (drop.element, input(drop.input)) {
            (DroppedElement::Node { object, child }, Some(Input::Linked { .. })) => {
                member.drop_node(setting, object, child)?;
            }
            (element, Some(Input::Array(array))) => {
                drop_element(&mut obligations, &mut member, *array, element)?;
            }
            _ => return Err(Rejection::Drop),
        }
    }
    ensure_none_lost(obligations.arena, setting, &member)?;
    for (position, value) in integers {
        let Some(Input::Integer { register }) = input(*position) else {
            return Err(Rejection::Drop);
        };
        let kind = setting.integer_type(*register)?;
        obligations.integer(*value, Some(kind))?;
        member.set_register(*register, Slot::Integer(*value))?;
    }
    configuration.members.push(member);
    Ok(())
}

/// Leaves an element of an array out of the input. Where several elements of one input go, each is one of those that the ones before have left.
fn drop_element(
    obligations: &mut Obligations<'_>,
    member: &mut Member,
    array: ArrayInput,
    element: DroppedElement,
) -> Result<()> {
    let Slot::Integer(old) = member.register(array.length)? else {
        return Err(Rejection::Drop);
    };
    let arena = &mut *obligations.arena;
    member.set_register(array.length, Slot::Integer(arena.plus(old, -1)?))?;
    let state = member.object_mut(array.object)?;
    let lower = arena.value(state.lower).ok_or(Rejection::Drop)?;
    let first = u32::try_from(lower).map_err(|_| Rejection::Drop)?;
    let dropped = match element {
        DroppedElement::First(position) => position,
        DroppedElement::Last => first,
        DroppedElement::Node { .. } => return Err(Rejection::Drop),
    };
    ensure(dropped >= first, Rejection::Drop)?;
    let index = arena.constant(i128::from(dropped))?;
    let is_inside = arena.less(index, state.upper)?;
    obligations.entail(is_inside)?;
    let arena = &mut *obligations.arena;
    if element == DroppedElement::Last {
        state.upper = arena.plus(state.upper, -1)?;
        return Ok(());
    }
    // The same offsets denote the same elements, so that pointers into the rest stay equal (`spec/calculus.md#rules`).
    state.lower = arena.plus(state.lower, 1)?;
    let slot = Slot::element(array.object, state.lower);
    for field in &mut state.fields {
        let first = usize::try_from(first).map_err(|_| Rejection::Drop)?;
        let dropped = usize::try_from(dropped).map_err(|_| Rejection::Drop)?;
        let moved = field.cells.get_mut(first..=dropped);
        moved.ok_or(Rejection::Drop)?.rotate_right(1);
    }
    member.set_register(array.pointer, slot)
}

/// Below a node that is left out nothing may be left that the smaller input does not have.
fn ensure_none_lost(arena: &mut Arena, setting: Setting<'_>, member: &Member) -> Result<()> {
    let program = setting.program;
    let roots = program.inputs.iter().filter_map(|input| match input {
        Input::Linked { pointer, .. } => Some(*pointer),
        _ => None,
    });
    let work = member.leak_work(setting);
    let work = work.saturating_add(program.instructions.len());
    arena.budget.work(work)?;
    let has_lost = setting.checks_leaks() && member.leaks(setting, roots)?;
    ensure(!has_lost, Rejection::Leak)
}

/// Drop: forgets a scapegoat.
pub fn drop_member(configuration: &mut Configuration, member: MemberId) -> Result<()> {
    ensure(member != MemberId(0), Rejection::Primary)?;
    configuration.member(member)?;
    configuration.members.remove(member.index());
    Ok(())
}

/// Descent (Shrinker: blame): a scapegoat has failed, on a smaller input. The primary may be anywhere: the theorem looks at a failing
/// execution of minimal size.
pub fn descent(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &Configuration,
    member: MemberId,
) -> Result<()> {
    ensure(member != MemberId(0), Rejection::Primary)?;
    let scapegoat = configuration.member(member)?;
    let primary = configuration.member(MemberId(0))?;
    ensure(has_failed(setting, scapegoat.place), Rejection::NotFailed)?;
    if scapegoat.size == InputSize::Smaller {
        return Ok(());
    }
    let (Slot::Integer(own), Slot::Integer(others)) = (scapegoat.consumed, primary.consumed) else {
        return Err(Rejection::NotSmaller);
    };
    let is_less = arena.less(own, others)?;
    ensure(
        arena.evident(is_less) == Some(true) || configuration.predicate.contains(&is_less),
        Rejection::NotSmaller,
    )
}

/// It has failed, or is about to.
pub fn has_failed(setting: Setting<'_>, place: Place) -> bool {
    place == Place::Failed || matches!(setting.instruction(place), Some(Instruction::Fail { .. }))
}

/// End: the primary has ended without failing.
pub fn end(setting: Setting<'_>, configuration: &Configuration) -> Result<()> {
    let instruction = setting.instruction(configuration.member(MemberId(0))?.place);
    ensure(
        matches!(instruction, Some(Instruction::Halt | Instruction::Ignore)),
        Rejection::NotEnded,
    )
}

/// Let: the next integer variable stands for the term (`spec/calculus.md#attacks` A5).
pub fn name(
    arena: &mut Arena,
    configuration: &mut Configuration,
    term: LinearId,
) -> Result<LinearId> {
    arena.exists(&configuration.scope, Part::Linear(term))?;
    let variable = configuration.fresh(arena, None)?;
    configuration.predicate.push(arena.equal(variable, term)?);
    Ok(variable)
}
