//! A program's declarations and listing.

use super::{Page, list, position};
use crate::{
    escape::shortened,
    lower::{
        replaced,
        types::{maximum, minimum},
    },
};
use goatherd_certificates::{
    certificate::Position,
    program::{
        Access, Advance, Allocate, ArrayInput, Branch, Compute, Condition, Contents, Distance, FailKind, Field, Fresh, Input, Instruction,
        IntegerType, LayoutId, Link, Location, ObjectId, Operand, Operation, Origin, PointerOperand, Program, RegisterId, Relation, SortId,
        Source, TableId, Type,
    },
};
use std::collections::BTreeMap;

/// The names of a program's registers and objects, each of them once.
#[derive(Debug)]
pub struct Names<'a> {
    program: &'a Program,
    registers: Vec<String>,
    objects: Vec<String>,
}

impl<'a> Names<'a> {
    /// Those of a program.
    pub fn new(program: &'a Program) -> Self {
        let registers = unique(program.registers.iter().map(|register| register.name.as_str()), "register");
        let objects = unique(program.objects.iter().map(|object| object.name.as_str()), "object");
        Self { program, registers, objects }
    }

    /// The name of a register.
    pub fn register(&self, register: RegisterId) -> String {
        self.registers.get(register.index()).cloned().unwrap_or_else(|| format!("register.{}", register.0))
    }

    /// The name of an object.
    pub fn object(&self, object: ObjectId) -> String {
        self.objects.get(object.index()).cloned().unwrap_or_else(|| format!("object.{}", object.0))
    }

    fn layout(&self, layout: LayoutId) -> String {
        self.program.layouts.get(layout.index()).map_or_else(|| format!("layout.{}", layout.0), |layout| shortened(&layout.name))
    }

    fn layout_of(&self, object: ObjectId) -> String {
        self.program.objects.get(object.index()).map_or_else(|| self.object(object), |object| self.layout(object.layout))
    }

    /// The name of a field of an object's elements, by its position.
    pub fn field(&self, object: ObjectId, position: usize) -> String {
        let layout = self.program.objects.get(object.index()).and_then(|object| self.program.layouts.get(object.layout.index()));
        match layout.and_then(|layout| layout.fields.get(position)) {
            Some(field) if field.name.is_empty() => String::from("elements"),
            Some(field) => shortened(&field.name),
            None => format!("field.{position}"),
        }
    }

    fn kind(&self, register: RegisterId) -> Option<Type> {
        self.program.registers.get(register.index()).map(|register| register.kind)
    }

    /// The name of an input, by its position.
    pub fn input(&self, position: usize) -> String {
        match self.program.inputs.get(position) {
            Some(Input::Integer { register: pointer } | Input::Array(ArrayInput { pointer, .. }) | Input::Single { pointer, .. }) => {
                self.register(*pointer)
            }
            Some(Input::Linked { pointer, .. }) => self.register(*pointer),
            None => format!("input.{position}"),
        }
    }

    /// What may be assumed of each input, in words.
    pub fn input_phrases(&self) -> Vec<String> {
        let phrase = |input: &Input| match input {
            Input::Integer { register } => format!("{} is any value of {}", self.register(*register), self.kind_name(*register)),
            Input::Array(ArrayInput { pointer, length, object }) => {
                let (pointer, length, layout) = (self.register(*pointer), self.register(*length), self.layout_of(*object));
                format!("{pointer} points to exactly {length} elements of type {layout}, {length} any number from 0")
            }
            Input::Single { pointer, object } => {
                format!("{} is NULL or points to one {} of its own", self.register(*pointer), self.layout_of(*object))
            }
            Input::Linked { pointer, object } => {
                format!("{} is NULL or the root of a tree of {} of its own", self.register(*pointer), self.layout_of(*object))
            }
        };
        let size = |size| format!("in the place of {size}, the length of an array, any number from 1 to {size}");
        self.program.inputs.iter().map(phrase).chain(replaced(self.program).into_iter().map(size)).collect()
    }

