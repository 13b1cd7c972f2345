//! Derivations from templates that say less: the same rules, under the names that are left.

use super::{origins::behind, reduced::Reduced, renaming::Renaming};
use crate::proof::{facts::Facts, trusting::Trusting};
use goatherd_certificates::{
    configuration::{Address, FoldedId, Life, ObjectState, Slot, TreeId, TreeSort},
    derivation::{Choice, Matching, MemberId, Proof, Rule, TemplateId},
    program::{ObjectId, Origin},
};
use goatherd_checker::{
    configuration::{Configuration, Member, Setting},
    rejection::Rejection,
    rules, subsume,
    term::Arena,
};
use goatherd_logic::{Solver, terms::variables};
use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
    sync::Arc,
};

/// What becomes of a proof.
#[derive(Clone, Copy)]
pub struct Cut<'a> {
    /// As it was.
    pub proof: &'a Proof,
    /// Its templates, as the kernel works on them.
    pub templates: &'a [Configuration],
    /// What is left of each.
    pub reduced: &'a [Reduced],
    /// By template, the one that stands for it.
    pub standing: &'a [usize],
}

/// Writes a proof anew.
pub struct Rewriter<'a, 'b> {
    arena: &'b mut Arena,
    setting: Setting<'a>,
    cut: Cut<'b>,
    facts: Facts,
    /// The templates that are written, and under which number each is.
    written: Vec<usize>,
    numbers: BTreeMap<usize, TemplateId>,
}

/// Under which names a derivation knows what the template at its root says.
struct Names {
    renaming: Renaming,
    trees: BTreeMap<TreeId, TreeId>,
    /// How many symbols the template had, and how many it has now. What comes later is numbered from here on.
    before: usize,
    now: usize,
}

impl Names {
    /// The symbol; none where nothing is left of it.
    fn tree(&self, tree: TreeId) -> Option<TreeId> {
        match tree.index().checked_sub(self.before) {
            Some(behind) => u32::try_from(self.now + behind).ok().map(TreeId),
            None => self.trees.get(&tree).copied(),
        }
    }
}

impl<'a, 'b> Rewriter<'a, 'b> {
    /// Nothing is written yet.
    pub fn new(arena: &'b mut Arena, setting: Setting<'a>, cut: Cut<'b>, solver: &Arc<Solver>) -> Self {
        Self { arena, setting, cut, facts: Facts::new(solver), written: Vec::new(), numbers: BTreeMap::new() }
    }

    /// The proof.
    pub fn proof(mut self) -> Result<Proof, Rejection> {
        let Cut { proof, templates: whole, reduced, .. } = self.cut;
        let mut names = Names { renaming: Renaming::default(), trees: BTreeMap::new(), before: 0, now: 0 };
        let (mut roots, mut left) = (Vec::new(), proof.roots.as_slice());
        for class in 0.. {
            let Some(root) = rules::root(self.arena, self.setting, proof.lengths, class)? else { break };
            left = self.derivation(root.clone(), root, left, &mut names, &mut roots)?;
        }
        let (mut templates, mut derivations) = (Vec::new(), Vec::new());
        while let Some(position) = self.written.get(derivations.len()).copied() {
            let (template, Reduced { stored, configuration, trees, renaming, .. }) = (&whole[position], &reduced[position]);
            let (before, now) = (template.trees.len(), stored.trees.len());
            let mut names = Names { renaming: renaming.clone(), trees: trees.clone(), before, now };
            let mut written = Vec::new();
            self.derivation(template.clone(), configuration.clone(), &proof.derivations[position], &mut names, &mut written)?;
            templates.push(stored.clone());
            derivations.push(written);
        }
        let Proof { k, lengths, lemmas, sorts, .. } = proof;
        Ok(Proof { k: *k, lengths: *lengths, lemmas: lemmas.clone(), sorts: sorts.clone(), templates, roots, derivations })
    }

