//! The choices that strategies are made of, by name: `drops=walked`, `keys=heads`, `k=2`.
//!
//! A strategy is a point in a table, and is told by what differs from the plain one. With names for that, some can be tried alone, or left out, and
//! what each is worth can be measured.

use super::strategy::{Cells, Drops, Integers, Joins, Meeting, Strategy};
use crate::state::{
    folding::{bounds::NodeIntegers, folds::Folds, states::Merging},
    template::{basis::Direction, key::Keys},
};
use goatherd_certificates::derivation::Lengths;
use std::{fmt, str::FromStr};

/// One choice: a dimension, and what is chosen there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Facet {
    dimension: &'static str,
    name: &'static str,
    /// What a report says; nothing of what is plain.
    words: &'static str,
}

/// Choices of one dimension, each with its name and the words for it.
type Choices<T, const N: usize> = [(T, &'static str, &'static str); N];

/// Up to the greatest stride of unrolled loops.
const K: Choices<u32, 4> = [(1, "1", "k = 1"), (2, "2", "k = 2"), (3, "3", "k = 3"), (4, "4", "k = 4")];
const CELLS: Choices<Cells, 2> = [(Cells::First, "first", ""), (Cells::Small, "small", "small arrays taken apart")];
const LENGTHS: Choices<Lengths, 2> = [(Lengths::Classes, "classes", ""), (Lengths::Open, "open", "lengths open")];
const INTEGERS: Choices<Integers, 2> = [(Integers::Kept, "kept", ""), (Integers::Decremented, "decremented", "integers decremented")];
const DROPS: Choices<Drops, 16> = [
    (Drops::First, "first", ""),
    (Drops::Walked, "walked", "arrays dropped as walked"),
    (Drops::None, "none", "no scapegoats"),
    (Drops::Joint, "joint", "inputs dropped jointly"),
    (Drops::Apart, "apart", "arrays dropped apart"),
    (Drops::Outer, "outer", "outer arrays dropped"),
    (Drops::FirstOrLast, "first-or-last", "last elements dropped"),
    (Drops::Ends, "ends", "ends dropped"),
    (Drops::Together, "together", "elements dropped together"),
    (Drops::Blocks, "blocks", "blocks dropped as walked"),
    (Drops::Passed, "passed", "passed nodes dropped"),
    (Drops::Recent, "recent", "the node just passed dropped"),
    (Drops::Spare, "spare", "a node that only loops look at dropped"),
    (Drops::Rounds, "rounds", "rounds left out"),
    (Drops::Shifted, "shifted", "rounds left out and buffers shifted"),
    (Drops::LastRounds, "last-rounds", "last rounds left out"),
];
const KEYS: Choices<Keys, 11> = [
    (Keys::Paths, "paths", ""),
    (Keys::Heads, "heads", "keys by heads"),
    (Keys::Differences, "differences", "keys by differences"),
    (Keys::Terminators, "terminators", "keys by terminators"),
    (Keys::Witnesses, "witnesses", "witnesses kept"),
    (Keys::Elements, "elements", "keys by elements"),
    (Keys::Branches, "branches", "keys by branches"),
    (Keys::Positions, "positions", "keys by positions"),
    (Keys::Modes, "modes", "keys by modes"),
    (Keys::Focus, "focus", "keys by sides of an element"),
    (Keys::Partners, "partners", "keys by sides of an element and its partners"),
];
const DIRECTION: Choices<Direction, 2> = [(Direction::Up, "up", ""), (Direction::Down, "down", "loops down")];
const MEETING: Choices<Meeting, 2> = [(Meeting::Earliest, "earliest", ""), (Meeting::Latest, "latest", "late meetings")];
const FOLDS: Choices<Folds, 6> = [
    (Folds::Whole, "whole", ""),
    (Folds::Blocks, "blocks", "chains cut into blocks"),
    (Folds::Segments, "segments", "chains folded as segments"),
    (Folds::Near, "near", "nodes below what is left out kept"),
    (Folds::Empty, "empty", "NULL folded as a tree"),
    (Folds::Uniform, "uniform", "uniform shapes"),
];
const MERGING: Choices<Merging, 9> = [
    (Merging::Links, "links", ""),
    (Merging::Shapes, "shapes", "states by shapes"),
    (Merging::Trees, "trees", "states by shapes of trees"),
    (Merging::Handed, "handed", "states by shapes and what nodes hand on"),
    (Merging::Present, "present", "states by shapes and NULL"),
    (Merging::Values, "values", "states by values"),
    (Merging::Sets, "sets", "states by sets of values"),
    (Merging::Ways, "ways", "ways by values"),
    (Merging::Predicates, "predicates", "states by predicates"),
];
const BOUNDS: Choices<NodeIntegers, 2> = [(NodeIntegers::Forgotten, "forgotten", ""), (NodeIntegers::Kept, "kept", "bounds of nodes kept")];
const JOINS: Choices<Joins, 3> = [
    (Joins::Heads, "heads", ""),
    (Joins::Forks, "forks", "ways joined behind forks"),
    (Joins::Never, "never", "every way followed to its end"),
];

