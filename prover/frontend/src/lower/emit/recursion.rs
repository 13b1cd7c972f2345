//! Calls around a circle: what a call interrupts waits in a frame, and frames are a linked list like any other.
//!
//! Of a function that goes on after a recursive call there is one copy per call from outside, as of any other function. Calls from inside lead to the
//! start of that copy. They leave a mark in the instructions, a `Choose` between the callee's start and the place behind the call, so that what looks
//! at the instructions sees both; [`super::frames`] puts the frames there when all instructions are known.

use super::{Emitter, Line, Mark, Outcome, ResultTarget, storage::Storage, values::Scalar};
use crate::lower::tree::{Builtin, Expression, ExpressionKind, FunctionId, Statement, StatementKind};
use goatherd_certificates::program::{
    Allocate, Condition, FailKind, Fresh, Instruction, LayoutId, Location, ObjectId, Operand, Origin, PointerOperand, RegisterId, Relation,
    Type,
};

/// What becomes of the value of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    Effect,
    Value,
}

/// The frames of one circle of functions, within one call from outside.
pub(crate) struct Stack {
    /// Points to the frame of the call that is to return next; NULL where the call from outside is.
    pub(crate) top: RegisterId,
    /// The lines from the start of the outermost copy up to its end.
    pub(crate) lines: std::ops::Range<usize>,
    pub(crate) sites: Vec<Site>,
    pub(crate) copies: Vec<Copy>,
}

/// One copy of a function's body that is called from inside.
pub(crate) struct Copy {
    pub(crate) function: FunctionId,
    /// Registers to which `return` writes, read behind each call.
    pub(crate) results: Vec<RegisterId>,
    /// The line behind the body from which execution goes on behind the call, and where it goes on if the call was from outside.
    pub(crate) end: usize,
    pub(crate) outside: Mark,
}

/// A call from inside.
pub(crate) struct Site {
    /// The position in [`Stack::copies`] of what is called.
    pub(crate) copy: usize,
    pub(crate) line: usize,
    /// Where the parameters get their values.
    pub(crate) enter: Mark,
    /// Behind the call.
    pub(crate) back: Mark,
    pub(crate) offset: usize,
}

/// What is known of a copy while its body is written.
#[derive(Clone)]
pub(crate) struct Activation {
    /// The position of its stack.
    stack: usize,
    /// Its position in [`Stack::copies`].
    copy: usize,
    /// Where its parameters are at its start.
    entry: Vec<RegisterId>,
    uses: Uses,
    /// Where the function comes back without a value.
    missing: Vec<(Mark, usize)>,
}

/// Calls of a copy: one whose value nobody uses, and is there one whose value somebody does?
#[derive(Clone, Copy, Default)]
struct Uses {
    ignored: Option<usize>,
    is_used: bool,
}

impl Uses {
    fn note(&mut self, result: Use, offset: usize) {
        match result {
            Use::Effect => self.ignored = self.ignored.or(Some(offset)),
            Use::Value => self.is_used = true,
        }
    }
}

