//! Templates where ways meet: nothing is to converge there, so nothing is weakened (`spec/search.md#what-is-written`).

use super::{Facts, Widened, arrival::Arrival, basis::Basis, build, ordered_both_ways, shape::Shape, slots::Slots};
use goatherd_certificates::{
    configuration::InputSize,
    term::{Literal, Sign},
};
use goatherd_checker::{rejection::Rejection, term::Arena};
use goatherd_logic::Apart;

/// Herds of one shape whose ways meet, all of which are known.
pub struct Meeting {
    first: Arrival,
    slots: Slots,
    facts: Facts,
}

impl Meeting {
    /// What of the herd tells it from those that it cannot share a template with.
    pub fn shape(arena: &mut Arena, basis: Basis<'_>, arrival: &Arrival) -> Result<(Vec<Shape>, Vec<InputSize>), Rejection> {
        let mut arrival = arrival.clone();
        arrival.stretch_inputs(arena, basis.setting)?;
        let slots = Slots::with_derived(arena, basis, &arrival, &[])?;
        Ok((slots.shape, arrival.folding.members.iter().map(|member| member.size).collect()))
    }

    /// The values of its slots that are known numbers.
    pub fn constants(arena: &mut Arena, basis: Basis<'_>, arrival: &Arrival) -> Result<Vec<Option<i128>>, Rejection> {
        let slots = Slots::with_derived(arena, basis, arrival, &[])?;
        Ok(slots.integers.iter().map(|(term, _)| arena.value(*term)).collect())
    }

    /// Of one herd so far.
    pub fn new(arena: &mut Arena, basis: Basis<'_>, mut arrival: Arrival) -> Result<Self, Rejection> {
        let mut slots = Slots::new(arena, basis, &mut arrival)?;
        slots.remember_reads(arena, &arrival)?;
        let facts = facts(arena, &mut arrival, &slots)?;
        Ok(Self { first: arrival, slots, facts })
    }

    /// One more herd, of the same shape.
    pub fn add(&mut self, arena: &mut Arena, basis: Basis<'_>, mut arrival: Arrival) -> Result<(), Rejection> {
        let slots = Slots::with_derived(arena, basis, &arrival, &self.slots.derived)?;
        let new = facts(arena, &mut arrival, &slots)?;
        let differences = self.facts.differences.join(&new.differences);
        let disequalities = self.facts.disequalities(&new, ordered_both_ways(&self.facts.differences, &new.differences));
        self.facts = self.facts.join(&new, differences, disequalities);
        Ok(())
    }

    /// The template that covers them all.
    pub fn template(mut self, arena: &mut Arena, basis: Basis<'_>) -> Result<Widened, Rejection> {
        build(arena, basis, &mut self.first, &self.slots, self.facts, 0)
    }
}

/// What holds of the slots. That one is not zero is also known where it is a sum, as the difference of two elements is.
fn facts(arena: &mut Arena, arrival: &mut Arrival, slots: &Slots) -> Result<Facts, Rejection> {
    let mut facts = Facts::new(arena, arrival, slots)?;
    for (position, (term, _)) in slots.integers.iter().enumerate() {
        let literal = Literal { sign: Sign::NotZero, term: *term };
        if arena.linear(*term)?.summands.len() > 1 && arrival.herd.context.entails(arena, literal) {
            facts.disequalities.insert(Apart { left: 0, right: position + 1, constant: 0 });
        }
    }
    Ok(facts)
}
