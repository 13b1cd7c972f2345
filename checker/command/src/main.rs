//! `goatherd-check`: checks certificates.

mod arguments;
mod claim;
mod demands;
mod graph;
mod limits;
mod print;
mod report;
mod source;
mod waivers;

use arguments::{Arguments, Command, Expected};
use claim::About;
use clap::{CommandFactory, Parser, error::ErrorKind};
use demands::Difference;
use goatherd_archive::{bytes, command::Said};
use goatherd_certificates::{certificate::Certificate, program::Program};
use goatherd_checker::budget::Budget;
use goatherd_claims::{Subject, Verdict, decode, verify};
use goatherd_frontend::{
    confirm::{Confirmed, Inquiry},
    escape::{escaped, escaped_lines},
};
use goatherd_pages::{completions, manual};
use report::{Accepted, Outcome, names};
use source::{Comparison, Places};
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return ExitCode::from(say(&error)),
    };
    if let Some(command) = &arguments.command {
        return run(command);
    }
    let answer = limits::start(arguments.memory, arguments.timeout.0, arguments.json)
        .and_then(|()| answer(&arguments));
    limits::lift();
    match answer.and_then(Answer::give) {
        Ok(status) => ExitCode::from(status),
        Err(message) => {
            tell(message.trim_end());
            ExitCode::from(report::INPUT)
        }
    }
}

/// Prints the help that was asked for, or what is wrong with the words of the command line, which it repeats. Returns the exit status.
fn say(error: &clap::Error) -> u8 {
    let is_asked_for = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    if is_asked_for {
        // Where nobody reads what is printed, the exit status is all there is to say.
        drop(error.print());
        return report::ACCEPTED;
    }
    tell(escaped_lines(&error.render().to_string()).trim_end());
    report::INPUT
}

/// Something else than one certificate. In an archive, each has limits of its own.
fn run(command: &Command) -> ExitCode {
    let description = Arguments::command;
    let said = match command {
        Command::Archive(command) => goatherd_archive::command::run(command),
        Command::Completions(asked) => Ok(Said {
            text: completions(description(), asked.shell),
            status: report::ACCEPTED,
        }),
        Command::Manual(asked) => manual(description(), &asked.folder)
            .map(|()| Said {
                text: String::new(),
                status: report::ACCEPTED,
            })
            .map_err(|error| format!("cannot write to {}: {error}", asked.folder.display())),
    };
    let status = said.and_then(|said| print(&said.text).map(|()| said.status));
    ExitCode::from(status.unwrap_or_else(|message| {
        tell(&format!("error: {}", escaped_lines(message.trim_end())));
        report::INPUT
    }))
}

/// What came of it, ready to be written.
struct Answer {
    text: String,
    status: u8,
    /// The graph of a claim about paths, and where it is to be written.
    graph: Option<(PathBuf, String)>,
}

impl Answer {
    /// Writes it. Returns the exit status.
    fn give(self) -> Result<u8, String> {
        if let Some((path, text)) = &self.graph {
            fs::write(path, text)
                .map_err(|error| format!("error: cannot write {}: {error}", shown(path)))?;
        }
        print(&self.text)?;
        Ok(self.status)
    }
}

/// Checks and reports. Returns what is wrong with the input, if something is.
fn answer(arguments: &Arguments) -> Result<Answer, String> {
    // The parser asks for one where there is no command.
    let path = arguments.certificate.as_deref().unwrap_or(Path::new(""));
    let failed = |error: io::Error| format!("error: cannot read {}: {error}", shown(path));
    let (outcome, graph) = match bytes::read(path, arguments.limits()).map_err(failed)? {
        Ok(bytes) => examine(arguments, &bytes)?,
        Err(failure) => (
            Outcome::Failed {
                failure,
                rule: None,
            },
            None,
        ),
    };
    Ok(Answer {
        text: outcome.shown(arguments.json),
        status: outcome.status(),
        graph,
    })
}

/// The name of a file in a message.
fn shown(path: &Path) -> String {
    escaped(&path.to_string_lossy())
}

