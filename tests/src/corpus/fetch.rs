//! Source packages through the system's own apt entries, turned into source entries in a file of their own: the system's files are left
//! alone, and all that is fetched stays in one folder.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::manifest::{Function, hexadecimal_digest};

/// The pinned upstream archive of a package, the one that the manifest's lines count in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pinned {
    /// The version of the package.
    pub version: String,
    /// The archive's file name.
    pub archive: String,
    /// Its SHA-256, in lower-case hexadecimal digits.
    pub sha256: String,
}

/// The pinned archives of these functions, by package.
pub fn pinned_archives<'a>(functions: impl Iterator<Item = &'a Function>) -> BTreeMap<String, Pinned> {
    functions
        .map(|Function { package, version, archive, archive_sha256, .. }| {
            (package.clone(), Pinned { version: version.clone(), archive: archive.clone(), sha256: archive_sha256.clone() })
        })
        .collect()
}

/// An upstream archive whose digest is the pinned one or, for another version, the one in apt's signed lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    /// What stands behind the package's name: `=VERSION` where it is the pinned one, as asked of apt, else a space and the upstream version.
    pub version: String,
    /// The file.
    pub path: PathBuf,
}

/// Source packages in a folder; those that are not there are fetched.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    /// apt, once it was needed; nothing where it cannot be used, with the reason.
    apt: Option<Result<Apt, String>>,
}

impl Store {
    /// A store that keeps archives in `folder/sources`, and apt's lists in `folder/apt`.
    pub fn new(folder: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(folder.join("sources"))?;
        Ok(Self { folder: folder.to_path_buf(), apt: None })
    }

    /// The archive of a package: the pinned version, or where that is gone the current one. What was fetched before is used again, what
    /// is there in part is completed. An error says why there is none.
    pub fn archive(&mut self, package: &str, pinned: &Pinned) -> Result<Archive, String> {
        let sources = self.folder.join("sources");
        let path = sources.join(&pinned.archive);
        if has_digest(&path, &pinned.sha256) {
            return Ok(Archive { version: format!("={}", pinned.version), path });
        }
        let folder = &self.folder;
        let apt = self.apt.get_or_insert_with(|| Apt::new(folder)).as_ref().map_err(Clone::clone)?;
        let mut reason = String::new();
        for version in [format!("={}", pinned.version), String::new()] {
            match apt.fetch(&format!("{package}{version}"), package, &sources) {
                Ok(path) if path.ends_with(&pinned.archive) && !has_digest(&path, &pinned.sha256) => {
                    reason = format!("{} has another SHA-256 than the pinned one", pinned.archive);
                }
                Ok(path) if version.is_empty() => return Ok(Archive { version: format!(" {}", upstream_version(&path, package)), path }),
                Ok(path) => return Ok(Archive { version, path }),
                Err(message) => reason = message,
            }
        }
        Err(reason)
    }
}

fn has_digest(path: &Path, sha256: &str) -> bool {
    std::fs::read(path).is_ok_and(|bytes| hexadecimal_digest(&bytes) == sha256)
}

/// apt-get with source entries, lists and cache of its own.
#[derive(Debug)]
struct Apt {
    options: Vec<String>,
}

impl Apt {
    /// Fetches the package lists.
    fn new(folder: &Path) -> Result<Self, String> {
        let state = folder.join("apt");
        let list = state.join("corpus.sources");
        let prepared = std::fs::create_dir_all(state.join("lists/partial"))
            .and_then(|()| std::fs::create_dir_all(state.join("cache/archives/partial")))
            .and_then(|()| std::fs::write(&list, source_entries(&system_entries())));
        prepared.map_err(|error| format!("{}: {error}", state.display()))?;
        let options = vec![
            format!("Dir::Etc::sourcelist={}", list.display()),
            "Dir::Etc::sourceparts=-".into(),
            format!("Dir::State::lists={}", state.join("lists").display()),
            format!("Dir::Cache={}", state.join("cache").display()),
            // The folder under target/ is not open to apt's own user.
            "APT::Sandbox::User=".into(),
            "Acquire::http::Timeout=20".into(),
        ];
        let apt = Self { options };
        // Some entries may have no sources; those that have are enough.
        apt.run(&["update"], folder).map_err(|_| "this needs apt-get, the package manager of Debian".to_owned())?;
        let lists = std::fs::read_dir(state.join("lists")).map_err(|error| error.to_string())?;
        let has_sources = lists.flatten().any(|entry| entry.file_name().to_string_lossy().contains("_source_Sources"));
        if has_sources { Ok(apt) } else { Err("no list of source packages could be fetched: this needs network".to_owned()) }
    }

    fn run(&self, arguments: &[&str], folder: &Path) -> io::Result<Output> {
        let options = self.options.iter().flat_map(|option| ["-o", option.as_str()]);
        Command::new("apt-get").arg("-q").args(options).args(arguments).current_dir(folder).output()
    }

    /// Fetches the upstream archives of what is wanted, `PACKAGE` or `PACKAGE=VERSION`, and gives the main one.
    fn fetch(&self, wanted: &str, package: &str, sources: &Path) -> Result<PathBuf, String> {
        let source = |mode| self.run(&["source", mode, "--only-source", "--tar-only", wanted], sources).map_err(|error| error.to_string());
        let listed = source("--print-uris")?;
        if !listed.status.success() {
            return Err(format!("{wanted} cannot be had: {}", last_line(&listed.stderr)));
        }
        let name = upstream_archive(&String::from_utf8_lossy(&listed.stdout), package).ok_or("no upstream archive")?;
        let path = sources.join(&name);
        println!("fetching {wanted}: {name}");
        let fetched = source("--download-only")?;
        // apt compares the digest with that of its signed lists.
        if fetched.status.success() { Ok(path) } else { Err(format!("{name}: {}", last_line(&fetched.stderr))) }
    }
}

