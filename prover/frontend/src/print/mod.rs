//! Programs for people to read. `goatherd lower` and `goatherd-check --print` show the same program in the same words.
//!
//! What is printed need not be well-formed: a name that does not exist is printed as its number.

pub mod program;

use crate::{
    escape::{escaped, shortened},
    lower::{Assumption, Leaks, undefined_functions},
};
use goatherd_certificates::{
    certificate::{Allocation, Arithmetic, DataModel, Parameters, PointerFormation, Position, SignedOverflow},
    program::{Allocate, Fresh, Instruction, Location, ObjectId, Program, Type},
};
use program::Names;
use std::fmt::{Display, Write};

/// The greatest number of characters in a line of a paragraph.
const WIDTH: usize = 100;

/// The program as text: what may be assumed of its inputs, its declarations, and one line per instruction with its place in the source.
/// Instructions without a position have none.
pub fn program(program: &Program, files: &[String], positions: &[Position]) -> String {
    let names = Names::new(program);
    let mut page = Page::default();
    page.line(0, "Inputs");
    for phrase in names.input_phrases() {
        page.line(1, phrase);
    }
    page.line(0, "");
    names.declarations(&mut page);
    page.line(0, "Program");
    names.listing(files, positions, &mut page);
    page.text
}

/// What the parameters of a claim say, one phrase each.
pub const fn parameter_phrases(parameters: Parameters) -> [&'static str; 5] {
    [
        match parameters.data_model {
            DataModel::Lp64SignedChar => "LP64, little endian, char signed",
        },
        match parameters.signed_overflow {
            SignedOverflow::Wraps => "signed overflow wraps",
            SignedOverflow::Fails => "signed overflow fails",
        },
        match parameters.pointer_formation {
            PointerFormation::Anywhere => "pointers may be formed anywhere, and do not wrap around",
            PointerFormation::InsideObject => "forming a pointer outside its object fails",
        },
        match parameters.allocation {
            Allocation::Succeeds => "allocation succeeds up to 2^63 - 1 bytes",
            Allocation::MayFail => "allocation may fail",
        },
        match parameters.arithmetic {
            Arithmetic::C => "integers are of their C types",
            Arithmetic::Unbounded => "integers are unbounded",
        },
    ]
}

/// What a claim about a program was checked under, in words: its parameters, whether leaked memory is a failure, and which functions are not
/// defined.
pub fn conditions(program: &Program, parameters: Parameters) -> Vec<String> {
    let leaks = (Leaks::of(program) == Leaks::Fail).then_some("memory that is leaked at the end fails");
    let said = parameter_phrases(parameters).into_iter().chain(leaks).map(str::to_owned);
    let undefined = undefined_functions(program).into_iter().map(|name| {
        let name = escaped(name);
        format!("{name}, which is not defined, returns any value, may change all objects with external linkage, and does nothing else: it calls no function of the program")
    });
    said.chain(undefined).chain(assumed(program)).chain(ASSUMED.map(str::to_owned)).collect()
}

/// What is assumed of this program.
fn assumed(program: &Program) -> Vec<String> {
    let assumptions = Assumption::all_of(program);
    let ordinary = assumptions.iter().filter_map(|assumption| match assumption {
        Assumption::Ordinary(name) => Some(escaped(name)),
        _ => None,
    });
    let ordinary = list(ordinary);
    let named = format!("compilers and the library take what the program defines as {ordinary} for none of the library's (-fno-builtin)");
    let others = assumptions.iter().filter_map(|assumption| match assumption {
        Assumption::Ordinary(_) => None,
        Assumption::Aligned => Some("pointers are aligned as what they point to wants it"),
        Assumption::Apart => Some("no value is assigned, copied or moved to a place that overlaps it in part"),
        Assumption::Streams => Some("what stands for a stream is one"),
        Assumption::Qualified => Some("what is const is not written, and what is volatile is accessed as such"),
        Assumption::Promised => Some("what attributes say of functions and nothing checks is so"),
        Assumption::Padding => {
            Some("what other members of a union hold where a struct in it has padding is kept when that is assigned or copied")
        }
        Assumption::Literals => Some("const compound literals lie where no other literal does"),
        Assumption::Reserved => Some("compilers and the library do not use the reserved names that the program has"),
        Assumption::Functions => Some("functions have addresses of their own"),
        Assumption::FileName => Some("__FILE__ is the file's name without its folder"),
    });
    let fresh = reads_fresh(program).then_some("memory that is read before it is written holds a value of its type, and keeps it");

    (!ordinary.is_empty()).then_some(named).into_iter().chain(others.chain(fresh).map(str::to_owned)).collect()
}

/// May the program read an integer in memory that it has not written? What is there need be no value of its type in a compiled program, nor the same one
/// twice.
fn reads_fresh(program: &Program) -> bool {
    let fresh = |instruction: &Instruction| match instruction {
        Instruction::Enter { object } | Instruction::Allocate(Allocate { object, fresh: Fresh::Arbitrary, .. }) => Some(*object),
        _ => None,
    };
    let has_integers = |object: ObjectId| {
        let layout = program.objects.get(object.index()).and_then(|object| program.layouts.get(object.layout.index()));
        layout.is_some_and(|layout| layout.fields.iter().any(|field| field.kind != Type::Pointer))
    };
    let is_read = program.instructions.iter().any(|instruction| matches!(instruction, Instruction::Load { .. }));
    is_read && program.instructions.iter().filter_map(fresh).any(has_integers)
}

/// What dialect the text is read in, what compilers may assume of a C program and no instruction fails on (C11 6.5p7, 6.7.3.1; `spec/program.md#c`), how
/// far a pointer may go that points into a part of an object (6.5.6p8), and what no program says: that there is memory for all variables, those of waiting
/// calls and arrays of variable length among them.
const ASSUMED: [&str; 5] = [
    "the text is read as by gcc, in its own dialect (gnu17) and with the macros given",
    "restrict and effective types are respected",
    "a pointer into a row or member, or behind it, reaches its whole object, and so does a struct's last array",
    "the stack does not overflow",
    "what the program defines is used outside of it by no name",
];

/// Where an instruction stands in the source: `FILE:LINE:COLUMN`.
pub fn position(files: &[String], positions: &[Position], location: Location) -> Option<String> {
    let position = positions.get(location.index())?;
    let file = files.get(usize::try_from(position.file).ok()?)?;
    Some(format!("{}:{}:{}", shortened(file), position.line, position.column))
}

/// The items with commas between them.
pub fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

/// Text by lines.
#[derive(Default, Debug)]
pub struct Page {
    /// What has been written.
    pub text: String,
}

impl Page {
    /// Adds a line, indented by so many levels.
    pub fn line(&mut self, level: usize, line: impl Display) {
        let start = self.text.len();
        // Writing to a string does not fail.
        let _ = write!(self.text, "{:1$}{line}", "", 2 * level);
        self.text.truncate(start + self.text[start..].trim_end().len());
        self.text.push('\n');
    }

    /// Adds a paragraph, broken between words.
    pub fn paragraph(&mut self, text: &str) {
        let mut line = String::new();
        for word in text.split(' ') {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
                self.line(0, &line);
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.line(0, line);
    }
}
