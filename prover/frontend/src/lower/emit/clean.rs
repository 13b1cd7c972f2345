//! From lines with marks to the final list: jumps are threaded, what cannot be reached is left out, and numbers become dense.

use super::{Draft, Line};
use goatherd_certificates::program::{
    Advance, Allocate, ArrayInput, Branch, Compute, Condition, Contents, Distance, Input, Instruction, LayoutId, Link, Location, ObjectId,
    Operand, Origin, PointerOperand, Program, RegisterId, SortId, TableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// The finished program and the offset of each of its instructions.
pub(crate) fn finish(mut draft: Draft) -> (Program, Vec<usize>) {
    let graph = Graph::new(&mut draft);
    let needless = graph.needless();
    let order = graph.order(&needless);
    let (instructions, offsets, places) = graph.write(&order, &needless);
    let mut program = draft.program;
    program.assertions = draft
        .assertions
        .iter()
        .filter_map(|line| places.get(line).copied())
        .filter(|place| matches!(instructions.get(place.index()), Some(Instruction::Branch(_))))
        .collect();
    program.assertions.sort_unstable();
    program.instructions = instructions;
    compact(&mut program);
    (program, offsets)
}

/// Lines whose locations are lines.
struct Graph<'a> {
    lines: &'a [Line],
}

impl<'a> Graph<'a> {
    fn new(draft: &'a mut Draft) -> Self {
        let marks = &draft.marks;
        for line in &mut draft.lines {
            for location in locations(&mut line.instruction) {
                let target = marks.get(location.index()).copied().unwrap_or(usize::MAX);
                *location = Location(u32::try_from(target).unwrap_or(u32::MAX));
            }
        }
        Self { lines: &draft.lines }
    }

    /// The line that is really executed when this one is to be next: the first that is neither a jump nor left out. A loop of jumps alone
    /// is its first line.
    fn thread(&self, line: usize, needless: &BTreeSet<usize>) -> usize {
        let (mut line, mut seen) = (line, Vec::new());
        while let Some(next) = self.passed(line, needless) {
            if let Some(first) = seen.iter().position(|known| *known == line) {
                return seen.split_off(first).into_iter().min().unwrap_or(line);
            }
            seen.push(line);
            line = next;
        }
        line
    }

    /// Where execution goes on from a line that does nothing.
    fn passed(&self, line: usize, needless: &BTreeSet<usize>) -> Option<usize> {
        match &self.lines.get(line)?.instruction {
            Instruction::Jump { target } => Some(target.index()),
            _ if needless.contains(&line) => Some(line + 1),
            _ => None,
        }
    }

    fn successors(&self, line: usize) -> Vec<usize> {
        match self.lines.get(line).map(|line| &line.instruction) {
            Some(Instruction::Jump { target }) => vec![target.index()],
            Some(Instruction::Branch(Branch { then, otherwise, .. }) | Instruction::Choose { then, otherwise }) => {
                vec![then.index(), otherwise.index()]
            }
            Some(Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore) | None => Vec::new(),
            Some(_) => vec![line + 1],
        }
    }