    fn kind_name(&self, register: RegisterId) -> &'static str {
        self.kind(register).map_or("?", type_name)
    }

    /// Everything that the program declares.
    pub fn declarations(&self, page: &mut Page) {
        page.line(0, "Registers");
        for (name, register) in self.registers.iter().zip(&self.program.registers) {
            page.line(1, format!("{name}: {}", type_name(register.kind)));
        }
        page.line(0, "");
        if !self.program.layouts.is_empty() {
            page.line(0, "Elements");
            for layout in &self.program.layouts {
                let field = |field: &Field| {
                    let name = if field.name.is_empty() { String::new() } else { format!(" {}", shortened(&field.name)) };
                    format!("{}{name} at byte {}", type_name(field.kind), field.offset)
                };
                page.line(1, format!("{}, {} bytes: {}", shortened(&layout.name), layout.size, list(layout.fields.iter().map(field))));
            }
            page.line(0, "");
        }
        if !self.program.objects.is_empty() {
            page.line(0, "Objects");
            for (name, object) in self.objects.iter().zip(&self.program.objects) {
                let layout = self.layout(object.layout);
                page.line(1, format!("{name}: {}", self.object_phrase(&layout, &object.origin)));
            }
            page.line(0, "");
        }
        if !self.program.tables.is_empty() {
            page.line(0, "Tables");
            for (position, table) in self.program.tables.iter().enumerate() {
                page.line(1, format!("table.{position}: {} {{{}}}", integer_name(table.kind), list(&table.values)));
            }
            page.line(0, "");
        }
    }

    /// The name of a sort: of a declaration, or a number of the proof.
    pub fn sort(&self, sort: SortId) -> String {
        if sort.index() < self.objects.len() { self.object(ObjectId(sort.0)) } else { format!("sort.{}", sort.0) }
    }

    /// The numbers of the sorts that a proof adds.
    pub fn further_sorts(&self) -> impl Iterator<Item = SortId> {
        (0..).map(SortId).skip(self.objects.len())
    }

    /// What the fields of a node are to its heap.
    pub fn links(&self, links: &[Link]) -> String {
        let link = |link: &Link| match link {
            Link::Data => String::from("data"),
            Link::Child(sort) => format!("child {}", self.sort(*sort)),
            Link::Up => String::from("up"),
            Link::Other => String::from("other"),
            Link::Null => String::from("null"),
            Link::Same => String::from("same"),
            Link::Range { least, greatest } => format!("{least} to {greatest}"),
            Link::Any => String::from("anything"),
            Link::Handed { sort, from: Source::Field(field) } => format!("child {}, same field {field}", self.sort(*sort)),
            Link::Handed { sort, from: Source::Above } => format!("child {}, same handed on", self.sort(*sort)),
            Link::Ring { sort, byte } => format!("ring {}, header at byte {byte}", self.sort(*sort)),
            Link::Last(field) => format!("last of field {field}"),
        };
        list(links.iter().map(link))
    }

    fn object_phrase(&self, layout: &str, origin: &Origin) -> String {
        match origin {
            Origin::Input => format!("input, elements of type {layout}"),
            Origin::Heap => format!("allocated, elements of type {layout}"),
            Origin::Node { links } => format!("nodes of type {layout}: {}", self.links(links)),
            Origin::Local { count } => format!("local, {count} elements of type {layout}"),
            Origin::Static { count, contents, access } => {
                let access = match access {
                    Access::ReadOnly => "constant",
                    Access::ReadWrite => "static",
                };
                let contents = contents.iter().map(|contents| match contents {
                    Contents::Zero => String::from("zero"),
                    Contents::Table(table) => table_name(*table),
                    Contents::Pointers(targets) => {
                        let target = |target: &Option<ObjectId>| target.map_or_else(|| String::from("NULL"), |target| self.object(target));
                        format!("{{{}}}", list(targets.iter().map(target)))
                    }
                });
                format!("{access}, {count} elements of type {layout}, at first {}", list(contents))
            }
        }
    }

    /// One line per instruction, with its place in the source; `assertion` marks the branches that test one.
    pub fn listing(&self, files: &[String], positions: &[Position], page: &mut Page) {
        let locations = (0u32..).map(Location).take(self.program.instructions.len());
        let positions: Vec<String> = locations.clone().map(|location| position(files, positions, location).unwrap_or_default()).collect();
        let width = positions.iter().map(|position| position.chars().count()).max().unwrap_or(0);
        for ((location, instruction), position) in locations.zip(&self.program.instructions).zip(&positions) {
            let mark = if self.program.assertions.binary_search(&location).is_ok() { "   (assertion)" } else { "" };
            page.line(0, format!("{:>5}  {position:<width$}  {}{mark}", location.0, self.instruction(instruction)));
        }
    }

    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Register(register) => self.register(register),
            Operand::Constant(value) => value.to_string(),
        }
    }

    fn pointer_operand(&self, operand: PointerOperand) -> String {
        match operand {
            PointerOperand::Register(register) => self.register(register),
            PointerOperand::Null => String::from("NULL"),
        }
    }

    /// What a branch or a lemma asks for.
    pub fn condition(&self, condition: Condition) -> String {
        let (relation, left, right) = match condition {
            Condition::Integers { relation, left, right } => (relation, self.operand(left), self.operand(right)),
            Condition::Pointers { relation, left, right } => (relation, self.pointer_operand(left), self.pointer_operand(right)),
        };
        let relation = match relation {
            Relation::Equal => "==",
            Relation::Less => "<",
            Relation::LessOrEqual => "<=",
        };
        format!("{left} {relation} {right}")
    }

    /// The cell that an access names, as an expression of C.
    fn cell(&self, register: RegisterId, address: RegisterId, offset: i64) -> String {
        let kind = self.kind_name(register);
        let address = self.register(address);
        match offset {
            0 => format!("*({kind} *) {address}"),
            offset if offset < 0 => format!("*({kind} *) ((char *) {address} - {})", offset.unsigned_abs()),
            offset => format!("*({kind} *) ((char *) {address} + {offset})"),
        }
    }

    /// An instruction, as in C where C has it.
    pub fn instruction(&self, instruction: &Instruction) -> String {
        match *instruction {
            Instruction::Jump { target } => format!("goto {}", target.0),
            Instruction::Branch(Branch { condition, then, otherwise }) => {
                format!("if ({}) goto {}; else goto {}", self.condition(condition), then.0, otherwise.0)
            }
            Instruction::Choose { then, otherwise } => format!("if (any) goto {}; else goto {}", then.0, otherwise.0),
            Instruction::Halt => String::from("halt"),
            Instruction::Fail { kind } => format!("fail: {}", failure_name(kind)),
            Instruction::Ignore => String::from("ignore"),
            Instruction::Assign { target, value } => {
                let is_kept = match value {
                    Operand::Register(source) => self.kind(source) == self.kind(target),
                    Operand::Constant(value) => {
                        matches!(self.kind(target), Some(Type::Integer(kind)) if (minimum(kind)..=maximum(kind)).contains(&value))
                    }
                };
                let cast = if is_kept { String::new() } else { format!("({}) ", self.kind_name(target)) };
                format!("{} = {cast}{}", self.register(target), self.operand(value))
            }
            Instruction::Compute(Compute { target, operation, left, right }) => {
                let (left, right, kind) = (self.operand(left), self.operand(right), self.kind_name(target));
                format!("{} = ({kind}) ({left} {} {right})", self.register(target), operation_name(operation))
            }
            Instruction::Havoc { target } => format!("{} = any {}", self.register(target), self.kind_name(target)),
            Instruction::Uninitialise { target } => format!("{} holds no value", self.register(target)),
            Instruction::Null { target } => format!("{} = NULL", self.register(target)),
            Instruction::Copy { target, source } => format!("{} = {}", self.register(target), self.register(source)),
            Instruction::Address { target, object } => format!("{} = &{}[0]", self.register(target), self.object(object)),
            Instruction::Advance(Advance { target, base, index, scale }) => {
                let (target, base, index) = (self.register(target), self.register(base), self.operand(index));
                format!("{target} = (char *) {base} + {index} * {scale}")
            }
            Instruction::Distance(Distance { target, left, right, scale }) => {
                let (target, left, right) = (self.register(target), self.register(left), self.register(right));
                format!("{target} = ((char *) {left} - (char *) {right}) / {scale}")
            }
            Instruction::Load { target, address, offset } => {
                format!("{} = {}", self.register(target), self.cell(target, address, offset))
            }
            Instruction::Store { address, offset, source } => {
                format!("{} = {}", self.cell(source, address, offset), self.register(source))
            }
            Instruction::Allocate(Allocate { target, object, bytes, fresh }) => {
                let call = match fresh {
                    Fresh::Arbitrary => format!("malloc({})", self.operand(bytes)),
                    Fresh::Zero => format!("calloc(1, {})", self.operand(bytes)),
                };
                format!("{} = {call}, {} begins", self.register(target), self.object(object))
            }
            Instruction::Free { pointer } => format!("free({})", self.register(pointer)),
            Instruction::Enter { object } => format!("{} begins", self.object(object)),
            Instruction::Leave { object } => format!("{} ends", self.object(object)),
            Instruction::CheckLeaks { ref roots } => {
                let roots: Vec<_> = roots.iter().map(|root| self.register(*root)).collect();
                format!("fail if memory is leaked, but what {} lead to", roots.join(", "))
            }
        }
    }
}

