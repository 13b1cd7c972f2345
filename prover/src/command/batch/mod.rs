//! `goatherd batch`: what `goatherd.toml` lists is proved, unless the archive has a proof of it.

pub mod arguments;
mod junit;
mod report;
mod sarif;
mod words;
mod work;

use super::{
    Exit, Trouble, complain, jobs, output, print,
    process::{Allowance, told::Verdict},
};
use arguments::{Batch, FailOn};
use goatherd_archive::{
    examine::Examiner,
    manifest::{self, Manifest},
    standing::Confirming,
    store::{Archive, Session},
    target::Target,
    verify::is_read_alike,
};
use goatherd_checker::Limits;
use std::{num::NonZeroUsize, thread::available_parallelism};
use work::{Answered, Workshop};

/// What the kernel may take for one certificate: as `goatherd-check` if nothing is said.
const ALLOWED: Limits = Limits { memory: 1 << 30, work: 1 << 32 };

/// Proves, keeps and reports.
pub fn run(arguments: &Batch) -> Exit {
    answer(arguments).unwrap_or_else(|trouble| complain(&trouble))
}

fn answer(arguments: &Batch) -> Result<Exit, Trouble> {
    let manifest = manifest::read(&arguments.tasks).map_err(Trouble::Usage)?;
    let archive = Archive::new(manifest.archive.clone());
    for path in [&arguments.junit, &arguments.sarif].into_iter().flatten() {
        output::check(path, &arguments.tasks)?;
    }
    let refused = |error| Trouble::Usage(format!("cannot write to the archive {}: {error}", archive.folder().display()));
    let session = Session::begin(&archive).map_err(refused)?;
    let processors = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let jobs = arguments.jobs.unwrap_or(processors);
    let allowance = Allowance { time: arguments.timeout.0, memory: arguments.memory, threads: (processors.get() / jobs.get()).max(1) };
    // The compiler was asked when a proof was found.
    let examiner = Examiner { root: &manifest.root, archive: &archive, allowed: ALLOWED, confirming: Confirming::Nobody };
    let workshop = Workshop { examiner, session: &session, allowance };
    let answers = answers(&workshop, &manifest, jobs, arguments)?;
    drop(session);
    let all: Vec<(&Target, Answered)> = manifest.targets.iter().zip(answers).collect();
    if let Some(path) = &arguments.junit {
        output::write(path, junit::xml(&all, arguments.junit_unknown)?.as_bytes())?;
    }
    if let Some(path) = &arguments.sarif {
        output::write(path, sarif::text(&all, &manifest.root).as_bytes())?;
    }
    print(&if arguments.json { report::json(&all) } else { report::summary(&all) })?;
    Ok(exit_of(&all, arguments.fail_on))
}

/// The answers for all targets, in their order. Without `--json` each is printed as soon as those before it are there.
fn answers(workshop: &Workshop<'_>, manifest: &Manifest, jobs: NonZeroUsize, arguments: &Batch) -> Result<Vec<Answered>, Trouble> {
    let groups: Vec<&[Target]> = manifest.targets.chunk_by(is_read_alike).collect();
    let bar = jobs::bar(manifest.targets.len());
    let mut answers = Vec::new();
    let work = |group: &&[Target]| {
        let answered = workshop.answer(group);
        bar.inc(u64::try_from(answered.len()).unwrap_or_default());
        answered
    };
    jobs::in_order(&groups, jobs, work, |targets, answered| {
        if !arguments.json {
            let lines: String = targets.iter().zip(&answered).map(|(target, answered)| report::line(target, answered)).collect();
            bar.suspend(|| print(&lines))?;
        }
        answers.extend(answered);
        Ok(())
    })?;
    bar.finish_and_clear();
    Ok(answers)
}

/// The exit status: that of the verdict that matters most.
fn exit_of(all: &[(&Target, Answered)], fail_on: FailOn) -> Exit {
    match all.iter().map(|(_, answered)| answered.told.verdict).min() {
        Some(Verdict::Internal) => Exit::Internal,
        Some(Verdict::Input) => Exit::Input,
        Some(Verdict::Unsafe) => Exit::Unsafe,
        Some(Verdict::Unknown | Verdict::Vacuous) if fail_on == FailOn::Unknown => Exit::Unknown,
        _ => Exit::Done,
    }
}
