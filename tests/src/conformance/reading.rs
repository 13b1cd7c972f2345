//! What the kernel says that an instruction reads, writes and leads to (`checker/src/flow.rs`), against what the step function does.

use goatherd_certificates::{
    configuration::Slot,
    derivation::MemberId,
    program::{Instruction, Location, RegisterId},
};
use goatherd_checker::{
    configuration::{Configuration, Place, Setting},
    flow::successors,
    outcome::Outcome,
    step,
    term::Arena,
};
use goatherd_flow::instruction::{read, written};

/// A register that is not read may hold anything; one that is written, and not read, holds the same whatever it held; one that is not written keeps what
/// it holds; execution goes on at a successor.
pub(super) fn follows_the_tables(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &Configuration,
    (instruction, location): (&Instruction, Location),
    all: &[Outcome],
) -> Result<(), String> {
    let member = &configuration.members[0];
    for register in (0..).map(RegisterId).take(member.registers.len()) {
        if read(instruction).contains(&register) {
            continue;
        }
        let mut other = member.clone();
        other.registers[register.index()] = Slot::Forgotten;
        let found = step::outcomes(arena, setting, &other);
        if found.as_deref() != Ok(all) {
            return Err(format!("reads {register:?}: {found:?}"));
        }
    }
    for outcome in all {
        let mut next = configuration.clone();
        // What is not possible may have a number of elements that is not supported.
        if next.change(arena, setting, MemberId(0)).follow(outcome).is_err() {
            continue;
        }
        let after = &next.members[0];
        let Place::At(place) = after.place else { continue };
        if !successors(instruction, location).any(|next| next == place) {
            return Err(format!("leads to {place:?}"));
        }
        let is_written = |register| written(instruction) == Some(register);
        let changed = (0..).map(RegisterId).zip(member.registers.iter().zip(&after.registers)).find(|(_, (old, new))| old != new);
        if let Some((register, _)) = changed.filter(|(register, _)| !is_written(*register)) {
            return Err(format!("writes {register:?}"));
        }
        let is_read = |register: &RegisterId| read(instruction).contains(register);
        if let Some(register) = written(instruction).filter(|register| !is_read(register)) {
            let old = member.registers[register.index()];
            let mut other = configuration.clone();
            other.members[0].registers[register.index()] = if old == Slot::Forgotten { Slot::Uninitialised } else { Slot::Forgotten };
            let is_followed = other.change(arena, setting, MemberId(0)).follow(outcome).is_ok();
            if !is_followed || other.members[0].registers[register.index()] != after.registers[register.index()] {
                return Err(format!("keeps {register:?}"));
            }
        }
    }
    Ok(())
}