/// The names as they are shown, those that are empty or there twice with their number.
fn unique<'a>(names: impl Iterator<Item = &'a str>, empty: &str) -> Vec<String> {
    let names: Vec<String> = names.map(shortened).collect();
    let mut counts = BTreeMap::new();
    for name in &names {
        *counts.entry(name).or_insert(0u32) += 1;
    }
    let name = |(position, name): (usize, &String)| match (name.as_str(), counts.get(name)) {
        ("", _) => format!("{empty}.{position}"),
        (name, Some(1)) => name.to_owned(),
        (name, _) => format!("{name}.{position}"),
    };
    names.iter().enumerate().map(name).collect()
}

/// The name of a table of constants.
pub fn table_name(table: TableId) -> String {
    format!("table.{}", table.0)
}

const fn type_name(kind: Type) -> &'static str {
    match kind {
        Type::Integer(kind) => integer_name(kind),
        Type::Pointer => "void *",
    }
}

/// A type's name in C.
pub const fn integer_name(kind: IntegerType) -> &'static str {
    match kind {
        IntegerType::Bool => "_Bool",
        IntegerType::I8 => "signed char",
        IntegerType::U8 => "unsigned char",
        IntegerType::I16 => "short",
        IntegerType::U16 => "unsigned short",
        IntegerType::I32 => "int",
        IntegerType::U32 => "unsigned",
        IntegerType::I64 => "long",
        IntegerType::U64 => "unsigned long",
    }
}

/// An operation's sign in C.
pub const fn operation_name(operation: Operation) -> &'static str {
    match operation {
        Operation::Add => "+",
        Operation::Subtract => "-",
        Operation::Multiply => "*",
        Operation::Divide => "/",
        Operation::Remainder => "%",
        Operation::And => "&",
        Operation::Or => "|",
        Operation::Xor => "^",
        Operation::ShiftLeft => "<<",
        Operation::ShiftRight => ">>",
    }
}

const fn failure_name(kind: FailKind) -> &'static str {
    match kind {
        FailKind::Assertion => "assertion",
        FailKind::Reached => "reached",
        FailKind::MissingReturn => "missing return",
        FailKind::Unreachable => "unreachable",
    }
}
