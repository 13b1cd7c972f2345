//! Frames: what a recursive call interrupts and its return restores.
//!
//! A frame is a node of a linked list, the stack, and holds the frame below, a number for the place behind the call if there are several, and each register that is read
//! behind the call and that the callee may write. It is freed when the callee returns. For `1 + length(list->next)` that is nothing but the frame below.
//! That a frame is allocated is assumed, as that there is memory for all variables is.

use super::{
    Emitter, Line, Mark,
    clean::{reads, written},
    recursion::{Copy, Site, Stack, is_null},
};
use crate::lower::FRAME;
use goatherd_certificates::program::{
    Allocate, Branch, Condition, Field, Fresh, Instruction, IntegerType, Layout, LayoutId, Link, Location, Object, ObjectId, Operand,
    Origin, RegisterId, Relation, SortId, Type,
};
use std::collections::BTreeSet;

/// Bytes for each field: the largest scalar.
const SLOT: u64 = 8;
/// The offsets of the frame below and of the number of the place to return to; what is kept comes behind, as if there always were such a number.
const BELOW: i64 = 0;
const PLACE: i64 = 8;
const PLACE_TYPE: IntegerType = IntegerType::I32;

/// How the frames of a stack are laid out, and registers to work with.
struct Shape {
    node: ObjectId,
    size: u64,
    /// What any frame of the stack keeps; the position gives the offset.
    kept: Vec<RegisterId>,
    top: RegisterId,
    /// For the frame that is pushed, the one below that which is popped, and the number of a place.
    new: RegisterId,
    below: RegisterId,
    place: RegisterId,
}

impl Shape {
    fn offset(&self, register: RegisterId) -> i64 {
        let position = self.kept.iter().position(|kept| *kept == register).unwrap_or(0);
        i64::try_from((position as u64 + 2).saturating_mul(SLOT)).unwrap_or(i64::MAX)
    }
}

/// A call that has a frame.
struct Call {
    /// The position of what is called, if it is called from inside.
    copy: Option<usize>,
    line: usize,
    /// Where the parameters get their values.
    enter: Mark,
    /// Behind the call.
    back: Mark,
    offset: usize,
    kept: BTreeSet<RegisterId>,
}

