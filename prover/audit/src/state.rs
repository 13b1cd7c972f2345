//! What a configuration says, in terms of C.

use crate::{
    argument::facts,
    labels::{Form, Labels, field_name, index_in_c, primes},
    naming::Naming,
    replay::Moment,
};
use goatherd_certificates::{
    configuration::{Address, Folded, InputSize, Life, ObjectState, Slot, TreeSort},
    derivation::MemberId,
    program::{Advance, Allocate, Branch, Compute, Condition, Distance, Instruction, Operand, PointerOperand, RegisterId},
};
use goatherd_checker::{Configuration, Member, Place, term::Arena};
use serde::Serialize;
use std::sync::Arc;

/// What is known of a herd.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct HerdWords {
    /// The run at hand, then the scapegoats.
    pub members: Vec<MemberWords>,
    /// What is known besides.
    pub known: Vec<String>,
}

/// What is known of one run.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct MemberWords {
    /// Which one, and where it is.
    pub title: String,
    /// What its variables hold, and its memory.
    pub facts: Vec<String>,
}

/// What is known at a moment.
pub fn herd(arena: &Arena, labels: &Labels<'_>, moment: &Arc<Moment>) -> HerdWords {
    let configuration = &moment.configuration;
    let naming = Naming::at(arena, labels, moment);
    let members = (0u32..).map(MemberId).zip(&configuration.members);
    let members = members.map(|(number, member)| MemberWords {
        title: title(labels, number, member),
        facts: member_facts(&naming, labels, configuration, (number, member)),
    });
    HerdWords { members: members.collect(), known: facts(&naming, &configuration.predicate) }
}

fn title(labels: &Labels<'_>, number: MemberId, member: &Member) -> String {
    let place = match member.place {
        Place::At(location) => format!("at {}", labels.line(location)),
        Place::Failed => String::from("failed"),
    };
    match (number, member.size) {
        (MemberId(0), _) => format!("The run at hand, {place}"),
        (MemberId(number), InputSize::Smaller) => format!("Scapegoat {number}, on a smaller input, {place}"),
        (MemberId(number), InputSize::NotLarger) => format!("Scapegoat {number}, on an input that is no larger, {place}"),
    }
}

/// What a member's variables hold, and its memory where that says more.
fn member_facts(
    naming: &Naming<'_>,
    labels: &Labels<'_>,
    configuration: &Configuration,
    (number, member): (MemberId, &Member),
) -> Vec<String> {
    let registers = (0u32..).map(RegisterId).take(member.registers.len());
    let mut facts: Vec<String> = registers.filter_map(|register| holds(naming, labels, configuration, (register, number))).collect();
    for state in member.objects.iter().flatten() {
        facts.extend(cells(naming, labels, number, state));
    }
    for (position, folded) in member.folded.iter().enumerate() {
        facts.extend(folded.as_ref().map(|folded| part(naming, labels, configuration, (number, position, folded))));
    }
    facts
}

/// What the cells of an object hold, where that has another name as well.
fn cells(naming: &Naming<'_>, labels: &Labels<'_>, number: MemberId, state: &ObjectState) -> Vec<String> {
    let Some(label) = naming.object(state.object, number) else { return Vec::new() };
    if state.life == Life::Dead {
        return vec![format!("{} is gone", label.text)];
    }
    let mut facts = Vec::new();
    for (position, field) in state.fields.iter().enumerate() {
        let name = field_name(labels, state.declaration, position);
        for (cell, slot) in (0..).zip(&field.cells) {
            let Some(index) = index_in_c(naming.arena(), state, cell) else { continue };
            let (element, text) = (label.element(&index, &name), naming.slot(*slot, number));
            match slot {
                Slot::Forgotten => {}
                Slot::Uninitialised => facts.push(format!("{element} has no value")),
                Slot::Folded(_) | Slot::Last(_) => facts.push(format!("{element} points to {text}")),
                _ if element == text => {}
                _ => facts.push(format!("{element} == {text}")),
            }
        }
    }
    facts
}

