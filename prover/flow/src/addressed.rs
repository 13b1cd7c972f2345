//! Static and local objects of which an instruction may still take the address. Another one is only of interest as far as pointers lead to it, so
//! what hangs in it is forgotten with the last register that points there.

use crate::{backwards::backwards, instruction::successors};
use goatherd_certificates::program::{Instruction, ObjectId, Program};
use std::collections::BTreeSet;

/// Per instruction the objects of which one that may come takes the address; all where leaks count, since they are looked for from such objects.
pub fn addressed(program: &Program) -> Vec<BTreeSet<ObjectId>> {
    let named = |instruction: &Instruction| match instruction {
        Instruction::Address { object, .. } => Some(*object),
        _ => None,
    };
    let is_leak_check = |instruction: &Instruction| matches!(instruction, Instruction::CheckLeaks { .. });
    if program.instructions.iter().any(is_leak_check) {
        let all: BTreeSet<ObjectId> = (0..).map(ObjectId).take(program.objects.len()).collect();
        return vec![all; program.instructions.len()];
    }
    backwards(program, BTreeSet::new(), |location, addressed: &[BTreeSet<ObjectId>]| {
        let behind = successors(program, location).into_iter().flat_map(|next| &addressed[next.index()]).copied();
        behind.chain(named(&program.instructions[location.index()])).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::addressed;
    use crate::testing::program;
    use goatherd_certificates::program::{Instruction, Location};

    /// Of how many objects the address may still be taken at the entry, and at the head of the first loop.
    fn counts(body: &str) -> [usize; 2] {
        let text = format!(
            "struct node {{ struct node *next; }};
             struct list {{ struct node *first; }};
             void test(struct node *input) {{
                 struct list list, *place = &list;
                 place->first = input;
                 struct node *node = place->first;
                 while (node) {{ {body} }}
             }}"
        );
        let program = program("addressed", &text);
        let is_back = |(location, instruction): (Location, &Instruction)| match *instruction {
            Instruction::Jump { target } if target < location => Some(target),
            _ => None,
        };
        let head = (0..).map(Location).zip(&program.instructions).find_map(is_back).unwrap();
        let addressed = addressed(&program);
        [Location(0), head].map(|location| addressed[location.index()].len())
    }

    #[test]
    fn what_no_instruction_to_come_takes_the_address_of_is_of_no_interest() {
        assert_eq!(counts("node = node->next;"), [1, 0]);
        assert_eq!(counts("node = node->next; list.first = node;"), [1, 1]);
    }
}
