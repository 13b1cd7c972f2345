//! Templates: widened configurations at loop heads (Shrinker §5.4 `HWiden`; `spec/calculus.md#subsume`).
//!
//! A template keeps, of the configurations that arrived under its key, which slots are equal up to a constant, the differences that they
//! share, weakened to thresholds, and the disequalities. It is built as a certificate stores it and read back by the kernel's own function.

pub(crate) mod arrival;
pub(crate) mod basis;
pub(crate) mod covering;
pub(crate) mod elements;
pub(crate) mod focus;
pub(crate) mod inequalities;
pub(crate) mod key;
pub(crate) mod keys;
pub(crate) mod lengths;
pub(crate) mod meeting;
pub(crate) mod shape;
pub(crate) mod slots;
pub(crate) mod stores;
mod sums;
mod wanted;

use super::{
    affine::{Equation, Hull},
    differences::{Closed, Differences, excludes_zero},
    folding::folded::Folding,
    herd::{Herd, History},
};
use arrival::Arrival;
use basis::Basis;
use goatherd_certificates::{
    configuration::Template,
    derivation::Matching,
    program::{IntegerType, Location},
    term::{ArrayId, ArrayVariable, LinearId, Literal, Scope, Sign, Variable},
};
use goatherd_checker::{
    arithmetic::range,
    configuration::{Configuration, Setting},
    rejection::Rejection,
    subsume,
    term::{Arena, SORTS, sort_index},
};
use goatherd_logic::{Apart, Context, Solver, terms};
use slots::{Replacement, Slots, visit};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// What holds of the slots of all configurations that a template was widened from. Positions are those of [`Slots`].
#[derive(Clone)]
struct Facts {
    differences: Differences,
    disequalities: BTreeSet<Apart>,
    hull: Hull,
    /// What the hull was before the last arrival, until it is asked which of its equations are still inequalities.
    former: Option<Hull>,
    /// Sums of several slots that are at most zero.
    inequalities: Vec<Equation>,
    /// Per array the first one that is equal to it.
    classes: Vec<usize>,
    /// Per array the narrowest type that all of its elements are of.
    elements: Vec<IntegerType>,
    /// Integers that need not lie in the range of their type.
    unsorted: BTreeSet<usize>,
    /// Integers with variables of their own, also where another one is equal.
    apart: BTreeSet<usize>,
}

/// A template and what it was widened from.
#[derive(Clone)]
pub struct Widened {
    /// As a certificate stores it.
    pub stored: Template,
    /// As the kernel works on it.
    pub configuration: Configuration,
    /// Which scapegoats its members are; 0 is the primary.
    pub tags: Vec<usize>,
    history: History,
    /// The indices that the primary's registers do not hold.
    kept_indices: Vec<LinearId>,
    /// How often it was widened.
    pub version: u32,
    facts: Facts,
    /// The slots whose terms are the images of the variables, in the order of the scope.
    integer_images: Vec<usize>,
    array_images: Vec<usize>,
    /// Which members of what arrives its members cover.
    positions: Vec<usize>,
}

impl Facts {
    /// What holds of the slots of the herd.
    fn new(arena: &mut Arena, arrival: &mut Arrival, slots: &Slots) -> Result<Self, Rejection> {
        let Arrival { herd, .. } = arrival;
        let terms: Vec<LinearId> = slots.integers.iter().map(|(term, _)| *term).collect();
        let differences = Differences::new(arena, &mut herd.context, &terms);
        let hull = Hull::new(&herd.context.combinations(arena, &terms));
        let disequalities = herd.context.disequalities(arena, &terms).into_iter().collect();
        let arrays: Vec<ArrayId> = slots.arrays.iter().map(|(array, _)| *array).collect();
        let mut elements = Vec::new();
        for (array, declared) in &slots.arrays {
            elements.push(elements::narrowest(arena, &mut herd.context, *array, *declared)?);
        }
        let mut classes = Vec::new();
        for (position, array) in arrays.iter().enumerate() {
            let equal = (0..position).find(|other| herd.context.arrays_equal(arena, arrays[*other], *array));
            classes.push(equal.map_or(position, |other| classes[other]));
        }
        let mut unsorted = BTreeSet::new();
        for (position, (term, sort)) in slots.integers.iter().enumerate() {
            if let Some(sort) = sort {
                let (least, greatest) = range(*sort);
                let zero = arena.constant(0)?;
                let bounds = herd.context.difference_bounds(arena, *term, zero);
                if !matches!(bounds, (Some(low), Some(high)) if least <= low && high <= greatest) {
                    unsorted.insert(position);
                }
            }
        }
        let mut inequalities = inequalities::stated(arena, herd, slots)?;
        inequalities.extend(slots.sides.iter().filter(|side| inequalities::holds(arena, herd, &terms, side)).cloned());
        Ok(Self { differences, disequalities, hull, former: None, inequalities, classes, elements, unsorted, apart: slots.apart.clone() })
    }

