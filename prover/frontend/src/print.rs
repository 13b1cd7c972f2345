//! Programs for people to read.

use goatherd_certificates::{
    certificate::Position,
    program::{
        Access, Condition, Contents, FailKind, Fresh, Input, Instruction, IntegerType, LayoutId, Link, Location, ObjectId, Operand,
        Operation, Origin, PointerOperand, Program, RegisterId, Relation, Type,
    },
};
use std::fmt::{self, Display, Formatter, Write};

/// Entries of a table or list that are shown.
const SHOWN: usize = 16;

/// The program as text: inputs and objects first, then one line per instruction with its source line. Without positions (or with too few)
/// lines are left out.
pub fn print(program: &Program, positions: &[Position]) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut text, program, positions);
    text
}

/// One instruction as text, with the program's names.
pub fn print_instruction(program: &Program, instruction: &Instruction) -> String {
    Shown { program, instruction }.to_string()
}

fn write(text: &mut String, program: &Program, positions: &[Position]) -> fmt::Result {
    writeln!(text, "program {}", program.entry)?;
    for layout in &program.layouts {
        let fields = layout.fields.iter().map(|field| {
            let name = if field.name.is_empty() { String::new() } else { format!(" {}", field.name) };
            format!("{}{name} at {}", type_name(field.kind), field.offset)
        });
        writeln!(text, "layout {}: {} bytes: {}", layout.name, layout.size, fields.collect::<Vec<_>>().join(", "))?;
    }
    for input in &program.inputs {
        writeln!(text, "input {}", input_text(program, input))?;
    }
    for object in program.objects.iter().filter(|object| object.origin != Origin::Input) {
        let layout = layout_name(program, object.layout);
        match &object.origin {
            Origin::Input => {}
            Origin::Static { count, contents, access } => {
                let access = if *access == Access::ReadOnly { "constant" } else { "static" };
                let contents: Vec<String> = contents.iter().map(|contents| contents_text(program, contents)).collect();
                writeln!(text, "{access} {} = {layout}[{count}] {}", object.name, contents.join("; "))?;
            }
            Origin::Local { count } => writeln!(text, "local {} = {layout}[{count}]", object.name)?,
            Origin::Heap => writeln!(text, "heap {} = {layout}[]", object.name)?,
            Origin::Node { links } => {
                let links: Vec<String> = links.iter().map(|link| link_text(program, *link)).collect();
                writeln!(text, "node {} = {layout} {{{}}}", object.name, links.join(", "))?;
            }
        }
    }
    for register in &program.registers {
        writeln!(text, "register {} : {}", register.name, type_name(register.kind))?;
    }
    let mut lines = Vec::new();
    for (index, instruction) in program.instructions.iter().enumerate() {
        let mut line = format!("{index:4}  {}", Shown { program, instruction });
        if program.assertions.iter().any(|assertion| assertion.index() == index) {
            line.push_str("  [assertion]");
        }
        lines.push(line);
    }
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0).min(80);
    for (index, line) in lines.iter().enumerate() {
        match positions.get(index) {
            Some(position) => writeln!(text, "{line:width$}  ; {}:{}", position.line, position.column)?,
            None => writeln!(text, "{line}")?,
        }
    }
    Ok(())
}

fn input_text(program: &Program, input: &Input) -> String {
    match input {
        Input::Integer { register } => register_text(program, *register),
        Input::Array { pointer, length, object } => {
            let layout = program.objects.get(object.index()).map_or("?", |object| layout_name(program, object.layout));
            format!("{} -> {layout}[{}]", register_text(program, *pointer), register_text(program, *length))
        }
        Input::Single { pointer, object } => {
            let layout = program.objects.get(object.index()).map_or("?", |object| layout_name(program, object.layout));
            format!("{} -> NULL or one {layout}", register_text(program, *pointer))
        }
        Input::Linked { pointer, object } => {
            let layout = program.objects.get(object.index()).map_or("?", |object| layout_name(program, object.layout));
            format!("{} -> NULL or a tree of {layout}", register_text(program, *pointer))
        }
    }
}

fn link_text(program: &Program, link: Link) -> String {
    match link {
        Link::Data => "data".to_owned(),
        Link::Child(object) => format!("child {}", object_name(program, ObjectId(object.0))),
        Link::Up => "up".to_owned(),
        Link::Other => "other".to_owned(),
        Link::Null => "null".to_owned(),
        Link::Range { least, greatest } => format!("{least} to {greatest}"),
    }
}

fn contents_text(program: &Program, contents: &Contents) -> String {
    let list = |entries: Vec<String>, count: usize| {
        let dots = if count > entries.len() { ", ..." } else { "" };
        format!("{{{}{dots}}}", entries.join(", "))
    };
    match contents {
        Contents::Zero => "zero".to_owned(),
        Contents::Table(table) => {
            let values = program.tables.get(table.index()).map_or(&[][..], |table| &table.values);
            list(values.iter().take(SHOWN).map(ToString::to_string).collect(), values.len())
        }
        Contents::Pointers(targets) => {
            let name =
                |target: &Option<ObjectId>| target.map_or_else(|| "NULL".to_owned(), |target| object_name(program, target).to_owned());
            list(targets.iter().take(SHOWN).map(name).collect(), targets.len())
        }
    }
}

fn layout_name(program: &Program, layout: LayoutId) -> &str {
    program.layouts.get(layout.index()).map_or("?", |layout| &layout.name)
}

fn object_name(program: &Program, object: ObjectId) -> &str {
    program.objects.get(object.index()).map_or("?", |object| &object.name)
}

