//! What would have kept the primary from a failure: inequalities of its integers at the last loop, from what it has found out since
//! (`spec/search.md#wanted`).

use super::state::Search;
use crate::{
    state::{
        herd::Herd,
        template::key::Key,
        wanted::{Inequality, Name, Wanted},
    },
    ways::strategy::Drops,
};
use goatherd_certificates::{
    configuration::{Address, Slot},
    program::{Location, ObjectId, Operation, RegisterId},
    term::{Atom, AtomId, Computation, Linear, LinearId, Literal, Sign},
};
use goatherd_checker::{
    configuration::{Member, Place},
    rejection::Rejection,
    term::Arena,
};
use std::{collections::BTreeMap, ops::RangeInclusive};

/// How many of the last things that the primary has found out are looked at.
const LAST: usize = 2;
/// How many sums within sums are taken apart.
const WRAPPED: usize = 3;
/// How many counters are tried for what rounds add.
const COUNTERS: usize = 4;

/// What an integer of which no more is known than its type, or not even that, may come to: nothing that is wanted holds of all that.
const WIDE: i128 = i32::MAX as i128;
/// How many inequalities are noted that would have to hold before others.
const UNMET: usize = 64;
/// How many herds that have come back are looked at.
const RETURNED: usize = 32;

/// The template that is explored.
struct Explored {
    head: Location,
    predicate: Vec<Literal>,
    primary: Member,
    /// Which integer, less which constant, each atom is.
    names: BTreeMap<AtomId, (Name, i128)>,
}

impl<'a> Search<'a> {
    /// The same search, whose templates say what earlier ones have found to be wanted.
    #[must_use]
    pub fn wanting(self, wanted: &'a Wanted) -> Self {
        Self { wanted: Some(wanted), ..self }
    }

    /// Is it looked for what is wanted? Beside scapegoats a failure says that none fails with the primary, not that one of its integers is too large.
    fn learns(&self) -> bool {
        self.strategy.drops == Drops::None
    }

    /// What of the primary's integers at loops would have kept it from its failure: at the last one the contrary of one thing that it has found out since,
    /// or something that implies it and that rounds keep; at others what such things follow from.
    pub(crate) fn wanted(&mut self, failed: &mut Herd) -> Result<Vec<(Location, Inequality)>, Rejection> {
        let mut wanted: Vec<(Location, Inequality)> = std::mem::take(&mut self.unmet).into_iter().collect();
        let Some(explored) = self.explored_template()?.filter(|_| self.learns()) else { return Ok(wanted) };
        let since = failed.configuration.predicate.iter().rev().filter(|literal| !explored.predicate.contains(literal)).take(LAST);
        let since: Vec<Literal> = since.copied().collect();
        let mut inequalities = Vec::new();
        for Literal { sign, term } in since {
            let excluding = match sign {
                Sign::AtMostZero => vec![self.arena.combine(1, &[(term, -1)])?],
                Sign::NotZero => vec![term, self.arena.combine(0, &[(term, -1)])?],
                Sign::Zero => Vec::new(),
            };
            for term in excluding {
                inequalities.extend(self.at_loop(failed, term, &explored.names)?);
            }
        }
        inequalities.extend(self.fitting(&explored)?);
        for inequality in &inequalities {
            let kept = self.kept(failed, inequality, &explored)?;
            wanted.extend(kept.into_iter().map(|inequality| (explored.head, inequality)));
        }
        wanted.extend(inequalities.into_iter().map(|inequality| (explored.head, inequality)));
        Ok(wanted)
    }

    /// The herd has come to the template of this key, perhaps back to the one that is explored.
    pub(crate) fn note_returned(&mut self, key: &Key, herd: &Herd) {
        if self.learns() && self.explored.as_ref() == Some(key) && self.returned.len() < RETURNED {
            self.returned.push(herd.clone());
        }
    }

    /// Notes what would have to hold at the loop from which the herd has come for what is wanted at the one to which it has. If that is one and the same, only
    /// what is about other integers: `score <= 490` for `score <= 500`, and so on, leads nowhere.
    pub(crate) fn note_unmet(&mut self, arrival: &mut Herd) -> Result<(), Rejection> {
        let Place::At(head) = arrival.configuration.members[0].place else { return Ok(()) };
        let wanted: Vec<Inequality> = self.wanted.into_iter().flat_map(|wanted| wanted.at(head)).cloned().collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let Some(explored) = self.explored_template()? else { return Ok(()) };
        for inequality in wanted {
            let Some(term) = self.term(&arrival.configuration.members[0], &inequality)? else { continue };
            if self.unmet.len() >= UNMET || arrival.context.entails(self.arena, Literal::new(Sign::AtMostZero, term)) {
                continue;
            }
            let before = self.at_loop(arrival, term, &explored.names)?;
            let before = before.filter(|before| explored.head != head || !before.names().eq(inequality.names()));
            self.unmet.extend(before.map(|before| (explored.head, before)));
        }
        Ok(())
    }

