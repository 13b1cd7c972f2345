//! Unfolding: which folded part of a heap is in the way, and the herds in which it is not (`spec/calculus.md#unfold`, `spec/search.md#linked-heaps`).

use super::{
    derivation::{Derivation, End},
    path::Path,
    state::Search,
    stuck::Stuck,
};
use crate::state::{folding::states::Merging, herd::Herd};
use goatherd_certificates::{
    configuration::{Address, Slot},
    derivation::{MemberId, SegmentEnd},
    program::{Location, RegisterId},
};
use goatherd_checker::unfold::unfold;
use goatherd_flow::opening::{Opening, opening};
use std::iter;

impl Search<'_> {
    /// What has to be unfolded for the member to take its next step, if one of the registers that it reads points into a folded part.
    pub(crate) fn opening(&self, herd: &Herd, member: MemberId) -> Option<Opening> {
        opening(self.setting, herd.configuration.members.get(member.index())?)
    }

    /// What is still folded of a linked input less than k nodes away from it.
    pub(crate) fn folded_input(&self, herd: &Herd) -> Option<Opening> {
        let entry = herd.configuration.entry.as_deref()?;
        let slots = self.setting.program.inputs.iter().flat_map(|input| self.first_slots(entry, input));
        slots.into_iter().find_map(|slot| {
            let Slot::Folded(id) = slot else { return None };
            let folded = (*entry.folded.get(id.index())?)?;
            Some((folded.tree, SegmentEnd::Top))
        })
    }

    /// What is handed to a part that registers lead to at a loop's head, if that is folded: no template says it of parts, and whatever leads to it in there
    /// would be forgotten. So it is of the node at which a call has waited, when its frame is gone and nothing has looked at the node since.
    pub(crate) fn handed(&self, herd: &Herd, head: Location) -> Option<Opening> {
        let [member] = &herd.configuration.members[..] else { return None };
        if self.strategy.merging != Merging::Handed {
            return None;
        }
        let live = (0..).map(RegisterId).zip(&member.registers).filter(|(register, _)| self.flow.is_live(head, *register));
        let around = |slot: Slot| {
            let object = if let Slot::Pointer(Address { object, .. }) = slot { member.object(object) } else { None };
            let cells = object.into_iter().flat_map(|state| &state.fields).flat_map(|field| &field.cells).copied();
            iter::once(slot).chain(cells)
        };
        live.flat_map(|(_, slot)| around(*slot)).find_map(|slot| {
            let Slot::Folded(part) = slot else { return None };
            let Slot::Folded(handed) = member.folded(part).ok()?.same else { return None };
            Some((member.folded(handed).ok()?.tree, SegmentEnd::Top))
        })
    }

    /// The herds in which the symbol is unfolded.
    pub(crate) fn unfolded(&mut self, herd: &Herd, (tree, end): Opening) -> Result<Vec<Herd>, Stuck> {
        let children = unfold(self.arena, self.setting, &herd.configuration, tree, end).map_err(|rejection| self.rejected(rejection))?;
        let mut herds: Vec<Herd> = children.into_iter().map(|configuration| herd.unfolded(self.arena, configuration)).collect();
        for (case, child) in herds.iter_mut().enumerate() {
            if let Some(trail) = &mut child.trail {
                trail.open(tree, case, herd.configuration.trees.len());
            }
        }
        Ok(herds)
    }

    /// Unfolds the symbol and explores all herds that there are then.
    pub(crate) fn explore_unfolded(&mut self, herd: &Herd, opening: Opening, path: &Path<'_>, is_start: bool) -> Result<End, Stuck> {
        let last = self.last;
        let mut children: Vec<Derivation> = Vec::new();
        for child in self.unfolded(herd, opening)? {
            self.last = last;
            children.push(self.explore(child, path.clone(), is_start)?);
        }
        let (tree, end) = opening;
        Ok(End::Unfold(tree, end, children))
    }
}