    /// What both have in common, but for differences.
    fn join(&self, new: &Self, differences: Differences, disequalities: BTreeSet<Apart>) -> Self {
        let pairs: Vec<(usize, usize)> = self.classes.iter().copied().zip(new.classes.iter().copied()).collect();
        let classes = pairs.iter().map(|pair| pairs.iter().position(|other| other == pair).unwrap_or_default()).collect();
        Self {
            differences,
            disequalities,
            hull: self.hull.join(&new.hull),
            former: None,
            inequalities: self.inequalities.clone(),
            classes,
            elements: self.elements.iter().zip(&new.elements).map(|(one, other)| elements::common(*one, *other)).collect(),
            unsorted: &self.unsorted | &new.unsorted,
            apart: &self.apart | &new.apart,
        }
    }

    /// The disequalities of both, and these, that hold of both.
    fn disequalities(&self, new: &Self, others: Vec<Apart>) -> BTreeSet<Apart> {
        let follows = |facts: &Self, entry: &Apart| excludes_zero(|from, to| facts.differences.get(from, to), *entry);
        let (old_ones, new_ones) = (&self.disequalities, &new.disequalities);
        // There are many, of which most are in both: these two are gone through side by side.
        let both = old_ones.intersection(new_ones);
        let of_old = old_ones.difference(new_ones).filter(|entry| follows(new, entry));
        let of_new = new_ones.difference(old_ones).filter(|entry| follows(self, entry));
        let holds = |facts: &Self, entry: &Apart| facts.disequalities.contains(entry) || follows(facts, entry);
        let others = others.into_iter().filter(|entry| holds(self, entry) && holds(new, entry));
        both.chain(of_old).chain(of_new).copied().chain(others).collect()
    }
}

/// A template for the herd, widened from the old one of the same key.
pub fn widen(arena: &mut Arena, basis: Basis<'_>, arrival: &mut Arrival, old: Option<&Widened>) -> Result<Widened, Rejection> {
    let slots = Slots::new(arena, basis, arrival)?;
    let new = Facts::new(arena, arrival, &slots)?;
    let Some(Widened { facts: old, version, .. }) = old else { return build(arena, basis, arrival, &slots, new, 0) };
    let differences = old.differences.widened(&new.differences, &kept_bounds(&basis.thresholds(), *version));
    let both_ways = if basis.flow.comparing.len() > 1 { ordered_both_ways(&old.differences, &new.differences) } else { Vec::new() };
    let mut disequalities = old.disequalities(&new, both_ways);
    if *version >= PATIENCE {
        // What is given up one after the other is given up at once.
        let pair = |apart: &Apart| (apart.left, apart.right);
        let lost: BTreeSet<(usize, usize)> = old.disequalities.difference(&disequalities).map(pair).collect();
        disequalities.retain(|apart| !lost.contains(&pair(apart)));
    }
    let joined = Facts { former: Some(old.hull.clone()), ..old.join(&new, differences, disequalities) };
    build(arena, basis, arrival, &slots, joined, version + 1)
}

/// In how many versions bounds that the program names are kept to. A ring buffer of 8 elements takes 9 versions until each of its numbers has one.
const OWN_BOUNDS: u32 = 12;

/// From which version on only the greatest of them: where the program names many, an integer that one of them bounds would else be given up before it came
/// there. A counter of letters up to a million comes by -25, 97, 122 and their neighbours.
const GREATEST_BOUNDS: u32 = 10;

