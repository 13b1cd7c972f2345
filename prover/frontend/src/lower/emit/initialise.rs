//! Initialisation of local variables (C11 6.7.9).

use super::{Emitter, Outcome, storage::Storage, values::Scalar};
use crate::lower::{
    tree::{ExpressionKind, Item, VariableId},
    types::{CType, Leaf},
};
use goatherd_certificates::program::{
    Advance, Compute, Condition, Instruction, IntegerType, Operand, Operation, RegisterId, Relation, Type,
};
use std::collections::BTreeSet;

/// Scalars of an array that are set to zero one by one; more are set by a loop.
const UNROLLED_ZEROS: u64 = 32;

impl Emitter<'_> {
    /// Gives a variable its initial value; what the items do not mention is zero.
    pub(crate) fn initialise(&mut self, variable: VariableId, items: &[Item], offset: usize) -> Outcome<()> {
        let ctype = &self.function().variables[variable].ctype;
        match self.variable_storage(variable)? {
            Storage::Scalars(scalars) => self.initialise_scalars(&scalars, items, offset),
            storage @ (Storage::Memory(_) | Storage::Activation { .. }) => {
                // The value of a single scalar may take long to compute: the address comes after it.
                if let ([item], true) = (items, ctype.is_scalar()) {
                    let values = self.evaluate(&item.value, None)?.scalars();
                    let leaves = self.item_targets(item)?;
                    self.set(&storage, &leaves, &values, item.value.offset);
                    return Ok(());
                }
                if matches!(storage, Storage::Memory(object) if self.is_present(object)) {
                    return Ok(());
                }
                let address = self.address_of(&storage, None, offset);
                self.initialise_memory(address, ctype, items, offset)
            }
        }
    }

    fn initialise_scalars(&mut self, scalars: &[(u64, Scalar)], items: &[Item], offset: usize) -> Outcome<()> {
        // The initialiser may mention the variable, which holds nothing yet.
        if items.iter().any(|item| !matches!(item.value.kind, ExpressionKind::Constant(_))) {
            self.uninitialise(scalars, offset);
        }
        let mut done = BTreeSet::new();
        for item in items {
            let targets = self.item_targets(item)?;
            let registers: Vec<RegisterId> = targets
                .iter()
                .filter_map(|leaf| {
                    let at = item.offset + leaf.offset;
                    done.insert(at);
                    scalars.iter().find(|(known, _)| *known == at).and_then(|(_, scalar)| scalar.register())
                })
                .collect();
            if let ([register], true) = (&registers[..], item.value.ctype.is_scalar()) {
                self.evaluate_into(&item.value, *register)?;
            } else {
                let values = self.evaluate(&item.value, None)?.scalars();
                for (register, value) in registers.into_iter().zip(values) {
                    self.move_to(register, value, item.value.offset);
                }
            }
        }
        for (at, scalar) in scalars {
            if let (false, Some(register)) = (done.contains(at), scalar.register()) {
                self.move_to(register, Scalar::zero(self.kind_of(register)), offset);
            }
        }
        Ok(())
    }

    fn item_targets(&mut self, item: &Item) -> Outcome<Vec<Leaf>> {
        self.leaves(&item.value.ctype, item.value.offset)
    }

    fn initialise_memory(&mut self, address: RegisterId, ctype: &CType, items: &[Item], offset: usize) -> Outcome<()> {
        let element = ctype.base_element();
        let leaves = self.leaves(element, offset)?;
        let size = self.records.size(element).unwrap_or(1);
        let count = self.records.size(ctype).unwrap_or(0) / size;
        let mut set = BTreeSet::new();
        for item in items {
            for leaf in self.item_targets(item)? {
                set.insert(item.offset + leaf.offset);
            }
        }
        let scalars = count.saturating_mul(leaves.len() as u64);
        if scalars.saturating_sub(set.len() as u64) > UNROLLED_ZEROS {
            self.zero_loop(address, &leaves, size, count, offset);
        } else {
            for index in 0..count {
                for leaf in &leaves {
                    let at = index * size + leaf.offset;
                    if !set.contains(&at) {
                        let place = Leaf { offset: at, ..leaf.clone() };
                        let in_use = self.temporaries_in_use();
                        self.store(address, 0, &place, Scalar::zero(leaf.kind), offset);
                        self.release(in_use);
                    }
                }
            }
        }
        for item in items {
            let in_use = self.temporaries_in_use();
            let leaves = self.item_targets(item)?;
            let values = self.evaluate(&item.value, None)?.scalars();
            for (leaf, value) in leaves.iter().zip(values) {
                let place = Leaf { offset: item.offset + leaf.offset, ..leaf.clone() };
                self.store(address, 0, &place, value, item.value.offset);
            }
            self.release(in_use);
        }
        Ok(())
    }

    /// Sets all elements to zero, one after the other.
    fn zero_loop(&mut self, address: RegisterId, leaves: &[Leaf], size: u64, count: u64, offset: usize) {
        let in_use = self.temporaries_in_use();
        let kind = Type::Integer(IntegerType::U64);
        let index = self.temporary(kind);
        let element = self.temporary(Type::Pointer);
        let (head, inside, end) = (self.mark(), self.mark(), self.mark());
        self.push(Instruction::Assign { target: index, value: Operand::Constant(0) }, offset);
        self.bind(head);
        let (left, right) = (Operand::Register(index), Operand::Constant(i128::from(count)));
        self.push_branch(Condition::Integers { relation: Relation::Less, left, right }, inside, end, offset);
        self.bind(inside);
        let scale = i64::try_from(size).unwrap_or(i64::MAX);
        self.push(Instruction::Advance(Advance { target: element, base: address, index: left, scale }), offset);
        for leaf in leaves {
            self.store(element, 0, leaf, Scalar::zero(leaf.kind), offset);
        }
        self.push(Instruction::Compute(Compute { target: index, operation: Operation::Add, left, right: Operand::Constant(1) }), offset);
        self.jump(head, offset);
        self.bind(end);
        self.release(in_use);
    }
}
