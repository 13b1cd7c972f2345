//! Which folded part of a heap is in the way of an instruction (`spec/calculus.md#unfold`).

use crate::instruction::read;
use goatherd_certificates::{
    configuration::{Slot, TreeId},
    derivation::SegmentEnd,
};
use goatherd_checker::configuration::{Member, Place, Setting};

/// A symbol, and at which end it is opened.
pub type Opening = (TreeId, SegmentEnd);

/// What has to be unfolded for the member to take its next step, if one of the registers that it reads points into a folded part.
pub fn opening(setting: Setting<'_>, member: &Member) -> Option<Opening> {
    let Place::At(location) = member.place else { return None };
    let registers = read(setting.program.instructions.get(location.index())?);
    registers.into_iter().find_map(|register| {
        let (id, end) = match member.register(register).ok()? {
            Slot::Folded(id) => (id, SegmentEnd::Top),
            Slot::Last(id) => (id, SegmentEnd::Bottom),
            _ => return None,
        };
        Some((member.folded(id).ok()?.tree, end))
    })
}
