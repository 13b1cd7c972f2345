//! `goatherd explain`

use super::{
    accepted::{accept, read},
    arguments::{Explain, Line},
};
use crate::command::{Exit, Trouble, print, report};
use goatherd_audit::{
    checks::{self, Check, Checks, MOST_VISITS},
    labels::Labels,
    page::{FirstPage, Kernel},
    replay::Audit,
    text,
};
use goatherd_certificates::certificate::Certificate;
use goatherd_checker::decode::Rules;
use goatherd_frontend::escape::{escaped, json};
use serde::Serialize;
use std::{fs, path::Path};

/// What is printed as JSON.
#[derive(Serialize)]
struct Report<'a> {
    certificate: String,
    page: &'a FirstPage,
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<&'a [Check]>,
}

/// Explains.
pub fn run(arguments: &Explain) -> Result<Exit, Trouble> {
    let bytes = read(&arguments.certificate)?;
    let (certificate, verdict) = match accept(&arguments.certificate, &bytes) {
        Ok(accepted) => accepted,
        Err(message) => {
            eprintln!("goatherd: {message}");
            return Ok(Exit::Unsafe);
        }
    };
    let kernel = Kernel { version: report::TRUSTED.kernel_version, digest: report::TRUSTED.kernel_source_digest };
    let page = FirstPage::new(&certificate, &verdict, kernel);
    let source = arguments.source.as_deref().map(|path| source(path, &page)).transpose()?;
    let line = arguments.at.as_ref().map(|at| line(at, &certificate)).transpose()?;
    let most = if arguments.all { usize::MAX } else { MOST_VISITS };
    let found = line.map(|line| checks_of(&certificate, line, most)).transpose()?;
    if arguments.json {
        let name = escaped(&arguments.certificate.to_string_lossy());
        let report = Report { certificate: name, page: &page, checks: found.as_deref() };
        let text = serde_json::to_string_pretty(&report).map_err(|error| Trouble::Internal(error.to_string()))?;
        print(&format!("{}\n", json(&text)))?;
        return Ok(Exit::Done);
    }
    let text = match (&found, line) {
        (Some(found), Some(line)) => {
            let file = usize::try_from(line.file).ok().and_then(|file| certificate.files.get(file));
            let place = format!("{}:{}", escaped(file.map_or("", String::as_str)), line.line);
            let shown =
                source.as_deref().filter(|_| line.file == 0).and_then(|source| source.lines().nth(usize::try_from(line.line).ok()? - 1));
            text::checks(&place, shown.map(escaped).as_deref(), found)
        }
        _ => page.text() + "To ask why a line holds: goatherd explain CERT --at FILE:LINE\n",
    };
    print(&text)?;
    Ok(Exit::Done)
}

/// The text of the source, if it is the one that the certificate names.
fn source(path: &Path, page: &FirstPage) -> Result<String, Trouble> {
    let bytes = read(path)?;
    let digest = report::hexadecimal(&goatherd::encode::digest(&bytes));
    if digest != page.source.digest {
        let name = path.display();
        let message =
            format!("{name} is not the file that the certificate was made from: its sha256 is {digest}, not {}", page.source.digest);
        return Err(Trouble::Usage(message));
    }
    fs::read_to_string(path).map_err(|error| Trouble::Usage(format!("cannot read {}: {error}", path.display())))
}

/// The line that is asked for.
fn line(at: &Line, certificate: &Certificate<Rules<'_>>) -> Result<checks::SourceLine, Trouble> {
    let name = |file: &str| Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned());
    let file = match &at.file {
        None => Some(0),
        Some(asked) => certificate.files.iter().position(|file| file == asked || Some(file) == name(asked).as_ref()),
    };
    let found = file.and_then(|file| u32::try_from(file).ok());
    let files = || certificate.files.iter().map(|file| escaped(file)).collect::<Vec<_>>().join(", ");
    let file = found.ok_or_else(|| Trouble::Usage(format!("--at: the certificate names no such file, but {}", files())))?;
    Ok(checks::SourceLine { file, line: at.line })
}

fn checks_of(certificate: &Certificate<Rules<'_>>, line: checks::SourceLine, most: usize) -> Result<Vec<Check>, Trouble> {
    let failed = |failure| Trouble::Internal(format!("the proof cannot be replayed: {failure:?}"));
    let Some(audit) = Audit::new(certificate).map_err(failed)? else {
        return Err(Trouble::Usage(
            "--at: the certificate holds a run that fails, and no proof; goatherd-check CERT --print shows it".to_owned(),
        ));
    };
    let labels = Labels::new(&audit);
    let mut watcher = Checks::new(&labels, line, most);
    audit.replay(&mut watcher).map_err(failed)?;
    Ok(watcher.checks())
}
