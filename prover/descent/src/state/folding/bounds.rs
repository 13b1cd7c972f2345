//! Bounds that all nodes of a shape keep their integers to (`spec/search.md#node-bounds`).

use goatherd_certificates::program::{Branch, Condition, Instruction, IntegerType, Link, ObjectId, Operand, Origin, Program};
use goatherd_checker::arithmetic::range;
use goatherd_flow::thresholds::thresholds;
use std::collections::BTreeSet;

/// What becomes of the integers of nodes that are folded, where sorts are found by the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeIntegers {
    /// They are forgotten, but where nodes are told apart by them.
    Forgotten,
    /// Each shape says between which bounds those of its nodes are.
    Kept,
}

/// The bounds that a program means for the integers of its nodes.
#[derive(Clone, Debug, Default)]
pub struct NodeBounds {
    /// In ascending order.
    bounds: Vec<i128>,
    /// Of which declarations the nodes are that keep to them.
    nodes: BTreeSet<ObjectId>,
}

impl NodeBounds {
    /// Of the nodes of these declarations.
    pub fn new(program: &Program, is_bounded: impl Fn(&[Link]) -> bool) -> Self {
        let of_node = |(object, origin): (ObjectId, &Origin)| match origin {
            Origin::Node { links } => (links.contains(&Link::Data) && is_bounded(links)).then_some(object),
            Origin::Input | Origin::Static { .. } | Origin::Local { .. } | Origin::Heap => None,
        };
        let nodes: BTreeSet<ObjectId> =
            (0..).map(ObjectId).zip(program.objects.iter().map(|object| &object.origin)).filter_map(of_node).collect();
        let compared = program.instructions.iter().flat_map(compared).flat_map(around);
        let compared = compared.flat_map(|bound| [Some(bound), bound.checked_neg()]).flatten();
        let bounds: BTreeSet<i128> = if nodes.is_empty() { BTreeSet::new() } else { compared.chain(thresholds(program)).collect() };
        Self { bounds: bounds.into_iter().collect(), nodes }
    }

    /// Is there nothing that could be kept?
    pub fn are_none(&self) -> bool {
        self.nodes.is_empty() || self.bounds.is_empty()
    }

    /// All of them, and their negations, in ascending order.
    pub fn all(&self) -> &[i128] {
        &self.bounds
    }

    /// Do nodes of the declaration keep to them?
    pub fn bind(&self, object: ObjectId) -> bool {
        self.nodes.contains(&object)
    }

    /// The narrowest bounds of an integer of this type between these, each of which it may have none of.
    pub fn link(&self, kind: IntegerType, (least, greatest): (Option<i128>, Option<i128>)) -> Link {
        let (low, high) = range(kind);
        let is_below = |bound: &i128| least.is_some_and(|least| *bound <= least) && *bound > low;
        let is_above = |bound: &i128| greatest.is_some_and(|greatest| *bound >= greatest) && *bound < high;
        let below = self.bounds.iter().copied().rev().find(is_below);
        let above = self.bounds.iter().copied().find(is_above);
        match (below, above) {
            (None, None) => Link::Data,
            (below, above) => Link::Range { least: below.unwrap_or(low), greatest: above.unwrap_or(high) },
        }
    }
}

/// The constants that an instruction compares with. Unlike the thresholds of what loops move, those that are told apart one by one are all of use: what
/// nodes hold are often just these.
fn compared(instruction: &Instruction) -> Vec<i128> {
    let Instruction::Branch(Branch { condition: Condition::Integers { left, right, .. }, .. }) = instruction else { return Vec::new() };
    let constant = |operand: &Operand| if let Operand::Constant(constant) = operand { Some(*constant) } else { None };
    [left, right].into_iter().filter_map(constant).collect()
}

/// A constant, one less and one more.
fn around(constant: i128) -> impl Iterator<Item = i128> {
    [constant.checked_sub(1), Some(constant), constant.checked_add(1)].into_iter().flatten()
}

/// Is it a link of an integer?
pub const fn is_integer(link: Link) -> bool {
    matches!(link, Link::Data | Link::Range { .. })
}

/// The link of an integer that is as one of these says.
pub fn hull(left: Link, right: Link) -> Link {
    match (left, right) {
        (Link::Range { least, greatest }, Link::Range { least: other_least, greatest: other_greatest }) => {
            Link::Range { least: least.min(other_least), greatest: greatest.max(other_greatest) }
        }
        _ => Link::Data,
    }
}

#[cfg(test)]
mod tests {
    use super::{NodeBounds, hull};
    use goatherd_certificates::program::{IntegerType, Link, ObjectId, Origin};
    use goatherd_flow::testing::program;

    #[test]
    fn integers_of_nodes_are_kept_to_what_the_program_asks_of_integers() {
        let program = program(
            "node-bounds",
            "struct node { int key; struct node *next; };
             void test(struct node *list) { for (; list; list = list->next) if (list->key == 1 || list->key == 2 || list->key == 3) return; }",
        );
        let bounds = NodeBounds::new(&program, |_| true);
        let nodes = program.objects.iter().position(|object| matches!(object.origin, Origin::Node { .. })).unwrap();
        let nodes = ObjectId(u32::try_from(nodes).unwrap());
        assert!(bounds.bind(nodes) && !bounds.are_none() && NodeBounds::new(&program, |_| false).are_none());
        let link = |least, greatest| bounds.link(IntegerType::I32, (least, greatest));
        // Also those that are told apart one by one.
        for constant in 0..=4 {
            assert_eq!(link(Some(constant), Some(constant)), Link::Range { least: constant, greatest: constant });
        }
        assert_eq!(link(Some(1), Some(7)), Link::Range { least: 1, greatest: i128::from(i32::MAX) });
        assert_eq!(link(Some(-9), Some(2)), Link::Range { least: i128::from(i32::MIN), greatest: 2 });
        assert_eq!(link(None, None), Link::Data);
    }

    #[test]
    fn what_two_nodes_hold_is_between_the_bounds_of_both() {
        let range = |least, greatest| Link::Range { least, greatest };
        assert_eq!(hull(range(1, 1), range(3, 4)), range(1, 4));
        assert_eq!(hull(range(1, 1), Link::Data), Link::Data);
        assert_eq!(hull(Link::Data, range(3, 4)), Link::Data);
    }
}
