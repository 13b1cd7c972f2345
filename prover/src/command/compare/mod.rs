//! `goatherd compare`: what other tools say of programs, beside what can be certified.

pub mod arguments;
mod outcome;
mod report;
mod results;

use super::{
    Exit, Trouble,
    audit::accepted::Offered,
    complain, jobs, output, print,
    process::{
        self, Allowance,
        told::{Told, Verdict},
    },
};
use arguments::Compare;
use goatherd_certificates::certificate::Claim as Certain;
use goatherd_frontend::files;
use outcome::{Certified, Compared, Own, Standing};
use results::{Claim, Program, Results};
use std::{
    fs, io,
    num::NonZeroUsize,
    path::{Component, Path, PathBuf},
    process as system,
    sync::atomic::{AtomicUsize, Ordering},
    thread::available_parallelism,
};

/// Reads, decides, and compares.
pub fn run(arguments: &Compare) -> Exit {
    answer(arguments).unwrap_or_else(|trouble| complain(&trouble))
}

fn answer(arguments: &Compare) -> Result<Exit, Trouble> {
    arguments.check()?;
    let path = &arguments.results;
    let unreadable = |reason: String| Trouble::Usage(format!("cannot read {} as results of tools: {reason}", path.display()));
    let text = files::text(path, files::LARGEST).map_err(unreadable)?;
    let results = results::read(&text).map_err(unreadable)?;
    let processors = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let jobs = arguments.jobs.unwrap_or(processors);
    let place = Place {
        root: arguments.folder.clone().unwrap_or_else(|| output::directory(path)),
        work: Workplace::new(&arguments.out)?,
        arguments,
        allowance: Allowance { time: arguments.timeout.0, memory: arguments.memory, threads: (processors.get() / jobs.get()).max(1) },
    };
    let bar = jobs::bar(results.programs.len());
    let mut all = Vec::new();
    let decide = |program: &Program| {
        let own = place.decide(&results, program);
        bar.inc(1);
        own
    };
    let taken = jobs::in_order(&results.programs, jobs, decide, |_, own| {
        all.push(own?);
        Ok(())
    });
    bar.finish_and_clear();
    taken?;
    let mut all: Vec<Compared<'_>> = results.programs.iter().zip(all).map(|(program, own)| Compared { program, own }).collect();
    all.sort_by_key(Compared::standing);
    print(&if arguments.json { report::json(&results.tools, &all) } else { report::text(&results.tools, &all) })?;
    Ok(exit_of(&all))
}

/// The exit status: that of what matters most.
fn exit_of(all: &[Compared<'_>]) -> Exit {
    if all.iter().any(|compared| compared.own.told.verdict == Verdict::Internal) {
        return Exit::Internal;
    }
    match all.iter().map(Compared::standing).min() {
        Some(Standing::Contradiction) => Exit::Unsafe,
        Some(Standing::Missing) => Exit::Input,
        Some(Standing::Open) => Exit::Unknown,
        _ => Exit::Done,
    }
}

/// What checking one of our own certificates may take, in bytes.
const CHECKING: u64 = 4 << 30;

/// Where programs are decided.
struct Place<'a> {
    /// What names of programs are from.
    root: PathBuf,
    work: Workplace,
    arguments: &'a Compare,
    allowance: Allowance,
}

impl Place<'_> {
    /// Decides one program, and keeps the certificate.
    fn decide(&self, results: &Results, program: &Program) -> Result<Own, Trouble> {
        let kept = self.arguments.out.join(inside(&program.file));
        // Of a run before: it is no answer of this one.
        output::retire(&[&kept])?;
        let Some(file) = self.find(results, program) else {
            let reason = format!("there is no file {} in {} (--folder names another one)", program.file, self.root.display());
            return Ok(Own { is_missing: true, ..Own::uncertified(Told::new(Verdict::Input, reason)) });
        };
        let failed = |error: io::Error| Trouble::Usage(format!("{}: {error}", program.file));
        let folder = self.work.fresh_folder().map_err(failed)?;
        let words = [&[file.clone().into_os_string()], self.arguments.options.as_slice()].concat();
        let reply = process::prove(Path::new("."), &words, self.allowance, &folder).map_err(failed)?;
        let Some(bytes) = reply.certificate.filter(|_| matches!(reply.told.verdict, Verdict::Proved | Verdict::Unsafe)) else {
            return Ok(Own::uncertified(reply.told));
        };
        let internal = |reason: String| Ok(Own::uncertified(Told::new(Verdict::Internal, reason)));
        let claim = match (Offered { path: &kept, memory: CHECKING }).accept(&bytes) {
            Ok((_, verdict)) => verdict.claim,
            Err(message) => return internal(message),
        };
        let claim = match (claim, reply.told.verdict) {
            (Certain::Safe, Verdict::Proved) => Claim::Safe,
            (Certain::Unsafe, Verdict::Unsafe) => Claim::Unsafe,
            _ => return internal(format!("the prover says {}, and its certificate claims something else", reply.told.verdict.word())),
        };
        output::make_directory(&output::directory(&kept))?;
        output::write(&kept, &bytes)?;
        Ok(Own { certified: Some(Certified { claim, certificate: kept }), ..Own::uncertified(reply.told) })
    }

    /// The file of a program, also below what all names of the table may begin with.
    fn find(&self, results: &Results, program: &Program) -> Option<PathBuf> {
        let below = results.base.as_ref().map(|base| self.root.join(base).join(&program.file));
        let found = [Some(self.root.join(&program.file)), below].into_iter().flatten().find(|path| path.is_file());
        let plain: PathBuf = found?.components().filter(|component| *component != Component::CurDir).collect();
        // A name with a hyphen is no option.
        Some(if plain.as_os_str().as_encoded_bytes().starts_with(b"-") { Path::new(".").join(plain) } else { plain })
    }
}

/// Where in the folder of certificates the one of a program lies: what leads out of the folder becomes a name in it.
fn inside(file: &str) -> PathBuf {
    let mut path: PathBuf = Path::new(file)
        .components()
        .filter_map(|component| match component {
            Component::Normal(name) => Some(name.to_owned()),
            Component::ParentDir => Some("parent".into()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
        })
        .collect();
    path.as_mut_os_string().push(".goat");
    path
}

/// A folder for what processes write, which goes when nobody needs it any more.
struct Workplace {
    folder: PathBuf,
    next: AtomicUsize,
}

impl Workplace {
    fn new(out: &Path) -> Result<Self, Trouble> {
        let folder = out.join(format!(".work.{}", system::id()));
        output::make_directory(&folder)?;
        Ok(Self { folder, next: AtomicUsize::new(0) })
    }

    fn fresh_folder(&self) -> io::Result<PathBuf> {
        let folder = self.folder.join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
        fs::create_dir(&folder).map(|()| folder)
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        // That it stays behind is no error of what was asked.
        drop(fs::remove_dir_all(&self.folder));
    }
}
