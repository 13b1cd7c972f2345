//! `goatherd-check`: checks certificates.

mod arguments;
mod graph;
mod messages;
mod print;
mod report;
mod source;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use arguments::Arguments;
use clap::{Parser, error::ErrorKind};
use goatherd_checker::{
    Limits,
    budget::Budget,
    decode::{self, Subject},
    error::{Declined, Failure},
    replay::{Share, Spread},
    verify,
};
use goatherd_frontend::print::conditions;
use report::Outcome;
use std::{
    fs::File,
    io::{self, Read, Write},
    num::NonZeroUsize,
    path::Path,
    process::ExitCode,
    sync::Mutex,
    thread,
};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            // Where nobody reads what is printed, the exit status is all there is to say.
            drop(error.print());
            return ExitCode::from(if asked { 0 } else { report::INPUT });
        }
    };
    match run(&arguments) {
        Ok(status) => ExitCode::from(status),
        Err(message) => {
            eprintln!("{}", message.trim_end());
            ExitCode::from(report::INPUT)
        }
    }
}

/// Checks and reports. Returns the exit status, or what is wrong with the input.
fn run(arguments: &Arguments) -> Result<u8, String> {
    let outcome = match read(&arguments.certificate, arguments.limits())? {
        Ok(bytes) => examine(arguments, &bytes)?,
        Err(failure) => Outcome::Failed { failure, rule: None },
    };
    let text = if arguments.json { outcome.json(arguments.expect) } else { outcome.text() };
    print(&text)?;
    Ok(outcome.status(arguments.expect))
}

/// The bytes of a file, or why they are not worth reading: no more are read than the file declares and the caller allows.
fn read(path: &Path, allowed: Limits) -> Result<Result<Vec<u8>, Failure>, String> {
    let failed = |error: io::Error| format!("error: cannot read {}: {error}", path.display());
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    (&file).take(decode::HEADER).read_to_end(&mut bytes).map_err(failed)?;
    let limit = match decode::limits(&bytes, allowed) {
        Ok((limits, _)) => limits.memory,
        Err(failure) => return Ok(Err(failure)),
    };
    let length = file.metadata().map_err(failed)?.len();
    if length > limit {
        return Ok(Err(Declined::Memory { limit }.into()));
    }
    // At once: growing as it reads, a vector takes up to twice as much.
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX)).map_err(|error| failed(error.into()))?;
    file.take(limit.saturating_sub(decode::HEADER).saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    Ok(Ok(bytes))
}

/// Decodes, prints and compares with the source if asked to, and replays.
fn examine(arguments: &Arguments, bytes: &[u8]) -> Result<Outcome, String> {
    let mut budget = Budget::new(arguments.memory);
    let decoded = match decode::decode(bytes, &mut budget, arguments.limits(), report::digest) {
        Ok(decoded) => decoded,
        Err(failure) => return Ok(Outcome::Failed { failure, rule: None }),
    };
    if arguments.print {
        print(&match decoded.certificate() {
            Subject::Program(certificate) => print::certificate(certificate),
            Subject::Model(certificate) => print::model::certificate(certificate),
        })?;
    }
    let mut compared = None;
    if let Some(path) = &arguments.source {
        let comparison = match decoded.certificate() {
            Subject::Program(certificate) => source::compare(path, &arguments.include, certificate)?,
            Subject::Model(certificate) => source::compare_model(path, certificate)?,
        };
        if comparison.difference.is_some() {
            return Ok(Outcome::OtherProgram(comparison));
        }
        compared = Some(comparison);
    }
    // Assertions and rules are of programs.
    let program = if let Subject::Program(certificate) = decoded.certificate() { Some(certificate) } else { None };
    let threads = arguments.threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    // Each share holds what one alone does.
    let declared = match decoded.certificate() {
        Subject::Program(certificate) => certificate.limits,
        Subject::Model(certificate) => certificate.limits,
    };
    let shares = usize::try_from(arguments.memory.checked_div(declared.memory).unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    let threads = threads.get().min(shares).max(1);
    let verified = verify(&decoded, budget, Spread { shares: threads, replay: &|shares| spread(shares, threads) });
    if let (Some(path), Ok(verdict)) = (&arguments.emit_lts, &verified) {
        let (Some(graph), Some(program)) = (&verdict.graph, program) else {
            return Err(String::from("error: --emit-lts: the claim is not about paths"));
        };
        let written = std::fs::write(path, graph::dot(graph, program));
        written.map_err(|error| format!("error: cannot write {}: {error}", path.display()))?;
    }
    Ok(match verified {
        Ok(verdict) => Outcome::Accepted {
            conditions: program.map_or_else(Vec::new, |program| conditions(&program.statement.program, program.statement.parameters)),
            assertions: program.map_or_else(Vec::new, |program| report::assertions(&verdict, program)),
            verdict: Box::new(verdict),
            compared,
        },
        Err(failure) => Outcome::Failed { failure, rule: program.and_then(|program| report::rule(failure, program)) },
    })
}

/// Replays the shares with so many threads.
fn spread(shares: &mut [Share<'_>], threads: usize) {
    let threads = threads.min(shares.len());
    let shares = Mutex::new(shares.iter_mut());
    let work = || {
        // Taken alone, so that the lock is not held while a share is replayed.
        while let Some(share) = shares.lock().ok().and_then(|mut shares| shares.next()) {
            share.replay();
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Where there is no thread to be had, the others do its work.
            drop(thread::Builder::new().spawn_scoped(scope, work));
        }
        work();
    });
}

/// Writes to standard output. That nobody reads on is no error.
fn print(text: &str) -> Result<(), String> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("error: cannot write the verdict: {error}")),
        _ => Ok(()),
    }
}
