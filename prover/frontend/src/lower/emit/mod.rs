//! From the typed tree to instructions: calls are inlined, expressions become straight code and branches.

mod bits;
mod calls;
pub(super) mod clean;
mod conditions;
mod expressions;
mod frames;
mod heap;
mod initialise;
mod inputs;
mod knots;
mod nodes;
mod numbers;
mod objects;
mod payloads;
mod pointers;
mod present;
mod reallocation;
mod recursion;
mod statements;
mod storage;
mod tail;
mod updates;
mod values;

use crate::{
    diagnostics::{Diagnostic, Kind},
    lower::{
        Leaks, RETURNED,
        linked::Linked,
        tree::{BlockId, FunctionId, Unit, VariableId},
        types::Records,
        undefined_behavior::UndefinedBehavior,
        waivers::Waived,
    },
};
use goatherd_certificates::program::{
    Branch, Condition, FailKind, Input, Instruction, Layout, Location, Object, Operand, PointerOperand, Program, Register, RegisterId,
    Relation, Table, Type,
};
use std::collections::{BTreeMap, BTreeSet};
use storage::Storage;
use values::Scalar;

/// A diagnostic has been raised; there is no value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raised;

pub(crate) type Outcome<T> = Result<T, Raised>;

/// Instructions that a program may have after inlining.
const INSTRUCTION_LIMIT: usize = 1 << 18;

/// How a pointer to an element of an array inside a struct is made.
#[derive(Clone, Copy)]
pub(crate) enum Elements<'a> {
    /// The index is told apart.
    Told,
    /// The pointer is moved by the index, but for what is made at these places of the text.
    MovedBut(&'a BTreeSet<usize>),
}

/// What is written.
pub(crate) struct Emitted {
    /// The program and the offset of each instruction in the text.
    pub(crate) placed: (Program, Vec<usize>),
    /// By the offset of an instruction that fails since C leaves undefined what happens there: what that is.
    pub(crate) undefined: BTreeMap<usize, UndefinedBehavior>,
    /// The offsets of what moves a pointer to an element of an array inside a struct by an index that is not told apart.
    pub(crate) moved: BTreeSet<usize>,
}

/// The program, or all that is wrong.
pub(crate) fn emit(
    (unit, records): (&Unit, &Records),
    leaks: Leaks,
    waived: &Waived<'_>,
    elements: Elements<'_>,
) -> Result<Emitted, Vec<Diagnostic>> {
    let mut emitter = Emitter::new(unit, records, waived, elements);
    emitter.program(leaks);
    if emitter.resolve_heap().is_err() || emitter.check_frees().is_err() || !emitter.diagnostics.is_empty() {
        return Err(emitter.diagnostics);
    }
    emitter.tie_knots();
    emitter.hang_payloads();
    emitter.write_frames();
    emitter.keep_contents();
    let undefined = std::mem::take(&mut emitter.undefined);
    let moved = std::mem::take(&mut emitter.moved);
    Ok(Emitted { placed: clean::finish(emitter.into_draft()), undefined, moved })
}

/// A position in the code that is bound later.
pub(crate) type Mark = u32;

/// An instruction whose locations are marks, and where it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) instruction: Instruction,
    pub(crate) offset: usize,
}

/// A program with marks.
pub(crate) struct Draft {
    pub(crate) program: Program,
    pub(crate) lines: Vec<Line>,
    /// Per mark: the line that it stands before.
    pub(crate) marks: Vec<usize>,
    /// Lines that test assertions.
    pub(crate) assertions: BTreeSet<usize>,
}

/// What is known while instructions are written.
pub(crate) struct Emitter<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) records: &'a Records,
    waived: &'a Waived<'a>,
    elements: Elements<'a>,
    moved: BTreeSet<usize>,
    diagnostics: Vec<Diagnostic>,
    registers: Vec<Register>,
    names: BTreeMap<String, usize>,
    layouts: Vec<Layout>,
    objects: Vec<Object>,
    tables: Vec<Table>,
    inputs: Vec<Input>,
    lines: Vec<Line>,
    /// Initialises the registers of globals; runs first.
    prologue: Vec<Line>,
    marks: Vec<usize>,
    assertions: BTreeSet<usize>,
    undefined: BTreeMap<usize, UndefinedBehavior>,
    frames: Vec<Frame>,
    stacks: Vec<recursion::Stack>,
    regions: Vec<Vec<Pending>>,
    temporaries: Temporaries,
    globals: Vec<Option<Storage>>,
    /// Parameters of the entry function whose values no input stands for.
    unmodelled: Vec<VariableId>,
    /// Registers of globals: a call may change them.
    shared: BTreeSet<RegisterId>,
    heap: heap::Sites,
    replacements: Vec<reallocation::Replacement>,
    /// The types of linked inputs.
    linked: Linked,
    /// Those of nodes that are allocated.
    allocated: Linked,
    /// Registers that point to functions from the start to the end.
    pointers: BTreeMap<RegisterId, pointers::FunctionPointer>,
    /// From where pointers that were made of numbers are counted.
    numbers: Option<RegisterId>,
}