    /// The template that is explored.
    fn explored_template(&self) -> Result<Option<Explored>, Rejection> {
        let template = self.explored.as_ref().and_then(|key| self.templates.get(key));
        let Some((template, head)) = template.and_then(|template| Some((template, template.location()?))) else { return Ok(None) };
        let primary = template.configuration.members[0].clone();
        let names = names(self.arena, &primary)?;
        Ok(Some(Explored { head, predicate: template.configuration.predicate.clone(), primary, names }))
    }

    /// Inequalities that imply this one where the herd has failed, and that rounds of the loop keep: where each adds ten at most to what is to be at most
    /// zero, and one to a counter that has come to 50, it is less by ten times what that has still to count.
    fn kept(&mut self, failed: &mut Herd, inequality: &Inequality, explored: &Explored) -> Result<Vec<Inequality>, Rejection> {
        let growth = self.growth(inequality, explored)?.map(|growth| *growth.end());
        let Some(growth) = growth.filter(|growth| *growth > 0) else { return Ok(Vec::new()) };
        let (mut found, zero) = (Vec::new(), self.arena.constant(0)?);
        for (atom, (name, offset)) in &explored.names {
            let counter = Inequality { summands: vec![(*name, 1)], constant: 0 };
            let Some(step) = self.growth(&counter, explored)?.and_then(only).filter(|step| *step != 0) else { continue };
            let atom = self.arena.of_atom(*atom)?;
            let (least, greatest) = failed.context.difference_bounds(self.arena, atom, zero);
            let end = if step > 0 { greatest } else { least };
            let Some(end) = end.and_then(|end| end.checked_sub(*offset)) else { continue };
            // |step| * inequality - sign(step) * growth * (counter - end)
            let factor = growth.saturating_mul(step.signum());
            let constant = factor.saturating_mul(end);
            found.extend(inequality.times(step.abs()).plus(*name, factor.saturating_neg(), constant));
            if found.len() == COUNTERS {
                break;
            }
        }
        Ok(found)
    }

    /// What keeps rounds from wrapping around: while integers may nothing is kept. A round in which they have is told by what it has found out of sums,
    /// that one is beyond its type.
    fn fitting(&mut self, explored: &Explored) -> Result<Vec<Inequality>, Rejection> {
        let mut fitting = Vec::new();
        for position in 0..self.returned.len() {
            let mut herd = self.returned[position].clone();
            for literal in herd.configuration.predicate.clone() {
                let is_beyond = self.arena.linear(literal.term)?.constant > WIDE;
                if literal.sign == Sign::AtMostZero && is_beyond && !explored.predicate.contains(&literal) {
                    let contrary = self.arena.combine(1, &[(literal.term, -1)])?;
                    fitting.extend(self.at_loop(&mut herd, contrary, &explored.names)?);
                }
            }
        }
        Ok(fitting)
    }

    /// By how much a round of the loop adds to the sum at least and at most, but for rounds in which integers may wrap around: they do not where what is
    /// wanted holds. None if no other rounds have been seen, or not all of its integers are there.
    fn growth(&mut self, sum: &Inequality, explored: &Explored) -> Result<Option<RangeInclusive<i128>>, Rejection> {
        let Some(before) = self.term(&explored.primary, sum)? else { return Ok(None) };
        let (mut growth, zero) = (None, self.arena.constant(0)?);
        for position in 0..self.returned.len() {
            let Some(after) = self.term(&self.returned[position].configuration.members[0].clone(), sum)? else { return Ok(None) };
            let added = self.arena.difference(after, before)?;
            let added = self.without_wrapping(added)?;
            if let (Some(least), Some(greatest)) = self.returned[position].context.difference_bounds(self.arena, added, zero)
                && least.saturating_abs().max(greatest.saturating_abs()) < WIDE
            {
                let (low, high) = growth.map_or((least, greatest), RangeInclusive::into_inner);
                growth = Some(low.min(least)..=high.max(greatest));
            }
        }
        Ok(growth)
    }

