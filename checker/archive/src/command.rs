//! `archive verify`, as both commands have it: no prover is needed.

use crate::{
    manifest::{self, NAME},
    report,
    standing::{Comparing, Confirming, Standing, Strictness},
    statement::statement,
    store::Archive as Store,
    verify::survey,
    words::size,
};
use clap::{Args, Subcommand};
use goatherd_checker::Limits;
use std::{fs, num::NonZeroUsize, path::PathBuf, thread::available_parallelism};

/// `archive`
#[derive(Subcommand, Debug)]
pub enum Archive {
    /// Replay the archived proofs of all that goatherd.toml lists, and say of each whether it is what is asked for now
    ///
    /// A line is printed for each target that is not `current`, and their numbers. Exit status: 0 all current; otherwise that of the worst: 1 damaged;
    /// 10 declined; 4 stale-claim; 5 stale-program; 11 contradicted; 2 missing; 7 vacuous; 6 stale-bytes; 8 kernel-changed; 9 unlisted. 3 is for wrong usage, or a file that
    /// cannot be read. What leaves the claim true of the files as they are is no failure without --frozen: kernel-changed, unlisted and, with
    /// --source, stale-bytes.
    Verify(Verify),
}

/// `archive verify`
#[derive(Args, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub struct Verify {
    /// The list of tasks; paths in it are from its folder
    #[arg(long, value_name = "FILE", default_value = NAME)]
    pub tasks: PathBuf,

    /// Translate the C files again and compare the programs; otherwise the bytes of the files are compared with those that were read for the proof
    #[arg(long)]
    pub source: bool,

    /// With --source: do not ask the C compiler whether types, layouts and constants are what the programs are made of
    #[arg(long, requires = "source")]
    pub no_confirm: bool,

    /// The archive is to be exactly as `goatherd batch` would leave it
    #[arg(long)]
    pub frozen: bool,

    /// Replay so many certificates at a time [default: one per processor]; the answer is the same for any number
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// The most memory that the check of one certificate may take, in bytes; K, M and G stand for 2^10, 2^20 and 2^30
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    pub memory: u64,

    /// The most work that it may take, in steps of some ten nanoseconds
    #[arg(long, value_name = "STEPS", default_value_t = 1 << 32)]
    pub work: u64,

    /// Where all is current: write what was verified to this file, as an in-toto Statement v1
    #[arg(long, value_name = "FILE")]
    pub statement: Option<PathBuf>,

    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
}

/// What is printed, and the exit status.
#[derive(Debug)]
pub struct Said {
    /// For standard output.
    pub text: String,
    /// As the help says.
    pub status: u8,
}

/// Carries it out.
///
/// # Errors
///
/// What is wrong with the list of tasks or the archive's folder, in a sentence.
pub fn run(Archive::Verify(arguments): &Archive) -> Result<Said, String> {
    let manifest = manifest::read(&arguments.tasks)?;
    let strictness = if arguments.frozen {
        Strictness::Frozen
    } else {
        Strictness::Usual
    };
    let comparing = if arguments.source {
        Comparing::Programs
    } else {
        Comparing::Bytes
    };
    let confirming = if arguments.no_confirm {
        Confirming::Nobody
    } else {
        Confirming::Compiler
    };
    let allowed = Limits {
        memory: arguments.memory,
        work: arguments.work,
    };
    let jobs = arguments
        .jobs
        .or_else(|| available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN);
    let archive = manifest.archive.display();
    let survey = survey(&manifest, (comparing, confirming), allowed, jobs)
        .map_err(|error| format!("cannot read the archive {archive}: {error}"))?;
    let worst = report::worst(&survey, (strictness, comparing));
    if let Some(path) = arguments
        .statement
        .as_ref()
        .filter(|_| worst == Standing::Current)
    {
        let text = statement(&survey, &Store::new(manifest.archive.clone()), comparing)?;
        fs::write(path, text)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    let text = if arguments.json {
        report::json(&survey, (strictness, comparing))
    } else {
        report::text(&survey)
    };
    Ok(Said {
        text,
        status: worst.status(),
    })
}