/// One copy of a function's body.
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    pub(crate) variables: Vec<Option<Storage>>,
    pub(crate) labels: Vec<Option<Mark>>,
    pub(crate) result: ResultTarget,
    /// Before the body: where a tail call goes.
    pub(crate) start: Mark,
    /// After the body.
    pub(crate) end: Mark,
    pub(crate) blocks: Vec<BlockId>,
    pub(crate) exits: Vec<Exit>,
    /// The number of regions outside.
    pub(crate) outer_regions: usize,
    /// Of a function whose calls need frames.
    pub(crate) activation: Option<recursion::Activation>,
}

/// What `return` does with its value.
#[derive(Clone, Debug)]
pub(crate) enum ResultTarget {
    Discard,
    Registers(Vec<RegisterId>),
    /// The value only decides where to go on.
    Branch {
        then: Mark,
        otherwise: Mark,
    },
}

/// Where `break` and `continue` go.
pub(crate) struct Exit {
    pub(crate) leave: Mark,
    /// None in a `switch`.
    pub(crate) again: Option<Mark>,
    /// The number of blocks open outside.
    pub(crate) depth: usize,
}

/// A side effect that waits for the next sequence point.
struct Pending {
    register: RegisterId,
    lines: Vec<Line>,
}

/// Registers for intermediate values; they are used again when the full expression that used them is over.
#[derive(Default)]
struct Temporaries {
    free: BTreeMap<TemporaryKind, BTreeSet<RegisterId>>,
    used: Vec<(TemporaryKind, RegisterId)>,
    count: usize,
}

type TemporaryKind = Option<goatherd_certificates::program::IntegerType>;

impl<'a> Emitter<'a> {
    fn new(unit: &'a Unit, records: &'a Records, waived: &'a Waived<'a>, elements: Elements<'a>) -> Self {
        Self {
            unit,
            records,
            waived,
            elements,
            moved: BTreeSet::new(),
            diagnostics: Vec::new(),
            registers: Vec::new(),
            names: BTreeMap::new(),
            layouts: Vec::new(),
            objects: Vec::new(),
            tables: Vec::new(),
            inputs: Vec::new(),
            lines: Vec::new(),
            prologue: Vec::new(),
            marks: Vec::new(),
            assertions: BTreeSet::new(),
            undefined: BTreeMap::new(),
            frames: Vec::new(),
            stacks: Vec::new(),
            regions: Vec::new(),
            temporaries: Temporaries::default(),
            globals: unit.globals.iter().map(|_| None).collect(),
            unmodelled: Vec::new(),
            shared: BTreeSet::new(),
            heap: heap::Sites::default(),
            replacements: Vec::new(),
            linked: Linked::declared(records),
            allocated: Linked::used(records),
            pointers: BTreeMap::new(),
            numbers: None,
        }
    }

