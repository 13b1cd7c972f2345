//! Formulas: the same constants, expressions and assertions, whatever else is in the script.

use super::{Comparison, difference::first_line};
use crate::print::formula::lines;
use goatherd_certificates::formula::{Formula, FormulaCertificate};
use goatherd_frontend::diagnostics::{Colors, render};
use goatherd_queries::read;
use std::path::Path;

pub(super) fn compare(file: &Path, certificate: &FormulaCertificate) -> Result<Comparison, String> {
    let read = read(file).map_err(|report| render(&[*report], Colors::for_standard_error()))?;
    let question = usize::try_from(certificate.formula.question).unwrap_or(usize::MAX);
    let own = read.script.formula(question).unwrap_or(Formula {
        question: certificate.formula.question,
        constants: Vec::new(),
        expressions: Vec::new(),
        assertions: Vec::new(),
    });
    let is_asked = (1..=read.script.questions()).contains(&question);
    let differences = if is_asked && own == certificate.formula {
        Vec::new()
    } else {
        vec![first_line(
            "formula",
            &lines(&own),
            &lines(&certificate.formula),
        )]
    };
    let is_unchanged = read.digest == certificate.origin.digest;
    Ok(Comparison {
        questions: Some(read.script.questions()),
        ..Comparison::of_text("formula", file, is_unchanged, differences)
    })
}
