//! Writes a first harness for a plain function, to be edited.
//!
//! A function `int count(const char *s, char c)` becomes a program that is analysed for strings of every length:
//!
//! ```c
//! struct input_s {
//!     char *s;
//!     int n_s;
//! };
//!
//! void test(struct input_s s, char c)
//! {
//!     terminated_s(s);
//!     count(s.s, c);
//! }
//! ```

mod parameters;

use crate::{
    diagnostics::{Diagnostic, Kind},
    source::Unit,
};
use lang_c::{
    ast::{DerivedDeclarator, ExternalDeclaration, FunctionDefinition, TranslationUnit},
    driver::{Config, Flavor, parse_preprocessed},
    span::Node,
};
use parameters::{Parameter, Role, Typedefs};
use std::fmt::Write;

/// The name of the harness function.
const ENTRY: &str = "test";

/// Writes a harness for a function that the unit defines. Refuses functions whose parameters it cannot make inputs for.
pub fn harness(unit: &Unit, function_name: &str) -> Result<String, Vec<Diagnostic>> {
    let tree = parse(unit)?;
    let functions = || {
        tree.0.iter().filter_map(|external| match &external.node {
            ExternalDeclaration::FunctionDefinition(definition) => Some((function_name_of(definition)?, definition)),
            _ => None,
        })
    };
    if let Some((_, definition)) = functions().find(|(name, _)| *name == ENTRY) {
        let message = format!("a harness is a function {ENTRY}, and the file has one");
        return Err(vec![diagnostic(Kind::Error, definition.span.start, message)]);
    }
    let Some((_, definition)) = functions().find(|(name, _)| *name == function_name) else {
        let own = functions().filter(|(_, definition)| unit.position(definition.span.start).file == 0);
        let names: Vec<&str> = own.map(|(name, _)| name).collect();
        let mut missing = diagnostic(Kind::Error, 0, format!("there is no function {function_name} with a body"));
        missing.help = (!names.is_empty()).then(|| format!("there is {}", names.join(", ")));
        return Err(vec![missing]);
    };
    let parameters = parameters::of(unit, definition, &Typedefs::of(unit, &tree))?;
    Ok(write(unit, function_name, &parameters))
}

/// Parses on a thread whose stack is large enough for the deepest tree that a unit may have.
fn parse(unit: &Unit) -> Result<TranslationUnit, Vec<Diagnostic>> {
    const STACK: usize = 64 << 20;
    let text = unit.text().to_owned();
    let config = Config { flavor: Flavor::GnuC11, ..Config::default() };
    let parser = std::thread::Builder::new().stack_size(STACK).spawn(move || parse_preprocessed(&config, text));
    let failed = || vec![diagnostic(Kind::Error, 0, "the parser failed")];
    match parser.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(parse))) => Ok(parse.unit),
        Ok(Ok(Err(error))) => Err(vec![diagnostic(Kind::Error, error.offset, "this is not understood as C")]),
        Ok(Err(_)) | Err(_) => Err(failed()),
    }
}

fn diagnostic(kind: Kind, offset: usize, message: impl Into<String>) -> Diagnostic {
    Diagnostic { kind, message: message.into(), offset, help: None }
}

fn function_name_of(definition: &Node<FunctionDefinition>) -> Option<&str> {
    let declarator = &definition.node.declarator.node;
    let function =
        |derived: &Node<DerivedDeclarator>| matches!(derived.node, DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_));
    declarator.derived.iter().any(function).then(|| parameters::name_of(declarator))?
}

/// The harness's text.
fn write(unit: &Unit, function: &str, parameters: &[Parameter]) -> String {
    // Writing to a string does not fail.
    let mut text = String::new();
    let _written = write_to(&mut text, unit, function, parameters);
    text
}