/// Decodes, prints and compares with the source if asked to, and replays. Returns the graph as well, if that is to be written.
fn examine(
    arguments: &Arguments,
    bytes: &[u8],
) -> Result<(Outcome, Option<(PathBuf, String)>), String> {
    let mut budget = Budget::new(arguments.memory);
    let decoded = match decode(bytes, &mut budget, arguments.limits(), report::digest) {
        Ok(decoded) => decoded,
        Err(failure) => {
            return Ok((
                Outcome::Failed {
                    failure,
                    rule: None,
                },
                None,
            ));
        }
    };
    if arguments.print {
        print(&match &decoded {
            Subject::Program(decoded) => print::certificate(decoded.certificate()),
            Subject::Model(decoded) => print::model::certificate(&decoded.certificate),
            Subject::Formula(decoded) => print::formula::certificate(&decoded.certificate),
        })?;
    }
    let source = &arguments.source;
    let compare = |files: &[PathBuf]| match &decoded {
        Subject::Program(decoded) => {
            source::compare(files, source, &arguments.require, decoded.certificate())
        }
        Subject::Model(decoded) => source::compare_model(files, source, &decoded.certificate),
        Subject::Formula(decoded) => source::compare_formula(files, source, &decoded.certificate),
    };
    let files = Some(source.files.as_slice()).filter(|files| !files.is_empty());
    let compared = files.map(compare).transpose()?;
    // Assertions and rules are of programs.
    let program = match &decoded {
        Subject::Program(decoded) => Some(decoded.certificate()),
        Subject::Model(_) | Subject::Formula(_) => None,
    };
    let declared = decoded.limits();
    let verdict = match verify(&decoded, budget) {
        Ok(verdict) => verdict,
        Err(failure) => {
            return Ok((
                Outcome::Failed {
                    failure,
                    rule: program.and_then(|program| names::rule(failure, program)),
                },
                None,
            ));
        }
    };
    let types = types(compared.as_ref());
    if let Some(contradicted @ Confirmed::Contradicted { .. }) = types {
        return Ok((Outcome::Contradicted(contradicted), None));
    }
    let graph = emitted(arguments, &verdict, program)?;
    let about = program.map(|certificate| {
        let own = compared
            .as_ref()
            .and_then(|comparison| comparison.places.as_ref());
        let (files, positions) = own.map_or(
            (&certificate.files, &certificate.positions),
            |(files, positions)| (files, positions),
        );
        About::new(
            &verdict,
            &certificate.statement,
            Places { files, positions },
        )
    });
    let differences = differences(
        arguments,
        &verdict,
        program.map(|program| &program.statement.program),
        compared.as_ref(),
    );
    Ok((
        Outcome::Accepted(Box::new(Accepted {
            verdict,
            about,
            question: question(&decoded),
            compared,
            types,
            differences,
            declared,
        })),
        graph,
    ))
}

/// Which question of its script a certificate about a formula answers.
const fn question(subject: &Subject<'_>) -> Option<u32> {
    match subject {
        Subject::Formula(decoded) => Some(decoded.certificate.formula.question),
        Subject::Program(_) | Subject::Model(_) => None,
    }
}

/// The graph of a claim about paths, and where it is to be written, if it is.
fn emitted<R>(
    arguments: &Arguments,
    verdict: &Verdict,
    program: Option<&Certificate<R>>,
) -> Result<Option<(PathBuf, String)>, String> {
    match (&arguments.emit_lts, &verdict.graph, program) {
        (None, ..) => Ok(None),
        (Some(path), Some(graph), Some(program)) => {
            Ok(Some((path.clone(), graph::dot(graph, program))))
        }
        (Some(_), ..) => Err(String::from(
            "error: --emit-lts: the claim is not about paths",
        )),
    }
}

/// What the compiler of this machine says of the types of a C file, when it has judged.
fn types(compared: Option<&Comparison>) -> Option<Confirmed> {
    let of_c = compared.filter(|comparison| comparison.options.is_some())?;
    let confirmation = of_c.confirmation.as_ref();
    Some(confirmation.map_or_else(Confirmed::not_asked, Inquiry::wait))
}

/// What was asked for and is claimed otherwise.
fn differences(
    arguments: &Arguments,
    verdict: &Verdict,
    program: Option<&Program>,
    compared: Option<&Comparison>,
) -> Vec<Difference> {
    let expected: Expected = arguments.expect;
    let of_claim = (!expected.is(verdict.claim))
        .then(|| Difference::new("claim", expected.name(), names::claim_name(verdict.claim)));
    let of_source = compared
        .into_iter()
        .flat_map(|comparison| comparison.differences.iter().cloned());
    let unmet = arguments
        .require
        .iter()
        .filter_map(|demand| demand.unmet(verdict, program));
    let of_precondition = demands::precondition(&arguments.require, compared);
    let read = compared.and_then(|comparison| comparison.waived.as_deref());
    let of_waivers =
        program.and_then(|_| waivers::difference(&arguments.source.waive, read, &verdict.origin));
    of_claim
        .into_iter()
        .chain(of_source)
        .chain(of_waivers)
        .chain(of_precondition)
        .chain(unmet)
        .collect()
}

/// Writes a line to standard error. Where nobody reads that, the exit status is all there is to say.
fn tell(line: &str) {
    drop(writeln!(io::stderr().lock(), "{line}"));
}

/// Writes to standard output, nothing of which can play tricks on a terminal. That nobody reads on is no error.
fn print(text: &str) -> Result<(), String> {
    let mut stream = io::stdout().lock();
    match stream
        .write_all(escaped_lines(text).as_bytes())
        .and_then(|()| stream.flush())
    {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("error: cannot write the verdict: {error}"))
        }
        _ => Ok(()),
    }
}
