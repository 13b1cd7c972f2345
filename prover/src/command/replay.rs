//! Writes the C file that shows a failing run.

use super::{
    Trouble,
    arguments::Prove,
    input::Loaded,
    output::{self, quoted},
    places::Places,
    report::Replay,
};
use goatherd::{rerun::Rerun, task::Task};
use goatherd_counterexample::{
    Counterexample,
    replay::{DefinedModel, Source, compile},
    write_c,
};
use goatherd_frontend::lower::undefined_functions;
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
    if let Some(name) = undefined_functions(&task.program).first() {
        return Ok(Replay::Unwritten { unwritten: format!("nothing defines '{name}', which it would call") });
    }
    let file = &arguments.input.file;
    // The files of a program have names in common that are told apart in what is made of them.
    let is_included = file.as_os_str() != "-" && arguments.input.others.is_empty();
    let included = is_included.then(|| output::seen_from(&output::directory(path), file));
    let included = included.as_ref().map(|file| file.to_string_lossy());
    let text = String::from_utf8_lossy(loaded.unit.source());
    let rerun = Rerun::new(&loaded.unit, &loaded.lowered, counterexample);
    if let Some(location) = rerun.beyond {
        let place = Places::new(loaded).place(location);
        return Ok(Replay::Unwritten { unwritten: format!("at {place} the run depends on a value that no C code can give again") });
    }
    let models: Vec<DefinedModel<'_>> = rerun.models.iter().map(|model| DefinedModel { name: model.name, text: model.text }).collect();
    let source = Source { file: included.as_deref(), text: &text, failure: summary, models: &models };
    match write_c(&task.program, task.parameters.signed_overflow, &source, &rerun.run) {
        Ok(file) => {
            output::write(path, file.as_bytes())?;
            Ok(Replay::Written { path: path.display().to_string(), command: command(arguments, task, path) })
        }
        Err(reason) => Ok(Replay::Unwritten { unwritten: reason.to_string() }),
    }
}

/// Builds and runs the file.
fn command(arguments: &Prove, task: &Task, path: &Path) -> String {
    let mut words = vec![compile(task.parameters.signed_overflow).to_owned()];
    words.extend(arguments.input.define.iter().map(|definition| quoted(&format!("-D{definition}"))));
    words.extend(arguments.input.include.iter().map(|directory| quoted(&format!("-I{}", directory.display()))));
    words.push(quoted(&path.display().to_string()));
    format!("{} && ./a.out", words.join(" "))
}