fn register_text(program: &Program, register: RegisterId) -> String {
    program.registers.get(register.index()).map_or_else(|| "?".to_owned(), |register| register.name.clone())
}

/// How a type is written: `i32`, `u8`, `bool`, `pointer`.
pub fn type_name(kind: Type) -> &'static str {
    match kind {
        Type::Pointer => "pointer",
        Type::Integer(kind) => match kind {
            IntegerType::Bool => "bool",
            IntegerType::I8 => "i8",
            IntegerType::U8 => "u8",
            IntegerType::I16 => "i16",
            IntegerType::U16 => "u16",
            IntegerType::I32 => "i32",
            IntegerType::U32 => "u32",
            IntegerType::I64 => "i64",
            IntegerType::U64 => "u64",
        },
    }
}

/// An instruction with the names of its program.
struct Shown<'a> {
    program: &'a Program,
    instruction: &'a Instruction,
}

impl Shown<'_> {
    fn register(&self, register: RegisterId) -> String {
        register_text(self.program, register)
    }

    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Register(register) => self.register(register),
            Operand::Constant(value) => value.to_string(),
        }
    }

    fn pointer(&self, operand: PointerOperand) -> String {
        match operand {
            PointerOperand::Register(register) => self.register(register),
            PointerOperand::Null => "NULL".to_owned(),
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Integers { relation, left, right } => {
                format!("{} {} {}", self.operand(*left), relation_text(*relation), self.operand(*right))
            }
            Condition::Pointers { relation, left, right } => {
                format!("{} {} {}", self.pointer(*left), relation_text(*relation), self.pointer(*right))
            }
        }
    }

    fn cell(&self, address: RegisterId, offset: i64) -> String {
        match offset {
            0 => format!("*{}", self.register(address)),
            _ => format!("*({} {} {} bytes)", self.register(address), if offset < 0 { '-' } else { '+' }, offset.unsigned_abs()),
        }
    }
}

impl Display for Shown<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let object = |object: ObjectId| object_name(self.program, object);
        match self.instruction {
            Instruction::Jump { target } => write!(formatter, "goto {}", number(*target)),
            Instruction::Branch { condition, then, otherwise } => {
                write!(formatter, "if {} goto {} else {}", self.condition(condition), number(*then), number(*otherwise))
            }
            Instruction::Choose { then, otherwise } => write!(formatter, "choose {} or {}", number(*then), number(*otherwise)),
            Instruction::Halt => formatter.write_str("halt"),
            Instruction::Fail { kind } => write!(formatter, "fail: {}", fail_text(*kind)),
            Instruction::Ignore => formatter.write_str("ignore"),
            Instruction::Assign { target, value } => write!(formatter, "{} = {}", self.register(*target), self.operand(*value)),
            Instruction::Compute { target, operation, left, right } => {
                let (left, right) = (self.operand(*left), self.operand(*right));
                write!(formatter, "{} = {left} {} {right}", self.register(*target), operation_text(*operation))
            }
            Instruction::Havoc { target } => write!(formatter, "{} = any", self.register(*target)),
            Instruction::Uninitialise { target } => write!(formatter, "{} = uninitialised", self.register(*target)),
            Instruction::Null { target } => write!(formatter, "{} = NULL", self.register(*target)),
            Instruction::Copy { target, source } => write!(formatter, "{} = {}", self.register(*target), self.register(*source)),
            Instruction::Address { target, object: of } => write!(formatter, "{} = &{}", self.register(*target), object(*of)),
            Instruction::Advance { target, base, index, scale } => {
                let (base, index) = (self.register(*base), self.operand(*index));
                let sign = if *scale < 0 { '-' } else { '+' };
                write!(formatter, "{} = {base} {sign} {index} * {} bytes", self.register(*target), scale.unsigned_abs())
            }
            Instruction::Distance { target, left, right, scale } => {
                let (left, right) = (self.register(*left), self.register(*right));
                write!(formatter, "{} = ({left} - {right}) / {scale} bytes", self.register(*target))
            }
            Instruction::Load { target, address, offset } => {
                write!(formatter, "{} = {}", self.register(*target), self.cell(*address, *offset))
            }
            Instruction::Store { address, offset, source } => {
                write!(formatter, "{} = {}", self.cell(*address, *offset), self.register(*source))
            }
            Instruction::Allocate { target, object: of, bytes, fresh } => {
                let fresh = if *fresh == Fresh::Zero { " of zeros" } else { "" };
                let bytes = self.operand(*bytes);
                write!(formatter, "{} = allocate {}: {bytes} bytes{fresh}", self.register(*target), object(*of))
            }
            Instruction::Free { pointer } => write!(formatter, "free {}", self.register(*pointer)),
            Instruction::Enter { object: of } => write!(formatter, "enter {}", object(*of)),
            Instruction::Leave { object: of } => write!(formatter, "leave {}", object(*of)),
        }
    }
}

fn number(location: Location) -> u32 {
    location.0
}

/// How a relation is written.
pub fn relation_text(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "==",
        Relation::Less => "<",
        Relation::LessOrEqual => "<=",
    }
}

/// How an operation is written.
pub fn operation_text(operation: Operation) -> &'static str {
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

/// What a failure is called.
pub fn fail_text(kind: FailKind) -> &'static str {
    match kind {
        FailKind::Assertion => "assertion",
        FailKind::Reached => "error reached",
        FailKind::MissingReturn => "missing return",
        FailKind::Unreachable => "unreachable code reached",
    }
}
