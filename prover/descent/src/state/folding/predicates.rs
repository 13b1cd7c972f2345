//! Predicates on trees: what a node holds and what hangs below it, down to some depth. They are learnt from failures that no execution has
//! (`spec/search.md#refinement`).

use goatherd_certificates::program::{Link, ObjectId, SortId};
use std::collections::BTreeSet;

/// A predicate's position among those that have been learnt.
pub type PredicateId = usize;

/// What is asked of a field of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    /// Nothing.
    Anything,
    /// It holds an integer between these, or one of them.
    Integer(i128, i128),
    /// It holds NULL.
    Null,
    /// A tree hangs there whose root satisfies this.
    Child(PredicateId),
}

/// What a node of this declaration is asked, one test per field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// The declaration.
    pub object: ObjectId,
    /// By field.
    pub tests: Vec<Test>,
}

/// What has been learnt.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Predicates {
    /// The predicates: each comes behind those that it asks of children.
    all: Vec<Predicate>,
    /// Integers from which others are told apart, beside those that the program compares with.
    pub integers: BTreeSet<i128>,
}

/// What is known of trees that have been looked at before.
pub trait Known {
    /// The predicates that the roots of trees of the sort may satisfy; none for all.
    fn satisfied(&self, sort: SortId) -> Option<&BTreeSet<PredicateId>>;
    /// May trees of the sort be empty?
    fn may_be_empty(&self, sort: SortId) -> bool;
}

impl Predicates {
    /// The predicate's position; a new one is added.
    pub fn number(&mut self, predicate: Predicate) -> PredicateId {
        self.all.iter().position(|other| *other == predicate).unwrap_or_else(|| {
            self.all.push(predicate);
            self.all.len() - 1
        })
    }

    /// What was learnt since these, in words: by field what a node holds, `_` where it is not asked.
    pub fn words_since(&self, earlier: &Self) -> Vec<String> {
        let integers = self.integers.difference(&earlier.integers).map(ToString::to_string);
        (earlier.all.len()..self.all.len()).map(|number| self.words(number)).chain(integers).collect()
    }

    fn words(&self, number: PredicateId) -> String {
        let test = |test: &Test| match *test {
            Test::Anything => "_".to_owned(),
            Test::Integer(least, greatest) if least == greatest => least.to_string(),
            Test::Integer(least, greatest) => format!("{least} to {greatest}"),
            Test::Null => "NULL".to_owned(),
            Test::Child(below) => self.words(below),
        };
        let tests = self.all.get(number).map_or(&[][..], |predicate| &predicate.tests);
        format!("{{ {} }}", tests.iter().map(test).collect::<Vec<_>>().join(", "))
    }

    /// Those that a node may satisfy whose fields are these; one that leads on to what is kept, none here, may hold anything.
    pub fn satisfied(&self, object: ObjectId, found: &[Option<Link>], known: &impl Known) -> BTreeSet<PredicateId> {
        let passes = |(test, link): (&Test, &Option<Link>)| match (*test, *link) {
            (Test::Anything, _) | (_, None) => true,
            (Test::Integer(least, greatest), Some(Link::Range { least: low, greatest: high })) => low <= greatest && least <= high,
            (Test::Integer(..), link) => link == Some(Link::Data),
            (Test::Null, Some(Link::Child(sort))) => known.may_be_empty(sort),
            (Test::Null, link) => link == Some(Link::Null),
            (Test::Child(below), Some(Link::Child(sort))) => known.satisfied(sort).is_none_or(|satisfied| satisfied.contains(&below)),
            (Test::Child(_), Some(_)) => false,
        };
        let may_satisfy = |predicate: &Predicate| predicate.object == object && predicate.tests.iter().zip(found).all(passes);
        (0..).zip(&self.all).filter(|(_, predicate)| may_satisfy(predicate)).map(|(number, _)| number).collect()
    }

    /// Does a node of the declaration, of which nothing is known, satisfy the same as one that may satisfy these?
    pub fn tell_nothing(&self, object: ObjectId, satisfied: &BTreeSet<PredicateId>) -> bool {
        (0..).zip(&self.all).all(|(number, predicate)| predicate.object != object || satisfied.contains(&number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of sort 1 only this is known.
    struct Single(BTreeSet<PredicateId>);

    impl Known for Single {
        fn satisfied(&self, sort: SortId) -> Option<&BTreeSet<PredicateId>> {
            (sort == SortId(1)).then_some(&self.0)
        }

        fn may_be_empty(&self, sort: SortId) -> bool {
            sort != SortId(1)
        }
    }

    const NODE: ObjectId = ObjectId(0);

    #[test]
    fn nodes_are_told_apart_by_what_hangs_below_them() {
        let mut predicates = Predicates::default();
        let mut learn = |tests: [Test; 2]| predicates.number(Predicate { object: NODE, tests: tests.to_vec() });
        let one = learn([Test::Integer(1, 1), Test::Anything]);
        let two = learn([Test::Integer(2, 2), Test::Child(one)]);
        let last = learn([Test::Anything, Test::Null]);
        assert_eq!(learn([Test::Integer(1, 1), Test::Anything]), one);
        let known = Single(BTreeSet::from([one]));
        let satisfied = |value: Link, below: Option<Link>| predicates.satisfied(NODE, &[Some(value), below], &known);
        let exactly = |value: i128| Link::Range { least: value, greatest: value };
        let (told, any) = (Some(Link::Child(SortId(1))), Some(Link::Child(SortId(0))));
        assert_eq!(satisfied(exactly(1), told), BTreeSet::from([one]));
        assert_eq!(satisfied(exactly(2), told), BTreeSet::from([two]));
        assert_eq!(satisfied(exactly(2), Some(Link::Null)), BTreeSet::from([last]));
        assert_eq!(satisfied(exactly(2), any), BTreeSet::from([two, last]));
        assert_eq!(satisfied(exactly(2), None), BTreeSet::from([two, last]));
        assert_eq!(satisfied(Link::Data, any), BTreeSet::from([one, two, last]));
        assert!(predicates.tell_nothing(NODE, &satisfied(Link::Data, any)));
        assert!(!predicates.tell_nothing(NODE, &satisfied(Link::Data, told)));
        assert_eq!(predicates.words_since(&Predicates::default())[two], "{ 2, { 1, _ } }");
    }
}