    /// The whole program: inputs, then the entry function's body.
    fn program(&mut self, leaks: Leaks) {
        let entry = self.unit.entry;
        let function = &self.unit.functions[entry];
        // What it returns is part of what it does: of two paths that end with different values, neither stands for the other.
        let leaves = self.records.leaves(&function.result.unqualified()).unwrap_or_default();
        let returned: Vec<RegisterId> = leaves.iter().map(|leaf| self.register(RETURNED, leaf.kind)).collect();
        self.open_frame(entry, if returned.is_empty() { ResultTarget::Discard } else { ResultTarget::Registers(returned.clone()) });
        // What is wrong with the inputs has been said; the body is still of interest.
        let stored = self.entry_inputs().unwrap_or_default();
        let kept = if leaks == Leaks::Fail { self.keep_inputs(function.offset) } else { Vec::new() };
        if self.is_stacked(entry) {
            let registers = self.input_registers(&stored);
            self.begin_activation(registers, returned.clone(), recursion::Use::Effect, function.offset);
        } else {
            self.enter_block(0, function.offset);
            self.store_inputs(&stored);
            self.bind_start();
        }
        self.body(&function.body);
        if self.is_stacked(entry) || !self.open_arrays().is_empty() {
            self.emit_leaves(0, function.end);
        }
        // What is wrong has been said.
        let _ = self.end_activation(function.end);
        if leaks == Leaks::Fail {
            let is_variable = |register: &&RegisterId| self.kind_of(**register) == Type::Pointer && !self.pointers.contains_key(*register);
            let globals = self.shared.iter().filter(is_variable).copied();
            let returned = returned.into_iter().filter(|register| self.kind_of(*register) == Type::Pointer);
            let roots = kept.into_iter().chain(returned).chain(globals).collect();
            self.push(Instruction::CheckLeaks { roots }, function.end);
        }
        self.push(Instruction::Halt, function.end);
        self.say_assumptions(function.offset);
    }

    /// The program says by names of registers what is assumed of it.
    fn say_assumptions(&mut self, offset: usize) {
        for assumption in &self.unit.assumptions {
            let target = self.register(&assumption.register(), Type::Pointer);
            self.prologue.push(Line { instruction: Instruction::Null { target }, offset });
        }
    }

    fn into_draft(self) -> Draft {
        let before = self.prologue.len();
        let lines = self.prologue.into_iter().chain(self.lines).collect();
        Draft {
            program: Program {
                entry: self.unit.functions[self.unit.entry].name.clone(),
                registers: self.registers,
                layouts: self.layouts,
                objects: self.objects,
                tables: self.tables,
                inputs: self.inputs,
                instructions: Vec::new(),
                assertions: Vec::new(),
            },
            lines,
            // What nothing binds, as a label that is not there, stays beyond all lines: it has been reported.
            marks: self.marks.into_iter().map(|line| line.saturating_add(before)).collect(),
            assertions: self.assertions.into_iter().map(|line| line + before).collect(),
        }
    }

    pub(crate) fn unsupported<T>(&mut self, offset: usize, message: &str) -> Outcome<T> {
        self.unsupported_with_help(offset, message, None)
    }

    pub(crate) fn unsupported_with_help<T>(&mut self, offset: usize, message: &str, help: Option<String>) -> Outcome<T> {
        self.diagnostics.push(Diagnostic { kind: Kind::Unsupported, message: message.to_owned(), offset, help });
        Err(Raised)
    }

    pub(crate) fn push(&mut self, instruction: Instruction, offset: usize) {
        self.lines.push(Line { instruction, offset });
    }

    /// Fails, since C leaves undefined what happens here. Of several at one place the first is named.
    pub(crate) fn undefined(&mut self, behavior: UndefinedBehavior, offset: usize) {
        self.undefined.entry(offset).or_insert(behavior);
        self.push(Instruction::Fail { kind: FailKind::Unreachable }, offset);
    }

    pub(crate) fn mark(&mut self) -> Mark {
        self.marks.push(usize::MAX);
        // Far fewer marks than this fit into the instruction limit.
        u32::try_from(self.marks.len() - 1).unwrap_or(u32::MAX)
    }

    /// The mark stands before the next instruction.
    pub(crate) fn bind(&mut self, mark: Mark) {
        let next = self.lines.len();
        if let Some(place) = self.marks.get_mut(mark as usize) {
            *place = next;
        }
    }

    pub(crate) fn jump(&mut self, mark: Mark, offset: usize) {
        self.push(Instruction::Jump { target: Location(mark) }, offset);
    }

    /// A branch, or a jump where constants decide; gives its line.
    pub(crate) fn push_branch(&mut self, condition: Condition, then: Mark, otherwise: Mark, offset: usize) -> usize {
        if let Some(holds) = decided(&condition) {
            self.jump(if holds { then } else { otherwise }, offset);
            return self.lines.len() - 1;
        }
        self.push(Instruction::Branch(Branch { condition, then: Location(then), otherwise: Location(otherwise) }), offset);
        self.lines.len() - 1
    }

