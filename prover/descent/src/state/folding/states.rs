//! States of a tree automaton that a search finds as it goes: sorts whose shapes are those of the nodes that it has folded
//! (`spec/search.md#states`).
//!
//! Which nodes are cells of one sort is decided beforehand, by what merges them; what hangs below such a node is not, but every new shape is
//! added. There are finitely many sorts, and each has finitely many shapes.

use super::{
    bounds::{NodeBounds, NodeIntegers, hull, is_integer},
    predicates::{Known, PredicateId, Predicates},
    sorts::entered,
};
use goatherd_certificates::{
    configuration::{Root, Sort},
    program::{Branch, Condition, Instruction, IntegerType, Link, ObjectId, Operand, Origin, Program, SortId},
};
use goatherd_checker::arithmetic::range;
use goatherd_flow::Flow;
use std::collections::{BTreeMap, BTreeSet};

/// Which nodes are cells of one sort.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Merging {
    /// Those of a declaration in which the same field leads up, and the same ones down; other sorts hang in few places only.
    Links,
    /// Those of a declaration in which the same fields lead up, whatever hangs below: ways to something that is kept, and trees.
    Shapes,
    /// The same, but no tree is empty, and ways to something that is kept are of the sorts of trees: what a way down has passed is a tree again where
    /// nothing is kept of it.
    Trees,
    /// As by shapes, and trees that are not NULL where nodes of another declaration point to them, as entries of a stack do.
    Present,
    /// As with trees that are not NULL; also told apart are which fields nobody knows and, in nodes that point to others of other types, what
    /// the program compares with. Any pointer leads down, and a node may hand what it holds to those below it: frames of calls, and what these
    /// have come to.
    Handed,
    /// As by shapes, and trees whose roots hold integers between the same of the constants that the program compares with. No tree is empty.
    Values,
    /// Not by what the roots of trees hold, but by all that such a tree holds.
    Sets,
    /// By what roots hold, and also ways of nodes that hold such integers.
    Ways,
    /// By which predicates they may satisfy, trees and ways: those that were learnt from failures that no execution has.
    Predicates,
}

/// What the cells of a sort have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Their declaration.
    pub object: ObjectId,
    /// Where they are.
    pub place: Place,
    /// Which fields lead up.
    pub ups: Vec<usize>,
    /// Which one holds what that of the cell above does, if one does.
    pub same: Option<usize>,
    /// Of which ones nothing is known.
    pub unknown: Vec<usize>,
    /// Which ones hold no value yet.
    pub unset: Vec<usize>,
    /// What the integers of each field are, where nodes are told apart by that.
    pub values: Vec<BTreeSet<Value>>,
    /// Which predicates they may satisfy.
    pub satisfied: BTreeSet<PredicateId>,
}

impl State {
    /// Trees that are as the declaration says.
    fn declared(object: ObjectId) -> Self {
        let (ups, unknown, unset, values, satisfied) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), BTreeSet::new());
        Self { object, place: Place::Tree, ups, same: None, unknown, unset, values, satisfied }
    }

    /// Cells of a ring that hangs from this field of nodes of this declaration.
    pub fn hung(object: ObjectId, (node, field): (ObjectId, usize)) -> Self {
        Self { place: Place::Hung(node, field), ..Self::declared(object) }
    }

    const fn is_present(&self) -> bool {
        matches!(self.place, Place::Present(_))
    }
}

/// The least integer and the greatest one that are alike; none where all are.
pub type Value = Option<(i128, i128)>;

/// Where a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// On the way to something that is kept.
    Way,
    /// In a tree, all of which is folded.
    Tree,
    /// The root of a tree of this sort, and not NULL.
    Present(SortId),
    /// In a tree, all of which is folded: a node that points to those of another declaration, or right below such a one.
    Held,
    /// The same, of a ring.
    Ring,
    /// In a ring that hangs from this field of nodes of this declaration.
    Hung(ObjectId, usize),
}

