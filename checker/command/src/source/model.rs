//! Tree models: the same text, whatever the file looks like.

use super::{Comparison, difference::first_line};
use crate::print::model::lines;
use goatherd_certificates::automata::ModelCertificate;
use goatherd_frontend::{
    diagnostics::{Colors, render},
    trees,
};
use std::path::Path;

pub(super) fn compare(file: &Path, certificate: &ModelCertificate) -> Result<Comparison, String> {
    let read =
        trees::read(file).map_err(|report| render(&[*report], Colors::for_standard_error()))?;
    let differences = if read.model == certificate.model {
        Vec::new()
    } else {
        vec![first_line(
            "model",
            &lines(&read.model),
            &lines(&certificate.model),
        )]
    };
    let is_unchanged = read.digest == certificate.origin.digest;
    Ok(Comparison::of_text(
        "model",
        file,
        is_unchanged,
        differences,
    ))
}
