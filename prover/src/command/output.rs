//! Files that are written whole or not at all.

use super::Trouble;
use goatherd::picture::svg;
use goatherd_frontend::escape::escaped_lines;
use std::{
    ffi::OsString,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

/// Where the results of `goatherd prove` go.
#[derive(Clone, Debug)]
pub struct Outputs {
    /// A certificate.
    pub certificate: PathBuf,
    /// The certificate of a part.
    pub partial: PathBuf,
    /// A failing run as C.
    pub counterexample: PathBuf,
    /// A failing run as other verifiers read it, if that is asked for.
    pub witness: Option<PathBuf>,
}

/// Renames files that are there, so that nobody takes them for an answer: to the same name with `.stale` behind it. Gives the new names.
///
/// # Errors
///
/// A file cannot be renamed.
pub fn retire(paths: &[&PathBuf]) -> Result<Vec<String>, Trouble> {
    let mut retired = Vec::new();
    for path in paths.iter().filter(|path| path.is_file()) {
        let mut stale = path.as_os_str().to_owned();
        stale.push(".stale");
        fs::rename(path, &stale)
            .map_err(|error| Trouble::Usage(format!("cannot put aside {}, which is no answer any more: {error}", path.display())))?;
        retired.push(PathBuf::from(stale).display().to_string());
    }
    Ok(retired)
}

/// One word for the shell.
pub fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./=+,:@%".contains(character);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Refuses paths that cannot be written, before any work is done for them.
pub fn check(path: &Path, source: &Path) -> Result<(), Trouble> {
    let refused = |reason: &str| Err(Trouble::Usage(format!("cannot write {}: {reason}", path.display())));
    if path.is_dir() {
        return refused("it is a directory");
    }
    if !directory(path).is_dir() {
        return refused("its directory does not exist");
    }
    match (path.canonicalize(), source.canonicalize()) {
        (Ok(path), Ok(source)) if path == source => refused("it is the source file"),
        _ => Ok(()),
    }
}

/// Writes a file under another name first, so that it is there in full or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
    let failed = |error: std::io::Error| Trouble::Usage(format!("cannot write {}: {error}", path.display()));
    // A device or a pipe is written to, not replaced.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return fs::write(path, bytes).map_err(failed);
    }
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.partial", std::process::id()));
    let partial = directory(path).join(name);
    let written = File::create(&partial).and_then(|mut file| file.write_all(bytes)).and_then(|()| fs::rename(&partial, path));
    written.map_err(|error| {
        // What is left of it is of no use; that it cannot be removed either changes nothing.
        drop(fs::remove_file(&partial));
        failed(error)
    })
}

/// Makes a directory that is not there.
pub fn make_directory(directory: &Path) -> Result<(), Trouble> {
    fs::create_dir_all(directory).map_err(|error| Trouble::Usage(format!("cannot make {}: {error}", directory.display())))
}

/// Writes a graph to a directory, in the DOT language and, unless it is too large, as SVG.
pub fn picture(directory: &Path, name: &str, dot: &str) -> Result<(), Trouble> {
    let dot = &escaped_lines(dot);
    write(&directory.join(format!("{name}.dot")), dot.as_bytes())?;
    match svg(dot) {
        Some(svg) => write(&directory.join(format!("{name}.svg")), svg.as_bytes()),
        None => Ok(()),
    }
}

/// The directory in which a file lies.
pub fn directory(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The path as seen from a directory: as it is, if that is the current directory.
pub fn seen_from(directory: &Path, path: &Path) -> PathBuf {
    if directory == Path::new(".") { path.to_owned() } else { std::path::absolute(path).unwrap_or_else(|_| path.to_owned()) }
}