    /// Lines that make a register uninitialised, or point to an object, which is written before it is read again: nobody sees it.
    fn needless(&self) -> BTreeSet<usize> {
        let mut candidates: BTreeMap<RegisterId, BTreeSet<usize>> = BTreeMap::new();
        for (line, content) in self.lines.iter().enumerate() {
            if let Instruction::Uninitialise { target } | Instruction::Address { target, .. } = content.instruction {
                candidates.entry(target).or_default().insert(line);
            }
        }
        if candidates.is_empty() {
            return BTreeSet::new();
        }
        let mut readers: BTreeMap<RegisterId, Vec<usize>> = BTreeMap::new();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.lines.len()];
        for (line, content) in self.lines.iter().enumerate() {
            for register in reads(&content.instruction).into_iter().filter(|register| candidates.contains_key(register)) {
                readers.entry(register).or_default().push(line);
            }
            for next in self.successors(line) {
                if let Some(before) = before.get_mut(next) {
                    before.push(line);
                }
            }
        }
        // From each line that reads a register back to those that write it.
        for (register, lines) in &mut candidates {
            let mut work = readers.remove(register).unwrap_or_default();
            let mut seen: BTreeSet<usize> = work.iter().copied().collect();
            while let Some(line) = work.pop() {
                for earlier in &before[line] {
                    if written(&self.lines[*earlier].instruction) == Some(*register) {
                        lines.remove(earlier);
                    } else if seen.insert(*earlier) {
                        work.push(*earlier);
                    }
                }
            }
        }
        candidates.into_values().flatten().collect()
    }

    /// The lines that are kept, in their order.
    fn order(&self, needless: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut kept = BTreeSet::new();
        let mut work = vec![self.thread(0, needless)];
        while let Some(line) = work.pop() {
            if line < self.lines.len() && kept.insert(line) {
                work.extend(self.successors(line).into_iter().map(|next| self.thread(next, needless)));
            }
        }
        kept
    }

    /// Writes the lines that are kept; where the next line in the text is not the next to execute, a jump is put between.
    fn write(&self, order: &BTreeSet<usize>, needless: &BTreeSet<usize>) -> (Vec<Instruction>, Vec<usize>, BTreeMap<usize, Location>) {
        let mut instructions = Vec::new();
        let mut offsets = Vec::new();
        let mut places = BTreeMap::new();
        let mut jumps = Vec::new();
        let first = self.thread(0, needless);
        let mut falls_to = Some((first, self.lines.first().map_or(0, |line| line.offset)));
        for line in order {
            if let Some((next, offset)) = falls_to.filter(|(next, _)| next != line) {
                jumps.push(instructions.len());
                instructions.push(Instruction::Jump { target: Location(u32::try_from(next).unwrap_or(u32::MAX)) });
                offsets.push(offset);
            }
            let content = &self.lines[*line];
            places.insert(*line, Location(u32::try_from(instructions.len()).unwrap_or(u32::MAX)));
            instructions.push(content.instruction.clone());
            offsets.push(content.offset);
            falls_to = match content.instruction {
                Instruction::Jump { .. }
                | Instruction::Branch(_)
                | Instruction::Choose { .. }
                | Instruction::Halt
                | Instruction::Fail { .. }
                | Instruction::Ignore => None,
                _ => {
                    let offset = self.lines.get(line + 1).map_or(content.offset, |next| next.offset);
                    Some((self.thread(line + 1, needless), offset))
                }
            };
        }
        if let Some((next, offset)) = falls_to {
            instructions.push(Instruction::Jump { target: Location(u32::try_from(next).unwrap_or(u32::MAX)) });
            offsets.push(offset);
        }
        for instruction in &mut instructions {
            for location in locations(instruction) {
                let target = self.thread(location.index(), needless);
                *location = places.get(&target).copied().unwrap_or_default();
            }
        }
        (instructions, offsets, places)
    }
}

/// Where an instruction says that the program goes on.
pub(in crate::lower) fn locations(instruction: &mut Instruction) -> Vec<&mut Location> {
    match instruction {
        Instruction::Jump { target } => vec![target],
        Instruction::Branch(Branch { then, otherwise, .. }) | Instruction::Choose { then, otherwise } => vec![then, otherwise],
        _ => Vec::new(),
    }
}

/// The register that an instruction writes.
pub(in crate::lower) fn written(instruction: &Instruction) -> Option<RegisterId> {
    registers(&mut instruction.clone()).0.map(|register| *register)
}

/// The registers that an instruction reads.
pub(in crate::lower) fn reads(instruction: &Instruction) -> Vec<RegisterId> {
    registers(&mut instruction.clone()).1.into_iter().map(|register| *register).collect()
}

/// The register that an instruction writes, and those that it reads.
fn registers(instruction: &mut Instruction) -> (Option<&mut RegisterId>, Vec<&mut RegisterId>) {
    fn operands<'a>(operands: impl IntoIterator<Item = &'a mut Operand>) -> Vec<&'a mut RegisterId> {
        let register = |operand: &'a mut Operand| match operand {
            Operand::Register(register) => Some(register),
            Operand::Constant(_) => None,
        };
        operands.into_iter().filter_map(register).collect()
    }
    match instruction {
        Instruction::Jump { .. }
        | Instruction::Choose { .. }
        | Instruction::Halt
        | Instruction::Fail { .. }
        | Instruction::Ignore
        | Instruction::Enter { .. }
        | Instruction::Leave { .. } => (None, Vec::new()),
        Instruction::Branch(Branch { condition: Condition::Integers { left, right, .. }, .. }) => (None, operands([left, right])),
        Instruction::Branch(Branch { condition: Condition::Pointers { left, right, .. }, .. }) => {
            let register = |operand| match operand {
                &mut PointerOperand::Register(ref mut register) => Some(register),
                PointerOperand::Null => None,
            };
            (None, [left, right].into_iter().filter_map(register).collect())
        }
        Instruction::Assign { target, value } => (Some(target), operands([value])),
        Instruction::Compute(Compute { target, left, right, .. }) => (Some(target), operands([left, right])),
        Instruction::Havoc { target }
        | Instruction::Uninitialise { target }
        | Instruction::Null { target }
        | Instruction::Address { target, .. } => (Some(target), Vec::new()),
        Instruction::Copy { target, source } => (Some(target), vec![source]),
        Instruction::Advance(Advance { target, base, index, .. }) => {
            let mut read = operands([index]);
            read.push(base);
            (Some(target), read)
        }
        Instruction::Distance(Distance { target, left, right, .. }) => (Some(target), vec![left, right]),
        Instruction::Load { target, address, .. } => (Some(target), vec![address]),
        Instruction::Store { address, source, .. } => (None, vec![address, source]),
        Instruction::Allocate(Allocate { target, bytes, .. }) => (Some(target), operands([bytes])),
        Instruction::Free { pointer } => (None, vec![pointer]),
        Instruction::CheckLeaks { roots } => (None, roots.iter_mut().collect()),
    }
}