    /// The sum of what the member holds; none where it does not hold one of its integers.
    fn term(&mut self, member: &Member, Inequality { summands, constant }: &Inequality) -> Result<Option<LinearId>, Rejection> {
        let mut terms = Vec::new();
        for (name, coefficient) in summands {
            let Some(term) = held(member, *name) else { return Ok(None) };
            terms.push((term, *coefficient));
        }
        self.arena.combine(*constant, &terms).map(Some)
    }

    /// What of the integers at the loop implies that the term is at most zero, whatever was drawn since.
    fn at_loop(
        &mut self,
        failed: &mut Herd,
        term: LinearId,
        names: &BTreeMap<AtomId, (Name, i128)>,
    ) -> Result<Option<Inequality>, Rejection> {
        let term = self.without_wrapping(term)?;
        let linear = self.arena.linear(term)?.clone();
        let zero = self.arena.constant(0)?;
        let mut constant = linear.constant;
        let mut summands: BTreeMap<Name, i128> = BTreeMap::new();
        for (atom, coefficient) in linear.summands {
            let added = if let Some((name, offset)) = names.get(&atom) {
                let own = summands.entry(*name).or_default();
                *own = own.saturating_add(coefficient);
                coefficient.checked_mul(*offset)
            } else {
                let value = self.arena.of_atom(atom)?;
                let (least, greatest) = failed.context.difference_bounds(self.arena, value, zero);
                let bound = if coefficient > 0 { greatest } else { least };
                bound.filter(|bound| bound.saturating_abs() < WIDE).and_then(|bound| coefficient.checked_mul(bound))
            };
            let Some(sum) = added.and_then(|added| constant.checked_add(added)) else { return Ok(None) };
            constant = sum;
        }
        Ok(Inequality::new(summands, constant))
    }

    /// The term with sums in the place of what they wrap around to: `7 * n` in the place of what `int` makes of it. That they fit is shown where all else is.
    fn without_wrapping(&mut self, mut term: LinearId) -> Result<LinearId, Rejection> {
        for _ in 0..WRAPPED {
            let Linear { summands, .. } = self.arena.linear(term)?.clone();
            for (atom, coefficient) in summands {
                let Atom::Apply(Computation { operation: Operation::Add, left, right, .. }) = *self.arena.atom(atom)? else { continue };
                let wrapped = self.arena.of_atom(atom)?;
                term = self
                    .arena
                    .combine(0, &[(term, 1), (wrapped, coefficient.saturating_neg()), (left, coefficient), (right, coefficient)])?;
            }
        }
        Ok(term)
    }
}

/// The one integer of the range.
fn only(range: RangeInclusive<i128>) -> Option<i128> {
    (range.start() == range.end()).then_some(*range.start())
}

/// The integer of this name.
fn held(member: &Member, name: Name) -> Option<LinearId> {
    let object = |object: ObjectId| member.objects.get(object.index())?.as_ref();
    let slot = match name {
        Name::Register(register) => *member.registers.get(register.index())?,
        Name::Cell(cell, field, element) => *object(cell)?.fields.get(field)?.cells.get(element)?,
        Name::Length(array) => Slot::Integer(object(array)?.upper),
    };
    match slot {
        Slot::Integer(term) | Slot::Pointer(Address { index: term, .. }) => Some(term),
        _ => None,
    }
}

/// Which integer, less which constant, each atom of a template is.
fn names(arena: &Arena, primary: &Member) -> Result<BTreeMap<AtomId, (Name, i128)>, Rejection> {
    let registers = (0..).map(RegisterId).zip(&primary.registers).map(|(register, slot)| (Name::Register(register), *slot));
    let mut named: Vec<(Name, Slot)> = registers.collect();
    for state in primary.objects.iter().flatten() {
        named.push((Name::Length(state.object), Slot::Integer(state.upper)));
        for (number, field) in state.fields.iter().enumerate() {
            named.extend(field.cells.iter().enumerate().map(|(cell, slot)| (Name::Cell(state.object, number, cell), *slot)));
        }
    }
    let mut names = BTreeMap::new();
    for (name, slot) in named {
        let (Slot::Integer(term) | Slot::Pointer(Address { index: term, .. })) = slot else { continue };
        let linear = arena.linear(term)?;
        if let [(atom, 1)] = linear.summands[..] {
            names.entry(atom).or_insert((name, linear.constant.saturating_neg()));
        }
    }
    Ok(names)
}
