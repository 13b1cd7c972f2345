//! A herd that comes to a loop head, with its heaps folded.

use super::{
    basis::{Basis, Direction},
    stores::LastStores,
};
use crate::state::{
    folding::{self, folded::Folding, states::States},
    herd::Herd,
    template::stores,
};
use goatherd_certificates::configuration::{Member, ObjectState};
use goatherd_checker::{rejection::Rejection, term::Arena};

/// A herd that is to be covered by a template, and what of it a template lists.
#[derive(Clone)]
pub struct Arrival {
    /// The herd.
    pub herd: Herd,
    /// Its members, folded.
    pub(crate) folding: Folding,
    /// Per array that is no table, which of its last stores a template writes as such.
    pub(crate) stores: Vec<LastStores>,
}

impl Arrival {
    /// Folds the herd.
    pub fn new(arena: &mut Arena, basis: Basis<'_>, mut herd: Herd) -> Result<Self, Rejection> {
        let folding = folding::fold(arena, basis, &mut herd)?;
        let stores =
            if basis.direction == Direction::Down { stores::last_stores(arena, basis, &mut herd, &folding.members)? } else { Vec::new() };
        Ok(Self { herd, folding, stores })
    }

    /// What else a proof must list so that a template can cover the herd.
    pub const fn new_states(&self) -> Option<&States> {
        self.folding.states.as_ref()
    }

    /// How many registers, cells and folded parts a template lists.
    pub fn size(&self) -> usize {
        let cells = |member: &Member| member.objects.iter().flat_map(|state| &state.fields).map(|field| field.cells.len()).sum::<usize>();
        self.folding.members.iter().map(|member| member.registers.len() + cells(member) + member.folded.len()).sum()
    }

    /// The objects of the primary that a template lists.
    pub(crate) fn objects(&self) -> &[ObjectState] {
        self.folding.members.first().map_or(&[], |member| member.objects.as_slice())
    }
}
