//! Linked heaps: proofs by Unfold and by reading, and each of their side conditions violated alone (`spec/calculus.md#folded-heaps`).

mod last_cells;
mod payments;
mod reading;
mod runs;
mod scapegoats;
mod sorts;
mod walks;

use goatherd_certificates::{
    configuration::{Slot, Sort, Template, TreeId},
    derivation::{DroppedElement, InputDrop, Matching, SegmentEnd},
    program::{Instruction, ObjectId, Program, RegisterId},
    term::Literal,
};
use goatherd_checker::{configuration::Configuration, outcome::Oracle, rejection::Rejection, rules, subsume, term::Arena};
use goatherd_tests::{
    forge::{Forge, PARAMETERS, rejection},
    heaps::jump,
};

/// What the checker says of the derivation from the only root; none if it is accepted.
pub(crate) fn derived(program: &Program, derivation: impl FnOnce(&mut Forge<'_>, Configuration)) -> Option<Rejection> {
    derived_with(program, &[], derivation)
}

/// The same of a proof with these sorts.
pub(crate) fn derived_with(program: &Program, sorts: &[Sort], derivation: impl FnOnce(&mut Forge<'_>, Configuration)) -> Option<Rejection> {
    let mut forge = Forge::new(program, &PARAMETERS, 1);
    forge.setting.sorts = sorts;
    let configuration = forge.root(0).expect("a root");
    derivation(&mut forge, configuration);
    rejection(&forge.check())
}

/// A configuration on its way through rules, without a certificate.
pub(crate) struct Scene<'p> {
    pub(crate) forge: Forge<'p>,
    pub(crate) configuration: Configuration,
}

/// Shows nothing: only what is evident holds.
pub(crate) struct Nothing;

impl Oracle for Nothing {
    fn refute(&mut self, _: &mut Arena, _: &[Literal], _: &[Literal]) -> Result<(), Rejection> {
        Err(Rejection::NotRefuted)
    }
}

impl<'p> Scene<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let mut forge = Forge::new(program, &PARAMETERS, 1);
        let configuration = forge.root(0).expect("a root");
        Self { forge, configuration }
    }

    /// Goes on with one of the cases.
    pub(crate) fn unfold(mut self, tree: u32, end: SegmentEnd, case: usize) -> Self {
        self.configuration = self.forge.unfold(&self.configuration, TreeId(tree), end).remove(case);
        self
    }

    pub(crate) fn steps(mut self, count: usize) -> Self {
        self.configuration = self.forge.steps(self.configuration, count);
        self
    }

    /// Goes on from a template.
    pub(crate) fn from(mut self, template: &Template) -> Self {
        self.configuration = subsume::template(&self.forge.arena, self.forge.setting, template).expect("a template");
        self.configuration.progress = true;
        self
    }

    pub(crate) fn register(&self, register: RegisterId) -> Slot {
        self.configuration.members[0].registers[register.index()]
    }

    pub(crate) fn cell(&self, object: u32, field: usize) -> Slot {
        self.configuration.members[0].object(ObjectId(object)).expect("an object").fields[field].cells[0]
    }

    pub(crate) fn covered(&mut self, template: &Template, matching: &Matching) -> Result<(), Rejection> {
        let target = subsume::template(&self.forge.arena, self.forge.setting, template)?;
        subsume::subsume(&mut self.forge.arena, self.forge.setting, &self.configuration, &target, matching, &mut Nothing)
    }

    pub(crate) fn add(&mut self, drops: &[(ObjectId, Option<u32>)]) -> Result<(), Rejection> {
        let node = |&(object, child): &(ObjectId, Option<u32>)| InputDrop { input: 0, element: DroppedElement::Node { object, child } };
        let drops: Vec<InputDrop> = drops.iter().map(node).collect();
        let Forge { arena, setting, .. } = &mut self.forge;
        rules::add_scapegoat(arena, *setting, &mut self.configuration, &drops, &[], &mut Nothing)
    }
}

/// A list of two nodes at least, `l` and `c` at the first, after a jump.
pub(crate) fn two_nodes(program: &mut Program, l: RegisterId, c: RegisterId) {
    program.instructions = vec![Instruction::Copy { target: c, source: l }, jump(1)];
}