    /// A new register; names are told apart by a number.
    pub(crate) fn register(&mut self, name: &str, kind: Type) -> RegisterId {
        let name = self.unique(name);
        self.registers.push(Register { name, kind });
        RegisterId(u32::try_from(self.registers.len() - 1).unwrap_or(u32::MAX))
    }

    pub(crate) fn unique(&mut self, name: &str) -> String {
        let count = self.names.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}#{count}") }
    }

    pub(crate) fn kind_of(&self, register: RegisterId) -> Type {
        self.registers[register.index()].kind
    }

    /// A register for an intermediate value.
    pub(crate) fn temporary(&mut self, kind: Type) -> RegisterId {
        let key = match kind {
            Type::Integer(kind) => Some(kind),
            Type::Pointer => None,
        };
        let free = self.temporaries.free.entry(key).or_default();
        let register = if let Some(register) = free.pop_first() {
            register
        } else {
            self.temporaries.count += 1;
            let name = format!("%{}", self.temporaries.count);
            self.register(&name, kind)
        };
        self.temporaries.used.push((key, register));
        register
    }

    /// To be given to [`Self::release`].
    pub(crate) fn temporaries_in_use(&self) -> usize {
        self.temporaries.used.len()
    }

    /// The temporaries taken since then hold nothing that is needed.
    pub(crate) fn release(&mut self, count: usize) {
        for (key, register) in self.temporaries.used.split_off(count) {
            self.temporaries.free.entry(key).or_default().insert(register);
        }
    }

    /// Side effects wait from here on until [`Self::close_region`].
    pub(crate) fn open_region(&mut self) {
        self.regions.push(Vec::new());
    }

    /// A sequence point: the waiting side effects happen, after the values that are still needed have been saved from them.
    pub(crate) fn close_region(&mut self, needed: &mut [Scalar], offset: usize) {
        let pending = self.regions.pop().unwrap_or_default();
        for scalar in needed {
            if pending.iter().any(|pending| scalar.register() == Some(pending.register)) {
                *scalar = self.copied(*scalar, offset);
            }
        }
        for effect in pending {
            self.lines.extend(effect.lines);
        }
    }

    /// Lets the lines written since `start` wait until the region is closed.
    pub(crate) fn postpone(&mut self, register: RegisterId, start: usize) {
        let lines = self.lines.split_off(start);
        match self.regions.last_mut() {
            Some(region) => region.push(Pending { register, lines }),
            None => self.lines.extend(lines),
        }
    }

    /// Is a side effect of this frame waiting?
    pub(crate) fn is_waiting(&self) -> bool {
        let outer = self.frame().outer_regions;
        self.regions.iter().skip(outer).any(|region| !region.is_empty())
    }

    pub(crate) fn frame(&self) -> &Frame {
        &self.frames[self.frames.len() - 1]
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub(crate) fn function(&self) -> &'a crate::lower::tree::Function {
        &self.unit.functions[self.frame().function]
    }

    pub(crate) fn open_frame(&mut self, function: FunctionId, result: ResultTarget) {
        let (start, end) = (self.mark(), self.mark());
        let code = &self.unit.functions[function];
        self.frames.push(Frame {
            function,
            variables: code.variables.iter().map(|_| None).collect(),
            labels: vec![None; code.labels.len()],
            result,
            start,
            end,
            blocks: Vec::new(),
            exits: Vec::new(),
            outer_regions: self.regions.len(),
            activation: None,
        });
    }

    /// The body begins here.
    pub(crate) fn bind_start(&mut self) {
        let start = self.frame().start;
        self.bind(start);
    }

    pub(crate) fn check_size(&mut self, offset: usize) -> Outcome<()> {
        if self.lines.len() > INSTRUCTION_LIMIT {
            return self.unsupported(offset, "a program of more than 262144 instructions after inlining");
        }
        Ok(())
    }
}

/// What a condition on constants says.
fn decided(condition: &Condition) -> Option<bool> {
    match *condition {
        Condition::Integers { relation, left: Operand::Constant(left), right: Operand::Constant(right) } => Some(match relation {
            Relation::Equal => left == right,
            Relation::Less => left < right,
            Relation::LessOrEqual => left <= right,
        }),
        Condition::Pointers { relation: Relation::Equal, left: PointerOperand::Null, right: PointerOperand::Null } => Some(true),
        _ => None,
    }
}
