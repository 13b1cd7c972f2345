//! Choices of one child in each of several tuples.
//!
//! A product `Q1 x .. x Qn` of languages is a subset of a union of products `R1 x .. x Rn` exactly where, however one place is chosen in
//! each of the latter, at some place `i` the language `Qi` is a subset of the union of those `Ri` that were chosen there.

use crate::{
    automaton::State,
    steps::{Exhausted, Steps},
};
use fixedbitset::FixedBitSet;

/// A choice that is covered at no place: for each place the states that were chosen there. `is_covered` tells whether a set of states is
/// enough at a place; more states are then enough too. A step is a place tried for a tuple.
pub fn uncovered_choice(
    tuples: &[&[State]],
    places: usize,
    state_count: usize,
    is_covered: impl Fn(usize, &FixedBitSet) -> bool,
    steps: &mut Steps,
) -> Result<Option<Vec<FixedBitSet>>, Exhausted> {
    let mut chosen = vec![FixedBitSet::with_capacity(state_count); places];
    if (0..places).any(|place| is_covered(place, &chosen[place])) {
        return Ok(None);
    }
    // For each tuple that has its place: which one, and whether it made the set of that place larger.
    let mut trail: Vec<(usize, bool)> = Vec::with_capacity(tuples.len());
    let mut next_place = 0;
    while let Some(tuple) = tuples.get(trail.len()) {
        // A tuple one of whose states is chosen already changes nothing there.
        if next_place == 0
            && let Some(place) = (0..places).find(|place| chosen[*place].contains(tuple[*place].index()))
        {
            trail.push((place, false));
            continue;
        }
        if next_place < places {
            steps.take()?;
            let state = tuple[next_place].index();
            let is_new = !chosen[next_place].put(state);
            if !is_covered(next_place, &chosen[next_place]) {
                trail.push((next_place, is_new));
                next_place = 0;
                continue;
            }
            chosen[next_place].remove(state);
            next_place += 1;
            continue;
        }
        // Back to the last tuple for which there is another place. One that changed nothing leaves no other choice worth trying.
        loop {
            let Some((place, is_new)) = trail.pop() else { return Ok(None) };
            if is_new {
                chosen[place].remove(tuples[trail.len()][place].index());
                next_place = place + 1;
                break;
            }
        }
    }
    Ok(Some(chosen))
}
