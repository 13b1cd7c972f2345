//! Random configurations with folded parts: Unfold is exact, and what Subsume accepts is an inclusion, both by enumeration of all small heaps
//! (`spec/calculus.md#unfold`, `spec/calculus.md#subsume`).

mod concrete;
mod rings;
mod scenes;

use crate::{
    conformance::{
        Census,
        programs::{one_in, pick},
    },
    forge::PARAMETERS,
    valuation::Valuation,
};
use concrete::{Unlisted, assignments, canonical, describes, states};
use goatherd_certificates::{
    configuration::{Slot, Template, TreeId, TreeSort},
    derivation::{Matching, SegmentEnd},
    program::Link,
    term::{LinearId, Literal, Scope},
};
use goatherd_checker::{
    budget::Budget,
    configuration::{Configuration, Member, Setting},
    outcome::Oracle,
    rejection::Rejection,
    subsume,
    term::Arena,
    unfold::unfold,
};
use goatherd_interpreter::Random;
use std::{collections::BTreeSet, sync::Arc};

/// How many nodes the enumerated heaps have at most.
const NODES: usize = 4;

/// How often a configuration and a template are matched anew.
const MATCHINGS: usize = 24;

/// What became of a symbol of a template.
#[derive(Clone, Copy)]
enum Made {
    /// Nothing.
    Nothing,
    /// NULL, or an empty segment; or a tree with a node at its root.
    Whole,
    /// A segment with a cell at this end, which leads on through this one of its children, and another segment.
    Cell { end: SegmentEnd, child: u32, rest: TreeId },
}

/// Shows what holds for all values that are enumerated.
struct Exhaustive<'a> {
    scope: &'a Scope,
}

impl Oracle for Exhaustive<'_> {
    fn refute(&mut self, arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Result<(), Rejection> {
        let (integers, _) = goatherd_logic::terms::variables(self.scope);
        for integers in assignments(&integers) {
            let valuation = Valuation { integers, ..Valuation::default() };
            let mut literals = predicate.iter().chain(assumptions);
            if literals.all(|literal| valuation.holds(arena, &[], *literal) == Some(true)) {
                return Err(Rejection::NotRefuted);
            }
        }
        Ok(())
    }
}

/// One random configuration: says where the kernel is wrong about it.
pub fn run(seed: u64, census: &mut Census) -> Result<(), String> {
    let mut random = Random::new(seed);
    let program = scenes::program(&mut random);
    let sorts = if one_in(&mut random, 2) { rings::sorts(&mut random, &program) } else { scenes::sorts(&mut random, &program) };
    let setting = Setting { program: &program, parameters: &PARAMETERS, k: 1, sorts: &sorts };
    let mut arena = Arena::new(&[], Budget::new(1 << 28)).map_err(|declined| format!("seed {seed}: {declined:?}"))?;
    let template = scenes::template(&mut random, &mut arena, setting);
    let mut trial = Trial { seed, random, arena, setting, census };
    trial.run(&template).map_err(|rejection| format!("seed {seed}: {rejection:?}"))?
}

struct Trial<'a> {
    seed: u64,
    random: Random,
    arena: Arena,
    setting: Setting<'a>,
    census: &'a mut Census,
}

