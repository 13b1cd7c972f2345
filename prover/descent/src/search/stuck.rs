//! Why a search gives up.

use super::lesson::Lesson;
use goatherd_certificates::program::Location;
use goatherd_checker::rejection::Rejection;

/// Why the search gave up.
#[derive(Clone, Debug)]
pub enum Stuck {
    /// The budget of steps is spent.
    Budget,
    /// The kernel does not handle an instruction.
    Rejected(Location, Rejection),
    /// The primary may fail here, and no scapegoat with it.
    Failure(Box<Failing>),
    /// A template does not converge.
    NoConvergence(Location),
    /// All is derived, but for one of its obligations no refutation was found.
    Unshown,
    /// Nodes were found that no sort has yet; so many steps are left. A whole search never ends so.
    Unlisted(u64),
    /// The template that is explored was widened meanwhile: what is left would be in vain. A whole search never ends so.
    Outdated,
}

/// A herd whose primary may fail.
#[derive(Clone, Debug)]
pub struct Failing {
    /// The instruction that may fail.
    pub location: Location,
    /// Where the scapegoats are stuck, with which element each leaves out.
    pub scapegoats: Vec<(usize, Option<Location>)>,
    /// The loop heads passed.
    pub path: Vec<Location>,
    /// The herd in words, a line per fact.
    pub herd: Vec<String>,
    /// What it says.
    pub lesson: Lesson,
    /// How many steps are left.
    pub steps_left: u64,
}
