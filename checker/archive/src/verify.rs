//! All targets of a manifest, and all records of its archive.

use crate::{
    examine::{Examiner, Sources},
    manifest::Manifest,
    standing::{Comparing, Confirming, Finding, Standing},
    store::Archive,
    target::Target,
};
use goatherd_checker::Limits;
use std::{
    collections::BTreeSet,
    io,
    num::NonZeroUsize,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// What was found.
#[derive(Debug)]
pub struct Survey<'a> {
    /// Of each target, in their order.
    pub targets: Vec<(&'a Target, Finding)>,
    /// The records that belong to no target, from the folder of records.
    pub unlisted: Vec<PathBuf>,
}

impl Survey<'_> {
    /// All standings, those of records without a target last.
    pub fn standings(&self) -> impl Iterator<Item = Standing> {
        let unlisted = self.unlisted.iter().map(|_| Standing::Unlisted);
        self.targets
            .iter()
            .map(|(_, finding)| finding.standing)
            .chain(unlisted)
    }
}

/// Looks at everything, with so many threads. What is found does not depend on their number.
///
/// # Errors
///
/// The folder of records cannot be read.
pub fn survey(
    manifest: &Manifest,
    (comparing, confirming): (Comparing, Confirming),
    allowed: Limits,
    jobs: NonZeroUsize,
) -> io::Result<Survey<'_>> {
    let archive = Archive::new(manifest.archive.clone());
    let examiner = Examiner {
        root: &manifest.root,
        archive: &archive,
        allowed,
        confirming,
    };
    let groups: Vec<&[Target]> = manifest.targets.chunk_by(is_read_alike).collect();
    let targets = in_order(groups.len(), jobs, |group| {
        examine(
            &examiner,
            groups.get(group).copied().unwrap_or_default(),
            comparing,
        )
    });
    let records: BTreeSet<PathBuf> = manifest
        .targets
        .iter()
        .map(|target| archive.task(target))
        .collect();
    let tasks = archive.folder().join("tasks");
    let unlisted = archive
        .records()?
        .into_iter()
        .filter(|record| !records.contains(&tasks.join(record)))
        .collect();
    Ok(Survey {
        targets: targets.into_iter().flatten().collect(),
        unlisted,
    })
}

/// One preprocessed text serves both.
pub fn is_read_alike(left: &Target, right: &Target) -> bool {
    (&left.file, &left.terms.define, &left.terms.include)
        == (&right.file, &right.terms.define, &right.terms.include)
}

/// Targets that are read alike.
fn examine<'a>(
    examiner: &Examiner<'_>,
    targets: &'a [Target],
    comparing: Comparing,
) -> Vec<(&'a Target, Finding)> {
    let unit = targets
        .first()
        .filter(|_| comparing == Comparing::Programs)
        .map(|target| examiner.load(target));
    let sources = match &unit {
        None => Sources::Bytes,
        Some(unit) => Sources::Unit(unit.as_ref().map_err(Vec::as_slice)),
    };
    targets
        .iter()
        .map(|target| (target, examiner.examine(target, &sources)))
        .collect()
}

/// What `work` gives for each number below `count`, in their order, computed by so many threads.
pub fn in_order<T: Send>(
    count: usize,
    jobs: NonZeroUsize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    let run = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            let result = work(number);
            done.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((number, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs.get().min(count) {
            // Where there is no thread to be had, the others do its work.
            drop(thread::Builder::new().spawn_scoped(scope, run));
        }
        run();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}
