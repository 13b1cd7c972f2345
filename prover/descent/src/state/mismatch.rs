//! Where two arrays are found different.

use goatherd_certificates::{
    configuration::Slot,
    program::{Branch, Condition, Instruction, Operand, Operation, Relation},
    term::{Atom, AtomId, Computation, LinearId},
};
use goatherd_checker::{configuration::Member, outcome::Effect, term::Arena};

/// Where the member, at a branch, finds elements of two arrays different: their indices; those of elements with cells of their own are not
/// asked for.
pub fn different_elements(arena: &mut Arena, member: &Member, instruction: &Instruction, effect: Effect) -> Option<Vec<LinearId>> {
    let Instruction::Branch(Branch { condition: Condition::Integers { relation: Relation::Equal, left, right }, otherwise, .. }) =
        instruction
    else {
        return None;
    };
    if effect != Effect::Goto(*otherwise) {
        return None;
    }
    let [left, right] = [left, right].map(|operand| match operand {
        Operand::Constant(value) => arena.constant(*value).ok(),
        Operand::Register(register) => match member.register(*register) {
            Ok(Slot::Integer(term)) => Some(term),
            _ => None,
        },
    });
    let difference = arena.difference(left?, right?).ok()?;
    let [(left, _), (right, _)] = arena.linear(difference).ok()?.summands[..] else { return None };
    let [left, right] = [left, right].map(|atom| unconverted(arena, atom));
    let indices = [left, right].map(|atom| match arena.atom(atom) {
        Ok(Atom::Select { index, .. }) => Some(*index),
        _ => None,
    });
    if let [Some(left), Some(right)] = indices {
        return Some(vec![left, right]);
    }
    let cells: Vec<Slot> = member.objects.iter().flatten().flat_map(|state| &state.fields).flat_map(|field| field.cells.clone()).collect();
    let mut are_elements = [left, right].into_iter().zip(indices);
    are_elements
        .all(|(atom, index)| index.is_some() || arena.of_atom(atom).is_ok_and(|term| cells.contains(&Slot::Integer(term))))
        .then(Vec::new)
}

/// What the atom is a conversion of, or the atom.
pub(crate) fn unconverted(arena: &Arena, atom: AtomId) -> AtomId {
    let Ok(Atom::Apply(Computation { operation: Operation::Add, left, .. })) = arena.atom(atom) else { return atom };
    match arena.linear(*left).map(|linear| linear.summands.as_slice()) {
        Ok([(atom, _)]) => *atom,
        _ => atom,
    }
}