fn write_to(text: &mut String, unit: &Unit, function: &str, parameters: &[Parameter]) -> std::fmt::Result {
    writeln!(text, "/*")?;
    writeln!(text, " * A first harness for {function}, to be edited. As it stands it asks for memory safety alone: whatever the")?;
    writeln!(text, " * input, {function} reads and writes only where it may. Add __VERIFIER_assert(...) for what it shall compute,")?;
    writeln!(text, " * and __VERIFIER_assume(...) for what its callers have to see to.")?;
    writeln!(text, " */")?;
    include(text, unit)?;
    writeln!(text, "extern void __VERIFIER_assume(int);")?;
    writeln!(text, "extern void __VERIFIER_assert(int);")?;
    writeln!(text, "extern void __VERIFIER_ignore(void);")?;
    for parameter in parameters {
        input(text, parameter)?;
    }
    writeln!(text)?;
    let list: Vec<String> = parameters.iter().map(Parameter::declaration).collect();
    writeln!(text, "void {ENTRY}({})", if list.is_empty() { "void".to_owned() } else { list.join(", ") })?;
    writeln!(text, "{{")?;
    for parameter in parameters {
        assumptions(text, parameter, parameters)?;
    }
    let arguments: Vec<String> = parameters.iter().map(Parameter::argument).collect();
    writeln!(text, "    /* What comes back could be kept in a variable and compared. */")?;
    writeln!(text, "    {function}({});", arguments.join(", "))?;
    writeln!(text, "}}")
}

/// The function's own file: by name, or its text if it came from the standard input.
fn include(text: &mut String, unit: &Unit) -> std::fmt::Result {
    let name = unit.files().first().map_or("", String::as_str);
    if name.starts_with('<') || name.is_empty() {
        writeln!(text, "\n{}", String::from_utf8_lossy(unit.source()).trim_end())?;
    } else {
        let plain = std::path::Path::new(name).file_name().map_or(name.into(), std::ffi::OsStr::to_string_lossy);
        writeln!(text, "#include \"{plain}\"\n")?;
    }
    Ok(())
}

/// The struct of an array input, and the check of a string.
fn input(text: &mut String, parameter: &Parameter) -> std::fmt::Result {
    let name = &parameter.name;
    let Role::Array { element, string, .. } = &parameter.role else { return Ok(()) };
    writeln!(text, "\n/* An array of exactly n_{name} items at {name}, for every n_{name} >= 0. */")?;
    writeln!(text, "struct input_{name} {{\n    {element} *{name};\n    int n_{name};\n}};")?;
    if *string {
        writeln!(text, "\n/* {name} is a string: arrays without a terminator are left out. Delete this if {name} needs none. */")?;
        writeln!(text, "static void terminated_{name}(struct input_{name} input)\n{{")?;
        writeln!(text, "    for (int i = 0; i < input.n_{name}; i++)\n        if (input.{name}[i] == 0)\n            return;")?;
        writeln!(text, "    __VERIFIER_ignore();\n}}")?;
    }
    Ok(())
}

/// What the harness takes for granted about one parameter.
fn assumptions(text: &mut String, parameter: &Parameter, all: &[Parameter]) -> std::fmt::Result {
    let name = &parameter.name;
    match &parameter.role {
        Role::Array { string: true, .. } => writeln!(text, "    terminated_{name}({name});"),
        Role::Array { length: Some(length), .. } => {
            let signed = all.iter().any(|other| other.name == *length && matches!(other.role, Role::Integer { signed: true }));
            writeln!(text, "    /* Is {length} the number of items at {name}? */")?;
            let low = if signed { format!("{length} >= 0 && ") } else { String::new() };
            writeln!(text, "    __VERIFIER_assume({low}{length} <= {name}.n_{name});")
        }
        Role::Array { .. } => {
            writeln!(text, "    /* How many items does the function need at {name}? */\n    __VERIFIER_assume({name}.n_{name} > 0);")
        }
        Role::Object => writeln!(text, "    /* Delete this if {name} may be NULL. */\n    __VERIFIER_assume({name} != (void *)0);"),
        Role::Integer { .. } | Role::Value => Ok(()),
    }
}