/// To which of the bounds that the program names a template of this version is kept.
fn kept_bounds(thresholds: &[i128], version: u32) -> Vec<i128> {
    // One less and one more than a constant are bounds too.
    let least = thresholds.last().map_or(0, |greatest| greatest.saturating_sub(2));
    match version {
        ..GREATEST_BOUNDS => thresholds.to_vec(),
        GREATEST_BOUNDS..OWN_BOUNDS => thresholds.iter().copied().filter(|bound| bound.saturating_abs() >= least).collect(),
        _ => Vec::new(),
    }
}

/// After how many versions all disequalities of two slots are given up together: behind `c != 0`, `c != 1`, ... a loop would be widened once for each.
/// 64 such branches take 5 versions of the last template instead of 66.
const PATIENCE: u32 = 4;

/// Terms of which the one was less before and the other is now: they are different.
fn ordered_both_ways(old: &Differences, new: &Differences) -> Vec<Apart> {
    let is_less = |differences: &Differences, left: usize, right: usize| differences.get(left, right).is_some_and(|bound| bound < 0);
    let pairs = (0..new.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
    let is_both = |(left, right): &(usize, usize)| {
        (is_less(old, *left, *right) && is_less(new, *right, *left)) || (is_less(old, *right, *left) && is_less(new, *left, *right))
    };
    pairs.filter(is_both).map(|(left, right)| Apart { left, right, constant: 0 }).collect()
}

/// Writes a template: slots that are equal up to a constant share a variable.
fn build(
    arena: &mut Arena,
    basis: Basis<'_>,
    arrival: &mut Arrival,
    slots: &Slots,
    mut facts: Facts,
    version: u32,
) -> Result<Widened, Rejection> {
    let Basis { setting, .. } = basis;
    let closed = Closed::new(&facts.differences, slots.derived.len());
    let mut scope = Scope::default();
    let mut arrays: BTreeMap<ArrayVariable, usize> = BTreeMap::new();
    let mut array_terms: Vec<ArrayId> = Vec::new();
    for (position, class) in facts.classes.iter().enumerate() {
        array_terms.push(if *class < position {
            array_terms[*class]
        } else {
            let sort = facts.elements[position];
            let index = SORTS.iter().position(|other| *other == sort).unwrap_or_default();
            let variable = ArrayVariable { sort, number: scope.arrays[index] };
            scope.arrays[index] += 1;
            arrays.insert(variable, position);
            arena.array_variable(variable)?
        });
    }
    let mut integers: BTreeMap<Variable, usize> = BTreeMap::new();
    // Term 0 is zero; a representative stands for all terms at a constant distance.
    let mut representatives = vec![0];
    let mut terms = vec![arena.constant(0)?];
    // What stands for them in the herd.
    let mut images = terms.clone();
    let mut predicate = Vec::new();
    let own = slots.integers.len() - slots.derived.len();
    for position in 0..slots.integers.len() {
        let row = position + 1;
        let shared: &[usize] = if facts.apart.contains(&position) { &[] } else { &representatives };
        let equal = shared.iter().copied().find_map(|other| {
            let gap = closed.get(row, other)?;
            (closed.get(other, row) == Some(-gap)).then_some((other, gap))
        });
        if let Some(derived) = position.checked_sub(own).map(|position| slots.derived[position]) {
            let term = derived.term(arena, setting.k, |position| terms[position + 1], |position| array_terms[position])?;
            terms.push(term);
            let (known, held) = (&images, &slots.arrays);
            let image = derived.term(arena, setting.k, |position| known[position + 1], |position| held[facts.classes[position]].0)?;
            images.push(image);
            match equal {
                // It is no variable that could stand for the other: say that they are equal.
                Some((other, gap)) => {
                    let literal = Literal { sign: Sign::Zero, term: arena.combine(-gap, &[(term, 1), (terms[other], -1)])? };
                    if arena.evident(literal) != Some(true) {
                        predicate.push(literal);
                    }
                }
                None => representatives.push(row),
            }
            continue;
        }
        // Of factors that are known the variable is kept.
        if let Some((other, gap)) = equal.filter(|(other, _)| *other > 0 || !slots.factors.contains(&position)) {
            images.push(arena.plus(images[other], gap)?);
            terms.push(arena.plus(terms[other], gap)?);
            continue;
        }
        images.push(slots.integers[position].0);
        let sort = slots.integers[position].1.filter(|_| !facts.unsorted.contains(&position));
        let count = &mut scope.integers[sort_index(sort)];
        let variable = Variable { sort, number: *count };
        *count += 1;
        integers.insert(variable, position);
        let term = arena.variable(variable)?;
        terms.push(term);
        match equal {
            Some((_, value)) => predicate.push(Literal { sign: Sign::Zero, term: arena.plus(term, -value)? }),
            None => representatives.push(row),
        }
    }
    relate(arena, &mut predicate, &terms, &representatives, &closed, &facts.disequalities)?;
    let slots: Vec<usize> = representatives.iter().filter_map(|row| row.checked_sub(1)).collect();
    state_sums(arena, &mut predicate, &mut arrival.herd, &mut facts, &slots, [&terms[1..], &images[1..]])?;
    let kept_indices = terms[..=own].iter().skip(own + 1 - arrival.herd.kept_indices.len()).copied().collect();
    let mut replacement = Replacement { integers: terms[1..].iter(), arrays: array_terms.iter() };
    let members = visit(arena, setting, arrival, &mut replacement)?;
    let stored = Template { scope, trees: arrival.folding.trees.clone(), predicate, members };
    let configuration = subsume::template(arena, setting, &stored)?;
    let (integer_order, array_order) = terms::variables(&scope);
    Ok(Widened {
        stored,
        configuration,
        tags: arrival.herd.tags.clone(),
        history: arrival.herd.history.clone(),
        kept_indices,
        version,
        facts,
        integer_images: integer_order.iter().map(|variable| integers[variable]).collect(),
        array_images: array_order.iter().map(|variable| arrays[variable]).collect(),
        positions: (0..arrival.folding.members.len()).collect(),
    })
}

/// Adds the equations of these slots and the inequalities to the predicate, as far as the herd is found to obey them: what follows by arithmetic
/// is not always found. The slots' terms are given, and what stands for these in the herd.
fn state_sums(
    arena: &mut Arena,
    predicate: &mut Vec<Literal>,
    herd: &mut Herd,
    facts: &mut Facts,
    slots: &[usize],
    [terms, images]: [&[LinearId]; 2],
) -> Result<(), Rejection> {
    for equation in facts.hull.equations(slots) {
        let literal = inequalities::literal(arena, terms, Sign::Zero, &equation)?;
        let known = inequalities::literal(arena, images, Sign::Zero, &equation)?;
        if arena.evident(literal) != Some(true) && herd.context.entails(arena, known) {
            predicate.push(literal);
        }
    }
    if let Some(former) = facts.former.take() {
        facts.inequalities.extend(inequalities::halves(&former.equations(slots)));
    }
    facts.inequalities.retain(|inequality| inequalities::holds(arena, herd, images, inequality));
    for inequality in &facts.inequalities {
        let literal = inequalities::literal(arena, terms, Sign::AtMostZero, inequality)?;
        if arena.evident(literal) != Some(true) && !predicate.contains(&literal) {
            predicate.push(literal);
        }
    }
    Ok(())
}

/// Adds what is known of the terms' differences to the predicate: the bounds that others do not imply, then the disequalities.
fn relate(
    arena: &mut Arena,
    predicate: &mut Vec<Literal>,
    terms: &[LinearId],
    representatives: &[usize],
    closed: &Closed,
    disequalities: &BTreeSet<Apart>,
) -> Result<(), Rejection> {
    for &from in representatives {
        for &to in representatives {
            let Some(bound) = closed.get(from, to).filter(|_| from != to) else { continue };
            let is_implied = representatives.iter().any(|&middle| {
                middle != from
                    && middle != to
                    && matches!((closed.get(from, middle), closed.get(middle, to)), (Some(first), Some(second)) if first.saturating_add(second) <= bound)
            });
            if is_implied {
                continue;
            }
            let term = arena.combine(-bound, &[(terms[from], 1), (terms[to], -1)])?;
            let literal = Literal { sign: Sign::AtMostZero, term };
            if arena.evident(literal) != Some(true) {
                predicate.push(literal);
            }
        }
    }
    for &apart in disequalities {
        if excludes_zero(|from, to| closed.get(from, to), apart) {
            continue;
        }
        let Apart { left, right, constant } = apart;
        let term = arena.combine(constant, &[(terms[left], 1), (terms[right], -1)])?;
        let literal = Literal { sign: Sign::NotZero, term };
        let opposite = Literal { term: arena.combine(0, &[(term, -1)])?, ..literal };
        if arena.evident(literal).is_none() && !predicate.contains(&literal) && !predicate.contains(&opposite) {
            predicate.push(literal);
        }
    }
    Ok(())
}

impl Widened {
    /// How many integers it bounds.
    pub(crate) fn integers(&self) -> usize {
        self.facts.differences.len().saturating_sub(1)
    }

    /// Under what the herd, of the template's shape, may be covered.
    pub fn matching(&self, arena: &mut Arena, setting: Setting<'_>, arrival: &Arrival) -> Result<Matching, Rejection> {
        let mut slots = Slots::default();
        visit(arena, setting, arrival, &mut slots)?;
        let Folding { paths, shapes, objects, .. } = &arrival.folding;
        let integer = |position: &usize| slots.integers.get(*position).map(|(term, _)| *term).ok_or(Rejection::Shape);
        let array = |position: &usize| slots.arrays.get(*position).map(|(array, _)| *array).ok_or(Rejection::Shape);
        let objects = |position: &usize| objects.get(*position).cloned().ok_or(Rejection::Shape);
        Ok(Matching {
            integers: self.integer_images.iter().map(integer).collect::<Result<_, _>>()?,
            arrays: self.array_images.iter().map(array).collect::<Result<_, _>>()?,
            paths: paths.clone(),
            shapes: shapes.clone(),
            objects: self.positions.iter().map(objects).collect::<Result<_, _>>()?,
        })
    }

    /// The indices that no register holds.
    pub fn kept_indices(&self) -> &[LinearId] {
        &self.kept_indices
    }

    /// Which members of what arrives its members cover.
    pub fn positions(&self) -> &[usize] {
        &self.positions
    }

    /// Where the primary stands.
    pub fn location(&self) -> Option<Location> {
        self.stored.members.first().map(|member| member.location)
    }

    /// Keeps the literals at these positions only.
    pub fn keep_literals(&mut self, positions: &BTreeSet<usize>) {
        let kept = |predicate: &[Literal]| positions.iter().filter_map(|position| predicate.get(*position).copied()).collect();
        self.stored.predicate = kept(&self.stored.predicate);
        self.configuration.predicate = kept(&self.configuration.predicate);
    }

    /// Keeps the members at these positions only.
    pub fn retain(&mut self, positions: &BTreeSet<usize>) {
        let is_kept = |position: &mut usize| {
            *position += 1;
            positions.contains(&(*position - 1))
        };
        let (mut stored, mut configuration, mut tags, mut covered) = (0, 0, 0, 0);
        self.stored.members.retain(|_| is_kept(&mut stored));
        self.configuration.members.retain(|_| is_kept(&mut configuration));
        self.tags.retain(|_| is_kept(&mut tags));
        self.positions.retain(|_| is_kept(&mut covered));
    }

    /// The template as the start of its own derivation.
    pub fn herd(&self, arena: &mut Arena, solver: &Arc<Solver>) -> Herd {
        let mut context = Context::with_solver(Arc::clone(solver));
        for literal in &self.configuration.predicate {
            context.assume(arena, *literal);
        }
        Herd {
            configuration: self.configuration.clone(),
            context,
            tags: self.tags.clone(),
            history: self.history.clone(),
            candidates: Arc::default(),
            kept_indices: self.kept_indices.clone(),
            different: Vec::new(),
            drawn: BTreeMap::new(),
            draws: BTreeMap::new(),
            repeated: BTreeMap::new(),
            trail: None,
            known: Arc::default(),
        }
    }
}
