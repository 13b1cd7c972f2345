//! The original function's source in a file of tests: with what the path's environment gives in the place of what the library and the system would.

use super::{
    prelude::{ALLOCATION, HARNESS, OUTPUT},
    subject::{LibraryModel, Source, Unwritable},
};
use goatherd_certificates::program::{Instruction, Program};
use goatherd_counterexample::replay::{MAIN_OF_THE_SOURCE, nondet_type, scan::Scan};
use std::collections::BTreeSet;

/// Builds and runs a file of tests. Locals that the path found holding zeros hold them there as well.
const COMPILE: &str = "cc -g -fwrapv -fsanitize=address -ftrivial-auto-var-init=zero";

/// How a model returns what may be any value.
const RESULT: &str = "return __VERIFIER_nondet_";

/// Functions that write to memory what is any value for a path.
const WRITERS: [&str; 3] = ["scanf", "snprintf", "sprintf"];

/// The command that builds and runs the file.
pub fn build(source: Option<&Source<'_>>) -> String {
    let definitions = source.into_iter().flat_map(|source| source.definitions).map(|definition| format!(" -D {}", quoted(definition)));
    let directories =
        source.into_iter().flat_map(|source| source.include_directories).map(|directory| format!(" -I {}", quoted(directory)));
    let options: String = definitions.chain(directories).collect();
    format!("{COMPILE}{options} FILE.c && ./a.out").replace("*/", "* /")
}

/// One word for the shell.
fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./=+,:@%".contains(character);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Refuses what the path's values cannot be given to.
pub fn check(source: &Source<'_>, scan: &Scan<'_>) -> Result<(), Unwritable> {
    if let Some(name) = WRITERS.into_iter().find(|name| scan.needs(name)) {
        return Err(Unwritable::Text(name));
    }
    let models = models(source, scan)?;
    if scan.needs("errno") && !models.is_empty() { Err(Unwritable::Errno) } else { Ok(()) }
}

/// The names and texts of all models that take the place of library functions. A path has no value for a result that is not used.
fn models(source: &Source<'_>, scan: &Scan<'_>) -> Result<Vec<(&'static str, String)>, Unwritable> {
    let used = source.models.iter().chain(OUTPUT.iter().filter(|model| scan.needs(model.name)));
    let text = |LibraryModel { name, text }: &LibraryModel| {
        if !text.contains(RESULT) {
            return Ok((*name, (*text).to_owned()));
        }
        match scan.uses_of_results(name) {
            [_, false] => Ok((*name, (*text).to_owned())),
            [false, true] => Ok((*name, text.replace(&format!("{RESULT}int()"), "return 0"))),
            [true, true] => Err(Unwritable::Results((*name).to_owned())),
        }
    };
    used.map(text).collect()
}

/// The source, with functions in place of those that the environment provides.
pub fn included(program: &Program, source: Source<'_>, scan: &Scan<'_>) -> Result<Vec<String>, Unwritable> {
    let models = models(&source, scan)?;
    let scans: Vec<Scan<'_>> = models.iter().map(|(_, text)| Scan::new(text)).collect();
    let is_needed = |name: &str| scan.needs(name) || scans.iter().any(|scan| scan.needs(name));
    let mut lines = Vec::new();
    for (name, definition) in HARNESS {
        if is_needed(name) && !(name == "assert" && scan.includes("assert.h")) {
            lines.push(definition.to_owned());
        }
    }
    let names = scans.iter().flat_map(Scan::identifiers).chain(scan.identifiers());
    let functions: BTreeSet<&str> = names.filter(|name| name.starts_with("__VERIFIER_nondet_")).collect();
    for name in functions.into_iter().filter(|name| is_needed(name)) {
        if let Some(kind) = nondet_type(name.trim_start_matches("__VERIFIER_nondet_")) {
            lines.push(format!("{kind} {name}(void) {{ return ({kind})goatherd_value(); }}"));
        }
    }
    let allocates = program.instructions.iter().any(|instruction| matches!(instruction, Instruction::Allocate { .. }));
    if allocates {
        lines.push(ALLOCATION.to_owned());
    }
    if !models.is_empty() {
        // As the front end reads it: macros of <ctype.h> would be in the way of the functions.
        lines.push("#ifndef __NO_CTYPE\n#define __NO_CTYPE\n#endif".to_owned());
    }
    lines.extend(models.iter().map(|(name, _)| format!("#define {name} goatherd_model_{name}")));
    lines.extend(source.definitions.iter().map(|definition| defined(definition)));
    lines.push(format!("\n#define main {MAIN_OF_THE_SOURCE}\n#include \"{}\"\n#undef main", source.file));
    lines.extend(modelled(&models, scan, allocates));
    if allocates {
        lines.push("#undef malloc\n#undef calloc".to_owned());
    }
    Ok(lines)
}

/// A macro as the command line has it; one that is defined already is left.
fn defined(definition: &str) -> String {
    let (name, value) = definition.split_once('=').unwrap_or((definition, "1"));
    format!("#ifndef {name}\n#define {name} {value}\n#endif")
}

/// The models, by names of their own: the source has declared them, as its headers do.
fn modelled(models: &[(&str, String)], scan: &Scan<'_>, allocates: bool) -> Vec<String> {
    let stream = if scan.includes("stdio.h") { "FILE *stream" } else { "void *stream" };
    let mut lines = Vec::new();
    if models.is_empty() {
        return lines;
    }
    if allocates {
        lines.push("#define __builtin_malloc goatherd_malloc".to_owned());
    }
    lines.push("\n/* Library functions of which C leaves open what they give: the path says it. */".to_owned());
    for (name, text) in models {
        lines.push(format!("{}#undef {name}", text.replace("void *stream", stream)));
    }
    if allocates {
        lines.push("#undef __builtin_malloc".to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{build, defined};
    use crate::draw::c::subject::Source;

    #[test]
    fn macros_are_those_of_the_command_line() {
        assert_eq!(defined("A"), "#ifndef A\n#define A 1\n#endif");
        assert_eq!(defined("A="), "#ifndef A\n#define A \n#endif");
        assert_eq!(defined("A=b=c"), "#ifndef A\n#define A b=c\n#endif");
    }

    #[test]
    fn the_command_has_all_options() {
        let (definitions, include_directories) = (["A=b c".to_owned()], ["../inc".to_owned()]);
        let source = Source { file: "f.c", text: "", definitions: &definitions, include_directories: &include_directories, models: &[] };
        assert!(build(Some(&source)).contains(" -D 'A=b c' -I ../inc FILE.c"));
        assert!(build(None).ends_with("=zero FILE.c && ./a.out"));
    }
}