/// The sorts so far.
#[derive(Clone, Debug)]
pub struct States {
    /// What merges nodes.
    pub merging: Merging,
    /// How many sorts there are besides: those of the declarations.
    declared: usize,
    /// To which byte of nodes pointers lead, where that is not the first.
    entrances: BTreeMap<ObjectId, u64>,
    /// What the program compares integers with, in ascending order.
    constants: Vec<i128>,
    /// What bounds the integers of nodes, if shapes say it.
    pub(crate) bounds: NodeBounds,
    /// What has been learnt.
    pub predicates: Predicates,
    names: Vec<State>,
    /// What a proof lists.
    pub sorts: Vec<Sort>,
}

/// With so many constants integers are not told apart: they are no marks.
const CONSTANTS: usize = 8;

impl States {
    /// None yet.
    pub fn new(program: &Program, flow: &Flow, merging: Merging, bounds: NodeIntegers) -> Self {
        let has_integers =
            program.objects.iter().any(|object| matches!(&object.origin, Origin::Node { links } if links.contains(&Link::Data)));
        let constants = if matches!(merging, Merging::Shapes | Merging::Trees | Merging::Present) || !has_integers {
            Vec::new()
        } else {
            constants(program)
        };
        // Frames are told apart by what they hold.
        let is_bounded = |links: &[Link]| bounds == NodeIntegers::Kept && !(merging == Merging::Handed && links.contains(&Link::Other));
        Self {
            merging,
            declared: program.objects.len(),
            entrances: flow.entrances.iter().map(|(object, entrance)| (*object, entrance.byte)).collect(),
            constants,
            bounds: NodeBounds::new(program, is_bounded),
            predicates: Predicates::default(),
            names: Vec::new(),
            sorts: Vec::new(),
        }
    }

    /// None yet, but what was learnt from failures.
    #[must_use]
    pub fn refined(program: &Program, flow: &Flow, merging: Merging, bounds: NodeIntegers, predicates: Predicates) -> Self {
        let mut states = Self::new(program, flow, merging, bounds);
        let integers: BTreeSet<i128> = states.constants.iter().chain(&predicates.integers).copied().collect();
        states.constants = if integers.len() > CONSTANTS { states.constants } else { integers.into_iter().collect() };
        states.predicates = predicates;
        states
    }

    /// Are integers told apart?
    pub fn has_values(&self) -> bool {
        !self.constants.is_empty()
    }

    /// Do shapes say what bounds the integers of the declaration's nodes?
    pub fn bound(&self, object: ObjectId) -> bool {
        self.bounds.bind(object)
    }

    /// Is there anything that bounds the integers of nodes, and is said?
    pub fn has_bounds(&self) -> bool {
        !self.bounds.are_none()
    }

    /// What an integer between these is to the nodes of a sort, which their declaration links like this. Where nodes hand on what they hold,
    /// frames alone are told apart, by the place to return to.
    pub fn value(&self, (object, links): (ObjectId, &[Link]), kind: IntegerType, known: (Option<i128>, Option<i128>)) -> Link {
        if self.bound(object) {
            return self.bounds.link(kind, known);
        }
        let (least, greatest) = known;
        let (low, high) = range(kind);
        let (least, greatest) = (least.map_or(low, |least| least.max(low)), greatest.map_or(high, |greatest| greatest.min(high)));
        let is_told_apart = self.merging != Merging::Handed || links.contains(&Link::Other);
        if !self.has_values() || !is_told_apart {
            return Link::Data;
        }
        // What is not one number is no place to return to.
        if self.merging == Merging::Handed && least != greatest {
            return Link::Data;
        }
        let before = self.constants.iter().copied().filter(|constant| *constant <= least).max();
        if before == Some(least) && least == greatest {
            return Link::Range { least, greatest };
        }
        let behind = self.constants.iter().copied().find(|constant| *constant >= least).filter(|constant| *constant <= high);
        match (before, behind) {
            (Some(before), _) if before == least => Link::Data,
            (_, Some(behind)) if behind <= greatest => Link::Data,
            (before, behind) => {
                let least = before.map_or(low, |before| (before + 1).max(low));
                Link::Range { least, greatest: behind.map_or(high, |behind| behind - 1) }
            }
        }
    }

