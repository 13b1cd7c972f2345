//! Proofs whose templates say no more than is read (`spec/search.md#what-is-written`).
//!
//! A template lists all that its arrivals have in common. Once the proof is found, it is known what of it the derivation reads, and those of the
//! templates that cover what it leads to: its footprint. Nothing else is left of a template, and those that are alike then are one.

pub(crate) mod origins;
pub(crate) mod reduced;
pub(crate) mod renaming;
pub(crate) mod rewriting;

use goatherd_certificates::{configuration::Slot, derivation::Proof};
use goatherd_checker::{
    configuration::{Configuration, Setting},
    rejection::Rejection,
    subsume,
    term::Arena,
};
use goatherd_logic::Solver;
use origins::{Footprint, Spot, spots};
use reduced::{Heaps, Reduced};
use rewriting::{Cut, Rewriter};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The proof with templates cut down to their footprints. An error says that what is left could not be derived anew: the proof as it was is one
/// still.
pub fn cut_down(arena: &mut Arena, setting: Setting<'_>, proof: &Proof, solver: &Arc<Solver>) -> Result<Proof, Rejection> {
    let templates: Vec<Configuration> =
        proof.templates.iter().map(|template| subsume::template(arena, setting, template)).collect::<Result<_, _>>()?;
    let derivations = templates.iter().zip(&proof.derivations);
    let footprints: Vec<Footprint> =
        derivations.map(|(template, rules)| Footprint::new(arena, setting, &templates, template, rules)).collect::<Result<_, _>>()?;
    let has_last = templates.iter().flat_map(spots).any(|(_, slot)| matches!(slot, Slot::Last(_)));
    let heaps: Vec<Heaps<'_>> = templates.iter().map(|template| Heaps { setting, template, has_last }).collect();
    let kept = kept(&heaps, &footprints)?;
    let reduced: Vec<Reduced> = heaps.iter().zip(&kept).map(|(heaps, kept)| Reduced::new(arena, *heaps, kept)).collect::<Result<_, _>>()?;
    let cut = Cut { proof, templates: &templates, reduced: &reduced, standing: &alike(&reduced) };
    Rewriter::new(arena, setting, cut, solver).proof()
}

/// What of each template is used, there or behind templates that are led to.
fn kept(heaps: &[Heaps<'_>], footprints: &[Footprint]) -> Result<Vec<BTreeSet<Spot>>, Rejection> {
    let mut kept: Vec<BTreeSet<Spot>> = vec![BTreeSet::new(); heaps.len()];
    let mut leading: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (source, footprint) in footprints.iter().enumerate() {
        for leaf in &footprint.leaves {
            leading.entry(leaf.template).or_default().insert(source);
        }
    }
    let mut open: BTreeSet<usize> = (0..heaps.len()).collect();
    while let Some(position) = open.pop_last() {
        let Footprint { own, leaves } = &footprints[position];
        let mut used = own | &kept[position];
        for leaf in leaves {
            used.extend(kept[leaf.template].iter().filter_map(|spot| leaf.uses.get(spot)).flatten());
        }
        let used = heaps[position].with_roots(used)?;
        if used != kept[position] {
            kept[position] = used;
            open.extend(leading.get(&position).into_iter().flatten());
        }
    }
    Ok(kept)
}

/// By template, the one that stands for it: of those that are alike, one whose predicate the others imply.
fn alike(reduced: &[Reduced]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..reduced.len()).collect();
    order.sort_by_key(|position| reduced[*position].stored.predicate.len());
    let mut standing: Vec<usize> = (0..reduced.len()).collect();
    let mut chosen: Vec<usize> = Vec::new();
    for position in order {
        let own = &reduced[position].stored;
        let covers = |other: &&usize| {
            let other = &reduced[**other].stored;
            other.members == own.members
                && other.trees == own.trees
                && other.predicate.iter().all(|literal| own.predicate.contains(literal))
        };
        match chosen.iter().find(covers) {
            Some(other) => standing[position] = *other,
            None => chosen.push(position),
        }
    }
    standing
}

#[cfg(test)]
mod tests {
    use super::cut_down;
    use crate::proof::footprint::{origins::Spot, reduced::Heaps};
    use goatherd_certificates::{
        configuration::{Folded, FoldedId, InputSize, Member, Slot, Template, TreeId, TreeSort},
        derivation::{Lengths, Matching, MemberId, Proof, Rule, SegmentEnd, TemplateId},
        program::{Location, RegisterId, SortId},
        term::Scope,
    };
    use goatherd_checker::{budget::Budget, configuration::Setting, subsume, term::Arena};
    use goatherd_flow::testing::{PARAMETERS, program};
    use goatherd_logic::Solver;
    use std::{collections::BTreeSet, sync::Arc};

    /// Instructions 0 to 2 are the first loop, 3 to 5 the second one, and 6 is the end.
    const TWO_WALKS: &str = "struct node { struct node *left, *right; };\n\
        void test(struct node *one, struct node *other) { while (one) one = one->left; while (other) other = other->left; }";
    /// Instructions 0 to 2 are the loop, and 3 is the end.
    const ONE_WALK: &str = "struct node { struct node *left, *right; };\n\
        void test(struct node *one, struct node *other) { while (one) one = one->left; }";
    const ONE: RegisterId = RegisterId(0);
    const OTHER: RegisterId = RegisterId(1);

