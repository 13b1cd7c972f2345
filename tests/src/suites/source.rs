//! The files of suites, unpacked below `target/suites/files`.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use super::recipe::{Provenance, Recipe};
use crate::corpus::fetch::Store;

/// Where suites are looked for and unpacked.
#[derive(Debug)]
pub struct Sources {
    work: PathBuf,
    store: Store,
    /// The folder of checkouts, each by the last part of its address.
    checkouts: Option<PathBuf>,
}

impl Sources {
    /// Sources that are kept in a folder, and repositories that are checked out below another.
    pub fn new(work: &Path, checkouts: Option<PathBuf>) -> Result<Self, String> {
        let store = Store::new(work).map_err(|error| format!("{}: {error}", work.display()))?;
        Ok(Self { work: work.to_path_buf(), store, checkouts })
    }

    /// The folder of a recipe's programs; an error says why it cannot be had.
    pub fn folder(&mut self, recipe: &Recipe) -> Result<PathBuf, String> {
        let name = match &recipe.origin {
            Provenance::Package { package, .. } => package,
            Provenance::Repository(address) => address.rsplit('/').next().unwrap_or(address),
        };
        let files = self.work.join("files").join(name);
        let folder = files.join(&recipe.folder);
        if !folder.is_dir() {
            // Where it stands it is complete: what was interrupted is unpacked again.
            let partial = self.work.join("partial");
            let _ = std::fs::remove_dir_all(&partial);
            std::fs::create_dir_all(&partial).map_err(|error| format!("{}: {error}", partial.display()))?;
            // The folder itself last: where it stands, what its links lead to does as well.
            for brought in self.bring(recipe, name, &partial)?.iter().rev() {
                let place = files.join(brought);
                if !place.is_dir() {
                    let parent = place.parent().unwrap_or(&files);
                    let moved = std::fs::create_dir_all(parent).and_then(|()| std::fs::rename(partial.join(brought), &place));
                    moved.map_err(|error| format!("{name} has no {brought}: {error}"))?;
                }
            }
        }
        Ok(folder)
    }

    /// Unpacks the folder of a recipe into another one, and of a repository those that its links lead to. Gives their paths, its own first.
    fn bring(&mut self, recipe: &Recipe, name: &str, into: &Path) -> Result<Vec<String>, String> {
        let mut folders = vec![recipe.folder.clone()];
        match &recipe.origin {
            Provenance::Package { package, pinned, inner } => {
                let mut archive = self.store.archive(package, pinned)?.path;
                if let Some(inner) = inner {
                    archive = unpack_one(&archive, inner, into)?;
                }
                unpack(&archive, &format!("*/{}/*", recipe.folder), into)?;
            }
            Provenance::Repository(address) => {
                let checkouts = self.checkouts.as_ref().ok_or_else(|| format!("needs a checkout of {address}: --checkouts FOLDER"))?;
                let checkout = checkouts.join(name);
                if !checkout.is_dir() {
                    return Err(format!("there is no checkout of {address} at {}", checkout.display()));
                }
                let mut next = 0;
                while let Some(folder) = folders.get(next) {
                    export(&checkout, folder, into)?;
                    let mut linked = BTreeSet::new();
                    linked_folders(&into.join(folder), Path::new(folder), &mut linked)?;
                    linked.retain(|folder| !folders.contains(folder));
                    folders.extend(linked);
                    next += 1;
                }
            }
        }
        Ok(folders)
    }
}

/// The one file of an archive whose path ends as the pattern says, in this folder.
fn unpack_one(archive: &Path, pattern: &str, files: &Path) -> Result<PathBuf, String> {
    unpack(archive, &format!("*/{pattern}"), files)?;
    let suffix = pattern.rsplit('*').next().unwrap_or(pattern);
    let entries = std::fs::read_dir(files).map_err(|error| format!("{}: {error}", files.display()))?;
    let found = entries.flatten().map(|entry| entry.path()).find(|path| path.to_string_lossy().ends_with(suffix));
    found.ok_or_else(|| format!("{} has no {pattern}", archive.display()))
}

/// Unpacks what matches a pattern, without the archive's top folder.
fn unpack(archive: &Path, pattern: &str, files: &Path) -> Result<(), String> {
    let mut command = Command::new("tar");
    command.args(["--extract", "--strip-components=1", "--wildcards", "--file"]).arg(archive).arg("--directory").arg(files).arg(pattern);
    succeed(&mut command, "tar")
}

/// Copies a folder of what is committed: with or without a work tree, whatever was changed there.
fn export(checkout: &Path, folder: &str, files: &Path) -> Result<(), String> {
    let archive = files.join(".export.tar");
    let mut git = Command::new("git");
    git.arg("-C").arg(checkout).args(["archive", "--output"]).arg(&archive).args(["HEAD", folder]);
    succeed(&mut git, "git")?;
    let mut tar = Command::new("tar");
    tar.args(["--extract", "--file"]).arg(&archive).arg("--directory").arg(files);
    succeed(&mut tar, "tar")?;
    std::fs::remove_file(&archive).map_err(|error| format!("{}: {error}", archive.display()))
}

/// The other folders of the repository that links below a folder lead into. Those whose links lead nowhere are left out.
fn linked_folders(folder: &Path, inside: &Path, linked: &mut BTreeSet<String>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if let Ok(target) = std::fs::read_link(&path) {
            if !path.exists()
                && let Some(parent) = below(inside, &target).as_deref().and_then(Path::parent)
            {
                linked.insert(parent.to_string_lossy().into_owned());
            }
        } else if path.is_dir() {
            linked_folders(&path, &inside.join(entry.file_name()), linked)?;
        }
    }
    Ok(())
}

/// The path that a relative one leads to from a folder of the repository, if it stays inside; none for the repository itself.
fn below(folder: &Path, relative: &Path) -> Option<PathBuf> {
    let mut path = folder.to_path_buf();
    for part in relative.components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::ParentDir => path.pop().then_some(())?,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    path.parent().is_some_and(|parent| parent != Path::new("")).then_some(path)
}

fn succeed(command: &mut Command, name: &str) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("no reason given")))
}