    /// The sort of nodes that have this in common.
    pub fn sort(&mut self, state: State) -> Option<SortId> {
        let position = self.names.iter().position(|other| *other == state).unwrap_or_else(|| {
            let root = match (state.place, self.merging) {
                (Place::Way, _) | (Place::Tree, Merging::Shapes | Merging::Present | Merging::Handed) => Root::Any,
                (Place::Tree | Place::Present(_) | Place::Held | Place::Ring | Place::Hung(..), _) => Root::Node,
            };
            let root = entered(root, self.entrances.get(&state.object).copied().unwrap_or_default());
            self.sorts.push(Sort { object: state.object, root, shapes: Vec::new(), within: None });
            self.names.push(state);
            self.names.len() - 1
        });
        u32::try_from(self.declared + position).ok().map(SortId)
    }

    /// The sort of the trees of a sort that are not NULL: it has its shapes, those of a declaration as that links its nodes.
    pub fn present(&mut self, whole: SortId, object: ObjectId, declared: &[Link]) -> Option<SortId> {
        let place = Place::Present(whole);
        let state = match self.name(whole) {
            Some(state) => State { place, ..state.clone() },
            None => State { place, ..State::declared(object) },
        };
        let sort = self.sort(state)?;
        match self.own(whole) {
            Some(_) => self.follow(whole),
            None => self.set_present(sort, whole, vec![declared.to_vec()]),
        }
        Some(sort)
    }

    /// Of a sort of trees that are not NULL, the one that has NULL as well; nothing if it is not within that.
    pub fn whole(&self, sort: SortId) -> Option<SortId> {
        self.own(sort).and_then(|position| self.sorts.get(position)?.within)
    }

    /// Of which declaration the nodes of the sort are.
    pub fn object(&self, sort: SortId) -> ObjectId {
        self.name(sort).map_or(ObjectId(sort.0), |state| state.object)
    }

    fn own(&self, sort: SortId) -> Option<usize> {
        sort.index().checked_sub(self.declared)
    }

    fn name(&self, sort: SortId) -> Option<&State> {
        self.own(sort).and_then(|position| self.names.get(position))
    }

    /// The trees of the sort that are not NULL have its shapes, if they are a sort too.
    fn follow(&mut self, whole: SortId) {
        let shapes = self.own(whole).and_then(|position| self.sorts.get(position)).map(|sort| sort.shapes.clone());
        let follower = self.names.iter().position(|state| state.place == Place::Present(whole));
        let follower = follower.and_then(|position| u32::try_from(self.declared + position).ok());
        if let (Some(shapes), Some(follower)) = (shapes, follower) {
            self.set_present(SortId(follower), whole, shapes);
        }
    }

    /// Where such trees hang in others of their kind, the links of both sorts are not what the checker asks of one within the other.
    fn set_present(&mut self, sort: SortId, whole: SortId, shapes: Vec<Vec<Link>>) {
        let is_within = |link: &Link| matches!(link, Link::Child(sort) if self.name(*sort).is_some_and(State::is_present));
        let within = (!shapes.iter().flatten().any(is_within)).then_some(whole);
        if let Some(sort) = self.own(sort).and_then(|position| self.sorts.get_mut(position)) {
            (sort.shapes, sort.within) = (shapes, within);
        }
    }

    /// All that trees of the sort hold in this field, among others.
    pub fn add_values(&self, sort: SortId, field: usize, values: &mut BTreeSet<Value>) {
        match self.name(sort).map(|state| state.values.get(field)) {
            None => drop(values.insert(None)),
            Some(Some(found)) => values.extend(found),
            Some(None) => {}
        }
    }

