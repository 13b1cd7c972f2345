//! Does it matter to a failing run that it takes values of which C says more than the program does?
//!
//! Where a model leaves more open than C (what `realloc` keeps of some allocations, which characters `snprintf` writes), the program has runs that C does not have. A run
//! that only carries such a value along fails in C too; one that goes another way for it, or uses it where it fails, need not.

use goatherd_certificates::program::{Instruction, IntegerType, Location, Program, RegisterId, Type};
use goatherd_flow::instruction::read;
use goatherd_interpreter::{Pointer, Reference, TraceEntry, Value, Write};
use std::collections::{BTreeMap, BTreeSet};

/// The first instruction of the run at which it depends on such a value; `approximate` are the instructions that make them.
pub fn dependence(program: &Program, approximate: &BTreeSet<Location>, trace: &[TraceEntry]) -> Option<Location> {
    let mut run = Run { program, registers: BTreeSet::new(), objects: BTreeSet::new(), cells: BTreeMap::new() };
    let last = trace.len().checked_sub(1)?;
    let mut entries = trace.iter().enumerate();
    let depends = |(position, entry): &(usize, &TraceEntry)| {
        let instruction = program.instructions.get(entry.location.index());
        instruction.is_none_or(|instruction| run.follow(instruction, entry, approximate.contains(&entry.location), *position == last))
    };
    entries.find(depends).map(|(_, entry)| entry.location)
}

/// What of a run is open: what may be such a value.
struct Run<'a> {
    program: &'a Program,
    registers: BTreeSet<RegisterId>,
    /// Objects that were open from the start, but for the cells that were written.
    objects: BTreeSet<Reference>,
    /// Cells that have been written, and whether they are open.
    cells: BTreeMap<Cell, Openness>,
}

/// An object, an element of it, and a byte of that, below the element's size: whatever an access reaches, it has one name.
type Cell = (Reference, i128, u64);

/// May it be a value of which C says more?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Openness {
    Open,
    Known,
}

impl Run<'_> {
    /// May a value that is read there be open?
    fn reads_open_cell(&self, place: Option<Pointer>) -> bool {
        match place.map(cell) {
            Some(cell) => self.cells.get(&cell).map_or(self.objects.contains(&cell.0), |openness| *openness == Openness::Open),
            // All that is open may be there.
            None => !self.objects.is_empty() || self.cells.values().any(|openness| *openness == Openness::Open),
        }
    }

    /// May a register hold the number of a pointer, which leads to what it was made of?
    fn holds_open_number(&self) -> bool {
        let kind = |register: &RegisterId| self.program.registers.get(register.index()).map(|register| register.kind);
        self.registers.iter().any(|register| matches!(kind(register), Some(Type::Integer(IntegerType::I64 | IntegerType::U64))))
    }

    /// Goes on behind an instruction. Does the run depend there on what is open?
    fn follow(&mut self, instruction: &Instruction, entry: &TraceEntry, is_approximate: bool, is_last: bool) -> bool {
        let reads_open = read(instruction).iter().any(|register| self.registers.contains(register));
        let is_open = match *instruction {
            // What is assumed there holds of the value that C has.
            Instruction::Branch(_) if reads_open => return !is_approximate,
            // The pointer of a number, which may lead anywhere; and the number in the cell of a pointer, which any pointer has.
            Instruction::Advance(_) | Instruction::Distance(_) if is_approximate && is_last => return true,
            Instruction::Advance(_) if is_approximate => true,
            Instruction::Distance(_) if is_approximate => reads_open,
            Instruction::Allocate(_) | Instruction::Free { .. } | Instruction::Advance(_) | Instruction::Distance(_) if reads_open => {
                return true;
            }
            Instruction::Load { address, .. } | Instruction::Store { address, .. } if self.registers.contains(&address) => return true,
            // What leads to what is looked at.
            Instruction::CheckLeaks { .. } if self.reads_open_cell(None) || self.holds_open_number() => return true,
            Instruction::Load { .. } => self.reads_open_cell(entry.place),
            Instruction::Havoc { .. } => is_approximate,
            _ => reads_open,
        };
        self.write(instruction, entry, is_approximate, if is_open { Openness::Open } else { Openness::Known });
        // An access fails for its address, whatever is read or written.
        is_last && reads_open && !matches!(instruction, Instruction::Load { .. } | Instruction::Store { .. })
    }

    fn write(&mut self, instruction: &Instruction, entry: &TraceEntry, is_approximate: bool, openness: Openness) {
        match entry.write {
            Some(Write::Register { register, value }) => {
                if let (true, Instruction::Allocate(_) | Instruction::Copy { .. }, Value::Pointer(pointer)) =
                    (is_approximate, instruction, value)
                {
                    self.objects.insert(pointer.object);
                }
                match openness {
                    Openness::Open => self.registers.insert(register),
                    Openness::Known => self.registers.remove(&register),
                };
            }
            Some(Write::Cell { .. }) => drop(entry.place.map(|place| self.cells.insert(cell(place), openness))),
            None => {}
        }
    }
}

fn cell(place: Pointer) -> Cell {
    (place.object, place.index, place.byte)
}
