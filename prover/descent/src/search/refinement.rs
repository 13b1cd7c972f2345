//! What a failure that no execution has says: the herds on its trace are followed forwards without folding, and what the last fold that is to
//! blame has merged is told apart from then on (`spec/search.md#refinement`).

use super::{lesson::Lesson, origins::Origin, state::Search, stuck::Stuck};
use crate::state::{
    folding::predicates::{Predicate, Predicates, Test},
    herd::Herd,
    realisation::realise,
    template::key::Key,
    trail::{Opened, Source, Trail},
};
use goatherd_certificates::{
    configuration::{Slot, TreeId, TreeSort},
    derivation::MemberId,
    program::{Link, ObjectId, SortId},
};
use goatherd_checker::{
    configuration::{Place, Setting},
    rejection::Rejection,
    step::outcomes,
};
use goatherd_logic::Context;
use std::{iter, sync::Arc};

/// How many herds that reach the failure are looked at.
const FAILING: usize = 16;

impl Search<'_> {
    /// The herd at the root of the next size class.
    pub(crate) fn begin(&mut self, herd: &mut Herd) {
        if let Some(origins) = &mut self.origins {
            herd.trail = Some(Trail::new(Source::Root(origins.roots.len())));
            origins.roots.push(herd.clone());
        }
    }

    /// The herd of the template, as it is now.
    pub(crate) fn resume(&mut self, key: &Key) -> Herd {
        let template = &self.templates[key];
        let mut herd = template.herd(self.arena, &self.solver);
        if self.origins.is_some() {
            herd.trail = Some(Trail::new(Source::Template(Arc::new((key.clone(), template.version)))));
        }
        herd
    }

    /// The template has been widened for the arrival.
    pub(crate) fn note_origin(&mut self, key: &Key, arrival: &Herd) {
        if self.origins.is_none() || arrival.trail.is_none() {
            return;
        }
        let solver = Arc::clone(&self.solver);
        let forgetful = |herd: &Herd| Herd { context: Context::with_solver(Arc::clone(&solver)), ..herd.clone() };
        let template = forgetful(&self.resume(key));
        let (arrival, source) = (forgetful(arrival), template.trail.as_ref().map(|trail| trail.source.clone()));
        if let (Some(origins), Some(source)) = (&mut self.origins, source) {
            origins.templates.insert(source, Origin { arrival, template });
        }
    }

    /// What the failure of the herd says. From the root on, and from each herd before it was folded, the way to the failure is followed
    /// without folding: the last fold behind which there is one, but before which there is none, is to blame.
    pub(crate) fn learn(&mut self, failed: &mut Herd) -> Result<Lesson, Stuck> {
        let Some((origins, trail)) = self.origins.take().zip(failed.trail.clone()) else {
            // What is too large to be computed is not wanted.
            return Ok(self.wanted(failed).map_or(Lesson::Nothing, Lesson::Inequalities));
        };
        let (mut places, mut source) = (trail.places, trail.source);
        while let Some(Origin { arrival, template }) = origins.templates.get(&source) {
            if self.follow_to(arrival, &places, 1)?.is_empty() {
                let failing = self.follow_to(template, &places, FAILING)?;
                let Place::At(head) = template.configuration.members[0].place else { return Ok(Lesson::Nothing) };
                let predicates = self.told_apart(arrival, template, &failing);
                return Ok(predicates.map_or(Lesson::Nothing, |predicates| Lesson::Predicates(head, predicates)));
            }
            let Some(before) = &arrival.trail else { return Ok(Lesson::Nothing) };
            places.splice(..0, before.places.iter().copied());
            source = before.source.clone();
        }
        let Source::Root(class) = source else { return Ok(Lesson::Nothing) };
        let Some(root) = origins.roots.get(class) else { return Ok(Lesson::Nothing) };
        let failing = self.follow_to(root, &places, 1)?;
        let execution = failing.first().and_then(|herd| {
            let answers = herd.trail.as_ref().map_or(&[][..], |trail| &trail.answers);
            realise(self.arena, self.setting, herd, answers)
        });
        Ok(Lesson::Feasible(execution))
    }

    /// Herds that the primary comes to on this way, at most so many.
    fn follow_to(&mut self, from: &Herd, places: &[Place], most: usize) -> Result<Vec<Herd>, Stuck> {
        let mut start = from.clone();
        start.recall(self.arena);
        start.trail.iter_mut().for_each(|trail| trail.opened.clear());
        let (mut open, mut found) = (vec![(start, 0)], Vec::new());
        while let Some((mut herd, position)) = open.pop() {
            self.spend()?;
            let Some(place) = places.get(position) else {
                found.push(herd);
                if found.len() == most {
                    break;
                }
                continue;
            };
            match outcomes(self.arena, self.setting, &herd.configuration.members[0]) {
                Err(Rejection::Folded) => {
                    let Some(opening) = self.opening(&herd, MemberId(0)) else { continue };
                    for mut child in self.unfolded(&herd, opening)? {
                        if !child.context.is_contradictory(self.arena) {
                            open.push((child, position));
                        }
                    }
                }
                Err(_) => {}
                Ok(all) => {
                    let (_, outcomes) = self.divide(&mut herd, &all);
                    // Most instructions have one outcome, and the last one takes the herd itself.
                    for (mut child, (_, outcome)) in iter::repeat_n(herd, outcomes.len()).zip(outcomes) {
                        child.follow(self.arena, self.setting, outcome).map_err(|rejection| self.rejected(rejection))?;
                        if child.configuration.members[0].place == *place {
                            open.push((child, position + 1));
                        }
                    }
                }
            }
        }
        Ok(found)
    }

    /// What is known already, with the predicates that the template's symbols satisfied on the way to these herds, and the integers that nodes of
    /// the arrival are known to hold: by these it may differ.
    fn told_apart(&mut self, arrival: &Herd, template: &Herd, failing: &[Herd]) -> Option<Predicates> {
        let mut predicates = self.states?.borrow().predicates.clone();
        let mut arrival = arrival.clone();
        arrival.recall(self.arena);
        let zero = self.arena.constant(0).ok()?;
        let nodes = arrival.configuration.members[0].objects.iter().flatten();
        let nodes = nodes.filter(|state| self.setting.nodes(SortId(state.declaration.0)).is_ok());
        for slot in nodes.flat_map(|state| &state.fields).flat_map(|field| &field.cells) {
            if let Slot::Integer(term) = slot
                && let (Some(least), Some(greatest)) = arrival.context.difference_bounds(self.arena, *term, zero)
                && least == greatest
            {
                predicates.integers.insert(least);
            }
        }
        for herd in failing {
            let seen = Seen { setting: self.setting, herd };
            for tree in (0..).map(TreeId).take(template.configuration.trees.len()) {
                seen.learn(tree, &mut predicates);
            }
        }
        Some(predicates)
    }
}

