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
    Condition, Field, Fresh, Instruction, IntegerType, Layout, LayoutId, Link, Location, Object, ObjectId, Operand, Origin, RegisterId,
    Relation, SortId, Type,
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

impl Emitter<'_> {
    /// Puts frames where functions are called from inside.
    pub(crate) fn write_frames(&mut self) {
        for stack in std::mem::take(&mut self.stacks) {
            if stack.sites.is_empty() {
                continue;
            }
            let kept = self.kept(&stack);
            let shape = self.frame_shape(&stack, &kept);
            for (number, (site, kept)) in (0..).zip(stack.sites.iter().zip(&kept)) {
                self.write_push(&shape, site, number, kept);
            }
            for (index, copy) in stack.copies.iter().enumerate() {
                let sites = (0..).zip(stack.sites.iter().zip(&kept)).filter(|(_, (site, _))| site.copy == index);
                let sites: Vec<(i128, &Site, &BTreeSet<RegisterId>)> = sites.map(|(number, (site, kept))| (number, site, kept)).collect();
                if !sites.is_empty() {
                    self.write_pops(&shape, copy, &sites, stack.sites.len());
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
        stack.sites.iter().map(|site| behind(site).into_iter().filter(|register| is_kept(site, register)).collect()).collect()
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
            Instruction::Branch { then, otherwise, .. } => at(then.0).chain(at(otherwise.0)).collect(),
            Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => BTreeSet::new(),
            _ => live[line + 1].clone(),
        };
        if let Some(target) = written(instruction) {
            before.remove(&target);
        }
        before.extend(reads(instruction).into_iter().filter(|register| among.contains(register)));
        before
    }

    fn frame_shape(&mut self, stack: &Stack, kept: &[BTreeSet<RegisterId>]) -> Shape {
        let kept: Vec<RegisterId> = kept.iter().flatten().copied().collect::<BTreeSet<RegisterId>>().into_iter().collect();
        let mut fields = vec![Field { name: "below".to_owned(), offset: BELOW.unsigned_abs(), kind: Type::Pointer }];
        if stack.sites.len() > 1 {
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
    fn write_push(&mut self, shape: &Shape, site: &Site, number: i128, kept: &BTreeSet<RegisterId>) {
        let offset = site.offset;
        let (push, none, some) = (self.mark(), self.mark(), self.mark());
        self.lines[site.line] = Line { instruction: Instruction::Jump { target: Location(push) }, offset };
        self.bind(push);
        let Shape { new, top, place, .. } = *shape;
        let bytes = Operand::Constant(i128::from(shape.size));
        self.push(Instruction::Allocate { target: new, object: shape.node, bytes, fresh: Fresh::Zero }, offset);
        self.push_branch(is_null(new), none, some, offset);
        self.bind(none);
        self.push(Instruction::Ignore, offset);
        self.bind(some);
        if number != 0 {
            self.push(Instruction::Assign { target: place, value: Operand::Constant(number) }, offset);
            self.push(Instruction::Store { address: new, offset: PLACE, source: place }, offset);
        }
        for source in kept {
            self.push(Instruction::Store { address: new, offset: shape.offset(*source), source: *source }, offset);
        }
        self.push(Instruction::Store { address: new, offset: BELOW, source: top }, offset);
        self.push(Instruction::Copy { target: top, source: new }, offset);
        self.jump(site.enter, offset);
    }

    /// Behind a body: back to the call that the uppermost frame is of, if it is one of this body.
    fn write_pops(&mut self, shape: &Shape, copy: &Copy, sites: &[(i128, &Site, &BTreeSet<RegisterId>)], all_sites: usize) {
        let offset = self.unit.functions[copy.function].end;
        let (pop, some) = (self.mark(), self.mark());
        self.lines[copy.end] = Line { instruction: Instruction::Jump { target: Location(pop) }, offset };
        self.bind(pop);
        self.push_branch(is_null(shape.top), copy.outside, some, offset);
        self.bind(some);
        if all_sites > 1 {
            self.push(Instruction::Load { target: shape.place, address: shape.top, offset: PLACE }, offset);
        }
        for (position, (number, site, kept)) in sites.iter().enumerate() {
            let (this, next) = (self.mark(), self.mark());
            // Whatever else is on the stack is of another body's calls: this one was called from outside.
            let is_last = position + 1 == sites.len();
            let otherwise = if is_last { copy.outside } else { next };
            if !is_last || all_sites > sites.len() {
                let (left, right) = (Operand::Register(shape.place), Operand::Constant(*number));
                self.push_branch(Condition::Integers { relation: Relation::Equal, left, right }, this, otherwise, offset);
            }
            self.bind(this);
            self.write_pop(shape, site, kept, offset);
            self.bind(next);
        }
    }

    /// Restores what was kept.
    fn write_pop(&mut self, shape: &Shape, site: &Site, kept: &BTreeSet<RegisterId>, offset: usize) {
        let (top, below) = (shape.top, shape.below);
        for target in kept {
            self.push(Instruction::Load { target: *target, address: top, offset: shape.offset(*target) }, offset);
        }
        self.push(Instruction::Load { target: below, address: top, offset: BELOW }, offset);
        self.push(Instruction::Free { pointer: top }, offset);
        self.push(Instruction::Copy { target: top, source: below }, offset);
        self.jump(site.back, offset);
    }
}
