//! What the commands over all programs share: their arguments, the programs that are meant, and working on several at a time.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::instance::{Instance, read_instances};
use super::program::{Program, programs};
use crate::workspace_root;

/// The arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Programs that are worked on at the same time.
    pub jobs: usize,
    /// The limit of one proof.
    pub limit: Duration,
    /// The folder of the commands that are measured.
    pub commands: PathBuf,
    /// The programs whose names begin with one of these; all where there is none.
    pub names: Vec<String>,
}

/// The limit of one proof in seconds, if no other is given.
const LIMIT: u64 = 20;

impl Options {
    /// Reads `[--jobs N] [--limit SECONDS] [--commands FOLDER] [NAME]...`.
    pub fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace_root().join("target"), PathBuf::from);
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        let mut options = Self { jobs, limit: Duration::from_secs(LIMIT), commands: target.join("release"), names: Vec::new() };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--jobs" => options.jobs = positive(arguments.next(), "--jobs")?,
                "--limit" => options.limit = Duration::from_secs(positive(arguments.next(), "--limit")? as u64),
                "--commands" => options.commands = arguments.next().ok_or("--commands needs a folder")?.into(),
                option if option.starts_with('-') => return Err(format!("unknown option {option}")),
                name => options.names.push(name.into()),
            }
        }
        Ok(options)
    }
}

fn positive(word: Option<String>, option: &str) -> Result<usize, String> {
    let number = word.and_then(|word| word.parse().ok()).filter(|number| *number > 0);
    number.ok_or_else(|| format!("{option} needs a positive number"))
}

/// The programs in `target/corpus/` that are meant, and the instances meant that have none there.
pub fn selected_programs(options: &Options) -> Result<(Vec<Program>, Vec<Instance>), String> {
    let list = workspace_root().join("tests/corpus/instances.tsv");
    let instances = read_instances(&std::fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?)?;
    let is_meant = |name: &str| options.names.is_empty() || options.names.iter().any(|prefix| name.starts_with(prefix));
    let (mut programs, mut without) = programs(&workspace_root().join("target/corpus"), instances);
    programs.retain(|program| is_meant(&program.name));
    without.retain(|instance| is_meant(&instance.id));
    Ok((programs, without))
}

/// Works on all items, so many at a time; ends with the first error.
pub fn each<T: Sync>(items: &[T], jobs: usize, work: impl Fn(&T) -> Result<(), String> + Sync) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(message) = work(item) {
                        next.store(items.len(), Ordering::Relaxed);
                        if let Ok(mut failed) = failed.lock() {
                            *failed = Some(message);
                        }
                    }
                }
            });
        }
    });
    failed.into_inner().ok().flatten().map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::{Options, each};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn reads_arguments() {
        let read = |words: &[&str]| Options::read(words.iter().map(|word| (*word).to_owned()));
        assert_eq!(read(&["--jobs", "3", "str-eq"]).map(|options| (options.jobs, options.names)), Ok((3, vec!["str-eq".to_owned()])));
        assert!(read(&["--jobs", "0"]).is_err() && read(&["--fast"]).is_err());
    }

    #[test]
    fn works_on_each_once() {
        let sum = AtomicUsize::new(0);
        let add = |item: &usize| {
            sum.fetch_add(*item, Ordering::Relaxed);
            Ok(())
        };
        assert_eq!(each(&[1, 2, 3, 4], 3, add), Ok(()));
        assert_eq!(sum.into_inner(), 10);
        assert_eq!(each(&[1], 1, |_| Err("no".to_owned())), Err("no".to_owned()));
    }
}
