//! Where the templates of a search have come from.

use crate::state::{herd::Herd, trail::Source};
use std::collections::BTreeMap;

/// Where the templates of a search, and their versions, have come from.
#[derive(Default)]
pub struct Origins {
    pub(crate) roots: Vec<Herd>,
    pub(crate) templates: BTreeMap<Source, Origin>,
}

/// Where a version of a template has come from.
pub(crate) struct Origin {
    /// The herd that it was widened for, before it was folded.
    pub(crate) arrival: Herd,
    /// The template as a herd.
    pub(crate) template: Herd,
}