    /// A template at the location, where these registers hold trees of their own, and others NULL.
    fn template(location: u32, trees: &[RegisterId], others: &[RegisterId]) -> Template {
        let tree = |part: u32| Folded { tree: TreeId(part), above: Slot::Forgotten, same: Slot::Forgotten, below: Slot::Null };
        let parts = (0..).map(|part| Slot::Folded(FoldedId(part)));
        let mut registers: Vec<(RegisterId, Slot)> = trees.iter().copied().zip(parts).collect();
        registers.extend(others.iter().map(|register| (*register, Slot::Null)));
        registers.sort_unstable_by_key(|(register, _)| *register);
        let member = Member {
            location: Location(location),
            size: InputSize::NotLarger,
            consumed: Slot::Forgotten,
            registers,
            objects: Vec::new(),
            folded: (0..).map(tree).take(trees.len()).collect(),
        };
        let shapes = vec![TreeSort::Tree(SortId(0)); trees.len()];
        Template { scope: Scope::default(), trees: shapes, predicate: Vec::new(), members: vec![member] }
    }

    /// The template of this number, which has so many trees, covers.
    fn covered(template: u32, trees: usize) -> Rule {
        let matching = Matching { paths: vec![Vec::new(); trees], objects: vec![Vec::new()], ..Matching::default() };
        Rule::Subsume { template: TemplateId(template), matching, hints: Vec::new() }
    }

    fn unfolded(tree: u32) -> Rule {
        Rule::Unfold { tree: TreeId(tree), end: SegmentEnd::Top }
    }

    fn steps(count: u32) -> Rule {
        Rule::Steps { member: MemberId(0), count }
    }

    /// What the proof has become.
    fn left(name: &str, text: &str, templates: Vec<Template>, roots: Vec<Rule>, derivations: Vec<Vec<Rule>>) -> Proof {
        let program = program(name, text);
        let setting = Setting { program: &program, parameters: &PARAMETERS, k: 1, sorts: &[] };
        let mut arena = Arena::new(&program.tables, Budget::new(u64::MAX)).unwrap();
        let proof = Proof { k: 1, lengths: Lengths::Classes, lemmas: Vec::new(), sorts: Vec::new(), templates, roots, derivations };
        cut_down(&mut arena, setting, &proof, &Arc::new(Solver::default())).unwrap()
    }

    #[test]
    fn templates_that_differ_in_what_nothing_reads_are_one() {
        let walk = |number, trees| vec![unfolded(0), steps(1), Rule::End, steps(3), covered(number, trees)];
        let templates = vec![template(0, &[ONE], &[OTHER]), template(0, &[ONE, OTHER], &[])];
        let proof = left("one", ONE_WALK, templates, vec![unfolded(1), covered(0, 1), covered(1, 2)], vec![walk(0, 1), walk(1, 2)]);
        assert_eq!(proof.templates, [template(0, &[ONE], &[])]);
        assert_eq!(proof.roots, [unfolded(1), covered(0, 1), covered(0, 1)]);
        assert_eq!(proof.derivations, [walk(0, 1)]);
    }

    #[test]
    fn what_a_later_template_reads_is_kept() {
        let first = vec![unfolded(0), steps(1), covered(1, 1), steps(3), covered(0, 2)];
        let second = vec![unfolded(0), steps(1), Rule::End, steps(3), covered(1, 1)];
        let templates = vec![template(0, &[ONE, OTHER], &[]), template(3, &[OTHER], &[ONE])];
        let proof = left("two", TWO_WALKS, templates, vec![covered(0, 2)], vec![first.clone(), second.clone()]);
        assert_eq!(proof.templates, [template(0, &[ONE, OTHER], &[]), template(3, &[OTHER], &[])]);
        assert_eq!(proof.derivations, [first, second]);
    }

    #[test]
    fn what_nothing_reads_is_not_unfolded() {
        let walk = || vec![unfolded(0), steps(1), Rule::End, steps(3), covered(0, 2)];
        let derivation = [vec![unfolded(1)], walk(), walk()].concat();
        let proof = left("unread", ONE_WALK, vec![template(0, &[ONE, OTHER], &[])], vec![covered(0, 2)], vec![derivation]);
        assert_eq!(proof.derivations, [[unfolded(0), steps(1), Rule::End, steps(3), covered(0, 1)]]);
    }

    #[test]
    fn a_last_cell_is_kept_with_the_root_of_its_segment() {
        let program = program("last", ONE_WALK);
        let setting = Setting { program: &program, parameters: &PARAMETERS, k: 1, sorts: &[] };
        let mut stored = template(0, &[ONE], &[OTHER]);
        stored.trees = vec![TreeSort::Segment(SortId(0))];
        stored.members[0].registers[1].1 = Slot::Last(FoldedId(0));
        let arena = Arena::new(&[], Budget::new(u64::MAX)).unwrap();
        let template = subsume::template(&arena, setting, &stored).unwrap();
        let heaps = Heaps { setting, template: &template, has_last: true };
        let [one, other] = [ONE, OTHER].map(|register| Spot::Register(0, register));
        assert_eq!(heaps.with_roots(BTreeSet::from([other])), Ok(BTreeSet::from([one, other])));
        assert_eq!(heaps.with_roots(BTreeSet::from([one])), Ok(BTreeSet::from([one])));
    }
}
