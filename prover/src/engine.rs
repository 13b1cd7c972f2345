//! Which engine searches for a proof (`spec/search.md#engines`). Both make proofs of one calculus, with the same templates.

use goatherd_descent::{Drops, Strategy};
use std::fmt;

/// A way to argue that no execution fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// An execution that fails has a smaller one that fails too: templates of several members (Shrinker).
    Descent,
    /// What is reached is described, and does not fail: templates of the primary alone, whose heaps are trees and segments of finitely many sorts.
    Trees,
}

impl Engine {
    /// The one to which a way to search belongs.
    pub fn of(strategy: Strategy) -> Self {
        if strategy.drops == Drops::None { Self::Trees } else { Self::Descent }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Descent => "descent",
            Self::Trees => "trees",
        })
    }
}

/// Which engines are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engines {
    /// Both, in the order in which their ways to search are promising.
    #[default]
    Auto,
    /// This one.
    Only(Engine),
}

impl Engines {
    /// Is this way to search used?
    pub fn include(self, strategy: Strategy) -> bool {
        match self {
            Self::Auto => true,
            Self::Only(engine) => Engine::of(strategy) == engine,
        }
    }
}
