//! `goatherd explain`

use super::{
    accepted::{Offered, limit},
    arguments::{Explain, Line},
};
use crate::command::{Exit, Trouble, output, print, report, tell};
use goatherd_audit::{
    checks::{self, Check, Checks, MOST_VISITS, Which},
    graph::Graphing,
    html,
    labels::Labels,
    page::{FirstPage, Kernel},
    replay::Audit,
    subject::SubjectPage,
    text,
};
use goatherd_certificates::certificate::Certificate;
use goatherd_checker::decode::Rules;
use goatherd_claims::{Subject, Verdict};
use goatherd_frontend::{
    escape::{escaped, json},
    files,
};
use serde::Serialize;
use std::path::Path;

/// Names the form of the JSON.
const SCHEMA: &str = "goatherd-explain/1";

/// What is printed as JSON.
#[derive(Serialize)]
struct Report<'a, Page> {
    schema: &'static str,
    certificate: String,
    page: &'a Page,
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<&'a [Check]>,
}

/// Explains.
pub fn run(arguments: &Explain) -> Result<Exit, Trouble> {
    let _limited = limit(arguments.memory);
    let offered = Offered { path: &arguments.certificate, memory: arguments.memory };
    let read = offered.read()?;
    let (subject, verdict) = match read.as_deref().map_err(Clone::clone).and_then(|bytes| offered.accept_any(bytes)) {
        Ok(accepted) => accepted,
        Err(message) => {
            tell(&format!("goatherd: {message}\n"));
            return Ok(Exit::Unsafe);
        }
    };
    let kernel = Kernel { version: report::TRUSTED.kernel_version, digest: report::TRUSTED.kernel_source_digest };
    match subject {
        Subject::Program(decoded) => program(arguments, &decoded.into_certificate(), &verdict, kernel),
        Subject::Model(decoded) => of_no_program(arguments, &SubjectPage::of_model(&decoded.certificate, &verdict, kernel)),
        Subject::Formula(decoded) => of_no_program(arguments, &SubjectPage::of_formula(&decoded.certificate, &verdict, kernel)),
    }
}

/// Explains a certificate about a tree model or a formula: there is one page.
fn of_no_program(arguments: &Explain, page: &SubjectPage) -> Result<Exit, Trouble> {
    if arguments.at.is_some() || arguments.html.is_some() || arguments.source.is_some() {
        let message = "--at, --html and --source are for certificates about programs; goatherd-check CERT --print shows all of this one";
        return Err(Trouble::Usage(message.to_owned()));
    }
    print(&if arguments.json { as_json(arguments, page, None)? } else { page.text() })?;
    Ok(Exit::Done)
}

fn as_json(arguments: &Explain, page: &impl Serialize, checks: Option<&[Check]>) -> Result<String, Trouble> {
    let certificate = escaped(&arguments.certificate.to_string_lossy());
    let report = Report { schema: SCHEMA, certificate, page, checks };
    let text = serde_json::to_string_pretty(&report).map_err(|error| Trouble::Internal(error.to_string()))?;
    Ok(json(&text) + "\n")
}

fn program(arguments: &Explain, certificate: &Certificate<Rules<'_>>, verdict: &Verdict, kernel: Kernel) -> Result<Exit, Trouble> {
    let page = FirstPage::new(certificate, verdict, kernel);
    if let Some(path) = &arguments.html {
        output::check(path, &arguments.certificate)?;
    }
    let source = arguments.source.as_deref().map(|path| source(path, &page)).transpose()?;
    if let Some(path) = &arguments.html {
        let name = arguments.certificate.file_name().unwrap_or_default().to_string_lossy();
        let text = html_page(certificate, &name, &page, source.as_deref())?;
        output::write(path, text.as_bytes())?;
        print(&format!("written: {}, {} bytes\n", escaped(&path.to_string_lossy()), text.len()))?;
        return Ok(Exit::Done);
    }
    let line = arguments.at.as_ref().map(|at| line(at, certificate)).transpose()?;
    let most = if arguments.all { usize::MAX } else { MOST_VISITS };
    let found = line.map(|line| checks_of(certificate, Which::Line(line), most)).transpose()?;
    if arguments.json {
        print(&as_json(arguments, &page, found.as_deref())?)?;
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
    let failed = |reason| Trouble::Usage(format!("cannot read {}: {reason}", path.display()));
    let bytes = files::bytes(path, files::LARGEST).map_err(failed)?;
    let digest = report::hexadecimal(&goatherd::encode::digest(&bytes));
    if digest != page.source.digest {
        let name = path.display();
        let message =
            format!("{name} is not the file that the certificate was made from: its sha256 is {digest}, not {}", page.source.digest);
        return Err(Trouble::Usage(message));
    }
    String::from_utf8(bytes).map_err(|_| Trouble::Usage(format!("{} is not UTF-8", path.display())))
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

/// The proof as a page.
fn html_page(certificate: &Certificate<Rules<'_>>, name: &str, page: &FirstPage, source: Option<&str>) -> Result<String, Trouble> {
    let failed = |failure| Trouble::Internal(format!("the proof cannot be replayed: {failure:?}"));
    let Some(audit) = Audit::new(certificate).map_err(failed)? else {
        return Err(Trouble::Usage(NO_PROOF.to_owned()));
    };
    let labels = Labels::new(&audit);
    let mut watchers = (Checks::new(&labels, Which::All, html::VISITS), Graphing::new(&labels));
    audit.replay(&mut watchers).map_err(failed)?;
    let (checks, graph) = (watchers.0.checks(), watchers.1.vertices());
    Ok(html::Subject { name, page, files: &certificate.files, source, checks: &checks, graph: &graph }.text())
}

/// Where a certificate is of another kind.
const NO_PROOF: &str = "the certificate holds a run that fails, and no proof; goatherd-check CERT --print shows it";

fn checks_of(certificate: &Certificate<Rules<'_>>, which: Which, most: usize) -> Result<Vec<Check>, Trouble> {
    let failed = |failure| Trouble::Internal(format!("the proof cannot be replayed: {failure:?}"));
    let Some(audit) = Audit::new(certificate).map_err(failed)? else {
        return Err(Trouble::Usage(
            "--at: the certificate holds a run that fails, and no proof; goatherd-check CERT --print shows it".to_owned(),
        ));
    };
    let labels = Labels::new(&audit);
    let mut watcher = Checks::new(&labels, which, most);
    audit.replay(&mut watcher).map_err(failed)?;
    Ok(watcher.checks())
}
