//! Arrays that have nothing to do with each other (`spec/search.md#open-lengths`): what is looked at where the program comes to them, and what is behind
//! the program when it does.

use super::{
    derivation::{Derivation, End},
    path::Path,
    state::Search,
    stuck::Stuck,
};
use crate::state::{herd::Herd, twin::twin};
use goatherd_certificates::{
    configuration::Slot,
    derivation::{Lengths, MemberId, Rule},
    program::{ArrayInput, Input, Location},
    term::Literal,
};
use goatherd_flow::{
    instruction::read,
    walks::{Inputs, together},
};

impl Search<'_> {
    /// Where the program looks at an array for the first time that loops walk together with others: in which size class one of these is, if that is
    /// not known. What is walked by itself is told apart by the program's own questions.
    pub(crate) fn touched(&mut self, herd: &mut Herd, location: Location) -> Option<Literal> {
        if self.strategy.lengths == Lengths::Classes {
            return None;
        }
        let entry = herd.configuration.entry.clone()?;
        let read = read(&self.setting.program.instructions[location.index()]);
        let inputs = &self.setting.program.inputs;
        let is_read = |input: &Input| matches!(input, Input::Array(ArrayInput { pointer, length, .. }) if read.contains(pointer) || read.contains(length));
        let touched: Inputs = (0..).zip(inputs).filter(|(_, input)| is_read(input)).map(|(position, _)| position).collect();
        if touched.is_empty() {
            return None;
        }
        let joined = together(&self.flow.walks, &self.flow.equally_long, touched);
        if joined.len() < 2 {
            return None;
        }
        for (_, input) in (0..).zip(inputs).filter(|(position, _)| joined.contains(position)) {
            let Input::Array(ArrayInput { length, .. }) = input else { continue };
            let Ok(Slot::Integer(length)) = entry.register(*length) else { continue };
            for size in 0..=self.setting.k {
                let size = self.arena.constant(i128::from(size)).ok()?;
                let literal = self.arena.at_most(length, size).ok()?;
                let negation = self.arena.negate(literal).ok()?;
                if !herd.context.entails(self.arena, literal) && !herd.context.entails(self.arena, negation) {
                    return Some(literal);
                }
            }
        }
        None
    }

    /// Both sides of what is asked of a length, where the primary has not moved since.
    pub(crate) fn by_size(&mut self, herd: &Herd, path: &Path<'_>, literal: Literal) -> Result<End, Stuck> {
        let negation = self.arena.negate(literal).map_err(|rejection| self.rejected(rejection))?;
        let last = self.last;
        let mut children: Vec<Derivation> = Vec::new();
        for literal in [literal, negation] {
            self.last = last;
            let child = herd.with(self.arena, literal);
            children.push(self.explore(child, path.clone(), true)?);
        }
        Ok(End::Split(literal, children))
    }

    /// Where the primary comes to an outermost loop for the first time: does a scapegoat come there in the same state, as far as what is left of the
    /// program can tell? Its steps are added to the rules then.
    pub(crate) fn twin(&mut self, herd: &Herd, rules: &mut Vec<Rule>, head: Location) -> Result<Option<End>, Stuck> {
        if self.strategy.lengths == Lengths::Classes || !self.flow.loops[&head].around.is_empty() {
            return Ok(None);
        }
        for position in 1..herd.tags.len() {
            let member = MemberId(u32::try_from(position).unwrap_or(u32::MAX));
            let mut next = herd.clone();
            let mut taken = self.run_to(&mut next, member, Some(head))?;
            if twin(self.arena, (self.setting, self.flow), &next.configuration, member).is_ok() {
                rules.append(&mut taken);
                return Ok(Some(End::Twin(member)));
            }
        }
        Ok(None)
    }
}
