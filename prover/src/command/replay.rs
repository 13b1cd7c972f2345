//! Writes the C file that shows a failing run.

use super::{Trouble, arguments::Prove, input::Loaded, output, report::Replay};
use goatherd::{
    counterexample::{
        Counterexample,
        replay::{COMPILE, Source},
        write_c,
    },
    prove::Task,
};
use goatherd_certificates::certificate::SignedOverflow;
use std::path::Path;

/// Writes the file, where the run can be written as C.
pub fn write(
    arguments: &Prove,
    task: &Task,
    loaded: &Loaded,
    path: &Path,
    counterexample: &Counterexample,
    summary: &str,
) -> Result<Replay, Trouble> {
    let source = &arguments.input.file;
    if source.as_os_str() == "-" {
        return Ok(Replay::Unwritten { unwritten: "it would include the source, which came from standard input".to_owned() });
    }
    let included = output::seen_from(&output::directory(path), source);
    let text = String::from_utf8_lossy(loaded.unit.source());
    let source = Source { file: &included.to_string_lossy(), text: &text, failure: summary };
    match write_c(&task.program, &source, counterexample) {
        Ok(file) => {
            output::write(path, file.as_bytes())?;
            Ok(Replay::Written { path: path.display().to_string(), command: command(arguments, task, path) })
        }
        Err(reason) => Ok(Replay::Unwritten { unwritten: reason.to_string() }),
    }
}

/// Builds and runs the file.
fn command(arguments: &Prove, task: &Task, path: &Path) -> String {
    let compile = match task.parameters.signed_overflow {
        SignedOverflow::Wraps => COMPILE.to_owned(),
        // Where overflow wraps, the sanitizer does not report it.
        SignedOverflow::Fails => COMPILE.replace(" -fwrapv", ""),
    };
    let mut words = vec![compile];
    words.extend(arguments.input.define.iter().map(|definition| quoted(&format!("-D{definition}"))));
    words.extend(arguments.input.include.iter().map(|directory| quoted(&format!("-I{}", directory.display()))));
    words.push(quoted(&path.display().to_string()));
    format!("{} && ./a.out", words.join(" "))
}

/// One word for the shell.
fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./=+,:@%".contains(character);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}
