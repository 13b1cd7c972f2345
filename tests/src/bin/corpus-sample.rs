//! Fetches the source packages that `tests/corpus/manifest.tsv` names, verifies every hash, and writes self-contained C files to
//! `target/corpus/`: the harnesses of `tests/corpus/harnesses/` with the functions' texts put in.
//!
//! The packages come through the system's own apt entries, turned into source entries in a file of their own; the system's files are
//! left alone, and everything fetched stays under `target/corpus/`. What cannot be had is named and skipped; on a system without
//! apt, or without network, the whole run is.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use goatherd_tests::corpus::{Function, fill_harness, hexadecimal_digest, read_manifest};
use goatherd_tests::{c_programs, workspace_root};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("corpus-sample: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let manifest = workspace_root().join("tests/corpus/manifest.tsv");
    let functions = read_manifest(&std::fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?)?;
    let target = workspace_root().join("target/corpus");
    let sources = target.join("sources");
    std::fs::create_dir_all(&sources).map_err(|error| format!("{}: {error}", sources.display()))?;

    fetch_missing(&functions, &target, &sources);
    if functions.iter().all(|function| upstream_archive(&sources, &function.package).is_none()) {
        println!("corpus-sample: skipped: no source package could be had (this needs Debian's apt and network)");
        return Ok(());
    }
    let texts = extract(&functions, &sources);
    let mut written = 0;
    let harnesses = c_programs("tests/corpus/harnesses");
    for harness in &harnesses {
        let name = harness.file_name().map(PathBuf::from).unwrap_or_default();
        let text = std::fs::read_to_string(harness).map_err(|error| format!("{}: {error}", harness.display()))?;
        match fill_harness(&text, &texts) {
            Ok(text) => {
                std::fs::write(target.join(&name), text).map_err(|error| format!("{}: {error}", name.display()))?;
                written += 1;
            }
            Err(id) => println!("skipped {}: {id} is missing", name.display()),
        }
    }
    println!("{} functions verified; {written} of {} harnesses written to target/corpus", texts.len(), harnesses.len());
    Ok(())
}

/// Fetches the packages whose archives are not there yet, at the pinned version or, where that is gone, the current one.
fn fetch_missing(functions: &[Function], target: &Path, sources: &Path) {
    let missing: BTreeSet<(&str, &str)> = functions
        .iter()
        .filter(|function| !sources.join(&function.archive).exists())
        .map(|function| (function.package.as_str(), function.version.as_str()))
        .collect();
    if missing.is_empty() {
        return;
    }
    let Ok(apt) = Apt::new(target, sources) else { return };
    println!("fetching package lists and {} source packages ...", missing.len());
    // Some entries may have no sources; those that have are enough.
    if apt.run(&["update"]).is_err() {
        return;
    }
    for (package, version) in missing {
        let pinned = format!("{package}={version}");
        for wanted in [pinned.as_str(), package] {
            // The packaging archive may be gone while the upstream one, the only one needed, has come: look, whatever apt says.
            let _ = apt.run(&["source", "--download-only", "--only-source", wanted]);
            if upstream_archive(sources, package).is_some() {
                break;
            }
        }
    }
}

/// apt-get with source entries, lists and cache of its own.
struct Apt {
    options: Vec<String>,
    sources: PathBuf,
}

impl Apt {
    fn new(target: &Path, sources: &Path) -> io::Result<Self> {
        let state = target.join("apt");
        std::fs::create_dir_all(state.join("lists/partial"))?;
        std::fs::create_dir_all(state.join("cache/archives/partial"))?;
        let entries = source_entries();
        let list = state.join(if entries.stanzas { "corpus.sources" } else { "corpus.list" });
        std::fs::write(&list, entries.text)?;
        let options = vec![
            format!("Dir::Etc::sourcelist={}", list.display()),
            "Dir::Etc::sourceparts=-".into(),
            format!("Dir::State::lists={}", state.join("lists").display()),
            format!("Dir::Cache={}", state.join("cache").display()),
            // The folder under target/ is not open to apt's own user.
            "APT::Sandbox::User=".into(),
            "Acquire::http::Timeout=20".into(),
        ];
        Ok(Self { options, sources: sources.to_path_buf() })
    }

    fn run(&self, arguments: &[&str]) -> io::Result<Output> {
        let options = self.options.iter().flat_map(|option| ["-o", option.as_str()]);
        Command::new("apt-get").args(["-q"]).args(options).args(arguments).current_dir(&self.sources).output()
    }
}

/// The system's own entries as source entries: stanzas (`*.sources`) where there are any, lines (`*.list`) otherwise.
struct SourceEntries {
    stanzas: bool,
    text: String,
}

fn source_entries() -> SourceEntries {
    let mut files = vec![PathBuf::from("/etc/apt/sources.list")];
    files.extend(std::fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten().map(|entry| entry.path()));
    files.sort();
    let texts_of = |extension: &str| -> Vec<String> {
        let of_form = files.iter().filter(|path| path.extension().is_some_and(|found| found == extension));
        of_form.filter_map(|path| std::fs::read_to_string(path).ok()).collect()
    };
    let stanzas: String = texts_of("sources")
        .join("\n\n")
        .lines()
        .map(|line| if line.starts_with("Types:") { "Types: deb-src\n".to_owned() } else { format!("{line}\n") })
        .collect();
    if stanzas.contains("Types:") {
        return SourceEntries { stanzas: true, text: stanzas };
    }
    let lines = texts_of("list").join("\n");
    let lines = lines.lines().filter_map(|line| line.trim().strip_prefix("deb "));
    let lines: Vec<String> = lines.map(|line| format!("deb-src {line}")).collect();
    SourceEntries { stanzas: false, text: lines.join("\n") + "\n" }
}

/// The upstream archive of a package among the fetched files, whatever its version.
fn upstream_archive(sources: &Path, package: &str) -> Option<PathBuf> {
    let files = std::fs::read_dir(sources).ok()?.flatten().map(|entry| entry.path());
    files
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&format!("{package}_")) && name.contains(".orig.tar.") && !name.ends_with(".asc")
        })
        .max()
}

/// The texts of all functions whose hash is right; says which are missing or changed.
fn extract(functions: &[Function], sources: &Path) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for function in functions {
        match extract_one(function, sources) {
            Ok(text) => {
                texts.insert(function.id.clone(), text);
            }
            Err(message) => println!("missing {}: {message}", function.id),
        }
    }
    texts
}

fn extract_one(function: &Function, sources: &Path) -> Result<String, String> {
    let pinned = sources.join(&function.archive);
    let archive = if pinned.exists() { pinned } else { upstream_archive(sources, &function.package).ok_or("no archive")? };
    let bytes = std::fs::read(&archive).map_err(|error| error.to_string())?;
    if archive.ends_with(&function.archive) && hexadecimal_digest(&bytes) != function.archive_sha256 {
        return Err(format!("{} has another SHA-256 than the pinned one", function.archive));
    }
    let output = Command::new("tar")
        .args(["--extract", "--to-stdout", "--wildcards", "--no-wildcards-match-slash", "--file"])
        .arg(&archive)
        .arg(format!("*/{}", function.path))
        .output()
        .map_err(|error| format!("tar: {error}"))?;
    if !output.status.success() {
        return Err(format!("{} is not in {}", function.path, archive.display()));
    }
    function.find_in(&output.stdout).ok_or_else(|| format!("the text of {} has changed", function.path))
}