    /// Writes what is derived from a configuration for what is left of it; gives the rules behind that.
    fn derivation(
        &mut self,
        root: Configuration,
        left: Configuration,
        rules: &'b [Rule],
        names: &mut Names,
        written: &mut Vec<Rule>,
    ) -> Result<&'b [Rule], Rejection> {
        let mut rules = rules.iter();
        // With each configuration what is left of it; nothing where that is of no interest.
        let mut open = vec![(root, Some(left))];
        while let Some((configuration, left)) = open.pop() {
            let rule = rules.next().ok_or(Rejection::Open)?;
            let left = left.map(|left| self.rule(rule, &configuration, left, names, written)).transpose()?;
            let children = behind(self.arena, self.setting, configuration, rule, &mut Trusting)?;
            if left.as_ref().is_some_and(|left| left.len() != children.len() && !matches!(rule, Rule::Unfold { .. })) {
                return Err(Rejection::Outcomes);
            }
            let left = left.into_iter().flatten().map(Some).chain(iter::repeat(None));
            let first = open.len();
            open.extend(children.into_iter().zip(left));
            open[first..].reverse();
        }
        Ok(rules.as_slice())
    }

    /// Writes the rule for what is left of the configuration; gives what it leads to, as far as that is of interest.
    fn rule(
        &mut self,
        rule: &Rule,
        configuration: &Configuration,
        left: Configuration,
        names: &mut Names,
        written: &mut Vec<Rule>,
    ) -> Result<Vec<Configuration>, Rejection> {
        if let Rule::Unfold { tree, .. } = rule
            && names.tree(*tree).is_none()
        {
            // What nothing is left of may as well be empty, if it can be.
            let shape = configuration.trees.get(tree.index()).copied().ok_or(Rejection::Missing)?;
            let is_node = matches!(shape, TreeSort::Tree(sort) if !self.setting.nodes(sort)?.1.0);
            return if is_node { Err(Rejection::Missing) } else { Ok(vec![left]) };
        }
        let (rule, children) = match rule {
            Rule::Subsume { template, matching, .. } => {
                (self.covered(template.index(), matching, [configuration, &left], names)?, Vec::new())
            }
            rule => {
                let rule = self.renamed(rule, names)?;
                let children = behind(self.arena, self.setting, left, &rule, &mut self.facts)?;
                (self.with_hints(rule), children)
            }
        };
        written.push(rule);
        Ok(children)
    }

    /// The rule, still without hints.
    fn renamed(&mut self, rule: &Rule, names: &mut Names) -> Result<Rule, Rejection> {
        let (mut rule, arena, renaming) = (rule.clone(), &mut *self.arena, &mut names.renaming);
        match &mut rule {
            Rule::Split { literal } => *literal = renaming.literal(arena, *literal)?,
            Rule::Let { term } | Rule::StepDecided { choice: Some(Choice::Value(term)), .. } => *term = renaming.linear(arena, *term)?,
            Rule::StepDecided { choice: Some(Choice::Allocation { lower, fields }), .. } => {
                *lower = renaming.linear(arena, *lower)?;
                for (cells, rest) in fields {
                    cells.iter_mut().try_for_each(|cell| renaming.linear(arena, *cell).map(|term| *cell = term))?;
                    *rest = rest.map(|rest| renaming.array(arena, rest)).transpose()?;
                }
            }
            Rule::AddScapegoat { integers, .. } => {
                integers.iter_mut().try_for_each(|(_, value)| renaming.linear(arena, *value).map(|term| *value = term))?;
            }
            Rule::Unfold { tree, .. } => *tree = names.tree(*tree).ok_or(Rejection::Missing)?,
            _ => {}
        }
        Ok(rule)
    }

    /// The rule with the hints that it has asked for.
    fn with_hints(&mut self, mut rule: Rule) -> Rule {
        let mut found = self.facts.take_hints();
        match &mut rule {
            Rule::Step { refuted } => refuted.iter_mut().zip(found).for_each(|((_, hint), found)| *hint = found),
            Rule::Infeasible { refutation } => *refutation = found.pop().unwrap_or_default(),
            Rule::StepDecided { hints, .. } | Rule::AddScapegoat { hints, .. } => *hints = found,
            _ => {}
        }
        rule
    }

    /// The template that stands for this one covers what is left of the configuration.
    fn covered(
        &mut self,
        template: usize,
        matching: &Matching,
        [configuration, left]: [&Configuration; 2],
        names: &mut Names,
    ) -> Result<Rule, Rejection> {
        let standing = self.cut.standing[template];
        let matching = self.matching(template, matching, [configuration, left], names)?;
        let target = &self.cut.reduced[standing].configuration;
        subsume::subsume(self.arena, self.setting, left, target, &matching, &mut self.facts)?;
        let next = TemplateId(u32::try_from(self.written.len()).map_err(|_| Rejection::Overflow)?);
        let template = *self.numbers.entry(standing).or_insert(next);
        if template == next {
            self.written.push(standing);
        }
        Ok(Rule::Subsume { template, matching, hints: self.facts.take_hints() })
    }

    /// What stands for the parts of the template that stands for this one.
    fn matching(
        &mut self,
        template: usize,
        matching: &Matching,
        [configuration, left]: [&Configuration; 2],
        names: &mut Names,
    ) -> Result<Matching, Rejection> {
        let Cut { templates, reduced, standing, .. } = self.cut;
        let (whole, Reduced { objects, trees, renaming, .. }) = (&templates[template], &reduced[template]);
        let scope = reduced[standing[template]].stored.scope;
        let mut found = Matching::default();
        let [(own, own_arrays), (wanted, wanted_arrays)] = [whole.scope, scope].map(|scope| variables(&scope));
        let images: BTreeMap<_, _> = own.iter().map(|variable| renaming.integers.get(variable)).zip(&matching.integers).collect();
        for variable in &wanted {
            let image = images.get(&Some(variable)).ok_or(Rejection::Missing)?;
            found.integers.push(names.renaming.linear(self.arena, **image)?);
        }
        let images: BTreeMap<_, _> = own_arrays.iter().map(|variable| renaming.arrays.get(variable)).zip(&matching.arrays).collect();
        for variable in &wanted_arrays {
            let image = images.get(&Some(variable)).ok_or(Rejection::Missing)?;
            found.arrays.push(names.renaming.array(self.arena, **image)?);
        }
        let trees: BTreeMap<TreeId, TreeId> = trees.iter().map(|(tree, name)| (*name, *tree)).collect();
        for tree in trees.values() {
            found.paths.push(matching.paths.get(tree.index()).cloned().ok_or(Rejection::Missing)?);
            found.shapes.push(matching.shapes.get(tree.index()).cloned().unwrap_or_default());
        }
        // None are needed for the last symbols that have none.
        let last = found.shapes.iter().rposition(|shapes| !shapes.is_empty());
        found.shapes.truncate(last.map_or(0, |last| last + 1));
        for (position, names) in objects.iter().enumerate() {
            let counterparts = counterparts(self.setting, configuration.member(member(position)?)?, left.member(member(position)?)?)?;
            let mut images: BTreeMap<ObjectId, ObjectId> = BTreeMap::new();
            for (state, image) in whole.members[position].objects.iter().flatten().zip(&matching.objects[position]) {
                if let Some(name) = names.get(&state.object) {
                    images.insert(*name, *counterparts.get(image).ok_or(Rejection::Missing)?);
                }
            }
            found.objects.push(images.into_values().collect());
        }
        Ok(found)
    }
}

