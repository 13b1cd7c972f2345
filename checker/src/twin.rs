//! Twin: a scapegoat on a smaller input has come to the primary's own state, as far as the rest of the program can tell
//! (`spec/calculus.md#twin`).
//!
//! Whatever fails behind the primary then fails behind the scapegoat too, by the same choices, so the primary is no part of a smallest execution that
//! fails. What the rest can tell is in the registers that it reads before it writes them, in the objects that it addresses by name, and in what is
//! reached from both.

use crate::configuration::slots;
use crate::{
    Arena, Budget, Configuration, Member, Place, Rejection, Setting, ensure, entry, entry_mut, flow,
};
use alloc::{vec, vec::Vec};
use core::mem;
use goatherd_certificates::*;

/// Twin (exists): closes a configuration whose scapegoat is in the primary's state, on a smaller input.
pub fn twin(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &Configuration,
    member: MemberId,
) -> Result<(), Rejection> {
    ensure(member != MemberId(0), Rejection::Primary)?;
    let primary = configuration.member(MemberId(0))?;
    let scapegoat = configuration.member(member)?;
    ensure(scapegoat.size == InputSize::Smaller, Rejection::NotSmaller)?;
    let Place::At(location) = primary.place else {
        return Err(Rejection::NotTwin);
    };
    ensure(scapegoat.place == primary.place, Rejection::NotTwin)?;
    arena.budget.work(setting.program.instructions.len())?;
    // What nothing leads to any more is seen there.
    ensure(!setting.checks_leaks(), Rejection::Leak)?;
    let ahead = Ahead {
        program: setting.program,
        location,
    };
    // The names that are reached, and which of them have been seen: they take less than what leads to them.
    let held = primary.bytes().saturating_mul(2);
    arena.budget.take(held)?;
    let mut reached = registers(&mut arena.budget, ahead, [primary, scapegoat])?;
    names(&mut arena.budget, ahead, [primary, scapegoat], &mut reached)?;
    objects(&mut arena.budget, [primary, scapegoat], reached)?;
    arena.budget.release(held);
    Ok(())
}

/// The objects that pointers in the registers lead to that the rest of the program reads, which hold the same in both members.
fn registers(
    budget: &mut Budget,
    ahead: Ahead<'_>,
    [primary, scapegoat]: [&Member; 2],
) -> Result<Vec<ObjectId>, Rejection> {
    let mut reached = Vec::new();
    for register in (0..).map(RegisterId).take(ahead.program.registers.len()) {
        let target = same(primary.register(register)?, scapegoat.register(register)?);
        // What is the same and leads nowhere is no matter, whether it is read or not.
        if target != Ok(None) && ahead.reads(budget, register)? {
            reached.extend(target?);
        }
    }
    Ok(reached)
}

/// Adds the objects that the rest of the program addresses by name: those that live, of one name in both members. One that a template has forgotten
/// may differ.
fn names(
    budget: &mut Budget,
    ahead: Ahead<'_>,
    [primary, scapegoat]: [&Member; 2],
    reached: &mut Vec<ObjectId>,
) -> Result<(), Rejection> {
    for (declaration, object) in (0..).map(ObjectId).zip(&ahead.program.objects) {
        if matches!(object.origin, Origin::Static { .. } | Origin::Local { .. })
            && ahead.addresses(budget, declaration)?
        {
            let objects = primary.objects.len();
            budget.work(objects.saturating_add(scapegoat.objects.len()))?;
            let name = |member: &Member| member.live(declaration).map(|state| state.object);
            let live = name(primary).ok_or(Rejection::NotTwin)?;
            ensure(name(scapegoat) == Some(live), Rejection::NotTwin)?;
            reached.push(live);
        }
    }
    Ok(())
}

/// These objects, and all that is reached from them, are the same in both members.
fn objects(
    budget: &mut Budget,
    [primary, scapegoat]: [&Member; 2],
    mut reached: Vec<ObjectId>,
) -> Result<(), Rejection> {
    budget.work(slots(primary.bytes()).saturating_add(slots(scapegoat.bytes())))?;
    let mut seen = vec![false; primary.objects.len()];
    while let Some(name) = reached.pop() {
        let is_seen = seen.get_mut(name.index()).ok_or(Rejection::NotTwin)?;
        if mem::replace(is_seen, true) {
            continue;
        }
        let state = primary.object(name).ok_or(Rejection::NotTwin)?;
        let other = scapegoat.object(name).ok_or(Rejection::NotTwin)?;
        ensure(state == other, Rejection::NotTwin)?;
        for cell in state.fields.iter().flat_map(|field| &field.cells) {
            reached.extend(same(*cell, *cell)?);
        }
    }
    Ok(())
}

/// Both are known and the same; the object that a pointer leads to. What is forgotten may differ, and of folded parts there may be more than is said.
fn same(left: Slot, right: Slot) -> Result<Option<ObjectId>, Rejection> {
    match left {
        Slot::Uninitialised | Slot::Null | Slot::Integer(_) if left == right => Ok(None),
        Slot::Pointer { object, .. } if left == right => Ok(Some(object)),
        _ => Err(Rejection::NotTwin),
    }
}

/// The program from a location on.
#[derive(Clone, Copy)]
struct Ahead<'a> {
    program: &'a Program,
    location: Location,
}

/// What an instruction does to something.
#[derive(PartialEq, Eq)]
enum Use {
    /// It depends on it.
    Read,
    /// It is another one from there on.
    Renewed,
    /// Nothing.
    None,
}

impl Ahead<'_> {
    /// May it read the register before it writes it?
    fn reads(self, budget: &mut Budget, register: RegisterId) -> Result<bool, Rejection> {
        self.meets(budget, |instruction| {
            if flow::read(instruction).any(|read| read == register) {
                Use::Read
            } else if flow::written(instruction) == Some(register) {
                Use::Renewed
            } else {
                Use::None
            }
        })
    }

    /// May it address the declaration's object before it enters another one?
    fn addresses(self, budget: &mut Budget, declaration: ObjectId) -> Result<bool, Rejection> {
        self.meets(budget, |instruction| match instruction {
            Instruction::Address { object, .. } if *object == declaration => Use::Read,
            Instruction::Enter { object } if *object == declaration => Use::Renewed,
            _ => Use::None,
        })
    }

    /// Is there a way to an instruction that reads it, on which no other one renews it?
    fn meets(
        self,
        budget: &mut Budget,
        what: impl Fn(&Instruction) -> Use,
    ) -> Result<bool, Rejection> {
        let count = self.program.instructions.len();
        let held = count.saturating_mul(size_of::<(bool, [Location; 3])>());
        budget.take(held)?;
        budget.work(count)?;
        let (mut seen, mut open) = (vec![false; count], vec![self.location]);
        let mut is_met = false;
        while let Some(location) = open.pop() {
            let instruction = entry(&self.program.instructions, location.index())?;
            if mem::replace(entry_mut(&mut seen, location.index())?, true) {
                continue;
            }
            match what(instruction) {
                Use::Read => {
                    is_met = true;
                    break;
                }
                Use::Renewed => {}
                Use::None => open.extend(flow::successors(instruction, location)),
            }
        }
        budget.release(held);
        Ok(is_met)
    }
}
