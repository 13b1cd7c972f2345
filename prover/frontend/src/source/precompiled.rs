//! Precompiled headers, `list.h.gch` beside `list.h`: GCC reads one in the header's place, other than where it is only to preprocess.

use super::{
    File,
    directives::{self, Part},
    environment,
    token::{Place, Token, TokenKind, tokens},
    unit::report_at,
};
use crate::diagnostics::{Kind, Report};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Refuses files beside which there is one, or beside which one is found for a name that is included; and any one in the folders that are searched, since
/// a macro or a definition on the command line may say the name.
pub(super) fn precompiled(files: &[File], directory: &Path, include_directories: &[PathBuf]) -> Vec<Report> {
    let own = (0..).zip(files).filter_map(|(number, file)| Some((number, file, file.bytes.as_ref()?)));
    let of_environment = environment::search_lists().flat_map(|(_, folders)| folders);
    let mut searched: BTreeSet<PathBuf> = include_directories.iter().cloned().chain(of_environment).collect();
    let mut refused = Vec::new();
    for (number, file, bytes) in own {
        let path = Path::new(&file.name);
        // The first file is read from the standard input, in its directory.
        let beside = if number == 0 { directory } else { path.parent().unwrap_or(directory) };
        if number > 0 && is_precompiled(path) {
            refused.push(Report::of_file(Kind::Unsupported, &file.name, MESSAGE));
        }
        searched.insert(beside.to_path_buf());
        let named = directives::parts(tokens(bytes, Place { file: number, line: 1, column: 1 }));
        let found = named.iter().filter_map(included).filter(|(_, name)| searched.iter().any(|folder| is_precompiled(&folder.join(name))));
        refused.extend(found.map(|(token, _)| report_at(files, token.place, Kind::Unsupported, MESSAGE)));
    }
    let is_any = || searched.iter().any(|folder| has_precompiled(folder) || files.iter().any(|file| is_found(folder, &file.name)));
    if refused.is_empty() && is_any() {
        refused.extend(files.first().map(|file| Report::of_file(Kind::Unsupported, &file.name, IN_FOLDER)));
    }
    refused
}

/// Is there any precompiled header in the folder?
fn has_precompiled(folder: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = folder.read_dir().into_iter().flatten().flatten();
    entries.map(|entry| PathBuf::from(entry.file_name())).any(|name| name.extension().is_some_and(|extension| extension == "gch"))
}

/// Is there one below the folder for a header that is read from elsewhere: of `/usr/include/sys/types.h` that may be `sys/types.h`?
fn is_found(folder: &Path, header: &str) -> bool {
    let mut rest = Path::new(header).components();
    while rest.next().is_some() {
        let name = rest.as_path();
        if !name.as_os_str().is_empty() && is_precompiled(&folder.join(name)) {
            return true;
        }
    }
    false
}

const IN_FOLDER: &str = "a precompiled header in a folder in which headers are looked for";

const MESSAGE: &str = "a header beside which there is a precompiled one";

fn is_precompiled(header: &Path) -> bool {
    let mut name = OsString::from(header);
    name.push(".gch");
    Path::new(&name).exists()
}

/// The name that a directive includes, if it stands there, with its first token.
fn included(part: &Part) -> Option<(&Token, String)> {
    let Part::Directive(_, line) = part else { return None };
    let (directive, name) = line.split_first()?;
    let first = name.first().filter(|_| directive.is_any(&["include", "include_next", "import"]))?;
    let text = match first.kind {
        TokenKind::String => first.text.trim_matches('"').to_owned(),
        _ => name.iter().skip(1).take_while(|token| !token.is(">")).map(|token| &*token.text).collect(),
    };
    Some((first, text))
}
