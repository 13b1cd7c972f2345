//! The parameters of the strategy (red-black graphs 5.2.2, 6.2.2 and 6.2.4).

/// How the algorithm is driven. In the order of the thesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// *restart*: is a final location that only an abstraction made reachable taken back?
    pub restart: Restart,
    /// *dp*: may a vertex be subsumed by one on a different path?
    pub different_paths: DifferentPaths,
    /// *mrl*: red paths end at this length; 0 for no limit.
    pub maximal_red_length: usize,
    /// *la*: how alike the near futures of subsumee and subsumer are.
    pub look_ahead: LookAhead,
    /// How a configuration is made to subsume another.
    pub abstraction: AbstractionMethod,
    /// Red vertices from which on no more are built: what is left goes on in the black part.
    pub vertices: usize,
    /// Refinements after which there are no more.
    pub refinements: usize,
    /// Work after which no more is built, either: a conjunction of few differences is one unit, others are more.
    pub work: usize,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            restart: Restart::Enabled,
            different_paths: DifferentPaths::No,
            maximal_red_length: 0,
            look_ahead: LookAhead::Length(2),
            abstraction: AbstractionMethod::ConstraintRemoval,
            vertices: 2000,
            refinements: 500,
            work: 1_000_000,
        }
    }
}

/// Counterexample-guided refinement (red-black graphs 5.3.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restart {
    /// Faulty abstractions are undone, and the analysis starts again there.
    Enabled,
    /// Abstractions stay.
    Disabled,
}

/// Subsumption between different paths (red-black graphs 6.2.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DifferentPaths {
    /// Only by a vertex on the same path.
    No,
    /// By any vertex, which is abstracted where need be.
    Forced,
    /// By any vertex; only those on the same path are abstracted.
    Natural,
    /// As [`Self::No`]; isomorphic parts of the graph are merged afterwards.
    Isomorphic,
}

/// Which paths from two vertices must be the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LookAhead {
    /// Those of at most so many edges (red-black graphs 5.3.5).
    Length(usize),
    /// Those that come to each loop header at most so many times (red-black graphs 6.2.2).
    LoopVisits(usize),
}

/// How a configuration is abstracted (red-black graphs 5.3.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbstractionMethod {
    /// The constraints of the path predicate are removed, first to last.
    ConstraintRemoval,
    /// Variables are given new symbols, one after the other.
    StoreUpdate,
}
