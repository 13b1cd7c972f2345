//! Fetches the source packages that `tests/corpus/manifest.tsv` names, verifies every hash, and writes self-contained C files to
//! `target/corpus/`: the harnesses of `tests/corpus/harnesses/` with the functions' texts put in, `ID.c`, and their buggy twins,
//! `ID.buggy.c` (`ID.2.buggy.c` for a second one).
//!
//! Usage: `corpus [--packages NAME,...] [HARNESS.c]...`. With `--packages`, only these are fetched, and harnesses that need others are
//! left out; without files, all harnesses are filled. The packages come through the system's own apt entries; the system's files are
//! left alone, and everything fetched stays under `target/corpus/`. What cannot be had is named and skipped; on a system without apt, or
//! without network, the whole run is. Only a fault of a harness is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use goatherd_tests::corpus::archive::{Extraction, extract};
use goatherd_tests::corpus::fetch::Store;
use goatherd_tests::corpus::harness::{Harness, Programs, Texts, Unfilled};
use goatherd_tests::corpus::instance::read_instances;
use goatherd_tests::corpus::manifest::{Function, read_manifest};
use goatherd_tests::corpus::program::programs;
use goatherd_tests::{c_programs, workspace_root};

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("corpus: {message}");
            ExitCode::FAILURE
        }
    }
}

struct Options {
    /// The only packages to be fetched, if not all.
    packages: Option<BTreeSet<String>>,
    harnesses: Vec<PathBuf>,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self { packages: None, harnesses: Vec::new() };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--packages" => {
                    let names = arguments.next().ok_or("--packages needs names, with commas between them")?;
                    options.packages = Some(names.split(',').map(str::to_owned).collect());
                }
                option if option.starts_with('-') => return Err(format!("unknown option {option}")),
                file => options.harnesses.push(file.into()),
            }
        }
        if options.harnesses.is_empty() {
            options.harnesses = c_programs("tests/corpus/harnesses");
        }
        Ok(options)
    }
}

fn run(options: &Options) -> Result<(), String> {
    let corpus = workspace_root().join("tests/corpus");
    let functions = read_manifest(&read(&corpus.join("manifest.tsv"))?)?;
    let instances = read_instances(&read(&corpus.join("instances.tsv"))?)?;
    let mut harnesses = BTreeMap::new();
    for file in &options.harnesses {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !instances.iter().any(|instance| instance.id == name) {
            return Err(format!("{}: instances.tsv has no {name}", file.display()));
        }
        let harness = Harness::read(&read(file)?).map_err(|error| format!("{}: {error}", file.display()))?;
        harnesses.insert(name, harness);
    }
    let wanted = wanted_functions(&functions, &mut harnesses, options)?;
    let target = workspace_root().join("target/corpus");
    let mut store = Store::new(&target).map_err(|error| format!("{}: {error}", target.display()))?;
    let extraction = extract(&functions, &wanted, &target, &mut store);
    let of_harnesses = instances.into_iter().filter(|instance| harnesses.contains_key(&instance.id)).collect();
    let (before, _) = programs(&target, of_harnesses);
    let written = write_programs(&harnesses, extraction, &target)?;
    // Programs that the harnesses no longer make must not be taken for theirs.
    for program in before.iter().filter(|program| !written.contains(&program.name)) {
        std::fs::remove_file(&program.file).map_err(|error| format!("{}: {error}", program.file.display()))?;
    }
    Ok(())
}

/// The functions that the harnesses name. Harnesses that need a package that is not to be fetched are left out.
fn wanted_functions<'a>(
    functions: &'a [Function],
    harnesses: &mut BTreeMap<String, Harness>,
    options: &Options,
) -> Result<BTreeSet<&'a str>, String> {
    let by_id: BTreeMap<&str, &Function> = functions.iter().map(|function| (function.id.as_str(), function)).collect();
    for (name, harness) in &*harnesses {
        if let Some(unknown) = harness.functions().find(|id| !by_id.contains_key(id)) {
            return Err(format!("{name}: manifest.tsv has no {unknown}"));
        }
    }
    if let Some(packages) = &options.packages {
        harnesses.retain(|_, harness| harness.functions().all(|id| packages.contains(&by_id[id].package)));
    }
    Ok(harnesses.values().flat_map(Harness::functions).map(|id| by_id[id].id.as_str()).collect())
}

/// Fills the harnesses and writes what comes out; names what is skipped. Gives the names of the programs.
fn write_programs(harnesses: &BTreeMap<String, Harness>, extraction: Extraction, target: &Path) -> Result<BTreeSet<String>, String> {
    let Extraction { found, missing } = extraction;
    if found.is_empty() && !missing.is_empty() {
        let reasons: BTreeSet<&String> = missing.values().collect();
        println!("corpus: skipped: no function could be had (this needs Debian's apt and network)");
        for reason in reasons {
            println!("  {reason}");
        }
        return Ok(BTreeSet::new());
    }
    for (id, reason) in &missing {
        println!("missing {id}: {reason}");
    }
    let texts = Texts { includes: includes()?, functions: found };
    let (mut written, mut filled) = (BTreeSet::new(), 0);
    for (name, harness) in harnesses {
        let programs = match harness.fill(&texts) {
            Ok(Programs { good, twins }) => std::iter::once((name.clone(), good)).chain(twins.into_iter().map(|(number, twin)| {
                let number = if number == 1 { String::new() } else { format!(".{number}") };
                (format!("{name}{number}.buggy"), twin)
            })),
            Err(Unfilled::Missing(id)) => {
                println!("skipped {name}: {id} is missing");
                continue;
            }
            Err(wrong) => return Err(format!("tests/corpus/harnesses/{name}.c: {wrong}")),
        };
        for (name, text) in programs {
            write(&target.join(format!("{name}.c")), &text)?;
            written.insert(name);
        }
        filled += 1;
    }
    println!(
        "{} functions verified; {filled} of {} harnesses written to target/corpus, with {} buggy twins",
        texts.functions.len(),
        harnesses.len(),
        written.len() - filled
    );
    Ok(written)
}

/// Our own shared texts.
fn includes() -> Result<BTreeMap<String, String>, String> {
    let folder = workspace_root().join("tests/corpus/include");
    let files = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    files.flatten().map(|entry| Ok((entry.file_name().to_string_lossy().into_owned(), read(&entry.path())?))).collect()
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a file that is not there with this very text: a program that has not changed keeps its time.
fn write(path: &Path, text: &str) -> Result<(), String> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
