//! Pointers that the nodes of a list have in common: each of them points to the list's header, to the node whose children they are, or to what all
//! of them share.

use crate::{graph::ControlFlow, instruction::written, loops::Loop};
use goatherd_certificates::program::{Instruction, Location, Program, RegisterId, Type};
use std::collections::{BTreeMap, BTreeSet};

/// By how many bytes fields are behind nodes in which a loop stores one and the same pointer again and again: its rounds go on to other nodes,
/// and do not change what they store there, or store what another node has there.
pub fn common(program: &Program, loops: &BTreeMap<Location, Loop>) -> BTreeSet<i128> {
    let graph = ControlFlow::new(program);
    let stored = |around: &Loop| {
        let common = |location: &Location| match program.instructions[location.index()] {
            Instruction::Store { address, offset, source } if program.registers[source.index()].kind == Type::Pointer => {
                let [is_one_node, is_one_pointer] = [address, source].map(|register| is_settled(program, around, *location, register));
                let is_common =
                    is_one_pointer || !is_walked(program, loops, offset) && is_handed_on(program, &graph, *location, source, offset);
                (is_common && !is_one_node).then_some(i128::from(offset))
            }
            _ => None,
        };
        around.body.iter().filter_map(common).collect::<Vec<_>>()
    };
    loops.values().flat_map(stored).collect()
}

/// Does some loop go on to where the pointers lead that are so many bytes behind nodes?
fn is_walked(program: &Program, loops: &BTreeMap<Location, Loop>, field: i64) -> bool {
    let is_walked = |around: &Loop, location: &Location| match program.instructions[location.index()] {
        Instruction::Load { target, offset, .. } => offset == field && around.accessed.contains(&target),
        _ => false,
    };
    loops.values().any(|around| around.body.iter().any(|location| is_walked(around, location)))
}

/// Is what the register holds there what a node has in this field, unless it is NULL or new?
fn is_handed_on(program: &Program, graph: &ControlFlow, location: Location, register: RegisterId, field: i64) -> bool {
    let mut is_loaded = false;
    let mut seen = BTreeSet::new();
    let mut open = vec![(location, register)];
    while let Some((location, register)) = open.pop() {
        for before in graph.predecessors(location).filter(|before| seen.insert((*before, register))).collect::<Vec<_>>() {
            match program.instructions[before.index()] {
                ref other if written(other) != Some(register) => open.push((before, register)),
                Instruction::Copy { source, .. } => open.push((before, source)),
                Instruction::Load { offset, .. } if offset == field => is_loaded = true,
                Instruction::Allocate(_) | Instruction::Null { .. } => {}
                _ => return false,
            }
        }
    }
    is_loaded
}

/// Does the register hold the same there in every round of the loop? Nothing in the loop writes it, or it is the address of an object, or a copy
/// of such a register.
fn is_settled(program: &Program, around: &Loop, location: Location, mut register: RegisterId) -> bool {
    let mut before: Vec<&Location> = around.body.range(..location).collect();
    while let Some(position) = before.iter().rposition(|earlier| written(&program.instructions[earlier.index()]) == Some(register)) {
        match program.instructions[before[position].index()] {
            Instruction::Address { .. } => return true,
            Instruction::Copy { source, .. } => register = source,
            _ => return false,
        }
        before.truncate(position);
    }
    around.body.iter().all(|location| written(&program.instructions[location.index()]) != Some(register))
}

#[cfg(test)]
mod tests {
    use crate::{flow::Flow, testing::program};

    /// How far behind nodes such fields are.
    fn common(name: &str, body: &str) -> Vec<i128> {
        let text = format!(
            "struct list {{ struct node *first; }};
             struct node {{ struct node *next; struct list *owner; }};
             static void push(struct list *list, struct node *node) {{ node->owner = list; node->next = list->first; list->first = node; }}
             void test(struct node *node) {{ struct list list = {{ 0 }}; {body} }}"
        );
        Flow::new(&program(name, &text)).common.into_iter().collect()
    }

    #[test]
    fn a_loop_stores_one_pointer_in_many_nodes() {
        assert_eq!(common("adopted", "for (; node != 0; node = node->next) node->owner = &list;"), [8]);
        let pushed = "while (node != 0) { struct node *next = node->next; push(&list, node); node = next; }";
        assert_eq!(common("pushed", pushed), [8]);
    }

    #[test]
    fn what_is_stored_in_a_node_may_be_what_the_next_one_has() {
        let shared = |other: &str| {
            format!(
                "struct node *last = 0;
                for (; node != 0; node = node->next) {{ node->owner = last ? last->owner : {other}; last = node; }}"
            )
        };
        let declared = "extern void *malloc(unsigned long);";
        assert_eq!(common("shared", &format!("{declared} {}", shared("malloc(8)"))), [8]);
        assert_eq!(common("shared or another", &shared("(struct list *)(void *)node->next")), [] as [i128; 0]);
    }

    #[test]
    fn a_pointer_that_the_loop_moves_on_is_none_that_nodes_have_in_common() {
        let reversed = "struct node *last = 0;
            while (node != 0) { struct node *next = node->next; node->next = last; last = node; node = next; }";
        assert_eq!(common("reversed", reversed), [] as [i128; 0]);
        assert_eq!(common("header", "for (; node != 0; node = node->next) list.first = 0;"), [] as [i128; 0]);
    }
}