fn last_line(text: &[u8]) -> String {
    String::from_utf8_lossy(text).lines().last().unwrap_or("no reason given").to_owned()
}

/// The file name of a package's main upstream archive in what `apt-get source --print-uris` lists: lines of an address in quotes, the
/// file's name, size and digest.
fn upstream_archive(listed: &str, package: &str) -> Option<String> {
    let names = listed.lines().filter(|line| line.starts_with('\'')).filter_map(|line| line.split_whitespace().nth(1));
    let mut archives = names.filter(|name| name.starts_with(&format!("{package}_")) && name.contains(".orig.tar."));
    archives.find(|name| Path::new(name).extension().is_some_and(|extension| extension != "asc")).map(str::to_owned)
}

/// The upstream version in the file name of a package's archive, `PACKAGE_VERSION.orig.tar.xz`.
fn upstream_version(archive: &Path, package: &str) -> String {
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let version = name.strip_prefix(package).and_then(|rest| rest.strip_prefix('_')?.split(".orig").next());
    version.unwrap_or("of an unknown version").to_owned()
}

/// The system's entries: the texts of its `*.sources` files (stanzas) and of its `*.list` files (lines).
struct Entries {
    stanzas: Vec<String>,
    lines: Vec<String>,
}

fn system_entries() -> Entries {
    let mut files = vec![PathBuf::from("/etc/apt/sources.list")];
    files.extend(std::fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten().map(|entry| entry.path()));
    files.sort();
    let texts_of = |extension: &str| -> Vec<String> {
        let of_form = files.iter().filter(|path| path.extension().is_some_and(|found| found == extension));
        of_form.filter_map(|path| std::fs::read_to_string(path).ok()).collect()
    };
    Entries { stanzas: texts_of("sources"), lines: texts_of("list") }
}

/// The same as stanzas of source entries.
fn source_entries(entries: &Entries) -> String {
    let of_stanzas = entries.stanzas.iter().map(|text| {
        let lines = text.lines().map(|line| if line.starts_with("Types:") { "Types: deb-src" } else { line });
        lines.collect::<Vec<_>>().join("\n")
    });
    let of_lines = entries.lines.iter().flat_map(|text| text.lines().filter_map(stanza_of_line));
    of_stanzas.chain(of_lines).collect::<Vec<_>>().join("\n\n") + "\n"
}

/// `deb [OPTION=VALUE...] ADDRESS SUITE COMPONENT...` as a stanza of a source entry; nothing for another line, or for a medium.
fn stanza_of_line(line: &str) -> Option<String> {
    let rest = line.trim().strip_prefix("deb")?.strip_prefix([' ', '\t'])?.trim_start();
    let (options, rest) = match rest.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => ("", rest),
    };
    let mut words = rest.split('#').next()?.split_whitespace();
    let (address, suite) = (words.next()?, words.next()?);
    if address.starts_with("cdrom:") {
        return None;
    }
    let mut stanza = format!("Types: deb-src\nURIs: {address}\nSuites: {suite}\n");
    let components: Vec<&str> = words.collect();
    if !components.is_empty() {
        let _ = writeln!(stanza, "Components: {}", components.join(" "));
    }
    for (name, value) in options.split_whitespace().filter_map(|option| option.split_once('=')) {
        // Sources have no architecture, and no translations.
        if !["arch", "lang"].contains(&name) {
            let _ = writeln!(stanza, "{name}: {}", value.replace(',', " "));
        }
    }
    Some(stanza)
}

#[cfg(test)]
mod tests {
    use super::{Entries, source_entries, stanza_of_line, upstream_archive, upstream_version};
    use std::path::Path;

    #[test]
    fn turns_entries_into_source_entries() {
        let entries = Entries {
            stanzas: vec!["Types: deb\nURIs: http://a\nSuites: s\nComponents: main\nSigned-By: /k\n".into()],
            lines: vec!["# deb http://no s main\ndeb-src http://no s main\ndeb [arch=amd64 signed-by=/k] http://b s main # more\n".into()],
        };
        let expected = "Types: deb-src\nURIs: http://a\nSuites: s\nComponents: main\nSigned-By: /k\n\n\
                        Types: deb-src\nURIs: http://b\nSuites: s\nComponents: main\nsigned-by: /k\n\n";
        assert_eq!(source_entries(&entries).trim_end(), expected.trim_end());
        assert_eq!(stanza_of_line("deb cdrom:[Debian]/ s main"), None);
    }

    #[test]
    fn picks_the_main_upstream_archive() {
        let listed = "Need to get 1 B.\n'http://a/p_1.orig-data.tar.xz' p_1.orig-data.tar.xz 1 SHA256:0\n\
                      'http://a/p_1.orig.tar.xz.asc' p_1.orig.tar.xz.asc 1 SHA256:0\n'http://a/p_1.orig.tar.xz' p_1.orig.tar.xz 1 SHA256:0\n";
        assert_eq!(upstream_archive(listed, "p").as_deref(), Some("p_1.orig.tar.xz"));
        assert_eq!(upstream_archive(listed, "q"), None);
        assert_eq!(upstream_version(Path::new("sources/p_1.2+dfsg.orig.tar.xz"), "p"), "1.2+dfsg");
    }
}