impl Trial<'_> {
    fn count(&mut self, what: &str) {
        *self.census.entry(what.to_owned()).or_default() += 1;
    }

    /// Unfolds some symbols of the template, each time comparing what it stands for before and behind; then asks whether it is covered, by the
    /// template and by others that are like it.
    fn run(&mut self, template: &Template) -> Result<Result<(), String>, Rejection> {
        let mut configuration = subsume::template(&self.arena, self.setting, template)?;
        let target = configuration.clone();
        let mut made = vec![Made::Nothing; configuration.trees.len()];
        for _ in 0..self.random.below(4) {
            let symbols: Vec<u32> = (0..).zip(&made).filter(|(_, made)| matches!(made, Made::Nothing)).map(|(symbol, _)| symbol).collect();
            if symbols.is_empty() {
                break;
            }
            let tree = TreeId(*pick(&mut self.random, &symbols));
            let end = if one_in(&mut self.random, 2) { SegmentEnd::Top } else { SegmentEnd::Bottom };
            let children = unfold(&mut self.arena, self.setting, &configuration, tree, end)?;
            if let Err(fault) = self.compare(&configuration, &children) {
                return Ok(Err(fault));
            }
            if children.is_empty() {
                self.count("unfolded: no case");
                return Ok(Ok(()));
            }
            let case = *pick(&mut self.random, &(0..children.len()).collect::<Vec<_>>());
            configuration = children[case].clone();
            made.resize(configuration.trees.len(), Made::Nothing);
            made[tree.index()] = self.made(&configuration, tree, end, case);
        }
        configuration.progress = true;
        for _ in 0..MATCHINGS {
            let (mut changed, mut general) = (configuration.clone(), target.clone());
            if one_in(&mut self.random, 2) {
                scenes::change(&mut self.random, &mut self.arena, &mut changed);
            }
            if one_in(&mut self.random, 2) {
                scenes::generalise(&mut self.random, &mut self.arena, self.setting, &mut general);
            }
            let matching = self.matching(&general, &made)?;
            if let Err(fault) = self.cover(&changed, &general, &matching) {
                return Ok(Err(fault));
            }
        }
        Ok(Ok(()))
    }

    /// Unfold is exact.
    fn compare(&mut self, configuration: &Configuration, children: &[Configuration]) -> Result<(), String> {
        let before: BTreeSet<_> = match states(&self.arena, self.setting, configuration, NODES) {
            Ok(before) => before.iter().map(canonical).collect(),
            Err(unlisted) => {
                self.count(&format!("unfolded: {unlisted:?}"));
                return Ok(());
            }
        };
        let mut behind = BTreeSet::new();
        for child in children {
            match states(&self.arena, self.setting, child, NODES) {
                Ok(child) => behind.extend(child.iter().map(canonical)),
                Err(Unlisted::Many) => {
                    self.count("unfolded: Many");
                    return Ok(());
                }
                Err(Unlisted::Unfounded) => return Err(format!("seed {}: Unfold: not founded any more", self.seed)),
            }
        }
        self.count(if before.is_empty() { "unfolded: no states" } else { "unfolded" });
        if before == behind {
            return Ok(());
        }
        let (lost, new) = (before.difference(&behind).next(), behind.difference(&before).next());
        Err(format!("seed {}: Unfold: lost {lost:?}, new {new:?}", self.seed))
    }

    /// What the case of an Unfold made of the symbol.
    fn made(&self, configuration: &Configuration, tree: TreeId, end: SegmentEnd, case: usize) -> Made {
        let TreeSort::Segment(sort) = configuration.trees[tree.index()] else { return Made::Whole };
        let (_, _, shapes) = self.setting.nodes(sort).expect("a sort");
        let cells = shapes.iter().flat_map(|links| {
            let below = links.iter().filter(|link| matches!(link, Link::Child(_) | Link::Handed { .. } | Link::Ring { .. }));
            (0..).zip(below).filter(|(_, link)| **link == Link::Child(sort)).map(|(position, _)| position)
        });
        let rest = TreeId(u32::try_from(configuration.trees.len()).expect("few symbols") - 1);
        case.checked_sub(1).and_then(|case| cells.skip(case).map(|child| Made::Cell { end, child, rest }).next()).unwrap_or(Made::Whole)
    }

    /// The way through what a symbol has become to its end.
    fn path(tree: TreeId, made: &[Made], is_segment: bool) -> Vec<u32> {
        match made[tree.index()] {
            Made::Nothing if is_segment => vec![0],
            Made::Nothing | Made::Whole => Vec::new(),
            Made::Cell { end: SegmentEnd::Top, child, rest } => std::iter::once(child).chain(Self::path(rest, made, is_segment)).collect(),
            Made::Cell { end: SegmentEnd::Bottom, child, rest } => {
                Self::path(rest, made, is_segment).into_iter().chain(std::iter::once(child)).collect()
            }
        }
    }

    /// Mostly the matching that was made by unfolding.
    fn matching(&mut self, target: &Configuration, made: &[Made]) -> Result<Matching, Rejection> {
        let (integers, _) = goatherd_logic::terms::variables(&target.scope);
        let mut images = Vec::new();
        for variable in integers {
            let term = self.arena.variable(variable)?;
            let constant = i128::from(self.random.below(2));
            images.push(if one_in(&mut self.random, 10) { self.arena.constant(constant)? } else { term });
        }
        let mut paths = Vec::new();
        for (tree, shape) in (0..).map(TreeId).zip(&target.trees) {
            let mut path = Self::path(tree, made, matches!(shape, TreeSort::Segment(_)));
            if one_in(&mut self.random, 8) {
                path = (0..self.random.below(3)).map(|_| u32::try_from(self.random.below(2)).unwrap_or(0)).collect();
            }
            paths.push(path);
        }
        let shapes = target.trees.iter().map(|_| (0..8).map(|_| u32::try_from(self.random.below(2)).unwrap_or(0)).collect()).collect();
        let objects = |member: &Member| member.objects.iter().flatten().map(|state| state.object).collect::<Vec<_>>();
        let mut objects: Vec<_> = target.members.iter().map(objects).collect();
        if one_in(&mut self.random, 8) {
            for images in &mut objects {
                images.reverse();
            }
        }
        Ok(Matching { integers: images, paths, objects, shapes, ..Matching::default() })
    }

    /// Do rings hang from nodes of its symbols?
    fn has_rings(&self, target: &Configuration) -> bool {
        target.trees.iter().any(|shape| {
            let (TreeSort::Tree(sort) | TreeSort::Segment(sort)) = shape;
            let (_, _, shapes) = self.setting.nodes(*sort).expect("a sort");
            shapes.iter().flatten().any(|link| matches!(link, Link::Ring { .. }))
        })
    }

    /// What Subsume accepts is an inclusion.
    fn cover(&mut self, configuration: &Configuration, target: &Configuration, matching: &Matching) -> Result<(), String> {
        let mut oracle = Exhaustive { scope: &configuration.scope };
        let answer = subsume::subsume(&mut self.arena, self.setting, configuration, target, matching, &mut oracle);
        if let Err(rejection) = answer {
            self.count(&format!("not covered: {rejection:?}"));
            return Ok(());
        }
        let list = |configuration| states(&self.arena, self.setting, configuration, NODES);
        let (covered, general) = match (list(configuration), list(target)) {
            (Ok(covered), Ok(general)) => (covered, general),
            (Err(unlisted), _) | (_, Err(unlisted)) => {
                self.count(&format!("covered: {unlisted:?}"));
                return Ok(());
            }
        };
        self.count(if covered.is_empty() { "covered: no states" } else { "covered" });
        if configuration.trees.len() > target.trees.len() && self.has_rings(target) {
            self.count("covered: nodes with rings");
        }
        match covered.iter().find(|state| !general.iter().any(|general| describes(general, state))) {
            None => Ok(()),
            Some(state) => {
                Err(format!("seed {}: Subsume: {state:?} of\n{configuration:?}\nis no state of\n{target:?}\nunder {matching:?}", self.seed))
            }
        }
    }
}

/// All slots of a configuration that may hold anything: below a tree there is nothing.
fn slots(configuration: &mut Configuration) -> Vec<&mut Slot> {
    let is_segment: Vec<bool> = configuration.trees.iter().map(|shape| matches!(shape, TreeSort::Segment(_))).collect();
    let mut slots = Vec::new();
    for member in &mut configuration.members {
        slots.extend(&mut member.registers);
        let states = member.objects.iter_mut().flatten().map(Arc::make_mut);
        slots.extend(states.flat_map(|state| &mut state.fields).flat_map(|field| &mut field.cells));
        for part in member.folded.iter_mut().flatten() {
            slots.extend([&mut part.above, &mut part.same]);
            slots.extend(is_segment[part.tree.index()].then_some(&mut part.below));
        }
    }
    slots
}

/// A variable or a constant.
fn term(random: &mut Random, arena: &mut Arena, scope: &Scope) -> Result<LinearId, Rejection> {
    let (integers, _) = goatherd_logic::terms::variables(scope);
    if integers.is_empty() || one_in(random, 3) {
        return arena.constant(i128::from(random.below(2)));
    }
    arena.variable(*pick(random, &integers))
}
