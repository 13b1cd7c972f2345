//! How `goatherd prove` is asked for a target.

use goatherd_archive::target::Target;
use std::ffi::OsString;

/// The words behind `goatherd prove`, but for limits and for what is written.
pub fn words(target: &Target) -> Vec<OsString> {
    let (terms, search) = (&target.terms, &target.search);
    // A name with a hyphen is no option.
    let file = if target.file.starts_with('-') { format!("./{}", target.file) } else { target.file.clone() };
    let mut words = vec![file, "--entry".to_owned(), terms.entry.clone()];
    words.extend(terms.define.iter().map(|definition| format!("-D{definition}")));
    words.extend(terms.include.iter().map(|folder| format!("-I{folder}")));
    words.extend(terms.checks.iter().map(|check| format!("--checks={}", check.word())));
    words.push(format!("--allocation={}", terms.allocation.word()));
    words.extend(terms.waive.iter().map(|waiver| format!("--waive={waiver}")));
    words.extend(search.engine.map(|engine| format!("--engine={engine}")));
    words.extend(search.solver.map(|solver| format!("--solver={solver}")));
    words.extend(search.steps.map(|steps| format!("--steps={steps}")));
    words.into_iter().map(OsString::from).collect()
}