/// What was seen of symbols on the way to a herd.
struct Seen<'a> {
    setting: Setting<'a>,
    herd: &'a Herd,
}

/// A node that a symbol was unfolded to.
#[derive(Clone, Copy)]
struct Node<'a> {
    object: ObjectId,
    links: &'a [Link],
    /// The field that leads on to the hole of a segment.
    hole: Option<usize>,
    /// The first of the symbols that are new below it.
    fresh: usize,
}

impl<'a> Seen<'a> {
    /// Adds what the symbol has satisfied; of a segment, what each of its nodes has that was seen. What is asked of the root of a tree.
    fn learn(&self, mut tree: TreeId, predicates: &mut Predicates) -> Test {
        let mut test = Test::Anything;
        while let Some(opened) = self.herd.trail.as_ref().and_then(|trail| trail.opened.iter().find(|opened| opened.tree == tree)) {
            let Some(Node { object, links, hole, fresh }) = self.node(opened) else { return Test::Null };
            let mut fresh = (fresh..).filter_map(|number| u32::try_from(number).ok()).map(TreeId);
            let mut tests = Vec::new();
            for (field, link) in links.iter().enumerate() {
                tests.push(match *link {
                    _ if hole == Some(field) => Test::Anything,
                    Link::Child(_) | Link::Handed { .. } => fresh.next().map_or(Test::Anything, |child| self.learn(child, predicates)),
                    Link::Range { least, greatest } => Test::Integer(least, greatest),
                    Link::Null => Test::Null,
                    // Of its cells nothing is asked: a test looks at trees.
                    Link::Ring { .. } => {
                        fresh.next();
                        Test::Anything
                    }
                    Link::Last(_) | Link::Data | Link::Up | Link::Same | Link::Other | Link::Any => Test::Anything,
                });
            }
            test = Test::Child(predicates.number(Predicate { object, tests }));
            match (hole, fresh.next()) {
                (Some(_), Some(rest)) => tree = rest,
                _ => break,
            }
        }
        test
    }

    /// What the symbol was unfolded to; none if it was empty.
    fn node(&self, opened: &Opened) -> Option<Node<'a>> {
        let symbol = *self.herd.configuration.trees.get(opened.tree.index())?;
        let (TreeSort::Tree(sort) | TreeSort::Segment(sort)) = symbol;
        let (object, (has_null, _), shapes) = self.setting.nodes(sort).ok()?;
        let is_tree = matches!(symbol, TreeSort::Tree(_));
        let mut nodes = if has_null || !is_tree { vec![None] } else { Vec::new() };
        for links in shapes {
            let holes = (0..links.len()).filter(|field| links[*field] == Link::Child(sort)).map(Some);
            let holes = if is_tree { vec![None] } else { holes.collect() };
            nodes.extend(holes.into_iter().map(|hole| Some(Node { object, links, hole, fresh: opened.fresh })));
        }
        nodes.get(opened.case).copied().flatten()
    }
}
