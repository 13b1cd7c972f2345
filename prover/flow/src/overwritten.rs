//! Fields of nodes that are written before they are read again: what they hold is forgotten, as that of dead registers is. Where a list hangs in
//! a node and is turned round, the pointer to its old first cell stays in the node until the new one is stored there.

use crate::{
    backwards::backwards,
    instruction::{successors, written},
};
use goatherd_certificates::program::{Advance, Instruction, Operand, Program, RegisterId, Type};
use std::collections::BTreeSet;

/// A register that points to a node, and how far behind that a pointer stands.
pub type Place = (RegisterId, i64);

/// Per instruction the places that every way from there on stores to before anything is read that is as far behind a pointer, as long as the
/// register stays. None where leaks count, or pointers into the midst of nodes are formed.
pub fn overwritten(program: &Program) -> Vec<BTreeSet<Place>> {
    let stored = |instruction: &Instruction| match *instruction {
        Instruction::Store { address, source, offset, .. } if program.registers[source.index()].kind == Type::Pointer => {
            Some((address, offset))
        }
        _ => None,
    };
    let hides_reads = |instruction: &Instruction| {
        let is_inside = matches!(instruction, Instruction::Advance(Advance { index: Operand::Constant(index), .. }) if *index != 0);
        is_inside || matches!(instruction, Instruction::CheckLeaks { .. })
    };
    let mut all: BTreeSet<Place> = program.instructions.iter().filter_map(stored).collect();
    if program.instructions.iter().any(hides_reads) {
        all.clear();
    }
    backwards(program, all, |location, places: &[BTreeSet<Place>]| {
        let instruction = &program.instructions[location.index()];
        let is_read = |place: &Place| matches!(instruction, Instruction::Load { offset, .. } if *offset == place.1);
        let mut before = places[location.index()].clone();
        before.retain(|place| {
            let mut ways = successors(program, location).into_iter();
            stored(instruction) == Some(*place)
                || (ways.all(|next| places[next.index()].contains(place)) && written(instruction) != Some(place.0) && !is_read(place))
        });
        before
    })
}

#[cfg(test)]
mod tests {
    use super::{Place, overwritten};
    use crate::testing::program;
    use goatherd_certificates::program::{Instruction, Location};
    use std::collections::BTreeSet;

    /// The places at the head of the first loop, with the registers' names.
    fn at_head(text: &str) -> BTreeSet<(String, i64)> {
        let program = program("overwritten", text);
        let is_back = |(location, instruction): (Location, &Instruction)| match *instruction {
            Instruction::Jump { target } if target < location => Some(target),
            _ => None,
        };
        let head = (0..).map(Location).zip(&program.instructions).find_map(is_back).unwrap();
        let name = |(register, offset): &Place| (program.registers[register.index()].name.clone(), *offset);
        overwritten(&program)[head.index()].iter().map(name).collect()
    }

    #[test]
    fn what_is_stored_behind_a_loop_is_overwritten_unless_the_loop_reads_such_a_field() {
        let head = "struct node { struct node *next, *children; };
             void test(struct node *parent) {
                 if (parent) {
                     struct node *turned = 0, *child = parent->children;
                     while (child) {";
        let tail = "    child->next = turned; turned = child; child = next; }
                     parent->children = turned;
                 }
             }";
        let places = at_head(&format!("{head} struct node *next = child->next; {tail}"));
        assert_eq!(places, BTreeSet::from([("parent".to_owned(), 8)]));
        let places = at_head(&format!("{head} struct node *next = child->children; {tail}"));
        assert_eq!(places, BTreeSet::from([("child".to_owned(), 0)]));
    }
}