/// Numbers registers, objects, layouts and tables densely, without those that nothing mentions.
fn compact(program: &mut Program) {
    let mut used = BTreeSet::new();
    each_register(program, |register| {
        used.insert(*register);
    });
    let map = dense(used, RegisterId);
    each_register(program, |register| *register = map.get(register).copied().unwrap_or_default());
    keep(&mut program.registers, |index| map.contains_key(&RegisterId(index)));

    let mut used = BTreeSet::new();
    each_object(program, |object| {
        used.insert(*object);
    });
    let mut work: Vec<ObjectId> = used.iter().copied().collect();
    while let Some(object) = work.pop() {
        let Some(object) = program.objects.get_mut(object.index()) else { continue };
        each_named(&mut object.origin, |target| {
            if used.insert(*target) {
                work.push(*target);
            }
        });
    }
    let map = dense(used, ObjectId);
    keep(&mut program.objects, |index| map.contains_key(&ObjectId(index)));
    each_object(program, |object| *object = map.get(object).copied().unwrap_or_default());
    for object in &mut program.objects {
        each_named(&mut object.origin, |object| *object = map.get(object).copied().unwrap_or_default());
    }

    let mut used = BTreeSet::new();
    each_contents(program, |contents| {
        if let Contents::Table(table) = contents {
            used.insert(*table);
        }
    });
    let map = dense(used, TableId);
    keep(&mut program.tables, |index| map.contains_key(&TableId(index)));
    each_contents(program, |contents| {
        if let Contents::Table(table) = contents {
            *table = map.get(table).copied().unwrap_or_default();
        }
    });

    let mut used = BTreeSet::new();
    each_layout(program, |layout| {
        used.insert(*layout);
    });
    let map = dense(used, LayoutId);
    keep(&mut program.layouts, |index| map.contains_key(&LayoutId(index)));
    each_layout(program, |layout| *layout = map.get(layout).copied().unwrap_or_default());
}

fn dense<Id: Ord + Copy>(used: BTreeSet<Id>, number: impl Fn(u32) -> Id) -> BTreeMap<Id, Id> {
    used.into_iter().zip(0..).map(|(old, new)| (old, number(new))).collect()
}

fn keep<T>(list: &mut Vec<T>, is_kept: impl Fn(u32) -> bool) {
    let mut index = 0;
    list.retain(|_| {
        index += 1;
        is_kept(index - 1)
    });
}

fn each_register(program: &mut Program, mut visit: impl FnMut(&mut RegisterId)) {
    for input in &mut program.inputs {
        match input {
            Input::Integer { register } => visit(register),
            Input::Array(ArrayInput { pointer, length, .. }) => {
                visit(pointer);
                visit(length);
            }
            Input::Single { pointer, .. } | Input::Linked { pointer, .. } => visit(pointer),
        }
    }
    for instruction in &mut program.instructions {
        let (written, read) = registers(instruction);
        read.into_iter().chain(written).for_each(&mut visit);
    }
}

fn each_object(program: &mut Program, mut visit: impl FnMut(&mut ObjectId)) {
    for input in &mut program.inputs {
        if let Input::Array(ArrayInput { object, .. }) | Input::Single { object, .. } | Input::Linked { object, .. } = input {
            visit(object);
        }
    }
    for instruction in &mut program.instructions {
        if let Instruction::Address { object, .. }
        | Instruction::Allocate(Allocate { object, .. })
        | Instruction::Enter { object }
        | Instruction::Leave { object } = instruction
        {
            visit(object);
        }
    }
}

/// The objects that a declaration names; the sorts of a program are its declarations.
fn each_named(origin: &mut Origin, mut visit: impl FnMut(&mut ObjectId)) {
    match origin {
        Origin::Static { contents, .. } => {
            for contents in contents {
                if let Contents::Pointers(targets) = contents {
                    targets.iter_mut().flatten().for_each(&mut visit);
                }
            }
        }
        Origin::Node { links } => {
            for link in links {
                if let Link::Child(sort) = link {
                    let mut declaration = ObjectId(sort.0);
                    visit(&mut declaration);
                    *sort = SortId(declaration.0);
                }
            }
        }
        Origin::Input | Origin::Local { .. } | Origin::Heap => {}
    }
}

fn each_contents(program: &mut Program, visit: impl FnMut(&mut Contents)) {
    let contents = program.objects.iter_mut().filter_map(|object| match &mut object.origin {
        Origin::Static { contents, .. } => Some(contents.iter_mut()),
        _ => None,
    });
    contents.flatten().for_each(visit);
}

fn each_layout(program: &mut Program, mut visit: impl FnMut(&mut LayoutId)) {
    program.objects.iter_mut().for_each(|object| visit(&mut object.layout));
}