    /// The shape of the sort that nodes with these links have, and its links; where there is NULL there may be a tree that may be empty. A new
    /// one is joined with one that differs only in that, or in bounds of integers.
    pub fn shape(&mut self, sort: SortId, links: &[Link]) -> Option<(u32, Vec<Link>)> {
        let position = self.own(sort)?;
        let may_be_null = |link: &Link| matches!(link, Link::Child(sort) | Link::Handed { sort, .. } if self.may_be_empty(*sort));
        let has_bounds = self.bound(self.object(sort));
        let are_bounded = |known: &Link, link: &Link| has_bounds && is_integer(*known) && is_integer(*link);
        let has_link = |(known, link): (&Link, &Link)| match link {
            Link::Null => known == link || may_be_null(known),
            link => known == link || (are_bounded(known, link) && hull(*known, *link) == *known),
        };
        let is_alike_link = |(known, link): (&Link, &Link)| {
            has_link((known, link)) || (*known == Link::Null && may_be_null(link)) || are_bounded(known, link)
        };
        let shapes = &self.sorts.get(position)?.shapes;
        let has = |known: &Vec<Link>| known.iter().zip(links).all(has_link);
        let is_alike = |known: &Vec<Link>| known.iter().zip(links).all(is_alike_link);
        let known = shapes.iter().position(has).or_else(|| shapes.iter().position(is_alike));
        let shapes = &mut self.sorts.get_mut(position)?.shapes;
        let position = known.unwrap_or_else(|| {
            shapes.push(links.to_vec());
            shapes.len() - 1
        });
        let shape = &mut shapes[position];
        for (known, link) in shape.iter_mut().zip(links) {
            if *known == Link::Null {
                *known = *link;
            } else if has_bounds && is_integer(*known) {
                *known = hull(*known, *link);
            }
        }
        let shape = shape.clone();
        self.follow(sort);
        Some((u32::try_from(position).ok()?, shape))
    }

    /// Has the table of sorts this shape of it?
    pub fn is_listed(&self, sorts: &[Sort], (sort, shape): (SortId, u32), links: &[Link]) -> bool {
        let Some(position) = self.own(sort) else { return true };
        let shapes = sorts.get(position).map_or(&[][..], |sort| &sort.shapes);
        usize::try_from(shape).ok().and_then(|shape| shapes.get(shape)).is_some_and(|shape| shape == links)
    }
}

impl Known for States {
    fn satisfied(&self, sort: SortId) -> Option<&BTreeSet<PredicateId>> {
        self.name(sort).map(|state| &state.satisfied)
    }

    fn may_be_empty(&self, sort: SortId) -> bool {
        let own = self.own(sort).and_then(|position| self.sorts.get(position));
        own.is_none_or(|sort| matches!(sort.root, Root::Any | Root::AnyAt(_)))
    }
}

