//! Files out of upstream archives. They are kept, so that an archive is unpacked, and its digest compared, only once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::fetch::{Store, pinned_archives};
use super::harness::Extracted;
use super::manifest::Function;

/// The texts of all functions that could be had, and why not for the others.
#[derive(Debug, Default)]
pub struct Extraction {
    /// By the functions' names.
    pub found: BTreeMap<String, Extracted>,
    /// What is missing or has changed: the names of functions, and the reason.
    pub missing: BTreeMap<String, String>,
}

/// Extracts those of the manifest's functions that are wanted; their packages are fetched where they are not in the folder.
pub fn extract(manifest: &[Function], wanted: &BTreeSet<&str>, folder: &Path, store: &mut Store) -> Extraction {
    let mut extraction = Extraction::default();
    let is_wanted = |function: &&Function| wanted.contains(function.id.as_str());
    for (package, pinned) in pinned_archives(manifest.iter().filter(is_wanted)) {
        let of_package = manifest.iter().filter(|function| function.package == package);
        // All that the manifest names: the archive is unpacked once, whichever of them are wanted next.
        let paths: BTreeSet<&str> = of_package.clone().map(|function| function.path.as_str()).collect();
        let listed = paths.iter().copied().collect::<Vec<_>>().join("\n") + "\n";
        let files = folder.join("files").join(&package);
        let version =
            std::fs::read_to_string(files.join(PATHS)).ok().and_then(|text| Some(text.strip_suffix(&listed)?.trim_end().to_owned()));
        let version = version.filter(|version| version.starts_with(' ') || *version == format!("={}", pinned.version)).map_or_else(
            || {
                let archive = store.archive(&package, &pinned)?;
                unpack(&archive.path, &paths, &files)?;
                // Written last: where it stands, the files are complete.
                std::fs::write(files.join(PATHS), format!("{}\n{listed}", archive.version)).map_err(|error| error.to_string())?;
                Ok(archive.version)
            },
            Ok,
        );
        for function in of_package.filter(is_wanted) {
            match version.clone().and_then(|version| find(function, &files, &version)) {
                Ok(extracted) => drop(extraction.found.insert(function.id.clone(), extracted)),
                Err(reason) => drop(extraction.missing.insert(function.id.clone(), reason)),
            }
        }
    }
    extraction
}

/// The file that names the version that was unpacked and the files that were wanted.
const PATHS: &str = ".unpacked";

/// Unpacks some files of an archive, without its top folder, into a folder that is emptied before.
fn unpack(archive: &Path, paths: &BTreeSet<&str>, files: &PathBuf) -> Result<(), String> {
    let _ = std::fs::remove_dir_all(files);
    std::fs::create_dir_all(files).map_err(|error| format!("{}: {error}", files.display()))?;
    let output = Command::new("tar")
        .args(["--extract", "--strip-components=1", "--wildcards", "--no-wildcards-match-slash", "--file"])
        .arg(archive)
        .arg("--directory")
        .arg(files)
        .args(paths.iter().map(|path| format!("*/{path}")))
        .output()
        .map_err(|error| format!("tar: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    // A file that another version does not have is told where it is looked for.
    if output.status.success() || said.contains("Not found in archive") {
        return Ok(());
    }
    Err(format!("{}: {} (tar needs xz-utils and bzip2)", archive.display(), said.lines().next().unwrap_or_default()))
}

fn find(function: &Function, files: &Path, version: &str) -> Result<Extracted, String> {
    let Function { package, path, first_line, last_line, .. } = function;
    let file = std::fs::read(files.join(path)).map_err(|_| format!("{package}{version} has no {path}"))?;
    let (first, text) = function.find_in(&file).ok_or_else(|| format!("its text in {path} of {package}{version} has changed"))?;
    let place = format!("{}: {package}{version}, {path}:{first}-{}", function.id, first + (last_line - first_line));
    Ok(Extracted { place, text })
}
