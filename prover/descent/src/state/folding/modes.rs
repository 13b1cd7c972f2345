//! What registers with modes hold, and what nothing reads while they do (`spec/search.md#modes`).

use crate::state::{herd::Herd, template::basis::Basis};
use goatherd_certificates::{configuration::Slot, program::RegisterId};
use goatherd_checker::{
    configuration::{Configuration, Member, Place},
    rejection::Rejection,
    term::Arena,
};
use goatherd_flow::modes::Mode;
use goatherd_logic::Context;

/// What the member's register with modes is known to hold.
pub fn value(arena: &mut Arena, context: &mut Context, member: &Member, mode: &Mode) -> Result<Option<i128>, Rejection> {
    let Slot::Integer(term) = member.register(mode.register)? else { return Ok(None) };
    let zero = arena.constant(0)?;
    let (least, greatest) = context.difference_bounds(arena, term, zero);
    Ok(least.filter(|_| least == greatest))
}

/// Forgets the registers that are written before they are read, as long as registers with modes hold what they do.
pub fn forget_dead(arena: &mut Arena, basis: Basis<'_>, herd: &mut Herd, configuration: &mut Configuration) -> Result<(), Rejection> {
    for member in &mut configuration.members {
        let Place::At(location) = member.place else { continue };
        for mode in &basis.flow.modes {
            let Some(value) = value(arena, &mut herd.context, member, mode)? else { continue };
            let registers = (0..).map(RegisterId).zip(&mut member.registers);
            registers.filter(|(register, _)| !mode.is_live(value, location, *register)).for_each(|(_, slot)| *slot = Slot::Forgotten);
        }
    }
    Ok(())
}