/// What the program compares integers with.
fn constants(program: &Program) -> Vec<i128> {
    let mut constants = BTreeSet::new();
    for instruction in &program.instructions {
        if let Instruction::Branch(Branch { condition: Condition::Integers { left, right, .. }, .. }) = instruction {
            for operand in [left, right] {
                if let Operand::Constant(constant) = operand {
                    constants.insert(*constant);
                }
            }
        }
    }
    if constants.len() > CONSTANTS { Vec::new() } else { constants.into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(constants: &[i128]) -> States {
        let (merging, constants) = (Merging::Shapes, constants.to_vec());
        States {
            merging,
            declared: 1,
            entrances: BTreeMap::new(),
            constants,
            bounds: NodeBounds::default(),
            predicates: Predicates::default(),
            names: Vec::new(),
            sorts: Vec::new(),
        }
    }

    #[test]
    fn integers_are_told_apart_by_the_constants_between_which_they_are() {
        let states = states(&[0, 2]);
        let value = |least, greatest| states.value((ObjectId(0), &[]), IntegerType::I32, (Some(least), Some(greatest)));
        assert_eq!(value(0, 0), Link::Range { least: 0, greatest: 0 });
        assert_eq!(value(1, 1), Link::Range { least: 1, greatest: 1 });
        assert_eq!(value(5, 9), Link::Range { least: 3, greatest: i128::from(i32::MAX) });
        assert_eq!(value(-9, -1), Link::Range { least: i128::from(i32::MIN), greatest: -1 });
        for (least, greatest) in [(0, 1), (1, 2), (-1, 0), (2, 3), (-5, 5)] {
            assert_eq!(value(least, greatest), Link::Data, "{least} {greatest}");
        }
        assert_eq!(states.value((ObjectId(0), &[]), IntegerType::I32, (None, None)), Link::Data);
    }

    /// A sort's root, shapes and what it is within.
    fn listed(states: &States, sort: SortId) -> (Root, &[Vec<Link>], Option<SortId>) {
        let Sort { root, shapes, within, .. } = &states.sorts[states.own(sort).unwrap()];
        (*root, shapes, *within)
    }

    #[test]
    fn a_tree_that_is_there_is_a_node_and_within_its_declaration() {
        let mut states = States { merging: Merging::Present, ..states(&[]) };
        let declared = [Link::Child(SortId(0))];
        let sort = states.present(SortId(0), ObjectId(0), &declared).unwrap();
        assert_eq!(states.present(SortId(0), ObjectId(0), &declared), Some(sort));
        assert_eq!(listed(&states, sort), (Root::Node, &[declared.to_vec()][..], Some(SortId(0))));
        assert_eq!((states.whole(sort), states.object(sort)), (Some(SortId(0)), ObjectId(0)));
        assert_eq!((states.whole(SortId(0)), states.object(SortId(0))), (None, ObjectId(0)));
    }

    #[test]
    fn a_tree_that_is_there_has_the_shapes_of_those_that_may_be_empty() {
        let mut states = States { merging: Merging::Present, ..states(&[]) };
        let whole = states.sort(State::declared(ObjectId(0))).unwrap();
        states.shape(whole, &[Link::Null]).unwrap();
        let there = states.present(whole, ObjectId(0), &[]).unwrap();
        assert_eq!(listed(&states, there), (Root::Node, &[vec![Link::Null]][..], Some(whole)));
        assert!(!states.may_be_empty(there) && states.may_be_empty(whole));
        // It follows what is found later.
        let child = vec![Link::Child(whole)];
        states.shape(whole, &child).unwrap();
        assert_eq!(listed(&states, there), (Root::Node, &[child.clone()][..], Some(whole)));
        // Where one hangs in another, it is within nothing.
        let next = vec![Link::Child(there)];
        states.shape(whole, &next).unwrap();
        assert_eq!(listed(&states, there), (Root::Node, &[child, next][..], None));
    }

    #[test]
    fn a_shape_with_null_becomes_one_with_a_child() {
        let mut states = states(&[]);
        let state = State::declared(ObjectId(0));
        let sort = states.sort(state.clone()).unwrap();
        assert_eq!(states.sort(state), Some(sort));
        let child = Link::Child(sort);
        assert_eq!(states.shape(sort, &[Link::Null, Link::Null]), Some((0, vec![Link::Null, Link::Null])));
        assert_eq!(states.shape(sort, &[child, Link::Null]), Some((0, vec![child, Link::Null])));
        assert_eq!(states.shape(sort, &[Link::Null, child]), Some((0, vec![child, child])));
        assert_eq!(states.shape(sort, &[Link::Up, child]), Some((1, vec![Link::Up, child])));
        assert!(states.is_listed(&states.sorts, (sort, 0), &[child, child]));
        assert!(!states.is_listed(&states.sorts, (sort, 0), &[child, Link::Null]));
    }

    #[test]
    fn a_shape_that_differs_in_bounds_becomes_one_with_both() {
        let program = goatherd_flow::testing::program(
            "shape-bounds",
            "struct node { int key; struct node *next; }; void test(struct node *list) { if (list && list->key == 2) return; }",
        );
        let mut states = States::new(&program, &Flow::new(&program), Merging::Shapes, NodeIntegers::Kept);
        let object = ObjectId(
            u32::try_from(program.objects.iter().position(|object| matches!(object.origin, Origin::Node { .. })).unwrap()).unwrap(),
        );
        let sort = states.sort(State::declared(object)).unwrap();
        let range = |least, greatest| Link::Range { least, greatest };
        let mut shape = |integer, next| states.shape(sort, &[integer, next]);
        assert_eq!(shape(range(2, 2), Link::Null), Some((0, vec![range(2, 2), Link::Null])));
        assert_eq!(shape(range(1, 1), Link::Null), Some((0, vec![range(1, 2), Link::Null])));
        assert_eq!(shape(range(2, 2), Link::Null), Some((0, vec![range(1, 2), Link::Null])));
        assert_eq!(shape(Link::Data, Link::Up), Some((1, vec![Link::Data, Link::Up])));
        assert_eq!(shape(Link::Data, Link::Child(sort)), Some((0, vec![Link::Data, Link::Child(sort)])));
    }
}
