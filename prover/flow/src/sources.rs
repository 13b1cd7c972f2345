//! Where what a register holds comes from, straight on.

use crate::instruction::written;
use goatherd_certificates::program::{Instruction, Location, Operand, Program, RegisterId};
use std::collections::BTreeMap;

/// So many instructions are looked at.
const BEFORE: usize = 8;

/// What has written the register before the location, straight on, and where; copies lead on to what they are of.
pub(crate) fn source<'p>(
    program: &'p Program,
    before: &BTreeMap<Location, Vec<Location>>,
    (location, mut register): (Location, RegisterId),
) -> Option<(Location, &'p Instruction)> {
    let mut at = location;
    for _ in 0..BEFORE {
        let [earlier] = before.get(&at).map_or(&[][..], Vec::as_slice) else { return None };
        at = *earlier;
        let instruction = &program.instructions[at.index()];
        match instruction {
            Instruction::Assign { target, value: Operand::Register(source) } | Instruction::Copy { target, source }
                if *target == register =>
            {
                register = *source;
            }
            _ if written(instruction) == Some(register) => return Some((at, instruction)),
            _ => {}
        }
    }
    None
}
