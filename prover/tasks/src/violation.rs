//! Which part of a property a failing run violates. Runs fail in more ways than properties speak of: a null pointer that is read violates
//! `valid-deref` and not `unreach-call`, and division by zero neither.

use crate::property::{Specification, Subproperty};
use goatherd_certificates::program::{Compute, Instruction, Operation};
use goatherd_interpreter::{FailReason, Failure};
use std::collections::BTreeSet;

/// The last step of a failing run.
#[derive(Clone, Copy, Debug)]
pub struct LastStep<'a> {
    /// What failed.
    pub instruction: &'a Instruction,
    /// How.
    pub failure: Failure,
    /// The function that the source calls there, if a call is what fails.
    pub callee: Option<&'a str>,
}

/// The part of the property that a run violates which ends so; none where the property does not speak of it. `errors` are the functions
/// whose failing calls are calls of the function that may not be called.
#[must_use]
pub fn violated(property: &Specification, last: LastStep<'_>, errors: &BTreeSet<String>) -> Option<Subproperty> {
    let LastStep { instruction, failure, callee } = last;
    let is_access = matches!(instruction, Instruction::Load { .. } | Instruction::Store { .. });
    let part = match failure {
        Failure::Program(FailReason::Assertion | FailReason::Reached) if callee.is_some_and(|callee| errors.contains(callee)) => {
            Subproperty::UnreachCall(property.function()?.to_owned())
        }
        // Of a load and a store, what is uninitialised is the address.
        Failure::NullAccess | Failure::OutOfBounds | Failure::DeadObject | Failure::Uninitialised if is_access => Subproperty::ValidDeref,
        Failure::InvalidFree | Failure::DeadObject | Failure::Uninitialised if matches!(instruction, Instruction::Free { .. }) => {
            Subproperty::ValidFree
        }
        // Nothing leads to an object that lives when the program ends: memory was lost, and never freed.
        Failure::Leak if property.asks_for(&Subproperty::ValidMemtrack) => Subproperty::ValidMemtrack,
        Failure::Leak => Subproperty::ValidMemcleanup,
        Failure::DivisionOverflow => Subproperty::NoOverflow,
        // A negative number that is shifted has a result that its type may have.
        Failure::SignedOverflow if !matches!(instruction, Instruction::Compute(Compute { operation: Operation::ShiftLeft, .. })) => {
            Subproperty::NoOverflow
        }
        _ => return None,
    };
    property.asks_for(&part).then_some(part)
}

#[cfg(test)]
mod tests {
    use super::{LastStep, Specification, Subproperty, violated};
    use goatherd_certificates::program::{Compute, FailKind, Instruction, Location, Operand, Operation, RegisterId};
    use goatherd_interpreter::{FailReason, Failure};

    #[test]
    fn a_failure_violates_what_speaks_of_it() {
        let function = "reach_error".to_owned();
        let parts =
            vec![Subproperty::UnreachCall(function.clone()), Subproperty::ValidDeref, Subproperty::ValidFree, Subproperty::NoOverflow];
        let property = Specification { entry: "main".to_owned(), parts };
        let register = RegisterId(0);
        let load = Instruction::Load { target: register, address: register, offset: 0 };
        let free = Instruction::Free { pointer: register };
        let fail = Instruction::Fail { kind: FailKind::Reached };
        let jump = Instruction::Jump { target: Location(0) };
        let compute = |operation| {
            Instruction::Compute(Compute { target: register, operation, left: Operand::Register(register), right: Operand::Constant(1) })
        };
        let of = |instruction: &Instruction, failure, callee| {
            violated(&property, LastStep { instruction, failure, callee }, &[function.clone()].into())
        };
        let reached = Failure::Program(FailReason::Reached);
        assert_eq!(of(&fail, reached, Some("reach_error")), Some(Subproperty::UnreachCall(function.clone())));
        assert_eq!(of(&fail, reached, Some("__VERIFIER_error")), None);
        assert_eq!(of(&fail, reached, None), None);
        assert_eq!(of(&fail, Failure::Program(FailReason::Unreachable), Some("reach_error")), None);
        assert_eq!(of(&load, Failure::NullAccess, None), Some(Subproperty::ValidDeref));
        assert_eq!(of(&jump, Failure::NullAccess, None), None);
        assert_eq!(of(&load, Failure::ReadOnly, None), None);
        assert_eq!(of(&free, Failure::DeadObject, None), Some(Subproperty::ValidFree));
        assert_eq!(of(&compute(Operation::Add), Failure::SignedOverflow, None), Some(Subproperty::NoOverflow));
        assert_eq!(of(&compute(Operation::ShiftLeft), Failure::SignedOverflow, None), None);
        let check = Instruction::CheckLeaks { roots: Vec::new() };
        let leak = |parts: Vec<Subproperty>| {
            let property = Specification { entry: "main".to_owned(), parts };
            violated(&property, LastStep { instruction: &check, failure: Failure::Leak, callee: None }, &[].into())
        };
        assert_eq!(leak(vec![Subproperty::ValidDeref, Subproperty::ValidMemtrack]), Some(Subproperty::ValidMemtrack));
        assert_eq!(leak(vec![Subproperty::ValidMemcleanup]), Some(Subproperty::ValidMemcleanup));
        assert_eq!(leak(vec![Subproperty::ValidDeref]), None);
        let property = Specification { entry: "main".to_owned(), parts: vec![Subproperty::ValidFree] };
        assert_eq!(violated(&property, LastStep { instruction: &load, failure: Failure::NullAccess, callee: None }, &[].into()), None);
    }
}