impl Emitter<'_> {
    /// Puts frames where functions are called from inside.
    pub(crate) fn write_frames(&mut self) {
        for stack in std::mem::take(&mut self.stacks) {
            if stack.sites.is_empty() {
                continue;
            }
            let mut calls: Vec<Call> = Vec::new();
            for (site, kept) in stack.sites.iter().zip(self.kept(&stack)) {
                calls.push(Call { copy: Some(site.copy), line: site.line, enter: site.enter, back: site.back, offset: site.offset, kept });
            }
            calls.extend(self.call_from_outside_frame(&stack, &calls));
            let shape = self.frame_shape(&stack, &calls);
            for (number, call) in (0..).zip(&calls) {
                self.write_push(&shape, call, number);
            }
            for (index, copy) in stack.copies.iter().enumerate() {
                // What is called from outside ends last.
                let is_of = |call: &Call| call.copy == Some(index) || (call.copy.is_none() && index == 0);
                let own: Vec<(i128, &Call)> = (0..).zip(&calls).filter(|(_, call)| is_of(call)).collect();
                if !own.is_empty() {
                    self.write_pops(&shape, copy, &own, calls.len());
                }
            }
        }
    }

    /// Per call from inside: the registers that are read behind it, but are not its result, and that the callee may write. Globals are as it leaves them.
    fn kept(&self, stack: &Stack) -> Vec<BTreeSet<RegisterId>> {
        let body = self.lines.get(stack.lines.clone()).unwrap_or_default();
        let changed: BTreeSet<RegisterId> = body.iter().filter_map(|line| written(&line.instruction)).collect();
        let changed: BTreeSet<RegisterId> = changed.difference(&self.shared).copied().collect();
        let is_kept =
            |site: &Site, register: &RegisterId| changed.contains(register) && !stack.copies[site.copy].results.contains(register);
        let mut live: Vec<BTreeSet<RegisterId>> = vec![BTreeSet::new(); self.lines.len() + 1];
        loop {
            let mut is_stable = true;
            for line in (0..self.lines.len()).rev() {
                let before = self.live_before(line, stack, &live, &is_kept, &changed);
                if before != live[line] {
                    live[line] = before;
                    is_stable = false;
                }
            }
            if is_stable {
                break;
            }
        }
        let behind = |site: &Site| live.get(self.marks[site.back as usize]).cloned().unwrap_or_default();
        let mut kept: Vec<BTreeSet<RegisterId>> =
            stack.sites.iter().map(|site| behind(site).into_iter().filter(|register| is_kept(site, register)).collect()).collect();
        // The nodes that calls wait at lead to each other, also those that nobody looks at any more.
        if self.has_nodes() {
            let pointers: BTreeSet<RegisterId> = kept.iter().flatten().copied().filter(|register| self.is_pointer(*register)).collect();
            for (site, kept) in stack.sites.iter().zip(&mut kept) {
                kept.extend(pointers.iter().filter(|register| is_kept(site, register)));
            }
        }
        kept
    }

    fn is_pointer(&self, register: RegisterId) -> bool {
        self.kind_of(register) == Type::Pointer
    }

    /// Has the program nodes other than frames?
    fn has_nodes(&self) -> bool {
        self.objects.iter().any(|object| matches!(object.origin, Origin::Node { .. }) && !object.name.starts_with(FRAME))
    }

    /// Where calls wait at nodes, what the caller outside knows of these waits in the lowest frame: the pointers that are read behind the call, and
    /// that the circle neither reads nor writes.
    fn call_from_outside_frame(&mut self, stack: &Stack, calls: &[Call]) -> Option<Call> {
        let is_waiting = calls.iter().flat_map(|call| &call.kept).any(|register| self.is_pointer(*register));
        let has_sites = calls.iter().any(|call| call.copy == Some(0));
        if !is_waiting || !has_sites || !self.has_nodes() {
            return None;
        }
        let body = self.lines.get(stack.lines.clone()).unwrap_or_default();
        let used: BTreeSet<RegisterId> =
            body.iter().flat_map(|line| reads(&line.instruction).into_iter().chain(written(&line.instruction))).collect();
        let results: BTreeSet<RegisterId> = stack.copies.iter().flat_map(|copy| &copy.results).copied().collect();
        let pointers = (0..).map(RegisterId).take(self.registers.len());
        let among: BTreeSet<RegisterId> = pointers
            .filter(|register| self.is_pointer(*register) && !used.contains(register) && !results.contains(register))
            .filter(|register| *register != stack.top)
            .collect();
        let mut live: Vec<BTreeSet<RegisterId>> = vec![BTreeSet::new(); self.lines.len() + 1];
        loop {
            let mut is_stable = true;
            for line in (0..self.lines.len()).rev() {
                let before = self.live_before(line, stack, &live, &|_, _| false, &among);
                if before != live[line] {
                    live[line] = before;
                    is_stable = false;
                }
            }
            if is_stable {
                break;
            }
        }
        let back = stack.copies.first()?.outside;
        let kept = live.get(self.marks[back as usize]).cloned().unwrap_or_default();
        if kept.is_empty() {
            return None;
        }
        let line = stack.lines.start.checked_sub(1)?;
        let enter = self.mark();
        self.marks[enter as usize] = stack.lines.start;
        Some(Call { copy: None, line, enter, back, offset: self.lines[line].offset, kept })
    }

    /// The registers among these that are read before they are written, from a line on.
    fn live_before(
        &self,
        line: usize,
        stack: &Stack,
        live: &[BTreeSet<RegisterId>],
        is_kept: &dyn Fn(&Site, &RegisterId) -> bool,
        among: &BTreeSet<RegisterId>,
    ) -> BTreeSet<RegisterId> {
        let at = |mark: Mark| live.get(self.marks[mark as usize]).into_iter().flatten().copied();
        let instruction = &self.lines[line].instruction;
        // From a return nothing that the call keeps is needed: the frame has it. The call itself needs both what it keeps and what the callee reads.
        let returned = match instruction {
            Instruction::Choose { then, .. } => stack.sites.iter().find(|site| site.back == then.0),
            _ => None,
        };
        let mut before: BTreeSet<RegisterId> = match *instruction {
            Instruction::Jump { target } => at(target.0).collect(),
            Instruction::Choose { then, otherwise } => {
                let then = at(then.0).filter(|register| returned.is_none_or(|site| !is_kept(site, register)));
                then.chain(at(otherwise.0)).collect()
            }
            Instruction::Branch(Branch { then, otherwise, .. }) => at(then.0).chain(at(otherwise.0)).collect(),
            Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => BTreeSet::new(),
            _ => live[line + 1].clone(),
        };
        if let Some(target) = written(instruction) {
            before.remove(&target);
        }
        before.extend(reads(instruction).into_iter().filter(|register| among.contains(register)));
        before
    }

    fn frame_shape(&mut self, stack: &Stack, calls: &[Call]) -> Shape {
        let kept: Vec<RegisterId> =
            calls.iter().flat_map(|call| &call.kept).copied().collect::<BTreeSet<RegisterId>>().into_iter().collect();
        let mut fields = vec![Field { name: "below".to_owned(), offset: BELOW.unsigned_abs(), kind: Type::Pointer }];
        if calls.len() > 1 {
            fields.push(Field { name: "place".to_owned(), offset: PLACE.unsigned_abs(), kind: Type::Integer(PLACE_TYPE) });
        }
        let size = (kept.len() as u64 + 2).saturating_mul(SLOT);
        for (register, offset) in kept.iter().zip((2..).map(|position: u64| position * SLOT)) {
            fields.push(Field { name: self.registers[register.index()].name.clone(), offset, kind: self.kind_of(*register) });
        }
        let function = stack.copies.first().map_or("", |copy| &self.unit.functions[copy.function].name);
        let name = self.unique(&format!("{FRAME}{function}"));
        let node = ObjectId(u32::try_from(self.objects.len()).unwrap_or(u32::MAX));
        let other = |field: &Field| if field.kind == Type::Pointer { Link::Other } else { Link::Data };
        let links = [Link::Child(SortId(node.0))].into_iter().chain(fields.iter().skip(1).map(other)).collect();
        self.layouts.push(Layout { name: name.clone(), size, fields });
        let layout = LayoutId(u32::try_from(self.layouts.len() - 1).unwrap_or(u32::MAX));
        self.objects.push(Object { name, layout, origin: Origin::Node { links } });
        let [new, below] = ["%frame", "%below"].map(|name| self.register(name, Type::Pointer));
        let place = self.register("%place", Type::Integer(PLACE_TYPE));
        Shape { node, size, kept, top: stack.top, new, below, place }
    }

    /// Keeps what is needed behind the call.
    fn write_push(&mut self, shape: &Shape, call: &Call, number: i128) {
        let offset = call.offset;
        let (push, none, some) = (self.mark(), self.mark(), self.mark());
        self.lines[call.line] = Line { instruction: Instruction::Jump { target: Location(push) }, offset };
        self.bind(push);
        let Shape { new, top, place, .. } = *shape;
        if call.copy.is_none() {
            self.push(Instruction::Null { target: top }, offset);
        }
        let bytes = Operand::Constant(i128::from(shape.size));
        self.push(Instruction::Allocate(Allocate { target: new, object: shape.node, bytes, fresh: Fresh::Zero }), offset);
        self.push_branch(is_null(new), none, some, offset);
        self.bind(none);
        self.push(Instruction::Ignore, offset);
        self.bind(some);
        if number != 0 {
            self.push(Instruction::Assign { target: place, value: Operand::Constant(number) }, offset);
            self.push(Instruction::Store { address: new, offset: PLACE, source: place }, offset);
        }
        for source in &call.kept {
            self.push(Instruction::Store { address: new, offset: shape.offset(*source), source: *source }, offset);
        }
        self.push(Instruction::Store { address: new, offset: BELOW, source: top }, offset);
        self.push(Instruction::Copy { target: top, source: new }, offset);
        self.jump(call.enter, offset);
    }

    /// Behind a body: back to the call that the uppermost frame is of, if it is one of this body.
    fn write_pops(&mut self, shape: &Shape, copy: &Copy, calls: &[(i128, &Call)], all_calls: usize) {
        let offset = self.unit.functions[copy.function].end;
        let (pop, some) = (self.mark(), self.mark());
        self.lines[copy.end] = Line { instruction: Instruction::Jump { target: Location(pop) }, offset };
        self.bind(pop);
        // The lowest frame is that of the call from outside, where it has one.
        let has_lowest = calls.iter().any(|(_, call)| call.copy.is_none());
        if !has_lowest {
            self.push_branch(is_null(shape.top), copy.outside, some, offset);
        }
        self.bind(some);
        if all_calls > 1 {
            self.push(Instruction::Load { target: shape.place, address: shape.top, offset: PLACE }, offset);
        }
        for (position, (number, call)) in calls.iter().enumerate() {
            let (this, next) = (self.mark(), self.mark());
            // Whatever else is on the stack is of another body's calls: this one was called from outside.
            let is_last = position + 1 == calls.len();
            let otherwise = if is_last { copy.outside } else { next };
            if !is_last || (all_calls > calls.len() && !has_lowest) {
                let (left, right) = (Operand::Register(shape.place), Operand::Constant(*number));
                self.push_branch(Condition::Integers { relation: Relation::Equal, left, right }, this, otherwise, offset);
            }
            self.bind(this);
            self.write_pop(shape, call, offset);
            self.bind(next);
        }
    }

    /// Restores what was kept.
    fn write_pop(&mut self, shape: &Shape, call: &Call, offset: usize) {
        let (top, below) = (shape.top, shape.below);
        for target in &call.kept {
            self.push(Instruction::Load { target: *target, address: top, offset: shape.offset(*target) }, offset);
        }
        self.push(Instruction::Load { target: below, address: top, offset: BELOW }, offset);
        self.push(Instruction::Free { pointer: top }, offset);
        self.push(Instruction::Copy { target: top, source: below }, offset);
        self.jump(call.back, offset);
    }
}
