//! At loop heads herds are split on which side of the element that is asked about indices are (`spec/search.md#focus`).

use super::{derivation::End, path::Path, state::Search, stuck::Stuck};
use crate::state::{
    herd::Herd,
    template::focus::{meeting, sides},
};
use goatherd_certificates::{
    derivation::Lemma,
    program::{Advance, Condition, Instruction, Location, Operand, Program, RegisterId, Relation},
};
use goatherd_checker::arithmetic::range;
use goatherd_flow::{
    bounded::{Loaded, loaded_indices},
    focus::{Failure, failures},
};

/// That indices which were loaded are within their arrays, as they have to be: so it is asked of the elements that they were, and not where they are used.
pub fn within(program: &Program) -> Vec<Lemma> {
    let both = |Loaded { location, index, count, kind }: Loaded| {
        let (index, last) = (Operand::Register(index), i128::from(count) - 1);
        let (least, greatest) = range(kind);
        let above = (least < 0).then_some((Operand::Constant(0), index));
        let below = (greatest > last).then_some((index, Operand::Constant(last)));
        above.into_iter().chain(below).map(move |(left, right)| {
            let condition = Condition::Integers { relation: Relation::LessOrEqual, left, right };
            Lemma { location, condition }
        })
    };
    loaded_indices(program).into_iter().flat_map(both).collect()
}

/// What asks of each failure that is about an element only whether it is the one that comes in, each in a register of its own; and that register.
pub fn foci(program: &Program) -> Vec<(Lemma, RegisterId, Failure)> {
    let new = (program.registers.len()..).filter_map(|register| u32::try_from(register).ok()).map(RegisterId);
    let focus = |(failure, register): (Failure, RegisterId)| {
        let [left, right] = [failure.index, register].map(Operand::Register);
        let condition = Condition::Integers { relation: Relation::Equal, left, right };
        (Lemma { location: failure.location, condition }, register, failure)
    };
    failures(program).into_iter().zip(new).map(focus).collect()
}

impl Search<'_> {
    /// Splits on the first side that is not known.
    pub(crate) fn take_sides(&mut self, herd: &mut Herd, path: &Path<'_>, head: Location) -> Result<Option<End>, Stuck> {
        if !self.strategy.keys.have_focus() {
            return Ok(None);
        }
        let basis = self.basis();
        let Herd { configuration, context, kept_indices, .. } = herd;
        let Some(primary) = configuration.members.first() else { return Ok(None) };
        let (_, open) = sides(self.arena, basis, (head, primary), (kept_indices, &configuration.predicate), context);
        let Some(literal) = open else { return Ok(None) };
        let children = self.split(herd, literal, path)?;
        Ok(Some(End::Split(literal, children)))
    }

    /// Before the address of an element is computed that is stored to, splits on whether it is one that is told apart: what is computed from it is then
    /// known to be computed from that.
    pub(crate) fn meet_asked(&mut self, herd: &mut Herd, path: &Path<'_>, location: Location) -> Result<Option<End>, Stuck> {
        if !self.strategy.keys.have_focus() || !self.flow.focus.stores.contains(&location) || self.flow.loops.contains_key(&location) {
            return Ok(None);
        }
        let Instruction::Advance(Advance { index: Operand::Register(index), .. }) = self.setting.program.instructions[location.index()]
        else {
            return Ok(None);
        };
        let basis = self.basis();
        let Some(literal) = meeting(self.arena, basis, location, index, herd) else { return Ok(None) };
        let children = self.split(herd, literal, path)?;
        Ok(Some(End::Split(literal, children)))
    }
}