fn facets<T, const N: usize>(dimension: &'static str, choices: &Choices<T, N>) -> impl Iterator<Item = Facet> {
    choices.iter().map(move |(_, name, words)| Facet { dimension, name, words })
}

/// What is chosen; nothing where the choice has no name.
fn facet<T: PartialEq, const N: usize>(dimension: &'static str, choices: &Choices<T, N>, chosen: &T) -> Option<Facet> {
    choices.iter().find(|(choice, ..)| choice == chosen).map(|(_, name, words)| Facet { dimension, name, words })
}

impl Facet {
    /// All there are.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let first = facets("k", &K).chain(facets("cells", &CELLS)).chain(facets("lengths", &LENGTHS)).chain(facets("integers", &INTEGERS));
        let second = facets("drops", &DROPS).chain(facets("keys", &KEYS)).chain(facets("direction", &DIRECTION));
        let third = facets("meeting", &MEETING).chain(facets("folds", &FOLDS)).chain(facets("merging", &MERGING));
        first.chain(second).chain(third).chain(facets("bounds", &BOUNDS)).chain(facets("joins", &JOINS)).collect()
    }

    /// Is it what is chosen where nothing speaks for something else?
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.words.is_empty()
    }
}

impl Strategy {
    /// The choices that it is made of, one in each dimension.
    #[must_use]
    pub fn facets(&self) -> Vec<Facet> {
        let Self { k, cells, lengths, integers, drops, keys, direction, meeting, folds, merging, bounds, joins } = *self;
        let chosen = [
            facet("k", &K, &k),
            facet("cells", &CELLS, &cells),
            facet("lengths", &LENGTHS, &lengths),
            facet("integers", &INTEGERS, &integers),
            facet("drops", &DROPS, &drops),
            facet("keys", &KEYS, &keys),
            facet("direction", &DIRECTION, &direction),
            facet("meeting", &MEETING, &meeting),
            facet("folds", &FOLDS, &folds),
            facet("merging", &MERGING, &merging),
            facet("bounds", &BOUNDS, &bounds),
            facet("joins", &JOINS, &joins),
        ];
        chosen.into_iter().flatten().collect()
    }
}

impl fmt::Display for Strategy {
    /// k, and what differs from the plain way to search.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.facets().into_iter().map(|facet| facet.words).filter(|words| !words.is_empty()).collect();
        formatter.write_str(&words.join(", "))
    }
}

impl fmt::Display for Facet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}={}", self.dimension, self.name)
    }
}

impl FromStr for Facet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::all().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        Self::all().into_iter().find(|facet| facet.to_string() == text).ok_or_else(|| format!("there are {}", names()))
    }
}

/// Which ways to search are tried.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// Those that have all of these.
    pub only: Vec<Facet>,
    /// None of those that have one of these.
    pub without: Vec<Facet>,
}

impl Selection {
    /// Is this one tried?
    #[must_use]
    pub fn includes(&self, strategy: Strategy) -> bool {
        let facets = strategy.facets();
        self.only.iter().all(|facet| facets.contains(facet)) && !self.without.iter().any(|facet| facets.contains(facet))
    }
}

#[cfg(test)]
mod tests {
    use super::{Facet, Selection};
    use crate::{
        state::template::key::Keys,
        ways::strategy::{Integers, Strategy},
    };

    #[test]
    fn a_strategy_is_shown_by_what_differs_from_the_plain_one() {
        let plain = Strategy::plain(1);
        assert_eq!(plain.to_string(), "k = 1");
        let other = Strategy { k: 2, integers: Integers::Decremented, keys: Keys::Branches, ..plain };
        assert_eq!(other.to_string(), "k = 2, integers decremented, keys by branches");
    }

    #[test]
    fn every_facet_has_a_name_that_is_read_back() {
        let all = Facet::all();
        for facet in &all {
            assert_eq!(facet.to_string().parse(), Ok(*facet));
        }
        assert_eq!(all.iter().map(ToString::to_string).collect::<std::collections::BTreeSet<_>>().len(), all.len());
        assert!("drops=everything".parse::<Facet>().is_err());
    }

    #[test]
    fn a_selection_asks_for_all_of_these_and_none_of_those() {
        let read = |names: &[&str]| -> Vec<Facet> { names.iter().filter_map(|name| name.parse().ok()).collect() };
        let (plain, second) = (Strategy::plain(1), Strategy { keys: Keys::Branches, ..Strategy::plain(2) });
        let only = Selection { only: read(&["k=2", "keys=branches"]), without: Vec::new() };
        assert_eq!([plain, second].map(|strategy| only.includes(strategy)), [false, true]);
        let without = Selection { only: Vec::new(), without: read(&["keys=branches", "drops=spare"]) };
        assert_eq!([plain, second].map(|strategy| without.includes(strategy)), [true, false]);
        assert!(Selection::default().includes(plain));
    }
}