fn member(position: usize) -> Result<MemberId, Rejection> {
    u32::try_from(position).map(MemberId).map_err(|_| Rejection::Overflow)
}

/// What the objects of a member are called where less is left of it.
fn counterparts(setting: Setting<'_>, member: &Member, left: &Member) -> Result<BTreeMap<ObjectId, ObjectId>, Rejection> {
    let mut open: Vec<(Slot, Slot)> = member.registers.iter().copied().zip(left.registers.iter().copied()).collect();
    // The program knows these without pointers.
    for state in left.objects.iter().flatten() {
        let is_named = matches!(setting.object(state.declaration)?.origin, Origin::Static { .. } | Origin::Local { .. });
        if let Some(other) = member.live(state.declaration).filter(|_| is_named && state.life == Life::Live) {
            open.push([other, state].map(|state| Slot::Pointer(Address { object: state.object, index: state.lower, byte: 0 })).into());
        }
    }
    let (mut found, mut parts) = (BTreeMap::new(), BTreeSet::new());
    while let Some(pair) = open.pop() {
        match pair {
            (Slot::Pointer(Address { object, .. }), Slot::Pointer(Address { object: name, .. }))
                if found.insert(object, name).is_none() =>
            {
                let (state, left) = member.object(object).zip(left.object(name)).ok_or(Rejection::Missing)?;
                let cells = |state: &ObjectState| state.fields.iter().map(|field| field.cells.clone()).collect::<Vec<_>>();
                open.extend(cells(state).concat().into_iter().zip(cells(left).concat()));
            }
            (Slot::Folded(part) | Slot::Last(part), Slot::Folded(name) | Slot::Last(name)) if parts.insert(part) => {
                let entry = |member: &Member, part: FoldedId| member.folded.get(part.index()).copied().flatten();
                let (state, left) = entry(member, part).zip(entry(left, name)).ok_or(Rejection::Missing)?;
                open.extend([(state.above, left.above), (state.same, left.same), (state.below, left.below)]);
            }
            _ => {}
        }
    }
    Ok(found)
}
