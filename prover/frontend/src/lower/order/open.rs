//! Parts that C evaluates only sometimes, taken apart: where others come in the middle of one, the condition is kept in a variable, and each event of
//! the part happens where the condition held.

use super::{
    choices::{Choice, choice},
    effects::Scene,
    events::{self, Kind, Operations, Visitor, Walk},
};
use crate::lower::{
    tree::{Expression, ExpressionKind},
    types::CType,
};
use std::{collections::BTreeSet, ops::Range};

/// Opens blocks, given by their events: keeps their conditions, so that what is evaluated only sometimes becomes events of its own, which happen where
/// the condition held. Gives how many have been opened.
pub(super) fn open(scene: &mut Scene<'_>, expression: &mut Expression, operations: Operations, blocks: &BTreeSet<usize>) -> usize {
    let keepers = scene.keepers();
    let mut opener = Opener { scene, blocks, opened: 0 };
    Walk::new(&mut opener, operations, keepers).walk(expression);
    opener.opened
}

struct Opener<'s, 'a> {
    scene: &'s mut Scene<'a>,
    blocks: &'s BTreeSet<usize>,
    opened: usize,
}

impl Visitor for Opener<'_, '_> {
    fn may_fail(&self, node: &Expression) -> bool {
        self.scene.operation_fails(node)
    }

    fn event(&mut self, kind: Kind, node: &mut Expression, range: Range<usize>, _guards: &[Expression]) {
        if kind != Kind::Block || !self.blocks.contains(&range.end) {
            return;
        }
        let Some(Choice { condition, .. }) = choice(node) else { return };
        self.opened += 1;
        let flag = self.scene.temporary(&Expression::constant(0, CType::int(), condition.offset));
        events::write_test(condition);
        let value = std::mem::replace(condition, Expression::constant(0, CType::int(), flag.offset));
        let keep = ExpressionKind::Assign { place: Box::new(flag), value: Box::new(value) };
        *condition = Expression::new(keep, CType::int(), condition.offset);
    }
}
