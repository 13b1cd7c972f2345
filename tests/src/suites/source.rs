//! The files of suites, unpacked below `target/suites/files`.

use std::path::{Path, PathBuf};
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
            self.bring(recipe, name, &partial)?;
            let place = folder.parent().unwrap_or(&files);
            let moved = std::fs::create_dir_all(place).and_then(|()| std::fs::rename(partial.join(&recipe.folder), &folder));
            moved.map_err(|error| format!("{} has no {}: {error}", name, recipe.folder))?;
        }
        Ok(folder)
    }

    /// Unpacks the folder of a recipe into another one.
    fn bring(&mut self, recipe: &Recipe, name: &str, into: &Path) -> Result<(), String> {
        match &recipe.origin {
            Provenance::Package { package, pinned, inner } => {
                let mut archive = self.store.archive(package, pinned)?.path;
                if let Some(inner) = inner {
                    archive = unpack_one(&archive, inner, into)?;
                }
                unpack(&archive, &format!("*/{}/*", recipe.folder), into)
            }
            Provenance::Repository(address) => {
                let checkouts = self.checkouts.as_ref().ok_or_else(|| format!("needs a checkout of {address}: --checkouts FOLDER"))?;
                let checkout = checkouts.join(name);
                if !checkout.is_dir() {
                    return Err(format!("there is no checkout of {address} at {}", checkout.display()));
                }
                export(&checkout, &recipe.folder, into)
            }
        }
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

fn succeed(command: &mut Command, name: &str) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("no reason given")))
}
