//! The inputs of scapegoats: smaller than the primary's by an element or more of one array or of several (`spec/calculus.md#addscapegoat`).

use super::strategy::{Drops, Integers};
use crate::{
    search::{path::Path, scapegoats::Synchronised, state::Search, stuck::Stuck},
    state::herd::{Herd, SmallerInput},
};
use goatherd_certificates::{
    configuration::{Address, Slot},
    derivation::{DroppedElement, InputDrop, Lengths, MemberId, Rule},
    program::{ArrayInput, Input, Instruction, Link, Location, ObjectId, SortId},
    term::{LinearId, Literal},
};
use goatherd_checker::{
    configuration::{Member, Place},
    rules,
};
use goatherd_flow::{
    Flow,
    walks::{Inputs, Walk, joint_drops},
};
use goatherd_logic::ContextOracle;
use std::collections::BTreeSet;

/// How many scapegoats a herd has at most.
const SCAPEGOATS: usize = 16;
/// How many smaller inputs are looked at for them.
const CANDIDATES: usize = 80;

impl Search<'_> {
    /// The length of every array input.
    pub(crate) fn lengths(&self, herd: &Herd) -> Vec<Option<LinearId>> {
        let primary = &herd.configuration.members[0];
        let length = |input: &Input| match input {
            Input::Array(ArrayInput { length, .. }) => match primary.register(*length) {
                Ok(Slot::Integer(term)) => Some(term),
                _ => None,
            },
            _ => None,
        };
        self.setting.program.inputs.iter().map(length).collect()
    }

    /// The nodes of a linked input that may be left out, each with the child that takes its place: those less than k below the root, or all that
    /// the program has looked at.
    pub(crate) fn nodes(&self, herd: &Herd, input: &Input) -> Vec<DroppedElement> {
        let Some(entry) = herd.configuration.entry.as_deref() else { return Vec::new() };
        let mut nodes = Vec::new();
        for slot in self.first_slots(entry, input) {
            if let Slot::Pointer(Address { object, .. }) = slot
                && let Some(state) = entry.object(object)
            {
                let children = self.followed_children(state.declaration);
                nodes.extend(children.into_iter().map(|child| DroppedElement::Node { object, child: Some(child) }));
            }
        }
        nodes
    }

    /// The first k nodes of a linked input that hang behind each other by one of its children, if there are as many: left out together. Else those
    /// that there are, each by itself.
    fn chains(&self, herd: &Herd, input: &Input) -> Vec<Vec<DroppedElement>> {
        let nodes = self.nodes(herd, input);
        let is_child = |node: &&DroppedElement, of: u32| matches!(node, DroppedElement::Node { child, .. } if *child == Some(of));
        let children: BTreeSet<u32> =
            nodes.iter().filter_map(|node| if let DroppedElement::Node { child, .. } = node { *child } else { None }).collect();
        let chains = children.into_iter().map(|child| nodes.iter().filter(|node| is_child(node, child)).copied().collect::<Vec<_>>());
        let long: Vec<_> = chains.filter(|chain| u32::try_from(chain.len()) == Ok(self.setting.k)).collect();
        if long.is_empty() { nodes.into_iter().map(|node| vec![node]).collect() } else { long }
    }

    /// The pointers of a linked input that are less than k nodes away from it, or as many as there are, the nearest first.
    pub(crate) fn first_slots(&self, entry: &Member, input: &Input) -> Vec<Slot> {
        let Input::Linked { pointer, .. } = input else { return Vec::new() };
        let mut slots: Vec<Slot> = entry.register(*pointer).into_iter().collect();
        let mut from = 0;
        let is_any = matches!(self.strategy.drops, Drops::Passed | Drops::Recent | Drops::Spare);
        let levels = if is_any { u32::MAX } else { self.setting.k };
        for _ in 1..levels {
            let to = slots.len();
            if from == to {
                break;
            }
            for position in from..to {
                if let Slot::Pointer(Address { object, .. }) = slots[position]
                    && let Some(state) = entry.object(object)
                {
                    // A list that a loop follows may hang in what no loop comes to.
                    let fields = if is_any { self.children(state.declaration) } else { self.followed_children(state.declaration) };
                    let fields = fields.into_iter().filter_map(|field| state.fields.get(usize::try_from(field).ok()?));
                    slots.extend(fields.filter_map(|field| field.cells.first().copied()));
                }
            }
            from = to;
        }
        slots
    }

    /// The fields of a node that lead to nodes of its own type.
    pub(crate) fn children(&self, declaration: ObjectId) -> Vec<u32> {
        let own = SortId(declaration.0);
        let Ok((_, _, [links])) = self.setting.nodes(own) else { return Vec::new() };
        (0..).zip(links).filter(|(_, link)| **link == Link::Child(own)).map(|(position, _)| position).collect()
    }

    /// Those of them that some loop follows; all of them, if none is followed.
    pub(crate) fn followed_children(&self, declaration: ObjectId) -> Vec<u32> {
        let children = self.children(declaration);
        let Ok(layout) = self.setting.layout(declaration) else { return children };
        let offset =
            |position: &u32| usize::try_from(*position).ok().and_then(|position| layout.fields.get(position)).map(|field| field.offset);
        let is_followed = |position: &u32| offset(position).is_some_and(|offset| self.flow.followed.contains(&i128::from(offset)));
        let followed: Vec<u32> = children.iter().copied().filter(is_followed).collect();
        if followed.is_empty() { children } else { followed }
    }

    /// The smaller inputs without elements of arrays that are known by now to have so many, of those that the loop at this head walks, if there is one;
    /// those that the herd has not yet.
    fn smaller_by_now(&mut self, herd: &mut Herd, head: Option<Location>) -> Vec<SmallerInput> {
        if herd.configuration.entry.is_none() {
            return Vec::new();
        }
        let k = i128::from(self.setting.k);
        let mut lengths = self.lengths(herd);
        for length in &mut lengths {
            let Some((term, zero)) = length.zip(self.arena.constant(0).ok()) else { continue };
            *length = match herd.context.difference_bounds(self.arena, term, zero) {
                (Some(least), Some(most)) if least == most => self.arena.constant(least).ok(),
                (Some(least), _) if least >= k => Some(term),
                _ => None,
            };
        }
        let mut smaller = self.smaller_inputs(herd, &lengths, &[]);
        smaller.retain(|input| {
            let is_walked = |head: Location| input.drops.iter().any(|drop| self.flow.walked[&head].contains(&drop.input));
            if !head.is_none_or(is_walked) {
                return false;
            }
            let known = self.inputs.iter().position(|known| self.is_alike(known, input));
            known.is_none_or(|position| !herd.tags.contains(&(position + 1)))
        });
        smaller
    }

    /// The integer inputs that scapegoats may get one less of: position and value.
    pub(crate) fn decremented(&self, herd: &Herd) -> Vec<(u32, LinearId)> {
        if self.strategy.integers == Integers::Kept {
            return Vec::new();
        }
        let primary = &herd.configuration.members[0];
        let inputs = (0..).zip(&self.setting.program.inputs);
        inputs
            .filter_map(|(position, input)| match input {
                Input::Integer { register } => match primary.register(*register) {
                    Ok(Slot::Integer(term)) => Some((position, term)),
                    _ => None,
                },
                _ => None,
            })
            .collect()
    }

    /// How many elements are left out of an array, and how much integers are decremented by.
    fn stride(&self) -> u32 {
        if self.strategy.drops.are_blocks() { self.setting.k } else { 1 }
    }

    /// One less of an integer is in range where it is positive: is it not known for one of them?
    pub(crate) fn undecided_sign(&mut self, herd: &mut Herd, integers: &[(u32, LinearId)]) -> Option<Literal> {
        let greatest = self.arena.constant(i128::from(self.stride()) - 1).ok()?;
        for (_, term) in integers {
            let literal = self.arena.at_most(*term, greatest).ok()?;
            let negation = self.arena.negate(literal).ok()?;
            if !herd.context.entails(self.arena, literal) && !herd.context.entails(self.arena, negation) {
                return Some(literal);
            }
        }
        None
    }

    /// The smaller inputs to try: with elements left out, and the integers kept or decremented.
    pub(crate) fn smaller_inputs(
        &mut self,
        herd: &mut Herd,
        lengths: &[Option<LinearId>],
        integers: &[(u32, LinearId)],
    ) -> Vec<SmallerInput> {
        if matches!(self.strategy.drops, Drops::Walked | Drops::Blocks) && !self.flow.is_linked {
            return self.walked_inputs(herd, lengths, integers);
        }
        let mut combinations = match self.strategy.drops {
            Drops::Joint => self.joint_drops(herd, lengths, &(0..).take(lengths.len()).collect()),
            Drops::Walked => self.flow.linked_walks.iter().flat_map(|inputs| self.joint_drops(herd, lengths, inputs)).collect(),
            Drops::Ends => self.end_drops(lengths),
            _ => self.all_drops(herd, lengths),
        };
        // Joint drops last; where there are too many, those that agree on the element matter most.
        let is_uniform = |drops: &Vec<InputDrop>| drops.iter().all(|drop| drop.element == drops[0].element);
        if combinations.len() > CANDIDATES {
            combinations.retain(is_uniform);
        }
        combinations.sort_by_key(Vec::len);
        let mut less: Vec<(u32, LinearId)> = Vec::new();
        for (input, term) in integers {
            if let Ok(term) = self.arena.plus(*term, -i128::from(self.stride())) {
                less.push((*input, term));
            }
        }
        let mut variants: Vec<Vec<(u32, LinearId)>> = vec![Vec::new()];
        if !less.is_empty() {
            variants.push(less.clone());
        }
        if less.len() > 1 {
            variants.extend(less.iter().map(|entry| vec![*entry]));
        }
        if less.len() > 2 {
            variants.extend(less.iter().map(|left| less.iter().filter(|entry| *entry != left).copied().collect()));
        }
        let all = variants.iter().flat_map(|integers| {
            combinations.iter().map(move |drops| SmallerInput {
                drops: drops.clone(),
                integers: integers.clone(),
                ..SmallerInput::default()
            })
        });
        all.take(CANDIDATES).collect()
    }

    /// Without one of the first elements, or the last one, the same of all arrays that are walked together.
    fn end_drops(&self, lengths: &[Option<LinearId>]) -> Vec<Vec<InputDrop>> {
        let is_long = |length: &Option<LinearId>| length.is_some_and(|length| self.arena.value(length).is_none());
        let long: Inputs = (0..).zip(lengths).filter(|(_, length)| is_long(length)).map(|(input, _)| input).collect();
        let elements = (0..self.setting.k).map(DroppedElement::First).chain([DroppedElement::Last]);
        let elements: Vec<DroppedElement> = elements.collect();
        let of_set = |set: &Inputs, element| set.iter().map(|input| InputDrop { input: *input, element }).collect();
        let sets = joint_drops(&self.flow.walks, &self.flow.equally_long, &long);
        sets.iter().flat_map(|set| elements.iter().map(|element| of_set(set, *element))).collect()
    }

    /// Every combination of one choice of elements or none from each array.
    fn all_drops(&self, herd: &Herd, lengths: &[Option<LinearId>]) -> Vec<Vec<InputDrop>> {
        let mut combinations: Vec<Vec<InputDrop>> = vec![Vec::new()];
        for choices in self.choices(herd, lengths) {
            let with: Vec<Vec<InputDrop>> =
                combinations.iter().flat_map(|drops| choices.iter().map(move |choice| [drops.as_slice(), choice].concat())).collect();
            combinations.extend(with);
        }
        combinations.retain(|drops| !drops.is_empty() && self.keeps_equal_lengths(drops));
        combinations
    }

    /// The same choice from every one of these inputs that has so many.
    fn joint_drops(&self, herd: &Herd, lengths: &[Option<LinearId>], inputs: &Inputs) -> Vec<Vec<InputDrop>> {
        let choices = (0..).zip(self.choices(herd, lengths)).filter(|(input, _)| inputs.contains(input));
        let choices: Vec<Vec<Vec<InputDrop>>> = choices.map(|(_, choices)| choices).collect();
        let count = choices.iter().map(Vec::len).max().unwrap_or_default();
        let joint = (0..count).map(|number| choices.iter().filter_map(|choices| choices.get(number)).flatten().copied().collect());
        joint.filter(|drops: &Vec<InputDrop>| self.keeps_equal_lengths(drops)).collect()
    }

    /// What may be left out of each input: the choices, each of one element or of several together.
    fn choices(&self, herd: &Herd, lengths: &[Option<LinearId>]) -> Vec<Vec<Vec<InputDrop>>> {
        let inputs = (0..).zip(self.setting.program.inputs.iter().zip(lengths));
        let of_input = |(number, (input, length)): (u32, (&Input, &Option<LinearId>))| {
            let choices: Vec<Vec<DroppedElement>> = match *length {
                Some(length) => self.elements(length),
                None if self.strategy.drops == Drops::Together => self.chains(herd, input),
                None => self.nodes(herd, input).into_iter().map(|node| vec![node]).collect(),
            };
            let drops = |choice: Vec<DroppedElement>| choice.into_iter().map(|element| InputDrop { input: number, element }).collect();
            choices.into_iter().map(drops).collect()
        };
        inputs.map(of_input).collect()
    }

    /// The elements of an array of this length that are left out, alone or together.
    fn elements(&self, length: LinearId) -> Vec<Vec<DroppedElement>> {
        let known = self.arena.value(length).map_or(i128::from(self.setting.k), |known| known.min(i128::from(self.setting.k)));
        let first = (0..u32::try_from(known).unwrap_or_default()).map(DroppedElement::First);
        // Of an array that has no more than these, one is left out.
        let is_together = self.strategy.drops == Drops::Together && self.arena.value(length).is_none();
        let mut choices: Vec<Vec<DroppedElement>> =
            if is_together { vec![first.collect()] } else { first.map(|element| vec![element]).collect() };
        if is_together || (self.strategy.drops == Drops::FirstOrLast && known > 0) {
            choices.push(vec![DroppedElement::Last]);
        }
        choices
    }

    /// Without the same element, or the same first ones, of all arrays that are walked together: of those that have it, and of those alone that
    /// have more than k. An integer is so much less if it bounds a loop that walks nothing else, or, where it bounds none, as the case may be.
    fn walked_inputs(&mut self, herd: &mut Herd, lengths: &[Option<LinearId>], integers: &[(u32, LinearId)]) -> Vec<SmallerInput> {
        let Flow { walks, equally_long, .. } = self.flow;
        let less = self.less(herd, integers);
        let is_bound = |input: u32| walks.iter().any(|walk| walk.integers.contains(&input));
        let arrays: Inputs = (0..).zip(lengths).filter(|(_, length)| length.is_some()).map(|(input, _)| input).collect();
        let stride = self.stride();
        let mut inputs = Vec::new();
        for first in 0..=self.setting.k - stride {
            let elements = first..first + stride;
            let (mut long, mut available) = (Inputs::new(), Inputs::new());
            for (input, length) in (0..).zip(lengths) {
                let Some(length) = *length else { continue };
                let known = self.arena.value(length);
                if known.is_none() {
                    long.insert(input);
                }
                if known.is_none_or(|known| known >= i128::from(elements.end)) {
                    available.insert(input);
                }
            }
            let sets = if self.strategy.drops == Drops::Blocks {
                // Where one of them is short, so are the rounds over all of them.
                let mut sets = joint_drops(walks, equally_long, &arrays);
                sets.retain(|set| set.is_subset(&long));
                sets
            } else {
                let sets = joint_drops(walks, equally_long, &available);
                &sets | &joint_drops(walks, equally_long, &long)
            };
            for set in sets {
                let of_input = |input: &u32| {
                    let input = *input;
                    elements.clone().map(move |element| InputDrop { input, element: DroppedElement::First(element) })
                };
                let drops: Vec<InputDrop> = set.iter().flat_map(of_input).collect();
                let is_whole = |walk: &&Walk| {
                    let walked = &walk.inputs & &available;
                    !walked.is_empty() && walked.is_subset(&set)
                };
                let bounds: Inputs = walks.iter().filter(is_whole).flat_map(|walk| &walk.integers).copied().collect();
                let bounded: Vec<(u32, LinearId)> = less.iter().filter(|(input, _)| bounds.contains(input)).copied().collect();
                let all: Vec<(u32, LinearId)> =
                    less.iter().filter(|(input, _)| bounds.contains(input) || !is_bound(*input)).copied().collect();
                if all.len() > bounded.len() {
                    inputs.push(SmallerInput { drops: drops.clone(), integers: all, ..SmallerInput::default() });
                }
                inputs.push(SmallerInput { drops, integers: bounded, ..SmallerInput::default() });
            }
        }
        inputs.sort_by_key(|input| input.drops.len());
        inputs
    }

    /// The integers that are not known to be too small for it, less by as many as elements are left out of an array.
    fn less(&mut self, herd: &mut Herd, integers: &[(u32, LinearId)]) -> Vec<(u32, LinearId)> {
        let mut less = Vec::new();
        for (input, term) in integers {
            let stride = i128::from(self.stride());
            let is_small = self.arena.constant(stride - 1).and_then(|greatest| self.arena.at_most(*term, greatest));
            if is_small.is_ok_and(|literal| !herd.context.entails(self.arena, literal))
                && let Ok(term) = self.arena.plus(*term, -stride)
            {
                less.push((*input, term));
            }
        }
        less
    }

    /// Behind the first rounds of a loop over an array, in each of whose rounds others are walked anew, drops the scapegoats that leave out
    /// elements of these others, if one that does not is in step, or waits, or if they have written something else than the primary
    /// (`spec/search.md#shape`).
    pub(crate) fn drop_inner(&mut self, herd: &mut Herd, outcome: &Synchronised) -> Vec<Rule> {
        let has_outer = outcome.is_full && herd.tags.iter().skip(1).any(|tag| !self.leaves_out_inner(*tag));
        let mut rules = Vec::new();
        for position in (1..herd.tags.len()).rev() {
            if self.leaves_out_inner(herd.tags[position]) && (has_outer || !self.has_equal_arrays(herd, position)) {
                rules.push(Rule::Drop { member: MemberId(u32::try_from(position).unwrap_or(u32::MAX)) });
                herd.configuration.members.remove(position);
                herd.tags.remove(position);
            }
        }
        rules
    }

    /// Does the scapegoat of this tag lack elements of an array that is walked in every round of a loop over another?
    pub(crate) fn leaves_out_inner(&self, tag: usize) -> bool {
        let smaller = tag.checked_sub(1).and_then(|position| self.inputs.get(position));
        smaller.is_some_and(|input| input.drops.iter().any(|drop| self.flow.inner.contains(&drop.input)))
    }

    /// Are the elements of the scapegoat's arrays that have no cells known to be those of the primary's?
    fn has_equal_arrays(&mut self, herd: &mut Herd, position: usize) -> bool {
        let Herd { configuration, context, .. } = herd;
        let (primary, scapegoat) = (&configuration.members[0], &configuration.members[position]);
        let mut pairs = primary.objects.iter().flatten().zip(scapegoat.objects.iter().flatten());
        pairs.all(|(state, other)| {
            let mut fields = state.fields.iter().zip(&other.fields);
            fields.all(|(field, other)| match (field.rest, other.rest) {
                (Some(array), Some(other)) => context.arrays_equal(self.arena, array, other),
                _ => true,
            })
        })
    }

    /// Arrays of different lengths are ignored where the program compares the lengths.
    fn keeps_equal_lengths(&self, drops: &[InputDrop]) -> bool {
        let of = |input: u32| drops.iter().filter(move |drop| drop.input == input).map(|drop| drop.element);
        self.flow.equally_long.iter().all(|(left, right)| match self.strategy.drops {
            Drops::FirstOrLast => of(*left).count() == of(*right).count(),
            Drops::None
            | Drops::First
            | Drops::Joint
            | Drops::Walked
            | Drops::Apart
            | Drops::Together
            | Drops::Blocks
            | Drops::Outer
            | Drops::Ends
            | Drops::Passed
            | Drops::Recent
            | Drops::Spare
            | Drops::Rounds
            | Drops::Shifted
            | Drops::LastRounds => of(*left).eq(of(*right)),
        })
    }

    /// Is the smaller input known by the same tag? What a node is called that a loop has just passed depends on how it was reached.
    fn is_alike(&self, known: &SmallerInput, other: &SmallerInput) -> bool {
        let child = |drop: &InputDrop| match drop.element {
            DroppedElement::Node { child, .. } => Some((drop.input, child)),
            _ => None,
        };
        if !matches!(self.strategy.drops, Drops::Recent | Drops::Spare) {
            return known == other;
        }
        known.integers == other.integers
            && known.rounds == other.rounds
            && known.drops.len() == other.drops.len()
            && known.drops.iter().zip(&other.drops).all(|(left, right)| child(left) == child(right))
    }

    /// Adds the scapegoats of a herd that has none so far. Those that the program ignores or that end before the loop head are left out, and
    /// so are joint ones that are made up of others, if drops stay apart.
    pub(crate) fn admit(&mut self, herd: &mut Herd, at: Option<(Location, &Path<'_>)>) -> Result<Vec<Rule>, Stuck> {
        let head = at.map(|(head, _)| head);
        let candidates = if matches!(self.strategy.drops, Drops::Passed | Drops::Recent | Drops::Spare) && herd.tags.len() == 1 {
            let (lengths, integers) = (self.lengths(herd), self.decremented(herd));
            let mut smaller = self.smaller_inputs(herd, &lengths, &integers);
            match at {
                Some((head, _)) if self.strategy.drops == Drops::Recent => {
                    let relevant = &self.flow.loops[&head].relevant;
                    let is_recent = |input: &SmallerInput| input.drops.iter().all(|drop| self.has_just_passed(herd, relevant, drop));
                    if smaller.iter().any(is_recent) {
                        smaller.retain(is_recent);
                    }
                }
                Some(at) if self.strategy.drops == Drops::Spare => smaller = self.sparing(herd, smaller, at)?,
                _ => {}
            }
            smaller.into()
        } else if self.strategy.lengths == Lengths::Open {
            self.smaller_by_now(herd, head).into()
        } else {
            std::mem::take(&mut herd.candidates)
        };
        let mut admitted: Vec<&SmallerInput> = Vec::new();
        let mut added = Vec::new();
        let mut sole = herd.clone();
        sole.configuration.members.truncate(1);
        for candidate in candidates.iter() {
            let SmallerInput { drops, integers, .. } = candidate;
            let is_part = |part: &SmallerInput, rest: &SmallerInput| {
                part.integers == *integers
                    && rest.integers == *integers
                    && part.drops.len() + rest.drops.len() == drops.len()
                    && drops.iter().all(|drop| part.drops.contains(drop) || rest.drops.contains(drop))
            };
            let is_composite = admitted.iter().any(|part| admitted.iter().any(|rest| is_part(part, rest)));
            if admitted.len() == SCAPEGOATS || (matches!(self.strategy.drops, Drops::Apart | Drops::Outer) && is_composite) {
                continue;
            }
            let mut trial = sole.clone();
            let mut oracle = ContextOracle(&mut trial.context);
            if rules::add_scapegoat(self.arena, self.setting, &mut trial.configuration, drops, integers, &mut oracle).is_err() {
                continue;
            }
            // What it draws depends on what it leaves out.
            self.inputs.push(candidate.clone());
            trial.tags = vec![0, self.inputs.len()];
            let run = self.run_to(&mut trial, MemberId(1), head.map(|head| self.waiting_place(candidate, head)));
            self.inputs.pop();
            run?;
            let is_over = match trial.configuration.members[1].place {
                Place::At(location) => {
                    matches!(self.setting.program.instructions[location.index()], Instruction::Halt | Instruction::Ignore)
                }
                Place::Failed => false,
            };
            if is_over {
                continue;
            }
            let mut oracle = ContextOracle(&mut herd.context);
            if rules::add_scapegoat(self.arena, self.setting, &mut herd.configuration, drops, integers, &mut oracle).is_ok() {
                let is_new = |position: &usize| !herd.tags.contains(&(position + 1));
                let known = (0..self.inputs.len()).filter(is_new).find(|position| self.is_alike(&self.inputs[*position], candidate));
                let position = known.unwrap_or_else(|| {
                    self.inputs.push(candidate.clone());
                    self.inputs.len() - 1
                });
                herd.tags.push(position + 1);
                admitted.push(candidate);
                added.push(Rule::AddScapegoat { drops: drops.clone(), integers: integers.clone(), hints: Vec::new() });
            }
        }
        Ok(added)
    }
}
