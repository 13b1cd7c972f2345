//! A copy of the kernel to be changed, built and asked about the test vectors.

use super::{Change, Mutant};
use crate::workspace_root;
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// What answers for each file of a folder: its name, a tab, and whether it is accepted or why not.
const RUNNER: &str = r#"use sha2::Digest;

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "goatherd")) {
        let limits = goatherd_claims::Limits { memory: 1 << 26, work: 1 << 28 };
        let answer = match goatherd_claims::check(&std::fs::read(file).unwrap(), limits, |bytes| sha2::Sha256::digest(bytes).into()) {
            Ok(_) => String::from("accepted"),
            Err(failure) => format!("{failure:?}"),
        };
        println!("{}\t{answer}", file.file_stem().unwrap().display());
    }
}
"#;

/// A copy of the kernel, of its data types and of the claims on top of it, in a workspace of its own.
pub struct Laboratory {
    folder: PathBuf,
}

/// The crates, each with its folder and what it uses.
const CRATES: [(&str, &str, &[&str]); 8] = [
    ("certificates", "certificates", &[]),
    ("checker", "checker", &["certificates"]),
    ("claim-paths", "checker/claims/paths", &["certificates", "checker"]),
    ("claim-runs", "checker/claims/runs", &["certificates", "checker"]),
    ("frame", "checker/claims/frame", &["certificates", "checker"]),
    ("claim-trees", "checker/claims/trees", &["certificates", "checker", "frame"]),
    ("claim-unsatisfiable", "checker/claims/unsatisfiable", &["certificates", "checker", "frame"]),
    ("claims", "checker/claims", &["certificates", "checker", "claim-paths", "claim-runs", "claim-trees", "claim-unsatisfiable", "frame"]),
];

fn manifest(name: &str, dependencies: &[&str]) -> String {
    let lines = dependencies.iter().map(|other| format!("goatherd-{other}.workspace = true\n"));
    let package = format!("[package]\nname = \"goatherd-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[features]\nserde = []\n\n");
    std::iter::once(package + "[dependencies]\n").chain(lines).collect()
}

impl Laboratory {
    /// Copies the sources as they are to the folder.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let write = |path: &str, text: &str| {
            let path = folder.join(path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, text)
        };
        let members = CRATES.map(|(_, folder, _)| format!("\"{folder}\", ")).concat();
        let paths = CRATES.map(|(name, folder, _)| format!("goatherd-{name} = {{ path = \"{folder}\" }}\n")).concat();
        let workspace = format!("[workspace]\nresolver = \"3\"\nmembers = [{members}\"runner\"]\n\n[workspace.dependencies]\n{paths}");
        write("Cargo.toml", &workspace)?;
        // The release that the workspace has.
        write("Cargo.lock", &fs::read_to_string(workspace_root().join("Cargo.lock"))?)?;
        write("runner/Cargo.toml", &(manifest("runner", &["claims"]) + "sha2 = { version = \"0.11\", default-features = false }\n"))?;
        write("runner/src/main.rs", RUNNER)?;
        for (name, part, dependencies) in CRATES {
            write(&format!("{part}/Cargo.toml"), &manifest(name, dependencies))?;
            for entry in fs::read_dir(workspace_root().join(part).join("src"))? {
                let path = entry?.path();
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                write(&format!("{part}/src/{name}"), &fs::read_to_string(&path)?)?;
            }
        }
        Ok(Self { folder: folder.to_path_buf() })
    }

    /// Builds the kernel as it stands there; what it says of the vectors, line by line.
    pub fn answers(&self) -> Result<Vec<String>, String> {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| String::from("cargo"));
        let output = Command::new(cargo)
            .args(["run", "--quiet", "--offline", "-p", "goatherd-runner", "--"])
            .arg(crate::vectors::folder())
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .env("RUSTFLAGS", "-Awarnings")
            .output()
            .map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
    }

    /// The same with one change, which is taken back.
    pub fn answers_of(&self, change: &Change) -> Result<Vec<String>, String> {
        let path = self.folder.join(change.file);
        let original = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        fs::write(&path, change.apply(&original)?).map_err(|error| error.to_string())?;
        let answers = self.answers();
        fs::write(&path, original).map_err(|error| error.to_string())?;
        answers
    }
}

/// What became of a mutant: the vectors of which it says something else. An error where there are none, or where it rejects what only the
/// condition that it lacks stops.
pub fn noticed(mutant: &Mutant, expected: &[String], found: &[String]) -> Result<Vec<String>, String> {
    let name = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
    let other: Vec<String> = expected.iter().zip(found).filter(|(expected, found)| expected != found).map(|(line, _)| name(line)).collect();
    if other.is_empty() || expected.len() != found.len() {
        return Err(String::from("not noticed"));
    }
    let is_accepted = |wanted: &&str| found.iter().any(|line| line == &format!("{wanted}\taccepted"));
    match mutant.accepted.iter().find(|wanted| !is_accepted(wanted)) {
        Some(wanted) => Err(format!("{wanted} is still stopped: {:?}", found.iter().find(|line| name(line) == **wanted))),
        None => Ok(other),
    }
}
