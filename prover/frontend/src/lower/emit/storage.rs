//! Where variables live: in registers, one per scalar, or in an object of memory.

use super::{Emitter, Frame, Line, Outcome, values::Scalar};
use crate::lower::{
    tree::{BlockId, GlobalId, VariableId},
    types::{CType, Leaf, Shape},
};
use goatherd_certificates::program::{Access, Instruction, LayoutId, ObjectId, Origin, RegisterId, Type};

/// Scalars that a variable in registers may have.
const REGISTER_LIMIT: usize = 64;

/// Where a variable lives.
#[derive(Clone, Debug)]
pub(crate) enum Storage {
    /// One scalar per leaf, with its offset; of a parameter that is never written also a constant or the caller's register.
    Scalars(Vec<(u64, Scalar)>),
    Memory(ObjectId),
    /// An object per activation of a recursive function, to which the register points.
    Activation {
        pointer: RegisterId,
        object: ObjectId,
        bytes: u64,
    },
}

impl Emitter<'_> {
    /// The scalars of a type.
    pub(crate) fn leaves(&mut self, ctype: &CType, offset: usize) -> Outcome<Vec<Leaf>> {
        match self.records.leaves(ctype) {
            Ok(leaves) => Ok(leaves),
            Err(what) => self.unsupported(offset, what),
        }
    }

    /// The scalars of a variable of this type, if it can live in registers.
    pub(crate) fn register_leaves(&self, ctype: &CType) -> Option<Vec<Leaf>> {
        let elements = match &ctype.shape {
            Shape::Array(_, Some(length)) => *length,
            _ => 1,
        };
        if elements > REGISTER_LIMIT as u64 || self.records.meets_bytes(ctype) {
            return None;
        }
        self.records.leaves(ctype).ok().filter(|leaves| leaves.len() <= REGISTER_LIMIT)
    }

    /// The name of a variable of the frame, before it is made unique.
    pub(crate) fn variable_name(&self, variable: VariableId) -> String {
        let name = &self.function().variables[variable].name;
        let name = if name.is_empty() { "unnamed" } else { name };
        if self.frames.len() == 1 { name.to_owned() } else { format!("{}:{name}", self.function().name) }
    }

    /// New registers for the scalars of a variable.
    pub(crate) fn scalar_storage(&mut self, name: &str, leaves: &[Leaf]) -> Storage {
        let scalars = leaves.iter().map(|leaf| {
            let name = member_name(name, &leaf.name);
            (leaf.offset, Scalar::of(self.register(&name, leaf.kind), leaf.kind))
        });
        Storage::Scalars(scalars.collect())
    }

    /// Where a variable of the frame lives; decided when it is first asked for.
    pub(crate) fn variable_storage(&mut self, variable: VariableId) -> Outcome<Storage> {
        if let Some(storage) = &self.frame().variables[variable] {
            return Ok(storage.clone());
        }
        let declared = &self.function().variables[variable];
        let name = self.variable_name(variable);
        let leaves = if declared.addressed { None } else { self.register_leaves(&declared.ctype) };
        let storage = if let Some(leaves) = leaves {
            self.scalar_storage(&name, &leaves)
        } else {
            let (layout, count) = self.array_layout(&declared.ctype, declared.offset)?;
            match self.present(variable) {
                Some(contents) => {
                    let origin = Origin::Static { count, contents, access: Access::ReadWrite };
                    Storage::Memory(self.object(&name, layout, origin))
                }
                None => self.variable_in_memory(&name, layout, count),
            }
        };
        self.frame_mut().variables[variable] = Some(storage.clone());
        Ok(storage)
    }

    /// Where a variable of the frame lives that is no register: of a recursive function each activation has its own.
    pub(crate) fn variable_in_memory(&mut self, name: &str, layout: LayoutId, count: u64) -> Storage {
        if self.is_stacked(self.frame().function) {
            self.activation(name, layout, count)
        } else {
            Storage::Memory(self.object(name, layout, Origin::Local { count }))
        }
    }

    /// Where a global lives: in memory if its address is taken, else in registers that are set before anything else runs.
    pub(crate) fn global_storage(&mut self, id: GlobalId) -> Outcome<Storage> {
        if let Some(storage) = &self.globals[id] {
            return Ok(storage.clone());
        }
        let global = &self.unit.globals[id];
        let leaves = if global.addressed { None } else { self.register_leaves(&global.ctype) };
        let storage = match leaves {
            Some(leaves) => {
                let storage = self.scalar_storage(&global.name, &leaves);
                self.globals[id] = Some(storage.clone());
                self.initialise_global(id, &storage)?;
                storage
            }
            None => Storage::Memory(self.static_object(id)?),
        };
        self.globals[id] = Some(storage.clone());
        Ok(storage)
    }

    /// A block begins: its variables come into being.
    pub(crate) fn enter_block(&mut self, block: BlockId, offset: usize) {
        self.frame_mut().blocks.push(block);
        for variable in &self.function().blocks[block] {
            match self.variable_storage(*variable) {
                Ok(Storage::Memory(object)) if self.is_present(object) => {}
                Ok(Storage::Memory(object)) => self.push(Instruction::Enter { object }, offset),
                Ok(Storage::Activation { pointer, object, bytes }) => self.enter_activation(pointer, object, bytes, offset),
                Ok(Storage::Scalars(scalars)) if self.function().variables[*variable].owns_array => self.begin_array(&scalars, offset),
                Ok(Storage::Scalars(scalars)) if self.function().variables[*variable].skipped => self.uninitialise(&scalars, offset),
                // What is wrong has been said; the rest of the block is still of interest.
                Ok(Storage::Scalars(_)) | Err(_) => {}
            }
        }
    }

    /// The innermost block ends.
    pub(crate) fn leave_block(&mut self, offset: usize) {
        let depth = self.frame().blocks.len().saturating_sub(1);
        self.emit_leaves(depth, offset);
        self.frame_mut().blocks.pop();
    }

    /// The objects of all blocks beyond the first `depth` die; the blocks stay open for the code that follows in the text.
    pub(crate) fn emit_leaves(&mut self, depth: usize, offset: usize) {
        let blocks: Vec<BlockId> = self.frame().blocks.iter().skip(depth).rev().copied().collect();
        for block in blocks {
            for variable in self.function().blocks[block].iter().rev() {
                match &self.frame().variables[*variable] {
                    Some(Storage::Memory(object)) if self.is_present(*object) => {}
                    Some(Storage::Memory(object)) => {
                        let object = *object;
                        self.push(Instruction::Leave { object }, offset);
                    }
                    Some(Storage::Activation { pointer, .. }) => {
                        let pointer = *pointer;
                        self.push(Instruction::Free { pointer }, offset);
                    }
                    Some(Storage::Scalars(scalars)) if self.function().variables[*variable].owns_array => {
                        let pointer = scalars.first().and_then(|(_, scalar)| scalar.register());
                        self.lines.extend(pointer.map(|pointer| Line { instruction: Instruction::Free { pointer }, offset }));
                    }
                    _ => {}
                }
            }
        }
    }

    /// A jump into blocks past their declarations: objects come into being, scalars hold nothing.
    pub(crate) fn emit_enters(&mut self, blocks: &[BlockId], offset: usize) {
        for block in blocks {
            for variable in &self.function().blocks[*block] {
                match self.variable_storage(*variable) {
                    Ok(Storage::Memory(object)) => self.push(Instruction::Enter { object }, offset),
                    Ok(Storage::Activation { pointer, object, bytes }) => self.enter_activation(pointer, object, bytes, offset),
                    Ok(Storage::Scalars(scalars)) if self.function().variables[*variable].owns_array => self.begin_array(&scalars, offset),
                    Ok(Storage::Scalars(scalars)) => self.uninitialise(&scalars, offset),
                    Err(_) => {}
                }
            }
        }
    }

    /// Before an array of variable length begins, its pointer is NULL.
    fn begin_array(&mut self, scalars: &[(u64, Scalar)], offset: usize) {
        for target in scalars.iter().filter_map(|(_, scalar)| scalar.register()) {
            self.push(Instruction::Null { target }, offset);
        }
    }

    /// The registers that point to arrays of variable length in the blocks that are open, of this function and of those that call it.
    pub(crate) fn open_arrays(&self) -> Vec<RegisterId> {
        let of_frame = |frame: &Frame| {
            let function = &self.unit.functions[frame.function];
            let variables = frame.blocks.iter().flat_map(|block| &function.blocks[*block]);
            let owners = variables.filter(|variable| function.variables[**variable].owns_array);
            let register = |variable: &VariableId| match &frame.variables[*variable] {
                Some(Storage::Scalars(scalars)) => scalars.first().and_then(|(_, scalar)| scalar.register()),
                _ => None,
            };
            owners.filter_map(register).collect::<Vec<_>>()
        };
        self.frames.iter().flat_map(of_frame).collect()
    }

    pub(crate) fn uninitialise(&mut self, scalars: &[(u64, Scalar)], offset: usize) {
        for target in scalars.iter().filter_map(|(_, scalar)| scalar.register()) {
            self.push(Instruction::Uninitialise { target }, offset);
        }
    }

    /// Has the function variables in memory?
    pub(crate) fn has_objects(&self, function: usize) -> bool {
        let variables = &self.unit.functions[function].variables;
        variables.iter().any(|variable| variable.addressed || variable.owns_array || self.register_leaves(&variable.ctype).is_none())
    }

    /// A pointer to element 0 of a variable in memory.
    pub(crate) fn address_of(&mut self, storage: &Storage, want: Option<RegisterId>, offset: usize) -> RegisterId {
        match *storage {
            Storage::Activation { pointer, .. } => pointer,
            Storage::Memory(object) => {
                let target = self.target(want, Type::Pointer);
                self.push(Instruction::Address { target, object }, offset);
                target
            }
            // The caller has looked.
            Storage::Scalars(_) => self.target(want, Type::Pointer),
        }
    }
}

/// `name.member`, or `name[3]`.
pub(crate) fn member_name(name: &str, member: &str) -> String {
    if member.is_empty() || member.starts_with('[') { format!("{name}{member}") } else { format!("{name}.{member}") }
}
