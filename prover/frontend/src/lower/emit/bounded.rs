//! Between which bounds the results of operations lie none of whose operands is a constant. The calculus knows them as terms of their own
//! (`spec/calculus.md#step`), of which it has no such rule: so the program says it (`spec/program.md#bounds-of-results`).

use super::Emitter;
use crate::lower::types::is_signed;
use goatherd_certificates::program::{Compute, Condition, Instruction, IntegerType, Operand, Operation, Relation};

/// The left side is at most the right one, or less.
type Order = (Operand, Relation, Operand);

impl Emitter<'_> {
    /// Ignores executions, of which there is none, in which the result of this operation in the type lies elsewhere.
    pub(super) fn state_bounds(&mut self, compute: &Compute, kind: IntegerType, offset: usize) {
        let facts = facts(compute, kind);
        if facts.is_empty() {
            return;
        }
        let (end, impossible) = (self.mark(), self.mark());
        let guards = if is_signed(kind) { guards(compute) } else { Vec::new() };
        let guarded = guards.into_iter().map(|guard| (guard, end));
        for ((left, relation, right), otherwise) in guarded.chain(facts.into_iter().map(|fact| (fact, impossible))) {
            let next = self.mark();
            self.push_branch(Condition::Integers { relation, left, right }, next, otherwise, offset);
            self.bind(next);
        }
        self.jump(end, offset);
        self.bind(impossible);
        self.push(Instruction::Ignore, offset);
        self.bind(end);
    }
}

/// Does the operation have bounds to be stated? Its operands must still be there then.
pub(super) fn has_bounds(operation: Operation, kind: IntegerType, left: Operand, right: Operand) -> bool {
    let is_divided = matches!(operation, Operation::Divide | Operation::Remainder);
    let is_masked = matches!(operation, Operation::And | Operation::ShiftRight) && !is_signed(kind);
    let are_open = [left, right].iter().all(|operand| matches!(operand, Operand::Register(_)));
    are_open && (is_divided || is_masked)
}

/// Where the bounds of an operation on signed integers hold.
fn guards(compute: &Compute) -> Vec<Order> {
    [(0, compute.left), (1, compute.right)].map(|(least, operand)| (Operand::Constant(least), Relation::LessOrEqual, operand)).to_vec()
}

/// The bounds: C11 6.5.5p6, 6.5.7p5 and 6.5.10p4.
fn facts(compute: &Compute, kind: IntegerType) -> Vec<Order> {
    let Compute { target, operation, left, right } = *compute;
    if !has_bounds(operation, kind, left, right) {
        return Vec::new();
    }
    let result = Operand::Register(target);
    let least = is_signed(kind).then_some((Operand::Constant(0), Relation::LessOrEqual, result));
    let at_most = |operand| (result, Relation::LessOrEqual, operand);
    let greatest = match operation {
        Operation::Remainder => vec![(result, Relation::Less, right)],
        Operation::And => vec![at_most(left), at_most(right)],
        _ => vec![at_most(left)],
    };
    least.into_iter().chain(greatest).collect()
}
