//! Programs of which some instructions are replaced by several.

use super::emit::clean::locations;
use goatherd_certificates::program::{Instruction, Location, Program};

/// A program whose instructions come from these places of the source.
pub(crate) type Placed = (Program, Vec<usize>);

/// What stands for one instruction.
pub(crate) enum Group {
    /// The instruction, with the locations that it had.
    Own(Instruction),
    /// Several, whose locations are numbered from the first of them up to what comes behind the last one; those beyond stay what they are.
    Several(Vec<Instruction>),
}

impl Group {
    const fn len(&self) -> usize {
        match self {
            Self::Own(_) => 1,
            Self::Several(instructions) => instructions.len(),
        }
    }
}

/// Replaces the instructions of a program.
pub(crate) fn replace((mut program, offsets): Placed, groups: Vec<Group>) -> Placed {
    let mut starts = Vec::with_capacity(groups.len());
    let mut length: u32 = 0;
    for group in &groups {
        starts.push(length);
        length = length.saturating_add(u32::try_from(group.len()).unwrap_or(u32::MAX));
    }
    let moved = |location: Location| Location(starts.get(location.index()).copied().unwrap_or(u32::MAX));
    program.assertions.iter_mut().for_each(|location| *location = moved(*location));
    program.instructions.clear();
    let mut placed = Vec::new();
    for ((group, offset), first) in groups.into_iter().zip(offsets).zip(&starts) {
        placed.extend(std::iter::repeat_n(offset, group.len()));
        match group {
            Group::Own(mut instruction) => {
                for location in locations(&mut instruction) {
                    *location = moved(*location);
                }
                program.instructions.push(instruction);
            }
            Group::Several(mut instructions) => {
                let inside = instructions.len();
                let own = instructions.iter_mut().flat_map(locations).filter(|location| location.index() <= inside);
                own.for_each(|location| location.0 = location.0.saturating_add(*first));
                program.instructions.append(&mut instructions);
            }
        }
    }
    (program, placed)
}
