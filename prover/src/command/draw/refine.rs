//! `goatherd draw --refine`: a graph of the same program without the drawn paths that are infeasible.

use super::{
    arguments::Draw,
    certificate::{self, Checked},
};
use crate::command::{
    Trouble,
    arguments::Input,
    output,
    paths::{arguments::Paths, refined_program, refined_source},
};
use goatherd::certify::{
    paths::About,
    refine::{Excluded, TriedPaths},
};
use goatherd_certificates::certificate::{Arithmetic, Claim, Ends};
use goatherd_logic::values::Deadline;
use goatherd_paths::draw::driver::Driver;
use std::{path::Path, time::Instant};

/// The graph, and the certificate of it, which is written; or why there is none.
pub fn refined(
    arguments: &Draw,
    given: Checked,
    path: &Path,
    driver: &Driver<'_>,
    start: Instant,
) -> Result<Result<(Checked, Excluded), String>, Trouble> {
    output::check(path, &arguments.certificate)?;
    // Half of the time is for the paths that are drawn in the end.
    driver.limit(Deadline::after(start, arguments.timeout.0.map(|limit| limit / 2)));
    let tried = TriedPaths::Drawn { length: arguments.max_length, count: arguments.count, seed: arguments.seed };
    let Claim::Paths(ends) = given.verdict.claim else { return Err(Trouble::Internal("the claim is not about paths".to_owned())) };
    let is_whole =
        arguments.pre.is_none() && given.statement.landmarks.is_empty() && given.statement.parameters.arithmetic == Arithmetic::C;
    let found = if is_whole {
        let Checked { statement, files, positions, .. } = given;
        let about = About { parameters: statement.parameters, ends, origin: statement.origin.clone(), files, positions };
        refined_program(&arguments.certificate, (&statement, about), driver, tried)?
    } else {
        refined_source(&analysis(arguments, &given, ends)?, &given.statement, driver, tried)?
    };
    let (accepted, excluded) = match found {
        Ok(found) => found,
        Err(reason) => return Ok(Err(reason)),
    };
    output::write(path, &accepted.bytes)?;
    let checked = certificate::accept(&accepted.bytes).map_err(|refused| Trouble::Internal(refused.to_string()))?;
    Ok(Ok((checked, excluded)))
}

/// How the program of the certificate was analysed, where the certificate alone does not say it: which instructions a transition system's locations
/// and edges are, and which come before a program, for a condition.
fn analysis(arguments: &Draw, given: &Checked, ends: Ends) -> Result<Paths, Trouble> {
    let Some(source) = &arguments.source else {
        let message = "--refine needs the file of this certificate (--source FILE), and the condition if there was one (--pre CONDITION)";
        return Err(Trouble::Usage(message.to_owned()));
    };
    let is_c = given.statement.parameters.arithmetic == Arithmetic::C;
    let input = Input {
        file: source.clone(),
        others: Vec::new(),
        entry: is_c.then(|| given.statement.program.entry.clone()),
        define: given.statement.origin.definitions.clone(),
        include: arguments.include.clone(),
    };
    Ok(Paths { prefix: ends == Ends::Anywhere, complete: ends == Ends::Complete, ..Paths::new(input, arguments.pre.clone()) })
}