impl Emitter<'_> {
    /// Is the function called in ways that need frames?
    pub(crate) fn is_stacked(&self, function: FunctionId) -> bool {
        let circles = &self.unit.circles;
        let Some(circle) = circles.circle(function) else { return false };
        let is_on_circle = |other: &FunctionId| circles.circle(*other) == Some(circle);
        let is_waiting = |other: FunctionId| !circles.ending.contains(&circle) && circles.returning.contains(&other);
        (0..self.unit.functions.len()).filter(is_on_circle).any(|other| is_waiting(other) || self.has_objects(other))
    }

    /// A call of such a function; gives what it returns.
    pub(crate) fn stacked_call(
        &mut self,
        function: FunctionId,
        arguments: &[Expression],
        result: Use,
        offset: usize,
    ) -> Outcome<Vec<Scalar>> {
        self.check_depth(offset)?;
        let values = self.argument_values(function, arguments, offset)?;
        match self.frames.iter().position(|frame| frame.function == function) {
            None => self.call_from_outside(function, &values, result, offset),
            Some(depth) => self.call_from_inside(depth, values, result, offset),
        }
    }

    fn argument_values(&mut self, function: FunctionId, arguments: &[Expression], offset: usize) -> Outcome<Vec<Scalar>> {
        let code = &self.unit.functions[function];
        if code.parameters.len() != arguments.len() {
            return self.unsupported(code.offset, "a function called with another number of arguments");
        }
        self.open_region();
        let mut values = Vec::new();
        let outcome = arguments.iter().try_for_each(|argument| {
            values.extend(self.evaluate(argument, None)?.scalars());
            Ok(())
        });
        self.close_region(&mut values, offset);
        outcome.map(|()| values)
    }

    fn call_from_outside(&mut self, function: FunctionId, values: &[Scalar], result: Use, offset: usize) -> Outcome<Vec<Scalar>> {
        let code = &self.unit.functions[function];
        let leaves = if code.result.is_void() { Vec::new() } else { self.leaves(&code.result.unqualified(), offset)? };
        let results: Vec<RegisterId> = leaves.iter().map(|leaf| self.temporary(leaf.kind)).collect();
        self.open_frame(function, if results.is_empty() { ResultTarget::Discard } else { ResultTarget::Registers(results.clone()) });
        let entry = self.entry_registers()?;
        for (target, value) in entry.iter().zip(values) {
            self.move_to(*target, *value, offset);
        }
        self.begin_activation(entry, results.clone(), result, offset);
        self.body(&code.body);
        self.leave_block(code.end);
        self.end_activation(code.end)?;
        Ok(results.iter().zip(&leaves).map(|(result, leaf)| Scalar::of(*result, leaf.kind)).collect())
    }

    /// Where the parameters of the innermost frame are at its start: where they stay, or what is written to memory from there on.
    fn entry_registers(&mut self) -> Outcome<Vec<RegisterId>> {
        let code = self.function();
        let mut entry = Vec::new();
        for parameter in &code.parameters {
            let declared = &code.variables[*parameter];
            let mut storage = self.variable_storage(*parameter)?;
            if matches!(storage, Storage::Activation { .. }) {
                let leaves = self.leaves(&declared.ctype.unqualified(), declared.offset)?;
                let name = self.variable_name(*parameter);
                storage = self.scalar_storage(&name, &leaves);
            }
            if let Storage::Scalars(scalars) = storage {
                entry.extend(scalars.iter().filter_map(|(_, scalar)| scalar.register()));
            }
        }
        Ok(entry)
    }

    /// The start of the innermost frame's body, whose parameters are in these registers.
    pub(crate) fn begin_activation(&mut self, entry: Vec<RegisterId>, results: Vec<RegisterId>, result: Use, offset: usize) {
        let mut uses = Uses::default();
        uses.note(result, offset);
        let function = self.frame().function;
        let stack = self.stack_of(function, offset);
        let outside = self.mark();
        let copies = &mut self.stacks[stack].copies;
        copies.push(Copy { function, results, end: 0, outside });
        let copy = copies.len() - 1;
        self.bind_start();
        let code = self.function();
        let offset = code.offset;
        if let Some(array) = code.variables.iter().find(|variable| variable.owns_array) {
            // What is wrong has been said; the body is still of interest.
            let _ = self.unsupported::<()>(array.offset, "an array of variable length in a recursive function");
        }
        self.enter_block(0, offset);
        let mut values = entry.iter();
        for parameter in &code.parameters {
            let Ok(leaves) = self.leaves(&code.variables[*parameter].ctype.unqualified(), offset) else { continue };
            let scalars: Vec<Scalar> = leaves.iter().zip(&mut values).map(|(leaf, register)| Scalar::of(*register, leaf.kind)).collect();
            if let Ok(storage @ Storage::Activation { .. }) = self.variable_storage(*parameter) {
                self.set(&storage, &leaves, &scalars, offset);
            }
        }
        self.frame_mut().activation = Some(Activation { stack, copy, entry, uses, missing: Vec::new() });
    }

    /// The stack that the function shares with others of its circle, or a new one, which is empty.
    fn stack_of(&mut self, function: FunctionId, offset: usize) -> usize {
        let circles = &self.unit.circles;
        let is_shared = |frame: &&super::Frame| circles.circle(frame.function) == circles.circle(function);
        let shared = self.frames.iter().filter(is_shared).find_map(|frame| frame.activation.as_ref());
        if let Some(activation) = shared {
            return activation.stack;
        }
        let top = self.register("%frames", Type::Pointer);
        self.push(Instruction::Null { target: top }, offset);
        let start = self.lines.len();
        self.stacks.push(Stack { top, lines: start..start, sites: Vec::new(), copies: Vec::new() });
        self.stacks.len() - 1
    }

    /// The innermost frame's body and its blocks have ended: goes on behind the call.
    pub(crate) fn end_activation(&mut self, offset: usize) -> Outcome<()> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        let Some(Activation { stack, copy, uses, missing, .. }) = frame.activation else {
            self.bind(frame.end);
            return Ok(());
        };
        let fails = uses.is_used && !missing.is_empty();
        if fails {
            self.jump(frame.end, offset);
        }
        for (mark, offset) in &missing {
            self.bind(*mark);
            if fails {
                self.push(Instruction::Fail { kind: FailKind::MissingReturn }, *offset);
            }
        }
        self.bind(frame.end);
        let end = self.lines.len();
        let sites = self.stacks[stack].sites.iter().filter(|site| site.copy == copy);
        for back in sites.map(|site| site.back).collect::<Vec<Mark>>() {
            let next = self.mark();
            self.push(Instruction::Choose { then: Location(back), otherwise: Location(next) }, offset);
            self.bind(next);
        }
        self.stacks[stack].copies[copy].end = end;
        let outside = self.stacks[stack].copies[copy].outside;
        self.bind(outside);
        if copy == 0 {
            self.stacks[stack].lines.end = self.lines.len();
        }
        match uses.ignored.filter(|_| fails) {
            Some(at) => {
                self.unsupported(at, "a call whose value is not used, of a recursive function that may come back without one elsewhere")
            }
            None => Ok(()),
        }
    }

    /// A call of a function that is open: what is needed behind the call is kept, and the function begins again.
    fn call_from_inside(&mut self, depth: usize, values: Vec<Scalar>, result: Use, offset: usize) -> Outcome<Vec<Scalar>> {
        let Some(activation) = &mut self.frames[depth].activation else {
            return self.unsupported(offset, "a recursive call of a function in whose parameters it stands");
        };
        activation.uses.note(result, offset);
        let Activation { stack, copy, entry, .. } = activation.clone();
        let (start, enter, back) = (self.frames[depth].start, self.mark(), self.mark());
        let line = self.lines.len();
        self.push(Instruction::Choose { then: Location(enter), otherwise: Location(back) }, offset);
        self.bind(enter);
        let targets: Vec<Scalar> = entry.iter().map(|register| Scalar::of(*register, self.kind_of(*register))).collect();
        self.move_all(&targets, values, offset);
        self.jump(start, offset);
        self.bind(back);
        self.stacks[stack].sites.push(Site { copy, line, enter, back, offset });
        if result == Use::Effect {
            return Ok(Vec::new());
        }
        let results = self.stacks[stack].copies[copy].results.clone();
        Ok(results.into_iter().map(|result| self.copied(Scalar::of(result, self.kind_of(result)), offset)).collect())
    }

    /// The innermost copy comes back without a value where this mark is jumped to.
    pub(crate) fn note_missing(&mut self, mark: Mark, offset: usize) {
        if let Some(activation) = &mut self.frame_mut().activation {
            activation.missing.push((mark, offset));
        }
    }

    /// Where a variable in memory of a recursive function lives.
    pub(crate) fn activation(&mut self, name: &str, layout: LayoutId, count: u64) -> Storage {
        let pointer = self.register(&format!("&{name}"), Type::Pointer);
        let object = self.object(name, layout, Origin::Heap);
        self.heap.note_variable(pointer, object);
        let bytes = self.layouts[layout.index()].size.saturating_mul(count);
        Storage::Activation { pointer, object, bytes }
    }

    /// A variable in memory of a recursive function comes into being: another one than that of the calls that have not returned.
    pub(crate) fn enter_activation(&mut self, pointer: RegisterId, object: ObjectId, bytes: u64, offset: usize) {
        let (none, some) = (self.mark(), self.mark());
        let bytes = Operand::Constant(i128::from(bytes));
        self.push(Instruction::Allocate(Allocate { target: pointer, object, bytes, fresh: Fresh::Arbitrary }), offset);
        self.push_branch(is_null(pointer), none, some, offset);
        self.bind(none);
        self.lines.push(Line { instruction: Instruction::Ignore, offset });
        self.bind(some);
    }

    /// May the end of the statements be reached?
    pub(crate) fn may_fall_off(&self, statements: &[Statement]) -> bool {
        match statements.last().map(|statement| &statement.kind) {
            Some(StatementKind::Block(_, body)) => self.may_fall_off(body),
            Some(StatementKind::If { then, otherwise, .. }) => self.may_fall_off(then) || self.may_fall_off(otherwise),
            Some(
                StatementKind::Return(_)
                | StatementKind::Goto(_)
                | StatementKind::Expression(Expression { kind: ExpressionKind::Builtin(Builtin::Halt(_)), .. }),
            ) => false,
            Some(StatementKind::Expression(value)) => !self.fails(value),
            _ => true,
        }
    }
}

pub(crate) const fn is_null(pointer: RegisterId) -> Condition {
    Condition::Pointers { relation: Relation::Equal, left: PointerOperand::Register(pointer), right: PointerOperand::Null }
}
