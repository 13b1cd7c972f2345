//! What ground runs pass.

use alloc::vec::Vec;
use goatherd_certificates::*;
use goatherd_checker::Place;

/// What ground runs have passed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Passed {
    /// How many instructions they executed.
    pub steps: u64,
    /// The program's assertions, and whether a run reached each.
    pub assertions: Vec<(Location, bool)>,
    /// Has one accessed memory?
    pub memory_accessed: bool,
}

impl Passed {
    /// Nothing yet, of a program.
    pub fn new(program: &Program) -> Self {
        let assertions = program.assertions.iter();
        Self {
            assertions: assertions.map(|location| (*location, false)).collect(),
            ..Self::default()
        }
    }

    /// A ground run executed one instruction.
    pub fn visit(&mut self, place: Place, instruction: &Instruction) {
        self.steps = self.steps.saturating_add(1);
        self.memory_accessed |= matches!(
            instruction,
            Instruction::Load { .. } | Instruction::Store { .. }
        );
        for (assertion, reached) in &mut self.assertions {
            *reached |= Place::At(*assertion) == place;
        }
    }
}
