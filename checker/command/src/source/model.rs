//! Tree models: the same text, whatever the file looks like.

use super::Comparison;
use crate::{demands::Difference, print::model::lines};
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
        let (own, certified) = (lines(&read.model), lines(&certificate.model));
        let first =
            (0..own.len().max(certified.len())).find(|line| own.get(*line) != certified.get(*line));
        let side = |lines: &[String]| {
            let line =
                first.map(|line| lines.get(line).map_or("it ends before", |line| line.trim()));
            line.unwrap_or("the same in words, with long names that differ")
                .to_owned()
        };
        vec![Difference::new(
            first.map_or_else(
                || String::from("model"),
                |line| format!("line {} of the model (--print)", line + 1),
            ),
            side(&own),
            side(&certified),
        )]
    };
    Ok(Comparison {
        subject: "model",
        file: file.to_string_lossy().into_owned(),
        is_unchanged: read.digest == certificate.origin.digest,
        options: None,
        confirmation: None,
        differences,
        precondition: None,
        waived: None,
        places: None,
    })
}
