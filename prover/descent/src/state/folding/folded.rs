//! A herd with everything folded that can be.

use crate::state::folding::states::States;
use goatherd_certificates::{
    configuration::{Member, TreeSort},
    program::ObjectId,
};

/// Nodes of a member, each with the primary's that holds the same, if there is one.
pub type Counterparts = Vec<(ObjectId, Option<ObjectId>)>;

/// A herd with everything folded that can be, in its own terms.
#[derive(Clone, Debug)]
pub struct Folding {
    /// The members as a template lists them: live registers, and what they reach, objects named in the order in which they are reached.
    pub members: Vec<Member>,
    /// The symbols.
    pub trees: Vec<TreeSort>,
    /// By symbol, the way to its hole.
    pub paths: Vec<Vec<u32>>,
    /// By symbol, the shapes of its nodes whose sorts have several, in the order in which they are read.
    pub shapes: Vec<Vec<u32>>,
    /// Per member and object, the herd's.
    pub objects: Vec<Vec<ObjectId>>,
    /// Per member, the nodes that are told from others by what they hold, each with the primary's that holds the same.
    pub counterparts: Vec<Counterparts>,
    /// What else a proof must list so that the herd can be folded like this.
    pub states: Option<States>,
}
