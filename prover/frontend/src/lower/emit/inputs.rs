//! The parameters of the entry function as inputs of the program.

use super::{
    Emitter, Outcome,
    nodes::Purpose,
    storage::{Storage, member_name},
    values::Scalar,
};
use crate::lower::{
    tree::VariableId,
    types::{CType, Leaf, Shape},
};
use goatherd_certificates::program::{ArrayInput, Condition, Input, Instruction, Operand, Origin, RegisterId, Relation, Type};
use std::collections::BTreeSet;

/// A parameter in memory, to be written when the entry function's block has begun.
pub(crate) struct Stored {
    parameter: VariableId,
    storage: Storage,
    leaves: Vec<Leaf>,
    values: Vec<Scalar>,
    offset: usize,
}

impl Emitter<'_> {
    /// Writes the parameters that are in memory.
    pub(crate) fn store_inputs(&mut self, stored: &[Stored]) {
        for parameter in stored {
            self.set(&parameter.storage, &parameter.leaves, &parameter.values, parameter.offset);
        }
    }

    /// Where the parameters are before those in memory are written.
    pub(crate) fn input_registers(&mut self, stored: &[Stored]) -> Vec<RegisterId> {
        let mut registers = Vec::new();
        for parameter in &self.function().parameters {
            let in_memory = stored.iter().find(|stored| stored.parameter == *parameter);
            let scalars = match in_memory {
                Some(stored) => stored.values.clone(),
                None => match self.variable_storage(*parameter) {
                    Ok(Storage::Scalars(scalars)) => scalars.into_iter().map(|(_, scalar)| scalar).collect(),
                    _ => Vec::new(),
                },
            };
            registers.extend(scalars.into_iter().filter_map(Scalar::register));
        }
        registers
    }

    /// Copies every pointer that the program is given: its caller still has it in the end.
    pub(crate) fn keep_inputs(&mut self, offset: usize) -> Vec<RegisterId> {
        let given = self.inputs.iter().filter_map(|input| match *input {
            Input::Integer { .. } => None,
            Input::Array(ArrayInput { pointer, .. }) | Input::Single { pointer, .. } | Input::Linked { pointer, .. } => Some(pointer),
        });
        let given: Vec<RegisterId> = given.collect();
        let keep = |source| {
            let target = self.register("given", Type::Pointer);
            self.push(Instruction::Copy { target, source }, offset);
            target
        };
        given.into_iter().map(keep).collect()
    }

    /// Makes every parameter an input. What is wrong with one is said, and the next one is looked at.
    pub(crate) fn entry_inputs(&mut self) -> Outcome<Vec<Stored>> {
        let function = self.function();
        if function.name == "main" && self.is_argument_vector(&function.parameters) {
            return self.main_arguments(&function.parameters);
        }
        let outcomes: Vec<Outcome<Option<Stored>>> = function.parameters.iter().map(|parameter| self.parameter(*parameter)).collect();
        outcomes.into_iter().filter_map(Outcome::transpose).collect()
    }

    /// `int argc, char **argv`.
    fn is_argument_vector(&self, parameters: &[VariableId]) -> bool {
        let variables = &self.function().variables;
        match parameters {
            [count, vector, ..] => {
                let pointee = variables[*vector].ctype.pointee().and_then(CType::pointee);
                variables[*count].ctype.as_integer().is_some() && pointee.is_some_and(|target| self.is_untyped(target))
            }
            _ => false,
        }
    }

    /// How many arguments `main` is given is any number that is not negative (C11 5.1.2.2.1); what they are is not modelled, so that a program
    /// that looks at them is refused.
    fn main_arguments(&mut self, parameters: &[VariableId]) -> Outcome<Vec<Stored>> {
        let Some((&count, vectors)) = parameters.split_first() else { return Ok(Vec::new()) };
        let offset = self.function().variables[count].offset;
        let stored = self.parameter(count)?;
        if let Some(&Input::Integer { register }) = self.inputs.last() {
            let (negative, other) = (self.mark(), self.mark());
            let (left, right) = (Operand::Register(register), Operand::Constant(0));
            let condition = Condition::Integers { relation: Relation::Less, left, right };
            self.push_branch(condition, negative, other, offset);
            self.bind(negative);
            self.push(Instruction::Ignore, offset);
            self.bind(other);
        }
        self.unmodelled = vectors.to_vec();
        Ok(stored.into_iter().collect())
    }

    fn parameter(&mut self, parameter: VariableId) -> Outcome<Option<Stored>> {
        let variable = &self.function().variables[parameter];
        let (name, offset) = (variable.name.clone(), variable.offset);
        let ctype = variable.ctype.unqualified();
        if self.records.leads_to_numbers(&ctype, &mut BTreeSet::new()) {
            return self.unsupported(offset, "an input with a union of pointers and integers");
        }
        let leaves = self.leaves(&ctype, offset)?;
        let storage = self.scalar_storage(&name, &leaves);
        let Storage::Scalars(scalars) = &storage else { return Ok(None) };
        let registers: Vec<RegisterId> = scalars.iter().filter_map(|(_, scalar)| scalar.register()).collect();
        match &ctype.shape {
            Shape::Integer(_) => self.inputs.extend(registers.iter().map(|register| Input::Integer { register: *register })),
            Shape::Pointer(target) => {
                for register in &registers {
                    self.pointer_input(&name, *register, target, offset)?;
                }
            }
            Shape::Record(_) => self.record_input(&name, &leaves, &registers, offset)?,
            _ => return self.unsupported(offset, "a parameter of this type of the entry function"),
        }
        if variable.addressed {
            // The variable is in memory: its value is written there when it has come into being.
            let values: Vec<Scalar> = registers.iter().zip(&leaves).map(|(register, leaf)| Scalar::of(*register, leaf.kind)).collect();
            let (layout, count) = self.array_layout(&variable.ctype, offset)?;
            let storage = self.variable_in_memory(&name, layout, count);
            self.frame_mut().variables[parameter] = Some(storage.clone());
            return Ok(Some(Stored { parameter, storage, leaves, values, offset }));
        }
        self.frame_mut().variables[parameter] = Some(storage);
        Ok(None)
    }

    /// `T *p`: a list, a tree or one struct.
    fn pointer_input(&mut self, name: &str, pointer: RegisterId, target: &CType, offset: usize) -> Outcome<()> {
        let Shape::Record(id) = target.shape else {
            let ctype = self.records.name(&target.clone().pointer_to());
            let last = name.rsplit('.').next().unwrap_or(name);
            let help = if target.as_integer().is_some() {
                let entry = &self.function().name;
                format!(
                    "take a struct {{ {ctype}{last}; size_t n_{last}; }} by value: an array of n_{last} elements; `goatherd harness FILE.c --entry {entry}` writes such a test of {entry}, to be named in place of FILE.c"
                )
            } else {
                "an input is an integer, a struct by value with arrays of integers and their lengths, a struct, a list or a tree: make what this points to in a test, and call the function there".to_owned()
            };
            let what = format!("an input '{name}' of type '{ctype}', whose length nobody knows");
            return self.unsupported_with_help(offset, &what, Some(help));
        };
        self.no_flexible_member(name, target, offset)?;
        if self.linked.contains(id) {
            let object = self.node(id, Purpose::Input, offset)?;
            self.inputs.push(Input::Linked { pointer, object });
        } else {
            let layout = self.layout(&target.unqualified(), offset)?;
            let object = self.object(&format!("*{name}"), layout, Origin::Input);
            self.inputs.push(Input::Single { pointer, object });
        }
        Ok(())
    }

    /// The members of a struct passed by value; `X` and `n_X` are an array and its length.
    fn record_input(&mut self, name: &str, leaves: &[Leaf], registers: &[RegisterId], offset: usize) -> Outcome<()> {
        let find = |wanted: &str| leaves.iter().position(|leaf| leaf.name == wanted);
        let length_name = |name: &str| match name.rsplit_once('.') {
            Some((outer, last)) => format!("{outer}.n_{last}"),
            None => format!("n_{name}"),
        };
        let mut lengths = Vec::new();
        for leaf in leaves.iter().filter(|leaf| leaf.kind == Type::Pointer) {
            lengths.extend(find(&length_name(&leaf.name)).filter(|index| leaves[*index].kind != Type::Pointer));
        }
        for (index, leaf) in leaves.iter().enumerate() {
            let full_name = member_name(name, &leaf.name);
            if leaf.kind != Type::Pointer {
                if !lengths.contains(&index) {
                    self.inputs.push(Input::Integer { register: registers[index] });
                }
                continue;
            }
            let Some(target) = leaf.pointee.as_deref() else { continue };
            match find(&length_name(&leaf.name)).filter(|length| lengths.contains(length)) {
                Some(length) => self.array_input(&full_name, target, registers[index], registers[length], offset)?,
                None => self.pointer_input(&full_name, registers[index], target, offset)?,
            }
        }
        Ok(())
    }

    fn array_input(&mut self, name: &str, target: &CType, pointer: RegisterId, length: RegisterId, offset: usize) -> Outcome<()> {
        if !matches!(target.shape, Shape::Integer(_) | Shape::Record(_)) {
            let target = self.records.name(target);
            return self.unsupported(offset, &format!("an input array '{name}' of elements of type '{target}'"));
        }
        self.no_flexible_member(name, target, offset)?;
        let layout = self.layout(&target.unqualified(), offset)?;
        if self.layouts[layout.index()].fields.iter().any(|field| field.kind == Type::Pointer) {
            return self.unsupported(offset, &format!("pointers in the elements of the input array '{name}'"));
        }
        let object = self.object(name, layout, Origin::Input);
        self.inputs.push(Input::Array(ArrayInput { pointer, length, object }));
        Ok(())
    }
    /// Nobody knows how many elements there are behind such a struct.
    fn no_flexible_member(&mut self, name: &str, target: &CType, offset: usize) -> Outcome<()> {
        match self.records.unit(target) {
            Some(_) => self.unsupported(offset, &format!("an input '{name}' that ends with a flexible array member")),
            None => Ok(()),
        }
    }
}
