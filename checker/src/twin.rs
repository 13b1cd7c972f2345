//! Twin: a scapegoat on a smaller input has come to the primary's own state, as far as the rest of the program can tell
//! (`spec/calculus.md#twin`).
//!
//! Whatever fails behind the primary then fails behind the scapegoat too, by the same choices, so the primary is no part of a smallest execution that
//! fails. What the rest can tell is in the registers that it reads before it writes them, in the objects that it addresses by name, and in what is
//! reached from both.

use crate::flow::Mention;
use crate::{Member, *};
use alloc::{vec, vec::Vec};
use core::mem;
use goatherd_certificates::*;

/// Twin (exists): closes a configuration whose scapegoat is in the primary's state, on a smaller input.
pub fn twin(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &Configuration,
    member: MemberId,
) -> Result<()> {
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
    // The names that are reached, and which of them have been seen: they take less than what leads to them.
    let held = primary.bytes().saturating_mul(2);
    arena.budget.take(held)?;
    let mut comparison = Comparison {
        budget: &mut arena.budget,
        program: setting.program,
        location,
        members: [primary, scapegoat],
        reached: Vec::new(),
    };
    comparison.registers()?;
    comparison.names()?;
    comparison.objects()?;
    arena.budget.release(held);
    Ok(())
}

/// Both are known and the same; the object that a pointer leads to. What is forgotten may differ, and of folded parts there may be more than is said.
fn same(left: Slot, right: Slot) -> Result<Option<ObjectId>> {
    match left {
        Slot::Uninitialised | Slot::Null | Slot::Integer(_) if left == right => Ok(None),
        Slot::Pointer(address) if left == right => Ok(Some(address.object)),
        _ => Err(Rejection::NotTwin),
    }
}

/// Two members that are compared, as far as the program from a location on can tell.
struct Comparison<'a> {
    budget: &'a mut Budget,
    program: &'a Program,
    location: Location,
    /// The primary and the scapegoat.
    members: [&'a Member; 2],
    /// The objects that are still to be compared, of one name in both members.
    reached: Vec<ObjectId>,
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

impl Comparison<'_> {
    /// The registers that the rest of the program reads are the same; reaches the objects that they lead to.
    fn registers(&mut self) -> Result<()> {
        let [primary, scapegoat] = self.members;
        for register in (0..).map(RegisterId).take(self.program.registers.len()) {
            let target = same(primary.register(register)?, scapegoat.register(register)?);
            // What is the same and leads nowhere is no matter, whether it is read or not.
            if target != Ok(None) && self.reads(register)? {
                self.reached.extend(target?);
            }
        }
        Ok(())
    }

    /// Reaches the objects that the rest of the program addresses by name: those that live, of one name in both members. One that a template has
    /// forgotten may differ.
    fn names(&mut self) -> Result<()> {
        let [primary, scapegoat] = self.members;
        for (declaration, object) in (0..).map(ObjectId).zip(&self.program.objects) {
            if flow::is_named(&object.origin) && self.addresses(declaration)? {
                let objects = primary.objects.len();
                self.budget
                    .work(objects.saturating_add(scapegoat.objects.len()))?;
                let name = |member: &Member| member.live(declaration).map(|state| state.object);
                let live = name(primary).ok_or(Rejection::NotTwin)?;
                ensure(name(scapegoat) == Some(live), Rejection::NotTwin)?;
                self.reached.push(live);
            }
        }
        Ok(())
    }

    /// The objects that have been reached, and all that is reached from them, are the same in both members.
    fn objects(mut self) -> Result<()> {
        let [primary, scapegoat] = self.members;
        let work = slots(primary.bytes()).saturating_add(slots(scapegoat.bytes()));
        self.budget.work(work)?;
        let mut seen = vec![false; primary.objects.len()];
        while let Some(name) = self.reached.pop() {
            let is_seen = seen.get_mut(name.index()).ok_or(Rejection::NotTwin)?;
            if mem::replace(is_seen, true) {
                continue;
            }
            let state = primary.object(name).ok_or(Rejection::NotTwin)?;
            let other = scapegoat.object(name).ok_or(Rejection::NotTwin)?;
            ensure(state == other, Rejection::NotTwin)?;
            for cell in state.fields.iter().flat_map(|field| &field.cells) {
                self.reached.extend(same(*cell, *cell)?);
            }
        }
        Ok(())
    }

    /// May the rest of the program read the register before it writes it?
    fn reads(&mut self, register: RegisterId) -> Result<bool> {
        self.meets(|instruction| {
            let mut meets = Use::None;
            flow::mentions(instruction, &mut |mention| match mention {
                Mention::Reads(Operand::Register(read), _) if read == register => meets = Use::Read,
                Mention::Writes(written, _) if written == register && meets != Use::Read => {
                    meets = Use::Renewed;
                }
                _ => {}
            });
            meets
        })
    }

    /// May it address the declaration's object before it enters another one?
    fn addresses(&mut self, declaration: ObjectId) -> Result<bool> {
        self.meets(|instruction| match instruction {
            Instruction::Address { object, .. } if *object == declaration => Use::Read,
            Instruction::Enter { object } if *object == declaration => Use::Renewed,
            _ => Use::None,
        })
    }

    /// Is there a way to an instruction that reads it, on which no other one renews it?
    fn meets(&mut self, what: impl Fn(&Instruction) -> Use) -> Result<bool> {
        let count = self.program.instructions.len();
        let held = count.saturating_mul(size_of::<(bool, [Location; 3])>());
        self.budget.take(held)?;
        self.budget.work(count)?;
        let mut seen = vec![false; count];
        let mut open = vec![self.location];
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
        self.budget.release(held);
        Ok(is_met)
    }
}
