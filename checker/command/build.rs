//! The build script of both commands: computes the digest of the kernel's source, which every verdict names:
//! `sha256sum certificates/src/*.rs checker/src/*.rs checker/claims/src/*.rs checker/claims/*/src/*.rs | sha256sum`, line ends normalised.

use sha2::{Digest, Sha256};
use std::{env, error::Error, fmt::Write, fs, path::Path};

/// The directories whose sources are the kernel and what stands on it for claims other than `Safe`, relative to the workspace.
const DIRECTORIES: [&str; 8] = [
    "certificates/src",
    "checker/src",
    "checker/claims/src",
    "checker/claims/frame/src",
    "checker/claims/paths/src",
    "checker/claims/runs/src",
    "checker/claims/trees/src",
    "checker/claims/unsatisfiable/src",
];

fn main() -> Result<(), Box<dyn Error>> {
    let package = env::var("CARGO_MANIFEST_DIR")?;
    let is_workspace = |directory: &&Path| {
        DIRECTORIES
            .iter()
            .all(|sources| directory.join(sources).is_dir())
    };
    let workspace = Path::new(&package)
        .ancestors()
        .find(is_workspace)
        .ok_or("the kernel's source is not above this package")?;
    let mut lines = String::new();
    for directory in DIRECTORIES {
        let path = workspace.join(directory);
        println!("cargo::rerun-if-changed={}", path.display());
        let mut names = Vec::new();
        for entry in fs::read_dir(&path)? {
            let name = entry?
                .file_name()
                .into_string()
                .map_err(|name| format!("a file name that is not UTF-8: {}", name.display()))?;
            names.extend(Some(name).filter(|name| {
                Path::new(name)
                    .extension()
                    .is_some_and(|extension| extension == "rs")
            }));
        }
        names.sort();
        for name in names {
            let text = fs::read_to_string(path.join(&name))?.replace("\r\n", "\n");
            writeln!(
                lines,
                "{}  {directory}/{name}",
                hexadecimal(&Sha256::digest(text.as_bytes()))
            )?;
        }
    }
    println!(
        "cargo::rustc-env=KERNEL_SOURCE_DIGEST={}",
        hexadecimal(&Sha256::digest(lines.as_bytes()))
    );
    Ok(())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect::<Vec<_>>()
        .concat()
}