/// A part of the heap that nobody looks at.
fn part(
    naming: &Naming<'_>,
    labels: &Labels<'_>,
    configuration: &Configuration,
    (number, position, folded): (MemberId, usize, &Folded),
) -> String {
    let name = format!("part {position}{}", primes(number));
    let text = match configuration.trees.get(folded.tree.index()) {
        Some(TreeSort::Segment(sort)) => {
            format!(
                "{name} is a chain of {} of any length, maybe empty, that ends in {}",
                labels.names.sort(*sort),
                naming.slot(folded.below, number)
            )
        }
        Some(TreeSort::Tree(sort)) => format!("{name} is a tree of {} of any size, maybe NULL", labels.names.sort(*sort)),
        None => format!("{name} is not known"),
    };
    // One symbol, one shape.
    let primary = configuration.members.first().filter(|_| number != MemberId(0));
    let same =
        primary.and_then(|primary| primary.folded.iter().position(|other| other.as_ref().is_some_and(|other| other.tree == folded.tree)));
    same.map_or_else(|| text.clone(), |other| format!("{text}, with the same nodes as part {other}"))
}

/// What an instruction of the primary works on.
pub fn operands(naming: &Naming<'_>, labels: &Labels<'_>, configuration: &Configuration, instruction: &Instruction) -> Vec<String> {
    read(instruction).into_iter().filter_map(|register| holds(naming, labels, configuration, (register, MemberId(0)))).collect()
}

/// What a register of a member holds, as a fact; none where that says nothing.
pub fn holds(
    naming: &Naming<'_>,
    labels: &Labels<'_>,
    configuration: &Configuration,
    (register, number): (RegisterId, MemberId),
) -> Option<String> {
    let member = configuration.members.get(number.index())?;
    let name = labels.register(register, number).text;
    let slot = member.registers.get(register.index())?;
    match *slot {
        Slot::Forgotten => None,
        Slot::Pointer(Address { object, byte: 0, .. }) => {
            let label = naming.object(object, number)?;
            let state = member.object(object)?;
            let text = naming.slot(*slot, number);
            if state.life == Life::Dead {
                return Some(format!("{name} points to memory that is gone"));
            }
            match label.form {
                Form::Array if text.contains(&format!("({name} - ")) => {
                    Some(format!("{name} points into {}, which has {} elements", label.text, naming.length(state)))
                }
                Form::Array => Some(format!("{name} == {text}, and {} has {} elements", label.text, naming.length(state))),
                _ if text == name => Some(format!("{name} points to a live object")),
                _ => Some(format!("{name} == {text}, which is a live object")),
            }
        }
        slot => {
            let text = naming.slot(slot, number);
            let verb = match slot {
                Slot::Uninitialised => "has",
                Slot::Folded(_) | Slot::Last(_) => "points to",
                _ => "==",
            };
            (text != name).then(|| format!("{name} {verb} {text}"))
        }
    }
}

/// The registers that an instruction reads.
fn read(instruction: &Instruction) -> Vec<RegisterId> {
    let integer = |operand: &Operand| if let Operand::Register(register) = operand { Some(*register) } else { None };
    let pointer = |operand: &PointerOperand| if let PointerOperand::Register(register) = operand { Some(*register) } else { None };
    match instruction {
        Instruction::Branch(Branch { condition: Condition::Integers { left, right, .. }, .. })
        | Instruction::Compute(Compute { left, right, .. }) => [left, right].into_iter().filter_map(integer).collect(),
        Instruction::Branch(Branch { condition: Condition::Pointers { left, right, .. }, .. }) => {
            [left, right].into_iter().filter_map(pointer).collect()
        }
        Instruction::Assign { value, .. } => integer(value).into_iter().collect(),
        Instruction::Copy { source, .. } => vec![*source],
        Instruction::Advance(Advance { base, index, .. }) => [*base].into_iter().chain(integer(index)).collect(),
        Instruction::Distance(Distance { left, right, .. }) => vec![*left, *right],
        Instruction::Load { address, .. } => vec![*address],
        Instruction::Store { address, source, .. } => vec![*address, *source],
        Instruction::Free { pointer } => vec![*pointer],
        Instruction::Allocate(Allocate { bytes, .. }) => integer(bytes).into_iter().collect(),
        Instruction::CheckLeaks { roots } => roots.clone(),
        _ => Vec::new(),
    }
}
