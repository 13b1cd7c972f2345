//! `return`, and tail calls on a circle of functions, which become jumps.

use super::{Emitter, Outcome, ResultTarget, storage::Storage, values::Scalar};
use crate::lower::tree::{Expression, ExpressionKind, FunctionId};
use goatherd_certificates::program::{FailKind, Instruction};

impl Emitter<'_> {
    /// `return value;`
    pub(crate) fn return_value(&mut self, value: Option<&Expression>, offset: usize) -> Outcome<()> {
        self.check_leaving(offset)?;
        let Some(value) = value else {
            self.return_nothing(offset);
            return Ok(());
        };
        match &value.kind {
            ExpressionKind::Call { function, arguments } if self.is_tail_call(*function) => {
                return self.tail_call(*function, arguments, offset);
            }
            ExpressionKind::Convert(inner) if value.ctype.is_void() => return self.return_value(Some(inner), offset),
            ExpressionKind::Comma(left, right) | ExpressionKind::Then(left, right) => {
                self.full_effect(left)?;
                return self.return_value(Some(right), offset);
            }
            ExpressionKind::Conditional(condition, then, otherwise) if value.tail_calls(&|function| self.may_tail_call(function)) > 0 => {
                let (first, second) = (self.mark(), self.mark());
                self.branch(condition, first, second)?;
                self.bind(first);
                self.return_value(Some(then), offset)?;
                self.bind(second);
                return self.return_value(Some(otherwise), offset);
            }
            _ => {}
        }
        let in_use = self.temporaries_in_use();
        match self.frame().result.clone() {
            ResultTarget::Discard => self.full_effect(value)?,
            ResultTarget::Registers(targets) => self.sequenced_into(value, &targets)?,
            ResultTarget::Branch { then, otherwise } => {
                // A callee with objects to leave is not lowered this way.
                self.branch(value, then, otherwise)?;
                self.release(in_use);
                return Ok(());
            }
        }
        self.release(in_use);
        self.leave_function(offset);
        Ok(())
    }

    /// The function comes back without a value, which fails where a caller uses that (C11 6.9.1p12). Of a function that is on a circle it is not known yet.
    fn return_nothing(&mut self, offset: usize) {
        if !self.is_result_used() {
            self.leave_function(offset);
        } else if self.frame().activation.is_some() {
            let mark = self.mark();
            self.emit_leaves(0, offset);
            self.jump(mark, offset);
            self.note_missing(mark, offset);
        } else {
            self.push(Instruction::Fail { kind: FailKind::MissingReturn }, offset);
        }
    }

    /// Is the function the innermost one, or one that is called in its place?
    fn may_tail_call(&self, function: FunctionId) -> bool {
        function == self.frame().function || self.is_sibling(function)
    }

    /// Is a call of the function, as the last thing that the innermost one does, a jump, or made in its place?
    pub(crate) fn is_tail_call(&self, function: FunctionId) -> bool {
        if function == self.frame().function { self.is_jump(function) } else { self.is_sibling(function) }
    }

    /// Does a statement that calls the function come to the same as a `return` of what it returns?
    pub(crate) fn returns_nothing(&self, function: FunctionId) -> bool {
        let is_void = |function: FunctionId| self.unit.functions[function].result.is_void();
        let innermost = self.frame();
        is_void(innermost.function) && is_void(function)
            || function == innermost.function && matches!(innermost.result, ResultTarget::Discard)
    }

    /// Is it another function on the innermost one's circle, on which none waits for another? So `even` calls `odd`, and `odd` `even`.
    fn is_sibling(&self, function: FunctionId) -> bool {
        let (circles, innermost) = (&self.unit.circles, self.frame().function);
        function != innermost
            && circles.is_recursive(function)
            && circles.circle(function) == circles.circle(innermost)
            && !self.is_stacked(function)
    }

    /// Is a tail call of the function by itself a jump? Not where other calls wait at nodes: the node that this one is called at is one of those that
    /// lead from one to the next.
    fn is_jump(&self, function: FunctionId) -> bool {
        let code = &self.unit.functions[function];
        let is_node = |parameter: &usize| code.variables[*parameter].ctype.pointee().is_some_and(|target| target.as_record().is_some());
        let waits_at_nodes =
            self.is_stacked(function) && self.unit.circles.returning.contains(&function) && code.parameters.iter().any(is_node);
        !self.has_objects(function) && !waits_at_nodes
    }

    /// Leaves all blocks and goes to the end of the function.
    fn leave_function(&mut self, offset: usize) {
        // Where the program ends its variables end, but for what can be seen: memory that nobody frees.
        if self.frames.len() > 1 || self.is_stacked(self.frame().function) || !self.open_arrays().is_empty() {
            self.emit_leaves(0, offset);
        }
        let end = self.frame().end;
        self.jump(end, offset);
    }

    /// A call after which the innermost function returns at once, and all that it was called by in the same way. A function that is open begins again;
    /// another one has its copy in the place of the call, and what it returns is what the innermost one does.
    pub(crate) fn tail_call(&mut self, function: FunctionId, arguments: &[Expression], offset: usize) -> Outcome<()> {
        let in_use = self.temporaries_in_use();
        if let Some(depth) = self.frames.iter().rposition(|frame| frame.function == function) {
            self.begin_again(depth, arguments, offset)?;
            self.release(in_use);
            return Ok(());
        }
        let result = self.frame().result.clone();
        self.begin_call(function, arguments, result, offset)?;
        let code = &self.unit.functions[function];
        self.body(&code.body);
        self.end_call(code.end);
        self.release(in_use);
        self.leave_function(offset);
        Ok(())
    }

    /// The parameters of the function in this frame get new values, and it begins again.
    fn begin_again(&mut self, depth: usize, arguments: &[Expression], offset: usize) -> Outcome<()> {
        self.open_region();
        let mut scalars = Vec::new();
        let outcome = arguments.iter().try_for_each(|argument| {
            scalars.extend(self.evaluate(argument, None)?.scalars());
            Ok(())
        });
        self.close_region(&mut scalars, offset);
        outcome?;
        let inner = self.frames.split_off(depth + 1);
        let outcome = self.restart(scalars, offset);
        self.frames.extend(inner);
        outcome
    }

    /// The innermost function begins again with these arguments.
    fn restart(&mut self, scalars: Vec<Scalar>, offset: usize) -> Outcome<()> {
        let code = self.function();
        let mut targets = Vec::new();
        for parameter in &code.parameters {
            if let Storage::Scalars(parts) = self.variable_storage(*parameter)? {
                targets.extend(parts.into_iter().map(|(_, scalar)| scalar));
            }
        }
        self.move_all(&targets, scalars, offset);
        for (id, variable) in code.variables.iter().enumerate() {
            if let (true, Storage::Scalars(scalars)) = (variable.skipped, self.variable_storage(id)?) {
                self.uninitialise(&scalars, offset);
            }
        }
        let start = self.frame().start;
        self.jump(start, offset);
        Ok(())
    }

    /// Moves scalars to registers as if all moved at once.
    pub(crate) fn move_all(&mut self, targets: &[Scalar], mut scalars: Vec<Scalar>, offset: usize) {
        for index in 0..targets.len().min(scalars.len()) {
            let (target, scalar) = (targets[index], scalars[index]);
            if target == scalar {
                continue;
            }
            // A later scalar that is this register's old value is saved first.
            if scalars.iter().skip(index + 1).any(|later| *later == target) {
                let saved = self.copied(target, offset);
                scalars.iter_mut().skip(index + 1).filter(|later| **later == target).for_each(|later| *later = saved);
            }
            if let Some(register) = target.register() {
                self.move_to(register, scalar, offset);
            }
        }
    }

    /// Leaving an expression in its middle loses the side effects that wait.
    pub(crate) fn check_leaving(&mut self, offset: usize) -> Outcome<()> {
        if self.is_waiting() {
            return self.unsupported(offset, "a jump out of a statement expression inside another expression");
        }
        Ok(())
    }

    /// Does a caller use what the function returns? Nobody uses what the entry function returns.
    fn is_result_used(&self) -> bool {
        let is_called = self.frames.len() > 1 || self.frame().activation.is_some();
        is_called && !matches!(self.frame().result, ResultTarget::Discard) && !self.function().result.is_void()
    }

    /// The end of a function's body was reached without `return` (C11 6.9.1p12). That of `main` returns 0, also to a caller of the program's
    /// own (5.1.2.2.3p1).
    pub(crate) fn missing_return(&mut self, offset: usize) -> Outcome<()> {
        if !self.is_result_used() {
            return Ok(());
        }
        let result = self.function().result.clone();
        if self.function().ends_with_zero() {
            return self.return_value(Some(&Expression::constant(0, result, offset)), offset);
        }
        if self.may_fall_off(&self.function().body) {
            self.return_nothing(offset);
        } else {
            self.push(Instruction::Fail { kind: FailKind::MissingReturn }, offset);
        }
        Ok(())
    }
}
